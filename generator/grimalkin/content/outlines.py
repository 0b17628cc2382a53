"""The cuts and creases of a piece of any shape: arithmetic on paths of absolute M, L, C and Z.

Coordinates are millimetres from the upper left corner of the face.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from grimalkin.source import short_digest

Point = tuple[float, float]
Contour = tuple[Point, ...]
Line = tuple[Point, Point]

CURVE_SLACK = 0.02
"""The largest distance between a straight segment and the curve that it replaces, in millimetres."""
MOST_STEPS = 64
"""The most straight segments that replace one curve."""
CELL = 4.0
"""The side of a square in the index of lines, in millimetres."""
FAR = 10.0
"""The largest distance that is measured, in millimetres."""
KAPPA = 4 / 3 * (math.sqrt(2) - 1)
"""The length of the handles of a Bézier quarter circle, in radii."""
STEP = 1.0
"""The distance between points of a line that follows an outline, in millimetres."""
_COMMAND = re.compile("([MLCZ])([^MLCZ]*)")
_NUMBER = re.compile(r"-?[\d.]+(?:e-?\d+)?")


@dataclass(frozen=True)
class Outline:
    """The cuts and creases of a piece. Edges run clockwise, with the piece on their right; holes run anticlockwise."""

    cuts: tuple[str, ...]
    """Closed paths."""
    creases: tuple[str, ...] = ()
    """Paths, closed or open."""

    @property
    def path(self) -> str:
        """Return all cuts as one path; by the non-zero rule, it encloses the piece."""
        return "".join(self.cuts)

    @cached_property
    def contours(self) -> tuple[Contour, ...]:
        """Return the cuts as closed sequences of points."""
        return tuple(contour for path in self.cuts for contour in flat(path))

    @cached_property
    def _rows(self) -> dict[int, list[Line]]:
        """Return the straight segments of the cuts by the rows of squares that they cross."""
        rows: dict[int, list[Line]] = defaultdict(list)
        for line in _lines(self.contours):
            low, high = sorted((line[0][1], line[1][1]))
            for row in range(math.floor(low / CELL), math.floor(high / CELL) + 1):
                rows[row].append(line)
        return rows

    @cached_property
    def _cells(self) -> dict[tuple[int, int], list[Line]]:
        """Return short straight segments of the cuts by the square that contains their midpoint."""
        cells: dict[tuple[int, int], list[Line]] = defaultdict(list)
        for (x1, y1), (x2, y2) in _lines(self.contours):
            count = math.ceil(math.hypot(x2 - x1, y2 - y1) / CELL) or 1
            points = [(x1 + (x2 - x1) * at / count, y1 + (y2 - y1) * at / count) for at in range(count + 1)]
            for one, other in pairwise(points):
                cells[_cell((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)].append((one, other))
        return cells

    @property
    def densest(self) -> int:
        """Return the number of straight segments of at most `CELL` millimetres in the fullest square of that size."""
        return max(map(len, self._cells.values()), default=0)

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point is on the piece: neither in a hole nor outside."""
        turns = 0
        for (x1, y1), (x2, y2) in self._rows.get(math.floor(y / CELL), ()):
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
                turns += 1 if y2 > y1 else -1
        return turns != 0

    def inside(self, x: float, y: float) -> float:
        """Return a point's distance to the nearest cut, at most `FAR`; negative if the point is off the piece."""
        column, row = _cell(x, y)
        best = FAR
        for ring in range(math.ceil(FAR / CELL) + 2):
            if best <= (ring - 1) * CELL - CELL / 2:  # squares farther out hold nothing nearer
                break
            for at in _ring(column, row, ring):
                best = min([best, *(distance(x, y, line) for line in self._cells.get(at, ()))])
        return best if self.holds(x, y) else -best

    def offset(self, outset: float) -> str:
        """Return the line that follows the cuts `outset` mm outside (inside if negative), as a path."""
        return _offset(self, outset)

    @property
    def digest(self) -> str:
        """Return a digest that changes when the lines change."""
        return short_digest("|".join([*self.cuts, "", *self.creases]).encode())

    def scaled(self, by: float) -> Outline:
        """Return the piece, larger or smaller by a factor."""

        def moved(path: str) -> str:
            return _NUMBER.sub(lambda number: f"{float(number[0]) * by:.7g}", path)

        return Outline(tuple(map(moved, self.cuts)), tuple(map(moved, self.creases)))

    def mirrored(self, width: float) -> Outline:
        """Return the piece, `width` mm wide, as seen from behind."""
        return _mirrored(self, width)


