"""The commands `check`, `score` and `replay`, which ask the engine."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grimalkin.cli.answers import POSITION, answering, doubts_record, position, result_record
from grimalkin.cli.common import DRAFT, GAME, Command, folders, print_owed, remark, remarks_on_art
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean
from grimalkin.problems.plain import plural

if TYPE_CHECKING:
    from grimalkin.cli.kept_checks import Report
    from grimalkin.content import Game as Content
    from grimalkin.content.rules import Example, Playthrough
    from grimalkin.engine.contract import GameModule
    from grimalkin.engine.replay import Script, Step, Trace
    from grimalkin.engine.words import Event, Result, Score
    from grimalkin.source import Source

    At = tuple[str | int, ...]


def add(command: Command) -> None:
    check = command("check", _check, "Replay every example and playthrough, and report which rules they prove", _CHECK)
    check.add_argument("games", nargs="*", metavar="GAME", help="games to check (default: every game)")
    check.add_argument("--rules", action="store_true", help="list every rule with the examples that show it")
    check.add_argument("--draft", action="store_true", help=DRAFT)
    check.add_argument(
        "--again", action="store_true", help="replay games that have not changed since the last check too"
    )

    score = command("score", _score, "Score a position, line by line, with the rule behind each line", _SCORE)
    score.add_argument("game", metavar="GAME", help=GAME)
    score.add_argument("file", metavar="FILE", help=POSITION)
    score.add_argument("--json", action="store_true", help="print JSON, for programs")

    replay = command("replay", _replay, "Walk through a playthrough or an example step by step", _REPLAY)
    replay.add_argument("file", metavar="FILE|ID", help="a playthrough file, or the id of a playthrough or an example")
    replay.add_argument("--seat", metavar="NAME", help="show only what this seat may see")
    replay.add_argument(
        "--game", metavar="GAME", help="the game to replay with (default: the one whose folder contains the file)"
    )


_CHECK = """\
Only the moves of an example are trusted; positions, scores, refusals and winners are computed again and compared.
A position in an example that could not arise in play is reported as a remark, which is not a fault.
If a game was found faultless, and no file in its folder and nothing in Grimalkin has changed since, its report is
printed again without replaying.

For a draft (`draft: yes` in its game.yaml), the command lists everything that is not proved yet: rules without an
example, prohibitions that refuse no move, examples that do not hold, rules that are only in the engine or only in the
text. It also lists text that does not fit its faces, and missing pictures, icons and columns. The exit code is then 0,
unless something cannot be read.
"""
_SCORE = """\
a position of Were Kittens, in kittens.yaml:
  seats:
    Ada:   {hand: {penny: 3, dime: 2, nickel: 1}, cats: {6: penny}}
    Basil: {hand: {dime: 1}, cats: {4: dime, 5: nickel tails}}

the end of a game of Werecats, in werecats.yaml:
  phase: over
  seats:
    Ada:   {start: soot, cats: [baker, banker, poacher], graveyard: [heir, widow, cook]}
    Basil: {start: tom, cats: [seer], graveyard: [bishop, miller]}

a finished score sheet of Wolf-Man's Curse, in sheet.yaml:
  phase: over
  seats:
    Ada:   {clubs: 9, spades: 4, hearts: 2, diamonds: 7}
    Basil: {clubs: 3, spades: 8, hearts: 0, diamonds: 5}
    Cleo:  {clubs: 5, spades: 6, hearts: 3, diamonds: 8, jokers: 1, lover: yes}

examples, the last with a score sheet that you filled in on screen and saved:
  grimalkin score were-kittens kittens.yaml
  grimalkin score werecats werecats.yaml
  grimalkin score wolf-mans-curse sheet.yaml
  grimalkin score wolf-mans-curse score-sheet-form.pdf

For everything else a position may contain, see its schema; `grimalkin schema` writes it.
"""
_REPLAY = """\
examples:
  grimalkin replay WK-PLAY-1
  grimalkin replay WM-PLAY-1 --seat Hester
  grimalkin replay WK-EX-4
