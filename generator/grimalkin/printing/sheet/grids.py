"""Rows of pieces that a guillotine can cut: their grids, the gaps between them, and their places in a room.

Sheets are filled with the least bleed between neighbours that cuts well; the remaining room then goes to their bleeds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from grimalkin.content.stocks import Stock
from grimalkin.printing.sheet.pieces import EPSILON, MARKS, Box, Piece, Slot
from grimalkin.printing.sheet.settings import Gutter

LEAST_BLEED = 0.85
"""The least bleed on every side, in millimetres: nine poker cards on Letter leave 0.9 for each. Half of that would do
for a guillotine, but not for scissors."""
BLEED_STEP = 0.05
"""The steps in which bleed grows from there, in millimetres."""
ROW_GAP = 4.5
"""White between neighbours whose cuts are not in line, if there is room, so that each has its own marks."""


def size_of(room: Box) -> tuple[float, float]:
    return room[2] - room[0], room[3] - room[1]


# One stock on a whole sheet


class Grid(NamedTuple):
    """The fullest sheet of one stock: rows of upright pieces, then rows of turned ones."""

    upright_rows: int
    upright: int
    turned_rows: int
    turned: int

    @property
    def is_even(self) -> bool:
        """Return whether all pieces lie the same way, so that their cuts are in line."""
        return not (self.upright_rows and self.turned_rows)

    @property
    def capacity(self) -> int:
        return self.upright_rows * self.upright + self.turned_rows * self.turned


def best_grid(stock: Stock, width: float, height: float, gutter: Gutter) -> Grid:
    """Return the rows that hold the most pieces in a room of this size for trims and bleeds. Among equals, prefer a
    grid with all pieces turned alike, then the one with the most bleed, then upright pieces."""
    w, h = stock.piece
    gaps = Gaps(gutter, least_bleed(gutter))
    gap, edge = gaps.within(stock.bleed), gaps.shown(stock.bleed)

    def fitting(size: float, room: float) -> int:
        return max(0, math.floor((room - 2 * edge + gap + EPSILON) / (size + gap)))

    def worth(grid: Grid) -> tuple[int, bool, float]:
        along = ((grid.upright, w, grid.upright_rows, h), (grid.turned, h, grid.turned_rows, w))
        bleeds = (min(width / n - wide, height / rows - tall) / 2 for n, wide, rows, tall in along if n and rows)
        return grid.capacity, grid.is_even, min([stock.bleed, *bleeds])

    upright, turned = fitting(w, width), 0 if w == h else fitting(h, width)
    grids = [Grid(0, upright, 0, turned)]
    for rows in range(fitting(h, height) if upright else 0, -1, -1):
        used = rows * (h + gap) + 2 * edge - gap if rows else 0.0
        grids.append(Grid(rows, upright, fitting(w, height - used) if turned else 0, turned))
    return max(grids, key=worth)


def fullest(stock: Stock, rooms: list[Box], gutter: Gutter) -> tuple[Box, Grid]:
    """Return the room that holds the most pieces of a stock (the first of equals), and its grid."""
    grids = ((room, best_grid(stock, *size_of(room), gutter)) for room in rooms)
    return max(grids, key=lambda one: one[1].capacity)


class Gaps(NamedTuple):
    """The distances between neighbours in one direction, in millimetres."""

    gutter: Gutter
    most: float
    """The maximum bleed that is shown."""
    white: float = 0.0
    """White between neighbours whose cuts are not in line, in addition to their bleeds."""

    def shown(self, bleed: float) -> float:
        return min(bleed, self.most)

    def within(self, bleed: float) -> float:
        """Return the distance between neighbours with cuts in line."""
        return self.gutter if isinstance(self.gutter, float | int) else 2 * self.shown(bleed)

    def between(self, bleed: float, other: float) -> float:
        """Return the distance between all others."""
        return self.shown(bleed) + self.shown(other) + self.white

    def beside(self, stock: Stock, other: Stock) -> float:
        """Return the distance between neighbours in a row."""
        return self.within(stock.bleed) if _alike(stock, other) else self.between(stock.bleed, other.bleed)

    def shared(self, bleed: float) -> float:
        """Return the bleed shown towards a neighbour with cuts in line."""
        return min(bleed, self.within(bleed) / 2)


def _alike(one: Stock | None, other: Stock) -> bool:
    return one is other or (one is not None and one == other)


def least_bleed(gutter: Gutter) -> float:
    """Return the least bleed between neighbours."""
    return math.inf if gutter == "bleed" else LEAST_BLEED


# Rows of any stocks


class _Item(NamedTuple):
    """A place in a row, and the piece in it."""

    stock: Stock
    turn: int
    piece: Piece | None

    @property
    def width(self) -> float:
        return self.stock.piece[1 if self.turn else 0]

    @property
    def height(self) -> float:
        return self.stock.piece[0 if self.turn else 1]


@dataclass(slots=True)
class Row:
    """Places side by side, their tops in line, the tallest first."""

    items: list[_Item]
    bleed: float = field(init=False)
    """The widest of its pieces."""
    kind: tuple[Stock, int] | None = field(init=False)
    """Stock and turn, if all pieces of the row share them: rows of one kind share their upright cuts."""

    def __post_init__(self) -> None:
        first, *others = self.items
        self.bleed, self.kind = first.stock.bleed, first[:2]
        for item in others:
            self._widen(item)

    def add(self, item: _Item) -> None:
        self.items.append(item)
        self._widen(item)

    def _widen(self, item: _Item) -> None:
        self.bleed = max(self.bleed, item.stock.bleed)
        if self.kind != item[:2]:
            self.kind = None

    @property
    def height(self) -> float:
        return self.items[0].height

    def starts(self, gaps: Gaps) -> list[float]:
        """Return where each trim begins, from the row's own left end."""
        starts = [0.0]
        for item, after in pairwise(self.items):
            starts.append(starts[-1] + item.width + gaps.beside(item.stock, after.stock))
        return starts


