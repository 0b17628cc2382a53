"""Fonts: found as packages through the `fonts_ttf` entry points, by the names the packages give them.

One measure for everything: the advance widths of the font file, without kerning and ligatures. Fitting, PDF and SVG
all use it, so a text that fits in one fits in all (site/docs/decisions/0004-faces.md).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from fontTools.ttLib import TTFont

from grimalkin.engine.outside import offered
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import listed

SANS = "SourceSansPro"
"""What is written in where nothing else is said: text boxes, fields of forms."""
SANS_ITALIC, SANS_SEMIBOLD, SANS_BOLD = "SourceSansProIt", "SourceSansProSemibold", "SourceSansProBold"
SERIF_ITALIC, SERIF_BOLD, SERIF_BLACK = "SourceSerifProIt", "SourceSerifProBold", "SourceSerifProBlack"
"""With it, what sheets, covers and the site are set in."""
Fault = tuple[str, str]
"""What is wrong, and what to do."""
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


@dataclass(frozen=True)
class _Installed:
    """The fonts of all packages by name, each with the packages that bring it, and packages that cannot be loaded."""

    paths: dict[str, Path] = field(default_factory=dict)
    packages: dict[str, list[str]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)


@cache
def _installed() -> _Installed:
    made = _Installed()
    for entry in sorted(offered("fonts_ttf"), key=lambda entry: entry.name):
        try:
            paths = {str(name): Path(path) for name, path in entry.load().items()}
        except Exception:  # whatever a package does when it is loaded: the others are there
            made.broken.append(entry.name)
            continue
        for name, path in paths.items():
            if made.paths.setdefault(name, path) != path or name not in made.packages:
                made.packages.setdefault(name, []).append(entry.name)
    return made


def font_paths() -> dict[str, Path]:
    """Every installed font by name."""
    return _installed().paths


def find_font(name: str) -> Font | None:
    """The font of that name, measured; None when it cannot be used."""
    found = _look(name)
    return found if isinstance(found, Font) else None


def font_fault(name: str) -> Fault | None:
    """Why the font of that name cannot be used, with what to do; None when it can."""
    found = _look(name)
    return None if isinstance(found, Font) else found


@cache
def _look(name: str) -> Font | Fault:
    """A font, measured, or what is wrong with it."""
    installed = _installed()
    path = installed.paths.get(name)
    if path is None:
        broken = f"; the package {listed(installed.broken)} cannot be loaded" if installed.broken else ""
        return f'there is no font "{name}"', did_you_mean(name, installed.paths, FONTS) + broken
    if len(installed.packages[name]) > 1:
        return f'{listed(installed.packages[name])} each bring a font "{name}"', "uninstall all but one of them"
    try:
        with path.open("rb") as data:
            start = data.read(4)
            if start in _FORMATS:
                return f'the font "{name}" is {_FORMATS[start]}', "convert it to TrueType (.ttf)"
            data.seek(0)
            return _measured(name, path, TTFont(data, lazy=True))
    except Exception:  # a file that is no font makes its reader stumble in many ways
        return f'the font "{name}" cannot be read', f"{path.name} is no font in TrueType (.ttf), or is damaged"


def _measured(name: str, path: Path, file: TTFont) -> Font | Fault:
    lacking = _TABLES - {str(table) for table in file.keys()}  # noqa: SIM118 - it is no mapping
    if "glyf" in lacking and ("CFF " in file or "CFF2" in file):
        return f'the font "{name}" is {_FORMATS[b"OTTO"]}', "convert it to TrueType (.ttf)"
    if lacking:
        return f'the font "{name}" lacks the table {min(lacking)}', "install it anew, or choose another"
    # https://learn.microsoft.com/en-us/typography/opentype/spec/os2#fstype
    rights = file["OS/2"].fsType if "OS/2" in file else 0
    if rights & 0x000F == 0x0002 or rights & 0x0300:
        return f'the licence of the font "{name}" forbids to embed it in a PDF', "choose another font"
    em, widths = file["head"].unitsPerEm, _widths(file)
    file.setGlyphOrder(range(file["maxp"].numGlyphs))  # glyphs are called by their numbers: to read names takes longer
    last = len(widths) - 1
    advances = {chr(code): widths[min(glyph, last)] / em for code, glyph in file.getBestCmap().items()}
    missing = {space: width for space, width in _spaces(advances).items() if space not in advances}
    ascent, descent = file["hhea"].ascent / em, -file["hhea"].descent / em
    return Font(name, path, ascent, descent, advances | missing, frozenset(missing))


def _widths(file: TTFont) -> list[int]:
    """Advance widths by the numbers of glyphs; all further glyphs have the last one.

    https://learn.microsoft.com/en-us/typography/opentype/spec/hmtx
    """
    count = file["hhea"].numberOfHMetrics
    return [width for width, _ in struct.iter_unpack(">Hh", file.reader["hmtx"][: 4 * count])]


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


_FORMATS = {
    b"OTTO": "an OpenType font with PostScript outlines (.otf), which cannot be embedded",
    b"ttcf": "a collection of fonts (.ttc), which cannot be embedded",
    b"wOFF": "a font for the web (.woff), which cannot be embedded",
    b"wOF2": "a font for the web (.woff2), which cannot be embedded",
}
_TABLES = frozenset(["cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post"])
"""Without which no PDF of ours can hold a font."""


_STYLED = {
    "SourceSansProSemibold": ("SourceSansProBlack", "SourceSansProSemiboldIt", "SourceSansProBlackIt"),
    "SourceSerifProSemibold": ("SourceSerifProBlack", "SourceSerifProSemiboldIt", "SourceSerifProBlackIt"),
}


def styled(name: str, bold: bool, italic: bool) -> str:
    """The name of a font's bold or italic. A family without them falls back to `NAMEBold` and `NAMEIt`."""
    if not bold and not italic:
        return name
    styles = _STYLED.get(name, (f"{name}Bold", f"{name}It", f"{name}BoldIt"))
    return styles[2] if bold and italic else styles[0] if bold else styles[1]
