"""The `grimalkin` command. Exit code 0: all is well; 1: a problem in content, or a move refused; 2: wrong usage."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grimalkin import __version__
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean

# Every command imports what it needs when it runs: `grimalkin --help` must not wait for a drawing library.
if TYPE_CHECKING:
    from grimalkin.content import Game
    from grimalkin.content.models import Example, Playthrough
    from grimalkin.engine.contract import GameModule, State
    from grimalkin.engine.replay import Script, Trace
    from grimalkin.engine.words import Score
    from grimalkin.source import Source

    At = tuple[str | int, ...]

DESCRIPTION = """\
Sheets to print and cut, a rules site to browse and search, and an engine that checks every score and every played
example, all from the content files of a tabletop game."""

EPILOG = """\
GAME is the name of a game (./content/NAME if you have one, else one of those that come with Grimalkin), or the path of
a game's folder. `grimalkin games` lists them.

a first try:
  grimalkin build were-kittens
  grimalkin score were-kittens table.yaml
  grimalkin why were-kittens table.yaml "make nickel 4"
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.run is None:
        parser.print_help()
        return 0
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        return run(options)
    except Stop as stop:
        for problem in stop.problems:
            print(problem, file=sys.stderr)
        if run is _build:
            count = len(stop.problems)
            print(f"{count} problem{'' if count == 1 else 's'}; nothing was changed", file=sys.stderr)
        return 1
    except OSError as error:
        if isinstance(error, BrokenPipeError):  # the reader of our output has gone, as in `grimalkin check | head`
            sys.stderr.close()
            return 0
        print(f"{error.filename or 'the disk'}: {error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; nothing was changed", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("grimalkin", description=DESCRIPTION, epilog=EPILOG, formatter_class=raw)
    parser.add_argument("--version", action="version", version=f"grimalkin {__version__}")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], summary: str, more: str = "") -> Any:
        made = commands.add_parser(name, help=summary, description=f"{summary}.", epilog=more, formatter_class=raw)
        made.set_defaults(run=run)
        return made

    build = command("build", _build, "Make the sheets, the pictures and the site", _BUILD)
    build.add_argument("games", nargs="*", metavar="GAME", help="what to build; without a name, every game")
    build.add_argument("--output", type=Path, default=Path("output"), metavar="DIR", help="default: ./output")
    build.add_argument("--paper", choices=["a4", "letter", "both"], default="both", help="default: both")
    build.add_argument(
        "--flip",
        choices=["long", "short"],
        default="long",
        help="edge over which your printer flips the paper when it prints both sides (default: long)",
    )

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

    schema = command("schema", _schema, "Write the JSON Schemas of all content files", _SCHEMA)
    schema.add_argument("--output", type=Path, default=Path("content/schemas"), metavar="DIR", help="where to")
    schema.add_argument("--check", action="store_true", help="write nothing; tell which files are not current")

    command("games", _games, "List the games that can be named here")
    return parser


_BUILD = """\
Output goes to DIR/sheets/GAME (PDF), DIR/cards/GAME (PNG) and DIR/site. It is replaced whole or not at all: while
anything is wrong, the last good output stays.
"""
_CHECK = """\
Only the moves of an example are trusted; positions, scores, refusals and winners are computed anew and compared.
"""
_SCORE = """\
a position of Were Kittens:
  seats:
    Ada:   {hand: {penny: 3, dime: 2, nickel: 1}, cats: {6: penny}}
    Basil: {hand: {dime: 1}, cats: {4: dime, 5: nickel tails}}
"""
_WHY = """\
example:
  grimalkin why were-kittens table.yaml "eat dime, make nickel 4"

The exit code is 0 when the move is legal and 1 when a rule refuses it.
"""
_REPLAY = """\
examples:
  grimalkin replay WK-PLAY-1
  grimalkin replay content/were-kittens/playthroughs/two-kittens-at-midnight.yaml
"""
_SCHEMA = """\
Editors with a YAML language server complete and check content files by them: each file names its schema in its first
line.
"""


def _build(options: argparse.Namespace) -> int:
    from grimalkin.build import Settings, build

    papers = ("a4", "letter") if options.paper == "both" else (options.paper,)
    say = _progress()
    made = build(_folders(options.games), options.output, Settings(papers, options.flip), say)
    say("")
    print(f"{made['sheets']} sheets, {made['pictures']} pictures and {made['pages']} pages are in {options.output}")
    print(f"open {options.output / 'site' / 'index.html'}")
    return 0


def _check(options: argparse.Namespace) -> int:
    from grimalkin.content import prove

    problems = Problems()
    for folder in _folders(options.games):
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
    game, _, state = _position(options.game, options.file)
    scores = state.score()
    result = state.result()
    if options.json:
        print(json.dumps({"scores": [_score_record(score) for score in scores]}, indent=2))
        return 0
    for score in scores:
        print(f"{score.seat}: {score.total} point{'' if score.total == 1 else 's'}")
        for line in score.lines:
            print(f"  {line.points:3}  {line.label}: {line.count} × {line.each}   [{line.rule}]")
    used = dict.fromkeys(line.rule for score in scores for line in score.lines)
    print()
    for id_ in used:
        print(f"{id_}: {game.laws[id_].title}")
    if result:
        print(f"{' and '.join(result.winners)} win{'s' if len(result.winners) == 1 else ''}: {result.because}")
    return 0


