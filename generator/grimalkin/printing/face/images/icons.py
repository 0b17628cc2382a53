"""Turn a game's icon files into symbols. Each is read and checked once, and its faults are reported by line."""

from __future__ import annotations

import os
import re
from pathlib import Path

from lxml import etree

from grimalkin.content.texts.references import ICONS
from grimalkin.printing.face.images.drawings import NOTHING, Remark, draws
from grimalkin.printing.face.svg.paths import PathFault, absolute_path, view_box_of
from grimalkin.printing.face.svg.subset import SVG, missing_fault, nesting_fault, stretch_fault, unchecked_fault
from grimalkin.printing.face.svg.xml import PARSER, Element, tag_of, without_notes
from grimalkin.problems import Place, Problems, did_you_mean, shown_path
from grimalkin.source import data_folder, files_in, read_bytes

MOST_BYTES = 1_000_000
"""The limit for an icon, in bytes. Ours have at most a few thousand."""
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp")
MOST_ELEMENTS = 5_000
_WORDS = ("title", "desc")
_SHAPES = ("circle", "ellipse", "g", "line", "path", "polygon", "polyline", "rect", *_WORDS)
"""Elements that work both on faces and within the text of web pages, unlike text and <use>."""


_UNDRAWN = frozenset(
    [
        "viewBox", "width", "height", "x", "y", "id", "class", "version", "baseProfile", "role", "focusable", "lang",
        "enable-background",
    ]
)  # fmt: skip
"""Attributes of an <svg> that do not affect an icon, which is drawn at the size of its use and without styles."""
_ANYWAY = {
    "fill": ("currentColor",), "fill-rule": ("nonzero",), "clip-rule": ("nonzero",), "stroke": ("none",),
    "stroke-width": ("1",), "stroke-linecap": ("butt",), "stroke-linejoin": ("miter",), "stroke-dasharray": ("none",),
    "stroke-miterlimit": ("4",), "opacity": ("1",), "fill-opacity": ("1",), "stroke-opacity": ("1",), "style": ("",),
    "preserveAspectRatio": ("xMidYMid", "xMidYMid meet"),
}  # fmt: skip
"""Attributes with values that apply anyway: an icon takes the colour that it is used with."""


class Icons(dict[str, Path]):
    """The shared icons and a game's own, by name; without a folder, only the shared icons."""

    def __init__(self, folder: Path | None, problems: Problems, kin: str = "") -> None:
        self.problems = problems
        self.kin = data_folder("content") / kin if kin else None
        """The folder of an installed game whose icons are also available."""
        self.folder = folder
        shared = files_in(data_folder("templates"), "icons", ".svg", problems)
        self.own = {path.stem: path for path in (files_in(folder, "icons", ".svg", problems) if folder else ())}
        more = files_in(self.kin, "icons", ".svg", problems) if self.kin else []
        self.of_kin = {path.stem: path for path in more}
        super().__init__({path.stem: path for path in shared} | self.of_kin | self.own)
        self.read: dict[str, Element | None] = {}

    def fault(self, name: str, written: str = "") -> tuple[str, str]:
        """Return the message about a name that no icon has, as it is `written`, and a hint."""
        return f'there is no icon "{written or name}"', self._hint(name)

    def _hint(self, name: str) -> str:
        for ending in _PICTURES if self.folder and re.fullmatch(r"[\w-]{1,60}", name) else ():
            if os.path.lexists(self.folder / "icons" / f"{name}{ending}"):  # type: ignore[operator]
                return f"icons/{name}{ending} is not read; an icon is an SVG file: icons/{name}.svg"
        return did_you_mean(name, self, ICONS)

    def symbol(self, name: str) -> Element | None:
        """Return an icon as a shared <symbol>; None with a problem if it cannot be drawn.

        It keeps its viewBox; shapes without their own fill take the colour that the icon is used with.
        """
        if name not in self.read:
            self.read[name] = self._symbol(self[name], name)
        return self.read[name]

    def _symbol(self, path: Path, name: str) -> Element | None:
        """Read an icon. One drawn like ours stays as written; any other is read as ordinary SVG."""
        own, of_kin = (self.folder if name in self.own else None), (self.kin if name in self.of_kin else None)
        data = read_bytes(path, self.problems, own or of_kin or data_folder("templates"), MOST_BYTES)
        if data is None:
            return None
        symbol = _plain_symbol(data, name)
        faults: list[Remark] = []
        if symbol is None:
            from grimalkin.printing.face.art import Art, read_art  # a slow import, and most icons are ours

            art = read_art(data, f"icon-{name}-", icon=True, pictures=_no_picture)
            if isinstance(art, Art):
                box = " ".join(f"{number:g}" for number in art.box)
                symbol = etree.Element(f"{{{SVG}}}symbol", {"id": f"icon-{name}", "viewBox": box})
                symbol.append(art.element)
                faults = [] if draws(symbol) else [NOTHING]
            else:
                faults = art
        if symbol is not None and sum(1 for _ in symbol.iter()) > MOST_ELEMENTS:
            faults = [(1, f"it has more than {MOST_ELEMENTS:,} shapes", "an icon needs only a few: place it as art")]
        for line, message, hint in faults:
            self.problems.add(Place(shown_path(path), line), message, hint)
        return None if faults else symbol


def _plain_symbol(data: bytes, name: str) -> Element | None:
    """Return an icon as written if it is drawn like ours: shapes in flat ink, in the subset that faces use."""
    try:
        svg = etree.fromstring(data, PARSER)
    except etree.XMLSyntaxError:
        return None
    box = svg.get("viewBox", "")
    if svg.tag != f"{{{SVG}}}svg" or view_box_of(box) is None or (svg.text or "").strip():
        return None
    without_notes(svg)
    if not all(_is_harmless(str(key), str(value)) for key, value in svg.attrib.items()):
        return None
    symbol = etree.Element(f"{{{SVG}}}symbol", {"id": f"icon-{name}", "viewBox": box})
    symbol.extend(child for child in svg if tag_of(child) not in _WORDS and not _is_empty_defs(child))
    return symbol if all(map(_is_plain, symbol.iterdescendants())) else None


def _no_picture(_: str) -> tuple[str, str]:
    return "a picture is not drawn in an icon", "draw it with shapes, or place it on faces as art"


def _is_harmless(key: str, value: str) -> bool:
    """Return whether an icon looks the same without this attribute of its <svg> element."""
    return key in _UNDRAWN or key.startswith(("aria-", "data-")) or " ".join(value.split()) in _ANYWAY.get(key, ())


def _is_empty_defs(element: Element) -> bool:
    """Return whether an element is an empty <defs>: drawing programs write one into every file."""
    return tag_of(element) == "defs" and not len(element) and not (element.text or "").strip()


def _is_plain(element: Element) -> bool:
    """Return whether an element of an icon can be drawn as written."""
    tag, holder = tag_of(element), element.getparent()
    if tag not in _SHAPES or element.tag != f"{{{SVG}}}{tag}":
        return False
    if any(unchecked_fault(tag, str(key), str(value)) for key, value in element.attrib.items()):
        return False
    if missing_fault(tag, [str(key) for key in element.attrib]) or stretch_fault(element):
        return False
    if any((text or "").strip() for text in (element.text if tag not in _WORDS else "", element.tail)):
        return False
    if any(value.startswith("url(") for value in map(str, element.attrib.values())):
        return False
    try:
        absolute_path(element.get("d", ""))
    except PathFault:
        return False
    return holder is None or nesting_fault(str(holder.tag), tag) is None
