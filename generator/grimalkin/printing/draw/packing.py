"""Write a PDF file as it grows, with pages compressed immediately and small objects packed in streams.

Objects other than streams go into object streams (ISO 32000-1, 7.5.7), which reduces a large file to a third.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import BinaryIO, Protocol

MM = 72 / 25.4
"""Points in a millimetre."""

LONGEST_COLOUR = 23
"""The most characters in the operands of a colour, as `colour` writes them."""
_BUNDLE = re.compile(rb"<</Type/ObjStm/N \d+/First \d+/Filter/FlateDecode/Length (\d+)>>stream\n")


class PackedFile:
    """A growing PDF file: objects in, bytes out. Object numbers are assigned elsewhere, and some may be unused."""

    def __init__(self, out: BinaryIO) -> None:
        self.out = out
        self.size = 0
        self.hash = hashlib.md5(usedforsecurity=False)
        self.places = array("Q")
        """By object number: twice the offset, or twice (stream number × 512 + index) plus one; 0 for none."""
        self.bundle: list[tuple[int, bytes]] = []
        self.write(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")

    def write(self, data: bytes) -> None:
        self.out.write(data)
        self.hash.update(data)
        self.size += len(data)

    def note(self, number: int, place: int) -> None:
        missing = number + 1 - len(self.places)
        if missing > 0:
            self.places.extend([0] * missing)
        self.places[number] = place

    def put(self, number: int, body: bytes) -> None:
        """Add an object that is not a stream."""
        self.bundle.append((number, body))

    def raw(self, number: int, *body: bytes) -> None:
        """Write an object, usually a stream, unchanged; write long objects in parts."""
        self.note(number, self.size * 2)
        for part in (b"%d 0 obj\n" % number, *body, b"\nendobj\n"):
            self.write(part)

    def stream(self, number: int, keys: bytes, data: bytes | bytearray) -> None:
        """Write a stream, compressed here. `keys` are the entries of its dictionary except /Length and /Filter."""
        packed = zlib.compress(data, 6)
        head = b"<<%b/Filter/FlateDecode/Length %d>>stream\n" % (keys, len(packed))
        self.raw(number, b"%b%b\nendstream" % (head, packed))

    def flush(self, number: int) -> None:
        """Write the objects added so far as one object stream with this number."""
        heads: list[str] = []
        at = 0
        for index, (one, body) in enumerate(self.bundle):
            heads.append(f"{one} {at}")
            at += len(body) + 1
            self.note(one, (number * 512 + index) * 2 + 1)
        head = " ".join(heads).encode() + b"\n"
        body = b"\n".join(body for _, body in self.bundle)
        self.stream(number, b"/Type/ObjStm/N %d/First %d" % (len(self.bundle), len(head)), head + body)
        self.bundle = []

    def finish(self, number: int, root: int, info: int) -> None:
        """Write the cross-reference stream, which is the last object, and the end of the file."""
        start = self.size
        self.note(number, start * 2)
        rows = bytearray(b"\0\0\0\0\0\xff\xff")
        for place in self.places[1:]:
            if not place:
                rows += b"\0\0\0\0\0\0\0"
            elif place & 1:
                bundle, index = divmod(place >> 1, 512)
                rows += b"\2" + bundle.to_bytes(4, "big") + index.to_bytes(2, "big")
            else:
                rows += b"\1" + (place >> 1).to_bytes(4, "big") + b"\0\0"
        id_ = self.hash.hexdigest().encode()
        keys = b"/Type/XRef/W[1 4 2]/Size %d/Root %d 0 R/Info %d 0 R/ID[<%b><%b>]" % (
            len(self.places), root, info, id_, id_,
        )  # fmt: skip
        self.stream(number, keys, rows)
        self.write(b"startxref\n%d\n%%%%EOF\n" % start)


class Writer(Protocol):
    """A document that numbers its objects, and writes them into its file."""

    file: PackedFile

    def new_number(self) -> int: ...

    def put(self, number: int, body: bytes) -> None: ...


def count_pages(pdf: bytes) -> int:
    """Return the number of pages in a file written here; 0 for any other."""
    bundles = (zlib.decompress(pdf[found.end() : found.end() + int(found[1])]) for found in _BUNDLE.finditer(pdf))
    return sum(bundle.count(b"<</Type/Page/Parent ") for bundle in bundles)


def short(value: float) -> str:
    """Return a number for a PDF, to ten-thousandths of a point or millimetre: errors are invisible even at 1000 %.

    >>> short(2.5000001), short(-0.00001), short(100.0)
    ('2.5', '0', '100')
    """
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def row(*values: float) -> str:
    return " ".join(map(short, values))


def exact(*values: float) -> str:
    """Return scale factors for a PDF, which may be far below 1, with nine decimals and never an exponent.

    >>> exact(0.0000491, -2.5, 1)
    '0.0000491 -2.5 1'
    """
    return " ".join(f"{round(value, 9) + 0.0:.9f}".rstrip("0").rstrip(".") for value in values)


def text_string(text: str) -> str:
    r"""Return text as a PDF object: plain if it is Latin, otherwise UTF-16 in hexadecimal digits.

    >>> text_string("(paw)"), text_string("é"), text_string("“")
    ('(\\(paw\\))', '(\\351)', '<FEFF201C>')
    """
    is_plain = text.isascii() and text.isprintable()
    if is_plain or all(" " <= char <= "~" or char in _ESCAPED for char in text):
        return f"({text.translate(_ESCAPES)})"
    return f"<FEFF{text.encode('utf-16-be').hex().upper()}>"


_ESCAPED = {char: f"\\{char}" for char in "()\\"} | {chr(code): f"\\{code:03o}" for code in range(0xA1, 0x100)}
"""The written form of characters in a text string; from U+00A1 to U+00FF, PDFDocEncoding is Latin 1."""
_ESCAPES = str.maketrans(_ESCAPED)


@lru_cache(maxsize=1024)
def colour(written: str) -> str:
    """Return a colour as three operands of a PDF operator."""
    # Three digits are finer than the 255 steps of a colour.
    return " ".join(f"{int(written[at : at + 2], 16) / 255:.3g}" for at in (1, 3, 5))


def in_grey(code: str, black: str) -> str:
    """Return operators with all colours in DeviceGray, so that printers count no page as colour. `black` becomes 0.

    >>> in_grey("0.114 0.102 0.149 rg (1 0 0 rg)Tj 1 1 1 RG 1 0 0 rg", "#1d1a26")
    '0 g (1 0 0 rg)Tj 1 G 0.299 g'
    """
    ink = colour(black)
    lights: dict[str, str] = {}
    parts = _STRINGS.split(code)
    for at in range(0, len(parts), 2):
        for operator, grey in ((" rg", " g"), (" RG", " G")):
            if operator in parts[at]:
                parts[at] = _with_greys(parts[at], operator, grey, ink, lights)
    return "".join(parts)


def _with_greys(code: str, operator: str, grey: str, ink: str, lights: dict[str, str]) -> str:
    """Return operators without strings, with one that sets a colour in grey. `lights` are the colours met so far."""
    pieces = code.split(operator)
    for at, after in enumerate(pieces[1:]):
        piece = pieces[at]
        found = None if _GOES_ON.match(after) else _COLOUR.search(piece, max(0, len(piece) - LONGEST_COLOUR - 1))
        if found is None:
            pieces[at] = f"{piece}{operator}"
            continue
        light = lights.get(found[0])
        if light is None:
            light = lights[found[0]] = _light(found.groups(), ink)
        pieces[at] = f"{piece[: found.start()]}{light}{grey}"
    return "".join(pieces)


def dictionary_in_grey(body: str, black: str) -> str:
    """Do the same for a dictionary: its colour spaces, and the colours of its functions (ISO 32000-1, 7.10.3).

    >>> dictionary_in_grey("/ColorSpace/DeviceRGB/C0[1 1 1]/C1[0.114 0.102 0.149]", "#1d1a26")
    '/ColorSpace/DeviceGray/C0[1]/C1[0]'
    """
    ink = colour(black)
    body = body.replace("/DeviceRGB", "/DeviceGray")
    return _ENDS.sub(lambda found: f"{found[1]}[{_light(found.groups()[1:], ink)}]", body)


def _light(parts: Sequence[str], ink: str) -> str:
    """Return the lightness of a colour, given as from `colour`; the ink itself is black."""
    if " ".join(parts) == ink:
        return "0"
    if len({*parts}) == 1:
        return parts[0]
    # The luma of a screen (ITU-R BT.601).
    return f"{sum(share * float(part) for share, part in zip((0.299, 0.587, 0.114), parts, strict=True)):.3g}"


_ENDS = re.compile(r"(/C[01])\[([\d.]+) ([\d.]+) ([\d.]+)\]")

_STRINGS = re.compile(r"(\((?:[^()\\]|\\.)*\))", re.DOTALL)
_COLOUR = re.compile(r"(?<![\w.])([\d.]+) ([\d.]+) ([\d.]+)\Z")
"""The operands of a colour at the end of operators."""
_GOES_ON = re.compile(r"[\w.]")
