"""The notation of Werecats: lines of text as moves, records as states, and doubts about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from grimalkin.engine.chance import Chance
from grimalkin.engine.contract import Facts
from grimalkin.engine.kinds import mask, members
from grimalkin.engine.shape import Misfit, Record
from grimalkin.engine.state import Reading
from grimalkin.engine.words import OVER, Ambiguous, Unreadable, find_typed, listed, typed
from grimalkin.games.werecats import facts as wc
from grimalkin.games.werecats.facts import Box, box_of
from grimalkin.games.werecats.state import State, table_misfits
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import plural

NAMES = {typed(power.name): power.word for power in wc.POWER_OF_VERB.values()} | {
    "dumpster dive": "dive",
    "scare the city": "scare",
    "pass": "rest",
}
"""The rules' names of actions and powers, and the words for them in moves."""


def every_move(facts: Facts) -> list[int]:
    """Return every small move that changes something, in the order of `legal`.

    This leaves out some readable moves: nobody can eat a starting cat, or choose a villager to start with.
    """
    box = box_of(facts)
    # Moves without a card have the bits of card 0.
    fitting = {wc.CHOOSE: box.starting, wc.SHARE: box.starting | box.villagers} | dict.fromkeys(wc.WITHOUT_CARD, 1)
    return [move for move in box.texts if fitting.get(move & wc.VERB_BITS, box.villagers) >> (move & wc.CARD_BITS) & 1]


def read(text: str, state: State) -> list[int]:
    """Read small moves separated by commas. Case, spaces and hyphens do not matter.

    A card's name may replace its id, and the rules' name of an action or a power its word.
    """
    return [_read_one(typed(part), state) for part in text.split(",")]


def _read_one(text: str, state: State) -> int:
    box = state.box
    if not text:
        raise Unreadable("a move is missing")
    move = find_typed(text, box.moves, NAMES)
    if move is None:
        move = find_typed(text, _by_name(box), NAMES)
    if move is not None:
        return move
    verb, _, id_ = text.partition(" ")
    longer = [whole for whole in box.moves if whole.startswith(f"{text} ") or whole.endswith(f" {text}")]
    if longer:
        legal = [box.texts[move] for move in state.legal()]
        possible = [whole for whole in longer if whole in legal]
        raise Ambiguous(f'"{text}" does not say enough' + (f": {listed(possible, 'or')}" if possible else ""))
    verbs = {known.partition(" ")[0] for known in box.moves}
    if verb in verbs and f"{verb} {box.cards.ids[0]}" in box.moves:
        hint = did_you_mean(id_, box.numbers)
        raise Unreadable(f'"{text}" names no card of this game: "{id_}"' + (f"; {hint}" if hint else ""))
    hint = did_you_mean(text, box.moves) if " " not in text or verb not in verbs else ""
    raise Unreadable(f'"{text}" is not a move of this game' + (f"; {hint}" if hint else ""))


def _by_name(box: Box) -> dict[str, int]:
    """Return every move with a card by its text, with the name of the card, if unique, instead of its id."""
    names = [typed(name) for name in box.cards.names]
    alone = [(id_, name) for id_, name in zip(box.cards.ids, names, strict=True) if names.count(name) == 1]
    words = dict.fromkeys(text.partition(" ")[0] for text in box.moves if " " in text)
    return {f"{word} {name}": box.moves[f"{word} {id_}"] for word in words for id_, name in alone}


def write(moves: Sequence[int], state: State, _reader: int | None = None) -> str:
    """Write small moves separated by commas. Every reader may see them all."""
    return ", ".join([state.box.texts[move] for move in moves])


# Positions


def position_shape(facts: Facts) -> Record:
    """Return the shape of a position's record."""
    return State.shape(box_of(facts))


def load(facts: Facts, position: Mapping[str, Any], chance: Chance | None = None) -> State:
    """Return the state that a position describes, without making automatic steps.

    A game that must have ended is over, whatever phase is written.
    """
    box = box_of(facts)
    return _Loading.of(State, box, position, chance, partial(table_misfits, box)).run()


