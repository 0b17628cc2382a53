"""Campaigns: what a party keeps from one play to the next, and which chapters it can play.

A game module may offer `CAMPAIGN`, an object with the functions of Campaign. A party keeps a plain record of a known
shape, small enough for a file or a sheet of paper, and complete enough to continue from. A chapter is one play of
the game, begun by `start` with the options of the chapter. `CAMPAIGN` is optional, since few games have campaigns.
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
    """Its name in files and commands, whose meaning never changes."""
    title: str
    options: Mapping[str, Any]
    """The options of `start` for this party as it is now."""
    rules: tuple[str, ...] = ()
    """The ids of the rules by which it may be played now."""
    rests: bool = False
    """Whether the party can save its state before this chapter begins."""


class Standing(NamedTuple):
    """One line of a party's status."""

    whose: str
    """The id of the piece it belongs to, such as a hero; empty for the party."""
    what: str
    """Its name, in a word or two."""
    value: str
    """The value as players say it."""
    rule: str


class Campaign(Protocol):
    """The interface of a game's campaigns."""

    @property
    def rules(self) -> Mapping[str, str]:
        """Return the ids of the rules by which the party may save its state (`rest`), returns to it (`restore`), and
        continues after a chapter that it did not win (`failed`)."""

    @property
    def shows(self) -> Mapping[str, tuple[str, ...]]:
        """Return the ids of all rules about saving the state (`rest`) and returning to it (`restore`)."""

    def options(self, facts: Facts, /) -> Record:
        """Return the shape of the options that players agree on before the first chapter."""

    def shape(self, facts: Facts, /) -> Record:
        """Return the shape of the record that a party keeps."""

    def check(self, facts: Facts, kept: Kept, /) -> Sequence[Misfit]:
        """Return what is wrong with a record of the right shape, for example a handwritten one."""

    def begin(self, facts: Facts, seats: Sequence[str], options: Mapping[str, Any], /) -> Kept:
        """Return what a party has before its first chapter. Raises Misfits."""

    def chapters(self, facts: Facts, kept: Kept, /) -> Sequence[Chapter]:
        """Return the chapters that can be played next, the usual choice first; empty at the end of the campaign."""

    def after(self, facts: Facts, kept: Kept, chapter: Chapter, state: State, /) -> Kept:
        """Return what the party keeps after a finished chapter, whether it was won or lost."""

    def standing(self, facts: Facts, kept: Kept, /) -> Sequence[Standing]:
        """Return the party's status, line by line, as on a sheet of paper."""


def find_campaign(game: GameModule | None) -> Campaign | None:
    """Return the campaigns of a game; None if it has none, or no engine."""
    found: Campaign | None = getattr(game, "CAMPAIGN", None)
    return found
