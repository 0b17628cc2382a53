"""Sheets, and the slots on them: where every piece lies, in millimetres from the page's upper left corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from grimalkin.content.stocks import Paper
from grimalkin.printing.sheet.pieces import Piece

EPSILON = 1e-6
MARKS = 3.5
"""How far marks reach from the bleed, if there is room."""
STRIP = 2.2
"""The room for a line of words on two opposite sides of a sheet."""
WORDS_EDGE = 3.0
"""The distance of words from the edge of the paper, whatever the margin: nearly every printer reaches them."""
Side = Literal["front", "back"]
Fold = tuple[Literal["vertical", "horizontal"], float]
Box = tuple[float, float, float, float]
"""Left, top, right, foot."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A piece on a page."""

    piece: Piece
    side: Side
    x: float
    y: float
    """The upper left corner of the trim, after the turn."""
    turn: int = 0
    """0, 90, 180 or 270 degrees counter-clockwise."""
    room: Box = (0, 0, 0, 0)
    """The bleed that is shown on the left, above, on the right and below, in directions of the page."""
    window: Box | None = None
    """The part of the page on which a tiled piece is shown."""

    @property
    def width(self) -> float:
        return self.piece.stock.piece[1 if self.turn % 180 else 0]

    @property
    def height(self) -> float:
        return self.piece.stock.piece[0 if self.turn % 180 else 1]

    @property
    def trim(self) -> Box:
        return (self.x, self.y, self.x + self.width, self.y + self.height)

    @property
    def bleed(self) -> Box:
        """The trim with the bleed that is shown."""
        left, top, right, foot = self.room
        return (self.x - left, self.y - top, self.x + self.width + right, self.y + self.height + foot)


class Tile(NamedTuple):
    """The part of a tiled piece on a sheet, counted from 1."""

    column: int
    row: int
    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """One side of a leaf. A back sheet without slots is the blank back of a one-sided leaf."""

    leaf: int
    side: Side
    slots: tuple[Slot, ...]
    fold: Fold | None = None
    """The line along which the sheet is folded, so that fronts and backs on it meet."""
    leaves: tuple[int, ...] = ()
    """The leaves on whose backs it is printed, if one back page serves several."""
    template: str | None = None
    """The frozen template of a cutting machine that the sheet follows."""
    tile: Tile | None = None

    @property
    def decks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(slot.piece.deck for slot in self.slots))


def mirrored(slot: Slot, axis: str, paper: Paper) -> Slot:
    """Return the back of a slot, placed to meet its front when the page is turned over a vertical line (the long edge
    of an upright page) or a horizontal one. A card turned like the page of a book then reads upright."""
    left, top, right, foot = slot.room
    window = slot.window
    if axis == "vertical":
        x, y, turn, room = paper.width - slot.x - slot.width, slot.y, -slot.turn % 360, (right, top, left, foot)
        window = window and (paper.width - window[2], window[1], paper.width - window[0], window[3])
    else:
        x, y, turn = slot.x, paper.height - slot.y - slot.height, (180 - slot.turn) % 360
        room = (left, foot, right, top)
        window = window and (window[0], paper.height - window[3], window[2], paper.height - window[1])
    return Slot(slot.piece, "back", x, y, turn, room, window)
