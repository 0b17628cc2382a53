"""Fonts of a game's own: every kind of file, found by its names, drawn as it is, and told when it cannot be."""

from __future__ import annotations

import gc
import io
import json
import random
import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import brotli
import pypdfium2
import pytest
from fonts_for_tests import (
    called,
    collection,
    installed,
    numbered,
    opened,
    put_together,
    ruled,
    saved,
    spoiled,
    still,
    variable,
    winding,
)
from games_for_tests import FILES, write_game
from no_hang import no_hang
from PIL import Image, ImageChops
from soak import seeded
from test_face import compose, face_problems, with_words

from grimalkin.cli import main
from grimalkin.content import load_game
from grimalkin.printing.draw.pdf import face_pdf
from grimalkin.printing.draw.raster import face_png
from grimalkin.printing.face import Face, standalone_svg
from grimalkin.printing.face.templating.template_faults import find_element
from grimalkin.printing.type.font_files import MOST_UNPACKED, packed, packed_quickly, unpacked
from grimalkin.printing.type.fonts import find_font, own_font
from grimalkin.printing.type.game_fonts import MOST_FILES, MOST_PARTS, Fonts
from grimalkin.printing.type.shaping import shaped_word
from grimalkin.problems import Problems
from grimalkin.site.preview import Preview, serve
from grimalkin.source import game_digest
from grimalkin.source.files import MOST_FONT

SERIF = "SourceSerifPro"
KINDS = {
    "fell.ttf": lambda: called("Fell"),
    "fell.otf": lambda: called("Fell", data=installed(SERIF, ".otf")),
    "fell.TTF": lambda: called("Fell"),
    "fell.woff": lambda: called("Fell", flavor="woff"),
    "fell.woff2": lambda: called("Fell", flavor="woff2"),
    "fell.ttc": lambda: collection(called("Other", data=installed(SERIF)), called("Fell")),
}


def text(words: str = "Hamburgefonstiv, AVATAR", font: str = "Fell", y: float = 20, more: str = "") -> str:
    return f'<text x="4" y="{y}" font-family="{font}" font-size="5" fill="#1d1a26"{more}>{words}</text>'


def box(words: str, font: str = "Fell") -> str:
    return f'<textbox x="4" y="4" width="55" height="40" font="{font}" size="12">{words}</textbox>'


def with_fonts(folder: Path, words: str, files: Mapping[str, bytes], **changes: str) -> Path:
    """The made-up game, with these words on its faces and these files in its folder of fonts."""
    write_game(folder, faces__plain_svg_j2=with_words(words), **changes)
    (folder / "fonts").mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / "fonts" / name).write_bytes(data)
    return folder


def face_in(folder: Path, words: str, files: Mapping[str, bytes], **changes: str) -> Face:
    """A face with these words; nothing is wrong with it."""
    problems = Problems()
    game = load_game(with_fonts(folder, words, files, **changes), problems)
    assert game is not None
    faces = compose(game, problems)
    assert not problems, "\n".join(map(str, problems))
    return faces["owl-front"]


def told(folder: Path, words: str, files: Mapping[str, bytes], **changes: str) -> list[str]:
    """What is wrong, without the places and the faces."""
    found = face_problems(with_fonts(folder, words, files, **changes))
    return [re.sub(r"^\S+: (the face mouse-front: )?| \(and \d more faces?\)$", "", one) for one in found]


def fonts_in(folder: Path, **files: bytes) -> Fonts:
    return Fonts(with_fonts(folder, "", {name.replace("_", "."): data for name, data in files.items()}), Problems())


def key(fonts: Fonts, name: str) -> str:
    found = fonts.chain(name)
    assert isinstance(found, str), found
    return found


def picture(face: Face) -> Image.Image:
    return Image.open(io.BytesIO(face_png(face, 150))).convert("RGB")


def difference(one: Face, other: Face) -> int:
    """How far the darkest pixel in which two faces differ is off, of 255."""
    return max(high for _, high in ImageChops.difference(picture(one), picture(other)).getextrema())


# Files


def test_a_font_without_a_typographic_apostrophe_prints_a_straight_one(tmp_path: Path) -> None:
    """Nothing is missing: the text is as it was typed."""
    font = opened(called("Fell"))
    for table in font["cmap"].tables:
        table.cmap.pop(0x2019, None)
    words = text("a cat's") + box("a dog's")

    assert "cat’s" in face_in(tmp_path / "whole", words, {"fell.ttf": called("Fell")}).svg
    assert "cat's" in face_in(tmp_path / "less", words, {"fell.ttf": saved(font)}).svg


