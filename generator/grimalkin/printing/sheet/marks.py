"""Marks for cutting, folding and joining, and the order of cuts. All marks are outside the trims."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from typing import NamedTuple

from grimalkin.content.stocks import Paper, Stock
from grimalkin.printing.draw.canvas import PackedCanvas
from grimalkin.printing.draw.packing import colour
from grimalkin.printing.draw.pdf import MM
from grimalkin.printing.draw.shapes import path_operators
from grimalkin.printing.face.svg.paths import Matrix, box_around, point_through
from grimalkin.printing.face.svg.subset import INK
from grimalkin.printing.sheet.pieces import (
    EPSILON,
    MARKS,
    STRIP,
    Box,
    Point,
    Sheet,
    Slot,
    Tile,
    corners_of,
    face_matrix,
)
from grimalkin.printing.sheet.settings import MarkStyle
from grimalkin.printing.type.fonts import SANS_SEMIBOLD

MARK_WEIGHT = 0.2
"""Millimetres. Thinner lines vanish on home printers."""
MARK_GAP = 0.5
"""Millimetres between the bleed and a mark outside it."""
MARK_LENGTH = MARKS - MARK_GAP
LEAST_LENGTH = 1.5
"""The minimum length of a mark outside the bleed. A shorter one would be lost beside the art, so it begins in the
bleed, on white."""
WHITE = 0.3
"""Width of the white edge around a line on the bleed."""
CROSS_GAP = 0.15
"""Millimetres between the trim and a mark in the bleed."""
DOT = 0.3
"""Radius of the dots that show where a rounded corner begins."""

Line = tuple[float, float, float, float]
Laid = Sequence[tuple[Slot, Box]]
"""The pieces of a sheet, each with the box of its bleed, for finding pieces near a mark."""
Inside = Callable[[Slot, Iterable[Point]], bool]


class Marks(NamedTuple):
    """The marks of a sheet: lines x1, y1, x2, y2 and dots x, y, in millimetres from the page's upper left corner."""

    lines: tuple[Line, ...] = ()
    dots: tuple[Point, ...] = ()
    white: tuple[Line, ...] = ()
    """Wider white lines below the lines, which may be on the bleed."""
    white_weight: float = 0.0
    folds: tuple[Line, ...] = ()
    """Dotted lines where the sheet or a piece is folded."""
    cuts: tuple[str, ...] = ()
    """Fine dashed outlines on the cut of round pieces and hexagons, as SVG paths on the page: scissors need a line to
    follow, and slanted sides have no marks at both ends."""
    edges: tuple[str, ...] = ()
    """Solid lines on the cuts of drawn outlines; dashed ones are creases."""
    creases: tuple[str, ...] = ()
    """Dashed lines along the creases of a piece."""
    joins: tuple[Line, ...] = ()
    """Dashed lines where a tile is cut to be joined."""


def marks_of(sheet: Sheet, style: MarkStyle, room: Box) -> Marks:
    """Return every mark of a sheet in a style, all in `room` and none in a trim. Crosses, lines, dots, and marks
    without room beyond the bleeds are in the bleeds, on white, as are marks in the corners around a round piece."""
    folds = _fold_lines(sheet, room)
    if sheet.tile is not None:
        lines_beside, joins = _tile_lines(sheet, sheet.tile)
        return Marks(() if style == "none" else lines_beside, folds=folds, joins=joins)
    # A machine cuts by its own marks, and others would mislead it.
    if style == "none" or sheet.is_precut or sheet.template is not None:
        return Marks(folds=folds)
    lines: list[Line] = []
    dots: list[Point] = []
    white: list[Line] = []
    cuts: list[str] = []
    edges: list[str] = []
    creases: list[str] = []
    laid = [(slot, slot.bleed) for slot in sheet.slots]
    for slot in sheet.slots:
        shape = slot.piece.stock.shape
        if slot.piece.stock.lines:
            edge, *folded = _drawn_lines(slot)
            edges.append(edge)
            creases += folded
            continue
        if shape != "rectangle":
            cuts.append(_cut(slot))
        if shape == "circle":
            beside = _off((line for line in _ring(slot) if _within(room, _box(line))), laid, _in_bleed)
            lines, white = lines + beside, white + beside
            continue
        for corner in _corners(slot):
            far = None if style == "crosses" else _far(corner, laid, room)
            mark = far or _near(corner, laid, room)
            if mark:
                lines.append(mark)
            if mark and (mark != far or shape == "hexagon"):
                white.append(mark)
        if style == "lines":
            lines += _off(_edge_lines(slot, MARK_WEIGHT / 2 + 0.01), laid, _in_trim)
            white += _off(_edge_lines(slot, MARK_WEIGHT + WHITE / 2 + 0.01), laid, _in_trim)
        if style == "dots":
            free = (dot for dot in _corner_dots(slot) if _within(room, (*dot, *dot), DOT))
            dots += [dot for dot in free if not any(_in_trim(slot, [dot]) for slot in sheet.slots)]
    if style == "ticks" and sheet.slots:
        lines, white = _outside_all(lines, sheet), _outside_all(white, sheet)
    weight = WHITE if style == "lines" else MARK_WEIGHT + 2 * WHITE
    unique = tuple(sorted(set(lines)))
    return Marks(
        unique,
        tuple(sorted(set(dots))),
        tuple(sorted(set(white))),
        weight,
        folds,
        tuple(cuts),
        tuple(edges),
        tuple(creases),
    )


