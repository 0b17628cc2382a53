"""The quick reference in quick.yaml: what players look up at the table, under a few headings.

A page shows it on one screen and prints it on one sheet; a card to cut out has it on its two sides. Nothing is typed
twice: the cells of tables come from the decks' tables and from the tables that the engine uses. Texts keep their marks;
pages and cards interpret them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from grimalkin.content.folder import Folder, icon_names
from grimalkin.content.models import Column, Component, Deck, is_filled, value_of, written
from grimalkin.content.player_aids import Glance, QuickLine, QuickRows, QuickTable
from grimalkin.content.rules import Rule, Ruling
from grimalkin.content.texts.references import ASKED, chosen
from grimalkin.content.validation import Misfit
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import plural
from grimalkin.source import At

# Imports that only games with an engine need are made where they are used.
if TYPE_CHECKING:
    from grimalkin.content.game import Game
    from grimalkin.engine.cribs import CribRow

COUNT = "count"
"""The name of the column with the number of pieces."""
# Contents

MOST_SIGNS = 10
"""The most characters in a cell that counts as a number or a symbol."""
Laws = Mapping[str, Rule | Ruling]


@dataclass(frozen=True)
class LineView:
    """A line of text with marks, and the rules behind it."""

    text: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class RowView:
    """A row of a table. `piece` is the id of the piece it is about, or "" if it is about none or several."""

    name: str
    piece: str
    cells: tuple[str, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True)
class TableView:
    """A table: the heading of its names, the heading of each column with the rule that gives it, and its rows."""

    of: str
    heads: tuple[tuple[str, str], ...]
    rows: tuple[RowView, ...]

    def is_number(self, cell: int) -> bool:
        """Return whether all cells of a column are short enough to count as numbers or symbols."""
        return all(len(row.cells[cell]) <= MOST_SIGNS for row in self.rows)


@dataclass(frozen=True)
class GlanceView:
    """The contents below one heading of a quick reference."""

    id: str
    title: str
    rules: tuple[str, ...]
    table: TableView | None
    lines: tuple[LineView, ...]
    numbered: bool


def glances_of(game: Game, medium: str) -> list[GlanceView]:
    """Return a game's quick reference, for a medium that conditions in texts may name.

    Without quick.yaml, return the summaries of rules by section; nothing if no rule has one.
    """
    if game.quick:
        return [_view(one, game, medium) for one in game.quick]
    return [
        GlanceView(
            part.id, part.title, (), None, tuple(LineView(rule.summary or "", (rule.id,)) for rule in rules), False
        )
        for part in game.sections
        if (rules := [rule for rule in part.rules if rule.summary])
    ]


def letters_of(one: GlanceView) -> int:
    """Return roughly how many characters are under a heading."""
    lines = sum(len(line.text) for line in one.lines)
    rows = one.table.rows if one.table else ()
    return len(one.title) + lines + sum(len(row.name) + sum(map(len, row.cells)) for row in rows)


def _view(one: Glance, game: Game, medium: str) -> GlanceView:
    lines = tuple(_line(line, game.laws) for line in one.lines)
    table = _table(one.table, game, medium) if one.table else None
    return GlanceView(one.id, one.title, one.rules, table, lines, one.numbered)


def _line(line: QuickLine, laws: Laws) -> LineView:
    """Return a line in its own words, or in those of its first rule."""
    law = laws[line.rules[0]]
    told = line.text or (law.summary if isinstance(law, Rule) else None) or law.title
    return LineView(told, line.rules)


def _table(table: QuickTable, game: Game, medium: str) -> TableView:
    if table.engine:
        from grimalkin.engine.cribs import cribs_of

        assert game.checks is not None  # the entry was checked when it was read
        crib = cribs_of(game.checks)[table.engine](game.facts)
        rows = tuple(_crib_row(row, game) for row in crib.rows)
        return TableView(crib.of, tuple((head, "") for head in crib.heads), rows)
    decks = {deck.id: deck for deck in game.info.decks}
    first = table.rows[0]
    heads = [_head(cell, decks[first.deck]) for cell in first.columns] + ([("", "")] if table.told else [])
    if table.heads:
        heads = [(head, rule) for head, (_, rule) in zip(table.heads, heads, strict=True)]
    rows = tuple(
        _row(rows, name, pieces, table, game, medium)
        for rows in table.rows
        for name, pieces in groups_of(rows, game.components)
    )
    return TableView(table.of or decks[first.deck].name, tuple(heads), rows)


def _crib_row(row: CribRow, game: Game) -> RowView:
    """Return a row of the engine's table. A row named by a piece's id is about that piece."""
    piece = game.by_id.get(row.name)
    return RowView(piece.name if piece else row.name, piece.id if piece else "", row.cells, row.rules)


def _head(cell: Sequence[str], deck: Deck) -> tuple[str, str]:
    """Return the heading of a cell, and the rule that gives it."""
    columns = [deck.columns[name] for name in cell if name in deck.columns]
    labels = [deck.columns[name].label if name in deck.columns else "pieces" for name in cell]
    return ", ".join(labels), next((column.rule for column in columns if column.rule), "")


def groups_of(rows: QuickRows, components: Mapping[str, Sequence[Component]]) -> list[tuple[str, list[Component]]]:
    """Return the rows of a table, each with its name (a piece's id or a value) and the pieces it is about.

    Pieces that have none of the columns are left out.
    """
    pieces = [
        row
        for row in components[rows.deck]
        if all(written(row, column) == value for column, value in rows.only.items())
    ]
    if rows.sort:
        pieces.sort(key=lambda row: _order(value_of(row, rows.sort or "")))
    named = [name for cell in rows.columns for name in cell if name != COUNT]
    pieces = [row for row in pieces if not named or any(written(row, name) for name in named)]
    if rows.together:
        return [(rows.together, pieces)]
    if not rows.by:
        return [(row.id, [row]) for row in pieces]
    values = dict.fromkeys(value for row in pieces if (value := written(row, rows.by)))
    return [(value, [row for row in pieces if written(row, rows.by) == value]) for value in values]


def _order(value: object) -> tuple[bool, int, str]:
    """Return a sort key: numbers by value, then words, then empty cells."""
    return (value is None, value if isinstance(value, int) else 0, str(value or ""))


def _row(
    rows: QuickRows, name: str, pieces: Sequence[Component], table: QuickTable, game: Game, medium: str
) -> RowView:
    cells = [
        " ".join(filter(None, (_cell(column, pieces, table, game, medium) for column in cell))) for cell in rows.columns
    ]
    told = table.told.get(name)
    line = _line(told, game.laws) if told else None
    if table.told:
        cells.append(line.text if line else "")
    alone = pieces[0] if not rows.by and not rows.together else None
    shown = name
    if alone:
        shown = _shown(rows.name, alone, game, medium) if rows.name else alone.name
    elif rows.by:
        shown = f":{name}:" if rows.by in table.icons else table.called.get(rows.by, {}).get(name, name)
    return RowView(shown, alone.id if alone else "", tuple(cells), line.rules if line else ())


def _cell(column: str, pieces: Sequence[Component], table: QuickTable, game: Game, medium: str) -> str:
    """Return the contents of a column for some pieces: one shared value, a range of numbers, or all values."""
    if column == COUNT:
        return str(sum(piece.count for piece in pieces))
    values = dict.fromkeys(value for piece in pieces if (value := value_of(piece, column)) is not None)
    if len(values) > 1 and all(type(value) is int for value in values):
        return f"{min(map(str, values), key=int)}–{max(map(str, values), key=int)}"
    words = dict.fromkeys(written(piece, column) for piece in pieces if written(piece, column))
    if column in table.icons:
        return " ".join(f":{word}:" for word in words)
    if len(pieces) == 1:
        return table.called.get(column, {}).get(written(pieces[0], column)) or _shown(column, pieces[0], game, medium)
    return ", ".join(table.called.get(column, {}).get(word, word) for word in words)


def _shown(column: str, piece: Component, game: Game, medium: str) -> str:
    """Return what a cell says in a medium, on one line."""
    deck = next(deck for deck in game.info.decks if piece in game.components[deck.id])

    def holds(name: str) -> bool:
        if name in ASKED:
            return name in (medium, "full")
        return name in deck.columns and is_filled(value_of(piece, name))

    return " ".join(chosen(written(piece, column), holds).split())


# Checks


def check_quick(folder: Folder, game: Game) -> None:
    """Report everything named in quick.yaml that does not exist."""
    if game.quick and not folder.problems:
        icons = icon_names(folder.path, game.info.kin)
        folder.tell_each("quick.yaml", _misfits(game, icons))


def _misfits(game: Game, icons: Collection[str]) -> Iterator[Misfit]:
    decks = {deck.id: deck for deck in game.info.decks}
    for number, one in enumerate(game.quick):
        at: At = ("quick", number)
        yield from _of_rules(one.rules, (*at, "rules"), game.laws)
        for index, line in enumerate(one.lines):
            yield from _of_rules(line.rules, (*at, "lines", index, "rules"), game.laws)
        if one.table and one.table.engine:
            yield from _of_crib(one.table.engine, (*at, "table", "engine"), game)
        elif one.table:
            yield from _of_table(one.table, (*at, "table"), decks, game, icons)


def _of_rules(rules: Sequence[str], at: At, laws: Collection[str]) -> Iterator[Misfit]:
    for index, name in enumerate(rules):
        if name not in laws:
            yield (*at, index), f'there is no rule "{name}"', did_you_mean(name, laws, "rules are in rules.yaml")


def _of_crib(name: str, at: At, game: Game) -> Iterator[Misfit]:
    """Yield what is wrong with a table from the engine, which makes it for this check."""
    if game.checks is None:
        yield at, f'this game has no engine that could make the table "{name}"', "make the table from `rows` of pieces"
        return
    from grimalkin.engine.cribs import cribs_of

    cribs = cribs_of(game.checks)
    if name not in cribs:
        hint = did_you_mean(name, cribs) if cribs else "it makes no tables"
        yield at, f'the engine makes no table "{name}"', hint
        return
    crib = cribs[name](game.facts)
    for row in crib.rows:
        if len(row.cells) != len(crib.heads):
            cells = plural(len(row.cells), "cell")
            yield (
                at,
                f'the row "{row.name}" of this table has {cells}',
                f"it needs one for each head, {len(crib.heads)}",
            )
        unknown = [rule for rule in row.rules if rule not in game.laws]
        if unknown:
            yield (
                at,
                f'the row "{row.name}" names the rule "{unknown[0]}", which does not exist',
                did_you_mean(unknown[0], game.laws),
            )


def _of_table(
    table: QuickTable, at: At, decks: Mapping[str, Deck], game: Game, icons: Collection[str]
) -> Iterator[Misfit]:
    found = [one for n, rows in enumerate(table.rows) for one in _of_rows(rows, (*at, "rows", n), decks)]
    yield from found
    if found:
        return
    names = {name for rows in table.rows for name, _ in groups_of(rows, game.components)}
    for number, rows in enumerate(table.rows):
        for column, wanted in rows.only.items():
            values = dict.fromkeys(written(row, column) for row in game.components[rows.deck])
            if wanted not in values:
                told = f'no piece of {rows.deck} has "{wanted}" in the column {column}'
                yield (*at, "rows", number, "only", column), told, did_you_mean(wanted, values)
                return
        if not any(pieces for _, pieces in groups_of(rows, game.components)):
            yield (*at, "rows", number), f"no piece of {rows.deck} makes a row", "check `only` and the columns"
    for name, line in table.told.items():
        if name not in names:
            yield (*at, "told", name), f'no row is called "{name}"', did_you_mean(name, names)
        yield from _of_rules(line.rules, (*at, "told", name, "rules"), game.laws)
    for name in sorted(names - table.told.keys()) if table.told else ():
        yield (*at, "told"), f'the row "{name}" has no words under `told`', f"write {name}: {{text: …, rules: […]}}"
    columns = {name: column for rows in table.rows for name, column in decks[rows.deck].columns.items()}
    for key in ("called", "icons"):
        for index, name in enumerate(getattr(table, key)):
            where = (*at, key, name if key == "called" else index)
            if name not in columns:
                yield where, f'no deck of this table has a column "{name}"', did_you_mean(name, columns)
    pieces = [piece for rows in table.rows for piece in game.components[rows.deck]]
    shown = {name for rows in table.rows for name in (*chain.from_iterable(rows.columns), rows.by, rows.name) if name}
    for name in (name for name in table.called if name in columns):
        if name not in shown:
            yield (*at, "called", name), f"this table does not show the column {name}", did_you_mean(name, shown)
            continue
        values = dict.fromkeys(_values(pieces, name, columns))
        for value in (value for value in table.called[name] if value not in values):
            told = f'no piece of this table has "{value}" in the column {name}'
            yield (*at, "called", name, value), told, did_you_mean(value, values)
    for index, name in enumerate(table.icons):
        for value in dict.fromkeys(_values(pieces, name, columns)):
            if value not in icons:
                hint = did_you_mean(value, icons, "put an icon of your own in icons/NAME.svg")
                yield (*at, "icons", index), f'"{value}" in that column is not the name of an icon', hint


def _values(pieces: Sequence[Component], name: str, columns: Mapping[str, Column]) -> Iterator[str]:
    for piece in pieces:
        if name in columns and hasattr(piece, name.replace("-", "_")) and (value := written(piece, name)):
            yield value


def _of_rows(rows: QuickRows, at: At, decks: Mapping[str, Deck]) -> Iterator[Misfit]:
    """Yield what is wrong with the deck columns that a table shows."""
    if rows.deck not in decks:
        yield (*at, "deck"), f'there is no deck "{rows.deck}"', did_you_mean(rows.deck, decks)
        return
    columns = decks[rows.deck].columns
    cells = [(("columns", n), name) for n, cell in enumerate(rows.columns) for name in cell if name != COUNT]
    keys = [((key,), name) for key in ("by", "name", "sort") if (name := getattr(rows, key))]
    for where, name in [*cells, *keys, *((("only", name), name) for name in rows.only)]:
        if name not in columns:
            known = [*columns, *([COUNT] if where[0] == "columns" else [])]
            yield (*at, *where), f'the deck {rows.deck} has no column "{name}"', did_you_mean(name, known)
