"""Settings for sheets, with their defaults, and the edition of the content on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from grimalkin.printing.draw.packing import MM

# A build in which nothing has changed needs its settings, but neither models nor faces.
if TYPE_CHECKING:
    from grimalkin.content import Game
    from grimalkin.content.stocks import Paper
    from grimalkin.printing.draw.condition import Condition
    from grimalkin.printing.face import Inks

Flip = Literal["long", "short"]
Backs = Literal["duplex", "fold", "none", "apart"]
PAGES = 2
"""Pages of a cover."""
Gutter = float | Literal["bleed"] | None
MarkStyle = Literal["corners", "crosses", "ticks", "lines", "dots", "none"]


@dataclass(frozen=True)
class Printer:
    """The profile of a printer: the shift and turn that its backs need to meet their fronts.

    Millimetres to the right and up, and degrees counter-clockwise around the middle, as seen from the back.
    """

    name: str
    back_x: float = 0.0
    back_y: float = 0.0
    angle: float = 0.0

    @property
    def moves(self) -> str:
        """The correction of a back, in words."""
        return f"{self.back_x:+g} mm right, {self.back_y:+g} mm up, {self.angle:+g}°"


def back_matrix(printer: Printer, paper: Paper) -> tuple[float, float, float, float, float, float]:
    """Return the correction of a back page as a PDF `cm` in points: a turn around its middle, then a shift."""
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
    """All settings for a set of sheets, except the game and the paper."""

    backs: Backs = "duplex"
    """duplex: backs on the next page; fold: beside their fronts, for folding along one line; none; apart: in a separate
    file."""
    flip: Flip = "long"
    """The edge on which the printer flips the leaf."""
    same_backs_once: bool = False
    """Whether back pages that repeat an earlier one are left out."""
    gutter: Gutter = None
    """Millimetres between the trims of neighbours; "bleed" leaves room for the whole bleed of both; None for as much of
    it as the fullest sheet leaves."""
    margin: float | None = None
    """Millimetres of white along every edge; None for the paper's own margins."""
    marks: MarkStyle = "corners"
    inks: Inks = "full"
    cover: bool = True
    start_at: int = 1
    """The first slot to fill on the first sheet, from 1, for partly used sheets of labels."""
    skip_slots: frozenset[int] = frozenset()
    """Slots left empty on every sheet, counted from 1."""
    cutter: str | None = None
    """A cutting machine, whose sheets follow a frozen template."""
    printer: Printer | None = None
    condition: Condition | None = None
    """How a print shop prints; None for the colours of screens, which home printers expect."""

    @property
    def has_finishes(self) -> bool:
        """Whether cut lines, varnish and white ink are printed."""
        return self.condition is not None and self.condition.space == "cmyk" and self.inks != "mono"


class Edition(NamedTuple):
    """A printed edition of the content: its version, and the fingerprint that distinguishes it from all others."""

    version: str
    fingerprint: str

    @classmethod
    def of(cls, game: Game) -> Edition:
        return cls(game.version, game.fingerprint)

    def __str__(self) -> str:
        return ", ".join(self.words)

    @property
    def words(self) -> list[str]:
        """Return the version, if any, and the fingerprint, each with its label."""
        version = [f"rules version {self.version}"] if self.version else []
        return [*version, f"content {self.fingerprint}"]
