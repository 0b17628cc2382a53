"""Grids, and how viewBox and preserveAspectRatio fit them into boxes."""

from __future__ import annotations

import re
from typing import NamedTuple

from grimalkin.printing.face.art.values import numbers
from grimalkin.printing.face.paths import Box, Matrix

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
