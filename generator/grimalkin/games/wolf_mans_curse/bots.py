"""Bots for Wolf-Man's Curse, which choose a move from a seat's view and its legal moves.

The sensible bot works out how likely each card is to capture tonight, and the points every seat would then have in the
four columns. It judges the end by probabilities: the seat with the most clubs now is the most likely to be lynched, but
others may still overtake it, and this is likelier the more nights are to come. The numbers that it uses were found by
playing many games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp, sqrt
from operator import mul
from typing import Final

from grimalkin.engine.contract import Bot
from grimalkin.engine.kinds import mask
from grimalkin.engine.play import random_bot
from grimalkin.games.wolf_mans_curse import facts as wm
from grimalkin.games.wolf_mans_curse.board import View
from grimalkin.games.wolf_mans_curse.facts import Cards, strengths

# What the sensible bot believes

CHANGE: Final = 0.8
"""Points of a suit that are captured in a night in addition to those of the number cards: a face card's share."""
MOB: Final = (0.5, 0.75)
"""How many more clubs make a lynching e times as likely: on the last night, and how many to add for each point by
which columns may still change."""
YARD: Final = (0.2, 0.75)
"""The same for spades and hanging."""
RICHES: Final = (1.0, 3.0)
"""The same for diamonds and winning."""
INNOCENCE: Final = exp(8)
"""How many times likelier an innocent seat is to win than a guilty one."""
FALL: Final = 0.3
"""How fast innocence is lost: the rate for each night to come."""
GOOD_VALUE: Final = 6
"""Cards of a higher value are worth keeping for the nights when cards are laid face up."""
KEPT: Final = 0.01
"""The worth of keeping such a card, in wins, for each point of value above that."""
MOST: Final = 300.0
"""The greatest exponent. It keeps products from overflowing."""


def sensible_bot(_: int) -> Bot:
    """Return a bot that lays the card most likely to win the game in the end. It never chooses at random, so it does
    not need a seed."""
    known = None

    def bot(view: View, legal: Sequence[int]) -> int:
        nonlocal known
        if known is None or known.cards is not view.cards:
            known = _Known(view.cards)
        return _Night(known, view).best(legal)

    return bot


class _Known:
    """Facts about the cards that every bot knows before the game."""

    __slots__ = ("cards", "jokers", "lover", "numbers", "suits", "weaker")

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        ranks, suits = cards.ranks, cards.suits
        numbers = [card for card, rank in enumerate(ranks) if not rank]
        self.numbers = mask(numbers)
        self.suits = [mask([card for card in numbers if suits[card] == suit]) for suit in range(len(wm.SUITS))]
        """By suit: the set of its number cards."""
        self.jokers = {card for card, rank in enumerate(ranks) if rank == wm.JOKER}
        pairs = enumerate(zip(suits, ranks, strict=True))
        self.lover = next(card for card, (suit, rank) in pairs if (wm.SUITS[suit], rank) == wm.LOVER)
        self.weaker = []
        """By doubled suit (NO_SUIT last) and card: the set of number cards that the card beats."""
        for doubled in (*range(len(wm.SUITS)), wm.NO_SUIT):
            strong = strengths(cards, doubled)
            self.weaker.append([mask([one for one in numbers if strong[one] < strong[card]]) for card in numbers])


