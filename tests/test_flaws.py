"""What is wrong with the faces of a draft: it is drawn so that everybody sees it, and listed; a finished game stops."""

from __future__ import annotations

import re
from pathlib import Path

import pdfua
import pikepdf
import pypdfium2
import pytest
from games_for_tests import FILES, write_game

from grimalkin.cli import main
from grimalkin.content import load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.face import Composer, Face, Inks
from grimalkin.printing.face.layers import flaws_of
from grimalkin.printing.sheet.pieces import all_faces
from grimalkin.printing.type.fit import POINT, cut_off, fit
from grimalkin.printing.type.fonts import SANS, find_font
from grimalkin.printing.type.words import read_words
from grimalkin.problems import Problems
from grimalkin.site.preview.show import Preview

RED = (200, 16, 46)
FACE = """\
{{% extends "base/face.svg.j2" %}}
{{% block words %}}
{}
{{% endblock %}}
"""
TEXT = '<text x="5" y="40" font-family="SourceSansPro" font-size="5">{{{{ {} }}}}</text>'
LONG = "{{ card.name }} " + "lorem ipsum " * 40
FLAWS = {
    "overflow": (
        f'<textbox name="rules" x="5" y="50" width="40" height="10" size="8">{LONG}</textbox>',
        r'rules: "Mouse lorem .*" does not fit into 40 × 10 mm at 6.5 pt',
    ),
    "word": (
        f'<textbox x="5" y="50" width="20" height="10">{"Donau" * 20}</textbox>',
        r'text box: "Donau.*" does not fit into 20 × 10 mm at 6.5 pt',
    ),
    "picture": ('<image href="art/{{ card.id }}.png" x="5" y="20" width="50"/>', 'there is no picture "art/mouse.png"'),
    "icon": ('<use href="#icon-nix" x="5" y="20" width="9" height="9"/>', 'there is no icon "nix"'),
    "icon in text": ('<textbox x="5" y="50" width="40" height="10">:nix:</textbox>', 'there is no icon ":nix:"'),
    "one picture for all": (
        '<image href="art/logo.png" x="5" y="20" width="9"/>' + TEXT.format("card.name"),
        'there is no picture "art/logo.png"',
    ),
    "column": (TEXT.format("card.hand_size|upper"), 'there is no "hand_size" here'),
    "column that names a picture": (
        '<image href="{{ card.art }}" x="5" y="20" width="50" height="30"/>',
        r'there is no picture "\[art\?\]"|there is no "art" here',
    ),
}


def composed(folder: Path, draft: bool, inks: Inks = "full") -> tuple[list[Face], Problems]:
    """Every face, and the problems."""
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None
    composer = Composer(game, load_stocks(folder, problems), problems, inks, draft=draft)
    return list(all_faces(game, composer).values()), problems


def alternatives(path: Path) -> set[str]:
    """What is told in a PDF of what is missing on its pages."""
    with pikepdf.Pdf.open(path) as document:
        told = (str(one.get("/Alt", "")) for one in document.objects if isinstance(one, pikepdf.Dictionary))
        return {text for text in told if text.startswith("missing")}


@pytest.mark.parametrize("kind", FLAWS)
def test_a_draft_draws_what_stops_a_finished_game(tmp_path: Path, kind: str) -> None:
    """Each is one problem of two cards with both sides, and one flaw at the same place, in the same words."""
    drawn, told = FLAWS[kind]
    folder = write_game(tmp_path / "tiny", faces__plain_svg_j2=FACE.format(drawn))
    finished, strict = composed(folder, False)
    faces, problems = composed(folder, True)
    flaws = [one.problem() for one in flaws_of(faces)]

    assert not finished
    assert ["mouse-front", "mouse-back", "owl-front", "owl-back"] == [face.id for face in faces]
    assert [] == list(problems)
    assert all(any(re.search(one, flaw.message) for flaw in flaws) for one in told.split("|"))
    assert set(strict) <= set(flaws)
    assert all(one.place.path.endswith("plain.svg.j2") and one.place.line == 3 for one in flaws)


@pytest.mark.parametrize(
    ("drawn", "told"),
    [
        ("<textbox>a</textbox>", "<textbox> has no width"),
        ('<rect width="{{ card.wide }}" height="1"/>', 'there is no "wide" here'),
        (TEXT.format("palette.nix"), 'there is no "nix" here'),
        ("{{ car.name }}", 'there is no "car" here'),
        ("{% if card.nix %}a{% endif %}", 'there is no "nix" here'),
        ("<g>", "it is not XML"),
        ('<image href="art/nix.png" x="5" y="5"/>', "has no size"),
    ],
)
def test_what_cannot_be_drawn_stops_a_draft_too(tmp_path: Path, drawn: str, told: str) -> None:
    """Boxes without a size, names of nothing, conditions about nothing, and what is no SVG."""
    faces, problems = composed(write_game(tmp_path / "tiny", faces__plain_svg_j2=FACE.format(drawn)), True)

    assert [] == faces
    assert any(told in one.message for one in problems)


def test_a_template_may_still_ask_whether_there_is_a_column(tmp_path: Path) -> None:
    """Whoever asks with `is defined` or gives a default knows that it may be missing."""
    text = "{{ card.nix|default('none') }}{% if card.nix is defined %}x{% endif %}"
    drawn = f'<textbox x="5" y="5" width="50" height="9">{text}</textbox>'
    faces, problems = composed(write_game(tmp_path / "tiny", faces__plain_svg_j2=FACE.format(drawn)), True)

    assert not problems
    assert [()] * 4 == [face.flaws for face in faces]
    assert ">none<" in faces[0].svg


