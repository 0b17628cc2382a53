"""Werecats: villagers that are food, points or new werecats, for two to four players.

Facts, positions and lines of notation in; small moves, refusals, events and score lines out. What lies on the table is
open; chance draws who chooses first, and the villagers from the deck.

In this order: `facts` has the tables and the cards, `scoring` the points, `state` a game in progress, `notation` and
`position` their texts, `bots` players. Inside a state everything is a small int:

- a *card* is the number of its place in the Turn Order of all cards, so that the next werecat to act is the lowest bit
  above the acting one in the set of all werecats;
- sets of cards, and of seats, are bit masks;
- a *move* is `verb | card`; verbs and phases are named in `facts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from grimalkin.engine.law import gather
from grimalkin.games.werecats import facts, notation, position, scoring, state
from grimalkin.games.werecats.bots import BOTS
from grimalkin.games.werecats.facts import (
    ACTIONS,
    CITY_SIZE,
    FOOD_LAST,
    MOST_DECISIONS,
    OPTIONS,
    POWERS,
    REFUSALS,
    SEATS,
    SET_UP_FORCE,
    SIMULATION,
    Cards,
    card_misfits,
    check_facts,
    turn_order,
)
from grimalkin.games.werecats.notation import every_move, read, write
from grimalkin.games.werecats.position import doubts, load, position_shape
from grimalkin.games.werecats.scoring import created_lines, jewel_lines, jewel_notes, villager_lines, winners
from grimalkin.games.werecats.state import State, View, start, tally

__all__ = [
    "ACTIONS",
    "BOTS",
    "CITY_SIZE",
    "DRAWS",
    "FOOD_LAST",
    "LAWS",
    "MOST_DECISIONS",
    "OPTIONS",
    "POWERS",
    "REFUSALS",
    "SEATS",
    "SET_UP_FORCE",
    "SIMULATION",
    "Cards",
    "State",
    "View",
    "card_misfits",
    "check_facts",
    "created_lines",
    "doubts",
    "every_move",
    "jewel_lines",
    "jewel_notes",
    "load",
    "position_shape",
    "read",
    "start",
    "tally",
    "turn_order",
    "villager_lines",
    "winners",
    "write",
]

LAWS: Final = gather("WC", facts, scoring, state, notation, position)
DRAWS: Final[Mapping[str, str]] = {
    "first": "the seat that chooses its starting cat first",
    "city": "a villager off the deck: for the City, at its filling and after a Scare, or by the power to draw",
}
"""The label of everything that chance gives, with what is drawn."""

if TYPE_CHECKING:
    from grimalkin.engine.contract import Doubts, GameOf
    from grimalkin.games import werecats

    _this: GameOf[State, int, View] = werecats
    _doubts: Doubts[State] = doubts
