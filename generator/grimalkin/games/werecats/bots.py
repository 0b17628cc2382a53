"""Bots for Werecats, which choose a move from a seat's view and its legal moves.

The sensible bot values each small move in points: what it scores immediately, what the food is worth, and what a new
werecat may still do. Its numbers were found by making it play many games against itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Final

from grimalkin.engine.contract import Bot
from grimalkin.engine.kinds import members
from grimalkin.engine.play import random_bot
from grimalkin.games.werecats import facts as wc
from grimalkin.games.werecats.board import View
from grimalkin.games.werecats.facts import Cards, cards_with

# The sensible bot's estimates, in points unless stated otherwise

STRENGTH_WORTH: Final = (0, 0.1, 0.9, 1.2, 1.3, 1.3, 1.8, 1.0, 0.1)
"""Worth of the food that brings a werecat's Force plus food to 0, 1, 2 ...; a higher total is worth the same as 8."""
PAYER_WORTH: Final = 0.15
"""Extra worth of each food on the starting cat, which pays for powers."""
FORCE_WORTH: Final = 0.85
"""Worth of each point of a new werecat's Force, for every round in which it may still act."""
THIS_ROUND: Final = 0.2
"""How many rounds are added for a new werecat that can still act in this one."""
COLOURS_WORTH: Final = (0, 0, 0, 4.7, 4.7, wc.EVERY_JEWEL_POINTS)
"""Worth of having werecats in 0, 1, 2 ... colours, while all five are still possible."""
MORE_OF_A_COLOUR: Final = 2.5
"""Worth of each werecat of the best colour after the first, while more are still possible."""
DENIED: Final = 0.1
"""Worth of keeping a villager from a seat, for each werecat of that colour that the seat has."""
DRAW_WORTH: Final = 0.4
"""Worth of one more villager in the City, when the seat's own werecat acts next."""
AGAIN_WORTH: Final = 1.6
"""Worth of another action, before that action is known."""
SCARE_WORTH: Final = 0.8
"""Worth of each easy villager gained or lost in the City, to the seat that acts next."""
EASY: Final = 4
"""A villager is easy if converting it needs no more Force than this."""
EASY_ONES: Final = 2
"""The number of easy villagers expected among six cards."""
ROUNDS_LEFT: Final = 4.5
"""The most rounds that the bot looks ahead."""
TAKEN_BY_A_CAT: Final = 0.5
"""The number of villagers that a werecat takes in a round."""
TAKEN_BY_POWERS: Final = 0.3
"""The number of villagers that powers take in a round."""
ROUNDS_FOR_A_CAT: Final = 1.1
"""How many rounds the leading seat needs to make one more werecat."""
FOOD_FADES: Final = 0.3
"""How much of its full worth food keeps for each round left, up to all of it."""


def sensible_bot(seed: int, without: str = "") -> Bot:
    """Return a bot that makes the move it values most, and chooses a starting cat at random.

    It never uses the power in `without`. Without High Value, it values villagers with that power like any others.
    """
    luck = Random(str(seed)).random
    known: _Known | None = None

    def choose(view: View, legal: list[int]) -> int:
        nonlocal known
        if len(legal) == 1:
            return legal[0]
        verb = legal[0] & wc.VERB_BITS
        if verb == wc.CHOOSE:
            return legal[int(luck() * len(legal))]
        if known is None or known.cards is not view.cards:
            known = _Known(view.cards, without)
        if view.eaten != wc.NOTHING and not known.powers[view.eaten]:
            return wc.DONE
        mind = _Mind(view, known)
        if verb == wc.SHARE:
            return mind.share(legal)
        if verb == wc.DRAW:
            return wc.DRAW if mind.draws() else wc.DONE
        if verb == wc.AGAIN:
            return mind.again()
        worth = mind.drag if verb == wc.DRAG else mind.reanimate if verb == wc.REANIMATE else mind.act
        return max(legal, key=worth)

    return choose


class _Known:
    """Everything that games with the same cards share, prepared for quick estimates. Lists are by card."""

    __slots__ = ("body", "cards", "colours", "convert_needs", "eat_needs", "food", "jewels", "powers", "starting")

    def __init__(self, cards: Cards, without: str) -> None:
        self.cards = cards
        names = sorted({jewel for jewel in cards.jewels if jewel})
        self.jewels = [names.index(jewel) if jewel else -1 for jewel in cards.jewels]
        self.colours = [cards_with(jewel == name for jewel in cards.jewels) for name in names]
        self.starting = cards_with(not jewel for jewel in cards.jewels)
        self.powers = ["" if power == without else power for power in cards.powers]
        self.body: list[int] = [
            wc.HIGH_VALUE_POINTS if power == "value" else wc.VILLAGER_POINTS for power in self.powers
        ]
        self.eat_needs = [force + 1 for force in cards.forces]
        self.convert_needs = [force + will + 1 for force, will in zip(cards.forces, cards.wills, strict=True)]
        self.food = [self._food(card) for card in range(len(cards.ids))]

    def _food(self, card: int) -> list[float]:
        """Return what 0, 1, 2 ... food on this werecat is worth early in the game."""
        worths = [0.0]
        for food in range(1, self.cards.vigors[card] + 1):
            strength = min(self.cards.forces[card] + food, len(STRENGTH_WORTH) - 1)
            payer = PAYER_WORTH if self.starting >> card & 1 else 0.0
            worths.append(worths[-1] + STRENGTH_WORTH[strength] + payer)
        return worths


