"""Turn ordinary SVG files from any program into groups of plain art for faces."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from grimalkin.printing.face.images.pictures import Fault, Fit, Picture, embedded_picture, fit_of, lying
from grimalkin.printing.face.svg.paths import Box, Matrix, number_of, view_box_of
from grimalkin.printing.face.svg.subset import LINKS, NAMESPACE, SVG
from grimalkin.printing.face.svg.xml import PARSER, Element
from grimalkin.problems import Place, Problem, Stop, shown_path
from grimalkin.source.cache import Cache, cache_folder

if TYPE_CHECKING:
    from grimalkin.printing.face.art import Art
    from grimalkin.printing.face.art.geometry import Size

MOST_SIDE = 6_000
"""The longest side in pixels of a drawing that becomes a picture: 50 cm at 300 dpi."""
MIDDLE = 0.5
"""The lightness, from 0 to 1, at which a colour becomes white if there are only two tones."""
_COLOURS = ("fill", "stroke", "stop-color")


@dataclass(frozen=True, eq=False)
class Drawing:
    """A drawing as read, and its pictures."""

    art: Art
    digest: str
    pictures: dict[str, Picture]
    """The pictures, by the keys of its images."""

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Return the notes worth reporting."""
        return self.art.notes

    @property
    def size(self) -> tuple[float, float]:
        """Return the width and height in millimetres from the file, or else those of its grid in its own units."""
        return self.art.size or self.art.box[2:]


@dataclass(frozen=True, eq=False)
class Flattened:
    """A drawing with effects that need pixels, such as a shadow; it becomes a picture when it is placed."""

    data: bytes
    path: Path
    digest: str
    size: tuple[float, float]
    """The width and height of its grid, in its own units."""
    remarks: tuple[Remark, ...]
    """The effects that need pixels."""
    made: dict[tuple[int, int], Picture] = field(default_factory=dict, repr=False)

    def picture(self, pixels: tuple[float, float]) -> Picture:
        """Return the drawing as a picture of this size in pixels, stretched if necessary. Raise Stop on failure."""
        width, height = (min(max(1, round(one)), MOST_SIDE) for one in pixels)
        if (width, height) not in self.made:
            self.made[width, height] = self._made(width, height)
        return self.made[width, height]

    def _made(self, width: int, height: int) -> Picture:
        svg = etree.fromstring(self.data, PARSER)
        for key, value in (("width", width), ("height", height), ("preserveAspectRatio", "none")):
            svg.set(key, str(value))
        if "viewBox" not in svg.attrib:
            svg.set("viewBox", f"0 0 {self.size[0]:g} {self.size[1]:g}")
        data = self._drawn(etree.tostring(svg))
        digest = sha256(data).hexdigest()[:32]
        return Picture(self.path, self.path.parent, digest, "PNG", (width, height), 1, len(data), data, may_pass=False)

    def _drawn(self, svg: bytes) -> bytes:
        """Return an SVG as PNG, drawn in a separate process because some filters take hours and must be stopped."""
        folder = cache_folder("drawings")
        kept = Cache(folder, ".png", 1_000, 100_000_000, 1_000_000_000) if folder else None
        path = kept.path(f"{version('resvg-py')} {sha256(svg).hexdigest()}") if kept else None
        known = kept.read(path) if kept and path else None
        if known is not None:
            return known
        try:
            done = subprocess.run(DRAW, input=svg, capture_output=True, timeout=LONGEST, check=False)
        except subprocess.TimeoutExpired:
            raise self._fault(f"it takes more than {LONGEST} seconds to draw", "simplify its filters") from None
        if done.returncode or not done.stdout.startswith(b"\x89PNG"):
            said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            raise self._fault(f"it cannot be drawn: {said[:100]}", "save it again, or as a picture")
        if kept and path:
            kept.write(path, done.stdout)
        return done.stdout

    def _fault(self, message: str, hint: str) -> Stop:
        return Stop([Problem(Place(shown_path(self.path)), message, hint)])


