"""Fonts: packages found through the `fonts_ttf` entry points, by the names that they declare.

HarfBuzz reads them, and limits the cost of a broken file; `shaping` measures with them. `own` finds those in a game's
folder and gives each a unique name; they are kept here as long as they are in use.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from weakref import WeakValueDictionary

import uharfbuzz as harfbuzz

from grimalkin.engine.outside import offered
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import listed

SANS = "SourceSansPro"
"""The default font for text boxes and form fields."""
SANS_ITALIC, SANS_SEMIBOLD, SANS_BOLD = "SourceSansProIt", "SourceSansProSemibold", "SourceSansProBold"
SERIF_ITALIC, SERIF_BOLD, SERIF_BLACK = "SourceSerifProIt", "SourceSerifProBold", "SourceSerifProBlack"
"""With SANS, the fonts of sheets, covers and the site."""
Fault = tuple[str, str]
"""A message and a hint."""
FONTS = "the guide's reference lists ours; others are PyPI packages"
FIXED_SPACES = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
"""Spaces with a fixed width. If a font lacks one, HarfBuzz leaves a gap as wide as other programs do."""
LONGEST_SHOWN, MOST_NAMED = 80, 6
"""The most characters shown of an unknown name, and the most families listed instead."""
MOST_LANGUAGES = 2_000
"""The most languages in a font that are checked for features."""


@dataclass(frozen=True, eq=False)
class Font:
    """An embeddable font and its measures, in units of the type size (em)."""

    name: str
    """Its name on faces."""
    shaper: harfbuzz.Font = field(repr=False)
    ascent: float
    descent: float
    """How far its letters extend below the baseline: a positive number."""
    title: str
    """Its name for people, which differs if the font is a game's own."""

    @property
    def is_own(self) -> bool:
        """Return whether the font comes from a game's folder."""
        return self.name != self.title

    @property
    def face(self) -> harfbuzz.Face:
        return self.shaper.face

    @cached_property
    def em(self) -> int:
        """The number of font units in an em."""
        return int(self.face.upem)

    @cached_property
    def space(self) -> float:
        """The width of a space; 0 if there is none."""
        return self.space_units / self.em

    @cached_property
    def space_units(self) -> int:
        """The width of a space in font units."""
        return self.units(self.glyph(" "))

    @cached_property
    def spaces(self) -> frozenset[str]:
        """The fixed-width spaces that have no glyph, only a width; they are left blank."""
        return frozenset(char for char in FIXED_SPACES if not self.glyph(char)) if self.space else frozenset()

    @cached_property
    def features(self) -> frozenset[str]:
        """The tags of its OpenType features (https://learn.microsoft.com/typography/opentype/spec/features_ae)."""
        face, found = self.face, set()
        with suppress(UnicodeDecodeError):  # tags are letters, but a broken table's may be anything
            languages = (
                (table, script, 0xFFFF if language < 0 else language)
                for table in ("GSUB", "GPOS")
                for script in range(len(face.get_table_script_tags(table)))
                for language in range(-1, len(face.get_script_language_tags(table, script)))
            )
            for one in islice(languages, MOST_LANGUAGES):
                found.update(face.get_language_feature_tags(*one))
        return frozenset(found)

    def kerns_by_rules(self, script: str) -> bool:
        """Return whether GPOS kerns text in a script (ISO 15924; "Zyyy" for figures and marks).

        If not, HarfBuzz and browsers use the older `kern` table, which ignores scripts.
        """
        face, table = self.face, "GPOS"
        with suppress(UnicodeDecodeError):
            scripts = list(face.get_table_script_tags(table))
            for tag in (script.lower(), "DFLT", "dflt", "latn"):
                if tag in scripts:
                    at = scripts.index(tag)
                    languages = list(face.get_script_language_tags(table, at))
                    language = languages.index("ENG ") if "ENG " in languages else 0xFFFF
                    return "kern" in face.get_language_feature_tags(table, at, language)
        return False

    @cached_property
    def weight(self) -> int:
        """400 for a regular font and 700 for a bold one."""
        return int(self.shaper.get_style_value(harfbuzz.StyleTag.WEIGHT))

    @cached_property
    def capital(self) -> float:
        """The height of capitals."""
        return float(self.shaper.get_metric_position_with_fallback(harfbuzz.OTMetricsTag.CAP_HEIGHT)) / self.em

    @cached_property
    def reach(self) -> tuple[float, float]:
        """How far most letters extend above the baseline, and below it as a negative number.

        PDF readers treat this as the line height. The line height in the file also leaves room for marks on
        capitals.
        """
        about = self.table("OS/2")
        above, below = struct.unpack_from(">hh", about, 68) if len(about) >= 72 else (0, 0)
        return (above / self.em, below / self.em) if above > below else (self.ascent, -self.descent)

    @cached_property
    def slant(self) -> float:
        """Its slant in degrees; negative is to the right."""
        return float(self.shaper.get_style_value(harfbuzz.StyleTag.SLANT_ANGLE))

    @cached_property
    def box(self) -> tuple[int, ...]:
        """The box around all its letters, in thousandths of an em: left, bottom, right and top."""
        return tuple(round(edge * 1000 / self.em) for edge in struct.unpack_from(">4h", self.table("head"), 36))

    @cached_property
    def postscript_name(self) -> str:
        """Its name in files: letters, digits and hyphens."""
        if self.is_own:
            return self.name
        named = self.face.get_name(harfbuzz.OTNameIdPredefined.POSTSCRIPT_NAME) or self.name
        return re.sub(r"[^A-Za-z0-9-]", "", named)[:63] or "Font"

    @cached_property
    def is_for_viewing(self) -> bool:
        """Whether it may be embedded only for viewing and printing, and so not in an editable file."""
        return bool(rights_of(self.face) & _VIEWING and not rights_of(self.face) & _EDITING)

    @cached_property
    def is_cff(self) -> bool:
        """Whether it has PostScript outlines."""
        return "glyf" not in self.face.table_tags

    def glyph(self, char: str) -> int:
        """Return the number of a character's own glyph; 0 if it has none."""
        return self.shaper.get_nominal_glyph(ord(char)) or 0

    def units(self, glyph: int) -> int:
        """Return the width of a single glyph in font units; 0 for the missing-character glyph."""
        return int(self.shaper.get_glyph_h_advance(glyph)) if glyph else 0

    def table(self, tag: str) -> bytes:
        """Return a table of the file; empty if it has none."""
        return self.face.reference_table(tag).data or b""


