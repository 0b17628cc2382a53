"""The models of game.yaml, of its tables, and of the words about a game: rules, rulings, terms, examples."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from pathlib import PurePath
from typing import Annotated, Any, Literal, Self, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    StringConstraints,
    WithJsonSchema,
    create_model,
    model_validator,
)

from grimalkin.content.styles import COMMON, LEAST_SIZE, MOST_SIZE, VARIANTS
from grimalkin.content.values import (
    AS_WRITTEN,
    OWN_ID,
    SOURCE,
    Colour,
    FileId,
    Id,
    Line,
    Model,
    Name,
    OwnId,
    Passages,
    SmallFileId,
    Status,
    Text,
    Title,
    Whole,
)
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import ID, id_from
from grimalkin.source.tables import Number, as_numbers

# game.yaml


class Span(Model):
    """From the least to the most, both included."""

    least: Whole = Field(ge=0, description="The smallest allowed.")
    most: Whole = Field(ge=0, description="The largest allowed.")

    @model_validator(mode="after")
    def least_comes_first(self) -> Span:
        if self.least > self.most:
            raise ValueError(f"the least, {self.least}, is more than the most, {self.most}")
        return self

    def __str__(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least}–{self.most}"


class Minutes(Span):
    """How long a game takes."""

    status: Status = Field("printed", description="Who says so; what is not printed is shown as our estimate.")


class Credit(Model):
    """One line of thanks: what somebody did, and who."""

    role: Line = Field(description="What was done.")
    name: Name
    web: Line | None = Field(None, description="Address without https://; shown as text, never loaded.")


class Column(Model):
    """A column of a deck's table that only this game has."""

    type: Literal["whole", "number", "text", "choice", "yes-no", "list"] = Field(
        "text", description="What a cell holds."
    )
    label: Line = Field(description="What players call it.")
    header: Line | None = Field(None, description="Its header in the table, if that is another name.")
    choices: tuple[Line, ...] = Field((), description="The words allowed, for the type choice.")
    least: Whole | None = Field(None, description="The smallest allowed.")
    most: Whole | None = Field(None, description="The largest allowed.")
    optional: bool = Field(False, description="Whether a cell may be empty.")
    rule: Id | None = Field(None, description="The rule that gives the numbers.")
    shown: bool = Field(
        True, description="Whether the site shows it to players; no for a column that only the face needs."
    )

    @model_validator(mode="after")
    def choices_belong_to_choice(self) -> Column:
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ValueError(f"the least, {self.least}, is more than the most, {self.most}")
        if (self.type == "choice") != bool(self.choices):
            raise ValueError('`choices` lists the words of a column of the type "choice", and of no other')
        return self


BUILT_IN = ("id", "name", "count", "stock", "alt", "back-alt", "deck")
"""Columns that every table has, or whose names have a meaning of their own."""


def is_reserved(name: str) -> bool:
    """Whether a game's own column cannot have this name, because it has another meaning or pydantic needs it."""
    return name in BUILT_IN or (name.startswith("model-") and hasattr(BaseModel, name.replace("-", "_")))


def _own_column(name: str) -> str:
    if is_reserved(name):
        raise ValueError(f'a column of your own cannot be called "{name}"')
    return name


ColumnName = Annotated[Id, AfterValidator(_own_column)]


def _columns_written(columns: Any) -> Any:
    """Expand columns given only by their header: `power: Strength` is an optional column of text."""
    if not isinstance(columns, dict):
        return columns
    return {
        name: {"label": told, "header": told, "optional": "yes"} if isinstance(told, str) and told else told
        for name, told in columns.items()
    }


Columns = Annotated[
    dict[ColumnName, Column], BeforeValidator(_columns_written, json_schema_input_type=dict[ColumnName, Column | Line])
]
EveryColumn = Literal["id", "name", "count", "stock", "alt", "back-alt"]
EVERY_COLUMN: tuple[EveryColumn, ...] = get_args(EveryColumn)
"""Columns that the table of every deck may have."""


