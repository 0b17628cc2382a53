"""The refusals of Werecats: why a move is not allowed now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grimalkin.engine.words import Fact, Refusal, refuse
from grimalkin.games.werecats.facts import (
    ACTIONS,
    AGAIN,
    CARD_BITS,
    CHOOSE,
    CHOOSING,
    CONVERT,
    DONE,
    DRAG,
    DRAW,
    EAT,
    ENDED,
    EXTRA_COST,
    MEAL,
    POWER_OF_VERB,
    REANIMATE_COST,
    SCARE,
    SHARE,
    VERB_BITS,
)

if TYPE_CHECKING:
    from grimalkin.games.werecats.state import State


def why_not(state: State, move: int) -> Refusal | None:
    """Return why a move is not legal, or None. It decides about every move that `read` can return."""
    phase = state.phase
    verb, card = move & VERB_BITS, move & CARD_BITS
    if phase == ENDED:
        text = state.box.texts[move]
        over = f'the game is over, so "{text}" is not allowed'
        for rule, _, why, _ in state.ends():
            return refuse("WC-END-4", f"{over}: {why.removesuffix('.')}", move=text, end=rule)
        return refuse("WC-END-4", over, move=text)
    if phase == CHOOSING or verb == CHOOSE:
        return _why_not_choose(state, move)
    if verb in ACTIONS:
        if phase == MEAL:
            return _why_not_second_action(state, move)
        if verb == EAT:
            return _why_not_eat(state, card)
        if verb == CONVERT:
            return _why_not_convert(state, card)
        return _why_not_scare(state) if verb == SCARE else None
    return _why_not_power(state, verb, card)


def _why_not_choose(state: State, move: int) -> Refusal | None:
    card = move & CARD_BITS
    if state.phase != CHOOSING:
        return Refusal("WC-SETUP-1", "players choose starting cats only during set-up, before the first round")
    who = state.seats[state.turn]
    if move & VERB_BITS != CHOOSE:
        text = state.box.texts[move]
        now = f'{who} chooses a starting cat now, so "{text}" is not allowed'
        return refuse("WC-SETUP-1", now, seat=who, move=text)
    if not state.box.starting >> card & 1:
        villager = f"{state._the(card)} is a villager, not a starting cat"
        return refuse("WC-SETUP-1", villager, card=state.box.ids[card])
    if state.column >> card & 1:
        text = f"{state._the(card)} is taken: {state.seats[state._owner(card)]} has it"
        return refuse("WC-SETUP-1", text, card=state.box.ids[card], seat=state.seats[state._owner(card)])
    return None


def _why_not_second_action(state: State, move: int) -> Refusal:
    answers = state._power_moves()
    if answers == [DONE]:
        other = 'only "done" is possible now'
    elif answers == [AGAIN, DONE]:
        other = '"again" buys another action, "done" ends the turn'
    else:
        other = f'only "{POWER_OF_VERB[state.box.asks[state.eaten]].word}" or "done" is possible now'
    text = state.box.texts[move]
    taken = f'{state._cat()} has taken its action, so "{text}" is not allowed; {other}'
    return refuse("WC-ROUND-4", taken, **state._acts(), move=text)


def _why_not_there(state: State, card: int) -> Refusal | None:
    if card in state.city:
        return None
    only = f"werecats can eat or convert only villagers in the City; {state._where(card)}"
    return refuse("WC-CITY-1", only, card=state.box.ids[card])


def _why_not_eat(state: State, card: int) -> Refusal | None:
    if state.box.eat_needs[card] <= state._strength():
        return _why_not_there(state, card)
    force = state.box.cards.forces[card]
    weak = f"{state._the(card)} has Force {force}; {state._strength_text()}, and needs more than {force}"
    facts = {"force": force, "needed": state.box.eat_needs[card]}
    return _why_not_there(state, card) or Refusal("WC-EAT-1", weak, {**state._strength_facts(card), **facts})


def _why_not_convert(state: State, card: int) -> Refusal | None:
    if state.box.convert_needs[card] <= state._strength():
        return _why_not_there(state, card)
    force, will = state.box.cards.forces[card], state.box.cards.wills[card]
    resists = f"{state._the(card)} has Force {force} and Will {will}, {force + will} in all"
    weak = f"{resists}; {state._strength_text()}, and needs more than {force + will}"
    facts = {"force": force, "will": will, "resists": force + will, "needed": state.box.convert_needs[card]}
    return _why_not_there(state, card) or Refusal("WC-CONV-1", weak, {**state._strength_facts(card), **facts})


def _why_not_scare(state: State) -> Refusal | None:
    if state.scared >> state.turn & 1:
        name = state.seats[state.turn]
        text = f"{name} has already scared the City in round {state.round}; the limit is once a round"
        return refuse("WC-SCARE-3", text, seat=name, round=state.round, limit=1)
    return None


def _why_not_power(state: State, verb: int, card: int) -> Refusal | None:
    """Return why a food power may not be used, or None. It can be used only right after eating a card that has it."""
    cat = state._cat()
    if state.phase != MEAL:
        return Refusal("WC-EAT-5", f"{cat} has not just eaten a card with a food power", state._acts())
    if verb == DONE:
        return None
    own = POWER_OF_VERB[state.box.asks[state.eaten]]
    if verb != own.verb:
        powers = f"the food power of {state._the(state.eaten)} is {own.name}, not {POWER_OF_VERB[verb].name}"
        return refuse("WC-EAT-5", powers, card=state.box.ids[state.eaten], power=own.name)
    if state._power_is_spent():
        # Two rules forbid this; the refusal names the one that explains more.
        if verb == AGAIN:
            only = f"only the first card of a turn brings another action; {state._the(state.eaten)} is a later one"
            return refuse("WC-PWR-9", only, card=state.box.ids[state.eaten])
        used = f"{cat} has already used a food power this turn, and the limit is 1 a turn"
        return refuse("WC-PWR-8", used, **state._acts(), limit=1)
    if verb == SHARE:
        return _why_not_share(state, card)
    if verb == DRAG:
        if card in state.city:
            return None
        only = f"only villagers in the City can be dragged; {state._where(card)}"
        return refuse("WC-PWR-3", only, card=state.box.ids[card])
    if verb == DRAW:
        return None
    payer = state._starting(state.turn)
    pays = f"{state._name(payer)} has {state.food[payer]} food"
    if verb == AGAIN:
        if state.food[payer] >= EXTRA_COST:
            return None
        text = f"another action costs {EXTRA_COST} food from the starting cat; {pays}"
        return refuse("WC-PWR-6", text, payer=state.box.ids[payer], cost=EXTRA_COST, food=state.food[payer])
    if state.food[payer] < REANIMATE_COST:
        text = f"ReAnimate costs {REANIMATE_COST} food from the starting cat; {pays}"
        return refuse("WC-PWR-7", text, payer=state.box.ids[payer], cost=REANIMATE_COST, food=state.food[payer])
    if card not in state.graveyards[state.turn]:
        who = state.seats[state.turn]
        where = f"the card must be in {who}'s own Graveyard; {state._where(card)}"
        return refuse("WC-PWR-7", where, seat=who, card=state.box.ids[card])
    return None


def _why_not_share(state: State, card: int) -> Refusal | None:
    who = state.seats[state.turn]
    if not state.meal:
        return refuse("WC-PWR-2", "this meal brings no food to share", card=state.box.ids[state.eaten])
    if not state.cats[state.turn] >> card & 1:
        own = f"{who} can share food only with their own werecats; {state._where(card)}"
        return refuse("WC-PWR-2", own, seat=who, card=state.box.ids[card])
    cat: dict[str, Fact] = {"seat": who, "cat": state.box.ids[card]}
    if card == state.acting:
        return Refusal("WC-AMB-13", f'food that {who} does not share stays with {state._the(card)}: say "done"', cat)
    vigor = state.box.cards.vigors[card]
    if state.food[card] >= vigor:
        full = f"{state._name(card)} is full: it holds {state.food[card]} food, and its Vigor is {vigor}"
        return refuse("WC-AMB-13", full, **cat, food=state.food[card], vigor=vigor)
    return None