class _Mind:
    """The estimates needed to choose one small move."""

    __slots__ = ("deck", "deny", "gains", "known", "own", "payer", "rounds", "view", "when_food")

    def __init__(self, view: View, known: _Known) -> None:
        self.view = view
        self.known = known
        self.own = view.cats[view.seat]
        self.payer = (self.own & known.starting).bit_length() - 1
        colours = [[(cats & colour).bit_count() for colour in known.colours] for cats in view.cats]
        mine = colours.pop(view.seat)
        most = max(cats.bit_count() for cats in view.cats)
        self.deck = deck = view.deck.bit_count() + len(view.under)
        different = max([sum(map(bool, counts)) for counts in (mine, *colours)])
        ends = not deck or most >= wc.MOST_WERECATS or different == wc.EVERY_JEWEL
        taken = TAKEN_BY_A_CAT * sum(cats.bit_count() for cats in view.cats) + TAKEN_BY_POWERS
        left = 0.0 if ends else min(deck / taken, ROUNDS_FOR_A_CAT * (wc.MOST_WERECATS - most), ROUNDS_LEFT)
        self.when_food = min(1.0, left * FOOD_FADES)
        self.rounds = left
        self.deny: list[float] = [DENIED * max(counts) for counts in zip(*colours, strict=True)]
        now = _jewel_points(mine, ends)
        self.gains: list[float] = []
        for jewel in range(len(mine)):
            mine[jewel] += 1
            self.gains.append(wc.CREATED_POINTS + _jewel_points(mine, ends) - now)
            mine[jewel] -= 1

    # Actions

    def act(self, move: int) -> float:
        """Estimate an action's worth to the acting werecat."""
        view = self.view
        return self._action(move, view.food[view.acting], view.food[self.payer], view.used)

    def _action(self, move: int, held: int, paid_from: int, used: bool) -> float:
        """Estimate it, given the food on the acting werecat and the starting cat, and whether a power is used."""
        verb, card = move & wc.VERB_BITS, move & wc.CARD_BITS
        cat = self.view.acting
        if verb == wc.EAT:
            return self._eat(cat, card, held, paid_from, used)
        if verb == wc.CONVERT:
            spent = self._spent(cat, held, self.known.convert_needs[card])
            return self._new_cat(card) + self._fed(cat, held, held - spent) + self.deny[self.known.jewels[card]]
        if verb == wc.DIVE:
            return self._fed(cat, held, held + 1)
        if verb == wc.SCARE:
            return self._scare()
        return -0.01  # resting: any other action is better unless it does harm

    def _eat(self, cat: int, card: int, held: int, paid_from: int, used: bool) -> float:
        known, view = self.known, self.view
        spent = self._spent(cat, held, known.eat_needs[card])
        meal = known.cards.corpulences[card]
        worth = self._body(card) + self._fed(cat, held, held - spent)
        eaten = self._fed(cat, held - spent, held - spent + meal)
        power = "" if used else known.powers[card]
        payer = paid_from - spent * (cat == self.payer)
        if power == "sharing":
            return worth + max(eaten, self._shared(cat, held - spent, meal))
        if power == "reanimate" and payer >= wc.REANIMATE_COST:
            risen = max([self._new_cat(other) - known.body[other] for other in (card, *view.graveyards[view.seat])])
            return worth + max(eaten, risen + self._fed(self.payer, payer, payer - wc.REANIMATE_COST))
        if power == "pressure":
            worth += max([self._body(other) for other in view.city if other != card], default=0.0)
        elif power == "draw" and self.draws():
            worth += DRAW_WORTH
        elif power == "extra" and payer + meal * (cat == self.payer) >= wc.EXTRA_COST:
            worth += AGAIN_WORTH
        return worth + eaten

    def _scare(self) -> float:
        """Estimate a Scare: good if the City is poor and the seat acts next, or if it is rich and another seat does."""
        next_own = self._next_is_own()
        if next_own is None:
            return 0.0
        easy = sum(self.known.convert_needs[card] <= EASY for card in self.view.city)
        return SCARE_WORTH * (EASY_ONES - easy) * (1 if next_own else -1)

    # Powers

    def share(self, legal: Sequence[int]) -> int:
        """Give one food to the werecat that gains most from it, if it gains more than the eater would."""
        view = self.view
        held = view.food[view.acting] + view.meal
        kept = self._fed(view.acting, held - 1, held)

        def gain(move: int) -> float:
            other = move & wc.CARD_BITS
            return kept if move == wc.DONE else self._fed(other, view.food[other], view.food[other] + 1)

        best = max(legal, key=gain)
        return best if gain(best) > kept else wc.DONE

    def drag(self, move: int) -> float:
        """Estimate the worth of dragging a villager to the Graveyard; dragging nobody is worth nothing."""
        return 0.0 if move == wc.DONE else self._body(move & wc.CARD_BITS)

    def draws(self) -> bool:
        """Return whether another villager can be drawn and the seat's own werecat acts next."""
        return bool(self.deck and self._next_is_own())

    def again(self) -> int:
        """Take another action if the best one is worth its food."""
        view, known = self.view, self.known
        cat = view.acting
        payer = view.food[self.payer] - wc.EXTRA_COST
        held = payer if cat == self.payer else view.food[cat]
        strength = known.cards.forces[cat] + held
        moves = [wc.DIVE, wc.REST] if view.scared >> view.seat & 1 else [wc.DIVE, wc.SCARE, wc.REST]
        moves += [wc.EAT | card for card in view.city if known.eat_needs[card] <= strength]
        moves += [wc.CONVERT | card for card in view.city if known.convert_needs[card] <= strength]
        best = max([self._action(move, held, payer, used=True) for move in moves])
        return wc.AGAIN if best + self._fed(self.payer, payer + wc.EXTRA_COST, payer) > 0 else wc.DONE

    def reanimate(self, move: int) -> float:
        """Estimate the worth of a Graveyard card as a werecat, less its points there and the cost."""
        if move == wc.DONE:
            return 0.0
        view, card = self.view, move & wc.CARD_BITS
        cat, payer = view.acting, view.food[self.payer]
        paid = self._fed(self.payer, payer, payer - wc.REANIMATE_COST)
        forgone = self._fed(cat, view.food[cat], view.food[cat] + view.meal)
        return self._new_cat(card) - self.known.body[card] + paid - forgone

    # Parts

    def _next_is_own(self) -> bool | None:
        """Return whether the next werecat to act in this round is the seat's own; None if no werecat is left."""
        acting = self.view.acting
        column = 0
        for cats in self.view.cats:
            column |= cats
        later = column >> acting + 1 << acting + 1
        return bool(later & -later & self.own) if later else None

    def _shared(self, cat: int, held: int, meal: int) -> float:
        """Estimate the food from a meal when each bite goes to the seat's werecat that gains most."""
        food = {other: self.view.food[other] for other in members(self.own)}
        food[cat] = held
        gained = 0.0
        for _ in range(meal):
            gain, other = max([(self._fed(other, on_it, on_it + 1), other) for other, on_it in food.items()])
            gained += gain
            food[other] += 1
        return gained

    def _new_cat(self, card: int) -> float:
        """Estimate a villager's worth as a werecat: its points, its jewel, and its future turns."""
        known = self.known
        rounds = self.rounds + (THIS_ROUND if card > self.view.acting else 0.0)
        return self.gains[known.jewels[card]] + FORCE_WORTH * known.cards.forces[card] * rounds

    def _body(self, card: int) -> float:
        """Estimate a villager's worth in the Graveyard."""
        return self.known.body[card] + self.deny[self.known.jewels[card]]

    def _spent(self, cat: int, held: int, need: int) -> int:
        """Return the food that a werecat spends to reach the strength it needs, at most what it holds."""
        return min(held, max(0, need - self.known.cards.forces[cat]))

    def _fed(self, cat: int, before: int, after: int) -> float:
        """Estimate the worth of a change in a werecat's food; food above its Vigor is worth nothing."""
        worths = self.known.food[cat]
        top = len(worths) - 1
        return self.when_food * (worths[after if after < top else top] - worths[before if before < top else top])


def _jewel_points(counts: Sequence[int], ends: bool) -> float:
    """Estimate the points for the jewels of created werecats, by colour; before the last round, add possible gains."""
    most = max(counts, default=0)
    different = sum(map(bool, counts))
    if ends:
        return max(wc.ONE_JEWEL_POINTS * most, wc.EVERY_JEWEL_POINTS if different == wc.EVERY_JEWEL else 0)
    one = wc.ONE_JEWEL_POINTS + MORE_OF_A_COLOUR * (most - 1) if most else 0.0
    return max(one, COLOURS_WORTH[different])


BOTS: Final[Mapping[str, Callable[[int], Bot]]] = {
    "random": random_bot,
    "sensible": sensible_bot,
    **{f"without-{power}": partial(sensible_bot, without=power) for power in wc.POWERS},
}
