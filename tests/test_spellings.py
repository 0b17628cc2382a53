"""Numbers as SVG allows them to be written: every reader of a face takes them for the same, or they are a problem."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from games_for_tests import write_game
from PIL import Image
from test_face import SVG_ICON, face_problems, with_words
from test_preflight import game_with

from grimalkin.printing.book.pen import Pen
from grimalkin.printing.draw.pdf import Drawer, face_pdf, new_canvas
from grimalkin.printing.draw.raster import face_png
from grimalkin.printing.face import Composer, Face, standalone_svg
from grimalkin.printing.face.callouts import spots
from grimalkin.printing.face.svg.paths import absolute_path, fitted
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.preflight.contours import painted
from grimalkin.printing.preflight.inspection import FACE_CHECKS, specimens
from grimalkin.site.pages.differences import _drawn
from grimalkin.site.pages.links import inline_icon
from grimalkin.site.preview.boxes import text_boxes

SYMBOL = '<symbol id="s" viewBox="{}"><path d="M2 2H20V14Z"/></symbol><use href="#s" x="9" y="9" width="9"/>'
POLYGON = '<polygon id="p" points="{}"/>'
PATH = '<path id="p" d="{}"/>'
GROUP = '<g id="g" transform="{}"><rect id="r" width="9" height="5"/></g>'
DASHES = '<line x1="5" y1="5" x2="40" y2="5" stroke="#000000" stroke-dasharray="{}"/>'
TEXT = '<text x="{0}" y="20" font-family="SourceSansPro" font-size="{0}">Meow<tspan x="{0}" y="30">purr</tspan></text>'
BOX = '<textbox name="b" x="{0}" y="{0}" width="40" height="20" size="{0}">:paw: meow</textbox>'
SHAPES = (
    '<rect id="r" x="{0}" y="{0}" width="{0}" height="{0}" rx="1" stroke="#000000" stroke-width="{0}"/>'
    '<circle id="c" cx="{0}" cy="{0}" r="{0}"/><ellipse id="e" cx="{0}" cy="40" rx="{0}" ry="3"/>'
    '<line id="l" x1="{0}" y1="{0}" x2="40" y2="40" stroke="#000000"/>'
)
LIST = ("10,0.5,20,-4", "10 0.5 20 -4", "10 , .5 20-4", "1e1.5 2E1-4", "+10\n.5\t+20,\r\n-4.0", " 10 0.5 20 -4 ")
"""One list of four numbers in the spellings of https://www.w3.org/TR/SVG2/types.html#InterfaceSVGNumberList."""
SPELT = [
    (SYMBOL, ("0 1 24 16", "0,1,24,16", "0 , 1\n24\t16", "0+1 2.4e1 1.6E1", "-0,1.0 24 16.0 ")),
    (POLYGON, tuple(f"{four} 30 30" for four in LIST)),
    (PATH, tuple(f"M{four} L30,30z" for four in LIST)),
    (PATH, ("M9 9A5 5 0 0 1 19 9Z", "M9,9a5,5,0,0,1,10,0z", "m9 9a5 5 0 0110 0z", "M9 9 A 5 5 0 01 19 9 z")),
    (GROUP, ("translate(10,-.5)", "translate(10 -0.5)", "translate( 1e1-.5 )", "\ntranslate (10 ,\n-0.5) ")),
    (GROUP, ("translate(9,1) scale(2)", "translate(9 1)scale(2)", "translate(9,1),scale(2,2)", "matrix(2,0 0 2,9 1)")),
    (DASHES, ("2 1.5 0.5", "2,1.5,.5", "2 , 1.5.5", " 2e0\n1.5\t5E-1")),
    *((words, ("12.5", "+12.5", "1.25e1", "125E-1", " 12.50 ", "\n12.5")) for words in (TEXT, BOX, SHAPES)),
]  # fmt: skip
CASES = [(words, plain, other) for words, (plain, *others) in SPELT for other in others]


def composed(folder: Path, words: str, **more: str) -> Face:
    """The front of a card that shows these words."""
    game, composer = game_with(folder, words, **more)
    front, _ = composer.faces(game.info.decks[0], game.components["cards"][0])
    assert front is not None, list(composer.problems)
    return front


def shapes_seen(face: Face) -> list[Any]:
    named: dict[str, Any] = {id_: element for element in face.root.iter() if (id_ := element.get("id"))}
    return [piece.box for piece in _drawn(face.root, named, (1, 0, 0, 1, 0, 0), {})]


READERS: dict[str, Callable[[Face], Any]] = {
    "sheet": lambda face: face_pdf(face, True),
    "picture": lambda face: face_png(face, 40),
    "spots": spots,
    "preview": lambda face: list(text_boxes(face)),
    "preflight": lambda face: [(part.bounds, part.contours, part.stroke_width, part.size) for part in painted(face)],
    "differences": shapes_seen,
}
"""Everything that reads a face by itself; the SVG goes to a browser as it was written."""


