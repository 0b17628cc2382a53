"""Make the tuck box for a set of cards: its cuts and creases, the Face printed on it, and a page to print and fold.

Lengths are in millimetres. Its panels are side by side: glue flap, back, side, front, side. The lid and the bottom are
attached to the back, each with a tuck flap; dust flaps on both sides close the box below them.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from lxml import etree

from grimalkin.content.models import Deck
from grimalkin.content.outlines import KAPPA, Outline
from grimalkin.content.stocks import Paper, Stock
from grimalkin.printing.draw.raster import ground_of
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.layers import Layer
from grimalkin.printing.face.svg.colours import PAPER, READABLE, contrast
from grimalkin.printing.face.svg.subset import HIDDEN, INK, SVG
from grimalkin.printing.face.svg.xml import tag_of
from grimalkin.printing.sheet.cover import facts_of
from grimalkin.printing.sheet.document import sheet_pdf
from grimalkin.printing.sheet.impose import impose
from grimalkin.printing.sheet.pieces import Piece, Sheet
from grimalkin.printing.sheet.settings import Edition, Settings
from grimalkin.problems import Place, Problems, Stop
from grimalkin.problems.plain import plural

if TYPE_CHECKING:
    from grimalkin.content.cutters import CutterTemplate, Machine

ID: Final = "tuck-box"
TEMPLATE: Final = "tuck-box"
GLUE: Final = 12.0
"""Width of the glue flap."""
TUCK: Final = 14.0
"""Length of the tuck flaps."""
SLACK: Final = 1.0
"""Room to spare for the cards in each direction."""
SLEEVE: Final = (3.0, 4.0)
"""Width and height that a sleeve adds to a card: 66 × 92 mm for a poker card."""
THICKNESS: Final = {False: 0.3, True: 0.6}
"""Thickness of a card, and of a card in a sleeve."""
SHALLOWEST: Final = 4.0
"""The minimum depth of a box; a shallower one cannot be folded."""
EASE: Final = 0.5
"""Millimetres by which a tuck flap is narrower than its panel on each side."""
BLEED: Final = 3.0
FITS: Final = 1.12
"""The largest factor by which art may exceed its fitting size to fill the front."""
LEAST_CONTRAST: Final = 4.5

Panel = tuple[float, float, float, float]
"""Left, top, width and height."""


class Cards(NamedTuple):
    """The contents of the box."""

    width: float
    """Width of the widest card."""
    height: float
    depth: float
    """Height of the stack of all cards."""


@dataclass(frozen=True)
class TuckBox:
    """The inner dimensions of a box: the cards and some slack."""

    width: float
    height: float
    depth: float

    @property
    def across(self) -> tuple[float, ...]:
        """Return the left edges of glue flap, back, side, front and other side, and the right end."""
        x = (0.0, GLUE, self.width, self.depth, self.width, self.depth)
        return tuple(round(sum(x[: at + 1]), 4) for at in range(len(x)))

    @property
    def down(self) -> tuple[float, ...]:
        """Return the upper edges of upper flap, lid, panels, bottom and lower flap, and the lower end."""
        y = (0.0, TUCK, self.depth, self.height, self.depth, TUCK)
        return tuple(round(sum(y[: at + 1]), 4) for at in range(len(y)))

    @property
    def notch(self) -> float:
        """Return the radius of the thumb notch in the middle of the front's upper edge."""
        return min(10.0, self.width / 5)

    @property
    def flap(self) -> float:
        """Return the length of the dust flaps: two of them do not meet, and the lid and its flap cover them."""
        return min(max(self.depth, 12.0), self.width / 2 - 1, self.depth + TUCK)

    @property
    def stock(self) -> Stock:
        said = {"name": "Tuck box", "shape": "outline", "outline": "tuck-box.svg", "bleed": BLEED, "safe": 0}
        return Stock.model_validate(said).with_lines(Outline((self.edge(),), self.creases()), *self.size)

    @property
    def size(self) -> tuple[float, float]:
        """Return the width and height of the box laid flat."""
        return self.across[-1], self.down[-1]

    @property
    def panels(self) -> dict[str, Panel]:
        _, back, left, front, right, _ = self.across
        _, lid, top, bottom, _, _ = self.down
        return {
            "back": (back, top, self.width, self.height),
            "left": (left, top, self.depth, self.height),
            "front": (front, top, self.width, self.height),
            "right": (right, top, self.depth, self.height),
            "lid": (back, lid, self.width, self.depth),
            "bottom": (back, bottom, self.width, self.depth),
        }

    def edge(self) -> str:
        """Return the complete outline, clockwise from the start of the lid."""
        x0, x1, x2, x3, x4, x5 = self.across
        y0, y1, y2, y3, y4, y5 = self.down
        round_, chamfer = min(8.0, self.width / 4), min(5.0, self.height / 8)
        middle, notch = (x3 + x4) / 2, self.notch
        pen = _Pen(x1, y2)
        pen.line((x1, y1), (x1 + EASE, y1), (x1 + EASE, y0 + round_))
        pen.corner(x1 + EASE, y0, x1 + EASE + round_, y0)
        pen.line((x2 - EASE - round_, y0))
        pen.corner(x2 - EASE, y0, x2 - EASE, y0 + round_)
        pen.line((x2 - EASE, y1), (x2, y1), (x2, y2))
        self.dust(pen, x2, x3, y2, -1)
        pen.line((middle - notch, y2))
        pen.corner(middle - notch, y2 + notch, middle, y2 + notch)
        pen.corner(middle + notch, y2 + notch, middle + notch, y2)
        pen.line((x4, y2))
        self.dust(pen, x4, x5, y2, -1)
        pen.line((x5, y3))
        self.dust(pen, x5, x4, y3, 1)
        pen.line((x3, y3))
        self.dust(pen, x3, x2, y3, 1)
        pen.line((x2, y4), (x2 - EASE, y4), (x2 - EASE, y5 - round_))
        pen.corner(x2 - EASE, y5, x2 - EASE - round_, y5)
        pen.line((x1 + EASE + round_, y5))
        pen.corner(x1 + EASE, y5, x1 + EASE, y5 - round_)
        pen.line((x1 + EASE, y4), (x1, y4), (x1, y3), (x0, y3 - chamfer), (x0, y2 + chamfer))
        return pen.closed()

    def dust(self, pen: _Pen, start: float, end: float, y: float, way: int) -> None:
        """Draw a dust flap on the upper (-1) or lower (1) edge of a side, a little narrower at its end."""
        along = 1 if end > start else -1
        taper, round_ = min(1.5, self.depth / 6) * along, min(4.0, self.depth / 4, self.flap / 2)
        far = y + way * self.flap
        near = far - way * round_
        pen.line((start + taper, near))
        pen.corner(start + taper, far, start + taper + along * round_, far)
        pen.line((end - taper - along * round_, far))
        pen.corner(end - taper, far, end - taper, near)
        pen.line((end, y))

    def creases(self) -> tuple[str, ...]:
        _, x1, x2, x3, x4, x5 = self.across
        _, y1, y2, y3, y4, _ = self.down
        upright = [((x, y2), (x, y3)) for x in (x1, x2, x3, x4)]
        level = [((left, y), (right, y)) for y in (y2, y3) for left, right in ((x1, x2), (x2, x3), (x4, x5))]
        tucks = [((x1 + EASE, y), (x2 - EASE, y)) for y in (y1, y4)]
        return tuple(f"M{x:g} {y:g}L{u:g} {v:g}" for (x, y), (u, v) in [*upright, *level, *tucks])


