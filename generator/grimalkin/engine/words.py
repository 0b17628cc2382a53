"""The words of the engine: Refusal, Line, Score, Result, Event, and the errors for moves that are not accepted.

Every refusal, score line and event names the id of its rule or ruling.
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
"""A number, a word, yes or no, or some names, for programs; the sentence says the same for people."""


class _NoFacts(dict[str, Fact]):
    """An empty mapping shared by all values without facts: a dictionary for each would double the cost of a refusal.

    It cannot be changed.
    """

    __hash__ = object.__hash__  # type: ignore[assignment]  # a dataclass accepts only hashable defaults

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("all values without facts share these, so they cannot be changed")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> str:
        return "NO_FACTS"  # a copy, even in another process, is this object


NO_FACTS: Mapping[str, Fact] = _NoFacts()


REASON = frozenset({"before", "after", "left"})
"""The facts of an event that gives a reason."""
OVER = -1
"""The value of `State.to_act` after the end of the game."""
_MARKS = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u2010": "-", "\u2011": "-", "\u2013": "-"})
"""Apostrophes and hyphens from keyboards and web pages, mapped to our own."""
_SIGNS = str.maketrans(
    {sign: suit for suit, signs in {"c": "♣♧", "s": "♠♤", "h": "♥♡", "d": "♦♢"}.items() for sign in signs}
    | dict.fromkeys("\ufe0e\ufe0f")
)
"""Suit symbols, black and white, mapped to letters; variation selectors are removed."""
_NO_MARKS = str.maketrans("", "", " -'")


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why a move is not allowed now: the rule's id, and a sentence with the relevant numbers.

    `facts` holds these numbers by name, for programs: {"strength": 5, "needed": 6}.
    """

    rule: str
    because: str
    facts: Mapping[str, Fact] = field(default=NO_FACTS, compare=False)

    def __str__(self) -> str:
        return f"{self.rule}: {self.because}"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a score: `count` things worth `each` points make `points`, by `rule`.

    `column` is its column, in a game whose score sheet has columns that are never added together; `row` is then its
    label without the column's name.
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
    """The score of one seat. A total always has its lines; `notes` are (rule, sentence) pairs about choices in it.

    `facts` holds other numbers that matter for this seat, by name: {"jokers": 2}.
    """

    seat: str
    lines: tuple[Line, ...]
    notes: tuple[tuple[str, str], ...] = ()
    facts: Mapping[str, Fact] = field(default=NO_FACTS, compare=False)

    @property
    def total(self) -> int:
        """Return the sum of all points. It is meaningless in a game with columns."""
        return sum(line.points for line in self.lines)

    @property
    def columns(self) -> dict[str, int]:
        """Return the total of every column, in the order of the lines; empty in a game without columns.

        Every column of the score sheet has a line, even for 0 points.
        """
        totals: dict[str, int] = {}
        for line in self.lines:
            if line.column:
                totals[line.column] = totals.get(line.column, 0) + line.points
        return totals


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a game: the names of the winning seats, perhaps none, and the rules that decided it.

    `steps` are (rule, sentence) pairs, in order, if the end of a game has several steps. `facts` holds the numbers
    behind it, by name. `places` holds the place of each seat in seat order, with the same number for tied seats, if the
    rules rank more than winners; `places_of` returns the places in every game.
    """

    winners: tuple[str, ...]
    rules: tuple[str, ...]
    because: str
    steps: tuple[tuple[str, str], ...] = ()
    facts: Mapping[str, Fact] = field(default=NO_FACTS, compare=False)
    places: tuple[int, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: its rule, a sentence, and who may read the sentence.

    `audience` is None if everyone may read it; otherwise the numbers of the seats that may. The others read `hint`, if
    there is one. `facts` holds what the sentence says, by name, for the same readers. An `idle` event says that
    something had no effect: simulations do not count it for its rule.
    """

    rule: str
    text: str
    audience: frozenset[int] | None = None
    hint: str = ""
    facts: Mapping[str, Fact] = field(default=NO_FACTS, compare=False)
    idle: bool = field(default=False, compare=False)

    def is_for(self, seat: int) -> bool:
        """Return whether a seat may read the sentence and its facts."""
        return self.audience is None or seat in self.audience

    def told(self, seat: int) -> str:
        """Return the sentence that a seat reads; "" if it learns nothing."""
        return self.text if self.is_for(seat) else self.hint

    @property
    def is_reason(self) -> bool:
        """Return whether it explains a decision rather than reporting something that happened: `before` is the number
        of candidates, `after` the number that remain, and `left` names them.
        """
        return self.facts.keys() >= REASON


