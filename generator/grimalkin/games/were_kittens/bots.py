"""Bots for Were Kittens, which choose a move from a seat's view and its legal moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from grimalkin.engine.contract import Bot
from grimalkin.engine.play import random_bot
from grimalkin.games.were_kittens import facts as wk
from grimalkin.games.were_kittens.board import View
from grimalkin.games.were_kittens.facts import make_cost
from grimalkin.games.were_kittens.scoring import victim_points


def sensible_bot(seed: int) -> Bot:
    """Return a bot that makes the highest-scoring move and makes more cats while many coins are left.

    It places a victim only to make a cat with it.
    """
    luck = Random(str(seed)).random

    def choose(view: View, legal: list[int]) -> int:
        return max(legal, key=lambda move: (_worth(view, move), luck()))

    return choose


def _worth(view: View, move: int) -> float:
    """Estimate the value of a move, in points."""
    made = view.moves[move]
    verb, kind, seat = made.verb, made.kind, view.seat
    if verb is wk.CHOOSE:
        return view.coins[kind].cat_claw
    if verb is wk.TAKE:
        return _gain(view, kind, 1)
    if verb is wk.MAKE:
        # A cat on a low space acts early and leaves the cheap spaces free.
        coin = view.coins[kind]
        return coin.points + _tempo(view) + coin.cat_claw / 10 - made.space / 100
    if verb is wk.EAT:
        # Victims on the eat area are lost anyway.
        return 1 + _tempo(view) if _wants(view, view.city, view.eat[seat], view.eaten) else -9
    if verb is wk.PLACE_EAT:
        placed = tuple(count + (kind == other) for other, count in enumerate(view.eat[seat]))
        enough = _wants(view, _likely_city(view), view.eat[seat], 0)
        helps = _wants(view, _likely_city(view), placed, 0)
        return _tempo(view) + _gain(view, kind, -1) if helps and not enough else -9
    return -1.0 if verb in (wk.PLACE_SCARE, wk.REPOPULATE) else 0.0


def _gain(view: View, kind: int, more: int) -> int:
    """Return how the score of the seat's victims changes if it gains `more` coins of a kind (1 or -1)."""
    heaps = (view.hand[view.seat], view.eat[view.seat], view.scare[view.seat])
    now = [sum(counts) for counts in zip(*heaps, strict=True)]
    then = [count + more * (kind == other) for other, count in enumerate(now)]
    return victim_points(then) - victim_points(now)


def _tempo(view: View) -> float:
    """Estimate a cat's worth beyond its points: the value of the coins it may still take."""
    seats = len(view.hand)
    return (sum(view.city) + sum(view.supply)) / (2 * seats)


def _likely_city(view: View) -> tuple[int, ...]:
    """Return the coins that cats may find in the city: those there, and the supply's too if the city is not full."""
    if sum(view.city) == wk.CITY_SIZE:
        return view.city
    return tuple(city + supply for city, supply in zip(view.city, view.supply, strict=True))


def _wants(view: View, city: Sequence[int], eaten: Sequence[int], before: int) -> bool:
    """Return whether the acting cat, or the strongest if none acts, could make a cat after also eating these victims.

    `before` is the claw from the victims that it has already eaten.
    """
    coins = view.coins
    own = view.cats[view.seat]
    claws = [coins[kind].cat_claw for space, kind, _ in own if view.acting in (0, space)]
    free = [space for space in wk.SPACES if space not in [at for at, _, _ in own]]
    if not claws or not free:
        return False
    claw = max(claws) + before + sum(n * coin.villager_claw for n, coin in zip(eaten, coins, strict=True))
    return any(n and make_cost(coin.base, free[-1]) <= claw for n, coin in zip(city, coins, strict=True))


BOTS: Final[Mapping[str, Callable[[int], Bot]]] = {"random": random_bot, "sensible": sensible_bot}
