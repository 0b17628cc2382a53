"""Models of quick.yaml: what players look up at the table, under a few headings.

A page shows it on one screen and prints it on one sheet; a card to cut out has it on its two sides.
"""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from grimalkin.content.values import Id, Line, Model, SmallFileId, Title
from grimalkin.problems.plain import plural

COUNT = "count"
"""The name of the column with the number of pieces."""
MOST = 40
"""The most headings, lines under a heading, and groups of rows: with more, it would not be a quick reference."""


class QuickLine(Model):
    """One line, and the rules behind it."""

    text: Line | None = Field(None, description="The words of the line; without them, the summary of the first rule.")
    rules: tuple[Id, ...] = Field(min_length=1, description="The rules or rulings behind it; the line links to them.")


def _of_a_rule(value: Any) -> Any:
    return {"rules": [value]} if isinstance(value, str) else value


QuickLines = tuple[
    Annotated[QuickLine, BeforeValidator(_of_a_rule, json_schema_input_type=Id | QuickLine)],
    ...,
]
"""Lines; the id of a rule on its own stands for its summary."""


def _one_or_many(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Cell = Annotated[
    tuple[Id, ...], BeforeValidator(_one_or_many, json_schema_input_type=Id | tuple[Id, ...]), Field(min_length=1)
]
"""Columns shown in one cell, one after the other; usually one."""


class QuickRows(Model):
    """Rows of a table, made from the pieces of a deck."""

    deck: Id = Field(description="The deck.")
    columns: tuple[Cell, ...] = Field(
        (), description="The cells: columns of the deck, or `count` for the number of pieces."
    )
    only: dict[Id, Line] = Field({}, description="Only pieces with these values in their columns: {kind: weapon}.")
    by: Id | None = Field(
        None, description="A column to group by: one row for each of its values. Without it, each piece has a row."
    )
    together: Line | None = Field(None, description="The name of a single row for all these pieces together.")
    name: Id | None = Field(None, description="The column that names each row, instead of the piece's name.")
    sort: Id | None = Field(None, description="The column to sort by; without it, the order is the table's.")

    @model_validator(mode="after")
    def one_way_of_naming(self) -> Self:
        if sum(one is not None for one in (self.by, self.together, self.name)) > 1:
            raise ValueError("write only one of `by`, `together` and `name`")
        return self


class QuickTable(Model):
    """A small table, made from pieces or from the engine's numbers."""

    rows: tuple[QuickRows, ...] = Field((), max_length=MOST, description="Groups of rows, made from pieces.")
    engine: Id | None = Field(None, description="Instead of `rows`: the name of a table that the game's engine makes.")
    of: Line | None = Field(None, description="The heading above the names; without it, the name of the deck.")
    heads: tuple[Line, ...] = Field(
        (), description="The headings above the cells; without them, the labels of the columns."
    )
    called: dict[Id, dict[str, Line]] = Field(
        {}, description="Other words for some values of a column: {power: {value: High Value}}."
    )
    icons: tuple[Id, ...] = Field((), description="Columns whose values are shown as icons with these names.")
    told: dict[str, Annotated[QuickLine, BeforeValidator(_of_a_rule, json_schema_input_type=Id | QuickLine)]] = Field(
        {}, description="Words in a last column for each row, by the id of the piece or the value of `by`."
    )

    @model_validator(mode="after")
    def cells_fit(self) -> Self:
        if bool(self.rows) == bool(self.engine):
            raise ValueError("write either `rows` of pieces or the name of an `engine` table")
        if self.engine and (self.of or self.heads or self.called or self.icons or self.told):
            raise ValueError("a table of the engine has its own heads and words; leave out the other keys")
        wide = len(self.rows[0].columns) if self.rows else 0
        if any(len(rows.columns) != wide for rows in self.rows):
            raise ValueError("all `rows` of a table must have equally many columns")
        if self.rows and self.heads and len(self.heads) != wide + bool(self.told):
            has = plural(wide + bool(self.told), "column")
            raise ValueError(f"the table has {has} next to the names, but {plural(len(self.heads), 'head')}")
        if self.rows and not wide and not self.told:
            raise ValueError("a table with only the names of its rows needs `columns` or `told`")
        return self


class Glance(Model):
    """One heading of a quick reference, with its lines and table."""

    id: SmallFileId = Field(description="Small letters, digits and hyphens; it is the heading's address on the page.")
    title: Title
    rules: tuple[Id, ...] = Field((), description="Rules to link next to the heading.")
    table: QuickTable | None = Field(None, description="A table above the lines.")
    lines: QuickLines = Field(
        (),
        max_length=MOST,
        description="Lines, each with its rules; the id of a rule by itself stands for its summary.",
    )
    numbered: bool = Field(False, description="Whether the lines are numbered steps.")

    @model_validator(mode="after")
    def something_is_told(self) -> Self:
        if not self.lines and not self.table:
            raise ValueError("there is nothing under this heading; it needs `lines` or a `table`")
        return self


class QuickFile(Model):
    """quick.yaml"""

    quick: tuple[Glance, ...] = Field(
        min_length=1, max_length=MOST, description="The headings, in the order of the page."
    )
