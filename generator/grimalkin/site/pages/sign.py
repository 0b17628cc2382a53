"""The sign over a site: its name and mark, what is said around its pages, and which hand-written pages it has.

Grimalkin's own site shows the games that come with it, and carries the guide and the decisions. A site with anybody
else's games is theirs: it has neither, and is named after the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grimalkin.printing.face.images.icons import Icons
from grimalkin.printing.face.svg.colours import readable
from grimalkin.problems import Problems
from grimalkin.site.pages.links import Words, inline_icon
from grimalkin.site.pages.shown import Shown
from grimalkin.source import data_folder

_OURS, _THEIRS = "cat-mark", "cards"
"""The icons that mark a site; a game may have an icon `mark` instead."""
_OWN_MARK = "mark"
_MOON, _NIGHT = "#e8d9a8", "#1d1a26"
"""The colours of a mark and of the ground behind it."""


@dataclass(frozen=True)
class Sign:
    """The sign over a site."""

    mark: str
    """The icon beside the name, as SVG within HTML."""
    badge: str = ""
    """The same as a file, for the tabs of browsers; if empty, the theme's own stays."""
    has_town: bool = True
    """Whether the town at night stands on the home page."""
    words: Mapping[str, str] = field(default_factory=dict)
    """The words that differ from the interface's own, such as its name."""
    written: Sequence[str] | None = ()
    """The folders of hand-written pages and their pictures on the site; None if all are."""
    credit: str = ""
    """The last line of every page."""


def sign_of(games: Sequence[Shown], words: Words) -> Sign:
    """Return the sign of a site with these games."""
    ours = data_folder("content").resolve()
    if all(shown.game.folder.resolve().is_relative_to(ours) for shown in games):
        return Sign(_mark(Icons(None, Problems()), _OURS), written=None)
    game = games[0].game
    title = game.marked_title if len(games) == 1 else words["games"]
    changed = {"site": title, "motto": "", "not-found": words["not-found-plain"]}
    icons, name = Icons(None, Problems()), _THEIRS
    if len(games) == 1:
        own = Icons(game.folder, Problems(), game.info.kin or "")
        if _OWN_MARK in own and own.symbol(_OWN_MARK) is not None:
            icons, name = own, _OWN_MARK
    mark = _mark(icons, name)
    first = next(iter(game.info.shown_palette.values()), _NIGHT) if len(games) == 1 else _NIGHT
    return Sign(mark, _badge(mark, readable(first, _MOON)), False, changed, credit=words["made-with"])


def guide_sign(words: Words) -> Sign:
    """Return the sign over the guide when it is a site of its own."""
    changed = {"search-hint": words["guide-search-hint"]}
    return Sign(_mark(Icons(None, Problems()), _OURS), words=changed, written=("guide", "pictures"))


def _mark(icons: Icons, name: str) -> str:
    return inline_icon(icons, name)


def _badge(mark: str, ground: str) -> str:
    """Return a mark on a ground of this colour as an SVG file."""
    inside = mark.replace('<svg class="icon"', f'<svg width="24" height="24" fill="{_MOON}"', 1)
    around = f'<rect x="-2" y="-2" width="28" height="28" rx="6" fill="{ground}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 28 28">{around}{inside}</svg>\n'
