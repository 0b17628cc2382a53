"""Compare two drawings of a table and mark the differences: new pieces, and places that pieces have left.

This module knows nothing about games. It splits a drawing into pieces, each a shape with everything on it. A piece that
has not moved, or has only moved up in its row with others, is not a change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from lxml import etree

from grimalkin.printing.face.svg.paths import (
    IDENTITY,
    Matrix,
    box_around,
    box_around_path,
    box_of_shape,
    box_through,
    length_of,
    matrix_of,
    moved_to,
    path_points,
    times,
)
from grimalkin.printing.face.svg.subset import HIDDEN

GROUND: Final = 0.3
"""The largest part of a drawing's width or height that a piece may take; anything larger is the ground, or a line of
text."""
MOST: Final = 16
"""The most marks on a drawing. If more is new, as when cards are dealt, nothing is marked."""
NEAR: Final = 1.5
"""The most millimetres between two pieces that share a mark."""
FULL: Final = 1.6
"""A shared mark is at most this many times as large as its pieces together."""
ROOM: Final = 0.8
"""Millimetres between a piece and the middle of the line around it."""
LINE: Final = 0.95
"""Half the width of that line, in millimetres, with the pale line under it and a little air."""
LETTER: Final = 0.55
"""Width of a letter, as a fraction of the type size."""
_UNSEEN = HIDDEN | {"style"}
_PLACES = ("x", "y", "cx", "cy", "x1", "x2", "y1", "y2", "transform", "id")
_SHAPES = ("rect", "circle", "ellipse", "line", "path", "polygon", "polyline", "use", "text")


class Box(NamedTuple):
    """A part of a drawing, in millimetres."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def size(self) -> float:
        return (self.right - self.left) * (self.bottom - self.top)

    def holds(self, other: Box) -> bool:
        """Return whether the middle of another box is inside it."""
        x, y = other.middle
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def near(self, other: Box, by: float = NEAR) -> bool:
        across = self.left - by <= other.right and other.left - by <= self.right
        return across and self.top - by <= other.bottom and other.top - by <= self.bottom

    def fills(self, other: Box) -> bool:
        """Return whether a box around both would not be much larger than the two together."""
        return self.with_(other).size <= FULL * (self.size + other.size)

    def with_(self, other: Box) -> Box:
        return Box(*map(min, self[:2], other[:2]), *map(max, self[2:], other[2:]))


class Piece(NamedTuple):
    """Something drawn: its look, regardless of position, and its position."""

    look: str
    box: Box


class Mark(NamedTuple):
    """A place where something is new, or that something has left."""

    box: Box
    is_gone: bool = False


# Two drawings


def marks(before: Sequence[Piece], after: Sequence[Piece]) -> list[Mark]:
    """Return marks for new pieces, then for places that pieces have left; none if nearly everything is new."""
    come, left = _other(after, before), _other(before, after)
    come, left = _without_shifts(come, left)
    new = _together([piece.box for piece in come])
    gone = [box for box in _together([piece.box for piece in left]) if not any(box.near(one, 0) for one in new)]
    found = [*(Mark(box) for box in new), *(Mark(box, True) for box in gone)]
    return found if len(found) <= MOST else []


def _other(pieces: Iterable[Piece], others: Iterable[Piece]) -> list[Piece]:
    """Return those pieces that are not among others."""
    there = Counter((one.look, *(round(part, 1) for part in one.box.middle)) for one in others)
    rest = []
    for one in pieces:
        key = (one.look, *(round(part, 1) for part in one.box.middle))
        if there[key]:
            there[key] -= 1
        else:
            rest.append(one)
    return rest


