"""A game in, the slabs of its rulebook out: rules in their order, rulings and errata behind them, the index last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from grimalkin.book.flow import Draw, Slab
from grimalkin.book.pen import Pen
from grimalkin.book.setting import BODY, CHAPTER, INTRO, LEAD, NOTE, SMALL, TITLE, Block, Setter, Type, stacked
from grimalkin.content import Game
from grimalkin.content.models import Erratum, Example, Rule, Ruling, Section, Term
from grimalkin.content.references import Reference, chosen, references
from grimalkin.content.styles import PLAIN, looks_of
from grimalkin.draw.packing import MM
from grimalkin.engine.replay import Trace
from grimalkin.face import Composer, Face
from grimalkin.face.fonts import SANS, SANS_SEMIBOLD
from grimalkin.face.views import draws_table, table_face
from grimalkin.face.words import Word

HANG = 2.2
"""Between a number in the margin and the text, in millimetres."""
FIGURE = 27.0
"""How high faces stand that are shown where a piece is first named."""
MOST_FACES = 4
CHAPTER_ROOM = 70.0
"""What a chapter wants on the page on which it begins, in millimetres; else it begins the next."""
INDENT = 3.6
"""Of examples: what the bar and the room beside it take."""
TABLE, GUTTER = 0.46, 3.0
"""How large tables are drawn, beside the width for which their templates are made; and what parts them from words."""
COUNTED = ("scoring", "tie")
TEACHING = ("legal", "scoring", "tie", "boundary", "illegal")
"""Which kinds of examples teach most, the best first."""
ASKED = Type(font=SANS_SEMIBOLD, size=8.2, leading=3.9, gap=3.0, filled=False, look=PLAIN)
TOLD = Type(font=SANS, size=8.2, leading=3.9, gap=1.2, filled=False, look=PLAIN)
WORDS = {
    "contents": "Contents",
    "rulings": "Rulings",
    "rulings-intro": "How we play where the rulebook is silent or unclear.",
    "errata": "Errata",
    "errata-intro": "What the rulebook prints but cannot mean.",
    "printed": "The rulebook prints:",
    "reads": "We read:",
    "index": "Words and where they stand",
    "credits": "Credits",
    "rule": "rule",
    "ruling": "ruling",
    "erratum": "erratum",
    "book-version": "Rules, version",
}


@dataclass(frozen=True)
class Material:
    """What a book is made of."""

    game: Game
    traces: Mapping[str, Trace]
    composer: Composer
    faces: Mapping[str, Face]


@dataclass(frozen=True)
class Chapter:
    """An entry of the contents and of the bookmarks."""

    title: str
    anchor: str
    number: str = ""


class Contents:
    """What is in the book of a game. `room` is the width of the text, in millimetres."""

    def __init__(self, material: Material, room: float, language: str = "en-GB") -> None:
        game = material.game
        self.game, self.faces, self.room = game, material.faces, room
        self.composer, self.traces = material.composer, material.traces
        self.drawn = draws_table(material.composer)
        self.taught: dict[str, Example] = {}
        """The example that teaches each rule, by the rule's id."""
        for kind in TEACHING:
            for example in game.examples:
                trace = material.traces.get(example.id)
                if example.kind == kind and trace is not None and trace.ok:
                    self.taught.setdefault(example.rules[0], example)
        self.terms = {term.id: term for term in game.terms}
        self.errata = {erratum.id: erratum for erratum in game.errata}
        holds = {"books", "full"}
        self.setter = Setter(
            self.label,
            self.leads,
            looks_of(game.info, coloured=False),
            language,
            lambda text: chosen(text, lambda name: name in holds, code=True),
        )
        self.seen: set[str] = set()
        """Pieces whose faces were shown."""
        self.chapters: list[Chapter] = []

    # What references are called, and where they lead

    def label(self, one: Reference) -> str:
        game, name = self.game, one.name
        if one.kind == "term":
            return self.terms[name].name if name in self.terms else name
        if name in game.rules:
            return f"{WORDS['rule']} {game.numbers[name]}"
        if name in game.numbers:
            return f"{WORDS['ruling']} {game.numbers[name]}"
        if name in self.errata:
            return f"{WORDS['erratum']} {self.number_of(self.errata[name])}"
        if name in game.by_id:
            return game.by_id[name].name
        titles = {one.id: one.title for one in (*game.examples, *game.playthroughs)}
        return titles.get(name, name)

    def leads(self, one: Reference) -> str:
        if one.kind == "term":
            return f"term-{one.name}" if one.name in self.terms else ""
        if one.name in self.game.laws or one.name in self.errata:
            return one.name
        return ""

    def number_of(self, erratum: Erratum) -> str:
        return f"E{self.game.every_erratum.index(erratum) + 1}"

    # The chapters

    def rules(self) -> list[Slab]:
        slabs: list[Slab] = []
        for number, section in enumerate(self.game.sections, 1):
            slabs += self.section(number, section)
        return slabs

    def section(self, number: int, section: Section) -> list[Slab]:
        slabs = self.chapter(section.title, f"section-{section.id}", str(number))
        if section.intro:
            slabs += [replace(slab, keep=True) for slab in self.setter.text(section.intro, INTRO, self.room)]
        for rule in section.rules:
            slabs += self.rule(section, rule)
        return slabs

    def rule(self, section: Section, rule: Rule) -> list[Slab]:
        number = self.game.numbers[rule.id]
        slabs = self.headed(number, rule.title, rule.id, TITLE, "H2", (section.title, number))
        text = self.setter.text(rule.text, BODY, self.room)
        if text:
            text[0] = replace(text[0], before=0.7)
        slabs += text
        slabs += self.pictured(rule)
        if rule.note:
            slabs += self.setter.text(rule.note, NOTE, self.room)
        return slabs + self.example(section, rule)

    def example(self, section: Section, rule: Rule) -> list[Slab]:
        """The example that teaches most: what a player asks, what happens, and the table as it was checked."""
        example = self.taught.get(rule.id)
        if example is None:
            return []
        number = self.game.numbers[rule.id]
        trace = self.traces[example.id]
        pictured = self.drawn and bool(trace.before) and bool(example.steps or example.kind in COUNTED)
        position = trace.after if example.given is None else trace.before
        face = table_face(self.composer, position, example.title) if pictured else None
        scale = TABLE if face else 0.0
        beside = face.stock.width * scale + GUTTER if face else 0.0
        room = self.room - INDENT - beside
        title = self.setter.paragraph(Block(f"{number} {example.question or example.title}"), ASKED, room)
        text = self.setter.text(example.text, TOLD, room)
        told = stacked([*title, *[replace(slab, before=0.6 if not n else slab.before) for n, slab in enumerate(text)]])
        height = max(told.height, face.stock.height * scale if face else 0.0)

        def draw(pen: Pen, x: float, y: float) -> None:
            with pen.decoration():
                pen.canvas.setFillColor(pen.accent)
                pen.canvas.rect(x * MM, pen.y(y + height), 0.7 * MM, height * MM, stroke=0, fill=1)
            told.draw(pen, x + INDENT, y)
            if face:
                pen.face(face, x + INDENT + room + GUTTER, y, scale, example.title)

        return [Slab(height, draw, before=3.2, floats=True, heads=(section.title, number))]

    def pictured(self, rule: Rule) -> list[Slab]:
        """The real faces of pieces that are named here for the first time."""
        named = [one.name for one in references(rule.text) if one.kind == "id" and one.name in self.game.by_id]
        fresh = [name for name in dict.fromkeys(named) if name not in self.seen and f"{name}-front" in self.faces]
        self.seen.update(fresh)
        shown = [self.faces[f"{name}-front"] for name in fresh[:MOST_FACES]]
        return [self.row_of(shown)] if shown else []

    def row_of(self, faces: Sequence[Face]) -> Slab:
        """Faces side by side, all as high, with their names below."""
        tall = min(FIGURE, *(face.stock.height for face in faces))
        wide = sum(face.stock.width * tall / face.stock.height for face in faces) + 4.0 * (len(faces) - 1)
        if wide > self.room:
            tall, wide = tall * self.room / wide, self.room

        def draw(pen: Pen, x: float, y: float) -> None:
            at = x
            for face in faces:
                scale = tall / face.stock.height
                pen.face(face, at, y, scale, f"{face.name}: {face.alt}" if face.alt != face.name else face.name)
                at += face.stock.width * scale + 4.0

        return Slab(tall, draw, before=2.6, floats=True)

    def rulings(self) -> list[Slab]:
        if not self.game.rulings:
            return []
        slabs = self.chapter(WORDS["rulings"], "rulings", intro=WORDS["rulings-intro"])
        for ruling in self.game.rulings:
            slabs += self.ruling(ruling)
        return slabs

    def ruling(self, ruling: Ruling) -> list[Slab]:
        number = self.game.numbers[ruling.id]
        heads = (WORDS["rulings"], number)
        slabs = self.headed(number, ruling.question, ruling.id, LEAD, "H2", heads)
        text = self.setter.text(ruling.ruling, SMALL, self.room)
        return [*slabs, replace(text[0], before=0.4), *text[1:]] if text else slabs

    def misprints(self) -> list[Slab]:
        if not self.game.errata:
            return []
        slabs = self.chapter(WORDS["errata"], "errata", intro=WORDS["errata-intro"])
        for one in self.game.errata:
            number = self.number_of(one)
            title = ", ".join(one.source)
            slabs += self.headed(number, title, one.id, LEAD, "H2", (WORDS["errata"], number))
            for lead, text in ((WORDS["printed"], one.printed), (WORDS["reads"], one.reads)):
                slabs += self.setter.text(f"**{lead}** {text}", SMALL._replace(gap=0.6), self.room)
        return slabs

    def index(self, pages: Mapping[str, Sequence[int]]) -> list[Slab]:
        """Every term with what it means and the pages that use it."""
        if not self.terms:
            return []
        slabs = self.chapter(WORDS["index"], "index")
        for term in sorted(self.game.terms, key=lambda term: term.name.casefold()):
            slabs += self.term(term, pages.get(term.id, ()))
        return slabs

    def term(self, term: Term, pages: Iterable[int]) -> list[Slab]:
        where = ", ".join(str(page) for page in pages)
        text = f"**{term.name}** {self.setter.decided(term.text)}" + (f" *{where}*" if where else "")
        slabs = self.setter.text(text, SMALL._replace(gap=1.0), self.room)
        if slabs:
            slabs[0] = replace(slabs[0], anchors=(f"term-{term.id}",), heads=(WORDS["index"], ""))
        return slabs

    # What chapters share

    def chapter(self, title: str, anchor: str, number: str = "", intro: str = "") -> list[Slab]:
        """The head of a chapter, which begins a page."""
        self.chapters.append(Chapter(title, anchor, number))
        slabs = self.headed(number, title, anchor, CHAPTER, "H1", (title, ""))
        slabs[0] = replace(slabs[0], starts=not self.chapters[:-1] or not number, wants=CHAPTER_ROOM)

        def line(pen: Pen, x: float, y: float) -> None:
            pen.rule(x, y, 22, 0.9, pen.accent)

        slabs.append(Slab(0.9, line, before=1.6, keep=True))
        if intro:
            text = self.setter.text(intro, INTRO, self.room)
            slabs += [replace(slab, keep=True) for slab in text]
        return slabs

    def headed(
        self, number: str, title: str, anchor: str, type_: Type, kind: str, heads: tuple[str, str]
    ) -> list[Slab]:
        """A heading whose number hangs in the margin. It stays with what follows."""
        signs, _ = self.setter.words(number, type_) if number else ([], [])
        wide = sum(word.width for word in signs) * type_.em
        lines = self.setter.paragraph(Block(title), type_, self.room, kind=kind, begin=_numbered(signs, type_, wide))
        found = [replace(slab, keep=True, heads=heads) for slab in lines]
        first = found[0]
        found[0] = replace(first, anchors=(anchor,))
        return found


def _numbered(signs: Sequence[Word], type_: Type, wide: float) -> Draw | None:
    if not signs:
        return None
    return partial(_draw_number, signs, type_, wide)


def _draw_number(signs: Sequence[Word], type_: Type, wide: float, pen: Pen, x: float, y: float) -> None:
    pen.text(signs, "P", x - HANG - wide, y + type_.rise, type_.size, pen.accent)
