"""Imposition: where every piece lies on the sheets. Arithmetic only; millimetres from the page's upper left corner.

Pieces lie in rows that a guillotine can part: first the rows, then the pieces of a row. A stock that fills whole sheets
gets the fullest sheet there is, with rows of turned pieces where that holds more; what is left over of all stocks
shares sheets. Trims keep to the paper's margin; bleed and marks may reach into it. Backs are the mirror image of their
fronts, over the edge at which the printer turns the leaf or over the line at which a sheet is folded.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple

from grimalkin.content.stocks import Paper, Stock
from grimalkin.problems import Place, Problems
from grimalkin.problems.plain import plural
from grimalkin.sheet.pieces import Piece
from grimalkin.sheet.settings import Settings

EPSILON = 1e-6
ROW_GAP = 4.5
"""Between neighbours whose cuts are not in line, so that each has room for its own marks."""
OVERLAP = 12.0
"""How much of a tiled piece neighbouring sheets both show."""
MOST_TILES = 64
WORDS = 7.2
"""How far the words above and below reach from the edge of the paper."""
LABEL_ROOM = 3.5
"""What they take at least from the room for trims. Who asks for a margin gets all of the rest."""

Side = Literal["front", "back"]
Fold = tuple[Literal["vertical", "horizontal"], float]
Box = tuple[float, float, float, float]
"""Left, top, right, foot."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A piece on a page."""

    piece: Piece
    side: Side
    x: float
    y: float
    """The upper left corner of the trim as it lies, after the turn."""
    turn: int = 0
    """0, 90, 180 or 270 degrees counter-clockwise."""
    room: Box = (0, 0, 0, 0)
    """How much bleed is shown on the left, above, on the right and below, in directions of the page."""
    window: Box | None = None
    """The part of the page on which a tiled piece is shown."""

    @property
    def width(self) -> float:
        return self.piece.stock.piece[1 if self.turn % 180 else 0]

    @property
    def height(self) -> float:
        return self.piece.stock.piece[0 if self.turn % 180 else 1]

    @property
    def trim(self) -> Box:
        return (self.x, self.y, self.x + self.width, self.y + self.height)

    @property
    def bleed(self) -> Box:
        """The trim with the bleed that is shown."""
        left, top, right, foot = self.room
        return (self.x - left, self.y - top, self.x + self.width + right, self.y + self.height + foot)


class Tile(NamedTuple):
    """Which part of a tiled piece a sheet holds, counted from 1."""

    column: int
    row: int
    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """One side of a leaf. A back sheet without slots is the blank back of a one-sided leaf."""

    leaf: int
    side: Side
    slots: tuple[Slot, ...]
    fold: Fold | None = None
    """The line over which the sheet is folded, so that fronts and backs on it meet."""
    leaves: tuple[int, ...] = ()
    """The leaves on whose backs it is printed, when one back page serves several."""
    template: str | None = None
    """The frozen template of a cutting machine that the sheet follows."""
    tile: Tile | None = None

    @property
    def decks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(slot.piece.deck for slot in self.slots))


def impose(pieces: Sequence[Piece], paper: Paper, settings: Settings, place: Place, problems: Problems) -> list[Sheet]:
    """All sheets: fronts, and backs as the settings have it. What cannot be laid out is a problem at `place`."""
    margin = paper.margin if settings.margin is None else settings.margin
    if 2 * margin + 10 + 2 * LABEL_ROOM >= min(paper.width, paper.height):
        problems.add(place, f"margins of {margin:g} mm leave nothing of {paper.name}", "give a smaller --margin")
        return []
    two_sided, one_sided = by_sides(pieces, settings)
    bleed = max((piece.stock.bleed for piece in pieces), default=0.0)
    label = max(LABEL_ROOM, WORDS + bleed - margin) if settings.margin is None else 0.0
    page = (margin, margin + label, paper.width - margin, paper.height - margin - label)
    sheets: list[Sheet] = []
    if settings.backs == "fold":
        sheets += _folded(two_sided, page, paper, settings, place, problems)
        two_sided = []
    for group in (two_sided, one_sided):
        # Only the first sheet of all can be used in part already.
        chosen = replace(settings, start_at=1) if sheets else settings
        for slots, tile in _pages(group, page, margin, chosen, place, problems):
            add_leaf(sheets, slots, paper, settings, tile=tile)
    _check_skipped(pieces, page, margin, paper, settings, problems)
    return [] if problems else sheets


