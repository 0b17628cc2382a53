"""Make the printable files of one game: PDFs, cut files, a record of every component's look, and the rulebook."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Protocol, cast, get_args

from grimalkin.content import Game, as_variant
from grimalkin.content.stocks import Paper, load_papers
from grimalkin.floors import ours_on
from grimalkin.output.records import Record, record_of
from grimalkin.printing.draw.masters import Masters
from grimalkin.printing.face import Composer, Face, Inks
from grimalkin.printing.face.flaws import Told
from grimalkin.printing.face.layers import flaws_of
from grimalkin.printing.face.views import find_cover_art
from grimalkin.printing.sheet.document import sheet_pdf
from grimalkin.printing.sheet.impose import impose
from grimalkin.printing.sheet.pieces import FacesOf, Piece, Sheet, faces_by, piece_fingerprint, pieces_of
from grimalkin.printing.sheet.settings import PAGES, Edition, Settings
from grimalkin.problems import Place, Problems, Stop, did_you_mean

if TYPE_CHECKING:
    from grimalkin.content.cutters import CutterTemplate
    from grimalkin.engine.replay import Trace
    from grimalkin.printing.book.make import Book, Kind

DESIGNS: tuple[Inks, ...] = get_args(Inks)
Bar = Callable[[str, int], Callable[[int], None]]
"""Begins to show the progress of a job, given its name and number of steps; returns a function to report steps."""

PRINTED: tuple[Kind, ...] = ("booklet", "pages")
"""The forms that go with the sheets; the form for screens has its own place."""
FOLDER = "rulebooks"
PAPER = Place("--paper")


class Beside(Protocol):
    """What the module `printing` of a part offers: files that go with the sheets, made from some of the fronts."""

    def keeps(self, front: Face) -> bool:
        """Return whether it needs a front. The others are dropped when they are drawn."""
        ...

    def files(self, game: Game, fronts: Mapping[str, Face], design: str, inks: Inks) -> dict[str, bytes]:
        """Return its files by name, from the fronts by component; `design` is the suffix of names for this design."""
        ...


def quiet(_label: str, _total: int) -> Callable[[int], None]:
    """Show no progress."""
    return lambda _: None


@dataclass
class Printout:
    """The files of a game by name, their contents, and the number of pages in its sheets."""

    files: dict[str, bytes] = field(default_factory=dict)
    looks: dict[str, str] = field(default_factory=dict)
    """The fingerprint of every drawn component."""
    sheets: int = 0
    """The pages in all PDFs of sheets, including covers; forms are for the screen and do not count."""
    flaws: Sequence[Told] = ()
    """Faults on the faces of a draft, which are marked in print."""

    def record(self, game: Game, edition: Edition, settings: Settings) -> Record:
        return record_of(game, edition, settings.inks, self.looks)


def designs_of(game: Game, inks: Inks) -> list[tuple[Game, Inks]]:
    """Return the designs that a game is printed in by default: with each of the inks, and as each variant."""
    designs: list[tuple[Game, Inks]] = [(game, each) for each in (DESIGNS if inks == "full" else (inks,))]
    return designs + [(as_variant(game, [variant]), inks) for variant in game.info.variants]


def record_now(composer: Composer, edition: Edition, inks: Inks) -> Record:
    """Return a record of the current look of every component of a game, printed or not."""
    game = composer.game
    faces = faces_by(game, composer)
    pieces = {piece.id: piece for piece in pieces_of(game, composer.stocks)}
    return record_of(game, edition, inks, {id_: piece_fingerprint(*faces(piece)) for id_, piece in pieces.items()})


def find_papers(
    names: Sequence[str], folder: Path | None, problems: Problems, place: Place = PAPER
) -> dict[str, Paper]:
    """Return the papers with these names, of a game or for all games; report unknown ones."""
    known = load_papers(folder, problems)
    wrong = {PurePath(one.place.path).stem for one in problems}
    for name in names:
        if name not in known and name not in wrong:
            problems.add(place, f'there is no paper "{name}"', did_you_mean(name, known))
    return {name: known[name] for name in names if name in known}


def print_out(
    composer: Composer,
    faces: FacesOf,
    pieces: Sequence[Piece],
    papers: Mapping[str, Paper],
    settings: Settings,
    edition: Edition,
    bar: Bar = quiet,
    besides: bool = True,
    masters: Masters | None = None,
) -> Printout:
    """Make all printable files of a composer's game, for each paper. If there are problems, do not use the result.

    With `besides`, also make files that are not sheets: what parts bring, and books. Prints of the same faces may share
    `masters`.
    """
    game, problems = composer.game, composer.problems
    made = Printout()
    settings = _suited(settings, any(piece.two_sided for piece in pieces))
    if settings.scale != 100:
        scaled = {stock: stock.scaled(settings.factor) for stock in {piece.stock for piece in pieces}}
        pieces = [replace(piece, stock=scaled[piece.stock]) for piece in pieces]
    place, labels = game.own_place, None
    if settings.labels is not None:
        from grimalkin.content.label_sheets import load_label_sheets
        from grimalkin.printing.sheet.on_labels import labels_for

        labels = labels_for(load_label_sheets(game.folder, problems), settings.labels, papers, problems)
        papers = {labels.paper: papers[labels.paper]} if labels else {}
    if composer.draft:  # the cover comes first and lists the flaws
        made.flaws = flaws_of(_drawn(composer, faces, pieces, besides))
    kept = [(kind, dict[str, Face]()) for kind in cast("Iterable[Beside]", ours_on("printing"))]

    def noted(piece: Piece) -> tuple[Face | None, Face | None]:
        both = faces(piece)
        if piece.id not in made.looks:
            made.looks[piece.id] = piece_fingerprint(*both)
            for kind, fronts in kept:
                if both[0] and kind.keeps(both[0]):
                    fronts[piece.id] = both[0]
        return both

    for name, paper in papers.items():
        cutters: dict[str, CutterTemplate] = {}
        if labels and settings.labels:
            from grimalkin.printing.sheet.on_labels import impose_on_labels

            sheets = impose_on_labels(pieces, labels, settings.labels, paper, settings)
        elif settings.cutter:
            sheets, cutters = _for_cutter(composer, pieces, name, paper, settings)
        else:
            sheets = impose(pieces, paper, settings, place, problems)
        if problems:
            continue
        if settings.same_backs_once:
            sheets = once(sheets, noted)
        for ending, part in _files(game, sheets, settings):
            cover = None
            if settings.cover and not ending.endswith("-backs"):
                from grimalkin.printing.sheet.cover import cover_of

                cover = cover_of(game, part, paper, settings, composer, edition, made.flaws, faces)
            made.sheets += len(part) + (PAGES if cover else 0)
            more = bar(f"{game.name}: {settings.inks} ink, sheets on {paper.name}", len(part))
            data = sheet_pdf(
                game, part, paper, settings, noted, edition, cutters, cover, partial(more, 1), masters=masters
            )
            made.files[f"{game.name}-{name}{ending}.pdf"] = data
            if cutters and not problems:
                made.files.update(cut_files(game, paper, part, cutters, data, settings))
    besides = besides and not problems and not game.variants
    if besides:
        for kind, fronts in kept:
            made.files.update(kind.files(game, fronts, _design(game, settings), settings.inks))
        made.files.update(_books(composer, papers, settings, masters))
        made.files.update(_quick_cards(composer, papers, settings, edition, masters))
    return made


def _suited(settings: Settings, has_backs: bool) -> Settings:
    """Return the settings without what means nothing for these pieces. Stop if they contradict each other."""
    if settings.is_one_sided and settings.backs == "fold":
        what = "--mirror" if settings.mirror else "--labels"
        raise Stop.at(Place(what), "such a sheet cannot be folded", "choose --backs apart or none")
    if settings.printer and settings.backs in ("fold", "none"):
        settings = replace(settings, printer=settings.printer.without_backs())  # there is no back page to move
    if settings.printer and settings.cutter == "cricut":
        settings = replace(settings, printer=settings.printer.without_fronts())  # Design Space prints fronts itself
    if settings.backs == "duplex" and not has_backs:
        settings = replace(settings, backs="none")  # there would be only blank pages between the fronts
    if settings.is_one_sided and settings.backs == "duplex":
        settings = replace(settings, backs="apart")
    if settings.is_one_sided and settings.printer:
        settings = replace(settings, printer=settings.printer.without_backs())
    return settings


def _drawn(composer: Composer, faces: FacesOf, pieces: Sequence[Piece], besides: bool) -> Iterator[Face | None]:
    """Yield every printed face once: those of the pieces, the books and the cover."""
    for piece in dict.fromkeys(pieces):
        yield from faces(piece)
    for book in composer.game.info.books if besides else ():
        for row in composer.game.pages[book.id]:
            yield composer.faces(book, row)[0]
    yield find_cover_art(composer.game, composer)


def _books(
    composer: Composer, papers: Mapping[str, Paper], settings: Settings, masters: Masters | None
) -> dict[str, bytes]:
    """Return every book of a game, for folding from each paper and for reading on screen."""
    if not composer.game.info.books:
        return {}
    from grimalkin.printing.sheet.booklets import booklet_pdf, reading_pdf

    game, files = composer.game, dict[str, bytes]()
    ending = _design(game, settings)
    for book in game.info.books:
        rows = [row for row in game.pages[book.id] if game.copies(row)]
        pages = [face for row in rows if (face := composer.faces(book, row)[0])]
        if pages and not composer.problems:
            files[f"{book.id}{ending}.pdf"] = reading_pdf(game, book, pages, settings.inks, masters)
            for name, paper in papers.items():
                files[f"{book.id}-{name}{ending}.pdf"] = booklet_pdf(game, book, pages, paper, settings, masters)
    return files


def _quick_cards(
    composer: Composer, papers: Mapping[str, Paper], settings: Settings, edition: Edition, masters: Masters | None
) -> dict[str, bytes]:
    """Return the quick-reference card on each paper that is large enough, and as a sheet."""
    if not composer.game.quick:
        return {}
    from grimalkin.printing.face.quick_card import quick_faces, quick_pages
    from grimalkin.printing.sheet.booklets import ENDING, SHEET, quick_pdf, sheet_of

    faces = quick_faces(composer)
    if faces is None or composer.problems:
        return {}
    game, design = composer.game, _design(composer.game, settings)
    pages, scale = quick_pages(composer), _ways(replace(settings, mirror=False, labels=None))
    files: dict[str, bytes] = {}
    for name, paper in papers.items():
        card = quick_pdf(game, faces, paper, settings, edition, masters)
        if card:
            files[f"{game.name}-{name}-{ENDING}{design}{scale}.pdf"] = card
        if pages:
            wall = sheet_of(game, pages, paper, settings.inks, masters, settings.condition)
            files[f"{game.name}-{name}-{SHEET}{design}.pdf"] = wall
    return files


def _files(game: Game, sheets: list[Sheet], settings: Settings) -> list[tuple[str, list[Sheet]]]:
    """Divide sheets among files: fronts and backs separately, or all together."""
    design = _design(game, settings) + _ways(settings)
    if settings.backs != "apart":
        return [(design, sheets)]
    fronts = [sheet for sheet in sheets if sheet.side == "front"]
    backs = [sheet for sheet in sheets if sheet.side == "back" and sheet.slots]  # two-sided leaves come first
    return [(f"{design}-{side}", part) for side, part in (("fronts", fronts), ("backs", backs)) if part]


def _design(game: Game, settings: Settings) -> str:
    """Return the suffix of file names for this design."""
    return "".join(f"-{part}" for part in (*game.printed_as, settings.inks) if part != "full")


def _ways(settings: Settings) -> str:
    """Return the suffix of the names of files whose pieces are mirrored or scaled."""
    labels = f"-{settings.labels}" if settings.labels else ""
    return labels + "-mirrored" * settings.mirror + ("" if settings.scale == 100 else f"-scale-{settings.scale:g}")


def once(sheets: Sequence[Sheet], faces: FacesOf) -> list[Sheet]:
    """Return all fronts, then only the back pages that differ. Each back page says on which leaves to print it.

    A page is not printed if another page has the same contents in the same places and can serve for both.
    """
    served: list[tuple[set[object], Sheet, list[int]]] = []
    for sheet in sorted(sheets, key=lambda sheet: -len(sheet.slots)):
        if sheet.side == "back" and sheet.slots:
            backs = ((slot, faces(slot.piece)[1]) for slot in sheet.slots)
            page: set[object] = {(slot.x, slot.y, slot.turn, back.fingerprint if back else "") for slot, back in backs}
            fitting = [leaves for other, _, leaves in served if page <= other]
            if fitting:
                fitting[0].append(sheet.leaf)
            else:
                served.append((page, sheet, [sheet.leaf]))
    backs_left = [replace(sheet, leaves=tuple(sorted(leaves))) for _, sheet, leaves in served]
    return [*(sheet for sheet in sheets if sheet.side == "front"), *sorted(backs_left, key=lambda sheet: sheet.leaf)]


def _for_cutter(
    composer: Composer, pieces: Sequence[Piece], name: str, paper: Paper, settings: Settings
) -> tuple[list[Sheet], dict[str, CutterTemplate]]:
    """Return sheets laid out by a machine's frozen templates, with one template for each stock."""
    from grimalkin.content.cutters import load_cutters
    from grimalkin.printing.sheet.cutting import impose_on, template_for

    game, problems = composer.game, composer.problems
    known = load_cutters(game.folder, problems)
    if problems:  # an unreadable template is not a missing one
        return [], {}
    stocks = {row.id: row.stock or deck.stock or "" for deck in game.info.decks for row in game.components[deck.id]}
    groups: dict[str, list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(stocks[piece.id], []).append(piece)
    sheets: list[Sheet] = []
    used: dict[str, CutterTemplate] = {}
    for stock, group in groups.items():
        template = template_for(known, settings.cutter or "", name, stock, Place("--cutter"), problems)
        if template is None:
            continue
        used[template.id] = template
        first = sheets[-1].leaf if sheets else 0
        for sheet in impose_on(group, template, paper, settings):
            sheets.append(replace(sheet, leaf=sheet.leaf + first))
    return sheets, used


def cut_files(
    game: Game,
    paper: Paper,
    sheets: Sequence[Sheet],
    cutters: Mapping[str, CutterTemplate],
    pdf: bytes,
    settings: Settings,
) -> dict[str, bytes]:
    """Return files with the cut outlines for each template, and pictures of the fronts for machines that print."""
    from grimalkin.printing.draw.raster import area_pngs
    from grimalkin.printing.sheet.cutting import image_area, outlines

    before = PAGES if settings.cover else 0  # separate backs are not fronts, and have no cover
    files: dict[str, bytes] = {}
    for id_, template in cutters.items():
        fronts = {
            number: sheet
            for number, sheet in enumerate(sheets, before)
            if sheet.template == id_ and sheet.side == "front"
        }
        if not fronts:
            continue
        stock = next(iter(fronts.values())).slots[0].piece.stock
        made = outlines(template, paper, stock, settings)
        files |= {f"{game.name}-{id_}{ending}": data for ending, data in made.items()}
        if template.image:
            pictures = area_pngs(pdf, list(fronts), paper, image_area(template))
            for sheet, picture in zip(fronts.values(), pictures, strict=True):
                files[f"{game.name}-{id_}{_design(game, settings)}-leaf-{sheet.leaf}.png"] = picture
    return files


def place_of(name: str) -> str:
    """Return where a build puts a game's book, relative to the output folder."""
    return f"{FOLDER}/{name}.pdf"


class Rulebook:
    """The book of a game in all inks. `pages` are the addresses of rules on the site, from the game's folder there.

    Raises Stop if a template used in it has faults.
    """

    def __init__(
        self,
        game: Game,
        traces: Mapping[str, Trace],
        composer: Composer,
        faces: Mapping[str, Face],
        pages: Mapping[str, str],
    ) -> None:
        from grimalkin.printing.book.make import make
        from grimalkin.printing.book.pen import Looks
        from grimalkin.printing.book.writer import Material

        self.game = game
        self.material = Material(game, traces, Looks(composer, faces), pages)
        self.book: Book = make(self.material, composer.inks)
        composer.problems.stop()

    @property
    def pages(self) -> dict[str, int]:
        """Return the page number of every rule and ruling."""
        return {id_: page for id_, page in self.book.where.items() if id_ in self.game.laws}

    def files(
        self,
        composer: Composer,
        faces: Mapping[str, Face],
        papers: Mapping[str, Paper],
        kinds: Sequence[Kind],
        site: str = "",
    ) -> dict[str, bytes]:
        """Return the book in a composer's inks, in these forms. `site` is the address of the game's folder."""
        from grimalkin.printing.book.make import book_pdf, forms_of, make
        from grimalkin.printing.book.pen import Looks

        first = self.material.looks
        looks = first if composer is first.composer else Looks(composer, faces)
        book = self.book if looks is first or not self.book.asks_inks else make(self.material, composer.inks)
        inks = "" if composer.inks == "full" else f"-{composer.inks}"
        made = {
            f"{self.game.name}-rulebook{form.ending}{inks}.pdf": book_pdf(book, looks, form, site)
            for form in forms_of(papers, kinds)
        }
        composer.problems.stop()
        return made
