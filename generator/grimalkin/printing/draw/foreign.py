"""Examine untrusted PDFs, and take them apart, in a separate process that its parent can stop.

Jobs arrive as JSON on standard input; answers go to standard output, each preceded by its length. The process takes
only the parts that draw a page: its content, and everything that the content refers to. Everything else stays behind:
scripts, forms, links, notes, layers and embedded files.
"""

from __future__ import annotations

import io
import json
import re
import struct
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

MOST_PAGES: Final = 1_000
MOST_BYTES: Final = 500_000_000
"""The most pages, and the most bytes, of one file."""
MOST_MEMORY: Final = 3_000_000_000
MOST_OBJECTS: Final = 20_000
"""The most objects of one page."""
MOST_TAKEN: Final = 50_000_000
"""The most bytes of one page."""
MOST_ANSWERED: Final = 50_000_000
"""The number of bytes in answers after which no further job starts; the parent then asks again."""
MOST_DEEP: Final = 60
SMALLEST, LARGEST = 2.0, 2_000.0
"""The shortest and longest sides of a page, in millimetres."""
MOST_SIDE: Final = 6_000
"""The longest side of a picture of a page, in pixels."""
DPI: Final = 300
RESOURCES: Final = ("/ColorSpace", "/ExtGState", "/Font", "/Pattern", "/Shading", "/XObject")
"""Kinds of resources that content refers to by name (ISO 32000-1, 7.8.3), except layers."""
NAMED: Final = frozenset([*RESOURCES, "/CharProcs", "/Colorants"])
"""Keys of dictionaries whose own keys are freely chosen names."""
DROPPED: Final = frozenset(
    f"/{key}"
    for key in (
        *("A", "AA", "AF", "Alternates", "Annots", "F", "FDecodeParms", "FFilter", "JS", "JavaScript", "LastModified"),
        *("Measure", "Metadata", "OC", "OPI", "Parent", "PieceInfo", "Properties", "PtData", "Ref"),
        *("StructParent", "StructParents"),
    )
)
"""Keys that draw nothing, or refer outside the page."""
Box = tuple[float, float, float, float]


class Unfit(Exception):
    """An error for a page whose vectors cannot be taken, with the reason."""


# Examining


def look(data: bytes) -> dict[str, Any]:
    """Return the sizes of a file's pages as displayed, in millimetres, and the bleed on each side."""
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(data) as pdf:
            if len(pdf) > MOST_PAGES:
                return {"fault": [f"it has {len(pdf):,} pages", f"at most {MOST_PAGES:,} are read: split it"]}
            pages = [_page(pdf[number]) for number in range(len(pdf))]
    except pypdfium2.PdfiumError as error:
        if "assword" in str(error):
            return {"fault": ["this PDF is locked with a password", "save it without one"]}
        return {"fault": ["this PDF cannot be read: it is cut off or damaged", "save it again"]}
    for number, (width, height, _) in enumerate(pages, 1):
        if not SMALLEST <= min(width, height) <= max(width, height) <= LARGEST:
            return {
                "fault": [f"page {number} is {width:g} × {height:g} mm", f"{SMALLEST:g} to {LARGEST:g} mm are read"]
            }
    return {"pages": pages}


def _page(page: Any) -> list[float]:
    trim, bleed = _boxes(page)
    left, foot, right, top = trim
    width, height = right - left, top - foot
    if page.get_rotation() % 180:
        width, height = height, width
    around = min(left - bleed[0], foot - bleed[1], bleed[2] - right, bleed[3] - top)
    return [round(side * 25.4 / 72, 4) for side in (width, height, max(0.0, around))]


def _boxes(page: Any) -> tuple[Box, Box]:
    """Return the trim of a page, and the trim with its bleed, equal on all sides. In points."""
    media = page.get_mediabox()
    trim = _within(page.get_trimbox(), media)
    named = page.get_bleedbox(fallback_ok=False)
    bleed = _within(named or (media if page.get_trimbox(fallback_ok=False) else trim), media)
    by = max(0.0, min(trim[0] - bleed[0], trim[1] - bleed[1], bleed[2] - trim[2], bleed[3] - trim[3]))
    return trim, (trim[0] - by, trim[1] - by, trim[2] + by, trim[3] + by)


