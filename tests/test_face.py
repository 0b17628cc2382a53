"""Faces: templates become plain SVG, texts fit or fail, and what is outside the subset is told."""

from __future__ import annotations

import gc
import io
import re
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from games_for_tests import FILES, write_game
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from no_hang import no_hang

from grimalkin.content import Game, load_game
from grimalkin.content.stocks import Stock, load_stocks
from grimalkin.printing.draw.pdf import face_pdf
from grimalkin.printing.draw.raster import face_png
from grimalkin.printing.draw.shapes import outline, own_style, text_runs
from grimalkin.printing.face import Composer, Face, standalone_svg
from grimalkin.printing.face.compose import MOST_RECENT, alone, parted
from grimalkin.printing.face.layers import Layer
from grimalkin.printing.face.svg.paths import absolute_path
from grimalkin.printing.face.svg.subset import ELEMENTS, SVG
from grimalkin.printing.type.fit import POINT, fit
from grimalkin.printing.type.fonts import find_font
from grimalkin.printing.type.shaping import MissingGlyph, UnknownFont, text_width
from grimalkin.printing.type.words import read_words
from grimalkin.problems import Problems
from grimalkin.source import bundled_games, find_game_folder


def compose(game: Game, problems: Problems) -> dict[str, Face]:
    """Every face of a game, by its id."""
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    pairs = [composer.faces(deck, row) for deck in game.info.decks for row in game.components[deck.id]]
    return {face.id: face for pair in pairs for face in pair if face}


def face_problems(folder: Path) -> list[str]:
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None and not problems, list(problems)
    compose(game, problems)
    return [str(problem).replace(str(folder) + "/", "") for problem in problems]


def with_words(words: str) -> str:
    return '{% extends "base/face.svg.j2" %}{% block words %}' + words + "{% endblock %}"


# Fitting


def set_text(text: str, width: float = 50, height: float = 20, size: float = 8, floor: float = 6.5):
    font = find_font("SourceSansPro")
    assert font is not None
    return fit(read_words(text, "SourceSansPro", {}), font, width, height, size, floor, 1.25, 1.08)


def test_short_text_keeps_its_size_and_leading() -> None:
    """Nothing is tightened without need."""
    block = set_text("A short text.")

    assert (8, 1.25, 1) == (block.size, block.leading, len(block.lines))


def test_leading_is_tightened_before_the_type_shrinks() -> None:
    """Ten lines of 8 pt need 36.0 mm at leading 1.25 and 30.2 mm at 1.08 (1 + 9 × leading em of 2.822 mm)."""
    text = "\n".join(["line"] * 10)

    assert (8, 1.25) == ((roomy := set_text(text, height=35)).size, roomy.leading)
    assert 8 == (tight := set_text(text, height=31)).size
    assert tight.leading < 1.25
    assert set_text(text, height=28).size < 8


def test_a_text_that_does_not_fit_at_its_floor_fails() -> None:
    """Never a silent overflow."""
    assert set_text("word " * 400) is None
    assert set_text("x" * 60, width=20) is None
    just_too_high = 6.5 * POINT - 0.01  # one line of the floor's size is one em high

    assert set_text("word", height=just_too_high) is None
    assert 6.5 == set_text("word", height=just_too_high + 0.02).size


@pytest.mark.slow("measures many texts")
@given(st.text(alphabet="abcdefgh ,.*", max_size=300), st.floats(15, 80), st.floats(5, 60))
def test_what_fits_is_inside_its_box(text: str, width: float, height: float) -> None:
    """Every line is at most as wide as the box, all lines together at most as high, and no word is lost."""
    block = set_text(text, width, height)
    if block is None:
        return
    space = text_width("SourceSansPro", " ")
    for line in block.lines:
        em = sum(word.width for word in line) + space * (len(line) - 1)

        assert em * block.size * POINT <= width + 1e-6
    assert block.height <= height + 1e-6
    assert 6.5 <= block.size <= 8
    assert 1.08 <= block.leading <= 1.25
    words = ["".join(piece.text for piece in word.pieces) for line in block.lines for word in line]
    assert text.replace("*", "").split() == [left for word in words if (left := word.replace("*", ""))]


def test_emphasis_changes_the_font_inside_a_word() -> None:
    """Bold and italic are fonts of their own; a word is never broken at their edge."""
    ((word,),) = read_words("half**bold**", "SourceSansPro", {})

    assert [("SourceSansPro", "half"), ("SourceSansProBold", "bold")] == [(p.font, p.text) for p in word.pieces]


def test_hard_spaces_do_not_break() -> None:
    """U+00A0 keeps two words on one line."""
    block = set_text("a\u00a0b c")

    assert ["a\u00a0b", "c"] == [word.pieces[0].text for word in block.lines[0]]


