"""The commands `calibrate`, `printer` and `cutter`, and the profiles of printers whose backs miss their fronts.

Profiles are in one small TOML file in the settings folder; `GRIMALKIN_CONFIG` names a different folder.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from grimalkin.cli.common import MACHINES, Command
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean, shown_path
from grimalkin.problems.plain import listed

if TYPE_CHECKING:
    from grimalkin.content.stocks import Paper
    from grimalkin.printing.sheet.settings import Printer

_CALIBRATE = """\
Print the two pages on the two sides of one sheet, hold it up to a light, and read the scales. The sheet explains how.

examples:
  grimalkin calibrate --paper letter
  grimalkin printer measure kitchen --paper letter
  grimalkin calibrate --paper letter --printer kitchen       # to check that backs meet their fronts
"""
_PRINTER = """\
A profile says how far to move a printer's backs so that they meet their fronts, as seen from the back: millimetres to
the right and up, degrees counter-clockwise. It may also move fronts, as seen from the front, and stretch both sides if
lines come out too short or too long. `grimalkin sheets were-kittens --printer kitchen` prints with it.

examples:
  grimalkin printer measure kitchen --paper a4
  grimalkin printer set kitchen --back-x 1.3 --back-y -0.6 --angle 0.15
  grimalkin printer set kitchen --front-x 0.8 --scale-y 100.4    # fronts 0.8 mm to the right, pages 0.4 % longer
  grimalkin printer list
  grimalkin printer remove kitchen
"""
LONGEST_LINE = 1000
_QUESTIONS = ("across at C", "up at C", "up at A", "up at B")
_CUTTER = """\
Save the printed template in the folder `cutters` of your game, under the name that the command suggests. It holds as
many pieces as fit on the paper, upright or on their side. You can change it until you have printed with it.

examples:
  grimalkin cutter cricut letter poker
  grimalkin cutter silhouette a4 circle-25 ./my-game
