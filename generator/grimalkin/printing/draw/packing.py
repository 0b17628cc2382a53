"""Write a PDF file as it grows, with pages compressed immediately and small objects packed in streams.

Objects other than streams go into object streams (ISO 32000-1, 7.5.7), which reduces a large file to a third.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from array import array
from functools import lru_cache
from typing import BinaryIO, Protocol

from grimalkin.source.colours import Ink, ink_of

MM = 72 / 25.4
"""Points in a millimetre."""

NOTE = "~"
"""A character before and after the inks of a colour. Operators contain no other."""
LONGEST_COLOUR = 23
"""The most characters in the operands of a colour, as `colour` writes them."""
_PAGE = b"<</Type/Page/Parent "
_BUNDLE = re.compile(rb"<</Type/ObjStm/N \d+/First \d+/Filter/FlateDecode/Length (\d+)>>stream\n")


class PackedFile:
    """A growing PDF file: objects in, bytes out. Object numbers are assigned elsewhere, and some may be unused.

    A file of version 1.4 has neither object streams nor a cross-reference stream.
    """

    def __init__(self, out: BinaryIO, version: str = "1.7") -> None:
        self.out = out
        self.version = version
        self.is_packed = version > "1.4"
        self.size = 0
        self.hash = hashlib.md5(usedforsecurity=False)
        self.places = array("Q")
        """By object number: twice the offset, or twice (stream number × 512 + index) plus one; 0 for none."""
        self.bundle: list[tuple[int, bytes]] = []
        self.write(f"%PDF-{version}\n%".encode() + b"\xe2\xe3\xcf\xd3\n")

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
        if self.is_packed:
            self.bundle.append((number, body))
        else:
            self.raw(number, body)

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
        """Write the objects added so far, if any, as one object stream with this number."""
        if not self.is_packed:
            return
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
        id_ = self.hash.hexdigest().encode()
        keys = b"/Root %d 0 R/Info %d 0 R/ID[<%b><%b>]" % (root, info, id_, id_)
        if not self.is_packed:
            self.finish_plainly(start, keys)
            return
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
        self.stream(number, b"/Type/XRef/W[1 4 2]/Size %d%b" % (len(self.places), keys), rows)
        self.write(b"startxref\n%d\n%%%%EOF\n" % start)

    def finish_plainly(self, start: int, keys: bytes) -> None:
        """Write a cross-reference table (ISO 32000-1, 7.5.4), in which unused numbers form a chain."""
        unused = [number for number, place in enumerate(self.places) if not place]
        after = dict(zip(unused, [*unused[1:], 0], strict=True))
        rows = [
            b"%010d 00000 n \n" % (place >> 1)
            if place
            else b"%010d %05d f \n" % (after[number], 0 if number else 65_535)
            for number, place in enumerate(self.places)
        ]
        self.write(b"xref\n0 %d\n%b" % (len(rows), b"".join(rows)))
        self.write(b"trailer\n<</Size %d%b>>\nstartxref\n%d\n%%%%EOF\n" % (len(rows), keys, start))


class Writer(Protocol):
    """A document that numbers its objects, and writes them into its file."""

    file: PackedFile

    def new_number(self) -> int: ...

    def put(self, number: int, body: bytes) -> None: ...


def count_pages(pdf: bytes) -> int:
    """Return the number of pages in a file written here; 0 for any other."""
    bundles = (zlib.decompress(pdf[found.end() : found.end() + int(found[1])]) for found in _BUNDLE.finditer(pdf))
    return pdf.count(_PAGE) + sum(bundle.count(_PAGE) for bundle in bundles)


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
    """Return a colour as three operands of a PDF operator, after its inks if it names any; see `recolour`."""
    # Three digits are finer than the 255 steps of a colour.
    parts = " ".join(f"{int(written[at : at + 2], 16) / 255:.3g}" for at in (1, 3, 5))
    if len(written) == 7:
        return parts
    # Parentheses would look like a string, and braces like a reference.
    return f"{NOTE}{written[8:].replace('(', '[').replace(')', ']')}{NOTE}{parts}"


def inks_in(note: str) -> Ink | None:
    """Return the inks in front of the operands of a colour."""
    return ink_of(f"#000000 {note.replace('[', '(').replace(']', ')')}")
