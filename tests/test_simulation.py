"""Simulations: what is counted is right, whoever plays the games and in whatever pieces."""

from __future__ import annotations

import argparse
import csv
import errno
import io
import json
import os
import pickle
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from random import Random
from types import MappingProxyType, ModuleType
from xml.etree import ElementTree

import pytest
import toy_game
from games_for_tests import bundled_game, leave_examples_at_home
from soak import FIRST, MORE, sampled
from waiting import until

from grimalkin.cli import main
from grimalkin.content import load_game, prove
from grimalkin.content.game import facts_print
from grimalkin.engine.chance import Seeded
from grimalkin.engine.shape import Choice, Listing, Misfit, Misfits, Record, Whole
from grimalkin.engine.words import OVER, Event, Line, Result, Score, Tally
from grimalkin.games import find_game
from grimalkin.parts.simulations import cli as simulating
from grimalkin.parts.simulations import pool
from grimalkin.parts.simulations.content import simulations_of
from grimalkin.parts.simulations.questions import Simulation
from grimalkin.parts.simulations.recordings import command, first_games, run, spoken
from grimalkin.play.simulation import Broken, Differences, Group, OtherEdition, Report, Row, renderings, simulate
from grimalkin.play.simulation.report import interval, paired_interval, summary, wilson
from grimalkin.play.simulation.run import Plan, edition, play_deals
from grimalkin.play.simulation.totals import WIN, Paired, Sums, Totals
from grimalkin.problems import Problems
from grimalkin.source import bundled_games, data_folder, find_game_folder


class Show:
    """A game for tests: in turn each seat shows a number, and the highest wins. What comes out needs no computer."""

    def __init__(self, seats):
        self.seats, self.shown = tuple(seats), []

    def to_act(self):
        return len(self.shown) if len(self.shown) < len(self.seats) else OVER

    def legal(self):
        return [1, 5, 9]

    def view(self, seat):
        return seat

    def apply(self, move, log=None):
        self.shown.append(move)
        log += [Event("SHOW-1", "A number.")] + [Event("SHOW-2", "A nine.")] * (2 if move == 9 else 0)

    def result(self):
        best = max(self.shown)
        winners = [name for name, number in zip(self.seats, self.shown, strict=True) if number == best]
        return Result(tuple(winners), ("SHOW-1",), "highest")

    def score(self):
        each = zip(self.seats, self.shown, strict=True)
        return [Score(name, (Line("SHOW-1", "number", 1, number, number),)) for name, number in each]


class Showing:
    """The game in the shape of a module."""

    SEATS = (1, 8)
    LAWS = MappingProxyType({f"SHOW-{number}": ("test_simulation:Show.apply",) for number in (1, 2, 3)})
    OPTIONS = Record({})
    SIMULATION = MappingProxyType({})
    MOST_DECISIONS = 8
    BOTS = MappingProxyType(
        {
            "nine": lambda seed: lambda view, legal: 9,
            "five": lambda seed: lambda view, legal: 5,
            "one": lambda seed: lambda view, legal: 1,
            "cheat": lambda seed: lambda view, legal: 7,
            "weary": lambda seed: lambda view, legal: {}[seed] if seed >= 80 else 5,
        }
    )

    @classmethod
    def start(cls, facts, seats, options, chance):
        return Show(seats)

    @classmethod
    def tally(cls, state):
        seats = tuple({"shows": "nine" if number == 9 else "less", "number": number} for number in state.shown)
        return Tally({"end": "shown", "nines": state.shown.count(9)}, seats)


# Counting


def test_what_is_counted_is_what_happens():
    """Nine, five, nine: both nines share every win. Three rotations, so five deals make fifteen games."""
    report = simulate(Showing, {}, 3, 13, ["nine", "five", "nine"])

    assert (15, 5) == (report.games, report.deals)
    rates = report.totals.rates
    # Two seats in three games a deal, and all three wins; the squares are 6 * 6, 6 * 3 wins, 3 wins squared, 5 times.
    assert Sums(30, 15 * WIN, 5 * 36, 5 * 18 * WIN, 5 * 9 * WIN**2, 5) == rates["bot", "nine", ""]
    assert Sums(15, 0, 5 * 9, 0, 0, 5) == rates["bot", "five", ""]
    # In each seat a nine sits in two rotations of three, and wins half of the game.
    assert all(
        Sums(15, 5 * WIN, 5 * 9, 5 * 3 * WIN, 5 * WIN**2, 5) == rates["seat", str(seat), ""] for seat in (1, 2, 3)
    )
    assert rates["bot", "nine", ""] == rates["word", "shows", "nine"] == rates["number", "number", "9"]
    assert rates["bot", "nine", ""] == rates["rule", "SHOW-2", "fired"]
    assert rates["bot", "five", ""] == rates["rule", "SHOW-2", "not"] == rates["word", "shows", "less"]
    assert ("rule", "SHOW-1", "not") not in rates
    assert Sums(45, 15 * WIN, 5 * 81, 5 * 27 * WIN, 5 * 9 * WIN**2, 5) == rates["rule", "SHOW-1", "fired"]
    assert rates["rule", "SHOW-3", "not"] == rates["rule", "SHOW-1", "fired"]
    assert 15 * WIN == rates["game", "end", "shown"].won == rates["rule", "SHOW-2", "games"].won
    assert {"": {3: 15}, "nines": {2: 15}} == report.totals.counts
    assert {"SHOW-1": 45, "SHOW-2": 60} == report.totals.times


def test_where_seats_have_roles_bots_stay_and_a_win_counts_whole():
    """Nine, five, nine, four times in the same seats: both nines win every game, as a side would."""
    report = simulate(Showing, {}, 3, 4, ["nine", "five", "nine"], rotate=False)

    assert (4, 4) == (report.games, report.deals)
    assert [4 * WIN, 0, 4 * WIN] == [report.totals.rates["seat", seat, ""].won for seat in "123"]
    assert Sums(8, 8 * WIN, 4 * 4, 4 * 4 * WIN, 4 * 4 * WIN**2, 4) == report.totals.rates["bot", "nine", ""]
    assert {None} == {group.fair for group in report.groups()}
    assert "4 games" == renderings.counted(report)


@pytest.mark.parametrize("rotate", [True, False])
def test_a_record_tells_whether_bots_stayed(rotate):
    """Only when they did, so that older records stay as they are."""
    report = simulate(Showing, {}, 2, 4, ["nine", "five"], rotate=rotate)

    assert rotate == ("rotate" not in report.record())
    assert report == Report.from_record(report.record())


@pytest.mark.parametrize(("seats", "share"), [(1, 840), (2, 420), (3, 280), (5, 168), (6, 140), (7, 120), (8, 105)])
def test_shared_wins_add_up(seats, share):
    """Alike bots share every win in whole units, and play each deal once."""
    report = simulate(Showing, {}, seats, 4, ["nine"])

    assert (4, 4) == (report.games, report.deals)
    assert [4 * share] * seats == [report.totals.rates["seat", str(seat + 1), ""].won for seat in range(seats)]
    assert 4 * WIN == report.totals.rates["bot", "nine", ""].won


def test_words_that_are_not_in_every_deal_count_against_all_games():
    """A share of games is one of all games: 30 of 100, not 30 of the deals where it happened."""
    totals = Totals(games=100, deals=50, rates={("game", "end", "early"): Sums(30, 30 * WIN, 60, 60, 60 * WIN**2, 15)})
    (group,) = Report(("a", "b"), totals).ends()

    assert [("early", 0.3, 30)] == [(row.label, row.rate, row.n) for row in group.rows]


def watched(log):
    """The toy game, which notes how each game begins and which bots were made."""

    def noting(name):
        def made(seed):
            log.append((name, seed))
            return toy_game.Toy.BOTS[name](seed)

        return made

    class Watched(toy_game.Toy):
        BOTS = MappingProxyType({name: noting(name) for name in toy_game.Toy.BOTS})

        @classmethod
        def start(cls, facts, seats, options, chance):
            state = super().start(facts, seats, options, chance)
            log.append(state.position())
            return state

    return Watched


def test_rotations_play_the_same_deal_with_the_same_luck(monkeypatch):
    """Bot k sits in seat k + rotation; hands and the luck of each bot stay."""
    log = []
    monkeypatch.setattr("grimalkin.play.simulation.run.find", lambda where: watched(log))
    plan = Plan("toy_game:Toy", toy_game.FACTS, ("random", "high", "low"), {}, 7, edition_of("toy_game:Toy"))
    play_deals(plan, 0, 2)
    games = [log[start : start + 4] for start in range(0, len(log), 4)]

    assert games[0][0] == games[1][0] == games[2][0]
    assert games[3][0] == games[4][0] != games[0][0]
    assert [["random", "high", "low"], ["low", "random", "high"], ["high", "low", "random"]] == [
        [name for name, _ in game[1:]] for game in games[:3]
    ]
    assert 1 == len({frozenset(game[1:]) for game in games[:3]})
    assert 2 == len({frozenset(game[1:]) for game in games})


def edition_of(where):
    return edition(where)


TOY = ("toy_game:Toy", toy_game.FACTS, 3, 60, ["random", "high", "low"])


@pytest.fixture(scope="module")
def toy_report():
    return simulate(*TOY)


def test_the_seed_is_the_number_of_the_first_deal(toy_report):
    """Deals 0 to 19 are deals 0 to 4 and deals 5 to 19."""
    totals = simulate(*TOY[:3], 15, TOY[4]).totals
    totals.add(simulate(*TOY[:3], 45, TOY[4], seed=5).totals)

    assert toy_report.totals == totals
    assert toy_report.totals != simulate(*TOY, seed=20).totals


@pytest.mark.parametrize("chunk", [1, 3, 7, 20, None])
@pytest.mark.parametrize("kind", [None, ThreadPoolExecutor])
def test_chunks_and_executors_do_not_change_the_totals(toy_report, kind, chunk):
    """Any standard executor, and chunks of any size, give the same."""
    seen = []
    if kind is None:
        report = simulate(*TOY, chunk=chunk, progress=seen.append)
    else:
        with kind(4) as executor:
            report = simulate(*TOY, executor=executor, jobs=4, chunk=chunk, progress=seen.append)

    assert toy_report.totals == report.totals
    assert 60 == sum(seen)


