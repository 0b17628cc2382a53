"""Text that fits or fails: wrap, then tighten the leading, then shrink to a stated floor, then give up.

Lengths are millimetres, type sizes points, widths inside a word em.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, groupby
from typing import NamedTuple

from grimalkin.content.references import Reference, runs
from grimalkin.face.fonts import Font, find_font, styled
from grimalkin.face.shaping import text_width

POINT = 25.4 / 72
"""Millimetres in a point."""

SHRINK_STEP = 0.25
"""Sizes tried on the way down to the floor, in points."""

ICON_EM = 1.0
"""Width of an icon inside text, in em: icons are drawn as wide as the type is high."""


class Piece(NamedTuple):
    """Part of a word in one font, or an icon (`icon` is its name and `text` is empty)."""

    font: str
    text: str
    icon: str = ""


class Word(NamedTuple):
    """What stands between two spaces: pieces, and their width in em."""

    pieces: tuple[Piece, ...]
    width: float
    parts: tuple[tuple[Piece, ...], ...] = ()
    """The parts between which it may be broken; none when it never is."""
    hyphens: tuple[str, ...] = ()
    """What is printed at the end of a line when it is broken after each part."""
    goes_on: bool = False
    """Whether the rest of it stands in the next line."""

    def broken(self, room: float) -> tuple[Word, Word] | None:
        """What of it stands in a room in em, and what is left; None when nothing does."""
        best = 0
        width = 0.0
        for index, part in enumerate(self.parts[:-1]):
            width += _width(part)
            if width > room:
                break
            if width + text_width(part[-1].font, self.hyphens[index]) <= room:
                best = index + 1
        if not best:
            return None
        *before, last = self.parts[:best]
        hyphen = Piece(last[-1].font, self.hyphens[best - 1])
        head = [*chain.from_iterable(before), *last, *([hyphen] if hyphen.text else [])]
        return Word(tuple(head), _width(head), goes_on=True), _of_parts(self.parts[best:], self.hyphens[best:])


class Block(NamedTuple):
    """A fitted text: lines of words, the type size in points, the distance of two baselines and of paragraphs in em."""

    lines: tuple[tuple[Word, ...], ...]
    gaps: tuple[int, ...]
    """How many paragraph gaps lie above each line."""
    size: float
    leading: float
    height: float
    """In millimetres, from the top of the first line to the foot of the last."""


PARAGRAPH_GAP = 0.45
"""Extra space above a paragraph, in lines."""

_BREAKS = {"\u00ad": "-", "\u200b": ""}
"""Where a word may be broken, and what is printed there if it is: a soft hyphen, a space without a width."""
_BREAK = re.compile("([\u00ad\u200b])")
_UNSEEN = (0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0xFE00, 0xFE10))
_ENDS = {9: " ", 0x0B: "\n", 0x0C: "\n", 0x85: "\n", 0x2028: "\n", 0x2029: "\n\n"}
_BLANK: dict[int, str | None] = {**dict.fromkeys(_UNSEEN), **_ENDS}
"""What fonts have no letter for: signs for joining, directions and emoji, which say nothing here; tabs, line ends."""
_UNBROKEN = _BLANK | dict.fromkeys(map(ord, _BREAKS))
_MARKED = re.compile(r"[*:\\\u00ad\u200b]|\[\[")
_EDGE = re.compile("([ \n])")


def written(text: str, breaks: bool = False) -> str:
    r"""A text as fonts have letters for it: composed (NFC), without signs that nobody sees; with `breaks`, places where
    words may be broken stay.

    >>> written("e\u0301\u200b-\tx"), written("hyphen\u00adate", True)
    ('é- x', 'hyphen\xadate')
    """
    if text.isascii() and text.isprintable():
        return text
    return unicodedata.normalize("NFC", text).translate(_BLANK if breaks else _UNBROKEN)


def plainly_written(text: str, font: str) -> str:
    """The same, with common spaces for those that the font leaves blank: for what is no face."""
    text = written(text)
    blanks = blank_spaces(font)
    return text if text.isascii() else "".join(" " if char in blanks else char for char in text)


def read_words(text: str, font: str, words_of: dict[str, str]) -> list[list[Word]]:
    """Paragraph lines of words. `**bold**`, `*italic*`, `:icon:`; a newline breaks the line, a blank one the paragraph.

    References show their own words, else what `words_of` says for their id. An empty list stands for a blank line.
    """
    plain = written(text, True).strip("\n")
    if not _MARKED.search(plain) and (plain.isascii() or blank_spaces(font).isdisjoint(plain)):
        rows = [line.strip().split(" ") for line in plain.split("\n")]
        return [[_plain_word(font, chunk) for chunk in row if chunk] for row in rows]

    def named(reference: Reference) -> str:
        return words_of.get(reference.name, reference.name)

    lines: list[list[Word]] = [[]]
    pieces: list[Piece] = []

    def end_word() -> None:
        word = _word(pieces)
        if word.pieces:
            lines[-1].append(word)
        pieces.clear()

    for run in runs(plain, named):
        style = styled(font, run.bold, run.italic)
        if run.icon:
            pieces.append(Piece(font, "", run.icon))
            continue
        for chunk in _EDGE.split(run.text):
            if chunk not in (" ", "\n"):
                pieces.extend(_pieces(chunk, style))
                continue
            end_word()
            if chunk == "\n":
                lines.append([])
    end_word()
    return lines


def _pieces(chunk: str, font: str) -> list[Piece]:
    """Parts of a word; spaces without a glyph are parts of their own."""
    spaces = blank_spaces(font)
    if chunk.isascii() or spaces.isdisjoint(chunk):
        return [Piece(font, chunk)] if chunk else []
    return [Piece(font, "".join(part)) for _, part in groupby(chunk, lambda char: char in spaces and char)]


def blank_spaces(font: str) -> frozenset[str]:
    """The spaces that are left blank, since the font has no glyph for them."""
    found = find_font(font)
    return found.spaces if found else frozenset()


@lru_cache(maxsize=8192)
def _plain_word(font: str, text: str) -> Word:
    """A word of one font. Words come again and again, so they are kept."""
    return Word((Piece(font, text),), text_width(font, text))


def _word(pieces: Sequence[Piece]) -> Word:
    """A word of pieces, with the places at which it may be broken."""
    parts: list[tuple[Piece, ...]] = []
    hyphens: list[str] = []
    part: list[Piece] = []
    for piece in pieces:
        for text in _BREAK.split(piece.text):
            if text in _BREAKS:
                if part:  # nothing is broken off before the first letter
                    parts.append(tuple(part))
                    hyphens.append(_BREAKS[text])
                    part = []
            elif text or piece.icon:
                part.append(Piece(piece.font, text, piece.icon))
    if part:
        parts.append(tuple(part))
    return _of_parts(tuple(parts), tuple(hyphens[: len(parts) - 1]))


def _of_parts(parts: tuple[tuple[Piece, ...], ...], hyphens: tuple[str, ...] = ()) -> Word:
    pieces = tuple(chain.from_iterable(parts))
    return Word(pieces, _width(pieces), parts if hyphens else (), hyphens)


def _width(pieces: Iterable[Piece]) -> float:
    """In em."""
    return sum(ICON_EM if piece.icon else text_width(piece.font, piece.text) for piece in pieces)


def fit(
    lines: list[list[Word]],
    font: Font,
    width: float,
    height: float,
    size: float,
    floor: float,
    leading: float,
    tight: float,
) -> Block | None:
    """The largest setting that fits into width × height mm: `leading` goes down to `tight`, then size to `floor`.

    Where a single word would stand in the last line of a paragraph, or the second of two lines would be short, its
    lines are made alike in width.
    """
    space = text_width(font.name, " ")
    block = _set(lines, space, width, size, leading)
    if block and block.height <= height:
        return block
    steps = int((size - floor) / SHRINK_STEP + 1e-9)
    low, high = 0, steps
    best: Block | None = None
    while low <= high:  # the fewest steps down that fit; smaller type never needs more room
        middle = (low + high) // 2
        block = _set(lines, space, width, size - middle * SHRINK_STEP, tight)
        if block and block.height <= height:
            best, high = block, middle - 1
        else:
            low = middle + 1
    if best and best.height < height:  # room is left: let the lines breathe again
        rows = max(1, len(best.lines) - 1) * best.size * POINT
        roomy = min(leading, tight + (height - best.height) / rows * 0.98)
        block = _set(lines, space, width, best.size, roomy)
        if block and block.height <= height:
            return block
    return best


def _set(lines: list[list[Word]], space: float, width: float, size: float, leading: float) -> Block | None:
    """Break lines at one size; None when a single word is wider than the box."""
    room = width / (size * POINT) + 1e-9
    rows: list[tuple[Word, ...]] = []
    gaps: list[int] = []
    gap = 0
    for line in lines:
        if not line:
            gap = 1
            continue
        broken = _broken(line, space, room)
        if broken is None:
            return None
        rows += _balanced(line, broken, space, room)
        gaps += [gap, *[0] * (len(broken) - 1)]
        gap = 0
    em = 1 + leading * (max(len(rows), 1) - 1) + PARAGRAPH_GAP * leading * sum(gaps)
    return Block(tuple(rows), tuple(gaps), size, leading, em * size * POINT)


def _broken(line: list[Word], space: float, room: float, most: int = 0) -> list[tuple[Word, ...]] | None:
    """A line broken greedily; None when a word is wider than the room, or when there would be more than `most`."""
    rows: list[tuple[Word, ...]] = []
    row: list[Word] = []
    used = 0.0
    for word in line:
        before = space if row else 0.0
        while used + before + word.width > room:
            parts = word.broken(room - used - before) if word.parts else None
            if parts:
                row.append(parts[0])
                word = parts[1]
            elif not row:
                return None
            rows.append(tuple(row))
            if len(rows) == most:
                return None
            row, used, before = [], 0.0, 0.0
        used += before + word.width
        row.append(word)
    return [*rows, tuple(row)]


def _balanced(line: list[Word], rows: list[tuple[Word, ...]], space: float, room: float) -> list[tuple[Word, ...]]:
    """As many rows, alike in width, when the last has a single word, or is less than half of the one before."""
    if len(rows) < 2 or (len(rows[-1]) > 1 and not (len(rows) == 2 and _length(rows[1]) < _length(rows[0]) / 2)):
        return rows
    low, high = 0.0, room
    best = rows
    for _ in range(BALANCING):
        middle = (low + high) / 2
        narrow = _broken(line, space, middle, len(rows))
        if narrow:
            best, high = narrow, middle
        else:
            low = middle
    return best if len(best[-1]) >= len(rows[-1]) else rows


def _length(row: tuple[Word, ...]) -> float:
    """About how long it is, in em."""
    return sum(word.width for word in row)


BALANCING = 8
"""Widths that are tried: to a two hundredth of the width."""
