"""Text that fits or fails: wrap, then tighten the leading, then shrink to a stated floor, then give up.

Lines end at spaces, and within words where grimalkin.face.breaks says so.

Lengths are millimetres, type sizes points, widths inside a word em.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, groupby, pairwise
from typing import Literal, NamedTuple

from grimalkin.content.references import BREAK, ITEM, Reference, runs
from grimalkin.content.styles import COMMON, PLAIN, Look, look_within
from grimalkin.face.breaks import breaks
from grimalkin.face.fonts import Font, find_font, styled
from grimalkin.face.lists import BULLET, Begin, Item, begin_of, find_items
from grimalkin.face.shaping import MissingGlyph, split_by_font, text_width

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


Bond = Literal["", "joined", "closes", "opens"]
"""What a word is to its neighbours: it may follow the one before it without a space; no line may begin with it, or end.
"""


class Cut(NamedTuple):
    """Where a word may be broken in need: in which of its pieces, after how many letters, and what is printed then."""

    piece: int
    at: int
    hyphen: str


class Word(NamedTuple):
    """What is not parted when there is room: pieces, and their width in em."""

    pieces: tuple[Piece, ...]
    width: float
    cuts: tuple[Cut, ...] = ()
    bond: Bond = ""
    goes_on: bool = False
    """Whether what follows without a space stands in the next line."""
    scale: float = 1.0
    """The size of its largest piece, in em."""
    blank: float = 1.0
    """How wide the space before it is, in spaces of the text around."""
    hang: float = 0.0
    """Of what a line of a list begins with, a bullet, a number or nothing: how far in its words begin, in em."""

    def broken(self, room: float) -> tuple[Word, Word] | None:
        """What of it stands in a room in em, and what is left; None when nothing does."""
        best: tuple[int, Word] | None = None
        for number, cut in enumerate(self.cuts, 1):
            piece = self.pieces[cut.piece]
            before, text = self.pieces[: cut.piece], piece.text[: cut.at]
            whole = piece._replace(text=text + cut.hyphen, icon="")
            head = (*before, whole) if whole.text else before
            if (width := _width(head)) <= room:
                best = number, self._replace(pieces=head, width=width, cuts=(), goes_on=True)
            elif width - _width([piece._replace(text=cut.hyphen, icon="")]) > room:
                break
        return (best[1], self.after(best[0])) if best else None

    def before(self, number: int) -> Word:
        """What stands before a cut, counted from 1, with its hyphen."""
        cut = self.cuts[number - 1]
        piece = self.pieces[cut.piece]
        whole = piece._replace(text=piece.text[: cut.at] + cut.hyphen, icon="")
        head = (*self.pieces[: cut.piece], *([whole] if whole.text else []))
        return self._replace(pieces=head, width=_width(head), cuts=self.cuts[: number - 1], goes_on=True)

    def after(self, number: int) -> Word:
        """What is left behind so many cuts."""
        first = self.cuts[number - 1]
        piece = self.pieces[first.piece]
        left = piece._replace(text=piece.text[first.at :])
        pieces = (*([left] if left.text or left.icon else []), *self.pieces[first.piece + 1 :])
        gone = len(self.pieces) - len(pieces)
        cuts = (
            cut._replace(piece=cut.piece - gone, at=cut.at - (first.at if cut.piece == first.piece else 0))
            for cut in self.cuts[number:]
        )
        return self._replace(pieces=pieces, width=_width(pieces), cuts=tuple(cuts), bond="")


Row = tuple[Word, ...]


class Block(NamedTuple):
    """A fitted text: lines of words, the type size in points, the distance of two baselines and of paragraphs in em."""

    lines: tuple[tuple[Word, ...], ...]
    gaps: tuple[int, ...]
    """How many paragraph gaps lie above each line."""
    ends: tuple[bool, ...]
    """Whether each line is the last one before a break that was written."""
    size: float
    leading: float
    height: float
    """In millimetres, from the top of the first line to the foot of the last."""
    growth: tuple[float, ...]
    """What each line needs above it because of larger or smaller words in it and in the line before, in em."""


PARAGRAPH_GAP = 0.45
"""Extra space above a paragraph, in lines."""

_UNSEEN = (0x200C, 0x200D, 0x200E, 0x200F, 0xFEFF, *range(0xFE00, 0xFE10))
_ENDS = {9: " ", 0x0B: "\n", 0x0C: "\n", 0x85: "\n", 0x2028: "\n", 0x2029: "\n\n"}
_BLANK: dict[int, str | None] = {**dict.fromkeys(_UNSEEN), **_ENDS, 0x2010: "-"}
"""What fonts have no letter for: signs for joining, directions and emoji, which say nothing here; tabs, line ends; and
the hyphen that is nothing else, for which few fonts have a sign of its own."""
_BREAKING: dict[int, str | None] = {0xAD: None, 0x200B: None, 0x2060: None, 0x2011: "-"}
"""What says where a line may end, and where it may not; it is not printed, or as a hyphen."""
_UNBROKEN = _BLANK | _BREAKING
_JOINING = re.compile("[\u0600-\u11ff]")
"""Letters of scripts in which signs for joining decide on their forms: of Arabia, India and further east."""
_MARKED = re.compile(r"[*:{\\]|\[\[|\n[ \t]*(?:-|\d{1,9}\.)[ \t]")
_EDGE = re.compile("([ \n\u2028])")
_EDGES = frozenset(" \n\u2028")
_JOINED_SPACE = re.compile("\u2060 | \u2060")
ICON_SIGN = "\ufffc"
"""What stands for an icon where only the letters beside it matter."""
_CLOSES = re.compile("[–—…!?:;»%]+")
"""What no line begins with though a space is before it. A guillemet between spaces that opens ends none."""
MOST_CUTS = 50
"""Of a word that may be broken. No word of a language has so many."""


def written(text: str, breaks: bool = False) -> str:
    r"""A text as fonts have letters for it: composed (NFC), without signs that nobody sees; with `breaks`, places where
    words may be broken stay.

    >>> written("e\u0301\u200b-\tx"), written("hyphen\u00adate", True)
    ('é- x', 'hyphen\xadate')
    """
    if text.isascii() and text.isprintable():
        return text
    blank = _BLANK if breaks else _UNBROKEN
    if _JOINING.search(text):
        blank = {code: sign for code, sign in blank.items() if code not in (0x200C, 0x200D)}
    text = unicodedata.normalize("NFC", text).translate(blank)
    return _JOINED_SPACE.sub("\u00a0", text) if "\u2060" in text else text


def plainly_written(text: str, font: str) -> str:
    """The same, with common spaces for those that the font leaves blank: for what is no face."""
    text = written(text)
    blanks = blank_spaces(font)
    return text if text.isascii() else "".join(" " if char in blanks else char for char in text)


def read_words(
    text: str,
    font: str,
    words_of: Mapping[str, str],
    looks: Mapping[str, Look] = COMMON,
    language: str = "",
    base: Look = PLAIN,
    styled: Callable[[str, bool, bool], str] = styled,
) -> list[list[Word]]:
    """Paragraph lines of words, without the marks in them. A newline breaks the line, a blank one the paragraph.

    References show their own words, else what `words_of` says for their id; styles look as in `looks`. An empty list
    stands for a blank line. A line of a list begins with a word that hangs. With a language that can be hyphenated,
    words may be broken between its syllables. `base` is how all of it looks. `font` may name several, with commas
    between; `styled` gives the names of their bold and italic.
    """
    plain = written(text, True).strip("\n")
    is_plain = not _MARKED.search(plain) and not ITEM.match(plain)
    if is_plain and (plain.isascii() or blank_spaces(font).isdisjoint(plain)):
        words_of_text = _plain_words(font, language, base)
        rows = [filter(None, line.strip().split(" ")) for line in plain.split("\n")]
        return [list(chain.from_iterable(map(words_of_text, row))) for row in rows]

    def named(reference: Reference) -> str:
        return words_of.get(reference.name, reference.name)

    lines: list[list[Word]] = [[]]
    begins: list[Begin] = [Begin()]
    pieces: list[Piece] = []
    blank = 1.0

    def end_word() -> None:
        if pieces:
            first, *more = words_of_pieces(tuple(pieces), language) or (None,)
            if first:
                lines[-1] += [first if blank == 1 else first._replace(blank=blank), *more]
            pieces.clear()

    within: dict[tuple[str, ...], Look] = {(): base}
    for run in runs(plain, named):
        look = within.get(run.styles) or within.setdefault(run.styles, look_within(run.styles, looks).within(base))
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
    return _hung(lines, items, font.partition(",")[0])


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
    return "\u2060".join(text.translate(_UNBROKEN).replace(" ", "\u00a0"))


def _pieces(chunk: str, font: str, look: Look = PLAIN) -> list[Piece]:
    """Parts of a word, each of one font; spaces without a glyph are parts of their own."""
    if not chunk:
        return []
    spaces = blank_spaces(font)
    parts = [chunk]
    if not chunk.isascii() and not spaces.isdisjoint(chunk):
        parts = ["".join(part) for _, part in groupby(chunk, lambda char: char in spaces and char)]
    return [Piece(one, text, "", look) for part in parts for one, text in split_by_font(part, font)]


def blank_spaces(font: str) -> frozenset[str]:
    """The spaces that are left blank, since the font, or the first of several, has no glyph for them."""
    found = find_font(font.partition(",")[0])
    return found.spaces if found else frozenset()


@lru_cache(maxsize=256)
def _plain_words(font: str, language: str, look: Look) -> Callable[[str], tuple[Word, ...]]:
    """What tells the words of a text without spaces and marks. They come again and again, so they are kept."""
    is_one = "," not in font

    @lru_cache(maxsize=8192)
    def words_of_text(text: str) -> tuple[Word, ...]:
        if is_one and text.isalnum() and text.isascii() and not language:  # most words: no line ends within
            piece = Piece(font, text, "", look)
            return (Word((piece,), piece_width(piece), scale=look.scale),)
        return words_of_pieces(tuple(_pieces(text, font, look)), language)

    return words_of_text


@lru_cache(maxsize=8192)
def words_of_pieces(pieces: tuple[Piece, ...], language: str = "") -> tuple[Word, ...]:
    """What stands between two spaces as words: one, or several between which a line may end. They come again, too."""
    places = breaks("".join(piece.text or ICON_SIGN for piece in pieces), language)
    if not places and all(piece.text.isascii() for piece in pieces):  # most words
        return tuple(_words(list(pieces), [], False))
    ends = list(places)
    words: list[Word] = []
    shown: list[Piece] = []
    cuts: list[Cut] = []
    at = 0
    for piece in pieces:
        text, begin, end = "", 0, len(piece.text or ICON_SIGN)
        for place in ends[bisect_right(ends, at) : bisect_right(ends, at + end)]:
            text += piece.text[begin : place - at].translate(_BREAKING)
            begin = place - at
            if places[place] != "free":
                hyphen = "-" if places[place] == "soft" and not text.endswith("-") else ""
                text_width(piece.font, hyphen)  # a font without hyphens is told
                cuts.append(Cut(len(shown), len(text), hyphen))
                continue
            shown += [piece._replace(text=text)] if text else []
            words += _words(shown, cuts, bool(words))
            text, shown, cuts = "", [], []
        text += piece.text[begin:].translate(_BREAKING)
        shown += [piece._replace(text=text)] if text or piece.icon else []
        at += end
    return (*words, *_words(shown, cuts, bool(words)))


def _words(pieces: list[Piece], cuts: list[Cut], joined: bool) -> list[Word]:
    """A word, or none when there is nothing in it. Nothing is cut off before its first letter and after its last."""
    if not pieces:
        return []
    end = (len(pieces) - 1, len(pieces[-1].text or ICON_SIGN))
    kept = tuple(cut for cut in cuts if (0, 0) < cut[:2] < end) if len(cuts) <= MOST_CUTS else ()
    alone = pieces[0].text if len(pieces) == 1 else ""
    bond: Bond = "joined" if joined else "closes" if _CLOSES.fullmatch(alone) else "opens" if alone == "«" else ""
    scale = max([piece.look.scale for piece in pieces])
    return [Word(tuple(pieces), _width(pieces), kept, bond, scale=scale)]


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


Filled = tuple[float, float]
"""How much of a line is filled well enough to leave a word with soft hyphens whole, and one with hyphens of its own."""


class _Paragraph(NamedTuple):
    """A line as it was written, and where each of its words ends when nothing breaks it, in em."""

    words: list[Word]
    ends: list[float]
    bonds: bool
    """Whether any of them is bound to a neighbour, and whether any may be broken."""
    cuts: bool
    sign: Word | None = None
    """What hangs before its words, when it is an item of a list."""


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
) -> Block | None:
    """The largest setting that fits into width × height mm: `leading` goes down to `tight`, then size to `floor`.

    Where a single word would stand in the last line of a paragraph, or a short line, its lines are made alike in width;
    with `balance`, everywhere. With `justify`, lines are about to be filled by wider spaces.
    """
    space = font.space
    paragraphs = [_measured(line, space) for line in lines]
    is_even = all(word.scale == 1 for line in lines for word in line)

    def set_in(size: float, leading: float) -> Block | None:
        return _set(paragraphs, width, height, size, leading, justify, balance, is_even)

    block = set_in(size, leading)
    if block:
        return block
    steps = int((size - floor) / SHRINK_STEP + 1e-9)
    low, high = 0, steps
    while low <= high:  # the fewest steps down that fit; smaller type never needs more room
        middle = (low + high) // 2
        smaller = set_in(size - middle * SHRINK_STEP, tight)
        if smaller:
            block, high = smaller, middle - 1
        else:
            low = middle + 1
    if block and block.height < height:  # room is left: let the lines breathe again
        rows = max(1, len(block.lines) - 1) * block.size * POINT
        roomy = min(leading, tight + (height - block.height) / rows * 0.98)
        return set_in(block.size, roomy) or block
    return block


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
    is_even: bool,
) -> Block | None:
    """Break lines at one size; None when a single word is wider than the box, or when they are too high for it.

    `is_even`: all words are of one size.
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
        rows = _balanced(paragraph, rows, room - sign.hang if sign else room, justify, balance)
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
    """What lines need above them because of larger words, and the last one below it; smaller words give room. In em."""
    more = [max([word.scale for word in row if word.pieces], default=1.0) - 1 for row in rows or [()]]
    between = (leading * (_ABOVE * here + (1 - _ABOVE) * above) for above, here in pairwise(more))
    return (_ABOVE * more[0], *between), (1 - _ABOVE) * more[-1]


