"""Small tables of the numbers that an engine plays by, for a quick reference: what things cost, how values are ranked.

A game module may offer `CRIBS`: by name a function that makes a Crib of the game's facts. It is not asked for by the
contract: what stands on pieces is shown without an engine, and few games have tables besides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from grimalkin.engine.contract import Checks, Facts


class CribRow(NamedTuple):
    """A row of a table: what it is about, its cells, and the ids of the rules that say so."""

    name: str
    cells: tuple[str, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Crib:
    """A table. `of` is what stands above the names of its rows, and `heads` what stands above the cells."""

    of: str
    heads: tuple[str, ...]
    rows: tuple[CribRow, ...]


Cribs = Mapping[str, Callable[[Facts], Crib]]


def cribs_of(module: Checks) -> Cribs:
    """The tables that a game module can make, by their names; none when it has no CRIBS."""
    cribs: Cribs = getattr(module, "CRIBS", {})
    return cribs
