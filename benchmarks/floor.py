"""The floor: the same sheets drawn by hand with reportlab. Nothing is read, checked or fitted, and nothing is tagged.

The same cards at the same places, with bleed, crop marks, a label and the measured rule; what comes again is a form.
Alone: python benchmarks/floor.py CARDS FILE
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import deck
from reportlab import rl_config
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

FONTS = deck.font_paths()
MM = 72 / 25.4
WIDTH, HEIGHT = 210.0, 297.0
BESIDE, ABOVE = deck.BLEED


def draw(cards: list[dict[str, str]]) -> bytes:
    """A duplex A4 PDF of 63 × 88 mm cards, nine a page, with bleed up to the middle of the gaps between them."""
    rl_config.useA85 = 0
    for name in deck.FONTS:
        pdfmetrics.registerFont(TTFont(name, str(FONTS[name])))
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(WIDTH * MM, HEIGHT * MM), pageCompression=1, invariant=1)
    forms(canvas)
    leaves = [cards[start : start + len(deck.PLACES)] for start in range(0, len(cards), len(deck.PLACES))]
    for leaf, page in enumerate(leaves, 1):
        for side in ("front", "back"):
            number = 2 * leaf - (side == "front")
            text = deck.SETTINGS.format(leaf=leaf, side=side, page=number, pages=2 * len(leaves))
            along(canvas, 6.2, "SourceSerifProBold", 8, deck.TITLE)
            along(canvas, 205.6, "SourceSansPro", 6.5, text)
            for card, (x, y) in zip(page, deck.PLACES, strict=False):
                canvas.saveState()
                canvas.translate((x if side == "front" else WIDTH - x - 63) * MM, (HEIGHT - y - 88) * MM)
                if side == "front":
                    front(canvas, card)
                else:
                    canvas.doForm("back")
                canvas.restoreState()
            canvas.doForm("marks")
            canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def along(canvas: Canvas, x: float, font: str, size: float, text: str) -> None:
    """Writes a line that goes up the page."""
    canvas.saveState()
    canvas.rotate(90)
    canvas.setFont(font, size)
    canvas.drawString(10 * MM, -x * MM, text)
    canvas.restoreState()


def forms(canvas: Canvas) -> None:
    """The icon, the back, and what lies around the cards of every page."""
    canvas.beginForm("icon", 0, 0, 20 * MM, 20 * MM)
    canvas.setFillColor(deck.RED)
    for x, y, width, height in deck.PAW:
        canvas.ellipse(x * MM, y * MM, (x + width) * MM, (y + height) * MM, fill=1, stroke=0)
    canvas.endForm()
    canvas.beginForm("back", -BESIDE * MM, -ABOVE * MM, (63 + BESIDE) * MM, (88 + ABOVE) * MM)
    ground(canvas)
    for row in range(9):
        for column in range(6):
            canvas.saveState()
            canvas.translate((4 + column * 9.4) * MM, (4 + row * 9.1) * MM)
            canvas.scale(0.3, 0.3)
            canvas.doForm("icon")
            canvas.restoreState()
    canvas.endForm()
    canvas.beginForm("marks", 0, 0, WIDTH * MM, HEIGHT * MM)
    canvas.setLineWidth(0.2 * MM)
    for edge in sorted({x + side for x, _ in deck.PLACES for side in (0, 63)}):
        canvas.line(edge * MM, 0, edge * MM, 7 * MM)
        canvas.line(edge * MM, (HEIGHT - 7) * MM, edge * MM, HEIGHT * MM)
    for x in (8.3, 72.4, 137.6, 201.7):  # marks of the rows stand where the gaps cross
        for edge in sorted({y + side for _, y in deck.PLACES for side in (0, 88)}):
            canvas.line((x - 1) * MM, (HEIGHT - edge) * MM, (x + 1) * MM, (HEIGHT - edge) * MM)
    rule: Any = canvas
    rule.line(6.2 * MM, 240 * MM, 6.2 * MM, 290 * MM)
    for step in range(51):
        wide = 2.0 if step % 10 == 0 else 1.5 if step % 5 == 0 else 1.0
        rule.line((6.2 - wide) * MM, (240 + step) * MM, 6.2 * MM, (240 + step) * MM)
    canvas.rotate(90)
    canvas.setFont("SourceSansPro", 6.5)
    canvas.drawRightString(238.5 * MM, -6.2 * MM, "this line measures 50 mm")
    canvas.endForm()


def ground(canvas: Canvas) -> None:
    canvas.setFillColor(deck.PAPER)
    canvas.rect(-BESIDE * MM, -ABOVE * MM, (63 + 2 * BESIDE) * MM, (88 + 2 * ABOVE) * MM, fill=1, stroke=0)


def front(canvas: Canvas, card: dict[str, str]) -> None:
    ground(canvas)
    canvas.setStrokeColor(deck.INK)
    canvas.setLineWidth(0.6 * MM)
    canvas.roundRect(3 * MM, 3 * MM, 57 * MM, 82 * MM, 3 * MM)
    canvas.saveState()
    canvas.translate(21.5 * MM, 48 * MM)
    canvas.doForm("icon")
    canvas.restoreState()
    canvas.setFillColor(deck.INK)
    canvas.setFont("SourceSerifProBold", 12)
    for index, line in enumerate(simpleSplit(card["name"], "SourceSerifProBold", 12, 53 * MM)):
        canvas.drawString(5 * MM, (79 - 5 * index) * MM, line)
    canvas.setFont("SourceSansPro", 8)
    for index, line in enumerate(simpleSplit(card["rules"], "SourceSansPro", 8, 53 * MM)):
        canvas.drawString(5 * MM, (39 - 3.5 * index) * MM, line)
    canvas.setFont("SourceSerifProBlack", 17)
    for index, key in enumerate(("claw", "will", "points")):
        canvas.drawString((12 + 20 * index) * MM, 7 * MM, card[key])


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(draw(deck.rows(int(sys.argv[1]))))
