"""Replay the script of an example or a playthrough, and compare what happens with what is written: its Trace.

Only the moves are trusted. Positions, scores, refusals, rule ids and winners are computed again and compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import takewhile
from typing import Any

from grimalkin.engine.chance import ChanceError, Scripted
from grimalkin.engine.contract import Drawn, Facts, GameModule, Move, Seen, State
from grimalkin.engine.loading import doubts_about
from grimalkin.engine.shape import (
    Misfit,
    Misfits,
    Path,
)
from grimalkin.engine.words import OVER, Event, NotAMove, Over, Refusal, Refused, Result, Score, TooFar

RESERVED = ("say", "draw", "check")
"""Keys of a step that are not seat names."""
OPEN = "open"
"""The reader without a seat, who sees all cards face up."""
Remark = str | Mapping[str, str]
"""Text for everybody, or texts by reader: a seat's name or OPEN."""


def find_seen(game: GameModule) -> Seen[State] | None:
    """Return the function `seen(state, seat)` of a game; None if it cannot say what each seat knows."""
    found: Seen[State] | None = getattr(game, "seen", None)
    return found


def without_draws(game: GameModule, line: str, facts: Facts) -> tuple[str, list[tuple[str, str]]]:
    """Separate a line of notation from the draws it contains, in a game whose lines may contain draws.

    Raises Unreadable.
    """
    drawn: Drawn | None = getattr(game, "drawn", None)
    return drawn(line, facts) if drawn else (line, [])


def quoted(line: str) -> str:
    """Return a line of notation for use in a sentence: in double quotes, unless it contains quoted speech.

    >>> quoted("hat Ada"), quoted('"Trust me"')
    ('"hat Ada"', '"Trust me"')
    """
    return line if line.startswith('"') else f'"{line}"'


def remarks(say: Remark, seat: str = OPEN) -> list[tuple[str, str]]:
    """Return the parts of a remark that one reader sees: pairs of a seat's name, or "", and the text for that seat.

    A reader who sees all cards face up sees everything; a seat sees texts for everybody and for itself.

    >>> remarks({"open": "A duel.", "Ada": "He bluffs."})
    [('', 'A duel.'), ('Ada', 'He bluffs.')]
    >>> remarks({"Ada": "He bluffs."}, "Basil"), remarks("A duel.", "Basil")
    ([], [('', 'A duel.')])
    """
    if isinstance(say, str):
        return [("", say)] if say else []
    if seat != OPEN:
        return [("", say[seat])] if seat in say else []
    first = [("", say[OPEN])] if OPEN in say else []
    return first + [(name, text) for name, text in say.items() if name != OPEN]


@dataclass(frozen=True, slots=True)
class Script:
    """The script of an example or a playthrough, as read from content.

    `given` is a position record, or None for a new game with `seats` and `options`. Each step is a mapping with one
    key: a seat's name with a line of notation, or `say` (a remark to everybody, or one for each reader), `draw` (the
    next draws), or `check` (facts that hold now). `expect` holds the facts at the end.
    """

    id: str
    given: Mapping[str, Any] | None
    seats: tuple[str, ...]
    options: Mapping[str, Any]
    steps: tuple[Mapping[str, Any], ...]
    expect: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Check:
    """A written fact, and whether it holds. `at` holds the keys that lead to it in the script.

    With `refuses`, the fact is that a rule refuses a line or move, and `computed` is the id of that rule.
    """

    at: Path
    fact: str
    written: object
    computed: object
    rules: tuple[str, ...] = ()
    refuses: bool = False

    @property
    def ok(self) -> bool:
        return self.written == self.computed

    def said(self) -> tuple[str, str]:
        """Return the written and the computed value as text."""
        written, computed = _said(self.written), _said(self.computed)
        if not self.ok and sorted(written.split(", ")) == sorted(computed.split(", ")):
            computed += " (the same in another order)"
        return written, computed


