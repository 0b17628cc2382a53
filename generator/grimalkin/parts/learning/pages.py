"""Build the page for newcomers from learn.yaml: texts as Markdown, pictures with numbers around them, and a round from
a game.

The target of a label is found by its name in the picture itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from grimalkin.content.player_aids import Checked, FirstPiece, Label, LearnFile, Moment
from grimalkin.content.rules import Playthrough
from grimalkin.content.squares import square_at
from grimalkin.content.texts.references import BRACKETS, references
from grimalkin.content.validation import Misfit
from grimalkin.engine.replay import positions_of
from grimalkin.engine.words import Event
from grimalkin.printing.face import Face
from grimalkin.printing.face.callouts import NOT_DRAWN, Place, no_face, numbered, pointed, pointed_on_map
from grimalkin.printing.face.plans import box_around
from grimalkin.printing.face.svg.map_paths import UNIT
from grimalkin.site.pages.examples import StepView, Viewer
from grimalkin.site.pages.kinds import Menu, listing
from grimalkin.site.pages.links import Words, face_file
from grimalkin.site.pages.plans import Plan, changed_squares, moves
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.tables import Picture
from grimalkin.site.pages.write import Writer
from grimalkin.source import At

KIND = "learn"
MENU_BEFORE = OVERVIEW_BEFORE = "rules"
PAGE = "learn.md"
_VIEW = re.compile(r'viewBox="(-?[0-9.]+) (-?[0-9.]+) ([0-9.]+) ([0-9.]+)"')


def begins(shown: Shown) -> str:
    """Return the page, if the game has a learn.yaml."""
    return PAGE if shown.game.learn else ""


def menu(shown: Shown, words: Words) -> Menu:
    """Return the one entry."""
    return listing(words[KIND], [], PAGE)


def write(writer: Writer) -> None:
    """Write the page for newcomers."""
    if writer.game.learn:
        view = learn_view(writer.game.learn, writer.viewer(PAGE), writer.shown)
        writer.main(KIND, view=view, play_page=f"playthroughs/{view.playthrough}.md")


@dataclass(frozen=True)
class Mark:
    """A numbered label: its position as a percentage of the figure, and the line from there to its target."""

    number: int
    left: str
    top: str
    path: str
    end: tuple[str, str]


@dataclass(frozen=True)
class Labelled:
    """A picture with numbers around it; its position is a percentage of the figure."""

    width: str
    height: str
    """Height of the figure, in units of the picture."""
    left: str
    top: str
    wide: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class PointedView:
    """A picture with numbers around it, and the meaning of each."""

    path: str
    """Path of its file; "" if it is drawn within the page."""
    alt: str
    plan: Plan | None
    size: tuple[int, int]
    laid: Labelled
    texts: tuple[str, ...]
    is_piece: bool = False


@dataclass(frozen=True)
class MomentView:
    """A few moves, with commentary and the table after them."""

    text: str
    steps: tuple[StepView, ...]
    first: int
    last: int
    picture: Picture | None
    plan: Plan | None


@dataclass(frozen=True)
class LearnView:
    """The page for newcomers, ready for its template."""

    title: str
    about: str
    setup: tuple[str, ...]
    laid_out: PointedView | None
    round: tuple[str, ...]
    playthrough: str
    play_title: str
    checked: bool
    told: str
    moments: tuple[MomentView, ...]
    pieces: tuple[tuple[str, str, PointedView | None], ...]
    """Title, text and picture of each piece."""
    later: tuple[str, ...]


def learn_view(learn: LearnFile, viewer: Viewer, shown: Shown) -> LearnView:
    """Build the page for newcomers. Labels without a target become problems of the composer of the faces."""
    teacher = _Teacher(viewer, shown)
    md, line = teacher.md, teacher.line
    play = next((one for one in shown.game.playthroughs if learn.told and one.id == learn.told.playthrough), None)
    trace = shown.traces.get(play.id) if play else None
    return LearnView(
        learn.title or "",
        line(learn.about),
        tuple(map(line, learn.setup.steps)) if learn.setup else (),
        teacher.laid_out(learn),
        tuple(map(line, learn.round)),
        play.id if play else "",
        play.title if play else "",
        trace is not None and trace.ok,
        md(learn.told.text) if learn.told else "",
        tuple(teacher.moments(play, learn.told.moments)) if learn.told and play else (),
        tuple(
            (one.title, md(one.text), teacher.piece(one, ("pieces", number))) for number, one in enumerate(learn.pieces)
        ),
        tuple(map(line, learn.later)),
    )


class _Teacher:
    def __init__(self, viewer: Viewer, shown: Shown) -> None:
        self.viewer = viewer
        self.shown = shown
        self.game = shown.game

    def line(self, text: str) -> str:
        """Format one paragraph: an item of a list, or a paragraph alone."""
        return self.md(text, self.viewer.reader.line)

    def md(self, text: str, read: Callable[[str], str] | None = None) -> str:
        """Format a text, turning rules in brackets after a sentence into short links that screen readers skip."""
        reader = self.viewer.reader
        named: set[str] = set()

        def links(found: re.Match[str]) -> str:
            laws = [one.name for one in references(found[1])]
            if not all(law in self.game.laws for law in laws):
                return found[0]
            named.update(laws)
            return f"{found[2]} {' '.join(f'[[{law}|{reader.to.numbers[law]}]]' for law in laws)}"

        written = (read or reader.md)(BRACKETS.sub(links, text))
        for law in sorted(named):
            link = re.escape(reader.by(law)[:-1])
            written = re.sub(rf'{link}(?: "(?:[^"\\\n]|\\.)*+")?\)', r"\g<0>{.by}", written)
        return written

    # Pictures with numbers around them

    def laid_out(self, learn: LearnFile) -> PointedView | None:
        """Prepare the picture of the set-up."""
        if not learn.setup or not learn.setup.position:
            return None
        position, labels, at = self.position(learn.setup.position), learn.setup.labels, ("setup",)
        plan = self.map_of(position) if position else None
        if plan:
            return self.on_map(plan, labels, at)
        picture = self.viewer.tables.picture(position) if position else None
        face = self.viewer.tables.face(position) if position else None
        if picture is None or face is None:
            self.faults([NOT_DRAWN])
            return None
        places = self.places(face, labels, at)
        return self.pointed(picture.path, face, labels, places, is_piece=False)

    def piece(self, one: FirstPiece, at: At) -> PointedView | None:
        """Prepare the picture of a piece."""
        id_ = f"{one.piece}-{one.side}"
        face = self.shown.faces.get(id_)
        if face is None:
            self.faults([no_face(one, at)])
            return None
        return self.pointed(face_file(id_), face, one.labels, self.places(face, one.labels, at), is_piece=True)

    def pointed(
        self, path: str, face: Face, labels: Sequence[Label], places: Sequence[Place], is_piece: bool
    ) -> PointedView | None:
        if len(places) < len(labels):
            return None
        stock = face.stock
        size = round(stock.width * 4), round(stock.height * 4)
        laid = labelled(stock.width, stock.height, places)
        texts = tuple(self.line(label.text) for label in labels)
        return PointedView(path, face.alt, None, size, laid, texts, is_piece)

    def on_map(self, plan: Plan, labels: Sequence[Label], at: At) -> PointedView | None:
        """Prepare the picture of a map with its figures, in units of the drawing."""
        found = _VIEW.search(plan.svg)
        assert found, "a plan has a size"
        x, y, width, height = map(float, found.groups())
        places, misfits = pointed_on_map(labels, at, lambda label: self.square(label, x, y, width, height))
        self.faults(misfits)
        if len(places) < len(labels):
            return None
        texts = tuple(self.line(label.text) for label in labels)
        return PointedView("", "", plan, (round(width), round(height)), labelled(width, height, places), texts)

    def square(self, label: Label, x: float, y: float, width: float, height: float) -> Place | None:
        """Return the position of a map square, or None if the picture does not show it."""
        at = square_at(label.square or "")
        if at is None:
            return None
        column, row = at
        left, top = column * UNIT - x, row * UNIT - y
        if left + UNIT > width or top + UNIT > height or left < 0 or top < 0:
            return None
        return Place(left, top, left + UNIT, top + UNIT, label.side)

    def places(self, face: Face, labels: Sequence[Label], at: At) -> list[Place]:
        """Return the positions of the labels on a face whose targets exist."""
        places, misfits = pointed(face, labels, at)
        self.faults(misfits)
        return places

    def faults(self, misfits: Sequence[Misfit]) -> None:
        for at, message, hint in misfits:
            self.shown.composer.problems.add(self.game.place("learn.yaml", at), message, hint)

    # What was played

    def position(self, wanted: Checked) -> Mapping[str, Any]:
        positions = self.positions(wanted.of)
        return positions[wanted.after][0] if wanted.after < len(positions) else {}

    def positions(self, id_: str) -> list[tuple[Mapping[str, Any], Sequence[Event]]]:
        """Return the position before the first move of a script and after every move, with the events of each."""
        trace, read = self.shown.traces.get(id_), self.game.scripts.get(id_)
        return positions_of(trace, read.steps) if trace and read else []

    def moments(self, play: Playthrough, moments: Sequence[Moment]) -> Iterator[MomentView]:
        steps = list(chain.from_iterable(part.steps for part in self.viewer.rounds(play)))
        positions = self.positions(play.id)
        for moment in moments:
            told = tuple(step for step in steps if moment.first <= step.number <= moment.last)
            picture, plan = None, None
            if moment.picture and moment.last < len(positions):
                after = positions[moment.last][0]
                plan = self.plan(positions[moment.first - 1 : moment.last + 1])
                picture = None if plan else self.viewer.tables.picture(after, positions[moment.first - 1][0])
            yield MomentView(self.md(moment.text), told, moment.first, moment.last, picture, plan)

    def map_of(self, position: Mapping[str, Any]) -> Plan | None:
        """Draw the complete map with everybody on it."""
        plans = self.viewer.plans
        picture = plans.picture(self.game.facts, position, {}) if plans.picture else None
        if picture is None:
            return None
        return plans.plan(picture._replace(around=(), whole=True))

    def plan(self, positions: Sequence[tuple[Mapping[str, Any], Sequence[Event]]]) -> Plan | None:
        """Draw the part of the map that has changed from the first of these positions to the last."""
        plans = self.viewer.plans
        if plans.picture is None or not all(position for position, _ in positions):
            return None
        before, after = (plans.picture(self.game.facts, positions[at][0], {}) for at in (0, -1))
        if before is None or after is None or before.map != after.map:
            return None
        events = chain.from_iterable(events for _, events in positions[1:])
        moved = list(moves(before, after, events))
        squares = tuple(dict.fromkeys(changed_squares(before, after, moved)))
        return plans.plan(after, box_around(self.game, after._replace(around=squares))) if squares else None


def labelled(width: float, height: float, places: Sequence[Place]) -> Labelled:
    """Lay numbers around a picture, in the order of the places."""
    laid = numbered(width, height, places)
    marks = tuple(
        Mark(
            one.number,
            _n(100 * one.x / laid.width),
            _n(100 * one.y / laid.height),
            f"M{_n(one.x)} {_n(one.y)}L{_n(one.to_x)} {_n(one.to_y)}",
            (_n(one.to_x), _n(one.to_y)),
        )
        for one in laid.marks
    )
    left, top, wide = 100 * laid.left / laid.width, 100 * laid.top / laid.height, 100 * width / laid.width
    return Labelled(_n(laid.width), _n(laid.height), _n(left), _n(top), _n(wide), marks)


def _n(value: float) -> str:
    return f"{round(value, 2):g}"
