"""The rules that a picture of squares depends on, as ids.

A rule counts if the picture would be different without it; `sight` decides that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from grimalkin.engine.pictures import BLOCKED, HINDERED
from grimalkin.games.cats_of_new_orleans.maps import FROM_AFAR, Board, Door, Ways
from grimalkin.games.cats_of_new_orleans.sight import corners, hindered_row, own_hindrance, sees

RANGES: Final = {0: "NO-RNG-2", 1: "NO-RNG-2", 2: "NO-RNG-3", 3: "NO-RNG-4", 4: "NO-RNG-5"}
"""The rule of each Range; all longer ones share one."""


def of_sight(ways: Ways, square: int, behind_figures: int = 0) -> Iterator[str]:
    """Yield the rules behind the sight from a square; `behind_figures` are the squares that only figures hinder."""
    seen, row = sees(ways, square), hindered_row(ways, square)
    yield "NO-LOS-2"
    if ways.board.on_map & ~seen:
        yield "NO-LOS-3"
    if corners(ways, square):
        yield "NO-AMB-81"
    if any(doors_of_sight(ways, square)):
        yield "NO-AMB-96"
    if seen & row:
        yield "NO-DRM-7"
    yield from of_own_square(ways.board, square, seen & ~row)
    if seen & behind_figures:
        yield from ("NO-LOS-4", "NO-DRM-10")


def of_own_square(board: Board, square: int, free: int) -> Iterator[str]:
    """Yield the rules by which a square itself, and the edges around it, do not hinder its figure."""
    ground, edges = own_hindrance(board, square)
    if (ground and free & ~(1 << square)) or free & edges:
        yield "NO-DRM-8"
    if free & edges:
        yield "NO-AMB-44"


def doors_of_sight(ways: Ways, square: int) -> Iterator[tuple[int, Door, int]]:
    """Yield the doors that would change the sight from a square if open instead of closed or vice versa, each with its
    number and the squares it changes."""
    for number, door in enumerate(ways.board.doors):
        changed = sees(ways.board.ways(ways.open_doors ^ 1 << number), square) ^ sees(ways, square)
        if changed:
            yield number, door, changed


def of_ranges(numbers: Sequence[int], near: int) -> Iterator[str]:
    """Yield the rules behind these Ranges; `near` are the squares in the dead zone of the long ones."""
    yield "NO-RNG-1"
    yield from (RANGES.get(number, "NO-RNG-6") for number in sorted(numbers))
    if near and max(numbers) > FROM_AFAR:
        yield "NO-RNG-5"


def of_line(how: str, by_figure: bool) -> Iterator[str]:
    """Yield the rules behind a line that is free, hindered or blocked."""
    yield "NO-LOS-2"
    if how == BLOCKED:
        yield "NO-LOS-3"
    elif how == HINDERED:
        yield "NO-DRM-10" if by_figure else "NO-DRM-7"
