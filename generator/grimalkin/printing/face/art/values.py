"""Turn values in SVG and CSS notation into plain values: lengths, colours, paints, transforms, references.

An unreadable value is None. Lengths become user units: CSS px, 96 to the inch.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from grimalkin.printing.face.art.faults import Unreadable
from grimalkin.printing.face.svg.paths import (
    IDENTITY,
    MOST_LENGTH,
    TRANSFORMS,
    Matrix,
    Numbers,
    number_of,
    numbers_of,
    times,
)

UNITS = {
    "": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6,
}  # fmt: skip
"""In px."""
MM = 25.4 / 96
"""The size of a CSS px in millimetres."""
MOST = 1e12
"""The largest number that is written."""
_LENGTH = re.compile(r"([-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?)([A-Za-z]*+|%)")
_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_URL = re.compile(r"""url\(\s*+(?:"([^"]*+)"|'([^']*+)'|([^"'()\s]*+))\s*+\)\s*+(.*)""", re.S)
_CALL = re.compile(r"[\s,]*([A-Za-z]\w*)\s*\(([^()]*)\)")
_LONG = re.compile(r"(\.\d{12})\d+")
_TURNS = {"deg": 1.0, "rad": 180 / math.pi, "grad": 0.9, "turn": 360.0}


def plain(value: float) -> str:
    """Return a number with seven significant digits, and never an exponent, which PDF does not allow.

    Raise Unreadable if it is larger than any paper.

    >>> plain(0.1 + 0.2), plain(1e-9), plain(-1234.56789), plain(2.0)
    ('0.3', '0.000000001', '-1234.568', '2')
    """
    size = abs(value)
    if not size < MOST:
        raise Unreadable(0, "its numbers are larger than any paper", "draw it at another scale")
    digits = 6 if size == 0 else min(max(6 - math.floor(math.log10(size)), 0), 12)
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def plain_matrix(matrix: Matrix) -> str:
    return f"matrix({' '.join(map(plain, matrix))})"


@lru_cache(maxsize=8192)
def length(text: str, em: float = 16.0) -> str | None:
    """Return a length in px, or a percentage unchanged.

    >>> length("1in"), length("2em", 10), length("50 %"), length("50%"), length("3 px"), length("1e9")
    ('96', '20', None, '50%', None, None)
    """
    found = _LENGTH.fullmatch(_LONG.sub(r"\1", text.strip()))
    value = number_of(found[1].rstrip(".")) if found else None
    if found is None or value is None:
        return None
    unit = found[2].lower()
    if unit == "%":
        return f"{plain(value)}%"
    factor = em if unit == "em" else UNITS.get(unit, 0.0)
    return plain(value * factor) if factor and abs(value * factor) <= MOST_LENGTH else None


def px(value: str, whole: float) -> float:
    """Return a length, as read by `length`, as a number; `whole` is 100 %."""
    return float(value[:-1]) * whole / 100 if value.endswith("%") else float(value)


@lru_cache(maxsize=1024)
def share(text: str, em: float = 0.0) -> str | None:
    """Read an opacity from 0 to 1, which may be written as a percentage.

    >>> share("35%"), share("7"), share("-1"), share(".5"), share("x")
    ('0.35', '1', '0', '0.5', None)
    """
    found = _LENGTH.fullmatch(text.strip())
    if found is None or found[2] not in ("", "%"):
        return None
    return plain(min(max(float(found[1]) / (100 if found[2] else 1), 0.0), 1.0))


@lru_cache(maxsize=2048)
def colour(text: str, em: float = 0.0) -> str | None:
    """Return a colour as #rrggbb, as #rrggbbaa if it is translucent, or "currentcolor".

    >>> colour("#f00 icc-color(inks, 0, 1, 1, 0)")
    '#ff0000'
    >>> colour("#F43"), colour("rgb(100%, 50%, 0%)"), colour("hsla(120, 100%, 50%, .5)"), colour("Gold")
    ('#ff4433', '#ff8000', '#00ff0080', '#ffd700')
    """
    text = text.strip().lower()
    if "icc-color(" in text:  # a printing colour, after the one for devices without a profile (SVG 1.1, 11.2)
        text = text.partition("icc-color(")[0].strip()
    if _HEX.fullmatch(text):
        text = text if len(text) > 5 else "#" + "".join(sign * 2 for sign in text[1:])
        return text[:7] if text.endswith("ff") else text
    if text == "currentcolor":
        return text
    from tinycss2.color4 import parse_color  # rarely needed, and a slow import

    found = parse_color(text)
    if found is None or isinstance(found, str):
        return None
    if found.space == "display-p3":
        parts = _from_p3(*found.coordinates)
    elif found.space in ("srgb", "hsl", "hwb"):
        parts = tuple(found.to("srgb"))[:3]
    else:
        return None
    return colour("#" + "".join(f"{_byte(part):02x}" for part in (*parts, found.alpha)))


def _byte(part: float | None) -> int:
    return math.floor(min(max(part or 0.0, 0.0), 1.0) * 255 + 0.5)


