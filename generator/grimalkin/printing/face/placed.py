"""Place a picture in the room that a face gives it: as large as fits, or filling the room and cropped."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from grimalkin.printing.face.paths import Box

Fault = tuple[str, str]
_ASPECT: Final = re.compile(r"x(Min|Mid|Max)Y(Min|Mid|Max)(?:\s+(meet|slice))?")
_PART: Final = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
_FOCUS: Final = re.compile(r"(\d{1,3}(?:\.\d+)?)%?[\s,]+(\d{1,3}(?:\.\d+)?)%?")


class Fit(NamedTuple):
    """How a picture fills its room: SVG's `preserveAspectRatio`, with a point that stays visible.

    https://www.w3.org/TR/SVG2/coords.html#PreserveAspectRatioAttribute
    """

    across: float = 0.5
    """0 is the left edge, 1 the right edge."""
    down: float = 0.5
    fills: bool = False
    """Whether it fills the room and is cropped, rather than being shown in full."""
    stretched: bool = False
    focus: tuple[float, float] | None = None
    """The point of the picture, in fractions of its width and height, to place as close to the middle as possible."""


def fit_of(aspect: str, focus: str) -> Fit | Fault:
    """Return the fit that `preserveAspectRatio` and `focus` describe, or their fault.

    >>> fit_of("xMidYMin slice", "")
    Fit(across=0.5, down=0.0, fills=True, stretched=False, focus=None)
    """
    point = None
    if focus:
        found = _FOCUS.fullmatch(focus.strip())
        if not found or max(float(found[1]), float(found[2])) > 100:
            return f'focus="{focus[:40]}" is not a point in a picture', 'write two percentages, as in "50% 20%"'
        point = float(found[1]) / 100, float(found[2]) / 100
        aspect = aspect or "xMidYMid slice"
    if focus and "slice" not in aspect:
        wrong = f'focus="{focus[:40]}" matters only when the picture is cropped'
        return wrong, 'write preserveAspectRatio="xMidYMid slice", or remove focus'
    if aspect.strip() == "none":
        return Fit(stretched=True)
    match = _ASPECT.fullmatch(aspect.strip() or "xMidYMid")
    if not match:
        hint = "write xMidYMid to show the whole picture, xMidYMid slice to fill the room, or none to stretch it"
        return f'preserveAspectRatio="{aspect[:40]}" cannot be read', hint
    return Fit(_PART[match[1]], _PART[match[2]], match[3] == "slice", False, point)


def lying(size: tuple[float, float], room: Box, fit: Fit) -> Box:
    """Return the box of the uncropped picture with this width and height, in a room given by its edges.

    >>> lying((200, 100), (0, 0, 50, 50), Fit())
    (0.0, 12.5, 50.0, 37.5)
    >>> lying((200, 100), (0, 0, 50, 50), Fit(fills=True, focus=(0.2, 0.5)))
    (0, 0, 100.0, 50.0)
    """
    left, top, right, foot = room
    wide, high = right - left, foot - top
    if fit.stretched:
        return room
    scale = (max if fit.fills else min)(wide / size[0], high / size[1])
    own_wide, own_high = size[0] * scale, size[1] * scale
    if fit.fills and fit.focus:
        x = min(left, max(right - own_wide, left + wide / 2 - fit.focus[0] * own_wide))
        y = min(top, max(foot - own_high, top + high / 2 - fit.focus[1] * own_high))
    else:
        x, y = left + (wide - own_wide) * fit.across, top + (high - own_high) * fit.down
    return x, y, x + own_wide, y + own_high


def is_cropped(lies: Box, room: Box) -> bool:
    """Return whether any part of the picture is outside the room."""
    return lies[0] < room[0] - 1e-6 or lies[1] < room[1] - 1e-6 or lies[2] > room[2] + 1e-6 or lies[3] > room[3] + 1e-6
