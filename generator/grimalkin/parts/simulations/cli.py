"""The command `simulate`, which lets bots play a game many times."""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any, NoReturn

from grimalkin.cli.common import GAME, Command, add_number, add_option, bar, game_option, load, names, progress
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean, shown_path
from grimalkin.problems.plain import plural

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from grimalkin.content import Game
    from grimalkin.engine.contract import Facts, GameModule
    from grimalkin.parts.simulations.questions import Recorded
    from grimalkin.play.simulation import Report

COMMANDS = ("simulate",)
_SIMULATE = """\
Every deal is played in all rotations of the bots, so that no bot gains from its seat or its cards; the number of games
is rounded up to whole deals. If seats have roles, as in Curses & Covens, or with --no-rotate, every bot keeps its seat.
Each game depends only on the number of its deal, so any number of jobs and any machine give the same totals. Rates are
shown with their 95 % intervals.

examples:
  grimalkin simulate were-kittens
  grimalkin simulate were-kittens --players 3 --games 5000 --bots sensible,random,random
  grimalkin simulate were-kittens --options rounds=20 --output kittens.svg --output kittens.csv
  grimalkin simulate were-kittens --games 1000000 --scheduler tcp://192.168.1.10:8786
"""
ENDINGS = (".csv", ".json", ".svg", ".txt")
MOST_GAMES = 1_000_000_000


def add(command: Command) -> None:
    simulate = command(
        "simulate", _simulate, "Let bots play many games, and report who wins and what happens", _SIMULATE
    )
    simulate.add_argument("game", metavar="GAME", help=GAME)
    add_number(
        simulate,
        "--players",
        1,
        99,
        "number of players (default: one for each bot, but at least the fewest that can play)",
    )
    add_number(simulate, "--games", 1, MOST_GAMES, "minimum number of games (default: 1000)")
    simulate.add_argument(
        "--bots",
        type=_bots,
        metavar="A,B",
        help="one bot for all seats, or one for each (default: sensible, if there is one)",
    )
    like = "an option of the game; write lists and tables as in YAML: 'skills={minou: [roof-paths]}'"
    add_option(simulate, "--options", like)
    simulate.add_argument(
        "--each",
        type=_label,
        action="append",
        default=[],
        metavar="LABEL={KEY: VALUE}",
        help="labelled options to compare on the same deals; repeat it: all others are compared with the first",
    )
    add_number(
        simulate,
        "--seed",
        0,
        MOST_GAMES,
        "number of the first deal (default: 0); a different number brings different luck",
    )
    simulate.add_argument(
        "--no-rotate",
        action="store_true",
        help="bots keep their seats, and a shared win counts in full for each winner; always the case if seats have "
        "roles",
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
        "--renew",
        action="store_true",
        help="run the simulations in the game's simulations.yaml, and record their results in its folder",
    )
    simulate.add_argument("--only", type=names, metavar="A,B", help="with --renew: run only these simulations, by id")
    playing = simulate.add_mutually_exclusive_group()
    add_number(playing, "--jobs", 1, _most_jobs(os.name), "number of processes (default: one per core)")
    playing.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help='play on the workers of this dask scheduler (pip install "grimalkin[cluster]")',
    )


def _most_jobs(system: str) -> int:
    """Return the maximum number of processes that may play, by `os.name`: Windows cannot wait for more than 61."""
    return 61 if system == "nt" else 256


def _bots(text: str) -> list[str]:
    """Read names separated by commas, in order; a name may be repeated."""
    found = [name.strip() for name in text.split(",")]
    if not all(found):
        raise argparse.ArgumentTypeError(f'"{text}" lacks a name')
    return found


def _label(text: str) -> tuple[str, dict[str, Any]]:
    """Read labelled options, LABEL={KEY: VALUE}."""
    label, more = game_option(text)
    if not isinstance(more, dict):
        raise argparse.ArgumentTypeError(f'"{text}" is not LABEL={{KEY: VALUE}}')
    return label, more


@contextmanager
def _ending() -> Iterator[None]:
    """Let SIGTERM stop the command as Ctrl-C does."""

    def stop(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    if current_thread() is not main_thread():  # no other thread receives signals
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL if before is None else before)


@_ending()
def _simulate(options: argparse.Namespace) -> int:
    game = load(options.game)
    module = game.module
    if module is None:
        raise Stop.at(Place(options.game), f"{game.info.title} has no engine, so nobody can play it")
    if options.jobs is None:
        options.jobs = min(os.cpu_count() or 1, _most_jobs(os.name))
    if options.only and not options.renew:
        raise Stop.at(Place("--only"), "there is nothing to choose from", "add --renew")
    if options.renew:
        _alone(options)
        return _renew(options, game, module)
    _check(options, module, game.facts)
    with _telling(options, game), _players(options) as (executor, jobs):
        report = _play(options, game, module, executor, jobs)
    _show(options, game, report)
    return 0


