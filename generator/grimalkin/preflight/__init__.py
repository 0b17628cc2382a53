"""A game in, Findings out: what would come out wrong when it is printed, measured on its faces and its finished sheets.

A *check* looks at one thing; a *specimen* is a face with what checks ask of it; a *finding* names the face, the place
to change, what was measured, and the remedy; a *fault* is all findings that one change would mend. `findings` has the
names of all checks, `run` runs them.
"""

from grimalkin.preflight.findings import CHECKS, Fault, Finding, faults

__all__ = ["CHECKS", "Fault", "Finding", "faults"]
