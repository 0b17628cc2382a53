"""A Face: one side of a component, resolved into Layers of plain SVG in millimetres; alone, it is one SVG file.

A standalone SVG has subset WOFF2 fonts inside: an SVG picture cannot load a page's fonts.
"""

from __future__ import annotations

import base64
import copy
import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Literal

from lxml import etree

from grimalkin.content.stocks import Stock
from grimalkin.printing.face.fields import Field
from grimalkin.printing.face.flaws import Flaw, Told
from grimalkin.printing.face.images.pictures import Placed, data_uri
from grimalkin.printing.face.svg.paths import box_of_symbol
from grimalkin.printing.face.svg.subset import NAMESPACE, SVG
from grimalkin.printing.face.svg.xml import Element, inherited
from grimalkin.printing.type.font_files import ON_PAGES, lettered, packed, packed_quickly
from grimalkin.printing.type.fonts import SANS, SANS_ITALIC, SANS_SEMIBOLD, SERIF_BLACK, SERIF_ITALIC, Font, known_font
from grimalkin.printing.type.game_fonts import Fonts
from grimalkin.printing.type.shaping import features_of
from grimalkin.problems import Place
from grimalkin.source.digest import in_letters

_IMAGE = f"{{{SVG}}}image"
Inks = Literal["full", "low", "mono"]
"""Designs of a face: all its inks; white paper and outlines; black only. Templates know it as `inks`."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """A child of a face's outermost element, resolved. Faces share layers; nobody changes them."""

    element: Element
    boxes: Mapping[Element, Mapping[str, str]] = field(default_factory=dict)
    """The groups that were text boxes, with the attributes of the boxes."""
    look: bytes = b""
    """A digest of the drawing."""
    shared: bool = False
    """Whether it is kept because other faces also have it."""
    icons: frozenset[str] = frozenset()
    uses: tuple[str, ...] = ()
    """The targets of its <use> elements."""
    links: frozenset[tuple[str, str]] = frozenset()
    """The attributes that refer to clip paths, masks and paints, with the ids that they name."""
    targets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The ids in it, with the targets inside each."""
    defined: Mapping[str, str] = field(default_factory=dict)
    """The ids of clip paths, masks and paints in it, with the tag of each."""
    pictures: Mapping[str, Placed] = field(default_factory=dict)
    """The pictures in it, by the keys of its images."""
    form_field: Field | None = None
    """The form field, if this is one; then nothing is drawn."""
    fonts: Fonts | None = None
    """The game's fonts, kept here as long as text uses them."""
    flaws: tuple[Flaw, ...] = ()
    """The flaws of a face in a draft; its last layer holds them, and draws nothing."""
    art: frozenset[str] = frozenset()
    """The pictures and drawings in it, by their names in the folder `art`."""


@dataclass(frozen=True, eq=False)
class Face:
    """One side of a component, resolved: plain SVG in millimetres from the top left corner of the trim."""

    id: str
    """The component's id and the side: "penny-front"."""
    name: str
    alt: str
    stock: Stock
    content: tuple[Layer, ...] = field(repr=False)
    """The children of the outermost element, in painting order."""
    asked: frozenset[str] | None = field(default=None, repr=False)
    """The names that its template looked up, if known."""

    @property
    def layers(self) -> tuple[Layer, ...]:
        return self.content

    @property
    def root(self) -> Element:
        """The whole SVG, built afresh. Its viewBox includes the bleed."""
        return self.tree(data_uri)

    def tree(self, address: Callable[[Placed], str]) -> Element:
        """Return the whole SVG, built afresh at each call, with an address for each picture."""
        b, width, height = self.stock.bleed, self.stock.width, self.stock.height
        size = {
            "viewBox": f"{-b:g} {-b:g} {width + 2 * b:g} {height + 2 * b:g}",
            "width": f"{width + 2 * b:g}mm",
            "height": f"{height + 2 * b:g}mm",
        }
        root = etree.Element(f"{{{SVG}}}svg", size, nsmap=NAMESPACE)
        root.extend(copy.deepcopy(layer.element) for layer in self.content)
        _show_inks(root)
        _size_symbols(root)
        _ink_symbols(root)
        for image in root.iter(_IMAGE):
            image.set("href", address(self.pictures[image.get("href", "")]))
        etree.cleanup_namespaces(root)
        return root

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return the form's fields, in the order of the template."""
        return tuple(layer.form_field for layer in self.content if layer.form_field)

    @property
    def flaws(self) -> tuple[Flaw, ...]:
        """Return the flaws, if this is a face in a draft."""
        return tuple(flaw for layer in self.content for flaw in layer.flaws)

    @property
    def pictures(self) -> dict[str, Placed]:
        """Return the pictures on the face by the keys of its images; if one occurs in several sizes, the largest."""
        found = [one for layer in self.content for one in layer.pictures.values()]
        return {one.key: one for one in sorted(found, key=lambda one: -one.dpi)}

    @property
    def fonts(self) -> tuple[Font, ...]:
        """Return the fonts from the game's folder that the face uses."""
        found = (font for layer in self.content if layer.fonts for font in layer.fonts.made.values())
        return tuple(dict.fromkeys(found))

    @property
    def svg(self) -> str:
        return etree.tostring(self.root, encoding="unicode")

    @cached_property
    def digest(self) -> bytes:
        """Return a digest that changes with the printed look, the stock or the alternative text."""
        parts = [_cut(self.stock), self.alt.encode(), *[layer.look for layer in self.layers]]
        return hashlib.sha256(b"".join(parts)).digest()

    @cached_property
    def fingerprint(self) -> str:
        """Return six letters and digits of the digest."""
        return in_letters(int.from_bytes(self.digest[:4], "big"), 6)


