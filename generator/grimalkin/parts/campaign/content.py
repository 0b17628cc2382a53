"""Read and prove campaigns/*.yaml: what happened in each episode of a campaign, with the record of every chapter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from pydantic import Field, model_validator

from grimalkin.content.folder import Folder
from grimalkin.content.game import Game
from grimalkin.content.rows import Tables
from grimalkin.content.rules import StepLine
from grimalkin.content.values import Id, Line, Model, OwnId, Text, Title
from grimalkin.problems import Problems
from grimalkin.source import At

if TYPE_CHECKING:
    from grimalkin.parts.campaign.story import Followed

NAME = "campaigns"
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


IN_FOLDERS = {"told-campaign": ToldCampaign}


class Campaigns(NamedTuple):
    """The campaigns of a game as written, and as the engine replayed them."""

    told: tuple[ToldCampaign, ...] = ()
    followed: tuple[Followed, ...] = ()


def read(folder: Folder, tables: Tables) -> Campaigns:
    """Return the campaigns of a game, each from its own file."""
    return Campaigns(folder.each_file("campaigns", ToldCampaign, tables.info.prefix or ""))


def campaigns_of(game: Game) -> Campaigns:
    """Return the campaigns of a game that was read; those replayed only if it was also proved."""
    found: Campaigns = game.parts.get(NAME, Campaigns())
    return found


def named_laws(game: Game) -> Iterator[tuple[str, At, tuple[str, ...]]]:
    """Yield the rules and rulings that each episode names."""
    for campaign in campaigns_of(game).told:
        for index, episode in enumerate(campaign.episodes):
            yield campaign.id, ("episodes", index, "rules"), episode.rules
            if episode.refused:
                yield campaign.id, ("episodes", index, "refused"), (episode.refused,)


def prove(game: Game, _problems: Problems, owed: Problems) -> Game:
    """Replay every campaign's story. Anything that does not hold is owed, at its line."""
    told, _ = campaigns_of(game)
    if game.module is None or not told:
        return game
    from grimalkin.parts.campaign.story import follow_told

    followed = tuple(follow_told(game.module, game.facts, one) for one in told)
    for one in followed:
        for misfit in one.misfits:
            owed.add(game.place(one.told.id, misfit.at), f"{one.told.id}: {misfit.message}", misfit.hint)
    return replace(game, parts={**game.parts, NAME: Campaigns(told, followed)})


def proofs(game: Game) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Yield the id of each campaign that holds, with the rules that it shows, and those that refuse something in it."""
    for one in campaigns_of(game).followed:
        if one.ok:
            yield one.told.id, tuple(one.shown()), tuple(one.refused())
