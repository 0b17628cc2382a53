"""Report everything named in a catalogue that does not exist."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from grimalkin.content.catalogues import Catalogue, Named, Told, Under, ids_in, rows_of, written
from grimalkin.content.models import Column, Component, Deck, GameFile, Listing
from grimalkin.content.validation import Misfit
from grimalkin.engine.contract import GameModule
from grimalkin.engine.cribs import find_behaviour
from grimalkin.engine.odds import find_expected
from grimalkin.problems import did_you_mean
from grimalkin.source import At


def misfits(
    catalogue: Catalogue,
    info: GameFile,
    components: Mapping[str, Sequence[Component]],
    lists: Mapping[str, Sequence[Any]],
    module: GameModule | None,
) -> Iterator[Misfit]:
    """Yield everything named in a catalogue that does not exist."""
    decks = {deck.id: deck for deck in info.decks}
    found = list(_of_told(catalogue, (), info, components, lists, module))
    for number, under in enumerate(catalogue.under if catalogue.deck in decks else ()):
        wrong = list(_of_told(under, ("under", number), info, components, lists, module))
        found += wrong or list(_of_under(under, ("under", number), decks[under.deck], components, catalogue))
    if catalogue.met:
        met = catalogue.met
        found += _of_column(met.deck, met.column, ("met",), decks)
    yield from found
    if not found and not rows_of(catalogue, components):
        wanted = " and ".join(f'"{value}" in {column}' for column, value in catalogue.only.items())
        yield ("only",), f"no piece of {catalogue.deck} has {wanted}", "write each value as in the table"


def _of_told(
    told: Told,
    at: At,
    info: GameFile,
    components: Mapping[str, Sequence[Component]],
    lists: Mapping[str, Sequence[Any]],
    module: GameModule | None,
) -> Iterator[Misfit]:
    """Yield what is wrong with a page's entries about a deck's pieces."""
    decks = {deck.id: deck for deck in info.decks}
    if told.deck not in decks:
        yield (*at, "deck"), f'there is no deck "{told.deck}"', did_you_mean(told.deck, decks)
        return
    columns = decks[told.deck].columns
    wrong = [(where, name) for where, name in told.columns() if name not in columns]
    for where, name in wrong:
        yield (*at, *where), _no_column(decks[told.deck], name), did_you_mean(name, columns)
    for column, named in told.lists.items() if not wrong else ():
        yield from _of_list(told, column, named, (*at, "lists", column), info, components, lists)
    for column in told.pieces if not wrong else ():
        known = {row.id for rows in components.values() for row in rows}
        for name in dict.fromkeys(name for row in components[told.deck] for name in ids_in(row, column)):
            if name not in known:
                hint = did_you_mean(name, known)
                yield (*at, "pieces", column), f'"{name}" in that column is not the id of a piece', hint
    for number, one in enumerate(told.named_by):
        yield from _of_column(one.deck, one.column, (*at, "named-by", number), decks)
    asked: tuple[tuple[str, bool, Callable[[GameModule], object], str], ...] = (
        ("behaviour", told.behaviour, find_behaviour, "describes no behaviour"),
        ("expected", told.expected, find_expected, "computes no expected numbers"),
    )
    for key, wanted, find, lacks in asked:
        if wanted and (module is None or find(module) is None):
            yield (*at, key), f"the engine of this game {lacks}", "leave it out"


def _of_list(
    told: Told,
    column: str,
    named: Named,
    at: At,
    info: GameFile,
    components: Mapping[str, Sequence[Component]],
    lists: Mapping[str, Sequence[Any]],
) -> Iterator[Misfit]:
    """Yield what is wrong with the list that a column names, and with what its cells name in the list."""
    listings: dict[str, Listing] = {listing.id: listing for listing in info.lists}
    if named.list not in listings:
        yield (*at, "list"), f'there is no list "{named.list}"', did_you_mean(named.list, listings)
        return
    own: Mapping[str, Column] = listings[named.list].columns
    for key, name in (("text", named.text), ("rule", named.rule)):
        if name is not None and name not in own:
            yield (*at, key), f'the list {named.list} has no column "{name}"', did_you_mean(name, own)
    known: Collection[str] = {row.id for row in lists[named.list]}
    for name in dict.fromkeys(name for row in components[told.deck] for name in ids_in(row, column)):
        if name not in known:
            yield at, f'"{name}" in that column is not a row of {named.list}', did_you_mean(name, known)


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
