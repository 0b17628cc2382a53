"""Set the rules of a game, each with its most instructive example, followed by rulings and errata."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from grimalkin.content.rules import Example, Rule, Ruling, Section
from grimalkin.content.texts.references import literal, references
from grimalkin.content.texts.styles import PLAIN
from grimalkin.printing.book.flow import NEARLY, Slab
from grimalkin.printing.book.pen import Art, Pen, art_below, piece_art, plan_art, table_art
from grimalkin.printing.book.setting import BODY, LEAD, NOTE, SMALL, TITLE, Block, Type, stacked
from grimalkin.printing.book.writer import TOP, WORDS, Writer
from grimalkin.printing.face.callouts import least_type
from grimalkin.printing.face.plans import Detail, details_of_example, figures_in
from grimalkin.printing.face.views import WIDTH, draws_table
from grimalkin.printing.type.fit import POINT
from grimalkin.printing.type.fonts import SANS, SANS_SEMIBOLD

FIGURE: Final = 25.0
"""The height of faces where a piece is first named, in millimetres."""
MOST_FACES: Final = 4
BESIDE, MOST_BESIDE = 0.34, 60.0
"""Faces up to this fraction of the width are beside their text, if that is no taller than this, in millimetres."""
INDENT: Final = 3.6
"""The indent of examples, with the bar beside them, in millimetres."""
TABLE, GUTTER = 0.6, 3.0
"""The least scale of tables, relative to the width of their templates, and the gap between them and their words."""
READABLE: Final = 6 * POINT
"""The least size of letters in a picture, in millimetres."""
PLAN, MOST_ACROSS, MOST_TALL = 0.6, 62.0, 62.0
"""The largest scale of maps; a picture's greatest width beside its words and greatest height, in millimetres.
"""
MOST_HIGH: Final = 150.0
"""The greatest height of an undivided example, in millimetres."""
TIGHT: Final = 0.78
"""The least size, relative to the usual size, to which an example's picture shrinks to fit its page."""
COUNTED: Final = ("scoring", "tie")
TEACHING: Final = ("legal", "scoring", "tie", "boundary", "illegal")
"""Kinds of examples, the most instructive first."""
ASKED: Final = Type(font=SANS_SEMIBOLD, size=8.2, leading=3.9, gap=3.0, filled=False, look=PLAIN)
TOLD: Final = Type(font=SANS, size=8.2, leading=3.9, gap=1.2, filled=False, look=PLAIN)
KEY: Final = TOLD._replace(size=7.4, leading=3.5, gap=0.9)
NAMES: Final = Type(font=SANS, size=7.2, leading=3.3, gap=0.0, filled=False, look=PLAIN)


def rules(book: Writer) -> list[Slab]:
    """Set all sections of rules."""
    taught = _taught(book)
    slabs: list[Slab] = []
    for number, section in enumerate(book.game.sections, 1):
        slabs += _section(book, number, section, taught)
    return slabs


def _taught(book: Writer) -> dict[str, Example]:
    """Return the example for each rule, by the rule's id."""
    taught: dict[str, Example] = {}
    for kind in TEACHING:
        for example in book.game.examples:
            trace = book.traces.get(example.id)
            if example.kind == kind and trace is not None and trace.ok:
                taught.setdefault(example.rules[0], example)
    return taught


def _section(book: Writer, number: int, section: Section, taught: dict[str, Example]) -> list[Slab]:
    numbers = book.game.numbers
    listed = [(numbers[rule.id], rule.title, rule.id) for rule in section.rules]
    anchor = f"section-{section.id}"
    is_new = number == 1 and not book.chapters
    slabs = book.chapter(section.title, anchor, str(number), section.intro or "", listed, is_new)
    for rule in section.rules:
        slabs += _rule(book, section, rule, taught.get(rule.id))
    return slabs


def _rule(book: Writer, section: Section, rule: Rule, example: Example | None) -> list[Slab]:
    number = book.game.numbers[rule.id]
    heads = (section.title, number)
    book.at(rule.id)
    slabs = book.headed(number, literal(rule.title), rule.id, TITLE, "H2", heads, book.on_site(rule.id))
    pieces = _pieces(book, rule)
    tall, wide = book.size_of(pieces, FIGURE) if pieces else (0.0, 0.0)
    is_beside = bool(pieces) and wide <= BESIDE * book.room
    text = book.setter.text(rule.text, BODY, book.room - (wide + GUTTER if is_beside else 0.0))
    if text:
        text[0] = replace(text[0], before=0.7)
    figures: list[Slab] = []
    if is_beside and sum(slab.before + slab.height for slab in text) <= MOST_BESIDE:
        text = [_beside(book, text, pieces, tall)]
    elif pieces:
        text = book.setter.text(rule.text, BODY, book.room)
        figures = [book.row_of(*_named(book, pieces), tall, NAMES)]
    slabs += text
    if rule.note:
        slabs += book.setter.text(rule.note, NOTE, book.room)
    figures += _example(book, number, example) if example else []
    return slabs + [replace(slab, heads=heads) for slab in figures]


