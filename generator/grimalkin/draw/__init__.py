"""A Face onto a reportlab canvas, and a Face to PNG. Drawing has no decisions to make: a Face is resolved already."""

from grimalkin.draw.pdf import Drawer, face_pdf
from grimalkin.draw.png import face_png

__all__ = ["Drawer", "face_pdf", "face_png"]
