"""A finished PDF in, an estimate of its ink out: how much of each page is covered, and with what.

It is an estimate. It counts what PDFium shows on white paper, splits it by plain grey-component replacement, and knows
nothing of a printer's own colour tables, which may use twice as much. Two designs of one game are compared well by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pypdfium2
from PIL import Image, ImageChops, ImageStat

WHITE = 252
"""From this brightness on, of 255, a pixel counts as bare paper."""


@dataclass(frozen=True, slots=True)
class Ink:
    """What one page takes, as shares of the whole sheet from 0 to 1."""

    page: int
    covered: float
    """How much of the sheet is not bare. A thin line counts as wide as a pixel, 0.6 mm at 40 dpi."""
    ink: float
    """The mean of 1 − luminance: 0 for white paper, 1 for a black sheet."""
    cyan: float
    magenta: float
    yellow: float
    black: float
    """How much of the sheet each ink would cover, solid: what the three colours have in common is black."""

    @property
    def colours(self) -> tuple[float, float, float, float]:
        return self.cyan, self.magenta, self.yellow, self.black


def coverage(pdf: bytes, dpi: int = 40) -> list[Ink]:
    """The ink of every page of a PDF."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [
            _ink(number, document[number - 1].render(scale=dpi / 72).to_pil().convert("RGB"))
            for number in range(1, len(document) + 1)
        ]
    finally:
        document.close()


def coverage_table(designs: Mapping[str, Sequence[Ink]]) -> list[str]:
    """Lines of text: each design with its pages and the mean of their shares."""
    wide = max(len("design"), *(len(name) for name in designs)) if designs else len("design")
    lines = [f"{'design':{wide}}  pages  covered    ink   cyan  magenta  yellow  black"]
    for name, pages in designs.items():
        shares = [(page.covered, page.ink, *page.colours) for page in pages]
        means = [sum(column) / len(shares) for column in zip(*shares, strict=True)] if shares else [0.0] * 6
        cells = [f"{value:{width}.1%}" for value, width in zip(means, (7, 5, 5, 7, 6, 5), strict=True)]
        lines.append(f"{name:{wide}}  {len(pages):5}  {'  '.join(cells)}")
    return lines


def _ink(number: int, image: Image.Image) -> Ink:
    # Brightness is taken as written, in sRGB: soft edges of shapes then count by the area they cover, and a flat grey
    # comes out near the dots that a printer sets for it, since dots grow in paper.
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