def _said(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_said(item)}" for key, item in value.items()) or "none"
    if isinstance(value, list | tuple):
        return "; ".join(map(_said, value)) if any(isinstance(item, Mapping) for item in value) else _listed(value)
    return str(value)


def _listed(values: Sequence[object]) -> str:
    return ", ".join(map(str, values)) or "none"


@dataclass(frozen=True, slots=True)
class Step:
    """The result of one step of a script. A remark has only `say`; a refused line has `refusal` and changes nothing."""

    seat: str = ""
    line: str = ""
    seen: tuple[str, ...] = ()
    """The line as each seat may see it."""
    choices: tuple[str, ...] = ()
    """The legal small moves at the beginning of the line."""
    say: Remark = ""
    draw: tuple[str, tuple[str, ...]] | None = None
    """A label and the items drawn."""
    events: tuple[Event, ...] = ()
    refusal: Refusal | None = None
    checks: tuple[Check, ...] = ()
    position: Mapping[str, Any] = field(default_factory=dict)
    known: tuple[Mapping[str, Any], ...] = ()
    """The position as each seat knows it, if the game module offers this."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The result of replaying a script.

    `opening` holds the events of the start of a new game, and is empty if a position was given. `fault` is the reason
    why the script could not be followed to its end, with its place, or None. `fired` holds the ids of all rules that
    caused an event, refused a move or made a checked score line.
    """

    id: str
    seats: tuple[str, ...]
    before: Mapping[str, Any]
    steps: tuple[Step, ...]
    checks: tuple[Check, ...]
    after: Mapping[str, Any]
    scores: tuple[Score, ...]
    result: Result | None
    fired: frozenset[str]
    fault: tuple[Path, str] | None = None
    opening: tuple[Event, ...] = ()
    known: tuple[Mapping[str, Any], ...] = ()
    """The position before the first step as each seat knows it, if the trace keeps such positions."""
    doubts: tuple[Misfit, ...] = ()
    """Why the given position could not have arisen, if the game can say."""

    @property
    def ok(self) -> bool:
        return self.fault is None and all(check.ok for check in self.every_check())

    def every_check(self) -> Iterator[Check]:
        for step in self.steps:
            yield from step.checks
        yield from self.checks


def positions_of(trace: Trace, steps: Sequence[Mapping[str, Any]]) -> list[tuple[Mapping[str, Any], Sequence[Event]]]:
    """Return the position before the first move of a script and after every move, each with the events of that move."""
    played = ((one.position, one.events) for step, one in zip(steps, trace.steps, strict=False) if is_move(step))
    return [(trace.before, ()), *played]


def is_move(step: Mapping[str, Any]) -> bool:
    """Return whether a step of a script is a move of a seat."""
    return not set(step) & set(RESERVED)


class Keep(IntEnum):
    """What a trace keeps of a replay in addition to its events and checks, from nothing to everything."""

    CHECKS = 0
    POSITIONS = 1
    """Every position, the choices there, and each line as each seat sees it."""
    KNOWN = 2
    """Also every position as each seat knows it, for display; that takes a while."""


def replay(game: GameModule, facts: Facts, script: Script, keep: Keep = Keep.KNOWN) -> Trace:
    """Replay a script to its end, or to the first line that cannot be followed."""
    # A game may draw while it starts, before any step is taken: the draws written before the first line are for that.
    ahead = list(takewhile(lambda step: "draw" in step or "say" in step, script.steps)) if script.given is None else []
    chance = Scripted([draw for step in ahead for draw in draws_of(step)])
    opening: list[Event] = []
    try:
        state = (
            game.start(facts, script.seats, script.options, chance, opening)
            if script.given is None
            else game.load(facts, script.given, chance)
        )
    except Misfits as error:
        first = error.misfits[0]
        if script.given is not None:
            at: Path = ("given", *first.at)
        else:
            at = ("seats",) if first.at[:1] == ("seats",) else ("options", *first.at)
        return _not_started(script, at, first.message + (f"; {first.hint}" if first.hint else ""))
    except ChanceError as error:
        return _not_started(script, ("steps",), str(error))
    doubts = tuple(doubts_about(game, state)) if script.given is not None else ()
    return _Replay(game, facts, state, chance, script, len(ahead), tuple(opening), doubts, keep).run()


