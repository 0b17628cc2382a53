"""Make a Table from the rows of a file: find its header, and drop blank rows and columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from grimalkin.problems import Place, Problem, Problems, shown_path
from grimalkin.problems.plain import listed, plural
from grimalkin.source.tables.cells import Cell, Fault

MOST_ROWS = 50_000
MOST_COLUMNS = 500
MOST_CELLS = 1_000_000
"""The most cells in a table, including empty ones."""
MOST_LISTED = 8
HEADER_WITHIN = 20
"""The number of filled rows, from the top, that are searched for the header."""
USUAL = frozenset({"name", "cardname", "card", "title", "id", "count", "qty", "quantity", "copies", "amount", "text"})
"""Folded words that occur in the headers of most decks."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table as the file has it: each of `rows` has a cell for each of `columns`.

    Columns keep their names as written, or "" if they have none. `decimal` is the decimal sign of its texts.
    `remarks` are for the author of the table; they are not problems. `lines` holds the numbers of the rows, and
    `header` that of the header: lines of the file, rows of the sheet, or items, as `counts` says. `at` holds the
    indices of the columns in the file, from 0.
    """

    path: Path
    sheet: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    remarks: tuple[Problem, ...] = ()
    decimal: str = "."
    lines: tuple[int, ...] = ()
    header: int = 0
    at: tuple[int, ...] = ()
    counts: str = "line"

    def place(self, row: int | None = None, column: int | None = None) -> Place:
        """Return the place of a row, a column's header or a cell, or of the table if both are None."""
        number = self.header if row is None else self.lines[row]
        if self.counts == "row":
            cell = f"cell {letters(self.at[column])}{number}" if column is not None else f"row {number}"
            whole = row is None and column is None
            return Place(shown_path(self.path), number, f"sheet {self.sheet}" + ("" if whole else f", {cell}"))
        return Place(shown_path(self.path), number, f"item {number}" if self.counts == "item" and number else "")


def letters(column: int) -> str:
    """Return the letters of a column in a spreadsheet; columns are counted from 0.

    >>> letters(2), letters(26), letters(16383)
    ('C', 'AA', 'XFD')
    """
    found = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        found = chr(ord("A") + digit) + found
    return found


