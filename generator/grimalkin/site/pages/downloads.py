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


THUMBS = {"screen": (0, 120), "booklet": (-1, 200), "pages": (3, 120)}
"""Forms of the rulebook, most popular first: the page (from 0) that represents each, and the width of its thumbnail in
CSS pixels."""


INKS = ("", "low", "mono")
"""The designs of faces, as the ends of file names, in the order in which pages offer them."""
SHEET, SHEET_WIDTH = 2, 200
"""The page that represents a set of sheets (from 0), the first after the cover, and the width of its thumbnail."""
SECONDS_A_PIECE = 20
"""How long it takes to cut out a piece with scissors: an estimate, which pages state."""


MOST_OPEN = 3
"""The most files of a list that are all open."""


@dataclass(frozen=True)
class Design:
    """The sheets of the whole game in one design, on each paper, with a thumbnail of the first."""

    ink: str
    files: Sequence[Download]
    path: str = ""
    """The thumbnail; "" if there is none."""
    picture: bytes = b""
    size: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Download:
    """A file to download: its purpose, name, number of pages (0 if unknown) and size."""

    title: str
    name: str
    pages: int
    kilobytes: int
    kind: str
    """rulebook, book, form, quick, scenario or sheets."""
    of: str
    """The form of the rulebook, the id of the book or the component, the number of the scenario, or the variant."""


