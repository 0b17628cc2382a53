"""The pages of a book in, a PDF out: to be folded in the middle, two pages a side; or to be read, page by page.

Folded, the leaves lie in each other like those of a magazine: on the outermost leaf stand the last page and the first.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grimalkin.content import Game
from grimalkin.content.models import Book
from grimalkin.content.stocks import Paper
from grimalkin.draw.pdf import MM, Drawer, new_canvas
from grimalkin.draw.tags import Tags
from grimalkin.face import Face
from grimalkin.sheet.document import describe
from grimalkin.sheet.settings import Settings

PER_LEAF = 4
A5 = Paper(name="A5", width=148, height=210, margin=5)
"""The paper of a book that is read on a screen (ISO 216)."""
TICK = 3.0
"""Length of the marks at both ends of the fold."""


class Opening(NamedTuple):
    """One side of a leaf: the numbers of its pages from 0, on the left and on the right; None for a page left blank."""

    left: int | None
    right: int | None


def openings(count: int) -> Iterator[Opening]:
    """The sides of all leaves of a booklet of so many pages, front and back in turn.

    >>> list(openings(6))[:2]
    [Opening(left=None, right=0), Opening(left=1, right=None)]
    >>> list(openings(6))[2:]
    [Opening(left=5, right=2), Opening(left=3, right=4)]
    """
    whole = -(-count // PER_LEAF) * PER_LEAF

    def there(page: int) -> int | None:
        return page if page < count else None

    for first in range(0, whole // 2, 2):
        yield Opening(there(whole - 1 - first), first)
        yield Opening(there(first + 1), there(whole - 2 - first))


def booklet_pdf(game: Game, book: Book, pages: Sequence[Face], paper: Paper, settings: Settings) -> bytes:
    """A book to print on both sides of this paper, lying, turned over the short edge; to be folded in the middle."""
    lying = Paper(name=paper.name, width=paper.height, height=paper.width, margin=paper.margin)
    sides = [[page for page in opening if page is not None] for opening in openings(len(pages))]
    places = {page: index for opening in openings(len(pages)) for index, page in enumerate(opening) if page is not None}
    what = f"{book.name}, a booklet on {paper.name}: print on both sides, flip on the short edge, fold in the middle"
    return _pdf(game, book, pages, lying, what, sides, places, settings.marks != "none")


def reading_pdf(game: Game, book: Book, pages: Sequence[Face]) -> bytes:
    """A book to be read on a screen: a page of A5 for each."""
    return _pdf(
        game, book, pages, A5, f"{book.name}, to read on a screen", [[page] for page in range(len(pages))], {}, False
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
) -> bytes:
    buffer = io.BytesIO()
    canvas = new_canvas(buffer, (paper.width * MM, paper.height * MM))
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
                canvas.setLineWidth(0.2 * MM)
                for y in (0.0, paper.height - TICK):
                    canvas.line(wide * MM, y * MM, wide * MM, (y + TICK) * MM)
        tags.close()
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _numbers(side: Sequence[int]) -> str:
    return f"page{'s' if len(side) > 1 else ''} {' and '.join(str(page + 1) for page in side)}"