def by_stock(pieces: Sequence[Piece]) -> dict[Stock, list[Piece]]:
    groups: dict[Stock, list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(piece.stock, []).append(piece)
    return groups


def grid_rows(stock: Stock, grid: Grid, filled: dict[int, Piece]) -> list[Row]:
    """Return the rows of a sheet of one stock; `filled` has the pieces by place, from 1. Empty rows keep their room."""
    rows: list[Row] = []
    number = 1
    for count, turn, per_row in ((grid.upright_rows, 0, grid.upright), (grid.turned_rows, 90, grid.turned)):
        for _ in range(count):
            rows.append(Row([_Item(stock, turn, filled.get(at)) for at in range(number, number + per_row)]))
            number += per_row
    return rows


def fewest_sheets(pieces: list[Piece], rooms: list[Box], gutter: Gutter) -> tuple[Box, list[list[Row]]]:
    """Return the fewest sheets for pieces of any stocks, with the most bleed among these, and their room."""
    least = least_bleed(gutter)
    packed = ((room, _packed(pieces, room, Gaps(gutter, least))) for room in rooms)
    room, fewest = min(((room, sheets) for room, sheets in packed if sheets is not None), key=lambda way: len(way[1]))
    for most in (3.0, 2.5, 2.0, 1.5, 1.25, 1.0) if least == LEAST_BLEED else ():
        sheets = _packed(pieces, room, Gaps(gutter, most))
        if sheets is not None and len(sheets) == len(fewest):
            return room, sheets
    return room, fewest


def _packed(pieces: list[Piece], room: Box, gaps: Gaps) -> list[list[Row]] | None:
    """Put each piece, tallest first, into the first row with room, then rows on sheets. None if a piece does not fit.

    Rows begin at the same line, so the widest bleed of a sheet stays free beside all of its rows.
    """
    width, height = size_of(room)
    turns: dict[Stock, int] = {}
    for stock, group in by_stock(pieces).items():
        turn = _cheapest_turn(stock, len(group), width, height, gaps)
        if turn is None:
            return None
        turns[stock] = turn
    rows: list[Row] = []
    lengths: list[float] = []
    items = [_Item(piece.stock, turns[piece.stock], piece) for piece in pieces]
    for item in sorted(items, key=lambda item: -item.height):  # stable: decks keep their order
        for index, row in enumerate(rows):
            length = lengths[index] + gaps.beside(row.items[-1].stock, item.stock) + item.width
            if length + 2 * gaps.shown(max(row.bleed, item.stock.bleed)) <= width + EPSILON:
                row.add(item)
                lengths[index] = length
                break
        else:
            rows.append(Row([item]))
            lengths.append(item.width)
    sheets: list[list[Row]] = []
    for row in rows:
        for sheet in sheets:
            fuller = [*sheet, row]
            if _height(fuller, gaps) <= height + EPSILON and _width(fuller, gaps) <= width + EPSILON:
                sheet.append(row)
                break
        else:
            sheets.append([row])
    return sheets


def _cheapest_turn(stock: Stock, count: int, width: float, height: float, gaps: Gaps) -> int | None:
    """Return the turn, 0 or 90, in which rows of this many pieces need less height; None if neither fits."""
    w, h = stock.piece
    gap, edges = gaps.within(stock.bleed), 2 * gaps.shown(stock.bleed)
    costs: list[tuple[float, int]] = []
    for turn, wide, tall in ((0, w, h), (90, h, w)):
        fitting = math.floor((width - edges + gap + EPSILON) / (wide + gap))
        if fitting > 0 and tall + edges <= height + EPSILON:
            costs.append((math.ceil(count / fitting) * (tall + gap), turn))
    return min(costs)[1] if costs else None


def _width(rows: list[Row], gaps: Gaps) -> float:
    """Return the width of the block of rows, with the bleed at both ends."""
    trims = max(row.starts(gaps)[-1] + row.items[-1].width for row in rows)
    return trims + 2 * gaps.shown(max(row.bleed for row in rows))


def _height(rows: list[Row], gaps: Gaps) -> float:
    """Return the height of the block of rows, with the bleed above and below."""
    between = (_row_gap(above, below, gaps) for above, below in pairwise(rows))
    edges = gaps.shown(rows[0].bleed) + gaps.shown(rows[-1].bleed)
    return sum(row.height for row in rows) + sum(between) + edges


def _row_gap(above: Row, below: Row, gaps: Gaps) -> float:
    in_line = above.kind is not None and above.kind == below.kind
    return gaps.within(above.bleed) if in_line else gaps.between(above.bleed, below.bleed)


def _grown(rows: list[Row], gutter: Gutter, room: float, size: Callable[[list[Row], Gaps], float]) -> Gaps | None:
    """Return the widest gaps with which rows fit a room: the whole bleed, with white between unlike neighbours, or
    otherwise as much bleed as there is room for, the same for all. None if rows do not fit."""
    own, least = max(row.bleed for row in rows), least_bleed(gutter)
    whole = (Gaps(gutter, own, white) for white in (ROW_GAP, *range(4, -1, -1)))
    parts = (Gaps(gutter, round(step * BLEED_STEP, 2)) for step in range(math.ceil(own / BLEED_STEP), 0, -1))
    wide_enough = (gaps for gaps in (*whole, *parts) if gaps.most >= min(own, least))
    return next((gaps for gaps in wide_enough if size(rows, gaps) <= room + EPSILON), None)


def gaps_of(rows: list[Row], room: Box, gutter: Gutter) -> tuple[Gaps, Gaps]:
    """Return the gaps across and down a sheet. Bleed grows evenly as far as it can; one direction goes on alone if that
    leaves room for marks."""
    sizes = tuple(zip(size_of(room), (_width, _height), strict=True))
    across, down = (_grown(rows, gutter, *one) for one in sizes)
    assert across and down, "rows are made to fit"
    even = min(across.most, down.most)
    less_across, less_down = (_grown(rows, gutter, length - 2 * MARKS, size) for length, size in sizes)
    return (
        less_across if less_across and less_across.most >= even else across,
        less_down if less_down and less_down.most >= even else down,
    )


def slots_of(rows: list[Row], room: Box, gaps: tuple[Gaps, Gaps]) -> tuple[Slot, ...]:
    """Return the slots of a sheet: the block of rows in the middle of the room, flush left, so that cuts line up."""
    across, down = gaps
    slots: list[Slot] = []
    left = (room[0] + room[2] - _width(rows, across)) / 2 + across.shown(max(row.bleed for row in rows))
    y = (room[1] + room[3] - _height(rows, down)) / 2 + down.shown(rows[0].bleed)
    for index, row in enumerate(rows):
        above, below = (
            0 <= other < len(rows) and row.kind is not None and rows[other].kind == row.kind
            for other in (index - 1, index + 1)
        )
        stocks = [item.stock if item.piece else None for item in row.items]
        befores, afters = [None, *stocks], [*stocks[1:], None]
        for item, x, before, after in zip(row.items, row.starts(across), befores, afters, strict=False):
            if item.piece is None:
                continue
            bleed = item.stock.bleed
            bleed_room = (
                across.shared(bleed) if _alike(before, item.stock) else across.shown(bleed),
                down.shared(bleed) if above else down.shown(bleed),
                across.shared(bleed) if _alike(after, item.stock) else across.shown(bleed),
                down.shared(bleed) if below else down.shown(bleed),
            )
            slots.append(Slot(item.piece, "front", left + x, y, item.turn, bleed_room))
        y += row.height + (_row_gap(row, rows[index + 1], down) if index + 1 < len(rows) else 0)
    return tuple(slots)
