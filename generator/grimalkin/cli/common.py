"""What the commands share: declaring and reading arguments, finding games, and printing to streams that stay plain.

Titles, names, positions and file names may come from strangers, and a terminal obeys some of their characters. So all
output goes through one kind of stream, which makes such characters visible. It never raises: finished work stays done
even if nothing can be printed about it; the exit code then says so.
"""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean
from grimalkin.problems.plain import visible

# Every command imports what it needs when it runs: `grimalkin --help` must not wait for a drawing library.
if TYPE_CHECKING:
    from grimalkin.content import Game as Content
    from grimalkin.printing.face import Inks

INKS: tuple[Inks, ...] = ("full", "low", "mono")
"""The designs of the faces. `face` defines them too, but importing it takes a while."""

MACHINES = ("silhouette", "silhouette-feeder", "cameo-alpha", "cricut", "opos", "scanncut", "siser")
"""The cutting machines. `content` defines them too, but importing it takes a while."""

DRAFT = (
    "treat every game as a draft, as `draft: yes` in game.yaml does: list what is not proved yet and what is wrong "
    "with the faces, and carry on"
)
"""The help for `--draft`."""
MOST_OWED = 200
"""The maximum number of unproved or faulty things to list for a draft."""
GAME = "a name from `grimalkin games`, or the path to a game's folder"


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


def percent(text: str) -> float:
    """Read a size as a percentage, from 50 to 200."""
    number = text.strip().removesuffix("%").strip()
    try:
        value = float(number.replace(",", "."))
    except ValueError:
        value = -1.0
    if not 50 <= value <= 200:
        raise argparse.ArgumentTypeError(f'"{text}" is not a size from 50% to 200%, such as 95%')
    return value


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
    """Add an option that takes KEY=VALUE for an option of the game, and may be repeated."""
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
    told = "folder to write to (default: ./output)"
    parser.add_argument("--output", type=folder_to_make, default=Path("output"), metavar="DIR", help=told)


def add_papers(parser: argparse._ActionsContainer, what: str = "papers to print on") -> None:
    """Add the option for papers, by their names."""
    add_names(parser, "--paper", f"{what} (default: a4,letter)", "NAME,NAME", "a4,letter")


def add_cutter(parser: argparse._ActionsContainer) -> None:
    """Add the options for a cutting machine."""
    machines = f"add marks and cut files for a machine: {', '.join(MACHINES)}"
    parser.add_argument("--cutter", choices=MACHINES, metavar="MACHINE", help=machines)
    files = (
        "outlines to make for the machine: svg (millimetres), svg-96, svg-72 (pixels), dxf, dxf-r12 (pip install "
        '"grimalkin[dxf]"), pdf (default: svg,dxf; for machines without marks: svg,pdf)'
    )
    add_names(parser, "--cut-files", files, "NAME,NAME")


def cut_files_of(options: argparse.Namespace) -> tuple[Any, ...]:
    """Return the names of the cut files that the options ask for. Stop at an unknown one."""
    from typing import get_args

    from grimalkin.printing.sheet.settings import CutFile

    problems, known = Problems(), get_args(CutFile)
    for name in options.cut_files:
        if name not in known:
            problems.add(Place("--cut-files"), f'there is no cut file "{name}"', did_you_mean(name, known))
    if options.cut_files and not options.cutter:
        problems.add(Place("--cut-files"), "they are for a cutting machine", "add --cutter")
    problems.stop()
    return tuple(options.cut_files)


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
    """Load the named game in these variants. Stops with every problem in its content."""
    from grimalkin.content import as_variant, find_variants, whole_game
    from grimalkin.source import find_game_folder

    game = whole_game(find_game_folder(name), draft)
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


def remark(problems: Iterable[Problem]) -> None:
    """Print remarks, which are not faults, to standard error."""
    for problem in problems:
        print(f"remark: {problem}", file=sys.stderr)


def remarks_on_art(folder: Path, problems: Problems) -> Iterable[Problem]:
    """Return remarks on the art and the stocks of a game; unusable files, also of shops and labels, are problems."""
    notes: list[Problem] = []
    if (folder / "shops").exists():
        from grimalkin.content.shops import load_shops

        load_shops(folder, problems)
    if (folder / "labels").exists():
        from grimalkin.content.label_sheets import load_label_sheets

        load_label_sheets(folder, problems)
    if (folder / "stocks").is_dir():
        from grimalkin.printing.draw.stocks import load_stocks

        load_stocks(folder, problems, notes)
    if not (folder / "art").is_dir():
        return notes
    from grimalkin.printing.face.images.game_art import Pictures

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
    """Return a function that shows progress: a line that updates in place on a terminal, nothing elsewhere."""
    return line_that_renews() or (lambda _: None)


def bar(label: str, total: int) -> Callable[[int], None]:
    """Return a function that takes the number of newly finished steps and, on a terminal, draws a progress bar."""
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


class Plain(io.TextIOBase):
    """A stream of text that shows control characters instead of passing them on.

    It never counts as a terminal, even if it writes to one, so nothing colours its text. A line that updates in
    place bypasses it.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self.stream = stream
        self.fault: OSError | None = None
        """Why nothing more can be written."""

    def write(self, text: str) -> int:
        if self.stream is None and text:
            self.fault = OSError(errno.EBADF, "it is closed")
        elif self.stream is not None and self.fault is None:
            try:
                self.stream.write(visible(text, lines=True))
            except OSError as error:
                self._end(self.stream, error)
        return len(text)

    def flush(self) -> None:
        if self.stream is not None and self.fault is None:
            try:
                self.stream.flush()
            except OSError as error:
                self._end(self.stream, error)

    def _end(self, stream: TextIO, error: OSError) -> None:
        """Discard further output; otherwise Python would complain about it on exit."""
        self.fault = error
        with suppress(OSError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


@contextmanager
def plain_streams() -> Iterator[Plain]:
    """Make standard output and standard error plain within the block; yield standard output."""
    before = sys.stdout, sys.stderr
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # take the number, or the next file would, and libraries write to it
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):  # a code page of Windows lacks many letters; input may be any bytes
            with suppress(io.UnsupportedOperation):  # it has already been read from
                stream.reconfigure(errors="backslashreplace")
    out, err = Plain(before[0]), Plain(before[1])
    sys.stdout, sys.stderr = out, err
    try:
        yield out
    finally:
        out.flush()
        err.flush()
        sys.stdout, sys.stderr = before


def line_that_renews() -> Callable[[str], None] | None:
    """Return a function that overwrites its last line on standard error; None if that is not a terminal."""
    stream = sys.stderr.stream if isinstance(sys.stderr, Plain) else sys.stderr
    if stream is None or not stream.isatty():
        return None
    return lambda text: print(f"\r\033[K{visible(text)}", end="", file=stream, flush=True)
