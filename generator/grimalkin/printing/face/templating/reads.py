"""What templates read of a game, so that a drawing made before still stands if all of that is unchanged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from grimalkin.source.reuse import Reuse, key_of
from grimalkin.source.tables import Number

WHOLE = "*"
"""Stands for all columns of a row."""
WORDS = "[["
"""Stands for the words behind references in texts, as if it were a name that a template looked up."""


class Reads:
    """The cells of components, as id and column, and the names that templates have read since the notes began."""

    def __init__(self) -> None:
        self.cells: set[tuple[str, str]] = set()
        self.names: set[str] = set()

    def add(self, other: Reads) -> None:
        self.cells |= other.cells
        self.names |= other.names

    @contextmanager
    def noted(self) -> Iterator[Reads]:
        """Note what is read in a block. What is read in a block inside it counts for both."""
        before = self.cells, self.names
        here = Reads()
        self.cells, self.names = here.cells, here.names
        try:
            yield here
        finally:
            self.cells, self.names = before
            self.add(here)

    def plain(self) -> list[Any]:
        """Return the notes as plain data, which `values_of` understands."""
        rows: dict[str, list[str]] = {}
        for id_, column in sorted(self.cells):
            rows.setdefault(id_, []).append(column)
        return [rows, sorted(self.names)]


class Row(dict[str, Any]):
    """A component as templates see it. Whoever reads a cell is noted, however it is read."""

    __slots__ = ("id", "reads")

    def __init__(self, values: Mapping[str, Any], reads: Reads) -> None:
        super().__init__(values)
        self.id: str = values["id"]
        self.reads = reads

    def __getitem__(self, column: str) -> Any:
        self.reads.cells.add((self.id, column))
        return super().__getitem__(column)

    def get(self, column: str, default: Any = None) -> Any:
        self.reads.cells.add((self.id, column))
        return super().get(column, default)

    def __contains__(self, column: object) -> bool:
        self.reads.cells.add((self.id, WHOLE))
        return super().__contains__(column)

    def _whole(self) -> None:
        self.reads.cells.add((self.id, WHOLE))

    def __iter__(self) -> Iterator[str]:
        self._whole()
        return super().__iter__()

    def keys(self) -> Any:
        self._whole()
        return super().keys()

    def values(self) -> Any:
        self._whole()
        return super().values()

    def items(self) -> Any:
        self._whole()
        return super().items()

    def __eq__(self, other: object) -> bool:
        self._whole()
        if isinstance(other, Row):
            other._whole()
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None


class Standing:
    """Earlier results that still stand, since everything that templates read for them is unchanged.

    `rows` are the components as templates see them, and `shared` are the values by the names that they look up. Of the
    decks, only the order of the components counts as read by name: their cells are noted one by one.
    """

    def __init__(self, reuse: Reuse, rows: Mapping[str, dict[str, Any]], shared: Mapping[str, Any]) -> None:
        self.reuse, self.rows, self.shared = reuse, rows, shared
        self.now: dict[str, str] = {}
        """The values of what was read, by the key of the notes."""

    def find(self, key: str) -> Any:
        """Return what was noted about a result, if it stands."""
        made = self.reuse.known.get(key)
        if made is None or self._value(made["reads"], *self.reuse.known[made["reads"]]) != made["values"]:
            return None
        self.reuse.find(made["reads"])
        return self.reuse.find(key)

    def note(self, key: str, reads: Reads, made: dict[str, Any]) -> dict[str, Any]:
        """Note a result, and what was read for it."""
        plain = reads.plain()
        notes = key_of("reads", plain)
        self.reuse.note(notes, plain)  # many results have read the same
        made |= {"reads": notes, "values": self._value(notes, *plain)}
        self.reuse.note(key, made)
        return made

    def _value(self, notes: str, cells: Mapping[str, list[str]], names: list[str]) -> str:
        """Return a digest of what was read, as it is now. `notes` is the key of the notes about it."""
        if notes in self.now:
            return self.now[notes]
        now: dict[str, Any] = {}
        for id_, columns in cells.items():
            row = {column: _spelled(cell) for column, cell in dict.items(self.rows.get(id_, {}))}
            now[id_] = row if WHOLE in columns else [row.get(column, _NOTHING) for column in columns]
        decks = self.shared["decks"].items() if "decks" in names else ()
        lists = {deck: [dict.get(row, "id") for row in some] for deck, some in decks}
        others = {name: self.shared.get(name, _NOTHING) for name in names if name != "decks"}
        self.now[notes] = key_of(now, lists, others)
        return self.now[notes]


def _spelled(cell: Any) -> Any:
    """Return a cell, for a number with its spelling: templates print 7.5% and 0.075 differently."""
    return [float(cell), cell.spelling] if isinstance(cell, Number) else cell


_NOTHING = ["nothing"]
"""Stands for a column or a name that does not exist. No cell is a list of this kind."""
