"""Texts in, the outlines of their letters out: no font is needed to draw them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

import uharfbuzz as harfbuzz

from grimalkin.face.art import values
from grimalkin.face.art.boxes import union
from grimalkin.face.art.parts import Drawn, Within, svg_element
from grimalkin.face.art.properties import Style
from grimalkin.face.art.remarks import shown
from grimalkin.face.art.values import plain, px
from grimalkin.face.fonts import SANS, Font, find_font, font_paths, styled
from grimalkin.face.paths import Box
from grimalkin.face.shaping import MissingGlyph, shape, split_by_font
from grimalkin.face.subset import SVG
from grimalkin.face.xml import Element, tag_of

if TYPE_CHECKING:
    from grimalkin.face.art.reader import Reader

Fonts = Callable[[str, int, bool], str | None]
"""A family, a weight from 1 to 1000 and whether it leans in, the name of a font (`fonts.find_font`) out."""
_GENERIC = ("serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "sans", "ui-sans-serif")
_WEIGHTS = {200: "ExtraLight", 300: "Light", 400: "", 600: "Semibold", 700: "Bold", 900: "Black"}
_DECORATIONS = ("underline", "line-through", "overline")


def installed(family: str, weight: int, is_italic: bool) -> str | None:
    """The installed font of a family that comes nearest.

    >>> installed("Source Sans Pro", 700, True), installed("Arial", 400, False)
    ('SourceSansProBoldIt', None)
    """
    base, _, _ = "".join(family.split()).partition("-")
    found = [
        (is_italic != bool(leans), abs(weight - size), name)
        for size, word in _WEIGHTS.items()
        for leans in ("", "It")
        if (name := f"{base}{word}{leans}") in font_paths()
    ]
    return min(found)[2] if found else None


@dataclass
class _Letter:
    """A character with its place, as far as the text says it."""

    char: str
    style: Style
    element: Element
    raised: float
    lines: tuple[tuple[str, Element, Style], ...]
    x: float | None = None
    y: float | None = None
    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0
    is_moved: bool = False
    """Whether dx, dy or a turn is its own."""


@dataclass
class _Run:
    """Glyphs that look alike, as one path."""

    letter: _Letter
    pen: _Pen
    box: Box | None = None


def outlines(reader: Reader, element: Element, style: Style, within: Within) -> Drawn:
    """The letters of a <text>, each part that looks alike as a path."""
    letters: list[_Letter] = []
    spans: list[tuple[Element, int, int]] = []
    _collect(reader, element, style, within, letters, spans, 0.0, ())
    while letters and letters[-1].char == " " and not _keeps(letters[-1].style):
        letters.pop()
    runs: list[_Run] = []
    x = y = 0.0
    starts = [at for at, one in enumerate(letters) if at == 0 or one.x is not None or one.y is not None]
    for start, end in zip(starts, [*starts[1:], len(letters)], strict=True):
        chunk = letters[start:end]
        x = chunk[0].x if chunk[0].x is not None else x
        y = chunk[0].y if chunk[0].y is not None else y
        stretched = [one for one in spans if start <= one[1] < end]
        line = _Line(reader, chunk, [(span, max(a - start, 0), min(b, end) - start) for span, a, b in stretched])
        anchor = {"start": 0.0, "middle": 0.5, "end": 1.0}[chunk[0].style["text-anchor"]]
        if chunk[0].style["direction"] == "rtl":
            anchor = 1.0 - anchor
        made, x, y = line.set(x, y, anchor)
        runs += made
    if any(one for one in spans if any(one[1] < at < one[2] for at in starts)):
        reader.remarks.fault(element, "textLength over several lines is not read", "give each line its own <text>")
    box = union(run.box for run in runs)
    shapes: list[Element] = []
    for run in runs:
        if run.letter.style["visibility"] == "visible" and run.pen.data:
            path = svg_element("path", {"d": "".join(run.pen.data)})
            inner = replace(within, style=run.letter.style)
            shapes += reader.painted(run.letter.element, path, run.letter.style, box, inner)
    return Drawn(shapes, box)


def _collect(
    reader: Reader, element: Element, style: Style, within: Within, letters: list[_Letter],
    spans: list[tuple[Element, int, int]], raised: float, lines: tuple[tuple[str, Element, Style], ...],
) -> None:  # fmt: skip
    """Add the letters of a text or a part of it, with their places."""
    start = len(letters)
    em = float(style["font-size"])
    if not style["writing-mode"].startswith(("horizontal", "lr", "rl")):
        reader.remarks.fault(element, "text that runs downwards is not drawn", "turn it into paths")
    shift = style["baseline-shift"]
    if shift in ("sub", "super"):
        font = find_font(_family(reader, element, style).split(",")[0])
        half = (font.ascent + font.descent) * em / 2 if font else em / 2
        raised += half if shift == "super" else -half
    else:
        raised += px(shift, em)
    lines = (*lines, *((word, element, style) for word in style["text-decoration"].split() if word in _DECORATIONS))
    _add(letters, element.text, style, element, raised, lines)
    for child in element:
        tag = tag_of(child)
        if child.tag == f"{{{SVG}}}{tag}" and tag in ("tspan", "a"):
            inner = reader.styles.computed(child, style, within.scope)
            if inner["display"] != "none":
                reader.refuse(child, tag, inner)
                if inner["opacity"] != "1":
                    hint = "write fill-opacity"
                    reader.remarks.fault(child, f'<{tag} opacity="{inner["opacity"]}"> is not drawn', hint)
                _collect(reader, child, inner, within, letters, spans, raised, lines)
        elif child.tag == f"{{{SVG}}}{tag}":
            reader.refuse(child, tag, style)
        _add(letters, child.tail, style, element, raised, lines)
    _place(reader, element, style, within, letters[start:])
    if element.get("textLength"):
        spans.append((element, start, len(letters)))


def _add(
    letters: list[_Letter], text: str | None, style: Style, element: Element, raised: float,
    lines: tuple[tuple[str, Element, Style], ...],
) -> None:  # fmt: skip
    text = {"uppercase": str.upper, "lowercase": str.lower, "capitalize": _capitalised}.get(
        style["text-transform"], str
    )(text or "")
    keeps = _keeps(style)
    for char in text:
        if char in "\n\t\r ":
            char = " "
            if not keeps and (not letters or letters[-1].char == " "):
                continue
        letters.append(_Letter(char, style, element, raised, lines))


def _keeps(style: Style) -> bool:
    return style["white-space"].startswith(("pre", "break-spaces")) and style["white-space"] != "pre-line"


def _capitalised(text: str) -> str:
    return re.sub(r"\b\w", lambda found: found[0].upper(), text)


def _place(reader: Reader, element: Element, style: Style, within: Within, letters: list[_Letter]) -> None:
    """Set the places that an element gives to letters of which nothing within has set them."""
    for name, whole in (("x", within.view.width), ("y", within.view.height)):
        numbers = _lengths(reader, element, name, style, whole)
        for letter, value in zip(letters, numbers, strict=False):
            if getattr(letter, name) is None:
                setattr(letter, name, value)
    for name, whole in (("dx", within.view.width), ("dy", within.view.height)):
        numbers = _lengths(reader, element, name, style, whole)
        for letter, value in zip(letters, numbers, strict=False):
            if not getattr(letter, name) and value:
                setattr(letter, name, value)
                letter.is_moved = True
    turns = _lengths(reader, element, "rotate", style, 0.0)
    for at, letter in enumerate(letters if turns else ()):
        if not letter.turn:
            letter.turn = turns[min(at, len(turns) - 1)]
            letter.is_moved = True


def _lengths(reader: Reader, element: Element, name: str, style: Style, whole: float) -> list[float]:
    text = element.get(name, "").strip()
    found = [values.length(part, float(style["font-size"])) for part in re.split(r"[\s,]+", text) if part]
    if None in found:
        reader.unread(element, name, text)
    return [px(one or "0", whole) for one in found]


def _family(reader: Reader, element: Element, style: Style) -> str:
    """The names of the fonts for a style, with commas between; a font that is not there has ours in its place."""
    weight, is_italic = int(style["font-weight"]), style["font-style"] in ("italic", "oblique")
    families = [one.strip().strip("'\"").strip() for one in style["font-family"].split(",")]
    found: list[str] = []
    for family in filter(None, families):
        name = reader.fonts(family, weight, is_italic)
        if name:
            found.append(name)
    ours = styled(SANS, weight >= 600, is_italic)
    if not found:
        named = f'there is no font "{shown(families[0])}"' if families[0] else "no font is named"
        reader.remarks.note(
            element, f"{named}; Source Sans Pro is in its place", "turn the text into paths, or add the font"
        )
    return ",".join(dict.fromkeys([*found, ours]))


class _Line:
    """Letters that stand on one line, after one another."""

    def __init__(self, reader: Reader, letters: list[_Letter], stretched: list[tuple[Element, int, int]]) -> None:
        self.reader, self.letters, self.stretched = reader, letters, stretched
        self.runs: list[_Run] = []

    def set(self, x: float, y: float, anchor: float) -> tuple[list[_Run], float, float]:
        """The letters as runs, and where the next would stand. `anchor` is the part of the line before x."""
        glyphs = self._glyphs()
        width = sum(one.advance for one in glyphs) + sum(letter.dx for letter in self.letters[1:])
        extra, scale = self._stretch(glyphs, width)
        width = width * scale + extra * max(len(glyphs) - 1, 0)
        start = x - width * anchor
        x, scaled = start, scale
        for at, glyph in enumerate(glyphs):
            letter = glyph.letter
            x, y = x + letter.dx * glyph.is_first, y + letter.dy * glyph.is_first
            self._draw(glyph, x, y, scaled)
            x += glyph.advance * scaled + (extra if at < len(glyphs) - 1 else 0.0)
        return self.runs, x, y

    def _stretch(self, glyphs: list[_Set], width: float) -> tuple[float, float]:
        """By what glyphs are moved apart, and scaled, so that the line is as long as it is to be."""
        for span, _, _ in self.stretched[-1:]:
            style = self.letters[0].style
            wanted = self.reader.length(span, "textLength", "0", self.reader.view.width, style)
            if wanted > 0 and width > 0 and len(glyphs) > 1:
                if span.get("lengthAdjust") == "spacingAndGlyphs":
                    return 0.0, wanted / width
                return (wanted - width) / (len(glyphs) - 1), 1.0
        return 0.0, 1.0

    def _glyphs(self) -> list[_Set]:
        """The glyphs of all letters; what has a place of its own is shaped by itself."""
        found: list[_Set] = []
        part = 0
        keys = []
        for letter in self.letters:
            part += letter.is_moved
            keys.append((part, id(letter.style)))
            part += bool(letter.turn)
        for _, group in groupby(zip(keys, self.letters, strict=True), key=lambda one: one[0]):
            found += self._shaped([letter for _, letter in group])
        return found

    def _shaped(self, letters: list[_Letter]) -> list[_Set]:
        first = letters[0]
        style, text = first.style, "".join(letter.char for letter in letters)
        size = float(style["font-size"])
        spacing, word = px(style["letter-spacing"], size), px(style["word-spacing"], size)
        variant = " ".join(
            [
                *(["small-caps"] if "small-caps" in style["font-variant"] else []),
                *(["no-common-ligatures"] if spacing else []),
            ]
        )
        found: list[_Set] = []
        at = 0
        try:
            runs = split_by_font(text, _family(self.reader, first.element, style)) if size else []
        except MissingGlyph as error:
            self.reader.remarks.fault(first.element, str(error), "turn the text into paths, or choose another font")
            return []
        for name, part in runs:
            font = find_font(name)
            assert font is not None, "it was found to have all letters"
            for glyph in shape(font, part, variant):
                letter = letters[min(at + glyph.start, len(letters) - 1)]
                scale = size / font.em
                advance = (
                    glyph.advance * scale + (spacing if glyph.advance else 0.0) + (word if letter.char == " " else 0.0)
                )
                is_first = letter is first and not found
                found.append(
                    _Set(font, glyph.number, size, advance, glyph.right * scale, glyph.up * scale, letter, is_first)
                )
            at += len(part)
        return found

    def _draw(self, glyph: _Set, x: float, y: float, scale: float) -> None:
        letter, font, size = glyph.letter, glyph.font, glyph.size
        y -= letter.raised + _baseline(font, letter.style, size)
        run = self.runs[-1] if self.runs else None
        if run is None or run.letter.style is not letter.style:
            run = _Run(letter, _Pen())
            self.runs.append(run)
        pen = run.pen
        cos, sin = math.cos(math.radians(letter.turn)), math.sin(math.radians(letter.turn))
        right, up, em = glyph.right * scale, glyph.up, size / font.em
        pen.place(
            x + cos * right + sin * up,
            y + sin * right - cos * up,
            (cos * em * scale, sin * em * scale, sin * em, -cos * em),
        )
        font.shaper.draw_glyph_with_pen(glyph.number, pen)
        end = x + glyph.advance * scale
        run.box = union([run.box, (min(x, end), y - font.ascent * size, max(x, end), y + font.descent * size)])
        for word, element, style in letter.lines:
            self._underline(word, element, style, font, size, x, end, y)

    def _underline(
        self, word: str, element: Element, style: Style, font: Font, size: float, x: float, end: float, y: float
    ) -> None:
        """A line under, through or over a glyph, where browsers draw it, in the look of who asks for it."""
        thick = size / 10
        middle = {"underline": thick, "line-through": -font.ascent * size / 3}.get(
            word, -font.ascent * size - thick / 2
        )
        top = y + middle - thick / 2
        run = _Run(replace(self.letters[0], style=style, element=element), _Pen())
        run.pen.place(x, top, (1.0, 0.0, 0.0, 1.0))
        for step, point in (("M", (0.0, 0.0)), ("L", (end - x, 0.0)), ("L", (end - x, thick)), ("L", (0.0, thick))):
            run.pen.write(step, point)
        run.pen.closePath()
        self.runs.append(run)


@dataclass
class _Set:
    """A glyph that is to be drawn; lengths in user units."""

    font: Font
    number: int
    size: float
    advance: float
    right: float
    up: float
    letter: _Letter
    is_first: bool
    """Whether it is the first of letters that are moved together."""


@lru_cache(maxsize=256)
def _x_height(font: Font) -> float:
    return float(font.shaper.get_metric_position_with_fallback(harfbuzz.OTMetricsTag.X_HEIGHT)) / font.em


def _baseline(font: Font, style: Style, size: float) -> float:
    """How far below the line's own baseline letters stand, as browsers have it."""
    named = style["alignment-baseline"]
    named = style["dominant-baseline"] if named in ("auto", "baseline") else named
    share = {
        "middle": _x_height(font) / 2, "central": (font.ascent - font.descent) / 2, "hanging": font.ascent * 0.8,
        "mathematical": font.ascent / 2, "text-before-edge": font.ascent, "text-top": font.ascent,
        "before-edge": font.ascent, "text-after-edge": -font.descent, "text-bottom": -font.descent,
        "after-edge": -font.descent, "ideographic": -font.descent,
    }.get(named, 0.0)  # fmt: skip
    return -share * size


