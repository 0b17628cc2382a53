"""The parts of a book before and after the rules: its cover, contents, index of terms, credits and quick reference.

The cover is the game's linocut, which reaches the edges and may show the title, above some of its pieces.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from grimalkin.content.models import GameFile, credited
from grimalkin.content.texts.references import literal
from grimalkin.content.texts.styles import PLAIN
from grimalkin.printing.book.flow import Slab
from grimalkin.printing.book.ornaments import RAGGED, shape
from grimalkin.printing.book.pen import Art, Looks, Pen, piece_art
from grimalkin.printing.book.setting import SMALL, TERM, TITLE, Block, Setter, Type, close_item, stacked
from grimalkin.printing.book.writer import HANG, WORDS, Chapter, Writer, width_of
from grimalkin.printing.draw.packing import colour
from grimalkin.printing.draw.shapes import edge_gouges
from grimalkin.printing.face import Face
from grimalkin.printing.face.svg.colours import contrast
from grimalkin.printing.face.views import find_drawn_title, has_title
from grimalkin.printing.type.breaks import by_sense
from grimalkin.printing.type.fonts import SANS, SERIF_BLACK, SERIF_BOLD, SERIF_ITALIC
from grimalkin.problems import Place, shown_path
from grimalkin.problems.plain import listed

OVER = 1.5
"""The distance by which the picture extends beyond the ragged edges of its block, in millimetres."""
PAPER, WHITE, DARK = "#f7f1e3", "#ffffff", "#1d1a26"
LEAST = 4.5
"""The least contrast between the title and its ground."""
SIDE, TOP = 14.0, 20.0
PIECES, LEAST_PIECE = 0.44, 20.0
"""The top of the pieces on a cover without a picture, as a fraction of its height, and their least height."""
MOST_PIECES, PART, STEP = 3, 5.0, 2.5
"""The most pieces on a cover without a picture, the gap between them, and how much lower each is, in millimetres."""
MOST_TITLE = 26.0
"""The greatest height of a title below the picture, in millimetres."""
SIZES = (46.0, 40.0, 34.0, 29.0, 24.0, 20.0)
"""Sizes of the title in points; the first that fits is used."""


def draw_cover(pen: Pen, setter: Setter, info: GameFile, wide: float, high: float) -> None:
    """Draw the complete page. A game without a picture has its title on a page in its first ink."""
    composer = pen.looks.composer
    art = pen.looks.cover
    is_full = composer.inks == "full"
    ground = (DARK if art else next(iter(info.shown_palette.values()), DARK)) if is_full else WHITE
    fill = PAPER if is_full and contrast(PAPER, ground) >= LEAST else "ink"
    tall = art.stock.height * (wide + 2 * OVER) / art.stock.width - 2 * OVER if art else 0.0
    if pen.looks.cover_art and art:
        pen.art(pen.looks.cover_art, -OVER, -OVER, (wide + 2 * OVER) / art.stock.width)
    with pen.decoration():
        edge = [(wide * at, tall - 0.6 + off) for at, off in RAGGED] if art else [(0, 0), (wide, 0)]
        shape(pen, [*edge, (wide, high), (0, high)], ground)
        cuts = edge_gouges(wide, tall, high if art else PIECES * high, pen.y)
        pen.canvas.emit(f"{colour(pen.paint(fill))} rg {cuts} f")
    tagline = stacked(_tagline(setter, info, fill, wide))
    below = tall + 9 if art else TOP
    if art is None or not has_title(composer):
        mark = find_drawn_title(composer.game, composer, pen.paint(fill))
        room = MOST_TITLE if art else PIECES * high - TOP - tagline.height - 14
        if mark is not None:
            title = _drawn_title(mark, wide - 2 * SIDE, room)
        else:
            title = _title(setter, by_sense(info.title), wide - 2 * SIDE, room, fill)
        title.draw(pen, SIDE, below)
        below += title.height + 4
    tagline.draw(pen, SIDE, below)
    below += tagline.height + 3
    for line in facts_of(info):
        said = stacked(setter.paragraph(Block(literal(line)), BYLINE._replace(fill=fill), wide - 2 * SIDE))
        said.draw(pen, SIDE, below)
        below += said.height
    _draw_pieces(pen, wide, high, below + 8 if art else max(PIECES * high, below + 8))


def _drawn_title(mark: Face, wide: float, high: float) -> Slab:
    """Set the title as the game draws it."""
    art = Art(mark.stock.width, mark.stock.height, mark.name, mark.alt, lambda _: mark)
    scale = min(wide / art.width, high / art.height)
    return Slab(art.height * scale + 3, lambda pen, x, y: pen.art(art, x, y, scale))


def _tagline(setter: Setter, info: GameFile, fill: str, wide: float) -> list[Slab]:
    """Draw the line below the title, if the game has one."""
    if info.tagline is None:
        return []
    return setter.paragraph(Block(literal(info.tagline)), TAGLINE._replace(fill=fill), wide - 2 * SIDE)


def _draw_pieces(pen: Pen, wide: float, high: float, top: float) -> None:
    """Draw the pieces that represent a game without a picture, side by side, each a little lower."""
    looks, game = pen.looks, pen.looks.composer.game
    first = [row.id for row in game.components[game.info.decks[0].id]]
    named = game.info.cover or tuple(first[:MOST_PIECES])
    shown = [looks.faces[f"{id_}-front"] for id_ in named if f"{id_}-front" in looks.faces][:MOST_PIECES]
    rest = high - top - STEP * len(shown) - 12
    if not shown or rest < LEAST_PIECE:
        return
    room = (wide - 2 * SIDE - PART * (len(shown) - 1)) / len(shown)
    for number, face in enumerate(shown):
        scale = min(room / face.stock.width, rest / face.stock.height)
        x = SIDE + number * (room + PART) + (room - face.stock.width * scale) / 2
        pen.art(piece_art(face), x, top + STEP * number, scale)


def facts_of(info: GameFile) -> list[str]:
    """Return the number of players, the playing time, and whether the game is a draft."""
    counts = {"players": info.players, "minutes": info.minutes}
    told = ", ".join(WORDS[kind].format(count) for kind, count in counts.items() if count is not None)
    line = " · ".join(filter(None, [told, WORDS["draft"] if info.draft else ""]))
    return [line] if line else []


TAGLINE = Type(font=SERIF_ITALIC, size=13, leading=5.8, filled=False, look=PLAIN)
BYLINE = Type(size=8, leading=3.8, filled=False, look=PLAIN)


def _title(setter: Setter, title: str, room: float, height: float, fill: str) -> Slab:
    """Set the title in the largest size that fits."""
    for size in SIZES:
        type_ = Type(SERIF_BLACK, size, size * 0.372, 0.0, False, fill, PLAIN)
        found = stacked(setter.paragraph(Block(literal(title)), type_, room, kind="P"))
        words = setter.words(literal(title), type_)
        if found.height <= height and max(word.width for word in words) * type_.em <= room:
            break
    return found


ENTRY: Final = Type(font=SERIF_BOLD, size=9.4, leading=4.5, gap=1.7, filled=False)
RULES: Final = Type(font=SANS, size=7.2, leading=3.3, gap=0.25, filled=False, look=PLAIN)
IMPRINT: Final = SMALL._replace(size=7.5, leading=3.4, gap=1.0)
PAGE: Final = 12.0
"""The room for a page number, in millimetres."""
BETWEEN: Final = "\N{EM SPACE} "
"""The separator between the entries for rules, which follow each other on a line."""


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
        slabs.append(Slab(0.0, partial(close_item, is_last)))
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
    pen.open_list("TOC", is_first)
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
