"""A game's drawings of itself, as faces: its table in a position, its cover picture, and its maps as a whole.

The template `table.svg.j2` draws the table. It gets `position`, the names of the seats to draw as `shown`, and a stock
120 mm wide. Its height comes from `table` in game.yaml: by default 30 mm for the middle of the table and 30 mm for
every seat shown. All seats are shown, except in a game with `rows: yes` there.

Printed sheets show a map in parts. The game's template `whole-map.svg.j2`, or the shared one, draws all of it for
screens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from lxml import etree

from grimalkin.content import Game
from grimalkin.content.face_templates import TEMPLATE
from grimalkin.content.maps import Map
from grimalkin.content.squares import square_at
from grimalkin.content.stocks import Stock
from grimalkin.printing.face.callouts import Finder
from grimalkin.printing.face.compose import Composer
from grimalkin.printing.face.layers import Face, Layer
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.face.svg.xml import Element
from grimalkin.problems import Place, Stop, shown_path

TABLE = "table"
WIDTH = 120
MOST_TABLES = 500
"""Pictures of positions in memory. Beyond this limit all are dropped."""
COVER = "cover"
ART = Stock(name="Picture of a cover", shape="rectangle", width=120, height=90, bleed=0, safe=0)
"""The stock of the game's template `cover.svg.j2`."""
WORDMARK = "wordmark"
_NUMBER = r"-?\d{1,5}(?:\.\d+)?"
_VIEW = re.compile(rf"""<svg\b[^>]*\sviewBox=["']\s*({_NUMBER}(?:[\s,]+{_NUMBER}){{3}})\s*["']""")


def draws_table(composer: Composer) -> bool:
    """Return whether the game has a template for its table."""
    return composer.has_template(TABLE)


def find_cover_art(game: Game, composer: Composer, titled: bool = True) -> Face | None:
    """Return the game's own picture, if it has one. The composer reports any fault in it.

    With `titled`, the template may draw the title in the picture; without, the title is printed above it.
    """
    if not composer.has_template(COVER):
        return None
    alt = f"Cover picture of {game.info.title}" + (f": {game.info.tagline}" if game.info.tagline else "")
    return composer.compose(COVER, f"{COVER}-front", game.info.title, alt, ART, {}, titled=titled)


class Wordmark(NamedTuple):
    """The title of a game as it draws it, and the `viewBox` around it: left, top, width and height."""

    face: Face
    view: tuple[float, float, float, float]


def find_wordmark(game: Game, composer: Composer) -> Wordmark | None:
    """Return the title as the game's template `wordmark.svg.j2` draws it, if it has one.

    The composer reports any fault in it.
    """
    if not composer.has_template(WORDMARK):
        return None
    text, file = composer.source_of(WORDMARK)
    found = _VIEW.search(text)
    left, top, width, height = map(float, found[1].replace(",", " ").split()) if found else (0.0,) * 4
    if width <= 0 or height <= 0:
        message = f"the title drawn in {WORDMARK}.svg.j2 has no size"
        hint = 'write <svg viewBox="0 0 120 30">, with numbers only'
        composer.problems.add(Place(shown_path(Path(file))), message, hint)
        return None
    face = composer.compose(WORDMARK, f"{WORDMARK}-front", game.info.title, game.info.title, ART, {})
    box = Finder.of(face).box if face else None
    if face and not (box and box[0] < left + width and left < box[2] and box[1] < top + height and top < box[3]):
        message = f"{WORDMARK}.svg.j2 draws nothing in its viewBox, so nobody would see the title"
        composer.problems.add(Place(shown_path(Path(file))), message, "draw the title there, or remove the template")
        return None
    return Wordmark(face, (left, top, width, height)) if face else None


def has_title(composer: Composer) -> bool:
    """Return whether the game's cover picture, which is composed already, has the title in it: then its template uses
    that of the title."""
    used = composer.templates_of(f"{COVER}{TEMPLATE}")
    return any(name.rpartition("/")[2] == f"{WORDMARK}{TEMPLATE}" for name in used)


