"""Build the page of an entry of charts.yaml: plots, tables of all numbers, and a summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from grimalkin.content import Game
from grimalkin.content.models import Component, value_of
from grimalkin.engine.odds import Chart, Panel, Point, Series, charts_of
from grimalkin.parts.odds import panels
from grimalkin.parts.odds.content import Chart as Wish
from grimalkin.parts.odds.content import wished_charts
from grimalkin.parts.simulations.content import Simulation, simulations_of
from grimalkin.parts.simulations.records import Recorded
from grimalkin.play.simulation import Report, Row
from grimalkin.site.pages.links import Words


@dataclass(frozen=True)
class PanelView:
    """A panel of a chart ready for its page."""

    title: str
    plot: str
    """The plot as SVG."""
    heads: tuple[tuple[str, tuple[str, ...]], ...]
    """For each series: its name and its parts."""
    rows: tuple[tuple[str, tuple[Point | None, ...]], ...]
    """For each mark: the points of all parts of all series."""


@dataclass(frozen=True)
class ChartView:
    """A chart ready for its page."""

    wish: Wish
    chart: Chart
    panels: tuple[PanelView, ...]
    simulations: tuple[Simulation, ...]
    """The simulations behind it; none if the engine calculated the odds."""


def ready(game: Game) -> list[Wish]:
    """Return the entries of charts.yaml that can be shown: those calculated by the engine, and those with a recorded
    simulation."""
    recorded = {one.simulation.id for one in simulations_of(game).recorded if one.report}
    return [wish for wish in wished_charts(game) if wish.chart or recorded.intersection(wish.simulations)]


def charted(game: Game, words: Words) -> list[ChartView]:
    """Build the charts of a game that can be shown."""
    return [_view(wish, game, words) for wish in ready(game)]


def _view(wish: Wish, game: Game, words: Words) -> ChartView:
    by_id = {one.simulation.id: one for one in simulations_of(game).recorded}
    if wish.chart:
        assert game.module is not None  # the entry was checked when it was read
        chart = charts_of(game.module)[wish.chart](game.facts)
        chart = replace(chart, marks=tuple(wish.called.get(mark, mark) for mark in chart.marks))
        notes = tuple(counted_note(panel, chart.marks, words) for panel in chart.panels)
        chart = replace(chart, lesson=words["odds-likely"], notes=notes)
    else:
        chart = measured(wish, [by_id[id_] for id_ in wish.simulations], game.by_id, words)
    views = tuple(_panel(chart, panel, f"{wish.id} {number}") for number, panel in enumerate(chart.panels, 1))
    simulations = tuple(by_id[id_].simulation for id_ in wish.simulations if by_id[id_].report)
    return ChartView(wish, chart, views, simulations)


def counted_note(panel: Panel, marks: Sequence[str], words: Words) -> str:
    """Return, for each drawn series of a panel, the weakest part that succeeds at least half the time, or the best one
    if none does.

    If all parts of its mark succeed that often, name the mark instead, with the lowest of their shares.
    """
    told = []
    for series in (series for series in panel.series if series.drawn):
        shares = [
            (point.share, mark, part)
            for part, points in series.parts.items()
            for mark, point in zip(marks, points, strict=True)
            if point
        ]
        likely = [one for one in shares if one[0] >= 0.5]
        share, mark, part = min(likely, key=itemgetter(0)) if likely else max(shares, key=itemgetter(0))
        alike = {other for other, its, _ in shares if its == mark}
        every = len(series.parts) > 1 and (min(alike) >= 0.5 or alike == {share})
        which = words["odds-any" if every else "odds-one"].format(mark=mark, part=part)
        key = "odds-best" if not likely else "odds-least" if every and len(alike) > 1 else "odds-weakest"
        told.append(words[key].format(what=series.name, which=which, share=f"{100 * share:.1f}"))
    return words["odds-note"].format(panel=panel.title, told="; ".join(told))


def _panel(chart: Chart, panel: Panel, name: str) -> PanelView:
    heads = tuple((series.name, tuple(series.parts)) for series in panel.series)
    rows = tuple(
        (mark, tuple(points[number] for series in panel.series for points in series.parts.values()))
        for number, mark in enumerate(chart.marks)
    )
    return PanelView(panel.title, panels.svg(chart, panel, name), heads, rows)


def measured(wish: Wish, recorded: Sequence[Recorded], pieces: Mapping[str, Component], words: Words) -> Chart:
    """Build a chart of how often trials succeeded, with a panel for each recorded simulation.

    Each trial belongs to a piece. One of the piece's columns runs across the panel, another determines the parts.
    """
    found = [(one.report, _rows(one.report, wish.trials)) for one in recorded if one.report]
    seen = {label for _, kinds in found for rows in kinds for label in rows}
    tried = [id_ for id_ in pieces if id_ in seen]  # in the order of the tables
    ids = {(value_of(pieces[id_], str(wish.across)), value_of(pieces[id_], str(wish.by))): id_ for id_ in tried}
    marks = list(dict.fromkeys(mark for mark, _ in ids))
    if all(isinstance(mark, int) for mark in marks):
        marks.sort(key=_number)
    parts = list(dict.fromkeys(part for _, part in ids))
    shown: list[Panel] = []
    for report, kinds in found:
        title = words["odds-players"].format(n=report.players)
        if [other.players for other, _ in found].count(report.players) > 1:
            title = f"{title}: {', '.join(dict.fromkeys(report.bots))}"
        series = []
        for name, rows in zip(wish.trials, kinds, strict=True):
            lines = {str(part): tuple(_point(rows.get(ids.get((mark, part), ""))) for mark in marks) for part in parts}
            series.append(Series(name, lines))
        shown.append(Panel(title, tuple(series)))
    called = tuple(wish.called.get(str(mark), str(mark)) for mark in marks)
    notes = tuple(_note(panel, called, words) for panel in shown)
    return Chart(str(wish.across), called, tuple(shown), words["odds-often"], notes)


def _rows(report: Report, trials: Sequence[str]) -> list[dict[str, Row]]:
    """Return the rows of each trial, by piece."""
    groups = {group.title: group for group in report.trials()}
    return [{row.label: row for row in groups[name].rows} if name in groups else {} for name in trials]


def _point(row: Row | None) -> Point | None:
    return Point(row.rate, row.low, row.high, row.n) if row else None


def _note(panel: Panel, marks: Sequence[str], words: Words) -> str:
    """Summarise the mark from which each series of a panel often succeeded."""
    told = ((series.name, _often(series, marks)) for series in panel.series)
    parts = (words["odds-from" if mark else "odds-never"].format(what=name, mark=mark) for name, mark in told)
    return f"{panel.title}: {', '.join(parts)}"


def _often(series: Series, marks: Sequence[str]) -> str:
    """Return the first mark from which it always succeeded at least half the time; "" if it failed to at the last."""
    found = ""
    for number in reversed(range(len(marks))):
        share = series.middle(number)
        if share is None or share < 0.5:
            break
        found = marks[number]
    return found


def _number(mark: Any) -> int:
    return int(mark)


def chart_page(chart: str) -> str:
    return f"odds/{chart}.md"
