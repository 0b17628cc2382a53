"""Turn SVG shapes into PDF operators, which draw their outlines, and boxes, which enclose them.

Texts can become outlines, too, for programs that do not load the fonts in an SVG file.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import mul
from typing import Any, NamedTuple

from lxml import etree

from grimalkin.content.outlines import KAPPA
from grimalkin.content.stocks import rounded
from grimalkin.printing.draw.packing import MM, exact, row, short
from grimalkin.printing.face.layers import Face, Layer
from grimalkin.printing.face.svg.paths import (
    Box,
    CubicPen,
    Matrix,
    Pair,
    PathPen,
    box_around,
    box_of_symbol,
    box_through,
    length_of,
    matrix_of,
    moved_to,
    point_through,
    points_of,
    sound_number,
    symbol_matrix,
    times,
)
from grimalkin.printing.face.svg.subset import HIDDEN, SVG
from grimalkin.printing.face.svg.xml import Element, text_of
from grimalkin.printing.type.fonts import known_font
from grimalkin.printing.type.shaping import line_width, set_line, words_of

Style = Mapping[str, str]
INHERITED = (
    "fill",
    "fill-rule",
    "stroke",
    "stroke-width",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-miterlimit",
    "stroke-opacity",
    "fill-opacity",
    "font-family",
    "font-size",
    "font-variant",
    "text-anchor",
    "word-spacing",
)
_INHERITED = frozenset(INHERITED)
FINE = 0.01
"""The scale below which more decimals are written."""
LEAST_APART = 0.0001
"""The distance, relative to the size of a grid, below which values count as equal."""


def own_style(element: Element) -> dict[str, str]:
    """Return the inherited properties that an element sets itself."""
    items: Any = element.items()
    own: dict[str, str] = {key: value for key, value in items if key in _INHERITED}
    return own


@lru_cache(maxsize=4096)
def number(written: str) -> str:
    """Return a number from an SVG in PDF notation."""
    return short(sound_number(written))


def outline(element: Element) -> str:
    """Return the outline of a shape as PDF path operators. As in SVG, a shape with width or height 0 has none."""
    tag = element.tag.rpartition("}")[2]

    def value(key: str) -> float:
        return length_of(element, key)

    if tag == "path":
        return path_operators(element.get("d", ""))
    if tag == "rect":
        width, height = value("width"), value("height")
        across, down = element.get("rx") or element.get("ry") or "0", element.get("ry") or element.get("rx") or "0"
        radii = sound_number(across), sound_number(down)
        return rectangle(value("x"), value("y"), width, height, *radii) if width and height else ""
    if tag in ("circle", "ellipse"):
        rx, ry = (value("r"), value("r")) if tag == "circle" else (value("rx"), value("ry"))
        return ellipse(value("cx"), value("cy"), rx, ry) if rx and ry else ""
    if tag == "line":
        return f"{row(value('x1'), value('y1'))} m {row(value('x2'), value('y2'))} l"
    points = [f"{short(x)} {short(y)}" for x, y in points_of(element.get("points", "")) or ()]
    return f"{points[0]} m " + " ".join(f"{point} l" for point in points[1:]) + (" h" if tag == "polygon" else "")


_DOT = re.compile(r"M([^MLCZ]+)Z")
"""A path closed at its starting point: PDF draws square ends only for a line."""


@lru_cache(maxsize=8192)  # enough for all papers and designs of a richly drawn game
def path_operators(d: str) -> str:
    """Return absolute M, L, C and Z as m, l, c and h."""
    letters = {"M": "m", "L": "l", "C": "c", "Z": "h"}
    d = _DOT.sub(r"M\1L\1Z", d)
    return " ".join(
        " ".join([*(number(one) if "e" in one else one for one in numbers.split()), letters[letter]])
        for letter, numbers in re.findall(r"([MLCZ])([^MLCZ]*)", d)
    )


def rectangle(x: float, y: float, width: float, height: float, across: float = 0, down: float | None = None) -> str:
    """Return a rectangle, whose corners have a horizontal radius and a vertical radius, by default the same."""
    rx, ry = min(across, width / 2), min(across if down is None else down, height / 2)
    if rx <= 0 or ry <= 0:
        return f"{row(x, y, width, height)} re"
    if rx == ry:
        corners = rounded(x, y, x + width, y + height, rx)
    else:  # a circular corner of radius 1, stretched
        square = rounded(x / rx, y / ry, (x + width) / rx, (y + height) / ry, 1)
        corners = ((letter, tuple(map(mul, at, (rx, ry) * 3))) for letter, at in square)
    return " ".join(f"{row(*at)} {letter.lower()}" for letter, at in corners) + " h"


def through(operators: str, matrix: Matrix) -> str:
    """Return path operators, transformed by a matrix."""
    moved: list[str] = []
    numbers: list[float] = []
    for token in operators.split():
        if token == "re":
            x, y, width, height = numbers
            corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
            ends = [f"{row(*point_through(matrix, *corner))} {'l' if at else 'm'}" for at, corner in enumerate(corners)]
            moved += [*ends, "h"]
        elif token in ("m", "l", "c", "h"):
            pairs = zip(numbers[::2], numbers[1::2], strict=True)
            moved += [row(*point_through(matrix, *pair)) for pair in pairs] + [token]
        else:
            numbers.append(float(token))
            continue
        numbers = []
    return " ".join(moved)


def cut(clip: Element) -> list[tuple[str, str]]:
    """Return the shapes of a clip path, which keeps the inside of each: path operators, and "*" for even-odd."""
    outer = matrix_through(clip.get("transform", ""))
    found: list[tuple[str, str]] = []
    for shape in clip:
        path, own = outline(shape), shape.get("transform")
        if own or "transform" in clip.attrib:
            path = through(path, times(outer, matrix_through(own or "")))
        if path:
            found.append((path, "*" if shape.get("clip-rule", clip.get("clip-rule")) == "evenodd" else ""))
    return found


def ellipse(cx: float, cy: float, rx: float, ry: float) -> str:
    kx, ky = rx * KAPPA, ry * KAPPA
    return (
        f"{row(cx + rx, cy)} m {row(cx + rx, cy + ky, cx + kx, cy + ry, cx, cy + ry)} c "
        f"{row(cx - kx, cy + ry, cx - rx, cy + ky, cx - rx, cy)} c "
        f"{row(cx - rx, cy - ky, cx - kx, cy - ry, cx, cy - ry)} c "
        f"{row(cx + kx, cy - ry, cx + rx, cy - ky, cx + rx, cy)} c h"
    )


GOUGES = (16, 9, 21, 12, 7, 18, 10, 14)
"""Lengths of the gouges at the edge of a cover, in millimetres."""


def edge_gouges(wide: float, top: float, foot: float, y: Callable[[float], float]) -> str:
    """Return the path of gouges that taper from the right edge of a page towards its middle, between two heights.

    Lengths are millimetres from the upper left corner; `y` returns the points from below for one of them.
    """
    begin, thick = (wide + 1) * MM, 0.5 * MM
    found = []
    for at, long in enumerate(GOUGES):
        end, middle = (wide - long) * MM, y(top + 8 + (foot - top - 16) * at / (len(GOUGES) - 1))
        found.append(f"{row(begin, middle - thick)} m {row(end, middle)} l {row(begin, middle + thick)} l h")
    return " ".join(found)


def matrix_through(transform: str) -> Matrix:
    """Return the matrix of a transform, which is readable in every composed face."""
    matrix = matrix_of(transform)
    assert matrix is not None, "a face with a transform that cannot be read is never composed"
    return matrix


@lru_cache(maxsize=4096)
def matrix_operator(transform: str) -> str:
    """Return a transform as a PDF `cm`."""
    matrix = matrix_through(transform)
    if max(map(abs, matrix[:4])) < FINE:
        return f"{exact(*matrix)} cm"
    return " ".join(f"{value:.6f}" for value in matrix) + " cm"


def place_of_symbol(use: Element, symbol: Element) -> Box:
    """Return the box in which a symbol may draw, on its own grid: that of its use, even if wider or taller."""
    grid = box_of_symbol(symbol)
    scale, *_, x, y = symbol_matrix(use, symbol)
    if not scale:
        return grid
    left, top = (length_of(use, "x") - x) / scale, (length_of(use, "y") - y) / scale
    right = left + length_of(use, "width", grid[2] - grid[0]) / scale
    foot = top + length_of(use, "height", grid[3] - grid[1]) / scale
    place = left, top, right, foot
    if place == grid:
        return grid
    same = all(abs(one - other) < LEAST_APART * (1 + abs(other)) for one, other in zip(place, grid, strict=True))
    return grid if same else place


def common(one: Box, other: Box) -> Box | None:
    """Return the intersection of two boxes; None if they do not overlap."""
    left, low = max(one[0], other[0]), max(one[1], other[1])
    right, high = min(one[2], other[2]), min(one[3], other[3])
    return (left, low, right, high) if left < right and low < high else None


def extent(element: Element, style: Style, known: Mapping[str, Element], matrix: Matrix) -> Box | None:
    """Return the transformed box around everything that an element draws; None if it draws nothing.

    `known` are the elements that others refer to, by id. Curves are measured by their handles, letters by their line.
    """
    tag = element.tag.rpartition("}")[2]
    if tag in HIDDEN:
        return None
    style = {**style, **own_style(element)}
    transform, clip = element.get("transform"), element.get("clip-path")
    if transform:
        matrix = times(matrix, matrix_through(transform))
    boxes: list[Box | None]
    if tag == "image":
        x, y = length_of(element, "x"), length_of(element, "y")
        boxes = [box_through(matrix, (x, y, x + length_of(element, "width"), y + length_of(element, "height")))]
    elif tag in ("g", "svg"):
        boxes = [extent(child, style, known, matrix) for child in element]
    elif tag == "use":
        target = known[element.get("href", "#")[1:]]
        if target.tag.endswith("}symbol"):  # nothing is drawn outside its box
            boxes = [box_through(times(matrix, symbol_matrix(element, target)), box_of_symbol(target))]
        else:
            boxes = [extent(target, style, known, times(matrix, moved_to(element)))]
    elif tag == "text":
        boxes = [box_through(matrix, line_box(run)) for run in text_runs(element, style)]
    elif style["fill"] == style["stroke"] == "none":
        boxes = []
    else:
        edge = length_of(style, "stroke-width") / 2 if style["stroke"] != "none" else 0.0
        boxes = [path_box(outline(element), edge, matrix)]
    drawn = box_around(boxes)
    if clip and tag == "use":
        matrix = times(matrix, moved_to(element))
    while drawn and clip:
        cutter = known[clip[5:-1]]
        left = box_around(path_box(path, 0, matrix) for path, _ in cut(cutter))
        drawn, clip = common(drawn, left) if left else None, cutter.get("clip-path")
    return drawn


class TextRun(NamedTuple):
    """Letters in one style, and the start of their line."""

    text: str
    style: Style
    x: float
    y: float

    @property
    def width(self) -> float:
        """Return the width in millimetres."""
        style = self.style
        em, spread = length_of(style, "font-size"), length_of(style, "word-spacing")
        return line_width(style["font-family"], self.text, self.variant) * em + spread * (len(words_of(self.text)) - 1)

    @property
    def variant(self) -> str:
        return self.style.get("font-variant", "")


def text_runs(text: Element, style: Style) -> Iterator[TextRun]:
    """Yield runs of text: each at its own x and y, or else at the end of the previous run.

    A run with its own x is anchored separately.
    """
    runs: list[tuple[str, Style, Element | None]] = [(text.text or "", style, text)]
    for span in text:
        runs += [(span.text or "", {**style, **own_style(span)}, span), (span.tail or "", style, None)]
    x = y = 0.0
    chunk: list[TextRun] = []
    for run, look, begin in runs:
        if begin is not None and (begin is text or "x" in begin.attrib or "y" in begin.attrib):
            yield from _anchored(chunk)
            chunk = []
            x, y = length_of(begin, "x", x), length_of(begin, "y", y)
        if "font-family" not in look or "font-size" not in look:
            continue  # only spaces may lack a font: a face with such letters is never composed
        if run and length_of(look, "font-size"):  # as in SVG, letters of no size are not drawn
            chunk.append(TextRun(run, look, x, y))
            x += chunk[-1].width
    yield from _anchored(chunk)


def _anchored(chunk: Sequence[TextRun]) -> Iterator[TextRun]:
    """Yield consecutive runs, moved by their anchor."""
    if not chunk:
        return
    anchor = chunk[0].style["text-anchor"]
    whole = chunk[-1].x + chunk[-1].width - chunk[0].x
    left = whole / 2 if anchor == "middle" else whole if anchor == "end" else 0.0
    for run in chunk:
        yield run._replace(x=run.x - left)


def line_box(run: TextRun) -> Box:
    """Return the box of a run of text, as high as its font extends above and below the line."""
    font, size = known_font(run.style["font-family"]), length_of(run.style, "font-size")
    return run.x, run.y - font.ascent * size, run.x + run.width, run.y + font.descent * size


def path_box(operators: str, edge: float, matrix: Matrix) -> Box | None:
    """Return the box around a transformed path of PDF operators with half its stroke; None for an empty path."""
    numbers = [float(token) for token in operators.split() if token not in ("m", "l", "c", "h", "re")]
    if operators.endswith("re"):
        numbers[2:] = numbers[0] + numbers[2], numbers[1] + numbers[3]
    xs, ys = numbers[::2], numbers[1::2]
    return box_through(matrix, (min(xs) - edge, min(ys) - edge, max(xs) + edge, max(ys) + edge)) if xs else None


# Outlines of letters


_START = {"fill": "#000000", "stroke": "none", "stroke-width": "1", "text-anchor": "start"}
_PLACED = ("transform", "clip-path", "opacity")
"""Attributes, apart from those of its style, that a text passes on to its outlines."""


def outline_texts(root: Element, curves: type[_Pen] | None = None) -> None:
    """Replace every text below `root` by a group of paths, with the text as its label. `curves` draws the letters."""
    for parent, text, style in list(_texts(root, _START)):
        group = etree.Element(f"{{{SVG}}}g", {name: value for name in _PLACED if (value := text.get(name))})
        group.set("role", "img")
        group.set("aria-label", " ".join(text_of(text).split()))
        for run in text_runs(text, style):
            drawn = _path(run.style, run.text, run.variant, run.x, run.y, (curves or _Pen)())
            if drawn and run.style["fill"] != "none":
                look = {key: run.style[key] for key in ("fill", "fill-opacity") if key in run.style}
                etree.SubElement(group, f"{{{SVG}}}path", {"d": drawn, **look})
        group.tail = text.tail
        parent.replace(text, group)


def outlined(face: Face, known: dict[Layer, Layer]) -> Face:
    """Return a face with its texts as outlines. Layers that faces share are changed once, and kept in `known`."""
    return replace(face, content=tuple(known.get(one) or known.setdefault(one, _outlined(one)) for one in face.content))


def _outlined(layer: Layer) -> Layer:
    around = etree.Element(f"{{{SVG}}}g")
    around.append(copy.deepcopy(layer.element))
    if not any(True for _ in _texts(around, _START)):
        return layer
    outline_texts(around, _CubicPen)
    return replace(layer, element=around[0], boxes={}, look=layer.look + b"outlined")


def _texts(element: Element, outer: Style) -> Iterator[tuple[Element, Element, Style]]:
    """Yield every text, with its parent and its style."""
    style = {**outer, **own_style(element)}
    for child in element:
        if child.tag == f"{{{SVG}}}text":
            yield element, child, {**style, **own_style(child)}
        elif isinstance(child.tag, str):
            yield from _texts(child, style)


def _path(style: Style, words: str, variant: str, x: float, y: float, pen: _Pen) -> str:
    """Return the outlines of a run's letters as path data, in millimetres."""
    family, em = style["font-family"], length_of(style, "font-size")
    font = known_font(family)
    for number, right, up in set_line(family, words, variant, length_of(style, "word-spacing") / em):
        pen.place(x + right * em, y - up * em, em / font.em)
        font.shaper.draw_glyph_with_pen(number, pen)
    return "".join(pen.data)


class _Pen(PathPen):
    """Writes letters in their places."""

    def place(self, x: float, y: float, scale: float) -> None:
        self.x, self.y, self.scale = x, y, scale

    def written(self, *points: Pair) -> str:
        numbers = (value for x, y in points for value in (self.x + x * self.scale, self.y - y * self.scale))
        return " ".join(f"{value:.4f}".rstrip("0").rstrip(".") for value in numbers)


class _CubicPen(CubicPen, _Pen):
    """Writes letters as PDF can draw them: without quadratic curves."""
