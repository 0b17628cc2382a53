"""Values as SVG and CSS write them in, plain ones out: lengths, colours, paints, transforms, references.

What cannot be read is None. Lengths become user units: px of CSS, of which an inch has 96.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple

from grimalkin.face.art.remarks import Unreadable
from grimalkin.face.paths import IDENTITY, MOST_LENGTH, Matrix, number_of, numbers_of, times

UNITS = {
    "": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6,
}  # fmt: skip
"""In px."""
MM = 25.4 / 96
"""A px of CSS."""
MOST = 1e12
"""Of a number that is written."""
_LENGTH = re.compile(r"([-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?)([A-Za-z]*+|%)")
_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_URL = re.compile(r"""url\(\s*+(?:"([^"]*+)"|'([^']*+)'|([^"')\s]*+))\s*+\)\s*+(.*)""", re.S)
_CALL = re.compile(r"[\s,]*([A-Za-z]\w*)\s*\(([^()]*)\)")
_TURNS = {"": 1.0, "deg": 1.0, "rad": 180 / math.pi, "grad": 0.9, "turn": 360.0}


def plain(value: float) -> str:
    """A number with seven digits that count, and never an exponent, which PDF does not know.

    Raises Unreadable when it is beyond all paper.

    >>> plain(0.1 + 0.2), plain(1e-9), plain(-1234.56789), plain(2.0)
    ('0.3', '0.000000001', '-1234.568', '2')
    """
    size = abs(value)
    if not size < MOST:
        raise Unreadable(0, "its numbers are beyond all paper", "draw it at another scale")
    digits = 6 if size == 0 else min(max(6 - math.floor(math.log10(size)), 0), 12)
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def plain_matrix(matrix: Matrix) -> str:
    return f"matrix({' '.join(map(plain, matrix))})"


@lru_cache(maxsize=8192)
def length(text: str, em: float = 16.0) -> str | None:
    """A length in px, or a percentage as it stands.

    >>> length("1in"), length("2em", 10), length("50 %"), length("50%"), length("3 px"), length("1e9")
    ('96', '20', None, '50%', None, None)
    """
    found = _LENGTH.fullmatch(text.strip())
    value = number_of(found[1].rstrip(".")) if found else None
    if found is None or value is None:
        return None
    unit = found[2].lower()
    if unit == "%":
        return f"{plain(value)}%"
    factor = em if unit == "em" else UNITS.get(unit, 0.0)
    return plain(value * factor) if factor and abs(value * factor) <= MOST_LENGTH else None


def px(value: str, whole: float) -> float:
    """A length that was read by `length`, of which `whole` is 100 %."""
    return float(value[:-1]) * whole / 100 if value.endswith("%") else float(value)


@lru_cache(maxsize=1024)
def share(text: str, em: float = 0.0) -> str | None:
    """An opacity from 0 to 1, also written as a percentage.

    >>> share("35%"), share("7"), share("-1"), share(".5"), share("x")
    ('0.35', '1', '0', '0.5', None)
    """
    found = _LENGTH.fullmatch(text.strip())
    if found is None or found[2] not in ("", "%"):
        return None
    return plain(min(max(float(found[1]) / (100 if found[2] else 1), 0.0), 1.0))


@lru_cache(maxsize=2048)
def colour(text: str, em: float = 0.0) -> str | None:
    """A colour as #rrggbb, as #rrggbbaa where it lets something through, or "currentcolor".

    >>> colour("#F43"), colour("rgb(100%, 50%, 0%)"), colour("hsla(120, 100%, 50%, .5)"), colour("Gold")
    ('#ff4433', '#ff8000', '#00ff0080', '#ffd700')
    """
    text = text.strip().lower()
    if _HEX.fullmatch(text):
        text = text if len(text) > 5 else "#" + "".join(sign * 2 for sign in text[1:])
        return text[:7] if text.endswith("ff") else text
    if text == "currentcolor":
        return text
    from tinycss2.color4 import parse_color  # most files have no other colours, and the import takes a while

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
    """A colour of wide screens as near as sRGB comes. https://www.w3.org/TR/css-color-4/#color-conversion-code"""
    r, g, b = (((part + 0.055) / 1.055) ** 2.4 if (part := one or 0.0) > 0.04045 else part / 12.92 for one in parts)
    linear = (
        1.2249402 * r - 0.2249402 * g,
        -0.0420570 * r + 1.0420570 * g,
        -0.0196376 * r - 0.0786361 * g + 1.0982735 * b,
    )
    return tuple(1.055 * part ** (1 / 2.4) - 0.055 if part > 0.0031308 else 12.92 * part for part in linear)


Paint = tuple[str, float]
"""A paint as it is written, and how much of what is behind it hides, from 0 to 1."""


def flat(value: str, current: str) -> Paint:
    """A colour, or "none", where currentColor is `current`; black if nobody says what that is.

    >>> flat("#ff000033", ""), flat("currentcolor", "currentcolor")
    (('#ff0000', 0.2), ('#000000', 1.0))
    """
    if value == "currentcolor":
        value = "#000000" if current == "currentcolor" else current
    return (value[:7], int(value[7:], 16) / 255) if len(value) == 9 and value[0] == "#" else (value, 1.0)


