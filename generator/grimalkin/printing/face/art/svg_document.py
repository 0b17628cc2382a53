"""A document being read: its styles, ids and definitions, and whatever the modules that draw its elements need."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any

from grimalkin.printing.face.art import values
from grimalkin.printing.face.art.cascade import Styles
from grimalkin.printing.face.art.faults import Remarks, Unreadable, shown
from grimalkin.printing.face.art.geometry import (
    CENTRED,
    Drawn,
    Fonts,
    Pictures,
    View,
    Within,
    grid_of,
    is_aspect,
    svg_element,
)
from grimalkin.printing.face.art.properties import INITIAL, Style
from grimalkin.printing.face.art.values import plain, px
from grimalkin.printing.face.svg.paths import (
    IDENTITY,
    MOST_LENGTH,
    Box,
    Matrix,
    PathFault,
    absolute_path,
    times,
)
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.face.svg.xml import Element, tag_of

MOST_SHAPES = 50_000
"""Drawn elements, each counted as often as it is used."""
MOST_DEPTH = 200
"""Levels of nesting, wherever the elements are used."""
MOST_WRITTEN = 15_000_000
"""Characters of paths and pictures, counted as often as they are used."""

MOVING = frozenset(["animate", "animateTransform", "animateMotion", "animateColor", "set", "discard"])
FLATTEN = "flatten it in the program that drew it, or save this as a picture"
WAYS_OUT = {
    "foreignObject": "draw its text with <text>, or save this as a picture",
    "textPath": "turn the text into paths in the program that drew it",
    "script": "remove it, and save what it draws",
}
_NEVER = {
    "filter": ("none", f"a filter (shadow, blur, glow) is made of pixels; {FLATTEN}"),
    "backdrop-filter": ("none", f"a filter is made of pixels; {FLATTEN}"),
    "mix-blend-mode": ("normal", f"colours are not blended; {FLATTEN}"),
    "animation": ("none", "nothing moves on paper; leave it out"),
    "animation-name": ("none", "nothing moves on paper; leave it out"),
    "mask-image": ("none", 'write mask="url(#id)" with the id of a <mask>'),
    "text-shadow": ("none", f"a shadow is made of pixels; {FLATTEN}"),
    "offset-path": ("none", "write a transform"),
    "translate": ("none", "write a transform"),
    "rotate": ("none", "write a transform"),
    "scale": ("none", "write a transform"),
    "d": ("unsaid", "write the attribute d"),
}
"""Unsupported properties: the value at which each has no effect, and a workaround."""
_EDGES = {"left": "0%", "center": "50%", "right": "100%"}


class Reading(ABC):
    """A document being read, and the depth of its elements. All ids in the result begin with `prefix`."""

    def __init__(
        self,
        root: Element,
        prefix: str,
        is_icon: bool,
        fonts: Fonts,
        pictures: Pictures,
        remarks: Remarks,
        depth: int,
    ) -> None:
        self.root, self.prefix, self.is_icon = root, prefix, is_icon
        self.fonts, self.pictures, self.remarks = fonts, pictures, remarks
        initial = {**INITIAL, "fill": "currentcolor", "stroke": ""} if is_icon else INITIAL
        self.styles = Styles(root, remarks, initial, depth)
        self.initial = initial
        self.defs = svg_element("defs")
        self.made: dict[object, Any] = {}
        """The definitions by what they were made from; None where that produced nothing."""
        self.ids: dict[str, Element] = {}
        for element in root.iter(f"{{{SVG}}}*"):
            if element.get("id"):
                self.ids.setdefault(str(element.get("id")), element)
            if tag_of(element) in MOVING:
                hint = "nothing moves on paper; leave it out"
                remarks.fault(element, f"<{tag_of(element)}> is not drawn", hint)
        self.shapes = self.written = 0
        self.view = View(0.0, 0.0)
        """The view of the outermost <svg>, for what is drawn where it is written."""

    def target(self, reference: str, *tags: str) -> Element | None:
        """Return the element of one of these kinds that a property refers to."""
        found = values.link(reference)
        element = self.ids.get(found.id or "") if found else None
        if element is None or (tags and tag_of(element) not in tags):
            return None
        for one in (element, *element.iterancestors()):  # as in browsers, hidden elements paint and cut nothing
            if self.styles.where_it_stands(one)["display"] == "none" or (
                one is not element and not self.is_wanted(one)
            ):
                return None
        return element

    def define(self, element: Element) -> str:
        """Keep a definition, and return the id that it gets."""
        name = f"{self.prefix}{len(self.defs) + 1}"
        element.set("id", name)
        self.defs.append(element)
        return name

    def place_of(self, element: Element) -> Within:
        """Return the surroundings in which a definition is drawn: where it is written, wherever it is used."""
        return Within(self.styles.where_it_stands(element), self.view)

    def enter(self, element: Element, within: Within) -> Within:
        """Return the surroundings while a definition is in use. Raise Unreadable when it is in use already."""
        if element in within.around:
            name = f'<{tag_of(element)} id="{shown(element.get("id", ""))}">'
            raise Unreadable(element, f"{name} is drawn within itself", "remove one of the references")
        self.count(element, depth=within.depth)
        place = self.place_of(element)
        return replace(place, around=(*within.around, element), depth=within.depth + 1)

    def count(self, element: Element, shapes: int = 1, written: int = 0, depth: int = 0) -> None:
        """Raise Unreadable when too much was drawn, or elements are nested too deeply."""
        self.shapes += shapes
        self.written += written
        if self.shapes > MOST_SHAPES:
            raise Unreadable(element, f"more than {MOST_SHAPES:,} shapes are drawn", "use fewer")
        if self.written > MOST_WRITTEN:
            raise Unreadable(element, "its paths and pictures are too long", "simplify the drawing")
        if depth > MOST_DEPTH:
            raise Unreadable(element, f"elements are nested more than {MOST_DEPTH} deep", "use fewer groups")

    def length(self, element: Element, name: str, unsaid: str, whole: float, style: Style) -> float:
        """Return a length from an element's attributes; `whole` is 100 %."""
        text = element.get(name, "").strip() or unsaid
        found = values.length(text, float(style["font-size"]))
        if found is None:
            self.unread(element, name, text)
            return 0.0
        return px(found, whole)

    def unread(self, element: Element, name: str, text: str) -> None:
        self.remarks.fault(
            element,
            f'<{tag_of(element)} {name}="{shown(text)}"> cannot be read',
            f"write a number of at most {MOST_LENGTH:,.0f}",
        )

    @abstractmethod
    def children(self, element: Element, within: Within) -> Drawn:
        """Draw everything inside an element."""

    def is_wanted(self, element: Element) -> bool:
        """Return whether an element's conditions hold, as in a browser set to English."""
        extensions, languages = element.get("requiredExtensions"), element.get("systemLanguage")
        if extensions is not None and not _is_known(extensions):
            return False
        return languages is None or any(one.strip().lower().split("-")[0] == "en" for one in languages.split(","))

    def refuse(self, element: Element, tag: str, style: Style) -> None:
        """Report anything that cannot be converted."""
        if tag in WAYS_OUT:
            self.remarks.fault(element, f"<{tag}> is not drawn", WAYS_OUT[tag])
        for name, (harmless, hint) in _NEVER.items():
            value = style[name]
            found = values.link(value) if name == "filter" else None
            if found and found.id and self.target(value, "filter") is None:
                self.remarks.note(element, f'filter="{shown(value)}" refers to nothing, so browsers ignore it')
            elif value.split()[:1] != [harmless]:
                self.remarks.fault(element, f'<{tag} {name}="{shown(style[name])}"> is not drawn', hint)

    def matrix_of(self, element: Element, style: Style, box: Box | None, view: View) -> Matrix:
        """Return the matrix that moves an element and its clip: its transform, and the place of a <use>."""
        matrix = self._transform(element, style, box, view)
        if tag_of(element) != "use" or style["x"] == style["y"] == "0":
            return matrix
        return times(matrix, (1.0, 0.0, 0.0, 1.0, px(style["x"], view.width), px(style["y"], view.height)))

    def _transform(self, element: Element, style: Style, box: Box | None, view: View) -> Matrix:
        if style["transform"] == "none":
            return IDENTITY
        matrix = values.matrix(style["transform"])
        if matrix is None:
            self.unread(element, "transform", style["transform"])
            return IDENTITY
        if style["transform-origin"] == "0 0" and style["transform-box"] == "view-box":
            return matrix
        edges = box or (0.0, 0.0, 0.0, 0.0)
        if style["transform-box"] not in ("fill-box", "content-box"):
            edges = (0.0, 0.0, *view)
        x, y = self._origin(element, style, edges)
        return times(times((1.0, 0.0, 0.0, 1.0, x, y), matrix), (1.0, 0.0, 0.0, 1.0, -x, -y))

    def _origin(self, element: Element, style: Style, edges: Box) -> tuple[float, float]:
        words = [_EDGES.get(word, word) for word in style["transform-origin"].lower().split()][:2]
        if words and words[0] in ("top", "bottom"):
            words = [*words[1:], words[0]] if len(words) == 2 else ["50%", words[0]]
        across, down = (*words, "50%", "50%")[:2]
        found = [values.length({"top": "0%", "bottom": "100%"}.get(one, one)) for one in (across, down)]
        if None in found:
            self.unread(element, "transform-origin", style["transform-origin"])
        x, y = (one or "0" for one in found)
        return edges[0] + px(x, edges[2] - edges[0]), edges[1] + px(y, edges[3] - edges[1])

    def grid_of(self, element: Element) -> Box | None:
        text = element.get("viewBox")
        grid = grid_of(text) if text else None
        if text and grid is None:
            self.remarks.fault(element, f'viewBox="{shown(text)}" cannot be read', "write four numbers")
        return grid

    def aspect_of(self, element: Element) -> str:
        text = element.get("preserveAspectRatio", CENTRED)
        if not is_aspect(text):
            self.remarks.note(element, f'preserveAspectRatio="{shown(text)}" cannot be read', "the default fit is used")
            return CENTRED
        return str(text)


