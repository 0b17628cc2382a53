"""The log of Curses & Covens: the events that describe what has just happened at the table.

Only those who saw a card read the sentence that names it; the others read one without the card. The same applies to
its facts. In them a `town` is a name, a `card` an id; `hand` is the number of cards in a hand, `witches` and
`rituals` the numbers in front of the Witch Hunter, and `needed` how many of them decide the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grimalkin.engine.words import Event
from grimalkin.games.curses_and_covens import scoring
from grimalkin.games.curses_and_covens.board import Board
from grimalkin.games.curses_and_covens.facts import (
    COVEN,
    HUNTER,
    NOTHING,
    PICKS,
    RITUALS_TO_WIN,
    SUITS,
    WITCHES_TO_WIN,
    Ending,
    Kind,
    Move,
    Side,
    Spell,
)
from grimalkin.games.curses_and_covens.words import gaps
from grimalkin.problems.plain import plural

Log = list[Event]


def say(board: Board, log: Log, rule: str, text: str, /, **facts: Any) -> None:
    """Log an event that everybody sees."""
    words, told = gaps(board, facts)
    log.append(Event(rule, text.format_map(words), facts=told))


def whisper(
    board: Board, log: Log, rule: str, text: str, readers: Sequence[int], hint: str = "", /, **facts: Any
) -> None:
    """Log an event that some seats see; the others read the hint, by default the same with "a card" for {card}."""
    words, told = gaps(board, facts)
    hint = hint or text.replace("{card}", "a card")
    log.append(Event(rule, text.format_map(words), frozenset(readers), hint.format_map(words), told))


# Set-up and Census


def set_up(board: Board, log: Log) -> None:
    towns = range(1, len(board.seats))
    text = "{hunter} is the Witch Hunter, {towns} are the towns."
    say(board, log, "CC-PLAYERS-1", text, hunter=HUNTER, towns=towns)
    say(board, log, "CC-AMB-20", "{town} sits on {hunter}'s left, and the other towns follow clockwise.", town=towns[0])
    tiles = [tile for tile, side in enumerate(board.sides) if side is not None]
    if tiles:
        say(board, log, "CC-SETUP-3", "On the table, charm side up: {tiles}.", tiles=tiles)
    out = [tile for tile, side in enumerate(board.sides) if side is None]
    if out:
        say(board, log, "CC-AMB-31", "Left in the box: {tiles}.", tiles=out)
    hint = "{hunter} looks at a card and hides it in the woods."
    whisper(board, log, "CC-SETUP-4", "{hunter} hides {card} in the woods.", [HUNTER], hint, card=board.woods)
    for town in towns:
        hand = board.hands[town]
        hint = f"{{town}} is dealt {plural(len(hand), 'card')}."
        whisper(board, log, "CC-SETUP-5", "{town} is dealt {cards}.", [town], hint, town=town, cards=hand)
    deck = len(board.pool)
    say(board, log, "CC-SETUP-6", f"The other {plural(deck, 'card')} form the deck.", deck=deck)


def round_begins(board: Board, log: Log) -> None:
    rule = "CC-ROUND-1" if board.round == 1 else "CC-HUNT-13"
    say(board, log, rule, "Round {round} begins with its Census.", round=board.round)
    if board.round == 1:
        say(board, log, "CC-AMB-23", "The hat is in front of {town}, which speaks for the towns.", town=board.hat)


def drew_in_census(board: Board, town: int, card: int, log: Log) -> None:
    if card == NOTHING:
        say(board, log, "CC-TRAV-7", "{town} has no cards and draws none: the deck is empty.", town=town)
    else:
        text, hint = "{town} has no cards and draws {card}.", "{town} has no cards and draws one."
        whisper(board, log, "CC-CENSUS-1", text, [town], hint, town=town, card=card)


def census(board: Board, log: Log) -> None:
    towns = range(1, len(board.seats))
    for town in towns:
        shown = "{cards}" if board.hands[town] else "no cards"
        say(board, log, "CC-CENSUS-2", f"{{town}} shows {shown}.", town=town, cards=board.hands[town])
    for town in towns:
        _log_coven(board, town, log)


def _log_coven(board: Board, town: int, log: Log) -> None:
    """Log whether a town's hand is a coven, or why not if it looks like one."""
    hand, kinds = board.hands[town], board.box.cards.kinds
    suited = [sum(kinds[card] is suit for card in hand) for suit in SUITS]
    wild = sum(kinds[card] is Kind.WILD for card in hand)
    most, others = board.most_of_a_suit(town), max(suited)
    suit = SUITS[suited.index(others)].word
    coven = {"town": town, "suit": suit, "witches": most, "needed": COVEN}
    if most >= COVEN:
        say(board, log, "CC-CENSUS-3", "{town} shows {witches} witches of {suit}: a coven.", **coven)
        if wild:
            text = f"The wild witch stands for {suit} with {plural(others, 'other')}."
            say(board, log, "CC-AMB-13", text, town=town, suit=suit, others=others)
            say(board, log, "CC-AMB-14", "She may be any suit in each check, and is {suit} in this one.", suit=suit)
        if board.castable():
            say(board, log, "CC-AMB-15", "The coven comes before any spell.")
        return
    if most == COVEN - 1 and any(kinds[card] is Kind.FAKE for card in hand):
        text = "{town}'s fake witch has no suit, so {witches} of {suit} are not a coven."
        say(board, log, "CC-HUNT-12", text, **coven)
    if wild and sum(suited) >= COVEN - 1:
        suits = tuple([suit.word for suit, count in zip(SUITS, suited, strict=True) if count])
        text = "{town}'s wild witch stands for one suit, not for {suits} together, so there is no coven."
        say(board, log, "CC-AMB-13", text, town=town, suits=suits, needed=COVEN)


