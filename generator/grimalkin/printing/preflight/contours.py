"""Turn a Face into its painted parts: every shape and run of text with its true outline on the piece.

All transforms, symbols and inherited styles are resolved into contours in millimetres from the trim's upper left
corner, so that checks measure the printed result rather than the source.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

from grimalkin.content.outlines import distance
from grimalkin.content.stocks import Stock
from grimalkin.printing.draw.pdf import symbols
from grimalkin.printing.draw.shapes import cut, matrix_through, outline, own_style, text_runs
from grimalkin.printing.face import Face, Layer
from grimalkin.printing.face.svg.colours import mix
from grimalkin.printing.face.svg.paths import IDENTITY, Matrix, is_flat, length_of, moved_to, symbol_matrix, times
from grimalkin.printing.face.svg.subset import HIDDEN
from grimalkin.printing.face.svg.xml import Element
from grimalkin.printing.type.fit import POINT
from grimalkin.printing.type.fonts import known_font
from grimalkin.printing.type.shaping import set_line

Point = tuple[float, float]
Contour = tuple[Point, ...]
Clip = tuple[tuple[Contour, ...], ...]
"""Shapes, outside which everything is cut away."""
SEEN_THROUGH = 0.5
"""The minimum opacity of the ground for anything on top of it."""
CURVE_STEPS = 12
"""Straight pieces per Bézier curve: on a 60 mm circle they are at most 0.07 mm off."""
LETTER_STEPS = 4
"""Straight pieces per curve of a letter, an eighth of a circle: in 60 pt type they are 0.03 mm off."""
_OPEN = ("line",)


@dataclass(frozen=True)
class Source:
    """The element of a template that paints a part: a text box, a labelled drawing or icon, or the part itself."""

    tag: str
    attributes: Mapping[str, str]
    text: str = ""


_NOTHING = Source("", {})


@dataclass(frozen=True)
class Outline:
    """Contours before they are moved into position."""

    contours: tuple[Contour, ...]
    extent: Contour
    """The points with the same extent in every direction as all of them."""


@dataclass(frozen=True)
class Painted:
    """A shape or a run of text on the piece, in millimetres from the trim's upper left corner."""

    outlines: tuple[tuple[Outline, Matrix], ...] = field(repr=False)
    """Its outline and position; a run of text has the outlines of its letters."""
    fill: str
    """#rrggbb or none."""
    stroke: str
    stroke_width: float
    words: str
    """The text of a run; empty for a shape."""
    size: float
    """Type size in points as printed, after all transforms; 0 for a shape."""
    bold: bool
    label: str
    """The label, read aloud, of the art or of a group around it."""
    group: int
    """A number shared by the parts of one element: the lines of a text box, everything in a labelled group."""
    icon: bool
    """Whether the label belongs to an icon rather than to a drawing, which may be its own ground."""
    clips: tuple[Clip, ...] = field(repr=False)
    source: Source = field(repr=False)

    @cached_property
    def contours(self) -> tuple[Contour, ...]:
        """Its outline on the piece; curves are broken into straight pieces."""
        return tuple(_moved(contour, matrix) for outline, matrix in self.outlines for contour in outline.contours)

    @cached_property
    def extent(self) -> Contour:
        """The points of its outline with the same extent as all of them."""
        return tuple(point for outline, matrix in self.outlines for point in _moved(outline.extent, matrix))

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and foot of all its ink, including half the stroke."""
        edge = self.stroke_width / 2
        xs, ys = zip(*self.extent, strict=True)
        return min(xs) - edge, min(ys) - edge, max(xs) + edge, max(ys) + edge

    def covers(self, x: float, y: float) -> bool:
        """Return whether its ink covers a point."""
        if not all(any(_inside(shape, x, y) for shape in clip) for clip in self.clips):
            return False
        if self.fill != "none" and _inside(self.contours, x, y):
            return True
        near = self.stroke_width / 2
        return near > 0 and any(distance(x, y, line) <= near for contour in self.contours for line in pairwise(contour))


class _Around(NamedTuple):
    """The properties that an element inherits and passes on."""

    style: Mapping[str, str]
    matrix: Matrix = IDENTITY
    label: str = ""
    group: int = 0
    icon: bool = False
    clips: tuple[Clip, ...] = ()
    source: Source = _NOTHING
    opacity: float = 1.0

    def moved(self, matrix: Matrix) -> _Around:
        return self._replace(matrix=times(self.matrix, matrix))

    def paint(
        self,
        outlines: Iterable[tuple[Outline, Matrix]],
        fill: str,
        stroke: str = "none",
        width: float = 0.0,
        words: str = "",
        size: float = 0,
        bold: bool = False,
    ) -> Painted:
        own = tuple(outlines), fill, stroke, width, words, size, bold
        return Painted(*own, self.label, self.group, self.icon, self.clips, self.source)


def painted(face: Face) -> tuple[Painted, ...]:
    """Return everything a face paints, in painting order."""
    walker = _Walker(face)
    return tuple(part for layer in face.layers for part in walker.layer(layer))


def inside(stock: Stock, x: float, y: float) -> float:
    """Return the distance of a point inside the cut of a stock, in millimetres; outside, it is negative.
    For an outline, distances over 10 mm count as 10.
    """
    if stock.lines:
        return stock.lines.inside(x, y)
    half_width, half_height = stock.width / 2, stock.height / 2
    across, down = abs(x - half_width), abs(y - half_height)
    if stock.shape == "circle":
        return half_width - math.hypot(across, down)
    if stock.shape == "hexagon":
        if stock.height > stock.width:  # it stands on a corner: turn it on its side
            across, down = down, across
        side = min(half_width, half_height)
        return side - max(down, across * math.sqrt(3) / 2 + down / 2)
    right, foot = across - half_width + stock.corner, down - half_height + stock.corner
    return stock.corner - min(max(right, foot), 0) - math.hypot(max(right, 0), max(foot, 0))


class _Walker:
    """A walk through one face, with the elements that others refer to."""

    def __init__(self, face: Face) -> None:
        self.known = {id_: element for layer in face.layers for id_, element in symbols(layer.element).items()}
        self.groups = 0
        self.boxes: Mapping[Element, Mapping[str, str]] = {}

    def layer(self, layer: Layer) -> Iterator[Painted]:
        self.boxes = layer.boxes
        yield from self.walk(layer.element, _Around(_START))

    def walk(self, element: Element, outer: _Around) -> Iterator[Painted]:
        tag = element.tag.rpartition("}")[2]
        if tag in HIDDEN:
            return
        here = self.entered(element, tag, outer)
        if is_flat(here.matrix):
            return
        if tag == "g":
            for child in element:
                yield from self.walk(child, here)
        elif tag == "use":
            yield from self.use(element, here)
        elif tag == "text":
            yield from self.text(element, here)
        elif tag == "image":
            return  # its colours are unknown
        else:
            shape, style = _shape(outline(element)), here.style
            fill = "none" if tag in _OPEN else self.ink(here, style, "fill")
            stroke = self.ink(here, style, "stroke")
            width = length_of(style, "stroke-width") * _scale(here.matrix) if stroke != "none" else 0.0
            if shape.contours and (fill != "none" or width):
                yield here.paint([(shape, here.matrix)], fill, stroke if width else "none", width)

    def ink(self, here: _Around, style: Mapping[str, str], paint: str, least: float = SEEN_THROUGH) -> str:
        """Return a flat colour for a fill or a stroke: a gradient's middle colour, and a lighter one if white paper
        shows through; none if it is too transparent."""
        written, alpha = style[paint], here.opacity * float(style.get(f"{paint}-opacity", "1"))
        if written == "currentColor":
            written = style.get("color", "#000000")
        if written.startswith("url("):
            stops = [stop for stop in self.known[written[5:-1]] if "stop-color" in stop.attrib]
            if not stops:  # a pattern has no single colour
                return "none"
            middle = stops[len(stops) // 2]
            written = middle.get("stop-color", "")
            alpha *= float(middle.get("stop-opacity", "1"))
        if written == "none" or alpha == 1:
            return written
        return mix("#ffffff", written, alpha) if alpha >= least else "none"

    def entered(self, element: Element, tag: str, outer: _Around) -> _Around:
        """Return the properties of an element: its own and those it inherits."""
        label, group, source, matrix, clips = outer.label, outer.group, outer.source, outer.matrix, outer.clips
        own_label = element.get("aria-label")
        if own_label or (tag in ("g", "use") and not label) or not group:
            self.groups += 1
            group = self.groups
        box = self.boxes.get(element)
        if box is not None:
            source = Source("textbox", box)
        elif (own_label and source.tag != "textbox") or (source is _NOTHING and tag != "g"):
            attributes = {str(key): str(value) for key, value in element.attrib.items()}
            source = Source(tag, attributes, element.text or "")
        if transform := element.get("transform"):
            matrix = times(matrix, matrix_through(transform))
        if clip := element.get("clip-path"):
            shapes = [flat(path) for path, _ in cut(self.known[clip[5:-1]])]
            at = times(matrix, moved_to(element)) if tag == "use" else matrix
            clips = (*clips, tuple(tuple(_moved(contour, at) for contour in contours) for contours in shapes))
        own = own_style(element)
        style = {**outer.style, **own} if own else outer.style
        icon = tag == "use" if own_label else outer.icon
        opacity = outer.opacity * float(element.get("opacity", "1"))
        return _Around(style, matrix, own_label or label, group, icon, clips, source, opacity)

    def use(self, use: Element, here: _Around) -> Iterator[Painted]:
        """Yield the parts of a symbol where it is used. Any other element is drawn as it is, moved to x, y."""
        symbol = self.known[use.get("href", "#")[1:]]
        if not symbol.tag.endswith("}symbol"):
            yield from self.walk(symbol, here.moved(moved_to(use)))
            return
        inner = here.moved(symbol_matrix(use, symbol))
        if here.style["fill"].startswith("#"):
            inner = inner._replace(style={**here.style, "color": here.style["fill"]})
        for child in symbol:
            yield from self.walk(child, inner)

    def text(self, text: Element, here: _Around) -> Iterator[Painted]:
        """Yield the letters of a text, in runs of one style."""
        for run in text_runs(text, here.style):
            own, x, y = run.style, run.x, run.y
            family, em, spread = own["font-family"], length_of(own, "font-size"), length_of(own, "word-spacing")
            letters: list[tuple[Outline, Matrix]] = []
            for number, right, up in set_line(family, run.text, run.variant, spread / em):
                letter = glyph(family, number)
                if letter.contours:
                    place = (em, 0, 0, -em, x + right * em, y - up * em)
                    letters.append((letter, times(here.matrix, place)))
            fill = self.ink(here, own, "fill", 0)
            if letters and fill != "none":
                a, b, c, d = here.matrix[:4]
                # The eye judges letters by their height across the line, even if they are stretched.
                size = em * abs(a * d - b * c) / math.hypot(a, b) / POINT
                words = " ".join(run.text.split())
                yield here.paint(letters, fill, words=words, size=size, bold=known_font(family).weight >= BOLD)


BOLD = 700
"""The weight that WCAG calls bold."""
_START = {"fill": "#000000", "stroke": "none", "stroke-width": "1", "text-anchor": "start"}


# Letters


@lru_cache(maxsize=4096)
def glyph(family: str, number: int) -> Outline:
    """Return the outline of a glyph in em, its baseline at 0, upwards."""
    font, pen = known_font(family), _FlatPen(LETTER_STEPS)
    font.shaper.draw_glyph_with_pen(number, pen)
    em = font.em
    contours = tuple(tuple((x / em, y / em) for x, y in contour) for contour in pen.contours)
    return Outline(contours, _hull(chain.from_iterable(contours)))


def _hull(points: Iterable[Point]) -> Contour:
    """Return the corners of the convex hull of points, from left to right and back."""
    ordered = sorted(set(points))
    corners: list[Point] = []
    for way in (ordered, ordered[::-1]):
        side: list[Point] = []
        for point in way:
            while len(side) > 1 and _turn(side[-2], side[-1], point) <= 0:
                side.pop()
            side.append(point)
        corners += side
    return tuple(corners)


def _turn(a: Point, b: Point, c: Point) -> float:
    """Return a positive number if three points turn to one side, a negative number if they turn to the other."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


