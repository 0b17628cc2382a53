"""Text that fits or fails: wrap, then tighten the leading, then shrink to a stated floor, then give up.

Lengths are millimetres, type sizes points, widths inside a word em.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from grimalkin.content.references import references
from grimalkin.face.fonts import Font, find_font, styled

POINT = 25.4 / 72
"""Millimetres in a point."""

SHRINK_STEP = 0.25
"""Sizes tried on the way down to the floor, in points."""

ICON_EM = 1.0
"""Width of an icon inside text, in em: icons are drawn as wide as the type is high."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a word in one font, or an icon (`icon` is its name and `text` is empty)."""

    font: str
    text: str
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """What is never broken: pieces, and their width in em."""

    pieces: tuple[Piece, ...]
    width: float


@dataclass(frozen=True, slots=True)
class Block:
    """A fitted text: lines of words, the type size in points, the distance of two baselines and of paragraphs in em."""

    lines: tuple[tuple[Word, ...], ...]
    gaps: tuple[int, ...]
    """How many paragraph gaps lie above each line."""
    size: float
    leading: float
    height: float
    """In millimetres, from the top of the first line to the foot of the last."""


class MissingGlyph(Exception):
    """A font lacks a character."""

    def __init__(self, font: str, char: str) -> None:
        super().__init__(f"the font {font} has no character {char!r} (U+{ord(char):04X})")


class UnknownFont(Exception):
    """No installed font has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f'there is no font "{name}"')
        self.name = name


PARAGRAPH_GAP = 0.45
"""Extra space above a paragraph, in lines."""

_EMPHASIS = re.compile(r"(\*\*\*|\*\*|\*)")


def read_words(text: str, font: str, words_of: dict[str, str]) -> list[list[Word]]:
    """Paragraph lines of words. `**bold**`, `*italic*`, `:icon:`; a newline breaks the line, a blank one the paragraph.

    References show their own words, else what `words_of` says for their id. An empty list stands for a blank line.
    """
    plain = _show_references(text, words_of) if "[[" in text else text
    if "*" not in plain and ":" not in plain:
        rows = [line.strip().split(" ") for line in plain.strip("\n").split("\n")]
        return [[_plain_word(font, chunk) for chunk in row if chunk] for row in rows]
    lines: list[list[Word]] = []
    bold = italic = False
    for line in plain.strip("\n").split("\n"):
        words: list[Word] = []
        pieces: list[Piece] = []
        for part in _EMPHASIS.split(line.strip()):
            if part in ("*", "**", "***"):
                bold ^= part != "*"
                italic ^= part != "**"
                continue
            for index, chunk in enumerate(part.split(" ")):
                if index and pieces:
                    words.append(_word(pieces))
                    pieces = []
                pieces.extend(_pieces(chunk, styled(font, bold, italic)))
        if pieces:
            words.append(_word(pieces))
        lines.append(words)
    return lines


def _show_references(text: str, words_of: dict[str, str]) -> str:
    shown: list[str] = []
    start = 0
    for reference in sorted(references(text), key=lambda reference: reference.start):
        if reference.kind != "icon":
            shown.append(text[start : reference.start])
            shown.append(reference.words or words_of.get(reference.name, reference.name))
            start = reference.end
    return "".join(shown) + text[start:]


def _pieces(chunk: str, font: str) -> Iterator[Piece]:
    start = 0
    if ":" not in chunk:
        if chunk:
            yield Piece(font, chunk)
        return
    for icon in (reference for reference in references(chunk) if reference.kind == "icon"):
        if icon.start > start:
            yield Piece(font, chunk[start : icon.start])
        yield Piece(font, "", icon.name)
        start = icon.end
    if start < len(chunk):
        yield Piece(font, chunk[start:])


@lru_cache(maxsize=8192)
def _plain_word(font: str, text: str) -> Word:
    """A word of one font. Words come again and again, so they are kept."""
    return Word((Piece(font, text),), text_width(font, text))


@lru_cache(maxsize=8192)
def text_width(font: str, text: str) -> float:
    """Width of a text in em. Raises UnknownFont and MissingGlyph."""
    found = find_font(font)
    if found is None:
        raise UnknownFont(font)
    try:
        return found.width(text)
    except KeyError as error:
        raise MissingGlyph(font, str(error.args[0])) from None


def _word(pieces: list[Piece]) -> Word:
    width = sum(ICON_EM if piece.icon else text_width(piece.font, piece.text) for piece in pieces)
    return Word(tuple(pieces), width)


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
    """The largest setting that fits into width × height mm: `leading` goes down to `tight`, then size to `floor`."""
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
    """Break lines greedily at one size; None when a single word is wider than the box."""
    room = width / (size * POINT) + 1e-9
    rows: list[tuple[Word, ...]] = []
    gaps: list[int] = []
    gap = 0
    for line in lines:
        if not line:
            gap = 1
            continue
        row: list[Word] = []
        used = 0.0
        for word in line:
            if word.width > room:
                return None
            if row and used + space + word.width > room:
                rows.append(tuple(row))
                gaps.append(gap)
                gap = 0
                row, used = [], 0.0
            used += word.width + (space if row else 0.0)
            row.append(word)
        rows.append(tuple(row))
        gaps.append(gap)
        gap = 0
    em = 1 + leading * (max(len(rows), 1) - 1) + PARAGRAPH_GAP * leading * sum(gaps)
    return Block(tuple(rows), tuple(gaps), size, leading, em * size * POINT)
