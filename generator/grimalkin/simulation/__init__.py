"""Bots play a game many times: deals and bots in, a Report of exact totals out, with intervals.

Games are played on any standard `Executor`. Standard library only, but for `cluster`, which needs dask.distributed.
"""

from grimalkin.simulation.deals import Broken, OtherEdition, rotations
from grimalkin.simulation.report import Differences, Fired, Group, Number, Report, Row, percent
from grimalkin.simulation.run import Each, misfits, simulate

__all__ = [
    "Broken",
    "Differences",
    "Each",
    "Fired",
    "Group",
    "Number",
    "OtherEdition",
    "Report",
    "Row",
    "misfits",
    "percent",
    "rotations",
    "simulate",
]
