"""Positions and answers about them, for people and programs; the commands `start` and `why`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from grimalkin.cli.common import GAME, Command, add_option, pair, remark
from grimalkin.problems import Place, Problem, Problems, Stop

if TYPE_CHECKING:
    from grimalkin.engine.contract import GameModule, State
    from grimalkin.engine.shape import Misfit
    from grimalkin.engine.words import Event, Refused, Result, TooFar
    from grimalkin.play.table import Dealt, Game
    from grimalkin.source import Source

POSITION = "a position in YAML or JSON, or a filled-in form (PDF); - reads standard input"


def add(command: Command) -> None:
    start = command("start", _start, "Start a game and print its first position, for `why` and `score`", _START)
    start.add_argument("game", metavar="GAME", help=GAME)
    start.add_argument("seats", nargs="+", metavar="SEAT", help="the name of each seat, clockwise")
    listed = "an option listed by `grimalkin games GAME`; write lists as in YAML: 'heroes=[patch, minou]'"
    add_option(start, "--option", listed)
    add_luck(start, "seed for all other draws (default: a new one each time)")
    start.add_argument("--json", action="store_true", help="print JSON like that of `why --json`, for programs")

    why = command("why", _why, "Say whether a move is legal in a position, or which rule refuses it and why", _WHY)
    why.add_argument("game", metavar="GAME", help=GAME)
    why.add_argument("file", metavar="FILE", help=POSITION)
    why.add_argument("move", metavar="MOVE", help="one line in the game's notation, in quotes")
    add_luck(why, "seed for all other draws in this position (default: why)")
    why.add_argument("--json", action="store_true", help="print JSON, for programs")


def add_luck(parser: argparse.ArgumentParser, seed: str) -> None:
    parser.add_argument(
        "--draw",
        action="append",
        default=[],
        type=pair("LABEL=ITEM"),
        metavar="LABEL=ITEM",
        help="an item to draw next; repeat the option for more, in order; `grimalkin games GAME` lists the labels",
    )
    parser.add_argument("--seed", metavar="SEED", help=seed)


_START = """\
examples:
  grimalkin start were-kittens Ada Basil
  grimalkin start werecats Ada Basil Cleo --option rounds=9 --draw first=Basil --seed 7

The output is a position for `why` and `score`, which also read it from standard input. With --json, the answer has the
`position`, who is `to-act`, and the possible `moves`.
"""
_WHY = """\
a position of Were Kittens, in table.yaml:
  city: {nickel: 1, penny: 3}
  acting: {seat: Ada, space: 6}
  seats:
    Ada: {cats: {6: penny}, eat: {dime: 1}}
    Basil: {hand: {penny: 2}}

a position of Curses & Covens, in census.yaml:
  woods: cooper
  seats:
    Gideon: {}
    Alder: {hand: [love-rose, baker]}
    Holt: {hand: [smith, parson]}

examples:
  grimalkin why were-kittens table.yaml "eat dime, make nickel 4"
  grimalkin why curses-and-covens census.yaml '"Trust me, Holt", hat Holt'

