"""The command `sheets`, which makes the sheets of one game with options for printing and cutting."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from grimalkin.cli.choosing import add_only, chosen
from grimalkin.cli.common import (
    INK,
    INKS,
    OUTPUT,
    Command,
    add_names,
    add_number,
    bar,
    folder_to_make,
    progress,
    remark,
    telling,
    whole_number,
)
from grimalkin.cli.pictures import PRINTABLE, add_pictures, load_printable
from grimalkin.problems import Place, Problem, Problems, Stop
from grimalkin.problems.plain import plural, visible

if TYPE_CHECKING:
    from grimalkin.content import Game
    from grimalkin.content.stocks import Paper, Stock
    from grimalkin.output.records import Changes
    from grimalkin.printing.face import Composer
    from grimalkin.printing.sheet import Edition, Piece, Settings

DRAFT_SHEETS = (
    'print "draft" on every sheet, as `draft: yes` in game.yaml does, and mark faults: a red frame around a text '
    "that does not fit, a crossed box for a missing picture or icon, a mark for a missing column; the cover lists them"
)
_SHEETS = """\
Files go to DIR/print/GAME and replace those of the last run: a PDF for each paper, a record of how every card looks,
and cut files for a cutting machine. Anything you added or changed there moves to DIR/kept.

examples:
  grimalkin sheets were-kittens                           # both sides, A4 and Letter
  grimalkin sheets were-kittens --paper both              # one file that fits A4 and Letter
  grimalkin sheets were-kittens --backs fold --ink low    # no duplex printer needed, and little ink
  grimalkin sheets ./my-game --gutter bleed               # fewer cards on a sheet, more room for a slip
  grimalkin sheets were-kittens --only penny,player-mats --copies 2
  grimalkin sheets werecats --only family=roast           # cards with this value in a column
  grimalkin sheets wolf-mans-curse --variant bridge,four-colour
  grimalkin sheets cats-of-new-orleans --scenario 1 --heroes patch,minou   # just what that evening needs
  grimalkin sheets were-kittens --changed-since 1.0       # only what differs from your sheets of that version
  grimalkin sheets ./my-game --cutter silhouette --paper a4
  grimalkin sheets ./pictures                             # finished pictures, one per card
  grimalkin sheets ./pictures --stock tarot --crop --bleed-in-art 0.125in

papers: a4, letter, both (fits either, unscaled), a3, tabloid, and those in the game's own folder.
"""


def add(command: Command) -> None:
    sheets = command("sheets", _sheets, "Make the sheets of one game the way you want to print them", _SHEETS)
    sheets.set_defaults(changes=True)
    sheets.add_argument("game", metavar="GAME", help=PRINTABLE)
    sheets.add_argument("--output", type=folder_to_make, default=Path("output"), metavar="DIR", help=OUTPUT)
    sheets.add_argument("--draft", action="store_true", help=DRAFT_SHEETS)
    add_settings(sheets)
    add_pictures(sheets)
    what = sheets.add_argument_group("what to print")
    variant = "another size or other colours, from `variants` in game.yaml; you can combine several"
    add_names(what, "--variant", variant)
    add_only(what)
    what.add_argument(
        "--scenario",
        metavar="N",
        help="print only what one scenario needs, by its number or id: map, foes, tokens, loot, book",
    )
    add_names(what, "--heroes", "with --scenario: print only the heroes you name")
    add_number(what, "--copies", 1, 1000, "print the whole set N times", 1)
    what.add_argument(
        "--changed-since",
        metavar="VERSION|FILE",
        help="print only what differs from a recorded build: a version, the fingerprint on its sheets, or a file",
    )
    what.add_argument("--coverage", action="store_true", help="estimate how much ink each page needs, in each design")


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the options for making sheets, which `build` has, too."""
    how = parser.add_argument_group("how to print")
    add_names(how, "--paper", "papers to print on (default: a4,letter)", "NAME,NAME", "a4,letter")
    how.add_argument(
        "--backs",
        choices=["duplex", "fold", "none", "apart"],
        default="duplex",
        help="where backs go: on the next page; beside their fronts, to fold over one line; nowhere; or in a file of "
        "their own (default: duplex)",
    )
    how.add_argument(
        "--flip",
        choices=["long", "short"],
        default="long",
        help="edge on which your printer flips the paper when it prints both sides (default: long)",
    )
    how.add_argument("--same-backs-once", action="store_true", help="leave out back pages that repeat an earlier one")
    how.add_argument(
        "--printer", metavar="NAME", help="move backs by the profile of this printer; see `grimalkin printer`"
    )
    how.add_argument(
        "--ink",
        dest="inks",
        choices=INKS,
        default="full",
        help=INK,
    )
    no_cover = "leave out the cover page with checklist and instructions"
    how.add_argument("--no-cover", dest="cover", action="store_false", help=no_cover)
    cut = parser.add_argument_group("how to cut")
    cut.add_argument(
        "--marks",
        choices=["corners", "crosses", "ticks", "lines", "dots", "none"],
        default="corners",
        help="cut marks: at each corner, beyond the bleed if there is room; crosses close to the corners; ticks at the "
        "outside only; full lines; dots for a corner rounder; or none (default: corners)",
    )
    cut.add_argument(
        "--gutter",
        type=_gutter,
        metavar="MM|bleed",
        help="space between neighbours. 0: one cut for both, quick with a guillotine, but a slip shows the neighbour; "
        "bleed: room for their whole bleed, so that a slip shows nothing, but fewer fit on a sheet (default: the "
        "fullest sheet, with as much bleed as it leaves, at least 0.85 mm)",
    )
    cut.add_argument(
        "--margin",
        type=_length(0, 80),
        metavar="MM",
        help="edge that stays white (default: the margin of the paper, usually 5)",
    )
    add_number(cut, "--start-at", 1, 999, "number of the first place to fill (default: 1)", 1)
    cut.add_argument(
        "--skip-slots",
        type=_slots,
        default="",
        metavar="N,N",
        help="places to leave empty on every sheet",
    )
    cut.add_argument(
        "--cutter",
        choices=["silhouette", "cricut"],
        help='add marks and cut files for this cutting machine (pip install "grimalkin[dxf]")',
    )


