"""Build the page of an entry of charts.yaml: plots, tables of all numbers, and a summary.

A plot has a line for each series, and a thin bar from its lowest part to its highest. Text stays text, and everything
takes the colour of the surrounding text, to suit a light page, a dark page and paper. Series differ in the stroke of
the line and the shape of the dots. Lengths are pixels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from grimalkin.content import Game
from grimalkin.content.models import Component, value_of
from grimalkin.engine.odds import Chart, Panel, Point, Series, charts_of
from grimalkin.parts.odds.content import Chart as Wish
from grimalkin.parts.odds.content import wished_charts
from grimalkin.parts.simulations.content import simulations_of
from grimalkin.parts.simulations.questions import Recorded, Simulation
from grimalkin.site.pages.links import Words
from grimalkin.site.pages.plan_drawing import rounded

if TYPE_CHECKING:
    from grimalkin.play.simulation import Report, Row

WIDTH = 360
"""Width of a plot, which fits a phone."""
LEFT, RIGHT = 38, 8
LINE = 17
TALL = 150
"""Height of 100 %."""
STEP = 25
"""Percentage points from one grid line to the next."""
STROKES = ("", ' stroke-dasharray="5 4"', ' stroke-dasharray="1.5 3"')


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
    return PanelView(panel.title, panel_svg(chart, panel, name), heads, rows)


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


# Plots


def panel_svg(chart: Chart, panel: Panel, name: str) -> str:
    """Draw the plot of one panel for a page. `name` makes its ids unique there."""
    id_ = "-".join(re.findall(r"[a-z0-9]+", f"{name} {panel.title}".lower()))
    drawn = [series for series in panel.series if series.drawn]
    top = LINE * (1 + len(drawn)) + 8
    bottom = top + TALL
    height = bottom + 2 * LINE + 3
    step = (WIDTH - LEFT - RIGHT) / len(chart.marks)
    xs = [LEFT + step * (number + 0.5) for number in range(len(chart.marks))]

    def y(share: float) -> float:
        return bottom - TALL * share

    parts = [f'<text y="13" font-weight="bold">{escape(panel.title)}</text>']
    grid = "".join(f"M{LEFT} {rounded(y(mark / 100))}H{WIDTH - RIGHT}" for mark in range(0, 101, STEP))
    parts.append(f'<path d="{grid}" stroke="currentColor" stroke-opacity=".25"/>')
    scale = (
        f'<text x="{LEFT - 5}" y="{rounded(y(mark / 100) + 4)}">{mark}{" %" * (mark == 100)}</text>'
        for mark in range(0, 101, STEP)
    )
    parts.append(f'<g font-size="11" text-anchor="end">{"".join(scale)}</g>')
    marks = (
        f'<text x="{rounded(x)}" y="{bottom + LINE - 2}">{escape(mark)}</text>'
        for x, mark in zip(xs, chart.marks, strict=True)
    )
    middle = rounded((LEFT + WIDTH - RIGHT) / 2)
    parts.append(
        f'<g font-size="12" text-anchor="middle">{"".join(marks)}'
        f'<text x="{middle}" y="{height - 4}" font-size="11">{escape(chart.across)}</text></g>'
    )
    for number, series in enumerate(drawn):
        line = LINE * (number + 2) - 4
        key = [(LEFT - 32.0, line - 4.0), (LEFT - 4.0, line - 4.0)]
        parts.append(_line(number, key) + _dots(number, [(LEFT - 18.0, line - 4.0)]))
        parts.append(f'<text x="{LEFT + 4}" y="{line}" font-size="12">{escape(series.name)}</text>')
        parts.append(_plot(number, series, xs, y))
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" '
        f'aria-labelledby="{id_}-t" aria-describedby="{id_}-d" '
        f'font-family="sans-serif" font-size="13" fill="currentColor">'
        f'<title id="{id_}-t">{escape(panel.title)}</title>'
        f'<desc id="{id_}-d">{escape(_described(chart, drawn))}</desc>{"".join(parts)}</svg>'
    )


def _described(chart: Chart, drawn: Sequence[Series]) -> str:
    """Describe the plot for readers who cannot see it, combining all parts of each mark."""
    sentences = []
    for series in drawn:
        shares = ((mark, series.middle(number)) for number, mark in enumerate(chart.marks))
        told = ", ".join(f"{mark}: {100 * share:.0f} %" for mark, share in shares if share is not None)
        sentences.append(f"{series.name}, by {chart.across}: {told}.")
    return " ".join(sentences)


def _plot(number: int, series: Series, xs: Sequence[float], y: Callable[[float], float]) -> str:
    """Draw the bars, the line and the dots of a series."""
    middles = [(x, y(share)) for at, x in enumerate(xs) if (share := series.middle(at)) is not None]
    bars = []
    for at, x in enumerate(xs):
        shares = [point.share for point in series.at(at)]
        if shares and min(shares) < max(shares):
            bars.append(f"M{rounded(x)} {rounded(y(min(shares)))}V{rounded(y(max(shares)))}")
    bar = f'<path d="{"".join(bars)}" stroke="currentColor" stroke-width="3" stroke-opacity=".45"/>' if bars else ""
    return bar + _line(number, middles) + _dots(number, middles)


def _line(number: int, points: Sequence[tuple[float, float]]) -> str:
    path = f"M{rounded(points[0][0])} {rounded(points[0][1])}" if points else ""
    path += "".join(f"L{rounded(x)} {rounded(y)}" for _, (x, y) in pairwise(points))
    stroke = STROKES[number % len(STROKES)]
    return f'<path d="{path}" fill="none" stroke="currentColor" stroke-width="1.5"{stroke}/>'


def _dots(number: int, points: Sequence[tuple[float, float]]) -> str:
    """Draw filled circles for the first series, open squares for the second, filled squares for the third."""
    if number % 3 == 1:
        path = "".join(f"M{rounded(x - 3.5)} {rounded(y - 3.5)}h7v7h-7z" for x, y in points)
        return f'<path class="open" d="{path}" fill="none" stroke="currentColor" stroke-width="1.5"/>'
    path = "".join(f"M{rounded(x)} {rounded(y)}h0" for x, y in points)
    cap, width = ("round", 8) if number % 3 == 0 else ("square", 6)
    return f'<path d="{path}" stroke="currentColor" stroke-width="{width}" stroke-linecap="{cap}"/>'
