"""The refusals of Werecats: why a move is not allowed now."""

from __future__ import annotations

from grimalkin.engine.words import Fact, Refusal, refuse
from grimalkin.games.werecats.board import Board
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


def why_not(board: Board, move: int) -> Refusal | None:
    """Return why a move is not legal, or None. It decides about every move that `read` can return."""
    phase = board.phase
    verb, card = move & VERB_BITS, move & CARD_BITS
    if phase == ENDED:
        text = board.box.texts[move]
        over = f'the game is over, so "{text}" is not allowed'
        for rule, _, why, _ in board.ends():
            return refuse("WC-END-4", f"{over}: {why.removesuffix('.')}", move=text, end=rule)
        return refuse("WC-END-4", over, move=text)
    if phase == CHOOSING or verb == CHOOSE:
        return _why_not_choose(board, move)
    if verb in ACTIONS:
        if phase == MEAL:
            return _why_not_second_action(board, move)
        if verb == EAT:
            return _why_not_eat(board, card)
        if verb == CONVERT:
            return _why_not_convert(board, card)
        return _why_not_scare(board) if verb == SCARE else None
    return _why_not_power(board, verb, card)


def _why_not_choose(board: Board, move: int) -> Refusal | None:
    card = move & CARD_BITS
    if board.phase != CHOOSING:
        return Refusal("WC-SETUP-1", "players choose starting cats only during set-up, before the first round")
    who = board.seats[board.turn]
    if move & VERB_BITS != CHOOSE:
        text = board.box.texts[move]
        now = f'{who} chooses a starting cat now, so "{text}" is not allowed'
        return refuse("WC-SETUP-1", now, seat=who, move=text)
    if not board.box.starting >> card & 1:
        villager = f"{board.the(card)} is a villager, not a starting cat"
        return refuse("WC-SETUP-1", villager, card=board.box.ids[card])
    if board.column >> card & 1:
        text = f"{board.the(card)} is taken: {board.seats[board.owner_of(card)]} has it"
        return refuse("WC-SETUP-1", text, card=board.box.ids[card], seat=board.seats[board.owner_of(card)])
    return None


def _why_not_second_action(board: Board, move: int) -> Refusal:
    answers = board.power_moves()
    if answers == [DONE]:
        other = 'only "done" is possible now'
    elif answers == [AGAIN, DONE]:
        other = '"again" buys another action, "done" ends the turn'
    else:
        other = f'only "{POWER_OF_VERB[board.box.asks[board.eaten]].word}" or "done" is possible now'
    text = board.box.texts[move]
    taken = f'{board.cat()} has taken its action, so "{text}" is not allowed; {other}'
    return refuse("WC-ROUND-4", taken, **board.acts(), move=text)


def _why_not_there(board: Board, card: int) -> Refusal | None:
    if card in board.city:
        return None
    only = f"werecats can eat or convert only villagers in the City; {board.where(card)}"
    return refuse("WC-CITY-1", only, card=board.box.ids[card])


def _why_not_eat(board: Board, card: int) -> Refusal | None:
    if board.box.eat_needs[card] <= board.strength():
        return _why_not_there(board, card)
    force = board.box.cards.forces[card]
    weak = f"{board.the(card)} has Force {force}; {board.strength_text()}, and needs more than {force}"
    facts = {"force": force, "needed": board.box.eat_needs[card]}
    return _why_not_there(board, card) or Refusal("WC-EAT-1", weak, {**board.strength_facts(card), **facts})


def _why_not_convert(board: Board, card: int) -> Refusal | None:
    if board.box.convert_needs[card] <= board.strength():
        return _why_not_there(board, card)
    force, will = board.box.cards.forces[card], board.box.cards.wills[card]
    resists = f"{board.the(card)} has Force {force} and Will {will}, {force + will} in all"
    weak = f"{resists}; {board.strength_text()}, and needs more than {force + will}"
    facts = {"force": force, "will": will, "resists": force + will, "needed": board.box.convert_needs[card]}
    return _why_not_there(board, card) or Refusal("WC-CONV-1", weak, {**board.strength_facts(card), **facts})


