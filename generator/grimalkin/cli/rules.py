"""The commands that ask the engine: check, score, why, replay."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grimalkin.cli.common import Command, folders, position
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean

if TYPE_CHECKING:
    from grimalkin.content import Game
    from grimalkin.content.models import Example, Playthrough
    from grimalkin.engine.contract import GameModule
    from grimalkin.engine.replay import Script, Trace
    from grimalkin.engine.words import Score
    from grimalkin.source import Source

    At = tuple[str | int, ...]


def add(command: Command) -> None:
    check = command("check", _check, "Replay every example and playthrough, and tell which rules they prove", _CHECK)
    check.add_argument("games", nargs="*", metavar="GAME", help="what to check; without a name, every game")
    check.add_argument("--rules", action="store_true", help="list every rule with the examples that show it")

    score = command("score", _score, "Score a position, line by line, with the rule behind each line", _SCORE)
    score.add_argument("game", metavar="GAME")
    score.add_argument("file", metavar="FILE", help="a position in YAML or JSON; - reads it from standard input")
    score.add_argument("--json", action="store_true", help="print JSON, for programs")

    why = command("why", _why, "Say whether a move is legal in a position, or which rule refuses it and why", _WHY)
    why.add_argument("game", metavar="GAME")
    why.add_argument("file", metavar="FILE", help="a position in YAML or JSON; - reads it from standard input")
    why.add_argument("move", metavar="MOVE", help="one line of the game's notation, in quotes")
    why.add_argument("--json", action="store_true", help="print JSON, for programs")

    replay = command("replay", _replay, "Walk through a playthrough or an example step by step", _REPLAY)
    replay.add_argument("file", metavar="FILE|ID", help="a playthrough file, or the id of a playthrough or an example")
    replay.add_argument("--game", metavar="GAME", help="the game; by default the one whose folder holds the file")


_CHECK = """\
Only the moves of an example are trusted; positions, scores, refusals and winners are computed anew and compared.
"""
_SCORE = """\
a position of Were Kittens:
  seats:
    Ada:   {hand: {penny: 3, dime: 2, nickel: 1}, cats: {6: penny}}
    Basil: {hand: {dime: 1}, cats: {4: dime, 5: nickel tails}}

a position of Werecats, as it lies at the end:
  phase: over
  seats:
    Ada:   {start: soot, cats: [baker, banker, poacher], graveyard: [heir, widow, cook]}
    Basil: {start: tom, cats: [seer], graveyard: [bishop, miller]}

What else a position may say is in its schema; `grimalkin schema` writes it.
"""
_WHY = """\
example:
  grimalkin why were-kittens table.yaml "eat dime, make nickel 4"

The exit code is 0 when the move is legal and 1 when a rule refuses it.
Cards that the move turns up are made up, the same each time, and the answer names them.
"""
_REPLAY = """\
examples:
  grimalkin replay WK-PLAY-1
  grimalkin replay content/were-kittens/playthroughs/two-kittens-at-midnight.yaml