@pytest.mark.slow("packs fonts")
@pytest.mark.parametrize("file", KINDS)
def test_a_font_of_any_kind_is_drawn_like_the_one_that_it_is(tmp_path: Path, file: str) -> None:
    """Pixel by pixel as the installed font of which the file was made."""
    same = "SourceSerifPro" if file.endswith("otf") else "SourceSansPro"
    own = face_in(tmp_path / "own", text() + text("Office: fi ffl", y=30), {file: KINDS[file]()})
    theirs = face_in(tmp_path / "theirs", text(font=same) + text("Office: fi ffl", same, 30), {})

    assert difference(own, theirs) <= (40 if file.endswith("otf") else 0)  # cubic curves are rounded in another way
    assert "Fell" not in face_in(tmp_path / "plain", text(font=same), {file: KINDS[file]()}).svg


@pytest.mark.parametrize(
    "made", [lambda: variable("Same", "otf"), lambda: numbered("Same")], ids=["CFF2", "letters with numbers"]
)
def test_postscript_outlines_are_drawn_like_truetype(tmp_path: Path, made: Callable[[], bytes]) -> None:
    """The same boxes; a program that took letters by their numbers in the file would draw none of them."""
    postscript = face_in(tmp_path / "one", text("abcdefghij", "Same"), {"same.otf": made()})
    truetype = face_in(tmp_path / "other", text("abcdefghij", "Vario"), {"vario.ttf": variable()})

    assert difference(postscript, truetype) < 40
    assert difference(postscript, face_in(tmp_path / "none", "", {})) > 150


def test_a_font_is_in_the_pdf_and_its_text_can_be_copied(tmp_path: Path) -> None:
    """Under a name of its own, so that no viewer takes another for it."""
    face = face_in(tmp_path / "tiny", text("Office 10"), {"fell.ttf": called("Fell")})
    page = pypdfium2.PdfDocument(face_pdf(face, True))[0]
    words = page.get_textpage().get_text_range()

    assert "Office 10" in words
    assert re.search(r'font-family="FellRegular-[0-9a-z]{12}"', face.svg)


def test_a_changed_file_is_another_font(tmp_path: Path) -> None:
    """Faces have another fingerprint then, and two games whose fonts have one name do not mix."""
    one = face_in(tmp_path / "one", text("abc"), {"fell.ttf": called("Fell")})
    same = face_in(tmp_path / "same", text("abc"), {"other-name.ttf": called("Fell")})
    other = face_in(tmp_path / "other", text("abc"), {"fell.ttf": called("Fell", data=installed(SERIF))})

    assert one.fingerprint == same.fingerprint != other.fingerprint
    assert difference(one, same) == 0
    assert difference(one, other) > 100


@pytest.mark.slow("composes two games, and waits until all is let go")
def test_a_font_is_let_go_with_the_faces_that_are_set_in_it(tmp_path: Path) -> None:
    """A preview that runs all day keeps no font of this morning."""
    face = face_in(tmp_path / "tiny", text("abc"), {"fell.ttf": called("Fell", "Let Go")})
    (font,) = face.fonts
    name = font.name
    del font
    gc.collect()

    assert own_font(name)
    assert face_png(face, 50)
    del face
    shaped_word.cache_clear()  # the last thousand words keep theirs
    gc.collect()
    assert own_font(name) is None


# Names


def test_every_name_of_a_font_finds_it(tmp_path: Path) -> None:
    """Family, family and style, full name, PostScript name; the old family of four styles, and the one of all."""
    font = opened(called("Fell Light"))
    names: Any = font["name"]
    for number, name in ((16, "Fell"), (17, "Light"), (4, "Fell English Light"), (6, "FellEng-Light")):
        names.setName(name, number, 3, 1, 0x409)
    fonts = fonts_in(tmp_path / "tiny", a_ttf=saved(font), b_ttf=called("Fell"), c_ttf=called("Fell", "Bold"))
    light = key(fonts, "Fell Light")

    assert [light] * 3 == [key(fonts, name) for name in ("Fell Light Regular", "Fell English Light", "FellEng-Light")]
    assert key(fonts, "Fell") == key(fonts, "Fell Regular") == key(fonts, " 'Fell-Regular'")
    assert len({light, key(fonts, "Fell"), key(fonts, "Fell Bold")}) == 3


def test_a_font_of_the_game_comes_before_one_of_a_package(tmp_path: Path) -> None:
    """Also where nobody names a font: the one that text boxes have by themselves."""
    face = face_in(tmp_path / "tiny", text("abc", "SourceSansPro") + "<textbox width='20' height='20'>abc</textbox>", {
        "mine.ttf": called("SourceSansPro", data=installed(SERIF))
    })  # fmt: skip

    assert ["SourceSansProRegular"] * 2 == re.findall(r'font-family="(\w+)-', face.svg)