@lru_cache(maxsize=1000)
def column_of(name: str) -> int:
    """Return the number of the column with these letters. The inverse of `letters`.

    >>> column_of("C"), column_of("AA")
    (2, 26)
    """
    column = 0
    for letter in name:
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a file: its number, its filled cells, and its width including empty cells, if known."""

    number: int
    cells: Mapping[int, Cell]
    width: int = 1 << 14


def fold(name: str) -> str:
    """Return a header in lower case, without spaces and punctuation.

    >>> fold("Card Name"), fold("rules_text")
    ('cardname', 'rulestext')
    """
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def make_table(
    path: Path,
    sheet: str,
    rows: Sequence[Row],
    problems: Problems,
    known: Collection[str] = (),
    counts: str = "line",
    header: int | None = None,
    remarks: Sequence[Problem] = (),
    decimal: str = ".",
    delimiter: str = "comma",
) -> Table | None:
    """Make a table from the filled rows of a file; `header` is the index of its header, if the caller knows it."""
    at = find_header(rows, known) if header is None else header
    names = {index: _name(cell) for index, cell in rows[at].cells.items()}
    body = [row for row in rows[at + 1 :] if row.cells]
    used = sorted(names.keys() | {index for row in body for index in row.cells if index < rows[at].width})
    table = Table(path, sheet, (), (), lines=(), header=rows[at].number, at=tuple(used), counts=counts)
    if _is_too_large(len(body), len(used), table.place(), problems):
        return None
    fitting = _without_misfits(body, rows[at].width, table, delimiter, problems)
    columns = tuple(names.get(index, "") for index in used)
    notes = [*remarks, *_remarks_on_header(table, columns, above=at > 0)]
    cells = tuple(tuple(row.cells.get(index) for index in used) for row in fitting)
    lines = tuple(row.number for row in fitting)
    return Table(path, sheet, columns, cells, tuple(notes), decimal, lines, table.header, table.at, counts)


def _name(cell: Cell) -> str:
    return " ".join((cell.text if isinstance(cell, Fault) else str(cell)).split())


def find_header(rows: Sequence[Row], known: Collection[str]) -> int:
    """Return the index of the row that names the columns; some of the names may be known.

    A row with at most half as many cells as most rows below it is a title. Of the other rows, the header is the first
    that contains a usual name, if the rows above have fewer cells; otherwise the first row, unless it holds only
    numbers. If the very first row contains a usual name, it is the header: wider rows below it have a comma too many.
    """
    usual = USUAL | set(map(fold, known))
    named = [
        any(fold(_name(cell)) in usual for cell in row.cells.values() if _is_name(cell)) for row in rows[:HEADER_WITHIN]
    ]
    filled = [len(row.cells) for row in rows[: 3 * HEADER_WITHIN]]
    wide = [index for index in range(len(rows[:HEADER_WITHIN])) if 2 * filled[index] > _middle(filled[index + 1 :])]
    sure = (index for index in wide if max(filled[:index], default=0) < filled[index] and named[index])
    is_first = any(named[:1]) or not wide or not any(map(_is_name, rows[wide[0]].cells.values()))
    first = 0 if is_first else wide[0]
    return next(sure, first)


def _middle(counts: Sequence[int]) -> int:
    return sorted(counts)[len(counts) // 2] if counts else 0


def _is_name(cell: Cell) -> bool:
    return isinstance(cell, str) and not cell.endswith(":") and any(map(str.isalpha, cell))


def _is_too_large(rows: int, columns: int, place: Place, problems: Problems) -> bool:
    before = len(problems.found)
    if rows > MOST_ROWS:
        problems.add(place, f"the table has more than {MOST_ROWS:,} rows")
    elif columns > MOST_COLUMNS:
        problems.add(place, f"the table has {columns:,} columns", f"at most {MOST_COLUMNS:,} are read")
    elif rows * columns > MOST_CELLS:
        problems.add(place, f"the table has {rows * columns:,} cells", f"at most {MOST_CELLS:,} are read")
    return len(problems.found) > before


def _without_misfits(rows: Sequence[Row], width: int, table: Table, delimiter: str, problems: Problems) -> list[Row]:
    """Return the rows that are no wider than the header. Report wider rows, once for each number of cells."""
    misfits: dict[int, list[Row]] = {}
    for row in rows:
        if max(row.cells) >= width:
            misfits.setdefault(max(row.cells) + 1, []).append(row)
    for count, found in misfits.items():
        more = f" (and {plural(len(found) - 1, 'more row')})" if len(found) > 1 else ""
        told = f"this row has {plural(count, 'cell')}, but the table has {plural(width, 'column')}"
        hint = f'put straight quotes (") around text that has a {delimiter} in it'
        problems.add(Place(table.place().path, found[0].number), told, hint + more)
    return [row for row in rows if max(row.cells) < width]


def _remarks_on_header(table: Table, columns: Sequence[str], above: bool) -> list[Problem]:
    notes: list[Problem] = []
    if above:
        told = f"the header is {table.counts} {table.header}"
        notes.append(Problem(table.place(), told, "the rows above it are not read"))
    unnamed = [
        letters(index) if table.counts == "row" else str(index + 1)
        for index, name in zip(table.at, columns, strict=True)
        if not name
    ]
    if unnamed:
        more = ["more"] * (len(unnamed) > MOST_LISTED)
        told = f"{'a column has' if len(unnamed) == 1 else 'columns have'} no name: "
        told += listed([*unnamed[:MOST_LISTED], *more])
        notes.append(Problem(table.place(), told, "name it in the header to use it"))
    return notes
