"""Read the rows of a deck's, book's or list's table, and check each of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from grimalkin.content.folder import Claim, Folder
from grimalkin.content.models import (
    EVERY_COLUMN,
    Book,
    Component,
    Deck,
    Drawn,
    GameFile,
    Listed,
    Listing,
    Tabled,
    listed_model,
    row_model,
)
from grimalkin.content.tables.columns import Understood, asked_by_templates, asked_by_texts, known_headers, understand
from grimalkin.content.texts.references import ASKED
from grimalkin.content.validation import checked
from grimalkin.problems import Place, Problem, did_you_mean
from grimalkin.problems.plain import ID, LONGEST_ID, fault_of_name, folded, id_from, plural
from grimalkin.source import At, Source
from grimalkin.source.tables import Cell, Fault, Number, Table, as_numbers

POKER = "poker"
"""The default stock of a deck."""
D = TypeVar("D", Deck, Book)


@dataclass(frozen=True, slots=True)
class Tables:
    """The contents of all tables of a game."""

    info: GameFile
    """game.yaml, with the columns, stock and count of decks and books filled in from their tables."""
    components: Mapping[str, tuple[Component, ...]]
    """The rows of each deck, by its id."""
    pages: Mapping[str, tuple[Component, ...]]
    """The rows of each book, by its id."""
    lists: Mapping[str, tuple[Listed, ...]]
    """The rows of each list, by its id."""
    unused: Mapping[str, tuple[str, ...]]
    """Headers that nothing uses, by the ids of decks, books and lists."""


def read_tables(folder: Folder, info: GameFile) -> Tables:
    """Read the tables of all decks, books and lists."""
    decks = [_deck(folder, info, deck, index) for index, deck in enumerate(info.decks)]
    books = [_book(folder, info, book, index) for index, book in enumerate(info.books)]
    return Tables(
        info.model_copy(update={"decks": tuple(d for d, _ in decks), "books": tuple(b for b, _ in books)}),
        {deck.id: rows for deck, rows in decks},
        {book.id: rows for book, rows in books},
        {one.id: _listed_rows(folder, one, index) for index, one in enumerate(info.lists)},
        folder.unused,
    )


def _deck(folder: Folder, info: GameFile, deck: Deck, index: int) -> tuple[Deck, tuple[Component, ...]]:
    """Read a deck and its rows; their counts must add up to the count in game.yaml, if it gives one."""
    deck, rows, source = _drawn_rows(folder, info, deck, ("decks", index))
    total = sum(row.count for row in rows)
    if isinstance(source, TableSource) and not rows:
        if source.table.rows:
            folder.tell(source, (), "every row of the table has a count of 0", "give those that you want another count")
        else:
            folder.tell(source, (), "the table has no cards", "write a row for each design, below the header")
    elif source is not None and deck.count and total != deck.count:
        told = f"the table has {plural(total, 'piece')}, but `count` in game.yaml is {deck.count}"
        hint = "change the counts in the table, or the count in game.yaml"
        folder.tell(source, (), told, hint, folder.sources["game.yaml"].place(("decks", index, "count")))
    return deck.model_copy(update={"count": deck.count or total}), rows


def _book(folder: Folder, info: GameFile, book: Book, index: int) -> tuple[Book, tuple[Component, ...]]:
    """Read a book and its pages, one for each row."""
    book, rows, source = _drawn_rows(folder, info, book, ("books", index))
    if source is not None and not rows:
        folder.tell(source, (), f"the book {book.id} has no pages", "each row of the table is a page")
    for number, row in enumerate(rows):
        if source is not None and row.count != 1:
            folder.tell(
                source, (number, "count"), f"the page {row.id} has a count of {row.count}", "a page can occur only once"
            )
    return book, rows


def _listed_rows(folder: Folder, listing: Listing, index: int) -> tuple[Listed, ...]:
    """Read the rows of a list; their ids need to be unique only within it."""
    read = _Reading.begin(folder, listing, ("lists", index), None)
    if read is None:
        return ()
    rows: list[Listed] = []
    own: dict[str, Claim] = {}
    model = listed_model(listing)
    for number, data in read.rows():
        row = checked(model, data, read.source, folder.problems, (number,))
        if row is not None:
            folder.claim_in(own, row.id, read.source, (number,))
            folder.places[f"lists/{listing.id}/{row.id}"] = read.source, (number,)
            rows.append(row)
    return tuple(rows)


def _drawn_rows(folder: Folder, info: GameFile, drawn: D, at: At) -> tuple[D, tuple[Component, ...], Source | None]:
    """Return a deck or a book completed from its table, its rows, and the table itself if nothing is wrong in it."""
    before = len(folder.problems.found)
    read = _Reading.begin(folder, drawn, at, info.kin)
    if read is None:
        return drawn, (), None
    columns = {**drawn.columns, **read.understood.guessed}
    stock = drawn.stock or (None if "stock" in read.understood.indices else POKER)
    drawn = drawn.model_copy(update={"columns": columns, "stock": stock})
    if stock is not None:
        folder.must_be_there("stock", stock, folder.stocks, folder.sources["game.yaml"], (*at, "stock"))
    model = row_model(drawn)
    rows: list[Component] = []
    for number, data in read.rows():
        if folder.problems.enough:
            break
        row = checked(model, data, read.source, folder.problems, (number,))
        if row is None:
            continue
        folder.claim(row.id, read.source, (number,))
        if row.stock is None and stock is None:
            folder.tell(read.source, (number,), f'"{row.id}" names no stock', "give the row or its deck one")
        if row.stock is not None:
            _check_stock(folder, row.stock, read, number)
        rows.append(row)
    return drawn, tuple(rows), read.source if len(folder.problems.found) == before else None


def _check_stock(folder: Folder, stock: str, read: _Reading, number: int) -> None:
    """Check the stock that a row of the table names; a column of that name may be meant for something else."""
    if stock.isdigit():
        told = f'"{stock}" is not a stock, which is the size that a card is cut to, such as poker'
        hint = f'if the column "{read.table.columns[read.understood.indices["stock"]]}" says something else, rename it'
        folder.tell(read.source, (number, "stock"), told, hint)
    else:
        folder.must_be_there("stock", stock, folder.stocks, read.source, (number, "stock"))


@dataclass(frozen=True, slots=True)
class _Reading:
    """A table while it is being read."""

    folder: Folder
    drawn: Tabled
    table: Table
    understood: Understood
    source: Source

    @classmethod
    def begin(cls, folder: Folder, drawn: Tabled, at: At, kin: str | None) -> _Reading | None:
        """Read the table and find its columns; return None, with problems, if it is unusable.

        `kin` is the game whose templates draw it; None if nothing draws it.
        """
        table = folder.table(drawn.file, drawn.sheet or "", known_headers(drawn), (*at, "file"))
        if table is None:
            return None
        before = len(folder.problems.found)
        keys = {id_from(header) for header in table.columns} - {"", *EVERY_COLUMN, *drawn.columns}
        asked: Collection[str] | None = None
        if kin is not None:
            faces = (drawn.faces.front, drawn.faces.back) if isinstance(drawn, Drawn) else ()
            asked = asked_by_templates(folder.path, kin, faces, keys) | asked_by_texts(table) if keys else ()
        understood = understand(drawn, table, asked, folder.problems)
        folder.remarks += understood.remarks
        folder.unused[drawn.id] = understood.unused
        missing = [name for name, one in drawn.columns.items() if not one.optional and name not in understood.indices]
        for name in missing:
            hint = did_you_mean(name, [one for one in table.columns if one])
            folder.problems.add(table.place(), f'the column "{name}" is missing', hint)
        source = TableSource(table.path, (), table=table, indices=understood.indices)
        if len(folder.problems.found) > before:
            index = understood.indices.get("id")
            folder.written_ids.update(str(row[index]) for row in table.rows if index is not None)
            folder.unread |= set() if table.rows else {"id"}
            return None
        return cls(folder, drawn, table, understood, source)

    def rows(self) -> Iterator[tuple[int, dict[str, object]]]:
        """Yield the number of each row, and its filled cells by the names of their columns."""
        columns = {name: self._cells(name) for name in self.understood.indices}
        written, names = self._texts("id"), self._texts("name")
        ids = ids_of_rows(written, names, self.folder.claimed, self.drawn.id)
        made: list[str] = []
        marks = (*ASKED, *self.drawn.columns, *self.understood.guessed)
        for number, id_ in enumerate(ids):
            self.folder.written_ids.add(id_)
            data = {name: cells[number] for name, cells in columns.items() if cells[number] not in (None, "", ())}
            data |= {"id": id_} if "name" in columns else {"id": id_, "name": written[number] or id_}
            if data.get("count") != "0":
                made += [] if written[number] or not names[number] else [names[number]]
                self.folder.note_texts(self.source, (number,), data, marks)
                yield number, data
        self._remark_on_names("name" in columns, made)

    def _texts(self, name: str) -> list[str]:
        """Return the cells of a column as text; none if there is no such column."""
        index = self.understood.indices.get(name)
        return ["" if index is None else as_text(row[index]) for row in self.table.rows]

    def _cells(self, name: str) -> list[object]:
        """Return the cells of a column, converted to its type."""
        cells: list[Cell] = [row[self.understood.indices[name]] for row in self.table.rows]
        declared = self.drawn.columns.get(name) or self.understood.guessed.get(name)
        kind = declared.type if declared else "text"
        if name == "count":
            return [as_count(cell, self.table.decimal) for cell in cells]
        if kind in ("whole", "number"):
            cells = as_numbers(cells, self.table.decimal) or cells
        return [cell if kind in KEPT_AS.get(type(cell), ()) else as_text(cell) for cell in cells]

    def _remark_on_names(self, has_names: bool, names: Sequence[str]) -> None:
        """Remark that the table has no name column, or that rows without ids share a name."""
        if not has_names:
            hint = "call a column Name, or say which it is: `columns: {name: Question}` in game.yaml"
            self._remark("no column holds the names of the cards", hint)
        for name, count in Counter(names).items():
            if count > 1:
                self._remark(f'{count} rows are called "{name}"; each makes a separate card', "")

    def _remark(self, message: str, hint: str) -> None:
        self.folder.remarks.append(Problem(self.table.place(), message, hint))


KEPT_AS: Mapping[type, tuple[str, ...]] = {Number: ("number",), int: ("number",), tuple: ("list",)}
"""The types of columns that take a cell as it is, by the type of the cell; all others take its text."""


_COPIES = re.compile(r"[x×]\s?(\d{1,9})|(\d{1,9})\s?[x×]", re.IGNORECASE | re.ASCII)


def as_count(cell: Cell, decimal: str) -> str:
    """Return a count in digits, from the spellings that people and spreadsheets use.

    >>> as_count("x2", "."), as_count("3 ×", "."), as_count("2.00", "."), as_count("1.5", "."), as_count("two", ".")
    ('2', '3', '2', '1.5', 'two')
    """
    found = _COPIES.fullmatch(as_text(cell))
    (read,) = as_numbers([found[1] or found[2] if found else cell], decimal) or [cell]
    if isinstance(read, Number) and read.is_integer() and not read.spelling.startswith("+"):
        return str(int(read))
    return as_text(read)


def as_text(cell: Cell) -> str:
    """Return a cell as it is printed.

    >>> as_text(True), as_text(4), as_text(("swift", "small")), as_text(None)
    ('yes', '4', 'swift, small', '')
    """
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, tuple):
        return ", ".join(cell)
    return "" if cell is None or isinstance(cell, Fault) else str(cell).strip()


@dataclass(frozen=True, slots=True)
class TableSource(Source):
    """A Source for a table: rows by number, columns by name; a place in it is a line, or a cell of a workbook."""

    table: Table = field(kw_only=True)
    indices: Mapping[str, int] = field(kw_only=True)

    def place(self, at: At = ()) -> Place:
        row = at[0] if at and isinstance(at[0], int) else None
        return self.table.place(row, self.indices.get(str(at[1])) if len(at) > 1 else None)


# Ids for rows: written ids, and for all other rows ids made from their names


def ids_of_rows(written: Sequence[str], names: Sequence[str], elsewhere: Collection[str], prefix: str) -> list[str]:
    """Return the id of each row, given its written id and its name; "" stands for an empty cell.

    A written id is kept, or turned into a valid id. Otherwise the id comes from the name, with a number if others
    already have it, or from the number of the row if there is no usable name. The id of a name that occurs once does
    not depend on other rows. `elsewhere` are the folded ids of other tables: an id made here that is already
    among them is prefixed with `prefix`.

    >>> ids_of_rows(["", "", "gull no. 2", "", ""], ["Guard", "Guard", "Gull", "Guard 2", "???"], (), "deck")
    ['guard', 'guard-3', 'gull-no-2', 'guard-2', 'card-5']
    """
    wishes = [_wish(*row) for row in zip(written, names, range(1, len(names) + 1), strict=True)]
    wishes = [
        f"{prefix}-{wish}"[:LONGEST_ID].strip("-") if not own and folded(wish) in elsewhere else wish
        for own, wish in zip(written, wishes, strict=True)
    ]
    wanted = Counter(map(folded, wishes))
    taken = {folded(wish) for own, wish in zip(written, wishes, strict=True) if own}
    made = list(wishes)
    tried: dict[str, int] = {}
    for at in sorted(range(len(wishes)), key=lambda at: not _is_plain(names[at])):
        if not written[at] and folded(made[at]) in taken:
            made[at] = _numbered(wishes[at], taken, wanted, tried)
        taken.add(folded(made[at]))
    return made


def _numbered(wish: str, taken: Collection[str], wanted: Collection[str], tried: dict[str, int]) -> str:
    """Return the desired id with the first free number; `tried` holds the numbers already used, by desired id."""
    base = wish[: LONGEST_ID - 6].rstrip("-")
    number = tried.get(base, 1) + 1
    while (made := folded(f"{base}-{number}")) in taken or made in wanted:
        number += 1
    tried[base] = number
    return f"{base}-{number}"


def _wish(written: str, name: str, number: int) -> str:
    wish = written if ID.fullmatch(written) and len(written) <= LONGEST_ID else id_from(written) or id_from(name)
    return wish if wish and not fault_of_name(wish) else f"card-{wish or number}"


def _is_plain(name: str) -> bool:
    """Return whether an id keeps all of a name, so that no other name has a better claim to it."""
    return id_from(name) == "-".join(name.casefold().split())