def _beside(book: Writer, text: Sequence[Slab], pieces: Sequence[Art], tall: float) -> Slab:
    """Set a text with pieces to its right."""
    told, shown = stacked(text), book.row_of(*_named(book, pieces), tall, NAMES)
    _, wide = book.size_of(pieces, tall)

    def draw(pen: Pen, x: float, y: float) -> None:
        told.draw(pen, x, y)
        shown.draw(pen, x + book.room - wide, y + 0.6)

    marks = tuple(dict.fromkeys(mark for slab in text for mark in slab.marks))
    return Slab(max(told.height, shown.height + 0.6), draw, before=0.7, marks=marks)


def _named(book: Writer, pieces: Sequence[Art]) -> tuple[Sequence[Art], list[str]]:
    return pieces, [literal(art.name) for art in pieces]


def _example(book: Writer, number: str, example: Example) -> list[Slab]:
    """Set an example as one slab: a player's question, the answer and the checked position."""
    book.at(example.id)
    art, more = figure_of(book, example)
    laid = _laid(book, number, example, art, more, 1.0)
    if laid.height <= MOST_HIGH:
        can_shrink = art is not None and art.width != WIDTH  # the letters of a table would be too small
        return [replace(laid, tight=partial(_laid, book, number, example, art, more, TIGHT)) if can_shrink else laid]
    return [  # more text than fits on a page
        *(_barred(slab) for slab in _told(book, number, example, more, book.room - INDENT)),
        *([_barred(_pictured(art, scale_of(book, art, book.room - INDENT)))] if art else []),
    ]


def _barred(slab: Slab) -> Slab:
    """Return a line of an example with the bar beside it."""

    def draw(pen: Pen, x: float, y: float) -> None:
        above = slab.before if y > TOP + NEARLY else 0.0
        pen.rule(x, y - above, 0.7, slab.height + above, "accent")
        slab.draw(pen, x + INDENT, y)

    return replace(slab, draw=draw)


def _pictured(art: Art, scale: float) -> Slab:
    """Set the picture of an example on its own."""
    return Slab(art.height * scale, lambda pen, x, y: pen.art(art, x, y, scale), before=1.6)


def _laid(book: Writer, number: str, example: Example, art: Art | None, more: Sequence[str], size: float) -> Slab:
    """Set an example, with its picture scaled by `size`."""
    room = book.room - INDENT
    words = partial(_told, book, number, example, more)
    if art is None:
        return replace(_barred(stacked(words(room))), before=3.2, floats=True)
    scale = scale_of(book, art, room) * size

    def apart() -> tuple[Slab, Slab]:
        told, shown = stacked(words(room)), _pictured(art, scale)
        return replace(_barred(told), before=3.2), replace(_barred(shown), floats=True)

    laid = with_picture(words, art, scale, room)
    return replace(_barred(laid), before=3.2, floats=True, apart=apart)


def with_picture(words: Callable[[float], Sequence[Slab]], art: Art, scale: float, room: float) -> Slab:
    """Set text with a picture to its right, or below it if the picture is wide. `words` sets it in a given width."""
    across = art.width * scale
    is_beside = across <= MOST_ACROSS
    told = stacked(words(room - across - GUTTER if is_beside else room))
    top = 0.0 if is_beside else told.height + 1.6

    def draw(pen: Pen, x: float, y: float) -> None:
        told.draw(pen, x, y)
        pen.art(art, x + (room - across if is_beside else 0.0), y + top, scale)

    return Slab(max(told.height, top + art.height * scale), draw)


def _told(book: Writer, number: str, example: Example, more: Sequence[str], room: float) -> list[Slab]:
    title = book.setter.paragraph(Block(f"{number} {example.question or literal(example.title)}"), ASKED, room)
    text = _close(book.setter.text(example.text, TOLD, room), 0.6)
    return [*title, *text, *(slab for line in more for slab in book.setter.text(line, KEY, room))]


