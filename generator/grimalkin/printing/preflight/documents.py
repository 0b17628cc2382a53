"""Draw the finished PDFs of a game, sheets and books, read them back, and check them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grimalkin.content import Game, replay_all
from grimalkin.content.stocks import Paper
from grimalkin.engine.replay import Keep
from grimalkin.games import guarded
from grimalkin.output.printout import Rulebook
from grimalkin.printing.book.make import TALL, Kind
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.quick_card import quick_faces
from grimalkin.printing.preflight.findings import Finding
from grimalkin.printing.preflight.readback import Box, Document, Page, read_pdf
from grimalkin.printing.sheet.booklets import A5, quick_pdf
from grimalkin.printing.sheet.cover import cover_of
from grimalkin.printing.sheet.document import sheet_pdf
from grimalkin.printing.sheet.impose import impose
from grimalkin.printing.sheet.pieces import FacesOf, Sheet, Slot, pieces_of
from grimalkin.printing.sheet.settings import Edition, Settings
from grimalkin.problems import Place, Problems, Stop, shown_path

TOLERANCE = 0.01
"""Millimetres: no printer is this precise."""
NEAR = 0.5
"""Millimetres within which a mark or a face still counts as belonging to a slot, though misplaced."""


@dataclass(frozen=True)
class Printed:
    """Sheets as laid out, and the real contents of their PDF."""

    game: Game
    paper: Paper
    inks: str
    sheets: Sequence[Sheet]
    document: Document
    what: str = "sheets"

    def finding(self, check: str, where: str, message: str, remedy: str) -> Finding:
        ink = "" if self.inks == "full" else f" ({self.inks} ink)"
        place = self.game.own_place
        return Finding(check, f"{self.what} on {self.paper.name}{ink}, {where}", place, message, remedy)

    def pages(self) -> Iterator[tuple[str, Sheet, Page]]:
        """Yield every sheet with its page; skip pages before the sheets."""
        before = len(self.document.pages) - len(self.sheets)
        for number, (sheet, page) in enumerate(zip(self.sheets, self.document.pages[before:], strict=True), before + 1):
            yield f"page {number}", sheet, page


def print_all(game: Game, paper: Paper, composer: Composer, faces: FacesOf, problems: Problems) -> Printed:
    """Lay out every piece of a game on a paper, draw it, and read it back."""
    settings = Settings(inks=composer.shared["inks"])
    place = game.own_place
    sheets = impose(pieces_of(game, composer.stocks), paper, settings, place, problems)
    return Printed(game, paper, settings.inks, sheets, draw_and_read(game, paper, composer, faces, settings, sheets))


def draw_and_read(
    game: Game, paper: Paper, composer: Composer, faces: FacesOf, settings: Settings, sheets: Sequence[Sheet]
) -> Document:
    """Draw sheets and the cover before them, and read them back."""
    edition = Edition.of(game)
    cover = cover_of(game, sheets, paper, settings, composer, edition, faces=faces)
    return read_pdf(sheet_pdf(game, sheets, paper, settings, faces, edition, cover=cover))


def check_pieces(printed: Printed) -> Iterator[Finding]:
    """Yield components with more or fewer correctly placed faces in the PDF than in the tables."""
    found: Counter[str] = Counter()
    for where, sheet, page in printed.pages():
        places = [box for slot in sheet.slots for box in _face_boxes(slot)]
        if len(page.faces) != len(places):
            message = f"{len(page.faces)} faces are on the page, but {len(places)} belong there"
            yield printed.finding("pieces", where, message, "report this to the makers of Grimalkin")
        for slot in sheet.slots:
            first = sheet.tile is None or (sheet.tile.column, sheet.tile.row) == (1, 1)
            found[slot.piece.id] += first and slot.side == "front" and _face_at(page, slot) is not None
    for deck in printed.game.info.decks:
        for row in printed.game.components[deck.id]:
            if found[row.id] != row.count:
                message = f"{found[row.id]} of {row.id} are on the sheets, but the table has {row.count}"
                yield printed.finding("pieces", deck.id, message, "print with the counts in the table")
        total = sum(found[row.id] for row in printed.game.components[deck.id])
        if total != deck.count:
            message = f"the sheets have {total} pieces, but the count in game.yaml is {deck.count}"
            yield printed.finding("pieces", deck.id, message, "make the table and the count agree")


def check_trim(printed: Printed) -> Iterator[Finding]:
    """Yield faces and cutting marks that are not on the cut."""
    for where, sheet, page in printed.pages():
        off: list[float] = []
        lost: list[str] = []
        for slot in sheet.slots:
            box = _face_at(page, slot)
            if box is not None:
                off.append(_distance(box, _face_boxes(slot)[0]))
            for at in _mark_distances(page, slot):
                if at is None:
                    lost.append(slot.piece.id)
                else:
                    off.append(at)
        if off and max(off) > TOLERANCE:
            message = f"faces and marks are up to {max(off):.3f} mm away from where the cut runs"
            yield printed.finding("trim", where, message, f"at most {TOLERANCE:g} mm")
        for id_, count in Counter(lost).items():
            message = f"{count} edges of {id_} have no mark in line with them"
            yield printed.finding("trim", where, message, "every cut needs a mark")


def check_registration(printed: Printed) -> Iterator[Finding]:
    """Yield backs whose trim, seen through the leaf, does not meet the trim of a front."""
    by_leaf = {(sheet.leaf, sheet.side): (where, sheet, page) for where, sheet, page in printed.pages()}
    for (leaf, side), (where, sheet, page) in by_leaf.items():
        if side == "front" or (leaf, "front") not in by_leaf:
            continue
        _, front_sheet, front_page = by_leaf[leaf, "front"]
        fronts = [box for slot in front_sheet.slots if (box := _face_at(front_page, slot))]
        for slot in sheet.slots:
            box = _face_at(page, slot)
            if box is None:
                continue  # `check_pieces` counts it
            # When a leaf is turned over its long edge, left becomes right.
            met = (page.width - box[2], box[1], page.width - box[0], box[3])
            off = min((_distance(met, front) for front in fronts), default=NEAR)
            if off > TOLERANCE:
                message = f"the back of {slot.piece.id} is {off:.3f} mm away from its front"
                yield printed.finding("registration", where, message, f"at most {TOLERANCE:g} mm")


def check_fonts(printed: Printed) -> Iterator[Finding]:
    """Yield fonts that are not in the PDF or cannot be searched, and text with characters that its font lacks."""
    for name, lack in printed.document.fonts.items():
        if lack:
            yield printed.finding("fonts", "fonts", f"{name} {lack}", "embed it, with its table of characters")
    for number, page in enumerate(printed.document.pages, 1):
        for text in page.missing:
            message = f'"{text}" has characters (�) that its font lacks'
            yield printed.finding("fonts", f"page {number}", message, "use another character, or another font")


def check_tags(printed: Printed) -> Iterator[Finding]:
    """Yield features missing for people who listen to the PDF: language, headings, alternative texts, structure."""
    document = printed.document
    if not document.language:
        yield printed.finding("tags", "document", "no language is set", "set one")
    if not document.marked:
        yield printed.finding("tags", "document", "it is not marked as tagged", "mark it in the catalog")
    kinds = [kind for kind, _ in document.elements]
    if not any(kind in ("H", "H1") for kind in kinds):
        yield printed.finding("tags", "document", "there is no first-level heading", "tag the title as H1")
    bare = sum(kind == "Figure" and not alt for kind, alt in document.elements)
    if bare:
        message = f"{bare} figures have no alternative text"
        yield printed.finding("tags", "document", message, "describe them, or make them artifacts")
    for number, page in enumerate(document.pages, 1):
        where = f"page {number}"
        if page.loose:
            message = f"{page.loose} painting operators are neither in the structure nor an artifact"
            yield printed.finding("tags", where, message, "tag them")
        known = document.rows.get(page.structure, 0) if page.structure is not None else 0
        if page.ids and max(page.ids) >= known:
            message = f"{max(page.ids) + 1 - known} pieces of marked content are not in the structure tree"
            yield printed.finding("tags", where, message, "give them a parent")


# Measuring


def _face_boxes(slot: Slot) -> list[Box]:
    """Return the boxes for the faces of a slot: one, or the two of a piece that folds, front first."""
    stock = slot.piece.stock
    if stock.fold == "none":
        return [slot.trim]
    left, top, right, foot = slot.trim
    flap, face = stock.foot, stock.height
    # From the top of the strip: foot, back, front, foot.
    if slot.turn in (0, 180):
        halves = [(left, foot - flap - face, right, foot - flap), (left, top + flap, right, top + flap + face)]
    else:
        halves = [(right - flap - face, top, right - flap, foot), (left + flap, top, left + flap + face, foot)]
    return halves if slot.turn in (0, 90) else halves[::-1]


def _face_at(page: Page, slot: Slot) -> Box | None:
    """Return the real box of a slot's face on a page; None if no face is near the slot."""
    stock = slot.piece.stock
    wanted = _face_boxes(slot)[0]
    boxes = [face.box(stock.width, stock.height) for face in page.faces]
    near = min(boxes, key=lambda box: _distance(box, wanted), default=None)
    return near if near is not None and _distance(near, wanted) < NEAR else None


