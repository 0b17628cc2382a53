"""A Face as an SVG file of its own, its fonts inside as subset WOFF2: a picture of SVG cannot load a page's fonts."""

from __future__ import annotations

import base64
import copy
import io
from functools import lru_cache

from lxml import etree

from grimalkin.face.compose import Face
from grimalkin.face.fonts import SANS, SANS_ITALIC, SANS_SEMIBOLD, SERIF_BLACK, font_paths
from grimalkin.face.subset import SVG

_COMMON = {*map(chr, range(0x20, 0x7F)), *"\u00a0·×–—‘’“”…−"}
"""Letters of most texts."""
FONTS_OF_PAGES = {
    "sans": SANS,
    "sans-bold": SANS_SEMIBOLD,
    "sans-italic": SANS_ITALIC,
    "serif": SERIF_BLACK,
    "hand": "AmaticSCBold",
}
"""The fonts of the site and of the preview, by the name of their file."""


def standalone_svg(face: Face, title: str = "", bleed: bool = False) -> str:
    """The face as text that any browser shows alike, cut to its trim or with its bleed. Kerning is off."""
    root = copy.deepcopy(face.root)
    if not bleed:
        _cut(root, face)
    letters: dict[str, set[str]] = {}
    for element in root.iter(f"{{{SVG}}}text", f"{{{SVG}}}tspan"):
        family: str | None = None
        parent: etree._Element | None = element
        while parent is not None and family is None:
            family = parent.get("font-family")
            parent = parent.getparent()
        if family:
            letters.setdefault(family, set()).update(element.text or "", element.tail or "")
    style = etree.Element(f"{{{SVG}}}style")
    rules = ["text{font-kerning:none;font-variant-ligatures:none;white-space:pre}"]
    for family, chars in sorted(letters.items()):
        data = font_subset(family, "".join(sorted(chars)))
        rules.append(f"@font-face{{font-family:{family};src:url(data:font/woff2;base64,{data})}}")
    style.text = "".join(rules)
    if letters:
        root.insert(0, style)
    if title:
        element = etree.Element(f"{{{SVG}}}title")
        element.text = title
        root.insert(0, element)
    return etree.tostring(root, encoding="unicode")


def _cut(root: etree._Element, face: Face) -> None:
    """Clip a face to the shape of its stock."""
    stock = face.stock
    clip = etree.Element(f"{{{SVG}}}clipPath", {"id": "trim"})
    etree.SubElement(clip, f"{{{SVG}}}path", {"d": stock.outline()})
    group = etree.Element(f"{{{SVG}}}g", {"clip-path": "url(#trim)"})
    group.extend(list(root))
    root.append(clip)
    root.append(group)
    root.set("viewBox", f"0 0 {stock.width:g} {stock.height:g}")
    root.set("width", f"{stock.width:g}mm")
    root.set("height", f"{stock.height:g}mm")


def font_subset(family: str, letters: str) -> str:
    """A font with these letters only, as base64 WOFF2."""
    return base64.b64encode(woff2(family, letters)).decode()


@lru_cache(maxsize=512)
def woff2(family: str, letters: str) -> bytes:
    """A font with these letters only, as WOFF2. The same letters give the same bytes."""
    source = _common(family) if set(letters) <= _COMMON else font_paths()[family].read_bytes()
    return _subset(source, letters, "woff2")


@lru_cache(maxsize=64)
def _common(family: str) -> bytes:
    """A font with the letters that most texts do with. Its subsets are those of the whole font, but sooner made."""
    return _subset(font_paths()[family].read_bytes(), "".join(sorted(_COMMON)), None)


def _subset(source: bytes, letters: str, flavor: str | None) -> bytes:
    """A font with these letters only. None of its layout features is kept."""
    from fontTools import subset  # a tenth of a second, and sheets do without
    from fontTools.ttLib import TTFont

    options = subset.Options()
    options.layout_features = []
    options.notdef_outline = True
    options.desubroutinize = True
    options.hinting = False
    options.name_IDs = []
    options.drop_tables += ["FFTM"]  # a time stamp of the font's editor
    buffer = io.BytesIO()
    with TTFont(io.BytesIO(source), recalcTimestamp=False, lazy=True) as font:
        for table in {"BASE", "GDEF", "GPOS", "GSUB"} & {*font.keys()}:
            del font[table]  # they are read for long, and none of their features is kept
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=letters)
        subsetter.subset(font)
        font.flavor = flavor
        font.save(buffer)
    return buffer.getvalue()