class Downloads:
    """The printable files of a game. `files` has all of them by name."""

    def __init__(self, shown: Shown, words: Words) -> None:
        self.shown = shown
        self.game = shown.game
        self.words = words
        self.papers = load_papers(shown.game.folder, Problems())
        self.variants = {variant.id: variant for variant in self.game.info.variants}
        self.files = [self.download(name, data) for name, data in shown.sheets.items()]
        self.by_purpose = gathered(((one.kind, one.of), one) for one in self.files)

    def download(self, name: str, data: bytes) -> Download:
        title, kind, of = self.purpose(name)
        return Download(title, name, count_pages(data), max(1, round(len(data) / 1000)), kind, of)

    def purpose(self, name: str) -> tuple[str, str, str]:
        """Return the title, kind and subject of a file: the rulebook, a book, a form, or sheets for a paper."""
        by_id, words = self.game.by_id, self.words
        if form := rulebook_kind(name, self.game.name, self.papers):
            rest = name.removeprefix(f"{self.game.name}{RULEBOOK}").removeprefix("-booklet")
            return self.bound(rest, "{paper}"), "rulebook", form
        if book := book_of(name, self.game.info.books, self.papers):
            return self.bound(name.removeprefix(book.id), words["book-paper"]), "book", book.id
        if (form := form_of(name)) in by_id:
            return ", ".join([by_id[form].name, *particulars(name, words)]), "form", form
        called = {id_: variant.name for id_, variant in self.variants.items()}
        title, number = paper_name(name, self.game.name, self.papers, called, words), scenario_of(name)
        if is_quick(name):
            return title, "quick", ""
        if any(one.number == number for one in self.game.scenarios):
            return title, "scenario", str(number)
        # Sheets with several variants are listed under the first.
        return title, "sheets", next(iter(variants_of(name.removeprefix(f"{self.game.name}-"), self.variants)), "")

    def bound(self, rest: str, on_paper: str) -> str:
        """Describe a book's file by the rest of its name: its paper or the screen, and any special form."""
        rest = rest.removesuffix(".pdf")
        known = sorted(self.papers, key=len, reverse=True)
        paper = next((one for one in known if f"{rest}-".startswith(f"-{one}-")), "")
        where = on_paper.format(paper=self.papers[paper].name) if paper else self.words["book-screen"]
        return ", ".join([where, *particulars(rest.removeprefix(f"-{paper}"), self.words)])

    def of(self, kind: str, of: str = "") -> list[Download]:
        """Return the files of one kind on one subject."""
        return self.by_purpose.get((kind, of), [])

    def of_kind(self, kind: str) -> list[Download]:
        return [one for one in self.files if one.kind == kind]

    def designs(self) -> list[Design]:
        """Return the plain sheets of the whole game, without variants: what most people print."""
        made = []
        for ink in INKS:
            names = {f"{self.game.name}-{paper}{'-' if ink else ''}{ink}.pdf" for paper in self.papers}
            files = [one for one in self.of("sheets") if one.name in names]
            if not files:
                continue
            first = files[0]
            if first.pages <= SHEET:
                made.append(Design(ink, files))
                continue
            picture = page_png(self.shown.sheets[first.name], SHEET, 2 * SHEET_WIDTH)
            wide, high = size_of(picture)
            size = SHEET_WIDTH, round(SHEET_WIDTH * high / wide)
            made.append(Design(ink, files, f"downloads/{first.name.removesuffix('.pdf')}.png", picture, size))
        return made

    def work(self, designs: Sequence[Design]) -> dict[str, int]:
        """Count the work of printing the game once: pages, leaves printed on both sides, pieces, and minutes of
        cutting."""
        pages = designs[0].files[0].pages if designs else 0
        pieces = sum(row.count for rows in self.game.components.values() for row in rows)
        minutes = pieces * SECONDS_A_PIECE / 60
        step = 5 if minutes < 60 else 15
        rounded = max(step, round(minutes / step) * step)
        return {"pages": pages, "leaves": -(-pages // 2), "pieces": pieces, "minutes": rounded} if pages else {}

    def groups(self) -> dict[str, Any]:
        """Return the files as their page lists them."""
        designs = self.designs()
        named = {"": ("", ""), **{id_: (one.name, one.text) for id_, one in self.variants.items()}}
        return {
            "sheets": [(*named[id_], found) for id_ in named if (found := self.others(id_, designs))],
            "designs": designs,
            "work": self.work(designs),
            "seconds": SECONDS_A_PIECE,
            "split": split,
            "together": together(self.game.info.variants) if self.files else [],
            "scenarios": [(one, self.of("scenario", str(one.number))) for one in self.game.scenarios],
            "books": [(book, found) for book in self.game.info.books if (found := self.of("book", book.id))],
            "forms": self.of_kind("form"),
            "cards": self.of_kind("quick"),
            "rulebooks": [(form, found) for form in THUMBS if (found := self.of("rulebook", form))],
        }

    def others(self, variant: str, designs: Sequence[Design]) -> list[Download]:
        """Return the sheets of a variant that are in no design."""
        shown = {one.name for design in designs for one in design.files}
        return [one for one in self.of("sheets", variant) if one.name not in shown]

    def thumbs(self) -> dict[str, tuple[str, bytes, tuple[int, int]]]:
        """Draw a thumbnail for each form of the rulebook: path, picture and size."""
        made: dict[str, tuple[str, bytes, tuple[int, int]]] = {}
        for form, (page, width) in THUMBS.items():
            for one in self.of("rulebook", form)[:1]:
                data = page_png(self.shown.sheets[one.name], page, 2 * width)
                wide, high = size_of(data)
                made[form] = f"downloads/{one.name.removesuffix('.pdf')}.png", data, (width, round(width * high / wide))
        return made

    def answer(self) -> str:
        """Return the summary for the overview."""
        if self.files:
            sheets = (one for one in self.files if one.kind in ("quick", "scenario", "sheets"))
            papers = listed(list(dict.fromkeys(one.title.partition(",")[0] for one in sheets)))
            key = "downloads-book" if self.of_kind("rulebook") else "downloads-answer"
            return self.words[key].format(papers=papers)
        return self.words["downloads-faces"] if self.shown.faces else ""


def split(files: Sequence[Download]) -> tuple[Sequence[Download], Sequence[Download]]:
    """Divide the files of a list into those that most people want, which are on plain paper, and the rest if there are
    many."""
    if len(files) <= MOST_OPEN:
        return files, ()
    plain = [one for one in files if "," not in one.title] or files[:2]
    return plain, [one for one in files if one not in plain]


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
