"""Kinds of fields that only this game has: squares, figures by name, pieces that may occur several times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Generic, TypeVar, Unpack

from grimalkin.engine.kinds import How, Kind, Own, Pile, Row, Seat
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


class Unseen(Own[T]):
    """A field that is in no record: it follows from the others, or is over before a position is written."""

    def __init__(self, first: str, copied: str = "{}", frozen: str = "{}", **how: Unpack[How]) -> None:
        super().__init__(first=first, copied=copied, frozen=frozen, **how)


class Beside(Unseen[T]):
    """A field about the game rather than of it: it is not part of the key."""

    in_key = False


class Square(Kind[int]):
    """A square of the map, NOWHERE at first."""

    first = str(NOWHERE)
    squares = SQUARES

    def written(self, x: str) -> str:
        return f'{self.own}.squares[{x}] if {x} >= 0 else ""'

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

    first = "{}"
    squares = SQUARES

    def copied(self, x: str) -> str:
        return f"{x}.copy()"

    def frozen(self, x: str) -> str:
        return f"tuple(sorted({x}.items()))"

    def written(self, x: str) -> str:
        return f"{{{self.own}.squares[at]: {x}[at] for at in sorted({x})}}"

    def lines(self, x: str, into: str) -> list[str]:
        return [f"if {x}: {into}[{self.key!r}] = {self.written(x)}"]


class SquareNumbers(BySquare[int]):
    """Numbers by square."""

    def shape(self, box: Any) -> Shape:
        return Table(Whole(), describe=self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> dict[int, int]:
        square = Square()
        return {square.read(name, (*at, name), reading): number for name, number in value.items()}


class SquareCards(BySquare[list[int]]):
    """Cards by square, in the order of the cards."""

    def copied(self, x: str) -> str:
        return f"{{at: list(cards) for at, cards in {x}.items()}} if {x} else {{}}"

    def frozen(self, x: str) -> str:
        return f"tuple((at, tuple({x}[at])) for at in sorted({x}))"

    def written(self, x: str) -> str:
        return f"{{{self.own}.squares[at]: [ids[card] for card in {x}[at]] for at in sorted({x})}}"

    def shape(self, box: Any) -> Shape:
        return Table(Listing(Choice(tuple(box.ids[card] for card in box.loot))), describe=self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> Any:
        square = Square()
        return {
            square.read(name, (*at, name), reading): sorted(reading.pieces(cards, (*at, name), ""))
            for name, cards in value.items()
        }


class SquareList(Kind[list[int]]):
    """Squares in order; a square may occur several times."""

    first = "[]"
    told = True
    squares = SQUARES

    def copied(self, x: str) -> str:
        return f"{x}[:]"

    def frozen(self, x: str) -> str:
        return f"tuple({x})"

    def written(self, x: str) -> str:
        return f"[{self.own}.squares[at] for at in {x}]"

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


class Lasting(Kind[list[Effect]]):
    """Effects that last for a time."""

    first = "[]"

    def copied(self, x: str) -> str:
        return f"{x}[:]"

    def frozen(self, x: str) -> str:
        return f"tuple({x})"

    def written(self, x: str) -> str:
        each = '{"until": until, "hero": hero, "card": ids[card], "sentence": number}'
        return f"[{each} for until, hero, card, number in {x}]"

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

    def written(self, x: str) -> str:
        return f"{{each.name: {self.inner.written('each')} for each in {x}}}"

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
