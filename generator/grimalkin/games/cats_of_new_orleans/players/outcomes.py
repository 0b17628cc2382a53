"""Exact chances of draws: the probability that they hit often enough, or the average number of hits.

Every order of the cards is counted, with the comparisons of the engine. Cards of an attack stay out until it ends; a
Joker is immediately reshuffled with the discard (NO-DECK-8); an empty deck is refilled from the discard (NO-AMB-38).
Cards of the party hand are used as well as possible: the player who may cheat sees the card and everything drawn
before, and knows what is left (NO-GEN-4).

It is assumed that no Joker puts a figure in the attack out, and that no Ace adds a card to the party hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from operator import add
from typing import Final, NamedTuple

from grimalkin.games.cats_of_new_orleans.attack import is_second_kept
from grimalkin.games.cats_of_new_orleans.box import Box

AVERAGE: Final = 0
"""The goal that asks for the average number of hits."""

Cards = tuple[int, ...]
"""The number of cards of each kind."""


class Kind(NamedTuple):
    """Cards that are interchangeable for these draws."""

    value: int
    """The lowest value among them. Cards of a kind with a higher value are all higher."""
    hits: int
    """How much a draw of it counts."""
    is_joker: bool
    cancels: bool
    """Whether flipping it after the draws cancels the whole attack."""


class Known(NamedTuple):
    """What is known about the poker cards: those still to come, in the discard, and in the hand."""

    deck: tuple[int, ...]
    discard: tuple[int, ...] = ()
    hand: tuple[int, ...] = ()


class Draws(NamedTuple):
    """Draws to compute."""

    kinds: tuple[Kind, ...]
    deck: Cards
    discard: Cards
    hand: Cards
    times: int
    better: int = 0
    """1 if the higher of two cards counts for each draw."""
    goal: int = 1
    """The number of hits needed; AVERAGE: their average."""
    is_shunned: bool = False
    """Whether the hand is used to prevent the goal."""


class Heap(NamedTuple):
    """Cards that every attack treats alike."""

    card: int
    """One of them."""
    value: int
    is_joker: bool
    counts: Cards
    """How many are still to come, in the discard, and in the hand."""


@lru_cache(maxsize=256)
def heaps_of(box: Box, known: Known, by_colour: bool) -> tuple[Heap, ...]:
    """Return the cards by value, lowest first, and by colour if it matters."""
    found: dict[tuple[int, bool, bool], list[int]] = {}
    for place, cards in enumerate(known):
        for card in cards:
            key = box.values[card], box.is_joker(card), by_colour and box.is_black(card)
            found.setdefault(key, [card, 0, 0, 0])[place + 1] += 1
    return tuple(Heap(card, key[0], key[1], tuple(counts)) for key, (card, *counts) in sorted(found.items()))


@lru_cache(maxsize=8192)
def draws_of(heaps: tuple[Heap, ...], hits: Cards, dodges_on: int, times: int, better: int) -> Draws:
    """Return the draws for the hits of each heap, and the value from which a flip cancels everything."""
    apart = {heap.value for heap in heaps if heap.is_joker} if better else frozenset()
    kinds: dict[tuple[int, bool, bool, int], tuple[int, list[int]]] = {}
    for heap, worth in zip(heaps, hits, strict=True):
        value = heap.value
        # If two cards are compared, those that may tie with a Joker are a separate kind.
        key = worth, heap.is_joker, bool(dodges_on) and value >= dodges_on, value if value in apart else 0
        _, together = kinds.setdefault(key, (value, [0, 0, 0]))
        for place, more in enumerate(heap.counts):
            together[place] += more
    made = tuple(Kind(value, key[0], key[1], key[2]) for key, (value, _) in kinds.items())
    deck, discard, hand = (tuple(together[place] for _, together in kinds.values()) for place in range(3))
    return Draws(made, deck, discard, hand, times, better)


@lru_cache(maxsize=8192)
def chance_of(draws: Draws) -> Fraction:
    """Return the probability of the goal, or the average number of hits, with the best use of the hand."""
    if any(draws.hand):
        return _Walk(draws).whole()
    shares = spread_of(draws._replace(goal=1, is_shunned=False))
    if draws.goal == AVERAGE:
        return sum((got * share for got, share in enumerate(shares)), Fraction(0))
    return sum(shares[draws.goal :], Fraction(0))


@lru_cache(maxsize=8192)
def spread_of(draws: Draws) -> tuple[Fraction, ...]:
    """Return the probabilities of no hit, one hit, two and so on, without using the hand."""
    walk = _Walk(draws)
    at: dict[tuple[Cards, Cards, int], int] = {(draws.deck, draws.discard, 0): 1}
    for _ in range(draws.times):
        then: dict[tuple[Cards, Cards, int], int] = {}
        for (deck, discard, got), times in at.items():
            for (card, *left), weight in walk.steps.drawn(deck, discard):
                key = (*walk.steps.taken(card, *left), got + walk.kinds[card].hits)
                then[key] = then.get(key, 0) + times * weight
        at = then
    found = [0] * (draws.times * walk.most + 1)
    for (deck, discard, got), times in at.items():
        lands = walk.landing(deck, discard)
        found[got] += times * lands
        found[0] += times * (walk.scale(0) - lands)
    return tuple(Fraction(times, walk.scale(draws.times)) for times in found)


class _Walk:
    """All ways through some draws, added up as whole numbers on a common scale.

    The chance of a way is the product of its steps, each a count divided by the size of the deck. So each step is
    counted in parts of a number that every size divides.
    """

    def __init__(self, draws: Draws) -> None:
        self.draws, self.kinds, self.goal = draws, draws.kinds, draws.goal
        self.best: Callable[[Sequence[int]], int] = min if draws.is_shunned else max
        self.flips = any(kind.cancels for kind in draws.kinds)
        self.most = max(kind.hits for kind in draws.kinds)
        drawn = draws.times * (2 if draws.better else 1) + self.flips
        every = sum(draws.deck) + sum(draws.discard) + sum(draws.hand)
        least = 1 if any(draws.discard) or any(draws.hand) else sum(draws.deck) - drawn
        self.steps = _steps(draws.kinds, draws.better, lcm(*range(max(1, least), every + 1)))
        self.seen: dict[tuple[int, Cards, Cards, Cards, int], int] = {}

    def whole(self) -> Fraction:
        draws = self.draws
        found = self.after(draws.times, draws.deck, draws.discard, draws.hand, 0)
        return Fraction(found, self.scale(draws.times))

    def scale(self, left: int) -> int:
        """Return the number that stands for certainty with this many draws left."""
        return int(self.steps.part ** (left * (2 if self.draws.better else 1) + self.flips))

    def after(self, left: int, deck: Cards, discard: Cards, hand: Cards, got: int) -> int:
        """Return the expected value with this many draws left and this much scored."""
        if not left:
            return self.landed(deck, discard, got)
        if self.goal and got >= self.goal and not self.flips:
            return self.scale(left)
        if self.goal > got + left * self.most:
            return 0
        key = left, deck, discard, hand, got
        if key not in self.seen and left == 1 and not self.flips:
            self.seen[key] = self.last(deck, discard, hand, got)
        elif key not in self.seen:
            self.seen[key] = sum(
                weight * self.offer(left, card, deck_then, discard_then, hand, got)
                for (card, deck_then, discard_then), weight in self.steps.drawn(deck, discard)
            )
        return self.seen[key]

    def last(self, deck: Cards, discard: Cards, hand: Cards, got: int) -> int:
        """Return the expected value of the last draw, after which the position of cards no longer matters."""
        kept = [self.worth(got + kind.hits) for kind in self.kinds]
        held = [worth for worth, count in zip(kept, hand, strict=True) if count]
        best = [self.best([worth, *held]) for worth in kept]
        return sum(weight * best[card] for (card, _, _), weight in self.steps.drawn(deck, discard))

    def landed(self, deck: Cards, discard: Cards, got: int) -> int:
        """Return the value that remains after the flip that may cancel everything."""
        worth = self.worth(got)
        return worth * self.landing(deck, discard) if worth else 0

    def worth(self, got: int) -> int:
        return got if self.goal == AVERAGE else int(got >= self.goal)

    def landing(self, deck: Cards, discard: Cards) -> int:
        """Return how often no flip cancels the attack."""
        if not self.flips:
            return 1
        return sum(weight for weight, card, _ in self.steps.next(deck, discard) if not self.kinds[card].cancels)

    def offer(self, left: int, card: int, deck: Cards, discard: Cards, hand: Cards, got: int) -> int:
        """Return the value after drawing a card: keep it, or replace it with one from the hand, perhaps repeatedly."""
        more = got + self.kinds[card].hits
        then = self.steps.taken(card, deck, discard)
        kept = self.after(left - 1, *then, hand, min(more, self.goal) if self.goal else more)
        if not any(hand):
            return kept
        others = [
            self.offer(left, other, deck, _plus(discard, card, 1), _plus(hand, other, -1), got)
            for other, count in enumerate(hand)
            if count
        ]
        return self.best([kept, *others])


Drawn = tuple[int, Cards, Cards]
"""The kind of the card that counts, and the deck and discard afterwards."""


@lru_cache(maxsize=64)
def _steps(kinds: tuple[Kind, ...], better: int, part: int) -> _Steps:
    return _Steps(kinds, better, part)


class _Steps:
    """The possible next draws from a deck and their frequencies, whatever they are drawn for."""

    def __init__(self, kinds: tuple[Kind, ...], better: int, part: int) -> None:
        self.kinds, self.better, self.part = kinds, better, part
        self.none = (0,) * len(kinds)
        self.seen: dict[tuple[Cards, Cards], tuple[tuple[Drawn, int], ...]] = {}

    def drawn(self, deck: Cards, discard: Cards) -> tuple[tuple[Drawn, int], ...]:
        """Return the next draw: the card that counts, deck and discard afterwards, and how often that happens."""
        key = deck, discard
        if key not in self.seen:
            found: dict[Drawn, int] = {}
            for one, weight in self._two(deck, discard) if self.better else self._one(deck, discard):
                found[one] = found.get(one, 0) + weight
            self.seen[key] = tuple(found.items())
        return self.seen[key]

    def _one(self, deck: Cards, discard: Cards) -> Iterator[tuple[Drawn, int]]:
        for weight, card, then in self.next(deck, discard):
            yield (card, *then), weight

    def _two(self, deck: Cards, discard: Cards) -> Iterator[tuple[Drawn, int]]:
        """Yield draws of two cards, one of which counts; the other is discarded, or is a Joker and has its effect."""
        for weight, first, then in self.next(deck, discard):
            for more, second, (rest, below) in self.next(*then):
                is_second = is_second_kept(self.kinds[first].value, self.kinds[second].value, self.better)
                kept, other = (second, first) if is_second else (first, second)
                if self.kinds[other].is_joker:
                    yield (kept, *self.taken(other, rest, below)), weight * more
                else:
                    yield (kept, rest, _plus(below, other, 1)), weight * more

    def next(self, deck: Cards, discard: Cards) -> Iterator[tuple[int, int, tuple[Cards, Cards]]]:
        """Yield the next card: frequency, kind, and the remaining cards. An empty deck is refilled from the discard."""
        if not any(deck):
            deck, discard = discard, self.none
        part = self.part // sum(deck)
        for card, count in enumerate(deck):
            if count:
                yield count * part, card, (_plus(deck, card, -1), discard)

    def taken(self, card: int, deck: Cards, discard: Cards) -> tuple[Cards, Cards]:
        """Return the deck and the discard after a card has had its effect: a Joker is reshuffled with the discard."""
        if not self.kinds[card].is_joker:
            return deck, discard
        shuffled = tuple(map(add, deck, discard))
        return _plus(shuffled, card, 1), self.none


def _plus(cards: Cards, kind: int, more: int) -> Cards:
    return (*cards[:kind], cards[kind] + more, *cards[kind + 1 :])
