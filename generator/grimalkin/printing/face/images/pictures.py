"""Inspect the pictures of a game, fit them into the rooms that faces give them, and decode their pixels.

Each file is checked once. The first bytes of a file, never its name, decide its format; its structure shows whether it
is complete. The sources are the standards: ITU-T T.81 for JPEG, ISO/IEC 15948 for PNG. Pillow decodes pixels: upright,
no larger than needed, and in the available inks.
"""

from __future__ import annotations

import binascii
import io
import logging
import re
import struct
import warnings
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote_to_bytes

from grimalkin.printing.face.svg.paths import Box
from grimalkin.problems import Place, Problem, Problems, Stop, shown_path
from grimalkin.problems.plain import listed
from grimalkin.source import read_bytes
from grimalkin.source.files import MOST_ART, PICTURES

if TYPE_CHECKING:
    from PIL import Image

MOST_PIXELS: Final = 80_000_000
"""The limit for one picture: A3 at 600 dpi is seventy million. Pillow warns above 89 million."""
_SIGNS: Final = {
    b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPEG", b"GIF8": "GIF", b"II*\0": "TIFF", b"MM\0*": "TIFF",
    b"%PDF": "PDF", b"BM": "BMP", b"8BPS": "Photoshop", b"<svg": "SVG", b"<?xml": "SVG",
}  # fmt: skip

Fault = tuple[str, str]
"""A message and a hint."""


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture file that passed the checks."""

    path: Path
    inside: Path
    """The folder that its path must not leave."""
    digest: str
    kind: str
    """One of `PICTURES`."""
    stored: tuple[int, int]
    """Width and height in pixels, as stored."""
    turn: int
    """The orientation for viewing: 1 to 8, as in EXIF 2.32, tag 274."""
    weight: int
    """The size of the file in bytes."""
    data: bytes | None = field(default=None, repr=False)
    """The bytes of a picture embedded in a drawing."""

    may_pass: bool = True
    """Whether it may be possible to embed it in a PDF unchanged."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, as displayed."""
        width, height = self.stored
        return (height, width) if self.turn >= 5 else (width, height)

    def read(self) -> bytes:
        """Return the file's bytes. Raise Stop if the file has changed."""
        if self.data is not None:
            return self.data
        problems = Problems()
        data = read_bytes(self.path, problems, self.inside, MOST_ART)
        if data is None:
            raise Stop(problems)
        if sha256(data).hexdigest()[:32] != self.digest:
            raise self.fault("the file changed while it was being read", "run the command again")
        return data

    def fault(self, message: str, hint: str = "") -> Stop:
        """Return the error to raise when the file turns out to be faulty after all."""
        return Stop([Problem(Place(shown_path(self.path)), message, hint)])


class Placed(NamedTuple):
    """A picture on a face."""

    picture: Picture
    treatment: str
    """The treatment of its colours there: a value of `PicturesIn`."""
    fewer: tuple[int, int] | None = None
    """The reduced width and height in pixels, if it is reduced there."""
    dpi: float = 300.0
    """Pixels per inch at its printed size there."""

    @property
    def key(self) -> str:
        """The key of images on faces."""
        size = f":{self.fewer[0]}x{self.fewer[1]}" if self.fewer else ""
        return f"picture:{self.picture.digest}:{self.treatment}{size}"


@dataclass(frozen=True)
class Inspected:
    """Facts from the head of a picture file."""

    kind: str
    stored: tuple[int, int]
    turn: int
    may_pass: bool = True
    note: str = ""
    """A reason why its colours may look different elsewhere."""


@contextmanager
def quietly() -> Iterator[None]:
    """Silence Pillow's warnings about damaged and large files: we report the important ones as problems."""
    logger = logging.getLogger("PIL")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@quietly()
def inspected(data: bytes, named: str = "") -> Inspected | Fault:
    """Return the facts about a picture file, or its fault. `named` is the format that its name suggests."""
    kind = kind_of(data)
    if kind == "SVG":
        return "this is an SVG file", "rename it to end in .svg"
    if kind not in PICTURES.values():
        what = f"this is a {kind} file" if kind else "this is not a picture" if data else "the file is empty"
        return what, f"save it as {listed(sorted(set(PICTURES.values())), 'or')}"
    if named and kind != named:
        return f"this is a {kind} file, but its name says {named}", f"rename it to end in .{kind.lower()}"
    chunks = dict(png_chunks(data)) if kind == "PNG" else {}
    fault = _png_fault(chunks) if kind == "PNG" else _CHECKS[kind](data) if kind in _CHECKS else None
    if fault:
        return fault
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data), formats=[kind.upper()]) as image:
            width, height = image.size
            if kind == "PNG":  # Pillow would decode the pixels to find data after them
                exif = Image.Exif()
                exif.load(b"Exif\0\0" + chunks.get(b"eXIf", b""))
            else:
                exif = image.getexif()
            turn = exif.get(274, 1)
            mode, profile = image.mode, image.info.get("icc_profile") or b""
    except Image.DecompressionBombError:
        return _too_large("", "")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, struct.error, EOFError, KeyError) as error:
        return f"the picture cannot be read: {str(error)[:100]}", "save it again"
    if width * height > MOST_PIXELS:
        return _too_large(f"{width:,}", f"{height:,}")
    if mode == "F":
        return "its pixels are floating-point numbers", "save it with 8 or 16 bits"
    may_pass = kind == "JPEG" or (kind == "PNG" and mode in ("1", "L", "P", "RGB"))
    return Inspected(
        kind,
        (width, height),
        turn if isinstance(turn, int) and 1 <= turn <= 8 else 1,
        may_pass,
        _note(chunks, mode, profile),
    )


