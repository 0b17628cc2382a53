"""What is painted with more than flat ink looks in a PDF as it does in a browser, which draws the same SVG."""

from __future__ import annotations

import io

import pytest
from painted import FACES, face_of, picture
from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Browser, Page

from grimalkin.printing.draw.pdf import face_pdf

SIZE = 300
FAR = 64
"""Of 255: how far two pixels may differ that count as alike."""
MOST = 0.005
"""Of all pixels, when both pictures are blurred by one."""


@pytest.fixture(scope="module")
def window(browser: Browser) -> Page:
    return browser.new_page(viewport={"width": SIZE, "height": SIZE})


@pytest.mark.parametrize("name", FACES)
def test_a_pdf_looks_as_the_browser_draws_the_face(window: Page, name: str) -> None:
    face = face_of(FACES[name])
    ours = picture(face_pdf(face, False), SIZE)
    svg = face.svg.replace('width="30mm" height="30mm"', f'width="{SIZE}" height="{SIZE}"')
    window.set_content(f'<body style="margin: 0">{svg}</body>')
    theirs = Image.open(io.BytesIO(window.screenshot())).convert("RGB")

    assert MOST > share_apart(ours, theirs)


def share_apart(one: Image.Image, other: Image.Image) -> float:
    """How many of the pixels of two pictures differ in any colour."""
    blurred = (image.filter(ImageFilter.BoxBlur(1)) for image in (one, other))
    red, green, blue = ImageChops.difference(*blurred).split()
    counts = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
    return sum(counts[FAR + 1 :]) / sum(counts)


def test_pictures_that_differ_are_told_apart() -> None:
    """A star and the same star two millimetres to the right."""
    star = FACES["even-odd"]

    assert MOST < share_apart(
        picture(face_pdf(face_of(star), False)),
        picture(face_pdf(face_of(f'<g transform="translate(2 0)">{star}</g>'), False)),
    )
