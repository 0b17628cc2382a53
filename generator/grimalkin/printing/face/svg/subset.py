"""The SVG that faces may use. Anything else is reported as a problem, never skipped.

Numbers are millimetres. Colours are #rrggbb or none. There are no styles, classes or filters: this subset prints the
same everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Any

from grimalkin.printing.face.svg.paths import (
    MOST_LENGTH,
    dashes_of,
    matrix_of,
    number_of,
    points_of,
    times,
    view_box_of,
)
from grimalkin.printing.face.svg.xml import Element, foreign_to
from grimalkin.printing.type.fonts import SANS
from grimalkin.printing.type.shaping import VARIANTS, variant_fault
from grimalkin.problems import GUIDE, colour_hint, did_you_mean
from grimalkin.problems.plain import listed
from grimalkin.source.colours import ink_of, noted

SVG = "http://www.w3.org/2000/svg"
NAMESPACE: Any = {None: SVG}
GRID = "0 0 24 24"
"""The default grid of a symbol without a viewBox."""
INK = "#1d1a26"
"""Our black."""

_PAINT = {
    "fill", "fill-rule", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap",
    "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "transform", "id", "opacity",
    "clip-path", "mask",
}  # fmt: skip
_TEXT = {"font-family", "font-size", "font-variant", "text-anchor", "word-spacing"}
_GRADIENT = {"id", "gradientUnits", "gradientTransform", "spreadMethod"}

_SVG: dict[str, tuple[str, set[str]]] = {
    "svg": ("the outermost element; its size comes from the stock", {"viewBox", "width", "height"}),
    "title": ("text for people who read the file; not drawn", set()),
    "desc": ("text for people who read the file; not drawn", set()),
    "defs": ("elements that are drawn only where they are used", {"id"}),
    "symbol": ("a drawing on its own grid, used by its id", {"id", "viewBox"}),
    "g": (
        "a group; its colours, type and transform apply to everything in it",
        {*_PAINT, *_TEXT, "role", "aria-label"},
    ),
    "clipPath": ("shapes that clip something: only the parts inside them show", {"id", "clip-path", "transform"}),
    "mask": (
        "art that masks something: white shows it; black or empty hides it",
        {"id", "maskUnits", "x", "y", "width", "height", "mask-type"},
    ),
    "pattern": (
        "a tile that is repeated to fill a shape",
        {"id", "patternUnits", "x", "y", "width", "height", "patternTransform"},
    ),
    "linearGradient": ("colours along a line, for a fill or stroke", {*_GRADIENT, "x1", "y1", "x2", "y2"}),
    "radialGradient": (
        "colours from a circle around fx, fy to one around cx, cy",
        {*_GRADIENT, "cx", "cy", "r", "fx", "fy", "fr"},
    ),
    "stop": ("a colour of a gradient, and its position", {"offset", "stop-color", "stop-opacity"}),
    "use": (
        "draws a symbol, or any element with an id",
        {
            *("href", "x", "y", "width", "height", "fill", "stroke", "transform", "role", "aria-label"),
            *("opacity", "clip-path", "mask"),
        },
    ),
    "image": (
        "a picture from the folder `art`",
        {
            *("href", "x", "y", "width", "height", "rx", "preserveAspectRatio", "focus", "transform", "role"),
            *("aria-label", "opacity", "clip-path", "mask"),
        },
    ),
    "path": ("any outline", {*_PAINT, "d"}),
    "rect": ("a rectangle", {*_PAINT, "x", "y", "width", "height", "rx", "ry"}),
    "circle": ("a circle", {*_PAINT, "cx", "cy", "r"}),
    "ellipse": ("an ellipse", {*_PAINT, "cx", "cy", "rx", "ry"}),
    "line": ("a straight line", {*_PAINT, "x1", "y1", "x2", "y2"}),
    "polyline": ("straight lines, open", {*_PAINT, "points"}),
    "polygon": ("straight lines, closed", {*_PAINT, "points"}),
    "text": (
        "a line of text that never wraps; for numbers and labels",
        {*_TEXT, "fill", "fill-opacity", "stroke", "x", "y", "transform", "opacity"},
    ),
    "tspan": ("part of a line of text", {*_TEXT, "fill", "fill-opacity", "stroke", "x", "y"}),
}
_VARIANTS = ", ".join(f"`{word}`" for word in VARIANTS)
_CUT = ("path", "rect", "circle", "ellipse", "polygon", "polyline")
ELEMENTS = {
    name: frozenset(attributes) | ({"clip-rule"} if name in _CUT else set()) for name, (_, attributes) in _SVG.items()
}
"""Each element with the attributes that it may have."""
ELEMENT_WORDS = {name: words for name, (words, _) in _SVG.items()}
ATTRIBUTES = {
    "aria-label": "what a drawing shows, for people who cannot see it; needs `role`",
    "clip-path": "`url(#id)` of a clipPath",
    "clip-rule": "in a clipPath, like `fill-rule`",
    "cx": "centre, from the left",
    "cy": "centre, from the top",
    "d": "the outline: M, L, H, V, C, S, Q, T, A and Z, absolute or relative",
    "fill": "colour inside: `#rrggbb`, `none`, or `url(#id)` of a gradient or a pattern; in a symbol, `currentColor` "
    "is the fill that it is used with",
    "fill-opacity": "opacity of the fill only",
    "fill-rule": "`nonzero` or `evenodd`: whether a shape within a shape is a hole",
    "focus": "the point of a picture that cropping keeps in view, from the left and from the top: `50% 20%`",
    "font-family": "name of a font, or several separated by commas: each supplies what the one before lacks",
    "font-size": "type size, here in millimetres: 1 pt is 0.353 mm",
    "font-variant": f"OpenType features by their CSS names: {_VARIANTS}",
    "fr": "radius of the circle where a gradient begins; default 0",
    "fx": "centre of the circle where a gradient begins, from the left; default `cx`",
    "fy": "centre of the circle where a gradient begins, from the top; default `cy`",
    "gradientTransform": "transform of a gradient",
    "gradientUnits": "`userSpaceOnUse`: its numbers are millimetres, like those of the shape",
    "height": "height",
    "href": "the `#id` of the element to use; icons are `#icon-NAME`, pictures `art/NAME.png`",
    "id": "a name within this face",
    "mask": "`url(#id)` of a mask",
    "mask-type": "`luminance` (default), or `alpha` to use its opacity instead of its colours",
    "maskUnits": "`userSpaceOnUse`: its numbers are millimetres",
    "offset": "position on a gradient, from 0 to 1",
    "opacity": "from 0 (invisible) to 1; a group is drawn as a whole first",
    "patternTransform": "transform of a pattern",
    "patternUnits": "`userSpaceOnUse`: its numbers are millimetres",
    "points": "pairs of numbers",
    "preserveAspectRatio": "`xMidYMid` shows the whole picture, `xMidYMid slice` fills the box and crops it, `none` "
    "stretches it; Min and Max move it to an edge",
    "r": "radius",
    "role": "`img`, with an `aria-label`",
    "rx": "radius of corners, or half the width of an ellipse",
    "ry": "vertical radius of corners, by default the same as `rx`; or half the height of an ellipse",
    "spreadMethod": "beyond the ends of a gradient: `pad` with its last colours (default), `reflect` or `repeat`",
    "stop-color": "colour there, `#rrggbb`",
    "stop-opacity": "opacity there",
    "stroke": "colour of the line, like `fill`",
    "stroke-dasharray": "lengths of dashes and gaps, or `none`",
    "stroke-dashoffset": "where in the dashes the line begins",
    "stroke-linecap": "`butt`, `round` or `square` ends",
    "stroke-linejoin": "`miter`, `round` or `bevel` corners",
    "stroke-miterlimit": "how far a corner may stick out, in line widths; 1 or more",
    "stroke-opacity": "opacity of the line only",
    "stroke-width": "width of the line; below 0.2 it prints badly on home printers",
    "text-anchor": "`start`, `middle` or `end`: the part of the text that is at x",
    "transform": "one or more of translate, scale, rotate and matrix",
    "viewBox": f"the grid of a symbol; default `{GRID}`",
    "width": "width",
    "word-spacing": "extra width of each space, in millimetres",
    "x": "from the left",
    "x1": "start, from the left",
    "x2": "end, from the left",
    "y": "from the top; for text, its baseline",
    "y1": "start, from the top",
    "y2": "end, from the top",
}
"""Attributes of these elements, with a description of each."""

UNSAID = {
    "x": "0", "y": "0", "font": SANS, "size": "8", "floor": "6.5", "leading": "1.25", "tight": "1.08", "align": "left",
    "valign": "top", "fill": INK,
}  # fmt: skip
"""Defaults of a text box's attributes."""
TEXTBOX = {
    "x": f"left edge; default {UNSAID['x']}",
    "y": f"top edge; default {UNSAID['y']}",
    "width": "width of the box",
    "height": "height of the box",
    "font": f"name of a font, or several as in `font-family`; default {UNSAID['font']}",
    "font-variant": "OpenType features, as for `<text>`",
    "size": f"type size to begin with, in points; default {UNSAID['size']}",
    "floor": f"smallest size allowed, in points; default {UNSAID['floor']}, or the size if that is smaller",
    "leading": f"distance between baselines, in type sizes; default {UNSAID['leading']}",
    "tight": f"smallest distance between baselines before the type shrinks; default {UNSAID['tight']}",
    "align": "`left`, `center`, `right`, or `justify` to fill the lines",
    "valign": "`top`, `middle` or `bottom`",
    "hyphenate": "a language, such as `en`, in which words may be hyphenated",
    "wrap": "`balance` gives all lines of a paragraph about the same width, for titles",
    "fill": f"colour of the text; default {UNSAID['fill']}",
    "name": "its name in messages and in the preview",
}
"""Attributes of <textbox>, with descriptions. It is not SVG; composing a face resolves it into <text>."""