class _Loading(Reading[State]):
    """The loading of one position: the contents of its record, and what follows from the rules."""

    def run(self) -> State:
        state, record = self.state, self.record
        self.lay()
        if "deck" not in record:
            state.deck &= ~mask(self.places)
        if "phase" not in record:
            state.phase = wc.CHOOSING if not all(state.cats) else wc.MEAL if "eaten" in record else wc.ACTING
        self.check_phase(state.phase)
        self.check_starting_cats()
        if not self.misfits:
            if state.phase == wc.CHOOSING:
                self.choosing()
            elif state.phase in (wc.ACTING, wc.MEAL):
                self.acting()
            else:
                state.turn = OVER
        self.check_to_act()
        return self.finish()

    def check_starting_cats(self) -> None:
        """Check that every seat has a starting cat, which pays for powers, unless the seat has yet to choose one."""
        state = self.state
        for seat, name in enumerate(state.seats):
            missing = not state.cats[seat] & state.box.starting
            if missing and (state.cats[seat] or state.phase != wc.CHOOSING):
                hint = f"each seat has one of: {listed([state.box.ids[c] for c in members(state.box.starting)])}"
                self.wrong(("seats", name, "cats"), "a starting cat is missing", hint)

    def choosing(self) -> None:
        """Check that the seats that have chosen follow each other clockwise from the first one (WC-AMB-19), and that
        a starting cat is left for each of the others (WC-SETUP-1)."""
        state = self.state
        seats = range(len(state.seats))
        chosen = [bool(cats) for cats in state.cats]
        if all(chosen):
            self.wrong("phase", "every seat has a werecat, so nobody is choosing")
            return
        if "first" not in self.record:
            # The first seat has chosen, and the one before it has not. If nobody has a cat, the seat to act is first.
            state.first = next((seat for seat in seats if chosen[seat] and not chosen[seat - 1]), state.turn)
        order = [(state.first + step) % len(seats) for step in seats]
        state.turn = order[sum(chosen)]
        if not all(chosen[seat] for seat in order[: sum(chosen)]):
            from_first = listed([state.seats[seat] for seat in order])
            self.wrong("seats", "a seat has chosen before its turn", f"they choose in this order: {from_first}")
        left, to_come = (state.box.starting & ~state.column).bit_count(), chosen.count(False)
        if left < to_come:
            told = f"{plural(to_come, 'seat')} still to choose, starting cats left: {left}"
            self.wrong("seats", told, "each seat chooses one (WC-SETUP-1)")

    def acting(self) -> None:
        state = self.state
        if "acting" not in self.record:
            state.acting = members(state.column)[0]
        if state.column >> state.acting & 1:
            state.turn = state.owner_of(state.acting)
            if state.phase == wc.MEAL:
                self.meal()
            if not self.misfits:
                self.find_end()
        else:
            cats = listed([state.box.ids[card] for card in members(state.column)])
            self.wrong("acting", f"{self.record['acting']} is not a werecat here", f"the werecats are: {cats}")

    def find_end(self) -> None:
        """End the game if the previous round had to be the last.

        A seat with 8 werecats still to act had them then, and before any has acted in this round, none has been made.
        An empty deck proves nothing, since filling the City for this round may have emptied it (WC-CITY-2).
        """
        state, now = self.state, self.state.round
        begins = state.phase == wc.ACTING and not state.used and state.acting == members(state.column)[0]
        many = any((cats >> state.acting).bit_count() >= wc.MOST_WERECATS for cats in state.cats)
        if not (begins or many or 0 < state.rounds < now):
            return
        state.round = now - 1
        if any(rule != "WC-END-1" for rule, *_ in state.ends()):
            state.round = max(1, min(state.round, state.rounds or now))
            self.end(wc.ENDED)
        else:
            state.round = now

    def meal(self) -> None:
        """Check the meal: only the eaten card's power may be used, and it is used once some of the food is shared."""
        state, record = self.state, self.record
        if "eaten" not in record:
            self.wrong("phase", 'in phase meal a card has just been eaten; name it under "eaten"')
            return
        asked, corpulence = state.box.asks[state.eaten], state.box.cards.corpulences[state.eaten]
        if asked == wc.NOTHING:
            powers = listed([name for name, power in wc.POWERS.items() if power.verb != wc.NOTHING], "or")
            self.wrong("eaten", f"{record['eaten']} has no food power to use", f"such a card has {powers}")
        elif asked in wc.FOOD_LAST:
            state.meal = record.get("meal", corpulence)
            state.used = record.get("used", asked == wc.SHARE and state.meal < corpulence)
        elif "meal" in record:
            self.wrong("meal", "with this food power, the werecat has already received the food", "leave it out")


