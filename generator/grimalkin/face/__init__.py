"""Component and face template in, Face out: one resolved SVG document in millimetres, every text already fitted.

Nouns: a *template* is SVG with Jinja in it; a *text box* is the one element added to plain SVG; a *Face* is what
is left when both are resolved, so that drawing has no decisions to make.
"""

from grimalkin.face.compose import Composer, Face, Inks
from grimalkin.face.export import standalone_svg

__all__ = ["Composer", "Face", "Inks", "standalone_svg"]
