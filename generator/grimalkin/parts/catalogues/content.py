"""Read and check catalogues.yaml, which describes pages about pieces; and find the pieces that each page shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Self

from pydantic import Field, model_validator

from grimalkin.content.folder import Folder
from grimalkin.content.game import Game
from grimalkin.content.models import ColumnName, Component, Deck, value_of, written
from grimalkin.content.tables.rows import Tables
from grimalkin.content.validation import Misfit
from grimalkin.content.values import Id, Line, Model, SmallFileId, Text, Title
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import plural
from grimalkin.source import At

if TYPE_CHECKING:
    from grimalkin.engine.contract import GameModule

NAME = "catalogues"


class Lines(Model):
    """A small table made from a piece's columns, with a row for each of several similar things."""

    heads: tuple[Line, ...] = Field(min_length=1, description="The headings above the cells.")
    rows: tuple[tuple[ColumnName, ...], ...] = Field(
        min_length=1,
        description="The columns of each row; the first names the row, which is left out if that column is empty.",
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
        description="Columns of a table that compares the pieces of a group that have all of these columns, or all but "
        "one.",
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


FILES = {"catalogues.yaml": CataloguesFile}


def read(folder: Folder, _tables: Tables) -> tuple[Catalogue, ...]:
    """Return the catalogues of a game."""
    return folder.listed("catalogues.yaml", CataloguesFile, "catalogues")


def catalogues_of(game: Game) -> tuple[Catalogue, ...]:
    """Return the catalogues of a game that was read."""
    found: tuple[Catalogue, ...] = game.parts.get(NAME, ())
    return found


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


# What is wrong


def check(folder: Folder, game: Game) -> None:
    """Report everything named in catalogues that does not exist, once everything else is right."""
    if not folder.problems:
        for index, catalogue in enumerate(catalogues_of(game)):
            folder.tell_each("catalogues.yaml", _misfits(catalogue, game), ("catalogues", index))


def _misfits(catalogue: Catalogue, game: Game) -> Iterator[Misfit]:
    decks = {deck.id: deck for deck in game.info.decks}
    found = list(_of_told(catalogue, (), game))
    for number, under in enumerate(catalogue.under if catalogue.deck in decks else ()):
        wrong = list(_of_told(under, ("under", number), game))
        found += wrong or list(_of_under(under, ("under", number), decks[under.deck], game.components, catalogue))
    if catalogue.met:
        met = catalogue.met
        found += _of_column(met.deck, met.column, ("met",), decks)
    yield from found
    if not found and not rows_of(catalogue, game.components):
        wanted = " and ".join(f'"{value}" in {column}' for column, value in catalogue.only.items())
        yield ("only",), f"no piece of {catalogue.deck} has {wanted}", "write each value as in the table"


def _of_told(told: Told, at: At, game: Game) -> Iterator[Misfit]:
    """Yield what is wrong with a page's entries about a deck's pieces."""
    from grimalkin.engine.cribs import find_behaviour
    from grimalkin.engine.odds import find_expected

    decks = {deck.id: deck for deck in game.info.decks}
    if told.deck not in decks:
        yield (*at, "deck"), f'there is no deck "{told.deck}"', did_you_mean(told.deck, decks)
        return
    columns = decks[told.deck].columns
    wrong = [(where, name) for where, name in told.columns() if name not in columns]
    for where, name in wrong:
        yield (*at, *where), _no_column(decks[told.deck], name), did_you_mean(name, columns)
    for column, named in told.lists.items() if not wrong else ():
        yield from _of_list(told, column, named, (*at, "lists", column), game)
    for column in told.pieces if not wrong else ():
        for name in _ids_in_column(told, column, game):
            if name not in game.by_id:
                hint = did_you_mean(name, game.by_id)
                yield (*at, "pieces", column), f'"{name}" in that column is not the id of a piece', hint
    for number, one in enumerate(told.named_by):
        yield from _of_column(one.deck, one.column, (*at, "named-by", number), decks)
    asked: tuple[tuple[str, bool, Callable[[GameModule], object], str], ...] = (
        ("behaviour", told.behaviour, find_behaviour, "describes no behaviour"),
        ("expected", told.expected, find_expected, "computes no expected numbers"),
    )
    for key, wanted, find, lacks in asked:
        if wanted and (game.module is None or find(game.module) is None):
            yield (*at, key), f"the engine of this game {lacks}", "leave it out"


def _of_list(told: Told, column: str, named: Named, at: At, game: Game) -> Iterator[Misfit]:
    """Yield what is wrong with the list that a column names, and with what its cells name in the list."""
    listings = {listing.id: listing for listing in game.info.lists}
    if named.list not in listings:
        yield (*at, "list"), f'there is no list "{named.list}"', did_you_mean(named.list, listings)
        return
    own = listings[named.list].columns
    for key, name in (("text", named.text), ("rule", named.rule)):
        if name is not None and name not in own:
            yield (*at, key), f'the list {named.list} has no column "{name}"', did_you_mean(name, own)
    known = {row.id for row in game.lists[named.list]}
    for name in _ids_in_column(told, column, game):
        if name not in known:
            yield at, f'"{name}" in that column is not a row of {named.list}', did_you_mean(name, known)


def _ids_in_column(told: Told, column: str, game: Game) -> Iterable[str]:
    return dict.fromkeys(name for row in game.components[told.deck] for name in ids_in(row, column))


def _of_under(
    under: Under, at: At, deck: Deck, components: Mapping[str, Sequence[Component]], catalogue: Catalogue
) -> Iterator[Misfit]:
    """Yield what is wrong with how pieces belong to others."""
    for key, name in (("column", under.column), ("by", under.by)):
        if name is not None and name not in deck.columns:
            yield (*at, key), _no_column(deck, name), did_you_mean(name, deck.columns)
            return
    ids = {row.id for row in components.get(catalogue.deck, ())}
    rows = components[under.deck]
    if not any(written(row, under.column) in ids for row in rows):
        told = f"no piece of {under.deck} names one of {catalogue.deck} in {under.column}"
        yield (*at, "column"), told, "the column must hold the id of the piece that each belongs to"
    values = dict.fromkeys(written(row, under.by) for row in rows) if under.by else {}
    levels = [level.value for level in under.levels]
    for number, value in enumerate(levels):
        if value not in values:
            hint = did_you_mean(value, values)
            yield (*at, "levels", number, "value"), f'no piece has "{value}" in {under.by}', hint
    for value in values:
        if value not in levels and set(levels) <= set(values):
            yield (*at, "levels"), f'the level "{value}" is missing', f"the levels are {', '.join(values)}"


def _of_column(deck: str, column: str, at: At, decks: Mapping[str, Deck]) -> Iterator[Misfit]:
    if deck not in decks:
        yield (*at, "deck"), f'there is no deck "{deck}"', did_you_mean(deck, decks)
    elif column not in decks[deck].columns:
        yield (*at, "column"), _no_column(decks[deck], column), did_you_mean(column, decks[deck].columns)


def _no_column(deck: Deck, name: str) -> str:
    return f'the deck {deck.id} has no column "{name}"'
