"""Arrange designs in one picture to share: a hand, a fan or a table.

Arrangements are arithmetic: from the sizes of pieces, they compute a spot for the middle of each, in millimetres from
any origin.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, TypeVar

from grimalkin.content.models import GameFile
from grimalkin.printing.draw.raster import Laid
from grimalkin.printing.export.designs import Design, look
from grimalkin.printing.face import Face
from grimalkin.printing.face.svg.colours import luminance, mix

Arrangement = Literal["hand", "fan", "table"]
Side = Literal["front", "back", "both"]
DARK = "#1d1a26"
"""The background of a game without a palette, and the colour mixed into that of other games, in proportion `DARKER`."""
DARKER = 0.3
MOST = 200
"""The maximum number of pieces in one picture."""
USUALLY = {"hand": 7, "fan": 9, "table": 40}
"""The default number of pieces in a picture."""

# A hand: a row on a flat arc. Fractions are of the width of a piece.
SEEN = 0.62
"""The fraction of a piece that the next one leaves visible."""
WIDEST = 7.0
"""The length that a row reaches before its pieces overlap more."""
LEAN, LEANS = 5.0, 32.0
"""Degrees between neighbours, and the maximum between the first and the last."""

# A fan: pieces around a point a little below their lower edges.
BELOW = 0.12
"""The distance below, as a fraction of the height of the tallest piece."""
SPREAD, SPREADS = 14.0, 130.0
"""Degrees between neighbours, and the maximum between the first and the last."""

GAP = 6.0
"""The gap between the pieces on a table, in millimetres."""
EDGE = 0.14
"""The margin around all pieces, as a fraction of the height of the tallest."""
RATIO = 1.6
"""The desired ratio of a table's width to its height, approached as closely as its pieces allow."""
WIDE, HIGH = 2.0, 0.8
"""A picture wider than the first gets more margin above and below; one narrower than the second, at the sides."""

Size = tuple[float, float]
T = TypeVar("T")


class Spot(NamedTuple):
    """The middle of a piece, and its clockwise turn in degrees."""

    x: float
    y: float
    turn: float = 0.0


def hand(sizes: Sequence[Size]) -> list[Spot]:
    """Arrange pieces in a row on a gentle arc, each overlapping the previous piece."""
    steps = [SEEN * (one[0] + other[0]) / 2 for one, other in pairwise(sizes)]
    if not steps:
        return [Spot(0, 0)]
    length, widest = sum(steps), WIDEST * max(width for width, _ in sizes)
    squeeze = min(1.0, widest / length)
    angle = min(LEAN * len(steps), LEANS)
    radius = length * squeeze / math.radians(angle)
    turns = [-angle / 2 + angle * sum(steps[:at]) / length for at in range(len(sizes))]
    return [_around(radius + height / 2, turn) for (_, height), turn in zip(sizes, turns, strict=True)]


def fan(sizes: Sequence[Size]) -> list[Spot]:
    """Arrange pieces around a point below their lower edges."""
    below = BELOW * max(height for _, height in sizes)
    gaps = len(sizes) - 1
    angle = min(SPREAD * gaps, SPREADS)
    turns = [-angle / 2 + angle * at / max(gaps, 1) for at in range(len(sizes))]
    return [_around(below + height / 2, turn) for (_, height), turn in zip(sizes, turns, strict=True)]


def _around(radius: float, turn: float) -> Spot:
    """Return a spot on a circle, `turn` degrees clockwise from its top."""
    return Spot(radius * math.sin(math.radians(turn)), -radius * math.cos(math.radians(turn)), turn)


def table(sizes: Sequence[Size]) -> list[Spot]:
    """Arrange pieces in rows of the width that makes the best picture, with few gaps at the end."""
    wide = max(width for width, _ in sizes)
    widths = [count * (wide + GAP) - GAP for count in range(1, len(sizes) + 1)]
    tries = (_rows(sizes, width, is_mixed) for is_mixed in (False, True) for width in widths)
    return min(tries, key=lambda spots: _faults(sizes, spots))


def _rows(sizes: Sequence[Size], width: float, is_mixed: bool) -> list[Spot]:
    """Arrange pieces in centred rows of at most this width. No piece is twice as tall as another in the same row."""
    rows: list[list[Size]] = []
    used = 0.0
    for size in sizes:
        if not rows or used + GAP + size[0] > width + 0.01 or not _may_join(rows[-1], size, is_mixed):
            rows.append([])
            used = -GAP
        rows[-1].append(size)
        used += GAP + size[0]
    spots: list[Spot] = []
    top = 0.0
    for row in rows:
        x, high = -(sum(across + GAP for across, _ in row) - GAP) / 2, max(high for _, high in row)
        for across, _ in row:
            spots.append(Spot(x + across / 2, top + high / 2))
            x += across + GAP
        top += high + GAP
    return spots


