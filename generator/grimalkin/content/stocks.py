"""Stocks (the pieces to cut) and papers (the sheets to print on): data that a designer can extend in a few lines."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Field, PrivateAttr, Tag, model_validator

from grimalkin.content.outlines import KAPPA, Outline, divider
from grimalkin.content.validation import M, checked
from grimalkin.content.values import Colour, Length, Line, Model, Name
from grimalkin.problems import Problems
from grimalkin.source import data_folder, files_in, read_yaml

Fold = Literal["none", "standee", "tent"]
Shape = Annotated[
    Literal["rectangle", "circle", "hexagon", "divider", "outline"],
    Field(description="The shape; `divider` is a card with a tab on top, `outline` one that you draw yourself."),
]
Source = Annotated[Line | None, Field(description="Where these measures come from.")]


_DRAWN: Any = Field(
    default_factory=float,
    description="Millimetres; may be left out only if `outline` names a drawing that has the size.",
)


class Tab(Model):
    """The tab on top of a divider, in millimetres."""

    at: Literal["left", "middle", "right"] = Field("middle", description="Where it is, seen from the front.")
    width: Length
    height: Length


def _is_drawing(name: str) -> str:
    if not name.lower().endswith(".svg") or {*name} & {*"/\\"}:
        raise ValueError(f'"{name}" is not the name of an SVG file in the same folder, such as shape.svg')
    return name


class Stock(Model):
    """The size and shape of a piece after cutting, in millimetres.

    A piece that folds is printed on one side and cut as one strip, from the top: foot, back (upside down), front, foot.
    `width` and `height` are then those of one face, and the fold is the top edge of both faces.
    """

    name: Name
    shape: Shape
    width: Length = _DRAWN
    height: Length = _DRAWN
    corner: float = Field(0, ge=0, le=1000, description="The radius of rounded corners.")
    drawing: Annotated[Line, AfterValidator(_is_drawing)] | None = Field(
        None, alias="outline", description="An SVG file in the same folder; its lines are the cuts and creases."
    )
    cut_colour: Colour = Field("#ff0000", description="The colour of cuts in the drawing.")
    crease_colour: Colour = Field("#0000ff", description="The colour of creases in the drawing.")
    bleed: float = Field(3, ge=0, le=100, description="How far art extends beyond the cut.")
    safe: float = Field(3, ge=0, le=100, description="How far text and symbols stay inside the cut.")
    fold: Fold = Field(
        "none", description="standee folds over and stands on a foot; tent folds over and stands without one."
    )
    foot: float = Field(0, ge=0, le=100, description="The length of the flap below each face of a standee.")
    tab: Tab | None = Field(None, description="For a divider: its tab. The height of the stock includes it.")
    joined: bool = Field(
        False, description="Whether it may be printed in parts, to glue together, on paper that is too small for it."
    )
    source: Source = None
    _lines: Outline | None = PrivateAttr(None)

    @model_validator(mode="after")
    def shape_can_be_cut(self) -> Stock:
        if (self.shape == "outline") != bool(self.drawing):
            raise ValueError("`shape: outline` and `outline: FILE.svg` belong together")
        if self.shape != "outline" and not (self.width and self.height):
            raise ValueError("`width` and `height` are required, in millimetres")
        if self.cut_colour.lower() == self.crease_colour.lower():
            raise ValueError("cuts and creases need two different colours")
        if self.shape == "circle" and self.width != self.height:
            raise ValueError("a circle must be as wide as it is high")
        if self.shape == "hexagon":
            short, long = sorted((self.width, self.height))
            if abs(long * math.sqrt(3) / 2 - short) > 0.05:
                right = long * math.sqrt(3) / 2
                raise ValueError(
                    f"a hexagon of {long:g} mm from point to point must be {right:.2f} mm from side to side"
                )
        if (self.shape == "divider") != (self.tab is not None):
            raise ValueError("a divider needs a `tab`, and nothing else may have one")
        if self.tab and self.tab.height >= self.height:
            raise ValueError("the tab is as high as the whole divider, or higher; the height includes the tab")
        if self.tab and self.tab.width > self.width:
            raise ValueError("the tab is wider than the divider")
        if self.corner and self.shape not in ("rectangle", "divider"):
            raise ValueError("only a rectangle or a divider may have rounded corners")
        if self.tab and self.corner > min(self.tab.height, self.tab.width / 2, (self.height - self.tab.height) / 2):
            raise ValueError("the radius of the corners is too large for the tab, or for what is below it")
        if self.corner > min(self.width, self.height) / 2:
            raise ValueError("the radius of the corners is more than half the piece")
        if self.fold != "none" and (self.shape != "rectangle" or self.corner):
            raise ValueError("only a rectangle with square corners can fold")
        if self.shape != "outline" and self.leaves_nothing:
            raise ValueError(self.leaves_nothing)
        if (self.fold == "standee") != bool(self.foot):
            raise ValueError("a standee needs a `foot`, and nothing else may have one")
        return self

    @property
    def leaves_nothing(self) -> str:
        """Return a message if the safe margins leave no room on the piece; otherwise return ""."""
        if 2 * self.safe < min(self.width, self.height):
            return ""
        return f"with `safe: {self.safe:g}`, nothing is left inside the safe area"

    @property
    def lines(self) -> Outline | None:
        """Return the cuts and creases of a drawn outline or a divider; otherwise None."""
        if self.tab and self._lines is None:
            return divider(self.width, self.height, self.corner, self.tab_left, self.tab.width, self.tab.height)
        return self._lines if self.shape in ("outline", "divider") else None

    @property
    def tab_left(self) -> float:
        """Return the left edge of a divider's tab; 0 for anything else."""
        spare = self.width - self.tab.width if self.tab else 0.0
        return {"left": 0.0, "middle": spare / 2, "right": spare}[self.tab.at] if self.tab else 0.0

    def with_lines(self, lines: Outline, width: float, height: float) -> Stock:
        """Return the stock with the lines and the size of its drawing."""
        made = self.model_copy(update={"width": width, "height": height})
        made._lines = lines
        return made

    def scaled(self, by: float) -> Stock:
        """Return the stock, larger or smaller by a factor."""
        lengths = ("width", "height", "corner", "bleed", "safe", "foot")
        made = self.model_copy(update={name: round(getattr(self, name) * by, 4) for name in lengths})
        if self.tab:
            tab = self.tab.model_copy(update={"width": self.tab.width * by, "height": self.tab.height * by})
            made = made.model_copy(update={"tab": tab})
        made._lines = self._lines and self._lines.scaled(by)
        return made

    @property
    def from_behind(self) -> Stock:
        """Return the stock for the back: rectangles, circles and hexagons look the same from both sides."""
        if self.lines is None:
            return self
        return self.with_lines(self.lines.mirrored(self.width), self.width, self.height)

    @property
    def piece(self) -> tuple[float, float]:
        """Return the width and height of the cut piece laid flat: one face, or the strip of a piece that folds."""
        return (self.width, self.height) if self.fold == "none" else (self.width, 2 * (self.height + self.foot))

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Return the corners of a hexagon, clockwise from the top (or upper left) one, from the face's upper left."""
        w, h = self.width, self.height
        if h > w:
            return ((w / 2, 0), (w, h / 4), (w, h * 3 / 4), (w / 2, h), (0, h * 3 / 4), (0, h / 4))
        return ((w / 4, 0), (w * 3 / 4, 0), (w, h / 2), (w * 3 / 4, h), (w / 4, h), (0, h / 2))

    def outline(self, outset: float = 0) -> str:
        """Return the edge of a face, `outset` mm outside the cut: an SVG path of absolute M, L, C, Z in millimetres."""
        w, h = self.width, self.height
        if self.lines:
            return self.lines.offset(outset) if outset else self.lines.path
        if self.shape == "hexagon":
            # Moving every side out by the outset stretches a regular hexagon around its middle.
            by = 1 + 2 * outset / min(w, h)
            points = [(w / 2 + (x - w / 2) * by, h / 2 + (y - h / 2) * by) for x, y in self.corners]
            return "M" + "L".join(f"{_short(x)} {_short(y)}" for x, y in points) + "Z"
        left, top, right, foot = -outset, -outset, w + outset, h + outset
        r = w / 2 + outset if self.shape == "circle" else self.corner + outset if self.corner else 0
        if r <= 0:
            corners = ((left, top), (right, top), (right, foot), (left, foot))
            return "M" + "L".join(f"{_short(x)} {_short(y)}" for x, y in corners) + "Z"
        return (
            "".join(f"{letter}{' '.join(map(_short, at))}" for letter, at in rounded(left, top, right, foot, r)) + "Z"
        )


