"""Why a move of Curses & Covens is not allowed: a table and a small move in, the rule and a sentence out.

A refusal is told to the seat that acts, so it speaks of what that seat knows: its own hand, and what lies open. Its
facts have the names that those of events have.
"""

from __future__ import annotations

from grimalkin.engine.law import law
from grimalkin.engine.words import Fact, Refusal, listed
from grimalkin.games.curses_and_covens.board import Board
from grimalkin.games.curses_and_covens.facts import HUNTER, Kind, Move, Phase, Spell, Stage, Verb
from grimalkin.problems.plain import plural

ANNOUNCE, QUESTION, DEAL, ACT, ANSWER = Stage.ANNOUNCE, Stage.QUESTION, Stage.DEAL, Stage.ACT, Stage.ANSWER
PICK, PASS = Stage.PICK, Stage.PASS


@law("CC-CENSUS-6", "CC-WIN-1", "CC-WIN-2", "CC-WIN-3", "CC-TRAV-2", "CC-TRAV-3", "CC-HUNT-2", "CC-HUNT-4", "CC-AMB-30")
def refusal(board: Board, move: Move | str) -> Refusal | None:
    """None if the move is legal now, else why it is not."""
    if board.phase is Phase.OVER:
        ending = board.ending
        return Refusal(
            ending.rules[0], f"the game is over: {ending.why}", {"ending": ending.word, "round": board.round}
        )
    if isinstance(move, str):
        return _talk(board)
    verb, card, seat, spell = move
    if verb.names_a_seat and seat >= len(board.seats):
        return Refusal(
            verb.rule,
            f"{len(board.seats)} play, and there is no seat {seat + 1}",
            {"seats": len(board.seats), "number": seat + 1},
        )
    if verb.stage is not board.stage:
        return _not_now(board, verb)
    if spell is not None:
        return _spell(board, spell)
    if verb is Verb.HAT:
        return _hat(board, seat)
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
    hand, who = board.hands[board.turn], board.seats[board.turn]
    cards = "the card" if len(hand) == 1 else f"among the {plural(len(hand), 'card')}"
    return Refusal(
        verb.rule,
        f"{board.box.names[card]} is not {cards} of {who}",
        {"card": board.box.card_ids[card], "town": who, "hand": len(hand)},
    )


def _not_now(board: Board, verb: Verb) -> Refusal:
    """The move belongs to another moment of the round."""
    who, stage = board.seats[board.turn], board.stage
    if verb.stage is QUESTION:
        return _not_asked(board)
    if stage is ANNOUNCE:
        if verb.stage in (ACT, ANSWER):
            return Refusal(
                "CC-ROUND-1",
                f"this is the Census of round {board.round}, and Travel comes later",
                {"round": board.round, "phase": board.phase.word},
            )
        return Refusal(
            "CC-ROUND-1",
            f"this is the Census: {who} may cast a spell and speak, and passes on the hat",
            {"round": board.round, "phase": board.phase.word, "town": who},
        )
    if stage is QUESTION:
        return Refusal(
            "CC-AMB-26",
            f"{who} is asked whether to shuffle, and first says shuffle or leave",
            {"under": len(board.under)},
        )
    if stage is DEAL:
        town, count = board.seats[board.service()[board.served]], len(board.tray)
        return Refusal("CC-ARR-2", f"{who} gives {town} one of {count} cards now", {"town": town, "drawn": count})
    if stage is ACT:
        return Refusal(
            "CC-TRAV-1",
            f"in Travel {who} gives a card, asks a town for one, or exchanges one in the woods",
            {"town": who},
        )
    if stage is ANSWER:
        town = board.seats[board.acting()]
        return Refusal("CC-TRAV-3", f"{town} has asked {who}, which must pass a card", {"town": town, "asked": who})
    if stage is PICK:
        pick, picks = board.picks + 1, board.picks_allowed()
        return Refusal("CC-HUNT-1", f"{who} makes pick {pick} of {picks} now", {"pick": pick, "picks": picks})
    if stage is PASS:
        card, town = board.box.names[board.taken], board.seats[board.taken_from]
        facts = {"card": board.box.card_ids[board.taken], "from": town}
        return Refusal("CC-HUNT-4", f"{card} of {town} is passed on to another town first", facts)
    hand = len(board.hands[board.turn])
    text = f"{who} puts its {plural(hand, 'card')} under the deck first"
    return Refusal("CC-HUNT-5", text, {"town": who, "hand": hand})


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
    return Refusal("CC-AMB-26", text, {"under": len(board.under), "deck": len(board.pool)})


