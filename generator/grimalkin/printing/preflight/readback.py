"""Read the real contents of a finished PDF's pages with pikepdf: faces, marks, text and structure."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pikepdf

from grimalkin.printing.draw.pdf import MM
from grimalkin.printing.face.svg.paths import IDENTITY, Matrix, times

Box = tuple[float, float, float, float]
"""Left, top, right, foot in millimetres from the page's upper left corner."""
_PAINTING = frozenset(
    {"Tj", "TJ", "'", '"', "f", "F", "f*", "S", "s", "B", "B*", "b", "b*", "Do", "sh", "EI", "INLINE IMAGE"}
)
_ENDS_PATH = frozenset({"f", "F", "f*", "S", "s", "B", "B*", "b", "b*", "n"})
_STROKES = frozenset({"S", "s", "B", "B*", "b", "b*"})


@dataclass(frozen=True, slots=True)
class Placed:
    """A face on a page: the matrix from its millimetres to the page's, measured from the upper left corner."""

    matrix: Matrix

    def box(self, width: float, height: float) -> Box:
        """Return the box of a trim of this size."""
        return _box_of(self.matrix, [(x, y) for x in (0.0, width) for y in (0.0, height)])


@dataclass
class Page:
    """The contents of a page."""

    width: float
    height: float
    """The height in millimetres."""
    faces: list[Placed] = field(default_factory=list)
    lines: list[Box] = field(default_factory=list)
    """Straight strokes outside faces, as the boxes around them, with no width or no height."""
    rounds: list[Box] = field(default_factory=list)
    """Curved strokes outside faces, as the boxes around them."""
    loose: int = 0
    """The number of painting operators outside marked content."""
    ids: set[int] = field(default_factory=set)
    """Ids of marked content that belongs to the structure tree."""
    structure: int | None = None
    """The page's row in the structure's parent tree."""
    missing: list[str] = field(default_factory=list)
    """Texts with characters that their font lacks, with � in their place."""


@dataclass
class Document:
    """The contents of a PDF."""

    pages: list[Page]
    language: str
    marked: bool
    """Whether the document declares that all its content is in the structure or an artifact."""
    elements: list[tuple[str, str]]
    """Kind and alternative text of every structure element, in reading order."""
    rows: dict[int, int]
    """The number of marked contents in each row of the parent tree."""
    fonts: dict[str, str]
    """Fonts by name, each with its fault; "" if it is embedded and searchable."""