def cast(board: Board, spell: Spell, log: Log) -> None:
    box, kinds = board.box, board.box.cards.kinds
    casters = [town for town, hand in enumerate(board.hands) if spell in box.judge(hand).casts]
    tame = [[card for card in board.hands[town] if kinds[card] is not Kind.WILD] for town in casters]
    first, second = box.icons[spell]
    text = f"{{town}} announces {{spell}}: {{shown-by}} {'show' if len(casters) > 1 else 'shows'} {{icons}}."
    icons = first.word, second.word
    say(board, log, "CC-SPELL-1", text, town=board.turn, spell=spell, icons=icons, shown_by=casters)
    if first is second:
        say(board, log, "CC-AMB-3", "Two {suit} icons need two witches.", suit=first.word)
    if not any(spell in box.judge(hand).casts for hand in tame):
        say(board, log, "CC-SPELL-5", "The wild witch stands for one of the icons.")
    text = "{tile} is set apart, and {spell} lasts until the round is over."
    say(board, log, "CC-SPELL-2", text, tile=box.tile_of[spell], spell=spell)
    say(board, log, "CC-SPELL-3", "The witches stay in hand.")
    say(board, log, spell.rule, spell.effect, spell=spell, picks=spell.picks, laps=spell.laps)


def said(board: Board, words: str, log: Log) -> None:
    say(board, log, "CC-CENSUS-4", '{town} says: "{words}"', town=board.turn, words=words)
    say(board, log, "CC-CENSUS-5", "Whether it is true or not, {hunter} hears it too.")
    say(board, log, "CC-AMB-27", "Nobody has to keep to it.")


def hat_passed(board: Board, before: int, log: Log) -> None:
    keeps = board.hat == before
    text = f"{{town}} {'keeps' if keeps else 'has'} the hat, and goes first in Travel."
    say(board, log, "CC-CENSUS-6", text, town=board.hat, keeps=keeps)
    say(board, log, "CC-CENSUS-7", "The towns take their shown cards back.")


