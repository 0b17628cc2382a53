"""Export the maps of a game for virtual tables."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from grimalkin.cli.export import Kind, Maker
from grimalkin.problems import Problems
from grimalkin.problems.plain import how_many

if TYPE_CHECKING:
    from grimalkin.content import Game

_UVTT = """\
Each map becomes a file in the Universal VTT format, which Foundry and other virtual tables read: the map as it is
drawn, with walls that block sight and doors that open.

example:
  grimalkin export uvtt cats-of-new-orleans
"""


def _uvtt(_options: argparse.Namespace, game: Game, problems: Problems) -> Maker:
    from grimalkin.parts.maps.uvtt import export_uvtt, maps_of
    from grimalkin.printing.draw.stocks import composer_of

    if not game.maps:
        problems.add(game.own_place, f"{game.info.title} has no maps", "a map is a file maps/NAME.txt")
    drawn = maps_of(composer_of(game, problems), framed=False)
    return lambda new, _: [how_many(export_uvtt(game.maps, drawn, new), "map")]


KINDS = (Kind("uvtt", "Make the maps for virtual tables, with walls and doors", _UVTT, _uvtt),)
