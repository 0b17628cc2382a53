"""The same sheets made by typesetters, from the same data: python benchmarks/peers.py typst|weasyprint CARDS FILE"""

from __future__ import annotations

import base64
import html
import json
import sys
import tempfile
from pathlib import Path

import deck

FONTS = deck.font_paths()
TYPST = """\
#let data = json("data.json")
#set page(width: 210mm, height: 297mm, margin: 0mm)
#set text(font: "Source Sans Pro", size: 8pt, fill: rgb("INK"), kerning: false, ligatures: false)
#set par(leading: 3.5mm - 0.72em)
#let ground = place(dx: -3mm, dy: -3mm, rect(width: 69mm, height: 94mm, fill: rgb("PAPER")))
#let front(card) = box(width: 63mm, height: 88mm, {
  ground
  place(dx: 3mm, dy: 3mm, rect(width: 57mm, height: 82mm, radius: 3mm, stroke: 0.6mm + rgb("INK")))
  place(dx: 21.5mm, dy: 20mm, image("paw.svg", width: 20mm))
  place(dx: 5mm, dy: 5mm, box(width: 53mm, heading(level: 3, text(font: "Source Serif Pro", weight: 700, size: 12pt,
    card.name))))
  place(dx: 5mm, dy: 46mm, box(width: 53mm, card.rules))
  for (index, value) in (card.claw, card.will, card.points).enumerate() {
    place(dx: 12mm + index * 20mm, dy: 76mm, text(font: "Source Serif Pro", weight: 900, size: 17pt, value))
  }
})
#let back = box(width: 63mm, height: 88mm, place(dx: -3mm, dy: -3mm, image("back.svg", width: 69mm, height: 94mm)))
#let marks = {
  for x in (14, 102, 108, 196) {
    place(dx: x * 1mm, line(length: 7mm, angle: 90deg, stroke: 0.2mm))
    place(dx: x * 1mm, dy: 290mm, line(length: 7mm, angle: 90deg, stroke: 0.2mm))
  }
  for (_, y) in data.places { for edge in (y, y + 63) {
    place(dy: edge * 1mm, line(length: 8mm, stroke: 0.2mm))
    place(dx: 202mm, dy: edge * 1mm, line(length: 8mm, stroke: 0.2mm))
  } }
  place(dx: 150mm, dy: 6.2mm, line(length: 50mm, stroke: 0.2mm))
  for step in range(51) {
    let tall = if calc.rem(step, 10) == 0 { 2mm } else if calc.rem(step, 5) == 0 { 1.5mm } else { 1mm }
    place(dx: 150mm + step * 1mm, dy: 6.2mm - tall, line(length: tall, angle: 90deg, stroke: 0.2mm))
  }
  place(dx: 122mm, dy: 4mm, text(size: 6.5pt)[this line measures 50 mm])
}
#let count = data.places.len()
#let leaves = calc.ceil(data.cards.len() / count)
#for leaf in range(leaves) {
  let cards = data.cards.slice(leaf * count, calc.min((leaf + 1) * count, data.cards.len()))
  for side in ("front", "back") {
    marks
    place(dx: 10mm, dy: 4mm, text(font: "Source Serif Pro", weight: 700, data.title))
    place(dx: 10mm, dy: 291mm, text(size: 6.5pt)[Leaf #(leaf + 1), #side · page #context counter(page).display() of
      #(2 * leaves) · A4, print at 100 % on both sides, flip on the long edge])
    for (card, (x, y)) in cards.zip(data.places) {
      if side == "front" { place(dx: x * 1mm, dy: y * 1mm, rotate(-90deg, reflow: true, front(card))) }
      else { place(dx: (122 - x) * 1mm, dy: y * 1mm, rotate(90deg, reflow: true, back)) }
    }
    if leaf < leaves - 1 or side == "front" { pagebreak() }
  }
}
"""


def paw() -> str:
    return "".join(
        f'<ellipse cx="{x + w / 2}" cy="{20 - y - h / 2}" rx="{w / 2}" ry="{h / 2}" fill="{deck.RED}"/>'
        for x, y, w, h in deck.PAW
    )


