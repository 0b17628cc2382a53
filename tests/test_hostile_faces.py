"""Faces and icons of a stranger: numbers of a size that paper has, shapes drawn or told, PDFs that are whole."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from games_for_tests import FILES, write_game
from no_hang import no_hang
from test_face import face_problems, with_words

from grimalkin.cli import main
from grimalkin.printing.face import resolve
from grimalkin.printing.face.svg.subset import unchecked_fault

pytestmark = [pytest.mark.slow("dozens of games that ask for too much"), pytest.mark.usefixtures("short_guide")]

DIGITS = "9" * 400
CLIPPED = '<clipPath id="c">{}</clipPath><g clip-path="url(#c)"><rect width="1" height="1"/></g>'
SYMBOL = '<symbol id="s" viewBox="{}"><rect width="1" height="1"/></symbol><use href="#s"/>'
MASKED = (
    '<mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="9" height="9">{}</mask>'
    '<rect mask="url(#m)" width="9" height="9"/>'
)
TILED = (
    '<pattern id="p" patternUnits="userSpaceOnUse" width="9" height="9">{}</pattern>'
    '<rect fill="url(#p)" width="9" height="9"/>'
)
GRADIENT = '<radialGradient id="a" gradientUnits="userSpaceOnUse" cx="1" cy="1" r="1">{}</radialGradient>'
SHAPE = "may contain only shapes"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (f'<rect x="{DIGITS}" width="1" height="1"/>', "is not a number of millimetres; at most 100,000"),
        (f'<rect x="{DIGITS[:40]}" width="1" height="1"/>', "is not a number of millimetres; at most 100,000"),
        ('<rect x="1e400" width="1" height="1"/>', "is not a number of millimetres; at most 100,000"),
        ('<rect x="nan" width="1" height="1"/>', "is not a number of millimetres; write digits"),
        (f'<rect x="0.{"0" * 400}1" width="1" height="1"/>', "is not a number of millimetres"),
        (
            f'<g transform="scale({DIGITS})"/>',
            "cannot be read; write translate, scale, rotate or matrix, within the size",
        ),
        (
            '<g transform="scale(999) scale(999)"/>',
            "cannot be read; write translate, scale, rotate or matrix, within the size",
        ),
        (
            '<g transform="matrix(1 0 0 1 nan 0)"/>',
            "cannot be read; write translate, scale, rotate or matrix, within the size",
        ),
        ('<g transform="scale(99999)"><g transform="scale(99999)"/></g>', "stretch this beyond any paper"),
        ('<path d="M99999999999999999999999999 0L1e309 1Z"/>', "its numbers must be at most 100,000"),
        ('<path d="M0 0A1 1 0 0 1 1e9 1e9"/>', "its numbers must be at most 100,000"),
        (f'<polygon points="1 1 2 2 {DIGITS} 3"/>', "cannot be read; write pairs of numbers"),
        ('<textbox x="1e400" y="1" width="9" height="9">a</textbox>', "is not a number of millimetres"),
        ('<textbox x="1" y="1" width="9" height="9" size="inf">a</textbox>', "is not a number of points"),
        ('<textbox x="1" y="1" width="9" height="9" leading="nan">a</textbox>', "is not a number"),
        ('<line x2="9" y2="9" stroke="#000000" stroke-dasharray="-1 2"/>', "lengths in millimetres, not all 0"),
        ('<line x2="9" y2="9" stroke="#000000" stroke-dasharray="0 0"/>', "lengths in millimetres, not all 0"),
        (SYMBOL.format("a b c d"), 'viewBox="a b c d" cannot be read'),
        (SYMBOL.format("0 0 0 0"), 'viewBox="0 0 0 0" cannot be read'),
        (SYMBOL.format("0 0 nan 1"), 'viewBox="0 0 nan 1" cannot be read'),
        (SYMBOL.format("0 0 1e-9 1e-9"), 'viewBox="0 0 1e-9 1e-9" cannot be read'),
        (CLIPPED.format('<g><rect width="1" height="1"/></g>'), SHAPE),
        (CLIPPED.format("<text>a</text>"), SHAPE),
        (CLIPPED.format('<use href="#c"/>'), SHAPE),
        (CLIPPED.format(""), SHAPE),
        (MASKED.format('<rect mask="url(#m)" width="1" height="1"/>'), "perhaps one uses itself"),
        (MASKED.format('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'), "perhaps one uses itself"),
        (TILED.format('<rect fill="url(#p)" width="1" height="1"/>'), "perhaps one uses itself"),
        (
            TILED.format('<rect fill="url(#q)" width="1" height="1"/>'),
            'fill="url(#q)" refers to nothing; write url(#id) with the id of a',
        ),
        (
            '<rect id="a" mask="url(#a)" width="1" height="1"/>',
            'mask="url(#a)" refers to nothing; write url(#id) with the id of a <mask>',
        ),
        ('<clipPath id="c" clip-path="url(#c)"><path d="M0 0L1 1"/></clipPath>', "perhaps one uses itself"),
        ('<linearGradient id="a" x1="0" y1="0" x2="1" y2="0"/>', 'write gradientUnits="userSpaceOnUse"'),
        (GRADIENT.format('<stop offset="50%" stop-color="#000000"/>'), "is not a number from 0 to 1"),
        (GRADIENT.format('<stop offset="0" stop-color="none"/>'), 'stop-color="none" is not a colour'),
        (GRADIENT.format('<rect width="1" height="1"/>'), "<rect> within <radialGradient> is not drawn"),
        ('<g opacity="1.5"/>', '<g opacity="1.5"> is not a number from 0 to 1; write 0.5 for a half'),
        ('<g stroke-miterlimit="0"/>', 'stroke-miterlimit="0" is less than 1'),
        ('<textbox x="1" y="1" width="9" height="9" fill="url(#a)">a</textbox>', 'fill="url(#a)" is not a colour'),
        ('<g clip-path="url(http://example.org/#c)"/>', "refers to nothing; write url(#id)"),
        ('<use href="http://example.org/a.svg#b"/>', "refers to nothing; write the #id"),
        ('<rect fill="url(http://example.org)" width="1" height="1"/>', "is not a colour"),
        ('<svg viewBox="0 0 nan 1"/>', "it has no viewBox and no size"),
        ('<x:rect xmlns:x="http://example.org" width="1" height="1"/>', "<rect> is not drawn"),
        ("{{ '\\ud800' }}", "U+D800 is not a character"),
        ("{{ 1e400 }}", "a number grows too large"),
        ('{{ icon("paw", 1e308 * 10, 1, 1, ink) }}', "is not a number of millimetres"),
        ('{{ ("a"|safe).replace("a", icon) }}', "a function is not text"),
        ('{{ icon("paw", 1, 1, 1, self) }}', "name, fill and label must be text"),
        ('{{ icon("paw", 1, 1, 1, ink, icon) }}', "name, fill and label must be text"),
        ("{{ fail(range) }}", 'write fail("what is wrong")'),
        (
            '<textbox x="1" y="1" width="9" height="9">{{ "b".ljust(30000, "b") }}</textbox>',
            "it holds 30,000 characters; at most 20,000",
        ),
        ("".join(f'<use href="#{n}"/>' for n in range(5000)), "refers to nothing"),
        ("".join(f'<g clip-path="url(#{n})"/>' for n in range(5000)), "refers to nothing"),
        (f'<g id="{"ab" * 4000}"/><use href="#{"ba" * 4000}"/>', "refers to nothing"),
        ("".join(f'<field name="a.f{n}" width="9" height="9" say="x"/>' for n in range(1100)), "a form has at most"),
        ("{{ '\\x00' }}", "it is not XML: Invalid character"),
    ],
)
def test_what_paper_cannot_show_is_told(tmp_path: Path, words: str, told: str) -> None:
    """Once, with the face, and at once."""
    with no_hang():
        problems = face_problems(write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(words)))

    assert 1 <= len(problems) <= 21, problems
    assert told in problems[0]
    assert "face mouse-front" in problems[0]


@pytest.mark.parametrize(
    "words",
    [
        '<line x2="9" y2="9" stroke="#000000" stroke-dasharray="1e1,2"/>',
        '<polygon points="1 1 2e1 2 3 3e-1"/>',
        '<path d=""/><path d="" stroke="#000000"/>',
        CLIPPED.format('<path d=""/>'),
        SYMBOL.format("0 0 1e1 1e1"),
        '<rect x="99999" y="-99999" width="1e5" height="1" rx="1e5"/>',
        '<g transform="translate(1e2,1e-9) rotate(1e1)"><circle r="1e-5"/></g>',
        '<text x="1" y="1" font-family="SourceSansPro" font-size="99999">a</text>',
        '<symbol id="s" viewBox="0 0 9 9"><rect width="1" height="1"/></symbol><use href="#s" width="0" height="0"/>',
    ],
)
def test_pdfs_are_whole_whatever_numbers_look_like(tmp_path: Path, words: str) -> None:
    """Every number in them is written as PDF writes numbers (ISO 32000-1, 7.3.3): digits and a point."""
    game = write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(words))

    assert 0 == main(["sheets", str(game), "--output", str(tmp_path / "out"), "--paper", "a4"])

    data = (tmp_path / "out" / "print" / "tiny" / "tiny-a4.pdf").read_bytes()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        streams = [page.Contents for page in pdf.pages]
        streams += [form for page in pdf.pages for form in page.Resources.get("/XObject", {}).values()]
        operands = [
            operand
            for stream in streams
            for operands, _ in pikepdf.parse_content_stream(stream)
            for operand in operands
        ]
    numbers = [one for one in operands if isinstance(one, int | float) or type(one).__name__ == "Decimal"]

    assert len(numbers) > 100
    assert all(abs(one) < 1e7 for one in numbers)


ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{}</svg>'
RULES = FILES["rules.yaml"].replace("text: See", "text: |\n          A :bell: rings. See")


@pytest.mark.parametrize(
    ("icon", "told"),
    [
        ("", "icons/bell.svg:1: it is not XML: it is empty"),
        ("<svg", "icons/bell.svg:1: it is not XML: the tag <svg has no end"),
        ("<svg/>", "icons/bell.svg:1: its outermost element is <svg> without its namespace"),
        (ICON.format("").replace("0 0 24 24", "0 0 0 0"), "icons/bell.svg:1: its width or height is 0"),
        (ICON.format("").replace("0 0 24 24", "0 0 nan 1"), 'icons/bell.svg:1: viewBox="0 0 nan 1" cannot be read'),
        (ICON.format('<path d="M0 0L1 1"/>' * 200_000), "the file has 4,000,066 bytes; at most 1,000,000 are read"),
        (ICON.format('<path d="M0 0L1 1"/>' * 40_000), "it has more than 5,000 shapes"),
        (ICON.format('<g clip-path="url(http://example.org)"/>'), "it draws nothing"),
        (ICON.format('<path fill="url(http://example.org)"/>'), "it draws nothing"),
        (ICON.format('<path style="fill:url(http://example.org)"/>'), "it draws nothing"),
        (ICON.format('<path d="M1e309 1"/>'), "cannot be read; its numbers must be at most 100,000"),
        (ICON.format('<use href="#icon-bell"/>'), "it draws nothing"),
        (ICON.format("<script>alert(1)</script>"), "<script> is not drawn"),
        (
            '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/hostname">]>' + ICON.format("&a;"),
            "it is not XML: &a; is not known",
        ),
    ],
)
@pytest.mark.parametrize("command", ["check", "build"])
def test_an_icon_that_only_rules_name_is_told(
    tmp_path: Path, icon: str, told: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """By `check` as by `build`, with its file, and nothing is written."""
    game = write_game(tmp_path / "tiny", **{"icons/bell.svg": icon, "rules.yaml": RULES})
    output = ["--output", str(tmp_path / "out")] if command == "build" else []

    with no_hang():
        assert 1 == main([command, str(game), *output])
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out" / "site").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("{{ fail(caller) }}", 'there is no "caller" here'),
        ("{{ fail('x'.center(3000, 'y')) }}", "y…"),
        ("{{ (1 " + "a" * 3000 + ") }}", "a name has more than 200 characters"),
        ("{{ card." + "a" * 3000 + " }}", "a name has more than 200 characters"),
        ("{% include '' %}", 'there is no template ""'),
        ("{% include 'x'.center(3000, 'y') %}", "the name of a template has more than 200 characters"),
        ("{{ ''|" + "a" * 3000 + " }}", "a name has more than 200 characters"),
    ],
)
def test_faults_of_templates_are_told_in_few_words(tmp_path: Path, words: str, told: str) -> None:
    """Also those that quote a long text, and those that fail when they are asked what they are."""
    (problem,) = face_problems(write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(words)))

    assert told in problem
    assert len(problem) < 1_000


def test_work_stops_at_the_faults_that_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 100 unknown attributes as many are looked at as of 400: those that are shown."""
    looked: list[str] = []

    def look(tag: str, key: str, value: str) -> Any:
        looked.append(key)
        return unchecked_fault(tag, key, value)

    monkeypatch.setattr(resolve, "attribute_fault", look)
    counts = []
    for most in (100, 400):
        looked.clear()
        words = with_words("<rect {}/>".format(" ".join(f'a{number}="1"' for number in range(most))))
        face_problems(write_game(tmp_path / f"tiny-{most}", faces__plain_svg_j2=words))
        counts.append(len([key for key in looked if key[1:].isdecimal()]))

    assert 0 < counts[0] == counts[1]
