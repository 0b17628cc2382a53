"""What a sheet carries beside the faces: marks to cut along, a label, a measured rule. All of it outside the trims."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from grimalkin.content.stocks import Paper
from grimalkin.draw.pdf import MM, colour, registered
from grimalkin.draw.tags import Tags
from grimalkin.sheet.impose import Box, Sheet, Slot
from grimalkin.sheet.settings import MarkStyle

MARK_WEIGHT = 0.2
"""Millimetres. Thinner lines vanish on home printers."""
MARK_LENGTH = 3.0
MARK_GAP = 0.5
"""Between the bleed and a mark outside of it."""
WHITE = 0.2
"""How far the white edge of a line reaches that lies on the bleed."""
CROSS_GAP = 0.25
"""Between the trim and a mark that lies in the bleed."""
DOT = 0.35
"""Radius of the dots that show where a rounded corner begins."""
LABEL_EDGE = 6.2
"""Baselines of labels, from the edge of the paper: nearly every printer reaches them."""
RULE_LENGTH = 50.0
RULE_WORDS = f"this line measures {RULE_LENGTH:g} mm"
INK = "#1d1a26"
SOFT = "#8a8f98"

Line = tuple[float, float, float, float]
Point = tuple[float, float]


@dataclass(frozen=True)
class Marks:
    """The marks of a sheet: lines x1, y1, x2, y2 and dots x, y, in millimetres from the page's upper left corner."""

    lines: tuple[Line, ...] = ()
    dots: tuple[Point, ...] = ()
    white: tuple[Line, ...] = ()
    """Below the lines, wider and white, because those may lie on the bleed."""
    white_weight: float = 0.0
    folds: tuple[Line, ...] = ()
    """Dashed: where the sheet or a piece is folded."""
    cuts: tuple[tuple[Point, float], ...] = ()
    """Fine dashed circles on the cut of round pieces, middle and radius: scissors need something to follow."""
    joins: tuple[Line, ...] = ()
    """Dashed: where neighbouring tiles overlap."""


def marks_of(sheet: Sheet, style: MarkStyle, paper: Paper) -> Marks:
    """Every mark of a sheet in a style. No mark touches a trim, and none but crosses, lines and dots a bleed."""
    folds = _fold_lines(sheet, paper)
    if sheet.tile is not None:
        return Marks(folds=folds, joins=_join_lines(sheet))
    if style == "none" or sheet.template is not None:  # a machine cuts by its own marks, and is misled by others
        return Marks(folds=folds)
    lines: list[Line] = []
    dots: list[Point] = []
    white: list[Line] = []
    for slot in sheet.slots:
        if slot.piece.stock.shape == "circle":
            lines += _off(_ring(slot), sheet.slots, _in_bleed)
        elif style in ("crosses", "lines"):
            reach = (CROSS_GAP, CROSS_GAP + MARK_LENGTH) if style == "crosses" else None
            drawn = _corner_lines(slot, *reach) if reach else _edge_lines(slot, MARK_WEIGHT / 2 + 0.01)
            lines += _off(drawn, sheet.slots, _in_trim)
            if style == "lines":
                white += _off(_edge_lines(slot, MARK_WEIGHT + WHITE / 2 + 0.01), sheet.slots, _in_trim)
        else:
            start = slot.piece.stock.bleed + MARK_GAP
            lines += _off(_corner_lines(slot, start, start + MARK_LENGTH), sheet.slots, _in_bleed)
        if style == "dots":
            dots += [dot for dot in _corner_dots(slot) if not any(_in_trim(slot, dot) for slot in sheet.slots)]
    if style == "ticks":
        lines = _outside_all(lines, sheet)
    cuts = tuple(
        ((slot.x + slot.width / 2, slot.y + slot.height / 2), slot.width / 2)
        for slot in sheet.slots
        if slot.piece.stock.shape == "circle"
    )
    weight = WHITE
    if style == "crosses":  # beyond a corner there is no trim on either side
        white, weight = lines, MARK_WEIGHT + 2 * WHITE
    return Marks(tuple(sorted(set(lines))), tuple(sorted(set(dots))), tuple(sorted(set(white))), weight, folds, cuts)


