"""Turn text into the operators that show it, and embed the fonts that a PDF needs for this (ISO 32000-1, 9.7).

A font is embedded with the glyphs in use, each under its number in the font's file. A table maps them to text, so that
text can be searched and copied as written. If one text per glyph is not enough, as for a letter with separate marks,
the text is given alongside the glyphs.

What people will type into a form is unknown, so its font has all letters of Western Europe (WinAnsi, or Windows 1252):
all characters of an encoding that every viewer supports, under the same codes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from grimalkin.printing.draw.packing import Writer, short
from grimalkin.printing.type.font_files import lettered, program
from grimalkin.printing.type.fonts import Font, known_font
from grimalkin.printing.type.shaping import Glyph, parts, shaped_word, words_of

_RISEN = "\u0100"
_RISE = re.compile(f"{_RISEN}([^{_RISEN}]*){_RISEN}")
"""How far letters are raised, in em, stands between two of these; the type size is not known yet."""
_ESCAPED = {ord(sign): f"\\{ord(sign):03o}" for sign in "()\\\r"}
"""Characters with a special meaning in a PDF string (ISO 32000-1, 7.3.4.2)."""
_TURNED = dict(zip("()[]{}<>«»‹›", ")(][}{><»«›‹", strict=True))
"""Characters that are mirrored in right-to-left text."""
_SYMBOLIC, _ITALIC = 4, 64
"""Flags of fonts (ISO 32000-1, 9.8.2)."""
MOST_WORDS = 1_000
_IDENTITY = "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"


class Types(dict[str, "Typeface"]):
    """The fonts, by family, of a document, or of several documents with the same texts, added on first use."""

    def __missing__(self, family: str) -> Typeface:
        font = known_font(family)
        made = self[family] = Typeface(font, f"/F{len(self) + 1}")
        return made


class Typeface:
    """A font in a document. `name` is its name in operators."""

    def __init__(self, font: Font, name: str) -> None:
        self.font, self.name = font, name
        self.texts: dict[int, str] = {0: "\ufffd"}
        """The text that each glyph so far represents; glyph 0 is for missing characters."""
        self.codes: dict[int, str] = {}
        """The code of each of these glyphs."""
        self.widths: dict[int, int] = {}
        """The widths of these glyphs in font units."""
        self.scale = 1000 / font.em
        """From font units to thousandths of an em, the unit of a PDF."""
        self.variants: dict[str, _Words] = {}
        self.texts[font.glyph(" ")] = " "
        self.space = self.code(font.glyph(" "))

    def show(self, text: str, size: float, variant: str = "", spread: float = 0.0) -> str:
        """Return the operator that shows a line of text. `spread` is added to each space, in the unit of the size."""
        words = self.variants.get(variant)
        if words is None:
            words = self.variants[variant] = _Words(self, variant)
        if "\u00a0" in text or " " in text:
            first, *rest = words_of(text)
            line = words[first][0] + "".join([words[word][1] for word in rest])
            if spread:
                wider = f"){short(-1000 * spread / size)}("
                line = words[first][0] + "".join([wider + words[word][1] for word in rest])
        else:
            line = words[text][0]
        if _RISEN in line:
            line = _RISE.sub(lambda found: short(float(found[1]) * size), line)
        return f"[({line})]TJ" if ")" in line else f"({line})Tj"

    def shaped(self, word: str, variant: str) -> tuple[str, str]:
        """Return the string between the brackets of an operator that shows a word, and the same after a space."""
        glyphs, before = shaped_word(self.font, word, variant)
        code = self.one_by_one(glyphs, word) if len(glyphs) == len(word) else None
        if code is None:
            code = "".join(self.told(group, text) for group, text in parts(glyphs, word))
        return code, f"{self.space}){short(-self.scale * before)}({code}" if before else self.space + code

    def one_by_one(self, glyphs: Sequence[Glyph], word: str) -> str | None:
        """Return the code of a word with one unmoved, unambiguous glyph per letter; otherwise None."""
        code: list[str] = []
        for place, (number, advance, right, up, start) in enumerate(glyphs):
            char = word[place]
            if start != place or right or up or char.isspace() or self.texts.setdefault(number, char) != char:
                return None
            known = self.codes.get(number)
            code.append(known or self.code(number))
            if advance != self.widths[number]:
                code.append(f"){short(self.scale * (self.widths[number] - advance))}(")
        return "".join(code)

    def told(self, glyphs: Sequence[Glyph], text: str) -> str:
        """Return the code of glyphs for a text, with the text alongside wherever the table gives a different one."""
        text = text if text.strip() else " "  # any space is read as an ordinary space
        number = glyphs[0].number
        if not number:
            text = "\ufffd"
        elif text in _TURNED and number == self.font.glyph(_TURNED[text]):
            text = _TURNED[text]  # readers mirror it back
        code, behind = "", ""
        for glyph in glyphs:
            shown, moved = self.placed(glyph)
            code, behind = code + behind + shown, moved
        if len(glyphs) == 1 and self.texts.setdefault(number, text) == text:
            return code + behind
        # Moves are written before the next glyph, because some readers ignore one at the end of a row.
        told = text.encode("utf-16-be").hex().upper()
        return f")]TJ/Span<</ActualText<FEFF{told}>>>BDC[({code})]TJ EMC[({behind}"

    def placed(self, glyph: Glyph) -> tuple[str, str]:
        """Return the code of a glyph with its offset, and the move before the next glyph, in thousandths of an em."""
        code = self.code(glyph.number)
        back = glyph.right - glyph.advance + self.widths[glyph.number]
        there = f"){short(-self.scale * glyph.right)}(" if glyph.right else ""
        again = f"){short(self.scale * back)}(" if back else ""
        if glyph.up:
            return f"{there})]TJ {_RISEN}{glyph.up / self.font.em}{_RISEN} Ts[({code})]TJ 0 Ts[(", again
        return there + code, again

    def code(self, glyph: int) -> str:
        """Return a glyph as two bytes in a PDF string."""
        if glyph not in self.codes:
            self.widths[glyph] = self.font.shaper.get_glyph_h_advance(glyph)
            self.codes[glyph] = chr(glyph >> 8).translate(_ESCAPED) + chr(glyph & 255).translate(_ESCAPED)
        return self.codes[glyph]

    def finish(self, writer: Writer, object_number: int) -> None:
        """Write the font as this object, when all its text has been shown."""
        font, glyphs = self.font, sorted(self.widths)
        tag = hashlib.sha256(",".join(map(str, glyphs)).encode()).digest()
        name = "".join(chr(65 + byte % 26) for byte in tag[:6]) + "+" + font.postscript_name
        inner, about, file, table = (writer.new_number() for _ in range(4))
        data = program(font, glyphs)
        kind, key = ("0", "/Subtype/CIDFontType0C") if font.is_cff else ("2", f"/Length1 {len(data)}")
        writer.file.stream(file, key.encode(), data)
        writer.file.stream(
            table, b"", characters({glyph: self.texts.get(glyph, "\ufffd") for glyph in glyphs}, 4).encode()
        )
        box = " ".join(map(str, font.box))
        above, below = font.reach
        leaning = _ITALIC if font.slant else 0
        writer.put(
            about,
            f"<</Type/FontDescriptor/FontName/{name}/Flags {_SYMBOLIC + leaning}/FontBBox[{box}]"
            f"/ItalicAngle {short(font.slant)}/Ascent {round(above * 1000)}/Descent {round(below * 1000)}"
            f"/CapHeight {round(font.capital * 1000)}/StemV 80/FontFile{3 if font.is_cff else 2} {file} 0 R>>".encode(),
        )
        widths = " ".join(f"{glyph}[{short(self.scale * self.widths[glyph])}]" for glyph in glyphs)
        where = "" if font.is_cff else "/CIDToGIDMap/Identity"
        writer.put(
            inner,
            f"<</Type/Font/Subtype/CIDFontType{kind}/BaseFont/{name}{_IDENTITY}/W[{widths}]{where}"
            f"/FontDescriptor {about} 0 R>>".encode(),
        )
        writer.put(
            object_number,
            f"<</Type/Font/Subtype/Type0/BaseFont/{name}/Encoding/Identity-H/DescendantFonts[{inner} 0 R]"
            f"/ToUnicode {table} 0 R>>".encode(),
        )


class _Words(dict[str, tuple[str, str]]):
    """Words of one variant, shaped on first use. Beyond a limit all are dropped; frequent words are soon back."""

    def __init__(self, face: Typeface, variant: str) -> None:
        self.face, self.variant = face, variant

    def __missing__(self, word: str) -> tuple[str, str]:
        if len(self) >= MOST_WORDS:
            self.clear()
        made = self[word] = self.face.shaped(word, self.variant)
        return made


def characters(texts: Mapping[int, str], digits: int) -> str:
    """Return a CMap from the codes of a font, with this many hexadecimal digits, to texts (ISO 32000-1, 9.10.3)."""
    rows = [f"<{code:0{digits}X}> <{text.encode('utf-16-be').hex().upper()}>" for code, text in texts.items()]
    blocks = [rows[at : at + 100] for at in range(0, len(rows), 100)]  # the limit for one block
    mapped = "\n".join("\n".join([f"{len(block)} beginbfchar", *block, "endbfchar"]) for block in blocks)
    return f"""/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CMapName /Characters def
