"""Check the faces of an order against what a shop asks for: how far art must reach, and where words must stay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from grimalkin.content import Game
from grimalkin.printing.face import Composer
from grimalkin.printing.preflight.faces import BLEED_SLACK, Look, Specimen, check_safe_area
from grimalkin.printing.preflight.findings import Fault, Finding, faults
from grimalkin.printing.preflight.inspection import specimens


class Wish(NamedTuple):
    """What a shop asks of a piece, in millimetres from the cut of its stock."""

    shop: str
    safe: float
    """How far inside the cut words must stay."""
    lacking: float
    """How far the bleed of the stock ends before that of the shop."""


def check_order(game: Game, composer: Composer, wishes: Mapping[str, Wish]) -> list[Fault]:
    """Return what is wrong with the pieces of an order. `wishes` are by the id of their component."""
    wanted = [deck for deck in game.info.decks if any(row.id in wishes for row in game.components[deck.id])]
    made = (specimen for deck in wanted for specimen in specimens(game, composer, deck, {}, "full"))
    return faults(dict.fromkeys(_findings(made, wishes)))


def _findings(made: Iterable[Specimen], wishes: Mapping[str, Wish]) -> Iterator[Finding]:
    done: set[tuple[Look, Wish]] = set()
    stocks = set()
    for specimen in made:
        wish = wishes.get(specimen.component.id)
        if wish is None or (specimen.look, wish) in done:
            continue
        done.add((specimen.look, wish))
        yield from check_safe_area(specimen, wish.safe)
        stock = specimen.face.stock
        if wish.lacking > BLEED_SLACK and stock not in stocks:
            stocks.add(stock)
            needed = stock.bleed + wish.lacking
            message = f"the bleed of {stock.name} is {stock.bleed:g} mm, and {wish.shop} needs {needed:.2g} mm"
            remedy = "give the stock more bleed, and its art; until then, the edge of the art is stretched"
            yield Finding("bleed", specimen.name, specimen.row, message, remedy, is_warning=True)
