"""The maps of a game in, what pages show of them out: each whole as one picture, its letters, its shapes, its track.

Sheets show a map in parts, to be printed. The whole of it is a face composed for pages alone, from the game's template
`whole-map.svg.j2` or the shared one, and so are the small pictures that tell what its shapes mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from grimalkin.content import Game
from grimalkin.content.maps import FLAT_EXITS, UPRIGHT_EXITS, Map, column_name
from grimalkin.content.models import Component, value_of
from grimalkin.content.scenarios import Scenario
from grimalkin.face import Composer, standalone_svg
from grimalkin.face.whole_map import MARGIN, SQUARE, is_drawn_whole, whole_map
from grimalkin.pages.links import Words
from grimalkin.problems import Stop
from grimalkin.problems.plain import listed

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
"""What is told of a map by the shapes on it, each by a sign of its own."""
_EDGES: Final = {"=": ":", "w": "~"}
"""The edges among the shapes whose signs squares have, too."""


@dataclass(frozen=True)
class Letter:
    """A letter on a map, what it means there, and the squares that have it."""

    letter: str
    meaning: str
    rule: str | None
    squares: tuple[str, ...]
    spaces: tuple[int, ...]
    """Of the round track."""


@dataclass(frozen=True)
class MapView:
    """A map as its page shows it."""

    map: Map
    path: str
    """Of its page."""
    picture: str
    """The path of its picture, whose size in millimetres follows; "" for a map that is too large for one."""
    width: int
    height: int
    alt: str
    size: str
    letters: tuple[Letter, ...]
    shapes: tuple[tuple[str, str], ...]
    """What is on it: the word for a shape, and the path of its picture."""
    track: str
    scenarios: tuple[Scenario, ...]
    sheets: tuple[Component, ...]
    """The pieces on which it is printed."""


class Atlas:
    """The maps of one game. `files` are the pictures that were drawn so far."""

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
        """The round track, in words."""
        if not drawn.spaces:
            return ""
        spaces = self.words["map-spaces" if drawn.spaces > 1 else "map-space"].format(n=drawn.spaces)
        on = (
            self.words["map-on"].format(letter=letter, spaces=listed([str(space) for space in where]))
            for letter, where in drawn.track.items()
        )
        return " ".join([spaces, *on])

    def key(self, sign: str, drawn: Map) -> str:
        """A small picture of what a sign draws: a square of it, or two squares with that edge between."""
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
        """Draw a map, whole; returns the path of its picture."""
        face = whole_map(self.composer, drawn, alt, columns)
        if face is None:
            raise Stop(self.composer.problems)
        self.files[path] = standalone_svg(face)
        return path


def map_page(name: str) -> str:
    return f"maps/{name}.md"


def letters_of(game: Game, drawn: Map) -> Iterator[Letter]:
    """The letters that stand on a map or on its round track: those of the game in its order, then its own."""
    marks = game.info.maps.marks if game.info.maps else {}
    for letter in dict.fromkeys([*marks, *drawn.legend]):
        squares = tuple(square for square, mark in drawn.marks.items() if mark == letter)
        spaces = drawn.track.get(letter, ())
        if squares or spaces:
            own = letter in drawn.legend
            meaning = drawn.legend[letter] if own else marks[letter].name
            yield Letter(letter, meaning, None if own else marks[letter].rule, squares, spaces)


def sheets_of(game: Game, drawn: Map) -> Iterator[Component]:
    """The pieces that belong to a map, by the columns that their decks need."""
    for deck in game.info.decks:
        for row in game.components[deck.id]:
            if any(column != "id" and value_of(row, column) == drawn.id for column in deck.needs):
                yield row


def _signs(drawn: Map) -> set[str]:
    """The signs of all that is told by its shape."""
    edges = {sign for rows in (drawn.upright, drawn.flat) for row in rows for sign in row}
    found = {sign for row in drawn.squares for sign in row} - {" ", "."} | edges & set("|Dd")
    found.update(sign for sign, edge in _EDGES.items() if edge in edges)
    return found | ({">"} if edges & {*UPRIGHT_EXITS, *FLAT_EXITS} else set())
