"""Keep records of a game's simulations, and report where they disagree with simulations.yaml."""

from __future__ import annotations

import json
import os
import re
import shlex
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from grimalkin.content.versions import on_one_line
from grimalkin.engine.contract import Facts, GameModule
from grimalkin.parts.simulations.questions import Recorded, Results, Simulation
from grimalkin.play.simulation import Each, Report, misfits, rotations, simulate
from grimalkin.play.simulation.totals import Totals
from grimalkin.problems import Place, Problems, Stop, shown_path
from grimalkin.problems.plain import flow
from grimalkin.source import At, Source, find_game_folder, is_inside, read_bytes

FOLDER = "simulations"
FIRST_DEALS = 20
"""The number of deals also recorded separately: a test plays them again to check that nothing has changed."""


def check_simulation(
    simulation: Simulation, module: GameModule, source: Source, at: At, problems: Problems, facts: Facts | None = None
) -> None:
    """Report every wish that the engine cannot fulfil. With `facts`, let the engine begin the game."""
    for misfit in misfits(module, simulation.players, simulation.bots, simulation.options, simulation.each, facts):
        name = ".".join(map(str, misfit.at))
        problems.add(source.place((*at, *misfit.at)), f"{name}: {misfit.message}", misfit.hint)


def spoken(folder: Path) -> str:
    """Return a game's name, or its folder if the name is not enough, as a shell argument for commands run here."""
    whole = folder.resolve()
    try:
        if find_game_folder(whole.name).resolve() == whole:
            return shlex.quote(whole.name)
    except Stop:
        pass
    shown = shown_path(folder)
    return shlex.quote(shown if "/" in shown else f"./{shown}")


def command(folder: Path, simulation: Simulation) -> str:
    """Return the command that runs a simulation, for readers: it does not depend on where the folder is."""
    whole = folder.resolve()
    game = shlex.quote(whole.name) if whole.parent.name == "content" else spoken(folder)
    words = [f"grimalkin simulate {game} --players {simulation.players} --games {simulation.games}"]
    words.append(f"--bots {shlex.quote(','.join(simulation.bots))}")
    words += [f"--options {shlex.quote(f'{key}={flow(value)}')}" for key, value in simulation.options.items()]
    words += [f"--each {shlex.quote(f'{label}={flow(more)}')}" for label, more in simulation.each.items()]
    words += [f"--seed {simulation.seed}"] if simulation.seed else []
    words += [] if simulation.rotate else ["--no-rotate"]
    return " ".join(words)


def path_of(folder: Path, simulation: Simulation) -> Path:
    return folder / FOLDER / f"{simulation.id}.json"


def settings(simulation: Simulation) -> dict[str, Any]:
    """Return the settings of a simulation that affect its results."""
    return {
        "players": simulation.players,
        "games": simulation.games,
        "bots": list(simulation.bots),
        "options": dict(simulation.options),
        "seed": simulation.seed,
    } | more_settings(simulation.rotate, simulation.each)


def more_settings(rotate: bool, each: Each) -> dict[str, Any]:
    """Return settings that are recorded only if they are unusual, so that older records stay the same.

    The order of the labels counts.
    """
    kept: dict[str, Any] = {} if rotate else {"rotate": False}
    return kept | ({"each": [[label, dict(more)] for label, more in each.items()]} if each else {})


def find_recorded(folder: Path, simulation: Simulation, facts: str) -> Recorded:
    """Return a simulation with its record. `facts` is the digest of the current facts."""
    return Recorded(simulation, command(folder, simulation), partial(_read, folder, simulation, facts))


def _read(folder: Path, simulation: Simulation, facts: str) -> Results:
    path = path_of(folder, simulation)
    if not os.path.lexists(path):
        return Results(fault="is not recorded yet")
    data = read_bytes(path, Problems(), folder)
    try:
        text = (data or b"").decode("utf-8")
        if not (text.isascii() and "\\" not in text and "\x7f" not in text) and _CONTROL.search(text):
            raise ValueError  # the search is slow, and most records are quickly seen to be plain
        record = json.loads(text)
        report = Report.from_record(record)
        # These are never shown, only compared by a test, so they need only be totals.
        first = replace(report, totals=Totals.from_record(record["first-totals"]))
        wish, then = record["settings"], record["facts"]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Results(fault="has a record that cannot be read")
    fault = ""
    if wish != settings(simulation):
        fault = "was recorded with other settings"
    elif then != facts:
        fault = "was recorded with other components"
    return Results(report, first, fault)


def run(simulation: Simulation, module: GameModule, facts: Facts, most: int | None = None, **how: Any) -> Report:
    """Return the results of a simulation, or of its first games up to `most`. `how` is passed to `simulate`."""
    games = simulation.games if most is None else min(most, simulation.games)
    options, seed = simulation.options, simulation.seed
    more = {"rotate": simulation.rotate, "each": simulation.each, **how}
    return simulate(module, facts, simulation.players, games, simulation.bots, options, seed, **more)


def first_games(simulation: Simulation) -> int:
    """Return the number of games in the first deals for each option: the more options, the fewer games."""
    return max(1, FIRST_DEALS // max(1, len(simulation.each))) * rotations(simulation.bots, simulation.rotate)


_CONTROL = re.compile(r"[\x7f-\x9f]|(?<!\\)(?:\\\\)*\\[bfru]")
"""A character that labels never contain, plain or escaped for JSON; records hold labels unescaped."""


def record_text(simulation: Simulation, facts: str, report: Report, first: Report) -> str:
    """Return the record of a simulation: equal results give equal text."""
    record = {
        "settings": settings(simulation),
        "facts": facts,
        **report.record(),
        "first-totals": first.totals.record(),
    }
    text = json.dumps(record, indent=1, ensure_ascii=False)
    # Put lists of numbers on one line: in JSON text, no line ends inside a string.
    return re.sub(r"\[[^\[\]{}]*\]", on_one_line, text) + "\n"


def check_records(folder: Path, recorded: tuple[Recorded, ...], problems: Problems, owed: Problems) -> None:
    """Report files that are not records or belong to no simulation. Missing and outdated records go to `owed`."""
    known = {path_of(folder, one.simulation) for one in recorded}
    for one in recorded:
        if one.fault:
            path = path_of(folder, one.simulation)
            place = Place(shown_path(path))
            told = owed if one.report or not os.path.lexists(path) else problems
            hint = f"`grimalkin simulate {spoken(folder)} --renew` records it again"
            told.add(place, f'the simulation "{one.simulation.id}" {one.fault}', hint)
    for path in sorted((folder / FOLDER).glob("*")) if is_inside(folder / FOLDER, folder) else ():
        if path not in known and not path.name.startswith("."):
            problems.add(Place(shown_path(path)), "no simulation has this name", "delete it")