class _Night:
    """Every seat's position and prospects tonight, as one seat sees them.

    A hope is a number without a unit: a living seat's chance of winning is its share of the hopes of all the living.
    """

    __slots__ = (
        "clean",  # the chance that no card still to come tonight is a heart
        "coming",  # by suit: the average number of cards still to come tonight
        "counts",  # whether tonight's captures are scored
        "ends",  # whether the game ends with this night
        "freed",  # the factor of a hope if its seat holds a joker
        "guilt",  # by seat: the chance that it will have hearts when the Yard chooses
        "hope",  # by seat: its hope to be the richest, if alive
        "innocent",  # by seat: whether it has no hearts now
        "jokers",  # by seat
        "known",
        "lying",  # by suit: points on the table tonight, including the moon's
        "mob",  # by seat: how much clubs expose it to the mob
        "rates",  # for clubs, spades and diamonds: how fast a point changes mob, yard and hope
        "to_come",  # how many cards are still to come, or lie face down
        "unseen",  # the set of number cards that may be among them
        "view",
        "yard",  # by seat: how much spades expose it to the Yard
    )

    def __init__(self, known: _Known, view: View) -> None:
        self.known, self.view = known, view
        cards, moon = known.cards, view.moon
        seats = len(view.names)
        self.ends = moon == known.lover
        self.counts = not (self.ends and view.dropped and view.night < wm.NIGHTS)  # WM-AMB-3
        columns = [list(sheet) for sheet in view.sheets]
        self.jokers = list(view.jokers)
        self.lying = [0] * len(wm.SUITS)
        self.to_come = -1
        for seat, pile in enumerate(view.piles):
            for card in pile:
                if card in known.jokers:
                    self.jokers[seat] += 1
                elif self.counts:
                    columns[seat][cards.suits[card]] += cards.points[card]
        for card in view.laid:
            if card < 0:
                self.to_come += 1
            else:
                self.lying[cards.suits[card]] += cards.points[card]
        self.lying[cards.suits[moon]] += cards.points[moon]  # a joker has 0 points, so any column will do (WM-SCORE-4)
        self.unseen = known.numbers & ~view.seen
        unseen = self.unseen.bit_count() or 1
        each = self.to_come / unseen
        self.coming = [(self.unseen & suit).bit_count() * each for suit in known.suits]
        self.clean = (1 - (self.unseen & known.suits[wm.HEARTS]).bit_count() / unseen) ** self.to_come

        nights = self._nights_to_come()
        self.freed = 1 - 1 / seats if nights else 1.0
        change = sqrt(nights / seats) * (seats / len(wm.SUITS) + CHANGE)
        clubs, spades, diamonds = (1 / (last + more * change) for last, more in (MOB, YARD, RICHES))
        self.rates = clubs, spades, diamonds
        most_clubs, most_spades, _, most_diamonds = map(max, zip(*columns, strict=True))
        self.mob = [exp((column[wm.CLUBS] - most_clubs) * clubs) for column in columns]
        self.yard = [exp((column[wm.SPADES] - most_spades) * spades) for column in columns]
        self.innocent = [not column[wm.HEARTS] for column in columns]
        may_fall = 1 - 1 / (1 + FALL * nights)
        self.guilt = [may_fall if innocent else 1.0 for innocent in self.innocent]
        self.hope = [
            exp((column[wm.DIAMONDS] - most_diamonds) * diamonds)
            * (INNOCENCE if innocent else 1.0)
            * (self.freed if jokers else 1.0)
            for column, innocent, jokers in zip(columns, self.innocent, self.jokers, strict=True)
        ]

    def _nights_to_come(self) -> float:
        """Return the average number of nights after this one. The queen of hearts is equally likely to be anywhere in
        the face pile, except that in the first month she goes back into it."""
        if self.ends:
            return 0.0
        sure = wm.NIGHTS - self.view.night if self.view.month == 1 else 0
        return sure + (len(self.view.faces) - sure + 1) / 2

    def best(self, legal: Sequence[int]) -> int:
        """Return the card with the best chance of winning the game; if tied, the first."""
        view, known = self.view, self.known
        weaker = known.weaker[view.doubled]
        suits, points, values = known.cards.suits, known.cards.points, known.cards.values
        lying = [(seat, card) for seat, card in enumerate(view.laid) if card >= 0]
        first, high = -1, -1
        for seat, card in lying:
            if high < 0 or weaker[card] >> high & 1:
                first, high = seat, card
        holds = self._stays(weaker[high]) if lying else 0.0
        others = [seat for seat, card in enumerate(view.laid) if card < 0 and seat != view.seat]
        # Nobody knows which of the seats still to lay captures.
        later = sum([self.chance(seat, wm.CLUBS, 0) for seat in others]) / len(others) if others else 0.0
        nights = 0 if self.ends else wm.NIGHTS - view.night
        chances: dict[int, tuple[float, float]] = {}
        best, found = legal[0], -1.0
        for card in legal:
            suit = suits[card]
            if suit not in chances:
                one = points[card]
                chances[suit] = self.chance(view.seat, suit, one), self.chance(first, suit, one) if lying else 0.0
            own, theirs = chances[suit]
            if not lying or weaker[card] >> high & 1:
                stays = self._stays(weaker[card])
                chance = stays * own + (1 - stays) * later
            else:
                chance = holds * theirs + (1 - holds) * later
            if nights:
                kept = sorted([values[other] for other in legal if other != card])[-nights:]
                chance += KEPT * sum([value - GOOD_VALUE for value in kept if value > GOOD_VALUE])
            if chance > found:
                best, found = card, chance
        return best

    def _stays(self, weaker: int) -> float:
        """Return the chance that a card that beats those in `weaker` is not beaten by any card still to come."""
        return float(((weaker & self.unseen).bit_count() / (self.unseen.bit_count() or 1)) ** self.to_come)

    def chance(self, captor: int, suit: int, points: int) -> float:
        """Return this seat's own chance of winning if `captor` captures tonight, with these points of a suit added to
        what is on the table and what is still to come."""
        mob, yard, guilt, hope = self.mob, self.yard, self.guilt, self.hope
        before = mob[captor], yard[captor], guilt[captor], hope[captor]
        if self.counts:
            won = [one + more for one, more in zip(self.lying, self.coming, strict=True)]
            won[suit] += points
            clubs, spades, diamonds = self.rates
            mob[captor] *= exp(min(won[wm.CLUBS] * clubs, MOST))
            yard[captor] *= exp(min(won[wm.SPADES] * spades, MOST))
            hope[captor] *= exp(min(won[wm.DIAMONDS] * diamonds, MOST))
            if self.innocent[captor]:
                clean = 0.0 if self.lying[wm.HEARTS] or (suit == wm.HEARTS and points) else self.clean
                hope[captor] *= clean + (1 - clean) / INNOCENCE
                guilt[captor] = clean * guilt[captor] + 1 - clean
        if self.ends and self.jokers[captor]:
            hope[captor] = 0.0  # released (WM-END-11)
        elif self.view.moon in self.known.jokers and not self.jokers[captor]:
            hope[captor] *= self.freed
        every_mob, every_yard = sum(mob), sum(yard)
        alive = [
            (1 - clubs / every_mob) * (1 - spades * guilty / every_yard)
            for clubs, spades, guilty in zip(mob, yard, guilt, strict=True)
        ]
        seat = self.view.seat
        own = hope[seat]
        others = sum(map(mul, alive, hope)) - alive[seat] * own
        mob[captor], yard[captor], guilt[captor], hope[captor] = before
        return alive[seat] * own / (own + others) if own else 0.0


BOTS: Final[Mapping[str, Callable[[int], Bot]]] = {"random": random_bot, "sensible": sensible_bot}
