"""A rendered template and the Face made of it in, its text boxes out: the room each was given, and the size it came to.

Composing replaces a <textbox> by a group at the same place in the tree, so the two trees are walked side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lxml import etree

from grimalkin.content import Game
from grimalkin.content.models import Component, Deck
from grimalkin.content.stocks import Stock
from grimalkin.face import Composer, Face, Inks
from grimalkin.face.fit import POINT
from grimalkin.face.sandbox import Sandbox
from grimalkin.face.subset import SVG
from grimalkin.face.xml import PARSER, Element
from grimalkin.problems import Problems

_NOT_DRAWN_HERE = {f"{{{SVG}}}{tag}" for tag in ("defs", "symbol", "clipPath")}


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
    """What the text came to; None when there is none."""


class BoxComposer(Composer):
    """A Composer that also tells the text boxes of the faces it makes."""

    def __init__(self, game: Game, stocks: Mapping[str, Stock], problems: Problems, inks: Inks) -> None:
        super().__init__(game, stocks, problems, inks)
        self.sandbox = self.noted = self.new_sandbox(_Noting)
        self.boxes: dict[object, tuple[Box, ...]] = {}
        """By the layers of a face: templates that never look at their card are rendered once, and share them."""

    def boxes_of(self, face: Face) -> tuple[Box, ...]:
        return self.boxes.get(face.layers, ())

    def faces(self, deck: Deck, component: Component) -> tuple[Face | None, Face | None]:
        self.noted.texts.clear()
        both = super().faces(deck, component)
        for face in both:
            text = self.noted.texts.get(face.id.rpartition("-")[2]) if face is not None else None
            if face is not None and text is not None:
                self.boxes[face.layers] = tuple(text_boxes(text, face.root))
        return both


class _Noting(Sandbox):
    """A sandbox that keeps what it rendered last, by the side it was for."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.texts: dict[str, str] = {}

    def render(self, name: str, context: dict[str, Any]) -> str:
        text = super().render(name, context)
        self.texts[context.get("side", "")] = text
        return text


def text_boxes(rendered: str, resolved: Element) -> Iterator[Box]:
    """The text boxes of a template as it was rendered, with the sizes they have in the face made of it.

    Boxes within a symbol are left out: they have no one place.
    """
    root = etree.fromstring(rendered.encode(), PARSER)
    ours = 0 if _has_icons(root) or not _has_icons(resolved) else 1  # composing puts the icons first
    for box in root.iter(f"{{{SVG}}}textbox"):
        above = list(box.iterancestors())
        if any(element.tag in _NOT_DRAWN_HERE for element in above):
            continue
        number = {key: float(box.get(key, default)) for key, default in _DEFAULTS.items()}
        path = [element.getparent().index(element) for element in (box, *above[:-1])][::-1]
        path[0] += ours
        yield Box(
            box.get("name") or "text box",
            number["x"],
            number["y"],
            number["width"],
            number["height"],
            " ".join(element.get("transform", "") for element in reversed(above)).strip(),
            number["size"],
            number["floor"] or min(number["size"], 6.5),
            _size_at(resolved, path),
        )


_DEFAULTS = {"x": "0", "y": "0", "width": "0", "height": "0", "size": "8", "floor": "0"}


def _has_icons(root: Element) -> bool:
    return len(root) > 0 and any((symbol.get("id") or "").startswith("icon-") for symbol in root[0])


def _size_at(root: Element, path: list[int]) -> float | None:
    """The type size of the text that stands at a place of the tree, in points."""
    element = root
    for index in path:
        if index >= len(element):
            return None
        element = element[index]
    sizes = [float(text.get("font-size", 0)) for text in element.iter(f"{{{SVG}}}text")]
    sizes += [float(icon.get("height", 0)) for icon in element.iter(f"{{{SVG}}}use")]
    return round(max(sizes) / POINT, 2) if sizes else None
