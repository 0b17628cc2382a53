"""Lay out pieces of any stocks on a paper as Sheets, and draw them to a PDF.

A *sheet* is one side of a leaf: slots with faces, marks outside their trim, and a label that identifies the
sheet and explains how to print it. Fronts and backs meet by construction.
"""

from grimalkin.printing.sheet.document import sheet_pdf
from grimalkin.printing.sheet.impose import impose
from grimalkin.printing.sheet.pieces import FacesOf, Piece, Sheet, Slot, all_faces, faces_among, faces_by, pieces_of
from grimalkin.printing.sheet.settings import Edition, Printer, Settings

__all__ = [
    "Edition",
    "FacesOf",
    "Piece",
    "Printer",
    "Settings",
    "Sheet",
    "Slot",
    "all_faces",
    "faces_among",
    "faces_by",
    "impose",
    "pieces_of",
    "sheet_pdf",
]