def _score_record(score: Score) -> dict[str, Any]:
    lines = [
        {"rule": line.rule, "label": line.label, "count": line.count, "each": line.each, "points": line.points}
        for line in score.lines
    ]
    return {"seat": score.seat, "total": score.total, "lines": lines}


def _why(options: argparse.Namespace) -> int:
    from grimalkin.engine.replay import play_line
    from grimalkin.engine.words import OVER, Event, NotAMove, Refused

    game, module, state = _position(options.game, options.file)
    actor = state.to_act()
    seat = "nobody" if actor == OVER else state.seats[actor]
    events: list[Event] = []
    try:
        play_line(module, state, options.move, events)
    except Refused as refused:
        refusal = refused.refusal
        if options.json:
            print(json.dumps({"legal": False, "rule": refusal.rule, "because": refusal.because, "move": refused.move}))
            return 1
        law = game.laws[refusal.rule]
        print(f'refused: "{refused.move}"' if actor == OVER else f'refused: {seat} may not "{refused.move}"')
        print(f"{refusal.rule}, {law.title}: {refusal.because}")
        return 1
    except NotAMove as error:
        raise Stop([Problem(Place("MOVE"), str(error))]) from None
    if options.json:
        print(json.dumps({"legal": True, "seat": seat, "events": [[event.rule, event.text] for event in events]}))
        return 0
    print(f"legal: {seat} may." + (" What then happens:" if events else " It changes nothing by itself."))
    for event in events:
        print(f"  {event.text}  [{event.rule}]")
    return 0


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
            print(f"    {'holds' if check.ok else 'DOES NOT HOLD'}: {check.fact}: {check.written}")
    for score in trace.scores:
        print(f"\n{score.seat}: {score.total}")
        for line in score.lines:
            print(f"  {line.points:3}  {line.label}: {line.count} × {line.each}   [{line.rule}]")
    if trace.result:
        print(f"\n{trace.result.because}  [{', '.join(trace.result.rules)}]")


def _schema(options: argparse.Namespace) -> int:
    from grimalkin.content import load_game
    from grimalkin.content.schemas import schemas
    from grimalkin.source import bundled_games, find_game_folder

    problems = Problems()
    games = {name: load_game(find_game_folder(name), problems) for name in bundled_games()}
    made = schemas({name: game for name, game in games.items() if game is not None})
    folder: Path = options.output
    stale = [
        name
        for name, text in made.items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    ]
    if options.check:
        if stale:
            hint = "run `grimalkin schema`"
            raise Stop(Problem(Place(str(folder / name)), "the schema is not current", hint) for name in stale)
        print(f"{len(made)} schemas are current")
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    for name in stale:
        (folder / name).write_text(made[name], encoding="utf-8")
    print(f"{len(stale)} of {len(made)} schemas written to {folder}")
    return 0


def _games(_: argparse.Namespace) -> int:
    from grimalkin.source import bundled_games

    local = sorted(path.parent.name for path in Path("content").glob("*/game.yaml"))
    for name in sorted({*local, *bundled_games()}):
        print(name + ("  (in ./content)" if name in local else ""))
    return 0


def _folders(names: Sequence[str]) -> list[Path]:
    """The folders of the games named; of all, when none is named."""
    from grimalkin.source import bundled_games, find_game_folder

    local = [path.parent.name for path in Path("content").glob("*/game.yaml")]
    return list(dict.fromkeys(find_game_folder(name) for name in (names or sorted({*local, *bundled_games()}))))


def _position(name: str, file: str) -> tuple[Game, GameModule, State]:
    """A game and the state that a file describes; stops with every misfit and its line."""
    from grimalkin.content import load_game
    from grimalkin.engine.shape import Misfits
    from grimalkin.source import find_game_folder, parse_yaml, read_yaml

    problems = Problems()
    game = load_game(find_game_folder(name), problems)
    if game is None:
        raise Stop(problems)
    module = game.module
    if module is None:
        raise Stop([Problem(Place(name), f"{game.info.title} has no engine, so nothing can be played or scored")])
    if file == "-":
        source = parse_yaml(sys.stdin.buffer.read(), Path("standard input"), problems)
    else:
        source = read_yaml(Path(file), problems)
    if source is None or problems:
        raise Stop(problems)
    try:
        return game, module, module.load(game.facts, source.data)
    except Misfits as error:
        for misfit in error.misfits:
            where = ".".join(str(key) for key in misfit.at)
            message = f"{where}: {misfit.message}" if where else misfit.message
            problems.add(source.place(misfit.at), message, misfit.hint)
        raise Stop(problems) from None


def _progress() -> Callable[[str], None]:
    """Tells what is going on: one line that renews itself on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        return lambda _: None

    def say(message: str) -> None:
        print(f"\r\033[K{message}", end="", file=sys.stderr, flush=True)

    return say
