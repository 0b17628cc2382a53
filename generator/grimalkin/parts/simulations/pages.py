"""The pages of simulations: a summary of all, and one for each with rates, plots, and how often rules took effect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from grimalkin.content.models import Component
from grimalkin.parts.odds.charts import charted
from grimalkin.parts.simulations.content import simulations_of
from grimalkin.parts.simulations.questions import Recorded, Simulation
from grimalkin.site.pages.kinds import Menu, listing
from grimalkin.site.pages.links import Words
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.write import Writer

if TYPE_CHECKING:
    from grimalkin.play.simulation import Differences, Fired, Group, Number, Report

KIND = "simulations"
MENU_BEFORE = OVERVIEW_BEFORE = "terms"

MOST_DRAWN = 26_000
"""The most bytes of plots in the list of simulations; further simulations have a plot on their own page alone."""
PLOTS = 2
"""The maximum number of comparisons with a plot: wins, and the next number. Others have only tables, to keep the page
light."""
FEW = 8
"""The maximum number of rows of trials to show on the page."""


def begins(shown: Shown) -> str:
    """Return the overview, if a simulation is recorded."""
    return "simulations.md" if any(one.report for one in simulations_of(shown.game).recorded) else ""


def menu(shown: Shown, words: Words) -> Menu:
    """Return the overview and the page of each recorded simulation."""
    reported = [one.simulation for one in simulations_of(shown.game).recorded if one.report]
    pages = [(one.title, _page(one.id)) for one in reported]
    return listing(words[KIND], [(words["all-simulations"], "simulations.md"), *pages])


def write(writer: Writer) -> None:
    """Write all pages."""
    from grimalkin.play.simulation import percent  # few games have simulations

    recorded, changes = simulations_of(writer.game)
    views = [view for one in recorded if (view := simulated(one, writer.game.by_id))]
    charts = charted(writer.game, writer.words)
    sizes = accumulate(len(view.foremost.plot) if view.foremost else 0 for view in views)
    pictured = [view.simulation.id for view, size in zip(views, sizes, strict=True) if size <= MOST_DRAWN]
    writer.main(KIND, simulations=views, changes=changes, pictured=pictured)
    for one in views:
        about = [chart.wish for chart in charts if one.simulation in chart.simulations]
        writer.page(
            _page(one.simulation.id), "simulation", one.simulation.title, one=one, percent=percent, charts=about
        )


def _page(id_: str) -> str:
    return f"simulations/{id_}.md"


@dataclass(frozen=True)
class Measured:
    """Rates of one kind, with their plot as SVG."""

    group: Group
    plot: str

    @property
    def astray(self) -> int:
        """Return in how many of 100 simulations, at most, chance alone would move an interval of seats off the fair
        share.

        0 if none of these intervals missed it. However the rates depend on each other, the chances that 95 % intervals
        miss add up to at most 5 % each (Bonferroni).
        """
        fair, rows = self.group.fair, self.group.rows
        if not self.group.seats or fair is None or all(row.low <= fair <= row.high for row in rows):
            return 0
        return min(100, 5 * len(rows))


@dataclass(frozen=True)
class Compared:
    """How each option differs from the first in one number, with the plot as SVG."""

    group: Differences
    plot: str
    values: tuple[str, ...]
    """The value for each option, in words, the first option included."""

    @property
    def differs(self) -> bool:
        """Return whether any interval excludes zero."""
        return any(row.low > 0 or row.high < 0 for row in self.group.rows)


@dataclass(frozen=True)
class Simulated:
    """A simulation ready for its page."""

    simulation: Simulation
    command: str
    report: Report
    wins: tuple[Measured, ...]
    ends: tuple[Measured, ...]
    trials: tuple[Measured, ...]
    """Trials with few rows, the most frequent first; the others have separate pages, if any."""
    numbers: tuple[Number, ...]
    fired: tuple[Fired, ...]
    options: tuple[tuple[str, str], ...] = ()
    """Options that all games shared, in words."""
    compared: tuple[Compared, ...] = ()
    """Comparisons of wins, and of numbers in which options differ."""

    @property
    def foremost(self) -> Measured | Compared | None:
        """Return what the list of simulations shows: the first comparison, of options or of bots, otherwise the win
        rates that are farthest from the fair share, otherwise how games end."""
        wins = self.wins
        if len({*self.report.bots}) == 1:
            wins = tuple(sorted(wins, key=lambda one: -_missed(one.group)))
        shown: tuple[Measured | Compared, ...] = (*self.compared, *wins, *self.ends)
        return shown[0] if shown else None

    def result(self, words: Words) -> str:
        """Return the result of the foremost in a sentence; one that chance alone may bring says so."""
        shown = self.foremost
        if shown is None:
            return ""
        what = shown.group.title
        if isinstance(shown, Compared):
            rows = shown.group.rows
            far = max(range(len(rows)), key=lambda index: abs(rows[index].rate))
            key = "simulations-changed" if rows[far].low > 0 or rows[far].high < 0 else "simulations-unchanged"
            label, first = rows[far].label, shown.group.first
            return words[key].format(
                what=what, label=label, value=shown.values[far + 1], first=first, base=shown.values[0]
            )
        group = shown.group
        least, *_, most = sorted(group.rows, key=lambda row: row.rate) if len(group.rows) > 1 else group.rows * 2
        said = {"most": most.label, "rate": group.say(most.rate), "least": least.label, "low": group.say(least.rate)}
        if group.fair is None:
            return words["simulations-ended" if shown in self.ends else "simulations-apart"].format(what=what, **said)
        key = "simulations-uneven" if _missed(group) > _together(len(group.rows)) else "simulations-even"
        return words[key].format(what=what, fair=group.say(group.fair), **said)


def simulated(recorded: Recorded, pieces: Mapping[str, Component]) -> Simulated | None:
    """Prepare a simulation with its results; None if there are none yet.

    `pieces` has the names of pieces by id.
    """
    report = recorded.report
    if report is None:
        return None
    name = recorded.simulation.id
    # A group of one row compares nothing: equal seats win exactly their share. Nor do seats that all win
    # together or not at all.
    groups = (group for group in report.groups() if len(group.rows) > 1)
    apart = (group for group in groups if report.rotate or len({row.rate for row in group.rows}) > 1)
    wins = tuple(_measured(group, name, pieces) for group in apart)
    ends = tuple(_measured(group, name, pieces) for group in report.ends())
    trials = tuple(_measured(_titled(group), name, pieces) for group in report.trials() if len(group.rows) <= FEW)
    fired = tuple(one for one in report.rules() if one.times)
    numbers = report.numbers()
    options = tuple((key, _said(value, pieces)) for key, value in recorded.simulation.options.items())
    every = (_compared(group, name, pieces) for group in report.differences())
    compared = tuple(one for one in every if one.group.shares or one.differs)
    compared = (*compared[:PLOTS], *(replace(one, plot="") for one in compared[PLOTS:]))
    return Simulated(
        recorded.simulation, recorded.command, report, wins, ends, trials, numbers, fired, options, compared
    )


def _missed(group: Group) -> float:
    """Return by how many half intervals the rate that is farthest from the fair share misses it.

    Without a fair share, their mean takes its place.
    """
    rates = [row.rate for row in group.rows]
    fair = group.fair if group.fair is not None else sum(rates) / len(rates)
    ends = ((row.rate - fair, row.rate - row.low if row.rate > fair else row.high - row.rate) for row in group.rows)
    return max(abs(off) / half if half else 0.0 for off, half in ends)


def _together(rows: int) -> float:
    """Return how many half intervals of 95 % each of some rates may miss, so that all hold together 95 times in 100
    (Bonferroni).

    >>> round(_together(1), 2), round(_together(4), 2)
    (1.0, 1.27)
    """
    normal = NormalDist()
    return normal.inv_cdf(1 - 0.025 / rows) / normal.inv_cdf(0.975)


def _called(label: str, pieces: Mapping[str, Component]) -> str:
    return pieces[label].name if label in pieces else label


def _said(value: Any, pieces: Mapping[str, Component]) -> str:
    """Describe an option in words."""
    if isinstance(value, Mapping):
        return "; ".join(f"{_called(key, pieces)}: {_said(one, pieces)}" for key, one in value.items())
    return ", ".join(_said(one, pieces) for one in value) if isinstance(value, list) else _called(str(value), pieces)


def _compared(group: Differences, name: str, pieces: Mapping[str, Component]) -> Compared:
    from grimalkin.play.simulation import percent, renderings

    rows = tuple(replace(row, label=_called(row.label, pieces)) for row in group.rows)
    called = replace(group, first=_called(group.first, pieces), rows=rows)
    means = [group.base + more for more in (0, *(row.rate for row in rows))]
    values = tuple(percent(mean) if group.shares else f"{mean:,.2f}" for mean in means)
    return Compared(called, renderings.svg(called, name), values)


def _titled(group: Group) -> Group:
    """Return trials with the title for a page."""
    rows = sorted(group.rows, key=lambda row: -row.rate)
    return replace(group, title=group.title[:1].upper() + group.title[1:], rows=tuple(rows))


def _measured(group: Group, name: str, pieces: Mapping[str, Component]) -> Measured:
    from grimalkin.play.simulation import renderings

    rows = (replace(row, label=_called(row.label, pieces)) for row in group.rows)
    called = replace(group, rows=tuple(rows))
    return Measured(called, renderings.svg(called, name))
