"""Print shops: what each one makes, and how it wants its files. A designer can add one in a few lines."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, StringConstraints, Tag, model_validator

from grimalkin.content.stocks import load_files
from grimalkin.content.values import Line, Model, Name, Passages, Text
from grimalkin.problems import Problems, did_you_mean
from grimalkin.problems.plain import fault_of_name, folded
from grimalkin.source.colours import noted

INCH = 25.4
"""Millimetres in an inch."""
Files = Literal["pdf", "png", "jpg"]
Kind = Literal["coin", "card", "mat"]
Order = Literal["front-back", "back-front", "fronts-then-back", "apart"]
FIELDS = ("game", "deck", "product", "size", "id", "slot", "count")
"""What the names of files may contain in braces."""
_FIELD = re.compile(r"\{([^{}]*)\}")
_LENGTH = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?(mm|in)?")


def _millimetres(value: object) -> object:
    """Return a length in millimetres, as a shop states it: 3 mm, 0.125 in, or a number of millimetres."""
    found = _LENGTH.fullmatch(value) if isinstance(value, str) else None
    if isinstance(value, int | float):
        return value
    if found is None:
        raise ValueError(f'"{value}" is not a length; write it as 3 mm or 0.125 in')
    return float(found[1]) * (INCH if found[2] == "in" else 1)


_AS_STATED = BeforeValidator(_millimetres, json_schema_input_type=str | float)
Measure = Annotated[float, _AS_STATED, Field(ge=0, le=100)]
Side = Annotated[float, _AS_STATED, Field(gt=0, le=2000, description="A length after the cut, in mm or in.")]


Pixels = Annotated[int, Field(ge=1, le=100_000)]


class Sides(Model):
    """How far art extends beyond each side of the cut."""

    left: Measure = Field(description="On the left.")
    top: Measure = Field(description="Above.")
    right: Measure = Field(description="On the right.")
    bottom: Measure = Field(description="Below.")


def _kind(bleed: object) -> str:
    """Return the tag of the branch that reads a bleed: one length, or a mapping of sides."""
    return "[sides]" if isinstance(bleed, dict | Sides) else "[one]"


Bleed = Annotated[Annotated[Measure, Tag("[one]")] | Annotated[Sides, Tag("[sides]")], Discriminator(_kind)]
Four = tuple[float, float, float, float]
"""Left, top, right and bottom, in millimetres."""


def _safe_name(pattern: str) -> str:
    """Refuse a pattern that would lead out of its folder, or that not every disk allows."""
    for field in _FIELD.findall(pattern):
        if field not in FIELDS:
            raise ValueError(f'"{{{field}}}" is not known here; {did_you_mean(field, FIELDS)}')
    for part in _FIELD.sub("x", pattern).split("/"):
        fault = "a part of the path is empty" if part.strip(".") == "" else fault_of_name(part)
        if fault or set(part) & {*"{}"}:
            raise ValueError(f'"{pattern}" cannot be the name of a file: {fault or "a brace is alone"}')
    return pattern


Pattern = Annotated[Line, AfterValidator(_safe_name)]


def _named(what: str, usual: str) -> Any:
    return Field(default_factory=lambda: usual, description=f"{what}; if left out, `{usual}`.")


class Names(Model):
    """How files are called, without their extension. Braces stand for what differs from file to file: FIELDS."""

    pages: Pattern = _named("A PDF", "{deck}")
    front: Pattern = _named("A picture of a front", "{deck}/fronts/{slot}-{id}-x{count}")
    back: Pattern = _named("A picture of a back", "{deck}/backs/{slot}-{id}-x{count}")
    shared: Pattern = _named("A picture of the back that all cards share", "{deck}/backs/all")

    @model_validator(mode="after")
    def files_differ(self) -> Names:
        for name, pattern, field in (
            ("pages", self.pages, "{deck}"),
            ("front", self.front, "{id}"),
            ("back", self.back, "{id}"),
            ("shared", self.shared, "{deck}"),
        ):
            if field not in pattern:
                raise ValueError(f"`{name}` needs {field}, or several files would have one name")
        if len({folded(self.front), folded(self.back), folded(self.shared)}) < 3:
            raise ValueError("`front`, `back` and `shared` must differ")
        return self


ProductId = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Za-z0-9]+([-.][A-Za-z0-9]+)*$", max_length=40),
    Field(description="Letters, digits, hyphens and dots; files and folders are named after it."),
]


class Product(Model):
    """Something to order, in the sizes that the shop states."""

    id: ProductId
    name: Name
    kind: Kind = Field("card", description="The kind of deck that it suits best.")
    shape: Literal["rectangle", "circle", "hexagon"] = Field("rectangle", description="Its shape.")
    width: Side
    height: Side
    pixels: tuple[Pixels, Pixels] | None = Field(
        None, description="The width and height of its pictures, if the shop states them: then these decide."
    )
    bleed: Bleed | None = Field(None, description="Its bleed, if it differs from the shop's.")
    safe: Measure | None = Field(None, description="Its safe area, if it differs from the shop's.")
    autofill: bool = Field(False, description="Whether MPC Autofill can fill in its order.")

    @property
    def size(self) -> str:
        return f"{self.width:.4g} × {self.height:.4g} mm"


def _names_a_spot(name: str) -> str:
    noted(f"finish({name})")
    return name


SpotName = Annotated[Line, AfterValidator(_names_a_spot)]
_ONE_OR_MORE = BeforeValidator(
    lambda value: (value,) if isinstance(value, str) else value, json_schema_input_type=Files | tuple[Files, ...]
)
_PER_CENT = Field(ge=0, le=100)
Percent = Annotated[float, _PER_CENT]


class Shop(Model):
    """A print shop: what it makes, and how it wants files."""

    name: Name
    web: Line | None = Field(None, description="Its address on the web.")
    products: tuple[Product, ...] = Field(
        (), max_length=500, description="What it makes. Without this list, it prints any size."
    )
    kinds: tuple[Kind, ...] = Field(
        (), description="Without a list of products: the kinds of decks that it prints; all if left out."
    )
    product_page: Line | None = Field(None, description="The address of a product's page; {id} stands for its id.")
    files: Annotated[tuple[Files, ...], _ONE_OR_MORE] = Field(
        ("pdf",), min_length=1, description="The files that it takes, the best first: `pdf`, `png`, `jpg`."
    )
    names: Names = Field(
        Names(),
        description="How its files are called: {game}, {deck}, {product} and {size}, and for pictures also {id}, "
        "{count} and {slot}, the place of the first copy in its deck, stand for what differs.",
    )
    order: Order | None = Field(
        None,
        description="The order of pages in a PDF: fronts and backs in turn, or fronts first with a shared back as the "
        "last page, or fronts and backs in two files; with `fronts-then-back`, backs that differ are a file of their "
        "own. If left out, `--sides` decides.",
    )
    copies: Literal["list", "pages"] = Field(
        "list", description="Whether a list states the number of copies, or each copy has its own page of the PDF."
    )
    bleed: Bleed | None = Field(None, description="How far art must extend beyond the cut; if left out, as the stock.")
    safe: Measure | None = Field(None, description="How far words must stay inside the cut; if left out, as the stock.")
    dpi: int = Field(300, ge=36, le=2400, description="The resolution of pictures, in dots per inch.")
    colour: Literal["rgb", "cmyk", "gray"] = Field("rgb", description="The colours that it asks for.")
    profile: Line | None = Field(None, description="The profile of its press, as it calls it.")
    ink_limit: Annotated[int, Field(ge=100, le=400)] | None = Field(
        None, description="The most ink anywhere: the sum of cyan, magenta, yellow and black, in per cent."
    )
    black: tuple[Percent, Percent, Percent, Percent] | None = Field(
        None, description="The black that it advises for large areas: cyan, magenta, yellow and black, in per cent."
    )
    pdfx: Literal["x4", "x1a"] | None = Field(
        None, description="The form of its PDFs: PDF/X-4, or PDF/X-1a, which is PDF 1.4 without transparency."
    )
    cut_line: SpotName | None = Field(
        None, description="The spot colour of a line to cut along, such as CutContour, if it wants one."
    )
    outlines: bool = Field(False, description="Whether it wants text as outlines.")
    marks: bool = Field(False, description="Whether it wants crop marks outside the bleed.")
    most_pieces: Annotated[int, Field(ge=1)] | None = Field(None, description="The most pieces in one order.")
    most_pages: Annotated[int, Field(ge=1)] | None = Field(None, description="The most pages in one PDF.")
    advice: Text | None = Field(None, description="What to do with the files; order.txt repeats it.")
    source: Passages = Field((), description="Where all this comes from, such as the address of a help page.")
    checked: date | None = Field(None, description="The day when somebody compared it with its sources: 2026-11-29.")
    second_hand: tuple[Line, ...] = Field((), description="What does not come from the shop itself, and from whom.")

    @model_validator(mode="after")
    def facts_agree(self) -> Shop:
        twice = [id_ for id_, count in Counter(folded(one.id) for one in self.products).items() if count > 1]
        if twice:
            raise ValueError(f'two products have the id "{twice[0]}"')
        of_pdfs = {"pdfx": self.pdfx, "cut-line": self.cut_line, "outlines": self.outlines, "marks": self.marks}
        for key, value in of_pdfs.items():
            if value and "pdf" not in self.files:
                raise ValueError(f"`{key}` is about PDFs, but `files` has no `pdf`")
        if self.colour != "cmyk" and (self.ink_limit or self.black or self.profile or self.cut_line):
            raise ValueError("`ink-limit`, `black`, `profile` and `cut-line` need `colour: cmyk`")
        if self.black and self.ink_limit and sum(self.black) > self.ink_limit:
            raise ValueError(f"`black` has {sum(self.black):g} % of ink, more than `ink-limit` allows")
        if self.source and self.checked is None:
            raise ValueError("`source` needs the day when somebody looked: `checked: 2026-11-29`")
        if any(one.autofill for one in self.products) and not self.names.front.startswith("{deck}/"):
            raise ValueError("`autofill` needs a folder for each deck: `front` must begin with {deck}/")
        for one in self.products:
            small = one.pixels and any(
                pixels < length / INCH * self.dpi - 0.5
                for pixels, length in zip(one.pixels, (one.width, one.height), strict=True)
            )
            if small:
                wide, high = one.pixels or (0, 0)
                raise ValueError(f"{one.id}: {wide} × {high} pixels at {self.dpi} dpi are less than {one.size}")
        return self

    def bleed_of(self, product: Product) -> Four:
        """Return how far a picture or page of a product extends beyond the cut. Its pixels decide if it has any."""
        if product.pixels:
            across, down = (
                (pixels / self.dpi * INCH - length) / 2
                for pixels, length in zip(product.pixels, (product.width, product.height), strict=True)
            )
            return (across, down, across, down)
        return sides(product.bleed if product.bleed is not None else self.bleed)


def sides(bleed: float | Sides | None) -> Four:
    """Return a bleed as four lengths."""
    if isinstance(bleed, Sides):
        return (bleed.left, bleed.top, bleed.right, bleed.bottom)
    return (bleed or 0.0,) * 4


def load_shops(folder: Path | None, problems: Problems) -> dict[str, Shop]:
    """Return the shared shops and those in a game's own `shops` folder, by name."""
    return load_files(Shop, "shops", folder, problems)
