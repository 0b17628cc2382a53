"""Lines of sight: the squares seen from a square of a map, and those seen over something hindering.

A line runs from the centre of a square to that of another. What it crosses depends on the offset between the two
alone, so each offset is walked once and kept as a Ray: masks over planes, one plane for what stands on squares, two for
edges, and more for the points where four squares meet. Put over what is in the way on the map, a ray tells with one
`&` whether the line is free.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from grimalkin.engine.kinds import members
from grimalkin.engine.law import law
from grimalkin.games.cats_of_new_orleans.maps import DIRECTIONS, NE, NW, SE, SW, UNKNOWN, Board, E, Edges, S, Ways

CROSSED: Final = {(1, 0): 1, (-1, 0): 1, (0, 1): 2, (0, -1): 2, (1, 1): 3, (-1, -1): 3, (1, -1): 4, (-1, 1): 4}
"""By direction, the plane of the edge, or of the point where four squares meet, that is crossed. Plane 0 is that of
squares. An edge or a point has the bit of the square to its left or above it, or both."""
LEAVING: Final = {DIRECTIONS[way]: 5 + number for number, way in enumerate((NW, NE, SW, SE))}
"""The planes of the points by which a line leaves the attacker's own square, whose edges do not count."""


class Ray(NamedTuple):
    """The squares, edges and points that a line crosses. Bit 0 is the upper left corner of the line's rectangle."""

    corner: int
    """The offset from the square where the line begins to that corner."""
    between: int
    """The squares entered before the last."""
    sight: int
    """Everything that may block sight, over planes."""
    hindrance: int
    """Everything that may hinder an attack, over planes."""


# Sight


@law("NO-LOS-2", "NO-LOS-3", "NO-LOS-4", "NO-AMB-81", "NO-AMB-129")
def sees(ways: Ways, square: int) -> int:
    """Return the squares in sight of one, including itself. A blocking square is seen, but nothing behind it."""
    row = ways.seen[square]
    if row == UNKNOWN:
        row = ways.seen[square] = _seen(ways, square)
    return row


def any_sees(ways: Ways, squares: int) -> int:
    """Return the squares in sight of at least one of some."""
    row = 0
    for square in members(squares):
        row |= sees(ways, square)
    return row


@law("NO-AMB-43")
def between(board: Board, a: int, b: int) -> int:
    """Return the squares that the line between two enters before it ends, without those it only touches at a corner."""
    ray = _ray(board, a, b)
    return ray.between << a + ray.corner


# Hindering terrain


def hindered(ways: Ways, a: int, b: int) -> bool:
    """Return whether terrain hinders an attack from one square at another."""
    return hindered_row(ways, a) >> b & 1 == 1


@law("NO-DRM-8", "NO-AMB-48", "NO-AMB-130")
def hindered_past(ways: Ways, own: int, a: int, b: int) -> bool:
    """Return the same for a large attacker, none of whose own squares counts."""
    ray = _ray(ways.board, a, b)
    return bool(_hindrances(ways.board, own) >> a + ray.corner & ray.hindrance)


@law("NO-DRM-7", "NO-DRM-8", "NO-DRM-9", "NO-AMB-44", "NO-AMB-81")
def hindered_row(ways: Ways, square: int) -> int:
    """Return the squares at which terrain hinders an attack from one, whether in sight or not.

    Figures between hinder too: see `between`. Doors do not matter.
    """
    board = ways.board
    row = board.hindered[square]
    if row == UNKNOWN:
        row = board.hindered[square] = _hindered(board, square)
    return row


# Reasons, for readers


def corners(ways: Ways, square: int) -> int:
    """Return the squares whose sight is decided by a point where four squares meet: seen because one way round it is
    free, or unseen because none is."""
    board, lines = ways.board, ways.lines
    east, south = lines[E], lines[S]
    west = east << 1
    both = east & south >> 1 & south & east >> board.width, (west & south << 1 & south & west >> board.width) >> 1
    found = 0
    for points in (both, (board.everything, board.everything)):
        passed = (board.standable, east, south, *points)
        obstacles = _planes(board, *(board.everything & ~each for each in passed))
        found |= _seen_past(board, square, obstacles) ^ sees(ways, square)
    return found


def own_hindrance(board: Board, square: int) -> tuple[bool, int]:
    """Return whether a square itself is hindering, and the squares to which a line leaves it over a hindering edge."""
    passed = board.passes(board.everything, board.hindering_edges)
    beyond = 0
    for target in members(board.on_map & ~(1 << square)):
        across, down = board.column[target] - board.column[square], board.row[target] - board.row[square]
        _, _, way = next(walk(across, down))
        if not passed[DIRECTIONS.index(way)] >> square & 1:
            beyond |= 1 << target
    return bool(board.hindering >> square & 1), beyond


