"""The checks of a Setting: each returns nothing, or raises an AssertionError that says what broke.

Each plays complete random games, only through `engine.contract`. They need only the standard library, so that they can
also run in a process that has nothing else.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

from grimalkin.engine.chance import Chance, Recorded, Scripted, Seeded, draw_labels
from grimalkin.engine.contract import Facts, GameModule, Move, State
from grimalkin.engine.cribs import Crib, cribs_of
from grimalkin.engine.law import find_home
from grimalkin.engine.loading import doubts_about
from grimalkin.engine.odds import Chart, charts_of
from grimalkin.engine.play import NAMES, find
from grimalkin.engine.words import OVER, Event, Tally

Told = tuple[str, str, dict[str, Any]]


@dataclass(frozen=True)
class Setting:
    """A random game to play: which game, how many seats, which seed, and options in addition to those of SIMULATION.

    `where` is how another process finds the game: `module`, or `module:name` for an object in it. `needs` are the
    packages outside the standard library that its engine imports.
    """

    where: str
    facts: Facts
    seats: int
    seed: int
    options: Mapping[str, Any] = field(default_factory=dict)
    needs: tuple[str, ...] = ()

    @property
    def game(self) -> GameModule:
        return find(self.where)

    def start(self, chance: Chance, log: list[Event] | None = None) -> State:
        options = {**self.game.SIMULATION, **self.options}
        state: State = self.game.start(self.facts, NAMES[: self.seats], options, chance, log)
        return state


@dataclass(frozen=True)
class Before:
    """A state before a move, and that move. `state` is the live state, which then continues."""

    state: State
    legal: list[Move]
    move: Move
    log: list[Event]
    """The events since the start of the game. Those of this move are appended when the walk continues."""


def walk(setting: Setting, chance: Chance | None = None) -> Iterator[Before]:
    """Yield a random game step by step. Stop silently after MOST_DECISIONS, which has its own check."""
    log: list[Event] = []
    state = setting.start(chance or Seeded(setting.seed), log)
    luck = Random(setting.seed).random
    for _ in range(setting.game.MOST_DECISIONS):
        if state.to_act() == OVER:
            return
        legal = state.legal()
        assert legal, "somebody is to act, but no move is legal"
        move = legal[int(luck() * len(legal))]
        yield Before(state, legal, move, log)
        state.apply(move, log)


def every_state(setting: Setting) -> Iterator[State]:
    """Yield the states of a random game, including the last one."""
    state = None
    for before in walk(setting):
        state = before.state
        yield state
    if state is not None:
        yield state


def same(expected: object, actual: object, what: str) -> None:
    assert expected == actual, f"{what}:\n  expected {expected!r}\n  actual   {actual!r}"


# Moves


def legal_moves_keep_a_fixed_order(setting: Setting) -> None:
    """Legal moves are unique, and come in the order of `every_move`."""
    rank = {move: index for index, move in enumerate(setting.game.every_move(setting.facts))}
    for before in walk(setting):
        strange = [move for move in before.legal if move not in rank]
        same([], strange, "legal moves that are not in every_move")
        order = [rank[move] for move in before.legal]
        same(sorted(set(order)), order, "the order of the legal moves")


def legal_moves_are_not_refused(setting: Setting) -> None:
    """`why_not` does not refuse a legal move."""
    for before in walk(setting):
        for move in before.legal:
            refusal = before.state.why_not(move)
            assert refusal is None, f"{move!r} is legal, but refused by {refusal}"


def other_moves_are_refused_by_a_known_rule(setting: Setting) -> None:
    """Every move that is not legal is refused, with an id from REFUSALS and a sentence."""
    game = setting.game
    every = game.every_move(setting.facts)
    for before in walk(setting):
        legal = set(before.legal)
        for move in every:
            if move not in legal:
                refusal = before.state.why_not(move)
                assert refusal is not None, f"{move!r} is neither legal nor refused"
                assert refusal.rule in game.REFUSALS, f"{move!r} is refused by {refusal.rule}, not in REFUSALS"
                assert refusal.because, f"{move!r} is refused without a reason"


# Notation


def notation_reads_back(setting: Setting) -> None:
    """Each small move, and each whole line of one seat, reads back as written, so no two are written alike."""
    game = setting.game
    steps: list[tuple[int, State, Move]] = []
    for before in walk(setting):
        for move in before.legal:
            text = game.write([move], before.state)
            same([move], game.read(text, before.state), f'"{text}" read back')
        steps.append((before.state.to_act(), before.state.clone(), before.move))
    for _, turn in groupby(steps, key=lambda step: step[0]):
        line = list(turn)
        moves = [move for _, _, move in line]
        text = game.write(moves, line[0][1])
        same(moves, game.read(text, line[0][1]), f'"{text}" read back')


# States


def pieces_are_conserved(setting: Setting) -> None:
    """No piece disappears, and no new piece appears."""
    first = None
    for state in every_state(setting):
        pieces = dict(state.pieces())
        first = first or pieces
        same(first, pieces, "pieces")


def replay_reproduces_every_state(setting: Setting) -> None:
    """The recorded moves and draws give the same state at every step, with or without a log."""
    chance = Recorded(Seeded(setting.seed))
    steps = []
    last = None
    for before in walk(setting, chance):
        steps.append((before.state.key(), before.move))
        last = before.state
    script = Scripted(chance.draws)
    state = setting.start(script)
    for number, (key, move) in enumerate(steps):
        same(key, state.key(), f"the state before move {number}")
        state.apply(move)
    if last is not None:
        same(last.key(), state.key(), "the last state")
    same([], script.left, "draws that were recorded and not made again")


def clones_are_equal_and_apart(setting: Setting) -> None:
    """A clone has the same key and future; neither it nor the original ever affects the other."""
    kept = []
    for before in walk(setting):
        state, key = before.state, before.state.key()
        copy, moved = state.clone(), state.clone()
        same(key, copy.key(), "the key of a clone")
        moved.apply(before.move)
        same(key, state.key(), "the key of a state whose clone has moved")
        kept.append((copy, key, moved, moved.key()))
    for number, (copy, key, moved, after) in enumerate(kept):
        same(key, copy.key(), f"the key, at the end, of the clone from move {number}")
        same(after, moved.key(), f"the key, at the end, of the clone that made move {number}")
        if number + 1 < len(kept):
            same(kept[number + 1][1], after, f"the state after move {number}, made by a clone and by the original")


def positions_load_back(setting: Setting) -> None:
    """The record of a state, sent through JSON, loads as an equal state, also at the end.

    Every seat sees the same, and the same moves are legal. Given the draws to come, it continues like the original; it
    also loads without a source of chance.
    """
    chance = Recorded(Seeded(setting.seed))
    steps: list[tuple[Mapping[str, Any], dict[str, Any], Move, int]] = []
    state = None
    for before in walk(setting, chance):
        state = before.state
        steps.append((state.position(), _told(state), before.move, len(chance.draws)))
    if state is None:
        return
    load = setting.game.load
    steps.append((state.position(), _told(state), None, len(chance.draws)))
    for (position, told, move, drawn), (_, after, _, then) in zip(steps, [*steps[1:], steps[-1]], strict=True):
        for record in (position, json.loads(json.dumps(position))):
            _same_told(told, load(setting.facts, record), f"in the state loaded from {record}")
        if move is not None:
            loaded = load(setting.facts, position, Scripted(chance.draws[drawn:then]))
            loaded.apply(move, [])
            _same_told(after, loaded, f"after {move!r}, made in the state loaded from {position}")


def _told(state: State) -> dict[str, Any]:
    """Return the parts of a state that a player can compare, by their names in messages."""
    views = {f"what {name} sees": state.view(seat) for seat, name in enumerate(state.seats)}
    return {"the key": state.key(), "the seat to act": state.to_act(), "what is legal": state.legal(), **views}


def _same_told(expected: Mapping[str, Any], state: State, where: str) -> None:
    for what, told in _told(state).items():
        same(expected[what], told, f"{what} {where}")


def draws_are_declared(setting: Setting) -> None:
    """The label of every draw is in DRAWS, so that scripts can be checked against them."""
    chance = Recorded(Seeded(setting.seed))
    for _ in walk(setting, chance):
        pass
    known = draw_labels(setting.game.DRAWS, NAMES[: setting.seats])
    same([], sorted({label for label, _ in chance.draws} - set(known)), "labels of draws that are not in DRAWS")


# Secrets


def views_hide_what_is_hidden(setting: Setting) -> None:
    """When what a seat cannot know is drawn again, its view and its legal moves stay the same."""
    for number, state in enumerate(every_state(setting)):
        key = state.key()
        for seat in range(setting.seats):
            other = state.imagine(seat, Seeded(f"{setting.seed} {number} {seat}"))
            same(state.view(seat), other.view(seat), f"what {NAMES[seat]} sees")
            same(state.to_act(), other.to_act(), "the seat to act")
            if state.to_act() == seat:
                same(state.legal(), other.legal(), f"what {NAMES[seat]} may do")
        same(key, state.key(), "the key of a state after seats imagined others")


def logs_hide_what_is_hidden(setting: Setting) -> None:
    """When a seat sees the same before and after a move, it reads the same in the log.

    The check imagines worlds that a seat cannot tell apart and, where hidden things differ, tries every legal move of
    somebody else there: if the view does not distinguish the moves, the log must not either. So a view has to show
    whatever the log says openly.
    """
    for seat, move, other_move in _alike(setting):
        told, other_told = _after(*move, seat)[1], _after(*other_move, seat)[1]
        same(told, other_told, f"what {NAMES[seat]} reads about {move[1]!r} and {other_move[1]!r}")


def notation_hides_what_is_hidden(setting: Setting) -> None:
    """When a seat sees the same before and after a move, it reads the same notation; the mover reads all of it.

    A line that goes on after its turn is over is not played, and nothing happens. So what a seat may read of such lines
    must not depend on what is hidden from it. Where only one move is legal, there is nothing to compare.
    """
    write = setting.game.write
    for seat, (state, move), (other, other_move) in _alike(setting):
        written, other_written = write([move], state, seat), write([other_move], other, seat)
        same(written, other_written, f"what {NAMES[seat]} reads for {move!r} and {other_move!r}")
        refused, other_refused = (
            sorted({write(line, world, seat) for line in _too_long(world, first)})
            for world, first in ((state, move), (other, other_move))
        )
        if refused and other_refused:
            same(refused, other_refused, f"what {NAMES[seat]} reads of lines that {move!r} and {other_move!r} begin")
    for before in walk(setting):
        actor = before.state.to_act()
        for line in ([before.move], *_too_long(before.state, before.move)):
            whole = write(line, before.state)
            same(whole, write(line, before.state, actor), "what the seat that moves reads")


def _too_long(state: State, move: Move) -> list[list[Move]]:
    """Return lines of two moves, legal now, of which the first ends the turn, so that the lines go too far."""
    after = state.clone()
    after.apply(move)
    if (after.to_act(), after.turn_key()) == (state.to_act(), state.turn_key()):
        return []
    return [[move, second] for second in state.legal() if second != move]


def _alike(setting: Setting) -> Iterator[tuple[int, tuple[State, Move], tuple[State, Move]]]:
    """Yield pairs of moves, each with the state before it, that look the same to a seat afterwards."""
    for number, before in enumerate(walk(setting)):
        for seat in range(setting.seats):
            seen, _ = _after(before.state, before.move, seat)
            other = before.state.imagine(seat, Seeded(f"{setting.seed} {number} {seat}"))
            hidden = other.key() != before.state.key() and before.state.to_act() != seat
            for move in other.legal() if hidden else [before.move]:
                if seen == _after(other, move, seat)[0]:
                    yield seat, (before.state, before.move), (other, move)


def _after(state: State, move: Move, seat: int) -> tuple[object, list[Told]]:
    """Return what a seat sees after a move, and what it reads about that move."""
    log: list[Event] = []
    state = state.clone()
    state.apply(move, log)
    return state.view(seat), visible(log, seat)


def visible(log: list[Event], seat: int) -> list[Told]:
    """Return the rule, sentence and facts of each event, as far as a seat may read them."""
    return [(e.rule, told, dict(e.facts) if e.is_for(seat) else {}) for e in log if (told := e.told(seat))]


# Ends and scores


def games_end(setting: Setting) -> None:
    """A random game ends within MOST_DECISIONS, and has a result only then."""
    state = setting.start(Seeded(setting.seed))
    for before in walk(setting):
        state = before.state
        assert state.result() is None, "there is a result, but the game goes on"
    assert state.to_act() == OVER, f"no end after {setting.game.MOST_DECISIONS} small moves"
    same([], state.legal(), "legal moves after the end")
    result = state.result()
    assert result is not None, "the game is over, but has no result"
    assert set(result.winners) <= set(state.seats), f"there are winners who do not play: {result.winners}"
    strange = sorted(set(result.rules) - set(setting.game.LAWS))
    same([], strange, "rules of the result that are not in LAWS")


def totals_are_their_lines(setting: Setting) -> None:
    """Each seat has one score, whose total is the sum of its lines; the points of every line are count times each."""
    for state in every_state(setting):
        scores = state.score()
        same(list(state.seats), [score.seat for score in scores], "the seats that score")
        for score in scores:
            same(sum(line.points for line in score.lines), score.total, f"the total of {score}")
            for line in score.lines:
                same(line.count * line.each, line.points, f"the points of {line}")


def score_lines_name_known_rules(setting: Setting) -> None:
    """Every score line names an id from LAWS."""
    for state in every_state(setting):
        named = {line.rule for score in state.score() for line in score.lines}
        same([], sorted(named - set(setting.game.LAWS)), "rules of score lines that are not in LAWS")


def events_name_known_rules(setting: Setting) -> None:
    """Every event names an id from LAWS, has a sentence, and is for seats that exist."""
    log: list[Event] = []
    for before in walk(setting):
        log = before.log
    for event in log:
        assert event.rule in setting.game.LAWS, f"the event {event} names a rule that is not in LAWS"
        assert event.text, f"an event of {event.rule} says nothing"
        assert event.audience is None or event.audience <= set(range(setting.seats)), f"no seat can read {event}"


def laws_name_what_is_there(setting: Setting) -> None:
    """Every law is carried out by something that exists, and every refusal is a law."""
    game = setting.game
    for rule, homes in game.LAWS.items():
        assert homes, f"nothing carries out {rule}"
        for home in homes if isinstance(homes, tuple) else [f"{game.__name__}:{homes}"]:
            assert find_home(home) is not None, f"LAWS says that {home} carries out {rule}, but it does not exist"
    same([], sorted(game.REFUSALS - set(game.LAWS)), "refusals that are not in LAWS")


# Other promises


def components_are_pieces_of_the_game(setting: Setting) -> None:
    """`check_facts` finds nothing wrong with the components."""
    same([], list(setting.game.check_facts(setting.facts)), "what is wrong with the components")


def positions_of_games_are_not_doubted(setting: Setting) -> None:
    """`doubts`, if the game has it, accepts every position that arises in play."""
    for state in every_state(setting):
        same([], doubts_about(setting.game, state), f"doubts about {state.position()}")


def what_is_seen_hides_what_is_hidden(setting: Setting) -> None:
    """`seen`, if the game has it, returns a record, which stays the same when what the seat cannot know is redrawn."""
    seen: Callable[[State, int], object] | None = getattr(setting.game, "seen", None)
    for number, state in enumerate(every_state(setting) if seen else ()):
        for seat in range(setting.seats):
            assert seen is not None
            record = seen(state, seat)
            assert isinstance(record, Mapping), f"{NAMES[seat]} sees {record!r}, which is not a record"
            other = state.imagine(seat, Seeded(f"{setting.seed} {number} {seat}"))
            same(record, seen(other, seat), f"the position as {NAMES[seat]} knows it")


def finished_games_are_counted(setting: Setting) -> None:
    """`tally` counts a finished game and each of its seats, in words and whole numbers; all seats have equal keys."""
    *_, state = [None, *every_state(setting)]
    if state is None or state.to_act() != OVER:
        return
    tally = setting.game.tally(state)
    assert isinstance(tally, Tally), f"{tally!r} is not a Tally"
    same(setting.seats, len(tally.seats), "how many seats are counted")
    for one in tally.seats:
        same(set(tally.seats[0]), set(one), "what is counted of a seat")
    for counts in (tally.game, *tally.seats):
        same(
            {},
            {key: value for key, value in counts.items() if type(value) not in (str, int)},
            "counts that are neither words nor whole numbers",
        )


def bots_choose_legal_moves(setting: Setting) -> None:
    """Every bot, in every seat of a game, always answers with a legal move."""
    for name, make in setting.game.BOTS.items():
        bots = [make(setting.seed * setting.seats + seat) for seat in range(setting.seats)]
        state = setting.start(Seeded(setting.seed))
        for _ in range(setting.game.MOST_DECISIONS):
            seat = state.to_act()
            if seat == OVER:
                break
            legal = state.legal()
            move = bots[seat](state.view(seat), legal[:])
            assert move in legal, f'the bot "{name}" answers {move!r}, which is not legal'
            state.apply(move)


def charts_can_be_made(setting: Setting) -> None:
    """Every function in `CHARTS`, if the game has any, makes a chart from the facts; every one in `CRIBS`, a table."""
    for name, make in charts_of(setting.game).items():
        chart = make(setting.facts)
        assert isinstance(chart, Chart), f'the chart "{name}" is {chart!r}'
    for name, make_crib in cribs_of(setting.game).items():
        crib = make_crib(setting.facts)
        assert isinstance(crib, Crib), f'the table "{name}" is {crib!r}'
        for row in crib.rows:
            same(len(crib.heads), len(row.cells), f'the cells of the row "{row.name}" of the table "{name}"')


# Processes


def fresh_processes_agree(setting: Setting) -> None:
    """The same seed gives the same game in processes with other hash seeds, and in one with only the standard library.

    `-I` makes Python ignore PYTHONHASHSEED. So two processes each get a hash seed and are isolated by `-s -P -S`, which
    is the rest of `-I`; a third runs with `-I -S` as it is. Packages beside Grimalkin or the game are not imported.
    """
    expected = digest(setting)
    own = ["grimalkin", setting.where.partition(":")[0].partition(".")[0], *setting.needs]
    script = _BARE.format(paths=[place for name in own for place in _lies_in(name)], own=own)
    task = json.dumps(asdict(setting))
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    runs: list[tuple[list[str], dict[str, str]]] = [
        (["-s", "-P", "-S"], {"PYTHONHASHSEED": "1"}),
        (["-s", "-P", "-S"], {"PYTHONHASHSEED": "2"}),
        (["-I", "-S"], {}),
    ]
    for flags, more in runs:
        done = subprocess.run(
            [sys.executable, *flags, "-c", script], input=task, env=clean | more, capture_output=True, text=True
        )
        assert done.returncode == 0, f"python {' '.join(flags)} fails:\n{done.stderr}"
        same(expected, done.stdout.strip(), f"the digest of the game under python {' '.join(flags)} {more}")


_BARE = """
import sys

