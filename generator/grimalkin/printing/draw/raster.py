"""Turn PDFs into pixels: pictures of faces, alone or on a ground, and estimates of ink.

All drawing is done in PDF; a picture shows what a printer would print. PDFium rasterises it to an exact size in pixels.
"""

from __future__ import annotations

import io
import math
import struct
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pypdfium2
from PIL import Image, ImageChops, ImageStat
from pypdfium2 import raw

from grimalkin.content.stocks import Paper, Stock
from grimalkin.printing.draw.packing import MM, colour
from grimalkin.printing.draw.pdf import Drawer, faces_pdf, new_canvas
from grimalkin.printing.draw.shapes import path_operators
from grimalkin.printing.face.layers import Face

SMALL = 20
"""Dots per inch, enough to show which ink is where."""
INCH = 25.4
"""Millimetres in an inch."""
PACKING = 3
"""The compression level of zlib. The next level saves an eighth of flat art like ours, but takes twice as long."""
_Masks = Mapping[tuple[int, tuple[int, int]], Image.Image]
"""Masks by page and size, white where a picture is cut off."""
_KINDS = {"RGB": 2, "RGBA": 6}
"""PNG's codes for Pillow's modes."""


class Lying(NamedTuple):
    """How a picture lies on a canvas, and how it is saved."""

    canvas: tuple[int, int] | None = None
    """The size of a larger or smaller picture, with the page in its middle; anything outside is cut. Beyond a
    rectangle, its outermost pixels are repeated; around any other shape is the colour of its top edge."""
    turned: bool = False
    """Whether the page is rotated by 90 degrees, counter-clockwise."""
    shift: tuple[int, int] = (0, 0)
    """How far it lies to the right of the middle of the canvas, and below it."""
    is_jpeg: bool = False


FLAT = Lying()


@dataclass(frozen=True, slots=True)
class Shot:
    """Instructions for turning a page of a PDF into a picture. Sizes are width and height in pixels."""

    page: int
    size: tuple[int, int]
    """The size of the picture, which the page fills exactly."""
    dpi: int
    """The resolution recorded in the picture."""
    mask: int | None = None
    """The page that is black where the picture is kept; the rest becomes transparent, or canvas."""
    lying: Lying = FLAT


def pixels(length: float, dpi: int) -> int:
    """Return a length in millimetres as whole pixels, at least one."""
    return max(1, round(length / INCH * dpi))


def face_png(face: Face, dpi: int = 300, bleed: bool = False, square: bool = False) -> bytes:
    """Return a face as PNG. Without bleed, the area outside the cut is transparent, unless `square` keeps it."""
    pdf, shots = shoot([face], dpi, bleed, square)
    return develop(pdf, shots)[0]


def shoot(
    faces: Sequence[Face],
    dpi: int,
    bleed: bool = False,
    square: bool = False,
    lying: Sequence[Lying] = (),
) -> tuple[bytes, list[Shot]]:
    """Return a PDF of the faces, one per page, and a shot of each. `lying` says how each lies."""
    masks: list[Stock] = []
    shots = []
    for page, face in enumerate(faces):
        stock = face.stock
        edge = 2 * stock.bleed if bleed else 0
        size = (pixels(stock.width + edge, dpi), pixels(stock.height + edge, dpi))
        lies = lying[page] if lying else FLAT
        mask = None
        if stock.shape != "rectangle" if lies.canvas else not bleed and not square and stock.outline() != _box(stock):
            if stock not in masks:
                masks.append(stock)
            mask = len(faces) + masks.index(stock)
        shots.append(Shot(page, size, dpi, mask, lies))
    return faces_pdf(faces, bleed, masks), shots


def develop(pdf: bytes, shots: Sequence[Shot]) -> list[bytes]:
    """Return the shots of a PDF as PNG or JPEG."""
    with pypdfium2.PdfDocument(pdf) as document:
        cut = {(shot.mask, shot.size) for shot in shots if shot.mask is not None}
        masks: _Masks = {(page, size): render(document, page, size).convert("L") for page, size in cut}
        return [_picture(document, shot, masks) for shot in shots]


