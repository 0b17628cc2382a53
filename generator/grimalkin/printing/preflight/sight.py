"""Colours as people see them: luminance and contrast (WCAG), and pictures in CIE Lab in four kinds of vision.

The simulations are those of Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color
Vision Deficiency" (2009), at severity 1.0, applied to linear RGB; greyscale keeps the luminance, as a printer does.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import Any

from PIL import Image, ImageChops, ImageFilter

Colour = tuple[int, int, int]
Rows = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]

_LUMINANCE = (0.2126, 0.7152, 0.0722)
WAYS: dict[str, Rows] = {
    "in greyscale": (_LUMINANCE, _LUMINANCE, _LUMINANCE),
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


@lru_cache(maxsize=65_536)
def contrast(first: Colour, second: Colour) -> float:
    """Return the contrast between two colours, from 1 to 21 (WCAG 2.2, definition of contrast ratio).

    >>> contrast((0, 0, 0), (255, 255, 255))
    21.0
    """
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@lru_cache(maxsize=65_536)
def luminance(colour: Colour) -> float:
    """Return the luminance of a colour, from 0 for black to 1 for white."""
    return sum(part * linear(value / 255) for part, value in zip(_LUMINANCE, colour, strict=True))


def linear(value: float) -> float:
    """Convert a component of sRGB, 0 to 1, to linear light."""
    return float(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)


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
