"""Text in, the operators that show it out; and the fonts that a PDF needs for them (ISO 32000-1, 9.7).

A font is embedded with the glyphs that came, each under its number in the font's own file. A table tells what each
stands for, so that text can be searched and copied as it was written. Where one text a glyph is not enough, as for a
letter whose marks stand apart, the text is told beside the glyphs.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from grimalkin.draw.packing import short
from grimalkin.face.cut import program
from grimalkin.face.fonts import Font
from grimalkin.face.shaping import Glyph, parts, shaped_word, words_of

if TYPE_CHECKING:
    from grimalkin.draw.canvas import PackedCanvas

_RISE = re.compile("\0([^\0]*)\0")
"""How far letters are raised stands between two of these, in em; the type size is not known yet."""
_SYMBOLIC, _ITALIC = 4, 64
"""Flags of fonts (ISO 32000-1, 9.8.2)."""
_IDENTITY = "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"


class Typeface:
    """A font in one document. `name` is what operators call it, `number` its object."""

    def __init__(self, font: Font, name: str, number: int) -> None:
        self.font, self.name, self.number = font, name, number
        self.texts: dict[int, str] = {0: "\ufffd"}
        """What each glyph stands for that came so far; the first is the sign for what the font lacks."""
        self.widths: dict[int, float] = {}
        """Widths of these glyphs in thousandths of an em, as the file says."""
        self.words: dict[tuple[str, str], tuple[str, float]] = {}
        """By word and variant: what stands between the brackets of an operator, and what the space before it gains."""
        self.space = self.code(font.glyph(" "), " ")

    def show(self, text: str, size: float, variant: str = "", spread: float = 0.0) -> str:
        """The operator that shows a line of text. `spread` is what each space gains, in the unit of the size."""
        first, *rest = words_of(text)
        inside = [self.word(first, variant)[0]]
        for word in rest:
            code, before = self.word(word, variant)
            gain = -1000 * (before + spread / size) if spread else -1000 * before
            inside += [self.space, f">{short(gain)}<" if gain else "", code]
        line = "".join(inside)
        if "\0" in line:
            line = _RISE.sub(lambda found: short(float(found[1]) * size), line)
        return f"[<{line}>]TJ" if ">" in line else f"<{line}>Tj"

    def word(self, word: str, variant: str) -> tuple[str, float]:
        known = self.words.get((word, variant))
        if known is None:
            if len(self.words) >= MOST_WORDS:
                self.words.clear()
            known = self.words[word, variant] = self.shaped(word, variant)
        return known

    def shaped(self, word: str, variant: str) -> tuple[str, float]:
        """The code of a word, and what the space before it gains, in em."""
        glyphs, before = shaped_word(self.font, word, variant)
        code: list[str] = []
        for group, text in parts(glyphs, word):
            text = text if text.strip() else " "  # a blank is read as a common one
            text = text if group[0].number else "\ufffd"
            is_plain = len(group) == 1 and self.texts.setdefault(group[0].number, text) == text
            shown = "".join(self.placed(glyph, text) for glyph in group)
            if is_plain:
                code.append(shown)
            else:
                told = text.encode("utf-16-be").hex().upper()
                code.append(f">]TJ/Span<</ActualText<FEFF{told}>>>BDC[<{shown}>]TJ EMC[<")
        return "".join(code), before

    def placed(self, glyph: Glyph, text: str) -> str:
        """The code of a glyph, with what moves it and what comes after it, in thousandths of an em to the left."""
        code = self.code(glyph.number, text)
        back = 1000 * (glyph.right - glyph.advance) + self.widths[glyph.number]
        there = f">{short(-1000 * glyph.right)}<" if glyph.right else ""
        again = f">{short(back)}<" if abs(back) > 0.01 else ""
        if glyph.up:
            return f"{there}>]TJ \0{glyph.up}\0 Ts[<{code}>]TJ 0 Ts[<{again}"
        return there + code + again

    def code(self, glyph: int, text: str) -> str:
        if glyph not in self.widths:
            self.widths[glyph] = round(1000 * self.font.shaper.get_glyph_h_advance(glyph) / self.font.em, 4)
            self.texts.setdefault(glyph, text)
        return f"{glyph:04X}"

    def finish(self, canvas: PackedCanvas) -> None:
        """Write the font. All its text has been shown."""
        font, glyphs = self.font, sorted(self.widths)
        tag = hashlib.sha256(",".join(map(str, glyphs)).encode()).digest()
        name = "".join(chr(65 + byte % 26) for byte in tag[:6]) + "+" + font.postscript_name
        inner, about, file, table = (canvas.new_number() for _ in range(4))
        data = program(font, glyphs)
        kind, key = ("0", "/Subtype/CIDFontType0C") if font.is_cff else ("2", f"/Length1 {len(data)}")
        canvas.file.stream(file, key.encode(), data)
        canvas.file.stream(table, b"", characters({glyph: self.texts[glyph] for glyph in glyphs}, 4).encode())
        box = " ".join(map(str, font.box))
        leaning = _ITALIC if font.slant else 0
        canvas.put(
            about,
            f"<</Type/FontDescriptor/FontName/{name}/Flags {_SYMBOLIC + leaning}/FontBBox[{box}]"
            f"/ItalicAngle {short(font.slant)}/Ascent {round(font.ascent * 1000)}/Descent {round(-font.descent * 1000)}"
            f"/CapHeight {round(font.capital * 1000)}/StemV 80/FontFile{3 if font.is_cff else 2} {file} 0 R>>".encode(),
        )
        widths = " ".join(f"{glyph}[{short(self.widths[glyph])}]" for glyph in glyphs)
        where = "" if font.is_cff else "/CIDToGIDMap/Identity"
        canvas.put(
            inner,
            f"<</Type/Font/Subtype/CIDFontType{kind}/BaseFont/{name}{_IDENTITY}/W[{widths}]{where}"
            f"/FontDescriptor {about} 0 R>>".encode(),
        )
        canvas.put(
            self.number,
            f"<</Type/Font/Subtype/Type0/BaseFont/{name}/Encoding/Identity-H/DescendantFonts[{inner} 0 R]"
            f"/ToUnicode {table} 0 R>>".encode(),
        )


MOST_WORDS = 20_000
"""Kept with their code; beyond it all are let go, and soon back when they come often."""


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
