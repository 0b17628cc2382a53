"""Templates for cutting machines: everything that a machine relies on, frozen under an id that is never reused.

A machine cuts from a file that somebody saved months ago. A template therefore holds every number itself, including the
sizes of paper and piece: whatever else changes, a sheet printed under an id fits the cut file saved under that id. The
shared templates are rows of a table for each machine and paper; a game's own templates are files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from grimalkin.content.stocks import Shape
from grimalkin.content.validation import checked
from grimalkin.content.values import Id, Length, Line, Model, Name
from grimalkin.problems import Problems
from grimalkin.source import data_folder, files_in, read_yaml

Machine = Literal["silhouette", "silhouette-feeder", "cameo-alpha", "cricut", "opos", "scanncut", "siser"]
NAMES: Mapping[Machine, str] = {
    "silhouette": "Silhouette",
    "silhouette-feeder": "Silhouette with a sheet feeder",
    "cameo-alpha": "Silhouette Cameo 5 Alpha",
    "cricut": "Cricut",
    "opos": "Summa with OPOS X",
    "scanncut": "Brother ScanNCut",
    "siser": "Siser",
}
"""The machines, as people know them."""
SILHOUETTES = ("silhouette", "silhouette-feeder", "cameo-alpha")
"""The machines that look for Silhouette Studio's marks."""
UNMARKED = ("scanncut", "siser")
"""The machines whose marks no public document gives."""
EDGE = 8.0
"""Millimetres along every edge of the paper that are free of pieces, unless marks or an image say otherwise."""
Box = tuple[float, float, float, float]
"""Left, top, right and bottom edges, in millimetres from the upper left corner of the page."""
Position = Annotated[float, Field(ge=0, le=2000, allow_inf_nan=False)]

SQUARE = 5.0
"""The side of the solid square in the upper left corner, in millimetres."""
CLEAR = 1.5
"""Millimetres kept blank beyond the end of a mark, and in the corner outside it, so that the sensor can find it."""
CLOSE = 0.002
"""The tolerance for positions, which are written to a thousandth of a millimetre."""


class Page(Model):
    """The size of the paper in portrait, in millimetres."""

    width: Length
    height: Length


class Cut(Model):
    """The outline that is cut, before it is turned, in millimetres."""

    shape: Shape
    width: Length
    height: Length
    corner: float = Field(0, ge=0, le=1000, allow_inf_nan=False, description="The radius of rounded corners.")
    lines: Line | None = Field(None, description="For a drawn outline: letters and digits that identify its lines.")


class Marks(Model):
    """Registration marks for a Silhouette: a solid 5 mm square upper left, an L upper right and another lower left.

    A Cameo 5 Alpha looks for an L in all four corners instead.
    Silhouette Studio accepts a length of 5 to 20 mm, a thickness of 0.5 to 1 mm and an inset of at least 10 mm.
    """

    inset: float = Field(
        10, ge=10, le=86.36, allow_inf_nan=False, description="The distance from the paper's edges to the marks."
    )
    length: float = Field(5, ge=5, le=20, allow_inf_nan=False, description="The length of each arm of an L.")
    thickness: float = Field(
        1, ge=0.5, le=1, allow_inf_nan=False, description="The thickness of the lines, which are centred on the inset."
    )

    corners: int = Field(3, ge=3, le=4, description="The number of corners with a mark: 4 only for a Cameo 5 Alpha.")

    @property
    def corner(self) -> float:
        """Return the side of the square, measured from the paper's edges, to keep clear in each marked corner."""
        return self.inset + max(self.length, SQUARE) + CLEAR


class Squares(Model):
    """Registration marks for a Summa: a solid square in each corner."""

    inset: float = Field(7, ge=5, le=50, allow_inf_nan=False, description="From the paper's edges to the squares.")
    size: float = Field(2, ge=1, le=10, allow_inf_nan=False, description="The side of a square.")
    clear: float = Field(5, ge=1, le=50, allow_inf_nan=False, description="The white around each square.")

    @property
    def corner(self) -> float:
        """Return the side of the square, measured from the paper's edges, to keep clear in each corner."""
        return self.inset + self.size + self.clear


