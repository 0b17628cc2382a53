"""Font files of every kind, made of the fonts that come with Grimalkin, and of one that is drawn here."""

from __future__ import annotations

import io
import struct
from functools import cache
from pathlib import Path
from typing import Any

from fontTools.cffLib import FDArrayIndex, FDSelect, FontDict, SubrsIndex
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.psCharStrings import T2CharString
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTCollection, TTFont, newTable
from fontTools.ttLib.tables._g_l_y_f import Glyph, GlyphComponent
from fontTools.ttLib.tables._k_e_r_n import KernTable_format_0
from fontTools.ttLib.tables.TupleVariation import TupleVariation

from grimalkin.printing.type.fonts import font_paths

LETTERS = "abcdefghij"
"""Of the font that is drawn here. The first is a box, and each is wider than the one before it."""


@cache
def installed(name: str = "SourceSansPro", ending: str = ".ttf") -> bytes:
    """The file of an installed font; some are there as OpenType too."""
    return Path(font_paths()[name]).with_suffix(ending).read_bytes()


def saved(font: Any, flavor: str | None = None) -> bytes:
    """A font of fontTools as a file."""
    font.flavor = flavor
    file = io.BytesIO()
    font.save(file, reorderTables=None)
    return file.getvalue()


def opened(data: bytes) -> TTFont:
    return TTFont(io.BytesIO(data), recalcTimestamp=False, recalcBBoxes=False)


@cache
def called(
    family: str, style: str = "Regular", data: bytes | None = None, flavor: str | None = None, rights: int = 0
) -> bytes:
    """A font with another name, and what may be done with it."""
    font = opened(data or installed())
    _name(font, family, style)
    font["OS/2"].fsType = rights
    return saved(font, flavor)


def _name(font: TTFont, family: str, style: str) -> None:
    plain = f"{family}-{style}".replace(" ", "")
    names: Any = font["name"]
    for number in (16, 17, 21, 22, 25):
        names.removeNames(nameID=number)
    for number, name in ((1, family), (2, style), (4, f"{family} {style}"), (6, plain)):
        names.removeNames(nameID=number)
        names.setName(name, number, 3, 1, 0x409)
    about: Any = font["OS/2"]
    about.usWeightClass = 700 if "Bold" in style else 400
    about.fsSelection = 0x20 * ("Bold" in style) + 0x01 * ("Italic" in style)
    font["head"].macStyle = ("Bold" in style) + 2 * ("Italic" in style)  # type: ignore[attr-defined]


def collection(*fonts: bytes) -> bytes:
    """These fonts in one file."""
    whole = TTCollection()
    whole.fonts = [opened(data) for data in fonts]
    file = io.BytesIO()
    whole.save(file)
    return file.getvalue()


def _begun(family: str, is_ttf: bool) -> FontBuilder:
    builder = FontBuilder(1000, isTTF=is_ttf)
    builder.setupGlyphOrder([".notdef", "space", *(f"letter.{char}" for char in LETTERS)])
    builder.setupCharacterMap({32: "space", **{ord(char): f"letter.{char}" for char in LETTERS}})
    plain = family.replace(" ", "")
    names = {"familyName": family, "styleName": "Regular", "fullName": family, "psName": f"{plain}-Regular"}
    builder.setupNameTable(names)
    return builder


def _box(pen: Any, width: int) -> None:
    """A box with a hole, so that one sees which way its contours turn."""
    for left, foot, right, top in ((50, 0, width - 50, 700), (110, 600, width - 110, 100)):
        pen.moveTo((left, foot))
        pen.lineTo((left, top))
        pen.lineTo((right, top))
        pen.lineTo((right, foot))
        pen.closePath()


def _width(number: int) -> int:
    return 300 + 40 * number


