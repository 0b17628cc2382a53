"""Work out from a file's name what it is for: paper, scenario or book, variants and special forms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grimalkin.content.models import Book, Variant
from grimalkin.content.stocks import Paper
from grimalkin.site.pages.links import Words

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
