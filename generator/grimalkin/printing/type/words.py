"""Turn text into lines of Words: the font, style and width of each part, and where it may be broken.

Lines end at spaces, and inside words where grimalkin.printing.type.breaks allows it. Widths are in em.

As in CommonMark, a numbered list counts on from its first number, and lines indented by two spaces below an item
continue it, as does a nested list. Lists nested more deeply belong to the nested list.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, groupby
from typing import Literal, NamedTuple

from grimalkin.content.texts.references import BREAK, ITEM, Reference, runs
from grimalkin.content.texts.styles import COMMON, PLAIN, Look, look_within
from grimalkin.content.texts.typography import apostrophes
from grimalkin.printing.type.breaks import breaks, repeats_hyphen
from grimalkin.printing.type.fonts import find_font, styled
from grimalkin.printing.type.shaping import MissingGlyph, has, split_by_font, text_width

ICON_EM = 1.0
"""The width of an icon inside text, in em: icons are as wide as the type is high."""
ITEM_GAP = 0.4
"""The gap between the bullet or number of a list item and its words, in em."""
_UNSEEN = (0x200C, 0x200D, 0x200E, 0x200F, 0xFEFF, *range(0xFE00, 0xFE10))
_ENDS = {9: " ", 0x0B: "\n", 0x0C: "\n", 0x85: "\n", 0x2028: "\n", 0x2029: "\n\n"}
_BLANK: dict[int, str | None] = {**dict.fromkeys(_UNSEEN), **_ENDS, 0x2010: "-"}
"""Characters that fonts lack: joiners, direction marks and variation selectors, which mean nothing here; tabs and line
ends; and the unambiguous hyphen, which few fonts have."""
_BREAKING: dict[int, str | None] = {0xAD: None, 0x200B: None, 0x2060: None, 0x2011: "-"}
"""Characters that determine where a line may or may not end; they are not printed, or are printed as a hyphen."""
_UNBROKEN = _BLANK | _BREAKING
_JOINING = re.compile("[\u0600-\u11ff]")
"""Letters of scripts in which joiners affect letterforms: Arabic, Indian and other Asian scripts."""
_MARKED = re.compile(r"[*:{\\]|\[\[|\n[ \t]*(?:-|\d{1,9}\.)[ \t]")
_EDGE = re.compile("([ \n\u2028])")
_EDGES = frozenset(" \n\u2028")
_JOINED_SPACE = re.compile("\u2060 | \u2060")
ICON_SIGN = "\ufffc"
"""A placeholder for an icon where only its neighbours matter."""
_CLOSES = re.compile("[–—…!?:;»%]+")
"""Characters that may not begin a line even after a space; nor may an opening guillemet before a space end one."""
MOST_CUTS = 50
"""The most places where one word may be broken. No language has a word with that many."""


class Piece(NamedTuple):
    """A part of a word in one font, or an icon (`icon` is its name and `text` is empty)."""

    font: str
    text: str
    icon: str = ""
    look: Look = PLAIN
    """Its colour, size and features; its font is already bold or italic."""


Bond = Literal["", "joined", "closes", "opens"]
"""How a word relates to its neighbours: it follows without a space, or may not begin a line, or may not end one."""


class Cut(NamedTuple):
    """A place where a word may be broken if necessary: the piece, the number of letters, and the printed hyphen."""

    piece: int
    at: int
    hyphen: str
    again: str = ""
    """The beginning of the next line: in some languages a compound repeats its hyphen."""


class Word(NamedTuple):
    """Pieces that stay together if there is room, and their width in em."""

    pieces: tuple[Piece, ...]
    width: float
    cuts: tuple[Cut, ...] = ()
    bond: Bond = ""
    goes_on: bool = False
    """Whether the next line continues it without a space."""
    scale: float = 1.0
    """The size of its largest piece, in em."""
    blank: float = 1.0
    """The width of the space before it, in spaces of the surrounding text."""
    hang: float = 0.0
    """For the bullet, number or blank that begins a line of a list: the indent of the words, in em."""

    def broken(self, room: float) -> tuple[Word, Word] | None:
        """Return the part that fits in a width in em, and the rest; None if nothing fits."""
        best: tuple[int, Word] | None = None
        for number, cut in enumerate(self.cuts, 1):
            head = self.before(number)
            if head.width <= room:
                best = number, head
            elif head.width - piece_width(self.pieces[cut.piece]._replace(text=cut.hyphen, icon="")) > room:
                break
        return (best[1], self.after(best[0])) if best else None

    def before(self, number: int) -> Word:
        """Return the part before a cut, counting from 1, with its hyphen."""
        cut = self.cuts[number - 1]
        piece = self.pieces[cut.piece]
        whole = piece._replace(text=piece.text[: cut.at] + cut.hyphen, icon="")
        head = (*self.pieces[: cut.piece], *([whole] if whole.text else []))
        return self._replace(pieces=head, width=pieces_width(head), cuts=self.cuts[: number - 1], goes_on=True)

    def after(self, number: int) -> Word:
        """Return the part after a cut, counting from 1."""
        first = self.cuts[number - 1]
        piece = self.pieces[first.piece]
        left = piece._replace(text=first.again + piece.text[first.at :])
        pieces = (*([left] if left.text or left.icon else []), *self.pieces[first.piece + 1 :])
        gone = len(self.pieces) - len(pieces)
        cuts = (
            cut._replace(
                piece=cut.piece - gone, at=cut.at - (first.at - len(first.again) if cut.piece == first.piece else 0)
            )
            for cut in self.cuts[number:]
        )
        return self._replace(pieces=pieces, width=pieces_width(pieces), cuts=tuple(cuts), bond="")


def written(text: str, font: str, breaks: bool = False) -> str:
    r"""Return text as a font can show it: composed (NFC), with typographic apostrophes, and without invisible
    characters.

    With `breaks`, marks where words may be broken stay. `font` may name several, separated by commas.

    >>> written("e\u0301\u200b-\tx", ""), written("hyphen\u00adate", "", True), written("a cat's", "SourceSansPro")
    ('é- x', 'hyphen\xadate', 'a cat’s')
    """
    if "'" in text and find_font(name := font.partition(",")[0]) and has(name, "’"):
        text = apostrophes(text)
    if text.isascii() and text.isprintable():
        return text
    blank = _BLANK if breaks else _UNBROKEN
    if _JOINING.search(text):
        blank = {code: sign for code, sign in blank.items() if code not in (0x200C, 0x200D)}
    text = unicodedata.normalize("NFC", text).translate(blank)
    return _JOINED_SPACE.sub("\u00a0", text) if "\u2060" in text else text


def plainly_written(text: str, font: str) -> str:
    """Return the same with ordinary spaces in place of those that the font leaves blank, for uses other than faces."""
    text = written(text, font)
    blanks = blank_spaces(font)
    return text if text.isascii() else "".join(" " if char in blanks else char for char in text)


def read_words(
    text: str,
    font: str,
    words_of: Mapping[str, str],
    looks: Mapping[str, Look] = COMMON,
    language: str = "",
    base: Look = PLAIN,
    styled: Callable[[str, bool, bool], str] = styled,
) -> list[list[Word]]:
    """Return lines of words, without the marks. A newline breaks the line, a blank line the paragraph.

    References show their own words, or else those in `words_of` for their id; `looks` defines the styles. An empty
    list represents a blank line. A line of a list begins with a hanging word. With a language that can be
    hyphenated, words may be broken between its syllables. `base` is the look of the whole text. `font` may name
    several, separated by commas; `styled` returns the names of their bold and italic.
    """
    plain = written(text, font, True).strip("\n")
    is_plain = not _MARKED.search(plain) and not ITEM.match(plain)
    if is_plain and (plain.isascii() or blank_spaces(font).isdisjoint(plain)):
        words_of_text = _plain_words(font, language, base)
        rows = [filter(None, line.strip().split(" ")) for line in plain.split("\n")]
        return [list(chain.from_iterable(map(words_of_text, row))) for row in rows]

    def named(reference: Reference) -> str:
        return words_of.get(reference.name, reference.name)

    lines: list[list[Word]] = [[]]
    begins: list[Begin] = [Begin()]
    pieces: list[Piece] = []
    blank = 1.0

    def end_word() -> None:
        if pieces:
            first, *more = words_of_pieces(tuple(pieces), language) or (None,)
            if first:
                lines[-1] += [first if blank == 1 else first._replace(blank=blank), *more]
            pieces.clear()

    within: dict[tuple[str, ...], Look] = {(): base}
    for run in runs(plain, named):
        look = within.get(run.styles) or within.setdefault(run.styles, look_within(run.styles, looks).within(base))
        style = styled(font, run.bold or look.bold, run.italic or look.italic)
        if run.item:
            begins[-1] = begin_of(run.item)
            continue
        if run.icon:
            pieces.append(Piece(font, "", run.icon, look))
            continue
        for chunk in _EDGE.split(_whole(run.text) if look.whole else run.text):
            if chunk not in _EDGES:
                pieces.extend(_pieces(chunk, style, look))
                continue
            if not lines[-1] and not pieces and chunk == " " and not begins[-1].sign:
                begins[-1] = begins[-1]._replace(indent=begins[-1].indent + 1)
            end_word()
            blank = look.scale
            if chunk != " ":
                lines.append([])
                begins.append(Begin(is_forced=chunk == BREAK))
    end_word()
    if not any(begin.sign for begin in begins):
        return lines
    items = find_items(begin._replace(is_empty=not line) for begin, line in zip(begins, lines, strict=True))
    return _hung(lines, items, font.partition(",")[0])


def _hung(lines: list[list[Word]], items: Mapping[int, Item], font: str) -> list[list[Word]]:
    """Return the lines with bullets and numbers in front of list items."""
    signs = {item.sign: Piece(font, _bullet(font) if item.sign == BULLET else item.sign) for item in items.values()}
    inward: dict[int, float] = {}
    """The indent of the words in each list, relative to the list around it."""
    for item in items.values():
        inward[item.lists[-1]] = max(inward.get(item.lists[-1], 0), pieces_width([signs[item.sign]]) + ITEM_GAP)
    hung = list(lines)
    for at, item in items.items():
        sign, hang = signs[item.sign], sum(inward[one] for one in item.lists)
        hung[at] = [Word((sign,) if item.sign else (), pieces_width([sign]), hang=hang), *lines[at]]
    return hung


def _bullet(font: str) -> str:
    """Return the mark before items: a bullet, or the closest character in a font without one."""
    for sign in "•–":
        with suppress(MissingGlyph):
            text_width(font, sign)
            return sign
    return "-"


def _whole(text: str) -> str:
    """Return a text in which no line may end."""
    return "\u2060".join(text.translate(_UNBROKEN).replace(" ", "\u00a0"))


def _pieces(chunk: str, font: str, look: Look = PLAIN) -> list[Piece]:
    """Return the parts of a word, each in one font; spaces without a glyph are separate parts."""
    if not chunk:
        return []
    spaces = blank_spaces(font)
    parts = [chunk]
    if not chunk.isascii() and not spaces.isdisjoint(chunk):
        parts = ["".join(part) for _, part in groupby(chunk, lambda char: char in spaces and char)]
    return [Piece(one, text, "", look) for part in parts for one, text in split_by_font(part, font)]


def blank_spaces(font: str) -> frozenset[str]:
    """Return the spaces that are left blank because the font, or the first of several, has no glyph for them."""
    found = find_font(font.partition(",")[0])
    return found.spaces if found else frozenset()


@lru_cache(maxsize=256)
def _plain_words(font: str, language: str, look: Look) -> Callable[[str], tuple[Word, ...]]:
    """Return a function for the words of a text without spaces or marks. It caches them because they recur."""
    is_one = "," not in font

    @lru_cache(maxsize=8192)
    def words_of_text(text: str) -> tuple[Word, ...]:
        if is_one and text.isalnum() and text.isascii() and not language:  # most words: no line may end inside them
            piece = Piece(font, text, "", look)
            return (Word((piece,), piece_width(piece), scale=look.scale),)
        return words_of_pieces(tuple(_pieces(text, font, look)), language)

    return words_of_text


@lru_cache(maxsize=8192)
def words_of_pieces(pieces: tuple[Piece, ...], language: str = "") -> tuple[Word, ...]:
    """Return the text between two spaces as words: one, or several between which a line may end. Cached."""
    places = breaks("".join(piece.text or ICON_SIGN for piece in pieces), language)
    if not places and all(piece.text.isascii() for piece in pieces):  # most words
        return tuple(_words(list(pieces), [], False))
    ends = list(places)
    words: list[Word] = []
    shown: list[Piece] = []
    cuts: list[Cut] = []
    at = 0
    for piece in pieces:
        text, begin, end = "", 0, len(piece.text or ICON_SIGN)
        for place in ends[bisect_right(ends, at) : bisect_right(ends, at + end)]:
            text += piece.text[begin : place - at].translate(_BREAKING)
            begin = place - at
            if places[place] != "free":
                hyphen = "-" if places[place] == "soft" and not text.endswith("-") else ""
                text_width(piece.font, hyphen)  # reports a font without hyphens
                is_repeated = places[place] == "bound" and text.endswith("-") and repeats_hyphen(language)
                cuts.append(Cut(len(shown), len(text), hyphen, "-" if is_repeated else ""))
                continue
            shown += [piece._replace(text=text)] if text else []
            words += _words(shown, cuts, bool(words))
            text, shown, cuts = "", [], []
        text += piece.text[begin:].translate(_BREAKING)
        shown += [piece._replace(text=text)] if text or piece.icon else []
        at += end
    return (*words, *_words(shown, cuts, bool(words)))


def _words(pieces: list[Piece], cuts: list[Cut], joined: bool) -> list[Word]:
    """Return a word, or nothing if it is empty. No cut is before its first letter or after its last."""
    if not pieces:
        return []
    end = (len(pieces) - 1, len(pieces[-1].text or ICON_SIGN))
    kept = tuple(cut for cut in cuts if (0, 0) < cut[:2] < end) if len(cuts) <= MOST_CUTS else ()
    alone = pieces[0].text if len(pieces) == 1 else ""
    bond: Bond = "joined" if joined else "closes" if _CLOSES.fullmatch(alone) else "opens" if alone == "«" else ""
    scale = max([piece.look.scale for piece in pieces])
    return [Word(tuple(pieces), pieces_width(pieces), kept, bond, scale=scale)]


def pieces_width(pieces: Iterable[Piece]) -> float:
    """Return the width in em."""
    return sum(map(piece_width, pieces))


def piece_width(piece: Piece) -> float:
    """Return the width in em of the surrounding text."""
    if piece.look is PLAIN:
        return ICON_EM if piece.icon else text_width(piece.font, piece.text)
    return piece.look.scale * (ICON_EM if piece.icon else text_width(piece.font, piece.text, piece.look.variant))


def row_width(words: Sequence[Word], space: float) -> float:
    """Return the width of a line in em, including its indent."""
    if words and words[0].hang:
        return words[0].hang + row_width(words[1:], space)
    return sum([word.width + space * word.blank for word in words]) - (space * words[0].blank if words else 0)


# Lists


BULLET = "-"
_FURTHER = 2
"""In spaces."""


class Begin(NamedTuple):
    """The beginning of a line: its indent in spaces, its bullet or number, and whether a line break precedes it."""

    indent: int = 0
    sign: str = ""
    """A bullet, a number with its full stop, or ""."""
    is_forced: bool = False
    is_empty: bool = False


def begin_of(line: str) -> Begin:
    """Return the beginning of an unparsed line."""
    item = ITEM.match(line)
    indent = len(line) - len(line.lstrip())
    return Begin(indent, item[2] if item else "", is_empty=not line.strip())


class Item(NamedTuple):
    """A line of a list: its bullet or number ("" if it continues an item), and its lists' numbers, outermost first."""

    sign: str
    lists: tuple[int, ...]


