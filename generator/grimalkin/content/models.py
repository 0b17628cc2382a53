"""Models of game.yaml, and of its tables: decks, books and lists, their columns and their rows."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping
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

from grimalkin.content.texts.styles import COMMON, Look, Style, StyleName
from grimalkin.content.values import (
    AS_WRITTEN,
    OWN_ID,
    SOURCE,
    FileId,
    Id,
    Line,
    Model,
    Name,
    OwnId,
    Passages,
    Shade,
    SmallFileId,
    Status,
    Text,
    Title,
    Whole,
)
from grimalkin.problems.plain import id_from, listed
from grimalkin.source.colours import ink_of
from grimalkin.source.tables import Number, as_numbers

# game.yaml


class Span(Model):
    """A range of numbers, both ends included."""

    least: Whole = Field(ge=0, description="The smallest allowed.")
    most: Whole = Field(ge=0, description="The largest allowed.")

    @model_validator(mode="after")
    def least_comes_first(self) -> Span:
        if self.least > self.most:
            raise ValueError(f"`least` is {self.least}, more than `most`, {self.most}")
        return self

    def __str__(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least}–{self.most}"


class Minutes(Span):
    """The time that a game takes, in minutes."""

    status: Status = Field(
        "printed", description="Where the number comes from; unless it is printed, it is shown as our estimate."
    )


class Credit(Model):
    """One line of the credits: a role and a name."""

    role: Line = Field(description="What was done.")
    name: Name
    web: Line | None = Field(None, description="A web address without https://; printed as text, never loaded.")


class Column(Model):
    """A column specific to this game's table."""

    type: Literal["whole", "number", "text", "choice", "yes-no", "list"] = Field(
        "text", description="The kind of value in its cells."
    )
    label: Line = Field(description="The name that players see.")
    header: Line | None = Field(None, description="Its header in the table, if that differs from the name here.")
    choices: tuple[Line, ...] = Field((), description="The values allowed, for the type choice.")
    least: Whole | None = Field(None, description="The smallest allowed.")
    most: Whole | None = Field(None, description="The largest allowed.")
    optional: bool = Field(False, description="Whether its cells may be empty.")
    rule: Id | None = Field(None, description="The rule that its values come from.")
    shown: bool = Field(
        True, description="Whether the site shows it to players; write no for a column that only the face needs."
    )

    @model_validator(mode="after")
    def choices_belong_to_choice(self) -> Column:
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ValueError(f"`least` is {self.least}, more than `most`, {self.most}")
        if (self.type == "choice") != bool(self.choices):
            raise ValueError('a column of the type "choice" needs `choices`, and no other column may have it')
        return self


BUILT_IN = ("id", "name", "count", "stock", "alt", "back-alt", "deck")
"""Columns that any table may have, and other names that already have a meaning."""


def is_reserved(name: str) -> bool:
    """Return whether a game's own column cannot have this name: it already has a meaning, or pydantic needs it."""
    return name in BUILT_IN or (name.startswith("model-") and hasattr(BaseModel, name.replace("-", "_")))


def _own_column(name: str) -> str:
    if is_reserved(name):
        raise ValueError(f'a column of your own cannot be called "{name}": the name is taken')
    return name


ColumnName = Annotated[Id, AfterValidator(_own_column)]


def _columns_written(columns: Any) -> Any:
    """Expand columns given only as a header: `power: Strength` is an optional column of text."""
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
"""Columns that any deck's table may have."""


class Tabled(Model):
    """Something read from a table, such as a deck: each row is one thing."""

    id: FileId = Field(
        "", description="Letters, digits and hyphens; by default made from the name of the table's file."
    )
    name: Name = Field("", description="The name that people see; by default made from the name of the table's file.")
    file: Line = Field(description="The table, a file in the game's folder: CSV, TSV, XLSX, ODS, JSON or YAML.")
    sheet: Line | None = Field(
        None, description="The sheet to read in a workbook; by default the first one that is not hidden."
    )
    columns: Columns = Field(
        {},
        description="Its own columns, each with what it holds, or with just its header in the table: {power: Pwr}.",
    )
    headers: dict[EveryColumn, Line] = Field(
        {},
        description="Headers of the common columns, if your table calls them something else; `columns` may give them "
        "too: {count: Qty}.",
    )

    @model_validator(mode="before")
    @classmethod
    def named_like_its_table(cls, data: Any) -> Any:
        """Fill in the id and name from the file's name, and separate the headers of common columns."""
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
    return name.removesuffix(".j2").removesuffix(".svg") or name


TemplateName = Annotated[Line, AfterValidator(_template)]


class Faces(Model):
    """Names of a deck's face templates, without `.svg.j2`. Without a back, only one side of the pieces is printed."""

    front: TemplateName = Field(description="The template of the front, without `.svg.j2`.")
    back: TemplateName | None = Field(
        None, description="The template of the back; without it, pieces are printed on one side only."
    )