"""
MOST_OFFSET = 20.0
"""In millimetres. A printer that is further off feeds paper askew, or is set to the wrong size."""
MOST_ANGLE = 5.0
"""In degrees."""
MOST_WAIT = 10.0
"""Seconds to wait while another command writes a profile, which takes only milliseconds."""
MOST_STRETCH = 5.0
"""In per cent, either way."""


class Axis(NamedTuple):
    """A value of a profile."""

    key: str
    unit: str
    most: float
    """The largest difference from its usual value."""
    ways: tuple[str, str]
    """What a larger and a smaller value do."""
    what: str = "backs move"
    usual: float = 0.0

    @property
    def limits(self) -> str:
        if self.usual:
            return f"from {self.usual - self.most:g} to {self.usual + self.most:g}{self.unit}"
        return f"at most {self.most:g}{self.unit} either way"


AXES = (
    Axis("back-x", " mm", MOST_OFFSET, ("to the right", "to the left")),
    Axis("back-y", " mm", MOST_OFFSET, ("up", "down")),
    Axis("angle", "°", MOST_ANGLE, ("counter-clockwise", "clockwise")),
    Axis("front-x", " mm", MOST_OFFSET, ("to the right", "to the left"), "fronts move"),
    Axis("front-y", " mm", MOST_OFFSET, ("up", "down"), "fronts move"),
    Axis("scale-x", " %", MOST_STRETCH, ("wider", "narrower"), "pages become", 100.0),
    Axis("scale-y", " %", MOST_STRETCH, ("longer", "shorter"), "pages become", 100.0),
)
"""The values of a profile, in the order of `offsets`."""
_NAME = re.compile(r"\w++([ .-]\w++)*+")
_KEYS = [axis.key for axis in AXES]
_HEAD = """\
# Printers measured with `grimalkin printer`: how far backs are moved to meet their fronts, as seen from the back.
# Millimetres to the right and up, degrees counter-clockwise around the middle of the page. Fronts are moved as seen
# from the front; scales are per cent.
"""


def add(command: Command) -> None:
    calibrate = command(
        "calibrate", _calibrate, "Make a sheet for measuring how far backs miss their fronts", _CALIBRATE
    )
    calibrate.add_argument("--paper", default="a4", metavar="NAME", help="paper to print on (default: a4)")
    calibrate.add_argument(
        "--flip", choices=["long", "short"], default="long", help="edge on which your printer flips (default: long)"
    )
    calibrate.add_argument("--printer", metavar="NAME", help="apply this profile, to check it")
    calibrate.add_argument(
        "--output", type=Path, metavar="FILE", help="file to write (default: calibration-PAPER-EDGE.pdf)"
    )

    printer = command("printer", _list, "Keep the profile of a printer that prints off its place", _PRINTER)
    actions = printer.add_subparsers(title="what to do", metavar="ACTION")

    def action(name: str, run: Callable[[argparse.Namespace], int], summary: str) -> argparse.ArgumentParser:
        made = actions.add_parser(name, help=summary, description=f"{summary}.")
        made.set_defaults(run=run)
        if name != "list":
            made.add_argument("name", metavar="NAME", help="name of a printer")
        return made

    write = action("set", _set, "Write a profile; values that you leave out stay as they were")
    write.add_argument("--back-x", type=_number("mm"), metavar="MM", help="how far to move backs to the right")
    write.add_argument("--back-y", type=_number("mm"), metavar="MM", help="how far to move backs up")
    write.add_argument(
        "--angle", type=_number("degrees"), metavar="DEG", help="how far to turn backs counter-clockwise"
    )
    write.add_argument("--front-x", type=_number("mm"), metavar="MM", help="how far to move fronts to the right")
    write.add_argument("--front-y", type=_number("mm"), metavar="MM", help="how far to move fronts up")
    for axis, way in (("x", "width"), ("y", "height")):
        told = f"{way} to print at, in per cent: 100 × the true length / what you measure (default: 100)"
        write.add_argument(f"--scale-{axis}", type=_percent, metavar="PERCENT", help=told.replace("%", "%%"))
    measure = action("measure", _measure, "Make a profile from your readings of the calibration sheet")
    measure.add_argument("--paper", default="a4", metavar="PAPER", help="paper of the sheet (default: a4)")
    measure.add_argument(
        "--again", action="store_true", help="add to this profile, because the sheet was printed with it"
    )
    action("list", _list, "List all profiles")
    action("show", _show, "Show a profile")
    action("remove", _remove, "Remove a profile")

    cutter = command("cutter", _cutter, "Propose a template for a cutting machine, a paper and a stock", _CUTTER)
    cutter.add_argument("machine", choices=MACHINES, metavar="MACHINE", help=", ".join(MACHINES))
    cutter.add_argument("paper", metavar="PAPER", help="paper to print on, such as a4")
    cutter.add_argument("stock", metavar="STOCK", help="stock to cut, such as poker")
    cutter.add_argument("game", nargs="?", metavar="GAME", help="a game, to use its own stocks and papers, too")


def _number(unit: str) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = float(text.strip().replace(",", ".").replace("−", "-"))
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise argparse.ArgumentTypeError(f'"{text}" is not a number of {unit}')
        return value

    return read


def _percent(text: str) -> float:
    return _number("per cent")(text.strip().removesuffix("%"))


def _calibrate(options: argparse.Namespace) -> int:
    from grimalkin.output.disk import naming
    from grimalkin.printing.sheet.calibration import calibration_pdf

    paper = _paper(options.paper)
    printer = find_printer(options.printer) if options.printer else None
    path: Path = options.output or Path(f"calibration-{options.paper}-{options.flip}.pdf")
    data = calibration_pdf(paper, options.paper, options.flip, printer)
    with naming(path):
        path.write_bytes(data)
    print(f"{path}: print both pages on one sheet of {paper.name} at 100 %, flipped on the {options.flip} edge")
    return 0


def _paper(name: str) -> Paper:
    from grimalkin.output.printout import find_papers
    from grimalkin.printing.sheet.calibration import is_too_small

    problems = Problems()
    papers = find_papers([name], None, problems)
    problems.stop()
    if is_too_small(papers[name]):
        raise Stop.at(Place("--paper"), f"{papers[name].name} has no room for the scales", "A5 is the smallest")
    return papers[name]


def _set(options: argparse.Namespace) -> int:
    from grimalkin.printing.sheet.settings import Printer

    given = [getattr(options, key.replace("-", "_")) for key in _KEYS]
    if not any(value is not None for value in given):
        options_ = listed([f"--{key}" for key in _KEYS], "or")
        hint = f"add {options_}; `grimalkin calibrate` makes a sheet to read what backs need"
        raise Stop.at(Place("printer set"), "no value is given", hint)
    named = dict(zip((key.replace("-", "_") for key in _KEYS), given, strict=True))
    changes = {key: value for key, value in named.items() if value is not None}
    refuse_faults(Printer(options.name, **changes))
    with changing_printers() as known:
        known[options.name] = printer = replace(known.get(options.name, Printer(options.name)), **changes)
    print(_told(printer))
    return 0


def _measure(options: argparse.Namespace) -> int:
    from grimalkin.printing.sheet.calibration import Readings, added, printer_of, rounded
    from grimalkin.printing.sheet.settings import Printer

    paper = _paper(options.paper)
    old = find_printer(options.name) if options.again else Printer(options.name)
    if not options.again and (kept := load_printers().get(options.name)) and kept.moves_fronts:
        told = f"{options.name} also moves fronts or stretches pages, which a sheet printed without it does not show"
        hint = f"print the sheet with --printer {options.name}, and add --again; or remove the profile first"
        raise Stop.at(Place("printer measure"), told, hint)
    readings = Readings(*(_ask(question) for question in _QUESTIONS))
    printer = rounded(added(old, printer_of(options.name, readings, paper)))
    save_printer(printer)
    print(_told(printer))
    print(f'to check it: grimalkin calibrate --paper {options.paper} --printer "{printer.name}"')
    return 0


def _ask(question: str) -> float:
    """Ask for a reading until it is a number; the end of the input stops the command."""
    while True:
        print(f"{question}, mm: ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline(LONGEST_LINE) if sys.stdin else ""
        if not line:
            hint = "give the readings in this order: " + ", ".join(_QUESTIONS)
            raise Stop.at(Place("standard input"), f"the reading {question} is missing", hint)
        try:
            value = _number("mm")(line.strip())
        except argparse.ArgumentTypeError as error:
            print(error, file=sys.stderr)
            continue
        if abs(value) <= 20:
            return value
        print(f"{value:g} mm is more than the scales show", file=sys.stderr)


def _list(_: argparse.Namespace) -> int:
    known = load_printers()
    for printer in known.values():
        print(_told(printer))
    if not known:
        print("no printers yet; `grimalkin calibrate` makes a sheet for measuring one")
    return 0


def _show(options: argparse.Namespace) -> int:
    print(_told(find_printer(options.name)))
    print(f"kept in {file_of_printers()}")
    return 0


def _remove(options: argparse.Namespace) -> int:
    remove_printer(options.name)
    print(f"{options.name}: removed")
    return 0


def _told(printer: Printer) -> str:
    """Describe a profile in words."""
    groups: dict[str, list[str]] = {}
    for axis, value in zip(AXES, offsets(printer), strict=True):
        if more := round(value - axis.usual, 6):
            groups.setdefault(axis.what, []).append(f"{abs(more):g}{axis.unit} {axis.ways[more < 0]}")
    told = "; ".join(f"{what} {', '.join(parts)}" for what, parts in groups.items())
    return f"{printer.name}: {told or 'backs stay as they are'}"


def _cutter(options: argparse.Namespace) -> int:
    from grimalkin.content.cutters import load_cutters
    from grimalkin.output.printout import find_papers
    from grimalkin.printing.draw.stocks import load_stocks
    from grimalkin.printing.sheet.cutting import as_yaml, propose
    from grimalkin.source import find_game_folder

    problems = Problems()
    folder = find_game_folder(options.game) if options.game else None
    stocks = load_stocks(folder, problems)
    papers = find_papers([options.paper], folder, problems, Place("PAPER"))
    known = load_cutters(folder, problems)
    if options.stock not in stocks:
        hint = did_you_mean(options.stock, stocks) or "if a game has this stock, name the game after it"
        problems.add(Place("STOCK"), f'there is no stock "{options.stock}"', hint)
    problems.stop()
    paper, stock = papers[options.paper], stocks[options.stock]
    wanted = (options.machine, options.paper, options.stock)
    taken = [one.version for one in known.values() if (one.machine, one.paper, one.stock) == wanted]
    template = propose(options.machine, options.paper, paper, options.stock, stock, max(taken, default=0) + 1)
    if template is None:
        told = f'"{options.stock}" does not fit on {paper.name} with the room that the machine {options.machine} needs'
        raise Stop.at(Place("STOCK"), told, "name a larger paper")
    print(as_yaml(template), end="")
    print(f"save it as cutters/{template.id}.yaml in the game's folder", file=sys.stderr)
    return 0


def file_of_printers() -> Path:
    """Return the path of the file of profiles, which may not exist yet."""
    folder = os.environ.get("GRIMALKIN_CONFIG")
    if folder:
        return Path(folder) / "printers.toml"
    import platformdirs

    return platformdirs.user_config_path("grimalkin", appauthor=False) / "printers.toml"


def load_printers() -> dict[str, Printer]:
    """Return every profile by name, in alphabetical order. Stops with every fault in the file."""
    import tomllib

    path = file_of_printers()
    where = Place(shown_path(path))
    if not path.exists():
        return {}
    try:
        data = tomllib.loads(
            path.read_text(encoding="utf-8-sig")
        )  # Windows editors may begin it with a byte order mark
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        place = Place(where.path, int(line[1]) if line else 0)
        raise Stop.at(place, f"not TOML: {str(error).lower()}", "correct the line, or remove the file") from None
    except UnicodeDecodeError:
        raise Stop.at(where, "not UTF-8", "save the file as UTF-8, or remove it") from None
    problems = Problems()
    found = {name: _read(name, one, where, problems) for name, one in sorted(data.items())}
    problems.stop()
    return found


def find_printer(name: str) -> Printer:
    """Return the profile of that name. Stops if there is none."""
    known = load_printers()
    if name in known:
        return known[name]
    hint = did_you_mean(name, known) or "`grimalkin calibrate` makes a sheet for measuring one"
    raise Stop.at(Place("--printer"), f'there is no printer "{name}"', hint)


def save_printer(printer: Printer) -> None:
    """Add a profile, or replace the one of that name."""
    refuse_faults(printer)
    with changing_printers() as known:
        known[printer.name] = printer


def remove_printer(name: str) -> None:
    """Remove a profile. Stops if there is none."""
    find_printer(name)
    with changing_printers() as known:
        known.pop(name, None)


@contextmanager
def changing_printers() -> Iterator[dict[str, Printer]]:
    """Yield the profiles to change, while no other command can change them; write them if the block succeeds."""
    from filelock import FileLock, Timeout

    path = file_of_printers()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(f"{path}.lock", timeout=MOST_WAIT):
            known = load_printers()
            yield known
            _write(known.values())
    except Timeout:
        raise Stop.at(Place(shown_path(path)), "another command is writing here", "try again") from None


def refuse_faults(printer: Printer) -> None:
    """Stop if something is wrong with a profile."""
    faults = faults_of(printer)
    if faults:
        raise Stop([Problem(Place(f'printer "{printer.name}"'), fault, hint) for fault, hint in faults])


def faults_of(printer: Printer) -> list[tuple[str, str]]:
    """Return each fault in a profile, with a hint."""
    faults = []
    if not _NAME.fullmatch(printer.name) or len(printer.name) > 40:
        faults.append(
            (f'"{printer.name}" cannot be a name', "use at most 40 letters and digits, as in kitchen or office-2")
        )
    for axis, value in zip(AXES, offsets(printer), strict=True):
        if not abs(value - axis.usual) <= axis.most:  # true also of NaN
            faults.append((f"{axis.key} is {value:g}{axis.unit}", axis.limits))
    return faults


def offsets(printer: Printer) -> tuple[float, ...]:
    """Return its values, in the order of `AXES`."""
    return tuple(getattr(printer, key.replace("-", "_")) for key in _KEYS)


def _read(name: str, data: Any, where: Place, problems: Problems) -> Printer:
    from grimalkin.printing.sheet.settings import Printer

    if not isinstance(data, dict):
        problems.add(where, f'"{name}" does not belong to a printer', f'begin with ["{name}"]')
        return Printer(name)
    numbers: dict[str, float] = {}
    for key, value in data.items():
        if key not in _KEYS:
            problems.add(where, f'printer "{name}" has an unknown key "{key}"', did_you_mean(key, _KEYS))
        elif isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            problems.add(where, f'printer "{name}": {key} is {json.dumps(value, default=str)}', "it must be a number")
        else:
            numbers[key] = float(value)
    printer = Printer(name, **{key.replace("-", "_"): value for key, value in numbers.items()})
    for fault, hint in faults_of(printer):
        problems.add(where, f'printer "{name}": {fault}', hint)
    return printer


def _write(printers: Iterable[Printer]) -> None:
    """Rewrite the complete file."""
    from grimalkin.source.files import write_over

    parts = [_HEAD]
    for printer in sorted(printers, key=lambda printer: printer.name):
        lines = [
            f"{axis.key} = {value!r}\n"
            for axis, value in zip(AXES, offsets(printer), strict=True)
            if axis.what == "backs move" or value != axis.usual
        ]
        parts.append(f"\n[{json.dumps(printer.name, ensure_ascii=False)}]\n" + "".join(lines))
    write_over(file_of_printers(), "".join(parts).encode())
