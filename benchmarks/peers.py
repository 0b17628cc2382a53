"""A deck with art and fitted text, for us, for other tools, and for reportlab by hand.

Every card has a name, a picture of 400 × 300 pixels, and two paragraphs of rules. Both texts must fit into their boxes.
Sheets are A4, nine cards a page, with mirrored backs. `write` makes a folder with a game for us and with rows, fonts
and a back for the others. `run.py peers` measures them; `squib.rb` is the script for Squib.

Alone: python benchmarks/peers.py reportlab|typst|weasyprint FOLDER FILE draws such a folder.
"""

from __future__ import annotations

import html
import json
import math
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import deck

MM = 72 / 25.4
COLUMNS = (10.5, 73.5, 136.5)
LINES = (16.5, 104.5, 192.5)
PLACES = [(x, y) for y in LINES for x in COLUMNS]
"""Upper left corners of nine cards of 63 × 88 mm that share their cuts, in millimetres from the upper left."""
WIDTH, NAME, RULES = 53, 8, 26
STEP = 0.25
"""The width of both text boxes, the height of each in millimetres, and the step in points. A name starts at 12 points,
rules start at 9, and both shrink until they fit."""
KINDS = ("png", "jpg")
HAND = "reportlab by hand"
CANNOT = {
    HAND: "kerning, ligatures, icons in text; nothing is read or checked; boxes and places are code",
    "typst": "fit text without a loop of one's own; report text that does not fit; mirrored backs and marks are code",
    "weasyprint": "fit text: what is too long runs out of its box in silence; mirrored backs and marks are code",
    "squib, pixels": "JPEG; text or vectors in the PDF; report text below a size; backs need a deck of their own",
    "squib, svg": "JPEG; report text below a size; backs need a deck of their own",
}
"""Parts of this job that each side cannot do, and ours can."""
FONTS = "<fontconfig><dir>{folder}/fonts</dir><cachedir>{folder}/fontcache</cachedir></fontconfig>"
"""The configuration of fontconfig, which Squib asks for fonts."""
FACE = """\
{% extends "base/face.svg.j2" %}
{% block art %}
<rect x="3" y="3" width="57" height="82" rx="3" fill="none" stroke="#1d1a26" stroke-width="0.6"/>
<image href="art/{{ card.id }}.KIND" x="5" y="14" width="53" height="39.75"/>
{% endblock %}
{% block words %}
<textbox x="5" y="5" width="53" height="8" font="SourceSerifProBold" size="12" floor="8">{{ card.name }}</textbox>
<textbox x="5" y="56" width="53" height="26" size="9" floor="6">{{ card.rules }}</textbox>
{% endblock %}
"""
TYPST = """\
#let data = json("rows.json")
#set page(width: 210mm, height: 297mm, margin: 0mm)
#set text(font: "Source Sans Pro", fill: rgb("INK"))
#let fitted(body, size, tall) = context {
  let at(size) = block(width: 53mm, { set text(size: size); set par(leading: 0.45em, spacing: 0.9em); body })
  let size = size
  while measure(at(size)).height > tall { size -= 0.25pt }
  at(size)
}
#let front(card) = box(width: 63mm, height: 88mm, {
  place(rect(width: 63mm, height: 88mm, fill: rgb("PAPER")))
  place(dx: 3mm, dy: 3mm, rect(width: 57mm, height: 82mm, radius: 3mm, stroke: 0.6mm + rgb("INK")))
  place(dx: 5mm, dy: 14mm, image("game/art/" + card.picture, width: 53mm))
  place(dx: 5mm, dy: 5mm, fitted(text(font: "Source Serif Pro", weight: 700, card.name), 12pt, 8mm))
  place(dx: 5mm, dy: 56mm, fitted(card.paragraphs.map(text).join(parbreak()), 9pt, 26mm))
})
#let back = image("back.svg", width: 63mm)
#let marks = {
  for x in (10.5, 73.5, 136.5, 199.5) { for y in (0, 285) {
    place(dx: x * 1mm, dy: y * 1mm, line(length: 12mm, angle: 90deg, stroke: 0.2mm))
  } }
  for y in (16.5, 104.5, 192.5, 280.5) { for x in (0, 202) {
    place(dx: x * 1mm, dy: y * 1mm, line(length: 8mm, stroke: 0.2mm))
  } }
}
#let leaves = calc.ceil(data.cards.len() / 9)
#for leaf in range(leaves) {
  let cards = data.cards.slice(leaf * 9, calc.min((leaf + 1) * 9, data.cards.len()))
  for side in ("front", "back") {
    marks
    for (card, (x, y)) in cards.zip(data.places) {
      if side == "front" { place(dx: x * 1mm, dy: y * 1mm, front(card)) }
      else { place(dx: (147 - x) * 1mm, dy: y * 1mm, back) }
    }
    if leaf < leaves - 1 or side == "front" { pagebreak() }
  }
}
"""