def test_bold_and_italic_are_those_of_the_family(tmp_path: Path) -> None:
    """By weight and slant, whatever they are called; `fonts` of packages keep to their names."""
    files = {
        "a.ttf": called("Fell"),
        "b.ttf": called("Fell", "Bold"),
        "c.ttf": called("Fell", "Italic"),
        "d.ttf": called("Fell", "Bold Italic"),
    }
    face = face_in(tmp_path / "tiny", box("plain **bold** *italic* ***both***"), files)
    used = [found[0] for found in re.findall(r'font-family="Fell(\w+?)-\w+" font-size="[\d.]+">(\w+)', face.svg)]

    assert ["Regular", "Bold", "Italic", "BoldItalic"] == used


def test_a_variable_font_is_moved_to_bold_and_italic(tmp_path: Path) -> None:
    """As far as its axes go; what it lacks is told."""
    fonts = fonts_in(tmp_path / "tiny", v_ttf=variable(), w_otf=variable("Other", "otf"))
    plain = key(fonts, "Vario")

    def width(name: str, letter: str = "a") -> float:
        font = find_font(name)
        assert font is not None, name
        return round(1000 * font.units(font.glyph(letter)) / font.em)

    assert (380, 500, 580) == (
        width(plain),
        width(fonts.styled(plain, True, False)),
        width(key(fonts, "Vario Wide Open")),
    )
    assert (280, 440) == (width(key(fonts, "Vario:wght=100")), width(key(fonts, "Vario:wght=550")))
    leaning = find_font(fonts.styled(plain, True, True))
    assert leaning is not None and leaning.title == "Vario:slnt=-12:wght=700"
    assert fonts.styled(key(fonts, "Vario Bold"), True, False) == key(fonts, "Vario Wide Open")
    assert fonts.styled(key(fonts, "Other"), False, True) == "Other Italic"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (text(font="Fel"), 'there is no font "Fel"; did you mean "Fell"?'),
        (text(font="Fell Blod"), 'there is no font "Fell Blod"; did you mean "Fell Bold"?'),
        (text(font="Zzzzzzzz"), "there is no font \"Zzzzzzzz\"; the game has Fell and Vario; the guide's reference"),
        (text(font="Fell, Nix"), 'there is no font "Nix"; the game has'),
        (f'<g font-family="Nix">{text()}</g>', 'there is no font "Nix"; the game has'),
        (text(font="Vario:wght=950"), '"wght=950" is not a position on the axis wght; a number from 100 to 900'),
        (text(font="Vario:wght=nan"), '"wght=nan" is not a position on the axis wght; a number from 100 to 900'),
        (text(font="Vario:weight=5"), 'the font "Vario" has no axis "weight"; did you mean "wght"?'),
        (text(font="Fell:wght=5"), 'the font "Fell" has no axis "wght"; it has none'),
        (text(font="AmaticSC:wght=5"), 'the font "AmaticSC" has no axes; remove what follows the :'),
        (box("a *b*"), 'text box: there is no font "Fell Italic"; bold and italic text use separate fonts;'),
        (box("a **b** **c**", "Fell Bold"), 'text box: there is no font "Fell Bold Bold"; bold and italic text use'),
        (box("abc", "Fel"), 'text box: there is no font "Fel"; did you mean "Fell"?'),
    ],
)  # fmt: skip
def test_a_font_that_is_not_there_is_told(tmp_path: Path, words: str, message: str) -> None:
    """With the name that is meant, else with what there is."""
    files = {"fell.ttf": called("Fell"), "bold.ttf": called("Fell", "Bold"), "vario.ttf": variable()}
    (found,) = told(tmp_path / "tiny", words, files)

    assert found.startswith(message)


def test_two_fonts_of_one_name_are_told(tmp_path: Path) -> None:
    """Only where that name is used."""
    files = {"a.ttf": called("Fell"), "b.ttf": called("Fell", data=installed(SERIF))}
    (found,) = told(tmp_path / "tiny", text(), files)

    assert found.endswith('b.ttf are both called "Fell"; remove one of them, or use another of its names')
    assert not told(tmp_path / "tiny", text(font="SourceSansPro"), files)


