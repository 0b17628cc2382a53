"""Beliefs about hidden cards in Curses & Covens: how likely each card is to be at each place, and what that is worth.

The cards shown in a Census are certain, and after that the beliefs follow what a seat sees. A town also keeps track of
what the Witch Hunter may think, to predict where the Hunter is going to pick. For every card that moved unseen, the
Hunter considers what a sensible town would have moved. The numbers used were found by playing many games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import Final, NamedTuple

from grimalkin.games.curses_and_covens import facts as cc
from grimalkin.games.curses_and_covens.board import View
from grimalkin.games.curses_and_covens.facts import Kind, Spell
from grimalkin.games.curses_and_covens.knowledge import Deed, Entry

OUTLOOK: Final = 0.5
"""The towns' chance of winning at the beginning, as a logit."""
CAPTURED: Final = (0.4, 0.03)
"""How much that falls for each captured witch, and for the square of their number."""
FAKE_CAPTURED: Final = 0.15
"""How much that falls when the fake one can no longer free the others."""
TRAPPED_ONCE: Final = 1.5
"""How much that rises when the Hunter has found a ritual."""
COVEN_WORTH: Final = 0.35
"""The worth, in wins, of a coven still in a town's hand after the Hunt."""
PAIR_WORTH: Final = 0.07
"""The same for two witches of one suit."""
THIRD_WORTH: Final = 0.15
"""The same for the chance of getting a third."""
TOWNS_SHARPNESS: Final = 8.0
"""How strongly towns expect good picks: a pick better by 1 / this, in wins, is e times as likely."""
REASON: Final = 0.1
"""How much better, in wins, a gift must be for the Hunter to think it e times as likely."""
WITCH_MOVES: Final = 2.0
"""How much likelier witches are than other cards to be given away unseen, as towns believe the Hunter thinks."""
WITCH_JOINS: Final = 5.5
"""The same for a witch that joins two others of her suit."""

# Looked up once: each look-up in a class of rows takes about 60 ns.
RITUAL, TOWNSFOLK, WILD, FAKE = Kind.RITUAL, Kind.TOWNSFOLK, Kind.WILD, Kind.FAKE
HIDDEN, HELD, DEALT, SHOWN, DREW, ARRIVED = Deed.HIDDEN, Deed.HELD, Deed.DEALT, Deed.SHOWN, Deed.DREW, Deed.ARRIVED
GAVE, SWAPPED, PICKED, PASSED = Deed.GAVE, Deed.SWAPPED, Deed.PICKED, Deed.PASSED
LAID, HATTED = Deed.LAID, Deed.HATTED
BROKEN_MIRROR: Final = Spell.BROKEN_MIRROR

BRINGS: Final = frozenset((ARRIVED, DREW, DEALT, PASSED))
"""The deeds that bring a town cards from places other than a hand."""
HIDDEN_KIND: Final = RITUAL + 1
"""The kind of a card that has not been shown in a Census."""
TOO_LITTLE: Final = 1e-4
ALMOST: Final = 0.999
NO_PICK: Final = 9.0
"""A value greater than any chance."""


class Beliefs:
    """The conclusions that one seat draws from its log."""

    def __init__(self, view: View) -> None:
        self.hunters = Whereabouts(view, public=True)
        """The Hunter's view of the table and conclusions, as the towns imagine them."""
        self.own = Whereabouts(view, public=False, towns_think=self.hunters if view.seat == cc.HUNTER else None)
        self._seat = view.seat
        self._read: tuple[Entry, ...] = ()

    def has_followed(self, view: View) -> bool:
        """Return whether the log continues from where this mind stopped reading."""
        return bool(self._read) and self._seat == view.seat and view.log[: len(self._read)] == self._read

    def follow(self, view: View) -> None:
        new = view.log[len(self._read) :]
        self._read = view.log
        for table in (self.own, self.hunters):
            table.look(view)
        for entry in new:
            self.own.follow(entry)
            self.hunters.follow(entry)
        for table in (self.own, self.hunters):
            table.settle(view)


