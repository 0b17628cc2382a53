"""The pages of simulations: all in short on one, and each with everything that was counted."""

from __future__ import annotations

from grimalkin.parts.odds.charts import charted
from grimalkin.parts.simulations.content import simulations_of
from grimalkin.parts.simulations.results import simulated
from grimalkin.play.simulation import percent
from grimalkin.site.pages.kinds import Menu, listing
from grimalkin.site.pages.links import Words
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.write import Writer

KIND = "simulations"
MENU_BEFORE = OVERVIEW_BEFORE = "terms"


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
    recorded, changes = simulations_of(writer.game)
    views = [view for one in recorded if (view := simulated(one, writer.game.by_id))]
    charts = charted(writer.game, writer.words)
    writer.main(KIND, simulations=views, percent=percent, changes=changes)
    for one in views:
        about = [chart.wish for chart in charts if one.simulation in chart.simulations]
        writer.page(
            _page(one.simulation.id), "simulation", one.simulation.title, one=one, percent=percent, charts=about
        )


def _page(id_: str) -> str:
    return f"simulations/{id_}.md"
