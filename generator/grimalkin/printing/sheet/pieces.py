"""Turn components into pieces to print, before any face is composed.

Imposition needs only sizes. Faces are composed when their sheet is drawn, and then dropped: a deck of thousands needs
only the memory for its fullest sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from grimalkin.content import Game
from grimalkin.content.models import Component, Deck
from grimalkin.content.stocks import Stock
from grimalkin.printing.face import Composer, Face
from grimalkin.source import short_digest

FacesOf = Callable[["Piece"], tuple[Face | None, Face | None]]
"""A function from a piece to its front and back, with None for a face that is missing or could not be composed."""


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
