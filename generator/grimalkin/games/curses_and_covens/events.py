"""What the log of Curses & Covens says: a table and what has just happened on it in, events out.

A sentence about a card that not everybody saw is for those who did; the others read the same without the card.
"""

from __future__ import annotations

from collections.abc import Sequence

from grimalkin.engine.words import Event, listed
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
from grimalkin.plain import plural

Log = list[Event]


def the(board: Board, cards: Sequence[int]) -> str:
    """Cards in a sentence."""
    return listed([board.box.names[card] for card in cards])


def towns_of(board: Board) -> list[str]:
    return list(board.seats[1:])


def secret(rule: str, text: str, readers: Sequence[int], hint: str) -> Event:
    return Event(rule, text, frozenset(readers), hint)


# Set-up and Census


def set_up(board: Board, log: Log) -> None:
    hunter, towns = board.seats[HUNTER], towns_of(board)
    log.append(Event("CC-PLAYERS-1", f"{hunter} is the Witch Hunter, {listed(towns)} are the towns."))
    log.append(Event("CC-AMB-20", f"{towns[0]} sits at {hunter}'s left hand, and the towns follow clockwise."))
    tiles = [tile.name for tile, side in zip(board.box.tiles, board.sides, strict=True) if side is not None]
    if tiles:
        log.append(Event("CC-SETUP-3", f"On the table, charm side up: {listed(tiles)}."))
    out = [tile.name for tile, side in zip(board.box.tiles, board.sides, strict=True) if side is None]
    if out:
        log.append(Event("CC-AMB-31", f"Left in the box: {listed(out)}."))
    hidden = f"{hunter} hides {the(board, [board.woods])} in the woods."
    log.append(secret("CC-SETUP-4", hidden, [HUNTER], f"{hunter} looks at a card and hides it in the woods."))
    for town, name in enumerate(board.seats):
        if town != HUNTER:
            hand = board.hands[town]
            dealt = f"{name} is dealt {the(board, hand)}."
            log.append(secret("CC-SETUP-5", dealt, [town], f"{name} is dealt {plural(len(hand), 'card')}."))
    log.append(Event("CC-SETUP-6", f"The other {plural(len(board.pool), 'card')} are the deck."))


def round_begins(board: Board, log: Log) -> None:
    rule = "CC-ROUND-1" if board.round == 1 else "CC-HUNT-13"
    log.append(Event(rule, f"Round {board.round} begins with its Census."))
    if board.round == 1:
        first = board.seats[board.hat]
        log.append(Event("CC-AMB-23", f"The hat stands before {first}, who speaks for the towns."))


def drew_in_census(board: Board, town: int, card: int, log: Log) -> None:
    name = board.seats[town]
    if card == NOTHING:
        log.append(Event("CC-TRAV-7", f"{name} has no cards, and draws none: the deck is empty."))
    else:
        drawn = f"{name} has no cards, and draws {the(board, [card])}."
        log.append(secret("CC-CENSUS-1", drawn, [town], f"{name} has no cards, and draws one."))


def census(board: Board, log: Log) -> None:
    for town, name in enumerate(board.seats):
        if town != HUNTER:
            log.append(Event("CC-CENSUS-2", f"{name} shows {the(board, board.hands[town]) or 'no cards'}."))
    for town, name in enumerate(board.seats):
        _log_coven(board, town, name, log)


def _log_coven(board: Board, town: int, name: str, log: Log) -> None:
    """Whether a town's hand is a coven, and why not, if it looks like one."""
    hand, kinds = board.hands[town], board.box.cards.kinds
    suited = [sum(kinds[card] is suit for card in hand) for suit in SUITS]
    wild = sum(kinds[card] is Kind.WILD for card in hand)
    most = board.most_of_a_suit(town)
    suit = SUITS[suited.index(max(suited))].word
    if most >= COVEN:
        log.append(Event("CC-CENSUS-3", f"{name} shows {most} witches of {suit}: a coven."))
        if wild:
            log.append(Event("CC-AMB-13", f"The wild witch stands for {suit} beside {plural(max(suited), 'other')}."))
            log.append(Event("CC-AMB-14", f"She is read anew for each check, and here as {suit}."))
        if board.castable():
            log.append(Event("CC-AMB-15", "The coven comes before any spell."))
        return
    if most == COVEN - 1 and any(kinds[card] is Kind.FAKE for card in hand):
        log.append(Event("CC-HUNT-12", f"{name}'s fake witch is of no suit, so {most} of {suit} are no coven."))
    if wild and sum(suited) >= COVEN - 1:
        both = listed([suit.word for suit, count in zip(SUITS, suited, strict=True) if count])
        log.append(Event("CC-AMB-13", f"{name}'s wild witch stands for one suit, not for {both} together: no coven."))


