"""Sources in, a Game out: what the files of a game say, checked, as frozen models.

`load_game` reads a folder and tells every problem of every file in one go. `replay_all` runs the examples and
playthroughs through the game's engine and gives their Traces.
"""

from grimalkin.content.game import Game, facts_in, load_game
from grimalkin.content.proof import Coverage, coverage, prove, replay_all, replay_script
from grimalkin.content.scripts import read_playthrough
from grimalkin.content.variants import as_variant, find_variants

__all__ = [
    "Coverage",
    "Game",
    "as_variant",
    "coverage",
    "facts_in",
    "find_variants",
    "load_game",
    "prove",
    "read_playthrough",
    "replay_all",
    "replay_script",
]
