"""Colours as designers write them: #rrggbb, or inks of a print shop: cmyk(…), gray(…), spot(…) and finish(…).

A colour travels through faces as #rrggbb, which screens show, followed by its inks if it has any:

>>> noted("cmyk(0, 100, 100, 0)"), noted("#B5622D")
('#e40916 cmyk(0 100 100 0)', '#B5622D')
>>> noted("spot(Gold, cmyk(0, 20, 60, 25), 50)")
'#e5d1a8 spot(Gold|0 20 60 25|50)'
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from grimalkin.problems import colour_hint
from grimalkin.problems.plain import plural

FUNCTIONS = ("cmyk", "gray", "spot", "finish")
"""How inks are written. A spot is a colour; a finish is a cut line, varnish or white ink, which only a shop prints."""
STAND_IN: Cmyk = 0.0, 100.0, 0.0, 0.0
"""The inks that stand in for a finish without a colour: cut lines are usually shown in magenta."""
LONGEST_NAME = 63
"""The most characters in the name of a spot: a name in a PDF has at most 127 bytes (ISO 32000-1, annex C)."""
LONGEST = 300
"""The most characters of a colour: a name, eight numbers, and room for spaces."""
PROCESS = ("all", "none", "cyan", "magenta", "yellow", "black")
"""Names that PDF reserves, in lower case (ISO 32000-1, 8.6.6.4)."""
Cmyk = tuple[float, float, float, float]
"""Shares of cyan, magenta, yellow and black ink in per cent."""


class Ink(NamedTuple):
    """The inks of a colour. A spot has a name, a tint in per cent, and inks that stand in for it."""

    kind: Literal["cmyk", "gray", "spot", "finish"]
    cmyk: Cmyk
    name: str = ""
    tint: float = 100.0

    @property
    def total(self) -> float:
        """The process ink that it puts on one place, in per cent."""
        return 0.0 if self.name else sum(self.cmyk)

    @property
    def written(self) -> str:
        """The inks as designers write them.

        >>> ink_of(noted("spot(Gold, gray(25), 50)")).written
        'spot(Gold, cmyk(0, 0, 0, 25), 50)'
        """
        if self.kind == "gray":
            return str(self)
        inks = f"cmyk({', '.join(f'{share:g}' for share in self.cmyk)})"
        tint = f", {self.tint:g}" if self.tint != 100 else ""
        return f"{self.kind}({self.name}, {inks}{tint})" if self.name else inks

    def __str__(self) -> str:
        inks = _row(*self.cmyk)
        if self.kind == "gray":
            return f"gray({_row(self.cmyk[3])})"
        return f"cmyk({inks})" if self.kind == "cmyk" else f"{self.kind}({self.name}|{inks}|{_row(self.tint)})"


@lru_cache(maxsize=1024)
def noted(written: str) -> str:
    """Return a colour as faces hold it. Raise ValueError, with a hint, for anything that is not a colour."""
    text = written.strip()
    if len(text) > LONGEST:
        raise ValueError(f'"{text[:LONGEST_NAME]} …" is not a colour; {colour_hint(text[:LONGEST])}')
    if _HEX.fullmatch(text):
        return text
    shown, inks = (text[:7], text[8:]) if _HEX.fullmatch(text[:7]) and text[7:8] == " " else ("", text)
    if shown and _NOTED.fullmatch(inks):
        ink = _read(inks)
        if max(ink.cmyk) <= 100 >= ink.tint and (not ink.name or _may_be_named(ink.name)):
            return text
    function, _, rest = inks.partition("(")
    if function not in FUNCTIONS or not rest.endswith(")"):
        raise ValueError(f'"{text}" is not a colour; {colour_hint(text)}')
    parts = [part.strip() for part in _COMMAS.split(rest[:-1])]
    ink = _ink(function, parts, inks)
    return f"{shown or shown_as(*ink.cmyk, ink.tint)} {ink}"


def ink_of(colour: str) -> Ink | None:
    """Return the inks of a colour that faces hold; None if it is given only in sRGB.

    >>> ink_of("#e1000f cmyk(0 100 100 0)")
    Ink(kind='cmyk', cmyk=(0.0, 100.0, 100.0, 0.0), name='', tint=100.0)
    """
    return _read(colour[8:]) if len(colour) > 7 else None


@lru_cache(maxsize=1024)
def _read(text: str) -> Ink:
    kind, _, rest = text[:-1].partition("(")
    if kind == "gray":
        return Ink("gray", (0.0, 0.0, 0.0, float(rest)))
    if kind == "cmyk":
        return Ink("cmyk", _four(rest))
    name, inks, tint = rest.split("|")
    return Ink("finish" if kind == "finish" else "spot", _four(inks), name, float(tint))


def _ink(function: str, parts: list[str], text: str) -> Ink:
    """Read the inks of a function with its parts. Raise ValueError."""
    if function == "cmyk":
        if len(parts) != 4:
            raise ValueError(f'"{text}" has {plural(len(parts), "number")}; write four: cmyk(0, 100, 100, 0)')
        c, m, y, k = (_percent(part, text) for part in parts)
        return Ink("cmyk", (c, m, y, k))
    if function == "gray":
        if len(parts) != 1:
            given = plural(len(parts), "number")
            raise ValueError(f'"{text}" has {given}; write one, the black ink in per cent: gray(40)')
        return Ink("gray", (0.0, 0.0, 0.0, _percent(parts[0], text)))
    name, *others = parts
    if not _may_be_named(name):
        example = "spot(Gold, cmyk(0, 20, 60, 25))" if function == "spot" else "finish(Varnish)"
        right = (
            "take another name, since every print has that one"
            if name.lower() in PROCESS
            else "write letters and digits"
        )
        raise ValueError(f'"{name}" cannot be the name of a spot colour; {right}: {example}')
    tint = 100.0
    if others and not others[-1].endswith(")"):
        tint = _percent(others.pop(), text)
    if len(others) > 1 or (function == "spot" and not others):
        raise ValueError(f'"{text}" needs a name and one colour that shows it: spot(Gold, cmyk(0, 20, 60, 25))')
    stand_in: Cmyk = STAND_IN
    if others:
        inner, _, rest = others[0].partition("(")
        if inner not in ("cmyk", "gray"):
            raise ValueError(f'"{others[0]}" is not cmyk(…) or gray(…); a shop needs inks that stand in for a spot')
        stand_in = _ink(inner, [part.strip() for part in rest[:-1].split(",")], others[0]).cmyk
    return Ink("finish" if function == "finish" else "spot", stand_in, name, tint)


def _may_be_named(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and len(name) <= LONGEST_NAME and name.lower() not in PROCESS


def _percent(part: str, text: str) -> float:
    number = part.removesuffix("%").strip()
    if not _NUMBER.fullmatch(number) or float(number) > 100:
        raise ValueError(f'"{part}" in "{text}" is not a number from 0 to 100; inks are in per cent')
    return float(number)


def _four(text: str) -> Cmyk:
    c, m, y, k = map(float, text.split())
    return c, m, y, k


def _row(*values: float) -> str:
    return " ".join(f"{value:g}" for value in values)


# On a screen


def shown_as(cyan: float, magenta: float, yellow: float, black: float, tint: float = 100.0) -> str:
    """Return about how inks look on coated paper, as #rrggbb: the light of all overprints, each by its share of area.

    This is Neugebauer's equation, from the 16 solids of FOGRA39. A profile is more exact; this needs none.
    """
    shares = [one * tint / 10_000 for one in (cyan, magenta, yellow, black)]
    light = [0.0, 0.0, 0.0]
    for number, solid in enumerate(_SOLIDS):
        area = 1.0
        for at, share in enumerate(shares):
            area *= share if number >> at & 1 else 1 - share
        for band in range(3):
            light[band] += area * (solid >> 8 * (2 - band) & 255) ** GROWTH
    return "#" + "".join(f"{round(value ** (1 / GROWTH)):02x}" for value in light)


GROWTH = 1.3
"""The exponent on sRGB in which areas add up. It comes nearest to the profile: 11 of 255 steps, on average."""
_SOLIDS = (
    0xFFFFFF, 0x009FE3, 0xE6007E, 0x302983, 0xFFED00, 0x009641, 0xE40916, 0x333332,
    0x1F1F1D, 0x001120, 0x270004, 0x09000E, 0x1E1F00, 0x001600, 0x240200, 0x030100,
)  # fmt: skip
"""The solids of cyan (1), magenta (2), yellow (4) and black (8), by their sum."""

_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_NUMBER = re.compile(r"[0-9]{1,3}(\.[0-9]{1,3})?")
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 ._+-]*[A-Za-z0-9+])?")
_NOTED = re.compile(
    r"gray\([0-9]{1,3}(?:\.[0-9]{1,3})?\)"
    r"|cmyk\([0-9]{1,3}(?:\.[0-9]{1,3})?(?: [0-9]{1,3}(?:\.[0-9]{1,3})?){3}\)"
    r"|(?:spot|finish)\([A-Za-z0-9 ._+-]{1,63}\|[0-9]{1,3}(?:\.[0-9]{1,3})?(?: [0-9]{1,3}(?:\.[0-9]{1,3})?){3}"
    r"\|[0-9]{1,3}(?:\.[0-9]{1,3})?\)"
)
_COMMAS = re.compile(r",(?![^(]*\))")
