"""Turn an ordinary SVG file into plain art: SVG without styles, units, text or unsupported references.

The result looks as the file does in a browser. Anything that cannot be converted is a fault; nothing is dropped.

The `reader` walks through the drawn elements; everything it calls shares one `svg_document`, which provides the
outlines of shapes. `cascade` computes the look of each element from attributes, style="…" and style sheets; `lettering`
provides the outlines of text, `paints` colours, `clips` and `markers` the rest. Fractions of a box or of the
surroundings become numbers in the units of the shape.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, cast

from lxml import etree

from grimalkin.printing.face.art.faults import Remark, Remarks, Unreadable
from grimalkin.printing.face.art.geometry import Fonts, Pictures, View, Within, embedded, svg_element
from grimalkin.printing.face.art.lettering import installed
from grimalkin.printing.face.art.paints import PASSED_ON
from grimalkin.printing.face.art.properties import INITIAL, Style
from grimalkin.printing.face.art.reader import Reader
from grimalkin.printing.face.art.svg_document import MOST_DEPTH
from grimalkin.printing.face.art.values import MM
from grimalkin.printing.face.svg.paths import IDENTITY, MOST_LENGTH, matrix_of, times
from grimalkin.printing.face.svg.subset import GRID, SVG
from grimalkin.printing.face.svg.xml import Element, tag_of, xml_message

MOST_BYTES = 5_000_000
MOST_ELEMENTS = 100_000
"""The limit for a file as written."""
_PARSER = etree.XMLParser(
    resolve_entities="internal",  # type: ignore[arg-type]  # missing from the stubs
    no_network=True,
    load_dtd=False,
    remove_comments=True,
    remove_pis=True,
)
_ILLUSTRATOR = re.compile(rb"<!--\s*Generator: Adobe Illustrator")
"""Its px are points: 72 to the inch."""


@dataclass(frozen=True)
class Art:
    """A drawing, as read from a file."""

    element: Element
    """A <g> with the definitions, if any, and the shapes."""
    box: tuple[float, float, float, float]
    """Its grid in user units: x, y, width and height."""
    size: tuple[float, float] | None
    """Width and height in millimetres, if the file gives them."""
    aspect: str
    """How the grid fits into a box: preserveAspectRatio."""
    notes: tuple[Remark, ...]
    """Notes worth reporting: line, message and hint."""


def read_art(
    data: bytes,
    prefix: str,
    *,
    icon: bool = False,
    fonts: Fonts = installed,
    pictures: Pictures = embedded,
) -> Art | list[Remark]:
    """Return the drawing, or the faults that prevent it from being drawn: line, message and hint.

    All ids begin with `prefix`. `fonts` finds fonts for text, and `pictures` finds what an <image> refers to.

    In an icon, shapes without their own fill or stroke get no such attribute: they take the colours that the icon is
    used with. A stroke of currentColor keeps that name.
    """
    remarks = Remarks()
    try:
        art = _read(data, prefix, icon, fonts, pictures, remarks)
    except Unreadable as error:
        remarks.fault(error.where, error.message, error.hint)
        art = None
    except RecursionError:  # nested definitions take more of the stack than nested groups
        remarks.fault(0, "elements are nested too deeply", "use fewer groups and references")
        art = None
    if art is None or remarks.faults:
        return list(remarks.faults)
    return art


def _read(data: bytes, prefix: str, icon: bool, fonts: Fonts, pictures: Pictures, remarks: Remarks) -> Art | None:
    if len(data) > MOST_BYTES:
        raise Unreadable(0, f"it has {len(data):,} bytes", f"at most {MOST_BYTES:,} are read; simplify the drawing")
    try:
        root = etree.fromstring(data, _PARSER)
    except etree.XMLSyntaxError as error:
        message, hint = xml_message(error.msg)
        raise Unreadable(int(cast(Any, error).lineno or 0), f"it is not XML: {message}", hint) from error
    except ValueError as error:
        raise Unreadable(0, "it is not XML", str(error)[:80]) from error
    if root.tag != f"{{{SVG}}}svg":
        what = "<svg> without its namespace" if tag_of(root) == "svg" else f"<{tag_of(root)}>"
        raise Unreadable(root, f"its outermost element is {what}", f'write <svg xmlns="{SVG}">')
    if b"<?xml-stylesheet" in data:
        remarks.fault(1, "an external style sheet is not read", "copy its rules into <style>")
    depth = _bounded(root, b"<!ENTITY" in data)
    reader = Reader(root, prefix, icon, fonts, pictures, remarks, depth)
    style = reader.styles.where_it_stands(root)
    width, height = (_side(style, name) for name in ("width", "height"))
    grid = reader.grid_of(root)
    if grid is None:
        if width is None or height is None:
            raise Unreadable(root, "it has no viewBox and no size", f'write viewBox="{GRID}"')
        grid = (0.0, 0.0, width, height)
    box = (grid[0], grid[1], grid[2] - grid[0], grid[3] - grid[1])
    if min(box[2:]) <= 0:
        raise Unreadable(root, "its width or height is 0", f'write viewBox="{GRID}"')
    unit = 25.4 / 72 if _ILLUSTRATOR.search(data[:4096]) and _is_in_px(root) else MM
    size = _size(width, height, box, unit)
    element = _drawn(reader, root, style, box)
    return Art(element, box, size, reader.aspect_of(root), tuple(remarks.notes))


def _bounded(root: Element, has_entities: bool) -> int:
    """Return the depth of nesting. Raise Unreadable if that is too deep, or if there are too many elements."""
    for count, element in enumerate(root.iter("*")):
        if has_entities and not str(element.tag).startswith("{"):
            hint = "write out the entity"
            raise Unreadable(element, f"<{tag_of(element)}> from an entity is not read", hint)
        if count > MOST_ELEMENTS:
            raise Unreadable(element, f"it has more than {MOST_ELEMENTS:,} elements", "simplify the drawing")
    level, depth = [root], 0
    while level:
        depth += 1
        if depth > MOST_DEPTH:
            raise Unreadable(level[0], f"elements are nested more than {MOST_DEPTH} deep", "use fewer groups")
        level = [child for element in level for child in element]
    return depth


def _side(style: Style, name: str) -> float | None:
    """Return a width or height in px; None if it is relative to the surroundings or missing."""
    value = style[name]
    return None if value == "auto" or value.endswith("%") or float(value) <= 0 else float(value)


def _is_in_px(root: Element) -> bool:
    return str(root.get("width") or root.get("height") or "").strip().removesuffix("px")[-1:].isdigit()


def _size(
    width: float | None, height: float | None, box: tuple[float, float, float, float], unit: float
) -> tuple[float, float] | None:
    if width is None and height is None:
        return None
    if width is None:
        width = (height or 0.0) * box[2] / box[3]
    if height is None:
        height = width * box[3] / box[2]
    return round(width * unit, 3), round(height * unit, 3)


def _drawn(reader: Reader, root: Element, style: Style, box: tuple[float, float, float, float]) -> Element:
    """Return the drawing as a group that sets all line and fill properties itself, so that it inherits none."""
    reader.view = View(*box[2:])
    within = Within(style, reader.view, reader.is_icon, depth=1)
    drawn = reader.outermost(root, style, within, box)
    names = list(PASSED_ON) if reader.is_icon else ["fill", "stroke", *PASSED_ON]
    made = svg_element("g", {name: INITIAL[name] for name in names})
    if len(reader.defs):
        made.append(reader.defs)
    made.extend(drawn)
    if _is_stretched(made):
        reader.remarks.fault(root, "nested transforms stretch it beyond any paper", "remove one of them")
    return made


def _is_stretched(element: Element) -> bool:
    left = [(element, IDENTITY)]
    while left:
        one, matrix = left.pop()
        own = matrix_of(one.get("transform", ""))
        matrix = times(matrix, own or IDENTITY)
        if own is None or not all(abs(number) <= MOST_LENGTH for number in matrix):
            return True
        left += [(child, matrix) for child in one]
    return False
