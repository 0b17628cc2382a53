"""Make PDFs for a print shop, one for each lot, with a list of the copies to print; and put files into a ZIP.

A page is one face, or the complete strip of a piece that folds.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from grimalkin import __version__
from grimalkin.content import Game
from grimalkin.content.shops import Files
from grimalkin.content.stocks import Stock
from grimalkin.output.disk import naming
from grimalkin.printing.draw.condition import STANDARDS, Condition
from grimalkin.printing.draw.packing import colour, row, short
from grimalkin.printing.draw.pdf import MM, Drawer, new_canvas
from grimalkin.printing.draw.shapes import common, outlined, path_operators, through
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.export.designs import Design, one_back
from grimalkin.printing.export.lots import Lot, Trim
from grimalkin.printing.face import Face
from grimalkin.printing.face.layers import Layer
from grimalkin.printing.face.svg.paths import box_through
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.sheet.document import describe, finished
from grimalkin.printing.sheet.marks import folds_of
from grimalkin.problems.plain import cell, how_many, listed
from grimalkin.source.colours import noted

START = (1980, 1, 1, 0, 0, 0)
"""The earliest time in a ZIP. The real time would make every ZIP different."""
PACKED = (".png", ".jpg")
"""Files that a ZIP cannot make smaller."""
SLUG, MARK, MARK_GAP, MARK_WEIGHT = 8.0, 5.0, 2.0, 0.09
"""Millimetres: the room around the bleed for crop marks, their length, their distance from the bleed, their weight."""


class Page(NamedTuple):
    """A page of a PDF: a side of a design, or its strip. A back that all share has no design of its own."""

    design: Design
    side: str
    face: Face | None
    copies: int
    is_shared: bool = False


class Inking(NamedTuple):
    """How PDFs are coloured: for a printing condition, or for screens; and the spot colour of a line to cut along."""

    condition: Condition | None = None
    cut_line: str = ""


ON_SCREENS = Inking()
"""Colours of screens, and no line."""


def lot_files(
    game: Game, lot: Lot, name: str, apart: bool, bleed: bool, inking: Inking = ON_SCREENS
) -> tuple[dict[str, bytes], list[dict[str, object]]]:
    """Return the PDFs of a lot, with the lines of drawn stocks, and a row for each page. `name` has no extension."""
    files: dict[str, bytes] = {}
    rows: list[dict[str, object]] = []
    for suffix, pages in pages_of(lot, apart):
        file = f"{name}{suffix}.pdf"
        files[file] = lot_pdf(game, lot, pages, bleed, inking)
        for number, page in enumerate(pages, 1):
            row = page.design.row
            whose = ("", f"all of {page.design.deck.name}") if page.is_shared else (row.id, row.name)
            of_page = {"file": file, "page": number, "component": whose[0], "name": whose[1], "side": page.side}
            stock = page.design.stock
            rows.append({**of_page, "copies": page.copies, **_facts(stock, lot.trim(stock, bleed, is_strip=True))})
    drawn = _drawn(f"{name}.pdf", lot.designs)
    return files | {file: _lines_svg(stock).encode() for stock, file in drawn.items()}, rows


def pages_of(lot: Lot, apart: bool) -> Iterator[tuple[str, list[Page]]]:
    """Yield the pages of each PDF of a lot, with what is added to its name."""
    order = lot.shop.order or ("apart" if apart else "front-back")
    if lot.designs[0].stock.fold != "none":
        yield "", [Page(*one, copies) for one, copies in _copied(lot, ("strip",))]
        return
    if order == "fronts-then-back" and not one_back(lot.designs):
        order = "apart"
    if order in ("front-back", "back-front"):
        # A shop that takes two pages for a card would take a missing back for a shift of all that follow.
        sides = ("front", "back") if order == "front-back" else ("back", "front")
        pages = [Page(*one, copies) for one, copies in _copied(lot, sides)]
        yield "", [page for page in pages if page.face or lot.shop.order]
        return
    fronts, backs = ([Page(*one, copies) for one, copies in _copied(lot, (side,))] for side in ("front", "back"))
    if order == "fronts-then-back":
        first = lot.designs[0]
        yield "", fronts + ([Page(first, "back", first.back, lot.pieces, True)] if first.back else [])
        return
    yield "_fronts", fronts
    if any(page.face for page in backs):
        yield "_backs", backs


def _copied(lot: Lot, sides: Sequence[str]) -> Iterator[tuple[tuple[Design, str, Face | None], int]]:
    """Yield the sides of all designs, as often as the shop wants pages, with the copies that each page stands for."""
    for design in lot.designs:
        pages, copies = (design.row.count, 1) if lot.shop.copies == "pages" else (1, design.row.count)
        for _ in range(pages):
            for side in sides:
                yield (design, side, design.back if side == "back" else design.front), copies


def _drawn(name: str, designs: Sequence[Design]) -> dict[Stock, str]:
    """Return the stocks in a PDF that have drawn outlines, each with the name of the file for its lines."""
    stocks = dict.fromkeys(design.stock for design in designs if design.stock.lines)
    return {stock: f"{name[:-4]}_lines{at if at > 1 else ''}.svg" for at, stock in enumerate(stocks, 1)}


def _lines_svg(stock: Stock) -> str:
    """Return the cuts of a front in red, and its creases in blue, at true size."""
    assert stock.lines
    size = f'width="{stock.width:g}mm" height="{stock.height:g}mm" viewBox="0 0 {stock.width:g} {stock.height:g}"'
    paths = [*(("#ff0000", path) for path in stock.lines.cuts), *(("#0000ff", path) for path in stock.lines.creases)]
    drawn = "\n".join(f'<path stroke="{colour}" d="{path}"/>' for colour, path in paths)
    return f'<svg xmlns="{SVG}" {size} fill="none" stroke-width="0.1">\n{drawn}\n</svg>\n'


def lot_pdf(game: Game, lot: Lot, pages: Sequence[Page], bleed: bool = True, inking: Inking = ON_SCREENS) -> bytes:
    """Return pages as a PDF, one for each face, or for the strip of a piece that folds.

    A strip is laid flat, from the top: foot, back (head down), front, foot; feet are blank. TrimBox is the cut, and
    BleedBox the edge of the bleed; MediaBox is the same, or has room for crop marks around it.
    """
    canvas = new_canvas((1, 1), condition=inking.condition)
    deck = lot.designs[0].deck.name
    describe(canvas, game, deck, f"print shop, {game.info.title}, {deck}")
    tags = Tags(canvas)
    drawer = Drawer(canvas, tags)
    slug = SLUG * MM if lot.shop.marks else 0.0
    known: dict[Layer, Layer] = {}

    for page in pages:
        trim = lot.trim(page.design.stock, bleed, is_strip=True)
        left, _, _, bottom = (slug + edge * MM for edge in trim.bleed)
        width, height = trim.width * MM, trim.height * MM
        size = (trim.page[0] * MM + 2 * slug, trim.page[1] * MM + 2 * slug)
        canvas.setPageSize(size)
        canvas.setTrimBox((left, bottom, left + width, bottom + height))
        canvas.setBleedBox((slug, slug, size[0] - slug, size[1] - slug))
        if page.side == "strip":
            _draw_strip(drawer, page.design, size, (left, bottom, width, height))
        elif page.face:
            face = outlined(page.face, known) if lot.shop.outlines else page.face
            _draw_face(drawer, tags, face, lot, trim, (left, bottom, width, height))
        if slug:
            _draw_marks(drawer, tags, (left, bottom, width, height), trim)
        if inking.cut_line and (page.face or page.side == "strip"):
            cut = _cut(page, lot, (left, bottom, width, height))
            drawer.emit([tags.artifact(), f"q {_spot(inking.cut_line)} {cut} S Q", tags.end()])
        canvas.showPage()
    return finished(canvas, game)


CUT_WEIGHT = 0.1
"""The width of a cut line in millimetres; shops follow its middle."""


def _spot(name: str) -> str:
    """Return operators for a line in a spot colour that is printed over what is below."""
    return f"{colour(noted(f'finish({name})'))} RG {short(CUT_WEIGHT * MM)} w"


def _cut(page: Page, lot: Lot, box: tuple[float, ...]) -> str:
    """Return operators for the outline of a piece, in points: the shape of the stock, in the size of the product."""
    left, bottom, width, height = box
    if page.face is None or page.side == "strip":
        return f"{row(left, bottom, width, height)} re"
    stock = lot.cut(page.face.stock)
    matrix = _matrix(stock, (left + width / 2, bottom + height / 2), lot.turned)
    paths = stock.lines.cuts if stock.lines else (stock.outline(),)
    return " ".join(through(path_operators(path), matrix) for path in paths)


def _draw_strip(drawer: Drawer, design: Design, size: tuple[float, float], box: tuple[float, ...]) -> None:
    left, bottom, width, height = box
    stock, head = design.stock, bottom + height / 2
    reach = (stock.height + stock.bleed) * MM
    drawer.draw(design.front, (MM, 0, 0, -MM, left, head), (0, head - reach, size[0], head), heading="H1")
    if design.back:
        turned = (-MM, 0, 0, MM, left + width, head)
        drawer.draw(design.back, turned, (0, head, size[0], head + reach), heading="H1")


def _draw_face(drawer: Drawer, tags: Tags, face: Face, lot: Lot, trim: Trim, box: tuple[float, ...]) -> None:
    """Draw a face in the middle of the cut. If its bleed ends before the page does, it lies on a larger copy of itself.

    The copy shows only beyond the bleed, where it is cut away.
    """
    left, bottom, width, height = box
    stock, edge = face.stock, face.stock.bleed
    middle = (left + width / 2, bottom + height / 2)
    page = (left - trim.bleed[0] * MM, bottom - trim.bleed[3] * MM)
    window = (*page, page[0] + trim.page[0] * MM, page[1] + trim.page[1] * MM)
    if lot.lacking(stock):
        before, above, after, below = trim.bleed
        ends = trim.width + 2 * max(before, after), trim.height + 2 * max(above, below)
        across, down = ends[::-1] if lot.turned else ends
        by = max(across / (stock.width + 2 * edge), down / (stock.height + 2 * edge))
        drawer.emit([tags.artifact()])
        drawer.draw(face, _matrix(stock, middle, lot.turned, by), window, is_told=False)
        drawer.emit([tags.end()])
    matrix = _matrix(stock, middle, lot.turned)
    whole = box_through(matrix, (-edge, -edge, stock.width + edge, stock.height + edge))
    drawer.draw(face, matrix, common(whole, window) if lot.shop.marks else None, heading="H1")


def _matrix(
    stock: Stock, middle: tuple[float, float], turned: bool, by: float = 1.0
) -> tuple[float, float, float, float, float, float]:
    """Return the matrix that draws a face around a point of the page, enlarged, and turned counter-clockwise."""
    scale = MM * by
    x, y = stock.width / 2 * scale, stock.height / 2 * scale
    if turned:
        return (0, scale, scale, 0, middle[0] - y, middle[1] - x)
    return (scale, 0, 0, -scale, middle[0] - x, middle[1] + y)


def _draw_marks(drawer: Drawer, tags: Tags, box: tuple[float, ...], trim: Trim) -> None:
    """Draw crop marks at the corners of the cut, outside the bleed, in black."""
    left, bottom, width, height = box
    gap, long = MARK_GAP * MM, MARK * MM
    before, above, after, below = (edge * MM + gap for edge in trim.bleed)
    ends = _ends(bottom, height, below, above)
    lines = [(x, y, x, y + way * long) for x in (left, left + width) for y, way in ends]
    ends = _ends(left, width, before, after)
    lines += [(x, y, x + way * long, y) for y in (bottom, bottom + height) for x, way in ends]
    drawn = " ".join(f"{x:.4f} {y:.4f} m {to:.4f} {up:.4f} l S" for x, y, to, up in lines)
    drawer.emit([tags.artifact(), f"q 0 G {MARK_WEIGHT * MM:.4f} w {drawn} Q", tags.end()])


def _ends(start: float, length: float, before: float, after: float) -> tuple[tuple[float, int], tuple[float, int]]:
    """Return where marks begin on both sides of a length, and which way they go."""
    return (start - before, -1), (start + length + after, 1)


def _facts(stock: Stock, trim: Trim) -> dict[str, str]:
    """Return the facts about a page in order.csv, by column."""
    bleed = trim.bleed[:1] if len({*trim.bleed}) == 1 else trim.bleed
    return {
        "trim width mm": f"{trim.width:g}",
        "trim height mm": f"{trim.height:g}",
        "bleed mm": " ".join(f"{edge:g}" for edge in bleed),
        "shape": stock.shape,
        "corner mm": f"{stock.corner:g}",
        "folds mm from the top": " ".join(f"{fold:g}" for fold in folds_of(stock)),
    }


def table_of(rows: Sequence[Mapping[str, object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(rows[0])
    writer.writerows(map(cell, row.values()) for row in rows)
    return text.getvalue().encode("utf-8-sig")  # the mark tells spreadsheets that it is UTF-8


def readme(game: Game, lots: Sequence[Lot], files: Files, apart: bool, bleed: bool, inking: Inking = ON_SCREENS) -> str:
    """Return what a shop that we know nothing about should know."""
    info = game.info
    lines = [game.marked_title, *([info.tagline] if info.tagline else []), "", "What to print"]
    for lot in lots:
        pdfs = listed([f"{lot.name}{suffix}.pdf" for suffix, _ in pages_of(lot, apart)])
        deck, many = lot.designs[0].deck.name, how_many(len(lot.designs), "design")
        name = pdfs if files == "pdf" else f"{lot.name}/"
        lines.append(f"  {name}: {deck}, {how_many(lot.pieces, 'piece')} of {many}")
        drawn = _drawn(f"{lot.name}.pdf", lot.designs)
        for stock in dict.fromkeys(design.stock for design in lot.designs):
            cut = f"corners of {stock.corner:g} mm" if stock.corner else stock.shape
            cut = f"cut and creased as in {drawn[stock]}" if stock in drawn and files == "pdf" else cut
            width, height = stock.piece if files == "pdf" else (stock.width, stock.height)
            edge = f"{stock.bleed:g} mm of bleed on every side" if bleed else "no bleed"
            lines.append(f"    {stock.name}: {width:g} × {height:g} mm as cut, {cut}, {edge}")
            lines += [f"    {line}" for line in folding(stock)] if files == "pdf" else []
    year = f", {info.year}" if info.year else ""
    lines += [
        "",
        *(_PICTURES if files != "pdf" else (_APART if apart else _IN_TURN, *_PDFS, *about_colours(inking))),
        "",
        *(["Credits"] if info.credits else []),
        *(f"  {credit.role}: {credit.name}" + (f", {credit.web}" if credit.web else "") for credit in info.credits),
        "",
        f"Rules version {info.rules_version}{year}. Made with Grimalkin {__version__}.",
    ]
    return "\n".join(lines) + "\n"


_PDFS = (
    "TrimBox is the cut, BleedBox is the page.",
    "Fonts are embedded. order.csv lists how many copies of each page to print.",
)
_IN_TURN = "Each page is one face, and the back of a piece follows its front; a piece that folds is one page."
_APART = "Each page is one face; a page of backs belongs to the same page of fronts; a piece that folds is one page."
_PICTURES = (
    "Each picture is one face, in RGB, at 300 dpi. The number before a name is the first slot of that piece; the",
    'number after "x" is the number of copies to print. If backs differ, each has the name of its front.',
)


def about_colours(inking: Inking) -> Iterator[str]:
    """Yield what a shop should know about the colours of PDFs, in sentences."""
    condition = inking.condition
    if condition is None:
        yield "Colours are RGB."
        return
    of = condition.profile.name
    if condition.space == "gray":
        yield f"Everything is in black ink for {of}."
    else:
        yield f"Colours are CMYK for {of}, with at most {condition.limit} % of ink."
    yield f"The files are built to the rules of {STANDARDS[condition.standard]}, not certified."
    if inking.cut_line:
        yield f"The spot colour {inking.cut_line} is the line to cut along: it overprints, and is not to be printed."


def folding(stock: Stock) -> Iterator[str]:
    """Yield instructions for folding a strip, in sentences; none if a piece is flat."""
    *others, last = [f"{fold:g}" for fold in folds_of(stock)] or [""]
    if stock.fold == "standee":
        face, foot = f"{stock.height:g} mm", f"foot {stock.foot:g} mm"
        yield f"It stands. Each page is the strip laid flat; from the top: {foot}, back {face}, front {face}, {foot}."
        yield f"Score it across, {', '.join(others)} and {last} mm below its upper edge."
        yield "Fold it in the middle, printed side out, and glue the halves together, but not the feet."
        yield "If dashes are drawn around the figure, cut along them. Bend the feet outwards."
    elif stock.fold == "tent":
        yield "It stands. Each page is the strip laid flat: the back, head down, above the front."
        yield f"Score it across, {last} mm below its upper edge, and fold it there, printed side out."


def write_zip(files: Iterable[tuple[str, bytes]], path: Path) -> None:
    """Write files into a new ZIP, one by one. The same files give the same bytes."""
    with naming(path), path.open("xb") as file, zipfile.ZipFile(file, "w") as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name, START)
            entry.compress_type = zipfile.ZIP_STORED if name.endswith(PACKED) else zipfile.ZIP_DEFLATED
            entry.create_system = 3  # claim to be made on Unix, on any system
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
