"""Lay out a quick reference as the two Faces of a card, in the largest type that fits.

Headings run down the columns, front and back, in the order of quick.yaml. The template draws the layout: the game's
`quick-card.svg.j2`, or the shared one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any, Final, NamedTuple

from grimalkin.content.quick_reference import GlanceView, TableView, glances_of, letters_of
from grimalkin.content.stocks import Stock
from grimalkin.content.texts.references import ITEM, literal
from grimalkin.printing.face.compose import Composer
from grimalkin.printing.face.layers import Face
from grimalkin.printing.type.fit import POINT, fit
from grimalkin.printing.type.fonts import SANS, SANS_SEMIBOLD, Font, known_font
from grimalkin.printing.type.shaping import MissingGlyph, UnknownFont
from grimalkin.printing.type.words import Word, read_words, row_width
from grimalkin.problems import Place, shown_path

TEMPLATE: Final = "quick-card"
ID: Final = "quick-card"
STOCKS: Final = (
    Stock(name="A6 card", shape="rectangle", width=105, height=148, corner=3, bleed=3, safe=5, source="ISO 216"),
    Stock(name="A5 card", shape="rectangle", width=148, height=210, corner=3, bleed=3, safe=6, source="ISO 216"),
)
"""The sizes of card; the first on which the text is easy to read is used, otherwise the last."""
PAGE: Final = Stock(name="A5 page", shape="rectangle", width=148, height=210, corner=0, bleed=0, safe=9)
"""A page of a book."""
FULL_PAGE: Final = PAGE.model_copy(update={"safe": STOCKS[-1].safe})
"""A page with margins as narrow as a card's, so that any text that fits on the largest card fits on it."""
COLUMNS: Final = 2
"""Columns on each side."""
SIDES: Final = ("front", "back")
SIZES: Final = tuple(quarter / 4 for quarter in range(42, 25, -1))
"""Type sizes to try, from the largest to the smallest."""
EASY: Final = 7.0
"""The smallest easily readable size on a card, in points; type may shrink to it to keep sections together."""

TEXT, HEADS, TITLES = SANS, SANS_SEMIBOLD, "SourceSerifProBlack"
LEADING: Final = 1.2
TITLE: Final = 1.25
"""The size of a heading, relative to the text."""
SMALL: Final = 0.92
"""The size of table heads, relative to the text."""
MOST_LETTERS: Final = 24_000
"""More than the larger card holds in the smallest type, however narrow the letters are."""
MOST_WAYS: Final = 32
"""The most ways of dividing a table's width to try."""
BAND: Final = 12.5
"""The height of the band with the title, in mm."""
GUTTER: Final = 4.0
SLACK: Final = 0.02
"""Extra height of a box beyond that of its text, in mm."""
LINE_GAP: Final = 0.22
"""The gap between two lines, in type sizes; it is larger below a heading, and above the next."""
HEADING_GAP: Final = 0.85
CELL_GAP: Final = 0.5
"""The gap between the columns of a table."""


class Box(NamedTuple):
    """A text on the card, positioned from the top left corner of its part."""

    x: float
    y: float
    width: float
    height: float
    text: str
    font: str
    size: float
    align: str = "left"


@dataclass(frozen=True)
class Part:
    """An indivisible part (a line, a row of a table, or a heading): its boxes, the rule below it, and its height."""

    boxes: tuple[Box, ...]
    height: float
    rule: str = ""
    """ "heading" below a heading, "row" below a row."""
    gap: float = 0.0
    """The space above the part, unless it begins a column."""
    is_head: bool = False
    """Whether the next part must be in the same column."""


@dataclass
class Column:
    """Parts one below the other."""

    parts: list[tuple[float, Part]] = field(default_factory=list)
    """The parts, each with its offset in the column."""
    foot: float = 0.0


Read = tuple[Font, list[list[Word]]]
"""A font, and a text in it."""