def test_processes_give_the_same_totals(toy_report):
    """The plan travels, and so do the totals."""
    with ProcessPoolExecutor(2) as executor:
        report = simulate(*TOY, executor=executor, jobs=2)

    assert json.dumps(toy_report.record()) == json.dumps(report.record())


def test_all_chunks_that_a_process_plays_share_their_facts(monkeypatch):
    """What a game makes of its facts, such as the sentences it has read, is made once, not for every chunk."""
    began = []
    begin = toy_game.Toy.start
    monkeypatch.setattr(toy_game.Toy, "start", lambda facts, *more: began.append(facts) or begin(facts, *more))
    facts = {**toy_game.FACTS}

    class Far(ThreadPoolExecutor):
        def submit(self, function, /, *args):
            return super().submit(function, *pickle.loads(pickle.dumps(args)))

    with Far(1) as executor:
        simulate(TOY[0], facts, *TOY[2:], executor=executor, chunk=1)

    assert 1 == len({id(one) for one in began if one is not facts})


class Pool(Executor):
    """Runs tasks only when asked for, the newest first, and keeps how many waited."""

    def __init__(self):
        self.waiting, self.most, self.cancelled = [], 0, 0

    def submit(self, function, /, *args):
        pool = self

        class Lazy(Future):
            def cancel(self):
                pool.cancelled += 1
                return super().cancel()

        future = Lazy()
        self.waiting.append((future, function, args))
        self.most = max(self.most, len(self.waiting))
        return future

    def work(self):
        future, function, args = self.waiting.pop()
        future.set_result(function(*args))


def lazily(monkeypatch, pool):
    """Waiting makes the pool do one task."""

    def wait(futures, return_when):
        pool.work()
        done = {future for future in futures if future.done()}
        return done, futures - done

    monkeypatch.setattr("grimalkin.play.simulation.run.wait", wait)


def test_few_chunks_are_under_way_and_order_does_not_matter(monkeypatch, toy_report):
    """Three for each job wait at most; the newest is done first."""
    pool = Pool()
    lazily(monkeypatch, pool)
    report = simulate(*TOY, executor=pool, jobs=2, chunk=1)

    assert toy_report.totals == report.totals
    assert 6 == pool.most
    assert 0 == pool.cancelled


def test_who_stops_drops_what_waits(monkeypatch):
    """Ctrl-C in the middle cancels the chunks that wait, and goes on as it is."""
    pool = Pool()
    lazily(monkeypatch, pool)

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(*TOY, executor=pool, jobs=2, chunk=1, progress=stop)

    assert 5 == pool.cancelled == len(pool.waiting)


def test_who_breaks_is_left_alone(monkeypatch):
    """An executor that has broken ends what waits by itself."""
    pool = Pool()
    lazily(monkeypatch, pool)
    pool.work = lambda: pool.waiting.pop()[0].set_exception(BrokenExecutor())
    with pytest.raises(BrokenExecutor):
        simulate(*TOY, executor=pool, jobs=2, chunk=1)

    assert (0, 5) == (pool.cancelled, len(pool.waiting))


# What goes wrong


@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor])
def test_a_broken_game_is_named_so_that_it_can_be_played_again(executor):
    """The bot fails from deal 10 on, whose bots have the seeds 80 and 81."""
    with pytest.raises(Broken) as first:
        if executor is None:
            simulate(Showing, {}, 2, 40, ["weary", "one"])
        else:
            with executor(1) as pool:
                simulate(Showing, {}, 2, 40, ["weary", "one"], executor=pool, chunk=20)

    assert (20, 10) == (first.value.index, first.value.deal)
    assert "game 20 (deal 10) broke: KeyError: 80" in str(first.value)
    assert "test_simulation.py" in str(first.value)
    with pytest.raises(Broken) as again:
        simulate(Showing, {}, 2, 2, ["weary", "one"], seed=10)

    assert (0, 10, first.value.because) == (again.value.index, again.value.deal, again.value.because)


def test_only_words_of_a_broken_game_travel():
    """What the bot raised may not be able to go from one process to another, so it is no cause and no context."""
    with pytest.raises(Broken) as broken:
        simulate(Showing, {}, 2, 40, ["weary", "one"])

    assert (None, None) == (broken.value.__cause__, broken.value.__context__)


def test_a_move_that_is_not_legal_breaks_the_game():
    """The engine trusts its moves, so the one who asks the bot looks."""
    with pytest.raises(Broken, match="Ada's bot answers 7, which is not legal"):
        simulate(Showing, {}, 2, 1, ["cheat"])


def test_a_game_without_end_breaks(monkeypatch):
    """The bound is the game's own."""
    monkeypatch.setattr(Showing, "MOST_DECISIONS", 2)
    with pytest.raises(Broken, match="no end after 2 moves"):
        simulate(Showing, {}, 3, 1, ["nine"])


def test_other_code_does_not_play():
    """A plan that was made with another version is refused, with both versions."""
    plan = Plan("toy_game:Toy", toy_game.FACTS, ("high", "low"), {}, 0, "0.0.1 (abc)")
    with pytest.raises(OtherEdition, match=r"a worker has grimalkin .*, this is grimalkin 0\.0\.1 \(abc\)"):
        play_deals(plan, 0, 1)