def _slots(text: str) -> frozenset[int]:
    read = whole_number(1, 999)
    return frozenset(read(part.strip()) for part in text.split(",") if part.strip())


def _length(least: float, most: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f'"{text}" is not a length from {least:g} to {most:g} mm')
        return value

    return read


def _gutter(text: str) -> float | Literal["bleed"]:
    if text == "bleed":
        return "bleed"
    try:
        return _length(0, 50)(text)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f'{error}, nor "bleed"') from None


def settings_of(options: argparse.Namespace) -> Settings:
    """Return the settings from the options. Each option is named after its setting."""
    from dataclasses import fields

    from grimalkin.printing.sheet.settings import Settings

    chosen = {field.name: getattr(options, field.name) for field in fields(Settings)}
    chosen["printer"] = None
    if options.printer:
        from grimalkin.cli.printers import find

        chosen["printer"] = find(options.printer)
    return Settings(**chosen)


def _sheets(options: argparse.Namespace) -> int:
    with telling(options) as tell:
        return _print(options, tell)


def _print(options: argparse.Namespace, tell: Callable[[str], None]) -> int:
    from grimalkin.content.markup import remarks_on_tables
    from grimalkin.content.stocks import load_papers
    from grimalkin.output.disk import write_new
    from grimalkin.output.printout import find_papers, print_out
    from grimalkin.output.records import record_of, write
    from grimalkin.output.swap import settle, staging, swap
    from grimalkin.printing.draw.stocks import load_stocks
    from grimalkin.printing.face import Composer
    from grimalkin.printing.sheet import Edition, faces_by, pieces_of
    from grimalkin.printing.sheet.pieces import piece_fingerprint

    settle(options.output, tell)
    problems = Problems()
    settings = settings_of(options)
    game = _part(load_printable(options, options.draft), options)
    folder = game.folder
    for variant in game.info.variants:
        if settings.inks == "mono" and variant.id in options.variant and not variant.stocks:
            print(f"--variant: in black only, {variant.id} changes nothing", file=sys.stderr)
    papers = find_papers(options.paper, load_papers(folder, problems), Place("--paper"), problems)
    notes: list[Problem] = []
    stocks = load_stocks(folder, problems, notes)
    composer = Composer(game, stocks, problems, settings.inks, draft=game.info.draft)
    problems.stop()
    remark(notes)
    edition = Edition(game.version, game.fingerprint)
    faces = faces_by(game, composer)
    whole = {piece.id: piece for piece in pieces_of(game, composer.stocks)}
    pieces = _chosen(game, composer.stocks, options)
    told: Changes | None = None
    if options.changed_since:
        pieces, told = _changed(options, game, edition, settings, composer, pieces)
        problems.stop()
        if not told.lines:
            print("nothing needs to be printed again")
            return 0
    papers = papers if pieces else {}
    remark(remarks_on_tables(game))
    made = print_out(composer, faces, pieces, papers, settings, edition, bar)
    problems.stop()
    remark(composer.pictures.notes)
    remark(told.problem() for told in made.flaws)
    # A record of only a part would make the rest look new, so pieces that were not printed are recorded, too.
    looks = {id_: made.looks.get(id_) or piece_fingerprint(*faces(piece)) for id_, piece in whole.items()}
    problems.stop()
    record = record_of(game, edition, settings.inks, looks)
    files = {**made.files}
    if told is not None:
        files["changes.txt"] = ("\n".join(map(visible, told.lines)) + "\n").encode()  # people read it in a terminal
    ink = _coverage(game, pieces, papers, settings, edition) if options.coverage and pieces else []
    place = f"print/{game.name}"
    with staging(options.output, [place], tell) as new:
        for name, data in {**files, "manifest.json": record.text().encode()}.items():
            write_new(new / place / name, data)
        records = write(options.output, new, [record])
        swap(options.output, [place], records, tell, older=records)
    for line in told.lines if told else ():
        print(visible(line))
    for name in files:
        print(visible(str(options.output / place / name)))
    if not pieces:
        print("nothing needs to be printed again")
        return 0
    print(f"{plural(made.sheets, 'page')}, content {edition.fingerprint}; print at 100 %")
    if made.flaws:
        print(f"a draft with {plural(len(made.flaws), 'fault')}, marked on the sheets")
    if any(name.startswith(f"{book.id}-") for book in game.info.books for name in made.files):
        print("booklets: print on both sides, flip on the short edge, fold in the middle")
    for line in ink:
        print(line)
    return 0


