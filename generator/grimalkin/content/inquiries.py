"""Models of simulations.yaml: questions that bots answer by playing."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints

from grimalkin.content.values import Id, Line, Model, SmallFileId, Text, Title, Whole, is_text

OptionLabel = Annotated[
    str, StringConstraints(min_length=1, max_length=40, pattern=r"^[^\n=]*$"), AfterValidator(is_text)
]
"""A label in plots and, before a `=`, on the command line."""


class Simulation(Model):
    """Games that bots play against each other, to see whether the game is fair."""

    id: SmallFileId = Field(
        description="Small letters, digits and hyphens; the results are kept in simulations/ID.json."
    )
    title: Title
    text: Text = Field(description="The question, and what the results mean.")
    players: Whole = Field(ge=1, description="The number of players.")
    games: Whole = Field(
        ge=1,
        le=10_000_000,
        description="The least number of games; every deal is played in all rotations of the seats.",
    )
    bots: tuple[Line, ...] = Field(min_length=1, description="One bot for all seats, or one for each seat.")
    rotate: bool = Field(
        True,
        description="no if seats have roles: bots then keep their seats, and a shared win counts in full for each "
        "winner.",
    )
    options: dict[Id, Any] = Field({}, description="Options of the game, as in examples.")
    seed: Whole = Field(0, ge=0, description="The number of the first deal; another number gives other luck.")
    each: dict[OptionLabel, dict[Id, Any]] = Field(
        {},
        description="Options to compare on the same deals, by label, each replacing those in `options`. The first is "
        "compared "
        "with each of the others, and all other results are those of the first. Ids of components appear as names.",
    )


class Change(Model):
    """A change made because of simulations."""

    what: Text = Field(description="What changed.")
    before: Text = Field(description="How it was.")
    after: Text = Field(description="How it is now.")
    why: Text = Field(description="What the simulations showed.")
    rule: Id | None = Field(None, description="The rule or ruling that changed.")
    piece: Id | None = Field(None, description="The component that changed.")


class SimulationsFile(Model):
    """simulations.yaml"""

    simulations: tuple[Simulation, ...] = Field(min_length=1, description="The simulations that bots play.")
    changes: tuple[Change, ...] = Field((), description="The changes made because of them.")
