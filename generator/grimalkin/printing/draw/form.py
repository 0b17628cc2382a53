"""Turn the fields of a face into an interactive PDF form (ISO 32000-1, 12.7), without scripts.

Viewers show typed text in the font that a field names, and write it as the field's appearance. reportlab's own fields
name the fonts that every viewer has, and embed none. Ours name an embedded font, in an encoding that every viewer
supports. Fields form a tree by the parts of their names, and screen readers read each at its place in the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import dist
from types import MappingProxyType

from grimalkin.printing.draw.canvas import PackedCanvas
from grimalkin.printing.draw.packing import colour, row, short, text_string
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.draw.typefaces import FIRST, LAST, Latin, characters, latin, winansi
from grimalkin.printing.face.fields import Field
from grimalkin.printing.face.svg.paths import Matrix, box_through
from grimalkin.printing.type.fonts import SANS

TICKED = "yes"
"""The value of a ticked box; the value of an unticked box is Off."""
_SIDES = {"left": 0, "center": 1, "right": 2}
_READ_ONLY = 1
_PRINT, _HIDDEN = 4, 2
_LEAST, _MARGIN = 4.0, 2.0
"""In points: the smallest type size for filled-in text, and the margin at the sides of a field."""
_TICK = ((0.2, 0.52), (0.42, 0.24), (0.82, 0.84))
_PEN = 0.14
"""The corners of a tick and the width of its lines, as parts of its box."""
_SYMBOLS = "ZaDb"
"""The name under which programs look for a font of symbols, to draw ticks themselves."""
_TICKS = (51, 52)
"""The ticks in that font. Programs use the second if a box names it, and otherwise the first."""
_QUARTERS = ((1, 0), (0, 1), (-1, 0), (0, -1))
_ROUND = 0.5523
"""The directions of a circle's quarters, and how far along them the curve of a quarter is bent."""
_RAISED = 0.1
"""How much higher programs draw a symbol that is as tall as its box, as a part of its height."""
_SYMBOLIC_NOT = 32
"""A font flag: all characters belong to the standard Latin set."""


def _bytes(text: str) -> bytes:
    """Return text in the font's encoding. A missing character becomes "?" here, but stays in the field's value."""
    return text.encode("cp1252", "replace")


def _long(text: str) -> float:
    """Return the width of a text at a size of one point."""
    font = latin(SANS)
    return sum(font.widths[code - FIRST] for code in _bytes(text) if code >= FIRST) / 1000


def _fitting(one: Field, wide: float) -> float:
    """Return the type size for a field's value: smaller than the field's own if the text is long."""
    if not one.value or one.kind == "fixed":
        return one.size
    return max(_LEAST, min(one.size, (wide - 2 * _MARGIN) / max(0.1, _long(one.value))))


def _shown(one: Field, size: float, wide: float, high: float) -> str:
    """Return the operators that show a field's text on its baseline, clipped to its box."""
    left = (0.0, 0.5, 1.0)[_SIDES[one.align]] * (wide - 2 * _MARGIN - size * _long(one.value))
    foot = (high - size * latin(SANS).capital / 1000) / 2
    letters = _bytes(one.value).hex().upper()
    return (
        f"/Tx BMC q 0 0 {row(wide, high)} re W n BT /{SANS} {short(size)} Tf {colour(one.fill)} rg "
        f"{row(_MARGIN + max(0.0, left), foot)} Td <{letters}> Tj ET Q EMC"
    )


@dataclass(slots=True)
class _Node:
    """A field or a group of fields: its number, and its children by the next part of their names."""

    number: int
    kids: dict[str, _Node] = field(default_factory=dict)


