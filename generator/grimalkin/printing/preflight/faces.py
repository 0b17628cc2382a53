"""Check one face: from a Specimen, yield Findings on type sizes, edges, contrast, alternative text and pictures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TypeVar

from PIL import Image

from grimalkin.content import Game
from grimalkin.content.models import Component
from grimalkin.content.stocks import Stock
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.images.pictures import Picture, Placed, opened
from grimalkin.printing.face.svg.colours import Colour, contrast_of, read_colour
from grimalkin.printing.face.templating.template_faults import find_element
from grimalkin.printing.preflight.contours import Painted, Point, inside, painted
from grimalkin.printing.preflight.findings import Finding
from grimalkin.printing.preflight.sight import (
    around,
    at_a_glance,
    is_text,
    is_text_or_icon,
    pictures,
    scale,
    under,
    without,
)
from grimalkin.problems import Place, shown_path
from grimalkin.problems.plain import plural

SMALL, LARGE = 30.0, 100.0
FLOORS = ((SMALL, 5.0), (LARGE, 6.5), (math.inf, 7.0))
"""The smallest type in points for pieces whose shorter side is below a number of millimetres.

These floors are our judgement: small letters of Source Sans then fill 9 to 10 minutes of arc on a coin at 30 cm and a
card at 38, and 7 on a mat at 60; a sharp eye resolves 5 (the line 20/20 of an eye chart). Such type can just be read.
Type that reads well is larger, and the designer's choice: our own cards have 8 pt and never less than 6.5, coins 7.
"""
FIGURES = 7.0
"""The smallest size for digits and symbols in points, on every piece: they cannot be guessed from their context."""
THINNEST = 0.1
"""Millimetres: a 300 dpi printer's dot is 0.085 wide, and thinner lines break up or vanish."""
SLACK = 0.02
"""Millimetres that may be lost to rounding."""
BLEED_SLACK = 0.1
"""Millimetres at the edge of the bleed, where a large circle is drawn as straight pieces."""
EDGE, EDGE_SLACK = 7, 0.25
"""The minimum number of points on the cut, a millimetre apart, where a shape must end equally far out, within a slack
in mm, to have an edge along the cut. The tip of an ear, a gouge or a slanting side is not one."""
CONTRAST_TEXT, CONTRAST_LARGE, CONTRAST_ICON = 4.5, 3.0, 3.0
"""WCAG 2.2, 1.4.3 (text; large text) and 1.4.11 (symbols), level AA."""
LARGE_TEXT, LARGE_BOLD = 18.0, 14.0
WORST_SHARE = 0.1
"""The fraction of the ground under text that may have any colour: soft edges of shapes, a whisker, a star."""


M = TypeVar("M")

PIECE = 10
"""The rays in a piece of an outline, about one per millimetre; outlines have no sides, so pieces are checked."""
Ray = tuple[Point, Point]
"""A point on the cut, and the direction straight out of it."""
FEW, TOO_FEW = 200, 100
"""Pixels per inch as printed: below the first, a picture is soft; below the second, its pixels show."""
MOST_INK = 300
"""The total per cent of cyan, magenta, yellow and black that coated paper takes (ISO 12647-2, and most printers)."""
HEAVY = 50_000_000
"""The total bytes of a game's pictures above which files are slow to send and to print."""
MOST_NAMED = 3


class Look:
    """The appearance of a face: its painted parts and its pictures. Faces that look the same share one."""

    def __init__(self, face: Face) -> None:
        self.face = face

    @cached_property
    def painted(self) -> tuple[Painted, ...]:
        return painted(self.face)

    @cached_property
    def pictures(self) -> tuple[Image.Image, ...]:
        """Pictures of the complete face, without its text, and without its text and labelled icons."""
        draw([self])
        return self.pictures

    def shown(self) -> tuple[Face, Face, Face]:
        """Return the faces to draw as its pictures."""
        words = any(part.words for part in self.painted)
        icons = any(part.icon and not part.words for part in self.painted)
        under_words = without(self.face, is_text) if words else self.face
        return self.face, under_words, without(under_words, is_text_or_icon) if icons else under_words

    @cached_property
    def small(self) -> Image.Image:
        """A small picture of the trim, as seen at a glance."""
        return at_a_glance(self.pictures[0], self.face.stock)

    def forget(self) -> None:
        """Make the small picture, and drop everything large, because a deck may have hundreds of faces."""
        _ = self.small
        for name in ("painted", "pictures"):
            self.__dict__.pop(name, None)


