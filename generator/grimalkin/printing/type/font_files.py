"""Write and read font files: subsets for PDFs, pictures and pages, and packed fonts (WOFF and WOFF2).

HarfBuzz reduces a font to the parts that a file needs; the same letters give the same bytes. Packed files of a game are
untrusted, and are unpacked within size limits.
"""

from __future__ import annotations

import hashlib
import io
import logging
import struct
import zlib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.metadata import version

import uharfbuzz as harfbuzz

from grimalkin.printing.type.fonts import Fault, Font
from grimalkin.source.cache import Cache, cache_folder
from grimalkin.source.files import MOST_FONT

_FLAGS = harfbuzz.SubsetFlags
ON_PAGES = (
    *("calt", "ccmp", "clig", "curs", "dist", "kern", "liga", "locl", "mark", "mkmk", "rclt", "rlig", "rvrn"),
    *("fin2", "fin3", "fina", "init", "isol", "med2", "medi", "mset", "rtla", "rtlm", "stch"),  # right-to-left scripts
    *("abvf", "abvm", "abvs", "akhn", "blwf", "blwm", "blws", "cfar", "cjct", "half", "haln", "nukt", "pref", "pres"),
    *("pstf", "psts", "rkrf", "rphf", "vatu", "ljmo", "tjmo", "vjmo"),  # with these the scripts of India, and Korean
)
"""Features that browsers apply by default."""
_MOST_KEPT = 200
"""The most packed fonts in the user's cache: five for each site."""
_RULES = ("GDEF", "GPOS", "GSUB")
_UNUSED = ("BASE", "DSIG", "FFTM", "gasp")
"""FFTM holds a timestamp."""
_UNREAD = (*_UNUSED, *_RULES, "OS/2", "cmap", "name", "post")
"""Tables that no PDF reader needs in a font whose text is given as glyph numbers (ISO 32000-1, 9.9)."""
_OF_OTHERS = (
    "DSIG", "EBDT", "EBLC", "EBSC", "FFTM", "Feat", "Glat", "Gloc", "HVAR", "LTSH", "MVAR", "PCLT", "STAT", "Silf",
    "Sill", "VDMX", "VVAR", "ankr", "avar", "bsln", "cvar", "feat", "fvar", "gasp", "gvar", "hdmx", "just", "kerx",
    "lcar", "mort", "morx", "opbd", "prop", "trak", "vhea", "vmtx",
)  # fmt: skip
"""Tables for other programs or purposes; some of them would make text look different here than elsewhere."""


def program(font: Font, glyphs: Iterable[int]) -> bytes:
    """Return a font with only these glyphs, keeping their numbers, for a PDF: TrueType, or bare CFF."""
    order = harfbuzz.SubsetInput()
    order.glyph_set.update(glyphs)
    order.layout_feature_tag_set.clear()
    order.drop_table_tag_set.update(map(_tag, _UNREAD))
    order.flags = _FLAGS.RETAIN_GIDS | _FLAGS.NO_LAYOUT_CLOSURE | _FLAGS.NOTDEF_OUTLINE | _FLAGS.DOWNGRADE_CFF2
    order.flags |= _FLAGS.CFF_IDENTITY_CHARSET  # glyphs with their own CIDs get their positions instead
    face = _cut(font, order)
    return bytes(face.reference_table("CFF ").data if font.is_cff else face.blob.data)


def whole(face: harfbuzz.Face, at: Mapping[str, float]) -> bytes:
    """Return a font taken apart and rebuilt as a single font, at a position on its axes, with only what browsers use.

    Raise RuntimeError if it is damaged.
    """
    order = harfbuzz.SubsetInput()
    order.keep_everything()
    order.drop_table_tag_set.update(map(_tag, _OF_OTHERS))
    order.flags |= _FLAGS.NO_HINTING | _FLAGS.DOWNGRADE_CFF2
    if face.has_var_data:
        order.pin_all_axes_to_default(face)
        for axis, value in at.items():
            order.pin_axis_location(face, axis, value)
    return bytes(order.subset(face).blob.data)


def lettered(font: Font, letters: str, features: Iterable[str]) -> bytes:
    """Return a font file with only these letters. `features` are the OpenType tags of the features to keep."""
    order = harfbuzz.SubsetInput()
    order.unicode_set.update(map(ord, letters))
    order.layout_feature_tag_set.clear()
    order.layout_feature_tag_set.update(map(_tag, features))
    order.name_id_set.clear()
    order.drop_table_tag_set.update(map(_tag, _UNUSED if order.layout_feature_tag_set else _UNUSED + _RULES))
    order.flags = _FLAGS.NOTDEF_OUTLINE
    old = "kern" in font.face.table_tags  # a table that refers to glyph numbers
    if old and not all(map(font.kerns_by_rules, _scripts(letters))):
        order.drop_table_tag_set.discard(_tag("kern"))
        order.no_subset_table_tag_set.add(_tag("kern"))
        order.flags |= _FLAGS.RETAIN_GIDS
    return bytes(_cut(font, order).blob.data)


