"""A game of Werecats in progress: legal moves, their effects and views.

The deck has no order: it is the set of villagers that nobody has seen, above the cards that a Scare put under it, in
order. An unseen card is drawn when it is turned up.

In the facts of events and refusals, `seat` is a name, `cat` the werecat of that seat that acts or gets food, with
`cat-force`, and `card` the card that is eaten, converted or mentioned, with `force` and `will`; `food` is the food on
`cat` or on `payer`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grimalkin.engine.chance import Chance
from grimalkin.engine.contract import Facts
from grimalkin.engine.kinds import (
    ByPiece,
    Card,
    CardSet,
    Each,
    Flag,
    Number,
    Option,
    Pile,
    Plain,
    Seat,
    Seats,
    Word,
    members,
)
from grimalkin.engine.law import law
from grimalkin.engine.loading import Laying, seat_misfits
from grimalkin.engine.shape import Choice, Misfit, Path, Shape, Table, Whole
from grimalkin.engine.state import Declared, begin
from grimalkin.engine.words import (
    NO_FACTS,
    OVER,
    Event,
    Fact,
    Refusal,
    Result,
    Score,
    Tally,
    listed,
    sentence,
    tell,
)
from grimalkin.games.werecats.facts import (
    ACTING,
    AGAIN,
    CARD_BITS,
    CHOOSE,
    CHOOSING,
    CITY_SIZE,
    CONVERT,
    DIVE,
    DONE,
    DRAG,
    DRAW,
    EAT,
    ENDED,
    EVERY_JEWEL,
    EXTRA_COST,
    FOOD_LAST,
    MEAL,
    MOST_WERECATS,
    NOBODY,
    NOTHING,
    OPTIONS,
    PHASES,
    POWER_OF_VERB,
    POWERS,
    REANIMATE,
    REANIMATE_COST,
    REST,
    SCARE,
    SCARED_IN,
    SEATS,
    SET_UP_FORCE,
    SHARE,
    START_FOOD,
    VERB_BITS,
    Box,
    Cards,
    box_of,
)
from grimalkin.games.werecats.refusals import why_not
from grimalkin.games.werecats.scoring import (
    created_lines,
    has_every_jewel,
    jewel_facts,
    jewel_lines,
    jewel_notes,
    villager_lines,
    winners,
)

PLACES = ("1st", "2nd", "3rd", "4th")


@law("WC-AMB-16", "WC-AMB-25")
class View(NamedTuple):
    """A seat's view, which shows everything except the order of the deck. Graveyards and scared cards were once open,
    so everybody may see them. Cards are numbers, and sets of cards are bit masks."""

    seat: int
    cards: Cards
    to_act: int
    phase: int
    round: int
    rounds: int
    """The last round, or 0."""
    first: int
    """The seat that chose first."""
    acting: int
    """The werecat whose turn it is, or NOTHING."""
    eaten: int
    """While a power may be used, the card just eaten; otherwise NOTHING."""
    meal: int
    """Food from that card that has not been handed out yet."""
    used: bool
    """Whether the acting werecat has used a food power in this turn."""
    scared: int
    """The set of seats that have scared the City in this round, as a bit mask."""
    cats: tuple[int, ...]
    """The set of each seat's werecats."""
    food: tuple[int, ...]
    """The food on each card."""
    graveyards: tuple[tuple[int, ...], ...]
    city: tuple[int, ...]
    """The oldest first."""
    deck: int
    """The set of villagers in the deck that nobody has seen."""
    under: tuple[int, ...]
    """The known cards under them, the top one first."""


def villagers(box: Box) -> tuple[str, ...]:
    return tuple(box.ids[card] for card in members(box.villagers))


class Cats(Each[int]):
    """The set of each seat's werecats; in records, with the food on each."""

    def __init__(self) -> None:
        about = (
            "The seat's werecats, each with the food on it, or a list of them with no food. One of them is a starting "
            'cat, unless "start" names it.'
        )
        super().__init__(CardSet(about, place="{}'s werecats"))

    def lines(self, x: str, into: str) -> list[str]:
        return [f"{into}['cats'] = {{ids[card]: self.food[card] for card in members({x}[seat])}}"]

    def shapes(self, box: Box) -> dict[str, Shape]:
        starting = tuple(box.ids[card] for card in members(box.starting))
        return {
            "start": Choice(starting, "The seat's starting cat, with no food."),
            "cats": Table(Whole(), tuple(box.ids), self.about, listed=0, load="food"),
        }

    def lay(self, into: State, record: Mapping[str, Any], at: Path, reading: Laying, whose: str = "") -> None:
        numbers = into.box.numbers
        for seat, (name, has) in enumerate(record["seats"].items()):
            cats = dict(has.get("cats", {}))
            if has.get("start") in cats:
                again = f"{has['start']} is among the cats too"
                reading.wrong(("seats", name, "start"), again, "name it in one place")
            elif "start" in has:
                cats[has["start"]] = 0
            into.cats[seat] = self.inner.read(cats, ("seats", name, "cats"), reading, name)
            into.column |= into.cats[seat]
            for id_, food in cats.items():
                into.food[numbers[id_]] = food