def test_the_edition_follows_the_code(tmp_path, monkeypatch):
    """Another line in a game's module is another edition; other line ends are not."""
    monkeypatch.syspath_prepend(tmp_path)
    editions = []
    for name, text in (("game_a", b"X = 1\n"), ("game_b", b"X = 1\r\n"), ("game_c", b"X = 2\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_bytes(text)
        editions.append(edition_of(name))

    assert editions[0] == editions[1] != editions[2]


@pytest.mark.parametrize("name", ["grimalkin.engine", "grimalkin.play.simulation", "toy_game"])
def test_the_edition_follows_all_code_that_a_game_depends_on(tmp_path, monkeypatch, name):
    """The engine's, that of the simulation and the game's own: a line more in any of them is another edition."""
    ours = edition.__wrapped__("toy_game:Toy")
    module = sys.modules[name]
    copy = ModuleType(name)
    if hasattr(module, "__path__"):
        copy.__path__ = [str(tmp_path)]
        paths = sorted(Path(module.__file__).parent.glob("*.py"))
    else:
        copy.__file__ = str(tmp_path / "toy_game.py")
        paths = [Path(module.__file__)]
    for path in paths:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setitem(sys.modules, name, copy)
    same = edition.__wrapped__("toy_game:Toy")
    with (tmp_path / paths[-1].name).open("a", encoding="utf-8") as file:
        file.write("# More.\n")

    assert ours == same != edition.__wrapped__("toy_game:Toy")


@pytest.mark.parametrize(
    ("players", "games", "bots", "options", "said"),
    [
        (4, 1, ["high"], {}, "players: 4 is the wrong number; 2 to 3 play"),
        (2, 0, ["high"], {}, "games: 0 is too few; at least 1"),
        (3, 1, ["high", "low"], {}, "bots: 2 bots are named for 3 players; name one for all, or one for each seat"),
        (2, 1, [], {}, "bots: no bot is named; known here: high, low, random"),
        (2, 1, ["high", "slow"], {}, 'bots.1: there is no bot "slow"; did you mean "low"?'),
        (2, 1, ["high"], {"rounds": 3}, 'options.rounds: unknown key "rounds"'),
    ],
)
def test_what_cannot_be_played_is_told(players, games, bots, options, said):
    """Every wish is checked before the first game."""
    with pytest.raises(Misfits) as error:
        simulate("toy_game:Toy", toy_game.FACTS, players, games, bots, options)

    assert said == str(error.value)


# Options that are compared


class Clawed(Show):
    """The game with an option: who shows 5 shows `claws` more."""

    def __init__(self, seats, claws, chance):
        super().__init__(seats)
        self.claws, self.luck = claws, chance.pick("luck", range(4))

    def apply(self, move, log=None):
        log = [] if log is None else log
        super().apply(move, log)
        if move == 5:
            self.shown[-1] += self.claws * self.luck


class Comparing(Showing):
    """That game as a module: its luck is 0 to 3, so with claws = 2 a five beats a nine in one deal of four."""

    OPTIONS = Record({}, {"claws": Whole(0, 9), "pads": Listing(Choice(("soft",)))})

    @classmethod
    def start(cls, facts, seats, options, chance):
        read, _ = cls.OPTIONS.read(options)
        if read.get("claws") == 9:
            raise Misfits([Misfit(("claws",), "no cat has 9", "at most 8")])
        return Clawed(seats, read.get("claws", 0), chance)

    @classmethod
    def tally(cls, state):
        return Tally({"end": "shown", "highest": max(state.shown)}, ({"shows": "all"},) * len(state.seats))


EACH = {"bare": {"claws": "0"}, "claws": {"claws": "2"}, "long": {"claws": "6"}}


def comparing(**more):
    """One who shows five, and is the only one, so every game is won; of the highest number 0, 2, 4 or 6 differ."""
    return simulate(Comparing, {}, 1, 12, ["five"], each=EACH, **more)


def lucks(deals):
    """What luck gives in the first deals."""
    return [Clawed(["Ada"], 0, Seeded(f"test_simulation:Comparing {deal}")).luck for deal in range(deals)]


def test_options_are_compared_deal_by_deal():
    """With claws = 2 the five is 2 × luck higher than without, in each deal; nobody wins more."""
    report = comparing()
    luck = lucks(12)
    assert len(set(luck)) > 1

    assert (12, 12) == (report.games, report.deals)
    assert Paired(2 * sum(luck), 4 * sum(n * n for n in luck), 12) == report.totals.paired["claws", "highest"]
    assert Paired(6 * sum(luck), 36 * sum(n * n for n in luck), 12) == report.totals.paired["long", "highest"]
    assert Paired(0, 0, 12) == report.totals.paired["long", ""]
    assert ["bare", "claws", "long"] == [row.label for row in report.options().rows]
    wins, highest = report.differences()
    assert ("Win rate", 1, True) == (wins.title, wins.base, wins.shares)
    assert ("Highest", 5, False) == (highest.title, highest.base, highest.shares)
    assert [2 * sum(luck) / 12, 6 * sum(luck) / 12] == pytest.approx([row.rate for row in highest.rows])


def test_a_difference_of_win_rates_by_hand():
    """Against a nine, and both keep their seats: with claws = 2 a five wins with luck 3, and shares with luck 2."""
    report = simulate(Comparing, {}, 2, 12, ["five", "nine"], rotate=False, each=EACH)
    ties = lucks(12).count(2)
    assert ties

    # A tie counts whole for both, where bots keep their seats: one win more for the two seats of the deal.
    assert Paired(ties * WIN, ties * WIN**2, 12) == report.totals.paired["claws", ""]
    assert ties / 24 == pytest.approx(report.differences()[0].rows[0].rate)
    assert (12 * WIN, (12 + ties) * WIN) == tuple(
        report.totals.rates["each", name, ""].won for name in ("bare", "claws")
    )


def test_what_else_is_counted_is_of_the_first_option():
    """As if the others had not been played."""
    compared = comparing().totals.record()
    alone = simulate(Comparing, {}, 1, 12, ["five"], {"claws": "0"}).totals.record()

    del compared["paired"]
    assert alone == {**compared, "rates": [row for row in compared["rates"] if row[0] != "each"]}


def test_options_of_a_label_are_laid_over_those_of_all():
    """What all have does not come through."""
    assert comparing().totals == comparing(options={"claws": "7"}).totals


@pytest.mark.parametrize("chunk", [1, 5, 12])
def test_chunks_do_not_change_what_is_compared(chunk):
    """Totals of some chunks are those of one, in any order."""
    assert comparing().record() == comparing(chunk=chunk).record()
    plan = Plan(
        "test_simulation:Comparing", {}, ("five",), {}, 0, edition("test_simulation"), True, tuple(EACH.items())
    )
    late, soon = play_deals(plan, 5, 12), play_deals(plan, 0, 5)
    late.add(soon)

    assert comparing().totals == late


def test_an_interval_of_differences_by_hand():
    """Two deals, of which one is won more. With one deal more each way: sum 1, squares 1 + 2, four deals.

    The mean is 1/4, the variance of one 3/4 - 1/16 = 11/16, that of the mean 11/64; ± 1.96 * 0.4146 = 0.8126.
    """
    assert (0.25 - 0.8126, 0.25 + 0.8126) == pytest.approx(paired_interval(Paired(WIN, WIN**2, 2), WIN), abs=1e-4)
    # Deals that all agree are not certain: of 400, 1.96 * sqrt(2) / 402 either way.
    assert (-0.0069, 0.0069) == pytest.approx(paired_interval(Paired(0, 0, 400), WIN), abs=1e-4)
    # Numbers that differ by more than one take their own size for the two deals more: here 10.
    assert paired_interval(Paired(20, 200, 2), 1) == pytest.approx(
        tuple(10 * end for end in paired_interval(Paired(2, 2, 2), 1))
    )


@pytest.mark.parametrize(("differ", "mean"), [((0, 0, 1), 1 / 3), ((-1, 0, 0, 0, 0, 0, 0, 1), 0), ((5, -2, 0, 9), 3)])
def test_intervals_of_differences_hold_the_truth_as_often_as_they_say(differ, mean):
    """Of 800 simulations of 60 deals, 92 to 98.5 % hold it here."""
    luck = Random(str(differ))
    held = 0
    for _ in range(800):
        found = [luck.choice(differ) for _ in range(60)]
        low, high = paired_interval(Paired(sum(found), sum(n * n for n in found), 60), 1)
        held += low <= mean <= high

    assert 0.92 <= held / 800 <= 0.985


def test_a_report_of_options_comes_back_from_its_record():
    """Through JSON text, in the order of the labels; what does not belong together is refused."""
    report = simulate(Comparing, {}, 1, 12, ["five"], each=dict(reversed(EACH.items())))
    record = json.loads(json.dumps(report.record()))

    assert report == Report.from_record(record)
    assert report.differences() == Report.from_record(record).differences()
    for paired in (
        [],
        [["claws", "", 840, 840, 2]],
        [["claws", "", 0, 0, 13]],
        [["claws", "", 0, 0.5, 1]],
        [["claws"]],
    ):
        with pytest.raises(ValueError, match="no"):
            Report.from_record({**record, "totals": {**record["totals"], "paired": paired}})


@pytest.mark.parametrize(
    ("options", "each", "said"),
    [
        ({}, {"a": {}}, "each: there is nothing to compare it with; name two or more"),
        ({}, {"a": {}, "b": {"claw": "1"}}, 'each.b.claw: unknown key "claw"; did you mean "claws"?'),
        ({}, {"a": {}, "b": {"pads": ["hard"]}}, 'each.b.pads.0: "hard" is not known here; known here: soft'),
        ({"claw": 1}, {"a": {}, "b": {}}, 'options.claw: unknown key "claw"; did you mean "claws"?'),
        ({}, {"a": {}, "b": {"claws": "9"}}, "each.b.claws: no cat has 9; at most 8"),
        ({"claws": "9"}, {"a": {}, "b": {"claws": "1"}}, "options.claws: no cat has 9; at most 8"),
    ],
)
def test_options_that_do_not_fit_are_told_with_their_label(options, each, said):
    """Those of all once, and what only the start of the game sees as well."""
    with pytest.raises(Misfits) as error:
        simulate(Comparing, {}, 1, 4, ["five"], options, each=each)

    assert said == str(error.value)


def test_a_broken_game_names_its_option(monkeypatch):
    monkeypatch.setattr(Clawed, "result", lambda self: None if self.claws else Show.result(self))
    with pytest.raises(Broken, match=r"^game 1 \(deal 0\) broke: with claws: RuntimeError: nobody is to act"):
        comparing()


def test_options_are_shown_in_every_form():
    """As text, JSON and CSV, and as plots."""
    report = comparing()
    text, tree = renderings.text(report, "Claws"), json.loads(renderings.as_json(report, {}))
    rows = list(csv.DictReader(io.StringIO(renderings.as_csv(report, {"each": [["bare", {"pads": ["soft"]}]]}))))

    assert text.startswith("Claws: 12 games with each of 3 options\n\nWin rate by option")
    assert 'Highest, compared with "bare"' in text and 'Everything below is for "bare".' in text
    assert ["Win rate", "Highest"] == [one["title"] for one in tree["differences"]]
    assert 3 == len(tree["options"]["rows"])
    assert {"bare={pads: [soft]}"} == {row["each"] for row in rows}
    found = [row["rate"] for row in rows if row["table"] == 'Highest, compared with "bare"']
    assert [str(row.rate) for row in report.differences()[1].rows] == found


def test_a_plot_of_differences_has_a_line_at_zero():
    """From -1 to 3 over 336 pixels from x = 12: 0 is at 96, 1 at 180."""
    tree = ElementTree.fromstring(renderings.svg(Differences("Lives", "bare", 9.0, (Row("claws", 1.0, -0.5, 2.5, 9),))))
    (zero,) = [path.get("d") for path in tree.iter(f"{SVG}path") if path.get("stroke-dasharray")]
    words = [text.text for text in tree.iter(f"{SVG}text")]

    assert ["180.0"] == [circle.get("cx") for circle in tree.iter(f"{SVG}circle")]
    assert zero.startswith("M96.0 ")
    assert ["−1", "0", "+1", "+2", "+3"] == words[:5]
    assert {"+1.00", "bars: 95 % intervals; dashed: no difference"} <= set(words)
    assert 'Lives, compared with "bare"' == tree.find(f"{SVG}title").text


# Intervals


def test_an_interval_by_hand():
    """Two deals of two games, one with 2 wins and one with 1.

    The rate is 3/4. Spread: (2 - 1.5)² + (1 - 1.5)² = 0.5; the deal more: 3/4 * 1/4 * 4 = 0.75. Variance: 2/1 * 1.25 /
    16 = 0.15625. Effective: 0.1875 / 0.15625 = 1.2 trials.
    """
    sums = Sums()
    sums.add_deal(2, 2 * WIN)
    sums.add_deal(2, WIN)

    assert wilson(0.75, 1.2) == pytest.approx(interval(sums))
    # (0.75 + z²/2.4 ± z sqrt(0.1875/1.2 + z²/5.76)) / (1 + z²/1.2) with z² = 3.8415: (2.3506 ± 1.7783) / 4.2012
    assert (0.1362, 0.9828) == pytest.approx(interval(sums), abs=1e-4)


@pytest.mark.parametrize(("won", "expected"), [(0, (0.0, 0.2775)), (WIN, (0.7225, 1.0))])
def test_where_all_went_one_way_each_deal_counts_once(won, expected):
    """Ten deals of four games: z² / (10 + z²) is 0.2775, whatever the games of a deal."""
    sums = Sums()
    for _ in range(10):
        sums.add_deal(4, 4 * won)

    assert expected == pytest.approx(interval(sums), abs=1e-4)


def test_one_deal_says_little():
    """Its games may all depend on each other, so they count as one."""
    sums = Sums()
    sums.add_deal(6, 3 * WIN)

    assert wilson(0.5, 1) == interval(sums)


def alone(luck, rate):
    return 1, luck() < rate


def together(luck, rate):
    return 2, 2 * (luck() < rate)


def mixed(luck, rate):
    return together(luck, rate) if luck() < 0.5 else (2, (luck() < rate) + (luck() < rate))


def against(luck, _rate):
    return (2, 1) if luck() < 0.8 else (2, 2 * (luck() < 0.5))


def uneven(luck, rate):
    trials = (1, 2, 4)[int(3 * luck())]
    return trials, trials * (luck() < rate) if luck() < 0.5 else sum(luck() < rate for _ in range(trials))


@pytest.mark.parametrize(
    ("deal", "rate"), [(alone, 0.5), (together, 0.25), (mixed, 0.5), (mixed, 0.05), (against, 0.5), (uneven, 0.25)]
)
def test_intervals_hold_the_truth_as_often_as_they_say(deal, rate):
    """Of 800 simulations of 60 deals, 95 % hold the true rate: 92 to 98.5 % here, however games of a deal hang
    together."""
    luck = Random(f"{deal.__name__} {rate}").random
    held = 0
    for _ in range(800):
        sums = Sums()
        for _ in range(60):
            trials, won = deal(luck, rate)
            sums.add_deal(trials, won * WIN)
        low, high = interval(sums)
        held += low <= rate <= high

    assert 0.92 <= held / 800 <= 0.985


QUARTILES = ("quarter", "median", "three_quarters")


def test_quartiles_are_values_that_were_seen():
    """Of 1 2 2 4 5 6 8 9, a quarter are up to 2, half up to 4, three quarters up to 6."""
    number = summary("x", {1: 1, 2: 2, 4: 1, 5: 1, 6: 1, 8: 1, 9: 1})

    assert (1, 2, 4, 6, 9) == (number.least, number.quarter, number.median, number.three_quarters, number.most)
    assert (37 / 8, 8) == (number.mean, number.n)
    # And of 1 2 3, where nothing divides: a quarter needs one of three, half two, three quarters all.
    assert (1, 2, 3) == tuple(getattr(summary("x", {1: 1, 2: 1, 3: 1}), key) for key in QUARTILES)


# Results


def test_a_report_comes_back_from_its_record(toy_report):
    """Through JSON text, with all that it tells."""
    again = Report.from_record(json.loads(json.dumps(toy_report.record())))

    assert toy_report == again
    assert toy_report.groups() == again.groups()
    assert toy_report.rules() == again.rules()


@pytest.mark.parametrize(
    "record",
    [{}, [], {"bots": ["a"]}, {"bots": 1, "totals": {}}, {"bots": ["a"], "totals": {"games": "x"}}],
)
def test_what_is_no_record_is_refused(record):
    """With one kind of error."""
    with pytest.raises(ValueError, match=r"not a record|not totals|invalid literal"):
        Report.from_record(record)


def without(record, *keys, **changed):
    """A copy of a record whose totals have lost some keys, and have got others."""
    totals = {key: value for key, value in record["totals"].items() if key not in keys} | changed
    return {**record, "totals": totals}


def first_rate(record, place, number):
    """A copy of a record with another number in its first rate."""
    first, *others = record["totals"]["rates"]
    return without(record, rates=[[*first[:place], number, *first[place + 1 :]], *others])


def rate_of_rule(record, word, changes):
    """A copy of a record with other numbers in the first rate of this word of a rule."""
    rates = [*record["totals"]["rates"]]
    at = next(at for at, rate in enumerate(rates) if rate[0] == "rule" and rate[2] == word)
    rates[at] = [changes.get(place, number) for place, number in enumerate(rates[at])]
    return without(record, rates=rates)


NONSENSE = {
    "no deals": lambda record: without(record, deals=0),
    "no games": lambda record: without(record, games=0),
    "half a deal": lambda record: without(record, games=61),
    "games that are no number": lambda record: without(record, games="60"),
    "no decisions": lambda record: without(record, counts={}),
    "empty decisions": lambda record: without(record, counts={"": []}),
    "decisions of no games": lambda record: without(record, counts={"": [[3, 0]]}),
    "no rates": lambda record: without(record, rates=[]),
    "no trials": lambda record: first_rate(record, 3, 0),
    "less than no trials": lambda record: first_rate(record, 3, -60),
    "trials in no deals": lambda record: first_rate(record, 8, 0),
    "more wins than trials": lambda record: first_rate(record, 4, 10**9),
    "half a win": lambda record: first_rate(record, 4, 0.5),
    "numbers past all counting": lambda record: first_rate(record, 7, 10**999),
    "a rule that fired in no trials": lambda record: rate_of_rule(record, "fired", {3: 0, 4: 0}),
    "a rule that fired in no deals": lambda record: rate_of_rule(record, "fired", {8: 0}),
    "a rule that did not fire in no trials": lambda record: rate_of_rule(record, "not", {3: 0, 4: 0}),
    "a rule in games past all counting": lambda record: rate_of_rule(record, "games", {4: 1, 7: 10**999}),
    "nobody": lambda record: {**record, "bots": []},
    "more seats than played": lambda record: {**record, "bots": ["high"] * 4},
}


@pytest.mark.parametrize("change", NONSENSE.values(), ids=NONSENSE)
def test_what_gives_no_results_is_no_record(toy_report, change):
    """Somebody edited it by hand: it is refused as a whole, before anybody shows it."""
    with pytest.raises(ValueError):
        Report.from_record(change(toy_report.record()))


def test_groups_have_what_the_tally_says():
    """Bots and seats first, then words by name; numbers are summed up, also those that could be a place."""

    class Placed(Showing):
        @classmethod
        def tally(cls, state):
            places = [sorted(state.shown, reverse=True).index(number) + 1 for number in state.shown]
            words = ("1st", "2nd")
            return Tally({}, tuple({"rank": words[place - 1], "place": place, "all": "alike"} for place in places))

    report = simulate_here(Placed, ["nine", "five"], 4)

    assert ["Win rate by bot", "Win rate by seat", "Win rate by all", "Win rate by rank"] == [
        group.title for group in report.groups()
    ]
    assert [("five", 0.0), ("nine", 1.0)] == [(row.label, row.rate) for row in report.groups()[0].rows]
    assert [("1st", 1.0), ("2nd", 0.0)] == [(row.label, row.rate) for row in report.groups()[3].rows]
    assert {0.5} == {group.fair for group in report.groups()}
    assert ["decisions a game", "place of a seat"] == [one.label for one in report.numbers()]
    assert () == report.ends()


def test_shares_of_games_begin_with_the_most_frequent():
    """The nine sits first in one rotation of three; each end is in its own group, by name."""

    class Ended(Showing):
        @classmethod
        def tally(cls, state):
            first = "a nine" if state.shown[0] == 9 else "less"
            return Tally({"when": "late", "first": first}, tuple({} for _ in state.shown))

    report = simulate_here(Ended, ["nine", "five", "one"], 6)

    assert ["Share of games by first", "Share of games by when"] == [group.title for group in report.ends()]
    assert [("less", 4), ("a nine", 2)] == [(row.label, row.n) for row in report.ends()[0].rows]


def test_nobody_may_win():
    """Of three rotations nobody wins the one that begins with a nine, so that a fair share is 2/3 of a third."""

    class Unlucky(Showing):
        @classmethod
        def start(cls, facts, seats, options, chance):
            class Lost(Show):
                def result(self):
                    lost = Result((), ("SHOW-1",), "nobody")
                    return lost if self.shown[0] == 9 else super().result()

            return Lost(seats)

    report = simulate_here(Unlucky, ["nine", "five", "one"], 12)
    bots, seats, *_ = report.groups()

    assert [("five", 0.0), ("nine", 2 / 3), ("one", 0.0)] == [(row.label, row.rate) for row in bots.rows]
    assert [0.0, 1 / 3, 1 / 3] == [row.rate for row in seats.rows]
    assert {2 / 9} == {group.fair for group in report.groups()}


class Tried(Showing):
    """Counts the trials of each seat: as many as its number, all but one of which come off; and none of a zero."""

    @classmethod
    def tally(cls, state):
        words = {str(number): (number, number - 1) for number in state.shown}
        more = {f"more {index}": (1, index % 2) for index in range(13)}
        return Tally({}, ({},) * len(state.shown), {"tries": {**words, "zero": (0, 0)}, "more tries": more})


def test_trials_are_summed_by_deal():
    """Nine, five and one in three rotations: 27, 15 and 3 trials a deal, of which 24, 12 and none come off."""
    report = simulate_here(Tried, ["nine", "five", "one"], 6)
    rates = report.totals.rates
    more, tries = report.trials()

    assert Sums(54, 48 * WIN, 2 * 27**2, 2 * 27 * 24 * WIN, 2 * (24 * WIN) ** 2, 2) == rates["trial", "tries", "9"]
    assert ("tries", "more tries") == (tries.title, more.title)
    assert [("1", 0.0, 6), ("5", 0.8, 30), ("9", 8 / 9, 54)] == [(row.label, row.rate, row.n) for row in tries.rows]
    assert all(row.low <= row.rate <= row.high for row in (*tries.rows, *more.rows))
    assert 13 == len(more.rows)
    assert report.trials() == Report.from_record(json.loads(json.dumps(report.record()))).trials()


def test_trials_of_many_words_are_shown_on_request():
    """Three rows are printed; 13 are more than 12. Programs get all."""
    report = simulate_here(Tried, ["nine", "five", "one"], 6)
    short, whole = renderings.text(report, "Show"), renderings.text(report, "Show", every=True)
    rows = [row for row in csv.DictReader(io.StringIO(renderings.as_csv(report))) if row["table"] == "tries"]
    in_json = json.loads(renderings.as_json(report, {}))["trials"]

    assert "More tries: 13 rows; --all lists every one." in short.split("\n")
    assert ["5", "80.0", "%"] == next(line for line in short.split("\n") if line.startswith("  5 ")).split()[:3]
    assert "  more 12" not in short and "  more 12" in whole
    assert [("1", "6"), ("5", "30"), ("9", "54")] == [(row["label"], row["n"]) for row in rows]
    assert [("more tries", 13), ("tries", 3)] == [(group["title"], len(group["rows"])) for group in in_json]


def test_a_game_without_trials_records_none(toy_report):
    """Its record says nothing of them."""
    kinds = {row[0] for row in toy_report.record()["totals"]["rates"]}

    assert () == toy_report.trials()
    assert "rule" in kinds and "trial" not in kinds


def simulate_here(game, bots, games, monkeypatch=pytest.MonkeyPatch):
    """A simulation of a game that only this test knows."""
    with monkeypatch.context() as patch:
        patch.setattr("grimalkin.play.simulation.run.find", lambda where: game)
        return simulate(Showing, {}, len(bots), games, bots)


def test_rules_are_told_with_and_without():
    """Nines win always, fives never; the rule that never fires is last."""
    report = simulate(Showing, {}, 2, 4, ["nine", "five"])
    first, second, last = report.rules()

    assert ("SHOW-1", 8, 0.5, None) == (first.rule, first.times, first.with_.rate, first.without)
    assert ("SHOW-2", 1.0, 8) == (second.rule, second.games.rate, second.times)
    assert (1.0, 0.0) == (second.with_.rate, second.without.rate)
    assert ("SHOW-3", 0, 0.0, None) == (last.rule, last.times, last.games.rate, last.with_)


def test_alike_bots_are_not_compared():
    """Their win rate is the fair share and tells nothing."""
    titles = [group.title for group in simulate(Showing, {}, 2, 4, ["nine"]).groups()]

    assert ["Win rate by seat", "Win rate by shows"] == titles


# Plots

GROUP = Group("Win rate by <bot>", (Row("a & b", 0.5, 0.4, 0.6, 100), Row("c", 0.3, 0.2, 0.4, 100)), 0.45)
SVG = "{http://www.w3.org/2000/svg}"


def test_a_plot_shows_rates_where_they_are():
    """From 20 to 60 % over 336 pixels from x = 12: 50 % is at 264, 30 % at 96, 45 % at 222."""
    tree = ElementTree.fromstring(renderings.svg(GROUP))
    dots = [circle.get("cx") for circle in tree.iter(f"{SVG}circle")]
    bars = [path.get("d") for path in tree.iter(f"{SVG}path") if path.get("stroke-width") == "5"]
    (fair,) = [path.get("d") for path in tree.iter(f"{SVG}path") if path.get("stroke-dasharray")]

    assert ["264.0", "96.0"] == dots
    assert [("M180.0", "H348.0"), ("M12.0", "H180.0")] == [(bar.split()[0], bar[bar.index("H") :]) for bar in bars]
    assert fair.startswith("M222.0 ")
    assert ["20 %", "30 %", "40 %", "50 %", "60 %"] == [
        text.text for text in tree.iter(f"{SVG}text") if re.fullmatch(r"\d+ %", text.text or "")
    ]


def test_a_plot_can_be_read_aloud():
    """It is one picture with a title and a description of every number, and takes the colour around it."""
    text = renderings.svg(GROUP, "skill")
    tree = ElementTree.fromstring(text)
    ids = {element.get("id"): element for element in tree.iter() if element.get("id")}

    assert "img" == tree.get("role")
    assert ["Win rate by <bot>", "a & b: 50.0 %, interval 40.0 % to 60.0 %. c: 30.0 %, interval 20.0 % to 40.0 %. "
            "The fair share is 45.0 %."] == [ids[id_].text for id_ in tree.get("aria-labelledby").split()]  # fmt: skip
    assert not ids.keys() & {
        element.get("id") for element in ElementTree.fromstring(renderings.svg(GROUP, "luck")).iter()
    }
    assert "#" not in text and "<style" not in text


def test_a_file_of_plots_knows_day_and_night():
    """Several groups below each other, each with its heading, and nothing over the edge."""
    title = "All of it, 2 players (one & two), which takes more than a single line"
    text = renderings.standalone([GROUP, Group("Ends", (Row("one", 1.0, 0.9, 1.0, 5),))], title)
    tree = ElementTree.fromstring(text.encode())
    width, height = (int(tree.get(side)) for side in ("width", "height"))

    assert "prefers-color-scheme:dark" in text
    assert ["Win rate by <bot>", "Ends"] == [
        element.text for element in tree.iter(f"{SVG}text") if element.get("font-weight")
    ]
    assert all(12 <= float(circle.get("cx")) <= width - 12 for circle in tree.iter(f"{SVG}circle"))
    lines = tree.findall(f"{SVG}text")
    assert title == " ".join(line.text for line in lines) and len(lines) == 2
    first, last = tree.findall(f"{SVG}g")
    assert int(re.search(r"translate\(0 (\d+)\)", first.get("transform"))[1]) > float(lines[1].get("y")) > 18
    down = int(re.search(r"translate\(0 (\d+)\)", last.get("transform"))[1])
    assert height > down + max(float(element.get("y")) for element in last.iter(f"{SVG}text"))


@pytest.mark.parametrize("rates", [(0.0, 0.0), (1.0, 1.0), (0.5, 0.5), (0.0, 1.0), (0.499, 0.501), (0.013, 0.187)])
def test_an_axis_holds_every_interval(rates):
    """Also intervals of no width, and those at the ends."""
    low, high, step = renderings._axis(Group("x", (Row("a", sum(rates) / 2, *rates, 9),)))

    assert low <= rates[0] + 1e-9 and rates[1] - 1e-9 <= high and low < high
    assert 1 <= round((high - low) / step) <= 6


# Tables


def test_the_table_is_aligned():
    """Numbers stand below each other; rules that tell nothing apart are left out."""
    report = simulate(Showing, {}, 2, 400, ["nine", "five"])
    text = renderings.text(report, "Show", laws={"SHOW-2": "A nine"})
    lines = text.split("\n")

    assert "Show: 400 games, 200 deals with 2 rotations of the bots" == lines[0]
    assert [len(lines[3])] * 3 == [len(line) for line in lines[2:5]]
    assert "five 0.0 % 0.0 % to 1.9 % 400" == " ".join(lines[3].split())
    assert "  SHOW-2 A nine" in text
    assert "SHOW-1" not in text
    assert text.endswith("1 more rule made something happen; --all lists every one.\n")
    assert "SHOW-1" in renderings.text(report, "Show", every=True)


def test_csv_has_every_rate_and_number(toy_report):
    """One row each, read back."""
    rows = list(csv.DictReader(io.StringIO(renderings.as_csv(toy_report))))
    bots = {row["label"]: row for row in rows if row["table"] == "Win rate by bot"}

    assert {"high", "low", "random"} == set(bots)
    assert {"20", "60"} >= {row["n"] for row in bots.values()}
    assert toy_report.groups()[0].rows[0].rate == float(bots["high"]["rate"])
    assert "9.0" == next(row["mean"] for row in rows if row["label"] == "decisions a game")
    assert str(toy_report.totals.times["TOY-1"]) in {row["times"] for row in rows if row["label"] == "TOY-1"}


def test_every_row_of_the_csv_has_the_settings(toy_report):
    """In the words of the command line."""
    settings = {"game": "toy", "bots": ["high", "low, too"], "options": {"a": 1, "b": "x y"}, "seed": 0}
    rows = list(csv.DictReader(io.StringIO(renderings.as_csv(toy_report, settings))))

    assert {("toy", "high,low, too", "a=1 b=x y", "0")} == {tuple(row[key] for key in settings) for row in rows}
    assert len(rows) == len(list(csv.DictReader(io.StringIO(renderings.as_csv(toy_report)))))


def test_no_setting_becomes_a_formula(toy_report):
    """Names of bots and options are words of an engine or of the command line."""
    settings = {"game": "=1+1", "bots": ["@x", "high"], "options": {"+a": 1}, "seed": -1}
    rows = list(csv.DictReader(io.StringIO(renderings.as_csv(toy_report, settings))))

    assert {("'=1+1", "'@x,high", "'+a=1", "-1")} == {tuple(row[key] for key in settings) for row in rows}
    assert {row["label"] for row in rows} == {row["label"].lstrip("'") for row in rows}


# The command


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert code == main(["simulate", *arguments])
    captured = capsys.readouterr()
    return captured.err if code else captured.out


@pytest.mark.slow("runs simulations of a whole game")
def test_the_command_prints_tables(capsys):
    """Rounded up to whole deals, and said so."""
    text = told(capsys, "were-kittens", "--players", "3", "--games", "4", "--bots", "random,sensible,random")

    assert text.startswith("Were Kittens, 3 players (random, sensible, random): 6 games, 2 deals")
    assert text.endswith("4 games were asked for; rounded up to whole deals.\n")
    assert "  penny" in text and "decisions a game" in text


@pytest.mark.slow("plays in processes")
def test_any_number_of_jobs_gives_the_same(capsys):
    """Byte for byte."""
    texts = {told(capsys, "were-kittens", "--games", "12", "--json", "--jobs", jobs) for jobs in ("1", "2", "3")}

    assert 1 == len(texts)
    settings = json.loads(texts.pop())["settings"]
    assert ("were-kittens", 2, ["sensible", "sensible"], 0) == tuple(
        settings[key] for key in ("game", "players", "bots", "seed")
    )


def test_files_are_written_by_their_ending(capsys, tmp_path):
    """Four kinds, in one go."""
    paths = [tmp_path / f"out.{ending}" for ending in ("txt", "json", "csv", "svg")]
    arguments = [word for path in paths for word in ("--output", str(path))]
    told(capsys, "were-kittens", "--games", "2", "--jobs", "1", "--options", "rounds=2", "--seed", "5", *arguments)
    texts = [path.read_text(encoding="utf-8") for path in paths]

    title = "Were Kittens, 2 players (sensible), rounds=2, seed 5"
    assert texts[0].startswith(f"{title}: 2 games")
    assert {"rounds": "2"} == json.loads(texts[1])["settings"]["options"]
    assert "last round,1.0" in texts[2]
    (row, *_) = csv.DictReader(io.StringIO(texts[2]))
    assert ["were-kittens", "2", "sensible,sensible", "rounds=2", "5"] == [
        row[key] for key in ("game", "players", "bots", "options", "seed")
    ]
    tree = ElementTree.fromstring(texts[3].encode())
    assert f"{SVG}svg" == tree.tag
    assert title == tree.find(f"{SVG}title").text == " ".join(line.text for line in tree.findall(f"{SVG}text"))


def full_disk(monkeypatch, name):
    """A disk that has no room for more than the beginning of the files of this name."""
    write = Path.write_bytes

    def write_bytes(path, data):
        if name in path.name:
            write(path, data[:9])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", write_bytes)


def test_results_outlive_a_file_that_cannot_be_written(capsys, tmp_path, monkeypatch):
    """They are printed, the other files are written, and the old file is as it was."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.csv").write_text("old", encoding="utf-8")
    full_disk(monkeypatch, "one.csv")
    arguments = ["--games", "2", "--jobs", "1", "--output", "one.csv", "--output", "two.json"]
    code = main(["simulate", "were-kittens", *arguments])
    said = capsys.readouterr()

    assert (1, "one.csv: this cannot be written: No space left on device\n") == (code, said.err)
    assert said.out.startswith("two.json written\nWere Kittens, 2 players (sensible): 2 games")
    assert ["one.csv", "two.json"] == sorted(path.name for path in tmp_path.iterdir())
    assert "old" == (tmp_path / "one.csv").read_text(encoding="utf-8")
    assert 2 == json.loads((tmp_path / "two.json").read_text(encoding="utf-8"))["games"]


def test_a_link_stays_a_link(capsys, tmp_path):
    """What it leads to is written."""
    (tmp_path / "there").mkdir()
    link = tmp_path / "here.csv"
    try:
        link.symlink_to(tmp_path / "there" / "table.csv")
    except OSError:
        pytest.skip("links are not allowed here")
    told(capsys, "were-kittens", "--games", "1", "--jobs", "1", "--output", str(link))

    assert link.is_symlink() and link.read_text(encoding="utf-8").startswith("table,label")
    assert ["table.csv"] == [path.name for path in (tmp_path / "there").iterdir()]


@pytest.mark.parametrize(("closed", "exists"), [("x.csv", True), ("folder", False)])
def test_what_may_not_be_written_is_told_before_the_first_game(capsys, tmp_path, monkeypatch, closed, exists):
    """A file, or the folder that it would be in."""
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "x.csv"
    if exists:
        path.touch()
    monkeypatch.setattr(os, "access", lambda where, mode: Path(where).name != closed)
    monkeypatch.setattr("grimalkin.play.simulation.simulate", lambda *_, **__: pytest.fail("somebody plays"))

    assert f"--output: {path} cannot be written\n" == told(capsys, "were-kittens", "--output", str(path), code=1)


def test_windows_allows_61_processes(capsys, monkeypatch):
    """Neither the default nor what is asked for is more than the system allows."""
    assert (61, 256) == (simulating._most_jobs("nt"), simulating._most_jobs("posix"))
    monkeypatch.setattr(simulating, "_most_jobs", lambda system: 1)
    monkeypatch.setattr(os, "cpu_count", lambda: 99)
    monkeypatch.setattr(pool, "Pool", lambda *_, **__: pytest.fail("more than one plays"))
    told(capsys, "were-kittens", "--games", "1")
    with pytest.raises(SystemExit):
        main(["simulate", "were-kittens", "--jobs", "2"])


def test_a_process_that_plays_listens_in_its_own_way():
    """SIGTERM ends it, whatever it means to the command; and the command's own way of hearing comes back."""
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in signals]
    with simulating._ending():
        with simulating._players(argparse.Namespace(scheduler=None, jobs=2)) as (executor, _):
            theirs = [executor.submit(signal.getsignal, number).result() for number in signals]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)

    assert [pool.stop, signal.SIG_DFL] == theirs
    assert before == [signal.getsignal(number) for number in signals]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for another process")
