"""Totals in, rates with intervals and summaries of numbers out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import inf, sqrt
from typing import Any

from grimalkin.play.simulation.totals import WIN, Key, Paired, Sums, Totals

Z = 1.959963984540054
"""The 97.5th percentile of the standard normal distribution, for 95 % intervals."""
TURNS = ("fired", "not")
"""The words of a rule whose rates are win rates of seats."""


@dataclass(frozen=True, slots=True)
class Row:
    """A rate with its interval, as fractions, and how many seats, games or trials it counts.

    It may also be a mean difference, and the number of deals.
    """

    label: str
    rate: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Group:
    """Rates that are compared with each other. `fair` is what each would be if nothing mattered.

    With `seats`, each row is the rate of one seat.
    """

    title: str
    rows: tuple[Row, ...]
    fair: float | None = None
    seats: bool = False

    @property
    def heading(self) -> str:
        return self.title

    @property
    def line(self) -> tuple[float, str] | None:
        """Return where a plot has a line, and what the line means."""
        return None if self.fair is None else (self.fair, f"the fair share, {percent(self.fair)}")

    def say(self, rate: float) -> str:
        return percent(rate)

    def mark(self, rate: float) -> str:
        """Return a rate as a label of an axis."""
        return f"{100 * rate:.0f} %"


@dataclass(frozen=True, slots=True)
class Differences:
    """The differences in a number between each label and the first, on the same deals; with `shares`, in win rates.

    `base` is the number for the first label.
    """

    title: str
    first: str
    base: float
    rows: tuple[Row, ...]
    shares: bool = False

    @property
    def heading(self) -> str:
        return f'{self.title}, compared with "{self.first}"'

    @property
    def line(self) -> tuple[float, str]:
        return 0.0, "no difference"

    def say(self, more: float) -> str:
        return signed(100 * more, 1) + " %" if self.shares else signed(more, 2)

    def mark(self, more: float) -> str:
        return signed(100 * more, 0) + " %" if self.shares else signed(more, 2).removesuffix("0").removesuffix(".0")


@dataclass(frozen=True, slots=True)
class Number:
    """A summary of a whole number in `n` games or seats. Quartiles are the lowest values that reach their share."""

    label: str
    mean: float
    least: int
    quarter: int
    median: int
    three_quarters: int
    most: int
    n: int


@dataclass(frozen=True, slots=True)
class Fired:
    """How often a rule's events happened: the share of games, the number of events, and the win rates of seats.

    `with_` counts the seats in whose turns it happened, `without` the others; None if there are none.
    """

    rule: str
    games: Row
    times: int
    with_: Row | None
    without: Row | None


@dataclass(frozen=True)
class Report:
    """The results of a simulation: one bot for each seat, what was counted, and whether bots rotated through the seats.

    If options were compared, `each` has their labels; everything but `options` and `differences` is about the first.
    """

    bots: tuple[str, ...]
    totals: Totals
    rotate: bool = True
    each: tuple[str, ...] = ()

    @property
    def players(self) -> int:
        return len(self.bots)

    @property
    def games(self) -> int:
        return self.totals.games

    @property
    def deals(self) -> int:
        return self.totals.deals

    @property
    def decisions(self) -> Number:
        """Return the summary of small moves in a game."""
        return summary("decisions a game", self.totals.counts[""])

    def record(self) -> dict[str, Any]:
        """Return the report as plain JSON: the inverse of `from_record`."""
        record: dict[str, Any] = {"bots": list(self.bots)} | ({} if self.rotate else {"rotate": False})
        record |= {"each": list(self.each)} if self.each else {}
        return {**record, "totals": self.totals.record()}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Report:
        """Return the report of a record. Raises ValueError if it is not a record, or its numbers give no results."""
        try:
            totals = Totals.from_record(record["totals"])
            each = tuple(map(str, record.get("each", ())))
            report = cls(tuple(map(str, record["bots"])), totals, bool(record.get("rotate", True)), each)
            # Code that shows a report can rely on it, even if somebody edited the record by hand.
            for results in (report.groups, report.ends, report.trials, report.numbers, report.options):
                results()
            report.differences()
            report._check_rules()
        except (ArithmeticError, LookupError, TypeError) as error:
            raise ValueError("this is not a record of a simulation") from error
        return report

    def groups(self) -> tuple[Group, ...]:
        """Return the win rates of seats: by bot if there are several, by seat, and by the words of the game's tally."""
        rates = self.totals.rates
        sums_of_seats = [rates["seat", str(seat), ""] for seat in range(1, self.players + 1)]
        # If nobody may win, an equal share of the wins is less than one of the games. Roles need not be equal.
        won, played = sum(sums.won for sums in sums_of_seats), sum(sums.trials for sums in sums_of_seats)
        fair = won / (WIN * played) if self.rotate else None
        bots = [(name, ("bot", name, "")) for name in self._names("bot")]
        seats = [(name, ("seat", name, "")) for name in map(str, range(1, self.players + 1))]
        tables = [("bot", bots, False)] * (len(bots) > 1) + [("seat", seats, True)]
        for name in self._names("word"):
            tables.append((name, [(word, ("word", name, word)) for word in self._words("word", name)], False))
        return tuple(
            Group(f"Win rate by {name}", tuple(self._row(label, key) for label, key in rows), fair, of_seats)
            for name, rows, of_seats in tables
        )

    def options(self) -> Group | None:
        """Return the win rate of all seats together by label; None if no options were compared."""
        rows = tuple(self._row(label, ("each", label, "")) for label in self.each)
        return Group("Win rate by option", rows) if rows else None

    def differences(self) -> tuple[Differences, ...]:
        """Return how much more each label has than the first: of wins, then of each number of the game's tally."""
        turns = self.games // self.deals
        names = sorted({"" for _ in self.each[:1]} | {name for _, name in self.totals.paired})
        found = []
        for name in names:
            whole = turns if name else turns * self.players * WIN
            most = inf if name else 1.0
            rows = tuple(_more(label, self.totals.paired[label, name], whole, most) for label in self.each[1:])
            title = name[:1].upper() + name[1:] or "Win rate"
            base = (
                summary(name, self.totals.counts[name]).mean if name else self._row("", ("each", self.each[0], "")).rate
            )
            found.append(Differences(title, self.each[0], base, rows, not name))
        return tuple(found)

    def ends(self) -> tuple[Group, ...]:
        """Return shares of games by the words of the game's tally, the most frequent first."""
        groups = []
        for name in self._names("game"):
            rows = [self._share(word, ("game", name, word)) for word in self._words("game", name)]
            groups.append(Group(f"Share of games by {name}", tuple(sorted(rows, key=lambda row: (-row.n, row.label)))))
        return tuple(groups)

    def trials(self) -> tuple[Group, ...]:
        """Return how often attempts succeeded: a group for each name of the game's tally, a row for each word."""
        return tuple(
            Group(name, tuple(self._row(word, ("trial", name, word)) for word in self._words("trial", name)))
            for name in self._names("trial")
        )

    def numbers(self) -> tuple[Number, ...]:
        """Return summaries of the decisions, then of the numbers of the game's tally."""
        counts = self.totals.counts
        numbers = [summary(f"{name} of a game", counts[name]) for name in sorted(counts) if name]
        for name in self._names("number"):
            words = self._words("number", name)
            seen = {int(word): self.totals.rates["number", name, word].trials for word in words}
            numbers.append(summary(f"{name} of a seat", seen))
        return (self.decisions, *numbers)

    def rules(self) -> tuple[Fired, ...]:
        """Return every rule that the engine knows, sorted by the number of games in which they fired, highest first."""
        fired = []
        for name in self._names("rule"):
            games = self._share(name, ("rule", name, "games"))
            with_, without = (
                self._row(name, ("rule", name, word)) if ("rule", name, word) in self.totals.rates else None
                for word in TURNS
            )
            fired.append(Fired(name, games, self.totals.times[name], with_, without))
        return tuple(sorted(fired, key=lambda one: (-one.games.n, -one.times, one.rule)))

    def _check_rules(self) -> None:
        """Raise whatever `rules` would raise. A record has hundreds of them, and most are only checked."""
        for name, words in self._named.get("rule", {}).items():
            self._interval_of_share(("rule", name, "games"))
            for word in words:
                if word in TURNS:
                    interval(self.totals.rates["rule", name, word])

    @cached_property
    def _named(self) -> dict[str, dict[str, list[str]]]:
        """Return the words of all rates by kind and name, everything sorted."""
        named: dict[str, dict[str, list[str]]] = {}
        for kind, name, word in sorted(self.totals.rates):
            named.setdefault(kind, {}).setdefault(name, []).append(word)
        return named

    def _names(self, kind: str) -> list[str]:
        """Return the names of the rates of a kind, sorted."""
        return list(self._named.get(kind, ()))

    def _words(self, kind: str, name: str) -> list[str]:
        """Return the words seen under a name, sorted."""
        return self._named[kind][name]

    @cached_property
    def _never(self) -> tuple[float, float]:
        """Return the interval of a share of no games, as most rules have it."""
        return wilson(0.0, self.deals)

    def _row(self, label: str, key: Key) -> Row:
        """Return a row with a win rate of seats, or with how often a trial succeeded."""
        sums = self.totals.rates[key]
        return Row(label, sums.won / (WIN * sums.trials), *interval(sums), sums.trials)

    def _share(self, label: str, key: Key) -> Row:
        """Return a row with a share of games."""
        some = self.totals.rates.get(key, Sums())
        return Row(label, some.won / (WIN * self.games), *self._interval_of_share(key), some.trials)

    def _interval_of_share(self, key: Key) -> tuple[float, float]:
        """Return the interval of a share of games. Every deal has the same number of games; those without the word were
        not summed."""
        some = self.totals.rates.get(key)
        if some is None:
            return self._never
        games, deals = self.games, self.deals
        each = games // deals
        return interval(Sums(games, some.won, deals * each**2, each * some.won, some.won_squared, deals))


