"""How far movement points (MP) lead: Ways and a square in, squares where a hero can end and their costs out."""

from __future__ import annotations

from typing import Annotated, Final

from grimalkin.engine.law import By, law
from grimalkin.games.cats_of_new_orleans.board import Board, Step, Ways

STEP_COST: Final[Annotated[int, By("NO-MOVE-2")]] = 1
DIAGONAL_COST: Final[Annotated[int, By("NO-MOVE-3")]] = 2
HINDERING_COST: Final[Annotated[int, By("NO-MOVE-4", "NO-TERR-3", "NO-AMB-21")]] = 1
"""More, and once, however much hinders."""


@law("NO-MOVE-1", "NO-MOVE-2", "NO-MOVE-3", "NO-MOVE-4", "NO-AMB-21", "NO-ACT-7")
def step_cost(board: Board, step: Step, crowded: int, free: bool = False) -> int:
    """The MP of a step, when figures stand on the crowded squares; who is free pays nothing for what hinders."""
    cost = DIAGONAL_COST if step.diagonal else STEP_COST
    if not free and (step.hinders or (board.hindering | crowded) >> step.to & 1):
        cost += HINDERING_COST
    return cost


@law("NO-MOVE-6", "NO-TERR-4", "NO-ACT-7", "NO-AMB-22")
def reach(
    ways: Ways, square: int, points: int, barred: int, crowded: int, free: bool = False, leap: bool = False
) -> dict[int, int]:
    """The squares where a hero can end with these MP, and the fewest that each takes. Its own square is not among them.

    Nobody enters barred squares, but who leaps may cross them. Who enters water goes no further.
    """
    board, far = ways.board, points + 1
    ends: dict[int, int] = {}
    leads_on = {square: 0}  # squares reached on dry feet; over water some may be reached for less
    spending: list[list[int]] = [[square], *([] for _ in range(points))]
    for spent, squares in enumerate(spending[:points]):
        for at in squares:
            for step in ways.steps[at]:
                to = step.to
                if leads_on.get(to, far) <= spent + STEP_COST:
                    continue  # a step costs so much at least
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
