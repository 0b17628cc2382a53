"""Text as HarfBuzz sets it: kerned, joined, with its marks; the same in fitting, PDF, SVG and in what is copied."""

from __future__ import annotations

import io
import re
import struct
import unicodedata

import pdfplumber
import pypdfium2
import pytest
from fonts_for_tests import CYRILLIC_KERNING, kerned
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from grimalkin.content.stocks import Stock
from grimalkin.printing.draw.pdf import face_pdf
from grimalkin.printing.draw.shapes import TextRun, outline_texts
from grimalkin.printing.draw.typefaces import Types
from grimalkin.printing.face import Face
from grimalkin.printing.face.layers import Layer
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.type.font_files import ON_PAGES, lettered
from grimalkin.printing.type.fonts import Font, find_font, font_paths, read_font
from grimalkin.printing.type.shaping import (
    VARIANTS,
    MissingGlyph,
    line_width,
    measured,
    set_line,
    shape,
    text_width,
    variant_fault,
)

SANS, SERIF = "SourceSansPro", "SourceSerifPro"
STOCK = Stock(name="Strip", shape="rectangle", width=200, height=60, bleed=0)
ALPHABETS = {
    "latin": "Fjord ÀÉÎÕÜ ğ ı ş ž ł đ þ ø œ ß",
    "vietnamese": "Tiếng Việt ưỡng ậm ừ",
    "greek": "Ένας γάτος ΑΥΛΗ ΤΟ ἄνθρωπος",
    "cyrillic": "Жил-был кот УДАР ТУТ ґанок",
}


def font_of(name: str) -> Font:
    font = find_font(name)
    assert font is not None
    return font


def width_in_units(name: str, text: str) -> int:
    """A text shaped as a whole."""
    font = font_of(name)
    return sum(glyph.advance for glyph in shape(font, text))


def face_of(*texts: str) -> Face:
    layers = tuple(Layer(child) for child in etree.fromstring(f'<svg xmlns="{SVG}">{"".join(texts)}</svg>'))
    return Face("strip-front", "Strip", "Strip", STOCK, layers)


def line(text: str, y: float = 20, font: str = SANS, size: float = 8, more: str = "") -> str:
    return f'<text x="5" y="{y}" font-family="{font}" font-size="{size}" fill="#000000" {more}>{text}</text>'


def copied(data: bytes) -> str:
    document = pypdfium2.PdfDocument(data)
    text = str(document[0].get_textpage().get_text_range())
    document.close()
    return text.strip()


# Measure


def test_pairs_are_kerned_as_their_font_says() -> None:
    """Its GPOS table read by another library: how much nearer an A and a V stand, and a T and an o."""
    for name, first, second in ((SANS, "A", "V"), (SERIF, "T", "o")):
        alone = text_width(name, first) + text_width(name, second)
        with TTFont(font_paths()[name]) as file:
            nearer = kern_of(file, first, second)

        assert nearer < 0
        assert measured(name, first + second).width * 1000 == pytest.approx(
            alone * 1000 + nearer + after_space(name, first, second), abs=0.01
        )


def after_space(name: str, first: str, second: str) -> float:
    """What two letters gain beside spaces when each is alone, and not when they stand together."""
    return -1000 * (measured(name, first).after + measured(name, second).before)


def kern_of(file: object, first: str, second: str) -> int:
    """A pair's kerning, read from the table by another library."""
    names = file.getBestCmap()  # type: ignore[attr-defined]
    left, right = names[ord(first)], names[ord(second)]
    table = file["GPOS"].table  # type: ignore[index]
    wanted = {
        i for one in table.FeatureList.FeatureRecord if one.FeatureTag == "kern" for i in one.Feature.LookupListIndex
    }
    for index in sorted(wanted):
        for pairs in table.LookupList.Lookup[index].SubTable:
            pairs = getattr(pairs, "ExtSubTable", pairs)
            if left not in pairs.Coverage.glyphs:
                continue
            if pairs.Format == 1:
                for record in pairs.PairSet[pairs.Coverage.glyphs.index(left)].PairValueRecord:
                    if record.SecondGlyph == right:
                        return int(record.Value1.XAdvance)
            else:
                row = pairs.Class1Record[pairs.ClassDef1.classDefs.get(left, 0)]
                value = row.Class2Record[pairs.ClassDef2.classDefs.get(right, 0)].Value1
                return int(value.XAdvance) if value else 0
    return 0


