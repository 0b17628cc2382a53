"""Turn components into pieces to print, and say where every piece lies on a sheet, before any face is composed.

Imposition needs only sizes. Faces are composed when their sheet is drawn, and then dropped: a deck of thousands needs
only the memory for its fullest sheet. Lengths are in millimetres from the page's upper left corner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from grimalkin.content import Game
from grimalkin.content.models import Component, Deck
from grimalkin.content.stocks import Paper, Stock
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.svg.paths import Matrix, point_through
from grimalkin.source import short_digest

FacesOf = Callable[["Piece"], tuple[Face | None, Face | None]]
"""A function from a piece to its front and back, with None for a face that is missing or could not be composed."""

EPSILON = 1e-6
MARKS = 3.5
"""How far marks reach from the bleed, if there is room."""
STRIP = 2.2
"""The room for a line of words on two opposite sides of a sheet."""
WORDS_EDGE = 3.0
"""The distance of words from the edge of the paper, whatever the margin: nearly every printer reaches them."""
Side = Literal["front", "back"]
Fold = tuple[Literal["vertical", "horizontal"], float]
Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, foot."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece to cut out."""

    id: str
    """The component's id."""
    deck: str
    stock: Stock = field(repr=False)
    two_sided: bool
    """Whether its back is printed on the back of the leaf. A piece that folds has its back on the front of the leaf."""


def pieces_of(
    game: Game, stocks: Mapping[str, Stock], only: Callable[[Component, Deck], bool] = lambda *_: True, copies: int = 1
) -> list[Piece]:
    """Return every piece of a game, or those that `only` accepts, `copies` times, in the order of its decks."""
    pieces: list[Piece] = []
    for deck in game.info.decks:
        for row in game.components[deck.id]:
            if only(row, deck):
                stock = stocks[row.stock or deck.stock or ""]
                two_sided = deck.faces.back is not None and stock.fold == "none"
                pieces += [Piece(row.id, deck.id, stock, two_sided)] * (game.copies(row) * copies)
    return pieces


def faces_by(game: Game, composer: Composer) -> FacesOf:
    """Return a function that composes the faces of a piece when called."""
    decks = {deck.id: deck for deck in game.info.decks}

    def faces(piece: Piece) -> tuple[Face | None, Face | None]:
        return composer.faces(decks[piece.deck], game.by_id[piece.id])

    return faces


def all_faces(game: Game, composer: Composer) -> dict[str, Face]:
    """Return every face of a game by its id ("penny-front"), in the order of its decks, except faces with problems."""
    faces: dict[str, Face] = {}
    for deck in game.info.decks:
        for row in game.components[deck.id]:
            faces.update({face.id: face for face in composer.faces(deck, row) if face})
    return faces


def faces_among(faces: Mapping[str, Face]) -> FacesOf:
    """Return a function that finds the faces of a piece among composed faces."""
    return lambda piece: (faces.get(f"{piece.id}-front"), faces.get(f"{piece.id}-back"))


def piece_fingerprint(front: Face | None, back: Face | None) -> str:
    """Return six characters that change with the appearance of either side; the front's own if there is no back."""
    if front is None or back is None:
        return front.fingerprint if front else ""
    return short_digest(f"{front.fingerprint}{back.fingerprint}".encode())


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
    """The bleed that is shown on the left, above, on the right and below, as seen on the page."""
    window: Box | None = None
    """The part of the page on which a tiled piece is shown."""
    is_mirrored: bool = False
    """Whether the piece is mirrored in its place, to be transferred to something else."""
    cell: tuple[Point, ...] | None = None
    """The corners of a nested hexagon with its bleed, which ends where its neighbours' begins."""

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


def corners_of(slot: Slot) -> tuple[Point, ...]:
    """Return the corners of the trim on the page, clockwise; for a circle, those of the square around it."""
    stock = slot.piece.stock
    if stock.shape != "hexagon":
        left, top, right, foot = slot.trim
        return ((left, top), (right, top), (right, foot), (left, foot))
    matrix = face_matrix(slot)
    return tuple(point_through(matrix, *point) for point in stock.corners)


def face_matrix(slot: Slot) -> Matrix:
    """Return the matrix from a piece's millimetres to the page's, y downwards: X = au + cv + e, Y = bu + dv + f."""
    if not slot.turn:
        return 1.0, 0.0, 0.0, 1.0, slot.x, slot.y
    w, h = slot.piece.stock.piece
    return {
        90: (0.0, -1.0, 1.0, 0.0, slot.x, slot.y + w),
        180: (-1.0, 0.0, 0.0, -1.0, slot.x + w, slot.y + h),
        270: (0.0, 1.0, -1.0, 0.0, slot.x + h, slot.y),
    }[slot.turn]


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
    labels: str | None = None
    """The name of the labels that it is printed on."""
    block: Box | None = None
    """The area of all labels, used or not."""
    is_precut: bool = False
    """Whether every piece fills its label, so that nothing is left to cut."""

    @property
    def decks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(slot.piece.deck for slot in self.slots))


def mirrored(slot: Slot, axis: str, paper: Paper) -> Slot:
    """Return the back of a slot, placed to meet its front when the page is turned over a vertical line (the long edge
    of an upright page) or a horizontal one. A card turned like the page of a book then reads upright."""
    left, top, right, foot = slot.room
    window, cell = slot.window, slot.cell
    if axis == "vertical":
        x, y, turn, room = paper.width - slot.x - slot.width, slot.y, -slot.turn % 360, (right, top, left, foot)
        window = window and (paper.width - window[2], window[1], paper.width - window[0], window[3])
        cell = cell and tuple((paper.width - px, py) for px, py in cell)
    else:
        x, y, turn = slot.x, paper.height - slot.y - slot.height, (180 - slot.turn) % 360
        room = (left, foot, right, top)
        window = window and (window[0], paper.height - window[3], window[2], paper.height - window[1])
        cell = cell and tuple((px, paper.height - py) for px, py in cell)
    return Slot(slot.piece, "back", x, y, turn, room, window, slot.is_mirrored, cell)