def test_a_process_that_is_stopped_drops_its_chunks_and_lives():
    """That which it plays and those that come after: the pool would break with it."""
    with pool.Pool(1, initializer=pool.listen) as executor:
        before = executor.submit(len, "four")
        dropped = [executor.submit(signal.raise_signal, signal.SIGINT), *(executor.submit(os.getpid) for _ in range(2))]

        assert 4 == before.result()
        assert [KeyboardInterrupt] * 3 == [type(one.exception()) for one in dropped]


WRONG = """
--players 9                         --players: 9 is the wrong number; 2 to 3 play
--players 1                         --players: 1 is the wrong number; 2 to 3 play
--bots sensibel                     --bots: there is no bot "sensibel"; did you mean "sensible"?
--bots random,random --players 3    --bots: 2 bots are named for 3 players; name one for all, or one for each seat
--options round=3                   --options: round: unknown key "round"; did you mean "rounds"?
--output x.pdf                      --output: "x.pdf" does not say what to write; known here: .csv, .json, .svg, .txt
--output no-such/x.csv              --output: there is no folder no-such
--output .                          --output: . is a folder; name a file, such as results.csv
--options rounds=3 --options rounds=4  --options: rounds is given 2 times; give it once
--each a={}                         --each: there is nothing to compare it with; name two or more
--each a={} --each b={} --each a={}  --each: a is given 2 times; give it once
--each a={} --each b={"round":3}    --each: b.round: unknown key "round"; did you mean "rounds"?
--scheduler 127.0.0.1:9             --scheduler: no scheduler answers at 127.0.0.1:9; start one with `dask scheduler`
"""


