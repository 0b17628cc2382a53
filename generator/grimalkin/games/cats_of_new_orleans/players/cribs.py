"""Reference tables of The Cats of New Orleans: costs of actions and steps, Ranges, modifiers, and cards."""

from __future__ import annotations

from typing import Final

from grimalkin.engine.contract import Facts
from grimalkin.engine.cribs import Crib, CribRow, Cribs
from grimalkin.games.cats_of_new_orleans import numbers
from grimalkin.games.cats_of_new_orleans.box import box_of
from grimalkin.games.cats_of_new_orleans.maps import DIAGONAL_COST, FROM_AFAR, HINDERING_COST, POINT_BLANK, STEP_COST
from grimalkin.problems.plain import signed

ACTIONS: Final = (
    ("prowl", "Prowl", "NO-ACT-6"),
    ("stride", "Stride", "NO-ACT-6"),
    ("pounce", "Pounce", "NO-ACT-7"),
    ("attack", "Attack", "NO-ATK-1"),
    ("reload", "Reload", "NO-ACT-15"),
    ("investigate", "Investigate", "NO-ACT-10"),
    ("pick-up", "Pick up or drop", "NO-ACT-12"),
    ("transfer", "Transfer", "NO-ACT-13"),
    ("unstun", "Remove a Stun", "NO-ACT-14"),
    ("leave", "Leave the map", "NO-SCN-4"),
)
"""The actions of heroes, each with its word and its rule. Dropping costs the same as picking up."""
STEPS: Final = (
    ("to an adjacent square", f"{STEP_COST}", "NO-MOVE-2"),
    ("across a corner", f"{DIAGONAL_COST}", "NO-MOVE-3"),
    ("into hindering terrain", f"+{HINDERING_COST}", "NO-MOVE-4"),
)
RANGES: Final = (1, 2, 3, 4, 8)
MODIFIERS: Final = (
    ("into or through hindering terrain", numbers.HINDERED_DRM, ("NO-DRM-1", "NO-DRM-9")),
    ("at a stunned target", numbers.STUNNED_DRM, ("NO-DRM-2",)),
    ("at a vulnerable target", numbers.VULNERABLE_DRM, ("NO-DRM-3",)),
)
COURT: Final = {1: "Ace", 11: "Jack", 12: "Queen", 13: "King"}
"""The names of cards that are not named after their value."""
TOLD: Final = {1: ("Ace, a miss", "NO-DECK-3"), 13: ("King, set aside at first", "NO-DECK-7")}
"""Notes on cards of some values."""
JOKERS: Final = {
    False: ("Red Joker: all heroes +1 Life", ("NO-DECK-10",)),
    True: ("Black Joker: all heroes −1 Life", ("NO-DECK-9", "NO-AMB-39")),
}
"""By whether it is black."""


def actions(_facts: Facts) -> Crib:
    """Return the cost of each action, and the MP it gives."""
    rows = (
        CribRow(name, (str(numbers.COST[word]), str(numbers.POINTS.get(word, ""))), (rule,))
        for word, name, rule in ACTIONS
    )
    return Crib("Action", ("AP", "MP"), tuple(rows))


def steps(_facts: Facts) -> Crib:
    """Return the cost of each step."""
    return Crib("A step", ("MP",), tuple(CribRow(what, (cost,), (rule,)) for what, cost, rule in STEPS))


def ranges(_facts: Facts) -> Crib:
    """Return how far away a target may be, by the Range of the attack."""
    steps = tuple(f"{POINT_BLANK + 1 if far >= FROM_AFAR else 0}–{far}" for far in RANGES)
    return Crib("Range", tuple(map(str, RANGES)), (CribRow("steps", steps, ("NO-RNG-2", "NO-RNG-5")),))


def modifiers(_facts: Facts) -> Crib:
    """Return the modifiers of each card of an attack."""
    rows = (CribRow(what, (signed(by),), rules) for what, by, rules in MODIFIERS)
    return Crib("Each draw of an attack", ("DRM",), tuple(rows))


def cards(facts: Facts) -> Crib:
    """Return the values of the poker cards that show no number."""
    box = box_of(facts)
    suited = sorted({box.values[card] for card in box.poker if box.suits[card]})
    told = [(value, *TOLD.get(value, (COURT[value], "NO-DECK-6"))) for value in suited if value in COURT]
    rows = [CribRow(name, (str(value),), (rule,)) for value, name, rule in told]
    for card in filter(box.is_joker, box.poker):
        name, rules = JOKERS[box.is_black(card)]
        rows.append(CribRow(name, (str(box.values[card]),), rules))
    return Crib("Card", ("value",), tuple(rows))


CRIBS: Cribs = {
    "actions": actions,
    "steps": steps,
    "ranges": ranges,
    "modifiers": modifiers,
    "cards": cards,
}
