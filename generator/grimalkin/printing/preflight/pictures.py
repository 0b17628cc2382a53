"""Turn a Face into pictures, rendered by PDFium with its bleed, complete or without text and icons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pypdfium2
from PIL import Image, ImageDraw, ImageFilter

from grimalkin.content.stocks import Stock
from grimalkin.printing.draw.pdf import faces_pdf
from grimalkin.printing.face import Face
from grimalkin.printing.face.xml import Element
from grimalkin.printing.preflight.outlines import Painted

DPI = 150
"""The resolution of pictures from which colours are read: a pixel is 0.17 mm, half the stem of a 7 pt letter."""
PIXELS = DPI / 25.4

WIDTH = 64
"""Pixels across a face at a glance: about one per millimetre of a poker card, as seen at arm's length."""
BLUR = 0.7

Colour = tuple[int, int, int]


def pictures(faces: Sequence[Face]) -> list[Image.Image]:
    """Render faces with their bleed, on white paper."""
    document = pypdfium2.PdfDocument(faces_pdf(faces, bleed=True))
    images = [page.render(scale=DPI / 72).to_pil().convert("RGB") for page in document]
    document.close()
    return images


def without(face: Face, stands_out: Callable[[Element], bool]) -> Face:
    """Return the face without the elements that stand out, to see what is under them."""
    left = []
    for layer in face.layers:
        if stands_out(layer.element):
            continue
        if any(map(stands_out, layer.element.iter("{*}text", "{*}use"))):
            layer = replace(layer, element=deepcopy(layer.element), boxes={})
            for element in [one for one in layer.element.iter("{*}text", "{*}use") if stands_out(one)]:
                parent = element.getparent()
                if parent is not None:
                    parent.remove(element)
        left.append(layer)
    return replace(face, content=tuple(left))


def is_text(element: Element) -> bool:
    return element.tag.endswith("}text")


def is_text_or_icon(element: Element) -> bool:
    """Return whether an element is text, or an icon with a label; an icon without one is an ornament."""
    return is_text(element) or (element.tag.endswith("}use") and element.get("aria-label") is not None)


def scale(picture: Image.Image, stock: Stock) -> tuple[float, float]:
    """Return pixels per millimetre, across and down; a picture has whole pixels, and fills the last of them."""
    return picture.width / (stock.width + 2 * stock.bleed), picture.height / (stock.height + 2 * stock.bleed)


def under(part: Painted, ground: Image.Image, stock: Stock) -> Counter[Colour]:
    """Count the pixels of each colour under a part and within one pixel of it.

    That pixel covers the counters of letters and their edges. Ink outside the picture has no colours under it.
    """
    x0, y0, x1, y1 = _box_around(part, ground, stock)
    if x0 >= x1 or y0 >= y1:
        return Counter()
    across, down = scale(ground, stock)
    mask = Image.new("L", (x1 - x0, y1 - y0), 0)
    pen = ImageDraw.Draw(mask)
    stroke = max(1, round(part.stroke_width * across))
    for contour in part.contours:
        points = [((x + stock.bleed) * across - x0, (y + stock.bleed) * down - y0) for x, y in contour]
        if part.fill != "none" and len(points) > 2:
            pen.polygon(points, fill=255, outline=255)
        if part.stroke != "none" and len(points) > 1:
            pen.line(points, fill=255, width=stroke)
    pixels = ground.crop((x0, y0, x1, y1))
    pixels.putalpha(mask.filter(ImageFilter.MaxFilter(3)))
    colours: Any = pixels.getcolors(pixels.width * pixels.height)
    return Counter({colour[:3]: count for count, colour in colours if colour[3]})


def around(part: Painted, ground: Image.Image, stock: Stock) -> list[Colour]:
    """Return the colours in the box around a part: all those under it, and others."""
    x0, y0, x1, y1 = box = _box_around(part, ground, stock)
    colours: Any = ground.crop(box).getcolors((x1 - x0) * (y1 - y0)) if x0 < x1 and y0 < y1 else []
    return [colour for _, colour in colours]


def _box_around(part: Painted, ground: Image.Image, stock: Stock) -> tuple[int, int, int, int]:
    """Return the box around a part in pixels, with room for its surroundings."""
    across, down = scale(ground, stock)
    left, top, right, foot = (value + stock.bleed for value in part.bounds)
    return (
        max(0, int(left * across) - 2),
        max(0, int(top * down) - 2),
        min(ground.width, int(right * across) + 3),
        min(ground.height, int(foot * down) + 3),
    )


def at_a_glance(picture: Image.Image, stock: Stock) -> Image.Image:
    """Return the trim of a picture, small and slightly blurred."""
    edge = round(stock.bleed * PIXELS)
    trimmed = picture.crop((edge, edge, picture.width - edge, picture.height - edge))
    size = (WIDTH, max(1, round(WIDTH * stock.height / stock.width)))
    return trimmed.resize(size, Image.Resampling.BOX).filter(ImageFilter.GaussianBlur(BLUR))


def read_colour(written: str) -> Colour:
    """Read #rrggbb as three numbers from 0 to 255."""
    return int(written[1:3], 16), int(written[3:5], 16), int(written[5:7], 16)
