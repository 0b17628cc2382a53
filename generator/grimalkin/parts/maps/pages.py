"""Prepare the maps of a game for its pages: each as one picture, with its letters, shapes and round track.

Sheets print a map in parts. The complete map is a face composed only for pages, from the game's template
`whole-map.svg.j2` or the shared one. So are the small pictures that explain its shapes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from grimalkin.content import Game
from grimalkin.content.maps import FLAT_EXITS, UPRIGHT_EXITS, Map
from grimalkin.content.models import Component, value_of
from grimalkin.content.scenarios import Scenario
from grimalkin.content.squares import column_name
from grimalkin.printing.face import Composer, standalone_svg
from grimalkin.printing.face.views import MARGIN, SQUARE, is_drawn_whole, whole_map
from grimalkin.problems import Stop
from grimalkin.problems.plain import listed
from grimalkin.site.pages.kinds import Menu, listing
from grimalkin.site.pages.links import Words
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.write import Writer

KIND = "maps"
MENU_BEFORE = OVERVIEW_BEFORE = "albums"
REPEATS = True
PAGE = "maps.md"
SHAPES: Final[Mapping[str, str]] = {
    "#": "blocking",
    ":": "hindering",
    "~": "water",
    "|": "wall",
    "D": "closed-door",
    "d": "open-door",
    "=": "hindering-edge",
    "w": "water-edge",
    ">": "exit",
}
"""Things that a map shows by shape, each with its symbol."""
_EDGES: Final = {"=": ":", "w": "~"}
"""Edge symbols, by the symbol that has the same meaning on a square."""


@dataclass(frozen=True)
class Letter:
    """A letter on a map, its meaning and the squares that show it."""

    letter: str
    meaning: str
    rule: str | None
    squares: tuple[str, ...]
    spaces: tuple[int, ...]
    """Spaces of the round track with this letter."""


@dataclass(frozen=True)
class MapView:
    """A map ready for its page."""

    map: Map
    path: str
    """Path of its page."""
    picture: str
    """Path of its picture, or "" if the map is too large for one; its size in millimetres follows."""
    width: int
    height: int
    alt: str
    size: str
    letters: tuple[Letter, ...]
    shapes: tuple[tuple[str, str], ...]
    """The shapes that occur on it: a word, and the path of a small picture."""
    track: str
    scenarios: tuple[Scenario, ...]
    sheets: tuple[Component, ...]
    """The pieces that print it."""


def begins(shown: Shown) -> str:
    """Return the page with all maps, if the game has maps."""
    return PAGE if shown.game.maps else ""


def menu(shown: Shown, words: Words) -> Menu:
    """Return the page with all maps, and that of each."""
    pages = [(drawn.name, map_page(drawn.id)) for drawn in shown.game.maps.values()]
    return listing(words[KIND], [(words["all-maps"], PAGE), *pages])


def write(writer: Writer) -> None:
    """Write a page with all maps, and a page for each, with their pictures."""
    views = [map_view(writer.game, drawn, writer.words) for drawn in writer.game.maps.values()]
    writer.main(KIND, maps=views)
    for view in views:
        writer.page(view.path, "map", view.map.name, view=view)
        if view.picture:
            names = [column_name(column) for column in range(view.map.columns)]
            writer.files[view.picture] = _picture(writer.shown.composer, view.map, view.alt, names)
        for sign in _signs(view.map):
            if (path := _key_file(sign)) not in writer.files:
                writer.files[path] = _key(writer.shown.composer, sign, view.map, writer.words)


def map_page(name: str) -> str:
    return f"maps/{name}.md"


def letters_of(game: Game, drawn: Map) -> Iterator[Letter]:
    """Yield the letters on a map or its round track: the game's letters in its order, then the map's own."""
    marks = game.info.maps.marks if game.info.maps else {}
    for letter in dict.fromkeys([*marks, *drawn.legend]):
        squares = tuple(square for square, mark in drawn.marks.items() if mark == letter)
        spaces = drawn.track.get(letter, ())
        if squares or spaces:
            own = letter in drawn.legend
            meaning = drawn.legend[letter] if own else marks[letter].name
            yield Letter(letter, meaning, None if own else marks[letter].rule, squares, spaces)


def map_view(game: Game, drawn: Map, words: Words) -> MapView:
    """Prepare a map for pages; `write` draws its pictures."""
    size = words["map-size"].format(
        columns=drawn.columns,
        rows=drawn.rows,
        w=f"{drawn.columns * SQUARE / 10:g}",
        h=f"{drawn.rows * SQUARE / 10:g}",
    )
    return MapView(
        drawn,
        map_page(drawn.id),
        f"maps/{drawn.id}.svg" if is_drawn_whole(drawn) else "",
        drawn.columns * SQUARE + 2 * MARGIN,
        drawn.rows * SQUARE + 2 * MARGIN,
        words["map-alt"].format(name=drawn.name, columns=drawn.columns, rows=drawn.rows),
        size,
        tuple(letters_of(game, drawn)),
        tuple((words[f"map-{SHAPES[sign]}"], _key_file(sign)) for sign in _signs(drawn)),
        _track(drawn, words),
        tuple(one for one in game.scenarios if one.map == drawn.id),
        tuple(sheets_of(game, drawn)),
    )


def _track(drawn: Map, words: Words) -> str:
    """Describe the round track in words."""
    if not drawn.spaces:
        return ""
    spaces = words["map-spaces" if drawn.spaces > 1 else "map-space"].format(n=drawn.spaces)
    on = (
        words["map-on"].format(letter=letter, spaces=listed([str(space) for space in where]))
        for letter, where in drawn.track.items()
    )
    return " ".join([spaces, *on])


def _key_file(sign: str) -> str:
    return f"maps/key-{SHAPES[sign]}.svg"


def _key(composer: Composer, sign: str, drawn: Map, words: Words) -> str:
    """Draw a small picture of a symbol, on a square or between two."""
    squares = sign if sign in "#:~" else ". " if sign == ">" else ".."
    edge = "" if sign in "#:~" else _EDGES.get(sign, sign)
    name, none = words[f"map-{SHAPES[sign]}"], (" " * len(squares),)
    example = Map(drawn.id, name, (squares,), {}, (f" {edge} ",), none * 2, floor=drawn.floor)
    return _picture(composer, example, name, [])


def _picture(composer: Composer, drawn: Map, alt: str, columns: Sequence[str]) -> str:
    """Draw a complete map."""
    face = whole_map(composer, drawn, alt, columns)
    if face is None:
        raise Stop(composer.problems)
    return standalone_svg(face)


def sheets_of(game: Game, drawn: Map) -> Iterator[Component]:
    """Yield the pieces that belong to a map, according to the columns that say what pieces belong to."""
    for deck in game.info.decks:
        for row in game.components[deck.id]:
            if any(column != "id" and value_of(row, column) == drawn.id for column in deck.needs):
                yield row


def _signs(drawn: Map) -> list[str]:
    """Return the symbols of everything that the map shows by shape, in the order of SHAPES."""
    edges = {sign for rows in (drawn.upright, drawn.flat) for row in rows for sign in row}
    found = {sign for row in drawn.squares for sign in row} - {" ", "."} | edges & set("|Dd")
    found.update(sign for sign, edge in _EDGES.items() if edge in edges)
    found |= {">"} if edges & {*UPRIGHT_EXITS, *FLAT_EXITS} else set()
    return [sign for sign in SHAPES if sign in found]
