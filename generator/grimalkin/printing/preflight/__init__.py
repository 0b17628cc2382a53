"""Find print problems in a game, measured on its faces and its finished sheets.

A *check* examines one thing; a *specimen* is a face with everything that checks need; a *finding* names the face, the
place to change, the measurement and the remedy; a *fault* is all findings that one change would mend. `findings` lists
all checks, `inspection` runs them.
"""

from grimalkin.printing.preflight.findings import CHECKS, Fault, Finding, faults

__all__ = ["CHECKS", "Fault", "Finding", "faults"]
