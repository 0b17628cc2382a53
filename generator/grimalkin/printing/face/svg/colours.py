"""Measure and mix colours, and turn a game's ink into two readable colours: for light and for night-blue paper."""

from __future__ import annotations

from functools import lru_cache

Colour = tuple[int, int, int]
LUMINANCE = (0.2126, 0.7152, 0.0722)
"""The shares of red, green and blue light in the brightness of a colour."""
PAPER = "#f7f1e3"
NIGHT = "#1d1a29"
READABLE = 5.0
"""The contrast for small text, a little above the 4.5 of WCAG AA so that tinted boxes reach it too."""


def readable(colour: str, ground: str) -> str:
    """Return the colour, moved towards ink or moonlight only as far as text on this ground needs.

    >>> readable("#1d1a26", PAPER)
    '#1d1a26'
    >>> contrast(readable("#b9c2cc", PAPER), PAPER) >= READABLE
    True
    """
    towards = "#1d1a26" if luminance(ground) > 0.2 else "#fff8e6"
    for percent in range(0, 101, 4):
        mixed = mix(colour, towards, percent / 100)
        if contrast(mixed, ground) >= READABLE:
            return mixed
    return towards


def contrast(one: str, other: str) -> float:
    """Return the WCAG contrast ratio, from 1 to 21.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    return contrast_of(read_colour(one), read_colour(other))


@lru_cache(maxsize=65_536)
def contrast_of(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours given as numbers (WCAG 2.2, definition of contrast ratio)."""
    light, dark = sorted((luminance_of(one), luminance_of(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    return luminance_of(read_colour(colour))


@lru_cache(maxsize=65_536)
def luminance_of(colour: Colour) -> float:
    """Return the brightness of a colour, from 0 to 1. https://www.w3.org/TR/WCAG22/#dfn-relative-luminance"""
    red, green, blue = (linear(value / 255) for value in colour)
    return LUMINANCE[0] * red + LUMINANCE[1] * green + LUMINANCE[2] * blue


def linear(value: float) -> float:
    """Convert a component of sRGB, 0 to 1, to linear light."""
    return float(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)


def mix(colour: str, other: str, share: float) -> str:
    """Return a colour mixed with a share of another."""
    mixed = (round(a + (b - a) * share) for a, b in zip(read_colour(colour), read_colour(other), strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def read_colour(written: str) -> Colour:
    """Read #rrggbb as three numbers from 0 to 255."""
    return int(written[1:3], 16), int(written[3:5], 16), int(written[5:7], 16)