@lru_cache(maxsize=64)
def divider(width: float, height: float, corner: float, left: float, tab: float, tall: float) -> Outline:
    """Return a card with a tab on top, by the tab's left edge, width and height; corners that point out are round."""
    right = left + tab
    points = [(left, 0.0), (right, 0.0), (right, tall), (width, tall), (width, height), (0.0, height)]
    points += [(0.0, tall), (left, tall)]
    # A tab at the end of the card shares an edge with it, which has no corner there.
    ends = {(0.0, tall), (left, tall)} if left < CURVE_SLACK else set()
    ends |= {(right, tall), (width, tall)} if width - right < CURVE_SLACK else set()
    points = [point for point in points if point not in ends]
    path = ""
    for before, (x, y), after in zip((points[-1], *points), points, (*points[1:], points[0]), strict=False):
        way_in, way_out = _way(before, (x, y)), _way((x, y), after)
        if not corner or way_in[0] * way_out[1] - way_in[1] * way_out[0] < 0:
            path += f"{'L' if path else 'M'}{x:.7g} {y:.7g}"
            continue
        start = (x - way_in[0] * corner, y - way_in[1] * corner)
        end = (x + way_out[0] * corner, y + way_out[1] * corner)
        one = (x - way_in[0] * corner * (1 - KAPPA), y - way_in[1] * corner * (1 - KAPPA))
        other = (x + way_out[0] * corner * (1 - KAPPA), y + way_out[1] * corner * (1 - KAPPA))
        path += f"{'L' if path else 'M'}{start[0]:.7g} {start[1]:.7g}C"
        path += " ".join(f"{value:.7g}" for point in (one, other, end) for value in point)
    return Outline((path + "Z",))


def _way(start: Point, end: Point) -> Point:
    """Return the direction from one point to another on a level or an upright line, one millimetre long."""
    size = math.hypot(end[0] - start[0], end[1] - start[1])
    return (end[0] - start[0]) / size, (end[1] - start[1]) / size


@lru_cache(maxsize=64)
def _offset(outline: Outline, outset: float) -> str:
    reach = 2 * (abs(outset) + STEP)
    runs: list[list[Point]] = []
    for contour in outline.contours:
        last: Point | None = None
        for point in _beside(contour, outset):
            if abs(outline.inside(*point) + outset) > CURVE_SLACK:
                continue
            if last is None or math.dist(last, point) > reach:
                runs.append([])
            runs[-1].append(point)
            last = point
    return "".join(
        "M" + "L".join(f"{_short(x)} {_short(y)}" for x, y in run) + "Z" * (math.dist(run[0], run[-1]) <= reach)
        for run in runs
        if len(run) > 1
    )


@lru_cache(maxsize=64)
def _mirrored(outline: Outline, width: float) -> Outline:
    def turned(path: str) -> str:
        return written((letter, [(width - x, y) for x, y in points]) for letter, points in commands(path))

    def other_way(path: str) -> str:
        return "".join(written(reversed_path(one)) for one in subpaths(turned(path)))

    return Outline(tuple(map(other_way, outline.cuts)), tuple(map(turned, outline.creases)))


# Paths

Command = tuple[str, list[Point]]


def commands(path: str) -> Iterator[Command]:
    """Yield the letters of a path of absolute M, L, C and Z, each with its points."""
    for letter, numbers in _COMMAND.findall(path):
        values = list(map(float, numbers.split()))
        yield letter, list(zip(values[::2], values[1::2], strict=True))


