"""The command `export`: pictures, virtual tables, and orders for printers."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grimalkin.cli.common import Command, add_names, add_number, bar, telling
from grimalkin.cli.printables import PRINTABLE, add_only, add_pictures, chosen, load_printable
from grimalkin.cli.shops import ONLY_FOR_SHOPS, add_colour, condition_of, reports
from grimalkin.problems import Place, Problems, Stop, did_you_mean
from grimalkin.problems.plain import how_many, listed, visible

if TYPE_CHECKING:
    from grimalkin.content import Game
    from grimalkin.content.shops import Files, Shop
    from grimalkin.printing.export.designs import Design
    from grimalkin.printing.export.orders import Order
    from grimalkin.printing.export.printshop import Inking
    from grimalkin.printing.face import Composer

_EXPORT = """\
KIND comes before GAME. Each export replaces DIR/KIND completely or not at all: if anything is wrong, the old files
stay. Anything you added or changed there moves to DIR/kept.

examples:
  grimalkin export png were-kittens
  grimalkin export png were-kittens --dpi 600 --only penny,nickel
  grimalkin export svg ./my-game --bleed
  grimalkin export tts ./my-game --url https://example.org/my-game
  grimalkin export pcio ./my-game
  grimalkin export mpc were-kittens
  grimalkin export zip werecats --shop mb-print --output to-the-printer

Each kind has its own help, such as `grimalkin export png --help`.
"""
_PNG = """\
A picture is exactly as large as its stock at that resolution: a poker card of 63 × 88 mm at 300 dpi has 744 × 1039
pixels. Everything outside the cut is transparent.

examples:
  grimalkin export png were-kittens
  grimalkin export png were-kittens --dpi 600 --bleed
  grimalkin export png were-kittens --only penny,reference-cards --square
"""
_SVG = """\
Every file contains its fonts for browsers. Drawing programs do not load them: use --outlines there.

example:
  grimalkin export svg were-kittens --outlines
"""
_TTS = """\
Copy the JSON to Tabletop Simulator's folder "Saves/Saved Objects", then take the game from Objects > Saved Objects.
Without --url, it shows the pictures on this computer, which nobody else can see: for others, upload the PNG files to a
host, and give their address. A game with scenarios has a bag for each scenario and each hero.

examples:
  grimalkin export tts were-kittens
  grimalkin export tts were-kittens --url https://example.org/were-kittens
"""
_PCIO = """\
Import the file at https://playingcards.io/import, or into a room of https://virtualtabletop.io: every piece lies on its
pile, and everybody to whom you give the room's address can play. The pictures are in the file.

example:
  grimalkin export pcio were-kittens
"""
_MPC = """\
Each deck becomes a folder of fronts and backs, named by slot and count, in the size that MakePlayingCards asks for;
order.txt says what to order. MakePlayingCards prints only cards; everything else is left out, and listed.

example:
  grimalkin export mpc were-kittens
"""
_TGC = """\
Each deck becomes a folder of fronts and backs in the size that The Game Crafter asks for; order.txt says what to order,
and what the service does not make.

example:
  grimalkin export tgc were-kittens
"""
_ZIP = """\
Each deck becomes a PDF with one face per page, front and back in turn, with TrimBox and BleedBox; a piece that folds is
one strip, with feet. order.csv lists how many of each to print, and README.txt the sizes, folds and credits.

With --shop, sizes, bleed, colours, order of pages and names are those of the shop, and order.txt says what to order,
what the shop does not make, and where all this is from. We know cartamundi, drivethrucards, longpack, mb-print, mpc and
tgc; shops/NAME.yaml in the game's folder adds one.

examples:
  grimalkin export zip were-kittens
  grimalkin export zip werecats --shop mb-print
  grimalkin export zip ./my-game --files png --no-bleed
  grimalkin export zip ./my-game --sides apart
  grimalkin export zip were-kittens --colour cmyk --ink-limit 240 --pdfx x1a --cut-line CutContour
