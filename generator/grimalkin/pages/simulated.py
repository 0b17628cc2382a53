"""A recorded simulation in, what its page shows out: rates with their plots, numbers, and the rules that happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from grimalkin.content.models import Component, Simulation
from grimalkin.content.simulations import Recorded
from grimalkin.simulation import Fired, Group, Number, Report, plot

FEW = 8
"""Rows of trials that are looked at one by one."""


@dataclass(frozen=True)
class Measured:
    """Rates of one kind, and their plot as SVG."""

    group: Group
    plot: str

    @property
    def astray(self) -> int:
        """In how many of 100 simulations, at most, chance alone would lead an interval of seats past their fair share.

        0 when none of these went astray. However rates hang together, the chances of the intervals of 95 % to miss
        add up to no more than 5 % each (Bonferroni).
        """
        fair, rows = self.group.fair, self.group.rows
        if not self.group.seats or fair is None or all(row.low <= fair <= row.high for row in rows):
            return 0
        return min(100, 5 * len(rows))


@dataclass(frozen=True)
class Simulated:
    """What a page shows of a simulation."""

    simulation: Simulation
    command: str
    report: Report
    wins: tuple[Measured, ...]
    ends: tuple[Measured, ...]
    trials: tuple[Measured, ...]
    """Those with few rows, the most frequent first; the others have pages of their own, if any."""
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
    trials = tuple(_measured(_titled(group), name, pieces) for group in report.trials() if len(group.rows) <= FEW)
    fired = tuple(one for one in report.rules() if one.times)
    return Simulated(recorded.simulation, recorded.command, report, wins, ends, trials, report.numbers(), fired)


def _titled(group: Group) -> Group:
    """Trials as they stand on a page."""
    rows = sorted(group.rows, key=lambda row: -row.rate)
    return replace(group, title=group.title[:1].upper() + group.title[1:], rows=tuple(rows))


def _measured(group: Group, name: str, pieces: Mapping[str, Component]) -> Measured:
    rows = (replace(row, label=pieces[row.label].name if row.label in pieces else row.label) for row in group.rows)
    called = replace(group, rows=tuple(rows))
    return Measured(called, plot.svg(called, name))
