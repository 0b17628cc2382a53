"""Make dividers for the decks of a game: cards with a tab, taller than the cards that they stand between.

Their tabs are staggered: left, middle, right. Lengths are in millimetres.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Final, Literal

from grimalkin.content.models import Deck
from grimalkin.content.stocks import Paper, Stock, Tab
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.svg.colours import PAPER, contrast
from grimalkin.printing.face.svg.subset import INK
from grimalkin.printing.sheet.document import sheet_pdf
from grimalkin.printing.sheet.impose import impose
from grimalkin.printing.sheet.pieces import Piece, Sheet
from grimalkin.printing.sheet.settings import Edition, Settings
from grimalkin.printing.sheet.tuck_box import SLEEVE, ground_for, on_panel, with_art
from grimalkin.problems import Place, Problems
from grimalkin.problems.plain import plural

ID: Final = "divider"
POSITIONS: Final[tuple[Literal["left", "middle", "right"], ...]] = ("left", "middle", "right")
BLEED: Final = 3.0
CORNER: Final = 3.0
SHARE: Final = 0.4
"""The width of a tab, as a share of the divider: a little more than a third, so that names have room."""

NARROWEST: Final = 44.0
"""The least width of a divider: the name on a narrower tab could not be read."""


@dataclass(frozen=True)
class Divider:
    """A divider of one deck, with its faces."""

    deck: Deck
    front: Face
    back: Face | None
    """None for a divider that is printed on one side."""

    def piece(self) -> Piece:
        return Piece(f"{ID}-{self.deck.id}", ID, self.front.stock, self.back is not None)


def stock_of(card: Stock, at: Literal["left", "middle", "right"], tab: float, is_sleeved: bool) -> Stock:
    """Return the divider for cards of a stock, with a tab of this height; that for small pieces is wider than these."""
    wide, tall = SLEEVE if is_sleeved else (0.0, 0.0)
    width, height = round(max(card.width + wide, NARROWEST), 4), round(card.height + tall + tab, 4)
    corner = min(CORNER, tab / 2, width * SHARE / 2)
    return Stock(
        name="Divider",
        shape="divider",
        width=width,
        height=height,
        corner=corner,
        bleed=BLEED,
        safe=min(2.0, width / 6),
        tab=Tab(at=at, width=round(width * SHARE, 4), height=tab),
    )


def dividers(
    composer: Composer, decks: Sequence[Deck], cards: Mapping[str, Stock], tab: float, is_sleeved: bool, both: bool
) -> list[Divider]:
    """Make a divider for each deck; `cards` has the largest card of each by its id, and `both` asks for backs.

    If a face is at fault, the composer has problems, and its divider is left out.
    """
    made = []
    for deck, at in zip(decks, cycle(POSITIONS), strict=False):
        stock = stock_of(cards[deck.id], at, tab, is_sleeved)
        front = _face(composer, deck, stock, "front")
        back = _face(composer, deck, stock, "back") if both and front else None
        if front and (back or not both):
            made.append(Divider(deck, front, back))
    return made


def _face(composer: Composer, deck: Deck, stock: Stock, side: str) -> Face | None:
    """Compose one side: the name of the deck on the tab, and the art of its cards below it."""
    rows = [row for row in composer.game.components[deck.id] if composer.game.copies(row)]
    card_front, card_back = composer.faces(deck, rows[0])
    art = card_back or card_front
    if art is None or stock.tab is None:
        return None
    ground = ground_for(composer, art)
    told = max((PAPER, INK), key=lambda ink: contrast(ink, ground))
    left = stock.tab_left if side == "front" else stock.width - stock.tab_left - stock.tab.width
    tab = {"x": left, "y": 0.0, "width": stock.tab.width, "height": stock.tab.height}
    panel = {"x": 0.0, "y": stock.tab.height, "width": stock.width, "height": stock.height - stock.tab.height}
    count = sum(composer.game.copies(row) for row in rows)
    noun = "card" if deck.kind == "card" else "piece"
    words = {"label": deck.name, "says": plural(count, noun), "tab": tab, "panel": panel}
    more = {"ground": ground, "words_ink": told, **words}
    name = f"Divider, {deck.name}"
    template = ID if composer.has_template(ID) else f"extras/{ID}"
    face = composer.compose(template, f"{ID}-{deck.id}-{side}", name, None, stock, {}, **more)
    if face is None:
        return None
    arts = {"art-panel": (art, on_panel(art, panel))}
    return replace(face, content=tuple(layer for one in face.content for layer in with_art(one, arts)))


def divider_sheets(
    made: Sequence[Divider], paper: Paper, settings: Settings, place: Place, problems: Problems
) -> list[Sheet]:
    """Return the sheets of dividers. One that does not fit is a problem at `place`."""
    return impose([one.piece() for one in made], paper, settings, place, problems)


def dividers_pdf(
    composer: Composer, made: Sequence[Divider], sheets: Sequence[Sheet], paper: Paper, settings: Settings
) -> bytes:
    """Return the sheets of dividers as a PDF."""
    faces = {one.piece().id: (one.front, one.back) for one in made}
    return sheet_pdf(
        composer.game,
        sheets,
        paper,
        settings,
        lambda piece: faces[piece.id],
        Edition.of(composer.game),
        what="dividers",
        names={ID: "Dividers"},
    )
