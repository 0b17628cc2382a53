"""How much is tried: a sample in every run of the tests, all of it and much more in a soak.

`make soak` runs the tests that are marked so, as those are which are parametrized here. `GRIMALKIN_SOAK` says how many
times as many seeds it tries as `make test` does, `GRIMALKIN_SEED` which is the first, also for drawing a sample.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

MORE = int(os.environ.get("GRIMALKIN_SOAK", "1"))
FIRST = int(os.environ.get("GRIMALKIN_SEED", "0"))


SMALLEST = ["were-kittens"]
"""The bundled game that is soonest looked at whole, for what is otherwise tried with all of them in a soak alone."""


def seeds(count: int) -> range:
    """So many seeds, in a soak many times as many."""
    return range(FIRST, FIRST + count * MORE)


def seeded(count: int) -> Callable[[Any], Any]:
    """Try a test with so many seeds."""
    return _parametrized("seed", seeds(count))


def sampled(names: str | tuple[str, ...], cases: Iterable[Any], count: int, **more: Any) -> Callable[[Any], Any]:
    """Try a test with so many of the cases, in a soak with all of them."""
    return _parametrized(names, sample(cases, count), **more)


def sample(cases: Iterable[Any], count: int) -> list[Any]:
    """So many of the cases in their order, in a soak all of them."""
    found = list(cases)
    kept = set(random.Random(FIRST).sample(range(len(found)), min(count, len(found))))
    return [case for number, case in enumerate(found) if MORE > 1 or number in kept]


def _parametrized(names: str | tuple[str, ...], cases: Iterable[Any], **more: Any) -> Callable[[Any], Any]:
    def decorate(test: Any) -> Any:
        return pytest.mark.soak(pytest.mark.parametrize(names, cases, **more)(test))

    return decorate
