"""The icons of a game: files in, symbols out, each read once and found sound, or told with its line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from lxml import etree

from grimalkin.content.references import ICONS
from grimalkin.face.paths import PathFault, absolute_path, view_box_of
from grimalkin.face.subset import GRID, SVG, Fault, missing_fault, nesting_fault, stretch_fault, unchecked_fault
from grimalkin.face.xml import PARSER, Element, line_of, tag_of, xml_message
from grimalkin.problems import GUIDE, Place, Problems, did_you_mean, shown_path
from grimalkin.source import data_folder, files_in, read_bytes

MOST_BYTES = 1_000_000
"""Of an icon. Ours have a few thousand at the most."""
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp")
MOST_ELEMENTS = 5_000
_WORDS = ("title", "desc")
_SHAPES = ("circle", "ellipse", "g", "line", "path", "polygon", "polyline", "rect", *_WORDS)
"""What stands on faces and in the text of pages alike; letters and what is used by its name do not."""


class Icons(Mapping[str, Path]):
    """The shared icons and a game's own, by name; without a folder the shared ones alone."""

    def __init__(self, folder: Path | None, problems: Problems) -> None:
        self.problems = problems
        self.folder = folder
        shared = files_in(data_folder("templates"), "icons", ".svg", problems)
        self.own = {path.stem: path for path in (files_in(folder, "icons", ".svg", problems) if folder else ())}
        self.paths = {**{path.stem: path for path in shared}, **self.own}
        self.read: dict[str, Element | None] = {}

    def __getitem__(self, name: str) -> Path:
        return self.paths[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    def hint(self, name: str) -> str:
        """What may be meant by a name that none of them has."""
        for ending in _PICTURES if self.folder and re.fullmatch(r"[\w-]{1,60}", name) else ():
            if os.path.lexists(self.folder / "icons" / f"{name}{ending}"):  # type: ignore[operator]
                return f"icons/{name}{ending} is not read; an icon is drawn in SVG, as icons/{name}.svg"
        return did_you_mean(name, self.paths, ICONS)

    def symbol(self, name: str) -> Element | None:
        """An icon as a <symbol>, None with a problem when it cannot be drawn. Nobody changes it.

        Its viewBox is kept; what has no fill of its own takes the colour it is used with.
        """
        if name not in self.read:
            self.read[name] = self._symbol(self.paths[name], name)
        return self.read[name]

    def _symbol(self, path: Path, name: str) -> Element | None:
        shown = shown_path(path)
        own = self.folder is not None and name in self.own
        data = read_bytes(path, self.problems, self.folder if own else data_folder("templates"), MOST_BYTES)
        if data is None:
            return None
        try:
            svg = etree.fromstring(data, PARSER)
        except etree.XMLSyntaxError as error:
            place = Place(shown, int(cast(Any, error).lineno or 0))
            message, hint = xml_message(error.msg)
            self.problems.add(place, f"it is not XML: {message}", hint)
            return None
        fault = _outer_fault(svg)
        if fault:
            self.problems.add(Place(shown), *fault)
            return None
        symbol = etree.Element(f"{{{SVG}}}symbol", {"id": f"icon-{name}", "viewBox": svg.get("viewBox", "")})
        symbol.extend(child for child in svg if tag_of(child) not in ("title", "desc"))
        sound = True
        for element in symbol.iterdescendants():
            fault = _fault(element)
            if fault:
                sound = False
                self.problems.add(Place(shown, line_of(element)), *fault)
        return symbol if sound else None


def _outer_fault(svg: Element) -> Fault | None:
    """What is wrong with an icon as a whole."""
    if svg.tag != f"{{{SVG}}}svg":
        what = "<svg> without its namespace" if tag_of(svg) == "svg" else f"<{tag_of(svg)}>"
        return f"its outermost element is {what}", f'write <svg xmlns="{SVG}">'
    box = svg.get("viewBox")
    if box is None:
        return "it has no viewBox", f'write viewBox="{GRID}"'
    if view_box_of(box) is None:
        return f'its viewBox is "{box[:40]}"', f"write it as {GRID}"
    if svg.text and svg.text.strip():
        return f'the text "{svg.text.strip()[:40]}" is not drawn', "an icon is drawn with shapes"
    if sum(1 for _ in svg.iter()) > MOST_ELEMENTS:
        return f"it has more than {MOST_ELEMENTS:,} shapes", "an icon is drawn with few"
    return None


def _fault(element: Element) -> Fault | None:
    """What is wrong with one element of an icon."""
    tag = tag_of(element)
    if tag not in _SHAPES or element.tag != f"{{{SVG}}}{tag}":
        return f"<{tag}> is not drawn in an icon", did_you_mean(tag, _SHAPES, GUIDE)
    for key, value in element.attrib.items():
        fault = unchecked_fault(tag, str(key), str(value))
        if fault:
            return fault
    lacking = missing_fault(tag, [str(key) for key in element.attrib])
    if lacking:
        return lacking
    for text in (element.text if tag not in _WORDS else "", element.tail):
        if text and text.strip():
            return f'the text "{text.strip()[:40]}" is not drawn', "an icon is drawn with shapes"
    if tag == "path":
        try:
            absolute_path(element.get("d", ""))
        except PathFault as error:
            return f'the path "{element.get("d", "")[:40]}" cannot be read', str(error)
    holder = element.getparent()
    nested = nesting_fault(str(holder.tag), tag) if holder is not None else None
    return nested or stretch_fault(element)
