"""Add numbers around a picture, with lines to their targets: places on a face that labels in learn.yaml name.

The numbers are beside the picture, so that they cover nothing. A label names its target, so it finds it wherever the
template draws it: text boxes, symbols, and words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from grimalkin.content.player_aids import FirstPiece, Label
from grimalkin.content.validation import Misfit
from grimalkin.printing.face.layers import Face
from grimalkin.printing.face.svg.paths import (
    IDENTITY,
    Box,
    Matrix,
    box_around,
    box_around_path,
    box_of_shape,
    box_of_symbol,
    box_through,
    is_flat,
    length_of,
    matrix_of,
    moved_to,
    sound_number,
    symbol_matrix,
    times,
)
from grimalkin.printing.face.svg.subset import HIDDEN, SVG
from grimalkin.printing.face.svg.xml import Element, inherited, tag_of, text_of
from grimalkin.printing.type.shaping import text_width
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import plural
from grimalkin.source import At

Side = Literal["left", "right", "above", "below"]
BESIDE: Final = 0.085
"""The room for numbers on each side, as a fraction of the picture's width."""
APART: Final = 0.085
"""The least distance between numbers, as a fraction of the picture's width."""
WITHIN: Final = 0.2
"""The least distance between a line's end and the corners of its target, as a fraction of the target's side."""
BEFORE: Final = 0.014
"""The gap between a line and its target, as a fraction of the picture's width, so that small targets stay clear."""


class Place(NamedTuple):
    """The position of something in a picture, in the picture's units, and the side for its number."""

    left: float
    top: float
    right: float
    bottom: float
    side: Side | None = None


@dataclass(frozen=True)
class Mark:
    """A number: its position in the figure, and the end of the line from it to its target."""

    number: int
    x: float
    y: float
    to_x: float
    to_y: float


@dataclass(frozen=True)
class Numbered:
    """A figure: a picture with numbers around it, in the picture's units."""

    width: float
    height: float
    left: float
    top: float
    """The top left corner of the picture in the figure."""
    marks: tuple[Mark, ...]


def numbered(width: float, height: float, places: Sequence[Place]) -> Numbered:
    """Return a figure with numbers around a picture, in the order of the places."""
    sides = [place.side or _nearest(place, width, height) for place in places]
    room = BESIDE * width
    left, right = (room if side in sides else 0.0 for side in ("left", "right"))
    above, below = (room if side in sides else 0.0 for side in ("above", "below"))
    at: dict[int, tuple[float, float]] = {}
    for side in dict.fromkeys(sides):
        numbers = [number for number, one in enumerate(sides) if one == side]
        upright = side in ("left", "right")
        wishes = [_middle(places[number], upright) for number in numbers]
        along = _spread(wishes, APART * width, height if upright else width)
        across = {"left": -room / 2, "right": width + room / 2, "above": -room / 2, "below": height + room / 2}[side]
        for number, one in zip(numbers, along, strict=True):
            at[number] = (across, one) if upright else (one, across)
    marks: list[Mark] = []
    for number, place in enumerate(places):
        x, y = at[number]
        to_x, to_y = _end(place, x, y, sides[number], BEFORE * width)
        marks.append(Mark(number + 1, x + left, y + above, to_x + left, to_y + above))
    return Numbered(left + width + right, above + height + below, left, above, tuple(marks))


def _nearest(place: Place, width: float, height: float) -> Side:
    """Return the nearest side of the picture; if several are equally near, the first."""
    away: dict[Side, float] = {
        "left": place.left,
        "right": width - place.right,
        "above": place.top,
        "below": height - place.bottom,
    }
    return min(away, key=lambda side: round(away[side], 3))


def _middle(place: Place, upright: bool) -> float:
    return (place.top + place.bottom) / 2 if upright else (place.left + place.right) / 2


def _spread(wishes: Sequence[float], apart: float, length: float) -> list[float]:
    """Return positions along a side, close to the desired ones, and spaced apart as far as there is room.

    >>> _spread([50, 51, 2], 10, 100)
    [50, 60, 5.0]
    >>> _spread([99, 98], 10, 100)
    [95.0, 85.0]
    """
    apart = min(apart, length / len(wishes))
    order = sorted(range(len(wishes)), key=lambda number: wishes[number])
    found = [0.0] * len(wishes)
    least = apart / 2
    for number in order:
        found[number] = max(wishes[number], least)
        least = found[number] + apart
    most = length - apart / 2
    for number in reversed(order):
        found[number] = min(found[number], most)
        most = found[number] - apart
    return found


