"""Pictures within a drawing: what an <image> refers to in, its size in pixels out."""

from __future__ import annotations

import binascii
import re
import struct
from base64 import b64decode
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from grimalkin.face.art.remarks import shown


class Size(NamedTuple):
    """A picture by what refers to it, and how many pixels it has."""

    href: str
    width: float
    height: float


Fault = tuple[str, str]
"""What is wrong, and what to do."""
Pictures = Callable[[str], Size | Fault]
"""Finds what an <image> refers to; a picture without a size is not drawn."""
_DATA = re.compile(r"data:([^,;]*)((?:;[^,;]*)*),(.*)", re.S)
_JPEG_SIZES = frozenset([*range(0xC0, 0xD0)]) - {0xC4, 0xC8, 0xCC}
"""Segments that begin with the size of the picture (ITU T.81, B.2.2)."""


def embedded(href: str) -> Size | Fault:
    """A picture that lies in the file itself."""
    found = _DATA.fullmatch(href)
    if found is None:
        return f'the picture "{shown(href)}" is not in the file', "embed it in the program that drew it"
    try:
        data = b64decode(unquote_to_bytes(found[3])) if ";base64" in found[2] else unquote_to_bytes(found[3])
    except (binascii.Error, ValueError):
        return "a picture in the file is damaged", "embed it again"
    size = size_of(data)
    if size is None or min(size) < 1:
        what = shown(found[1]) or "no kind"
        return f"a picture in the file ({what}) cannot be read", "embed a PNG or a JPEG"
    return Size("".join(href.split()), *size)


def size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG, JPEG, GIF or WebP in pixels."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        return struct.unpack_from(">II", data, 16)
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        return struct.unpack_from("<HH", data, 6)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp(data)
    at = 2
    while data[:2] == b"\xff\xd8" and at + 9 <= len(data) and data[at] == 0xFF:
        if data[at + 1] in _JPEG_SIZES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        at += 2 + struct.unpack_from(">H", data, at + 2)[0] if data[at + 1] != 0xFF else 1
    return None


def _webp(data: bytes) -> tuple[int, int] | None:
    """https://developers.google.com/speed/webp/docs/riff_container"""
    if data[12:16] == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    if data[12:16] == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if data[12:16] == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    return None