@pytest.mark.slow("draws a face in every way")
@pytest.mark.parametrize(("words", "plain", "other"), CASES)
def test_every_reader_takes_a_spelling_for_the_same(tmp_path: Path, words: str, plain: str, other: str) -> None:
    """Commas, blanks, both, exponents, leading points, signs that part numbers, ends of lines."""
    expected, actual = (composed(tmp_path / name, words.format(one)) for name, one in (("a", plain), ("b", other)))

    assert {name: read(expected) for name, read in READERS.items()} == {n: read(actual) for n, read in READERS.items()}


@pytest.mark.parametrize("box", ["0,1,24,16", "0 , 1\n24\t16", "0+1 2.4e1 1.6E1"])
def test_every_reader_of_an_icon_takes_a_grid_for_the_same(tmp_path: Path, box: str) -> None:
    """On sheets, in texts, in rulebooks and on pages."""
    found = []
    for grid in ("0 1 24 16", box):
        icon = SVG_ICON + f' viewBox="{grid}"><path d="M2 2H20V14Z"/></svg>'
        words = '{{ icon("fish", 5, 5, 9, ink, "fish") }}<textbox x="5" y="20" width="40" height="9">:fish: f</textbox>'
        game, composer = game_with(tmp_path / str(len(found)), words, **{"icons/fish.svg": icon})
        face, _ = composer.faces(game.info.decks[0], game.components["cards"][0])
        assert face is not None, list(composer.problems)
        read = {name: read(face) for name, read in READERS.items()}
        page = re.sub(r"viewBox=\"[^\"]*\"", "", inline_icon(composer.icons, "fish"))
        found.append((read, page, book_icon(composer)))

    assert found[0] == found[1]


def book_icon(composer: Composer) -> list[str]:
    """The operators of an icon in a line of a rulebook."""
    canvas: Any = new_canvas((100, 100))
    looks: Any = SimpleNamespace(press=SimpleNamespace(drawer=Drawer(canvas), bench=canvas), composer=composer)
    pen = Pen(looks, {}, 200.0)
    return pen.icon("fish", 10.0, 20.0, 4.0, "#000000")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ('<symbol viewBox="0,,0,24,24"/>', 'viewBox="0,,0,24,24" cannot be read; write it as 0 0 24 24'),
        ('<symbol viewBox="0 0 24 24,"/>', 'viewBox="0 0 24 24," cannot be read'),
        ('<symbol viewBox="0;0;24;24"/>', 'viewBox="0;0;24;24" cannot be read'),
        ('<polygon points=",1 1 2 2"/>', '<polygon points=",1 1 2 2"> cannot be read; write pairs of numbers'),
        ('<polyline points="1 1 2 2 3"/>', '<polyline points="1 1 2 2 3"> cannot be read; write pairs of numbers'),
        ('<g transform="translate(1,,2)"/>', 'transform="translate(1,,2)" cannot be read'),
        ('<g transform="scale(1),,scale(2)"/>', 'transform="scale(1),,scale(2)" cannot be read'),
        ('<g transform="rotate(45deg)"/>', 'transform="rotate(45deg)" cannot be read'),
        (
            '<circle r="1."/>',
            '<circle r="1."> is not a number of millimetres; write digits and a decimal point without a unit',
        ),
        (
            '<circle r="5mm"/>',
            '<circle r="5mm"> is not a number of millimetres; write digits and a decimal point without a unit',
        ),
        ('<circle r="1\u00a0"/>', "is not a number of millimetres; write digits and a decimal point without a unit"),
        ('<circle r="- 1"/>', '<circle r="- 1"> is not a number of millimetres'),
        (
            '<line x2="9" stroke-dasharray="1,,2"/>',
            'stroke-dasharray="1,,2" cannot be read; write lengths in millimetres',
        ),
        ('<path d="M1,,2L3 4"/>', 'the path "M1,,2L3 4" cannot be read; ",,2L3" is not a command or a number'),
        ('<path d="L3 4"/>', 'the path "L3 4" cannot be read; it must begin with M, its starting point'),
        ('<path d="M3 4\u00a0"/>', "is not a command or a number"),
        ('<path d="M3 4L5"/>', 'the path "M3 4L5" cannot be read; a command has too few numbers'),
    ],
)
def test_what_a_browser_does_not_read_is_a_problem(tmp_path: Path, words: str, told: str) -> None:
    """With its line: print would show a drawing that pages lack."""
    problem, *more = face_problems(write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words("\n\n" + words)))

    assert problem.startswith("faces/plain.svg.j2:3: the face mouse-front: ")
    assert told in problem
    assert [] == more