class _Hand(NamedTuple):
    """The contents of a hand, on average."""

    size: int
    witches: float
    """The number of witches, including the fake one."""
    fake: float
    rituals: float
    coven: float
    """The chance that the hand has a coven."""
    most: float
    """The number of witches of its best suit, including the wild one."""


def _sum_up(cards: Mapping[int, float], hidden: float, size: int, table: Whereabouts) -> _Hand:
    """Return a hand of these cards, each with its chance of being there, and of that many `hidden` ones."""
    kinds = table.kinds
    witches = rituals = fake = wild = 0.0
    suits: list[list[float]] = [[], [], []]
    for card, chance in cards.items():
        kind = kinds[card]
        if kind is RITUAL:
            rituals += chance
        elif kind is not TOWNSFOLK:
            witches += chance
            if kind < WILD:
                suits[kind].append(chance)
            elif kind is WILD:
                wild = chance
            else:
                fake = chance
    none, most = 1.0, 0.0
    for there in suits:
        if there:
            number = sum(there) + wild
            if number > most:
                most = number
            if number > 1.0 and len(there) + (wild > 0) >= cc.COVEN:
                if len(there) == 2:
                    two, three = there[0] * there[1], 0.0
                else:
                    a, b, c = there
                    three = a * b * c
                    two = a * b + a * c + b * c - 2 * three
                none *= 1 - (wild * two + (1 - wild) * three)
    return _Hand(
        size, witches + hidden * table.hidden_witches, fake, rituals + hidden * table.hidden_rituals, 1 - none, most
    )


class _Hopes(NamedTuple):
    """The towns' chance of winning: now, and after the next pick, by the kind of card shown."""

    now: float
    witch: float
    fake: float
    ritual: float


def _chance(witches: int, rituals: int, fake: bool) -> float:
    """Return the towns' chance of winning, from the cards in front of the Hunter."""
    if witches >= cc.WITCHES_TO_WIN or rituals >= cc.RITUALS_TO_WIN:
        return 1.0 if rituals >= cc.RITUALS_TO_WIN else 0.0
    each, square = CAPTURED
    hope = OUTLOOK - each * witches - square * witches * witches + TRAPPED_ONCE * rituals - FAKE_CAPTURED * fake
    chance: float = 1 / (1 + exp(-hope))
    return chance


def _hopes(view: View) -> _Hopes:
    """Return the towns' chances: a Broken Mirror lets every witch escape (CC-CURSE-2), and the fake one frees all the
    others (CC-HUNT-8)."""
    witches, rituals, cast = len(view.witches), len(view.rituals), view.cast
    fake = any(view.cards.kinds[card] is FAKE for card in view.witches)
    now, ritual = _chance(witches, rituals, fake), _chance(witches, rituals + 1, fake)
    if cast is BROKEN_MIRROR:
        return _Hopes(now, now, now, ritual)
    return _Hopes(now, _chance(witches + 1, rituals, fake), _chance(1, rituals, True), ritual)


