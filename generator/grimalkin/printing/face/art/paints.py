"""Turn the fills and strokes of a shape into attributes of plain art.

Gradients and patterns become definitions in the units of the shapes that they paint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grimalkin.printing.face.art import values
from grimalkin.printing.face.art.faults import Unreadable, shown
from grimalkin.printing.face.art.geometry import (
    View,
    Within,
    attributes_of,
    fitted,
    fractions_of,
    href_of,
    is_empty,
    placed,
    svg_element,
)
from grimalkin.printing.face.art.properties import INITIAL, Style
from grimalkin.printing.face.art.svg_document import Reading
from grimalkin.printing.face.art.values import Paint, flat, link, plain, plain_matrix, px
from grimalkin.printing.face.svg.paths import IDENTITY, MOST_LENGTH, Box, Matrix, is_flat, times
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.face.svg.xml import Element, tag_of

_LINES = (
    "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset",
)  # fmt: skip
PASSED_ON = ("fill-rule", "fill-opacity", "stroke-opacity", *_LINES)
"""Properties, apart from colours, that shapes inherit from their surroundings."""


def painted(
    reading: Reading, element: Element, shape: Element, style: Style, box: Box | None, within: Within,
    marks: Sequence[Element] = (),
) -> list[Element]:  # fmt: skip
    """Return a shape with its colours and markers; it becomes several shapes if its stroke is not painted last."""
    looks: dict[str, dict[str, str]] = {}
    fill, share = _paint(reading, element, "fill", style, box, within)
    share *= float(style["fill-opacity"])
    if fill != "none" and share > 0 and tag_of(shape) != "line":
        looks["fill"] = _written({"fill-rule": style["fill-rule"], "fill-opacity": plain(share)})
        looks["fill"] |= _colour(reading, "fill", fill, within)
    stroke, share = _paint(reading, element, "stroke", style, box, within)
    share *= float(style["stroke-opacity"])
    if stroke not in ("none", "") and share > 0 and px(style["stroke-width"], within.view.across) > 0:
        if style["vector-effect"] not in ("none", ""):
            message = f'vector-effect="{shown(style["vector-effect"])}" is not drawn'
            reading.remarks.fault(element, message, "let lines scale with the drawing")
        looks["stroke"] = _written({**_line(reading, element, style, within), "stroke-opacity": plain(share)})
        looks["stroke"] |= _colour(reading, "stroke", stroke, within)
    order = [part for part in style["paint-order"].split() if part in looks or (part == "markers" and marks)]
    if order[:2] == ["fill", "stroke"] or order[1:] == ["fill", "stroke"]:
        order.remove("stroke")
        looks["fill"] |= looks.pop("stroke")
    unlined = {} if stroke == "" else _colour(reading, "stroke", "none", within)
    found: list[Element] = []
    for part in order:
        if part == "markers":
            found += marks
        else:
            unfilled = {"fill": "none"} if part == "stroke" else {}
            found.append(svg_element(tag_of(shape), {**attributes_of(shape), **unfilled, **unlined, **looks[part]}))
    return found


def _line(reading: Reading, element: Element, style: Style, within: Within) -> dict[str, str]:
    across = within.view.across
    found = {name: style[name] for name in _LINES} | {"stroke-width": plain(px(style["stroke-width"], across))}
    dashes = [px(one, across) for one in style["stroke-dasharray"].split() if one != "none"]
    if not any(dashes):
        return {**found, "stroke-dasharray": "none", "stroke-dashoffset": "0"}
    if element.get("pathLength"):
        reading.remarks.fault(element, "pathLength, which scales dashes, is not read", "write dashes in user units")
    offset = plain(px(style["stroke-dashoffset"], across))
    return {**found, "stroke-dasharray": " ".join(map(plain, dashes)), "stroke-dashoffset": offset}


def _written(attributes: dict[str, str]) -> dict[str, str]:
    """Return the attributes that differ from the initial values."""
    return {name: value for name, value in attributes.items() if value != INITIAL[name]}


def _colour(reading: Reading, name: str, value: str, within: Within) -> dict[str, str]:
    """Return a colour as an attribute, unless it applies anyway. In an icon, the surroundings are unknown."""
    if within.is_icon and value == "currentcolor":
        return {"stroke": "currentColor"} if name == "stroke" else {}
    return {} if not reading.is_icon and value == INITIAL[name] else {name: value}


def _paint(reading: Reading, element: Element, name: str, style: Style, box: Box | None, within: Within) -> Paint:
    """Return the written form of a fill or stroke, and its opacity.

    "currentcolor" remains if the icon takes the colour it is used with, and "" if it may or may not have a stroke.
    """
    value = style[name]
    if value.startswith("context-"):
        value = context(style, within)[name == "stroke"]
        if value.startswith("url("):
            reading.remarks.fault(element, "it takes a gradient or pattern from where it is used", "give it a colour")
            return NONE
    found = link(value)
    if found:
        server = reading.target(value, "linearGradient", "radialGradient", "pattern")
        made = _server_paint(reading, server, box, within) if server is not None else None
        if made is not None:
            return made
        if found.id is None:
            reading.remarks.fault(element, f'"{shown(found.target)}" is in another file', "copy it into this one")
        elif server is None and not found.rest:
            reading.remarks.note(element, f"there is no {shown(value)}, so nothing is painted")
        value = found.rest or "none"
    if within.is_icon and (value == "" or (value == "currentcolor" and style["color"] == "currentcolor")):
        return value, 1.0
    return flat(value or "none", style["color"])


def context(style: Style, within: Within) -> tuple[str, str]:
    """Return the fill and stroke that an element passes to the elements it uses."""
    fill, stroke = within.context or ("none", "none")
    handed_on = {"context-fill": fill, "context-stroke": stroke, "currentcolor": style["color"], "": "none"}
    fill, stroke = (handed_on.get(style[name], style[name]) for name in ("fill", "stroke"))
    return fill, stroke


# Gradients and patterns


NONE: Paint = ("none", 1.0)
MOST_CHAINED = 100
"""The limit for a chain of paint servers that inherit from each other."""


def _server_paint(reading: Reading, server: Element, box: Box | None, within: Within) -> Paint | None:
    """Return the paint of a gradient or pattern for a shape with this box; a single colour if that is all it is.

    Return None if it is given in fractions of a box that has no area.
    """
    chain = list(_chain(reading, server))
    units = _said(chain, "patternUnits" if tag_of(server) == "pattern" else "gradientUnits", "objectBoundingBox")
    is_fraction = units != "userSpaceOnUse"
    if is_fraction and is_empty(box):
        return None
    if tag_of(server) == "pattern":
        return _pattern(reading, server, chain, is_fraction, box, within)
    return _gradient(reading, server, chain, box if is_fraction else None, within.view)


def _chain(reading: Reading, server: Element) -> Iterator[Element]:
    """Yield a paint server and those that it inherits from. Raise Unreadable when the chain is endless."""
    seen: list[Element] = []
    kinds = ("pattern",) if tag_of(server) == "pattern" else ("linearGradient", "radialGradient")
    one: Element | None = server
    while one is not None:
        if one in seen or len(seen) > MOST_CHAINED:
            name = f'<{tag_of(one)} id="{shown(one.get("id", ""))}">'
            raise Unreadable(one, f"{name} refers to itself", "remove one of the references")
        seen.append(one)
        yield one
        href = href_of(one)
        if href and not href.startswith("#"):
            reading.remarks.fault(one, f'"{shown(href)}" is in another file', "copy it into this one")
        one = reading.target(f"url({href})", *kinds) if href else None


def _said(chain: list[Element], name: str, unsaid: str, tag: str = "") -> str:
    return next((str(one.get(name)) for one in chain if one.get(name) and tag in ("", tag_of(one))), unsaid)


def _transform(reading: Reading, chain: list[Element], name: str) -> Matrix:
    for one in chain:
        if one.get(name) is not None:
            matrix = values.matrix(one.get(name, ""))
            if reading.styles.where_it_stands(one)["transform-origin"] != "0 0":
                reading.remarks.fault(one, "transform-origin of a gradient is not read", f"include it in {name}")
            if matrix is None:
                reading.unread(one, name, one.get(name, ""))
            return matrix or IDENTITY
    return IDENTITY


def _gradient(reading: Reading, server: Element, chain: list[Element], box: Box | None, view: View) -> Paint:
    holder = next((one for one in chain if one.find(f"{{{SVG}}}stop") is not None), server)
    if ("stops", holder) not in reading.made:
        reading.made["stops", holder] = list(_stops(reading, holder))
    stops: list[tuple[float, str, float]] = reading.made["stops", holder]
    matrix = _transform(reading, chain, "gradientTransform")
    if not stops or is_flat(matrix):
        return NONE
    reading.count(server, len(stops))
    if len(stops) == 1:
        return stops[0][1:]
    key = ("gradient", server, box, view)
    if key not in reading.made:
        ends = _ends(reading, server, chain, View(1.0, 1.0) if box else view)
        reading.made[key] = None
        if ends:
            matrix = times(fractions_of(box), matrix) if box else matrix
            if not all(abs(one) <= MOST_LENGTH for one in matrix):  # start near it, not far away
                x, y, *_ = ends.values()
                matrix = times(matrix, (1.0, 0.0, 0.0, 1.0, x, y))
                ends = {name: value - {"x": x, "y": y}.get(name.strip("cf12"), 0.0) for name, value in ends.items()}
            attributes = {"gradientUnits": "userSpaceOnUse", **{name: plain(value) for name, value in ends.items()}}
            if matrix != IDENTITY:
                attributes["gradientTransform"] = plain_matrix(matrix)
            spread = _said(chain, "spreadMethod", "pad")
            if spread in ("reflect", "repeat"):
                attributes["spreadMethod"] = spread
            reading.made[key] = reading.define(svg_element(tag_of(server), attributes, [_stop(*one) for one in stops]))
    found = reading.made[key]
    return (f"url(#{found})", 1.0) if found else stops[-1][1:]


def _ends(reading: Reading, server: Element, chain: list[Element], whole: View) -> dict[str, float]:
    """Return where a gradient begins and ends; empty if the two coincide."""
    tag = tag_of(server)

    def number(name: str, unsaid: str, part: float) -> float:
        holder = next((one for one in chain if one.get(name) and tag_of(one) == tag), server)
        return reading.length(holder, name, unsaid, part, reading.styles.where_it_stands(holder))

    if tag == "linearGradient":
        x1, y1 = number("x1", "0%", whole.width), number("y1", "0%", whole.height)
        x2, y2 = number("x2", "100%", whole.width), number("y2", "0%", whole.height)
        return {"x1": x1, "y1": y1, "x2": x2, "y2": y2} if (x1, y1) != (x2, y2) else {}
    cx, cy = number("cx", "50%", whole.width), number("cy", "50%", whole.height)
    r, fr = number("r", "50%", whole.across), number("fr", "0%", whole.across)
    fx, fy = number("fx", plain(cx), whole.width), number("fy", plain(cy), whole.height)
    if min(r, fr) < 0:
        reading.unread(server, "r", plain(min(r, fr)))
    return {"cx": cx, "cy": cy, "r": r, "fx": fx, "fy": fy, "fr": fr} if r else {}


def _stop(offset: float, colour: str, share: float) -> Element:
    hides = {"stop-opacity": plain(share)} if share != 1 else {}
    return svg_element("stop", {"offset": plain(offset), "stop-color": colour, **hides})


def _stops(reading: Reading, holder: Element) -> Iterator[tuple[float, str, float]]:
    """Yield the offset of each stop, in rising order, with its colour and opacity."""
    least = 0.0
    for stop in holder.iterfind(f"{{{SVG}}}stop"):
        style = reading.styles.where_it_stands(stop)
        if style["display"] == "none":
            continue
        offset = values.share(stop.get("offset", "0").strip() or "0")
        if offset is None:
            reading.unread(stop, "offset", stop.get("offset", ""))
        least = max(least, float(offset or 0))
        colour, share = flat(style["stop-color"], style["color"])
        yield least, colour, share * float(style["stop-opacity"])


def _pattern(
    reading: Reading, server: Element, chain: list[Element], is_fraction: bool, box: Box | None, within: Within
) -> Paint:
    holder = next((one for one in chain if any(isinstance(child.tag, str) for child in one)), None)
    matrix = _transform(reading, chain, "patternTransform")
    if holder is None or is_flat(matrix):
        return NONE
    is_content_fraction = _said(chain, "patternContentUnits", "userSpaceOnUse") == "objectBoundingBox"
    grid = reading.grid_of(next((one for one in chain if one.get("viewBox")), server))
    if is_content_fraction and grid is None and is_empty(box):
        return NONE
    key = ("pattern", server, box if is_fraction or is_content_fraction else None, within.view)
    if key not in reading.made:
        inner, view = reading.enter(holder, within), within.view
        whole = View(1.0, 1.0) if is_fraction else view
        x, y, width, height = (
            reading.length(next((one for one in chain if one.get(name)), server), name, "0", part, inner.style)
            for name, part in zip(("x", "y", "width", "height"), (*whole, *whole), strict=True)
        )
        across, _, _, down, left, top = fractions_of(box) if box else IDENTITY
        if is_fraction:
            x, y, width, height = left + x * across, top + y * down, width * across, height * down
        content = IDENTITY
        if grid and not is_empty(grid) and width > 0 and height > 0:
            aspect = reading.aspect_of(next((one for one in chain if one.get("preserveAspectRatio")), server))
            content = fitted(grid, 0.0, 0.0, width, height, aspect)
            view = View(grid[2] - grid[0], grid[3] - grid[1])
        elif is_content_fraction:
            content = (across, 0.0, 0.0, down, 0.0, 0.0)
        shapes = reading.children(holder, replace(inner, view=view)).shapes if width > 0 and height > 0 else []
        if shapes and content != IDENTITY:
            shapes = [svg_element("g", {"transform": plain_matrix(content)}, shapes)]
        turned = {"patternTransform": plain_matrix(matrix)} if matrix != IDENTITY else {}
        attributes = {"patternUnits": "userSpaceOnUse", **placed(x, y, width, height), **turned}
        reading.made[key] = reading.define(svg_element("pattern", attributes, shapes)) if shapes else None
    found = reading.made[key]
    return (f"url(#{found})", 1.0) if found else NONE
