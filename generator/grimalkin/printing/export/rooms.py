"""Turn designs into a room of PlayingCards.io: a file that holds every piece in a pile of its kind, and all pictures.

VirtualTabletop.io reads the same file. There is no published description of the format by its makers; its sources are
in decision record 43.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from PIL import Image

from grimalkin.printing.export.designs import Design, Done, Wanted, by_deck, look, pictures
from grimalkin.printing.export.tabletop import is_card, name_of, piles
from grimalkin.printing.face import Face
from grimalkin.problems import Place, Problems
from grimalkin.problems.plain import how_many

SCHEMA = b"8"
"""The version of the format."""
WIDE = 1600
"""The width of the table in its pixels."""
HAND = 820
"""Where the players' hands begin, in pixels from the upper edge."""
SCALE = 103 / 63
"""Pixels in a millimetre: a card of 63 mm is as wide as the program makes its own."""
SINGLY = 1.0
LEAST = 0.3
"""The least numbers of pixels in a millimetre: with a pile for each design, and at all, so that pieces are legible."""
MARGIN = 4
"""Pixels between a card and the edge of its holder."""
LABEL, BUTTON, BESIDE = 40, 36, 24
"""Pixels above a holder, where its label is, below it, where its button is, and beside it."""
ASSETS = "userassets/"

Widget = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Pile:
    """Designs of one size that lie on one pile."""

    name: str
    designs: tuple[Design, ...]

    @property
    def size(self) -> tuple[float, float]:
        stock = self.designs[0].stock
        return stock.width, stock.height

    @property
    def is_shuffled(self) -> bool:
        return is_card(self.designs[0])

    @property
    def is_round(self) -> bool:
        """Return whether these are cards with round corners."""
        return self.is_shuffled and bool(self.designs[0].stock.corner)


class Room:
    """The piles of a room, and where they lie."""

    def __init__(self, designs: Sequence[Design]) -> None:
        """Put pieces other than cards on a pile for each design or, if these would be too small, for each stock."""
        self.piles = list(_piles(designs, singly=True))
        self.scale, self.places = arrange([pile.size for pile in self.piles])
        if self.scale < SINGLY:
            self.piles = list(_piles(designs, singly=False))
            self.scale, self.places = arrange([pile.size for pile in self.piles])
        self.pieces = sum(design.row.count for design in designs)

    def check(self, place: Place, problems: Problems) -> None:
        if self.piles and not self.places:
            told = f"the table of PlayingCards.io has no room for {how_many(len(self.piles), 'pile')}"
            problems.add(place, told, "export some of them with --only")

    def widgets(self, names: dict[object, str]) -> list[Widget]:
        """Return the contents of the room. `names` are those of the pictures, by the looks of their faces."""
        found: list[Widget] = [{"id": "hand", "type": "hand", "x": 50, "y": HAND, "z": 1}]
        for number, (pile, (x, y)) in enumerate(zip(self.piles, self.places, strict=True), 1):
            width, height = (round(side * self.scale) for side in pile.size)
            holder, deck = f"holder{number}", f"deck{number}"
            inside = {"parent": holder, "x": x + MARGIN, "y": y + MARGIN}
            sides = {side: _template(side, width, height, pile.is_round) for side in ("face", "back")}
            # Cards are on white paper there; pieces are as transparent as their pictures.
            kind, of_pieces = ("card", {}) if pile.is_shuffled else ("piece", {"collectionType": "pieces"})
            found.append({
                "id": holder, "type": "holder", "x": x, "y": y, "z": len(found) + 1, "label": pile.name,
                "width": width + 2 * MARGIN, "height": height + 2 * MARGIN, "hasShuffleButton": pile.is_shuffled,
            })  # fmt: skip
            found.append({
                "id": deck, "type": "cardDeck", **inside, "z": len(found) + 1, "collectionName": pile.name,
                "cardWidth": width, "cardHeight": height, "enlarge": True, **of_pieces,
                "cardTypes": {
                    design.row.id: {
                        "label": design.row.name,
                        "face": _address(names[look(design.front)]),
                        "back": _address(names[look(design.back) if design.back else design.stock]),
                    }
                    for design in pile.designs
                },
                "faceTemplate": sides["face"], "backTemplate": sides["back"],
            })  # fmt: skip
            for design in pile.designs:
                for _ in range(design.row.count):
                    found.append({
                        "id": f"{kind}{len(found) + 1}", "type": kind, **inside, "z": len(found) + 1, "deck": deck,
                        "cardType": design.row.id, "faceup": not pile.is_shuffled,
                    })  # fmt: skip
        return found


