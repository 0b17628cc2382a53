"""A game in, its rulebook as a PDF out: set, broken into pages, and drawn."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from grimalkin.book.contents import Chapter, Contents, Material
from grimalkin.book.cover import draw_cover
from grimalkin.book.flow import Leaf, Slab, flow, pages_of
from grimalkin.book.forms import Form
from grimalkin.book.pen import Pen
from grimalkin.book.setting import BODY, Type
from grimalkin.draw.packing import MM, row, short
from grimalkin.draw.pdf import Drawer, new_canvas
from grimalkin.draw.tags import Tags
from grimalkin.face.fonts import SERIF_BOLD
from grimalkin.face.subset import INK
from grimalkin.face.words import Word, read_words

WIDE, HIGH = 148.0, 210.0
"""A5 (ISO 216)."""
INNER, OUTER, TOP, FOOT = 19.0, 24.0, 22.0, 26.0
"""Margins: those at the fold are the narrower ones, and the foot is the widest."""
ROOM = WIDE - INNER - OUTER
TALL = HIGH - TOP - FOOT
HEAD = Type(size=8.0, leading=3.75, filled=False)


@dataclass(frozen=True)
class Book:
    """A rulebook, ready to be drawn."""

    leaves: Sequence[Leaf]
    chapters: Sequence[Chapter]
    where: Mapping[str, int]
    """The page of each anchor, the first after the cover being 2."""

    @property
    def count(self) -> int:
        """Pages, the cover too."""
        return len(self.leaves) + FIRST - 1


FIRST = 2


def make(material: Material) -> Book:
    """The pages of a book. What the contents say is set once to know their room, and again with the numbers."""
    contents, game = Contents(material, ROOM), material.game
    body = contents.rules() + contents.rulings() + contents.misprints()
    chapters = list(contents.chapters)
    indexed = bool(game.terms)
    if indexed:
        chapters.append(Chapter("Words and where they stand", "index"))
    opening = listed(contents, chapters, {})
    leaves = flow(opening + body, TALL)
    found: dict[str, list[int]] = {}
    for number, leaf in enumerate(leaves, FIRST):
        for one in leaf.placed:
            for term in one.slab.marks:
                if number not in found.setdefault(term, []):
                    found[term].append(number)
    contents.chapters = []
    last = contents.index(found)
    leaves = flow(opening + body + last, TALL)
    where = pages_of(leaves, FIRST)
    final = listed(contents, chapters, where)
    assert [slab.height for slab in opening] == [slab.height for slab in final]
    return Book(flow(final + body + last, TALL), chapters, where)


def listed(contents: Contents, chapters: Sequence[Chapter], where: Mapping[str, int]) -> list[Slab]:
    """The contents: a line a chapter, its page at the edge."""
    kept = contents.chapters
    contents.chapters = []
    slabs = contents.chapter("Contents", "contents")
    contents.chapters = kept
    type_ = BODY._replace(filled=False)
    for index, chapter in enumerate(chapters):
        first, last = index == 0, index == len(chapters) - 1
        page = str(where.get(chapter.anchor, ""))
        slabs.append(Slab(6.4, partial(_entry, contents, type_, chapter, page, first, last), keep=False))
    return slabs


def _entry(
    contents: Contents, type_: Type, chapter: Chapter, page: str, first: bool, last: bool, pen: Pen, x: float, y: float
) -> None:
    if first:
        pen.open("TOC")
    pen.open("TOCI")
    title, _ = contents.setter.words(chapter.title, type_)
    number, _ = contents.setter.words(chapter.number, type_._replace(font=SERIF_BOLD))
    figure, _ = contents.setter.words(page, type_)
    baseline = y + 4.4
    if number:
        pen.text(number, "Lbl", x - 2.2 - _wide(number, type_), baseline, type_.size, pen.accent)
    pen.text(title, "P", x, baseline, type_.size, pen.ink)
    if figure:
        pen.text(figure, "P", x + ROOM - _wide(figure, type_), baseline, type_.size, pen.ink)
    pen.rule(x, y + 6.0, ROOM, 0.12, pen.accent)
    pen.link(chapter.anchor, x, y, x + ROOM, y + 6)
    pen.close()
    if last:
        pen.close()


def _wide(words: Sequence[Word], type_: Type) -> float:
    gaps = sum(word.blank * type_.space for word in words[1:])
    return (sum(word.width for word in words) + gaps) * type_.em


def book_pdf(material: Material, form: Form) -> bytes:
    """The book in one of its forms."""
    book, game = make(material), material.game
    buffer = io.BytesIO()
    canvas = new_canvas(buffer, (form.paper[0] * MM, form.paper[1] * MM))
    what = f"rulebook, {form.what}"
    author = ", ".join(dict.fromkeys(credit.name for credit in game.info.credits))
    canvas.describe(f"{game.marked_title}: {what}", author, game.info.tagline, f"rulebook, {game.info.title}")
    canvas.showOutline()
    tags = Tags(canvas)
    palette = list(game.info.palette.values())
    accent = palette[0] if palette else INK
    drawer = Drawer(canvas, tags)
    pen = Pen(canvas, tags, drawer, Drawer(canvas), material.composer.icons, HIGH, INK, accent)
    pen.is_folded = form.folded
    for side, numbers in enumerate(form.sides(book.count)):
        for place, number in enumerate(numbers):
            if number is not None:
                at = form.place(place, side, book.count)
                canvas.emit(f"q {short(at.scale)} 0 0 {short(at.scale)} {row(at.x * MM, at.y * MM)} cm")
                pen.at = at
                draw_page(pen, book, material, number)
                pen.end_leaf()
                canvas.emit("Q")
        pen.end_page()
    canvas.save()
    return buffer.getvalue()


def draw_page(pen: Pen, book: Book, material: Material, number: int) -> None:
    """A page by its number: the cover is 1."""
    if number < FIRST:
        draw_cover(pen, Contents(material, ROOM), material, WIDE, HIGH)
        return
    titles = {chapter.anchor: chapter for chapter in book.chapters}
    leaf = book.leaves[number - FIRST]
    left = INNER if number % 2 else OUTER
    for one in leaf.placed:
        for anchor in one.slab.anchors:
            pen.anchor(anchor, TOP + one.top)
            if anchor in titles:
                chapter = titles[anchor]
                pen.canvas.bookmarkPage(anchor)
                pen.canvas.addOutlineEntry(f"{chapter.number} {chapter.title}".strip(), anchor, 0)
        one.slab.draw(pen, left, TOP + one.top)
    head(pen, leaf, number, left)


def head(pen: Pen, leaf: Leaf, number: int, left: float) -> None:
    """The running head: the chapter and the rules of the page, and its number at the outer edge of the foot."""
    with pen.decoration():
        canvas = pen.canvas
        canvas.setFillColor(pen.ink)
        canvas.setFont(HEAD.font, HEAD.size)
        heads = leaf.heads
        if heads:
            title = heads[0][0]
            numbers = [one[1] for one in heads if one[1]]
            span = numbers[0] if len(set(numbers)) == 1 else f"{numbers[0]}–{numbers[-1]}" if numbers else ""
            canvas.drawString(left * MM, pen.y(TOP - 7), title)
            if span:
                wide = sum(word.width for line in read_words(span, HEAD.font, {}) for word in line) * HEAD.em
                canvas.drawString((left + ROOM - wide) * MM, pen.y(TOP - 7), span)
        figure = str(number)
        wide = sum(word.width for line in read_words(figure, HEAD.font, {}) for word in line) * HEAD.em
        at = left if number % 2 == 0 else left + ROOM - wide
        canvas.drawString(at * MM, pen.y(HIGH - FOOT + 12), figure)
