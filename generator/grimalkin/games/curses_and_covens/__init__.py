"""Curses & Covens: one Witch Hunter against the towns, for three to six players.

Facts, positions and lines of notation in; small moves, refusals, events and the result out. Hands, the card in the
woods and the deck are hidden; chance draws cards from the deck, and from the hand that the Hunter picks from.

In this order, and each imports only those before it: `facts` has the tables, `box` the cards and tiles, `knowledge` who
has seen what, `board` what lies on the table, `scoring` how near the end is, `events`, `refusals`, `sight` and
`records` what is told, refused, seen and written of it, `state` a game in progress, `notation` and `position` its
texts, `bots` players. Inside a state a *card* is its place among all cards, witches first; a *move* is a verb with what
it names, but talk is a text. Seat 0 is the Witch Hunter, the others are the towns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grimalkin.games.curses_and_covens.bots import BOTS
from grimalkin.games.curses_and_covens.box import Cards, Judged, check_facts
from grimalkin.games.curses_and_covens.facts import HUNTER, MOST_DECISIONS, OPTIONS, ROLES, SEATS, SIMULATION, SPELLS
from grimalkin.games.curses_and_covens.notation import every_move, read, write
from grimalkin.games.curses_and_covens.position import load
from grimalkin.games.curses_and_covens.records import position_shape, seen
from grimalkin.games.curses_and_covens.scoring import tally
from grimalkin.games.curses_and_covens.sight import View
from grimalkin.games.curses_and_covens.state import State, start

LAWS: Final[Mapping[str, str]] = {
    "CC-PLAYERS-1": "HUNTER",
    "CC-PLAYERS-2": "SEATS",
    "CC-CARD-1": "Cards",
    "CC-ROUND-1": "State.apply",
    "CC-WIN-1": "State._census",
    "CC-WIN-2": "State._shown_ritual",
    "CC-WIN-3": "State._shown_witch",
    "CC-SETUP-3": "State",
    "CC-SETUP-4": "start",
    "CC-SETUP-5": "start",
    "CC-SETUP-6": "start",
    "CC-SETUP-7": "State._shuffle",
    "CC-SETUP-8": "State",
    "CC-CENSUS-1": "State._census",
    "CC-CENSUS-2": "State._census",
    "CC-CENSUS-3": "State._census",
    "CC-CENSUS-4": "State._say",
    "CC-CENSUS-5": "State._say",
    "CC-CENSUS-6": "State._pass_hat",
    "CC-CENSUS-7": "State._pass_hat",
    "CC-SPELL-1": "State.castable",
    "CC-SPELL-2": "State._cast",
    "CC-SPELL-3": "State._cast",
    "CC-SPELL-4": "State.why_not",
    "CC-SPELL-5": "Judged",
    "CC-SPELL-6": "State._end_hunt",
    "CC-SPELL-7": "Judged",
    "CC-CHARM-1": "State.service",
    "CC-CHARM-2": "State._next_pick",
    "CC-CHARM-3": "State._acted",
    "CC-CURSE-1": "State._pass_on",
    "CC-CURSE-2": "State._emptied",
    "CC-CURSE-3": "State._next_action",
    "CC-ARR-1": "State._serve",
    "CC-ARR-2": "State._deal",
    "CC-ARR-3": "State.view",
    "CC-ARR-4": "State.why_not",
    "CC-TRAV-1": "State._next_action",
    "CC-TRAV-2": "State._give",
    "CC-TRAV-3": "State._ask",
    "CC-TRAV-4": "State._swap",
    "CC-TRAV-5": "State.view",
    "CC-TRAV-6": "State.why_not",
    "CC-TRAV-7": "State._serve",
    "CC-HUNT-1": "State._next_pick",
    "CC-HUNT-2": "State._pick",
    "CC-HUNT-3": "State._pick",
    "CC-HUNT-4": "State._pass_on",
    "CC-HUNT-5": "State._shown_witch",
    "CC-HUNT-6": "State._shown_witch",
    "CC-HUNT-7": "State._shown_ritual",
    "CC-HUNT-8": "State._emptied",
    "CC-HUNT-9": "State._emptied",
    "CC-HUNT-10": "State._shown_witch",
    "CC-HUNT-11": "State._shown_witch",
    "CC-HUNT-12": "Judged",
    "CC-HUNT-13": "State._end_hunt",
    "CC-HUNT-14": "State._shown_ritual",
    "CC-HUNT-15": "State._shown_witch",
    "CC-AMB-1": "SEATS",
    "CC-AMB-2": "SPELLS",
    "CC-AMB-3": "Judged",
    "CC-AMB-4": "State._ask",
    "CC-AMB-5": "State._swap",
    "CC-AMB-6": "State.legal",
    "CC-AMB-7": "State._serve",
    "CC-AMB-8": "State._next_pick",
    "CC-AMB-9": "State._pass_on",
    "CC-AMB-10": "State._lay_under",
    "CC-AMB-11": "State._emptied",
    "CC-AMB-12": "State.may_shuffle",
    "CC-AMB-13": "Judged",
    "CC-AMB-14": "Judged",
    "CC-AMB-15": "State._census",
    "CC-AMB-16": "State._end_hunt",
    "CC-AMB-17": "State._win",
    "CC-AMB-18": "State.view",
    "CC-AMB-20": "HUNTER",
    "CC-AMB-22": "State.legal",
    "CC-AMB-23": "State._pass_hat",
    "CC-AMB-24": "State.why_not",
    "CC-AMB-25": "State._emptied",
    "CC-AMB-26": "State.may_shuffle",
    "CC-AMB-27": "State._say",
    "CC-AMB-28": "State._deal",
    "CC-AMB-29": "State._next_pick",
    "CC-AMB-30": "State._end_hunt",
    "CC-AMB-31": "OPTIONS",
    "CC-AMB-32": "State._shown_witch",
}
REFUSALS: Final = frozenset(
    {
        "CC-ROUND-1",
        "CC-WIN-1",
        "CC-WIN-2",
        "CC-WIN-3",
        "CC-CENSUS-4",
        "CC-CENSUS-6",
        "CC-SPELL-1",
        "CC-SPELL-4",
        "CC-SPELL-6",
        "CC-SPELL-7",
        "CC-CHARM-2",
        "CC-ARR-2",
        "CC-ARR-4",
        "CC-TRAV-1",
        "CC-TRAV-2",
        "CC-TRAV-3",
        "CC-TRAV-4",
        "CC-TRAV-6",
        "CC-HUNT-1",
        "CC-HUNT-2",
        "CC-HUNT-4",
        "CC-HUNT-5",
        "CC-AMB-3",
        "CC-AMB-8",
        "CC-AMB-9",
        "CC-AMB-10",
        "CC-AMB-16",
        "CC-AMB-24",
        "CC-AMB-26",
        "CC-AMB-27",
        "CC-AMB-28",
        "CC-AMB-30",
        "CC-AMB-31",
    }
)

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
    "State",
    "View",
    "check_facts",
    "every_move",
    "load",
    "position_shape",
    "read",
    "seen",
    "start",
    "tally",
    "write",
]
