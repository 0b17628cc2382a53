"""Masters: drawn once for several documents, each of which has the bytes that it has alone."""

from __future__ import annotations

import random

import pytest
from painted import FACES, ICON, face_of

from grimalkin.printing.draw.masters import Masters
from grimalkin.printing.draw.pdf import MM, Drawer, new_canvas
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.face import Face

SERIF, SANS = (f'font-family="{family}" font-size="4" fill="#000000"' for family in ("SourceSerifPro", "SourceSansPro"))
FADED = ICON.replace("<circle", '<circle opacity="0.5"')
TEXTS = {
    "serif": f'<text x="2" y="9" {SERIF}>Moonlit owl</text>',
    "sans": f'<text x="2" y="9" {SANS}>Moonlit owl</text><text x="2" y="19" {SERIF}>and paw</text>',
    "small capital": f'<text x="2" y="9" font-variant="all-small-caps" {SERIF}>w</text>',
    "small capital of W": f'<text x="2" y="9" font-variant="all-small-caps" {SERIF}>W</text>',
    "icon": '<g fill="#ff0000"><use href="#icon-amethyst" x="4" y="4" width="9" height="9"/></g>',
    "icon, labelled": f'<text {SANS}>1</text><use href="#icon-amethyst" width="9" height="9" aria-label="paw"/>',
    "faded icon": f'{FADED}<use href="#s" width="9" height="9"/>',
    "faded icon, moved": f'{FADED}<use href="#s" x="9" width="9" height="9"/><text {SANS}>2</text>',
    "letters in a symbol": f'<symbol id="s" viewBox="0 0 9 9"><text y="9" {SERIF}>abc</text></symbol>'
    '<use href="#s" width="9" height="9"/>',
    "clipped letters in a symbol": '<clipPath id="c"><path d="M0 0L9 0L9 9Z"/></clipPath>'
    f'<symbol id="s" viewBox="0 0 9 9"><g clip-path="url(#c)"><text y="9" {SANS}>abc</text></g></symbol>'
    '<use href="#s" width="9" height="9"/>',
}


def drawn(faces: list[Face], is_tagged: bool, masters: Masters | None = None) -> bytes:
    """A document of faces, one a page; each second is repeated."""
    canvas = new_canvas((30 * MM, 30 * MM))
    drawer = Drawer(canvas, Tags(canvas) if is_tagged else None, masters=masters)
    for number, face in enumerate(faces):
        drawer.draw(face, (MM, 0, 0, -MM, 0, 30 * MM), repeated=number % 2 > 0)
        canvas.showPage()
    return canvas.pdf()


@pytest.mark.parametrize("is_tagged", [False, True])
def test_documents_with_the_same_masters_are_as_if_drawn_alone(is_tagged: bool) -> None:
    """Some faces in any order, again and again: fonts, forms and glyphs are met in other orders every time."""
    faces = [face_of(svg) for svg in (*FACES.values(), *TEXTS.values())]
    masters, dice = Masters(), random.Random(5)
    for _ in range(12):
        some = dice.sample(faces, 20)

        assert drawn(some, is_tagged, masters) == drawn(some, is_tagged)


def test_a_layer_is_drawn_once_for_all_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    masters, face = Masters(), face_of(TEXTS["icon"])
    first = drawn([face], False, masters)
    monkeypatch.setattr("grimalkin.printing.draw.elements.Elements.walk", None)

    assert first == drawn([face], False, masters)


def test_other_drawings_are_made_once() -> None:
    """Such as marks, which are the same in all inks."""
    masters = Masters()

    assert ["a", "a"] == [masters.once("marks", lambda code=code: code) for code in "ab"]  # type: ignore[misc]


def test_masters_hold_no_more_than_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is beyond it, each document draws itself."""
    monkeypatch.setattr("grimalkin.printing.draw.masters.MOST_CODE", 1000)
    faces = [face_of(f'<path d="M0 0L{number} 9L0 9Z"/>') for number in range(1, 99)]
    masters = Masters()

    assert drawn(faces, True, masters) == drawn(faces, True)
    assert 2 < len(masters.drawn) < 20
