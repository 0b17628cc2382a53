"""The refusals of Curses & Covens: why a small move is not allowed, as a rule and a sentence.

A refusal is read by the seat that acts, so it mentions only what that seat can see: its own hand and the open cards.
The facts have the same names as those of events.
"""

from __future__ import annotations

from grimalkin.engine.law import law
from grimalkin.engine.words import Refusal
from grimalkin.games.curses_and_covens.board import Board
from grimalkin.games.curses_and_covens.facts import HUNTER, Kind, Move, Phase, Spell, Stage, Verb
from grimalkin.problems.plain import plural

ANNOUNCE, QUESTION, DEAL, ACT, ANSWER = Stage.ANNOUNCE, Stage.QUESTION, Stage.DEAL, Stage.ACT, Stage.ANSWER
PICK, PASS = Stage.PICK, Stage.PASS


@law("CC-CENSUS-6", "CC-WIN-1", "CC-WIN-2", "CC-WIN-3", "CC-TRAV-2", "CC-TRAV-3", "CC-HUNT-2", "CC-HUNT-4", "CC-AMB-30")
def refusal(board: Board, move: Move | str) -> Refusal | None:
    """Return None if the move is legal now, otherwise why it is not."""
    if board.phase is Phase.OVER:
        ending = board.ending
        text = f"the game is over: {ending.why}"
        return board.refuse(ending.rules[0], text, ending=ending.word, round=board.round)
    if isinstance(move, str):
        return _talk(board)
    verb, card, seat, spell = move
    if verb.names_a_seat and seat >= len(board.seats):
        text = "there are only {seats} players, so there is no seat {number}"
        return board.refuse(verb.rule, text, seats=len(board.seats), number=seat + 1)
    if verb.stage is not board.stage:
        return _not_now(board, verb)
    if spell is not None:
        return _spell(board, spell)
    if verb is Verb.HAT and seat == HUNTER:
        return board.refuse(verb.rule, "{hunter} is the Witch Hunter, and the hat must go to a town", hunter=HUNTER)
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
    cards = "{town}'s card" if hand == 1 else f"one of {{town}}'s {plural(hand, 'card')}"
    return board.refuse(verb.rule, f"{{card}} is not {cards}", card=card, town=board.turn, hand=hand)


def _not_now(board: Board, verb: Verb) -> Refusal:
    """Refuse a move that belongs to another moment of the round."""
    stage, turn = board.stage, board.turn
    if verb.stage is QUESTION:
        return _not_asked(board)
    if stage is ANNOUNCE:
        facts = {"round": board.round, "phase": board.phase.word}
        if verb.stage in (ACT, ANSWER):
            return board.refuse("CC-ROUND-1", "this is the Census of round {round}, and Travel comes later", **facts)
        text = "this is the Census: {town} may cast a spell and speak, and must pass on the hat"
        return board.refuse("CC-ROUND-1", text, **facts, town=turn)
    if stage is QUESTION:
        text = "{who} must first say whether to shuffle the deck or leave it"
        return board.refuse("CC-AMB-26", text, under=len(board.under))
    if stage is DEAL:
        town, text = board.service()[board.served], "{who} must now give {town} one of {drawn} cards"
        return board.refuse("CC-ARR-2", text, town=town, drawn=len(board.tray))
    if stage is ACT:
        text = "in Travel, {town} must give a card, ask a town for one, or exchange one in the woods"
        return board.refuse("CC-TRAV-1", text, town=turn)
    if stage is ANSWER:
        text = "{town} has asked {asked}, which must pass a card"
        return board.refuse("CC-TRAV-3", text, town=board.acting(), asked=turn)
    if stage is PICK:
        text = "{who} must now make pick {pick} of {picks}"
        return board.refuse("CC-HUNT-1", text, pick=board.picks + 1, picks=board.picks_allowed())
    if stage is PASS:
        text = "{card} from {from} must first go to another town"
        return board.refuse("CC-HUNT-4", text, card=board.taken, from_=board.taken_from)
    hand = len(board.hands[turn])
    text = f"{{town}} must first put its {plural(hand, 'card')} under the deck"
    return board.refuse("CC-HUNT-5", text, town=turn, hand=hand)


@law("CC-AMB-12")
def _not_asked(board: Board) -> Refusal:
    """Refuse to shuffle now: shuffling is always allowed (CC-SETUP-7), but the Hunter is asked only at certain
    moments."""
    if not board.under:
        why = "there are no cards under the deck in a known order, so shuffling would change nothing"
    elif not board.may_shuffle():
        why = "the deck is a single card, so shuffling would change nothing"
    else:
        why = "the game asks the Hunter before a draw, and after all the cards have gone under the deck"
    text = f"not asked here: {why}; at the table the Hunter may shuffle at any time (CC-SETUP-7)"
    return board.refuse("CC-AMB-26", text, under=len(board.under), deck=len(board.pool))


# Census


def _talk(board: Board) -> Refusal | None:
    """Refuse talk at the wrong time. Only towns must keep silent; the Hunter's words are not recorded
    (CC-AMB-27)."""
    if board.turn == HUNTER:
        why = "a recorded game does not keep what the Hunter says; at the table, the Hunter may talk at any time"
        return board.refuse("CC-AMB-27", f"not asked here: {why}")
    phase = board.phase.word
    if board.phase is Phase.TRAVEL:
        return board.refuse("CC-ARR-4", "in Travel, the towns may say nothing", phase=phase)
    if board.stage is not ANNOUNCE:
        text = "the towns may talk about plans only in the Census, so not until the Hunt is over"
        return board.refuse("CC-CENSUS-4", text, phase=phase)
    return None


