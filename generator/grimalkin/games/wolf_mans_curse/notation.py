"""The notation of Wolf-Man's Curse: a line is the id of the card that a seat lays."""

from __future__ import annotations

from collections.abc import Sequence

from grimalkin.engine.contract import Facts
from grimalkin.engine.words import Ambiguous, Unreadable, find_typed, listed, typed
from grimalkin.games.wolf_mans_curse.facts import box_of
from grimalkin.games.wolf_mans_curse.state import State
from grimalkin.problems import did_you_mean

HIDDEN = "?"


def every_move(facts: Facts) -> list[int]:
    """Return every number card. Face cards can be read too, but never laid."""
    return list(range(box_of(facts).count))


def read(text: str, state: State) -> list[int]:
    """Read cards separated by commas. Case, spaces and hyphens do not matter. A card's name, or its name in the log,
    may replace its id: Seven of Clubs, 7 of clubs."""
    return [_read_one(typed(part), state) for part in text.split(",")]


def _read_one(text: str, state: State) -> int:
    moves = state.box.moves
    if not text:
        raise Unreadable("a card is missing")
    found = find_typed(text, moves)
    if found is not None:
        return found
    if text == HIDDEN:
        raise Unreadable(f'"{HIDDEN}" stands for a card laid face down, and does not say which one it is')
    seat, colon, card = text.partition(":")
    if colon:
        raise Unreadable(f'"{seat}:" is not part of a move; write only the card, {card.strip() or "such as 7c"}')
    cards = state.box.cards
    longer = sorted({card for name, card in moves.items() if name.startswith(text) and not name[len(text)].isdigit()})
    if longer:
        raise Ambiguous(f'"{text}" could be {listed([cards.ids[card] for card in longer], "or")}')
    hint = did_you_mean(text, moves) or f'write a card as {cards.ids[0]}, or as "{cards.names[0]}"'
    raise Unreadable(f'"{text}" is not a card in this game; {hint}')


def write(moves: Sequence[int], state: State, reader: int | None = None) -> str:
    """Return cards joined by commas. For a `reader`, a seat's number, a card that another seat lays face down is "?".

    Any card after another seat's first is "?" too, on every night: a seat lays one (WM-MONTH-3), and keeps the rest in
    its hand.
    """
    ids = state.box.cards.ids
    shown = len(moves) if reader in (None, state.turn) else int(state.night > 1)
    return ", ".join([ids[move] if place < shown else HIDDEN for place, move in enumerate(moves)])
