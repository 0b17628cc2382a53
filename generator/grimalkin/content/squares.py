"""Names of squares on maps, and spans of squares, which the header of a map gives names and decoration."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from grimalkin.source.tables.grid import column_of
from grimalkin.source.tables.grid import letters as column_letters

Square = tuple[int, int]
"""The column and row of a square, from 0."""
_SQUARE = re.compile(r"([a-z]{1,2})([1-9][0-9]?)")
_SPAN = re.compile(r"([a-z]{1,2}[1-9][0-9]?)(?:-([a-z]{1,2}[1-9][0-9]?))? (\S.{0,39})")
_DECOR = re.compile(r"[a-z][a-z-]{0,30}")
NAME: Final = "b5-d5 The Ballroom"
"""An example of a name, as the header of a map has it."""
DECOR: Final = "b2-c3 rug"
"""An example of decoration."""
MOST: Final = 60
"""The most names on a map, and the most pieces of decoration."""


def column_name(column: int) -> str:
    """Return the name of a column, counted from 0.

    >>> [column_name(column) for column in (0, 25, 26, 39)]
    ['a', 'z', 'aa', 'an']
    """
    return column_letters(column).lower()


def square_name(column: int, row: int) -> str:
    """Return the name of a square, with column and row counted from 0.

    >>> square_name(2, 2)
    'c3'
    """
    return f"{column_name(column)}{row + 1}"


def square_at(name: str) -> Square | None:
    """Return the column and row, from 0, of the square with this name, or None. The inverse of `square_name`.

    >>> square_at("c3"), square_at("aa1"), square_at("3c")
    ((2, 2), (26, 0), None)
    """
    match = _SQUARE.fullmatch(name)
    return (column_of(match[1].upper()), int(match[2]) - 1) if match else None


class Span(NamedTuple):
    """A rectangle of squares with words: the name lettered on it, or the drawing that decorates it."""

    first: Square
    """Its upper left square; `last` is its lower right one."""
    last: Square
    words: str

    @property
    def text(self) -> str:
        """The span as the header of a map has it."""
        first, last = square_name(*self.first), square_name(*self.last)
        return f"{first if first == last else f'{first}-{last}'} {self.words}"

    @property
    def columns(self) -> int:
        return self.last[0] - self.first[0] + 1

    @property
    def rows(self) -> int:
        return self.last[1] - self.first[1] + 1

    def facts(self) -> dict[str, Any]:
        """Return the span as templates see it: its place and size in squares, and its words."""
        column, row = self.first
        return {"column": column, "row": row, "columns": self.columns, "rows": self.rows, "words": self.words}


def read_span(text: str) -> Span | None:
    """Read a span, or return None. The inverse of `Span.text`.

    >>> read_span("b5-d5 The Ballroom")
    Span(first=(1, 4), last=(3, 4), words='The Ballroom')
    >>> read_span("d5-b5 The Ballroom") is read_span("The Ballroom") is None
    True
    """
    match = _SPAN.fullmatch(text.rstrip())
    first, last = (square_at(match[1]), square_at(match[2] or match[1])) if match else (None, None)
    if match is None or first is None or last is None or first[0] > last[0] or first[1] > last[1]:
        return None
    return Span(first, last, match[3])


def misread(key: str, text: str) -> tuple[str, str]:
    """Return what is wrong with the text of a span that cannot be read, and what would be right."""
    what = "a name on the map" if key == "name" else "decoration"
    hint = f"name its first and last square and the words: `{key}: {NAME if key == 'name' else DECOR}`"
    return f'"{text[:60]}" does not describe {what}', hint


def span_faults(
    key: str, spans: Sequence[Span], lines: Sequence[int], is_there: Callable[[int, int], bool]
) -> Iterator[tuple[int, str, str]]:
    """Yield the faults of names or decoration that could be read; `lines` holds the line of each."""
    if len(spans) > MOST:
        yield lines[MOST], f"the map has {len(spans)} lines `{key}:`", f"at most {MOST}"
        return
    for span, line in zip(spans, lines, strict=True):
        squares = [
            (x, y) for x in range(span.first[0], span.last[0] + 1) for y in range(span.first[1], span.last[1] + 1)
        ]
        outside = next((square_name(*square) for square in squares if not is_there(*square)), None)
        if outside:
            what = f'the name "{span.words}"' if key == "name" else f"the {span.words}"
            yield line, f"{what} is on {outside}, a square that the map does not have", "name squares of the map"
        elif key == "name" and span.columns > 1 and span.rows > 1:
            message = f'the name "{span.words}" is on {span.columns} × {span.rows} squares'
            yield line, message, f"name squares in one row or one column: `name: {NAME}`"
        elif key == "decor" and not _DECOR.fullmatch(span.words):
            yield line, f'"{span.words}" is not the word of a drawing', f"write one word: `decor: {DECOR}`"