FIELD = {
    "x": "left edge",
    "y": "top edge",
    "width": "width of the field",
    "height": "height of the field",
    "name": "the path of a value in a position of the game, with dots between its parts",
    "kind": "`text` (default), `number`, `check` for a tick, or `fixed` for a value in every filled form",
    "say": "its description, for screen readers and messages",
    "size": "type size in points; default 9",
    "align": "`left` (default), `center` (default for numbers) or `right`",
    "fill": f"colour of what people write; default {INK}",
    "most": "how many characters fit; default 60, for a number 3",
    "value": "the value of a fixed field",
    "sum": "names of the fields that it adds up, separated by spaces; `*` stands for any part",
}
"""Attributes of <field>, with descriptions: a place to fill in on a form. It is not SVG either, and draws nothing."""

UNSAID_QR = {"x": "0", "y": "0", "error": "m", "quiet": "4", "fill": INK, "ground": "#ffffff"}
"""Defaults of a QR code's attributes."""
QR = {
    "x": f"left edge; default {UNSAID_QR['x']}",
    "y": f"top edge; default {UNSAID_QR['y']}",
    "width": "its width and height, including the quiet zone",
    "data": "the text that it holds, such as the address of a page",
    "error": "how much of it may be damaged: `l`, `m`, `q` and `h` mean 7, 15, 25 and 30 %; "
    f"default `{UNSAID_QR['error']}`, and more if that costs nothing",
    "quiet": f"the quiet zone around it, in modules; default {UNSAID_QR['quiet']}, as readers require",
    "fill": f"its colour, which must be dark; default {UNSAID_QR['fill']}",
    "ground": f"the colour behind it, which must be light; default {UNSAID_QR['ground']}",
}
"""The attributes of <qr>, which is not SVG either: a QR code, drawn as one path."""
OWN = {"textbox": TEXTBOX, "field": FIELD, "qr": QR}
"""The elements that are not SVG, with their attributes."""