def by_sides(pieces: Iterable[Piece], settings: Settings) -> tuple[list[Piece], list[Piece]]:
    """Pieces on two-sided leaves, which come first since a reader who prints one side only can stop there; the rest."""
    groups: tuple[list[Piece], list[Piece]] = ([], [])
    for piece in pieces:
        groups[0 if piece.two_sided and settings.backs != "none" else 1].append(piece)
    return groups


def add_leaf(
    sheets: list[Sheet],
    slots: tuple[Slot, ...],
    paper: Paper,
    settings: Settings,
    tile: Tile | None = None,
    template: str | None = None,
) -> None:
    """Add the front of the next leaf, and its back where backs have pages of their own."""
    front = Sheet(sheets[-1].leaf + 1 if sheets else 1, "front", slots, tile=tile, template=template)
    sheets.append(front)
    if settings.backs in ("duplex", "apart"):
        axis = "vertical" if settings.flip == "long" else "horizontal"
        backs = tuple(mirrored(slot, axis, paper) for slot in slots if slot.piece.two_sided)
        sheets.append(replace(front, side="back", slots=backs))


def _check_skipped(
    pieces: Sequence[Piece], page: Box, margin: float, paper: Paper, settings: Settings, problems: Problems
) -> None:
    """Places to skip are there, on the sheets of one stock at least."""
    if not settings.skip_slots or not pieces:
        return
    width, height = page[2] - page[0], page[3] - page[1]
    insets = {piece.stock: _inset(piece.stock.bleed, margin) for piece in pieces}
    grids = (best_grid(stock, width - inset, height - inset, settings.gutter) for stock, inset in insets.items())
    most, last = max(grid.capacity for grid in grids), max(settings.skip_slots)
    if last > most:
        has = f"the fullest has {plural(most, 'place')}" if most else "no piece shares a sheet with others"
        problems.add(Place("--skip-slots"), f"no sheet of {paper.name} has a place {last}", has)


def mirrored(slot: Slot, axis: str, paper: Paper) -> Slot:
    """The back of a slot: where it must lie to meet its front when the page is turned over a vertical line (the long
    edge of an upright page) or a horizontal one, and so that a card turned like the page of a book reads upright."""
    left, top, right, foot = slot.room
    window = slot.window
    if axis == "vertical":
        x, y, turn, room = paper.width - slot.x - slot.width, slot.y, -slot.turn % 360, (right, top, left, foot)
        window = window and (paper.width - window[2], window[1], paper.width - window[0], window[3])
    else:
        x, y, turn = slot.x, paper.height - slot.y - slot.height, (180 - slot.turn) % 360
        room = (left, foot, right, top)
        window = window and (window[0], paper.height - window[3], window[2], paper.height - window[1])
    return Slot(slot.piece, "back", x, y, turn, room, window)


def _folded(
    pieces: list[Piece], page: Box, paper: Paper, settings: Settings, place: Place, problems: Problems
) -> list[Sheet]:
    """Fronts on one half of a sheet and backs on the other, over the fold that needs fewer sheets."""
    if not pieces:
        return []
    keep = max(piece.stock.bleed for piece in pieces)
    ways: list[tuple[int, list[Sheet], Problems]] = []
    folds: list[Fold] = [("horizontal", paper.height / 2), ("vertical", paper.width / 2)]
    for fold in folds:
        half = (*page[:3], fold[1] - keep) if fold[0] == "horizontal" else (*page[:2], fold[1] - keep, page[3])
        found = Problems()
        sheets = [
            Sheet(leaf, "front", slots + tuple(mirrored(slot, fold[0], paper) for slot in slots), fold)
            for leaf, (slots, _) in enumerate(_pages(pieces, half, page[0], settings, place, found, tiles=False), 1)
        ]
        ways.append((10_000 * sum(1 for _ in found) + len(sheets), sheets, found))
    _, sheets, found = min(ways, key=lambda way: way[0])
    for problem in found:
        problems.add(problem.place, problem.message, problem.hint)
    return sheets


