"""The Cats of New Orleans: heroes against vermin on square maps, in single scenarios or a campaign, for one to four
players.

The functions take facts, positions and lines of notation, and return small moves, refusals, events and results. All
players are on one side. Only face-down markers are hidden, and they are hidden from everybody; chance draws cards and
markers and flips the coin.

The modules follow the rules' chapters; each imports only earlier ones. `numbers` and `phrases` hold the words,
`facts` checks them; `maps` is about a map, `box` about the texts of cards, `table` about the pieces on the table;
`figures` where they are and what they see; `moves` the moves, how they are written, and the tasks that remain;
`clauses` what a sentence means. Then what happens, with the verbs of clauses: `events` to figures, `cards`, the
`attack`, `effects` of cards, `moving`, the `scenario` with its story, the decisions of `vermin`, the actions of a
`hero`, and `rounds`. Last come `refusals` and the `state`. A power is a sentence of the content, carried out by a
verb; powers that no sentence can express are in `vermin` and `rounds`.

Two packages stand beside the rules: the `campaign`, with the Riverboat between scenarios, and the `players`, with bots,
odds, and what readers get.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from grimalkin.engine.law import gather
from grimalkin.engine.law import refusals as named_in_refusals
from grimalkin.games.cats_of_new_orleans import (
    attack,
    box,
    cards,
    clauses,
    effects,
    events,
    facts,
    figures,
    hero,
    maps,
    moves,
    moving,
    numbers,
    refusals,
    rounds,
    scenario,
    state,
    table,
    vermin,
)
from grimalkin.games.cats_of_new_orleans.campaign import adventure_log, riverboat
from grimalkin.games.cats_of_new_orleans.campaign.adventure_log import CAMPAIGN
from grimalkin.games.cats_of_new_orleans.facts import check_facts
from grimalkin.games.cats_of_new_orleans.moves import drawn, every_move, read, write
from grimalkin.games.cats_of_new_orleans.numbers import MOST_DECISIONS, OPTIONS, SEATS, SIMULATION
from grimalkin.games.cats_of_new_orleans.phrases import abilities
from grimalkin.games.cats_of_new_orleans.players.bots import BOTS, tally
from grimalkin.games.cats_of_new_orleans.players.habits import behaviour
from grimalkin.games.cats_of_new_orleans.players.odds import expected, odds
from grimalkin.games.cats_of_new_orleans.players.pictures import picture
from grimalkin.games.cats_of_new_orleans.players.reference import CRIBS, set_up
from grimalkin.games.cats_of_new_orleans.state import State, load, position_shape, start
from grimalkin.games.cats_of_new_orleans.table import View

PLAYS: Final = True
LAWS: Final = gather(
    "NO",
    *(numbers, maps, abilities, box, facts, table, figures, moves, clauses, events, cards, attack),
    *(effects, moving, scenario, vermin, hero, rounds, riverboat, refusals),
    *(state, adventure_log),
)
DRAWS: Final[Mapping[str, str]] = {
    "poker": "a card from the poker deck",
    "marker": "the vermin marker drawn face down from the pool",
    "loot": "a card from the Loot deck",
    "coin": "the side of the Buck coin that is up",
    "hero": "the hero who joins the party",
    "event": "the Riverboat Event of this visit",
    "aspect": "the Aspect card that the Rat King draws, or loses",
}
"""The label of each kind of draw, with what is drawn."""
REFUSALS: Final = (
    frozenset(gather("NO", refusals))
    | named_in_refusals("NO", riverboat)
    | {by.rule for by in (vermin.LARGE_CLOSER, vermin.FAR_OFF, vermin.AIM, vermin.EQUAL_AIM)}
)
"""Refusals also quote rules of measures: those by which a vermin must go to one square rather than another."""

if TYPE_CHECKING:
    from grimalkin.engine.campaigns import Campaign
    from grimalkin.engine.contract import GameOf
    from grimalkin.engine.cribs import Behaviour
    from grimalkin.engine.odds import Counting, OddsOf
    from grimalkin.engine.pictures import PictureOf, SetUpOf
    from grimalkin.games import cats_of_new_orleans
    from grimalkin.games.cats_of_new_orleans.moves import Move

    _this: GameOf[State, Move, View] = cats_of_new_orleans
    _campaign: Campaign = CAMPAIGN
    _picture: PictureOf = picture
    _behaviour: Behaviour = behaviour
    _expected: Counting = expected
    _odds: OddsOf = odds
    _set_up: SetUpOf = set_up

__all__ = [
    "BOTS",
    "CAMPAIGN",
    "CRIBS",
    "DRAWS",
    "LAWS",
    "MOST_DECISIONS",
    "OPTIONS",
    "PLAYS",
    "REFUSALS",
    "SEATS",
    "SIMULATION",
    "State",
    "View",
    "behaviour",
    "check_facts",
    "drawn",
    "every_move",
    "expected",
    "load",
    "odds",
    "picture",
    "position_shape",
    "read",
    "set_up",
    "start",
    "tally",
    "write",
]
