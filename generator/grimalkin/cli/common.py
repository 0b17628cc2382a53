"""Helpers that the commands share: declaring a command, reading values, finding folders, and showing progress."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from grimalkin.cli.streams import line_that_renews
from grimalkin.problems import Place, Problem, Problems, Stop
from grimalkin.problems.plain import visible

# Every command imports what it needs when it runs: `grimalkin --help` must not wait for a drawing library.
if TYPE_CHECKING:
    from grimalkin.content import Game as Content
    from grimalkin.engine.contract import State
    from grimalkin.engine.shape import Misfit
    from grimalkin.engine.words import Result
    from grimalkin.play.table import Dealt, Game
    from grimalkin.printing.face import Inks
    from grimalkin.source import Source

INKS: tuple[Inks, ...] = ("full", "low", "mono")
"""The designs of the faces. `face` defines them too, but importing it takes a while."""

DRAFT = (
    "treat every game as a draft, as `draft: yes` in game.yaml does: list what is not proved yet and what is wrong "
    "with the faces, and carry on"
)
"""The help for `--draft`."""
MOST_OWED = 200
"""The most unproved or faulty things to list for a draft."""


OUTPUT = "folder to write to (default: ./output)"
GAME = "a name from `grimalkin games`, or the path to a game's folder"
POSITION = "a position in YAML or JSON, or a filled-in form (PDF); - reads standard input"


class Command(Protocol):
    """A function that declares a command: its name, the function to run, its summary, and closing text for `--help`."""

    def __call__(
        self, name: str, run: Callable[[argparse.Namespace], int], summary: str, more: str = ""
    ) -> argparse.ArgumentParser: ...


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Return the type of an option whose value is a whole number within bounds."""

    def read(text: str) -> int:
        # `int` alone would take signs, underscores, spaces and the digits of other scripts.
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f'"{text}" is not a whole number from {least} to {most}')
        return int(text)

    return read


def pair(form: str) -> Callable[[str], tuple[str, str]]:
    """Return the type of an option whose value has a form such as KEY=VALUE."""

    def read(text: str) -> tuple[str, str]:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise argparse.ArgumentTypeError(f'"{text}" is not {form}')
        return name, value

    return read


def game_option(text: str) -> tuple[str, Any]:
    """Read KEY=VALUE, an option of a game. A value in braces or brackets is YAML."""
    key, value = pair("KEY=VALUE")(text)
    if value[0] not in "{[":
        return key, value
    from grimalkin.source import parse_yaml

    problems = Problems()
    source = parse_yaml(value.encode(errors="replace"), Path(key), problems)
    if source is None:
        raise argparse.ArgumentTypeError(f'"{text}" is not KEY=VALUE: {next(iter(problems)).message}')
    return key, source.data


def add_option(parser: argparse.ArgumentParser, flag: str, told: str) -> None:
    """Add an option that takes KEY=VALUE, an option of the game, and may be repeated."""
    parser.add_argument(flag, action="append", default=[], type=game_option, metavar="KEY=VALUE", help=told)


def names(text: str) -> list[str]:
    """Read names separated by commas: at least one, and none twice."""
    found = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not found:
        raise argparse.ArgumentTypeError(f'"{text}" contains no name')
    return found


def add_number(
    parser: argparse._ActionsContainer, name: str, least: int, most: int, what: str, default: int | None = None
) -> None:
    """Add an option whose value is a whole number within bounds."""
    parser.add_argument(name, type=whole_number(least, most), default=default, metavar="N", help=what)


