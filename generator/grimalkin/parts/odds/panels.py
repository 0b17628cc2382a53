"""Draw a panel of a chart as SVG: a line for each series, and a thin bar from its lowest part to its highest.

Text stays text, and everything takes the colour of the surrounding text, to suit a light page, a dark page and paper.
Series differ in the stroke of the line and the shape of the dots. Lengths are pixels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape
from itertools import pairwise

from grimalkin.engine.odds import Chart, Panel, Series
from grimalkin.site.pages.plan_drawing import rounded

WIDTH = 360
"""Width of a plot, which fits a phone."""
LEFT, RIGHT = 38, 8
LINE = 17
TALL = 150
"""Height of 100 %."""
STEP = 25
"""Percentage points from one grid line to the next."""
STROKES = ("", ' stroke-dasharray="5 4"', ' stroke-dasharray="1.5 3"')


def svg(chart: Chart, panel: Panel, name: str) -> str:
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
        f'<desc id="{id_}-d">{escape(_told(chart, drawn))}</desc>{"".join(parts)}</svg>'
    )


def _told(chart: Chart, drawn: Sequence[Series]) -> str:
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