def _scripts(letters: str) -> set[str]:
    """Return the scripts of letters, as HarfBuzz recognises them in a text."""
    found: set[str] = set()
    buffer = harfbuzz.Buffer()
    for letter in letters:
        buffer.clear_contents()
        buffer.add_str(letter)
        buffer.guess_segment_properties()
        found.add(buffer.script or "Zyyy")
    return found


def _cut(font: Font, order: harfbuzz.SubsetInput) -> harfbuzz.Face:
    order.flags |= _FLAGS.NO_HINTING | _FLAGS.DESUBROUTINIZE
    return order.subset(font.face)


def _tag(name: str) -> int:
    """Return the name of a table or feature as HarfBuzz encodes it."""
    return int.from_bytes(name.ljust(4).encode(), "big")


# Packing


QUICK = 7
"""Brotli's effort for a picture. More would take twenty times as long to save four per cent of a font."""
_HEAD = struct.Struct(">4s4sLHHLLHH5L")
_ROW = struct.Struct(">4s3L")
"""A row of a font's directory: tag, checksum, offset, length."""
_KNOWN = (
    *(b"cmap", b"head", b"hhea", b"hmtx", b"maxp", b"name", b"OS/2", b"post", b"cvt ", b"fpgm", b"glyf", b"loca"),
    *(b"prep", b"CFF ", b"VORG", b"EBDT", b"EBLC", b"gasp", b"hdmx", b"kern", b"LTSH", b"PCLT", b"VDMX", b"vhea"),
    *(b"vmtx", b"BASE", b"GDEF", b"GPOS", b"GSUB"),
)
"""Tags with a number. WOFF2 lists more, but none of our fonts uses them."""
_OTHER = 63
_AS_THEY_ARE = {b"glyf": 3 << 6, b"loca": 3 << 6}
"""Tables that WOFF2 assumes to be transformed unless these bits are set."""


def packed(data: bytes) -> bytes:
    """Return a font file for all pages of a site, its outlines rewritten to compress better, unless one is broken.

    Most builds pack the same letters as the last one, so what was packed is kept in the user's cache.
    """
    folder = cache_folder("fonts")
    if folder is None:
        return _packed(data)
    kept = Cache(folder, ".woff2", _MOST_KEPT, MOST_FONT)
    path = kept.path(f"{_packed_with()} {hashlib.sha256(data).hexdigest()}")
    made = kept.read(path)
    if made is None:
        made = _packed(data)
        kept.write(path, made)
    return made


@cache
def _packed_with() -> str:
    return f"{version('fonttools')} {version('brotli')}"


def _packed(data: bytes) -> bytes:
    from fontTools.ttLib import TTFont  # HarfBuzz does not compress, and sheets do not need this

    buffer = io.BytesIO()
    try:
        with TTFont(io.BytesIO(data), recalcTimestamp=False, recalcBBoxes=False, lazy=True) as font:
            font.flavor = "woff2"
            font.save(buffer)
    except Exception:  # fontTools parses every outline; HarfBuzz and browsers skip one that they cannot read
        return data
    return buffer.getvalue()


def packed_quickly(data: bytes) -> bytes:
    """Return a font file for one of hundreds of pictures, its tables unchanged: a sixth larger, forty times as fast."""
    import brotli

    (count,) = struct.unpack_from(">H", data, 4)
    rows = [_ROW.unpack_from(data, 12 + 16 * number) for number in range(count)]
    rows.sort(key=lambda row: b"glyf~" if row[0] == b"loca" else row[0])  # loca must follow glyf
    tables = b"".join(data[at : at + length] for _, _, at, length in rows)
    body: bytes = brotli.compress(tables, brotli.MODE_FONT, QUICK)
    directory = b"".join(_entry(tag, length) for tag, _, _, length in rows)
    size = _HEAD.size + len(directory) + len(body)
    head = _HEAD.pack(b"wOF2", data[:4], size + -size % 4, count, 0, len(data), len(body), 1, 0, *[0] * 5)
    return head + directory + body + bytes(-size % 4)


def _entry(tag: bytes, length: int) -> bytes:
    known = tag in _KNOWN
    number = _KNOWN.index(tag) if known else _OTHER
    return bytes([number | _AS_THEY_ARE.get(tag, 0)]) + (b"" if known else tag) + _in_sevens(length)


def _in_sevens(number: int) -> bytes:
    """Return a number in groups of seven bits, all marked except the last (UIntBase128)."""
    groups = [number & 127]
    while number := number >> 7:
        groups.insert(0, number & 127 | 128)
    return bytes(groups)


# Unpacking


MOST_UNPACKED = 8_000_000
"""The limit for an unpacked font, in bytes. fontTools takes a second for each million bytes of TrueType."""
_WOFF_ROW = struct.Struct(">4s4L")
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
    rows = [_WOFF_ROW.unpack_from(data, 44 + 20 * number) for number in range(count)]
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
