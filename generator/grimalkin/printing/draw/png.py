"""Faces as pictures: drawn to PDF, rasterised by PDFium to an exact size in pixels, cut to the shape of their stock.

All drawing is done in PDF; a picture shows what a printer would print.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pypdfium2
from PIL import Image
from pypdfium2 import raw

from grimalkin.content.stocks import Paper, Stock
from grimalkin.printing.draw.pdf import MM, Drawer, faces_pdf, new_canvas
from grimalkin.printing.face.layers import Face

SMALL = 20
"""Dots per inch, enough to show which ink is where."""
INCH = 25.4
"""Millimetres in an inch."""
PACKING = 3
"""The effort of zlib. One level more saves an eighth of flat art like ours, but takes twice as long."""
_Masks = Mapping[tuple[int, tuple[int, int]], Image.Image]
"""Masks by page and size, white where a picture is cut off."""
_KINDS = {"RGB": 2, "RGBA": 6}
"""PNG's codes for Pillow's modes."""


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
    canvas: tuple[int, int] | None = None
    """The size of a larger or smaller picture, with the page in its middle; anything outside is cut. Beyond a
    rectangle, its outermost pixels are repeated; around any other shape is the colour of its top edge."""
    turned: bool = False
    """Whether the page is rotated by 90 degrees, counter-clockwise."""


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
    lying: Sequence[tuple[tuple[int, int] | None, bool]] = (),
) -> tuple[bytes, list[Shot]]:
    """Return a PDF of the faces, one per page, and a shot of each. `lying` gives the canvas and turn of each."""
    masks: list[Stock] = []
    shots = []
    for page, face in enumerate(faces):
        stock = face.stock
        edge = 2 * stock.bleed if bleed else 0
        size = (pixels(stock.width + edge, dpi), pixels(stock.height + edge, dpi))
        canvas, turned = lying[page] if lying else (None, False)
        mask = None
        if stock.shape != "rectangle" if canvas else not bleed and not square and stock.outline() != _box(stock):
            if stock not in masks:
                masks.append(stock)
            mask = len(faces) + masks.index(stock)
        shots.append(Shot(page, size, dpi, mask, canvas, turned))
    return faces_pdf(faces, bleed, masks), shots


def develop(pdf: bytes, shots: Sequence[Shot]) -> list[bytes]:
    """Return the shots of a PDF as PNG."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        cut = {(shot.mask, shot.size) for shot in shots if shot.mask is not None}
        masks: _Masks = {(page, size): render(document, page, size).convert("L") for page, size in cut}
        return [_png(document, shot, masks) for shot in shots]
    finally:
        document.close()


def ground_of(face: Face) -> str:
    """Return the most frequent ink along a face's top edge, as #rrggbb."""
    document = pypdfium2.PdfDocument(faces_pdf([face], False, []))
    try:
        image = render(document, 0, (pixels(face.stock.width, SMALL), pixels(face.stock.height, SMALL)))
    finally:
        document.close()
    width, height = image.size
    edge = image.crop((width // 10, height // 30, width * 9 // 10, height // 30 + 1))
    inks = Counter(zip(*[iter(edge.tobytes())] * 3, strict=True))
    return "#" + bytes(inks.most_common(1)[0][0]).hex()


def grid_pdf(faces: Mapping[int, Face], columns: int, rows: int) -> bytes:
    """Return faces of one stock on one page, side by side, each cut to the box around its trim.

    Places count from 0, row by row from the top left.
    """
    stock = next(iter(faces.values())).stock
    width, height = stock.width * MM, stock.height * MM
    buffer = io.BytesIO()
    canvas = new_canvas(buffer, (columns * width, rows * height))
    drawer = Drawer(canvas)
    for place, face in faces.items():
        row, column = divmod(place, columns)
        x, y = column * width, (rows - row) * height
        drawer.draw(face, (MM, 0, 0, -MM, x, y), (x, y - height, x + width, y))
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def area_pngs(
    pdf: bytes, pages: Sequence[int], paper: Paper, box: tuple[float, float, float, float], dpi: int = 508
) -> list[bytes]:
    """Return the same part of some pages (from 0) as PNG; `box` is left, top, right, bottom in mm from the top left.

    508 dots per inch are 20 per millimetre, so half millimetres fall on whole pixels.
    """
    size = (pixels(paper.width, dpi), pixels(paper.height, dpi))
    left, top, right, foot = (round(edge / INCH * dpi) for edge in box)
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [png_of(render(document, page, size).crop((left, top, right, foot)), dpi) for page in pages]
    finally:
        document.close()


def page_png(pdf: bytes, page: int, width: int) -> bytes:
    """Return a page of a PDF (from 0, or -1 for the last) as a small picture, `width` pixels wide."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        page %= len(document)
        wide, high = document[page].get_size()
        return png_of(render(document, page, (width, round(width * high / wide))), SMALL)
    finally:
        document.close()


def size_of(png: bytes) -> tuple[int, int]:
    """Return the width and height of a picture, in pixels (PNG, 11.2.1: they follow the name of the first chunk)."""
    wide, high = struct.unpack(">II", png[16:24])
    return wide, high


def _box(stock: Stock) -> str:
    """Return the outline of a square-cornered rectangle of the stock's size; a face cut like this needs no mask."""
    return stock.model_copy(update={"shape": "rectangle", "corner": 0}).outline()


def _png(document: pypdfium2.PdfDocument, shot: Shot, masks: _Masks) -> bytes:
    image = render(document, shot.page, shot.size)
    ground: Any = None
    if shot.mask is not None:
        outside = masks[shot.mask, shot.size]
        if shot.canvas:
            ground = image.getpixel((image.width // 2, image.height // 50))
            image.paste(ground, (0, 0), outside)
        else:
            image.putalpha(outside.point(lambda value: 255 - value))
    if shot.turned:
        image = image.transpose(Image.Transpose.ROTATE_90)
    if shot.canvas:
        image = _on_canvas(image, shot.canvas, ground)
    return png_of(image, shot.dpi)


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


def _on_canvas(image: Image.Image, size: tuple[int, int], ground: Any) -> Image.Image:
    """Return a picture in the middle of a canvas of one colour, or if there is none, of its own outermost pixels."""
    width, height = size
    left, top = (width - image.width) // 2, (height - image.height) // 2
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