def test_the_line_that_wrote_a_text_is_found_though_its_font_has_another_name(tmp_path: Path) -> None:
    """What is told of a face that is finished names the line, also where a chain or a font of the game stands."""
    words = "\n".join([text(font="SourceSansPro"), text(), text(font="SourceSerifPro, Fell")])
    face = face_in(tmp_path / "tiny", words, {"fell.ttf": called("Fell")})
    file = str(tmp_path / "tiny" / "faces" / "plain.svg.j2")
    found = [
        find_element([file], "text", {str(key): str(value) for key, value in layer.element.attrib.items()})
        for layer in face.layers
        if layer.element.tag.endswith("text")
    ]

    assert [1, 2, 3] == [place and place.line for place in found]


# Licences


@pytest.mark.parametrize(
    ("rights", "message"),
    [
        (0x0002, 'the licence of the font "Fell Regular" forbids embedding it in a PDF; choose another font'),
        (
            0x0104,
            'the licence of the font "Fell Regular" forbids embedding a part of it; files contain only the letters',
        ),
        (0x0208, 'the licence of the font "Fell Regular" forbids embedding it in a PDF; choose another font'),
    ],
)
def test_what_a_licence_forbids_is_told(tmp_path: Path, rights: int, message: str) -> None:
    """By the bits in the font's own file."""
    (found,) = told(tmp_path / "tiny", text(), {"fell.ttf": called("Fell", rights=rights)})

    assert found.startswith(message)


@pytest.mark.parametrize(("rights", "count"), [(0x0000, 0), (0x0004, 1), (0x0006, 1), (0x0008, 0)])
def test_files_that_can_be_edited_are_told_of_fonts_that_may_only_be_viewed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rights: int, count: int
) -> None:
    """An SVG file is one; pictures hold no font."""
    folder = with_fonts(tmp_path / "tiny", text(), {"fell.ttf": called("Fell", rights=rights)})
    line = 'the licence of "Fell Regular" lets people view and print these files, but not edit them'
    for kind, lines in (("svg", count), ("png", 0)):
        assert 0 == main(["export", kind, str(folder), "--output", str(tmp_path / "out")])
        assert lines == capsys.readouterr().out.count(line)


# Letters that a font lacks


def runs_of(face: Face) -> list[tuple[str, str]]:
    """What is set in which font, without the digest."""
    found = []
    for element in face.root.iter("{*}text", "{*}tspan"):
        font = element.get("font-family", "").partition("-")[0]
        found += [(font, element.text)] if element.text else []
        if element.tag.endswith("tspan") and element.tail:
            parent = element.getparent()
            assert parent is not None
            found.append((parent.get("font-family", "").partition("-")[0], element.tail))
    return found


CHAIN = "Vario, Fell"


@cache
def files_of_chain() -> dict[str, bytes]:
    return {"vario.ttf": variable(), "fell.ttf": called("Fell")}


def test_what_a_font_lacks_comes_from_the_next(tmp_path: Path) -> None:
    """In lines and in boxes, letter by letter; what nobody asked for is left alone."""
    line = face_in(tmp_path / "a", text("abX aY", CHAIN), files_of_chain())
    boxed = face_in(tmp_path / "b", box("abX aY", CHAIN), files_of_chain())

    assert [("VarioRegular", "ab"), ("FellRegular", "X"), ("VarioRegular", " a"), ("FellRegular", "Y")] == runs_of(line)
    assert [(font, words.strip()) for font, words in runs_of(line)] == [
        (font, words.strip()) for font, words in runs_of(boxed)
    ]
    assert "tspan" not in face_in(tmp_path / "c", text("ab", CHAIN), files_of_chain()).svg


def test_a_letter_and_its_marks_stay_together(tmp_path: Path) -> None:
    """`a` is there, the tilde below is not: both come from the font that has both."""
    face = face_in(tmp_path / "tiny", text("ba\u0330b", CHAIN), files_of_chain())

    assert [("VarioRegular", "b"), ("FellRegular", "a\u0330"), ("VarioRegular", "b")] == runs_of(face)


def test_parts_of_a_line_and_what_follows_them_are_filled_too(tmp_path: Path) -> None:
    """A part with a chain of its own, and the words behind it, which are in the chain of the line."""
    words = text('aX<tspan font-family="SourceSerifPro">aZ</tspan>Ya', CHAIN)
    face = face_in(tmp_path / "tiny", words, files_of_chain())

    own, filled = "VarioRegular", "FellRegular"
    assert [(own, "a"), (filled, "X"), ("SourceSerifPro", "aZ"), (filled, "Y"), (own, "a")] == runs_of(face)