@pytest.mark.parametrize("name", [SANS, SERIF, "SourceSerifProBlack", "AmaticSC", "FredokaOne"])
def test_a_line_of_words_is_as_wide_as_the_line_shaped_whole(name: str) -> None:
    """Fonts kern with spaces: words are measured between two of them, lines without those around them."""
    for text in ("To Vote A Total of AWAY T", "Wolf, Tiger.", "T", "", " A ", "We 11. Yet  two spaces"):
        assert line_width(name, text) * font_of(name).em == pytest.approx(width_in_units(name, text), abs=0.5)


@given(st.text(st.sampled_from("ATVWYLfijoes.,-1’ "), min_size=1, max_size=30))
def test_lines_of_any_words_are_as_wide_as_shaped_whole(text: str) -> None:
    assert line_width(SERIF, text) * 1000 == pytest.approx(width_in_units(SERIF, text), abs=0.5)


@given(st.text(st.sampled_from("ATVWfio.e\u0301 "), min_size=1, max_size=20), st.sampled_from(["", "small-caps"]))
def test_glyphs_stand_where_the_measure_says(text: str, variant: str) -> None:
    """What is drawn ends where the line was measured to end."""
    placed = list(set_line(SERIF, f"{text}x", variant))
    last = shape(font_of(SERIF), "x", variant)[0].advance / 1000

    assert placed[-1][1] + last == pytest.approx(line_width(SERIF, f"{text}x", variant), abs=1e-6)


def test_marks_stand_on_their_letters() -> None:
    """A tilde on an m, which has no form with it, takes no room and lies above the middle of the letter."""
    letter, mark = shape(font_of(SERIF), "m\u0303")

    assert 0 == mark.advance
    assert -letter.advance < mark.right < 0
    assert text_width(SERIF, "m\u0303") == text_width(SERIF, "m")
    assert text_width(SERIF, "e\u0301") == text_width(SERIF, "é")


