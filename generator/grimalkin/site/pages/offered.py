"""Arrange the printable files of a game for its pages: each with its purpose, under the part of the game it belongs
to."""

from __future__ import annotations

from typing import Any

from grimalkin.content.models import Book
from grimalkin.content.stocks import load_papers
from grimalkin.printing.draw.packing import count_pages
from grimalkin.printing.draw.raster import page_png, size_of
from grimalkin.problems import Problems
from grimalkin.problems.plain import listed
from grimalkin.site.pages.downloads import (
    Download,
    book_name,
    book_of,
    form_of,
    is_quick,
    paper_name,
    particulars,
    rulebook_kind,
    rulebook_name,
    scenario_of,
    together,
    variants_of,
)
from grimalkin.site.pages.links import Words, gathered
from grimalkin.site.pages.shown import Shown

FORMS = ("screen", "booklet", "pages")
"""Forms of the rulebook, most popular first."""


THUMBS = {"screen": (0, 120), "booklet": (-1, 200), "pages": (3, 120)}
"""The page (from 0) that represents each form, and the width of its thumbnail in CSS pixels."""


class Offered:
    """The printable files of a game. `files` has all of them by name."""

    def __init__(self, shown: Shown, words: Words) -> None:
        self.shown = shown
        self.game = shown.game
        self.words = words
        self.papers = load_papers(shown.game.folder, Problems())
        self.files = {
            name: Download(self.title(name), name, count_pages(data), max(1, round(len(data) / 1000)))
            for name, data in shown.sheets.items()
        }
        self.rulebooks = {name: kind for name in self.files if (kind := self.rulebook_kind(name))}
        """Files of the rulebook, with the form of each."""
        pieces = {
            name
            for name in self.files
            if name not in self.rulebooks and not self.book_of(name) and form_of(name) not in self.game.by_id
        }
        self.of_scenarios = gathered((scenario_of(name), one) for name, one in self.files.items() if name in pieces)
        self.forms = [id_ for id_ in dict.fromkeys(map(form_of, self.files)) if id_ in self.game.by_id]
        """Components to fill in on screen."""
        self.has_books = any(self.book_of(name) for name in self.files)
        self.has_quick = any(is_quick(name) for name in self.files)

    def rulebook_kind(self, name: str) -> str:
        return rulebook_kind(name, self.game.name, self.papers)

    def book_of(self, name: str) -> Book | None:
        return book_of(name, self.game.info.books, self.papers)

    def title(self, name: str) -> str:
        """Return the title of a file: sheets on a paper, a book, or a form."""
        if self.rulebook_kind(name):
            return rulebook_name(name, self.game.name, self.papers, self.words)
        book = self.book_of(name)
        if book:
            return book_name(name, book, self.papers, self.words)
        form = form_of(name)
        if form in self.game.by_id:
            return ", ".join([self.game.by_id[form].name, *particulars(name, self.words)])
        variants = {variant.id: variant.name for variant in self.game.info.variants}
        return paper_name(name, self.game.name, self.papers, variants, self.words)

    def groups(self) -> dict[str, Any]:
        """Return the files as their page lists them."""
        variants = {variant.id: variant for variant in self.game.info.variants}
        whole: dict[str, list[Download]] = {"": [], **{id_: [] for id_ in variants}}
        numbers = {one.number for one in self.game.scenarios}
        books: dict[str, list[Download]] = {book.id: [] for book in self.game.info.books}
        forms: list[Download] = []
        cards: list[Download] = []
        for name, one in self.files.items():
            if name in self.rulebooks:
                continue
            book, number = self.book_of(name), scenario_of(name)
            if book:
                books[book.id].append(one)
            elif form_of(name) in self.game.by_id:
                forms.append(one)
            elif is_quick(name):
                cards.append(one)
            elif number not in numbers:  # sheets with several variants are listed under the first
                whole[next(iter(variants_of(name.removeprefix(f"{self.game.name}-"), variants)), "")].append(one)
        named = {id_: (one.name, one.text) for id_, one in variants.items()}
        return {
            "sheets": [(*named.get(id_, ("", "")), found) for id_, found in whole.items() if found],
            "together": together(self.game.info.variants) if self.files else [],
            "scenarios": [(one, self.of_scenarios.get(one.number, [])) for one in self.game.scenarios],
            "books": [(book, books[book.id]) for book in self.game.info.books if books[book.id]],
            "forms": forms,
            "cards": cards,
            "rulebooks": [
                (kind, found)
                for kind in FORMS
                if (found := [self.files[name] for name, one in self.rulebooks.items() if one == kind])
            ],
        }

    def thumbs(self) -> dict[str, tuple[str, bytes, tuple[int, int]]]:
        """Draw a thumbnail for each form of the rulebook: path, picture and size."""
        made: dict[str, tuple[str, bytes, tuple[int, int]]] = {}
        for name, kind in self.rulebooks.items():
            if kind not in made:
                page, width = THUMBS[kind]
                data = page_png(self.shown.sheets[name], page, 2 * width)
                wide, high = size_of(data)
                made[kind] = f"downloads/{name.removesuffix('.pdf')}.png", data, (width, round(width * high / wide))
        return made

    def answer(self) -> str:
        """Return the summary for the overview."""
        if self.files:
            others = (name for name in self.files if form_of(name) not in self.game.by_id)
            sheets = (name for name in others if not self.book_of(name) and name not in self.rulebooks)
            papers = listed(list(dict.fromkeys(self.title(name).partition(",")[0] for name in sheets)))
            return self.words["downloads-book" if self.rulebooks else "downloads-answer"].format(papers=papers)
        return self.words["downloads-faces"] if self.shown.faces else ""
