"""Text in, the operators that show it out; and the fonts that a PDF needs for them (ISO 32000-1, 9.7).

A font is embedded with the glyphs that came, each under its number in the font's own file. A table tells what each
stands for, so that text can be searched and copied as it was written. Where one text a glyph is not enough, as for a
letter whose marks stand apart, the text is told beside the glyphs.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from grimalkin.draw.packing import short
from grimalkin.face.cut import program
from grimalkin.face.fonts import Font, find_font
from grimalkin.face.shaping import Glyph, parts, shaped_word, words_of

if TYPE_CHECKING:
    from grimalkin.draw.canvas import PackedCanvas

_RISEN = "\u0100"
_RISE = re.compile(f"{_RISEN}([^{_RISEN}]*){_RISEN}")
"""How far letters are raised stands between two of these, in em; the type size is not known yet."""
_ESCAPED = {ord(sign): f"\\{ord(sign):03o}" for sign in "()\\\r"}
"""What means something else in a string of a PDF (ISO 32000-1, 7.3.4.2)."""
_TURNED = dict(zip("()[]{}<>«»‹›", ")(][}{><»«›‹", strict=True))
"""Signs that are turned where text is from right to left."""
_SYMBOLIC, _ITALIC = 4, 64
"""Flags of fonts (ISO 32000-1, 9.8.2)."""
MOST_WORDS = 1_000
_IDENTITY = "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"


class Types(dict[str, "Typeface"]):
    """The fonts of a document by family, as they come; or of several documents that show the same texts."""

    def __missing__(self, family: str) -> Typeface:
        font = find_font(family)
        assert font is not None, "what is drawn was measured before"
        made = self[family] = Typeface(font, f"/F{len(self) + 1}")
        return made


class Typeface:
    """A font in a document. `name` is what operators call it."""

    def __init__(self, font: Font, name: str) -> None:
        self.font, self.name = font, name
        self.texts: dict[int, str] = {0: "\ufffd"}
        """What each glyph stands for that came so far; the first is the sign for what the font lacks."""
        self.codes: dict[int, str] = {}
        """How each of these glyphs is written."""
        self.widths: dict[int, int] = {}
        """Widths of these glyphs as the file says, in its units."""
        self.scale = 1000 / font.em
        """From these to thousandths of an em, in which a PDF counts."""
        self.variants: dict[str, _Words] = {}
        self.texts[font.glyph(" ")] = " "
        self.space = self.code(font.glyph(" "))

    def show(self, text: str, size: float, variant: str = "", spread: float = 0.0) -> str:
        """The operator that shows a line of text. `spread` is what each space gains, in the unit of the size."""
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
        """What stands between the brackets of an operator that shows a word; and the same after a space."""
        glyphs, before = shaped_word(self.font, word, variant)
        code = self.one_by_one(glyphs, word) if len(glyphs) == len(word) else None
        if code is None:
            code = "".join(self.told(group, text) for group, text in parts(glyphs, word))
        return code, f"{self.space}){short(-self.scale * before)}({code}" if before else self.space + code

    def one_by_one(self, glyphs: Sequence[Glyph], word: str) -> str | None:
        """The code of a word with a glyph for each letter, in its place and standing for nothing else; else None."""
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
        """The code of glyphs that stand for a text, told beside them where the table says something else of them."""
        text = text if text.strip() else " "  # a blank is read as a common one
        number = glyphs[0].number
        if not number:
            text = "\ufffd"
        elif text in _TURNED and number == self.font.glyph(_TURNED[text]):
            text = _TURNED[text]  # readers turn it again
        code, behind = "", ""
        for glyph in glyphs:
            shown, moved = self.placed(glyph)
            code, behind = code + behind + shown, moved
        if len(glyphs) == 1 and self.texts.setdefault(number, text) == text:
            return code + behind
        # What moves the next glyph stands before that: some readers leave it out where a row ends with it.
        told = text.encode("utf-16-be").hex().upper()
        return f")]TJ/Span<</ActualText<FEFF{told}>>>BDC[({code})]TJ EMC[({behind}"

    def placed(self, glyph: Glyph) -> tuple[str, str]:
        """The code of a glyph with what moves it, and what moves the next, in thousandths of an em to the left."""
        code = self.code(glyph.number)
        back = glyph.right - glyph.advance + self.widths[glyph.number]
        there = f"){short(-self.scale * glyph.right)}(" if glyph.right else ""
        again = f"){short(self.scale * back)}(" if back else ""
        if glyph.up:
            return f"{there})]TJ {_RISEN}{glyph.up / self.font.em}{_RISEN} Ts[({code})]TJ 0 Ts[(", again
        return there + code, again

    def code(self, glyph: int) -> str:
        """A glyph as a string of a PDF has it: two bytes."""
        if glyph not in self.codes:
            self.widths[glyph] = self.font.shaper.get_glyph_h_advance(glyph)
            self.codes[glyph] = chr(glyph >> 8).translate(_ESCAPED) + chr(glyph & 255).translate(_ESCAPED)
        return self.codes[glyph]

    def finish(self, canvas: PackedCanvas, object_number: int) -> None:
        """Write the font as this object. All its text has been shown."""
        font, glyphs = self.font, sorted(self.widths)
        tag = hashlib.sha256(",".join(map(str, glyphs)).encode()).digest()
        name = "".join(chr(65 + byte % 26) for byte in tag[:6]) + "+" + font.postscript_name
        inner, about, file, table = (canvas.new_number() for _ in range(4))
        data = program(font, glyphs)
        kind, key = ("0", "/Subtype/CIDFontType0C") if font.is_cff else ("2", f"/Length1 {len(data)}")
        canvas.file.stream(file, key.encode(), data)
        canvas.file.stream(
            table, b"", characters({glyph: self.texts.get(glyph, "\ufffd") for glyph in glyphs}, 4).encode()
        )
        box = " ".join(map(str, font.box))
        above, below = font.reach
        leaning = _ITALIC if font.slant else 0
        canvas.put(
            about,
            f"<</Type/FontDescriptor/FontName/{name}/Flags {_SYMBOLIC + leaning}/FontBBox[{box}]"
            f"/ItalicAngle {short(font.slant)}/Ascent {round(above * 1000)}/Descent {round(below * 1000)}"
            f"/CapHeight {round(font.capital * 1000)}/StemV 80/FontFile{3 if font.is_cff else 2} {file} 0 R>>".encode(),
        )
        widths = " ".join(f"{glyph}[{short(self.scale * self.widths[glyph])}]" for glyph in glyphs)
        where = "" if font.is_cff else "/CIDToGIDMap/Identity"
        canvas.put(
            inner,
            f"<</Type/Font/Subtype/CIDFontType{kind}/BaseFont/{name}{_IDENTITY}/W[{widths}]{where}"
            f"/FontDescriptor {about} 0 R>>".encode(),
        )
        canvas.put(
            object_number,
            f"<</Type/Font/Subtype/Type0/BaseFont/{name}/Encoding/Identity-H/DescendantFonts[{inner} 0 R]"
            f"/ToUnicode {table} 0 R>>".encode(),
        )


class _Words(dict[str, tuple[str, str]]):
    """Words of one variant, shaped as they come. Beyond some thousand all are let go, and soon back when they come
    often."""

    def __init__(self, face: Typeface, variant: str) -> None:
        self.face, self.variant = face, variant

    def __missing__(self, word: str) -> tuple[str, str]:
        if len(self) >= MOST_WORDS:
            self.clear()
        made = self[word] = self.face.shaped(word, self.variant)
        return made


def characters(texts: Mapping[int, str], digits: int) -> str:
    """Which text each code of a font stands for (ISO 32000-1, 9.10.3); codes have so many hexadecimal digits."""
    rows = [f"<{code:0{digits}X}> <{text.encode('utf-16-be').hex().upper()}>" for code, text in texts.items()]
    blocks = [rows[at : at + 100] for at in range(0, len(rows), 100)]  # no more may stand in one
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
