"""Models of catalogues.yaml, which describes pages about pieces; and the pieces that each page shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Self

from pydantic import Field, model_validator

from grimalkin.content.models import ColumnName, Component, value_of
from grimalkin.content.models import written as written
from grimalkin.content.values import Id, Line, Model, SmallFileId, Text, Title
from grimalkin.problems.plain import plural
from grimalkin.source import At


class Lines(Model):
    """A small table made from a piece's columns, with a row for each of several similar things."""

    heads: tuple[Line, ...] = Field(min_length=1, description="The headings above the cells.")
    rows: tuple[tuple[ColumnName, ...], ...] = Field(
        min_length=1, description="The columns of each row; the first names the row, which is left out if it is empty."
    )

    @model_validator(mode="after")
    def rows_fit(self) -> Self:
        for row in self.rows:
            if len(row) != len(self.heads):
                raise ValueError(
                    f"a row has {plural(len(row), 'column')}, but there are {plural(len(self.heads), 'head')}"
                )
        return self


class Sentences(Model):
    """A column shown as text."""

    column: ColumnName = Field(description="The column.")
    head: ColumnName | None = Field(None, description="The column whose words precede it in bold.")
    quiet: bool = Field(False, description="Whether it looks like flavour text.")


class Named(Model):
    """A list in game.yaml whose rows a column names."""

    list: Id = Field(description="The list, as in game.yaml.")
    text: ColumnName = Field(description="The list's column that says what a row does.")
    rule: ColumnName | None = Field(None, description="The list's column with the rule behind a row.")


class NamedBy(Model):
    """Pieces of another deck that name a piece of this one."""

    deck: Id = Field(description="Their deck.")
    column: ColumnName = Field(description="Their column with ids of pieces.")
    title: Title


class Met(Model):
    """Pieces that represent these in scenarios."""

    deck: Id = Field(description="Their deck, as in the pool of a scenario.")
    column: ColumnName = Field(description="Their column with the id of the piece that they represent.")


class Told(Model):
    """The contents of a page for each piece of a deck."""

    deck: Id = Field(description="The deck.")
    subtitle: ColumnName | None = Field(None, description="The column shown below the name.")
    cells: tuple[ColumnName, ...] = Field((), description="Columns shown in one line, with their labels.")
    lines: Lines | None = Field(None, description="Columns shown as a small table.")
    texts: tuple[Sentences, ...] = Field((), description="Columns shown as text.")
    lists: dict[ColumnName, Named] = Field(
        {}, description="Columns that name rows of a list; the page shows what each row does: {powers: {list: powers}}."
    )
    pieces: dict[ColumnName, Title] = Field(
        {}, description="Columns with ids of pieces, shown as links, each with a title before them."
    )
    named_by: tuple[NamedBy, ...] = Field((), description="Pieces of other decks that name this one in a column.")
    called: dict[ColumnName, dict[str, Line]] = Field(
        {}, description="Other words for some values of a column: {stun: {0: always}}."
    )
    sign: dict[ColumnName, Line] = Field({}, description='A sign after the numbers of a column: {stun: "+"}.')
    behaviour: bool = Field(False, description="Whether to show what the piece does, as the engine describes it.")
    expected: bool = Field(
        False, description="Whether to show what the piece can be expected to achieve, as the engine computes it."
    )

    def columns(self) -> Iterator[tuple[At, str]]:
        """Yield the deck's columns that it names, each with the keys that lead to it."""
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
    """One level of a tree."""

    value: Line = Field(description="The value in the column `by`.")
    name: Line = Field(description="The name of the level.")
    text: Text | None = Field(None, description="What to know about it.")


class Under(Told):
    """Pieces that belong to those on the page and are shown with them."""

    title: Title
    column: ColumnName = Field(description="The column with the id of the piece that they belong to.")
    by: ColumnName | None = Field(None, description="The column with their levels; with it, they are drawn as a tree.")
    levels: tuple[Level, ...] = Field((), description="The levels of the tree, from the first.")

    @model_validator(mode="after")
    def trees_have_levels(self) -> Self:
        if bool(self.by) != bool(self.levels):
            raise ValueError("`by` and `levels` make a tree together; write both or neither")
        return self


class Catalogue(Told):
    """A page about the pieces of a deck."""

    id: SmallFileId = Field(description="Small letters, digits and hyphens; it is the page's address.")
    title: Title
    question: Line = Field(description="The question that the page answers, shown on the overview of the game.")
    answer: Line = Field(description="What readers find on the page, shown on the overview of the game.")
    text: Text = Field(description="Text above the pieces.")
    only: dict[ColumnName, Line] = Field({}, description="Only pieces with these values in their columns: {part: foe}.")
    by: tuple[ColumnName, ...] = Field((), max_length=2, description="Columns to group the pieces by.")
    table: tuple[ColumnName, ...] = Field(
        (),
        description="Columns of a table that compares pieces in a group, those that have all of these columns but at "
        "most one.",
    )
    met: Met | None = Field(
        None, description="The pieces that represent them in scenarios; the page lists these scenarios."
    )
    under: tuple[Under, ...] = Field((), description="Pieces that belong to them and are shown with each.")

    def columns(self) -> Iterator[tuple[At, str]]:
        yield from super().columns()
        yield from ((("only", name), name) for name in self.only)
        yield from (((key, n), name) for key in ("by", "table") for n, name in enumerate(getattr(self, key)))


class CataloguesFile(Model):
    """catalogues.yaml"""

    catalogues: tuple[Catalogue, ...] = Field(min_length=1, description="The pages, in the order of the navigation.")


# What they show


def ids_in(row: Component, column: str) -> tuple[str, ...]:
    """Return the ids that a cell lists, separated by commas."""
    return tuple(name for part in str(value_of(row, column) or "").split(",") if (name := part.strip()))


def rows_of(catalogue: Catalogue, components: Mapping[str, Sequence[Component]]) -> list[Component]:
    """Return the pieces that a catalogue shows."""
    return [
        row
        for row in components[catalogue.deck]
        if all(written(row, column) == value for column, value in catalogue.only.items())
    ]


def rows_under(under: Under, piece: Component, components: Mapping[str, Sequence[Component]]) -> list[Component]:
    """Return the pieces that belong to one."""
    return [row for row in components[under.deck] if written(row, under.column) == piece.id]
