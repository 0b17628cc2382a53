"""Find the text boxes of a face: the room in each, and the type size that fitted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grimalkin.printing.face import Face
from grimalkin.printing.face.svg.paths import length_of
from grimalkin.printing.face.svg.subset import HIDDEN, SVG
from grimalkin.printing.face.svg.xml import Element
from grimalkin.printing.face.textboxes import box_numbers
from grimalkin.printing.type.fit import POINT

_NOT_DRAWN_HERE = {f"{{{SVG}}}{tag}" for tag in HIDDEN}


@dataclass(frozen=True, slots=True)
class Box:
    """A text box. Millimetres within `transform`, the transforms of all groups around it; sizes in points."""

    name: str
    x: float
    y: float
    width: float
    height: float
    transform: str
    asked: float
    floor: float
    size: float | None
    """Type size of the text; None if there is no text."""


def text_boxes(face: Face) -> Iterator[Box]:
    """Yield the text boxes of a face, except those in symbols, which have no single place."""
    for group, written in (pair for layer in face.layers for pair in layer.boxes.items()):
        above = list(group.iterancestors())
        if any(element.tag in _NOT_DRAWN_HERE for element in above):
            continue
        number = box_numbers(written)
        yield Box(
            written.get("name") or "text box",
            number["x"],
            number["y"],
            number["width"],
            number["height"],
            " ".join(element.get("transform", "") for element in reversed(above)).strip(),
            number["size"],
            number["floor"],
            _size_in(group),
        )


def _size_in(group: Element) -> float | None:
    """Return the type size of the text in a group, in points."""
    sizes = [length_of(text, "font-size") for text in group.iter(f"{{{SVG}}}text")]
    sizes += [length_of(icon, "height") for icon in group.iter(f"{{{SVG}}}use")]
    return round(max(sizes) / POINT, 2) if sizes else None