def corners_of(slot: Slot) -> tuple[Point, ...]:
    """The corners of the trim on the page, clockwise; of a circle, those of the square around it."""
    stock = slot.piece.stock
    if stock.shape != "hexagon":
        left, top, right, foot = slot.trim
        return ((left, top), (right, top), (right, foot), (left, foot))
    a, b, c, d, e, f = face_matrix(slot)
    return tuple((a * u + c * v + e, b * u + d * v + f) for u, v in stock.corners)


def face_matrix(slot: Slot) -> tuple[float, float, float, float, float, float]:
    """From a piece's own millimetres to the page's, both with y downwards: X = au + cv + e, Y = bu + dv + f."""
    w, h = slot.piece.stock.piece
    return {
        0: (1.0, 0.0, 0.0, 1.0, slot.x, slot.y),
        90: (0.0, -1.0, 1.0, 0.0, slot.x, slot.y + w),
        180: (-1.0, 0.0, 0.0, -1.0, slot.x + w, slot.y + h),
        270: (0.0, 1.0, -1.0, 0.0, slot.x + h, slot.y),
    }[slot.turn]


def _corner_lines(slot: Slot, start: float, end: float) -> list[Line]:
    """Each side, carried on beyond both its corners, from `start` to `end` millimetres outside of the trim."""
    corners = corners_of(slot)
    lines = []
    for index, (x1, y1) in enumerate(corners):
        x2, y2 = corners[(index + 1) % len(corners)]
        length = math.hypot(x2 - x1, y2 - y1)
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        # At the corner of a hexagon a side runs on at 60 degrees to its neighbour: it needs more length to get as far.
        slant = math.sin(2 * math.pi / len(corners))
        near, far = start / slant, start / slant + end - start
        lines.append((x2 + ux * near, y2 + uy * near, x2 + ux * far, y2 + uy * far))
        lines.append((x1 - ux * near, y1 - uy * near, x1 - ux * far, y1 - uy * far))
    return [_rounded(line) for line in lines]


def _edge_lines(slot: Slot, out: float) -> list[Line]:
    """The whole sides, `out` millimetres outside of the trim, carried on beyond the corners."""
    corners = corners_of(slot)
    middle_x = sum(x for x, _ in corners) / len(corners)
    middle_y = sum(y for _, y in corners) / len(corners)
    lines = []
    for index, (x1, y1) in enumerate(corners):
        x2, y2 = corners[(index + 1) % len(corners)]
        length = math.hypot(x2 - x1, y2 - y1)
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        nx, ny = uy, -ux
        if (x1 - middle_x) * nx + (y1 - middle_y) * ny < 0:
            nx, ny = -nx, -ny
        lines.append(
            (
                x1 + nx * out - ux * MARK_LENGTH,
                y1 + ny * out - uy * MARK_LENGTH,
                x2 + nx * out + ux * MARK_LENGTH,
                y2 + ny * out + uy * MARK_LENGTH,
            )
        )
    return [_rounded(line) for line in lines]


def _corner_dots(slot: Slot) -> list[Point]:
    """Beside the trim, where its rounded corners begin."""
    radius = slot.piece.stock.corner
    if not radius:
        return []
    left, top, right, foot = slot.trim
    out = DOT + CROSS_GAP
    dots = [(x, y) for x in (left + radius, right - radius) for y in (top - out, foot + out)]
    dots += [(x, y) for x in (left - out, right + out) for y in (top + radius, foot - radius)]
    return [(round(x, 3), round(y, 3)) for x, y in dots]


def _ring(slot: Slot) -> list[Line]:
    """Eight ticks that point at the cut of a round piece, short enough to lie between neighbours."""
    radius = slot.width / 2
    cx, cy = slot.x + radius, slot.y + radius
    near = radius + slot.piece.stock.bleed + 0.3
    far = near + MARK_LENGTH / 2
    ticks = []
    for eighth in range(8):
        cos, sin = math.cos(eighth * math.pi / 4), math.sin(eighth * math.pi / 4)
        ticks.append(_rounded((cx + cos * near, cy + sin * near, cx + cos * far, cy + sin * far)))
    return ticks


