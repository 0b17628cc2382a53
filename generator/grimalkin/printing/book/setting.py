"""Set the texts of a game: paragraphs and lists in the book's type, with references as links."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from grimalkin.content.texts.references import BRACKETS, CODE, ITEM, Reference, references, replaced_parts
from grimalkin.content.texts.styles import PLAIN, Look
from grimalkin.content.texts.typography import quotes
from grimalkin.printing.book.flow import Draw, Slab
from grimalkin.printing.book.pen import Pen
from grimalkin.printing.draw.tags import DISCS, NUMBERED
from grimalkin.printing.type.fit import POINT
from grimalkin.printing.type.fonts import (
    SANS_BOLD,
    SANS_SEMIBOLD,
    SERIF_BLACK,
    SERIF_BOLD,
    SERIF_ITALIC,
    Font,
    find_font,
)
from grimalkin.printing.type.game_fonts import Fonts
from grimalkin.printing.type.paragraphs import Line, broken
from grimalkin.printing.type.shaping import MissingGlyph
from grimalkin.printing.type.words import Word, piece_width, read_words
from grimalkin.problems import Place, Problems

SERIF = "SourceSerifPro"
_SERIF_BOLD_ITALIC, _SERIF_BLACK_ITALIC = "SourceSerifProBoldIt", "SourceSerifProBlackIt"
STANDS_OUT = {
    font: dict(zip([(False, False), (True, False), (False, True), (True, True)], (font, *styles), strict=True))
    for font, styles in {
        SERIF_ITALIC: (_SERIF_BOLD_ITALIC, SERIF, SERIF_BOLD),
        SERIF_BOLD: (SERIF_BLACK, _SERIF_BOLD_ITALIC, _SERIF_BLACK_ITALIC),
        SERIF_BLACK: (SERIF_BLACK, _SERIF_BLACK_ITALIC, _SERIF_BLACK_ITALIC),
        SANS_SEMIBOLD: (SANS_BOLD, "SourceSansProSemiboldIt", "SourceSansProBoldIt"),
    }.items()
}
"""The bold, italic and bold italic styles of fonts that are themselves bold or italic."""
_LINK, _CODE, _BY = "\N{GREEK SMALL LETTER LAMDA}", "\N{GREEK SMALL LETTER KAPPA}", "\N{GREEK SMALL LETTER BETA}"
"""Names of styles for links, for code, and for rule numbers after a sentence; no game can use these names."""
_BULLET = "•"
TERM = "term-"
"""The prefix of the anchors of terms."""


class Type(NamedTuple):
    """The typography of a paragraph, with sizes in points and distances in millimetres."""

    font: str = SERIF
    size: float = 9.4
    leading: float = 4.45
    """The distance from one line to the next."""
    gap: float = 1.9
    """The space above the paragraph."""
    filled: bool = True
    fill: str = ""
    """A colour, or the name of one of the book's inks: "ink", "accent" or "paper"."""
    look: Look = Look(variant="oldstyle-nums")

    @property
    def em(self) -> float:
        return self.size * POINT

    @property
    def face(self) -> Font:
        found = find_font(self.font)
        assert found is not None
        return found

    @property
    def space(self) -> float:
        return self.face.space

    @property
    def rise(self) -> float:
        """Return the distance from the top of a line to its baseline."""
        face = self.face
        return (self.leading - self.em * (face.ascent + face.descent)) / 2 + self.em * face.ascent


BODY = Type()
SMALL = Type(size=8.0, leading=3.75, gap=1.4)
NOTE = SMALL._replace(font=SERIF_ITALIC)
INTRO = Type(font=SERIF_ITALIC, size=10.4, leading=4.9, gap=2.2)
TITLE = Type(font=SERIF_BOLD, size=10.6, leading=4.8, gap=4.2, filled=False, look=PLAIN)
CHAPTER = Type(font=SERIF_BLACK, size=17, leading=7.0, gap=7.0, filled=False, fill="paper", look=PLAIN)
LEAD = Type(font=SERIF_BOLD, size=8.4, leading=3.9, gap=2.6, filled=False, look=PLAIN)


RIBBON = Type(font=SERIF_BLACK, size=11.5, leading=4.8, gap=5.0, filled=False, fill="paper", look=PLAIN)
"""Headings on ribbons within a chapter."""


HEAD = Type(font=SERIF_ITALIC, size=8.6, leading=3.75, filled=False, look=PLAIN)
FOLIO = Type(font=SERIF_BLACK, size=9.5, leading=4.0, filled=False, look=PLAIN)


class Block(NamedTuple):
    """A paragraph, or an item of a list with its bullet or number and its depth."""

    text: str
    sign: str = ""
    deep: int = 0


