"""Make one PDF from sheets: every component of a game on one paper, with tags, bookmarks, page boxes and metadata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from grimalkin import __version__
from grimalkin.content import Game
from grimalkin.content.stocks import Paper
from grimalkin.printing.draw.canvas import PackedCanvas, Sides
from grimalkin.printing.draw.masters import Masters
from grimalkin.printing.draw.pdf import MM, Drawer, new_canvas
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.face import Face
from grimalkin.printing.face.svg.paths import Matrix, box_through
from grimalkin.printing.sheet.correction import corrected
from grimalkin.printing.sheet.impose import printable
from grimalkin.printing.sheet.labels import RULE_WORDS, Label, Words, draw_label, draw_rule, lay_out
from grimalkin.printing.sheet.marks import CutOrder, around, cut_order, draw_numbers, mark_code, marks_of
from grimalkin.printing.sheet.pieces import Box, FacesOf, Sheet, Side, Slot, face_matrix
from grimalkin.printing.sheet.settings import PAGES, Edition, Settings, back_matrix, front_matrix
from grimalkin.problems import Problems
from grimalkin.problems.plain import spans
from grimalkin.source import short_digest
from grimalkin.source.colours import Ink

if TYPE_CHECKING:
    from grimalkin.content.cutters import CutterTemplate
    from grimalkin.printing.sheet.cover import Cover

MOST_NAMES = 4
"""The maximum number of decks named in the title of a sheet."""


def sheet_pdf(
    game: Game,
    sheets: Sequence[Sheet],
    paper: Paper,
    settings: Settings,
    faces: FacesOf,
    edition: Edition,
    cutters: Mapping[str, CutterTemplate] | None = None,
    cover: Cover | None = None,
    tick: Callable[[], None] = lambda: None,
    what: str = "sheets to print and cut",
    names: Mapping[str, str] = MappingProxyType({}),
    masters: Masters | None = None,
) -> bytes:
    """Return the sheets as a PDF. `tick` is called after each sheet, for progress. PDFs may share masters.

    `what` describes the file in its title; `names` gives the names of decks that are not in the game.
    """
    canvas = new_canvas((paper.width * MM, paper.height * MM), inks=settings.inks, condition=settings.condition)
    title = game.info.title
    ways = "".join(f", {way}" for way in ("mirrored" * settings.mirror, settings.said_scale) if way)
    describe(canvas, game, f"{what}{ways}, {paper.name}", f"print and play, {title}, {paper.name}")
    canvas.print_on(_sides(settings))
    canvas.showOutline()
    tags = Tags(canvas)
    document = _Document(game, sheets, paper, settings, faces, edition, cutters or {}, canvas, tags, names, masters)
    if cover is not None:
        from grimalkin.printing.sheet.cover_pages import draw_cover

        canvas.bookmarkPage("cover")
        canvas.addOutlineEntry("Cover and checklist", "cover", 0)
        draw_cover(canvas, paper, cover, tags, document.drawer, document.correction("front"))
        document.page = document.before = PAGES
    for sheet, shape in zip(sheets, document.shapes, strict=True):
        document.draw(sheet, shape)
        tick()
    return finished(canvas, game)


def finished(canvas: PackedCanvas, game: Game) -> bytes:
    """Return a document. Raise Stop with every face and colour that its print shop does not allow."""
    condition, problems = canvas.condition, Problems()
    for ink in canvas.colours.excess.values():
        names = [name for name, colour in game.info.palette.items() if colour.endswith(f" {ink}")]
        which = f"the colour {names[0]}, {ink.written}," if names else ink.written
        told = f"{which} has {ink.total:g} % of ink; the shop allows {condition.limit if condition else 0} %"
        problems.add(game.own_place, told, "take less of some inks, or give another --ink-limit")
    spots: dict[str, Ink] = {}
    for ink in canvas.colours.spots.values():
        first = spots.setdefault(ink.name, ink)
        if (first.kind, first.cmyk) != (ink.kind, ink.cmyk):
            told = f'the spot colour "{ink.name}" is written in two ways, {first.written} and {ink.written}'
            problems.add(game.own_place, told, "name it once in the palette")
    if condition and condition.standard == "x1a":
        for id_, name in canvas.veiled.items():
            row, _, side = id_.rpartition("-")
            place = game.place(row) if row in game.by_id else game.own_place
            hint = "remove opacity, masks and transparent parts of pictures, or print it as PDF/X-4"
            problems.add(place, f'the {side} of "{name}" has transparency, which PDF/X-1a does not allow', hint)
    problems.stop()
    return canvas.pdf()


def describe(canvas: PackedCanvas, game: Game, what: str, keywords: str) -> None:
    """Set the metadata of a file: its title says that it is `what` of the game, and viewers print it at 100 %."""
    info = game.info
    author = ", ".join(dict.fromkeys(credit.name for credit in info.credits))
    about = f"{'Unofficial reference. ' if info.our_work else ''}Print at 100 %."
    canvas.describe(
        f"{game.marked_title}: {what}", author, f"{info.tagline}. {about}" if info.tagline else about, keywords
    )


@dataclass
class _Document:
    """A canvas with everything needed to draw the sheets on it."""

    game: Game
    sheets: Sequence[Sheet]
    paper: Paper
    settings: Settings
    faces: FacesOf
    edition: Edition
    cutters: Mapping[str, CutterTemplate]
    canvas: PackedCanvas
    tags: Tags
    more_names: Mapping[str, str]
    masters: Masters | None

    def __post_init__(self) -> None:
        self.drawer = Drawer(self.canvas, self.tags, masters=self.masters)
        self.names = {**self.more_names, **{deck.id: deck.name for deck in self.game.info.decks}}
        self.uses = Counter(slot.piece.id for sheet in self.sheets for slot in sheet.slots if slot.side == "front")
        self.fronts = {sheet.leaf: sheet for sheet in self.sheets if sheet.side == "front"}
        known: dict[object, int] = {}
        self.shapes = [known.setdefault(_shape(sheet), len(known)) for sheet in self.sheets]
        """A number for each sheet; sheets with the same have the same marks."""
        self.alike = Counter(self.shapes)
        self.cuts: dict[int, CutOrder] = {}
        """The order of cuts by shape."""
        self.room = printable(self.paper, self.settings)
        self.forms: dict[object, str] = {}
        self.marked: set[str] = set()
        self.page = 0
        """The number of pages drawn so far."""
        self.before = 0
        """The number of pages before the sheets."""
        self.shown: list[str] = []
        """Fingerprints of the faces on the current page."""

    def draw(self, sheet: Sheet, shape: int) -> None:
        canvas, tags = self.canvas, self.tags
        if shape not in self.cuts:
            self.cuts[shape] = cut_order(sheet, self.room)
        for deck in sheet.decks:
            if deck not in self.marked:
                self.marked.add(deck)
                canvas.bookmarkPage(deck)
                canvas.addOutlineEntry(self.names[deck], deck, 0)
        tags.open("Sect", title=self.title(sheet))
        correction = self.correction(sheet.side)
        self.set_boxes(sheet, correction)
        with corrected(canvas, tags, correction):
            self.draw_page(sheet, shape)
        tags.close()
        canvas.showPage()
        self.page += 1

    def draw_page(self, sheet: Sheet, shape: int) -> None:
        """Draw the pieces of a sheet, its marks and its label."""
        canvas, tags, paper = self.canvas, self.tags, self.paper
        told = tags.told()
        first = self.page == 0
        self.shown.clear()
        for slot in sheet.slots:
            self.draw_slot(slot, "H2" if first else "H3")
        words = lay_out(self.label(sheet, self.cuts[shape]), sheet, paper, self.room, self.strips(sheet))
        with tags.leaf(None):  # after the faces: some styles of mark are in the bleed
            self.draw_marks(sheet, shape, words)
        # On top of everything, but read first.
        draw_label(canvas, paper, words, tags, "H1" if first else "H2", told)

    def correction(self, side: Side) -> Matrix | None:
        """Return how the printer's profile moves a side, in points; None if it stays where it is."""
        printer = self.settings.printer
        if printer is None or (side == "front" and not printer.moves_fronts):
            return None
        is_back = side == "back" and not self.settings.is_one_sided
        return back_matrix(printer, self.paper) if is_back else front_matrix(printer, self.paper)

    def draw_slot(self, slot: Slot, heading: str) -> None:
        """Draw the face of a slot; for a piece that folds, draw both faces, head to head across the fold."""
        front, back = self.faces(slot.piece)
        stock = slot.piece.stock
        repeated = slot.side == "back" or self.uses[slot.piece.id] > 1
        matrix = face_matrix(slot)
        if slot.is_mirrored:
            a, b, c, d, e, f = matrix
            matrix = (-a, -b, c, d, a * stock.width + e, b * stock.width + f)
        if stock.fold == "none":
            face = front if slot.side == "front" else back
            if face is not None and slot.cell:
                points = " ".join(
                    f"{x * MM:.4f} {(self.paper.height - y) * MM:.4f} {'l' if index else 'm'}"
                    for index, (x, y) in enumerate(slot.cell)
                )
                self.canvas.emit(f"q {points} h W n")
                self.draw_face(face, matrix, slot.bleed, repeated, heading)
                self.canvas.emit("Q")
            elif face is not None:
                full = slot.window is None and slot.cell is None and all(room == stock.bleed for room in slot.room)
                clip = None if full else slot.window or slot.bleed
                self.draw_face(face, matrix, clip, repeated, heading)
            return
        a, b, c, d, e, f = matrix
        fold, bleed = stock.foot + stock.height, stock.bleed
        # An upright face has its own sides beside it; below it is the foot, or the room below a tent.
        left, right = slot.room[::2] if slot.turn == 0 else (slot.room[3], slot.room[1])
        if slot.is_mirrored:
            left, right = right, left
        head, foot = (bleed, bleed) if stock.foot else slot.room[1::2] if slot.turn == 0 else slot.room[::2]
        if front is not None:
            lower = (-left, fold, stock.width + right, fold + stock.height + foot)
            moved = (a, b, c, d, c * fold + e, d * fold + f)
            self.draw_face(front, moved, box_through(matrix, lower), repeated, heading)
        if back is not None:
            upper = (-left, fold - stock.height - head, stock.width + right, fold)
            turned = (-a, -b, -c, -d, a * stock.width + c * fold + e, b * stock.width + d * fold + f)
            self.draw_face(back, turned, box_through(matrix, upper), repeated, heading)

    def draw_face(
        self,
        face: Face,
        matrix: Matrix,
        clip: Box | None,
        repeated: bool,
        heading: str,
    ) -> None:
        """Draw a face by its matrix in millimetres from the upper left of the page, and only within `clip`."""
        self.shown.append(face.fingerprint)
        a, b, c, d = (part * self.settings.factor for part in matrix[:4])
        e, f, height = *matrix[4:], self.paper.height
        points = (a * MM, -b * MM, c * MM, -d * MM, e * MM, (height - f) * MM)
        box = (clip[0] * MM, (height - clip[3]) * MM, clip[2] * MM, (height - clip[1]) * MM) if clip else None
        self.drawer.draw(face, points, box, repeated, heading)

    def draw_marks(self, sheet: Sheet, shape: int, words: Words) -> None:
        """Draw marks, numbers, the rule and registration marks. Sheets with the same layout share them as a form."""
        canvas = self.canvas
        key = (shape, words.where, words.rule, words.room)
        name = self.forms.get(key)
        if name is None:
            shared = self.alike[shape] > 1
            if shared:
                name = self.forms[key] = f"marks{len(self.forms)}"
                canvas.beginForm(name, 0, 0, self.paper.width * MM, self.paper.height * MM)
            canvas.emit(self.mark_code(sheet, words.room))
            if self.settings.marks != "none":
                draw_numbers(canvas, sheet, self.cuts[shape], self.paper)
            draw_rule(canvas, self.paper, words)
            if sheet.template and sheet.side == "front" and self.settings.marks != "none":
                from grimalkin.printing.sheet.cutting import draw_registration

                draw_registration(canvas, self.cutters[sheet.template], self.paper)
            if shared:
                canvas.endForm()
        if name is not None:
            canvas.doForm(name)

    def mark_code(self, sheet: Sheet, room: Box) -> str:
        """Return the operators of a sheet's marks."""
        style, paper = self.settings.marks, self.paper

        def draw() -> str:
            return mark_code(marks_of(sheet, style, room), paper)

        return self.masters.once((_shape(sheet), style, room, paper), draw) if self.masters else draw()

    def strips(self, sheet: Sheet) -> tuple[Box, Box] | None:
        """Return the strips that a machine leaves free for text."""
        if not sheet.template:
            return None
        from grimalkin.printing.sheet.cutting import label_strips

        return label_strips(self.cutters[sheet.template])

    def set_boxes(self, sheet: Sheet, correction: Matrix | None) -> None:
        """Set TrimBox and BleedBox around the trims and bleeds of all pieces; a blank back keeps the full page."""
        width, height = self.paper.width, self.paper.height
        trim = bleed = (0.0, 0.0, width, height)
        if sheet.slots:
            trim, bleed = around(sheet.slots, bleed=False), around(sheet.slots)
        for box, set_box in ((trim, self.canvas.setTrimBox), (bleed, self.canvas.setBleedBox)):
            points = (box[0] * MM, (height - box[3]) * MM, box[2] * MM, (height - box[1]) * MM)
            set_box(box_through(correction, points) if correction and sheet.slots else points)

    def label(self, sheet: Sheet, order: CutOrder) -> Label:
        info, settings = self.game.info, self.settings
        total = len(self.sheets) + self.before
        parts = [
            _which(sheet),
            *([f"faces {short_digest(' '.join(self.shown).encode())}"] if self.shown else []),
            f"page {self.page + 1} of {total}",
            f"{self.paper.name}, print at 100 %{_how(settings, sheet)}",
        ]
        parts += [variant.name.lower() for variant in self.game.variants]
        if settings.mirror:
            parts.append("mirrored for transfers")
        if settings.said_scale:
            parts.append(f"pieces {settings.said_scale}")
        if settings.inks != "full":
            parts.append({"low": "low ink", "mono": "black only"}[settings.inks])
        if settings.condition is not None:
            parts.append(f"{settings.condition.space.upper()} for {settings.condition.profile.name}")
        if settings.printer is not None:
            parts.append(f"printer {settings.printer.name}: {settings.printer.moves}")
        parts.append(str(self.edition))
        parts.append(f"Grimalkin {__version__}{', unofficial reference' if info.our_work else ''}")
        rule = f"{RULE_WORDS}; pieces {settings.said_scale}" if settings.said_scale else RULE_WORDS
        return Label(self.title(sheet), " · ".join(parts), self.hint(sheet, order), rule)

    def title(self, sheet: Sheet) -> str:
        """Return the title of a sheet: the game, and the decks on the leaf."""
        names = [self.names[deck] for deck in self.fronts.get(sheet.leaf, sheet).decks]
        if len(names) > MOST_NAMES:
            names = [*names[: MOST_NAMES - 1], f"and {len(names) - MOST_NAMES + 1} more"]
        return f"{self.game.marked_title} · {', '.join(names)}" + (
            ", backs" if sheet.side == "back" and sheet.slots else ""
        )

    def hint(self, sheet: Sheet, order: CutOrder) -> str:
        """Return how to cut this sheet, or where it belongs if it is a back."""
        if sheet.template:
            return f"Cutting template {sheet.template}"
        if sheet.labels:
            return f"Labels {sheet.labels}"
        if sheet.tile:
            tile = sheet.tile
            column = tile.columns + 1 - tile.column if self.settings.mirror else tile.column
            place = f"column {column} of {tile.columns}, row {tile.row} of {tile.rows}"
            return f"{place}: cut along the dashed lines, lay the edge on the ticks of its neighbour, and glue"
        if self.settings.marks == "none":
            return ""
        if any(slot.cell for slot in sheet.slots):
            return "Cut the hexagons apart, then along the dashed lines"
        if any(slot.piece.stock.lines and slot.piece.stock.lines.creases for slot in sheet.slots):
            return "Score the dashed lines, then cut along the solid ones"
        return order.words


