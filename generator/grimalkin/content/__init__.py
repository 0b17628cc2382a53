"""Read the files of a game, check them, and return a Game: frozen models.

`load_game` reads a folder and reports every problem in every file together. `replay_all` runs the examples and
playthroughs through the game's engine and returns their Traces.
"""

import importlib
from typing import TYPE_CHECKING

from grimalkin.content.game import Game
from grimalkin.content.loader import facts_in, load_game, whole_game
from grimalkin.content.print_runs import as_scenario, as_variant, find_scenario, find_variants

if TYPE_CHECKING:
    from grimalkin.content.proof import Coverage, coverage, prove, replay_all, replay_script
    from grimalkin.content.scripts import read_playthrough

__all__ = [
    "Coverage",
    "Game",
    "as_scenario",
    "as_variant",
    "coverage",
    "facts_in",
    "find_scenario",
    "find_variants",
    "load_game",
    "prove",
    "read_playthrough",
    "replay_all",
    "replay_script",
    "whole_game",
]

_LATER = dict.fromkeys(("Coverage", "coverage", "prove", "replay_all", "replay_script"), "proof")
_LATER["read_playthrough"] = "scripts"


def __getattr__(name: str) -> object:
    """Import what replays games only when it is used: printing sheets needs none of it."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
