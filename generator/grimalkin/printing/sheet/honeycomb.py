"""Nest hexagons in a honeycomb: more on a sheet than in rows, but to be cut with scissors or a knife.

Columns of hexagons with a flat top (or rows of those with a pointed one) are shifted by half a hexagon in turn. Lengths
are in millimetres from the page's upper left corner.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from grimalkin.content.stocks import Stock
from grimalkin.printing.sheet.grids import BLEED_STEP, Gaps, least_bleed, size_of
from grimalkin.printing.sheet.pieces import EPSILON, Box, Piece, Point, Slot, corners_of
from grimalkin.printing.sheet.settings import Gutter

SLANT = math.sqrt(3) / 2
"""The sine of 60 degrees."""


class Nest(NamedTuple):
    """A honeycomb of a stock in a room: lines of hexagons side by side, each second one shifted by half a hexagon."""

    stock: Stock
    room: Box
    gutter: Gutter
    turn: int = 0
    lines: int = 0
    long: int = 0
    """Hexagons in the first line and each second one after it."""
    short: int = 0
    """Hexagons in the other lines."""

    @property
    def capacity(self) -> int:
        return (self.lines + 1) // 2 * self.long + self.lines // 2 * self.short

    @property
    def is_flat(self) -> bool:
        """Return whether hexagons have a side on top, so that lines run down the page."""
        wide, tall = self.stock.piece
        return (wide > tall) != (self.turn == 90)

    def size(self, bleed: float) -> tuple[float, float]:
        """Return the size across the lines and along them, with this bleed around the block."""
        short, long = sorted(self.stock.piece)
        step = short + Gaps(self.gutter, bleed).within(self.stock.bleed)
        across = (self.lines - 1) * step * SLANT + long + 2 * bleed / SLANT
        shifted = step / 2 if self.lines > 1 else 0.0
        along = max((self.long - 1) * step, (self.short - 1) * step + shifted) + short + 2 * bleed
        return across, along

    def fits(self, bleed: float) -> bool:
        wide, tall = size_of(self.room)
        across, along = self.size(bleed)
        free = (wide, tall) if self.is_flat else (tall, wide)
        return across <= free[0] + EPSILON and along <= free[1] + EPSILON

    @property
    def bleed(self) -> float:
        """Return the bleed around the block: as much as the room leaves, up to the stock's own."""
        own, least = self.stock.bleed, min(self.stock.bleed, least_bleed(self.gutter))
        steps = (round(step * BLEED_STEP, 2) for step in range(math.ceil(own / BLEED_STEP), 0, -1))
        return next((one for one in (own, *steps) if least <= one <= own and self.fits(one)), least)

    def places(self) -> list[Point]:
        """Return the upper left corners of the boxes around all hexagons, row by row."""
        bleed = self.bleed
        step = min(self.stock.piece) + Gaps(self.gutter, bleed).within(self.stock.bleed)
        across, along = self.size(bleed)
        wide, tall = size_of(self.room)
        free = (wide, tall) if self.is_flat else (tall, wide)
        spare = (free[0] - across) / 2, (free[1] - along) / 2
        found = []
        for line in range(self.lines):
            for at in range(self.short if line % 2 else self.long):
                u = spare[0] + bleed / SLANT + line * step * SLANT
                v = spare[1] + bleed + at * step + (step / 2 if line % 2 else 0)
                x, y = (u, v) if self.is_flat else (v, u)
                found.append((self.room[0] + x, self.room[1] + y))
        return sorted(found, key=lambda place: (round(place[1], 3), place[0]))

    def slots(self, filled: Mapping[int, Piece]) -> tuple[Slot, ...]:
        """Return the slots of a sheet; `filled` has the pieces by place, from 1."""
        places, bleed = self.places(), self.bleed
        inner = Gaps(self.gutter, bleed).shared(self.stock.bleed)
        blank = Piece("", "", self.stock, False)
        slots = [Slot(filled.get(number, blank), "front", *place, self.turn) for number, place in enumerate(places, 1)]
        step = min(self.stock.piece) + Gaps(self.gutter, bleed).within(self.stock.bleed)
        middles = {_cell_of(slot.x + slot.width / 2, slot.y + slot.height / 2) for slot in slots}
        made = []
        for number, slot in enumerate(slots, 1):
            if number in filled:
                made.append(_nested(slot, step, bleed, inner, middles))
        return tuple(made)


def best_nest(stock: Stock, rooms: list[Box], gutter: Gutter) -> Nest | None:
    """Return the fullest honeycomb, upright or turned, in any of the rooms (the first of equals); None if none fits."""
    if stock.shape != "hexagon":
        return None
    nests = (nest for room in rooms for turn in (0, 90) for nest in _nests(stock, room, gutter, turn))
    return max(nests, key=lambda nest: nest.capacity, default=None)


def _nests(stock: Stock, room: Box, gutter: Gutter, turn: int) -> Iterator[Nest]:
    """Yield the honeycombs of one or more lines that fit a room in one way."""
    least = min(stock.bleed, least_bleed(gutter))
    short, _ = sorted(stock.piece)
    step = short + Gaps(gutter, least).within(stock.bleed)
    blank = Nest(stock, room, gutter, turn)
    length = size_of(room)[1 if blank.is_flat else 0] - 2 * least
    long = math.floor((length - short + EPSILON) / step) + 1 if length >= short - EPSILON else 0
    shifted = math.floor((length - short - step / 2 + EPSILON) / step) + 1 if length >= short + step / 2 else 0
    lines = 1
    while long and (nest := blank._replace(lines=lines, long=long, short=shifted)).fits(least):
        yield nest
        lines += 1


def _cell_of(x: float, y: float) -> tuple[int, int]:
    return round(x * 10), round(y * 10)


def _nested(slot: Slot, step: float, outer: float, inner: float, middles: set[tuple[int, int]]) -> Slot:
    """Return a slot with its cell: its hexagon with bleed, as far as the neighbours let it."""
    x, y = slot.x + slot.width / 2, slot.y + slot.height / 2
    corners = corners_of(slot)
    normals, reach = [], []
    for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        middle = ((x1 + x2) / 2 - x, (y1 + y2) / 2 - y)
        away = math.hypot(*middle)
        normal = (middle[0] / away, middle[1] / away)
        column, row = _cell_of(x + normal[0] * step, y + normal[1] * step)
        has_neighbour = any((column + dx, row + dy) in middles for dx in (-1, 0, 1) for dy in (-1, 0, 1))
        normals.append(normal)
        reach.append(inner if has_neighbour else outer)
    cell = []
    for index, (cx, cy) in enumerate(corners):
        (ax, ay), (bx, by) = normals[index - 1], normals[index]
        one, other = reach[index - 1], reach[index]
        # Normals of neighbouring sides are 60 degrees apart.
        a, b = (one - other / 2) / 0.75, (other - one / 2) / 0.75
        cell.append((cx + a * ax + b * bx, cy + a * ay + b * by))
    left, right = min(px for px, _ in cell), max(px for px, _ in cell)
    top, foot = min(py for _, py in cell), max(py for _, py in cell)
    room = (slot.x - left, slot.y - top, right - slot.x - slot.width, foot - slot.y - slot.height)
    return Slot(slot.piece, slot.side, slot.x, slot.y, slot.turn, room, cell=tuple(cell))
