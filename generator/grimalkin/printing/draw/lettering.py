"""Turn a face's texts into outlines, for programs that do not load the fonts in an SVG file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lxml import etree

from grimalkin.printing.draw.shapes import own_style, text_runs
from grimalkin.printing.face.fonts import known_font
from grimalkin.printing.face.paths import Pair, PathPen, length_of
from grimalkin.printing.face.shaping import set_line
from grimalkin.printing.face.subset import SVG
from grimalkin.printing.face.xml import Element

Style = Mapping[str, str]
_START = {"fill": "#000000", "stroke": "none", "stroke-width": "1", "text-anchor": "start"}
_PLACED = ("transform", "clip-path", "opacity")
"""Attributes, apart from those of its style, that a text passes on to its outlines."""


def outline_texts(root: Element) -> None:
    """Replace every text below `root` by a group of paths, with the text as its label."""
    for parent, text, style in list(_texts(root, _START)):
        group = etree.Element(f"{{{SVG}}}g", {name: value for name in _PLACED if (value := text.get(name))})
        group.set("role", "img")
        group.set("aria-label", " ".join("".join(map(str, text.itertext())).split()))
        for run in text_runs(text, style):
            drawn = _path(run.style, run.text, run.variant, run.x, run.y)
            if drawn and run.style["fill"] != "none":
                look = {key: run.style[key] for key in ("fill", "fill-opacity") if key in run.style}
                etree.SubElement(group, f"{{{SVG}}}path", {"d": drawn, **look})
        group.tail = text.tail
        parent.replace(text, group)


def _texts(element: Element, outer: Style) -> Iterator[tuple[Element, Element, Style]]:
    """Yield every text, with its parent and its style."""
    style = {**outer, **own_style(element)}
    for child in element:
        if child.tag == f"{{{SVG}}}text":
            yield element, child, {**style, **own_style(child)}
        elif isinstance(child.tag, str):
            yield from _texts(child, style)


def _path(style: Style, words: str, variant: str, x: float, y: float) -> str:
    """Return the outlines of a run's letters as path data, in millimetres."""
    family, em = style["font-family"], length_of(style, "font-size")
    font = known_font(family)
    pen = _Pen()
    for number, right, up in set_line(family, words, variant, length_of(style, "word-spacing") / em):
        pen.place(x + right * em, y - up * em, em / font.em)
        font.shaper.draw_glyph_with_pen(number, pen)
    return "".join(pen.data)


class _Pen(PathPen):
    """Writes letters in their places."""

    def place(self, x: float, y: float, scale: float) -> None:
        self.x, self.y, self.scale = x, y, scale

    def write(self, command: str, *points: Pair) -> None:
        numbers = (value for x, y in points for value in (self.x + x * self.scale, self.y - y * self.scale))
        self.data.append(command + " ".join(f"{value:.4f}".rstrip("0").rstrip(".") for value in numbers))
