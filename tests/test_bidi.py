"""Text from right to left: put in order as browsers do, with a font that is made here."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from bidi import get_display
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from games_for_tests import write_game
from hypothesis import given
from hypothesis import strategies as st
from test_face import compose, with_words

from grimalkin.cli import main
from grimalkin.content import load_game
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.type.bidi import ISOLATED, begins_right, isolated, parts_from_left
from grimalkin.printing.type.fit import POINT
from grimalkin.printing.type.fonts import Font, read_font
from grimalkin.printing.type.shaping import shape
from grimalkin.printing.type.words import written
from grimalkin.problems import Problems

HEBREW = "אבגדה"
MIRRORED = str.maketrans("()[]", ")(][")


def seen(text: str, mirrored: Mapping[int, int] = MIRRORED) -> str:
    """The characters of a line from left to right."""
    return "".join(
        text[part.start : part.end][::-1].translate(mirrored) if part.from_right else text[part.start : part.end]
        for part in parts_from_left(text)
    )


@pytest.fixture(scope="module")
def hebrew() -> Font:
    """Squares: א is 100 wide, ב 200 and so on; Latin letters, digits and signs are 50 wide."""
    builder = FontBuilder(1000, isTTF=True)
    letters = [*HEBREW, *"abc123() .-"]
    names = {letter: f"u{ord(letter):04X}" for letter in letters}
    builder.setupGlyphOrder([".notdef", *names.values()])
    builder.setupCharacterMap({ord(letter): name for letter, name in names.items()})
    pen = TTGlyphPen(None)
    for step, point in enumerate([(0, 0), (0, 500), (50, 500), (50, 0)]):
        (pen.lineTo if step else pen.moveTo)(point)
    pen.closePath()
    builder.setupGlyf(dict.fromkeys([".notdef", *names.values()], pen.glyph()))
    widths = {letter: 100 * (HEBREW.index(letter) + 1) if letter in HEBREW else 50 for letter in letters}
    builder.setupHorizontalMetrics(
        {".notdef": (500, 0), **{names[letter]: (width, 0) for letter, width in widths.items()}}
    )
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupOS2()
    builder.setupNameTable({"familyName": "Squares", "styleName": "Regular", "psName": "Squares"})
    builder.setupPost()
    data = io.BytesIO()
    builder.save(data)
    font = read_font("Squares", data.getvalue())
    assert isinstance(font, Font)
    return font


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abc אבג xyz", "abc גבא xyz"),
        ("אבג דה", "הד גבא"),
        ("a אבג 12 דה b", "a הד 12 גבא b"),  # numbers are read from the left wherever they stand
        ("a (אבג) b", "a (גבא) b"),
        ("a אב (גד) b", "a (דג) בא b"),  # rule N0: the brackets hold, and follow, what is from the right
        ("אבג.", "גבא."),  # a point at the end belongs to the line
        ("אבג ", "גבא "),
    ],
)
def test_lines_are_put_in_order(text: str, expected: str) -> None:
    """Worked out by hand from the rules of UAX #9, in a line from left to right."""
    assert expected == seen(text)


def test_an_isolated_text_is_a_line_from_right_to_left() -> None:
    assert ISOLATED[0] + ".b a הד גבא" + ISOLATED[1] == seen(isolated("אבג דה b a.")).replace("a b", "b a")
    assert begins_right("1. אבג") and not begins_right("a אבג")


@given(st.text(st.sampled_from(HEBREW + "abc123 .,-!()[]+%"), min_size=1, max_size=14))
def test_the_order_is_that_of_another_program(text: str) -> None:
    """The library's own ordering, which knows brackets too but gives no levels."""
    assert get_display(text, base_dir="L") == seen(text, mirrored={})


def test_glyphs_stand_in_order(hebrew: Font) -> None:
    """א is first and stands on the right; each glyph knows the letter it stands for."""
    glyphs = shape(hebrew, "a אב")

    assert [50, 50, 200, 100] == [glyph.advance for glyph in glyphs]
    assert [0, 1, 3, 2] == [glyph.start for glyph in glyphs]


def test_a_text_box_is_set_from_right_to_left(tmp_path: Path, hebrew: Font) -> None:
    """Its lines begin at its right edge; what is from the left within them, icons and spaces stand where they belong.

    In em from the edge: אב is 0.3 wide, a space 0.05, the icon 1, ג 0.3, a and 1 0.05 each.
    """
    box = '<textbox x="2" width="50" height="20" size="10" font="Squares">אב :paw: ג a1.</textbox>'
    folder = write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(box))
    (folder / "fonts").mkdir()
    (folder / "fonts" / "squares.ttf").write_bytes(bytes(hebrew.face.blob.data))
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None
    root = compose(game, problems)["owl-front"].root
    em = 10 * POINT
    placed = {
        (one.text or "icon").strip(): (52 - float(one.get("x"))) / em
        for one in root.iter(f"{{{SVG}}}text", f"{{{SVG}}}use")
        if one.get("font-family", "Squares").startswith("Squares")
    }

    assert list(problems) == []
    assert placed == {
        isolated("אב"): pytest.approx(0.3, abs=0.001),
        "icon": pytest.approx(0.35 + 1, abs=0.001),
        isolated("ג"): pytest.approx(1.4 + 0.3, abs=0.001),
        "a1": pytest.approx(1.75 + 0.1, abs=0.001),
        isolated("."): pytest.approx(1.85 + 0.05, abs=0.001),
    }
    assert ["אב", "icon", "ג", "a1", "."] == [key.strip("".join(ISOLATED)) for key in placed]  # as they are read


def test_signs_for_joining_are_kept_where_they_decide() -> None:
    """In Persian a letter without its join is another word; elsewhere they say nothing."""
    assert "\u0645\u06cc\u200c\u0631" == written("\u0645\u06cc\u200c\u0631", "SourceSansPro")
    assert "ab" == written("a\u200cb", "SourceSansPro")


@pytest.fixture
def without_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("grimalkin.printing.type.bidi.find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "bidi", None)
    parts_from_left.cache_clear()
    yield
    parts_from_left.cache_clear()


@pytest.mark.usefixtures("without_library")
@pytest.mark.parametrize(
    "element",
    ['<textbox width="9" height="9">אב</textbox>', '<text font-family="SourceSansPro" font-size="3">אב</text>'],
)
def test_without_the_extra_it_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], element: str) -> None:
    face = f'{{% extends "base/face.svg.j2" %}}{{% block words %}}{element}{{% endblock %}}'
    folder = write_game(tmp_path / "tiny", faces__plain_svg_j2=face)

    assert 1 == main(["sheets", str(folder), "--output", str(tmp_path / "out"), "--paper", "a4"])
    told = capsys.readouterr().err
    assert "U+05D0 (HEBREW LETTER ALEF) is written from right to left" in told
    assert 'pip install "grimalkin[rtl]"' in told


@pytest.mark.usefixtures("without_library")
def test_a_title_without_the_extra_is_told_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is on no face, but on every sheet."""
    folder = write_game(tmp_path / "tiny")
    file = folder / "game.yaml"
    file.write_text(file.read_text("utf-8").replace("title: ", "title: אב "), "utf-8")

    assert 1 == main(["sheets", str(folder), "--output", str(tmp_path / "out"), "--paper", "a4"])
    assert "is written from right to left" in capsys.readouterr().err
