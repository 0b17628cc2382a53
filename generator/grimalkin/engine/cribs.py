"""What an engine knows, for pages: quick-reference tables, and the habits of pieces that act by themselves.

A game module may offer `CRIBS`: functions, by name, that make a Crib from the game's facts, such as costs and ranks. It
is optional: what is printed on pieces is shown without an engine, and few games have other tables.

It may also offer `behaviour(facts, piece)`: the Habits of a piece that acts by itself, in the order of play; none for
other pieces. They are generated from the tables that the engine uses, so they always agree with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grimalkin.engine.contract import Checks, Facts, GameModule


class CribRow(NamedTuple):
    """A row of a table: its name, its cells, and the ids of their rules."""

    name: str
    cells: tuple[str, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Crib:
    """A table. `of` is the header above its row names, and `heads` are the headers above its cells."""

    of: str
    heads: tuple[str, ...]
    rows: tuple[CribRow, ...]


Cribs = Mapping[str, Callable[[Facts], Crib]]


def cribs_of(module: Checks) -> Cribs:
    """Return the tables that a game module can make, by name; none if it has no CRIBS."""
    cribs: Cribs = getattr(module, "CRIBS", {})
    return cribs


class Habit(NamedTuple):
    """One thing that a piece does."""

    when: str
    """The moment, in a few words. Habits with the same moment are grouped."""
    text: str
    """Sentences, as plain text."""
    rules: tuple[str, ...] = ()
    """The ids of its rules and rulings."""


Behaviour = Callable[[Facts, str], Sequence[Habit]]
"""The function `behaviour` of a game; it takes the id of a piece."""


def find_behaviour(game: GameModule) -> Behaviour | None:
    """Return the function that describes what pieces do; None if the game has none."""
    found: Behaviour | None = getattr(game, "behaviour", None)
    return found
