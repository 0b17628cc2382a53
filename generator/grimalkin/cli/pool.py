"""Processes that play for `grimalkin simulate`, and how they are stopped."""

from __future__ import annotations

import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any


class Pool(ProcessPoolExecutor):
    """Processes that drop what they play when they are stopped, and all that comes after.

    They do not just end: a pool that loses one while chunks are cancelled complains, or waits for ever.
    """

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return super().submit(_unless_stopped, fn, *args, **kwargs)


class Now:
    """What a process of the pool does."""

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
    """What the function says. Raises KeyboardInterrupt when this process is stopped meanwhile, or has been."""
    try:
        Now.playing = True
        if Now.stopped:
            raise KeyboardInterrupt
        return function(*arguments, **more)
    finally:
        Now.playing = False
