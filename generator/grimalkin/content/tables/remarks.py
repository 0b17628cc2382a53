"""Remark on a game's tables: rows that may not be cards, cells mistaken for dates, and markup of other tools."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from grimalkin.content.game import Game
from grimalkin.problems import Problem
from grimalkin.problems.plain import plural
from grimalkin.source.tables import Cell, Table

TOTALS = frozenset({"total", "totals", "grand total", "subtotal", "sum", "gesamt", "summe", "somme", "totale"})
"""Usual names of a last row that adds up the others."""
_DATE = re.compile(r"\d{4}-\d\d(-\d\d)?( \d\d:\d\d(:\d\d)?)?|\d{1,2}-[A-Z][a-z]{2}|[A-Z][a-z]{2}-\d{1,2}", re.ASCII)
"""A date as our tables spell it, and as spreadsheets write 3-4 into text files."""


def doubts(table: Table, indices: Mapping[str, int]) -> Iterator[Problem]:
    """Yield remarks on rows of a table that may be mistakes; `indices` are the used columns, by name."""
    if "name" in indices and table.rows:
        yield from _doubtful_names(table, indices["name"])
        yield from _headings(table, indices)
    for index in indices.values():
        yield from _doubtful_dates(table, index)


def _doubtful_names(table: Table, at: int) -> Iterator[Problem]:
    names = [str(row[at] or "").strip().casefold() for row in table.rows]
    for number in [number for number, name in enumerate(names) if name == table.columns[at].casefold()][:1]:
        told = f'a card is called "{table.rows[number][at]}", like its column'
        yield Problem(
            table.place(number, at), told, "if a second table begins here, give it a sheet or a file of its own"
        )
    if names[-1].rstrip(":") in TOTALS:
        told = f'the last card is called "{table.rows[-1][at]}"'
        yield Problem(table.place(len(names) - 1, at), told, "if this row adds up the others, delete it")


def _headings(table: Table, indices: Mapping[str, int]) -> Iterator[Problem]:
    """Yield a remark on rows that contain only a name, if most rows contain more."""
    others = [index for name, index in indices.items() if name not in ("id", "name")]
    bare = [number for number, row in enumerate(table.rows) if _is_empty(*(row[index] for index in others))]
    bare = [number for number in bare if not _is_empty(table.rows[number][indices["name"]])]
    if len(others) > 1 and 0 < 2 * len(bare) <= len(table.rows):
        first = table.rows[bare[0]][indices["name"]]
        told = f'{plural(len(bare), "row")} {"has" if len(bare) == 1 else "have"} only a name, such as "{first}"'
        yield Problem(table.place(bare[0], indices["name"]), told, "each is a card; if it is a heading, delete it")


def _doubtful_dates(table: Table, at: int) -> Iterator[Problem]:
    filled = [number for number, row in enumerate(table.rows) if not _is_empty(row[at])]
    dates = [number for number in filled if isinstance(row := table.rows[number][at], str) and _DATE.fullmatch(row)]
    if dates and len(dates) < len(filled):
        told = f'"{table.columns[at]}" has a date here, {table.rows[dates[0]][at]}, but none in other rows'
        hint = "if you wrote something like 3-4, format the column as text and write it again"
        yield Problem(table.place(dates[0], at), told, hint)


def _is_empty(*cells: Cell) -> bool:
    return all(cell is None or cell == "" for cell in cells)


# Markup of other tools

_FOREIGN = re.compile(r"\\[nrt]|</?[A-Za-z][^<>\n]{0,40}>|&(?:[A-Za-z]{2,8}|#\w{1,6});|\{[A-Za-z][\w /-]{0,20}\}")
_BOLD, _ITALIC, _BREAK = ("b", "strong"), ("i", "em"), ("br", "p")


def remarks_on_tables(game: Game) -> Iterator[Problem]:
    """Yield the remarks on tables, and the first piece of foreign markup in each printed text cell."""
    yield from game.remarks
    for deck in (*game.info.decks, *game.info.books):
        columns = ["name", *(name for name, column in deck.columns.items() if column.type == "text" and column.shown)]
        for row in (*game.components.get(deck.id, ()), *game.pages.get(deck.id, ())):
            for column in columns:
                text = getattr(row, column.replace("-", "_"), None)
                if isinstance(text, str) and (found := _FOREIGN.search(text)):
                    told = f'{column}: "{found[0]}" is printed as written'
                    yield Problem(game.place(row.id), told, _ours(found[0]))


def _ours(written: str) -> str:
    """Return a hint on how we write a piece of foreign markup."""
    word = written.strip("</>").partition(" ")[0].lower()
    if written.startswith("\\") or (written.startswith("<") and word in _BREAK):
        return "break the line in the cell itself (Alt and Enter in a spreadsheet)"
    if written.startswith("<"):
        ours = "**bold**" if word in _BOLD else "*italics*" if word in _ITALIC else ""
        return f"write {ours}" if ours else "text boxes understand **bold**, *italics* and :icons:"
    if written.startswith("&"):
        return "write the character itself"
    return f"write an icon as :{written.strip('{}').lower().replace(' ', '-')}:"
