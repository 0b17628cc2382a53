"""Read delimited text (CSV, TSV) as a Table, in every dialect that spreadsheets write.

The reader finds the delimiter and the quotes in the text. It expects UTF-8; it also reads UTF-16, in which Excel saves
"Unicode text", and, with a remark, Windows-1252 if the text then looks like words.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from grimalkin.problems import Place, Problem, Problems, shown_path
from grimalkin.source.files import read_bytes
from grimalkin.source.reading import LONGEST_TEXT, decoded
from grimalkin.source.tables.cells import Cell, clean, decimal_sign, find_error
from grimalkin.source.tables.grid import MOST_COLUMNS, MOST_ROWS, Row, Table, make_table
from grimalkin.source.traps import cell_trap, format_of, other_trap

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
SAMPLE = 60_000
"""The number of characters, in at most 60 rows, used to find the delimiter."""
MOST_CELLS_IN_ROW = 1 << 14
"""The number of columns in the widest sheet, including empty cells."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The delimiter and quotes of a text."""

    delimiter: str
    quote: str

    def records(self, text: str, strict: bool) -> Iterator[list[str]]:
        lines = io.StringIO(text, newline="")
        return csv.reader(lines, delimiter=self.delimiter, quotechar=self.quote, skipinitialspace=True, strict=strict)


def read_delimited(path: Path, problems: Problems, inside: Path | None, known: Collection[str]) -> Table | None:
    """Read delimited text as a Table; return None with a problem."""
    data = read_bytes(path, problems, inside)
    if data is None:
        return None
    place = Place(shown_path(path))
    remarks: list[Problem] = []
    text = _text(data, place, problems, remarks)
    if text is None:
        return None
    trap = other_trap(text)
    if trap and not re.match(r"\s*\|.*\n(?![\s:|-]*\n)", text):  # bars around every row, but not Markdown
        problems.add(Place(place.path, 1), *trap)
        return None
    text, dialect, skipped = find_dialect(text)
    rows = _rows(text, dialect, skipped, place, problems)
    if rows is None:
        return None
    if not rows:
        problems.add(place, "the file is empty", "name the columns in its first line")
        return None
    delimiter = DELIMITERS.get(dialect.delimiter, "sign")
    if dialect.delimiter != ("\t" if path.suffix.lower() == ".tsv" else ","):
        remarks.append(Problem(place, f"the columns are separated by {delimiter}s"))
    texts = [(row.number, cell) for row in rows for cell in row.cells.values() if isinstance(cell, str)]
    remarks += islice((_formula(place, *text) for text in texts if _FORMULA.match(text[1])), 1)
    decimal = decimal_sign((text for _, text in texts), "," if dialect.delimiter == ";" else ".")
    return make_table(path, "", rows, problems, known, remarks=remarks, decimal=decimal, delimiter=delimiter)


_FORMULA = re.compile(r"=[+-]?(\$?[A-Z]{1,3}\$?\d|[A-Z][A-Z.]*\()")
"""A formula that refers to a cell or calls a function; other texts may begin with =, too."""


def _formula(place: Place, line: int, text: str) -> Problem:
    hint = "save the table with the values of formulas, or as .xlsx or .ods"
    return Problem(Place(place.path, line), f'the formula "{text[:40]}" is printed as written', hint)


_SAID = re.compile(r"""\s*"?sep=([^\w\s"']|\t)"?[^\S\n\t]*(?:\n|\Z)""")


def find_dialect(text: str) -> tuple[str, Dialect, int]:
    """Return the text of the rows, its dialect, and the number of lines left out above it.

    A line `sep=;` decides, as in Excel; otherwise, the delimiter that gives most rows the same number of cells.
    """
    said = _SAID.match(text)
    skipped = text.count("\n", 0, said.end()) if said else 0
    text = text[said.end() :] if said else text
    delimiters = said[1] if said else "".join(DELIMITERS)
    sample = text[:SAMPLE]
    points = {
        (delimiter, quote): _points(Dialect(delimiter, quote), sample, len(text) > SAMPLE)
        for delimiter in delimiters
        for quote in "\"'"
    }
    best = max(points, key=lambda one: points[one])  # in a tie, the first: commas, double quotes
    if points[best][1] < 2 and text.startswith('"'):
        return _unwrapped(text) or (text, Dialect(*best), skipped)
    return text, Dialect(*best), skipped


def _unwrapped(text: str) -> tuple[str, Dialect, int] | None:
    """Do the same for a text with every line in quotes, which Excel writes if rows were pasted into one column."""
    try:
        records = list(Dialect("\x1f", '"').records(text, strict=True))
    except csv.Error:
        return None
    inner = "\n".join("".join(record) for record in records)
    found = None if inner.startswith('"') else find_dialect(inner)
    return found if found and _points(found[1], inner[:SAMPLE], len(inner) > SAMPLE)[0] > 2 else None


