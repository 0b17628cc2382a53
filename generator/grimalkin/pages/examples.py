"""An Example or a Playthrough with its Trace in, a view for the page templates out: every text is Markdown already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from typing import Any, NamedTuple

from grimalkin.content.models import Example, Playthrough
from grimalkin.engine.chance import ChanceError
from grimalkin.engine.replay import OPEN, RESERVED, Remark, Trace, play_line, remarks
from grimalkin.engine.replay import Step as Traced
from grimalkin.engine.shape import Misfits
from grimalkin.engine.words import Event, NotAMove, Refused, Score, listed
from grimalkin.pages.followed import Follower
from grimalkin.pages.links import Reader, Words, code, escaped
from grimalkin.pages.plans import Plan, Plans
from grimalkin.pages.shown import Shown
from grimalkin.pages.tables import Picture, Tables

MOST_LINES = 4
"""Lines that an example tells before it folds them."""
MOST_SUMS = 4
"""Lines of scores that it shows before it folds them, and"""
MOST_REASONS = 2
"""Reasons that a playthrough gives for something before it folds them."""


@dataclass(frozen=True)
class StepView:
    """One step: a remark, a draw, a move with what it made happen, or facts that were checked."""

    say: str = ""
    asides: tuple[tuple[str, str], ...] = ()
    """Remarks to one seat each, for who reads them all: the seat and the text."""
    draw: str = ""
    """What chance decided, and how."""
    drawn: tuple[str, ...] = ()
    """What it gave, in words."""
    given: frozenset[str] = frozenset()
    """What it gave, as the engine calls it."""
    dealt: bool = False
    """Whether it was dealt to the seat that the draw is labelled with."""
    later: bool = False
    """Whether chance decides it in the course of the next line, not before the game begins."""
    who: str = ""
    line: str = ""
    events: tuple[str, ...] = ()
    named: frozenset[str] = frozenset()
    """What the facts of its events name, as the engine calls it."""
    reasons: frozenset[int] = frozenset()
    """Which of its events tell how something was decided: their places among them."""
    refusal: str = ""
    facts: tuple[str, ...] = ()
    number: int = 0
    """Of a move: counted from 1."""
    picture: Picture | None = None
    """The table after the step."""
    plan: str = ""
    """The map after the step, if it looks otherwise."""

    @property
    def happened(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """What happened, with the reasons that led to it; reasons that led to nothing stand with what was before."""
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
    """What a seat scores, line by line."""

    seat: str
    lines: tuple[tuple[str, str, int, int, int], ...]
    """Rule link, label, count, each, points."""
    total: int
    columns: Mapping[str, int] = field(default_factory=dict)
    """The total of every column, in a game whose score sheet has columns."""
    rows: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    """In such a game, instead of the lines: rule link, label, and what stands in each column."""
    notes: tuple[str, ...] = ()
    """What was chosen in it and why, each with its rule."""

    @property
    def by(self) -> str:
        """The link to the rule that gives the only row, if there is one."""
        return self.rows[0][0] if len(self.rows) == 1 else ""


@dataclass(frozen=True)
class ExampleView:
    """An example as a page shows it."""

    id: str
    title: str
    question: str
    """What a player asks whom it answers; it is then headed by that."""
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
    """What was decided step by step at the end of the game."""
    failures: tuple[str, ...] = ()
    """In a draft: what the engine says instead of what is written."""
    plan: Plan | None = None
    """Where it happens, in a game on maps, and"""
    plan_after: Plan | None = None
    """how it looks there after the last step, if it looks otherwise."""

    @property
    def long(self) -> bool:
        """Whether the steps would push the next rule out of sight; they are then folded."""
        told = (max(1, len(step.events) + bool(step.line) + len(step.facts)) for step in self.steps)
        return sum(told) + len(self.facts) > MOST_LINES

    @property
    def many_sums(self) -> bool:
        """Whether the lines of its scores would do so; the totals then stand above them."""
        return sum(len(score.lines) + len(score.rows) for score in self.scores) > MOST_SUMS


@dataclass(frozen=True)
class RoundView:
    """A part of a playthrough: what happens from one picture of the table to the next."""

    title: str
    anchor: str
    before: Picture | None
    told: str
    """What the picture would show, in words, where there is none."""
    steps: list[StepView] = field(default_factory=list)
    plan: str = ""
    """Where everybody is at first, in a game on maps."""


class Seat(NamedTuple):
    """Who looks at a table: the number and the name of a seat."""

    number: int
    name: str


class Viewer:
    """Makes views for one page of a game.

    With `seat`, a playthrough is what that seat lived through: it reads what it was told, sees what
    it knew, and nothing else is on its page. Without, all cards lie open.
    """

    def __init__(self, shown: Shown, tables: Tables, reader: Reader, words: Words, seat: Seat | None = None) -> None:
        self.shown = shown
        self.plans = Plans(shown.game, words)
        self.tables = tables
        self.reader = reader
        self.words = words
        self.seat = seat

    def position(self, traced: Trace | Traced | None) -> Mapping[str, Any]:
        """The position after a step, or before the first one, as whoever reads the page knows it."""
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

    def failures(self, trace: Trace) -> Iterator[str]:
        """What does not hold of what was written."""
        if trace.fault:
            yield escaped(trace.fault[1])
        for check in trace.every_check():
            if not check.ok:
                written, computed = check.said()
                told = self.words["fails-because"].format(fact=check.fact, written=written, computed=computed)
                yield escaped(told)

    def expected(self, written: Example | Playthrough) -> Mapping[str, Any]:
        """The facts at the end, as the engine read them, else as they were written."""
        script = self.shown.game.scripts.get(written.id)
        return script.expect if script else written.expect

    def scores(self, example: Example, trace: Trace) -> Iterator[ScoreView]:
        """The scores that an example is about, in full."""
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
        """The lines of a score sheet with columns; those that say the same of different columns are one row.

        A line that counts nothing is left out, since every column has its total.
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
        """What was decided at the end of the game, one step after the other."""
        return tuple(self.because_of(*step) for step in trace.result.steps) if trace.result else ()

    def because_of(self, rule: str, sentence: str) -> str:
        """A sentence of the engine, and the rule that says so."""
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
        """Steps in the order in which players live through them: a script writes draws before the line that needs them.

        Chance decides them when the line is under way, so they follow its events; those that the facts of its events
        name are left out, since the events have told them.
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
        """What chance decided, as a sentence."""
        sentence = self.words["dealt" if draw.dealt else "draws"]
        return sentence.format(label=draw.draw, items=", ".join(draw.drawn))

    def step(self, step: Mapping[str, Any], traced: Traced | None, number: int, before: Mapping[str, Any]) -> StepView:
        ((key, value),) = step.items()
        position = self.position(traced)
        if key == "say":
            return self.remark(value)
        if self.seat is not None and (key in RESERVED or traced is None):
            return StepView()  # draws, checked facts and what could not be played are for who sees all cards
        if key == "draw":
            ((label, drawn),) = value.items()
            dealt = label in (position.get("seats") or ())
            # What one is dealt stands as in lines of notation, short; what turns up for all is called by its name.
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
        """That a move was not taken, and by which rule: not every one that refuses is a prohibition."""
        word = "kind-illegal" if self.shown.game.forbids(rule) else "not-taken"
        return f"{self.words[word]} {self.reader.by(rule)}"

    def remark(self, say: Remark) -> StepView:
        """A remark as far as it is for whoever reads the page; an empty view when it is not."""
        read = remarks(say, self.seat.name if self.seat else OPEN)
        texts = [(escaped(who), self.reader.md(text)) for who, text in read]
        return StepView(
            say="\n\n".join(text for who, text in texts if not who),
            asides=tuple((who, text) for who, text in texts if who),
        )

    def events(self, events: Iterable[Event]) -> tuple[str, ...]:
        """What happened, as far as the reader learns of it, and the rules that made it happen.

        Who watches the open table sees everybody's secrets.
        """
        return tuple(self.because_of(event.rule, text) for event, text in self.told(events))

    def reasons(self, events: Iterable[Event]) -> frozenset[int]:
        """Which of the events that the reader learns of are reasons."""
        return frozenset(number for number, (event, _) in enumerate(self.told(events)) if event.is_reason)

    def told(self, events: Iterable[Event]) -> Iterator[tuple[Event, str]]:
        """The events that the reader learns of, and what they tell."""
        told = ((event, event.told(self.seat.number) if self.seat else event.text) for event in events)
        return ((event, text) for event, text in told if text)

    def facts(self, expect: Mapping[str, Any], position: Mapping[str, Any]) -> Iterator[str]:
        """Facts that were written and hold, each a sentence."""
        words = self.words
        for key, value in expect.items():
            if key == "refused":
                pass  # the refused line itself says so
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
        """The engine's sentence about a move that it refuses in a position."""
        module = self.shown.game.module
        if module is None or not position:
            return ""
        try:
            state = module.load(self.shown.game.facts, position)
            play_line(module, state, move)
        except Refused as refused:
            return refused.refusal.because
        except (Misfits, NotAMove, ChanceError):  # what is drawn before it is refused is not in the record
            return ""
        return ""

    def follower(self, play: Playthrough) -> Follower | None:
        """What draws the positions of a playthrough on maps; the reader has to know all that is drawn."""
        is_drawn = self.plans.picture is not None and self.seat is None and play.id in self.shown.traces
        return Follower(self.plans) if is_drawn else None

    def rounds(self, play: Playthrough, follower: Follower | None = None) -> list[RoundView]:
        """The steps of a playthrough, by the parts of the game, if it has any."""
        parts = self.shown.game.info.parts
        trace = self.shown.traces.get(play.id)
        rounds: list[RoundView] = []
        before = self.position(trace)
        current: object = None
        plan = follower.plan(before) if follower else ""
        for index, step in enumerate(self.steps(play, trace, follower)):
            if step == StepView(later=step.later):
                continue  # it is for other readers, and changed nothing
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
    """Steps in which one draw after another of the same kind is one step."""
    for _, group in groupby(steps, key=lambda step: step.draw or id(step)):
        first, *others = group
        drawn = (*first.drawn, *chain.from_iterable(step.drawn for step in others))
        yield replace(first, drawn=drawn, given=first.given.union(*(step.given for step in others)))


def _named(events: Iterable[Event]) -> frozenset[str]:
    """Every word in the facts of these events.

    >>> sorted(_named([Event("X-1", "Ada draws two.", facts={"seat": "Ada", "cards": ("7c", "ah"), "left": 5})]))
    ['7c', 'Ada', 'ah']
    """
    facts = list(chain.from_iterable(event.facts.values() for event in events))
    lists = chain.from_iterable(fact for fact in facts if isinstance(fact, tuple))
    return frozenset([*(fact for fact in facts if isinstance(fact, str)), *lists])


def _points(total: object) -> str:
    """Points, or the points of some columns."""
    if isinstance(total, Mapping):
        return ", ".join(f"{escaped(str(column))} {points}" for column, points in total.items())
    return str(total)


def _moves(moves: Sequence[str]) -> str:
    return ", ".join(map(code, moves))
