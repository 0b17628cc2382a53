"""The SVG that faces may use. Everything else is a problem, never skipped.

Numbers are millimetres. Colours are #rrggbb or none. There are no styles, classes, gradients, filters or opacity: the
look is flat ink on paper, and it prints the same everywhere.
"""

from __future__ import annotations

_PAINT = {
    "fill", "fill-rule", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray",
    "transform", "id",
}  # fmt: skip
_TEXT = {"font-family", "font-size", "text-anchor"}

ELEMENTS: dict[str, frozenset[str]] = {
    name: frozenset(attributes)
    for name, attributes in {
        "svg": {"viewBox", "width", "height"},
        "title": set(),
        "desc": set(),
        "defs": set(),
        "symbol": {"id", "viewBox"},
        "g": {*_PAINT, *_TEXT, "role", "aria-label", "clip-path"},
        "clipPath": {"id"},
        "use": {"href", "x", "y", "width", "height", "fill", "stroke", "transform", "role", "aria-label"},
        "path": {*_PAINT, "d"},
        "rect": {*_PAINT, "x", "y", "width", "height", "rx"},
        "circle": {*_PAINT, "cx", "cy", "r"},
        "ellipse": {*_PAINT, "cx", "cy", "rx", "ry"},
        "line": {*_PAINT, "x1", "y1", "x2", "y2"},
        "polyline": {*_PAINT, "points"},
        "polygon": {*_PAINT, "points"},
        "text": {*_TEXT, "fill", "stroke", "x", "y", "transform"},
        "tspan": {*_TEXT, "fill", "stroke", "x", "y"},
    }.items()
}
"""Each element with the attributes it may have."""

TEXTBOX = frozenset(
    {"x", "y", "width", "height", "font", "size", "floor", "leading", "tight", "align", "valign", "fill", "name"}
)
"""Attributes of <textbox>, the one element that is not SVG; it is resolved into <text> when a face is composed."""
