"""Turn a Game into designs: every row of its decks with both faces and the number of copies in the box."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from grimalkin.content import Game
from grimalkin.content.models import Component, Deck
from grimalkin.content.stocks import Stock
from grimalkin.printing.draw.stocks import composer_of
from grimalkin.printing.face import Composer, Face
from grimalkin.problems import Problems

Done = Callable[[int], None]
"""A function to call with the number of further pieces of a long job that are done."""


@dataclass(frozen=True, slots=True)
class Design:
    """One row of a deck, with its stock and faces."""

    row: Component
    deck: Deck
    stock: Stock
    front: Face
    back: Face | None

    @property
    def faces(self) -> tuple[Face, ...]:
        return (self.front, self.back) if self.back else (self.front,)


def designs_of(game: Game, only: Sequence[str], problems: Problems, composer: Composer | None = None) -> list[Design]:
    """Return all designs of a game, or only those of the named components, in the order of its decks."""
    composer = composer or composer_of(game, problems)
    wanted = frozenset(only)
    designs = []
    for deck in game.info.decks:
        for row in game.components[deck.id]:
            if only and row.id not in wanted:
                continue
            stock = composer.stocks[row.stock or deck.stock or ""]
            front, back = composer.faces(deck, row)
            if front:
                designs.append(Design(row, deck, stock, front, back))
    if not designs and not problems:
        place = game.own_place
        problems.add(place, "there is nothing to export", "a deck needs at least one row")
    return designs


def faces_of(designs: Iterable[Design]) -> list[Face]:
    """Return the faces of designs, fronts and backs in turn."""
    return [face for design in designs for face in design.faces]


def by_deck(designs: Iterable[Design]) -> dict[str, list[Design]]:
    """Return the designs of each deck, in order."""
    decks: dict[str, list[Design]] = {}
    for design in designs:
        decks.setdefault(design.deck.id, []).append(design)
    return decks


def look(face: Face | None) -> object:
    """Return a key that is equal for faces that look the same."""
    return face and (face.stock, tuple(layer.look for layer in face.layers))


def one_back(designs: Sequence[Design]) -> bool:
    """Return whether the backs of all designs look the same."""
    return len({look(design.back) for design in designs}) == 1
