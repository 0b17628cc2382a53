"""What a sheet carries beside the faces: marks to cut along, a label, a measured rule. All of it outside the trims."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from typing import Literal, NamedTuple

from grimalkin.content.stocks import Paper, Stock
from grimalkin.draw.canvas import PackedCanvas, string_width
from grimalkin.draw.packing import colour
from grimalkin.draw.pdf import MM
from grimalkin.draw.shapes import box_around, path_operators, point_through
from grimalkin.draw.tags import Tags
from grimalkin.face.fit import plainly_written
from grimalkin.face.fonts import SANS, SANS_SEMIBOLD, SERIF_BOLD
from grimalkin.face.paths import Matrix
from grimalkin.face.subset import INK
from grimalkin.sheet.impose import WORDS, Box, Sheet, Slot, Tile
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
TITLE_EDGE, LINES_EDGE = 6.2, 3.2
"""Baselines of the title and of the last line of words, from the edge of the paper: nearly every printer reaches
them."""
LINE_STEP = 2.2
LEAST_TYPE = 5.0
"""Points. Words that are too long are set smaller; from here on they go on in another line."""
TITLE_FONT, FONT = (SERIF_BOLD, 8.0), (SANS, 6.0)
RULE_LENGTH = 50.0
RULE_WORDS = f"this line measures {RULE_LENGTH:g} mm"

Line = tuple[float, float, float, float]
Point = tuple[float, float]


class Marks(NamedTuple):
    """The marks of a sheet: lines x1, y1, x2, y2 and dots x, y, in millimetres from the page's upper left corner."""

    lines: tuple[Line, ...] = ()
    dots: tuple[Point, ...] = ()
    white: tuple[Line, ...] = ()
    """Below the lines, wider and white, because those may lie on the bleed."""
    white_weight: float = 0.0
    folds: tuple[Line, ...] = ()
    """Dotted: where the sheet or a piece is folded."""
    cuts: tuple[str, ...] = ()
    """Fine dashed outlines on the cut of round pieces and hexagons, as SVG paths on the page: scissors need something
    to follow, and a slanted side has no mark at both its ends."""
    joins: tuple[Line, ...] = ()
    """Dashed: where a tile is cut to be joined."""


def marks_of(sheet: Sheet, style: MarkStyle, paper: Paper) -> Marks:
    """Every mark of a sheet in a style, all on the paper and none in a trim. Only crosses, lines, dots and what would
    lie off the paper are in a bleed, on white."""
    folds = _fold_lines(sheet, paper)
    if sheet.tile is not None:
        lines_beside, joins = _tile_lines(sheet, sheet.tile)
        return Marks(() if style == "none" else lines_beside, folds=folds, joins=joins)
    if style == "none" or sheet.template is not None:  # a machine cuts by its own marks, and is misled by others
        return Marks(folds=folds)
    lines: list[Line] = []
    dots: list[Point] = []
    white: list[Line] = []
    cuts: list[str] = []
    for slot in sheet.slots:
        shape = slot.piece.stock.shape
        if shape != "rectangle":
            cuts.append(_cut(slot))
        if shape == "circle":
            lines += _off(_ring(slot), sheet.slots, _in_bleed)
            continue
        start = slot.piece.stock.bleed + MARK_GAP
        outer = _corner_lines(slot, start, start + MARK_LENGTH)
        inner = _corner_lines(slot, CROSS_GAP, CROSS_GAP + max(slot.piece.stock.bleed, MARK_LENGTH / 2))
        if style == "crosses":
            inner = _off(inner, sheet.slots, _in_trim)
            lines, white = lines + inner, white + inner
            continue
        for far, near in zip(outer, inner, strict=True):
            if _on(paper, far):
                lines += _off([far], sheet.slots, _in_bleed)
            else:  # no room between the bleed and the edge of the paper
                kept = [line for line in _off([near], sheet.slots, _in_trim) if _on(paper, line)]
                lines, white = lines + kept, white + kept
        if style == "lines":
            lines += _off(_edge_lines(slot, MARK_WEIGHT / 2 + 0.01), sheet.slots, _in_trim)
            white += _off(_edge_lines(slot, MARK_WEIGHT + WHITE / 2 + 0.01), sheet.slots, _in_trim)
        if style == "dots":
            dots += [dot for dot in _corner_dots(slot) if not any(_in_trim(slot, dot) for slot in sheet.slots)]
    if style == "ticks" and sheet.slots:
        lines = _outside_all(lines, sheet)
    weight = WHITE if style == "lines" else MARK_WEIGHT + 2 * WHITE
    unique = tuple(sorted(set(lines)))
    return Marks(unique, tuple(sorted(set(dots))), tuple(sorted(set(white))), weight, folds, tuple(cuts))