def interval(sums: Sums) -> tuple[float, float]:
    """Return the 95 % interval of a rate, from its sums by deal.

    It is Wilson's interval with an effective number of trials instead of the number of trials, as for samples
    drawn in clusters (Kott 2017, "A note on Wilson coverage intervals for proportions estimated from complex samples",
    Survey Methodology 43 (2); Franco, Little, Louis and Slud 2019, doi.org/10.1093/jssam/smy019, compare it with
    others). With w wins in n trials of each of D deals, N trials in all and the rate p:

        variance  = D / (D - 1) * sum of (w - p n)² over the deals / N²    (that of a ratio of two sums)
        effective = p (1 - p) / variance

    So that a few deals that happen to agree do not look certain, the sum includes one more deal, of the mean square
    size, all of whose trials go the same way: p (1 - p) * mean of n². If all trials went one way, each deal counts as
    one.
    """
    won, trials, deals = sums.won, sums.trials, sums.deals
    rate = won / (WIN * trials)
    if won in (0, WIN * trials) or deals == 1:
        return wilson(rate, deals)
    # Whole numbers up to here, so that the difference of large squares is exact.
    spread = sums.won_squared * trials**2 - 2 * won * trials * sums.trials_won + won**2 * sums.trials_squared
    squares = spread / (WIN * trials) ** 2 + rate * (1 - rate) * sums.trials_squared / deals
    variance = deals / (deals - 1) * squares / trials**2
    return wilson(rate, rate * (1 - rate) / variance)