def _within(box: Box, media: Box) -> Box:
    """Return the part of a box that is on the page; the entire page if no part is."""
    left, foot, right, top = max(box[0], media[0]), max(box[1], media[1]), min(box[2], media[2]), min(box[3], media[3])
    return (left, foot, right, top) if right > left and top > foot else media


# As a picture


def pictures(data: bytes, numbers: Iterable[int]) -> Iterator[bytes]:
    """Yield pages with their bleed as PNG, at 300 dpi, or less if they are too large."""
    import pypdfium2

    with pypdfium2.PdfDocument(data) as pdf:
        for number in numbers:
            page = pdf[number]
            _, box = _boxes(page)
            page.set_cropbox(*box)
            page.close()
            page = pdf[number]
            scale = min(DPI / 72, MOST_SIDE / max(1.0, *page.get_size()))
            out = io.BytesIO()
            page.render(scale=scale).to_pil().convert("RGB").save(out, "PNG", compress_level=1)
            page.close()
            yield b"." + out.getvalue()


# As vectors


def vectors(data: bytes, numbers: Sequence[int]) -> Iterator[bytes]:
    """Yield pages with their bleed as form XObjects; for a page that cannot be taken, a hyphen and the reason."""
    try:
        import pikepdf

        pdf = pikepdf.open(io.BytesIO(data))
    except ImportError:
        yield from [b"-pikepdf"] * len(numbers)
    except Exception as error:  # pikepdf's report on a damaged file, which PDFium may still draw
        yield from [_damaged(error)] * len(numbers)
    else:
        with pdf:
            for number in numbers:
                try:
                    yield b"." + _taken(pdf, number)
                except Unfit as why:
                    yield b"-" + str(why).encode()
                except Exception as error:
                    yield _damaged(error)


def _damaged(error: Exception) -> bytes:
    return b"-it is damaged: " + type(error).__name__.encode()


def _taken(pdf: Any, number: int) -> bytes:
    """Return a page as a form XObject with everything it refers to: JSON, followed by the bytes of all streams.

    References are written as @3@. The form is mapped to the unit square, as pictures are. Raise Unfit on failure.
    """
    if _has_hidden_layers(pdf):
        raise Unfit("some of its layers are hidden")
    page, taken = pdf.pages[number], _Taken()
    taken.form(page, _box_of(page))
    head = json.dumps(taken.objects).encode()
    return struct.pack(">L", len(head)) + head + b"".join(taken.streams[one] for one in sorted(taken.streams))


def _has_hidden_layers(pdf: Any) -> bool:
    layers = pdf.Root.get("/OCProperties")
    usual = layers.get("/D") if layers is not None else None
    return usual is not None and (len(usual.get("/OFF", [])) > 0 or str(usual.get("/BaseState", "/ON")) != "/ON")


def _box_of(page: Any) -> Box:
    media = _ordered(page.mediabox)
    own = page.obj.get("/TrimBox")
    trim = _within(_ordered(own if own is not None else page.cropbox), media)
    named = page.obj.get("/BleedBox")
    bleed = _within(_ordered(named), media) if named is not None else media if own is not None else trim
    by = max(0.0, min(trim[0] - bleed[0], trim[1] - bleed[1], bleed[2] - trim[2], bleed[3] - trim[3]))
    return trim[0] - by, trim[1] - by, trim[2] + by, trim[3] + by


def _inherited(page: Any, key: str, otherwise: Any) -> Any:
    """Return an attribute of a page, which may be inherited (ISO 32000-1, 7.7.3.4)."""
    for _ in range(MOST_DEEP):
        if page is None or key in page:
            break
        page = page.get("/Parent")
    return otherwise if page is None else page.get(key, otherwise)


def _ordered(box: Any) -> Box:
    xs, ys = sorted((float(box[0]), float(box[2]))), sorted((float(box[1]), float(box[3])))
    return xs[0], ys[0], xs[1], ys[1]