def lines_of(block) -> list[str]:
    return [" ".join("".join(piece.text for piece in word.pieces) for word in line) for line in block.lines]


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("a moth\u00aderless cat", 15, ["a moth-", "erless cat"]),
        ("a moth\u00aderless cat", 50, ["a motherless cat"]),
        ("kit\u200bten\u200bcat", 8, ["kitten", "cat"]),
        ("kit\u00adten\u00adcat", 5, ["kit-", "ten-", "cat"]),
        ("**kit\u00adten**s", 5, ["kit-", "tens"]),
    ],
)
def test_words_break_where_they_may(text: str, width: float, lines: list[str]) -> None:
    """At a soft hyphen with a hyphen, at a space without width with nothing; elsewhere neither is printed."""
    assert lines == lines_of(set_text(text, width))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("cafe\u0301", "café"),
        ("a\u200db\ufeffc\u2060d", "abcd"),
        ("a\tb", "a b"),
        ("a\u2028b", "a\nb"),
        ("a\ufe0fb", "ab"),
    ],
)
def test_signs_that_nobody_sees_are_not_printed(text: str, shown: str) -> None:
    """A letter and its accent are one letter, as macOS does not write it; a tab is a space, joiners are nothing."""
    assert shown.split("\n") == lines_of(set_text(text))


@pytest.mark.parametrize(
    ("space", "width"),
    [("\u200a", 1 / 16), ("\u2009", 1 / 5), ("\u2003", 1.0), ("\u202f", 0.125), ("\u2007", 0.497), ("\u3000", 1.0)],
)
def test_spaces_are_as_wide_as_they_say(space: str, width: float) -> None:
    """Those that a font has as the font says, all others as HarfBuzz and so every browser has them."""
    (words,) = read_words(f"10{space}cm", "SourceSansPro", {})

    assert width == pytest.approx(sum(word.width for word in words) - text_width("SourceSansPro", "10cm"), abs=0.001)


def test_no_word_stands_alone_in_a_last_line() -> None:
    """The lines of its paragraph are as many as before, and alike in width; a short text is left alone."""
    word, space = text_width("SourceSansPro", "cat"), text_width("SourceSansPro", " ")
    four = (4 * word + 3 * space) * 8 * POINT

    assert ["cat cat cat", "cat cat"] == lines_of(set_text("cat cat cat cat cat", four + 0.01))
    assert ["cat cat cat cat", "cat cat cat"] == lines_of(set_text("cat cat cat cat cat cat cat", four + 0.01))
    assert ["cat cat cat cat"] * 2 + ["cat cat"] == lines_of(set_text(" ".join(["cat"] * 10), four + 0.01))
    assert ["cat cat", "cat cat a a"] == lines_of(set_text("cat cat cat cat a a", four + 0.01))
    assert ["Meow."] == lines_of(set_text("Meow."))


def test_missing_glyphs_and_fonts_are_named() -> None:
    """A box with a question mark on a printed card is found too late."""
    with pytest.raises(MissingGlyph, match=r"'猫' \(U\+732B\)"):
        text_width("SourceSansPro", "猫")
    with pytest.raises(UnknownFont):
        text_width("ComicSans", "a")


# Composing

PLAIN = '<text font-family="SourceSansPro" font-size="3">3*4* '


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        (with_words("<circel/>"), 'the face mouse-front: <circel> is not drawn; did you mean "circle"?'),
        (with_words('<rect wdth="1"/>'), '<rect> has no attribute "wdth" here; did you mean "width"?'),
        (with_words('<rect fill="red"/>'), 'fill="red" is not a colour; write a colour as "#1d1a26", or none'),
        (with_words('<rect x="wide"/>'), '<rect x="wide"> is not a number of millimetres'),
        (with_words('<path d="M 1 Q"/>'), 'the path "M 1 Q" cannot be read'),
        (with_words('<use href="#nothing"/>'), '<use href="#nothing"> refers to nothing'),
        (with_words('<rect transform="rotate(a)"/>'), 'transform="rotate(a)" cannot be read'),
        (with_words("<g>"), "the face mouse-front: it is not XML: "),
        (with_words('<text x="0" y="0">hi</text>'), 'the text "hi" has no font-family'),
        (with_words('<text font-family="Arial">hi</text>'), 'there is no font "Arial"'),
        (
            with_words('<text font-family="SourceSansPro" font-size="3">猫</text>'),
            "the font SourceSansPro has no character",
        ),
        (
            with_words('<textbox name="rules" width="9" height="4">far too long to fit</textbox>'),
            "does not fit",
        ),
        (with_words('<textbox width="50" height="9" font="Nope">a</textbox>'), 'there is no font "Nope"'),
        (with_words('<textbox width="50" height="9">:claww:</textbox>'), 'no icon ":claww:"; did you mean "claw"?'),
        (with_words('{{ icon("pow", 1, 1, 5, "#000000") }}'), 'there is no icon "pow"; did you mean "paw"?'),
        (with_words("{{ card.pover }}"), "faces/plain.svg.j2:1: the face mouse-front: "),
        (with_words("{% if %}"), "faces/plain.svg.j2:1: the face mouse-front: "),
        ('{% extends "base/none.svg.j2" %}', 'there is no template "base/none.svg.j2"'),
        ("<html/>", "the outermost element is <html>; write <svg xmlns="),
        ("<svg/>", "the outermost element is <svg> without its namespace"),
        (with_words('<path d="M0 0L1e999 3z"/>'), 'the path "M0 0L1e999 3z" cannot be read'),
        (with_words('<path stroke-linecap="flat" d="M0 0L1 3"/>'), 'stroke-linecap="flat" is not known; one of: butt'),
        (with_words('<polygon points="1 2 3"/>'), '<polygon points="1 2 3"> cannot be read; write pairs of numbers'),
        (with_words('<line stroke-dasharray="a"/>'), 'stroke-dasharray="a" cannot be read'),
        (with_words('<text font-family="SourceSansPro">hi</text>'), 'the text "hi" has no font-size'),
        (with_words('<textbox width="50" height="9" size="0">a</textbox>'), "do not work together"),
        (with_words('<g clip-path="url(#zz)"/>'), 'clip-path="url(#zz)" refers to nothing'),
        (
            with_words('<defs><symbol id="a"><use href="#a"/></symbol></defs><use href="#a"/>'),
            "nested symbols draw more than 20,000 shapes",
        ),
        (with_words("{{ range(99999999)|list }}"), "the face mouse-front: "),
        (with_words("{{ none * 2 }}"), '"*" works on numbers, but this cell is empty; test it with {% if %}'),
        (with_words(PLAIN + "Pay 2:paw:</text>"), '<text> prints ":paw:" literally; put it in a <textbox>'),
        (with_words(PLAIN + r"\:paw:</text>"), r'<text> prints "\:" literally'),
        (with_words(PLAIN + "<tspan>all **day**</tspan></text>"), '<text> prints "**" literally'),
        (with_words('<text stroke="#ffffff"/>'), '<text stroke="#ffffff"> is not drawn; letters are only filled'),
        (with_words("<text><rect/></text>"), "<rect> within <text> is not drawn; put it after </text>"),
        (with_words("<rect><circle/></rect>"), "<circle> within <rect> is not drawn"),
        (with_words("<text><tspan>a<tspan>b</tspan></tspan></text>"), "<tspan> within <tspan> is not drawn"),
        (with_words("<g><tspan>a</tspan></g>"), "<tspan> within <g> is not drawn"),
        (with_words('<textbox width="50" height="9">Pay **two.</textbox>'), 'the stars in "**two." have no partners'),
        (with_words('{{ fail("the card has no picture") }}'), "the card has no picture"),
    ],
)
def test_faults_of_templates_are_told_with_the_card(tmp_path: Path, template: str, problem: str) -> None:
    """The template's file, the face, what is wrong and what would be right."""
    problems = face_problems(write_game(tmp_path / "tiny", faces__plain_svg_j2=template))

    assert any(problem in told and "faces/plain.svg.j2" in told for told in problems), problems