def test_a_game_says_what_fills_gaps_everywhere(tmp_path: Path) -> None:
    """One that is not there is told at its line of game.yaml."""
    named = FILES["game.yaml"] + "fallback-fonts: [Fell]\n"
    face = face_in(tmp_path / "a", text("aX", "Vario") + box("X", "Vario"), files_of_chain(), game_yaml=named)
    missing = FILES["game.yaml"] + "fallback-fonts:\n  - Fel\n"
    with_fonts(tmp_path / "b", text("ab", "Vario"), files_of_chain(), game_yaml=missing)
    line = missing.count("\n")

    assert [("VarioRegular", "a"), ("FellRegular", "X"), ("FellRegular", "X")] == runs_of(face)
    assert [f'game.yaml:{line}: there is no font "Fel"; did you mean "Fell"?'] == face_problems(tmp_path / "b")


def test_bold_fills_gaps_in_bold_where_there_is_one(tmp_path: Path) -> None:
    """And as it is where there is none; the first font must have what is asked of it."""
    face = face_in(tmp_path / "a", box("**aX**", "Vario, SourceSansPro"), files_of_chain())
    plain = face_in(tmp_path / "b", box("**aX**", CHAIN), files_of_chain())

    assert [("VarioBold", "a"), ("SourceSansProBold", "X")] == runs_of(face)
    assert [("VarioBold", "a"), ("FellRegular", "X")] == runs_of(plain)
    assert told(tmp_path / "c", box("**X**", "Fell, Vario"), files_of_chain())[0].startswith(
        'text box: there is no font "Fell Bold"'
    )


@pytest.mark.parametrize("set_in", [text, box])
def test_what_is_asked_of_a_font_is_asked_of_those_that_fill_its_gaps(tmp_path: Path, set_in: Any) -> None:
    """A browser would make their letters smaller; letters that nobody needs are not asked."""
    small = 'font-variant="small-caps" '
    lacking = set_in("Aa b", "SourceSerifPro, Vario").replace("font", f"{small}font", 1)
    filled = set_in("ab\u2603", "SourceSerifPro, SourceSansPro, Vario").replace("font", f"{small}font", 1)

    assert not told(tmp_path / "a", lacking, {"vario.ttf": variable()})
    assert "has no character '☃'" in told(tmp_path / "b", filled, {"vario.ttf": variable()})[0].replace("have", "has")
    snow = called("Snow", data=snowing())
    (found,) = told(tmp_path / "c", filled.replace("Vario", "Snow"), {"snow.ttf": snow})
    assert 'the font "Snow Regular" has no small-caps (smcp)' in found


def snowing() -> bytes:
    """The font that is drawn here, with a snowman for its j."""
    font: Any = opened(still(variable()))
    for table in font["cmap"].tables:
        table.cmap = {0x2603 if char == ord("j") else char: name for char, name in table.cmap.items()}
    return saved(font)


def test_a_letter_that_no_font_has_is_told_with_those_that_have_it(tmp_path: Path) -> None:
    """All that were asked are named; those of the game come first."""
    files = {**files_of_chain(), "old.ttf": called("Old", data=installed(SERIF))}
    (found,) = told(tmp_path / "tiny", text("aXa", "Vario, Vario Bold"), files)
    (nobody,) = told(tmp_path / "tiny", text("猫", CHAIN), files)

    assert found == (
        'the fonts "Vario Regular" and "Vario Bold" have no character \'X\' (U+0058); remove it, or choose a font '
        "that has it: Fell Regular, Old Regular or AmaticSC"
    )
    assert nobody.endswith("has no character '猫' (U+732B); remove it, or choose a font that has it") is False
    assert nobody.endswith("have no character '猫' (U+732B); remove it, or choose a font that has it")


# Fonts that lie, are broken or enormous


def nested(deep: int, wide: int) -> bytes:
    """Letters made of the next letter, so many times over, so many deep."""
    return put_together(*((number + 3,) * wide for number in range(deep)))


