"""The products of print services: sizes as cut, sizes of pictures, and a search for the product that suits a stock.

Sizes are inches or millimetres as the service states them; pictures are pixels at 300 dpi, bleed included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from grimalkin.content.stocks import Stock
from grimalkin.problems import Place, Problems

DPI = 300
INCH = 25.4
SMALLER, LARGER = 2.0, 1.0
"""Millimetres that a face may be smaller or larger than a product, in width and height: half on each side, where bleed
or safe area take it up."""

Kind = Literal["card", "tile", "mat"]
Shape = Literal["rectangle", "circle", "hexagon"]


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
MPC_MOST = 612
"""The most cards in one order (MPC Autofill, PROJECT_MAX_SIZE)."""

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
