"""Fonts of a game's own in a browser: as wide as they are measured, drawn as on paper, and in the preview."""

from __future__ import annotations

import io
import threading
from functools import cache
from pathlib import Path

import pytest
from fonts_for_tests import CYRILLIC_KERNING, called, collection, installed, kerned, numbered, variable
from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Browser, expect
from test_fonts import box, face_in, text, with_fonts

from grimalkin.printing.draw.raster import face_png
from grimalkin.printing.draw.shapes import outline_texts, own_style, text_runs
from grimalkin.printing.face import standalone_svg
from grimalkin.site.preview import Preview, serve

pytestmark = pytest.mark.slow("a browser sets type")


@cache
def files() -> dict[str, bytes]:
    """Fonts of all kinds."""
    return {
        "fell.ttf": called("Fell"),
        "serif.otf": called("Serif", data=installed("SourceSerifPro", ".otf")),
        "twin.ttc": collection(called("Twin"), called("Twin", "Italic", installed("SourceSerifProIt"))),
        "packed.woff2": called("Packed", data=installed("AmaticSC"), flavor="woff2"),
        "vario.ttf": variable(),
        "other.otf": variable("Other", "otf"),
        "cider.otf": numbered(),
        "kerned.ttf": kerned(),
        "half.ttf": kerned(CYRILLIC_KERNING, "Half"),
    }


LATIN, DRAWN = "Hamburgefonstiv AVATAR office", "abcdefghij ab ij"
PLACES = ("Vario", "Vario:wght=100:slnt=-12", "Vario Wide Open", "Other Bold")
LINES = [
    *((name, LATIN) for name in ("Fell", "Serif", "Twin", "Twin Italic", "Packed")),
    *((name, DRAWN) for name in (*PLACES, "Cider", "Kerned", "Half")),
    ("Vario, Serif", "abc Wolf abc"),
]  # fmt: skip
STYLE = {"text-anchor": "start", "fill": "#000000"}


def test_a_browser_sets_them_as_wide_and_draws_them_as_paper_does(browser: Browser, tmp_path: Path) -> None:
    """Widths to a thousandth; the pictures differ at the edges of letters alone."""
    words = "".join(text(words, name, y=6 + 6.5 * row) for row, (name, words) in enumerate(LINES))
    face = face_in(tmp_path / "tiny", words, files())
    lines = [layer.element for layer in face.layers if layer.element.tag.endswith("text")]
    ours = [sum(run.width for run in text_runs(line, STYLE | own_style(line))) for line in lines]
    page = browser.new_page(viewport={"width": 496, "height": 693})
    page.set_content(f'<body style="margin:0">{standalone_svg(face)}')
    page.add_style_tag(content="svg { width: 496px; height: 693px; display: block }")
    page.evaluate("document.fonts.ready")
    widths = page.eval_on_selector_all("text", "texts => texts.map(text => text.getComputedTextLength())")
    shot = Image.open(io.BytesIO(page.screenshot())).convert("L")
    page.close()
    paper = Image.open(io.BytesIO(face_png(face, 200))).convert("L").resize(shot.size)
    # Half a pixel off is a thin grey line; what is set in another font, or not at all, is a black blot.
    blots = ImageChops.difference(paper, shot).filter(ImageFilter.MinFilter(3)).crop((20, 20, 476, 673))

    assert len(LINES) == len(lines)
    assert ours == pytest.approx(widths, rel=0.001)
    assert blots.getextrema()[1] < 120


def test_a_preview_is_set_in_them_and_in_what_they_become(browser: Browser, tmp_path: Path) -> None:
    """The page loads a font when it meets one, and the new one when its file is saved."""
    folder = with_fonts(tmp_path / "tiny", text(), {"fell.ttf": files()["fell.ttf"]})
    server = serve(Preview(folder), 0)
    assert server is not None
    threading.Thread(target=server.run, daemon=True).start()
    page = browser.new_page()
    try:
        page.goto(server.address)
        line = page.locator('li[data-id="owl-front"] svg.face text').last
        expect(line).to_have_attribute("font-family", server.preview.show("full")[1].fonts[0].name)
        page.evaluate("document.fonts.ready")
        first = line.evaluate("text => text.getComputedTextLength()")
        before = line.get_attribute("font-family")
        (folder / "fonts" / "fell.ttf").write_bytes(called("Fell", data=installed("AmaticSC")))

        expect(line).not_to_have_attribute("font-family", before or "")
        loaded = "async text => { await document.fonts.load('10px ' + text.getAttribute('font-family'))"
        second = line.evaluate(f"{loaded}; return text.getComputedTextLength() }}")
        assert first != pytest.approx(second, rel=0.1)
    finally:
        page.close()
        server.close()


def test_outlines_look_as_the_text_does(browser: Browser, tmp_path: Path) -> None:
    """No text is left, its words are labels, and a browser shows the same letters at the same places."""
    words = "".join(text(words, name, y=6 + 6.5 * row) for row, (name, words) in enumerate(LINES))
    face = face_in(tmp_path / "tiny", words + f'<g transform="translate(0 68)">{box("In a box")}</g>', files())
    shots = []
    for svg in (standalone_svg(face), outlined := standalone_svg(face, change=outline_texts)):
        page = browser.new_page(viewport={"width": 496, "height": 693})
        page.set_content(f'<body style="margin:0">{svg}')
        page.add_style_tag(content="svg { width: 496px; height: 693px; display: block }")
        page.evaluate("document.fonts.ready")
        shots.append(Image.open(io.BytesIO(page.screenshot())).convert("L"))
        page.close()
    blots = ImageChops.difference(*shots).filter(ImageFilter.MinFilter(3))

    assert "<text" not in outlined and "font-face" not in outlined
    assert all(f'aria-label="{words}"' in outlined for _, words in LINES)
    assert shots[0].getextrema()[0] < 64
    assert blots.getextrema()[1] < 120