@pytest.mark.slow("runs simulations of a whole game")
@pytest.mark.parametrize("line", WRONG.split("\n")[1:-1])
def test_wrong_usage_is_told(capsys, line):
    """Each with its option, before anything is played."""
    arguments, said = re.split(" {2,}", line)

    assert f"{said}\n" == told(capsys, "were-kittens", *arguments.split(), code=1)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--games", "0"],
        ["--jobs", "0"],
        ["--bots", "a,,b"],
        ["--options", "x"],
        ["--options", "x=[y"],
        ["--each", "a=3"],
        ["--each", "a={b"],
        ["--jobs", "1", "--scheduler", "127.0.0.1:9"],
    ],
)
def test_what_cannot_be_read_is_wrong_usage(capsys, arguments):
    """Exit code 2, from the parser."""
    with pytest.raises(SystemExit) as error:
        main(["simulate", "were-kittens", *arguments])

    assert 2 == error.value.code
    assert arguments[0] in capsys.readouterr().err


def test_without_the_extra_the_remedy_is_told(capsys, monkeypatch):
    """It names what to install."""
    monkeypatch.setitem(sys.modules, "distributed", None)

    assert '--scheduler: dask.distributed is not installed; pip install "grimalkin[cluster]"\n' == told(
        capsys, "were-kittens", "--scheduler", "tcp://127.0.0.1:8786", code=1
    )


