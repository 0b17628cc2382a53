"""Make the files of a game's rulebook: set it once, and draw it in every form and in all requested inks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from grimalkin.content import Game
from grimalkin.content.stocks import Paper
from grimalkin.engine.replay import Trace
from grimalkin.printing.face import Composer, Face

if TYPE_CHECKING:
    from grimalkin.printing.book.forms import Kind
    from grimalkin.printing.book.make import Book

PRINTED: tuple[Kind, ...] = ("booklet", "pages")
"""The forms that go with the sheets; the form for screens has its own place."""
FOLDER = "rulebooks"


def place_of(name: str) -> str:
    """Return where a build puts a game's book, relative to the output folder."""
    return f"{FOLDER}/{name}.pdf"


class Rulebook:
    """The book of a game in all inks. `pages` are the addresses of rules on the site, from the game's folder there.

    Raises Stop if a template used in it has faults.
    """

    def __init__(
        self,
        game: Game,
        traces: Mapping[str, Trace],
        composer: Composer,
        faces: Mapping[str, Face],
        pages: Mapping[str, str],
    ) -> None:
        from grimalkin.printing.book.art import Looks
        from grimalkin.printing.book.make import make
        from grimalkin.printing.book.writer import Material

        self.game = game
        self.material = Material(game, traces, Looks(composer, faces), pages)
        self.book: Book = make(self.material, composer.inks)
        composer.problems.stop()

    @property
    def pages(self) -> dict[str, int]:
        """Return the page number of every rule and ruling."""
        return {id_: page for id_, page in self.book.where.items() if id_ in self.game.laws}

    def screen(self, composer: Composer, faces: Mapping[str, Face], site: str) -> bytes:
        """Return the book for screens, with links to the site."""
        (book,) = self.files(composer, faces, {}, ["screen"], site).values()
        return book

    def files(
        self,
        composer: Composer,
        faces: Mapping[str, Face],
        papers: Mapping[str, Paper],
        kinds: Sequence[Kind],
        site: str = "",
    ) -> dict[str, bytes]:
        """Return the book in a composer's inks, in these forms. `site` is the address of the game's folder."""
        from grimalkin.printing.book.art import Looks
        from grimalkin.printing.book.forms import forms_of
        from grimalkin.printing.book.make import book_pdf, make

        first = self.material.looks
        looks = first if composer is first.composer else Looks(composer, faces)
        book = self.book if looks is first or not self.book.asks_inks else make(self.material, composer.inks)
        inks = "" if composer.inks == "full" else f"-{composer.inks}"
        made = {
            f"{self.game.name}-rulebook{form.ending}{inks}.pdf": book_pdf(book, looks, form, site)
            for form in forms_of(papers, kinds)
        }
        composer.problems.stop()
        return made