def _on(paper: Paper, line: Line) -> bool:
    """Whether a line lies on the paper, with a hair to spare."""
    left, top, right, foot = _box(line)
    return left >= 0.5 and right <= paper.width - 0.5 and top >= 0.5 and foot <= paper.height - 0.5


def _box(line: Line) -> Box:
    x1, y1, x2, y2 = line
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def _cut(slot: Slot) -> str:
    """The edge of a piece as an SVG path on the page."""
    matrix = face_matrix(slot)
    return _moved(slot.piece.stock.outline(), lambda x, y: "{:.4f} {:.4f}".format(*point_through(matrix, x, y)))


def _moved(path: str, at: Callable[[float, float], str]) -> str:
    """An SVG path of absolute M, L, C, Z whose every point is written by `at`."""
    return re.sub(r"(-?[\d.]+(?:e-?\d+)?) (-?[\d.]+(?:e-?\d+)?)", lambda pair: at(float(pair[1]), float(pair[2])), path)


def corners_of(slot: Slot) -> tuple[Point, ...]:
    """The corners of the trim on the page, clockwise; of a circle, those of the square around it."""
    stock = slot.piece.stock
    if stock.shape != "hexagon":
        left, top, right, foot = slot.trim
        return ((left, top), (right, top), (right, foot), (left, foot))
    matrix = face_matrix(slot)
    return tuple(point_through(matrix, *point) for point in stock.corners)


def face_matrix(slot: Slot) -> Matrix:
    """From a piece's own millimetres to the page's, both with y downwards: X = au + cv + e, Y = bu + dv + f."""
    w, h = slot.piece.stock.piece
    return {
        0: (1.0, 0.0, 0.0, 1.0, slot.x, slot.y),
        90: (0.0, -1.0, 1.0, 0.0, slot.x, slot.y + w),
        180: (-1.0, 0.0, 0.0, -1.0, slot.x + w, slot.y + h),
        270: (0.0, 1.0, -1.0, 0.0, slot.x + h, slot.y),
    }[slot.turn]


def _sides(slot: Slot) -> Iterator[tuple[float, float, float, float, float, float]]:
    """The sides of the trim, clockwise: from where to where, and in which direction, a millimetre long."""
    corners = corners_of(slot)
    for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        length = math.hypot(x2 - x1, y2 - y1)
        yield x1, y1, x2, y2, (x2 - x1) / length, (y2 - y1) / length


def _corner_lines(slot: Slot, start: float, end: float) -> list[Line]:
    """Each side, carried on beyond both its corners, from `start` to `end` millimetres outside of the trim."""
    # At the corner of a hexagon a side runs on at 60 degrees to its neighbour: it needs more length to get as far.
    slant = math.sin(2 * math.pi / len(corners_of(slot)))
    near, far = start / slant, start / slant + end - start
    lines = []
    for x1, y1, x2, y2, ux, uy in _sides(slot):
        lines.append((x2 + ux * near, y2 + uy * near, x2 + ux * far, y2 + uy * far))
        lines.append((x1 - ux * near, y1 - uy * near, x1 - ux * far, y1 - uy * far))
    return [_rounded(line) for line in lines]