@pytest.mark.parametrize(
    ("icon", "problem"),
    [
        (
            '<svg viewBox="0 0 24 24"><path d="M0 0h24"/></svg>',
            "icons/cheese.svg:1: its outermost element is <svg> without its namespace; "
            'write <svg xmlns="http://www.w3.org/2000/svg">',
        ),
        ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="a b"/>', 'viewBox="a b" cannot be read; write four numbers'),
        ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 0"/>', "its width or height is 0"),
        ("rubbish", "icons/cheese.svg:1: it is not XML: it does not begin with a tag"),
    ],
)
def test_faults_of_icons_are_told(tmp_path: Path, icon: str, problem: str) -> None:
    """An icon that cannot be drawn is named; it never reaches the PDF."""
    template = with_words('{{ icon("cheese", 1, 1, 5, ink) }}')
    folder = write_game(tmp_path / "tiny", faces__plain_svg_j2=template)
    (folder / "icons").mkdir()
    (folder / "icons" / "cheese.svg").write_text(icon)
    problems = face_problems(folder)

    assert any("icons/cheese.svg" in told and problem in told for told in problems), problems


SVG_ICON = '<svg xmlns="http://www.w3.org/2000/svg"'


@pytest.mark.slow("composes many faces")
@pytest.mark.parametrize(
    ("icon", "told"),
    [
        (f"{SVG_ICON}/>", 'icons/fish.svg:1: it has no viewBox and no size; write viewBox="0 0 24 24"'),
        (f'{SVG_ICON} viewBox="0 0 24 24">\n<image/></svg>', "icons/fish.svg:1: it draws nothing"),
        (
            f'{SVG_ICON} viewBox="0 0 24 24">\n\n<path d="M0 0 foo"/></svg>',
            'icons/fish.svg:3: the path "M0 0 foo" cannot be read; "foo" is not a command or a number',
        ),
        (f'{SVG_ICON} viewBox="0 0 24 24">\n<g></svg>', "icons/fish.svg:2: it is not XML: <g> is closed by </svg>"),
        (
            f'{SVG_ICON} viewBox="0 0 24 24">\n<use href="#no"/></svg>',
            "icons/fish.svg:1: it draws nothing",
        ),
        (
            f'{SVG_ICON} viewBox="0 0 24 24">\n<circle r="9" opacity="0.5" fill="url(#a)"/></svg>',
            "icons/fish.svg:1: it draws nothing",
        ),
        (f'{SVG_ICON} viewBox="0 0 24 24">paw</svg>', "icons/fish.svg:1: it draws nothing"),
    ],
)
def test_a_fault_of_an_icon_is_told_once_with_its_file(tmp_path: Path, icon: str, told: str) -> None:
    """Not with the templates of all the faces that show it."""
    template = with_words('{{ icon("fish", 1, 1, 5, ink) }}')
    problems = face_problems(write_game(tmp_path / "tiny", **{"faces__plain_svg_j2": template, "icons/fish.svg": icon}))

    assert 1 == len(problems), problems
    assert problems[0].startswith(told), problems