class Whereabouts:
    """How likely each card is to be at each place, as one seat sees it: in the hands, by seat, then in the woods."""

    def __init__(self, view: View, public: bool, towns_think: Whereabouts | None = None) -> None:
        """Begin with nothing known. A `public` table shows only what the Hunter sees. `towns_think` predicts where the
        towns expect picks, which explains why a card moved unseen."""
        self.seats = seats = len(view.names)
        self.kinds = view.cards.kinds
        self._public = public
        self._towns_think = towns_think
        self.cards: list[dict[int, float]] = [{} for _ in range(seats + 1)]
        """By place: the chance of each card that may be there."""
        self.hidden = [0.0] * seats + [1.0]
        """By place: the number of other cards there, which have not been shown in a Census."""
        self.sizes = [0] * seats + [1]
        self.hands: list[_Hand | None] = [None] * (seats + 1)
        """By place: both of these, summed up when first needed."""
        self.look(view)
        self.hidden_witches = self.hidden_rituals = 0.0
        """The shares of witches and of rituals among the hidden cards."""

    # Following what happens

    def look(self, view: View) -> None:
        """Update the open cards."""
        self._front = {*view.witches, *view.rituals}
        self._cast = view.cast
        self.hopes = _hopes(view)

    def follow(self, entry: Entry) -> None:
        """Update the chances after an event."""
        deed, source, target, cards = entry
        if deed is GAVE:
            self._move(source, target, self._seen(cards[0], deed))
        elif deed is SWAPPED:
            self._swap(source, self._seen(cards[0], deed), self._seen(cards[1], deed))
        elif deed in BRINGS:
            for card in cards:
                self._come(target, self._seen(card, deed))
        elif deed is SHOWN:
            self._show(source, cards)
        elif deed is PICKED:
            self._go(source, cards[0])
        elif deed is LAID:  # the whole hand follows
            self._show(source, ())
        elif deed is HELD and source > 0:
            for card in cards:
                self._come(source, self._seen(card, deed))
        elif deed is HATTED:
            self._think_of_hidden()
        elif deed is HIDDEN and self._seen(cards[0], deed) != cc.UNSEEN:
            self._set(self.seats, {cards[0]: 1.0}, 0.0)

    def settle(self, view: View) -> None:
        """Make up for the missing part of a log that begins after the game did."""
        if not self._public and view.seat != cc.HUNTER:
            self._set(view.seat, dict.fromkeys(view.hand, 1.0), 0.0)
        for town, size in enumerate(view.sizes):
            if self.sizes[town] != size:
                self.sizes[town] = size
                self._rescale(town, size)

    def _seen(self, card: int, deed: Deed) -> int:
        """Return the card, or UNSEEN if the table is public and the Hunter has not seen it."""
        return cc.UNSEEN if self._public and not (deed.open_to_hunter or deed.open_to_all) else card

    def _set(self, place: int, cards: dict[int, float], hidden: float) -> None:
        self.cards[place] = cards
        self.hidden[place] = hidden
        self.hands[place] = None

    def _show(self, town: int, cards: Sequence[int]) -> None:
        """Set a town's whole hand to these cards."""
        woods = self.seats
        for card in cards:
            gone = self.cards[woods].pop(card, 0.0)
            self.hidden[woods] += gone
        self._set(town, dict.fromkeys(cards, 1.0), 0.0)
        self.sizes[town] = len(cards)

    def _think_of_hidden(self) -> None:
        """After a Census, update the shares of each kind among the cards that have not been shown."""
        kinds = self.kinds
        shown = set(self._front).union(*self.cards)
        rest = [kinds[card] for card in range(len(kinds)) if card not in shown]
        many = len(rest) or 1
        self.hidden_rituals = rest.count(RITUAL) / many
        self.hidden_witches = 1 - self.hidden_rituals - rest.count(TOWNSFOLK) / many

    def _come(self, place: int, card: int) -> None:
        self.sizes[place] += 1
        self.hands[place] = None
        if card == cc.UNSEEN:
            self.hidden[place] += 1
        else:
            self.cards[place][card] = 1.0

    def _go(self, place: int, card: int) -> None:
        """Remove a seen card from a place. It was there, so it was nowhere else."""
        if self.cards[place].get(card, 0.0) < 1:
            for other, cards in enumerate(self.cards):
                cards.pop(card, 0.0)
                self._rescale(other, self.sizes[other] - (other == place))
        else:
            del self.cards[place][card]
        self.sizes[place] -= 1
        self.hands[place] = None

    def _rescale(self, place: int, size: int) -> None:
        """Scale the chances at a place until they add up to its number of cards."""
        cards = self.cards[place]
        self.hands[place] = None
        while True:
            unsure = [card for card, chance in cards.items() if chance < 1]
            missing = size - (len(cards) - len(unsure))
            there = sum([cards[card] for card in unsure]) + self.hidden[place]
            if there <= 0 or missing <= 0:
                break
            for card in unsure:
                cards[card] *= missing / there
            self.hidden[place] *= missing / there
            too_sure = [card for card in unsure if cards[card] > 1]
            if not too_sure:
                return
            for card in too_sure:
                cards[card] = 1.0
        for card in unsure:
            del cards[card]
        self.hidden[place] = max(0, missing)

    def _move(self, town: int, to: int, card: int) -> None:
        if card == cc.UNSEEN:
            self._drift(town, to)
            self.sizes[town] -= 1
            self.sizes[to] += 1
        else:
            self._go(town, card)
            self._come(to, card)

    def _swap(self, town: int, put: int, got: int) -> None:
        woods = self.seats
        if put == cc.UNSEEN:
            before, hidden = self.cards[woods], self.hidden[woods]
            self._set(woods, {}, 0.0)
            self._drift(town, woods)
            here = self.cards[town]
            for card, chance in before.items():
                here[card] = min(1.0, here.get(card, 0.0) + chance)
            self.hidden[town] += hidden
        else:
            self._go(town, put)
            self._go(woods, got)
            self._come(woods, put)
            self._come(town, got)
            self._set(woods, {put: 1.0}, 0.0)

    def _drift(self, town: int, to: int) -> None:
        """Move an unseen card from a town to another place."""
        here, there = self.cards[town], self.cards[to]
        likely = self._habits(town, to) if self._towns_think is None else self._reasons(town, to, self._towns_think)
        weights = {card: chance * likely[self.kinds[card]] for card, chance in here.items()}
        hidden = self.hidden[town] * likely[HIDDEN_KIND]
        total = sum(weights.values()) + hidden
        if total > 0:
            for card, weight in weights.items():
                moved = weight / total
                if moved > TOO_LITTLE:
                    if here[card] - moved > TOO_LITTLE:
                        here[card] -= moved
                    else:
                        del here[card]
                    there[card] = min(1.0, there.get(card, 0.0) + moved)
            self.hidden[to] += hidden / total
            self.hidden[town] = max(0.0, self.hidden[town] - hidden / total)
        # The card that moved was there, so the chances of the others fall.
        self._rescale(town, self.sizes[town] - 1)
        self.hands[to] = None

    def _habits(self, town: int, to: int) -> list[float]:
        """Return, by kind of card, its relative likelihood of being given away."""
        likely = [1.0] * (HIDDEN_KIND + 1)
        at = self.hand(to)
        suits = self.suits_at(to)
        for suit in range(len(cc.SUITS)):
            likely[suit] = WITCH_JOINS if suits[suit] >= 1.5 else WITCH_MOVES
        likely[WILD] = WITCH_JOINS if at.most >= 1.5 else WITCH_MOVES
        return likely

    def _reasons(self, town: int, to: int, towns_think: Whereabouts) -> list[float]:
        """Return, by kind of card, how likely a town that thinks as this bot does is to move it there."""
        here, kinds = self.cards[town], self.kinds
        one_of = {kinds[card]: card for card, chance in sorted(here.items(), key=lambda item: item[1])}
        picks = towns_think.picks_expected()
        worth = {kind: self.worth_of_move(town, to, card, picks) for kind, card in one_of.items()}
        best = max(worth.values(), default=0.0)
        likely = [0.0] * (HIDDEN_KIND + 1)
        for kind, value in worth.items():
            likely[kind] = max(TOO_LITTLE, exp((value - best) / REASON))
        likely[HIDDEN_KIND] = sum(likely) / (len(worth) or 1) / 2  # as likely as half of the others, on average
        return likely

    # The worth of hands, picks and moves

    def hand(self, place: int) -> _Hand:
        hand = self.hands[place]
        if hand is None:
            hand = self.hands[place] = _sum_up(self.cards[place], self.hidden[place], self.sizes[place], self)
        return hand

    def suits_at(self, place: int) -> list[float]:
        """Return how many witches of each suit are at a place, including the wild one."""
        suits = [0.0] * len(cc.SUITS)
        wild, kinds = 0.0, self.kinds
        for card, chance in self.cards[place].items():
            if kinds[card] < WILD:
                suits[kinds[card]] += chance
            elif kinds[card] is WILD:
                wild = chance
        return [number + wild for number in suits]

    def values_of_picks(self) -> list[float]:
        """Return, by seat, the towns' chance of winning if the Hunter picks there; more than 1 if the Hunter cannot."""
        now, witch, fake, ritual = self.hopes
        hands = [self.hand(town) for town in range(1, self.seats)]
        no_coven = 1.0
        for hand in hands:
            no_coven *= 1 - min(hand.coven, ALMOST)
        values = [NO_PICK]
        for size, witches, fakes, rituals, coven, _ in hands:
            if size <= 0:
                values.append(NO_PICK)
                continue
            elsewhere = no_coven / (1 - min(coven, ALMOST))
            fakes, others, traps = fakes / size, max(0.0, witches - fakes) / size, rituals / size
            rest = max(0.0, 1 - fakes - others - traps)
            values.append(
                others * (1 - elsewhere * (1 - witch))
                + fakes * (1 - elsewhere * (1 - fake))
                + traps * (1 - no_coven * (1 - ritual))
                + rest * (1 - no_coven * (1 - now))
            )
        return values

    def picks_allowed(self) -> int:
        return cc.PICKS if self._cast is None else self._cast.picks

    def picks_expected(self) -> list[float]:
        """Return, by seat, how often the Hunter is expected to pick there."""
        values = self.values_of_picks()
        least = min(values)
        odds = [exp(-TOWNS_SHARPNESS * (value - least)) if value < NO_PICK else 0.0 for value in values]
        share = self.picks_allowed() / (sum(odds) or 1)
        return [one * share for one in odds]

    def worth(self, hand: _Hand, picks: float) -> float:
        """Return a hand's worth to the towns, in wins, if that many picks are expected there."""
        size, witches, fake, rituals, coven, most = hand
        hopes = self.hopes
        if size <= 0:
            return 0.0
        hit = min(1.0, witches / size)
        loss = (hopes.now - hopes.witch) * max(0.0, witches - fake) - (hopes.fake - hopes.now) * fake
        worth = picks / size * ((hopes.ritual - hopes.now) * rituals - loss)
        missed = (1 - hit) ** picks
        if coven:
            many = max(picks, cc.PICKS)
            worth += COVEN_WORTH * coven * max(0.0, 1 - picks / many * min(1.0, max(hit, cc.COVEN / size))) ** many
        if most > 1:
            worth += (PAIR_WORTH * min(most - 1, 1) + THIRD_WORTH * max(0.0, min(most - 2, 1))) * missed
        return worth

    def worth_of_move(self, town: int, to: int, card: int, picks: Sequence[float]) -> float:
        """Return the worth of two towns' hands after a card that may be in the first has moved to the second, or to the
        woods."""
        here, there, woods = self.cards[town], self.cards[to], self.seats
        size, hidden = self.sizes[town], self.hidden[town]
        chance = here.pop(card)
        if to == woods:
            known = {one: more for one, more in there.items() if one not in here}
            worth = self.worth(_sum_up({**here, **known}, hidden + self.hidden[woods], size, self), picks[town])
        else:
            before = there.get(card)
            there[card] = 1.0
            worth = self.worth(_sum_up(here, hidden, size - 1, self), picks[town])
            worth += self.worth(_sum_up(there, self.hidden[to], self.sizes[to] + 1, self), picks[to])
            if before is None:
                del there[card]
            else:
                there[card] = before
        here[card] = chance
        return worth

    def gain(self, town: int, card: int, picks: float) -> float:
        """Return the worth of one more card in a town's hand."""
        cards = self.cards[town]
        more = _sum_up({**cards, card: 1.0}, self.hidden[town], self.sizes[town] + 1, self)
        return self.worth(more, picks) - self.worth(self.hand(town), picks)