class Tabled(Model):
    """Anything that is read from a table with a row for each thing."""

    id: FileId = Field("", description="Letters, digits and hyphens; by default from the name of the table's file.")
    name: Name = Field("", description="What people call it; by default from the name of the table's file.")
    file: Line = Field(description="Table in the game's folder: CSV, TSV, XLSX, ODS, JSON or YAML.")
    sheet: Line | None = Field(None, description="The sheet of a workbook; by default, the first that is not hidden.")
    columns: Columns = Field(
        {},
        description="Its own columns: what each holds, or only its header in the table: {power: Pwr}.",
    )
    headers: dict[EveryColumn, Line] = Field(
        {}, description="Headers of the common columns in the table; they may also be in `columns`: {count: Qty}."
    )

    @model_validator(mode="before")
    @classmethod
    def named_like_its_table(cls, data: Any) -> Any:
        """Fill in the id and the name from the name of the file, and separate the headers of common columns."""
        if not isinstance(data, dict) or not isinstance(data.get("file"), str):
            return data
        name = " ".join(re.split(r"[-_\s]+", PurePath(data["file"]).stem)).strip()
        given: dict[str, Any] = {"id": id_from(name), "name": name[:1].upper() + name[1:], **data}
        columns: Any = given.get("columns")
        headers: Any = given.get("headers", {})
        if isinstance(columns, dict) and isinstance(headers, dict):
            common = {key: told for key, told in columns.items() if key in EVERY_COLUMN and isinstance(told, str)}
            given["columns"] = {key: told for key, told in columns.items() if key not in common}
            given |= {"headers": headers | common} if common else {}
        return given


def _template(name: str) -> str:
    """Return the name of a template without the ending of its file."""
    return name.removesuffix(".j2").removesuffix(".svg") or name


TemplateName = Annotated[Line, AfterValidator(_template)]


class Faces(Model):
    """Names of the face templates of a deck, without .svg.j2. Without a back, components are printed on one side."""

    front: TemplateName = Field(description="Template of the front, without `.svg.j2`.")
    back: TemplateName | None = Field(
        None, description="Template of the back; without it, pieces are printed on one side only."
    )


class PicturesIn(Model):
    """How fine pictures are printed, and what they become where ink is saved."""

    dpi: Whole = Field(300, ge=100, le=1200, description="Pixels to the inch of what has more than 1.5 times as many.")

    low: Literal["as-is", "grey", "threshold", "halftone", "none"] = Field(
        "grey",
        description="In little ink: as they are, in shades of grey, in two tones, in dots of black, or left out.",
    )
    mono: Literal["threshold", "halftone", "none"] = Field(
        "halftone", description="In black alone: in two tones, in dots, or left out."
    )


class Drawn(Tabled):
    """What has faces: rows of a table, each drawn by the same templates."""

    stock: Line | None = Field(
        None, description="Stock of every row that names none; poker cards if the table has no column for it."
    )
    face: TemplateName | None = Field(None, description="Template of the front, without `.svg.j2`: short for `faces`.")
    back: TemplateName | None = Field(None, description="Template of the back, beside `face`.")
    faces: Faces = Field(
        default_factory=lambda: Faces(front="card"), description="Its templates, if `face` and `back` are not given."
    )
    needs: tuple[Id, ...] = Field(
        (),
        description="Columns that tell what a row belongs to: a map, a level of loot, a hero, a foe, a scenario, by "
        "its id. A print of one scenario leaves out what belongs to others. Without it, all is in every such print.",
    )
    pictures: PicturesIn = Field(
        PicturesIn(), description="How fine its pictures are printed, and what they become where ink is saved."
    )
    status: Status = "printed"
    source: Passages = Field((), description=SOURCE)
    note: Text | None = Field(None, description="A remark for players.")

    @model_validator(mode="before")
    @classmethod
    def faces_are_named(cls, data: Any) -> Any:
        """Read `face` and `back` as `faces`. A deck must use one of the two ways, not both."""
        if isinstance(data, str):
            raise ValueError(f"write {{file: {data}, face: NAME}}: a table and the template that draws its rows")
        if not isinstance(data, dict):
            return data
        short = {key: data[key] for key in ("face", "back") if key in data}
        if "faces" in data and short:
            raise ValueError(f"`{next(iter(short))}` and `faces` mean the same: write only one of them")
        if "faces" not in data and "face" not in data:
            raise ValueError("no template is named: write `face: NAME` for faces/NAME.svg.j2, or `face: layouts/hand`")
        named = {"front" if key == "face" else key: template for key, template in short.items()}
        return data | {"faces": named} if named else data

    @model_validator(mode="after")
    def needs_names_columns(self) -> Self:
        for name in self.needs:
            if name != "id" and name not in self.columns:
                raise ValueError(f'`needs` names the column "{name}", which is not there')
        return self


