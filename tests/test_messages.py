"""Messages: each says where, what is wrong, and what to do, so that a designer needs no second look."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from games_for_tests import FILES, write_game
from no_hang import no_hang

from grimalkin.cli import main
from grimalkin.content import load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.face import Composer
from grimalkin.printing.face.svg.subset import attribute_fault
from grimalkin.printing.type.fonts import _installed, _look
from grimalkin.printing.type.shaping import measured
from grimalkin.problems import Place, Problems, did_you_mean

HEAD = '{% extends "base/face.svg.j2" %}\n{% block words %}\n'
FOOT = "\n{% endblock %}\n"


def told(folder: Path) -> list[str]:
    """What is wrong with the files of a game and with its faces, without the path of its folder."""
    problems = Problems()
    game = load_game(folder, problems)
    if game and not problems:
        composer = Composer(game, load_stocks(game.folder, problems), problems)
        for deck in game.info.decks:
            for row in game.components[deck.id]:
                composer.faces(deck, row)
    return [str(problem).replace(f"{folder}/", "") for problem in problems]


def told_of_face(folder: Path, words: str) -> list[str]:
    """The same for a face with these words."""
    return told(write_game(folder / "tiny", faces__plain_svg_j2=HEAD + words + FOOT))


YAML = FILES["game.yaml"]


# Suggestions


@pytest.mark.parametrize(
    ("written", "known", "hint"),
    [
        ("SourceSansProBolt", ["SourceSansProBoldIt", "SourceSansProBold"], 'did you mean "SourceSansProBold"?'),
        ("clam", ["clamber", "calm"], 'did you mean "calm"?'),
        ("boat", ["goat", "boar"], 'did you mean "boar"?'),
        ("POWER", ["powers", "power"], 'did you mean "power"?'),
        ("xowl", ["owl", *(f"x{n}" for n in range(300))], 'did you mean "owl"?'),
        ("ab", ["ac"], "known here: ac"),
        ("a" * 81, ["b"], "known here: b"),
        ("zzz", [f"icon-{n}" for n in range(10, 30)], "there are 20, such as icon-27, icon-28, icon-29; see there"),
        ("", [f"icon-{n}" for n in range(10, 30)], "there are 20, such as icon-10, icon-11, icon-12; see there"),
        ("zzz", [], "see there"),
    ],
)
def test_the_nearest_word_is_suggested(written: str, known: list[str], hint: str) -> None:
    """The one with the fewest wrong letters, then the one that begins alike; of many that are not near, a few."""

    assert hint == did_you_mean(written, known, "see there")


def test_a_suggestion_takes_no_time() -> None:
    """Not even among hundreds of long words that are nearly alike."""
    words = ["ab" * 30 + f"{n:016}" for n in range(1000)]
    with no_hang():
        did_you_mean("ba" * 38, words)


@pytest.mark.parametrize("words", ['{{ icon("zzz", 1, 1, 5, ink) }}', '<textbox width="9" height="9">:zzz:</textbox>'])
def test_an_unknown_icon_is_told_with_icons_that_there_are(tmp_path: Path, words: str) -> None:
    """How many there are, a few of them, and where to see or put the others."""
    (problem,) = told_of_face(tmp_path, words)

    assert problem.startswith("faces/plain.svg.j2:3: the face mouse-front: there is no icon ")
    assert problem.endswith(
        "; there are 59, such as will, woods, wound; the guide's reference shows the shared icons; "
        "put your own in icons/NAME.svg (and 3 more faces)"
    )


# Lines

HAVING = 'font-family="SourceSansPro" font-size="3"'


@pytest.mark.parametrize(
    ("words", "line", "message"),
    [
        # what stands literally in one of several alike
        ('<rect x="{{ 1 }}" fill="#000000"/>\n<rect x="{{ 1 }}" fill="red"/>', 4, 'fill="red" is not a colour'),
        ('<rect fill="{{ ink }}"/>\n<rect fill="red"/>', 4, 'fill="red" is not a colour'),
        ('<rect fill="red"/>\n<rect fill="{{ ink }}"/>', 3, 'fill="red" is not a colour'),
        ('<g>\n<rect fill="red"/></g>\n<rect fill="red"/>', 4, 'fill="red" is not a colour'),
        ('<rect stroke="{{ ink }}"/>\n<rect stroke="#fff"/>', 4, 'stroke="#fff" is not a colour'),
        ('<rect x="{{ 1 }}"/>\n<rect x="1px"/>', 4, '<rect x="1px"> is not a number of millimetres; write digits'),
        ('<rect x="{{ 1 }}"/>\n<rect x="{{ 1 }}px"/>', 4, '<rect x="1px"> is not a number'),
        ('<rect width="{{ 1 }}"/>\n<rect width="10%"/>', 4, '<rect width="10%"> is not a number'),
        ('<rect rx="{{ 1 }}"/>\n<rect rx="1,5"/>', 4, '<rect rx="1,5"> is not a number'),
        ('<circle r="{{ 1 }}"/>\n<circle r="-2"/>', 4, '<circle r="-2"> is negative'),
        ('<rect transform="{{ "scale(1)" }}"/>\n<rect transform="turn(3)"/>', 4, 'transform="turn(3)" cannot be read'),
        ('<g stroke-linecap="{{ "butt" }}"/>\n<g stroke-linecap="flat"/>', 4, 'stroke-linecap="flat" is not known'),
        ('<line stroke-dasharray="{{ 1 }}"/>\n<line stroke-dasharray="a"/>', 4, 'stroke-dasharray="a" cannot be read'),
        ('<polygon points="{{ "0 0 1 1" }}"/>\n<polygon points="1 2 3"/>', 4, '<polygon points="1 2 3"> cannot be'),
        ('<path d="{{ "M0 0" }}"/>\n<path d="M0 0 foo"/>', 4, 'the path "M0 0 foo" cannot be read'),
        ('<use href="{{ "#icon-paw" }}"/>\n<use href="#nix"/>', 4, '<use href="#nix"> refers to nothing'),
        ('<use href="{{ "#icon-paw" }}"/>\n<use href="nix"/>', 4, '<use href="nix"> refers to nothing'),
        ('<g clip-path="{{ "url(#a)" }}"/>\n<g clip-path="nix"/>', 4, 'clip-path="nix" refers to nothing'),
        (f'<text {HAVING}>a</text>\n<text font-family="Arial" font-size="3">a</text>', 4, 'there is no font "Arial"'),
        (
            '<textbox width="9" height="9" font="{{ "SourceSansPro" }}">a</textbox>\n'
            '<textbox width="9" height="9" font="Arial">a</textbox>',
            4,
            'text box: there is no font "Arial"',
        ),
        (
            '<textbox width="9" height="9" valign="{{ "top" }}">a</textbox>\n'
            '<textbox width="9" height="9" valign="center">a</textbox>',
            4,
            'valign="center" is not known; one of: top, middle, bottom',
        ),
        # what stands literally in one line of Jinja
        ('{% set c = "red" %}\n<rect fill="{{ c }}"/>\n<rect fill="{{ c }}"/>', 3, 'fill="red" is not a colour'),
        ("{% set c = 'red' %}\n<rect fill='{{ c }}'/>\n<rect fill='{{ c }}'/>", 3, 'fill="red" is not a colour'),
        ('{% for c in ["red"] %}<rect fill="{{ c }}"/><rect fill="{{ c }}"/>{% endfor %}', 3, 'fill="red" is not'),
        # several in one line
        ('\n<rect fill="{{ "r" }}{{ "ed" }}"/><rect fill="{{ "r" }}{{ "ed" }}"/>', 4, 'fill="red" is not a colour'),
    ],
)
def test_the_line_of_a_wrong_attribute_is_told(tmp_path: Path, words: str, line: int, message: str) -> None:
    """Also where several elements are alike: a wrong value that stands there as it is gives itself away."""
    problems = told_of_face(tmp_path, words)

    assert any(one.startswith(f"faces/plain.svg.j2:{line}: the face mouse-front: {message}") for one in problems)


@pytest.mark.parametrize(
    ("element", "message"),
    [
        ('<textbox name="n">a</textbox>', '<textbox> has no width and no height; write width="…" height="…"'),
        ('<textbox width="9">a</textbox>', '<textbox> has no height; write height="…"'),
        ('<rect x="1" fill="#000000"/>', '<rect> has no width and no height; write width="…" height="…"'),
        ('<circle cx="1" cy="1"/>', '<circle> has no r; write r="…"'),
        ('<ellipse rx="1"/>', '<ellipse> has no ry; write ry="…"'),
        ('<path fill="#000000"/>', '<path> has no d; write d="…"'),
        ('<polygon fill="#000000"/>', '<polygon> has no points; write points="…"'),
        ('<polyline fill="#000000"/>', '<polyline> has no points; write points="…"'),
        ('<use x="1"/>', '<use> has no href; write href="…"'),
        ('<line stroke="#000000"/>', '<line> has no ends; write x1="…" y1="…" x2="…" y2="…"'),
    ],
)
def test_what_would_draw_nothing_is_told(tmp_path: Path, element: str, message: str) -> None:
    """On a face and, but for what stands on faces alone, in an icon."""
    assert [f"faces/plain.svg.j2:3: the face mouse-front: {message} (and 3 more faces)"] == told_of_face(
        tmp_path, element
    )
    if element.startswith(("<rect", "<circle", "<p")):  # an ellipse of one radius is a circle, and a line has ends at 0
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">\n{element}</svg>'
        shown = HEAD + '{{ icon("nib", 1, 1, 5, ink) }}' + FOOT
        folder = write_game(tmp_path / "icon", **{"faces__plain_svg_j2": shown, "icons/nib.svg": svg})

        assert ["icons/nib.svg:1: it draws nothing"] == [one.partition(";")[0] for one in told(folder)]


# Names


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("{{ card.powr }}", 'there is no "powr" here; did you mean "power"?'),
        ("{{ powr }}", 'there is no "powr" here; did you mean "card.power"?'),
        ("{{ power }}", 'there is no "power" here; did you mean "card.power"?'),
        ("{{ stok.width }}", 'there is no "stok" here; did you mean "stock"?'),
        ("{{ inkz }}", 'there is no "inkz" here; did you mean "ink"?'),
        ('{{ ikon("paw", 1, 1, 1, ink) }}', 'there is no "ikon" here; did you mean "icon"?'),
        ("{{ palette.rot }}", 'there is no "rot" here; known here: red'),
        ("{{ card.name.uper() }}", 'a text has no "uper"; did you mean "upper"?'),
        ("{{ card.name.upper }}", 'a text has no "upper"; call the method: upper()'),
        ("{{ card.power.x }}", 'a number has no "x" (and 3 more faces)'),
        ("{{ decks.cards[7] }}", "there is no item 7 here; there are 2, counting from 0"),
        (
            '{% include "plane.svg.j2" %}',
            'there is no template "plane.svg.j2" in the face folders; did you mean "plain.',
        ),
        (
            '{% include "face.svg.j2" %}',
            'there is no template "face.svg.j2" in the face folders; did you mean "base/face',
        ),
        ('<use href="#icon-pw"/>', 'there is no icon "pw"; did you mean "paw"?'),
    ],
)
def test_a_name_that_a_template_writes_wrongly_is_told_with_the_right_one(
    tmp_path: Path, words: str, message: str
) -> None:
    """At its line, and for a column that is written without its card, too."""
    problem = told_of_face(tmp_path, words)[0]

    assert problem.startswith(f"faces/plain.svg.j2:3: the face mouse-front: {message}")


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("plane", 'there is no template "plane.svg.j2" in the face folders; did you mean "plain"?'),
        ("face", 'there is no template "face.svg.j2" in the face folders; did you mean "base/face"?'),
        ("../plain", 'there is no template "../plain.svg.j2" in the face folders; did you mean "plain"?'),
        ("/plain", 'there is no template "/plain.svg.j2" in the face folders; did you mean "plain"?'),
        (
            "coin",
            'there is no template "coin.svg.j2" in the face folders; '
            "if this game is a copy of were-kittens, write `engine: were-kittens` or `faces: were-kittens` in its "
            "game.yaml",
        ),
    ],
)
def test_a_template_that_is_not_there_is_told_at_its_line_in_game_yaml(
    tmp_path: Path, written: str, problem: str
) -> None:
    """With the one that may be meant, and without looking out of the face folders."""
    faces = f'{{front: plain, back: "{written}"}}'
    game = FILES["game.yaml"].replace("{front: plain, back: plain}", faces)

    message, hint = problem.split("; ", 1)

    assert [f"game.yaml:19: the face mouse-back: {message}; {hint} (and 1 more face)"] == told(
        write_game(tmp_path / "tiny", game_yaml=game)
    )


# What other SVG and other templates have


@pytest.mark.slow("reads many files")
@pytest.mark.parametrize(
    ("words", "line", "message"),
    [
        ("{% if inks %}", 4, "{% endblock %} comes before {% if %} is closed; write {% endif %} before it"),
        ("{% endif %}", 3, "{% endif %} closes nothing; remove it, or open what it closes"),
        ("{% iff inks %}", 3, '{% iff %} is not known; did you mean "if"?'),
        ("{{ inks }", 3, "} is on its own; close {{ with }}, and {% with %}"),
        (
            '{% if inks = "low" %}{% endif %}',
            3,
            "= assigns a value, and only in {% set %}; write == to compare",
        ),
        ("{{ card name }}", 3, '"name" is not expected here; {{ }} and {% %} hold one expression: ~ joins texts'),
        ("<text>&nbsp;</text>", 3, "it is not XML: &nbsp; is not known; write the character itself"),
        ("<text>a < b</text>", 3, "it is not XML: a < is on its own; write &lt;"),
        (
            '<image href="a.png"/>',
            3,
            'there is no picture "a.png"; put it in the game\'s folder art',
        ),
        ('<g style="fill:red"/>', 3, '<g> has no attribute "style" here; write attributes, as in'),
        ('<g opacity="50%"/>', 3, '<g opacity="50%"> is not a number from 0 to 1; write 0.5 for a half'),
        ('<g fill="#fa0"/>', 3, 'fill="#fa0" is not a colour; write "#ffaa00", or none'),
        (
            '<textbox width="9" height="9" size="8" floor="9">a</textbox>',
            3,
            "text box: the floor, 9 pt, is larger than the size, 8 pt; "
            "it is the smallest size to which a text may shrink",
        ),
    ],
)
def test_what_is_written_as_elsewhere_is_told_with_what_is_written_here(
    tmp_path: Path, words: str, line: int, message: str
) -> None:
    """In our words, and not in those of the libraries that read templates."""
    (problem,) = told_of_face(tmp_path, words)

    assert problem.startswith(f"faces/plain.svg.j2:{line}: the face mouse-front: {message}")


def test_a_face_that_extends_nothing_is_told_what_to_begin_with(tmp_path: Path) -> None:
    """Its shapes stand side by side, and no <svg> around them."""
    (problem,) = told(write_game(tmp_path / "tiny", faces__plain_svg_j2="<g/>\n<g/>\n"))

    assert 'after the outermost element; begin with {% extends "base/face.svg.j2" %}, or put everything' in problem


def test_a_picture_among_the_icons_is_told(tmp_path: Path) -> None:
    """It lies there under the name that is asked for, and is no icon."""
    words = HEAD + '{{ icon("owl", 1, 1, 5, ink) }}' + FOOT
    folder = write_game(tmp_path / "tiny", **{"faces__plain_svg_j2": words, "icons/owl.png": "PNG"})
    (problem,) = told(folder)

    assert "; icons/owl.png is not read; an icon is an SVG file: icons/owl.svg (and" in problem


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            '"#aa0000"',
            '"#a00"',
            'game.yaml:11: palette.red: "#a00" is not well formed; write "#aa0000", with the quotes',
        ),
        ("least: 1, most: 9}", "least: 9, most: 1}", "game.yaml:21: decks.0.columns.power: `least` is 9, more than"),
    ],
)
def test_what_game_yaml_writes_in_another_way_is_told(tmp_path: Path, old: str, new: str, problem: str) -> None:
    """A short colour with the long one, and bounds once and not in each row."""
    (found,) = told(write_game(tmp_path / "tiny", game_yaml=YAML.replace(old, new)))

    assert found.startswith(problem)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("mouse,Mouse,2,,", "power: the cell is empty; fill it, or give the column `optional: yes`"),
        ("mouse,,2,1,", "name: the cell is empty; write one, even if no face shows it, or delete the row"),
    ],
)
def test_an_empty_cell_is_told_as_one(tmp_path: Path, row: str, problem: str) -> None:
    """A table has cells and no keys."""
    table = f"id,name,count,power,mood\n{row}\nowl,Owl,1,7,\n"

    assert [f"cards.csv:2: {problem}"] == told(write_game(tmp_path / "tiny", cards_csv=table))


def test_a_length_with_a_unit_is_no_number(tmp_path: Path) -> None:
    """A stock is in millimetres."""
    stock = "name: Mine\nshape: rectangle\nwidth: 63mm\nheight: 88\n"
    folder = write_game(tmp_path / "tiny", **{"stocks/mine.yaml": stock})

    assert [
        'stocks/mine.yaml:3: width: "63mm" is not a number; write digits with a decimal point and no unit, as in 12.5'
    ] == told(folder)


# Rows


INKS = YAML.replace("optional: yes}", "optional: yes}\n      ink-1: {type: text, label: ink}")
SHEET = "id,name,count,power,mood,ink-1\nmouse,Mouse 猫,2,1,calm,red\nowl,Owl,1,7,,red\n"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (
            '<textbox name="n" width="50" height="9">{{ card.name }}</textbox>',
            "n: the font SourceSansPro has no character '猫' (U+732B); it is in the column \"name\"; "
            "remove it, or choose a font that has it\n    cards.csv:2: the other place",
        ),
        (
            f"<text {HAVING}>{{{{ card.name }}}}</text>",
            "the font SourceSansPro has no character '猫' (U+732B); it is in the column \"name\"; "
            "remove it, or choose a font that has it\n    cards.csv:2: the other place",
        ),
        (
            f"<text {HAVING}>猫</text>",
            "the font SourceSansPro has no character '猫' (U+732B); remove it, or choose a font that has it "
            "(and 1 more face)",
        ),
        (
            '\n<rect fill="{{ card.ink_1 }}"/>',
            'fill="red" is not a colour; write a colour as "#1d1a26", or none, in the column "ink-1" '
            "(and 1 more face: owl-front)\n"
            "    cards.csv:2: the other place",
        ),
        (
            '<textbox name="n" width="9" height="1">{{ card.name }}</textbox>'.replace("card.name", "card.id"),
            'n: "mouse" does not fit into 9 × 1 mm at 6.5 pt; write less in the column "id", or give it more room '
            "(and 1 more face: owl-front)\n    cards.csv:2: the other place",
        ),
        (
            '<textbox name="n" width="50" height="9" font="FredokaOne">**a**</textbox>',
            'n: there is no font "FredokaOneBold"; bold and italic text use separate fonts; '
            'did you mean "FredokaOne"? (and 1 more face)',
        ),
    ],
)
def test_what_comes_from_a_row_is_told_with_its_line_and_column(tmp_path: Path, words: str, problem: str) -> None:
    """Once for all cards, of which a few are named."""
    game = INKS.replace(", back: plain", "")
    face = HEAD + words + FOOT
    folder = write_game(tmp_path / "tiny", game_yaml=game, cards_csv=SHEET, faces__plain_svg_j2=face)
    (found,) = told(folder)

    assert problem == found.partition("the face mouse-front: ")[2]


def test_problems_come_in_the_order_of_their_lines() -> None:
    problems = Problems()
    for line in (10, 2):
        problems.add(Place("game.yaml", line), "this is odd")

    assert [2, 10] == [problem.place.line for problem in problems]


# YAML


@pytest.mark.parametrize(
    ("old", "new", "line", "hint"),
    [
        ('{red: "#aa0000"}', "{red: #aa0000}", 11, "# begins a comment; put quotes around text that begins with it"),
        (
            '{red: "#aa0000"}',
            "\n  red: #aa0000",
            12,
            'write a colour as "#1d1a26", with the quotes: # begins a comment',
        ),
        ("tagline: A", "tagline:A", 2, "put a space after the colon"),
        ("title: Tiny", "title:Tiny", 1, "put a space after the colon"),
        ("tagline: A", "tagline = A", 2, "write key: value"),
        ("  - {role", "  -{role", 10, "put a space after the hyphen"),
        ("  - {role", "\t- {role", 10, "indent with spaces, not tabs"),
        ("tagline: A", "tagline: *A*", 2, "put quotes around text that begins with *"),
        ("tagline: A", "tagline: *A", 2, "write the value out, or put quotes around the text"),
        ("tagline: A", "tagline: &A", 2, "write the value out, or put quotes around the text"),
        ("tagline: A", "tagline: !A", 2, "leave it out, or put quotes around the text"),
        ("tagline: A", "tagline: @A", 2, "put quotes around text that begins with @"),
        ("tagline: A", "tagline: %A", 2, "put quotes around text that begins with %"),
        ("tagline: A", "tagline: `A`", 2, "put quotes around text that begins with `"),
        ("tagline: A", "tagline: - A", 2, "put quotes around text that begins with -"),
        ("tagline: A", "tagline: > A", 2, "put quotes around text that begins with >"),
        ("tagline: A", "tagline: A: a", 2, "put quotes around text that has a colon in it"),
        ("tagline: A", "tagline: {{ a }} A", 2, "put quotes around braces and brackets"),
        ("tagline: A", "tagline: [[a]] A", 2, "put quotes around text that begins with a bracket or a brace"),
        ("tagline: A game for tests", "tagline: [[a]]", 2, "put quotes around text that begins with a bracket or a"),
        ("tagline: A", 'tagline: "A', 2, "close the quote that opens here; it only ends in line 8"),
        ("tagline: A", "tagline: 'A", 2, "close the quote that opens here"),
        ("tagline: A game", 'tagline: "A "B" game"', 2, "put text with \" in it between ' and ', or write \\\" inside"),
        ("tagline: A game", "tagline: 'A's game'", 2, "put text with ' in it between \" and \", or write '' inside it"),
        ("tagline: A game for tests", 'tagline: "A\\q"', 2, "in double quotes, write a backslash twice; single"),
        ("tagline: A", "  tagline: A", 2, "put quotes around text that has a colon in it"),
        ("name: Nobody}", "name: Nobody", 10, "close the bracket or brace that opens here"),
        ("choices: [calm", "choices: calm", 22, "a bracket or brace that was never opened closes here"),
        ("    kind: card", "     kind: card", 15, "put quotes around text that has a colon in it"),
        ("players: {least: 1, most: 2}", "players: 1-2", 4, "write it as {least: …, most: …}"),
        ("[calm, cross]", "calm", 22, "write it as [one, two], or begin each item with a hyphen"),
        ("year: 2026", f"year: {'9' * 5000}", 6, "year: a number of 5,000 digits is too large"),
    ],
)
def test_the_traps_of_yaml_are_told_with_what_to_do(tmp_path: Path, old: str, new: str, line: int, hint: str) -> None:
    """At the line that has to be changed, which is seldom the one where reading stopped."""
    assert old in YAML
    problem = told(write_game(tmp_path / "tiny", game_yaml=YAML.replace(old, new)))[0]

    assert problem.startswith(f"game.yaml:{line}: ") and hint in problem, problem


# Tables


ZIP = b"PK\x03\x04\x14\0\6\0\x08\0\xff"
TABLE = "id,name,count,power,mood\n"


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (
            TABLE + 'a,A,3,1,calm\nb,"B,3,1,calm\n',
            "3: a quote opens here and never closes; close it at the end of the",
        ),
        (
            TABLE + 'a,"A\nA","3,1,calm\nb,B,3,1,calm\n',
            "3: a quote opens here and never closes; close it at the end",
        ),
        (
            TABLE + 'a,"A,3,1,calm\nb,"B",3,1,calm\n',
            "2: a quote opens here and only closes in line 3; close it at the end of the cell",
        ),
        (
            TABLE + 'a,"A" B,3,1,calm\n',
            '2: text follows a quote that closes a cell; inside the text of a cell, write a quote as ""',
        ),
        (TABLE + f'a,"{"A" * 140_000}",3,1,calm\n', "2: a cell has 140,002 characters; at most 10,000 fit"),
        (
            TABLE + "a,A,3,1,calm,b\n" * 3,
            '2: this row has 6 cells, but the table has 5 columns; put straight quotes (") around text that has a '
            "comma in it (and 2 more rows)",
        ),
        (TABLE + "a\n", "2: name: the cell is empty; write one"),
        ("My cards,,,,\n" + TABLE, "2: the table has no cards; write a row for each design, below the header"),
        ('[{"id": "a"}]', "1: this is JSON, not CSV; save the table as CSV, with commas"),
        ("- id: a\n", "1: this is YAML, not CSV; save the table as CSV, with commas"),
        ("<table>", "1: this is HTML or XML, not CSV; save the table as CSV, with commas"),
        (ZIP + b"xl/workbook.xml", " this is an Excel workbook (.xlsx); save it as CSV, UTF-8"),
        (
            ZIP + b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
            " this is a LibreOffice spreadsheet (.ods); save",
        ),
        (ZIP + b"Index/Document.iwa", " this is a Numbers or Pages document; save it as CSV, UTF-8"),
        (ZIP, " this is a ZIP archive; save it as CSV, UTF-8"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            " this is a document from an old version of Office (.xls or .doc); save it as CSV",
        ),
        (b"%PDF-1.4\n", " this is a PDF; save it as CSV, UTF-8"),
        (TABLE.encode("utf-32"), " this is text in UTF-32; save it as CSV, UTF-8"),
    ],
)
def test_what_is_no_table_is_told_with_what_it_is(tmp_path: Path, table: str | bytes, problem: str) -> None:
    """A quote is told where it opens, a file of another kind with what makes a table of it."""
    folder = write_game(tmp_path / "tiny")
    (folder / "cards.csv").write_bytes(table if isinstance(table, bytes) else table.encode())
    found = next(one for one in told(folder) if one.startswith("cards.csv"))

    assert found.startswith(f"cards.csv:{problem}")


def test_a_picture_is_no_content(tmp_path: Path) -> None:
    """What is read as text and is of another kind is told as what it is."""
    folder = write_game(tmp_path / "tiny")
    (folder / "rules.yaml").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")

    assert "rules.yaml: this is a picture (PNG); save it as plain text, UTF-8" in told(folder)


@pytest.mark.parametrize(
    ("written", "number"),
    [("+2", "2"), ("007", "7"), ("1_0", "10"), ("2.", "2"), ("-03", "-3"), ("00", "0")],
)
def test_a_number_that_would_be_printed_otherwise_is_refused(tmp_path: Path, written: str, number: str) -> None:
    """A card that says +2 is no card that says 2: who wants the sign has a text."""
    problem = (
        f'cards.csv:2: power: "{written}" would be printed as {number}; write {number}, or give the column the type'
    )
    table = TABLE + f"mouse,Mouse,2,{written},\nowl,Owl,1,7,\n"
    text = YAML.replace("power: {type: whole, label: power, least: 1, most: 9}", "power: {type: text, label: power}")

    assert [f"{problem} text"] == told(write_game(tmp_path / "whole", cards_csv=table))
    assert [] == told(write_game(tmp_path / "text", cards_csv=table, game_yaml=text))


def test_a_number_of_game_yaml_is_written_as_it_is_read(tmp_path: Path) -> None:
    """The same, without a column to change; nor has a count one."""
    game = YAML.replace("year: 2026", "year: +2026")
    table = TABLE + "mouse,Mouse,+2,1,\nowl,Owl,1,7,\n"

    assert ['cards.csv:2: count: "+2" would be printed as 2; write 2'] == told(
        write_game(tmp_path / "count", cards_csv=table)
    )

    assert ['game.yaml:6: year: "+2026" would be printed as 2026; write 2026'] == told(
        write_game(tmp_path / "tiny", game_yaml=game)
    )


@pytest.mark.parametrize("written", ["0", "-3", "12", " 5 "])
def test_a_number_that_is_printed_as_written_is_read(tmp_path: Path, written: str) -> None:
    """Blanks around it are no part of it."""
    game = YAML.replace(", least: 1, most: 9", "")
    table = TABLE + f"mouse,Mouse,2,{written},\nowl,Owl,1,7,\n"

    assert [] == told(write_game(tmp_path / "tiny", cards_csv=table, game_yaml=game))


# What follows from a fault


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"cards_csv": TABLE + "mouse,Mouse,x,1,\nowl,Owl,1,7,\n"}, 'cards.csv:2: count: "x" is not a whole number'),
        (
            {
                "cards_csv": TABLE + "mouse,Mouse,2,1,,x\nowl,Owl,1,7,\n",
                "rules_yaml": FILES["rules.yaml"].replace("[[m", "[m"),
            },
            "cards.csv:2: this row has 6 cells, but the table has 5 columns; put straight quotes",
        ),
        (
            {"cards_csv": TABLE + "mouse,Mouse,1,1,\n", "rules_yaml": FILES["rules.yaml"].replace("[[owl]]", "owl")},
            "cards.csv:1: the table has 1 piece, but `count` in game.yaml is 3; change the counts in the table, or the "
            "count in game.yaml\n    game.yaml:17: the other place",
        ),
        (
            {"game_yaml": YAML.replace("cards.csv", "card.csv")},
            'game.yaml:16: there is no file "card.csv"; did you mean',
        ),
        ({"cards_csv": "id\tname\n"}, 'cards.csv:1: the column "power" is missing; known here: id, name'),
        ({"terms_yaml": "terms: none\n"}, 'terms.yaml:1: terms: "none" is written where a list should be'),
        ({"terms_yaml": "terms: [\n"}, "terms.yaml:1: this is not YAML: did not find expected node content; close the"),
        (
            {"game_yaml": YAML.replace("tagline", "taglin")},
            'game.yaml:2: unknown key "taglin"; did you mean "tagline"?',
        ),
    ],
)
def test_what_follows_from_a_fault_is_not_told(tmp_path: Path, files: dict[str, str], problem: str) -> None:
    """Counts of a table with a broken row, references into a file that cannot be read, a key that is misspelt."""
    (found,) = told(write_game(tmp_path / "tiny", **files))

    assert found.startswith(problem)


@pytest.mark.slow("checks a whole game many times")
def test_one_thing_is_told_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By what builds, too."""
    game = YAML.replace("count: 3", "count: 1").replace("{front: plain, back: plain}", "{front: plain}")
    rules = FILES["rules.yaml"].replace("[[mouse]]", "mouse")
    folder = write_game(tmp_path / "tiny", game_yaml=game, cards_csv=TABLE + "owl,Owl,1,7,\n", rules_yaml=rules)

    assert 0 == main(
        ["build", str(folder), "--output", str(tmp_path / "out"), "--no-cover", "--paper", "a4", "--ink", "mono"]
    )
    assert capsys.readouterr().out.startswith("7 pages to print, 1 picture and ")