def test_text_that_does_not_fit_is_set_as_far_as_there_is_room() -> None:
    """Lines at 10 pt are 3.53 mm high with a leading of 1: in 10 mm three begin, and none of them is too wide."""
    font = find_font(SANS)
    assert font is not None
    words = read_words("one two " * 30 + "Donaudampfschifffahrtsgesellschaft", SANS, {}, {})
    block = cut_off(words, font, 30, 10, 10, 1)
    widths = [sum(word.width for word in line) + font.space * (len(line) - 1) for line in block.lines]

    assert fit(words, font, 30, 10, 10, 10, 1, 1) is None
    assert 3 == len(block.lines)
    assert all(width * 10 * POINT <= 30 for width in widths)
    assert (10, 10) == (block.size, block.height)


@pytest.mark.parametrize("inks", ["full", "low", "mono"])
def test_a_draft_is_printed_with_frames_and_boxes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], inks: str
) -> None:
    """In red where there are colours, else in black; the cover and the terminal list what is wrong."""
    face = FACE.format("\n".join(FLAWS[kind][0] for kind in ("overflow", "picture")))
    write_game(tmp_path / "tiny", faces__plain_svg_j2=face)
    monkeypatch.chdir(tmp_path)
    command = ["sheets", "./tiny", "--paper", "a4", "--ink", inks]
    assert 1 == main(command)
    assert not (tmp_path / "output" / "print").exists()
    capsys.readouterr()
    assert 0 == main([*command, "--draft"])
    said = capsys.readouterr()
    [path] = (tmp_path / "output" / "print" / "tiny").glob("*.pdf")
    with pypdfium2.PdfDocument(path) as document:
        texts = [" ".join(page.get_textpage().get_text_range().split()) for page in document]
        picture = document[2].render(scale=2).to_pil().convert("RGB")

    assert [] == pdfua.faults(path.read_bytes())
    assert {"missing: art/mouse.png", "missing: art/owl.png"} == alternatives(path)
    assert 3 == said.err.count("remark: tiny/faces/plain.svg.j2:")
    assert "a draft with 3 faults, marked on the sheets\n" in said.out
    assert 'owl-front: there is no picture "art/owl.png" (and 1 more face)' in texts[1]
    assert "does not fit into 40 × 10 mm" in texts[1]
    assert "art/mouse.png" in texts[2]
    reds = sum(count for count, colour in picture.getcolors(1 << 20) or [] if colour == RED)
    assert (reds > 2000) == (inks == "full")
    assert reds == 0 or inks == "full"


def test_the_cover_of_a_draft_lists_as_much_as_it_has_room_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty missing pictures: some are named, the others are counted."""
    pictures = "\n".join(f'<image href="art/{number}.png" y="9" width="5"/>' for number in range(30))
    write_game(tmp_path / "tiny", faces__plain_svg_j2=FACE.format(pictures))
    monkeypatch.chdir(tmp_path)
    assert 0 == main(["sheets", "./tiny", "--paper", "a4", "--draft"])
    with pypdfium2.PdfDocument(tmp_path / "output/print/tiny/tiny-a4.pdf") as document:
        cover = document[1].get_textpage().get_text_range()

    named = cover.count("there is no picture")
    assert named > 5
    assert f"and {30 - named} more" in cover


def test_check_lists_the_flaws_of_a_draft(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As it lists what is not proved: with exit code 0."""
    folder = write_game(tmp_path / "tiny", faces__plain_svg_j2=FACE.format(FLAWS["picture"][0]))

    assert 0 == main(["check", str(folder), "--draft"])
    assert 'there is no picture "art/owl.png"' in capsys.readouterr().out


def test_the_preview_shows_a_draft_and_what_is_wrong(tmp_path: Path) -> None:
    """Fronts and backs have their boxes, and the page lists what is missing on them."""
    info = FILES["game.yaml"].replace("prefix:", "draft: yes\nprefix:")
    face = FACE.format(FLAWS["picture"][0])
    _, show = Preview(write_game(tmp_path / "tiny", game_yaml=info, faces__plain_svg_j2=face)).show("full")

    assert ["missing: art/mouse.png" in one.svg for one in show.decks[0].faces] == [True, True, False, False]
    assert 2 == sum("there is no picture" in problem.message for problem in show.problems)
    assert not any(one.old for one in show.decks[0].faces)


@pytest.mark.slow("builds a draft in every design")
def test_a_draft_with_flaws_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sheets, pictures, the book and the site come, and what is wrong is listed and counted."""
    write_game(tmp_path / "tiny", faces__plain_svg_j2=FACE.format(FLAWS["overflow"][0]))
    monkeypatch.chdir(tmp_path)
    command = ["build", "./tiny", "--paper", "a4"]

    assert 1 == main(command)
    assert 0 == main([*command, "--draft"])
    said = capsys.readouterr().out
    assert "Tiny is a draft; wrong with its faces, and marked in print:\n  tiny/faces/plain.svg.j2:3: the face" in said
    assert 0 == main([*command, "--draft"])
    assert "Tiny is a draft: 1 thing not proved or not right yet" in capsys.readouterr().out
