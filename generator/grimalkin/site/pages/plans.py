"""Choose and draw plans for pages: of single positions, and of every step of a playthrough after which the map looks
different.

Ground, walls and repeated shapes are drawn once on the page; plans refer to them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from grimalkin.content import Game
from grimalkin.engine.pictures import Figure, Picture, Wishes
from grimalkin.engine.replay import Trace
from grimalkin.engine.words import Event
from grimalkin.printing.face.plans import (
    Detail,
    box_around,
    detail,
    detail_of_position,
    details_of_example,
    figures_in,
    patterns_in,
    picture_of,
    told_of,
)
from grimalkin.printing.face.svg.map_paths import Box, Square, square_of
from grimalkin.site.pages.links import Words
from grimalkin.site.pages.plan_drawing import Course, empty_map, plan_svg, tokens_of


@dataclass(frozen=True)
class Plan:
    """A plan ready for a page."""

    svg: str
    who: tuple[tuple[str, str], ...] = ()
    """Symbol and name of each figure."""
    key: tuple[tuple[str, str], ...] = ()
    """Symbols drawn in squares, each with its meaning."""
    told: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    """Ids of the rules that decided the symbols and the lines."""


class Plans:
    """Draws plans of positions from what the engine of a game says about them, with the tokens that have a picture.

    `pictured` are the ids of the faces on the site.
    """

    def __init__(self, game: Game, words: Words, pictured: Container[str] = ()) -> None:
        self.game = game
        self.words = words
        self.tokens = {of for of, token in tokens_of(game).items() if f"{token}-front" in pictured}
        self.picture = picture_of(game)

    def pair(self, trace: Trace, wishes: Wishes | None) -> tuple[Plan | None, Plan | None]:
        """Draw the plans of an example before its first step, and after its last if the map then looks different."""
        before, after = details_of_example(self.game, trace, wishes)
        return (self.draw(before) if before else None), (self.draw(after) if after else None)

    def on_map(self, wishes: Mapping[str, Any], is_told: bool = False) -> Plan | None:
        """Draw a plan of a map without figures. If `is_told`, a caption describes it, so its label does not."""
        found = detail_of_position(self.game, None, wishes)
        if found is None or not is_told:
            return self.draw(found) if found else None
        untold = found._replace(picture=found.picture._replace(told=()))
        return replace(self.draw(untold), told=found.picture.told)

    def known(self, picture: Picture) -> Picture:
        """Return a picture whose figures stand for something only if it has a token on the site."""
        figures = (one if one.of in self.tokens else one._replace(of="") for one in picture.figures)
        return picture._replace(figures=tuple(figures))

    def plan(self, picture: Picture, box: Box | None = None) -> Plan:
        return self.draw(detail(self.game, picture, box))

    def draw(self, shown: Detail) -> Plan:
        picture = self.known(shown.picture)
        return Plan(
            plan_svg(shown.map, picture, shown.box, told_of(shown, self.words)),
            figures_in(shown),
            tuple((kind, self.words[f"plan-{kind}"]) for kind in patterns_in(picture)),
            picture.told,
            picture.rules,
        )


ROOM: Final = 11
"""Columns of a map that fit on a phone; after a longer move the view centres on where it ended."""


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
        after = self.plans.known(after) if after else None
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
        squares = list(dict.fromkeys(changed_squares(before, after, moved)))
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


def changed_squares(before: Picture, after: Picture, moved: Iterable[tuple[Figure, Sequence[str]]]) -> Iterator[str]:
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