@dataclass(frozen=True)
class _Installed:
    """The fonts from all packages by name, the packages that provide each, and the packages that cannot be loaded."""

    paths: dict[str, Path] = field(default_factory=dict)
    packages: dict[str, list[str]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)


@cache
def _installed() -> _Installed:
    made = _Installed()
    for entry in sorted(offered("fonts_ttf"), key=lambda entry: entry.name):
        try:
            paths = {str(name): Path(path) for name, path in entry.load().items()}
        except Exception:  # keep the other packages, whatever goes wrong in this one
            made.broken.append(entry.name)
            continue
        for name, path in paths.items():
            if made.paths.setdefault(name, path) != path or name not in made.packages:
                made.packages.setdefault(name, []).append(entry.name)
    return made


def font_paths() -> dict[str, Path]:
    """Return every installed font by name."""
    return _installed().paths


_own: WeakValueDictionary[str, Font] = WeakValueDictionary()
"""The games' own fonts by the names that faces use, kept as long as they are in use."""


def register(font: Font) -> None:
    """Make a game's own font available by its name."""
    _own[font.name] = font


def own_font(name: str) -> Font | None:
    """Return a game's own font by name."""
    return _own.get(name)


def find_font(name: str) -> Font | None:
    """Return the font of that name, with its measures; None if it is unusable."""
    found = _own.get(name) or _look(name)
    return found if isinstance(found, Font) else None


def known_font(name: str) -> Font:
    """Return the font of that name, which has been found before: a face with an unknown font is never composed."""
    font = find_font(name)
    assert font is not None, f"nobody has looked for the font {name}"
    return font


def font_fault(name: str) -> Fault | None:
    """Return why the font of that name is unusable, with a hint; None if it is usable."""
    found = _own.get(name) or _look(name)
    return None if isinstance(found, Font) else found


def no_font(name: str, own: Iterable[str] = (), families: Sequence[str] = (), unread: Sequence[str] = ()) -> Fault:
    """Return the fault for a name that no font has. `own` and `families` are the names and families of the
    game's own fonts; `unread` files may hold more."""
    installed = _installed()
    hint = did_you_mean(name, [*own, *installed.paths], FONTS)
    if families and not hint.startswith("did you mean"):
        hint = f"the game has {listed(families[:MOST_NAMED])}; {FONTS}"
    if installed.broken:
        hint += f"; the package {listed(installed.broken)} cannot be loaded"
    if unread:
        hint += f"; {listed(unread[:MOST_NAMED])} cannot be read"
    return f'there is no font "{name[:LONGEST_SHOWN]}"', hint


