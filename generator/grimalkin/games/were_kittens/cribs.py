"""The tables of Were Kittens to look up: what it costs to make a cat on each space, and what victims are worth."""

from __future__ import annotations

from grimalkin.engine.contract import Facts
from grimalkin.engine.cribs import Crib, CribRow, Cribs
from grimalkin.games.were_kittens.facts import SPACES, box_of, make_cost
from grimalkin.games.were_kittens.scoring import RANKS


def costs(facts: Facts) -> Crib:
    """The claw that a cat needs to make another, by the space that this one is to have."""
    coins = box_of(facts).coins
    rows = [CribRow(coin.name, tuple(str(make_cost(coin.base, space)) for space in SPACES), ()) for coin in coins]
    return Crib("On space", tuple(map(str, SPACES)), tuple(rows))


def victims(unused_facts: Facts) -> Crib:
    """What a victim scores, by the place of its kind."""
    words = [f"kind that you have {rank.word} of" if rank.word == "most" else f"{rank.word} kind" for rank in RANKS]
    rows = [CribRow(word, (str(rank.points),), ()) for word, rank in zip(words, RANKS, strict=True)]
    return Crib("Each victim of the", ("points",), tuple(rows))


CRIBS: Cribs = {"costs": costs, "victims": victims}
