"""What every engine promises, as checks: for whoever writes one, in this package or in another.

A game module keeps `grimalkin.engine.contract`. That its functions are there says little; these checks play random
games and look. With pytest, in a file `tests/test_engine.py`:

    import pytest

    from grimalkin.testing import facts_of, promises

    @pytest.mark.parametrize("promise", promises("my_game.engine", facts_of("my-game")), ids=str)
    def test_the_engine_keeps(promise):
        promise()

Without pytest, `grimalkin test my-game` does the same and tells which are broken. Each check is a function
too: `games_end(Setting("my_game.engine", facts, seats=2, seed=1))` raises AssertionError, and says why.

Nothing but the standard library is imported here, unless `facts_of` is asked to read a game's content.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grimalkin.engine.contract import Facts
from grimalkin.engine.play import NAMES
from grimalkin.testing.checks import CHECKS, ONCE, Before, Setting, every_state, visible, walk

if TYPE_CHECKING:
    from grimalkin.content import Game

__all__ = [
    "CHECKS",
    "NAMES",
    "SEEDS",
    "Before",
    "Promise",
    "Setting",
    "every_state",
    "facts_of",
    "game_of",
    "promises",
    "visible",
    "walk",
]

SEEDS = (1, 2)
"""Of the random games that are walked, unless others are asked for."""


@dataclass(frozen=True)
class Promise:
    """One check of one game. Called, it raises AssertionError when the promise is broken; as text, it is its name."""

    check: Callable[[Setting], None]
    setting: Setting

    def __call__(self) -> None:
        self.check(self.setting)

    def __str__(self) -> str:
        return f"{self.check.__name__}-{self.setting.seats}-seats-seed-{self.setting.seed}"

    @property
    def means(self) -> str:
        """What is promised, in a sentence."""
        return " ".join((self.check.__doc__ or "").partition("\n\n")[0].split())


def promises(where: str, facts: Facts, seeds: Sequence[int] = SEEDS, needs: Sequence[str] = ()) -> list[Promise]:
    """Every check, for every number of seats and some seeds. `where` and `needs` are those of Setting.

    Those of `ONCE` are for the first seed alone: the seed changes nothing in them, or they take longest.
    """
    least, most = Setting(where, facts, 0, 0).game.SEATS
    return [
        Promise(check, Setting(where, facts, seats, seed, needs=tuple(needs)))
        for seats in range(least, most + 1)
        for check in CHECKS
        for seed in (seeds[:1] if check in ONCE else seeds)
    ]


def facts_of(game: str) -> dict[str, Any]:
    """The facts of a game, by its name or the path of its folder. Raises Stop with everything that is wrong with it."""
    return game_of(game).facts


def game_of(name: str) -> Game:
    """A game, by its name or the path of its folder. Raises Stop with everything that is wrong with it."""
    from grimalkin.content import load_game
    from grimalkin.problems import Problems, Stop
    from grimalkin.source import find_game_folder

    problems = Problems()
    found = load_game(find_game_folder(name), problems)
    if found is None or problems:
        raise Stop(problems)
    return found
