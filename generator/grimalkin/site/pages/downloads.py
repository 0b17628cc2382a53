"""Arrange the printable files of a game for its pages: each with its purpose, which its name gives, under the part
of the game it belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grimalkin.content.models import Book, Variant
from grimalkin.content.stocks import Paper, load_papers
from grimalkin.printing.draw.packing import count_pages
from grimalkin.printing.draw.raster import page_png, size_of
from grimalkin.problems import Problems
from grimalkin.problems.plain import listed
from grimalkin.site.pages.links import Words, gathered
from grimalkin.site.pages.shown import Shown

_QUICK = re.compile(r"-quick(-sheet)?(-low|-mono)?\.pdf$")
RULEBOOK = "-rulebook"
"""Follows the game's name at the beginning of rulebook file names."""
_SCENARIO = re.compile(r"-scenario-([0-9]+)(?=[-.])")


@dataclass(frozen=True)
class Download:
    """A file to download: its purpose, name, number of pages (0 if unknown) and size."""

    title: str
    name: str
    pages: int
    kilobytes: int


def form_of(sheet: str) -> str:
    """Return the component that can be filled in on screen in this file, or "" if it is not a form.

    >>> form_of("score-sheet-form-low.pdf"), form_of("owls-a4.pdf")
    ('score-sheet', '')
    """
    name, form, _ = sheet.removesuffix(".pdf").rpartition("-form")
    return name if form else ""


def is_quick(sheet: str) -> bool:
    """Return whether a file holds the quick reference, as a card or as a sheet.

    >>> is_quick("owls-a4-quick-low.pdf"), is_quick("owls-a4-quick-sheet.pdf"), is_quick("owls-a4-low.pdf")
    (True, True, False)
    """
    return _QUICK.search(sheet) is not None


def scenario_of(sheet: str) -> int:
    """Return the number of the scenario that a file of sheets is for; 0 for the whole game.

    >>> scenario_of("owls-a4-scenario-2-mono.pdf"), scenario_of("owls-a4.pdf")
    (2, 0)
    """
    found = _SCENARIO.search(sheet)
    return int(found[1]) if found else 0


def book_of(name: str, books: Iterable[Book], papers: Iterable[str]) -> Book | None:
    """Return the book in a file, for folding or for reading on screen; None if it holds no book."""
    rest = "|".join(map(re.escape, papers))
    found = [one for one in books if re.fullmatch(rf"{re.escape(one.id)}(-({rest}))?(-low|-mono)?\.pdf", name)]
    return max(found, key=lambda one: len(one.id), default=None)


def book_name(name: str, book: Book, papers: Mapping[str, Paper], words: Words) -> str:
    """Describe a file of a book: its paper or the screen, and any special form."""
    rest = name.removesuffix(".pdf").removeprefix(book.id)
    paper = next((one for one in sorted(papers, key=len, reverse=True) if f"{rest}-".startswith(f"-{one}-")), "")
    where = words["book-paper"].format(paper=papers[paper].name) if paper else words["book-screen"]
    return ", ".join([where, *particulars(rest.removeprefix(f"-{paper}"), words)])


def rulebook_kind(name: str, game: str, papers: Iterable[str]) -> str:
    """Return the form of the rulebook in a file: "screen", "booklet" or "pages"; "" if it is not a rulebook.

    >>> [rulebook_kind(f"owls-rulebook{rest}.pdf", "owls", ["a4"]) for rest in ("", "-booklet-a4-low", "-a4", "-a3")]
    ['screen', 'booklet', 'pages', '']
    """
    rest = "|".join(map(re.escape, papers))
    found = re.fullmatch(rf"{re.escape(game)}{RULEBOOK}(?:(-booklet)?-({rest}))?(-low|-mono)?\.pdf", name)
    if not found:
        return ""
    return "booklet" if found[1] else "pages" if found[2] else "screen"


def rulebook_name(name: str, game: str, papers: Mapping[str, Paper], words: Words) -> str:
    """Describe a file of the rulebook: its paper or the screen, and its inks."""
    rest = name.removesuffix(".pdf").removeprefix(f"{game}{RULEBOOK}").removeprefix("-booklet")
    paper = next((one for one in sorted(papers, key=len, reverse=True) if f"{rest}-".startswith(f"-{one}-")), "")
    where = papers[paper].name if paper else words["book-screen"]
    return ", ".join([where, *particulars(rest.removeprefix(f"-{paper}"), words)])


def together(variants: Sequence[Variant]) -> list[str]:
    """Return the ids of variants that can be printed together: none changes what an earlier one changes."""
    chosen: list[str] = []
    changed: set[str] = set()
    for variant in variants:
        changes = {*variant.stocks, *variant.palette}
        if not changes & changed:
            chosen.append(variant.id)
            changed |= changes
    return chosen


def uncapped(name: str) -> str:
    """Return a name as written in the middle of a sentence.

    >>> uncapped("Four colours")
    'four colours'
    """
    return name[:1].lower() + name[1:]


def particulars(rest: str, words: Words) -> list[str]:
    """List the special forms of sheets, read from the end of their name.

    >>> particulars("-low-fronts", {"sheets-low": "little ink", "sheets-fronts": "fronts"})
    ['little ink', 'fronts']
    """
    return [words[f"sheets-{part}"] for part in rest.removesuffix(".pdf").split("-") if f"sheets-{part}" in words]


def paper_name(sheet: str, game: str, papers: Mapping[str, Paper], variants: Mapping[str, str], words: Words) -> str:
    """Describe a file of sheets: its paper, the variants of the game, and any special form.

    >>> a4 = Paper(name="A4", width=210, height=297)
    >>> paper_name("owls-a4-wide-low.pdf", "owls", {"a4": a4}, {"wide": "Wide"}, {"sheets-low": "little ink"})
    'A4, wide, little ink'
    """
    rest = sheet.removesuffix(".pdf").removeprefix(f"{game}-")
    fitting = [id_ for id_ in papers if rest == id_ or rest.startswith(f"{id_}-")]
    paper = max(fitting, key=len, default="")  # a paper's own name may have hyphens
    name = papers[paper].name if paper else rest
    rest = _SCENARIO.sub("", f"{rest.removeprefix(paper)}-") if paper else ""
    shown = variants_of(rest, variants)
    for id_ in shown:
        rest = rest.replace(f"-{id_}-", "-", 1)
    return ", ".join([name, *(uncapped(variants[id_]) for id_ in shown), *particulars(rest, words)])


def variants_of(sheet: str, variants: Iterable[str]) -> list[str]:
    """Return the variants in a file of sheets, even if the name of one begins with that of another.

    >>> variants_of("owls-a4-big-red-low.pdf", ["big", "big-red", "red"])
    ['big-red']
    >>> variants_of("owls-a4-big-wide.pdf", ["big", "big-red", "wide"])
    ['big', 'wide']
    """
    known, found = list(variants), []
    rest = f"-{sheet.removesuffix('.pdf').strip('-')}-"
    for id_ in sorted(known, key=len, reverse=True):
        if f"-{id_}-" in rest:
            rest = rest.replace(f"-{id_}-", "--", 1)
            found.append(id_)
    return sorted(found, key=known.index)


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
