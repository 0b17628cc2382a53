"""Read and prove campaigns/*.yaml: what happened in each episode of a campaign, with the record of every chapter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from grimalkin.content.folder import Folder
from grimalkin.content.game import Game
from grimalkin.content.tables.rows import Tables
from grimalkin.parts.campaign.episodes import Followed, ToldCampaign
from grimalkin.problems import Problems
from grimalkin.source import At

NAME = "campaigns"
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
    return game.with_part(NAME, Campaigns(told, followed))


def proofs(game: Game) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Yield the id of each campaign that holds, with the rules that it shows, and those that refuse something in it."""
    for one in campaigns_of(game).followed:
        if one.ok:
            yield one.told.id, tuple(one.shown()), tuple(one.refused())