"""


def _check(options: argparse.Namespace) -> int:
    from grimalkin.cli import kept_checks

    problems, begun = Problems(), time.process_time()
    faultless: list[tuple[Path, str, Report]] = []
    for folder in folders(options.games, problems):
        files = None if options.draft or options.again else kept_checks.files_of(folder)
        report = kept_checks.find_report(folder, options.rules, files) if files else None
        if report is not None:
            report.print()
            continue
        before = len(problems.found)
        report, is_lasting = _checked(folder, options, problems)
        if files and is_lasting and len(problems.found) == before:
            faultless.append((folder, files, report))
    if time.process_time() - begun >= kept_checks.LEAST_SECONDS:
        for folder, files, report in faultless:
            kept_checks.keep_report(folder, options.rules, files, report)
    problems.stop()
    return 0


def _checked(folder: Path, options: argparse.Namespace, problems: Problems) -> tuple[Report, bool]:
    """Check a game and print the report. Return it, and whether it holds as long as nothing in the folder changes."""
    from grimalkin.cli.kept_checks import Report
    from grimalkin.content import prove
    from grimalkin.content.tables.remarks import remarks_on_tables
    from grimalkin.engine.outside import is_ours
    from grimalkin.engine.replay import Keep

    proved = prove(folder, problems, options.draft, Keep.CHECKS)
    if (folder / "icons").is_dir():  # rules may name icons; `preview` looks at faces
        from grimalkin.printing.face.images.icons import Icons

        icons = Icons(folder, problems)
        for name in icons.own:
            icons.symbol(name)
    remarks = [*remarks_on_art(folder, problems)]
    if proved is None:
        remark(remarks)
        return Report(), False
    game, traces, proof = proved
    remarks += [*remarks_on_tables(game), *_doubtful(game, traces)]
    report = Report([f"remark: {problem}" for problem in remarks])
    if game.module is None:
        report.lines.append(f"{game.marked_title}: {_without_engine(game)}")
        report.print()
        if flaws := _flaws(game):
            print_owed(game.info.title, (), flaws)
        return report, False
    sound = sum(trace.ok for trace in traces.values())
    executable = len(game.laws) - len(proof.unchecked)
    shown = sum(id_ in game.laws and id_ not in proof.unchecked for id_ in proof.shown)
    prohibitions = [id_ for id_, law in game.laws.items() if law.forbids]
    refusing = sum(id_ in proof.forbidden for id_ in prohibitions)
    report.lines += [
        f"{game.info.title}: {sound} of {len(traces)} examples and playthroughs hold",
        f"  {shown} of {executable} rules and rulings are shown by a checked example",
        f"  {refusing} of {len(prohibitions)} prohibitions refuse a move in one",
        *(f"  {id_} cannot be executed: {reason}" for id_, reason in proof.unchecked.items()),
    ]
    if options.rules:
        report.lines += [f"  {id_}: {', '.join(proof.shown.get(id_, ())) or 'no example'}" for id_ in game.laws]
    report.print()
    if game.info.draft:
        print_owed(game.info.title, proof.owed, _flaws(game))
    return report, not game.info.draft and is_ours(game.engine)


def _without_engine(game: Content) -> str:
    """Return the report on a game without an engine."""
    if game.examples or game.playthroughs:
        return "no engine, so its examples stay unchecked"
    pieces = sum(row.count for rows in game.components.values() for row in rows)
    return f"{plural(pieces, 'piece')} in {plural(len(game.info.decks), 'deck')}"


def _flaws(game: Content) -> list[Problem]:
    """Return the faults on the faces of a draft that are marked in print; none if some face cannot be drawn at all."""
    if not game.info.draft:
        return []
    from grimalkin.content.stocks import load_stocks
    from grimalkin.printing.face import Composer
    from grimalkin.printing.face.layers import flaws_of
    from grimalkin.printing.sheet.pieces import all_faces

    unseen = Problems()
    composer = Composer(game, load_stocks(game.folder, unseen), unseen, draft=True)
    return [] if unseen else [told.problem() for told in flaws_of(all_faces(game, composer).values())]


def _doubtful(game: Content, traces: Mapping[str, Trace]) -> Iterator[Problem]:
    """Yield reasons why positions given in examples could not have arisen."""
    from grimalkin.play.table import misfit_problem

    for id_, trace in traces.items():
        for doubt in trace.doubts:
            yield misfit_problem(game.place(id_, ("given", *doubt.at)), doubt)


def _score(options: argparse.Namespace) -> int:
    with answering(options) as answer:
        asked = position(options.game, options.file)
        scores, result = asked.state.score(), asked.state.result()
        if options.json:
            answer |= {"scores": [_score_record(score) for score in scores]}
            answer |= {"result": result_record(result, asked.state.seats)} if result else {}
            answer |= doubts_record(asked.doubts)
    if options.json:
        return 0
    remark(doubt for _, doubt in asked.doubts)
    for score in scores:
        _print_score(score)
    used = dict.fromkeys(
        rule for score in scores for rule in (*[line.rule for line in score.lines], *[rule for rule, _ in score.notes])
    )
    if result:
        print()
        _print_result(result)
        _print_places(result, asked.state.seats)
        used |= dict.fromkeys((*(rule for rule, _ in result.steps), *result.rules))
    print()
    for id_ in used:
        print(f"{id_}: {asked.game.law(id_).title}")
    return 0


def _print_score(score: Score) -> None:
    """Print the points of a seat, then the lines that add up to them, then notes."""
    rules = ""
    if _is_plain(score):
        rules = f"  [{', '.join(dict.fromkeys(line.rule for line in score.lines))}]"
    print(f"{score.seat}: {_total(score)}{rules}")
    if not rules:
        for line in score.lines:
            print(f"  {line.points:3}  {line.label}: {line.count} × {line.each}   [{line.rule}]")
    for rule, sentence in score.notes:
        print(f"       {sentence}  [{rule}]")


def _is_plain(score: Score) -> bool:
    """Return whether every column is a single number, as on a finished score sheet; lines would only repeat it."""
    numbers = all(line.each == 1 for line in score.lines)
    return bool(score.columns) and len(score.columns) == len(score.lines) and numbers


def _total(score: Score) -> str:
    """Return a seat's points, or the points of its columns, which are never added together."""
    if score.columns:
        return ", ".join(f"{column} {points}" for column, points in score.columns.items())
    return plural(score.total, "point")


