"""Make the PDFs that go with the sheets: books to fold or to read on a screen, and the quick reference.

A booklet has two pages per side, to fold in the middle. The quick reference is a leaf with as many cards as it
can hold, and a sheet for the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from grimalkin.content import Game
from grimalkin.content.models import Book
from grimalkin.content.stocks import Paper
from grimalkin.printing.draw.folding import mark_fold, openings
from grimalkin.printing.draw.masters import Masters
from grimalkin.printing.draw.pdf import MM, Drawer, new_canvas
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.face import Face, Inks
from grimalkin.printing.face.quick_card import ID
from grimalkin.printing.sheet.document import describe, finished, sheet_pdf
from grimalkin.printing.sheet.impose import impose, printable
from grimalkin.printing.sheet.pieces import Piece
from grimalkin.printing.sheet.settings import Edition, Settings
from grimalkin.problems import Place, Problems

if TYPE_CHECKING:
    from grimalkin.printing.draw.condition import Condition

A5 = Paper(name="A5", width=148, height=210, margin=5)
"""The paper of a book to read on a screen (ISO 216)."""


def booklet_pdf(
    game: Game, book: Book, pages: Sequence[Face], paper: Paper, settings: Settings, masters: Masters | None = None
) -> bytes:
    """Return a booklet: landscape pages to print on both sides, flip on the short edge, and fold in the middle."""
    lying = Paper(name=paper.name, width=paper.height, height=paper.width)
    sides = [[page for page in opening if page is not None] for opening in openings(len(pages))]
    places = {page: index for opening in openings(len(pages)) for index, page in enumerate(opening) if page is not None}
    what = f"{book.name}, a booklet on {paper.name}: print on both sides, flip on the short edge, fold in the middle"
    print_for = settings.inks, settings.condition
    return _pdf(game, book, pages, lying, what, sides, places, settings.marks != "none", print_for, masters)


def reading_pdf(
    game: Game, book: Book, pages: Sequence[Face], inks: Inks = "full", masters: Masters | None = None
) -> bytes:
    """Return a book to read on a screen, each page on A5."""
    return _pdf(
        game,
        book,
        pages,
        A5,
        f"{book.name}, to read on a screen",
        [[page] for page in range(len(pages))],
        {},
        False,
        (inks, None),
        masters,
    )


def _pdf(
    game: Game,
    book: Book,
    pages: Sequence[Face],
    paper: Paper,
    what: str,
    sides: Sequence[Sequence[int]],
    places: dict[int, int],
    folded: bool,
    print_for: tuple[Inks, Condition | None],
    masters: Masters | None,
) -> bytes:
    inks, condition = print_for
    canvas = new_canvas((paper.width * MM, paper.height * MM), inks=inks, condition=condition)
    describe(canvas, game, what, f"{book.name}, {game.info.title}")
    if places:
        canvas.print_on("DuplexFlipShortEdge")
    canvas.showOutline()
    tags = Tags(canvas)
    drawer = Drawer(canvas, tags, masters=masters)
    halves = 2 if places else 1
    wide = paper.width / halves
    for number, side in enumerate(sides):
        tags.open("Sect", title=f"{game.marked_title} · {book.name}, {_numbers(side)}")
        for page in side:
            face = pages[page]
            canvas.bookmarkPage(face.id)
            canvas.addOutlineEntry(face.name, face.id, 0)
            x = wide * places.get(page, 0) + (wide - face.stock.width) / 2
            top = (paper.height - face.stock.height) / 2
            matrix = (MM, 0.0, 0.0, -MM, x * MM, (paper.height - top) * MM)
            drawer.draw(face, matrix, None, False, "H1" if number == 0 else "H2")
        if folded:
            with tags.leaf(None):
                mark_fold(canvas, paper.width, paper.height)
        tags.close()
        canvas.showPage()
    return finished(canvas, game)


def _numbers(side: Sequence[int]) -> str:
    return f"page{'s' if len(side) > 1 else ''} {' and '.join(str(page + 1) for page in side)}"


ENDING, SHEET = "quick", "quick-sheet"
"""Suffixes of the file names, before the inks: for the card, and for the sheet."""
MANY = 16
"""More cards than fit on any paper for home printers."""


def quick_pdf(
    game: Game,
    faces: tuple[Face, Face],
    paper: Paper,
    settings: Settings,
    edition: Edition,
    masters: Masters | None = None,
) -> bytes | None:
    """Return the card on a paper; None if the paper is too small."""
    chosen = replace(
        settings,
        backs="fold" if settings.backs == "fold" else "duplex",
        cover=False,
        cutter=None,
        start_at=1,
        skip_slots=frozenset(),
        same_backs_once=False,
        mirror=False,
        labels=None,
    )
    stock = faces[0].stock if settings.scale == 100 else faces[0].stock.scaled(settings.factor)
    pieces = [Piece(ID, ID, stock, True)] * MANY
    elsewhere = Problems()
    sheets = [one for one in impose(pieces, paper, chosen, Place(paper.name), elsewhere) if one.leaf == 1]
    if elsewhere or not sheets or sheets[0].tile:
        return None
    return sheet_pdf(
        game,
        sheets,
        paper,
        chosen,
        lambda _: faces,
        edition,
        what="a card to look things up",
        names={ID: faces[0].name},
        masters=masters,
    )


def sheet_of(
    game: Game,
    pages: Sequence[Face],
    paper: Paper,
    inks: Inks = "full",
    masters: Masters | None = None,
    condition: Condition | None = None,
) -> bytes:
    """Return the quick reference as pages that fill a paper to its margins, for the table or the wall."""
    canvas = new_canvas((paper.width * MM, paper.height * MM), inks=inks, condition=condition)
    describe(canvas, game, f"quick reference on {paper.name}", f"quick reference, {game.info.title}")
    drawer = Drawer(canvas, Tags(canvas), masters=masters)
    for number, face in enumerate(pages):
        left, top, right, foot = printable(paper, Settings())
        scale = min((right - left) / face.stock.width, (foot - top) / face.stock.height) * MM
        left = ((left + right) * MM - face.stock.width * scale) / 2
        top = ((2 * paper.height - top - foot) * MM + face.stock.height * scale) / 2
        drawer.draw(face, (scale, 0.0, 0.0, -scale, left, top), None, False, "H1" if number == 0 else "H2")
        canvas.showPage()
    return finished(canvas, game)