def _edge_lines(slot: Slot, out: float) -> list[Line]:
    """The whole sides, `out` millimetres outside of the trim, carried on beyond the corners."""
    lines = []
    for x1, y1, x2, y2, ux, uy in _sides(slot):
        dx, dy = uy * out, -ux * out
        more_x, more_y = ux * MARK_LENGTH, uy * MARK_LENGTH
        lines.append(_rounded((x1 + dx - more_x, y1 + dy - more_y, x2 + dx + more_x, y2 + dy + more_y)))
    return lines


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
        near = [slot for slot in slots if _meets(line, slot.bleed)]  # of a full sheet only one or two
        if not any(inside(slot, point) for slot in near for point in points):
            kept.append(line)
    return kept


def _meets(line: Line, box: Box) -> bool:
    """Whether the rectangle around a line comes nearer to a box than a tenth of a millimetre, or into it."""
    left, top, right, foot = _box(line)
    return left < box[2] + 0.1 and right > box[0] - 0.1 and top < box[3] + 0.1 and foot > box[1] - 0.1


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
        return all(ux * (y - y1) - uy * (x - x1) > -bleed - hair for x1, y1, _, _, ux, uy in _sides(slot))
    return True


def _outside_all(lines: list[Line], sheet: Sheet) -> list[Line]:
    """The lines beyond the block of all pieces."""
    left, top, right, foot = around(sheet.slots)
    boxes = ((line, _box(line)) for line in lines)
    return [line for line, (x1, y1, x2, y2) in boxes if x2 <= left or x1 >= right or y2 <= top or y1 >= foot]


def around(slots: Sequence[Slot], bleed: bool = True) -> Box:
    """The box around all pieces, with the bleed that is shown or without."""
    box = box_around(slot.window or (slot.bleed if bleed else slot.trim) for slot in slots)
    assert box is not None
    return box


def folds_of(stock: Stock) -> tuple[float, ...]:
    """How far below the upper edge of its strip a piece is folded, in millimetres; nowhere when it lies flat."""
    if stock.fold == "none":
        return ()
    head = stock.foot + stock.height
    return (stock.foot, head, head + stock.height) if stock.foot else (head,)


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
        matrix = face_matrix(slot)
        # In the bleed that is the piece's own, beside its left and right side when it stands upright.
        left, top, right, foot = slot.room
        sides = (left, right) if slot.turn == 0 else (foot, top)
        for v in folds_of(stock):
            for u1, u2 in ((-sides[0] + 0.2, -CROSS_GAP), (stock.width + CROSS_GAP, stock.width + sides[1] - 0.2)):
                if u2 - u1 >= 0.5:
                    lines.append(_rounded((*point_through(matrix, u1, v), *point_through(matrix, u2, v))))
    return tuple(lines)


def _tile_lines(sheet: Sheet, tile: Tile) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """Beside the window of a tile: marks in line with the cuts of the whole piece, and pairs of ticks where the cut
    edge of a neighbour comes to lie. Then the edges beyond which a neighbour carries on: there this tile is cut."""
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
    """Where the windows of the neighbours before and after end and begin, along one direction."""
    if count == 1:
        return []
    overlap = (count * (end - start) - (ends - begins)) / (count - 1)
    return [at for at, there in ((start + overlap, goes_on[0]), (end - overlap, goes_on[1])) if there]


# The order of cuts