# Rows


def _seen(ways: Ways, square: int) -> int:
    board = ways.board
    if ways.obstacles == UNKNOWN:
        ways.obstacles = _obstacles(ways)
    return _seen_past(board, square, ways.obstacles)


def _seen_past(board: Board, square: int, obstacles: int) -> int:
    seen = 0
    if board.on_map >> square & 1:
        for target in members(board.on_map):
            ray = _ray(board, square, target)
            if not obstacles >> square + ray.corner & ray.sight:
                seen |= 1 << target
    return seen


def _hindered(board: Board, square: int) -> int:
    if board.hindrances == UNKNOWN:
        board.hindrances = _hindrances(board)
    hindrances, row = board.hindrances, 0
    if board.on_map >> square & 1:
        for target in members(board.on_map):
            ray = _ray(board, square, target)
            if hindrances >> square + ray.corner & ray.hindrance:
                row |= 1 << target
    return row


@law("NO-LOS-3", "NO-AMB-81")
def _obstacles(ways: Ways) -> int:
    """Return everything that blocks sight: blocking squares, walls and closed doors, and points with no way round
    them."""
    board, lines = ways.board, ways.lines
    passed = (board.standable, lines[E], lines[S], lines[SE], lines[SW] >> 1)
    return _planes(board, *(board.everything & ~each for each in passed))


@law("NO-DRM-7", "NO-AMB-44", "NO-AMB-81")
def _hindrances(board: Board, own: int = 0) -> int:
    """Return everything that hinders an attack: yellow squares and edges, and points with no way round them; an
    attacker's own squares do not count."""
    right, lower = board.hindering_edges
    right, lower = right & ~(own | own >> 1), lower & ~(own | own >> board.width)
    lines = board.passes(board.everything, Edges(right, lower))
    passed = (lines[E], lines[S], lines[SE], lines[SW] >> 1)
    below, beside = right >> board.width, lower >> 1  # the same edges of the squares below, and to the right
    leaving = (right & lower, right & beside, below & lower, below & beside)
    return _planes(board, board.hindering & ~own, *(board.everything & ~each for each in passed), *leaving)


def _planes(board: Board, *masks: int) -> int:
    return sum(each << number * board.size for number, each in enumerate(masks))


# Rays


def _ray(board: Board, a: int, b: int) -> Ray:
    offset = (board.column[b] - board.column[a], board.row[b] - board.row[a])
    ray = board.rays.get(offset)
    if ray is None:
        ray = board.rays[offset] = _cast(board, *offset)
    return ray


def _cast(board: Board, across: int, down: int) -> Ray:
    left, top = min(across, 0), min(down, 0)
    entered = sight = hindrance = 0
    for column, row, way in walk(across, down):
        to = (column + way[0], row + way[1])
        entered |= 1 << _bit(board, to[0] - left, to[1] - top)
        at = _bit(board, min(column, to[0]) - left, min(row, to[1]) - top)
        crossed = 1 << CROSSED[way] * board.size + at
        sight |= crossed
        if (column, row) != (0, 0):
            hindrance |= crossed
        elif way in LEAVING:
            hindrance |= 1 << LEAVING[way] * board.size + at
    last = 1 << _bit(board, across - left, down - top)
    return Ray(_bit(board, left, top), entered & ~last, sight | entered & ~last, hindrance | entered)


def _bit(board: Board, column: int, row: int) -> int:
    return row * board.width + column


@law("NO-LOS-2")
def walk(across: int, down: int) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """Yield each square that a line leaves on its way from the centre of a square to that of another: its column and
    row, from 0, and the direction.

    Along a line that is one long, the upright edges are crossed at (2i + 1) / (2 * across), the flat ones at (2j + 1) /
    (2 * down); where both are the same, it goes exactly through a point.

    >>> [way for _, _, way in walk(3, 1)]
    [(1, 0), (1, 1), (1, 0)]
    """
    columns, rows = abs(across), abs(down)
    right, below = (1 if across > 0 else -1), (1 if down > 0 else -1)
    i = j = 0
    while i < columns or j < rows:
        upright, flat = (2 * i + 1) * rows, (2 * j + 1) * columns
        way = (right if upright <= flat else 0, below if upright >= flat else 0)
        yield i * right, j * below, way
        i += upright <= flat
        j += upright >= flat


def clear_shots(ways: Ways, target: int, range_: int) -> int:
    """Return the squares with a target in this Range and in sight, unhindered by terrain. They are cached."""
    asked = target, range_
    if asked not in ways.shots:
        found = 0
        for square in members(ways.board.in_range(target, range_) & sees(ways, target)):
            if not hindered_row(ways, square) >> target & 1:
                found |= 1 << square
        ways.shots[asked] = found
    return ways.shots[asked]
