"""The forms of a book: page by page for a screen or larger paper, or a booklet to fold. Lengths are in millimetres.

The inner leaves of a thick booklet stick out at the edge. Their pages are moved towards the fold by the thickness of
the leaves around them, so that all margins are equal after trimming.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from grimalkin.content.stocks import Paper
from grimalkin.printing.book.pen import Spot
from grimalkin.printing.draw.folding import openings

PAGE: Final = (148.0, 210.0)
"""A5 (ISO 216)."""
THICKNESS: Final = 0.1
"""The thickness of a leaf of 80 g/m² paper."""
LEAST_CREEP: Final = 40
"""The number of pages up to which a booklet's leaves stick out too little to notice."""
LEAST_SCALE: Final = 0.6
"""The least readable scale of an A5 page: below it, 9.4 pt text is smaller than 6 pt."""
Kind = Literal["screen", "booklet", "pages"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


@dataclass(frozen=True)
class Form:
    """A form of a book. Its file's name ends in `ending`; `paper` is the size of its pages."""

    ending: str
    what: str
    paper: tuple[float, float]
    folded: bool = False

    def sides(self, count: int, has_back: bool = False) -> Iterator[Sequence[int | None]]:
        """Yield the book pages on each page of the file, from the left, counted from 1; None is a blank page.

        >>> list(booklet("a4", Paper(name="A4", width=210, height=297)).sides(6))
        [[None, 1], [2, None], [6, 3], [4, 5]]
        >>> list(booklet("a4", Paper(name="A4", width=210, height=297)).sides(6, has_back=True))
        [[6, 1], [2, None], [None, 3], [4, 5]]
        """
        if not self.folded:
            yield from ((page,) for page in range(1, count + 1))
            return
        for opening in openings(count, has_back):
            yield [None if page is None else page + 1 for page in opening]

    def place(self, place: int, side: int, count: int) -> Spot:
        """Return the spot of a book page, given its position on a page of the file and that page's index from 0."""
        wide, high = self.paper
        room = wide / 2 if self.folded else wide
        scale = min(room / PAGE[0], high / PAGE[1])
        y = (high - PAGE[1] * scale) / 2
        if not self.folded:
            return Spot((wide - PAGE[0] * scale) / 2, y, scale)
        creep = THICKNESS * (side // 2) if count > LEAST_CREEP else 0.0
        inward = PAGE[0] * scale
        return Spot(wide / 2 - inward + creep if place == 0 else wide / 2 - creep, y, scale)


SCREEN: Final = Form("", "to read on a screen", PAGE)


def booklet(name: str, paper: Paper) -> Form:
    """Return the booklet form, folded from landscape paper."""
    what = f"a booklet on {paper.name}: print on both sides, flip on the short edge, fold in the middle"
    short, long = sorted((paper.width, paper.height))
    return Form(f"-booklet-{name}", what, (long, short), True)


def page_by_page(name: str, paper: Paper) -> Form:
    """Return the form with one page of the book on each page of paper, as large as possible."""
    return Form(f"-{name}", f"on {paper.name}, in large type", (paper.width, paper.height))


def forms_of(papers: Mapping[str, Paper], kinds: Sequence[Kind] = KINDS) -> list[Form]:
    """Return the forms of certain kinds on certain papers, except papers too small for readable type."""
    made = [SCREEN] if "screen" in kinds else []
    for kind, form_of in (("booklet", booklet), ("pages", page_by_page)):
        found = [form_of(name, paper) for name, paper in papers.items()] if kind in kinds else []
        made += [form for form in found if form.place(0, 0, 1).scale >= LEAST_SCALE]
    return made
