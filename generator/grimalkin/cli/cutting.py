"""The command `cutter`, which proposes a cutting-machine template for a stock that has none."""

from __future__ import annotations

import argparse
import sys

from grimalkin.cli.common import Command
from grimalkin.problems import Place, Problems, Stop, did_you_mean

_CUTTER = """\
Save the printed template in the folder `cutters` of your game, under the name that the command suggests. It holds as
many pieces as fit on the paper, upright or on their side. You can change it until you have printed with it.

examples:
  grimalkin cutter cricut letter poker
  grimalkin cutter silhouette a4 circle-25 ./my-game
"""


def add(command: Command) -> None:
    cutter = command("cutter", _cutter, "Propose a template for a cutting machine, a paper and a stock", _CUTTER)
    cutter.add_argument("machine", choices=["silhouette", "cricut"], metavar="MACHINE", help="silhouette or cricut")
    cutter.add_argument("paper", metavar="PAPER", help="paper to print on, such as a4")
    cutter.add_argument("stock", metavar="STOCK", help="stock to cut, such as poker")
    cutter.add_argument("game", nargs="?", metavar="GAME", help="a game, to use its own stocks and papers, too")


def _cutter(options: argparse.Namespace) -> int:
    from grimalkin.content.cutters import load_cutters
    from grimalkin.content.stocks import load_papers
    from grimalkin.output.printout import find_papers
    from grimalkin.printing.draw.stocks import load_stocks
    from grimalkin.printing.sheet.cutters import as_yaml, propose
    from grimalkin.source import find_game_folder

    problems = Problems()
    folder = find_game_folder(options.game) if options.game else None
    stocks = load_stocks(folder, problems)
    papers = find_papers([options.paper], load_papers(folder, problems), Place("PAPER"), problems)
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
