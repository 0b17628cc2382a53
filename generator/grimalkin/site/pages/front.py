"""Prepare the front page of a game and its place on the home page: its banner, and the doors into its pages.

A banner is the game's cover picture with its title on the same ground. A game without a picture has its title on its
own first ink, beside the pieces that represent it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from grimalkin.printing.draw.raster import ground_of
from grimalkin.printing.face import Face, standalone_svg
from grimalkin.printing.face.svg.colours import contrast, readable
from grimalkin.printing.face.views import Wordmark, find_cover_art, find_wordmark, has_title
from grimalkin.site.pages.links import face_file
from grimalkin.site.pages.pieces import samples
from grimalkin.site.pages.shown import Shown

MOON, INK, NIGHT = "#f7f1e3", "#1d1a26", "#22304a"
"""The colours of a title, on a dark ground or a light one, and the ground of a game without a palette."""
LEAST = 4.5
"""The least contrast between a title or a tagline and its ground (WCAG 2.2, 1.4.3)."""
COVER, WORDMARK = "cover.svg", "wordmark.svg"
"""The files of the pictures in the game's folder on the site."""
EDGE = 1.6
"""The ragged edge of a block, in millimetres; a banner has none."""
PIXELS, WIDE = 4, 480
"""The size of pictures before the style sheet is there: pixels a millimetre, and the width of a title."""


class Shot(NamedTuple):
    """A picture on a front page: its file, its size in pixels, the shape of its piece, and what it shows."""

    path: str
    width: int
    height: int
    shape: str
    alt: str


@dataclass(frozen=True)
class Banner:
    """The top of a game's front page."""

    title: str
    ground: str
    ink: str
    """The colour of words on the ground."""
    pieces: Sequence[Shot]
    """The pieces that represent the game."""
    cover: Shot | None = None
    wordmark: Shot | None = None
    """The title, if the game draws it."""
    is_titled: bool = False
    """Whether the title is in the cover picture."""
    art: Face | None = None
    mark: Wordmark | None = None
    """The drawings of the cover and the title."""


@dataclass(frozen=True)
class Door:
    """A large way into the pages of a game: the word for what readers do there, which its drawing is named after."""

    name: str
    kind: str
    """The kind of pages behind it."""
    path: str


def banner(shown: Shown) -> Banner:
    """Return the banner of a game. The composer reports faults in its pictures."""
    game, art = shown.game, find_cover_art(shown.game, shown.composer)
    mark = find_wordmark(game, shown.composer)
    first = next(iter(game.info.shown_palette.values()), NIGHT)
    ground = ground_of(art, corner=True) if art else readable(first, MOON)
    ink = MOON if contrast(MOON, ground) >= LEAST or contrast(MOON, ground) > contrast(INK, ground) else INK
    return Banner(
        game.marked_title,
        ground,
        ink,
        pieces(shown),
        _shot(art, COVER) if art else None,
        Shot(WORDMARK, WIDE, round(WIDE * mark.view[3] / mark.view[2]) or 1, "rectangle", "") if mark else None,
        art is not None and has_title(shown.composer),
        art,
        mark,
    )


def pictures(shown: Shown, top: Banner) -> Mapping[str, str | bytes | Path]:
    """Return the pictures of a banner by their paths. Shapes of a wordmark without a colour have that of its words."""
    art, mark = top.art, top.mark
    made: dict[str, str | bytes | Path] = {}
    if art:
        made[COVER] = shown.kept(COVER, standalone_svg(art, bleed=True, change=partial(_cropped, art)))
    if mark:
        made[WORDMARK] = shown.kept(
            WORDMARK, standalone_svg(mark.face, bleed=True, change=partial(_framed, top.ink, mark.view))
        )
    return made


def pieces(shown: Shown) -> list[Shot]:
    """Return the faces that represent a game: those it names, or fronts of its first deck."""
    named = shown.game.info.cover or [row.id for row in samples(shown, shown.game.info.decks[0])]
    faces = [shown.faces[f"{id_}-front"] for id_ in named if f"{id_}-front" in shown.faces]
    return [_shot(face, face_file(face.id)) for face in faces]


def doors(shown: Shown, begins: Mapping[str, str]) -> list[Door]:
    """Return the doors of a game; `begins` has the first page of each of its kinds of pages."""
    found = []
    for name, kinds in DOORS.items():
        kind = next((kind for kind in kinds if kind in begins), "")
        if kind and (shown.faces or kind != "downloads"):
            found.append(Door(name, kind, f"{kind}.md" if kind == "rules" else begins[kind]))
    return found


DOORS = {"learn": ("learn",), "look": ("rules", "gallery", "components"), "print": ("downloads",)}
"""The doors, each with the kinds of pages that it may lead to; the first that a game has is behind it."""


def _shot(face: Face, path: str) -> Shot:
    width, height = (round(side * PIXELS) for side in (face.stock.width, face.stock.height))
    return Shot(path, width, height, face.stock.shape, face.alt)


def _cropped(art: Face, root: Any) -> None:
    """Leave out the ragged edge of a block."""
    width, height = (side - 2 * EDGE for side in (art.stock.width, art.stock.height))
    root.attrib.update(
        {"viewBox": f"{EDGE} {EDGE} {width:g} {height:g}", "width": f"{width:g}mm", "height": f"{height:g}mm"}
    )


def _framed(ink: str, view: Sequence[float], root: Any) -> None:
    """Give a drawing the frame that its template names, and a colour where it has none."""
    root.attrib.update({"fill": ink, "viewBox": " ".join(f"{one:g}" for one in view)})
    root.attrib.update({"width": f"{view[2]:g}", "height": f"{view[3]:g}"})