/CMapType 2 def
1 begincodespacerange
<{"0" * digits}> <{"F" * digits}>
endcodespacerange
{mapped}
endcmap
CMapName currentdict /CMap defineresource pop
end
end"""


# Fonts of forms


FIRST, LAST = 32, 255
"""The codes of printable characters."""


def winansi(code: int) -> str:
    """Return the visible character of a code: a bullet for codes without one (ISO 32000-1, D.2, notes 3, 5 and 6).

    >>> winansi(0x41), winansi(0x80), winansi(0x7F), winansi(0xAD)
    ('A', '€', '•', '-')
    """
    return _SHOWN.get(code) or bytes([code]).decode("cp1252", "replace").replace("\ufffd", "•")


_SHOWN = {0x7F: "•", 0xA0: " ", 0xAD: "-"}
"""A no-break space and a soft hyphen look like ordinary ones."""


@dataclass(frozen=True)
class Latin:
    """A font file and its measures, in thousandths of the type size."""

    name: str
    """The font's own name."""
    data: bytes = field(repr=False)
    widths: tuple[int, ...] = field(repr=False)
    """The widths of the codes from FIRST to LAST."""
    ascent: int
    descent: int
    """The depth below the baseline, as a negative number."""
    capital: int
    """The height of capitals."""
    box: tuple[int, ...]
    """The box around all its letters: left, bottom, right and top."""


@cache
def latin(family: str) -> Latin:
    """Return one of our fonts by name, reduced to WinAnsi."""
    letters = [winansi(code) for code in range(FIRST, LAST + 1)]
    font = known_font(family)
    return Latin(
        font.postscript_name,
        lettered(font, "".join(letters), ()),
        tuple(round(font.units(font.glyph(letter)) * 1000 / font.em) for letter in letters),
        round(font.ascent * 1000),
        round(-font.descent * 1000),
        round(font.capital * 1000),
        font.box,
    )