class PicturesIn(Model):
    """The resolution of printed pictures, and their form in designs that save ink."""

    dpi: Whole = Field(
        300,
        ge=100,
        le=1200,
        description="Pixels per inch: a picture with more than 1.5 times this resolution is reduced to it.",
    )

    low: Literal["as-is", "grey", "threshold", "halftone", "none"] = Field(
        "grey",
        description="How pictures look with low ink: as they are, in shades of grey, in two tones, in black dots, or "
        "left out.",
    )
    mono: Literal["threshold", "halftone", "none"] = Field(
        "halftone", description="How pictures look in black and white: in two tones, in black dots, or left out."
    )


class Drawn(Tabled):
    """A table whose rows have faces, all drawn with the same templates."""

    stock: Line | None = Field(
        None, description="The stock of every row that names none; poker cards if the table has no column `stock`."
    )
    face: TemplateName | None = Field(
        None, description="The template of the front, without `.svg.j2`: short for `faces`."
    )
    back: TemplateName | None = Field(None, description="The template of the back, used with `face`.")
    faces: Faces = Field(
        default_factory=lambda: Faces(front="card"), description="The templates, if `face` and `back` are not given."
    )
    needs: tuple[Id, ...] = Field(
        (),
        description="Columns with the id of what a row belongs to: a map, a level of loot, a hero, a foe, a scenario. "
        "When you print one scenario, rows that belong to others are left out. Without `needs`, every row is printed.",
    )
    pictures: PicturesIn = Field(
        PicturesIn(), description="How finely its pictures are printed, and how they appear in designs that save ink."
    )
    status: Status = "printed"
    source: Passages = Field((), description=SOURCE)
    note: Text | None = Field(None, description="A remark for players.")

    @model_validator(mode="before")
    @classmethod
    def faces_are_named(cls, data: Any) -> Any:
        """Read `face` and `back` as `faces`. A deck must not use both forms."""
        if isinstance(data, str):
            raise ValueError(f"write {{file: {data}, face: NAME}}: a table, and the template that draws its rows")
        if not isinstance(data, dict):
            return data
        short = {key: data[key] for key in ("face", "back") if key in data}
        if "faces" in data and short:
            raise ValueError(f"`{next(iter(short))}` and `faces` mean the same; write only one of them")
        if "faces" not in data and "face" not in data:
            raise ValueError("no template is named; write `face: NAME` for faces/NAME.svg.j2, or `face: layouts/hand`")
        named = {"front" if key == "face" else key: template for key, template in short.items()}
        return data | {"faces": named} if named else data

    @model_validator(mode="after")
    def needs_names_columns(self) -> Self:
        for name in self.needs:
            if name != "id" and name not in self.columns:
                raise ValueError(f'`needs` names the column "{name}", which does not exist')
        return self


class Book(Drawn):
    """A booklet: each row of its table is a page, in order. It is printed to be folded, never cut."""

    stock: Line | None = Field("book-page", description="The stock of every page that names none.")


class Deck(Drawn):
    """Components of one kind that share a table and templates."""

    kind: Literal["coin", "card", "mat"] = Field(
        "card", description="coin for round pieces, card for cards, mat for large sheets that pieces are laid on."
    )
    count: Whole = Field(
        0, ge=1, description="The total that the counts in the table must add up to; without it, any total is accepted."
    )
    between: bool = Field(
        False, description="Whether it is used only between scenarios; it is then left out when you print one scenario."
    )
    on_paper: bool = Field(
        False,
        description="Whether it is only for paper, such as sheets of maps: on a virtual table, each map is one piece.",
    )
    apart: tuple[ColumnName, ...] | None = Field(
        None,
        description="Columns whose values players must tell apart at a glance: fronts that differ in one of them must "
        "look different in greyscale and with any kind of colour vision. Without `apart`, all fronts must differ; with "
        "an empty list, none need to.",
    )
    told_by: Literal["id", "name"] = Field(
        "id",
        description="What its pieces are called when a position is described in words. Use `name` if the ids mean "
        "nothing to a reader: 7c, owl-1.",
    )

    @model_validator(mode="after")
    def apart_names_columns(self) -> Deck:
        for name in self.apart or ():
            if name not in self.columns:
                raise ValueError(f'`apart` names the column "{name}", which the deck does not have')
        return self


class Listing(Tabled):
    """A list of things that texts and pieces name but that are not pieces: powers, places, trades."""

    status: Status = "printed"
    source: Passages = Field((), description=SOURCE)
    note: Text | None = Field(None, description="A remark for players.")


