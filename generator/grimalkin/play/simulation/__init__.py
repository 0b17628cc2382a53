"""Simulations: bots play a game many times. Deals and bots in; a Report of exact totals, with intervals, out.

Games are played on any standard `Executor`. Only the standard library is used, except in `cluster`, which needs
dask.distributed.
"""

from grimalkin.play.simulation.report import Differences, Fired, Group, Number, Report, Row, percent
from grimalkin.play.simulation.run import Broken, Each, OtherEdition, misfits, rotations, simulate

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
