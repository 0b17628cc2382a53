"""The fonts of a game: files in its folder `fonts`, each found by the names in the file, and those of packages.

Nouns: a *member* is a font in a file; a collection has several. A *style* is a member, at a position on its axes if it
is a variable font. The *fonts* of a game find a style by name and make a Font from it. The name that faces use contains
a digest of the file, so that two games, or two versions of one file, are never confused.
"""

from __future__ import annotations

import re
import struct
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import uharfbuzz as harfbuzz

from grimalkin.printing.type.font_files import DAMAGED, unpacked, whole
from grimalkin.printing.type.fonts import (
    Fault,
    Font,
    find_font,
    font_fault,
    font_paths,
    no_font,
    own_font,
    read_font,
    register,
    styled,
)
from grimalkin.problems import Place, Problems, did_you_mean, shown_path
from grimalkin.problems.plain import listed
from grimalkin.source import files_in, read_bytes
from grimalkin.source.digest import in_letters
from grimalkin.source.files import FONT_FILES, MOST_FONT

MOST_FILES, MOST_IN_ALL = 100, 100_000_000
"""The most font files of a game, and their total bytes."""
MOST_MEMBERS, MOST_INSTANCES, MOST_AXES = 64, 300, 32
"""The most fonts of a collection; the most styles that a variable font names, and its most axes."""
MOST_PARTS, MOST_DEEP = 500, 10
"""The most outlines that a letter is composed of, and the deepest nesting of such letters."""
LONGEST_NAME = 80
REGULAR = "Regular"
"""The usual name of a family's plain style."""
MOST_ASKED = 2_000
"""The limit for cached names; beyond it all are dropped."""
MOST_SUGGESTED = 3
_ID = harfbuzz.OTNameIdPredefined
_BOLD, _NEAR = 600, 150
"""The weight from which a style is bold, and the greatest difference from the requested weight."""
_COLOURED = {"CBDT": "pictures", "COLR": "colours", "SVG ": "colours", "sbix": "pictures"}

At = tuple[tuple[str, float], ...]
"""The position of a variable font on its axes, in order, without the axes at their default."""


class Axis(NamedTuple):
    least: float
    usual: float
    most: float


@dataclass(frozen=True, eq=False)
class Member:
    """A font in a file."""

    path: Path
    index: int
    data: bytes = field(repr=False)
    digest: bytes
    """A digest of the complete file."""
    family: str
    names: tuple[str, ...]
    """Its other names; people see the first."""
    instances: Mapping[At, tuple[str, ...]]
    """The styles that a variable font names, with their names."""
    axes: Mapping[str, Axis]
    weight: float
    """400 for a regular font and 700 for a bold one."""
    width: float
    """100 for a normal width, less for a narrow font."""
    is_italic: bool
    fault: Fault | None


class Style(NamedTuple):
    member: Member
    at: At = ()

    @property
    def weight(self) -> float:
        return dict(self.at).get("wght", self.member.weight)

    @property
    def is_italic(self) -> bool:
        at = dict(self.at)
        return at.get("ital", 0) >= 0.5 or at.get("slnt", 0) < 0 or self.member.is_italic

    @property
    def title(self) -> str:
        """The name that people see."""
        named = self.member.instances.get(self.at) if self.at else self.member.names
        return named[0] if named else ":".join([self.member.family, *(f"{axis}={value:g}" for axis, value in self.at)])

    def moved(self, weight: float, italic: bool) -> Style | None:
        """Return the style as close to this weight as its axes allow, italic or not; None if that is impossible."""
        axes, at = self.member.axes, dict(self.at)
        if "wght" in axes:
            at["wght"] = _within(axes["wght"], weight)
        if italic != self.is_italic:
            at = {axis: value for axis, value in at.items() if axis not in ("ital", "slnt")}
            if italic and "ital" in axes:
                at["ital"] = axes["ital"].most
            elif italic and "slnt" in axes:
                at["slnt"] = _within(axes["slnt"], _OBLIQUE)
        there = Style(self.member, _at(axes, at))
        return there if there.is_italic == italic else None


_OBLIQUE = -14
"""The slant in degrees that CSS gives an italic font with a slant axis."""


