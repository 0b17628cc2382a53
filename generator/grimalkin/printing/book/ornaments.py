"""Draw what decorates the pages of a book: paper, ribbons, cuts at the heads of chapters, and flags with numbers.

The cut of a chapter is a part of the game's cover, another one for each chapter; a game without a cover has gouged
blocks in its first ink. Lengths are in millimetres from the upper left corner of the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from grimalkin.printing.draw.packing import MM, colour, row
from grimalkin.printing.face.views import ART

if TYPE_CHECKING:
    from grimalkin.printing.book.pen import Art, Pen

Point = tuple[float, float]
RAGGED: Final = ((0.0, 0.3), (0.21, -0.5), (0.47, 0.5), (0.74, -0.3), (1.0, 0.4))
"""The lower edge of a cut: positions along it as fractions, and how far it is from straight, in millimetres."""
INSET: Final = 3.0
"""What a cut leaves out at each edge of the cover, which is ragged, in millimetres."""
LONG: Final = (34, 20, 41, 15, 28, 9, 36, 23)
"""Lengths of the gouges in a block without a picture, in millimetres."""
FOLIO: Final = (9.0, 8.2)
"""The width and height of the flag with a page number."""


class Window(NamedTuple):
    """A part of a cover: its middle as fractions of what is shown, and its enlargement."""

    x: float
    y: float
    size: float


WINDOWS: Final = (
    Window(0.5, 0.7, 1.0),
    Window(0.15, 0.85, 1.35),
    Window(0.9, 0.65, 1.25),
    Window(0.4, 0.5, 1.1),
    Window(0.65, 0.95, 1.3),
    Window(0.3, 0.6, 1.4),
    Window(0.8, 0.8, 1.5),
)
"""The parts of the cover in the order of chapters; then they begin again."""


def shape(pen: Pen, points: Sequence[Point], fill: str) -> None:
    """Fill a shape with straight sides, as part of what is open."""
    path = " ".join(f"{row(x * MM, pen.y(y))} {'l' if at else 'm'}" for at, (x, y) in enumerate(points))
    pen.canvas.emit(f"{colour(pen.paint(fill))} rg {path} h f")


def ground(pen: Pen, wide: float, high: float) -> None:
    """Cover the page with the colour of the paper, unless the paper itself is the ground."""
    if pen.paint("paper") != "#ffffff":
        with pen.decoration():
            pen.box(0, 0, wide, high, "paper")


def ribbon(pen: Pen, x: float, y: float, wide: float, high: float) -> None:
    """Draw a ribbon with a notch at each end, for a heading."""
    notch, half = min(2.2, high * 0.22), high / 2
    right = x + wide
    points = [
        (x, y + 0.1),
        (right, y - 0.3),
        (right - notch, y + half - 0.1),
        (right + 0.2, y + high),
        (x - 0.3, y + high + 0.2),
        (x + notch - 0.6, y + half),
    ]
    with pen.decoration():
        shape(pen, points, "ink")


def gouge(pen: Pen, x: float, y: float, to: float, thick: float, fill: str = "ink") -> None:
    """Draw a level cut that tapers at both ends, as part of what is open."""
    first, last = x + (to - x) * 0.3, x + (to - x) * 0.7
    a, b = pen.y(y - thick * 0.7), pen.y(y + thick * 0.7)
    level = pen.y(y)
    begin, end = row(x * MM, level), row(to * MM, level)
    pen.canvas.emit(
        f"{colour(pen.paint(fill))} rg {begin} m {row(first * MM, a, last * MM, a)} {end} c "
        f"{row(last * MM, b, first * MM, b)} {begin} c h f"
    )


def folio(pen: Pen, edge: float, inner: float, y: float) -> None:
    """Draw the flag behind a page number at the outer edge of the text, and the cut from it to the inner edge."""
    wide, high = FOLIO
    way = 1 if edge > inner else -1
    points = [
        (edge - way * wide, y - high / 2),
        (edge + way * 0.4, y - high / 2 + 0.4),
        (edge - way * 0.6, y),
        (edge + way * 0.6, y + high / 2),
        (edge - way * (wide - 0.2), y + high / 2 - 0.3),
        (edge - way * (wide - 1.4), y + 0.2),
    ]
    with pen.decoration():
        shape(pen, points, "ink")
        gouge(pen, edge - way * (wide + 4), y, inner, 0.4)


def headpiece(pen: Pen, art: Art | None, number: int, box: tuple[float, float, float, float]) -> None:
    """Draw the cut at the head of a chapter. `number` counts chapters from 0; `box` is x, y, width and height."""
    x, y, wide, high = box
    edge = [(x + wide * at, y + high + off) for at, off in RAGGED]
    top = [(x + wide * at, y + off if y > 0 else y) for at, off in RAGGED]
    if art is not None:
        pen.cropped(art, [*top, *reversed(edge)], *_part(number, wide, high, x, y))
    else:
        with pen.decoration():
            shape(pen, [*top, *reversed(edge)], "block")
            for at, long in enumerate(LONG):
                down = y + high * (at + 0.7) / (len(LONG) + 0.4)
                left = at % 2 == number % 2
                gouge(pen, x - 9 if left else x + wide + 9, down, x + long if left else x + wide - long, 0.5, "cut")
    if pen.paint("paper") == "#ffffff":
        with pen.decoration():
            gouge(pen, x - 20, y + high + 0.3, x + wide + 20, 0.3)


def _part(number: int, wide: float, high: float, x: float, y: float) -> tuple[float, float, float]:
    """Return where the cover begins on the page and its scale, so that a chapter's part of it fills a box."""
    window = WINDOWS[number % len(WINDOWS)]
    across, down = ART.width - 2 * INSET, ART.height - 2 * INSET
    scale = max(wide / across * window.size, high / down)
    left = INSET + (across - wide / scale) * window.x
    top = INSET + (down - high / scale) * window.y
    return x - left * scale, y - top * scale, scale