class _Pen:
    """Writes contours as the data of a path. HarfBuzz draws with it, by fontTools' names."""

    def __init__(self) -> None:
        self.data: list[str] = []
        self.here = (0.0, 0.0)

    def place(self, x: float, y: float, turn: tuple[float, float, float, float]) -> None:
        self.x, self.y, self.turn = x, y, turn

    def write(self, command: str, *points: tuple[float, float]) -> None:
        a, b, c, d = self.turn
        numbers = (n for x, y in points for n in (self.x + a * x + c * y, self.y + b * x + d * y))
        self.data.append(command + " ".join(map(plain, numbers)))
        self.here = points[-1]

    def moveTo(self, pt: tuple[float, float]) -> None:  # noqa: N802 - fontTools names these
        self.write("M", pt)

    def lineTo(self, pt: tuple[float, float]) -> None:  # noqa: N802
        self.write("L", pt)

    def qCurveTo(self, b: tuple[float, float], c: tuple[float, float]) -> None:  # noqa: N802
        a = self.here
        one = (a[0] + 2 / 3 * (b[0] - a[0]), a[1] + 2 / 3 * (b[1] - a[1]))
        two = (c[0] + 2 / 3 * (b[0] - c[0]), c[1] + 2 / 3 * (b[1] - c[1]))
        self.write("C", one, two, c)

    def curveTo(self, *points: tuple[float, float]) -> None:  # noqa: N802
        self.write("C", *points)

    def closePath(self) -> None:  # noqa: N802
        self.data.append("Z")
