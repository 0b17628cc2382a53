"""Fit pictures to cards: choose a stock and a bleed by their sizes, and make data for the face template.

The bleed is made from the picture itself, so that no new file is needed: mirrored copies surround it, visible only
within the bleed. To repeat the edge, strips of one pixel are stretched instead.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from grimalkin.content.stocks import Stock
from grimalkin.printing.draw.pdf_pages import PdfPage
from grimalkin.printing.face.images.drawings import Drawing, Flattened
from grimalkin.printing.face.images.game_art import Art
from grimalkin.printing.face.images.pictures import Fit, Picture, lying, printed_pixels
from grimalkin.printing.face.svg.paths import Box, Matrix

OFF: Final = 0.015
"""The largest difference between the proportions of a picture and its stock. A poker card loses half a millimetre on
each of two sides, which is less than people stray from the line when they cut."""
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

STRETCHED: Final = 0.0025
"""Pictures whose proportions differ by less are stretched, not cut: by a sixth of a millimetre on a poker card."""
SPARE: Final = 1.0
"""Millimetres of bleed beyond that of a stock, because some services ask for a little more."""
_THIN: Final = 30.0
"""The factor by which a drawing's repeated edge is stretched: a tenth of a millimetre then fills the bleed."""
Bleed = Literal["mirror", "edge", "colour"]
Crop = Literal["", "crop", "fit"]


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


@dataclass(frozen=True)
class Ways:
    """The options that decide how pictures become cards."""

    stock: str = ""
    """The name of a stock; "" for the one that fits the pictures."""
    crop: Crop = ""
    """The treatment of pictures with different proportions; by default, they are a problem."""
    bleed: Bleed = "mirror"
    """The way to make a bleed for pictures without one."""
    colour: str = "#ffffff"
    """The colour of the bleed, or of the border around uncropped pictures."""
    bleed_in_art: float | None = None
    """Millimetres of bleed on each side of the pictures; None to find out from the pixels."""
    skip: tuple[str, ...] = ()
    """Names of pictures to leave out."""
    one_sided: bool = False
    """Whether backs are not printed."""


def size_of(art: Art) -> tuple[float, float]:
    """Return the width and height: pixels of a picture, millimetres of a page without bleed, or a drawing's units."""
    return art.sized[:2] if isinstance(art, PdfPage) else (float(art.size[0]), float(art.size[1]))


def within_of(art: Art, stock: Stock, within: float) -> float:
    """Return the millimetres of bleed on each side of a picture. A page states its own, which scales with its stock."""
    if not isinstance(art, PdfPage):
        return within
    return art.sized.bleed * max(stock.width, stock.height) / max(art.sized[:2])