def _size_symbols(root: Element) -> None:
    """Set the size of symbols without one to that of their grids. In SVG they would be as large as the whole face."""
    uses = [use for use in root.iter(f"{{{SVG}}}use") if "width" not in use.attrib or "height" not in use.attrib]
    symbols = {symbol.get("id"): symbol for symbol in root.iter(f"{{{SVG}}}symbol")} if uses else {}
    for use in uses:
        symbol = symbols.get(use.get("href", "#")[1:])
        if symbol is not None:
            left, top, right, foot = box_of_symbol(symbol)
            for key, length in (("width", right - left), ("height", foot - top)):
                use.set(key, use.get(key, f"{length:g}"))


def _show_inks(root: Element) -> None:
    """Replace colours that name inks by those that screens show."""
    for element in _INKED(root):
        for key in ("fill", "stroke", "stop-color"):
            value = element.get(key, "")
            if value[:1] == "#":
                element.set(key, value[:7])


_INKED: Any = etree.XPath("//*[contains(@fill, ' ') or contains(@stroke, ' ') or contains(@stop-color, ' ')]")


def _ink_symbols(root: Element) -> None:
    """Set `currentColor` in symbols, if any contains it, to the fill that they are used with."""
    if not _CURRENT(root):
        return
    root.set("color", "#000000")
    for use in root.iter(f"{{{SVG}}}use"):
        fill = inherited(use, "fill")
        if fill and fill.startswith("#"):
            use.set("color", fill)


_CURRENT = etree.XPath('boolean(//*[@fill="currentColor" or @stroke="currentColor"])')


@lru_cache(maxsize=256)
def _cut(stock: Stock) -> bytes:
    """Return the properties of a stock that can be seen on the finished piece."""
    unseen = {"name", "source", "safe", "drawing", "cut_colour", "crease_colour", "tab"}
    lines = f"{stock.lines.cuts}{stock.lines.creases}" if stock.lines else ""
    return (stock.model_dump_json(exclude=unseen) + lines).encode()


# Standalone files


FONTS_OF_PAGES = {
    "sans": SANS,
    "sans-bold": SANS_SEMIBOLD,
    "sans-italic": SANS_ITALIC,
    "serif": SERIF_BLACK,
    "hand": "AmaticSCBold",
    "line": SERIF_ITALIC,
}
"""The fonts of the site and of the preview, by file name."""


def standalone_svg(
    face: Face, title: str = "", bleed: bool = False, change: Callable[[etree._Element], None] = lambda _: None
) -> str:
    """Return the face as SVG that looks the same in any browser, trimmed or with bleed; apply `change` to its root."""
    root = face.root
    change(root)
    if not bleed:
        _trim(root, face)
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


def _trim(root: etree._Element, face: Face) -> None:
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


def flaws_of(faces: Iterable[Face | None]) -> list[Told]:
    """Return the flaws of faces, without duplicates, in the order of their places."""
    found: dict[tuple[Place, str], Told] = {}
    for face in filter(None, faces):
        for flaw in face.flaws:
            found.setdefault(flaw.key, Told(face.id, flaw)).faces[face.id] = None
    return [found[key] for key in sorted(found)]
