"""Models of simulations.yaml, albums.yaml and charts.yaml: questions that bots and the engine answer."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from grimalkin.content.models import ColumnName
from grimalkin.content.values import Id, Line, Model, SmallFileId, Text, Title, Whole, is_text

# Simulations


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


# Albums


class AlbumPicture(Model):
    """A square of a map that an album shows."""

    map: Id = Field(description="The map.")
    square: Line = Field(description="The square, as in c3.")
    text: Text | None = Field(None, description="What is worth seeing there; without it, the page shows numbers.")


class Album(Model):
    """A page of maps on which the engine draws the same thing for one square after another."""

    id: SmallFileId = Field(description="Small letters, digits and hyphens; the address of its page.")
    title: Title
    text: Text = Field(description="What the page shows. It explains its signs itself.")
    picture: dict[str, Any] = Field(min_length=1, description="What to draw; `here` is the square: {sight: here}.")
    squares: tuple[AlbumPicture, ...] = Field(min_length=1, description="The squares, in order.")


# Charts


class Chart(Model):
    """A picture of how likely something is, with all its numbers: computed by the engine, or seen in simulations."""

    id: SmallFileId = Field(description="Small letters, digits and hyphens; the address of the chart on its page.")
    title: Title
    text: Text = Field(description="The question, and what is assumed. The numbers are in the chart.")
    chart: Id | None = Field(None, description="The name of a chart that the game's engine computes.")
    simulations: tuple[Id, ...] = Field(
        (), description="Instead of `chart`: simulations whose trials are shown, one picture for each."
    )
    trials: tuple[Line, ...] = Field((), description="The trials to show, as lines in each picture.")
    across: ColumnName | None = Field(
        None, description="The column of the pieces tried whose values run from left to right."
    )
    by: ColumnName | None = Field(
        None, description="The column that distinguishes pieces with the same value in `across`."
    )
    called: dict[str, Line] = Field({}, description="Other words for some values of `across`: {1: A}.")

    @model_validator(mode="after")
    def one_source(self) -> Chart:
        simulated = (self.simulations, self.trials, self.across, self.by)
        if bool(self.chart) == any(simulated):
            raise ValueError("write either the engine's `chart`, or `simulations` with `trials`")
        if any(simulated) and not all(simulated):
            raise ValueError("a chart of `simulations` needs `trials`, `across` and `by`")
        return self


class SimulationsFile(Model):
    """simulations.yaml"""

    simulations: tuple[Simulation, ...] = Field(min_length=1, description="The simulations that bots play.")
    changes: tuple[Change, ...] = Field((), description="The changes made because of them.")


class AlbumsFile(Model):
    """albums.yaml"""

    albums: tuple[Album, ...] = Field(min_length=1, description="The albums.")


class ChartsFile(Model):
    """charts.yaml"""

    charts: tuple[Chart, ...] = Field(min_length=1, description="The charts on the odds page, in order.")
