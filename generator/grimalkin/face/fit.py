"""Text that fits or fails: wrap, then tighten the leading, then shrink to a stated floor, then give up.

Lengths are millimetres, type sizes points, widths inside a word em.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, groupby, pairwise
from typing import NamedTuple

from grimalkin.content.references import BREAK, ITEM, Reference, runs
from grimalkin.content.styles import COMMON, PLAIN, Look, look_within
from grimalkin.face.fonts import Font, find_font, styled
from grimalkin.face.lists import BULLET, Begin, Item, begin_of, find_items
from grimalkin.face.shaping import MissingGlyph, text_width

POINT = 25.4 / 72
"""Millimetres in a point."""

SHRINK_STEP = 0.25
"""Sizes tried on the way down to the floor, in points."""

ICON_EM = 1.0
"""Width of an icon inside text, in em: icons are drawn as wide as the type is high."""
ITEM_GAP = 0.4
"""What is left blank between the bullet or number of a list's item and its words, in em."""
_ABOVE = 0.8
"""The part of a line that stands above its baseline: so much of what larger words need is given above."""


class Piece(NamedTuple):
    """Part of a word in one font, or an icon (`icon` is its name and `text` is empty)."""

    font: str
    text: str
    icon: str = ""
    look: Look = PLAIN
    """Its colour, size and features; its font is bold or italic already."""


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
    scale: float = 1.0
    """The size of its largest piece, in em."""
    blank: float = 1.0
    """How wide the space before it is, in spaces of the text around."""
    hang: float = 0.0
    """Of what a line of a list begins with, a bullet, a number or nothing: how far in its words begin, in em."""

    def broken(self, room: float) -> tuple[Word, Word] | None:
        """What of it stands in a room in em, and what is left; None when nothing does."""
        best = 0
        width = 0.0
        for index, part in enumerate(self.parts[:-1]):
            width += _width(part)
            if width > room:
                break
            if width + _width([part[-1]._replace(text=self.hyphens[index], icon="")]) <= room:
                best = index + 1
        if not best:
            return None
        *before, last = self.parts[:best]
        hyphen = last[-1]._replace(text=self.hyphens[best - 1], icon="")
        head = [*chain.from_iterable(before), *last, *([hyphen] if hyphen.text else [])]
        first = Word(tuple(head), _width(head), goes_on=True, scale=self.scale, blank=self.blank)
        return first, _of_parts(self.parts[best:], self.hyphens[best:])


class Block(NamedTuple):
    """A fitted text: lines of words, the type size in points, the distance of two baselines and of paragraphs in em."""

    lines: tuple[tuple[Word, ...], ...]
    gaps: tuple[int, ...]
    """How many paragraph gaps lie above each line."""
    size: float
    leading: float
    height: float
    """In millimetres, from the top of the first line to the foot of the last."""
    growth: tuple[float, ...]
    """What each line needs above it because of larger or smaller words in it and in the line before, in em."""


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
_MARKED = re.compile(r"[*:{\\\u00ad\u200b]|\[\[|\n[ \t]*(?:-|\d{1,9}\.)[ \t]")
_EDGE = re.compile("([ \n\u2028])")
_EDGES = frozenset(" \n\u2028")


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


def read_words(
    text: str, font: str, words_of: Mapping[str, str], looks: Mapping[str, Look] = COMMON
) -> list[list[Word]]:
    """Paragraph lines of words, without the marks in them. A newline breaks the line, a blank one the paragraph.

    References show their own words, else what `words_of` says for their id; styles look as in `looks`. An empty list
    stands for a blank line. A line of a list begins with a word that hangs.
    """
    plain = written(text, True).strip("\n")
    is_plain = not _MARKED.search(plain) and not ITEM.match(plain)
    if is_plain and (plain.isascii() or blank_spaces(font).isdisjoint(plain)):
        rows = [line.strip().split(" ") for line in plain.split("\n")]
        return [[_plain_word(font, chunk) for chunk in row if chunk] for row in rows]

    def named(reference: Reference) -> str:
        return words_of.get(reference.name, reference.name)

    lines: list[list[Word]] = [[]]
    begins: list[Begin] = [Begin()]
    pieces: list[Piece] = []
    blank = 1.0

    def end_word() -> None:
        word = _word(pieces)
        if word.pieces:
            lines[-1].append(word if blank == 1 else word._replace(blank=blank))
        pieces.clear()

    within: dict[tuple[str, ...], Look] = {(): PLAIN}
    for run in runs(plain, named):
        look = within.get(run.styles) or within.setdefault(run.styles, look_within(run.styles, looks))
        style = styled(font, run.bold or look.bold, run.italic or look.italic)
        if run.item:
            begins[-1] = begin_of(run.item)
            continue
        if run.icon:
            pieces.append(Piece(font, "", run.icon, look))
            continue
        for chunk in _EDGE.split(_whole(run.text) if look.whole else run.text):
            if chunk not in _EDGES:
                pieces.extend(_pieces(chunk, style, look))
                continue
            if not lines[-1] and not pieces and chunk == " " and not begins[-1].sign:
                begins[-1] = begins[-1]._replace(indent=begins[-1].indent + 1)
            end_word()
            blank = look.scale
            if chunk != " ":
                lines.append([])
                begins.append(Begin(is_forced=chunk == BREAK))
    end_word()
    if not any(begin.sign for begin in begins):
        return lines
    items = find_items(begin._replace(is_empty=not line) for begin, line in zip(begins, lines, strict=True))
    return _hung(lines, items, font)


