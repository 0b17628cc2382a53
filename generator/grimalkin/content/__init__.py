"""Sources in, a Game out: what the files of a game say, checked, as frozen models.

`load_game` reads a folder and tells every problem of every file in one go. `replay_all` runs the examples and
playthroughs through the game's engine and gives their Traces.
"""

from grimalkin.content.game import Game, load_game
from grimalkin.content.proof import Coverage, coverage, prove, replay_all, replay_script
from grimalkin.content.scripts import read_playthrough

__all__ = ["Coverage", "Game", "coverage", "load_game", "prove", "read_playthrough", "replay_all", "replay_script"]
