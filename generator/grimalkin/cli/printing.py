"""The commands `sheets`, `rulebook` and `preflight`: a game's sheets and book, and a report of print problems."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from grimalkin.cli.common import (
    GAME,
    INKS,
    Command,
    add_cutter,
    add_inks,
    add_names,
    add_number,
    add_output,
    add_papers,
    bar,
    cut_files_of,
    folders,
    load,
    percent,
    print_owed,
    progress,
    remark,
    telling,
    whole_number,
)
from grimalkin.cli.printables import (
    PRINTABLE,
    add_only,
    add_pictures,
    chosen,
    find_pictures,
    load_printable,
    read_folder,
    refuse_ways,
)
from grimalkin.cli.shops import add_colour, condition_of, report
from grimalkin.printing.preflight import CHECKS, Fault, faults
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean, extra, shown_path
from grimalkin.problems.plain import plural, visible

if TYPE_CHECKING:
    from grimalkin.content import Game
    from grimalkin.content.stocks import Paper, Stock
    from grimalkin.output.records import Changes
    from grimalkin.printing.book.make import Kind
    from grimalkin.printing.face import Composer
    from grimalkin.printing.sheet.pieces import Piece
    from grimalkin.printing.sheet.settings import Edition, Settings

DRAFT_SHEETS = (
    'print "draft" on every sheet, as `draft: yes` in game.yaml does, and mark faults: a red frame around text '
    "that does not fit, a crossed box for a missing picture or icon, a mark for a missing column; the cover lists them"
)
_SHEETS = """\
Files go to DIR/print/GAME and replace those of the last run: a PDF for each paper, a record of how every card looks,
and cut files for a cutting machine. Anything you added or changed there moves to DIR/kept.

examples:
  grimalkin sheets were-kittens                           # both sides, A4 and Letter
  grimalkin sheets were-kittens --paper both              # one file that fits A4 and Letter
  grimalkin sheets were-kittens --backs fold --ink low    # no duplex printer needed, and little ink
  grimalkin sheets ./my-game --gutter bleed               # fewer cards on a sheet, more room for error
  grimalkin sheets were-kittens --only penny,player-mats --copies 2
  grimalkin sheets werecats --only family=roast           # cards with this value in a column
  grimalkin sheets wolf-mans-curse --variant bridge,four-colour
  grimalkin sheets cats-of-new-orleans --scenario 1 --heroes patch,minou   # just what that evening needs
  grimalkin sheets were-kittens --changed-since 1.0       # only what differs from your sheets of that version
  grimalkin sheets ./my-game --cutter silhouette --paper a4
  grimalkin sheets ./my-game --only tokens --labels avery-c2243
  grimalkin sheets ./pictures                             # finished pictures, one per card
  grimalkin sheets ./pictures --stock tarot --crop --bleed-in-art 0.125in

