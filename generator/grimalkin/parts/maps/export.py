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
Each map becomes a file in the Universal VTT format, which Foundry, Owlbear Rodeo, MapTool, Roll20 and Fantasy Grounds
read: the map as it is drawn, with walls that block sight and doors that open.

All doors are closed, because Foundry, Roll20 and Fantasy Grounds take an open one for a window, which nobody can walk
through or open. Owlbear Rodeo and MapTool understand open doors: --doors drawn.

examples:
  grimalkin export uvtt cats-of-new-orleans
  grimalkin export uvtt cats-of-new-orleans --doors drawn
"""


def _add(uvtt: argparse.ArgumentParser) -> None:
    uvtt.add_argument(
        "--doors",
        choices=["closed", "drawn"],
        default="closed",
        help="closed: all are closed; drawn: open doors stay open, for Owlbear Rodeo and MapTool (default: closed)",
    )


def _uvtt(options: argparse.Namespace, game: Game, problems: Problems) -> Maker:
    from grimalkin.parts.maps.uvtt import export_uvtt, maps_of, open_doors
    from grimalkin.printing.draw.stocks import composer_of

    if not game.maps:
        problems.add(game.own_place, f"{game.info.title} has no maps", "a map is a file maps/NAME.txt")
    drawn = maps_of(composer_of(game, problems), framed=False)
    as_drawn = options.doors == "drawn"
    count = 0 if as_drawn else open_doors(game.maps)
    verb, them = ("is", "it") if count == 1 else ("are", "them")
    remark = f"{how_many(count, 'open door')} {verb} closed in these files; open {them} at the table"
    return lambda new, _: [
        how_many(export_uvtt(game.maps, drawn, new, as_drawn), "map"),
        *([remark] if count else []),
    ]


KINDS = (Kind("uvtt", "Make the maps for virtual tables, with walls and doors", _UVTT, _uvtt, _add),)
