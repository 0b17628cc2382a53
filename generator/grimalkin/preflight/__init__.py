"""A game in, Findings out: print problems, measured on its faces and its finished sheets.

A *check* looks at one thing; a *specimen* is a face with everything that checks need; a *finding* names the face, the
place to change, the measurement, and the remedy; a *fault* is all findings that one change would mend. `findings` names
all checks, `run` runs them.
"""

from grimalkin.preflight.findings import CHECKS, Fault, Finding, faults

__all__ = ["CHECKS", "Fault", "Finding", "faults"]