def _within(room: Box, box: Box, more: float = 0.0) -> bool:
    """Return whether a box, with `more` around it, is within a room."""
    left, top, right, foot = box
    hair = EPSILON - more
    return left >= room[0] - hair and top >= room[1] - hair and right <= room[2] + hair and foot <= room[3] + hair


def _box(line: Line) -> Box:
    x1, y1, x2, y2 = line
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def _cut(slot: Slot) -> str:
    """Return the edge of a piece as an SVG path on the page."""
    return on_page(slot.piece.stock.outline(), face_matrix(slot))


def _drawn_lines(slot: Slot) -> Iterator[str]:
    """Yield the cuts of an outline as one SVG path on the page, then its creases; a back shows them from behind, and so
    does a mirrored front."""
    is_turned_over = (slot.side == "back") != slot.is_mirrored
    stock = slot.piece.stock.from_behind if is_turned_over else slot.piece.stock
    assert stock.lines
    for path in (stock.lines.path, *stock.lines.creases):
        yield on_page(path, face_matrix(slot))


def on_page(path: str, matrix: Matrix) -> str:
    """Return a path of a piece as an SVG path on the page."""
    return _moved(path, lambda x, y: "{:.4f} {:.4f}".format(*point_through(matrix, x, y)))


def _moved(path: str, at: Callable[[float, float], str]) -> str:
    """Rewrite every point of an SVG path of absolute M, L, C, Z with `at`."""
    return re.sub(r"(-?[\d.]+(?:e-?\d+)?) (-?[\d.]+(?:e-?\d+)?)", lambda pair: at(float(pair[1]), float(pair[2])), path)


def _sides(slot: Slot) -> Iterator[tuple[float, float, float, float, float, float]]:
    """Yield the sides of the trim, clockwise: both ends, and the direction as a vector one millimetre long."""
    corners = corners_of(slot)
    for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        length = math.hypot(x2 - x1, y2 - y1)
        yield x1, y1, x2, y2, (x2 - x1) / length, (y2 - y1) / length


class _Corner(NamedTuple):
    """A corner at the end of one side: its position, and the direction in which the side would continue."""

    x: float
    y: float
    ux: float
    uy: float
    inner: float
    """The least extent of the bleed there."""
    outer: float
    """The greatest extent of the bleed there: a hexagon's is shown within a box."""

    def line(self, start: float, end: float) -> Line:
        """Return a line from `start` to `end` millimetres beyond the corner."""
        x, y, ux, uy, *_ = self
        return _rounded((x + ux * start, y + uy * start, x + ux * end, y + uy * end))

    def reach(self, room: Box) -> float:
        """Return the distance from the corner to the edge of a room."""
        ways = ((room[0], room[2], self.x, self.ux), (room[1], room[3], self.y, self.uy))
        return min(((high if u > 0 else low) - at) / u for low, high, at, u in ways if abs(u) > EPSILON)