def _points(dialect: Dialect, sample: str, is_cut: bool) -> tuple[float, int, bool]:
    """Return how well a dialect fits: points, the commonest number of cells in a row, and whether its quotes are used.

    The points are the share of rows with several cells, plus the share of rows with the commonest number of cells,
    plus a quarter if the first row, probably a header, has that number.
    """
    try:
        records = list(islice(dialect.records(sample, strict=dialect.quote == "'"), 60))
    except csv.Error:
        return 0, 0, False
    records = [record for record in records[: -1 if is_cut else None] if any(cell.strip() for cell in record)]
    counts = Counter(map(len, records))
    width = max(counts, key=lambda count: (counts[count], count), default=0)
    quotes = re.search(f"(?:^|[{re.escape(dialect.delimiter)}\n]) *{dialect.quote}", sample) is not None
    if width < 2 or (dialect.quote == "'" and not quotes):
        return 0, 0, False
    several = sum(count for length, count in counts.items() if length > 1)
    return (several + counts[width]) / len(records) + (len(records[0]) == width) / 4, width, quotes


def _rows(text: str, dialect: Dialect, skipped: int, place: Place, problems: Problems) -> list[Row] | None:
    """Return the filled rows, each with the number of its first line in the file."""
    rows: list[Row] = []
    records = dialect.records(text, strict=True)
    line = 1
    try:
        for record in records:
            first, line = line, records.line_num + 1  # type: ignore[attr-defined]
            if len(record) > MOST_CELLS_IN_ROW:
                told = f"this row has {len(record):,} cells"
                problems.add(Place(place.path, first + skipped), told, f"at most {MOST_COLUMNS:,} columns are read")
                return None
            cells = {index: cell for index, one in enumerate(record) if one and (cell := _cell(one))}
            if cells and len(rows) > MOST_ROWS:
                problems.add(Place(place.path, first + skipped), f"the table has more than {MOST_ROWS:,} rows")
                return None
            if cells:
                rows.append(Row(first + skipped, cells, len(record)))
    except csv.Error:
        opens, message, hint = cell_trap(text, line, dialect.delimiter, dialect.quote)
        problems.add(Place(place.path, opens + skipped), message, hint or f"at most {LONGEST_TEXT:,} fit")
        return None
    return rows


_AS_TEXT = re.compile(r'="[^"]*"')
"""Makes Excel treat a number as text: ="007"."""


def _cell(written: str) -> Cell:
    text = clean(written[2:-1] if _AS_TEXT.fullmatch(written) else written)
    return (find_error(text) or text) if isinstance(text, str) else text


def _text(data: bytes, place: Place, problems: Problems, remarks: list[Problem]) -> str | None:
    """Return the text of a file with \\n between its lines, or None with a problem."""
    for begins, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(begins) and data[2:4] != b"\0\0":  # that would be UTF-32
            try:
                return _one_line_end(data[2:].decode(encoding))
            except UnicodeDecodeError:
                break
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        guessed = None if format_of(data) else _western(data)
        if guessed is not None:
            text, shown = guessed
            told = f'the file is not UTF-8; it is read as Windows-1252, with words such as "{shown}"'
            remarks.append(Problem(place, told, 'if that is wrong, save it as "CSV UTF-8"'))
            return _one_line_end(text)
    text_of = decoded(data, place, problems)
    return None if text_of is None else _one_line_end(text_of)


def _one_line_end(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _western(data: bytes) -> tuple[str, str] | None:
    """Read text as Windows-1252; return it with one of its accented words, or None if some words look impossible."""
    try:
        text = data.decode("windows-1252")
    except UnicodeDecodeError:
        return None
    words = [word for word in re.findall(r"[^\s\x00-\x2f\x3a-\x40;|]+", text) if not word.isascii()]
    if "\0" in text or any(map(_STRANGE.search, words)):
        return None
    return text, max(words, key=lambda word: any(sign.isalpha() and not sign.isascii() for sign in word))[:30]


_LETTERS = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜŸŒàáâãäåæçèéêëìíîïñòóôõöøùúûüÿœßŠšŽž"
_SIGNS = "\u00a0€…‘’“”–—•™©®°«»¿¡·×£§½¼¾²³ªº‹›„‚"
_PAIRS = f"([{_LETTERS}])\\1|[äöüÄÖÜ]ß|[çñÇÑ][{_LETTERS}]|å[æøö]|[æøö]å"
"""Two such letters side by side, as in Finnish pää, German Grüße, Portuguese ação, Spanish soñé and Danish småøer."""
_STRANGE = re.compile(
    f"(?!{_PAIRS})[{_LETTERS}]{{2}}|[a-zß-ÿ][À-ÞŠŽŸŒ]|[^\\x00-\\x7f{_LETTERS}{_SIGNS}]|[a-z](?:[¿¡³²ª£¼¾½][a-z]|‚)"
)
"""Letters seldom adjacent in Western European words, but often adjacent in text with a different encoding."""