# Arrival


def deck_empty(board: Board, log: Log) -> None:
    say(board, log, "CC-TRAV-7", "The deck is empty, so no card is drawn.")
    if board.served:
        text = "The towns got their cards one after the other, so {towns} got nothing."
        say(board, log, "CC-AMB-7", text, towns=board.service()[board.served :])


def arrived(board: Board, town: int, card: int, unseen: bool, log: Log) -> None:
    if unseen:
        text = "{town} has the hat and draws first: {card}, which {hunter} does not see."
        hint = "{town} has the hat and draws first, and {hunter} does not look at the card."
        whisper(board, log, "CC-CHARM-1", text, [town], hint, town=town, card=card)
    else:
        text = "{hunter} draws {card} and passes it to {town}."
        hint = "{hunter} draws a card, looks at it and passes it to {town}."
        whisper(board, log, "CC-ARR-1", text, [HUNTER, town], hint, town=town, card=card)


def _rule_of_choice(board: Board) -> str:
    """Return the rule that lets the Hunter give out cards by choice."""
    return "CC-CURSE-2" if board.cast is Spell.BROKEN_MIRROR and not board.rituals else "CC-ARR-2"


def looked(board: Board, log: Log) -> None:
    count = len(board.tray)
    if not count:
        deck_empty(board, log)
        return
    rule = _rule_of_choice(board)
    why = "under Broken Mirror" if rule == "CC-CURSE-2" else "with a ritual in front"
    looks = f"{{hunter}}, {why}, draws {plural(count, 'card')} and looks at"
    hint = f"{looks} {'them all' if count > 1 else 'it'}."
    whisper(board, log, rule, f"{looks} {{cards}}.", [HUNTER], hint, cards=board.tray)
    towns = len(board.seats) - 1 - board.served
    if count < towns:
        text = f"There are {{towns-left}} towns to serve and only {plural(count, 'card')}."
        say(board, log, "CC-AMB-7", text, towns_left=towns, drawn=count)


def dealt(board: Board, town: int, card: int, log: Log) -> None:
    rule, text = _rule_of_choice(board), "{hunter} gives {card} to {town}."
    whisper(board, log, rule, text, [HUNTER, town], town=town, card=card)


def dealt_nothing(board: Board, town: int, log: Log) -> None:
    say(board, log, "CC-AMB-28", "{hunter} gives nothing to {town}.", town=town)


# Travel


def travel_begins(board: Board, log: Log) -> None:
    _log_order(board, "CC-TRAV-1", "Travel begins with {}: {}.", log)


def another_lap(board: Board, log: Log) -> None:
    _log_order(board, "CC-CURSE-3", "Travel goes round again: {1}.", log)


def _log_order(board: Board, rule: str, text: str, log: Log) -> None:
    """Log the order of the towns, beginning with the one with the hat."""
    order = board.seats[board.hat :] + board.seats[1 : board.hat]
    log.append(Event(rule, text.format(order[0], ", then ".join(order)), facts={"towns": order}))


def acts_again(board: Board, log: Log) -> None:
    say(board, log, "CC-CHARM-3", "{town} has the hat and gets a second action.", town=board.hat)


def gave(board: Board, move: Move, log: Log) -> None:
    town, to, text = board.turn, move.seat, "{from} gives {card} to {to}."
    whisper(board, log, "CC-TRAV-2", text, [town, to], from_=town, to=to, card=move.card)


def asked(board: Board, other: int, log: Log) -> None:
    town = board.turn
    if not board.hands[town]:
        say(board, log, "CC-AMB-6", "{town} has no cards, so it can only ask.", town=town)
    say(board, log, "CC-TRAV-3", "{town} asks {asked} for a card.", town=town, asked=other)
    if len(board.hands[other]) == 1:
        say(board, log, "CC-AMB-4", "{asked} has only 1 card, so nothing moves.", asked=other, hand=1)