def _from_p3(*parts: float | None) -> tuple[float, ...]:
    """Return the sRGB colour closest to a Display P3 colour. https://www.w3.org/TR/css-color-4/#color-conversion-code"""
    r, g, b = (((part + 0.055) / 1.055) ** 2.4 if (part := one or 0.0) > 0.04045 else part / 12.92 for one in parts)
    linear = (
        1.2249402 * r - 0.2249402 * g,
        -0.0420570 * r + 1.0420570 * g,
        -0.0196376 * r - 0.0786361 * g + 1.0982735 * b,
    )
    return tuple(1.055 * part ** (1 / 2.4) - 0.055 if part > 0.0031308 else 12.92 * part for part in linear)


Paint = tuple[str, float]
"""A paint as written, and its opacity from 0 to 1."""


def flat(value: str, current: str) -> Paint:
    """Return a colour, or "none", with `current` for currentColor; black if that is unknown.

    >>> flat("#ff000033", ""), flat("currentcolor", "currentcolor")
    (('#ff0000', 0.2), ('#000000', 1.0))
    """
    if value == "currentcolor":
        value = "#000000" if current == "currentcolor" else current
    return (value[:7], int(value[7:], 16) / 255) if len(value) == 9 and value[0] == "#" else (value, 1.0)


class Link(NamedTuple):
    """The target of url(…), and the fallback that follows it."""

    target: str
    """ "#" and the id, or the name of another file."""
    rest: str

    @property
    def id(self) -> str | None:
        return self.target[1:] if self.target.startswith("#") else None


@lru_cache(maxsize=1024)
def link(text: str) -> Link | None:
    """Read a reference.

    >>> link("url('#a') red"), link("none")
    (Link(target='#a', rest='red'), None)
    """
    found = _URL.fullmatch(text.strip())
    return Link((found[1] or found[2] or found[3] or "").strip(), found[4].strip()) if found else None


@lru_cache(maxsize=1024)
def paint(text: str, em: float = 0.0) -> str | None:
    """Read a paint: a colour, "none", "context-fill", "context-stroke", or a reference with its fallback."""
    text = text.strip()
    if text.lower() in ("none", "context-fill", "context-stroke"):
        return text.lower()
    found = link(text)
    if found is None:
        return colour(text)
    rest = "none" if found.rest.lower() == "none" else colour(found.rest) if found.rest else ""
    return None if rest is None else f"url({found.target}) {rest}".strip()


@lru_cache(maxsize=1024)
def dashes(text: str, em: float = 16.0) -> str | None:
    """Read the lengths of dashes and gaps in px and percentages, or "none"."""
    parts = re.split(r"[\s,]+", text.strip())
    if parts in (["none"], [""]):
        return "none"
    found = [length(part, em) for part in parts if part]
    if any(one is None or one.startswith("-") for one in found):
        return None
    return " ".join(filter(None, found))


def numbers(text: str) -> Numbers | None:
    """Read a list of numbers; some programs write forty digits."""
    return numbers_of(_LONG.sub(r"\1", text))


@lru_cache(maxsize=4096)
def matrix(transform: str, em: float = 16.0) -> Matrix | None:
    """Return SVG or CSS transforms as one matrix; None if they are unreadable or three-dimensional.

    >>> matrix("translate(1px, 2) scale(2)"), matrix("rotate(0.25turn)skewX(0)")[1]
    ((2.0, 0.0, 0.0, 2.0, 1.0, 2.0), 1.0)
    """
    m, at, transform = IDENTITY, 0, transform.strip()
    while at < len(transform):
        found = _CALL.match(transform, at)
        counts, step = _STEPS.get(found[1].lower(), ((), None)) if found else ((), None)
        parts = numbers(found[2]) or [_measure(part, em) for part in re.split(r"[\s,]+", found[2])] if found else []
        if found is None or step is None or len(parts) not in counts or None in parts:
            return None
        m, at = times(m, step(*parts)), found.end()
        if not all(abs(one) < MOST for one in m):
            return None
    return m


def _measure(part: str, em: float) -> float | None:
    """Read a number with a unit: a length in px, or an angle in degrees."""
    found = _LENGTH.fullmatch(part)
    if found and found[2].lower() in _TURNS:
        return (number_of(found[1]) or 0.0) * _TURNS[found[2].lower()]
    px_or_part = length(part, em)
    return None if px_or_part is None or px_or_part.endswith("%") else float(px_or_part)


def _skew(x: float, y: float = 0.0) -> Matrix:
    return (1.0, math.tan(math.radians(y)), math.tan(math.radians(x)), 1.0, 0.0, 0.0)


_STEPS: dict[str, tuple[tuple[int, ...], Callable[..., Matrix]]] = {
    **TRANSFORMS,
    "translatex": ((1,), lambda x: (1.0, 0.0, 0.0, 1.0, x, 0.0)),
    "translatey": ((1,), lambda y: (1.0, 0.0, 0.0, 1.0, 0.0, y)),
    "scalex": ((1,), lambda x: (x, 0.0, 0.0, 1.0, 0.0, 0.0)),
    "scaley": ((1,), lambda y: (1.0, 0.0, 0.0, y, 0.0, 0.0)),
    "skew": ((1, 2), _skew),
    "skewx": ((1,), _skew),
    "skewy": ((1,), lambda y: _skew(0.0, y)),
}
"""The numbers of arguments that each transform allows."""