CLIPS = frozenset(_CUT)
"""Shapes allowed in a clip path."""
PAINTS = frozenset(["linearGradient", "radialGradient", "pattern"])
LINKS = {
    "clip-path": frozenset(["clipPath"]),
    "mask": frozenset(["mask"]),
    "fill": PAINTS,
    "stroke": PAINTS,
}
"""Attributes that refer to definitions elsewhere on a face, with the elements that each allows."""
DEFINED = frozenset().union(*LINKS.values())
_INFO = frozenset(["title", "desc"])
_DRAWN = frozenset(
    ["path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use", "g", "text", "textbox", "image", "qr"]
)
HIDDEN = DEFINED | _INFO | {"defs", "symbol"}
"""Elements that are not drawn where they are written."""
HOLDS = {
    f"{{{SVG}}}{name}": held | _INFO
    for name, held in {
        "svg": _DRAWN | DEFINED | {"defs", "symbol"},
        "g": _DRAWN | DEFINED | {"defs", "symbol"},
        "defs": _DRAWN | DEFINED | {"symbol"},
        "symbol": _DRAWN | DEFINED | {"defs"},
        "clipPath": frozenset(ELEMENTS),  # it has its own rules
        "mask": _DRAWN,
        "pattern": _DRAWN,
        "linearGradient": {"stop"},
        "radialGradient": {"stop"},
        "text": {"tspan"},
    }.items()
}
"""The elements allowed inside each element; others are not drawn. Unlisted elements may contain only a title."""
_LINK = re.compile(r"url\(#[^()\s\"']+\)")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_INKS = re.compile(r"(#[0-9a-fA-F]{6} )?(cmyk|gray|spot|finish)\(")
COLOURED = ("fill", "stroke", "stop-color", "ground")
"""Attributes with a colour."""
_WORDS = {
    "stroke-linecap": ("butt", "round", "square"),
    "stroke-linejoin": ("miter", "round", "bevel"),
    "fill-rule": ("nonzero", "evenodd"),
    "clip-rule": ("nonzero", "evenodd"),
    "gradientUnits": ("userSpaceOnUse",),
    "maskUnits": ("userSpaceOnUse",),
    "patternUnits": ("userSpaceOnUse",),
    "spreadMethod": ("pad", "reflect", "repeat"),
    "mask-type": ("luminance", "alpha"),
    "text-anchor": ("start", "middle", "end"),
    "wrap": ("balance",),
}
_NUMBERS = frozenset(
    [
        "x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2", "stroke-width", "font-size",
        "size", "floor", "leading", "tight", "word-spacing", "fx", "fy", "fr", "stroke-dashoffset", "stroke-miterlimit",
    ]
)  # fmt: skip
_SHARES = frozenset(["offset", "opacity", "fill-opacity", "stroke-opacity", "stop-opacity"])
"""Numbers from 0 to 1."""
_TRANSFORMS = frozenset(["transform", "gradientTransform", "patternTransform"])

