"""Fonts: found as packages through the `fonts_ttf` entry points, by the names the packages give them.

One measure for everything: the advance widths of the font file, without kerning and ligatures. Fitting, PDF and SVG
all use it, so a text that fits in one fits in all (site/docs/decisions/0004-faces.md).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from fontTools.ttLib import TTFont

FONTS = "the reference in the guide names ours; others are packages of PyPI"


@dataclass(frozen=True)
class Font:
    """A font file and its measures, in units of the type size (em)."""

    name: str
    path: Path
    ascent: float
    descent: float
    advances: dict[str, float] = field(repr=False)
    spaces: frozenset[str] = frozenset()
    """Spaces of a fixed width for which it has no glyph. They have an advance, and are left blank."""

    def width(self, text: str) -> float:
        """Width of a text in em. A character the font lacks raises KeyError with that character."""
        advances = self.advances
        return sum(advances[char] for char in text)


@cache
def font_paths() -> dict[str, Path]:
    """Every installed font by name."""
    paths: dict[str, Path] = {}
    for entry in sorted(entry_points(group="fonts_ttf"), key=lambda entry: entry.name):
        paths.update({name: Path(path) for name, path in entry.load().items()})
    return paths


@cache
def find_font(name: str) -> Font | None:
    """The font of that name, measured; None when it is not installed."""
    path = font_paths().get(name)
    if path is None:
        return None
    with TTFont(path, lazy=True) as file:
        em = file["head"].unitsPerEm
        metrics = file["hmtx"].metrics
        advances = {chr(code): metrics[glyph][0] / em for code, glyph in file.getBestCmap().items()}
        missing = {space: width for space, width in _spaces(advances).items() if space not in advances}
        ascent, descent = file["hhea"].ascent / em, -file["hhea"].descent / em
        return Font(name, path, ascent, descent, advances | missing, frozenset(missing))


def _spaces(advances: dict[str, float]) -> dict[str, float]:
    """Widths of spaces, in em. HarfBuzz gives fonts without them the same ones, and so do browsers."""
    parts = {"\u2000": 2, "\u2001": 1, "\u2002": 2, "\u2003": 1, "\u2004": 3, "\u2005": 4, "\u2006": 6, "\u2009": 5}
    space = advances.get(" ", 0.25)
    return {
        **{char: 1 / part for char, part in parts.items()},
        "\u00a0": space,
        "\u2007": advances.get("0", 0.5),
        "\u2008": advances.get(".", 0.25),
        "\u200a": 1 / 16,
        "\u202f": space / 2,
        "\u205f": 4 / 18,
        "\u3000": 1.0,
    }


_STYLED = {
    "SourceSansPro": ("SourceSansProBold", "SourceSansProIt", "SourceSansProBoldIt"),
    "SourceSansProSemibold": ("SourceSansProBlack", "SourceSansProSemiboldIt", "SourceSansProBlackIt"),
    "SourceSerifPro": ("SourceSerifProBold", "SourceSerifProIt", "SourceSerifProBoldIt"),
    "SourceSerifProSemibold": ("SourceSerifProBlack", "SourceSerifProSemiboldIt", "SourceSerifProBlackIt"),
}


def styled(name: str, bold: bool, italic: bool) -> str:
    """The name of a font's bold or italic. A family without them falls back to `NAMEBold` and `NAMEIt`."""
    if not bold and not italic:
        return name
    styles = _STYLED.get(name, (f"{name}Bold", f"{name}It", f"{name}BoldIt"))
    return styles[2] if bold and italic else styles[0] if bold else styles[1]
