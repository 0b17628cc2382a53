"""Make a ZIP for a print shop: a PDF for each deck, and a list of the copies to print.

A page is one face, or the complete strip of a piece that folds.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence

from grimalkin import __version__
from grimalkin.content import Game
from grimalkin.content.stocks import Stock
from grimalkin.printing.draw.pdf import MM, Drawer, new_canvas
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.export.designs import Design, Done, by_deck, faces_of
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.sheet.document import describe
from grimalkin.printing.sheet.marks import folds_of
from grimalkin.problems.plain import cell, how_many

START = (1980, 1, 1, 0, 0, 0)
"""The earliest time in a ZIP. The real time would make every ZIP different."""


def print_shop_zip(game: Game, designs: Sequence[Design], done: Done) -> bytes:
    """Return the complete ZIP. The same content gives the same bytes."""
    files: dict[str, bytes] = {}
    rows: list[dict[str, object]] = []
    for name, members in _files(designs):
        folds = members[0].stock.fold != "none"
        files[name] = deck_pdf(game, members)
        files |= {file: _lines_svg(stock).encode() for stock, file in _drawn(name, members).items()}
        done(len(faces_of(members)))
        page = 1
        for design in members:
            for side in ("strip",) if folds else ("front", "back")[: len(design.faces)]:
                row = design.row
                of_page = {"file": name, "page": page, "component": row.id, "name": row.name, "side": side}
                rows.append({**of_page, "copies": row.count, **_facts(design.stock)})
                page += 1
    files["order.csv"] = _table(rows)
    files["README.txt"] = _readme(game, designs).encode()
    return _zip(files)


def _files(designs: Sequence[Design]) -> Iterator[tuple[str, list[Design]]]:
    """Yield the designs for each PDF: those of one deck, with strips in a separate PDF if some pieces are flat."""
    for deck, members in by_deck(designs).items():
        flat = [design for design in members if design.stock.fold == "none"]
        strips = [design for design in members if design.stock.fold != "none"]
        if flat:
            yield f"{deck}.pdf", flat
        if strips:
            yield f"{deck}_strips.pdf" if flat else f"{deck}.pdf", strips  # no deck can have this name


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


def deck_pdf(game: Game, designs: Sequence[Design]) -> bytes:
    """Return designs of a deck as a PDF with bleed: one page for each face, or for the strip of a piece that folds.

    A strip is laid flat, from the top: foot, back (head down), front, foot; feet are blank. MediaBox and BleedBox are
    the page, TrimBox is the cut.
    """
    canvas = new_canvas((1, 1))
    describe(canvas, game, designs[0].deck.name, f"print shop, {game.info.title}, {designs[0].deck.name}")
    tags = Tags(canvas)
    drawer = Drawer(canvas, tags)

    for design in designs:
        stock = design.stock
        edge = stock.bleed * MM
        width, height = stock.piece[0] * MM, stock.piece[1] * MM
        page = (width + 2 * edge, height + 2 * edge)
        canvas.setPageSize(page)
        canvas.setTrimBox((edge, edge, edge + width, edge + height))
        canvas.setBleedBox((0, 0, *page))
        if stock.fold == "none":
            for face in design.faces:
                drawer.draw(face, (MM, 0, 0, -MM, edge, edge + height), heading="H1")
                canvas.showPage()
            continue
        head = page[1] / 2
        reach = (stock.height + stock.bleed) * MM
        drawer.draw(design.front, (MM, 0, 0, -MM, edge, head), (0, head - reach, page[0], head), heading="H1")
        if design.back:
            turned = (-MM, 0, 0, MM, edge + width, head)
            drawer.draw(design.back, turned, (0, head, page[0], head + reach), heading="H1")
        canvas.showPage()
    return canvas.pdf()


def _facts(stock: Stock) -> dict[str, str]:
    """Return the facts about a stock in order.csv, by column."""
    width, height = stock.piece
    return {
        "trim width mm": f"{width:g}",
        "trim height mm": f"{height:g}",
        "bleed mm": f"{stock.bleed:g}",
        "shape": stock.shape,
        "corner mm": f"{stock.corner:g}",
        "folds mm from the top": " ".join(f"{fold:g}" for fold in folds_of(stock)),
    }


def _table(rows: Sequence[Mapping[str, object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(rows[0])
    writer.writerows(map(cell, row.values()) for row in rows)
    return text.getvalue().encode("utf-8-sig")  # the mark tells spreadsheets that it is UTF-8


def _readme(game: Game, designs: Sequence[Design]) -> str:
    info = game.info
    lines = [game.marked_title, *([info.tagline] if info.tagline else []), "", "What to print"]
    for name, members in _files(designs):
        pieces = sum(design.row.count for design in members)
        lines.append(
            f"  {name}: {members[0].deck.name}, {how_many(pieces, 'piece')} of {how_many(len(members), 'design')}"
        )
        drawn = _drawn(name, members)
        for stock in dict.fromkeys(design.stock for design in members):
            cut = f"corners of {stock.corner:g} mm" if stock.corner else stock.shape
            cut = f"cut and creased as in {drawn[stock]}" if stock in drawn else cut
            width, height = stock.piece
            lines.append(
                f"    {stock.name}: {width:g} × {height:g} mm as cut, {cut}, {stock.bleed:g} mm of bleed on every side"
            )
            lines += [f"    {line}" for line in _folding(stock)]
    year = f", {info.year}" if info.year else ""
    lines += [
        "",
        "Each page is one face, and the back of a piece follows its front; a piece that folds is one page.",
        "TrimBox is the cut, BleedBox is the page.",
        "Colours are RGB, fonts are embedded. order.csv lists how many copies of each page to print.",
        "",
        *(["Credits"] if info.credits else []),
        *(f"  {credit.role}: {credit.name}" + (f", {credit.web}" if credit.web else "") for credit in info.credits),
        "",
        f"Rules version {info.rules_version}{year}. Made with Grimalkin {__version__}.",
    ]
    return "\n".join(lines) + "\n"


def _folding(stock: Stock) -> Iterator[str]:
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


def _zip(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, START)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # claim to be made on Unix, on any system
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return buffer.getvalue()
