"""The table of a deck, a book or a list in, its rows out, each of them checked."""

from __future__ import annotations

from grimalkin.content.checked import checked
from grimalkin.content.folder import Claim, Folder
from grimalkin.content.models import Book, Component, Deck, Drawn, Listed, Listing, listed_model, row_model
from grimalkin.content.references import ASKED
from grimalkin.problems import did_you_mean
from grimalkin.source import At, Source


def deck_rows(folder: Folder, deck: Deck, index: int, game_source: Source) -> tuple[Component, ...]:
    """The rows of a deck's table; its counts must add up to the promise of game.yaml."""
    rows, source = _drawn_rows(folder, deck, ("decks", index), game_source)
    total = sum(row.count for row in rows)
    if source is not None and total != deck.count:
        told = f"{total} piece{' is' if total == 1 else 's are'} in the table, game.yaml promises {deck.count}"
        hint = "change the counts in the table, or the count in game.yaml"
        folder.tell(source, (), told, hint, game_source.place(("decks", index, "count")))
    return rows


def book_rows(folder: Folder, book: Book, index: int, game_source: Source) -> tuple[Component, ...]:
    """The pages of a book, one each."""
    rows, source = _drawn_rows(folder, book, ("books", index), game_source)
    if source is not None and not rows:
        folder.tell(source, (), f"the book {book.id} has no pages", "a row of the table is a page")
    for number, row in enumerate(rows):
        if source is not None and row.count != 1:
            folder.tell(source, (number, "count"), f"the page {row.id} comes {row.count} times", "a page comes once")
    return rows


def listed_rows(folder: Folder, listing: Listing, index: int, game_source: Source) -> tuple[Listed, ...]:
    """The rows of a list's table, whose ids are its own."""
    source = folder.table(listing.file, game_source, ("lists", index, "file"))
    model = listed_model(listing)
    if source is None or not _check_columns(folder, model, source):
        return ()
    rows: list[Listed] = []
    own: dict[str, Claim] = {}
    for number, data in enumerate(source.data):
        folder.note_texts(source, (number,), data, (*ASKED, *listing.columns))
        row = checked(model, {key: cell for key, cell in data.items() if cell}, source, folder.problems, (number,))
        if row is not None:
            folder.claim_in(own, row.id, source, (number,))
            folder.places[f"lists/{listing.id}/{row.id}"] = source, (number,)
            rows.append(row)
    return tuple(rows)


def _drawn_rows(
    folder: Folder, drawn: Drawn, at: At, game_source: Source
) -> tuple[tuple[Component, ...], Source | None]:
    """The rows of a table of what has faces, and the table itself if nothing is wrong in it."""
    before = len(folder.problems.found)
    source = folder.table(drawn.file, game_source, (*at, "file"))
    if source is None:
        return (), None
    model = row_model(drawn)
    rows: list[Component] = []
    sound = len(folder.problems.found) == before
    if drawn.stock is not None:
        folder.must_be_there("stock", drawn.stock, folder.stocks, game_source, (*at, "stock"))
    if not _check_columns(folder, model, source):
        folder.written_ids.update(str(data["id"]) for data in source.data if "id" in data)
        return (), None
    for number, data in enumerate(source.data):
        if folder.problems.enough:
            return (), None
        folder.note_texts(source, (number,), data, (*ASKED, *drawn.columns))
        row = checked(model, {key: cell for key, cell in data.items() if cell}, source, folder.problems, (number,))
        if row is None:
            sound = False
            continue
        folder.claim(row.id, source, (number,))
        if row.stock is None and drawn.stock is None:
            folder.tell(source, (number,), f'"{row.id}" names no stock', "give the row or its deck one")
        if row.stock is not None:
            folder.must_be_there("stock", row.stock, folder.stocks, source, (number,))
        rows.append(row)
    return tuple(rows), source if sound else None


def _check_columns(folder: Folder, model: type[Component | Listed], source: Source) -> bool:
    """The heading of a table, told once and not for every row."""
    named = list(source.data[0]) if source.data else []
    known = {field.alias or name: field.is_required() for name, field in model.model_fields.items()}
    unknown = [column for column in named if column and column not in known]
    missing = [column for column, required in known.items() if required and column not in named]
    for column in unknown:
        hint = did_you_mean(column, [one for one in known if one not in named])
        folder.tell(source, (), f'there is no column "{column}" in this {_kind(model)}', hint)
    for column in missing if source.data and not unknown else ():
        folder.tell(source, (), f'the column "{column}" is missing')
    return not unknown and not (missing and source.data)


def _kind(model: type[Component | Listed]) -> str:
    return "deck" if issubclass(model, Component) else "list"
