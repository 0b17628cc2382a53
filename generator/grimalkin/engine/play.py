"""Drive games: bots sit at the table and play in turn."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, cast

from grimalkin.engine.contract import Bot, GameModule, Move, State
from grimalkin.engine.words import OVER, Event

NAMES = ("Ada", "Basil", "Cleo", "Dora", "Enid", "Fay", "Gus", "Hal")
"""Names of seats, in clockwise order."""


def find(where: str) -> GameModule:
    """Return the game named by `where`: `module`, or `module:name` for an object in it.

    Other processes find it by the same name.
    """
    module, _, name = where.partition(":")
    found = importlib.import_module(module)
    return cast(GameModule, getattr(found, name) if name else found)


def play(state: State, bots: Sequence[Bot], most: int, logs: bool = False) -> Iterator[tuple[int, Move, list[Event]]]:
    """Play to the end with one bot per seat, each shown its own view; yield (seat, move, events) after each move.

    Events are empty unless `logs` is true. Raises RuntimeError if the game has not ended after `most` small moves, or
    if a bot answers with an illegal move.
    """
    made = 0
    while (seat := state.to_act()) != OVER:
        if made == most:
            raise RuntimeError(f"no end after {most} moves")
        legal = state.legal()
        move = bots[seat](state.view(seat), legal)
        if move not in legal:
            raise RuntimeError(f"{state.seats[seat]}'s bot answers {move!r}, which is not legal")
        events: list[Event] = []
        state.apply(move, events if logs else None)
        made += 1
        yield seat, move, events


def play_out(state: State, bots: Sequence[Bot], most: int) -> list[tuple[int, Move]]:
    """Play to the end with one bot per seat; return the moves as (seat, move). Raises as `play` does."""
    return [(seat, move) for seat, move, _ in play(state, bots, most)]


def random_bot(seed: int) -> Bot:
    """Return a bot that plays any legal move with equal probability."""
    luck = Random(str(seed)).random

    def choose(_view: Any, legal: list[Move]) -> Move:
        return legal[int(luck() * len(legal))]

    return choose