Put spoken words in double quotes, inside the shell's quotes.
The exit code is 0 if the line is legal, and 1 if a rule refuses it or the line goes too far.
If the move turns up cards, Grimalkin picks them, always the same ones for the same position, and the answer names them.
--seed picks others; --draw gives the cards that came up at your table: --draw city=cook --draw city=heir.
With --json, the answer has the `position` after the move, ready for the next question, who is then `to-act`, and the
possible `moves`. Its `kind` is legal, refused, over, too-far, unreadable, ambiguous, draw or problem.
"""


# Positions, and answers about them


class Asked(NamedTuple):
    """A position in a question: its game, its state, the chance it draws from, and what is odd about it."""

    game: Game
    state: State
    chance: Dealt
    doubts: list[tuple[Misfit, Problem]]
    """Reasons why it could not have arisen in play, each with its place in the file."""


def position(name: str, file: str, seed: str = "") -> Asked:
    """Read the position that a file describes. Stops with everything in it that does not fit, and its line.

    Draws depend on the seed and the position: if they depended only on the seed, anyone who plays by asking would draw
    the same cards for every question.
    """
    from grimalkin.engine.loading import doubts_about
    from grimalkin.engine.shape import Misfits
    from grimalkin.play.table import Dealt, misfit_problem, open_game

    game = open_game(name)
    problems = Problems()
    read, form = _record(file, game, problems)
    if read is None or problems:
        raise Stop(problems)
    source = read

    def told(misfit: Misfit) -> Problem:
        return misfit_problem(source.place(misfit.at), misfit, form.words_for(misfit.at) if form else "")

    chance = Dealt([], f"{seed} {json.dumps(source.data, sort_keys=True, default=str)}")
    try:
        state = game.module.load(game.facts, source.data, chance)
    except Misfits as error:
        raise Stop(Problems(dict.fromkeys(map(told, error.misfits)))) from None
    return Asked(game, state, chance, [(doubt, told(doubt)) for doubt in doubts_about(game.module, state)])


class Positions(Protocol):
    """What the module `positions` of a part offers: positions in files other than YAML."""

    def claims(self, data: bytes, name: str) -> bool:
        """Return whether a file is of this kind, by its first bytes or its name."""
        ...

    def read(self, data: bytes, place: Place, problems: Problems, game: str, file: str) -> Form | None:
        """Return the position in a file for a game; `file` is the name to use in a suggested command."""
        ...


class Form(Protocol):
    """A position that a part has read."""

    record: Any

    def words_for(self, at: tuple[str | int, ...]) -> str:
        """Return what the file calls a value of the record."""
        ...


def _record(file: str, game: Game, problems: Problems) -> tuple[Source | None, Form | None]:
    """Read a position from a file: YAML, JSON or what a part reads; "-" means standard input."""
    from grimalkin.floors import ours_on
    from grimalkin.source import Source, parse_yaml, read_yaml
    from grimalkin.source.files import MOST_BYTES

    name = Path("standard input") if file == "-" else Path(file)
    if file == "-" and sys.stdin is None:
        problems.add(Place(str(name)), "it is closed", "name a file, or pipe the position in")
        return None, None
    if file == "-":
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
    elif name.is_file():
        with name.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    else:
        data = b""
    for kind in cast("Iterable[Positions]", ours_on("positions")):
        if kind.claims(data, str(name)):
            form = kind.read(data, Place(str(name) if file == "-" else file), problems, game.name, file)
            return (Source(name, form.record), form) if form else (None, None)
    return parse_yaml(data, name, problems) if file == "-" else read_yaml(name, problems), None


@contextmanager
def answering(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Collect an answer for programs, and print it with --json. A Stop is then printed as an answer, too.

    A line that is not a move, and a draw that does not happen, stop the command.
    """
    from grimalkin.engine.chance import ChanceError
    from grimalkin.engine.words import NotAMove
    from grimalkin.games import guarded

    answer: dict[str, Any] = {}
    kind = "problem"
    try:
        # Anything an engine prints must not mix with an answer for programs.
        with redirect_stdout(sys.stderr) if options.json else nullcontext(), guarded():
            try:
                yield answer
            except NotAMove as error:
                kind = type(error).__name__.lower()
                raise Stop.at(Place("MOVE"), str(error)) from None
            except ChanceError as error:
                kind = "draw"
                raise Stop.at(Place("--draw"), str(error)) from None
        if options.json:
            print(shown_json(answer, options.game))
    except Stop as stop:
        if options.json:
            print(shown_json({"kind": kind, "problems": list(map(_problem_record, stop.problems))}, options.game))
        raise


# The two commands


