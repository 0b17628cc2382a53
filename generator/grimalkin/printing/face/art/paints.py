"""Turn the fills and strokes of a shape into attributes of plain art."""

from __future__ import annotations

from collections.abc import Sequence

from grimalkin.printing.face.art import servers
from grimalkin.printing.face.art.parts import Within, attributes_of, svg_element
from grimalkin.printing.face.art.properties import INITIAL, Style
from grimalkin.printing.face.art.reading import Reading
from grimalkin.printing.face.art.remarks import shown
from grimalkin.printing.face.art.values import Paint, flat, link, plain, px
from grimalkin.printing.face.paths import Box
from grimalkin.printing.face.xml import Element, tag_of

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
            return servers.NONE
    found = link(value)
    if found:
        server = reading.target(value, "linearGradient", "radialGradient", "pattern")
        made = servers.paint(reading, server, box, within) if server is not None else None
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
