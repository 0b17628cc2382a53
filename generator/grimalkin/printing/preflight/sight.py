"""See faces as people do: pictures rendered by PDFium, and colours in four kinds of vision.

Pictures show a face with its bleed, complete or without text and icons; colours have luminance and contrast (WCAG), and
a place in CIE Lab. The simulations are those of Machado, Oliveira and Fernandes, "A Physiologically-based Model for
Simulation of Color Vision Deficiency" (2009), at severity 1.0, applied to linear RGB; greyscale keeps the luminance, as
a printer does.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any

import pypdfium2
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from grimalkin.content.stocks import Stock
from grimalkin.printing.draw.pdf import faces_pdf
from grimalkin.printing.face import Face
from grimalkin.printing.face.svg.colours import LUMINANCE, Colour, linear
from grimalkin.printing.face.svg.xml import Element
from grimalkin.printing.preflight.contours import Painted

Rows = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]

WAYS: dict[str, Rows] = {
    "in greyscale": (LUMINANCE, LUMINANCE, LUMINANCE),
    "without red cones (protan)": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "without green cones (deutan)": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "without blue cones (tritan)": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Kinds of vision, as matrices on linear RGB."""

DPI = 150
"""The resolution of pictures from which colours are read: a pixel is 0.17 mm, half the stem of a 7 pt letter."""
PIXELS = DPI / 25.4
WIDTH = 64
"""Pixels across a face at a glance: about one per millimetre of a poker card, as seen at arm's length."""
BLUR = 0.7


def lab(red: float, green: float, blue: float) -> tuple[float, float, float]:
    """Convert linear RGB to CIE L*a*b* under daylight (D65)."""
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def seen(picture: Image.Image, way: str) -> Image.Image:
    """Return a picture as seen in one of `WAYS`; its bands are L*, a* and b* in steps of 100/255, 1 and 1."""
    return picture.filter(_table(way))


@cache
def _table(way: str) -> ImageFilter.Color3DLUT:
    rows = WAYS[way]

    def look(red: float, green: float, blue: float) -> tuple[float, float, float]:
        light = (linear(red), linear(green), linear(blue))
        simulated = (max(0.0, min(1.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in rows)
        lightness, a, b = lab(*simulated)
        return lightness / 100, (a + 128) / 255, (b + 128) / 255

    return ImageFilter.Color3DLUT.generate(17, look)


def difference(one: Colour, other: Colour) -> float:
    """Return CIE delta E (1976) of two pixels of `seen` pictures; 2.3 is just noticeable."""
    return math.hypot((one[0] - other[0]) / 2.55, one[1] - other[1], one[2] - other[2])


def most_different(one: Image.Image, other: Image.Image, share: float) -> float:
    """Return the mean delta E of the most different `share` of two `seen` pictures of the same size."""
    room = max(1, round(one.width * one.height * share))
    wanted = room
    total = 0.0
    colours: Any = ImageChops.difference(one, other).getcolors(one.width * one.height)
    steps = [(difference(bands, (0, 0, 0)), count) for count, bands in colours]
    for step, count in sorted(steps, reverse=True):
        taken = min(count, wanted)
        total += step * taken
        wanted -= taken
        if not wanted:
            break
    return total / room


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
