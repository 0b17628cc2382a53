"""The commands `calibrate` and `printer`, for printers whose backs miss their fronts, and `cutter`."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from grimalkin.cli.common import Command
from grimalkin.problems import Place, Problems, Stop, did_you_mean

if TYPE_CHECKING:
    from grimalkin.content.stocks import Paper
    from grimalkin.printing.sheet.settings import Printer

_CALIBRATE = """\
Print the two pages on both sides of one sheet, hold it up to a light, and read the scales. The sheet explains how.

examples:
  grimalkin calibrate --paper letter
  grimalkin printer measure kitchen --paper letter
  grimalkin calibrate --paper letter --printer kitchen       # to check that backs meet their fronts
"""
_PRINTER = """\
A profile says how far to move a printer's backs so that they meet their fronts, looking at the back: millimetres to the
right and up, degrees counter-clockwise. `grimalkin sheets were-kittens --printer kitchen` prints with it.

examples:
  grimalkin printer measure kitchen --paper a4
  grimalkin printer set kitchen --back-x 1.3 --back-y -0.6 --angle 0.15
  grimalkin printer list
  grimalkin printer remove kitchen
"""
LONGEST_LINE = 1000
_QUESTIONS = ("across at C", "up at C", "up at A", "up at B")


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

    printer = command("printer", _list, "Keep the profile of a printer whose backs miss their fronts", _PRINTER)
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
    measure = action("measure", _measure, "Make a profile from your readings of the calibration sheet")
    measure.add_argument("--paper", default="a4", metavar="PAPER", help="paper of the sheet (default: a4)")
    measure.add_argument(
        "--again", action="store_true", help="add to this profile, because the sheet was printed with it"
    )
    action("list", _list, "List all profiles")
    action("show", _show, "Show a profile")
    action("remove", _remove, "Remove a profile")

    cutter = command("cutter", _cutter, "Propose a template for a cutting machine, a paper and a stock", _CUTTER)
    cutter.add_argument("machine", choices=["silhouette", "cricut"], metavar="MACHINE", help="silhouette or cricut")
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


def _calibrate(options: argparse.Namespace) -> int:
    from grimalkin.cli import printers
    from grimalkin.output.disk import naming
    from grimalkin.printing.sheet.calibration import calibration_pdf

    paper = _paper(options.paper)
    printer = printers.find(options.printer) if options.printer else None
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
    from grimalkin.cli import printers
    from grimalkin.printing.sheet.settings import Printer

    given = (options.back_x, options.back_y, options.angle)
    if given == (None, None, None):
        hint = "add --back-x, --back-y or --angle; `grimalkin calibrate` makes a sheet to read them from"
        raise Stop.at(Place("printer set"), "no value is given", hint)
    printers.refuse_faults(Printer(options.name, *(new or 0.0 for new in given)))
    with printers.changing() as known:
        old = known.get(options.name, Printer(options.name))
        kept = zip(given, printers.values(old), strict=True)
        known[options.name] = printer = Printer(options.name, *(new if new is not None else was for new, was in kept))
    print(_told(printer))
    return 0


def _measure(options: argparse.Namespace) -> int:
    from grimalkin.cli import printers
    from grimalkin.printing.sheet.calibration import Readings, added, printer_of, rounded
    from grimalkin.printing.sheet.settings import Printer

    paper = _paper(options.paper)
    old = printers.find(options.name) if options.again else Printer(options.name)
    readings = Readings(*(_ask(question) for question in _QUESTIONS))
    printer = rounded(added(old, printer_of(options.name, readings, paper)))
    printers.save(printer)
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
    from grimalkin.cli import printers

    known = printers.load()
    for printer in known.values():
        print(_told(printer))
    if not known:
        print("no printers yet; `grimalkin calibrate` makes a sheet for measuring one")
    return 0


def _show(options: argparse.Namespace) -> int:
    from grimalkin.cli import printers

    print(_told(printers.find(options.name)))
    print(f"kept in {printers.file()}")
    return 0


def _remove(options: argparse.Namespace) -> int:
    from grimalkin.cli import printers

    printers.remove(options.name)
    print(f"{options.name}: removed")
    return 0


def _told(printer: Printer) -> str:
    """Describe a profile in words."""
    from grimalkin.cli.printers import AXES, values

    parts = [
        f"{abs(value):g}{unit} {ways[value < 0]}"
        for (_, unit, _, ways), value in zip(AXES, values(printer), strict=True)
        if value
    ]
    return f"{printer.name}: backs move {', '.join(parts)}" if parts else f"{printer.name}: backs stay as they are"


_CUTTER = """\
Save the printed template in the folder `cutters` of your game, under the name that the command suggests. It holds as
many pieces as fit on the paper, upright or on their side. You can change it until you have printed with it.

examples:
  grimalkin cutter cricut letter poker
  grimalkin cutter silhouette a4 circle-25 ./my-game
"""


def _cutter(options: argparse.Namespace) -> int:
    from grimalkin.content.cutters import load_cutters
    from grimalkin.output.printout import find_papers
    from grimalkin.printing.draw.stocks import load_stocks
    from grimalkin.printing.sheet.cutters import as_yaml, propose
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
        told = f'"{options.stock}" does not fit on {paper.name} with the room that a {options.machine} needs around it'
        raise Stop.at(Place("STOCK"), told, "name a larger paper")
    print(as_yaml(template), end="")
    print(f"save it as cutters/{template.id}.yaml in the folder of the game", file=sys.stderr)
    return 0
