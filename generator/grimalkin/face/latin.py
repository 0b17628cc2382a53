"""A font with the letters of Western Europe (WinAnsi, which is Windows 1252), for what readers type into a PDF form.

What is printed is subset to the letters that come. What will be typed is not known, so here all of an encoding that
every viewer knows are in, and each code stands for the same character as it does there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from grimalkin.face.cut import lettered
from grimalkin.face.fonts import find_font

FIRST, LAST = 32, 255
"""The codes of printable characters."""


def winansi(code: int) -> str:
    """The character of a code as it is shown: a bullet for codes without one (ISO 32000-1, D.2, notes 3, 5 and 6).

    >>> winansi(0x41), winansi(0x80), winansi(0x7F), winansi(0xAD)
    ('A', '€', '•', '-')
    """
    return _SHOWN.get(code) or bytes([code]).decode("cp1252", "replace").replace("\ufffd", "•")


_SHOWN = {0x7F: "•", 0xA0: " ", 0xAD: "-"}
"""A space that does not break and a hyphen that may stand look like the others."""


@dataclass(frozen=True)
class Latin:
    """A font file and its measures, in thousandths of the type size."""

    name: str
    """As the font calls itself."""
    data: bytes = field(repr=False)
    widths: tuple[int, ...] = field(repr=False)
    """Of the codes from FIRST to LAST."""
    ascent: int
    descent: int
    """Below the baseline, as a negative number."""
    capital: int
    """How high capitals are."""
    box: tuple[int, ...]
    """Around all its letters: left, foot, right and top."""


@cache
def latin(family: str) -> Latin:
    """The font of this name, which is one of ours, cut down to WinAnsi."""
    letters = [winansi(code) for code in range(FIRST, LAST + 1)]
    font = find_font(family)
    assert font is not None
    return Latin(
        font.postscript_name,
        lettered(font, "".join(letters), ()),
        tuple(round(font.units(font.glyph(letter)) * 1000 / font.em) for letter in letters),
        round(font.ascent * 1000),
        round(-font.descent * 1000),
        round(font.capital * 1000),
        font.box,
    )
