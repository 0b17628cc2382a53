"""Tools shared by all parts of a book: its words, names of references, chapters and headings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from grimalkin.content import Game
from grimalkin.content.rules import Erratum
from grimalkin.content.texts.references import ASKED, Reference, chosen, literal
from grimalkin.printing.book.flow import Slab
from grimalkin.printing.book.pen import WEB, Art, Looks, Pen, Traces
from grimalkin.printing.book.setting import CHAPTER, INTRO, TERM, Block, Setter, Type
from grimalkin.printing.face import Inks
from grimalkin.printing.type.words import Word
from grimalkin.problems import Place, shown_path
from grimalkin.source import At

LANGUAGE = "en-GB"
HANG = 2.2
"""The gap between a number in the margin and the text, in millimetres."""
CHAPTER_ROOM = 70.0
"""The room that a chapter needs on its first page, in millimetres; with less, it begins the next page."""
GAP = 4.0
"""The gap between pictures side by side."""
WORDS = {
    "cover": "Cover",
    "contents": "Contents",
    "learn": "Learn to play",
    "box": "In the box",
    "setup": "Set-up",
    "round": "A round in brief",
    "told": "An example round",
    "table": "The table afterwards.",
    "table-of": "The table afterwards: its middle, and {names}.",
    "later": "Not in your first game",
    "rulings": "Rulings",
    "rulings-intro": "How we play where the rulebook is silent or unclear.",
    "errata": "Errata",
    "errata-intro": "Where the rulebook prints something it cannot mean.",
    "printed": "The rulebook prints:",
    "reads": "We read:",
    "index": "Index of terms",
    "credits": "Credits",
    "ours": "Our own work in this edition:",
    "quick": "Quick reference",
    "rule": "rule",
    "ruling": "ruling",
    "erratum": "erratum",
    "book-version": "Rules, version {version}",
    "draft": "draft",
    "unofficial": "{title} belongs to its makers. This is an unofficial edition by people who like the game; {who} did "
    "not make, check or endorse it.",
    "licence": "You may share and adapt our words and pictures under the Creative Commons licence CC BY 4.0, with "
    "credit to Grimalkin. The licence covers our own work, not the game itself or the names and trademarks of its "
    "makers.",
    "players": "{} players",
    "minutes": "{} minutes",
    "on-site": "{number} on the site, with all its examples",
    "page": "page {number}",
}


@dataclass(frozen=True)
class Material:
    """The material for a book: a game with its traces, and its looks in full inks.

    `pages` are the addresses of rules on the site, relative to the game's folder there.
    """

    game: Game
    traces: Traces
    looks: Looks
    pages: Mapping[str, str]


@dataclass(frozen=True)
class Chapter:
    """An entry in the contents and the bookmarks, with its rules as entries below it."""

    title: str
    anchor: str
    number: str = ""
    rules: tuple[tuple[str, str, str], ...] = ()
    """The number, title and anchor of each rule."""


class Writer:
    """A writer of a game's book. `room` is the width of the text, in millimetres."""

    def __init__(self, material: Material, room: float, inks: Inks = "full") -> None:
        game = material.game
        self.material, self.game, self.room = material, game, room
        self.looks, self.traces = material.looks, material.traces
        self.terms = {term.id: term for term in game.terms}
        self.errata = {erratum.id: erratum for erratum in game.errata}
        self.asked: set[str] = set()
        """The conditions that texts have tested."""
        holds = {"books", inks}
        assert holds <= set(ASKED)

        def is_so(name: str) -> bool:
            self.asked.add(name)
            return name in holds

        self.setter = Setter(
            self.label,
            self.leads,
            game.info.looks(coloured=False),
            LANGUAGE,
            lambda text: chosen(text, is_so, code=True),
            game.numbers,
            material.looks.composer.fonts,
            material.looks.composer.problems,
            Place(shown_path(game.folder / "game.yaml")),
        )
        self.seen: set[str] = set()
        """The pieces whose faces have been shown."""
        self.chapters: list[Chapter] = []

    # Names and targets of references

    def label(self, one: Reference) -> str:
        game, name = self.game, one.name
        if one.kind == "term":
            return literal(self.terms[name].name if name in self.terms else name)
        if name in game.rules:
            return f"{WORDS['rule']}\N{NO-BREAK SPACE}{game.numbers[name]}"
        if name in game.numbers:
            return f"{WORDS['ruling']}\N{NO-BREAK SPACE}{game.numbers[name]}"
        if name in self.errata:
            return f"{WORDS['erratum']}\N{NO-BREAK SPACE}{self.number_of(self.errata[name])}"
        if name in game.by_id:
            return literal(game.by_id[name].name)
        titles = {one.id: one.title for one in (*game.examples, *game.playthroughs)}
        return literal(titles.get(name, name))

    def leads(self, one: Reference) -> str:
        if one.kind == "term":
            return f"{TERM}{one.name}" if one.name in self.terms else ""
        if one.name in self.game.laws or one.name in self.errata:
            return one.name
        return ""

    def number_of(self, erratum: Erratum) -> str:
        return f"E{self.game.every_erratum.index(erratum) + 1}"

    def at(self, id_: str, at: At = ()) -> None:
        """Set the source of the next text: an id or a file."""
        file = Place(shown_path(self.game.folder / "terms.yaml"))  # the lines of terms are not recorded
        self.setter.place = self.game.place(id_, at) if id_ in self.game.places else file

    def on_site(self, id_: str) -> str:
        """Return the target of a link to a rule on the site, or "" if it has no page."""
        page = self.material.pages.get(id_, "")
        return f"{WEB}{page}" if page else ""

    # Shared by chapters

    def chapter(
        self,
        title: str,
        anchor: str,
        number: str = "",
        intro: str = "",
        rules: Sequence[tuple[str, str, str]] = (),
        begins_page: bool = True,
    ) -> list[Slab]:
        """Set the opening of a chapter, which begins a page unless `begins_page` is false."""
        self.chapters.append(Chapter(title, anchor, number, tuple(rules)))
        slabs = self.headed(number, literal(title), anchor, CHAPTER, "H1", (title, ""))
        slabs[0] = replace(slabs[0], starts=begins_page, wants=CHAPTER_ROOM, calls=True)

        def line(pen: Pen, x: float, y: float) -> None:
            pen.rule(x, y, 22, 0.9, "accent")

        slabs.append(Slab(0.9, line, before=1.6, keep=True))
        if intro:
            text = self.setter.text(intro, INTRO, self.room)
            ends = (0, len(text) - 2, len(text) - 1)  # the intro stays with its title and with the rules
            slabs += [replace(slab, keep=slab.keep or number in ends) for number, slab in enumerate(text)]
        return slabs

    def headed(
        self,
        number: str,
        title: str,
        anchor: str,
        type_: Type,
        kind: str,
        heads: tuple[str, str],
        link: str = "",
    ) -> list[Slab]:
        """Set a heading with its number in the margin. It stays on the same page as the text that follows."""
        signs = self.setter.words(number, type_) if number else []
        begin = partial(_draw_number, signs, type_, width_of(signs, type_), link) if signs else None
        lines = self.setter.paragraph(Block(title), type_, self.room, kind=kind, begin=begin)
        found = [replace(slab, keep=True, heads=heads) for slab in lines]
        if found:
            found[0] = replace(found[0], anchors=(anchor,), calls=True)
        return found

    def size_of(self, arts: Sequence[Art], tall: float, is_large: bool = False) -> tuple[float, float]:
        """Return the height and the total width of pictures side by side, no taller than `tall` and within the page.

        A single wide picture may be taller, since it would be small otherwise. Only pictures that are `is_large` may
        exceed their own size.
        """
        broad = max(art.width / art.height for art in arts)
        tall *= 1.5 if len(arts) == 1 and broad > 1.2 else 1.0
        tall = tall if is_large else min(tall, *(art.height for art in arts))
        gaps = GAP * (len(arts) - 1)
        wide = sum(art.width * tall / art.height for art in arts)
        if wide + gaps > self.room:
            tall, wide = tall * (self.room - gaps) / wide, self.room - gaps
        return tall, wide + gaps

    def row_of(
        self, arts: Sequence[Art], names: Sequence[str], tall: float, type_: Type, is_large: bool = False
    ) -> Slab:
        """Set pictures side by side at the same height, with their names below."""
        tall, _ = self.size_of(arts, tall, is_large)
        wides = [art.width * tall / art.height for art in arts]
        rooms = [wide + GAP - 1 for wide in wides[:-1]] + wides[-1:]  # the last one ends at the margin
        below = [self.setter.paragraph(Block(name), type_, room) for name, room in zip(names, rooms, strict=True)]
        deep = max((len(lines) for lines in below), default=0) * type_.leading

        def draw(pen: Pen, x: float, y: float) -> None:
            at = x
            for art, wide, lines in zip(arts, wides, below, strict=True):
                pen.art(art, at, y, wide / art.width)
                for number, line in enumerate(lines):
                    line.draw(pen, at, y + tall + 0.9 + number * type_.leading)
                at += wide + GAP

        return Slab(tall + 0.9 + deep, draw, before=2.6, floats=True)


def width_of(words: Sequence[Word], type_: Type) -> float:
    """Return the width of words on one line, in millimetres."""
    gaps = sum(word.blank * type_.space for word in words[1:])
    return (sum(word.width for word in words) + gaps) * type_.em


def _draw_number(signs: Sequence[Word], type_: Type, wide: float, link: str, pen: Pen, x: float, y: float) -> None:
    left, baseline = x - HANG - wide, y + type_.rise
    pen.text(signs, "P", left, baseline, type_.size, "accent")
    if link:
        pen.link(link, left, y, left + wide, y + type_.leading)
