"""Turn the markers at the corners of a line into groups."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

from grimalkin.printing.face.art import clips
from grimalkin.printing.face.art.geometry import View, Within, fitted, segments, svg_element
from grimalkin.printing.face.art.paints import context
from grimalkin.printing.face.art.properties import Style
from grimalkin.printing.face.art.svg_document import Reading
from grimalkin.printing.face.art.values import matrix, plain_matrix, px
from grimalkin.printing.face.svg.paths import IDENTITY, Matrix, Pair, numbers_of, point_through, times
from grimalkin.printing.face.svg.xml import Element

BEARERS = frozenset(["path", "line", "polyline", "polygon"])


class _Corner(NamedTuple):
    """A point where lines meet, with the incoming and outgoing directions; None at an end."""

    point: Pair
    came: Pair | None
    goes: Pair | None


def marks(
    reading: Reading, element: Element, tag: str, attributes: dict[str, str], style: Style, within: Within
) -> list[Element]:
    """Return the markers of a line, in drawing order."""
    kinds = {place: style[f"marker-{place}"] for place in ("start", "mid", "end")}
    if all(value == "none" for value in kinds.values()):
        return []
    corners = _corners(_path_of(tag, attributes))
    found: list[Element] = []
    for index, corner in enumerate(corners):
        places = ["mid"] if 0 < index < len(corners) - 1 else []
        places += ["start"] * (index == 0) + ["end"] * (index == len(corners) - 1)
        for place in places:
            marker = clips.referred(reading, element, f"marker-{place}", kinds[place], "marker")
            if marker is not None:
                found += _mark(reading, marker, corner, place == "start", element, style, within)
    return found


def _mark(
    reading: Reading, marker: Element, corner: _Corner, is_start: bool, element: Element, style: Style, within: Within
) -> list[Element]:
    inner = reading.enter(marker, within)
    own = inner.style
    width, height = (reading.length(marker, f"marker{name}", "3", whole, own) for name, whole in
                     zip(("Width", "Height"), within.view, strict=True))  # fmt: skip
    if width <= 0 or height <= 0:
        return []
    grid = reading.grid_of(marker)
    if grid and (grid[0] >= grid[2] or grid[1] >= grid[3]):
        return []
    fit = fitted(grid, 0, 0, width, height, reading.aspect_of(marker)) if grid else IDENTITY
    view = View(grid[2] - grid[0], grid[3] - grid[1]) if grid else View(width, height)
    ref_x, ref_y = (
        reading.length(marker, name, "0", whole, own) for name, whole in zip(("refX", "refY"), inner.view, strict=True)
    )
    orient = marker.get("orient", "0").strip()
    angle = _angle(corner) if orient.startswith("auto") else _degrees(reading, marker, orient)
    angle += 180.0 if orient == "auto-start-reverse" and is_start else 0.0
    turn = matrix(f"rotate({angle:.6f})") or IDENTITY
    scale = 1.0 if marker.get("markerUnits") == "userSpaceOnUse" else px(style["stroke-width"], within.view.across)
    place: Matrix = times((1.0, 0.0, 0.0, 1.0, *corner.point), turn)
    place = times(place, (scale, 0.0, 0.0, scale, 0.0, 0.0))
    x, y = point_through(fit, ref_x, ref_y)
    place = times(place, (1.0, 0.0, 0.0, 1.0, -x, -y))
    shapes = reading.children(
        marker, replace(inner, view=view, is_icon=within.is_icon, context=context(style, within))
    ).shapes
    if not shapes or not scale:
        return []
    if fit != IDENTITY:
        shapes = [svg_element("g", {"transform": plain_matrix(fit)}, shapes)]
    clip = {} if own["overflow"] in ("visible", "auto") else clips.at_edges(reading, 0, 0, width, height)
    return [svg_element("g", {"transform": plain_matrix(place), **clip}, shapes)]


def _degrees(reading: Reading, marker: Element, orient: str) -> float:
    found = matrix(f"rotate({orient})")
    if found is None:
        reading.unread(marker, "orient", orient)
        return 0.0
    return math.degrees(math.atan2(found[1], found[0]))


def _angle(corner: _Corner) -> float:
    """Return the direction of a line at a corner: halfway between incoming and outgoing."""
    came, goes = corner.came or corner.goes, corner.goes or corner.came
    if came is None or goes is None:
        return 0.0
    one, other = (math.degrees(math.atan2(y, x)) for x, y in (came, goes))
    if abs(one - other) > 180:
        one += 360
    return (one + other) / 2


def _path_of(tag: str, attributes: dict[str, str]) -> str:
    if tag == "path":
        return attributes["d"]
    if tag == "line":
        return "M{x1} {y1}L{x2} {y2}".format(**attributes)
    numbers = numbers_of(attributes["points"]) or ()
    pairs = [f"{x} {y}" for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
    return f"M{'L'.join(pairs)}{'Z' if tag == 'polygon' else ''}"


def _corners(d: str) -> list[_Corner]:
    """Return the corners of an absolute path."""
    found: list[_Corner] = []
    here = start = (0.0, 0.0)
    first = 0
    for command, points in segments(d):
        if command == "M":
            here = start = points[0]
            first = len(found)
            found.append(_Corner(here, None, None))
            continue
        ends = points or (start,)
        goes = next((step for point in ends if (step := _step(here, point))), None)
        came = next((step for point in (*reversed(ends[:-1]), here) if (step := _step(point, ends[-1]))), None)
        if not found:
            continue
        found[-1] = found[-1]._replace(goes=goes or found[-1].came)
        here = ends[-1]
        found.append(_Corner(here, came or found[-1].goes, None))
        if command == "Z":
            out = found[first].goes
            found[first] = found[first]._replace(came=came)
            found[-1] = found[-1]._replace(goes=out)
    return found


def _step(one: Pair, other: Pair) -> Pair | None:
    step = (other[0] - one[0], other[1] - one[1])
    return step if step != (0.0, 0.0) else None
