"""Turn a component and a face template into a Face: one resolved SVG document in millimetres, every text already
fitted.

Nouns: a *template* is SVG with Jinja in it; a *text box* is an element added to plain SVG, as is a *field* for a form
that people fill in on screen; a *Face* is what remains when everything is resolved, so that drawing has no decisions to
make.
"""

from grimalkin.printing.face.compose import Composer, Printed
from grimalkin.printing.face.layers import Face, Inks, Layer, standalone_svg

__all__ = ["Composer", "Face", "Inks", "Layer", "Printed", "standalone_svg"]
