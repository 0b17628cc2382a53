"""The SVG that faces may use. Everything else is a problem, never skipped.

Numbers are millimetres. Colours are #rrggbb or none. There are no styles, classes or filters: what is here prints the
same everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from grimalkin.face.fonts import SANS
from grimalkin.face.paths import MOST_LENGTH, dashes_of, matrix_of, number_of, points_of, times, view_box_of
from grimalkin.face.shaping import VARIANTS, variant_fault
from grimalkin.face.xml import Element, foreign_to
from grimalkin.problems import GUIDE, colour_hint, did_you_mean
from grimalkin.problems.plain import listed

SVG = "http://www.w3.org/2000/svg"
GRID = "0 0 24 24"
"""What a symbol is drawn on without a viewBox."""
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
    "title": ("words for those who read the file; not drawn", set()),
    "desc": ("words for those who read the file; not drawn", set()),
    "defs": ("what is drawn only where it is used", {"id"}),
    "symbol": ("a drawing to be used by its id, on a grid of its own", {"id", "viewBox"}),
    "g": (
        "a group: its colours, its type and its transform are those of all within",
        {*_PAINT, *_TEXT, "role", "aria-label"},
    ),
    "clipPath": ("shapes to cut something with: what is in any of them stays", {"id", "clip-path", "transform"}),
    "mask": (
        "art to cover something with: where it is white, that is seen; where it is black or empty, nothing is",
        {"id", "maskUnits", "x", "y", "width", "height", "mask-type"},
    ),
    "pattern": (
        "a tile to fill a shape with, again and again",
        {"id", "patternUnits", "x", "y", "width", "height", "patternTransform"},
    ),
    "linearGradient": ("colours along a line, to fill or to stroke with", {*_GRADIENT, "x1", "y1", "x2", "y2"}),
    "radialGradient": (
        "colours from one circle to another, which has its middle at fx, fy",
        {*_GRADIENT, "cx", "cy", "r", "fx", "fy", "fr"},
    ),
    "stop": ("a colour of a gradient, and where it is", {"offset", "stop-color", "stop-opacity"}),
    "use": (
        "draws a symbol, or anything with an id",
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
        "one line of text that never wraps; for numbers and labels",
        {*_TEXT, "fill", "fill-opacity", "stroke", "x", "y", "transform", "opacity"},
    ),
    "tspan": ("part of a text", {*_TEXT, "fill", "fill-opacity", "stroke", "x", "y"}),
}
_VARIANTS = ", ".join(f"`{word}`" for word in VARIANTS)
_CUT = ("path", "rect", "circle", "ellipse", "polygon", "polyline")
ELEMENTS = {
    name: frozenset(attributes) | ({"clip-rule"} if name in _CUT else set()) for name, (_, attributes) in _SVG.items()
}
"""Each element with the attributes it may have."""
ELEMENT_WORDS = {name: words for name, (words, _) in _SVG.items()}
ATTRIBUTES = {
    "aria-label": "what a drawing is, for those who cannot see it; goes with `role`",
    "clip-path": "`url(#id)` of a clipPath",
    "clip-rule": "in a clipPath, as `fill-rule`",
    "cx": "middle, from the left",
    "cy": "middle, from above",
    "d": "the outline: M, L, H, V, C, S, Q, T, A and Z, absolute or relative",
    "fill": "colour inside, `#rrggbb` or `none`; `url(#id)` of a gradient or a pattern; in a symbol, `currentColor` is "
    "the fill it is used with",
    "fill-opacity": "opacity of the fill alone",
    "fill-rule": "`nonzero` or `evenodd`: whether a shape within a shape is a hole",
    "focus": "the point of a picture that cropping keeps in sight, from the left and from above: `50% 20%`",
    "font-family": "name of a font, or several with commas between: what one lacks comes from the next",
    "font-size": "type size, in millimetres here: 1 pt is 0.353 mm",
    "font-variant": f"what the font can do besides, in words of CSS: {_VARIANTS}",
    "fr": "radius of the circle where a gradient begins; 0 unless said",
    "fx": "middle of the circle where a gradient begins, from the left; cx unless said",
    "fy": "the same from above; cy unless said",
    "gradientTransform": "transform of a gradient",
    "gradientUnits": "`userSpaceOnUse`: its numbers are millimetres, as those of the shape",
    "height": "height",
    "href": "`#id` of what is used; icons are `#icon-NAME`, pictures `art/NAME.png`",
    "id": "a name within this face",
    "mask": "`url(#id)` of a mask",
    "mask-type": "`alpha` when opacity counts, and no colour; `luminance` unless said",
    "maskUnits": "`userSpaceOnUse`: its numbers are millimetres",
    "offset": "where on a gradient, from 0 to 1",
    "opacity": "from 0, not to be seen, to 1; what is in a group is drawn as a whole first",
    "patternTransform": "transform of a pattern",
    "patternUnits": "`userSpaceOnUse`: its numbers are millimetres",
    "points": "pairs of numbers",
    "preserveAspectRatio": "`xMidYMid` shows all of a picture, `xMidYMid slice` fills the room and crops it, `none` "
    "stretches it; Min and Max move it to an edge",
    "r": "radius",
    "role": "`img`, with an `aria-label`",
    "rx": "radius of corners, or half the width of an ellipse",
    "ry": "radius of corners from above, as `rx` unless said; or half the height of an ellipse",
    "spreadMethod": "what is beyond a gradient: `pad` with its last colours unless said, `reflect` or `repeat`",
    "stop-color": "colour there, `#rrggbb`",
    "stop-opacity": "opacity there",
    "stroke": "colour of the line, as `fill`",
    "stroke-dasharray": "lengths of dashes and gaps, or `none`",
    "stroke-dashoffset": "where in the dashes the line begins",
    "stroke-linecap": "`butt`, `round` or `square` ends",
    "stroke-linejoin": "`miter`, `round` or `bevel` corners",
    "stroke-miterlimit": "how many widths a corner may reach out; 1 or more",
    "stroke-opacity": "opacity of the line alone",
    "stroke-width": "width of the line; thinner than 0.2 prints badly at home",
    "text-anchor": "`start`, `middle` or `end`: which part of a text stands at x",
    "transform": "translate, scale, rotate and matrix, also several",
    "viewBox": f"the grid of a symbol; `{GRID}` unless said",
    "width": "width",
    "word-spacing": "how much wider each space is, in millimetres",
    "x": "from the left",
    "x1": "start, from the left",
    "x2": "end, from the left",
    "y": "from above; the baseline of a text",
    "y1": "start, from above",
    "y2": "end, from above",
}
"""Attributes of these elements, and what each says."""

UNSAID = {
    "x": "0", "y": "0", "font": SANS, "size": "8", "floor": "6.5", "leading": "1.25", "tight": "1.08", "align": "left",
    "valign": "top", "fill": INK,
}  # fmt: skip
"""What a text box is without an attribute."""
TEXTBOX = {
    "x": f"left edge; {UNSAID['x']} unless said",
    "y": f"upper edge; {UNSAID['y']} unless said",
    "width": "how wide the room is",
    "height": "how high the room is",
    "font": f"name of a font, or several as in `font-family`; {UNSAID['font']} unless said",
    "font-variant": "what the font can do besides, as for `<text>`",
    "size": f"type size to begin with, in points; {UNSAID['size']} unless said",
    "floor": f"smallest size allowed, in points; {UNSAID['floor']} unless said, or the size when that is smaller",
    "leading": f"from baseline to baseline, in type sizes; {UNSAID['leading']} unless said",
    "tight": f"how near the lines may move before the type shrinks; {UNSAID['tight']} unless said",
    "align": "`left`, `center`, `right`, or `justify`, which fills the lines",
    "valign": "`top`, `middle` or `bottom`",
    "hyphenate": "a language, such as `en`: words may be broken between its syllables",
    "wrap": "`balance` makes all lines of a paragraph alike in width, for titles",
    "fill": f"colour of the text; {UNSAID['fill']} unless said",
    "name": "what messages and the preview call it",
}
"""Attributes of <textbox> in words. It is not SVG; it is resolved into <text> when a face is composed."""

FIELD = {
    "x": "left edge",
    "y": "upper edge",
    "width": "how wide it is",
    "height": "how high it is",
    "name": "the path of a value in a position of the game, its parts parted by dots",
    "kind": "`text`, `number`, `check` for a tick, or `fixed` for what every filled form says; `text` unless said",
    "say": "what it is, for those who listen, and for messages",
    "size": "type size in points; 9 unless said",
    "align": "`left`, `center` or `right`; numbers are centred unless said",
    "fill": f"colour of what is written; {INK} unless said",
    "most": "how many characters it takes; 60 unless said, 3 for a number",
    "value": "what a fixed field says",
    "sum": "names of fields that it adds up, with spaces between; `*` for any part",
}
"""Attributes of <field> in words. It is not SVG either: where a form is filled in. Nothing is drawn of it."""

UNSAID_QR = {"x": "0", "y": "0", "error": "m", "quiet": "4", "fill": INK, "ground": "#ffffff"}
"""Defaults of a QR code's attributes."""
QR = {
    "x": f"left edge; {UNSAID_QR['x']} unless said",
    "y": f"upper edge; {UNSAID_QR['y']} unless said",
    "width": "its width and height, with the quiet zone",
    "data": "the text in it, such as the address of a page",
    "error": "how much of it may be damaged: `l`, `m`, `q` and `h` mean 7, 15, 25 and 30 %; "
    f"`{UNSAID_QR['error']}` unless said, and more if that costs nothing",
    "quiet": f"the quiet zone around it, in modules; {UNSAID_QR['quiet']} unless said, as readers require",
    "fill": f"its colour, a dark one; {UNSAID_QR['fill']} unless said",
    "ground": f"the colour behind it, a light one; {UNSAID_QR['ground']} unless said",
}
"""The attributes of <qr>, which is not SVG either: a QR code, drawn as one path."""
OWN = {"textbox": TEXTBOX, "field": FIELD, "qr": QR}
"""The elements that are not SVG, with their attributes."""

