"""Turn text in one font into glyphs: HarfBuzz kerns, joins letters and places marks, as browsers do.

Everything uses the same measures: fitting, PDF, SVG and pictures set the same words in the same way. Words are shaped
between two spaces, since fonts also kern with spaces, and lines are composed of words, because each word occurs many
times.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

import uharfbuzz as harfbuzz

from grimalkin.printing.type.bidi import is_bidi, parts_from_left
from grimalkin.printing.type.fonts import Fault, Font, find_font, known_font
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import listed

LANGUAGE = "en"
"""The language whose letterforms are used, regardless of the system's language."""
VARIANTS = {
    "small-caps": {"smcp": True},
    "all-small-caps": {"smcp": True, "c2sc": True},
    "oldstyle-nums": {"onum": True},
    "lining-nums": {"lnum": True},
    "tabular-nums": {"tnum": True},
    "proportional-nums": {"pnum": True},
    "diagonal-fractions": {"frac": True},
    "ordinal": {"ordn": True},
    "slashed-zero": {"zero": True},
    "super": {"sups": True},
    "sub": {"subs": True},
    "discretionary-ligatures": {"dlig": True},
    "no-common-ligatures": {"liga": False, "clig": False},
}
"""Font features by their CSS names (https://www.w3.org/TR/css-fonts-4/#font-variant-prop), as OpenType tags."""

MOST_GROWN = 16
"""The most glyphs that a font may make from one letter."""


class Glyph(NamedTuple):
    """A glyph, by its number in the font. Lengths are in font units."""

    number: int
    advance: int
    right: int
    """The glyph's offset to the right."""
    up: int
    start: int
    """The start of the text that it represents."""


class Measure(NamedTuple):
    """The width of a word between two spaces, in em."""

    width: float
    before: float
    """The part of the width that belongs to the space before: kerning. It is left out at the beginning of a line."""
    after: float
    """The part of the width that belongs to the space after."""


class MissingGlyph(Exception):
    """A character that a font, or each of several separated by commas, lacks."""

    def __init__(self, fonts: str, char: str) -> None:
        names = [f'"{font.title}"' if (font := find_font(name)) and font.is_own else name for name in fonts.split(",")]
        named = f"the font {names[0]} has" if len(names) == 1 else f"the fonts {listed(names)} have"
        super().__init__(f"{named} no character {char!r} (U+{ord(char):04X})")
        self.char = char


class Overgrown(MissingGlyph):
    """A font that makes far more glyphs than the text has letters."""

    def __init__(self, font: Font, text: str, count: int) -> None:
        Exception.__init__(self, f'the font "{font.title}" turns "{text.strip()[:20]}" into {count:,} letters')
        self.char = text.strip()[:1] or " "


class UnknownFont(Exception):
    """A name that no installed font has."""

    def __init__(self, name: str) -> None:
        super().__init__(f'there is no font "{name}"')
        self.name = name


def shape(font: Font, text: str, variant: str = "", begin: int = 0) -> list[Glyph]:
    """Return the glyphs of a text in visual order; glyph 0 is the font's missing-character glyph.

    The glyphs count positions in the text from `begin`.
    """
    if not text.isascii() and is_bidi(text):
        found: list[Glyph] = []
        for start, end, from_right in parts_from_left(text):
            found += _shape(font, text[start:end], variant, begin - start, "rtl" if from_right else "ltr")
        return found
    return _shape(font, text, variant, begin)


def _shape(font: Font, text: str, variant: str, begin: int, direction: str = "ltr") -> list[Glyph]:
    """Return the glyphs of a text in one direction."""
    buffer = _buffer()
    buffer.clear_contents()
    buffer.language = LANGUAGE
    buffer.add_str(text)
    buffer.direction = direction
    buffer.guess_segment_properties()
    harfbuzz.shape(font.shaper, buffer, features_of(variant))
    if len(buffer) > MOST_GROWN * (len(text) + 1):
        raise Overgrown(font, text, len(buffer))
    make = tuple.__new__  # three times as fast as naming all fields
    return [
        make(Glyph, (one.codepoint, at.x_advance, at.x_offset, at.y_offset, one.cluster - begin))
        for one, at in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
    ]


