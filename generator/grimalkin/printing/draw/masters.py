"""Draw the layers of faces once for several documents.

A document numbers its fonts and forms in the order in which it meets them, and a glyph means what it first meant there.
So a master has marks in their places, and each document that copies it fills in its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

from grimalkin.printing.draw.canvas import PackedCanvas, Resource, XObjects
from grimalkin.printing.draw.elements import Elements, Stroke
from grimalkin.printing.draw.paint import START
from grimalkin.printing.face.layers import Face, Layer
from grimalkin.printing.face.svg.paths import IDENTITY, Box
from grimalkin.printing.face.svg.xml import Element

MARK = "\0"
"""A character before and after the number of a part. Operators contain no other."""
MOST_CODE = 12_000_000
"""The most characters of operators in memory; a part counts as a hundred. Each document draws further layers itself."""


class Run(NamedTuple):
    """A run of text."""

    text: str
    family: str
    size: str
    is_set: bool
    """Whether its font and size are already selected."""
    variant: str
    spread: float


@dataclass(frozen=True, eq=False, slots=True)
class Shape:
    """A form. Its key and its operators may contain marks."""

    key: tuple[object, ...]
    box: Box
    code: str


class Masters:
    """The layers of the faces of one design, each drawn when it is first needed.

    `others` are other drawings, which designs may share. `solid` is as in the colours of the documents.
    """

    def __init__(self, others: dict[object, str] | None = None, solid: str = "") -> None:
        self.stone = _Stone()
        self.elements = Elements(_Shapes(self.stone, ""))
        self.elements.solid = solid
        self.drawn: dict[Layer, tuple[list[Stroke] | None, Face | None]] = {}
        """The strokes of layers, and the face if they may differ on another; None for what documents must draw."""
        self.others: dict[object, str] = {} if others is None else others
        self.digests: dict[int, bytes] = {}
        """The digests of operators that are kept here, by the identity of their text."""
        self.room = MOST_CODE

    def once(self, key: object, draw: Callable[[], str]) -> str:
        """Return other operators, which depend only on a key."""
        code = self.others.get(key)
        if code is None:
            code = draw()
            if self.room > 0:
                self.others[key] = code
                self.room -= len(code)
        return code

    def part(self, number: str) -> Run | Shape:
        return self.stone.marked[int(number)]

    def strokes(
        self, face: Face, layer: Layer, symbols: Callable[[], Mapping[str, Element]]
    ) -> Sequence[Stroke] | None:
        """Return the strokes of a layer with marks; None if each document must draw it. `symbols` are the face's."""
        strokes, only = self.drawn.get(layer, (None, face))
        if strokes is None and layer not in self.drawn and self.room > 0 and not layer.pictures:
            marked, shapes = len(self.stone.marked), self.elements.xobjects.names
            known = len(shapes)
            self.stone.is_portable = True
            strokes = list(self.elements.walk(layer.element, START, symbols(), layer.boxes, IDENTITY))
            if not self.stone.is_portable:
                strokes = None
                while len(shapes) > known:  # not all is in them
                    shapes.popitem()
            only = None if stands_alone(layer) else face
            self.drawn[layer] = strokes, only
            self.digests.update((id(stroke.code), digest_of(stroke.code)) for stroke in strokes or ())
            self.room -= sum(len(one.code) for stroke in strokes or () for one in (stroke, *stroke.inside))
            self.room -= 100 * (1 + len(self.stone.marked) - marked)
        return strokes if only in (None, face) else None


def digest_of(code: str) -> bytes:
    return blake2b(code.encode(), digest_size=16).digest()


def stands_alone(layer: Layer) -> bool:
    """Return whether a layer looks the same on every face: the targets of a layer may differ, except icons."""
    alone = all(href[1:] in layer.targets or href.startswith("#icon-") for href in layer.uses)
    return alone and all(id_ in layer.defined for _, id_ in layer.links)


class _Stone(PackedCanvas):
    """A canvas that writes no file, but keeps the parts for which it puts marks."""

    def __init__(self) -> None:
        super().__init__((1, 1))
        self.marked: list[Run | Shape] = []
        self.is_portable = True
        """Whether nothing was drawn for which there are no marks: pictures, and the resources of paints."""

    def mark(self, part: Run | Shape) -> str:
        self.marked.append(part)
        return f"{MARK}{len(self.marked) - 1}{MARK}"

    def show(
        self, run: str, family: str, size: str, code: list[str], last: str, variant: str = "", spread: float = 0.0
    ) -> str:
        font = f"{family} {size}"
        code.append(self.mark(Run(run, family, size, font == last, variant, spread)))
        return font

    def hold(self, resource: Resource) -> str:
        self.is_portable = False
        return resource.name

    def hold_foreign(self, name: str, _objects: Sequence[tuple[str, bytes | None]]) -> str:
        self.is_portable = False
        return name

    def form_name(self, name: str) -> str:
        return name


class _Shapes(XObjects):
    """Forms as marks."""

    canvas: _Stone

    def form_name(self, key: Any, box: Box, code: str, used: Iterable[str], group: str = "") -> str:
        name = self.names.get(key)
        if name is None:
            name = self.names[key] = self.canvas.mark(Shape(key, box, code))
        return name
