"""What an engine tells about a piece, for pages on which people read about it: what it does, and what it is good for.

A game module may offer `behaviour(facts, piece)`: in the order of play, the Habits of a piece that acts by itself; none
of any other. They are made of what the engine decides by, so that they cannot say anything else than it does. And
`expected(facts, piece)`: numbers that the engine has counted out, such as what an attack with it brings on average.

The contract asks for neither: few games have pieces that act, and few of them have odds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from grimalkin.engine.contract import Facts, GameModule


class Habit(NamedTuple):
    """One thing that a piece does."""

    when: str
    """A few words. Habits of the same moment stand together."""
    text: str
    """Sentences, as plain text."""
    rules: tuple[str, ...] = ()
    """The ids of the rules and rulings that say so."""


class Expected(NamedTuple):
    """A number that was counted out, exactly."""

    what: str
    """A word or two: the head of a column."""
    value: Fraction
    is_share: bool = False
    """Whether it is a share of all cases, and told in percent."""
    of: str = ""
    """Of what the piece has several of, such as attacks: which one."""


Behaviour = Callable[[Facts, str], Sequence[Habit]]
"""The function `behaviour` of a game that has one: by the id of a piece."""
Counting = Callable[[Facts, str], Sequence[Expected]]
"""The function `expected` of a game that has one: by the id of a piece."""


def find_behaviour(game: GameModule) -> Behaviour | None:
    """The function that tells what pieces do; None of a game that has none."""
    found: Behaviour | None = getattr(game, "behaviour", None)
    return found


def find_expected(game: GameModule) -> Counting | None:
    """The function that counts out what pieces are good for; None of a game that has none."""
    found: Counting | None = getattr(game, "expected", None)
    return found
