"""A sheet of a workbook while it is being read."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

from grimalkin.source.tables.cells import Cell
from grimalkin.source.tables.grid import MOST_CELLS, MOST_ROWS
from grimalkin.source.tables.package import Unreadable

MOST_MERGED = 10_000
Area = tuple[int, int, int, int]
"""The first row and column of some merged cells, then the last row and column."""


@dataclass(slots=True)
class Sheet:
    """A sheet, with its filled cells by row, from 1, and column, from 0.

    `zeros` are formulas with the value 0, which perhaps were never calculated.
    """

    name: str
    is_hidden: bool
    rows: dict[int, dict[int, Cell]] = field(default_factory=dict)
    merged: list[Area] = field(default_factory=list)
    hidden_rows: set[int] = field(default_factory=set)
    zeros: list[tuple[int, int]] = field(default_factory=list)
    filled: int = 0

    def put(self, row: int, column: int, cell: Cell) -> None:
        """Fill a cell. Raises Unreadable if there are too many."""
        if cell in (None, ""):
            return
        self.filled += 1
        self.rows.setdefault(row, {})[column] = cell
        if len(self.rows) > MOST_ROWS:
            raise Unreadable(f'the sheet "{self.name}" has more than {MOST_ROWS:,} rows')
        if self.filled > MOST_CELLS:
            raise Unreadable(f'the sheet "{self.name}" has more than {MOST_CELLS:,} cells')

    def merge(self, area: Area) -> None:
        """Note merged cells. Raises Unreadable if there are too many."""
        if len(self.merged) >= MOST_MERGED:
            raise Unreadable(f'the sheet "{self.name}" has more than {MOST_MERGED:,} merged areas')
        self.merged.append(area)

    def spread(self) -> None:
        """Give every filled row of a merged area the value of its first cell; drop the cells that the area covers."""
        numbers = sorted(self.rows)
        steps = 0
        for top, left, bottom, right in self.merged:
            value = self.rows.get(top, {}).get(left)
            for number in numbers[bisect_left(numbers, top) :]:
                steps += 1
                if number > bottom or steps > MOST_CELLS:
                    break
                cells = self.rows[number]
                for column in [at for at in cells if left <= at <= right]:
                    del cells[column]
                if value is not None:
                    cells[left] = value
        self.rows = {number: cells for number, cells in self.rows.items() if cells}
