"""Choose a stock and a bleed for pictures by their sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple

from grimalkin.content.stocks import Stock

OFF: Final = 0.015
"""The largest difference between the proportions of a picture and its stock. A poker card loses half a millimetre on
each of two sides, which is less than people miss the line by when they cut."""
_ALIKE: Final = 0.0005
"""Proportions that differ by less count as equal: a pixel in two thousand."""
_LONGEST: Final = 150.0
"""The longest side, in millimetres, of a stock chosen for pictures: longer ones are mats and maps."""
_BLEEDS: Final = (0.0, 3.0, 3.048, 3.175)
"""Usual bleeds on each side: none, 3 mm, 36 pixels at 300 dpi (MakePlayingCards), 1/8 in."""
_DPI: Final = (300, 600)
_PIXELS: Final = 2.0
"""The number of pixels by which a side may differ from its size in millimetres."""
_FIRST: Final = ("poker", "us-poker", "tarot", "mini", "bridge", "square", "jumbo", "domino", "credit-card")
"""Stocks preferred among several with the same proportions."""

_NEAR: Final = 0.2
"""The millimetres by which a page may differ from the stock that it matches."""

Size = tuple[float, float]
Unit = Literal["pixels", "mm", ""]
"""The unit of a size; "" for proportions only."""


class Cut(NamedTuple):
    """The stock and the bleed of pictures."""

    stock: str
    bleed: float
    """Bleed on each side of the pictures, in millimetres."""
    is_guess: bool = False
    """Whether the bleed was inferred from the number of pixels."""


def apart(size: Size, stock: Stock, bleed: float) -> float:
    """Return the difference between the proportions of a picture and a stock with bleed, either way: 0.1 is 10 %.

    >>> stock = Stock(name="Square", shape="rectangle", width=50, height=50)
    >>> apart((110, 100), stock, 0)
    0.1
    """
    long, short = max(size), min(size)
    sides = stock.width + 2 * bleed, stock.height + 2 * bleed
    one, other = long / short, max(sides) / min(sides)
    return round(max(one, other) / min(one, other) - 1, 9)


def is_turned(size: Size, stock: Stock) -> bool:
    """Return whether a picture is turned on its side, compared with its stock."""
    return (size[0] - size[1]) * (stock.width - stock.height) < 0


def find_cut(size: Size, unit: Unit, stocks: Mapping[str, Stock], bleed: float | None) -> Cut | None:
    """Return the stock and bleed of a picture of this size, or None if no stock has its proportions.

    `bleed` is the bleed that the user has stated; None if it may be inferred from the pixels. A size in millimetres
    excludes bleed.
    """
    known = {id_: stock for id_, stock in stocks.items() if _is_card(stock)}
    order = sorted(known, key=lambda id_: (_FIRST.index(id_) if id_ in _FIRST else len(_FIRST), id_))
    if unit == "mm":
        bleed, long, short = 0.0, max(size), min(size)
        for id_ in order:
            sides = known[id_].width, known[id_].height
            if max(abs(long - max(sides)), abs(short - min(sides))) <= _NEAR:
                return Cut(id_, 0.0)
    if unit == "pixels" and bleed is None:
        pixels, within, id_ = min((_pixels_off(size, known[id_], one), one, id_) for id_ in order for one in _BLEEDS)
        if pixels <= _PIXELS:
            return Cut(id_, within, within > 0)
    off = {id_: apart(size, known[id_], bleed or 0.0) for id_ in order}
    least = min(off.values(), default=1.0)
    if least > OFF:
        return None
    return Cut(next(id_ for id_ in order if off[id_] <= least + _ALIKE), bleed or 0.0)


def bleed_by_pixels(sizes: Iterable[Size], stock: Stock) -> float:
    """Return the bleed of pictures if the pixels of all of them match a stock with bleed; otherwise 0."""
    found = list(sizes)
    off, bleed = min((max((_pixels_off(size, stock, one) for size in found), default=9.0), one) for one in _BLEEDS)
    return bleed if off <= _PIXELS else 0.0


def _is_card(stock: Stock) -> bool:
    flat = stock.shape == "rectangle" and stock.fold == "none" and not stock.joined
    return flat and max(stock.width, stock.height) <= _LONGEST


def _pixels_off(size: Size, stock: Stock, bleed: float) -> float:
    """Return the difference in pixels, on the worse side, of a picture and a stock with bleed at a usual resolution."""
    sides = sorted((stock.width + 2 * bleed, stock.height + 2 * bleed))
    return min(max(abs(one - side / 25.4 * dpi) for one, side in zip(sorted(size), sides, strict=True)) for dpi in _DPI)