class Setter:
    """A typesetter that measures and lays out texts of one size in columns of one width."""

    def __init__(self, composer: Composer, size: float, width: float, known: dict[tuple[str, str], Read]) -> None:
        self.composer = composer
        self.known = known
        """Texts in fonts that were read before, for any size."""
        self.size = size
        self.width = width
        self.em = size * POINT
        self.glance = 0
        """The number of the current heading."""
        self.wide: int | None = None
        """The first heading with a word or a table wider than its column."""

    def heading(self, title: str) -> Part:
        title = literal(title)
        item = ITEM.match(title)
        shown = f"{title[: item.end(2) - 1]}\\{title[item.end(2) - 1 :]}" if item else title
        box = self.box(shown, 0, self.width, TITLES, self.size * TITLE)
        return Part((box,), box.height + 0.25 * self.em, "heading", HEADING_GAP * self.em, True)

    def lines(self, one: GlanceView) -> Iterator[Part]:
        for number, line in enumerate(one.lines, 1):
            sign = f"{number}." if one.numbered else "-"
            box = self.box(f"{sign} {line.text}", 0, self.width)
            yield Part((box,), box.height, "", LINE_GAP * self.em)

    def rows(self, table: TableView) -> Iterator[Part]:
        """Return all rows of a table, its heads first."""
        heads = (literal(table.of), *(literal(head) for head, _ in table.heads))
        rows = [(row.name, *row.cells) for row in table.rows]
        if not table.is_number(len(table.heads) - 1):
            yield from self.run_in(heads, rows)
            return
        widths = self.widths(heads, rows)
        centred = (False, *(table.is_number(cell) for cell in range(len(table.heads))))
        if any(heads):
            yield replace(self.row(heads, widths, centred, HEADS, SMALL), is_head=True)
        for row in rows:
            yield self.row(row, widths, centred, TEXT, 1.0)

    def run_in(self, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[Part]:
        """Yield rows that end in text as lines, because a separate column would be too narrow for the text."""
        for name, *cells, words in rows:
            both = zip(heads[1:], cells, strict=False)
            told = (f"{cell} {head}" if cell.isdecimal() else f"{head} {cell}" for head, cell in both if cell)
            between = ", ".join(told)
            box = self.box(f"**{name}**{f' ({between})' if between else ''}: {words}", 0, self.width)
            yield Part((box,), box.height, "", LINE_GAP * 1.6 * self.em)

    def row(self, cells: Sequence[str], widths: Sequence[float], centred: Sequence[bool], font: str, by: float) -> Part:
        x, boxes = 0.0, []
        for text, width, is_centred in zip(cells, widths, centred, strict=True):
            if text:
                align = "center" if is_centred else "left"
                boxes.append(self.box(text, x, width, font, self.size * by, align))
            x += width + CELL_GAP * self.em
        height = max((box.height for box in boxes), default=self.em)
        if font == HEADS:  # heads are aligned to the bottom
            boxes = [box._replace(y=height - box.height) for box in boxes]
        return Part(tuple(boxes), height + 0.3 * self.em, "row", 0.15 * self.em)

    def widths(self, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[float]:
        """Return the widths of a table's columns that make the table as short as possible.

        No column is wider than its contents on one line, except the one with the most text, which gets the rest.
        """
        room = self.width - CELL_GAP * self.em * (len(heads) - 1)
        cells = [[row[n] for row in rows] for n in range(len(heads))]
        least = [
            max(self.longest(head, HEADS, SMALL), *map(self.longest, texts))
            for head, texts in zip(heads, cells, strict=True)
        ]
        wanted = [max(few, *map(self.natural, texts)) for few, texts in zip(least, cells, strict=True)]
        if sum(wanted) <= room:
            return [wanted[0] + room - sum(wanted), *wanted[1:]]
        most = max(range(len(wanted)), key=wanted.__getitem__)
        each = [(few, want) if want > few else (few,) for few, want in zip(least, wanted, strict=True)]
        each[most] = (0.0,)
        ways = [list(way) for way in islice(product(*each), MOST_WAYS)]
        for way in ways:
            way[most] = room - sum(way)
        fitting = [way for way in ways if way[most] >= least[most]]
        if not fitting:
            self.too_wide()
            return [room * one / sum(least) for one in least]
        return min(fitting, key=lambda way: self.height_of(rows, way))

    def height_of(self, rows: Sequence[Sequence[str]], widths: Sequence[float]) -> float:
        """Return the height of a table with columns of these widths."""
        boxes = ([self.box(text, 0, width) for text, width in zip(row, widths, strict=True)] for row in rows)
        return sum(max(box.height for box in row) for row in boxes)

    def natural(self, text: str) -> float:
        """Return the width of a text on one line."""
        font, lines = self.read(text, TEXT)
        return max((row_width(line, font.space) for line in lines), default=0.0) * self.em + 0.1

    def longest(self, text: str, name: str = TEXT, by: float = 1.0) -> float:
        """Return the width of a text's longest word."""
        _, lines = self.read(text, name)
        return max((word.width for line in lines for word in line), default=0.0) * self.em * by + 0.1

    def box(self, text: str, x: float, width: float, font: str = TEXT, size: float = 0.0, align: str = "left") -> Box:
        size = size or self.size
        found, lines = self.read(text, font)
        block = fit(lines, found, width, 10_000, size, size, LEADING, LEADING)
        if block is None:
            self.too_wide()
        height = block.height if block else size * POINT * LEADING
        return Box(x, 0.0, width, height + SLACK, text, font, size, align)

    def too_wide(self) -> None:
        if self.wide is None:
            self.wide = self.glance

    def read(self, text: str, name: str) -> Read:
        """Return the font and the words of a text; report a problem if the font cannot show it."""
        if (text, name) not in self.known:
            self.known[text, name] = self._read(text, name)
        return self.known[text, name]

    def _read(self, text: str, name: str) -> Read:
        fonts = self.composer.fonts
        family = fonts.chain(name)
        family = name if isinstance(family, tuple) else family
        font = known_font(family.partition(",")[0])
        try:
            return font, read_words(text, family, self.composer.words_of, self.composer.looks, "", styled=fonts.styled)
        except (MissingGlyph, UnknownFont) as error:
            hint = "remove it, or choose a font that has it" if isinstance(error, MissingGlyph) else ""
            self.composer.problems.add(place_of(self.composer, self.glance), str(error), hint)
            return font, read_words("x", name, {})


def place_of(composer: Composer, glance: int) -> Place:
    """Return the place of a heading in quick.yaml; if there is no such file, that of the rules."""
    if not composer.game.quick:
        return Place(shown_path(composer.game.folder / "rules.yaml"))
    return composer.game.place("quick.yaml", ("quick", glance))


def parts_of(one: GlanceView, number: int, setter: Setter) -> list[Part]:
    """Return a heading and the parts under it."""
    setter.glance = number
    rows = list(setter.rows(one.table)) if one.table else []
    return [setter.heading(one.title), *rows, *setter.lines(one)]


def height_of(parts: Sequence[Part]) -> float:
    """Return the total height of parts at the top of a column."""
    return sum(part.height for part in parts) + sum(part.gap for part in parts[1:])


def filled(glances: Sequence[Sequence[Part]], count: int, height: float, is_whole: bool) -> list[Column] | None:
    """Fill `count` columns of at most this height in order; return None if not everything fits.

    With `is_whole`, a heading and its parts stay in one column.
    """
    columns = [Column()]
    for parts in glances:
        groups = [list(parts)] if is_whole else list(_groups(parts))
        for group in groups:
            column = columns[-1]
            gap = group[0].gap if column.parts else 0.0
            if column.parts and column.foot + gap + height_of(group) > height:
                column, gap = Column(), 0.0
                columns.append(column)
            if len(columns) > count or height_of(group) > height:
                return None
            at = column.foot + gap
            for number, part in enumerate(group):
                at += part.gap if number else 0.0
                column.parts.append((at, part))
                at += part.height
            column.foot = at
    return columns


def _groups(parts: Sequence[Part]) -> Iterator[list[Part]]:
    """Yield parts that stay together: a heading, the heads of a table, and the first part below them."""
    group: list[Part] = []
    for part in parts:
        group.append(part)
        if not part.is_head:
            yield group
            group = []
    if group:
        yield group


def even(glances: Sequence[Sequence[Part]], count: int, height: float, is_whole: bool) -> list[Column] | None:
    """Fill the columns evenly, so that they are as short as possible."""
    best = filled(glances, count, height, is_whole)
    low, high = 0.0, height
    for _ in range(12 if best else 0):
        middle = (low + high) / 2
        found = filled(glances, count, middle, is_whole)
        best, low, high = (found, low, middle) if found else (best, middle, high)
    return best


class Layout(NamedTuple):
    """A card and the layout of its text."""

    stock: Stock
    size: float
    columns: list[Column]


def lay_out(composer: Composer) -> Layout | None:
    """Lay out the quick reference of a game on a card; return None if it is too long for any card."""
    glances = glances_of(composer.game, "cards")
    letters = sum(map(letters_of, glances))
    if letters > MOST_LETTERS:
        _too_much(composer, f"it has about {letters:,} letters", f"at most {MOST_LETTERS:,}; half as many is better")
        return None
    found = None
    for stock in STOCKS:
        found = _best(composer, glances, stock) or found
        if composer.problems or (found and found.size >= EASY):
            return found
    if found is None:
        setter = Setter(composer, SIZES[-1], column_width(STOCKS[-1]), {})
        parts = [parts_of(one, number, setter) for number, one in enumerate(glances)]
        if setter.wide is not None:
            told = f"a word or a table is wider than a column, {setter.width:g} mm, in {setter.size:g} pt"
            composer.problems.add(place_of(composer, setter.wide), told, "use shorter words, or fewer columns")
        else:
            share = sum(map(height_of, parts)) / (2 * COLUMNS * text_height(STOCKS[-1]))
            _too_much(composer, f"it would take up {max(share, 1.01):.0%} of the space", "write less")
    return found


def _too_much(composer: Composer, told: str, hint: str) -> None:
    """Report that the text does not fit."""
    card = f"{STOCKS[-1].width:g} × {STOCKS[-1].height:g} mm in {SIZES[-1]:g} pt"
    message = f"this does not fit on the two sides of a card of {card}: {told}"
    composer.problems.add(Place(shown_path(composer.game.folder / "quick.yaml")), message, hint)


def _best(composer: Composer, glances: Sequence[GlanceView], stock: Stock, sides: int = len(SIDES)) -> Layout | None:
    """Return the layout in the largest type that fits everything on this many sides of the stock, in any inks."""
    key = tuple(glances), stock, sides
    if key not in composer.layouts:
        composer.layouts[key] = _laid_out(composer, glances, stock, sides)
    layout: Layout | None = composer.layouts[key]
    return layout


def _laid_out(composer: Composer, glances: Sequence[GlanceView], stock: Stock, sides: int) -> Layout | None:
    width = column_width(stock)
    height = text_height(stock)
    parted: Layout | None = None
    known: dict[tuple[str, str], Read] = {}
    for size in SIZES:
        if parted and size < EASY:
            break
        setter = Setter(composer, size, width, known)
        parts = [parts_of(one, number, setter) for number, one in enumerate(glances)]
        if composer.problems:
            return None
        if setter.wide is not None:
            continue
        whole = even(parts, sides * COLUMNS, height, True)
        if whole:
            return Layout(stock, size, whole)
        if parted is None and (columns := even(parts, sides * COLUMNS, height, False)):
            parted = Layout(stock, size, columns)
    return parted


def text_height(stock: Stock) -> float:
    """Return the height of a column, in mm."""
    return stock.height - BAND - stock.safe - 2.5


def column_width(stock: Stock) -> float:
    return (stock.width - 2 * stock.safe - GUTTER * (COLUMNS - 1)) / COLUMNS


def quick_faces(composer: Composer) -> tuple[Face, Face] | None:
    """Return both sides of the card; None if there is no quick.yaml, or if it has problems."""
    if not composer.game.quick:
        return None
    layout = lay_out(composer)
    if layout is None or composer.problems:
        return None
    front, back = _composed(composer, layout, SIDES)
    return (front, back) if front and back else None


def quick_pages(composer: Composer) -> list[Face]:
    """Return the quick reference for a book, on one or two pages; [] if it is empty, too long, or has problems."""
    if composer.quick_pages is None:
        with composer.reads.noted() as reads:
            composer.quick_pages = _pages(composer), reads
    composer.reads.add(composer.quick_pages[1])
    return composer.quick_pages[0]


def _pages(composer: Composer) -> list[Face]:
    glances = glances_of(composer.game, "cards")
    if not glances or (sum(map(letters_of, glances)) > MOST_LETTERS and not composer.game.quick):
        return []
    for page, sides in ((PAGE, SIDES[:1]), (PAGE, SIDES), (FULL_PAGE, SIDES)):
        layout = _best(composer, glances, page, len(sides))
        if composer.problems:
            return []
        if layout:
            faces = _composed(composer, layout, sides)
            return [face for face in faces if face]
    if composer.game.quick:
        lay_out(composer)  # this reports by how much the text is too long
    return []


def _composed(composer: Composer, layout: Layout, sides: Sequence[str]) -> list[Face | None]:
    template = composer.own_or_shared(TEMPLATE)
    title = composer.game.info.title
    faces = []
    for number, side in enumerate(sides):
        columns = layout.columns[number * COLUMNS : (number + 1) * COLUMNS]
        alt = f"{title}, quick reference, {side}" if len(sides) > 1 else f"{title}, quick reference"
        more: dict[str, Any] = {
            "columns": list(_placed(columns, layout.stock)),
            "number": number + 1,
            "size": layout.size,
        }
        faces.append(composer.compose(template, f"{ID}-{side}", "Quick reference", alt, layout.stock, {}, **more))
    return faces


def _placed(columns: Sequence[Column], stock: Stock) -> Iterator[dict[str, Any]]:
    """Yield columns as the template sees them: position, texts, and the lines below headings and rows."""
    width = column_width(stock)
    for number, column in enumerate(columns):
        x, y = stock.safe + number * (width + GUTTER), BAND + 2.5
        texts = [
            {**box._asdict(), "x": x + box.x, "y": y + at + box.y, "is_title": part.rule == "heading"}
            for at, part in column.parts
            for box in part.boxes
        ]
        rules = [{"y": y + at + part.height - 0.1, "kind": part.rule} for at, part in column.parts if part.rule]
        yield {"x": x, "width": width, "texts": texts, "rules": rules}