def _hung(lines: list[list[Word]], items: Mapping[int, Item], font: str) -> list[list[Word]]:
    """The same lines with bullets and numbers before the items of lists."""
    signs = {item.sign: Piece(font, _bullet(font) if item.sign == BULLET else item.sign) for item in items.values()}
    inward: dict[int, float] = {}
    """How far in the words of each list begin, beside the list around it."""
    for item in items.values():
        inward[item.lists[-1]] = max(inward.get(item.lists[-1], 0), _width([signs[item.sign]]) + ITEM_GAP)
    hung = list(lines)
    for at, item in items.items():
        sign, hang = signs[item.sign], sum(inward[one] for one in item.lists)
        hung[at] = [Word((sign,) if item.sign else (), _width([sign]), hang=hang), *lines[at]]
    return hung


def _bullet(font: str) -> str:
    """What stands before items: a bullet, or what comes next to it in a font without one."""
    for sign in "•–":
        with suppress(MissingGlyph):
            text_width(font, sign)
            return sign
    return "-"


def _whole(text: str) -> str:
    """A text in which no line ends by itself."""
    return _BREAK.sub("", text).replace(" ", "\u00a0")


def _pieces(chunk: str, font: str, look: Look = PLAIN) -> list[Piece]:
    """Parts of a word; spaces without a glyph are parts of their own."""
    spaces = blank_spaces(font)
    if chunk.isascii() or spaces.isdisjoint(chunk):
        return [Piece(font, chunk, "", look)] if chunk else []
    return [Piece(font, "".join(part), "", look) for _, part in groupby(chunk, lambda char: char in spaces and char)]


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
                part.append(piece if text == piece.text else piece._replace(text=text))
    if part:
        parts.append(tuple(part))
    return _of_parts(tuple(parts), tuple(hyphens[: len(parts) - 1]))


def _of_parts(parts: tuple[tuple[Piece, ...], ...], hyphens: tuple[str, ...] = ()) -> Word:
    pieces = tuple(chain.from_iterable(parts))
    word = Word(pieces, _width(pieces), parts if hyphens else (), hyphens)
    if all(piece.look is PLAIN for piece in pieces):
        return word
    return word._replace(scale=max([piece.look.scale for piece in pieces]))


def _width(pieces: Iterable[Piece]) -> float:
    """In em."""
    return sum(map(piece_width, pieces))


def piece_width(piece: Piece) -> float:
    """In em of the text around it."""
    if piece.look is PLAIN:
        return ICON_EM if piece.icon else text_width(piece.font, piece.text)
    return piece.look.scale * (ICON_EM if piece.icon else text_width(piece.font, piece.text, piece.look.variant))


def row_width(words: Sequence[Word], space: float) -> float:
    """How wide a line is, in em, its indentation too."""
    if words and words[0].hang:
        return words[0].hang + row_width(words[1:], space)
    return sum([word.width + space * word.blank for word in words]) - (space * words[0].blank if words else 0)


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
    is_even = all(word.scale == 1 for line in lines for word in line)
    block = _set(lines, space, width, size, leading, is_even)
    if block and block.height <= height:
        return block
    steps = int((size - floor) / SHRINK_STEP + 1e-9)
    low, high = 0, steps
    best: Block | None = None
    while low <= high:  # the fewest steps down that fit; smaller type never needs more room
        middle = (low + high) // 2
        block = _set(lines, space, width, size - middle * SHRINK_STEP, tight, is_even)
        if block and block.height <= height:
            best, high = block, middle - 1
        else:
            low = middle + 1
    if best and best.height < height:  # room is left: let the lines breathe again
        rows = max(1, len(best.lines) - 1) * best.size * POINT
        roomy = min(leading, tight + (height - best.height) / rows * 0.98)
        block = _set(lines, space, width, best.size, roomy, is_even)
        if block and block.height <= height:
            return block
    return best


def _set(
    lines: list[list[Word]], space: float, width: float, size: float, leading: float, is_even: bool
) -> Block | None:
    """Break lines at one size; None when a single word is wider than the box. `is_even`: all words are of one size."""
    room = width / (size * POINT) + 1e-9
    rows: list[tuple[Word, ...]] = []
    gaps: list[int] = []
    gap = 0
    for line in lines:
        if not line:
            gap = 1
            continue
        hang = line[0].hang
        words = line[1:] if hang else line
        broken = _broken(words, space, room - hang)
        if broken is None:
            return None
        broken = _balanced(words, broken, space, room - hang)
        if hang:
            broken = [(line[0]._replace(pieces=()) if at else line[0], *row) for at, row in enumerate(broken)]
        rows += broken
        gaps += [gap, *[0] * (len(broken) - 1)]
        gap = 0
    growth, foot = ((0.0,) * len(rows), 0.0) if is_even else _growth(rows, leading)
    em = 1 + leading * (max(len(rows), 1) - 1) + PARAGRAPH_GAP * leading * sum(gaps) + sum(growth) + foot
    return Block(tuple(rows), tuple(gaps), size, leading, em * size * POINT, growth)


def _growth(rows: list[tuple[Word, ...]], leading: float) -> tuple[tuple[float, ...], float]:
    """What lines need above them because of larger words, and the last one below it; smaller words give room. In em."""
    more = [max([word.scale for word in row if word.pieces], default=1.0) - 1 for row in rows or [()]]
    between = (leading * (_ABOVE * here + (1 - _ABOVE) * above) for above, here in pairwise(more))
    return (_ABOVE * more[0], *between), (1 - _ABOVE) * more[-1]


def _broken(line: list[Word], space: float, room: float, most: int = 0) -> list[tuple[Word, ...]] | None:
    """A line broken greedily; None when a word is wider than the room, or when there would be more than `most`."""
    rows: list[tuple[Word, ...]] = []
    row: list[Word] = []
    used = 0.0
    for word in line:
        before = space * word.blank if row else 0.0
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
