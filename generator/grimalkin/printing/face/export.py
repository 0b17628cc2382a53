"""Save a Face as a standalone SVG with subset WOFF2 fonts inside: an SVG picture cannot load a page's fonts."""

from __future__ import annotations

import base64
import copy
from collections.abc import Callable, Iterable
from functools import lru_cache

from lxml import etree

from grimalkin.content.stocks import Stock
from grimalkin.printing.face.cut import ON_PAGES, lettered
from grimalkin.printing.face.fonts import SANS, SANS_ITALIC, SANS_SEMIBOLD, SERIF_BLACK, known_font
from grimalkin.printing.face.layers import Face
from grimalkin.printing.face.packed import packed, packed_quickly
from grimalkin.printing.face.shaping import features_of
from grimalkin.printing.face.subset import SVG
from grimalkin.printing.face.xml import inherited

FONTS_OF_PAGES = {
    "sans": SANS,
    "sans-bold": SANS_SEMIBOLD,
    "sans-italic": SANS_ITALIC,
    "serif": SERIF_BLACK,
    "hand": "AmaticSCBold",
}
"""The fonts of the site and of the preview, by file name."""


def standalone_svg(
    face: Face, title: str = "", bleed: bool = False, change: Callable[[etree._Element], None] = lambda _: None
) -> str:
    """Return the face as SVG that looks the same in any browser, trimmed or with bleed; apply `change` to its root."""
    root = copy.deepcopy(face.root)
    change(root)
    if not bleed:
        _cut(root, face)
    letters: dict[str, set[str]] = {}
    variants: dict[str, set[str]] = {}
    for element in root.iter(f"{{{SVG}}}text", f"{{{SVG}}}tspan"):
        family = inherited(element, "font-family")
        if family:
            letters.setdefault(family, set()).update(element.text or "", element.tail or "")
            variants.setdefault(family, set()).update((inherited(element, "font-variant") or "").split())
    if letters:
        style = etree.SubElement(root, f"{{{SVG}}}style")
        style.text = "text{white-space:pre}" + "".join(
            f"@font-face{{font-family:{family};src:url(data:font/woff2;base64,{data})}}"
            for family, chars in sorted(letters.items())
            for data in [font_subset(family, frozenset(chars), frozenset(variants[family]))]
        )
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
    if not any(_covers(element, stock) for element in root):
        etree.SubElement(group, f"{{{SVG}}}path", {"d": stock.outline(), "fill": "#fff"})
    group.extend(list(root))
    root.append(clip)
    root.append(group)
    root.set("viewBox", f"0 0 {stock.width:g} {stock.height:g}")
    root.set("width", f"{stock.width:g}mm")
    root.set("height", f"{stock.height:g}mm")


def _covers(element: etree._Element, stock: Stock) -> bool:
    """Return whether an element covers the entire piece, so that no paper shows."""
    x, y, wide, high = (float(element.get(key, "0")) for key in ("x", "y", "width", "height"))
    is_rect = element.tag == f"{{{SVG}}}rect" and element.get("fill") != "none" and "rx" not in element.attrib
    return is_rect and x <= 0 and y <= 0 and x + wide >= stock.width and y + high >= stock.height


@lru_cache(maxsize=512)
def font_subset(family: str, letters: frozenset[str], variants: frozenset[str]) -> str:
    """Return a font with only these letters, as base64 WOFF2 with the kerning of the full font.

    The same letters give the same bytes. `variants` are the CSS variants in use: the various figures and small capitals
    make up a third of a font, so they are left out if unused.
    """
    return base64.b64encode(packed_quickly(_subset(family, letters, variants, ON_PAGES))).decode()


def page_font(family: str, letters: Iterable[str], variants: Iterable[str] = ()) -> bytes:
    """Return a font for all pages of a site, with only these letters, as WOFF2 of the smallest possible size.

    Pages do without kerning, which would take a twentieth of a page's size limit.
    """
    return packed(_subset(family, letters, variants, ()))


def _subset(family: str, letters: Iterable[str], variants: Iterable[str], features: Iterable[str]) -> bytes:
    font = known_font(family)
    return lettered(font, "".join(sorted(letters)), [*features, *features_of(" ".join(sorted(variants)))])