def draw(looks: Sequence[Look]) -> None:
    """Draw the pictures of several looks into one file, because in small files most of the work is in the fonts."""
    shown = [look.shown() for look in looks]
    faces = list(dict.fromkeys(face for one in shown for face in one))
    drawn = dict(zip(faces, pictures(faces), strict=True))
    for look, one in zip(looks, shown, strict=True):
        look.pictures = tuple(drawn[face] for face in one)


@dataclass(frozen=True)
class Specimen:
    """A face with everything that checks need."""

    face: Face
    component: Component
    side: str
    template: Place
    row: Place
    """The row of the face's component in the tables."""
    files: Sequence[str]
    """The face's template, and all files that it uses."""
    look: Look
    inks: str = "full"

    @property
    def name(self) -> str:
        return self.face.id if self.inks == "full" else f"{self.face.id} ({self.inks} ink)"

    def place(self, words: str) -> Place | None:
        """Return the template line with these words; otherwise the table's row, if it contains them."""
        path = Path(self.template.path)
        lines = path.read_text(encoding="utf-8").split("\n") if path.is_file() else []
        found = [number for number, line in enumerate(lines, 1) if words in line] if len(words) > 2 else []
        if len(found) == 1:
            return Place(self.template.path, found[0])
        if len(words) > 2 and any(isinstance(value, str) and words in value for _, value in self.component):
            return self.row
        return None

    def finding(self, check: str, part: Painted, message: str, remedy: str) -> Finding:
        """Return a finding about a part. Parts that one element of the template paints share a source and a mark."""
        made = part.source
        place = self.place(part.words or part.label)
        line = find_element(self.files, made.tag, made.attributes, made.text)
        line = line or (place if place and place.path == self.template.path else None)
        source = line or self.template
        mark = "" if line else " ".join((made.tag, part.label or made.attributes.get("name", ""), *_colours(part)))
        return Finding(check, self.name, place or source, message, remedy, source, mark)


def check_type_size(specimen: Specimen) -> Iterator[Finding]:
    """Yield text below the floor of its stock, in points as printed."""
    stock = specimen.face.stock
    floor = next(points for below, points in FLOORS if min(stock.width, stock.height) < below)

    def least(part: Painted) -> float:
        is_figure = any(map(str.isnumeric, part.words)) and not any(map(str.isalpha, part.words))
        return max(floor, FIGURES) if is_figure else floor

    words = [(part, least(part)) for part in specimen.look.painted if part.words]
    for parts, wanted in _by_group((part, wanted) for part, wanted in words if part.size < wanted - 0.01):
        worst, points = min(zip(parts, wanted, strict=True), key=lambda both: both[0].size - both[1])
        message = f"{_quoted(parts)} is set in {worst.size:.1f} pt"
        what = " for figures" if points > floor else ""
        yield specimen.finding("type-size", parts[0], message, f"at least {points:g} pt{what} on {stock.name}")


def check_thin_lines(specimen: Specimen) -> Iterator[Finding]:
    """Yield lines too thin to print: strokes, and filled shapes as long and narrow as a line."""
    lines = [(part, _line_width(part)) for part in specimen.look.painted]
    for parts, widths in _by_group((part, width) for part, width in lines if 0 < width < THINNEST - 0.001):
        message = f"{_shape_of(parts[0])} has a line of {min(widths):.2g} mm"
        yield specimen.finding("thin-lines", parts[0], message, f"at least {THINNEST:g} mm")


def check_safe_area(specimen: Specimen, wanted: float | None = None) -> Iterator[Finding]:
    """Yield text and labelled symbols whose ink extends beyond the safe area, whatever its shape, or the piece.

    `wanted` millimetres replace the safe area of the stock.
    """
    stock = specimen.face.stock
    safe = stock.safe if wanted is None else wanted
    read = [part for part in specimen.look.painted if part.words or part.label]
    near = [(part, reach) for part in read if (reach := _reach(part, stock, safe)) < safe - SLACK]
    for parts, reaches in _by_group(near):
        reach = min(reaches)
        if reach < 0 and not parts[0].words:
            continue  # art may cross the cut; `check_bleed` checks it
        what = _quoted(parts)
        if reach < 0:
            message = f"{what} runs {-reach:.1f} mm over the cut"
        else:
            message = f"{what} comes within {reach:.1f} mm of the cut"
        remedy = f"keep {safe:.4g} mm: move it inwards or make it smaller"
        yield specimen.finding("safe-area", parts[0], message, remedy)


