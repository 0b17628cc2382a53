"""The CSS properties that affect a drawing: the initial value of each, and how to read it.

A style is a dictionary of these properties in a plain form: colours as `values.colour` writes them, lengths in px,
opacities from 0 to 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from grimalkin.printing.face.art import values

Style = Mapping[str, str]
Read = Callable[[str, float], str | None]
"""Return the plain form of a value as written, at a given type size, or None if it is unreadable."""


class Property(NamedTuple):
    initial: str
    read: Read
    is_inherited: bool = False


def _words(*allowed: str) -> Read:
    return lambda text, em: text.strip().lower() if text.strip().lower() in allowed else None


def _reference(text: str, em: float) -> str | None:
    """Return "none" or a reference; other CSS is left unchanged, and is a fault if it is used."""
    found = values.link(text)
    if found:
        return f"url({found.target})"
    return "none" if text.strip().lower() == "none" else text.strip() if "(" in text else None


def _any(text: str, em: float) -> str | None:
    return text.strip()


def _spacing(text: str, em: float) -> str | None:
    found = "0" if text.strip().lower() == "normal" else values.length(text, em)
    return None if found is None or found.endswith("%") else found


def _or_auto(text: str, em: float) -> str | None:
    return "auto" if text.strip().lower() in ("auto", "") else values.length(text, em)


def _radius(text: str, em: float) -> str | None:
    found = _or_auto(text, em)
    return "auto" if found and found.startswith("-") else found


def _size(text: str, em: float) -> str | None:
    """Read a length that is not negative."""
    found = values.length(text, em)
    return None if found is None or found.startswith("-") else found


def _miter(text: str, em: float) -> str | None:
    try:
        return values.plain(min(float(text), 100_000.0)) if float(text) >= 1 else None
    except ValueError:
        return None


def _transform(text: str, em: float) -> str | None:
    if text.strip().lower() in ("none", ""):
        return "none"
    found = values.matrix(text, em)
    return None if found is None else values.plain_matrix(found)


def _order(text: str, em: float) -> str | None:
    """Return the complete painting order."""
    words, all_words = text.lower().split(), ["fill", "stroke", "markers"]
    if words == ["normal"]:
        words = []
    if len(set(words)) < len(words) or not set(words) <= set(all_words):
        return None
    return " ".join([*words, *(word for word in all_words if word not in words)])


_BLENDED = (
    "multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn", "hard-light", "soft-light",
    "difference", "exclusion", "hue", "saturation", "color", "luminosity", "plus-lighter", "plus-darker",
)  # fmt: skip
_SIZES = {
    "xx-small": "9", "x-small": "10", "small": "13", "medium": "16", "large": "18", "x-large": "24", "xx-large": "32",
    "smaller": "83.3333%", "larger": "120%",
}  # fmt: skip


def _font_size(text: str, em: float) -> str | None:
    """Read a type size; `em` is the type size of the surroundings."""
    found = _size(_SIZES.get(text.strip().lower(), text), em)
    return None if found is None else values.plain(values.px(found, em))


def _weight(text: str, em: float) -> str | None:
    """Read a weight; `em` is the weight of the surroundings."""
    named = {
        "normal": "400", "bold": "700",
        "bolder": "400" if em < 350 else "700" if em < 550 else "900",
        "lighter": "100" if em < 550 else "400" if em < 750 else "700",
    }  # fmt: skip
    found = named.get(text.strip().lower(), text.strip())
    return found if re.fullmatch(r"\d{1,4}", found) and 1 <= int(found) <= 1000 else None


PROPERTIES: dict[str, Property] = {
    "color": Property("currentcolor", values.colour, True),
    "fill": Property("#000000", values.paint, True),
    "fill-rule": Property("nonzero", _words("nonzero", "evenodd"), True),
    "fill-opacity": Property("1", values.share, True),
    "stroke": Property("none", values.paint, True),
    "stroke-width": Property("1", _size, True),
    "stroke-opacity": Property("1", values.share, True),
    "stroke-linecap": Property("butt", _words("butt", "round", "square"), True),
    "stroke-linejoin": Property("miter", _words("miter", "round", "bevel"), True),
    "stroke-miterlimit": Property("4", _miter, True),
    "stroke-dasharray": Property("none", values.dashes, True),
    "stroke-dashoffset": Property("0", values.length, True),
    "clip-rule": Property("nonzero", _words("nonzero", "evenodd"), True),
    "visibility": Property("visible", _words("visible", "hidden", "collapse"), True),
    "paint-order": Property("fill stroke markers", _order, True),
    **{f"marker-{place}": Property("none", _reference, True) for place in ("start", "mid", "end")},
    "font-family": Property("", _any, True),
    "font-size": Property("16", _font_size, True),
    "font-style": Property("normal", lambda text, em: text.strip().lower().split(" ")[0] or None, True),
    "font-weight": Property("400", _weight, True),
    "letter-spacing": Property("0", _spacing, True),
    "word-spacing": Property("0", _spacing, True),
    "text-anchor": Property("start", _words("start", "middle", "end"), True),
    "white-space": Property("normal", _any, True),
    "writing-mode": Property("horizontal-tb", _any, True),
    "direction": Property("ltr", _words("ltr", "rtl"), True),
    "text-transform": Property("none", _words("none", "uppercase", "lowercase", "capitalize"), True),
    "font-variant": Property("normal", _any, True),
    "color-interpolation": Property("srgb", _words("auto", "srgb", "linearrgb"), True),
    "dominant-baseline": Property("auto", _any, True),
    "alignment-baseline": Property("auto", _any),
    "baseline-shift": Property("0", lambda text, em: {"baseline": "0"}.get(text.strip()) or _shift(text, em)),
    **{
        name: Property("none", _any)
        for name in (
            "filter", "mask-image", "backdrop-filter", "animation", "animation-name", "offset-path", "translate",
            "rotate", "scale", "text-decoration", "background", "vector-effect",
        )
    },
    "opacity": Property("1", values.share),
    "display": Property("inline", _any),
    "clip-path": Property("none", _reference),
    "mask": Property("none", _reference),
    "text-shadow": Property("none", _any, True),
    "mix-blend-mode": Property("normal", _words("normal", *_BLENDED)),
    "overflow": Property("unsaid", lambda text, em: next(iter(text.lower().split()), None)),
    "transform": Property("none", _transform),
    "transform-origin": Property("0 0", _any),
    "transform-box": Property("view-box", _any),
    "stop-color": Property("#000000", values.colour),
    "stop-opacity": Property("1", values.share),
    "mask-type": Property("luminance", _words("luminance", "alpha")),
    "background-color": Property("transparent", _any),
    **{name: Property("0", values.length) for name in ("x", "y", "cx", "cy")},
    "r": Property("0", _size),
    **{name: Property("auto", _or_auto) for name in ("width", "height")},
    **{name: Property("auto", _radius) for name in ("rx", "ry")},
    "d": Property("unsaid", _any),
}  # fmt: skip
GEOMETRY = {
    "svg": ("x", "y", "width", "height"), "use": ("x", "y"), "image": ("x", "y", "width", "height"),
    "rect": ("x", "y", "width", "height", "rx", "ry"), "circle": ("cx", "cy", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
}  # fmt: skip
SIZED = frozenset(["x", "y", "cx", "cy", "r", "width", "height", "rx", "ry", "d"])
"""Attributes that are properties of only some elements."""
NO_ATTRIBUTE = SIZED | {
    "mask-image", "text-shadow",
    "background", "background-color", "animation", "animation-name", "mix-blend-mode", "backdrop-filter", "offset-path",
    "translate", "rotate", "scale", "transform-box",
}  # fmt: skip
"""Properties that are not attributes of every element."""
KEYWORDS = ("inherit", "initial", "unset", "revert", "revert-layer")
RESET = {name: one.initial for name, one in PROPERTIES.items() if not one.is_inherited}
INITIAL: Style = {name: one.initial for name, one in PROPERTIES.items()}


def _shift(text: str, em: float) -> str | None:
    text = text.strip()
    return text if text in ("sub", "super") else values.length(text, em)