def _more(label: str, paired: Paired, whole: int, most: float) -> Row:
    low, high = paired_interval(paired, whole)
    return Row(label, paired.more / (whole * paired.deals), max(-most, low), min(most, high), paired.deals)


def paired_interval(paired: Paired, whole: int) -> tuple[float, float]:
    """Return the 95 % interval of a mean difference by deal; `whole` units are a difference of one.

    It is the mean ± z standard errors, with two more deals, one each way, so that a few deals that agree do not look
    certain (Bonett and Price 2012, "Adjusted Wald confidence interval for a difference of binomial proportions based on
    paired data", Journal of Educational and Behavioral Statistics 37 (4)). They differ by one; for numbers, which may
    differ by more, by the root mean square of the deals' differences.
    """
    deals = paired.deals + 2
    squared = paired.squared + 2 * max(whole**2, -(-paired.squared // paired.deals))
    # Whole numbers up to here, so that the difference of large squares is exact.
    half = Z * sqrt((squared * deals - paired.more**2) / deals**3) / whole
    middle = paired.more / (deals * whole)
    return middle - half, middle + half


def wilson(rate: float, trials: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval (1927) for a rate seen in a number of independent trials.

    >>> ["%.4f" % end for end in wilson(0.5, 100)]
    ['0.4038', '0.5962']
    """
    middle = rate + Z**2 / (2 * trials)
    half = Z * sqrt(rate * (1 - rate) / trials + Z**2 / (4 * trials**2))
    whole = 1 + Z**2 / trials
    return 0.0 if rate == 0 else (middle - half) / whole, 1.0 if rate == 1 else (middle + half) / whole


def summary(label: str, counter: Mapping[int, int]) -> Number:
    """Return the mean and quartiles of numbers, from how often each was seen.

    >>> summary("rounds", {3: 1, 5: 2, 9: 1})
    Number(label='rounds', mean=5.5, least=3, quarter=3, median=5, three_quarters=5, most=9, n=4)
    """
    values = sorted(counter)
    n = sum(counter.values())
    up_to = list(accumulate(counter[value] for value in values))
    first, second, third = (values[bisect_left(up_to, quarters * n / 4)] for quarters in (1, 2, 3))
    mean = sum(value * times for value, times in counter.items()) / n
    return Number(label, mean, values[0], first, second, third, values[-1], n)


def percent(share: float) -> str:
    """Return a share as people read it.

    >>> percent(0.3456)
    '34.6 %'
    """
    return f"{100 * share:.1f} %"


def signed(number: float, places: int) -> str:
    """Return a difference as people read it, with a plus or minus sign unless it is 0.

    >>> signed(1.25, 2), signed(-0.5, 1), signed(-0.01, 1)
    ('+1.25', '−0.5', '0.0')
    """
    text = f"{number:+.{places}f}"
    return text.replace("-", "−") if float(text) else text[1:]