HEAD = '{% extends "base/face.svg.j2" %}\n{% block words %}\n'


@pytest.mark.parametrize(
    ("template", "told"),
    [
        (HEAD + '<g/>\n<rect width="-5"/>', '4: the face mouse-front: <rect width="-5"> is negative'),
        (HEAD + '<circle cx="{{ card.power }}" r="-4"/>', '3: the face mouse-front: <circle r="-4"> is negative'),
        (HEAD + "<g>\nhello\n</g>", '4: the face mouse-front: the text "hello" is between elements'),
        (HEAD + "\nhello\n<g/>", '4: the face mouse-front: the text "hello" is between elements'),
        (HEAD + "<g/>\nhello\n", '4: the face mouse-front: the text "hello" is between elements'),
        (HEAD + '\n<path d="M0 0 foo"/>', '4: the face mouse-front: the path "M0 0 foo" cannot be read; "foo" is'),
        (HEAD + "<g/>\n<switch/>", "4: the face mouse-front: <switch> is not drawn"),
        (HEAD + '\n<circle cx="{{ card.power }}" r="abc"/>', '4: the face mouse-front: <circle r="abc"> is not'),
        (HEAD + '<g fill="#000000"/>\n<g fill="red"/>', '4: the face mouse-front: fill="red" is not a colour'),
        (HEAD + '<rect fill="red"/>\n<rect fill="red"/>', '3: the face mouse-front: fill="red" is not a colour'),
        (HEAD + '<rect fill="{{ "r" }}ed"/>\n<rect fill="{{ "r" }}ed"/>', ': the face mouse-front: fill="red" is not'),
        (HEAD + '\n<use href="#nix"/>', '4: the face mouse-front: <use href="#nix"> refers to nothing'),
        (
            HEAD + '\n<textbox align="centre" width="9" height="9">a</textbox>',
            '4: the face mouse-front: align="centre"',
        ),
        (
            HEAD + '<text font-family="SourceSansPro" font-size="3">a</text>\n'
            '<text font-family="SourceSansPro" font-size="3">猫</text>',
            "4: the face mouse-front: the font SourceSansPro has no character",
        ),
        (
            HEAD + '\n<textbox name="a" width="9">{{ card.name }}</textbx>',
            "4: the face mouse-front: it is not XML: <textbox> is closed by </textbx> (and 3 more faces)",
        ),
        (
            HEAD + "<text>{{ card.name }} & Co</text>",
            "3: the face mouse-front: it is not XML: an & is on its own; write",
        ),
        (
            HEAD + "<g>{{ icon('claw') }}",
            "3: the face mouse-front: icon() is called without x, y, size, and fill; write",
        ),
        (HEAD + '\n{{ "a" + 3 }}', "4: the face mouse-front: a text and a number cannot be added; ~ joins"),
        (HEAD + "\n{{ 3|rond }}", '4: the face mouse-front: there is no filter "rond"; did you mean "round"?'),
        (
            HEAD + "\n{{ range(999999)|list }}",
            "4: the face mouse-front: range() would make more than 100,000 numbers",
        ),
        (
            HEAD
            + '<textbox width="9" height="9">a <tspan font-size="3" font-family="SourceSansPro">b</tspan></textbox>',
            "3: the face mouse-front: text box: <tspan> in a text box is not drawn",
        ),
    ],
)
def test_faults_of_templates_are_told_once_with_their_line(tmp_path: Path, template: str, told: str) -> None:
    """Also those found in what a template wrote; only when two lines may have written it, the file alone is named."""
    text = template + "\n{% endblock %}\n"
    problems = face_problems(write_game(tmp_path / "tiny", faces__plain_svg_j2=text))
    place = "faces/plain.svg.j2" if told.startswith(":") else "faces/plain.svg.j2:"

    assert 1 == len(problems), problems
    assert problems[0].startswith(place + told), problems


@pytest.mark.parametrize(
    ("blocks", "told"),
    [
        (
            "{% block word %}{% endblock %}",
            ['faces/plain.svg.j2:3: there is no block "word" in base/face.svg.j2; did you mean "words"?'],
        ),
        (
            "{% block word %}{% block words %}{% endblock %}{% endblock %}",
            ['faces/plain.svg.j2:3: there is no block "word" in base/face.svg.j2; did you mean "words"?'],
        ),
        ("{% block words %}{% block mine %}{% endblock %}{% endblock %}", []),
        (
            "{% block art %}{% endblock %}\n<rect/>",
            ["faces/plain.svg.j2:4: text outside all blocks is not drawn; put it in a block"],
        ),
    ],
)
def test_what_is_in_no_block_of_the_base_is_told(tmp_path: Path, blocks: str, told: list[str]) -> None:
    """Jinja leaves it out without a word, and a card would be printed without it."""
    template = '{% extends "base/face.svg.j2" %}\n\n' + blocks + "\n"

    assert told == face_problems(write_game(tmp_path / "tiny", faces__plain_svg_j2=template))