class Book(Drawn):
    """A booklet to read in: its pages are the rows of a table, in order. It is printed to be folded, never cut."""

    stock: Line | None = Field("book-page", description="Stock of every page that names none.")


class Deck(Drawn):
    """Components of one kind that share their faces and a table."""

    kind: Literal["coin", "card", "mat"] = Field(
        "card", description="Round pieces, cards, or large sheets that pieces are laid on."
    )
    count: Whole = Field(0, ge=1, description="The number of pieces that the table must add up to; by default, any.")
    between: bool = Field(
        False, description="Whether it is used between scenarios only, and so left out of a print of one."
    )
    on_paper: bool = Field(
        False,
        description="Whether it is for paper alone, such as sheets of maps: a virtual table has each map as a whole.",
    )
    apart: tuple[ColumnName, ...] | None = Field(
        None,
        description="Columns whose values players must tell apart at a glance: fronts that differ in one of them must "
        "look different in greyscale and to every eye. Without it, all fronts must; with an empty list, none.",
    )
    told_by: Literal["id", "name"] = Field(
        "id",
        description="How its pieces are called where a position is told in words. `name` is for ids that tell a reader "
        "nothing: 7c, owl-1.",
    )

    @model_validator(mode="after")
    def apart_names_columns(self) -> Deck:
        for name in self.apart or ():
            if name not in self.columns:
                raise ValueError(f'`apart` names the column "{name}", which the deck does not have')
        return self


def _own_style(name: str) -> str:
    if name in COMMON or name in ("if", "br"):
        raise ValueError(f'a style of your own cannot be called "{name}": that has a meaning already')
    if not name[0].isalpha():
        raise ValueError(f'the name of a style begins with a letter, unlike "{name}"')
    return name


def _known_variants(words: tuple[str, ...]) -> tuple[str, ...]:
    for word in words:
        if word not in VARIANTS:
            raise ValueError(f'"{word}" is none of CSS\'s words for it; {did_you_mean(word, VARIANTS)}')
    return words


class Style(Model):
    """How words look that stand in braces behind its name: {danger|no escape}."""

    fill: Annotated[str, StringConstraints(pattern=rf"^(#[0-9a-fA-F]{{6}}|{ID.pattern})$")] | None = Field(
        None, description="Their colour: one of the palette by its name, or `#rrggbb`. Printed with full inks."
    )
    size: float = Field(
        1.0, ge=LEAST_SIZE, le=MOST_SIZE, allow_inf_nan=False, description="The size relative to the surrounding text."
    )
    bold: bool = Field(False, description="Whether they are bold.")
    italic: bool = Field(False, description="Whether they are italic.")
    nowrap: bool = Field(False, description="Whether no line ends within them.")
    font_variant: Annotated[
        tuple[Line, ...],
        BeforeValidator(
            lambda value: tuple(value.split()) if isinstance(value, str) else value,
            json_schema_input_type=Line | tuple[Line, ...],
        ),
        AfterValidator(_known_variants),
    ] = Field((), description="OpenType features, by their CSS names: `small-caps oldstyle-nums`.")


class Listing(Tabled):
    """Things that texts and pieces name and that are no pieces themselves: powers, places, trades."""

    status: Status = "printed"
    source: Passages = Field((), description=SOURCE)
    note: Text | None = Field(None, description="A remark for players.")


class Variant(Model):
    """The same pieces printed in another way: on other stocks, in other colours, with other cells of their tables."""

    id: Annotated[SmallFileId, OWN_ID]
    name: Name
    text: Text = Field(description="What is different, and for whom.")
    stocks: dict[Id, Id] = Field({}, description="Stocks to use instead of others: {poker: bridge}.")
    palette: dict[Id, Colour] = Field({}, description="Colours of the palette that change.")
    columns: dict[Id, Id] = Field(
        {}, description="Columns whose cells, where they are filled, stand in those of others: {range: printed-range}."
    )

    @model_validator(mode="after")
    def something_changes(self) -> Variant:
        if not self.stocks and not self.palette and not self.columns:
            raise ValueError("a variant changes `stocks`, `palette` or `columns`")
        return self


class Parts(Model):
    """What a game falls into, as it is played: rounds, months, nights."""

    key: Id = Field(description="The key of a position whose number counts them: {key: round, name: Round}.")
    name: Line = Field(description="What players call one of them: Round stands above each as Round 1, Round 2.")