class Variant(Model):
    """An alternative print of the same pieces: on other stocks, in other colours, or with other cells."""

    id: Annotated[SmallFileId, OWN_ID]
    name: Name
    text: Text = Field(description="What is different, and who it is for.")
    stocks: dict[Id, Id] = Field(
        {}, description="Stocks to replace: {poker: bridge} prints poker cards as bridge cards."
    )
    palette: dict[Id, Shade] = Field({}, description="Palette colours to replace.")
    columns: dict[Id, Id] = Field(
        {},
        description="Columns to replace: with {range: printed-range}, each filled cell of printed-range replaces "
        "range.",
    )

    @model_validator(mode="after")
    def something_changes(self) -> Variant:
        if not self.stocks and not self.palette and not self.columns:
            raise ValueError("this variant changes nothing; give it `stocks`, `palette` or `columns`")
        return self


class Parts(Model):
    """The parts that a game is played in, such as rounds, months or nights."""

    key: Id = Field(description="The key in a position that counts them: {key: round, name: Round}.")
    name: Line = Field(description="What players call one: with Round, the headings are Round 1, Round 2.")


class TableSize(Model):
    """The height of a picture of the table, in mm; its width is 120 mm."""

    middle: Whole = Field(30, ge=5, le=120, description="The height of the middle of the table.")
    seat: Whole = Field(30, ge=5, le=120, description="The height of each seat.")
    rows: bool = Field(
        False,
        description="Whether the template draws only the seats in `shown`, so that a book may leave out the others.",
    )


class Mark(Model):
    """The meaning of a letter on maps."""

    name: Line = Field(description="What the letter marks.")
    rule: Id = Field(description="The rule that explains it.")
    start: bool = Field(
        False, description="Whether heroes start there, on the square or on one orthogonally next to it."
    )
    holds: Whole = Field(1, ge=1, description="How many figures must have room there.")
    most: Whole | None = Field(None, ge=1, description="The most squares of a map that may have it.")
    track: bool = Field(False, description="Whether it is also on the round track.")


class Maps(Model):
    """The meanings of the letters on a game's maps."""

    marks: dict[Line, Mark] = Field(
        description="Each letter, with or without a digit, and its meaning: {G: {name: start, rule: …}}."
    )


class GameFile(Model):
    """game.yaml: what the game is, and how many pieces its box must hold."""

    title: Title
    tagline: Line | None = Field(None, description="One line to make people curious.")
    summary: Text | None = Field(None, description="A few sentences about it.")
    players: Span | None = Field(None, description="How many people can play.")
    minutes: Minutes | None = Field(None, description="How long a game takes, in minutes.")
    year: Annotated[int, Field(ge=0, le=9999), AS_WRITTEN] | None = Field(
        None, description="The year in the rulebook's copyright line or imprint."
    )
    prefix: Annotated[str, StringConstraints(pattern=r"^[A-Z]{2,4}$")] | None = Field(
        None, description="The beginning of every rule id; without it, rule ids may begin as you like."
    )
    rules_version: Line = Field("0.1", description="The version of the rules, printed on sheets and in the rulebook.")
    draft: bool = Field(
        False,
        description="yes while the game is unfinished. Anything not proved yet (a rule without an example that "
        "shows it, an example that does not hold) is then listed but stops nothing, and faults on faces are marked in "
        "print. Sheets and pages say that the game is a draft.",
    )
    engine: Id | None = Field(
        None,
        description="The installed game whose rules engine plays this one, for a variant with other components; by "
        "default the one with the folder's name. Its face templates and icons can be used too.",
    )
    faces: Id | None = Field(
        None,
        description="The installed game whose face templates and icons can be used in addition to those in the folder; "
        "by default the one that `engine` names, or the one with the folder's name.",
    )
    credits: tuple[Credit, ...] = Field((), description="The people who made it.")
    rulebook: tuple[Line, ...] = Field(
        (),
        description="The headings of the rulebook, in order; a `source` may name only these. Write a place without "
        "a heading in lower case: the cover. With this list, everything with the status printed needs a `source`.",
    )
    our_work: tuple[Line, ...] = Field((), description="What we designed ourselves in this edition.")
    palette: dict[Id, Shade] = Field(
        {},
        description="The game's own colours, by name: `#rrggbb`, or the inks of a print shop, as in "
        "`cmyk(0, 100, 100, 0)`, `gray(40)`, `spot(Gold, cmyk(0, 20, 60, 25))` and `finish(Varnish)`.",
    )
    styles: dict[StyleName, Style] = Field(
        {}, description="Styles for words in texts, by name: {danger: {fill: blood, bold: yes}}."
    )
    fallback_fonts: tuple[Line, ...] = Field(
        (), max_length=8, description="Fonts to try, in this order, for letters that a text's own font lacks."
    )
    variants: tuple[Variant, ...] = Field((), description="Other ways to print the pieces.")
    cover: tuple[Id, ...] = Field(
        (),
        max_length=4,
        description="Components whose fronts represent the game; by default, some from its first deck.",
    )
    best_examples: tuple[Id, ...] = Field(
        (), max_length=9, description="The examples that the page of examples shows first, by id."
    )
    table: TableSize = Field(TableSize(), description="The size of the pictures of positions.")
    parts: Parts | None = Field(
        None, description="The parts that playthroughs are divided into on pages; without it, each is shown undivided."
    )
    decks: tuple[Deck, ...] = Field(min_length=1, description="The decks in the box: cards, coins, mats.")
    books: tuple[Book, ...] = Field((), description="Booklets that come with it, such as a book of scenarios.")
    party: Id | None = Field(
        None, description="The deck of the heroes that players choose for a scenario, as with the option `--heroes`."
    )
    maps: Maps | None = Field(None, description="The meanings of the letters on the game's maps, which are maps/*.txt.")
    lists: tuple[Listing, ...] = Field(
        (), description="Lists of things that pieces name and that are not pieces themselves, such as powers."
    )

    @property
    def shown_palette(self) -> dict[str, str]:
        """The palette as screens show it: #rrggbb, without finishes."""
        inks = {name: ink_of(colour) for name, colour in self.palette.items()}
        return {name: self.palette[name][:7] for name, ink in inks.items() if not (ink and ink.kind == "finish")}

    @property
    def kin(self) -> str:
        """Return the game whose face templates and icons it can use; "" if it names none."""
        return self.faces or self.engine or ""

    def looks(self, coloured: bool = True) -> dict[str, Look]:
        """Return every style of the game by its name, with colours as #rrggbb, or without colours unless `coloured`."""
        looks = dict(COMMON)
        for name, style in self.styles.items():
            fill = self.palette.get(style.fill or "", style.fill or "") if coloured else ""
            variant = " ".join(style.font_variant)
            looks[name] = Look(fill, style.size, style.bold, style.italic, variant, style.nowrap)
        return looks


