"""Players that need nobody: one that does anything, and one that fights its way to the objectives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from grimalkin.engine.play import random_bot
from grimalkin.engine.words import Tally
from grimalkin.games.cats_of_new_orleans.board import Board
from grimalkin.games.cats_of_new_orleans.kinds import NUMBERS
from grimalkin.games.cats_of_new_orleans.moves import Move
from grimalkin.games.cats_of_new_orleans.numbers import LEFT, OBJECTIVE, OUT
from grimalkin.games.cats_of_new_orleans.state import State
from grimalkin.games.cats_of_new_orleans.table import HeroView, View

Bot = Callable[[View, list[Move]], Move]
FAR: Final = 999
MOST_USES: Final = 2
"""Of cards in an activation: some cost nothing, and could be used for ever."""
REACH: Final = 2
"""Squares within which a vermin is too near for whoever may not fight."""


class Sensible:
    """Attacks what it can, searches what it passes, and goes to the next objective or the exit."""

    def __init__(self, seed: int) -> None:
        self.luck = Random(str(seed)).random

    def __call__(self, view: View, legal: list[Move]) -> Move:
        if len(legal) == 1:
            return legal[0]
        best = max(self.worth(view, move) for move in legal)
        choice = [move for move in legal if self.worth(view, move) == best]
        return choice[int(self.luck() * len(choice))]

    def worth(self, view: View, move: Move) -> float:
        """How much a move promises."""
        word = move[0]
        if word in ("go", "to") and view.active and _hero(view, view.active) is not None:
            return self._nearer(view, move)
        if word == "investigate":
            board = _board(view)
            return 60 if NUMBERS[move[1]] in board.marks.get(OBJECTIVE, ()) else 22
        if word == "attack":
            return 40
        if word == "door":
            return self._door_worth(view, move[1])
        if word == "use":
            hero = _hero(view, view.active)
            return 6 if hero is None or hero.uses < MOST_USES else -1
        if word in ("stride", "prowl", "pounce"):
            return self._move_worth(view, word)
        return WORTH.get(word, 1)

    def _move_worth(self, view: View, word: str) -> float:
        hero = _hero(view, view.active)
        if hero is None or hero.mp or not self._far(view, hero.at, hero):
            return -1
        return {"stride": 20, "prowl": 10, "pounce": -2}[word]

    def _door_worth(self, view: View, name: str) -> float:
        """A closed door is opened when what lies behind it is nearer to where the hero wants to be."""
        hero, board = _hero(view, view.active), _board(view)
        index = next(index for index, door in enumerate(board.doors) if door.name == name)
        if hero is None or view.doors >> index & 1:
            return -5
        door = board.doors[index]
        behind = door.b if hero.at == door.a else door.a
        return 25 if self._far(view, behind, hero) < self._far(view, hero.at, hero) else -5

    def _nearer(self, view: View, move: Move) -> float:
        """How much nearer a step leads to where the hero wants to be."""
        hero = _hero(view, view.active)
        assert hero is not None
        board = _board(view)
        gained = self._far(view, hero.at, hero) - self._far(view, NUMBERS[move[1]], hero)
        square = NUMBERS[move[1]]
        wet = 30 if board.water >> square & 1 else 0
        trouble = 20 if _is_peaceful(view) and _is_near(view, square, board) else 0
        return 12 + 3 * gained - wet - trouble if gained > 0 else -3 - trouble

    def _far(self, view: View, square: int, hero: HeroView) -> int:
        """The steps from a square to the nearest place that the hero wants to reach."""
        rings = _wishes(view, hero)
        for number, ring in enumerate(rings):
            if ring >> square & 1:
                return number
        return FAR


WORTH: Final[Mapping[str, float]] = {
    "unstun": 90,
    "leave": 80,
    "reload": 30,
    "act": 5,
    "end": 0,
    "heroes-first": 2,
    "keep": 2,
    "cheat": 1,
    "do": 3,
    "equip": 8,
    "stow": 0.5,
    "drop": -5,
    "transfer": -5,
    "land": 5,
    "done": 4,
    "agree": 3,
    "pass": 2,
}
"""What the other moves are worth."""


def _hero(view: View, name: str) -> HeroView | None:
    return next((hero for hero in view.heroes if hero.name == name), None)


def _board(view: View) -> Board:
    return view.box.scenario(view.scenario).board


def _is_peaceful(view: View) -> bool:
    """Whether the heroes may not attack in this scenario."""
    return bool(view.box.scenario(view.scenario).kit.says("may-not"))


def _is_near(view: View, square: int, board: Board) -> bool:
    """Whether a vermin could stand beside this square after its next move."""
    return any(board.king(one.at, square) <= REACH for one in view.vermin)


def _wishes(view: View, hero: HeroView) -> list[int]:
    """The squares by their steps from where the hero wants to be: the objective to which it is nearest, else the exit,
    else the vermin. Closed doors count as open where there is no other way, for it can open them."""
    board = _board(view)
    goals = 0
    for square in board.marks.get(OBJECTIVE, ()):
        if not dict(view.taken).get(square) and _nearest(view, square) == hero.name:
            goals |= 1 << square
    if not goals:
        goals = board.exits
    if not goals:
        for one in view.vermin:
            goals |= 1 << one.at
    found = board.ways(view.doors).flood(goals, board.standable & ~board.water)
    if not any(ring >> hero.at & 1 for ring in found):
        found = board.ways((1 << len(board.doors)) - 1).flood(goals, board.standable)
    return found


def _nearest(view: View, square: int) -> str:
    """The hero with the fewest steps to a square, doors open or not."""
    board = _board(view)
    rings = board.ways((1 << len(board.doors)) - 1).flood(1 << square, board.standable)
    for ring in rings:
        for hero in view.heroes:
            if hero.at >= 0 and ring >> hero.at & 1:
                return hero.name
    return ""


BOTS: Final[Mapping[str, Callable[[int], Bot]]] = {"random": random_bot, "sensible": Sensible}


def tally(state: State) -> Tally:
    """What a simulation counts of a finished scenario."""
    heroes = state.heroes
    return Tally(
        {
            "outcome": "won" if state.won else state.lost or "lost",
            "rounds": state.round,
            "heroes out": sum(hero.place == OUT for hero in heroes),
            "heroes off the map": sum(hero.place == LEFT for hero in heroes),
            "Lives left": sum(hero.lives for hero in heroes),
        },
        tuple(
            {"Lives left": sum(hero.lives for hero in heroes if hero.seat == seat)} for seat in range(len(state.seats))
        ),
    )
