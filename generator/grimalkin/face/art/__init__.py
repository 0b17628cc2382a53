"""An ordinary SVG file in, plain art out: SVG without styles, units, references of other kinds, or text.

It looks as a browser shows it. What cannot be carried is a fault, never dropped.

The `reader` walks along what is drawn. `styles` computes how each element looks, from attributes, style="…" and
`sheets`; `shapes`, `lettering` and `pictures` give outlines, `paints` with `servers` colours, `clips` and `markers` the
rest. What is a fraction of a box, or of what is around, becomes numbers in the units of the shape.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, cast

from lxml import etree

from grimalkin.face.art.lettering import Fonts, installed
from grimalkin.face.art.paints import PASSED_ON
from grimalkin.face.art.parts import Within, svg_element
from grimalkin.face.art.pictures import Pictures, embedded
from grimalkin.face.art.properties import INITIAL, Style
from grimalkin.face.art.reader import MOST_DEPTH, Reader
from grimalkin.face.art.remarks import Remark, Remarks, Unreadable
from grimalkin.face.art.values import MM
from grimalkin.face.art.viewports import View
from grimalkin.face.paths import IDENTITY, MOST_LENGTH, matrix_of, times
from grimalkin.face.subset import GRID, SVG
from grimalkin.face.xml import Element, tag_of, xml_message

MOST_BYTES = 5_000_000
MOST_ELEMENTS = 100_000
"""Of a file as it is written."""
_PARSER = etree.XMLParser(
    resolve_entities="internal",  # type: ignore[arg-type]  # the stubs do not know it
    no_network=True,
    load_dtd=False,
    remove_comments=True,
    remove_pis=True,
)
_ILLUSTRATOR = re.compile(rb"<!--\s*Generator: Adobe Illustrator")
"""Its px are points: 72 to the inch."""


@dataclass(frozen=True)
class Art:
    """A drawing that was read."""

    element: Element
    """A <g> that holds definitions, if any, and shapes."""
    box: tuple[float, float, float, float]
    """Its grid in user units: x, y, width and height."""
    size: tuple[float, float] | None
    """Width and height in millimetres, where the file gives them."""
    aspect: str
    """How the grid is fitted into another place: preserveAspectRatio."""
    notes: tuple[Remark, ...]
    """What is worth a remark: line, what, and what to do."""


def read_art(
    data: bytes,
    prefix: str,
    *,
    icon: bool = False,
    fonts: Fonts = installed,
    pictures: Pictures = embedded,
) -> Art | list[Remark]:
    """A drawing, or what keeps it from being drawn: line, what, and what to do.

    All ids begin with `prefix`. `fonts` finds fonts for texts, and `pictures` what an <image> refers to.

    In an icon, what has no fill of its own has no attribute fill and what has no stroke of its own no attribute stroke:
    they take what the icon is used with. A stroke of currentColor is kept by that name.
    """
    remarks = Remarks()
    try:
        art = _read(data, prefix, icon, fonts, pictures, remarks)
    except Unreadable as error:
        remarks.fault(error.where, error.message, error.hint)
        art = None
    except RecursionError:  # definitions in definitions take more of the stack than groups in groups
        remarks.fault(0, "elements lie too deep in each other", "leave out groups and references")
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
        remarks.fault(1, "a style sheet of another file is not read", "write its rules into <style>")
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
        raise Unreadable(root, "it has no room: its width or height is 0", f'write viewBox="{GRID}"')
    unit = 25.4 / 72 if _ILLUSTRATOR.search(data[:4096]) and _is_in_px(root) else MM
    size = _size(width, height, box, unit)
    element = _drawn(reader, root, style, box)
    return Art(element, box, size, reader.aspect_of(root), tuple(remarks.notes))


def _bounded(root: Element, has_entities: bool) -> int:
    """How deep elements lie in each other. Raises Unreadable when it is too deep, or there are too many."""
    for count, element in enumerate(root.iter("*")):
        if has_entities and not str(element.tag).startswith("{"):
            hint = "write out what the entity stands for"
            raise Unreadable(element, f"<{tag_of(element)}> of an entity is not read", hint)
        if count > MOST_ELEMENTS:
            raise Unreadable(element, f"it has more than {MOST_ELEMENTS:,} elements", "simplify the drawing")
    level, depth = [root], 0
    while level:
        depth += 1
        if depth > MOST_DEPTH:
            raise Unreadable(level[0], f"elements lie more than {MOST_DEPTH} deep in each other", "leave out groups")
        level = [child for element in level for child in element]
    return depth


def _side(style: Style, name: str) -> float | None:
    """Width or height in px; None where it is a part of what is around, or is not said."""
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
    """The drawing as a group that says of all lines and fills how they are, whatever is around it."""
    reader.view = View(*box[2:])
    within = Within(style, reader.view, reader.is_icon, depth=1)
    drawn = reader.outermost(root, style, within, box)
    names = list(PASSED_ON) if reader.is_icon else ["fill", "stroke", *PASSED_ON]
    made = svg_element("g", {name: INITIAL[name] for name in names})
    if len(reader.defs):
        made.append(reader.defs)
    made.extend(drawn)
    if _is_stretched(made):
        reader.remarks.fault(root, "transforms within transforms stretch it beyond all paper", "leave one of them out")
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