NO_STYLES = 'write attributes, as in fill="#1d1a26"; put a drawing with styles in art, or in its own <svg>'
INSTEAD = {"class": NO_STYLES, "style": NO_STYLES}
"""What to write instead of attributes that only other SVG has."""
_UNITS = {"size": " of points", "floor": " of points", **dict.fromkeys(["leading", "tight", "stroke-miterlimit"], "")}
_SIZES = frozenset({"width", "height", "r", "rx", "ry", "fr", "stroke-width", "font-size", "size"})
"""Numbers that are never negative."""

Fault = tuple[str, str]
"""A message, and a hint or ""."""


class ElementFault(ValueError):
    """A fault in an element: a message, perhaps a hint, and the attribute at fault if it is known."""

    def __init__(self, message: str, hint: str = "", wrong: str = "") -> None:
        super().__init__(message)
        self.message, self.hint, self.wrong = message, hint, wrong


def nesting_fault(outer: str, tag: str) -> Fault | None:
    """Return the fault of an element with this name inside another, given by its full name, if any."""
    if tag in HOLDS.get(outer, _INFO):
        return None
    holder = outer.rpartition("}")[2]
    return f"<{tag}> within <{holder}> is not drawn", f"put it after </{holder}>"


def foreign_hint(element: Element) -> str:
    """Return a hint for an element from another namespace; "" for one from SVG, or from no namespace."""
    namespace = foreign_to(element, SVG)
    return f'it belongs to "{namespace[:60]}", not to SVG; remove it' if namespace else ""