class Fonts:
    """The fonts that the faces of a game may use: those in its folder, then those of packages."""

    def __init__(self, folder: Path | None, problems: Problems, fallback: Mapping[str, Place] | None = None) -> None:
        """Prepare the fonts. `fallback` names fonts for characters that others lack, with the place that names each."""
        self.folder, self.problems, self.fallback = folder, problems, fallback or {}
        self.made: dict[str, Font] = {}
        """The folder's fonts that are in use, by the names that faces use."""
        self.styles: dict[str, Style] = {}
        """The style of each."""
        self.asked: dict[str, str | Fault] = {}
        self.unread: list[str] = []
        """Files that cannot be read."""

    # Names

    def chain(self, written: str) -> str | Fault:
        """Return the names that faces use for these fonts, separated by commas, and for the fallback fonts."""
        known = self.asked.get(written)
        if known is None:
            if len(self.asked) >= MOST_ASKED:
                self.asked.clear()
            known = self.asked[written] = self._chain([written] if self._knows(written) else written.split(","))
        return known

    def _chain(self, names: Sequence[str]) -> str | Fault:
        found: dict[str, None] = {}
        for name in names:
            key = self._key(" ".join(name.split()).strip("'\""))
            if isinstance(key, tuple):
                return key
            found[key] = None
        return ",".join({**found, **self.filling})

    @cached_property
    def filling(self) -> dict[str, None]:
        """Return the fallback fonts by the names that faces use."""
        found: dict[str, None] = {}
        for name, place in self.fallback.items():
            key = self._key(name)
            if isinstance(key, tuple):
                self.problems.add(place, *key)
            else:
                found[key] = None
        return found

    def fault(self, written: str) -> Fault | None:
        """Return the fault of the named fonts, if any."""
        found = self.chain(written)
        return found if isinstance(found, tuple) else None

    def _knows(self, name: str) -> bool:
        return name in self.named or name in font_paths()

    def _key(self, name: str) -> str | Fault:
        """Return the name that faces use for the font of this name."""
        styles = self.named.get(name)
        if not styles and ":" in name:
            return self._moved(*name.split(":"))
        if not styles and name in font_paths():
            return font_fault(name) or name
        if not styles:
            return no_font(name, self.named, list(self.families), self.unread)
        if len(styles) > 1:
            paths = listed([shown_path(path) for path in dict.fromkeys(style.member.path for style in styles)])
            return f'fonts in {paths} are both called "{name}"', "remove one of them, or use another of its names"
        return self.make(styles[0])

    def _moved(self, name: str, *axes: str) -> str | Fault:
        """Return the font of that name at a position on its axes, as in "wght=550"."""
        key = self._key(name)
        if isinstance(key, tuple) or key not in self.styles:
            return key if isinstance(key, tuple) else (f'the font "{name}" has no axes', "remove what follows the :")
        style = self.styles[key]
        known, at = style.member.axes, dict(style.at)
        for one in axes:
            axis, _, value = one.partition("=")
            if axis not in known:
                return f'the font "{name}" has no axis "{axis[:40]}"', did_you_mean(axis, known) or "it has none"
            least, _, most = known[axis]
            if not _NUMBER.fullmatch(value) or not least <= float(value) <= most:
                return f'"{one[:40]}" is not a position on the axis {axis}', f"a number from {least:g} to {most:g}"
            at[axis] = float(value)
        return self.make(Style(style.member, _at(known, at)))

    def styled(self, chain: str, bold: bool, italic: bool) -> str:
        """Return the bold or italic styles of fonts by the names that faces use; an unused name if there is none.

        A fallback font may stand in for its own bold or italic.
        """
        if not bold and not italic:
            return chain
        first, *others = chain.split(",")
        found = [self._styled(first, bold, italic)]
        for other in others:
            key = self._styled(other, bold, italic)
            found.append(key if key in self.made or not font_fault(key) else other)
        return ",".join(found)

    def _styled(self, key: str, bold: bool, italic: bool) -> str:
        style = self.styles.get(key)
        if style is None:
            return styled(key, bold, italic)
        weight = style.weight
        if bold:
            weight = 700 if weight < _BOLD else 900
        italic = italic or style.is_italic
        near = [
            other
            for member in self.families[style.member.family]
            if (other := (style if member is style.member else Style(member)).moved(weight, italic))
            and (other.weight >= max(_BOLD, style.weight + 50) if bold else abs(other.weight - weight) <= _NEAR)
        ]
        if near:
            width, same = style.member.width, style.member
            best = min(near, key=lambda o: (abs(o.weight - weight), abs(o.member.width - width), o.member is not same))
            made = self.make(best)
            if isinstance(made, str):
                return made
        begun = style.member.family if style.weight < _BOLD else style.title
        return " ".join([begun, *(["Bold"] * bold), *(["Italic"] * italic)])

    def having(self, char: str) -> list[str]:
        """Return a few fonts with this character, the game's own first."""
        members = [member for family in self.families.values() for member in family]
        own = [key for member in members if isinstance(key := self.make(Style(member)), str)]
        found: list[str] = []
        for name in [*own, *sorted(font_paths(), key=len)]:
            font = find_font(name)
            if font and font.glyph(char) and not font.title.startswith(tuple(found)):
                found.append(font.title)
            if len(found) == MOST_SUGGESTED:
                break
        return found

    # Files

    def make(self, style: Style) -> str | Fault:
        """Return the name that faces use for a style, or the style's fault."""
        member, title = style.member, style.title
        if member.fault:
            return member.fault
        mark = sha256(b"%b %d %b" % (member.digest, member.index, repr(style.at).encode())).digest()
        plain = _UNSAFE.sub("", title)[:40] or "Font"
        key = f"{plain}-{in_letters(int.from_bytes(mark[:8], 'big'), 12)}"
        if key not in self.made:
            font = own_font(key) or self._made(style, key, title)
            if not isinstance(font, Font):
                return font
            register(font)
            self.made[key] = font
        self.styles[key] = style
        return key

    def _made(self, style: Style, key: str, title: str) -> Font | Fault:
        member = style.member
        try:
            data = whole(harfbuzz.Face(harfbuzz.Blob(member.data), member.index), dict(style.at))
        except RuntimeError:
            return f'the font "{title}" is damaged', f"save {shown_path(member.path)} again, or choose another"
        return read_font(key, data, title=title)

    @cached_property
    def families(self) -> dict[str, list[Member]]:
        """The fonts of the folder by family name."""
        found: dict[str, list[Member]] = {}
        left = MOST_IN_ALL
        paths = files_in(self.folder, "fonts", FONT_FILES, self.problems) if self.folder else []
        if len(paths) > MOST_FILES:
            place = Place(shown_path(paths[0].parent))
            self.problems.add(place, f"there are {len(paths):,} fonts in this folder", f"at most {MOST_FILES}")
            paths = []
        for path in paths:
            place = Place(shown_path(path))
            data = read_bytes(path, self.problems, self.folder, MOST_FONT)
            left -= len(data or b"")
            if data is not None and left < 0:
                told = f"the fonts up to this one exceed {MOST_IN_ALL:,} bytes"
                self.problems.add(place, told, "remove some")
                break
            members = _members(path, data) if data is not None else []
            if isinstance(members, tuple):
                self.problems.add(place, *members)
            if isinstance(members, tuple) or data is None:
                self.unread.append(place.path)
                continue
            for member in members:
                found.setdefault(member.family, []).append(member)
        return found

    @cached_property
    def named(self) -> dict[str, list[Style]]:
        """The styles of the folder by each of their names; a family's name means its regular style."""
        found: dict[str, list[Style]] = {}
        for members in self.families.values():
            for member in members:
                styles = {(): member.names, **member.instances}
                for at, names in styles.items():
                    for name in names:
                        others = found.setdefault(name, [])
                        if all(other.member is not member for other in others):
                            others.append(Style(member, at))
        for family, members in self.families.items():
            plain = [Style(member).moved(400, False) or Style(member) for member in members]
            ranks = [
                (one.is_italic, abs(one.member.width - 100), abs(one.weight - 400), REGULAR not in one.member.names[0])
                for one in plain
            ]
            found[family] = [one for one, rank in zip(plain, ranks, strict=True) if rank == min(ranks)]
        return found


