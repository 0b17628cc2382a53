"""What an engine knows about a piece, for pages about it: what it does, and what it is good for.

A game module may offer `behaviour(facts, piece)`: the Habits of a piece that acts by itself, in the order of play; none
for other pieces. They are generated from the tables that the engine uses, so they always agree with it. It may also
offer `expected(facts, piece)`: numbers calculated by the engine, such as the average result of the piece's attacks.

Both are optional: few games have pieces that act by themselves, and few have odds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from grimalkin.engine.contract import Facts, GameModule


class Habit(NamedTuple):
    """One thing that a piece does."""

    when: str
    """The moment, in a few words. Habits with the same moment are grouped."""
    text: str
    """Sentences, as plain text."""
    rules: tuple[str, ...] = ()
    """The ids of its rules and rulings."""


class Expected(NamedTuple):
    """A number that was calculated exactly."""

    what: str
    """The head of its column, in a word or two."""
    value: Fraction
    is_share: bool = False
    """Whether it is a share of all cases, shown in percent."""
    of: str = ""
    """The attack or similar that it is about, if the piece has several."""


Behaviour = Callable[[Facts, str], Sequence[Habit]]
"""The function `behaviour` of a game; it takes the id of a piece."""
Counting = Callable[[Facts, str], Sequence[Expected]]
"""The function `expected` of a game; it takes the id of a piece."""


def find_behaviour(game: GameModule) -> Behaviour | None:
    """Return the function that describes what pieces do; None if the game has none."""
    found: Behaviour | None = getattr(game, "behaviour", None)
    return found


def find_expected(game: GameModule) -> Counting | None:
    """Return the function that calculates what pieces are good for; None if the game has none."""
    found: Counting | None = getattr(game, "expected", None)
    return found
