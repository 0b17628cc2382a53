"""What a game draws of itself, as faces: its table in a position, and the picture of its cover.

Its table is `table.svg.j2`: the template gets `position`, the names of the seats to draw as `shown`, and a stock 120 mm
wide whose height is what game.yaml says under `table`: by default 30 mm for the middle of the table and 30 mm for every
seat that is shown. All are shown, but for a game that says `rows: yes` there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grimalkin.content import Game
from grimalkin.content.stocks import Stock
from grimalkin.face.compose import Composer, Face
from grimalkin.problems import Place, Stop, shown_path

TEMPLATE = "table"
WIDTH = 120
COVER = "cover"
ART = Stock(name="Picture of a cover", shape="rectangle", width=120, height=90, bleed=0, safe=0)
"""What the template `cover.svg.j2` of a game fills."""


def draws_table(composer: Composer) -> bool:
    """Whether the game has a template for its table."""
    return any((folder / f"{TEMPLATE}.svg.j2").is_file() for folder in composer.folders)


def find_cover_art(game: Game, composer: Composer) -> Face | None:
    """The game's own picture, when it has one. A fault of it is a problem of the composer."""
    own = composer.folders[:-1]  # the last folder is shared by all games
    if not any((folder / f"{COVER}.svg.j2").is_file() for folder in own):
        return None
    alt = f"Cover picture of {game.info.title}" + (f": {game.info.tagline}" if game.info.tagline else "")
    return composer.compose(COVER, f"{COVER}-front", game.info.title, alt, ART, {})


def table_stock(game: Game, position: Mapping[str, Any], seats: Sequence[str] = ()) -> Stock:
    """How large the table in a position is drawn, or the middle of it with some of its seats."""
    size = game.info.table
    height = size.middle + size.seat * len(seats or position.get("seats", ()))
    return Stock(name="Table", shape="rectangle", width=WIDTH, height=height, bleed=0, safe=0)


def table_face(composer: Composer, position: Mapping[str, Any], alt: str, seats: Sequence[str] = ()) -> Face:
    """The table as it is in a position, with some of its seats or all. A fault of the template stops the command."""
    stock = table_stock(composer.game, position, seats)
    shown = list(seats or position.get("seats", ()))
    face = composer.compose(TEMPLATE, TEMPLATE, TEMPLATE, alt, stock, {}, position=position, shown=shown)
    if face and seats and face.asked is not None and "shown" not in face.asked:
        message = f"{TEMPLATE}.svg.j2 draws all seats, and there is room for some of them only"
        hint = "let it draw those in `shown`, or take `rows: yes` away"
        composer.problems.add(Place(shown_path(composer.game.folder / "game.yaml")), message, hint)
        face = None
    if face is None:
        raise Stop(composer.problems)
    return face
