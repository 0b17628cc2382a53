"""Report everything named in an entry of charts.yaml that does not exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grimalkin.content.checked import Misfit
from grimalkin.content.inquiries import Chart
from grimalkin.content.models import Component, GameFile, value_of
from grimalkin.content.simulations import Recorded
from grimalkin.engine.charts import charts_of
from grimalkin.engine.contract import GameModule
from grimalkin.problems import did_you_mean


def misfits(
    chart: Chart,
    info: GameFile,
    module: GameModule | None,
    recorded: Sequence[Recorded],
    decks: Mapping[str, str],
    pieces: Mapping[str, Component],
) -> Iterator[Misfit]:
    """Yield the faults of a chart: the place in its entry, what is wrong, and what would be right.

    `decks` gives the deck of each component by its id; `pieces` are the components themselves.
    """
    if chart.chart:
        charts = charts_of(module) if module else {}
        if chart.chart not in charts:
            hint = did_you_mean(chart.chart, charts) if charts else "it has no charts"
            yield ("chart",), f'the engine has no chart "{chart.chart}"', hint
        return
    by_id = {one.simulation.id: one for one in recorded}
    columns = {deck.id: set(deck.columns) for deck in info.decks}
    for index, name in enumerate(chart.simulations):
        if name not in by_id:
            yield ("simulations", index), f'there is no simulation "{name}"', did_you_mean(name, by_id)
    for report in (by_id[name].report for name in chart.simulations if name in by_id):
        tried = {group.title: group for group in report.trials()} if report else {}
        for index, name in enumerate(chart.trials if report else ()):
            if name not in tried:
                yield ("trials", index), f'these simulations have no trial "{name}"', did_you_mean(name, tried)
                continue
            labels = [row.label for row in tried[name].rows]
            wrong = [id_ for id_ in labels if not {chart.across, chart.by} <= columns.get(decks.get(id_, ""), set())]
            if wrong:
                what = f'"{wrong[0]}", tried under "{name}", is not a component with those two columns'
                yield ("trials", index), what, f"it needs {chart.across} and {chart.by}"
                continue
            for what, hint in _alike(chart, [pieces[id_] for id_ in labels]):
                yield ("trials", index), what, hint
    known = {name for names in columns.values() for name in names}
    for key, column in (("across", chart.across), ("by", chart.by)):
        if column not in known:
            yield (key,), f'no deck has a column "{column}"', did_you_mean(str(column), known)


def _alike(chart: Chart, tried: Sequence[Component]) -> Iterator[tuple[str, str]]:
    """Yield components that have no place of their own on a chart: what is wrong, and what would be right."""
    across, by = str(chart.across), str(chart.by)
    at: dict[tuple[object, object], str] = {}
    for row in tried:
        place = value_of(row, across), value_of(row, by)
        if None in place:
            empty = across if place[0] is None else by
            yield f'"{row.id}" was tried, but its {empty} is empty', "choose columns that all of them fill"
        elif place in at:
            same = f'"{at[place]}" and "{row.id}" have the same {across} and {by}'
            yield same, "choose columns that distinguish them"
        at.setdefault(place, row.id)
