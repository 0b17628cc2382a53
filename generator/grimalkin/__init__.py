"""Grimalkin: sheets to print, a rules site and a rules engine, from one set of content files.

From Python, `grimalkin.open("werecats")` returns a game to play and to ask: see the guide, "Grimalkin from Python".
This package imports nothing by itself, so that `engine` and `games` run on a bare Python; the names below are imported
when they are first used.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False  # importing it from `typing` would take longer than everything else
if TYPE_CHECKING:
    from grimalkin.engine.chance import ChanceError as ChanceError
    from grimalkin.engine.shape import Misfit as Misfit
    from grimalkin.engine.shape import Misfits as Misfits
    from grimalkin.engine.words import Ambiguous as Ambiguous
    from grimalkin.engine.words import Event as Event
    from grimalkin.engine.words import Line as Line
    from grimalkin.engine.words import NotAMove as NotAMove
    from grimalkin.engine.words import Over as Over
    from grimalkin.engine.words import Refusal as Refusal
    from grimalkin.engine.words import Refused as Refused
    from grimalkin.engine.words import Result as Result
    from grimalkin.engine.words import Score as Score
    from grimalkin.engine.words import TooFar as TooFar
    from grimalkin.engine.words import Unreadable as Unreadable
    from grimalkin.play.table import Game as Game
    from grimalkin.play.table import Law as Law
    from grimalkin.play.table import Table as Table
    from grimalkin.play.table import open_game
    from grimalkin.problems import Stop as Stop

    open = open_game

_HOMES = {
    "ChanceError": "engine.chance",
    "Misfit": "engine.shape",
    "Misfits": "engine.shape",
    "Ambiguous": "engine.words",
    "Event": "engine.words",
    "Line": "engine.words",
    "NotAMove": "engine.words",
    "Over": "engine.words",
    "Refusal": "engine.words",
    "Refused": "engine.words",
    "Result": "engine.words",
    "Score": "engine.words",
    "TooFar": "engine.words",
    "Unreadable": "engine.words",
    "Stop": "problems",
    "Game": "play.table",
    "Law": "play.table",
    "Table": "play.table",
    "open": "play.table",
}
"""The module of each name in the Python interface."""


if not TYPE_CHECKING:  # a type checker would otherwise accept any name

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        # It is called `open` only here: inside our modules, that name stays Python's own.
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), "open_game" if name == "open" else name)


def __dir__() -> list[str]:
    return sorted({*_HOMES, "__version__"})
