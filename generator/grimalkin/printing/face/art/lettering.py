"""Turn text into the outlines of its letters, so that drawing needs no font."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple

import uharfbuzz as harfbuzz

from grimalkin.printing.face.art import values
from grimalkin.printing.face.art.faults import shown
from grimalkin.printing.face.art.geometry import Drawn, Within, svg_element
from grimalkin.printing.face.art.paints import painted
from grimalkin.printing.face.art.properties import Style
from grimalkin.printing.face.art.svg_document import Reading
from grimalkin.printing.face.art.values import plain, px
from grimalkin.printing.face.svg.paths import Box, CubicPen, Matrix, Pair, box_around, numbers_of, point_through
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.face.svg.xml import Element, tag_of
from grimalkin.printing.type.fonts import SANS, Font, find_font, font_paths, styled
from grimalkin.printing.type.shaping import MissingGlyph, shape, split_by_font

_OURS = {"serif": "SourceSerifPro", "sans-serif": SANS, "sans": SANS, "system-ui": SANS, "ui-sans-serif": SANS}
"""Our fonts for the generic families of CSS."""
_WEIGHTS = {200: "ExtraLight", 300: "Light", 400: "", 600: "Semibold", 700: "Bold", 900: "Black"}
_DECORATIONS = ("underline", "line-through", "overline")
_PATHS = "turn the text into paths in the program that drew it"


def installed(family: str, weight: int, is_italic: bool) -> str | None:
    """Return the closest installed font of a family.

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


class _Line(NamedTuple):
    """A line under, through or over letters, and the element that requests it."""

    kind: str
    element: Element
    style: Style


@dataclass
class _Letter:
    """A character, and its position if the text specifies one."""

    char: str
    element: Element
    style: Style
    raised: float
    lines: tuple[_Line, ...]
    x: float | None = None
    y: float | None = None
    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0


class _Glyph(NamedTuple):
    """A glyph to draw; lengths in user units."""

    font: Font
    number: int
    scale: float
    """From font units to user units."""
    advance: float
    right: float
    up: float
    letter: _Letter


@dataclass
class _Run:
    """Glyphs in one style, drawn as one path."""

    element: Element
    style: Style
    pen: _Pen = field(default_factory=lambda: _Pen())


def outlines(reading: Reading, element: Element, style: Style, within: Within) -> Drawn:
    """Return the letters of a <text> as paths, one for each stretch in the same style."""
    text = _Text(reading, within)
    lines: tuple[_Line, ...] = ()
    for outer in reversed([*element.iterancestors()]):
        lines = _lines(outer, reading.styles.where_it_stands(outer), lines)
    text.collect(element, style, 0.0, lines)
    text.set()
    box = box_around(text.boxes)
    shapes: list[Element] = []
    for run in text.runs:
        if run.style["visibility"] == "visible" and run.pen.data:
            path = svg_element("path", {"d": "".join(run.pen.data)})
            shapes += painted(reading, run.element, path, run.style, box, replace(within, style=run.style))
    return Drawn(shapes, box)