def _print_result(result: Result) -> None:
    """Print who wins and why: the steps that decide it, otherwise the reason."""
    from grimalkin.problems.plain import listed

    wins = f"{listed(result.winners) or 'nobody'} win{'s' if len(result.winners) < 2 else ''}"
    if not result.steps:
        print(f"{wins}: {result.because}  [{', '.join(result.rules)}]")
        return
    for number, (rule, sentence) in enumerate(result.steps, 1):
        print(f"{number}. {sentence}  [{rule}]")
    print(f"\nThe end: {wins}.")


def _print_places(result: Result, seats: Sequence[str]) -> None:
    """Print the place of every seat, first place first, with tied seats together."""
    from grimalkin.engine.words import places_of
    from grimalkin.problems.plain import listed

    by_place: dict[int, list[str]] = {}
    for seat, place in places_of(result, seats).items():
        by_place.setdefault(place, []).append(seat)
    print(f"Places: {'; '.join(f'{place} {listed(names)}' for place, names in sorted(by_place.items()))}")


def _score_record(score: Score) -> dict[str, Any]:
    names = ("rule", "label", "count", "each", "points")
    lines = [
        {name: getattr(line, name) for name in (*names, *(["column"] if line.column else []))} for line in score.lines
    ]
    notes = [{"rule": rule, "text": sentence} for rule, sentence in score.notes]
    total = {"columns": score.columns} if score.columns else {"total": score.total}
    return {"seat": score.seat, **total, "lines": lines, "notes": notes, "facts": dict(score.facts)}


