"""Turn examples and playthroughs, with their traces, into views for the page templates; every text in them is
Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby, islice
from typing import Any, NamedTuple

from grimalkin.content.rules import Example, Playthrough
from grimalkin.engine.chance import ChanceError
from grimalkin.engine.replay import OPEN, RESERVED, Remark, Trace, play_line, remarks
from grimalkin.engine.replay import Step as Traced
from grimalkin.engine.shape import Misfits
from grimalkin.engine.words import Event, NotAMove, Refused, Score, listed
from grimalkin.site.pages.citations import used
from grimalkin.site.pages.links import Reader, Words, code, escaped, face_file
from grimalkin.site.pages.plans import Follower, Plan, Plans
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.tables import Picture, Tables

MOST_LINES = 4
"""The most lines of an example that are shown unfolded."""
MOST_PIECES = 3
"""The most pieces of an example that a list shows."""
MOST_SUMS = 4
"""The most lines of scores that are shown unfolded."""
MOST_REASONS = 2
"""The most reasons for an event that a playthrough shows unfolded."""


@dataclass(frozen=True)
class StepView:
    """A step: a remark, a draw, a move with its events, or checked facts."""

    say: str = ""
    asides: tuple[tuple[str, str], ...] = ()
    """Remarks for single seats, for readers who may see them all: the seat and the text."""
    draw: str = ""
    """The label of a draw."""
    drawn: tuple[str, ...] = ()
    """The items drawn, in words."""
    given: frozenset[str] = frozenset()
    """The items drawn, as the engine names them."""
    dealt: bool = False
    """Whether the items were dealt to the seat that labels the draw."""
    later: bool = False
    """Whether the draw happens during the next line, rather than before the game begins."""
    who: str = ""
    line: str = ""
    events: tuple[str, ...] = ()
    named: frozenset[str] = frozenset()
    """Everything that the facts of its events name, as the engine names it."""
    reasons: frozenset[int] = frozenset()
    """The positions of those events that are reasons for other events."""
    refusal: str = ""
    facts: tuple[str, ...] = ()
    number: int = 0
    """The number of a move, from 1."""
    picture: Picture | None = None
    """The picture of the table after the step."""
    plan: str = ""
    """The map after the step, if it looks different."""

    @property
    def happened(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield what happened, each with its reasons; reasons without a result go with the event before them."""
        events: list[tuple[str, list[str]]] = []
        waiting: list[str] = []
        for number, event in enumerate(self.events):
            if number in self.reasons:
                waiting.append(event)
            else:
                events.append((event, waiting))
                waiting = []
        if waiting and not events:
            events.append((waiting.pop(0), waiting))
        elif waiting:
            events[-1][1].extend(waiting)
        yield from ((event, tuple(reasons)) for event, reasons in events)


@dataclass(frozen=True)
class ScoreView:
    """The score of a seat, line by line."""

    seat: str
    lines: tuple[tuple[str, str, int, int, int], ...]
    """Rule link, label, count, each and points of a line."""
    total: int
    columns: Mapping[str, int] = field(default_factory=dict)
    """The total of each column, in a game whose score sheet has columns."""
    rows: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    """In such a game, replaces the lines: rule link, label and the value in each column."""
    notes: tuple[str, ...] = ()
    """Choices made in scoring, each with its reason and rule."""

    @property
    def by(self) -> str:
        """Return the link to the rule of the only row, or "" if there are more rows."""
        return self.rows[0][0] if len(self.rows) == 1 else ""