class Link(NamedTuple):
    """What url(…) leads to, and what stands behind it."""

    target: str
    """The id; what is of another file keeps its name, and begins with something else than #."""
    rest: str

    @property
    def id(self) -> str | None:
        return self.target[1:] if self.target.startswith("#") else None


@lru_cache(maxsize=1024)
def link(text: str) -> Link | None:
    """A reference.

    >>> link("url('#a') red"), link("none")
    (Link(target='#a', rest='red'), None)
    """
    found = _URL.fullmatch(text.strip())
    return Link((found[1] or found[2] or found[3] or "").strip(), found[4].strip()) if found else None


@lru_cache(maxsize=1024)
def paint(text: str, em: float = 0.0) -> str | None:
    """A paint: a colour, "none", "context-fill", "context-stroke", or a reference with what holds where it is none."""
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
    """Lengths of dashes and gaps in px and percentages, or "none"."""
    parts = re.split(r"[\s,]+", text.strip())
    if parts in (["none"], [""]):
        return "none"
    found = [length(part, em) for part in parts if part]
    if any(one is None or one.startswith("-") for one in found):
        return None
    return " ".join(filter(None, found))


@lru_cache(maxsize=4096)
def matrix(transform: str, em: float = 16.0) -> Matrix | None:
    """A list of transforms of SVG or CSS as one matrix; None when it cannot be read, or is not flat on the page.

    >>> matrix("translate(1px, 2) scale(2)"), matrix("skewX(0)")
    ((2.0, 0.0, 0.0, 2.0, 1.0, 2.0), (1.0, 0.0, 0.0, 1.0, 0.0, 0.0))
    """
    m, at, transform = IDENTITY, 0, transform.strip()
    while at < len(transform):
        found = _CALL.match(transform, at)
        step = _step(found[1].lower(), found[2], em) if found else None
        if found is None or step is None:
            return None
        m, at = times(m, step), found.end()
        if not all(abs(one) <= MOST_LENGTH for one in m):
            return None
    return m


def _step(name: str, inside: str, em: float) -> Matrix | None:
    if name in ("rotate", "skewx", "skewy", "skew"):
        v = [_degrees(part) for part in re.split(r"[\s,]+", inside.strip())] if inside.strip() else []
    elif name in ("translate", "translatex", "translatey"):
        found = [length(part, em) for part in _parts(inside)]
        v = [None if one is None or one.endswith("%") else float(one) for one in found]
    else:
        v = list(numbers_of(inside) or ())
    if not v or None in v or len(v) not in _COUNTS.get(name, ()):
        return None
    n = [one or 0.0 for one in v]
    if name == "matrix":
        return (n[0], n[1], n[2], n[3], n[4], n[5])
    if name == "rotate":
        cos, sin = math.cos(math.radians(n[0])), math.sin(math.radians(n[0]))
        cx, cy = (n[1], n[2]) if len(n) == 3 else (0.0, 0.0)
        return (cos, sin, -sin, cos, cx - cos * cx + sin * cy, cy - sin * cx - cos * cy)
    if name == "translate":
        return (1.0, 0.0, 0.0, 1.0, n[0], n[1] if len(n) > 1 else 0.0)
    if name == "scale":
        return (n[0], 0.0, 0.0, n[-1], 0.0, 0.0)
    one_way: dict[str, Matrix] = {
        "translatex": (1.0, 0.0, 0.0, 1.0, n[0], 0.0),
        "translatey": (1.0, 0.0, 0.0, 1.0, 0.0, n[0]),
        "scalex": (n[0], 0.0, 0.0, 1.0, 0.0, 0.0),
        "scaley": (1.0, 0.0, 0.0, n[0], 0.0, 0.0),
    }
    if name in one_way:
        return one_way[name]
    across = math.tan(math.radians(n[0])) if name != "skewy" else 0.0
    up = math.tan(math.radians(n[-1])) if name == "skewy" or len(n) > 1 else 0.0
    return (1.0, up, across, 1.0, 0.0, 0.0)


_COUNTS = {
    "matrix": (6,), "rotate": (1, 3), "translate": (1, 2), "scale": (1, 2), "skewx": (1,), "skewy": (1,),
    "skew": (1, 2), "translatex": (1,), "translatey": (1,), "scalex": (1,), "scaley": (1,),
}  # fmt: skip


def _parts(inside: str) -> list[str]:
    """The numbers within a transform: without units they may stand as close as SVG allows."""
    close = numbers_of(inside)
    return [plain(one) for one in close] if close else [part for part in re.split(r"[\s,]+", inside) if part]


def _degrees(part: str) -> float | None:
    found = _LENGTH.fullmatch(part)
    factor = _TURNS.get(found[2].lower()) if found else None
    value = number_of(found[1]) if found else None
    return None if factor is None or value is None else value * factor


def inverse(m: Matrix) -> Matrix:
    """What undoes a matrix that is not flat."""
    a, b, c, d, e, f = m
    area = a * d - b * c
    return (d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area)
