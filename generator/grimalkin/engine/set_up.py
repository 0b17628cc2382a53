"""A scenario as an engine lays it out: what is done before the first choice, each thing with its rules, and a picture.

A game module may offer `set_up(facts, scenario)`: the SetUp of a scenario, found out by laying it out. Nothing in it
depends on chance, and nothing hidden is in it. The contract does not ask for it, since few games have scenarios.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from grimalkin.engine.contract import Facts, GameModule
from grimalkin.engine.pictures import Picture


class Put(NamedTuple):
    """One thing that is done at the set-up, or that holds for it."""

    rules: tuple[str, ...]
    told: str
    """A sentence."""
    pieces: tuple[tuple[str, int], ...] = ()
    """What is taken for it: ids of components, and how many of each."""
    squares: tuple[str, ...] = ()


class SetUp(NamedTuple):
    """A scenario that was laid out."""

    party: tuple[Put, ...]
    """How many may play, and what each then has."""
    puts: tuple[Put, ...]
    """What is done, in its order."""
    entries: tuple[int, ...] = ()
    """The numbers of the story's entries that may be read in this scenario or after it, in their order."""
    picture: Picture | None = None
    """The table as it then looks, whole."""


SetUpOf = Callable[[Facts, str], SetUp]
"""The function `set_up` of a game that has one."""


def find_set_up(game: GameModule | None) -> SetUpOf | None:
    """The function `set_up` of a game that has scenarios; None of one that has none, or no engine."""
    found: SetUpOf | None = getattr(game, "set_up", None)
    return found