def test_a_bot_that_fails_is_a_problem_with_the_deal(capsys, monkeypatch):
    """It can be played again."""
    from grimalkin.games import were_kittens

    failing = {**were_kittens.BOTS, "sensible": lambda seed: lambda view, legal: legal[99]}
    monkeypatch.setattr(were_kittens, "BOTS", failing)
    text = told(capsys, "were-kittens", "--seed", "6", "--games", "1", "--jobs", "1", code=1)

    assert "were-kittens: game 0 (deal 6) broke: IndexError: list index out of range (test_simulation.py" in text
    assert "--seed 6 begins with this deal" in text


def children_of(process: int) -> list[float]:
    """How many seconds of a processor each process has had that this one began."""
    found = subprocess.run(["pgrep", "-P", str(process)], stdout=subprocess.PIPE, text=True).stdout.split()
    command = ["ps", "-o", "time=", "-p", ",".join(found)]
    times = subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout.split() if found else []
    return [float(played.rpartition(":")[2]) for played in times]


@pytest.mark.slow("plays in processes")
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for another process")
@pytest.mark.parametrize(("stop", "number"), [(os.killpg, signal.SIGINT), (os.kill, signal.SIGTERM)])
def test_who_stops_the_command_stops_its_processes(stop, number):
    """Quickly, with one word, and no process is left: Ctrl-C reaches all of them, SIGTERM the first."""
    command = [sys.executable, "-m", "grimalkin", "simulate", "were-kittens", "--games", "10000000", "--jobs", "2"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    # A process that has just begun would tell where it was interrupted.
    until(lambda: process.poll() is not None or [played for played in children_of(process.pid) if played >= 1][1:])
    stop(process.pid, number)
    out, error = process.communicate(timeout=10)

    assert (130, b"", b"stopped\n") == (process.returncode, out, error)
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


# simulations.yaml

LISTED = """\
simulations:
  - {id: first, title: First, text: "Who begins: [[WK-SETUP-4]].", players: 2, games: 30, bots: [sensible, random]}
  - {id: second, title: Second, text: Three., players: 3, games: 5, bots: [random], options: {rounds: 3}, seed: 4}
"""


@pytest.fixture
def own_kittens(tmp_path, monkeypatch) -> Path:
    """A designer's folder with the coins of Were Kittens, played by the engine of that name."""
    folder = tmp_path / "were-kittens"
    folder.mkdir()
    for path in (data_folder("content") / "were-kittens").glob("*.*"):
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "learn.yaml").unlink()  # it shows a playthrough, and those stay at home
    (folder / "examples").mkdir()
    leave_examples_at_home(folder)
    (folder / "simulations.yaml").write_text(LISTED, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return folder


def records(folder: Path) -> list[str]:
    """What is wrong with the records of a game."""
    problems = Problems()
    prove(folder, problems)
    return [str(problem) for problem in problems if "simulation" in str(problem)]


@pytest.mark.slow("runs simulations of a whole game")
def test_simulations_are_recorded_and_renewed(own_kittens, capsys):
    """Missing records are a problem that says what to do; doing it mends it, the same bytes each time."""
    hint = "`grimalkin simulate ./were-kittens --renew` records it again"
    assert [
        f'were-kittens/simulations/{id_}.json: the simulation "{id_}" is not recorded yet; {hint}'
        for id_ in ("first", "second")
    ] == records(own_kittens)
    texts = []
    for jobs in ("1", "2"):
        told(capsys, "./were-kittens", "--renew", "--jobs", jobs)
        texts.append([path.read_text(encoding="utf-8") for path in sorted(own_kittens.glob("simulations/*"))])

    assert [] == records(own_kittens)
    assert texts[0] == texts[1]
    game = load_game(own_kittens, Problems())
    first, second = simulations_of(game).recorded
    assert (30, 15, 30, 15) == (first.report.games, first.report.deals, first.first.games, first.first.deals)
    assert {3: 5} == second.report.totals.counts["rounds"]
    assert second.command == (
        "grimalkin simulate ./were-kittens --players 3 --games 5 --bots random --options rounds=3 --seed 4"
    )


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


ALSO = [
    ["--players", "2"],
    ["--games", "1"],
    ["--bots", "random"],
    ["--options", "rounds=3"],
    ["--seed", "0"],
    ["--each", "a={}"],
    ["--no-rotate"],
    ["--all"],
    ["--json"],
    ["--csv"],
    ["--output", "x.csv"],
]


@pytest.mark.parametrize("also", ALSO, ids=lambda also: also[0])
def test_what_the_file_says_is_not_said_again(own_kittens, capsys, also):
    """Every option but those that say who plays, and nothing is recorded."""
    said = told(capsys, "./were-kittens", "--renew", *also, code=1)

    assert f"{also[0]}: with --renew, simulations.yaml sets this; leave it out, or leave --renew out\n" == said
    assert not (own_kittens / "simulations").exists()


@pytest.mark.slow("runs simulations of a whole game")
def test_bots_stay_in_their_seats_where_the_file_says_so(own_kittens, capsys):
    """One game a deal, though the bots differ; the record and the command say so."""
    replace(own_kittens / "simulations.yaml", "games: 30,", "games: 30, rotate: no,")
    told(capsys, "./were-kittens", "--renew", "--jobs", "1")

    assert [] == records(own_kittens)
    first = simulations_of(load_game(own_kittens, Problems())).recorded[0]
    assert first.report.games == first.report.deals == first.simulation.games
    assert first.command.endswith(" --no-rotate")
    printed = told(capsys, *shlex.split(first.command)[2:], "--jobs", "1", "--json")
    assert json.loads(json.dumps(first.report.record()["totals"])) == json.loads(printed)["totals"]


@pytest.mark.slow("runs simulations of a whole game")
def test_bots_stay_in_their_seats_where_seats_have_roles(capsys):
    """A game is a deal, though the bots differ, and the towns win as a side: the two roles' rates make up the whole."""
    bots = ["--bots", "sensible,random,random"]
    printed = told(capsys, "curses-and-covens", "--players", "3", "--games", "20", *bots, "--jobs", "1", "--json")
    record = json.loads(printed)

    assert not record["rotate"]
    assert (20, 20) == (record["totals"]["games"], record["totals"]["deals"])


COMPARED = """\
simulations:
  - id: rounds
    title: Rounds
    text: Short or long.
    players: 2
    games: 4
    bots: [random]
    each:
      three: {rounds: 3}
      penny: {rounds: 5, race: yes}
changes:
  - {what: Race., before: Long., after: Short., why: "Nobody [[WK-SETUP-4]] waits.", rule: WK-SETUP-4}
  - {what: Penny, before: "1", after: "2", why: Weak., piece: penny}
"""


@pytest.mark.slow("runs simulations of a whole game")
def test_options_are_compared_where_the_file_says_so(own_kittens, capsys):
    """The record has the labels in their order, few first deals, and the command gives the same totals."""
    (own_kittens / "simulations.yaml").write_text(COMPARED, encoding="utf-8")
    told(capsys, "./were-kittens", "--renew", "--jobs", "1")

    assert [] == records(own_kittens)
    game = load_game(own_kittens, Problems())
    (one,) = simulations_of(game).recorded
    assert ("three", "penny") == one.report.each == one.first.each
    assert (4, 4) == (one.report.deals, one.first.deals)
    assert {3: 4} == one.report.totals.counts["rounds"]
    assert "--each 'three={rounds: 3}' --each 'penny={rounds: 5, race: yes}'" in one.command
    printed = told(capsys, *shlex.split(one.command)[2:], "--jobs", "1", "--json")
    assert json.loads(json.dumps(one.report.record()["totals"])) == json.loads(printed)["totals"]
    assert ["WK-SETUP-4", None] == [change.rule for change in simulations_of(game).changes]
    replace(own_kittens / "simulations.yaml", "{rounds: 3}\n      penny", "{rounds: 4}\n      penny")

    assert [True] == ["was recorded with other settings" in said for said in records(own_kittens)]


@pytest.mark.slow("runs simulations of a whole game")
def test_some_simulations_are_renewed(own_kittens, capsys):
    """Those that are named, and none when one of them is not there."""
    said = told(capsys, "./were-kittens", "--renew", "--only", "secnd,first", code=1)

    assert '--only: there is no simulation "secnd"; did you mean "second"?\n' == said
    told(capsys, "./were-kittens", "--renew", "--only", "second", "--jobs", "1")
    assert ["second.json"] == [path.name for path in (own_kittens / "simulations").iterdir()]
    assert "--only: there is nothing to choose from; add --renew\n" == told(
        capsys, "./were-kittens", "--only", "second", code=1
    )


def test_an_installed_game_is_not_renewed(own_kittens, capsys, monkeypatch):
    """Its folder belongs to the package."""
    installed = own_kittens.parent.rename(own_kittens.parent.with_name("site-packages"))
    monkeypatch.chdir(installed)
    monkeypatch.syspath_prepend(str(installed))
    own_kittens = installed / own_kittens.name
    said = told(capsys, "./were-kittens", "--renew", code=1)

    assert "./were-kittens: this game is part of an installed package; copy the game first" in said
    assert "write `engine: were-kittens` in its game.yaml" in said
    assert not (own_kittens / "simulations").exists()


@pytest.mark.slow("runs simulations of a whole game")
def test_an_old_record_outlives_a_full_disk(own_kittens, capsys, monkeypatch):
    """The others are written; nothing half done is left."""
    told(capsys, "./were-kittens", "--renew", "--jobs", "1")
    first, second = sorted((own_kittens / "simulations").iterdir())
    before = first.read_bytes()
    replace(own_kittens / "simulations.yaml", "games: 30", "games: 32")
    replace(own_kittens / "simulations.yaml", "seed: 4", "seed: 5")
    full_disk(monkeypatch, "first.json")

    assert "were-kittens/simulations/first.json: this cannot be written: No space left on device\n" == told(
        capsys, "./were-kittens", "--renew", "--jobs", "1", code=1
    )
    assert before == first.read_bytes()
    assert 5 == json.loads(second.read_text(encoding="utf-8"))["settings"]["seed"]
    assert [first, second] == sorted((own_kittens / "simulations").iterdir())


def test_records_that_may_not_be_written_are_told_before_the_first_game(own_kittens, capsys, monkeypatch):
    """All of them."""
    monkeypatch.setattr(os, "access", lambda where, mode: False)

    assert "".join(
        f"were-kittens/simulations/{id_}.json: this cannot be written\n" for id_ in ("first", "second")
    ) == told(capsys, "./were-kittens", "--renew", code=1)


def test_a_game_is_named_so_that_the_command_finds_it(tmp_path, monkeypatch):
    """By its name where that leads to it, otherwise by its path, and safe for the shell."""
    monkeypatch.chdir(tmp_path)
    for name in ("content/were-kittens", "my games/content/were-kittens", "were-kittens", "content/my cats"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "game.yaml").touch()
    places = ("content/were-kittens", "my games/content/were-kittens", "were-kittens", "content/my cats")

    assert ["were-kittens", "'my games/content/were-kittens'", "./were-kittens", "'my cats'"] == [
        spoken(Path(place)) for place in places
    ]
    assert "./were-kittens" != spoken(data_folder("content") / "were-kittens") != "were-kittens"
    (tmp_path / "content" / "were-kittens" / "game.yaml").unlink()

    assert "were-kittens" == spoken(data_folder("content") / "were-kittens")


def test_a_command_is_safe_for_the_shell(own_kittens):
    """Whatever an option holds."""
    simulation = simulations_of(load_game(own_kittens, Problems())).recorded[1].simulation
    other = simulation.model_copy(update={"options": {"call": "a b; rm"}})

    assert "--options 'call=a b; rm' --seed 4" in command(own_kittens, other)


@pytest.mark.slow("runs simulations of a whole game")
def test_records_follow_what_they_depend_on(own_kittens, capsys):
    """Numbers of the components and settings count; names, titles and texts do not."""
    told(capsys, "./were-kittens", "--renew", "--jobs", "1")
    replace(own_kittens / "simulations.yaml", "title: First", "title: Who is first")
    names = own_kittens / "coins.csv"
    text = names.read_text(encoding="utf-8")
    names.write_text(re.sub(r"(?m)^penny,[^,]*", "penny,Copper", text), encoding="utf-8")
    assert names.read_text(encoding="utf-8") != text

    assert [] == records(own_kittens)
    replace(own_kittens / "simulations.yaml", "games: 30", "games: 32")

    assert ['the simulation "first" was recorded with other settings'] == [
        re.search(r"the simulation .*?(?=;)", said)[0] for said in records(own_kittens)
    ]
    replace(own_kittens / "simulations.yaml", "games: 32", "games: 30")
    numbers = names.read_text(encoding="utf-8").replace("penny,Copper", "penny,Penny")
    head, penny = numbers.split("\n")[0].split(","), next(r for r in numbers.split("\n") if r.startswith("penny,"))
    cells = penny.split(",")
    cells[head.index("cat-points")] = "3"
    names.write_text(numbers.replace(penny, ",".join(cells)), encoding="utf-8")

    assert 2 == len([said for said in records(own_kittens) if "was recorded with other components" in said])


@pytest.mark.slow("runs simulations of a whole game")
@pytest.mark.parametrize(
    ("change", "counts"),
    [
        ({"force": 3}, True),
        ({"red_border": True}, True),
        ({"count": 2}, True),
        ({"name": "Someone"}, False),
        ({"flavour": "Other words."}, False),
        ({"hat": "hood"}, False),
    ],
)
def test_what_nobody_plays_with_may_change(change, counts):
    """Names, texts and what only draws the face are not in the digest of the facts."""
    game = load_game(find_game_folder("werecats"), Problems())
    rows = game.components["villagers"]
    (key,) = change
    row = next(row for row in rows if getattr(row, key) != change[key])
    others = tuple(row.model_copy(update=change) if one is row else one for one in rows)

    assert counts == (game.facts_print != facts_print(game.info, {**game.components, "villagers": others}))


def test_the_order_of_a_table_counts():
    """Engines number components by it."""
    game = load_game(find_game_folder("werecats"), Problems())
    turned = {**game.components, "villagers": game.components["villagers"][::-1]}

    assert game.facts_print != facts_print(game.info, turned)


@pytest.mark.slow("runs simulations of a whole game")
def test_records_that_cannot_be_read_or_belong_to_nothing_are_told(own_kittens, capsys):
    """A broken file, and one too many."""
    told(capsys, "./were-kittens", "--renew", "--jobs", "1")
    (own_kittens / "simulations" / "first.json").write_text("{}", encoding="utf-8")
    (own_kittens / "simulations" / "third.json").write_text("{}", encoding="utf-8")
    second = own_kittens / "simulations" / "second.json"
    record = json.loads(second.read_text(encoding="utf-8"))
    second.write_text(json.dumps(without(record, deals=0)), encoding="utf-8")

    assert [
        'were-kittens/simulations/first.json: the simulation "first" has a record that cannot be read; '
        "`grimalkin simulate ./were-kittens --renew` records it again",
        'were-kittens/simulations/second.json: the simulation "second" has a record that cannot be read; '
        "`grimalkin simulate ./were-kittens --renew` records it again",
        "were-kittens/simulations/third.json: no simulation has this name; delete it",
    ] == records(own_kittens)


@pytest.mark.slow("runs simulations of a whole game")
@pytest.mark.parametrize("bad", ["\\u001b[2J", "\\ud800", "\x9b", "\\\\\\r"])
def test_a_record_with_characters_that_are_no_text_cannot_be_read(own_kittens, capsys, bad):
    """However JSON writes them: they would stand on a page. A backslash by itself is a sign like others."""
    told(capsys, "./were-kittens", "--renew", "--jobs", "1")
    first = own_kittens / "simulations" / "first.json"
    text = first.read_text(encoding="utf-8")
    assert "last round" in text
    first.write_text(text.replace("last round", f"last {bad}"), encoding="utf-8")
    wrong = records(own_kittens)
    first.write_text(text.replace("last round", r"last \\\\round"), encoding="utf-8")

    assert [True] == ['"first" has a record that cannot be read' in one for one in wrong]
    assert [] == records(own_kittens)


@pytest.mark.slow("runs simulations of a whole game")
def test_a_record_that_is_nested_without_end_cannot_be_read(own_kittens, capsys):
    told(capsys, "./were-kittens", "--renew", "--jobs", "1")
    (own_kittens / "simulations" / "first.json").write_text("[" * 100_000, encoding="utf-8")

    assert [True] == ['"first" has a record that cannot be read' in one for one in records(own_kittens)]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("players: 3", "players: 4", ":3: players: 4 is the wrong number; 2 to 3 play"),
        ("[sensible, random]", "[sensible, randum]", ':2: bots.1: there is no bot "randum"; did you mean "random"?'),
        ("rounds: 3", "rounds: none", ':3: options.rounds: "none" is not a whole number'),
        ("id: second", "id: first", ':3: the id "first" is taken; give it another id'),
        ("id: second", "id: Second", ':3: simulations.1.id: "Second" is not well formed'),
        ("seed: 4", "seeds: 4", ':3: unknown key "seeds"; did you mean "seed"?'),
        ("WK-SETUP-4", "WK-SETUP-44", ":2: the reference [[WK-SETUP-44]] leads nowhere"),
    ],
)
def test_wrong_simulations_are_told_with_their_line(own_kittens, old, new, said):
    """By the same rules as on the command line."""
    replace(own_kittens / "simulations.yaml", old, new)
    problems = Problems()
    load_game(own_kittens, problems)

    assert any(f"were-kittens/simulations.yaml{said}" in str(problem) for problem in problems), list(problems)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("three: {rounds: 3}", "three: {rounds: x}", ':9: each.three.rounds: "x" is not a whole number'),
        ("three: {rounds: 3}", "three: {round: 3}", ':9: each.three.round: unknown key "round"'),
        ("      three: {rounds: 3}\n", "", ":9: each: there is nothing to compare it with; name two or more"),
        ("three:", "a=b:", ":9: simulations.0.each.a=b"),
        ("rule: WK-SETUP-4", "rule: WK-SETUP-44", ':12: there is no rule "WK-SETUP-44"'),
        ("piece: penny", "piece: penni", ':13: there is no component "penni"; did you mean "penny"?'),
        (", why: Weak.", "", ":13: "),
    ],
)
def test_wrong_comparisons_are_told_with_their_line(own_kittens, old, new, said):
    """Each option at its label; and what was changed is there."""
    text = COMPARED
    assert 1 == text.count(old)
    (own_kittens / "simulations.yaml").write_text(text.replace(old, new), encoding="utf-8")
    problems = Problems()
    load_game(own_kittens, problems)

    assert any(f"were-kittens/simulations.yaml{said}" in str(problem) for problem in problems), list(problems)


