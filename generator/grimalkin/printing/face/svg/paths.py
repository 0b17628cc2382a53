"""Parse numbers, lists of them, paths and transforms of SVG into plain numbers of a bounded size.

Everything that reads a face uses these, so that sheets, pictures, pages and checks see the same drawing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from grimalkin.printing.face.svg.xml import Element

MOST_LENGTH = 100_000.0
"""The greatest length, in a face's millimetres or an icon's units. The largest paper is 2,000 long."""
MOST_DIGITS = 30
"""The most characters of a written number."""
Matrix = tuple[float, float, float, float, float, float]
Numbers = tuple[float, ...]
Pair = tuple[float, float]
Box = tuple[float, float, float, float]
"""The smaller x, the smaller y, the larger x, the larger y."""
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
LEAST_VIEW = 0.01
"""The least width and height of a viewBox; content in a smaller one would be stretched beyond any paper."""


# Numbers, as in the grammar of SVG: https://www.w3.org/TR/SVG2/types.html#InterfaceSVGNumberList

_BLANKS = " \t\n\f\r"
_COMMA = f"(?:[{_BLANKS}]++(?:,[{_BLANKS}]*+)?|,[{_BLANKS}]*+)?+"
_NUMBER = re.compile(r"[-+]?+(?:[0-9]++(?:\.[0-9]++)?+|\.[0-9]++)(?:[eE][-+]?+[0-9]++)?+")
_NEXT = re.compile(f"{_COMMA}({_NUMBER.pattern})")


@lru_cache(maxsize=8192)
def number_of(text: str) -> float | None:
    """Read a number on a face; return None if it is not a number, or is larger than any paper.

    >>> number_of("-.5"), number_of("+1E2"), number_of("1e400"), number_of("nan"), number_of("1.")
    (-0.5, 100.0, None, None, None)
    """
    text = text.strip(_BLANKS)
    if len(text) > MOST_DIGITS or _NUMBER.fullmatch(text) is None:
        return None
    value = float(text) + 0.0  # -0 is 0
    return value if abs(value) <= MOST_LENGTH else None


@lru_cache(maxsize=8192)
def sound_number(text: str) -> float:
    """Read a number on a face that passed the checks; our own sums may exceed the bound."""
    text = text.strip(_BLANKS)
    assert _NUMBER.fullmatch(text), "a face with a number that cannot be read is never composed"
    return float(text) + 0.0


def numbers_of(text: str) -> Numbers | None:
    """Read a list of numbers separated by spaces, a comma, or merely the next number's sign or decimal point.

    >>> numbers_of("0,0 24 , 24"), numbers_of("1-2.5.5"), numbers_of("1,,2"), numbers_of("1,")
    ((0.0, 0.0, 24.0, 24.0), (1.0, -2.5, 0.5), None, None)
    """
    text = text.strip(_BLANKS)
    found: list[float] = []
    at = 0
    while at < len(text):
        match = _NEXT.match(text, at)
        value = number_of(match[1]) if match and (at or not text.startswith(",")) else None
        if match is None or value is None:
            return None
        found.append(value)
        at = match.end()
    return tuple(found)


@lru_cache(maxsize=1024)
def view_box_of(text: str) -> Box | None:
    """Return the box of a viewBox; None if it is not four numbers, or has no area."""
    numbers = numbers_of(text)
    if numbers is None or len(numbers) != 4 or min(numbers[2:]) < LEAST_VIEW:
        return None
    left, top, width, height = numbers
    return left, top, left + width, top + height


def points_of(text: str) -> tuple[Pair, ...] | None:
    """Return the corners of a polygon or polyline; None if there are fewer than two pairs of numbers."""
    numbers = numbers_of(text)
    if numbers is None or len(numbers) < 4 or len(numbers) % 2:
        return None
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def dashes_of(text: str) -> Numbers | None:
    """Return the lengths of dashes and gaps, () for "none"; None if they are not lengths, or are all 0."""
    if text == "none":
        return ()
    numbers = numbers_of(text)
    return numbers if numbers and min(numbers) >= 0 and any(numbers) else None


def length_of(written: Mapping[str, str] | Element, key: str, unsaid: float = 0.0) -> float:
    """Read a numerical attribute on a face that passed the checks."""
    value = written.get(key)
    return unsaid if value is None else sound_number(value)


_COMMANDS = re.compile("[MLCZ]")


class PathFault(ValueError):
    """A fault in a path."""


_PATH = re.compile(
    f"[{_BLANKS}]*+(?>[MmZzLlHhVvCcSsQqTtAa][{_BLANKS}]*+"
    f"|{_NUMBER.pattern}(?:[{_BLANKS}]*+,[{_BLANKS}]*+(?=[-+.0-9])|[{_BLANKS}]*+))*+"
)


@lru_cache(maxsize=8192)  # enough for all designs of a richly drawn game
def absolute_path(d: str) -> str:
    """Return a path with only absolute M, L, C and Z: arcs and shorthands are resolved. Raise PathFault on failure.

    >>> absolute_path("m1 1h2v2z")
    'M1 1L3 1L3 3L1 1Z'
    """
    if _PATH.fullmatch(d) is None:
        rest = d[_PATH.match(d).end() :]  # type: ignore[union-attr]
        raise PathFault(f'"{(rest.split() or [rest])[0][:20]}" is not a command or a number')
    if d.strip(_BLANKS)[:1] not in ("M", "m", ""):
        raise PathFault("it must begin with M, its starting point")
    from fontTools.svgLib.path import parse_path  # a slow import, and not every face has a path
    from fontTools.svgLib.path.arc import EllipticalArc

    def arc(start: complex, rx: float, ry: float, *rest: Any) -> Any:
        return EllipticalArc(start, rx, ry, *rest) if rx and ry else _StraightArc(rest[-1])

    pen = _AbsolutePen()
    try:
        parse_path(d, pen, arc_class=arc)
    except PathFault:
        raise
    except Exception as error:  # fontTools raises many kinds for a malformed path
        raise PathFault("a command has too few numbers") from error
    return "".join(pen.data)


def path_points(d: str) -> tuple[Pair, ...]:
    """Return the points of an absolute path, including the handles of curves."""
    numbers = [float(number) for number in _COMMANDS.sub(" ", d).split()]
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _short(value: float) -> str:
    """Return a length with three decimals, or four if it is below 1, because an icon's grid may be 1 wide."""
    if not abs(value) <= MOST_LENGTH:  # also true for NaN
        raise PathFault(f"its numbers must be at most {MOST_LENGTH:,.0f}")
    text = f"{value:.{4 if abs(value) < 1 else 3}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class _StraightArc(NamedTuple):
    """An arc with a radius of 0, which SVG draws as a line but fontTools omits."""

    end: complex

    def draw(self, pen: _AbsolutePen) -> None:
        pen.lineTo((self.end.real, self.end.imag))


