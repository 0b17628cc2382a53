"""Drawings as programs save them, beside the plain art that becomes of them: a browser shows both alike."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from alike import A_PAGE, FOLDER, MOST_OFF, PROGRAMS, SIDE, as_art, as_it_is, looks, off
from playwright.sync_api import Browser, Page

from grimalkin.printing.face.art import Art, read_art

pytestmark = pytest.mark.slow("a browser shows drawings")


@pytest.fixture(scope="module")
def sheet(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 2 * SIDE, "height": SIDE})
    yield page
    page.close()


@pytest.mark.parametrize("program", PROGRAMS)
def test_plain_art_looks_like_the_drawing(program: str, sheet: Page) -> None:
    """Each file that a program might have saved; what is refused is in a folder of its own."""
    paths = sorted((FOLDER / program).glob("*.svg"))
    pairs: list[tuple[str, bytes, bytes]] = []
    refused: dict[str, list[tuple[int, str, str]]] = {}
    for path in paths:
        data = path.read_bytes()
        art = read_art(data, "art-")
        if isinstance(art, Art):
            pairs.append((path.name, as_it_is(data), as_art(art)))
        else:
            refused[path.name] = art
    unlike: dict[str, float] = {}
    for at in range(0, len(pairs), A_PAGE):
        some = pairs[at : at + A_PAGE]
        shown = looks(sheet, [one for _, *both in some for one in both])
        for (name, _, _), one, other in zip(some, shown, shown, strict=False):
            if (found := off(one, other)) >= MOST_OFF:
                unlike[name] = round(found, 4)

    assert {} == refused
    assert {} == unlike
