"""The models of quick.yaml: what a player looks up at the table, under a few headings.

A page shows it on one screen and prints it on one sheet; a card to cut out has it on its two sides.
"""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from grimalkin.content.values import Id, Line, Model, SmallFileId, Title
from grimalkin.problems.plain import plural

COUNT = "count"
"""What stands for the number of pieces among the columns of a deck."""
MOST = 40
"""Headings, lines under one of them, and groups of rows: more is no quick reference."""


class QuickLine(Model):
    """One line, and the rules that say so."""

    text: Line | None = Field(None, description="What is to be told; without it, the summary of the first rule.")
    rules: tuple[Id, ...] = Field(min_length=1, description="The rules or rulings that say so; they are linked.")


def _of_a_rule(value: Any) -> Any:
    return {"rules": [value]} if isinstance(value, str) else value


QuickLines = tuple[
    Annotated[QuickLine, BeforeValidator(_of_a_rule, json_schema_input_type=Id | QuickLine)],
    ...,
]
"""Lines; the id of a rule alone stands for its summary."""


def _one_or_many(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Cell = Annotated[
    tuple[Id, ...], BeforeValidator(_one_or_many, json_schema_input_type=Id | tuple[Id, ...]), Field(min_length=1)
]
"""Columns that stand in one cell, one after the other; usually one."""


class QuickRows(Model):
    """Rows of a table that pieces of a deck give."""

    deck: Id = Field(description="The deck.")
    columns: tuple[Cell, ...] = Field(
        (), description="What stands in the cells: columns of the deck, or `count` for how many pieces there are."
    )
    only: dict[Id, Line] = Field({}, description="What columns hold in the pieces that are meant: {kind: weapon}.")
    by: Id | None = Field(
        None, description="A column for each of whose values there is a row; without it, each piece has one."
    )
    together: Line | None = Field(None, description="All these pieces in one row, and what they are called there.")
    name: Id | None = Field(None, description="The column that names a row, instead of the name of the piece.")
    sort: Id | None = Field(None, description="The column that gives the order; without it, the order of the table.")

    @model_validator(mode="after")
    def one_way_of_naming(self) -> Self:
        if sum(one is not None for one in (self.by, self.together, self.name)) > 1:
            raise ValueError("a row is named by one of `by`, `together` and `name`")
        return self


class QuickTable(Model):
    """A small table, of pieces or of numbers that the engine plays by."""

    rows: tuple[QuickRows, ...] = Field((), max_length=MOST, description="The pieces whose numbers it has.")
    engine: Id | None = Field(None, description="Or: a table that the game's engine makes, by its name.")
    of: Line | None = Field(None, description="What stands above the names; without it, the name of the deck.")
    heads: tuple[Line, ...] = Field((), description="What stands above the cells; without it, the labels of columns.")
    called: dict[Id, dict[str, Line]] = Field(
        {}, description="Other words for some values of a column: {power: {value: High Value}}."
    )
    icons: tuple[Id, ...] = Field((), description="Columns whose values are shown as the icons of these names.")
    told: dict[str, Annotated[QuickLine, BeforeValidator(_of_a_rule, json_schema_input_type=Id | QuickLine)]] = Field(
        {}, description="What is told of each row, in a last column: by the id of the piece, or the value of `by`."
    )

    @model_validator(mode="after")
    def cells_fit(self) -> Self:
        if bool(self.rows) == bool(self.engine):
            raise ValueError("a table is either made of `rows` of pieces, or by the `engine`")
        if self.engine and (self.of or self.heads or self.called or self.icons or self.told):
            raise ValueError("a table of the engine brings its heads and its words along")
        wide = len(self.rows[0].columns) if self.rows else 0
        if any(len(rows.columns) != wide for rows in self.rows):
            raise ValueError("all `rows` of a table have equally many columns")
        if self.rows and self.heads and len(self.heads) != wide + bool(self.told):
            has = plural(wide + bool(self.told), "column")
            raise ValueError(f"the table has {has} beside the names, and {plural(len(self.heads), 'head')}")
        if self.rows and not wide and not self.told:
            raise ValueError("a table needs `columns` beside the names of its rows, or `told`")
        return self


class Glance(Model):
    """What is found at a glance under one heading."""

    id: SmallFileId = Field(description="Small letters, digits and hyphens; its address on the page.")
    title: Title
    rules: tuple[Id, ...] = Field((), description="Rules that stand beside the heading.")
    table: QuickTable | None = Field(None, description="A table; the lines stand below it.")
    lines: QuickLines = Field(
        (), max_length=MOST, description="Lines, each with its rules; the id of a rule alone is its summary."
    )
    numbered: bool = Field(False, description="Whether the lines are steps, one after the other.")

    @model_validator(mode="after")
    def something_is_told(self) -> Self:
        if not self.lines and not self.table:
            raise ValueError("there is nothing under this heading: it needs `lines` or a `table`")
        return self


class QuickFile(Model):
    """quick.yaml"""

    quick: tuple[Glance, ...] = Field(
        min_length=1, max_length=MOST, description="What players look up, in the order of the page."
    )