def _corners(slot: Slot) -> list[_Corner]:
    """Return both corners of each side of a piece, with the side continued beyond them."""
    left, top, right, foot = slot.room

    def at(x: float, y: float, ux: float, uy: float) -> _Corner:
        if slot.piece.stock.shape == "hexagon":
            # A side continues at 60 degrees to its neighbour: it needs more length to get as far.
            slant = math.sin(math.pi / 3)
            return _Corner(x, y, ux, uy, min(slot.room) / slant, max(slot.room) / slant)
        shown = (right if ux > 0 else left) if abs(ux) > 0.5 else (foot if uy > 0 else top)
        return _Corner(x, y, ux, uy, shown, shown)

    ends = ((at(x2, y2, ux, uy), at(x1, y1, -ux, -uy)) for x1, y1, x2, y2, ux, uy in _sides(slot))
    return [corner for pair in ends for corner in pair]


def _far(corner: _Corner, laid: Laid, room: Box) -> Line | None:
    """Return the mark beyond a corner's bleed, as long as the room allows; None if there is too little."""
    start = corner.outer + MARK_GAP
    end = min(start + MARK_LENGTH, corner.reach(room))
    if end - start < LEAST_LENGTH - EPSILON:
        return None
    return next(iter(_off([corner.line(start, end)], laid, _in_bleed)), None)


def _near(corner: _Corner, laid: Laid, room: Box) -> Line | None:
    """Return the mark in a corner's bleed, which may continue over white, but not over a neighbour's bleed."""
    reach = corner.reach(room)
    end, hair = min(CROSS_GAP + MARK_LENGTH, reach), corner.outer + 0.06
    if end < hair or not _off([corner.line(hair, end)], laid, _in_bleed):
        end = min(corner.inner, end)
    if end < CROSS_GAP + 0.2:
        return None
    return next(iter(_off([corner.line(CROSS_GAP, end)], laid, _in_trim)), None)


def _edge_lines(slot: Slot, out: float) -> list[Line]:
    """Return the full sides, `out` millimetres outside the trim, continued through the bleed."""
    lines = []
    ends = iter(_corners(slot))
    for (x1, y1, x2, y2, ux, uy), end, start in zip(_sides(slot), ends, ends, strict=True):
        dx, dy, more, less = uy * out, -ux * out, end.inner, start.inner
        lines.append(_rounded((x1 + dx - ux * less, y1 + dy - uy * less, x2 + dx + ux * more, y2 + dy + uy * more)))
    return lines


def _corner_dots(slot: Slot) -> list[Point]:
    """Return dots beside the trim, where its rounded corners begin."""
    radius = slot.piece.stock.corner
    if not radius:
        return []
    left, top, right, foot = slot.trim
    out = DOT + CROSS_GAP
    dots = [(x, y) for x in (left + radius, right - radius) for y in (top - out, foot + out)]
    dots += [(x, y) for x in (left - out, right + out) for y in (top + radius, foot - radius)]
    return [(round(x, 3), round(y, 3)) for x, y in dots]


def _ring(slot: Slot) -> list[Line]:
    """Return eight ticks that point at the cut of a round piece, short enough to fit between neighbours."""
    radius, own = slot.width / 2, slot.piece.stock.bleed
    cx, cy = slot.x + radius, slot.y + radius
    left, top, right, foot = slot.room
    ticks = []
    for eighth, bleed in enumerate((right, own, foot, own, left, own, top, own)):
        near = radius + bleed + 0.3
        far = near + MARK_LENGTH / 2
        cos, sin = math.cos(eighth * math.pi / 4), math.sin(eighth * math.pi / 4)
        ticks.append(_rounded((cx + cos * near, cy + sin * near, cx + cos * far, cy + sin * far)))
    return ticks


def _rounded(line: Line) -> Line:
    x1, y1, x2, y2 = (round(value, 3) + 0.0 for value in line)
    return (x1, y1, x2, y2) if (x1, y1) <= (x2, y2) else (x2, y2, x1, y1)


def _off(lines: Iterable[Line], laid: Laid, inside: Inside) -> list[Line]:
    """Return the lines that have no point in any piece."""
    return [line for line in lines if not any(inside(slot, _points(line)) for slot in _close_to(line, laid))]


def _points(line: Line) -> list[Point]:
    """Return points on a line, both ends included, at most two millimetres apart."""
    x1, y1, x2, y2 = line
    steps = max(4, math.ceil(math.hypot(x2 - x1, y2 - y1) / 2))
    return [(x1 + (x2 - x1) * t / steps, y1 + (y2 - y1) * t / steps) for t in range(steps + 1)]