class _Text:
    """Text being set: first its letters are collected, then they are placed line by line."""

    def __init__(self, reading: Reading, within: Within) -> None:
        self.reading, self.within = reading, within
        self.letters: list[_Letter] = []
        self.stretched: list[tuple[Element, int, int]] = []
        """Elements with a textLength, and the range of their letters."""
        self.runs: list[_Run] = []
        self.boxes: list[Box | None] = []

    # Letters

    def collect(self, element: Element, style: Style, raised: float, lines: tuple[_Line, ...]) -> None:
        """Add the letters of a <text> or of a part of it, with their places."""
        remarks, start = self.reading.remarks, len(self.letters)
        if not style["writing-mode"].startswith(("horizontal", "lr", "rl")):
            remarks.fault(element, "vertical text is not drawn", _PATHS)
        raised += self._shift(element, style)
        lines = _lines(element, style, lines)
        self._add(element.text, element, style, raised, lines)
        for child in element:
            tag = tag_of(child)
            if child.tag == f"{{{SVG}}}{tag}":
                inner = self.reading.styles.computed(child, style, self.within.scope)
                if inner["display"] != "none" and self.reading.is_wanted(child):
                    self.reading.refuse(child, tag, inner)
                    for name in ("opacity", "clip-path", "mask"):
                        if inner[name] not in ("1", "none") and tag in ("tspan", "a"):
                            message = f'<{tag} {name}="{shown(inner[name])}"> is not drawn'
                            remarks.fault(child, message, "put it on the <text>")
                    if tag in ("tspan", "a"):
                        self.collect(child, inner, raised, lines)
            self._add(child.tail, element, style, raised, lines)
        self._place(element, style, self.letters[start:])
        if element.get("textLength"):
            self.stretched.append((element, start, len(self.letters)))

    def _shift(self, element: Element, style: Style) -> float:
        """Return how far an element raises its letters."""
        shift, size = style["baseline-shift"], float(style["font-size"])
        if shift not in ("sub", "super"):
            return px(shift, size)
        font = find_font(self._families(element, style).split(",")[0])
        half = (font.ascent + font.descent) * size / 2 if font else size / 2
        return half if shift == "super" else -half

    def _add(self, text: str | None, element: Element, style: Style, raised: float, lines: tuple[_Line, ...]) -> None:
        self.reading.count(element, len(text or ""))
        for char in _CASES.get(style["text-transform"], str)(text or ""):
            if char in "\n\t\r ":
                char = " "
                if not _keeps_spaces(style) and (not self.letters or self.letters[-1].char == " "):
                    continue
            self.letters.append(_Letter(char, element, style, raised, lines))

    def _place(self, element: Element, style: Style, letters: list[_Letter]) -> None:
        """Set the positions that an element gives its letters, unless an inner element has set them."""
        view = self.within.view
        for name, whole in (("x", view.width), ("y", view.height), ("dx", view.width), ("dy", view.height)):
            unsaid = None if len(name) == 1 else 0.0
            for letter, value in zip(letters, self._lengths(element, name, style, whole), strict=False):
                if getattr(letter, name) == unsaid:
                    setattr(letter, name, value)
        turns = numbers_of(element.get("rotate", "")) or ()
        for place, letter in enumerate(letters if turns else ()):
            letter.turn = letter.turn or turns[min(place, len(turns) - 1)]

    def _lengths(self, element: Element, name: str, style: Style, whole: float) -> list[float]:
        text = element.get(name, "").strip()
        found = [values.length(part, float(style["font-size"])) for part in re.split(r"[\s,]+", text) if part]
        if None in found:
            self.reading.unread(element, name, text)
        return [px(one or "0", whole) for one in found]

    def _families(self, element: Element, style: Style) -> str:
        """Return the names of the fonts for a style, separated by commas. Ours comes last, for letters they lack."""
        weight, is_italic = int(style["font-weight"]), style["font-style"] in ("italic", "oblique")
        families = [one.strip().strip("'\"").strip() for one in style["font-family"].split(",")]
        found = [self.reading.fonts(family, weight, is_italic) for family in families if family]
        ours = [styled(_OURS[family], weight >= 600, is_italic) for family in families if family in _OURS]
        is_lacking = not any(found) and families[0] not in _OURS
        if is_lacking and self.reading.made.setdefault(("font", families[0]), element) is element:
            named = f'the font "{shown(families[0])}" is not installed' if families[0] else "no font is named"
            self.reading.remarks.note(element, f"{named}, so another takes its place", f"{_PATHS}, or add the font")
        return ",".join(dict.fromkeys([*filter(None, found), *ours, styled(SANS, weight >= 600, is_italic)]))

    # Lines

    def set(self) -> None:
        """Draw all letters."""
        letters = self.letters
        while letters and letters[-1].char == " " and not _keeps_spaces(letters[-1].style):
            letters.pop()
        self.stretched = [(span, first, min(last, len(letters))) for span, first, last in self.stretched]
        starts = [place for place, one in enumerate(letters) if not place or one.x is not None or one.y is not None]
        x = y = 0.0
        for start, end in pairwise([*starts, len(letters)]):
            line = letters[start:end]
            x = x if line[0].x is None else line[0].x
            y = y if line[0].y is None else line[0].y
            spans = [span for span, *ends in self.stretched if ends == [start, end]]
            x, y = self._set_line(line, spans[-1] if spans else None, x, y)
        for span, first, last in self.stretched:
            if (first, last) not in list(pairwise([*starts, len(letters)])):
                message = "textLength is read only for a whole line"
                self.reading.remarks.fault(span, message, "give each line its own <text>")

    def _set_line(self, line: list[_Letter], span: Element | None, x: float, y: float) -> tuple[float, float]:
        """Draw a line, and return where the next one would continue. `span` gives its length."""
        glyphs = [
            glyph
            for _, letters in groupby(line, key=lambda one: id(one.style))
            for glyph in self._glyphs(list(letters))
        ]
        width = sum(one.advance for one in glyphs) + sum(letter.dx for letter in line[1:])
        gap, stretch = 0.0, 1.0
        whole = self.within.view.width
        wanted = 0.0 if span is None else self.reading.length(span, "textLength", "0", whole, line[0].style)
        if span is not None and wanted > 0 and width > 0 and len(glyphs) > 1:
            if span.get("lengthAdjust") == "spacingAndGlyphs":
                stretch = wanted / width
            else:
                gap = (wanted - width) / (len(glyphs) - 1)
            width = wanted
        anchor = {"start": 0.0, "middle": 0.5, "end": 1.0}[line[0].style["text-anchor"]]
        x -= width * (1.0 - anchor if line[0].style["direction"] == "rtl" else anchor)
        last: _Letter | None = None
        for glyph in glyphs:
            if glyph.letter is not last:
                last = glyph.letter
                x, y = x + last.dx, y + last.dy
            self._draw(glyph, x, y, stretch)
            x += glyph.advance * stretch + gap
        return x - gap, y

    def _glyphs(self, letters: list[_Letter]) -> list[_Glyph]:
        """Return the glyphs of letters in one style."""
        element, style = letters[0].element, letters[0].style
        size, text = float(style["font-size"]), "".join(letter.char for letter in letters)
        spacing, between_words = float(style["letter-spacing"]), float(style["word-spacing"])
        small = "small-caps" if "small-caps" in style["font-variant"] else ""
        found: list[_Glyph] = []
        begin = 0
        try:
            for name, part in split_by_font(text, self._families(element, style)) if size else ():
                font = find_font(name)
                assert font is not None, "split_by_font has opened it"
                if small and "smcp" not in font.features:
                    self.reading.remarks.fault(element, f'the font "{font.title}" has no small capitals', _PATHS)
                variant = f"{small} {'no-common-ligatures' if spacing else ''}".strip()
                scale = size / font.em
                for glyph in shape(font, part, variant):
                    letter = letters[begin + glyph.start]
                    if not glyph.number:
                        raise MissingGlyph(name, letter.char)
                    more = (spacing if glyph.advance else 0.0) + (between_words if letter.char == " " else 0.0)
                    lengths = (glyph.advance * scale + more, glyph.right * scale, glyph.up * scale)
                    found.append(_Glyph(font, glyph.number, scale, *lengths, letter))
                begin += len(part)
        except MissingGlyph as error:
            self.reading.remarks.fault(element, str(error), f"{_PATHS}, or choose another font")
        return found

    def _draw(self, glyph: _Glyph, x: float, y: float, stretch: float) -> None:
        letter, font, size = glyph.letter, glyph.font, float(glyph.letter.style["font-size"])
        y -= letter.raised + _baseline(font, letter.style) * size
        cos, sin = math.cos(math.radians(letter.turn)), math.sin(math.radians(letter.turn))
        place: Matrix = (cos, sin, -sin, cos, x, y)
        width = glyph.advance * stretch
        if not self.runs or self.runs[-1].style is not letter.style:
            self.runs.append(_Run(letter.element, letter.style))
        pen = self.runs[-1].pen
        start = point_through(place, glyph.right * stretch, -glyph.up)
        pen.matrix = (
            cos * glyph.scale * stretch,
            sin * glyph.scale * stretch,
            sin * glyph.scale,
            -cos * glyph.scale,
            *start,
        )
        font.shaper.draw_glyph_with_pen(glyph.number, pen)
        self.boxes.append((min(x, x + width), y - font.ascent * size, max(x, x + width), y + font.descent * size))
        thick = size / 10  # as in browsers
        for line in letter.lines:
            middle = {"underline": thick, "line-through": -font.ascent * size / 3}.get(
                line.kind, -font.ascent * size - thick / 2
            )
            run = _Run(line.element, line.style)
            run.pen.matrix = place
            top, foot = middle - thick / 2, middle + thick / 2
            run.pen.moveTo((0.0, top))
            for corner in ((width, top), (width, foot), (0.0, foot)):
                run.pen.lineTo(corner)
            run.pen.closePath()
            self.runs.append(run)


