"""Imposition: where each piece goes on the sheets. Only arithmetic, in millimetres from the page's upper left corner.

Pieces are in rows that a guillotine can cut: first the rows, then the pieces in a row. A stock that fills whole sheets
gets the fullest sheet possible, with rows of turned pieces if that holds more; the remaining pieces of all stocks share
sheets. Sheets are filled with the least bleed between neighbours that cuts well; the remaining room then goes to their
bleeds. Everything, including text and marks, stays within the paper's margins. Backs mirror their fronts over
the edge on which the printer flips the leaf or the line along which a sheet is folded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Literal, NamedTuple

from grimalkin.content.stocks import USUAL, Paper, Stock
from grimalkin.problems import Place, Problems
from grimalkin.problems.plain import plural
from grimalkin.sheet.pieces import Piece
from grimalkin.sheet.settings import Gutter, Settings

EPSILON = 1e-6
LEAST_BLEED = 0.85
"""The least bleed on every side, in millimetres: nine poker cards on Letter leave 0.9 for each. Half of that would do
for a guillotine, but not for scissors."""
BLEED_STEP = 0.05
"""The steps by which bleed grows from there, in millimetres."""
ROW_GAP = 4.5
"""White between neighbours whose cuts are not in line, if there is room, so that each has its own marks."""
MARKS = 3.5
"""The distance that marks extend beyond the bleed, if there is room."""
STRIP = 2.2
"""The room for a line of text on two opposite sides of a sheet."""
WORDS_EDGE = 3.0
"""The distance of text from the edge of the paper, whatever the margin; nearly every printer can print there."""
OVERLAP = 12.0
"""The part of a tiled piece that two neighbouring sheets both show."""
MOST_TILES = 64

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
    """The upper left corner of the trim, after the turn."""
    turn: int = 0
    """0, 90, 180 or 270 degrees counter-clockwise."""
    room: Box = (0, 0, 0, 0)
    """The visible bleed on the left, above, on the right and below, as seen on the page."""
    window: Box | None = None
    """The part of the page that shows a tiled piece."""

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
    """The part of a tiled piece on a sheet, counted from 1."""

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
    """The line along which the sheet is folded, so that fronts and backs on it meet."""
    leaves: tuple[int, ...] = ()
    """The leaves on whose backs the page is printed, if one back page serves several."""
    template: str | None = None
    """The frozen template of a cutting machine that the sheet follows."""
    tile: Tile | None = None

    @property
    def decks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(slot.piece.deck for slot in self.slots))


def impose(pieces: Sequence[Piece], paper: Paper, settings: Settings, place: Place, problems: Problems) -> list[Sheet]:
    """Return all sheets: fronts, and backs by the settings. A piece that cannot be laid out is a problem at `place`."""
    rooms = _rooms(paper, settings)
    if min(right - left for left, _, right, _ in rooms) < 10 or min(foot - top for _, top, _, foot in rooms) < 10:
        margin = paper.said_margin if settings.margin is None else f"{settings.margin:g}"
        problems.add(place, f"margins of {margin} mm leave no room on {paper.name}", "give a smaller --margin")
        return []
    two_sided, one_sided = by_sides(pieces, settings)
    sheets: list[Sheet] = []
    if settings.backs == "fold":
        sheets += _folded(two_sided, rooms, paper, settings, place, problems)
        two_sided = []
    for group in (two_sided, one_sided):
        # Only the very first sheet may have used places already.
        chosen = replace(settings, start_at=1) if sheets else settings
        for slots, tile in _pages(group, rooms, paper, chosen, place, problems):
            add_leaf(sheets, slots, paper, settings, tile=tile)
    _check_skipped(pieces, rooms, paper, settings, problems)
    return [] if problems else sheets


def printable(paper: Paper, settings: Settings) -> Box:
    """Return the paper within its margins, which holds everything printed."""
    left, top, right, foot = paper.margins if settings.margin is None else (settings.margin,) * 4
    return (left, top, paper.width - right, paper.height - foot)


def _rooms(paper: Paper, settings: Settings) -> list[Box]:
    """Return the rooms for pieces with their bleed: between text on the left and the right, and between text above and
    below. If the option or the paper's file sets a margin, pieces may also fill everything within it."""
    left, top, right, foot = whole = printable(paper, settings)
    edges = (left, top, paper.width - right, paper.height - foot)
    words = [max(WORDS_EDGE - edge, 0) + STRIP for edge in edges]
    rooms = [(left + words[0], top, right - words[2], foot), (left, top + words[1], right, foot - words[3])]
    is_asked_for = settings.margin is not None or {*paper.margins} != {USUAL}
    return [*rooms, whole] if is_asked_for else rooms


