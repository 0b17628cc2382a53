"""Fit text into a box: wrap it, then tighten the leading, then shrink it to a given floor, then give up.

Lengths are in millimetres, type sizes in points, widths within a word in em.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from itertools import pairwise
from typing import NamedTuple

from grimalkin.printing.type.fonts import Font
from grimalkin.printing.type.words import Word, blank_spaces, pieces_width

POINT = 25.4 / 72
"""Millimetres in a point."""
SHRINK_STEP = 0.25
"""The step, in points, between the sizes that are tried."""
_ABOVE = 0.8
"""The fraction of a line above its baseline: larger words need this fraction of their extra room above."""
PARAGRAPH_GAP = 0.45
"""Extra space above a paragraph, in lines."""
BALANCING = 8
"""Rounds of bisection, enough to find the width to within a two-hundredth."""
RAGGED, FULL, ALL, NONE = (0.8, 0.6), (0.95, 0.95), (1.0, 1.0), (0.0, 0.0)
"""For ragged lines, for justified lines, for as few lines as possible, for no broken words."""
_ENDLESS = 1e6
"""A height in millimetres that exceeds that of any text."""
MOST_BROKEN = 2
"""Consecutive lines that may end in a broken word."""

Row = tuple[Word, ...]


class Block(NamedTuple):
    """A fitted text: lines of words, the type size in points, the distances of baselines and paragraphs in em."""

    lines: tuple[tuple[Word, ...], ...]
    gaps: tuple[int, ...]
    """The number of paragraph gaps above each line."""
    ends: tuple[bool, ...]
    """Whether each line is the last before a written break."""
    size: float
    leading: float
    height: float
    """In millimetres, from the top of the first line to the bottom of the last."""
    growth: tuple[float, ...]
    """The extra room above each line for larger or smaller words in it and in the line before, in em."""


Filled = tuple[float, float]
"""How full a line must be for the next word to stay whole: a word with soft hyphens, and one with ordinary hyphens."""


class _Paragraph(NamedTuple):
    """A line as written, with the end of each word in em, if the line were not broken."""

    words: list[Word]
    ends: list[float]
    bonds: bool
    """Whether any word is bound to a neighbour, and whether any may be broken."""
    cuts: bool
    sign: Word | None = None
    """The bullet or number that hangs before the words of a list item."""


def fit(
    lines: list[list[Word]],
    font: Font,
    width: float,
    height: float,
    size: float,
    floor: float,
    leading: float,
    tight: float,
    justify: bool = False,
    balance: bool = False,
    flush: bool = False,
) -> Block | None:
    """Return the largest setting that fits into width × height mm: `leading` shrinks to `tight`, then size to `floor`.

    If the last line of a paragraph would be short or hold a single word, its lines are balanced to about the same
    width; with `balance`, all paragraphs are. Lines that are set `flush` left become narrower only until the last one
    fills a fifth of the width. With `justify`, wider spaces will fill the lines.
    """
    space = font.space
    paragraphs = [_measured(line, space) for line in lines]
    is_even = all(word.scale == 1 for line in lines for word in line)

    def set_in(size: float, leading: float) -> Block | None:
        return _set(paragraphs, width, height, size, leading, justify, balance, flush, is_even)

    block = set_in(size, leading)
    if block:
        return block
    steps = int((size - floor) / SHRINK_STEP + 1e-9)
    low, high = 0, steps
    while low <= high:  # find the fewest steps down that fit; smaller type never needs more room
        middle = (low + high) // 2
        smaller = set_in(size - middle * SHRINK_STEP, tight)
        if smaller:
            block, high = smaller, middle - 1
        else:
            low = middle + 1
    if block and block.height < height:  # room is left: loosen the leading again
        rows = max(1, len(block.lines) - 1) * block.size * POINT
        roomy = min(leading, tight + (height - block.height) / rows * 0.98)
        return set_in(block.size, roomy) or block
    return block


def cut_off(lines: list[list[Word]], font: Font, width: float, height: float, size: float, leading: float) -> Block:
    """Return the part of a text for which there is room: the lines that begin within `height` mm.

    A word wider than the box sticks out. The block is as tall as the box.
    """
    hang = max((word.hang for line in lines for word in line), default=0.0)
    widest = max(width / (size * POINT) - hang, 0.0)
    narrow = [[one if one.width <= widest else one._replace(width=widest, cuts=()) for one in line] for line in lines]
    room = max(width, hang * size * POINT)
    is_even = all(word.scale == 1 for line in lines for word in line)

    def set_of(lines: list[list[Word]]) -> Block | None:
        measured = [_measured(line, font.space) for line in lines]
        return _set(measured, room, _ENDLESS, size, leading, False, False, False, is_even)

    block = set_of(lines) or set_of(narrow)
    assert block is not None
    at, seen = 0.0, 0
    for gap, more in zip(block.gaps, block.growth, strict=True):
        at += more + leading * PARAGRAPH_GAP * gap
        if seen and at * size * POINT >= height:
            break
        at, seen = at + leading, seen + 1
    return Block(block.lines[:seen], block.gaps[:seen], block.ends[:seen], size, leading, height, block.growth[:seen])


def _measured(words: list[Word], space: float) -> _Paragraph:
    sign = words[0] if words and words[0].hang else None
    words = words[1:] if sign else words
    at = -space * words[0].blank if words else 0.0
    special = [word for word in words if word.bond or word.cuts]
    if any(word.bond for word in special):
        ends = [at := at + word.width + (0 if word.bond == "joined" else space * word.blank) for word in words]
    else:
        ends = [at := at + word.width + space * word.blank for word in words]
    return _Paragraph(words, ends, any(word.bond for word in special), any(word.cuts for word in special), sign)


def _set(
    paragraphs: list[_Paragraph],
    width: float,
    height: float,
    size: float,
    leading: float,
    justify: bool,
    balance: bool,
    flush: bool,
    is_even: bool,
) -> Block | None:
    """Break lines at one size; return None if a word is wider than the box, or if the lines are too tall for it.

    `is_even`: all words are the same size.
    """
    room = width / (size * POINT) + 1e-9
    most = int((height / (size * POINT) - 1) / leading + 1e-6) + 1 if is_even else sys.maxsize
    found: list[tuple[_Paragraph, list[Row]]] = []
    gaps: list[int] = []
    gap = 0
    for paragraph in paragraphs:
        sign = paragraph.sign
        if not paragraph.words and not sign:
            gap = 1
            continue
        within = room - sign.hang if sign else room
        rows = _in_few_lines(paragraph, within, FULL if justify else RAGGED, most - len(gaps))
        if rows is None:
            return None
        found.append((paragraph, rows))
        gaps += [gap, *[0] * (len(rows) - 1)]
        gap = 0
    whole = (1 + leading * (max(len(gaps), 1) - 1) + PARAGRAPH_GAP * leading * sum(gaps)) * size * POINT
    if is_even and whole > height:
        return None
    lines: list[Row] = []
    ends: list[bool] = []
    for paragraph, rows in found:
        sign = paragraph.sign
        within = room - sign.hang if sign else room
        rows = _balanced(paragraph, rows, within, justify, balance, justify or (flush and not balance))
        rows = list(map(_closed_up, rows)) if paragraph.bonds else rows
        if sign:
            rows = [(sign._replace(pieces=()) if at else sign, *row) for at, row in enumerate(rows)]
        lines += rows
        ends += [*[False] * (len(rows) - 1), True]
    growth, foot = ((0.0,) * len(lines), 0.0) if is_even else _growth(lines, leading)
    whole += (sum(growth) + foot) * size * POINT
    if whole > height:
        return None
    return Block(tuple(lines), tuple(gaps), tuple(ends), size, leading, whole, growth)


def _growth(rows: list[Row], leading: float) -> tuple[tuple[float, ...], float]:
    """Return the extra room in em that larger words need above each line and below the last; small ones need less."""
    more = [max([word.scale for word in row if word.pieces], default=1.0) - 1 for row in rows or [()]]
    between = (leading * (_ABOVE * here + (1 - _ABOVE) * above) for above, here in pairwise(more))
    return (_ABOVE * more[0], *between), (1 - _ABOVE) * more[-1]


def _in_few_lines(paragraph: _Paragraph, room: float, filled: Filled, most: int) -> list[Row] | None:
    """Break a paragraph into few lines with few broken words (`filled`); separate bound words only if necessary."""
    rows = _broken(paragraph, room, filled, most)
    if paragraph.cuts:
        rows = _broken(paragraph, room, ALL, len(rows) - 1 if rows else most) or rows
    if rows or not any(word.bond in ("closes", "opens") for word in paragraph.words):
        return rows
    words = [word if word.bond == "joined" else word._replace(bond="") for word in paragraph.words]
    return _broken(paragraph._replace(words=words), room, ALL, most)


def _broken(paragraph: _Paragraph, room: float, filled: Filled, most: int) -> list[Row] | None:
    """Break a paragraph greedily; return None if a word is too wide, or if there would be more than `most` lines.

    A word is broken if the words before it fill less of the line than `filled`, or if it must be. The last word, and
    one after MOST_BROKEN lines that end in a broken word, are broken only if they must be.
    """
    words, ends, bonds, _, _ = paragraph
    rows: list[Row] = []
    first, last, streak = 0, len(words) - 1, 0
    begin = 0.0
    """The start of the row, measured like `ends`."""
    left: Word | None = None
    """The rest of its first word."""
    while len(rows) < most:
        end = bisect_right(ends, begin + room, first)
        row = words[first:end]
        if left and row:
            row[0] = left
        if end > last:
            return [*rows, tuple(row)]
        word = words[end] if row or not left else left
        cut: tuple[Word, Word] | None = None
        if word.cuts:
            is_bare = not row or ends[end - 1] - begin < filled[word.cuts[0].hyphen == ""] * room
            if not row or (is_bare and streak < MOST_BROKEN and (end < last or word.width > room)):
                cut = word.broken(begin + room - ends[end] + word.width)
        if cut:
            row.append(cut[0])
            left, begin, streak = cut[1], ends[end] - cut[1].width, streak + 1
        elif not row:
            return None
        else:
            if bonds:
                end = _parted(words, first, end)
                if end == first:
                    return None
                del row[end - first :]
                row[-1] = row[-1]._replace(goes_on=words[end].bond == "joined")
            left, begin, streak = None, ends[end] - words[end].width, 0
        rows.append(tuple(row))
        first = end
    return None


def _parted(words: list[Word], first: int, end: int) -> int:
    """Return the word before which a line beginning with `first` may end; `first` if it may not end before `end`."""
    while end > first and (words[end].bond == "closes" or words[end - 1].bond == "opens"):
        end -= 1
    return end


def _balanced(
    paragraph: _Paragraph, rows: list[Row], room: float, justify: bool, balance: bool, wide: bool
) -> list[Row]:
    """Return the same number of rows with similar widths, if the last is short or on request, without breaking more
    words.

    If `wide`, as where a straight edge shows how long lines are, rows become no narrower than necessary.
    """
    if len(rows) < 2 or not (balance or _ends_short(rows, room, wide)):
        return rows
    low, high = 0.0, room
    best = rows
    broken = sum(row[-1].goes_on for row in rows)
    filled = (FULL if justify else RAGGED) if broken else NONE
    for _ in range(BALANCING):
        middle = (low + high) / 2
        narrow = _broken(paragraph, middle, filled, len(rows))
        if narrow is None or sum(row[-1].goes_on for row in narrow) > broken:
            low = middle
        elif wide and not _ends_short(narrow, room, wide):
            best, low = narrow, middle
        else:
            best, high = best if wide else narrow, middle
    return best if len(best[-1]) >= len(rows[-1]) else rows


def _ends_short(rows: list[Row], room: float, wide: bool) -> bool:
    """Return whether the last row is under a fifth; unless `wide`, also if it is one word or half the row before."""
    last = _length(rows[-1])
    if wide:
        return last < room / 5
    return len(rows[-1]) == 1 or last < (_length(rows[0]) / 2 if len(rows) == 2 else room / 5)


def _closed_up(row: Row) -> Row:
    """Return a row in which words that follow each other without a space are joined."""
    words: list[Word] = []
    for word in row:
        if word.bond != "joined" or not words:
            words.append(word)
            continue
        *before, last = words[-1].pieces
        first, *after = word.pieces
        alike = last.text and first.text and last._replace(text=first.text) == first
        if alike and blank_spaces(first.font).isdisjoint((last.text[-1], first.text[0])):
            pieces = (*before, last._replace(text=last.text + first.text), *after)
        else:
            pieces = (*before, last, first, *after)
        words[-1] = words[-1]._replace(pieces=pieces, width=pieces_width(pieces), goes_on=word.goes_on)
    return tuple(words)


def _length(row: Row) -> float:
    """Return the approximate length of a row in em."""
    return sum(word.width for word in row)
