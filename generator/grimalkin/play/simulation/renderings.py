"""A Report in; text and plots for people, or CSV and JSON for programs, out.

A plot of a Group or Differences is an SVG: a dot for each rate, a bar for its interval, a dashed line for the fair
share. Its text stays text, and everything takes the colour of the text around it, so that it suits a light page, a dark
page and paper. Its lengths are pixels.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from html import escape
from math import ceil, floor
from textwrap import wrap
from types import MappingProxyType
from typing import Any

from grimalkin.play.simulation.report import Differences, Group, Number, Report, Row, percent
from grimalkin.play.simulation.run import rotations
from grimalkin.problems.plain import cell, columns, flow, plural

FEW = 12
"""The most rules in the short table, those whose events best separate winners from losers; and the most trials."""


def text(report: Report, title: str, every: bool = False, laws: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return tables to read. With `every`, list all rules that made something happen, not only those that matter most,
    and trials with many words.

    `laws` are the titles of rules by their ids.
    """
    lines = [f"{title}: {counted(report)}"]
    if options := report.options():
        lines += ["", *_table([options.title, "95 % interval", "of seats"], options.rows)]
    for differences in report.differences():
        lines += ["", *_table([differences.heading, "95 % interval", "deals"], differences.rows, differences.say)]
    lines += ["", f'Everything below is for "{report.each[0]}".'] if report.each else []
    for group in report.groups():
        lines += ["", *_table([group.title, "95 % interval", "of seats"], group.rows)]
    for group in report.ends():
        lines += ["", *_table([group.title, "95 % interval", "games"], group.rows)]
    for group in report.trials():
        title = group.title[:1].upper() + group.title[1:]
        if every or len(group.rows) <= FEW:
            lines += ["", *_table([title, "95 % interval", "tried"], group.rows)]
        else:
            lines += ["", f"{title}: {len(group.rows)} rows; --all lists every one."]
    lines += ["", *columns([_NUMBERS, *map(_number, report.numbers())])]
    lines += ["", *_rules(report, every, laws)]
    return "\n".join(lines) + "\n"


def counted(report: Report) -> str:
    """Return how many games were played, and how.

    >>> from grimalkin.play.simulation.totals import Totals
    >>> counted(Report(("a", "b"), Totals(200, 100)))
    '200 games, 100 deals with 2 rotations of the bots'
    >>> counted(Report(("a", "a"), Totals(200, 200), each=("claws", "no claws")))
    '200 games with each of 2 options'
    """
    turns = rotations(report.bots, report.rotate)
    games, deals = plural(report.games, "game"), plural(report.deals, "deal")
    games += f" with each of {len(report.each)} options" if report.each else ""
    return games if turns == 1 else f"{games}, {deals} with {turns} rotations of the bots"


_NUMBERS = ["Numbers", "mean", "least", "quarter", "median", "three quarters", "most"]


def _number(one: Number) -> list[str]:
    places = (one.least, one.quarter, one.median, one.three_quarters, one.most)
    return [f"  {one.label}", f"{one.mean:.1f}", *map(str, places)]


def _table(head: Sequence[str], rows: Sequence[Row], say: Callable[[float], str] = percent) -> list[str]:
    title, between, n = head
    cells = [[f"  {row.label}", say(row.rate), f"{say(row.low)} to {say(row.high)}", f"{row.n:,}"] for row in rows]
    return columns([[title, "", between, n], *cells])


def _rules(report: Report, every: bool, laws: Mapping[str, str]) -> list[str]:
    """Return the table of rules that fired, with the win rates of seats in whose turns they did and did not."""
    fired = [one for one in report.rules() if one.times]
    shown = fired
    if not every:
        # Intervals that do not overlap are worth a look; the farther apart, the more.
        apart = {
            one.rule: max(one.with_.low - one.without.high, one.without.low - one.with_.high)
            for one in fired
            if one.with_ and one.without
        }
        shown = sorted((one for one in fired if apart.get(one.rule, 0) > 0), key=lambda one: -apart[one.rule])[:FEW]
    if not shown:
        return [_more(len(fired), "")]
    title = "Rules" if every else "Rules that tell winners from losers"
    rows = [[title, "in games", "times a game", "wins with", "wins without"]]
    for one in shown:
        wins = [percent(row.rate) if row else "" for row in (one.with_, one.without)]
        label = f"  {one.rule} {laws.get(one.rule, '')}".rstrip()
        rows.append([label, percent(one.games.rate), f"{one.times / report.games:.1f}", *wins])
    left = len(fired) - len(shown)
    return columns(rows) + ([_more(left, "more ")] if left else [])


