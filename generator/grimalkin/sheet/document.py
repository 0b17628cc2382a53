"""Sheets in, one PDF out: every component of a game on one paper, with bookmarks, page boxes and metadata."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pikepdf
from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

from grimalkin import __version__
from grimalkin.content import Game
from grimalkin.content.stocks import Paper
from grimalkin.draw.pdf import MM, Drawer, new_canvas
from grimalkin.sheet.impose import Flip, Sheet
from grimalkin.sheet.marks import draw_cut_circle, draw_label, draw_marks

_EDGE = {"long": "flip on the long edge", "short": "flip on the short edge"}


def sheet_pdf(
    game: Game, sheets: Sequence[Sheet], paper: Paper, flip: Flip, tick: Callable[[], None] = lambda: None
) -> bytes:
    """The sheets as a PDF. `tick` is called once a sheet, for progress."""
    buffer = io.BytesIO()
    canvas = new_canvas(buffer, (paper.width * MM, paper.height * MM))
    _describe(canvas, game, paper)
    drawer = Drawer(canvas)
    names = {deck.id: deck.name for deck in game.info.decks}
    uses = Counter(slot.face.root for sheet in sheets for slot in sheet.slots)
    marked: set[str] = set()
    for number, sheet in enumerate(sheets, 1):
        _set_boxes(canvas, sheet, paper)
        for slot in sheet.slots:
            drawer.draw(slot.face, slot.x * MM, (paper.height - slot.y) * MM, repeated=uses[slot.face.root] > 1)
            if slot.face.stock.shape == "circle":
                draw_cut_circle(canvas, slot, paper)
        draw_marks(canvas, sheet, paper)
        title, settings = _label(game, sheet, sheets, number, paper, flip, names)
        draw_label(canvas, paper, title, settings)
        for deck in sheet.decks:
            if sheet.side == "front" and deck not in marked:
                marked.add(deck)
                canvas.bookmarkPage(deck)
                canvas.addOutlineEntry(names[deck], deck, 0)
        canvas.showPage()
        tick()
    canvas.save()
    return _packed(buffer.getvalue())


def _describe(canvas: Canvas, game: Game, paper: Paper) -> None:
    info = game.info
    canvas.setTitle(f"{info.title}: sheets to print and cut, {paper.name}")
    canvas.setAuthor(", ".join(dict.fromkeys(credit.name for credit in info.credits)))
    note = " Unofficial reference;" if info.our_work else ""
    canvas.setSubject(f"{info.tagline}.{note} Print at 100 %, double-sided.")
    canvas.setCreator(f"Grimalkin {__version__}")
    canvas.setKeywords(f"print and play, {info.title}, {paper.name}")
    document: Any = canvas
    document._doc.Catalog.Lang = pdfdoc.PDFString("en")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    canvas.setViewerPreference("PrintScaling", "None")  # printing at 100 % is the default choice (ISO 32000, 12.2)
    canvas.showOutline()


def _set_boxes(canvas: Canvas, sheet: Sheet, paper: Paper) -> None:
    """TrimBox and BleedBox take in the trims and bleeds of all pieces; a blank back keeps the whole page."""
    trim = bleed = (0.0, 0.0, paper.width * MM, paper.height * MM)
    if sheet.slots:
        trim, bleed = (_around(sheet, paper, edge) for edge in (0.0, 1.0))
    canvas.setTrimBox(trim)
    canvas.setBleedBox(bleed)


def _around(sheet: Sheet, paper: Paper, edge: float) -> tuple[float, float, float, float]:
    """The box around all pieces in points from the lower left corner, with `edge` times their bleed."""
    left = min(slot.x - edge * slot.face.stock.bleed for slot in sheet.slots)
    top = min(slot.y - edge * slot.face.stock.bleed for slot in sheet.slots)
    right = max(slot.x + slot.face.stock.width + edge * slot.face.stock.bleed for slot in sheet.slots)
    foot = max(slot.y + slot.face.stock.height + edge * slot.face.stock.bleed for slot in sheet.slots)
    return left * MM, (paper.height - foot) * MM, right * MM, (paper.height - top) * MM


def _label(
    game: Game, sheet: Sheet, sheets: Sequence[Sheet], number: int, paper: Paper, flip: Flip, names: Mapping[str, str]
) -> tuple[str, str]:
    front = next(one for one in sheets if one.leaf == sheet.leaf and one.side == "front")
    what = ", ".join(names[deck] for deck in front.decks)
    side = sheet.side if sheet.slots else "back, left blank"
    title = f"{game.info.title} · {what}"
    unofficial = ", unofficial reference" if game.info.our_work else ""
    settings = (
        f"Leaf {sheet.leaf}, {side} · page {number} of {len(sheets)} · {paper.name}, print at 100 % on both sides, "
        f"{_EDGE[flip]} · rules version {game.info.rules_version} · Grimalkin {__version__}{unofficial}"
    )
    return title, settings


def _packed(data: bytes) -> bytes:
    """The same PDF with object streams, a third of the size; its id is made from its content."""
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return out.getvalue()
