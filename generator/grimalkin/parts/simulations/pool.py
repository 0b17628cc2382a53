"""The pool of processes that play for `grimalkin simulate`."""

from __future__ import annotations

import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any


class Pool(ProcessPoolExecutor):
    """Processes that, when stopped, drop the game they are playing and all later ones.

    They do not simply exit: a pool that loses a process while cancelling chunks complains, or waits for ever.
    """

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return super().submit(_unless_stopped, fn, *args, **kwargs)


class Now:
    """The current state of a process in the pool."""

    playing = False
    stopped = False


def listen() -> None:
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def stop(*_: object) -> None:
    Now.stopped = True
    if Now.playing:
        raise KeyboardInterrupt


def _unless_stopped(function: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
    """Return what the function returns. Raises KeyboardInterrupt if this process is, or has been, stopped."""
    try:
        Now.playing = True
        if Now.stopped:
            raise KeyboardInterrupt
        return function(*arguments, **more)
    finally:
        Now.playing = False
