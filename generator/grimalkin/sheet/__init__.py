"""Faces, stocks and a paper in, Sheets and their PDF out.

A *sheet* is one side of a leaf: slots at which faces are drawn, marks outside their trim, and a label that says what it
is and how to print it. Fronts and backs meet by construction.
"""

from grimalkin.sheet.document import sheet_pdf
from grimalkin.sheet.impose import Item, Sheet, Slot, impose

__all__ = ["Item", "Sheet", "Slot", "impose", "sheet_pdf"]
