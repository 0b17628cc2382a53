"""The shape of what an example expects: facts written beside a script, to be compared with what happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from grimalkin.engine.shape import Choice, Listing, Path, Record, Shape, Table, Text, Whole, YesNo, part_of

_SEEN = 'By seat: part of a position as that seat knows it, if the game can say. "?" is a piece that it cannot name.'


def facts_shape(seats: Sequence[str] | None = None, position: Shape | None = None) -> Record:
    """Return the shape of `expect` and `check`, given the seats and the shape of a game's positions."""
    part = "Part of a position; what is written must be there, and the rest is ignored."
    names = None if seats is None else tuple(seats)
    seat: Shape = Text("A seat's name.") if names is None else Choice(names, "A seat's name.")
    line = Record(
        {"rule": Text("Id of the rule that gives the points."), "points": Whole(-9999)},
        {
            "seat": seat,
            "label": Text("What is counted."),
            "count": Whole(),
            "each": Whole(-9999),
            "column": Text("The column of the score sheet."),
        },
    )
    return Record(
        {},
        {
            "refused": Text("Id of the rule that must refuse the last line."),
            "to-act": seat,
            "over": YesNo("Whether the game has ended."),
            "score": Table(
                Total(), names, "Total by seat; in a game whose score sheet has columns, some of them: {clubs: 3}."
            ),
            "lines": Listing(line, describe="Score lines that must be there."),
            "winners": Listing(seat, describe="Names of the winning seats, in seat order."),
            "legal": Listing(Text(), describe="Small moves that are legal now."),
            "only": Listing(Text(), describe="Exactly the small moves that are legal now, in any order."),
            "illegal": Table(Text("Id of the rule."), describe="Small moves that are refused now, each with its rule."),
            "fires": Listing(Text(), describe="Rules that must have made something happen by now."),
            "position": Anything(part) if position is None else part_of(position),
            "seen": Table(
                Anything("As in a position.") if position is None else _with_unknowns(position), names, _SEEN
            ),
        },
    )


def _with_unknowns(shape: Shape) -> Shape:
    """Return the shape of a position in which any value may be unknown; values are compared with computed ones."""
    if isinstance(shape, Record):
        return Record({}, {key: _with_unknowns(inner) for key, inner in shape.known.items()}, shape.describe)
    if isinstance(shape, Table) and isinstance(shape.each, Record):
        return replace(shape, each=_with_unknowns(shape.each), listed=None)
    return Anything('As in a position, with "?" for what is unknown.', "")


class Total(Shape):
    """The points of a seat: one number, or numbers by column."""

    def _read(self, value: object, at: Path, misfits: list[Any]) -> Any:
        shape: Shape = Table(Whole(-9999)) if isinstance(value, Mapping) else Whole(-9999)
        return shape._read(value, at, misfits)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [Whole(-9999).schema(), Table(Whole(-9999)).schema()]}


class Anything(Shape):
    """A value of any shape, since it is compared with a computed one."""

    def __init__(self, describe: str, kind: str = "object") -> None:
        self.describe = describe
        self.kind = {"type": kind} if kind else {}

    def _read(self, value: object, at: Path, misfits: list[Any]) -> Any:
        return value

    def schema(self) -> dict[str, Any]:
        return {**self.kind, "description": self.describe}