def svg(width: float, height: float, inside: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{inside}</svg>'


def back() -> str:
    paws = "".join(
        f'<g transform="translate({7 + column * 9.4} {7 + row * 9.1}) scale(0.3)">{paw()}</g>'
        for row in range(9)
        for column in range(6)
    )
    return svg(69, 94, f'<rect width="69" height="94" fill="{deck.PAPER}"/>{paws}')


def typst(cards: list[dict[str, str]], out: Path) -> None:
    import typst

    source = TYPST
    for word, colour in (("INK", deck.INK), ("PAPER", deck.PAPER), ("RED", deck.RED)):
        source = source.replace(word, colour)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = {"cards": cards, "places": deck.PLACES, "title": deck.TITLE}
        (folder / "paw.svg").write_text(svg(20, 20, paw()), encoding="utf-8")
        (folder / "back.svg").write_text(back(), encoding="utf-8")
        (folder / "data.json").write_text(json.dumps(data), encoding="utf-8")
        (folder / "main.typ").write_text(source, encoding="utf-8")
        fonts = sorted({str(FONTS[font].parent) for font in deck.FONTS})
        typst.compile(str(folder / "main.typ"), output=str(out), font_paths=fonts, ignore_system_fonts=True)


def weasyprint(cards: list[dict[str, str]], out: Path) -> None:
    from weasyprint import HTML  # the peers are imported late: one may be missing

    icon, behind = (
        f"data:image/svg+xml;base64,{base64.b64encode(picture.encode()).decode()}"
        for picture in (svg(20, 20, paw()), back())
    )
    ground = '<div class="ground"></div>'
    turned = f'<img src="{behind}" style="left:-3mm;top:-3mm;width:69mm">'
    pages = []
    for start in range(0, len(cards), len(deck.PLACES)):
        leaf = cards[start : start + len(deck.PLACES)]
        for side in ("front", "back"):
            page = [f'<p class="title">{deck.TITLE}</p><p class="settings">Leaf {start // 8 + 1}, {side}</p>']
            for card, (x, y) in zip(leaf, deck.PLACES, strict=False):
                if side == "back":
                    page.append(f'<div class="card right" style="left:{122 - x}mm;top:{y}mm">{turned}</div>')
                    continue
                numbers = "".join(
                    f'<b style="left:{12 + 20 * index}mm">{card[key]}</b>'
                    for index, key in enumerate(("claw", "will", "points"))
                )
                page.append(
                    f'<div class="card left" style="left:{x}mm;top:{y}mm">{ground}<div class="frame"></div>'
                    f'<img src="{icon}" style="left:21.5mm;top:20mm;width:20mm"><h3>{html.escape(card["name"])}</h3>'
                    f'<p class="rules">{html.escape(card["rules"])}</p>{numbers}</div>'
                )
            pages.append(f"<section>{''.join(page)}</section>")
    faces = "".join(f"@font-face{{font-family:{font};src:url({FONTS[font].as_uri()})}}" for font in deck.FONTS)
    style = f"""{faces}
    @page {{ size: 210mm 297mm; margin: 0 }}
    body {{ margin: 0; font: 8pt SourceSansPro; color: {deck.INK}; font-kerning: none }}
    section {{ position: relative; width: 210mm; height: 297mm; break-after: page }}
    p, h3 {{ margin: 0 }}
    .title {{ position: absolute; left: 10mm; top: 4mm; font-family: SourceSerifProBold }}
    .settings {{ position: absolute; left: 10mm; top: 291mm; font-size: 6.5pt }}
    .card {{ position: absolute; width: 63mm; height: 88mm; transform-origin: 0 0 }}
    .left {{ transform: translateY(63mm) rotate(-90deg) }}
    .right {{ transform: translateX(88mm) rotate(90deg) }}
    .card > * {{ position: absolute }}
    .ground {{ left: -3mm; top: -3mm; width: 69mm; height: 94mm; background: {deck.PAPER} }}
    .frame {{ left: 3mm; top: 3mm; width: 56.4mm; height: 81.4mm; border: 0.6mm solid {deck.INK}; border-radius: 3mm }}
    h3 {{ left: 5mm; top: 5mm; width: 53mm; font: 12pt SourceSerifProBold }}
    .rules {{ left: 5mm; top: 46mm; width: 53mm; line-height: 3.5mm }}
    b {{ top: 76mm; font: 17pt SourceSerifProBlack }}
    """
    HTML(string=f"<html lang=en><title>Bench</title><style>{style}</style>{''.join(pages)}").write_pdf(str(out))


if __name__ == "__main__":
    {"typst": typst, "weasyprint": weasyprint}[sys.argv[1]](deck.rows(int(sys.argv[2])), Path(sys.argv[3]))
