"""Bounding boxes of shapes, without their strokes: what objectBoundingBox fractions refer to."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import lru_cache

from grimalkin.printing.face.paths import Box, Matrix, Pair, box_through

Segment = tuple[str, tuple[Pair, ...]]
"""The command of an absolute path (M, L, C or Z) and its points."""
_SEGMENT = re.compile("([MLCZ])([^MLCZ]*)")


def segments(d: str) -> Iterator[Segment]:
    """Yield the commands of an absolute path."""
    for command, numbers in _SEGMENT.findall(d):
        values = [float(number) for number in numbers.split()]
        yield command, tuple(zip(values[::2], values[1::2], strict=True))


@lru_cache(maxsize=256)  # many paths are used often
def box_of_path(d: str) -> Box | None:
    """Return the tight box around an absolute path."""
    xs: list[float] = []
    ys: list[float] = []
    x = y = 0.0
    for _, points in segments(d):
        if len(points) == 3:
            (x1, y1), (x2, y2), (x3, y3) = points
            xs += _turns(x, x1, x2, x3)
            ys += _turns(y, y1, y2, y3)
        for x, y in points[-1:]:
            xs.append(x)
            ys.append(y)
    return (min(xs), min(ys), max(xs), max(ys)) if xs else None


def _turns(a: float, b: float, c: float, d: float) -> list[float]:
    """Return where a cubic curve changes direction in one dimension, between its ends."""
    if min(a, d) <= b <= max(a, d) and min(a, d) <= c <= max(a, d):
        return []
    two, one, none = 3 * (-a + 3 * b - 3 * c + d), 6 * (a - 2 * b + c), 3 * (b - a)
    if abs(two) < 1e-12:
        times = [-none / one] if one else []
    else:
        under = one * one - 4 * two * none
        root = math.sqrt(under) if under >= 0 else math.nan
        times = [(-one + root) / (2 * two), (-one - root) / (2 * two)]
    return [
        a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t * t * (1 - t) + d * t**3 for t in times if 0 < t < 1
    ]


def moved(box: Box | None, matrix: Matrix) -> Box | None:
    """Return the box around a box that a matrix has moved, if there is one."""
    return box and box_through(matrix, box)


def is_empty(box: Box | None) -> bool:
    """Return whether the box has no area, so that nothing can be a fraction of it."""
    return box is None or box[0] >= box[2] or box[1] >= box[3]


def fractions_of(box: Box) -> Matrix:
    """Return the matrix from fractions of a box to the units of the box."""
    left, top, right, foot = box
    return (right - left, 0.0, 0.0, foot - top, left, top)
