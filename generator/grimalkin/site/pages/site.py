"""Build the site from pages, with mkdocs and our theme, called from Python. Its warnings become problems."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from grimalkin.problems import Place, Problems, shown_path
from grimalkin.site.pages.guide import home_of_guide
from grimalkin.site.pages.navigation import beside, lettered, navigation
from grimalkin.site.pages.plugin import GrimalkinPlugin
from grimalkin.site.pages.rendered import Content, render
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.sign import Sign, guide_sign, sign_of
from grimalkin.site.pages.style_sheets import variants_in
from grimalkin.site.pages.templates import load_words
from grimalkin.site.pages.write import STYLES, home, pages
from grimalkin.source import data_folder, files_below, read_text


def build_site(
    games: Sequence[Shown],
    target: Path,
    problems: Problems,
    site: Path | None = None,
    pages_of: Callable[[Shown], Mapping[str, Content]] = pages,
) -> None:
    """Build the site of these games into an empty folder. Broken links and similar faults become problems.

    Only the site of Grimalkin's own games has the hand-written pages, such as the guide. `site` holds them, mkdocs.yml
    and the theme; by default, those included with Grimalkin. `pages_of` returns the pages of a game; by default, it
    writes them now.
    """
    sign = sign_of(games, load_words())
    made: dict[str, Content] = {**home(games, sign)}
    for shown in games:
        made.update(render(pages_of(shown)))
    if problems:
        return
    _make(games, made, target, problems, site or data_folder("site"), sign)


def build_guide(target: Path, problems: Problems) -> None:
    """Build the guide alone as a site, into an empty folder."""
    site = data_folder("site")
    _make([], {**home_of_guide(site)}, target, problems, site, guide_sign(load_words()))


def _make(
    games: Sequence[Shown],
    made: Mapping[str, Content],
    target: Path,
    problems: Problems,
    site: Path,
    sign: Sign,
) -> None:
    complaints = _Complaints()
    logger = logging.getLogger("mkdocs")
    logger.addHandler(complaints)
    try:
        path = str(site / "mkdocs.yml")
        config = load_config(path, config_file_path=path, site_dir=str(target))  # it asks standard input for its name
        plugin = config.plugins["grimalkin"]
        assert isinstance(plugin, GrimalkinPlugin)
        plugin.pages = made
        plugin.nav = navigation(games)
        plugin.beside = beside(games)
        plugin.games = games
        plugin.sign = sign
        words = {**load_words(), **sign.words}
        plugin.lettered = lettered(games, words)
        plugin.variants = variants_in(str(made[path]) for path in made if path.endswith(f"/{STYLES}"))
        plugin.footer = words["footer"] if any(shown.game.info.our_work for shown in games) else ""
        build(config)
    except OSError as error:
        if error.filename is None or error.filename2 is not None:  # as when the disk is full
            error.filename = shown_path(Path(error.filename2 or _written_last(target)))
        raise
    except Abort:
        pass  # the warnings say why
    finally:
        logger.removeHandler(complaints)
    for message in complaints.messages:
        problems.add(_place(message, games, made, site), *_reworded(message))


def _written_last(folder: Path) -> Path:
    """Return the file that was written last, or the folder itself if none can be found."""
    times = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    last = [path for path, time in times.items() if time == max(times.values())]
    return last[0] if len(last) == 1 else folder


class _Complaints(logging.Handler):
    """Collects the warnings from mkdocs."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def _reworded(message: str) -> tuple[str, str]:
    """Reword a warning from mkdocs, so that it is the same for every page that shows a text; with a hint."""
    link = re.search(r" link '([^']+)'", message)
    near = re.search(r"Did you mean '([^']+)'\?", message)
    hint = f'did you mean "{near[1]}"?' if near else ""
    if link and "anchor" in message:
        return f'the link "{link[1]}" leads to an anchor that does not exist', hint
    if link and "not found" in message:
        return f'the link "{link[1]}" leads nowhere', hint
    if link and "absolute" in message:
        return f'the link "{link[1]}" is absolute', hint or "write it relative to this page"
    return message[0].lower() + message[1:], ""


def _place(message: str, games: Sequence[Shown], made: Mapping[str, Content], site: Path) -> Place:
    """Find the words that mkdocs complains about: in a hand-written page, or in the content of a game."""
    page = re.search(r"'([^']+\.md)'", message)
    link = re.search(r" link '([^']+)'", message)
    if page is None:
        return Place(shown_path(site / "mkdocs.yml"))
    wanted = f"({link[1]}" if link else ""
    written = site / "docs" / page[1]
    if written.is_file():
        return _line_with(wanted, written)
    name = page[1].partition("/")[0]
    for shown in games:
        if shown.game.name == name:
            folder = shown.game.folder
            for path in sorted(path for path in files_below(folder, folder) if path.suffix == ".yaml"):
                place = _line_with(wanted, path)
                if wanted and place.line:
                    return place
    text = made.get(page[1], "")
    line = _line(wanted, text) if isinstance(text, str) else 0
    return Place(f"{page[1]} (generated)", line)


def _line_with(words: str, path: Path) -> Place:
    return Place(shown_path(path), _line(words, read_text(path, Problems()) or ""))


def _line(words: str, text: str) -> int:
    """Return the number of the first line with these words; 0 if there is none."""
    return next((number for number, line in enumerate(text.split("\n"), 1) if words and words in line), 0)