def _without_shifts(come: list[Piece], left: list[Piece]) -> tuple[list[Piece], list[Piece]]:
    """Remove pieces that have moved together along their row, to close a gap or to make room."""
    shifts: dict[float, list[tuple[Piece, Piece]]] = {}
    free = list(left)
    for new in come:
        olds = (one for one in free if one.look == new.look and abs(_down(one, new)) < 0.1)
        old = min(olds, key=lambda one: abs(_across(one, new)), default=None)
        if old is not None and abs(_across(old, new)) < 2.5 * (new.box.right - new.box.left):
            free.remove(old)
            shifts.setdefault(round(_across(old, new), 1), []).append((old, new))
    pairs = [pair for moved in shifts.values() if len(moved) > 1 for pair in moved]
    for old, new in pairs:
        left.remove(old)
        come.remove(new)
    return come, left


def _across(one: Piece, other: Piece) -> float:
    return other.box.middle[0] - one.box.middle[0]


def _down(one: Piece, other: Piece) -> float:
    return other.box.middle[1] - one.box.middle[1]


def _together(boxes: Iterable[Box]) -> list[Box]:
    """Merge boxes that are near each other.

    >>> [tuple(box) for box in _together([Box(0, 0, 2, 2), Box(9, 0, 11, 2), Box(3, 0, 5, 2)])]
    [(9, 0, 11, 2), (0, 0, 5, 2)]
    """
    found: list[Box] = []
    for box in boxes:
        while near := next((one for one in found if one.near(box) and one.fills(box)), None):
            found.remove(near)
            box = box.with_(near)
        found.append(box)
    return found


def ringed(found: Iterable[Mark], words: Sequence[Box]) -> list[Mark]:
    """Return marks as the lines around them, which stay clear of words outside the marks.

    A line comes nearer to its piece where words are beside it, and onto the edge of the piece if it must.

    >>> ringed([Mark(Box(10, 10, 30, 20))], [Box(0, 20.9, 60, 23), Box(12, 12, 20, 14)])
    [Mark(box=Box(left=9.2, top=9.2, right=30.8, bottom=19.95), is_gone=False)]
    """
    return [Mark(_clear(mark.box, words), mark.is_gone) for mark in found]


def _clear(box: Box, words: Iterable[Box]) -> Box:
    line = Box(box.left - ROOM, box.top - ROOM, box.right + ROOM, box.bottom + ROOM)
    left, top, right, bottom = line
    for word in words:
        if box.holds(word) or not line.near(word, LINE):
            continue
        x, y = word.middle
        beside, below = max(box.left - x, x - box.right), max(box.top - y, y - box.bottom)
        if below >= beside and y < box.top:
            top = max(top, min(word.bottom, box.top) + LINE)
        elif below >= beside:
            bottom = min(bottom, max(word.top, box.bottom) - LINE)
        elif x < box.left:
            left = max(left, min(word.right, box.left) + LINE)
        else:
            right = min(right, max(word.left, box.right) - LINE)
    return Box(left, top, right, bottom)


# One drawing


class _Named(NamedTuple):
    """What a drawing uses."""

    elements: Mapping[str, etree._Element]
    boxes: dict[object, tuple[float, float, float, float] | None]
    """Boxes found so far: a drawing uses most icons many times."""


def pieces_of(root: etree._Element, width: float, height: float) -> list[Piece]:
    """Return the pieces of a drawing: every shape except the ground, with the shapes and letters on it."""
    named = _Named({element.get("id", ""): element for element in root.iter() if isinstance(element.tag, str)}, {})
    drawn = [one for one in _drawn(root, named, IDENTITY, {}) if _is_piece(one.box, width, height)]
    groups: list[list[Piece]] = []
    for one in sorted(drawn, key=lambda one: -one.box.size):
        holding = [group for group in groups if group[0].box.holds(one.box)]
        (min(holding, key=lambda group: group[0].box.size) if holding else _new(groups)).append(one)
    return [_joined(group) for group in groups]


def words_of(root: etree._Element) -> list[Box]:
    """Return the boxes of all lines of text in a drawing, except those inside symbols."""
    named = _Named({element.get("id", ""): element for element in root.iter() if isinstance(element.tag, str)}, {})
    return [one.box for one in _drawn(root, named, IDENTITY, {}) if one.look.startswith("text ")]