class _FlatPen:
    """A pen that breaks curves into straight pieces. HarfBuzz draws with it, so the methods have fontTools' names."""

    def __init__(self, steps: int = CURVE_STEPS) -> None:
        self.steps = steps
        self.contours: list[list[Point]] = []

    def moveTo(self, pt: Point) -> None:  # noqa: N802
        self.contours.append([pt])

    def lineTo(self, pt: Point) -> None:  # noqa: N802
        self.contours[-1].append(pt)

    def qCurveTo(self, a: Point, b: Point) -> None:  # noqa: N802
        x, y = self.contours[-1][-1]
        self.curveTo(
            (x + (a[0] - x) * 2 / 3, y + (a[1] - y) * 2 / 3),
            (b[0] + (a[0] - b[0]) * 2 / 3, b[1] + (a[1] - b[1]) * 2 / 3),
            b,
        )

    def curveTo(self, a: Point, b: Point, c: Point) -> None:  # noqa: N802
        (x0, y0), contour = self.contours[-1][-1], self.contours[-1]
        for step in range(1, self.steps + 1):
            t = step / self.steps
            u = 1 - t
            k0, k1, k2, k3 = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
            contour.append((k0 * x0 + k1 * a[0] + k2 * b[0] + k3 * c[0], k0 * y0 + k1 * a[1] + k2 * b[1] + k3 * c[1]))

    def closePath(self) -> None:  # noqa: N802
        self.contours[-1].append(self.contours[-1][0])


