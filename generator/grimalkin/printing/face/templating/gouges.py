"""Turn numbers into outlines of gouges, a knife's cuts in a block, for the attribute `d` of a path.

A template could compute them itself with macros, but that would take seconds for a deck with thousands of gouges. The
same numbers give the same cuts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from grimalkin.printing.face.svg.paths import MOST_LENGTH
from grimalkin.printing.face.templating.template_faults import TemplateFault

MOST_CUTS = 400
"""The limit for one path."""

Cut = tuple[float, float, float, float, float]
"""The start and end, and how far the middle is to the left of the straight line, as a fraction of its length."""
_LENGTHS = (1.0, 0.72, 0.9, 0.66)
"""The lengths of rays in turn, as fractions of the longest."""


def gouges(cuts: Any, width: float = 0.6) -> Markup:
    """Return gouges that taper at both ends: each cut is [x1, y1, x2, y2] and optionally a bend; `width` in mm."""
    if not isinstance(cuts, list | tuple):
        raise TemplateFault("gouges: the cuts are not a list", "write gouges([(x1, y1, x2, y2), …], width)")
    return _path((_cut(one) for one in cuts), _number("gouges", "the width", width))


def rays(
    x: float, y: float, inner: float, outer: float, count: int, start: float = 0, end: float = 360, width: float = 0.5
) -> Markup:
    """Return gouges that run outwards from a circle of radius `inner`, at most `outer` long, from one angle to another.

    Degrees: 0 points to the right, 90 down.
    """
    for one in (x, y, inner, outer, start, end):
        _number("rays", "each value", one)
    return _path(_rays(x, y, inner, outer, start, end, _count("rays", count)), _number("rays", "the width", width))


def chatter(x: float, y: float, width: float, height: float, seed: int = 1, count: int = 26) -> Markup:
    """Return the marks that a knife leaves along the inside of a rectangle, varied by a seed."""
    for one in (x, y, width, height, seed):
        _number("chatter", "each value", one)
    return _path(_chatter(x, y, width, height, int(seed), _count("chatter", count)), 0.4)


def cosine(angle: float) -> float:
    """Return the cosine of an angle in radians."""
    return math.cos(_number("cosine", "the angle", angle))


def _cut(one: Any) -> Cut:
    if not isinstance(one, list | tuple) or len(one) not in (4, 5):
        raise TemplateFault("gouges: a cut has four or five numbers", "write (x1, y1, x2, y2, bend)")
    x1, y1, x2, y2, *bend = (_number("gouges", "each value of a cut", value) for value in one)
    return x1, y1, x2, y2, bend[0] if bend else 0.0


def _number(name: str, what: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MOST_LENGTH:
        raise TemplateFault(f"{name}: {what} must be a number", f"mm, degrees or a count, at most {MOST_LENGTH:,}")
    return float(value)


def _count(name: str, value: Any) -> int:
    count = _number(name, "the count", value)
    if not 0 <= count <= MOST_CUTS:
        raise TemplateFault(f"{name}: {count:g} cuts are too many", f"at most {MOST_CUTS}")
    return int(count)


def _rays(x: float, y: float, inner: float, outer: float, start: float, end: float, count: int) -> Iterator[Cut]:
    for number in range(count):
        angle = math.radians(start + (end - start) * number / count)
        across, down = math.cos(angle), math.sin(angle)
        out = inner + outer * _LENGTHS[number % 4]
        yield x + across * inner, y + down * inner, x + across * out, y + down * out, 0.03


def _chatter(x: float, y: float, width: float, height: float, seed: int, count: int) -> Iterator[Cut]:
    chance = seed * 37 + 11
    for number in range(count):
        chance = (chance * 73 + 29) % 997
        at, long, deep = chance / 997, 1.4 + chance % 7 * 0.45, 0.5 + chance % 5 * 0.35
        left, top, right, foot = x + width * at, y + height * at, x + width - deep, y + height - deep
        yield (
            (left, y + deep, left + long, y + deep + 0.3, 0.05),
            (right, top, right - 0.3, top + long, 0.05),
            (left, foot, left - long, foot - 0.3, 0.05),
            (x + deep, top, x + deep + 0.3, top - long, 0.05),
        )[number % 4]


def _path(cuts: Iterator[Cut], width: float) -> Markup:
    """Return the path of the gouges, each made of two curves that meet in points."""
    parts = []
    for x1, y1, x2, y2, bend in cuts:
        dx, dy = x2 - x1, y2 - y1
        far = math.hypot(dx, dy) or 0.01
        mx, my = (x1 + x2) / 2 + dy * bend, (y1 + y2) / 2 - dx * bend
        nx, ny = dy / far * width, -dx / far * width
        numbers = (x1, y1, mx + nx, my + ny, x2, y2, mx - nx, my - ny, x1, y1)
        a, b, c, d, e, f, g, h, i, j = (f"{round(number, 2) + 0.0:g}" for number in numbers)
        parts.append(f"M{a} {b}Q{c} {d} {e} {f}Q{g} {h} {i} {j}Z")
    if len(parts) > MOST_CUTS:
        raise TemplateFault(f"gouges: {len(parts)} cuts are too many", f"at most {MOST_CUTS} in one path")
    return Markup("".join(parts))