class PathPen:
    """Writes contours as path data. HarfBuzz and fontTools draw with it, so the methods have fontTools' names."""

    def __init__(self) -> None:
        self.data: list[str] = []
        self.here: Pair = (0.0, 0.0)

    def written(self, *points: Pair) -> str:
        """Return points as they are written in the path."""
        raise NotImplementedError

    def add(self, command: str, *points: Pair) -> None:
        self.data.append(command + self.written(*points))
        self.here = points[-1]

    def moveTo(self, pt: Pair) -> None:  # noqa: N802
        self.add("M", pt)

    def lineTo(self, pt: Pair) -> None:  # noqa: N802
        self.add("L", pt)

    def qCurveTo(self, *points: Pair) -> None:  # noqa: N802
        self.add("Q", *points)

    def curveTo(self, *points: Pair) -> None:  # noqa: N802
        self.add("C", *points)

    def closePath(self) -> None:  # noqa: N802
        self.data.append("Z")

    def endPath(self) -> None:  # noqa: N802
        pass


class CubicPen(PathPen):
    """A pen that writes all curves as cubics."""

    def qCurveTo(self, *points: Pair) -> None:  # noqa: N802
        b, c = points
        one, two = ((end[0] + 2 / 3 * (b[0] - end[0]), end[1] + 2 / 3 * (b[1] - end[1])) for end in (self.here, c))
        self.add("C", one, two, c)


class _AbsolutePen(CubicPen):
    def written(self, *points: Pair) -> str:
        return " ".join(f"{_short(x)} {_short(y)}" for x, y in points)


_STEPS = re.compile(rf"{_COMMA}(translate|scale|rotate|matrix)[{_BLANKS}]*+\(([^()]*+)\)")


def _rotation(degrees: float, x: float = 0.0, y: float = 0.0) -> Matrix:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return (cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y)


TRANSFORMS: dict[str, tuple[tuple[int, ...], Callable[..., Matrix]]] = {
    "matrix": ((6,), lambda *n: n),
    "translate": ((1, 2), lambda x, y=0.0: (1.0, 0.0, 0.0, 1.0, x, y)),
    "scale": ((1, 2), lambda x, y=None: (x, 0.0, 0.0, x if y is None else y, 0.0, 0.0)),
    "rotate": ((1, 3), _rotation),
}
"""The transforms of SVG, with the numbers of arguments that each allows."""


@lru_cache(maxsize=4096)
def matrix_of(transform: str) -> Matrix | None:
    """Return an SVG transform list as one matrix; None if it is unreadable, or goes beyond any paper.

    >>> matrix_of("translate(1-2),scale(2)"), matrix_of("translate(1,,2)"), matrix_of("")
    ((2.0, 0.0, 0.0, 2.0, 1.0, -2.0), None, (1.0, 0.0, 0.0, 1.0, 0.0, 0.0))
    """
    m, at = IDENTITY, 0
    transform = transform.strip(_BLANKS)
    while at < len(transform):
        found = _STEPS.match(transform, at)
        if found is None or (not at and transform.startswith(",")):
            return None
        at = found.end()
        (counts, step), v = TRANSFORMS[found[1]], numbers_of(found[2])
        if v is None or len(v) not in counts:
            return None
        m = times(m, step(*v))
        if not all(abs(one) <= MOST_LENGTH for one in m):
            return None
    return m