# One stock on a whole sheet


class Grid(NamedTuple):
    """The fullest sheet of one stock: so many rows of upright pieces, then so many of turned ones."""

    upright_rows: int
    upright: int
    turned_rows: int
    turned: int

    @property
    def is_even(self) -> bool:
        """Whether all pieces lie the same way, so that their cuts are in line."""
        return not (self.upright_rows and self.turned_rows)

    @property
    def capacity(self) -> int:
        return self.upright_rows * self.upright + self.turned_rows * self.turned


def best_grid(stock: Stock, width: float, height: float, gutter: float | None) -> Grid:
    """The rows that hold most pieces in a room of this size for trims; of equals, one with all pieces alike,
    and upright ones before turned ones."""
    w, h = stock.piece
    gap = _gap(stock, gutter)
    change = 2 * stock.bleed + ROW_GAP
    upright, turned = _fitting(w, width, gap), 0 if w == h else _fitting(h, width, gap)
    best = Grid(0, upright, 0, turned)
    for rows in range(_fitting(h, height, gap) if upright else 0, -1, -1):
        used = rows * h + max(rows - 1, 0) * gap
        left = height - used - change if rows else height
        grid = Grid(rows, upright, _fitting(w, left, gap) if turned else 0, turned)
        if (grid.capacity, grid.is_even) > (best.capacity, best.is_even):
            best = grid
    return best


def _fitting(size: float, room: float, gap: float) -> int:
    """How many pieces of a size fit side by side."""
    return max(0, math.floor((room + gap + EPSILON) / (size + gap)))


def _gap(stock: Stock, gutter: float | None) -> float:
    return 2 * stock.bleed if gutter is None else gutter


# Pages of rows


@dataclass(slots=True)
class _Row:
    """Pieces side by side, their tops in line; x is measured from the row's own left end."""

    items: list[tuple[Piece, int, float]]
    height: float
    width: float
    bleed: float
    kind: tuple[Stock, int] | None
    """Stock and turn, when all pieces of the row have the same: rows of one kind share their upright cuts."""


def _pages(
    pieces: Sequence[Piece],
    area: Box,
    margin: float,
    settings: Settings,
    place: Place,
    problems: Problems,
    tiles: bool = True,
) -> Iterator[tuple[tuple[Slot, ...], Tile | None]]:
    """The front slots of sheet after sheet; the trims lie in `area`."""
    width, height, gutter = area[2] - area[0], area[3] - area[1], settings.gutter
    chosen_places = settings.start_at > 1 or bool(settings.skip_slots)
    left_over: list[Piece] = []
    grids: dict[Stock, Grid] = {}  # of the stocks that have filled a sheet
    first = settings.start_at
    for stock, group in _by_stock(pieces).items():
        inset = _inset(stock.bleed, margin)
        grid = best_grid(stock, width - inset, height - inset, gutter)
        if not grid.capacity:
            yield from _tiled(group, area, stock, place, problems, tiles)
            continue
        numbers = [number for number in range(1, grid.capacity + 1) if number not in settings.skip_slots]
        free = [number for number in numbers if number >= first]
        if not numbers or (not free and first > grid.capacity):
            told = f"a sheet of {stock.name} has {plural(grid.capacity, 'place')}, and none of them is left to print on"
            problems.add(Place("--start-at, --skip-slots"), told, "name places that are there")
            continue
        while group and (chosen_places or len(group) >= grid.capacity):
            filled = dict(zip(free, group, strict=False))
            group, free, first = group[len(filled) :], numbers, 1
            grids[stock] = grid
            if filled:
                yield _placed(_grid_rows(stock, grid, gutter, filled), area, gutter), None
        left_over += group
    if len(kinds := {piece.stock for piece in left_over}) == 1 and (stock := kinds.pop()) in grids:
        # The last sheet of a deck is cut like the others.
        filled = dict(enumerate(left_over, 1))
        yield _placed(_grid_rows(stock, grids[stock], gutter, filled), area, gutter), None
        return
    for rows in _shared(left_over, width, height, margin, gutter):
        yield _placed(rows, area, gutter), None


