"""A sheet for measuring a printer: two pages to print on both sides of one leaf and hold up to a light.

The back has scales in millimetres, the front unnumbered lines 0.9 mm apart that shine through. As on a calliper, the
long line gives whole millimetres, and the line that meets a line of the scale gives tenths. The scales count in the
direction in which the back must move, so that a reading is the correction.

Positions are in millimetres from the lower left corner of the page, as seen from the back.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

from grimalkin.content.stocks import Paper
from grimalkin.printing.draw.pdf import MM, new_canvas
from grimalkin.printing.draw.tags import NUMBERED, Tags
from grimalkin.printing.sheet.correction import corrected
from grimalkin.printing.sheet.settings import Flip, Printer, back_matrix, front_matrix
from grimalkin.printing.sheet.writing import Writer
from grimalkin.printing.type.fonts import SANS, SANS_BOLD, SERIF_BLACK, SERIF_BOLD
from grimalkin.problems import Place

LEAST, MOST = -6, 16
"""Ends of a scale. The ten lines of the front need 9 mm beyond a reading."""
STEP = 0.9
"""Millimetres between two lines on the front: a tenth less than one."""
LINE = 0.13
UP_LEFT = 19.0
"""Millimetres from the vertical scale, on the left, to the zero of the horizontal scale."""
ROOM = (28.0, 18.0, 10.0, 20.0)
"""Millimetres that a pair of scales with its letter needs to the left of its zero, to the right, below and above."""
SOFT = "#5b5f68"
EDGE = 9.0
"""Millimetres of white around the page; nearly every printer reaches further."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Readings:
    """Readings in millimetres: horizontal in the middle, vertical in the middle and in the two upper corners."""

    across: float
    up: float
    up_left: float
    up_right: float


def places(paper: Paper) -> dict[str, Point]:
    """Return the positions of the scales by letter: the zero of each horizontal scale."""
    left, right, below, above = ROOM
    near, far = EDGE + left, paper.width - EDGE - right
    low, high = EDGE + below, paper.height - EDGE - above
    middle = (paper.width / 2, paper.height / 2)
    return {"A": (near, high), "B": (far, high), "C": middle, "D": (near, low), "E": (far, low)}


def printer_of(name: str, readings: Readings, paper: Paper) -> Printer:
    """Return the profile of a printer from readings of a sheet printed without a profile.

    A correction is a turn around the middle, then a shift. A reading is the distance by which it moves the zero of its
    scale.
    """
    at = places(paper)
    span = at["B"][0] - at["A"][0]
    angle = math.asin((readings.up_right - readings.up_left) / span)
    # The vertical scale in the middle is off-centre, so the turn alone moves its zero.
    back_y = readings.up + UP_LEFT * math.sin(angle)
    return Printer(name, readings.across, back_y, math.degrees(angle))


def added(printer: Printer, more: Printer) -> Printer:
    """Return the profile that has the combined effect on backs of `more`, which moves only these, and then `printer`.

    It moves fronts as `printer` does.
    """
    turn = math.radians(printer.angle)
    cos, sin = math.cos(turn), math.sin(turn)
    across, along = printer.scale_x / 100, printer.scale_y / 100
    return replace(
        printer,
        back_x=printer.back_x + across * (cos * more.back_x - sin * more.back_y),
        back_y=printer.back_y + along * (sin * more.back_x + cos * more.back_y),
        angle=printer.angle + more.angle,
    )


def rounded(printer: Printer) -> Printer:
    """Round a profile to hundredths of a millimetre and of a degree, the finest difference that paper shows."""
    names = [field.name for field in fields(printer) if field.name != "name"]
    return replace(printer, **{name: round(getattr(printer, name), 2) + 0.0 for name in names})


def on_front(point: Point, paper: Paper, flip: Flip) -> Point:
    """Return a point of the back as seen from the front; both pages are upright."""
    x, y = point
    return (paper.width - x, y) if flip == "long" else (x, paper.height - y)


def calibration_pdf(paper: Paper, paper_name: str, flip: Flip, printer: Printer | None = None) -> bytes:
    """Return the sheet, front and back. `paper_name` is the paper's name on the command line.

    If a printer is given, its correction is applied, so that you can check it.
    """
    canvas = new_canvas((paper.width * MM, paper.height * MM))
    title = f"Calibration of a printer, {paper.name}, {flip} edge"
    how = "Print at 100 % on both sides of one sheet, and hold it up to a light."
    canvas.describe(title, "Grimalkin", how)
    canvas.print_on("DuplexFlipLongEdge" if flip == "long" else "DuplexFlipShortEdge")
    tags = Tags(canvas)
    writer = Writer(canvas, paper, tags, "the calibration sheet", Place("calibrate"))
    with corrected(canvas, tags, front_matrix(printer, paper) if printer and printer.moves_fronts else None):
        _front(writer, flip, printer)
    canvas.showPage()
    with corrected(canvas, tags, back_matrix(printer, paper) if printer else None):
        _back(writer, paper_name, flip, printer)
    canvas.showPage()
    return canvas.pdf()


