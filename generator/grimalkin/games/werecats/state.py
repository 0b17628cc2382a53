"""A game of Werecats in progress: legal moves, their effects and views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from grimalkin.engine.chance import Chance
from grimalkin.engine.contract import Facts
from grimalkin.engine.kinds import members
from grimalkin.engine.law import law
from grimalkin.engine.loading import seat_misfits
from grimalkin.engine.shape import Misfit
from grimalkin.engine.state import begin
from grimalkin.engine.words import OVER, Event, Fact, Result, Score, Tally, sentence, tell
from grimalkin.games.werecats import facts as wc
from grimalkin.games.werecats.board import Board
from grimalkin.games.werecats.facts import OPTIONS, SEATS, Box, box_of
from grimalkin.games.werecats.scoring import card_lines, has_every_jewel, jewel_score, winners

PLACES = ("1st", "2nd", "3rd", "4th")

# Looked up once, as decisions are short: Werecats takes about 3.6 µs for one.
CHOOSING, ACTING, MEAL = wc.CHOOSING, wc.ACTING, wc.MEAL
CONVERT, VERB_BITS, CARD_BITS = wc.CONVERT, wc.VERB_BITS, wc.CARD_BITS


class State(Board):
    """A game of Werecats in progress."""

    def to_act(self) -> int:
        return self.turn

    def turn_key(self) -> tuple[int, int]:
        """Return the key of a turn: one werecat's turn (WC-ROUND-4), or one choice in set-up."""
        return self.round, self.acting

    # What is allowed

    @law("WC-AMB-31")
    def legal(self) -> list[int]:
        """Return every legal move in numerical order. This is a faster equivalent of `why_not`.

        If both the City and the deck are empty, a cat can still dive, scare or rest (WC-AMB-31).
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
            return self.power_moves()
        if phase == CHOOSING:
            return [wc.CHOOSE | card for card in members(box.starting & ~self.column)]
        return []

    # What happens

    def apply(self, move: int, log: list[Event] | None = None) -> None:
        _STEPS[move & VERB_BITS](self, move & CARD_BITS, log)

    # Set-up

    def _choose(self, card: int, log: list[Event] | None) -> None:
        """Choose a starting cat, which comes with its food (WC-AMB-32)."""
        seat = self.turn
        if log is not None:
            who = self.seats[seat]
            if not self.column:
                drawn = f"{who} won the draw to choose first; the others follow clockwise."
                tell(log, "WC-AMB-19", drawn, seat=who)
            text = f"{who} chooses {self.the(card)}, which begins with {wc.START_FOOD} food."
            tell(log, "WC-SETUP-1", text, seat=who, card=self.box.ids[card], food=wc.START_FOOD)
        self._add_cat(seat, card)
        self.food[card] = wc.START_FOOD
        self.turn = (seat + 1) % len(self.seats)
        if self.turn == self.first:
            self._lay_city(log)
            self._begin_round(log)

    @law("WC-AMB-5")
    def _lay_city(self, log: list[Event] | None) -> None:
        """Lay the first City. Set aside villagers with Force 3 or more until it is full, even those that replaced
        others (WC-AMB-5). Then shuffle them back into the deck, where they count as unseen again (WC-SETUP-4)."""
        aside = []
        while len(self.city) < wc.CITY_SIZE and self.deck:
            (card,) = self._draw(1)
            if self.box.cards.forces[card] >= wc.SET_UP_FORCE:
                aside.append(card)
            else:
                self.city.append(card)
        for card in aside:
            self.deck |= 1 << card
        if log is not None:
            text = f"The first City: {self.names(self.city) if self.city else 'nobody'}."
            tell(log, "WC-SETUP-3", text, cards=self.ids_of(self.city))
            if aside:
                text = f"Shuffled back into the deck, with Force {wc.SET_UP_FORCE} or more: {self.names(aside)}."
                tell(log, "WC-SETUP-4", text, cards=self.ids_of(aside), force=wc.SET_UP_FORCE)

    # Rounds and turns

    @law("WC-ROUND-1", "WC-AMB-11")
    def _begin_round(self, log: list[Event] | None) -> None:
        """Begin a round by filling the City (WC-CITY-2), unless it already holds 6 or more (WC-AMB-11)."""
        if log is not None:
            tell(log, "WC-ROUND-2", f"Round {self.round} begins; the lowest Turn Order acts first.", round=self.round)
        if len(self.city) < wc.CITY_SIZE:
            self._fill_city("WC-CITY-2", log)
        self._up(members(self.column)[0], log)

    @law("WC-ROUND-2", "WC-ROUND-3")
    def _end_turn(self, log: list[Event] | None) -> None:
        """Pass the turn to the next werecat: the lowest number above the one that has acted, so each has one turn a
        round. A werecat made in this round also gets a turn if its number is higher (WC-AMB-7)."""
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
                    both = f"{self.cat()} and {self.name(other)} have Turn Order {orders[cat]}"
                    why = "the red border acts first" if red else "the red border has already acted"
                    text = f"{both}; {why}, so {self.the(cat)} is up."
                    tell(log, "WC-ROUND-6", text, **self.acts(), other=self.box.ids[other], order=orders[cat])

    @law("WC-AMB-10")
    def _end_round(self, log: list[Event] | None) -> None:
        """End the round, and the game if it must end. The deck is checked only now, after a full round (WC-AMB-10)."""
        ends = self.ends()
        self.acting = wc.NOTHING
        self.scared = 0
        if ends:
            self.phase = wc.ENDED
            self.turn = OVER
            if log is not None:
                log += [Event(rule, sentence, facts=facts) for rule, _, sentence, facts in ends]
                tell(log, "WC-END-4", f"Round {self.round} is complete, and the game is over.", round=self.round)
            return
        self.round += 1
        self._begin_round(log)

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
        drawn = self._draw(wc.CITY_SIZE - len(self.city))
        self.city += drawn
        if log is not None:
            if drawn:
                tell(log, rule, f"New in the City: {self.names(drawn)}.", cards=self.ids_of(drawn))
            self._log_short_city(log)

    def _log_short_city(self, log: list[Event]) -> None:
        if len(self.city) < wc.CITY_SIZE:
            only = f"The deck is empty, so the City holds {len(self.city)} of {wc.CITY_SIZE} cards."
            tell(log, "WC-AMB-9", only, city=len(self.city), size=wc.CITY_SIZE)

    @law("WC-CITY-4")
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
        """Spend just enough of the acting cat's own food to raise its Force to `need` (WC-AMB-21)."""
        cat = self.acting
        force = self.box.cards.forces[cat]
        if need > force:
            self.food[cat] -= need - force
            if log is not None:
                spends = f"{self.cat()} spends {need - force} food, {self.food[cat]} left"
                total = f"Force {force} + {need - force} = {need} for this action"
                facts = {"spent": need - force, "food": self.food[cat], "cat-force": force, "needed": need}
                tell(log, "WC-FOOD-2", f"{spends}: {total}.", **self.acts(), **facts)

    def _receive(self, rule: str, amount: int, log: list[Event] | None) -> None:
        """Give the acting cat food, up to its Vigor; the rest goes back to the stock (WC-FOOD-3)."""
        cat, vigor = self.acting, self.box.cards.vigors[self.acting]
        had = self.food[cat]
        now = self.food[cat] = had + amount if had + amount < vigor else vigor
        if log is not None:
            text = f"{self.cat()} gets {now - had} food and holds {now}."
            tell(log, rule, text, **self.acts(), gained=now - had, food=now)
            if now < had + amount:
                full = f"the Vigor of {self.the(cat)} is {vigor}"
                back = f"so {had + amount - now} of {amount} food goes back to the stock"
                text = sentence(f"{full}, {back}.")
                tell(log, "WC-FOOD-3", text, **self.acts(), vigor=vigor, brought=amount, returned=had + amount - now)

    @law("WC-AMB-12")
    def _eat(self, card: int, log: list[Event] | None) -> None:
        """Eat a villager. An emptied City is filled before the eater may use a power (WC-AMB-12, WC-AMB-28)."""
        box = self.box
        self._spend(box.eat_needs[card], log)
        if log is not None:
            what = f"{self.the(card)} (Force {box.cards.forces[card]})"
            text = f"{self.cat()} eats {what}, which goes to {self.seats[self.turn]}'s Graveyard."
            tell(log, "WC-EAT-3", text, **self.acts(), card=box.ids[card], force=box.cards.forces[card])
        self.city.remove(card)
        self.graveyards[self.turn].append(card)
        asked = box.asks[card]
        if asked in wc.FOOD_LAST:
            self.meal = box.cards.corpulences[card]
        else:
            self._receive("WC-EAT-4", box.cards.corpulences[card], log)
        self._fill_empty_city("WC-CITY-3", log)
        if asked == wc.NOTHING:
            self._end_turn(log)
            return
        self.phase = MEAL
        self.eaten = card
        if log is not None and self.used:
            power = wc.POWER_OF_VERB[asked].name
            second = f"{self.the(card)} is the second card of this turn, so its {power} is lost"
            tell(log, "WC-PWR-9", sentence(f"{second}."), card=box.ids[card], power=power)

    @law("WC-CONV-4")
    def _convert(self, card: int, log: list[Event] | None) -> None:
        """Convert a villager, which does not give food, a card for the Graveyard or a power (WC-CONV-4)."""
        self._spend(self.box.convert_needs[card], log)
        if log is not None:
            force, will = self.box.cards.forces[card], self.box.cards.wills[card]
            text = f"{self.cat()} converts {self.the(card)} (Force {force}, Will {will})."
            tell(log, "WC-CONV-1", text, **self.acts(), card=self.box.ids[card], force=force, will=will)
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
            laid = f"{self.the(card)} joins {who}'s werecats at Turn Order {order}, with no food"
            tell(log, "WC-CONV-3", sentence(f"{laid}."), seat=who, card=self.box.ids[card], order=order)
            acting = self.box.cards.orders[self.acting]
            tie = ", red border first" if acting == order else ""
            when = "still acts in this round" if card > self.acting else "has missed its turn in this round"
            text = f"The werecat at Turn Order {acting} is acting{tie}, so {self.the(card)} {when}."
            tell(log, "WC-AMB-7", text, **self.acts(), card=self.box.ids[card], order=acting, acts=card > self.acting)
            if self.cats[self.turn].bit_count() == wc.MOST_WERECATS:
                text = f"{who} now owns {wc.MOST_WERECATS} werecats, so this round is the last."
                tell(log, "WC-END-2", text, seat=who, werecats=wc.MOST_WERECATS)
            jewels = self.jewels_of(self.turn)
            if has_every_jewel(jewels) and jewels[self.box.cards.jewels[card]] == 1:
                text = f"{who} now has all {wc.EVERY_JEWEL} jewels, so this round is the last."
                tell(log, "WC-END-3", text, seat=who, jewels=wc.EVERY_JEWEL)

    def _add_cat(self, seat: int, card: int) -> None:
        self.cats[seat] |= 1 << card
        self.column |= 1 << card

    @law("WC-AMB-22")
    def _dive(self, _card: int, log: list[Event] | None) -> None:
        """Dive for food. Even a full cat may dive, but it gets nothing (WC-AMB-22)."""
        self._receive("WC-DIVE-1", 1, log)
        self._end_turn(log)

    @law("WC-AMB-6")
    def _scare(self, _card: int, log: list[Event] | None) -> None:
        """Put the whole City under the deck, unshuffled, the oldest card on top (WC-AMB-6), and then draw new cards. If
        the deck is short, some of the same cards are drawn again (WC-AMB-30)."""
        old = self.city
        self.under += old
        self.city = self._draw(wc.SCARED_IN)
        self.scared |= 1 << self.turn
        if log is not None:
            tell(log, "WC-SCARE-1", f"{self.cat()} scares the City.", **self.acts())
            if old:
                text = f"These go under the deck in this order: {self.names(old)}."
                tell(log, "WC-SCARE-2", text, cards=self.ids_of(old))
            if self.city:
                text = f"New in the City: {self.names(self.city)}."
                tell(log, "WC-SCARE-1", text, cards=self.ids_of(self.city))
            back = [card for card in self.city if card in old]
            if back:
                text = f"The deck had too few other cards, so these come back: {self.names(back)}."
                tell(log, "WC-AMB-30", text, cards=self.ids_of(back))
            elif not self.city:
                tell(log, "WC-AMB-30", "The City and the deck are empty, so nothing changes.")
            self._log_short_city(log)
        self._end_turn(log)

    def _rest(self, _card: int, log: list[Event] | None) -> None:
        if log is not None:
            tell(log, "WC-ROUND-4", f"{self.cat()} takes no action.", **self.acts())
        self._end_turn(log)

    # Food powers

    def _end_meal(self, log: list[Event] | None) -> None:
        self.eaten = wc.NOTHING
        self.meal = 0
        self._end_turn(log)

    def _done(self, _card: int, log: list[Event] | None) -> None:
        """Decline a power, or stop using it. The eater gets the food that is left."""
        if log is not None and not self.used:
            name = wc.POWER_OF_VERB[self.box.asks[self.eaten]].name
            text = f"{self.cat()} does not use {name}."
            tell(log, "WC-EAT-5", text, **self.acts(), card=self.box.ids[self.eaten], power=name)
        if self.meal:
            self._receive("WC-EAT-4", self.meal, log)
        self._end_meal(log)

    def _share(self, card: int, log: list[Event] | None) -> None:
        """Share one food, since a meal may be split among werecats (WC-AMB-13)."""
        self.used = True
        self.meal -= 1
        self.food[card] += 1
        if log is not None:
            text = f"{self.name(card)} gets 1 food from the meal and holds {self.food[card]}; {self.meal} left."
            cat: dict[str, Fact] = {"seat": self.seats[self.turn], "cat": self.box.ids[card]}
            tell(log, "WC-PWR-2", text, **cat, gained=1, food=self.food[card], left=self.meal)
        if not self.meal:
            self._end_meal(log)

    def _drag(self, card: int, log: list[Event] | None) -> None:
        """Drag a villager, which gives neither food nor a power, but keeps its High Value for the end (WC-AMB-33)."""
        self.city.remove(card)
        self.graveyards[self.turn].append(card)
        if log is not None:
            drags = f"{self.cat()} drags {self.the(card)} into {self.seats[self.turn]}'s Graveyard, for no food"
            dragged: dict[str, Fact] = {"card": self.box.ids[card]}
            tell(log, "WC-PWR-3", f"{drags}.", **self.acts(), **dragged)
            power = self.box.cards.powers[card]
            if power == "value":
                keeps = f"High Value is never used, so {self.the(card)} keeps it."
                tell(log, "WC-AMB-33", keeps, **dragged)
            elif power:
                lost = wc.POWERS[power].name
                second = f"{self.the(card)} is the second card of this turn, so its {lost} is lost"
                tell(log, "WC-PWR-9", sentence(f"{second}."), **dragged, power=lost)
        self._fill_empty_city("WC-AMB-29", log)
        self._end_meal(log)

    def _draw_one(self, _card: int, log: list[Event] | None) -> None:
        """Draw one villager for the City, even beyond 6 (WC-AMB-11). Draw none from an empty deck (WC-AMB-32)."""
        drawn = self._draw(1)
        self.city += drawn
        if log is not None:
            if drawn:
                joins = f"{self.the(drawn[0])} joins the City, which holds {len(self.city)}"
                tell(log, "WC-PWR-5", sentence(f"{joins}."), card=self.box.ids[drawn[0]], city=len(self.city))
            else:
                tell(log, "WC-AMB-32", "The deck is empty, so nobody joins the City.")
        self._end_meal(log)

    @law("WC-AMB-14")
    def _again(self, _card: int, log: list[Event] | None) -> None:
        """Take another action. The starting cat pays after the meal, so if it was the eater, it can pay with the
        food just received (WC-AMB-14)."""
        payer = self.starting_of(self.turn)
        self.food[payer] -= wc.EXTRA_COST
        self.used = True
        self.eaten = wc.NOTHING
        self.phase = ACTING
        if log is not None:
            pays, facts = self._payment(payer, wc.EXTRA_COST)
            tell(log, "WC-PWR-6", f"{pays}: {self.cat()} acts again.", **self.acts(), **facts)

    def _payment(self, payer: int, cost: int) -> tuple[str, dict[str, Fact]]:
        """Return the words and the facts about what a starting cat has just paid for a power."""
        facts: dict[str, Fact] = {"payer": self.box.ids[payer], "cost": cost, "food": self.food[payer]}
        return f"{self.name(payer)} pays {cost} food, {self.food[payer]} left", facts

    @law("WC-AMB-15")
    def _reanimate(self, card: int, log: list[Event] | None) -> None:
        """Reanimate any card from the seat's own Graveyard, even the one just eaten, whatever its Force (WC-AMB-15).
        The food from the meal is given up."""
        payer = self.starting_of(self.turn)
        self.food[payer] -= wc.REANIMATE_COST
        self.graveyards[self.turn].remove(card)
        if log is not None:
            pays, facts = self._payment(payer, wc.REANIMATE_COST)
            gives = f"{self.cat()} gives up {self.meal} food"
            rises = f"{self.the(card)} rises from {self.seats[self.turn]}'s Graveyard"
            facts = {**self.acts(), "card": self.box.ids[card], **facts, "given-up": self.meal}
            tell(log, "WC-PWR-7", f"{pays}, and {gives}: {rises}.", **facts)
        self._create(card, log)
        self._end_meal(log)

    # What can be seen

    def imagine(self, _seat: int, chance: Chance) -> State:
        """Return a copy that uses this chance: only future draws are hidden, and they have not been made yet."""
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
            created, jewels = self.created_by(seat), jewel_score(self.jewels_of(seat))
            lines = (*card_lines(len(self.graveyards[seat]) - high, high, created), *jewels.lines)
            facts = {"created": created, "food": self.food_of(seat), **jewels.facts}
            scores.append(Score(name, lines, jewels.notes, facts))
        return scores

    def result(self) -> Result | None:
        if self.phase != wc.ENDED:
            return None
        seats = range(len(self.seats))
        return winners(self.score(), [self.created_by(seat) for seat in seats], [self.food_of(seat) for seat in seats])


_STEPS: Final = {
    wc.EAT: State._eat,
    CONVERT: State._convert,
    wc.DIVE: State._dive,
    wc.SCARE: State._scare,
    wc.REST: State._rest,
    wc.SHARE: State._share,
    wc.DRAG: State._drag,
    wc.DRAW: State._draw_one,
    wc.AGAIN: State._again,
    wc.REANIMATE: State._reanimate,
    wc.DONE: State._done,
    wc.CHOOSE: State._choose,
}
"""By verb: the method that carries out the move."""


@law("WC-AMB-19")
def start(
    facts: Facts,
    seats: Sequence[str],
    options: Mapping[str, Any],
    chance: Chance,
    _log: list[Event] | None = None,
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
                "starting cat": state.box.cards.ids[state.starting_of(seat)],
                "place in choosing": PLACES[(seat - state.first) % len(seats)],
                "created werecats": state.created_by(seat),
                "villagers in the Graveyard": len(state.graveyards[seat]),
                "points": score.total,
            }
            for seat, score in zip(seats, state.score(), strict=True)
        ),
    )