def _alone(options: argparse.Namespace) -> None:
    """Refuse options that a game's simulations.yaml sets."""
    names = ("players", "games", "bots", "options", "each", "seed", "no-rotate", "all", "json", "csv", "output")
    given = {f"--{name}": getattr(options, name.replace("-", "_")) for name in names}
    wrong = [name for name, value in given.items() if value is not None and value is not False and value != []]
    if wrong:
        hint = "leave it out, or leave --renew out"
        raise Stop([Problem(Place(name), "with --renew, simulations.yaml sets this", hint) for name in wrong])


def _check(options: argparse.Namespace, module: GameModule, facts: Facts) -> None:
    """Fill in defaults. Stops before the first game with everything that would not work."""
    from grimalkin.play.simulation import misfits

    if options.bots is None:
        options.bots = ["sensible" if "sensible" in module.BOTS else next(iter(module.BOTS))]
    defaults = {"games": 1000, "seed": 0, "players": max(len(options.bots), module.SEATS[0])}
    for option, default in defaults.items():
        if getattr(options, option) is None:
            setattr(options, option, default)
    problems = Problems()
    for misfit in misfits(module, options.players, options.bots, dict(options.options), dict(options.each), facts):
        name, *keys = misfit.at
        words = ".".join(str(key) for key in keys if isinstance(key, str))
        problems.add(Place(f"--{name}"), f"{words}: {misfit.message}" if words else misfit.message, misfit.hint)
    for name, given in (("--options", options.options), ("--each", options.each)):
        keys = [key for key, _ in given]
        for key in dict.fromkeys(keys):
            if keys.count(key) > 1:
                problems.add(Place(name), f"{key} is given {keys.count(key)} times", "give it once")
    for path in options.output:
        if path.is_dir():
            problems.add(Place("--output"), f"{path} is a folder", f"name a file, such as {path / 'results.csv'}")
        elif path.suffix not in ENDINGS:
            hint = did_you_mean(path.suffix, ENDINGS)
            problems.add(Place("--output"), f'"{path.name}" does not say what to write', hint)
        elif not path.parent.is_dir():
            problems.add(Place("--output"), f"there is no folder {path.parent}")
        elif not _can_write(path):
            problems.add(Place("--output"), f"{path} cannot be written")
    problems.stop()


def _can_write(path: Path) -> bool:
    """Return whether this file may be made or replaced."""
    whole = path.resolve()
    return os.access(whole.parent, os.W_OK | os.X_OK) and (not whole.exists() or os.access(whole, os.W_OK))


def _try_to_write(path: Path, text: str, problems: Problems) -> bool:
    """Write a file and return whether that worked; otherwise add a problem. A link stays a link."""
    from grimalkin.source.files import write_over

    try:
        write_over(path.resolve(), text.encode())
    except OSError as error:
        problems.add(Place(shown_path(path)), f"this cannot be written: {error.strerror or error}")
        return False
    return True


@contextmanager
def _telling(options: argparse.Namespace, game: Game) -> Iterator[None]:
    """Turn errors that may occur during games into problems."""
    from concurrent.futures.process import BrokenProcessPool

    from grimalkin.games import find_outside
    from grimalkin.play.simulation import Broken, OtherEdition
    from grimalkin.play.simulation.cluster import NoCluster

    try:
        yield
    except Broken as broken:
        hint = f"with the same players, bots and options, --seed {broken.deal} begins with this deal"
        outside = find_outside(game.engine)
        message = f"{outside.by}: {broken}" if outside is not None else str(broken)
        raise Stop.at(Place(options.game), message, hint) from broken
    except OtherEdition as other:
        raise Stop.at(Place("--scheduler"), str(other), "install the same versions on every machine") from other
    except NoCluster as none:
        raise Stop.at(Place("--scheduler"), none.because, none.hint) from none
    except BrokenProcessPool as gone:
        raise Stop.at(Place("--jobs"), "a process that was playing has died", "try fewer jobs") from gone
    finally:
        progress()("")  # a bar may be unfinished


