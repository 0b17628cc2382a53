"""Curses & Covens: one Witch Hunter against the towns, for three to six players.

Facts, positions and lines of notation in; small moves, refusals, events and the result out. Hands, the card in the
woods and the deck are hidden; chance draws cards from the deck, and from the hand that the Hunter picks from.

In this order: `facts` has the tables, cards and tiles, `knowledge` who has seen what, `state` a game in progress,
`refusals` and `events` its words, `notation` and `position` its texts, `bots` players. Inside a state everything is a
small int: a *card* is its place among all cards, witches first; a *move* is a verb, a card and a seat in one number,
but talk is a text; a *spell* is a place in SPELLS. Seat 0 is the Witch Hunter, the others are the towns.
"""

from __future__ import annotations

from grimalkin.games.curses_and_covens.bots import BOTS
from grimalkin.games.curses_and_covens.facts import (
    HUNTER,
    LAWS,
    MOST_DECISIONS,
    OPTIONS,
    REFUSALS,
    ROLES,
    SEATS,
    SIMULATION,
    SPELLS,
    Cards,
    Judged,
    Tile,
    check_facts,
    judged,
)
from grimalkin.games.curses_and_covens.knowledge import Known, Mind
from grimalkin.games.curses_and_covens.notation import every_move, read, write
from grimalkin.games.curses_and_covens.position import load, position_shape, seen
from grimalkin.games.curses_and_covens.state import State, View, start, tally

__all__ = [
    "BOTS",
    "HUNTER",
    "LAWS",
    "MOST_DECISIONS",
    "OPTIONS",
    "REFUSALS",
    "ROLES",
    "SEATS",
    "SIMULATION",
    "SPELLS",
    "Cards",
    "Judged",
    "Known",
    "Mind",
    "State",
    "Tile",
    "View",
    "check_facts",
    "every_move",
    "judged",
    "load",
    "position_shape",
    "read",
    "seen",
    "start",
    "tally",
    "write",
]