def subpaths(path: str) -> list[list[Command]]:
    """Return the parts of a path, each of which begins with an M."""
    found: list[list[Command]] = []
    for letter, points in commands(path):
        if letter == "M":
            found.append([])
        found[-1].append((letter, points))
    return found


def written(parts: Iterable[Command]) -> str:
    """Return letters and points as a path."""
    return "".join(letter + " ".join(f"{_short(x)} {_short(y)}" for x, y in points) for letter, points in parts)


def reversed_path(part: list[Command]) -> list[Command]:
    """Reverse a closed part of a path."""
    lines = [one for one in part if one[1]]
    turned: list[Command] = [("M", [lines[-1][1][-1]])]
    for (_, before), (letter, points) in reversed(list(pairwise(lines))):
        turned.append((letter, [*reversed(points[:-1]), before[-1]]))
    return [*turned, ("Z", [])]


def flat(path: str) -> list[Contour]:
    """Return the parts of a path as points: curves become straight segments, closed parts end at their start."""
    found: list[list[Point]] = []
    for letter, points in commands(path):
        if letter == "M":
            found.append([points[0]])
        elif letter == "L":
            found[-1].append(points[0])
        elif letter == "C":
            found[-1] += _curve(found[-1][-1], *points)
        elif found[-1][-1] != found[-1][0]:
            found[-1].append(found[-1][0])
    return [tuple(contour) for contour in found]


def _curve(start: Point, one: Point, other: Point, end: Point) -> Iterator[Point]:
    """Return a Bézier curve as points, without its start."""
    handles = math.dist(start, one) + math.dist(one, other) + math.dist(other, end)
    steps = max(1, min(MOST_STEPS, math.ceil(math.sqrt(handles / CURVE_SLACK / 5))))
    for step in range(1, steps + 1):
        t = step / steps
        a, b, c, d = (1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t**3
        yield (
            a * start[0] + b * one[0] + c * other[0] + d * end[0],
            a * start[1] + b * one[1] + c * other[1] + d * end[1],
        )


def area(contour: Contour) -> float:
    """Return the area inside a closed sequence of points; positive if clockwise on paper, where y points down.

    >>> area(((0, 0), (2, 0), (2, 3), (0, 3), (0, 0)))
    6.0
    """
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise(contour)) / 2


def length(contours: Iterable[Contour]) -> float:
    return sum(math.dist(one, other) for one, other in _lines(contours))


def distance(x: float, y: float, line: Line) -> float:
    """Return the distance from a point to a straight segment."""
    (x1, y1), (x2, y2) = line
    dx, dy = x2 - x1, y2 - y1
    square = dx * dx + dy * dy
    t = max(0.0, min(1.0, ((x - x1) * dx + (y - y1) * dy) / square)) if square else 0.0
    return math.hypot(x - x1 - t * dx, y - y1 - t * dy)


def _lines(contours: Iterable[Contour]) -> Iterator[Line]:
    return (line for contour in contours for line in pairwise(contour))


def _cell(x: float, y: float) -> tuple[int, int]:
    return math.floor(x / CELL), math.floor(y / CELL)


def _ring(column: int, row: int, ring: int) -> Iterator[tuple[int, int]]:
    """Yield the squares that are `ring` columns or rows away from one."""
    for dx in range(-ring, ring + 1):
        for dy in range(-ring, ring + 1) if abs(dx) == ring else {-ring, ring}:
            yield column + dx, row + dy


def _beside(contour: Contour, outset: float) -> Iterator[Point]:
    """Yield points at a distance to the left of a sequence of points."""
    for (x1, y1), (x2, y2) in pairwise(contour):
        long = math.hypot(x2 - x1, y2 - y1)
        count = math.ceil(long / STEP)
        for at in range(count + 1 if count else 0):
            x, y = x1 + (x2 - x1) * at / count, y1 + (y2 - y1) * at / count
            yield x + (y2 - y1) / long * outset, y - (x2 - x1) / long * outset


def _short(value: float) -> str:
    return f"{round(value, 4) + 0.0:g}"