class Area(Model):
    """A part of the page, in millimetres from its upper left corner."""

    x: Position = Field(description="The distance of the left edge from the left of the page.")
    y: Position = Field(description="The distance of the upper edge from the top of the page.")
    width: Length
    height: Length

    @property
    def box(self) -> Box:
        return (self.x, self.y, self.x + self.width, self.y + self.height)


class CutterTemplate(Model):
    """Where a machine cuts, in millimetres: machine, paper, piece, marks, and the position of every piece.

    The file is named after its id, such as silhouette-a4-poker-1. Once published, it never changes: a better layout is
    a new version.
    """

    name: Name
    machine: Machine = Field(description="The cutting machine it is for.")
    paper: Id = Field(description="The name of the paper.")
    stock: Id = Field(description="The name of the stock it cuts.")
    version: int = Field(
        ge=1, description="The version: a better layout for the same machine, paper and stock gets the next number."
    )
    page: Page = Field(description="The paper's size, upright; all lengths are millimetres.")
    piece: Cut = Field(description="The outline of one piece.")
    marks: Marks | None = Field(None, description="For a Silhouette: the registration marks.")
    squares: Squares | None = Field(None, description="For a Summa: the registration marks.")
    image: Area | None = Field(None, description="For a Cricut: the part of the page that is uploaded to Design Space.")
    turned: bool = Field(False, description="Whether the pieces lie on their left side.")
    bleed: float = Field(ge=0, le=100, allow_inf_nan=False, description="How far art extends around each piece.")
    columns: tuple[Position, ...] = Field(min_length=1, description="The left edges of the pieces.")
    rows: tuple[Position, ...] = Field(min_length=1, description="The upper edges of the pieces.")
    left_out: tuple[int, ...] = Field((), description="Places without a piece, counted from 1 along the rows.")
    certain: Line | None = Field(None, description="Which numbers were measured or computed.")
    documented: Line | None = Field(None, description="Which numbers are known only from documentation.")

    @property
    def id(self) -> str:
        return f"{self.machine}-{self.paper}-{self.stock}-{self.version}"

    @property
    def size(self) -> tuple[float, float]:
        """Return the width and height of a piece as placed on the page."""
        width, height = self.piece.width, self.piece.height
        return (height, width) if self.turned else (width, height)

    def places(self) -> Iterator[tuple[float, float]]:
        """Yield the left and upper edge of every piece, along the rows."""
        number = 0
        for y in self.rows:
            for x in self.columns:
                number += 1
                if number not in self.left_out:
                    yield x, y

    def with_bleed(self, x: float, y: float) -> Box:
        """Return the box of a piece at this position, including its bleed."""
        width, height = self.size
        return (x - self.bleed, y - self.bleed, x + width + self.bleed, y + height + self.bleed)

    def is_near_mark(self, x: float, y: float) -> bool:
        """Return whether a piece at this position would reach into a corner reserved for marks."""
        return any(_meet(self.with_bleed(x, y), corner) for corner in self.reserved())

    def reserved(self) -> Iterator[Box]:
        """Yield the corners of the page where only marks may be printed."""
        found = self.marks or self.squares
        if found:
            side, width, height = found.corner, self.page.width, self.page.height
            yield (0, 0, side, side)
            yield (width - side, 0, width, side)
            yield (0, height - side, side, height)
            if self.squares or (self.marks and self.marks.corners == 4):
                yield (width - side, height - side, width, height)

    def room(self) -> Box:
        """Return the box for pieces with their bleed: up to 2 mm beyond the marks of a Silhouette, or within the image;
        otherwise the paper without its edges."""
        if self.image:
            return self.image.box
        edge = self.marks.inset - 2 if self.marks else EDGE
        return (edge, edge, self.page.width - edge, self.page.height - edge)

    @model_validator(mode="after")
    def machine_has_what_it_needs(self) -> CutterTemplate:
        if (self.machine in SILHOUETTES) != (self.marks is not None):
            raise ValueError("a Silhouette needs `marks`, and only a Silhouette may have them")
        if self.marks and (self.marks.corners == 4) != (self.machine == "cameo-alpha"):
            raise ValueError("a Cameo 5 Alpha needs `corners: 4` among its marks, and no other machine may have them")
        if (self.machine == "opos") != (self.squares is not None):
            raise ValueError("a Summa needs `squares`, and only a Summa may have them")
        if (self.machine == "cricut") != (self.image is not None):
            raise ValueError("a Cricut needs an `image`, and only a Cricut may have one")
        if self.image and not _inside(self.image.box, (0, 0, self.page.width, self.page.height)):
            raise ValueError("part of the image is off the page")
        return self

    @model_validator(mode="after")
    def pieces_have_room(self) -> CutterTemplate:
        width, height = self.size
        for edges, size, what in ((self.columns, width, "columns"), (self.rows, height, "rows")):
            for one, other in pairwise(edges):
                if other - one < size + 2 * self.bleed - CLOSE:
                    least = size + 2 * self.bleed
                    raise ValueError(f"the {what} at {one:g} and {other:g} mm overlap: they must be {least:g} mm apart")
        wrong = [number for number in self.left_out if not 1 <= number <= len(self.columns) * len(self.rows)]
        if wrong:
            raise ValueError(f"left-out: there is no place {wrong[0]}")
        if not any(True for _ in self.places()):
            raise ValueError("left-out: no place would be left")
        for x, y in self.places():
            if not _inside(self.with_bleed(x, y), self.room()):
                raise ValueError(f"the piece at {x:g}, {y:g} mm has no room for its bleed")
            if self.is_near_mark(x, y):
                raise ValueError(f"the piece at {x:g}, {y:g} mm is too near a registration mark")
        return self