@cache
def _buffer() -> harfbuzz.Buffer:
    buffer = harfbuzz.Buffer()
    buffer.cluster_level = harfbuzz.BufferClusterLevel.MONOTONE_CHARACTERS
    buffer.flags = harfbuzz.BufferFlags.REMOVE_DEFAULT_IGNORABLES
    return buffer


@lru_cache(maxsize=64)
def features_of(variant: str) -> dict[str, bool]:
    """Return the OpenType features of CSS variants."""
    return {tag: on for word in variant.split() for tag, on in VARIANTS[word].items()}


@lru_cache(maxsize=16_384)  # enough for all papers and designs of a game with a long book
def shaped_word(font: Font, word: str, variant: str = "") -> tuple[list[Glyph], int]:
    """Return the glyphs of a word between two spaces, and the extra width of the space before it, in font units.

    Fitted words are drawn soon after, and again on each paper, so recent results are cached; callers must not change
    them.
    """
    if not font.space:  # a symbol font
        return shape(font, word, variant), 0
    between = shape(font, f" {word} ", variant, begin=1)
    edges = [glyph.start for glyph in (*between[:2], *between[-2:])]
    if len(between) < 3 or not ({-1, 0} <= {*edges} and len(word) in edges):
        return shape(font, word, variant), 0  # the font joins spaces to letters
    before, *glyphs, after = between
    gain = after.advance - font.space_units
    if glyphs and gain:  # any extra width of the space after it belongs to the word
        glyphs[-1] = glyphs[-1]._replace(advance=glyphs[-1].advance + gain)
    return glyphs, before.advance - font.space_units


@lru_cache(maxsize=2048)
def measured(family: str, word: str, variant: str = "", is_strict: bool = True) -> Measure:
    """Measure a word. Raise UnknownFont; with `is_strict`, also MissingGlyph."""
    font = find_font(family)
    if font is None:
        raise UnknownFont(family)
    if not word:
        return Measure(0.0, 0.0, 0.0)
    glyphs, before = shaped_word(font, word, variant)
    if is_strict and 0 in [glyph[0] for glyph in glyphs]:
        raise MissingGlyph(family, next(word[glyph.start] for glyph in glyphs if not glyph.number))
    inner, after = sum([glyph[1] for glyph in glyphs]), 0
    if glyphs and glyphs[-1].advance != font.units(glyphs[-1].number):  # the space after may have moved it
        after = inner - sum([glyph.advance for glyph in shape(font, word, variant)])
    return Measure((before + inner) / font.em, before / font.em, after / font.em)


@lru_cache(maxsize=4096)
def has(family: str, text: str) -> bool:
    """Return whether a font has all characters of a text. Raise UnknownFont."""
    font = find_font(family)
    if font is None:
        raise UnknownFont(family)
    try:
        return all(glyph.number for glyph in shape(font, text))
    except Overgrown:
        return True  # measuring will report it


def split_by_font(text: str, chain: str) -> list[tuple[str, str]]:
    """Split a text into runs of one font each: for each letter, the first in the chain with the letter and its marks.

    Right-to-left text stays in one piece, and therefore in one font. Raise UnknownFont, or MissingGlyph if no font has
    a letter.
    """
    first, *others = chain.split(",")
    if not others or has(first, text):
        return [(first, text)]
    runs: list[tuple[str, str]] = []
    for letter in [text] if is_bidi(text) else _letters(text):
        family = next((one for one in (first, *others) if has(one, letter)), None)
        if family is None:
            lacking = (char for char in letter if not any(has(one, char) for one in (first, *others)))
            raise MissingGlyph(chain, next(lacking, letter[-1]))
        if runs and runs[-1][0] == family:
            runs[-1] = family, runs[-1][1] + letter
        else:
            runs.append((family, letter))
    return runs


def _letters(text: str) -> list[str]:
    """Return the letters of a text, each with its marks and invisible characters."""
    found: list[str] = []
    for char in text:
        if found and unicodedata.category(char) in ("Mn", "Mc", "Me", "Cf"):
            found[-1] += char
        else:
            found.append(char)
    return found


