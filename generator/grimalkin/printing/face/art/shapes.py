"""Outlines of shapes in plain numbers."""

from __future__ import annotations

from grimalkin.printing.face.art import values
from grimalkin.printing.face.art.parts import Within
from grimalkin.printing.face.art.properties import Style
from grimalkin.printing.face.art.reading import Reading
from grimalkin.printing.face.art.remarks import shown
from grimalkin.printing.face.art.values import plain, px
from grimalkin.printing.face.paths import PathFault, absolute_path
from grimalkin.printing.face.xml import Element


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