def check_bleed(specimen: Specimen) -> Iterator[Finding]:
    """Yield shapes that cross the cut but visibly end before the edge of the bleed."""
    stock = specimen.face.stock
    if not stock.bleed:
        return
    sides = edges(stock)
    whole = specimen.look.pictures[0]
    for part in specimen.look.painted:
        if part.words or _reach(part, stock, BLEED_SLACK) > BLEED_SLACK:
            continue
        ends: dict[float, list[str]] = {}
        for side, rays in sides.items():
            crossing = [ray for ray in rays if part.covers(*_along(ray, -BLEED_SLACK))]
            least = min(EDGE, len(rays) // 2)
            if len(crossing) < least or any(part.covers(*_along(ray, stock.bleed - BLEED_SLACK)) for ray in crossing):
                continue
            reaches = [(_length(part, ray, stock.bleed), ray) for ray in crossing]
            usual = median(reach for reach, _ in reaches)
            along = [(reach, ray) for reach, ray in reaches if abs(reach - usual) <= EDGE_SLACK]
            if len(along) >= least and any(_shows(whole, ray, reach, stock) for reach, ray in along):
                ends.setdefault(round(max(reach for reach, _ in along), 1), []).append(side)
        for reach, where in ends.items():
            there = ", ".join(where)
            message = f"{_shape_of(part)} ends {reach:.1f} mm beyond the cut ({there}); the bleed is {stock.bleed:g} mm"
            remedy = "extend it to the edge of the bleed, or end it inside the cut"
            yield specimen.finding("bleed", part, message, remedy)


def check_contrast(specimen: Specimen) -> Iterator[Finding]:
    """Yield text and labelled symbols with too little contrast with the colours under and next to them."""
    stock = specimen.face.stock
    _, under_words, under_icons = specimen.look.pictures
    weak: list[tuple[Painted, tuple[float, float]]] = []
    for part in (part for part in specimen.look.painted if part.words):
        large = part.size >= LARGE_TEXT or (part.bold and part.size >= LARGE_BOLD)
        wanted = CONTRAST_LARGE if large else CONTRAST_TEXT
        found = _contrast(read_colour(part.fill), part, under_words, stock, wanted)
        if found < wanted:
            weak.append((part, (found, wanted)))
    for parts, measured in _by_group(weak):
        found, wanted = min(measured)
        message = f"{_quoted(parts)} in {parts[0].fill} has a contrast of {_short_of(found)}:1"
        remedy = f"at least {wanted:g}:1 at {parts[0].size:.0f} pt: use a darker or lighter ink, or a calmer ground"
        yield specimen.finding("contrast", parts[0], message, remedy)
    icons = [part for part in specimen.look.painted if part.icon and not part.words]
    for parts, contrasts in _by_group((part, _icon_contrast(part, under_icons, stock)) for part in icons):
        best = max(contrasts)
        if best < CONTRAST_ICON:
            message = f'the symbol "{parts[0].label}" has a contrast of {_short_of(best)}:1'
            remedy = f"at least {CONTRAST_ICON:g}:1 for one of its inks"
            yield specimen.finding("contrast", parts[0], message, remedy)


def check_alt_text(specimen: Specimen) -> Iterator[Finding]:
    """Yield components whose art has no description. A face with only text, boxes and lines needs none."""
    if (
        specimen.side != "front"
        or specimen.inks != "full"
        or (specimen.component.alt or specimen.component.name) != specimen.component.name
    ):
        return
    drawn = [
        part
        for part in specimen.look.painted
        if not part.words and not part.label and len(part.outlines[0][0].contours[0]) > 5
    ]
    if drawn:  # there is more than boxes and lines
        message = (
            f'its art has {plural(len(drawn), "shape")}, but only the name "{specimen.component.name}" is read aloud'
        )
        remedy = "describe what the face shows, in the column `alt`"
        yield Finding("alt-text", specimen.name, specimen.row, message, remedy, specimen.template)


# Measuring


def edges(stock: Stock) -> dict[str, list[Ray]]:
    """Return points on the cut, about a millimetre apart, for each side. Folds are not cut."""
    w, h = stock.width, stock.height
    if stock.shape == "circle":
        # A circle has no sides, so twelve pieces of its edge are checked one by one.
        sides = {}
        for hour in range(1, 13):
            angles = [math.radians(hour * 30 + step - 105) for step in range(3, 30, 3)]
            out = [(math.cos(angle), math.sin(angle)) for angle in angles]
            sides[f"{hour} o'clock"] = [((w / 2 * (1 + x), w / 2 * (1 + y)), (x, y)) for x, y in out]
        return sides
    if stock.lines:
        sides = {}
        for number, contour in enumerate(stock.lines.contours, 1):
            rays = [ray for ends in pairwise(contour) if ends[0] != ends[1] for ray in _rays(*ends)]
            sides |= {f"cut {number}, from {at} mm": rays[at : at + PIECE] for at in range(0, len(rays), PIECE)}
        return sides
    if stock.shape == "rectangle":
        ends = {"left": ((0.0, h), (0.0, 0.0)), "right": ((w, 0.0), (w, h))}
        if stock.fold == "none":
            ends |= {"top": ((0.0, 0.0), (w, 0.0)), "foot": ((w, h), (0.0, h))}
    else:
        corners = stock.corners
        pairs = zip(corners, (*corners[1:], corners[0]), strict=True)
        ends = {f"side {number}": pair for number, pair in enumerate(pairs, 1)}
    return {side: _rays(*pair) for side, pair in ends.items()}


def _rays(start: Point, end: Point) -> list[Ray]:
    """Return rays outwards from a straight side of a piece whose sides run clockwise."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    steps = math.ceil(length)
    shares = [(step + 0.5) / steps for step in range(steps)]
    return [((start[0] + dx * t, start[1] + dy * t), (dy / length, -dx / length)) for t in shares]


def worst_contrast(ink: Colour, ground: Counter[Colour]) -> float:
    """Return the contrast of an ink with the worst tenth of a ground; 21 if there is no ground."""
    left = sum(ground.values()) * WORST_SHARE
    for ratio, count in sorted((contrast_of(ink, colour), count) for colour, count in ground.items()):
        left -= count
        if left <= 0:
            return ratio
    return 21.0


def _short_of(ratio: float) -> str:
    """Return a contrast as text, rounded down, so that too little never looks like enough."""
    return f"{math.floor(ratio * 10) / 10:.1f}"


def _icon_contrast(part: Painted, ground: Image.Image, stock: Stock) -> float:
    inks = [ink for ink in (part.fill, part.stroke) if ink != "none"]
    return max(_contrast(read_colour(ink), part, ground, stock, CONTRAST_ICON) for ink in inks)


def _contrast(ink: Colour, part: Painted, ground: Image.Image, stock: Stock, wanted: float) -> float:
    """Return the contrast of an ink with the ground under and next to a part. If the box around the part has enough
    contrast, the pixels under the part are not examined."""
    boxed = min((contrast_of(ink, colour) for colour in around(part, ground, stock)), default=21.0)
    return boxed if boxed >= wanted else worst_contrast(ink, under(part, ground, stock))


def _reach(part: Painted, stock: Stock, enough: float) -> float:
    """Return the distance of a part's ink from the cut; a value above `enough` may be too small."""
    left, top, right, foot = part.bounds
    edge = part.stroke_width / 2
    if stock.lines:  # a notch may be nearer than the points on either side of it
        return min(inside(stock, x, y) for contour in part.contours for x, y in contour) - edge
    roomy = min(inside(stock, x, y) for x in (left, right) for y in (top, foot))
    if roomy > enough:
        return roomy
    return min(inside(stock, x, y) for x, y in part.extent) - edge


def _along(ray: Ray, distance: float) -> Point:
    (x, y), (dx, dy) = ray
    return x + dx * distance, y + dy * distance


def _length(part: Painted, ray: Ray, bleed: float) -> float:
    """Return how far a part extends along a ray, to 0.05 mm."""
    steps = math.ceil(bleed / 0.05)
    for step in range(steps + 1):
        if not part.covers(*_along(ray, step * bleed / steps)):
            return max(0.0, (step - 0.5) * bleed / steps)
    return bleed


def _shows(picture: Image.Image, ray: Ray, reach: float, stock: Stock) -> bool:
    """Return whether the colour of the face changes where a part ends; something above may hide the end."""
    inner, outer = (_pixel(picture, _along(ray, reach + step), stock) for step in (-0.3, 0.3))
    return max(abs(a - b) for a, b in zip(inner, outer, strict=True)) > 8


def _pixel(picture: Image.Image, point: Point, stock: Stock) -> Colour:
    """Return the colour of a picture at a point on the face; outside the picture, the nearest colour."""
    across, down = scale(picture, stock)
    x = min(picture.width - 1, max(0, int((point[0] + stock.bleed) * across)))
    y = min(picture.height - 1, max(0, int((point[1] + stock.bleed) * down)))
    red, green, blue = picture.getpixel((x, y))  # type: ignore[misc]
    return red, green, blue


def _by_group(measured: Iterable[tuple[Painted, M]]) -> Iterator[tuple[list[Painted], list[M]]]:
    """Yield the parts of each element together with their measurements: the lines of a text box are one finding."""
    groups: dict[int, tuple[list[Painted], list[M]]] = {}
    for part, measure in measured:
        parts, measures = groups.setdefault(part.group, ([], []))
        parts.append(part)
        measures.append(measure)
    yield from groups.values()


def _line_width(part: Painted) -> float:
    """Return the width of the line that a part has, or is; 0 if there is none."""
    left, top, right, foot = part.bounds
    narrow, long = sorted((right - left, foot - top))
    if part.stroke not in ("none", part.fill):
        return part.stroke_width
    return narrow if not part.words and long > 10 * THINNEST else 0.0


def _shape_of(part: Painted) -> str:
    return f'"{part.label}"' if part.label else f"a shape in {part.fill if part.fill != 'none' else part.stroke}"


def _colours(part: Painted) -> tuple[str, ...]:
    """Return the colours of a part without text or label, which distinguish shapes not found in the template."""
    return () if part.words or part.label else (part.fill, part.stroke)


def _quoted(parts: Sequence[Painted]) -> str:
    first = parts[0]
    if not first.words:
        return f'the symbol "{first.label}"'
    words = first.words if len(first.words) <= 40 else f"{first.words[:39]}…"
    more = sum(bool(part.words) for part in parts) - 1
    return f'"{words}"' + (f" and {more} more like it" if more else "")


def check_resolution(specimen: Specimen) -> Iterator[Finding]:
    """Yield pictures with too few pixels for their printed size."""
    for placed in specimen.face.pictures.values():
        if placed.dpi < FEW:
            message = f"the picture {placed.picture.path.name} has {placed.dpi:.0f} pixels per inch"
            wide, high = placed.picture.size
            times = FEW / placed.dpi
            remedy = f"at least {FEW}: {wide * times:.0f} × {high * times:.0f} pixels, or print it smaller"
            yield _finding(specimen, "resolution", placed, message, remedy, placed.dpi >= TOO_FEW)


def check_ink(specimen: Specimen) -> Iterator[Finding]:
    """Yield pictures in printer's inks with more ink than paper can hold."""
    for placed in specimen.face.pictures.values():
        ink = _ink_of(placed.picture) if placed.treatment == "as-is" else 0
        if ink > MOST_INK:
            message = f"the picture {placed.picture.path.name} has {ink} % of ink in its darkest part"
            yield _finding(
                specimen, "ink", placed, message, f"at most {MOST_INK} %: convert it with your printer's profile"
            )


def check_weight(game: Game, composer: Composer) -> Iterator[Finding]:
    """Yield a finding, with the largest pictures, if the pictures make files too large."""
    pictures = {one.digest: one for one in composer.pictures.known.values() if isinstance(one, Picture)}
    whole = sum(one.weight for one in pictures.values())
    heaviest = sorted(pictures.values(), key=lambda one: (-one.weight, one.path.name))[:MOST_NAMED]
    if whole > HEAVY:
        named = ", ".join(f"{one.path.name} {one.weight / 1e6:.1f} MB" for one in heaviest)
        place = Place(shown_path(game.folder / "art"))
        message = f"the pictures weigh {whole / 1e6:.0f} MB; the heaviest: {named}"
        yield Finding("weight", "all faces", place, message, "save photographs as JPEG", is_warning=True)


def _finding(
    specimen: Specimen, check: str, placed: Placed, message: str, remedy: str, is_warning: bool = False
) -> Finding:
    place = Place(shown_path(placed.picture.path))
    return Finding(check, specimen.name, place, message, remedy, place, placed.picture.path.name, is_warning)


@lru_cache(maxsize=1000)
def _ink_of(picture: Picture) -> int:
    """Return the greatest ink coverage in any part of a picture, in per cent; 0 if it is not in printer's inks."""
    if picture.kind not in ("JPEG", "TIFF"):
        return 0
    with opened(picture, picture.read()) as image:
        if image.mode != "CMYK":
            return 0
        image.draft("CMYK", (400, 400))
        small = image.resize((min(400, image.width), min(400, image.height)), Image.Resampling.BOX)
    channels = [channel.tobytes() for channel in small.split()]
    return round(max(map(sum, zip(*channels, strict=True))) / 2.55)