def _part(game: Game, options: argparse.Namespace) -> Game:
    """Return the game, or the part of it that --scenario and --heroes ask for."""
    from grimalkin.content import as_scenario, find_scenario

    if options.scenario is None:
        if options.heroes:
            raise Stop([Problem(Place("--heroes"), "--heroes needs a scenario", "add --scenario 1")])
        return game
    for other in ("only", "changed_since"):
        if getattr(options, other):
            option = other.replace("_", "-")
            raise Stop(
                [Problem(Place("--scenario"), f"it cannot be given together with --{option}", "give one of them")]
            )
    scenario = find_scenario(game, options.scenario, Place("--scenario"))
    return as_scenario(game, scenario, options.heroes, Place("--heroes"))


def _chosen(game: Game, stocks: Mapping[str, Stock], options: argparse.Namespace) -> list[Piece]:
    """Return the pieces that --only and --copies ask for."""
    from grimalkin.printing.sheet import pieces_of

    ids = frozenset(chosen(game, options.only))
    return pieces_of(game, stocks, lambda row, _: not ids or row.id in ids, options.copies)


def _changed(
    options: argparse.Namespace,
    game: Game,
    edition: Edition,
    settings: Settings,
    composer: Composer,
    pieces: list[Piece],
) -> tuple[list[Piece], Changes]:
    """Return the pieces that differ from the record, with a list of changes."""
    from grimalkin.output.printout import record_now
    from grimalkin.output.records import changes, find_record

    before = find_record(options.output, game, options.changed_since, settings.inks)
    now = record_now(composer, edition, settings.inks)
    if options.only:  # a piece that is gone may or may not have been one of these
        asked = {piece.id for piece in pieces}
        before, now = before.part(asked), now.part(asked)
    told = changes(before, now, {id_: component.name for id_, component in game.by_id.items()})
    wanted = {id_: count * options.copies for id_, count in told.copies.items()}
    chosen: list[Piece] = []
    for piece in pieces:
        if wanted.get(piece.id, 0) > 0:
            wanted[piece.id] -= 1
            chosen.append(piece)
    return chosen, told


def _coverage(
    game: Game, pieces: list[Piece], papers: dict[str, Paper], settings: Settings, edition: Edition
) -> list[str]:
    """Return a table of the ink that each page needs in each design, on the first paper."""
    from dataclasses import replace

    from grimalkin.output.printout import print_out
    from grimalkin.printing.draw.ink import Ink, coverage, coverage_table
    from grimalkin.printing.draw.stocks import load_stocks
    from grimalkin.printing.face import Composer
    from grimalkin.printing.sheet import faces_by

    say = progress()
    name, paper = next(iter(papers.items()))
    pages: dict[str, list[Ink]] = {}
    for inks in INKS:
        say(f"{game.name}: measuring {inks}")
        problems = Problems()
        composer = Composer(game, load_stocks(game.folder, problems), problems, inks, draft=game.info.draft)
        each = replace(settings, inks=inks, backs="duplex" if settings.backs == "apart" else settings.backs)
        made = print_out(composer, faces_by(game, composer), pieces, {name: paper}, each, edition)
        problems.stop()
        pages[inks] = coverage(next(data for file, data in made.files.items() if file.endswith(".pdf")))
    say("")
    lines = ["", "estimated ink, as a share of the sheet", "page   " + "".join(f"{inks:>8}" for inks in pages)]
    for page in zip(*pages.values(), strict=True):
        lines.append(f"{page[0].page:>4}   " + "".join(f"{design.ink:>8.1%}" for design in page))
    return [*lines, "", *coverage_table(pages)]