NOTHING = [
    '<text x="9" y="9" font-family="SourceSansPro" font-size="0" word-spacing="2">Meow meow</text>',
    '<text x="9" y="9" font-family="SourceSansPro" font-size="9" fill="none">Meow</text>',
    '<g transform="scale(0)"><text x="9" y="9" font-family="SourceSansPro" font-size="9">Meow</text></g>',
    '<g transform="scale(2,0)"><textbox x="9" y="9" width="30" height="9">Meow :paw:</textbox></g>',
    '<rect transform="matrix(0 0 0 0 9 9)" width="9" height="9" stroke="#000000"/>',
    '<rect x="9" y="9" width="0" height="9" stroke="#000000" stroke-width="2"/>',
    '<circle cx="9" cy="9" r="0" stroke="#000000" stroke-width="2"/>',
    '<ellipse cx="9" cy="9" rx="9" ry="0" stroke="#000000" stroke-width="2"/>',
    '<line x1="9" y1="9" x2="30" y2="9" stroke="#000000" stroke-width="0"/>',
    '<path d="" stroke="#000000" stroke-width="2"/>',
    '{{ icon("paw", 9, 9, 0, "#000000", "paw") }}',
    '<symbol id="s" viewBox="0 0 9 9"><text x="1" y="9" font-family="SourceSansPro" font-size="9">a</text></symbol>'
    '<use href="#s" width="0" height="9"/>',
    '<g id="a"/><use href="#a" x="9" y="9"/>',
]  # fmt: skip


@pytest.mark.parametrize("words", NOTHING)
def test_what_svg_does_not_draw_no_reader_draws(tmp_path: Path, words: str) -> None:
    """What has no size may be worked out, and is meant: it is on no sheet, and no check stumbles over it."""
    game, composer = game_with(tmp_path / "a", words)
    face, _ = composer.faces(game.info.decks[0], game.components["cards"][0])
    assert face is not None, list(composer.problems)
    blank = composed(tmp_path / "b", "")
    found = [
        finding
        for specimen in specimens(game, composer, game.info.decks[0], {}, "full")
        for check in FACE_CHECKS.values()
        for finding in check(specimen)
    ]

    assert face_png(blank, 40) == face_png(face, 40)
    assert () == painted(face)
    assert [] == found
    assert standalone_svg(face)
    assert all(spot.name for spot in spots(face))


WIDE = '<symbol id="s" viewBox="1 2 24 12"><rect x="1" y="2" width="24" height="12"/></symbol>'


@pytest.mark.parametrize(
    ("use", "box"),
    [
        ('<use href="#s" x="5" y="5" width="12" height="12"/>', (5, 8, 17, 14)),  # half as large, 6 mm left over
        ('<use href="#s" x="5" y="5" width="48" height="12"/>', (17, 5, 41, 17)),  # as it is, 24 mm left over
        ('<use href="#s" x="5" y="5"/>', (5, 5, 29, 17)),
        ('<use href="#s" x="5" y="5" height="24"/>', (5, 11, 29, 23)),
    ],
)
def test_a_symbol_lies_in_the_middle_of_its_place(tmp_path: Path, use: str, box: tuple[float, ...]) -> None:
    """As in a browser (preserveAspectRatio is xMidYMid meet), also where its size is that of its grid."""
    face = composed(tmp_path, WIDE + use)
    picture = Image.open(io.BytesIO(face_png(face, 254))).convert("L").point(lambda value: 255 * (value < 128))
    written = face.root.find(f".//{{{SVG}}}use")
    assert written is not None
    size = [float(written.get(key, "nan")) for key in ("width", "height")]

    assert [box] == [part.bounds for part in painted(face)]
    assert [10 * edge for edge in box] == pytest.approx(picture.getbbox(), abs=1)
    assert [box] == [spot[1:] for spot in spots(face)]
    assert box == fitted((0, 0, 24, 12), 5, 5, *size)[4:] + box[2:]


def test_a_symbol_without_a_grid_has_ours(tmp_path: Path) -> None:
    """In a browser it would have none."""
    face = composed(tmp_path, '<symbol id="s"><rect width="24" height="12"/></symbol><use href="#s" width="12"/>')

    assert 'viewBox="0 0 24 24"' in face.svg
    assert [(0, 6, 12, 12)] == [part.bounds for part in painted(face)]


@pytest.mark.parametrize(
    ("d", "drawn"),
    [
        ("M0 0A0 3 0 0 0 5 5L9 9", "M0 0L5 5L9 9"),
        ("M1 1a3 0 0 01 4 0z", "M1 1L5 1L1 1Z"),
        ("M1 1A3 3 0 0 1 1 1L5 1", "M1 1L5 1"),
    ],
)
def test_an_arc_without_a_radius_is_a_line(d: str, drawn: str) -> None:
    """As SVG has it (https://www.w3.org/TR/SVG2/paths.html#ArcOutOfRangeParameters)."""
    assert drawn == absolute_path(d)
