"""What an engine knows about a piece, for pages about it: what it does, and what it is good for.

A game module may offer `behaviour(facts, piece)`: in the order of play, the Habits of a piece that acts by itself; none
for any other. They are generated from the tables by which the engine decides, so they always agree with it. And
`expected(facts, piece)`: numbers that the engine has calculated, such as the average result of an attack with it.

Both are optional: few games have pieces that act, and few have odds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from grimalkin.engine.contract import Facts, GameModule


class Habit(NamedTuple):
    """One thing that a piece does."""

    when: str
    """A few words. Habits of the same moment are grouped."""
    text: str
    """Sentences, as plain text."""
    rules: tuple[str, ...] = ()
    """The ids of its rules and rulings."""


class Expected(NamedTuple):
    """A number that was calculated exactly."""

    what: str
    """A word or two: the head of a column."""
    value: Fraction
    is_share: bool = False
    """Whether it is a share of all cases, shown in percent."""
    of: str = ""
    """Which of several attacks or the like of the piece it is about."""


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
