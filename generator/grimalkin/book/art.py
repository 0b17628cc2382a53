"""Pictures of a book: how large each is, which is the same in all inks, and how it is drawn, which is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from grimalkin.draw.press import Plate, Press
from grimalkin.engine.replay import Trace
from grimalkin.face import Composer, Face
from grimalkin.face.plan_face import plan_face
from grimalkin.face.plans import Detail, told_of
from grimalkin.face.quick_card import quick_pages
from grimalkin.face.views import table_face, table_stock

WORDS = {"plan-alt": "Map {name}, squares {a} to {b}.", "plan-on": "{who} on {square}"}
"""How a part of a map is told."""


Span = tuple[str, float, float]
"""Where a link leads, and its left and right edge in millimetres."""


@dataclass(frozen=True, eq=False)
class Art:
    """A picture that is drawn in whatever inks a book is printed. Width and height are millimetres at full size."""

    width: float
    height: float
    name: str
    alt: str
    make: Callable[[Looks], Face]


@dataclass
class Looks:
    """How a game looks in some inks: what composes its pictures, and the faces of its pieces."""

    composer: Composer
    faces: Mapping[str, Face]
    made: dict[Art, Face] = field(default_factory=dict)
    press: Press = field(default_factory=Press)
    """Draws for all documents in these inks what they show alike:"""
    plates: dict[Art, Plate] = field(default_factory=dict)
    """pictures,"""
    lines: dict[object, tuple[Plate, Sequence[Span]]] = field(default_factory=dict)
    """and lines of words where they stand on their pages, with the links in them."""

    @cached_property
    def quick(self) -> list[Face]:
        """The pages of the quick reference."""
        return quick_pages(self.composer)

    def face(self, art: Art) -> Face:
        """A picture in these inks, composed when it is asked for. A fault of its template stops the command."""
        if art not in self.made:
            self.made[art] = art.make(self)
        return self.made[art]

    def plate(self, art: Art) -> Plate:
        """A picture in these inks, drawn when it is asked for."""
        if art not in self.plates:
            self.plates[art] = self.press.face(self.face(art))
        return self.plates[art]


def piece_art(face: Face) -> Art:
    """The real face of a piece."""
    alt = f"{face.name}: {face.alt}" if face.alt != face.name else face.name
    return Art(face.stock.width, face.stock.height, face.name, alt, lambda looks: looks.faces[face.id])


def table_art(composer: Composer, position: Mapping[str, Any], alt: str, seats: Sequence[str] = ()) -> Art:
    """The table in a position, with some of its seats or all."""
    stock = table_stock(composer.game, position, seats)
    return Art(stock.width, stock.height, alt, alt, lambda looks: table_face(looks.composer, position, alt, seats))


def plan_art(looks: Looks, shown: Detail) -> Art:
    """A part of a map, with who stands there."""
    alt = told_of(shown, WORDS)
    face = plan_face(looks.composer, *shown, alt)
    size = face.stock.width, face.stock.height
    return Art(*size, shown.map.name, alt, lambda looks: plan_face(looks.composer, *shown, alt))


Traces = Mapping[str, Trace]
