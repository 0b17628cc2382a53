"""Inspect the pictures of a game: the files in its folder `art`, each checked once and its faults reported.

Nothing is decoded here. The first bytes of a file, never its name, decide its format; its structure shows whether it
is complete. The sources are the standards: ITU-T T.81 for JPEG, ISO/IEC 15948 for PNG.
"""

from __future__ import annotations

import binascii
import io
import logging
import struct
import warnings
import zlib
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from grimalkin.problems import Place, Problem, Problems, Stop, shown_path
from grimalkin.problems.plain import listed
from grimalkin.source import read_bytes
from grimalkin.source.files import MOST_ART, PICTURES

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
        return f"its pixels have {frame[1][0]} bits, which printers do not read", "save it with 8 bits"
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
