"""The words of the engine: Refusal, Line and Score, Result, Event, and the four ways a move is not accepted.

Every refusal, score line and event names the id of the rule (or ruling) that says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar
from unicodedata import normalize

from grimalkin.problems.plain import listed as listed

T = TypeVar("T")
Fact = int | str | bool | tuple[str, ...]
"""A number, a word, yes or no, or some names, for programs: what a sentence says in words too."""


class _NoFacts(dict[str, Fact]):
    """No facts, for all that has none: to make a dictionary for each would double what a refusal costs.

    As all share it, nobody changes it.
    """

    __hash__ = object.__hash__  # type: ignore[assignment]  # a dataclass takes only what has a hash as a default

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("what has no facts shares them with all that has none, so they cannot be changed")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> str:
        return "NO_FACTS"  # a copy, also in another process, is this one


NO_FACTS: Mapping[str, Fact] = _NoFacts()


REASON = frozenset({"before", "after", "left"})
"""Facts of an event that gives a reason."""
OVER = -1
"""What `State.to_act` answers when the game has ended."""
_MARKS = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u2010": "-", "\u2011": "-", "\u2013": "-"})
"""Apostrophes and hyphens as keyboards and web pages give them, and as we write them."""
_SIGNS = str.maketrans(
    {sign: suit for suit, signs in {"c": "♣♧", "s": "♠♤", "h": "♥♡", "d": "♦♢"}.items() for sign in signs}
    | dict.fromkeys("\ufe0e\ufe0f")
)
"""Signs of suits, black and white, as letters; and nothing of what says how a sign is drawn."""
_NO_MARKS = str.maketrans("", "", " -'")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is not allowed now: the rule's id, and a sentence with the numbers that matter.

    `facts` are these numbers by name, for programs: {"strength": 5, "needed": 6}.
    """

    rule: str
    because: str
    facts: Mapping[str, Fact] = field(default=NO_FACTS, compare=False)

    def __str__(self) -> str:
        return f"{self.rule}: {self.because}"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a score: `count` things worth `each` points make `points`; `rule` says why.

    `column` is where it is written, in a game whose score sheet has columns that are never added to each other; `row`
    is then the label of what is counted alike in every column, without the column's name.
    """

    rule: str
    label: str
    count: int
    each: int
    points: int
    column: str = ""
    row: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Score:
    """What one seat scores. A total always comes with its lines; `notes` are (rule, sentence) about choices in it.

    `facts` are what else counts for this seat, by name: {"jokers": 2}.
    """

    seat: str
    lines: tuple[Line, ...]
    notes: tuple[tuple[str, str], ...] = ()
    facts: Mapping[str, Fact] = field(default=NO_FACTS, compare=False)

    @property
    def total(self) -> int:
        """All points together. It means nothing in a game with columns."""
        return sum(line.points for line in self.lines)

    @property
    def columns(self) -> dict[str, int]:
        """The total of every column, in the order of the lines; empty in a game without columns.

        Every column of the score sheet has a line, if only of 0 points.
        """
        totals: dict[str, int] = {}
        for line in self.lines:
            if line.column:
                totals[line.column] = totals.get(line.column, 0) + line.points
        return totals


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the names of the winning seats, perhaps none, and the rules that made them so.

    `steps` are (rule, sentence): what was decided one after the other, where the end of a game has several steps.
    `facts` are the numbers behind it, by name. `places` are those of the seats in seat order, equal seats with the same
    number, where the rules rank more than winners; `places_of` tells the places in every game.
    """

    winners: tuple[str, ...]
    rules: tuple[str, ...]
    because: str
    steps: tuple[tuple[str, str], ...] = ()
    facts: Mapping[str, Fact] = field(default=NO_FACTS, compare=False)
    places: tuple[int, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: which rule made it happen, a sentence, and who may read the sentence.

    `audience` is None when everyone may; else the seats (by number) that may. The others read `hint`, if there is one.
    `facts` are what the sentence says, by name, and for the same readers. One that is `idle` says that nothing came of
    something: simulations do not count it among what its rule has made happen.
    """

    rule: str
    text: str
    audience: frozenset[int] | None = None
    hint: str = ""
    facts: Mapping[str, Fact] = field(default=NO_FACTS, compare=False)
    idle: bool = field(default=False, compare=False)

    def is_for(self, seat: int) -> bool:
        """Whether that seat may read the sentence and its facts."""
        return self.audience is None or seat in self.audience

    def told(self, seat: int) -> str:
        """What that seat is told; empty when it learns nothing."""
        return self.text if self.is_for(seat) else self.hint

    @property
    def is_reason(self) -> bool:
        """Whether it tells how something was decided, and nothing that happened: `before` how many could be chosen,
        `after` how many are left, and which of them are `left`."""
        return self.facts.keys() >= REASON


@dataclass(frozen=True, slots=True)
class Tally:
    """What a simulation counts of a finished game, and of each seat in seat order.

    Words are compared with each other: how often games end so, how often seats with that word win. Whole numbers are
    summed up. All games and all seats have the same keys. `trials` count what was tried many times in a game: by a
    name and a word, how often it was tried and how often it came off.
    """

    game: Mapping[str, str | int]
    seats: tuple[Mapping[str, str | int], ...]
    trials: Mapping[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)


def ranked(merits: Sequence[Any]) -> tuple[int, ...]:
    """The place of each seat, given what decides about it, the greatest first: 1 more than there are seats before it.

    >>> ranked([13, 18, 18, 9])
    (3, 1, 1, 4)
    """
    return tuple([1 + sum(other > merit for other in merits) for merit in merits])


def places_of(result: Result, seats: Sequence[str]) -> dict[str, int]:
    """The place of each seat at the end of a game.

    Where the rules only tell who wins, the winners come first and all others share the next place. Nobody has the first
    place but who wins.

    >>> places_of(Result(("Ada",), (), ""), ["Ada", "Basil", "Cleo"])
    {'Ada': 1, 'Basil': 2, 'Cleo': 2}
    >>> places_of(Result((), (), ""), ["Ada", "Basil"])
    {'Ada': 2, 'Basil': 2}
    """
    last = max(1, len(result.winners)) + 1
    places = result.places or [1 if seat in result.winners else last for seat in seats]
    return dict(zip(seats, places, strict=True))


def tell(log: list[Event], rule: str, text: str, **facts: Fact) -> None:
    """Add what happened to a log, for everybody. In the names of facts "_" stands for "-".

    >>> tell(log := [], "CAT-7", "Ada naps.", seat="Ada", so_long=2)
    >>> log[0].facts
    {'seat': 'Ada', 'so-long': 2}
    """
    log.append(Event(rule, text, facts=_by_name(facts)))


def tell_idle(log: list[Event], rule: str, text: str, **facts: Fact) -> None:
    """Add to a log that nothing came of something, for everybody."""
    log.append(Event(rule, text, facts=_by_name(facts), idle=True))


def refuse(rule: str, because: str, **facts: Fact) -> Refusal:
    """A Refusal. In the names of facts "_" stands for "-"."""
    return Refusal(rule, because, _by_name(facts))


def _by_name(facts: dict[str, Fact]) -> Mapping[str, Fact]:
    return {name.replace("_", "-"): fact for name, fact in facts.items()} if facts else NO_FACTS


def sentence(text: str) -> str:
    """A text that begins with a capital."""
    return text[0].upper() + text[1:]


def typed(text: str) -> str:
    """A text without what depends on the hand that typed it: capitals, spaces, a full stop at its end, how marks are
    drawn, and whether a suit is a sign or a letter.

    >>> typed("  Re\\u2011Populate."), typed("O\\u2019Malley"), typed("10 \\u2660\\ufe0e")
    ('re-populate', "o'malley", '10 s')
    """
    plain = normalize("NFC", text).translate(_MARKS).translate(_SIGNS).lower()
    return " ".join(plain.rstrip().removesuffix(".").split())


def find_typed(text: str, known: Mapping[str, T], also: Mapping[str, str] = MappingProxyType({})) -> T | None:
    """What a typed text stands for among known ones; spaces, hyphens and apostrophes are looked at last.

    `also` are other words for those that a known text begins with.

    >>> find_typed("re-populate", {"repopulate": 1}), find_typed("lovemabel", {"love-mabel": 2})
    (1, 2)
    >>> find_typed("extra action", {"again": 3}, {"extra action": "again"})
    3
    """
    if text in known:
        return known[text]
    ways = {_bare(text)}
    ways |= {_bare(ours + text[len(said) :]) for said, ours in also.items() if f"{text} ".startswith(f"{said} ")}
    found = {value for said, value in known.items() if _bare(said) in ways - {""}}
    return found.pop() if len(found) == 1 else None


def _bare(text: str) -> str:
    return text.translate(_NO_MARKS)


class NotAMove(Exception):
    """A line of notation that is not accepted. One of its four kinds is raised, never this one."""


class Unreadable(NotAMove):
    """The text is not notation of this game at all."""


class Ambiguous(NotAMove):
    """The text could mean more than one move here."""


class Refused(NotAMove):
    """The text is a move, but a rule forbids it now."""

    def __init__(self, refusal: Refusal, move: str) -> None:
        super().__init__(f'"{move}" is refused by {refusal}')
        self.refusal = refusal
        self.move = move


class Over(Refused):
    """The text is a move, but the game has ended."""


class TooFar(NotAMove):
    """The text begins with a whole line, which is legal, and goes on. No rule refuses what is left: none is asked."""

    def __init__(self, left: str, count: int, next_: str) -> None:
        super().__init__(f'"{left}" goes too far: the line ends before it, and then {next_}')
        self.left = left
        """The first small move that is too much,"""
        self.count = count
        """and how many come before it."""
        self.next = next_
        """What comes after the line, as a sentence."""
