"""The two faces of a quick reference in, a PDF to print and cut out: one leaf with as many cards as it holds."""

from __future__ import annotations

from dataclasses import replace

from grimalkin.content import Game
from grimalkin.content.stocks import Paper
from grimalkin.face import Face
from grimalkin.face.quick_card import ID
from grimalkin.problems import Place, Problems
from grimalkin.sheet.document import sheet_pdf
from grimalkin.sheet.edition import Edition
from grimalkin.sheet.impose import impose
from grimalkin.sheet.pieces import Piece
from grimalkin.sheet.settings import Settings

ENDING = "quick"
"""What the name of the file ends in, before its inks."""
MANY = 16
"""More than a leaf holds of any paper for printers at home."""


def quick_pdf(game: Game, faces: tuple[Face, Face], paper: Paper, settings: Settings, edition: Edition) -> bytes | None:
    """The card on a paper; None when the paper is too small for it."""
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