def _replay(options: argparse.Namespace) -> int:
    from grimalkin.content import replay_script

    problems = Problems()
    game, title, script, source, at = _find_script(options, problems)
    assert game.module is not None
    seat = None
    if options.seat is not None:
        if options.seat not in script.seats:
            hint = did_you_mean(options.seat, script.seats)
            raise Stop.at(Place("--seat"), f'"{options.seat}" has no seat', hint)
        seat = script.seats.index(options.seat)
    trace = replay_script(game.module, game.facts, script, source, at, problems)
    print(f"{title} ({script.id})\n")
    if seat is None:
        _print_trace(trace, script.given or {})
    else:
        _print_seen(trace, seat, script.given or {})
    problems.stop()
    facts = sum(1 for _ in trace.every_check())
    print(f"\n{facts} fact{' holds' if facts == 1 else 's hold'}")
    return 0


def _find_script(options: argparse.Namespace, problems: Problems) -> tuple[Content, str, Script, Source, At]:
    """Return the game, title and script that FILE|ID refers to, and where the script is written."""
    from grimalkin.content import load_game
    from grimalkin.source import bundled_games, find_game_folder

    path = Path(options.file)
    others = []
    if options.game:
        folders = [find_game_folder(options.game)]
    elif path.is_file():
        folders = [parent for parent in path.resolve().parents if (parent / "game.yaml").is_file()][:1]
        if not folders:
            raise Stop.at(Place(options.file), "no folder above this file is a game", "name it with --game")
    else:
        folders = [find_game_folder(name) for name in bundled_games()]
        others = _outside_folders(problems)
    known: list[str] = []
    named: dict[str, str] = {}
    for folder in (*folders, *others):
        found = Problems()
        game = load_game(folder, found)
        problems.found |= found.found
        if found and folder in others:  # a broken game is reported only if no other game has the id
            continue
        if game is None or found:
            raise Stop(problems)
        if game.module is None:
            if not options.game and not path.is_file():  # an id may be in any game; this one has no engine
                continue
            raise Stop.at(Place(options.file), f"{game.info.title} has no engine to replay it with")
        written: tuple[Example | Playthrough, ...] = (*game.playthroughs, *game.examples)
        for one in written:
            source, at = game.places[one.id]
            if one.id == options.file or (path.is_file() and source.path.resolve() == path.resolve()):
                problems.found.clear()
                return game, one.title, game.scripts[one.id], source, at
            known.append(one.id)
            named.setdefault(source.path.stem, f'did you mean "{one.id}"?')
        if path.is_file():
            return _outside_script(path, game, game.module, problems)
    hint = did_you_mean(options.file, known) or named.get(path.stem) or 'name a file, or an id such as "WK-PLAY-1"'
    message = "there is no playthrough or example with this id"
    if path.is_dir():
        message = "this is a folder, and there is no playthrough or example with this id"
    elif path.suffix or len(path.parts) > 1:
        message = "there is no such file, playthrough or example"
    problems.add(Place(options.file), message, hint)
    raise Stop(problems)


def _outside_folders(problems: Problems) -> list[Path]:
    """Return the folders of games from other distributions; report missing folders as problems."""
    from grimalkin.games import outside_games

    found = []
    for game in outside_games(problems).values():
        try:
            found.append(game.folder())
        except Stop as stop:
            problems.extend(stop.problems)
    return found


def _outside_script(
    path: Path, game: Content, module: GameModule, problems: Problems
) -> tuple[Content, str, Script, Source, At]:
    """Read a playthrough from a file outside its game's folder."""
    from grimalkin.content import read_playthrough

    read = read_playthrough(path, module, game.facts, problems)
    if read is None:
        raise Stop(problems)
    title, script, source = read
    return game, title, script, source, ()


