"""Choose the contents of a plan of an example or a position: its Picture, and the surrounding part of the map.

Web pages draw it as SVG in HTML, books as faces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from grimalkin.content import Game
from grimalkin.content.maps import Map, square_name
from grimalkin.engine.pictures import (
    CARDS,
    CLOUD,
    DEAD,
    HERE,
    HINDERED,
    MOVED,
    ON_A_MAP,
    RANGE,
    REACH,
    SEEN,
    WISHES,
    Line,
    Picture,
    PictureOf,
    Wishes,
    find_picture,
    split,
)
from grimalkin.engine.replay import Trace
from grimalkin.printing.face.squares import Box, Square, inside, square_of

MARGIN: Final = 2
"""The margin in squares around the subject of a plan."""
LEAST: Final = (6, 4)
"""Columns and rows of the smallest plan."""
MOST_SEEN: Final = (12, 10)
"""The most columns and rows to which a plan grows to show distant squares in sight."""
SIGHT: Final = (SEEN, HINDERED)
UNSEEN: Final = "unseen"
"""Squares neither seen nor hindered, when visibility is shown: no engine reports this."""


class Detail(NamedTuple):
    """The contents of one plan."""

    map: Map
    picture: Picture
    box: Box
    """The part of the map."""


def picture_of(game: Game) -> PictureOf | None:
    """Return the function for pictures of positions; None if the game has no maps or its engine lacks the function."""
    return find_picture(game.module) if game.module and game.maps else None


def details_of_example(game: Game, trace: Trace, wishes: Wishes | None) -> tuple[Detail | None, Detail | None]:
    """Return an example before its first step, and after its last if it looks different then."""
    picture = picture_of(game)
    read, misfits = WISHES.read(wishes or {})
    if picture is None or misfits or read.get("hide"):
        return None, None
    first, last = split(read)
    before = picture(game.facts, trace.before, first) if trace.before else None
    after = picture(game.facts, trace.after, last) if trace.after else None
    if before and after and before.map == after.map:
        if _places(before) == _places(after) and not last:
            return detail(game, before), None
        return detail(game, before), detail(game, _moved(before, after), box_around(game, before, after))
    return (detail(game, before) if before else None), (detail(game, after) if after else None)


def detail_of_position(game: Game, position: Mapping[str, Any] | None, wishes: Wishes | None = None) -> Detail | None:
    """Return a position, or if there is none, the map that the wishes name; None if there is no map to show."""
    picture = picture_of(game)
    read, misfits = (ON_A_MAP if position is None else WISHES).read(wishes or {})
    assert not misfits, misfits
    found = picture(game.facts, position, split(read)[0]) if picture else None
    return detail(game, found) if found else None


def detail_between(game: Game, before: Mapping[str, Any], after: Mapping[str, Any]) -> Detail | None:
    """Return a position with lines from the figures' previous squares; None if there is no map to show."""
    picture = picture_of(game)
    pictures = [picture(game.facts, position, {}) for position in (before, after) if position] if picture else []
    if len(pictures) < 2 or pictures[0] is None or pictures[1] is None or pictures[0].map != pictures[1].map:
        return detail(game, pictures[-1]) if pictures and pictures[-1] else None
    return detail(game, _moved(pictures[0], pictures[1]))


def detail(game: Game, picture: Picture, box: Box | None = None) -> Detail:
    return Detail(game.maps[picture.map], picture, box or box_around(game, picture))


def box_around(game: Game, *pictures: Picture) -> Box:
    """Return the smallest part of the map that contains the subjects of these pictures."""
    drawn = game.maps[pictures[0].map]
    if any(picture.whole for picture in pictures):
        return Box(0, 0, drawn.columns, drawn.rows)
    squares = [square for picture in pictures for square in _squares_of(picture)]
    columns, rows = [square[0] for square in squares], [square[1] for square in squares]
    left, right = _span(min(columns), max(columns) + 1, LEAST[0], drawn.columns)
    top, bottom = _span(min(rows), max(rows) + 1, LEAST[1], drawn.rows)
    seen = [
        square_of(name) for picture in pictures for one in picture.layers if one.kind in SIGHT for name in one.squares
    ]
    if seen and not any(picture.around for picture in pictures):
        left, right = _grown(left, right, [x for x, _ in seen], MOST_SEEN[0])
        top, bottom = _grown(top, bottom, [y for _, y in seen], MOST_SEEN[1])
    return Box(left, top, right, bottom)