def rows(count: int, kind: str) -> Iterator[dict[str, Any]]:
    """Yield cards with two paragraphs of rules, of one to three sentences each."""
    for number, row in enumerate(deck.rows(count)):
        first, second = row["rules"].split(". ")
        more = "Nobody may answer this before the moon is up and every lantern is out."
        paragraphs = [" ".join([f"{first}."] + [more] * (number % 3)), " ".join([second] + [more] * (number % 2))]
        yield {"id": row["id"], "name": row["name"], "paragraphs": paragraphs, "picture": f"{row['id']}.{kind}"}


def write(folder: Path, count: int, kind: str) -> Path:
    """Write the deck as a game into the folder `game`, and the peers' files beside it."""
    game = deck.write(folder / "game", count)
    cards = list(rows(count, kind))
    table = ["id,name,rules"]
    table += ['{id},{name},"{0}"'.format("\n\n".join(card["paragraphs"]), **card) for card in cards]
    (game / "cards.csv").write_text("\n".join(table), encoding="utf-8")
    told = (game / "game.yaml").read_text(encoding="utf-8").splitlines()
    (game / "game.yaml").write_text("\n".join(line for line in told if "whole" not in line), encoding="utf-8")
    (game / "faces" / "card.svg.j2").write_text(FACE.replace("KIND", kind), encoding="utf-8")
    (folder / "rows.json").write_text(json.dumps({"cards": cards, "places": PLACES}), encoding="utf-8")
    (folder / "back.svg").write_text(back(), encoding="utf-8")
    (folder / "fonts.conf").write_text(FONTS.format(folder=folder), encoding="utf-8")
    (game / "art").mkdir()
    for number, card in enumerate(cards):
        paint(number, game / "art" / card["picture"])
    (folder / "fonts").mkdir()
    for name, path in deck.font_paths().items():
        if name != "SourceSerifProBlack":
            shutil.copy(path, folder / "fonts" / f"{'plain' if 'Sans' in name else 'bold'}.ttf")
    return folder


def paint(number: int, out: Path) -> None:
    """Save a picture of soft colours, 400 × 300: about 100 KB as PNG, 16 KB as JPEG."""
    from PIL import Image

    rough = Image.frombytes("RGB", (12, 9), Random(number).randbytes(12 * 9 * 3))
    rough.resize((400, 300), Image.Resampling.BICUBIC).save(out, quality=90)


def back() -> str:
    paw = "".join(
        f'<ellipse cx="{x + w / 2}" cy="{20 - y - h / 2}" rx="{w / 2}" ry="{h / 2}" fill="{deck.RED}"/>'
        for x, y, w, h in deck.PAW
    )
    paws = "".join(
        f'<g transform="translate({4 + column * 9.4} {4 + row * 9.1}) scale(0.3)">{paw}</g>'
        for row in range(9)
        for column in range(6)
    )
    size = 'viewBox="0 0 63 88" width="63mm" height="88mm"'
    ground = f'<rect width="63" height="88" fill="{deck.PAPER}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{ground}{paws}</svg>'


def leaves(folder: Path) -> list[list[dict[str, Any]]]:
    cards = json.loads((folder / "rows.json").read_text(encoding="utf-8"))["cards"]
    return [cards[start : start + 9] for start in range(0, len(cards), 9)]


def floor(folder: Path, out: Path) -> None:
    """Draw the sheets by hand with reportlab. Text is measured by the widths of its letters, without kerning."""
    from reportlab import rl_config
    from reportlab.lib.utils import simpleSplit
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas

    rl_config.useA85 = 0
    for font in ("plain", "bold"):
        pdfmetrics.registerFont(TTFont(font, str(folder / "fonts" / f"{font}.ttf")))

    def fit(canvas: Any, paragraphs: list[str], font: str, size: float, height: float, top: float) -> None:
        """Draw paragraphs below `top`, at the size that fits."""
        tall = math.inf
        while tall > height * MM:
            lines = [line for text in paragraphs for line in [*simpleSplit(text, font, size, WIDTH * MM), ""]][:-1]
            tall = 1.2 * size * (len(lines) - lines.count("") / 2)
            size -= STEP
        canvas.setFont(font, size + STEP)
        base = top * MM - size
        for line in lines:
            canvas.drawString(5 * MM, base, line)
            base -= (1.2 if line else 0.6) * (size + STEP)

    canvas = Canvas(str(out), pagesize=(210 * MM, 297 * MM), pageCompression=1, invariant=1)
    hand_forms(canvas)
    for leaf in leaves(folder):
        canvas.doForm("marks")
        for card, (x, y) in zip(leaf, PLACES, strict=False):
            canvas.saveState()
            canvas.translate(x * MM, (297 - y - 88) * MM)
            canvas.doForm("ground")
            art = str(folder / "game" / "art" / card["picture"])
            canvas.drawImage(art, 5 * MM, 34.25 * MM, 53 * MM, 39.75 * MM)
            fit(canvas, [card["name"]], "bold", 12, NAME, 83)
            fit(canvas, card["paragraphs"], "plain", 9, RULES, 32)
            canvas.restoreState()
        canvas.showPage()
        canvas.doForm("marks")
        for _, (x, y) in zip(leaf, PLACES, strict=False):
            canvas.saveState()
            canvas.translate((147 - x) * MM, (297 - y - 88) * MM)
            canvas.doForm("back")
            canvas.restoreState()
        canvas.showPage()
    canvas.save()


