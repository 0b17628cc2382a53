"""Component and face template in, Face out: one resolved SVG document in millimetres, every text already fitted.

Nouns: a *template* is SVG with Jinja in it; a *text box* is an element added to plain SVG, and so is a *field*, where a
form is filled in on screen; a *Face* is what is left when all is resolved, so that drawing has no decisions to make.
"""

from grimalkin.face.compose import Composer, Face, Inks, Printed
from grimalkin.face.export import standalone_svg
from grimalkin.face.resolve import Layer

__all__ = ["Composer", "Face", "Inks", "Layer", "Printed", "standalone_svg"]