"""


Maker = Callable[[Path, Path], list[str]]
"""A function that fills a new folder, which becomes the final one. It returns a summary of its files, then remarks."""


@dataclass(frozen=True)
class Kind:
    """A kind of export. A part has its own kinds in its module `export`, as KINDS."""

    name: str
    summary: str
    more: str
    prepare: Callable[[argparse.Namespace, Game, Problems], Maker]
    """Return the function that makes the export. Before drawing, report everything that would not work."""
    add: Callable[[argparse.ArgumentParser], None] = lambda _: None
    """Add its own options."""


def add(command: Command) -> None:
    from grimalkin.floors import ours_on

    export = command("export", _export, "Export pictures, virtual tables, and orders for printers", _EXPORT)
    kinds = export.add_subparsers(title="kinds", metavar="KIND", required=True)
    raw = argparse.RawDescriptionHelpFormatter
    for kind in (*KINDS, *(kind for part in ours_on("export") for kind in part.KINDS)):
        description = f"{kind.summary}."
        made = kinds.add_parser(
            kind.name, help=kind.summary, description=description, epilog=kind.more, formatter_class=raw
        )
        made.set_defaults(run=_export, changes=True, kind=kind.name, prepare=kind.prepare)
        made.add_argument("game", metavar="GAME", help=PRINTABLE)
        made.add_argument(
            "--output", type=Path, metavar="DIR", help="folder to write to (default: ./output/export/GAME)"
        )
        add_names(made, "--variant", "another size or other colours, from game.yaml")
        add_only(made)
        add_pictures(made)
        kind.add(made)


def _add_jobs(parser: argparse.ArgumentParser) -> None:
    jobs = "number of processes (default: one per core); the pictures are the same for any number"
    add_number(parser, "--jobs", 1, 256, jobs, os.cpu_count() or 1)


def _add_dpi(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "--dpi", 36, 2400, "dots per inch, 36 to 2400 (default: 300)", 300)


def _add_png(png: argparse.ArgumentParser) -> None:
    _add_dpi(png)
    png.add_argument("--bleed", action="store_true", help="include the bleed")
    png.add_argument("--square", action="store_true", help="crop to the box around the trim, without transparency")
    _add_jobs(png)


def _add_svg(svg: argparse.ArgumentParser) -> None:
    svg.add_argument("--bleed", action="store_true", help="include the bleed")
    svg.add_argument("--outlines", action="store_true", help="draw letters as shapes")


def _add_tts(tts: argparse.ArgumentParser) -> None:
    tts.add_argument("--url", metavar="BASE", help="web address of the pictures' folder (default: this disk)")
    _add_dpi(tts)
    largest = "longest side of a picture in pixels, 1024 to 10000 (default: 4096, which any computer can show)"
    add_number(tts, "--largest", 1024, 10000, largest, 4096)
    _add_jobs(tts)


def _add_zip(made: argparse.ArgumentParser) -> None:
    made.add_argument("--shop", metavar="NAME", help="print shop: one of those below, or your own")
    add_colour(made, is_open=True)
    made.add_argument(
        "--cut-line",
        type=_spot,
        default=None,
        metavar="NAME",
        help="draw the outline of every piece in this spot colour, such as CutContour, with --colour cmyk",
    )
    made.add_argument(
        "--files", choices=["pdf", "png", "jpg"], help="PDFs with a face on each page, or pictures (default: pdf)"
    )
    made.add_argument(
        "--bleed", action=argparse.BooleanOptionalAction, help="include the bleed, or only what is cut (default: bleed)"
    )
    made.add_argument(
        "--sides",
        choices=["interleaved", "apart"],
        help="fronts and backs in turn in one PDF, or in two (default: interleaved)",
    )
    _add_jobs(made)


def _add_pcio(room: argparse.ArgumentParser) -> None:
    add_number(room, "--dpi", 36, 600, "dots per inch, 36 to 600 (default: 150)", 150)
    _add_jobs(room)


def _spot(text: str) -> str:
    from grimalkin.source.colours import noted

    try:
        noted(f"finish({text})")
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def _inking(options: argparse.Namespace, shop: Shop, files: Files) -> Inking:
    """Return how PDFs are coloured: as options say, otherwise as the shop asks. Pictures are in RGB."""
    from grimalkin.printing.export.printshop import Inking

    if options.kind != "zip":
        return Inking()
    if files != "pdf":
        for name in ("colour", *ONLY_FOR_SHOPS, "cut_line"):
            if getattr(options, name) not in (None, "rgb"):
                told = f"pictures are in RGB, and these files are {files}"
                hint = "leave it out, or add --files pdf" if "pdf" in shop.files else "leave it out"
                raise Stop.at(Place(f"--{name.replace('_', '-')}"), told, hint)
        return Inking()
    condition = condition_of(options, shop)
    has_spots = condition is not None and condition.space == "cmyk"
    if options.cut_line and not has_spots:
        raise Stop.at(Place("--cut-line"), "spot colours need --colour cmyk", "add it, or leave this out")
    return Inking(condition, options.cut_line or (has_spots and shop.cut_line) or "")


def _export(options: argparse.Namespace) -> int:
    from grimalkin.output.disk import refuse
    from grimalkin.output.swap import staging, swap

    problems = Problems()
    game = load_printable(options)
    options.only = chosen(game, options.only)
    make = options.prepare(options, game, problems)
    problems.stop()
    output, folder = options.output or Path("output/export") / game.name, options.kind
    if not options.output:
        refuse(Path("output"), f"export/{game.name}", "folder")
    with telling(options) as tell:
        with staging(output, [folder], tell) as new:
            (new / folder).mkdir()
            made, *remarks = make(new / folder, output / folder)
            swap(output, [folder], [], tell)
        print(f"{made} made in {output / folder}")
    for one in remarks:
        print(visible(one))
    return 0


def _designs(game: Game, only: Sequence[str], problems: Problems) -> list[Design]:
    from grimalkin.printing.export.designs import designs_of

    designs = designs_of(game, only, problems)
    problems.stop()
    return designs


def _bar(game: Game, designs: Sequence[Design], more: int = 0) -> Callable[[int], None]:
    return bar(f"{game.name}: drawing faces", sum(len(design.faces) for design in designs) + more)


def _png(options: argparse.Namespace, game: Game, problems: Problems) -> Maker:
    from grimalkin.printing.export.designs import check_sizes, export_png

    designs = _designs(game, options.only, problems)
    check_sizes(designs, options.dpi, options.bleed, game.own_place, problems)
    looks, done = (options.dpi, options.bleed, options.square), _bar(game, designs)
    return lambda new, _: [how_many(export_png(designs, new, *looks, options.jobs, done), "picture")]


def _svg(options: argparse.Namespace, game: Game, problems: Problems) -> Maker:
    from grimalkin.printing.export.designs import export_svg

    designs = _designs(game, options.only, problems)
    done = _bar(game, designs)
    fonts = {font for design in designs for face in design.faces for font in face.fonts}
    bound = sorted(font.title for font in fonts if font.is_for_viewing)
    remarks = [f'the licence of "{title}" lets people view and print these files, but not edit them' for title in bound]

    def make(new: Path, _: Path) -> list[str]:
        return [how_many(export_svg(designs, new, options.bleed, options.outlines, done), "vector file"), *remarks]

    return make


def _for_tables(options: argparse.Namespace, game: Game, problems: Problems) -> list[Design]:
    """Return the designs for a virtual table: without decks that are only for paper, unless they are named."""
    only = options.only
    if not only and any(deck.on_paper for deck in game.info.decks):
        only = [row.id for deck in game.info.decks if not deck.on_paper for row in game.components[deck.id]]
    return _designs(game, only, problems)


def _tts(options: argparse.Namespace, game: Game, problems: Problems) -> Maker:
    from grimalkin.floors import ours_on
    from grimalkin.printing.export.tabletop import Layout, addresses, export_tts

    designs = _for_tables(options, game, problems)
    brought = (part.layout(game, designs, problems) for part in ours_on("tabletop") if not options.only)
    layout: Layout | None = next(filter(None, brought), None)
    done = _bar(game, designs, layout.faces if layout else 0)

    def make(new: Path, final: Path) -> list[str]:
        look = addresses(options.url, final), options.dpi, options.largest
        made = export_tts(game, designs, new, *look, options.jobs, done, layout)
        return [f"{game.name}.json{layout.said if layout else ''} and {how_many(made, 'picture')}"]

    return make


def _pcio(options: argparse.Namespace, game: Game, problems: Problems) -> Maker:
    from grimalkin.printing.export.printshop import write_zip
    from grimalkin.printing.export.rooms import Room, pcio

    designs = _for_tables(options, game, problems)
    room, done = Room(designs), _bar(game, designs)
    room.check(game.own_place, problems)

    def make(new: Path, _: Path) -> list[str]:
        files = pcio(room, options.dpi, options.jobs, done)
        write_zip(sorted(files.items()), new / f"{game.name}.pcio")
        return [f"{game.name}.pcio with {how_many(room.pieces, 'piece')}"]

    return make


def _order(options: argparse.Namespace, game: Game, problems: Problems) -> Maker:
    """Order at the shop that this kind is called after: its files stand in the folder, to be uploaded one by one."""
    from grimalkin.output.disk import write_new
    from grimalkin.printing.export.orders import order_files

    order, remarks, _ = _at_shop(options, game, problems, options.kind)
    done = _bar_for(game, order)

    def make(new: Path, _: Path) -> list[str]:
        made = 0
        for name, data in order_files(order, options.jobs, done):
            write_new(new / name, data)
            made += name.endswith(f".{order.files}")
        return [f"order.txt and {how_many(made, 'picture')}", *remarks]

    return make


def _zip(options: argparse.Namespace, game: Game, problems: Problems) -> Maker:
    from grimalkin.printing.export.orders import order_files
    from grimalkin.printing.export.printshop import write_zip

    order, remarks, composer = _at_shop(options, game, problems, options.shop)
    done = _bar_for(game, order)
    name = f"{game.name}-{options.shop}.zip" if options.shop is not None else f"{game.name}.zip"

    condition = order.inking.condition

    def make(new: Path, _: Path) -> list[str]:
        write_zip(order_files(order, options.jobs, done), new / name)
        if condition is None:
            return [name, *remarks]
        notes = [f"remark: {note}" for note in composer.pictures.notes]
        return [name, *remarks, *notes, *reports(new / name, condition)]

    return make


def _bar_for(game: Game, order: Order) -> Callable[[int], None]:
    return bar(f"{game.name}: drawing faces", order.faces)


def _at_shop(
    options: argparse.Namespace, game: Game, problems: Problems, name: str | None
) -> tuple[Order, list[str], Composer]:
    """Return an order at a shop, remarks on it, and what composed its faces.

    The remarks are what it leaves out, and where its pieces do not suit the shop.
    """
    from grimalkin.content.shops import load_shops
    from grimalkin.printing.draw.stocks import composer_of
    from grimalkin.printing.export.designs import designs_of
    from grimalkin.printing.export.lots import ANY_SHOP, lots_of
    from grimalkin.printing.export.orders import Order, check_files, unmet
    from grimalkin.printing.preflight.shops import Wish, check_order

    shops = load_shops(game.folder, problems)
    if name is not None and name not in shops and not problems:
        problems.add(Place("--shop"), f'there is no shop "{name}"', did_you_mean(name, shops))
    problems.stop()
    shop = shops[name] if name is not None else ANY_SHOP
    files, apart, bleed = _wanted(options, shop, problems)
    problems.stop()
    inking = _inking(options, shop, files)
    has_finishes = inking.condition is not None and inking.condition.space == "cmyk"
    composer = composer_of(game, problems, finishes=has_finishes)
    designs = designs_of(game, options.only, problems, composer)
    problems.stop()
    lots, left_out = lots_of(shop, game, designs, problems)
    order = Order(game, shop, lots, left_out, files, apart, bleed, inking)
    check_files(order, problems)
    problems.stop()
    remarks = [f"left out: {one.what}" for one in left_out]
    if shop is not ANY_SHOP:
        wishes = {
            design.row.id: Wish(shop.name, lot.safe(design.stock), lot.lacking(design.stock))
            for lot in lots
            for design in lot.designs
        }
        checked = composer_of(game, problems) if has_finishes else composer  # varnish would hide what is below it
        found = [str(fault) for fault in check_order(game, checked, wishes)]
        remarks += [f"preflight for {shop.name}:", *found] if found else []
        remarks += [f"not done: {shop.name} asks for {asked}" for asked in [unmet(order)] if asked]
    return order, remarks, composer


def _wanted(options: argparse.Namespace, shop: Shop, problems: Problems) -> tuple[Files, bool, bool]:
    """Return the kind of files, whether fronts and backs are apart, and whether there is bleed.

    Options decide what the shop leaves open; add a problem if they contradict it.
    """
    files = getattr(options, "files", None) or shop.files[0]
    sides, bleed = getattr(options, "sides", None), getattr(options, "bleed", None)
    if options.kind == "zip" and options.shop is None:
        return files, sides == "apart", bleed is not False
    if files not in shop.files:
        problems.add(Place("--files"), f"{shop.name} takes no {files}", f"it takes {listed(shop.files)}")
    if sides and shop.order:
        problems.add(Place("--sides"), f"{shop.name} has its own order of pages: {shop.order}", "leave --sides out")
    if bleed is not None:
        problems.add(Place("--bleed"), f"{shop.name} decides about the bleed", "leave it out, or leave out --shop")
    return files, sides == "apart", True


KINDS = (
    Kind("png", "Make a picture of every face", _PNG, _png, _add_png),
    Kind("svg", "Make a vector file of every face", _SVG, _svg, _add_svg),
    Kind("tts", "Make a saved object for Tabletop Simulator", _TTS, _tts, _add_tts),
    Kind("pcio", "Make a room for PlayingCards.io and VirtualTabletop.io", _PCIO, _pcio, _add_pcio),
    Kind("mpc", "Make pictures and an order for MakePlayingCards", _MPC, _order, _add_jobs),
    Kind("tgc", "Make pictures and an order for The Game Crafter", _TGC, _order, _add_jobs),
    Kind("zip", "Make one ZIP for a print shop", _ZIP, _zip, _add_zip),
)
