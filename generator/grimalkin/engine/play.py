"""Drive games: bots at the table, seats in turn."""

from __future__ import annotations

from collections.abc import Sequence

from grimalkin.engine.contract import Bot, Move, State
from grimalkin.engine.words import OVER


def play_out(state: State, bots: Sequence[Bot], most: int) -> list[tuple[int, Move]]:
    """Play to the end with one bot a seat, each shown its own view only. Returns the moves as (seat, move).

    Raises RuntimeError when the game has not ended after `most` small moves.
    """
    moves: list[tuple[int, Move]] = []
    while (seat := state.to_act()) != OVER:
        if len(moves) == most:
            raise RuntimeError(f"no end after {most} moves")
        move = bots[seat](state.view(seat), state.legal())
        state.apply(move)
        moves.append((seat, move))
    return moves
