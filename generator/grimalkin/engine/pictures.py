"""What a picture of a position on a square map shows: figures, what lies there, and what is asked about squares.

A game module may offer `picture(facts, position, wishes)`: the Picture of a position, or None of one that is on no map.
Without a position (None) it is that of the map which the wishes name, bare. It raises Misfits at the keys of wishes for
whatever is not there. The contract does not ask for it, since few games are played on maps.

A picture holds no lengths and no colours: drawing is the page's. Squares are called as in c3, doors as in c3e and c3s.

Pages that show a game step by step read how figures move from the facts of events, too: the name of a figure with where
it `stood` and where it is `at` is a step, and an old name under `was` belongs to whom the event names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from grimalkin.engine.contract import Facts, GameModule
from grimalkin.engine.shape import Listing, Misfit, Path, Record, Shape, Text, YesNo

OURS, THEIRS, HIDDEN = "ours", "theirs", "hidden"
"""Kinds of figures: of the players, against them, and markers that lie face down."""
TOKEN, CARDS, CLOUD, HERE = "token", "cards", "cloud", "here"
"""Kinds of what lies on squares; the last marks a square that is asked about."""
SEEN, HINDERED, RANGE, DEAD, REACH = "seen", "hindered", "range", "dead", "reach"
"""Kinds of layers: what is seen freely, or behind something hindering; what a Range covers, and what lies too near for
any that is asked about; and where one can go."""
FREE, BLOCKED, MOVED = "free", "blocked", "moved"
"""How lines are, besides hindered. A figure that has moved has one from where it stood."""


class Figure(NamedTuple):
    """Somebody on a square; who is larger covers more to the right and down."""

    name: str
    """As in lines of notation, and"""
    called: str
    """in sentences."""
    square: str
    kind: str
    sign: str
    """One to three letters that stand on it."""
    size: int = 1
    badges: tuple[tuple[str, str], ...] = ()
    """What is to be seen on it: a letter or a number, and what that means."""


class Token(NamedTuple):
    """What lies on a square."""

    square: str
    kind: str
    sign: str = ""
    called: str = ""


class Layer(NamedTuple):
    """Squares of which the same is to be told."""

    kind: str
    squares: tuple[str, ...]
    numbers: tuple[int, ...] = ()
    """What stands in each of them; of a Range, its number alone."""
    origin: str = ""
    """The square from which a Range is counted."""


class Line(NamedTuple):
    """A line from the centre of a square to that of another."""

    start: str
    end: str
    how: str
    at: tuple[float, float] | None = None
    """Where it is hindered or blocked: how many squares from the left and from above."""


class Picture(NamedTuple):
    """What is to be drawn, from the ground up, and told of it."""

    map: str
    open_doors: tuple[str, ...] = ()
    tokens: tuple[Token, ...] = ()
    layers: tuple[Layer, ...] = ()
    lines: tuple[Line, ...] = ()
    figures: tuple[Figure, ...] = ()
    around: tuple[str, ...] = ()
    """Squares around which it is cut; without any, around all figures, lines and layers."""
    whole: bool = False
    """Whether the whole map is in it."""
    told: tuple[str, ...] = ()
    """What its layers and lines show, in sentences."""
    rules: tuple[str, ...] = ()
    """The ids of the rules that decided what is seen, what Ranges cover, and how lines are. Only those without which it
    would be drawn otherwise."""


class Names(Shape):
    """One name or several; they arrive as a list."""

    def __init__(self, describe: str, most: int = 8) -> None:
        self.describe = describe
        self.several = Listing(Text(), 1, most)

    def _read(self, value: object, at: Path, misfits: list[Misfit]) -> Any:
        return [value] if isinstance(value, str) and value else self.several._read(value, at, misfits)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [Text().schema(), self.several.schema()], "description": self.describe}


_PAIR = Listing(Text("A figure or a square."), 2, 2)
_DRAWN: Final[Mapping[str, Shape]] = {
    "sight": Names("What a figure, or who stands on a square, sees; of several, each of them."),
    "range": Listing(Text(), 2, 8, "A figure or a square, and the Ranges of which one sees what they cover."),
    "reach": Listing(Text(), 2, 2, "A figure, and the movement points with which it is to go."),
    "lines": Listing(_PAIR, 1, 12, "From whom to whom lines of sight are drawn."),
    "around": Listing(Text(), 1, 12, "Squares around which it is cut (default: around all that it shows)."),
    "whole": YesNo("Whether it shows the whole map."),
}
WISHES: Final = Record(
    {},
    {
        **_DRAWN,
        "hide": YesNo("Whether there is no picture at all."),
        "after": Record({}, _DRAWN, "What is drawn in the picture after the last step."),
    },
    "What is drawn in the picture of the position, where a game is played on maps.",
)
"""What an example may wish for under `picture`."""
ON_A_MAP: Final = Record({"map": Text("The map.")}, _DRAWN)
"""What may be asked about a map without anybody on it."""

Wishes = Mapping[str, Any]
PictureOf = Callable[[Facts, Mapping[str, Any] | None, Wishes], Picture | None]
"""The function `picture` of a game that has one."""


def find_picture(game: GameModule) -> PictureOf | None:
    """The function `picture` of a game that is played on maps; None of one that is not."""
    found: PictureOf | None = getattr(game, "picture", None)
    return found


def bare(picture: Picture) -> Picture:
    """What lies on the table alone, without what was asked about it."""
    tokens = tuple(token for token in picture.tokens if token.kind != HERE)
    return Picture(picture.map, picture.open_doors, tokens, figures=picture.figures)


def split(wishes: Wishes) -> tuple[Wishes, Wishes]:
    """What is wished of the position before the first step, and of that after the last."""
    return {key: wish for key, wish in wishes.items() if key not in ("after", "hide")}, wishes.get("after", {})
