"""Chance: the only source of luck in a game. Labelled, so that a written example can name what came.

Three kinds answer the same two questions: `Seeded` draws by a seed, `Scripted` gives what a script says and accepts
nothing else, `Recorded` keeps what another source gave, so that the game can be replayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

T = TypeVar("T")


class Chance(Protocol):
    """A source of luck."""

    def pick(self, label: str, pool: Sequence[T]) -> T:
        """One item of a pool. The caller takes it out of the pool when it is gone."""

    def clone(self) -> Chance:
        """A copy whose draws do not disturb this source."""


class ChanceError(Exception):
    """A script and a game disagree about a draw."""


class Seeded:
    """Draws by a seed: the same seed gives the same draws in every process.

    Only `Random.random` is used, the one method whose values Python promises to keep.
    """

    __slots__ = ("_random",)

    def __init__(self, seed: int | str) -> None:
        self._random = Random(str(seed))

    def pick(self, label: str, pool: Sequence[T]) -> T:
        return pool[int(self._random.random() * len(pool))]

    def clone(self) -> Seeded:
        other = Seeded(0)
        other._random.setstate(self._random.getstate())
        return other


class Scripted:
    """Gives what a script says, in order. A draw that is not scripted, or not possible, is an error.

    The script is a list of (label, item as text).
    """

    __slots__ = ("left",)

    def __init__(self, draws: Sequence[tuple[str, str]] = ()) -> None:
        self.left = list(draws)

    def pick(self, label: str, pool: Sequence[T]) -> T:
        if not self.left:
            raise ChanceError(f'a draw of "{label}" is not in the script')
        wanted, text = self.left.pop(0)
        if wanted != label:
            raise ChanceError(f'the script draws "{wanted}", the game draws "{label}"')
        for item in pool:
            if str(item) == text:
                return item
        raise ChanceError(f'"{text}" cannot be drawn for "{label}": it is not there')

    def clone(self) -> Scripted:
        return Scripted(self.left)


class Recorded:
    """Passes another source's draws on and keeps them, as a script that replays the same game."""

    __slots__ = ("_source", "draws")

    def __init__(self, source: Chance) -> None:
        self._source = source
        self.draws: list[tuple[str, str]] = []

    def pick(self, label: str, pool: Sequence[T]) -> T:
        item = self._source.pick(label, pool)
        self.draws.append((label, str(item)))
        return item

    def clone(self) -> Recorded:
        other = Recorded(self._source.clone())
        other.draws = list(self.draws)
        return other