def _start(options: argparse.Namespace) -> int:
    import secrets

    from grimalkin.engine.shape import Misfits
    from grimalkin.play.table import misfit_problem, open_game

    def told(misfit: Misfit) -> Problem:
        of_seats = misfit.at[:1] == ("seats",)
        at = tuple(one + 1 for one in misfit.at[1:] if isinstance(one, int)) if of_seats else misfit.at
        return misfit_problem(Place("SEAT" if of_seats else "--option"), replace(misfit, at=at))

    with answering(options) as answer:
        game = open_game(options.game)
        seed = secrets.token_hex(4) if options.seed is None else options.seed
        try:
            table = game.start(options.seats, dict(options.option), seed=seed, draws=options.draw)
        except Misfits as error:
            raise Stop(map(told, error.misfits)) from None
        check_drawn("the beginning", options.draw[len(table.draws) :])
        answer |= {"kind": "begun", "seed": seed, "events": events_record(table.opening, table.seats)}
        answer |= now_record(game.module, table._state) | drawn_record(table.draws)
    if not options.json:
        print(shown_json(answer["position"], options.game))
    return 0


@dataclass(slots=True)
class Verdict:
    """The answer about a line: its kind, and the state after the part of it that may be played."""

    kind: str
    seat: str
    state: State
    events: list[Event] = field(default_factory=list)
    no: Refused | TooFar | None = None
    line: str = ""
    """The playable part of a line that goes too far."""
    goes_on: bool = False
    """Whether the same turn continues."""


def _why(options: argparse.Namespace) -> int:
    from grimalkin.engine.replay import quoted, without_draws

    with answering(options) as answer:
        asked = position(options.game, options.file, options.seed or "why")
        line, told = without_draws(asked.game.module, options.move, asked.game.facts)
        asked.chance.said.left += [*asked.game.given(options.draw, asked.state.seats), *told]
        verdict = judged(asked, line)
        if verdict.no is None:
            check_drawn(quoted(options.move), asked.chance.said.left)
        if options.json:
            answer |= verdict_record(verdict, asked)
    if not options.json:
        remark(doubt for _, doubt in asked.doubts)
        print_verdict(verdict, asked)
        print_drawn(asked.chance.draws)
    return 0 if verdict.kind == "legal" else 1


def judged(asked: Asked, line: str) -> Verdict:
    """Play as much of the line as may be played. Raises Unreadable, Ambiguous or ChanceError."""
    from grimalkin.engine.replay import play_line
    from grimalkin.engine.words import OVER, Over, Refused, TooFar

    module, state = asked.game.module, asked.state
    actor, turn = state.to_act(), state.turn_key()
    seat = "nobody" if actor == OVER else state.seats[actor]
    events: list[Event] = []
    try:
        play_line(module, state, line, events)
    except Refused as error:
        before = state.clone()
        # Draws on the way to the refused move may be the reason: play up to it again, so that they are reported.
        for move in module.read(line, state):
            if state.why_not(move):
                break
            state.apply(move)
        return Verdict("over" if isinstance(error, Over) else "refused", seat, before, no=error)
    except TooFar as error:
        moves = module.read(line, state)[: error.count]
        whole = module.write(moves, state)
        for move in moves:
            state.apply(move, events)
        return Verdict("too-far", seat, state, events, error, whole)
    return Verdict("legal", seat, state, events, goes_on=(state.to_act(), state.turn_key()) == (actor, turn))


def check_drawn(what: str, left: Sequence[tuple[str, str]]) -> None:
    """Raise ChanceError if a given item is not drawn."""
    from grimalkin.engine.chance import ChanceError

    for label, item in left:
        raise ChanceError(f'{what} draws nothing for "{label}={item}"')


# For programs