# Components


class Component(Model):
    """One row of a deck's table: a design, and how many pieces have that design."""

    id: OwnId
    name: Name
    count: Whole = Field(1, ge=1, le=10_000, description="How many pieces have this design.")
    stock: Line | None = Field(None, description="The stock it is cut from.")
    alt: Line | None = Field(None, description="What the front shows, for people who cannot see it.")
    back_alt: Line | None = Field(None, description="What the back shows, if that matters.")


class Listed(Model):
    """One row of a list's table."""

    id: OwnId
    name: Name


def _number(cell: Any) -> Any:
    """Read a number, and keep its spelling for print."""
    (read,) = as_numbers([cell]) or [cell]
    if isinstance(read, bool) or not isinstance(read, int | Number):
        raise ValueError(f'"{cell}" is not a number')
    return read


def _items(cell: Any) -> Any:
    """Return the items in a cell: a list unchanged, or a text split at semicolons, line ends, or otherwise commas."""
    if not isinstance(cell, str):
        return cell
    sign = next((sign for sign in (";", "\n", ",") if sign in cell), ",")
    return tuple(item for part in cell.split(sign) if (item := part.strip()))


Decimal = Annotated[Any, BeforeValidator(_number), WithJsonSchema({"type": "number"})]
"""A whole number or a Number: it prints as it is written, and a template can calculate with it."""
Items = Annotated[tuple[Text, ...], BeforeValidator(_items, json_schema_input_type=Text | tuple[Text, ...])]


def row_model(deck: Drawn) -> type[Component]:
    """Make the model of a deck's rows: the columns common to all decks, and the deck's own."""
    return _model_of_rows(deck, Component)


def listed_model(listing: Tabled) -> type[Listed]:
    """Make the model of a list's rows: its id and name, and the list's own columns."""
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
    """Return what a cell holds, or None if it is empty."""
    value: object = getattr(row, column.replace("-", "_"))
    return None if value == "" else value


def written(row: Component | Listed, column: str) -> str:
    """Return the content of a cell as it is written in files."""
    value = value_of(row, column)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def is_filled(value: object) -> bool:
    """Return whether a cell is neither empty nor `no`; `{if column|…}` then shows its words."""
    return str(value or "").strip().casefold() not in ("", "0", "no", "false")


def credited(credits: Iterable[Credit]) -> list[tuple[str, str]]:
    """Return each role with everybody credited for it, in order of first appearance.

    >>> two = Credit(role="Design", name="Ada"), Credit(role="Art", name="Basil")
    >>> credited([*two, Credit(role="Design", name="Cleo")])
    [('Design', 'Ada and Cleo'), ('Art', 'Basil')]
    """
    names: dict[str, list[str]] = {}
    for credit in credits:
        names.setdefault(credit.role, []).append(credit.name)
    return [(role, listed(who)) for role, who in names.items()]
