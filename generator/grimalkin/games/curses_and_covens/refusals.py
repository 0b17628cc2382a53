"""Why a move of Curses & Covens is not allowed: a table and a small move in, the rule and a sentence out.

A refusal is told to the seat that acts, so it speaks of what that seat knows: its own hand, and what lies open. Its
facts have the names that those of events have.
"""

from __future__ import annotations

from typing import Any

from grimalkin.engine.law import law
from grimalkin.engine.words import Refusal
from grimalkin.games.curses_and_covens.board import Board
from grimalkin.games.curses_and_covens.facts import HUNTER, Kind, Move, Phase, Spell, Stage, Verb
from grimalkin.games.curses_and_covens.words import gaps
from grimalkin.problems.plain import plural

ANNOUNCE, QUESTION, DEAL, ACT, ANSWER = Stage.ANNOUNCE, Stage.QUESTION, Stage.DEAL, Stage.ACT, Stage.ANSWER
PICK, PASS = Stage.PICK, Stage.PASS


def _no(board: Board, rule: str, because: str, /, **facts: Any) -> Refusal:
    words, told = gaps(board, facts)
    return Refusal(rule, because.format_map(words), told)


@law("CC-CENSUS-6", "CC-WIN-1", "CC-WIN-2", "CC-WIN-3", "CC-TRAV-2", "CC-TRAV-3", "CC-HUNT-2", "CC-HUNT-4", "CC-AMB-30")
def refusal(board: Board, move: Move | str) -> Refusal | None:
    """None if the move is legal now, else why it is not."""
    if board.phase is Phase.OVER:
        ending = board.ending
        text = f"the game is over: {ending.why}"
        return _no(board, ending.rules[0], text, ending=ending.word, round=board.round)
    if isinstance(move, str):
        return _talk(board)
    verb, card, seat, spell = move
    if verb.names_a_seat and seat >= len(board.seats):
        text = "{seats} play, and there is no seat {number}"
        return _no(board, verb.rule, text, seats=len(board.seats), number=seat + 1)
    if verb.stage is not board.stage:
        return _not_now(board, verb)
    if spell is not None:
        return _spell(board, spell)
    if verb is Verb.HAT and seat == HUNTER:
        return _no(board, verb.rule, "{hunter} is the Witch Hunter, and the hat goes to a town", hunter=HUNTER)
    if verb.stage is DEAL:
        return _deal(board, verb, card)
    if verb.stage is ACT:
        return _action(board, verb, card, seat)
    if verb is Verb.PICK:
        return _pick(board, seat)
    if verb is Verb.PASS:
        return _pass(board, seat)
    if verb in (Verb.ANSWER, Verb.UNDER) and card not in board.hands[board.turn]:
        return _not_in_hand(board, verb, card)
    return None


@law("CC-TRAV-2", "CC-TRAV-3", "CC-TRAV-4", "CC-AMB-10")
def _not_in_hand(board: Board, verb: Verb, card: int) -> Refusal:
    hand = len(board.hands[board.turn])
    cards = "the card" if hand == 1 else f"among the {plural(hand, 'card')}"
    return _no(board, verb.rule, f"{{card}} is not {cards} of {{town}}", card=card, town=board.turn, hand=hand)


def _not_now(board: Board, verb: Verb) -> Refusal:
    """The move belongs to another moment of the round."""
    stage, turn = board.stage, board.turn
    if verb.stage is QUESTION:
        return _not_asked(board)
    if stage is ANNOUNCE:
        facts = {"round": board.round, "phase": board.phase.word}
        if verb.stage in (ACT, ANSWER):
            return _no(board, "CC-ROUND-1", "this is the Census of round {round}, and Travel comes later", **facts)
        text = "this is the Census: {town} may cast a spell and speak, and passes on the hat"
        return _no(board, "CC-ROUND-1", text, **facts, town=turn)
    if stage is QUESTION:
        text = "{who} is asked whether to shuffle, and first says shuffle or leave"
        return _no(board, "CC-AMB-26", text, under=len(board.under))
    if stage is DEAL:
        town, text = board.service()[board.served], "{who} gives {town} one of {drawn} cards now"
        return _no(board, "CC-ARR-2", text, town=town, drawn=len(board.tray))
    if stage is ACT:
        text = "in Travel {town} gives a card, asks a town for one, or exchanges one in the woods"
        return _no(board, "CC-TRAV-1", text, town=turn)
    if stage is ANSWER:
        text = "{town} has asked {asked}, which must pass a card"
        return _no(board, "CC-TRAV-3", text, town=board.acting(), asked=turn)
    if stage is PICK:
        text = "{who} makes pick {pick} of {picks} now"
        return _no(board, "CC-HUNT-1", text, pick=board.picks + 1, picks=board.picks_allowed())
    if stage is PASS:
        text = "{card} of {from} is passed on to another town first"
        return _no(board, "CC-HUNT-4", text, card=board.taken, from_=board.taken_from)
    hand = len(board.hands[turn])
    text = f"{{town}} puts its {plural(hand, 'card')} under the deck first"
    return _no(board, "CC-HUNT-5", text, town=turn, hand=hand)


@law("CC-AMB-12")
def _not_asked(board: Board) -> Refusal:
    """To shuffle is never forbidden (CC-SETUP-7), but asked for only at certain moments."""
    if not board.under:
        why = "no card lies under the deck in an order, so to shuffle would change nothing"
    elif not board.may_shuffle():
        why = "the deck is a single card, so to shuffle would change nothing"
    else:
        why = "the Hunter is asked before a draw, and when all cards that go under the deck lie there"
    text = f"not asked here: {why}; at the table the Hunter may shuffle at any time (CC-SETUP-7)"
    return _no(board, "CC-AMB-26", text, under=len(board.under), deck=len(board.pool))


