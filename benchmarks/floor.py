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


def draw(cards: list[dict[str, str]]) -> bytes:
    """A duplex A4 PDF of 63 × 88 mm cards with 3 mm of bleed, eight a page, turned to the left."""
    rl_config.useA85 = 0
    for name in deck.FONTS:
        pdfmetrics.registerFont(TTFont(name, str(FONTS[name])))
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(WIDTH * MM, HEIGHT * MM), pageCompression=1, invariant=1)
    forms(canvas)
    leaves = [cards[start : start + len(deck.PLACES)] for start in range(0, len(cards), len(deck.PLACES))]
    for leaf, page in enumerate(leaves, 1):
        for side in ("front", "back"):
            canvas.doForm("marks")
            canvas.setFont("SourceSerifProBold", 8)
            canvas.drawString(10 * MM, (HEIGHT - 6.2) * MM, deck.TITLE)
            canvas.setFont("SourceSansPro", 6.5)
            number = 2 * leaf - (side == "front")
            text = deck.SETTINGS.format(leaf=leaf, side=side, page=number, pages=2 * len(leaves))
            canvas.drawString(10 * MM, 4 * MM, text)
            for card, (x, y) in zip(page, deck.PLACES, strict=False):
                canvas.saveState()
                if side == "front":
                    # The card stands on its left edge: its x goes up the page, its y to the right.
                    canvas.transform(0, 1, -1, 0, (x + 88) * MM, (HEIGHT - y - 63) * MM)
                    front(canvas, card)
                else:
                    canvas.transform(0, -1, 1, 0, (WIDTH - x - 88) * MM, (HEIGHT - y) * MM)
                    canvas.doForm("back")
                canvas.restoreState()
            canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def forms(canvas: Canvas) -> None:
    """The icon, the back, and what lies around the cards of every page."""
    canvas.beginForm("icon", 0, 0, 20 * MM, 20 * MM)
    canvas.setFillColor(deck.RED)
    for x, y, width, height in deck.PAW:
        canvas.ellipse(x * MM, y * MM, (x + width) * MM, (y + height) * MM, fill=1, stroke=0)
    canvas.endForm()
    canvas.beginForm("back", -3 * MM, -3 * MM, 66 * MM, 91 * MM)
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
    for x in (14, 102, 108, 196):
        canvas.line(x * MM, 0, x * MM, 7 * MM)
        canvas.line(x * MM, (HEIGHT - 7) * MM, x * MM, HEIGHT * MM)
    for _, y in deck.PLACES[::2]:
        for edge in (y, y + 63):
            canvas.line(0, (HEIGHT - edge) * MM, 8 * MM, (HEIGHT - edge) * MM)
            canvas.line((WIDTH - 8) * MM, (HEIGHT - edge) * MM, WIDTH * MM, (HEIGHT - edge) * MM)
    rule: Any = canvas
    rule.line(150 * MM, (HEIGHT - 6.2) * MM, 200 * MM, (HEIGHT - 6.2) * MM)
    for step in range(51):
        tall = 2.0 if step % 10 == 0 else 1.5 if step % 5 == 0 else 1.0
        rule.line((150 + step) * MM, (HEIGHT - 6.2) * MM, (150 + step) * MM, (HEIGHT - 6.2 + tall) * MM)
    canvas.setFont("SourceSansPro", 6.5)
    canvas.drawRightString(148.5 * MM, (HEIGHT - 6.2) * MM, "this line measures 50 mm")
    canvas.endForm()


def ground(canvas: Canvas) -> None:
    canvas.setFillColor(deck.PAPER)
    canvas.rect(-3 * MM, -3 * MM, 69 * MM, 94 * MM, fill=1, stroke=0)


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
