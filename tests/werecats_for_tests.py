"""Werecats for its tests: made-up cards from a table, and positions from text."""

from __future__ import annotations

from typing import Any

from stories import flow, rows

LISTS = {"city", "deck", "under", "scared"}


def made_up_cards(table: str) -> dict[str, Any]:
    """The facts of a game with these cards: starting cats have no jewel, and red is a border."""
    components = {"food": {"name": "Food", "count": 40}}
    for row in rows(table, header=True):
        id_, numbers, jewel, power = row.values
        force, will, vigor, corpulence, order = numbers.removesuffix("red").split()
        card = {"name": id_.title(), "count": 1, "force": int(force), "vigor": int(vigor), "turn-order": int(order)}
        if jewel:
            card |= {"will": int(will), "corpulence": int(corpulence), "jewel": jewel, "power": power or None}
            card["red-border"] = numbers.endswith("red")
        components[id_] = card
    return {"components": components}


def written(given: str) -> dict[str, Any]:
    """A record from `Ada: ash 2, maid 0; cook | Basil: bella 2 -- city: boy`: werecats with food; the Graveyard."""
    text, _, rest = given.partition("--")
    seats = {}
    for seat in text.split("|"):
        name, _, areas = seat.partition(":")
        cats, _, graveyard = areas.partition(";")
        pairs = [pair.split() for pair in cats.split(",") if pair.strip()]
        seats[name.strip()] = {
            "cats": {cat: int(food) for cat, food in pairs},
            "graveyard": [card.strip() for card in graveyard.split(",") if card.strip()],
        }
    record = {key: value.split() if key in LISTS else value for key, value in flow(rest).items()}
    return {"seats": seats, **record}