def _piles(designs: Sequence[Design], singly: bool) -> Iterator[_Pile]:
    together = piles(designs)
    for deck, members in by_deck(designs).items():
        for cards in together.get(deck, ()):
            yield _Pile(name_of(cards), tuple(cards))
        others = [design for design in members if not is_card(design)]
        if singly:
            yield from (_Pile(design.row.name, (design,)) for design in others)
            continue
        for stock in dict.fromkeys(design.stock for design in others):
            some = tuple(design for design in others if design.stock == stock)
            yield _Pile(some[0].deck.name, some)


def arrange(sizes: Sequence[tuple[float, float]]) -> tuple[float, list[tuple[int, int]]]:
    """Return the largest scale at which piles of these sizes in millimetres fit on the table, and where they lie.

    They lie in rows, in their order. The scale is 0 if they do not fit at all.
    """
    scale = SCALE
    while scale >= LEAST:
        places = _rows([(round(width * scale), round(height * scale)) for width, height in sizes])
        if places is not None:
            return scale, places
        scale *= 0.95
    return 0.0, []


def _rows(sizes: Sequence[tuple[int, int]]) -> list[tuple[int, int]] | None:
    """Return the places of piles of these sizes in pixels; None if they do not fit."""
    x, y, tall = BESIDE, LABEL, 0
    places = []
    for width, height in ((width + 2 * MARGIN, height + 2 * MARGIN) for width, height in sizes):
        if x > BESIDE and x + width > WIDE - BESIDE:
            x, y, tall = BESIDE, y + tall + BUTTON + LABEL, 0
        if x + width > WIDE - BESIDE or y + height > HAND - BUTTON:
            return None
        places.append((x, y))
        x, tall = x + width + BESIDE, max(tall, height)
    return places


def pcio(room: Room, dpi: int, jobs: int, done: Done) -> dict[str, bytes]:
    """Return the files of a room by their names. Faces that look the same have one picture."""
    wanted: dict[object, Wanted] = {}
    for pile in room.piles:
        for face in (face for design in pile.designs for face in design.faces):
            wanted.setdefault(look(face), _wanted(face))
    names = {key: one.name for key, one in wanted.items()}
    files = dict(pictures(list(wanted.values()), dpi, False, False, jobs, done))
    bare = dict.fromkeys(design.stock for pile in room.piles for design in pile.designs if not design.back)
    for number, stock in enumerate(bare, 1):
        names[stock] = f"{ASSETS}blank-{number}.png"
        front = next(one.name for one in wanted.values() if one.face.stock == stock)
        files[names[stock]] = _blank(files[front])
    told = json.dumps(room.widgets(names), ensure_ascii=False, separators=(",", ":"))
    return files | {"schemaVersion": SCHEMA, "widgets.json": told.encode()}


def _wanted(face: Face) -> Wanted:
    return Wanted(f"{ASSETS}{face.id}.png", face)


def _blank(picture: bytes) -> bytes:
    """Return a white picture that is cut like another."""
    written = io.BytesIO()
    with Image.open(io.BytesIO(picture)) as image:
        white = Image.new("RGBA", image.size, "white")
        white.putalpha(image.convert("RGBA").getchannel("A"))
    white.save(written, "PNG")
    return written.getvalue()


def _address(name: str) -> str:
    return f"package://{name}"


def _template(side: str, width: int, height: int, is_round: bool) -> Widget:
    """Return the template of a side, which is nothing but the picture of the piece, cut to its outline."""
    shown = {"type": "image", "x": 0, "y": 0, "w": width, "h": height, "color": "transparent"}
    return {
        "includeBorder": "none",
        "includeRadius": is_round,
        "objects": [shown | {"valueType": "dynamic", "value": side}],
    }