class Form:
    """The form of one document, which writes itself when its canvas finishes a page or is saved."""

    def __init__(self, canvas: PackedCanvas, tags: Tags, values: Mapping[str, str] = MappingProxyType({})) -> None:
        canvas.parts.append(self)
        self.values = values
        """The values of the fields, by name."""
        self.canvas = canvas
        self.tags = tags
        self.root = _Node(0)
        self.fields: list[int] = []
        """The object numbers of the fields on this page."""
        self.font = canvas.new_number()
        self.resources = canvas.new_number()
        self.symbols = 0
        """The number of the font with a tick; 0 as long as no field needs it."""

    def place(self, one: Field, matrix: Matrix) -> None:
        """Put a field on the page. `matrix` turns millimetres of its face into points of the page."""
        canvas = self.canvas
        if one.kind != "fixed" and one.name in self.values:
            one = replace(one, value=self.values[one.name])
        parent, node, last = self.node(one.name)
        keys = f"<</Type/Annot/Subtype/Widget/T{text_string(last)}/TU{text_string(one.say)}/P {canvas.page_number} 0 R"
        if parent.number:
            keys += f"/Parent {parent.number} 0 R"
        if one.kind == "fixed":
            keys += f"/FT/Tx/Ff {_READ_ONLY}/F {_HIDDEN}/Rect[0 0 0 0]/V{text_string(one.value)}{self.letters(one)}"
        else:
            box = box_through(matrix, (one.x, one.y, one.x + one.width, one.y + one.height))
            wide, high = box[2] - box[0], box[3] - box[1]
            told = self.tags.annotation("Form", node.number)
            keys += f"/F {_PRINT}/BS<</W 0>>/Rect[{row(*box)}]/StructParent {told}"
            keys += self.tick(one, wide, high) if one.kind == "check" else self.letters(one, wide, high)
        canvas.put(node.number, f"{keys}>>".encode())
        self.fields.append(node.number)

    def letters(self, one: Field, wide: float = 0, high: float = 0) -> str:
        """Return the keys of a text field.

        Its appearance is not shared, since programs write into it. It is empty, or shows the field's initial value.
        """
        size = _fitting(one, wide)
        keys = f"/DA(/{self.canvas.inked(f'{SANS} {short(size)} Tf {colour(one.fill)} rg')})"
        if one.kind == "fixed":
            return keys
        keys += f"/FT/Tx/Q {_SIDES[one.align]}/MaxLen {one.most}"
        code = "/Tx BMC EMC"
        if one.value:
            keys += f"/V{text_string(one.value)}"
            code = _shown(one, size, wide, high)
        return f"{keys}/AP<</N {self.appearance(wide, high, code)} 0 R>>"

    def tick(self, one: Field, wide: float, high: float) -> str:
        """Return the keys of a tick box, whose tick is drawn rather than taken from a symbol font.

        Programs that draw all fields themselves use the font, size, colour and symbol that the box names.
        """
        self.symbols = self.symbols or self.canvas.new_number()
        (x, y), *more = [(wide * across, high * up) for across, up in _TICK]
        path = " ".join([f"{row(x, y)} m", *(f"{row(*point)} l" for point in more)])
        size = min(wide, high)
        on = self.appearance(wide, high, f"q 1 J 1 j {short(size * _PEN)} w {colour(one.fill)} RG {path} S Q")
        state = f"/V/{TICKED}/AS/{TICKED}" if one.value else "/AS/Off"
        font = self.canvas.inked(f"{_SYMBOLS} {short(size)} Tf {colour(one.fill)} rg")
        keys = f"/FT/Btn{state}/DA(/{font})/MK<</CA({chr(_TICKS[-1])})>>"
        return f"{keys}/AP<</N<</{TICKED} {on} 0 R/Off {self.appearance(wide, high, '')} 0 R>>>>"

    def appearance(self, wide: float, high: float, code: str) -> int:
        number = self.canvas.new_number()
        keys = f"/Type/XObject/Subtype/Form/BBox[0 0 {row(wide, high)}]/Resources {self.resources} 0 R"
        self.canvas.file.stream(number, keys.encode(), self.canvas.inked(code).encode())
        return number

    def node(self, name: str) -> tuple[_Node, _Node, str]:
        """Return a field's group, the field, and the last part of its name, creating any that do not exist yet."""
        *groups, last = name.split(".")
        parent = self.root
        for part in groups:
            parent = parent.kids.setdefault(part, _Node(0))
            parent.number = parent.number or self.canvas.new_number()
        node = parent.kids[last] = _Node(self.canvas.new_number())
        return parent, node, last

    def page(self) -> None:
        """Finish the fields of this page. The tab key visits them in reading order."""
        if self.fields:
            self.canvas.page_keys += f"/Annots[{' '.join(f'{number} 0 R' for number in self.fields)}]"
            self.fields = []

    def finish(self) -> None:
        """Write the groups, the font and the form itself, after the last page."""
        canvas = self.canvas
        for part, node in self.root.kids.items():
            self.write_group(part, node, None)
        self.write_font(latin(SANS))
        fonts = f"/{SANS} {self.font} 0 R"
        if self.symbols:
            self.write_symbols()
            fonts += f"/{_SYMBOLS} {self.symbols} 0 R"
        canvas.put(self.resources, f"<</Font<<{fonts}>>>>".encode())
        form = canvas.new_number()
        kids = " ".join(f"{node.number} 0 R" for node in self.root.kids.values())
        keys = f"<</Fields[{kids}]/DR {self.resources} 0 R/DA(/{SANS} 9 Tf 0 g)/NeedAppearances false>>"
        canvas.put(form, keys.encode())
        canvas.in_catalog("AcroForm", form)

    def write_group(self, part: str, node: _Node, parent: _Node | None) -> None:
        if not node.kids:
            return  # a field, already written
        for inner, kid in node.kids.items():
            self.write_group(inner, kid, node)
        above = f"/Parent {parent.number} 0 R" if parent else ""
        kids = " ".join(f"{kid.number} 0 R" for kid in node.kids.values())
        self.canvas.put(node.number, f"<</T{text_string(part)}{above}/Kids[{kids}]>>".encode())

    def write_font(self, font: Latin) -> None:
        """Write the font under its own name: viewers do not let people type in a font marked as a subset."""
        canvas = self.canvas
        file, about, table = (canvas.new_number() for _ in range(3))
        canvas.file.stream(file, f"/Length1 {len(font.data)}".encode(), font.data)
        letters = {code: winansi(code) for code in range(FIRST, LAST + 1)}
        canvas.file.stream(table, b"", characters(letters, 2).encode())
        box = " ".join(map(str, font.box))
        canvas.put(
            about,
            f"<</Type/FontDescriptor/FontName/{font.name}/Flags {_SYMBOLIC_NOT}/FontBBox[{box}]/ItalicAngle 0"
            f"/Ascent {font.ascent}/Descent {font.descent}/CapHeight {font.capital}/StemV 80"
            f"/FontFile2 {file} 0 R>>".encode(),
        )
        widths = " ".join(map(str, font.widths))
        canvas.put(
            self.font,
            f"<</Type/Font/Subtype/TrueType/BaseFont/{font.name}/Encoding/WinAnsiEncoding/FirstChar {FIRST}"
            f"/LastChar {LAST}/Widths[{widths}]/FontDescriptor {about} 0 R/ToUnicode {table} 0 R>>".encode(),
        )

    def write_symbols(self) -> None:
        """Write a font whose only symbol is our tick, so that a program that draws a tick draws this one."""
        canvas = self.canvas
        tick, table = canvas.new_number(), canvas.new_number()
        canvas.file.stream(tick, b"", f"1000 0 0 -200 1000 1000 d1 {_tick()} f".encode())
        canvas.file.stream(table, b"", characters(dict.fromkeys(_TICKS, "✓"), 2).encode())
        first, last = _TICKS
        canvas.put(
            self.symbols,
            f"<</Type/Font/Subtype/Type3/FontBBox[0 -200 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/Resources<<>>"
            f"/CharProcs<</tick {tick} 0 R>>/Encoding<</Type/Encoding/Differences[{first}/tick/tick]>>"
            f"/FirstChar {first}/LastChar {last}/Widths[1000 1000]/ToUnicode {table} 0 R>>".encode(),
        )


def _tick() -> str:
    """Return the outline of a tick in thousandths: two lines with round ends and a round corner, all anticlockwise."""
    points = [(across * 1000, (up - _RAISED) * 1000) for across, up in _TICK]
    half = _PEN * 500
    parts = []
    for (x1, y1), (x2, y2) in pairwise(points):
        across, up = half * (x2 - x1) / dist((x1, y1), (x2, y2)), half * (y2 - y1) / dist((x1, y1), (x2, y2))
        corners = [(x1 + up, y1 - across), (x2 + up, y2 - across), (x2 - up, y2 + across), (x1 - up, y1 + across)]
        parts += [f"{row(*corner)} {'l' if index else 'm'}" for index, corner in enumerate(corners)]
    for x, y in points:
        parts.append(f"{row(x + half, y)} m")
        for turn in range(4):
            (cos, sin), (further, rising) = _QUARTERS[turn], _QUARTERS[turn - 3]
            bent = half * _ROUND
            ends = (x + half * further, y + half * rising)
            first = (x + half * cos - bent * sin, y + half * sin + bent * cos)
            second = (ends[0] + bent * rising, ends[1] - bent * further)
            parts.append(f"{row(*first, *second, *ends)} c")
    return " ".join(parts)
