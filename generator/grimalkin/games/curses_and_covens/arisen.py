"""Doubts about whether a position of Curses & Covens could have arisen in play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from grimalkin.engine.shape import Misfit
from grimalkin.games.curses_and_covens import facts as cc
from grimalkin.games.curses_and_covens.board import Board
from grimalkin.games.curses_and_covens.facts import SEATS, Ending, Kind, Phase, Spell, Stage
from grimalkin.problems.plain import plural

ALWAYS: Final = None


def doubts(board: Board) -> list[Misfit]:
    """Return the reasons why play could not have led here, each with the keys of the record that show it. The game can
    still continue."""
    now = (ALWAYS, board.phase, board.stage)
    return [doubt for when, check in CHECKS if any(when is each for each in now) for doubt in check(board)]


def rounds(board: Board) -> Iterator[Misfit]:
    if board.limit and board.round > board.limit:
        yield Misfit(("round",), f"round {board.round} cannot be", f"round {board.limit} is the last (CC-AMB-30)")


def front(board: Board) -> Iterator[Misfit]:
    """Yield doubts about the cards in front of the Hunter: some sets would have ended the game earlier."""
    hunter, witches, rituals = board.seats[cc.HUNTER], len(board.witches), len(board.rituals)
    at = ("seats", hunter)
    emptying = board.stage is Stage.EMPTY and board.witches[-1:] == [board.box.fake]
    if witches > cc.WITCHES_TO_WIN:
        hint = "the fifth ended the game immediately (CC-HUNT-6)"
        yield Misfit((*at, "witches"), f"{witches} witches are captured", hint)
    if rituals > cc.RITUALS_TO_WIN:
        hint = "the second ended the game immediately (CC-HUNT-7)"
        yield Misfit((*at, "rituals"), f"{rituals} rituals lie in front of {hunter}", hint)
    if witches == cc.WITCHES_TO_WIN and rituals == cc.RITUALS_TO_WIN:
        hint = "the fifth witch or the second ritual ended the game immediately, so the other never came (CC-AMB-17)"
        yield Misfit(at, f"{witches} witches and {rituals} rituals lie in front of {hunter}", hint)
    if board.box.fake in board.witches[1:] and not emptying:
        hint = "the others escaped when she was caught (CC-HUNT-8), so she comes first"
        yield Misfit((*at, "witches"), f"{board.box.ids[board.box.fake]} came after others", hint)


def question(board: Board) -> Iterator[Misfit]:
    """Yield doubts about the Hunter's question whether to shuffle (CC-AMB-26)."""
    if not board.may_shuffle():
        hint = "there must be cards under the deck in a known order, and 2 or more in the deck (CC-AMB-26)"
        yield Misfit(("shuffle",), "shuffling would change nothing", hint)
    if board.phase is Phase.CENSUS:
        for key, there in (("cast", board.cast is not None), ("talk", bool(board.talk))):
            if there:
                hint = "the Hunter is asked before the first card is drawn, so nothing has been said or cast"
                yield Misfit((key,), f'"{key}" means nothing while the Hunter is asked', hint)
        if all(board.hands[1:]):
            hint = "the Hunter is asked before an empty town draws (CC-CENSUS-1, CC-AMB-26)"
            yield Misfit(("shuffle",), "every town has cards", hint)
    elif board.phase is Phase.ARRIVAL:
        if board.is_arrival_of_choice() and board.served > (board.cast is Spell.LULLABY):
            hint = "the Hunter is asked before the cards are drawn (CC-AMB-26)"
            yield Misfit(("served",), "no other town is served yet while the Hunter is asked", hint)
    elif not board.picks:
        yield Misfit(("shuffle",), "no pick has been made", "the Hunter is asked after a discard (CC-AMB-26)")


def census(board: Board) -> Iterator[Misfit]:
    """Yield doubts about a Census: every town that could draw has a card, a spell needs its icons, and only one
    town speaks."""
    for town, name in enumerate(board.seats):
        if town == cc.HUNTER:
            continue
        at = ("seats", name, "hand")
        if not board.hands[town] and (board.pool or board.under):
            hint = "it draws before the hands are shown (CC-CENSUS-1)"
            if board.may_shuffle():
                hint += '; or write "shuffle: yes", if the Hunter is asked before'
            yield Misfit(at, f"{name} has no cards, and the deck has some", hint)
    if board.cast is not None and board.cast not in board.castable():
        hint = "one town must show two witches that match its icons (CC-SPELL-1)"
        yield Misfit(("cast",), f'nobody shows the icons of "{board.cast.word}"', hint)
    name = board.seats[board.hat]
    for index, words in enumerate(board.talk):
        if not words.startswith(f"{name}: ") or not words[len(name) + 1 :].strip():
            hint = f'the town with the hat speaks for all (CC-AMB-23): write it as in "{name}: trust me"'
            yield Misfit(("talk", index), f'"{words}" is not what {name} says', hint)


