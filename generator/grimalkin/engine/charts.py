"""Charts: shares plotted over marks, in panels that share their axes. Titles and drawing are up to the page.

A game module may offer `CHARTS`: functions, by name, that make a chart from the game's facts. It is optional, since few
games have odds that can be calculated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from grimalkin.engine.contract import Facts, GameModule


@dataclass(frozen=True, slots=True)
class Point:
    """A share from 0 to 1. A measured share has its interval and its number of tries."""

    share: float
    low: float | None = None
    high: float | None = None
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Series:
    """Shares of one kind: for each part, such as a suit, one for each mark, or None.

    A series that is not drawn appears only in the table.
    """

    name: str
    parts: Mapping[str, tuple[Point | None, ...]]
    drawn: bool = True

    def at(self, mark: int) -> list[Point]:
        """Return the shares of all parts at the mark with this index."""
        return [point for points in self.parts.values() if (point := points[mark])]

    def middle(self, mark: int) -> float | None:
        """Return the combined share of all parts: each try has the same weight, and so does each share that was not
        measured."""
        points = self.at(mark)
        tries = sum(point.tries or 1 for point in points)
        return sum(point.share * (point.tries or 1) for point in points) / tries if points else None


@dataclass(frozen=True, slots=True)
class Panel:
    """Series to compare. Every panel of a chart has the same series in the same order."""

    title: str
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Panels over the same marks. `across` names the marks.

    `lesson` and `notes` say what it shows: half a sentence, and a conclusion for each panel.
    """

    across: str
    marks: tuple[str, ...]
    panels: tuple[Panel, ...]
    lesson: str = ""
    notes: tuple[str, ...] = ()


Charts = Mapping[str, Callable[[Facts], Chart]]


def charts_of(module: GameModule) -> Charts:
    """Return the charts that a game module can make, by name; none if it has no CHARTS."""
    charts: Charts = getattr(module, "CHARTS", {})
    return charts
