"""Some draws from a deck in, the chance that they hit so often out, or how often they hit on average: counted exactly.

Every way in which the cards can come is counted, by the comparisons of the engine. Cards of an attack stay out until it
is over; a Joker goes back at once, and the discard with it (NO-DECK-8); of an empty deck the discard makes a new one
(NO-AMB-38). Cards of the party hand are used as is best for what is asked: whoever may cheat has seen the card, and
what came before it, and knows what is left (NO-GEN-4).

Taken for granted: a Joker puts nobody out who has a part in it, and no card is taken to the party hand for an Ace.
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
"""The goal of whoever asks how many hits there are."""

Cards = tuple[int, ...]
"""How many of each kind."""


class Kind(NamedTuple):
    """Cards between which it makes no difference which of them comes."""

    value: int
    """The least of theirs; of two kinds, all cards of the one that has more are higher."""
    hits: int
    """How much it counts for whoever draws it."""
    is_joker: bool
    cancels: bool
    """Whether the whole attack comes to nothing if it is flipped after the draws."""


class Known(NamedTuple):
    """What is known of the poker cards: which are still to come, which lie in the discard, which are in the hand."""

    deck: tuple[int, ...]
    discard: tuple[int, ...] = ()
    hand: tuple[int, ...] = ()


class Draws(NamedTuple):
    """Draws that are to be counted out."""

    kinds: tuple[Kind, ...]
    deck: Cards
    discard: Cards
    hand: Cards
    times: int
    better: int = 0
    """1 if of two cards for each draw the higher counts."""
    goal: int = 1
    """How much there must be of hits; AVERAGE: how much there is."""
    is_shunned: bool = False
    """Whether the hand is used to keep it away."""


class Heap(NamedTuple):
    """Cards that no attack tells apart."""

    card: int
    """One of them."""
    value: int
    is_joker: bool
    counts: Cards
    """How many are to come, lie in the discard, and are in the hand."""


@lru_cache(maxsize=256)
def heaps_of(box: Box, known: Known, by_colour: bool) -> tuple[Heap, ...]:
    """The cards by value, from the lowest, and by colour where it matters."""
    found: dict[tuple[int, bool, bool], list[int]] = {}
    for place, cards in enumerate(known):
        for card in cards:
            key = box.values[card], box.is_joker(card), by_colour and box.is_black(card)
            found.setdefault(key, [card, 0, 0, 0])[place + 1] += 1
    return tuple(Heap(card, key[0], key[1], tuple(counts)) for key, (card, *counts) in sorted(found.items()))


@lru_cache(maxsize=8192)
def draws_of(heaps: tuple[Heap, ...], hits: Cards, dodges_on: int, times: int, better: int) -> Draws:
    """Draws of cards, by what each heap of them counts for, and from which value on a flip cancels all of it."""
    apart = {heap.value for heap in heaps if heap.is_joker} if better else frozenset()
    kinds: dict[tuple[int, bool, bool, int], tuple[int, list[int]]] = {}
    for heap, worth in zip(heaps, hits, strict=True):
        value = heap.value
        # Where two cards are compared, those that may equal a Joker are a kind of their own.
        key = worth, heap.is_joker, bool(dodges_on) and value >= dodges_on, value if value in apart else 0
        _, together = kinds.setdefault(key, (value, [0, 0, 0]))
        for place, more in enumerate(heap.counts):
            together[place] += more
    made = tuple(Kind(value, key[0], key[1], key[2]) for key, (value, _) in kinds.items())
    deck, discard, hand = (tuple(together[place] for _, together in kinds.values()) for place in range(3))
    return Draws(made, deck, discard, hand, times, better)


@lru_cache(maxsize=8192)
def chance_of(draws: Draws) -> Fraction:
    """How likely the goal is, or how much there is of hits on average, with the best use of the hand."""
    if any(draws.hand):
        return _Walk(draws).whole()
    shares = spread_of(draws._replace(goal=1, is_shunned=False))
    if draws.goal == AVERAGE:
        return sum((got * share for got, share in enumerate(shares)), Fraction(0))
    return sum(shares[draws.goal :], Fraction(0))


@lru_cache(maxsize=8192)
def spread_of(draws: Draws) -> tuple[Fraction, ...]:
    """How likely it is that none of the hits lands, one, two and so on. The hand stays as it is."""
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
    """All ways through some draws. What it adds up are whole numbers, which are scaled by what all ways have in common.

    A way is as likely as the product of its steps, each a count over the size of the deck. So each step is counted in
    parts of a number that all sizes divide.
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
        """What is certain counts so much, with so many draws left."""
        return int(self.steps.part ** (left * (2 if self.draws.better else 1) + self.flips))

    def after(self, left: int, deck: Cards, discard: Cards, hand: Cards, got: int) -> int:
        """What is to be hoped for, with so many draws left and so much got."""
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
        """The last draw, after which it does not matter what lies where."""
        kept = [self.worth(got + kind.hits) for kind in self.kinds]
        held = [worth for worth, count in zip(kept, hand, strict=True) if count]
        best = [self.best([worth, *held]) for worth in kept]
        return sum(weight * best[card] for (card, _, _), weight in self.steps.drawn(deck, discard))

    def landed(self, deck: Cards, discard: Cards, got: int) -> int:
        """What is left of it once a flip has told whether it lands at all."""
        worth = self.worth(got)
        return worth * self.landing(deck, discard) if worth else 0

    def worth(self, got: int) -> int:
        return got if self.goal == AVERAGE else int(got >= self.goal)

    def landing(self, deck: Cards, discard: Cards) -> int:
        """How often no flip cancels what would land."""
        if not self.flips:
            return 1
        return sum(weight for weight, card, _ in self.steps.next(deck, discard) if not self.kinds[card].cancels)

    def offer(self, left: int, card: int, deck: Cards, discard: Cards, hand: Cards, got: int) -> int:
        """A card was drawn: keep it, or put one of the hand in its place, and then perhaps another."""
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
"""The kind of the card that counts, and what then lies in deck and discard."""