def tray(board: Board) -> Iterator[Misfit]:
    """Yield doubts about an Arrival of choice: whether the Hunter has a choice, and the numbers of cards and towns."""
    left = len(board.seats) - 1 - board.served
    if not board.is_arrival_of_choice():
        hint = "the Hunter chooses with a ritual in front (CC-ARR-2) or under a Broken Mirror (CC-CURSE-2)"
        yield Misfit(("tray",), "the Hunter does not choose in this Arrival", hint)
    elif board.cast is Spell.LULLABY and not board.served:
        hint = "the town with the hat is served first (CC-CHARM-1): write served"
        yield Misfit((), 'the key "served" is missing', hint)
    elif len(board.tray) == left == 1:
        hint = "it goes to the last town without a choice: write the position after it"
        yield Misfit(("tray",), "there is no choice with the last card", hint)
    elif len(board.tray) < left and (board.pool or board.under):
        hint = f"{left} towns are left, and each gets 1 (CC-ARR-2), unless the deck has run out (CC-AMB-7)"
        yield Misfit(("tray",), f"{plural(len(board.tray), 'card')} on the tray, and more in the deck", hint)


def dealt_hands(board: Board) -> Iterator[Misfit]:
    """Yield doubts about empty hands: while the deck has cards, every town draws one in the Census and gets one in
    Arrival, and in Travel a town never loses its last one (CC-TRAV-6, CC-AMB-4)."""
    if not (board.pool or board.under or board.tray):
        return
    for name, hand in zip(board.seats[1:], board.hands[1:], strict=True):
        if not hand:
            hint = "it would have drawn one (CC-CENSUS-1): only when the deck has run out (CC-AMB-6)"
            yield Misfit(("seats", name, "hand"), f"{name} has no cards, and the deck has some", hint)


def travel(board: Board) -> Iterator[Misfit]:
    if board.lap > 1 and board.cast is not Spell.WILD_CHASE:
        hint = "it goes round twice only in a Wild Chase (CC-CURSE-3): write cast: wild-chase"
        yield Misfit(("lap",), "Travel goes round once", hint)
    if board.again and (board.cast is not Spell.FORKED_PATH or board.acted):
        hint = "only the town with the hat has two, on a Forked Path (CC-CHARM-3): write cast: forked-path, acted: 0"
        yield Misfit(("again",), "no town has a second action here", hint)
    if board.stage is Stage.ANSWER and len(board.hands[board.turn]) == 1:
        hint = "a town with 1 card passes nothing (CC-AMB-4)"
        yield Misfit(("asked",), f"{board.seats[board.turn]} has 1 card, and nothing to choose", hint)


def picks(board: Board) -> Iterator[Misfit]:
    """Yield doubts about the number of picks, and the towns they were made from."""
    most = board.picks_allowed()
    under_way = "taken" if board.taken != cc.NOTHING else "emptying" if board.emptying != cc.NOBODY else ""
    town = board.taken_from if under_way == "taken" else board.emptying
    if board.picks > most:
        yield Misfit(("picks",), f"{board.picks} is too many", f"this Hunt has {most} (CC-HUNT-1)")
    elif board.picks == most and board.stage is Stage.PICK:
        made = "the 1 pick has" if most == 1 else f"all {most} picks have"
        yield Misfit(("picks",), f"{made} been made", "the Hunt is over: write the position after it")
    if not board.picks:
        if board.first != cc.NOBODY:
            yield Misfit(("first",), "no pick has been made", 'write "picks"')
        if under_way:
            hint = 'write "picks: 1" or more: the one under way counts'
            yield Misfit((under_way,), "no pick has been made", hint)
    elif under_way and board.picks == 1 and board.first != town:
        told = f"the first pick is under way, and its town is {board.seats[town]}"
        yield Misfit(("first",), told, 'write "picks: 2" or more')
    elif under_way and board.picks > 1 and board.first == town and board.cast is Spell.LOOKING_GLASS:
        hint = "under Looking-Glass the second pick is from another town (CC-CHARM-2)"
        yield Misfit((under_way,), f"both picks are made from {board.seats[town]}", hint)


