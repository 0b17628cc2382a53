"""Prepare the maps of a game for its pages: each as one picture, with its letters, shapes and round track.

Sheets print a map in parts. The complete map is a face composed only for pages, from the game's template
`whole-map.svg.j2` or the shared one. So are the small pictures that explain its shapes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from grimalkin.content import Game
from grimalkin.content.maps import FLAT_EXITS, UPRIGHT_EXITS, Map, column_name
from grimalkin.content.models import Component, value_of
from grimalkin.content.scenarios import Scenario
from grimalkin.printing.face import Composer, standalone_svg
from grimalkin.printing.face.views import MARGIN, SQUARE, is_drawn_whole, whole_map
from grimalkin.problems import Stop
from grimalkin.problems.plain import listed
from grimalkin.site.pages.links import Words

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


class Atlas:
    """The maps of one game. `files` holds the pictures drawn so far."""

    def __init__(self, game: Game, composer: Composer, words: Words) -> None:
        self.game = game
        self.composer = composer
        self.words = words
        self.files: dict[str, str] = {}

    def views(self) -> list[MapView]:
        return [self.view(drawn) for drawn in self.game.maps.values()]

    def view(self, drawn: Map) -> MapView:
        size = self.words["map-size"].format(
            columns=drawn.columns,
            rows=drawn.rows,
            w=f"{drawn.columns * SQUARE / 10:g}",
            h=f"{drawn.rows * SQUARE / 10:g}",
        )
        alt = self.words["map-alt"].format(name=drawn.name, columns=drawn.columns, rows=drawn.rows)
        names = [column_name(column) for column in range(drawn.columns)]
        shapes = [sign for sign in SHAPES if sign in _signs(drawn)]
        return MapView(
            drawn,
            map_page(drawn.id),
            self.picture(drawn, f"maps/{drawn.id}.svg", alt, names) if is_drawn_whole(drawn) else "",
            drawn.columns * SQUARE + 2 * MARGIN,
            drawn.rows * SQUARE + 2 * MARGIN,
            alt,
            size,
            tuple(letters_of(self.game, drawn)),
            tuple((self.words[f"map-{SHAPES[sign]}"], self.key(sign, drawn)) for sign in shapes),
            self.track(drawn),
            tuple(one for one in self.game.scenarios if one.map == drawn.id),
            tuple(sheets_of(self.game, drawn)),
        )

    def track(self, drawn: Map) -> str:
        """Describe the round track in words."""
        if not drawn.spaces:
            return ""
        spaces = self.words["map-spaces" if drawn.spaces > 1 else "map-space"].format(n=drawn.spaces)
        on = (
            self.words["map-on"].format(letter=letter, spaces=listed([str(space) for space in where]))
            for letter, where in drawn.track.items()
        )
        return " ".join([spaces, *on])

    def key(self, sign: str, drawn: Map) -> str:
        """Draw a small picture of a symbol, on a square or between two, and return its path."""
        path = f"maps/key-{SHAPES[sign]}.svg"
        if path not in self.files:
            squares = sign if sign in "#:~" else ". " if sign == ">" else ".."
            edge = "" if sign in "#:~" else _EDGES.get(sign, sign)
            name, none = self.words[f"map-{SHAPES[sign]}"], (" " * len(squares),)
            upright = f" {edge} "
            example = Map(drawn.id, name, (squares,), {}, (upright,), none * 2, floor=drawn.floor)
            self.picture(example, path, name, [])
        return path

    def picture(self, drawn: Map, path: str, alt: str, columns: Sequence[str]) -> str:
        """Draw a complete map, and return the path of its picture."""
        face = whole_map(self.composer, drawn, alt, columns)
        if face is None:
            raise Stop(self.composer.problems)
        self.files[path] = standalone_svg(face)
        return path


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


def sheets_of(game: Game, drawn: Map) -> Iterator[Component]:
    """Yield the pieces that belong to a map, according to the columns that say what pieces belong to."""
    for deck in game.info.decks:
        for row in game.components[deck.id]:
            if any(column != "id" and value_of(row, column) == drawn.id for column in deck.needs):
                yield row


def _signs(drawn: Map) -> set[str]:
    """Return the symbols of everything that the map shows by shape."""
    edges = {sign for rows in (drawn.upright, drawn.flat) for row in rows for sign in row}
    found = {sign for row in drawn.squares for sign in row} - {" ", "."} | edges & set("|Dd")
    found.update(sign for sign, edge in _EDGES.items() if edge in edges)
    return found | ({">"} if edges & {*UPRIGHT_EXITS, *FLAT_EXITS} else set())
