"""Checks of what every engine promises, for anyone who writes one, in this package or in another.

A promise is a requirement of `grimalkin.engine.contract` on a game's module. Merely having the functions proves little;
these checks play random games and watch. With pytest, in a file `tests/test_engine.py`:

    import pytest

    from grimalkin.testing import facts_of, promises

    @pytest.mark.parametrize("promise", promises("my_game.engine", facts_of("my-game")), ids=str)
    def test_the_engine_keeps(promise):
        promise()

Without pytest, `grimalkin test my-game` does the same and lists the broken promises. Each check is also a function:
`games_end(Setting("my_game.engine", facts, seats=2, seed=1))` raises AssertionError with the reason.

Only the standard library is imported here, unless `facts_of` is called to read a game's content.
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
"""The default seeds of the random games."""


@dataclass(frozen=True)
class Promise:
    """One check of one game. Calling it raises AssertionError if the promise is broken; `str` gives its name."""

    check: Callable[[Setting], None]
    setting: Setting

    def __call__(self) -> None:
        self.check(self.setting)

    def __str__(self) -> str:
        return f"{self.check.__name__}-{self.setting.seats}-seats-seed-{self.setting.seed}"

    @property
    def means(self) -> str:
        """Return what is promised, in a sentence."""
        return " ".join((self.check.__doc__ or "").partition("\n\n")[0].split())


def promises(where: str, facts: Facts, seeds: Sequence[int] = SEEDS, needs: Sequence[str] = ()) -> list[Promise]:
    """Return every check, for every number of seats and some seeds. `where` and `needs` are as in Setting.

    The checks in `ONCE` run only for the first seed: either the seed does not affect them or they take longest.
    """
    least, most = Setting(where, facts, 0, 0).game.SEATS
    return [
        Promise(check, Setting(where, facts, seats, seed, needs=tuple(needs)))
        for seats in range(least, most + 1)
        for check in CHECKS
        for seed in (seeds[:1] if check in ONCE else seeds)
    ]


def facts_of(game: str) -> dict[str, Any]:
    """Return the facts of a game, by its name or the path of its folder. Raise Stop with every problem in it."""
    return game_of(game).facts


def game_of(name: str) -> Game:
    """Return a game, by its name or the path of its folder. Raise Stop with every problem in it."""
    from grimalkin.content import whole_game
    from grimalkin.source import find_game_folder

    return whole_game(find_game_folder(name))
