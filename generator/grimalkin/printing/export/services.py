"""Orders for print services: find the product that suits each stock, and make its pictures and an order.

Sizes are inches or millimetres as the service states them; pictures are pixels at 300 dpi, bleed included.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from grimalkin.content import Game
from grimalkin.content.stocks import Stock
from grimalkin.output.disk import write_new
from grimalkin.printing.export.designs import Design, Done, Wanted, one_back, pictures
from grimalkin.printing.face import Face
from grimalkin.problems import Place, Problems
from grimalkin.problems.plain import how_many

DPI = 300
INCH = 25.4
SMALLER, LARGER = 2.0, 1.0
"""Millimetres that a face may be smaller or larger than a product, in width and height: half on each side, where bleed
or safe area take it up."""

Kind = Literal["card", "tile", "mat"]
Shape = Literal["rectangle", "circle", "hexagon"]

MPC_MOST = 612
"""The maximum number of cards in one order (MPC Autofill, PROJECT_MAX_SIZE)."""
TGC_KIND = {"coin": "tile", "card": "card", "mat": "mat"}
"""Kinds of decks at The Game Crafter, where every other kind is a tile."""
MPC_HELP = """\
Pictures are 300 dpi, with 36 pixels of bleed on each side. The number before a name is the first slot of that card; the
number after "x" is the number of slots it takes. If backs differ, each has the name of its front.
If a folder has an order.xml, MPC Autofill (github.com/chilli-axe/mpc-autofill) can fill in the slots for you: put the
program into that folder and run it there.
"""
TGC_HELP = """\
Pictures are 300 dpi and include the bleed. The number in a name, as in mouse[face,2].png, is the number of copies of
that piece in the box.
"""


@dataclass(frozen=True, slots=True)
class Product:
    """A product to order. Its width and height are as cut, in millimetres."""

    id: str
    name: str
    kind: Kind
    shape: Shape
    width: float
    height: float
    pixels: tuple[int, int]
    robot: bool = False
    """Whether MPC Autofill can fill in the order."""

    @property
    def size(self) -> str:
        return f"{self.width:.4g} × {self.height:.4g} mm"


def _inches(
    id_: str, name: str, kind: Kind, size: tuple[float, float], pixels: tuple[int, int], shape: Shape = "rectangle"
) -> Product:
    return Product(id_, name, kind, shape, size[0] * INCH, size[1] * INCH, pixels)


def _mpc(id_: str, name: str, width: float, height: float) -> Product:
    """Return a product of MakePlayingCards, which asks for 36 pixels of bleed on each side and calls this 1/8 inch."""
    return _inches(id_, name, "card", (width, height), (round(width * DPI) + 72, round(height * DPI) + 72))


# The templates of makeplayingcards.com. Published in pixels: game 816 × 1110, poker 822 × 1122, bridge 747 × 1122,
# tarot 897 × 1497, domino 597 × 1122, business 672 × 1122, micro 447 × 597, mini 597 × 822, large 1122 × 1797: all but
# the first are 300 times the inches, plus 72. The square cards and the jumbo card are calculated by the same rule from
# their published size in inches (boardgamesmaker.com, of the same company).
MPC = (
    Product("game", "Custom game cards (63 × 88 mm)", "card", "rectangle", 63, 88, (816, 1110), robot=True),
    _mpc("poker", "Poker size cards (2.5 × 3.5 in)", 2.5, 3.5),
    _mpc("bridge", "Bridge size cards (2.25 × 3.5 in)", 2.25, 3.5),
    _mpc("tarot", "Tarot size cards (2.75 × 4.75 in)", 2.75, 4.75),
    _mpc("domino", "Domino size cards (1.75 × 3.5 in)", 1.75, 3.5),
    _mpc("business", "Business size cards (2 × 3.5 in)", 2, 3.5),
    _mpc("micro", "Micro size cards (1.25 × 1.75 in)", 1.25, 1.75),
    _mpc("mini", "Mini size cards (1.75 × 2.5 in)", 1.75, 2.5),
    _mpc("large", "Large size cards (3.5 × 5.75 in)", 3.5, 5.75),
    _mpc("jumbo", "Jumbo size cards (3.5 × 5 in)", 3.5, 5),
    _mpc("square-2", "Square cards (2 × 2 in)", 2, 2),
    _mpc("square-2.5", "Square cards (2.5 × 2.5 in)", 2.5, 2.5),
    _mpc("square-2.75", "Square cards (2.75 × 2.75 in)", 2.75, 2.75),
    _mpc("square-3.5", "Square cards (3.5 × 3.5 in)", 3.5, 3.5),
)

# https://www.thegamecrafter.com/api/tgc/products gives `identity` and `size.pixels`; the sizes as cut are those of its
# product pages (https://www.thegamecrafter.com/make/products/PokerDeck), as templative/templative-electron
# (src/shared/componentInfo.js) lists both.
TGC = (
    _inches("PokerDeck", "Poker Deck", "card", (2.5, 3.5), (825, 1125)),
    Product("EuroPokerDeck", "Euro Poker Deck", "card", "rectangle", 63, 88, (825, 1125)),
    _inches("BridgeDeck", "Bridge Deck", "card", (2.25, 3.5), (750, 1125)),
    Product("USGameDeck", "US Game Deck", "card", "rectangle", 56, 87, (750, 1125)),
    _inches("MiniDeck", "Mini Deck", "card", (1.75, 2.5), (600, 825)),
    _inches("MicroDeck", "Micro Deck", "card", (1.25, 1.75), (450, 600)),
    _inches("BusinessDeck", "Business Deck", "card", (2, 3.5), (675, 1125)),
    _inches("DominoDeck", "Domino Deck", "card", (1.75, 3.5), (600, 1125)),
    _inches("TarotDeck", "Tarot Deck", "card", (2.75, 4.75), (900, 1500)),
    _inches("JumboDeck", "Jumbo Deck", "card", (3.5, 5.5), (1125, 1725)),
    _inches("SmallSquareDeck", "Small Square Deck", "card", (2.5, 2.5), (825, 825)),
    Product("EuroSquareDeck", "Euro Square Deck", "card", "rectangle", 70, 70, (900, 900)),
    _inches("SquareDeck", "Square Deck", "card", (3.5, 3.5), (1125, 1125)),
    _inches("HexDeck", "Hex Deck", "card", (3.75, 3.25), (1200, 1050), "hexagon"),
    _inches("CircleDeck", "Circle Deck", "card", (3.5, 3.5), (1125, 1125), "circle"),
    _inches("SmallSquareChit", "Small Square Chit", "tile", (0.5, 0.5), (225, 225)),
    _inches("MediumSquareChit", "Medium Square Chit", "tile", (0.75, 0.75), (300, 300)),
    _inches("LargeSquareChit", "Large Square Chit", "tile", (1, 1), (375, 375)),
    _inches("MiniSquareTile", "Mini Square Tile", "tile", (1.25, 1.25), (450, 450)),
    _inches("SmallSquareTile", "Small Square Tile", "tile", (2, 2), (675, 675)),
    _inches("MediumSquareTile", "Medium Square Tile", "tile", (2.5, 2.5), (825, 825)),
    _inches("LargeSquareTile", "Large Square Tile", "tile", (3.5, 3.5), (1125, 1125)),
    _inches("DominoChit", "Domino Chit", "tile", (1, 2), (375, 675)),
    _inches("DominoTile", "Domino Tile", "tile", (2, 4), (675, 1275)),
    _inches("SmallCircleChit", "Small Circle Chit", "tile", (0.5, 0.5), (225, 225), "circle"),
    _inches("MediumCircleChit", "Medium Circle Chit", "tile", (0.75, 0.75), (300, 300), "circle"),
    _inches("LargeCircleChit", "Large Circle Chit", "tile", (1, 1), (375, 375), "circle"),
    _inches("MiniCircleTile", "Mini Circle Tile", "tile", (1.25, 1.25), (450, 450), "circle"),
    _inches("MiniHexTile", "Mini Hex Tile", "tile", (1.25, 1.08), (450, 450), "hexagon"),
    _inches("SmallHexTile", "Small Hex Tile", "tile", (2, 1.75), (675, 600), "hexagon"),
    _inches("MediumHexTile", "Medium Hex Tile", "tile", (2.5, 2.2), (825, 750), "hexagon"),
    _inches("LargeHexTile", "Large Hex Tile", "tile", (3.75, 3.25), (1200, 1050), "hexagon"),
    _inches("PlacardMat", "Placard Mat", "mat", (4, 3), (1275, 975)),
    _inches("USGameMat", "US Game Mat", "mat", (3.25, 4.5), (1050, 1425)),
    _inches("PostcardMat", "Postcard Mat", "mat", (6, 4), (1875, 1275)),
    _inches("SmallSquareMat", "Small Square Mat", "mat", (4, 4), (1275, 1275)),
    _inches("QuarterMat", "Quarter Mat", "mat", (5, 5), (1575, 1575)),
    _inches("HalfMat", "Half Mat", "mat", (5, 10), (1575, 3075)),
    _inches("SquareMat", "Square Mat", "mat", (8, 8), (2475, 2475)),
    _inches("LargeSquareMat", "Large Square Mat", "mat", (10, 10), (3075, 3075)),
    _inches("BigMat", "Big Mat", "mat", (10, 16), (3075, 4875)),
    _inches("DominoMat", "Domino Mat", "mat", (4, 8), (1275, 2475)),
    _inches("SkinnyMat", "Skinny Mat", "mat", (4, 10), (1275, 3075)),
    _inches("SliverMat", "Sliver Mat", "mat", (2, 8), (675, 2475)),
    _inches("StripMat", "Strip Mat", "mat", (2, 10), (675, 3075)),
)


def find_product(stock: Stock, kind: str, products: Sequence[Product]) -> tuple[Product, bool] | None:
    """Return the product for a stock, of the same kind if possible, and whether its faces must be turned."""
    fitting = [
        (product.kind != kind, _distance(stock, product, turned), turned, product)
        for product in products
        for turned in (False, True)
        if product.shape == stock.shape and stock.fold == "none" and _fits(stock, product, turned)
    ]
    if not fitting:
        return None
    _, _, turned, product = min(fitting, key=lambda choice: choice[:3])
    return product, turned


def no_product(service: str, stock: Stock, place: Place, products: Sequence[Product], problems: Problems) -> None:
    """Report that a service does not make a stock, and name its nearest product."""
    same = [product for product in products if product.shape == stock.shape]
    message = f"{service} has nothing like {stock.name} ({stock.width:g} × {stock.height:g} mm)"
    if stock.fold != "none":
        problems.add(place, f"{service} makes nothing that folds, like {stock.name}", "leave it out with --only")
    elif not same:
        shape = "drawn shape" if stock.lines else stock.shape
        message = f"{service} makes no {shape} such as {stock.name}, as far as we know"
        problems.add(place, message, "leave it out with --only")
    else:
        near = min(same, key=lambda product: min(_distance(stock, product, turned) for turned in (False, True)))
        hint = f"the nearest is {near.name}, {near.size}; leave this one out with --only, or change the stock"
        problems.add(place, message, hint)


def _seen(stock: Stock, turned: bool) -> tuple[float, float]:
    return (stock.height, stock.width) if turned else (stock.width, stock.height)


def _fits(stock: Stock, product: Product, turned: bool) -> bool:
    width, height = _seen(stock, turned)
    gaps = (product.width - width, product.height - height)
    return all(-LARGER <= gap <= min(SMALLER, 2 * stock.bleed) for gap in gaps)


def _distance(stock: Stock, product: Product, turned: bool) -> float:
    width, height = _seen(stock, turned)
    return abs(product.width - width) + abs(product.height - height)


@dataclass(frozen=True, slots=True)
class Lot:
    """Designs of one deck, to be ordered as one product."""

    name: str
    """The name of the lot's folder."""
    product: Product
    turned: bool
    designs: tuple[Design, ...]

    @property
    def pieces(self) -> int:
        return sum(design.row.count for design in self.designs)

    @property
    def shared(self) -> Face | None:
        """The back that all its designs share; None if there is none."""
        return self.designs[0].back if one_back(self.designs) else None

    def picture(self, name: str, face: Face) -> Wanted:
        return Wanted(f"{self.name}/{name}", face, self.product.pixels, self.turned)


