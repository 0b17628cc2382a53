"""Counts: only exact whole numbers, so that totals add up the same in any order and on any machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

WIN = 840
"""The units in one win. If up to eight seats share it, each gets a whole number of units."""

Key = tuple[str, str, str]
"""The subject of a rate, as (kind, name, word).

Win rates of seats: ("bot", name, ""), ("seat", number, ""), ("word", key, word) and ("number", key, number) of a tally,
("rule", id, "fired") and ("rule", id, "not") by what happened in the turns of a seat.
Shares of games: ("game", key, word) of a tally, ("rule", id, "games").
Shares of attempts in games: ("trial", name, word) of a tally; each that succeeded is one win.
Win rates of all seats together, if options are compared: ("each", label, "").
"""


@dataclass(slots=True)
class Sums:
    """Trials and wins, and their squares by deal: the games of one deal are not independent of each other.

    Wins are in units of 1/840. `deals` counts the deals with any trial.
    """

    trials: int = 0
    won: int = 0
    trials_squared: int = 0
    trials_won: int = 0
    won_squared: int = 0
    deals: int = 0

    def add_deal(self, trials: int, won: int) -> None:
        """Count one deal."""
        self.trials += trials
        self.won += won
        self.trials_squared += trials * trials
        self.trials_won += trials * won
        self.won_squared += won * won
        self.deals += 1

    def add(self, other: Sums) -> None:
        for name in Sums.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(slots=True)
class Paired:
    """How much more of something one label had than the first, deal by deal: the sum, the sum of squares, and the
    deals.

    Wins are in units of 1/840. Those of all seats and rotations of a deal are one number, and so are a tally's numbers.
    """

    more: int = 0
    squared: int = 0
    deals: int = 0

    def add(self, other: Paired) -> None:
        self.more += other.more
        self.squared += other.squared
        self.deals += other.deals


@dataclass(slots=True)
class Totals:
    """All counts from some deals.

    If options are compared, everything but the rates of "each" and `paired` is about the first label.
    """

    games: int = 0
    deals: int = 0
    rates: dict[Key, Sums] = field(default_factory=dict)
    counts: dict[str, Counter[int]] = field(default_factory=dict)
    """The number of games with each number: by key of the tally, with decisions under ""."""
    times: Counter[str] = field(default_factory=Counter)
    """How often events of each rule happened."""
    paired: dict[tuple[str, str], Paired] = field(default_factory=dict)
    """By label and key of a tally: how much more each label but the first has in a game; under "", of wins."""

    def add(self, other: Totals) -> None:
        """Add other totals. The order does not matter."""
        self.games += other.games
        self.deals += other.deals
        for key, sums in other.rates.items():
            self.rates.setdefault(key, Sums()).add(sums)
        for name, counter in other.counts.items():
            self.counts.setdefault(name, Counter()).update(counter)
        self.times.update(other.times)
        for pair, paired in other.paired.items():
            self.paired.setdefault(pair, Paired()).add(paired)

    def record(self) -> dict[str, Any]:
        """Return the totals as plain JSON, sorted, so that equal totals are equal text."""
        paired = [[*pair, *astuple(sums)] for pair, sums in sorted(self.paired.items())]
        record: dict[str, Any] = {
            "games": self.games,
            "deals": self.deals,
            "rates": [[*key, *astuple(sums)] for key, sums in sorted(self.rates.items())],
            "counts": {name: sorted(counter.items()) for name, counter in sorted(self.counts.items())},
            "times": dict(sorted(self.times.items())),
        }
        return record | ({"paired": paired} if paired else {})

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Totals:
        """Return the totals of a record: the inverse of `record`. Raises ValueError if it is not one."""
        names: dict[str, str] = {}

        def text_of(value: object) -> str:
            """Return one text for all that are equal: a few occur in thousands of rows, and JSON made one for each."""
            return names.setdefault(str(value), str(value))

        try:
            totals = cls(
                _count(record["games"]),
                _count(record["deals"]),
                {(text_of(row[0]), text_of(row[1]), text_of(row[2])): _sums(row[3:9]) for row in record["rates"]},
                {
                    str(name): Counter({int(number): _count(games) for number, games in pairs})
                    for name, pairs in record["counts"].items()
                },
                Counter({str(name): _count(times) for name, times in record["times"].items()}),
                {(str(label), str(name)): _paired(numbers) for label, name, *numbers in record.get("paired", [])},
            )
        except (LookupError, TypeError, AttributeError) as error:
            raise ValueError("these are not totals") from error
        if not totals.deals or not totals.games or totals.games % totals.deals:
            raise ValueError("these are not totals: every deal has the same number of games")
        if any(sums.won > WIN * sums.trials for sums in totals.rates.values()):
            raise ValueError("these are not totals: more wins than trials")
        if any(paired.deals > totals.deals for paired in totals.paired.values()):
            raise ValueError("these are not totals: more deals are compared than were played")
        return totals


def _sums(numbers: Sequence[Any]) -> Sums:
    if {*map(type, numbers)} != {int} or min(numbers) < 0:
        raise ValueError(f"these are not totals: {numbers!r} cannot be counts")
    return Sums(*numbers)


def _paired(numbers: Sequence[Any]) -> Paired:
    if {*map(type, numbers)} != {int}:
        raise ValueError(f"these are not totals: {numbers!r} cannot be differences")
    more, squared, deals = numbers
    if deals < 1 or more**2 > squared * deals:
        raise ValueError(f"these are not totals: {numbers!r} cannot be sums of numbers and of their squares")
    return Paired(more, squared, deals)


def _count(number: object) -> int:
    """Return a number that must be a count."""
    if not isinstance(number, int) or number < 0:
        raise ValueError(f"these are not totals: {number!r} cannot be a count")
    return number