GROWING = "".join(
    f"lookup L{one} {{ sub letter.{one} by {' '.join([f'letter.{other}'] * 9)}; }} L{one};"
    for one, other in zip("abcd", "bcde", strict=True)
)
FAR = "F" * 3000
HOSTILE = {
    "it grows": (
        lambda: ruled(f"feature liga {{ {GROWING} }} liga;"),
        'turns "a" into 6,563 letters; choose another font',
    ),
    "letters of letters": (lambda: nested(9, 10), "are made from too many parts; choose another font"),
    "parts of parts": (lambda: winding(9, 60), 'the font "Vario Regular" is damaged; save'),
    "a letter of itself": (lambda: put_together((2,)), "are made from too many parts; choose another font"),
    "no units": (
        lambda: spoiled(variable(), "head", 18, b"\0\0"),
        "has an em of 0 units; 16 to 16,384 are allowed",
    ),
    "many units": (lambda: spoiled(variable(), "head", 18, b"\xff\xff"), "has an em of 65535 units"),
    "below the line": (
        lambda: spoiled(variable(), "hhea", 4, struct.pack(">hh", -900, -1900)),
        "end 0.90 em below the baseline",
    ),
    "no space": (lambda: spoiled(variable(), "hmtx", 0, bytes(48)), "has no character ' '"),
    "cut off": (lambda: variable()[:-400], "this font file is damaged; save it again, or choose another"),
    "no font": (lambda: b"<html>Not found</html>", "this is not a font; save it as TrueType, OpenType, WOFF or WOFF2"),
    "nothing": (lambda: b"", "this is not a font; save it as TrueType, OpenType, WOFF or WOFF2"),
    "many fonts": (
        lambda: b"ttcf\0\1\0\0" + struct.pack(">L", 10**6) + bytes(4 * 10**6),
        "has 1,000,000 fonts; at most 64",
    ),
    "many axes": (
        lambda: spoiled(variable(), "fvar", 8, b"\xff\xff"),
        "this font has 65,535 axes and 3 styles; at most 32",
    ),
    "packed, many": (lambda: b"wOF2ttcf" + bytes(90), "this is a packed collection of fonts; pack each font by itself"),
    "packed, cut off": (lambda: called("Vario", flavor="woff2")[:-900], "this font file is damaged; save it again"),
}


@pytest.mark.slow("packs fonts")
@pytest.mark.parametrize(("made", "message"), HOSTILE.values(), ids=HOSTILE)
def test_a_font_that_lies_is_told(tmp_path: Path, made: Callable[[], bytes], message: str) -> None:
    """At once, and at a place."""
    with no_hang(20):
        found = told(tmp_path / "tiny", text("a b", "Vario"), {"vario.ttf": made()})

    assert any(message in one for one in found), found


def test_letters_may_be_put_together_from_some_parts(tmp_path: Path) -> None:
    """As accented letters are; the bound is far from those."""
    assert face_in(tmp_path / "tiny", text("abc", "Vario"), {"vario.ttf": put_together((3, 4), (4, 5), (5,))})
    assert MOST_PARTS >= 100


def test_letters_that_are_joined_to_spaces_are_all_drawn(tmp_path: Path) -> None:
    """A word is shaped between spaces, and some fonts make one letter of a letter and a space, or leave spaces out."""
    for number, rules in enumerate(
        ("feature liga { sub space letter.a by letter.j; sub letter.b space by letter.i; } liga;",
         "feature ccmp { sub space by NULL; } ccmp;")
    ):  # fmt: skip
        face = face_in(tmp_path / f"{number}", text("ab ab", "Vario"), {"vario.ttf": ruled(rules)})
        same = face_in(tmp_path / f"plain-{number}", text("ab ab", "Vario"), {"vario.ttf": still(variable())})

        assert difference(face, same) == 0


def test_a_name_holds_nothing_that_a_terminal_obeys(tmp_path: Path) -> None:
    """Nor is it longer than a line."""
    fonts = fonts_in(tmp_path / "tiny", a_ttf=called("Va\u202erio\x1b[2J\n" + "x" * 3000, "Reg\x07ular"))
    names = list(fonts.named)

    assert "Va rio [2J " + "x" * 69 in names
    assert all(name.isprintable() and len(name) < 200 for name in names)


def test_a_file_is_as_large_as_it_may_be(tmp_path: Path) -> None:
    """And there are not too many; links lead out of no folder."""
    (large,) = told(tmp_path / "a", "", {"large.ttf": bytes(MOST_FONT + 1)} | {"fell.ttf": called("Fell")}) or [""]
    assert large == ""  # nothing is asked of the folder

    (large,) = told(tmp_path / "a", text(), {"large.ttf": bytes(MOST_FONT + 1)})
    assert large == "the file has 32,000,001 bytes; at most 32,000,000 are read"
    many = {f"{number}.ttf": b"" for number in range(MOST_FILES + 1)}
    assert f"there are {MOST_FILES + 1} fonts in this folder; at most {MOST_FILES}" in told(
        tmp_path / "b", text(), many
    )
    (tmp_path / "secret.ttf").write_bytes(called("Fell"))
    folder = with_fonts(tmp_path / "c", text(), {})
    (folder / "fonts" / "fell.ttf").symlink_to(tmp_path / "secret.ttf")
    assert any("this leads out of the game's folder" in one for one in face_problems(folder))