def mpc_lots(game: Game, designs: Sequence[Design], problems: Problems) -> list[Lot]:
    """Return the lots to order from MakePlayingCards; add a problem for every stock that it does not make."""
    lots = _lots("MakePlayingCards", game, designs, MPC, problems)
    for lot in lots:
        if lot.pieces > MPC_MOST:
            message = f"MakePlayingCards takes {MPC_MOST} cards per order; {lot.name} has {lot.pieces}"
            problems.add(game.place(lot.designs[0].row.id), message, "export it in parts with --only")
    return lots


def tgc_lots(game: Game, designs: Sequence[Design], problems: Problems) -> list[Lot]:
    """Return the lots to order from The Game Crafter; add a problem for every stock that it does not make."""
    return _lots("The Game Crafter", game, designs, TGC, problems)


def export_mpc(game: Game, lots: Sequence[Lot], folder: Path, jobs: int, done: Done) -> int:
    """Write a folder for each lot, with `fronts` and `backs` in the order of slots. Return the number of pictures."""
    wanted: list[Wanted] = []
    lines = []
    for lot in lots:
        slot = 1
        fronts: list[tuple[str, int, int]] = []
        backs: list[tuple[str, int, int]] = []
        shared = lot.shared
        if shared:
            wanted.append(lot.picture("backs/all.png", shared))
        for design in lot.designs:
            name = f"{slot:03}-{design.row.id}-x{design.row.count}.png"
            wanted.append(lot.picture(f"fronts/{name}", design.front))
            fronts.append((f"fronts/{name}", slot - 1, design.row.count))
            if design.back and not shared:
                wanted.append(lot.picture(f"backs/{name}", design.back))
                backs.append((f"backs/{name}", slot - 1, design.row.count))
            slot += design.row.count
        if lot.product.robot and (shared or backs):
            write_new(folder / f"{lot.name}/order.xml", order_xml(fronts, backs, "backs/all.png" if shared else ""))
        lines.append(f"{lot.name}: {lot.product.name}, {_contents(lot, 'card')}")
    order = [f"{game.marked_title} at MakePlayingCards (makeplayingcards.com)", "\n".join(lines), MPC_HELP]
    return _write(order, wanted, folder, jobs, done)


