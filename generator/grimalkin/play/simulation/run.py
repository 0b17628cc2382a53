"""A game, bots and a number of games in, a Report out: deals in chunks, on any executor, with the same totals.

A deal is one seed of the game's chance. It is played once for each different rotation of the bots, so that neither
seats nor cards favour a bot; or only once, if seats have roles. All luck follows from the number of the deal, so the
Totals of a chunk, which is a plan with a range of deals, are the same wherever it is played.
"""

from __future__ import annotations

import hashlib
import importlib
import pickle
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, cast

import grimalkin
from grimalkin.engine.chance import Seeded
from grimalkin.engine.contract import Facts, GameModule, State
from grimalkin.engine.play import NAMES, find, play
from grimalkin.engine.shape import Misfit, Misfits
from grimalkin.engine.words import Tally
from grimalkin.play.simulation.report import Report
from grimalkin.play.simulation.totals import WIN, Key, Paired, Sums, Totals
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import plural


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play: `where` is the game's module, or `module:name` for an object in it; `bots` has one for each seat.

    `seed` is the number of the first deal. Without `rotate`, every bot keeps its seat, and each seat that shares a win
    counts as a full winner: seats have roles, and win or lose as a side.
    """

    where: str
    facts: Facts
    bots: tuple[str, ...]
    options: Mapping[str, Any]
    seed: int
    edition: str
    """The result of `edition` where the plan was made: a worker with other code must not play it."""
    rotate: bool = True
    each: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    """Options to compare, by label: every deal is played with each set of them, which override `options`."""


class Broken(Exception):
    """An error for a game that could not be played to its end, with its index, its deal and the reason."""

    def __init__(self, index: int, deal: int, because: str) -> None:
        super().__init__(index, deal, because)
        self.index = index
        self.deal = deal
        self.because = because

    def __str__(self) -> str:
        return f"game {self.index} (deal {self.deal}) broke: {self.because}"


class OtherEdition(Exception):
    """An error for a worker whose version of Grimalkin or the game differs from ours."""


def where_is(game: GameModule) -> str:
    """Return the name by which another process finds this game."""
    if isinstance(game, ModuleType):
        return game.__name__
    kind = cast(type, game)
    return f"{kind.__module__}:{kind.__qualname__}"


@lru_cache(maxsize=8)
def edition(where: str) -> str:
    """Return the version of Grimalkin with a digest of all the code that a game depends on: its own, the engine's and
    this package's."""
    digest = hashlib.sha256()
    game = where.partition(":")[0]
    if not game.startswith("grimalkin."):
        game = game.partition(".")[0]  # the whole package: its modules are the game together
    for name in ("grimalkin.engine", "grimalkin.play.simulation", game):
        module = importlib.import_module(name)
        places = [Path(place) for place in getattr(module, "__path__", ())] or [Path(cast(str, module.__file__))]
        for place in places:
            for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
                digest.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n"))
    return f"{grimalkin.__version__} ({digest.hexdigest()[:12]})"


def rotations(bots: Sequence[str], rotate: bool = True) -> int:
    """Return the number of different rotations of the bots; 1 without `rotate`.

    >>> [rotations(bots) for bots in (["a", "a"], ["a", "b"], ["a", "b", "a", "b"], ["a", "a", "b"])]
    [1, 2, 2, 3]
    """
    if not rotate:
        return 1
    return next(n for n in range(1, len(bots) + 1) if [*bots[n:], *bots[:n]] == list(bots))


