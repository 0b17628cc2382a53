"""Kinds of fields that only this game has: squares, figures by name, pieces that may occur several times."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final, Generic, TypeVar, Unpack

from grimalkin.engine.kinds import How, Kind, Names, Pile, Plain, Row, Seat, Values, in_order
from grimalkin.engine.loading import Laying
from grimalkin.engine.shape import Choice, Listing, Path, Record, Shape, Table, Text, Whole
from grimalkin.engine.state import One, Part
from grimalkin.games.cats_of_new_orleans.numbers import NOWHERE, STRIDE_OF_SQUARES

T = TypeVar("T")
P = TypeVar("P", bound=Part[Any])

MOST_ROWS: Final = 40
MOST_PIECES: Final = 120
"""Limit for any one place: more than all poker cards or all Loot."""


def column_name(column: int) -> str:
    """Return the name of a column: a to z, then aa."""
    return chr(97 + column) if column < 26 else "a" + chr(97 + column - 26)


SQUARES: Final = tuple(
    f"{column_name(column)}{row + 1}" for row in range(MOST_ROWS) for column in range(STRIDE_OF_SQUARES)
)
"""The name of every square that a map can have, by its number."""
NUMBERS: Final = {name: number for number, name in enumerate(SQUARES)}


class Deck(Values[int]):
    """Cards in no order, which are in no record: they follow from the other fields."""

    def frozen(self) -> Callable[[list[int]], Hashable]:
        return in_order


class Log(Plain[T | None]):
    """What happens, if anybody wants to know. Copies have none."""

    def __init__(self) -> None:
        super().__init__(None)

    def copied(self) -> Callable[[T | None], T | None]:
        return lambda _log: None


class Square(Kind[int]):
    """A square of the map, NOWHERE at first."""

    first = NOWHERE

    def written(self, value: int, names: Names) -> str:
        return SQUARES[value] if value >= 0 else ""

    def shape(self, box: Any) -> Shape:
        return Text(self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> int:
        if value == "":
            return NOWHERE
        square = NUMBERS.get(value.strip().lower(), NOWHERE)
        if square < 0:
            reading.wrong(at, f'"{value}" is not a square', "write it like c3")
        return square


class BySquare(Kind[dict[int, T]]):
    """Values by square; squares without one are left out."""

    first: Mapping[int, T] = {}

    def copied(self) -> Callable[[dict[int, T]], dict[int, T]]:
        return dict.copy

    def frozen(self) -> Callable[[dict[int, T]], Hashable]:
        return lambda values: tuple(sorted(values.items()))

    def written(self, value: dict[int, T], names: Names) -> dict[str, Any]:
        return {SQUARES[at]: value[at] for at in sorted(value)}


class SquareNumbers(BySquare[int]):
    """Numbers by square."""

    def shape(self, box: Any) -> Shape:
        return Table(Whole(), describe=self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> dict[int, int]:
        square = Square()
        return {square.read(name, (*at, name), reading): number for name, number in value.items()}


class SquareCards(BySquare[list[int]]):
    """Cards by square, in the order of the cards."""

    def copied(self) -> Callable[[dict[int, list[int]]], dict[int, list[int]]]:
        return lambda values: {at: list(cards) for at, cards in values.items()} if values else {}

    def frozen(self) -> Callable[[dict[int, list[int]]], Hashable]:
        return lambda values: tuple([(at, tuple(values[at])) for at in sorted(values)])

    def written(self, value: dict[int, list[int]], names: Names) -> dict[str, Any]:
        return {SQUARES[at]: [names.ids[card] for card in value[at]] for at in sorted(value)}

    def shape(self, box: Any) -> Shape:
        return Table(Listing(Choice(tuple(box.ids[card] for card in box.loot))), describe=self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> Any:
        square = Square()
        return {
            square.read(name, (*at, name), reading): sorted(reading.pieces(cards, (*at, name), ""))
            for name, cards in value.items()
        }


class SquareList(Values[int]):
    """Squares in order; a square may occur several times."""

    told = True

    def written(self, value: list[int], names: Names) -> list[str]:
        return [SQUARES[at] for at in value]

    def shape(self, box: Any) -> Shape:
        return Listing(Text(), describe=self.about, told=self.told)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> list[int]:
        square = Square()
        return [square.read(name, (*at, index), reading) for index, name in enumerate(value)]


class Trail(SquareList):
    """Squares that are not part of the table and are not described in words."""

    told = False


class Cards(Pile):
    """Pieces that may occur several times, in the order of their numbers; left out if there are none."""

    always = False

    def shape(self, box: Any) -> Shape:
        return some_of(self, box)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> list[int]:
        return sorted(self._pieces(value, at, reading, whose))


class Ordered(Pile):
    """Pieces in an order that matters; left out if there are none."""

    always = False

    def shape(self, box: Any) -> Shape:
        return some_of(self, box)


def some_of(kind: Pile, box: Any) -> Shape:
    """Return the shape of a list of pieces, no longer than the box can fill."""
    return Listing(Choice(tuple(kind.ids(box))), most=MOST_PIECES, describe=kind.about)


Effect = tuple[str, str, int, int]
"""An effect that lasts for a time: until when, whose, the number of the card, and which of its sentences."""
UNTIL: Final = ("activation", "round", "next-hero-turn", "scenario")


class Lasting(Values[Effect]):
    """Effects that last for a time."""

    def written(self, value: list[Effect], names: Names) -> list[dict[str, Any]]:
        return [
            {"until": until, "hero": hero, "card": names.ids[card], "sentence": number}
            for until, hero, card, number in value
        ]

    def shape(self, box: Any) -> Shape:
        heroes = Choice(tuple(box.ids[hero] for hero in box.hero_numbers))
        said = {card: len(box.abilities(card)) for card in (*box.hero_numbers, *box.skills, *box.loot)}
        cards = Choice(tuple(box.ids[card] for card, count in said.items() if count))
        one = Record({"until": Choice(UNTIL), "hero": heroes, "card": cards}, {"sentence": Whole(0)})
        return Listing(one, describe=self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> list[Effect]:
        box, found = reading.state.box, []
        for index, one in enumerate(value):
            card, number = box.numbers[one["card"]], one.get("sentence", 0)
            if number >= len(box.abilities(card)):
                reading.wrong((*at, index, "sentence"), f"{one['card']} has no sentence {number}", "count from 0")
            found.append((one["until"], one["hero"], card, number))
        return sorted(found)


class Seated(Seat):
    """The seat that a hero belongs to."""

    always = True


class ByName(Row[P], Generic[P]):
    """Parts with names, which are the keys of the record."""

    def __init__(self, part: type[P], about: str, **how: Unpack[How]) -> None:
        super().__init__(One(part), about, **how)

    def written(self, value: list[P], names: Names) -> dict[str, Any]:
        return {part.name: part.record(names) for part in value}  # type: ignore[attr-defined]  # a part with a name

    def shape(self, box: Any) -> Shape:
        return Table(self.inner.shape(box), describe=self.about)

    def read(self, value: Mapping[str, Any], at: Path, reading: Laying, whose: str = "") -> list[P]:
        found = []
        for name, record in value.items():
            part = self.inner.read(record, (*at, name), reading, whose)
            part.name = name  # type: ignore[attr-defined]  # a part with a name
            found.append(part)
        return found


def record_of(shape: Shape) -> Record:
    """Return a shape that is known to be a record."""
    assert isinstance(shape, Record)
    return shape
