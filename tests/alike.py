"""Drawings as a browser shows them, and how far two pictures of one drawing are apart."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

from lxml import etree
from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Page

from grimalkin.printing.face.art import Art
from grimalkin.printing.type.fonts import font_paths

FOLDER = Path(__file__).parent / "art"
PROGRAMS = sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir())
SIDE = 300
"""Of each drawing, in pixels."""
GROUND = "#80698f"
"""Behind each: neither white nor black goes unseen on it."""
MOST_OFF, LEAST_SEEN = 0.005, 64
"""The part of the pixels that may differ, and by how much of 255 a pixel differs."""
A_PAGE = 20
FACES = {
    "Source Sans Pro": {400: "SourceSansPro", 700: "SourceSansProBold"},
    "Source Serif Pro": {400: "SourceSerifPro"},
}
"""Fonts that a text asks for, and by weight those that are installed. A browser has none of them by itself."""


def as_it_is(data: bytes) -> bytes:
    """A drawing with the fonts that it names."""
    faces = "".join(
        f"@font-face{{font-family:'{family}';font-weight:{weight};src:url(data:font/ttf;base64,{font(name)})}}"
        for family, weights in FACES.items()
        for weight, name in weights.items()
        if family.encode() in data
    )
    return re.sub(rb"(<svg\b[^>]*>)", rb"\1<style>" + faces.encode() + b"</style>", data, count=1) if faces else data


@cache
def font(name: str) -> str:
    return b64encode(font_paths()[name].read_bytes()).decode()


def as_art(art: Art) -> bytes:
    """The same as plain art, in a file of its own."""
    x, y, width, height = art.box
    size = art.size or (width, height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}mm" height="{size[1]}mm" '
        f'viewBox="{x} {y} {width} {height}" preserveAspectRatio="{art.aspect}">'
    )
    return head.encode() + etree.tostring(art.element) + b"</svg>"


def looks(page: Page, drawings: list[bytes]) -> Iterator[Image.Image]:
    """What a browser shows of each drawing."""
    shown = "".join(f'<img src="data:image/svg+xml;base64,{b64encode(one).decode()}">' for one in drawings)
    style = f"body{{margin:0;background:{GROUND};width:{2 * SIDE}px;line-height:0}}"
    page.set_content(
        f"<style>{style}img{{width:{SIDE}px;height:{SIDE}px;object-fit:contain}}</style>{shown}", wait_until="load"
    )
    page.evaluate("Promise.all([...document.images].map(one => one.decode().catch(() => 0)))")
    whole = Image.open(BytesIO(page.screenshot(full_page=True))).convert("RGB")
    for at in range(len(drawings)):
        left, top = at % 2 * SIDE, at // 2 * SIDE
        yield whole.crop((left, top, left + SIDE, top + SIDE)).filter(ImageFilter.GaussianBlur(1))


def off(one: Image.Image, other: Image.Image) -> float:
    """The part of the pixels in which two pictures differ."""
    red, green, blue = ImageChops.difference(one, other).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return sum(most.histogram()[LEAST_SEEN + 1 :]) / (SIDE * SIDE)