def find_drawn_title(game: Game, composer: Composer, fill: str) -> Face | None:
    """Return the title as the game draws it, 120 mm wide, with this colour where its template names none."""
    mark = find_wordmark(game, composer)
    if mark is None:
        return None
    left, top, wide, high = mark.view
    scale = WIDTH / wide
    stock = Stock(name="Title", shape="rectangle", width=WIDTH, height=round(high * scale, 2), bleed=0, safe=0)
    move = f"scale({scale:.6g}) translate({-left:g} {-top:g})"
    return replace(mark.face, stock=stock, content=tuple(_inked(layer, fill, move) for layer in mark.face.content))


def _inked(layer: Layer, fill: str, move: str) -> Layer:
    group: Element = etree.Element(f"{{{SVG}}}g", {"fill": fill, "transform": move})
    group.append(deepcopy(layer.element))
    return replace(layer, element=group, look=layer.look + f"{fill} {move}".encode(), shared=False)


def table_stock(game: Game, position: Mapping[str, Any], seats: Sequence[str] = ()) -> Stock:
    """Return the stock for the table in a position, or for its middle with some of its seats."""
    size = game.info.table
    height = size.middle + size.seat * len(seats or position.get("seats", ()))
    return Stock(name="Table", shape="rectangle", width=WIDTH, height=height, bleed=0, safe=0)


def table_face(composer: Composer, position: Mapping[str, Any], alt: str, seats: Sequence[str] = ()) -> Face:
    """Return the table in a position, with some or all of its seats. A fault in the template stops the command."""
    stock = table_stock(composer.game, position, seats)
    shown = list(seats or position.get("seats", ()))
    key = json.dumps([position, [*seats]], default=str)  # templates see the order
    if key in composer.tables:
        known, reads = composer.tables[key]
        composer.reads.add(reads)
        return replace(known, alt=alt)
    with composer.reads.noted() as reads:
        face = composer.compose(TABLE, TABLE, TABLE, alt, stock, {}, position=position, shown=shown)
    if face and seats and face.asked is not None and "shown" not in face.asked:
        message = f"{TABLE}.svg.j2 draws all seats, but there is room for only some of them"
        hint = "draw only those in `shown`, or remove `rows: yes`"
        composer.problems.add(Place(shown_path(composer.game.folder / "game.yaml")), message, hint)
        face = None
    if face is None:
        raise Stop(composer.problems)
    if len(composer.tables) >= MOST_TABLES:
        composer.tables.clear()
    composer.tables[key] = face, reads
    return face


# Maps


WHOLE_MAP: Final = "whole-map"
SQUARE: Final = 25
"""The side of a square in millimetres, as maps are drawn and printed."""
MARGIN: Final = 10
"""The margin in millimetres around the squares, for column letters and row numbers."""
MOST_SQUARES: Final = 800
"""The limit for a map in one picture: a larger one exceeds the turns of a template, and is illegible on a screen."""


def is_drawn_whole(drawn: Map) -> bool:
    """Return whether a map is small enough for one picture."""
    return drawn.columns * drawn.rows <= MOST_SQUARES


def whole_map(composer: Composer, drawn: Map, alt: str, columns: Sequence[str]) -> Face | None:
    """Return a map as one face. `columns` are the names of its columns; without them the squares have no margin.

    Return None if its template has a fault, which the composer reports.
    """
    around = 2 * MARGIN if columns else 0
    width, height = (side * SQUARE + around for side in (drawn.columns, drawn.rows))
    stock = Stock(name=drawn.name, shape="rectangle", width=width, height=height, bleed=0, safe=0)
    marks = composer.game.info.maps.marks if composer.game.info.maps else {}
    lettered = [
        {"letter": letter, "column": at[0], "row": at[1]}
        for square, letter in drawn.marks.items()
        if (at := square_at(square))
    ]
    kinds = {letter: marks[letter].model_dump() if letter in marks else {} for letter in drawn.marks.values()}
    more: dict[str, Any] = {"map": drawn.shown(), "columns": columns, "lettered": lettered, "marks": kinds}
    return composer.compose(composer.own_or_shared(WHOLE_MAP), f"{drawn.id}-map", drawn.name, alt, stock, {}, **more)
