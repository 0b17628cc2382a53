"""Chance: the only source of luck in a game. Draws are labelled, so that an example can name them.

There are three kinds: `Seeded` draws by a seed, `Scripted` follows a script and accepts nothing else, and `Recorded`
records the draws of another source, so that the game can be replayed. `every_outcome` tries all possible draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from fractions import Fraction

T = TypeVar("T")

SEAT = "{seat}"
"""The placeholder in a declared label for the name of any seat."""


class Chance(Protocol):
    """A source of luck."""

    def pick(self, label: str, pool: Sequence[T]) -> T:
        """Return one item of a pool, which stays as it is."""

    def take(self, label: str, pool: list[T]) -> T:
        """Remove one item from a pool and return it."""

    def clone(self) -> Chance:
        """Return a copy whose draws do not affect this source."""


class ChanceError(Exception):
    """An error for a draw on which a script and a game disagree."""


class _Taking:
    """A source whose `take` removes the item that `pick` chooses."""

    __slots__ = ()

    def take(self: Chance, label: str, pool: list[T]) -> T:
        item = self.pick(label, pool)
        pool.remove(item)
        return item


class Seeded:
    """A source seeded with a number: the same seed gives the same draws in every process.

    Only `Random.random` is used, the one method whose values Python promises to keep.
    """

    __slots__ = ("_next", "_random")

    def __init__(self, seed: int | str) -> None:
        self._random = Random(str(seed))
        self._next = self._random.random

    def pick(self, label: str, pool: Sequence[T]) -> T:
        return pool[int(self._next() * len(pool))]

    def take(self, label: str, pool: list[T]) -> T:
        # The same item as `pick` would give; searching for it to remove it would cost more than everything else.
        return pool.pop(int(self._next() * len(pool)))

    def clone(self) -> Seeded:
        other = Seeded(0)
        other._random.setstate(self._random.getstate())
        return other


class Scripted(_Taking):
    """A source that follows a script in order. A draw that is not scripted, or not possible, is an error.

    The script is a list of (label, item as text). With an empty script, nothing can be drawn.
    """

    __slots__ = ("_written", "left")

    def __init__(self, draws: Sequence[tuple[str, str]] | None = None) -> None:
        self._written = draws is not None
        self.left = list(draws or ())

    def pick(self, label: str, pool: Sequence[T]) -> T:
        if not self.left and not self._written:  # nobody has seen a script, so the message mentions none
            raise ChanceError(f'"{label}" is drawn here, but nothing determines the result: give a draw, or a seed')
        if not self.left:
            raise ChanceError(f'a draw of "{label}" is not in the script')
        wanted, text = self.left.pop(0)
        if wanted != label:
            raise ChanceError(f'the script draws "{wanted}", but the game draws "{label}"')
        for item in pool:
            if str(item) == text:
                return item
        raise ChanceError(f'"{text}" cannot be drawn for "{label}": it is not there')

    def clone(self) -> Scripted:
        return Scripted(self.left if self._written or self.left else None)


class Recorded:
    """A source that passes on another source's draws and records them as a script that replays the game."""

    __slots__ = ("_source", "draws")

    def __init__(self, source: Chance) -> None:
        self._source = source
        self.draws: list[tuple[str, str]] = []

    def source(self) -> Chance:
        """Return the source of the next draw."""
        return self._source

    def pick(self, label: str, pool: Sequence[T]) -> T:
        return self._noted(label, self.source().pick(label, pool))

    def take(self, label: str, pool: list[T]) -> T:
        # Not by `pick`: of two equal items the source may take the other one, which would change the order of the pool.
        return self._noted(label, self.source().take(label, pool))

    def _noted(self, label: str, item: T) -> T:
        self.draws.append((label, str(item)))
        return item

    def clone(self) -> Recorded:
        other = Recorded(self._source.clone())
        other.draws = list(self.draws)
        return other


def draw_labels(declared: Mapping[str, str], seats: Sequence[str]) -> dict[str, str]:
    """Return the labels of a game's draws for these seats, with descriptions, as its module declares them.

    >>> draw_labels({"moon": "a face card", "{seat}": "a card for that seat"}, ["Ada", "Basil"])
    {'moon': 'a face card', 'Ada': 'a card for that seat', 'Basil': 'a card for that seat'}
    """
    labels: dict[str, str] = {}
    for label, words in declared.items():
        labels |= {label.replace(SEAT, name): words for name in (seats if SEAT in label else [""])}
    return labels


def every_outcome(run: Callable[[Chance], T]) -> Iterator[tuple[Fraction, T]]:
    """Yield every outcome of a function's draws as (probability, returned value); probabilities add up to 1.

    All items of a pool are equally likely. The function is called once per outcome, so it must do the same with
    the same draws, and the tree of its draws must be small. Drawing from a pool of one item is allowed.

    >>> def two_cards(chance):
    ...     cards = [1, 2, 4]
    ...     cards.remove(first := chance.pick("card", cards))
    ...     return first + chance.pick("card", cards)
    >>> [f"{weight} {total}" for weight, total in every_outcome(two_cards)]
    ['1/6 3', '1/6 5', '1/6 3', '1/6 6', '1/6 5', '1/6 6']
    """
    from fractions import Fraction  # slow to import, and no game needs it

    way: list[int] | None = []
    while way is not None:
        walk = _Walk(way)
        result = run(walk)
        weight = 1
        for size in walk.sizes:
            weight *= size
        yield Fraction(1, weight), result
        way = walk.next_way()


class _Walk(_Taking):
    """One path through a tree of draws: it begins as given, then takes the first item of every pool."""

    __slots__ = ("sizes", "way")

    def __init__(self, way: list[int]) -> None:
        self.way = way
        self.sizes: list[int] = []
        """The size of the pool of each draw."""

    def pick(self, _label: str, pool: Sequence[T]) -> T:
        if len(self.sizes) == len(self.way):
            self.way.append(0)
        item = pool[self.way[len(self.sizes)]]
        self.sizes.append(len(pool))
        return item

    def clone(self) -> Chance:
        raise ChanceError("the draws of a copy cannot be enumerated: draw from the original")

    def next_way(self) -> list[int] | None:
        """Return the beginning of the next path, or None after the last."""
        for depth in reversed(range(len(self.sizes))):
            if self.way[depth] + 1 < self.sizes[depth]:
                return [*self.way[:depth], self.way[depth] + 1]
        return None
