"""The first page of a book: the game's linocut to the edges, and above it the title, cut into the same ground."""

from __future__ import annotations

from grimalkin.book.contents import WORDS, Contents, Material
from grimalkin.book.flow import Slab
from grimalkin.book.pen import Pen
from grimalkin.book.setting import Block, Type, stacked
from grimalkin.content.styles import PLAIN
from grimalkin.draw.packing import MM
from grimalkin.draw.png import ground_of
from grimalkin.face.fonts import SERIF_BLACK, SERIF_ITALIC
from grimalkin.face.views import find_cover_art

OVER = 1.5
"""How far the picture goes over the edges, in millimetres: a block has ragged ones."""
PAPER = "#f7f1e3"
SIDE, TOP = 14.0, 20.0
SIZES = (46.0, 40.0, 34.0, 29.0, 24.0, 20.0)
"""Of the title, in points; the first that fits."""


def draw_cover(pen: Pen, contents: Contents, material: Material, wide: float, high: float) -> None:
    """The whole page. A game without a picture has its title on a page of its first ink."""
    info = material.game.info
    art = find_cover_art(material.game, material.composer)
    scale = (wide + 2 * OVER) / art.stock.width if art else 0.0
    tall = art.stock.height * scale - OVER if art else 0.0
    ground = ground_of(art) if art else next(iter(info.palette.values()), "#1d1a26")
    with pen.decoration():
        pen.canvas.setFillColor(ground)
        pen.canvas.rect(0, 0, wide * MM, high * MM, stroke=0, fill=1)
        for at, long in enumerate(GOUGES):
            pen.canvas.emit(_gouge(pen, wide, high - tall, at, long))
    title = _title(contents, info.title, wide - 2 * SIDE, high - tall - TOP - 18)
    title.draw(pen, SIDE, TOP)
    below = TOP + title.height + 4
    tagline = contents.setter.paragraph(Block(info.tagline), TAGLINE, wide - 2 * SIDE)
    stacked(tagline).draw(pen, SIDE, below)
    foot = contents.setter.paragraph(Block(f"{WORDS['book-version']} {info.rules_version}"), SMALL, wide - 2 * SIDE)
    if art:
        pen.face(art, -OVER, high - tall, scale, art.alt)
    else:
        stacked(foot).draw(pen, SIDE, high - 16)


TAGLINE = Type(font=SERIF_ITALIC, size=13, leading=5.8, filled=False, fill=PAPER, look=PLAIN)
SMALL = Type(size=8, leading=3.8, filled=False, fill=PAPER, look=PLAIN)
GOUGES = (26, 17, 31, 12, 22, 9, 28, 15, 20, 11)
"""Lengths of the cuts beside the title, in millimetres: the ground was cleared with a gouge."""


def _gouge(pen: Pen, wide: float, foot: float, at: int, long: float) -> str:
    """A cut from the right edge that tapers at its end."""
    y = 6.0 + (foot - 12.0) * at / (len(GOUGES) - 1)
    start, end = (wide + 1) * MM, (wide - long * 0.55) * MM
    middle, thick = pen.y(y), 0.45 * MM
    return (
        f"0.969 0.945 0.89 rg {start:.2f} {middle - thick:.2f} m {end:.2f} {middle:.2f} l "
        f"{start:.2f} {middle + thick:.2f} l h f"
    )


def _title(contents: Contents, title: str, room: float, height: float) -> Slab:
    """The title as large as it fits."""
    for size in SIZES:
        type_ = Type(SERIF_BLACK, size, size * 0.372, 0.0, False, PAPER, PLAIN)
        found = stacked(contents.setter.paragraph(Block(title), type_, room, kind="Title"))
        words, _ = contents.setter.words(title, type_)
        if found.height <= height and max(word.width for word in words) * type_.em <= room:
            break
    return found