def _why_not_scare(board: Board) -> Refusal | None:
    if board.scared >> board.turn & 1:
        name = board.seats[board.turn]
        text = f"{name} has already scared the City in round {board.round}; the limit is once a round"
        return refuse("WC-SCARE-3", text, seat=name, round=board.round, limit=1)
    return None


def _why_not_power(board: Board, verb: int, card: int) -> Refusal | None:
    """Return why a food power may not be used, or None. It can be used only right after eating a card that has it."""
    cat = board.cat()
    if board.phase != MEAL:
        return Refusal("WC-EAT-5", f"{cat} has not just eaten a card with a food power", board.acts())
    if verb == DONE:
        return None
    own = POWER_OF_VERB[board.box.asks[board.eaten]]
    if verb != own.verb:
        powers = f"the food power of {board.the(board.eaten)} is {own.name}, not {POWER_OF_VERB[verb].name}"
        return refuse("WC-EAT-5", powers, card=board.box.ids[board.eaten], power=own.name)
    if board.power_is_spent():
        # Two rules forbid this; the refusal names the one that explains more.
        if verb == AGAIN:
            only = f"only the first card of a turn brings another action; {board.the(board.eaten)} is a later one"
            return refuse("WC-PWR-9", only, card=board.box.ids[board.eaten])
        used = f"{cat} has already used a food power this turn, and the limit is 1 a turn"
        return refuse("WC-PWR-8", used, **board.acts(), limit=1)
    if verb == SHARE:
        return _why_not_share(board, card)
    if verb == DRAG:
        if card in board.city:
            return None
        only = f"only villagers in the City can be dragged; {board.where(card)}"
        return refuse("WC-PWR-3", only, card=board.box.ids[card])
    if verb == DRAW:
        return None
    payer = board.starting_of(board.turn)
    pays = f"{board.name(payer)} has {board.food[payer]} food"
    if verb == AGAIN:
        if board.food[payer] >= EXTRA_COST:
            return None
        text = f"another action costs {EXTRA_COST} food from the starting cat; {pays}"
        return refuse("WC-PWR-6", text, payer=board.box.ids[payer], cost=EXTRA_COST, food=board.food[payer])
    if board.food[payer] < REANIMATE_COST:
        text = f"ReAnimate costs {REANIMATE_COST} food from the starting cat; {pays}"
        return refuse("WC-PWR-7", text, payer=board.box.ids[payer], cost=REANIMATE_COST, food=board.food[payer])
    if card not in board.graveyards[board.turn]:
        who = board.seats[board.turn]
        where = f"the card must be in {who}'s own Graveyard; {board.where(card)}"
        return refuse("WC-PWR-7", where, seat=who, card=board.box.ids[card])
    return None


def _why_not_share(board: Board, card: int) -> Refusal | None:
    who = board.seats[board.turn]
    if not board.meal:
        return refuse("WC-PWR-2", "this meal brings no food to share", card=board.box.ids[board.eaten])
    if not board.cats[board.turn] >> card & 1:
        own = f"{who} can share food only with their own werecats; {board.where(card)}"
        return refuse("WC-PWR-2", own, seat=who, card=board.box.ids[card])
    cat: dict[str, Fact] = {"seat": who, "cat": board.box.ids[card]}
    if card == board.acting:
        return Refusal("WC-AMB-13", f'food that {who} does not share stays with {board.the(card)}: say "done"', cat)
    vigor = board.box.cards.vigors[card]
    if board.food[card] >= vigor:
        full = f"{board.name(card)} is full: it holds {board.food[card]} food, and its Vigor is {vigor}"
        return refuse("WC-AMB-13", full, **cat, food=board.food[card], vigor=vigor)
    return None
