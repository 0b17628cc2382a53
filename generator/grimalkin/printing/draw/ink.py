"""Estimate the ink of a finished PDF: how much of each page is covered, and with which inks.

This is only an estimate. It counts the pixels that PDFium draws on white paper, splits them by plain grey-component
replacement, and ignores a printer's own colour tables, which may use twice as much. It is good enough to compare two
designs of one game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pypdfium2
from PIL import Image, ImageChops, ImageStat

WHITE = 252
"""The brightness, out of 255, from which a pixel counts as bare paper."""


@dataclass(frozen=True, slots=True)
class Ink:
    """The ink of one page, as fractions of the sheet from 0 to 1."""

    page: int
    covered: float
    """The fraction of the sheet that is not bare. A thin line counts as one pixel wide, which is 0.6 mm at 40 dpi."""
    ink: float
    """The mean of 1 − luminance: 0 for white paper, 1 for a black sheet."""
    cyan: float
    magenta: float
    yellow: float
    black: float
    """The fraction of the sheet that each ink would cover if solid; black is the common part of the three colours."""

    @property
    def colours(self) -> tuple[float, float, float, float]:
        return self.cyan, self.magenta, self.yellow, self.black


def coverage(pdf: bytes, dpi: int = 40) -> list[Ink]:
    """Return the ink of every page of a PDF."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [
            _ink(number, document[number - 1].render(scale=dpi / 72).to_pil().convert("RGB"))
            for number in range(1, len(document) + 1)
        ]
    finally:
        document.close()


def coverage_table(designs: Mapping[str, Sequence[Ink]]) -> list[str]:
    """Return lines of text: each design with its number of pages and its mean coverage."""
    wide = max(len("design"), *(len(name) for name in designs)) if designs else len("design")
    lines = [f"{'design':{wide}}  pages  covered    ink   cyan  magenta  yellow  black"]
    for name, pages in designs.items():
        shares = [(page.covered, page.ink, *page.colours) for page in pages]
        means = [sum(column) / len(shares) for column in zip(*shares, strict=True)] if shares else [0.0] * 6
        cells = [f"{value:{width}.1%}" for value, width in zip(means, (7, 5, 5, 7, 6, 5), strict=True)]
        lines.append(f"{name:{wide}}  {len(pages):5}  {'  '.join(cells)}")
    return lines


def _ink(number: int, image: Image.Image) -> Ink:
    # Brightness is used as written, in sRGB: soft edges then count by the area they cover, and a flat grey comes out
    # close to the dots that a printer sets for it, since dots spread in paper.
    grey = image.convert("L", (0.2126, 0.7152, 0.0722, 0))
    bands = image.split()
    bare = ImageChops.darker(ImageChops.darker(bands[0], bands[1]), bands[2])
    covered = 255 - _mean(bare.point(lambda value: 255 if value >= WHITE else 0))
    inks = [ImageChops.invert(band) for band in bands]
    black = ImageChops.darker(ImageChops.darker(inks[0], inks[1]), inks[2])
    cyan, magenta, yellow = (_mean(ImageChops.subtract(one, black)) / 255 for one in inks)
    return Ink(number, covered / 255, 1 - _mean(grey) / 255, cyan, magenta, yellow, _mean(black) / 255)


def _mean(band: Image.Image) -> float:
    return float(ImageStat.Stat(band).mean[0])