# Fonts


class Package:
    """What an installed package of fonts is found by."""

    def __init__(self, name: str, fonts: dict[str, Path] | None) -> None:
        self.name, self.fonts = name, fonts

    def load(self) -> dict[str, Path]:
        if self.fonts is None:
            raise ImportError(self.name)
        return self.fonts


def font_file(path: Path, rights: int = 0, is_postscript: bool = False, lacking: str = "") -> Path:
    """A font of one letter, a square."""
    builder = FontBuilder(1000, isTTF=not is_postscript)
    builder.setupGlyphOrder([".notdef", "space", "a"])
    builder.setupCharacterMap({32: "space", 97: "a"})
    pen = T2CharStringPen(500, None) if is_postscript else TTGlyphPen(None)
    for step, point in enumerate([(0, 0), (0, 500), (500, 500), (500, 0)]):
        (pen.lineTo if step else pen.moveTo)(point)
    pen.closePath()
    glyph = pen.getCharString() if is_postscript else pen.glyph()
    glyphs = dict.fromkeys([".notdef", "space", "a"], glyph)
    if is_postscript:
        builder.setupCFF("Square", {}, glyphs, {})
    else:
        builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (500, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupOS2(fsType=rights)
    builder.setupNameTable({"familyName": "Square", "styleName": "Regular", "psName": "Square"})
    builder.setupPost()
    if lacking:
        del builder.font[lacking]
    builder.save(path)
    return path


@pytest.fixture
def fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Packages with fonts that cannot be used, beside those that are installed."""
    made = {
        "Restricted": font_file(tmp_path / "b.ttf", rights=0x0002),
        "Whole": font_file(tmp_path / "c.ttf", rights=0x0100),
        "Printing": font_file(tmp_path / "d.otf", rights=0x0004, is_postscript=True),
        "Lacking": font_file(tmp_path / "e.ttf", lacking="cmap"),
        "Twice": font_file(tmp_path / "f.ttf"),
        "Gone": tmp_path / "gone.ttf",
        "Short": tmp_path / "short.ttf",
        "Noise": tmp_path / "noise.ttf",
        "Web": tmp_path / "web.woff2",
    }
    made["Short"].write_bytes(made["Twice"].read_bytes()[:300])
    made["Noise"].write_bytes(b"no font at all")
    made["Web"].write_bytes(b"wOF2" + bytes(60))
    packages = [Package("one", made), Package("two", {"Twice": made["Whole"]}), Package("three", None)]
    real = list(entry_points(group="fonts_ttf"))
    monkeypatch.setattr("grimalkin.printing.type.fonts.offered", lambda group: [*real, *packages])
    caches = (_installed, _look, measured, attribute_fault)
    for one in caches:
        one.cache_clear()
    yield tmp_path
    for one in caches:
        one.cache_clear()


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (
            "Web",
            'the font "Web" cannot be read; it is not TrueType or OpenType (.ttf, .otf), or is damaged',
        ),
        (
            "Restricted",
            'the licence of the font "Restricted" forbids embedding it in a PDF; choose another font',
        ),
        (
            "Whole",
            'the licence of the font "Whole" forbids embedding a part of it; '
            "files contain only the letters in use; choose another font",
        ),
        ("Lacking", 'the font "Lacking" lacks the table cmap; reinstall it, or choose another'),
        ("Twice", 'one and two each provide a font "Twice"; uninstall all but one of them'),
        ("Gone", 'the font "Gone" cannot be read; reinstall its package: gone.ttf is missing'),
        (
            "Short",
            'the font "Short" cannot be read; it is not TrueType or OpenType (.ttf, .otf), or is damaged',
        ),
        (
            "Noise",
            'the font "Noise" cannot be read; it is not TrueType or OpenType (.ttf, .otf), or is damaged',
        ),
        ("Printin", 'there is no font "Printin"; did you mean "Printing"?; the package three cannot be loaded'),
    ],
)
def test_a_font_that_cannot_be_used_is_told(fonts: Path, name: str, problem: str) -> None:
    """In a text and in a text box, with what to do."""
    text = f'<text font-family="{name}" font-size="3">a</text>'
    box = f'<textbox width="9" height="9" font="{name}">a</textbox>'
    message = f"faces/plain.svg.j2:3: the face mouse-front: {problem} (and 3 more faces)"

    assert [message] == told_of_face(fonts / "text", text)
    assert [message.replace("front: ", "front: text box: ")] == told_of_face(fonts / "box", box)


def test_a_font_that_may_be_printed_is_used(fonts: Path) -> None:
    """A licence that allows to look and print allows a PDF."""
    face = HEAD + '<textbox width="9" height="9" font="Printing">a a</textbox>' + FOOT
    folder = write_game(fonts / "tiny", faces__plain_svg_j2=face)

    assert 0 == main(["sheets", str(folder), "--output", str(fonts / "out"), "--paper", "a4"])