@dataclass(frozen=True)
class ExampleView:
    """An example ready for its page."""

    id: str
    title: str
    question: str
    """The player's question that it answers; it then serves as the heading."""
    kind: str
    checked: bool
    text: str
    printed: str
    erratum: str
    shows: tuple[str, ...]
    before: Picture | None
    told: str
    after: Picture | None
    steps: tuple[StepView, ...]
    facts: tuple[str, ...]
    scores: tuple[ScoreView, ...]
    ending: tuple[str, ...] = ()
    """How the end of the game was decided, step by step."""
    failures: tuple[str, ...] = ()
    """In a draft: how the engine's results differ from the written facts."""
    plan: Plan | None = None
    """The map on which it happens, in a game on maps."""
    plan_after: Plan | None = None
    """The map after the last step, if it looks different."""

    @property
    def long(self) -> bool:
        """Return whether the steps are folded because they are many, to keep the next rule in sight."""
        told = (max(1, len(step.events) + bool(step.line) + len(step.facts)) for step in self.steps)
        return sum(told) + len(self.facts) > MOST_LINES

    @property
    def many_sums(self) -> bool:
        """Return whether the score lines are folded below the totals because they are many."""
        return sum(len(score.lines) + len(score.rows) for score in self.scores) > MOST_SUMS


class Look(NamedTuple):
    """What an example is about at a glance: the picture of its table, or faces of pieces in it, as paths."""

    table: str
    faces: tuple[str, ...]


@dataclass(frozen=True)
class RoundView:
    """A part of a playthrough, from one picture of the table to the next."""

    title: str
    anchor: str
    before: Picture | None
    told: str
    """The position in words, if there is no picture."""
    steps: list[StepView] = field(default_factory=list)
    plan: str = ""
    """The map at the start, in a game on maps."""


class Seat(NamedTuple):
    """The viewer of a table: the number and the name of a seat."""

    number: int
    name: str