def embedded_picture(href: str, path: Path) -> Picture | Fault:
    """Return the picture in a `data:` address of a drawing, or its fault."""
    head, comma, body = href.partition(",")
    if not head.startswith("data:") or not comma:
        return f'the picture "{href[:60]}" is not in the file', "embed it in the program that drew it"
    try:
        data = b64decode(unquote_to_bytes(body)) if ";base64" in head else unquote_to_bytes(body)
    except (binascii.Error, ValueError):
        return "a picture in the file is damaged", "embed it again"
    about = inspected(data)
    if isinstance(about, tuple):
        return f"a picture in the file: {about[0]}", f"embed it again: {about[1]}"
    digest = sha256(data).hexdigest()[:32]
    return Picture(path, path.parent, digest, about.kind, about.stored, about.turn, len(data), data, about.may_pass)


def fits(profile: bytes, bands: int) -> bool:
    """Return whether an ICC profile is complete and describes this number of colour channels.

    https://www.color.org/specification/ICC.1-2022-05.pdf, 7.2.
    """
    spaces = {1: b"GRAY", 3: b"RGB ", 4: b"CMYK"}
    sound = len(profile) >= 128 and profile[36:40] == b"acsp" and int.from_bytes(profile[:4], "big") == len(profile)
    return sound and profile[16:20] == spaces.get(bands)


_BANDS: Final = {"1": 1, "L": 1, "LA": 1, "I": 1, "I;16": 1, "I;16B": 1, "CMYK": 4}
_GAMMA: Final = 45_455
"""The gamma of sRGB, as PNG writes it: https://www.w3.org/TR/png-3/#11gAMA."""


def _note(chunks: Mapping[bytes, bytes], mode: str, profile: bytes) -> str:
    if profile and not fits(profile, _BANDS.get(mode, 3)):
        return "its colour profile is damaged, or for another colour space, and is ignored"
    gamma = int.from_bytes(chunks.get(b"gAMA", b"")[:4], "big")
    if gamma and abs(gamma - _GAMMA) > 2_000 and not chunks.keys() & {b"sRGB", b"iCCP"}:
        return (
            f"its gamma of {gamma / 100_000:g} is not that of sRGB, and is ignored: colours may look lighter or darker"
        )
    return ""


def _too_large(width: str, height: str) -> Fault:
    has = f"it has {width} × {height} pixels" if width else "it has too many pixels"
    return has, f"at most {MOST_PIXELS // 1_000_000} million are allowed: save it smaller"


def kind_of(data: bytes) -> str:
    """Return the format that the first bytes of a file indicate; "" if it is unknown."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WebP"
    return next((kind for sign, kind in _SIGNS.items() if data.startswith(sign)), "")


def jpeg_segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the marker and the contents of each segment of a JPEG file up to its first scan."""
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return
        marker = data[at + 1]
        if marker == 0xFF:  # a padding byte
            at += 1
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        yield marker, data[at + 4 : at + 2 + length]
        if marker == 0xDA:
            return
        at += 2 + length


FRAMES: Final = frozenset([*range(0xC0, 0xD0)]) - {0xC4, 0xC8, 0xCC}
"""JPEG markers that begin a frame. https://www.w3.org/Graphics/JPEG/itu-t81.pdf, table B.1."""


def _jpeg_fault(data: bytes) -> Fault | None:
    frame = next(((marker, body) for marker, body in jpeg_segments(data) if marker in FRAMES), None)
    if frame is None or len(frame[1]) < 6:
        return "the file is cut off", "save it again"
    if frame[1][0] != 8:
        return f"its pixels have {frame[1][0]} bits, which printers cannot read", "save it with 8 bits"
    if b"\xff\xd9" not in data[-4096:]:
        return "the file is cut off: the end of the picture is missing", "save it again"
    return None


