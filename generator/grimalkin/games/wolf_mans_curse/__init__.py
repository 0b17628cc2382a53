"""Wolf-Man's Curse: tricks at full moon, for three to eight players.

The input is facts, positions and lines of notation; the output is small moves, refusals, events, score lines and the
steps of the end. Hands and the cards of a month's first night are hidden; the hands are dealt, and the face cards
turned up, at random.

The modules, in order: `facts`, often called `wm`, has the tables and the cards, `scoring` the captures, points and end,
`board` what lies on the table, `state` a game in progress, `notation` its texts, `bots` the players, `odds` the charts.
Inside a state everything is a small int: a *card* is its index among all cards, number cards first; a *move* is the
card laid; a *suit* is a column of the score sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from grimalkin.engine import law
from grimalkin.games.wolf_mans_curse import board, facts, notation, scoring, state
from grimalkin.games.wolf_mans_curse.board import View
from grimalkin.games.wolf_mans_curse.bots import BOTS
from grimalkin.games.wolf_mans_curse.facts import MOST_DECISIONS, OPTIONS, SEATS, SIMULATION, check_facts
from grimalkin.games.wolf_mans_curse.notation import doubts, every_move, load, position_shape, read, write
from grimalkin.games.wolf_mans_curse.odds import CHARTS
from grimalkin.games.wolf_mans_curse.state import State, start, tally

LAWS: Final = law.gather("WM", facts, scoring, board, state, notation)
REFUSALS: Final = law.refusals("WM", State)
DRAWS: Final[Mapping[str, str]] = {
    "{seat}": "a number card that is dealt to this seat",
    "moon": "the face card that is turned up for a night",
}
"""The label of every draw, with a description of what is drawn."""

if TYPE_CHECKING:
    from grimalkin.engine.contract import Doubts, GameOf
    from grimalkin.games import wolf_mans_curse

    _this: GameOf[State, int, View] = wolf_mans_curse
    _doubts: Doubts[State] = doubts
