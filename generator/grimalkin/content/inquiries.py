"""The models of simulations.yaml, albums.yaml and charts.yaml: what bots and the engine are asked."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from grimalkin.content.models import ColumnName
from grimalkin.content.values import Id, Line, Model, SmallFileId, Text, Title, Whole, is_text

# Simulations


OptionLabel = Annotated[
    str, StringConstraints(min_length=1, max_length=40, pattern=r"^[^\n=]*$"), AfterValidator(is_text)
]
"""It stands in plots, and on the command line before a `=`."""


class Simulation(Model):
    """Games that bots play with each other, to see whether the game is fair."""

    id: SmallFileId = Field(
        description="Small letters, digits and hyphens; the results are kept in simulations/ID.json."
    )
    title: Title
    text: Text = Field(description="What is asked, and what the results mean.")
    players: Whole = Field(ge=1, description="How many play.")
    games: Whole = Field(ge=1, le=10_000_000, description="How many at least; every deal is played in all rotations.")
    bots: tuple[Line, ...] = Field(min_length=1, description="One bot for all seats, or one a seat.")
    rotate: bool = Field(
        True,
        description="no if seats have roles: bots keep their seats, and a win counts whole for each who shares it.",
    )
    options: dict[Id, Any] = Field({}, description="Options of the game, as in examples.")
    seed: Whole = Field(0, ge=0, description="The number of the first deal; another one gives other luck.")
    each: dict[OptionLabel, dict[Id, Any]] = Field(
        {},
        description="Options that are compared on the same deals, by label, laid over `options`: the first with each "
        "of the others. All other results are those of the first. An id of a component is shown as its name.",
    )


class Change(Model):
    """What was changed because of simulations."""

    what: Text = Field(description="What was changed.")
    before: Text = Field(description="What it was.")
    after: Text = Field(description="What it is now.")
    why: Text = Field(description="What the simulations showed.")
    rule: Id | None = Field(None, description="The rule or ruling that was changed.")
    piece: Id | None = Field(None, description="The component that was changed.")


# Albums


class AlbumPicture(Model):
    """A square of a map that an album shows."""

    map: Id = Field(description="The map.")
    square: Line = Field(description="The square, as in c3.")
    text: Text | None = Field(None, description="What is worth looking at there; without it, the page tells numbers.")


class Album(Model):
    """A page of maps on which the engine draws what is asked about one square after the other."""

    id: SmallFileId = Field(description="Small letters, digits and hyphens; the address of its page.")
    title: Title
    text: Text = Field(description="What is shown. What the signs mean is told by the page.")
    picture: dict[str, Any] = Field(min_length=1, description="What is drawn; here is the square: {sight: here}.")
    squares: tuple[AlbumPicture, ...] = Field(min_length=1, description="The squares, in the order of the page.")


# Charts


class Chart(Model):
    """A picture of how likely something is, with all its numbers: counted out by the engine, or seen in simulations."""

    id: SmallFileId = Field(description="Small letters, digits and hyphens; the address of the chart on its page.")
    title: Title
    text: Text = Field(description="What is asked, and what is taken for granted. Numbers are in the chart.")
    chart: Id | None = Field(None, description="A chart that the game's engine counts out, by its name.")
    simulations: tuple[Id, ...] = Field((), description="Or: simulations whose trials are shown, a picture each.")
    trials: tuple[Line, ...] = Field((), description="What was tried in them, a line in each picture.")
    across: ColumnName | None = Field(None, description="The column of what was tried that is read from left to right.")
    by: ColumnName | None = Field(None, description="The column that tells pieces of one such value apart.")
    called: dict[str, Line] = Field({}, description="Other words for some values on the way across: {1: A}.")

    @model_validator(mode="after")
    def one_source(self) -> Chart:
        simulated = (self.simulations, self.trials, self.across, self.by)
        if bool(self.chart) == any(simulated):
            raise ValueError("it is either a `chart` of the engine, or one of `simulations` with `trials`")
        if any(simulated) and not all(simulated):
            raise ValueError("a chart of `simulations` needs `trials`, `across` and `by`")
        return self


class SimulationsFile(Model):
    """simulations.yaml"""

    simulations: tuple[Simulation, ...] = Field(min_length=1, description="What bots are to play.")
    changes: tuple[Change, ...] = Field((), description="What was changed because of them.")


class AlbumsFile(Model):
    """albums.yaml"""

    albums: tuple[Album, ...] = Field(min_length=1, description="The albums.")


class ChartsFile(Model):
    """charts.yaml"""

    charts: tuple[Chart, ...] = Field(min_length=1, description="What the odds page shows, in this order.")
