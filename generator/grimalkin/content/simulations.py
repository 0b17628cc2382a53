"""A game's simulations.yaml and what was recorded of it in, Recorded simulations out; and problems when they part."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

from grimalkin.content.inquiries import Simulation
from grimalkin.content.models import Component, GameFile
from grimalkin.engine.contract import Facts, GameModule
from grimalkin.problems import Place, Problems, Stop, shown_path
from grimalkin.problems.plain import flow
from grimalkin.simulation import Each, Report, misfits, rotations, simulate
from grimalkin.simulation.totals import Totals
from grimalkin.source import At, Source, find_game_folder, is_inside, read_bytes

FOLDER = "simulations"
FIRST_DEALS = 20
"""So many deals are recorded by themselves too: a test plays them again, to see that nothing has changed."""


class Results(NamedTuple):
    """What is recorded of a simulation, if anything.

    `first` are the results of the first deals; `fault` says why the record is not that of this simulation and of these
    facts, or is "".
    """

    report: Report | None = None
    first: Report | None = None
    fault: str = ""


@dataclass(frozen=True)
class Recorded:
    """A simulation, and its results, which are read when they are asked for: few commands do."""

    simulation: Simulation
    command: str
    """What runs it again."""
    read: Callable[[], Results] = Results

    @cached_property
    def results(self) -> Results:
        return self.read()

    @property
    def report(self) -> Report | None:
        return self.results.report

    @property
    def first(self) -> Report | None:
        return self.results.first

    @property
    def fault(self) -> str:
        return self.results.fault


def facts_print(info: GameFile, components: Mapping[str, tuple[Component, ...]]) -> str:
    """A digest of all that an engine reads of the components.

    Names, texts and columns that are not shown are words and looks: who changes them changes no game.
    """
    facts = {
        row.id: {
            "count": row.count,
            "deck": deck.id,
            "columns": {
                name: getattr(row, name.replace("-", "_"))
                for name, column in sorted(deck.columns.items())
                if column.type != "text" and column.shown
            },
        }
        for deck in info.decks
        for row in components[deck.id]
    }
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:24]


def check_simulation(
    simulation: Simulation, module: GameModule, source: Source, at: At, problems: Problems, facts: Facts | None = None
) -> None:
    """A problem for every wish that the game's engine cannot fulfil. With facts it is asked to begin the game."""
    for misfit in misfits(module, simulation.players, simulation.bots, simulation.options, simulation.each, facts):
        name = ".".join(map(str, misfit.at))
        problems.add(source.place((*at, *misfit.at)), f"{name}: {misfit.message}", misfit.hint)


def spoken(folder: Path) -> str:
    """A game's folder as commands that are run here name it, for the shell: by its name when that finds it."""
    whole = folder.resolve()
    try:
        if find_game_folder(whole.name).resolve() == whole:
            return shlex.quote(whole.name)
    except Stop:
        pass
    shown = shown_path(folder)
    return shlex.quote(shown if "/" in shown else f"./{shown}")


def command(folder: Path, simulation: Simulation) -> str:
    """The command that runs a simulation, as a game's readers need it: where its maker has it is not theirs."""
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
    """What of a simulation has a say in its results."""
    return {
        "players": simulation.players,
        "games": simulation.games,
        "bots": list(simulation.bots),
        "options": dict(simulation.options),
        "seed": simulation.seed,
    } | more_settings(simulation.rotate, simulation.each)


def more_settings(rotate: bool, each: Each) -> dict[str, Any]:
    """What is written only where it is not as usual, so that older records stay as they are.

    The order of labels counts.
    """
    kept: dict[str, Any] = {} if rotate else {"rotate": False}
    return kept | ({"each": [[label, dict(more)] for label, more in each.items()]} if each else {})


def find_recorded(folder: Path, simulation: Simulation, facts: str) -> Recorded:
    """A simulation with what is recorded of it. `facts` is the digest of the facts as they are now."""
    return Recorded(simulation, command(folder, simulation), partial(_read, folder, simulation, facts))


def _read(folder: Path, simulation: Simulation, facts: str) -> Results:
    path = path_of(folder, simulation)
    if not os.path.lexists(path):
        return Results(fault="is not recorded yet")
    data = read_bytes(path, Problems(), folder)
    try:
        text = (data or b"").decode("utf-8")
        if not (text.isascii() and "\\" not in text and "\x7f" not in text) and _CONTROL.search(text):
            raise ValueError  # the search takes a while, and most records are soon found to be plain
        record = json.loads(text)
        report = Report.from_record(record)
        # Nobody is shown these: a test compares them, so they need only be totals.
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
    """The results of a simulation, or of its first games up to `most`. `how` goes to `simulate`."""
    games = simulation.games if most is None else min(most, simulation.games)
    options, seed = simulation.options, simulation.seed
    more = {"rotate": simulation.rotate, "each": simulation.each, **how}
    return simulate(module, facts, simulation.players, games, simulation.bots, options, seed, **more)


def first_games(simulation: Simulation) -> int:
    """How many games the first deals are, with each option: fewer where there are more options."""
    return max(1, FIRST_DEALS // max(1, len(simulation.each))) * rotations(simulation.bots, simulation.rotate)


_CONTROL = re.compile(r"[\x7f-\x9f]|(?<!\\)(?:\\\\)*\\[bfru]")
"""A character that no label has, as it is or as JSON writes it; the letters that labels have, we write as they are."""


def record_text(simulation: Simulation, facts: str, report: Report, first: Report) -> str:
    """The record of a simulation: the same text for the same results."""
    record = {
        "settings": settings(simulation),
        "facts": facts,
        **report.record(),
        "first-totals": first.totals.record(),
    }
    text = json.dumps(record, indent=1, ensure_ascii=False)
    # Lists of numbers stay on one line: in JSON text a line never ends inside a string.
    return re.sub(r"\[[^\[\]{}]*\]", on_one_line, text) + "\n"


def on_one_line(found: re.Match[str]) -> str:
    """A list or an object of indented JSON that holds no other, without its line ends."""
    inner = " ".join(line.strip() for line in found[0][1:-1].split("\n"))
    return f"{found[0][0]}{inner.strip()}{found[0][-1]}"


def check_records(folder: Path, recorded: tuple[Recorded, ...], problems: Problems, owed: Problems) -> None:
    """A problem for every file that is no record, or of no simulation; what is not recorded, or not anew, is owed."""
    known = {path_of(folder, one.simulation) for one in recorded}
    for one in recorded:
        if one.fault:
            path = path_of(folder, one.simulation)
            place = Place(shown_path(path))
            told = owed if one.report or not os.path.lexists(path) else problems
            hint = f"`grimalkin simulate {spoken(folder)} --renew` records it anew"
            told.add(place, f'the simulation "{one.simulation.id}" {one.fault}', hint)
    for path in sorted((folder / FOLDER).glob("*")) if is_inside(folder / FOLDER, folder) else ():
        if path not in known and not path.name.startswith("."):
            problems.add(Place(shown_path(path)), "this belongs to no simulation", "delete it")
