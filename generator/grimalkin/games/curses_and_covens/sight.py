"""A position of Curses & Covens as a seat knows it, and other games that look the same to that seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from grimalkin.engine.chance import Chance
from grimalkin.games.curses_and_covens.board import Board
from grimalkin.games.curses_and_covens.facts import HUNTER, UNSEEN
from grimalkin.games.curses_and_covens.knowledge import DECK, TRAY, other_world

B = TypeVar("B", bound=Board)
UNKNOWN: Final = "?"


def seen(board: Board, seat: int) -> dict[str, Any]:
    """Return a position as a seat knows it, with "?" for each card that it did not see there or go there, or that may
    have left unseen since. Of the deck, only the number of cards in unknown order is included."""
    ids, known = dict(enumerate(board.box.ids)) | {UNSEEN: UNKNOWN}, board.known(seat)
    record = board.position()
    del record["history"]
    for town, name in enumerate(board.seats):
        if town not in (HUNTER, seat):
            hand = [ids[card] for card in known.hands[town]]
            record["seats"][name] = {"hand": hand + [UNKNOWN] * (len(board.hands[town]) - len(hand))}
    record["woods"] = ids[known.woods]
    record["under"] = [ids[card] for card in known.under]
    record["deck"] = len(board.pool)
    if board.tray:
        record["tray"] = [ids[card] for card in known.tray] + [UNKNOWN] * (len(board.tray) - len(known.tray))
    return record


def another_world(board: B, seat: int, chance: Chance) -> B:
    """Return another course of hidden cards that looks the same to a seat."""
    other = board.with_chance(chance)
    numbers, ids = board.box.numbers, board.box.ids
    places: dict[int, Sequence[int]] = dict(enumerate(board.hands))
    places[DECK] = [numbers[id_] for id_ in board.pool]
    places[TRAY] = board.tray
    plain = {*board.hands[seat], *board.witches, *board.rituals, board.taken}
    if seat == HUNTER:
        plain.update(board.tray)
    other.history, now = other_world(board.history, seat, len(ids), places, plain, chance)
    other.hands = [sorted([now[card] for card in hand]) for hand in board.hands]
    other.woods = now[board.woods]
    other.under = [now[card] for card in board.under]
    other.tray = sorted([now[card] for card in board.tray])
    other.pool = [ids[now[numbers[id_]]] for id_ in board.pool]
    return other
