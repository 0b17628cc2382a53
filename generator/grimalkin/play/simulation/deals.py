"""A plan and a range of deals in, Totals out: a piece of work with the same result wherever it is done.

A deal is one seed of the game's chance. It is played once for each different rotation of the bots, so that neither
seats nor cards favour a bot; or only once, if seats have roles. All luck follows from the number of the deal.
"""

from __future__ import annotations

import hashlib
import importlib
import traceback
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import grimalkin
from grimalkin.engine.chance import Seeded
from grimalkin.engine.contract import Facts, GameModule, State
from grimalkin.engine.play import NAMES, find, play
from grimalkin.engine.words import Tally
from grimalkin.play.simulation.totals import WIN, Key, Paired, Sums, Totals


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play: `where` is the game's module, or `module:name` for an object in it; `bots` has one for each seat.

    `seed` is the number of the first deal. Without `rotate`, every bot keeps its seat, and each seat that shares a win
    counts as a full winner: seats have roles, and win or lose as a side.
    """

    where: str
    facts: Facts
    bots: tuple[str, ...]
    options: Mapping[str, Any]
    seed: int
    edition: str
    """The result of `edition` where the plan was made: a worker with other code must not play it."""
    rotate: bool = True
    each: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    """Options to compare, by label: every deal is played with each set of them, which override `options`."""


class Broken(Exception):
    """An error for a game that could not be played to its end, with its index, its deal and the reason."""

    def __init__(self, index: int, deal: int, because: str) -> None:
        super().__init__(index, deal, because)
        self.index = index
        self.deal = deal
        self.because = because

    def __str__(self) -> str:
        return f"game {self.index} (deal {self.deal}) broke: {self.because}"


class OtherEdition(Exception):
    """An error for a worker whose version of Grimalkin or the game differs from ours."""


def where_is(game: GameModule) -> str:
    """Return the name by which another process finds this game."""
    if isinstance(game, ModuleType):
        return game.__name__
    kind = cast(type, game)
    return f"{kind.__module__}:{kind.__qualname__}"


@lru_cache(maxsize=8)
def edition(where: str) -> str:
    """Return the version of Grimalkin with a digest of all the code that a game depends on: its own, the engine's and
    this package's."""
    digest = hashlib.sha256()
    game = where.partition(":")[0]
    if not game.startswith("grimalkin."):
        game = game.partition(".")[0]  # the whole package: its modules are the game together
    for name in ("grimalkin.engine", "grimalkin.play.simulation", game):
        module = importlib.import_module(name)
        places = [Path(place) for place in getattr(module, "__path__", ())] or [Path(cast(str, module.__file__))]
        for place in places:
            for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
                digest.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n"))
    return f"{grimalkin.__version__} ({digest.hexdigest()[:12]})"


def rotations(bots: Sequence[str], rotate: bool = True) -> int:
    """Return how many different rotations the bots have; 1 without `rotate`.

    >>> [rotations(bots) for bots in (["a", "a"], ["a", "b"], ["a", "b", "a", "b"], ["a", "a", "b"])]
    [1, 2, 2, 3]
    """
    if not rotate:
        return 1
    return next(n for n in range(1, len(bots) + 1) if [*bots[n:], *bots[:n]] == list(bots))


def play_deals(plan: Plan, first: int, last: int) -> Totals:
    """Play the deals of a plan from `first` up to but not including `last`; both count from 0.

    Raises Broken if a bot or the game fails, OtherEdition if the code here is not the code of the plan.
    """
    here = edition(plan.where)
    if here != plan.edition:
        raise OtherEdition(f"a worker has grimalkin {here}, this is grimalkin {plan.edition}")
    game = find(plan.where)
    turns = rotations(plan.bots, plan.rotate)
    each = plan.each or (("", {}),)
    games = [(place, rotation) for place in range(len(each)) for rotation in range(turns)]
    totals = Totals()
    for deal in range(first, last):
        counted = _Deal(game, plan.rotate)
        for index, (place, rotation) in enumerate(games):
            label, more = each[place]
            fault = ""
            try:
                played, tally = _play_game(game, plan, plan.seed + deal, rotation, more, logs=not place)
                if not place:
                    counted.count(played, tally)
                if plan.each:
                    counted.compare(label, played.state, tally)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # an engine may do anything, even exit Python
                fault = f"with {label}: {_because(error)}" if label else _because(error)
            if fault:  # raised only here, since an engine's own exception may not survive the way back
                raise Broken(deal * len(games) + index, plan.seed + deal, fault)
        counted.add_to(totals)
    return totals


@dataclass(frozen=True, slots=True)
class _Played:
    """One finished game: its bots by seat, the rules whose events fired in each seat's turns, and its number of
    decisions."""

    state: State
    bots: Sequence[str]
    fired: Sequence[Counter[str]]
    decisions: int


