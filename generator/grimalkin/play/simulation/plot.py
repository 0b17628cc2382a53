"""A Group or Differences in, an SVG out: a dot for each rate, a bar for its interval, a dashed line for the fair share.

Text stays text, and everything takes the colour of the text around it, so that a plot suits a light page, a dark page
and paper. Lengths are pixels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from math import ceil, floor
from textwrap import wrap

from grimalkin.play.simulation.report import Differences, Group, percent

WIDTH = 360
"""Narrow enough for a phone."""
EDGE = 12
LINE = 18
ROW = 40
LETTERS = 44
"""Letters in a line of the title: at this size, a letter is at most 7.5 wide on average."""
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, *(digit * 10**power for power in range(12) for digit in (1, 2, 5)))
"""Distances between marks on the axis, as shares or numbers. The smallest that needs at most six marks is used."""
INK, PAPER, NIGHT = "#1d1a26", "#ffffff", "#14121b"
STYLE = (
    f"<style>svg{{color:{INK};background:{PAPER}}}"
    f"@media screen and (prefers-color-scheme:dark){{svg{{color:#f7f1e3;background:{NIGHT}}}}}</style>"
)


Plotted = Group | Differences


def svg(group: Plotted, name: str = "") -> str:
    """Return the plot of one group, for a page. `name` keeps its ids different from those of other plots there."""
    return _drawing([group], group.heading, name)


def standalone(groups: Sequence[Plotted], title: str) -> str:
    """Return the plots of some groups, one below the other, as a complete file for light and dark backgrounds.

    The title is above them, on as many lines as it needs.
    """
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + _drawing(groups, title, "", STYLE, wrap(title, LETTERS)) + "\n"


def _drawing(groups: Sequence[Plotted], title: str, name: str, style: str = "", shown: Sequence[str] = ()) -> str:
    id_ = "-".join(re.findall(r"[a-z0-9]+", f"{name} {title} plot".lower()))
    top = EDGE * bool(shown)
    parts = []
    for line in shown:
        top += LINE
        parts.append(f'<text x="{EDGE}" y="{top - 5}">{escape(line)}</text>')
    for group in groups:
        inside, height = _plot(group, heading=len(groups) > 1)
        parts.append(f'<g transform="translate(0 {top})">{inside}</g>')
        top += height
    spoken = " ".join(_told(group, titled=len(groups) > 1) for group in groups)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" width="{WIDTH}" height="{top}" '
        f'role="img" aria-labelledby="{id_}-title {id_}-desc" font-family="sans-serif" font-size="13" '
        f'fill="currentColor" stroke="none">'
        f'<title id="{id_}-title">{escape(title)}</title><desc id="{id_}-desc">{escape(spoken)}</desc>'
        f"{style}{''.join(parts)}</svg>"
    )


def _told(group: Plotted, titled: bool) -> str:
    """Describe the plot in words for people who cannot see it."""
    rows = [
        f"{row.label}: {group.say(row.rate)}, interval {group.say(row.low)} to {group.say(row.high)}."
        for row in group.rows
    ]
    fair = [f"The fair share is {percent(group.fair)}."] if isinstance(group, Group) and group.fair is not None else []
    return " ".join([f"{group.heading}."] * titled + rows + fair)


def _plot(group: Plotted, heading: bool) -> tuple[str, int]:
    """Return the shapes of one group, from the upper left corner, and their height."""
    low, high, step = _axis(group)
    parts: list[str] = []

    def x(share: float) -> str:
        return f"{EDGE + (WIDTH - 2 * EDGE) * (share - low) / (high - low):.1f}"

    top = EDGE
    if heading:
        top += LINE
        parts.append(f'<text x="{EDGE}" y="{top - 5}" font-weight="bold">{escape(group.heading)}</text>')
    end = top + ROW * len(group.rows)
    for index in range(round((high - low) / step) + 1):
        share = low + index * step
        parts.append(
            f'<path d="M{x(share)} {end}v5" stroke="currentColor"/>'
            f'<text x="{x(share)}" y="{end + LINE}" font-size="11" text-anchor="{_anchor(share, low, high)}">'
            f"{group.mark(share)}</text>"
        )
    parts.append(f'<path d="M{EDGE} {end}H{WIDTH - EDGE}" stroke="currentColor"/>')
    note = "bars: 95 % intervals"
    if group.line is not None:
        where, meant = group.line
        parts.append(f'<path d="M{x(where)} {top}V{end}" stroke="currentColor" stroke-dasharray="3 3"/>')
        note += f"; dashed: {meant}"
    parts.append(f'<text x="{EDGE}" y="{end + 2 * LINE}" font-size="11">{note}</text>')
    for index, row in enumerate(group.rows):
        middle = top + ROW * index + 27
        parts.append(
            f'<text x="{EDGE}" y="{middle - 10}">{escape(row.label)}</text>'
            f'<text x="{WIDTH - EDGE}" y="{middle - 10}" text-anchor="end">{group.say(row.rate)}</text>'
            f'<path d="M{x(row.low)} {middle}H{x(row.high)}" stroke="currentColor" stroke-width="5" '
            f'stroke-opacity="0.4"/><circle cx="{x(row.rate)}" cy="{middle}" r="4.5"/>'
        )
    return "".join(parts), end + 2 * LINE + EDGE


def _axis(group: Plotted) -> tuple[float, float, float]:
    """Return the least and greatest share on the axis, which has room for every interval and the line, and its step."""
    shares = [end for row in group.rows for end in (row.low, row.high)]
    shares += [] if group.line is None else [group.line[0]]
    for step in STEPS:
        # A rounding error must not add a step.
        first, last = floor(min(shares) / step + 1e-9), ceil(max(shares) / step - 1e-9)
        last = max(last, first + 1)
        if last - first < 6:
            break
    return first * step, last * step, step


def _anchor(share: float, low: float, high: float) -> str:
    """Return the anchor of a label, so that labels at the ends of the axis do not run over the edge."""
    return "start" if share == low else "end" if share > high - 1e-9 else "middle"