def _end(place: Place, x: float, y: float, side: Side, before: float) -> tuple[float, float]:
    """Return where the line from a number ends: at the edge of its target, or at the target itself if it is a point."""
    across, down = WITHIN * (place.right - place.left), WITHIN * (place.bottom - place.top)
    to_x = min(max(x, place.left + across), place.right - across)
    to_y = min(max(y, place.top + down), place.bottom - down)
    before = before if across and down else 0.0
    ends: dict[Side, tuple[float, float]] = {
        "left": (place.left - before, to_y),
        "right": (place.right + before, to_y),
        "above": (to_x, place.top - before),
        "below": (to_x, place.bottom + before),
    }
    return ends[side]


# Everything with a name on a face


_TALL, _DEEP = 0.72, 0.2
"""How far a letter extends above and below its line, relative to its size."""
MOST_DRAWN = 20_000


class Spot(NamedTuple):
    """The place of something drawn on a face, in millimetres."""

    name: str
    left: float
    top: float
    right: float
    bottom: float


def spots(face: Face) -> list[Spot]:
    """Return everything with a name on a face, in painting order, except things outside the trim."""
    finder = Finder.of(face)
    wide, high = face.stock.width, face.stock.height
    found = dict.fromkeys(finder.found)  # an element found at its definition is also found at each use
    return [one for one in found if one.right > 0 and one.bottom > 0 and one.left < wide and one.top < high]


def least_type(face: Face) -> float:
    """Return the size of the smallest letters on a face, in millimetres; 0 if it has none."""
    return min(Finder.of(face).sizes, default=0.0)


@dataclass
class Finder:
    """A finder of what is drawn on a face: names with their boxes, and sizes of letters."""

    targets: dict[str, Element]
    boxes: dict[Element, Mapping[str, str]] = field(default_factory=dict)
    found: list[Spot] = field(default_factory=list)
    sizes: list[float] = field(default_factory=list)
    """The sizes of letters, in millimetres."""
    box: Box | None = None
    """The box around everything on the face; None if nothing is."""
    drawn: int = 0

    @staticmethod
    def of(face: Face) -> Finder:
        """Return a finder that has walked through a face."""
        finder = Finder({})
        for layer in face.content:
            for element in layer.element.iter(f"{{{SVG}}}*"):
                id_ = element.get("id")
                if id_:
                    finder.targets[id_] = element
            finder.boxes.update(layer.boxes)
        finder.box = box_around(finder.walk(layer.element, IDENTITY) for layer in face.content)
        return finder

    def walk(self, element: Element, outer: Matrix) -> Box | None:
        """Find named things in an element, and return the box around all of it."""
        tag = tag_of(element)
        self.drawn += 1
        if tag in HIDDEN or self.drawn > MOST_DRAWN:
            return None
        matrix = times(outer, matrix_of(element.get("transform", "")) or IDENTITY)
        if is_flat(matrix):
            return None
        box_of = self.boxes.get(element)
        at = len(self.found)
        if tag == "use":
            box = self.used(element, matrix)
            name = (element.get("href") or "#")[1:]
        elif tag == "text":
            box, name = box_through(matrix, _text_box(element)), " ".join(text_of(element).split())
            if name:
                size = sound_number(inherited(element, "font-size") or "0")
                self.sizes.append(size * abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) ** 0.5)
        elif tag == "g":
            box, name = box_around(self.walk(child, matrix) for child in element if isinstance(child.tag, str)), ""
        else:
            shape, name = box_of_shape(tag, element, box_around_path), ""
            box = shape and box_through(matrix, shape)
        if box_of is not None:
            x, y, wide, high = (length_of(box_of, key) for key in ("x", "y", "width", "height"))
            box, name = box_through(matrix, (x, y, x + wide, y + high)), box_of.get("name", "")
        name = name or element.get("id", "")
        if name and box:
            self.found.insert(at, Spot(name, *(round(one, 2) for one in box)))
        return box

    def used(self, use: Element, matrix: Matrix) -> Box | None:
        """Return the box of a symbol or group where it is used."""
        target = self.targets.get((use.get("href") or "#")[1:])
        if target is None:
            return None
        if tag_of(target) != "symbol":
            return self.walk(target, times(matrix, moved_to(use)))
        inner = times(matrix, symbol_matrix(use, target))
        if is_flat(inner):
            return None
        for child in target:
            if isinstance(child.tag, str):
                self.walk(child, inner)
        return box_through(inner, box_of_symbol(target))


