"""The name of a file to print in, what it is for out: its paper, its scenario or book, variants, what is particular."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grimalkin.content.models import Book, Variant
from grimalkin.content.stocks import Paper
from grimalkin.pages.links import Words

_QUICK = re.compile(r"-quick(-sheet)?(-low|-mono)?\.pdf$")
RULEBOOK = "-rulebook"
"""What the names of the files of a rulebook begin with, behind that of the game."""
_SCENARIO = re.compile(r"-scenario-([0-9]+)(?=[-.])")


@dataclass(frozen=True)
class Download:
    """A file that a page offers: what it is for, its name, how many pages it has (0 when nobody knows), its size."""

    title: str
    name: str
    pages: int
    kilobytes: int


def form_of(sheet: str) -> str:
    """The component that a file of that name lets one fill in on screen, if it is a form.

    >>> form_of("score-sheet-form-low.pdf"), form_of("owls-a4.pdf")
    ('score-sheet', '')
    """
    name, form, _ = sheet.removesuffix(".pdf").rpartition("-form")
    return name if form else ""


def is_quick(sheet: str) -> bool:
    """Whether a file of that name has the quick reference, as a card or as a sheet.

    >>> is_quick("owls-a4-quick-low.pdf"), is_quick("owls-a4-quick-sheet.pdf"), is_quick("owls-a4-low.pdf")
    (True, True, False)
    """
    return _QUICK.search(sheet) is not None


def scenario_of(sheet: str) -> int:
    """The number of the scenario that a file of sheets is for; 0 when it is for the whole game.

    >>> scenario_of("owls-a4-scenario-2-mono.pdf"), scenario_of("owls-a4.pdf")
    (2, 0)
    """
    found = _SCENARIO.search(sheet)
    return int(found[1]) if found else 0


def book_of(name: str, books: Iterable[Book], papers: Iterable[str]) -> Book | None:
    """The book that a file of that name holds, to fold from a paper or to read on a screen; None when it holds none."""
    rest = "|".join(map(re.escape, papers))
    found = [one for one in books if re.fullmatch(rf"{re.escape(one.id)}(-({rest}))?(-low|-mono)?\.pdf", name)]
    return max(found, key=lambda one: len(one.id), default=None)


def book_name(name: str, book: Book, papers: Mapping[str, Paper], words: Words) -> str:
    """What a file of a book is for: a paper, or a screen, and what else is particular."""
    rest = name.removesuffix(".pdf").removeprefix(book.id)
    paper = next((one for one in sorted(papers, key=len, reverse=True) if f"{rest}-".startswith(f"-{one}-")), "")
    where = words["book-paper"].format(paper=papers[paper].name) if paper else words["book-screen"]
    return ", ".join([where, *particulars(rest.removeprefix(f"-{paper}"), words)])


def rulebook_kind(name: str, game: str, papers: Iterable[str]) -> str:
    """Which form of the rulebook a file of that name has: "screen", "booklet" or "pages"; "" when it is none.

    >>> [rulebook_kind(f"owls-rulebook{rest}.pdf", "owls", ["a4"]) for rest in ("", "-booklet-a4-low", "-a4", "-a3")]
    ['screen', 'booklet', 'pages', '']
    """
    rest = "|".join(map(re.escape, papers))
    found = re.fullmatch(rf"{re.escape(game)}{RULEBOOK}(?:(-booklet)?-({rest}))?(-low|-mono)?\.pdf", name)
    if not found:
        return ""
    return "booklet" if found[1] else "pages" if found[2] else "screen"


def rulebook_name(name: str, game: str, papers: Mapping[str, Paper], words: Words) -> str:
    """What a file of the rulebook is for: a screen, or a paper, and in which inks."""
    rest = name.removesuffix(".pdf").removeprefix(f"{game}{RULEBOOK}").removeprefix("-booklet")
    paper = next((one for one in sorted(papers, key=len, reverse=True) if f"{rest}-".startswith(f"-{one}-")), "")
    where = papers[paper].name if paper else words["book-screen"]
    return ", ".join([where, *particulars(rest.removeprefix(f"-{paper}"), words)])


def together(variants: Sequence[Variant]) -> list[str]:
    """Ids of variants that can be printed at once: none changes what one before it changes."""
    chosen: list[str] = []
    changed: set[str] = set()
    for variant in variants:
        changes = {*variant.stocks, *variant.palette}
        if not changes & changed:
            chosen.append(variant.id)
            changed |= changes
    return chosen


def uncapped(name: str) -> str:
    """A name as it stands in the middle of a sentence.

    >>> uncapped("Four colours")
    'four colours'
    """
    return name[:1].lower() + name[1:]


def particulars(rest: str, words: Words) -> list[str]:
    """What is particular about sheets, by the ends of their name.

    >>> particulars("-low-fronts", {"sheets-low": "little ink", "sheets-fronts": "fronts"})
    ['little ink', 'fronts']
    """
    return [words[f"sheets-{part}"] for part in rest.removesuffix(".pdf").split("-") if f"sheets-{part}" in words]


def paper_name(sheet: str, game: str, papers: Mapping[str, Paper], variants: Mapping[str, str], words: Words) -> str:
    """What a file of sheets is for: its paper, the variants of the game it shows, and what else is particular.

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
    """The variants that a file of sheets shows. One whose name is the beginning of another's is not taken for it.

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
