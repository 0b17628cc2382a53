"""Return a Game as it is printed: in some of its variants, or for one of its scenarios.

A variant has other stocks, colours and cells. For a scenario, the columns that a deck lists under `needs` say what a
piece belongs to: a map, a level of loot, a hero, a foe. A piece that belongs to something is needed only if the
scenario has it; all other pieces are always needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from grimalkin.content.game import Game, Part
from grimalkin.content.models import Component, Drawn, Variant, value_of
from grimalkin.content.scenarios import Scenario
from grimalkin.problems import Place, Problem, Stop, did_you_mean
from grimalkin.problems.plain import listed


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


# Scenarios


def find_scenario(game: Game, name: str, place: Place) -> Scenario:
    """Return the scenario with this number or id. Stop if there is none."""
    for scenario in game.scenarios:
        if name in (scenario.id, str(scenario.number)):
            return scenario
    known = [f"{one.number} ({one.id})" for one in game.scenarios]
    meant = did_you_mean(name, [one.id for one in game.scenarios])
    hint = meant if meant.startswith("did") else f"the scenarios are {listed(known)}" if known else ""
    raise Stop([Problem(place, f'there is no scenario "{name}"', hint or f"{game.info.title} has no scenarios")])


def as_scenario(game: Game, scenario: Scenario, heroes: Sequence[str], place: Place) -> Game:
    """Return the game, reduced to what must be printed for the scenario and, if given, for these heroes.

    Stop, with a problem at `place`, if there is no such hero.
    """
    party = [row.id for row in game.components[game.info.party]] if game.info.party else []
    unknown = [hero for hero in heroes if hero not in party]
    if unknown:
        raise Stop(Problem(place, f'there is no hero "{hero}"', did_you_mean(hero, party)) for hero in unknown)
    chosen = [hero for hero in party if hero in heroes] or party
    counts = dict(_counts(game, scenario, _named(game, scenario, chosen)))
    with_whom = f" with {listed([game.by_id[hero].name for hero in chosen])}" if heroes else ""
    id_ = "-".join([f"scenario-{scenario.number}", *(chosen if heroes else ())])
    return replace(game, part=Part(id_, f"scenario {scenario.number}, {scenario.title}{with_whom}", counts))


def hero_of(game: Game, row: Component, drawn: Drawn) -> str | None:
    """Return the hero that a piece belongs to, or None."""
    party = {one.id for one in game.components[game.info.party]} if game.info.party else set()
    return next((name for name in [row.id, *_belongs_to(row, drawn)] if name in party), None)


def level_of(row: Component, drawn: Drawn) -> int | None:
    """Return the loot level that a piece belongs to, or None. Only levels are whole numbers."""
    cells = (value_of(row, column) for column in drawn.needs if column != "id")
    return next((cell for cell in cells if isinstance(cell, int) and not isinstance(cell, bool)), None)


def _named(game: Game, scenario: Scenario, heroes: Sequence[str]) -> set[str]:
    """Return everything in a scenario, by the names that cells use for it."""
    named = {scenario.id, scenario.map, *map(str, scenario.loot), *heroes, *scenario.pool}
    named.update(apart.piece for apart in scenario.apart)
    for deck in game.info.decks:
        for row in game.components[deck.id]:
            if row.id in named:  # a marker brings the foe it belongs to
                named.update(_belongs_to(row, deck))
    return named


def _belongs_to(row: Component, drawn: Drawn) -> list[str]:
    cells = (row.id if column == "id" else value_of(row, column) for column in drawn.needs)
    return [str(cell) for cell in cells if cell is not None]


def _counts(game: Game, scenario: Scenario, named: set[str]) -> Iterator[tuple[str, int]]:
    """Yield the id and the number of each piece and page that a scenario needs."""
    markers = Counter(scenario.pool)
    for apart in scenario.apart:
        markers[apart.piece] += apart.count
    for deck in game.info.decks:
        for row in game.components[deck.id]:
            if not deck.between and _is_needed(row, deck, named):
                most = markers.get(row.id, row.count)
                yield row.id, min(row.count, scenario.pieces.get(row.id, scenario.pieces.get(deck.id, most)))
    for book in game.info.books:
        yield from ((row.id, 1) for row in game.pages[book.id] if _is_needed(row, book, named))


def _is_needed(row: Component, drawn: Drawn, named: set[str]) -> bool:
    belongs = _belongs_to(row, drawn)
    return not belongs or any(name in named for name in belongs)
