"""Structure for screen readers: headings, paragraphs, figures; everything else is an artifact.

Callers get operators for the content of a page; elements of the structure tree go into the file as soon as they are
complete, so that a long document needs no more memory than a short one (ISO 32000-1, 14.7 and 14.8).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from grimalkin.printing.draw.canvas import PackedCanvas
from grimalkin.printing.draw.packing import short, text_string
from grimalkin.printing.face.svg.paths import IDENTITY, Box, Matrix, box_through

COLUMN = "<</O/Table/Scope/Column>>"
"""An attribute of a cell that is the head of its column."""
NUMBERED, UNNUMBERED = "<</O/List/ListNumbering/Decimal>>", "<</O/List/ListNumbering/None>>"
"""Attributes of lists: with a number before each item, and with none or only a visual mark."""
ARTIFACT = "/Artifact BMC"
"""The operators that begin an artifact, which is only visual, outside other content; EMC ends it."""
DISCS = "<</O/List/ListNumbering/Disc>>"
"""An attribute of lists whose items have a bullet that is read aloud."""


@dataclass(slots=True)
class _Element:
    """An open structure element, or an artifact, which has number 0."""

    number: int
    head: str = ""
    """Its dictionary without page and kids."""
    kids: list[str] = field(default_factory=list)
    page: int = 0
    """The object number of the page with its first marked content."""


class Tags:
    """The structure of one document, in reading order.

    It writes itself when its canvas finishes a page or is saved.
    """

    def __init__(self, canvas: PackedCanvas) -> None:
        canvas.parts.append(self)
        self.canvas = canvas
        self.root = canvas.new_number()
        number = canvas.new_number()
        self.stack = [_Element(number, f"<</S/Document/P {self.root} 0 R")]
        self.row: list[int] = []
        """The elements of this page, by the id of their marked content."""
        self.matrix: Matrix = IDENTITY
        """An extra transform for everything that is being tagged, such as the correction for a printer."""
        self.rows: list[str] = []
        """For each page with marked content, and each annotation: its key in the parent tree, and the target."""

    def open(
        self,
        kind: str,
        title: str = "",
        alt: str = "",
        actual: str = "",
        first: int | None = None,
        attributes: str = "",
        box: Box | None = None,
    ) -> None:
        """Open a structure element (Sect, Div, Table, TR, L, LI, …). Elements nest.

        With `first`, a number from `told()`, the element is placed before everything added since. `attributes` are
        like COLUMN. `box` is the position of a figure or table on the page, in points.
        """
        parent = self.stack[-1]
        number = self.canvas.new_number()
        reference = f"{number} 0 R"
        if first is None:
            parent.kids.append(reference)
        else:
            parent.kids.insert(first, reference)
        head = f"<</S/{kind}/P {parent.number} 0 R"
        if title:
            head += f"/T{text_string(title)}"
        if alt:
            head += f"/Alt{text_string(alt)}"
        if actual:
            head += f"/ActualText{text_string(actual)}"
        if box:
            lying = " ".join(short(round(value, 2)) for value in box_through(self.matrix, box))
            attributes = f"<</O/Layout/BBox[{lying}]>>"
        if attributes:
            head += f"/A{attributes}"
        self.stack.append(_Element(number, head))

    def close(self) -> None:
        """Close the last open element."""
        element = self.stack.pop()
        kids = element.kids
        page = f"/Pg {element.page} 0 R" if element.page else ""
        inside = f"/K {kids[0]}>>" if len(kids) == 1 else f"/K[{' '.join(kids)}]>>" if kids else ">>"
        self.canvas.put(element.number, f"{element.head}{page}{inside}".encode())

    def begin(
        self,
        kind: str,
        alt: str = "",
        actual: str = "",
        first: int | None = None,
        attributes: str = "",
        box: Box | None = None,
    ) -> str:
        """Return operators that begin the marked content of a new leaf (H1, P, Figure, Span, Lbl, …); see `open`."""
        self.open(kind, "", alt, actual, first, attributes, box)
        return self.content(kind)

    def content(self, kind: str) -> str:
        """Return operators that begin marked content of the last open element. Close it with `pause()`."""
        element = self.stack[-1]
        id_ = len(self.row)
        self.row.append(element.number)
        if not element.page:
            element.page = self.canvas.page_number
        if element.page == self.canvas.page_number:
            element.kids.append(str(id_))
        else:  # content that continues on the next page
            element.kids.append(f"<</Type/MCR/Pg {self.canvas.page_number} 0 R/MCID {id_}>>")
        return f"/{kind}<</MCID {id_}>>BDC"

    def pause(self) -> str:
        """Return operators that end marked content while its element stays open."""
        return "EMC"

    def annotation(self, kind: str, number: int) -> int:
        """Add an annotation of this page, given by its object number, as a separate element (Form, Link).

        Return the value of /StructParent for its dictionary.
        """
        self.open(kind)
        element = self.stack[-1]
        element.page = self.canvas.page_number
        element.kids.append(f"<</Type/OBJR/Obj {number} 0 R>>")
        self.close()
        self.rows.append(f"{len(self.rows)} {element.number} 0 R")
        return len(self.rows) - 1

    def artifact(self) -> str:
        """Return operators that begin an artifact, which is only visual. Close it with `end()`."""
        self.stack.append(_Element(0))
        return ARTIFACT

    def end(self) -> str:
        """Return operators that end a leaf or an artifact."""
        if self.stack[-1].number:
            self.close()
        else:
            self.stack.pop()
        return "EMC"

    @contextmanager
    def leaf(
        self, kind: str | None, alt: str = "", first: int | None = None, attributes: str = "", box: Box | None = None
    ) -> Iterator[None]:
        """Draw a leaf on the canvas inside this context, as with `begin`; without a kind, an artifact."""
        code = self.begin(kind, alt, "", first, attributes, box) if kind else self.artifact()
        self.canvas.emit(code)
        yield
        self.canvas.emit(self.end())

    def told(self) -> int:
        """Return the number of children of the last open element so far; see `open`."""
        return len(self.stack[-1].kids)

    def page(self) -> None:
        """End the structure of this page."""
        keys = "/Tabs/S" if self.canvas.file.version >= "1.5" else ""
        if self.row:
            number = self.canvas.new_number()
            self.canvas.put(number, ("[" + " ".join([f"{one} 0 R" for one in self.row]) + "]").encode())
            keys += f"/StructParents {len(self.rows)}"
            self.rows.append(f"{len(self.rows)} {number} 0 R")
            self.row = []
        self.canvas.page_keys += keys

    def finish(self) -> None:
        """Close every element and write the root of the tree, after the last page."""
        document = self.stack[0].number
        while self.stack:
            self.close()
        tree = self.canvas.new_number()
        self.canvas.put(tree, f"<</Nums[{' '.join(self.rows)}]>>".encode())
        keys = f"/K {document} 0 R/ParentTree {tree} 0 R/ParentTreeNextKey {len(self.rows)}"
        self.canvas.put(self.root, f"<</Type/StructTreeRoot{keys}>>".encode())
        marked = self.canvas.new_number()
        self.canvas.put(marked, b"<</Marked true>>")
        self.canvas.in_catalog("StructTreeRoot", self.root)
        self.canvas.in_catalog("MarkInfo", marked)
