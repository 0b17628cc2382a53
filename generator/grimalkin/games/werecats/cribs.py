"""A reference table of everything that scores in Werecats."""

from __future__ import annotations

from grimalkin.engine.contract import Facts
from grimalkin.engine.cribs import Crib, CribRow, Cribs
from grimalkin.games.werecats.facts import (
    CREATED_POINTS,
    EVERY_JEWEL_POINTS,
    HIGH_VALUE_POINTS,
    ONE_JEWEL_POINTS,
    VILLAGER_POINTS,
)

POINTS = (
    ("card in your Graveyard", VILLAGER_POINTS, "WC-SCORE-1"),
    ("High Value card there", HIGH_VALUE_POINTS, "WC-PWR-4"),
    ("werecat that you made", CREATED_POINTS, "WC-SCORE-2"),
    ("either all five jewels", EVERY_JEWEL_POINTS, "WC-SCORE-3"),
    ("or each jewel of one kind", ONE_JEWEL_POINTS, "WC-SCORE-4"),
)
"""For each thing that scores: its name, its points, and the rule."""


def points(_facts: Facts) -> Crib:
    """Return the points for each thing that scores at the end."""
    return Crib("What counts", ("points",), tuple(CribRow(what, (str(each),), (rule,)) for what, each, rule in POINTS))


CRIBS: Cribs = {"points": points}