class TableSize(Model):
    """How high the picture of a table is, in mm; it is 120 mm wide."""

    middle: Whole = Field(30, ge=5, le=120, description="For what lies in the middle.")
    seat: Whole = Field(30, ge=5, le=120, description="For each seat.")
    rows: bool = Field(
        False,
        description="Whether the template draws the seats in `shown` alone, so that a book may leave out the others.",
    )


class Mark(Model):
    """What a letter on maps means."""

    name: Line = Field(description="What it marks.")
    rule: Id = Field(description="The rule that says so.")
    start: bool = Field(False, description="Whether heroes start there, on the square or orthogonally next to it.")
    holds: Whole = Field(1, ge=1, description="For how many figures there must be room.")
    most: Whole | None = Field(None, ge=1, description="How many squares of a map may have it.")
    track: bool = Field(False, description="Whether it also stands on the round track.")


class Maps(Model):
    """What the letters on a game's maps mean."""

    marks: dict[Line, Mark] = Field(description="The letters, perhaps with a number: {G: {name: start, rule: …}}.")


class GameFile(Model):
    """game.yaml: what the game is, and the promise of what is in its box."""

    title: Title
    tagline: Line | None = Field(None, description="One line that makes people curious.")
    summary: Text | None = Field(None, description="A few sentences about it.")
    players: Span | None = Field(None, description="How many can play.")
    minutes: Minutes | None = Field(None, description="How long a game takes.")
    year: Annotated[int, Field(ge=0, le=9999), AS_WRITTEN] | None = Field(
        None, description="The year that stands in the rulebook, beside its copyright or its imprint."
    )
    prefix: Annotated[str, StringConstraints(pattern=r"^[A-Z]{2,4}$")] | None = Field(
        None, description="The beginning of every rule id; without it, rule ids begin as you like."
    )
    rules_version: Line = Field("0.1", description="Version of the game, printed on sheets and in the rulebook.")
    draft: bool = Field(
        False,
        description="yes while the game is unfinished: what is not proved yet is listed and stops nothing, and faults "
        "on faces are marked in print. Sheets and pages say that it is a draft.",
    )
    engine: Id | None = Field(
        None,
        description="The installed game whose rules engine plays this one, for a variant with other components; by "
        "default the one named like the folder. Its face templates and icons are found, too.",
    )
    faces: Id | None = Field(
        None,
        description="The installed game whose face templates and icons are used beside those in the folder; by "
        "default that of the engine, or the one named like the folder.",
    )
    credits: tuple[Credit, ...] = Field((), description="Who made it.")
    rulebook: tuple[Line, ...] = Field(
        (),
        description="The headings of the rulebook, in order: all that a `source` may name. A place without one is "
        "written small: the cover. With this list, whatever counts as printed needs a `source`.",
    )
    our_work: tuple[Line, ...] = Field((), description="What in this edition is our own design.")
    palette: dict[Id, Colour] = Field({}, description="The game's own colours, by name.")
    styles: dict[Annotated[Id, AfterValidator(_own_style)], Style] = Field(
        {}, description="How words look in texts, by the name of the style: {danger: {fill: blood, bold: yes}}."
    )
    fallback_fonts: tuple[Line, ...] = Field(
        (), max_length=8, description="Fonts for the letters that the font of a text lacks, in this order."
    )
    variants: tuple[Variant, ...] = Field((), description="Other ways to print the pieces, beside the usual one.")
    cover: tuple[Id, ...] = Field(
        (), max_length=4, description="Components whose fronts stand for the game; by default, some of its first deck."
    )
    table: TableSize = Field(TableSize(), description="The size of the pictures of positions.")
    parts: Parts | None = Field(
        None, description="What the pages of playthroughs are parted by; without it, each is a game in one part."
    )
    decks: tuple[Deck, ...] = Field(min_length=1, description="What is in the box.")
    books: tuple[Book, ...] = Field((), description="Booklets that come with it, such as a book of scenarios.")
    party: Id | None = Field(
        None, description="The deck of those whom players choose for a scenario, as with the option `--heroes`."
    )
    maps: Maps | None = Field(None, description="What the letters on the game's maps mean; the maps are maps/*.txt.")
    lists: tuple[Listing, ...] = Field((), description="What the pieces name and what is none itself, such as powers.")


# Components


