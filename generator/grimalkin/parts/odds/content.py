"""Read and check charts.yaml: pictures of how likely something is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import Field, model_validator

from grimalkin.content.folder import Folder
from grimalkin.content.game import Game
from grimalkin.content.models import ColumnName, Component, GameFile, value_of
from grimalkin.content.tables.rows import Tables
from grimalkin.content.validation import Misfit
from grimalkin.content.values import Id, Line, Model, SmallFileId, Text, Title
from grimalkin.parts.simulations.content import simulations_of
from grimalkin.problems import did_you_mean

if TYPE_CHECKING:
    from grimalkin.engine.contract import GameModule
    from grimalkin.parts.simulations.questions import Recorded

NAME = "charts"


class Chart(Model):
    """A picture of how likely something is, with all its numbers: computed by the engine, or seen in simulations."""

    id: SmallFileId = Field(description="Small letters, digits and hyphens; the address of the chart on its page.")
    title: Title
    text: Text = Field(description="The question, and what is assumed. The numbers are in the chart.")
    chart: Id | None = Field(None, description="The name of a chart that the game's engine computes.")
    simulations: tuple[Id, ...] = Field(
        (), description="Instead of `chart`: simulations whose trials are shown, one picture for each."
    )
    trials: tuple[Line, ...] = Field((), description="The trials to show, as lines in each picture.")
    across: ColumnName | None = Field(
        None, description="The column of the pieces tried whose values run from left to right."
    )
    by: ColumnName | None = Field(
        None, description="The column that distinguishes pieces with the same value in `across`."
    )
    called: dict[str, Line] = Field({}, description="Other words for some values of `across`: {1: A}.")

    @model_validator(mode="after")
    def one_source(self) -> Chart:
        simulated = (self.simulations, self.trials, self.across, self.by)
        if bool(self.chart) == any(simulated):
            raise ValueError("write either the engine's `chart`, or `simulations` with `trials`")
        if any(simulated) and not all(simulated):
            raise ValueError("a chart of `simulations` needs `trials`, `across` and `by`")
        return self


class ChartsFile(Model):
    """charts.yaml"""

    charts: tuple[Chart, ...] = Field(min_length=1, description="The charts on the odds page, in order.")


FILES = {"charts.yaml": ChartsFile}


def read(folder: Folder, _tables: Tables) -> tuple[Chart, ...]:
    """Return the charts of a game."""
    return folder.listed("charts.yaml", ChartsFile, "charts")


def wished_charts(game: Game) -> tuple[Chart, ...]:
    """Return the charts of a game that was read."""
    found: tuple[Chart, ...] = game.parts.get(NAME, ())
    return found


def check(folder: Folder, game: Game) -> None:
    """Report everything named in charts that does not exist."""
    decks = {row.id: deck for deck, rows in game.components.items() for row in rows}
    for index, chart in enumerate(wished_charts(game)):
        found = misfits(chart, game.info, game.module, simulations_of(game).recorded, decks, game.by_id)
        folder.tell_each("charts.yaml", found, ("charts", index))


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
        from grimalkin.engine.odds import charts_of

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