class CutOrder(NamedTuple):
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
    down = sorted({round(value, 3) for slot in slots for value in (slot.x, slot.x + slot.width)})
    whole_rows = all(not slot.y + 0.01 < cut < slot.y + slot.height - 0.01 for slot in slots for cut in across)
    whole_columns = all(not slot.x + 0.01 < cut < slot.x + slot.width - 0.01 for slot in slots for cut in down)
    first = "fold and glue the sheet, then " if sheet.fold else ""
    if whole_rows and whole_columns:
        last = len(across) + len(down)
        words = (
            f"Guillotine: {first}cut 1 to {len(across)} across and keep the head strip; lay it on each other strip, "
            f"left edges flush, and cut {len(across) + 1} to {last} down by its marks"
        )
        return CutOrder(tuple(across), tuple(down), words)
    return CutOrder(words=f"Guillotine: {first}part the rows in the white between them, then cut each by its own marks")


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
        code += ["1 1 1 rg", _disc(x, y, DOT + WHITE, at) + " f", f"{colour(INK)} rg", _disc(x, y, DOT, at) + " f"]
    if marks.joins:
        code += [f"[{2 * MM:.3f} {1.2 * MM:.3f}] 0 d", *strokes(marks.joins), "[] 0 d"]
    if marks.folds:  # dots on white, so that nobody takes them for cuts
        code += [f"{(MARK_WEIGHT + 2 * WHITE) * MM:.3f} w 1 1 1 RG", *strokes(marks.folds)]
        code += [f"{0.35 * MM:.3f} w {colour(INK)} RG 1 J [0 {0.7 * MM:.3f}] 0 d", *strokes(marks.folds), "0 J [] 0 d"]
    if marks.cuts:
        paths = [path_operators(_moved(cut, at)) + " S" for cut in marks.cuts]
        code += [f"{0.3 * MM:.3f} w 1 1 1 RG", *paths]
        code += [f"{0.15 * MM:.3f} w {colour(INK)} RG [{0.8 * MM:.3f} {0.8 * MM:.3f}] 0 d", *paths]
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
    """The numbers of the cuts, small, beside their marks."""
    if not sheet.slots or not order.across:
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
    """The numbers of cuts and where they stand; two that are too close to each other share one place."""
    told: list[tuple[str, float]] = []
    for number, at in enumerate(cuts, first):
        if told and at - told[-1][1] < 2.2:
            told[-1] = (f"{told[-1][0]}/{number}", told[-1][1])
        else:
            told.append((str(number), at))
    return told


class Label(NamedTuple):
    """What is written on the edges of a sheet."""

    title: str
    settings: str
    hint: str = ""


Where = Literal["above and below", "beside", "nowhere"]


class Words(NamedTuple):
    """A label where the pieces leave room for it: the title in one strip of the page, lines in the other."""

    where: Where
    head: Box
    foot: Box
    """Strips beside the pieces are those of the page as it is read from its right."""
    title: str
    lines: tuple[str, ...]


def lay_out(label: Label, sheet: Sheet, paper: Paper, strips: tuple[Box, Box] | None = None) -> Words:
    """Above and below the pieces, else beside them, where their bleeds leave room; nowhere when they fill the paper.

    `strips` are the places above and below that may be written on, where a machine looks for its marks beside them.
    """
    if strips:
        return _in_strips("above and below", label, *strips)
    left, top, right, foot = around(sheet.slots) if sheet.slots else (WORDS, WORDS, 0.0, 0.0)
    rooms: tuple[tuple[Where, float, float, float, float], ...] = (
        ("above and below", paper.width, paper.height, top, paper.height - foot),
        ("beside", paper.height, paper.width, left, paper.width - right),
    )
    for where, wide, tall, before, after in rooms:
        head, below = (10.0, TITLE_EDGE - 3, wide - 10, 0.0), (10.0, 0.0, wide - 10, tall - LINES_EDGE)
        words = _in_strips(where, label, head, below)
        if min(before, after - LINE_STEP * (len(words.lines) - 2)) >= WORDS - 0.01:
            return words
    return words._replace(where="nowhere")