def add_names(
    parser: argparse._ActionsContainer, name: str, what: str, form: str = "ID,ID", default: str | None = None
) -> None:
    """Add an option that takes names separated by commas; without a default, none."""
    parser.add_argument(name, type=names, default=[] if default is None else default, metavar=form, help=what)


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add the option for the output folder."""
    parser.add_argument("--output", type=folder_to_make, default=Path("output"), metavar="DIR", help=OUTPUT)


def add_papers(parser: argparse._ActionsContainer, what: str = "papers to print on") -> None:
    """Add the option for papers, by their names."""
    add_names(parser, "--paper", f"{what} (default: a4,letter)", "NAME,NAME", "a4,letter")


def add_inks(parser: argparse._ActionsContainer) -> None:
    """Add the option for the design of the faces."""
    told = "design of the faces: all inks, little ink, or black only (default: full)"
    parser.add_argument("--ink", dest="inks", choices=INKS, default="full", help=told)


def folder_to_make(text: str) -> Path:
    """Read the name of a folder to write to. An empty name would mean the current folder, and is refused."""
    if not text.strip():
        raise argparse.ArgumentTypeError(f'"{text}" is not the name of a folder; "." is the current one')
    return Path(text)


def load(name: str, draft: bool = False, variants: Sequence[str] = ()) -> Content:
    """Load the game of that name, in these variants. Stops with every problem in its content."""
    from grimalkin.content import as_variant, find_variants, load_game
    from grimalkin.source import find_game_folder

    problems = Problems()
    game = load_game(find_game_folder(name), problems, draft)
    if game is None or problems:
        raise Stop(problems)
    return as_variant(game, find_variants(game, variants, Place("--variant")))


def folders(names: Sequence[str], problems: Problems) -> list[Path]:
    """Return the folders of the named games, each once; of all games if none is named.

    Stops at an unknown name. If none is named, games not installed properly are left out, and each is a problem.
    """
    from grimalkin.source import all_games, find_game_folder, name_of

    found: dict[tuple[Path, str], Path] = {}
    for name in names or all_games(problems):
        try:
            folder = find_game_folder(name)
        except Stop as stop:
            if names:
                raise
            problems.extend(stop.problems)
        else:
            found.setdefault((folder.resolve(), name_of(folder)), folder)
    return list(found.values())


class Asked(NamedTuple):
    """A position in a question: its game, its state, the chance it draws from, and what is odd about it."""

    game: Game
    state: State
    chance: Dealt
    doubts: list[tuple[Misfit, Problem]]
    """Reasons why it could not have arisen in play, each with its place in the file."""


def position(name: str, file: str, seed: str = "") -> Asked:
    """Read the position that a file describes. Stops with every misfit and its line.

    Draws depend on the seed and the position: if they depended only on the seed, anyone who plays by asking would draw
    the same cards at every question.
    """
    from grimalkin.engine.loading import doubts_about
    from grimalkin.engine.shape import Misfits
    from grimalkin.play.table import Dealt, misfit_problem, open_game

    game = open_game(name)
    problems = Problems()
    read, form = _record(file, game, problems)
    if read is None or problems:
        raise Stop(problems)
    source = read

    def told(misfit: Misfit) -> Problem:
        return misfit_problem(source.place(misfit.at), misfit, form.words_for(misfit.at) if form else "")

    chance = Dealt([], f"{seed} {json.dumps(source.data, sort_keys=True, default=str)}")
    try:
        state = game.module.load(game.facts, source.data, chance)
    except Misfits as error:
        raise Stop(Problems(dict.fromkeys(map(told, error.misfits)))) from None
    return Asked(game, state, chance, [(doubt, told(doubt)) for doubt in doubts_about(game.module, state)])


@contextmanager
def answering(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Collect an answer for programs, and print it with --json. A Stop is then printed as an answer, too.

    A line that is not a move, and a draw that does not happen, stop the command.
    """
    from grimalkin.engine.chance import ChanceError
    from grimalkin.engine.words import NotAMove
    from grimalkin.games import guarded

    answer: dict[str, Any] = {}
    kind = "problem"
    try:
        # Anything an engine prints must not mix with an answer for programs.
        with redirect_stdout(sys.stderr) if options.json else nullcontext(), guarded():
            try:
                yield answer
            except NotAMove as error:
                kind = type(error).__name__.lower()
                raise Stop.at(Place("MOVE"), str(error)) from None
            except ChanceError as error:
                kind = "draw"
                raise Stop.at(Place("--draw"), str(error)) from None
        if options.json:
            print(shown_json(answer, options.game))
    except Stop as stop:
        if options.json:
            print(shown_json({"kind": kind, "problems": list(map(_problem_record, stop.problems))}, options.game))
        raise