def stretch_fault(element: Element) -> Fault | None:
    """Return the fault of a transform that, combined with those around it, exceeds the size of any paper."""
    matrix = matrix_of(element.get("transform", ""))
    for above in element.iterancestors():
        outer = above.get("transform")
        if outer and matrix:
            matrix = times(matrix_of(outer) or matrix, matrix)
    if matrix and not all(abs(one) <= MOST_LENGTH for one in matrix):
        return "nested transforms stretch this beyond any paper", "remove one of them"
    return None


_NEEDED = {
    "circle": ("r",), "ellipse": ("rx", "ry"), "path": ("d",), "polygon": ("points",), "polyline": ("points",),
    "rect": ("width", "height"), "textbox": ("width", "height"), "use": ("href",), "image": ("href",),
    "qr": ("width", "data"),
    "linearGradient": ("gradientUnits", "x1", "y1", "x2", "y2"),
    "radialGradient": ("gradientUnits", "cx", "cy", "r"),
    "mask": ("maskUnits", "x", "y", "width", "height"),
    "pattern": ("patternUnits", "width", "height"),
    "stop": ("offset", "stop-color"),
}  # fmt: skip
"""Attributes without which nothing would be drawn. A written 0 is fine: it may be computed, and intended."""


def _instead(key: str, allowed: Collection[str]) -> str:
    """Suggest an attribute in place of an unknown one. Text boxes and texts name their fonts differently."""
    twin = {"size": "font-size", "font": "font-family", "font-size": "size", "font-family": "font"}.get(key, "")
    return INSTEAD.get(key) or did_you_mean(twin if twin in allowed else key, allowed, GUIDE)


def missing_fault(tag: str, attributes: Collection[str]) -> Fault | None:
    """Return the fault of an element without its required attributes, if any are missing."""
    lacking = [key for key in _NEEDED.get(tag, ()) if key not in attributes]
    if lacking:
        hints = (f'{key}="{(*_WORDS.get(key, ()), "…")[0]}"' for key in lacking)
        return f"<{tag}> has no {' and no '.join(lacking)}", "write " + " ".join(hints)
    if tag == "line" and not any(key in attributes for key in ("x1", "y1", "x2", "y2")):
        return "<line> has no ends", 'write x1="…" y1="…" x2="…" y2="…"'
    return None


