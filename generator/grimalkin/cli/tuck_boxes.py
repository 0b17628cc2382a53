"""The command that makes a tuck box for a deck: a page to print, cut, crease and glue."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from grimalkin.cli.common import (
    GAME,
    Command,
    add_cutter,
    add_inks,
    add_names,
    add_number,
    add_output,
    add_papers,
    cut_files_of,
    load,
    remark,
    telling,
)
from grimalkin.cli.shops import add_colour, condition_of, report
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean
from grimalkin.problems.plain import visible

if TYPE_CHECKING:
    from grimalkin.content import Game
    from grimalkin.content.models import Deck
    from grimalkin.content.stocks import Paper, Stock
    from grimalkin.printing.draw.condition import Condition
    from grimalkin.printing.face import Composer, Face
    from grimalkin.printing.sheet.tuck_box import Boxed, Contents

_BOX = """\
The box fits its cards with a millimetre to spare. Print it at 100 % on card of 200 to 300 gsm, score the dashed lines
with an empty pen, cut along the solid lines, fold, and glue the flap at the side. Files go to DIR/boxes/GAME-DECK and
replace those of the last run.

examples:
  grimalkin box werecats                                # for the first deck of cards, on A4 and on Letter
  grimalkin box wolf-mans-curse --sleeved --paper a4
  grimalkin box curses-and-covens --deck townsfolk,witches --face crystal-opal
  grimalkin box ./my-game --stock poker --count 54 --thickness 0.32 --ink low
  grimalkin box were-kittens --paper a4 --cutter silhouette