def _size(room: Box) -> tuple[float, float]:
    return room[2] - room[0], room[3] - room[1]


def by_sides(pieces: Iterable[Piece], settings: Settings) -> tuple[list[Piece], list[Piece]]:
    """Return the pieces for two-sided leaves, then the rest, which can be printed on one side only."""
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
    """Add the front of the next leaf, and its back if backs have their own pages."""
    front = Sheet(sheets[-1].leaf + 1 if sheets else 1, "front", slots, tile=tile, template=template)
    sheets.append(front)
    if settings.backs in ("duplex", "apart"):
        axis = "vertical" if settings.flip == "long" else "horizontal"
        backs = tuple(mirrored(slot, axis, paper) for slot in slots if slot.piece.two_sided)
        sheets.append(replace(front, side="back", slots=backs))


def _check_skipped(
    pieces: Sequence[Piece], rooms: list[Box], paper: Paper, settings: Settings, problems: Problems
) -> None:
    """Report slots to skip that are on no sheet."""
    if not settings.skip_slots or not pieces:
        return
    most = max(_fullest(stock, rooms, settings.gutter)[1].capacity for stock in {piece.stock for piece in pieces})
    last = max(settings.skip_slots)
    if last > most:
        has = f"the fullest has {plural(most, 'place')}" if most else "no piece shares a sheet with others"
        problems.add(Place("--skip-slots"), f"no sheet of {paper.name} has a place {last}", has)


def mirrored(slot: Slot, axis: str, paper: Paper) -> Slot:
    """Return the back of a slot, placed to meet its front when the page is turned over a vertical line (the long edge
    of an upright page) or a horizontal one. A card turned like the page of a book then reads upright."""
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
    pieces: list[Piece], rooms: list[Box], paper: Paper, settings: Settings, place: Place, problems: Problems
) -> list[Sheet]:
    """Return sheets with fronts on one half and backs on the other, with the fold that needs fewer sheets."""
    if not pieces:
        return []
    ways: list[tuple[int, list[Sheet], Problems]] = []
    folds: list[Fold] = [("horizontal", paper.height / 2), ("vertical", paper.width / 2)]
    for fold in folds:
        halves = [
            (left, top, right, fold[1]) if fold[0] == "horizontal" else (left, top, fold[1], foot)
            for left, top, right, foot in rooms
        ]
        found = Problems()
        sheets = [
            Sheet(leaf, "front", slots + tuple(mirrored(slot, fold[0], paper) for slot in slots), fold)
            for leaf, (slots, _) in enumerate(_pages(pieces, halves, paper, settings, place, found, is_folded=True), 1)
        ]
        ways.append((10_000 * sum(1 for _ in found) + len(sheets), sheets, found))
    _, sheets, found = min(ways, key=lambda way: way[0])
    for problem in found:
        problems.add(problem.place, problem.message, problem.hint)
    return sheets


# One stock on a whole sheet


class Grid(NamedTuple):
    """The fullest sheet of one stock: rows of upright pieces, then rows of turned ones."""

    upright_rows: int
    upright: int
    turned_rows: int
    turned: int

    @property
    def is_even(self) -> bool:
        """Return whether all pieces are turned the same way, so that their cuts are in line."""
        return not (self.upright_rows and self.turned_rows)

    @property
    def capacity(self) -> int:
        return self.upright_rows * self.upright + self.turned_rows * self.turned