def answered(board: Board, town: int, asker: int, card: int, log: Log) -> None:
    hand, text = len(board.hands[town]) + 1, "{from} passes {card} to {to}."
    whisper(board, log, "CC-TRAV-3", text, [town, asker], from_=town, to=asker, card=card)
    say(board, log, "CC-AMB-22", "{town} was free to choose any of its {hand} cards.", town=town, hand=hand)


def swapped(board: Board, town: int, put: int, got: int, log: Log) -> None:
    text = "{town} puts {put} in the woods and takes {got} from there."
    hint = "{town} exchanges a card with the one in the woods."
    whisper(board, log, "CC-TRAV-4", text, [town], hint, town=town, put=put, got=got)
    if len(board.hands[town]) == 1:
        say(board, log, "CC-AMB-5", "It was {town}'s only card, but an exchange is not a gift.", town=town, hand=1)


# Hunt


def hunt_begins(board: Board, log: Log) -> None:
    picks = board.picks_allowed()
    rule = "CC-HUNT-1" if board.cast is None or picks == PICKS else board.cast.rule
    say(board, log, rule, f"The Hunt begins: {plural(picks, 'pick')}.", picks=picks)


def picks_skipped(board: Board, log: Log) -> None:
    left = board.picks_allowed() - board.picks
    if any(board.hands):
        text = "Only the first town has cards, so the second pick is skipped."
        say(board, log, "CC-CHARM-2", text, town=board.first, picks_left=left)
        return
    say(board, log, "CC-AMB-8", f"No town has cards, so {plural(left, 'pick')} cannot be made.", picks_left=left)
    if left > 1 or board.picks:
        say(board, log, "CC-AMB-29", "Picks that cannot be made are skipped.")


def picked(board: Board, town: int, card: int, log: Log) -> None:
    text = "{hunter} picks a card from {town}, and everybody sees {card}."
    say(board, log, "CC-HUNT-2", text, town=town, card=card, pick=board.picks, picks=board.picks_allowed())
    if board.picks > 1:
        if board.cast is Spell.LOOKING_GLASS:
            say(board, log, "CC-CHARM-2", "The first pick was from {town}.", town=board.first)
        elif board.first == town:
            rule = "CC-CURSE-3" if board.cast is Spell.WILD_CHASE else "CC-HUNT-3"
            say(board, log, rule, "The Hunter may pick from {town} again.", town=town)


def passed_on(board: Board, town: int, card: int, to: int, log: Log) -> None:
    hand = len(board.hands[town])
    say(board, log, "CC-HUNT-4", "{card} is passed on to {to}.", from_=town, to=to, card=card)
    if len(board.seats) > 3:
        words, _ = gaps(board, {"from": town})
        text = "{hunter} could choose any town except {from}; everybody knows the card."
        log.append(Event("CC-AMB-9", text.format_map(words)))
    if board.cast is Spell.NIGHTMARE and hand:
        text = "{town}, which was picked, puts the rest of its hand under the deck."
        say(board, log, "CC-CURSE-1", text, town=town, hand=hand)


def ritual(board: Board, town: int, card: int, log: Log) -> None:
    count, nightmare = len(board.rituals), board.cast is Spell.NIGHTMARE
    keeps = {"town": town, "hand": len(board.hands[town])}
    text = f"{{card}} stays in front of {{hunter}}: {plural(count, 'ritual')} there."
    say(board, log, "CC-HUNT-7", text, town=town, card=card, rituals=count, needed=RITUALS_TO_WIN)
    if not board.hands[town]:
        return
    if count < RITUALS_TO_WIN:
        if nightmare:
            say(board, log, "CC-CURSE-1", "{town} still puts the rest of its hand under the deck.", **keeps)
        else:
            say(board, log, "CC-HUNT-14", "{town} keeps its hand.", **keeps)
    elif nightmare:
        say(board, log, "CC-AMB-29", "The second ritual wins before anything goes under the deck.", **keeps)


