"""A game, bots and a number of games in, a Report out: deals in chunks, on any executor, with the same totals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from types import MappingProxyType
from typing import Any

from grimalkin.engine.chance import Seeded
from grimalkin.engine.contract import Facts, GameModule
from grimalkin.engine.play import NAMES, find
from grimalkin.engine.shape import Misfit, Misfits
from grimalkin.play.simulation.deals import Plan, edition, play_deals, rotations, where_is
from grimalkin.play.simulation.report import Report
from grimalkin.play.simulation.totals import Totals
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import plural

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
    waiting: set[Future[Totals]] = set()
    asked: dict[Future[Totals], tuple[int, int, int]] = {}

    def ask(first: int, last: int, again: int) -> None:
        future = executor.submit(play_deals, plan, first, last)
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