def best_grid(stock: Stock, width: float, height: float, gutter: Gutter) -> Grid:
    """Return the rows that hold the most pieces in a room of this size for trims and bleeds. Among equals, prefer
    a grid with all pieces turned alike, then the one with the most bleed, then upright pieces."""
    w, h = stock.piece
    gaps = _Gaps(gutter, _least(gutter))
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


def _fullest(stock: Stock, rooms: list[Box], gutter: Gutter) -> tuple[Box, Grid]:
    """Return the room that holds the most pieces of a stock, or the first of several, and its grid."""
    grids = ((room, best_grid(stock, *_size(room), gutter)) for room in rooms)
    return max(grids, key=lambda one: one[1].capacity)


class _Gaps(NamedTuple):
    """The distances between neighbours in one direction, in millimetres."""

    gutter: Gutter
    most: float
    """The most of any bleed that is visible."""
    white: float = 0.0
    """White between neighbours whose cuts are not in line, in addition to their bleeds."""

    def shown(self, bleed: float) -> float:
        return min(bleed, self.most)

    def within(self, bleed: float) -> float:
        """Return the distance between neighbours with cuts in line."""
        return self.gutter if isinstance(self.gutter, float | int) else 2 * self.shown(bleed)

    def between(self, bleed: float, other: float) -> float:
        """Return the distance between other neighbours."""
        return self.shown(bleed) + self.shown(other) + self.white

    def beside(self, stock: Stock, other: Stock) -> float:
        """Return the distance between neighbours in a row."""
        return self.within(stock.bleed) if stock is other or stock == other else self.between(stock.bleed, other.bleed)

    def shared(self, bleed: float) -> float:
        """Return the visible bleed towards a neighbour with cuts in line."""
        return min(bleed, self.within(bleed) / 2)


def _least(gutter: Gutter) -> float:
    return math.inf if gutter == "bleed" else LEAST_BLEED


# Pages of rows


class _Item(NamedTuple):
    """A position in a row, and the piece there."""

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
class _Row:
    """Items side by side, with their tops in line and the tallest first."""

    items: list[_Item]

    @property
    def height(self) -> float:
        return self.items[0].height

    @property
    def bleed(self) -> float:
        return max(item.stock.bleed for item in self.items)

    @property
    def kind(self) -> tuple[Stock, int] | None:
        """Stock and turn, if all pieces of the row share them: rows of one kind share their upright cuts."""
        kind = self.items[0][:2]
        return kind if all(item[:2] == kind for item in self.items) else None

    def starts(self, gaps: _Gaps) -> list[float]:
        """Return the start of each trim, measured from the row's own left end."""
        starts = [0.0]
        for item, after in pairwise(self.items):
            starts.append(starts[-1] + item.width + gaps.beside(item.stock, after.stock))
        return starts


