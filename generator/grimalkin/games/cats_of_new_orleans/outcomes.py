"""Some draws from a deck in, the chance that they hit so often out, or how often they hit on average: counted exactly.

Every way in which the cards can come is counted, by the comparisons of the engine. Cards of an attack stay out until it
is over; a Joker goes back at once, and the discard with it (NO-DECK-8); of an empty deck the discard makes a new one
(NO-AMB-38). Cards of the party hand are used as is best for what is asked: whoever may cheat has seen the card, and
what came before it, and knows what is left (NO-GEN-4).

Taken for granted: a Joker puts nobody out who has a part in it, and no card is taken to the party hand for an Ace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
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
    count: int
    better: int = 0
    """1 if of two cards for each draw the higher counts."""
    goal: int = 1
    """How much there must be of hits; AVERAGE: how much there is."""
    is_shunned: bool = False
    """Whether the hand is used to keep it away."""


def draws_of(
    box: Box, known: Known, count: int, better: int, hits: Callable[[int], int], cancels: Callable[[int], bool]
) -> Draws:
    """Draws from a deck, by what each card counts for."""
    apart = {box.values[card] for card in box.poker if box.is_joker(card)} if better else set()

    def key(card: int) -> tuple[bool, int, bool, int]:
        """Where two cards are compared, those that may equal a Joker are a kind of their own."""
        value = box.values[card]
        return box.is_joker(card), hits(card), cancels(card), value if value in apart else 0

    keys = {card: key(card) for part in known for card in part}
    kinds: dict[tuple[bool, int, bool, int], int] = {}
    for card in sorted(keys, key=box.values.__getitem__):
        kinds.setdefault(keys[card], box.values[card])

    def counted(cards: Iterable[int]) -> Cards:
        found = Counter(keys[card] for card in cards)
        return tuple(found[kind] for kind in kinds)

    made = tuple(Kind(value, kind[1], kind[0], kind[2]) for kind, value in kinds.items())
    return Draws(made, *map(counted, known), count, better)


@lru_cache(maxsize=8192)
def chance_of(draws: Draws) -> Fraction:
    """How likely the goal is, or how much there is of hits on average, with the best use of the hand."""
    return _Walk(draws).whole()


class _Walk:
    """All ways through some draws. What it adds up are whole numbers, which are scaled by what all ways have in common.

    A way is as likely as the product of its steps, each a count over the size of the deck. So each step is counted in
    parts of a number that all sizes divide.
    """

    def __init__(self, draws: Draws) -> None:
        self.kinds, self.goal, self.better = draws.kinds, draws.goal, draws.better
        self.draws = draws
        self.best: Callable[[Sequence[int]], int] = min if draws.is_shunned else max
        self.flips = any(kind.cancels for kind in draws.kinds)
        self.none = (0,) * len(draws.kinds)
        drawn = draws.count * (2 if draws.better else 1) + self.flips
        most = sum(draws.deck) + sum(draws.discard) + sum(draws.hand)
        least = sum(draws.deck) - drawn if not sum(draws.discard) else 1
        self.step = lcm(*range(max(1, least), most + 1))
        self.seen: dict[tuple[int, Cards, Cards, Cards, int], int] = {}

    def whole(self) -> Fraction:
        draws = self.draws
        found = self.after(draws.count, draws.deck, draws.discard, draws.hand, 0)
        return Fraction(found, self.scale(draws.count))

    def scale(self, left: int) -> int:
        """What is certain counts so much, with so many draws left."""
        return int(self.step ** (left * (2 if self.better else 1) + self.flips))

    def after(self, left: int, deck: Cards, discard: Cards, hand: Cards, got: int) -> int:
        """What is to be hoped for, with so many draws left and so much got."""
        if not left:
            return self.landed(deck, discard, got)
        if self.goal and got >= self.goal and not self.flips:
            return self.scale(left)
        key = left, deck, discard, hand, got
        if key not in self.seen:
            self.seen[key] = sum(
                weight * self.offer(left, card, deck_then, discard_then, hand, got)
                for weight, card, deck_then, discard_then in self.drawn(deck, discard)
            )
        return self.seen[key]

    def landed(self, deck: Cards, discard: Cards, got: int) -> int:
        """What is left of it once a flip has told whether it lands at all."""
        worth = got if self.goal == AVERAGE else int(got >= self.goal)
        if not worth or not self.flips:
            return worth * self.scale(0)
        return worth * sum(weight for weight, card, _ in self.next(deck, discard) if not self.kinds[card].cancels)

    def offer(self, left: int, card: int, deck: Cards, discard: Cards, hand: Cards, got: int) -> int:
        """A card was drawn: keep it, or put one of the hand in its place, and then perhaps another."""
        more = got + self.kinds[card].hits
        then = self.taken(card, deck, discard)
        kept = self.after(left - 1, *then, hand, min(more, self.goal) if self.goal else more)
        others = [
            self.offer(left, other, deck, _plus(discard, card, 1), _plus(hand, other, -1), got)
            for other, count in enumerate(hand)
            if count
        ]
        return self.best([kept, *others])

    # Cards

    def drawn(self, deck: Cards, discard: Cards) -> Iterator[tuple[int, int, Cards, Cards]]:
        """The next draw: how often the card that counts is of which kind, and what then lies in deck and discard."""
        for weight, first, then in self.next(deck, discard):
            left, lies = then
            if not self.better:
                yield weight, first, left, lies
                continue
            for more, second, (rest, below) in self.next(left, lies):
                is_second = is_second_kept(self.kinds[first].value, self.kinds[second].value, self.better)
                kept, other = (second, first) if is_second else (first, second)
                if self.kinds[other].is_joker:
                    yield (weight * more, kept, *self.taken(other, rest, below))
                else:
                    yield weight * more, kept, rest, _plus(below, other, 1)

    def next(self, deck: Cards, discard: Cards) -> Iterator[tuple[int, int, tuple[Cards, Cards]]]:
        """The next card: how often it is of which kind, and what is left. The discard makes a new deck of none."""
        if not any(deck):
            deck, discard = discard, self.none
        part = self.step // sum(deck)
        for card, count in enumerate(deck):
            if count:
                yield count * part, card, (_plus(deck, card, -1), discard)

    def taken(self, card: int, deck: Cards, discard: Cards) -> tuple[Cards, Cards]:
        """Deck and discard once a card has had its effect: a Joker is shuffled back with the discard."""
        if not self.kinds[card].is_joker:
            return deck, discard
        shuffled = tuple(there + back for there, back in zip(deck, discard, strict=True))
        return _plus(shuffled, card, 1), self.none


def _plus(cards: Cards, kind: int, more: int) -> Cards:
    return (*cards[:kind], cards[kind] + more, *cards[kind + 1 :])