def _more(count: int, more: str) -> str:
    return f"{plural(count, f'{more}rule')} made something happen; --all lists every one."


def results(report: Report) -> dict[str, Any]:
    """Return all results as plain JSON, with the exact totals that they come from."""
    rules = [
        {
            "rule": one.rule,
            "times": one.times,
            "games": asdict(one.games),
            "with": one.with_ and asdict(one.with_),
            "without": one.without and asdict(one.without),
        }
        for one in report.rules()
    ]
    options = report.options()
    compared = {"options": asdict(options), "differences": list(map(asdict, report.differences()))} if options else {}
    return {
        "players": report.players,
        "games": report.games,
        "deals": report.deals,
        **compared,
        "win-rates": [asdict(group) for group in report.groups()],
        "shares-of-games": [asdict(group) for group in report.ends()],
        "trials": [asdict(group) for group in report.trials()],
        "numbers": [asdict(number) for number in report.numbers()],
        "rules": rules,
        **report.record(),
    }


def as_json(report: Report, settings: dict[str, Any]) -> str:
    """Return the settings and all results as JSON."""
    return json.dumps({"settings": settings, **results(report)}, indent=1, ensure_ascii=False) + "\n"


def as_csv(report: Report, settings: Mapping[str, Any] = MappingProxyType({})) -> str:
    """Return a single table of all rates and numbers; cells that do not apply to a row are empty.

    The last columns are the settings, the same in every row, so that tables can be joined.
    """
    groups = [group for group in (report.options(), *report.groups(), *report.ends(), *report.trials()) if group]
    rates: list[tuple[str, Row, dict[str, int]]] = [(group.title, row, {}) for group in groups for row in group.rows]
    rates += [(one.heading, row, {}) for one in report.differences() for row in one.rows]
    for one in report.rules():
        rates.append(("Share of games by rule", one.games, {"times": one.times}))
        rates += [("Win rate with rule", one.with_, {})] if one.with_ else []
        rates += [("Win rate without rule", one.without, {})] if one.without else []
    lines = [{"table": table, **asdict(row), **more} for table, row, more in rates]
    lines += [{"table": "Numbers", **asdict(number)} for number in report.numbers()]
    out = io.StringIO()
    columns = ["table", *Row.__dataclass_fields__, *Number.__dataclass_fields__, "times"]
    writer = csv.DictWriter(out, list(dict.fromkeys([*columns, *settings])), lineterminator="\n")
    writer.writeheader()
    said = {key: _said(value) for key, value in settings.items()}
    writer.writerows({key: cell(value) for key, value in (line | said).items()} for line in lines)
    return out.getvalue()


def _said(value: Any) -> str:
    """Return a setting as written on the command line."""
    if isinstance(value, Mapping):
        return " ".join(f"{key}={flow(one)}" for key, one in value.items())
    if not isinstance(value, list):
        return str(value)
    return ",".join(one if isinstance(one, str) else f"{one[0]}={flow(one[1])}" for one in value)


def title_of(game: str, bots: Sequence[str], options: Mapping[str, Any], seed: int) -> str:
    """Return a title for the simulation: the game's title, a bot for each seat, and everything unusual.

    >>> title_of("Chess", ["a", "a"], {}, 0)
    'Chess, 2 players (a)'
    >>> title_of("Chess", ["b", "a", "b"], {"rounds": 3, "chess": "no"}, 7)
    'Chess, 3 players (b, a, b), rounds=3, chess=no, seed 7'
    """
    players = plural(len(bots), "player")
    parts = [game, f"{players} ({', '.join(bots if len(set(bots)) > 1 else bots[:1])})"]
    parts += [f"{key}={flow(value)}" for key, value in options.items()]
    return ", ".join(parts + [f"seed {seed}"] * bool(seed))


# Plots

WIDTH = 360
"""Narrow enough for a phone."""
EDGE = 12
LINE = 18
ROW = 40
LETTERS = 44
"""The most letters in a line of the title: at this size, a letter is at most 7.5 wide on average."""
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
