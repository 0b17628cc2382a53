"""The notation of Were Kittens: reads lines as moves, and writes moves as lines."""

from __future__ import annotations

from collections.abc import Sequence

from grimalkin.engine.contract import Facts
from grimalkin.engine.words import Ambiguous, Unreadable, find_typed, listed, typed
from grimalkin.games.were_kittens.facts import ACTION_NAMES, CAT, QUARTER, SPACES, Box, box_of
from grimalkin.games.were_kittens.state import State
from grimalkin.problems import did_you_mean


def every_move(facts: Facts) -> list[int]:
    """Return every small move that changes something, in the order of `legal`. This leaves out `cat N`."""
    return [number for number, move in enumerate(box_of(facts).moves) if move.verb is not CAT]


def read(text: str, state: State) -> list[int]:
    """Read small moves separated by commas. Case, spaces and hyphens do not matter."""
    return [_read_one(typed(part), state.box) for part in text.split(",")]


def _read_one(text: str, box: Box) -> int:
    if not text:
        raise Unreadable("a move is missing")
    move = find_typed(text, box.by_text, ACTION_NAMES)
    if move is not None:
        return move
    longer = [whole for whole in box.by_text if whole.startswith(f"{text} ")]
    if longer:
        raise Ambiguous(f'"{text}" does not say enough: {listed(longer, "or")}')
    words = text.split()
    if words and words[0] in ("make", "cat") and not (words[-1].isdigit() and int(words[-1]) in SPACES):
        raise Unreadable(f'"{text}" names no space; spaces are numbered {SPACES[0]} to {SPACES[-1]}')
    hint = did_you_mean(text, [known for known in box.by_text if QUARTER not in known])
    raise Unreadable(f'"{text}" is not a move of this game' + (f"; {hint}" if hint else ""))


def write(moves: Sequence[int], state: State, _reader: int | None = None) -> str:
    """Write small moves separated by commas. Every reader may see them all."""
    return ", ".join([state.box.moves[move].text for move in moves])
