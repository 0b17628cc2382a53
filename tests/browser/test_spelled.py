"""Numbers in all the spellings of SVG, and symbols in their places: a browser sees them where paper has them."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser
from test_spellings import CASES, WIDE, composed

pytestmark = pytest.mark.slow("a browser draws dozens of faces")

BOXES = """faces => faces.map(face => [...face.querySelectorAll("path,polygon,rect,circle,ellipse,line,text,use")].map(
  one => Object.values(one.getBoundingClientRect().toJSON()).map(edge => Math.round(100 * edge))))"""


def boxes(browser: Browser, faces: list[str]) -> list[list[list[int]]]:
    """Where the shapes of each face lie, each face drawn in the same place."""
    page = browser.new_page()
    page.set_content("<style>body, svg { margin: 0; position: absolute; left: 0; top: 0 }</style>" + "".join(faces))
    found: list[list[list[int]]] = page.eval_on_selector_all("body > svg", BOXES)
    page.close()
    return found


def test_a_browser_takes_every_spelling_for_the_same(browser: Browser, tmp_path: Path) -> None:
    """The boxes of all shapes are where those of the plain spelling are."""
    pairs = [
        [composed(tmp_path / f"{number}{which}", words.format(one)).svg for which, one in enumerate((plain, other))]
        for number, (words, plain, other) in enumerate(CASES)
    ]
    expected, actual = (boxes(browser, [pair[which] for pair in pairs]) for which in (0, 1))

    assert len(CASES) == len(expected)
    assert all(any(any(box) for box in face) for face in expected)
    assert expected == actual


@pytest.mark.parametrize(
    ("use", "box"),
    [
        ('<use href="#s" x="5" y="5" width="12" height="12"/>', (5, 8, 17, 14)),
        ('<use href="#s" x="5" y="5" width="48" height="12"/>', (17, 5, 41, 17)),
        ('<use href="#s" x="5" y="5"/>', (5, 5, 29, 17)),
        ('<use href="#s" x="5" y="5" height="24"/>', (5, 11, 29, 23)),
    ],
)
def test_a_browser_has_a_symbol_where_paper_has_it(
    browser: Browser, tmp_path: Path, use: str, box: tuple[float, ...]
) -> None:
    """Its box, in millimetres of the face, is the one that sheets and checks have."""
    (face,) = boxes(browser, [composed(tmp_path, WIDE + use).svg])
    left, top, width, height = (edge / 100 / 96 * 25.4 for edge in face[-1][:4])
    found = (left - 3, top - 3, left + width - 3, top + height - 3)  # the bleed is drawn too

    assert box == pytest.approx(found, abs=0.1)
