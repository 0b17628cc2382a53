"""Curses & Covens: one Witch Hunter against the towns, for three to six players.

The input is facts, positions and lines of notation; the output is small moves, refusals, events and the result. Hands,
the card in the woods and the deck are hidden; cards from the deck, and from the hand that the Hunter picks from, are
drawn at random.

The modules, ordered so that each imports only earlier ones: `facts`, often called `cc`, has the tables, cards and
tiles, `knowledge` who has seen what, `kinds` and `board` the table and words for sentences, `scoring` how near the end
is, `refusals` what is refused, `arisen` the doubts about a position, `hunt`, `travel` and `state` a round from its last
phase to its first, `notation` the texts of moves and states, `beliefs` and `bots` the players. Inside a state a *card*
is its index among all cards, witches first; a *move* is a verb and its objects, except that talk is a text. Seat 0 is
the Witch Hunter, the others are the towns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from grimalkin.engine.law import gather
from grimalkin.games.curses_and_covens import board, facts, hunt, knowledge, refusals, scoring, state, travel
from grimalkin.games.curses_and_covens.arisen import doubts
from grimalkin.games.curses_and_covens.board import View
from grimalkin.games.curses_and_covens.bots import BOTS
from grimalkin.games.curses_and_covens.facts import MOST_DECISIONS, OPTIONS, ROLES, SEATS, SIMULATION, check_facts
from grimalkin.games.curses_and_covens.notation import every_move, load, position_shape, read, seen, write
from grimalkin.games.curses_and_covens.scoring import tally
from grimalkin.games.curses_and_covens.state import State, start

LAWS: Final = gather("CC", facts, knowledge, board, scoring, refusals, hunt, travel, state)

DRAWS: Final[Mapping[str, str]] = {
    "woods": "the card that is hidden in the woods at the start",
    "{seat}": "a card that this town is dealt at the start, or draws in the Census",
    "tray": "a card that the Hunter draws for the tray",
    "pick": "the card that the Hunter picks, unseen, from the hand of a town",
}
"""The label of every draw, with a description of what is drawn."""

REFUSALS: Final = frozenset(gather("CC", refusals)) - {"CC-AMB-12"}  # this ruling lets the Hunter shuffle at any time

if TYPE_CHECKING:
    from grimalkin.engine.contract import Doubts, GameOf, Seen
    from grimalkin.games import curses_and_covens
    from grimalkin.games.curses_and_covens.facts import Move

    _this: GameOf[State, Move | str, View] = curses_and_covens
    _doubts: Doubts[State] = doubts
    _seen: Seen[State] = seen
