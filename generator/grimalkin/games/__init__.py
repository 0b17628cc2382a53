"""One module per game, found by its name: the content folder `were-kittens` is played by `games.were_kittens`.

Games of other installed distributions are found by their names too: see `grimalkin.engine.outside`.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, cast

from grimalkin.engine.outside import Outside, find_outside, guarded, is_ours, outside_games, plays, whole

if TYPE_CHECKING:
    from grimalkin.engine.contract import Checks, GameModule

__all__ = ["Outside", "find_checks", "find_game", "find_outside", "guarded", "is_ours", "outside_games"]


def find_game(name: str) -> GameModule | None:
    """Return the module that plays a game, or None if the game has no engine.

    Raises Stop when an engine of another distribution cannot be used.
    """
    module = find_checks(name)
    return cast("GameModule", module) if module is not None and plays(module) else None


def find_checks(name: str) -> Checks | None:
    """Return the module that knows the pieces of a game, whether or not it plays it yet."""
    if is_ours(name):
        return _ours(name)
    outside = find_outside(name)
    return outside.engine() if outside is not None else None


@cache
def _ours(name: str) -> Checks:
    return whole(importlib.import_module(f"{__name__}.{name.replace('-', '_')}"))
