"""A game that goes on from one play to the next: what a party keeps, which chapters it can come to, and what is kept
after each.

A game module may offer `CAMPAIGN`, an object with the functions of Campaign. What is kept is a plain record, by its
shape: small enough to stand in a file and on a sheet of paper, whole enough to go on from. A chapter is one play of the
game, begun by `start` with the options of the chapter. The contract does not ask for it, since few games go on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from grimalkin.engine.contract import Facts, GameModule, State
from grimalkin.engine.shape import Misfit, Record

Kept = Mapping[str, Any]
"""What a party keeps between two chapters, as a plain record."""


class Chapter(NamedTuple):
    """One play of a campaign."""

    id: str
    """What it is called in files and commands. It never changes its meaning."""
    title: str
    options: Mapping[str, Any]
    """Of `start`, for this party as it now is."""
    rules: tuple[str, ...] = ()
    """Why it may be played now."""
    rests: bool = False
    """Whether the party can keep everything as it is before this chapter begins, to come back to."""


class Standing(NamedTuple):
    """One line of how a party stands."""

    whose: str
    """The id of a piece, such as a hero; empty for the party."""
    what: str
    """A word or two."""
    value: str
    """As a player says it."""
    rule: str


class Campaign(Protocol):
    """What a game says about its campaigns."""

    @property
    def rules(self) -> Mapping[str, str]:
        """The ids of the rules by which everything may be kept to come back to it (`rest`), by which the party comes
        back (`restore`), and by which it goes on after a chapter that it did not win (`failed`)."""

    @property
    def shows(self) -> Mapping[str, tuple[str, ...]]:
        """All that the rules say of keeping everything (`rest`) and of coming back to it (`restore`)."""

    def options(self, facts: Facts, /) -> Record:
        """What is agreed upon before the first chapter."""

    def shape(self, facts: Facts, /) -> Record:
        """What the record of what is kept looks like."""

    def check(self, facts: Facts, kept: Kept, /) -> Sequence[Misfit]:
        """What is wrong with a record of the right shape, such as one that was written by hand."""

    def begin(self, facts: Facts, seats: Sequence[str], options: Mapping[str, Any], /) -> Kept:
        """What a party has before its first chapter. Raises Misfits."""

    def chapters(self, facts: Facts, kept: Kept, /) -> Sequence[Chapter]:
        """What can be played next, the one that most would play first. None at the end of the campaign."""

    def after(self, facts: Facts, kept: Kept, chapter: Chapter, state: State, /) -> Kept:
        """What is kept after a chapter that was played to its end, whether it was won or lost."""

    def standing(self, facts: Facts, kept: Kept, /) -> Sequence[Standing]:
        """How the party stands, line by line: what a sheet of paper would say."""


def find_campaign(game: GameModule | None) -> Campaign | None:
    """What a game says about its campaigns; None of one that has none, or of no engine."""
    found: Campaign | None = getattr(game, "CAMPAIGN", None)
    return found