def _front(writer: Writer, flip: Flip, printer: Printer | None) -> None:
    """Draw the instructions, and the unnumbered lines that shine through to the back."""
    paper = writer.paper
    title = f"Do the backs of “{printer.name}” line up now?" if printer else "Do the backs meet the fronts?"
    steps = (
        ("Print", f"both pages on one sheet of {paper.name}: at 100 %, on both sides, flipped on the {flip} edge."),
        ("Turn", "the sheet so that the page with the numbers faces you, and hold it up to a lamp or a window. "
         "The lines of this page shine through."),
        ("Read", "the scales as that page explains, and give your readings to Grimalkin."),
    )  # fmt: skip
    _words(writer, title, f"front · {paper.name} · flip on the {flip} edge", steps)
    with writer.artifact():
        for x, y in places(paper).values():
            for step in range(11):
                low, high = _reach(step)
                along = step * STEP
                _line(writer, flip, (x + along, y + low), (x + along, y + high))
                _line(writer, flip, (x - UP_LEFT + low, y + along), (x - UP_LEFT + high, y + along))


def _reach(step: int) -> tuple[float, float]:
    """Return the two ends of an unnumbered line across its scale; the first line is the longest."""
    return {0: (-8.5, 3.0), 5: (-6.5, 2.0), 10: (-6.5, 2.0)}.get(step, (-5.0, 2.0))


def _line(writer: Writer, flip: Flip, start: Point, end: Point) -> None:
    """Draw a line on the front at a position as seen from the back."""
    (x1, y1), (x2, y2) = (on_front(point, writer.paper, flip) for point in (start, end))
    height = writer.paper.height
    writer.line(x1, height - y1, x2, height - y2, LINE)


def _back(writer: Writer, paper_name: str, flip: Flip, printer: Printer | None) -> None:
    """Draw the scales, instructions for reading them, an example, and the command."""
    paper = writer.paper
    how = (
        ("Whole millimetres:", "the last line of the scale to the left of the long line that shines through, or below "
         "it when you read up. A long line just left of 0 is past −1."),
        ("Tenths:", "count the lines after the long one. The first that meets a line of the scale gives the tenths "
         "(the fifth and the tenth are longer). Add them."),
        ("Read", "across at C and up at C, then up at A and up at B. D and E are for comparison."),
    )  # fmt: skip
    _words(writer, "Read what shines through", f"back · {paper.name} · flip on the {flip} edge", how)
    left, right, below, above = ROOM
    for letter, (x, up) in places(paper).items():
        alt = f"Place {letter}: a scale that reads across and one that reads up, {LEAST} to {MOST} mm"
        y = paper.height - up
        with writer.figure(alt, (x - left, y - above, x + right, y + below)):
            _scales(writer, x, y)
            mark = writer.set(letter, 8, SERIF_BLACK, 15)
            writer.draw(mark, x + 8, y - 17.5, align="right")
    _example(writer, paper_name, printer)


def _scales(writer: Writer, x: float, y: float) -> None:
    """Draw the two numbered scales of one position, given as the zero of the horizontal scale with y from the top."""
    for step in range(LEAST, MOST + 1):
        tall = 6.5 if step % 5 == 0 else 5.0
        writer.line(x + step, y - tall, x + step, y + 2, LINE)
        writer.line(x - UP_LEFT - 2, y - step, x - UP_LEFT + tall, y - step, LINE)
        if step % 5 == 0:
            _number(writer, step, x + step, y - 8)
            _number(writer, step, x - UP_LEFT + 8.6, y - step)


def _number(writer: Writer, value: int, x: float, middle: float) -> None:
    setting = writer.set(str(value).replace("-", "−"), 6, SANS, 6.5)
    writer.draw(setting, x - 3, middle - setting.height / 2, align="center")


