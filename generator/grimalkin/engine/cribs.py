"""Small quick-reference tables of the numbers that an engine uses, such as costs and ranks.

A game module may offer `CRIBS`: functions, by name, that make a Crib from the game's facts. It is optional: what is
printed on pieces is shown without an engine, and few games have other tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from grimalkin.engine.contract import Checks, Facts


class CribRow(NamedTuple):
    """A row of a table: its name, its cells, and the ids of their rules."""

    name: str
    cells: tuple[str, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Crib:
    """A table. `of` is the header above its row names, and `heads` are the headers above its cells."""

    of: str
    heads: tuple[str, ...]
    rows: tuple[CribRow, ...]


Cribs = Mapping[str, Callable[[Facts], Crib]]


def cribs_of(module: Checks) -> Cribs:
    """Return the tables that a game module can make, by name; none if it has no CRIBS."""
    cribs: Cribs = getattr(module, "CRIBS", {})
    return cribs
