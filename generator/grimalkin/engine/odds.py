"""Odds: what an engine can calculate about attempts decided by chance, exactly and in charts.

A game module may offer `odds(facts)`: the Odds, with the names of everything one can ask about and a function that
answers. It may offer `expected(facts, piece)`: numbers about a piece, such as the average result of its attacks. And it
may offer `CHARTS`: functions, by name, that make a chart from the game's facts: shares plotted over marks, in panels
that share their axes. Titles and drawing are up to the page. All of this is optional, since few games have odds that
can be calculated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from grimalkin.engine.contract import Facts, GameModule

if TYPE_CHECKING:
    from fractions import Fraction


# Numbers about a piece


class Expected(NamedTuple):
    """A number that was calculated exactly."""

    what: str
    """The head of its column, in a word or two."""
    value: Fraction
    is_share: bool = False
    """Whether it is a share of all cases, shown in percent."""
    of: str = ""
    """The attack or similar that it is about, if the piece has several."""


Counting = Callable[[Facts, str], Sequence[Expected]]
"""The function `expected` of a game; it takes the id of a piece."""


def find_expected(game: GameModule) -> Counting | None:
    """Return the function that calculates what pieces are good for; None if the game has none."""
    found: Counting | None = getattr(game, "expected", None)
    return found


# Attempts


class Attempt(NamedTuple):
    """Something that may succeed, such as an attack."""

    id: str
    name: str
    piece: str
    """The id of its component, which may have several attempts."""
    told: str
    """Its numbers, in words."""
    group: str
    """Its group: the title of a page."""
    targets: tuple[str, ...]
    """The ids of its possible targets."""
    plain: str
    """The id of a target that does not affect the odds."""


class Target(NamedTuple):
    """A target of attempts."""

    id: str
    name: str
    piece: str
    left: int = 0
    """How much damage it can take, such as its Health; 0 if that does not matter."""
    told: str = ""
    """What matters about it, in a few words."""


class Circumstance(NamedTuple):
    """A condition that makes an attempt harder or easier."""

    id: str
    name: str
    told: str
    """What it does, in a few words."""
    rule: str


class Card(NamedTuple):
    """A kind of card that chance draws; cards of one kind, such as those of one value, are equal for every attempt."""

    id: str
    name: str
    pieces: tuple[tuple[str, ...], ...]
    """Its single cards, each with its names: the id of the component and its notation."""
    in_deck: int
    """The number of these cards in the full deck."""
    can_be_held: bool
    """Whether a player may hold one, to use in place of a drawn card."""


class Case(NamedTuple):
    """A question: an attempt, its target and the circumstances. Cards are named by the ids of their kinds."""

    attempt: str
    target: str
    modifier: int = 0
    """A modifier in addition to those of the circumstances, the attempt and the target."""
    circumstances: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    """Cards that cannot be drawn because they are face up."""
    held: tuple[str, ...] = ()
    left: int = 0
    """How much damage the target can still take; 0 means as much as at first."""


class Answer(NamedTuple):
    """The odds of a case."""

    modifier: int
    """The sum of all modifiers."""
    added: tuple[tuple[str, int], ...]
    """Each modifier, with its rule."""
    numbers: tuple[Expected, ...]
    """The odds without the held cards."""
    held: tuple[Expected, ...] = ()
    """The same numbers, each with the best use of the held cards; empty if there are none."""
    remarks: tuple[tuple[str, str], ...] = ()
    """Other influences on the numbers: sentences, with their rules."""


@dataclass(frozen=True, slots=True)
class Odds:
    """Everything that can be asked about a game."""

    title: str
    """Its subject, as a heading."""
    text: str
    """The meaning of the numbers in a sentence or two, using the words that people would search for."""
    attempts: tuple[Attempt, ...]
    targets: tuple[Target, ...]
    circumstances: tuple[Circumstance, ...]
    cards: tuple[Card, ...]
    most_held: int
    modifiers: range
    """The modifiers worth showing; other values may be given."""
    answer: Callable[[Case], Answer]
    line: str
    """The number that charts draw as a line."""
    areas: tuple[str, ...]
    """The numbers that pictures draw as areas, each within the one before: at least one, at least two. The first means
    success."""
    notes: tuple[tuple[tuple[str, ...], str], ...] = ()
    """Assumptions: sentences, with their rules."""

    def attempts_of(self, id_: str) -> list[Attempt]:
        """Return the attempt with this id, or all attempts of the piece with this id."""
        return [one for one in self.attempts if one.id == id_] or [one for one in self.attempts if one.piece == id_]

    def target(self, id_: str) -> Target:
        return next(one for one in self.targets if one.id == id_)

    def alike(self, attempt: Attempt) -> list[tuple[Target, ...]]:
        """Return the targets of an attempt, grouped by equal odds."""
        found: dict[tuple[object, ...], list[Target]] = {}
        for id_ in attempt.targets:
            one = self.target(id_)
            found.setdefault((one.told, one.left), []).append(one)
        return [tuple(several) for several in found.values()]


class Unread(NamedTuple):
    """A word that names no card, or too many cards of a kind."""

    word: str
    because: str


def read_cards(
    odds: Odds, words: Iterable[str], *, held: bool = False, before: Sequence[str] = ()
) -> tuple[tuple[str, ...], list[Unread]]:
    """Return the kinds of cards that some words name, and the words that name none.

    A word is the id of a kind, or of one of its cards. `before` are words that name other cards.
    """
    found: list[str] = []
    wrong: list[Unread] = []
    single: set[tuple[str, ...]] = set()
    counts: dict[str, int] = {}
    for number, word in enumerate([*before, *words]):
        card, piece = _find_card(odds, word)
        because = ""
        if card is None:
            because = f'there is no card "{word}"'
        elif held and not card.can_be_held:
            because = f"{card.name} cannot be held"
        elif piece and piece in single:
            because = f"{word} is named twice"
        elif counts.get(card.id, 0) >= (len(card.pieces) if held else card.in_deck):
            because = f"there are no more of {card.name}" if counts.get(card.id) else f"{card.name} is not in the deck"
        if number >= len(before) and because:
            wrong.append(Unread(word, because))
        elif card is not None:
            single.add(piece)
            counts[card.id] = counts.get(card.id, 0) + 1
            if number >= len(before):
                found.append(card.id)
    return tuple(found), wrong


def _find_card(odds: Odds, word: str) -> tuple[Card | None, tuple[str, ...]]:
    """Return the kind that a word names, and the card if it names a single one."""
    word = word.lower()
    for card in odds.cards:
        if word == card.id.lower():
            return card, ()
        for piece in card.pieces:
            if word in map(str.lower, piece):
                return card, piece
    return None, ()


OddsOf = Callable[[Facts], Odds]
"""The function `odds` of a game."""


def find_odds(game: GameModule | None) -> OddsOf | None:
    """Return the function that calculates odds; None if the game has none, or no engine."""
    found: OddsOf | None = getattr(game, "odds", None)
    return found if callable(found) else None  # a package may contain a module of that name


# Charts


@dataclass(frozen=True, slots=True)
class Point:
    """A share from 0 to 1. A measured share has its interval and its number of tries."""

    share: float
    low: float | None = None
    high: float | None = None
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Series:
    """Shares of one kind: for each part, such as a suit, one for each mark, or None.

    A series that is not drawn appears only in the table.
    """

    name: str
    parts: Mapping[str, tuple[Point | None, ...]]
    drawn: bool = True

    def at(self, mark: int) -> list[Point]:
        """Return the shares of all parts at the mark with this index."""
        return [point for points in self.parts.values() if (point := points[mark])]

    def middle(self, mark: int) -> float | None:
        """Return the combined share of all parts: each try has the same weight, and so does each share that was not
        measured."""
        points = self.at(mark)
        tries = sum(point.tries or 1 for point in points)
        return sum(point.share * (point.tries or 1) for point in points) / tries if points else None


@dataclass(frozen=True, slots=True)
class Panel:
    """Series to compare. Every panel of a chart has the same series in the same order."""

    title: str
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Panels over the same marks. `across` names the marks.

    `lesson` and `notes` say what it shows: half a sentence, and a conclusion for each panel.
    """

    across: str
    marks: tuple[str, ...]
    panels: tuple[Panel, ...]
    lesson: str = ""
    notes: tuple[str, ...] = ()


Charts = Mapping[str, Callable[[Facts], Chart]]


def charts_of(module: GameModule) -> Charts:
    """Return the charts that a game module can make, by name; none if it has no CHARTS."""
    charts: Charts = getattr(module, "CHARTS", {})
    return charts
