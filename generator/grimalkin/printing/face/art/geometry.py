"""Types that the modules of the reader share, and small helpers for elements and boxes.

Boxes enclose shapes without their strokes, as fractions of objectBoundingBox require. A grid is fitted into a box
by viewBox and preserveAspectRatio.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from grimalkin.printing.face.art.properties import Style
from grimalkin.printing.face.art.values import numbers, plain
from grimalkin.printing.face.images.pictures import Fault, Picture, embedded_picture
from grimalkin.printing.face.svg.paths import Box, Matrix, Pair, box_through
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.face.svg.xml import Element

Segment = tuple[str, tuple[Pair, ...]]
"""The command of an absolute path (M, L, C or Z) and its points."""
_SEGMENT = re.compile("([MLCZ])([^MLCZ]*)")


def segments(d: str) -> Iterator[Segment]:
    """Yield the commands of an absolute path."""
    for command, written in _SEGMENT.findall(d):
        values = [float(number) for number in written.split()]
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


# Grids


_ASPECT = re.compile(r"(?:defer\s+)?(?:(none)|x(Min|Mid|Max)Y(Min|Mid|Max))(?:\s+(meet|slice))?")
_SHARES = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
CENTRED = "xMidYMid meet"
"""The default fit of grids."""


class View(NamedTuple):
    """The size that percentages refer to."""

    width: float
    height: float

    @property
    def across(self) -> float:
        """Return the length that percentages refer to when they are neither horizontal nor vertical."""
        return float(((self.width**2 + self.height**2) / 2) ** 0.5)


def grid_of(text: str) -> Box | None:
    """Return the edges of a viewBox, which may have no area; None if it is unreadable."""
    found = numbers(text)
    if found is None or len(found) != 4 or min(found[2:]) < 0:
        return None
    left, top, width, height = found
    return left, top, left + width, top + height


def fitted(grid: Box, x: float, y: float, width: float, height: float, aspect: str) -> Matrix:
    """Return the matrix that fits a grid into a box.

    >>> fitted((0, 0, 10, 10), 0, 0, 40, 20, "xMaxYMid")
    (2.0, 0.0, 0.0, 2.0, 20.0, 0.0)
    >>> fitted((0, 0, 10, 10), 0, 0, 40, 20, "xMidYMid slice")
    (4.0, 0.0, 0.0, 4.0, 0.0, -10.0)
    """
    left, top, right, foot = grid
    across, down = width / (right - left), height / (foot - top)
    found = _ASPECT.fullmatch(" ".join(aspect.split()))
    if found and found[1]:
        return (across, 0.0, 0.0, down, x - left * across, y - top * down)
    by_x, by_y = (_SHARES[found[2]], _SHARES[found[3]]) if found else (0.5, 0.5)
    scale = max(across, down) if found and found[4] == "slice" else min(across, down)
    return (
        *(scale, 0.0, 0.0, scale),
        x - left * scale + (width - (right - left) * scale) * by_x,
        y - top * scale + (height - (foot - top) * scale) * by_y,
    )


def is_aspect(text: str) -> bool:
    return _ASPECT.fullmatch(" ".join(text.split())) is not None


# Elements


class Size(NamedTuple):
    """A picture by its reference, and its size in pixels."""

    href: str
    width: float
    height: float


Pictures = Callable[[str], Size | Fault]
"""Finds what an <image> refers to; a picture without a size is not drawn."""


def embedded(href: str) -> Size | Fault:
    """Return a picture embedded in the file itself."""
    found = embedded_picture(href, Path())
    return Size("".join(href.split()), *found.size) if isinstance(found, Picture) else found


Fonts = Callable[[str, int, bool], str | None]
"""Return the name of a font for a family, a weight from 1 to 1000, and whether it is italic (`fonts.find_font`)."""
SHAPES = frozenset(["path", "rect", "circle", "ellipse", "line", "polyline", "polygon"])


class Drawn(NamedTuple):
    """The result of drawing an element: its shapes, and the box around it, which includes invisible parts."""

    shapes: list[Element]
    box: Box | None = None


@dataclass(frozen=True)
class Within:
    """The surroundings in which an element is drawn."""

    style: Style
    view: View
    is_icon: bool = False
    """Whether uncoloured shapes take the colour that the icon is used with."""
    around: tuple[Element, ...] = ()
    """The elements being drawn right now, which must not be used again."""
    depth: int = 0
    scope: Element | None = None
    """The element brought in by <use>, if this is part of one: selectors see nothing outside it."""
    context: tuple[str, str] | None = None
    """The fill and stroke of the marker's line."""

    def under(self, style: Style, view: View | None = None) -> Within:
        return replace(self, style=style, view=view or self.view, depth=self.depth + 1)


def svg_element(tag: str, attributes: dict[str, str] | None = None, shapes: list[Element] | None = None) -> Element:
    made = etree.Element(f"{{{SVG}}}{tag}", attributes or {}, {None: SVG})  # type: ignore[dict-item]  # default namespace
    made.extend(shapes or [])
    return made


_OF_GROUPS = ("transform", "opacity", "clip-path", "mask")


def wrapped(shapes: list[Element], attributes: dict[str, str]) -> Element:
    """Return shapes with the attributes of a group; a single shape gets them itself if it has none of them yet."""
    if len(shapes) == 1 and not any(name in shapes[0].attrib for name in _OF_GROUPS):
        set_all(shapes[0], attributes)
        return shapes[0]
    return svg_element("g", attributes, shapes)


def placed(x: float, y: float, width: float, height: float) -> dict[str, str]:
    """Return a position and size as attributes."""
    return {name: plain(value) for name, value in (("x", x), ("y", y), ("width", width), ("height", height))}


def set_all(shape: Element, attributes: dict[str, str]) -> None:
    for name, value in attributes.items():
        shape.set(name, value)


def attributes_of(shape: Element) -> dict[str, str]:
    return {str(name): str(value) for name, value in shape.attrib.items()}


def href_of(element: Element) -> str:
    return str(element.get("href") or element.get("{http://www.w3.org/1999/xlink}href") or "").strip()