def square(box: Box, turn: int) -> list[float]:
    """Return the matrix that maps a box, turned clockwise by some degrees, to the unit square."""
    left, foot, right, top = box
    w, h = right - left, top - foot
    return {
        0: [1 / w, 0, 0, 1 / h, -left / w, -foot / h],
        90: [0, -1 / w, 1 / h, 0, -foot / h, right / w],
        180: [-1 / w, 0, 0, -1 / h, right / w, top / h],
        270: [0, 1 / w, -1 / h, 0, top / h, -left / w],
    }[turn // 90 % 4 * 90]


class _Taken:
    """The objects taken from one page."""

    def __init__(self) -> None:
        self.objects: list[list[Any]] = []
        """For each object, the text of its dictionary or value, and the length of its stream, or null."""
        self.streams: dict[int, bytes] = {}
        self.known: dict[tuple[int, int], int] = {}
        self.begun: set[int] = set()
        """The numbers of the objects that are being taken."""
        self.size = 0

    def form(self, page: Any, box: Box) -> None:
        import pikepdf

        self.objects.append([])
        turn = int(_inherited(page.obj, "/Rotate", 0))
        content = page.obj.get("/Contents")
        parts = content.as_list() if isinstance(content, pikepdf.Array) else [content]
        data = b"\n".join(part.read_bytes() for part in parts if part is not None)
        if len(data) > MOST_TAKEN:
            raise Unfit("it is too large")
        resources = dict(page.resources.items())
        foreign = {key for key, font in resources.get("/Font", pikepdf.Dictionary()).items() if _is_foreign(font)}
        if foreign:
            data = _without(foreign, page)
            resources["/Font"] = pikepdf.Dictionary(
                {key: font for key, font in resources["/Font"].items() if key not in foreign}
            )
        kept = " ".join(f"{key} {self.text(resources[key], 1, True)}" for key in RESOURCES if key in resources)
        matrix = " ".join(map(_number, square(box, turn)))
        group = page.obj.get("/Group")
        grouped = f"/Group {self.text(group, 1)}" if group is not None else ""
        edges = " ".join(map(_number, box))
        head = f"/Type/XObject/Subtype/Form/BBox[{edges}]/Matrix[{matrix}]/Filter/FlateDecode{grouped}"
        self.objects[0] = [f"{head}/Resources<<{kept}>>", self._stream(0, zlib.compress(data))]

    def _stream(self, number: int, data: bytes) -> int:
        self.size += len(data)
        if self.size > MOST_TAKEN:
            raise Unfit("it is too large")
        self.streams[number] = data
        return len(data)

    def text(self, value: Any, depth: int, is_named: bool = False) -> str:
        """Return a value in PDF syntax. `is_named` marks a dictionary with freely chosen names."""
        import pikepdf

        if depth > MOST_DEEP:
            raise Unfit("it is nested too deep")
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int):
            return str(value)
        if value is None:
            return "null"
        if not isinstance(value, pikepdf.Object):
            return _number(value)
        if value.is_indirect or isinstance(value, pikepdf.Stream):
            return f"@{self.number(value, depth, is_named)}@"
        return self.direct(value, depth, is_named)

    def direct(self, value: Any, depth: int, is_named: bool = False) -> str:
        import pikepdf

        if isinstance(value, pikepdf.Name):
            return _name(str(value))
        if isinstance(value, pikepdf.String):
            return f"<{bytes(value).hex()}>"
        if isinstance(value, pikepdf.Array):
            return f"[{' '.join(self.text(one, depth + 1) for one in value.as_list())}]"
        if isinstance(value, pikepdf.Dictionary):
            return f"<<{self.entries(value, depth, is_named)}>>"
        raise Unfit(f"it holds a {value._type_name}")

    def entries(self, value: Any, depth: int, is_named: bool = False) -> str:
        if str(value.get("/Type", "")) == "/Font" and _is_foreign(value):
            raise Unfit("it lacks a font")
        kept = [(key, one) for key, one in value.items() if is_named or key not in DROPPED]
        return " ".join(f"{_name(key)} {self.text(one, depth + 1, key in NAMED and not is_named)}" for key, one in kept)

    def number(self, value: Any, depth: int, is_named: bool) -> int:
        """Return the number of an indirect object, which is taken only once."""
        import pikepdf

        known = self.known.get(value.objgen) if value.is_indirect else None
        if known in self.begun and isinstance(value, pikepdf.Stream):
            raise Unfit("it refers to itself")
        if known is not None:
            return known
        if len(self.objects) >= MOST_OBJECTS:
            raise Unfit("it has too many parts")
        number = len(self.objects)
        self.objects.append([])
        self.begun.add(number)
        if value.is_indirect:
            self.known[value.objgen] = number
        if not isinstance(value, pikepdf.Stream):
            self.objects[number] = [self.direct(value, depth, is_named), None]
        elif "/F" in value:
            raise Unfit("a part of it is in another file")
        else:
            keys = value.stream_dict
            if "/Length" in keys:
                del keys["/Length"]
            self.objects[number] = [self.entries(keys, depth), self._stream(number, value.read_raw_bytes())]
        self.begun.discard(number)
        return number