def slips_away(board: Board, town: int, card: int, log: Log) -> None:
    hand = len(board.hands[town])
    after = " after the rest of {town}'s hand" if hand else ""
    text = f"{{card}} is not captured, and will go under the deck{after}."
    say(board, log, "CC-CURSE-2", text, town=town, card=card, hand=hand)


def caught(board: Board, town: int, card: int, log: Log) -> None:
    count, hand, is_fake = len(board.witches), len(board.hands[town]), card == board.box.fake
    enough = count >= WITCHES_TO_WIN
    witches = f"{count} {'witch' if count == 1 else 'witches'}"
    text = f"{{card}} is captured: {witches} in front of {{hunter}}."
    say(board, log, "CC-HUNT-5", text, town=town, card=card, witches=count, needed=WITCHES_TO_WIN)
    if board.box.cards.kinds[card] is Kind.WILD:
        say(board, log, "CC-HUNT-15", "The wild witch is captured like any other.")
    if enough and is_fake:
        text = f"She makes {witches}, but her own capture never wins the game: the others escape."
        say(board, log, "CC-HUNT-10", text, witches=count, needed=WITCHES_TO_WIN)
    elif enough and board.box.fake in board.witches:
        say(board, log, "CC-HUNT-11", "The fake witch is one of the {witches}.", witches=count)
    if hand and (is_fake or not enough):
        rest = "its other card" if hand == 1 else "the other {hand} cards of its hand"
        say(board, log, "CC-HUNT-5", f"{{town}} puts {rest} under the deck.", town=town, hand=hand)


def laid_under(board: Board, town: int, card: int, log: Log) -> None:
    whisper(board, log, "CC-AMB-10", "{town} puts {card} under the deck.", [town], town=town, card=card)


def slipped(board: Board, card: int, log: Log) -> None:
    say(board, log, "CC-CURSE-2", "{card} goes under the deck.", card=card)


def escaped(board: Board, others: Sequence[int], laid: bool, log: Log) -> None:
    """Log the escape of the other witches. `laid`: whether the town has laid cards under the deck before."""
    fake = board.box.fake
    text = f"Because of {{card}}, {{cards}} {'escapes' if len(others) == 1 else 'escape'} under the deck."
    say(board, log, "CC-HUNT-8", text, card=fake, cards=others)
    if laid:
        say(board, log, "CC-AMB-11", "They go below the cards that the town has put there.")
    if len(others) > 1:
        say(board, log, "CC-AMB-25", "The first one captured is nearest the top: {card}.", card=others[0])
    say(board, log, "CC-HUNT-9", "{card} stays until the end of the game.", card=fake)


def flipped(board: Board, tile: int, side: Side, log: Log) -> None:
    say(board, log, "CC-SPELL-6", "{tile} turns over and shows its {side}.", tile=tile, side=side.word)
    if len(board.sides) - board.sides.count(None) > 1:
        say(board, log, "CC-AMB-16", "Tiles that nobody cast stay as they are.")


# Shuffling


def shuffled(board: Board, log: Log) -> None:
    under = len(board.under)
    text = f"{{hunter}} shuffles the deck, including {plural(under, 'card')} from under it."
    say(board, log, "CC-SETUP-7", text, under=under)
    say(board, log, "CC-AMB-12", "This changes which card is drawn next, but no rule.")


def left_alone(board: Board, log: Log) -> None:
    say(board, log, "CC-AMB-26", "{hunter} leaves the deck as it is.")


# The end


def game_ends(board: Board, ending: Ending, log: Log) -> None:
    left = board.picks_allowed() - board.picks
    if ending in (Ending.RITUALS, Ending.CAPTURES) and left > 0:
        say(board, log, "CC-AMB-17", f"The game is over, and {plural(left, 'pick')} will not be made.", picks_left=left)
    log += [Event(rule, because, facts=facts) for rule, because, facts in scoring.steps(board, ending)]