def _members(path: Path, packed: bytes) -> list[Member] | Fault:
    """Return the fonts in a file."""
    data = unpacked(packed)
    if isinstance(data, tuple):
        return data
    blob = harfbuzz.Blob(data)
    count = harfbuzz.Face(blob).count
    if count > MOST_MEMBERS:
        return f"this collection has {count:,} fonts", f"at most {MOST_MEMBERS}"
    if not count:
        return "this is not a font", "save it as TrueType, OpenType, WOFF or WOFF2"
    digest = sha256(packed).digest()
    found: list[Member] = []
    for index in range(count):
        try:
            member = _member(path, index, data, digest, harfbuzz.Face(blob, index))
        except (UnicodeDecodeError, struct.error):  # tags that are not letters; tables that end too soon
            member = DAMAGED
        if isinstance(member, tuple):
            return member
        found.append(member)
    return found


def _member(path: Path, index: int, data: bytes, digest: bytes, face: harfbuzz.Face) -> Member | Fault:
    about = face.reference_table("fvar").data or b""
    axes, _, instances = struct.unpack_from(">3H", about, 8) if len(about) >= 14 else (0, 0, 0)
    if axes > MOST_AXES or instances > MOST_INSTANCES:
        return f"this font has {axes:,} axes and {instances:,} styles", f"at most {MOST_AXES} and {MOST_INSTANCES}"
    if not face.glyph_count or _is_cut_off(data, index):
        return DAMAGED

    def name(*ids: int) -> str:
        return next((plain for one in ids if (plain := _plain(face.get_name(one) or ""))), "")

    family = name(_ID.TYPOGRAPHIC_FAMILY, _ID.FONT_FAMILY) or _plain(path.stem)
    style = name(_ID.TYPOGRAPHIC_SUBFAMILY, _ID.FONT_SUBFAMILY) or REGULAR
    old, old_style = name(_ID.FONT_FAMILY) or family, name(_ID.FONT_SUBFAMILY) or REGULAR
    names = [f"{family} {style}", name(_ID.FULL_NAME), name(_ID.POSTSCRIPT_NAME), f"{old} {old_style}"]
    if old_style == REGULAR:
        names.append(old)
    font = read_font("", data, index, names[0])
    shaper = harfbuzz.Font(face)
    value, tags = shaper.get_style_value, harfbuzz.StyleTag
    known = {axis.tag: Axis(axis.min_value, axis.default_value, axis.max_value) for axis in face.axis_infos}
    order = list(known)
    styles: dict[At, tuple[str, ...]] = {}
    for one in face.named_instances:
        at = _at(known, dict(zip(order, one.design_coords, strict=False)))
        called = [f"{family} {name(one.subfamily_name_id)}", name(one.postscript_name_id)]
        if at:
            styles.setdefault(at, tuple(filter(None, called)))
    return Member(
        path,
        index,
        data,
        digest,
        family,
        tuple(filter(None, names)),
        styles,
        known,
        value(tags.WEIGHT),
        value(tags.WIDTH),
        value(tags.ITALIC) >= 0.5 or value(tags.SLANT_ANGLE) < 0,
        font if isinstance(font, tuple) else _fault(face, names[0]),
    )