@lru_cache(maxsize=64)
def _steps(kinds: tuple[Kind, ...], better: int, part: int) -> _Steps:
    return _Steps(kinds, better, part)


class _Steps:
    """What can be drawn next from a deck, and how often: the same whatever it is drawn for."""

    def __init__(self, kinds: tuple[Kind, ...], better: int, part: int) -> None:
        self.kinds, self.better, self.part = kinds, better, part
        self.none = (0,) * len(kinds)
        self.seen: dict[tuple[Cards, Cards], tuple[tuple[Drawn, int], ...]] = {}

    def drawn(self, deck: Cards, discard: Cards) -> tuple[tuple[Drawn, int], ...]:
        """The next draw: the card that counts with what then lies there, and how often it comes to that."""
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
        """Of two cards one counts; the other goes to the discard, or has its effect at once."""
        for weight, first, then in self.next(deck, discard):
            for more, second, (rest, below) in self.next(*then):
                is_second = is_second_kept(self.kinds[first].value, self.kinds[second].value, self.better)
                kept, other = (second, first) if is_second else (first, second)
                if self.kinds[other].is_joker:
                    yield (kept, *self.taken(other, rest, below)), weight * more
                else:
                    yield (kept, rest, _plus(below, other, 1)), weight * more

    def next(self, deck: Cards, discard: Cards) -> Iterator[tuple[int, int, tuple[Cards, Cards]]]:
        """The next card: how often it is of which kind, and what is left. The discard makes a new deck of none."""
        if not any(deck):
            deck, discard = discard, self.none
        part = self.part // sum(deck)
        for card, count in enumerate(deck):
            if count:
                yield count * part, card, (_plus(deck, card, -1), discard)

    def taken(self, card: int, deck: Cards, discard: Cards) -> tuple[Cards, Cards]:
        """Deck and discard once a card has had its effect: a Joker is shuffled back with the discard."""
        if not self.kinds[card].is_joker:
            return deck, discard
        shuffled = tuple(map(add, deck, discard))
        return _plus(shuffled, card, 1), self.none


def _plus(cards: Cards, kind: int, more: int) -> Cards:
    return (*cards[:kind], cards[kind] + more, *cards[kind + 1 :])
