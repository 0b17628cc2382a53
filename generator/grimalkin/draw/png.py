"""A Face as a picture: drawn to PDF, rasterised by PDFium, cut to the shape of its stock."""

from __future__ import annotations

import io

import pypdfium2
from PIL import Image, ImageDraw

from grimalkin.draw.pdf import face_pdf
from grimalkin.face.compose import Face

OVERSAMPLE = 4
"""The mask of the cut is drawn this much larger, so that its edge is smooth."""


def face_png(face: Face, dpi: int = 300, bleed: bool = False) -> bytes:
    """A face as PNG. Without bleed, what lies outside the cut is transparent."""
    document = pypdfium2.PdfDocument(face_pdf(face, bleed))
    image: Image.Image = document[0].render(scale=dpi / 72).to_pil().convert("RGBA")
    document.close()
    stock = face.stock
    if not bleed and (stock.shape == "circle" or stock.corner):
        large = (image.width * OVERSAMPLE, image.height * OVERSAMPLE)
        mask = Image.new("L", large, 0)
        pen = ImageDraw.Draw(mask)
        box = (0, 0, large[0] - 1, large[1] - 1)
        if stock.shape == "circle":
            pen.ellipse(box, fill=255)
        else:
            pen.rounded_rectangle(box, stock.corner / 25.4 * dpi * OVERSAMPLE, fill=255)
        image.putalpha(mask.resize(image.size, Image.Resampling.LANCZOS))
    buffer = io.BytesIO()
    image.save(buffer, "PNG", dpi=(dpi, dpi), optimize=True)
    return buffer.getvalue()
