"""Make a rulebook: set it and break it into pages once, then draw it in any form and inks.

Its forms are pages for a screen or larger paper, or a booklet to fold. Lengths are in millimetres. The inner leaves of
a thick booklet stick out at the edge. Their pages are moved towards the fold by the thickness of the leaves around
them, so that all margins are equal after trimming.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from grimalkin.content import Game
from grimalkin.content.stocks import Paper
from grimalkin.content.texts.references import ASKED, literal
from grimalkin.printing.book.flow import Leaf, Slab, faults, flow, pages_of
from grimalkin.printing.book.laws import errata, rules, rulings
from grimalkin.printing.book.learn import learn
from grimalkin.printing.book.matter import PAPER, back, contents, credits, draw_cover, index
from grimalkin.printing.book.ornaments import FOLIO, folio, gouge, ground
from grimalkin.printing.book.pen import Art, Copy, Looks, Mark, Pen, Spot
from grimalkin.printing.book.setting import FOLIO as FOLIO_TYPE
from grimalkin.printing.book.setting import HEAD, TERM, Setter
from grimalkin.printing.book.writer import (
    FOOT,
    HIGH,
    INNER,
    OUTER,
    PAGE,
    TOP,
    WIDE,
    WORDS,
    Chapter,
    Material,
    Writer,
    width_of,
)
from grimalkin.printing.draw.canvas import PackedCanvas
from grimalkin.printing.draw.folding import mark_fold, openings
from grimalkin.printing.draw.packing import MM, row, short, text_string
from grimalkin.printing.draw.pdf import new_canvas
from grimalkin.printing.face import Inks
from grimalkin.printing.face.svg.colours import readable
from grimalkin.printing.face.svg.subset import INK
from grimalkin.printing.type.words import Word

THICKNESS: Final = 0.1
"""The thickness of a leaf of 80 g/m² paper."""
LEAST_CREEP: Final = 40
"""The number of pages up to which a booklet's leaves stick out too little to be noticed."""
LEAST_SCALE: Final = 0.6
"""The least readable scale of an A5 page: below it, 9.4 pt text is smaller than 6 pt."""
Kind = Literal["screen", "booklet", "pages"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


@dataclass(frozen=True)
class Form:
    """A form of a book. Its file name ends in `ending`; `paper` is the size of its pages."""

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


# Books


ROOM: Final = WIDE - INNER - OUTER
TALL: Final = HIGH - TOP - FOOT
CUTS: Final = (34.0, 30.0, 26.0, 22.0, 38.0, 32.0, 28.0, 24.0, 36.0)
"""Heights of the cuts at the heads of chapters in millimetres, the best first."""
FIRST: Final = 2
"""The number of the page after the cover."""


@dataclass(frozen=True, eq=False)
class Book:
    """A rulebook ready to draw. The cover is page 1."""

    game: Game
    leaves: Sequence[Leaf]
    back: Sequence[Art]
    """Pictures on the last pages."""
    chapters: Sequence[Chapter]
    where: Mapping[str, int]
    """The page of each anchor; the anchors of rules and rulings are their ids."""
    setter: Setter
    sites: Mapping[str, str]
    """The address of each rule and ruling on the site."""
    asks_inks: bool
    """Whether any text depends on the inks in which it is printed, so that different inks need a different book."""

    @property
    def count(self) -> int:
        """Return the number of pages, including cover and back."""
        return FIRST - 1 + len(self.leaves) + len(self.back)


def make(material: Material, inks: Inks = "full") -> Book:
    """Make the pages of a book. Contents and index are set again until their page numbers are right.

    This terminates: the contents never take fewer pages than before, and if they take the same number, the rules do
    not move.
    """
    book = Writer(material, ROOM, inks)
    body = _headed([*learn(book), *rules(book), *rulings(book), *errata(book)])
    first = list(book.chapters)
    sides = back(book)
    where: dict[str, int] = {}
    used: dict[str, list[int]] = {}
    chapters: list[Chapter] = []
    least = 0
    while True:
        book.chapters = list(first)
        last = _headed(index(book, used))
        chapters = [*book.chapters, *([Chapter(WORDS["quick"], "quick")] if sides else [])]
        opening = _opening(book, chapters, where)
        opening += [Leaf() for _ in range(least - len(opening))]  # fewer pages would move the pages they list
        least = len(opening)
        begin = FIRST + least
        leaves = [*opening, *_filled([*body, *last], begin)]
        now = pages_of(leaves, FIRST) | ({"quick": FIRST + len(leaves)} if sides else {})
        now |= {f"page-{number}": number for number in range(1, FIRST + len(leaves) + len(sides))}
        terms = _terms(leaves[least:], begin)
        if (now, terms) == (where, used):
            break
        where, used = now, terms
    asks_inks = not book.asked.isdisjoint({*ASKED} - {"books", "cards", "pages"})
    sites = {law: page for law in material.game.laws if (page := book.on_site(law))}
    return Book(material.game, leaves, sides, chapters, where, book.setter, sites, asks_inks)


def _opening(book: Writer, chapters: Sequence[Chapter], where: Mapping[str, int]) -> list[Leaf]:
    """Return the pages of contents and credits, with a smaller cut if that saves a page."""
    slabs = _headed([*contents(book, chapters, where), *credits(book)])
    first = slabs[0].tight
    ways = [slabs, [replace(first(), heads=slabs[0].heads), *slabs[1:]]] if first else [slabs]
    return min((flow(way, TALL, FIRST) for way in ways), key=len)


def _filled(slabs: Sequence[Slab], first: int) -> list[Leaf]:
    """Return pages from the number `first` on, with cuts at the heads of chapters as high as leaves no page empty."""
    best: list[Leaf] = []
    least = -1
    for cut in CUTS:
        pages = flow([_cut(slab, cut) for slab in slabs], TALL, first)
        wrong = faults(pages, TALL)
        if least < 0 or wrong < least:
            best, least = pages, wrong
        if not wrong:
            break
    return best


def _cut(slab: Slab, cut: float) -> Slab:
    return replace(slab.sized(cut), heads=slab.heads) if slab.sized else slab


def _headed(slabs: Sequence[Slab]) -> list[Slab]:
    """Give each slab the heading above it, so that pages in the middle of a rule also have a running head."""
    found: list[Slab] = []
    heads = ("", "")
    for slab in slabs:
        heads = slab.heads if any(slab.heads) else heads
        found.append(replace(slab, heads=heads))
    return found


def _terms(leaves: Sequence[Leaf], first: int) -> dict[str, list[int]]:
    """Return the pages that use each term."""
    found: dict[str, list[int]] = {}
    for number, leaf in enumerate(leaves, first):
        for term in dict.fromkeys(term for one in leaf.placed for term in one.slab.marks):
            found.setdefault(term, []).append(number)
    return found


def book_pdf(book: Book, looks: Looks, form: Form = SCREEN, site: str = "") -> bytes:
    """Draw the book in one of its forms, in the inks of these looks. `site` is the address of the game's folder on the
    site.

    The pages are drawn for the first form, in reading order, so the bytes do not depend on the order of forms.
    """
    if book not in looks.books:
        looks.books[book] = _drawn(book, looks)
    pages = looks.books[book]
    info = book.game.info
    size = form.paper[0] * MM, form.paper[1] * MM
    canvas = new_canvas(size, looks.press.types, looks.composer.inks)
    author = ", ".join(dict.fromkeys(credit.name for credit in info.credits))
    canvas.describe(
        f"{book.game.marked_title}: rulebook, {form.what}", author, info.tagline or "", f"rulebook, {info.title}"
    )
    if form.folded:
        canvas.print_on("DuplexFlipShortEdge")
    canvas.showOutline()
    copy = Copy(canvas, looks, book.where.keys(), _told(book), site, form.folded)
    for side, numbers in enumerate(form.sides(book.count, bool(book.back))):
        for place, number in enumerate(numbers):
            if number is not None:
                at = copy.at = form.place(place, side, book.count)
                canvas.emit(f"q {short(at.scale)} 0 0 {short(at.scale)} {row(at.x * MM, at.y * MM)} cm")
                canvas.emit(f"0 0 {row(WIDE * MM, HIGH * MM)} re W n")
                for mark in pages[number]:
                    mark(copy)
                copy.end_leaf()
                canvas.emit("Q")
        if form.folded:
            with copy.tags.leaf(None):
                mark_fold(canvas, *form.paper)
        copy.end_page()
    if not form.folded:
        _label_pages(canvas)
    return canvas.pdf()


def _drawn(book: Book, looks: Looks) -> dict[int, list[Mark]]:
    """Return all pages of a book by number, in the inks of these looks."""
    pen = Pen(looks, inks_of(looks), HIGH)
    titles = {chapter.anchor: (f"{chapter.number} {chapter.title}".strip(), 0) for chapter in book.chapters}
    for chapter in book.chapters:
        for number, title, anchor in chapter.rules:
            titles.setdefault(anchor, (f"{number} {title}", 1))
    pages: dict[int, list[Mark]] = {}
    for page in (*range(1, book.count + 1), 1):  # the art of the cover becomes forms the second time
        _draw_page(pen, book, page, titles)
        pages[page] = pen.taken()
    return pages


def _told(book: Book) -> dict[str, str]:
    """Return the spoken names of links by their targets, so that nobody has to listen to anchors."""
    game, numbers = book.game, book.game.numbers
    told = {chapter.anchor: chapter.title for chapter in book.chapters}
    told |= {f"{TERM}{term.id}": term.name for term in game.terms}
    told |= {id_: f"{numbers[id_]} {law.title}" for id_, law in game.laws.items()}
    told |= {anchor: WORDS["page"].format(number=page) for anchor, page in book.where.items() if anchor not in told}
    return told | {page: WORDS["on-site"].format(number=numbers[id_]) for id_, page in book.sites.items()}


def inks_of(looks: Looks) -> dict[str, str]:
    """Return the two inks of a book, its paper, and the inks of a block without a picture and of the cuts in it.

    The low-ink and black-only designs have a single ink, on white paper.
    """
    first = next(iter(looks.composer.game.info.shown_palette.values()), INK)
    is_full = looks.composer.inks == "full"
    black = "#000000" if looks.composer.inks == "mono" else INK
    paper = PAPER if is_full else "#ffffff"
    block, cut = (first, paper) if is_full else (paper, black)
    return {"ink": black, "accent": readable(first, paper) if is_full else black, "paper": paper} | {
        "block": block,
        "cut": cut,
    }


def _draw_page(pen: Pen, book: Book, number: int, titles: Mapping[str, tuple[str, int]]) -> None:
    """Draw a page. `titles` are the bookmarks by anchor, each with its level."""
    pen.anchor(f"page-{number}", 0.0)
    if number < FIRST:
        draw_cover(pen, book.setter, book.game.info, WIDE, HIGH)
        return
    at = number - FIRST
    if at >= len(book.leaves):
        _draw_back(pen, book, at - len(book.leaves))
        return
    leaf = book.leaves[at]
    left = INNER if number % 2 else OUTER
    ground(pen, WIDE, HIGH)
    for one in leaf.placed:
        for anchor in one.slab.anchors:
            pen.anchor(anchor, TOP + one.top)
            if anchor in titles:
                title, level = titles[anchor]
                pen.bookmark(title, anchor, level)
        if one.waited:
            pen.mark(Copy.close_all)  # a figure that waited may stand between the lines of a list
        one.slab.draw(pen, left, TOP + one.top)
    _head(pen, book.setter, leaf, number, left)


def _draw_back(pen: Pen, book: Book, at: int) -> None:
    """Draw a page of the quick reference."""
    if at == 0:
        pen.anchor("quick", 0.0)
        pen.bookmark(WORDS["quick"], "quick", 0)
    pen.page(pen.looks.face(book.back[at]))


def _head(pen: Pen, setter: Setter, leaf: Leaf, number: int, left: float) -> None:
    """Draw the page number on its flag and, unless a cut is at the head of the page, its chapter and rules above it."""
    heads = leaf.heads
    numbered = [one for one in heads if one[1]]
    title = (numbered or heads or [("", "")])[0][0]
    span = "–".join(dict.fromkeys([numbered[0][1], numbered[-1][1]])) if numbered else ""
    numbers = setter.words(literal(span), HEAD)
    words = _shortened(setter, literal(title), ROOM - width_of(numbers, HEAD) - 4.0)
    figure = setter.words(str(number), FOLIO_TYPE)
    is_right = number % 2 == 1
    right, line = left + ROOM, HIGH - FOOT + 12
    folio(pen, *((right, left) if is_right else (left, right)), line)
    with pen.decoration():
        if not (leaf.placed and leaf.placed[0].slab.wants):
            gouge(pen, left, TOP - 5.2, right, 0.35)
            pen.mere(words, left if is_right else right - width_of(words, HEAD), TOP - 7, HEAD.size, "ink")
            pen.mere(numbers, right - width_of(numbers, HEAD) if is_right else left, TOP - 7, HEAD.size, "ink")
        middle = right - FOLIO[0] / 2 + 0.4 if is_right else left + FOLIO[0] / 2 - 0.4
        pen.mere(figure, middle - width_of(figure, FOLIO_TYPE) / 2, line + 1.15, FOLIO_TYPE.size, "paper")


def _shortened(setter: Setter, title: str, room: float) -> list[Word]:
    """Shorten a title to fit the width of the text."""
    words = setter.words(title, HEAD)
    while len(words) > 1 and width_of(words, HEAD) > room:
        title = title.rstrip(" …").rpartition(" ")[0] + " …"
        words = setter.words(title, HEAD)
    return words if width_of(words, HEAD) <= room else []


def _label_pages(canvas: PackedCanvas) -> None:
    """Make PDF readers show the page numbers printed on the pages."""
    number = canvas.new_number()
    names = [f"0<</P{text_string(WORDS['cover'])}>>", f"1<</S/D/St {FIRST}>>"]
    canvas.put(number, f"<</Nums[{''.join(names)}]>>".encode())
    canvas.in_catalog("PageLabels", number)
