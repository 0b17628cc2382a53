"""Draw the pages of a book once, and put them into copies of any form: tagged lines of text, links and pictures.

The sizes of pictures are the same in all inks, and their drawings are not. Lengths are in millimetres from the upper
left corner of the page, type sizes in points.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from grimalkin.engine.replay import Trace
from grimalkin.printing.draw.canvas import PackedCanvas
from grimalkin.printing.draw.masters import Masters
from grimalkin.printing.draw.packing import MM, colour, row, short, text_string
from grimalkin.printing.draw.paint import START
from grimalkin.printing.draw.pdf import Drawer, Plate, Press, Prints
from grimalkin.printing.draw.shapes import common, path_operators
from grimalkin.printing.draw.tags import ARTIFACT, Tags
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.cropping import below, without_words
from grimalkin.printing.face.plans import Detail, plan_face, told_of
from grimalkin.printing.face.quick_card import quick_pages
from grimalkin.printing.face.svg.paths import IDENTITY, Box, Matrix, absolute_path, box_of_symbol, fitted
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.face.svg.xml import Element
from grimalkin.printing.face.views import find_cover_art, has_title, table_face, table_stock
from grimalkin.printing.type.bidi import is_bidi, parts_from_left
from grimalkin.printing.type.fit import POINT
from grimalkin.printing.type.fonts import SANS_BOLD, find_font
from grimalkin.printing.type.paragraphs import Line
from grimalkin.printing.type.shaping import line_width
from grimalkin.printing.type.words import Piece, Word, piece_width

WORDS = {"plan-alt": "Map {name}, squares {a} to {b}.", "plan-on": "{who} on {square}"}
"""Words that describe a part of a map."""


Span = tuple[str, float, float]
"""The target of a link, and its left and right edge in millimetres."""


@dataclass(frozen=True, eq=False)
class Art:
    """A picture that can be drawn in the inks of any book. Width and height are in millimetres at full size."""

    width: float
    height: float
    name: str
    alt: str
    make: Callable[[Looks], Face]


@dataclass
class Looks:
    """The appearance of a game in certain inks: the composer of its pictures, and the faces of its pieces."""

    composer: Composer
    faces: Mapping[str, Face]
    made: dict[Art, Face] = field(default_factory=dict)
    press: Press = field(default_factory=Press)
    """The press for the parts that all documents in these inks share."""
    masters: Masters = field(default_factory=Masters)
    """The drawings of whole pages."""
    plates: dict[Art, Plate] = field(default_factory=dict)
    """The plates of pictures, cut to their shapes."""
    books: dict[object, Mapping[int, Sequence[Mark]]] = field(default_factory=dict)
    """The pages of books, by book and number, drawn in these inks."""

    @cached_property
    def cover(self) -> Face | None:
        """Return the picture on the cover."""
        return find_cover_art(self.composer.game, self.composer)

    @cached_property
    def cut_art(self) -> Art | None:
        """Return the picture on the cover without words, for parts of it; the same as `cover_art` if it has none."""
        if self.cover is not None and has_title(self.composer):
            return _of_face(find_cover_art(self.composer.game, self.composer, titled=False))
        face = self.cover and without_words(self.cover)
        return self.cover_art if face is self.cover else _of_face(face)

    @cached_property
    def cover_art(self) -> Art | None:
        """Return the picture on the cover."""
        return _of_face(self.cover)

    @cached_property
    def quick(self) -> list[Face]:
        """Return the pages of the quick reference."""
        return quick_pages(self.composer)

    def face(self, art: Art) -> Face:
        """Return a picture in these inks, composed on demand. A fault in its template stops the command."""
        if art not in self.made:
            self.made[art] = art.make(self)
        return self.made[art]

    def plate(self, art: Art) -> Plate:
        """Return the plate of a picture in these inks, drawn on demand. From then on, its face is not needed."""
        if art not in self.plates:
            face = self.face(art)
            code, forms = self.press.face(face)
            made = Plate(f"{path_operators(face.stock.outline())} W n\n{code}", forms)
            if art is self.cut_art:  # chapters show parts of it
                made = self.press.form("cover", made, (0, 0, art.width, art.height))
            self.plates[art] = made
            del self.made[art]
        return self.plates[art]


def _of_face(face: Face | None) -> Art | None:
    return Art(face.stock.width, face.stock.height, face.name, face.alt, lambda _: face) if face else None


def piece_art(face: Face) -> Art:
    """Return the printed face of a piece as a picture."""
    alt = f"{face.name}: {face.alt}" if face.alt != face.name else face.name
    return Art(face.stock.width, face.stock.height, face.name, alt, lambda looks: looks.faces[face.id])


def table_art(composer: Composer, position: Mapping[str, Any], alt: str, seats: Sequence[str] = ()) -> Art:
    """Return a picture of the table in a position, with some or all of its seats."""
    stock = table_stock(composer.game, position, seats)
    return Art(stock.width, stock.height, alt, alt, lambda looks: table_face(looks.composer, position, alt, seats))


def art_below(art: Art, top: float) -> Art:
    """Return the part of a picture below a line `top` millimetres from its upper edge."""
    return replace(art, height=art.height - top, make=lambda looks: below(art.make(looks), top))


def plan_art(looks: Looks, shown: Detail) -> Art:
    """Return a picture of a part of a map, with the figures on it."""
    alt = told_of(shown, WORDS)
    face = plan_face(looks.composer, *shown, alt)
    size = face.stock.width, face.stock.height
    art = Art(*size, shown.map.name, alt, lambda looks: plan_face(looks.composer, *shown, alt))
    looks.made[art] = face
    return art


Traces = Mapping[str, Trace]


# The pen


WEB = "web:"
"""The prefix of targets outside the book."""
DISC = 1.75
"""The radius of a numbered disc in a picture, in millimetres."""


class Spot(NamedTuple):
    """The position of a page on a larger one: its lower left corner in millimetres, and its scale."""

    x: float
    y: float
    scale: float


Mark = Callable[["Copy"], None]
"""A step in putting a page on paper."""


class Pen:
    """A pen that draws the pages of a book in certain inks. Each page is drawn once, for copies in any form."""

    def __init__(self, looks: Looks, inks: Mapping[str, str], height: float) -> None:
        self.looks, self.press = looks, looks.press
        self.inks = inks
        """The colours of "ink", "accent" and "paper"."""
        self.height = height
        """The height of the page."""
        self.canvas: PackedCanvas = self.press.bench
        self.marks: list[Mark] = []
        self.drawn_icons: dict[str, Element] = {}

    def taken(self) -> list[Mark]:
        """Return the page drawn since the last one was taken."""
        self.lift()
        marks, self.marks = self.marks, []
        return marks

    def mark(self, mark: Mark) -> None:
        """Add a step after everything drawn so far."""
        self.lift()
        self.marks.append(mark)

    def lift(self) -> None:
        """Turn everything drawn since the last step into a step."""
        plate = self.press.plate()
        if plate.code:
            self.marks.append(lambda copy: copy.prints.put(plate))

    def paint(self, fill: str) -> str:
        """Return a colour, given directly or as the name of an ink."""
        return self.inks.get(fill, fill)

    def y(self, y: float) -> float:
        """Convert to points from the foot of the page."""
        return (self.height - y) * MM

    # The structure of the book

    def open(self, kind: str) -> None:
        """Open a structure element; it may end on a later page."""
        self.mark(lambda copy: copy.open(kind))

    def open_list(self, kind: str, is_first: bool, attributes: str = "") -> None:
        """Open a list before its first item, and again where it continues overleaf if nothing is open there."""
        self.mark(lambda copy: copy.open(kind, attributes) if is_first or not copy.opened else None)

    def close(self) -> None:
        """Close the last open element, unless it was opened on a page drawn elsewhere, and is closed there."""
        self.mark(Copy.close)

    @contextmanager
    def leaf(self, kind: str) -> Iterator[None]:
        """Draw an element without others in it."""
        self.mark(lambda copy: copy.canvas.emit(copy.tags.begin(kind)))
        yield
        self.mark(lambda copy: copy.canvas.emit(copy.tags.end()))

    @contextmanager
    def decoration(self) -> Iterator[None]:
        """Mark everything drawn within as decoration."""
        self.canvas.emit(ARTIFACT)
        yield
        self.canvas.emit("EMC")

    def anchor(self, anchor: str, y: float) -> None:
        """Place an anchor at this height."""
        up = self.y(max(0.0, y - 4))
        self.mark(lambda copy: copy.anchor(anchor, up))

    def bookmark(self, title: str, anchor: str, level: int) -> None:
        self.mark(lambda copy: copy.bookmark(title, anchor, level))

    def link(self, target: str, left: float, top: float, right: float, foot: float) -> None:
        """Add a link over a box, to an anchor of this book or to an address. Booklets have no links."""
        box = left * MM, self.y(foot), right * MM, self.y(top)
        self.mark(lambda copy: copy.link(target, box))

    # Text

    def line(self, line: Line, kind: str, x: float, baseline: float, size: float, fill: str, end: str = "") -> None:
        """Draw a line of text as content of the open element. `end` is added for screen readers."""
        self.lift()
        em = size * POINT
        foot, top = self.y(baseline + em * 0.25), self.y(baseline - em * 0.8)
        links = [
            (target, (left * MM, foot, right * MM, top))
            for target, left, right in self._set(line, x, baseline, size, fill, end)
        ]
        plate = self.press.plate()
        self.marks.append(lambda copy: copy.line(kind, plate, links))

    def _set(self, line: Line, x: float, baseline: float, size: float, fill: str, end: str) -> Sequence[Span]:
        """Draw a line of text, and return the links in it."""
        em = size * POINT
        runs: list[tuple[str, float, Piece, float]] = []
        at = x
        for index, word in enumerate(in_order(line.words)):
            if index and word.bond != "joined":
                blank = (self.space_of(word) * word.blank + line.spread) * em
                if runs and runs[-1][2].icon == "":
                    runs[-1] = (runs[-1][0] + " ", *runs[-1][1:])
                at += blank
            for piece in word.pieces:
                last = runs[-1] if runs else None
                same = last and not piece.icon and not last[2].icon
                if last and same and (last[2].font, last[2].look) == (piece.font, piece.look) and piece.look.scale == 1:
                    runs[-1] = (last[0] + piece.text, *last[1:3], line.spread)
                else:
                    runs.append((piece.text, at, piece, line.spread))
                at += width_in(word, piece) * em
        if runs and end:
            runs[-1] = (runs[-1][0] + end, *runs[-1][1:])
        open_link = ""
        begun: float = x
        spans: list[Span] = []
        code: list[str] = []
        for text, left, piece, spread in runs:
            look = piece.look
            if look.link != open_link:
                if open_link:
                    spans.append((open_link, begun, left))
                open_link, begun = look.link, left
            if piece.icon:
                code += self.icon(piece.icon, left, baseline, em * look.scale, self.paint(look.fill or fill))
                continue
            points = short(size * look.scale)
            code.append(f"BT {colour(self.paint(look.fill or fill))} rg 1 0 0 1 {row(left * MM, self.y(baseline))} Tm")
            self.canvas.show(text, piece.font, points, code, "", look.variant, spread * size)
            code.append("ET")
        if open_link:
            spans.append((open_link, begun, at))
        self.press.drawer.emit(code)
        return spans

    def space_of(self, word: Word) -> float:
        font = find_font(word.pieces[0].font) if word.pieces else None
        return (font.space if font else 0.0) or 0.25

    def icon(self, name: str, x: float, baseline: float, em: float, fill: str) -> list[str]:
        """Return operators that draw an icon in one colour, as tall as the type."""
        symbol = self.looks.composer.icons.symbol(name)
        if symbol is None:
            return []
        scale, *_, left, top = fitted(box_of_symbol(symbol), x, baseline - em * 0.82, em, em)
        code: list[str] = []
        for child in self.shapes(name, symbol):
            self.press.drawer.elements.element(child, {**START, "fill": fill, "color": fill}, code, {})
        return [f"q {row(scale * MM, 0, 0, -scale * MM, left * MM, self.y(top))} cm", *code, "Q"]

    def shapes(self, name: str, symbol: Element) -> Element:
        """Return the shapes of an icon, with paths in PDF notation."""
        if name not in self.drawn_icons:
            copy = deepcopy(symbol)
            for path in copy.iter(f"{{{SVG}}}path"):
                path.set("d", absolute_path(path.get("d", "")))
            self.drawn_icons[name] = copy
        return self.drawn_icons[name]

    def mere(self, words: Sequence[Word], x: float, baseline: float, size: float, fill: str) -> None:
        """Draw a short decorative line; decoration must be open."""
        em = size * POINT
        for index, word in enumerate(words):
            x += self.space_of(word) * word.blank * em if index and word.bond != "joined" else 0.0
            for piece in word.pieces:
                self.show(piece.text, piece.font, size, (x * MM, self.y(baseline)), fill, piece.look.variant)
                x += width_in(word, piece) * em

    def show(self, text: str, font: str, size: float, at: tuple[float, float], fill: str, variant: str = "") -> None:
        """Draw a text in one font as part of what is open."""
        self.mark(lambda copy: copy.canvas.use_font(font))
        code = [f"BT {colour(self.paint(fill))} rg 1 0 0 1 {row(*at)} Tm"]
        self.canvas.show(text, font, short(size), code, "", variant, 0.0)
        self.canvas.emit("\n".join([*code, "ET"]))

    def text(self, words: Sequence[Word], kind: str, x: float, baseline: float, size: float, fill: str) -> None:
        """Draw a short line as a separate element."""
        self.open(kind)
        self.line(Line(tuple(words), 0.0, 0.0), kind, x, baseline, size, fill)
        self.close()

    # Pictures

    def art(self, art: Art, x: float, y: float, scale: float) -> None:
        """Draw a picture as a tagged figure, cut to its shape; a picture off the page is not tagged."""
        self.lift()
        plate = self.looks.plate(art)
        wide, high = art.width * scale, art.height * scale
        left, foot, right, top = x * MM, self.y(y + high), (x + wide) * MM, self.y(y)
        into = f"q {short(scale * MM)} 0 0 {short(-scale * MM)} {row(left, top)} cm"
        self.marks.append(lambda copy: copy.art(art.alt, (left, foot, right, top), into, plate))

    def cropped(self, art: Art, outline: Sequence[tuple[float, float]], x: float, y: float, scale: float) -> None:
        """Draw a part of a picture as decoration: what of it is within an outline."""
        self.lift()
        plate = self.looks.plate(art)
        path = " ".join(
            f"{row(across * MM, self.y(down))} {'l' if at else 'm'}" for at, (across, down) in enumerate(outline)
        )
        into = f"q {path} h W n {short(scale * MM)} 0 0 {short(-scale * MM)} {row(x * MM, self.y(y))} cm"
        self.marks.append(lambda copy: copy.cropped(into, plate))

    def page(self, face: Face) -> None:
        """Draw a face that fills the page, afresh in each copy. Its letters get their codes now, in reading order."""
        self.lift()
        Drawer(self.canvas, masters=self.looks.masters).draw(face, IDENTITY, is_told=False)
        self.press.plate()
        matrix = (MM, 0.0, 0.0, -MM, 0.0, self.height * MM)
        self.marks.append(lambda copy: copy.page(face, matrix))  # nothing that holds the pen, and so the composer

    def rule(self, x: float, y: float, width: float, height: float, fill: str = "ink") -> None:
        """Draw a line or a bar as decoration."""
        with self.decoration():
            self.box(x, y, width, height, fill)

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        self.canvas.setFillColor(self.paint(fill))
        self.canvas.rect(x * MM, self.y(y + height), width * MM, height * MM, stroke=0, fill=1)

    def number(self, number: int, x: float, y: float, to: tuple[float, float]) -> None:
        """Draw a number in a disc at x, y, with a line to its target, as decoration, because a list repeats it."""
        canvas = self.canvas
        with self.decoration():
            across, down = to
            for weight, fill in ((0.75, "paper"), (0.3, "ink")):
                canvas.setStrokeColor(self.paint(fill))
                canvas.setLineWidth(weight * MM)
                canvas.line(x * MM, self.y(y), across * MM, self.y(down))
            canvas.setFillColor(self.paint("ink"))
            canvas.circle(across * MM, self.y(down), 0.45 * MM, stroke=0, fill=1)
            self.disc(number, x, y)

    def disc(self, number: int, x: float, y: float) -> None:
        """Draw a number in a disc at x, y, as part of the open element."""
        self.canvas.setFillColor(self.paint("ink"))
        self.canvas.circle(x * MM, self.y(y), DISC * MM, stroke=0, fill=1)
        size = 6.6 if number < 10 else 5.6
        wide = line_width(SANS_BOLD, str(number)) * size
        self.show(str(number), SANS_BOLD, size, (x * MM - wide / 2, self.y(y) - 0.345 * size), "paper")


class Copy:
    """A copy of a book in one form, to which pages are added. Boxes and matrices are in points."""

    def __init__(
        self,
        canvas: PackedCanvas,
        looks: Looks,
        anchors: Collection[str],
        told: Mapping[str, str],
        site: str,
        is_folded: bool,
    ) -> None:
        self.canvas, self.tags = canvas, Tags(canvas)
        self.drawer, self.prints = Drawer(canvas, self.tags, masters=looks.masters), Prints(looks.press, canvas)
        self.anchors = anchors
        """All anchors of the book."""
        self.told = told
        """The spoken names of links, by anchor."""
        self.site = site
        """The address of the game's folder on the site, relative to the file; if empty, nothing links there."""
        self.is_folded = is_folded
        """Whether pages are drawn out of reading order; links are then left out."""
        self.places: dict[str, int] = {}
        """The PDF objects of link targets by anchor, known before their page is drawn."""
        self.drawn: set[str] = set()
        self.notes: list[int] = []
        """The object numbers of the links on this page."""
        self.opened = 0
        """The number of open structure elements."""
        self.at = Spot(0.0, 0.0, 1.0)
        """The position of the book page on the page of the file."""

    def open(self, kind: str, attributes: str = "") -> None:
        self.tags.open(kind, attributes=attributes)
        self.opened += 1

    def close(self) -> None:
        if self.opened:
            self.opened -= 1
            self.tags.close()

    def close_all(self) -> None:
        while self.opened:
            self.close()

    def place(self, anchor: str) -> int:
        """Return the PDF object of an anchor."""
        if anchor not in self.places:
            self.places[anchor] = self.canvas.new_number()
        return self.places[anchor]

    def anchor(self, anchor: str, up: float) -> None:
        if anchor in self.drawn:
            return
        self.drawn.add(anchor)
        page, up = self.canvas.page_number, self.at.y * MM + self.at.scale * up
        self.canvas.put(self.place(anchor), f"[{page} 0 R/XYZ null {short(up)} null]".encode())

    def bookmark(self, title: str, anchor: str, level: int) -> None:
        self.canvas.bookmarkPage(anchor)
        self.canvas.addOutlineEntry(title, anchor, level, closed=level == 0)

    def line(self, kind: str, plate: Plate, links: Sequence[tuple[str, Box]]) -> None:
        if not self.opened:  # the rest of an element that begins on a page drawn elsewhere
            kind = "P"
            self.open(kind)
        self.canvas.emit(self.tags.content(kind))
        self.prints.put(plate)
        self.canvas.emit(self.tags.pause())
        for target, box in links:
            self.link(target, box)

    def link(self, target: str, box: Box) -> None:
        leads_out = target.startswith(WEB)
        if self.is_folded or (leads_out and not self.site) or (not leads_out and target not in self.anchors):
            return
        number = self.canvas.new_number()
        parent = self.tags.annotation("Link", number)
        if leads_out:
            address = self.site + target.removeprefix(WEB)
            leads, told = f"/A<</S/URI/URI{text_string(address)}>>", self.told.get(target, address)
        else:
            leads, told = f"/Dest {self.place(target)} 0 R", self.told.get(target, target)
        self.canvas.put(
            number,
            f"<</Type/Annot/Subtype/Link/F 4/Rect[{row(*self.on_file(box))}]/Border[0 0 0]{leads}"
            f"/Contents{text_string(told)}/StructParent {parent}>>".encode(),
        )
        self.notes.append(number)

    def art(self, alt: str, box: Box, into: str, plate: Plate) -> None:
        shown = common(self.on_file(box), (0.0, 0.0, *self.canvas.page_size))
        with self.tags.leaf("Figure" if shown else None, alt if shown else "", box=shown):
            self.canvas.emit(into)
            self.prints.put(plate)
            self.canvas.emit("Q")

    def cropped(self, into: str, plate: Plate) -> None:
        with self.tags.leaf(None):
            self.canvas.emit(into)
            self.prints.put(plate)
            self.canvas.emit("Q")

    def page(self, face: Face, matrix: Matrix) -> None:
        self.close_all()
        self.drawer.draw(face, matrix, None, False, "H1")

    def on_file(self, box: Box) -> Box:
        """Convert a box on a book page to one on the page of the file."""
        left, foot, right, top = box
        x, y, scale = self.at.x * MM, self.at.y * MM, self.at.scale
        return x + scale * left, y + scale * foot, x + scale * right, y + scale * top

    def end_leaf(self) -> None:
        """End a page of the book. If the pages are out of order, close all elements."""
        if self.is_folded:
            self.close_all()

    def end_page(self) -> None:
        if self.notes:
            self.canvas.page_keys += f"/Annots[{' '.join(f'{number} 0 R' for number in self.notes)}]"
            self.notes = []
        self.canvas.showPage()


def width_in(word: Word, piece: Piece) -> float:
    """Return the width of a piece of a word. Most words have one piece, which is as wide as the word."""
    return word.width if len(word.pieces) == 1 else piece_width(piece)


def in_order(words: Sequence[Word]) -> Sequence[Word]:
    """Return the words of a line from left to right, with right-to-left words in reverse order."""
    texts = ["".join(piece.text for piece in word.pieces) for word in words]
    if all(text.isascii() for text in texts) or not any(map(is_bidi, texts)):
        return words
    starts = [0]
    for text in texts:
        starts.append(starts[-1] + len(text) + 1)
    placed: list[Word] = []
    for part in parts_from_left(" ".join(texts)):
        found = [word for start, word in zip(starts, words, strict=False) if part.start <= start < part.end]
        placed += reversed(found) if part.from_right else found
    return placed
