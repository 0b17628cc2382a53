"""The floor: the same deck drawn by hand with reportlab, nothing checked, nothing fitted, no marks."""

from __future__ import annotations

import io

from reportlab import rl_config
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from grimalkin.face.fonts import font_paths

MM = 72 / 25.4


def draw(cards: list[dict[str, str]]) -> bytes:
    """A duplex A4 PDF of 63 × 88 mm cards with 3 mm of bleed, two by two."""
    rl_config.useA85 = 0
    for name in ("SourceSansPro", "SourceSerifProBold", "SourceSerifProBlack"):
        pdfmetrics.registerFont(TTFont(name, str(font_paths()[name])))
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(210 * MM, 297 * MM), pageCompression=1, invariant=1)
    canvas.beginForm("icon", 0, 0, 20 * MM, 20 * MM)
    canvas.setFillColor("#a3432f")
    canvas.ellipse(5 * MM, 2 * MM, 15 * MM, 10 * MM, fill=1, stroke=0)
    for x, y in ((2, 8), (6, 12), (11, 12), (15, 8)):
        canvas.ellipse(x * MM, y * MM, (x + 4) * MM, (y + 5) * MM, fill=1, stroke=0)
    canvas.endForm()
    canvas.beginForm("back", 0, 0, 69 * MM, 94 * MM)
    canvas.setFillColor("#f7f1e3")
    canvas.rect(0, 0, 69 * MM, 94 * MM, fill=1, stroke=0)
    for row in range(9):
        for column in range(6):
            canvas.saveState()
            canvas.translate((7 + column * 9.4) * MM, (7 + row * 9.1) * MM)
            canvas.scale(0.3, 0.3)
            canvas.doForm("icon")
            canvas.restoreState()
    canvas.endForm()
    places = [(36 + 69 * column, 50 + 94 * row) for row in range(2) for column in range(2)]
    for start in range(0, len(cards), 4):
        page = cards[start : start + 4]
        for card, (x, y) in zip(page, places, strict=False):
            canvas.saveState()
            canvas.translate(x * MM, y * MM)
            front(canvas, card)
            canvas.restoreState()
        canvas.showPage()
        for _, (x, y) in zip(page, places, strict=False):
            canvas.saveState()
            canvas.translate((210 - x - 69) * MM, y * MM)
            canvas.doForm("back")
            canvas.restoreState()
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def front(canvas: Canvas, card: dict[str, str]) -> None:
    canvas.setFillColor("#f7f1e3")
    canvas.rect(0, 0, 69 * MM, 94 * MM, fill=1, stroke=0)
    canvas.roundRect(6 * MM, 6 * MM, 57 * MM, 82 * MM, 3 * MM)
    canvas.saveState()
    canvas.translate(24.5 * MM, 51 * MM)
    canvas.doForm("icon")
    canvas.restoreState()
    canvas.setFillColor("#1d1a26")
    canvas.setFont("SourceSerifProBold", 12)
    for index, line in enumerate(simpleSplit(card["name"], "SourceSerifProBold", 12, 53 * MM)):
        canvas.drawString(8 * MM, (82 - 5 * index) * MM, line)
    canvas.setFont("SourceSansPro", 8)
    for index, line in enumerate(simpleSplit(card["rules"], "SourceSansPro", 8, 53 * MM)):
        canvas.drawString(8 * MM, (42 - 3.5 * index) * MM, line)
    canvas.setFont("SourceSerifProBlack", 17)
    for index, key in enumerate(("claw", "will", "points")):
        canvas.drawString((15 + 20 * index) * MM, 10 * MM, card[key])
