"""What the site shows of one game: everything that earlier steps made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from grimalkin.content import Coverage, Game
from grimalkin.content.models import Component, value_of
from grimalkin.content.references import ASKED, first_mark, plain_words
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
    book: Mapping[str, int] = field(default_factory=dict)
    """The page of the rulebook on which each rule and ruling stands."""

    def holds(self, row: Component | None = None, medium: str = "pages") -> Callable[[str], bool]:
        """Whether what a text asks for holds in this medium, in all inks: a text of a component, or of no component."""
        filled = self.composer.asked_of(row.id) if row else {}
        return lambda name: name in (medium, "full") if name in ASKED else filled.get(name, False)

    def plain_cell(self, row: Component, name: str) -> object:
        """What a cell holds; a text without its marks, its icons and references as words."""
        value = value_of(row, name)
        if not isinstance(value, str) or not first_mark(value):
            return value
        return plain_words(value, self.composer.words_of, self.holds(row))