def _print_trace(trace: Trace, given: Mapping[str, Any]) -> None:
    """Print the given position, or what happened at the start, and the steps of a trace, with all cards face up."""
    for line in _position_lines(given):
        print(line)
    if given and trace.steps:
        print()
    ahead = list(takewhile(lambda step: step.draw, trace.steps))
    for step in ahead:
        _print_step(step)
    for event in trace.opening:
        print(f"    {event.text}  [{event.rule}]")
    for step in trace.steps[len(ahead) :]:
        _print_step(step)
    _print_end(trace, trace.scores)


def _position_lines(given: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a position as written: one for everything that all share, then one for each seat."""
    if not given:
        return
    shared = {key: value for key, value in given.items() if key != "seats"}
    if shared:
        yield _plain(shared)
    for name, has in given["seats"].items():
        yield f"{name}: {_plain(has) or 'nothing'}"


def _plain(value: object, between: str = "; ") -> str:
    """Return a value of a position in plain words: `hand 7c 2h; pile 3c kh; clubs 3`."""
    if isinstance(value, Mapping):
        return between.join(f"{key} {_plain(item, ', ')}" for key, item in value.items() if item not in ({}, [], ""))
    if isinstance(value, list):
        return (", " if any(isinstance(item, list) for item in value) else " ").join(map(_plain, value))
    return str(value)


def _print_step(step: Step) -> None:
    """Print a remark, a draw, a line with its events, or checks."""
    _print_remark(step)
    if step.draw:
        print(f"  draw {step.draw[0]}: {' '.join(step.draw[1])}")
    if step.line:
        print(f"{step.seat}: {step.line}")
    for event in step.events:
        print(f"    {event.text}  [{event.rule}]")
    if step.refusal:
        print(f"    refused by {step.refusal}")
    for check in step.checks:
        print(f"    {'holds' if check.ok else 'DOES NOT HOLD'}: {check.fact}: {check.said()[0]}")


def _print_remark(step: Step, reader: str = "open") -> None:
    """Print the part of a remark meant for one reader."""
    from grimalkin.engine.replay import remarks

    if texts := [f"{name}: {text}" if name else text for name, text in remarks(step.say, reader)]:
        print("", *texts, sep="\n", end="\n\n")


def _print_seen(trace: Trace, seat: int, given: Mapping[str, Any]) -> None:
    """Print the steps of a trace as one seat saw them: its choices, what it could see, and no checks.

    If the game says what each seat knows, print the given position as this seat knows it, and at the end only the
    result, because scores may count hidden cards. Print remarks to everybody only in such games: in others, they are
    written for readers who see all cards.
    """
    name = trace.seats[seat]
    if given and trace.known:
        known = trace.known[seat]
        for line in _position_lines({key: known[key] for key in given if key in known}):
            print(line)
        if name != next((step.seat for step in trace.steps if step.line), name):
            print()
    _print_told(trace.opening, seat)
    for step in trace.steps:
        if trace.known or isinstance(step.say, Mapping):
            _print_remark(step, name)
        if not step.line:
            continue
        if step.seat == name:
            print(f"\n{name} may: {', '.join(step.choices)}")
        print(f"{step.seat}: {step.seen[seat]}")
        _print_told(step.events, seat)
        if step.refusal:
            print(f"    refused by {step.refusal if step.seat == name else step.refusal.rule}")
    _print_end(trace, () if trace.known else trace.scores)


def _print_told(events: Sequence[Event], seat: int) -> None:
    """Print what a seat may see of some events."""
    for event in events:
        if told := event.told(seat):
            print(f"    {told}  [{event.rule}]")


def _print_end(trace: Trace, scores: Sequence[Score]) -> None:
    for score in scores:
        print()
        _print_score(score)
    if trace.result:
        print()
        _print_result(trace.result)
