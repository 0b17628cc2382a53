"""Were Kittens: a coin game for two or three players. A coin is a villager, a cat or a victim, depending on its place.

The input is facts, positions and lines of notation; the output is small moves, refusals, events and score lines. All
coins are open and nothing is drawn, so views hide nothing and nothing is random.

The modules in order: `facts`, often called `wk`, has the tables, the coins and the moves, `scoring` the points and
reference tables, `board` what lies on the table, `state` a game in progress, `notation` the texts of moves and states,
`bots` the automatic players. Inside a state everything is a small int:

- a *move* is an index into the list of all moves, which gives its verb, kind of coin and space;
- a *heap* of coins is one int that holds the number of each kind;
- a *slot* is one turn order space on one player card. Sets of slots are bit masks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from grimalkin.engine import law
from grimalkin.games.were_kittens import board, facts, notation, scoring, state
from grimalkin.games.were_kittens.board import View
from grimalkin.games.were_kittens.bots import BOTS
from grimalkin.games.were_kittens.facts import MOST_DECISIONS, OPTIONS, PHASES, SEATS, SIMULATION, check_facts
from grimalkin.games.were_kittens.notation import doubts, every_move, load, position_shape, read, write
from grimalkin.games.were_kittens.scoring import CRIBS
from grimalkin.games.were_kittens.state import State, start, tally

LAWS: Final[Mapping[str, tuple[str, ...]]] = law.gather("WK", facts, scoring, board, state, notation)
REFUSALS: Final = law.refusals("WK", State) | {phase.rule for phase in PHASES}
DRAWS: Final[Mapping[str, str]] = {}
"""The labels of the game's draws. It has none."""

if TYPE_CHECKING:
    from grimalkin.engine.contract import Doubts, GameOf
    from grimalkin.games import were_kittens

    _this: GameOf[State, int, View] = were_kittens
    _doubts: Doubts[State] = doubts