def _is_cut_off(data: bytes, index: int) -> bool:
    """Return whether a table extends beyond the end of the file; HarfBuzz would accept it."""
    (at,) = struct.unpack_from(">L", data, 12 + 4 * index) if data[:4] == b"ttcf" else (0,)
    (count,) = struct.unpack_from(">H", data, at + 4)
    rows = struct.iter_unpack(">8x2L", data[at + 12 : at + 12 + 16 * count])
    return any(offset + length > len(data) for offset, length in rows)


def _fault(face: harfbuzz.Face, title: str) -> Fault | None:
    """Return another fault that would make a font look different in some programs."""
    for table, what in _COLOURED.items():
        if table in face.table_tags:
            return (
                f'the letters of the font "{title}" have their own {what}',
                "choose one that prints in a single ink",
            )
    if _is_knotted(face):
        return f'letters of the font "{title}" are made from too many parts', "choose another font"
    return None


def _is_knotted(face: harfbuzz.Face) -> bool:
    """Return whether a glyph contains itself, or far too many parts: some programs would never finish.

    https://learn.microsoft.com/typography/opentype/spec/glyf#composite-glyph-description
    """
    head, outlines, where = (bytes(face.reference_table(tag).data or b"") for tag in ("head", "glyf", "loca"))
    unit, step = (">L", 1) if head[50:52] == b"\0\1" else (">H", 2)
    starts = (step * start for (start,) in struct.iter_unpack(unit, where[: len(where) // 4 * 4]))
    parts = {glyph: _parts_of(outlines, at) for glyph, at in enumerate(starts) if outlines[at : at + 1] >= b"\x80"}
    totals: dict[int, int] = {}

    def total(glyph: int, deep: int) -> int:
        if glyph not in totals:
            count = 1 if deep < MOST_DEEP else MOST_PARTS + 1
            for part in parts.get(glyph, ()):
                if count <= MOST_PARTS:
                    count += total(part, deep + 1)
            totals[glyph] = count
        return totals[glyph]

    return any(total(glyph, 0) > MOST_PARTS for glyph in parts)


def _parts_of(outlines: bytes, at: int) -> list[int]:
    """Return the glyphs that a glyph is composed of."""
    found: list[int] = []
    at += 10
    while at + 4 <= len(outlines) and len(found) <= MOST_PARTS:
        flags, glyph = struct.unpack_from(">HH", outlines, at)
        found.append(glyph)
        if not flags & 0x20:  # none follows
            break
        at += 8 if flags & 0x1 else 6
        at += 2 if flags & 0x8 else 4 if flags & 0x40 else 8 if flags & 0x80 else 0
    return found


def _within(axis: Axis, value: float) -> float:
    return min(max(value, axis.least), axis.most)


def _at(axes: Mapping[str, Axis], at: Mapping[str, float]) -> At:
    return tuple(sorted((axis, float(value)) for axis, value in at.items() if value != axes[axis].usual))


def _plain(name: str) -> str:
    """Return a name that people can type: without invisible characters, and not too long."""
    shown = "".join(char if unicodedata.category(char)[0] != "C" else " " for char in name[: 4 * LONGEST_NAME])
    return " ".join(unicodedata.normalize("NFC", shown).split())[:LONGEST_NAME].strip()


_NUMBER = re.compile(r"-?[0-9]{1,5}(\.[0-9]{1,5})?")
_UNSAFE = re.compile("^[^A-Za-z]+|[^A-Za-z0-9-]")
"""Characters not allowed in both CSS identifiers and PDF names."""
