"""Make one picture of faces on a ground: each face turned, cut to its shape, and casting a shadow."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import NamedTuple

import pypdfium2

from grimalkin.printing.draw.packing import MM, colour
from grimalkin.printing.draw.pdf import Drawer, new_canvas
from grimalkin.printing.draw.png import png_of, render
from grimalkin.printing.draw.shapes import path_operators
from grimalkin.printing.face import Face

SHADOW = (-0.6, -0.2, 0.2, 0.6, 1.0, 1.4, 1.8, 2.2)
"""Millimetres by which each layer of a shadow extends beyond the cut; together the layers fade out."""
SHADE = 0.07
"""The opacity of each layer."""
FALL = 1.1
"""Millimetres by which a shadow is offset downwards from its piece."""
MADE = b"Software\0Grimalkin"
"""The note in these pictures (https://www.w3.org/TR/png-3/#11keywords) that allows later ones to replace them."""


class Laid(NamedTuple):
    """A face on a ground."""

    face: Face
    x: float
    """The distance of the face's middle from the left edge of the picture, in millimetres."""
    y: float
    """The distance of the face's middle from the upper edge, in millimetres."""
    turn: float = 0.0
    """Degrees, clockwise."""


def laid_png(
    laid: Sequence[Laid], size: tuple[float, float], pixels: tuple[int, int], ground: str | None, shadow: bool
) -> bytes:
    """Return a picture of faces as PNG; later faces are on top of earlier faces.

    `size` is the width and height in millimetres, which fill `pixels`; `ground` is #rrggbb, or None for transparent.
    """
    document = pypdfium2.PdfDocument(_pdf(laid, size, ground, shadow))
    try:
        image = render(document, 0, pixels, is_clear=ground is None)
    finally:
        document.close()
    return png_of(image, round(pixels[0] / size[0] * 25.4), MADE)


def _pdf(laid: Sequence[Laid], size: tuple[float, float], ground: str | None, shadow: bool) -> bytes:
    width, height = size[0] * MM, size[1] * MM
    buffer = io.BytesIO()
    canvas = new_canvas(buffer, (width, height))
    drawer = Drawer(canvas)
    if ground is not None:
        drawer.emit([f"q {colour(ground)} rg 0 0 {width:.4f} {height:.4f} re f Q"])
    for one in laid:
        if shadow:
            _shade(drawer, one, size[1])
        drawer.emit([f"q {_moved(one, size[1])} {path_operators(one.face.stock.outline())} W n"])
        drawer.draw(one.face, (1, 0, 0, 1, 0, 0))
        drawer.emit(["Q"])
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _shade(drawer: Drawer, one: Laid, height: float) -> None:
    """Draw the shadow of a piece: its outline several times, each larger than the last and almost transparent."""
    fallen = _moved(one._replace(y=one.y + FALL), height)
    veil = drawer.elements.paints.faded("fill", SHADE)
    drawer.xobjects.used.append(veil)
    outlines = (path_operators(one.face.stock.outline(outset)) for outset in SHADOW)
    drawer.emit([f"q {fallen} /{veil} gs 0 g", *(f"{outline} f" for outline in outlines), "Q"])


def _moved(one: Laid, height: float) -> str:
    """Return the operator that maps a face's millimetres to points in a picture of this height in millimetres."""
    stock = one.face.stock
    cos, sin = math.cos(math.radians(one.turn)), math.sin(math.radians(one.turn))
    left = one.x - stock.width / 2 * cos + stock.height / 2 * sin
    top = one.y - stock.width / 2 * sin - stock.height / 2 * cos
    numbers = (cos, -sin, -sin, -cos, left, height - top)
    return " ".join(f"{MM * number:.6f}" for number in numbers) + " cm"