def _play_game(
    game: GameModule, plan: Plan, deal: int, rotation: int, more: Mapping[str, Any], logs: bool
) -> tuple[_Played, Tally]:
    """Play one game, with `more` options. Bot k sits in seat k + rotation, and has the same luck in all rotations."""
    seats = len(plan.bots)
    chance = Seeded(f"{plan.where.rpartition('.')[2]} {deal}")
    state = game.start(plan.facts, NAMES[:seats], {**game.SIMULATION, **plan.options, **more}, chance)
    order = [(seat - rotation) % seats for seat in range(seats)]
    bots = [game.BOTS[plan.bots[place]](deal * len(NAMES) + place) for place in order]
    fired: list[Counter[str]] = [Counter() for _ in range(seats)]
    decisions = 0
    for seat, _, events in play(state, bots, game.MOST_DECISIONS, logs):
        decisions += 1
        fired[seat].update([event.rule for event in events if not event.idle])
    return _Played(state, [plan.bots[place] for place in order], fired, decisions), game.tally(state)


def _because(error: BaseException) -> str:
    """Return what happened, and the last line of code involved."""
    said = "".join(traceback.format_exception_only(error)).strip()
    frames = traceback.extract_tb(error.__traceback__)
    return f"{said} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else said


class _Deal:
    """The counts from the games of one deal."""

    def __init__(self, game: GameModule, share: bool) -> None:
        self.laws = tuple(game.LAWS)
        self.share = share
        """Whether a shared win is divided between its seats."""
        self.totals = Totals(deals=1)
        self.rates: dict[Key, list[int]] = {}
        """Trials and wins."""
        self.trials = 0
        self.won = 0
        self.compared: dict[str, Counter[str]] = {}
        """By label, what is compared: the game's numbers by their key, and the wins under ""."""

    def count(self, played: _Played, tally: Tally) -> None:
        """Count one game of the deal."""
        totals, shares = self.totals, self.shares(played.state)
        totals.games += 1
        totals.counts.setdefault("", Counter())[played.decisions] += 1
        self.trials += len(shares)
        self.won += sum(shares)
        for seat, won in enumerate(shares):
            self.rate(("bot", played.bots[seat], ""), won)
            self.rate(("seat", str(seat + 1), ""), won)
            for key, value in tally.seats[seat].items():
                self.rate(("word" if isinstance(value, str) else "number", key, str(value)), won)
            for rule in played.fired[seat]:
                self.rate(("rule", rule, "fired"), won)
        for rule in dict.fromkeys(rule for each in played.fired for rule in each):
            self.rate(("rule", rule, "games"), WIN)
        for each in played.fired:
            totals.times.update(each)
        for key, value in tally.game.items():
            if isinstance(value, str):
                self.rate(("game", key, value), WIN)
            else:
                totals.counts.setdefault(key, Counter())[value] += 1
        for name, words in tally.trials.items():
            for word, (tried, came_off) in words.items():
                if tried:
                    self.rate(("trial", name, word), came_off * WIN, tried)

    def compare(self, label: str, state: State, tally: Tally) -> None:
        """Count one game of the deal under its label."""
        shares = self.shares(state)
        self.rate(("each", label, ""), sum(shares), len(shares))
        compared = self.compared.setdefault(label, Counter())
        compared[""] += sum(shares)
        for key, value in tally.game.items():
            if not isinstance(value, str):
                compared[key] += value

    def shares(self, state: State) -> list[int]:
        """Return each seat's share of a win."""
        result = state.result()
        if result is None:
            raise RuntimeError("nobody is to act, and the game has no result")
        share = WIN // max(1, len(result.winners)) if self.share else WIN
        return [share if name in result.winners else 0 for name in state.seats]

    def rate(self, key: Key, won: int, trials: int = 1) -> None:
        trials_and_wins = self.rates.setdefault(key, [0, 0])
        trials_and_wins[0] += trials
        trials_and_wins[1] += won

    def add_to(self, totals: Totals) -> None:
        """Add this deal, with its squares. A rule's other seats are those in whose turns its event did not fire."""
        for rule in self.laws:
            fired, won = self.rates.get(("rule", rule, "fired"), (0, 0))
            if fired < self.trials:
                self.rates["rule", rule, "not"] = [self.trials - fired, self.won - won]
        for (kind, name, word), (trials, won) in self.rates.items():
            sums = self.totals.rates[kind, name, word] = Sums()
            sums.add_deal(trials, won)
        first = next(iter(self.compared.values()), Counter())
        for label, compared in list(self.compared.items())[1:]:
            for name in first:
                more = compared[name] - first[name]
                self.totals.paired[label, name] = Paired(more, more**2, 1)
        totals.add(self.totals)
