"""Make drawings that several documents share only once: as plates, which are put into each document.

A plate consists of operators and the forms that they use. All documents of a press share the tables of their fonts, so
that a glyph has the same code and meaning in each.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import NamedTuple

from grimalkin.printing.draw.canvas import PackedCanvas, Resource
from grimalkin.printing.draw.pdf import Drawer
from grimalkin.printing.draw.type import Types
from grimalkin.printing.face.layers import Face
from grimalkin.printing.face.paths import IDENTITY


class Plate(NamedTuple):
    """Operators, and the names of the forms in them."""

    code: str
    forms: tuple[str, ...] = ()


class Press:
    """A maker of plates."""

    def __init__(self) -> None:
        self.types = Types()
        self.bench = _Bench(self.types)
        self.drawer = Drawer(self.bench, name="p")

    def face(self, face: Face) -> Plate:
        """Return a face in its own millimetres, as part of the open element."""
        self.drawer.draw(face, IDENTITY, is_told=False)
        return self.plate()

    def plate(self) -> Plate:
        """Return everything drawn on the bench since the last plate."""
        return Plate(*self.bench.taken())


class Prints:
    """The plates of a press in one document, and the forms already there."""

    def __init__(self, press: Press, canvas: PackedCanvas) -> None:
        self.press, self.canvas = press, canvas
        self.there: set[str] = set()

    def put(self, plate: Plate) -> None:
        """Put a plate on the current page."""
        self._need(plate.forms)
        self.canvas.emit(plate.code, plate.forms)

    def _need(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.there:
                self.there.add(name)
                resource = self.press.bench.kept.get(name)
                if resource:
                    self._need(resource.used)
                    self.canvas.hold(resource)
                    continue
                box, code, inner, group = self.press.bench.forms[name]
                self._need(inner)
                self.canvas.put_form(name, box, code, inner, group)


class _Bench(PackedCanvas):
    """A canvas that writes no file, but keeps its drawings, and forms and resources by name."""

    def __init__(self, types: Types) -> None:
        super().__init__(io.BytesIO(), (1, 1), types)
        self.forms: dict[str, tuple[Iterable[float], str, tuple[str, ...], str]] = {}
        self.kept: dict[str, Resource] = {}

    def put_form(self, name: str, box: Iterable[float], code: str, used: Iterable[str], group: str = "") -> None:
        self.forms[name] = (box, code, tuple(dict.fromkeys(used)), group)

    def hold(self, resource: Resource) -> str:
        self.kept[resource.name] = resource
        return resource.name
