"""The parts before and after the rules: contents, index of terms, credits and quick reference."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from grimalkin.content.credits import credited
from grimalkin.content.references import literal
from grimalkin.content.styles import PLAIN
from grimalkin.printing.book.art import Art, Looks
from grimalkin.printing.book.flow import Slab
from grimalkin.printing.book.pen import Pen
from grimalkin.printing.book.setting import SMALL, TERM, TITLE, Block, Setter, Type
from grimalkin.printing.book.writer import HANG, WORDS, Chapter, Writer, width_of
from grimalkin.printing.face import Face
from grimalkin.printing.face.fonts import SANS, SERIF_BOLD
from grimalkin.problems import Place, shown_path
from grimalkin.problems.plain import listed

ENTRY: Final = Type(font=SERIF_BOLD, size=9.4, leading=4.5, gap=1.7, filled=False)
RULES: Final = Type(font=SANS, size=7.2, leading=3.3, gap=0.25, filled=False, look=PLAIN)
IMPRINT: Final = SMALL._replace(size=7.5, leading=3.4, gap=1.0)
PAGE: Final = 12.0
"""The room for a page number, in millimetres."""
BETWEEN: Final = "\N{EM SPACE} "
"""The separator between the entries of rules, which follow each other on a line."""


def contents(book: Writer, chapters: Sequence[Chapter], where: Mapping[str, int]) -> list[Slab]:
    """Set the contents: one line for each chapter, with its page at the edge, then its rules with their pages."""
    book.setter.place = Place(shown_path(book.game.folder / "rules.yaml"))
    kept, book.chapters = book.chapters, []
    slabs = book.chapter(WORDS["contents"], "contents")
    book.chapters = kept
    for index, chapter in enumerate(chapters):
        is_last = index == len(chapters) - 1
        page = str(where.get(chapter.anchor, ""))
        title = literal(chapter.title)
        *above, last = book.setter.paragraph(
            Block(title), ENTRY, book.room - PAGE, begin=partial(_open_entry, book.setter, chapter, index == 0)
        )
        words = book.setter.words(title, ENTRY)
        begin = width_of(words, ENTRY) + 2.0 if not above else book.room - PAGE
        rules = _rules(book, chapter, where)
        lead = partial(_lead, book.setter, chapter, page, begin, book.room, last)
        lines = [*above, replace(last, draw=lead, keep=bool(rules))]
        slabs += [replace(lines[0], before=3.6 if index == 0 else ENTRY.gap), *lines[1:], *rules]
        slabs.append(Slab(0.0, partial(_end_entry, is_last)))
    return slabs


def _rules(book: Writer, chapter: Chapter, where: Mapping[str, int]) -> list[Slab]:
    """Set the rules of a chapter, one after another, with their pages."""
    if not chapter.rules:
        return []
    parts = [
        (_kept(literal(f"{number}\N{NO-BREAK SPACE}{title}"), where.get(anchor, 0)), anchor)
        for number, title, anchor in chapter.rules
    ]
    words = book.setter.linked(parts, RULES, BETWEEN)
    return book.setter.set(words, RULES, book.room)


def _kept(title: str, page: int) -> str:
    """Join a title and its page, so that they stay on one line."""
    first, _, last = title.rpartition(" ")
    return f"{first} {last}\N{NO-BREAK SPACE}**{page}**" if page else title


def _open_entry(setter: Setter, chapter: Chapter, is_first: bool, pen: Pen, x: float, y: float) -> None:
    """Open an entry, with the number of its chapter in the margin."""
    if is_first or not pen.opened:
        pen.open("TOC")
    pen.open("TOCI")
    number = setter.words(chapter.number, ENTRY)
    if number:
        pen.text(number, "Lbl", x - HANG - width_of(number, ENTRY), y + ENTRY.rise, ENTRY.size, "accent")


def _lead(
    setter: Setter, chapter: Chapter, page: str, begin: float, room: float, title: Slab, pen: Pen, x: float, y: float
) -> None:
    """Draw the last line of a title, and a leader from there to the page at the edge."""
    title.draw(pen, x, y)
    baseline = y + ENTRY.rise
    figure = setter.words(page, ENTRY)
    wide = width_of(figure, ENTRY)
    if figure:
        pen.text(figure, "P", x + room - wide, baseline, ENTRY.size, "ink")
    if room - wide - 2.0 > begin:
        pen.rule(x + begin, baseline - 0.15, room - wide - 2.0 - begin, 0.12, "accent")
    pen.link(chapter.anchor, x, y, x + room, y + ENTRY.leading)


def _end_entry(is_last: bool, pen: Pen, _x: float, _y: float) -> None:
    pen.close()
    if is_last:
        pen.close()


def index(book: Writer, pages: Mapping[str, Sequence[int]]) -> list[Slab]:
    """Set the index: every term with its meaning and the pages that use it."""
    if not book.terms:
        return []
    slabs = book.chapter(WORDS["index"], "index")
    type_ = SMALL._replace(gap=1.0)
    for term in sorted(book.game.terms, key=lambda term: _folded(term.name)):
        book.at(term.id)
        found = book.setter.text(f"**{literal(term.name)}** {term.text}", type_, book.room)
        where = pages.get(term.id, ())
        if found and where:
            found = [*found, *_pages_of(book, where, type_)]
        found = [replace(slab, marks=()) for slab in found]  # the meaning of a term does not count as a use
        if len(found) > 1:
            found[-2] = replace(found[-2], keep=True)
        if found:
            found[0] = replace(found[0], anchors=(f"{TERM}{term.id}",), heads=(WORDS["index"], ""), keep=len(found) > 1)
        slabs += found
    return slabs


def _folded(name: str) -> str:
    """Return the sort key of a name: É sorts with E."""
    return "".join(char for char in unicodedata.normalize("NFD", name.casefold()) if not unicodedata.combining(char))


def _pages_of(book: Writer, where: Sequence[int], type_: Type) -> list[Slab]:
    """Set the page numbers of a term, each as a link."""
    words = book.setter.linked([(str(page), f"page-{page}") for page in where], type_._replace(filled=False), ", ")
    return book.setter.set(words, type_._replace(filled=False, fill="accent", gap=0.0), book.room)


def credits(book: Writer) -> list[Slab]:
    """Set the credits: the makers of the game, our own work and the version of the rules."""
    info = book.game.info
    book.setter.place = Place(shown_path(book.game.folder / "game.yaml"))
    slabs = book.headed("", WORDS["credits"], "credits", TITLE._replace(gap=7.0), "H2", (WORDS["credits"], ""))
    lines = [f"{literal(role)}: **{literal(who)}**" for role, who in credited(info.credits)]
    facts = [WORDS["book-version"].format(version=literal(info.rules_version))]
    if info.our_work:
        makers = listed(list(dict.fromkeys(credit.name for credit in info.credits)))
        facts += [WORDS["unofficial"].format(title=literal(info.title), who=literal(makers))]
        facts += [f"{WORDS['ours']} {literal('; '.join(info.our_work))}.", WORDS["licence"]]
    found = [slab for line in [*lines, *facts] for slab in book.setter.text(line, IMPRINT, book.room)]
    return [*slabs, *found]


def back(book: Writer) -> list[Art]:
    """Return the quick reference, which fills one or two pages at the very end."""
    faces = book.looks.quick
    return [
        Art(one.stock.width, one.stock.height, one.name, one.alt, partial(_side, at)) for at, one in enumerate(faces)
    ]


def _side(at: int, looks: Looks) -> Face:
    return looks.quick[at]
