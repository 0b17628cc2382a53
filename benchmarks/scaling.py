"""A simulation on a scheduler's workers, each a process with one thread, beside the same games in this process.

A slow network is simulated: every chunk waits half of the latency on its way to a worker, and half on its way back, as
its neighbours do at the same time. A worker goes on with the next chunk meanwhile, if it has one.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from threading import Timer
from typing import Any, Final, NamedTuple

from grimalkin.content import Game, load_game
from grimalkin.play.simulation import simulate
from grimalkin.play.simulation.cluster import cluster
from grimalkin.problems import Problems
from grimalkin.source import find_game_folder

GAME = "wolf-mans-curse"
"""The game that is played fastest, so that the way to a worker weighs most."""
SAMPLE = 1536
"""The most games that are played here for a comparison."""
START_UP = 60
"""Seconds for a scheduler and its workers to start."""
START = "import sys; from distributed.cli.{0} import main; sys.argv[0] = '{0}'; main()"


class FarAway(Executor):
    """An executor that is reached, and answers, after a time."""

    def __init__(self, executor: Executor, latency: float) -> None:
        self.executor, self.latency = executor, latency

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **more: Any) -> Future[Any]:
        answer: Future[Any] = Future()
        answer.set_running_or_notify_cancel()

        def come_back(done: Future[Any]) -> None:
            if error := done.exception():
                answer.set_exception(error)
            else:
                answer.set_result(done.result())

        def arrive() -> None:
            there = self.executor.submit(function, *arguments, **more)
            there.add_done_callback(lambda done: self._later(come_back, done))

        self._later(arrive)
        return answer

    def _later(self, do: Callable[..., None], *about: Any) -> None:
        """Do it after half of the latency."""
        timer = Timer(self.latency / 2, do, about)
        timer.daemon = True
        timer.start()


@contextmanager
def workers(count: int) -> Iterator[str]:
    """Start a scheduler and this many workers. Yield the scheduler's address once all of them are there."""
    from distributed import Client

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    started = [_start("dask_scheduler", "--port", address.rpartition(":")[2])]
    started += [_start("dask_worker", address, "--no-nanny", "--nthreads", "1") for _ in range(count)]
    try:
        with Client(address, timeout=START_UP, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=START_UP)
        yield address
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def _start(name: str, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", START.format(name), "--host", "127.0.0.1", "--no-dashboard", *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


class Row(NamedTuple):
    """A simulation: the number of games, the deals in a chunk (None: the usual number), and the latency in seconds."""

    games: int
    chunk: int | None = None
    latency: float = 0.0

    def __str__(self) -> str:
        return f"{self.chunk or 'the usual number of'} deals in a chunk, {self.latency * 1e3:.0f} ms away"


ROWS: Final = (
    Row(100_000),
    *(Row(SAMPLE, 64, latency) for latency in (0.0, 0.1, 0.3, 1.0)),
    *(Row(SAMPLE, 16, latency) for latency in (0.0, 0.03, 0.1, 0.3)),
    *(Row(SAMPLE, 4, latency) for latency in (0.0, 0.01, 0.03, 0.1)),
)


def play(game: Game, games: int, executor: Executor | None = None, jobs: int = 1, chunk: int | None = None) -> float:
    """Play these games, and return how many a second."""
    assert game.module is not None
    begin = time.perf_counter()
    seats = game.module.SEATS[0]
    report = simulate(game.module, game.facts, seats, games, ["random"], executor=executor, jobs=jobs, chunk=chunk)
    return report.games / (time.perf_counter() - begin)


def main(rows: Sequence[Row]) -> None:
    """Print the speed of 1 and of 2 workers beside that of this process, measured in turns."""
    game = load_game(find_game_folder(GAME), Problems())
    assert game is not None
    play(game, 2)  # reads everything once
    speeds: dict[Row, list[tuple[float, float]]] = {row: [] for row in rows}
    for count in (1, 2):
        with workers(count) as address, cluster(address) as (executor, jobs):
            play(game, 8 * count, executor, jobs, 1)
            for row in rows:
                here = play(game, min(row.games, SAMPLE))
                far = FarAway(executor, row.latency) if row.latency else executor
                speeds[row].append((here, play(game, row.games, far, jobs, row.chunk)))
    print(f"| {GAME}, games a second of those here | games | here | 1 worker | 2 workers | 2 of 1 |")
    print("|---|---:|---:|---:|---:|---:|")
    for row, ((here, one), (here_too, two)) in speeds.items():
        cells = f"{(here + here_too) / 2:,.0f} | {one / here:.2f} | {two / here_too:.2f}"
        print(f"| {row} | {row.games:,} | {cells} | {two / here_too * here / one:.2f} |")
    print()
