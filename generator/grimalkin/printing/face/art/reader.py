"""Turn the elements of an ordinary SVG into plain art, walking through everything that is drawn."""

from __future__ import annotations

from dataclasses import replace

from grimalkin.printing.face.art import clips, markers, values
from grimalkin.printing.face.art.faults import Unreadable, shown
from grimalkin.printing.face.art.geometry import (
    SHAPES,
    Drawn,
    Size,
    View,
    Within,
    box_of_path,
    fitted,
    href_of,
    moved,
    placed,
    svg_element,
    wrapped,
)
from grimalkin.printing.face.art.lettering import outlines
from grimalkin.printing.face.art.paints import context, painted
from grimalkin.printing.face.art.properties import INITIAL, Style
from grimalkin.printing.face.art.svg_document import MOVING, WAYS_OUT, Reading, geometry
from grimalkin.printing.face.art.values import plain, plain_matrix, px
from grimalkin.printing.face.svg.paths import IDENTITY, Box, Matrix, box_around, box_of_shape, is_flat
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.face.svg.xml import Element, tag_of, text_of

_GROUPS = frozenset(["g", "a"])
_KEPT = frozenset(
    [
        "defs", "symbol", "clipPath", "mask", "pattern", "marker", "linearGradient", "radialGradient", "filter",
        "style", "metadata", "title", "desc", "view", "cursor", "color-profile", "font", "font-face", "stop",
    ]
)  # fmt: skip
"""Elements drawn only where they are used, or not at all."""


class Reader(Reading):
    """A walk through everything that is drawn."""

    def children(self, element: Element, within: Within) -> Drawn:
        shapes: list[Element] = []
        boxes: list[Box | None] = []
        for child in element:
            drawn = self.draw(child, within)
            shapes += drawn.shapes
            boxes.append(drawn.box)
        return Drawn(shapes, box_around(boxes))

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
            holds = text_of(element).strip() or any(tag_of(child) in SHAPES for child in element)
            if holds and tag not in WAYS_OUT and tag not in MOVING:
                self.remarks.note(element, f"no browser draws <{tag}>", "turn it into shapes or paths")
            return Drawn([])
        return self._placed(element, tag, style, drawn, inner)

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
        """Return the background colour, as some programs write it."""
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
                self.remarks.note(element, message, "write the #id of something in this file")
            else:
                self.remarks.fault(element, message, "write the #id of something in this file")
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
        box = box_of_shape(tag, attributes, box_of_path)
        if style["visibility"] != "visible":
            return Drawn([], box)
        marks = markers.marks(self, element, tag, attributes, style, within) if tag in markers.BEARERS else []
        shapes = painted(self, element, svg_element(tag, attributes), style, box, within, marks)
        for shape in shapes:
            shape.sourceline = element.sourceline  # a line that cannot be cut is reported at its source line
        return Drawn(shapes, box)


_NO_GROUND = ("none", "transparent", "")