def play_deals(plan: Plan, first: int, last: int) -> Totals:
    """Play the deals of a plan from `first` up to but not including `last`; both count from 0.

    Raises Broken if a bot or the game fails, OtherEdition if the code here is not the code of the plan.
    """
    here = edition(plan.where)
    if here != plan.edition:
        raise OtherEdition(f"a worker has grimalkin {here}, this is grimalkin {plan.edition}")
    game = find(plan.where)
    turns = rotations(plan.bots, plan.rotate)
    each = plan.each or (("", {}),)
    games = [(place, rotation) for place in range(len(each)) for rotation in range(turns)]
    totals = Totals()
    for deal in range(first, last):
        counted = _Deal(game, plan.rotate)
        for index, (place, rotation) in enumerate(games):
            label, more = each[place]
            fault = ""
            try:
                played, tally = _play_game(game, plan, plan.seed + deal, rotation, more, logs=not place)
                if not place:
                    counted.count(played, tally)
                if plan.each:
                    counted.compare(label, played.state, tally)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # an engine may do anything, even exit Python
                fault = f"with {label}: {_because(error)}" if label else _because(error)
            if fault:  # raised only here, since an engine's own exception may not survive the way back
                raise Broken(deal * len(games) + index, plan.seed + deal, fault)
        counted.add_to(totals)
    return totals


def play_packed(packed: bytes, first: int, last: int) -> Totals:
    """Play deals of a plan sent by another process. All its chunks share the facts, and what a game makes of them."""
    return play_deals(_unpacked(packed), first, last)


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Plan:
    plan: Plan = pickle.loads(packed)
    return plan


@dataclass(frozen=True, slots=True)
class _Played:
    """One finished game: its bots by seat, the rules whose events fired in each seat's turns, and its number of
    decisions."""

    state: State
    bots: Sequence[str]
    fired: Sequence[Counter[str]]
    decisions: int


def _play_game(
    game: GameModule, plan: Plan, deal: int, rotation: int, more: Mapping[str, Any], logs: bool
) -> tuple[_Played, Tally]:
    """Play one game, with `more` options. Bot k sits in seat k + rotation, and has the same luck in all rotations."""
    seats = len(plan.bots)
    chance = Seeded(f"{plan.where.rpartition('.')[2]} {deal}")
    state = game.start(plan.facts, NAMES[:seats], {**game.SIMULATION, **plan.options, **more}, chance)
    order = [(seat - rotation) % seats for seat in range(seats)]
    bots = [game.BOTS[plan.bots[place]](deal * len(NAMES) + place) for place in order]
    fired: list[Counter[str]] = [Counter() for _ in range(seats)]
    decisions = 0
    for seat, _, events in play(state, bots, game.MOST_DECISIONS, logs):
        decisions += 1
        fired[seat].update([event.rule for event in events if not event.idle])
    return _Played(state, [plan.bots[place] for place in order], fired, decisions), game.tally(state)


def _because(error: BaseException) -> str:
    """Return what went wrong, and the last line of code involved."""
    said = "".join(traceback.format_exception_only(error)).strip()
    frames = traceback.extract_tb(error.__traceback__)
    return f"{said} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else said


