"""A Game in, Traces and Coverage out: what the engine says about every example, and which rules are shown by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from grimalkin.content.campaigned import Followed, follow_told
from grimalkin.content.game import Game
from grimalkin.content.loading import load_game
from grimalkin.content.pictured import pictured_misfits
from grimalkin.content.simulations import Results, check_records
from grimalkin.engine.campaigns import find_campaign
from grimalkin.engine.contract import Facts, GameModule
from grimalkin.engine.replay import Script, Trace, replay
from grimalkin.games import guarded
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean, shown_path
from grimalkin.problems.plain import plural
from grimalkin.source import At, Source


def prove(
    folder: Path, problems: Problems, draft: bool = False, known: bool = True
) -> tuple[Game, dict[str, Trace], Coverage] | None:
    """Read a game, replay its examples, and see what they prove. What is not proved is a problem, but of a draft owed.

    `known`: the traces keep what each seat knows of every position. It is there to be shown, and takes a while.

    None when the game cannot be read without a problem: examples that were not replayed would only add noise to it.
    Nor when its engine fails.
    """
    before = len(problems.found)
    game = load_game(folder, problems, draft)
    if game is None or len(problems.found) > before:
        return None
    owed = Problems()
    check_records(folder, game.simulations, problems, owed)
    try:
        with guarded(game.engine):
            traces = replay_all(game, owed, known)
            proof = coverage(game, traces, owed, follow_all(game, owed))
    except Stop as stop:
        problems.extend(stop.problems)
        return None
    if game.info.draft:
        # What bots did by other rules or with other pieces is not shown as if it were so now.
        current = tuple(
            replace(one, read=partial(Results, fault=one.fault)) if one.fault else one for one in game.simulations
        )
        return replace(game, simulations=current), traces, replace(proof, owed=tuple(owed))
    problems.found.update(owed.found)
    if owed:
        place = game.source.place(()) if game.source else Place(shown_path(folder / "game.yaml"))
        told = f"{plural(len(owed.found), 'thing')} not proved yet"
        problems.add(place, told, "write `draft: yes` here while the game is unfinished, or use --draft")
    return game, traces, proof


def replay_all(game: Game, problems: Problems, known: bool = True) -> dict[str, Trace]:
    """The trace of every example and playthrough, by id. What does not hold becomes a problem at its line."""
    traces: dict[str, Trace] = {}
    if game.module is None:
        return traces
    for id_, script in game.scripts.items():
        traces[id_] = replay_script(game.module, game.facts, script, *game.places[id_], problems, known)
    for example in game.examples:
        trace = traces.get(example.id)
        if example.picture is not None and trace is not None and trace.fault is None:
            source, at = game.places[example.id]
            for misfit in pictured_misfits(example.picture, game.module, game.facts, trace):
                where = (*at, "picture", *misfit.at)
                problems.add(source.place(where), f"{example.id}: {misfit.message}", misfit.hint)
    return traces


def follow_all(game: Game, problems: Problems) -> tuple[Followed, ...]:
    """Every told campaign, played again. What does not hold becomes a problem at its line."""
    if game.module is None:
        return ()
    followed = tuple(follow_told(game.module, game.facts, told) for told in game.campaigns)
    for one in followed:
        for misfit in one.misfits:
            problems.add(game.place(one.told.id, misfit.at), f"{one.told.id}: {misfit.message}", misfit.hint)
    return followed


def replay_script(
    module: GameModule, facts: Facts, script: Script, source: Source, at: At, problems: Problems, known: bool = True
) -> Trace:
    """The trace of one script, which stands in `source` at `at`. What does not hold becomes a problem at its line."""
    trace = replay(module, facts, script, known)
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
    """Which rules and rulings are proved by checked examples.

    `shown` are the ids with an example that holds, `forbidden` the prohibitions with an illegal one, `unchecked` the
    ids that cannot be shown, with the reason, `missing` what is still owed, as (id, what is owed). `owed` is all that a
    draft owes, examples that do not hold among it; of a finished game, all of that is a problem.
    """

    shown: Mapping[str, tuple[str, ...]]
    forbidden: Mapping[str, tuple[str, ...]]
    unchecked: Mapping[str, str]
    missing: tuple[tuple[str, str], ...]
    owed: tuple[Problem, ...] = ()
    campaigns: tuple[Followed, ...] = ()
    """The told campaigns, played again."""


def coverage(
    game: Game, traces: Mapping[str, Trace], problems: Problems, campaigns: tuple[Followed, ...] = ()
) -> Coverage:
    """What the examples prove. Everything owed becomes a problem at the line of the rule."""
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
    for told in campaigns:
        for rule in told.shown() if told.ok else ():
            shown.setdefault(rule, []).append(told.told.id)
        for rule in told.refused() if told.ok else ():
            refused.setdefault(rule, []).append(told.told.id)
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
                missing.append((id_, "the engine does not carry it out, and it does not say why (`unchecked`)"))
            if id_ not in shown:
                missing.append((id_, "no checked example shows it"))
            if (law.forbids or id_ in refusing) and id_ not in refused:
                missing.append((id_, "no illegal example is refused by it"))
            if law.forbids and id_ not in refusing:
                missing.append((id_, "it forbids something, but the engine never refuses by it"))
        for id_ in sorted({*module.LAWS, *module.REFUSALS} - set(game.laws)):
            hint = did_you_mean(id_, game.laws)
            problems.add(game.place(next(iter(game.laws))), f"the engine names {id_}, which is not written", hint)
    for id_, owed in missing:
        problems.add(game.place(id_), f"{id_}: {owed}")
    return Coverage(
        {id_: tuple(dict.fromkeys(examples)) for id_, examples in shown.items()},
        {id_: tuple(dict.fromkeys(examples)) for id_, examples in refused.items()},
        {id_: law.unchecked for id_, law in game.laws.items() if law.unchecked},
        tuple(missing),
        campaigns=campaigns,
    )