class State(Declared[Box, View]):
    """A game of Werecats in progress."""

    phase = Word(
        PHASES,
        CHOOSING,
        "Default: acting; while a seat has no werecat, choosing; when a card is eaten, meal.",
        always=True,
    )
    round = Number(1, "Default: 1.", least=1, always=True)
    first = Seat("The seat that chose its starting cat first (default: the first seat).", always=True)
    turn = Seat(
        "The seat to act (default: what the rules give).",
        key="to-act",
        view="to_act",
        when=(CHOOSING, ACTING, MEAL),
        always=True,
    )
    acting = Card("The werecat whose turn it is (default: the first of all in Turn Order).", when=(ACTING, MEAL))
    used = Flag(
        "Whether the werecat whose turn it is has used a food power in this turn (default: no).", when=(ACTING, MEAL)
    )
    eaten = Card("In phase meal: the card just eaten, whose food power may be used.", of=villagers, when=(MEAL,))
    meal = Number(
        0,
        "In phase meal, with Sharing or ReAnimate: food not yet handed out (default: all the card's food).",
        least=1,
        when=(MEAL,),
    )
    scared = Seats("The seats that have scared the City in this round (default: none).", when=(ACTING, MEAL))
    rounds = Option(OPTIONS, "rounds", 0)
    city = Pile("The villagers in the City, the oldest first (default: none).", of=villagers, place="the City")
    deck = CardSet(
        "The villagers in the deck that nobody has seen, in any order (default: every villager that is nowhere "
        "else). If it is written, villagers that are nowhere are out of this game.",
        of=villagers,
        place="the deck",
    )
    under = Pile(
        "The known cards under the deck, the top one first (default: none).", of=villagers, place="under the deck"
    )
    cats = Cats()
    food = ByPiece()
    graveyards = Each(
        Pile(
            "The villagers in the seat's Graveyard, the oldest first (default: none).",
            of=villagers,
            place="{}'s Graveyard",
        ),
        key="graveyard",
    )
    column = Plain(0)
    """The set of all werecats."""

    def begin(self) -> None:
        self.deck = self.box.villagers

    def to_act(self) -> int:
        return self.turn

    def turn_key(self) -> tuple[int, int]:
        """Return the key of a turn: one werecat's turn (WC-ROUND-4), or one choice in set-up."""
        return self.round, self.acting

    # What is allowed

    @law("WC-AMB-31")
    def legal(self) -> list[int]:
        """Return every legal move in the order of its number. This is a faster equivalent of `why_not`.

        With an empty City and an empty deck, diving, scaring and resting remain (WC-AMB-31).
        """
        phase = self.phase
        box = self.box
        if phase == ACTING:
            cat = self.acting
            strength = box.cards.forces[cat] + self.food[cat]
            city = sorted(self.city)
            needs = box.eat_needs
            moves = [card for card in city if needs[card] <= strength]
            needs = box.convert_needs
            moves += [CONVERT | card for card in city if needs[card] <= strength]
            moves += box.calm_actions if self.scared >> self.turn & 1 else box.actions
            return moves
        if phase == MEAL:
            return self._power_moves()
        if phase == CHOOSING:
            return [CHOOSE | card for card in members(box.starting & ~self.column)]
        return []

    def _power_moves(self) -> list[int]:
        seat, asked = self.turn, self.box.asks[self.eaten]
        if self._power_is_spent():
            return [DONE]
        if asked == SHARE:
            own = members(self.cats[seat] & ~(1 << self.acting)) if self.meal else []
            vigors = self.box.cards.vigors
            return [*(SHARE | card for card in own if self.food[card] < vigors[card]), DONE]
        if asked == DRAG:
            return [*(DRAG | card for card in sorted(self.city)), DONE]
        if asked == DRAW:
            return [DRAW, DONE]
        payer = self.food[self._starting(seat)]
        if asked == AGAIN:
            return [AGAIN, DONE] if payer >= EXTRA_COST else [DONE]
        if payer < REANIMATE_COST:
            return [DONE]
        return [*(REANIMATE | card for card in sorted(self.graveyards[seat])), DONE]

    def _power_is_spent(self) -> bool:
        """Return whether a power was used in this turn before the card just eaten, whose power is then lost (WC-PWR-8).

        Sharing that has begun may continue; it can be recognised by the food already handed out.
        """
        return self.used and self.meal in (0, self.box.cards.corpulences[self.eaten])

    def why_not(self, move: int) -> Refusal | None:
        """Return why a move is not legal, or None. It decides about every move that `read` can return."""
        return why_not(self, move)

    def _strength(self) -> int:
        """Return the Force of the acting cat if it spends all its food."""
        return self.box.cards.forces[self.acting] + self.food[self.acting]

    # What happens

    def apply(self, move: int, log: list[Event] | None = None) -> None:
        verb, card = move & VERB_BITS, move & CARD_BITS
        if verb == EAT:
            self._eat(card, log)
        elif verb == CONVERT:
            self._convert(card, log)
        elif verb == DIVE:
            self._dive(log)
        elif verb == SCARE:
            self._scare(log)
        elif verb == REST:
            self._rest(log)
        elif verb == CHOOSE:
            self._choose(card, log)
        elif verb == DONE:
            self._done(log)
        elif verb == SHARE:
            self._share(card, log)
        elif verb == DRAG:
            self._drag(card, log)
        elif verb == DRAW:
            self._draw_one(log)
        elif verb == AGAIN:
            self._again(log)
        else:
            self._reanimate(card, log)

    # Set-up

    def _choose(self, card: int, log: list[Event] | None) -> None:
        """Choose a starting cat, which comes with its food (WC-AMB-32)."""
        seat = self.turn
        if log is not None:
            who = self.seats[seat]
            if not self.column:
                drawn = f"{who} won the draw to choose first; the others follow clockwise."
                tell(log, "WC-AMB-19", drawn, seat=who)
            text = f"{who} chooses {self._the(card)}, which begins with {START_FOOD} food."
            tell(log, "WC-SETUP-1", text, seat=who, card=self.box.ids[card], food=START_FOOD)
        self._add_cat(seat, card)
        self.food[card] = START_FOOD
        self.turn = (seat + 1) % len(self.seats)
        if self.turn == self.first:
            self._lay_city(log)
            self._begin_round(log)

    @law("WC-AMB-5")
    def _lay_city(self, log: list[Event] | None) -> None:
        """Lay the first City. Set aside villagers with Force 3 or more until it is full, even those that replace others
        (WC-AMB-5). Then shuffle them back into the deck, where they are as unseen as the rest (WC-SETUP-4)."""
        aside = []
        while len(self.city) < CITY_SIZE and self.deck:
            (card,) = self._draw(1)
            if self.box.cards.forces[card] >= SET_UP_FORCE:
                aside.append(card)
            else:
                self.city.append(card)
        for card in aside:
            self.deck |= 1 << card
        if log is not None:
            text = f"The first City: {self._list(self.city) if self.city else 'nobody'}."
            tell(log, "WC-SETUP-3", text, cards=self._ids(self.city))
            if aside:
                text = f"Shuffled back into the deck, with Force {SET_UP_FORCE} or more: {self._list(aside)}."
                tell(log, "WC-SETUP-4", text, cards=self._ids(aside), force=SET_UP_FORCE)

    # Rounds and turns

    @law("WC-ROUND-1", "WC-AMB-11")
    def _begin_round(self, log: list[Event] | None) -> None:
        """Begin a round by filling the City (WC-CITY-2), unless it already holds 6 or more (WC-AMB-11)."""
        if log is not None:
            tell(log, "WC-ROUND-2", f"Round {self.round} begins; the lowest Turn Order acts first.", round=self.round)
        if len(self.city) < CITY_SIZE:
            self._fill_city("WC-CITY-2", log)
        self._up(members(self.column)[0], log)

    @law("WC-ROUND-2", "WC-ROUND-3")
    def _end_turn(self, log: list[Event] | None) -> None:
        """Give the turn to the next werecat: the lowest number above the one that has acted, so each has one turn a
        round. A werecat made in this round has its turn too if its number is higher (WC-AMB-7)."""
        self.used = False
        after = self.column >> self.acting + 1
        if after:
            self._up(self.acting + (after & -after).bit_length(), log)
        else:
            self._end_round(log)

    def _up(self, cat: int, log: list[Event] | None) -> None:
        """Begin this werecat's turn."""
        self.acting = cat
        self.phase = ACTING
        for seat, cats in enumerate(self.cats):
            if cats >> cat & 1:
                self.turn = seat
        if log is not None:
            orders, red = self.box.cards.orders, self.box.cards.reds[cat]
            for other in members(self.column):
                if orders[other] == orders[cat] and other != cat:
                    both = f"{self._cat()} and {self._name(other)} have Turn Order {orders[cat]}"
                    why = "the red border acts first" if red else "the red border has already acted"
                    text = f"{both}; {why}, so {self._the(cat)} is up."
                    tell(log, "WC-ROUND-6", text, **self._acts(), other=self.box.ids[other], order=orders[cat])

    @law("WC-AMB-10")
    def _end_round(self, log: list[Event] | None) -> None:
        """End the round, and the game if it must end. The deck is checked only now, after a full round (WC-AMB-10)."""
        ends = self.ends()
        self.acting = NOTHING
        self.scared = 0
        if ends:
            self.phase = ENDED
            self.turn = OVER
            if log is not None:
                log += [Event(rule, sentence, facts=facts) for rule, _, sentence, facts in ends]
                tell(log, "WC-END-4", f"Round {self.round} is complete, and the game is over.", round=self.round)
            return
        self.round += 1
        self._begin_round(log)

    def ends(self) -> list[tuple[str, str, str, Mapping[str, Fact]]]:
        """Return the reasons for this round to be the last, as of now: (rule, word for a tally, sentence, facts)."""
        ends: list[tuple[str, str, str, Mapping[str, Fact]]] = []
        for seat, cats in enumerate(self.cats):
            if cats.bit_count() > EVERY_JEWEL and has_every_jewel(self._jewels(seat)):
                shows = f"{self.seats[seat]}'s created werecats have all {EVERY_JEWEL} jewels."
                ends.append(("WC-END-3", "five jewels", shows, {"seat": self.seats[seat], "jewels": EVERY_JEWEL}))
        for seat, cats in enumerate(self.cats):
            if cats.bit_count() >= MOST_WERECATS:
                owns = f"{self.seats[seat]} owns {cats.bit_count()} werecats."
                facts: dict[str, Fact] = {"seat": self.seats[seat], "werecats": cats.bit_count()}
                ends.append(("WC-END-2", "eight werecats", owns, facts))
        if not self.deck and not self.under:
            ends.append(("WC-END-1", "empty deck", "The deck is empty.", NO_FACTS))
        if 0 < self.rounds <= self.round:
            agreed = f"The players agreed that round {self.rounds} is the last."
            ends.append(("WC-AMB-27", "last round", agreed, {"rounds": self.rounds}))
        return ends

    # The deck and the City

    @law("WC-SETUP-2", "WC-AMB-9")
    def _draw(self, count: int) -> list[int]:
        """Draw cards from the top of the deck, fewer if it holds fewer (WC-AMB-9): first unseen ones, each equally
        likely (WC-SETUP-2), then the known ones under them."""
        drawn: list[int] = []
        if self.deck:
            box = self.box
            deck = self.deck
            pool = [id_ for bit, id_ in box.bits if deck & bit]
            while pool and len(drawn) < count:
                id_ = self.chance.pick("city", pool)
                pool.remove(id_)
                drawn.append(box.numbers[id_])
                self.deck ^= 1 << drawn[-1]
        more = count - len(drawn)
        if more and self.under:
            drawn += self.under[:more]
            del self.under[:more]
        return drawn

    @law("WC-SETUP-5", "WC-AMB-26")
    def _fill_city(self, rule: str, log: list[Event] | None) -> None:
        """Fill the City up to 6, with new cards at its end (WC-AMB-26), of any Force (WC-SETUP-5)."""
        drawn = self._draw(CITY_SIZE - len(self.city))
        self.city += drawn
        if log is not None:
            if drawn:
                tell(log, rule, f"New in the City: {self._list(drawn)}.", cards=self._ids(drawn))
            self._log_short_city(log)

    def _log_short_city(self, log: list[Event]) -> None:
        if len(self.city) < CITY_SIZE:
            only = f"The deck is empty, so the City holds {len(self.city)} of {CITY_SIZE} cards."
            tell(log, "WC-AMB-9", only, city=len(self.city), size=CITY_SIZE)

    @law("WC-CITY-3", "WC-CITY-4")
    def _fill_empty_city(self, rule: str, log: list[Event] | None) -> None:
        """Fill the City during a round, but only when its last card is taken (WC-CITY-3, WC-CITY-4), whether by eating,
        converting or dragging (WC-AMB-29)."""
        if not self.city:
            if log is not None:
                tell(log, rule, "The City's last card is gone, so the players fill it immediately.")
            self._fill_city("WC-CITY-3", log)

    # Actions

    @law("WC-FOOD-1", "WC-EAT-2", "WC-CONV-2", "WC-AMB-21")
    def _spend(self, need: int, log: list[Event] | None) -> None:
        """Spend as much of the acting cat's own food as raises its Force to what it needs (WC-AMB-21)."""
        cat = self.acting
        force = self.box.cards.forces[cat]
        if need > force:
            self.food[cat] -= need - force
            if log is not None:
                spends = f"{self._cat()} spends {need - force} food, {self.food[cat]} left"
                total = f"Force {force} + {need - force} = {need} for this action"
                facts = {"spent": need - force, "food": self.food[cat], "cat-force": force, "needed": need}
                log.append(Event("WC-FOOD-2", f"{spends}: {total}.", facts={**self._acts(), **facts}))

    def _receive(self, rule: str, amount: int, log: list[Event] | None) -> None:
        """Give the acting cat food, up to its Vigor; the rest goes back to the stock (WC-FOOD-3)."""
        cat, vigor = self.acting, self.box.cards.vigors[self.acting]
        had = self.food[cat]
        now = self.food[cat] = had + amount if had + amount < vigor else vigor
        if log is not None:
            text = f"{self._cat()} gets {now - had} food and holds {now}."
            tell(log, rule, text, **self._acts(), gained=now - had, food=now)
            if now < had + amount:
                full = f"the Vigor of {self._the(cat)} is {vigor}"
                back = f"so {had + amount - now} of {amount} food goes back to the stock"
                text = sentence(f"{full}, {back}.")
                tell(log, "WC-FOOD-3", text, **self._acts(), vigor=vigor, brought=amount, returned=had + amount - now)

    @law("WC-AMB-12")
    def _eat(self, card: int, log: list[Event] | None) -> None:
        """Eat a villager. An emptied City is filled before the eater decides about a power (WC-AMB-12, WC-AMB-28)."""
        box = self.box
        self._spend(box.eat_needs[card], log)
        if log is not None:
            what = f"{self._the(card)} (Force {box.cards.forces[card]})"
            text = f"{self._cat()} eats {what}, which goes to {self.seats[self.turn]}'s Graveyard."
            tell(log, "WC-EAT-3", text, **self._acts(), card=box.ids[card], force=box.cards.forces[card])
        self.city.remove(card)
        self.graveyards[self.turn].append(card)
        asked = box.asks[card]
        if asked in FOOD_LAST:
            self.meal = box.cards.corpulences[card]
        else:
            self._receive("WC-EAT-4", box.cards.corpulences[card], log)
        self._fill_empty_city("WC-CITY-3", log)
        if asked == NOTHING:
            self._end_turn(log)
            return
        self.phase = MEAL
        self.eaten = card
        if log is not None and self.used:
            power = POWER_OF_VERB[asked].name
            second = f"{self._the(card)} is the second card of this turn, so its {power} is lost"
            tell(log, "WC-PWR-9", sentence(f"{second}."), card=box.ids[card], power=power)

    @law("WC-CONV-4")
    def _convert(self, card: int, log: list[Event] | None) -> None:
        """Convert a villager, which gives no food, no card for the Graveyard and no power (WC-CONV-4)."""
        self._spend(self.box.convert_needs[card], log)
        if log is not None:
            resists = f"Force {self.box.cards.forces[card]}, Will {self.box.cards.wills[card]}"
            facts: dict[str, Fact] = {**self._acts(), "card": self.box.ids[card]}
            facts |= {"force": self.box.cards.forces[card], "will": self.box.cards.wills[card]}
            log.append(Event("WC-CONV-1", f"{self._cat()} converts {self._the(card)} ({resists}).", facts=facts))
        self.city.remove(card)
        self._create(card, log)
        self._fill_empty_city("WC-AMB-29", log)
        self._end_turn(log)

    @law("WC-CARD-9", "WC-AMB-8")
    def _create(self, card: int, log: list[Event] | None) -> None:
        """Make a villager a werecat with its own Vigor, Force and Turn Order, and no food (WC-AMB-8). It acts in this
        round if its number is higher than the acting werecat's (WC-AMB-7)."""
        self._add_cat(self.turn, card)
        if log is not None:
            who, order = self.seats[self.turn], self.box.cards.orders[card]
            laid = f"{self._the(card)} joins {who}'s werecats at Turn Order {order}, with no food"
            tell(log, "WC-CONV-3", sentence(f"{laid}."), seat=who, card=self.box.ids[card], order=order)
            acting = self.box.cards.orders[self.acting]
            tie = ", red border first" if acting == order else ""
            when = "still acts in this round" if card > self.acting else "has missed its turn in this round"
            text = f"The werecat at Turn Order {acting} is acting{tie}, so {self._the(card)} {when}."
            tell(log, "WC-AMB-7", text, **self._acts(), card=self.box.ids[card], order=acting, acts=card > self.acting)
            if self.cats[self.turn].bit_count() == MOST_WERECATS:
                text = f"{who} now owns {MOST_WERECATS} werecats, so this round is the last."
                tell(log, "WC-END-2", text, seat=who, werecats=MOST_WERECATS)
            jewels = self._jewels(self.turn)
            if has_every_jewel(jewels) and jewels[self.box.cards.jewels[card]] == 1:
                text = f"{who} now has all {EVERY_JEWEL} jewels, so this round is the last."
                tell(log, "WC-END-3", text, seat=who, jewels=EVERY_JEWEL)

    def _add_cat(self, seat: int, card: int) -> None:
        self.cats[seat] |= 1 << card
        self.column |= 1 << card

    @law("WC-AMB-22")
    def _dive(self, log: list[Event] | None) -> None:
        """Dive for food. A full cat may dive too, but gets nothing (WC-AMB-22)."""
        self._receive("WC-DIVE-1", 1, log)
        self._end_turn(log)

    @law("WC-AMB-6")
    def _scare(self, log: list[Event] | None) -> None:
        """Put the whole City under the deck, unshuffled, the oldest card on top (WC-AMB-6), and then draw new cards. If
        the deck is short, some of the same cards come back (WC-AMB-30)."""
        old = self.city
        self.under += old
        self.city = self._draw(SCARED_IN)
        self.scared |= 1 << self.turn
        if log is not None:
            tell(log, "WC-SCARE-1", f"{self._cat()} scares the City.", **self._acts())
            if old:
                tell(
                    log,
                    "WC-SCARE-2",
                    f"These go under the deck in this order: {self._list(old)}.",
                    cards=self._ids(old),
                )
            if self.city:
                text = f"New in the City: {self._list(self.city)}."
                tell(log, "WC-SCARE-1", text, cards=self._ids(self.city))
            back = [card for card in self.city if card in old]
            if back:
                text = f"The deck had too few other cards, so these come back: {self._list(back)}."
                tell(log, "WC-AMB-30", text, cards=self._ids(back))
            elif not self.city:
                tell(log, "WC-AMB-30", "The City and the deck are empty, so nothing changes.")
            self._log_short_city(log)
        self._end_turn(log)

    def _rest(self, log: list[Event] | None) -> None:
        if log is not None:
            tell(log, "WC-ROUND-4", f"{self._cat()} takes no action.", **self._acts())
        self._end_turn(log)

    # Food powers

    def _end_meal(self, log: list[Event] | None) -> None:
        self.eaten = NOTHING
        self.meal = 0
        self._end_turn(log)

    def _done(self, log: list[Event] | None) -> None:
        """Decline a power, or stop using it. The eater gets the food that is left."""
        if log is not None and not self.used:
            name = POWER_OF_VERB[self.box.asks[self.eaten]].name
            text = f"{self._cat()} does not use {name}."
            tell(log, "WC-EAT-5", text, **self._acts(), card=self.box.ids[self.eaten], power=name)
        if self.meal:
            self._receive("WC-EAT-4", self.meal, log)
        self._end_meal(log)

    def _share(self, card: int, log: list[Event] | None) -> None:
        """Share one food, since a meal may be split among werecats (WC-AMB-13)."""
        self.used = True
        self.meal -= 1
        self.food[card] += 1
        if log is not None:
            gets = f"{self._name(card)} gets 1 food from the meal and holds {self.food[card]}"
            facts: dict[str, Fact] = {"seat": self.seats[self.turn], "cat": self.box.ids[card]}
            facts |= {"gained": 1, "food": self.food[card], "left": self.meal}
            log.append(Event("WC-PWR-2", f"{gets}; {self.meal} left.", facts=facts))
        if not self.meal:
            self._end_meal(log)

    def _drag(self, card: int, log: list[Event] | None) -> None:
        """Drag a villager, which gives no food and no power, but keeps its High Value for the end (WC-AMB-33)."""
        self.city.remove(card)
        self.graveyards[self.turn].append(card)
        if log is not None:
            drags = f"{self._cat()} drags {self._the(card)} into {self.seats[self.turn]}'s Graveyard, for no food"
            dragged: dict[str, Fact] = {"card": self.box.ids[card]}
            tell(log, "WC-PWR-3", f"{drags}.", **self._acts(), **dragged)
            power = self.box.cards.powers[card]
            if power == "value":
                keeps = f"High Value is never used, so {self._the(card)} keeps it."
                tell(log, "WC-AMB-33", keeps, **dragged)
            elif power:
                lost = POWERS[power].name
                second = f"{self._the(card)} is the second card of this turn, so its {lost} is lost"
                tell(log, "WC-PWR-9", sentence(f"{second}."), **dragged, power=lost)
        self._fill_empty_city("WC-AMB-29", log)
        self._end_meal(log)

    def _draw_one(self, log: list[Event] | None) -> None:
        """Draw one villager for the City, even beyond 6 (WC-AMB-11). From an empty deck, none comes (WC-AMB-32)."""
        drawn = self._draw(1)
        self.city += drawn
        if log is not None:
            if drawn:
                joins = f"{self._the(drawn[0])} joins the City, which holds {len(self.city)}"
                tell(log, "WC-PWR-5", sentence(f"{joins}."), card=self.box.ids[drawn[0]], city=len(self.city))
            else:
                tell(log, "WC-AMB-32", "The deck is empty, so nobody joins the City.")
        self._end_meal(log)

    @law("WC-AMB-14")
    def _again(self, log: list[Event] | None) -> None:
        """Take another action. The starting cat pays after the meal, so if it is the eater itself, it can pay with the
        food just received (WC-AMB-14)."""
        payer = self._starting(self.turn)
        self.food[payer] -= EXTRA_COST
        self.used = True
        self.eaten = NOTHING
        self.phase = ACTING
        if log is not None:
            pays = f"{self._name(payer)} pays {EXTRA_COST} food, {self.food[payer]} left"
            text = f"{pays}: {self._cat()} acts again."
            tell(
                log, "WC-PWR-6", text, **self._acts(), payer=self.box.ids[payer], cost=EXTRA_COST, food=self.food[payer]
            )

    @law("WC-AMB-15")
    def _reanimate(self, card: int, log: list[Event] | None) -> None:
        """Reanimate any card from the seat's own Graveyard, even the one just eaten, whatever its Force (WC-AMB-15).
        The food from the meal is given up."""
        payer = self._starting(self.turn)
        self.food[payer] -= REANIMATE_COST
        self.graveyards[self.turn].remove(card)
        if log is not None:
            pays = f"{self._name(payer)} pays {REANIMATE_COST} food, {self.food[payer]} left"
            gives = f"{self._cat()} gives up {self.meal} food"
            rises = f"{self._the(card)} rises from {self.seats[self.turn]}'s Graveyard"
            facts: dict[str, Fact] = {**self._acts(), "card": self.box.ids[card]}
            facts |= {"payer": self.box.ids[payer], "cost": REANIMATE_COST}
            facts |= {"food": self.food[payer], "given-up": self.meal}
            log.append(Event("WC-PWR-7", f"{pays}, and {gives}: {rises}.", facts=facts))
        self._create(card, log)
        self._end_meal(log)

    # What can be seen

    def imagine(self, unused_seat: int, chance: Chance) -> State:
        """Return a copy with this chance: only future draws are hidden, and they are not yet made."""
        return self.with_chance(chance)

    def pieces(self) -> Mapping[str, int]:
        lying = [*self.city, *self.under, *members(self.deck)]
        lying += [card for cards in self.graveyards for card in cards]
        lying += [card for cats in self.cats for card in members(cats)]
        lying += members(self.box.starting & ~self.column)
        return {id_: lying.count(card) for card, id_ in enumerate(self.box.cards.ids) if card in lying}

    @law("WC-SCORE-5")
    def score(self) -> list[Score]:
        """Return every seat's score: Graveyard, created werecats and jewels (WC-SCORE-5)."""
        scores = []
        for seat, name in enumerate(self.seats):
            high = sum(self.box.high_value >> card & 1 for card in self.graveyards[seat])
            jewels = self._jewels(seat)
            lines = villager_lines(len(self.graveyards[seat]) - high, high)
            lines += created_lines(self._created(seat)) + jewel_lines(jewels)
            facts = {"created": self._created(seat), "food": self._food(seat), **jewel_facts(jewels)}
            scores.append(Score(name, tuple(lines), tuple(jewel_notes(jewels)), facts))
        return scores

    def result(self) -> Result | None:
        if self.phase != ENDED:
            return None
        seats = range(len(self.seats))
        return winners(self.score(), [self._created(seat) for seat in seats], [self._food(seat) for seat in seats])

    def _created(self, seat: int) -> int:
        """Return the number of a seat's werecats other than the starting one."""
        return (self.cats[seat] & ~self.box.starting).bit_count()

    def _food(self, seat: int) -> int:
        """Return the food on all werecats of a seat."""
        return sum(self.food[card] for card in members(self.cats[seat]))

    def _jewels(self, seat: int) -> dict[str, int]:
        """Return a seat's number of created werecats of each colour."""
        colours = zip(self.box.colours, self.box.with_jewel, strict=True)
        return {colour: (self.cats[seat] & jewel).bit_count() for colour, jewel in colours}

    def _owner(self, cat: int) -> int:
        for seat, cats in enumerate(self.cats):
            if cats >> cat & 1:
                return seat
        return NOBODY

    def _starting(self, seat: int) -> int:
        return (self.cats[seat] & self.box.starting).bit_length() - 1

    # Words for sentences

    def _the(self, card: int) -> str:
        """Return a card as sentences name it: a villager by its id, as in moves, a starting cat by its name."""
        cards = self.box.cards
        return f"the {cards.ids[card].replace('-', ' ')}" if cards.jewels[card] else cards.names[card]

    def _name(self, cat: int) -> str:
        """Return the name of a werecat, with that of its seat."""
        return f"{self.seats[self._owner(cat)]}'s {self._the(cat).removeprefix('the ')}"

    def _cat(self) -> str:
        return self._name(self.acting)

    def _acts(self) -> dict[str, Fact]:
        """Return the facts about the acting werecat."""
        return {"seat": self.seats[self.turn], "cat": self.box.ids[self.acting]}

    def _list(self, cards: Sequence[int]) -> str:
        return listed([self._the(card) for card in cards])

    def _ids(self, cards: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.box.ids[card] for card in cards)

    def _strength_text(self) -> str:
        force, food = self.box.cards.forces[self.acting], self.food[self.acting]
        return f"{self._cat()} has Force {force} and {food} food, {force + food} in all"

    def _strength_facts(self, card: int) -> dict[str, Fact]:
        """Return the facts about the acting werecat's strength against a card."""
        force, food = self.box.cards.forces[self.acting], self.food[self.acting]
        cat = {"cat-force": force, "food": food, "strength": self._strength()}
        return {**self._acts(), **cat, "card": self.box.ids[card]}

    def _where(self, card: int) -> str:
        """Return where a card lies, as a clause."""
        the = self._the(card)
        if self.column >> card & 1:
            return f"{the} is {self.seats[self._owner(card)]}'s werecat"
        for seat, cards in enumerate(self.graveyards):
            if card in cards:
                return f"{the} is in {self.seats[seat]}'s Graveyard"
        if card in self.city:
            return f"{the} is in the City"
        if self.deck >> card & 1 or card in self.under:
            return f"{the} is in the deck"
        return f"{the} is not in this game"