def _is_known(extensions: str) -> bool:
    known = ("http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML")
    return bool(extensions.split()) and all(one in known for one in extensions.split())


# Outlines


def geometry(reading: Reading, element: Element, tag: str, style: Style, within: Within) -> dict[str, str] | None:
    """Return the outline of a shape in plain numbers; None when there is nothing to draw."""
    view = within.view
    if tag == "path":
        d = element.get("d", "").strip()
        reading.count(element, 0, len(d))
        try:
            drawn = "" if d == "none" else absolute_path(d)
        except PathFault as error:
            reading.remarks.fault(element, f'the path "{shown(d)}" cannot be read', str(error))
            return None
        return {"d": drawn} if drawn else None
    if tag in ("polyline", "polygon"):
        text = element.get("points", "")
        reading.count(element, 0, len(text))
        numbers = values.numbers(text)
        if numbers is None:
            reading.unread(element, "points", text)
            return None
        if len(numbers) % 2:
            reading.remarks.note(element, f"<{tag}> has an odd number of coordinates, so the last is ignored", "")
            numbers = numbers[:-1]
        return {"points": " ".join(map(plain, numbers))} if len(numbers) > 2 else None
    if tag == "line":
        sides = {"x1": view.width, "y1": view.height, "x2": view.width, "y2": view.height}
        return {name: plain(reading.length(element, name, "0", whole, style)) for name, whole in sides.items()}
    found = {
        name: None if style[name] == "auto" else px(style[name], whole)
        for name, whole in (
            ("x", view.width), ("y", view.height), ("cx", view.width), ("cy", view.height), ("r", view.across),
            ("width", view.width), ("height", view.height), ("rx", view.width), ("ry", view.height),
        )
    }  # fmt: skip
    rx, ry = found["rx"], found["ry"]
    rx, ry = (ry if rx is None else rx) or 0.0, (rx if ry is None else ry) or 0.0
    if tag == "circle":
        return _plain_numbers(found, "cx", "cy", "r") if found["r"] else None
    if tag == "ellipse":
        return _plain_numbers({**found, "rx": rx, "ry": ry}, "cx", "cy", "rx", "ry") if min(rx, ry) > 0 else None
    width, height = found["width"] or 0.0, found["height"] or 0.0
    if min(width, height) <= 0:
        return None
    corners = {"rx": min(rx, width / 2), "ry": min(ry, height / 2)}
    names = ("x", "y", "width", "height", *(("rx", "ry") if rx > 0 and ry > 0 else ()))
    return _plain_numbers({**found, **corners}, *names)


def _plain_numbers(found: dict[str, float | None], *names: str) -> dict[str, str]:
    return {name: plain(found[name] or 0.0) for name in names}