# Census


def _talk(board: Board) -> Refusal | None:
    """Only towns are bound to be silent; what the Hunter says is never written down (CC-AMB-27)."""
    if board.turn == HUNTER:
        why = "what the Hunter says is not written down; at the table the Hunter may talk at any time"
        return Refusal("CC-AMB-27", f"not asked here: {why}")
    if board.phase is Phase.TRAVEL:
        return Refusal("CC-ARR-4", "in Travel the towns say nothing", {"phase": board.phase.word})
    if board.stage is not ANNOUNCE:
        return Refusal(
            "CC-CENSUS-4",
            "the towns talk about plans in the Census, and not before the Hunt is over",
            {"phase": board.phase.word},
        )
    return None


def _hat(board: Board, seat: int) -> Refusal | None:
    if seat == HUNTER:
        return Refusal(
            "CC-CENSUS-6",
            f"{board.seats[HUNTER]} is the Witch Hunter, and the hat goes to a town",
            {"hunter": board.seats[HUNTER]},
        )
    return None


def _spell(board: Board, spell: Spell) -> Refusal | None:
    box = board.box
    number = box.tile_of[spell]
    tile, side, name = box.tiles[number], board.sides[number], box.spell_names[spell]
    if side is None:
        return Refusal(
            "CC-AMB-31", f"{tile.name} with {name} was left in the box", {"tile": tile.id, "spell": spell.word}
        )
    if board.cast is not None:
        before = box.spell_names[board.cast]
        if box.tile_of[board.cast] == number:
            return Refusal(
                "CC-AMB-16",
                f"{tile.name} lies apart since {before} was cast, until the Hunt is over",
                {"tile": tile.id, "spell": spell.word, "cast": board.cast.word},
            )
        return Refusal(
            "CC-SPELL-4",
            f"{before} was cast, and 1 spell a round is all",
            {"spell": spell.word, "cast": board.cast.word, "spells": 1},
        )
    if tile.spells[side] is not spell:
        shown = tile.spells[side]
        facts = {"tile": tile.id, "side": side.word, "spell": spell.word, "shown": shown.word}
        return Refusal("CC-SPELL-6", f"{tile.name} shows its {side.word}, {box.spell_names[shown]}", facts)
    if board.talk:
        return Refusal("CC-CENSUS-4", f"{name} is too late: the towns have begun to talk", {"spell": spell.word})
    if spell in board.castable():
        return None
    return _icons(board, spell)