def blocks(text: str) -> list[Block]:
    """Divide a text into paragraphs and items, as web pages do: an item begins a line, a blank line ends a paragraph.

    >>> [(block.text, block.sign) for block in blocks("One\\ntwo.\\n- a\\n  b\\n\\nThree.")]
    [('One two.', ''), ('a b', '•'), ('Three.', '')]
    """
    found: list[Block] = []
    is_open = False
    for line in text.split("\n"):
        item = ITEM.match(line)
        if not line.strip():
            is_open = False
        elif item:
            sign = _BULLET if item[2] == "-" else item[2]
            found.append(Block(line[item.end() :].strip(), sign, 1 + len(item[1].expandtabs(4)) // 2))
            is_open = True
        elif is_open:
            found[-1] = found[-1]._replace(text=f"{found[-1].text} {line.strip()}")
        else:
            found.append(Block(line.strip()))
            is_open = True
    return found


@dataclass
class Setter:
    """A setter of one game's texts. `label` returns the words for a reference without any, `leads` its anchor or ""."""

    label: Callable[[Reference], str]
    leads: Callable[[Reference], str]
    looks: Mapping[str, Look]
    language: str
    decided: Callable[[str], str]
    """Resolves the conditions in a text."""
    numbers: Mapping[str, str]
    """The numbers of rules and rulings, to put after sentences for newcomers."""
    fonts: Fonts
    """The game's fonts, used for glyphs that ours lack."""
    problems: Problems
    place: Place
    """The source of the text that is being set."""
    made: dict[tuple[str, Type, float], list[Slab]] = field(default_factory=dict)

    def taught(self, text: str) -> str:
        """Turn references to rules in brackets after a sentence into small numbers."""

        def numbered(found: re.Match[str]) -> str:
            laws = [one.name for one in references(found[1])]
            if not all(law in self.numbers for law in laws):
                return found[0]
            links = " ".join(f"[[{law}|{self.numbers[law]}]]" for law in laws)
            return f"{found[2]}\N{NO-BREAK SPACE}{{{_BY}|{links}}}"

        return BRACKETS.sub(numbered, text)

    def linked(self, parts: Sequence[tuple[str, str]], type_: Type, between: str) -> list[list[Word]]:
        """Set words as links to anchors, one after another."""
        looks = {f"{_LINK}{number}": Look(link=anchor) for number, (_, anchor) in enumerate(parts)}
        text = between.join(f"{{{_LINK}{number}|{quotes(words)}}}" for number, (words, _) in enumerate(parts))
        return self.read(text, type_, looks)

    def words(self, text: str, type_: Type) -> list[Word]:
        """Return the words of a text on one line."""
        return [word for words in self.parts(text, type_) for word in words]

    def parts(self, text: str, type_: Type) -> list[list[Word]]:
        """Return the words of a paragraph, divided at each `{br}`."""
        looks: dict[str, Look] = dict(self.looks)
        looks[_CODE], looks[_BY] = Look(bold=True), Look(fill="accent", scale=0.76, whole=True)
        text = quotes(text)
        edits: list[tuple[int, int, str]] = []
        for number, one in enumerate(references(text)):
            if one.kind == "icon":
                continue
            shown = one.words or self.label(one)
            anchor = self.leads(one)
            if not anchor:
                edits.append((one.start, one.end, shown))
                continue
            style = f"{_LINK}{number}"
            looks[style] = Look(link=anchor)
            edits.append((one.start, one.end, f"{{{style}|{shown}}}"))
        text = replaced_parts(text, edits)
        text = CODE.sub(lambda found: f"{{{_CODE}|{_plain(found[2].strip())}}}", text)
        return self.read(text, type_, looks, self.language if type_.filled else "")

    def styled(self, chain: str, bold: bool, italic: bool) -> str:
        """Return the bold or italic style of a font, or in bold or italic text, the style that stands out from it."""
        first, comma, rest = chain.partition(",")
        if first in STANDS_OUT:
            return STANDS_OUT[first][bold, italic] + comma + rest
        return self.fonts.styled(chain, bold, italic)

    def read(self, text: str, type_: Type, looks: Mapping[str, Look], language: str = "") -> list[list[Word]]:
        """Return the words of a text. Report characters that its fonts lack, with their place in the source."""
        chain = self.fonts.chain(type_.font)
        family = type_.font if isinstance(chain, tuple) else chain
        try:
            return read_words(text, family, {}, looks, language, type_.look, self.styled)
        except MissingGlyph as error:
            hint = "leave it out, or name a font that has it under `fallback-fonts` in game.yaml"
            self.problems.add(self.place, str(error), hint)
            return []

    def paragraph(
        self,
        block: Block,
        type_: Type,
        room: float,
        indent: float = 0.0,
        kind: str = "P",
        begin: Draw | None = None,
        end: Draw | None = None,
    ) -> list[Slab]:
        """Set a paragraph `room` wide, each line a slab. No first or last line may be alone on a page.

        `begin` and `end` draw the opening and the end of the element around it.
        """
        parts = self.parts(block.text, type_)
        return self.set(parts, type_, room, indent, kind, begin, end)

    def set(
        self,
        parts: Sequence[Sequence[Word]],
        type_: Type,
        room: float,
        indent: float = 0.0,
        kind: str = "P",
        begin: Draw | None = None,
        end: Draw | None = None,
    ) -> list[Slab]:
        """Set words that have already been read, in the same way as a paragraph."""
        wide = (room - indent) / type_.em
        whole = ([part for word in words for part in fitting(word, wide)] for words in parts)
        lines = [line for words in whole for line in broken(words, wide, type_.space, type_.filled)]
        slabs: list[Slab] = []
        for index, line in enumerate(lines):
            first, last = index == 0, index == len(lines) - 1
            draw = partial(
                _draw_line, line, type_, kind, indent, first, last, begin if first else None, end if last else None
            )
            keep = len(lines) > 1 and (first or index == len(lines) - 2)
            slabs.append(Slab(type_.leading, draw, type_.gap if first else 0.0, keep, marks=terms_in(line)))
        return slabs

    def text(self, text: str, type_: Type, room: float) -> list[Slab]:
        """Set a text of a game, with paragraphs and lists. Texts already set, as in an index, are reused."""
        key = text, type_, room
        if key not in self.made:
            self.made[key] = self.set_text(text, type_, room)
        return list(self.made[key])

    def set_text(self, text: str, type_: Type, room: float) -> list[Slab]:
        slabs: list[Slab] = []
        found = blocks(self.decided(text))
        for index, block in enumerate(found):
            if block.sign:
                is_first = index == 0 or not found[index - 1].sign
                is_last = index == len(found) - 1 or not found[index + 1].sign
                slabs += self.item(block, type_, room, is_first, is_last)
            else:
                slabs += self.paragraph(block, type_, room)
        return slabs

    def item(self, block: Block, type_: Type, room: float, is_first: bool, is_last: bool) -> list[Slab]:
        """Set an item of a list, with its bullet or number in the indent."""
        hang = 4.4 * block.deep
        numbered = block.sign != _BULLET
        signs = self.words(block.sign, type_._replace(filled=False))
        wide = sum(word.width for word in signs) * type_.em

        def begin(pen: Pen, x: float, y: float) -> None:
            pen.open_list("L", is_first, NUMBERED if numbered else DISCS)
            pen.open("LI")
            fill = type_.fill or "ink" if numbered else "accent"
            pen.text(signs, "Lbl", x + hang - 1.3 - wide, y + type_.rise, type_.size, fill)

        close = type_ if is_first else type_._replace(gap=0.45)
        return self.paragraph(block, close, room, hang, "LBody", begin, partial(close_item, is_last))


def fitting(word: Word, room: float) -> list[Word]:
    """Return a word, or its parts if it is wider than the room."""
    if word.width <= room or word.cuts:
        return [word]
    parts: list[Word] = []
    for piece in word.pieces:
        rest = piece
        while rest.text and piece_width(rest) > room:
            low, high = 1, len(rest.text)
            while low < high:  # as many letters as fit
                middle = (low + high + 1) // 2
                is_narrow = piece_width(rest._replace(text=rest.text[:middle])) <= room
                low, high = (middle, high) if is_narrow else (low, middle - 1)
            first, rest = rest._replace(text=rest.text[:low]), rest._replace(text=rest.text[low:])
            parts.append(Word((first,), piece_width(first), bond="joined"))
        parts.append(Word((rest,), piece_width(rest), bond="joined"))
    return [parts[0]._replace(bond=word.bond, blank=word.blank), *parts[1:]]


def terms_in(line: Line) -> tuple[str, ...]:
    """Return the terms that the words of a line link to."""
    links = (piece.look.link for word in line.words for piece in word.pieces)
    return tuple(dict.fromkeys(link.removeprefix(TERM) for link in links if link.startswith(TERM)))


def _draw_line(
    line: Line,
    type_: Type,
    kind: str,
    indent: float,
    first: bool,
    last: bool,
    begin: Draw | None,
    end: Draw | None,
    pen: Pen,
    x: float,
    y: float,
) -> None:
    """Draw a line of a paragraph; the first opens its element, and the last closes it."""
    if begin:
        begin(pen, x, y)
    if first:
        pen.open(kind)
    tail = "" if last or line.words[-1].goes_on else " "
    pen.line(line, kind, x + indent, y + type_.rise, type_.size, type_.fill or "ink", tail)
    if last:
        pen.close()
    if end:
        end(pen, x, y)


def close_item(is_last: bool, pen: Pen, _x: float, _y: float) -> None:
    """Close an item of a list, and after the last item the list."""
    pen.close()
    if is_last:
        pen.close()


def stacked(slabs: Sequence[Slab]) -> Slab:
    """Stack several slabs into one."""
    tops, at = [], 0.0
    for index, slab in enumerate(slabs):
        at += slab.before if index else 0.0
        tops.append(at)
        at += slab.height

    def draw(pen: Pen, x: float, y: float) -> None:
        for top, slab in zip(tops, slabs, strict=True):
            slab.draw(pen, x, y + top)

    return Slab(at, draw)


def _plain(text: str) -> str:
    """Escape code, so that none of it acts as markup."""
    return re.sub(r"([\\*:{}\[\]_])", r"\\\1", text)