def _pages(
    pieces: Sequence[Piece],
    rooms: list[Box],
    paper: Paper,
    settings: Settings,
    place: Place,
    problems: Problems,
    is_folded: bool = False,
) -> Iterator[tuple[tuple[Slot, ...], Tile | None]]:
    """Yield the front slots of each sheet, within the room that holds the most."""
    gutter = settings.gutter
    chosen_places = settings.start_at > 1 or bool(settings.skip_slots)
    left_over: list[Piece] = []
    filling: dict[Stock, tuple[Grid, Box, tuple[_Gaps, _Gaps]]] = {}  # for stocks that have filled a sheet
    first = settings.start_at
    for stock, group in _by_stock(pieces).items():
        room, grid = _fullest(stock, rooms, gutter)
        if not grid.capacity:
            if stock.joined and not is_folded:
                yield from _tiled(group, rooms, place, problems)
            elif not is_folded and (alone := _alone(stock, paper, settings)):
                yield from (((replace(alone, piece=piece),), None) for piece in group)
            else:
                _too_large(group[0], rooms, paper, place, problems, is_folded)
            continue
        numbers = [number for number in range(1, grid.capacity + 1) if number not in settings.skip_slots]
        free = [number for number in numbers if number >= first]
        if not numbers or (not free and first > grid.capacity):
            told = f"a sheet of {stock.name} has {plural(grid.capacity, 'place')}, and none of them is left to print on"
            problems.add(Place("--start-at, --skip-slots"), told, "name places that exist")
            continue
        while group and (chosen_places or len(group) >= grid.capacity):
            filled = dict(zip(free, group, strict=False))
            group, free, first = group[len(filled) :], numbers, 1
            if stock not in filling:
                filling[stock] = grid, room, _gaps_of(_grid_rows(stock, grid, {}), room, gutter)
            if filled:
                yield _placed(_grid_rows(stock, grid, filled), *filling[stock][1:]), None
        left_over += group
    if len(kinds := {piece.stock for piece in left_over}) == 1 and (stock := kinds.pop()) in filling:
        # The last sheet of a deck is cut like the others.
        grid, room, gaps = filling[stock]
        yield _placed(_grid_rows(stock, grid, dict(enumerate(left_over, 1))), room, gaps), None
        return
    room, sheets = _shared(left_over, rooms, gutter)
    for rows in sheets:
        yield _placed(rows, room, _gaps_of(rows, room, gutter)), None