def words_of(text: str) -> list[str]:
    """Split a text at its spaces; a no-break space is as wide as any other.

    Right-to-left words are not placed in the written order, so a text with any stays in one piece.
    """
    if not text.isascii() and is_bidi(text):
        return [text]
    return text.replace("\u00a0", " ").split(" ") if "\u00a0" in text else text.split(" ")


def text_width(family: str, text: str, variant: str = "", is_strict: bool = True) -> float:
    """Return the width in em of words between two spaces. Raise as `measured` does."""
    if " " not in text and "\u00a0" not in text:
        return measured(family, text, variant, is_strict).width
    return _row(family, text, variant, is_strict)[0]


def line_width(family: str, text: str, variant: str = "", is_strict: bool = True) -> float:
    """Return the width in em of a text with nothing around it, as drawn. Raise as `measured` does."""
    width, first, last = _row(family, text, variant, is_strict)
    return width - first.before - last.after


def _row(family: str, text: str, variant: str, is_strict: bool) -> tuple[float, Measure, Measure]:
    """Return the width in em of words between two spaces, and the measures of the first and last."""
    found = [measured(family, word, variant, is_strict) for word in words_of(text)]
    width = sum([word[0] for word in found])
    if len(found) > 1:
        font = known_font(family)
        if is_strict and not font.space:
            raise MissingGlyph(family, " ")
        width += (len(found) - 1) * font.space
    return width, found[0], found[-1]


def set_line(family: str, text: str, variant: str = "", spread: float = 0.0) -> Iterator[tuple[int, float, float]]:
    """Yield the glyphs of a line: number, offset to the right, and height. Lengths are in em."""
    font = known_font(family)
    x, em = 0.0, font.em
    for index, word in enumerate(words_of(text)):
        glyphs, before = shaped_word(font, word, variant)
        x += font.space + before / em + spread if index else 0.0
        for glyph in glyphs:
            yield glyph.number, x + glyph.right / em, glyph.up / em
            x += glyph.advance / em


@lru_cache(maxsize=256)
def variant_fault(family: str, variant: str) -> Fault | None:
    """Return the fault of CSS variants that a font lacks; None if it lacks none, or is unknown."""
    font = find_font(family)
    for word in variant.split():
        if word not in VARIANTS:
            return f'font-variant "{word[:40]}" is not known', did_you_mean(word, VARIANTS)
        lacking = [tag for tag, on in VARIANTS[word].items() if on and font and tag not in font.features]
        if lacking and font and not _is_so(font, word):
            return (
                f'the font "{font.title}" has no {word} ({", ".join(lacking)})',
                "choose a font that has them, or remove it",
            )
    return None


def _is_so(font: Font, word: str) -> bool:
    """Return whether a font already looks by default as it would with a feature."""
    if word == "lining-nums":
        return "onum" in font.features
    figures = {glyph.advance for figure in "0123456789" for glyph in shape(font, figure)}
    return (word == "tabular-nums" and len(figures) == 1) or (word == "proportional-nums" and len(figures) > 1)


def parts(glyphs: list[Glyph], text: str) -> list[tuple[list[Glyph], str]]:
    """Return groups of glyphs, each with the part of the text that it represents, in visual order.

    A positioned mark belongs to its letter, which follows it in right-to-left text.
    """
    starts = sorted({glyph.start for glyph in glyphs})
    ends = dict(pairwise([*starts, len(text)]))
    groups: list[list[Glyph]] = []
    for glyph in glyphs:
        last = groups[-1][-1] if groups else None
        if last and (last.start == glyph.start or _is_put(glyph if glyph.start > last.start else last)):
            groups[-1].append(glyph)
        else:
            groups.append([glyph])
    return [
        (group, _seen("".join(text[start : ends[start]] for start in sorted({glyph.start for glyph in group}))))
        for group in groups
    ]


def _is_put(glyph: Glyph) -> bool:
    return not glyph.advance and bool(glyph.right or glyph.up)


def _seen(text: str) -> str:
    """Return text without the characters that have no glyph: joiners and direction marks."""
    return text if text.isascii() else "".join(char for char in text if unicodedata.category(char) != "Cf")