def room_of(key: str, art: Art, side: str, stock: Stock, ways: Ways, within: float) -> tuple[dict[str, Any], list[Any]]:
    """Return plain data for the template that draws the picture named `key`, and the pictures that it needs.

    `within` is the bleed on each side of the picture, in millimetres.
    """
    within = within_of(art, stock, within)
    turned = is_turned(size_of(art), stock)
    width, height = (stock.height, stock.width) if turned else (stock.width, stock.height)
    upright = _turn(side, stock) if turned else (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    whole: Box = (-within, -within, width + within, height + within)
    made = stock.bleed - within > 1e-6
    is_whole = ways.crop == "fit"
    ground = ways.colour if is_whole or (made and ways.bleed == "colour") else ""
    seen = float(art.size[0]), float(art.size[1])
    fills = apart(seen, stock, within) > STRETCHED
    box = lying(seen, whole, Fit()) if is_whole else whole
    if isinstance(art, Flattened) and ways.bleed == "edge":
        art = art.picture(printed_pixels(box[2] - box[0], box[3] - box[1]))
    pictures = {key: art}
    aspect = "xMidYMid slice" if fills and not is_whole else "none"
    strips: dict[str, tuple[Picture, Box]] = {}
    around: list[str] = []
    if made and not is_whole and ways.bleed == "edge" and isinstance(art, Picture):
        strips = dict(_strips(key, art, box, fills, stock.bleed + SPARE))
        pictures.update({name: picture for name, (picture, _) in strips.items()})
    elif made and not is_whole and ways.bleed != "colour":
        around = [_written(matrix) for matrix in _around(box, _THIN if ways.bleed == "edge" else 1.0)]
    room = {
        "ground": ground,
        "matrix": _written(upright) if turned else "",
        "art": _placed(key, box),
        "aspect": aspect,
        "is_drawing": isinstance(art, Drawing),
        "around": around,
        "strips": [_placed(name, place) for name, (_, place) in strips.items()],
    }
    return room, list(pictures.items())


def _placed(key: str, box: Box) -> dict[str, Any]:
    left, top, right, foot = box
    return {"href": f"art/{key}", "x": left, "y": top, "width": right - left, "height": foot - top}


def _written(matrix: Matrix) -> str:
    return f"matrix({' '.join(f'{one:.6g}' for one in matrix)})"


def _turn(side: str, stock: Stock) -> Matrix:
    """Return a quarter turn. Backs turn the other way, so that both sides have their top at the same edge."""
    if side == "front":
        return (0.0, 1.0, -1.0, 0.0, stock.width, 0.0)
    return (0.0, -1.0, 1.0, 0.0, 0.0, stock.height)


def _around(box: Box, by: float) -> Iterator[Matrix]:
    """Yield the eight mirrored copies around a box, stretched away from it."""
    left, top, right, foot = box
    for across, x in ((1.0, 0.0), (-by, left * (1 + by)), (-by, right * (1 + by))):
        for down, y in ((1.0, 0.0), (-by, top * (1 + by)), (-by, foot * (1 + by))):
            if (across, down) != (1.0, 1.0):
                yield (across, 0.0, 0.0, down, x, y)


def _strips(key: str, art: Picture, box: Box, fills: bool, reach: float) -> Iterator[tuple[str, tuple[Picture, Box]]]:
    """Yield the pixels at the visible edge of a picture, as pictures `reach` mm long, with the box of each."""
    from grimalkin.printing.face.images.pictures import opened, plain

    left, top, right, foot = box
    lies = lying(art.size, box, Fit(fills=True)) if fills else box
    with opened(art, art.read()) as image:
        profile = image.info.get("icc_profile")
        shown = plain(image)
    wide, high = shown.size
    columns = [round((x - lies[0]) / (lies[2] - lies[0]) * wide) for x in (left, right)]
    rows = [round((y - lies[1]) / (lies[3] - lies[1]) * high) for y in (top, foot)]
    across = {"l": (columns[0], columns[0] + 1), "m": (columns[0], columns[1]), "r": (columns[1] - 1, columns[1])}
    down = {"t": (rows[0], rows[0] + 1), "m": (rows[0], rows[1]), "f": (rows[1] - 1, rows[1])}
    xs = {"l": (left - reach, left), "m": (left, right), "r": (right, right + reach)}
    ys = {"t": (top - reach, top), "m": (top, foot), "f": (foot, foot + reach)}
    for x in "lmr":
        for y in "tmf":
            if x + y != "mm":
                part = shown.crop((across[x][0], down[y][0], across[x][1], down[y][1]))
                picture = _saved(part, art, profile)
                yield f"{key}-{x}{y}", (picture, (xs[x][0], ys[y][0], xs[x][1], ys[y][1]))


def _saved(image: Any, art: Picture, profile: bytes | None) -> Picture:
    """Save a few pixels as a separate lossless picture."""
    kind = "TIFF" if image.mode == "CMYK" else "PNG"
    out = io.BytesIO()
    image.save(out, kind, icc_profile=profile)
    data = out.getvalue()
    digest = sha256(data).hexdigest()[:32]
    path = Path(art.path)
    may_pass = image.mode in ("L", "RGB")
    return Picture(path, art.inside, digest, kind, image.size, 1, len(data), data, may_pass)