def test_a_text_that_does_not_fit_names_the_row_of_its_card(tmp_path: Path) -> None:
    """The row as the second place and its column, unless no card says it; other cards in such a box are named."""
    box = HEAD + '<textbox name="t" width="9" height="4">too long ...</textbox>{% endblock %}'
    own = face_problems(write_game(tmp_path / "a" / "tiny", faces__plain_svg_j2=box.replace("...", "{{ card.name }}")))
    same = face_problems(write_game(tmp_path / "b" / "tiny", faces__plain_svg_j2=box))

    assert 1 == len(own)
    assert own[0].endswith(
        '; write less in the column "name", or give it more room (and 3 more faces: mouse-back, owl-front, owl-back)\n'
        "    cards.csv:2: the other place"
    )
    assert 1 == len(same)
    assert same[0].startswith("faces/plain.svg.j2:3: the face mouse-front: ")
    assert same[0].endswith("; write less, or give it more room (and 3 more faces)")


def test_an_empty_cell_prints_nothing(tmp_path: Path) -> None:
    """However it is written: by itself, joined to a text, or in a list."""
    words = '{{ card.mood }}|{{ "a" ~ card.mood }}|{{ [card.mood, "b"]|join }}|{{ "{}c".format(card.mood) }}'
    box = f'<textbox name="t" x="5" y="5" width="50" height="9">{words}|{{{{ card.mood|upper }}}}d</textbox>'
    problems = Problems()
    game = load_game(write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(box)), problems)
    assert game is not None
    faces = compose(game, problems)

    assert ["|a|b|c|d"] == [text.text for text in faces["owl-front"].root.iter(f"{{{SVG}}}text")]
    assert ["calm|acalm|calmb|calmc|CALMd"] == [text.text for text in faces["mouse-front"].root.iter(f"{{{SVG}}}text")]


def test_yes_or_no_is_not_printed_as_python_writes_it(tmp_path: Path) -> None:
    """ "True" on a card is never meant."""
    problems = face_problems(write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words("{{ card.power > 3 }}")))

    assert 'yes or no is not text; write the words, as in {{ "boss" if card.boss }}' in problems[0]


def test_a_text_over_several_lines_is_one_line(tmp_path: Path) -> None:
    """As SVG has it, for those who write their templates by hand."""
    words = '<text x="5" y="9" font-family="SourceSansPro" font-size="4">\n  a {}\n  c\n</text>'
    template = with_words(words.format("b") + words.format("<tspan>b</tspan>"))
    problems = Problems()
    game = load_game(write_game(tmp_path / "tiny", faces__plain_svg_j2=template), problems)
    assert game is not None
    texts = compose(game, problems)["owl-front"].root.iter(f"{{{SVG}}}text")

    assert not problems
    assert ["a b c", "a b c"] == ["".join(str(part) for part in text.itertext()) for text in texts]


def test_apostrophes_are_typographic_wherever_a_face_prints_them(tmp_path: Path) -> None:
    """Files have straight ones; feet and what stands behind a backslash stay as they are."""
    words = """<text x="5" y="9" font-family="SourceSansPro" font-size="4">a cat's <tspan>'n' dog's</tspan> 6'</text>
      <textbox x="5" y="12" width="40" height="9" font="SourceSansPro" size="8">**Ada**'s and cats'</textbox>"""
    problems = Problems()
    game = load_game(write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(words)), problems)
    assert game is not None
    texts = compose(game, problems)["owl-front"].root.iter(f"{{{SVG}}}text")
    shown = " ".join("".join(str(part) for part in text.itertext()) for text in texts)

    assert not problems
    assert "a cat’s ’n’ dog’s 6'" in shown
    assert "Ada’s and cats’" in " ".join(shown.split()).replace("Ada ’", "Ada’")


def test_one_fault_of_a_template_is_told_once_for_cards_of_all_names(tmp_path: Path) -> None:
    """Though what it quotes differs from card to card."""
    box = '<textbox name="n" width="50" height="9">**Name:{{ card.name }}</textbox>'
    (told,) = face_problems(write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(box)))

    assert 'the face mouse-front: n: the stars in "**Name:Mouse" have no partners' in told
    assert "(and 3 more faces)" in told


def test_letters_lie_where_their_line_is(tmp_path: Path) -> None:
    """A part of a text with its own x and y, and one that is anchored by itself: as SVG says, in every output."""
    spans = (
        '<text x="10" y="20" font-family="SourceSansPro" font-size="4">I<tspan x="30" y="40">I</tspan>'
        '<tspan y="60">I</tspan></text><text x="20" y="70" text-anchor="end" font-family="SourceSansPro" font-size="4">'
        'I\u200aI<tspan x="50" y="80">I</tspan></text>'
    )
    problems = Problems()
    game = load_game(write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(spans)), problems)
    assert game is not None
    face = compose(game, problems)["owl-front"]
    texts = list(face.root.iter(f"{{{SVG}}}text"))
    letter = 4 * text_width("SourceSansPro", "I")
    runs = [
        (run.text, pytest.approx(run.x), run.y) for text in texts for run in text_runs(text, STYLE | own_style(text))
    ]

    assert not problems
    assert runs[:3] == [("I", 10, 20), ("I", 30, 40), ("I", 30 + letter, 60)]
    assert runs[3:] == [("I\u200aI", 20 - 4 * text_width("SourceSansPro", "I\u200aI"), 70), ("I", 50 - letter, 80)]


STYLE = {"text-anchor": "start", "fill": "#000000"}


