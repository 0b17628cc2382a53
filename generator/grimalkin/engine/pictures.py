"""The contents of a picture of a position on a square map: figures, tokens, and the squares asked about.

A game module may offer `picture(facts, position, wishes)`: it returns the Picture of a position, or None if that is not
on a map. With None as the position, it returns the bare map that the wishes name. It raises Misfits at the keys of
wishes for anything unknown. It is optional, since few games are played on maps.

A picture holds no lengths and no colours: pages draw it. Squares have names such as c3, and doors such as c3e and c3s.

A game with scenarios may offer `set_up(facts, scenario)`, which lays a scenario out and returns its SetUp: the steps
before the first choice, their rules, and a picture. Nothing in it depends on chance, and nothing in it is hidden.

Pages that show a game step by step also read moves from the facts of events: a figure's name with where it `stood` and
where it is `at` is a step, and `was` holds the previous name of the figure that the event names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from grimalkin.engine.contract import Facts, GameModule
from grimalkin.engine.shape import Listing, Misfit, Path, Record, Shape, Text, YesNo

OURS, THEIRS, HIDDEN = "ours", "theirs", "hidden"
"""Kinds of figures: the players' own, their opponents, and markers that lie face down."""
TOKEN, CARDS, CLOUD, HERE = "token", "cards", "cloud", "here"
"""Kinds of things on squares; the last marks the square in question."""
SEEN, HINDERED, RANGE, DEAD, REACH = "seen", "hindered", "range", "dead", "reach"
"""Kinds of layers: squares seen freely, or past something hindering; squares within a Range, and squares too near for
every Range in question; and squares that can be reached."""
FREE, BLOCKED, MOVED = "free", "blocked", "moved"
"""Kinds of lines, in addition to hindered. A figure that has moved has a line from its earlier place."""


class Figure(NamedTuple):
    """A figure on a square; larger ones cover more squares to the right and down."""

    name: str
    """Its name in notation."""
    called: str
    """Its name in sentences."""
    square: str
    kind: str
    sign: str
    """One to three letters to show on it."""
    size: int = 1
    badges: tuple[tuple[str, str], ...] = ()
    """Its badges: a letter or number, and its meaning."""
    of: str = ""
    """The id of the component that it stands for, so that its head can be drawn; empty if that is hidden or unknown."""


class Token(NamedTuple):
    """A token on a square."""

    square: str
    kind: str
    sign: str = ""
    called: str = ""


class Layer(NamedTuple):
    """Squares that share a meaning."""

    kind: str
    squares: tuple[str, ...]
    numbers: tuple[int, ...] = ()
    """The number in each square; for a Range, only its own number."""
    origin: str = ""
    """The square from which the Range is counted."""


class Line(NamedTuple):
    """A line between the centres of two squares."""

    start: str
    end: str
    how: str
    at: tuple[float, float] | None = None
    """The point where it is hindered or blocked, in squares from the left and top."""


class Picture(NamedTuple):
    """Everything to draw, from the ground up, and what to say about it."""

    map: str
    open_doors: tuple[str, ...] = ()
    tokens: tuple[Token, ...] = ()
    layers: tuple[Layer, ...] = ()
    lines: tuple[Line, ...] = ()
    figures: tuple[Figure, ...] = ()
    around: tuple[str, ...] = ()
    """The squares to which the picture is cropped; if empty, all figures, lines and layers."""
    whole: bool = False
    """Whether it shows the whole map."""
    told: tuple[str, ...] = ()
    """The meaning of its layers and lines, in sentences."""
    rules: tuple[str, ...] = ()
    """The ids of the rules that decided what is seen, what Ranges cover, and how lines run; only those without which it
    would be drawn differently.
    """


class Names(Shape):
    """One name or several, read as a list."""

    def __init__(self, describe: str, most: int = 8) -> None:
        self.describe = describe
        self.several = Listing(Text(), 1, most)

    def _read(self, value: object, at: Path, misfits: list[Misfit]) -> Any:
        return [value] if isinstance(value, str) and value else self.several._read(value, at, misfits)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [Text().schema(), self.several.schema()], "description": self.describe}


_PAIR = Listing(Text("A figure or a square."), 2, 2)
_DRAWN: Final[Mapping[str, Shape]] = {
    "sight": Names("What is seen by a figure, or by whoever stands on a square; if several are named, by each."),
    "range": Listing(Text(), 2, 8, "A figure or a square, and the Ranges whose squares are shown."),
    "reach": Listing(Text(), 2, 2, "A figure, and the movement points that it may spend."),
    "lines": Listing(_PAIR, 1, 12, "Pairs between which lines of sight are drawn."),
    "around": Listing(Text(), 1, 12, "Squares to which it is cropped (default: everything that it shows)."),
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
"""The wishes of an example under `picture`."""
ON_A_MAP: Final = Record({"map": Text("The map.")}, _DRAWN)
"""The wishes for a map without figures."""

Wishes = Mapping[str, Any]
PictureOf = Callable[[Facts, Mapping[str, Any] | None, Wishes], Picture | None]
"""The function `picture` of a game."""


def find_picture(game: GameModule) -> PictureOf | None:
    """Return the function `picture` of a game; None if the game is not played on maps."""
    found: PictureOf | None = getattr(game, "picture", None)
    return found


def bare(picture: Picture) -> Picture:
    """Return the picture of the table alone, without the answers to wishes."""
    tokens = tuple(token for token in picture.tokens if token.kind != HERE)
    return Picture(picture.map, picture.open_doors, tokens, figures=picture.figures)


def split(wishes: Wishes) -> tuple[Wishes, Wishes]:
    """Return the wishes for the position before the first step, and for that after the last."""
    return {key: wish for key, wish in wishes.items() if key not in ("after", "hide")}, wishes.get("after", {})


# The set-up of a scenario


class Put(NamedTuple):
    """One step or condition of the set-up."""

    rules: tuple[str, ...]
    told: str
    """A sentence."""
    pieces: tuple[tuple[str, int], ...] = ()
    """The components it needs: ids and numbers."""
    squares: tuple[str, ...] = ()


class SetUp(NamedTuple):
    """The set-up of a scenario."""

    party: tuple[Put, ...]
    """How many may play, and what each player then has."""
    puts: tuple[Put, ...]
    """The steps, in order."""
    entries: tuple[int, ...] = ()
    """The numbers of the story entries that may be read in this scenario or after it, in order."""
    picture: Picture | None = None
    """The complete table after the set-up."""


SetUpOf = Callable[[Facts, str], SetUp]
"""The function `set_up` of a game."""


def find_set_up(game: GameModule | None) -> SetUpOf | None:
    """Return the function `set_up` of a game; None if it has no scenarios, or no engine."""
    found: SetUpOf | None = getattr(game, "set_up", None)
    return found
