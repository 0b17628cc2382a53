"""Designs in, a ZIP for a print shop out: a PDF a deck, one face a page, with a list of what to print how often."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Mapping, Sequence

from grimalkin import __version__
from grimalkin.content import Game
from grimalkin.draw.png import faces_pdf
from grimalkin.export.designs import Design, Done, by_deck, faces_of, how_many

START = (1980, 1, 1, 0, 0, 0)
"""The earliest time a ZIP can tell. The real one would make every file another."""


def print_shop_zip(game: Game, designs: Sequence[Design], done: Done) -> bytes:
    """The whole ZIP. The same content gives the same bytes."""
    files: dict[str, bytes] = {}
    author = ", ".join(credit.name for credit in game.info.credits)
    rows: list[tuple[object, ...]] = []
    for deck, members in by_deck(designs).items():
        faces = faces_of(members)
        title = f"{game.info.title}: {members[0].deck.name}"
        files[f"{deck}.pdf"] = faces_pdf(faces, True, title=title, author=author)
        done(len(faces))
        page = 1
        for design in members:
            for side in ("front", "back")[: len(design.faces)]:
                stock = design.stock
                size = (f"{stock.width:g}", f"{stock.height:g}", f"{stock.bleed:g}", stock.shape, f"{stock.corner:g}")
                rows.append((f"{deck}.pdf", page, design.row.id, design.row.name, side, design.row.count, *size))
                page += 1
    files["order.csv"] = _table(rows)
    files["README.txt"] = _readme(game, designs).encode()
    return _zip(files)


COLUMNS = (
    "file",
    "page",
    "component",
    "name",
    "side",
    "copies",
    "trim width mm",
    "trim height mm",
    "bleed mm",
    "shape",
    "corner mm",
)


def _table(rows: Sequence[tuple[object, ...]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows(rows)
    return text.getvalue().encode("utf-8-sig")  # the mark tells spreadsheets that it is UTF-8


def _readme(game: Game, designs: Sequence[Design]) -> str:
    info = game.info
    lines = [info.title, info.tagline, "", "What to print"]
    for deck, members in by_deck(designs).items():
        pieces = sum(design.row.count for design in members)
        lines.append(
            f"  {deck}.pdf: {members[0].deck.name}, {how_many(pieces, 'piece')} of {how_many(len(members), 'design')}"
        )
        for stock in dict.fromkeys(design.stock for design in members):
            cut = f"corners of {stock.corner:g} mm" if stock.corner else stock.shape
            lines.append(
                f"    {stock.name}: {stock.width:g} × {stock.height:g} mm as cut, {cut}, "
                f"{stock.bleed:g} mm of bleed on every side"
            )
            if stock.fold != "none":
                lines.append(f"    It folds ({stock.fold}): front and back are the two faces of one strip.")
    year = f", {info.year}" if info.year else ""
    lines += [
        "",
        "Each page is one face; the back of a piece follows its front. TrimBox is the cut, BleedBox is the page.",
        "Colours are RGB, fonts are embedded. order.csv says how many copies of each page are wanted.",
        "",
        "Credits",
        *(f"  {credit.role}: {credit.name}" + (f", {credit.web}" if credit.web else "") for credit in info.credits),
        "",
        f"Rules version {info.rules_version}{year}. Made with Grimalkin {__version__}.",
    ]
    return "\n".join(lines) + "\n"


def _zip(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, START)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # told to be made on Unix, wherever it is made
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return buffer.getvalue()
