"""One module per game, found by its name: the content folder `were-kittens` is played by `games.were_kittens`."""

from __future__ import annotations

import importlib
import importlib.util
from typing import cast

from grimalkin.engine.contract import GameModule


def find_game(name: str) -> GameModule | None:
    """The module that plays a game, or None when the game has no engine."""
    module = f"{__name__}.{name.replace('-', '_')}"
    if not name.replace("-", "_").isidentifier() or importlib.util.find_spec(module) is None:
        return None
    return cast(GameModule, importlib.import_module(module))