def shown_json(record: Mapping[str, Any], game: str) -> str:
    """Return a record as JSON. Stops if the engine gave a value that JSON cannot hold."""
    try:
        return json.dumps(record, indent=2, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise Stop.at(Place(game), f"the engine gave a value that JSON cannot hold: {error}") from None


def _problem_record(problem: Problem) -> dict[str, Any]:
    line = {"line": problem.place.line} if problem.place.line else {}
    where = {"where": problem.place.where} if problem.place.where else {}
    return {"place": problem.place.path, **line, **where, "message": problem.message, "hint": problem.hint}


def doubts_record(doubts: Sequence[tuple[Misfit, Problem]]) -> dict[str, Any]:
    """Return what is odd about a position, for programs: the keys that lead to it, a message, and a hint."""
    told = [{"at": list(misfit.at), "message": misfit.message, "hint": misfit.hint} for misfit, _ in doubts]
    return {"doubts": told} if told else {}


def result_record(result: Result, seats: Sequence[str]) -> dict[str, Any]:
    """Return a result, for programs."""
    from grimalkin.engine.words import places_of

    steps = [{"rule": rule, "text": sentence} for rule, sentence in result.steps]
    return {
        "winners": result.winners,
        "places": places_of(result, seats),
        "rules": result.rules,
        "because": result.because,
        **({"steps": steps} if steps else {}),
        "facts": dict(result.facts),
    }


def remark(problems: Iterable[Problem]) -> None:
    """Print remarks, which are not faults, to standard error."""
    for problem in problems:
        print(f"remark: {problem}", file=sys.stderr)


class Positions(Protocol):
    """What the module `positions` of a part offers: positions in files of another kind than YAML."""

    def claims(self, data: bytes, name: str) -> bool:
        """Return whether a file is of this kind, by its first bytes or its name."""
        ...

    def read(self, data: bytes, place: Place, problems: Problems, game: str, file: str) -> Form | None:
        """Return the position in a file for a game; `file` is what to name in a suggested command."""
        ...


class Form(Protocol):
    """A position that a part has read."""

    record: Any

    def words_for(self, at: tuple[str | int, ...]) -> str:
        """Return what the file calls a value of the record."""
        ...


def _record(file: str, game: Game, problems: Problems) -> tuple[Source | None, Form | None]:
    """Read a position from a file: YAML, JSON or what a part reads; "-" means standard input."""
    from grimalkin.floors import ours_on
    from grimalkin.source import Source, parse_yaml, read_yaml
    from grimalkin.source.files import MOST_BYTES

    name = Path("standard input") if file == "-" else Path(file)
    if file == "-" and sys.stdin is None:
        problems.add(Place(str(name)), "it is closed", "name a file, or send it")
        return None, None
    if file == "-":
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
    elif name.is_file():
        with name.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    else:
        data = b""
    for kind in cast("Iterable[Positions]", ours_on("positions")):
        if kind.claims(data, str(name)):
            form = kind.read(data, Place(str(name) if file == "-" else file), problems, game.name, file)
            return (Source(name, form.record), form) if form else (None, None)
    return parse_yaml(data, name, problems) if file == "-" else read_yaml(name, problems), None


def remarks_on_art(folder: Path, problems: Problems) -> Iterable[Problem]:
    """Return remarks on the art and the stocks of a game; unusable files are problems."""
    notes: list[Problem] = []
    if (folder / "stocks").is_dir():
        from grimalkin.printing.draw.stocks import load_stocks

        load_stocks(folder, problems, notes)
    if not (folder / "art").is_dir():
        return notes
    from grimalkin.printing.face.game_art import Pictures

    pictures = Pictures(folder, problems)
    for name in pictures:
        pictures.picture(name)
    return [*notes, *pictures.notes]


def print_owed(title: str, owed: Sequence[Problem], flaws: Sequence[Problem] = ()) -> None:
    """Print that a game is a draft, what is not yet proved, and what is wrong with its faces."""
    if not owed and not flaws:
        print(visible(f"{title} is a draft"))
    for listed, what in ((owed, "not proved yet:"), (flaws, "wrong with its faces, and marked in print:")):
        if listed:
            print(visible(f"{title} is a draft; {what}"))
        for problem in listed[:MOST_OWED]:
            print(f"  {problem}")
        if len(listed) > MOST_OWED:
            print(f"  … and {len(listed) - MOST_OWED:,} more")


@contextmanager
def telling(options: argparse.Namespace) -> Iterator[Callable[[str], None]]:
    """Collect lines to print when the command ends, even if it ends with a problem."""
    lines: list[str] = []
    try:
        yield lines.append
    finally:
        if lines:  # they list what was moved
            options.changes = False
        for line in lines:
            print(visible(line))


def progress() -> Callable[[str], None]:
    """Return a function that shows progress: one line that renews itself on a terminal, nothing elsewhere."""
    return line_that_renews() or (lambda _: None)


def bar(label: str, total: int) -> Callable[[int], None]:
    """Return a function that takes the number of newly finished steps and draws a progress bar, if on a terminal."""
    say = line_that_renews()
    if say is None:
        return lambda _: None
    done = 0

    def more(count: int) -> None:
        nonlocal done
        done = min(total, done + count)
        filled = 30 * done // max(1, total)
        say("" if done == total else f"{label} [{'#' * filled}{'.' * (30 - filled)}] {done}/{total}")

    return more
