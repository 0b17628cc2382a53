"""Turn a game's ink into two readable colours: one for light paper and one for night-blue paper."""

from __future__ import annotations

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
    """Return the WCAG contrast ratio, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """Return the brightness of a colour, from 0 to 1. https://www.w3.org/TR/WCAG22/#dfn-relative-luminance"""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in _parts(colour))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def mix(colour: str, other: str, share: float) -> str:
    """Return a colour mixed with a share of another."""
    mixed = (round(a + (b - a) * share) for a, b in zip(_parts(colour), _parts(other), strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def _parts(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
