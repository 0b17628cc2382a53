"""The same text in a browser and in our measure: as wide to a thousandth, in any script, font and variant."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import Browser
from test_shaping import ALPHABETS, SANS, SERIF, face_of, line

from grimalkin.printing.draw.shapes import TextRun
from grimalkin.printing.face import standalone_svg
from grimalkin.printing.type.fonts import find_font

FONTS = (SANS, "SourceSansProIt", SERIF, "SourceSerifProBlack", "AmaticSC", "FredokaOne")
TEXTS = (
    "To Vote AWAY: AVATAR, Wolf & Tiger’s Yarn.",
    "Office, fjord, flow and waffle; 1/2 of 11 – 7 = 10",
    "LOOK — “Take” T. V. P, r. f’ y,",
    "m\u0303 q\u0323 e\u0301",
    *ALPHABETS.values(),
)
VARIANTS = ("small-caps", "all-small-caps oldstyle-nums", "tabular-nums", "diagonal-fractions", "no-common-ligatures")


def has(font: str, text: str) -> bool:
    found = find_font(font)
    assert found is not None
    return all(found.glyph(char) for char in text)


CASES = [
    *((font, text, "", 0.0) for font, text in itertools.product(FONTS, TEXTS) if has(font, text)),
    *((SERIF, text, variant, 0.0) for text, variant in itertools.product(TEXTS[:2], VARIANTS)),
    *((SERIF, text, "", 1.25) for text in TEXTS[:2]),
]


@pytest.mark.slow("a browser sets some forty lines")
def test_a_browser_sets_text_as_wide_as_we_measure_it(browser: Browser) -> None:
    """In a face as a picture of its own, with the fonts that it carries."""
    lines = [
        line(
            text.replace("&", "&amp;"),
            y=5 + index,
            font=font,
            size=9,
            more=f'font-variant="{variant}" word-spacing="{spread}"',
        )
        for index, (font, text, variant, spread) in enumerate(CASES)
    ]
    page = browser.new_page()
    page.set_content(standalone_svg(face_of(*lines)))
    page.evaluate("document.fonts.ready")
    widths = page.eval_on_selector_all("text", "texts => texts.map(text => text.getComputedTextLength())")
    page.close()

    assert len(CASES) == len(widths)
    wrong = []
    for (font, text, variant, spread), width in zip(CASES, widths, strict=True):
        style = {"font-family": font, "font-size": "9", "font-variant": variant, "word-spacing": str(spread)}
        ours = TextRun(text, style, 0, 0).width
        if ours != pytest.approx(width, rel=0.001):
            wrong.append((font, text, variant, spread, round(ours, 3), round(width, 3)))
    assert [] == wrong
