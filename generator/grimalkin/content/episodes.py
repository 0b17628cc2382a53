"""The models of a told campaign: what happened, episode by episode, with the record of every chapter."""

from __future__ import annotations

from typing import Any, Self

from pydantic import Field, model_validator

from grimalkin.content.models import StepLine
from grimalkin.content.values import Id, Line, Model, OwnId, Text, Title

KINDS = ("play", "safehaven", "restore")


class Episode(Model):
    """One thing that happens in a campaign."""

    play: Id | None = Field(None, description="The id of a chapter that is played.")
    safehaven: Line | None = Field(None, description="The name of a place to come back to, which is made here.")
    restore: Line | None = Field(None, description="The name of the place to which the party comes back.")
    say: Text = Field(description="What is told of it.")
    rules: tuple[Id, ...] = Field((), description="Ids of the rules that it shows.")
    record: tuple[StepLine, ...] = Field((), description="Answers and draws, as in a playthrough.")
    kept: dict[str, Any] = Field({}, description="What the party keeps there: of a Safehaven.")
    refused: Id | None = Field(None, description="The rule by which this cannot be: of a Safehaven.")

    @model_validator(mode="after")
    def is_one(self) -> Self:
        kinds = [kind for kind in KINDS if getattr(self, kind)]
        if len(kinds) != 1:
            raise ValueError(f"an episode is one of these: {', '.join(KINDS)}")
        if (self.record and not self.play) or ((self.kept or self.refused) and not self.safehaven):
            raise ValueError("a chapter has a `record`, a Safehaven has what is `kept`, or the rule that `refused` it")
        return self


class ToldCampaign(Model):
    """A campaign from its first chapter on, as a party has played it."""

    id: OwnId
    title: Title
    summary: Text = Field(description="A few sentences about it.")
    seats: tuple[Line, ...] = Field(min_length=1, description="Names of the players.")
    options: dict[str, Any] = Field({}, description="What was agreed upon before the first chapter.")
    episodes: tuple[Episode, ...] = Field(min_length=1, description="What happened, in its order.")