CLIPS = frozenset(_CUT)
"""What may cut."""
PAINTS = frozenset(["linearGradient", "radialGradient", "pattern"])
LINKS = {
    "clip-path": frozenset(["clipPath"]),
    "mask": frozenset(["mask"]),
    "fill": PAINTS,
    "stroke": PAINTS,
}
"""Attributes that lead to what is defined elsewhere on a face, and to what they may."""
DEFINED = frozenset().union(*LINKS.values())
_INFO = frozenset(["title", "desc"])
_DRAWN = frozenset(
    ["path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use", "g", "text", "textbox", "image", "qr"]
)
HIDDEN = DEFINED | _INFO | {"defs", "symbol"}
"""What is not drawn where it stands."""
HOLDS = {
    f"{{{SVG}}}{name}": held | _INFO
    for name, held in {
        "svg": _DRAWN | DEFINED | {"defs", "symbol"},
        "g": _DRAWN | DEFINED | {"defs", "symbol"},
        "defs": _DRAWN | DEFINED | {"symbol"},
        "symbol": _DRAWN | DEFINED | {"defs"},
        "clipPath": frozenset(ELEMENTS),  # it has rules of its own
        "mask": _DRAWN,
        "pattern": _DRAWN,
        "linearGradient": {"stop"},
        "radialGradient": {"stop"},
        "text": {"tspan"},
    }.items()
}
"""What may stand in what. Elsewhere it would not be drawn; what is in no row holds a title at the most."""
_LINK = re.compile(r"url\(#[^()\s\"']+\)")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
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