@contextmanager
def _players(options: argparse.Namespace) -> Iterator[tuple[Executor | None, int]]:
    """Yield the executor that plays the games, and how many chunks it plays at a time."""
    if options.scheduler is not None:
        from grimalkin.play.simulation.cluster import cluster

        with cluster(options.scheduler) as (executor, jobs):
            yield executor, jobs
    elif options.jobs == 1:
        yield None, 1
    else:
        from multiprocessing import active_children

        from grimalkin.parts.simulations.pool import Pool, listen

        others = active_children()
        pool = Pool(options.jobs, initializer=listen)
        try:
            yield pool, options.jobs
        except KeyboardInterrupt:
            # Ctrl-C reaches every process of the terminal, but SIGTERM only this one.
            if os.name != "nt":
                for process in active_children():
                    if process not in others and process.pid is not None:
                        os.kill(process.pid, signal.SIGINT)
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _play(options: argparse.Namespace, game: Game, module: GameModule, executor: Executor | None, jobs: int) -> Report:
    from grimalkin.play.simulation import rotations, simulate

    rotate = _rotates(options, module)
    turns = rotations(options.bots, rotate)
    games = -(-options.games // turns) * turns
    done = bar(f"{game.name}: playing", games)
    played = options.players, games, options.bots, dict(options.options), options.seed
    return simulate(module, game.facts, *played, executor, jobs, progress=done, rotate=rotate, each=dict(options.each))


def _rotates(options: argparse.Namespace, module: GameModule) -> bool:
    """Return whether bots change seats. If seats have roles, they never do."""
    return not (options.no_rotate or getattr(module, "ROLES", False))


def _show(options: argparse.Namespace, game: Game, report: Report) -> None:
    from grimalkin.parts.simulations.recordings import more_settings
    from grimalkin.play.simulation import renderings

    settings: dict[str, Any] = {
        "game": game.name,
        "players": options.players,
        "bots": list(report.bots),
        "options": dict(options.options),
        "seed": options.seed,
        "facts": game.facts_print,
    } | more_settings(report.rotate, dict(options.each))
    title = renderings.title_of(game.info.title, report.bots, settings["options"], options.seed)
    laws = {id_: law.title for id_, law in game.laws.items()}
    makers = {
        ".txt": lambda: renderings.text(report, title, options.all, laws),
        ".json": lambda: renderings.as_json(report, settings),
        ".csv": lambda: renderings.as_csv(report, settings),
        ".svg": lambda: renderings.standalone((*report.differences(), *report.groups(), *report.ends()), title),
    }
    problems = Problems()
    for path in options.output:
        if _try_to_write(path, makers[path.suffix](), problems):
            print(f"{path} written")
    if problems or not options.output:  # results are never lost
        print(makers[".json" if options.json else ".csv" if options.csv else ".txt"](), end="")
    if not (options.json or options.csv) and report.games > options.games:
        asked = f"{plural(options.games, 'game')} {'was' if options.games == 1 else 'were'} asked for"
        print(f"\n{asked}; rounded up to whole deals.")
    problems.stop()


def _chosen(options: argparse.Namespace, game: Game) -> list[Recorded]:
    """Return the simulations to record."""
    from grimalkin.parts.simulations.content import simulations_of

    by_id = {one.simulation.id: one for one in simulations_of(game).recorded}
    problems = Problems()
    for id_ in options.only or ():
        if id_ not in by_id:
            problems.add(Place("--only"), f'there is no simulation "{id_}"', did_you_mean(id_, by_id))
    problems.stop()
    return [one for id_, one in by_id.items() if not options.only or id_ in options.only]


def _renew(options: argparse.Namespace, game: Game, module: GameModule) -> int:
    from grimalkin.parts.simulations.content import simulations_of
    from grimalkin.parts.simulations.recordings import FOLDER, first_games, path_of, record_text, run
    from grimalkin.source import is_inside, is_installed

    if is_installed(game.folder):
        hint = f"copy the game first, write `engine: {game.engine}` in its game.yaml, and name the folder of the copy"
        raise Stop.at(Place(options.game), "this game is part of an installed package", hint)
    if not simulations_of(game).recorded:
        raise Stop.at(Place(options.game), "simulations.yaml lists nothing to run")
    folder = game.folder / FOLDER
    chosen = _chosen(options, game)
    paths = [path_of(game.folder, one.simulation) for one in chosen]
    leading_out = [path for path in (folder, *paths) if not is_inside(path, game.folder)]
    if leading_out:
        raise Stop.at(Place(shown_path(leading_out[0])), "this leads out of the game's folder", "remove the link")
    folder.mkdir(exist_ok=True)
    closed = [path for path in paths if not _can_write(path)]
    if closed:
        raise Stop([Problem(Place(shown_path(path)), "this cannot be written") for path in closed])
    problems = Problems()
    with _telling(options, game), _players(options) as (executor, jobs):
        for recorded in chosen:
            one = recorded.simulation
            done = bar(f"{game.name}: {one.id}", one.games)
            report = run(one, module, game.facts, executor=executor, jobs=jobs, progress=done)
            first = run(one, module, game.facts, first_games(one))
            path = path_of(game.folder, one)
            if _try_to_write(path, record_text(one, game.facts_print, report, first), problems):
                print(f"{path} written: {plural(report.games, 'game')}")
    problems.stop()
    return 0
