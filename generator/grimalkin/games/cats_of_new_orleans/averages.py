"""A piece in, what an attack with it brings out: the chance of a Stun and the Wounds to be expected, counted exactly.

Taken for granted: the deck as it is shuffled for a scenario, a target without anything that matters, and no cheating.
Cards of an attack stay out until it is over; a Joker goes back at once, and the discard with it (NO-DECK-8).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Final

from grimalkin.engine.contract import Facts
from grimalkin.engine.habits import Expected
from grimalkin.games.cats_of_new_orleans.attack import reaches
from grimalkin.games.cats_of_new_orleans.box import Arm, Box, box_of
from grimalkin.games.cats_of_new_orleans.kits import Kit
from grimalkin.games.cats_of_new_orleans.numbers import MISS

ONE, MISSING, HITTING, LOW_JOKER, HIGH_JOKER = range(5)
"""Kinds of cards: of the value 1; those that miss the value asked about, and those that reach it; and the Jokers."""
RANK: Final = (1, 2, 3, 1, 4)
"""Which of two kinds is higher; of two cards of one rank the first counts (NO-AMB-62)."""
JOKERS: Final = (LOW_JOKER, HIGH_JOKER)
NONE: Final = (0, 0, 0, 0, 0)

Cards = tuple[int, ...]
"""How many of each kind."""


def expected(facts: Facts, piece: str) -> tuple[Expected, ...]:
    """Of every attack that a piece has: how often it stuns, and how many Wounds it brings on average."""
    box = box_of(facts)
    return tuple(
        one
        for arm, kit in arms_with(box, piece)
        for one in (
            Expected("Stuns", chance_of_stun(box, arm, kit), is_share=True, of=arm.name),
            Expected("Wounds", wounds_of(box, arm, kit), of=arm.name),
        )
    )


def arms_with(box: Box, piece: str) -> list[tuple[Arm, Kit]]:
    """The attacks of a piece, each with what the piece itself says about it."""
    number = box.numbers.get(piece)
    if number is None:
        return []
    deck = box.piece(number)["deck"]
    if deck == "foes":
        foe = box.foe(number)
        return [(arm, foe.kit) for arm in foe.arms]
    if deck == "heroes" or number in box.weapons:
        return [(box.arm(number), box.kit((number,)))]
    return []


def chance_of_stun(box: Box, arm: Arm, kit: Kit) -> Fraction:
    return 1 - _outcome(_dealt(box, arm.stun), arm.draws, _takes_two(kit))[1]


def wounds_of(box: Box, arm: Arm, kit: Kit) -> Fraction:
    least = min(arm.stun, arm.wound) if kit.says("wound-too") else arm.wound
    return _outcome(_dealt(box, least), arm.draws, _takes_two(kit))[0]


def _takes_two(kit: Kit) -> bool:
    """Whether of two cards the higher counts for each draw, always."""
    return any(static.condition is None for static in kit.says("better-of-two"))


def _dealt(box: Box, value: int) -> tuple[Cards, tuple[bool, ...]]:
    """The deck without its Kings (NO-SET-15), by kinds, and which kinds reach a Stun or Wound Value."""
    cards, hits = [0, 0, 0, 0, 0], [False] * 5
    for card in box.poker:
        if card in box.kings:
            continue
        worth = box.values[card]
        hit = reaches(worth if worth > MISS else 0, value)
        if box.is_joker(card):
            kind = LOW_JOKER if worth == 1 else HIGH_JOKER
        else:
            kind = ONE if worth == 1 else HITTING if hit else MISSING
        cards[kind] += 1
        hits[kind] = hit
    return tuple(cards), tuple(hits)


def _outcome(dealt: tuple[Cards, tuple[bool, ...]], draws: int, two: bool) -> tuple[Fraction, Fraction]:
    """Of so many draws: how many hit on average, and the chance that none does."""
    return _of_draws(dealt[0], NONE, dealt[1], draws, two)


@lru_cache(maxsize=4096)
def _of_draws(deck: Cards, discard: Cards, hits: tuple[bool, ...], draws: int, two: bool) -> tuple[Fraction, Fraction]:
    if not draws:
        return Fraction(0), Fraction(1)
    mean = none = Fraction(0)
    for chance, kind, deck_after, discard_after in _drawn(deck, discard, two):
        more, no_more = _of_draws(deck_after, discard_after, hits, draws - 1, two)
        mean += chance * (more + hits[kind])
        none += 0 if hits[kind] else chance * no_more
    return mean, none


def _drawn(deck: Cards, discard: Cards, two: bool) -> Iterator[tuple[Fraction, int, Cards, Cards]]:
    """The next draw: its chance, the kind of the card that counts, and what then lies in deck and discard."""
    for first, chance in _next(deck):
        rest = _plus(deck, first, -1)
        if not two:
            yield (chance, first, *_after(rest, discard, first))
            continue
        for second, then in _next(rest):
            kept, other = (second, first) if RANK[second] > RANK[first] else (first, second)
            left = _plus(rest, second, -1)
            if other in JOKERS:
                left, thrown = _after(left, discard, other)
            else:
                thrown = _plus(discard, other, 1)
            yield (chance * then, kept, *_after(left, thrown, kept))


def _next(deck: Cards) -> Iterator[tuple[int, Fraction]]:
    every = sum(deck)
    return ((kind, Fraction(count, every)) for kind, count in enumerate(deck) if count)


def _after(deck: Cards, discard: Cards, card: int) -> tuple[Cards, Cards]:
    """Deck and discard once the card that counts has had its effect."""
    if card not in JOKERS:
        return deck, discard
    shuffled = tuple(there + back for there, back in zip(deck, discard, strict=True))
    return _plus(shuffled, card, 1), NONE


def _plus(cards: Cards, kind: int, more: int) -> Cards:
    return tuple(count + more * (one == kind) for one, count in enumerate(cards))