def _mark_distances(page: Page, slot: Slot) -> Iterator[float | None]:
    """Yield, for each cut of a slot, the distance by which the nearest mark is out of line; None if there is no mark.

    Skip the marks of hexagons and board tiles, which point at corners and joins.
    """
    if slot.side == "back" and slot.piece.stock.shape != "rectangle":
        return  # the cut follows one side, and a round back needs no line
    left, top, right, foot = slot.trim
    if slot.piece.stock.shape == "circle":
        yield _nearest(_distance(box, slot.trim) for box in page.rounds)
    elif slot.piece.stock.shape == "rectangle" and slot.window is None:
        for x in (left, right):
            yield _nearest(max(abs(a - x), abs(b - x)) for a, _, b, _ in page.lines)
        for y in (top, foot):
            yield _nearest(max(abs(a - y), abs(b - y)) for _, a, _, b in page.lines)


def _nearest(distances: Iterator[float]) -> float | None:
    found = min(distances, default=NEAR)
    return found if found < NEAR else None


def _distance(one: Box, other: Box) -> float:
    """Return the largest distance between the edges of two boxes."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def rulebook_of(game: Game, composer: Composer, faces: Mapping[str, Face], problems: Problems) -> Rulebook | None:
    """Return the rulebook with its examples replayed; None if one of its templates is faulty."""
    try:
        with guarded(game.engine):
            return Rulebook(game, replay_all(game, Problems(), Keep.POSITIONS), composer, faces, {})
    except Stop as stop:
        problems.extend(stop.problems)
        return None


def print_books(rulebook: Rulebook, composer: Composer, faces: Mapping[str, Face], paper: Paper) -> Iterator[Printed]:
    """Yield the book for a screen, the booklet on a paper, and the quick-reference card, each read back."""
    game, inks = composer.game, composer.inks
    forms: tuple[tuple[Kind, Paper], ...] = (("screen", A5), ("booklet", paper))
    for kind, on in forms:
        papers = {paper.name: paper} if kind == "booklet" else {}
        for data in rulebook.files(composer, faces, papers, [kind]).values():
            yield Printed(game, on, inks, (), read_pdf(data), "the rulebook")
    sides = quick_faces(composer)
    if sides:
        card = quick_pdf(game, sides, paper, Settings(inks=inks), Edition.of(game))
        if card:
            yield Printed(game, paper, inks, (), read_pdf(card), "the quick-reference card")


def check_book(rulebook: Rulebook) -> Iterator[Finding]:
    """Yield pages with too much on them: a picture or a box that cannot be split."""
    place = Place(shown_path(rulebook.game.folder / "rules.yaml"))
    for number, leaf in enumerate(rulebook.book.leaves, 2):
        over = leaf.foot - TALL
        if over > 0.05:
            rules = ", ".join(dict.fromkeys(number for _, number in leaf.heads if number))
            told = f"the content is {over:.0f} mm taller than the page{f' (rule {rules})' if rules else ''}"
            yield Finding(
                "book", f"the rulebook, page {number}", place, told, "make the picture shorter, or cut some text"
            )
