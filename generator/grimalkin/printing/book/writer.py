"""Tools shared by all parts of a book: its words, names of references, chapters and headings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from grimalkin.content import Game
from grimalkin.content.rules import Erratum
from grimalkin.content.texts.references import ASKED, Reference, chosen, literal
from grimalkin.printing.book.flow import NEARLY, Slab
from grimalkin.printing.book.ornaments import headpiece, ribbon
from grimalkin.printing.book.pen import WEB, Art, Looks, Pen, Traces
from grimalkin.printing.book.setting import CHAPTER, INTRO, RIBBON, TERM, Block, Setter, Type, stacked
from grimalkin.printing.face import Inks
from grimalkin.printing.type.words import Word
from grimalkin.problems import Place, shown_path
from grimalkin.source import At

LANGUAGE = "en-GB"
PAGE = (148.0, 210.0)
"""A5 (ISO 216)."""
WIDE, HIGH = PAGE
INNER, OUTER, TOP, FOOT = 19.0, 24.0, 22.0, 26.0
"""Margins in millimetres: narrower at the fold, and widest at the foot."""
HANG = 2.2
"""The gap between a number in the margin and the text, in millimetres."""
CHAPTER_ROOM = 44.0
"""The room that a chapter needs below its cut on its first page, in millimetres; with less, it begins the next page."""
CUT, LEAST_CUT, OVER_CUT = 34.0, 17.0, 5.5
"""The height of the cut at the head of a chapter, its least height where room is short, and how far the ribbon with
the title overlaps it, in millimetres."""
PADS = 1.7
"""The space above and below the words on a ribbon, in millimetres."""
LEAST_TALL = 8.0
"""The height to which pictures shrink so that no word below them breaks, in millimetres."""
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
        at = len(self.chapters)
        self.chapters.append(Chapter(title, anchor, number, tuple(rules)))
        signs = self.setter.words(number, CHAPTER) if number else []
        begin = partial(_draw_number, signs, CHAPTER, width_of(signs, CHAPTER), "", "paper") if signs else None
        lines = stacked(self.setter.paragraph(Block(literal(title)), CHAPTER, self.room - 4, kind="H1", begin=begin))
        hang = HANG + width_of(signs, CHAPTER) + 5 if signs else 4.0

        def headed(cut: float) -> Slab:
            draw = partial(_draw_head, lines, at, cut, hang, self.room + hang + 1)
            height = cut - OVER_CUT + lines.height + 2 * PADS
            tight = partial(headed, LEAST_CUT) if cut > LEAST_CUT else None
            return Slab(height, draw, 7.0, True, wants=height + CHAPTER_ROOM, starts=begins_page, calls=True,
                        anchors=(anchor,), heads=(title, ""), tight=tight, sized=headed)  # fmt: skip

        slabs = [headed(CUT)]
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
        begin = partial(_draw_number, signs, type_, width_of(signs, type_), link, "accent") if signs else None
        lines = self.setter.paragraph(Block(title), type_, self.room, kind=kind, begin=begin)
        found = [replace(slab, keep=True, heads=heads) for slab in lines]
        if found:
            found[0] = replace(found[0], anchors=(anchor,), calls=True)
        return found

    def ribboned(self, title: str, anchor: str, heads: tuple[str, str]) -> list[Slab]:
        """Set a heading within a chapter, on a ribbon. It stays on the same page as the text that follows."""
        lines = stacked(self.setter.paragraph(Block(title), RIBBON, self.room - 5, kind="H2"))
        draw = partial(_draw_ribbon, lines, self.room)
        return [Slab(lines.height + 2 * PADS, draw, RIBBON.gap, True, anchors=(anchor,), heads=heads, calls=True)]

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
        words = [max((word.width for word in self.setter.words(name, type_)), default=0.0) for name in names]
        long = [wide * type_.em for wide in words]

        def rooms_of(tall: float) -> list[float]:
            """Return the widths of the columns: of the pictures, or of the longest words below them."""
            return [max(art.width * tall / art.height, one) for art, one in zip(arts, long, strict=True)]

        gaps = GAP * (len(arts) - 1)
        while sum(rooms_of(tall)) + gaps > self.room and tall > LEAST_TALL:
            tall *= 0.94
        wides = [art.width * tall / art.height for art in arts]
        steps = rooms_of(tall)
        spare = max(0.0, self.room - gaps - sum(steps)) / len(arts) if len(arts) > 1 else 0.0
        rooms = [step + min(spare, GAP - 1) + 0.01 for step in steps]
        below = [self.setter.paragraph(Block(name), type_, room) for name, room in zip(names, rooms, strict=True)]
        deep = max((len(lines) for lines in below), default=0) * type_.leading

        def draw(pen: Pen, x: float, y: float) -> None:
            at = x
            for art, wide, step, lines in zip(arts, wides, steps, below, strict=True):
                pen.art(art, at, y, wide / art.width)
                for number, line in enumerate(lines):
                    line.draw(pen, at, y + tall + 0.9 + number * type_.leading)
                at += step + GAP

        return Slab(tall + 0.9 + deep, draw, before=2.6, floats=True)


def width_of(words: Sequence[Word], type_: Type) -> float:
    """Return the width of words on one line, in millimetres."""
    gaps = sum(word.blank * type_.space for word in words[1:])
    return (sum(word.width for word in words) + gaps) * type_.em


def _draw_number(
    signs: Sequence[Word], type_: Type, wide: float, link: str, fill: str, pen: Pen, x: float, y: float
) -> None:
    left, baseline = x - HANG - wide, y + type_.rise
    pen.text(signs, "P", left, baseline, type_.size, fill)
    if link:
        pen.link(link, left, y, left + wide, y + type_.leading)


def _draw_head(lines: Slab, number: int, cut: float, hang: float, wide: float, pen: Pen, x: float, y: float) -> None:
    """Draw the cut and the title of a chapter: at the head of a page, the cut begins at its edge."""
    top = 0.0 if y <= TOP + NEARLY else y
    headpiece(pen, pen.looks.cut_art, number, (0.0, top, WIDE, y + cut - top))
    at = y + cut - OVER_CUT
    ribbon(pen, x - hang, at, wide, lines.height + 2 * PADS)
    lines.draw(pen, x, at + PADS - 0.2)


def _draw_ribbon(lines: Slab, wide: float, pen: Pen, x: float, y: float) -> None:
    ribbon(pen, x, y, wide, lines.height + 2 * PADS)
    lines.draw(pen, x + 4, y + PADS - 0.2)