class Component(Model):
    """One row of a deck's table: a design, and how many pieces of it there are."""

    id: OwnId
    name: Name
    count: Whole = Field(1, ge=1, le=10_000, description="How many pieces of it there are.")
    stock: Line | None = Field(None, description="What it is cut from.")
    alt: Line | None = Field(None, description="What the front shows, for those who cannot see it.")
    back_alt: Line | None = Field(None, description="What the back shows, where that tells something.")


class Listed(Model):
    """One row of a list's table."""

    id: OwnId
    name: Name


def _number(cell: Any) -> Any:
    """Read a number; its text is its spelling."""
    (read,) = as_numbers([cell]) or [cell]
    if isinstance(read, bool) or not isinstance(read, int | Number):
        raise ValueError(f'"{cell}" is not a number')
    return read


def _items(cell: Any) -> Any:
    """Return the items of a cell: a list as it is, or a text split at semicolons, line ends, or otherwise commas."""
    if not isinstance(cell, str):
        return cell
    sign = next((sign for sign in (";", "\n", ",") if sign in cell), ",")
    return tuple(item for part in cell.split(sign) if (item := part.strip()))


Decimal = Annotated[Any, BeforeValidator(_number), WithJsonSchema({"type": "number"})]
"""A whole number or a Number: it prints as it is spelled, and a template can calculate with it."""
Items = Annotated[tuple[Text, ...], BeforeValidator(_items, json_schema_input_type=Text | tuple[Text, ...])]


def row_model(deck: Drawn) -> type[Component]:
    """The model of a deck's rows: what all have, with the deck's own columns added."""
    return _model_of_rows(deck, Component)


def listed_model(listing: Listing) -> type[Listed]:
    """The model of a list's rows, in the same way."""
    return _model_of_rows(listing, Listed)


R = TypeVar("R", bound=Model)


def _model_of_rows(drawn: Tabled, base: type[R]) -> type[R]:
    with warnings.catch_warnings():  # a column may be called "copy" or "json": nothing calls those pydantic 1 methods
        warnings.simplefilter("ignore", UserWarning)
        return create_model(f"{drawn.id}-row", __base__=base, **_own_columns(drawn.columns))


def _own_columns(own: Mapping[str, Column]) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for name, column in own.items():
        kind: Any
        if column.type == "whole":
            kind = Annotated[int, Field(ge=column.least, le=column.most), AS_WRITTEN]
        elif column.type == "number":
            kind = Decimal
        elif column.type == "list":
            kind = Items
        elif column.type == "yes-no":
            kind = bool
        elif column.type == "choice":
            kind = Literal[column.choices]
        else:
            kind = Text
        empty: Any = () if column.type == "list" else None
        described = Field(empty if column.optional else ..., description=column.label)
        columns[name.replace("-", "_")] = (kind | None if column.optional else kind, described)
    return columns


def value_of(row: Component | Listed, column: str) -> object:
    """What a cell holds; None when it is empty."""
    value: object = getattr(row, column.replace("-", "_"))
    return None if value == "" else value


def is_filled(value: object) -> bool:
    """Whether a text that asks for a cell goes on: it holds something, and does not say no."""
    return str(value or "").strip().casefold() not in ("", "0", "no", "false")


# Words about the game


_SEARCH_ALSO = "Words and questions under which people look for it, though it has others. Only the search has them."


class Rule(Model):
    """One numbered statement. Its id never changes; the printed number is computed from its position."""

    id: OwnId
    title: Line = Field(description="A few words; the heading of the rule.")
    summary: Line | None = Field(
        None, description="The rule in one line, for who knows it and has forgotten. Previews and short lists show it."
    )
    text: Text = Field(description="The words themselves.")
    note: Text | None = Field(
        None, description="What only some want to know: how we read the rulebook, or what follows. Shown small, below."
    )
    source: Passages = Field((), description=SOURCE)
    status: Status = "printed"
    forbids: bool = Field(False, description="Whether the rule forbids something; it then needs an illegal example.")
    unchecked: Line | None = Field(None, description="Why no position or move can show this rule.")
    revision: Whole = Field(1, ge=1, description="Goes up by one when the words change.")
    search_also: tuple[Line, ...] = Field((), description=_SEARCH_ALSO)


class Section(Model):
    """A part of the rules."""

    id: OwnId
    title: Title
    intro: Text | None = Field(None, description="What stands above the rules.")
    rules: tuple[Rule, ...] = Field(min_length=1, description="The rules.")


