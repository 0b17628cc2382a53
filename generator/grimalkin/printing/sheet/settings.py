"""Settings for sheets, with their defaults, and the edition of the content on them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from grimalkin.printing.draw.packing import MM

# A build in which nothing has changed needs its settings, but neither models nor faces.
if TYPE_CHECKING:
    from grimalkin.content import Game
    from grimalkin.content.stocks import Paper
    from grimalkin.printing.draw.condition import Condition
    from grimalkin.printing.face import Inks

Flip = Literal["long", "short"]
Matrix = tuple[float, float, float, float, float, float]
Backs = Literal["duplex", "fold", "none", "apart"]
PAGES = 2
"""Pages of a cover."""
Gutter = float | Literal["bleed"] | None
CutFile = Literal["svg", "svg-96", "svg-72", "dxf", "dxf-r12", "pdf"]
MarkStyle = Literal["corners", "crosses", "ticks", "lines", "dots", "none"]


@dataclass(frozen=True)
class Printer:
    """The profile of a printer: how far it must move fronts and backs, and how much it must stretch both.

    Millimetres to the right and up, and degrees counter-clockwise around the middle, as seen from the side that is
    moved; per cent of the true size across and up.
    """

    name: str
    back_x: float = 0.0
    back_y: float = 0.0
    angle: float = 0.0
    front_x: float = 0.0
    front_y: float = 0.0
    scale_x: float = 100.0
    scale_y: float = 100.0

    @property
    def moves_fronts(self) -> bool:
        """Return whether fronts are moved or stretched."""
        return (self.front_x, self.front_y, self.scale_x, self.scale_y) != (0, 0, 100, 100)

    @property
    def moves_backs(self) -> bool:
        """Return whether backs are moved or turned."""
        return (self.back_x, self.back_y, self.angle) != (0, 0, 0)

    def without_backs(self) -> Printer | None:
        """Return the profile for sheets without backs; None if nothing is left of it."""
        return replace(self, back_x=0.0, back_y=0.0, angle=0.0) if self.moves_fronts else None

    def without_fronts(self) -> Printer | None:
        """Return the profile for sheets whose fronts stay as they are; None if nothing is left of it."""
        return Printer(self.name, self.back_x, self.back_y, self.angle) if self.moves_backs else None

    @property
    def moves(self) -> str:
        """The corrections, in words."""
        parts = [f"backs {self.back_x:+g} mm right, {self.back_y:+g} mm up, {self.angle:+g}°"]
        if self.moves_fronts:
            parts = parts if self.moves_backs else []
            if self.front_x or self.front_y:
                parts.append(f"fronts {self.front_x:+g} mm right, {self.front_y:+g} mm up")
            if (self.scale_x, self.scale_y) != (100, 100):
                parts.append(f"both stretched to {self.scale_x:g} % across, {self.scale_y:g} % up")
        return "; ".join(parts)


def back_matrix(printer: Printer, paper: Paper) -> Matrix:
    """Return the correction of a back page as a PDF `cm` in points: a turn around its middle, a stretch, a shift."""
    return _matrix(printer, paper, printer.back_x, printer.back_y, printer.angle)


def front_matrix(printer: Printer, paper: Paper) -> Matrix:
    """Return the correction of a front page as a PDF `cm` in points: a stretch from its middle, then a shift."""
    return _matrix(printer, paper, printer.front_x, printer.front_y, 0.0)


def _matrix(printer: Printer, paper: Paper, right: float, up: float, angle: float) -> Matrix:
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    across, along = printer.scale_x / 100, printer.scale_y / 100
    x, y = paper.width / 2 * MM, paper.height / 2 * MM
    return (
        across * cos,
        along * sin,
        -across * sin,
        along * cos,
        x - across * (cos * x - sin * y) + right * MM,
        y - along * (sin * x + cos * y) + up * MM,
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
    condition: Condition | None = None
    """How a print shop prints; None for the colours of screens, which home printers expect."""
    cover: bool = True
    start_at: int = 1
    """The first slot to fill on the first sheet, from 1, for partly used sheets of labels."""
    skip_slots: frozenset[int] = frozenset()
    """Slots left empty on every sheet, counted from 1."""
    cutter: str | None = None
    """A cutting machine, whose sheets follow a frozen template."""
    cut_files: tuple[CutFile, ...] = ()
    """The files to make for a cutting machine; without any, those that suit the machine."""
    printer: Printer | None = None
    scale: float = 100.0
    """Per cent of their true size at which pieces are printed, as for tight sleeves."""

    back_bleed: float | None = None
    """Millimetres of bleed on the outer sides of backs, if there is room; None for as much as fronts have."""
    mirror: bool = False
    """Whether every piece is mirrored, for paper or film whose print is transferred."""

    labels: str | None = None
    """The name of a sheet of labels, whose places the pieces take."""

    @property
    def is_one_sided(self) -> bool:
        """Return whether backs, too, are printed on the first side of a leaf, as on labels and for transfers."""
        return self.mirror or self.labels is not None

    @property
    def factor(self) -> float:
        """Return the factor by which pieces are larger than their true size."""
        return self.scale / 100

    @property
    def said_scale(self) -> str:
        """Return the scale of pieces in words; "" at their true size."""
        return "" if self.scale == 100 else f"at {self.scale:g} % of true size"

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
