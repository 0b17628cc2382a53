"""Return a Game as printed in some of its variants: with other stocks, colours and cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from grimalkin.content.game import Game
from grimalkin.content.models import Component, Variant
from grimalkin.problems import Place, Problem, Stop, did_you_mean


def find_variants(game: Game, names: Sequence[str], place: Place) -> tuple[Variant, ...]:
    """Return the variants with these names, in the order of game.yaml. Stop if one is unknown or two conflict."""
    known = {variant.id: variant for variant in game.info.variants}
    unknown = [name for name in names if name not in known]
    if unknown:
        none = f"{game.info.title} has no variants"
        hints = [did_you_mean(name, known) if known else none for name in unknown]
        told = zip(unknown, hints, strict=True)
        raise Stop(Problem(place, f'there is no variant "{name}"', hint) for name, hint in told)
    found = tuple(variant for id_, variant in known.items() if id_ in names)
    for one, other in combinations(found, 2):
        both = [
            *(one.stocks.keys() & other.stocks.keys()),
            *(one.palette.keys() & other.palette.keys()),
            *(one.columns.keys() & other.columns.keys()),
        ]
        if both:
            changed = f'the variants "{one.id}" and "{other.id}" both change {min(both)}'
            raise Stop([Problem(place, changed, "choose only one of them")])
    return found


def as_variant(game: Game, variants: Sequence[Variant]) -> Game:
    """Return the game with other stocks, colours and cells. Rules and examples stay the same."""
    if not variants:
        return game
    stocks: dict[str, str] = {}
    palette = dict(game.info.palette)
    columns: dict[str, str] = {}
    for variant in variants:
        stocks |= variant.stocks
        palette |= variant.palette
        columns |= variant.columns
    decks = tuple(deck.model_copy(update={"stock": _instead(deck.stock, stocks)}) for deck in game.info.decks)
    components = {
        deck: tuple(
            row.model_copy(update={"stock": _instead(row.stock, stocks), **_cells_instead(row, columns)})
            for row in rows
        )
        for deck, rows in game.components.items()
    }
    info = game.info.model_copy(update={"palette": palette, "decks": decks})
    return replace(game, info=info, components=components, variants=tuple(variants))


def _cells_instead(row: Component, columns: Mapping[str, str]) -> dict[str, object]:
    """Return the cells of a row that change, by the names of their fields."""
    fields = {before.replace("-", "_"): after.replace("-", "_") for before, after in columns.items()}
    there = type(row).model_fields
    cells = {before: getattr(row, after) for before, after in fields.items() if {before, after} <= there.keys()}
    return {name: cell for name, cell in cells.items() if cell is not None}


def _instead(stock: str | None, stocks: Mapping[str, str]) -> str | None:
    return stocks.get(stock, stock) if stock else stock
