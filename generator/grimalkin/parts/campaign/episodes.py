"""The models of campaigns/*.yaml, and the outcomes of their episodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from pydantic import Field, model_validator

from grimalkin.content.rules import StepLine
from grimalkin.content.values import Id, Line, Model, OwnId, Text, Title

if TYPE_CHECKING:
    from grimalkin.engine.campaigns import Chapter, Kept
    from grimalkin.engine.shape import Misfit

KINDS = ("play", "safehaven", "restore")


class Episode(Model):
    """One event in a campaign: a chapter, a Safehaven made, or a return to one."""

    play: Id | None = Field(None, description="The id of the chapter to play.")
    safehaven: Line | None = Field(None, description="The name of a Safehaven made here, a place to return to.")
    restore: Line | None = Field(None, description="The name of the Safehaven that the party returns to.")
    say: Text = Field(description="The story of what happens.")
    rules: tuple[Id, ...] = Field((), description="The rules it shows, by id.")
    record: tuple[StepLine, ...] = Field((), description="Answers and draws, as in a playthrough.")
    kept: dict[str, Any] = Field({}, description="For a Safehaven: what the party keeps there.")
    refused: Id | None = Field(None, description="For a Safehaven: the rule that refuses it here.")

    @model_validator(mode="after")
    def is_one(self) -> Self:
        kinds = [kind for kind in KINDS if getattr(self, kind)]
        if len(kinds) != 1:
            raise ValueError(f"an episode must have exactly one of these keys: {', '.join(KINDS)}")
        if (self.record and not self.play) or ((self.kept or self.refused) and not self.safehaven):
            raise ValueError("only a chapter (`play`) has a `record`; only a Safehaven has `kept` or `refused`")
        return self


class ToldCampaign(Model):
    """A campaign as a party played it, from the first chapter."""

    id: OwnId
    title: Title
    summary: Text = Field(description="A few sentences about it.")
    seats: tuple[Line, ...] = Field(min_length=1, description="Names of the players.")
    options: dict[str, Any] = Field({}, description="Options agreed before the first chapter.")
    episodes: tuple[Episode, ...] = Field(min_length=1, description="What happened, in order.")


class Came(NamedTuple):
    """The outcome of an episode."""

    episode: Episode
    chapter: Chapter | None
    won: bool | None
    """Whether a chapter was won; None for a Safehaven."""
    before: Kept
    kept: Kept
    fired: frozenset[str]
    """The rules that were applied in it."""
    answers: int = 0


class Followed(NamedTuple):
    """A replayed campaign, with the outcomes of its episodes."""

    told: ToldCampaign
    came: tuple[Came, ...]
    misfits: tuple[Misfit, ...]
    """Mismatches, with their keys in the file."""

    @property
    def ok(self) -> bool:
        return not self.misfits

    def shown(self) -> Iterator[str]:
        """Yield the rules that the campaign shows."""
        for one in self.came:
            yield from one.episode.rules

    def refused(self) -> Iterator[str]:
        """Yield the rules that refused something in it."""
        yield from (one.episode.refused for one in self.came if one.episode.refused)