def hand_forms(canvas: Any) -> None:
    """Draw the parts that every page repeats: marks, the ground and frame of a front, the back."""
    canvas.beginForm("marks", 0, 0, 210 * MM, 297 * MM)
    canvas.setLineWidth(0.2 * MM)
    for x in (*COLUMNS, 199.5):
        canvas.line(x * MM, 0, x * MM, 12 * MM)
        canvas.line(x * MM, 285 * MM, x * MM, 297 * MM)
    for y in (*LINES, 280.5):
        canvas.line(0, y * MM, 8 * MM, y * MM)
        canvas.line(202 * MM, y * MM, 210 * MM, y * MM)
    canvas.endForm()
    for name in ("ground", "back"):
        canvas.beginForm(name, 0, 0, 63 * MM, 88 * MM)
        canvas.setFillColor(deck.PAPER)
        canvas.rect(0, 0, 63 * MM, 88 * MM, fill=1, stroke=0)
        canvas.setStrokeColor(deck.INK)
        canvas.setLineWidth(0.6 * MM)
        if name == "ground":
            canvas.roundRect(3 * MM, 3 * MM, 57 * MM, 82 * MM, 3 * MM)
        else:
            canvas.setFillColor(deck.RED)
            for row in range(9):
                for column in range(6):
                    for x, y, width, height in deck.PAW:
                        left, low = 4 + column * 9.4 + 0.3 * x, 88 - 10 - row * 9.1 + 0.3 * y
                        right, high = left + 0.3 * width, low + 0.3 * height
                        canvas.ellipse(left * MM, low * MM, right * MM, high * MM, fill=1, stroke=0)
        canvas.endForm()


def typst(folder: Path, out: Path) -> None:
    import typst

    source = TYPST.replace("INK", deck.INK).replace("PAPER", deck.PAPER)
    (folder / "main.typ").write_text(source, encoding="utf-8")
    fonts = [str(folder / "fonts")]
    typst.compile(str(folder / "main.typ"), output=str(out), font_paths=fonts, ignore_system_fonts=True)


def weasyprint(folder: Path, out: Path) -> None:
    """Draw the sheets with each kind of text at one size, small enough for the longest: CSS cannot fit text."""
    from weasyprint import HTML

    pages = []
    for leaf in leaves(folder):
        fronts, backs = [], []
        for card, (x, y) in zip(leaf, PLACES, strict=False):
            text = "".join(f"<p>{html.escape(paragraph)}</p>" for paragraph in card["paragraphs"])
            fronts.append(
                f'<article style="left:{x}mm;top:{y}mm"><i></i><h3>{html.escape(card["name"])}</h3>'
                f'<img src="game/art/{card["picture"]}"><div>{text}</div></article>'
            )
            backs.append(f'<article style="left:{147 - x}mm;top:{y}mm"><img class="back" src="back.svg"></article>')
        pages += [f"<section>{MARKS}{''.join(side)}</section>" for side in (fronts, backs)]
    faces = "".join(f"@font-face{{font-family:{font};src:url(fonts/{font}.ttf)}}" for font in ("plain", "bold"))
    page = f"<html lang=en><title>Bench</title><style>{faces}{STYLE}</style>{''.join(pages)}"
    HTML(string=page, base_url=str(folder)).write_pdf(str(out))


STYLE = f"""
@page {{ size: 210mm 297mm; margin: 0 }}
body {{ margin: 0; font: 7.5pt/1.2 plain; color: {deck.INK} }}
section {{ position: relative; width: 210mm; height: 297mm; break-after: page }}
article {{ position: absolute; width: 63mm; height: 88mm; background: {deck.PAPER} }}
article > *, b {{ position: absolute }}
i {{ left: 3mm; top: 3mm; width: 56.4mm; height: 81.4mm; border: 0.6mm solid {deck.INK}; border-radius: 3mm }}
h3 {{ left: 5mm; top: 5mm; width: 53mm; margin: 0; font: 10pt bold }}
img {{ left: 5mm; top: 14mm; width: 53mm }}
.back {{ left: 0; top: 0; width: 63mm }}
div {{ left: 5mm; top: 56mm; width: 53mm }}
p {{ margin: 0 0 0.5em }}
b {{ background: black }}
"""
MARKS = "".join(
    [f'<b style="left:{x}mm;top:{y}mm;width:.2mm;height:12mm"></b>' for x in (*COLUMNS, 199.5) for y in (0, 285)]
    + [f'<b style="left:{x}mm;top:{y}mm;width:8mm;height:.2mm"></b>' for y in (*LINES, 280.5) for x in (0, 202)]
)
SIDES: dict[str, Callable[[Path, Path], None]] = {"reportlab": floor, "typst": typst, "weasyprint": weasyprint}

if __name__ == "__main__":
    SIDES[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
