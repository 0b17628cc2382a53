"""What a chart shows: shares over marks, in panels that have their axes in common. Titles and drawing are the page's.

A game module may offer `CHARTS`: by name a function that makes a chart of the game's facts. It is not asked for by the
contract, since few games have anything that can be counted out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from grimalkin.engine.contract import Facts, GameModule


@dataclass(frozen=True, slots=True)
class Point:
    """A share from 0 to 1. One that was measured has its interval, and how many tries it is of."""

    share: float
    low: float | None = None
    high: float | None = None
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Series:
    """Shares of one kind: by part, as in a suit, one for each mark; None where there is none.

    A series that is not drawn stands in the table alone.
    """

    name: str
    parts: Mapping[str, tuple[Point | None, ...]]
    drawn: bool = True

    def at(self, mark: int) -> list[Point]:
        """The shares of all parts at the mark of that number."""
        return [point for points in self.parts.values() if (point := points[mark])]

    def middle(self, mark: int) -> float | None:
        """All parts together: every try counts the same; shares that were not measured do so, too."""
        points = self.at(mark)
        tries = sum(point.tries or 1 for point in points)
        return sum(point.share * (point.tries or 1) for point in points) / tries if points else None


@dataclass(frozen=True, slots=True)
class Panel:
    """Series that are compared with each other. Every panel of a chart has the same, in the same order."""

    title: str
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Panels over the same marks. `across` says what the marks are.

    `lesson` and `notes` are what it teaches: half a sentence, and what follows for each panel.
    """

    across: str
    marks: tuple[str, ...]
    panels: tuple[Panel, ...]
    lesson: str = ""
    notes: tuple[str, ...] = ()


Charts = Mapping[str, Callable[[Facts], Chart]]


def charts_of(module: GameModule) -> Charts:
    """The charts that a game module can make, by their names; none when it has no CHARTS."""
    charts: Charts = getattr(module, "CHARTS", {})
    return charts