class _Deal:
    """The counts from the games of one deal."""

    def __init__(self, game: GameModule, share: bool) -> None:
        self.laws = tuple(game.LAWS)
        self.share = share
        """Whether a shared win is divided between its seats."""
        self.totals = Totals(deals=1)
        self.rates: dict[Key, list[int]] = {}
        """Trials and wins."""
        self.trials = 0
        self.won = 0
        self.compared: dict[str, Counter[str]] = {}
        """By label, what is compared: the game's numbers by their key, and the wins under ""."""

    def count(self, played: _Played, tally: Tally) -> None:
        """Count one game of the deal."""
        totals, shares = self.totals, self.shares(played.state)
        totals.games += 1
        totals.counts.setdefault("", Counter())[played.decisions] += 1
        self.trials += len(shares)
        self.won += sum(shares)
        for seat, won in enumerate(shares):
            self.rate(("bot", played.bots[seat], ""), won)
            self.rate(("seat", str(seat + 1), ""), won)
            for key, value in tally.seats[seat].items():
                self.rate(("word" if isinstance(value, str) else "number", key, str(value)), won)
            for rule in played.fired[seat]:
                self.rate(("rule", rule, "fired"), won)
        for rule in dict.fromkeys(rule for each in played.fired for rule in each):
            self.rate(("rule", rule, "games"), WIN)
        for each in played.fired:
            totals.times.update(each)
        for key, value in tally.game.items():
            if isinstance(value, str):
                self.rate(("game", key, value), WIN)
            else:
                totals.counts.setdefault(key, Counter())[value] += 1
        for name, words in tally.trials.items():
            for word, (tried, came_off) in words.items():
                if tried:
                    self.rate(("trial", name, word), came_off * WIN, tried)

    def compare(self, label: str, state: State, tally: Tally) -> None:
        """Count one game of the deal under its label."""
        shares = self.shares(state)
        self.rate(("each", label, ""), sum(shares), len(shares))
        compared = self.compared.setdefault(label, Counter())
        compared[""] += sum(shares)
        for key, value in tally.game.items():
            if not isinstance(value, str):
                compared[key] += value

    def shares(self, state: State) -> list[int]:
        """Return each seat's share of a win."""
        result = state.result()
        if result is None:
            raise RuntimeError("nobody is to act, and the game has no result")
        share = WIN // max(1, len(result.winners)) if self.share else WIN
        return [share if name in result.winners else 0 for name in state.seats]

    def rate(self, key: Key, won: int, trials: int = 1) -> None:
        trials_and_wins = self.rates.setdefault(key, [0, 0])
        trials_and_wins[0] += trials
        trials_and_wins[1] += won

    def add_to(self, totals: Totals) -> None:
        """Add this deal, with its squares. A rule's other seats are those in whose turns its event did not fire."""
        for rule in self.laws:
            fired, won = self.rates.get(("rule", rule, "fired"), (0, 0))
            if fired < self.trials:
                self.rates["rule", rule, "not"] = [self.trials - fired, self.won - won]
        for (kind, name, word), (trials, won) in self.rates.items():
            sums = self.totals.rates[kind, name, word] = Sums()
            sums.add_deal(trials, won)
        first = next(iter(self.compared.values()), Counter())
        for label, compared in list(self.compared.items())[1:]:
            for name in first:
                more = compared[name] - first[name]
                self.totals.paired[label, name] = Paired(more, more**2, 1)
        totals.add(self.totals)


# Many deals


MOST_IN_A_CHUNK = 64
"""The most deals in a chunk: few enough to show progress and to lose little with a worker, yet cheap to send."""

Progress = Callable[[int], None]
"""Called with the number of games finished since the last call."""


Each = Mapping[str, Mapping[str, Any]]
"""Options to compare, by label."""


def misfits(
    game: GameModule,
    players: int,
    bots: Sequence[str],
    options: Mapping[str, Any],
    each: Each = MappingProxyType({}),
    facts: Facts | None = None,
) -> list[Misfit]:
    """Return what is wrong with a request for a simulation; each misfit has the parameter of `simulate` concerned.

    If `facts` are given, the game must also be able to begin with them.
    """
    found: list[Misfit] = []
    least, most = game.SEATS[0], min(game.SEATS[1], len(NAMES))
    if not least <= players <= most:
        many = f"{least}" if least == most else f"{least} to {most}"
        hint = f"{many} {'plays' if most == 1 else 'play'}"
        found.append(Misfit(("players",), f"{players} is the wrong number", hint))
    if not bots:
        found.append(Misfit(("bots",), "no bot is named", did_you_mean("", game.BOTS)))
    elif len(bots) not in (1, players):
        many = f"{len(bots)} bots are named for {plural(players, 'player')}"
        found.append(Misfit(("bots",), many, "name one for all, or one for each seat"))
    for index, bot in enumerate(bots):
        if bot not in game.BOTS:
            found.append(Misfit(("bots", index), f'there is no bot "{bot}"', did_you_mean(bot, game.BOTS)))
    if len(each) == 1:
        found.append(Misfit(("each",), "there is nothing to compare it with", "name two or more"))
    wrong: dict[Misfit, None] = {}  # in order; faults in shared options appear only once
    for label, more in (each or {"": {}}).items():
        begin = None if facts is None or found else (facts, NAMES[:players])
        for misfit in _misfits_of_options(game, {**options, **more}, begin):
            own = bool(misfit.at) and misfit.at[0] in more
            at = ("each", label) if own else ("options",)
            wrong[Misfit((*at, *misfit.at), misfit.message, misfit.hint)] = None
    return found + list(wrong)


