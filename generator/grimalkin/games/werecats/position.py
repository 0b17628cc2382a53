"""Positions of Werecats: what a record of one looks like, and the state that it describes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from grimalkin.engine.chance import Chance, Scripted
from grimalkin.engine.contract import Facts
from grimalkin.engine.loading import Loading
from grimalkin.engine.shape import Choice, Listing, Misfits, Path, Record, Shape, Table, Text, Whole, YesNo
from grimalkin.engine.words import OVER, listed
from grimalkin.games.werecats.facts import (
    ACTING,
    CHOOSING,
    FOOD_LAST,
    MEAL,
    NOTHING,
    OPTIONS,
    PHASES,
    POWERS,
    SHARE,
    START_FOOD,
    Box,
    box_of,
    members,
)
from grimalkin.games.werecats.state import State, table_misfits


def position_shape(facts: Facts) -> Record:
    """What the record of a position looks like."""
    box = box_of(facts)
    every = box.cards.ids
    villagers = tuple(every[card] for card in members(box.villagers))
    villager = Choice(villagers)
    cats = Table(
        Whole(),
        every,
        "The seat's werecats, each with the food on it, or a list of them without food. One of them is a starting cat, "
        'unless "start" names it.',
        listed=0,
        load="food",
    )
    start = Choice(tuple(every[card] for card in members(box.starting)), "The seat's starting cat, without food.")
    graveyard = Listing(villager, describe="The villagers in the seat's Graveyard, the oldest first (default: none).")
    seat = Record({}, {"start": start, "cats": cats, "graveyard": graveyard})
    optional: dict[str, Shape] = {
        "city": Listing(villager, describe="The villagers in the City, the oldest first (default: none)."),
        "deck": Listing(
            villager,
            describe="The villagers in the deck that nobody has seen, in any order (default: every villager that lies "
            "nowhere else). If it is written, villagers that lie nowhere are out of this game.",
        ),
        "under": Listing(villager, describe="The known cards under the deck, the uppermost first (default: none)."),
        "phase": Choice(PHASES, "Default: acting; while a seat has no werecat, choosing; when a card is eaten, meal."),
        "round": Whole(1, describe="Default: 1."),
        "acting": Choice(every, "The werecat whose turn it is (default: the first of all in Turn Order)."),
        "eaten": Choice(villagers, "In phase meal: the card just eaten, whose food power may be used."),
        "meal": Whole(
            1,
            describe="In phase meal, with Sharing or ReAnimate: food not handed out yet (default: all of the card's).",
        ),
        "used": YesNo("Whether the werecat whose turn it is has used a food power in this turn (default: no)."),
        "scared": Listing(Text(), describe="The seats that have scared the City in this round (default: none)."),
        "first": Text("The seat that chose its starting cat first (default: the first seat)."),
        "to-act": Text("The seat to act (default: what the rules give)."),
        "options": OPTIONS,
    }
    return Record({"seats": Table(seat, describe="What each seat has, seats in clockwise order.")}, optional)


KEY_PHASES: Final = {
    "acting": (ACTING, MEAL),
    "eaten": (MEAL,),
    "meal": (MEAL,),
    "used": (ACTING, MEAL),
    "scared": (ACTING, MEAL),
    "to-act": (CHOOSING, ACTING, MEAL),
}


def load(facts: Facts, position: Mapping[str, Any], chance: Chance | None = None) -> State:
    """The state that a position describes. Automatic steps are not done: what is written is what there is."""
    box = box_of(facts)
    record, misfits = position_shape(facts).read(position)
    if not misfits:
        misfits = [*box.misfits, *table_misfits(box, tuple(record["seats"]))]
    if misfits:
        raise Misfits(misfits)
    return _Loading(box, record, chance or Scripted()).run()


class _Loading(Loading[State]):
    """One position on its way from a record to a state."""

    def __init__(self, box: Box, record: Mapping[str, Any], chance: Chance) -> None:
        super().__init__(State(box, tuple(record["seats"]), record.get("options", {}), chance), record)
        self.box = box

    def run(self) -> State:
        state, record = self.state, self.record
        state.round = record.get("round", 1)
        self.lay_cards()
        default = CHOOSING if not all(state.cats) else MEAL if "eaten" in record else ACTING
        state.phase = PHASES.index(record["phase"]) if "phase" in record else default
        state.first = self.number(record["first"], ("first",)) if "first" in record else 0
        self.check_keys(KEY_PHASES, state.phase, PHASES)
        if not self.misfits:
            if state.phase == CHOOSING:
                self.choosing()
            else:
                self.check_seats()
            if state.phase in (ACTING, MEAL) and not self.misfits:
                self.acting()
            if state.phase == MEAL and not self.misfits:
                self.meal()
            if state.phase not in (CHOOSING, ACTING, MEAL):
                state.turn = OVER
        self.check_to_act()
        return self.finish()

    def lay_cards(self) -> None:
        """Every card where it lies. Each lies in one place at most."""
        state, record, box = self.state, self.record, self.box
        places: dict[int, str] = {}

        def lay(ids: Sequence[str], at: Path, place: str) -> list[int]:
            cards = []
            for index, id_ in enumerate(ids):
                card = box.numbers[id_]
                if card in places:
                    again = f"{id_} lies in two places: {places[card]} and {place}"
                    key = id_ if at[-1] == "cats" else index
                    self.wrong((*at, key), again, "each card is there once")
                places[card] = place
                cards.append(card)
            return cards

        for seat, (name, has) in enumerate(record["seats"].items()):
            cats = has["cats"] = has.get("cats", {})
            if "start" in has and has["start"] in cats:
                again = f"{has['start']} is among the cats too"
                self.wrong(("seats", name, "start"), again, "name it in one place")
            elif "start" in has:
                cats[has["start"]] = 0
            for card in lay(list(cats), ("seats", name, "cats"), f"{name}'s werecats"):
                state._add_cat(seat, card)
                food, vigor = cats[box.cards.ids[card]], box.cards.vigors[card]
                state.food[card] = food
                if food > vigor:
                    on = ("seats", name, "cats", box.cards.ids[card])
                    self.wrong(on, f"{food} food are too many", f"its Vigor is {vigor} (WC-FOOD-3)")
            at = ("seats", name, "graveyard")
            state.graveyards[seat] = lay(has.get("graveyard", []), at, f"{name}'s Graveyard")
        state.city = lay(record.get("city", []), ("city",), "the City")
        state.under = lay(record.get("under", []), ("under",), "under the deck")
        if "deck" in record:
            state.deck = sum(1 << card for card in set(lay(record["deck"], ("deck",), "the deck")))
        else:
            state.deck &= ~sum(1 << card for card in places)

    def starting(self, seat: int) -> list[str]:
        """The starting cats of a seat."""
        return [self.box.cards.ids[card] for card in members(self.state.cats[seat] & self.box.starting)]

    def choosing(self) -> None:
        """The seats that have chosen follow each other clockwise from the first one (WC-AMB-19), and nothing else lies
        on the table yet."""
        state, record = self.state, self.record
        for key in ("city", "under"):
            if record.get(key):
                hint = "" if "phase" in record else "a seat has no werecats, so the phase is taken to be choosing"
                self.wrong(key, "in phase choosing all villagers are in the deck", hint)
        for seat, (name, has) in enumerate(record["seats"].items()):
            at = ("seats", name)
            if has.get("graveyard"):
                self.wrong((*at, "graveyard"), "in phase choosing nobody has eaten yet")
            cats = [self.box.cards.ids[card] for card in members(state.cats[seat])]
            if cats and (len(cats) > 1 or self.starting(seat) != cats):
                one = "in phase choosing a seat has one starting cat or none"
                self.wrong((*at, "cats"), one, "(WC-SETUP-1)")
            elif cats and has["cats"][cats[0]] != START_FOOD:
                food = f"{has['cats'][cats[0]]} food lie on it"
                self.wrong((*at, "cats", cats[0]), food, f"it begins with {START_FOOD} (WC-SETUP-1)")
        seats = len(state.seats)
        chosen = [bool(cats) for cats in state.cats]
        if all(chosen):
            self.wrong("phase", "every seat has a werecat, so nobody is choosing")
        if self.misfits:
            return
        if "first" not in record:
            # The first one has chosen, and the seat before it has not. With no cat at all, the seat to act is first.
            begins = [seat for seat in range(seats) if chosen[seat] and not chosen[seat - 1]]
            to_act = self.number(record["to-act"], ("to-act",)) if "to-act" in record else 0
            state.first = begins[0] if begins else to_act
        in_order = [chosen[(state.first + step) % seats] for step in range(seats)]
        state.turn = (state.first + sum(chosen)) % seats
        if in_order != sorted(in_order, reverse=True):
            from_first = listed([state.seats[(state.first + step) % seats] for step in range(seats)])
            self.wrong("seats", "a seat has chosen before its turn", f"they choose in this order: {from_first}")

    def check_seats(self) -> None:
        """Every seat has one starting cat."""
        for seat, name in enumerate(self.state.seats):
            starting = self.starting(seat)
            if len(starting) != 1:
                has = f"{listed(starting)} are both starting cats" if starting else "a starting cat is missing"
                hint = f"each seat has one of: {listed([self.box.cards.ids[c] for c in members(self.box.starting)])}"
                self.wrong(("seats", name, "cats"), has, hint)

    def acting(self) -> None:
        state, record = self.state, self.record
        cat = self.box.numbers[record["acting"]] if "acting" in record else members(state.column)[0]
        if not state.column >> cat & 1:
            cats = [self.box.cards.ids[card] for card in members(state.column)]
            self.wrong("acting", f"{record['acting']} is no werecat here", f"these are: {listed(cats)}")
            return
        state.acting = cat
        state.turn = state._owner(cat)
        state.used = record.get("used", False)
        for index, name in enumerate(record.get("scared", [])):
            state.scared |= 1 << self.number(name, ("scared", index))

    def meal(self) -> None:
        state, record, box = self.state, self.record, self.box
        if "eaten" not in record:
            self.wrong("phase", 'in phase meal a card has just been eaten; name it under "eaten"')
            return
        eaten = box.numbers[record["eaten"]]
        name = state.seats[state.turn]
        if eaten not in state.graveyards[state.turn]:
            self.wrong("eaten", f"{record['eaten']} does not lie in {name}'s Graveyard", "an eaten card lies there")
        elif box.asks[eaten] == NOTHING:
            powers = listed([word for word, power in POWERS.items() if power.word], "or")
            self.wrong("eaten", f"{record['eaten']} has no food power to use", f"such a card has {powers}")
        else:
            state.eaten = eaten
            self.food_of_meal(box.asks[eaten], box.cards.corpulences[eaten])

    def food_of_meal(self, asked: int, corpulence: int) -> None:
        state, record = self.state, self.record
        if asked not in FOOD_LAST:
            if "meal" in record:
                self.wrong("meal", "with this food power the food has been received already", "leave it out")
            return
        state.meal = record.get("meal", corpulence)
        if state.meal > corpulence:
            self.wrong("meal", f"{state.meal} food are too many", f"the card's Corpulence is {corpulence}")
        elif state.meal < corpulence and asked != SHARE:
            self.wrong("meal", f"{state.meal} food are too few", f"the card's Corpulence is {corpulence}")
        elif state.meal < corpulence:
            if not record.get("used", True):
                self.wrong("used", "food has been shared, so the power is used", f"the Corpulence is {corpulence}")
            state.used = True
