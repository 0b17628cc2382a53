"""Turn the elements of an ordinary SVG into plain art, walking through everything that is drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from grimalkin.face.art import clips, markers, values
from grimalkin.face.art.boxes import moved, union
from grimalkin.face.art.lettering import Fonts, outlines
from grimalkin.face.art.paints import context, painted
from grimalkin.face.art.parts import (
    SHAPES,
    Drawn,
    Within,
    box_of,
    href_of,
    placed,
    svg_element,
    wrapped,
)
from grimalkin.face.art.pictures import Pictures, Size
from grimalkin.face.art.properties import INITIAL, Style
from grimalkin.face.art.remarks import Remarks, Unreadable, shown
from grimalkin.face.art.shapes import geometry
from grimalkin.face.art.styles import Styles
from grimalkin.face.art.values import plain, plain_matrix, px
from grimalkin.face.art.viewports import CENTRED, View, fitted, grid_of, is_aspect
from grimalkin.face.paths import (
    IDENTITY,
    MOST_LENGTH,
    Box,
    Matrix,
    is_flat,
    times,
)
from grimalkin.face.subset import SVG
from grimalkin.face.xml import Element, tag_of

MOST_SHAPES = 50_000
"""The limit for drawn elements; an element counts each time it is used."""
MOST_DEPTH = 200
"""The limit for levels of nesting, including those through <use>."""
MOST_WRITTEN = 15_000_000
"""The limit for characters of paths and pictures, counted each time they are used."""

_GROUPS = frozenset(["g", "a"])
_KEPT = frozenset(
    [
        "defs", "symbol", "clipPath", "mask", "pattern", "marker", "linearGradient", "radialGradient", "filter",
        "style", "metadata", "title", "desc", "view", "cursor", "color-profile", "font", "font-face", "stop",
    ]
)  # fmt: skip
"""Elements drawn only where they are used, or not at all."""
_MOVING = frozenset(["animate", "animateTransform", "animateMotion", "animateColor", "set", "discard"])
FLATTEN = "flatten it in the program that drew it, or save this as a picture"
_WAYS_OUT = {
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
    "mask-image": ("none", 'write mask="url(#id)" of a <mask>'),
    "text-shadow": ("none", f"a shadow is made of pixels; {FLATTEN}"),
    "offset-path": ("none", "write a transform"),
    "translate": ("none", "write a transform"),
    "rotate": ("none", "write a transform"),
    "scale": ("none", "write a transform"),
    "d": ("unsaid", "write the attribute d"),
}
"""Unsupported properties: the value at which each has no effect, and a workaround."""


class Reader:
    """A document being read, and the depth of its elements. All ids in the output begin with `prefix`."""

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
        """The definitions by their sources; None if nothing was made."""
        self.ids: dict[str, Element] = {}
        for element in root.iter(f"{{{SVG}}}*"):
            if element.get("id"):
                self.ids.setdefault(str(element.get("id")), element)
            if tag_of(element) in _MOVING:
                hint = "nothing moves on paper; leave it out"
                remarks.fault(element, f"<{tag_of(element)}> is not drawn", hint)
        self.shapes = self.written = 0
        self.view = View(0.0, 0.0)
        """The view of the outermost <svg>, for definitions drawn in the surroundings where they are written."""

    # For the other modules

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
        """Keep a definition, and return its new id."""
        name = f"{self.prefix}{len(self.defs) + 1}"
        element.set("id", name)
        self.defs.append(element)
        return name

    def place_of(self, element: Element) -> Within:
        """Return the surroundings in which a definition is drawn: those where it is written, not where it is used."""
        return Within(self.styles.where_it_stands(element), self.view)

    def enter(self, element: Element, within: Within) -> Within:
        """Return the surroundings while a definition is in use. Raise Unreadable if it is in use already."""
        if element in within.around:
            name = f'<{tag_of(element)} id="{shown(element.get("id", ""))}">'
            raise Unreadable(element, f"{name} is drawn within itself", "remove one of the references")
        self.count(element, depth=within.depth)
        place = self.place_of(element)
        return replace(place, around=(*within.around, element), depth=within.depth + 1)

    def count(self, element: Element, shapes: int = 1, written: int = 0, depth: int = 0) -> None:
        """Raise Unreadable if too much has been drawn, or if elements are nested too deeply."""
        self.shapes += shapes
        self.written += written
        if self.shapes > MOST_SHAPES:
            raise Unreadable(element, f"more than {MOST_SHAPES:,} shapes are drawn", "use fewer")
        if self.written > MOST_WRITTEN:
            raise Unreadable(element, "its paths and pictures are too long", "simplify the drawing")
        if depth > MOST_DEPTH:
            raise Unreadable(element, f"elements are nested more than {MOST_DEPTH} deep", "use fewer groups")

    def length(self, element: Element, name: str, unsaid: str, whole: float, style: Style) -> float:
        """Return a length among the attributes of an element; `whole` is 100 %."""
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

    # The walk

    def children(self, element: Element, within: Within) -> Drawn:
        """Draw everything inside an element."""
        shapes: list[Element] = []
        boxes: list[Box | None] = []
        for child in element:
            drawn = self.draw(child, within)
            shapes += drawn.shapes
            boxes.append(drawn.box)
        return Drawn(shapes, union(boxes))

    def draw(self, element: Element, within: Within, sizes: Element | None = None) -> Drawn:
        """Draw one element. `sizes` is the <use> element that sets the size of a symbol."""
        tag = tag_of(element)
        if element.tag != f"{{{SVG}}}{tag}" or (tag in _KEPT and sizes is None):
            return Drawn([])
        self.count(element, depth=within.depth)
        style = self.styles.computed(element, within.style, within.scope)
        if style["display"] == "none" or not self.is_wanted(element):
            return Drawn([])
        self.refuse(element, tag, style)
        inner = within.under(style)
        if tag in SHAPES:
            drawn = self._shape(element, tag, style, inner)
        elif tag in _GROUPS:
            drawn = self.children(element, inner)
        elif tag == "switch":
            drawn = self._switch(element, inner)
        elif tag == "use":
            drawn = self._use(element, style, inner)
        elif tag in ("svg", "symbol"):
            drawn = self._viewport(element, style, inner, sizes)
        elif tag == "image":
            drawn = self._image(element, style, inner)
        elif tag == "text":
            drawn = outlines(self, element, style, inner)
        else:
            holds = "".join(map(str, element.itertext())).strip() or any(tag_of(child) in SHAPES for child in element)
            if holds and tag not in _WAYS_OUT and tag not in _MOVING:
                self.remarks.note(element, f"no browser draws <{tag}>", "turn it into shapes or paths")
            return Drawn([])
        return self._placed(element, tag, style, drawn, inner)

    def is_wanted(self, element: Element) -> bool:
        """Return whether an element's conditions hold, as in a browser set to English."""
        extensions, languages = element.get("requiredExtensions"), element.get("systemLanguage")
        if extensions is not None and not _is_known(extensions):
            return False
        return languages is None or any(one.strip().lower().split("-")[0] == "en" for one in languages.split(","))

    def refuse(self, element: Element, tag: str, style: Style) -> None:
        """Report anything that cannot be converted."""
        if tag in _WAYS_OUT:
            self.remarks.fault(element, f"<{tag}> is not drawn", _WAYS_OUT[tag])
        for name, (harmless, hint) in _NEVER.items():
            value = style[name]
            found = values.link(value) if name == "filter" else None
            if found and found.id and self.target(value, "filter") is None:
                self.remarks.note(element, f'filter="{shown(value)}" refers to nothing, so browsers ignore it')
            elif value.split()[:1] != [harmless]:
                self.remarks.fault(element, f'<{tag} {name}="{shown(style[name])}"> is not drawn', hint)

    def _placed(self, element: Element, tag: str, style: Style, drawn: Drawn, within: Within) -> Drawn:
        """Apply the properties of an element as a whole: its transform, opacity, clip and mask."""
        matrix = self.matrix_of(element, style, drawn.box, within.view)
        if is_flat(matrix):
            return Drawn([])
        box = moved(drawn.box, matrix)
        if not drawn.shapes or style["opacity"] == "0":
            return Drawn([], box)
        shapes, attributes = drawn.shapes, {}
        if matrix != IDENTITY:
            attributes["transform"] = plain_matrix(matrix)
        if style["opacity"] != "1":
            attributes["opacity"] = style["opacity"]
        clip = clips.clip(self, element, style["clip-path"], drawn.box, within)
        mask = clips.mask(self, element, style["mask"], drawn.box, within)
        if clip is clips.NOTHING or mask is clips.NOTHING:
            return Drawn([], box)
        if clip is not None and mask is not None and clip.kind == mask.kind:
            shapes, mask = [wrapped(shapes, mask.attributes)], None
        for cut in filter(None, (clip, mask)):
            attributes |= cut.attributes
        return Drawn([wrapped(shapes, attributes)] if attributes else shapes, box)

    def matrix_of(self, element: Element, style: Style, box: Box | None, view: View) -> Matrix:
        """Return the matrix for an element and its clip: its transform, and the position of a <use>."""
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

    def outermost(
        self, root: Element, style: Style, within: Within, box: tuple[float, float, float, float]
    ) -> list[Element]:
        """Return everything that is drawn, with the properties that the outermost <svg> sets for the whole."""
        self.refuse(root, "svg", style)
        for name in ("display", "transform", "clip-path", "mask"):
            if style[name] != INITIAL[name] and not (name == "display" and style[name] != "none"):
                message = f'{name}="{shown(style[name])}" on the outermost <svg> is not drawn'
                self.remarks.fault(root, message, "put it on a <g> inside")
        drawn = self.children(root, within)
        ground = self._ground(root, style)
        if ground:
            drawn = Drawn([svg_element("rect", {**placed(*box), **ground}), *drawn.shapes], drawn.box)
        return self._placed(root, "svg", style, drawn, within).shapes

    def _ground(self, root: Element, style: Style) -> dict[str, str]:
        """Return the background colour, which some programs write."""
        written = next(
            (style[name] for name in ("background-color", "background") if style[name] not in _NO_GROUND), ""
        )
        found = values.colour(written) if written else None
        if written and found is None:
            self.remarks.note(root, f'background="{shown(written)}" is not drawn', "draw a <rect> behind everything")
        if found is None:
            return {}
        colour, share = values.flat(found, style["color"])
        return {} if not share else {"fill": colour, **({"fill-opacity": plain(share)} if share < 1 else {})}

    # Other kinds of group

    def _switch(self, element: Element, within: Within) -> Drawn:
        wanted = [child for child in element if str(child.tag).startswith(f"{{{SVG}}}") and self.is_wanted(child)]
        if len(wanted) > 1 and tag_of(wanted[0]) == "foreignObject":
            self.remarks.note(wanted[0], "<foreignObject> is not drawn, but its fallback is", "")
            del wanted[0]
        return self.draw(wanted[0], within) if wanted else Drawn([])

    def _use(self, element: Element, style: Style, within: Within) -> Drawn:
        href = href_of(element)
        if not href:
            return Drawn([])
        target = self.ids.get(href[1:]) if href.startswith("#") else None
        if target is None:
            message = f'<use href="{shown(href)}"> refers to nothing'
            if href.startswith("#"):
                self.remarks.note(element, message, "write #id of something in this file")
            else:
                self.remarks.fault(element, message, "write #id of something in this file")
            return Drawn([])
        if target in within.around or element.getparent() is target or target in element.iterancestors():
            hint = "refer to an element that does not contain it"
            raise Unreadable(element, f'<use href="{shown(href)}"> draws the element that contains it', hint)
        if tag_of(target) in _KEPT and tag_of(target) != "symbol":
            return Drawn([])
        inner = replace(within, around=(*within.around, target), scope=target, context=context(style, within))
        return self.draw(target, inner, element)

    def _viewport(self, element: Element, style: Style, within: Within, sizes: Element | None) -> Drawn:
        """Draw a nested <svg>, or a symbol in use."""
        view, wanted = within.view, {"width": style["width"], "height": style["height"]}
        if tag_of(element) == "symbol":
            wanted = {"width": "auto", "height": "auto"}
        for name in wanted:
            if sizes is not None and sizes.get(name):
                wanted[name] = values.length(sizes.get(name, ""), float(style["font-size"])) or "auto"
        width, height = (
            px("100%" if wanted[name] == "auto" else wanted[name], whole)
            for name, whole in zip(("width", "height"), view, strict=True)
        )
        is_svg = tag_of(element) == "svg"
        x, y = (px(style["x"], view.width), px(style["y"], view.height)) if is_svg else (0.0, 0.0)
        if width <= 0 or height <= 0:
            return Drawn([])
        matrix: Matrix = (1.0, 0.0, 0.0, 1.0, x, y)
        inner = View(width, height)
        grid = self.grid_of(element)
        if grid is not None:
            if grid[0] >= grid[2] or grid[1] >= grid[3]:
                return Drawn([])
            matrix = fitted(grid, x, y, width, height, self.aspect_of(element))
            inner = View(grid[2] - grid[0], grid[3] - grid[1])
        shapes, box = self.children(element, replace(within, view=inner))
        if shapes and matrix != IDENTITY:
            shapes = [wrapped(shapes, {"transform": plain_matrix(matrix)})]
        if shapes and style["overflow"] not in ("visible", "auto"):
            shapes = [wrapped(shapes, clips.at_edges(self, x, y, width, height))]
        return Drawn(shapes, moved(box, matrix))

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

    def _image(self, element: Element, style: Style, within: Within) -> Drawn:
        href = href_of(element)
        if not href:
            return Drawn([])
        found = self.pictures(href)
        if not isinstance(found, Size):
            self.remarks.fault(element, *found)
            return Drawn([])
        self.count(element, 0, len(found.href))
        sizes = {name: px(style[name], whole) if style[name] != "auto" else None
                 for name, whole in zip(("width", "height"), within.view, strict=True)}  # fmt: skip
        width, height = sizes["width"], sizes["height"]
        if width is None:
            width = found.width if height is None else height * found.width / found.height
        if height is None:
            height = width * found.height / found.width
        x, y = px(style["x"], within.view.width), px(style["y"], within.view.height)
        if width <= 0 or height <= 0:
            return Drawn([])
        box, aspect = (x, y, x + width, y + height), self.aspect_of(element)
        if style["visibility"] != "visible":
            return Drawn([], box)
        a, _, _, d, e, f = fitted((0, 0, found.width, found.height), x, y, width, height, aspect)
        place = placed(e, f, found.width * a, found.height * d)
        picture = svg_element("image", {**place, "preserveAspectRatio": "none", "href": found.href})
        if aspect.endswith("slice"):
            picture = wrapped([picture], clips.at_edges(self, x, y, width, height))
        return Drawn([picture], box)

    # Shapes

    def _shape(self, element: Element, tag: str, style: Style, within: Within) -> Drawn:
        attributes = geometry(self, element, tag, style, within)
        if attributes is None:
            return Drawn([])
        box = box_of(tag, attributes)
        if style["visibility"] != "visible":
            return Drawn([], box)
        marks = markers.marks(self, element, tag, attributes, style, within) if tag in markers.BEARERS else []
        shapes = painted(self, element, svg_element(tag, attributes), style, box, within, marks)
        for shape in shapes:
            shape.sourceline = element.sourceline  # a line that cannot be cut is reported at its source line
        return Drawn(shapes, box)


_NO_GROUND = ("none", "transparent", "")
_EDGES = {"left": "0%", "center": "50%", "right": "100%"}


def _is_known(extensions: str) -> bool:
    known = ("http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML")
    return bool(extensions.split()) and all(one in known for one in extensions.split())