def _lines(element: Element, style: Style, outer: tuple[_Line, ...]) -> tuple[_Line, ...]:
    words = style["text-decoration"].split()
    return (*outer, *(_Line(word, element, style) for word in words if word in _DECORATIONS))


def _capitalised(text: str) -> str:
    return re.sub(r"\b\w", lambda found: found[0].upper(), text)


_CASES: dict[str, Callable[[str], str]] = {"uppercase": str.upper, "lowercase": str.lower, "capitalize": _capitalised}


def _keeps_spaces(style: Style) -> bool:
    return style["white-space"].startswith(("pre", "break-spaces")) and style["white-space"] != "pre-line"


@lru_cache(maxsize=256)
def _x_height(font: Font) -> float:
    return float(font.shaper.get_metric_position_with_fallback(harfbuzz.OTMetricsTag.X_HEIGHT)) / font.em


def _baseline(font: Font, style: Style) -> float:
    """Return how far browsers place text above its line, as a fraction of the type size; negative is below."""
    named = style["alignment-baseline"]
    named = style["dominant-baseline"] if named in ("auto", "baseline") else named
    return -{
        "middle": _x_height(font) / 2, "central": (font.ascent - font.descent) / 2, "hanging": font.ascent * 0.8,
        "mathematical": font.ascent / 2, "text-before-edge": font.ascent, "text-top": font.ascent,
        "before-edge": font.ascent, "text-after-edge": -font.descent, "text-bottom": -font.descent,
        "after-edge": -font.descent, "ideographic": -font.descent,
    }.get(named, 0.0)  # fmt: skip


class _Pen(CubicPen):
    """Writes letters through a matrix."""

    matrix: Matrix

    def written(self, *points: Pair) -> str:
        return " ".join(plain(number) for x, y in points for number in point_through(self.matrix, x, y))
