"""Reference tables for Were Kittens: the cost of making a cat on each space, and the points for victims."""

from __future__ import annotations

from grimalkin.engine.contract import Facts
from grimalkin.engine.cribs import Crib, CribRow, Cribs
from grimalkin.games.were_kittens.facts import SPACES, box_of, make_cost
from grimalkin.games.were_kittens.scoring import RANKS


def costs(facts: Facts) -> Crib:
    """Return the claw that a cat needs to make another, for each kind of coin and each space of the new cat."""
    coins = box_of(facts).coins
    rows = [CribRow(coin.name, tuple(str(make_cost(coin.base, space)) for space in SPACES), ()) for coin in coins]
    return Crib("On space", tuple(map(str, SPACES)), tuple(rows))


def victims(_facts: Facts) -> Crib:
    """Return the points for a victim by the rank of its kind."""
    words = [f"kind that you have {rank.word} of" if rank.word == "most" else f"{rank.word} kind" for rank in RANKS]
    rows = [CribRow(word, (str(rank.points),), ()) for word, rank in zip(words, RANKS, strict=True)]
    return Crib("Each victim of the", ("points",), tuple(rows))


CRIBS: Cribs = {"costs": costs, "victims": victims}
