"""Unpack untrusted WOFF and WOFF2 font files, within size limits."""

from __future__ import annotations

import io
import logging
import struct
import zlib
from functools import lru_cache

from grimalkin.printing.face.fonts import Fault

MOST_UNPACKED = 8_000_000
"""The limit for an unpacked font, in bytes. fontTools takes a second for each million bytes of TrueType."""
_TABLE = struct.Struct(">4s4L")
"""A row of a WOFF directory: tag, offset, packed length, length, checksum (https://www.w3.org/TR/WOFF/)."""
DAMAGED = "this font file is damaged", "save it again, or choose another"
_LARGE = (
    f"this font is larger than {MOST_UNPACKED:,} bytes when it is unpacked",
    "unpack it: a .ttf or .otf may be larger",
)
logging.getLogger("fontTools").addHandler(logging.NullHandler())  # we report faults of fonts ourselves


def unpacked(data: bytes) -> bytes | Fault:
    """Return the TrueType or OpenType font or collection, which HarfBuzz can read, or the fault that prevents it."""
    return _unpacked(data) if data[:4] in (b"wOFF", b"wOF2") else data


@lru_cache(maxsize=8)
def _unpacked(data: bytes) -> bytes | Fault:
    if data[4:8] == b"ttcf":
        return "this is a packed collection of fonts", "pack each font by itself, or unpack it to a .ttc"
    try:
        return (_of_woff if data[:4] == b"wOFF" else _of_woff2)(data)
    except Exception:  # whatever fontTools, zlib and brotli raise for an untrusted file
        return DAMAGED


def _of_woff(data: bytes) -> bytes | Fault:
    (count,) = struct.unpack_from(">H", data, 12)
    rows = [_TABLE.unpack_from(data, 44 + 20 * number) for number in range(count)]
    if sum(length for *_, length, _ in rows) > MOST_UNPACKED:
        return _LARGE
    head, body, at = [data[4:8], struct.pack(">4H", count, 0, 0, 0)], [], 12 + 16 * count
    for tag, offset, packed, length, checksum in sorted(rows):
        table = data[offset : offset + packed]
        if packed < length:
            table = zlib.decompressobj().decompress(table, length + 1)
        if len(table) != length:
            return DAMAGED
        head.append(struct.pack(">4s3L", tag, checksum, at, length))
        body.append(table + bytes(-length % 4))
        at += len(body[-1])
    return b"".join([*head, *body])


def _of_woff2(data: bytes) -> bytes | Fault:
    import brotli
    from fontTools.misc import sstruct
    from fontTools.ttLib import TTFont, woff2

    # fontTools unpacks without a limit, so check the size first.
    file = io.BytesIO(data)
    header = sstruct.unpack(woff2.woff2DirectoryFormat, file.read(woff2.woff2DirectorySize), {})
    tables = [woff2.WOFF2DirectoryEntry() for _ in range(header["numTables"])]
    for table in tables:
        table.fromFile(file)
    size = sum(table.length for table in tables)
    if max(size, sum(table.origLength for table in tables)) > MOST_UNPACKED:
        return _LARGE
    packed = data[file.tell() : file.tell() + header["totalCompressedSize"]]
    if len(brotli.Decompressor().process(packed, output_buffer_limit=size + 1)) > size:
        return DAMAGED
    whole = io.BytesIO()
    with TTFont(io.BytesIO(data), recalcBBoxes=False, recalcTimestamp=False) as font:
        font.flavor = None
        font.save(whole, reorderTables=False)
    return whole.getvalue() if whole.tell() <= 2 * MOST_UNPACKED else _LARGE
