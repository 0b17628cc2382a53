"""What the site shows of one game: everything that earlier steps made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grimalkin.content import Coverage, Game
from grimalkin.engine.replay import Trace
from grimalkin.face import Composer, Face


@dataclass(frozen=True)
class Shown:
    """What the site shows of one game."""

    game: Game
    traces: Mapping[str, Trace]
    proof: Coverage
    composer: Composer
    faces: Mapping[str, Face]
    """By face id, as in "penny-front"."""
    sheets: Mapping[str, bytes]
    """PDF by file name, as in "were-kittens-a4.pdf"; the site carries a copy, so that it is whole."""