papers: a4, letter, both (fits either, unscaled), a3, tabloid, and those in the game's own folder.
labels: avery-5160, avery-l7160, zweckform-3475 and others listed in the guide, and those in the game's own folder.
"""


def add(command: Command) -> None:
    sheets = command("sheets", _sheets, "Make the sheets of one game the way you want to print them", _SHEETS)
    sheets.set_defaults(changes=True)
    sheets.add_argument("game", metavar="GAME", help=PRINTABLE)
    add_output(sheets)
    sheets.add_argument("--draft", action="store_true", help=DRAFT_SHEETS)
    add_settings(sheets)
    _add_ways(sheets)
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

    rulebook = command("rulebook", _rulebook, "Make the rulebook of one game, to read and to print", _RULEBOOK)
    rulebook.set_defaults(changes=True)
    rulebook.add_argument("game", metavar="GAME", help=GAME)
    add_output(rulebook)
    rulebook.add_argument("--draft", action="store_true", help='print "draft" on the cover')
    forms = f"for a screen, to fold, or in large type (default: {','.join(FORMS)})"
    add_names(rulebook, "--form", forms, "NAME,NAME", ",".join(FORMS))
    add_papers(rulebook, "papers for booklets and pages")
    add_inks(rulebook)

    preflight = command("preflight", _preflight, "Report print problems", _help())
    preflight.add_argument(
        "games", nargs="*", metavar="GAME", help="games or folders of pictures to check (default: every game)"
    )
    preflight.add_argument(
        "--ink", choices=[*INKS, "all"], default="all", help="designs of the faces to check (default: all)"
    )
    add_papers(preflight)
    variant = "check these variants from game.yaml together (default: the usual pieces, then each variant)"
    add_names(preflight, "--variant", variant)
    preflight.add_argument("--json", action="store_true", help="print JSON, for programs")
    add_pictures(preflight)


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the options for making sheets, which `build` has, too."""
    how = parser.add_argument_group("how to print")
    add_papers(how)
    how.add_argument(
        "--backs",
        choices=["duplex", "fold", "none", "apart"],
        default="duplex",
        help="where backs go: on the next page; beside their fronts, for folding along one line; nowhere; or in a file "
        "of their own (default: duplex)",
    )
    how.add_argument(
        "--flip",
        choices=["long", "short"],
        default="long",
        help="edge on which your printer flips the paper when it prints both sides (default: long)",
    )
    how.add_argument("--same-backs-once", action="store_true", help="leave out back pages that repeat an earlier one")
    how.add_argument(
        "--printer",
        metavar="NAME",
        help="move and stretch prints as this printer's profile says; see `grimalkin printer`",
    )
    add_inks(how)
    add_colour(parser)
    no_cover = "leave out the cover page with its checklist and instructions"
    how.add_argument("--no-cover", dest="cover", action="store_false", help=no_cover)
    cut = parser.add_argument_group("how to cut")
    cut.add_argument(
        "--marks",
        choices=["corners", "crosses", "ticks", "lines", "dots", "none"],
        default="corners",
        help="cut marks: at each corner, beyond the bleed if there is room; crosses close to the corners; ticks around "
        "the outside only; full lines; dots for a corner rounder; or none (default: corners)",
    )
    cut.add_argument(
        "--gutter",
        type=_gutter,
        metavar="MM|bleed",
        help="space between neighbours. 0: one cut for both, quick with a guillotine, but a slip shows the neighbour; "
        "bleed: room for their whole bleed, so that a slip shows nothing, but fewer fit on a sheet (default: the "
        "fullest sheet, with as much bleed as it has room for, at least 0.85 mm)",
    )
    cut.add_argument(
        "--margin",
        type=_length(0, 80),
        metavar="MM",
        help="edge that stays white (default: the paper's margin, usually 5)",
    )
    add_number(cut, "--start-at", 1, 999, "number of the first place to fill (default: 1)", 1)
    cut.add_argument(
        "--skip-slots",
        type=_slots,
        default="",
        metavar="N,N",
        help="places to leave empty on every sheet",
    )
    add_cutter(cut)


