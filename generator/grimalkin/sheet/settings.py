"""How sheets are to be made: every choice a person has, with its default."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from grimalkin.content.stocks import Paper
from grimalkin.draw.packing import MM
from grimalkin.face import Inks

Flip = Literal["long", "short"]
Backs = Literal["duplex", "fold", "none", "apart"]
PAGES = 2
"""Of a cover."""
Gutter = float | Literal["bleed"] | None
MarkStyle = Literal["corners", "crosses", "ticks", "lines", "dots", "none"]


@dataclass(frozen=True)
class Printer:
    """What is known of a printer: how far its backs must be moved and turned to meet the fronts.

    Millimetres to the right and up, and degrees counter-clockwise around the middle, as seen when looking at the back.
    """

    name: str
    back_x: float = 0.0
    back_y: float = 0.0
    angle: float = 0.0

    @property
    def moves(self) -> str:
        """What it does to a back, in words."""
        return f"{self.back_x:+g} mm right, {self.back_y:+g} mm up, {self.angle:+g}°"


def back_matrix(printer: Printer, paper: Paper) -> tuple[float, float, float, float, float, float]:
    """What a back page must go through on this printer, as a PDF `cm` in points: a turn around its middle, a shift."""
    cos, sin = math.cos(math.radians(printer.angle)), math.sin(math.radians(printer.angle))
    x, y = paper.width / 2 * MM, paper.height / 2 * MM
    return (
        cos,
        sin,
        -sin,
        cos,
        x - cos * x + sin * y + printer.back_x * MM,
        y - sin * x - cos * y + printer.back_y * MM,
    )


@dataclass(frozen=True)
class Settings:
    """Everything that can be chosen for a set of sheets besides the game and the paper."""

    backs: Backs = "duplex"
    """duplex: backs on the next page; fold: beside the fronts, to fold over one line; none; apart: in a file of their
    own."""
    flip: Flip = "long"
    """The edge over which the printer turns the leaf."""
    same_backs_once: bool = False
    """Whether back pages that are all alike are left out but for the first."""
    gutter: Gutter = None
    """Millimetres between the trims of neighbours; "bleed" gives both their whole bleed; None as much of it as the
    fullest sheet leaves."""
    margin: float | None = None
    """Millimetres of paper on which nothing is printed; None takes the paper's own."""
    marks: MarkStyle = "corners"
    inks: Inks = "full"
    cover: bool = True
    start_at: int = 1
    """The first place to fill on the first sheet, from 1; for sheets of labels that are used in part."""
    skip_slots: frozenset[int] = frozenset()
    """Places left empty on every sheet, from 1."""
    cutter: str | None = None
    """A cutting machine; its sheets use a frozen template."""
    printer: Printer | None = None