def _misfits_of_options(
    game: GameModule, options: dict[str, Any], begin: tuple[Facts, Sequence[str]] | None
) -> Sequence[Misfit]:
    _, wrong = game.OPTIONS.read(options)
    if begin and not wrong:
        facts, seats = begin
        try:
            game.start(facts, seats, {**game.SIMULATION, **options}, Seeded("0"))
        except Misfits as cannot:
            return cannot.misfits
        except Exception:  # an engine may do anything; when it plays, the error names the deal
            return wrong
    return wrong


def simulate(
    game: GameModule | str,
    facts: Facts,
    players: int,
    games: int,
    bots: Sequence[str],
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    executor: Executor | None = None,
    jobs: int = 1,
    chunk: int | None = None,
    progress: Progress = lambda _: None,
    rotate: bool = True,
    each: Each = MappingProxyType({}),
) -> Report:
    """Play at least this number of `games`, in whole deals, and return what was counted.

    `game` is a game's module, or its name (see Plan). `bots` are one name for all seats, or one for each seat.
    `options` are those of the game's `start`, and override its SIMULATION. `seed` is the number of the first deal. At
    most three chunks for each of its `jobs` are running or waiting in an `executor`, which is left open. `chunk` is the
    number of deals in one. Neither changes the totals. Without `rotate` bots keep their seats (see Plan). With `each`,
    options by label, this number of games is played with each label's options on the same deals, and compared with the
    first. Raises Misfits if this cannot be played, and what `play_deals` raises.
    """
    where = game if isinstance(game, str) else where_is(game)
    wrong = misfits(find(where), players, bots, options or {}, each, facts)
    if games < 1:
        wrong.append(Misfit(("games",), f"{games} is too few", "at least 1"))
    if wrong:
        raise Misfits(wrong)
    seats = tuple(bots) if len(bots) == players else tuple(bots) * players
    plan = Plan(where, facts, seats, dict(options or {}), seed, edition(where), rotate, tuple(each.items()))
    turns = rotations(seats, rotate)
    deals = -(-games // turns)
    most = max(1, MOST_IN_A_CHUNK // max(1, len(each)))
    size = chunk or min(most, max(1, deals // (8 * jobs)))
    ranges = ((first, min(first + size, deals)) for first in range(0, deals, size))
    totals = Totals()
    for part in _here(plan, ranges) if executor is None else _spread(plan, ranges, executor, 3 * jobs):
        totals.add(part)
        progress(part.games)
    return Report(seats, totals, rotate, tuple(each))


def _here(plan: Plan, ranges: Iterator[tuple[int, int]]) -> Iterator[Totals]:
    """Yield the totals of chunks played in this process."""
    for first, last in ranges:
        yield play_deals(plan, first, last)


def _spread(plan: Plan, ranges: Iterator[tuple[int, int]], executor: Executor, most: int) -> Iterator[Totals]:
    """Yield the totals of chunks as an executor finishes them. If one breaks, or the caller stops, the others are
    dropped."""
    packed = pickle.dumps(plan)
    waiting: set[Future[Totals]] = set()
    asked: dict[Future[Totals], tuple[int, int, int]] = {}

    def ask(first: int, last: int, again: int) -> None:
        future = executor.submit(play_packed, packed, first, last)
        asked[future] = first, last, again
        waiting.add(future)

    def collect() -> Iterator[Totals]:
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            waiting.remove(future)
            first, last, again = asked.pop(future)
            try:
                totals = future.result()
            except TypeError:
                # A game's own errors arrive as Broken. This is dask's executor, which stumbles over the result of a
                # worker that has died since (distributed/cfexecutor.py); a chunk counts the same when played again.
                if not again:
                    raise
                ask(first, last, again - 1)
            else:
                yield totals

    try:
        for first, last in ranges:
            ask(first, last, 3)
            if len(waiting) >= most:
                yield from collect()
        while waiting:
            yield from collect()
    except BrokenExecutor:
        waiting.clear()  # the executor ends them itself, and a cancelled one would be in its way
        raise
    finally:
        for future in waiting:
            future.cancel()