"""


def _check(options: argparse.Namespace) -> int:
    from grimalkin.content import prove

    problems = Problems()
    for folder in folders(options.games):
        proved = prove(folder, problems)
        if proved is None:
            continue
        game, traces, proof = proved
        if game.module is None:
            print(f"{game.info.title}: no engine, so its examples stay unchecked")
            continue
        sound = sum(trace.ok for trace in traces.values())
        executable = len(game.laws) - len(proof.unchecked)
        shown = sum(id_ in game.laws and id_ not in proof.unchecked for id_ in proof.shown)
        print(f"{game.info.title}: {sound} of {len(traces)} examples and playthroughs hold")
        print(f"  {shown} of {executable} rules and rulings are shown by a checked example")
        prohibitions = sorted({id_ for id_, law in game.laws.items() if law.forbids} | game.module.REFUSALS)
        print(f"  {sum(id_ in proof.forbidden for id_ in prohibitions)} of {len(prohibitions)} prohibitions refuse one")
        for id_, reason in proof.unchecked.items():
            print(f"  {id_} cannot be executed: {reason}")
        if options.rules:
            for id_ in game.laws:
                print(f"  {id_}: {', '.join(proof.shown.get(id_, ())) or 'no example'}")
    if problems:
        raise Stop(problems)
    return 0


def _score(options: argparse.Namespace) -> int:
    game, _, state = position(options.game, options.file)
    scores = state.score()
    result = state.result()
    if options.json:
        record: dict[str, Any] = {"scores": [_score_record(score) for score in scores]}
        if result:
            record["result"] = {"winners": result.winners, "rules": result.rules, "because": result.because}
        print(json.dumps(record, indent=2))
        return 0
    for score in scores:
        print(f"{score.seat}: {score.total} point{'' if score.total == 1 else 's'}")
        _print_lines(score)
    used = dict.fromkeys(
        rule for score in scores for rule in (*[line.rule for line in score.lines], *[rule for rule, _ in score.notes])
    )
    if result:
        wins = f"{' and '.join(result.winners)} win{'s' if len(result.winners) == 1 else ''}"
        print(f"\n{wins}: {result.because}  [{', '.join(result.rules)}]")
        used |= dict.fromkeys(result.rules)
    print()
    for id_ in used:
        print(f"{id_}: {game.laws[id_].title}")
    return 0


def _print_lines(score: Score) -> None:
    for line in score.lines:
        print(f"  {line.points:3}  {line.label}: {line.count} × {line.each}   [{line.rule}]")
    for rule, sentence in score.notes:
        print(f"       {sentence}  [{rule}]")


def _score_record(score: Score) -> dict[str, Any]:
    lines = [
        {"rule": line.rule, "label": line.label, "count": line.count, "each": line.each, "points": line.points}
        for line in score.lines
    ]
    notes = [{"rule": rule, "text": sentence} for rule, sentence in score.notes]
    return {"seat": score.seat, "total": score.total, "lines": lines, "notes": notes}


def _why(options: argparse.Namespace) -> int:
    from grimalkin.engine.chance import Recorded, Seeded
    from grimalkin.engine.replay import play_line
    from grimalkin.engine.words import OVER, Event, NotAMove, Refused

    chance = Recorded(Seeded("why"))
    game, module, state = position(options.game, options.file, chance)
    actor = state.to_act()
    seat = "nobody" if actor == OVER else state.seats[actor]
    turn = state.turn_key()
    events: list[Event] = []
    try:
        play_line(module, state, options.move, events)
    except Refused as refused:
        refusal = refused.refusal
        # What was drawn on the way to the refused small move may be the reason: go there once more, and tell it.
        for move in module.read(options.move, state):
            if state.why_not(move):
                break
            state.apply(move)
        if options.json:
            answer = {"legal": False, "rule": refusal.rule, "because": refusal.because, "move": refused.move}
            print(json.dumps(answer | _drawn_record(chance.draws)))
            return 1
        law = game.laws[refusal.rule]
        print(f'refused: "{refused.move}"' if actor == OVER else f'refused: {seat} may not "{refused.move}"')
        print(f"{refusal.rule}, {law.title}: {refusal.because}")
        _print_drawn(chance.draws)
        return 1
    except NotAMove as error:
        raise Stop([Problem(Place("MOVE"), str(error))]) from None
    goes_on = (state.to_act(), state.turn_key()) == (actor, turn)
    open_moves = [module.write([move], state) for move in state.legal()] if goes_on else []
    if options.json:
        answer = {"legal": True, "seat": seat, "events": [[event.rule, event.text] for event in events]}
        print(json.dumps(answer | ({"open": open_moves} if open_moves else {}) | _drawn_record(chance.draws)))
        return 0
    print(f"legal: {seat} may." + (" What then happens:" if events else " It changes nothing by itself."))
    for event in events:
        print(f"  {event.text}  [{event.rule}]")
    if open_moves:
        print(f"The turn goes on; {seat} may say: {', '.join(open_moves)}")
    _print_drawn(chance.draws)
    return 0


def _print_drawn(draws: list[tuple[str, str]]) -> None:
    """Tells what chance was made to give: at the table, something else may come."""
    if draws:
        print("drawn for this answer: " + ", ".join(f"{label} {item}" for label, item in draws))


def _drawn_record(draws: list[tuple[str, str]]) -> dict[str, Any]:
    return {"drawn": [[label, item] for label, item in draws]} if draws else {}


def _replay(options: argparse.Namespace) -> int:
    from grimalkin.content import replay_script

    problems = Problems()
    game, title, script, source, at = _find_script(options, problems)
    assert game.module is not None
    trace = replay_script(game.module, game.facts, script, source, at, problems)
    print(f"{title} ({script.id})\n")
    _print_trace(trace)
    if problems:
        raise Stop(problems)
    facts = sum(1 for _ in trace.every_check())
    print(f"\n{facts} fact{' holds' if facts == 1 else 's hold'}")
    return 0


def _find_script(options: argparse.Namespace, problems: Problems) -> tuple[Game, str, Script, Source, At]:
    """What FILE|ID stands for: its game, title and script, and where it is written."""
    from grimalkin.content import load_game
    from grimalkin.source import bundled_games, find_game_folder

    path = Path(options.file)
    if options.game:
        folders = [find_game_folder(options.game)]
    elif path.is_file():
        folders = [parent for parent in path.resolve().parents if (parent / "game.yaml").is_file()][:1]
        if not folders:
            raise Stop([Problem(Place(options.file), "no folder above this file is a game", "name it with --game")])
    else:
        folders = [find_game_folder(name) for name in bundled_games()]
    known: list[str] = []
    for folder in folders:
        game = load_game(folder, problems)
        if game is None or problems:
            raise Stop(problems)
        if game.module is None:
            raise Stop([Problem(Place(options.file), f"{game.info.title} has no engine to replay it with")])
        written: tuple[Example | Playthrough, ...] = (*game.playthroughs, *game.examples)
        for one in written:
            source, at = game.places[one.id]
            if one.id == options.file or (path.is_file() and source.path.resolve() == path.resolve()):
                return game, one.title, game.scripts[one.id], source, at
            known.append(one.id)
        if path.is_file():
            return _outside_script(path, game, game.module, problems)
    hint = did_you_mean(options.file, known)
    raise Stop([Problem(Place(options.file), "no playthrough or example is called so", hint)])


def _outside_script(
    path: Path, game: Game, module: GameModule, problems: Problems
) -> tuple[Game, str, Script, Source, At]:
    """A playthrough in a file that is not part of its game's folder."""
    from grimalkin.content import read_playthrough

    read = read_playthrough(path, module, game.facts, problems)
    if read is None:
        raise Stop(problems)
    title, script, source = read
    return game, title, script, source, ()


def _print_trace(trace: Trace) -> None:
    for step in trace.steps:
        if step.say:
            print(f"\n{step.say}\n")
        if step.draw:
            print(f"  draw {step.draw[0]}: {step.draw[1]}")
        if step.line:
            print(f"{step.seat}: {step.line}")
        for event in step.events:
            print(f"    {event.text}  [{event.rule}]")
        if step.refusal:
            print(f"    refused by {step.refusal}")
        for check in step.checks:
            print(f"    {'holds' if check.ok else 'DOES NOT HOLD'}: {check.fact}: {check.said()[0]}")
    for score in trace.scores:
        print(f"\n{score.seat}: {score.total}")
        _print_lines(score)
    if trace.result:
        print(f"\n{trace.result.because}  [{', '.join(trace.result.rules)}]")
