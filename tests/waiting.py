"""Waiting for something to be so, and for no longer than it takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event


def until(holds: Callable[[], object], seconds: float = 60, pause: float = 0.02) -> None:
    """Look again and again; machines that test are busy, so what takes long is given time."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "this takes too long"
        Event().wait(pause)