def _by_stock(pieces: Sequence[Piece]) -> dict[Stock, list[Piece]]:
    groups: dict[Stock, list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(piece.stock, []).append(piece)
    return groups


def _grid_rows(stock: Stock, grid: Grid, filled: dict[int, Piece]) -> list[_Row]:
    """Return the rows of a sheet of one stock; `filled` has the pieces by slot, from 1. Empty rows keep their space."""
    rows: list[_Row] = []
    number = 1
    for count, turn, per_row in ((grid.upright_rows, 0, grid.upright), (grid.turned_rows, 90, grid.turned)):
        for _ in range(count):
            rows.append(_Row([_Item(stock, turn, filled.get(at)) for at in range(number, number + per_row)]))
            number += per_row
    return rows


def _shared(pieces: list[Piece], rooms: list[Box], gutter: Gutter) -> tuple[Box, list[list[_Row]]]:
    """Return the fewest possible sheets for pieces of any stocks, with as much bleed as these allow, and their room."""
    least = _least(gutter)
    packed = ((room, _packed(pieces, room, _Gaps(gutter, least))) for room in rooms)
    room, fewest = min(((room, sheets) for room, sheets in packed if sheets is not None), key=lambda way: len(way[1]))
    for most in (3.0, 2.5, 2.0, 1.5, 1.25, 1.0) if least == LEAST_BLEED else ():
        sheets = _packed(pieces, room, _Gaps(gutter, most))
        if sheets is not None and len(sheets) == len(fewest):
            return room, sheets
    return room, fewest


def _packed(pieces: list[Piece], room: Box, gaps: _Gaps) -> list[list[_Row]] | None:
    """Put each piece, tallest first, into the first row with room, then rows on sheets. None if a piece does not fit.

    Rows begin at the same line, so the widest bleed of a sheet stays free beside all of its rows.
    """
    width, height = _size(room)
    turns: dict[Stock, int] = {}
    for stock, group in _by_stock(pieces).items():
        turn = _cheapest_turn(stock, len(group), width, height, gaps)
        if turn is None:
            return None
        turns[stock] = turn
    rows: list[_Row] = []
    lengths: list[float] = []
    items = [_Item(piece.stock, turns[piece.stock], piece) for piece in pieces]
    for item in sorted(items, key=lambda item: -item.height):  # stable: decks keep their order
        for index, row in enumerate(rows):
            length = lengths[index] + gaps.beside(row.items[-1].stock, item.stock) + item.width
            if length + 2 * gaps.shown(max(row.bleed, item.stock.bleed)) <= width + EPSILON:
                row.items.append(item)
                lengths[index] = length
                break
        else:
            rows.append(_Row([item]))
            lengths.append(item.width)
    sheets: list[list[_Row]] = []
    for row in rows:
        for sheet in sheets:
            fuller = [*sheet, row]
            if _height(fuller, gaps) <= height + EPSILON and _width(fuller, gaps) <= width + EPSILON:
                sheet.append(row)
                break
        else:
            sheets.append([row])
    return sheets


def _cheapest_turn(stock: Stock, count: int, width: float, height: float, gaps: _Gaps) -> int | None:
    """Return the turn, 0 or 90, in which rows for this many pieces take less height; None if neither fits."""
    w, h = stock.piece
    gap, edges = gaps.within(stock.bleed), 2 * gaps.shown(stock.bleed)
    costs: list[tuple[float, int]] = []
    for turn, wide, tall in ((0, w, h), (90, h, w)):
        fitting = math.floor((width - edges + gap + EPSILON) / (wide + gap))
        if fitting > 0 and tall + edges <= height + EPSILON:
            costs.append((math.ceil(count / fitting) * (tall + gap), turn))
    return min(costs)[1] if costs else None


def _width(rows: list[_Row], gaps: _Gaps) -> float:
    """Return the width of the block of rows, with the bleed at both ends."""
    trims = max(row.starts(gaps)[-1] + row.items[-1].width for row in rows)
    return trims + 2 * gaps.shown(max(row.bleed for row in rows))


def _height(rows: list[_Row], gaps: _Gaps) -> float:
    """Return the height of the block of rows, with the bleed above and below."""
    between = (_row_gap(above, below, gaps) for above, below in pairwise(rows))
    edges = gaps.shown(rows[0].bleed) + gaps.shown(rows[-1].bleed)
    return sum(row.height for row in rows) + sum(between) + edges


def _row_gap(above: _Row, below: _Row, gaps: _Gaps) -> float:
    in_line = above.kind is not None and above.kind == below.kind
    return gaps.within(above.bleed) if in_line else gaps.between(above.bleed, below.bleed)


def _grown(rows: list[_Row], gutter: Gutter, room: float, size: Callable[[list[_Row], _Gaps], float]) -> _Gaps | None:
    """Return the widest gaps with which rows fit a room: the full bleed, with white between unlike neighbours, or else
    as much bleed as there is room for, the same for all. None if the rows do not fit."""
    own, least = max(row.bleed for row in rows), _least(gutter)
    whole = (_Gaps(gutter, own, white) for white in (ROW_GAP, *range(4, -1, -1)))
    parts = (_Gaps(gutter, round(step * BLEED_STEP, 2)) for step in range(math.ceil(own / BLEED_STEP), 0, -1))
    wide_enough = (gaps for gaps in (*whole, *parts) if gaps.most >= min(own, least))
    return next((gaps for gaps in wide_enough if size(rows, gaps) <= room + EPSILON), None)


def _gaps_of(rows: list[_Row], room: Box, gutter: Gutter) -> tuple[_Gaps, _Gaps]:
    """Return the gaps across and down a sheet. Bleed grows evenly as far as possible; then one
    direction continues alone if that leaves room for marks."""
    sizes = tuple(zip(_size(room), (_width, _height), strict=True))
    across, down = (_grown(rows, gutter, *one) for one in sizes)
    assert across and down, "rows are made to fit"
    even = min(across.most, down.most)
    less_across, less_down = (_grown(rows, gutter, length - 2 * MARKS, size) for length, size in sizes)
    return (
        less_across if less_across and less_across.most >= even else across,
        less_down if less_down and less_down.most >= even else down,
    )


def _placed(rows: list[_Row], room: Box, gaps: tuple[_Gaps, _Gaps]) -> tuple[Slot, ...]:
    """Return the slots of a sheet: the block of rows, flush left so that cuts line up, in the middle of the room."""
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
                across.shared(bleed) if before == item.stock else across.shown(bleed),
                down.shared(bleed) if above else down.shown(bleed),
                across.shared(bleed) if after == item.stock else across.shown(bleed),
                down.shared(bleed) if below else down.shown(bleed),
            )
            slots.append(Slot(item.piece, "front", left + x, y, item.turn, bleed_room))
        y += row.height + (_row_gap(row, rows[index + 1], down) if index + 1 < len(rows) else 0)
    return tuple(slots)


