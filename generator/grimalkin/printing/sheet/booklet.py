"""Make a PDF of a book's pages: a booklet with two pages per side to fold in the middle, or a file to read."""

from __future__ import annotations

import io
from collections.abc import Sequence

from grimalkin.content import Game
from grimalkin.content.models import Book
from grimalkin.content.stocks import Paper
from grimalkin.printing.draw.folding import mark_fold, openings
from grimalkin.printing.draw.pdf import MM, Drawer, new_canvas
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.face import Face, Inks
from grimalkin.printing.sheet.document import describe
from grimalkin.printing.sheet.settings import Settings

A5 = Paper(name="A5", width=148, height=210, margin=5)
"""The paper of a book to read on a screen (ISO 216)."""


def booklet_pdf(game: Game, book: Book, pages: Sequence[Face], paper: Paper, settings: Settings) -> bytes:
    """Return a booklet: landscape pages to print on both sides, flip on the short edge, and fold in the middle."""
    lying = Paper(name=paper.name, width=paper.height, height=paper.width)
    sides = [[page for page in opening if page is not None] for opening in openings(len(pages))]
    places = {page: index for opening in openings(len(pages)) for index, page in enumerate(opening) if page is not None}
    what = f"{book.name}, a booklet on {paper.name}: print on both sides, flip on the short edge, fold in the middle"
    return _pdf(game, book, pages, lying, what, sides, places, settings.marks != "none", settings.inks)


def reading_pdf(game: Game, book: Book, pages: Sequence[Face], inks: Inks = "full") -> bytes:
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
        inks,
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
    inks: Inks,
) -> bytes:
    buffer = io.BytesIO()
    canvas = new_canvas(buffer, (paper.width * MM, paper.height * MM), inks=inks)
    describe(canvas, game, what, f"{book.name}, {game.info.title}")
    canvas.showOutline()
    tags = Tags(canvas)
    drawer = Drawer(canvas, tags)
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
    canvas.save()
    return buffer.getvalue()


def _numbers(side: Sequence[int]) -> str:
    return f"page{'s' if len(side) > 1 else ''} {' and '.join(str(page + 1) for page in side)}"