def passing(board: Board) -> Iterator[Misfit]:
    """Yield doubts about the card passed on, and the towns it could go to."""
    card, kind = board.box.ids[board.taken], board.box.cards.kinds[board.taken]
    if kind is not Kind.TOWNSFOLK:
        if board.cast is Spell.BROKEN_MIRROR and kind.is_witch:
            hint = "the town first puts its hand under the deck (CC-CURSE-2): write emptying"
        else:
            hint = "witches and rituals go to the Hunter immediately (CC-HUNT-5, CC-HUNT-7)"
        yield Misfit(("taken", "card"), f"the Hunter does not pass on {card}", hint)
    elif len(board.seats) == SEATS[0]:
        yield Misfit(("taken",), "there is no choice with 2 towns", "the card goes to the other one by itself")


def emptying(board: Board) -> Iterator[Misfit]:
    """Yield doubts about a town that lays its hand under the deck."""
    name = board.seats[board.emptying]
    mirror = board.cast is Spell.BROKEN_MIRROR
    if len(board.hands[board.emptying]) == 1:
        hint = "the last card goes by itself: write the position after it"
        yield Misfit(("emptying",), f"{name} has 1 card, and nothing to choose", hint)
    if board.taken == cc.NOTHING:
        if mirror:
            yield Misfit((), 'the key "taken" is missing', "under a Broken Mirror the witch goes last (CC-CURSE-2)")
        elif not board.witches and board.cast is not Spell.NIGHTMARE:
            hint = "a town puts its hand there when it loses a witch (CC-HUNT-5)"
            yield Misfit(("emptying",), "no witch lies in front of the Hunter", hint)
    elif not mirror:
        hint = "a town puts its hand there after the shown card has gone where it belongs (CC-HUNT-4, CC-HUNT-5)"
        yield Misfit(("taken",), f"{name} is putting its hand under the deck", hint)
    elif not board.box.cards.kinds[board.taken].is_witch:
        hint = "under a Broken Mirror a hand goes there for a witch (CC-CURSE-2)"
        yield Misfit(("taken", "card"), f"{board.box.ids[board.taken]} is not a witch", hint)
    elif board.taken_from != board.emptying:
        hint = "the witch came from there"
        yield Misfit(("taken", "from"), f"{name} is putting its hand under the deck", hint)


def ending(board: Board) -> Iterator[Misfit]:
    """Yield doubts about the ending: the cards in front of the Hunter can end a game immediately, whatever cards the
    towns hold."""
    if board.ending not in (Ending.COVEN, Ending.NOBODY):
        return
    told = f'"{board.ending.word}" is not what the table shows'
    if len(board.witches) >= cc.WITCHES_TO_WIN:
        hint = f"{cc.WITCHES_TO_WIN} captured witches end the game immediately (CC-WIN-3): captures"
        yield Misfit(("won",), told, hint)
    elif len(board.rituals) >= cc.RITUALS_TO_WIN:
        hint = f"{cc.RITUALS_TO_WIN} rituals in front of the Hunter end the game immediately (CC-WIN-2): rituals"
        yield Misfit(("won",), told, hint)


def spell_at_the_end(board: Board) -> Iterator[Misfit]:
    if board.cast is None:
        return
    if board.ending in (Ending.COVEN, Ending.NOBODY):
        hint = "after the Hunt its tile turns over and rejoins the others (CC-SPELL-6): write tiles, and no cast"
        yield Misfit(("cast",), f'"{board.cast.word}" does not hold any more', hint)
    elif board.ending is Ending.CAPTURES and board.cast is Spell.BROKEN_MIRROR:
        hint = "under a Broken Mirror none is (CC-CURSE-2)"
        yield Misfit(("cast",), "the fifth witch has been captured in this Hunt", hint)


CHECKS: Final[tuple[tuple[Phase | Stage | None, Callable[[Board], Iterator[Misfit]]], ...]] = (
    (ALWAYS, rounds),
    (ALWAYS, front),
    (Stage.QUESTION, question),
    (Stage.ANNOUNCE, census),
    (Stage.DEAL, tray),
    (Phase.ARRIVAL, dealt_hands),
    (Phase.TRAVEL, dealt_hands),
    (Phase.TRAVEL, travel),
    (Phase.HUNT, picks),
    (Stage.PASS, passing),
    (Stage.EMPTY, emptying),
    (Phase.OVER, ending),
    (Phase.OVER, spell_at_the_end),
)
"""Checks, each with the phase or stage in which it applies."""
