"""The pictures of a book: their sizes, which are the same in all inks, and their drawings, which are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from grimalkin.engine.replay import Trace
from grimalkin.printing.draw.pdf import Plate, Press
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.plans import Detail, plan_face, told_of
from grimalkin.printing.face.quick_card import quick_pages
from grimalkin.printing.face.views import table_face, table_stock

WORDS = {"plan-alt": "Map {name}, squares {a} to {b}.", "plan-on": "{who} on {square}"}
"""Words that describe a part of a map."""


Span = tuple[str, float, float]
"""The target of a link, and its left and right edge in millimetres."""


@dataclass(frozen=True, eq=False)
class Art:
    """A picture that can be drawn in the inks of any book. Width and height are in millimetres at full size."""

    width: float
    height: float
    name: str
    alt: str
    make: Callable[[Looks], Face]


@dataclass
class Looks:
    """The appearance of a game in certain inks: the composer of its pictures, and the faces of its pieces."""

    composer: Composer
    faces: Mapping[str, Face]
    made: dict[Art, Face] = field(default_factory=dict)
    press: Press = field(default_factory=Press)
    """The press for the parts that all documents in these inks share."""
    plates: dict[Art, Plate] = field(default_factory=dict)
    """The plates of pictures."""
    lines: dict[object, tuple[Plate, Sequence[Span]]] = field(default_factory=dict)
    """The plates of lines of text at their positions on the page, each with its links."""

    @cached_property
    def quick(self) -> list[Face]:
        """Return the pages of the quick reference."""
        return quick_pages(self.composer)

    def face(self, art: Art) -> Face:
        """Return a picture in these inks, composed on demand. A fault in its template stops the command."""
        if art not in self.made:
            self.made[art] = art.make(self)
        return self.made[art]

    def plate(self, art: Art) -> Plate:
        """Return the plate of a picture in these inks, drawn on demand."""
        if art not in self.plates:
            self.plates[art] = self.press.face(self.face(art))
        return self.plates[art]


def piece_art(face: Face) -> Art:
    """Return the printed face of a piece as a picture."""
    alt = f"{face.name}: {face.alt}" if face.alt != face.name else face.name
    return Art(face.stock.width, face.stock.height, face.name, alt, lambda looks: looks.faces[face.id])


def table_art(composer: Composer, position: Mapping[str, Any], alt: str, seats: Sequence[str] = ()) -> Art:
    """Return a picture of the table in a position, with some or all of its seats."""
    stock = table_stock(composer.game, position, seats)
    return Art(stock.width, stock.height, alt, alt, lambda looks: table_face(looks.composer, position, alt, seats))


def plan_art(looks: Looks, shown: Detail) -> Art:
    """Return a picture of a part of a map, with the figures on it."""
    alt = told_of(shown, WORDS)
    face = plan_face(looks.composer, *shown, alt)
    size = face.stock.width, face.stock.height
    return Art(*size, shown.map.name, alt, lambda looks: plan_face(looks.composer, *shown, alt))


Traces = Mapping[str, Trace]
