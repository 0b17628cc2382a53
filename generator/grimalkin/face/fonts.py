"""Fonts: found as packages through the `fonts_ttf` entry points, by the names the packages give them.

HarfBuzz reads them, and bounds what a broken file may cost; `shaping` measures with them.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import uharfbuzz as harfbuzz

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
FIXED_SPACES = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
"""Spaces of a width of their own. For those that a font lacks HarfBuzz leaves as much blank as other programs do."""


@dataclass(frozen=True, eq=False)
class Font:
    """A font that can be embedded, and its measures, in units of the type size (em)."""

    name: str
    shaper: harfbuzz.Font = field(repr=False)
    ascent: float
    descent: float
    """How far its letters reach below the baseline: more than 0."""

    @property
    def face(self) -> harfbuzz.Face:
        return self.shaper.face

    @cached_property
    def em(self) -> int:
        """Units of the file in an em."""
        return int(self.face.upem)

    @cached_property
    def space(self) -> float:
        """How wide a space is; 0 when there is none."""
        return self.space_units / self.em

    @cached_property
    def space_units(self) -> int:
        """The same in units of the file."""
        return self.units(self.glyph(" "))

    @cached_property
    def spaces(self) -> frozenset[str]:
        """Spaces of a fixed width for which it has no glyph. They have an advance, and are left blank."""
        return frozenset(char for char in FIXED_SPACES if not self.glyph(char)) if self.space else frozenset()

    @cached_property
    def features(self) -> frozenset[str]:
        """The tags of what its tables can do to text (https://learn.microsoft.com/typography/opentype/spec/features_ae)."""
        face, found = self.face, set()
        for table in ("GSUB", "GPOS"):
            for script in range(len(face.get_table_script_tags(table))):
                for language in range(-1, len(face.get_script_language_tags(table, script))):
                    index = 0xFFFF if language < 0 else language
                    found.update(face.get_language_feature_tags(table, script, index))
        return frozenset(found)

    @cached_property
    def weight(self) -> int:
        """400 for a regular font and 700 for a bold one."""
        return int(self.shaper.get_style_value(harfbuzz.StyleTag.WEIGHT))

    @cached_property
    def capital(self) -> float:
        """How high capitals are."""
        return float(self.shaper.get_metric_position_with_fallback(harfbuzz.OTMetricsTag.CAP_HEIGHT)) / self.em

    @cached_property
    def reach(self) -> tuple[float, float]:
        """How far most letters reach above the baseline and, as a number below 0, beneath it; for PDF readers, which
        take it for the height of a line. Lines of a file's own leave room for marks on capitals too."""
        about = self.table("OS/2")
        above, below = struct.unpack_from(">hh", about, 68) if len(about) >= 72 else (0, 0)
        return (above / self.em, below / self.em) if above > below else (self.ascent, -self.descent)

    @cached_property
    def slant(self) -> float:
        """By how many degrees it leans; to the right is less than 0."""
        return float(self.shaper.get_style_value(harfbuzz.StyleTag.SLANT_ANGLE))

    @cached_property
    def box(self) -> tuple[int, ...]:
        """Around all its letters, in thousandths of an em: left, foot, right and top."""
        return tuple(round(edge * 1000 / self.em) for edge in struct.unpack_from(">4h", self.table("head"), 36))

    @cached_property
    def postscript_name(self) -> str:
        """What files call it: letters, digits and hyphens."""
        named = self.face.get_name(harfbuzz.OTNameIdPredefined.POSTSCRIPT_NAME) or self.name
        return re.sub(r"[^A-Za-z0-9-]", "", named)[:63] or "Font"

    @cached_property
    def is_cff(self) -> bool:
        """Whether its outlines are those of PostScript."""
        return "glyf" not in self.face.table_tags

    def glyph(self, char: str) -> int:
        """The number of a character's own glyph; 0 when it has none."""
        return self.shaper.get_nominal_glyph(ord(char)) or 0

    def units(self, glyph: int) -> int:
        """The width of a glyph by itself, in units of the file; 0 for the sign for what the font lacks."""
        return int(self.shaper.get_glyph_h_advance(glyph)) if glyph else 0

    def table(self, tag: str) -> bytes:
        """A table of the file; empty when it lacks it."""
        return self.face.reference_table(tag).data or b""


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
    """A font, or what is wrong with it."""
    installed = _installed()
    path = installed.paths.get(name)
    if path is None:
        broken = f"; the package {listed(installed.broken)} cannot be loaded" if installed.broken else ""
        return f'there is no font "{name}"', did_you_mean(name, installed.paths, FONTS) + broken
    if len(installed.packages[name]) > 1:
        return f'{listed(installed.packages[name])} each bring a font "{name}"', "uninstall all but one of them"
    try:
        data = path.read_bytes()
    except OSError:
        return f'the font "{name}" cannot be read', f"install its package anew: {path.name} is not there"
    return read_font(name, data)


def read_font(name: str, data: bytes, index: int = 0) -> Font | Fault:
    """A font from what a file holds, or why it cannot be used. `index` is its place in a collection."""
    face = harfbuzz.Face(harfbuzz.Blob(data), index)
    tables = set(face.table_tags)
    lacking = _TABLES - tables
    is_whole = all(len(face.reference_table(tag)) for tag in (_TABLES | _OUTLINES) & tables)
    if lacking == _TABLES or not is_whole or not face.glyph_count:
        return f'the font "{name}" cannot be read', "it is no font in TrueType or OpenType (.ttf, .otf), or is damaged"
    if not lacking and not _OUTLINES & tables:
        return f'the font "{name}" has no outlines', "it is a font of pictures; choose another"
    if lacking:
        return f'the font "{name}" lacks the table {min(lacking)}', "install it anew, or choose another"
    # https://learn.microsoft.com/typography/opentype/spec/os2#fstype
    about = face.reference_table("OS/2").data or b""
    (rights,) = struct.unpack_from(">H", about, 8) if len(about) >= 10 else (0,)
    if rights & 0x000F == 0x0002 or rights & 0x0300:
        return f'the licence of the font "{name}" forbids to embed it in a PDF', "choose another font"
    shaper = harfbuzz.Font(face)
    lines = face.reference_table("hhea").data or b""
    ascent, descent = struct.unpack_from(">hh", lines, 4) if len(lines) >= 8 else (0, 0)
    if not ascent and not descent:
        extents = shaper.get_font_extents("ltr")
        ascent, descent = extents.ascender, extents.descender
    em = face.upem
    if not 0.2 <= (ascent - descent) / em <= 20:
        return f'the font "{name}" says that its lines are {(ascent - descent) / em:.2f} em high', "choose another font"
    return Font(name, shaper, ascent / em, -descent / em)


_TABLES = frozenset(["cmap", "head", "hhea", "hmtx", "maxp"])
"""Without which there is no font."""
_OUTLINES = frozenset(["CFF ", "CFF2", "glyf"])


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