def unchecked_fault(tag: str, key: str, value: str) -> Fault | None:
    """Return the fault of an element's attribute, if any."""
    allowed = OWN.get(tag) or ELEMENTS[tag]
    if key.startswith("{"):
        name = key.rpartition("}")[2]
        hint = f"write {name} without a prefix" if name in allowed else "remove it"
        return f'<{tag}> has no attribute "{name}" from another namespace', hint
    if key not in allowed:
        return f'<{tag}> has no attribute "{key}" here', _instead(key, allowed)
    if key in COLOURED and not _COLOUR.fullmatch(value) and not _is_paint(tag, key, value):
        if _INKS.match(value):
            return _ink_fault(key, value)
        if key == "stop-color":
            return f'{key}="{value}" is not a colour', colour_hint(value)
        return f'{key}="{value}" is not a colour', f"{colour_hint(value)}, or none"
    if key == "stroke" and value != "none" and tag in ("text", "tspan"):
        return f'<{tag} stroke="{value}"> is not drawn', "letters are only filled; draw outlines with <path>"
    if key in _TRANSFORMS and matrix_of(value) is None:
        return (
            f'{key}="{value[:60]}" cannot be read',
            "write translate, scale, rotate or matrix, within the size of paper",
        )
    if key in _SHARES and not 0 <= _number(value, -1) <= 1:
        return f'<{tag} {key}="{value[:40]}"> is not a number from 0 to 1', "write 0.5 for a half"
    if key in _NUMBERS and tag != "svg" and not is_number(value):
        unit = _UNITS.get(key, " of millimetres")
        return f'<{tag} {key}="{value[:40]}"> is not a number{unit}', _number_hint(value)
    if key in _SIZES and _number(value) < 0:
        return f'<{tag} {key}="{value}"> is negative', "write 0 or more"
    if key == "stroke-miterlimit" and _number(value) < 1:
        return f'{key}="{value}" is less than 1', "4 is usual"
    if key in _WORDS and value not in _WORDS[key]:
        return f'{key}="{value}" is not known', "one of: " + ", ".join(_WORDS[key])
    if key == "stroke-dasharray" and dashes_of(value) is None:
        return f'stroke-dasharray="{value[:40]}" cannot be read', "write lengths in millimetres, not all 0, or none"
    if key == "points" and points_of(value) is None:
        return f'<{tag} points="{value[:40]}"> cannot be read', "write pairs of numbers"
    if key == "viewBox" and view_box_of(value) is None:
        return f'viewBox="{value[:40]}" cannot be read', f"write it as {GRID}"
    if key in ("clip-path", "mask") and not _LINK.fullmatch(value):
        return f'{key}="{value[:40]}" refers to nothing', link_hint(key)
    if key == "href" and tag == "use" and not value.startswith("#"):
        return f'<use href="{value[:40]}"> refers to nothing', "write the #id of a symbol in this face"
    if key == "font-variant":
        return variant_fault("", value)
    return None


attribute_fault = lru_cache(maxsize=4096)(unchecked_fault)
"""`unchecked_fault` with a cache, for attributes that occur repeatedly."""


def _ink_fault(key: str, value: str) -> Fault | None:
    """Return the fault of a colour given by its inks."""
    try:
        ink = ink_of(noted(value))
    except ValueError as fault:
        message, _, hint = str(fault).partition("; ")
        return f"{key}: {message}", hint
    if ink and ink.kind == "finish" and key in ("stop-color", "ground"):
        return f'{key}="{value}" is a finish, which only covers areas', "fill a shape with it"
    return None


def _is_paint(tag: str, key: str, value: str) -> bool:
    """Return whether a value other than a colour may be a fill or stroke."""
    if value == "none":
        return key != "stop-color"
    return tag not in OWN and key != "stop-color" and (value == "currentColor" or bool(_LINK.fullmatch(value)))


def link_hint(key: str) -> str:
    """Return a hint with the elements that an attribute may refer to."""
    return f"write url(#id) with the id of a {listed([f'<{tag}>' for tag in sorted(LINKS[key])], 'or')}"


def is_number(text: str) -> bool:
    return number_of(text) is not None


def _number(text: str, unsaid: float = 0) -> float:
    """Return a number, or `unsaid` if the text is not one."""
    value = number_of(text)
    return unsaid if value is None else value


def _number_hint(value: str) -> str:
    """Return a hint for a text that is not a number, or for a number far larger than any paper."""
    try:
        if abs(float(value)) > MOST_LENGTH:
            return f"at most {MOST_LENGTH:,.0f}"
    except ValueError:
        pass
    return "write digits and a decimal point without a unit, as in 12.5"
