"""A game in, Findings out: what would come out wrong when it is printed, measured on its faces and its finished sheets.

A *check* looks at one thing; a *specimen* is a face with what checks ask of it; a *finding* names the face, the place
to change, what was measured, and the remedy. `findings` has the names of all checks, `run` runs them.
"""

from grimalkin.preflight.findings import CHECKS, Finding, told

__all__ = ["CHECKS", "Finding", "told"]