class Bare:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in {{*sys.stdlib_module_names, *{own!r}}}:
            raise ModuleNotFoundError(f"{{name}} is not in the standard library; Setting.needs may name it", name=name)

sys.meta_path.insert(0, Bare())
sys.path[:0] = {paths!r}
from grimalkin.testing import checks
checks.print_digest()
"""


def _lies_in(package: str) -> list[str]:
    """Return the folders where Python has to look for a package."""
    spec = importlib.util.find_spec(package)
    places = [*(spec.submodule_search_locations or [spec.origin or ""])] if spec else []
    return [str(Path(place).absolute().parent) for place in places]


def digest(setting: Setting) -> str:
    """Return a hash of everything that happens in a game."""
    total = hashlib.sha256()
    log: list[Event] = []
    state = setting.start(Seeded(setting.seed))
    for before in walk(setting):
        state, log = before.state, before.log
        legal = [setting.game.write([move], state) for move in before.legal]
        total.update(repr([state.key(), state.position(), legal, state.score()]).encode())
    events = [(e.rule, e.text, e.audience and sorted(e.audience), e.hint, sorted(e.facts.items())) for e in log]
    total.update(repr([state.key(), state.score(), state.result(), events]).encode())
    return total.hexdigest()


def print_digest() -> None:
    """Print the digest of the setting on standard input; fresh processes run this."""
    sys.stdout.write(digest(Setting(**json.load(sys.stdin))))


CHECKS: tuple[Callable[[Setting], None], ...] = (
    legal_moves_keep_a_fixed_order,
    legal_moves_are_not_refused,
    other_moves_are_refused_by_a_known_rule,
    notation_reads_back,
    pieces_are_conserved,
    replay_reproduces_every_state,
    clones_are_equal_and_apart,
    positions_load_back,
    draws_are_declared,
    views_hide_what_is_hidden,
    logs_hide_what_is_hidden,
    notation_hides_what_is_hidden,
    games_end,
    totals_are_their_lines,
    score_lines_name_known_rules,
    events_name_known_rules,
    laws_name_what_is_there,
    components_are_pieces_of_the_game,
    positions_of_games_are_not_doubted,
    what_is_seen_hides_what_is_hidden,
    finished_games_are_counted,
    bots_choose_legal_moves,
    charts_can_be_made,
    fresh_processes_agree,
)
ONCE = (components_are_pieces_of_the_game, bots_choose_legal_moves, charts_can_be_made, fresh_processes_agree)
"""The checks that run with only one seed, because the seed changes nothing or they take longest."""
