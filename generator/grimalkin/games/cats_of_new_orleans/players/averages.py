"""Average results of a piece's attacks: the chance of a Stun and the expected Wounds, counted exactly.

Assumed: the deck as shuffled for a scenario, a target without special powers, and no cheating. For anything else, see
`odds`.
"""

from __future__ import annotations

from fractions import Fraction

from grimalkin.engine.contract import Facts
from grimalkin.engine.habits import Expected
from grimalkin.games.cats_of_new_orleans.attack import hits_of, result_of
from grimalkin.games.cats_of_new_orleans.box import Arm, Box, box_of
from grimalkin.games.cats_of_new_orleans.kits import Kit
from grimalkin.games.cats_of_new_orleans.players.outcomes import AVERAGE, Draws, Known, chance_of, draws_of, heaps_of

STUN, WOUND = 0, 1
"""The result of a draw whose chance is computed."""


def expected(facts: Facts, piece: str) -> tuple[Expected, ...]:
    """Return, for every attack of a piece, the chance of a Stun and the average Wounds."""
    box = box_of(facts)
    return tuple(
        one
        for arm, kit in arms_with(box, piece)
        for one in (
            Expected("Stuns", chance_of_stun(box, arm, kit), is_share=True, of=arm.name),
            Expected("Wounds", wounds_of(box, arm, kit), of=arm.name),
        )
    )


def arms_with(box: Box, piece: str) -> list[tuple[Arm, Kit]]:
    """Return the attacks of a piece, each with what the piece itself says about it."""
    number = box.numbers.get(piece)
    if number is None:
        return []
    deck = box.piece(number)["deck"]
    if deck == "foes":
        foe = box.foe(number)
        return [(arm, foe.kit) for arm in foe.arms]
    if deck == "heroes" or number in box.weapons:
        return [(box.arm(number), box.kit((number,)))]
    return []


def chance_of_stun(box: Box, arm: Arm, kit: Kit) -> Fraction:
    return chance_of(_draws(box, arm, kit, STUN))


def wounds_of(box: Box, arm: Arm, kit: Kit) -> Fraction:
    return chance_of(_draws(box, arm, kit, WOUND)._replace(goal=AVERAGE))


def _draws(box: Box, arm: Arm, kit: Kit, result: int) -> Draws:
    """Return the draws of an attack from the whole deck, without modifiers."""
    wound_too = bool(kit.says("wound-too"))
    heaps = heaps_of(box, shuffled(box), by_colour=False)
    hits = tuple(int(hits_of(arm, result_of(heap.value, 0), wound_too)[result]) for heap in heaps)
    return draws_of(heaps, hits, 0, arm.draws, int(takes_two(kit)))


def takes_two(kit: Kit) -> bool:
    """Return whether the higher of two cards always counts for each draw."""
    return any(static.condition is None for static in kit.says("better-of-two"))


def shuffled(box: Box) -> Known:
    """Return the deck as shuffled for a scenario: without its Kings (NO-SET-15)."""
    known: Known = box.once("shuffled", lambda: Known(tuple(card for card in box.poker if card not in box.kings)))
    return known
