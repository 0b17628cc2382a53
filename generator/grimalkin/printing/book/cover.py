"""Draw the cover of a book: the game's linocut, which reaches the edges, and above it the title in the same ground."""

from __future__ import annotations

from grimalkin.content.models import GameFile
from grimalkin.content.references import literal
from grimalkin.content.styles import PLAIN
from grimalkin.printing.book.art import Art, piece_art
from grimalkin.printing.book.flow import Slab
from grimalkin.printing.book.pen import Pen
from grimalkin.printing.book.setting import Block, Setter, Type, stacked
from grimalkin.printing.book.writer import WORDS
from grimalkin.printing.draw.packing import MM, colour
from grimalkin.printing.draw.png import ground_of
from grimalkin.printing.face.colours import contrast
from grimalkin.printing.face.fonts import SERIF_BLACK, SERIF_ITALIC
from grimalkin.printing.face.views import find_cover_art

OVER = 1.5
"""The distance that the picture extends over the ragged edges of its block, in millimetres."""
PAPER, WHITE, DARK = "#f7f1e3", "#ffffff", "#1d1a26"
LEAST = 4.5
"""The least contrast between the title and its ground."""
SIDE, TOP = 14.0, 20.0
PIECES, LEAST_PIECE = 0.44, 20.0
"""Top of the pieces on a cover without a picture, as part of its height, and their least height."""
MOST_PIECES, PART, STEP = 3, 5.0, 6.0
"""Most pieces on a cover without a picture, the gap between them, and how much lower each is, in millimetres."""
SIZES = (46.0, 40.0, 34.0, 29.0, 24.0, 20.0)
"""Sizes of the title in points; the first that fits is used."""


def draw_cover(pen: Pen, setter: Setter, info: GameFile, wide: float, high: float) -> None:
    """Draw the complete page. A game without a picture has its title on a page in its first ink."""
    composer = pen.looks.composer
    art = find_cover_art(composer.game, composer)
    scale = (wide + 2 * OVER) / art.stock.width if art else 0.0
    tall = art.stock.height * scale - OVER if art else 0.0
    is_full = composer.inks == "full"
    ground = (ground_of(art) if art else next(iter(info.palette.values()), DARK)) if is_full else WHITE
    fill = PAPER if is_full and contrast(PAPER, ground) >= LEAST else "ink"
    with pen.decoration():
        pen.box(0, 0, wide, high, ground)
        for at, long in enumerate(GOUGES):
            pen.canvas.emit(_gouge(pen, wide, high - tall, at, long, fill))
    tagline = stacked(_tagline(setter, info, fill, wide))
    foot = high - tall if art else PIECES * high
    title = _title(setter, info.title, wide - 2 * SIDE, foot - TOP - tagline.height - 14, fill)
    title.draw(pen, SIDE, TOP)
    below: float = TOP + title.height + 4
    tagline.draw(pen, SIDE, below)
    below += tagline.height + 3
    for line in facts_of(info):
        said = stacked(setter.paragraph(Block(literal(line)), SMALL._replace(fill=fill), wide - 2 * SIDE))
        said.draw(pen, SIDE, below)
        below += said.height
    if art is None:
        _draw_pieces(pen, wide, high, max(foot, below + 8))
    if art:
        pen.art(Art(art.stock.width, art.stock.height, art.name, art.alt, lambda _: art), -OVER, high - tall, scale)


def _tagline(setter: Setter, info: GameFile, fill: str, wide: float) -> list[Slab]:
    """Draw the line below the title, if the game has one."""
    if info.tagline is None:
        return []
    return setter.paragraph(Block(literal(info.tagline)), TAGLINE._replace(fill=fill), wide - 2 * SIDE)


def _draw_pieces(pen: Pen, wide: float, high: float, top: float) -> None:
    """Draw the pieces that represent a game without a picture, side by side, each a little lower."""
    looks, game = pen.looks, pen.looks.composer.game
    first = [row.id for row in game.components[game.info.decks[0].id]]
    named = game.info.cover or tuple(first[:MOST_PIECES])
    shown = [looks.faces[f"{id_}-front"] for id_ in named if f"{id_}-front" in looks.faces][:MOST_PIECES]
    rest = high - top - STEP * len(shown) - 12
    if not shown or rest < LEAST_PIECE:
        return
    room = (wide - 2 * SIDE - PART * (len(shown) - 1)) / len(shown)
    for number, face in enumerate(shown):
        scale = min(room / face.stock.width, 0.34 * high / face.stock.height, rest / face.stock.height)
        x = SIDE + number * (room + PART) + (room - face.stock.width * scale) / 2
        pen.art(piece_art(face), x, top + STEP * number, scale)


def facts_of(info: GameFile) -> list[str]:
    """Return the number of players, the playing time, and whether the game is a draft."""
    counts = {"players": info.players, "minutes": info.minutes}
    told = ", ".join(WORDS[kind].format(count) for kind, count in counts.items() if count is not None)
    line = " · ".join(filter(None, [told, WORDS["draft"] if info.draft else ""]))
    return [line] if line else []


TAGLINE = Type(font=SERIF_ITALIC, size=13, leading=5.8, filled=False, look=PLAIN)
SMALL = Type(size=8, leading=3.8, filled=False, look=PLAIN)
GOUGES = (26, 17, 31, 12, 22, 9, 28, 15, 20, 11)
"""Lengths of the gouge cuts beside the title, in millimetres."""


def _gouge(pen: Pen, wide: float, foot: float, at: int, long: float, fill: str) -> str:
    """Return the path of a cut from the right edge with a tapered end."""
    y = 6.0 + (foot - 12.0) * at / (len(GOUGES) - 1)
    start, end = (wide + 1) * MM, (wide - long * 0.55) * MM
    middle, thick = pen.y(y), 0.45 * MM
    return (
        f"{colour(pen.paint(fill))} rg {start:.2f} {middle - thick:.2f} m {end:.2f} {middle:.2f} l "
        f"{start:.2f} {middle + thick:.2f} l h f"
    )


def _title(setter: Setter, title: str, room: float, height: float, fill: str) -> Slab:
    """Set the title in the largest size that fits."""
    for size in SIZES:
        type_ = Type(SERIF_BLACK, size, size * 0.372, 0.0, False, fill, PLAIN)
        found = stacked(setter.paragraph(Block(literal(title)), type_, room, kind="P"))
        words = setter.words(literal(title), type_)
        if found.height <= height and max(word.width for word in words) * type_.em <= room:
            break
    return found