def test_a_mark_is_outlined_where_it_stands() -> None:
    """This font raises the two dots on a b."""
    written = line("b\u0308", font="AmaticSC", size=10)
    root = etree.fromstring(f'<svg xmlns="{SVG}">{written}</svg>')
    outline_texts(root)
    tops = [float(y) for _, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", str(root[0][0].get("d")))]
    (_, (mark, _, up)), font = set_line("AmaticSC", "b\u0308"), font_of("AmaticSC")
    high = font.shaper.get_glyph_extents(mark).y_bearing / font.em

    assert up > 0.03
    assert min(tops) == pytest.approx(20 - 10 * (high + up), abs=0.1)


def test_the_language_of_who_runs_it_has_no_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turkish has an i of its own, and a font may choose it by the language of the text alone."""
    glyphs = shape(font_of(SANS), "fi ŞЖ")
    monkeypatch.setenv("LC_ALL", "tr_TR.UTF-8")
    monkeypatch.setenv("LANG", "tr_TR.UTF-8")

    assert glyphs == shape(font_of(SANS), "fi ŞЖ")


def test_what_a_font_lacks_is_named() -> None:
    with pytest.raises(MissingGlyph, match=r"'猫' \(U\+732B\)"):
        text_width(SANS, "a 猫")
    with pytest.raises(MissingGlyph, match=r"U\+05D0 \(HEBREW LETTER ALEF\) is written from right to left|has no char"):
        text_width(SANS, "א")


# What a font can do besides


def test_small_capitals_and_figures_are_the_fonts_own() -> None:
    """They are other glyphs, and of other widths, than letters that are only made smaller."""
    plain, small = shape(font_of(SERIF), "cats 12"), shape(font_of(SERIF), "cats 12", "small-caps")

    assert all(
        one.number != other.number for one, other in zip(plain, small, strict=True) if one.number != plain[4].number
    )
    assert shape(font_of(SERIF), "1", "oldstyle-nums") != shape(font_of(SERIF), "1")
    assert 1 == len({text_width(SERIF, figure, "tabular-nums") for figure in "0123456789"})
    assert 1 < len({text_width(SERIF, figure, "proportional-nums") for figure in "0123456789"})
    assert text_width(SERIF, "1/2", "diagonal-fractions") < text_width(SERIF, "1/2")


@pytest.mark.parametrize(
    ("family", "variant", "message"),
    [
        (SERIF, "small-caps tabular-nums", None),
        (SANS, "tabular-nums lining-nums", None),  # its figures are so by themselves
        ("FredokaOne", "small-caps", 'the font "FredokaOne" has no small-caps (smcp)'),
        ("FredokaOne", "oldstyle-nums", 'the font "FredokaOne" has no oldstyle-nums (onum)'),
        ("SourceSansProIt", "all-small-caps", 'the font "SourceSansProIt" has no all-small-caps (smcp, c2sc)'),
        (SERIF, "small-cap", 'font-variant "small-cap" is not known'),
        (SERIF, "no-common-ligatures", None),
    ],
)
def test_what_a_font_cannot_do_is_told(family: str, variant: str, message: str | None) -> None:
    fault = variant_fault(family, variant)

    assert message == (fault and fault[0])


def test_every_variant_is_one_that_a_font_of_ours_has() -> None:
    """So none of them is a name without effect. Discretionary ligatures are Amatic's."""
    has = {name: font_of(name).features for name in (SANS, SERIF, "AmaticSC")}
    for word, features in VARIANTS.items():
        for tag, on in features.items():
            assert not on or any(tag in tags for tags in has.values()), word


# In a PDF


@pytest.mark.parametrize(
    "text", [*ALPHABETS.values(), "Office flow: first, fjord — “AVATAR” 1/2", "m\u0303 e\u0301 q\u0323"]
)
@pytest.mark.parametrize("font", [SANS, SERIF])
def test_text_is_copied_as_it_was_written(text: str, font: str) -> None:
    """Ligatures and marks too. Readers may put letters together that stand for the same (NFC)."""
    if font == SERIF and text == ALPHABETS["greek"]:
        text = text.replace("ἄνθρωπος", "").strip()
    data = face_pdf(face_of(line(text, font=font)), bleed=False)

    assert unicodedata.normalize("NFC", text) == unicodedata.normalize("NFC", copied(data))


def test_a_glyph_of_two_meanings_is_copied_as_each() -> None:
    """Small capitals of e and of E with c2sc are one glyph, and so are a space and one that keeps words together."""
    text = "Eerie OFF off"
    data = face_pdf(face_of(line(text, font=SERIF, more='font-variant="all-small-caps"')), bleed=False)

    assert text == copied(data)
    assert b"ActualText" not in data  # it is packed; the next line looks inside
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        assert any(b"ActualText" in content.get_data() for content in pdf.pages[0].page_obj.contents)


def test_letters_of_a_pdf_stand_where_they_were_measured() -> None:
    """To a thousandth of a millimetre, kerned, with wider spaces and raised marks."""
    text, size, spread = "To AVATAR of We", 8.0, 1.5
    more = f'word-spacing="{spread}"'
    data = face_pdf(face_of(line(text, font=SERIF, size=size, more=more)), bleed=False)
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        found = [char["matrix"][4] * 25.4 / 72 for char in pdf.pages[0].chars]
    expected = [5 + right * size for _, right, _ in set_line(SERIF, text, "", spread / size)]
    solid = [place for char, place in zip(text, _with_spaces(found, text), strict=True) if char != " "]

    assert solid == pytest.approx(expected, abs=0.001)
    run = TextRun(text, {"font-family": SERIF, "font-size": str(size), "word-spacing": str(spread)}, 0, 0)
    assert run.width == pytest.approx(line_width(SERIF, text) * size + 3 * spread)


def _with_spaces(found: list[float], text: str) -> list[float]:
    """Places of all characters; a reader may leave spaces out."""
    if len(found) == len(text):
        return found
    places = iter(found)
    return [0.0 if char == " " else next(places) for char in text]


def test_raised_marks_are_drawn_raised() -> None:
    """On a capital a mark lies higher than on a small letter."""
    heights = []
    for letter in ("m", "M"):
        data = face_pdf(face_of(line(letter + "\u0303", size=20, y=40)), bleed=False)
        document = pypdfium2.PdfDocument(data)
        image = document[0].render(scale=4).to_pil().convert("L").point(lambda value: 255 * (value < 128))
        document.close()
        heights.append(image.getbbox()[1])

    assert heights[1] < heights[0] - 10


def test_the_same_text_gives_the_same_bytes() -> None:
    faces = [face_of(line("Office Ąwa m\u0303", font=SERIF)) for _ in range(2)]

    assert face_pdf(faces[0], bleed=False) == face_pdf(faces[1], bleed=False)


# Cut down


def test_a_font_of_a_page_kerns_as_the_whole_one() -> None:
    """And has no letter that is not asked for, nor a name."""
    font = font_of(SERIF)
    cut = read_font("cut", lettered(font, "AVTofix .", ON_PAGES))
    assert isinstance(cut, Font)
    for text in ("AV To fix", "of T.", "fi"):
        assert sum(one.advance for one in shape(cut, text)) == pytest.approx(
            sum(one.advance for one in shape(font, text))
        )

    assert not cut.glyph("B") and cut.glyph("V")
    assert struct.unpack_from(">H", cut.table("name"), 2) == (0,)


@pytest.mark.parametrize(
    ("rules", "nearer", "has_old"),
    [
        ("", 200, True),
        (CYRILLIC_KERNING, 200, True),
        (CYRILLIC_KERNING.replace("cyrl", "latn"), -90, False),
        (CYRILLIC_KERNING.replace("cyrl", "DFLT"), -90, False),
        (
            "languagesystem latn dflt; feature kern { script latn; language NLD; pos letter.a letter.b 9; } kern;",
            200,
            True,
        ),
    ],
)
def test_the_old_table_of_kerning_is_kept_where_no_rule_kerns(rules: str, nearer: int, has_old: bool) -> None:
    """HarfBuzz takes it for the scripts and languages of which GPOS says nothing; so do the letters that pages get."""
    font = read_font("whole", kerned(rules))
    assert isinstance(font, Font)
    cut = read_font("cut", lettered(font, "abij", ON_PAGES))
    assert isinstance(cut, Font)

    for one in (font, cut):
        apart = sum(sum(glyph.advance for glyph in shape(one, letter)) for letter in "ab")
        assert nearer == apart - sum(glyph.advance for glyph in shape(one, "ab"))
    assert has_old == bool(cut.table("kern"))


def test_a_glyph_that_is_told_apart_keeps_its_distance() -> None:
    """A small capital W stands for W and for w, and is told where it was the other; the o behind it stays as near."""
    alone, after = Types()[SERIF], Types()[SERIF]
    after.show("w", 10, "all-small-caps")
    told, plain = (face.show("Wo", 10, "all-small-caps") for face in (after, alone))

    assert "/ActualText<FEFF0057>" in told and "ActualText" not in plain
    assert re.fullmatch(r"\[\(..\)(\d+)\(..\)\]TJ", plain, re.DOTALL)
    behind = re.search(r"EMC\[\(\)(\d+)\(..\)\]TJ$", told, re.DOTALL)
    assert behind and f"){behind[1]}(" in plain
