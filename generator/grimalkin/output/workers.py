"""Do work in parallel processes. The results are the same for any number of processes."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import active_children, parent_process
from typing import Any, TypeVar

from grimalkin.problems import Place, Stop

MOST_PROCESSES = 61
"""The maximum number of processes that Python starts on Windows."""

T = TypeVar("T")


class Later(Future[T]):
    """Work that this process does itself, when its result is needed."""

    def __init__(self, function: Callable[..., T], *arguments: Any) -> None:
        super().__init__()
        self.work = function, arguments

    def result(self, timeout: float | None = None) -> T:
        if not self.done():
            function, arguments = self.work
            self.set_result(function(*arguments))
        return super().result(timeout)


def as_done(work: Collection[Future[T]]) -> Iterator[Future[T]]:
    """Yield every piece of work when its result is ready, or can be computed here."""
    here = [one for one in work if isinstance(one, Later)]
    yield from here
    yield from as_completed(set(work).difference(here))


def in_parallel(function: Callable[..., T], tasks: Iterable[tuple[object, ...]], jobs: int) -> Iterator[T]:
    """Yield the results of a function in the order of its tasks; only a few tasks run or wait at a time."""
    if jobs == 1:
        for task in tasks:
            yield function(*task)
        return
    with processes(jobs) as pool:
        waiting: deque[Future[T]] = deque()
        for task in tasks:
            waiting.append(pool.submit(function, *task))
            if len(waiting) > 2 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def alone(function: Callable[..., T], *arguments: Any) -> T:
    """Return the result of a function, which runs in a process of its own: when that ends, its memory is free again.

    A process that goes on to other work keeps nearly all of it, in pieces.
    """
    with processes(1) as own:
        return own.submit(function, *arguments).result()


def cores() -> int:
    """Return how many processes we can run in parallel."""
    if hasattr(os, "sched_getaffinity"):  # it may be fewer than the machine has
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def processes(jobs: int) -> Iterator[Executor]:
    """Provide up to `jobs` processes, which start when they first get work.

    They end with the block, or immediately if an error ends it. A process killed from outside is a problem.
    """
    others = active_children()
    pool = ProcessPoolExecutor(min(jobs, MOST_PROCESSES), initializer=_begin)
    try:
        yield pool
    except BaseException as error:
        for process in active_children():
            if process not in others:
                process.terminate()
        if isinstance(error, BrokenExecutor):
            message = "a worker process was killed, probably because memory ran out"
            raise Stop.at(Place("grimalkin"), message, "close other programs, or do less at a time") from None
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Prepare a new process to end silently when Ctrl-C is pressed or its parent is gone."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # ignored in background jobs
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