"""


def add(command: Command) -> None:
    box = command("box", _box, "Make a tuck box for a deck", _BOX)
    box.add_argument("game", metavar="GAME", help=GAME)
    add_output(box)
    add_papers(box)
    add_names(box, "--deck", "decks in the box, one on top of the other (default: the first deck of cards)")
    box.add_argument("--stock", metavar="NAME", help="size of a card (default: the largest in the deck)")
    add_number(box, "--count", 1, 1000, "number of cards (default: as many as in the deck)")
    box.add_argument(
        "--thickness",
        type=_thickness,
        metavar="MM",
        help="thickness of one card, with its sleeve if it has one (default: 0.3, or 0.6 with --sleeved)",
    )
    sleeved = "make room for sleeves, which are 3 mm wider and 4 mm taller"
    box.add_argument("--sleeved", action="store_true", help=sleeved)
    front = "picture on the front: a card, or its back as ID-back (default: the back of the cards, with the title)"
    box.add_argument("--face", metavar="ID", help=front)
    add_inks(box)
    add_colour(box)
    add_cutter(box)


def _thickness(text: str) -> float:
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = -1.0
    if not 0.05 <= value <= 10:
        raise argparse.ArgumentTypeError(f'"{text}" is not a thickness from 0.05 to 10 mm')
    return value


def _box(options: argparse.Namespace) -> int:
    from grimalkin.content.stocks import load_papers
    from grimalkin.output.printout import find_papers
    from grimalkin.output.swap import replace_folder
    from grimalkin.printing.draw.stocks import composer_of
    from grimalkin.printing.sheet.tuck_box import boxed

    problems, notes = Problems(), list[Problem]()
    game = load(options.game)
    papers = find_papers(options.paper, game.folder, problems)
    condition = condition_of(options)
    finishes = condition is not None and condition.space == "cmyk" and options.inks != "mono"
    composer = composer_of(game, problems, options.inks, game.info.draft, notes, finishes)
    problems.stop()
    remark(notes)
    contents = _contents(game, composer.stocks, options)
    made = boxed(composer, contents, _face(composer, options.face) if options.face else None)
    problems.stop()
    assert made, "a box without problems is made"
    files: dict[str, bytes] = {}
    for name in papers:
        files |= _files(composer, made, name, load_papers(game.folder, problems), options, condition)
    place = f"boxes/{game.name}-{'-'.join(deck.id.lower() for deck in contents.decks)}"
    with telling(options) as tell:
        replace_folder(options.output, place, files, tell)
    for file in files:
        print(visible(str(options.output / place / file)))
    size, flat = (" × ".join(f"{one:g}" for one in sizes) for sizes in (_inner(made), made.box.size))
    print(f"for {contents.words}: {size} mm inside, {flat} mm laid flat; print at 100 %")
    return report(files, condition) if condition else 0


def _inner(made: Boxed) -> tuple[float, float, float]:
    return made.box.width, made.box.height, made.box.depth


def _contents(game: Game, stocks: Mapping[str, Stock], options: argparse.Namespace) -> Contents:
    """Return the contents of the box that the options ask for."""
    from grimalkin.printing.sheet.tuck_box import THICKNESS, Contents

    decks = _decks(game, options.deck)
    rows = [(deck, row) for deck in decks for row in game.components[deck.id] if game.copies(row)]
    names = {row.stock or deck.stock or "" for deck, row in rows}
    if options.stock:
        names = {options.stock}
        if options.stock not in stocks:
            hint = did_you_mean(options.stock, stocks)
            raise Stop.at(Place("--stock"), f'there is no stock "{options.stock}"', hint)
    if not rows:
        raise Stop.at(Place("--deck"), "it has no cards", "name a deck that has cards")
    used = [stocks[name] for name in sorted(names)]
    largest = max(used, key=lambda stock: stock.width * stock.height)
    size = {"width": max(stock.width for stock in used), "height": max(stock.height for stock in used)}
    return Contents(
        decks,
        largest.model_copy(update=size),
        options.count or sum(game.copies(row) for _, row in rows),
        options.thickness or THICKNESS[options.sleeved],
        options.sleeved,
    )


def _decks(game: Game, names: list[str]) -> list[Deck]:
    """Return the decks with these names; without names, the first that has cards."""
    known = {deck.id: deck for deck in game.info.decks}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise Stop.at(Place("--deck"), f'there is no deck "{unknown[0]}"', did_you_mean(unknown[0], known))
    cards = [deck for deck in known.values() if deck.kind == "card"] or list(known.values())
    if not cards:
        raise Stop.at(Place("box"), f"{game.name} has no decks", "a box holds the cards of a deck")
    return [known[name] for name in dict.fromkeys(names)] or cards[:1]


def _face(composer: Composer, id_: str) -> Face | None:
    """Return the face for the front of the box: a component's front or, if the name says so, its back."""
    game = composer.game
    name = id_ if id_ in game.by_id else id_.removesuffix("-front").removesuffix("-back")
    deck = next((deck for deck in game.info.decks if name in {row.id for row in game.components[deck.id]}), None)
    if deck is None:
        raise Stop.at(Place("--face"), f'there is no card "{id_}"', did_you_mean(id_, game.by_id))
    front, back = composer.faces(deck, game.by_id[name])
    found = back if name != id_ and id_.endswith("-back") else front
    if found is None and not composer.problems:
        raise Stop.at(Place("--face"), f'"{name}" has no back', f"name its front: {name}")
    return found


def _files(
    composer: Composer,
    made: Boxed,
    name: str,
    papers: dict[str, Paper],
    options: argparse.Namespace,
    condition: Condition | None,
) -> dict[str, bytes]:
    """Return the page of a box on one paper, and the cut files for a machine."""
    from grimalkin.output.printout import cut_files
    from grimalkin.printing.sheet.settings import Edition, Settings
    from grimalkin.printing.sheet.tuck_box import box_pdf, box_sheets

    game = composer.game
    chosen = {"inks": options.inks, "cutter": options.cutter, "cut_files": cut_files_of(options)}
    settings = Settings(backs="none", cover=False, condition=condition, **chosen)
    edition = Edition.of(game)
    sheets, templates = box_sheets(made, name, papers, settings)
    pdf = box_pdf(composer, made, sheets, papers[name], settings, edition, templates)
    ending = "" if options.inks == "full" else f"-{options.inks}"
    cut = cut_files(game, papers[name], sheets, templates, pdf, settings) if templates else {}
    return {f"{game.name}-box-{name}{ending}.pdf": pdf, **cut}
