"""Kinds of fields used only in Curses & Covens: their shapes in records, and how they are read."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Unpack

from grimalkin.engine import kinds
from grimalkin.engine.kinds import Each, How, Items, Names, Seat, Start, Values, Word, in_order
from grimalkin.engine.loading import Laying
from grimalkin.engine.shape import Choice, Listing, Misfit, Path, Record, Shape, Text
from grimalkin.engine.words import find_typed, listed, typed
from grimalkin.games.curses_and_covens.facts import HUNTER, Box, Row
from grimalkin.problems import did_you_mean

R = TypeVar("R")
T = TypeVar("T")


class Named(Word, Generic[R]):
    """A row of a table, identified by its word. None, or a row without a word, is never written."""

    def __init__(self, rows: Mapping[str, Row], first: Row | None, about: str, **how: Unpack[How]) -> None:
        super().__init__(tuple(rows), 0, about, **how)
        self.rows, self.first = rows, first

    def written(self, value: Any, names: Names) -> str:
        return value.word  # type: ignore[no-any-return]  # a row's

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> Any:
        return self.rows[value]

    if TYPE_CHECKING:

        def __get__(self, owner: object, of: object = None) -> R: ...  # type: ignore[override]  # more than a number

        def __set__(self, owner: object, value: R) -> None: ...  # type: ignore[override]


class Town(Seat):
    """A town, or nobody."""

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> int:
        """Return the town with a name; for a name that is no town's, add a misfit and return the first town."""
        seat, names = reading.number(value, at), reading.state.seats
        if seat == HUNTER and value in names:
            reading.wrong(at, f"{value} is the Witch Hunter, not a town", f"the towns are {listed(names[1:])}")
        return seat or 1


class Memories(Items[T | None]):
    """By seat: what it has worked out so far, or None. Copies begin without it."""

    def begins(self) -> Callable[[Start], list[T | None]]:
        return lambda start: [None] * len(start.seats)

    def copied(self) -> Callable[[list[T | None]], list[T | None]]:
        return lambda values: [None] * len(values)


# Cards


@dataclass(frozen=True)
class _CardShape(Choice):
    """The id of a card. If the name was written instead, the hint gives the id."""

    places: Mapping[str, int] = field(default_factory=dict)
    """Cards, as indices in `words`, by every name that they have in a line."""

    def _read(self, value: object, at: Path, misfits: list[Misfit]) -> Any:
        if isinstance(value, str) and value not in self.words:
            card = find_typed(typed(value), self.places)
            hint = did_you_mean(value, self.words) or f"a card is written like {self.words[0]}"
            if card is not None:
                hint = f"write {self.words[card]}"
            misfits.append(Misfit(at, f'"{value}" is no card of this game', hint))
            return value
        return super()._read(value, at, misfits)


def card(box: Box, about: str = "The id of a card.") -> Shape:
    return _CardShape(tuple(box.ids), about, places=box.places)


def cards(box: Box, about: str) -> Shape:
    return Listing(card(box), describe=about)


class Card(kinds.Card):
    """One card."""

    def shape(self, box: Box) -> Shape:
        return card(box, self.about)


class Pile(kinds.Pile):
    """Cards in an order."""

    def shape(self, box: Box) -> Shape:
        return cards(box, self.about)


class Deck(Values[str]):
    """The ids of cards in no particular order; initially, those of all cards."""

    def begins(self) -> Callable[[Start], list[str]]:
        return lambda start: start.box.ids[:]

    def frozen(self) -> Callable[[list[str]], Hashable]:
        return in_order

    def shape(self, box: Box) -> Shape:
        return cards(box, self.about)


class Front(Pile):
    """Cards in front of the Witch Hunter, recorded with that seat."""

    by_seat = True

    def write(self, of: Any, into: dict[str, Any], names: Names, seat: int) -> None:
        if seat == HUNTER:
            self.put(getattr(of, self.name), into, names)


class Hands(Each[list[int]]):
    """By seat: the cards in hand. The Witch Hunter's hand is not written."""

    def __init__(self, about: str, **how: Unpack[How]) -> None:
        super().__init__(Pile(about), **how)

    def write(self, of: Any, into: dict[str, Any], names: Names, seat: int) -> None:
        if seat != HUNTER:
            self.inner.put(getattr(of, self.name)[seat], into, names)


class Taken(Card):
    """A card, in records together with the town it was taken from, which is a separate field."""

    def write(self, of: Any, into: dict[str, Any], names: Names, seat: int) -> None:
        if of.taken != self.first:
            into[self.key] = {"card": names.ids[of.taken], "from": names.seats[of.taken_from]}

    def shape(self, box: Box) -> Shape:
        return Record({"card": card(box), "from": Text("The name of a town.")}, {}, self.about)

    def lay(self, into: Any, record: Mapping[str, Any], at: Path, reading: Laying, whose: str = "") -> None:
        if self.key in record:
            taken = record[self.key]
            into.taken = reading.piece(taken["card"], (self.key, "card"), self.place)
            into.taken_from = Town().read(taken["from"], (self.key, "from"), reading)