def _by_stock(pieces: Sequence[Piece]) -> dict[Stock, list[Piece]]:
    groups: dict[Stock, list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(piece.stock, []).append(piece)
    return groups


def _inset(bleed: float, margin: float) -> float:
    """What a bleed wider than the margin takes from the room for trims, so that it stays on the paper."""
    return 2 * max(0.0, bleed - margin)


def _grid_rows(stock: Stock, grid: Grid, gutter: float | None, filled: dict[int, Piece]) -> list[_Row]:
    """The rows of a sheet of one stock; `filled` gives the piece at each place, from 1. Empty rows keep their room."""
    w, h = stock.piece
    gap = _gap(stock, gutter)
    rows: list[_Row] = []
    number = 0
    for count, turn, per_row in ((grid.upright_rows, 0, grid.upright), (grid.turned_rows, 90, grid.turned)):
        size, tall = (h, w) if turn else (w, h)
        for _ in range(count):
            places = range(number + 1, number + per_row + 1)
            items = [(filled[at], turn, (at - places[0]) * (size + gap)) for at in places if at in filled]
            rows.append(_Row(items, tall, per_row * size + (per_row - 1) * gap, stock.bleed, (stock, turn)))
            number += per_row
    return rows


def _shared(
    pieces: list[Piece], width: float, height: float, margin: float, gutter: float | None
) -> Iterator[list[_Row]]:
    """Rows for pieces of any stocks, the tallest first, each in the first row that has room; then rows to sheets."""
    turns = {
        stock: _cheapest_turn(stock, len(group), width - _inset(stock.bleed, margin), height, gutter)
        for stock, group in _by_stock(pieces).items()
    }
    size = {stock: stock.piece[::-1] if turn else stock.piece for stock, turn in turns.items()}
    rows: list[_Row] = []
    for piece in sorted(pieces, key=lambda piece: -size[piece.stock][1]):  # stable: decks keep their order
        stock = piece.stock
        wide, tall = size[stock]
        for row in rows:
            before = row.items[-1][0].stock
            gap = _gap(stock, gutter) if before == stock else before.bleed + stock.bleed + ROW_GAP
            room = width - _inset(max(row.bleed, stock.bleed), margin)
            if tall <= row.height + EPSILON and row.width + gap + wide <= room + EPSILON:
                row.items.append((piece, turns[stock], row.width + gap))
                row.width += gap + wide
                row.bleed = max(row.bleed, stock.bleed)
                row.kind = row.kind if row.kind == (stock, turns[stock]) else None
                break
        else:
            rows.append(_Row([(piece, turns[stock], 0.0)], tall, wide, stock.bleed, (stock, turns[stock])))
    sheets: list[list[_Row]] = []
    for row in rows:
        for sheet in sheets:
            bleed = max(one.bleed for one in [*sheet, row])
            if _height([*sheet, row], gutter) <= height - _inset(bleed, margin) + EPSILON:
                sheet.append(row)
                break
        else:
            sheets.append([row])
    yield from sheets


def _cheapest_turn(stock: Stock, count: int, width: float, height: float, gutter: float | None) -> int:
    """Whether the rows of so many pieces take less height upright or turned."""
    w, h = stock.piece
    gap = _gap(stock, gutter)
    costs: list[tuple[float, int]] = []
    for turn, wide, tall in ((0, w, h), (90, h, w)):
        fitting = _fitting(wide, width, gap)
        if fitting and tall <= height + EPSILON:
            costs.append((math.ceil(count / fitting) * (tall + gap), turn))
    return min(costs)[1]


def _row_gap(above: _Row, below: _Row, gutter: float | None) -> float:
    """Between two rows: the gutter when their cuts are in line, else room for the marks of both."""
    if above.kind is not None and above.kind == below.kind:
        return _gap(above.kind[0], gutter)
    return above.bleed + below.bleed + ROW_GAP


def _height(rows: list[_Row], gutter: float | None) -> float:
    gaps = (_row_gap(above, below, gutter) for above, below in pairwise(rows))
    return sum(row.height for row in rows) + sum(gaps)


def _placed(rows: list[_Row], area: Box, gutter: float | None) -> tuple[Slot, ...]:
    """The slots of a sheet: the block of rows in the middle of the area, its rows flush left, so that cuts line up."""
    slots: list[Slot] = []
    left = (area[0] + area[2] - max(row.width for row in rows)) / 2
    y = (area[1] + area[3] - _height(rows, gutter)) / 2
    for index, row in enumerate(rows):
        above, below = (
            0 <= other < len(rows) and row.kind is not None and rows[other].kind == row.kind
            for other in (index - 1, index + 1)
        )
        for piece, turn, x in row.items:
            bleed = piece.stock.bleed
            inner = bleed if gutter is None else min(bleed, gutter / 2)
            before = any(other.stock == piece.stock and at < x for other, _, at in row.items)
            after = any(other.stock == piece.stock and at > x for other, _, at in row.items)
            tall = piece.stock.piece[0 if turn else 1]
            room = (
                inner if before else bleed,
                inner if above else bleed,
                inner if after else bleed,
                inner if below and tall == row.height else bleed,
            )
            slots.append(Slot(piece, "front", left + x, y, turn, room))
        y += row.height + (_row_gap(row, rows[index + 1], gutter) if index + 1 < len(rows) else 0)
    return tuple(slots)


# Pieces larger than the paper


def _tiled(
    pieces: list[Piece], area: Box, stock: Stock, place: Place, problems: Problems, tiles: bool
) -> Iterator[tuple[tuple[Slot, ...], Tile | None]]:
    """A sheet for every part of a piece that is larger than the area; neighbours both show the overlap."""
    width, height = area[2] - area[0], area[3] - area[1]
    bleed = stock.bleed
    ways: list[tuple[float, int, int, int, float, float]] = [(math.inf, 0, 0, 0, 0, 0)]
    for turn in (0, 90) if min(width, height) >= 2 * OVERLAP else ():
        wide, tall = (size + 2 * bleed for size in (stock.piece[::-1] if turn else stock.piece))
        columns, rows = _tiles(wide, width), _tiles(tall, height)
        ways.append((columns * rows, turn, columns, rows, wide, tall))
    count, turn, columns, rows, wide, tall = min(ways)
    if count > MOST_TILES or not tiles:
        w, h = stock.piece
        told = f'"{pieces[0].id}" needs {w:g} × {h:g} mm, there is room for {width:g} × {height:g} mm'
        problems.add(place, told, "choose a smaller stock or a larger paper" + ("" if tiles else ", or --backs duplex"))
        return
    for piece in pieces:
        for row in range(rows):
            for column in range(columns):
                x = _tile_start(wide, width, column, columns, area[0])
                y = _tile_start(tall, height, row, rows, area[1])
                window = (max(x, area[0]), max(y, area[1]), min(x + wide, area[2]), min(y + tall, area[3]))
                slot = Slot(piece, "front", x + bleed, y + bleed, turn, (bleed, bleed, bleed, bleed), window)
                yield (slot,), Tile(column + 1, row + 1, columns, rows)


def _tiles(size: float, room: float) -> int:
    """How many sheets a length needs."""
    return 1 if size <= room + EPSILON else math.ceil((size - OVERLAP - EPSILON) / (room - OVERLAP))


def _tile_start(size: float, room: float, index: int, count: int, start: float) -> float:
    """Where the piece begins on the page of one of its tiles."""
    if count == 1:
        return start + (room - size) / 2
    return start - index * (size - room) / (count - 1)
