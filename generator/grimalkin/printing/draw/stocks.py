"""Load the stocks of a game, and a composer with them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from grimalkin.content.stocks import Stock
from grimalkin.content.stocks import load_stocks as load_files
from grimalkin.problems import Problem, Problems

if TYPE_CHECKING:
    from grimalkin.content import Game
    from grimalkin.printing.face import Composer, Inks


def load_stocks(folder: Path | None, problems: Problems, remarks: list[Problem] | None = None) -> dict[str, Stock]:
    """Load the shared stocks and those in a game's own `stocks` folder. Add any remarks to `remarks`."""
    found: dict[str, Stock] = {}
    for name, stock in load_files(folder, problems).items():
        drawn: Stock | None = stock
        if stock.drawing:
            from grimalkin.printing.draw.drawn_stocks import with_drawing  # few games draw one, and it loads faces

            drawn = with_drawing(name, stock, folder, problems, remarks)
        if drawn:
            found[name] = drawn
    return found


def composer_of(
    game: Game,
    problems: Problems,
    inks: Inks = "full",
    draft: bool = False,
    remarks: list[Problem] | None = None,
    finishes: bool = False,
) -> Composer:
    """Return a composer with the stocks of a game. Add any remarks on these to `remarks`. For `finishes`, see there."""
    from grimalkin.printing.face import Composer

    return Composer(game, load_stocks(game.folder, problems, remarks), problems, inks, draft=draft, finishes=finishes)
