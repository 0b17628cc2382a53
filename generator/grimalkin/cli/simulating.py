"""The command that lets bots play a game many times."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grimalkin.cli.common import Command, bar, whole_number
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean

if TYPE_CHECKING:
    from grimalkin.content import Game
    from grimalkin.engine.contract import GameModule
    from grimalkin.simulation import Report

_SIMULATE = """\
Every deal is played in all rotations of the bots, so that none is helped by its seat or its cards; games are rounded up
to whole deals. Game and luck follow from the number of the deal alone: any number of jobs, and any machines, give the
same totals. Rates come with their interval of 95 %.

examples:
  grimalkin simulate were-kittens
  grimalkin simulate were-kittens --players 3 --games 5000 --bots sensible,random,random
  grimalkin simulate were-kittens --options rounds=20 --output kittens.svg --output kittens.csv
  grimalkin simulate were-kittens --games 1000000 --scheduler tcp://192.168.1.10:8786
"""
ENDINGS = (".csv", ".json", ".svg", ".txt")
MOST_GAMES = 1_000_000_000


def add(command: Command) -> None:
    simulate = command("simulate", _simulate, "Let bots play many games, and tell who wins and what happens", _SIMULATE)
    simulate.add_argument("game", metavar="GAME")
    simulate.add_argument(
        "--players", type=whole_number(1, 99), metavar="N", help="how many (default: one for each bot, else the fewest)"
    )
    simulate.add_argument(
        "--games",
        type=whole_number(1, MOST_GAMES),
        metavar="N",
        default=1000,
        help="how many at least (default: 1000)",
    )
    simulate.add_argument(
        "--bots", type=_bots, metavar="A,B", help="one for all, or one a seat (default: sensible, where there is one)"
    )
    simulate.add_argument(
        "--options", type=_pair, action="append", default=[], metavar="KEY=VALUE", help="an option of the game"
    )
    simulate.add_argument(
        "--seed",
        type=whole_number(0, MOST_GAMES),
        metavar="N",
        default=0,
        help="the first deal (default: 0); another gives other luck",
    )
    shown = simulate.add_mutually_exclusive_group()
    shown.add_argument("--all", action="store_true", help="list every rule that made something happen")
    shown.add_argument("--json", action="store_true", help="print JSON, for programs")
    shown.add_argument("--csv", action="store_true", help="print one CSV table of all results")
    simulate.add_argument(
        "--output",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="write the results to FILE.csv, .json, .svg (plots) or .txt instead; can be given more than once",
    )
    simulate.add_argument(
        "--renew", action="store_true", help="run what the game's simulations.yaml lists, and record the results there"
    )
    simulate.add_argument(
        "--jobs",
        type=whole_number(1, 256),
        default=os.cpu_count() or 1,
        metavar="N",
        help="processes that play (default: one a core)",
    )
    simulate.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="play on the workers of this dask scheduler (pip install grimalkin[cluster])",
    )


def _bots(text: str) -> list[str]:
    """Names with commas between them, in their order; one may come more than once."""
    found = [name.strip() for name in text.split(",")]
    if not all(found):
        raise argparse.ArgumentTypeError(f'"{text}" lacks a name')
    return found


def _pair(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not (key and sign and value):
        raise argparse.ArgumentTypeError(f'"{text}" is not KEY=VALUE')
    return key, value


def _simulate(options: argparse.Namespace) -> int:
    from grimalkin.content import load_game
    from grimalkin.source import find_game_folder

    problems = Problems()
    folder = find_game_folder(options.game)
    game = load_game(folder, problems)
    if game is None or problems:
        raise Stop(problems)
    module = game.module
    if module is None:
        raise Stop([Problem(Place(options.game), f"{game.info.title} has no engine, so nobody can play it")])
    if options.renew:
        return _renew(options, game, module)
    _check(options, module)
    with _telling(options), _players(options) as (executor, jobs):
        report = _play(options, game, module, executor, jobs)
    _show(options, game, report)
    return 0


def _check(options: argparse.Namespace, module: GameModule) -> None:
    """Fills in bots and players. Stops with everything that would not work, before the first game."""
    from grimalkin.simulation import misfits

    if options.bots is None:
        options.bots = ["sensible" if "sensible" in module.BOTS else next(iter(module.BOTS))]

    if options.players is None:
        options.players = max(len(options.bots), module.SEATS[0])
    problems = Problems()
    for misfit in misfits(module, options.players, options.bots, dict(options.options)):
        name, *keys = misfit.at
        words = ".".join(str(key) for key in keys if isinstance(key, str))
        problems.add(Place(f"--{name}"), f"{words}: {misfit.message}" if words else misfit.message, misfit.hint)
    for path in options.output:
        if path.suffix not in ENDINGS:
            hint = did_you_mean(path.suffix, ENDINGS)
            problems.add(Place("--output"), f'"{path.name}" does not say what to write', hint)
        elif not path.parent.is_dir():
            problems.add(Place("--output"), f"there is no folder {path.parent}")
    if problems:
        raise Stop(problems)


@contextmanager
def _telling(options: argparse.Namespace) -> Iterator[None]:
    """Turns what can go wrong while games are played into problems."""
    from grimalkin.simulation import Broken, OtherEdition
    from grimalkin.simulation.cluster import NoCluster

    try:
        yield
    except Broken as broken:
        hint = f"with the same players, bots and options, --seed {broken.deal} begins with this deal"
        raise Stop([Problem(Place(options.game), str(broken), hint)]) from broken
    except OtherEdition as other:
        raise Stop([Problem(Place("--scheduler"), str(other), "install the same on every machine")]) from other
    except NoCluster as none:
        raise Stop([Problem(Place("--scheduler"), none.because, none.hint)]) from none
    except BrokenProcessPool as gone:
        raise Stop([Problem(Place("--jobs"), "a process that played has died", "try fewer jobs")]) from gone
    finally:
        if sys.stderr.isatty():  # a bar that did not come to its end
            print("\r\033[K", end="", file=sys.stderr, flush=True)


@contextmanager
def _players(options: argparse.Namespace) -> Iterator[tuple[Executor | None, int]]:
    """What plays the games, and how many chunks at a time it plays."""
    if options.scheduler is not None:
        from grimalkin.simulation.cluster import cluster

        with cluster(options.scheduler) as (executor, jobs):
            yield executor, jobs
    elif options.jobs == 1:
        yield None, 1
    else:
        # Ctrl-C reaches every process of the terminal: those that play just end, and this one tells.
        pool = ProcessPoolExecutor(options.jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_DFL))
        try:
            yield pool, options.jobs
        finally:
            pool.shutdown(cancel_futures=True)


def _play(options: argparse.Namespace, game: Game, module: GameModule, executor: Executor | None, jobs: int) -> Report:
    from grimalkin.simulation import rotations, simulate

    turns = rotations(options.bots)
    games = -(-options.games // turns) * turns
    done = bar(f"{game.name}: playing", games)
    chosen, seed = dict(options.options), options.seed
    return simulate(
        module, game.facts, options.players, games, options.bots, chosen, seed, executor, jobs, progress=done
    )


def _show(options: argparse.Namespace, game: Game, report: Report) -> None:
    from grimalkin.simulation import plot, tables

    settings: dict[str, Any] = {
        "game": game.name,
        "players": options.players,
        "bots": list(report.bots),
        "options": dict(options.options),
        "seed": options.seed,
        "facts": game.facts_print,
    }
    title = f"{game.info.title}, {options.players} players ({', '.join(dict.fromkeys(report.bots))})"
    laws = {id_: law.title for id_, law in game.laws.items()}
    makers = {
        ".txt": lambda: tables.text(report, title, options.all, laws),
        ".json": lambda: tables.as_json(report, settings),
        ".csv": lambda: tables.as_csv(report),
        ".svg": lambda: plot.standalone((*report.groups(), *report.ends()), title),
    }
    for path in options.output:
        path.write_text(makers[path.suffix](), encoding="utf-8", newline="\n")
        print(f"{path} written")
    if not options.output:
        print(makers[".json" if options.json else ".csv" if options.csv else ".txt"](), end="")
    if not (options.json or options.csv) and report.games > options.games:
        print(f"\n{options.games:,} games were asked for; rounded up to whole deals.")


def _renew(options: argparse.Namespace, game: Game, module: GameModule) -> int:
    from grimalkin.content.simulations import first_games, path_of, record_text, run

    if not game.simulations:
        raise Stop([Problem(Place(options.game), "simulations.yaml lists nothing to run")])
    with _telling(options), _players(options) as (executor, jobs):
        for recorded in game.simulations:
            one = recorded.simulation
            done = bar(f"{game.name}: {one.id}", one.games)
            report = run(one, module, game.facts, executor=executor, jobs=jobs, progress=done)
            first = run(one, module, game.facts, first_games(one))
            path = path_of(game.folder, one)
            path.parent.mkdir(exist_ok=True)
            path.write_text(record_text(one, game.facts_print, report, first), encoding="utf-8", newline="\n")
            print(f"{path} written: {report.games:,} games")
    return 0
