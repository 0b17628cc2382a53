"""Read a drawn outline: a stock and its drawing in, the stock with its cuts and creases out.

A drawing is read like art, so it may come from any program. Its page is the box around the piece and its face.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from grimalkin.content.outlines import (
    Command,
    Contour,
    Outline,
    area,
    flat,
    length,
    reversed_path,
    subpaths,
    written,
)
from grimalkin.content.stocks import Stock
from grimalkin.printing.draw.shapes import matrix_through, outline, through
from grimalkin.printing.face.svg.paths import Matrix, times
from grimalkin.printing.face.svg.xml import Element, line_of, tag_of
from grimalkin.problems import Place, Problem, Problems, shown_path
from grimalkin.problems.plain import plural
from grimalkin.source import data_folder, read_bytes

if TYPE_CHECKING:
    from grimalkin.printing.face.art import Art

MOST_POINTS = 20_000
"""The most points of all cuts and creases, with curves broken into straight pieces."""
MOST_LINES = 1_000
"""The most cuts and creases, each counted from its start to its end."""
LONGEST = 50_000.0
"""The greatest total length of these lines, in millimetres."""
DENSEST = 200
"""The most straight pieces, up to 4 mm long, in a 4 mm square: every check measures distances to the nearest ones."""
SMALLEST, LARGEST = 3.0, 2000.0
"""Sides of a piece, in millimetres."""
SAME = 0.01
"""Points closer together than this, in millimetres, count as the same point."""
BEYOND = 0.05
"""Millimetres by which a line may extend beyond the page: programs round when they fit a page to a line."""
LEAST = 1.0
"""The least area that a cut may enclose, in square millimetres."""
ALIKE = 0.005
"""The largest difference allowed between the proportions of a stock and its drawing."""
_LETTERS = {"m": "M", "l": "L", "c": "C", "h": "Z"}


@dataclass
class _Found:
    """The lines of a drawing by purpose, in millimetres."""

    cuts: list[str] = field(default_factory=list)
    creases: list[str] = field(default_factory=list)
    others: Counter[str] = field(default_factory=Counter)
    """The number of shapes that are neither cuts nor creases, by colour."""
    other_line: int = 0
    """The line of the file with the first such shape."""


def with_drawing(
    name: str, stock: Stock, folder: Path | None, problems: Problems, remarks: list[Problem] | None
) -> Stock | None:
    """Return a stock with the lines of its drawing; None with problems."""
    roots = [root for root in (folder, data_folder("templates")) if root]
    root = next(root for root in roots if (root / "stocks" / f"{name}.yaml").is_file())
    path = root / "stocks" / (stock.drawing or "")
    stated = Place(shown_path(root / "stocks" / f"{name}.yaml"))
    data = read_bytes(path, problems, root)
    if data is None:
        return None
    reading = _Reading(stock, shown_path(path), Problems())
    made = reading.read(data, stated)
    problems.extend(reading.problems)
    if made and remarks is not None:
        remarks += reading.remarks()
    return None if reading.problems else made


class _Reading:
    """One drawing while it is being read."""

    def __init__(self, stock: Stock, path: str, problems: Problems) -> None:
        self.stock, self.path, self.problems = stock, path, problems
        self.found = _Found()
        self.size = (0.0, 0.0)
        self.lines = self.points = 0
        self.long = 0.0

    def fault(self, line: int, message: str, hint: str) -> None:
        self.problems.add(Place(self.path, line), message, hint)

    def read(self, data: bytes, stated: Place) -> Stock | None:
        """Return the stock with the lines of this drawing. Faults in the stock's own file are problems at `stated`."""
        from grimalkin.printing.face.art import read_art

        art = read_art(data, "")
        if isinstance(art, list):
            for line, message, hint in art:
                self.fault(line, message, hint)
            return None
        size = self.measured(art, stated)
        if size is None:
            return None
        self.size = size
        x, y, width, height = art.box
        self.walk(
            art.element, (size[0] / width, 0.0, 0.0, size[1] / height, -x * size[0] / width, -y * size[1] / height)
        )
        if not self.found.cuts and not self.problems:
            there = ", ".join(self.found.others) or "nothing"
            self.fault(
                0, f"no line has the colour {self.stock.cut_colour}, which marks cuts", f"the drawing has {there}"
            )
        if self.problems:
            return None
        made = self.stock.with_lines(Outline(tuple(self.found.cuts), tuple(self.found.creases)), *size)
        if made.lines and made.lines.densest > DENSEST:
            self.fault(0, f"more than {DENSEST} pieces of its lines lie within 4 mm", "simplify the drawing")
        if made.leaves_nothing:
            self.problems.add(stated, made.leaves_nothing, "make `safe` smaller")
        return made

    def measured(self, art: Art, stated: Place) -> tuple[float, float] | None:
        """Return the size of the drawing's page: the size in its file, or that of the stock."""
        width, height = self.stock.width, self.stock.height
        across, down = art.size or art.box[2:]
        if not width and not height:
            if art.size is None:
                hint = 'write `width` in the stock, or width="60mm" in the drawing'
                self.fault(0, "the drawing does not say how large it is", hint)
                return None
            width, height = across, down
        width, height = width or height * across / down, height or width * down / across
        if abs(width * down / (height * across) - 1) > ALIKE:
            said = f"the drawing is {across:g} × {down:g}, not in proportion to {width:g} × {height:g} mm"
            self.problems.add(stated, said, "leave out `width` or `height`")
        elif max(width, height) > LARGEST or min(width, height) < SMALLEST:
            said = f"a piece of {width:.4g} × {height:.4g} mm cannot be cut"
            self.problems.add(stated, said, f"each side may be {SMALLEST:g} to {LARGEST:,.0f} mm")
        else:
            return round(width, 3), round(height, 3)
        return None

    def walk(self, element: Element, matrix: Matrix, is_clipped: bool = False) -> None:
        """Collect the lines of all shapes in an element."""
        for child in element:
            tag = tag_of(child)
            if tag == "defs" or self.is_too_much:
                continue
            inner = times(matrix, matrix_through(child.get("transform", "")))
            clipped = is_clipped or "clip-path" in child.attrib or "mask" in child.attrib
            if tag == "g":
                self.walk(child, inner, clipped)
            else:
                self.keep(child, tag, inner, clipped)

    def keep(self, shape: Element, tag: str, matrix: Matrix, is_clipped: bool) -> None:
        """Collect one shape, if its line is in one of the two colours."""
        stroke = str(shape.get("stroke", "none")).lower()
        line = line_of(shape)
        is_cut = stroke == self.stock.cut_colour.lower()
        if tag == "image" or not (is_cut or stroke == self.stock.crease_colour.lower()):
            fill = str(shape.get("fill", "#000000")).lower()
            colour = "a picture" if tag == "image" else stroke if stroke != "none" else f"fill {fill}"
            self.found.others[colour if not colour.startswith("url") else "a pattern"] += 1
            self.found.other_line = self.found.other_line or line
            return
        if is_clipped:
            self.fault(line, "a cut or crease is clipped or masked", "draw only the lines themselves")
            return
        parts = [part for part in subpaths(_path(through(outline(shape), matrix))) if len(part) > 1]
        if not self.is_bounded([contour for part in parts for contour in flat(written(part))], line):
            return
        if is_cut:
            closed = [part for part in parts if self.is_closed(part, line)]
            self.found.cuts += [written(part) for part in _turned(closed)]
        else:
            self.found.creases += [written(part) for part in parts]

    def is_bounded(self, contours: list[Contour], line: int) -> bool:
        """Return whether a line is on the page and all lines so far are few and short enough; if not, report this."""
        width, height = self.size
        points = [point for contour in contours for point in contour]
        self.lines += len(contours)
        self.points += len(points)
        beyond = max((max(-x, x - width, -y, y - height) for x, y in points), default=0.0)
        if beyond > BEYOND:
            said = f"a line reaches {beyond:.4g} mm beyond the page of the drawing, {width:g} × {height:g} mm"
            self.fault(line, said, "fit the page to the drawing")
            return False
        self.long += length(contours)
        if self.is_too_much:
            said = f"more than {MOST_LINES:,} lines, {MOST_POINTS:,} points or {LONGEST / 1000:g} m of cuts and creases"
            self.fault(0, said, "simplify the drawing")
        return not self.is_too_much

    @property
    def is_too_much(self) -> bool:
        return self.lines > MOST_LINES or self.points > MOST_POINTS or self.long > LONGEST

    def is_closed(self, part: list[Command], line: int) -> bool:
        """Return whether a part of a line encloses an area; if not, report a problem."""
        (x1, y1), (x2, y2) = part[0][1][0], [point for _, points in part for point in points][-1]
        if part[-1][0] != "Z" and math.hypot(x2 - x1, y2 - y1) > SAME:
            message = f"a line to cut is open: it begins at {x1:.4g}, {y1:.4g} mm and ends at {x2:.4g}, {y2:.4g} mm"
            self.fault(line, message, "close it, so that the piece comes out")
        elif abs(area(flat(written(part))[0])) < LEAST:
            message = f"a line to cut, at {x1:.4g}, {y1:.4g} mm, encloses nothing"
            self.fault(line, message, f"it must enclose at least {LEAST:g} mm²")
        else:
            if part[-1][0] != "Z":
                part.append(("Z", []))
            return True
        return False

    def remarks(self) -> list[Problem]:
        """Return remarks on unused shapes."""
        others = self.found.others
        if not others:
            return []
        kinds = ", ".join(f"{count} in {colour}" for colour, count in others.most_common(5))
        verb = "is" if others.total() == 1 else "are"
        message = f"{plural(others.total(), 'shape')} of the drawing ({kinds}) {verb} ignored"
        hint = f"{self.stock.cut_colour} is for cuts, {self.stock.crease_colour} for creases"
        return [Problem(Place(self.path, self.found.other_line), message, hint)]


def _path(operators: str) -> str:
    """Convert PDF operators m, l, c and h to a path of absolute M, L, C and Z commands."""
    found: list[str] = []
    numbers: list[str] = []
    for token in operators.split():
        if token in _LETTERS:
            found.append(_LETTERS[token] + " ".join(numbers))
            numbers = []
        else:
            numbers.append(token)
    return "".join(found)


def _turned(parts: list[list[Command]]) -> list[list[Command]]:
    """Return the closed parts of one line, with edges clockwise and holes counter-clockwise.

    A part inside an odd number of other parts is a hole.
    """
    found = [Outline((written(part),)) for part in parts]
    made = []
    for part, own in zip(parts, found, strict=True):
        contour = own.contours[0]
        around = sum(other.holds(*contour[0]) for other in found if other is not own)
        made.append(part if (area(contour) > 0) == (around % 2 == 0) else reversed_path(part))
    return made