# Pieces larger than the paper


def _alone(stock: Stock, paper: Paper, settings: Settings) -> Slot | None:
    """Return the slot of a piece that has a sheet to itself: its bleed may end at the edge of the paper, where it needs
    less. None if the paper is too small."""
    left, top, right, foot = printable(paper, settings)
    for turn, (wide, tall) in ((0, stock.piece), (90, stock.piece[::-1])):
        x, y = (left + right - wide) / 2, (top + foot - tall) / 2
        spare = (x - left, y - top, right - wide - x, foot - tall - y)
        at_edge = (left, top, paper.width - right, paper.height - foot)
        if all(
            one >= -EPSILON and (not margin or one >= min(stock.bleed, LEAST_BLEED))
            for one, margin in zip(spare, at_edge, strict=True)
        ):
            room: Box = tuple(min(max(one, 0), stock.bleed) for one in spare)  # type: ignore[assignment]
            return Slot(Piece("", "", stock, False), "front", x, y, turn, room)
    return None


def _too_large(piece: Piece, rooms: list[Box], paper: Paper, place: Place, problems: Problems, is_folded: bool) -> None:
    """Report a piece too large for every room on the paper, with a hint."""
    w, h = piece.stock.piece
    width, height = _size(max(rooms, key=lambda room: math.prod(_size(room))))
    bleed = f" and bleed of {piece.stock.bleed:g} mm" if piece.stock.bleed else ""
    told = f'"{piece.id}" is {w:g} × {h:g} mm{bleed}; {paper.name} has room for {width:.4g} × {height:.4g} mm'
    told += " on each side of the fold" if is_folded else ""
    margin = "a smaller --margin, " * any(paper.margins)
    other = "--backs duplex" if is_folded else "one with `joined: yes`"
    problems.add(place, told, f"choose {margin}a larger paper, a smaller stock, or {other}")


def _tiled(
    pieces: list[Piece], rooms: list[Box], place: Place, problems: Problems
) -> Iterator[tuple[tuple[Slot, ...], Tile | None]]:
    """Yield a sheet for every part of a piece that is larger than every room; neighbours both show the overlap."""
    stock = pieces[0].stock
    bleed = stock.bleed
    areas = [(left + MARKS, top + MARKS, right - MARKS, foot - MARKS) for left, top, right, foot in rooms]
    ways: list[tuple[float, int, Box, int, int, float, float]] = [(math.inf, 0, areas[0], 0, 0, 0, 0)]
    for turn, area in product((0, 90), areas):
        width, height = _size(area)
        if min(width, height) >= 2 * OVERLAP:
            wide, tall = (size + 2 * bleed for size in (stock.piece[::-1] if turn else stock.piece))
            columns, rows = _tiles(wide, width), _tiles(tall, height)
            ways.append((columns * rows, turn, area, columns, rows, wide, tall))
    count, turn, area, columns, rows, wide, tall = min(ways, key=lambda way: way[:2])
    width, height = _size(area)
    if count > MOST_TILES:
        w, h = stock.piece
        told = f'"{pieces[0].id}" needs {w:g} × {h:g} mm, but there is room for {width:g} × {height:g} mm'
        problems.add(place, told, "choose a smaller stock or a larger paper")
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
    """Return the number of sheets that a length needs."""
    return 1 if size <= room + EPSILON else math.ceil((size - OVERLAP - EPSILON) / (room - OVERLAP))


def _tile_start(size: float, room: float, index: int, count: int, start: float) -> float:
    """Return the start of the piece on the page of one of its tiles."""
    if count == 1:
        return start + (room - size) / 2
    return start - index * (size - room) / (count - 1)