DRAW = [sys.executable, "-I", "-m", "grimalkin.printing.face.svg.flatten"]
"""Isolated from the files in its working folder."""
LONGEST = 60
"""The limit in seconds; a usual filter takes one or two."""
Remark = tuple[int, str, str]
"""A line, the message and the hint."""


def read_drawing(
    data: bytes, path: Path, known: Callable[[str], Picture | None] = lambda _: None
) -> Drawing | Flattened | list[Remark]:
    """Return the drawing in an SVG file, as pixels if nothing else will do, or the faults that prevent it from being
    drawn.

    `known` returns a picture of the game that a block in a template may show.
    """
    from grimalkin.printing.face.art import read_art  # a slow import, and most games have no drawings
    from grimalkin.printing.face.art.geometry import Size
    from grimalkin.printing.face.art.svg_document import FLATTEN

    digest = sha256(data).hexdigest()[:16]
    pictures: dict[str, Picture] = {}

    def find(href: str) -> Size | Fault:
        found = known(href) or embedded_picture(href, path)
        if not isinstance(found, Picture):
            return found
        key = f"picture:{found.digest}"
        pictures[key] = found
        return Size(key, *found.size)

    art = read_art(data, f"a{digest}-", pictures=find)
    if not isinstance(art, list):
        return Drawing(art, digest, pictures) if draws(art.element) else [NOTHING]
    if b"<text" in data or not all(hint.endswith(FLATTEN) for _, _, hint in art):
        return art  # nothing else finds the fonts
    svg = etree.fromstring(data, PARSER)
    box = view_box_of(svg.get("viewBox", ""))
    sizes = [number_of(svg.get(side, "").removesuffix("px")) or 0.0 for side in ("width", "height")]
    width, height = (box[2] - box[0], box[3] - box[1]) if box else sizes
    return Flattened(data, path, digest, (width, height), tuple(map(_as_picture, art))) if width > 0 < height else art


def placed_drawing(drawing: Drawing, lies: Box, treatment: str, aspect: str) -> Element:
    """Return a drawing as a group placed in a box on the face, in the inks of a treatment.

    `aspect` comes from the face; unless it is "none", the grid fits the box as the file specifies.
    """
    x, y, width, height = drawing.art.box
    fit = fit_of("none" if aspect.strip() == "none" else drawing.art.aspect, "")
    left, top, right, foot = lying((width, height), lies, fit if isinstance(fit, Fit) else Fit())
    across, down = (right - left) / width, (foot - top) / height
    matrix: Matrix = (across, 0, 0, down, left - x * across, top - y * down)
    group = etree.Element(
        f"{{{SVG}}}g", {"transform": f"matrix({' '.join(f'{one:.6g}' for one in matrix)})"}, nsmap=NAMESPACE
    )
    group.append(copy.deepcopy(drawing.art.element))
    if treatment != "as-is":
        for element in group.iter():
            for key in _COLOURS:
                if (colour := element.get(key, "")).startswith("#"):
                    element.set(key, _inked(colour, treatment))
    return group


NOTHING: Remark = (1, "it draws nothing", "open it in a browser: it may be empty or hidden, or have no size")
_SHAPES = tuple(
    f"{{{SVG}}}{tag}" for tag in ("path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "image")
)


def draws(art: Element) -> bool:
    """Return whether a drawing has any shapes."""
    return next(art.iter(*_SHAPES), None) is not None


def _as_picture(remark: Remark) -> Remark:
    return remark[0], remark[1].replace("is not drawn", "is drawn as a picture"), ""


def links_of(element: Element) -> Iterator[tuple[str, str]]:
    """Yield the attributes of an element that refer to definitions, with the definitions' ids."""
    for key in LINKS:
        if (value := element.get(key, "")).startswith("url(#"):
            yield key, value[5:-1]


def _inked(colour: str, treatment: str) -> str:
    """Return a colour in grey or two tones, by its lightness (ITU-R BT.601). Printers turn greys into dots."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    light = (0.299 * red + 0.587 * green + 0.114 * blue) / 255
    if treatment == "threshold":
        light = float(light >= MIDDLE)
    return "#" + f"{round(255 * light):02x}" * 3
