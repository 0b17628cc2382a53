"""Set the chapter for newcomers from learn.yaml: the set-up, a round, and details that can wait."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from grimalkin.content.player_aids import FirstPiece, Label, LearnFile, Moment
from grimalkin.content.texts.references import literal
from grimalkin.content.validation import Misfit
from grimalkin.engine.replay import positions_of
from grimalkin.printing.book.flow import Draw, Slab
from grimalkin.printing.book.laws import (
    KEY,
    MOST_ACROSS,
    MOST_BESIDE,
    MOST_HIGH,
    NAMES,
    TOLD,
    key_of,
    scale_of,
    with_picture,
)
from grimalkin.printing.book.pen import DISC, Art, Pen, piece_art, plan_art, table_art
from grimalkin.printing.book.setting import BODY, Block, blocks, close_item, stacked
from grimalkin.printing.book.writer import WORDS, Writer
from grimalkin.printing.draw.tags import NUMBERED
from grimalkin.printing.face.callouts import NOT_DRAWN, Numbered, Place, no_face, numbered, pointed, pointed_on_map
from grimalkin.printing.face.plans import detail, detail_between, picture_of, place_on
from grimalkin.printing.face.views import draws_table
from grimalkin.source import At

SIGN: Final = 2 * DISC + 1.6
"""The width of an entry's number, in millimetres."""
BETWEEN: Final = 4.0
"""The gap between the columns of a key."""
TALLEST, LEAST_TALL = 108.0, 60.0
"""The greatest height of a labelled picture with its key, on one page; and the least height of the picture."""
SAMPLE, A_ROW = 19.0, 6
"""The height of the faces that show the contents of the box, in millimetres, and the most faces in a row."""
PIECE: Final = 38.0
"""The height of a piece with numbers."""


def learn(book: Writer) -> list[Slab]:
    """Set the chapter, which begins with the contents of the box; without learn.yaml, it contains nothing else."""
    told = book.game.learn
    if told is None:
        found = _box(book)
        return [*book.chapter(WORDS["box"], "box"), *found] if found else []
    book.at("learn.yaml")
    title = told.title or WORDS["learn"]
    slabs = book.chapter(title, "learn")
    slabs += _text(book, told.about)
    found = _box(book)
    slabs += [*_head(book, title, "box"), *found] if found else []
    for number, piece in enumerate(told.pieces):
        slabs += _piece(book, title, piece, ("pieces", number))
    if told.setup:
        slabs += [*_head(book, title, "setup"), *_listed(book, told.setup.steps), *_laid_out(book, told)]
    steps = _listed(book, told.round)
    slabs += [*_head(book, title, "round"), *steps] if steps else []
    if told.told:
        slabs += [*_head(book, title, "told"), *_text(book, told.told.text)]
        for moment in told.told.moments:
            slabs += _moment(book, told.told.playthrough, moment)
    later = _listed(book, told.later, "•")
    slabs += [*_head(book, title, "later"), *later] if later else []
    return slabs