def _which(sheet: Sheet) -> str:
    """Return the number of the leaf and its side, in words."""
    if sheet.leaves:
        return f"Back of lea{'f' if len(sheet.leaves) == 1 else 'ves'} {spans(sheet.leaves)}"
    if sheet.fold:
        return f"Leaf {sheet.leaf}"
    return f"Leaf {sheet.leaf}, {sheet.side if sheet.slots else 'back, left blank'}"


def _sides(settings: Settings) -> Sides:
    """Return the sides of the paper that a printer prints on in one go."""
    if settings.backs != "duplex" or settings.same_backs_once:
        return "Simplex"
    return "DuplexFlipLongEdge" if settings.flip == "long" else "DuplexFlipShortEdge"


def _how(settings: Settings, sheet: Sheet) -> str:
    """Return printing instructions to follow "print at 100 %"."""
    if settings.backs == "duplex" and settings.same_backs_once:
        over = f", turned over the {settings.flip} edge"
        return over if sheet.side == "back" else " on one side; its back comes later"
    if settings.backs == "fold" and not sheet.fold:
        return " on one side"
    return {
        "duplex": f" on both sides, flip on the {settings.flip} edge",
        "apart": "; backs are in a separate file"
        + ("" if settings.is_one_sided else f", turned over the {settings.flip} edge"),
        "fold": " on one side and fold on the dotted line",
        "none": ", fronts only",
    }[settings.backs]


def _shape(sheet: Sheet) -> object:
    """Return a key that is the same for sheets with the same marks."""
    slots = tuple(
        (slot.x, slot.y, slot.turn, slot.room, slot.piece.stock, slot.window, slot.is_mirrored, slot.cell)
        for slot in sheet.slots
    )
    return (slots, sheet.side, sheet.fold, sheet.template, sheet.tile, sheet.block, sheet.is_precut)