def test_overflow_names_the_card_and_the_text(tmp_path: Path) -> None:
    """So that the writer knows which line to shorten."""
    cards = FILES["cards.csv"].replace("Owl", "Owl " + "of the very long night " * 30)
    problems = face_problems(write_game(tmp_path / "tiny", cards_csv=cards))

    assert 1 == len(problems)  # front and back have the same template
    assert 'the face owl-front: name: "Owl of the very long night' in "".join(problems)
    assert 'does not fit into 53 × 10 mm at 6.5 pt; write less in the column "name", or give' in problems[0]


@pytest.mark.slow("works up to the bounds")
@pytest.mark.parametrize(
    "template",
    [
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
        "{% macro m(n) %}{{ m(n) }}{{ m(n) }}{% endmacro %}{{ m(1) }}",
        "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}",
        "{% set s = namespace(t='aaaaaaaaaa') %}{% for i in range(60) %}{% set s.t = s.t ~ s.t %}{% endfor %}",
        "{% set s = namespace(t='aaaaaaaaaa') %}{% for i in range(60) %}{% set s.t = s.t + s.t %}{% endfor %}",
        "{{ 'a' * 10000000000 }}",
        "{{ 10 ** 10 ** 10 }}",
        "{{ '%1000000000d' % 1 }}",
        "{{ 'a'|center(1000000000) }}",
        "{% for i in range(100000) %}aaaaaaaaaaaaaaaaaaaaaaaaa{% endfor %}",
        "{{ card.__class__.__mro__ }}",
        "{{ ''.__class__.__subclasses__() }}",
        "{{ game.__init__.__globals__ }}",
        "{{ icon.__globals__ }}",
        '{% include "../../../../etc/passwd" %}',
        '{% include "/etc/passwd" %}',
        '{% extends "base/face.svg.j2" %}{% extends "plain.svg.j2" %}',
        '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>',
    ],
)
def test_hostile_templates_end_with_a_problem(tmp_path: Path, template: str) -> None:
    """They may neither run for ever, nor eat the memory, nor reach outside."""
    with no_hang():
        problems = face_problems(write_game(tmp_path / "tiny", faces__plain_svg_j2=template))

    assert problems
    assert "root:" not in "".join(problems)


def test_a_fault_is_told_once_with_the_number_of_its_faces(tmp_path: Path) -> None:
    """Not once for every card of a template; composing a face again does not count again."""
    problems = Problems()
    game = load_game(write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words("<circel/>")), problems)
    assert game is not None
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    deck = game.info.decks[0]
    mouse, owl = game.components[deck.id]
    composer.compose("plain", "mouse-front", "Mouse", None, composer.stocks["poker"], {"id": "mouse"})
    once = [problem.hint for problem in problems]
    for row in (mouse, owl, mouse):
        composer.recent.clear()
        composer.faces(deck, row)

    assert ['did you mean "circle"?'] == once
    assert ['did you mean "circle"? (and 3 more faces)'] == [problem.hint for problem in problems]


def test_what_cards_share_is_resolved_once(tmp_path: Path) -> None:
    """From the second time on a frame is the same layer on every card; a name never is."""
    cards = "id,name,count,power,mood\n" + "".join(f"c{n},Card {n},1,1,\n" for n in range(3))
    cards_game = FILES["game.yaml"].replace("back: plain", "").replace("front: plain,", "front: plain")
    rules = FILES["rules.yaml"].replace("[[mouse]] or an [[owl]]", "card")
    folder = write_game(tmp_path / "tiny", cards_csv=cards, game_yaml=cards_game, rules_yaml=rules)
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None and not problems, list(problems)
    faces = list(compose(game, problems).values())

    assert [True, False, True] == [a is b for a, b in zip(faces[1].layers, faces[2].layers, strict=True)]


def test_a_constant_back_is_made_for_each_stock(tmp_path: Path) -> None:
    """One template that never looks at its card, on two stocks: each ground is as wide as its own, and the bleed."""
    folder = write_game(
        tmp_path / "tiny",
        **{
            "game_yaml": FILES["game.yaml"].replace("back: plain", "back: back"),
            "cards_csv": "id,name,count,stock,power,mood\nmouse,Mouse,2,,1,calm\nowl,Owl,1,tarot,7,\n",
            "faces/back.svg.j2": '{% extends "base/face.svg.j2" %}',
        },
    )
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None
    faces = compose(game, problems)

    assert not problems, list(problems)
    assert "69" == faces["mouse-back"].root[0].get("width").removesuffix(".0")
    assert "76" == faces["owl-back"].root[0].get("width").removesuffix(".0")


def test_a_constant_template_is_made_for_each_side(tmp_path: Path) -> None:
    """Front and back have one template, which reads only on which side it is."""
    words = '<text x="5" y="9" font-family="SourceSansPro" font-size="5">{{ side }}</text>'
    problems = Problems()
    game = load_game(write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(words)), problems)
    assert game is not None
    faces = compose(game, problems)

    assert ["front", "back", "front", "back"] == [
        faces[id_].root[-1].text for id_ in ("mouse-front", "mouse-back", "owl-front", "owl-back")
    ]


