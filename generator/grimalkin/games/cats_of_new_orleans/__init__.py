"""The Cats of New Orleans: heroes against vermin on square maps, a whole campaign of it.

So far the game is words: `phrases` is the table by which its sentences are read, and `facts` checks what its pieces,
powers and scenarios say. Nothing plays it yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from grimalkin.games.cats_of_new_orleans.facts import check_facts

PLAYS: Final = False

__all__ = ["PLAYS", "check_facts"]

if TYPE_CHECKING:
    from grimalkin.engine.contract import Checks
    from grimalkin.games import cats_of_new_orleans

    _this: Checks = cats_of_new_orleans
