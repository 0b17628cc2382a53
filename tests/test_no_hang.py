"""The alarm of tests that could hang is heard."""

from __future__ import annotations

import signal
from contextlib import suppress

import pytest
from no_hang import Hang, no_hang

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="Windows has no alarm")


def test_a_hang_is_stopped() -> None:
    """Also within code that goes on after every error."""
    with pytest.raises(Hang), no_hang(0.1):
        while True:
            with suppress(Exception):
                signal.pause()


def test_the_next_hang_is_stopped_too() -> None:
    """When the first alarm was caught after all, as by what no error may leave."""
    with pytest.raises(Hang), no_hang(0.1):
        with suppress(Hang):
            signal.pause()
        signal.pause()


def test_an_alarm_that_was_caught_is_a_failure() -> None:
    """Whatever came of the test then."""
    with pytest.raises(AssertionError, match=r"more than 0\.1 s"), no_hang(0.1), suppress(Hang):
        signal.pause()


def test_no_alarm_is_left_behind() -> None:
    """Nor is one heard by what comes next."""
    before = signal.getsignal(signal.SIGALRM)
    with no_hang(60):
        assert signal.getitimer(signal.ITIMER_REAL)[1] == 1

    assert (0.0, 0.0) == signal.getitimer(signal.ITIMER_REAL)
    assert before == signal.getsignal(signal.SIGALRM)