def shown_json(record: Mapping[str, Any], game: str) -> str:
    """Return a record as JSON. Stops if the engine returned a value that JSON cannot represent."""
    try:
        return json.dumps(record, indent=2, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise Stop.at(Place(game), f"the engine returned a value that JSON cannot represent: {error}") from None


def _problem_record(problem: Problem) -> dict[str, Any]:
    line = {"line": problem.place.line} if problem.place.line else {}
    where = {"where": problem.place.where} if problem.place.where else {}
    return {"place": problem.place.path, **line, **where, "message": problem.message, "hint": problem.hint}


def doubts_record(doubts: Sequence[tuple[Misfit, Problem]]) -> dict[str, Any]:
    """Return what is odd about a position, for programs: the keys that lead to it, a message, and a hint."""
    told = [{"at": list(misfit.at), "message": misfit.message, "hint": misfit.hint} for misfit, _ in doubts]
    return {"doubts": told} if told else {}


def result_record(result: Result, seats: Sequence[str]) -> dict[str, Any]:
    """Return a result, for programs."""
    from grimalkin.engine.words import places_of

    steps = [{"rule": rule, "text": sentence} for rule, sentence in result.steps]
    return {
        "winners": result.winners,
        "places": places_of(result, seats),
        "rules": result.rules,
        "because": result.because,
        **({"steps": steps} if steps else {}),
        "facts": dict(result.facts),
    }


def verdict_record(verdict: Verdict, asked: Asked) -> dict[str, Any]:
    from grimalkin.engine.words import Refused

    record: dict[str, Any] = {"kind": verdict.kind, "legal": verdict.no is None, "seat": verdict.seat}
    if isinstance(verdict.no, Refused):
        refusal = verdict.no.refusal
        record |= {"rule": refusal.rule, "because": refusal.because, "move": verdict.no.move}
        record |= {"facts": dict(refusal.facts)}
    else:
        if verdict.no is not None:
            record |= {"line": verdict.line, "left": verdict.no.left, "then": verdict.no.next}
        record |= {"events": events_record(verdict.events, verdict.state.seats)}
    record |= now_record(asked.game.module, verdict.state)
    return record | drawn_record(asked.chance.draws) | doubts_record(asked.doubts)


def now_record(module: GameModule, state: State) -> dict[str, Any]:
    """Return who is to act, the possible moves, the result once there is one, and the position."""
    from grimalkin.engine.words import OVER

    actor, result = state.to_act(), state.result()
    return {
        "to-act": None if actor == OVER else state.seats[actor],
        "moves": moves(module, state),
        **({"result": result_record(result, state.seats)} if result else {}),
        "position": state.position(),
    }


def moves(module: GameModule, state: State) -> list[str]:
    from grimalkin.engine.words import OVER

    return [] if state.to_act() == OVER else [module.write([move], state) for move in state.legal()]


def events_record(events: Sequence[Event], seats: Sequence[str]) -> list[dict[str, Any]]:
    """Return events with their facts and, unless everybody may read them, the seats that may."""
    return [
        {"rule": event.rule, "text": event.text, "facts": dict(event.facts)}
        | ({} if event.audience is None else {"for": [seats[seat] for seat in sorted(event.audience)]})
        for event in events
    ]


def drawn_record(draws: Sequence[tuple[str, str]]) -> dict[str, Any]:
    return {"drawn": [[label, item] for label, item in draws]} if draws else {}


# For people


def print_verdict(verdict: Verdict, asked: Asked) -> None:
    from grimalkin.engine.replay import quoted
    from grimalkin.engine.words import Refused

    seat, no = verdict.seat, verdict.no
    if isinstance(no, Refused):
        law, move = asked.game.law(no.refusal.rule), quoted(no.move)
        if not law.forbids:  # at the table it may be done anyway
            print(f"not taken: {move}")
        else:
            print(f"refused: {move}" if seat == "nobody" else f"refused: {seat} may not {move}")
        print(f"{law.id}, {law.title}: {no.refusal.because}")
        return
    if no is not None:
        may = f"{seat} may {quoted(verdict.line)}"
        print(f"too far: {may}, but the line must end before {quoted(no.left)}. What happens:")
    else:
        print(f"legal: {seat} may." + (" What happens:" if verdict.events else " By itself, it changes nothing."))
    for event in verdict.events:
        print(f"  {event.text}  [{event.rule}]")
    if no is not None:
        print(f"Then {no.next}.")
    elif verdict.goes_on and (choices := moves(asked.game.module, verdict.state)):
        print(f"The turn goes on. Possible moves: {', '.join(choices)}")


def print_drawn(draws: Sequence[tuple[str, str]]) -> None:
    """Print the draws made for this answer; at the table, different ones may come up."""
    if draws:
        print("drawn for this answer: " + ", ".join(f"{label} {item}" for label, item in draws))
