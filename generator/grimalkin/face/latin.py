"""A font with the letters of Western Europe (WinAnsi, which is Windows 1252), for what readers type into a PDF form.

What is printed is subset to the letters that come. What will be typed is not known, so here all of an encoding that
every viewer knows are in, and each code stands for the same character as it does there.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from functools import cache

from fontTools import subset
from fontTools.ttLib import TTFont

from grimalkin.face.fonts import font_paths

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
    box: tuple[int, int, int, int]


@cache
def latin(family: str) -> Latin:
    """The font of this name, cut down to WinAnsi."""
    letters = "".join(winansi(code) for code in range(FIRST, LAST + 1))
    options = subset.Options()
    options.layout_features = []
    options.notdef_outline = True
    options.hinting = False
    options.drop_tables += ["FFTM"]  # a time stamp of the font's editor
    buffer = io.BytesIO()
    with TTFont(font_paths()[family], recalcTimestamp=False, lazy=True) as font:
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=letters)
        subsetter.subset(font)
        font.save(buffer)
        em = 1000 / font["head"].unitsPerEm
        names = font.getBestCmap()
        head, metrics = font["head"], font["hmtx"].metrics
        return Latin(
            str(font["name"].getDebugName(6)),
            buffer.getvalue(),
            tuple(round(metrics[names[ord(letter)]][0] * em) for letter in letters),
            round(font["hhea"].ascent * em),
            round(font["hhea"].descent * em),
            round(getattr(font["OS/2"], "sCapHeight", 0) * em) or 700,
            (round(head.xMin * em), round(head.yMin * em), round(head.xMax * em), round(head.yMax * em)),
        )