class Viewer:
    """Builds the views for one page of a game.

    With `seat`, a playthrough shows only what that seat was shown and could know. Without it, all cards are face up.
    """

    def __init__(self, shown: Shown, tables: Tables, reader: Reader, words: Words, seat: Seat | None = None) -> None:
        self.shown = shown
        self.plans = Plans(shown.game, words, shown.faces)
        self.tables = tables
        self.reader = reader
        self.words = words
        self.seat = seat

    def position(self, traced: Trace | Traced | None) -> Mapping[str, Any]:
        """Return the position after a step, or before the first, as the reader knows it."""
        if traced is None:
            return {}
        if self.seat is not None:
            return traced.known[self.seat.number]
        return traced.before if isinstance(traced, Trace) else traced.position

    def example(self, example: Example) -> ExampleView:
        trace = self.shown.traces.get(example.id)
        checked = trace is not None and trace.ok
        steps = tuple(self.steps(example, trace))
        before = self.tables.picture(trace.before) if trace else None
        moved = any(step.line and not step.refusal for step in steps)
        position = trace.before if trace else example.given or {}
        plan, plan_after = self.plans.pair(trace, example.picture) if trace else (None, None)
        return ExampleView(
            example.id,
            example.title,
            example.question or "",
            example.kind,
            checked,
            self.reader.md(example.text),
            self.reader.md(example.printed) if example.printed else "",
            self.reader.anchor(example.erratum) if example.erratum else "",
            tuple(self.reader.by(rule) for rule in example.rules[1:]),
            before,
            "" if before else escaped(self.tables.tell(position)),
            self.tables.picture(trace.after, trace.before) if trace and moved else None,
            tuple(self.in_order(steps)),
            tuple(self.facts(self.expected(example), trace.after if trace else {})),
            tuple(self.scores(example, trace)) if trace and checked else (),
            self.ending(trace) if trace and checked and "winners" in self.expected(example) else (),
            tuple(self.failures(trace)) if trace else (),
            plan,
            plan_after,
        )

    def look(self, example: Example) -> Look:
        """Return what to show of an example in a list: its table, otherwise the first pieces that it names."""
        trace = self.shown.traces.get(example.id)
        if picture := self.tables.picture(trace.before) if trace else None:
            return Look(self.reader.path(picture.path), ())
        files = (
            face_file(f"{word}-front") for word in dict.fromkeys(used(example)) if f"{word}-front" in self.shown.faces
        )
        return Look("", tuple(self.reader.path(file) for file in islice(files, MOST_PIECES)))

    def failures(self, trace: Trace) -> Iterator[str]:
        """Yield the written facts that do not hold."""
        if trace.fault:
            yield escaped(trace.fault[1])
        for check in trace.every_check():
            if not check.ok:
                written, computed = check.said()
                told = self.words["fails-because"].format(fact=check.fact, written=written, computed=computed)
                yield escaped(told)

    def expected(self, written: Example | Playthrough) -> Mapping[str, Any]:
        """Return the facts at the end, as read by the engine, otherwise as written."""
        script = self.shown.game.scripts.get(written.id)
        return script.expect if script else written.expect

    def scores(self, example: Example, trace: Trace) -> Iterator[ScoreView]:
        """Yield the full scores of an example."""
        expect = self.expected(example)
        if "lines" not in expect and example.kind != "scoring":
            return
        wanted = set(expect.get("score", ())) | {line.get("seat") for line in expect.get("lines", ())}
        for score in trace.scores:
            if score.lines and (score.seat in wanted or not wanted):
                yield self.score(score)

    def score(self, score: Score) -> ScoreView:
        lines = ((self.reader.by(ln.rule), escaped(ln.label), ln.count, ln.each, ln.points) for ln in score.lines)
        notes = tuple(self.because_of(rule, sentence) for rule, sentence in score.notes)
        columns = score.columns
        if columns:
            return ScoreView(score.seat, (), score.total, columns, tuple(self.rows(score, list(columns))), notes)
        return ScoreView(score.seat, tuple(lines), score.total, notes=notes)

    def rows(self, score: Score, columns: Sequence[str]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Yield the lines of a score sheet with columns, merging identical lines about different columns.

        Lines that count zero are left out, since every column has a total.
        """
        found: dict[tuple[str, str], list[str]] = {}
        for line in score.lines:
            label = line.row or line.label
            if line.count > 1 and line.each != 1:
                label += f": {line.count} × {line.each}"
            cells = found.setdefault((line.rule, label), [""] * len(columns)) if line.count else None
            if cells and line.column:
                cells[columns.index(line.column)] = str(line.points)
        for (rule, label), cells in found.items():
            yield self.reader.by(rule), escaped(label), tuple(cells)

    def ending(self, trace: Trace) -> tuple[str, ...]:
        """Return how the end of the game was decided, step by step."""
        return tuple(self.because_of(*step) for step in trace.result.steps) if trace.result else ()

    def because_of(self, rule: str, sentence: str) -> str:
        """Return a sentence from the engine, followed by its rule."""
        return f"{escaped(sentence)} {self.reader.by(rule)}"

    def steps(
        self, written: Example | Playthrough, trace: Trace | None, follower: Follower | None = None
    ) -> Iterator[StepView]:
        script = self.shown.game.scripts.get(written.id)
        number = 0
        given = script is not None and script.given is not None
        before = self.position(trace)
        for index, step in enumerate(script.steps if script else written.steps):
            traced = trace.steps[index] if trace and index < len(trace.steps) else None
            moves = not set(step) & set(RESERVED)
            later = traced is not None and (given or number > 0)
            number += moves
            plan = follower.plan(traced.position, traced.events) if follower and traced and moves else ""
            yield replace(self.step(step, traced, number if moves else 0, before), later=later, plan=plan)
            before = self.position(traced)

    def in_order(self, steps: Sequence[StepView]) -> Iterator[StepView]:
        """Yield steps in the order in which players experience them; scripts write draws before the line that needs
        them.

        Draws happen during the line, so they follow its events. Draws that the facts of these events name are left out,
        since the events already report them.
        """
        waiting: list[StepView] = []
        for step in _drawn_together(steps):
            if step.draw and step.later:
                waiting.append(step)
            elif step.line:
                untold = (one for one in waiting if not one.given <= step.named)
                yield replace(step, events=(*step.events, *map(self.chance, untold)))
                waiting = []
            else:
                yield step
        yield from waiting

    def chance(self, draw: StepView) -> str:
        """Describe a draw in a sentence."""
        sentence = self.words["dealt" if draw.dealt else "draws"]
        return sentence.format(label=draw.draw, items=", ".join(draw.drawn))

    def step(self, step: Mapping[str, Any], traced: Traced | None, number: int, before: Mapping[str, Any]) -> StepView:
        ((key, value),) = step.items()
        position = self.position(traced)
        if key == "say":
            return self.remark(value)
        if self.seat is not None and (key in RESERVED or traced is None):
            return StepView()  # draws, checked facts and refused moves are only for readers who see all cards
        if key == "draw":
            ((label, drawn),) = value.items()
            dealt = label in (position.get("seats") or ())
            # Cards dealt to one seat are written as in notation; those turned up for all by name.
            names = {} if dealt else self.tables.names
            items = [str(item) for item in (drawn if isinstance(drawn, list) else [drawn])]
            told = tuple(escaped(names.get(item, item)) for item in items)
            return StepView(draw=escaped(str(label)), drawn=told, given=frozenset(items), dealt=dealt)
        if key == "check":
            return StepView(facts=tuple(self.facts(value, position)))
        refusal = traced.refusal if traced else None
        refused = f"{self.refused(refusal.rule)} {escaped(refusal.because)}" if refusal else ""
        if traced and self.seat is not None:
            value = traced.seen[self.seat.number]
            if refusal and key != self.seat.name:
                refused = self.refused(refusal.rule)
        return StepView(
            who=escaped(key),
            line=code(str(value)),
            events=self.events(traced.events) if traced else (),
            reasons=self.reasons(traced.events) if traced else frozenset(),
            named=_named(traced.events) if traced else frozenset(),
            refusal=refused,
            number=number,
            picture=self.tables.picture(position, before),
        )

    def refused(self, rule: str) -> str:
        """Say that a move was refused, and by which rule; not every rule that refuses a move forbids it."""
        word = "kind-illegal" if self.shown.game.forbids(rule) else "not-taken"
        return f"{self.words[word]} {self.reader.by(rule)}"

    def remark(self, say: Remark) -> StepView:
        """Return the part of a remark that is meant for the reader; an empty view if there is none."""
        read = remarks(say, self.seat.name if self.seat else OPEN)
        texts = [(escaped(who), self.reader.md(text)) for who, text in read]
        return StepView(
            say="\n\n".join(text for who, text in texts if not who),
            asides=tuple((who, text) for who, text in texts if who),
        )

    def events(self, events: Iterable[Event]) -> tuple[str, ...]:
        """Return the events that the reader learns about, with their rules.

        A reader of the open table sees everybody's secrets.
        """
        return tuple(self.because_of(event.rule, text) for event, text in self.told(events))

    def reasons(self, events: Iterable[Event]) -> frozenset[int]:
        """Return the positions of reasons among the events that the reader learns about."""
        return frozenset(number for number, (event, _) in enumerate(self.told(events)) if event.is_reason)

    def told(self, events: Iterable[Event]) -> Iterator[tuple[Event, str]]:
        """Yield the events that the reader learns about, with their sentences."""
        told = ((event, event.told(self.seat.number) if self.seat else event.text) for event in events)
        return ((event, text) for event, text in told if text)

    def facts(self, expect: Mapping[str, Any], position: Mapping[str, Any]) -> Iterator[str]:
        """Yield the written facts that hold, each as a sentence."""
        words = self.words
        for key, value in expect.items():
            if key == "refused":
                pass  # the refused line itself shows it
            elif key == "to-act":
                yield words["to-act"].format(who=escaped(value))
            elif key == "over":
                yield words["over" if value in (True, "yes") else "not-over"]
            elif key == "score":
                if any(isinstance(total, Mapping) for total in value.values()):
                    yield "; ".join(f"{escaped(seat)}: {_points(total)}" for seat, total in value.items()) + "."
                    continue
                scores = [words["scores"].format(who=escaped(seat), n=total) for seat, total in value.items()]
                yield listed(scores) + "."
            elif key == "winners":
                names = listed([escaped(name) for name in value])
                key = "no-winner" if not value else "wins" if len(value) == 1 else "win"
                yield words[key].format(who=names)
            elif key == "legal":
                yield words["legal-now"].format(moves=_moves(value))
            elif key == "only":
                yield words["only-now"].format(moves=_moves(value)) if value else words["none-now"]
            elif key == "illegal":
                for move, rule in value.items():
                    because = self.because(position, move)
                    told = "illegal-now" if self.shown.game.forbids(rule) else "untaken-now"
                    refused = words[told].format(move=code(move), rule=self.reader.by(rule))
                    yield f"{refused}: {escaped(because)}" if because else f"{refused}."
            elif key == "fires":
                pass  # the events name these rules where they fired
            elif key == "position":
                yield escaped(self.tables.tell(value, zeros=True))
            elif key == "seen":
                for seat, part in value.items():
                    told = self.tables.tell(part, zeros=True)
                    yield words["known-to"].format(who=escaped(seat), what=escaped(told))

    def because(self, position: Mapping[str, Any], move: str) -> str:
        """Return the engine's reason for refusing a move in a position."""
        module = self.shown.game.module
        if module is None or not position:
            return ""
        try:
            state = module.load(self.shown.game.facts, position)
            play_line(module, state, move)
        except Refused as refused:
            return refused.refusal.because
        except (Misfits, NotAMove, ChanceError):  # draws before a refusal are not recorded
            return ""
        return ""

    def follower(self, play: Playthrough) -> Follower | None:
        """Return what draws the positions of a playthrough on maps; None if the reader may not know everything on
        them."""
        is_drawn = self.plans.picture is not None and self.seat is None and play.id in self.shown.traces
        return Follower(self.plans) if is_drawn else None

    def rounds(self, play: Playthrough, follower: Follower | None = None) -> list[RoundView]:
        """Return the steps of a playthrough, by parts of the game if it has any."""
        parts = self.shown.game.info.parts
        trace = self.shown.traces.get(play.id)
        rounds: list[RoundView] = []
        before = self.position(trace)
        current: object = None
        plan = follower.plan(before) if follower else ""
        for index, step in enumerate(self.steps(play, trace, follower)):
            if step == StepView(later=step.later):
                continue  # it was for other readers and changed nothing
            number = before.get(parts.key) if parts else None
            if not rounds or (number != current and not step.facts):
                title, anchor = self.words["the-game"], "game"
                if parts and number:
                    title = self.words["part"].format(name=parts.name, n=number)
                    anchor = re.sub(r"\W+", "-", f"{parts.key}-{number}")
                picture = self.tables.picture(before)
                told = "" if picture else escaped(self.tables.tell(before))
                rounds.append(RoundView(title, anchor, picture, told, plan=plan))
                plan = ""
                current = number
            rounds[-1].steps.append(step)
            if trace and index < len(trace.steps):
                before = self.position(trace.steps[index])
        return [replace(part, steps=list(self.in_order(part.steps))) for part in rounds]


def _drawn_together(steps: Sequence[StepView]) -> Iterator[StepView]:
    """Yield steps, with consecutive draws of the same kind merged into one."""
    for _, group in groupby(steps, key=lambda step: step.draw or id(step)):
        first, *others = group
        drawn = (*first.drawn, *chain.from_iterable(step.drawn for step in others))
        yield replace(first, drawn=drawn, given=first.given.union(*(step.given for step in others)))


def _named(events: Iterable[Event]) -> frozenset[str]:
    """Return every word in these events' facts.

    >>> sorted(_named([Event("X-1", "Ada draws two.", facts={"seat": "Ada", "cards": ("7c", "ah"), "left": 5})]))
    ['7c', 'Ada', 'ah']
    """
    facts = list(chain.from_iterable(event.facts.values() for event in events))
    lists = chain.from_iterable(fact for fact in facts if isinstance(fact, tuple))
    return frozenset([*(fact for fact in facts if isinstance(fact, str)), *lists])


def _points(total: object) -> str:
    """Format a total: points, or the points of each column."""
    if isinstance(total, Mapping):
        return ", ".join(f"{escaped(str(column))} {points}" for column, points in total.items())
    return str(total)


def _moves(moves: Sequence[str]) -> str:
    return ", ".join(map(code, moves))
