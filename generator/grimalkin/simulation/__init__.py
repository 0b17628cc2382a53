"""Simulations: bots play a game many times. Deals and bots in; a Report of exact totals, with intervals, out.

Games are played on any standard `Executor`. Only the standard library is used, except in `cluster`, which needs
dask.distributed.
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