def _text_box(text: Element) -> Box:
    size, family = sound_number(inherited(text, "font-size") or "0"), inherited(text, "font-family")
    wide = size * text_width(family, text_of(text), is_strict=False) if family else 0.0
    anchor = inherited(text, "text-anchor") or "start"
    left = length_of(text, "x") - wide * {"middle": 0.5, "end": 1.0}.get(anchor, 0.0)
    line = length_of(text, "y")
    return left, line - size * _TALL, left + wide, line + size * _DEEP


# The targets of labels


NOT_DRAWN: Final = (
    ("setup", "position"),
    "nothing draws this position",
    "faces/table.svg.j2 draws a table, and the engine a map; without them, remove `position`",
)
"""The problem when a set-up's position cannot be shown."""


def pointed(face: Face, labels: Sequence[Label], at: At) -> tuple[list[Place], list[Misfit]]:
    """Return the places that labels point at, and the faults of labels without a target.

    `at` is the key that holds the labels.
    """
    found = spots(face)
    places: list[Place] = []
    misfits: list[Misfit] = []
    for number, label in enumerate(labels):
        wrong = list(_misfits(label, face, found))
        misfits += [((*at, "labels", number, key), told, hint) for key, told, hint in wrong]
        if not wrong:
            places.append(_place(label, face, found))
    return places, misfits


def pointed_on_map(
    labels: Sequence[Label], at: At, find: Callable[[Label], Place | None]
) -> tuple[list[Place], list[Misfit]]:
    """Do the same on a map, where `find` returns the place of a label's square, if the picture shows it."""
    places: list[Place] = []
    misfits: list[Misfit] = []
    for number, label in enumerate(labels):
        here = (*at, "labels", number)
        place = find(label) if label.square else None
        if place:
            places.append(place)
        elif label.square:
            told = f'the picture shows no square "{label.square}"'
            misfits.append(((*here, "square"), told, "write its column's letter and its row's number, as in c4"))
        else:
            misfits.append(((*here, label.key), "this picture is a map", "name a `square`"))
    return places, misfits


def no_face(one: FirstPiece, at: At) -> Misfit:
    """Return the fault for a piece with no face on the side that labels point at."""
    told = f'"{one.piece}" has no {one.side} that these labels could point at'
    return (*at, "side" if one.side == "back" else "piece"), told, "name a template for it in its deck"


def _misfits(label: Label, face: Face, found: Sequence[Spot]) -> Iterator[tuple[str, str, str]]:
    """Yield the faults of a label: the key, the message and the hint."""
    if label.place:
        x, y = label.place
        if x > face.stock.width or y > face.stock.height:
            told = f"{x:g}, {y:g} is outside the picture"
            yield label.key, told, f"it is {face.stock.width:g} × {face.stock.height:g} mm"
        return
    if label.square:
        yield "square", "this picture is not a map", "write `drawn` or `place`"
        return
    named = [one for one in found if one.name == label.drawn]
    if not named:
        hint = did_you_mean(str(label.drawn), dict.fromkeys(one.name for one in found))
        yield "drawn", f'nothing called "{label.drawn}" is drawn in the picture', hint
    elif label.which is None and len(named) > 1:
        told = f'"{label.drawn}" is drawn {plural(len(named), "time")}'
        yield "drawn", told, f"add `which`, from 1 to {len(named)}"
    elif (label.which or 1) > len(named):
        told = f'"{label.drawn}" is drawn {plural(len(named), "time")}'
        yield "which", told, f"write 1 to {len(named)}"


def _place(label: Label, face: Face, found: Sequence[Spot]) -> Place:
    if label.place:
        x, y = label.place
        return Place(x, y, x, y, label.side)
    spot = [one for one in found if one.name == label.drawn][(label.which or 1) - 1]
    right, bottom = min(spot.right, face.stock.width), min(spot.bottom, face.stock.height)
    return Place(max(spot.left, 0), max(spot.top, 0), right, bottom, label.side)