def test_what_the_engine_cannot_begin_is_told_at_its_line(own_kittens, monkeypatch):
    """Beyond what the shape of the options says: the game is begun."""
    (own_kittens / "simulations.yaml").write_text(COMPARED, encoding="utf-8")
    module = find_game("were-kittens")
    begin = module.start

    def refuse(facts, seats, options, chance):
        if options["rounds"] == "5":
            raise Misfits([Misfit(("rounds",), "5 is a number of the devil")])
        return begin(facts, seats, options, chance)

    monkeypatch.setattr(module, "start", refuse)
    problems = Problems()
    load_game(own_kittens, problems)

    assert [True] == [":10: each.penny.rounds: 5 is a number of the devil" in str(one) for one in problems]


HOW_TO_NAME_AN_ENGINE = (
    "own-kittens/simulations.yaml:1: this game has no engine, so nothing can be simulated; "
    "if this is a variant of a game in Grimalkin, name that game as `engine` in game.yaml"
)


def test_a_game_without_an_engine_simulates_nothing(own_kittens):
    """Neither in its file nor on the command line."""
    other = own_kittens.rename(own_kittens.with_name("own-kittens"))
    problems = Problems()
    load_game(other, problems)

    assert [HOW_TO_NAME_AN_ENGINE] == [str(problem) for problem in problems]