def _without(fonts: set[str], page: Any) -> bytes:
    """Return the content of a page without the unused fonts that many programs name at its beginning."""
    import pikepdf

    font, before = "", list[str]()
    kept: list[Any] = []
    for step in pikepdf.parse_content_stream(page):
        operands, operator = step.operands, str(step.operator)
        if operator == "q":
            before.append(font)
        elif operator == "Q" and before:
            font = before.pop()
        elif operator == "Tf":
            font = str(operands[0])
        elif operator in ("Tj", "TJ", "'", '"') and font in fonts:
            raise Unfit("it lacks a font")
        if operator != "Tf" or font not in fonts:
            kept.append(step)
    return bytes(pikepdf.unparse_content_stream(kept))


def _is_foreign(font: Any) -> bool:
    """Return whether a font is not embedded in the file."""
    kind = str(font.get("/Subtype", ""))
    if kind == "/Type3":
        return False
    if kind == "/Type0":
        return any(_is_foreign(one) for one in font.get("/DescendantFonts", []))
    about = font.get("/FontDescriptor")
    return about is None or not any(key in about for key in ("/FontFile", "/FontFile2", "/FontFile3"))


def _number(value: Any) -> str:
    """Return a number without an exponent, which PDF does not support."""
    return f"{float(value):.10f}".rstrip("0").rstrip(".")


def _name(name: str) -> str:
    """Return a name in PDF syntax, with @ escaped because it marks references here."""
    return "/" + re.sub(
        rb"[^!$&'*+,\-.0-:;=?A-Z\\^_`a-z|~]", lambda found: b"#%02X" % found[0][0], name[1:].encode()
    ).decode("ascii")


# The process


def answers(asked: dict[str, Any]) -> Iterator[bytes]:
    """Yield the answer to each job, in order. A file is read once for consecutive jobs."""
    for path, jobs in groupby(asked["jobs"], key=itemgetter(0)):
        wanted = [(number, digest) for _, number, digest in jobs]
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        own = sha256(data).hexdigest()
        if any(digest not in ("", own) for _, digest in wanted):
            yield from [b"!the file changed while it was being read"] * len(wanted)
        elif asked["do"] == "look":
            yield json.dumps({**look(data), "digest": own}).encode()
        else:
            yield from (pictures if asked["do"] == "picture" else vectors)(data, [number for number, _ in wanted])


def _bounded() -> None:
    """Limit the memory that a file can use, if the system supports it."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    except (ImportError, ValueError, OSError):
        pass


if __name__ == "__main__":
    _bounded()
    size = 0
    for answer in answers(json.load(sys.stdin)):
        sys.stdout.buffer.write(struct.pack(">L", len(answer)) + answer)
        sys.stdout.buffer.flush()
        size += len(answer)
        if size > MOST_ANSWERED:
            break