def export_tgc(game: Game, lots: Sequence[Lot], folder: Path, jobs: int, done: Done) -> int:
    """Write a folder for each lot, with `front` and `back`, and an order. Return the number of pictures."""
    wanted: list[Wanted] = []
    lines = []
    for lot in lots:
        shared = lot.shared
        if shared:
            wanted.append(lot.picture("back/all[back].png", shared))
        for design in lot.designs:
            wanted.append(lot.picture(f"front/{design.row.id}[face,{design.row.count}].png", design.front))
            if design.back and not shared:
                wanted.append(lot.picture(f"back/{design.row.id}[back].png", design.back))
        lines.append(
            f"{lot.name}: {lot.product.name}, {_contents(lot, 'piece')}\n"
            f"    https://www.thegamecrafter.com/make/products/{lot.product.id}"
        )
        lines += [f"    {design.row.count} × {design.row.name}" for design in lot.designs]
    order = [f"{game.marked_title} at The Game Crafter (thegamecrafter.com)", "\n".join(lines), TGC_HELP]
    return _write(order, wanted, folder, jobs, done)


def order_xml(fronts: Sequence[tuple[str, int, int]], backs: Sequence[tuple[str, int, int]], shared: str) -> bytes:
    """Return an order for MPC Autofill. Pictures are given as path, first slot (from 0) and number of slots."""
    order = ET.Element("order")
    details = ET.SubElement(order, "details")
    ET.SubElement(details, "quantity").text = str(sum(count for _, _, count in fronts))
    ET.SubElement(details, "stock").text = "(S30) Standard Smooth"
    ET.SubElement(details, "foil").text = "false"
    for side, cards in (("fronts", fronts), ("backs", backs)):
        if cards:
            parent = ET.SubElement(order, side)
            for path, first, count in cards:
                card = ET.SubElement(parent, "card")
                ET.SubElement(card, "id").text = path
                ET.SubElement(card, "sourceType").text = "Local File"
                ET.SubElement(card, "slots").text = ",".join(str(first + index) for index in range(count))
                ET.SubElement(card, "name").text = path.rpartition("/")[2]
    ET.SubElement(order, "cardback").text = shared
    ET.indent(order)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(order, encoding="unicode")}\n'.encode()


