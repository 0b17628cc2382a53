"""The models of catalogues.yaml, pages on which people read about pieces; and which pieces a page shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Self

from pydantic import Field, model_validator

from grimalkin.content.models import ColumnName, Component, value_of
from grimalkin.content.values import Id, Line, Model, SmallFileId, Text, Title
from grimalkin.problems.plain import plural
from grimalkin.source import At


class Lines(Model):
    """Columns of a piece as a small table, a row for each thing of which it has several."""

    heads: tuple[Line, ...] = Field(min_length=1, description="What stands above the cells.")
    rows: tuple[tuple[ColumnName, ...], ...] = Field(
        min_length=1, description="The columns of each row, the first of which names it; without that, there is no row."
    )

    @model_validator(mode="after")
    def rows_fit(self) -> Self:
        for row in self.rows:
            if len(row) != len(self.heads):
                raise ValueError(
                    f"a row has {plural(len(row), 'column')}, and there are {plural(len(self.heads), 'head')}"
                )
        return self


class Sentences(Model):
    """A column that is read as text."""

    column: ColumnName = Field(description="The column.")
    head: ColumnName | None = Field(None, description="The column that names it, in bold before it.")
    quiet: bool = Field(False, description="Whether it is set as flavour is.")


class Named(Model):
    """A list of which a column names some rows."""

    list: Id = Field(description="The list of game.yaml.")
    text: ColumnName = Field(description="The column of the list that says what it does.")
    rule: ColumnName | None = Field(None, description="The column of the list with the rule that says so.")


class NamedBy(Model):
    """Pieces of another deck that name this one."""

    deck: Id = Field(description="Their deck.")
    column: ColumnName = Field(description="Their column with ids of pieces.")
    title: Title


class Met(Model):
    """The pieces that stand for these in scenarios."""

    deck: Id = Field(description="Their deck, as in the pool of a scenario.")
    column: ColumnName = Field(description="Their column with the id of the piece that they stand for.")


class Told(Model):
    """What is told of each piece of a deck."""

    deck: Id = Field(description="The deck.")
    subtitle: ColumnName | None = Field(None, description="The column that stands below the name by itself.")
    cells: tuple[ColumnName, ...] = Field((), description="Columns that stand in a line, with their labels.")
    lines: Lines | None = Field(None, description="Columns that stand in a small table.")
    texts: tuple[Sentences, ...] = Field((), description="Columns that are read as text.")
    lists: dict[ColumnName, Named] = Field(
        {}, description="Columns that name rows of a list, which are told with what they do: {powers: {list: powers}}."
    )
    pieces: dict[ColumnName, Title] = Field(
        {}, description="Columns with ids of pieces, which are linked, each with what stands before them."
    )
    named_by: tuple[NamedBy, ...] = Field((), description="Pieces of other decks that name this one in a column.")
    called: dict[ColumnName, dict[str, Line]] = Field(
        {}, description="Other words for some values of a column: {stun: {0: always}}."
    )
    sign: dict[ColumnName, Line] = Field({}, description='What stands behind the numbers of a column: {stun: "+"}.')
    behaviour: bool = Field(False, description="Whether the engine tells what it does.")
    expected: bool = Field(False, description="Whether the engine counts out what it is good for.")

    def columns(self) -> Iterator[tuple[At, str]]:
        """The columns of the deck that it names, and where."""
        if self.subtitle:
            yield ("subtitle",), self.subtitle
        yield from ((("cells", n), name) for n, name in enumerate(self.cells))
        for number, row in enumerate(self.lines.rows if self.lines else ()):
            yield from ((("lines", "rows", number, n), name) for n, name in enumerate(row))
        for number, one in enumerate(self.texts):
            yield ("texts", number, "column"), one.column
            if one.head:
                yield ("texts", number, "head"), one.head
        for key in ("lists", "pieces", "called", "sign"):
            yield from (((key, name), name) for name in getattr(self, key))


class Level(Model):
    """A level of a tree."""

    value: Line = Field(description="What the column `by` holds.")
    name: Line = Field(description="What the level is called.")
    text: Text | None = Field(None, description="What is to be known about it.")


class Under(Told):
    """Pieces that belong to those of the page, and stand with them."""

    title: Title
    column: ColumnName = Field(description="The column with the id of the piece to which they belong.")
    by: ColumnName | None = Field(None, description="The column of their levels; they are then drawn as a tree.")
    levels: tuple[Level, ...] = Field((), description="The levels of the tree, from the first.")

    @model_validator(mode="after")
    def trees_have_levels(self) -> Self:
        if bool(self.by) != bool(self.levels):
            raise ValueError("a tree has both `by` and `levels`, and what is none has neither")
        return self


class Catalogue(Told):
    """A page on which people read about the pieces of a deck."""

    id: SmallFileId = Field(description="Small letters, digits and hyphens; the address of its page.")
    title: Title
    question: Line = Field(description="The question that it answers, on the overview of the game.")
    answer: Line = Field(description="What the overview promises of it.")
    text: Text = Field(description="What stands above the pieces.")
    only: dict[ColumnName, Line] = Field({}, description="What columns hold in the pieces shown: {part: foe}.")
    by: tuple[ColumnName, ...] = Field((), max_length=2, description="Columns by which the pieces are grouped.")
    table: tuple[ColumnName, ...] = Field(
        (), description="Columns of a table that compares the pieces of a group, if they have all but one of them."
    )
    met: Met | None = Field(None, description="What stands for them in scenarios: the page tells in which.")
    under: tuple[Under, ...] = Field((), description="Pieces that belong to each of them.")

    def columns(self) -> Iterator[tuple[At, str]]:
        yield from super().columns()
        yield from ((("only", name), name) for name in self.only)
        yield from (((key, n), name) for key in ("by", "table") for n, name in enumerate(getattr(self, key)))


class CataloguesFile(Model):
    """catalogues.yaml"""

    catalogues: tuple[Catalogue, ...] = Field(min_length=1, description="The pages, in the order of the navigation.")


# What they show


def ids_in(row: Component, column: str) -> tuple[str, ...]:
    """The ids that a cell lists, with commas between them."""
    return tuple(name for part in str(value_of(row, column) or "").split(",") if (name := part.strip()))


def rows_of(catalogue: Catalogue, components: Mapping[str, Sequence[Component]]) -> list[Component]:
    """The pieces that a catalogue shows."""
    return [
        row
        for row in components[catalogue.deck]
        if all(written(row, column) == value for column, value in catalogue.only.items())
    ]


def rows_under(under: Under, piece: Component, components: Mapping[str, Sequence[Component]]) -> list[Component]:
    """The pieces that belong to one."""
    return [row for row in components[under.deck] if written(row, under.column) == piece.id]


def written(row: Component, column: str) -> str:
    """What a cell holds, as it is written in files."""
    value = value_of(row, column)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
