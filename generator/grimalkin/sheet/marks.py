"""What a sheet carries beside the faces: crop marks outside the trim, a label, a measured rule."""

from __future__ import annotations

import math
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from grimalkin.content.stocks import Paper
from grimalkin.draw.pdf import MM, colour, registered
from grimalkin.sheet.impose import Sheet, Slot

MARK_WEIGHT = 0.2
"""Millimetres. Thinner lines vanish on home printers."""
MARK_LENGTH = 3.0
MARK_GAP = 0.5
"""Between the bleed and the mark."""
LABEL_EDGE = 6.2
"""Baselines of labels, from the edge of the paper: nearly every printer reaches them, and no crop mark does."""
RULE_LENGTH = 50.0
INK = "#1d1a26"


def draw_marks(canvas: Canvas, sheet: Sheet, paper: Paper) -> None:
    """Crop marks for every slot, on both sides of the leaf. No mark touches the trim or the bleed of any piece."""
    code = ["q", f"{MARK_WEIGHT * MM:.4f} w {colour(INK)} RG"]
    boxes = [_bleed_box(slot) for slot in sheet.slots]
    lines: set[tuple[float, float, float, float]] = set()
    for slot in sheet.slots:
        marks = _ticks(slot) if slot.face.stock.shape == "circle" else _corners(slot)
        lines.update(mark for mark in marks if not any(_touches(mark, box) for box in boxes))
    for x1, y1, x2, y2 in sorted(lines):
        code.append(f"{x1 * MM:.4f} {(paper.height - y1) * MM:.4f} m {x2 * MM:.4f} {(paper.height - y2) * MM:.4f} l S")
    code.append("Q")
    drawn: Any = canvas
    drawn._code.append("\n".join(code))


def _corners(slot: Slot) -> list[tuple[float, float, float, float]]:
    """Two marks at each corner, in line with the cuts."""
    stock = slot.face.stock
    start = stock.bleed + MARK_GAP
    end = start + MARK_LENGTH
    left, top, right, foot = slot.x, slot.y, slot.x + stock.width, slot.y + stock.height
    marks = []
    for x in (left, right):
        marks += [(x, top - end, x, top - start), (x, foot + start, x, foot + end)]
    for y in (top, foot):
        marks += [(left - end, y, left - start, y), (right + start, y, right + end, y)]
    return [_rounded(mark) for mark in marks]


def _ticks(slot: Slot) -> list[tuple[float, float, float, float]]:
    """Eight ticks that point at the cut of a round piece, short enough to lie between neighbours."""
    stock = slot.face.stock
    radius = stock.width / 2
    cx, cy = slot.x + radius, slot.y + radius
    ticks = []
    for eighth in range(8):
        cos, sin = math.cos(eighth * math.pi / 4), math.sin(eighth * math.pi / 4)
        near, far = radius + stock.bleed + 0.3, radius + stock.bleed + 0.3 + MARK_LENGTH / 2
        ticks.append(_rounded((cx + cos * near, cy + sin * near, cx + cos * far, cy + sin * far)))
    return ticks


def _rounded(mark: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    return (round(mark[0], 3), round(mark[1], 3), round(mark[2], 3), round(mark[3], 3))


def _bleed_box(slot: Slot) -> tuple[float, float, float, float, bool]:
    stock = slot.face.stock
    b = stock.bleed
    right, foot = slot.x + stock.width + b, slot.y + stock.height + b
    return (slot.x - b, slot.y - b, right, foot, stock.shape == "circle")


def _touches(mark: tuple[float, float, float, float], box: tuple[float, float, float, float, bool]) -> bool:
    """Whether a mark runs into the bleed of a piece. Round pieces are tested as circles."""
    left, top, right, foot, is_circle = box
    if is_circle:
        cx, cy, radius = (left + right) / 2, (top + foot) / 2, (right - left) / 2
        steps = (0.0, 0.25, 0.5, 0.75, 1.0)
        points = [(mark[0] + (mark[2] - mark[0]) * t, mark[1] + (mark[3] - mark[1]) * t) for t in steps]
        return any(math.hypot(x - cx, y - cy) < radius + 0.1 for x, y in points)
    low_x, high_x = sorted((mark[0], mark[2]))
    low_y, high_y = sorted((mark[1], mark[3]))
    return high_x > left and low_x < right and high_y > top and low_y < foot


def draw_cut_circle(canvas: Canvas, slot: Slot, paper: Paper) -> None:
    """A fine dashed line on the cut of a round piece: scissors need something to follow."""
    radius = slot.face.stock.width / 2 * MM
    canvas.saveState()
    canvas.setLineWidth(0.1 * MM)
    canvas.setDash(0.8 * MM, 0.8 * MM)
    canvas.setStrokeColor("#8a8f98")
    canvas.circle(slot.x * MM + radius, (paper.height - slot.y) * MM - radius, radius)
    canvas.restoreState()


def draw_label(canvas: Canvas, paper: Paper, title: str, settings: str) -> None:
    """Title above, settings below, and a rule of 50 mm to check the scale with."""
    canvas.saveState()
    canvas.setFillColor(INK)
    canvas.setFont(registered("SourceSerifProBold"), 8)
    canvas.drawString(paper.margin * MM, (paper.height - LABEL_EDGE) * MM, title)
    canvas.setFont(registered("SourceSansPro"), 6.5)
    canvas.drawString(paper.margin * MM, (LABEL_EDGE - 1.5) * MM, settings)
    _draw_rule(canvas, (paper.width - paper.margin - RULE_LENGTH - 8) * MM, (paper.height - LABEL_EDGE) * MM)
    canvas.restoreState()


def _draw_rule(canvas: Canvas, x: float, y: float) -> None:
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(MARK_WEIGHT * MM)
    canvas.line(x, y, x + RULE_LENGTH * MM, y)
    for step in range(int(RULE_LENGTH) + 1):
        tall = 2.0 if step % 10 == 0 else 1.5 if step % 5 == 0 else 1.0
        canvas.line(x + step * MM, y, x + step * MM, y + tall * MM)
    canvas.drawRightString(x - 1.5 * MM, y, f"this line measures {RULE_LENGTH:g} mm")