@law("WC-AMB-19")
def start(
    facts: Facts,
    seats: Sequence[str],
    options: Mapping[str, Any],
    chance: Chance,
    unused_log: list[Event] | None = None,
) -> State:
    """Start a new game. Chance decides who chooses first; the others follow clockwise (WC-AMB-19).

    The events of the first choice report it.
    """
    box = box_of(facts)
    state = begin(State, box, seats, OPTIONS.read(options), chance, table_misfits(box, seats))
    state.first = state.turn = state.seats.index(chance.pick("first", state.seats))
    return state


def table_misfits(box: Box, seats: Sequence[str]) -> list[Misfit]:
    """Return what is wrong with the cards and the seats of a game."""
    misfits = [*box.misfits, *seat_misfits(seats, SEATS)]
    starting = box.starting.bit_count()
    if starting < len(seats):
        misfits.append(Misfit(("seats",), f"{starting} starting cats are too few", "each seat has one (WC-SETUP-1)"))
    return misfits


def tally(state: State) -> Tally:
    """Return the counts of a finished game for simulations."""
    seats = range(len(state.seats))
    ends = state.ends()
    held = " + ".join(dict.fromkeys(word for _, word, *_ in ends))
    game: dict[str, str | int] = {"end": held, "rounds": state.round}
    return Tally(
        game,
        tuple(
            {
                "starting cat": state.box.cards.ids[state._starting(seat)],
                "place in choosing": PLACES[(seat - state.first) % len(seats)],
                "created werecats": state._created(seat),
                "villagers in the Graveyard": len(state.graveyards[seat]),
                "points": score.total,
            }
            for seat, score in zip(seats, state.score(), strict=True)
        ),
    )
