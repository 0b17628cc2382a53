"""Draw a playthrough on maps: a plan for every step after which the map looks different.

Ground, walls and repeated shapes are drawn once on the page; plans refer to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from grimalkin.engine.pictures import Figure, Picture
from grimalkin.engine.words import Event
from grimalkin.printing.face.map_paths import Box, Square, square_of
from grimalkin.printing.face.plans import Detail, box_around, told_of
from grimalkin.site.pages.plan_drawing import Course, empty_map
from grimalkin.site.pages.plans import Plans

ROOM: Final = 11
"""Columns of a map that fit a phone; after a longer move the view centres on where it ended."""


class Follower:
    """Draws the positions of one playthrough, one after another."""

    def __init__(self, plans: Plans) -> None:
        self.plans = plans
        self.course = Course()
        self.last: Picture | None = None
        self.size: Square = (0, 0)
        """The most columns and rows of the maps so far."""
        self.who: dict[str, str] = {}
        """The name of each figure so far, and its symbol."""

    def plan(self, position: Mapping[str, Any], events: Iterable[Event] = ()) -> str:
        """Draw the plan of a position after these events; "" if it looks like the one before or is not on a map."""
        assert self.plans.picture is not None
        before, after = self.last, self.plans.picture(self.plans.game.facts, position, {}) if position else None
        if after is None or after == before:
            return ""
        self.last = after
        game, words = self.plans.game, self.plans.words
        drawn = game.maps[after.map]
        self.size = max(self.size[0], drawn.columns), max(self.size[1], drawn.rows)
        self.who |= {one.called: one.sign for one in after.figures}
        whole = Box(0, 0, drawn.columns, drawn.rows)
        told = told_of(Detail(drawn, after, whole), words)
        if before is None or before.map != after.map:
            middle = _middle([square_of(one.square) for one in after.figures])
            return self.course.plan(drawn, after, whole, told, middle)
        moved = list(moves(before, after, events))
        squares = list(dict.fromkeys(otherwise(before, after, moved)))
        box = box_around(game, after._replace(around=tuple(squares))) if squares else whole
        ways = (words["plan-moved"].format(who=one.called, a=way[0], b=one.square) for one, way in moved)
        alt = " ".join([*ways, told])
        return self.course.plan(drawn, after, box, alt, _middle([square_of(square) for square in squares]), moved)

    @property
    def shared(self) -> str:
        """Return the shapes that all plans of this playthrough refer to, except those shared with other plans."""
        return self.course.shared()

    @property
    def empty(self) -> str:
        """Return the empty map on which a script shows one step after another."""
        return empty_map(*self.size)


def moves(before: Picture, after: Picture, events: Iterable[Event]) -> Iterator[tuple[Figure, list[str]]]:
    """Yield every figure that has moved, even under a new name, with the squares of its path.

    The path comes from events whose facts name a figure, where it `stood` and where it is `at`. An event that gives a
    figure a new name has the old name under `was`.
    """
    ways = {figure.name: [figure.square] for figure in before.figures}
    for event in events:
        facts = event.facts
        names = [name for name in facts.values() if isinstance(name, str)]
        old = facts.get("was")
        if isinstance(old, str) and old in ways:
            way = ways.pop(old)
            ways |= {name: way for name in names if name != old}
        for name in names:
            if name in ways and facts.get("stood") == ways[name][-1]:
                ways[name].append(str(facts.get("at")))
    for figure in after.figures:
        way = ways.get(figure.name, [figure.square])
        if way[0] != figure.square:
            yield figure, way if way[-1] == figure.square else [way[0], figure.square]


def otherwise(before: Picture, after: Picture, moved: Iterable[tuple[Figure, Sequence[str]]]) -> Iterator[str]:
    """Yield the squares that look different; squares to which a figure has moved come last."""
    yield from (name[:-1] for name in (*before.open_doors, *after.open_doors) if _is_new(name, before, after))
    for picture, other in ((before, after), (after, before)):
        yield from (one.square for one in picture.tokens if one not in other.tokens)
        yield from (one.square for one in picture.figures if one not in other.figures)
    for _, way in moved:
        yield from way


def _is_new(door: str, before: Picture, after: Picture) -> bool:
    return (door in before.open_doors) != (door in after.open_doors)


def _middle(squares: list[Square]) -> Square:
    """Return the middle of some squares, or the last one if they are too far apart."""
    if not squares:
        return 0, 0
    columns, rows = [x for x, _ in squares], [y for _, y in squares]
    if max(columns) - min(columns) >= ROOM:
        return squares[-1]
    return (min(columns) + max(columns)) // 2, (min(rows) + max(rows)) // 2