def _lots(
    service: str, game: Game, designs: Sequence[Design], products: Sequence[Product], problems: Problems
) -> list[Lot]:
    groups: dict[tuple[str, Product, bool], list[Design]] = {}
    told = set()
    for design in designs:
        found = find_product(design.stock, TGC_KIND.get(design.deck.kind, "tile"), products)
        if found:
            groups.setdefault((design.deck.id, *found), []).append(design)
        elif design.stock not in told:
            told.add(design.stock)
            no_product(service, design.stock, game.place(design.row.id), products, problems)
    decks = [deck for deck, _, _ in groups]
    lots = []
    for (deck, product, turned), members in groups.items():
        # No id has an underscore, so a lot's name is never that of another deck.
        name = deck if decks.count(deck) == 1 else f"{deck}_{product.id}" + ("_turned" if turned else "")
        lots.append(Lot(name, product, turned, tuple(members)))
    return lots


def _contents(lot: Lot, piece: str) -> str:
    """Describe the contents of a lot."""
    shared = one_back(lot.designs)
    backs = "a back for each" if not shared else "one back" if lot.designs[0].back else "no backs"
    return f"{how_many(lot.pieces, piece)}, {how_many(len(lot.designs), 'front')}, {backs}"


def _write(order: Sequence[str], wanted: Sequence[Wanted], folder: Path, jobs: int, done: Done) -> int:
    write_new(folder / "order.txt", "\n\n".join(order))
    for name, data in pictures(wanted, DPI, True, True, jobs, done):
        write_new(folder / name, data)
    return len(wanted)
