"""The command that makes dividers for the decks of a game: cards with staggered tabs."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from grimalkin.cli.common import GAME, Command, add_inks, add_names, add_output, add_papers, load, remark, telling
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean
from grimalkin.problems.plain import plural, visible

if TYPE_CHECKING:
    from grimalkin.content import Game
    from grimalkin.content.models import Deck
    from grimalkin.content.stocks import Stock

_DIVIDERS = """\
A divider is as large as the cards of its deck, with a tab that stands out above them: left, middle, right in turn. Cut
along the solid lines. Files go to DIR/dividers/GAME and replace those of the last run.

examples:
  grimalkin dividers werecats
  grimalkin dividers curses-and-covens --deck witches,townsfolk,rituals --sleeved --paper a4
  grimalkin dividers ./my-game --tab 12 --both-sides --ink low
"""


def add(command: Command) -> None:
    dividers = command("dividers", _dividers, "Make dividers with tabs for the decks of a game", _DIVIDERS)
    dividers.add_argument("game", metavar="GAME", help=GAME)
    add_output(dividers)
    add_papers(dividers)
    add_names(dividers, "--deck", "decks that get a divider, in this order (default: every deck of cards)")
    sleeved = "for cards in sleeves, which are 3 mm wider and 4 mm taller"
    dividers.add_argument("--sleeved", action="store_true", help=sleeved)
    dividers.add_argument("--tab", type=_height, default=10.0, metavar="MM", help="height of the tabs (default: 10)")
    dividers.add_argument("--both-sides", action="store_true", help="print the backs, too, for a duplex printer")
    dividers.add_argument(
        "--flip",
        choices=["long", "short"],
        default="long",
        help="edge on which your printer flips the paper (default: long)",
    )
    add_inks(dividers)


def _height(text: str) -> float:
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = -1.0
    if not 5 <= value <= 40:
        raise argparse.ArgumentTypeError(f'"{text}" is not a height from 5 to 40 mm')
    return value


def _dividers(options: argparse.Namespace) -> int:
    from grimalkin.output.printout import find_papers
    from grimalkin.output.swap import replace_folder
    from grimalkin.printing.draw.stocks import composer_of
    from grimalkin.printing.sheet.dividers import divider_sheets, dividers, dividers_pdf
    from grimalkin.printing.sheet.settings import Settings

    problems, notes = Problems(), list[Problem]()
    game = load(options.game)
    papers = find_papers(options.paper, game.folder, problems)
    composer = composer_of(game, problems, options.inks, game.info.draft, notes)
    problems.stop()
    remark(notes)
    decks = _decks(game, options.deck)
    cards = {deck.id: _largest(game, deck, composer.stocks) for deck in decks}
    made = dividers(composer, decks, cards, options.tab, options.sleeved, options.both_sides)
    problems.stop()
    settings = Settings(
        backs="duplex" if options.both_sides else "none", flip=options.flip, cover=False, inks=options.inks
    )
    files: dict[str, bytes] = {}
    ending = "" if options.inks == "full" else f"-{options.inks}"
    for name, paper in papers.items():
        sheets = divider_sheets(made, paper, settings, Place("--paper"), problems)
        if not problems:
            files[f"{game.name}-dividers-{name}{ending}.pdf"] = dividers_pdf(composer, made, sheets, paper, settings)
    problems.stop()
    place = f"dividers/{game.name}"
    with telling(options) as tell:
        replace_folder(options.output, place, files, tell)
    for file in files:
        print(visible(str(options.output / place / file)))
    print(f"{plural(len(made), 'divider')}, tabs {options.tab:g} mm high; print at 100 %")
    return 0


def _decks(game: Game, names: list[str]) -> list[Deck]:
    """Return the decks with these names; without names, all decks of cards. Stop if one is unknown or has no cards."""
    known = {deck.id: deck for deck in game.info.decks}
    problems = Problems()
    for name in names:
        if name not in known:
            problems.add(Place("--deck"), f'there is no deck "{name}"', did_you_mean(name, known))
    problems.stop()
    chosen = [known[name] for name in dict.fromkeys(names)] or [one for one in known.values() if one.kind == "card"]
    full = [deck for deck in chosen if any(game.copies(row) for row in game.components[deck.id])]
    for deck in chosen if names else ():
        if deck not in full:
            problems.add(Place("--deck"), f'"{deck.id}" has no cards', "name a deck that has cards")
    problems.stop()
    if not full:
        raise Stop.at(Place("dividers"), f"{game.name} has no decks of cards", "name decks with --deck")
    return full


def _largest(game: Game, deck: Deck, stocks: Mapping[str, Stock]) -> Stock:
    """Return the largest stock among the cards of a deck, as wide and as tall as any of them."""
    used = [stocks[row.stock or deck.stock or ""] for row in game.components[deck.id] if game.copies(row)]
    largest = max(used, key=lambda stock: stock.width * stock.height)
    size = {"width": max(stock.width for stock in used), "height": max(stock.height for stock in used)}
    return largest.model_copy(update=size)