@dataclass(frozen=True, slots=True)
class Tally:
    """What a simulation counts in a finished game and for each seat, in seat order.

    Words are counted: how often games end with each, and how often seats with each win. Whole numbers are added up. All
    games and all seats have the same keys. `trials` counts attempts made many times in a game: for a name and a word,
    the number of tries and of successes.
    """

    game: Mapping[str, str | int]
    seats: tuple[Mapping[str, str | int], ...]
    trials: Mapping[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)


def ranked(merits: Sequence[Any]) -> tuple[int, ...]:
    """Return the place of each seat by merit, greatest first: 1 plus the number of seats ahead of it.

    >>> ranked([13, 18, 18, 9])
    (3, 1, 1, 4)
    """
    return tuple([1 + sum(other > merit for other in merits) for merit in merits])


def places_of(result: Result, seats: Sequence[str]) -> dict[str, int]:
    """Return the place of each seat at the end of a game.

    If the rules name only winners, the winners share first place and all others share the next place. Nobody else can
    be first.

    >>> places_of(Result(("Ada",), (), ""), ["Ada", "Basil", "Cleo"])
    {'Ada': 1, 'Basil': 2, 'Cleo': 2}
    >>> places_of(Result((), (), ""), ["Ada", "Basil"])
    {'Ada': 2, 'Basil': 2}
    """
    last = max(1, len(result.winners)) + 1
    places = result.places or [1 if seat in result.winners else last for seat in seats]
    return dict(zip(seats, places, strict=True))


def tell(log: list[Event], rule: str, text: str, **facts: Fact) -> None:
    """Add to a log an event that everybody may read. In the names of facts, "_" becomes "-".

    >>> tell(log := [], "CAT-7", "Ada naps.", seat="Ada", so_long=2)
    >>> log[0].facts
    {'seat': 'Ada', 'so-long': 2}
    """
    log.append(Event(rule, text, facts=_by_name(facts)))


def tell_idle(log: list[Event], rule: str, text: str, **facts: Fact) -> None:
    """Add to a log, for everybody, an event that had no effect."""
    log.append(Event(rule, text, facts=_by_name(facts), idle=True))


def refuse(rule: str, because: str, **facts: Fact) -> Refusal:
    """Return a Refusal. In the names of facts, "_" becomes "-"."""
    return Refusal(rule, because, _by_name(facts))


def _by_name(facts: dict[str, Fact]) -> Mapping[str, Fact]:
    return {name.replace("_", "-"): fact for name, fact in facts.items()} if facts else NO_FACTS


def sentence(text: str) -> str:
    """Return text with its first letter capitalised."""
    return text[0].upper() + text[1:]


def typed(text: str) -> str:
    """Normalise typed text: capitals, spaces, a final full stop, punctuation, and suits as symbols or letters.


    >>> typed("  Re\\u2011Populate."), typed("O\\u2019Malley"), typed("10 \\u2660\\ufe0e")
    ('re-populate', "o'malley", '10 s')
    """
    plain = normalize("NFC", text).translate(_MARKS).translate(_SIGNS).lower()
    return " ".join(plain.rstrip().removesuffix(".").split())


def find_typed(text: str, known: Mapping[str, T], also: Mapping[str, str] = MappingProxyType({})) -> T | None:
    """Return the known value that a typed text means, ignoring spaces, hyphens and apostrophes if necessary.

    `also` holds synonyms for the first words of known texts.

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
    """A line of notation that is not accepted. Only its subclasses are raised."""


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
    """The text begins with a complete legal line and goes on. No rule refuses the rest, which is not checked."""

    def __init__(self, left: str, count: int, next_: str) -> None:
        super().__init__(f'"{left}" goes too far: the line ends before it, and then {next_}')
        self.left = left
        """The first small move after the end of the line."""
        self.count = count
        """The number of moves before it."""
        self.next = next_
        """What comes after the line, as a sentence."""
