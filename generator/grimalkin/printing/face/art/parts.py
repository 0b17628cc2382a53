"""Types that the modules of the reader share, and small helpers for elements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from grimalkin.printing.face.art.boxes import View, box_of_path
from grimalkin.printing.face.art.properties import Style
from grimalkin.printing.face.art.values import plain
from grimalkin.printing.face.paths import Box, numbers_of
from grimalkin.printing.face.pictures import Fault, Picture, embedded_picture
from grimalkin.printing.face.subset import SVG
from grimalkin.printing.face.xml import Element


class Size(NamedTuple):
    """A picture by its reference, and its size in pixels."""

    href: str
    width: float
    height: float


Pictures = Callable[[str], Size | Fault]
"""Finds what an <image> refers to; a picture without a size is not drawn."""


def embedded(href: str) -> Size | Fault:
    """Return a picture embedded in the file itself."""
    found = embedded_picture(href, Path())
    return Size("".join(href.split()), *found.size) if isinstance(found, Picture) else found


Fonts = Callable[[str, int, bool], str | None]
"""Return the name of a font for a family, a weight from 1 to 1000, and whether it is italic (`fonts.find_font`)."""
SHAPES = frozenset(["path", "rect", "circle", "ellipse", "line", "polyline", "polygon"])


class Drawn(NamedTuple):
    """The result of drawing an element: its shapes, and the box around it, which includes invisible parts."""

    shapes: list[Element]
    box: Box | None = None


@dataclass(frozen=True)
class Within:
    """The surroundings in which an element is drawn."""

    style: Style
    view: View
    is_icon: bool = False
    """Whether uncoloured shapes take the colour that the icon is used with."""
    around: tuple[Element, ...] = ()
    """The elements being drawn right now, which must not be used again."""
    depth: int = 0
    scope: Element | None = None
    """The element brought in by <use>, if this is part of one: selectors see nothing outside it."""
    context: tuple[str, str] | None = None
    """The fill and stroke of the marker's line."""

    def under(self, style: Style, view: View | None = None) -> Within:
        return replace(self, style=style, view=view or self.view, depth=self.depth + 1)


def svg_element(tag: str, attributes: dict[str, str] | None = None, shapes: list[Element] | None = None) -> Element:
    made = etree.Element(f"{{{SVG}}}{tag}", attributes or {}, {None: SVG})  # type: ignore[dict-item]  # default namespace
    made.extend(shapes or [])
    return made


_OF_GROUPS = ("transform", "opacity", "clip-path", "mask")


def wrapped(shapes: list[Element], attributes: dict[str, str]) -> Element:
    """Return shapes with the attributes of a group; a single shape gets them itself if it has none of them yet."""
    if len(shapes) == 1 and not any(name in shapes[0].attrib for name in _OF_GROUPS):
        set_all(shapes[0], attributes)
        return shapes[0]
    return svg_element("g", attributes, shapes)


def placed(x: float, y: float, width: float, height: float) -> dict[str, str]:
    """Return a position and size as attributes."""
    return {name: plain(value) for name, value in (("x", x), ("y", y), ("width", width), ("height", height))}


def set_all(shape: Element, attributes: dict[str, str]) -> None:
    for name, value in attributes.items():
        shape.set(name, value)


def attributes_of(shape: Element) -> dict[str, str]:
    return {str(name): str(value) for name, value in shape.attrib.items()}


def href_of(element: Element) -> str:
    return str(element.get("href") or element.get("{http://www.w3.org/1999/xlink}href") or "").strip()


def box_of(tag: str, attributes: dict[str, str]) -> Box | None:
    """Return the bounding box of a shape given in plain numbers."""
    if tag == "path":
        return box_of_path(attributes["d"])
    if tag in ("polyline", "polygon"):
        numbers = numbers_of(attributes["points"]) or ()
        return (min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2]))
    n = {name: float(value) for name, value in attributes.items()}
    if tag == "line":
        xs, ys = (n["x1"], n["x2"]), (n["y1"], n["y2"])
        return (min(xs), min(ys), max(xs), max(ys))
    if tag == "rect":
        return (n["x"], n["y"], n["x"] + n["width"], n["y"] + n["height"])
    rx, ry = (n["r"], n["r"]) if tag == "circle" else (n["rx"], n["ry"])
    return (n["cx"] - rx, n["cy"] - ry, n["cx"] + rx, n["cy"] + ry)