def rounded(left: float, top: float, right: float, foot: float, r: float) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield the edge of a box with rounded corners, clockwise: path commands M, L and C, each with its numbers."""
    k = r * (1 - KAPPA)
    yield "M", (left + r, top)
    yield "L", (right - r, top)
    yield "C", (right - k, top, right, top + k, right, top + r)
    yield "L", (right, foot - r)
    yield "C", (right, foot - k, right - k, foot, right - r, foot)
    yield "L", (left + r, foot)
    yield "C", (left + k, foot, left, foot - k, left, foot - r)
    yield "L", (left, top + r)
    yield "C", (left, top + k, left + k, top, left + r, top)


def _short(value: float) -> str:
    return f"{round(value, 4):g}"


USUAL = 5.0
"""The margin that nearly every home printer leaves white on each side, in mm."""
Margin = Annotated[float, Field(ge=0, le=100)]


class Margins(Model):
    """The margins that a printer leaves white, in millimetres."""

    left: Margin = Field(USUAL, description="On the left.")
    top: Margin = Field(USUAL, description="Above.")
    right: Margin = Field(USUAL, description="On the right.")
    bottom: Margin = Field(USUAL, description="Below.")


def _kind(margin: object) -> str:
    """Return the tag of the branch that reads a margin: one number, or a mapping of sides."""
    return "[sides]" if isinstance(margin, dict | Margins) else "[one]"


class Paper(Model):
    """A sheet of paper in portrait, in millimetres."""

    name: Name
    width: Length
    height: Length
    margin: Annotated[Annotated[Margin, Tag("[one]")] | Annotated[Margins, Tag("[sides]")], Discriminator(_kind)] = (
        Field(
            USUAL,
            description="The margin that a printer may leave white: one number for all sides, or one for each side.",
        )
    )
    source: Source = None

    @model_validator(mode="after")
    def margins_leave_room(self) -> Paper:
        left, top, right, bottom = self.margins
        if left + right >= self.width or top + bottom >= self.height:
            raise ValueError(f"margins of {self.said_margin} mm leave no room on the paper")
        return self

    @property
    def margins(self) -> tuple[float, float, float, float]:
        """Return the left, top, right and bottom margins."""
        one = self.margin
        return (one.left, one.top, one.right, one.bottom) if isinstance(one, Margins) else (one, one, one, one)

    @property
    def said_margin(self) -> str:
        """Return one number if all margins are equal, otherwise four, clockwise from the left."""
        return " / ".join(f"{one:g}" for one in (self.margins[:1] if len({*self.margins}) == 1 else self.margins))


def load_stocks(folder: Path | None, problems: Problems) -> dict[str, Stock]:
    """Return the shared stocks and those in a game's own `stocks` folder, by name."""
    return load_files(Stock, "stocks", folder, problems)


def load_papers(folder: Path | None, problems: Problems) -> dict[str, Paper]:
    """Return the shared papers and those in a game's own `papers` folder, by name."""
    return load_files(Paper, "papers", folder, problems)


def load_files(model: type[M], kind: str, folder: Path | None, problems: Problems) -> dict[str, M]:
    """Return the shared models of a kind and those in a game's own folder of that kind, by the names of their files."""
    found: dict[str, M] = {}
    for place in (data_folder("templates"), *([folder] if folder else [])):
        for path in files_in(place, kind, ".yaml", problems):
            source = read_yaml(path, problems, place)
            value = checked(model, source.data, source, problems) if source else None
            if value is not None:
                found[path.stem] = value
    return found