def is_flat(matrix: Matrix) -> bool:
    """Return whether a matrix reduces everything to zero area, so that nothing is drawn, as in SVG."""
    a, b, c, d, *_ = matrix
    return a * d == b * c


def times(one: Matrix, other: Matrix) -> Matrix:
    """Return the matrix that applies `other` first, and then `one`."""
    a, b, c, d, e, f = one
    return (
        a * other[0] + c * other[1],
        b * other[0] + d * other[1],
        a * other[2] + c * other[3],
        b * other[2] + d * other[3],
        a * other[4] + c * other[5] + e,
        b * other[4] + d * other[5] + f,
    )


def inverse(m: Matrix) -> Matrix:
    """Return the inverse of an invertible matrix."""
    a, b, c, d, e, f = m
    area = a * d - b * c
    return (d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area)


# Positions of symbols


def point_through(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def box_through(matrix: Matrix, box: Box) -> Box:
    """Return the box around a box that a matrix has moved."""
    a, b, c, d, e, f = matrix
    x1, y1, x2, y2 = box
    xs = (a * x1 + c * y1 + e, a * x1 + c * y2 + e, a * x2 + c * y1 + e, a * x2 + c * y2 + e)
    ys = (b * x1 + d * y1 + f, b * x1 + d * y2 + f, b * x2 + d * y1 + f, b * x2 + d * y2 + f)
    return min(xs), min(ys), max(xs), max(ys)


def box_around(boxes: Iterable[Box | None]) -> Box | None:
    """Return the box around boxes; None when there is none."""
    found = [box for box in boxes if box]
    if not found:
        return None
    lefts, lows, rights, highs = zip(*found, strict=True)
    return min(lefts), min(lows), max(rights), max(highs)


def box_around_points(points: Iterable[Pair] | None) -> Box | None:
    """Return the box around points; None if there are none."""
    return box_around((x, y, x, y) for x, y in points or ())


def box_around_path(d: str) -> Box | None:
    """Return the box around a path, including the handles of its curves."""
    return box_around_points(path_points(d))


def box_of_shape(tag: str, written: Mapping[str, str] | Element, of_path: Callable[[str], Box | None]) -> Box | None:
    """Return the box around a shape or picture, without its stroke. `of_path` returns that of the outline of a path."""
    if tag == "path":
        return of_path(written.get("d", ""))
    if tag in ("rect", "image"):
        x, y = length_of(written, "x"), length_of(written, "y")
        return x, y, x + length_of(written, "width"), y + length_of(written, "height")
    if tag in ("circle", "ellipse"):
        x, y = length_of(written, "cx"), length_of(written, "cy")
        across, down = (length_of(written, key, length_of(written, "r")) for key in ("rx", "ry"))
        return x - across, y - down, x + across, y + down
    if tag == "line":
        return box_around_points([(length_of(written, f"x{n}"), length_of(written, f"y{n}")) for n in (1, 2)])
    return box_around_points(points_of(written.get("points", "")))


def moved_to(use: Element) -> Matrix:
    """Return the matrix of a <use> of anything but a symbol: a move to x, y."""
    return (1.0, 0.0, 0.0, 1.0, length_of(use, "x"), length_of(use, "y"))


def box_of_symbol(symbol: Element) -> Box:
    """Return the grid of a symbol."""
    box = view_box_of(symbol.get("viewBox", ""))
    assert box is not None, "a face with a symbol without a grid is never composed"
    return box


def symbol_matrix(use: Element, symbol: Element) -> Matrix:
    """Return the matrix that scales a symbol into the box of a <use>. The default size is that of the grid."""
    left, top, right, foot = grid = box_of_symbol(symbol)
    width, height = length_of(use, "width", right - left), length_of(use, "height", foot - top)
    return fitted(grid, length_of(use, "x"), length_of(use, "y"), width, height)


def fitted(grid: Box, x: float, y: float, width: float, height: float) -> Matrix:
    """Return the matrix that fits a grid into a box and centres it (the default preserveAspectRatio).

    >>> fitted((0, 0, 24, 12), 5, 5, 12, 12)
    (0.5, 0.0, 0.0, 0.5, 5.0, 8.0)
    """
    left, top, right, foot = grid
    wide, high = right - left, foot - top
    scale = min(width / wide, height / high)
    across, down = x + (width - wide * scale) / 2, y + (height - high * scale) / 2
    return (scale, 0.0, 0.0, scale, across - left * scale, down - top * scale)
