"""Imposition: where every piece lies on the sheets. Arithmetic only; millimetres from the page's upper left corner.

Pieces are laid in rows ("shelves"), the tallest first, so that small counts of different stocks share a sheet. Each
front sheet is followed by its back sheet, mirrored for the edge over which the printer flips the leaf.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from grimalkin.content.stocks import Paper
from grimalkin.face import Face
from grimalkin.problems import Place, Problems

Flip = Literal["long", "short"]
EPSILON = 1e-6


@dataclass(frozen=True, slots=True)
class Item:
    """One piece to print: its faces, and the deck it belongs to."""

    front: Face
    back: Face | None
    deck: str

    @property
    def outer(self) -> tuple[float, float]:
        """Width and height with bleed."""
        stock = self.front.stock
        return stock.width + 2 * stock.bleed, stock.height + 2 * stock.bleed


@dataclass(frozen=True, slots=True)
class Slot:
    """A face on a sheet; x, y is the upper left corner of its trim."""

    face: Face
    x: float
    y: float
    deck: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """One side of a leaf. A back sheet without slots is the blank back of a one-sided leaf."""

    leaf: int
    side: Literal["front", "back"]
    slots: tuple[Slot, ...]

    @property
    def decks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(slot.deck for slot in self.slots))


def impose(items: Sequence[Item], paper: Paper, flip: Flip, place: Place, problems: Problems) -> list[Sheet]:
    """All sheets, fronts and backs alternating. A piece too large for the paper is a problem at `place`."""
    width, height = paper.width - 2 * paper.margin, paper.height - 2 * paper.margin
    for item in dict.fromkeys(items):
        outer_width, outer_height = item.outer
        if outer_width > width + EPSILON or outer_height > height + EPSILON:
            problems.add(
                place,
                f'"{item.front.id}" needs {outer_width:g} × {outer_height:g} mm with its bleed, '
                f"{paper.name} has room for {width:g} × {height:g} mm",
                "choose a smaller stock or a larger paper",
            )
    if problems:
        return []
    # Two-sided leaves first: a reader who prints on one side only can stop there.
    two_sided = [item for item in items if item.back]
    one_sided = [item for item in items if not item.back]
    sheets: list[Sheet] = []
    leaf = 0
    for group in (two_sided, one_sided):
        for placed in _leaves(group, paper, width, height):
            leaf += 1
            sheets.append(Sheet(leaf, "front", tuple(Slot(item.front, x, y, item.deck) for item, x, y in placed)))
            backs = (
                Slot(item.back, *_mirrored(item, x, y, paper, flip), item.deck) for item, x, y in placed if item.back
            )
            sheets.append(Sheet(leaf, "back", tuple(backs)))
    return sheets


def _mirrored(item: Item, x: float, y: float, paper: Paper, flip: Flip) -> tuple[float, float]:
    """Where the back lies so that it meets the front: flipping over the long edge of an upright page mirrors x."""
    if flip == "long":
        return paper.width - x - item.front.stock.width, y
    return x, paper.height - y - item.front.stock.height


Placed = list[tuple[Item, float, float]]

SHELF_GAP = 4.5
"""Between shelves whose cuts are not in line, so that each has room for its own marks."""


@dataclass(frozen=True, slots=True)
class _Shelf:
    """A row of pieces. Rows of one stock share a grid, so that their cuts are in line: `span` is its whole width."""

    items: tuple[Item, ...]
    span: float
    in_line: bool

    @property
    def height(self) -> float:
        return max(item.outer[1] for item in self.items)


def _leaves(items: Iterable[Item], paper: Paper, width: float, height: float) -> Iterator[Placed]:
    """Fill leaf after leaf with shelves, from the upper margin down."""
    leaf: Placed = []
    foot = 0.0
    for shelf in _shelves(items, width):
        top = foot if shelf.in_line or not leaf else foot + SHELF_GAP
        if leaf and top + shelf.height > height + EPSILON:
            yield leaf
            leaf, top = [], 0.0
        x = (paper.width - shelf.span) / 2
        for item in shelf.items:
            bleed = item.front.stock.bleed
            leaf.append((item, x + bleed, paper.margin + top + (shelf.height - item.outer[1]) / 2 + bleed))
            x += item.outer[0]
        foot = top + shelf.height
    if leaf:
        yield leaf


def _shelves(items: Iterable[Item], width: float) -> Iterator[_Shelf]:
    """Rows that fit the width. Decks keep their order; within a deck the tallest come first."""
    by_deck: dict[str, list[Item]] = {}
    for item in items:
        by_deck.setdefault(item.deck, []).append(item)
    for deck in by_deck.values():
        rows: list[list[Item]] = [[]]
        used = 0.0
        for item in sorted(deck, key=lambda item: -item.outer[1]):
            if rows[-1] and used + item.outer[0] > width + EPSILON:
                rows.append([])
                used = 0.0
            rows[-1].append(item)
            used += item.outer[0]
        spans = [sum(item.outer[0] for item in row) for row in rows]
        grid = len({item.front.stock for item in deck}) == 1
        for index, (row, span) in enumerate(zip(rows, spans, strict=True)):
            yield _Shelf(tuple(row), max(spans) if grid else span, grid and index > 0)
