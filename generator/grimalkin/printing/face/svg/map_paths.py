"""Turn squares of a map into positions and paths (attribute `d`) for drawing plans.

A square measures ten units: those of an SVG on a page, or millimetres on a face.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from grimalkin.content.maps import FLAT_EXITS, UPRIGHT_EXITS, Map
from grimalkin.content.squares import square_at, square_name
from grimalkin.engine.pictures import Layer

UNIT: Final = 10
EDGES: Final = ("wall", "frame", "fence", "ditch", "exit")
"""Kinds of edges between squares."""

Square = tuple[int, int]
"""Column and row, from 0."""


class Box(NamedTuple):
    """The part of a map that a plan shows, in columns and rows; right and bottom are exclusive."""

    left: int
    top: int
    right: int
    bottom: int


def square_of(name: str) -> Square:
    square = square_at(name)
    assert square is not None, name
    return square


def inside(name: str, box: Box) -> bool:
    column, row = square_of(name)
    return box.left <= column < box.right and box.top <= row < box.bottom


def cells(box: Box) -> list[Square]:
    return [(x, y) for y in range(box.top, box.bottom) for x in range(box.left, box.right)]


def range_places(ranges: Sequence[Layer]) -> dict[Square, int]:
    """Return the square for the number of each Range: the outermost straight ahead, to the right if possible."""
    places: dict[Square, int] = {}
    for layer in ranges:
        squares = [one for one in map(square_of, layer.squares) if one not in places]
        if layer.origin and squares:
            (x, y), far = square_of(layer.origin), layer.numbers[0]
            ahead = ((x + far, y), (x - far, y), (x, y + far), (x, y - far))
            place = next((one for one in ahead if one in squares), None)
            places[place or max(squares, key=lambda one: (abs(one[0] - x) + abs(one[1] - y), one))] = far
    return places


# Doors


def first_open(drawn: Map) -> set[str]:
    """Return the doors that are open on the map."""
    found = set()
    for name, x, y, upright in every_door(drawn):
        if (drawn.upright if upright else drawn.flat)[y][x] == "d":
            found.add(name)
    return found


def every_door(drawn: Map) -> Iterator[tuple[str, int, int, bool]]:
    """Yield each door: its name, the column and row of the corner where it begins, and whether it is vertical."""
    for row, edges in enumerate(drawn.upright):
        for column, sign in enumerate(edges):
            if sign in "Dd":
                yield f"{square_name(column - 1, row)}e", column, row, True
    for row, edges in enumerate(drawn.flat):
        for column, sign in enumerate(edges):
            if sign in "Dd":
                yield f"{square_name(column, row - 1)}s", column, row, False


# Paths


def edge_paths(drawn: Map, box: Box | None = None) -> dict[str, str]:
    """Return paths of the edges between and around squares: walls, door frames, hindering edges, water, and exits."""
    left, top, right, bottom = box or (0, 0, drawn.columns, drawn.rows)
    found: dict[str, list[str]] = {kind: [] for kind in EDGES}
    for edges, upright in ((drawn.upright, True), (drawn.flat, False)):
        for y in range(top, bottom + (not upright)):
            for x in range(left, right + upright):
                sign = edges[y][x]
                move, length = f"M{x * UNIT} {y * UNIT}", "v" if upright else "h"
                if sign == "|":
                    found["wall"].append(f"{move}{length}10")
                elif sign in "Dd":
                    gap = "m0 7" if upright else "m7 0"
                    found["frame"].append(f"{move}{length}1.5{gap}{length}1.5")
                elif sign == ":":
                    found["fence"].append(f"{move}{length}10")
                elif sign == "~":
                    wave = "q-1.3 1.25 0 2.5t0 2.5 0 2.5 0 2.5" if upright else "q1.25 -1.3 2.5 0t2.5 0 2.5 0 2.5 0"
                    found["ditch"].append(move + wave)
                elif sign in UPRIGHT_EXITS + FLAT_EXITS:
                    found["exit"].append(_exit(x * UNIT, y * UNIT, sign))
    return {kind: "".join(paths) for kind, paths in found.items() if paths}


def _exit(x: int, y: int, sign: str) -> str:
    """Return an arrow that points out of a square."""
    return {
        ">": f"M{x - 4.8:g} {y + 2}l4 3l-4 3z",
        "<": f"M{x + 4.8:g} {y + 2}l-4 3l4 3z",
        "v": f"M{x + 2} {y - 4.8:g}l3 4l3 -4z",
        "^": f"M{x + 2} {y + 4.8:g}l3 -4l3 4z",
    }[sign]


def runs(squares: Iterable[Square]) -> str:
    """Return a path around squares, with adjacent squares joined.

    >>> runs([(0, 0), (1, 0), (1, 1)])
    'M0 0h20v10h-20zM10 10h10v10h-10z'
    """
    found: list[list[int]] = []
    for x, y in sorted(squares, key=lambda one: (one[1], one[0])):
        if found and found[-1][1] == y and found[-1][2] == x:
            found[-1][2] = x + 1
        else:
            found.append([x, y, x + 1])
    return "".join(f"M{x * UNIT} {y * UNIT}h{(end - x) * UNIT}v{UNIT}h-{(end - x) * UNIT}z" for x, y, end in found)


def outline(squares: Iterable[Square], unit: int = 1) -> str:
    """Return the outline of squares as one path.

    >>> outline({(0, 0), (1, 0)})
    'M0 0h2v1h-2z'
    """
    ways: dict[Square, list[Square]] = {}
    there = squares if isinstance(squares, set) else set(squares)
    for x, y in there:
        for beside, start, end in (
            ((x, y - 1), (x, y), (x + 1, y)),
            ((x + 1, y), (x + 1, y), (x + 1, y + 1)),
            ((x, y + 1), (x + 1, y + 1), (x, y + 1)),
            ((x - 1, y), (x, y + 1), (x, y)),
        ):
            if beside not in there:
                ways.setdefault(start, []).append(end)
    parts = []
    while ways:
        start = min(ways, key=lambda one: (one[1], one[0]))
        corners = [start]
        at = start
        came = (0, 0)
        while True:
            # If two outlines meet at a point, each turns right.
            turns = sorted(ways[at], key=lambda to: (to[0] - at[0], to[1] - at[1]) != (-came[1], came[0]))
            to = turns[0]
            ways[at].remove(to)
            if not ways[at]:
                del ways[at]
            came = (to[0] - at[0], to[1] - at[1])
            corners.append(to)
            at = to
            if at == start:
                break
        parts.append(_loop(corners, unit))
    return "".join(parts)


def _loop(corners: Sequence[Square], unit: int) -> str:
    """Return a closed path along corners, with straight parts joined."""
    moves: list[list[int]] = []
    for (x, y), (to_x, to_y) in pairwise(corners):
        step = [to_x - x, to_y - y]
        if moves and [direction(part) for part in moves[-1]] == step:
            moves[-1] = [moves[-1][0] + step[0], moves[-1][1] + step[1]]
        else:
            moves.append(step)
    path = "".join(f"h{x * unit}" if x else f"v{y * unit}" for x, y in moves[:-1])
    return f"M{corners[0][0] * unit} {corners[0][1] * unit}{path}z"


def direction(number: int) -> int:
    return (number > 0) - (number < 0)


def hatching(squares: Iterable[Square], step: float = 2.5) -> str:
    """Return lines over squares, rising to the right, as long as possible, `step` apart horizontally.

    >>> hatching([(0, 0), (1, 0)], 10)
    'M0 10L10 0M10 10L20 0'
    """
    there = set(squares)
    if not there:
        return ""
    sums, across = [x + y for x, y in there], [x for x, _ in there]
    columns = range(min(across), max(across) + 1)
    parts = []
    for number in range(round(min(sums) * UNIT / step) + 1, round((max(sums) + 2) * UNIT / step)):
        at = number * step  # x + y at every point of this line
        found: list[list[float]] = []
        for start, end in _crossed(at, there, columns):
            if found and found[-1][1] == start:
                found[-1][1] = end
            else:
                found.append([start, end])
        parts += [f"M{start:g} {at - start:g}L{end:g} {at - end:g}" for start, end in found]
    return "".join(parts)


def _crossed(at: float, there: set[Square], columns: range) -> Iterator[tuple[float, float]]:
    """Yield the horizontal ranges over which a rising line crosses these squares, from left to right."""
    for column in columns:
        corner = at % UNIT + column * UNIT
        for start, end in ((column * UNIT, corner), (corner, (column + 1) * UNIT)):
            middle = (start + end) / 2
            if start < end and (column, int((at - middle) // UNIT)) in there:
                yield start, end