def doubts(state: State) -> list[Misfit]:
    """Return the reasons why this position could not have arisen in play."""
    found = [*_doubts_of_the_table(state), *_doubts_of_seats(state)]
    if state.phase == wc.CHOOSING:
        found += _doubts_of_choosing(state)
    elif state.phase == wc.MEAL:
        found += _doubts_of_a_meal(state)
    return found


def _doubts_of_the_table(state: State) -> Iterator[Misfit]:
    if 0 < state.rounds < state.round:
        yield Misfit(("round",), f"round {state.round} is too late", f"round {state.rounds} is the last (WC-AMB-27)")
    # Filling never takes the City beyond its normal size, and only Draw can add one more card.
    if len(state.city) > wc.CITY_SIZE + 1:
        hint = f"the City holds {wc.CITY_SIZE} (WC-CITY-2), and at most 1 more joins it (WC-AMB-11)"
        yield Misfit(("city",), f"{len(state.city)} villagers are too many", hint)


def _doubts_of_seats(state: State) -> Iterator[Misfit]:
    cards = state.box.cards
    for name, cats in zip(state.seats, state.cats, strict=True):
        at = ("seats", name, "cats")
        starting = [cards.ids[card] for card in members(cats & state.box.starting)]
        if len(starting) > 1:
            yield Misfit(at, f"{listed(starting)} are both starting cats", "each seat chooses one (WC-SETUP-1)")
        for card in members(cats):
            if state.food[card] > cards.vigors[card]:
                hint = f"its Vigor is {cards.vigors[card]} (WC-FOOD-3)"
                yield Misfit((*at, cards.ids[card]), f"{state.food[card]} food is too much", hint)


def _doubts_of_choosing(state: State) -> Iterator[Misfit]:
    """Yield doubts about everything on the table except starting cats and their first food."""
    hint = "a seat has no werecats, so the phase is choosing"
    for key, cards in (("city", state.city), ("under", state.under)):
        if cards:
            yield Misfit((key,), "in phase choosing all villagers are in the deck", hint)
    for name, cats, graveyard in zip(state.seats, state.cats, state.graveyards, strict=True):
        if graveyard:
            yield Misfit(("seats", name, "graveyard"), "in phase choosing nobody has eaten yet")
        at = ("seats", name, "cats")
        if cats & ~state.box.starting:
            yield Misfit(at, "in phase choosing a seat has one starting cat or none", "it chooses one (WC-SETUP-1)")
        for card in members(cats & state.box.starting):
            if state.food[card] != wc.START_FOOD:
                told = f"it has {state.food[card]} food"
                yield Misfit((*at, state.box.ids[card]), told, f"it begins with {wc.START_FOOD} (WC-SETUP-1)")


def _doubts_of_a_meal(state: State) -> Iterator[Misfit]:
    box, eaten = state.box, state.eaten
    if eaten not in state.graveyards[state.turn]:
        told = f"{box.ids[eaten]} is not in {state.seats[state.turn]}'s Graveyard"
        yield Misfit(("eaten",), told, "an eaten card is there (WC-EAT-3)")
    corpulence = box.cards.corpulences[eaten]
    hint = f"the card's Corpulence is {corpulence}"
    if box.asks[eaten] not in wc.FOOD_LAST or state.meal == corpulence:
        return
    if state.meal > corpulence:
        yield Misfit(("meal",), f"{state.meal} food is too much", hint)
    elif box.asks[eaten] != wc.SHARE:
        yield Misfit(("meal",), f"{state.meal} food is too little", hint)
    elif not state.used:
        yield Misfit(("used",), "food has been shared, so the power is used", hint)
