"""Decode the pixels of a picture with Pillow: upright, no larger than needed, and in the available inks."""

from __future__ import annotations

import io
import struct
import zlib
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from grimalkin.printing.face.pictures import Picture, Placed, quietly

if TYPE_CHECKING:
    from PIL import Image

DPI: Final = 300
"""The pixels per inch that print can show."""
DOTS: Final = 150
"""Dots per inch of a halftone in black: finer ones run together on home printers."""
SPARE: Final = 1.5
"""A picture may have this many times the useful pixels before it is reduced."""
QUALITY: Final = 92
"""The quality of a reduced JPEG."""
MIDDLE: Final = 128
"""The grey level at which a picture in two tones becomes white."""
_FORMATS: Final = {"JPEG": "jpeg", "PNG": "png", "WebP": "webp", "GIF": "gif"}


def printed_pixels(width: float, height: float, dpi: float = DPI) -> tuple[float, float]:
    """Return a size in millimetres as pixels.

    >>> printed_pixels(25.4, 12.7)
    (300.0, 150.0)
    """
    return width / 25.4 * dpi, height / 25.4 * dpi


def smaller(size: tuple[int, int], place: tuple[float, float], treatment: str, dpi: int) -> tuple[int, int] | None:
    """Return the reduced size in pixels of a picture printed at a size in millimetres; None if it is not reduced."""
    wide, high = printed_pixels(*place, DOTS if treatment == "halftone" else dpi)
    spare = 1.0 if treatment == "halftone" else SPARE
    if size[0] <= spare * wide or size[1] <= spare * high:
        return None
    return max(1, min(size[0], round(wide))), max(1, min(size[1], round(high)))


def data_uri(placed: Placed) -> str:
    """Return a picture as a `data:` address that browsers can show."""
    kind, data = for_browsers(placed)
    return f"data:{kind};base64,{b64encode(data).decode()}"


def for_browsers(placed: Placed) -> tuple[str, bytes]:
    """Return the media type and the bytes of a picture in a format that browsers support."""
    picture, treatment, fewer, _ = placed
    data = picture.read()
    kind = _FORMATS.get(picture.kind)
    if treatment != "as-is" or fewer or kind is None:
        with opened(picture, data) as image:
            shown = treated(sized(plain(image), fewer), treatment)
            out = io.BytesIO()
            kind = "jpeg" if picture.kind == "JPEG" and treatment == "as-is" and shown.mode in ("L", "RGB") else "png"
            profile = image.info.get("icc_profile") if treatment == "as-is" else None
            if kind == "jpeg":
                shown.save(out, "JPEG", quality=QUALITY, subsampling=0, icc_profile=profile)
            else:
                shown = shown.convert("RGB") if shown.mode == "CMYK" else shown
                shown.save(out, "PNG", icc_profile=profile)
            data = out.getvalue()
    return f"image/{kind}", data


@contextmanager
def opened(picture: Picture, data: bytes) -> Iterator[Image.Image]:
    """Open a picture for decoding; errors within the context raise Stop with the file's name."""
    from PIL import Image

    try:
        with quietly(), Image.open(io.BytesIO(data), formats=[picture.kind.upper()]) as image:
            yield image
    except (OSError, ValueError, SyntaxError, EOFError, struct.error, zlib.error, MemoryError) as error:
        raise picture.fault(f"the picture cannot be read: {str(error)[:100]}", "save it again") from error


def plain(image: Image.Image) -> Image.Image:
    """Return a picture upright, in 8-bit grey, RGB or CMYK, with or without alpha."""
    from PIL import Image, ImageOps

    image.load()
    shown = ImageOps.exif_transpose(image)
    if shown.mode.startswith("I"):  # 16 bits; Pillow would clip values above 255
        wide = shown.convert("I").point(lambda value: value * (1 / 257) + 0.5)
        return wide.convert("L")
    if shown.mode in ("P", "PA") or "transparency" in shown.info:
        return shown.convert("RGBA" if shown.mode != "P" or "transparency" in shown.info else "RGB")
    if shown.mode == "LAB":
        from PIL import ImageCms

        lab, srgb = ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB")
        intent, flags = ImageCms.Intent.RELATIVE_COLORIMETRIC, ImageCms.Flags.BLACKPOINTCOMPENSATION
        made = ImageCms.profileToProfile(shown, lab, srgb, intent, "RGB", flags=flags)
        assert isinstance(made, Image.Image)
        return made
    modes = {"1": "L", "YCbCr": "RGB", "HSV": "RGB", "RGBX": "RGB", "La": "LA", "RGBa": "RGBA"}
    return shown.convert(modes[shown.mode]) if shown.mode in modes else shown


def sized(image: Image.Image, pixels: tuple[int, int] | None) -> Image.Image:
    from PIL import Image

    return image.resize(pixels, Image.Resampling.LANCZOS, reducing_gap=3) if pixels else image


def treated(image: Image.Image, treatment: str) -> Image.Image:
    """Return a picture unchanged, in shades of grey, in two tones, or in dots; transparent parts stay transparent."""
    if treatment == "as-is":
        return image
    alpha = image.getchannel("A") if image.mode in ("LA", "RGBA") else None
    grey = (image.convert("RGB") if image.mode == "CMYK" else image).convert("L")
    if treatment == "halftone":
        grey = grey.convert("1").convert("L")
    elif treatment == "threshold":
        grey = grey.point(lambda value: 255 if value >= MIDDLE else 0)
    if alpha:
        if treatment != "grey":
            alpha = alpha.point(lambda value: 255 if value >= MIDDLE else 0)
        grey.putalpha(alpha)
    elif treatment != "grey":
        return grey.convert("1", dither=0)  # type: ignore[arg-type]
    return grey
