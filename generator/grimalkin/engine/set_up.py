"""The set-up of a scenario as an engine lays it out: the steps before the first choice, their rules, and a picture.

A game module may offer `set_up(facts, scenario)`, which lays a scenario out and returns its SetUp. Nothing in it
depends on chance, and nothing in it is hidden. It is optional, since few games have scenarios.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from grimalkin.engine.contract import Facts, GameModule
from grimalkin.engine.pictures import Picture


class Put(NamedTuple):
    """One step or condition of the set-up."""

    rules: tuple[str, ...]
    told: str
    """A sentence."""
    pieces: tuple[tuple[str, int], ...] = ()
    """The components it needs: ids and numbers."""
    squares: tuple[str, ...] = ()


class SetUp(NamedTuple):
    """The set-up of a scenario."""

    party: tuple[Put, ...]
    """How many may play, and what each of them then has."""
    puts: tuple[Put, ...]
    """The steps, in order."""
    entries: tuple[int, ...] = ()
    """The numbers of the story entries that may be read in this scenario or after it, in order."""
    picture: Picture | None = None
    """The complete table after the set-up."""


SetUpOf = Callable[[Facts, str], SetUp]
"""The function `set_up` of a game."""


def find_set_up(game: GameModule | None) -> SetUpOf | None:
    """Return the function `set_up` of a game; None if it has no scenarios, or no engine."""
    found: SetUpOf | None = getattr(game, "set_up", None)
    return found