def number128(value: int) -> bytes:
    """A number as WOFF2 writes it, seven bits in a byte."""
    parts = [value & 127]
    while value := value >> 7:
        parts.append(value & 127 | 128)
    return bytes(reversed(parts))


def bomb(size: int, said: int) -> bytes:
    """A WOFF2 of one table that says to have `said` bytes, and has `size` when it is unpacked."""
    packer = brotli.Compressor(quality=5)
    packed = b"".join(packer.process(bytes(1_000_000)) for _ in range(size // 1_000_000)) + packer.finish()
    rows = bytes([0x3F]) + b"junk" + number128(said)
    length = 48 + len(rows) + len(packed)
    return (
        struct.pack(">4s4sLHHLLHHLLLLL", b"wOF2", b"\0\1\0\0", length, 1, 0, said, len(packed), *[0] * 7)
        + rows
        + packed
    )


@pytest.mark.slow("packs 300 MB of nothing")
@pytest.mark.parametrize("said", [100, MOST_UNPACKED + 1])
def test_a_packed_font_that_unpacks_to_more_than_it_says_is_not_unpacked(said: int) -> None:
    """A few kilobytes of WOFF2 can hold gigabytes: what comes out is counted while it comes."""
    data = bomb(300_000_000, said)
    before = peak()
    found = unpacked(data)

    assert isinstance(found, tuple)
    assert len(data) < 10_000
    assert peak() - before < 100_000_000
    assert found[0] == (
        "this font file is damaged" if said == 100 else "this font is larger than 8,000,000 bytes when it is unpacked"
    )


def peak() -> int:
    """The most bytes of memory that this process has had; 0 where nobody tells."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.mark.slow("packs 300 MB of nothing")
def test_a_woff_that_unpacks_to_more_than_it_says_is_not_unpacked() -> None:
    """Its tables are packed one by one."""
    packer = zlib.compressobj()
    packed = b"".join(packer.compress(bytes(1_000_000)) for _ in range(300)) + packer.flush()
    row = struct.pack(">4s4L", b"junk", 64, len(packed), 1_000_000, 0)
    data = b"wOFF" + b"\0\1\0\0" + struct.pack(">LHH", 64 + len(packed), 1, 0) + bytes(28) + row + packed

    before = peak()

    assert unpacked(data) == ("this font file is damaged", "save it again, or choose another")
    assert peak() - before < 100_000_000


SOUND = {
    "ttf": lambda: still(variable("Fell")),
    "variable": lambda: variable("Fell"),
    "CFF2": lambda: variable("Fell", "otf"),
    "numbers": lambda: numbered("Fell"),
    "large": lambda: called("Fell"),
    "otf": lambda: called("Fell", data=installed(SERIF, ".otf")),
    "woff": lambda: called("Fell", flavor="woff"),
    "woff2": lambda: called("Fell", flavor="woff2"),
    "ttc": lambda: collection(called("Fell"), called("Fell", "Italic")),
}
READ = ("head", "hhea", "maxp", "cmap", "loca", "GSUB", "GPOS", "fvar", "gvar", "CFF ", "CFF2", "name", "hmtx", "OS/2")


def mended_for_worse(chance: random.Random, data: bytes) -> bytes:
    """A font with some bytes changed: in its directory, near the head of a table that is read, or anywhere."""
    made = bytearray(data)
    starts = [found.start() for tag in READ for found in re.finditer(re.escape(tag.encode()), data[:400])]
    for _ in range(chance.choice([1, 1, 2, 4, 20])):
        match chance.randrange(4):
            case 0 | 1 if starts:
                (at,) = struct.unpack_from(">L", data, chance.choice(starts) + 8)
                at += chance.randrange(chance.choice([16, 64, 2000]))
            case 2:
                at = chance.randrange(400)
            case _:
                at = chance.randrange(len(data))
        if at < len(made):
            by = bytes([chance.choice([0, 1, 127, 128, 255, chance.randrange(256)])] * chance.choice([1, 1, 2, 4]))
            made[at : at + len(by)] = by
    return bytes(made[: chance.randrange(len(made))]) if chance.random() < 0.1 else bytes(made)


@pytest.fixture(scope="session")
def game_of_broken_fonts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    words = text("abc affi 10", "Fell, SourceSansPro") + text("abcdefghij", y=30) + box("abc abc, fghij")
    yield with_fonts(tmp_path_factory.mktemp("fonts") / "tiny", words, {})


@pytest.mark.slow("reads broken fonts by the dozen")
@seeded(20)
def test_a_broken_font_is_told_or_drawn(game_of_broken_fonts: Path, seed: int) -> None:
    """To the end: measured, in a PDF, in an SVG and as a picture. Ten for one seed."""
    chance = random.Random(seed)
    for _ in range(10):
        kind = chance.choice(sorted(SOUND))
        (game_of_broken_fonts / "fonts" / "fell.ttf").write_bytes(mended_for_worse(chance, SOUND[kind]()))
        problems = Problems()
        with no_hang():
            game = load_game(game_of_broken_fonts, problems)
            assert game is not None
            faces = compose(game, problems)
            for face in faces.values():
                assert face_pdf(face, True) and standalone_svg(face) and face_png(face, 50)

        assert problems or len(faces) == 4
        assert all(": " in str(problem) for problem in problems)


# What is made of fonts


@pytest.mark.parametrize("kind", ["ttf", "numbers", "CFF2"])
def test_a_font_in_a_picture_is_unpacked_as_it_was(kind: str) -> None:
    """Each of its tables to the byte, also those whose tags WOFF2 has no number for."""
    data = SOUND[kind]()
    before, after = opened(data), opened(packed_quickly(data))
    tables = before.reader.keys()

    assert sorted(tables) == sorted(after.reader.keys())
    assert {tag: before.reader[tag] for tag in tables} == {tag: after.reader[tag] for tag in tables}
    assert len(packed(data)) <= len(packed_quickly(data)) < len(data)


def test_what_is_made_of_a_font_is_made_anew_when_it_changes(tmp_path: Path) -> None:
    """Its file is among those that make a game."""
    folder = with_fonts(tmp_path / "tiny", text(), {"fell.ttf": called("Fell")})
    before = game_digest(folder)
    (folder / "fonts" / "OFL.txt").write_text("a licence")

    assert before == game_digest(folder)
    (folder / "fonts" / "fell.ttf").write_bytes(called("Fell", data=installed(SERIF)))
    assert before != game_digest(folder)


def test_a_game_without_fonts_of_its_own_reads_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It pays for a look at a folder that is not there."""
    monkeypatch.setattr("grimalkin.printing.type.game_fonts.read_bytes", lambda *_: pytest.fail("a file was read"))
    problems = Problems()
    game = load_game(write_game(tmp_path / "tiny"), problems)
    assert game is not None

    assert len(compose(game, problems)) == 4


@pytest.mark.slow("draws sheets")
def test_sheets_of_a_game_with_fonts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All the way by the command, which tells what is wrong with a font."""
    folder = with_fonts(tmp_path / "tiny", text(), {"fell.woff2": called("Fell", flavor="woff2")})
    command = ("sheets", str(folder), "--output", str(tmp_path / "out"), "--paper", "a4")
    assert 0 == main(command)
    (folder / "fonts" / "fell.woff2").write_bytes(b"no font")
    capsys.readouterr()

    assert 1 == main(command)
    assert "fonts/fell.woff2: this is not a font; save it as" in capsys.readouterr().err


def test_a_preview_gives_fonts_to_the_page_and_sees_that_they_change(tmp_path: Path) -> None:
    """As long as a face is shown that is set in them; while something is wrong, the old one stays."""
    folder = with_fonts(tmp_path / "tiny", text(), {"fell.ttf": called("Fell")})
    preview = Preview(folder)
    first = preview.show("full")[1].fonts
    (folder / "fonts" / "fell.ttf").write_bytes(called("Fell", data=installed(SERIF)))
    preview.refresh()
    second = preview.show("full")[1].fonts
    (folder / "fonts" / "fell.ttf").write_bytes(b"")
    preview.refresh()
    show = preview.show("full")[1]

    assert ["Fell Regular"] == [font.title for font in first] == [font.title for font in second]
    assert first[0].name != second[0].name
    assert show.problems and show.fonts == second
    assert json.dumps(show.plain())


@pytest.mark.slow("starts a server")
def test_a_server_has_the_fonts_of_the_game(tmp_path: Path) -> None:
    """By the name that stands on the faces; as it is drawn, not as it was packed."""
    import http.client

    preview = Preview(with_fonts(tmp_path / "tiny", text(), {"fell.woff2": called("Fell", flavor="woff2")}))
    (font,) = preview.show("full")[1].fonts
    server = serve(preview, 0)
    assert server is not None
    try:
        import threading

        threading.Thread(target=server.run, daemon=True).start()
        connection = http.client.HTTPConnection("127.0.0.1", server.http.server_port, timeout=10)
        connection.request("GET", f"/type/{font.name}")
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
    finally:
        server.close()

    assert 200 == answer.status
    assert b"\0\1\0\0" == data[:4]
    assert 1942 == opened(data)["maxp"].numGlyphs  # type: ignore[attr-defined]