@pytest.mark.slow("draws all faces of a game")
def test_faces_are_let_go(tmp_path: Path) -> None:
    """A deck of thousands is composed card by card; nothing keeps the faces."""
    cards = "id,name,count,power,mood\n" + "".join(f"c{n},Card {n},1,1,\n" for n in range(80))
    rules = FILES["rules.yaml"].replace("[[mouse]] or an [[owl]]", "card")
    game_file = FILES["game.yaml"].replace("count: 3", "count: 80")
    problems = Problems()
    game = load_game(write_game(tmp_path / "tiny", cards_csv=cards, game_yaml=game_file, rules_yaml=rules), problems)
    assert game is not None and not problems, list(problems)
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    deck = game.info.decks[0]
    fronts = [weakref.ref(composer.faces(deck, row)[0]) for row in game.components[deck.id]]
    gc.collect()

    assert sum(1 for front in fronts if front() is not None) <= MOST_RECENT


def fingerprint(folder: Path, **changes: str) -> str:
    problems = Problems()
    game = load_game(write_game(folder, **changes), problems)
    assert game is not None and not problems, list(problems)
    return compose(game, problems)["owl-front"].fingerprint


def test_a_fingerprint_changes_with_the_look(tmp_path: Path) -> None:
    """With any shape, letter, stock or alternative text; not with the layout of the template or another card."""
    face = FILES["faces/plain.svg.j2"]
    table = FILES["cards.csv"]
    plain = fingerprint(tmp_path / "a" / "tiny")
    same = [
        fingerprint(tmp_path / "b" / "tiny", faces__plain_svg_j2=face.replace("\n<text ", "\n\n  <text  ")),
        fingerprint(tmp_path / "c" / "tiny", faces__plain_svg_j2=face.replace("<text ", "<!-- power --><text ")),
        fingerprint(tmp_path / "d" / "tiny", cards_csv=table.replace("Mouse", "Mice")),
    ]
    other = [
        fingerprint(tmp_path / "e" / "tiny", faces__plain_svg_j2=face.replace('y="40"', 'y="40.1"')),
        fingerprint(tmp_path / "f" / "tiny", cards_csv=table.replace("7", "8")),
        fingerprint(tmp_path / "g" / "tiny", game_yaml=FILES["game.yaml"].replace("poker", "tarot")),
        fingerprint(
            tmp_path / "h" / "tiny",
            cards_csv=table.replace("mood", "mood,alt").replace("calm", "calm,").replace("7,", "7,,An owl at night"),
        ),
    ]

    assert re.fullmatch("[0-9a-hjkmnp-tv-z]{6}", plain)
    assert [plain] * 3 == same
    assert 5 == len({plain, *other})


def test_an_icon_is_part_of_the_look(tmp_path: Path) -> None:
    """A new drawing of an icon changes the fingerprint of the cards that show it."""
    icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M2 2H22V22Z"/></svg>'
    template = with_words('{{ icon("cheese", 1, 1, 5, ink) }}')
    changes = {"faces__plain_svg_j2": template, "icons/cheese.svg": icon}
    one = fingerprint(tmp_path / "a" / "tiny", **changes)
    two = fingerprint(tmp_path / "b" / "tiny", **{**changes, "icons/cheese.svg": icon.replace("22", "20")})

    assert one != two


def test_text_from_content_cannot_become_markup(tmp_path: Path) -> None:
    """A name with < and & is a name."""
    cards = FILES["cards.csv"].replace("Owl", "Owl & <Mouse>")

    assert [] == face_problems(write_game(tmp_path / "tiny", cards_csv=cards))


def test_paths_become_absolute() -> None:
    """Arcs and shorthands are resolved when a face is composed, so that drawing need not know them."""
    assert "M1 1L3 1L3 3L1 1Z" == absolute_path("m1 1h2v2z")
    assert set(re.findall("[A-Za-z]", absolute_path("M0 0a5 5 0 0 1 5 5s1 1 2 2t3 3"))) <= set("MLC")


def test_paths_keep_a_thousandth_of_a_millimetre() -> None:
    """Also on a mat more than a metre wide; below 1 mm there is a decimal more, for icons on a small grid."""
    assert "M1234.56 98.765L-1234.568 0" == absolute_path("M1234.56 98.765L-1234.5678 0")
    assert "M0.1235 1.235L0 -0.0004" == absolute_path("M0.12345678 1.2345678L0.00001 -0.0004")


# The games' own faces


@pytest.mark.slow("draws all faces of a game")
@pytest.mark.parametrize("name", bundled_games())
def test_bundled_faces_are_plain_svg(name: str) -> None:
    """Every face of every game composes, uses the subset only, and has an alternative text."""
    problems = Problems()
    game = load_game(find_game_folder(name), problems)
    assert game is not None
    faces = compose(game, problems)

    assert [] == list(problems)
    for face in faces.values():
        assert face.alt
        for element in face.root.iter():
            tag = etree.QName(element).localname

            assert tag in ELEMENTS
            assert set(element.attrib) <= ELEMENTS[tag]


@pytest.mark.parametrize("id_", ["penny-front", "reference-card-back"])
def test_golden_faces(id_: str, golden: Callable[[str, str], None]) -> None:
    """Faces as text that a person can review; `pytest --bless` renews them."""
    problems = Problems()
    game = load_game(find_game_folder("were-kittens"), problems)
    assert game is not None
    faces = compose(game, problems)
    root = faces[id_].root
    etree.indent(root)

    golden(f"faces/{id_}.svg", etree.tostring(root, encoding="unicode") + "\n")


