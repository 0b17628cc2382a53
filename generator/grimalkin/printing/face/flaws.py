"""The flaws on a draft's faces, and the drawings that mark them: a red frame, or a crossed box with a name in it.

In a finished game they are problems instead, and stop the build.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml import etree

from grimalkin.printing.face.svg.subset import GRID, NAMESPACE, SVG
from grimalkin.printing.face.svg.xml import Element
from grimalkin.printing.type.fonts import SANS_SEMIBOLD, known_font
from grimalkin.printing.type.shaping import text_width
from grimalkin.problems import Place, Problem
from grimalkin.problems.plain import plural, visible

MOST_NAMED = 5
"""The most faces that a fault names in addition to the first."""
MOST_FLAWS = 100
"""The most flaws of one face; with more, the face is a problem even in a draft."""
RED, BLACK = "#c8102e", "#000000"
MOST_SHOWN = 200
"""The most characters of a name, or of a printed message."""
LINE = 0.5
"""Width of the lines of frames and crosses, in millimetres."""
_OUT = 0.4
"""Millimetres between text and the centre line of its frame."""
_LONGEST = 25
"""The most characters of a printed word."""
_LARGEST, _SMALLEST = 3.2, 1.4
"""Millimetres: the type sizes of the name in a crossed box, 9 to 4 points."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """A fault on a face, and its place in the source."""

    place: Place
    message: str
    hint: str = ""
    also: Place | None = None
    """The row of the card, if that is at fault."""
    kind: str = ""
    """The key that identifies the same flaw on several faces, if it is not the message."""

    @property
    def key(self) -> tuple[Place, str]:
        return self.place, self.kind or self.message


@dataclass(slots=True)
class Told:
    """A flaw, the face that its message names, and all faces that have it."""

    first: str
    flaw: Flaw
    faces: dict[str, None] = field(default_factory=dict)

    def problem(self) -> Problem:
        flaw, more = self.flaw, len(self.faces) - 1
        count = f" (and {plural(more, 'more face')}{self.others() if flaw.also else ''})" if more else ""
        written = f"the face {self.first}: {flaw.message}"
        if flaw.hint:
            return Problem(flaw.place, written, flaw.hint + count, flaw.also)
        return Problem(flaw.place, written + count, "", flaw.also)

    def others(self) -> str:
        """Return the names of the other faces, if the fault is in the row of each."""
        others = [face for face in self.faces if face != self.first]
        return ": " + ", ".join(others[:MOST_NAMED]) + (", …" if len(others) > MOST_NAMED else "")

    def words(self) -> str:
        """Return a short description of the flaw to print: without its place and hint, or words wider than a column."""
        more = len(self.faces) - 1
        words = legible(f"{self.first}: {self.flaw.message}").split()
        short = " ".join(word if len(word) <= _LONGEST else f"{word[:12]}…{word[-12:]}" for word in words)
        return short + (f" (and {plural(more, 'more face')})" if more else "")


def frame(group: Element, room: Mapping[str, float], inks: str) -> Element:
    """Return a group that frames the room for a text, in millimetres, and shows the part of the text inside it."""
    sizes = {key: f"{room[key]:.6g}" for key in _SIDES}
    outer = etree.Element(f"{{{SVG}}}g", nsmap=NAMESPACE)
    id_ = f"cut-off-{'-'.join(sizes.values())}"
    clip = etree.SubElement(outer, f"{{{SVG}}}clipPath", {"id": id_})
    etree.SubElement(clip, f"{{{SVG}}}rect", sizes)
    etree.SubElement(outer, f"{{{SVG}}}g", {"clip-path": f"url(#{id_})"}).append(group)
    x, y, width, height = (room[key] for key in _SIDES)
    around = {"x": x - _OUT, "y": y - _OUT, "width": width + 2 * _OUT, "height": height + 2 * _OUT}
    written = {key: f"{number:.6g}" for key, number in around.items()}
    etree.SubElement(outer, f"{{{SVG}}}rect", {**written, "fill": "none", **_line(inks)})
    return outer


def crossed(name: str, room: Mapping[str, float], inks: str) -> Element:
    """Return a crossed box that fills a room, in millimetres, with the name of the missing picture."""
    x, y, width, height = (room[key] for key in _SIDES)
    group = etree.Element(f"{{{SVG}}}g", {"role": "img", "aria-label": f"missing: {legible(name)}"}, nsmap=NAMESPACE)
    left, top, right, foot = x + LINE / 2, y + LINE / 2, x + width - LINE / 2, y + height - LINE / 2
    outline = f"M{left:.6g} {top:.6g} L{right:.6g} {top:.6g} L{right:.6g} {foot:.6g} L{left:.6g} {foot:.6g} Z"
    cross = f"M{left:.6g} {top:.6g} L{right:.6g} {foot:.6g} M{right:.6g} {top:.6g} L{left:.6g} {foot:.6g}"
    for path, fill in ((outline, "#ffffff"), (cross, "none")):
        etree.SubElement(group, f"{{{SVG}}}path", {"d": path, "fill": fill, **_line(inks)})
    size = min(_LARGEST, height / 3)
    if size >= _SMALLEST:
        words, size, wide = _fitted(legible(name), size, width - 2)
        left, middle = x + (width - wide) / 2, y + height / 2
        plate = {
            "x": left - 0.6,
            "y": middle - size * 0.8,
            "width": wide + 1.2,
            "height": size * 1.6,
        }
        written = {key: f"{number:.6g}" for key, number in plate.items()}
        etree.SubElement(group, f"{{{SVG}}}rect", {**written, "fill": "#ffffff"})
        at = {"x": f"{left:.6g}", "y": f"{middle + size * 0.34:.6g}", "fill": _colour(inks)}
        text = etree.SubElement(
            group, f"{{{SVG}}}text", {**at, "font-family": SANS_SEMIBOLD, "font-size": f"{size:.6g}"}
        )
        text.text = words
    return group


def crossed_symbol(name: str, inks: str) -> Element:
    """Return the symbol drawn for a missing icon; it is too small for a name."""
    symbol = etree.Element(f"{{{SVG}}}symbol", {"id": f"icon-{name}", "viewBox": GRID}, nsmap=NAMESPACE)
    path = "M2 2 L22 2 L22 22 L2 22 Z M2 2 L22 22 M22 2 L2 22"
    line = {"stroke": _colour(inks), "stroke-width": "2"}
    etree.SubElement(symbol, f"{{{SVG}}}path", {"d": path, "fill": "none", **line})
    return symbol


_SIDES = ("x", "y", "width", "height")


def _colour(inks: str) -> str:
    return RED if inks == "full" else BLACK


def _line(inks: str) -> dict[str, str]:
    """Return the style of frames and crosses: red, or dashed if black is the only ink."""
    return {"stroke": _colour(inks), "stroke-width": f"{LINE:g}"} | (
        {} if inks == "full" else {"stroke-dasharray": "1.5 0.8"}
    )


def legible(name: str) -> str:
    """Return the beginning of a name, with a question mark for each character that our font lacks."""
    font = known_font(SANS_SEMIBOLD)
    return "".join(sign if sign == " " or font.glyph(sign) else "?" for sign in visible(name[:MOST_SHOWN]))


def _fitted(words: str, size: float, width: float) -> tuple[str, float, float]:
    """Shorten words to fit a width, and return them with their size and width. Keep the end of a path."""
    wide = text_width(SANS_SEMIBOLD, words)
    size = max(_SMALLEST, min(size, width / wide if wide else size))
    while wide * size > width and len(words) > 2:
        words = "…" + words[2:]
        wide = text_width(SANS_SEMIBOLD, words)
    return words, size, wide * size
