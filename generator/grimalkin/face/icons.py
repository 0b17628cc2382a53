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
from grimalkin.face.subset import (
    ELEMENTS,
    GRID,
    INSTEAD,
    SVG,
    Fault,
    foreign_hint,
    missing_fault,
    nesting_fault,
    stretch_fault,
    unchecked_fault,
)
from grimalkin.face.xml import PARSER, Element, line_of, tag_of, without_notes, xml_message
from grimalkin.problems import GUIDE, Place, Problems, colour_hint, did_you_mean, shown_path
from grimalkin.problems.plain import listed
from grimalkin.source import data_folder, files_in, read_bytes

MOST_BYTES = 1_000_000
"""Of an icon. Ours have a few thousand at the most."""
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp")
MOST_ELEMENTS = 5_000
_WORDS = ("title", "desc")
_SHAPES = ("circle", "ellipse", "g", "line", "path", "polygon", "polyline", "rect", *_WORDS)
"""What stands on faces and in the text of pages alike; letters and what is used by its name do not."""


_INSTEAD = {"defs": "nothing is used by its name in an icon; leave it out"}
_UNDRAWN = frozenset(
    [
        "viewBox", "width", "height", "x", "y", "id", "class", "version", "baseProfile", "role", "focusable", "lang",
        "enable-background",
    ]
)  # fmt: skip
"""Attributes of an <svg> that change nothing in an icon, which is drawn as large as it is used, and without styles."""
_ANYWAY = {
    "fill": ("currentColor",), "fill-rule": ("nonzero",), "clip-rule": ("nonzero",), "stroke": ("none",),
    "stroke-width": ("1",), "stroke-linecap": ("butt",), "stroke-linejoin": ("miter",), "stroke-dasharray": ("none",),
    "stroke-miterlimit": ("4",), "opacity": ("1",), "fill-opacity": ("1",), "stroke-opacity": ("1",), "style": ("",),
    "preserveAspectRatio": ("xMidYMid", "xMidYMid meet"),
}  # fmt: skip
"""Others, where they say what holds anyway: an icon takes the colour that it is used with."""


class Icons(Mapping[str, Path]):
    """The shared icons and a game's own, by name; without a folder the shared ones alone."""

    def __init__(self, folder: Path | None, problems: Problems, kin: str = "") -> None:
        self.problems = problems
        self.kin = data_folder("content") / kin if kin else None
        """The folder of an installed game whose icons are found, too."""
        self.folder = folder
        shared = files_in(data_folder("templates"), "icons", ".svg", problems)
        self.own = {path.stem: path for path in (files_in(folder, "icons", ".svg", problems) if folder else ())}
        more = files_in(self.kin, "icons", ".svg", problems) if self.kin else []
        self.of_kin = {path.stem: path for path in more}
        self.paths = {**{path.stem: path for path in shared}, **self.of_kin, **self.own}
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
        own, of_kin = (self.folder if name in self.own else None), (self.kin if name in self.of_kin else None)
        data = read_bytes(path, self.problems, own or of_kin or data_folder("templates"), MOST_BYTES)
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
        without_notes(svg)
        lost = {str(key): str(value) for key, value in svg.attrib.items() if not _is_harmless(str(key), str(value))}
        if lost:
            self.problems.add(Place(shown, _line_of_attribute(data, next(iter(lost)))), *_lost(lost))
            return None
        symbol = etree.Element(f"{{{SVG}}}symbol", {"id": f"icon-{name}", "viewBox": svg.get("viewBox", "")})
        symbol.extend(child for child in svg if tag_of(child) not in _WORDS and not _is_empty_defs(child))
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


def _is_harmless(key: str, value: str) -> bool:
    """Whether an icon is drawn the same without this attribute of its <svg>."""
    return key in _UNDRAWN or key.startswith(("aria-", "data-")) or " ".join(value.split()) in _ANYWAY.get(key, ())


def _lost(attributes: Mapping[str, str]) -> Fault:
    """That what an <svg> would pass on to its shapes is not drawn, and where to write it."""
    shown = listed([f'{key}="{value[:40]}"' for key, value in attributes.items()])
    message = f"{shown} of the <svg> {'is' if len(attributes) == 1 else 'are'} not drawn"
    instead = next(filter(None, map(INSTEAD.get, attributes)), "")
    if not attributes.keys() <= ELEMENTS["g"]:
        return message, instead or f"leave out {listed([key for key in attributes if key not in ELEMENTS['g']])}"
    passed = [f'{key}="{_as_ours(key, value)}"' for key, value in attributes.items()]
    return message, f"write <g {' '.join(passed)}> around the shapes"


def _as_ours(key: str, value: str) -> str:
    """The value of an attribute as it may be written here, when that is plain."""
    if not unchecked_fault("g", key, value):
        return value[:40]
    if key not in ("fill", "stroke"):
        return "…"
    return next(iter(re.findall('"(#.*)"', colour_hint(value))), "") if value.startswith("#") else "#rrggbb"


def _line_of_attribute(data: bytes, key: str) -> int:
    """The line of an attribute of the outermost element: a long one has a line for each."""
    text = data.decode("utf-8", "replace")
    head, begins, rest = text.partition("svg")
    found = re.search(rf"\s{re.escape(key.rpartition('}')[2])}\s*=", rest)
    return (head + begins + rest[: found.end()]).count("\n") + 1 if found else 0


def _is_empty_defs(element: Element) -> bool:
    """Whether it keeps nothing to be used: drawing programs write such <defs> into every file."""
    return tag_of(element) == "defs" and not len(element) and not (element.text or "").strip()


def _fault(element: Element) -> Fault | None:
    """What is wrong with one element of an icon."""
    tag = tag_of(element)
    if tag not in _SHAPES or element.tag != f"{{{SVG}}}{tag}":
        hint = foreign_hint(element) or _INSTEAD.get(tag) or did_you_mean(tag, _SHAPES, GUIDE)
        return f"<{tag}> is not drawn in an icon", hint
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