class _Pen:
    """A writer of paths with lines and round corners."""

    def __init__(self, x: float, y: float) -> None:
        self.at = (x, y)
        self.path = f"M{x:.7g} {y:.7g}"

    def line(self, *points: tuple[float, float]) -> None:
        for x, y in points:
            self.path += f"L{x:.7g} {y:.7g}"
            self.at = (x, y)

    def corner(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Add a quarter of an ellipse that ends at a point; x, y is the corner that it rounds."""
        from_x, from_y = self.at
        one = (from_x + (x - from_x) * KAPPA, from_y + (y - from_y) * KAPPA)
        other = (to_x + (x - to_x) * KAPPA, to_y + (y - to_y) * KAPPA)
        self.path += "C" + " ".join(f"{value:.7g}" for point in (one, other, (to_x, to_y)) for value in point)
        self.at = (to_x, to_y)

    def closed(self) -> str:
        return self.path + "Z"


def box_for(cards: Cards) -> TuckBox:
    """Return the box that holds these cards with some slack."""
    depth = max(cards.depth + SLACK, SHALLOWEST)
    return TuckBox(round(cards.width + SLACK, 4), round(cards.height + SLACK, 4), round(depth, 4))


# The printed face


def box_face(
    composer: Composer, box: TuckBox, front: Face, fan: Sequence[Face], ground: str, words: Mapping[str, Any]
) -> Face | None:
    """Compose the box as one face: `front` on its front and a fan of other faces on its back, on a plain ground.

    `words` is further data for its template. Return None, with problems in the composer, if the template is at fault.
    """
    told = max((PAPER, INK), key=lambda ink: contrast(ink, ground))
    colours = [colour for colour in composer.game.info.shown_palette.values() if composer.inks == "full"]
    accents = [colour for colour in colours if contrast(colour, ground) >= LEAST_CONTRAST / 2]
    panels = {name: dict(zip(("x", "y", "width", "height"), panel, strict=True)) for name, panel in box.panels.items()}
    sides = {"notch": box.notch, "panels": panels, "across": box.across, "down": box.down}
    shown = [{"width": one.stock.width, "height": one.stock.height, "outline": one.stock.outline()} for one in fan]
    more = {"box": sides, "fan": shown, "ground": ground, "words_ink": told, "accent": (accents or [told])[0], **words}
    title = f"Tuck box of {composer.game.info.title}"
    face = composer.compose(composer.own_or_shared(TEMPLATE), f"{ID}-front", title, None, box.stock, {}, **more)
    if face is None:
        return None
    arts = {"art-front": (front, on_panel(front, panels["front"]))}
    for number, one in enumerate(fan, 1):
        arts[f"art-fan-{number}"] = one, f"translate({-one.stock.width / 2:g} {-one.stock.height / 2:g})"
    return replace(face, content=tuple(layer for one in face.content for layer in with_art(one, arts)))


def on_panel(art: Face, panel: Mapping[str, float]) -> str:
    """Return the transform that puts art on a panel: art of a similar shape fills the panel, other art fits in it."""
    width, height, bleed = art.stock.width, art.stock.height, art.stock.bleed
    fits = min(panel["width"] / width, panel["height"] / height)
    fills = max(panel["width"] / (width + 2 * bleed), panel["height"] / (height + 2 * bleed))
    scale = max(fits, fills) if fills <= fits * FITS else 0.9 * fits
    x, y = panel["x"] + (panel["width"] - width * scale) / 2, panel["y"] + (panel["height"] - height * scale) / 2
    return f"translate({x:.4f} {y:.4f}) scale({scale:.5f})"


def with_art(layer: Layer, arts: Mapping[str, tuple[Face, str]]) -> list[Layer]:
    """Return a layer of the template, or the art for it if the layer is an empty group with the art's id."""
    name = layer.element.get("id", "")
    if name not in arts:
        return [layer]
    art, transform = arts[name]
    return [_placed(one, name, layer, transform) for one in art.content if not one.form_field]


def _placed(layer: Layer, name: str, holder: Layer, transform: str) -> Layer:
    """Return a layer of art inside its group. Everything that it refers to gets a unique name."""
    element = copy.deepcopy(layer.element)
    for one in element.iter():
        for key, value in ((str(key), str(value)) for key, value in one.attrib.items()):
            if key == "id":
                one.set(key, f"{name}-{value}")
            elif "url(#" in value:
                one.set(key, value.replace("url(#", f"url(#{name}-"))
            elif key == "href" and value.startswith("#"):
                one.set(key, f"#{name}-{value[1:]}")
    if tag_of(element) not in HIDDEN:
        group = copy.deepcopy(holder.element)
        del group.attrib["id"]
        etree.SubElement(group, f"{{{SVG}}}g", {"transform": transform}).append(element)
        element = group
    look = b"".join([layer.look, holder.look, transform.encode()])
    return replace(layer, element=element, boxes={}, look=look, shared=False)


# The page


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
    """Make the box for a game's cards, with `front` on its front; without it, the back of the cards and the title.

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
    face = box_face(composer, box, art, fan, ground_for(composer, art), words)
    return Boxed(contents, box, face) if face else None


def ground_for(composer: Composer, art: Face) -> str:
    """Return the colour around art: the first in the palette on which text is readable, or that of the art's edge."""
    if composer.inks != "full":
        return "#ffffff"
    colours = composer.game.info.shown_palette.values()
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
        from grimalkin.printing.sheet.cutting import impose_on

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
    from grimalkin.printing.sheet.cutting import propose

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