def _box(book: Writer) -> list[Slab]:
    """Set every deck, with one of its faces and the number of its pieces."""
    shown: list[tuple[Art, str]] = []
    for deck in book.game.info.decks:
        faces = (book.looks.faces.get(f"{row.id}-front") for row in book.game.components[deck.id])
        face = next((face for face in faces if face), None)
        if face:
            shown.append((piece_art(face), f"{deck.count}\N{NO-BREAK SPACE}× {literal(deck.name)}"))
    many = -(-len(shown) // max(1, -(-len(shown) // A_ROW)))  # rows are of equal length
    rows = [shown[at : at + many] for at in range(0, len(shown), max(1, many))]
    tall = SAMPLE * (2 if len(rows) == 1 else 1)
    slabs = [book.row_of([art for art, _ in row], [name for _, name in row], tall, NAMES, True) for row in rows]
    return [replace(slab, floats=False) for slab in slabs]


def _head(book: Writer, chapter: str, key: str) -> list[Slab]:
    return book.ribboned(WORDS[key], f"learn-{key}", (chapter, ""))


def _text(book: Writer, text: str) -> list[Slab]:
    return book.setter.text(book.setter.taught(text), BODY, book.room)


def _listed(book: Writer, lines: Sequence[str], sign: str = "{}.") -> list[Slab]:
    """Set the lines meant for books as a list, numbered or with another sign."""
    lines = [line for line in lines if book.setter.decided(line).strip()]
    slabs: list[Slab] = []
    for number, line in enumerate(lines, 1):
        item = Block(_joined(book, line), sign.format(number), 1)
        slabs += book.setter.item(item, BODY, book.room, number == 1, number == len(lines))
    return slabs


def _joined(book: Writer, text: str) -> str:
    """Return the paragraphs of a text as one."""
    return " ".join(block.text for block in blocks(book.setter.decided(book.setter.taught(text))))


# Pictures with numbers


def _laid_out(book: Writer, told: LearnFile) -> list[Slab]:
    """Set the position after the set-up, with numbers and their key."""
    setup, game = told.setup, book.game
    if not setup or not setup.position:
        return []
    positions = _positions(book, setup.position.of)
    position = positions[setup.position.after] if setup.position.after < len(positions) else {}
    picture = picture_of(game)
    found = picture(game.facts, position, {}) if picture and position else None
    if found:
        shown = detail(game, found._replace(around=(), whole=True))
        art = plan_art(book.looks, shown)
        places, misfits = pointed_on_map(setup.labels, ("setup",), partial(place_on, shown))
        _tell(book, misfits)
        return _labelled(book, art, setup.labels, places, book.room)
    if not position or not draws_table(book.looks.composer):
        _tell(book, [NOT_DRAWN])
        return []
    art = table_art(book.looks.composer, position, WORDS["setup"])
    return _labelled(book, art, setup.labels, _pointed(book, art, setup.labels, ("setup",)), book.room)


def _piece(book: Writer, chapter: str, piece: FirstPiece, at: At) -> list[Slab]:
    """Set a piece with numbers around it, under a separate heading."""
    slabs = book.ribboned(literal(piece.title), f"learn-{'-'.join(map(str, at))}", (chapter, ""))
    slabs += _text(book, piece.text)
    face = book.looks.faces.get(f"{piece.piece}-{piece.side}")
    if face is None:
        _tell(book, [no_face(piece, at)])
        return slabs
    art = piece_art(face)
    scale = min(PIECE / art.height, 0.9 * book.room / art.width)
    return slabs + _labelled(book, art, piece.labels, _pointed(book, art, piece.labels, at), art.width * scale)


def _pointed(book: Writer, art: Art, labels: Sequence[Label], at: At) -> list[Place]:
    """Return the places on a face that labels point at."""
    places, misfits = pointed(book.looks.face(art), labels, at)
    _tell(book, misfits)
    return places


def _tell(book: Writer, misfits: Sequence[Misfit]) -> None:
    """Report faults in learn.yaml as problems. The book is still set to the end, so that all are found."""
    for at, message, hint in misfits:
        book.looks.composer.problems.add(book.game.place("learn.yaml", at), message, hint)


def _labelled(book: Writer, art: Art, labels: Sequence[Label], places: Sequence[Place], wide: float) -> list[Slab]:
    """Set a picture with numbers around it, and its key below it, or beside it if it is narrow."""
    if len(places) < len(labels):
        return []  # reported as a problem
    if not labels:
        scale = min(wide / art.width, TALLEST / art.height)
        return [Slab(art.height * scale, lambda pen, x, y: pen.art(art, x, y, scale), before=2.6)]
    laid = numbered(art.width, art.height, places)
    below = _key(book, labels, book.room, 2)
    scale = min(wide / art.width, book.room / laid.width, max(LEAST_TALL, TALLEST - below.height) / laid.height)
    figure = Slab(laid.height * scale, partial(_draw_numbered, art, laid, scale), before=2.6)
    across = laid.width * scale
    if below.height > MOST_HIGH - LEAST_TALL:  # more text than fits on a page
        return [figure, *(replace(entry, before=1.1) for entry in _entries(book, labels, book.room))]
    if across < 0.5 * book.room:
        rest = book.room - across - BETWEEN
        key = _key(book, labels, rest, 1)
        height = max(figure.height, key.height)

        def draw(pen: Pen, x: float, y: float) -> None:
            figure.draw(pen, x, y + (height - figure.height) / 2)
            key.draw(pen, x + across + BETWEEN, y + (height - key.height) / 2)

        return [Slab(height, draw, before=2.6, floats=True)]
    both = stacked([figure, replace(below, before=1.8)])
    return [replace(both, before=2.6, floats=True)]


def _draw_numbered(art: Art, laid: Numbered, scale: float, pen: Pen, x: float, y: float) -> None:
    pen.art(art, x + laid.left * scale, y + laid.top * scale, scale)
    for one in laid.marks:
        to = (x + one.to_x * scale, y + one.to_y * scale)
        pen.number(one.number, x + one.x * scale, y + one.y * scale, to)


def _key(book: Writer, labels: Sequence[Label], room: float, columns: int) -> Slab:
    """Set the key in columns, each to be read downwards before the next."""
    wide = (room - BETWEEN * (columns - 1)) / columns
    parts = _parted([stacked(lines) for lines in _entries_of(book, labels, wide)], columns)
    stacks = [stacked([replace(one, before=1.1) for one in part]) for part in parts if part]

    def draw(pen: Pen, x: float, y: float) -> None:
        for number, one in enumerate(stacks):
            one.draw(pen, x + SIGN + number * (wide + BETWEEN), y)

    return Slab(max(one.height for one in stacks), draw)


def _entries(book: Writer, labels: Sequence[Label], room: float) -> list[Slab]:
    """Set the key line by line, so that it can be divided between pages."""
    lines = [line for entry in _entries_of(book, labels, room) for line in entry]
    return [replace(line, draw=partial(_moved, line)) for line in lines]


def _moved(line: Slab, pen: Pen, x: float, y: float) -> None:
    line.draw(pen, x + SIGN, y)


def _entries_of(book: Writer, labels: Sequence[Label], wide: float) -> list[list[Slab]]:
    """Set the lines of each entry, tagged as items of a list."""
    entries = []
    for number, label in enumerate(labels, 1):
        begin: Draw = partial(_open_entry, number, number == 1)
        end: Draw = partial(close_item, number == len(labels))
        entries.append(
            book.setter.paragraph(Block(_joined(book, label.text)), TOLD, wide - SIGN, 0.0, "LBody", begin, end)
        )
    return entries


def _parted(entries: Sequence[Slab], columns: int) -> list[list[Slab]]:
    """Divide entries into columns of about the same height."""
    if columns == 1:
        return [list(entries)]
    ways = [(entries[:at], entries[at:]) for at in range(1, len(entries) + 1)]
    best = min(ways, key=lambda way: max(sum(one.height + 1.1 for one in part) for part in way))
    return [list(part) for part in best]


def _open_entry(number: int, is_first: bool, pen: Pen, x: float, y: float) -> None:
    pen.open_list("L", is_first, NUMBERED)
    pen.open("LI")
    with pen.leaf("Lbl"):
        pen.disc(number, x - SIGN + DISC, y + DISC + 0.25)


# An example round


def _positions(book: Writer, id_: str) -> list[dict[str, object]]:
    trace, read = book.traces.get(id_), book.game.scripts.get(id_)
    return [dict(position) for position, _ in positions_of(trace, read.steps)] if trace and read else []


def _moment(book: Writer, playthrough: str, moment: Moment) -> list[Slab]:
    """Set a few moves, with the position after them: a map beside the words, or a table below them."""
    positions = _positions(book, playthrough)
    if not moment.picture or moment.last >= len(positions):
        return _text(book, moment.text)
    before, after = positions[moment.first - 1], positions[moment.last]
    shown = detail_between(book.game, before, after)
    if shown:
        art, more = plan_art(book.looks, shown), key_of(shown)
    elif draws_table(book.looks.composer):
        art, more = _table_after(book, before, after), []
    else:
        return _text(book, moment.text)

    def words(room: float) -> list[Slab]:
        type_ = BODY._replace(filled=room == book.room)  # a narrow column would have gaps if it were justified
        text = book.setter.text(book.setter.taught(moment.text), type_, room)
        return [*text, *(slab for line in more for slab in book.setter.text(line, KEY, room))]

    scale = scale_of(book, art, book.room)
    laid = with_picture(words, art, scale, book.room)
    if art.width * scale <= MOST_ACROSS and laid.height <= MOST_BESIDE:
        return [replace(laid, before=3.2)]
    first, *rest = _text(book, moment.text)
    keys = [slab for line in more for slab in book.setter.text(line, KEY, book.room)]
    seen = Slab(art.height * scale, lambda pen, x, y: pen.art(art, x, y, scale), before=1.6)
    return [replace(first, calls=True), *rest, replace(stacked([*keys, seen]), before=2.6, floats=True)]


def _table_after(book: Writer, before: Mapping[str, Any], after: Mapping[str, Any]) -> Art:
    """Return the table after a few moves, with only the seats that changed if its template can leave seats out."""
    now, then = after.get("seats"), before.get("seats")
    names: list[str] = []
    if book.game.info.table.rows and isinstance(now, Mapping) and isinstance(then, Mapping):
        names = [name for name in now if now[name] != then.get(name)]
    alt = WORDS["table-of"].format(names=", ".join(map(literal, names))) if names else WORDS["table"]
    return table_art(book.looks.composer, after, alt, names)