@cache
def _look(name: str) -> Font | Fault:
    """Return a font, or the fault that makes it unusable."""
    installed = _installed()
    path = installed.paths.get(name)
    if path is None:
        return no_font(name)
    if len(installed.packages[name]) > 1:
        return f'{listed(installed.packages[name])} each provide a font "{name}"', "uninstall all but one of them"
    try:
        data = path.read_bytes()
    except OSError:
        return f'the font "{name}" cannot be read', f"reinstall its package: {path.name} is missing"
    return read_font(name, data)


def read_font(name: str, data: bytes, index: int = 0, title: str = "") -> Font | Fault:
    """Return a font from the contents of a file, or its fault. `index` is its position in a collection."""
    key, name = name, title or name
    face = harfbuzz.Face(harfbuzz.Blob(data), index)
    tables: set[str] = set()
    with suppress(UnicodeDecodeError):
        tables.update(face.table_tags)
    lacking = _TABLES - tables
    is_whole = all(len(face.reference_table(tag)) for tag in (_TABLES | _OUTLINES) & tables)
    if lacking == _TABLES or not is_whole or not face.glyph_count:
        return f'the font "{name}" cannot be read', "it is not TrueType or OpenType (.ttf, .otf), or is damaged"
    if not lacking and not _OUTLINES & tables:
        return f'the font "{name}" has no outlines', "it is a bitmap font; choose another"
    if lacking:
        return f'the font "{name}" lacks the table {min(lacking)}', "reinstall it, or choose another"
    head = face.reference_table("head").data or b""
    (units,) = struct.unpack_from(">H", head, 18) if len(head) == 54 or head[54:] == b"\0\0" else (0,)
    if not 16 <= units <= 16384:
        return f'the font "{name}" has an em of {units} units', "16 to 16,384 are allowed; choose another font"
    rights = rights_of(face)
    if rights & _PERMISSION == _RESTRICTED or rights & _PICTURES:
        return f'the licence of the font "{name}" forbids embedding it in a PDF', "choose another font"
    if rights & _WHOLE:
        return (
            f'the licence of the font "{name}" forbids embedding a part of it',
            "files contain only the letters in use; choose another font",
        )
    shaper = harfbuzz.Font(face)
    lines = face.reference_table("hhea").data or b""
    ascent, descent = struct.unpack_from(">hh", lines, 4) if len(lines) >= 8 else (0, 0)
    if not ascent and not descent:
        extents = shaper.get_font_extents("ltr")
        ascent, descent = extents.ascender, extents.descender
    em = face.upem
    if ascent <= 0:
        below = f"{-ascent / em:.2f} em below the baseline"
        return f'the letters of the font "{name}" end {below}', "choose another font"
    if not 0.2 <= (ascent - descent) / em <= 20:
        return f'the lines of the font "{name}" are {(ascent - descent) / em:.2f} em high', "choose another font"
    return Font(key, shaper, ascent / em, -descent / em, name)


def rights_of(face: harfbuzz.Face) -> int:
    """Return the permissions of a font's licence as the bits of fsType; 0, which forbids nothing, if it has none.

    https://learn.microsoft.com/typography/opentype/spec/os2#fstype
    """
    about = face.reference_table("OS/2").data or b""
    return int(struct.unpack_from(">H", about, 8)[0]) if len(about) >= 10 else 0


_PERMISSION, _RESTRICTED, _VIEWING, _EDITING = 0x000F, 0x0002, 0x0004, 0x0008
"""The bits for embedding: not at all; for viewing and printing; for editing too. If several are set, as in old files,
the most permissive one counts."""
_WHOLE, _PICTURES = 0x0100, 0x0200
"""Only the whole font may be embedded; only its bitmaps may be."""

_TABLES = frozenset(["cmap", "head", "hhea", "hmtx", "maxp"])
"""Tables that every font has."""
_OUTLINES = frozenset(["CFF ", "CFF2", "glyf"])


_STYLED = {
    "SourceSansProSemibold": ("SourceSansProBlack", "SourceSansProSemiboldIt", "SourceSansProBlackIt"),
    "SourceSerifProSemibold": ("SourceSerifProBlack", "SourceSerifProSemiboldIt", "SourceSerifProBlackIt"),
}


def styled(name: str, bold: bool, italic: bool) -> str:
    """Return the name of a font's bold or italic style. Families without an entry use `NAMEBold` and `NAMEIt`."""
    if not bold and not italic:
        return name
    styles = _STYLED.get(name, (f"{name}Bold", f"{name}It", f"{name}BoldIt"))
    return styles[2] if bold and italic else styles[0] if bold else styles[1]