def _in_strips(where: Where, label: Label, head: Box, foot: Box) -> Words:
    title, *more = _broken(label.title, *TITLE_FONT, _title_room(head))
    lines = [line for text in (label.settings, label.hint) for line in _broken(text, *FONT, (foot[2] - foot[0]) * MM)]
    return Words(where, head, foot, f"{title}…" if more else title, tuple(filter(None, lines)))


def _broken(text: str, font: str, size: float, room: float) -> list[str]:
    """The lines of a text: one while it fits at a size that can be read, else more of that size."""
    least = min(size, LEAST_TYPE)
    if string_width(text, font, least) <= room:
        return [text]
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and string_width(longer, font, least) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def draw_label(canvas: PackedCanvas, paper: Paper, words: Words, tags: Tags, heading: str, told: int) -> None:
    """Title, settings and hint. White lies under the words, and they are read before what was told since `told`.

    Where there is no room they are not to be seen, but heard and found.
    """
    head, foot, tall = words.head, words.foot, _begin(canvas, paper, words)
    is_seen = words.where != "nowhere"
    with tags.leaf(heading, first=told):
        _words(canvas, head[0] * MM, (tall - head[1] - 3) * MM, words.title, *TITLE_FONT, _title_room(head), is_seen)
    for index, line in enumerate(words.lines):
        y = tall - foot[3] + LINE_STEP * (len(words.lines) - 1 - index)
        with tags.leaf("P", first=told + 1 + index):
            _words(canvas, foot[0] * MM, y * MM, line, *FONT, (foot[2] - foot[0]) * MM, is_seen)
    canvas.restoreState()


def draw_rule(canvas: PackedCanvas, paper: Paper, words: Words) -> None:
    """A line of 50 mm at the upper right to check the scale with; a narrow page has it on the cover alone."""
    if words.where != "nowhere" and _is_for_rule(words.head):
        tall = _begin(canvas, paper, words)
        _rule(canvas, (words.head[2] - RULE_LENGTH) * MM, (tall - words.head[1] - 3) * MM, RULE_WORDS)
        canvas.restoreState()


def _is_for_rule(head: Box) -> bool:
    return head[2] - head[0] >= 3 * RULE_LENGTH


def _title_room(head: Box) -> float:
    """Points for the title, on the left of the rule."""
    rule = string_width(RULE_WORDS, SANS, 6.5) + (RULE_LENGTH + 4) * MM
    return (head[2] - head[0]) * MM - (rule if _is_for_rule(head) else 0)


def _begin(canvas: PackedCanvas, paper: Paper, words: Words) -> float:
    """Save the state and turn the page as the strips have it. Returns its height."""
    canvas.saveState()
    if words.where != "beside":
        return paper.height
    canvas.transform(0, 1, -1, 0, paper.width * MM, 0)
    return paper.width


def _words(
    canvas: PackedCanvas, x: float, y: float, text: str, font: str, size: float, room: float, is_seen: bool = True
) -> None:
    """Text on white, made smaller when it is wider than its room."""
    text = plainly_written(text, font)
    width = string_width(text, font, size)
    if width > room:
        size, width = size * room / width, room
    if is_seen:
        canvas.setFillColor("#ffffff")
        canvas.rect(x - 1, y - size * 0.28, width + 2, size * 1.1, stroke=0, fill=1)
    else:
        canvas.emit("3 Tr")
    canvas.setFillColor(INK)
    canvas.setFont(font, size)
    canvas.drawString(x, y, text)


def _rule(canvas: PackedCanvas, x: float, y: float, words: str) -> None:
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(MARK_WEIGHT * MM)
    canvas.line(x, y, x + RULE_LENGTH * MM, y)
    for step in range(int(RULE_LENGTH) + 1):
        tall = 2.0 if step % 10 == 0 else 1.5 if step % 5 == 0 else 1.0
        canvas.line(x + step * MM, y, x + step * MM, y + tall * MM)
    width = string_width(words, SANS, 6.5)
    _words(canvas, x - 1.5 * MM - width, y, words, SANS, 6.5, width + 1)
