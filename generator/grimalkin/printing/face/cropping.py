"""Crop a face: a Face in, a part of it out, or its drawing without words.

What is cropped is removed rather than hidden, so that no reader or search finds words that nobody sees.
"""

from __future__ import annotations

import copy
from dataclasses import replace

from lxml import etree

from grimalkin.printing.face.callouts import Finder
from grimalkin.printing.face.layers import Face, Layer
from grimalkin.printing.face.svg.paths import IDENTITY, Matrix, matrix_of, times
from grimalkin.printing.face.svg.subset import HIDDEN, SVG
from grimalkin.printing.face.svg.xml import Element, tag_of

CLOSE = 0.5
"""The distance in millimetres by which something removed may extend below the line."""


def below(face: Face, top: float) -> Face:
    """Return the part of a face below a line `top` millimetres from its upper edge."""
    finder = Finder.of(face)
    stock = face.stock.model_copy(update={"height": face.stock.height - top})
    return replace(face, stock=stock, content=tuple(_cropped(layer, top, finder) for layer in face.content))


def without_words(face: Face) -> Face:
    """Return a face without its text, for parts of it that cut through words; the face itself if it has none."""
    if not Finder.of(face).sizes:
        return face
    content = []
    for layer in face.content:
        element = copy.deepcopy(layer.element)
        for text in list(element.iter(f"{{{SVG}}}text")):
            parent = text.getparent()
            if parent is not None:
                parent.remove(text)
        if tag_of(element) != "text":
            content.append(replace(layer, element=element, boxes={}, look=layer.look + b" without words", shared=False))
    return replace(face, content=tuple(content))


def _cropped(layer: Layer, top: float, finder: Finder) -> Layer:
    if tag_of(layer.element) in HIDDEN or layer.form_field:
        return layer
    kept = _pruned(copy.deepcopy(layer.element), IDENTITY, top, finder)
    group: Element = etree.Element(f"{{{SVG}}}g", {"transform": f"translate(0 {-top:g})"})
    if kept is not None:
        group.append(kept)
    return replace(layer, element=group, boxes={}, look=layer.look + f" below {top:g}".encode(), shared=False)


def _pruned(element: Element, outer: Matrix, top: float, finder: Finder) -> Element | None:
    """Return an element without what is above the line, or None if nothing remains."""
    box = finder.walk(element, outer)
    if box is not None and box[3] <= top + CLOSE:
        return None
    if tag_of(element) == "g":
        matrix = times(outer, matrix_of(element.get("transform", "")) or IDENTITY)
        for child in list(element):
            if isinstance(child.tag, str) and _pruned(child, matrix, top, finder) is None:
                element.remove(child)
    return element