def _finished(builder: FontBuilder) -> TTFont:
    order = builder.font.getGlyphOrder()
    builder.setupHorizontalMetrics({name: (_width(number), 50) for number, name in enumerate(order)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, sCapHeight=700, sxHeight=500)
    builder.setupPost()
    return builder.font


@cache
def variable(family: str = "Vario", ending: str = "ttf") -> bytes:
    """A font whose letters get wider from weight 100 to 900, and lean; "Bold" and "Wide Open" are styles with names.

    A letter at weight 400 is as wide as `_width` says, at 900 it is 200 units wider.
    """
    builder = _begun(family, ending == "ttf")
    order = builder.font.getGlyphOrder()
    axes = [("wght", 100, 400, 900, "Weight"), ("slnt", -12, 0, 0, "Slant")]
    instances = [
        {"location": {"wght": 400, "slnt": 0}, "stylename": "Regular"},
        {"location": {"wght": 700, "slnt": 0}, "stylename": "Bold"},
        {"location": {"wght": 900, "slnt": 0}, "stylename": "Wide Open"},
    ]
    if ending == "ttf":
        glyphs = {}
        for number, name in enumerate(order):
            pen = TTGlyphPen(None)
            if name not in ("space",):
                _box(pen, _width(number))
            glyphs[name] = pen.glyph()
        builder.setupGlyf(glyphs)
        font = _finished(builder)
        builder.setupFvar(axes, instances)
        heavy = {"wght": (0.0, 1.0, 1.0)}
        light = {"wght": (-1.0, -1.0, 0.0)}
        lean = {"slnt": (-1.0, -1.0, 0.0)}
        variations = {}
        for name in order:
            points = 8 if name != "space" else 0
            wider = [(0, 0), (0, 0), (200, 0), (200, 0)] * (points // 4)
            leaning = [(0, 0), (150, 0), (150, 0), (0, 0), (130, 0), (20, 0), (20, 0), (130, 0)][:points]
            phantom = [(0, 0), (200, 0), (0, 0), (0, 0)]
            none = [(0, 0)] * 4
            variations[name] = [
                TupleVariation(heavy, [*wider, *phantom]),
                TupleVariation(light, [(-x // 2, y) for x, y in [*wider, *phantom]]),
                TupleVariation(lean, [*leaning, *none]),
            ]
        builder.setupGvar(variations)
        return saved(font)
    heavy = {"wght": (0.0, 1.0, 1.0)}
    strings = {}
    for number, name in enumerate(order):
        program: list[Any] = []
        if name != "space":
            width = _width(number)
            inner = width - 220
            # The right side of each contour is moved by 200 at the heaviest; the hole begins 60 from the box's corner.
            program = [
                50, 0, "rmoveto", 0, 700, "rlineto", width - 100, 200, 1, "blend", 0, "rlineto", 0, -700, "rlineto",
                110 - (width - 50), -200, 1, "blend", 600, "rmoveto", 0, -500, "rlineto", inner, 200, 1, "blend", 0,
                "rlineto", 0, 500, "rlineto",
            ]  # fmt: skip
        strings[name] = T2CharString(program=program)
    builder.setupFvar(axes[:1], [{**one, "location": {"wght": one["location"]["wght"]}} for one in instances])
    builder.setupCFF2(strings, regions=[heavy])
    return saved(_finished(builder))


@cache
def numbered(family: str = "Cider") -> bytes:
    """A font as those for Chinese are: its letters have numbers instead of names, and others than their places."""
    builder = _begun(family, False)
    order = builder.font.getGlyphOrder()
    strings = {}
    for number, name in enumerate(order):
        pen = T2CharStringPen(_width(number), None)
        if name != "space":
            _box(pen, _width(number))
        strings[name] = pen.getCharString()
    builder.setupCFF(f"{family}-Regular", {"FullName": family}, strings, {})
    font = _finished(builder)
    cff: Any = font["CFF "].cff  # type: ignore[attr-defined]
    top = cff.topDictIndex[0]
    cids = {name: ".notdef" if not number else f"cid{500 - 10 * number:05d}" for number, name in enumerate(order)}
    inner = FontDict()
    inner.Private = top.Private
    top.ROS = ("Adobe", "Identity", 0)
    top.CIDCount = 600
    top.FDArray = FDArrayIndex()
    top.FDArray.strings = None
    top.FDArray.GlobalSubrs = top.GlobalSubrs
    top.FDArray.append(inner)
    top.FDSelect = FDSelect()
    top.FDSelect.format = 3
    top.FDSelect.gidArray = [0] * len(order)
    top.CharStrings.fdSelect, top.CharStrings.fdArray = top.FDSelect, top.FDArray
    top.charset = [cids[name] for name in order]
    top.CharStrings.charStrings = {cids[name]: index for name, index in top.CharStrings.charStrings.items()}
    del top.Private
    font.setGlyphOrder(top.charset)
    font["hmtx"].metrics = {cids[name]: value for name, value in font["hmtx"].metrics.items()}  # type: ignore[attr-defined]
    for table in font["cmap"].tables:  # type: ignore[attr-defined]
        table.cmap = {char: cids[name] for char, name in table.cmap.items()}
    return saved(font)


def ruled(rules: str, data: bytes | None = None) -> bytes:
    """The font that is drawn here with rules in the language of features; it calls its letters letter.a to letter.j."""
    font = opened(data or still(variable()))
    addOpenTypeFeaturesFromString(font, rules)
    return saved(font)


CYRILLIC_KERNING = "languagesystem cyrl dflt; feature kern { pos letter.a letter.b 90; } kern;"
"""Rules that say nothing of Latin letters."""


def kerned(rules: str = "", family: str = "Kerned") -> bytes:
    """A font that is kerned by the old table, as many of the free ones are; with rules by these too."""
    data = still(variable(family))
    font: Any = opened(ruled(rules, data) if rules else data)
    table = KernTable_format_0()
    table.coverage, table.format, table.apple = 1, 0, False
    table.kernTable = {("letter.a", "letter.b"): -200, ("letter.i", "letter.j"): 150}
    font["kern"] = newTable("kern")
    font["kern"].version, font["kern"].kernTables = 0, [table]
    return saved(font)


def still(data: bytes) -> bytes:
    """A variable font as it stands by itself, with nothing that could be moved."""
    font = opened(data)
    for table in ("fvar", "gvar", "STAT"):
        if table in font:
            del font[table]
    return saved(font)


def put_together(*parts: tuple[int, ...]) -> bytes:
    """The font that is drawn here with letters made of others: for each letter, the places of its parts."""
    font = opened(still(variable()))
    order = font.getGlyphOrder()
    for number, places in enumerate(parts, 2):
        glyph = Glyph()
        glyph.numberOfContours, glyph.components = -1, []
        glyph.xMin = glyph.yMin = glyph.xMax = glyph.yMax = 0
        for place in places:
            part = GlyphComponent()
            part.glyphName, part.x, part.y, part.flags = order[place], 0, 0, 4
            glyph.components.append(part)
        font["glyf"].glyphs[order[number]] = glyph  # type: ignore[attr-defined]
    return saved(font)


def spoiled(data: bytes, table: str, at: int, by: bytes) -> bytes:
    """A font with other bytes at a place in one of its tables."""
    (count,) = struct.unpack_from(">H", data, 4)
    for row in range(count):
        tag, _, start, _ = struct.unpack_from(">4s3L", data, 12 + 16 * row)
        if tag == table.encode():
            return data[: start + at] + by + data[start + at + len(by) :]
    raise KeyError(table)


def winding(deep: int, wide: int) -> bytes:
    """A font with outlines of PostScript that call parts, which call parts, so many times over, so many deep."""
    font = opened(numbered("Vario"))
    cff: Any = font["CFF "].cff  # type: ignore[attr-defined]
    top = cff.topDictIndex[0]
    inner = top.FDArray[0].Private
    inner.Subrs = SubrsIndex()
    for number in range(deep):
        calls = [number + 1 - 107, "callsubr"] * wide if number < deep - 1 else [1, 1, "rlineto"]
        inner.Subrs.append(T2CharString(program=[*calls, "return"], private=inner, globalSubrs=cff.GlobalSubrs))
    for name in top.charset[2:]:
        letter = top.CharStrings[name]
        letter.program, letter.bytecode = [500, 0, 0, "rmoveto", -107, "callsubr", "endchar"], None
    return saved(font)