def _spell(board: Board, spell: Spell) -> Refusal | None:
    number, before = board.box.tile_of[spell], board.cast
    tile, side = board.box.tiles[number], board.sides[number]
    if side is None:
        return board.refuse("CC-AMB-31", "{tile} with {spell} was left in the box", tile=number, spell=spell)
    if before is not None:
        if board.box.tile_of[before] == number:
            text = "{tile} has been set apart since {cast} was cast, until the Hunt is over"
            return board.refuse("CC-AMB-16", text, tile=number, spell=spell, cast=before)
        text = "{cast} has been cast, and there may be only 1 spell per round"
        return board.refuse("CC-SPELL-4", text, spell=spell, cast=before, spells=1)
    if tile.spells[side] is not spell:
        text = "{tile} shows its {side}, {shown}"
        return board.refuse("CC-SPELL-6", text, tile=number, side=side.word, spell=spell, shown=tile.spells[side])
    if board.talk:
        return board.refuse("CC-CENSUS-4", "{spell} is too late: the towns have begun to talk", spell=spell)
    return None if spell in board.castable() else _icons(board, spell)


def _icons(board: Board, spell: Spell) -> Refusal:
    """Refuse a spell for which no town shows two matching witches."""
    kinds = board.box.cards.kinds
    first, second = board.box.icons[spell]
    takes, facts = "{spell} needs {icons}", {"spell": spell, "icons": (first.word, second.word)}
    shown = [[card for card in hand if kinds[card] in (first, second, Kind.WILD)] for hand in board.hands]
    for town, matching in enumerate(shown):
        fakes = [card for card in board.hands[town] if kinds[card] is Kind.FAKE]
        if matching and fakes:
            text = f"{takes}; {{town}} shows {{cards}}, but the fake witch does not match an icon"
            return board.refuse("CC-SPELL-7", text, **facts, town=town, cards=[matching[0], fakes[0]])
    for town, matching in enumerate(shown):
        if len(matching) == 1 and (first is second or kinds[matching[0]] is Kind.WILD):
            text = f"{takes}; {{town}} shows {{cards}}, but 1 witch does not count as two"
            return board.refuse("CC-AMB-3", text, **facts, town=town, cards=matching)
    return board.refuse("CC-SPELL-1", f"{takes}, but no town shows two witches that match", **facts)


# Arrival


def _deal(board: Board, verb: Verb, card: int) -> Refusal | None:
    towns, count = len(board.seats) - 1 - board.served, len(board.tray)
    drawn = plural(count, "card")
    if verb is Verb.DEAL_NOTHING:
        if count < towns:
            return None
        text = f"there {'is' if count == 1 else 'are'} {drawn} for {plural(towns, 'town')}, so each gets one"
        return board.refuse("CC-AMB-28", text, drawn=count, towns_left=towns)
    if card in board.tray:
        return None
    return board.refuse("CC-ARR-2", f"{{card}} is not among the {drawn} that {{who}} has drawn", card=card, drawn=count)


# Travel


def _action(board: Board, verb: Verb, card: int, seat: int) -> Refusal | None:
    town = board.turn
    hand = board.hands[town]
    if verb is not Verb.ASK and card not in hand:
        return _not_in_hand(board, verb, card)
    if verb is Verb.WOODS:
        return None
    if seat == town:
        what = "must give to another town" if verb is Verb.GIVE else "must ask another town"
        return board.refuse(verb.rule, f"{{town}} {what}, not itself", town=town)
    if seat == HUNTER:
        return board.refuse(verb.rule, "{hunter} is the Witch Hunter, not a town", hunter=HUNTER)
    if verb is Verb.GIVE and len(hand) == 1:
        return board.refuse("CC-TRAV-6", "{town} has only 1 card, and may not give its last", town=town, hand=1)
    if verb is Verb.ASK and not board.hands[seat]:
        return board.refuse("CC-AMB-24", "{asked} has no cards, so you may not ask it for one", asked=seat, hand=0)
    return None


# Hunt


def _pick(board: Board, seat: int) -> Refusal | None:
    if seat == HUNTER:
        return board.refuse("CC-HUNT-2", "{hunter} is the Witch Hunter, and must pick from a town", hunter=HUNTER)
    if not board.hands[seat]:
        return board.refuse("CC-AMB-8", "{town} has no cards", town=seat, hand=0)
    if seat == board.barred():
        text = "the first pick was from {town}, so the second must be from another town"
        return board.refuse("CC-CHARM-2", text, town=seat, pick=board.picks + 1)
    return None


def _pass(board: Board, seat: int) -> Refusal | None:
    if seat == HUNTER:
        text = "{hunter} is the Witch Hunter, and {card} must go to a town"
        return board.refuse("CC-HUNT-4", text, hunter=HUNTER, card=board.taken)
    if seat == board.taken_from:
        text = "{card} comes from {from}, so it must go to another town"
        return board.refuse("CC-AMB-9", text, card=board.taken, from_=seat)
    return None