def test_a_standalone_svg_brings_its_fonts(tmp_path: Path) -> None:
    """A picture of SVG cannot load the page's fonts; with the same letters the bytes are the same."""
    problems = Problems()
    game = load_game(write_game(tmp_path / "tiny"), problems)
    assert game is not None
    faces = compose(game, problems)
    first = standalone_svg(faces["owl-front"], "Owl")

    assert "src:url(data:font/woff2;base64," in first
    assert first.count("@font-face") == 1
    assert first == standalone_svg(faces["owl-front"], "Owl")
    assert "Owl" == etree.fromstring(first.encode()).findtext(f"{{{SVG}}}title")


def test_a_standalone_svg_is_cut_like_its_stock(tmp_path: Path) -> None:
    """Also when the piece is a hexagon: 60 mm from point to point, 51.96 mm from side to side, flat at the top."""
    stock = Stock(name="Hexagon", shape="hexagon", width=60, height=51.96)
    face = Face("hex-front", "Hex", "Hex", stock, (Layer(etree.Element(f"{{{SVG}}}rect", width="9")),))
    clip = etree.fromstring(standalone_svg(face).encode()).find(f"{{{SVG}}}clipPath/{{{SVG}}}path")

    assert "M15 0L45 0L60 25.98L45 51.96L15 51.96L0 25.98Z" == clip.get("d")


def test_pictures_have_the_size_of_the_trim(tmp_path: Path) -> None:
    """63 × 88 mm at 300 dpi are 744 × 1039 pixels; the corners outside the cut are transparent."""

    from PIL import Image

    problems = Problems()
    game = load_game(write_game(tmp_path / "tiny"), problems)
    assert game is not None
    faces = compose(game, problems)
    data = face_png(faces["owl-front"], 300)
    image = Image.open(io.BytesIO(data))

    assert (745, 1040) == image.size or (744, 1039) == image.size
    assert 0 == image.getpixel((0, 0))[3]
    assert 255 == image.getpixel((372, 500))[3]
    assert data == face_png(faces["owl-front"], 300)
    assert face_pdf(faces["owl-front"], True) == face_pdf(faces["owl-front"], True)


def test_pictures_are_sound_and_say_how_fine_they_are(tmp_path: Path) -> None:
    """Every part has its checksum, nothing is missing, and a program that prints one knows its size."""
    from PIL import Image

    problems = Problems()
    game = load_game(write_game(tmp_path / "tiny"), problems)
    assert game is not None
    data = face_png(compose(game, problems)["owl-front"], 300)
    Image.open(io.BytesIO(data)).verify()
    image = Image.open(io.BytesIO(data))
    image.load()

    assert "RGBA" == image.mode
    assert (300, 300) == tuple(map(round, image.info["dpi"]))


def test_the_cards_of_a_sheet_are_composed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine lie on a page, and their backs on the next: whoever asks again within that many renders nothing anew."""
    rows = "".join(f"owl-{number},Owl {number},1,1,calm\n" for number in range(45))
    folder = write_game(tmp_path / "tiny", cards_csv=f"id,name,count,power,mood\n{rows}")
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None, list(problems)
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    rendered: list[str] = []
    render = composer.sandbox.render

    def noted(file: str, context: dict[str, Any]) -> str:
        rendered.append(f"{context['card']['id']}-{context['side']}")
        return render(file, context)

    monkeypatch.setattr(composer.sandbox, "render", noted)
    deck = next(deck for deck in game.info.decks if len(game.components[deck.id]) == 45)
    cards = game.components[deck.id]
    for begin in range(0, 45, 9):
        for card in [*cards[begin : begin + 9], *cards[begin : begin + 9]]:
            composer.faces(deck, card)

    assert sorted(set(rendered)) == sorted(rendered)


@pytest.mark.parametrize(
    ("inside", "children"),
    [
        ('<g><g x="1"/><g>a</g></g> <text a="b>c">d</text>\n', ["g", "text"]),
        ('<rect a="&lt;/svg>"/><g></g ><path/>', None),  # what is written oddly is left to the parser
        ("<g><g></g>", None),
        ("<!-- <g> --><g/>", None),
        ("words<g/>", None),
    ],
)
def test_what_is_parted_is_what_a_parser_finds(inside: str, children: list[str] | None) -> None:
    parts = parted(f'<svg xmlns="{SVG}">{inside}</svg>')

    assert children == (parts and [alone(part).tag.rpartition("}")[2] for part in parts])
    if parts:
        root = etree.fromstring(f'<svg xmlns="{SVG}">{inside}</svg>')
        canonical = [etree.tostring(alone(part), method="c14n", with_tail=False) for part in parts]
        assert canonical == [
            etree.tostring(etree.fromstring(etree.tostring(child, with_tail=False)), method="c14n") for child in root
        ]


def test_an_ellipse_bends_as_wide_and_as_high_as_it_is() -> None:
    """The handles of its quarters reach 0.5523 of each radius."""
    drawn = outline(etree.fromstring(f'<ellipse xmlns="{SVG}" rx="20" ry="4"/>'))

    assert drawn.startswith("20 0 m 20 2.2091 11.0457 4 0 4 c ")