INSTEAD = {
    "class": 'write attributes, as in fill="#1d1a26"; a drawing with styles is a file in art, or an <svg> of its own',
    "style": 'write attributes, as in fill="#1d1a26"; a drawing with styles is a file in art, or an <svg> of its own',
}
"""What to write in the place of attributes that other SVG has."""
_UNITS = {"size": " of points", "floor": " of points", **dict.fromkeys(["leading", "tight", "stroke-miterlimit"], "")}
_SIZES = frozenset({"width", "height", "r", "rx", "ry", "fr", "stroke-width", "font-size", "size"})
"""Numbers that are never negative."""

Fault = tuple[str, str]
"""What is wrong, and a hint or nothing."""


def nesting_fault(outer: str, tag: str) -> Fault | None:
    """What is wrong with an element of this name in another one, of which the whole name is given, if anything."""
    if tag in HOLDS.get(outer, _INFO):
        return None
    holder = outer.rpartition("}")[2]
    return f"<{tag}> within <{holder}> is not drawn", f"write it after </{holder}>"


def foreign_hint(element: Element) -> str:
    """What to do with an element of another namespace; "" for one of SVG, or of none."""
    namespace = foreign_to(element, SVG)
    return f'it belongs to "{namespace[:60]}" and not to SVG; leave it out' if namespace else ""


def stretch_fault(element: Element) -> Fault | None:
    """What is wrong with the transform of an element: within others that stretch, it stays of a size that paper has."""
    matrix = matrix_of(element.get("transform", ""))
    for above in element.iterancestors():
        outer = above.get("transform")
        if outer and matrix:
            matrix = times(matrix_of(outer) or matrix, matrix)
    if matrix and not all(abs(one) <= MOST_LENGTH for one in matrix):
        return "transforms within transforms stretch this beyond all paper", "leave one of them out"
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
"""Attributes without which nothing would be drawn. What is written as 0 may be worked out, and is meant."""


def _instead(key: str, allowed: Collection[str]) -> str:
    """Suggest an attribute in place of an unknown one. Text boxes and texts name their fonts differently."""
    twin = {"size": "font-size", "font": "font-family", "font-size": "size", "font-family": "font"}.get(key, "")
    return INSTEAD.get(key) or did_you_mean(twin if twin in allowed else key, allowed, GUIDE)