def ground_of(face: Face, corner: bool = False) -> str:
    """Return the most frequent ink along a face's top edge, or around its top left corner, as #rrggbb."""
    with pypdfium2.PdfDocument(faces_pdf([face], False, [])) as document:
        image = render(document, 0, (pixels(face.stock.width, SMALL), pixels(face.stock.height, SMALL)))
    width, height = image.size
    top, left = height // 30, width // 40
    edges = [(width // 10, top, width * 9 // 10, top + 1)]
    if corner:
        edges = [(left, top, width // 2, top + 1), (left, top, left + 1, height // 2)]
    pixels_on = (iter(image.crop(edge).tobytes()) for edge in edges)
    inks = Counter(ink for each in pixels_on for ink in zip(each, each, each, strict=True))
    return "#" + bytes(inks.most_common(1)[0][0]).hex()


def grid_pdf(faces: Mapping[int, Face], columns: int, rows: int) -> bytes:
    """Return faces of one stock on one page, side by side, each cut to the box around its trim.

    Places count from 0, row by row from the top left.
    """
    stock = next(iter(faces.values())).stock
    width, height = stock.width * MM, stock.height * MM
    canvas = new_canvas((columns * width, rows * height))
    drawer = Drawer(canvas)
    for place, face in faces.items():
        row, column = divmod(place, columns)
        x, y = column * width, (rows - row) * height
        drawer.draw(face, (MM, 0, 0, -MM, x, y), (x, y - height, x + width, y))
    canvas.showPage()
    return canvas.pdf()


def area_pngs(
    pdf: bytes, pages: Sequence[int], paper: Paper, box: tuple[float, float, float, float], dpi: int = 508
) -> list[bytes]:
    """Return the same part of some pages (from 0) as PNG; `box` is left, top, right, bottom in mm from the top left.

    508 dots per inch are 20 per millimetre, so half millimetres fall on whole pixels.
    """
    size = (pixels(paper.width, dpi), pixels(paper.height, dpi))
    left, top, right, foot = (round(edge / INCH * dpi) for edge in box)
    with pypdfium2.PdfDocument(pdf) as document:
        return [png_of(render(document, page, size).crop((left, top, right, foot)), dpi) for page in pages]


def page_png(pdf: bytes, page: int, width: int) -> bytes:
    """Return a page of a PDF (from 0, or -1 for the last) as a small picture, `width` pixels wide."""
    with pypdfium2.PdfDocument(pdf) as document:
        page %= len(document)
        wide, high = document[page].get_size()
        return png_of(render(document, page, (width, round(width * high / wide))), SMALL)


def size_of(png: bytes) -> tuple[int, int]:
    """Return the width and height of a picture, in pixels (PNG, 11.2.1: they follow the name of the first chunk)."""
    wide, high = struct.unpack(">II", png[16:24])
    return wide, high


def _box(stock: Stock) -> str:
    """Return the outline of a square-cornered rectangle of the stock's size; a face cut like this needs no mask."""
    return stock.model_copy(update={"shape": "rectangle", "corner": 0}).outline()


def _picture(document: pypdfium2.PdfDocument, shot: Shot, masks: _Masks) -> bytes:
    image = render(document, shot.page, shot.size)
    ground: Any = None
    if shot.mask is not None:
        outside = masks[shot.mask, shot.size]
        if shot.lying.canvas:
            ground = image.getpixel((image.width // 2, image.height // 50))
            image.paste(ground, (0, 0), outside)
        else:
            image.putalpha(outside.point(lambda value: 255 - value))
    if shot.lying.turned:
        image = image.transpose(Image.Transpose.ROTATE_90)
    if shot.lying.canvas:
        image = _on_canvas(image, shot.lying.canvas, shot.lying.shift, ground)
    return jpeg_of(image, shot.dpi) if shot.lying.is_jpeg else png_of(image, shot.dpi)


def jpeg_of(image: Image.Image, dpi: int) -> bytes:
    """Return a picture as JPEG for print: hardly any loss, and colours as sharp as brightness."""
    data = io.BytesIO()
    image.save(data, "JPEG", quality=95, subsampling=0, dpi=(dpi, dpi))
    return data.getvalue()


def png_of(image: Image.Image, dpi: int, note: bytes = b"") -> bytes:
    """Return a picture as PNG (https://www.w3.org/TR/png-3/), rows unfiltered; a `note` is a tEXt chunk before them.

    Filters suit photographs. They make flat art larger, and Pillow, which tries five of them on each row, takes three
    times as long.
    """
    row, data = image.width * len(image.getbands()), memoryview(image.tobytes())
    packer = zlib.compressobj(PACKING)
    rows = [packer.compress(b"\0" + data[at : at + row]) for at in range(0, len(data), row)]
    a_metre = round(1000 * dpi / INCH)
    parts = (
        (b"IHDR", struct.pack(">LLBBBBB", *image.size, 8, _KINDS[image.mode], 0, 0, 0)),
        (b"pHYs", struct.pack(">LLB", a_metre, a_metre, 1)),
        *([(b"tEXt", note)] if note else []),
        (b"IDAT", b"".join([*rows, packer.flush()])),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_part(kind, part) for kind, part in parts)


def _part(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">L", len(data)) + kind + data + struct.pack(">L", zlib.crc32(kind + data))


def render(document: pypdfium2.PdfDocument, number: int, size: tuple[int, int], is_clear: bool = False) -> Image.Image:
    """Return a page as a picture of exactly this size, on white, or transparent if `is_clear`.

    PDFium rounds its own sizes up, which is sometimes off by one.
    """
    page = document[number]
    bitmap = pypdfium2.PdfBitmap.new_native(*size, raw.FPDFBitmap_BGRA if is_clear else raw.FPDFBitmap_BGR)
    raw.FPDFBitmap_FillRect(bitmap.raw, 0, 0, *size, 0 if is_clear else 0xFFFFFFFF)
    raw.FPDF_RenderPageBitmap(bitmap.raw, page.raw, 0, 0, *size, 0, 0)
    image: Image.Image = bitmap.to_pil().copy()  # a separate copy: the bitmap's memory is freed with it
    bitmap.close()
    page.close()
    return image


def _on_canvas(image: Image.Image, size: tuple[int, int], shift: tuple[int, int], ground: Any) -> Image.Image:
    """Return a picture on a canvas of one colour, or if there is none, of its own outermost pixels."""
    width, height = size
    left, top = (width - image.width) // 2 + shift[0], (height - image.height) // 2 + shift[1]
    right, foot = left + image.width, top + image.height
    canvas = Image.new("RGB", size, ground)
    canvas.paste(image, (left, top))
    if ground is not None:
        return canvas
    for outermost, room in (
        ((left, 0, left + 1, height), (0, 0, left, height)),
        ((right - 1, 0, right, height), (right, 0, width, height)),
        ((0, top, width, top + 1), (0, 0, width, top)),
        ((0, foot - 1, width, foot), (0, foot, width, height)),
    ):
        if room[0] < room[2] and room[1] < room[3]:
            canvas.paste(canvas.crop(outermost).resize((room[2] - room[0], room[3] - room[1])), room[:2])
    return canvas


# Faces on a ground, each turned, cut to its shape, and casting a shadow


SHADOW = (-0.6, -0.2, 0.2, 0.6, 1.0, 1.4, 1.8, 2.2)
"""Millimetres by which each layer of a shadow extends beyond the cut; together the layers fade out."""
SHADE = 0.07
"""The opacity of each layer."""
FALL = 1.1
"""Millimetres by which a shadow is offset downwards from its piece."""
MADE = b"Software\0Grimalkin"
"""The note in these pictures (https://www.w3.org/TR/png-3/#11keywords) that allows later ones to replace them."""


class Laid(NamedTuple):
    """A face on a ground."""

    face: Face
    x: float
    """The distance of the face's middle from the left edge of the picture, in millimetres."""
    y: float
    """The distance of the face's middle from the upper edge, in millimetres."""
    turn: float = 0.0
    """Degrees, clockwise."""


def laid_png(
    laid: Sequence[Laid], size: tuple[float, float], pixels: tuple[int, int], ground: str | None, shadow: bool
) -> bytes:
    """Return a picture of faces as PNG; later faces are on top of earlier faces.

    `size` is the width and height in millimetres, which fill `pixels`; `ground` is #rrggbb, or None for transparent.
    """
    with pypdfium2.PdfDocument(_pdf(laid, size, ground, shadow)) as document:
        image = render(document, 0, pixels, is_clear=ground is None)
    return png_of(image, round(pixels[0] / size[0] * 25.4), MADE)


def _pdf(laid: Sequence[Laid], size: tuple[float, float], ground: str | None, shadow: bool) -> bytes:
    width, height = size[0] * MM, size[1] * MM
    canvas = new_canvas((width, height))
    drawer = Drawer(canvas)
    if ground is not None:
        drawer.emit([f"q {colour(ground)} rg 0 0 {width:.4f} {height:.4f} re f Q"])
    for one in laid:
        if shadow:
            _shade(drawer, one, size[1])
        edge = path_operators(one.face.stock.outline())
        # The paper itself: with less ink, a face leaves most of it bare.
        drawer.emit([f"q {_moved(one, size[1])} {edge} W n 1 g {edge} f"])
        drawer.draw(one.face, (1, 0, 0, 1, 0, 0))
        drawer.emit(["Q"])
    canvas.showPage()
    return canvas.pdf()


def _shade(drawer: Drawer, one: Laid, height: float) -> None:
    """Draw the shadow of a piece: its outline several times, each larger than the last and almost transparent."""
    fallen = _moved(one._replace(y=one.y + FALL), height)
    veil = drawer.elements.paints.faded("fill", SHADE)
    drawer.xobjects.used.append(veil)
    outlines = (path_operators(one.face.stock.outline(outset)) for outset in SHADOW)
    drawer.emit([f"q {fallen} /{veil} gs 0 g", *(f"{outline} f" for outline in outlines), "Q"])


def _moved(one: Laid, height: float) -> str:
    """Return the operator that maps a face's millimetres to points in a picture of this height in millimetres."""
    stock = one.face.stock
    cos, sin = math.cos(math.radians(one.turn)), math.sin(math.radians(one.turn))
    left = one.x - stock.width / 2 * cos + stock.height / 2 * sin
    top = one.y - stock.width / 2 * sin - stock.height / 2 * cos
    numbers = (cos, -sin, -sin, -cos, left, height - top)
    return " ".join(f"{MM * number:.6f}" for number in numbers) + " cm"


# Ink: how much of each page is covered, and with which inks


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
    with pypdfium2.PdfDocument(pdf) as document:
        return [
            _ink(number, document[number - 1].render(scale=dpi / 72).to_pil().convert("RGB"))
            for number in range(1, len(document) + 1)
        ]


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
