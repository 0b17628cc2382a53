"""Read the rows of the sheets in an ODS document (OpenDocument 1.3, part 3).

Numbers print as the text that the file has for them, which is the text that the spreadsheet showed. That text also
reveals errors, because LibreOffice stores them as text cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal

from grimalkin.source.reading import LONGEST_TEXT
from grimalkin.source.tables.cells import Cell, Number, clean, error, find_error, find_float, number, uncalculated
from grimalkin.source.tables.grid import MOST_COLUMNS, MOST_ROWS, letters
from grimalkin.source.tables.workbook import Event, Package, Sheet, Unreadable

_UNSHOWN = ("annotation", "ruby-text", "note", "frame", "custom-shape")
"""Elements in a cell whose text is not part of the cell's text: comments, reading aids, notes, drawings."""
_SPACES = {"s": " ", "tab": "\t", "line-break": "\n"}
_TIME = re.compile(r"-?PT?(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})(?:[.,]\d*)?S)?", re.ASCII)
_NEEDLESS = re.compile(r"-?\d+[.,]0", re.ASCII)


def read_ods(package: Package, is_wanted: Callable[[str, bool], bool]) -> Iterator[Sheet]:
    """Yield each sheet in order. `is_wanted` takes a name and whether the sheet is hidden; others get no rows."""
    if "META-INF/manifest.xml" in package and any(
        name == "encryption-data" for name, _ in package.events("META-INF/manifest.xml")
    ):
        raise Unreadable("the document has a password", "save it without one")
    hidden: set[str] = set()
    style = ""
    events = package.events("content.xml")
    for name, found in events:
        if not isinstance(found, dict):
            continue
        if name == "style":
            style = found.get("name", "")
        elif name == "table-properties" and found.get("display") == "false":
            hidden.add(style)
        elif name == "table":
            sheet = Sheet(found.get("name", ""), found.get("style-name", "") in hidden)
            _fill(sheet, events, is_wanted(sheet.name, sheet.is_hidden))
            yield sheet


def _fill(sheet: Sheet, events: Iterator[Event], is_wanted: bool) -> None:
    """Read to the end of the sheet, and fill it if it is wanted."""
    row = 1
    for name, found in events:
        if name == "table" and found is None:
            return
        if name == "table-row" and isinstance(found, dict):
            again = _count(found, "number-rows-repeated")
            cells = _cells(sheet, row, events) if is_wanted else {}
            if cells:
                if again > MOST_ROWS:
                    told = f"row {row} is repeated {again:,} times, but at most {MOST_ROWS:,} rows are read"
                    raise Unreadable(told, "delete the rows below the table")
                if found.get("visibility", "visible") != "visible":
                    sheet.hidden_rows.update(range(row, row + again))
                for number_of_row in range(row, row + again):
                    for column, cell in cells.items():
                        sheet.put(number_of_row, column, cell)
            row += again


def _cells(sheet: Sheet, row: int, events: Iterator[Event]) -> dict[int, Cell]:
    """Return the filled cells of a row by their columns; note merged ones in the sheet."""
    cells: dict[int, Cell] = {}
    column = 0
    for name, found in events:
        if name == "table-row":
            break
        if name in ("table-cell", "covered-table-cell") and isinstance(found, dict):
            times = _count(found, "number-columns-repeated")
            cell = _cell(found, _text(events, name))
            if cell not in (None, ""):
                if column + times > MOST_COLUMNS:
                    told = f"the cell {letters(column)}{row} is repeated in more than {MOST_COLUMNS:,} columns"
                    raise Unreadable(told, "delete everything to the right of the table")
                _merge(sheet, row, column, found)
                cells |= dict.fromkeys(range(column, column + times), cell)
            column += times
    return cells


def _count(about: dict[str, str], name: str) -> int:
    written = about.get(name, "1")
    return int(written) if re.fullmatch(r"[1-9]\d{0,7}", written, re.ASCII) else 1


def _merge(sheet: Sheet, row: int, column: int, about: dict[str, str]) -> None:
    rows, columns = _count(about, "number-rows-spanned"), _count(about, "number-columns-spanned")
    if rows * columns > 1:
        sheet.merge((row, column, row + rows - 1, column + columns - 1))


def _text(events: Iterator[Event], end: str) -> str:
    """Return the paragraphs of a cell, up to its end. Several spaces count as one, unless they are elements."""
    paragraphs: list[str] = []
    within = unshown = length = 0
    for name, found in events:
        if name == end and found is None:
            break
        if name in _UNSHOWN:
            unshown += 1 if isinstance(found, dict) else -1
        elif unshown:
            continue
        elif name == "p":
            within += 1 if isinstance(found, dict) else -1
            if isinstance(found, dict):
                paragraphs.append("")
        elif within and length <= LONGEST_TEXT:
            piece = re.sub(r"[ \t\r\n]+", " ", found) if isinstance(found, str) else ""
            if isinstance(found, dict) and name in _SPACES:
                piece = _SPACES[name] * min(_count(found, "c"), LONGEST_TEXT + 1)
            paragraphs[-1] += piece
            length += len(piece)
    return "\n".join(paragraphs)


def _cell(about: dict[str, str], text: str) -> Cell:
    """Return the contents of a cell from its type, its value and its displayed text."""
    kind = about.get("value-type", "")
    value = about.get(f"{kind}-value" if kind in ("date", "time", "boolean", "string") else "value", "")
    if about.get("calcext:value-type") == "error":
        return error(text.strip() or "#N/A")
    if not kind and not text and "formula" in about:
        return uncalculated(re.sub(r"^\w+:", "", about["formula"]))
    if kind in ("float", "percentage", "currency") and value:
        return _number(value, kind, clean(text))
    if kind == "boolean":
        return value == "true"
    if kind == "date":
        return value.replace("T00:00:00", "").replace("T", " ").removesuffix(":00") if "T" in value else value
    if kind == "time":
        return _time(value)
    cleaned = clean(text or value)
    return (find_error(cleaned) or cleaned) if isinstance(cleaned, str) else cleaned


def _number(value: str, kind: str, text: Cell) -> Cell:
    value_read = find_float(value)
    if value_read is None:
        return text
    read = number(value_read)
    if not isinstance(text, str) or not any(map(str.isdigit, text)) or _NEEDLESS.fullmatch(text):
        return Number(read, f"{(Decimal(value) * 100).normalize():f}%") if kind == "percentage" else read
    if error_shown := find_error(text):
        return error_shown
    return read if text == str(read) else Number(read, text)


def _time(value: str) -> str:
    found = _TIME.fullmatch(value)
    hours, minutes, seconds = (int(one or 0) for one in found.groups()) if found else (0, 0, 0)
    return f"{hours:02}:{minutes:02}" + (f":{seconds:02}" if seconds else "")