def _in_few_lines(paragraph: _Paragraph, room: float, filled: Filled, most: int) -> list[Row] | None:
    """Broken within no more words than `filled` asks for, unless that costs a line; bound words part in need alone."""
    rows = _broken(paragraph, room, filled, most)
    if paragraph.cuts:
        rows = _broken(paragraph, room, ALL, len(rows) - 1 if rows else most) or rows
    if rows or not any(word.bond in ("closes", "opens") for word in paragraph.words):
        return rows
    words = [word if word.bond == "joined" else word._replace(bond="") for word in paragraph.words]
    return _broken(paragraph._replace(words=words), room, ALL, most)


def _broken(paragraph: _Paragraph, room: float, filled: Filled, most: int) -> list[Row] | None:
    """A paragraph broken greedily; None when a word is wider than the room, or when there would be more than `most`.

    A word is broken where the words before it leave more of a line than `filled` allows, and where it must. The last
    one, and one after MOST_BROKEN lines that end in a broken word, only must.
    """
    words, ends, bonds, _, _ = paragraph
    rows: list[Row] = []
    first, last, streak = 0, len(words) - 1, 0
    begin = 0.0
    """Where the row begins, on the line that the ends are told of."""
    left: Word | None = None
    """What is left of its first word."""
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
    """Before which word a line that begins with `first` may end; `first` when it may not end before `end`."""
    while end > first and (words[end].bond == "closes" or words[end - 1].bond == "opens"):
        end -= 1
    return end


