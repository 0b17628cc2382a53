"""SVG paths and transforms in, plain numbers of a bounded size out."""

from __future__ import annotations

import math
import re
from functools import lru_cache

MOST_LENGTH = 100_000.0
"""Millimetres of a face, or units of an icon. The largest paper has 2,000."""
MOST_DIGITS = 30
"""Of a number as it is written."""
Matrix = tuple[float, float, float, float, float, float]


class PathFault(ValueError):
    """What in a path is not one."""


_PATH = re.compile(r"(?>[MmZzLlHhVvCcSsQqTtAa]|[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?|[\s,]++)*+")


@lru_cache(maxsize=8192)  # of a game that is drawn richly, for all of its designs
def absolute_path(d: str) -> str:
    """A path with absolute M, L, C and Z only: arcs and shorthands are resolved. Raises PathFault.

    >>> absolute_path("m1 1h2v2z")
    'M1 1L3 1L3 3L1 1Z'
    """
    if _PATH.fullmatch(d) is None:
        wrong = d[_PATH.match(d).end() :].split()[0]  # type: ignore[union-attr]
        raise PathFault(f'"{wrong[:20]}" is not a command or a number')
    from fontTools.svgLib.path import parse_path  # not every face has a path, and the import takes a while

    pen = _AbsolutePen()
    try:
        parse_path(d, pen)
    except PathFault:
        raise
    except Exception as error:  # fontTools raises many kinds for a malformed path
        raise PathFault("a command has too few numbers") from error
    return "".join(pen.layers)


def _short(value: float) -> str:
    """A number of millimetres with three decimals, and with four below 1: an icon may be drawn on a square of 1."""
    if not abs(value) <= MOST_LENGTH:  # also when it is not a number
        raise PathFault(f"its numbers are millimetres, of at most {MOST_LENGTH:,.0f}")
    text = f"{value:.{4 if abs(value) < 1 else 3}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _pair(point: tuple[float, float]) -> str:
    return f"{_short(point[0])} {_short(point[1])}"


class _AbsolutePen:
    """A fontTools pen that writes a path with absolute M, L, C and Z only."""

    def __init__(self) -> None:
        self.layers: list[str] = []
        self.at = (0.0, 0.0)

    def moveTo(self, pt: tuple[float, float]) -> None:  # noqa: N802 - fontTools names these
        self.layers.append(f"M{_pair(pt)}")
        self.at = pt

    def lineTo(self, pt: tuple[float, float]) -> None:  # noqa: N802
        self.layers.append(f"L{_pair(pt)}")
        self.at = pt

    def curveTo(self, a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> None:  # noqa: N802
        self.layers.append(
            f"C{_short(a[0])} {_short(a[1])} {_short(b[0])} {_short(b[1])} {_short(c[0])} {_short(c[1])}"
        )
        self.at = c

    def qCurveTo(self, b: tuple[float, float], c: tuple[float, float]) -> None:  # noqa: N802
        a = self.at
        one = (a[0] + 2 / 3 * (b[0] - a[0]), a[1] + 2 / 3 * (b[1] - a[1]))
        two = (c[0] + 2 / 3 * (b[0] - c[0]), c[1] + 2 / 3 * (b[1] - c[1]))
        self.curveTo(one, two, c)

    def closePath(self) -> None:  # noqa: N802
        self.layers.append("Z")

    def endPath(self) -> None:  # noqa: N802
        pass


_STEPS = re.compile(r"[\s,]*+(translate|scale|rotate|matrix)\s*+\(([^()]*+)\)[\s,]*+")
_COUNTS = {"translate": (1, 2), "scale": (1, 2), "rotate": (1, 3), "matrix": (6,)}


@lru_cache(maxsize=4096)
def matrix_of(transform: str) -> Matrix | None:
    """An SVG transform list as one matrix; None when it cannot be read, or moves or stretches beyond all paper."""
    m: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    at = 0
    while at < len(transform):
        found = _STEPS.match(transform, at)
        if found is None:
            return None
        at = found.end()
        name, v = found[1], [number_of(part) for part in re.split(r"[\s,]+", found[2].strip())]
        if len(v) not in _COUNTS[name] or None in v:
            return None
        m = times(m, _step(name, [one or 0.0 for one in v]))
        if not all(abs(one) <= MOST_LENGTH for one in m):
            return None
    return m if at else None


def _step(name: str, v: list[float]) -> Matrix:
    if name == "translate":
        return (1.0, 0.0, 0.0, 1.0, v[0], v[1] if len(v) > 1 else 0.0)
    if name == "scale":
        return (v[0], 0.0, 0.0, v[1] if len(v) > 1 else v[0], 0.0, 0.0)
    if name == "rotate":
        cos, sin = math.cos(math.radians(v[0])), math.sin(math.radians(v[0]))
        cx, cy = (v[1], v[2]) if len(v) == 3 else (0.0, 0.0)
        return (cos, sin, -sin, cos, cx - cos * cx + sin * cy, cy - sin * cx - cos * cy)
    return (v[0], v[1], v[2], v[3], v[4], v[5])


def times(one: Matrix, other: Matrix) -> Matrix:
    """The matrix that does the other first, and then the one."""
    a, b, c, d, e, f = one
    return (
        a * other[0] + c * other[1],
        b * other[0] + d * other[1],
        a * other[2] + c * other[3],
        b * other[2] + d * other[3],
        a * other[4] + c * other[5] + e,
        b * other[4] + d * other[5] + f,
    )


_NUMBER = re.compile(r"-?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:e-?[0-9]{1,2})?")


def number_of(text: str) -> float | None:
    """A number as faces may write it, None when it is none or beyond all paper.

    >>> number_of("-.5"), number_of("1e2"), number_of("1e400"), number_of("nan")
    (-0.5, 100.0, None, None)
    """
    if len(text) > MOST_DIGITS or _NUMBER.fullmatch(text) is None:
        return None
    value = float(text)
    return value if abs(value) <= MOST_LENGTH else None
