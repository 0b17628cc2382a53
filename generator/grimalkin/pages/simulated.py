"""A recorded simulation in, what its page shows out: rates with their plots, numbers, and the rules that happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from grimalkin.content.models import Component, Simulation
from grimalkin.content.simulations import Recorded
from grimalkin.simulation import Fired, Group, Number, Report, plot


@dataclass(frozen=True)
class Measured:
    """Rates of one kind, and their plot as SVG."""

    group: Group
    plot: str


@dataclass(frozen=True)
class Simulated:
    """What a page shows of a simulation."""

    simulation: Simulation
    command: str
    report: Report
    wins: tuple[Measured, ...]
    ends: tuple[Measured, ...]
    numbers: tuple[Number, ...]
    fired: tuple[Fired, ...]


def simulated(recorded: Recorded, pieces: Mapping[str, Component]) -> Simulated | None:
    """A simulation with its results; None while there are none.

    `pieces` are called by their names.
    """
    report = recorded.report
    if report is None:
        return None
    name = recorded.simulation.id
    # A group of one row compares nothing: seats that are all alike win exactly their share.
    wins = tuple(_measured(group, name, pieces) for group in report.groups() if len(group.rows) > 1)
    ends = tuple(_measured(group, name, pieces) for group in report.ends())
    fired = tuple(one for one in report.rules() if one.times)
    return Simulated(recorded.simulation, recorded.command, report, wins, ends, report.numbers(), fired)


def _measured(group: Group, name: str, pieces: Mapping[str, Component]) -> Measured:
    rows = (replace(row, label=pieces[row.label].name if row.label in pieces else row.label) for row in group.rows)
    called = replace(group, rows=tuple(rows))
    return Measured(called, plot.svg(called, name))
