"""Why a move of Curses & Covens is not allowed: a state and a small move in, the rule and a sentence out.

A refusal is told to the seat that acts, so it speaks of what that seat knows: its own hand, and what lies open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from grimalkin.engine.words import Refusal, listed
from grimalkin.games.curses_and_covens.events import some
from grimalkin.games.curses_and_covens.facts import (
    ACT,
    ANNOUNCE,
    ANSWER,
    ANSWERS,
    ASK,
    BY_CAPTURES,
    BY_COVEN,
    BY_NOBODY,
    BY_RITUALS,
    CARD_BITS,
    CARD_SHIFT,
    CAST,
    DEAL,
    DEAL_NOTHING,
    DEALS,
    EMPTY,
    ENDED,
    FAKE,
    GIVE,
    HAT,
    HUNTER,
    LEAVE,
    LOOKING_GLASS,
    NO_SPELL,
    NOTHING,
    PASS,
    PASSING,
    PICK,
    PICKING,
    QUESTION,
    SEAT_BITS,
    SHUFFLE,
    SIDES,
    SUITS,
    TRAVEL,
    UNDER,
    VERB_SHIFT,
    WILD,
    WOODS,
)

if TYPE_CHECKING:
    from grimalkin.games.curses_and_covens.state import State

OVER_BECAUSE: Final = {
    BY_COVEN: ("CC-WIN-1", "the towns have won with a coven"),
    BY_RITUALS: ("CC-WIN-2", "the towns have won with their second ritual"),
    BY_CAPTURES: ("CC-WIN-3", "the Witch Hunter has won with the fifth witch"),
    BY_NOBODY: ("CC-AMB-30", "the last round is over, and nobody has won"),
}
STAGES: Final = {
    CAST: ANNOUNCE,
    HAT: ANNOUNCE,
    SHUFFLE: QUESTION,
    LEAVE: QUESTION,
    DEALS: DEAL,
    DEAL_NOTHING: DEAL,
    GIVE: ACT,
    ASK: ACT,
    WOODS: ACT,
    ANSWERS: ANSWER,
    PICKING: PICK,
    PASSING: PASS,
    UNDER: EMPTY,
}
"""By verb: the stage to which it belongs."""
TO_A_TOWN: Final = {
    HAT: "CC-CENSUS-6",
    GIVE: "CC-TRAV-2",
    ASK: "CC-TRAV-3",
    PICKING: "CC-HUNT-2",
    PASSING: "CC-HUNT-4",
}
"""By verb of a move that names a town: the rule that says so."""


def refusal(state: State, move: int | str) -> Refusal | None:
    """None if the move is legal now, else why it is not."""
    if state.phase == ENDED:
        rule, why = OVER_BECAUSE[state.ending]
        return Refusal(rule, f"the game is over: {why}")
    if isinstance(move, str):
        return _talk(state)
    verb, card, seat = move >> VERB_SHIFT, move >> CARD_SHIFT & CARD_BITS, move & SEAT_BITS
    if verb in TO_A_TOWN and seat >= len(state.seats):
        return Refusal(TO_A_TOWN[verb], f"{len(state.seats)} play, and there is no seat {seat + 1}")
    if STAGES[verb] != state.stage:
        return _not_now(state, verb)
    if verb == CAST:
        return _spell(state, card)
    if verb == HAT:
        return _hat(state, seat)
    if verb in (DEALS, DEAL_NOTHING):
        return _deal(state, verb, card)
    if verb in (GIVE, ASK, WOODS):
        return _action(state, verb, card, seat)
    if verb == PICKING:
        return _pick(state, seat)
    if verb == PASSING:
        return _pass(state, seat)
    if verb in (ANSWERS, UNDER) and card not in state.hands[state.turn]:
        return _not_in_hand(state, card, "CC-TRAV-3" if verb == ANSWERS else "CC-AMB-10")
    return None


def _not_in_hand(state: State, card: int, rule: str) -> Refusal:
    hand, who = state.hands[state.turn], state.seats[state.turn]
    cards = "the card" if len(hand) == 1 else f"among the {some(len(hand), 'card')}"
    return Refusal(rule, f"{state.box.names[card]} is not {cards} of {who}")


def _not_now(state: State, verb: int) -> Refusal:
    """The move belongs to another moment of the round."""
    who, stage = state.seats[state.turn], state.stage
    if verb in (SHUFFLE, LEAVE):
        return _not_asked(state)
    if stage == ANNOUNCE:
        if verb in (ASK, GIVE, WOODS, ANSWERS):
            return Refusal("CC-ROUND-1", f"this is the Census of round {state.round}, and Travel comes later")
        return Refusal("CC-ROUND-1", f"this is the Census: {who} may cast a spell and speak, and passes on the hat")
    if stage == QUESTION:
        return Refusal("CC-AMB-26", f"{who} is asked whether to shuffle, and first says shuffle or leave")
    if stage == DEAL:
        return Refusal(
            "CC-ARR-2", f"{who} gives {state.seats[state.service()[state.served]]} one of {len(state.tray)} cards now"
        )
    if stage == ACT:
        return Refusal("CC-TRAV-1", f"in Travel {who} gives a card, asks a town for one, or exchanges one in the woods")
    if stage == ANSWER:
        return Refusal("CC-TRAV-3", f"{state.seats[state.acting()]} has asked {who}, which must pass a card")
    if stage == PICK:
        return Refusal("CC-HUNT-1", f"{who} makes pick {state.picks + 1} of {state.picks_allowed()} now")
    if stage == PASS:
        card = state.box.names[state.taken]
        return Refusal("CC-HUNT-4", f"{card} of {state.seats[state.taken_from]} is passed on to another town first")
    cards = some(len(state.hands[state.turn]), "card")
    return Refusal("CC-HUNT-5", f"{who} puts its {cards} under the deck first")


def _not_asked(state: State) -> Refusal:
    """To shuffle is never forbidden (CC-SETUP-7), but asked for only at certain moments."""
    if not state.under:
        why = "no card lies under the deck in an order, so to shuffle would change nothing"
    elif not state.may_shuffle():
        why = "the deck is a single card, so to shuffle would change nothing"
    else:
        why = "the Hunter is asked before a draw, and when all cards that go under the deck lie there"
    return Refusal("CC-AMB-26", f"not asked here: {why}; at the table the Hunter may shuffle at any time (CC-SETUP-7)")


# Census


def _talk(state: State) -> Refusal | None:
    """Only towns are bound to be silent; what the Hunter says is never written down (CC-AMB-27)."""
    if state.turn == HUNTER:
        why = "what the Hunter says is not written down; at the table the Hunter may talk at any time"
        return Refusal("CC-AMB-27", f"not asked here: {why}")
    if state.phase == TRAVEL:
        return Refusal("CC-ARR-4", "in Travel the towns say nothing")
    if state.stage != ANNOUNCE:
        return Refusal("CC-CENSUS-4", "the towns talk about plans in the Census, and not before the Hunt is over")
    return None


def _hat(state: State, seat: int) -> Refusal | None:
    if seat == HUNTER:
        return Refusal("CC-CENSUS-6", f"{state.seats[HUNTER]} is the Witch Hunter, and the hat goes to a town")
    return None


def _spell(state: State, spell: int) -> Refusal | None:
    box = state.box
    number = box.tile_of[spell]
    tile, side, name = box.tiles[number], state.sides[number], box.spell_names[spell]
    if side == NOTHING:
        return Refusal("CC-AMB-31", f"{tile.name} with {name} was left in the box")
    if state.cast != NO_SPELL:
        before = box.spell_names[state.cast]
        if box.tile_of[state.cast] == number:
            return Refusal("CC-AMB-16", f"{tile.name} lies apart since {before} was cast, until the Hunt is over")
        return Refusal("CC-SPELL-4", f"{before} was cast, and 1 spell a round is all")
    if tile.spells[side] != spell:
        return Refusal("CC-SPELL-6", f"{tile.name} shows its {SIDES[side]}, {box.spell_names[tile.spells[side]]}")
    if state.talk:
        return Refusal("CC-CENSUS-4", f"{name} is too late: the towns have begun to talk")
    if spell in state.castable():
        return None
    return _icons(state, spell)


def _icons(state: State, spell: int) -> Refusal:
    """No town shows two witches that match."""
    box, kinds, name = state.box, state.box.cards.kinds, state.box.spell_names[spell]
    first, second = box.icons[spell]
    icons = f"{SUITS[first]} and {SUITS[second]}"
    for town, hand in enumerate(state.hands):
        matching = [card for card in hand if kinds[card] in (first, second, WILD)]
        fakes = [card for card in hand if kinds[card] == FAKE]
        if matching and fakes:
            both = listed([box.names[card] for card in (matching[0], fakes[0])])
            return Refusal(
                "CC-SPELL-7",
                f"{name} takes {icons}; {state.seats[town]} shows {both}, and the fake witch matches no icon",
            )
    for town, hand in enumerate(state.hands):
        matching = [card for card in hand if kinds[card] in (first, second, WILD)]
        if len(matching) == 1 and (first == second or kinds[matching[0]] == WILD):
            one = box.names[matching[0]]
            return Refusal("CC-AMB-3", f"{name} takes {icons}; {state.seats[town]} shows {one}, and 1 witch is no two")
    return Refusal("CC-SPELL-1", f"{name} takes {icons}, and no town shows two witches that match")


# Arrival


def _deal(state: State, verb: int, card: int) -> Refusal | None:
    towns, count = len(state.seats) - 1 - state.served, len(state.tray)
    if verb == DEAL_NOTHING:
        if count < towns:
            return None
        cards = f"{some(count, 'card')} for {some(towns, 'town')}"
        return Refusal("CC-AMB-28", f"there {'is' if count == 1 else 'are'} {cards}, so each gets one")
    if card in state.tray:
        return None
    name = state.seats[state.turn]
    return Refusal("CC-ARR-2", f"{state.box.names[card]} is not among the {some(count, 'card')} that {name} has drawn")


# Travel


def _action(state: State, verb: int, card: int, seat: int) -> Refusal | None:
    town, names = state.turn, state.seats
    hand = state.hands[town]
    rule = TO_A_TOWN.get(verb, "CC-TRAV-4")
    if verb != ASK and card not in hand:
        return _not_in_hand(state, card, rule)
    if verb == WOODS:
        return None
    if seat == town:
        what = "gives to another town" if verb == GIVE else "asks another town"
        return Refusal(rule, f"{names[town]} {what}, not itself")
    if seat == HUNTER:
        return Refusal(rule, f"{names[HUNTER]} is the Witch Hunter, and no town")
    if verb == GIVE and len(hand) == 1:
        return Refusal("CC-TRAV-6", f"{names[town]} has 1 card, and never gives its last")
    if verb == ASK and not state.hands[seat]:
        return Refusal("CC-AMB-24", f"{names[seat]} has no cards, and may not be asked for one")
    return None


# Hunt


def _pick(state: State, seat: int) -> Refusal | None:
    name = state.seats[seat]
    if seat == HUNTER:
        return Refusal("CC-HUNT-2", f"{name} is the Witch Hunter, and picks from a town")
    if not state.hands[seat]:
        return Refusal("CC-AMB-8", f"{name} has no cards")
    if state.cast == LOOKING_GLASS and state.picks and seat == state.first:
        return Refusal("CC-CHARM-2", f"the first pick fell on {name}, so the second must fall on another town")
    return None


def _pass(state: State, seat: int) -> Refusal | None:
    name, card = state.seats[seat], state.box.names[state.taken]
    if seat == HUNTER:
        return Refusal("CC-HUNT-4", f"{name} is the Witch Hunter, and {card} goes to a town")
    if seat == state.taken_from:
        return Refusal("CC-AMB-9", f"{card} comes from {name}, so it goes to another town")
    return None
