"""Read the elements in a workbook's parts (a ZIP archive of XML), one by one and within limits, into sheets.

Nothing is unpacked to disk or kept as a tree. Document types are refused, and with them every entity; parts such as
links, macros and pictures are never opened.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias
from xml.parsers import expat

from grimalkin.source.tables.cells import Cell
from grimalkin.source.tables.grid import MOST_CELLS, MOST_ROWS

MOST_PARTS = 2_000
MOST_UNPACKED = 64_000_000
"""The most bytes in all parts together. A sheet of 10,000 rows and 50 columns has 25 million."""
MOST_EVENTS = 2_000_000
"""The most events in all parts together: a filled cell counts as five, an empty one with a format as two."""
MOST_NAMES = 1_000
"""The most distinct names of elements and attributes; the parser keeps each."""
LONGEST_TAG = 1_000_000
"""The most bytes in a tag. Older parsers start a long tag again for every new piece."""
PIECE = 1 << 16

_LESS = "delete empty rows and columns that have a format, or save the sheet as CSV"

Event: TypeAlias = tuple[str, dict[str, str] | str | None]
"""The start of an element, with its attributes; the end of an element, with None; or text, without a name."""


class Unreadable(Exception):
    """An error for a workbook that cannot be read; the reader of the file turns it into a problem."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


BROKEN = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, struct.error, ValueError,
)  # fmt: skip
"""Exceptions of the standard library for a damaged archive."""


class Package:
    """The parts of a workbook by name. Raises Unreadable and the exceptions in BROKEN."""

    def __init__(self, data: bytes) -> None:
        self.archive = zipfile.ZipFile(io.BytesIO(data))
        self.parts = {_called(info.filename): info for info in self.archive.infolist()}
        self.unpacked = self.read = 0
        if len(self.archive.infolist()) > MOST_PARTS:
            raise Unreadable(f"the workbook has more than {MOST_PARTS:,} parts")
        if any(info.flag_bits & 1 for info in self.parts.values()):
            raise Unreadable("the workbook has a password", "save it without one")

    def __contains__(self, name: str) -> bool:
        return _called(name) in self.parts

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield the contents of a part, piece by piece."""
        info = self.parts.get(_called(name))
        if info is None:
            raise Unreadable(f"the workbook is damaged: it has no part {name}", "save it again")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise Unreadable("the workbook is packed in a way that no spreadsheet program uses", "save it again")
        with self.archive.open(info) as file:
            while piece := file.read(PIECE):
                self.unpacked += len(piece)
                if self.unpacked > MOST_UNPACKED:
                    raise Unreadable(f"the workbook has more than {MOST_UNPACKED:,} bytes when it is unpacked", _LESS)
                yield piece

    def events(self, name: str) -> Iterator[Event]:
        """Yield the elements and texts of a part in order. Names have no namespace, except for calcext."""
        found: list[Event] = []
        parser = _parser(found)
        fed = 0
        try:
            for piece in self.pieces(name):
                parser.Parse(piece)
                fed += len(piece)
                if fed - parser.CurrentByteIndex > LONGEST_TAG:
                    raise Unreadable(f"a tag in {name} has more than {LONGEST_TAG:,} bytes")
                self.read += len(found)
                if self.read > MOST_EVENTS:
                    raise Unreadable("the workbook has more cells, including empty ones, than are read", _LESS)
                yield from found
                found.clear()
            parser.Parse(b"", True)
            yield from found
        except LookupError:  # an encoding that Python does not know
            raise Unreadable(f"the workbook is damaged: {name} has an unknown encoding", "save it again") from None
        except expat.ExpatError as error:
            told = f"the workbook is damaged: {expat.ErrorString(error.code)} in line {error.lineno} of {name}"
            raise Unreadable(told, "open it in a spreadsheet program and save it again") from None


def _called(name: str) -> str:
    """Return the name of a part as we look it up; some programs write \\ for /, or use capitals inconsistently."""
    return name.replace("\\", "/").lower()


_has_space = re.compile(" ").search
"""Whether a name keeps its namespace."""


class _Names(dict[str, str]):
    """A mapping from the parser's names to ours."""

    def __missing__(self, name: str) -> str:
        if len(self) >= MOST_NAMES:
            raise Unreadable(f"the workbook has more than {MOST_NAMES:,} kinds of elements")
        space, _, local = name.rpartition(" ")
        self[name] = f"calcext:{local}" if space.endswith(":calcext:1.0") else local
        return self[name]


def _parser(found: list[Event]) -> expat.XMLParserType:
    """Return a parser that appends its events to `found`."""
    names = _Names()

    def start(name: str, attributes: dict[str, str]) -> None:
        if any(map(_has_space, attributes)):
            attributes = {names[key]: value for key, value in attributes.items()}
        found.append((names[name], attributes))

    def refuse(*_declared: object) -> None:
        raise Unreadable("the workbook declares a document type", "open it in a spreadsheet program and save it again")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: found.append((names[name], None))
    parser.CharacterDataHandler = lambda text: found.append(("", text))
    parser.StartDoctypeDeclHandler = refuse
    return parser


# Sheets

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