def _add_ways(parser: argparse.ArgumentParser) -> None:
    """Add the options for printing on something other than card at its true size."""
    how = parser.add_argument_group("sizes, transfers and labels")
    how.add_argument(
        "--scale",
        type=percent,
        default=100.0,
        metavar="PERCENT",
        help="size of pieces, as for tight sleeves: 95%%; every sheet names it (default: 100%%)",
    )
    how.add_argument(
        "--mirror",
        action="store_true",
        help="mirror every piece, for paper or film whose print is transferred; backs go in a file of their own",
    )
    how.add_argument(
        "--back-bleed",
        type=_length(0, 20),
        metavar="MM",
        help="more bleed on the outer sides of backs, if there is room, for a printer whose backs slip; at most the "
        "bleed of the stock",
    )
    how.add_argument(
        "--labels", metavar="NAME", help="put every piece on a label of these sheets, such as avery-5160; see the guide"
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

    chosen = {field.name: getattr(options, field.name) for field in fields(Settings) if hasattr(options, field.name)}
    chosen["printer"], chosen["cut_files"] = None, cut_files_of(options)
    chosen["condition"] = condition_of(options)
    if options.printer:
        from grimalkin.cli.machines import find_printer

        chosen["printer"] = find_printer(options.printer)
    return Settings(**chosen)


def _sheets(options: argparse.Namespace) -> int:
    with telling(options) as tell:
        return _print(options, tell)


def _print(options: argparse.Namespace, tell: Callable[[str], None]) -> int:
    from grimalkin.content.tables.remarks import remarks_on_tables
    from grimalkin.output.disk import write_new
    from grimalkin.output.printout import find_papers, print_out, record_now
    from grimalkin.output.records import record_of, write
    from grimalkin.output.swap import settle, staging, swap
    from grimalkin.printing.draw.stocks import composer_of
    from grimalkin.printing.sheet.pieces import faces_by, piece_fingerprint, pieces_of
    from grimalkin.printing.sheet.settings import Edition

    settle(options.output, tell)
    problems = Problems()
    settings = settings_of(options)
    game = _part(load_printable(options, options.draft), options)
    for variant in game.info.variants:
        if settings.inks == "mono" and variant.id in options.variant and not variant.stocks:
            print(f"--variant: in black only, {variant.id} changes nothing", file=sys.stderr)
    papers = find_papers(options.paper, game.folder, problems)
    notes: list[Problem] = []
    composer = composer_of(game, problems, settings.inks, game.info.draft, notes, settings.has_finishes)
    # Records are of faces without finishes, so that prints of all kinds can be compared.
    plain = composer_of(game, problems, settings.inks, game.info.draft) if settings.has_finishes else composer
    problems.stop()
    remark(notes)
    edition = Edition.of(game)
    faces = faces_by(game, composer)
    whole = {piece.id: piece for piece in pieces_of(game, composer.stocks)}
    pieces = _chosen(game, composer.stocks, options)
    told: Changes | None = None
    if options.changed_since:
        pieces, told = _changed(options, game, edition, settings, plain, pieces)
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
    if plain is composer:
        looks = {id_: made.looks.get(id_) or piece_fingerprint(*faces(piece)) for id_, piece in whole.items()}
        record = record_of(game, edition, settings.inks, looks)
    else:
        record = record_now(plain, edition, settings.inks)
    problems.stop()
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
    return report(made.files, settings.condition) if settings.condition else 0


def _part(game: Game, options: argparse.Namespace) -> Game:
    """Return the game, or the part of it that --scenario and --heroes ask for."""
    from grimalkin.content import as_scenario, find_scenario

    if options.scenario is None:
        if options.heroes:
            raise Stop.at(Place("--heroes"), "--heroes needs a scenario", "add --scenario 1")
        return game
    for other in ("only", "changed_since"):
        if getattr(options, other):
            option = other.replace("_", "-")
            raise Stop.at(Place("--scenario"), f"it cannot be given together with --{option}", "give one of them")
    scenario = find_scenario(game, options.scenario, Place("--scenario"))
    return as_scenario(game, scenario, options.heroes, Place("--heroes"))


def _chosen(game: Game, stocks: Mapping[str, Stock], options: argparse.Namespace) -> list[Piece]:
    """Return the pieces that --only and --copies ask for."""
    from grimalkin.printing.sheet.pieces import pieces_of

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
    from grimalkin.printing.draw.raster import Ink, coverage, coverage_table
    from grimalkin.printing.draw.stocks import composer_of
    from grimalkin.printing.sheet.pieces import faces_by

    say = progress()
    name, paper = next(iter(papers.items()))
    pages: dict[str, list[Ink]] = {}
    for inks in INKS:
        say(f"{game.name}: measuring {inks}")
        problems = Problems()
        composer = composer_of(game, problems, inks, game.info.draft)
        backs = "duplex" if settings.backs == "apart" else settings.backs
        each = replace(settings, inks=inks, backs=backs, condition=None)
        wanted = papers if each.labels else {name: paper}  # labels choose their own paper
        made = print_out(composer, faces_by(game, composer), pieces, wanted, each, edition)
        problems.stop()
        pages[inks] = coverage(next(data for file, data in made.files.items() if file.endswith(".pdf")))
    say("")
    lines = ["", "estimated ink, as a share of the sheet", "page   " + "".join(f"{inks:>8}" for inks in pages)]
    for page in zip(*pages.values(), strict=True):
        lines.append(f"{page[0].page:>4}   " + "".join(f"{design.ink:>8.1%}" for design in page))
    return [*lines, "", *coverage_table(pages)]


FORMS = ("screen", "booklet", "pages")
_RULEBOOK = """\
Files go to DIR/rulebooks/GAME and replace those of the last run. Anything you added or changed there moves to DIR/kept.
A book needs only rules.yaml; for its other parts, see the guide.

examples:
  grimalkin rulebook were-kittens                             # to read, to fold, and in large type
  grimalkin rulebook ./my-game --form booklet --paper a4 --ink low
"""


def _rulebook(options: argparse.Namespace) -> int:
    with telling(options) as tell:
        return _make(options, tell)


def _make(options: argparse.Namespace, tell: Callable[[str], None]) -> int:
    from grimalkin.content import replay_all
    from grimalkin.engine.replay import Keep
    from grimalkin.games import guarded
    from grimalkin.output.printout import FOLDER, Rulebook, find_papers
    from grimalkin.output.swap import replace_folder, settle
    from grimalkin.printing.book.make import forms_of
    from grimalkin.printing.draw.stocks import composer_of
    from grimalkin.printing.face.layers import flaws_of
    from grimalkin.printing.sheet.pieces import all_faces

    say = progress()
    settle(options.output, tell)
    problems, owed = Problems(), Problems()
    kinds = _kinds(options.form)
    game = load(options.game, options.draft)
    if not game.sections:
        told, hint = "this game has no rules to print", "write them into rules.yaml; see the guide"
        raise Stop.at(Place(shown_path(game.folder)), told, hint)
    papers = find_papers(options.paper, game.folder, problems)
    for name, paper in papers.items():
        if not forms_of({name: paper}, [kind for kind in kinds if kind != "screen"] or ["pages"]):
            told = f"{paper.name} is too small for a page of the book"
            problems.add(Place("--paper"), told, "A6 is the smallest, and A5 for a booklet")
    composer = composer_of(game, problems, options.inks, game.info.draft)
    problems.stop()
    with guarded(game.engine):
        say(f"{game.name}: replaying its examples")
        traces = replay_all(game, owed, Keep.POSITIONS)
        if not game.info.draft:
            owed.stop()  # a book may show only what is proved
        faces = all_faces(game, composer)
        problems.stop()
        say(f"{game.name}: setting the book")
        rulebook = Rulebook(game, traces, composer, faces, {})
        say(f"{game.name}: drawing {plural(rulebook.book.count, 'page')}")
        files = rulebook.files(composer, faces, papers, kinds)
    say("")
    place = f"{FOLDER}/{game.name}"
    replace_folder(options.output, place, files, tell)
    if game.info.draft:
        print_owed(game.info.title, list(owed), [told.problem() for told in flaws_of(faces.values())])
    for name in files:
        print(visible(str(options.output / place / name)))
    print(visible(f"{plural(rulebook.book.count, 'page')} of A5, version {game.info.rules_version} of the rules"))
    if "booklet" in kinds:
        print("booklets: print on both sides, flip on the short edge, fold in the middle")
    return 0


def _kinds(names: Sequence[str]) -> list[Kind]:
    """Return the named forms, each once."""
    from grimalkin.printing.book.make import KINDS

    problems = Problems()
    for name in names:
        if name not in KINDS:
            problems.add(Place("--form"), f'there is no form "{name}"', did_you_mean(name, KINDS))
    problems.stop()
    return [kind for kind in KINDS if kind in names]


NEEDS = 'It reads the finished sheets with pikepdf: pip install "grimalkin[pdf]".'


def _help() -> str:
    wide = max(map(len, CHECKS)) + 4
    lines = [
        textwrap.fill(reason, 100, initial_indent=f"  {name:{wide - 2}}", subsequent_indent=" " * wide)
        for name, reason in CHECKS.items()
    ]
    code = "The exit code is 0 if nothing was found, or only warnings, and 1 otherwise."
    return "\n".join(["checks:", *lines, "", NEEDS, code, ""])


def _preflight(options: argparse.Namespace) -> int:
    from grimalkin.content import as_variant, find_variants
    from grimalkin.output.printout import find_papers

    with extra(Place("preflight")):
        from grimalkin.printing.preflight.inspection import preflight

    problems = Problems()
    say = progress()
    found: dict[str, list[Fault]] = {}
    for game in _games(options, problems):
        before = len(problems.found)
        papers = find_papers(options.paper, game.folder, problems)
        if len(problems.found) > before:
            continue
        inks = INKS if options.ink == "all" else (options.ink,)
        if options.variant:
            games = [as_variant(game, find_variants(game, options.variant, Place("--variant")))]
        else:
            games = [game, *(as_variant(game, [variant]) for variant in game.info.variants)]
        found[game.name] = faults(preflight(games, list(papers.values()), problems, inks, say))
    say("")
    if problems and not found:
        raise Stop(problems)
    if options.json:
        print(json.dumps({name: [fault.record() for fault in of_game] for name, of_game in found.items()}, indent=2))
    else:
        for name, of_game in found.items():
            for fault in of_game:
                print(fault)
            count = len(of_game)
            print(f"{name}: {count or 'no'} finding{'' if count == 1 else 's'}")
    problems.stop()
    return 1 if any(not fault.is_warning for of_game in found.values() for fault in of_game) else 0


def _games(options: argparse.Namespace, problems: Problems) -> Iterator[Game]:
    """Yield every named game and folder of pictures. Report faulty ones as problems, and leave them out."""
    from grimalkin.content import load_game

    pictures = {name: folder for name in options.games if (folder := find_pictures(name))}
    for folder in pictures.values():
        yield read_folder(folder, options)
    named = [name for name in options.games if name not in pictures]
    if named or not pictures:
        refuse_ways(options, ", ".join(named) or "preflight")
        for folder in folders(named, problems):
            before = len(problems.found)
            game = load_game(folder, problems)
            if game is not None and len(problems.found) == before:
                yield game