class Ruling(Model):
    """How we play where the rulebook is silent, unclear or at odds with itself."""

    id: OwnId
    title: Title
    question: Text = Field(description="What players ask.")
    ruling: Text = Field(description="The answer.")
    why: Text | None = Field(None, description="The reason.")
    rules: tuple[Id, ...] = Field((), description="The rules it is about.")
    source: Passages = Field((), description=SOURCE)
    status: Status = "ruling"
    forbids: bool = Field(False, description="Whether it forbids something.")
    unchecked: Line | None = Field(None, description="Why no position or move can show this ruling.")
    revision: Whole = Field(1, ge=1, description="Goes up by one when the words change.")
    search_also: tuple[Line, ...] = Field((), description=_SEARCH_ALSO)
    withdrawn: Line | None = Field(
        None, description="Why it does not hold any more. Its id and its number are never given to another."
    )


class Erratum(Model):
    """Something the rulebook prints that cannot be meant, and what we read instead."""

    id: OwnId
    rules: tuple[Id, ...] = Field(min_length=1, description="Ids of the rules it is about.")
    printed: Text = Field(description="What the rulebook prints.")
    reads: Text = Field(description="What is meant instead.")
    why: Text = Field(description="The reason.")
    source: Passages = Field(min_length=1, description=SOURCE)
    withdrawn: Line | None = Field(
        None, description="Why it is none after all. Its id and its number are never given to another."
    )


class Term(Model):
    """A word with a fixed meaning in this game."""

    id: OwnId
    name: Name
    text: Text = Field(description="The words themselves.")
    also: tuple[Line, ...] = Field((), description="Other forms of the word, for the search.")
    search_also: tuple[Line, ...] = Field((), description=_SEARCH_ALSO)


# Examples and playthroughs

StepLine = dict[str, Any]
_STEPS = (
    "What is done, one after the other. Each has one key: a seat's name with a line of notation; `draw`, what chance "
    "gives; `check`, facts that hold now; or `say`, a remark: a text for everybody, or texts by reader, `open` for who "
    "sees all cards and a seat's name for who sits there."
)


class Script(Model):
    """What examples and playthroughs share: something is played, and facts are expected."""

    id: OwnId
    title: Title
    options: dict[str, Any] = Field({}, description="What is agreed before the game.")
    steps: tuple[StepLine, ...] = Field((), description=_STEPS)
    expect: dict[str, Any] = Field(min_length=1, description="Facts that then hold.")


class Example(Script):
    """A position, what is done in it, and the facts that then hold. The first rule is the one it pins."""

    rules: tuple[Id, ...] = Field(
        min_length=1, description="Ids of the rules it shows; the first is the one it proves."
    )
    kind: Literal["legal", "illegal", "scoring", "boundary", "tie"] = Field(description="What it shows.")
    question: Line | None = Field(None, description="What a player asks whom it answers; pages then title it so.")
    text: Text = Field(description="The example as told to a player.")
    status: Status = "house"
    source: Passages = Field((), description=SOURCE)
    printed: Text | None = Field(None, description="What the rulebook says comes out.")
    erratum: Id | None = Field(None, description="The erratum, where the rulebook's example breaks its own rules.")
    given: dict[str, Any] | None = Field(None, description="The position; without it a new game is started.")
    seats: tuple[Line, ...] = Field((), description="Names of the players.")
    picture: dict[str, Any] | None = Field(
        None, description="What is drawn in its picture of the map, in a game that is played on maps."
    )


class Playthrough(Script):
    """A whole game in one-line notation, with remarks and checked facts."""

    summary: Text = Field(description="A few sentences about it.")
    seats: tuple[Line, ...] = Field(min_length=1, description="Names of the players.")
    steps: tuple[StepLine, ...] = Field(min_length=1, description=_STEPS)


class RulesFile(Model):
    """rules.yaml"""

    sections: tuple[Section, ...] = Field(min_length=1, description="The parts of the rules.")


class RulingsFile(Model):
    """rulings.yaml"""

    rulings: tuple[Ruling, ...] = Field(description="The rulings.")


class ErrataFile(Model):
    """errata.yaml"""

    errata: tuple[Erratum, ...] = Field(description="The errata.")


class TermsFile(Model):
    """terms.yaml"""

    terms: tuple[Term, ...] = Field(description="The terms.")


class ExamplesFile(Model):
    """examples/*.yaml"""

    examples: tuple[Example, ...] = Field(min_length=1, description="The examples.")
