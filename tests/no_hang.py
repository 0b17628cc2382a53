"""A test that hangs fails instead."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

LONGEST = 60.0
"""Seconds, where one or two are usual. Machines that test are busy."""


class Hang(BaseException):
    """No error that the code under test may catch: what strangers wrote is run under `except Exception`."""


@contextmanager
def no_hang(seconds: float = LONGEST) -> Iterator[None]:
    """Stop what takes longer, again every second in case that it goes on all the same. Windows cannot do that."""
    rang = False

    def stop(*_: object) -> None:
        nonlocal rang
        rang = True
        raise Hang(f"it takes more than {seconds:g} s")

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

    assert not rang, f"it took more than {seconds:g} s"
