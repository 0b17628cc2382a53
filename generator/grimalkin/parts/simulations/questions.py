"""A simulation of simulations.yaml, and its record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import AfterValidator, Field, StringConstraints

from grimalkin.content.values import Id, Line, Model, SmallFileId, Text, Title, Whole, is_text

if TYPE_CHECKING:
    from grimalkin.play.simulation import Report

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
        description="The minimum number of games; every deal is played in all rotations of the seats.",
    )
    bots: tuple[Line, ...] = Field(min_length=1, description="One bot for all seats, or one for each seat.")
    rotate: bool = Field(
        True,
        description="no if seats have roles: bots then keep their seats, and a shared win counts in full for each "
        "winner.",
    )
    options: dict[Id, Any] = Field({}, description="Options of the game, as in examples.")
    seed: Whole = Field(0, ge=0, description="The number of the first deal; a different number brings different luck.")
    each: dict[OptionLabel, dict[Id, Any]] = Field(
        {},
        description="Options to compare on the same deals, by label, each replacing those in `options`. The first is "
        "compared "
        "with each of the others, and all other results are those of the first. Ids of components appear as names.",
    )


class Results(NamedTuple):
    """The recorded results of a simulation, if there are any.

    `first` holds the results of the first deals. `fault` says why the record does not belong to this simulation and
    these facts, or is "".
    """

    report: Report | None = None
    first: Report | None = None
    fault: str = ""


@dataclass(frozen=True)
class Recorded:
    """A simulation, and its results, which are read only when needed: few commands need them."""

    simulation: Simulation
    command: str
    """The command that runs it again."""
    read: Callable[[], Results] = Results

    @cached_property
    def results(self) -> Results:
        return self.read()

    @property
    def report(self) -> Report | None:
        return self.results.report

    @property
    def first(self) -> Report | None:
        return self.results.first

    @property
    def fault(self) -> str:
        return self.results.fault
