"""Read and check simulations.yaml: questions that bots answer by playing."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from pydantic import Field

from grimalkin.content.folder import Folder
from grimalkin.content.game import Game, facts_print
from grimalkin.content.tables.rows import Tables
from grimalkin.content.values import Id, Model, Text
from grimalkin.games import find_game
from grimalkin.parts.simulations.questions import Recorded, Results, Simulation
from grimalkin.problems import Problems
from grimalkin.source import name_of

NAME = "simulations"
HOW = "if this is a variant of a game in Grimalkin, name that game as `engine` in game.yaml"


class Change(Model):
    """A change made because of simulations."""

    what: Text = Field(description="What changed.")
    before: Text = Field(description="How it was.")
    after: Text = Field(description="How it is now.")
    why: Text = Field(description="What the simulations showed.")
    rule: Id | None = Field(None, description="The rule or ruling that changed.")
    piece: Id | None = Field(None, description="The component that changed.")


class SimulationsFile(Model):
    """simulations.yaml"""

    simulations: tuple[Simulation, ...] = Field(min_length=1, description="The simulations that bots play.")
    changes: tuple[Change, ...] = Field((), description="The changes made because of them.")


FILES = {"simulations.yaml": SimulationsFile}


class Simulations(NamedTuple):
    """The simulations of a game, and what was changed because of them."""

    recorded: tuple[Recorded, ...] = ()
    changes: tuple[Change, ...] = ()


def read(folder: Folder, tables: Tables) -> Simulations:
    """Return the simulations in simulations.yaml, each with its record."""
    file, source = folder.file("simulations.yaml", SimulationsFile)
    if file is None:
        return Simulations()
    module = find_game(tables.info.engine or name_of(folder.path))
    if module is None:
        folder.tell(source, (), "this game has no engine, so nothing can be simulated", HOW)
        return Simulations((), file.changes)
    # Most games have no simulations, so what plays and records them is imported where it is used.
    from grimalkin.parts.simulations.recordings import check_simulation, find_recorded

    for at, simulation in folder.each((file, source), "simulations"):
        check_simulation(simulation, module, source, at, folder.problems)
    facts = facts_print(tables.info, tables.components)
    return Simulations(tuple(find_recorded(folder.path, one, facts) for one in file.simulations), file.changes)


def simulations_of(game: Game) -> Simulations:
    """Return the simulations of a game that was read."""
    found: Simulations = game.parts.get(NAME, Simulations())
    return found


def check(folder: Folder, game: Game) -> None:
    """Report simulations that the engine cannot begin, and changes of things that do not exist."""
    simulations = simulations_of(game)
    if not simulations.recorded or folder.problems:
        return
    from grimalkin.parts.simulations.recordings import check_simulation

    source = folder.sources["simulations.yaml"]
    for index, one in enumerate(simulations.recorded):
        if game.module:
            at = ("simulations", index)
            check_simulation(one.simulation, game.module, source, at, folder.problems, game.facts)
    for index, change in enumerate(simulations.changes):
        for kind, name, known in (("rule", change.rule, game.laws), ("piece", change.piece, game.by_id)):
            if name is not None:
                what = "component" if kind == "piece" else kind
                folder.must_be_there(what, name, known, source, ("changes", index, kind))


def prove(game: Game, problems: Problems, owed: Problems) -> Game:
    """Report records that are missing or outdated. A draft shows no results obtained with other rules or pieces."""
    from grimalkin.parts.simulations.recordings import check_records

    recorded, changes = simulations_of(game)
    check_records(game.folder, recorded, problems, owed)
    if not game.info.draft or not any(one.fault for one in recorded):
        return game
    current = [replace(one, read=partial(Results, fault=one.fault)) if one.fault else one for one in recorded]
    return game.with_part(NAME, Simulations(tuple(current), changes))
