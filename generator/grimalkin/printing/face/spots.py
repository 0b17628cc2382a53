"""Find everything with a name on a Face: text boxes, symbols, and words.

A pointer names its target, and so finds it wherever the template draws it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from grimalkin.printing.face.layers import Face
from grimalkin.printing.face.paths import (
    IDENTITY,
    Box,
    Matrix,
    box_around,
    box_of_symbol,
    box_through,
    is_flat,
    length_of,
    matrix_of,
    moved_to,
    path_points,
    points_of,
    sound_number,
    symbol_matrix,
    times,
)
from grimalkin.printing.face.shaping import text_width
from grimalkin.printing.face.subset import HIDDEN, SVG
from grimalkin.printing.face.xml import Element, inherited, tag_of

_TALL, _DEEP = 0.72, 0.2
"""How far a letter extends above and below its line, relative to its size."""
MOST_DRAWN = 20_000


class Spot(NamedTuple):
    """The place of something drawn on a face, in millimetres."""

    name: str
    left: float
    top: float
    right: float
    bottom: float


def spots(face: Face) -> list[Spot]:
    """Return everything with a name on a face, in painting order, apart from things outside the trim."""
    finder = _Finder({})
    for layer in face.content:
        for element in layer.element.iter(f"{{{SVG}}}*"):
            id_ = element.get("id")
            if id_:
                finder.targets[id_] = element
        finder.boxes.update(layer.boxes)
    for layer in face.content:
        finder.walk(layer.element, IDENTITY)
    wide, high = face.stock.width, face.stock.height
    found = dict.fromkeys(finder.found)  # an element found at its definition is also found at each use
    return [one for one in found if one.right > 0 and one.bottom > 0 and one.left < wide and one.top < high]


@dataclass
class _Finder:
    targets: dict[str, Element]
    boxes: dict[Element, Mapping[str, str]] = field(default_factory=dict)
    found: list[Spot] = field(default_factory=list)
    drawn: int = 0

    def walk(self, element: Element, outer: Matrix) -> Box | None:
        """Find named things in an element, and return the box around all of it."""
        tag = tag_of(element)
        self.drawn += 1
        if tag in HIDDEN or self.drawn > MOST_DRAWN:
            return None
        matrix = times(outer, matrix_of(element.get("transform", "")) or IDENTITY)
        if is_flat(matrix):
            return None
        box_of = self.boxes.get(element)
        at = len(self.found)
        if tag == "use":
            box = self.used(element, matrix)
            name = (element.get("href") or "#")[1:]
        elif tag == "text":
            box, name = box_through(matrix, _text_box(element)), " ".join(_words(element).split())
        elif tag == "g":
            box, name = box_around(self.walk(child, matrix) for child in element if isinstance(child.tag, str)), ""
        else:
            shape, name = _shape(tag, element), ""
            box = shape and box_through(matrix, shape)
        if box_of is not None:
            x, y, wide, high = (length_of(box_of, key) for key in ("x", "y", "width", "height"))
            box, name = box_through(matrix, (x, y, x + wide, y + high)), box_of.get("name", "")
        name = name or element.get("id", "")
        if name and box:
            self.found.insert(at, Spot(name, *(round(one, 2) for one in box)))
        return box

    def used(self, use: Element, matrix: Matrix) -> Box | None:
        """Return the box of a symbol or group where it is used."""
        target = self.targets.get((use.get("href") or "#")[1:])
        if target is None:
            return None
        if tag_of(target) != "symbol":
            return self.walk(target, times(matrix, moved_to(use)))
        inner = times(matrix, symbol_matrix(use, target))
        if is_flat(inner):
            return None
        for child in target:
            if isinstance(child.tag, str):
                self.walk(child, inner)
        return box_through(inner, box_of_symbol(target))


def _words(text: Element) -> str:
    return "".join(str(part) for part in text.itertext())


def _shape(tag: str, element: Element) -> Box | None:
    """Return the box around a shape, according to its points."""
    if tag in ("rect", "image"):
        x, y = length_of(element, "x"), length_of(element, "y")
        return x, y, x + length_of(element, "width"), y + length_of(element, "height")
    if tag in ("circle", "ellipse"):
        x, y = length_of(element, "cx"), length_of(element, "cy")
        across, down = (length_of(element, key, length_of(element, "r")) for key in ("rx", "ry"))
        return x - across, y - down, x + across, y + down
    if tag == "line":
        (x, y), (to_x, to_y) = ((length_of(element, f"x{n}"), length_of(element, f"y{n}")) for n in (1, 2))
        return min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y)
    points = path_points(element.get("d", "")) if tag == "path" else points_of(element.get("points", ""))
    if not points:
        return None
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _text_box(text: Element) -> Box:
    size, family = sound_number(inherited(text, "font-size") or "0"), inherited(text, "font-family")
    wide = size * text_width(family, _words(text), is_strict=False) if family else 0.0
    anchor = inherited(text, "text-anchor") or "start"
    left = length_of(text, "x") - wide * {"middle": 0.5, "end": 1.0}.get(anchor, 0.0)
    line = length_of(text, "y")
    return left, line - size * _TALL, left + wide, line + size * _DEEP
