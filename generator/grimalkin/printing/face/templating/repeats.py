"""Keep what macros of imported templates return: they get nothing but their arguments, which often come back.

Drawings, in particular, are the same in all inks, on every copy of a card and in most positions of a game. A text that
is kept costs as many turns as it did the first time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jinja2.runtime import Macro
from markupsafe import Markup

from grimalkin.source.tables import Number

MOST_KEPT = 8_000_000
"""The limit for the characters of all that is kept. Beyond it everything is dropped; frequent texts are soon back."""
MOST_VALUES = 100
"""The limit for the arguments of a call, with everything in them."""
MOST_LETTERS = 100
"""The limit for the characters of a text among them."""
_PLAIN = frozenset([int, float, bool, type(None), Number])
_TEXTS = frozenset([str, Markup])
_LISTS = frozenset([list, tuple])


class Repeats:
    """Texts that macros returned, with their turns, by macro and by arguments."""

    def __init__(self) -> None:
        self.texts: dict[Macro, dict[str, tuple[str, int]]] = {}
        self.size = 0

    def add(self, macros: Iterable[object]) -> None:
        """Keep what these macros return from now on."""
        self.texts.update((macro, {}) for macro in macros if isinstance(macro, Macro))

    def keep(self, macro: Macro, key: str, text: str, turns: int) -> None:
        self.size += len(key) + len(text)
        if self.size > MOST_KEPT:
            self.size = 0
            for kept in self.texts.values():
                kept.clear()
        else:
            self.texts[macro][key] = text, turns


def key_of_call(args: tuple[Any, ...], more: Mapping[str, Any]) -> str | None:
    """Return a text that is the same only for the same arguments; None if they are not short, plain values.

    >>> key_of_call((1, [1.0, -0.0]), {"a": "b"}), key_of_call((object(),), {}), key_of_call((["a" * 999],), {})
    ("(1, [1.0, -0.0]){'a': 'b'}", None, None)
    """
    values = [*args, *more.values()]
    for value in values:
        kind = type(value)
        if kind in _LISTS and len(values) + len(value) <= MOST_VALUES:
            values += value
        elif kind not in _PLAIN and not (kind in _TEXTS and len(value) <= MOST_LETTERS):
            return None
    return f"{args}{more}"
