"""A Picture of a position in, a plan of it out, to stand in a page: which part of a map, and what it tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

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
    Wishes,
    find_picture,
    split,
)
from grimalkin.engine.replay import Trace
from grimalkin.pages.links import Words
from grimalkin.pages.plan_drawing import Box, Square, inside, plan_svg, square_of

MARGIN: Final = 2
"""Squares around what a plan is about."""
LEAST: Final = (6, 4)
"""Columns and rows of the smallest plan."""
MOST_SEEN: Final = (12, 10)
"""Columns and rows to which a plan grows for what is seen far away."""
SIGHT: Final = (SEEN, HINDERED)


@dataclass(frozen=True)
class Plan:
    """A plan as a page shows it."""

    svg: str
    who: tuple[tuple[str, str], ...] = ()
    """The sign of each figure, and what it is called."""
    key: tuple[tuple[str, str], ...] = ()
    """What is drawn in squares: a sign of its own, and a word for it."""
    told: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    """The ids of the rules that decided what is drawn in squares, and how lines are."""


class Plans:
    """Draws what the engine of a game tells of positions on its maps."""

    def __init__(self, game: Game, words: Words) -> None:
        self.game = game
        self.words = words
        self.picture = find_picture(game.module) if game.module and game.maps else None

    def pair(self, trace: Trace, wishes: Wishes | None) -> tuple[Plan | None, Plan | None]:
        """The plans of an example before its first step, and after the last one if it looks otherwise then."""
        read, misfits = WISHES.read(wishes or {})
        if self.picture is None or misfits or read.get("hide"):
            return None, None
        first, last = split(read)
        before = self.picture(self.game.facts, trace.before, first) if trace.before else None
        after = self.picture(self.game.facts, trace.after, last) if trace.after else None
        if before and after and before.map == after.map:
            if _places(before) == _places(after) and not last:
                return self.plan(before), None
            return self.plan(before, self.box(before)), self.plan(_moved(before, after), self.box(before, after))
        return (self.plan(before) if before else None), (self.plan(after) if after else None)

    def on_map(self, wishes: Mapping[str, Any], is_told: bool = False) -> Plan | None:
        """A plan of a map without anybody on it. If what it tells is told beside it, it does not tell it again."""
        read, misfits = ON_A_MAP.read(wishes)
        assert not misfits, misfits
        picture = self.picture(self.game.facts, None, read) if self.picture else None
        if picture is None or not is_told:
            return self.plan(picture) if picture else None
        return replace(self.plan(picture._replace(told=())), told=picture.told)

    # What a plan shows

    def box(self, *pictures: Picture) -> Box:
        """The smallest part of the map around all that these pictures are about."""
        drawn = self.game.maps[pictures[0].map]
        if any(picture.whole for picture in pictures):
            return Box(0, 0, drawn.columns, drawn.rows)
        squares = [square for picture in pictures for square in _squares_of(picture)]
        columns, rows = [square[0] for square in squares], [square[1] for square in squares]
        left, right = _span(min(columns), max(columns) + 1, LEAST[0], drawn.columns)
        top, bottom = _span(min(rows), max(rows) + 1, LEAST[1], drawn.rows)
        seen = [
            square_of(name)
            for picture in pictures
            for one in picture.layers
            if one.kind in SIGHT
            for name in one.squares
        ]
        if seen and not any(picture.around for picture in pictures):
            left, right = _grown(left, right, [x for x, _ in seen], MOST_SEEN[0])
            top, bottom = _grown(top, bottom, [y for _, y in seen], MOST_SEEN[1])
        return Box(left, top, right, bottom)

    def plan(self, picture: Picture, box: Box | None = None) -> Plan:
        drawn = self.game.maps[picture.map]
        box = box or self.box(picture)
        return Plan(
            plan_svg(drawn, picture, box, self.alt(drawn, picture, box)),
            tuple((figure.sign, figure.called) for figure in picture.figures if inside(figure.square, box)),
            tuple(self.key(picture)),
            picture.told,
            picture.rules,
        )

    def key(self, picture: Picture) -> Iterator[tuple[str, str]]:
        """What signs in squares mean."""
        kinds = [layer.kind for layer in picture.layers]
        if SEEN in kinds or HINDERED in kinds:
            for kind in (SEEN, HINDERED, "unseen"):
                yield kind, self.words[f"plan-{kind}"]
        for kind in (RANGE, DEAD, REACH):
            if kind in kinds:
                yield kind, self.words[f"plan-{kind}"]

    def alt(self, drawn: Map, picture: Picture, box: Box) -> str:
        """What a plan shows, in words."""
        words = self.words
        sentences = [
            words["plan-alt"].format(
                name=drawn.name, a=square_name(box.left, box.top), b=square_name(box.right - 1, box.bottom - 1)
            )
        ]
        stands = []
        for figure in picture.figures:
            if inside(figure.square, box):
                more = ", ".join(meaning for _, meaning in figure.badges)
                told = words["plan-on"].format(who=figure.called, square=figure.square)
                stands.append(f"{told} ({more})" if more else told)
        if stands:
            sentences.append(f"{', '.join(stands)}.")
        return " ".join([*sentences, *picture.told])


# What a plan is about


def _squares_of(picture: Picture) -> list[Square]:
    """Every square that a picture is about; in an empty one those with tokens, or the first."""
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
    """From where to where, with a margin, but not beyond the map; and never less than the least, if it is there."""
    first, last = max(0, first - MARGIN), min(most, last + MARGIN)
    while last - first < min(least, most):
        first, last = max(0, first - 1), min(most, last + 1)
    return first, last


def _grown(first: int, last: int, seen: Sequence[int], most: int) -> tuple[int, int]:
    """From where to where, with more of what is seen, as long as it is not too much.

    >>> _grown(4, 10, [2, 5, 30], 12)
    (2, 14)
    """
    least, end = min(seen), max(seen) + 1
    while last - first < most and (least < first or last < end):
        first -= least < first
        last += last < end and last - first < most
    return first, last


def _places(picture: Picture) -> tuple[object, ...]:
    """Who stands where, and which doors stand open."""
    return picture.open_doors, [(one.name, one.square, one.kind, one.size) for one in picture.figures]


def _moved(before: Picture, after: Picture) -> Picture:
    """A picture with a line for everybody who stood elsewhere before."""
    was = {figure.name: figure.square for figure in before.figures}
    lines = [
        Line(was[figure.name], figure.square, MOVED)
        for figure in after.figures
        if was.get(figure.name, figure.square) != figure.square
    ]
    return after._replace(lines=(*lines, *after.lines))