def cast(board: Board, spell: Spell, log: Log) -> None:
    box, who = board.box, board.seats[board.turn]
    tile = box.tiles[box.tile_of[spell]]
    name = box.spell_names[spell]
    first, second = box.icons[spell]
    icons = f"{first.word} and {second.word}"
    kinds, without_wild = box.cards.kinds, False
    casters = []
    for town, hand in enumerate(board.hands):
        if spell in box.judge(hand).casts:
            casters.append(board.seats[town])
            tame = [card for card in hand if kinds[card] is not Kind.WILD]
            if spell in box.judge(tame).casts:
                without_wild = True
    shows = f"{listed(casters)} {'show' if len(casters) > 1 else 'shows'}"
    log.append(Event("CC-SPELL-1", f"{who} announces {name}: {shows} {icons}."))
    if first is second:
        log.append(Event("CC-AMB-3", f"Two icons of {first.word} take two witches."))
    if not without_wild:
        log.append(Event("CC-SPELL-5", "The wild witch stands for one of the icons."))
    log.append(Event("CC-SPELL-2", f"{tile.name} is set apart, and {name} holds until the round is over."))
    log.append(Event("CC-SPELL-3", "The witches stay in hand."))
    log.append(Event(spell.rule, spell.effect))


def said(board: Board, words: str, log: Log) -> None:
    who, hunter = board.seats[board.turn], board.seats[HUNTER]
    log.append(Event("CC-CENSUS-4", f'{who} says: "{words}"'))
    log.append(Event("CC-CENSUS-5", f"True or not, {hunter} hears it too."))
    log.append(Event("CC-AMB-27", "It binds nobody."))


def hat_passed(board: Board, before: int, log: Log) -> None:
    name, has = board.seats[board.hat], "keeps" if board.hat == before else "has"
    log.append(Event("CC-CENSUS-6", f"{name} {has} the hat, and goes first in Travel."))
    log.append(Event("CC-CENSUS-7", "The cards shown are taken back to hand."))


# Arrival


def deck_empty(board: Board, log: Log) -> None:
    log.append(Event("CC-TRAV-7", "The deck is empty, so no card is drawn."))
    if board.served:
        rest = listed([board.seats[town] for town in board.service()[board.served :]])
        log.append(Event("CC-AMB-7", f"The towns got their cards one after the other: {rest} got nothing."))


def arrived(board: Board, town: int, card: int, unseen: bool, log: Log) -> None:
    name, hunter = board.seats[town], board.seats[HUNTER]
    if unseen:
        hint = f"{name} has the hat and draws first, and {hunter} does not look at the card."
        got = f"{name} has the hat and draws first: {the(board, [card])}, which {hunter} does not see."
        log.append(secret("CC-CHARM-1", got, [town], hint))
    else:
        hint = f"{hunter} draws a card, looks at it and passes it to {name}."
        got = f"{hunter} draws {the(board, [card])} and passes it to {name}."
        log.append(secret("CC-ARR-1", got, [HUNTER, town], hint))


def looked(board: Board, log: Log) -> None:
    hunter, count = board.seats[HUNTER], len(board.tray)
    if not count:
        deck_empty(board, log)
        return
    rule = "CC-CURSE-2" if board.cast is Spell.BROKEN_MIRROR and not board.rituals else "CC-ARR-2"
    why = "under the Broken Mirror" if rule == "CC-CURSE-2" else "with a ritual in front"
    looks = f"{hunter}, {why}, draws {plural(count, 'card')} and looks at"
    hint = f"{looks} {'them all' if count > 1 else 'it'}."
    log.append(secret(rule, f"{looks} {the(board, board.tray)}.", [HUNTER], hint))
    towns = len(board.seats) - 1 - board.served
    if count < towns:
        log.append(Event("CC-AMB-7", f"There are {towns} towns to serve and only {plural(count, 'card')}."))


def dealt(board: Board, town: int, card: int, log: Log) -> None:
    name, hunter = board.seats[town], board.seats[HUNTER]
    rule = "CC-CURSE-2" if board.cast is Spell.BROKEN_MIRROR and not board.rituals else "CC-ARR-2"
    got = f"{hunter} gives {the(board, [card])} to {name}."
    log.append(secret(rule, got, [HUNTER, town], f"{hunter} gives a card to {name}."))


def dealt_nothing(board: Board, town: int, log: Log) -> None:
    log.append(Event("CC-AMB-28", f"{board.seats[HUNTER]} gives nothing to {board.seats[town]}."))


# Travel


