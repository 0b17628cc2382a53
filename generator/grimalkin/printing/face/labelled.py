"""Add numbers around a picture, with lines to their targets.

The numbers are beside the picture, so that they cover nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

Side = Literal["left", "right", "above", "below"]
BESIDE: Final = 0.085
"""The room for numbers on each side, as a fraction of the picture's width."""
APART: Final = 0.085
"""The least distance between numbers, as a fraction of the picture's width."""
WITHIN: Final = 0.2
"""The least distance of a line's end from the corners of its target, as a fraction of the target's side."""
BEFORE: Final = 0.014
"""The gap between a line and its target, as a fraction of the picture's width, so that small targets stay clear."""


class Place(NamedTuple):
    """The position of something in a picture, in the picture's units, and the side for its number."""

    left: float
    top: float
    right: float
    bottom: float
    side: Side | None = None


@dataclass(frozen=True)
class Mark:
    """A number: its position in the figure, and the end of the line from it to its target."""

    number: int
    x: float
    y: float
    to_x: float
    to_y: float


@dataclass(frozen=True)
class Numbered:
    """A figure: a picture with numbers around it, in the picture's units."""

    width: float
    height: float
    left: float
    top: float
    """The top left corner of the picture in the figure."""
    marks: tuple[Mark, ...]


def numbered(width: float, height: float, places: Sequence[Place]) -> Numbered:
    """Return a figure with numbers around a picture, in the order of the places."""
    sides = [place.side or _nearest(place, width, height) for place in places]
    room = BESIDE * width
    left, right = (room if side in sides else 0.0 for side in ("left", "right"))
    above, below = (room if side in sides else 0.0 for side in ("above", "below"))
    at: dict[int, tuple[float, float]] = {}
    for side in dict.fromkeys(sides):
        numbers = [number for number, one in enumerate(sides) if one == side]
        upright = side in ("left", "right")
        wishes = [_middle(places[number], upright) for number in numbers]
        along = _spread(wishes, APART * width, height if upright else width)
        across = {"left": -room / 2, "right": width + room / 2, "above": -room / 2, "below": height + room / 2}[side]
        for number, one in zip(numbers, along, strict=True):
            at[number] = (across, one) if upright else (one, across)
    marks: list[Mark] = []
    for number, place in enumerate(places):
        x, y = at[number]
        to_x, to_y = _end(place, x, y, sides[number], BEFORE * width)
        marks.append(Mark(number + 1, x + left, y + above, to_x + left, to_y + above))
    return Numbered(left + width + right, above + height + below, left, above, tuple(marks))


def _nearest(place: Place, width: float, height: float) -> Side:
    """Return the nearest side of the picture; if several are equally near, the first."""
    away: dict[Side, float] = {
        "left": place.left,
        "right": width - place.right,
        "above": place.top,
        "below": height - place.bottom,
    }
    return min(away, key=lambda side: round(away[side], 3))


def _middle(place: Place, upright: bool) -> float:
    return (place.top + place.bottom) / 2 if upright else (place.left + place.right) / 2


def _spread(wishes: Sequence[float], apart: float, length: float) -> list[float]:
    """Return positions along a side, close to the desired ones, and spaced apart as far as there is room.

    >>> _spread([50, 51, 2], 10, 100)
    [50, 60, 5.0]
    >>> _spread([99, 98], 10, 100)
    [95.0, 85.0]
    """
    apart = min(apart, length / len(wishes))
    order = sorted(range(len(wishes)), key=lambda number: wishes[number])
    found = [0.0] * len(wishes)
    least = apart / 2
    for number in order:
        found[number] = max(wishes[number], least)
        least = found[number] + apart
    most = length - apart / 2
    for number in reversed(order):
        found[number] = min(found[number], most)
        most = found[number] - apart
    return found


def _end(place: Place, x: float, y: float, side: Side, before: float) -> tuple[float, float]:
    """Return where the line from a number ends: at the edge of its target, or at a target without an extent."""
    across, down = WITHIN * (place.right - place.left), WITHIN * (place.bottom - place.top)
    to_x = min(max(x, place.left + across), place.right - across)
    to_y = min(max(y, place.top + down), place.bottom - down)
    before = before if across and down else 0.0
    ends: dict[Side, tuple[float, float]] = {
        "left": (place.left - before, to_y),
        "right": (place.right + before, to_y),
        "above": (to_x, place.top - before),
        "below": (to_x, place.bottom + before),
    }
    return ends[side]
