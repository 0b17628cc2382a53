"""Turn a quick reference into PDFs: a leaf with as many cards as it can hold, and a sheet for the table."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace

from grimalkin.content import Game
from grimalkin.content.stocks import Paper
from grimalkin.printing.draw.pdf import MM, Drawer, new_canvas
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.face import Face, Inks
from grimalkin.printing.face.quick_card import ID
from grimalkin.printing.sheet.document import describe, sheet_pdf
from grimalkin.printing.sheet.edition import Edition
from grimalkin.printing.sheet.impose import impose, printable
from grimalkin.printing.sheet.pieces import Piece
from grimalkin.printing.sheet.settings import Settings
from grimalkin.problems import Place, Problems

ENDING, SHEET = "quick", "quick-sheet"
"""Endings of the files' names, before their inks: for the card, and for the sheet."""
MANY = 16
"""More cards than fit on any paper for home printers."""


def quick_pdf(game: Game, faces: tuple[Face, Face], paper: Paper, settings: Settings, edition: Edition) -> bytes | None:
    """Return the card on a paper; None if the paper is too small."""
    chosen = replace(
        settings,
        backs="fold" if settings.backs == "fold" else "duplex",
        cover=False,
        cutter=None,
        start_at=1,
        skip_slots=frozenset(),
        same_backs_once=False,
    )
    pieces = [Piece(ID, ID, faces[0].stock, True)] * MANY
    elsewhere = Problems()
    sheets = [one for one in impose(pieces, paper, chosen, Place(paper.name), elsewhere) if one.leaf == 1]
    if elsewhere or not sheets or sheets[0].tile:
        return None
    return sheet_pdf(
        game,
        sheets,
        paper,
        chosen,
        lambda _: faces,
        edition,
        what="a card to look things up",
        names={ID: faces[0].name},
    )


def sheet_of(game: Game, pages: Sequence[Face], paper: Paper, inks: Inks = "full") -> bytes:
    """Return the quick reference as pages that fill a paper to its margins, for the table or the wall."""
    buffer = io.BytesIO()
    canvas = new_canvas(buffer, (paper.width * MM, paper.height * MM), inks=inks)
    describe(canvas, game, f"quick reference on {paper.name}", f"quick reference, {game.info.title}")
    drawer = Drawer(canvas, Tags(canvas))
    for number, face in enumerate(pages):
        left, top, right, foot = printable(paper, Settings())
        scale = min((right - left) / face.stock.width, (foot - top) / face.stock.height) * MM
        left = ((left + right) * MM - face.stock.width * scale) / 2
        top = ((2 * paper.height - top - foot) * MM + face.stock.height * scale) / 2
        drawer.draw(face, (scale, 0.0, 0.0, -scale, left, top), None, False, "H1" if number == 0 else "H2")
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()