def travel_begins(board: Board, log: Log) -> None:
    towns = towns_of(board)
    log.append(Event("CC-TRAV-1", f"Travel begins with {board.seats[board.hat]}: {_order(board, towns)}."))


def _order(board: Board, towns: Sequence[str]) -> str:
    first = board.hat - 1
    return ", then ".join([*towns[first:], *towns[:first]])


def another_lap(board: Board, log: Log) -> None:
    towns = towns_of(board)
    log.append(Event("CC-CURSE-3", f"Travel goes round again: {_order(board, towns)}."))


def acts_again(board: Board, log: Log) -> None:
    log.append(Event("CC-CHARM-3", f"{board.seats[board.hat]} has the hat, and a second action."))


def gave(board: Board, move: Move, log: Log) -> None:
    town, to = board.turn, move.seat
    name, other = board.seats[town], board.seats[to]
    text = f"{name} gives {the(board, [move.card])} to {other}."
    log.append(secret("CC-TRAV-2", text, [town, to], f"{name} gives a card to {other}."))


def asked(board: Board, other: int, log: Log) -> None:
    name, asked_ = board.seats[board.turn], board.seats[other]
    if not board.hands[board.turn]:
        log.append(Event("CC-AMB-6", f"{name} has no cards, and can only ask."))
    log.append(Event("CC-TRAV-3", f"{name} asks {asked_} for a card."))
    if len(board.hands[other]) == 1:
        log.append(Event("CC-AMB-4", f"{asked_} has only 1 card, so nothing moves."))


def answered(board: Board, town: int, asker: int, card: int, log: Log) -> None:
    name, other = board.seats[town], board.seats[asker]
    text = f"{name} passes {the(board, [card])} to {other}."
    log.append(secret("CC-TRAV-3", text, [town, asker], f"{name} passes a card to {other}."))
    log.append(Event("CC-AMB-22", f"{name} could choose any of its {len(board.hands[town]) + 1} cards."))


def swapped(board: Board, town: int, put: int, got: int, log: Log) -> None:
    name = board.seats[town]
    text = f"{name} puts {the(board, [put])} in the woods, and takes {the(board, [got])} from there."
    log.append(secret("CC-TRAV-4", text, [town], f"{name} exchanges a card with the one in the woods."))
    if len(board.hands[town]) == 1:
        log.append(Event("CC-AMB-5", f"It was {name}'s only card, and an exchange is no gift."))


# Hunt


def hunt_begins(board: Board, log: Log) -> None:
    picks = board.picks_allowed()
    rule = "CC-HUNT-1" if board.cast is None or picks == PICKS else board.cast.rule
    log.append(Event(rule, f"The Hunt begins: {plural(picks, 'pick')}."))


def picks_skipped(board: Board, log: Log) -> None:
    left = board.picks_allowed() - board.picks
    if any(board.hands):
        log.append(Event("CC-CHARM-2", "No other town than the first has cards, so the second pick is skipped."))
        return
    log.append(Event("CC-AMB-8", f"No town has cards, so {plural(left, 'pick')} cannot be made."))
    if left > 1 or board.picks:
        log.append(Event("CC-AMB-29", "Picks that cannot be made are skipped."))


def picked(board: Board, town: int, card: int, log: Log) -> None:
    hunter, name = board.seats[HUNTER], board.seats[town]
    log.append(Event("CC-HUNT-2", f"{hunter} picks a card of {name}, and all see {the(board, [card])}."))
    if board.picks > 1:
        same = board.first == town
        if board.cast is Spell.LOOKING_GLASS:
            log.append(Event("CC-CHARM-2", f"The first pick was made from {board.seats[board.first]}."))
        elif same:
            rule = "CC-CURSE-3" if board.cast is Spell.WILD_CHASE else "CC-HUNT-3"
            log.append(Event(rule, f"{name} may be picked from again."))


def passed_on(board: Board, town: int, card: int, to: int, log: Log) -> None:
    name, other = board.seats[town], board.seats[to]
    log.append(Event("CC-HUNT-4", f"{the(board, [card])} is passed on to {other}."))
    if len(board.seats) > 3:
        log.append(Event("CC-AMB-9", f"{board.seats[HUNTER]} could choose any town but {name}; all know the card."))
    if board.cast is Spell.NIGHTMARE and board.hands[town]:
        log.append(Event("CC-CURSE-1", f"{name}, which was picked, puts the rest of its hand under the deck."))


