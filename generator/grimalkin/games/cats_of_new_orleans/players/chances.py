"""Quick estimates of attacks as players judge them at the table: each draw separate, from a whole deck. Readers get
exact numbers (`averages`); bots ask for these hundreds of times in a game."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from grimalkin.games.cats_of_new_orleans.box import Arm, Box
from grimalkin.games.cats_of_new_orleans.numbers import MISS


class Promise(NamedTuple):
    """The expected results of a whole attack."""

    stun: float
    """The chance of at least one Stun."""
    wounds: float
    """The expected number of Wounds."""
    kills: tuple[float, ...] = ()
    """By remaining Health, from 1, the chance of that many Wounds."""


MOST_HEALTH = 9


@lru_cache(maxsize=4096)
def of_card(box: Box, stun: int, wound: int, drm: int) -> tuple[float, float]:
    """Return the chances that one card gives a Stun, and a Wound. Kings are not in the deck."""
    stuns = wounds = 0
    cards = [card for card in box.poker if card not in box.kings]
    for card in cards:
        value = box.values[card]
        result = 0 if value == 1 or value + drm <= MISS else value + drm
        stuns += result >= stun
        wounds += result >= wound
    return stuns / len(cards), wounds / len(cards)


@lru_cache(maxsize=4096)
def promise(box: Box, arm: Arm, drm: int) -> Promise:
    """Return the expected results of an attack with a modifier on each of its draws."""
    stun, wound = of_card(box, arm.stun, arm.wound, drm)
    count = arm.draws
    at_least = [1.0]
    exactly = [(1 - wound) ** count]
    for number in range(1, MOST_HEALTH + 1):
        at_least.append(max(0.0, at_least[-1] - exactly[-1]))
        more = count - number + 1
        exactly.append(exactly[-1] * wound / (1 - wound) * more / number if wound < 1 and more > 0 else 0.0)
    if wound >= 1:
        at_least = [1.0 if number <= count else 0.0 for number in range(MOST_HEALTH + 1)]
    return Promise(1 - (1 - stun) ** count, count * wound, tuple(at_least[1:]))