# Descriptions in words


def figures_in(shown: Detail) -> tuple[tuple[str, str], ...]:
    """Return the symbol and the name of each figure."""
    figures = shown.picture.figures
    return tuple((figure.sign, figure.called) for figure in figures if inside(figure.square, shown.box))


def patterns_in(picture: Picture) -> Iterator[str]:
    """Yield the fills of squares that need an explanation."""
    kinds = [layer.kind for layer in picture.layers]
    if SEEN in kinds or HINDERED in kinds:
        yield from (*SIGHT, UNSEEN)
    yield from (kind for kind in (RANGE, DEAD, REACH) if kind in kinds)


def told_of(shown: Detail, words: Mapping[str, str]) -> str:
    """Describe a plan in words, with the sentences `plan-alt` and `plan-on`."""
    drawn, picture, box = shown
    first, last = square_name(box.left, box.top), square_name(box.right - 1, box.bottom - 1)
    sentences = [words["plan-alt"].format(name=drawn.name, a=first, b=last)]
    stands = []
    for figure in picture.figures:
        if inside(figure.square, box):
            more = ", ".join(meaning for _, meaning in figure.badges)
            told = words["plan-on"].format(who=figure.called, square=figure.square)
            stands.append(f"{told} ({more})" if more else told)
    if stands:
        sentences.append(f"{', '.join(stands)}.")
    return " ".join([*sentences, *picture.told])


# The subject of a plan


def _squares_of(picture: Picture) -> list[Square]:
    """Return the squares that are a picture's subject; if it is empty, those with tokens, or the first square."""
    if picture.around:
        return [square_of(name) for name in picture.around]
    names: list[str] = []
    names += [square for line in picture.lines for square in (line.start, line.end)]
    names += [square for layer in picture.layers if layer.kind not in SIGHT for square in layer.squares]
    names += [token.square for token in picture.tokens if token.kind in (CARDS, CLOUD, HERE)]
    squares = [square_of(name) for name in names]
    for figure in picture.figures:
        x, y = square_of(figure.square)
        squares += [(x, y), (x + figure.size - 1, y + figure.size - 1)]
    return squares or [square_of(token.square) for token in picture.tokens] or [(0, 0)]


def _span(first: int, last: int, least: int, most: int) -> tuple[int, int]:
    """Return a range with a margin, but within the map, and at least `least` long if the map is that large."""
    first, last = max(0, first - MARGIN), min(most, last + MARGIN)
    while last - first < min(least, most):
        first, last = max(0, first - 1), min(most, last + 1)
    return first, last


def _grown(first: int, last: int, seen: Sequence[int], most: int) -> tuple[int, int]:
    """Extend a range towards the squares in sight, up to a maximum length.

    >>> _grown(4, 10, [2, 5, 30], 12)
    (2, 14)
    """
    least, end = min(seen), max(seen) + 1
    while last - first < most and (least < first or last < end):
        first -= least < first
        last += last < end and last - first < most
    return first, last


def _places(picture: Picture) -> tuple[object, ...]:
    """Return the positions of the figures, and the open doors."""
    return picture.open_doors, [(one.name, one.square, one.kind, one.size) for one in picture.figures]


def _moved(before: Picture, after: Picture) -> Picture:
    """Return a picture with a line for every figure that has moved."""
    was = {figure.name: figure.square for figure in before.figures}
    lines = [
        Line(was[figure.name], figure.square, MOVED)
        for figure in after.figures
        if was.get(figure.name, figure.square) != figure.square
    ]
    return after._replace(lines=(*lines, *after.lines))