def _new(groups: list[list[Piece]]) -> list[Piece]:
    groups.append([])
    return groups[-1]


def _is_piece(box: Box, width: float, height: float) -> bool:
    return box.right - box.left <= GROUND * width and box.bottom - box.top <= GROUND * height


def _joined(group: Sequence[Piece]) -> Piece:
    """Join a shape and everything on it into one piece; its look combines theirs and their distances from the first."""
    first = group[0]
    box = first.box
    looks = []
    for one in group:
        box = box.with_(one.box)
        looks.append(f"{one.look}@{_across(first, one):.1f},{_down(first, one):.1f}")
    return Piece("|".join(looks), box)


def _drawn(
    element: etree._Element, named: _Named, at: Matrix, style: Mapping[str, str], deep: int = 0
) -> Iterator[Piece]:
    """Yield every visible shape, in drawing order."""
    if not isinstance(element.tag, str) or deep > 12:
        return
    tag = etree.QName(element).localname
    if tag in _UNSEEN:
        return
    at = times(at, matrix_of(element.get("transform", "")) or IDENTITY)
    style = {**style, **{key: element.get(key, "") for key in ("font-size", "text-anchor") if element.get(key)}}
    if tag in _SHAPES:
        box = _box(element, tag, named, style, deep)
        if box is not None:
            yield Piece(_look(element, tag, at), Box(*box_through(at, box)))
        return
    for child in element:
        yield from _drawn(child, named, at, style, deep + 1)


def _look(element: etree._Element, tag: str, at: Matrix) -> str:
    kept = [f"{key}={element.get(key)}" for key in sorted(map(str, element.keys())) if key not in (*_PLACES, "d")]
    words = "".join(map(str, element.itertext())) if tag == "text" else ""
    shape = _relative(element.get("d", "")) if tag == "path" else ""
    return " ".join([tag, *kept, words, shape, f"{at[0]:.2f}"])


def _relative(d: str) -> str:
    """Return a path relative to its first point."""
    points = path_points(d)
    return " ".join(f"{x - points[0][0]:.1f} {y - points[0][1]:.1f}" for x, y in points)


def _box(element: etree._Element, tag: str, named: _Named, style: Mapping[str, str], deep: int) -> Box | None:
    """Return the box of a shape before its groups move it; None if it has no size."""

    if tag == "text":
        return _box_of_words(element, style)
    if tag == "use" and not element.get("width"):
        href = element.get("href", "")
        key = href, *style.items(), deep
        if key not in named.boxes:
            drawn = named.elements.get(href.removeprefix("#"))
            pieces = () if drawn is None else _drawn(drawn, named, IDENTITY, style, deep + 1)
            named.boxes[key] = box_around(one.box for one in pieces)
        box = named.boxes[key]
        return box and Box(*box_through(moved_to(element), box))
    box = box_of_shape("rect" if tag == "use" else tag, element, box_around_path)
    return box and Box(*box)


def _box_of_words(element: etree._Element, style: Mapping[str, str]) -> Box | None:
    first = element if element.get("x") or len(element) == 0 else element[0]
    words = "".join(map(str, element.itertext())).strip()
    size = length_of(style, "font-size")
    wide, x, y = len(words) * LETTER * size, length_of(first, "x"), length_of(first, "y")
    x -= {"middle": wide / 2, "end": wide}.get(style.get("text-anchor", ""), 0)
    return Box(x, y - 0.75 * size, x + wide, y + 0.2 * size) if words else None


def as_numbers(found: Iterable[Mark]) -> list[list[Any]]:
    """Return marks as the script reads them: left, top, width and height, followed by 1 if something has left."""
    return [
        [
            *(round(part, 1) for part in (box.left, box.top, box.right - box.left, box.bottom - box.top)),
            *([1] if is_gone else []),
        ]
        for box, is_gone in found
    ]
