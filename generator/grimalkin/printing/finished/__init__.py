"""Read a folder of finished pictures as a Game, so that the code that prints games can also print pictures."""

from grimalkin.printing.finished.cards import has_pictures, id_of, named
from grimalkin.printing.finished.fitting import Ways
from grimalkin.printing.finished.game import Read, game_name, read_pictures

__all__ = ["Read", "Ways", "game_name", "has_pictures", "id_of", "named", "read_pictures"]
