"""Everything that the site shows of one game, as made by earlier steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grimalkin.content import Coverage, Game
from grimalkin.content.models import Component, value_of
from grimalkin.content.texts.references import ASKED, first_mark, plain_words
from grimalkin.engine.replay import Trace
from grimalkin.printing.face import Composer, Face
from grimalkin.source.reuse import Reuse


@dataclass(frozen=True)
class Shown:
    """Everything that the site shows of one game."""

    game: Game
    traces: Mapping[str, Trace]
    proof: Coverage
    composer: Composer
    faces: Mapping[str, Face]
    """Faces by id, such as "penny-front"."""
    sheets: Mapping[str, bytes]
    """PDFs by file name, such as "were-kittens-a4.pdf"; the site has a copy, so that it is complete."""
    book: Mapping[str, int] = field(default_factory=dict)
    """The rulebook page of each rule and ruling."""
    reuse: Reuse = field(default_factory=Reuse)
    """The pictures of an earlier build."""
    looks: str = ""
    """A digest of everything that pictures are made from, apart from what their templates read of the game."""

    keep: Callable[[str, str | bytes], str | bytes | Path] = lambda _, data: data
    """Called with the path and content of each picture and download as it is made; returns what stands for it."""

    def kept(self, path: str, data: str | bytes) -> str | bytes | Path:
        """Return what stands for a picture or download among the pages of the game."""
        return self.keep(f"{self.game.name}/{path}", data)

    def place_of(self, path: str) -> str:
        """Return where a build puts a file of the game's part of the site, relative to the output folder."""
        return f"site/{self.game.name}/{path}"

    def holds(self, row: Component | None = None, medium: str = "pages") -> Callable[[str], bool]:
        """Return a function that says whether a condition in a text holds in this medium, in all inks; for a text of a
        component, or of none."""
        filled = self.composer.asked_of(row.id) if row else {}
        return lambda name: name in (medium, "full") if name in ASKED else filled.get(name, False)

    def plain_cell(self, row: Component, name: str) -> object:
        """Return the value of a cell; for a text, without its markup, with icons and references as words."""
        value = value_of(row, name)
        if not isinstance(value, str) or not first_mark(value):
            return value
        return plain_words(value, self.composer.words_of, self.holds(row))
