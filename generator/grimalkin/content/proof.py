"""Run a game's examples through its engine, and report which rules they prove.

An example proves the first rule that it names, if everything it expects holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from grimalkin.content.game import Game
from grimalkin.content.loader import load_game
from grimalkin.content.scripts import pictured_misfits
from grimalkin.engine.campaigns import find_campaign
from grimalkin.engine.contract import Facts, GameModule
from grimalkin.engine.replay import Keep, Script, Trace, replay
from grimalkin.floors import having
from grimalkin.games import guarded
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean, shown_path
from grimalkin.problems.plain import plural
from grimalkin.source import At, Source


def prove(
    folder: Path, problems: Problems, draft: bool = False, keep: Keep = Keep.KNOWN
) -> tuple[Game, dict[str, Trace], Coverage] | None:
    """Read a game, replay its examples, and find what they prove. Gaps are problems, or merely owed in a draft.

    Return None if the game has problems, since unproved examples would only hide them, or if its engine fails.
    """
    before = len(problems.found)
    game = load_game(folder, problems, draft)
    if game is None or len(problems.found) > before:
        return None
    owed = Problems()
    try:
        with guarded(game.engine):
            traces = replay_all(game, owed, keep)
            for part in having("content", "prove"):
                game = part.prove(game, problems, owed)
            proof = coverage(game, traces, owed)
    except Stop as stop:
        problems.extend(stop.problems)
        return None
    if game.info.draft:
        return game, traces, replace(proof, owed=tuple(owed))
    problems.found.update(owed.found)
    if owed:
        place = game.source.place(()) if game.source else Place(shown_path(folder / "game.yaml"))
        told = f"{plural(len(owed.found), 'thing')} not proved yet"
        problems.add(place, told, "write `draft: yes` here while the game is unfinished, or use --draft")
    return game, traces, proof


def replay_all(game: Game, problems: Problems, keep: Keep = Keep.KNOWN) -> dict[str, Trace]:
    """Replay every example and playthrough; return the traces by id. Facts that do not hold are problems."""
    traces: dict[str, Trace] = {}
    if game.module is None:
        return traces
    pictured = {one.id for one in game.examples if one.picture and ("after" in one.picture or one.given is None)}
    for id_, script in game.scripts.items():
        kept = max(keep, Keep.POSITIONS) if id_ in pictured else keep
        traces[id_] = replay_script(game.module, game.facts, script, *game.places[id_], problems, kept)
    for example in game.examples:
        trace = traces.get(example.id)
        if example.picture is not None and trace is not None and trace.fault is None:
            source, at = game.places[example.id]
            for misfit in pictured_misfits(example.picture, game.module, game.facts, trace, example.given):
                where = (*at, "picture", *misfit.at)
                problems.add(source.place(where), f"{example.id}: {misfit.message}", misfit.hint)
    return traces


def replay_script(
    module: GameModule,
    facts: Facts,
    script: Script,
    source: Source,
    at: At,
    problems: Problems,
    keep: Keep = Keep.KNOWN,
) -> Trace:
    """Replay one script, found in `source` at `at`. Anything that does not hold is a problem at its line."""
    trace = replay(module, facts, script, keep)
    if trace.fault:
        where, message = trace.fault
        problems.add(source.place((*at, *where)), f"{script.id}: {message}")
    for check in trace.every_check():
        if not check.ok:
            written, computed = check.said()
            message = f"{script.id}: {check.fact}: written {written}, the rules give {computed}"
            problems.add(source.place((*at, *check.at)), message, ", ".join(check.rules))
    return trace


@dataclass(frozen=True, slots=True)
class Coverage:
    """The rules and rulings that examples prove, and those that they do not.

    `shown` holds the ids with an example that holds; `forbidden` the prohibitions with an example that is refused;
    `unchecked` the ids that cannot be shown, with the reason; `missing` pairs of an id and what it lacks. `owed` is
    everything that a draft lacks, including examples that do not hold; in a finished game, these are problems.
    """

    shown: Mapping[str, tuple[str, ...]]
    forbidden: Mapping[str, tuple[str, ...]]
    unchecked: Mapping[str, str]
    missing: tuple[tuple[str, str], ...]
    owed: tuple[Problem, ...] = ()


def coverage(game: Game, traces: Mapping[str, Trace], problems: Problems) -> Coverage:
    """Return what the examples prove. Report everything that a rule lacks as a problem at its line."""
    shown: dict[str, list[str]] = {}
    refused: dict[str, list[str]] = {}
    for example in game.examples:
        trace = traces.get(example.id)
        if trace is None or not trace.ok:
            continue
        for rule in example.rules:
            shown.setdefault(rule, []).append(example.id)
        for check in trace.every_check():
            if check.refuses:
                refused.setdefault(str(check.computed), []).append(example.id)
    for part in having("content", "proofs"):
        for id_, some_shown, some_refused in part.proofs(game):
            for found, rules in ((shown, some_shown), (refused, some_refused)):
                for rule in rules:
                    found.setdefault(rule, []).append(id_)
    missing: list[tuple[str, str]] = []
    module = game.module
    campaign = find_campaign(module)
    refusing = {*(module.REFUSALS if module else ()), *([campaign.rules["rest"]] if campaign else [])}
    if module is not None:
        for id_, law in game.laws.items():
            if law.unchecked:
                if id_ in module.LAWS:
                    missing.append((id_, "it is marked unchecked, but the engine carries it out"))
                continue
            if id_ not in module.LAWS:
                missing.append(
                    (
                        id_,
                        "the engine does not carry it out; if no position or move can show it, say why as `unchecked`",
                    )
                )
            if id_ not in shown:
                missing.append((id_, "no checked example shows it"))
            if (law.forbids or id_ in refusing) and id_ not in refused:
                missing.append((id_, "no illegal example is refused by it"))
            if law.forbids and id_ not in refusing:
                missing.append((id_, "it forbids something, but the engine never refuses a move by it"))
        for id_ in sorted({*module.LAWS, *module.REFUSALS} - set(game.laws)):
            hint = did_you_mean(id_, game.laws)
            problems.add(game.place(next(iter(game.laws))), f"the engine names {id_}, which is not in the rules", hint)
    for id_, owed in missing:
        problems.add(game.place(id_), f"{id_}: {owed}")
    return Coverage(
        {id_: tuple(dict.fromkeys(examples)) for id_, examples in shown.items()},
        {id_: tuple(dict.fromkeys(examples)) for id_, examples in refused.items()},
        {id_: law.unchecked for id_, law in game.laws.items() if law.unchecked},
        tuple(missing),
    )