def ritual(board: Board, card: int, log: Log) -> None:
    hunter, count = board.seats[HUNTER], len(board.rituals)
    text = f"{the(board, [card])} stays in front of {hunter}: {plural(count, 'ritual')} there."
    log.append(Event("CC-HUNT-7", text))
    town = _last_picked(board)
    if count < RITUALS_TO_WIN:
        name, has_cards = board.seats[town], bool(board.hands[town])
        if has_cards and board.cast is Spell.NIGHTMARE:
            log.append(Event("CC-CURSE-1", f"{name} puts the rest of its hand under the deck all the same."))
        elif has_cards:
            log.append(Event("CC-HUNT-14", f"{name} keeps its hand."))
    elif board.cast is Spell.NIGHTMARE and board.hands[town]:
        log.append(Event("CC-AMB-29", "The second ritual wins before anything is put under the deck."))


def _last_picked(board: Board) -> int:
    """The town of the last pick, which the history has just before what became of the card."""
    return board.history[-2][1]


def slips_away(board: Board, town: int, card: int, log: Log) -> None:
    after = f" after the rest of {board.seats[town]}'s hand" if board.hands[town] else ""
    text = f"{the(board, [card])} is not captured, and will go under the deck{after}."
    log.append(Event("CC-CURSE-2", text))


def caught(board: Board, town: int, card: int, log: Log) -> None:
    hunter, name, count = board.seats[HUNTER], board.seats[town], len(board.witches)
    kind = board.box.cards.kinds[card]
    witches = f"{count} {'witch' if count == 1 else 'witches'}"
    log.append(Event("CC-HUNT-5", f"{the(board, [card])} is captured: {witches} in front of {hunter}."))
    if kind is Kind.WILD:
        log.append(Event("CC-HUNT-15", "The wild witch is captured like any other."))
    if kind is Kind.FAKE and count >= WITCHES_TO_WIN:
        text = f"She makes {witches}, but her own capture never wins: the others escape."
        log.append(Event("CC-HUNT-10", text))
    if count >= WITCHES_TO_WIN and kind is not Kind.FAKE and board.box.fake in board.witches:
        log.append(Event("CC-HUNT-11", f"The fake witch is one of the {count}."))
    ends = count >= WITCHES_TO_WIN and kind is not Kind.FAKE
    if board.hands[town] and not ends:
        left = len(board.hands[town])
        rest = "its other card" if left == 1 else f"the other {left} cards of its hand"
        log.append(Event("CC-HUNT-5", f"{name} puts {rest} under the deck."))


def laid_under(board: Board, town: int, card: int, log: Log) -> None:
    name = board.seats[town]
    text = f"{name} puts {the(board, [card])} under the deck."
    log.append(secret("CC-AMB-10", text, [town], f"{name} puts a card under the deck."))


def slipped(board: Board, card: int, log: Log) -> None:
    log.append(Event("CC-CURSE-2", f"{the(board, [card])} goes under the deck."))


def escaped(board: Board, others: Sequence[int], laid: bool, log: Log) -> None:
    """`laid`: whether the town has laid cards under the deck before."""
    fake, escape = board.box.fake, "escapes" if len(others) == 1 else "escape"
    log.append(Event("CC-HUNT-8", f"For {the(board, [fake])} {the(board, others)} {escape} under the deck."))
    if laid:
        log.append(Event("CC-AMB-11", "They go after what the town has put there."))
    if len(others) > 1:
        log.append(Event("CC-AMB-25", f"The first captured lies nearest the top: {the(board, others[:1])}."))
    log.append(Event("CC-HUNT-9", f"{the(board, [fake])} stays to the end of the game."))


def flipped(board: Board, tile: int, side: Side, log: Log) -> None:
    log.append(Event("CC-SPELL-6", f"{board.box.tiles[tile].name} turns over, and shows its {side.word}."))
    if len(board.sides) - board.sides.count(None) > 1:
        log.append(Event("CC-AMB-16", "Tiles that were not cast stay as they are."))


# Shuffling


def shuffled(board: Board, log: Log) -> None:
    hunter = board.seats[HUNTER]
    log.append(
        Event("CC-SETUP-7", f"{hunter} shuffles the deck, with {plural(len(board.under), 'card')} from under it.")
    )
    log.append(Event("CC-AMB-12", "It changes what is drawn next, and no rule."))


def left_alone(board: Board, log: Log) -> None:
    log.append(Event("CC-AMB-26", f"{board.seats[HUNTER]} leaves the deck as it is."))


# The end


def game_ends(board: Board, ending: Ending, log: Log) -> None:
    left = board.picks_allowed() - board.picks
    if ending in (Ending.RITUALS, Ending.CAPTURES) and left > 0:
        log.append(Event("CC-AMB-17", f"The game is over, and {plural(left, 'pick')} will not be made."))
    log += [Event(rule, because) for rule, because in scoring.steps(board, ending)]