def _may_join(row: Sequence[Size], size: Size, is_mixed: bool) -> bool:
    heights = [high for _, high in (*row, size)]
    return row[-1] == size or (is_mixed and max(heights) <= 2 * min(heights))


def _faults(sizes: Sequence[Size], spots: Sequence[Spot]) -> float:
    """Return a penalty for rows: for their shape, and for the fraction of the picture that is empty."""
    left, top, right, foot = _box(sizes, spots)
    width, height = right - left, foot - top
    empty = 1 - sum(across * high for across, high in sizes) / (width * height)
    return abs(math.log(width / height / RATIO)) + 1.5 * empty


ARRANGEMENTS: dict[Arrangement, Callable[[Sequence[Size]], list[Spot]]] = {"hand": hand, "fan": fan, "table": table}


def arranged(faces: Sequence[Face], arrangement: Arrangement) -> tuple[list[Laid], Size]:
    """Return each face with its position in the picture, and the size of the picture in millimetres."""
    sizes = [(face.stock.width, face.stock.height) for face in faces]
    spots = ARRANGEMENTS[arrangement](sizes)
    left, top, right, foot = _box(sizes, spots)
    edge = EDGE * max(height for _, height in sizes)
    width, height = right - left + 2 * edge, foot - top + 2 * edge
    whole = max(width, HIGH * height), max(height, width / WIDE)
    x, y = (whole[0] - left - right) / 2, (whole[1] - top - foot) / 2
    return [Laid(face, x + spot.x, y + spot.y, spot.turn) for face, spot in zip(faces, spots, strict=True)], whole


def _box(sizes: Sequence[Size], spots: Sequence[Spot]) -> tuple[float, float, float, float]:
    """Return the box around turned pieces: left, top, right, foot."""
    across, along = [], []
    for (width, height), (x, y, turn) in zip(sizes, spots, strict=True):
        cos, sin = abs(math.cos(math.radians(turn))), abs(math.sin(math.radians(turn)))
        half, tall = (width * cos + height * sin) / 2, (width * sin + height * cos) / 2
        across += [x - half, x + half]
        along += [y - tall, y + tall]
    return min(across), min(along), max(across), max(along)


def sides(designs: Iterable[Design], side: Side, arrangement: Arrangement) -> list[Face]:
    """Return the faces to arrange: fronts, backs, or fronts and then each back once. On a table, none appears twice."""
    fronts = [design.front for design in designs]
    backs = [design.back for design in designs if design.back]
    if side == "both":
        return [*fronts, *_different(backs)]
    faces = fronts if side == "front" else backs
    return _different(faces) if arrangement == "table" else faces


def _different(faces: Iterable[Face]) -> list[Face]:
    return list({look(face): face for face in reversed(list(faces))}.values())[::-1]


def spread(things: Sequence[T], most: int) -> list[T]:
    """Return at most a number of things, evenly spaced from the first to the last.

    >>> spread("abcdefgh", 3), spread("ab", 3), spread("abc", 1)
    (['a', 'e', 'h'], ['a', 'b'], ['a'])
    """
    if len(things) <= most:
        return list(things)
    return [things[round(at * (len(things) - 1) / max(most - 1, 1))] for at in range(most)]


def usual(designs: Sequence[Design], arrangement: Arrangement) -> list[Design]:
    """Return the default choice: no designs meant only for paper, and in a hand or a fan, only cards of one stock.

    Hands and fans leave out decks with a single design, such as a reference card, if there are others.
    """
    found = [design for design in designs if not design.deck.on_paper] or list(designs)
    if arrangement == "table":
        return found
    found = [design for design in found if design.deck.kind == "card"] or found
    decks = Counter(design.deck.id for design in found)
    found = [design for design in found if decks[design.deck.id] > 1] or found
    stocks = Counter(design.stock for design in found)
    return [design for design in found if design.stock == stocks.most_common(1)[0][0]]


def ground_of_game(info: GameFile) -> str:
    """Return a game's darkest colour, made a little darker: most cards are light, and the others end in this colour."""
    return mix(min(info.shown_palette.values(), key=luminance, default=DARK), DARK, DARKER)
