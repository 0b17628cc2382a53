"""Werecats: a game of villagers that become food, points or new werecats, for two to four players.

The input is facts, positions and lines of notation; the output is small moves, refusals, events and score lines.
Everything on the table is open. Only who chooses first and the villagers drawn from the deck are random.

The modules in order: `facts`, often called `wc`, has the tables and the cards, `scoring` the points and a reference
table, `board` what lies on the table and the reasons against moves, `state` a game in progress, `notation` the texts of
moves and states, `bots` the automatic players. Inside a state everything is a small int:

- a *card* is its index in the Turn Order of all cards, so that the next werecat to act is the lowest bit above the
  acting one in the set of all werecats;
- sets of cards, and of seats, are bit masks;
- a *move* is `verb | card`; verbs and phases are named in `facts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from grimalkin.engine import law
from grimalkin.games.werecats import board, facts, notation, scoring, state
from grimalkin.games.werecats.board import View
from grimalkin.games.werecats.bots import BOTS
from grimalkin.games.werecats.facts import MOST_DECISIONS, OPTIONS, SEATS, SIMULATION, check_facts
from grimalkin.games.werecats.notation import doubts, every_move, load, position_shape, read, write
from grimalkin.games.werecats.scoring import CRIBS
from grimalkin.games.werecats.state import State, start, tally

LAWS: Final = law.gather("WC", facts, scoring, board, state, notation)
REFUSALS: Final = law.refusals("WC", board.Board)
DRAWS: Final[Mapping[str, str]] = {
    "first": "the seat that chooses its starting cat first",
    "city": "a villager from the deck for the City: when players fill it, after a scare, or through Draw",
}
"""The labels of the game's draws, each with a description of what is drawn."""

if TYPE_CHECKING:
    from grimalkin.engine.contract import Doubts, GameOf
    from grimalkin.games import werecats

    _this: GameOf[State, int, View] = werecats
    _doubts: Doubts[State] = doubts
