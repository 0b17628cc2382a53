"""Read one sheet of a workbook as a Table."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from grimalkin.problems import Place, Problem, Problems, shown_path
from grimalkin.problems.plain import listed, plural, spans
from grimalkin.source.files import read_bytes
from grimalkin.source.tables.grid import Row, Table, find_header, letters, make_table
from grimalkin.source.tables.ods import read_ods
from grimalkin.source.tables.workbook import BROKEN, Package, Sheet, Unreadable
from grimalkin.source.tables.xlsx import read_xlsx
from grimalkin.source.traps import format_of

MOST_LISTED = 20
MOST_SHOWN = 60
"""The most characters for row numbers in a remark."""


def read_book(path: Path, problems: Problems, inside: Path | None, sheet: str, known: Collection[str]) -> Table | None:
    """Read the sheet with this name, or the first visible sheet with content; return None with a problem."""
    data = read_bytes(path, problems, inside)
    if data is None:
        return None
    place = Place(shown_path(path))
    try:
        chosen, others = _choose(data, sheet)
    except Unreadable as fault:
        problems.add(place, fault.message, fault.hint)
    except BROKEN:
        problems.add(place, "the workbook is damaged", "open it in a spreadsheet program and save it again")
    else:
        return _table(path, chosen, others, problems, known)
    return None


def _choose(data: bytes, name: str) -> tuple[Sheet, list[Sheet]]:
    """Return the chosen sheet, and the others without their rows. Raises Unreadable if there is none."""
    package = _opened(data)
    read = read_ods if "content.xml" in package else read_xlsx
    chosen: list[Sheet] = []

    def is_wanted(called: str, is_hidden: bool) -> bool:
        return not chosen and (called.strip().casefold() == name.strip().casefold() if name else not is_hidden)

    sheets: list[Sheet] = []
    for sheet in read(package, is_wanted):
        sheet.spread()
        if is_wanted(sheet.name, sheet.is_hidden) and (name or sheet.rows):
            chosen.append(sheet)
        sheets.append(sheet)
    names = listed([sheet.name for sheet in sheets[:MOST_LISTED]])
    if not chosen and name:
        raise Unreadable(f'there is no sheet "{name}"', f"the sheets are {names}")
    if not chosen or not chosen[0].rows:
        hidden = any(sheet.is_hidden for sheet in sheets)
        hint = f"to read a hidden one, name it in game.yaml: `sheet: {sheets[0].name}`" if hidden else "write a table"
        empty = "every sheet is empty or hidden" if hidden else "the workbook is empty"
        raise Unreadable(f'the sheet "{name}" is empty' if chosen else empty, "" if chosen else hint)
    return chosen[0], [sheet for sheet in sheets if sheet is not chosen[0]]


def _opened(data: bytes) -> Package:
    """Return the parts of an XLSX or ODS file. Raises Unreadable for everything else."""
    if not data.startswith(b"PK"):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise Unreadable("the workbook has a password", "save it without one")
        what = format_of(data) or "text"
        hint = "" if what != "text" else ", or call it .csv if commas or tabs separate its cells"
        raise Unreadable(f"this is {what}, not a workbook", f"save it as .xlsx or .ods{hint}")
    package = Package(data)
    if "xl/workbook.bin" in package:
        raise Unreadable("this is a binary Excel workbook (.xlsb)", "save it as .xlsx")
    if "_rels/.rels" not in package and "content.xml" not in package:
        raise Unreadable(f"this is {format_of(data)}, not a workbook", "save it as .xlsx or .ods")
    return package


def _table(path: Path, sheet: Sheet, others: list[Sheet], problems: Problems, known: Collection[str]) -> Table | None:
    rows = [Row(number, cells) for number, cells in sorted(sheet.rows.items())]
    header = find_header(rows, known)
    lowest = max((area[2] for area in sheet.merged if area[0] == rows[header].number), default=0)
    while header + 1 < len(rows) and rows[header + 1].number <= lowest:  # the header has two rows
        header += 1
    place = Place(shown_path(path), 0, f"sheet {sheet.name}")
    remarks = _remarks(place, sheet, others, rows[header].number)
    return make_table(path, sheet.name, rows, problems, counts="row", header=header, remarks=remarks)


def _cut(rows: str) -> str:
    """Return only as many row numbers as fit into a remark."""
    return rows if len(rows) <= MOST_SHOWN else f"{rows[:MOST_SHOWN].rpartition(',')[0]} and more"


def _remarks(place: Place, sheet: Sheet, others: list[Sheet], header: int) -> list[Problem]:
    """Return remarks on results that may surprise people who know the sheet."""
    notes: list[Problem] = []
    if others:
        names = [f'"{one.name}"{" (hidden)" if one.is_hidden else ""}' for one in others[:MOST_LISTED]]
        notes.append(
            Problem(place, f"this sheet is read, not {listed(names, 'or')}", "`sheet:` in game.yaml chooses another")
        )
    hidden = sheet.hidden_rows & sheet.rows.keys()
    if hidden:
        which = "row {} is" if len(hidden) == 1 else "rows {} are"
        told = f"{which.format(_cut(spans(hidden)))} hidden, but still read"
        notes.append(Problem(place, told, "delete hidden rows that should make no cards"))
    wide = [area for area in sheet.merged if area[0] > header and area[1] < area[3] and area[0] in sheet.rows]
    if wide:
        top, left, bottom, right = wide[0]
        more = f" (and {plural(len(wide) - 1, 'more area')})" if wide[1:] else ""
        told = f"{letters(left)}{top}:{letters(right)}{bottom} is one merged cell{more}"
        notes.append(Problem(place, told, f"its value counts only for column {letters(left)}"))
    if sheet.zeros:
        row, column = sheet.zeros[0]
        told = f"every formula has the value 0, such as {letters(column)}{row}; perhaps no program has calculated them"
        notes.append(Problem(place, told, "open the workbook in a spreadsheet program and save it"))
    return notes