class _List(NamedTuple):
    number: int
    indent: int
    first: str


def find_items(begins: Iterable[Begin]) -> dict[int, Item]:
    """Return the lines that belong to lists, by position. A blank line does not end a list; any other line does."""
    found: dict[int, Item] = {}
    counts: list[int] = []
    """The number of items in each list so far."""
    open_: list[_List] = []
    for place, begin in enumerate(begins):
        if begin.is_empty and not begin.sign:
            continue
        further = 0 if begin.sign else _FURTHER
        while open_ and not begin.is_forced and begin.indent < open_[-1].indent + further:
            if begin.sign and len(open_) == 1:
                break
            open_.pop()
        if begin.sign:
            within = len(open_) == 1 and begin.indent >= open_[0].indent + _FURTHER
            if not open_ or within or _is_bullet(begin.sign) != _is_bullet(open_[-1].first):
                if not within:
                    del open_[-1:]
                open_.append(_List(len(counts), begin.indent, begin.sign))
                counts.append(0)
            now = open_[-1]
            sign = begin.sign if _is_bullet(now.first) else f"{int(now.first[:-1]) + counts[now.number]}."
            counts[now.number] += 1
            found[place] = Item(sign, tuple(one.number for one in open_))
        elif open_:
            found[place] = Item("", tuple(one.number for one in open_))
    return found


def _is_bullet(sign: str) -> bool:
    return sign == BULLET