def figure_of(book: Writer, example: Example) -> tuple[Art | None, list[str]]:
    """Return the picture of an example, and its key.

    It is a map if figures move, see or are seen, and a table if cards are played or points are counted; other examples
    have none.
    """
    trace, composer = book.traces[example.id], book.looks.composer
    before, after = details_of_example(book.game, trace, example.picture)
    shown = after or before
    if shown and not (example.picture or shown.picture.lines or shown.picture.layers):
        return None, []
    if shown:
        return plan_art(book.looks, shown), key_of(shown)
    if not (draws_table(composer) and trace.before and (example.steps or example.kind in COUNTED)):
        return None, []
    position = trace.after if example.given is None else trace.before
    seats = seats_of(book, example) if book.game.info.table.rows else []
    art = table_art(composer, position, example.title, seats)
    is_counted = example.kind in COUNTED and not example.steps and bool(seats)
    return (art_below(art, book.game.info.table.middle) if is_counted else art), []


def seats_of(book: Writer, example: Example) -> list[str]:
    """Return the seats that an example is about: those that move, change or score; if there are none, all that have
    anything.
    """
    trace, read = book.traces[example.id], book.game.scripts.get(example.id)
    before, after = (position.get("seats") or {} for position in (trace.before, trace.after))
    about = {name for step in (read.steps if read else ()) for name in step}
    about |= {name for name in before if before[name] != after.get(name)}
    lines = example.expect.get("lines")
    about |= {str(line.get("seat")) for line in (lines if isinstance(lines, list) else ()) if isinstance(line, Mapping)}
    score = example.expect.get("score")
    if isinstance(score, Mapping) and ("winners" in example.expect or not about.intersection(before)):
        about |= set(score)
    about = about.intersection(before) or {name for name in before if before[name]}
    return [name for name in before if name in about]


def key_of(shown: Detail) -> list[str]:
    """Return the key of a map: its figures by their symbols, and its markings."""
    named = dict.fromkeys(figures_in(shown))
    who = ", ".join(f"**{literal(sign)}** {literal(called)}" for sign, called in named)
    return [*([who] if who else []), *map(literal, shown.picture.told)]


def scale_of(book: Writer, art: Art, room: float) -> float:
    """Return the scale for a picture of a position, so that squares and pieces have similar sizes in all pictures, and
    letters on tables can be read.
    """
    if art.width == WIDTH:
        letters = least_type(book.looks.face(art))
        return min(max(TABLE, READABLE / letters if letters else 0.0), room / art.width, MOST_HIGH / art.height)
    return min(PLAN, room / art.width, MOST_TALL / art.height)


def _pieces(book: Writer, rule: Rule) -> list[Art]:
    """Return the printed faces of pieces first named here."""
    named = [one.name for one in references(rule.text) if one.kind == "id" and one.name in book.game.by_id]
    fresh = [name for name in dict.fromkeys(named) if name not in book.seen and f"{name}-front" in book.looks.faces]
    book.seen.update(fresh)
    return [piece_art(book.looks.faces[f"{name}-front"]) for name in fresh[:MOST_FACES]]


def rulings(book: Writer) -> list[Slab]:
    if not book.game.rulings:
        return []
    slabs = book.chapter(WORDS["rulings"], "rulings", intro=WORDS["rulings-intro"])
    for ruling in book.game.rulings:
        slabs += _ruling(book, ruling)
    return slabs


def _ruling(book: Writer, ruling: Ruling) -> list[Slab]:
    number = book.game.numbers[ruling.id]
    book.at(ruling.id)
    question = book.setter.decided(ruling.question).strip() or literal(ruling.title)
    slabs = book.headed(number, question, ruling.id, LEAD, "H2", (WORDS["rulings"], number), book.on_site(ruling.id))
    return [*slabs, *_close(book.setter.text(ruling.ruling, SMALL, book.room))]


def errata(book: Writer) -> list[Slab]:
    if not book.game.errata:
        return []
    slabs = book.chapter(WORDS["errata"], "errata", intro=WORDS["errata-intro"], begins_page=not book.game.rulings)
    for one in book.game.errata:
        number = book.number_of(one)
        book.at(one.id)
        slabs += book.headed(number, literal(", ".join(one.source)), one.id, LEAD, "H2", (WORDS["errata"], number))
        for lead, text in ((WORDS["printed"], one.printed), (WORDS["reads"], one.reads)):
            slabs += book.setter.text(f"**{lead}** {text}", SMALL._replace(gap=0.6), book.room)
    return slabs


def _close(slabs: Sequence[Slab], gap: float = 0.4) -> list[Slab]:
    """Move a text close to its heading."""
    return [replace(slab, before=gap if not number else slab.before) for number, slab in enumerate(slabs)]