def _not_started(script: Script, at: Path, message: str) -> Trace:
    return Trace(script.id, script.seats, {}, (), (), {}, (), None, frozenset(), (at, message))


def draws_of(step: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the draws of a step, each with its label; none for a step of another kind."""
    if "draw" not in step:
        return []
    ((label, drawn),) = step["draw"].items()
    return [(label, str(item)) for item in (drawn if isinstance(drawn, list) else [drawn])]


@dataclass
class _Replay:
    """A replay in progress."""

    game: GameModule
    facts: Facts
    state: State
    chance: Scripted
    script: Script
    ahead: int
    opening: tuple[Event, ...]
    doubts: tuple[Misfit, ...]
    keep: Keep
    steps: list[Step] = field(default_factory=list)
    refusal: Refusal | None = None
    refused_at: Path = ()
    fault: tuple[Path, str] | None = None

    def __post_init__(self) -> None:
        self.fired = {event.rule for event in self.opening}
        self.seen = find_seen(self.game)
        self.look()

    def look(self) -> None:
        """Store the current position, also as each seat knows it, if this was requested; only moves change these."""
        self.position = self.state.position() if self.keep else {}
        self.known = self.known_now()

    def known_now(self) -> tuple[Mapping[str, Any], ...]:
        """Return the position as each seat knows it, if this was requested and the game offers it."""
        if self.seen is None or self.keep < Keep.KNOWN:
            return ()
        return tuple(self.seen(self.state, seat) for seat in range(len(self.state.seats)))

    def run(self) -> Trace:
        before, known = self.position, self.known
        for index, step in enumerate(self.script.steps):
            self.take(step, ("steps", index))
            if self.fault:
                break
        result = self.state.result()
        if result:
            self.fired.update(result.rules)
            self.fired.update(rule for rule, _ in result.steps)
        checks: tuple[Check, ...] = ()
        if not self.fault:
            if self.chance.left:
                self.fault = (("steps",), f"{len(self.chance.left)} scripted draws were never made")
            if self.refusal and "refused" not in self.script.expect:
                self.fault = (self.refused_at, f"the line is refused by {self.refusal}")
            checks = tuple(self.compare(self.script.expect, ("expect",)))
        return Trace(
            self.script.id,
            self.state.seats,
            before,
            tuple(self.steps),
            checks,
            self.position,
            tuple(self.state.score()) if self.keep else (),
            result,
            frozenset(self.fired),
            self.fault,
            self.opening,
            known,
            self.doubts,
        )

    def take(self, step: Mapping[str, Any], at: Path) -> None:
        ((key, value),) = step.items()
        if key == "say":
            self.note(say=value)
        elif key == "draw":
            draws = draws_of(step)
            if len(self.steps) >= self.ahead:
                self.chance.left += draws
            drawn = draws[0][0], tuple(item for _, item in draws)
            self.note(draw=drawn)
        elif key == "check":
            self.note(checks=tuple(self.compare(value, (*at, key))))
        else:
            self.move(key, value, at)

    def note(self, seat: str = "", line: str = "", **what: Any) -> None:
        """Add a step with the current table."""
        self.steps.append(Step(seat, line, **what, position=self.position, known=self.known))

    def move(self, seat: str, line: str, at: Path) -> None:
        if self.refusal:
            self.fault = (self.refused_at, f"the line is refused by {self.refusal}, so nothing can follow it")
            return
        actor = self.state.to_act()
        if actor == OVER or (self.state.seats[actor] != seat and not self.lets(seat)):
            whose = "the game is over" if actor == OVER else f"{self.state.seats[actor]} is to act"
            hint = f"; to show that no move is allowed, write `illegal: {{{line}: ID-OF-THE-RULE}}` under `expect`"
            self.fault = (at, f'"{seat}: {line}" is out of turn: {whose}{hint if actor == OVER else ""}')
            return
        events: list[Event] = []
        choices = tuple(self.legal_texts()) if self.keep else ()
        try:
            said, draws = without_draws(self.game, line, self.facts)
        except NotAMove as error:
            self.fault = (at, str(error))
            return
        self.chance.left += draws
        before, left = self.state.clone(), [*self.chance.left]
        try:
            moves = follow_line(self.game, self.state, said, events)
        except (NotAMove, ChanceError) as error:  # whatever the line did until then does not count
            self.state, self.chance.left, events = before, left, []
            if not isinstance(error, Refused):
                self.fault = (at, str(error))
                return
            moves = self.game.read(said, before)
            self.refusal, self.refused_at = error.refusal, at
            self.fired.add(error.refusal.rule)
        self.fired.update(event.rule for event in events)
        seen: tuple[str, ...] = ()
        if self.keep:
            seen = tuple(self.game.write(moves, before, reader) for reader in range(len(before.seats)))
        self.look()
        self.note(seat, line, seen=seen, choices=choices, events=tuple(events), refusal=self.refusal)

    def lets(self, seat: str) -> bool:
        """Return whether a seat may play before the seat to act, in a game with simultaneous play; if so, it is now
        to act."""
        let: Callable[[int], bool] | None = getattr(self.state, "let", None)
        return let is not None and seat in self.state.seats and let(self.state.seats.index(seat))

    def compare(self, expect: Mapping[str, Any], at: Path) -> Iterator[Check]:
        """Yield every written fact, with its computed value."""
        state = self.state
        actor = state.to_act()
        counted = "score" in expect or "lines" in expect
        scores = {score.seat: score for score in state.score()} if counted else {}
        for key, written in expect.items():
            here = (*at, key)
            if key == "refused":
                computed = self.refusal.rule if self.refusal else "nothing"
                yield Check(here, "refused by", written, computed, (computed,) if self.refusal else (), refuses=True)
            elif key == "to-act":
                yield Check(here, "to act", written, "nobody" if actor == OVER else state.seats[actor])
            elif key == "over":
                yield Check(here, "the game is over", written, actor == OVER)
            elif key == "score":
                for seat, total in written.items():
                    yield self.compare_total(total, scores[seat], (*here, seat))
            elif key == "lines":
                for index, line in enumerate(written):
                    yield self.compare_line(line, scores, (*here, index))
            elif key == "winners":
                result = state.result()
                yield Check(
                    here, "winners", written, list(result.winners) if result else [], result.rules if result else ()
                )
            elif key == "legal":
                legal = self.legal_texts()
                for index, text in enumerate(written):
                    yield Check((*here, index), "legal", text, text if text in legal else "refused")
            elif key == "only":
                yield Check(here, "the only legal moves", sorted(written), sorted(self.legal_texts()))
            elif key == "illegal":
                for text, rule in written.items():
                    computed = self.why_not(text)
                    self.fired.add(computed)
                    fact = f"{quoted(text)} is refused by"
                    yield Check((*here, text), fact, rule, computed, (computed,), refuses=True)
            elif key == "fires":
                for index, rule in enumerate(written):
                    fired = rule if rule in self.fired else "no event"
                    yield Check((*here, index), "made happen by", rule, fired, (rule,))
            elif key == "position":
                yield from _compare_part(written, self.position or state.position(), here)
            elif key == "seen":
                for seat, part in written.items():
                    yield from self.compare_seen(seat, part, (*here, seat))

    def compare_seen(self, seat: str, part: object, at: Path) -> Iterator[Check]:
        """Compare part of the position as a seat knows it with the game's answer."""
        if self.seen is None:
            yield Check(at, f"seen by {seat}", part, "nothing: this game does not say what a seat knows")
        else:
            yield from _compare_part(part, self.seen(self.state, self.state.seats.index(seat)), at)

    def compare_total(self, written: object, score: Score, at: Path) -> Check:
        """Compare a total, or the columns that are written, with the computed score."""
        wanted = score.columns
        if isinstance(written, Mapping):
            wanted = {name: points for name, points in wanted.items() if name in written}
        computed: object = wanted if wanted or isinstance(written, Mapping) else score.total
        counted = [line for line in score.lines if not line.column or line.column in wanted]
        rules = tuple(dict.fromkeys(line.rule for line in counted if line.points))
        self.fired.update(rules)
        return Check(at, f"{score.seat} scores", written, computed, rules)

    def compare_line(self, line: Mapping[str, Any], scores: Mapping[str, Score], at: Path) -> Check:
        wanted = {key: value for key, value in line.items() if key != "seat"}
        found = []
        for score in [scores[line["seat"]]] if "seat" in line else scores.values():
            for computed in score.lines:
                found.append({key: getattr(computed, key) for key in wanted})
        self.fired.add(line["rule"])
        return Check(at, "score line", wanted, wanted if wanted in found else found, (line["rule"],))

    def legal_texts(self) -> list[str]:
        if self.state.to_act() == OVER:
            return []
        return [self.game.write([move], self.state) for move in self.state.legal()]

    def why_not(self, text: str) -> str:
        state = self.state.clone()
        try:
            play_line(self.game, state, text, [])
        except Refused as error:
            return error.refusal.rule
        except (NotAMove, ChanceError) as error:
            return str(error)
        return "nothing: it is legal"


def play_line(game: GameModule, state: State, line: str, events: list[Event] | None = None) -> list[Move]:
    """Play one line of notation. If one of its small moves is refused, the state stays as it was.

    Raises Unreadable, Ambiguous, Refused with the first small move that a rule forbids (Over if the game has ended), or
    TooFar with the first move after the end of the line.
    """
    moves = follow_line(game, state.clone(), line)
    for move in moves:
        state.apply(move, events)
    return moves


def follow_line(game: GameModule, state: State, line: str, events: list[Event] | None = None) -> list[Move]:
    """Play one line of notation as `play_line` does, but without trying it first: an error may leave the state, its
    chance and the events after some of the moves.
    """
    moves = game.read(line, state)
    turn = state.to_act(), state.turn_key()
    for count, move in enumerate(moves):
        # First, because `why_not` would refer to the next seat to act.
        if (state.to_act(), state.turn_key()) != turn:
            actor = state.to_act()
            then = "the game is over" if actor == OVER else f"{state.seats[actor]} is to act"
            raise TooFar(game.write([move], state), count, then)
        refusal = state.why_not(move)
        if refusal:
            raise (Over if state.to_act() == OVER else Refused)(refusal, game.write([move], state))
        state.apply(move, events)
    return moves


def _compare_part(written: object, computed: object, at: Path) -> Iterator[Check]:
    """Compare each written value with the computed one. Numbers, yes and no may be written as text."""
    if isinstance(written, Mapping) and isinstance(computed, Mapping):
        by_text = {str(key): value for key, value in computed.items()}
        if not written and computed:
            yield Check(at, " ".join(str(key) for key in at[1:]), {}, dict(computed))
        for key, value in written.items():
            yield from _compare_part(value, by_text.get(str(key), _absent(value)), (*at, key))
    elif isinstance(written, list) and isinstance(computed, list):
        yield Check(at, _name(at), [_as_written(item) for item in written], [_as_written(item) for item in computed])
    else:
        yield Check(at, _name(at), _as_written(written), _as_written(computed))


def _absent(written: object) -> object:
    """Return the empty value to compare with a written part that a position lacks."""
    if written == []:
        return []
    return 0 if str(written).isdigit() else False if written is False else "nothing"


def _as_written(value: object) -> str:
    """Return a value as people write it, whether it was converted or not."""
    return "yes" if value is True else "no" if value is False else str(value)


def _name(at: Path) -> str:
    """Return the name of a fact: its keys, without those of the script."""
    inside = at[3:] if at[0] == "steps" else at[1:]
    return " ".join(str(key) for key in inside if key != "position")