# Geometry


@lru_cache(maxsize=4096)
def _shape(operators: str) -> Outline:
    contours = flat(operators)
    return Outline(contours, tuple(chain.from_iterable(contours)))


@lru_cache(maxsize=4096)
def flat(operators: str) -> tuple[Contour, ...]:
    """Return the contours of PDF path operators (m, l, c, h, re)."""
    pen = _FlatPen()
    numbers: list[float] = []
    for token in operators.split():
        if token == "m":
            pen.moveTo((numbers[0], numbers[1]))
        elif token == "l":
            pen.lineTo((numbers[0], numbers[1]))
        elif token == "c":
            x1, y1, x2, y2, x3, y3 = numbers
            pen.curveTo((x1, y1), (x2, y2), (x3, y3))
        elif token == "h":
            pen.closePath()
        elif token == "re":
            x, y, width, height = numbers
            corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
            pen.contours.append(corners)
        else:
            numbers.append(float(token))
            continue
        numbers = []
    return tuple(tuple(contour) for contour in pen.contours)


def _scale(matrix: Matrix) -> float:
    a, b, c, d = matrix[:4]
    return math.sqrt(abs(a * d - b * c))


def _moved(contour: Contour, matrix: Matrix) -> Contour:
    a, b, c, d, e, f = matrix
    return tuple([(a * x + c * y + e, b * x + d * y + f) for x, y in contour])


def _inside(contours: tuple[Contour, ...], x: float, y: float) -> bool:
    """Return whether a point is within contours, by the even-odd rule."""
    within = False
    for contour in contours:
        x1, y1 = contour[-1]
        for x2, y2 in contour:
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
                within = not within
            x1, y1 = x2, y2
    return within