def load_cutters(folder: Path | None, problems: Problems) -> dict[str, CutterTemplate]:
    """Return the shared templates and those in a game's own `cutters` folder, by id."""
    found: dict[str, CutterTemplate] = {}
    place = data_folder("templates")
    for path in files_in(place, "cutters", ".yaml", problems):
        table = read_yaml(path, problems, place)
        for data in _rows(table.data) if table else ():
            template = checked(CutterTemplate, data, table, problems, ("templates",)) if table else None
            if template:
                found[template.id] = template
    shared = set(found)
    for path in files_in(folder, "cutters", ".yaml", problems) if folder else ():
        source = read_yaml(path, problems, folder)
        template = checked(CutterTemplate, source.data, source, problems) if source else None
        if source is None or template is None:
            continue
        if template.id != path.stem:
            problems.add(source.place(), f'this template is "{template.id}"', f'name the file "{template.id}.yaml"')
        elif path.stem in shared:
            told = f'"{path.stem}" is the id of a template that comes with Grimalkin and never changes'
            problems.add(source.place(("version",)), told, "give it a higher version")
        else:
            found[path.stem] = template
    return found


def _rows(table: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the data of each row in a table of shared templates, in the form of a template file."""
    head, *lines = ([cell.strip() for cell in line.split("|")] for line in table["templates"].splitlines())
    for line in lines:
        row = dict(zip(head, line, strict=True))
        columns, rows = (
            [round(float(row[first]) + index * float(row[step]), 3) for index in range(int(row[count]))]
            for count, first, step in (("columns", "left mm", "step right mm"), ("rows", "top mm", "step down mm"))
        )
        left_out = row["left out"].split()
        said = {
            **{key: value for key, value in table.items() if key != "templates"},
            **{key: row[key] for key in ("stock", "version", "turned")},
            "name": f"{table['name']}, {row['name']}: {len(columns) * len(rows) - len(left_out)} to a sheet",
            "piece": {key.removesuffix(" mm"): row[key] for key in ("shape", "width mm", "height mm", "corner mm")},
            "bleed": row["bleed mm"],
            "columns": columns,
            "rows": rows,
            "left-out": left_out,
        }
        if "marks" in table:
            said["marks"] = {**table["marks"], "length": row["arms of marks mm"]}
        yield said


def _inside(box: Box, room: Box) -> bool:
    return (
        box[0] >= room[0] - CLOSE
        and box[1] >= room[1] - CLOSE
        and box[2] <= room[2] + CLOSE
        and box[3] <= room[3] + CLOSE
    )


def _meet(one: Box, other: Box) -> bool:
    """Return whether two boxes share more than an edge."""
    return (
        one[0] < other[2] - CLOSE
        and other[0] < one[2] - CLOSE
        and one[1] < other[3] - CLOSE
        and other[1] < one[3] - CLOSE
    )
