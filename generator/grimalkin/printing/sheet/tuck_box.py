"""Draw the tuck box of a deck on a page, to print on card, cut, crease and glue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from grimalkin.content.models import Deck
from grimalkin.content.stocks import Paper, Stock
from grimalkin.printing.draw.raster import ground_of
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.colours import PAPER, READABLE, contrast
from grimalkin.printing.face.tuck_box import ID, SLEEVE, Cards, TuckBox, box_face, box_for
from grimalkin.printing.sheet.cover import facts_of
from grimalkin.printing.sheet.document import sheet_pdf
from grimalkin.printing.sheet.impose import impose
from grimalkin.printing.sheet.pieces import Piece, Sheet
from grimalkin.printing.sheet.settings import Edition, Settings
from grimalkin.problems import Place, Problems, Stop
from grimalkin.problems.plain import plural

if TYPE_CHECKING:
    from grimalkin.content.cutters import CutterTemplate, Machine


@dataclass(frozen=True)
class Contents:
    """The contents of a box."""

    decks: Sequence[Deck]
    stock: Stock
    """Size of the largest card."""
    count: int
    thickness: float
    """Thickness of one card, in millimetres."""
    is_sleeved: bool = False

    @property
    def cards(self) -> Cards:
        more = SLEEVE if self.is_sleeved else (0.0, 0.0)
        return Cards(self.stock.width + more[0], self.stock.height + more[1], self.count * self.thickness)

    @property
    def words(self) -> str:
        noun = "card" if all(deck.kind == "card" for deck in self.decks) else "piece"
        return f"{plural(self.count, noun)}{' in sleeves' if self.is_sleeved else ''}"


@dataclass(frozen=True)
class Boxed:
    """A box and its printed face."""

    contents: Contents
    box: TuckBox
    face: Face

    def pieces(self) -> list[Piece]:
        return [Piece(ID, ID, self.face.stock, False)]


def boxed(composer: Composer, contents: Contents, front: Face | None = None) -> Boxed | None:
    """Make the box for a game's cards, with `front` on its front, or else the back of the cards and the title.

    Return None, with problems in the composer, if a face is at fault.
    """
    rows = [(deck, row) for deck in contents.decks for row in composer.game.components[deck.id]]
    rows = [rows[at] for at in dict.fromkeys(len(rows) * sixth // 6 for sixth in (3, 1, 5))]
    sides = [composer.faces(*row) for row in rows]
    fan = [face for face, _ in (sides[1:2] + sides[:1] + sides[2:]) if face]
    art = front or next((face for both in sides for face in both[::-1] if face), None)
    if composer.problems or art is None:
        return None
    facts = " · ".join(f"{count} {noun}" for count, noun in facts_of(composer.game.info))
    words = {
        "title_on_front": front is None,
        "says": contents.words,
        "facts": [fact for fact in (facts, contents.words) if fact],
    }
    box = box_for(contents.cards)
    face = box_face(composer, box, art, fan, _ground(composer, art), words)
    return Boxed(contents, box, face) if face else None


def _ground(composer: Composer, art: Face) -> str:
    """Return the colour of the box: the first in the palette on which text is readable, or that of the art's edge."""
    if composer.inks != "full":
        return "#ffffff"
    colours = composer.game.info.palette.values()
    return next((colour for colour in colours if contrast(colour, PAPER) >= READABLE), "") or ground_of(art)


def box_sheets(
    boxed: Boxed, name: str, papers: Mapping[str, Paper], settings: Settings
) -> tuple[list[Sheet], dict[str, CutterTemplate]]:
    """Return the page of a box on the paper called `name`, or on a machine's template if `settings` names a machine.

    Stop if the box does not fit.
    """
    paper = papers[name]
    templates: dict[str, CutterTemplate] = {}
    if settings.cutter:
        from grimalkin.printing.sheet.cutters import impose_on

        template = _template(boxed, name, paper, settings.cutter)
        if template:
            templates[template.id] = template
            return impose_on(boxed.pieces(), template, paper, settings), templates
    elif sheets := _imposed(boxed, paper, settings):
        return sheets, templates
    fitting = [other for other, one in papers.items() if _fits(boxed, other, one, settings)]
    width, height = boxed.box.size
    told = f"the box of {boxed.contents.words} is {width:g} × {height:g} mm laid flat; {paper.name} is too small for it"
    hint = f"choose {' or '.join(fitting)}" if fitting else "make two boxes, each with a smaller --count"
    raise Stop.at(Place("--paper"), told, hint)


def _fits(boxed: Boxed, name: str, paper: Paper, settings: Settings) -> bool:
    if settings.cutter:
        return _template(boxed, name, paper, settings.cutter) is not None
    return bool(_imposed(boxed, paper, settings))


def _imposed(boxed: Boxed, paper: Paper, settings: Settings) -> list[Sheet]:
    return impose(boxed.pieces(), paper, settings, Place("--paper"), Problems())


def _template(boxed: Boxed, name: str, paper: Paper, machine: str) -> CutterTemplate | None:
    from grimalkin.printing.sheet.cutters import propose

    return propose(cast("Machine", machine), name, paper, ID, boxed.face.stock)


def box_pdf(
    composer: Composer,
    boxed: Boxed,
    sheets: Sequence[Sheet],
    paper: Paper,
    settings: Settings,
    edition: Edition,
    templates: Mapping[str, CutterTemplate],
) -> bytes:
    """Return the page of a box as a PDF."""
    return sheet_pdf(
        composer.game,
        sheets,
        paper,
        settings,
        lambda _: (boxed.face, None),
        edition,
        templates,
        what="a tuck box",
        names={ID: f"Tuck box, {boxed.contents.words}"},
    )