def read_pdf(data: bytes) -> Document:
    """Read everything that the checks of sheets need."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        root = pdf.Root
        tree = root.get("/StructTreeRoot")
        known: dict[tuple[int, int], tuple[set[int], list[str]]] = {}
        return Document(
            [_Reader(page, known).read() for page in pdf.pages],
            str(root.get("/Lang", "")),
            bool(root.MarkInfo.get("/Marked", False)) if "/MarkInfo" in root else False,
            list(_elements(tree)) if tree is not None else [],
            dict(_rows(tree.ParentTree)) if tree is not None and "/ParentTree" in tree else {},
            {_font_name(one): _font_lack(one) for one in pdf.objects if _is_font(one)},
        )


class _Reader:
    """A walk through the operators of one page and of the forms on it."""

    def __init__(self, page: pikepdf.Page, known: dict[tuple[int, int], tuple[set[int], list[str]]]) -> None:
        left, foot, right, top = (float(value) for value in page.mediabox)
        self.page = Page((right - left) / MM, (top - foot) / MM)
        self.raw = page
        self.known = known
        """Marked content, and text with missing characters, of the forms in faces."""
        self.fonts: dict[tuple[int, int], _Letters] = {}
        if "/StructParents" in page.obj:
            self.page.structure = int(page.obj.StructParents)
        # From points at the lower left corner to millimetres at the upper left corner.
        self.onto: Matrix = (1 / MM, 0, 0, -1 / MM, -left / MM, top / MM)

    def read(self) -> Page:
        self.walk(self.raw.obj, self.raw.resources, IDENTITY, 0, False)
        return self.page

    def walk(self, content: Any, resources: Any, matrix: Matrix, depth: int, in_face: bool) -> None:
        """Read operators. `depth` is the number of open marked-content sequences."""
        stack: list[tuple[Matrix, bool]] = []
        path: list[tuple[float, float]] = []
        curved = False
        letters = _Letters(1, {})
        for instruction in pikepdf.parse_content_stream(content):
            operands: Any = instruction.operands
            name = str(instruction.operator)
            if name == "q":
                stack.append((matrix, in_face))
            elif name == "Q":
                matrix, in_face = stack.pop()
            elif name == "cm":
                step = _matrix(operands)
                matrix = times(matrix, step)
                if not in_face and _is_face(step):
                    in_face = True
                    self.page.faces.append(Placed(times(self.onto, matrix)))
            elif name in ("BDC", "BMC"):
                depth += 1
                if name == "BDC" and isinstance(operands[1], pikepdf.Dictionary) and "/MCID" in operands[1]:
                    self.page.ids.add(int(operands[1].MCID))
            elif name == "EMC":
                depth -= 1
            elif in_face and name in ("m", "l", "c"):
                continue
            elif name in ("m", "l"):
                path.append((float(operands[0]), float(operands[1])))
            elif name == "c":
                curved = True
                path += [(float(operands[i]), float(operands[i + 1])) for i in (0, 2, 4)]
            elif name == "Tf":
                letters = self.letters(resources.Font[str(operands[0])])
            elif name in ("Tj", "TJ"):
                self.note_missing(operands[0] if name == "TJ" else [operands[0]], letters)
            if name in _PAINTING and depth == 0:
                self.page.loose += 1
            if name in _ENDS_PATH:
                if name in _STROKES and not in_face and path:
                    self.note_stroke(path, curved, matrix)
                path, curved = [], False
            if name == "Do":
                form = resources.XObject[str(operands[0])]
                if form.get("/Subtype") == "/Form":
                    inner = times(matrix, _matrix(form.Matrix)) if "/Matrix" in form else matrix
                    self.form(form, form.get("/Resources", resources), inner, depth or 1, in_face)

    def form(self, form: Any, resources: Any, matrix: Matrix, depth: int, in_face: bool) -> None:
        """Read a form. If marked content is open, the form is inside it, so its contents are not loose. Art in faces is
        often repeated, and is read only once."""
        known = self.known.get(form.objgen) if in_face else None
        if known is None:
            outside, self.page = self.page, Page(0, 0) if in_face else self.page
            self.walk(form, resources, matrix, depth, in_face)
            if not in_face:
                return
            known = self.known[form.objgen] = self.page.ids, self.page.missing
            self.page = outside
        self.page.ids |= known[0]
        self.page.missing += known[1]

    def note_stroke(self, path: list[tuple[float, float]], curved: bool, matrix: Matrix) -> None:
        box = _box_of(times(self.onto, matrix), path)
        if curved:
            self.page.rounds.append(box)
        elif len(path) == 2:
            self.page.lines.append(box)

    def letters(self, font: Any) -> _Letters:
        known = self.fonts.get(font.objgen)
        if known is None:
            known = self.fonts[font.objgen] = _letters_of(font)
        return known

    def note_missing(self, shown: Any, letters: _Letters) -> None:
        """Note text that shows substitutes for characters that its font lacks."""
        if letters.lacking.isdisjoint(letters.texts):
            return
        data = b"".join(bytes(part) for part in shown if isinstance(part, pikepdf.String))
        codes = [int.from_bytes(data[at : at + letters.size], "big") for at in range(0, len(data), letters.size)]
        if not letters.lacking.isdisjoint(codes):
            self.page.missing.append("".join(letters.texts.get(code, "�") for code in codes))


def _box_of(matrix: Matrix, points: list[tuple[float, float]]) -> Box:
    """Return the bounding box of transformed points."""
    a, b, c, d, e, f = matrix
    xs, ys = zip(*((a * x + c * y + e, b * x + d * y + f) for x, y in points), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _is_face(step: Matrix) -> bool:
    """Return whether a matrix maps millimetres, with y downwards, to the page at true size, at any angle."""
    a, b, c, d = step[:4]
    across, down = math.hypot(a, b), math.hypot(c, d)
    return a * d - b * c < 0 and abs(across - MM) < 0.05 and abs(down - MM) < 0.05


def _matrix(values: Any) -> Matrix:
    a, b, c, d, e, f = (float(value) for value in values)
    return (a, b, c, d, e, f)


class _Letters(NamedTuple):
    """The meanings of the codes of a font, and the bytes in each code."""

    size: int
    texts: dict[int, str]
    lacking: frozenset[int] = frozenset()
    """Codes shown for characters that the font lacks."""


_CHARACTER = re.compile(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*?\n")


def _letters_of(font: Any) -> _Letters:
    size = 2 if font.get("/Subtype") == "/Type0" else 1
    table = font.ToUnicode.read_bytes() if "/ToUnicode" in font else b""
    texts = {
        int(code, 16): bytes.fromhex(to.decode()).decode("utf-16-be", "replace")
        for code, to in _CHARACTER.findall(table)
        if len(code) == 2 * size
    }
    return _Letters(size, texts, frozenset(code for code, text in texts.items() if text in ("\0", "\ufffd")))


def _is_font(one: Any) -> bool:
    """Return whether an object is a font that shows text, unlike the inner half of a composite font."""
    return isinstance(one, pikepdf.Dictionary) and one.get("/Type") == "/Font" and "/CIDSystemInfo" not in one


def _font_name(font: Any) -> str:
    return f"{str(font.get('/BaseFont', '/without a name'))[1:]} ({font.objgen[0]})"


def _font_lack(font: Any) -> str:
    inner = font.DescendantFonts[0] if "/DescendantFonts" in font else font
    descriptor = inner.get("/FontDescriptor", {})
    drawn = font.get("/Subtype") == "/Type3"  # its letters are drawings in the file
    if not drawn and not any(f"/FontFile{kind}" in descriptor for kind in ("", "2", "3")):
        return "is not embedded"
    return "" if "/ToUnicode" in font else "does not say which characters it shows"


def _elements(node: Any) -> Iterator[tuple[str, str]]:
    """Yield the kind and the alternative text of each structure element below a node."""
    kids = node.get("/K", [])
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            yield str(kid.S)[1:], str(kid.get("/Alt", ""))
            yield from _elements(kid)


def _rows(tree: Any) -> Iterator[tuple[int, int]]:
    """Yield the rows of a number tree, with their lengths."""
    numbers = tree.get("/Nums", [])
    for index in range(0, len(numbers), 2):
        yield int(numbers[index]), len(numbers[index + 1])
    for kid in tree.get("/Kids", []):
        yield from _rows(kid)
