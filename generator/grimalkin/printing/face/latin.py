"""A font with the letters of Western Europe (WinAnsi, or Windows 1252), for text that people type into a PDF form.

Fonts for printed text are subset to the letters in use. What people will type is unknown, so this font has all
characters of an encoding that every viewer supports, under the same codes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from grimalkin.printing.face.cut import lettered
from grimalkin.printing.face.fonts import known_font

FIRST, LAST = 32, 255
"""The codes of printable characters."""


def winansi(code: int) -> str:
    """Return the visible character of a code: a bullet for codes without one (ISO 32000-1, D.2, notes 3, 5 and 6).

    >>> winansi(0x41), winansi(0x80), winansi(0x7F), winansi(0xAD)
    ('A', '€', '•', '-')
    """
    return _SHOWN.get(code) or bytes([code]).decode("cp1252", "replace").replace("\ufffd", "•")


_SHOWN = {0x7F: "•", 0xA0: " ", 0xAD: "-"}
"""A no-break space and a soft hyphen look like ordinary ones."""


@dataclass(frozen=True)
class Latin:
    """A font file and its measures, in thousandths of the type size."""

    name: str
    """The font's own name."""
    data: bytes = field(repr=False)
    widths: tuple[int, ...] = field(repr=False)
    """The widths of the codes from FIRST to LAST."""
    ascent: int
    descent: int
    """The depth below the baseline, as a negative number."""
    capital: int
    """The height of capitals."""
    box: tuple[int, ...]
    """The box around all its letters: left, bottom, right and top."""


@cache
def latin(family: str) -> Latin:
    """Return one of our fonts by name, reduced to WinAnsi."""
    letters = [winansi(code) for code in range(FIRST, LAST + 1)]
    font = known_font(family)
    return Latin(
        font.postscript_name,
        lettered(font, "".join(letters), ()),
        tuple(round(font.units(font.glyph(letter)) * 1000 / font.em) for letter in letters),
        round(font.ascent * 1000),
        round(-font.descent * 1000),
        round(font.capital * 1000),
        font.box,
    )
