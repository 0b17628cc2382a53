"""Turn a complete map into a Face for screens; it is not printed on sheets.

Printed sheets show a map in parts. The game's template `whole-map.svg.j2`, or the shared one, draws all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from grimalkin.content.maps import Map, square_at
from grimalkin.content.stocks import Stock
from grimalkin.printing.face.compose import Composer
from grimalkin.printing.face.layers import Face

TEMPLATE: Final = "whole-map"
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
    own = any((folder / f"{TEMPLATE}.svg.j2").is_file() for folder in composer.folders)
    around = 2 * MARGIN if columns else 0
    width, height = (side * SQUARE + around for side in (drawn.columns, drawn.rows))
    stock = Stock(name=drawn.name, shape="rectangle", width=width, height=height, bleed=0, safe=0)
    facts = {**drawn.facts(), "columns": drawn.columns, "rows": drawn.rows, "looks": drawn.looks()}
    marks = composer.game.info.maps.marks if composer.game.info.maps else {}
    lettered = [
        {"letter": letter, "column": at[0], "row": at[1]}
        for square, letter in drawn.marks.items()
        if (at := square_at(square))
    ]
    kinds = {letter: marks[letter].model_dump() if letter in marks else {} for letter in drawn.marks.values()}
    more: dict[str, Any] = {"map": facts, "columns": columns, "lettered": lettered, "marks": kinds}
    template = TEMPLATE if own else f"base/{TEMPLATE}"
    return composer.compose(template, f"{drawn.id}-map", drawn.name, alt, stock, {}, **more)