def _balanced(paragraph: _Paragraph, rows: list[Row], room: float, justify: bool, balance: bool) -> list[Row]:
    """As many rows, alike in width, when the last is short or when asked to; no more words are broken for it.

    Rows that are to be filled are made no narrower than they must be.
    """
    if len(rows) < 2 or not (balance or _ends_short(rows, room, justify)):
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
        elif justify and not _ends_short(narrow, room, justify):
            best, low = narrow, middle
        else:
            best, high = best if justify else narrow, middle
    return best if len(best[-1]) >= len(rows[-1]) else rows


def _ends_short(rows: list[Row], room: float, justify: bool) -> bool:
    """Whether the last row holds less than a fifth; or, in ragged ones, a single word, or half of the row before."""
    last = _length(rows[-1])
    if justify:
        return last < room / 5
    return len(rows[-1]) == 1 or last < (_length(rows[0]) / 2 if len(rows) == 2 else room / 5)


def _closed_up(row: Row) -> Row:
    """A row in which words that follow each other without a space are one."""
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
        words[-1] = words[-1]._replace(pieces=pieces, width=_width(pieces), goes_on=word.goes_on)
    return tuple(words)


def _length(row: Row) -> float:
    """About how long it is, in em."""
    return sum(word.width for word in row)


BALANCING = 8
"""Widths that are tried: to a two hundredth of the width."""
RAGGED, FULL, ALL, NONE = (0.8, 0.6), (0.95, 0.95), (1.0, 1.0), (0.0, 0.0)
"""For lines that stay ragged, for lines to be filled, for as few lines as can be, for no broken words."""
MOST_BROKEN = 2
"""Lines in a row that end in a broken word."""