def _icons(board: Board, spell: Spell) -> Refusal:
    """No town shows two witches that match."""
    box, kinds, name = board.box, board.box.cards.kinds, board.box.spell_names[spell]
    first, second = box.icons[spell]
    icons = f"{first.word} and {second.word}"
    facts: dict[str, Fact] = {"spell": spell.word, "icons": (first.word, second.word)}
    for town, hand in enumerate(board.hands):
        matching = [card for card in hand if kinds[card] in (first, second, Kind.WILD)]
        fakes = [card for card in hand if kinds[card] is Kind.FAKE]
        if matching and fakes:
            both = (matching[0], fakes[0])
            shows = f"{board.seats[town]} shows {listed([box.names[card] for card in both])}"
            facts |= {"town": board.seats[town], "cards": tuple([box.card_ids[card] for card in both])}
            return Refusal("CC-SPELL-7", f"{name} takes {icons}; {shows}, and the fake witch matches no icon", facts)
    for town, hand in enumerate(board.hands):
        matching = [card for card in hand if kinds[card] in (first, second, Kind.WILD)]
        if len(matching) == 1 and (first is second or kinds[matching[0]] is Kind.WILD):
            shows = f"{board.seats[town]} shows {box.names[matching[0]]}"
            facts |= {"town": board.seats[town], "cards": (box.card_ids[matching[0]],)}
            return Refusal("CC-AMB-3", f"{name} takes {icons}; {shows}, and 1 witch is no two", facts)
    return Refusal("CC-SPELL-1", f"{name} takes {icons}, and no town shows two witches that match", facts)


# Arrival


def _deal(board: Board, verb: Verb, card: int) -> Refusal | None:
    towns, count = len(board.seats) - 1 - board.served, len(board.tray)
    if verb is Verb.DEAL_NOTHING:
        if count < towns:
            return None
        cards = f"{plural(count, 'card')} for {plural(towns, 'town')}"
        return Refusal(
            "CC-AMB-28",
            f"there {'is' if count == 1 else 'are'} {cards}, so each gets one",
            {"drawn": count, "towns-left": towns},
        )
    if card in board.tray:
        return None
    name, drawn = board.seats[board.turn], plural(count, "card")
    text = f"{board.box.names[card]} is not among the {drawn} that {name} has drawn"
    return Refusal("CC-ARR-2", text, {"card": board.box.card_ids[card], "drawn": count})


# Travel


def _action(board: Board, verb: Verb, card: int, seat: int) -> Refusal | None:
    town, names = board.turn, board.seats
    hand = board.hands[town]
    if verb is not Verb.ASK and card not in hand:
        return _not_in_hand(board, verb, card)
    if verb is Verb.WOODS:
        return None
    if seat == town:
        what = "gives to another town" if verb is Verb.GIVE else "asks another town"
        return Refusal(verb.rule, f"{names[town]} {what}, not itself", {"town": names[town]})
    if seat == HUNTER:
        return Refusal(verb.rule, f"{names[HUNTER]} is the Witch Hunter, and no town", {"hunter": names[HUNTER]})
    if verb is Verb.GIVE and len(hand) == 1:
        return Refusal(
            "CC-TRAV-6", f"{names[town]} has 1 card, and never gives its last", {"town": names[town], "hand": 1}
        )
    if verb is Verb.ASK and not board.hands[seat]:
        return Refusal(
            "CC-AMB-24", f"{names[seat]} has no cards, and may not be asked for one", {"asked": names[seat], "hand": 0}
        )
    return None


# Hunt


def _pick(board: Board, seat: int) -> Refusal | None:
    name = board.seats[seat]
    if seat == HUNTER:
        return Refusal("CC-HUNT-2", f"{name} is the Witch Hunter, and picks from a town", {"hunter": name})
    if not board.hands[seat]:
        return Refusal("CC-AMB-8", f"{name} has no cards", {"town": name, "hand": 0})
    if seat == board.barred():
        return Refusal(
            "CC-CHARM-2",
            f"the first pick fell on {name}, so the second must fall on another town",
            {"town": name, "pick": board.picks + 1},
        )
    return None


def _pass(board: Board, seat: int) -> Refusal | None:
    name, card = board.seats[seat], board.box.names[board.taken]
    if seat == HUNTER:
        return Refusal(
            "CC-HUNT-4",
            f"{name} is the Witch Hunter, and {card} goes to a town",
            {"hunter": name, "card": board.box.card_ids[board.taken]},
        )
    if seat == board.taken_from:
        return Refusal(
            "CC-AMB-9",
            f"{card} comes from {name}, so it goes to another town",
            {"card": board.box.card_ids[board.taken], "from": name},
        )
    return None