def _example(writer: Writer, paper_name: str, printer: Printer | None) -> None:
    """Draw examples of readings of 1.3 mm and −0.6 mm, then the command."""
    paper = writer.paper
    left, width, size = _frame(paper)
    _, _, below, above = ROOM
    top, foot = paper.height / 2 + below + 4, paper.height - EDGE - below - above - 4
    title = writer.set("Two readings, and the command", width, SERIF_BOLD, size * 1.3, 8)
    top = writer.put(title, left, top, "H2") + 2
    large = _is_large(paper)  # otherwise the examples are one above the other, beside the command
    wide, high = (2.3, 1.4) if large else (1.0, 1.0)
    across, down = (width / 2, 0.0) if large else (0.0, 19.5)
    drawn = (
        (1.3, "1.3", "the long line is past 1, and line 3 meets"),
        (-0.6, "−0.6", "the long line is past −1, and line 4 meets: −1 + 0.4"),
    )
    for index, (reading, number, why) in enumerate(drawn):
        x, y = left + 3 * wide + index * across, top + 9 * high + index * down
        box = (x - 3 * wide, y - 8 * high - 2, x + 14 * wide, y + 9 * high)
        with writer.figure(f"A reading of {number} mm: {why}", box):
            _drawn(writer, x, y, reading, wide, high)
        runs = [(SANS_BOLD, f"{number}:"), (SANS, " " + why)]
        note = writer.set(runs, (across or 54) - 17 * wide - 8, SANS, size, 6, 24)
        writer.put(note, x + 14 * wide + 4, y - 6.5 * high, "P")
    if large:
        top += 28
    x = left if large else left + 54
    at = places(paper)
    degrees = math.degrees(1 / (at["B"][0] - at["A"][0]))
    name = printer.name if printer else "NAME"
    typed = f'"{name}"' if " " in name else name
    again = " --again" if printer else ""
    rows = [
        ("", "The command asks for your four readings and keeps them under a name of your choice:"),
        ("Bold", f"grimalkin printer measure {typed} --paper {paper_name}{again}"),
        ("", "Then print with it:"),
        ("Bold", f"grimalkin sheets GAME --printer {typed}"),
    ]
    if printer is None:
        rows[2:2] = [
            ("", f"Or calculate it: the angle is {degrees:.3f}° for every millimetre that B reads more than A."),
            ("Bold", f"grimalkin printer set {typed} --back-x 1.3 --back-y -0.6 --angle 0.15"),
        ]
    y = top
    for style, text in rows:
        setting = writer.set(text, left + width - x, f"{SANS}{style}", size, 5.5, foot - y)
        y = writer.put(setting, x, y, "P") + (2.2 if style else 0.5)


def _drawn(writer: Writer, x: float, y: float, reading: float, wide: float, high: float) -> None:
    """Draw a section of a scale, its zero at x, y, with the lines that shine through at a reading."""
    for step in range(-2, 13):
        at = x + step * wide
        writer.line(at, y - (6.5 if step % 5 == 0 else 5) * high, at, y + 2 * high, LINE)
        if step % 5 == 0 or step in (-1, 1):
            _number(writer, step, at, y - 7 * high - 1)
    for step in range(11):
        low, far = _reach(step)
        at = x + (reading + step * STEP) * wide
        meets = step == round(reading % 1 * 10)
        writer.line(at, y - far * high, at, y - low * high, 0.5 if meets else LINE, "#b5622d")


def _frame(paper: Paper) -> tuple[float, float, float]:
    """Return the left edge and the width of the text, and its size in points; small pages have smaller type."""
    return EDGE + 3, paper.width - 2 * EDGE - 6, 10.5 if _is_large(paper) else 7.5


def _words(writer: Writer, title: str, note: str, steps: tuple[tuple[str, str], ...]) -> None:
    """Draw the title, a note and a list, between the scales at the top and those in the middle."""
    paper = writer.paper
    left, width, size = _frame(paper)
    _, _, below, above = ROOM
    y, foot = EDGE + above + below + 4, paper.height / 2 - above - 3
    heading = writer.set(title, width, SERIF_BLACK, size * 1.9, 9, 20, 1.1)
    y = writer.put(heading, left, y, "H1") + 0.6
    y = writer.put(writer.set(note, width, SANS, size * 0.9), left, y, "P", SOFT) + 2.4
    # One size for the whole list: the largest at which it fits.
    room = foot - y - 1.2 * (len(steps) - 1)
    for tenths in range(round(size * 10), 54, -5):
        runs = [[(SANS_BOLD, lead), (SANS, " " + rest)] for lead, rest in steps]
        settings = [writer.set(run, width - 5, SANS, tenths / 10) for run in runs]
        if sum(setting.height for setting in settings) <= room:
            break
    with writer.element("L", attributes=NUMBERED):
        for number, setting in enumerate(settings, 1):
            with writer.element("LI"):
                writer.put(writer.set(str(number), 5, SERIF_BOLD, setting.block.size), left, y, "Lbl")
                y = writer.put(setting, left + 5, y, "LBody") + 1.2


def _is_large(paper: Paper) -> bool:
    return paper.width >= 200 and paper.height >= 270


def is_too_small(paper: Paper) -> bool:
    """Return whether the scales on a paper would overlap, or leave no room for text."""
    left, right, below, above = ROOM
    return paper.width < 2 * (EDGE + left + right) or paper.height < 3 * (below + above) + 2 * EDGE + 80
