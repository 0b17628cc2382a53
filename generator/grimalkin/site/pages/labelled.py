"""Lay numbered labels around a picture for a page.

The numbers are text on the page, so they are as large on a phone as elsewhere; their positions are in percent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grimalkin.printing.face.callouts import Place, numbered


@dataclass(frozen=True)
class Mark:
    """A numbered label: its position in percent of the figure, and the line from there to its target."""

    number: int
    left: str
    top: str
    path: str
    end: tuple[str, str]


@dataclass(frozen=True)
class Labelled:
    """A picture with numbers around it; its position is in percent of the figure."""

    width: str
    height: str
    """Height of the figure, in units of the picture."""
    left: str
    top: str
    wide: str
    marks: tuple[Mark, ...]


def labelled(width: float, height: float, places: Sequence[Place]) -> Labelled:
    """Lay numbers around a picture, in the order of the places."""
    laid = numbered(width, height, places)
    marks = tuple(
        Mark(
            one.number,
            _n(100 * one.x / laid.width),
            _n(100 * one.y / laid.height),
            f"M{_n(one.x)} {_n(one.y)}L{_n(one.to_x)} {_n(one.to_y)}",
            (_n(one.to_x), _n(one.to_y)),
        )
        for one in laid.marks
    )
    left, top, wide = 100 * laid.left / laid.width, 100 * laid.top / laid.height, 100 * width / laid.width
    return Labelled(_n(laid.width), _n(laid.height), _n(left), _n(top), _n(wide), marks)


def _n(value: float) -> str:
    return f"{round(value, 2):g}"
