"""Turn designs into lots: find the product of a shop that suits each stock, and say what a shop does not make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grimalkin.content import Game
from grimalkin.content.shops import Four, Product, Shop, sides
from grimalkin.content.stocks import Stock
from grimalkin.printing.export.designs import Design, one_back
from grimalkin.printing.face import Face
from grimalkin.problems import Problem, Problems
from grimalkin.problems.plain import how_many, listed

SMALLER, LARGER = 2.0, 1.0
"""Millimetres that a face may be smaller or larger than a product, in width and height: half on each side, where bleed
or safe area take it up."""
ANY_SHOP = Shop(name="a print shop")
"""A shop about which nothing is known: it gets every piece in its own size, as fronts and backs in turn."""


class Trim(NamedTuple):
    """What a page or picture shows, in millimetres: the cut, and how far art extends beyond it on each side."""

    width: float
    height: float
    bleed: Four

    @property
    def page(self) -> tuple[float, float]:
        left, top, right, bottom = self.bleed
        return (left + self.width + right, top + self.height + bottom)


@dataclass(frozen=True, slots=True)
class Lot:
    """Designs of one deck that are ordered together."""

    name: str
    """The name of its folder or file."""
    shop: Shop
    designs: tuple[Design, ...]
    product: Product | None = None
    """None if the shop prints any size."""
    turned: bool = False
    """Whether faces are turned by 90 degrees, to lie as their product does."""

    @property
    def pieces(self) -> int:
        return sum(design.row.count for design in self.designs)

    @property
    def shared(self) -> Face | None:
        """The back that all its designs share; None if there is none."""
        return self.designs[0].back if one_back(self.designs) else None

    @property
    def what(self) -> str:
        """What to order: the product, or the size of its pieces."""
        stock = self.designs[0].stock
        return self.product.name if self.product else f"{stock.name}, {_size(*stock.piece)}"

    def trim(self, stock: Stock, bleed: bool = True, is_strip: bool = False) -> Trim:
        """Return the trim for a face of a stock in this lot, as the shop wants it, or for its strip if it folds.

        Without `bleed`, only what is cut is left.
        """
        if self.product:
            width, height, around = self.product.width, self.product.height, self.shop.bleed_of(self.product)
        else:
            width, height = stock.piece if is_strip else (stock.width, stock.height)
            around = sides(stock.bleed if self.shop.bleed is None else self.shop.bleed)
        return Trim(width, height, around if bleed else (0.0,) * 4)

    def cut(self, stock: Stock) -> Stock:
        """Return the stock as it is cut, before it is turned: in the size of the product, if there is one."""
        if self.product is None:
            return stock
        width, height = self.product.width, self.product.height
        seen = (height, width) if self.turned else (width, height)
        return stock.model_copy(update={"width": seen[0], "height": seen[1]})

    def safe(self, stock: Stock) -> float:
        """Return how far inside the cut of the stock words must stay, so that they are safe in the product."""
        own = self.product.safe if self.product else None
        safe = own if own is not None else self.shop.safe if self.shop.safe is not None else stock.safe
        trim = self.trim(stock)
        width, height = _seen(stock, self.turned)
        return safe + max(width - trim.width, height - trim.height) / 2 if self.product else safe

    def lacking(self, stock: Stock) -> float:
        """Return the millimetres by which the bleed of a stock is too short for the shop; 0 if it is long enough."""
        trim = self.trim(stock)
        width, height = _seen(stock, self.turned)
        left, top, right, bottom = trim.bleed
        needed = max(
            (trim.width - width) / 2 + max(left, right),
            (trim.height - height) / 2 + max(top, bottom),
        )
        return max(0.0, round(needed - stock.bleed, 3))


class LeftOut(NamedTuple):
    """Designs of one stock that a shop does not make, and why."""

    designs: tuple[Design, ...]
    problem: Problem

    @property
    def what(self) -> str:
        names = listed([f"{design.row.count} × {design.row.name}" for design in self.designs])
        return f"{names}: {self.problem.message}" + (f"; {self.problem.hint}" if self.problem.hint else "")


def lots_of(
    shop: Shop, game: Game, designs: Sequence[Design], problems: Problems
) -> tuple[list[Lot], tuple[LeftOut, ...]]:
    """Return the lots to order from a shop, and what it does not make.

    Add a problem if it makes nothing of all this, or if a lot is too large for it.
    """
    groups: dict[tuple[str, str, Product | None, bool], list[Design]] = {}
    missing: dict[Stock, list[Design]] = {}
    for design in designs:
        stock, deck = design.stock, design.deck
        found = find_product(stock, deck.kind, shop.products)
        if found:
            groups.setdefault((deck.id, found[0].id + ("_turned" if found[1] else ""), *found), []).append(design)
        elif shop.products or not _is_made(design, shop):
            missing.setdefault(stock, []).append(design)
        else:
            # A shop that we know gets one file for each size.
            part = "strips" if stock.fold != "none" else ""
            size = "" if shop is ANY_SHOP else design.row.stock or deck.stock or ""
            groups.setdefault((deck.id, size or part, None, False), []).append(design)
    left_out = tuple(LeftOut(tuple(some), _no_product(shop, stock, some[0], game)) for stock, some in missing.items())
    if not groups:
        problems.extend(one.problem for one in left_out)
    decks = [key[0] for key in groups]
    lots = []
    flat_first = sorted(groups.items(), key=lambda group: (decks.index(group[0][0]), group[0][1] == "strips"))
    for (deck_id, part, product, turned), members in flat_first:
        # No id has an underscore, so a lot's name is never that of another deck.
        name = deck_id if decks.count(deck_id) == 1 or not part else f"{deck_id}_{part}"
        lot = Lot(name, shop, tuple(members), product, turned)
        if shop.most_pieces and lot.pieces > shop.most_pieces:
            message = (
                f"{shop.name} takes {how_many(shop.most_pieces, piece_of(shop))} per order; {lot.name} has {lot.pieces}"
            )
            problems.add(game.place(members[0].row.id), message, "export it in parts with --only")
        lots.append(lot)
    return lots, left_out


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


def _is_made(design: Design, shop: Shop) -> bool:
    """Return whether a shop that prints any size makes a piece: if we know its kinds, only flat ones."""
    if not shop.kinds:
        return True
    return design.deck.kind in shop.kinds and design.stock.fold == "none" and not design.stock.lines


def _no_product(shop: Shop, stock: Stock, design: Design, game: Game) -> Problem:
    """Return a problem that says what a shop does not make, and names its nearest product."""
    same = [product for product in shop.products if product.shape == stock.shape]
    message, hint = f"{shop.name} has nothing like {stock.name} ({_size(stock.width, stock.height)})", ""
    if stock.fold != "none":
        message = f"{shop.name} makes nothing that folds, like {stock.name}"
    elif not shop.products:
        made = listed([f"{kind}s" for kind in shop.kinds])
        message = f"{shop.name} prints {made}, as far as we know, and not {stock.name}"
    elif not same:
        shape = "drawn shape" if stock.lines else stock.shape
        message = f"{shop.name} makes no {shape} such as {stock.name}, as far as we know"
    else:
        near = min(same, key=lambda product: min(_distance(stock, product, turned) for turned in (False, True)))
        hint = f"the nearest is {near.name}, {near.size}"
    return Problem(game.place(design.row.id), message, hint)


def piece_of(shop: Shop) -> str:
    """Return what a shop's pieces are called: cards if it makes nothing else."""
    return "card" if {*shop.kinds, *(product.kind for product in shop.products)} == {"card"} else "piece"


def _size(width: float, height: float) -> str:
    return f"{width:g} × {height:g} mm"


def _seen(stock: Stock, turned: bool) -> tuple[float, float]:
    return (stock.height, stock.width) if turned else (stock.width, stock.height)


def _fits(stock: Stock, product: Product, turned: bool) -> bool:
    width, height = _seen(stock, turned)
    gaps = (product.width - width, product.height - height)
    return all(-LARGER <= gap <= min(SMALLER, 2 * stock.bleed) for gap in gaps)


def _distance(stock: Stock, product: Product, turned: bool) -> float:
    width, height = _seen(stock, turned)
    return abs(product.width - width) + abs(product.height - height)