@pytest.mark.parametrize(
    ("city", "supply", "end"),
    [({"dime": 1}, {}, "last round"), ({}, {"dime": 1}, "last round"), ({}, {}, "no coins left")],
)
def test_the_tally_of_were_kittens(facts_of, city, supply, end):
    """A penny cat for 2 and a nickel cat for 3; two pennies, the most, for 2 each and a nickel, the second, for 1."""
    module = find_game("were-kittens")
    facts = facts_of("were-kittens")
    ada = {"cats": {"6": "penny", "4": "nickel"}, "hand": {"penny": 2}, "scare": {"nickel": 1}}
    left = {"penny": 7, "nickel": 4, "dime": 6 - len(city) - len(supply)}
    basil = {"hand": left, "cats": {}}
    record = {"phase": "over", "round": 7, "seats": {"Ada": ada, "Basil": basil}, "city": city, "supply": supply}
    tally = module.tally(module.load(facts, record))

    assert {"end": end, "rounds": 7} == tally.game
    assert {"starting coin": "unknown", "cats": 2, "victims": 3, "points": 10} == tally.seats[0]
    state = module.start(facts, ["Ada", "Basil"], {}, None)
    for line in ("nickel", "penny"):
        state.apply(module.read(line, state)[0])
    assert ["nickel", "penny"] == [seat["starting coin"] for seat in module.tally(state).seats]


PLAYED = [name for name in bundled_games() if find_game(name) is not None]


@pytest.mark.slow("runs simulations of a whole game")
@pytest.mark.parametrize("name", PLAYED)
def test_every_game_can_be_simulated(name: str, facts_of: Callable[[str], dict]) -> None:
    """With any number of seats and any bot; all games and seats have the same keys in their tally."""
    game = find_game(name)
    words, numbers = set(), set()
    for seats in range(game.SEATS[0], game.SEATS[1] + 1):
        for bot in game.BOTS:
            totals = simulate(game, facts_of(name), seats, 1, [bot]).totals
            kinds = {kind: {key[1] for key in totals.rates if key[0] == kind} for kind in ("word", "number", "game")}
            words.add(frozenset(kinds["word"] | kinds["number"]))
            numbers.add(frozenset(totals.counts.keys() | kinds["game"]))
            for key in kinds["word"] | kinds["number"]:
                assert seats == sum(sums.trials for (_, of, _), sums in totals.rates.items() if of == key)

    assert (1, 1) == (len(words), len(numbers))


RECORDED = [
    (name, path.stem) for name in bundled_games() for path in sorted(find_game_folder(name).glob("simulations/*.json"))
]


@pytest.mark.slow("reads a whole game")
def test_records_are_read_when_they_are_asked_for() -> None:
    """Few commands show them, and to read them takes a tenth of the time of a game."""
    game = load_game(find_game_folder("were-kittens"), Problems())
    assert game is not None

    assert not any("results" in vars(one) for one in simulations_of(game).recorded)
    assert all(one.report for one in simulations_of(game).recorded)


@pytest.mark.slow("plays the recorded games")
@sampled(("name", "id_"), RECORDED, 30)
def test_recorded_simulations_still_come_out(name: str, id_: str, facts_of: Callable[[str], dict]) -> None:
    """The first deals are played again: an engine or a bot that plays otherwise is noticed.

    If it should: `grimalkin simulate GAME --renew`.
    """
    game = bundled_game(name)
    assert game.module is not None
    (recorded,) = [one for one in simulations_of(game).recorded if one.simulation.id == id_]
    assert recorded.first is not None, recorded.fault

    assert recorded.first == run(recorded.simulation, game.module, game.facts, first_games(recorded.simulation))


@pytest.mark.soak
@pytest.mark.skipif(MORE == 1, reason="a record is played again as a whole in a soak only")
@pytest.mark.parametrize("name", sorted({name for name, _ in RECORDED}))
def test_a_record_of_each_game_comes_out_as_a_whole(name: str) -> None:
    """Another one with every seed."""
    game = bundled_game(name)
    recorded = Random(f"{FIRST} {name}").choice(simulations_of(game).recorded)

    assert recorded.report == run(recorded.simulation, game.module, game.facts)


def test_with_more_options_the_first_deals_are_fewer():
    """So that about as many games are played again: 20, or one deal with each."""
    one = Simulation.model_validate(
        {"id": "a", "title": "A", "text": "A.", "players": 2, "games": 100, "bots": ["a"], "rotate": False}
    )
    assert [20, 20, 6, 1] == [
        first_games(one.model_copy(update={"each": {str(label): {} for label in range(labels)}}))
        for labels in (0, 1, 3, 21)
    ]


class Stumbling(Executor):
    """Plays a chunk at once, but some of its first answers are an error, as dask's are when a worker has just died."""

    def __init__(self, errors: int) -> None:
        self.errors = errors

    def submit(self, fn, /, *args, **more):
        future = Future()
        if self.errors:
            self.errors -= 1
            future.set_exception(TypeError("cannot unpack non-iterable Totals object"))
        else:
            future.set_result(fn(*args, **more))
        return future


def test_a_chunk_whose_answer_is_lost_is_played_again():
    """Three times at most; the totals do not change."""
    expected = simulate(*TOY, chunk=50).record()

    assert expected == simulate(*TOY, executor=Stumbling(3), chunk=50).record()
    with pytest.raises(TypeError):
        simulate(*TOY, executor=Stumbling(1000), chunk=50)