def _rounded(line: Line) -> Line:
    x1, y1, x2, y2 = (round(value, 3) + 0.0 for value in line)
    return (x1, y1, x2, y2) if (x1, y1) <= (x2, y2) else (x2, y2, x1, y1)


def _off(lines: Iterable[Line], slots: Sequence[Slot], inside: Callable[[Slot, Point], bool]) -> list[Line]:
    """The lines of which no point lies in any piece."""
    kept = []
    for line in lines:
        x1, y1, x2, y2 = line
        steps = max(4, math.ceil(math.hypot(x2 - x1, y2 - y1) / 2))
        points = [(x1 + (x2 - x1) * t / steps, y1 + (y2 - y1) * t / steps) for t in range(steps + 1)]
        if not any(inside(slot, point) for slot in slots for point in points):
            kept.append(line)
    return kept


def _in_trim(slot: Slot, point: Point) -> bool:
    return _inside(slot, point, slot.trim, 0.0)


def _in_bleed(slot: Slot, point: Point) -> bool:
    return _inside(slot, point, slot.bleed, slot.piece.stock.bleed)


def _inside(slot: Slot, point: Point, box: Box, bleed: float) -> bool:
    """Whether a point lies in a piece, or nearer than a hair."""
    x, y = point
    hair = 0.05 if bleed else -1e-6
    if not (box[0] - hair < x < box[2] + hair and box[1] - hair < y < box[3] + hair):
        return False
    if slot.piece.stock.shape == "circle":
        radius = slot.width / 2
        return math.hypot(x - slot.x - radius, y - slot.y - radius) < radius + bleed + hair
    if slot.piece.stock.shape == "hexagon":
        corners = corners_of(slot)
        sides = []
        for index, (x1, y1) in enumerate(corners):
            x2, y2 = corners[(index + 1) % len(corners)]
            sides.append(((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) / math.hypot(x2 - x1, y2 - y1))
        return min(sides) > -bleed - hair or max(sides) < bleed + hair
    return True


def _outside_all(lines: list[Line], sheet: Sheet) -> list[Line]:
    """The lines beyond the block of all pieces."""
    left, top, right, foot = around(sheet.slots)
    return [
        line
        for line in lines
        if max(line[0], line[2]) <= left
        or min(line[0], line[2]) >= right
        or max(line[1], line[3]) <= top
        or min(line[1], line[3]) >= foot
    ]


def around(slots: Sequence[Slot], bleed: bool = True) -> Box:
    """The box around all pieces, with the bleed that is shown or without."""
    boxes = [slot.window or (slot.bleed if bleed else slot.trim) for slot in slots]
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def _fold_lines(sheet: Sheet, paper: Paper) -> tuple[Line, ...]:
    """The fold of the sheet from edge to edge, and short lines beside the folds of pieces."""
    lines: list[Line] = []
    if sheet.fold:
        kind, at = sheet.fold
        lines.append((at, 4, at, paper.height - 4) if kind == "vertical" else (4, at, paper.width - 4, at))
    for slot in sheet.slots:
        stock = slot.piece.stock
        if stock.fold == "none" or slot.side == "back":
            continue
        a, b, c, d, e, f = face_matrix(slot)
        folds = [stock.foot + stock.height]
        if stock.foot:
            folds += [stock.foot, stock.foot + 2 * stock.height]
        for v in folds:
            for u1, u2 in ((-stock.bleed - 3.5, -stock.bleed - 0.5), (stock.width + stock.bleed + 0.5,) * 2):
                u2 = u2 + 3 if u1 == u2 else u2
                lines.append(_rounded((a * u1 + c * v + e, b * u1 + d * v + f, a * u2 + c * v + e, b * u2 + d * v + f)))
    return tuple(lines)


def _join_lines(sheet: Sheet) -> tuple[Line, ...]:
    """The edges of the window that a neighbouring tile carries on."""
    tile, window = sheet.tile, sheet.slots[0].window if sheet.slots else None
    if tile is None or window is None:
        return ()
    left, top, right, foot = window
    column = tile.column if sheet.side == "front" else tile.columns + 1 - tile.column
    lines: list[Line] = []
    if column > 1:
        lines.append((left, top - 3, left, foot + 3))
    if column < tile.columns:
        lines.append((right, top - 3, right, foot + 3))
    if tile.row > 1:
        lines.append((left - 3, top, right + 3, top))
    if tile.row < tile.rows:
        lines.append((left - 3, foot, right + 3, foot))
    return tuple(_rounded(line) for line in lines)


# The order of cuts


@dataclass(frozen=True)
class CutOrder:
    """Cuts of a guillotine, first those through the whole sheet; numbers stand beside their marks."""

    across: tuple[float, ...] = ()
    """Heights of the cuts from left to right."""
    down: tuple[float, ...] = ()
    """Cuts from top to foot, when they are the same in all rows; else each strip is cut by its own marks."""
    words: str = ""


def cut_order(sheet: Sheet) -> CutOrder:
    """In which order to cut a sheet of rectangles; nothing for round pieces, hexagons and tiles."""
    if (
        not sheet.slots
        or sheet.tile
        or sheet.template
        or any(slot.piece.stock.shape != "rectangle" for slot in sheet.slots)
    ):
        return CutOrder()
    slots = [slot for slot in sheet.slots if slot.side == sheet.side]
    across = sorted({round(value, 3) for slot in slots for value in (slot.y, slot.y + slot.height)})
    by_row: dict[float, list[float]] = {}
    for slot in slots:
        by_row.setdefault(round(slot.y, 3), []).extend((round(slot.x, 3), round(slot.x + slot.width, 3)))
    rows = {tuple(sorted(set(row))) for row in by_row.values()}
    down = max(rows, key=len)
    first = "fold and glue the sheet, then " if sheet.fold else ""
    words = f"Guillotine: {first}cut 1 to {len(across)} across"
    if all(set(row) <= set(down) for row in rows):
        return CutOrder(tuple(across), down, f"{words}, then {len(across) + 1} to {len(across) + len(down)} down")
    return CutOrder(tuple(across), (), f"{words}, then each strip by its own marks")


# Drawing


def mark_code(marks: Marks, paper: Paper) -> str:
    """The marks as PDF operators on a page in points."""

    def at(x: float, y: float) -> str:
        return f"{x * MM:.3f} {(paper.height - y) * MM:.3f}"

    def strokes(lines: Iterable[Line]) -> list[str]:
        return [f"{at(x1, y1)} m {at(x2, y2)} l S" for x1, y1, x2, y2 in lines]

    code = ["q"]
    if marks.white:
        code += [f"{marks.white_weight * MM:.3f} w 1 1 1 RG", *strokes(marks.white)]
    code += [f"{MARK_WEIGHT * MM:.3f} w {colour(INK)} RG {colour(INK)} rg", *strokes(marks.lines)]
    for x, y in marks.dots:
        code.append(_disc(x, y, DOT, at) + " f")
    if marks.folds or marks.joins:
        code += [f"[{2 * MM:.3f} {1.2 * MM:.3f}] 0 d", *strokes((*marks.folds, *marks.joins)), "[] 0 d"]
    if marks.cuts:
        code.append(f"{0.15 * MM:.3f} w {colour(SOFT)} RG [{0.8 * MM:.3f} {0.8 * MM:.3f}] 0 d")
        code += [_disc(x, y, radius, at) + " S" for (x, y), radius in marks.cuts]
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


def draw_numbers(canvas: Canvas, sheet: Sheet, order: CutOrder, paper: Paper) -> None:
    """The numbers of the cuts, small, beside their marks."""
    if not sheet.slots or not order.across:
        return
    left, top, _, _ = around(sheet.slots)
    canvas.saveState()
    canvas.setFillColor(INK)
    canvas.setFont(registered("SourceSansProSemibold"), 5)
    reach = MARK_GAP + MARK_LENGTH / 2
    for number, y in enumerate(order.across, 1):
        canvas.drawCentredString((left - reach) * MM, (paper.height - y + 0.4) * MM, str(number))
    for number, x in enumerate(order.down, len(order.across) + 1):
        canvas.drawString((x + 0.5) * MM, (paper.height - top + reach - 0.6) * MM, str(number))
    canvas.restoreState()


@dataclass(frozen=True)
class Label:
    """What is written on the edges of a sheet."""

    title: str
    settings: str
    hint: str = ""


def draw_label(
    canvas: Canvas, paper: Paper, label: Label, tags: Tags, heading: str, strips: tuple[Box, Box] | None = None
) -> None:
    """Title above, settings below. White lies under the words.

    `strips` are the places above and below that may be written on, where a machine looks for its marks beside them.
    """
    head, foot = strips or _strips(paper)
    canvas.saveState()
    left, right, baseline = head[0] * MM, head[2] * MM, (paper.height - head[1] - 3) * MM
    rule = pdfmetrics.stringWidth(RULE_WORDS, registered("SourceSansPro"), 6.5) + (RULE_LENGTH + 4) * MM
    room = right - left - rule
    append(canvas, tags.begin(heading))
    _words(canvas, left, baseline, label.title, "SourceSerifProBold", 8, room)
    append(canvas, tags.end())
    lines = [line for line in (label.settings, label.hint) if line]
    for index, line in enumerate(lines):
        y = paper.height - foot[3] + 2.2 * (len(lines) - 1 - index)
        append(canvas, tags.begin("P"))
        _words(canvas, foot[0] * MM, y * MM, line, "SourceSansPro", 6, (foot[2] - foot[0]) * MM)
        append(canvas, tags.end())
    canvas.restoreState()


def draw_rule(canvas: Canvas, paper: Paper, strips: tuple[Box, Box] | None = None) -> None:
    """A line of 50 mm at the upper right to check the scale with."""
    head, _ = strips or _strips(paper)
    canvas.saveState()
    _rule(canvas, (head[2] - RULE_LENGTH) * MM, (paper.height - head[1] - 3) * MM, RULE_WORDS)
    canvas.restoreState()


def _strips(paper: Paper) -> tuple[Box, Box]:
    """Where words stand above and below the pieces."""
    return ((10.0, LABEL_EDGE - 3, paper.width - 10, 0), (10.0, 0, paper.width - 10, paper.height - 3.2))


def _words(canvas: Canvas, x: float, y: float, text: str, font: str, size: float, room: float) -> None:
    """Text on white, made smaller when it is wider than its room."""
    name = registered(font)
    width = pdfmetrics.stringWidth(text, name, size)
    if width > room:
        size, width = size * room / width, room
    canvas.setFillColor("#ffffff")
    canvas.rect(x - 1, y - size * 0.28, width + 2, size * 1.1, stroke=0, fill=1)
    canvas.setFillColor(INK)
    canvas.setFont(name, size)
    canvas.drawString(x, y, text)


def _rule(canvas: Canvas, x: float, y: float, words: str) -> None:
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(MARK_WEIGHT * MM)
    canvas.line(x, y, x + RULE_LENGTH * MM, y)
    for step in range(int(RULE_LENGTH) + 1):
        tall = 2.0 if step % 10 == 0 else 1.5 if step % 5 == 0 else 1.0
        canvas.line(x + step * MM, y, x + step * MM, y + tall * MM)
    width = pdfmetrics.stringWidth(words, registered("SourceSansPro"), 6.5)
    _words(canvas, x - 1.5 * MM - width, y, words, "SourceSansPro", 6.5, width + 1)


def append(canvas: Canvas, code: str) -> None:
    """Add operators to a canvas's page."""
    drawn: Any = canvas
    drawn._code.append(code)
