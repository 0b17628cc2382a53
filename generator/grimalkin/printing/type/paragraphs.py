"""Break a paragraph into lines so that it looks best as a whole, rather than line by line.

The method is that of Knuth and Plass (Breaking Paragraphs into Lines, 1981), without the parts that rulebooks do not
need: every way to break the paragraph has demerits, and the one with the fewest is chosen. Widths are in em.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grimalkin.printing.type.words import Word

STRETCH, SHRINK = 0.5, 0.27
"""How much a space of a filled line may stretch and shrink before it counts as bad, as parts of it."""
WORST = 4.0
"""How many times the usual stretch is accepted if there is nothing better."""
HYPHEN, TWO_HYPHENS, SHORT_END, TOO_LOOSE, TOO_WIDE = 3_600.0, 4_000.0, 3_000.0, 1e6, 1e12
"""Demerits of a broken word, of two on consecutive lines, of a very short last line, of a line with holes, and of a
line that sticks out."""
RAGGED = 4.0
"""How far from the edge, in em, an unfilled line may end before it counts as bad."""
LEAST_END = 0.12
"""The least length of a last line, as a fraction of the width."""


class Line(NamedTuple):
    """A line: its words, the width added to each space and the total width."""

    words: tuple[Word, ...]
    spread: float
    width: float


class _Break(NamedTuple):
    """The end of a line, after a word or at one of its cuts, counted from 1, and the breaks that led there."""

    word: int
    cut: int
    first: int
    """The first word of the next line, and"""
    lost: float
    """how much of it is on the previous line."""
    demerits: float = 0.0
    start: _Break | None = None
    spread: float = 0.0


def broken(words: Sequence[Word], room: float, space: float, filled: bool = True) -> list[Line]:
    """Break a paragraph into lines of a given width. A wider word sticks out.

    `space` is the width of a space; if `filled`, all lines but the last reach both edges.
    """
    return _Paragraph(words, room, space, filled).lines() if words else []


class _Paragraph:
    def __init__(self, words: Sequence[Word], room: float, space: float, filled: bool) -> None:
        self.words, self.room, self.space, self.filled = words, room, space, filled
        self.widths, self.spaces = [0.0], [0.0]
        """The total width of the words before each word, and of the spaces between them."""
        for index, word in enumerate(words):
            self.spaces.append(self.spaces[-1] + (self.blank(word) if index else 0.0))
            self.widths.append(self.widths[-1] + word.width)
        self.parts: dict[tuple[int, int], tuple[Word, Word]] = {}

    def blank(self, word: Word) -> float:
        return 0.0 if word.bond == "joined" else word.blank * self.space

    def part(self, word: int, cut: int) -> tuple[Word, Word]:
        """Return the parts of a word before and after a cut."""
        if (word, cut) not in self.parts:
            self.parts[word, cut] = self.words[word].before(cut), self.words[word].after(cut)
        return self.parts[word, cut]

    def lines(self) -> list[Line]:
        """Return the best lines, breaking words only if nothing else looks good."""
        whole = self.found(is_whole=True)
        good = all(line.width <= self.room + 1e-9 and line.spread <= STRETCH * self.space for line in whole)
        ragged = self.filled or all(line.width >= self.room - RAGGED for line in whole[:-1])
        return whole if good and ragged else self.found(is_whole=False)

    def found(self, is_whole: bool) -> list[Line]:
        """Return the best lines; with `is_whole`, no word is broken."""
        active = [_Break(-1, 0, 0, 0.0)]
        last = len(self.words) - 1
        for at, word in enumerate(self.words):
            for cut in range(1, 1 if is_whole else len(word.cuts) + 1):
                active = self.reached(active, at, cut)
            if at < last and word.bond != "opens" and self.words[at + 1].bond != "closes":
                active = self.reached(active, at, 0)
        end: _Break | None = self.reached(active, last, 0)[-1]
        found: list[Line] = []
        while end and end.start:
            found.append(self.line(end.start, end))
            end = end.start
        return found[::-1]

    def reached(self, active: Sequence[_Break], at: int, cut: int) -> list[_Break]:
        """Return the breaks at which a later line can still begin; the last is this position, reached in the best way.

        This loop takes most of the time of making a book.
        """
        room, filled, widths, spaces = self.room, self.filled, self.widths, self.spaces
        lost = self.words[at].width - self.part(at, cut)[1].width if cut else 0.0
        width, blanks = widths[at + 1], spaces[at + 1]
        if cut:
            width -= self.words[at].width - self.part(at, cut)[0].width
        is_last = at == len(self.words) - 1 and not cut
        kept: list[_Break] = []
        best, least, looseness = active[0], float("inf"), 0.0
        for start in active:
            first = start.first
            blank = blanks - spaces[first + 1]
            natural = width - widths[first] - start.lost + blank
            spare = room - natural
            is_wide = natural - blank * SHRINK > room if filled else spare < 0
            if not is_wide:
                kept.append(start)
            demerits, ratio, spread = start.demerits, 0.0, 0.0
            if is_wide:
                demerits += TOO_WIDE * (1 + natural - room)
                spread = -SHRINK if filled else 0.0
            elif is_last and spare >= 0:
                demerits += SHORT_END if natural < LEAST_END * room and start.start else 0.0
            elif not filled:
                ratio = spare / RAGGED
            else:
                give = blank * (STRETCH if spare >= 0 else SHRINK)
                ratio = abs(spare) / give if give else 10 * WORST
                demerits += TOO_LOOSE if ratio > WORST else 0.0
                spread = spare / blank if blank else 0.0
            demerits += (10 + 100 * min(ratio, 10.0) ** 3) ** 2
            if cut:
                demerits += HYPHEN + (TWO_HYPHENS if start.cut else 0.0)
            if demerits < least:
                best, least, looseness = start, demerits, spread
        kept.append(_Break(at, cut, at if cut else at + 1, lost, least, best, looseness * self.space))
        return kept

    def line(self, start: _Break, end: _Break) -> Line:
        first = start.first
        found = list(self.words[first : end.word + 1])
        if end.cut:
            found[-1] = self.part(end.word, end.cut)[0]
        if start.cut and first == end.word and end.cut:  # the middle of a long word
            found[0] = self.words[first].after(start.cut).before(end.cut - start.cut)
        elif start.cut:
            found[0] = self.part(first, start.cut)[1]
        gaps = [self.blank(word) / self.space for word in found[1:]] if self.space else []
        wide = sum(word.width for word in found) + sum(gaps) * (self.space + end.spread)
        return Line(tuple(found), end.spread, wide)
