"""Reach of movement points (MP): the squares where a hero can end, and their costs."""

from __future__ import annotations

from typing import Annotated, Final

from grimalkin.engine.law import By, law
from grimalkin.games.cats_of_new_orleans.board import Board, Step, Ways

STEP_COST: Final[Annotated[int, By("NO-MOVE-2")]] = 1
DIAGONAL_COST: Final[Annotated[int, By("NO-MOVE-3")]] = 2
HINDERING_COST: Final[Annotated[int, By("NO-MOVE-4", "NO-TERR-3", "NO-AMB-21")]] = 1
"""Added only once, however much hinders."""


@law("NO-MOVE-1", "NO-MOVE-2", "NO-MOVE-3", "NO-MOVE-4", "NO-AMB-21", "NO-ACT-7")
def step_cost(board: Board, step: Step, crowded: int, free: bool = False) -> int:
    """Return the MP of a step, with figures on the crowded squares; `free` ignores everything that hinders."""
    cost = DIAGONAL_COST if step.diagonal else STEP_COST
    if not free and (step.hinders or (board.hindering | crowded) >> step.to & 1):
        cost += HINDERING_COST
    return cost


@law("NO-MOVE-6", "NO-TERR-4", "NO-ACT-7", "NO-AMB-22")
def reach(
    ways: Ways, square: int, points: int, barred: int, crowded: int, free: bool = False, leap: bool = False
) -> dict[int, int]:
    """Return the squares where a hero can end with these MP, each with its lowest cost; not its own square.

    Barred squares cannot be entered, only crossed with `leap`. A hero that enters water goes no further.
    """
    board, far = ways.board, points + 1
    ends: dict[int, int] = {}
    leads_on = {square: 0}  # squares reached on land; over water some may cost less
    spending: list[list[int]] = [[square], *([] for _ in range(points))]
    for spent, squares in enumerate(spending[:points]):
        for at in squares:
            for step in ways.steps[at]:
                to = step.to
                if leads_on.get(to, far) <= spent + STEP_COST:
                    continue  # every step costs at least this
                cost = spent + step_cost(board, step, crowded, free)
                is_barred = barred >> to & 1
                if cost > points or (is_barred and not leap):
                    continue
                if not is_barred and cost < ends.get(to, far):
                    ends[to] = cost
                if not step.wets and not board.water >> to & 1 and cost < leads_on.get(to, far):
                    leads_on[to] = cost
                    spending[cost].append(to)
    return ends