def _close_to(line: Line, laid: Laid) -> list[Slot]:
    """Return the pieces whose bleed is within a tenth of a millimetre of the box around a line: one or two on a full
    sheet."""
    left, top, right, foot = _box(line)
    left, top, right, foot = left - 0.1, top - 0.1, right + 0.1, foot + 0.1
    return [slot for slot, box in laid if left < box[2] and right > box[0] and top < box[3] and foot > box[1]]


def _in_trim(slot: Slot, points: Iterable[Point]) -> bool:
    return _inside(slot, points, slot.trim, 0.0)


def _in_bleed(slot: Slot, points: Iterable[Point]) -> bool:
    if slot.cell:
        return any(_in_cell(slot.cell, x, y) for x, y in points)
    return _inside(slot, points, slot.bleed, slot.piece.stock.bleed)


def _in_cell(cell: Sequence[Point], x: float, y: float) -> bool:
    """Return whether a point is in a convex cell, whichever way its corners run, or within a hair of it."""
    sides = zip(cell, (*cell[1:], cell[0]), strict=True)
    ways = [
        ((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) / math.hypot(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in sides
    ]
    return min(ways) > -0.05 or max(ways) < 0.05


def _inside(slot: Slot, points: Iterable[Point], box: Box, bleed: float) -> bool:
    """Return whether any point is in a piece, or within a hair of it."""
    hair = 0.05 if bleed else -1e-6
    left, top, right, foot = box[0] - hair, box[1] - hair, box[2] + hair, box[3] + hair
    within = [(x, y) for x, y in points if left < x < right and top < y < foot]
    if slot.piece.stock.shape == "circle":
        radius = slot.width / 2
        return any(math.hypot(x - slot.x - radius, y - slot.y - radius) < radius + bleed + hair for x, y in within)
    if slot.piece.stock.shape == "hexagon" and within:
        sides = list(_sides(slot))
        return any(
            all(ux * (y - y1) - uy * (x - x1) > -bleed - hair for x1, y1, _, _, ux, uy in sides) for x, y in within
        )
    return bool(within)


def _outside_all(lines: list[Line], sheet: Sheet) -> list[Line]:
    """Return the lines beyond the block of all trims."""
    left, top, right, foot = around(sheet.slots, bleed=False)
    hair = 0.01
    boxes = ((line, _box(line)) for line in lines)
    return [
        line
        for line, (x1, y1, x2, y2) in boxes
        if x2 < left - hair or x1 > right + hair or y2 < top - hair or y1 > foot + hair
    ]


def around(slots: Sequence[Slot], bleed: bool = True) -> Box:
    """Return the box around all pieces, with or without the visible bleed."""
    box = box_around(slot.window or (slot.bleed if bleed else slot.trim) for slot in slots)
    assert box is not None
    return box


def folds_of(stock: Stock) -> tuple[float, ...]:
    """Return the folds of a piece, in millimetres below the upper edge of its strip; none if it is flat."""
    if stock.fold == "none":
        return ()
    head = stock.foot + stock.height
    return (stock.foot, head, head + stock.height) if stock.foot else (head,)


def _fold_lines(sheet: Sheet, room: Box) -> tuple[Line, ...]:
    """Return the fold of the sheet across all of its room, and short lines beside the folds of pieces."""
    lines: list[Line] = []
    if sheet.fold:
        kind, at = sheet.fold
        left, top, right, foot = room
        lines.append((at, top, at, foot) if kind == "vertical" else (left, at, right, at))
    for slot in sheet.slots:
        stock = slot.piece.stock
        if stock.fold == "none" or slot.side == "back":
            continue
        matrix = face_matrix(slot)
        # In the piece's own bleed, on its left and right when it is upright.
        left, top, right, foot = slot.room
        sides = (left, right) if slot.turn == 0 else (foot, top)
        for v in folds_of(stock):
            for u1, u2 in ((-sides[0] + 0.1, -CROSS_GAP), (stock.width + CROSS_GAP, stock.width + sides[1] - 0.1)):
                if u2 - u1 > 0.3:
                    lines.append(_rounded((*point_through(matrix, u1, v), *point_through(matrix, u2, v))))
    return tuple(lines)


def _tile_lines(sheet: Sheet, tile: Tile) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """Return marks beside the window of a tile, in line with the cuts of the complete piece, and pairs of ticks for the
    cut edges of neighbours; then the edges where this tile is cut and a neighbour continues."""
    if not sheet.slots or sheet.slots[0].window is None:
        return (), ()
    slot = sheet.slots[0]
    left, top, right, foot = sheet.slots[0].window
    begins_x, begins_y, ends_x, ends_y = slot.bleed
    goes_on = (begins_x < left - 0.01, begins_y < top - 0.01, ends_x > right + 0.01, ends_y > foot + 0.01)
    edges = (
        (left, top - 3, left, foot + 3),
        (left - 3, top, right + 3, top),
        (right, top - 3, right, foot + 3),
        (left - 3, foot, right + 3, foot),
    )
    near, far = MARK_GAP, MARK_GAP + MARK_LENGTH
    upright = [x for x in (slot.trim[0], slot.trim[2]) if left - 0.01 <= x <= right + 0.01]
    level = [y for y in (slot.trim[1], slot.trim[3]) if top - 0.01 <= y <= foot + 0.01]
    upright += _neighbours(left, right, begins_x, ends_x, tile.columns, goes_on[::2])
    level += _neighbours(top, foot, begins_y, ends_y, tile.rows, goes_on[1::2])
    lines = [(x, y, x, y + step) for x in upright for y, step in ((top - far, far - near), (foot + near, far - near))]
    lines += [(x, y, x + step, y) for y in level for x, step in ((left - far, far - near), (right + near, far - near))]
    return tuple(sorted(set(map(_rounded, lines)))), tuple(map(_rounded, compress(edges, goes_on)))


def _neighbours(
    start: float, end: float, begins: float, ends: float, count: int, goes_on: tuple[bool, ...]
) -> list[float]:
    """Return where the window of the previous neighbour ends, and where that of the next neighbour begins."""
    if count == 1:
        return []
    overlap = (count * (end - start) - (ends - begins)) / (count - 1)
    return [at for at, there in ((start + overlap, goes_on[0]), (end - overlap, goes_on[1])) if there]


# The order of cuts


class CutOrder(NamedTuple):
    """Cuts with a guillotine, beginning with those across the entire sheet."""

    across: tuple[float, ...] = ()
    """The heights of the horizontal cuts."""
    down: tuple[float, ...] = ()
    """The vertical cuts, if they are the same in all rows; otherwise each strip is cut by its own marks."""
    words: str = ""
    is_numbered: bool = False
    """Whether there is room for numbers beside the marks."""


def cut_order(sheet: Sheet, room: Box) -> CutOrder:
    """Return the order of cuts for a sheet of rectangles that is printed in `room`; no cuts for round pieces, hexagons
    and tiles."""
    if (
        not sheet.slots
        or sheet.tile
        or sheet.template
        or sheet.labels
        or any(slot.piece.stock.shape != "rectangle" for slot in sheet.slots)
    ):
        return CutOrder()
    slots = [slot for slot in sheet.slots if slot.side == sheet.side]
    across = sorted({round(value, 3) for slot in slots for value in (slot.y, slot.y + slot.height)})
    down = sorted({round(value, 3) for slot in slots for value in (slot.x, slot.x + slot.width)})
    whole_rows = all(not slot.y + 0.01 < cut < slot.y + slot.height - 0.01 for slot in slots for cut in across)
    whole_columns = all(not slot.x + 0.01 < cut < slot.x + slot.width - 0.01 for slot in slots for cut in down)
    first = "fold and glue the sheet, then " if sheet.fold else ""
    if not (whole_rows and whole_columns):
        return CutOrder(words=f"Guillotine: {first}separate the rows, then cut each by its own marks")
    left, top, _, _ = around(sheet.slots)
    is_numbered = left - room[0] >= STRIP + MARKS and top - room[1] >= MARKS
    last = len(across) + len(down)
    rows, columns = (f" 1 to {len(across)}", f" {len(across) + 1} to {last}") if is_numbered else ("", "")
    words = (
        f"Guillotine: {first}cut{rows} across and keep the top strip; lay it on each other strip, left edges flush, "
        f"and cut{columns} down by its marks"
    )
    return CutOrder(tuple(across), tuple(down), words, is_numbered)


# Drawing


def mark_code(marks: Marks, paper: Paper) -> str:
    """Return the marks as PDF operators on a page in points."""

    def at(x: float, y: float) -> str:
        return f"{x * MM:.3f} {(paper.height - y) * MM:.3f}"

    def strokes(lines: Iterable[Line]) -> list[str]:
        return [f"{at(x1, y1)} m {at(x2, y2)} l S" for x1, y1, x2, y2 in lines]

    code = ["q"]
    if marks.white:
        code += [f"{marks.white_weight * MM:.3f} w 1 1 1 RG", *strokes(marks.white)]
    code += [f"{MARK_WEIGHT * MM:.3f} w {colour(INK)} RG {colour(INK)} rg", *strokes(marks.lines)]
    for x, y in marks.dots:
        code += ["1 1 1 rg", _disc(x, y, DOT + WHITE, at) + " f", f"{colour(INK)} rg", _disc(x, y, DOT, at) + " f"]
    if marks.joins:
        code += [f"[{2 * MM:.3f} {1.2 * MM:.3f}] 0 d", *strokes(marks.joins), "[] 0 d"]
    if marks.folds:  # dots on white, so that nobody cuts along them
        code += [f"{(MARK_WEIGHT + 2 * WHITE) * MM:.3f} w 1 1 1 RG", *strokes(marks.folds)]
        code += [f"{0.35 * MM:.3f} w {colour(INK)} RG 1 J [0 {0.7 * MM:.3f}] 0 d", *strokes(marks.folds), "0 J [] 0 d"]
    if marks.cuts:
        paths = [path_operators(_moved(cut, at)) + " S" for cut in marks.cuts]
        code += [f"{0.3 * MM:.3f} w 1 1 1 RG", *paths]
        code += [f"{0.15 * MM:.3f} w {colour(INK)} RG [{0.8 * MM:.3f} {0.8 * MM:.3f}] 0 d", *paths]
    for lines, dashes in ((marks.creases, f"{2.5 * MM:.3f} {1.5 * MM:.3f}"), (marks.edges, "")):
        if lines:
            paths = [path_operators(_moved(line, at)) + " S" for line in lines]
            code += [f"{0.4 * MM:.3f} w 1 1 1 RG [] 0 d", *paths]
            code += [f"{MARK_WEIGHT * MM:.3f} w {colour(INK)} RG [{dashes}] 0 d", *paths]
    code.append("Q")
    return "\n".join(code)


def _disc(x: float, y: float, r: float, at: Callable[[float, float], str]) -> str:
    k = r * 4 / 3 * (math.sqrt(2) - 1)
    return (
        f"{at(x + r, y)} m {at(x + r, y + k)} {at(x + k, y + r)} {at(x, y + r)} c "
        f"{at(x - k, y + r)} {at(x - r, y + k)} {at(x - r, y)} c "
        f"{at(x - r, y - k)} {at(x - k, y - r)} {at(x, y - r)} c "
        f"{at(x + k, y - r)} {at(x + r, y - k)} {at(x + r, y)} c h"
    )


def draw_numbers(canvas: PackedCanvas, sheet: Sheet, order: CutOrder, paper: Paper) -> None:
    """Draw the numbers of the cuts, small, beside their marks."""
    if not order.is_numbered:
        return
    left, top, _, _ = around(sheet.slots)
    canvas.saveState()
    canvas.setFillColor(INK)
    canvas.setFont(SANS_SEMIBOLD, 5)
    reach = MARK_GAP + MARK_LENGTH / 2
    for words, y in _close(order.across, 1):
        canvas.drawCentredString((left - reach) * MM, (paper.height - y + 0.4) * MM, words)
    for words, x in _close(order.down, len(order.across) + 1):
        canvas.drawString((x + 0.5) * MM, (paper.height - top + reach - 0.6) * MM, words)
    canvas.restoreState()


def _close(cuts: Sequence[float], first: int) -> list[tuple[str, float]]:
    """Return the numbers of cuts with their positions; cuts that are too close together share a position."""
    told: list[tuple[str, float]] = []
    for number, at in enumerate(cuts, first):
        if told and at - told[-1][1] < 2.2:
            told[-1] = (f"{told[-1][0]}/{number}", told[-1][1])
        else:
            told.append((str(number), at))
    return told