# Census


def _talk(board: Board) -> Refusal | None:
    """Only towns are bound to be silent; what the Hunter says is never written down (CC-AMB-27)."""
    if board.turn == HUNTER:
        why = "what the Hunter says is not written down; at the table the Hunter may talk at any time"
        return _no(board, "CC-AMB-27", f"not asked here: {why}")
    phase = board.phase.word
    if board.phase is Phase.TRAVEL:
        return _no(board, "CC-ARR-4", "in Travel the towns say nothing", phase=phase)
    if board.stage is not ANNOUNCE:
        text = "the towns talk about plans in the Census, and not before the Hunt is over"
        return _no(board, "CC-CENSUS-4", text, phase=phase)
    return None


def _spell(board: Board, spell: Spell) -> Refusal | None:
    number, before = board.box.tile_of[spell], board.cast
    tile, side = board.box.tiles[number], board.sides[number]
    if side is None:
        return _no(board, "CC-AMB-31", "{tile} with {spell} was left in the box", tile=number, spell=spell)
    if before is not None:
        if board.box.tile_of[before] == number:
            text = "{tile} lies apart since {cast} was cast, until the Hunt is over"
            return _no(board, "CC-AMB-16", text, tile=number, spell=spell, cast=before)
        text = "{cast} was cast, and 1 spell a round is all"
        return _no(board, "CC-SPELL-4", text, spell=spell, cast=before, spells=1)
    if tile.spells[side] is not spell:
        text = "{tile} shows its {side}, {shown}"
        return _no(board, "CC-SPELL-6", text, tile=number, side=side.word, spell=spell, shown=tile.spells[side])
    if board.talk:
        return _no(board, "CC-CENSUS-4", "{spell} is too late: the towns have begun to talk", spell=spell)
    return None if spell in board.castable() else _icons(board, spell)


def _icons(board: Board, spell: Spell) -> Refusal:
    """No town shows two witches that match."""
    kinds = board.box.cards.kinds
    first, second = board.box.icons[spell]
    takes, facts = "{spell} takes {icons}", {"spell": spell, "icons": (first.word, second.word)}
    shown = [[card for card in hand if kinds[card] in (first, second, Kind.WILD)] for hand in board.hands]
    for town, matching in enumerate(shown):
        fakes = [card for card in board.hands[town] if kinds[card] is Kind.FAKE]
        if matching and fakes:
            text = f"{takes}; {{town}} shows {{cards}}, and the fake witch matches no icon"
            return _no(board, "CC-SPELL-7", text, **facts, town=town, cards=[matching[0], fakes[0]])
    for town, matching in enumerate(shown):
        if len(matching) == 1 and (first is second or kinds[matching[0]] is Kind.WILD):
            text = f"{takes}; {{town}} shows {{cards}}, and 1 witch is no two"
            return _no(board, "CC-AMB-3", text, **facts, town=town, cards=matching)
    return _no(board, "CC-SPELL-1", f"{takes}, and no town shows two witches that match", **facts)


# Arrival


def _deal(board: Board, verb: Verb, card: int) -> Refusal | None:
    towns, count = len(board.seats) - 1 - board.served, len(board.tray)
    drawn = plural(count, "card")
    if verb is Verb.DEAL_NOTHING:
        if count < towns:
            return None
        text = f"there {'is' if count == 1 else 'are'} {drawn} for {plural(towns, 'town')}, so each gets one"
        return _no(board, "CC-AMB-28", text, drawn=count, towns_left=towns)
    if card in board.tray:
        return None
    return _no(board, "CC-ARR-2", f"{{card}} is not among the {drawn} that {{who}} has drawn", card=card, drawn=count)


# Travel


def _action(board: Board, verb: Verb, card: int, seat: int) -> Refusal | None:
    town = board.turn
    hand = board.hands[town]
    if verb is not Verb.ASK and card not in hand:
        return _not_in_hand(board, verb, card)
    if verb is Verb.WOODS:
        return None
    if seat == town:
        what = "gives to another town" if verb is Verb.GIVE else "asks another town"
        return _no(board, verb.rule, f"{{town}} {what}, not itself", town=town)
    if seat == HUNTER:
        return _no(board, verb.rule, "{hunter} is the Witch Hunter, and no town", hunter=HUNTER)
    if verb is Verb.GIVE and len(hand) == 1:
        return _no(board, "CC-TRAV-6", "{town} has 1 card, and never gives its last", town=town, hand=1)
    if verb is Verb.ASK and not board.hands[seat]:
        return _no(board, "CC-AMB-24", "{asked} has no cards, and may not be asked for one", asked=seat, hand=0)
    return None


# Hunt


def _pick(board: Board, seat: int) -> Refusal | None:
    if seat == HUNTER:
        return _no(board, "CC-HUNT-2", "{hunter} is the Witch Hunter, and picks from a town", hunter=HUNTER)
    if not board.hands[seat]:
        return _no(board, "CC-AMB-8", "{town} has no cards", town=seat, hand=0)
    if seat == board.barred():
        text = "the first pick fell on {town}, so the second must fall on another town"
        return _no(board, "CC-CHARM-2", text, town=seat, pick=board.picks + 1)
    return None


def _pass(board: Board, seat: int) -> Refusal | None:
    if seat == HUNTER:
        text = "{hunter} is the Witch Hunter, and {card} goes to a town"
        return _no(board, "CC-HUNT-4", text, hunter=HUNTER, card=board.taken)
    if seat == board.taken_from:
        text = "{card} comes from {from}, so it goes to another town"
        return _no(board, "CC-AMB-9", text, card=board.taken, from_=seat)
    return None
