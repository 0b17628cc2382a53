"""Turn clip paths and masks into plain art, in the units of the elements that they cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from grimalkin.printing.face.art import lettering
from grimalkin.printing.face.art.faults import shown
from grimalkin.printing.face.art.geometry import (
    SHAPES,
    Within,
    attributes_of,
    box_of_path,
    fractions_of,
    href_of,
    is_empty,
    moved,
    placed,
    svg_element,
)
from grimalkin.printing.face.art.properties import Style
from grimalkin.printing.face.art.svg_document import Reading, geometry
from grimalkin.printing.face.art.values import link, plain_matrix
from grimalkin.printing.face.svg.paths import IDENTITY, Box, Matrix, box_around, box_of_shape, inverse, is_flat, times
from grimalkin.printing.face.svg.xml import Element, tag_of


class Cut(NamedTuple):
    """A definition that cuts: the attribute that refers to it, and its id."""

    kind: str
    id: str

    @property
    def attributes(self) -> dict[str, str]:
        return {self.kind: f"url(#{self.id})"}


NOTHING = Cut("", "")
"""The cut that leaves nothing visible."""


class _Piece(NamedTuple):
    """An outline within a clip path, its box, and the cuts that apply to it in turn, with their units."""

    shape: Element
    box: Box | None
    cuts: tuple[tuple[Cut, Matrix], ...] = ()


def clip(reading: Reading, element: Element, value: str, box: Box | None, within: Within) -> Cut | None:
    """Return the clip path of an element, as a mask if its own pieces are cut; None if it has none."""
    target = referred(reading, element, "clip-path", value, "clipPath")
    if target is None:
        return None
    inner = reading.enter(target, within)
    is_fraction = target.get("clipPathUnits") == "objectBoundingBox"
    if is_fraction and is_empty(box):
        return NOTHING
    own = clip(reading, target, inner.style["clip-path"], box, inner)
    if own is NOTHING:
        return NOTHING
    key = ("clip", target, box if is_fraction or own else None, within.view)
    if key not in reading.made:
        matrix = reading.matrix_of(target, inner.style, box, within.view)
        if is_fraction and box:
            matrix = times(matrix, fractions_of(box))
        inner = replace(inner, view=within.view)
        pieces = [piece for child in target for piece in _pieces(reading, child, inner, inner.style, matrix)]
        reading.made[key] = _defined(reading, pieces, own)
    return reading.made[key] or NOTHING


def _pieces(reading: Reading, child: Element, within: Within, outer: Style, matrix: Matrix) -> Iterator[_Piece]:
    """Yield what one element within a clip path adds to it."""
    tag = tag_of(child)
    if tag not in SHAPES and tag not in ("use", "text"):
        return
    style = reading.styles.computed(child, outer, within.scope)
    if style["display"] == "none":
        return
    under = within.under(style)
    if tag == "use":
        target = reading.ids.get(href_of(child)[1:])
        if target is None or (tag_of(target) not in SHAPES and tag_of(target) != "text"):
            return
        matrix = times(matrix, reading.matrix_of(child, style, None, within.view))
        found = list(_pieces(reading, target, replace(under, scope=target), style, matrix))
        box = box_around(piece.box for piece in found)
    elif style["visibility"] != "visible":
        return
    else:
        found, box = _outlines(reading, child, tag, style, under)
        matrix = times(matrix, reading.matrix_of(child, style, box, within.view))
        found = [_moved(piece, matrix, style["clip-rule"]) for piece in found]
    cut = clip(reading, child, style["clip-path"], box, under)
    if cut is NOTHING or is_flat(matrix):
        return
    for piece in found:
        yield piece if cut is None else piece._replace(cuts=(*piece.cuts, (cut, matrix)))


def _outlines(
    reading: Reading, child: Element, tag: str, style: Style, within: Within
) -> tuple[list[_Piece], Box | None]:
    if tag == "text":
        drawn = lettering.outlines(reading, child, {**style, "fill": "#000000", "stroke": "none"}, within)
        return [_Piece(svg_element("path", {"d": one.get("d", "")}), drawn.box) for one in drawn.shapes], drawn.box
    attributes = geometry(reading, child, tag, style, within)
    if attributes is None:
        return [], None
    box = box_of_shape(tag, attributes, box_of_path)
    return [_Piece(svg_element(tag, attributes), box)], box


def _moved(piece: _Piece, matrix: Matrix, rule: str) -> _Piece:
    if matrix != IDENTITY:
        piece.shape.set("transform", plain_matrix(matrix))
    if rule != "nonzero":
        piece.shape.set("clip-rule", rule)
    return piece._replace(box=moved(piece.box, matrix))


def _defined(reading: Reading, pieces: list[_Piece], own: Cut | None) -> Cut | None:
    if not pieces:
        return None
    shapes = [piece.shape for piece in pieces]
    if not any(piece.cuts for piece in pieces) and (own is None or own.kind == "clip-path"):
        outer = own.attributes if own else {}
        made = svg_element("clipPath", outer, shapes)
        return Cut("clip-path", reading.define(made))
    edges = box_around(piece.box for piece in pieces)
    if is_empty(edges) or edges is None:
        return None
    shapes = []
    for shape, _, cuts in pieces:
        rule = shape.attrib.pop("clip-rule", "nonzero")
        seen = svg_element(tag_of(shape), {**attributes_of(shape), "fill": "#ffffff", "fill-rule": str(rule)})
        for cut, matrix in cuts:
            back = svg_element("g", {"transform": plain_matrix(inverse(matrix))}, [seen])
            seen = svg_element("g", {"transform": plain_matrix(matrix), **cut.attributes}, [back])
        shapes.append(seen)
    return Cut("mask", reading.define(_mask(edges, [svg_element("g", own.attributes, shapes)] if own else shapes)))


def _mask(edges: Box, content: list[Element], kind: str = "luminance") -> Element:
    left, top, right, foot = edges
    kinds = {"mask-type": "alpha"} if kind == "alpha" else {}
    place = placed(left, top, right - left, foot - top)
    return svg_element("mask", {"maskUnits": "userSpaceOnUse", **place, **kinds}, content)


def at_edges(reading: Reading, x: float, y: float, width: float, height: float) -> dict[str, str]:
    """Return the attribute that cuts at the edges of a place."""
    key = ("edges", x, y, width, height)
    if key not in reading.made:
        rect = svg_element("rect", placed(x, y, width, height))
        reading.made[key] = reading.define(svg_element("clipPath", {}, [rect]))
    return {"clip-path": f"url(#{reading.made[key]})"}


def mask(reading: Reading, element: Element, value: str, box: Box | None, within: Within) -> Cut | None:
    """Return the mask of an element; None if it has none."""
    target = referred(reading, element, "mask", value, "mask")
    if target is None:
        return None
    inner = reading.enter(target, within)
    is_fraction = target.get("maskUnits") != "userSpaceOnUse"
    is_content_fraction = target.get("maskContentUnits") == "objectBoundingBox"
    if (is_fraction or is_content_fraction) and is_empty(box):
        return NOTHING
    key = ("mask", target, box if is_fraction or is_content_fraction else None, within.view)
    if key not in reading.made:
        width, height = (1.0, 1.0) if is_fraction else within.view
        x, y, wide, high = (
            reading.length(target, name, unsaid, whole, inner.style)
            for name, unsaid, whole in (
                ("x", "-10%", width), ("y", "-10%", height), ("width", "120%", width), ("height", "120%", height)
            )
        )  # fmt: skip
        edges = (x, y, x + wide, y + high)
        if is_fraction and box:
            edges = moved(edges, fractions_of(box)) or edges
        if inner.style["color-interpolation"] == "linearrgb":
            reading.remarks.fault(target, "<mask> uses linear colours", 'write color-interpolation="sRGB"')
        shapes = reading.children(target, replace(inner, view=within.view)).shapes
        if is_content_fraction and box and shapes:
            shapes = [svg_element("g", {"transform": plain_matrix(fractions_of(box))}, shapes)]
        made = _mask(edges, shapes, inner.style["mask-type"])
        reading.made[key] = Cut("mask", reading.define(made)) if shapes and not is_empty(edges) else None
    return reading.made[key] or NOTHING


def referred(reading: Reading, element: Element, name: str, value: str, tag: str) -> Element | None:
    """Return the definition that a property refers to; add a remark if there is none."""
    if value == "none":
        return None
    found = link(value)
    if found is None or found.id is None:
        hint = f"copy the <{tag}> into this file" if found else f"write url(#id) with the id of a <{tag}>"
        reading.remarks.fault(element, f'{name}="{shown(value)}" is not drawn', hint)
        return None
    target = reading.target(value, tag)
    if target is None:
        reading.remarks.note(element, f'{name}="{shown(value)}" refers to nothing', f"write the id of a <{tag}>")
    return target
