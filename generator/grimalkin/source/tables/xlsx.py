"""Read the rows of the sheets in an XLSX workbook (ECMA-376).

The value of a formula is the one saved in the file. A formula without a value is a Fault; but some libraries that write
workbooks without calculating them (XlsxWriter) store 0, and nothing in the cell distinguishes this from a true 0. If
the workbook asks to be calculated when opened, and every formula has the value 0, the reader adds a remark.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from grimalkin.source.reading import LONGEST_TEXT
from grimalkin.source.tables.cells import Cell, clean, error, find_float, uncalculated
from grimalkin.source.tables.formats import GENERAL, KNOWN, shown
from grimalkin.source.tables.grid import MOST_CELLS, column_of
from grimalkin.source.tables.workbook import Event, Package, Sheet, Unreadable

LONGEST_WRITTEN = 8 * LONGEST_TEXT
"""The longest text in the file: a character may be written as _x0041_."""
_COLUMN = re.compile("[A-Z]{1,3}")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


@dataclass(frozen=True, slots=True)
class _Book:
    """The parts shared by the sheets of a workbook."""

    strings: list[Cell]
    formats: list[str]
    since_1904: bool
    is_uncalculated: bool


def read_xlsx(package: Package, is_wanted: Callable[[str, bool], bool]) -> Iterator[Sheet]:
    """Yield each sheet in order. `is_wanted` takes a name and whether the sheet is hidden; others get no rows."""
    workbook = next((part for kind, part in _relations(package, "").values() if kind == "officeDocument"), "")
    related = _relations(package, workbook)
    sheets: list[tuple[str, bool, str]] = []
    since_1904 = is_uncalculated = False
    for name, found in package.events(workbook):
        if isinstance(found, dict) and name == "sheet":
            kind, part = related.get(found.get("id", ""), ("", ""))
            if kind == "worksheet":  # not a chart sheet
                sheets.append((found.get("name", ""), found.get("state", "visible") != "visible", part))
        elif isinstance(found, dict) and name == "workbookPr":
            since_1904 = found.get("date1904", "0") in ("1", "true")
        elif isinstance(found, dict) and name == "calcPr":
            is_uncalculated = found.get("fullCalcOnLoad", "0") in ("1", "true")
    parts = dict(related.values())
    strings = _strings(package, parts["sharedStrings"]) if parts.get("sharedStrings", "") in package else []
    formats = _formats(package, parts["styles"]) if parts.get("styles", "") in package else []
    book = _Book(strings, formats, since_1904, is_uncalculated)
    for name, hidden, part in sheets:
        yield _sheet(package, part, Sheet(name, hidden), book) if is_wanted(name, hidden) else Sheet(name, hidden)


def _relations(package: Package, part: str) -> dict[str, tuple[str, str]]:
    """Return the parts that a part refers to: kinds and names, by id. Leave out parts outside the file."""
    folder, name = posixpath.split(part)
    listed = posixpath.join(folder, "_rels", f"{name}.rels")
    found: dict[str, tuple[str, str]] = {}
    for tag, about in package.events(listed):
        if tag == "Relationship" and isinstance(about, dict) and about.get("TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/", folder, about.get("Target", "")))
            found[about.get("Id", "")] = about.get("Type", "").rpartition("/")[2], target.lstrip("/")
    return found


def _strings(package: Package, part: str) -> list[Cell]:
    """Return the texts shared by cells."""
    strings: list[Cell] = []
    events = package.events(part)
    for name, found in events:
        if name == "si" and found is not None:
            strings.append(_text(_texts(events, "si").get("t", "")))
            if len(strings) > MOST_CELLS:
                raise Unreadable(f"the workbook has more than {MOST_CELLS:,} texts")
    return strings


def _texts(events: Iterator[Event], end: str) -> dict[str, str]:
    """Return the texts up to the end of an element: value (v), formula (f), and written text (t) without formats.

    Leave out reading aids, such as those for Japanese.
    """
    texts: dict[str, str] = {}
    within = ""
    is_aid = False
    for name, found in events:
        if name == "":
            if within and len(texts[within]) <= LONGEST_WRITTEN:
                texts[within] += str(found)
        elif name == end:
            break
        elif name == "rPh":
            is_aid = found is not None
        elif found is None or is_aid:
            within = ""
        elif name in ("v", "f", "t"):
            within = name
            texts.setdefault(name, "")
    return texts


def _text(written: str) -> Cell:
    return clean(_ESCAPED.sub(lambda match: chr(int(match[1], 16)), written))


def _formats(package: Package, part: str) -> list[str]:
    """Return the number format of each style of cells."""
    codes = dict(KNOWN)
    formats: list[str] = []
    within = ""
    for name, found in package.events(part):
        if not isinstance(found, dict):
            continue
        if name == "numFmt" and within == "numFmts":
            codes[_whole(found.get("numFmtId"))] = found.get("formatCode", GENERAL)
        elif name == "xf" and within == "cellXfs":
            formats.append(codes.get(_whole(found.get("numFmtId")), GENERAL))
        elif name in ("numFmts", "cellXfs", "cellStyleXfs", "cellStyles", "dxfs"):
            within = name
    return formats


def _sheet(package: Package, part: str, sheet: Sheet, book: _Book) -> Sheet:
    """Fill a sheet with the cells of its part."""
    row = column = 0
    values: dict[tuple[int, int], str] = {}
    events = package.events(part)
    for name, found in events:
        if not isinstance(found, dict):
            continue
        if name == "c":
            row, column = _place(found["r"]) if "r" in found else (row, column + 1)
            texts = _texts(events, "c")
            sheet.put(row, column, _cell(found, texts, book))
            if "f" in texts and "v" in texts and found.get("t", "n") == "n":
                values[row, column] = texts["v"]
        elif name == "row":
            row, column = _whole(found.get("r")) or row + 1, -1
            if found.get("hidden", "0") in ("1", "true"):
                sheet.hidden_rows.add(row)
        elif name == "mergeCell":
            first, _, last = found.get("ref", "").partition(":")
            sheet.merge((*_place(first), *_place(last or first)))
    if book.is_uncalculated and not set(values.values()) - {"0"}:
        sheet.zeros = list(values)
    return sheet


def _whole(written: str | None) -> int:
    """Return the number of a style, a row or a text; 0 if there is none."""
    return int(written) if written and written.isdecimal() and len(written) < 8 else 0


def _place(reference: str) -> tuple[int, int]:
    """Return the row, from 1, and the column, from 0, of a cell such as C7."""
    name = reference.rstrip("0123456789")
    row = _whole(reference[len(name) :])
    if not row or not _COLUMN.fullmatch(name):
        raise Unreadable(f'the workbook is damaged: there is no cell "{reference[:20]}"')
    return row, column_of(name)


def _cell(about: dict[str, str], texts: dict[str, str], book: _Book) -> Cell:
    """Return the contents of a cell from its type, value and style."""
    kind, value = about.get("t", "n"), texts.get("v", "")
    if kind == "s" and value:
        at = _whole(value)
        if at >= len(book.strings):
            raise Unreadable(f"the workbook is damaged: it has no text number {at}", "save it again")
        return book.strings[at]
    if kind == "inlineStr":
        return _text(texts.get("t", ""))
    if kind == "str":
        return _text(value)
    if kind == "e":
        return error(value or "#N/A")
    if not value:
        return uncalculated("=" + texts["f"]) if "f" in texts else None
    if kind == "b":
        return value in ("1", "true")
    if kind == "d":
        return value.strip().replace("T00:00:00", "").replace("T", " ")
    number = find_float(value)
    if number is None:
        return _text(value)
    style = _whole(about.get("s"))
    return shown(number, book.formats[style] if style < len(book.formats) else GENERAL, book.since_1904)