def missing_fault(tag: str, attributes: Collection[str]) -> Fault | None:
    """What an element lacks, if anything."""
    lacking = [key for key in _NEEDED.get(tag, ()) if key not in attributes]
    if lacking:
        hints = (f'{key}="{(*_WORDS.get(key, ()), "…")[0]}"' for key in lacking)
        return f"<{tag}> has no {' and no '.join(lacking)}", "write " + " ".join(hints)
    if tag == "line" and not any(key in attributes for key in ("x1", "y1", "x2", "y2")):
        return "<line> has no ends", 'write x1="…" y1="…" x2="…" y2="…"'
    return None


def unchecked_fault(tag: str, key: str, value: str) -> Fault | None:
    """What is wrong with an attribute of an element, if anything."""
    allowed = OWN.get(tag) or ELEMENTS[tag]
    if key.startswith("{"):
        name = key.rpartition("}")[2]
        hint = f"write {name} without a prefix" if name in allowed else "leave it out"
        return f'<{tag}> has no attribute "{name}" of another namespace', hint
    if key not in allowed:
        return f'<{tag}> has no attribute "{key}" here', _instead(key, allowed)
    if (
        key in ("fill", "stroke", "stop-color", "ground")
        and not _COLOUR.fullmatch(value)
        and not _is_paint(tag, key, value)
    ):
        if key == "stop-color":
            return f'{key}="{value}" is not a colour', colour_hint(value)
        return f'{key}="{value}" is not a colour', f"{colour_hint(value)}, or none"
    if key == "stroke" and value != "none" and tag in ("text", "tspan"):
        return f'<{tag} stroke="{value}"> is not drawn', "letters are filled alone; draw an outline with <path>"
    if key in _TRANSFORMS and matrix_of(value) is None:
        return (
            f'{key}="{value[:60]}" cannot be read',
            "translate, scale, rotate or matrix, of a size that paper has",
        )
    if key in _SHARES and not 0 <= _number(value, -1) <= 1:
        return f'<{tag} {key}="{value[:40]}"> is not a number from 0 to 1', "write 0.5 for a half"
    if key in _NUMBERS and tag != "svg" and not is_number(value):
        unit = _UNITS.get(key, " of millimetres")
        return f'<{tag} {key}="{value[:40]}"> is not a number{unit}', _number_hint(value)
    if key in _SIZES and _number(value) < 0:
        return f'<{tag} {key}="{value}"> is negative', "a size is 0 or more"
    if key == "stroke-miterlimit" and _number(value) < 1:
        return f'{key}="{value}" is less than 1', "4 is usual"
    if key in _WORDS and value not in _WORDS[key]:
        return f'{key}="{value}" is not known', "one of: " + ", ".join(_WORDS[key])
    if key == "stroke-dasharray" and dashes_of(value) is None:
        return f'stroke-dasharray="{value[:40]}" cannot be read', "lengths in millimetres that are not all 0, or none"
    if key == "points" and points_of(value) is None:
        return f'<{tag} points="{value[:40]}"> cannot be read', "pairs of numbers"
    if key == "viewBox" and view_box_of(value) is None:
        return f'viewBox="{value[:40]}" cannot be read', f"write it as {GRID}"
    if key in ("clip-path", "mask") and not _LINK.fullmatch(value):
        return f'{key}="{value[:40]}" leads nowhere', link_hint(key)
    if key == "href" and tag == "use" and not value.startswith("#"):
        return f'<use href="{value[:40]}"> leads nowhere', "write #id of a symbol in this face"
    if key == "font-variant":
        return variant_fault("", value)
    return None


attribute_fault = lru_cache(maxsize=4096)(unchecked_fault)
"""The same, for attributes that come again and again."""


def _is_paint(tag: str, key: str, value: str) -> bool:
    """Whether a shape may be filled or stroked with this, which is not a colour."""
    if value == "none":
        return key != "stop-color"
    return tag not in OWN and key != "stop-color" and (value == "currentColor" or bool(_LINK.fullmatch(value)))


def link_hint(key: str) -> str:
    """Where an attribute may lead."""
    return f"write url(#id) of a {listed([f'<{tag}>' for tag in sorted(LINKS[key])], 'or')}"


def is_number(text: str) -> bool:
    return number_of(text) is not None


def _number(text: str, unsaid: float = 0) -> float:
    """A number, or what stands for one that is none."""
    value = number_of(text)
    return unsaid if value is None else value


def _number_hint(value: str) -> str:
    """What to write in the place of a text that is no number, or of one far beyond all paper."""
    try:
        if abs(float(value)) > MOST_LENGTH:
            return f"at most {MOST_LENGTH:,.0f}"
    except ValueError:
        pass
    return "write digits and a point and no unit, as in 12.5"