def png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the type and contents of each chunk of a PNG file; stop early if the file is cut off or damaged."""
    at = 8
    while at + 12 <= len(data):
        length, kind = struct.unpack_from(">L4s", data, at)
        body = data[at + 8 : at + 8 + length]
        end = at + 12 + length
        if end > len(data) or zlib.crc32(body, zlib.crc32(kind)) != int.from_bytes(data[end - 4 : end], "big"):
            return
        yield kind, body
        at = end


def _png_fault(chunks: Mapping[bytes, bytes]) -> Fault | None:
    kinds = list(chunks)
    if not kinds or kinds[0] != b"IHDR":
        return "the file is cut off", "save it again"
    if b"IDAT" not in kinds or kinds[-1] != b"IEND":
        return "the file is cut off or damaged", "save it again"
    return None


def _gif_fault(data: bytes) -> Fault | None:
    return None if b"\x3b" in data[-64:] else ("the file is cut off", "save it again")


def _webp_fault(data: bytes) -> Fault | None:
    (length,) = struct.unpack_from("<L", data, 4)
    return None if length + 8 <= len(data) else ("the file is cut off", "save it again")


_CHECKS: Final = {"JPEG": _jpeg_fault, "GIF": _gif_fault, "WebP": _webp_fault}


# Rooms


_ASPECT: Final = re.compile(r"x(Min|Mid|Max)Y(Min|Mid|Max)(?:\s+(meet|slice))?")
_PART: Final = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
_FOCUS: Final = re.compile(r"(\d{1,3}(?:\.\d+)?)%?[\s,]+(\d{1,3}(?:\.\d+)?)%?")


class Fit(NamedTuple):
    """How a picture fills its room: SVG's `preserveAspectRatio`, with a point that stays visible.

    https://www.w3.org/TR/SVG2/coords.html#PreserveAspectRatioAttribute
    """

    across: float = 0.5
    """0 is the left edge, 1 the right edge."""
    down: float = 0.5
    fills: bool = False
    """Whether it fills the room and is cropped, rather than being shown in full."""
    stretched: bool = False
    focus: tuple[float, float] | None = None
    """The point of the picture, in fractions of its width and height, to place as close to the middle as possible."""


def fit_of(aspect: str, focus: str) -> Fit | Fault:
    """Return the fit that `preserveAspectRatio` and `focus` describe, or their fault.

    >>> fit_of("xMidYMin slice", "")
    Fit(across=0.5, down=0.0, fills=True, stretched=False, focus=None)
    """
    point = None
    if focus:
        found = _FOCUS.fullmatch(focus.strip())
        if not found or max(float(found[1]), float(found[2])) > 100:
            return f'focus="{focus[:40]}" is not a point in a picture', 'write two percentages, as in "50% 20%"'
        point = float(found[1]) / 100, float(found[2]) / 100
        aspect = aspect or "xMidYMid slice"
    if focus and "slice" not in aspect:
        wrong = f'focus="{focus[:40]}" matters only when the picture is cropped'
        return wrong, 'write preserveAspectRatio="xMidYMid slice", or remove focus'
    if aspect.strip() == "none":
        return Fit(stretched=True)
    match = _ASPECT.fullmatch(aspect.strip() or "xMidYMid")
    if not match:
        hint = "write xMidYMid to show the whole picture, xMidYMid slice to fill the room, or none to stretch it"
        return f'preserveAspectRatio="{aspect[:40]}" cannot be read', hint
    return Fit(_PART[match[1]], _PART[match[2]], match[3] == "slice", False, point)


def lying(size: tuple[float, float], room: Box, fit: Fit) -> Box:
    """Return the box of the uncropped picture with this width and height, in a room given by its edges.

    >>> lying((200, 100), (0, 0, 50, 50), Fit())
    (0.0, 12.5, 50.0, 37.5)
    >>> lying((200, 100), (0, 0, 50, 50), Fit(fills=True, focus=(0.2, 0.5)))
    (0, 0, 100.0, 50.0)
    """
    left, top, right, foot = room
    wide, high = right - left, foot - top
    if fit.stretched:
        return room
    scale = (max if fit.fills else min)(wide / size[0], high / size[1])
    own_wide, own_high = size[0] * scale, size[1] * scale
    if fit.fills and fit.focus:
        x = min(left, max(right - own_wide, left + wide / 2 - fit.focus[0] * own_wide))
        y = min(top, max(foot - own_high, top + high / 2 - fit.focus[1] * own_high))
    else:
        x, y = left + (wide - own_wide) * fit.across, top + (high - own_high) * fit.down
    return x, y, x + own_wide, y + own_high


def is_cropped(lies: Box, room: Box) -> bool:
    """Return whether any part of the picture is outside the room."""
    return lies[0] < room[0] - 1e-6 or lies[1] < room[1] - 1e-6 or lies[2] > room[2] + 1e-6 or lies[3] > room[3] + 1e-6


# Pixels


DPI: Final = 300
"""The pixels per inch that print can show."""
DOTS: Final = 150
"""Dots per inch of a halftone in black: finer dots run together on home printers."""
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
