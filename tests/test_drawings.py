"""Ordinary SVG on faces: files of the folder `art`, blocks pasted into templates, and icons."""

from __future__ import annotations

import io
from base64 import b64encode
from pathlib import Path

import pytest
from games_for_tests import write_game
from PIL import Image
from test_face import with_words
from test_images import CORNERS, four
from test_preflight import game_with

from grimalkin.cli import main
from grimalkin.printing.draw.raster import face_png
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.images.drawings import Flattened, read_drawing
from grimalkin.printing.face.images.game_art import Pictures
from grimalkin.printing.face.layers import Inks
from grimalkin.problems import Problems, Stop

RED, GREEN, TEAL, WHITE = (255, 0, 0), (0, 128, 0), (0, 128, 128), (255, 255, 255)
HALVES = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
  width="20mm" height="10mm" viewBox="0 0 200 100">
  <style>.a{fill:red}</style>
  <sodipodi:namedview pagecolor="#ffffff"/>
  <g style="stroke:none"><rect class="a" width="100" height="100"/>
  <rect x="100" width="150" height="100" fill="green"/></g>
</svg>
"""
"""Red on the left and green on the right; a third of the green lies outside of the grid."""


def made(tmp_path: Path, words: str, inks: Inks = "full", **art: bytes | str) -> tuple[Face | None, list[str]]:
    """The first face of the made-up game, with these files in its folder `art`."""
    folder = tmp_path / "tiny" / "art"
    folder.mkdir(parents=True)
    for name, data in art.items():
        (folder / name.replace("_", ".")).write_bytes(data.encode() if isinstance(data, str) else data)
    game, composer = game_with(tmp_path, words)
    composer = Composer(game, composer.stocks, composer.problems, inks)
    face, _ = composer.faces(game.info.decks[0], game.components["cards"][0])
    return face, [str(one).replace(f"{tmp_path}/", "") for one in composer.problems]


def seen(face: Face | None, *points: tuple[float, float]) -> list[object]:
    """The colours of a face at points, in millimetres."""
    assert face is not None
    image = Image.open(io.BytesIO(face_png(face, 254, square=True))).convert("RGB")
    return [image.getpixel((round(10 * x), round(10 * y))) for x, y in points]


@pytest.mark.parametrize(
    ("place", "points", "wanted"),
    [
        ('x="10" y="10" width="40"', [(20, 20), (40, 20), (52, 20), (20, 31)], [RED, GREEN, WHITE, WHITE]),
        ('x="10" y="10" width="40" height="40"', [(20, 30), (40, 30), (20, 18), (40, 42)], [RED, GREEN, WHITE, WHITE]),
        (
            'x="10" y="10" width="20" height="40" preserveAspectRatio="xMinYMid slice"',
            [(12, 12), (28, 48), (32, 30)],
            [RED, RED, WHITE],
        ),
        (
            'x="10" y="10" width="20" height="40" focus="100% 50%"',
            [(12, 12), (28, 48), (32, 30)],
            [GREEN, GREEN, WHITE],
        ),
        (
            'x="10" y="10" width="20" height="40" preserveAspectRatio="none"',
            [(15, 48), (25, 12), (32, 30)],
            [RED, GREEN, WHITE],
        ),
        ('x="10" y="10" width="40" opacity="0.5"', [(20, 20)], [(255, 128, 128)]),
    ],
)
def test_a_drawing_lies_where_it_is_put(
    tmp_path: Path, place: str, points: list[tuple[float, float]], wanted: list[tuple[int, int, int]]
) -> None:
    """It is cut to its grid, as browsers cut it."""
    face, problems = made(tmp_path, f'<image href="art/halves.svg" {place}/>', halves_svg=HALVES)

    assert [] == problems
    assert [pytest.approx(one, abs=2) for one in wanted] == seen(face, *points)


@pytest.mark.parametrize(
    ("inks", "wanted"), [("full", [RED, GREEN]), ("low", [(76,) * 3, (75,) * 3]), ("mono", [(76,) * 3, (75,) * 3])]
)
def test_a_drawing_saves_ink_as_pictures_do(tmp_path: Path, inks: Inks, wanted: list[tuple[int, int, int]]) -> None:
    """0.299 of 255 are 76; 0.587 of 128 are 75. Where pictures are dots, the printer makes them of the greys."""
    face, _ = made(tmp_path, '<image href="art/halves.svg" x="10" y="10" width="40"/>', inks, halves_svg=HALVES)

    assert [pytest.approx(one, abs=2) for one in wanted] == seen(face, (20, 20), (40, 20))


def test_a_block_of_svg_in_a_template_is_a_drawing(tmp_path: Path) -> None:
    """As it is copied from a program; its x, y, width and height are millimetres, what is in it is its own."""
    block = (
        '<svg x="10" y="10" width="20" height="20" viewBox="0 0 24 24" fill="none" stroke="teal" stroke-width="4" '
        'style="stroke-linecap:round"><title>A ring</title><circle cx="12" cy="12" r="9"/></svg>'
    )
    face, problems = made(tmp_path, f'<g transform="translate(10 0)">{block}</g>{block}')

    assert [] == problems
    assert [WHITE, TEAL, WHITE, TEAL] == seen(face, (20, 20), (20 - 7.5, 20), (30, 20), (30 + 7.5, 20))


def test_a_picture_within_a_drawing_is_a_picture(tmp_path: Path) -> None:
    """It goes into the PDF as others do, and into black only as dots."""
    out = io.BytesIO()
    four((300, 200)).save(out, "PNG")
    href = f"data:image/png;base64,{b64encode(out.getvalue()).decode()}"
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 30 20">'
        f'<image width="30" height="20" xlink:href="{href}"/></svg>'
    )
    face, problems = made(tmp_path, '<image href="art/scan.svg" x="10" y="10" width="30"/>', scan_svg=drawing)

    assert [] == problems
    points = [(17, 15), (32, 15), (17, 25), (32, 25)]
    assert [pytest.approx(one, abs=2) for one in CORNERS] == seen(face, *points)
    assert face is not None
    (placed,) = face.pictures.values()
    assert 254 == pytest.approx(placed.dpi)  # 300 pixels on 30 mm


@pytest.mark.parametrize(
    ("drawing", "told"),
    [
        ("<svg", "tiny/art/a.svg:1: it is not XML"),
        ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n<g>\n<foreignObject width="9" '
         'height="9"><p>Fox</p></foreignObject></g></svg>', "tiny/art/a.svg:3: "),
        ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><image href="http://a.org/b.png" width="9"/></svg>',
         "tiny/art/a.svg:1: the picture \"http://a.org/b.png\" is not in the file; embed it in the program"),
        ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><image href="data:image/png;base64,AAAA"/></svg>',
         "tiny/art/a.svg:1: a picture in the file: this is not a picture"),
        ('<svg xmlns="http://www.w3.org/2000/svg"/>', "tiny/art/a.svg:1: it has no viewBox and no size"),
        ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n<g id="a"><use href="#a"/></g></svg>',
         "tiny/art/a.svg:2: "),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_a_problem_with_its_file_and_line(tmp_path: Path, drawing: str, told: str) -> None:
    face, problems = made(tmp_path, '<image href="art/a.svg" width="9"/>', a_svg=drawing)

    assert face is None
    assert problems[0].startswith(told), problems


def test_a_block_that_cannot_be_drawn_is_a_problem_of_the_template(tmp_path: Path) -> None:
    face, problems = made(tmp_path, '<svg viewBox="0 0 9 9"><foreignObject width="9" height="9"/></svg>')

    assert face is None
    assert problems[0].startswith("tiny/faces/plain.svg.j2:2: the face mouse-front: <svg>: "), problems


SHADOW = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">
  <filter id="f" x="0" y="0" width="1" height="1"><feFlood flood-color="teal"/></filter>
  <rect width="100" height="100" fill="red"/>
  <rect x="100" width="100" height="100" filter="url(#f)"/>
</svg>
"""


def test_what_only_pixels_can_show_becomes_a_picture(tmp_path: Path) -> None:
    """Of 300 dpi at its place, with a remark that says why: 40 mm are 472 pixels."""
    face, problems = made(tmp_path, '<image href="art/glow.svg" x="10" y="10" width="40"/>', glow_svg=SHADOW)

    assert [] == problems
    assert [RED, TEAL, WHITE] == seen(face, (20, 20), (40, 20), (52, 20))
    assert face is not None
    (placed,) = face.pictures.values()
    assert (472, 236) == placed.picture.size
    art = Pictures(tmp_path / "tiny", Problems())
    art.picture("glow.svg")
    assert [f'{tmp_path}/tiny/art/glow.svg:4: <rect filter="url(#f)"> is drawn as a picture'] == list(
        map(str, art.notes)
    )


def test_letters_are_no_pixels(tmp_path: Path) -> None:
    """What makes the picture knows no fonts, and would leave them out."""
    drawing = SHADOW.replace("</svg>", '<text x="9" y="20" font-size="9">Fox</text></svg>')
    face, problems = made(tmp_path, '<image href="art/glow.svg" width="40"/>', glow_svg=drawing)

    assert face is None
    assert "tiny/art/glow.svg:4: " in problems[0]


def test_a_block_shows_pictures_of_the_game(tmp_path: Path) -> None:
    """By the name that faces call them."""
    out = io.BytesIO()
    four((300, 200)).save(out, "PNG")
    block = (
        '<svg x="10" y="10" width="30" height="20" viewBox="0 0 30 20"><image width="30" href="art/scan.png"/></svg>'
    )
    face, problems = made(tmp_path, block, scan_png=out.getvalue())

    assert [] == problems
    assert [pytest.approx(one, abs=2) for one in CORNERS] == seen(face, (17, 15), (32, 15), (17, 25), (32, 25))


def test_what_is_used_elsewhere_keeps_its_pixels(tmp_path: Path) -> None:
    """How large a picture in a symbol is drawn, only its use says."""
    out = io.BytesIO()
    four((900, 600)).save(out, "PNG")
    symbol = '<symbol id="s" viewBox="0 0 3 2"><image href="art/a.png" width="3"/></symbol>'
    face, problems = made(
        tmp_path, f'{symbol}<use href="#s" x="2" y="2" width="60" height="40"/>', a_png=out.getvalue()
    )

    assert [] == problems
    assert face is not None
    assert [None] == [placed.fewer for placed in face.pictures.values()]


@pytest.mark.slow("checks and builds a game")
@pytest.mark.parametrize("command", ["check", "build", "sheets"])
def test_commands_remark_on_drawings(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str], short_guide: None
) -> None:
    """What becomes a picture, and what is not drawn as elsewhere, is said once, and is no problem."""
    game = write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words('<image href="art/glow.svg" width="9"/>'))
    (game / "art").mkdir()
    (game / "art" / "glow.svg").write_text(SHADOW)
    output = [] if command == "check" else ["--output", str(tmp_path / "out"), "--paper", "a4"]

    assert 0 == main([command, str(game), *output])
    told = f'remark: {game}/art/glow.svg:4: <rect filter="url(#f)"> is drawn as a picture\n'
    assert 1 == capsys.readouterr().err.count(told)


def test_a_filter_that_takes_for_ever_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grimalkin.printing.face.images.drawings.LONGEST", 0.5)
    monkeypatch.setattr("grimalkin.printing.face.images.drawings.DRAW", ["sleep", "60"])
    drawing = read_drawing(SHADOW.encode(), tmp_path / "glow.svg")
    assert isinstance(drawing, Flattened)
    with pytest.raises(Stop, match=r"glow\.svg: it takes more than 0\.5 seconds to draw; simplify its filters"):
        drawing.picture((61, 31))


def test_what_was_drawn_once_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = read_drawing(SHADOW.encode(), tmp_path / "glow.svg")
    again = read_drawing(SHADOW.encode(), tmp_path / "glow.svg")
    assert isinstance(drawing, Flattened) and isinstance(again, Flattened)
    made_once = drawing.picture((60, 30))
    monkeypatch.setattr("grimalkin.printing.face.images.drawings.DRAW", ["false"])

    assert made_once.read() == again.picture((60, 30)).read()
    with pytest.raises(Stop, match="it cannot be drawn"):
        again.picture((62, 31))


def test_a_drawing_that_cannot_be_made_into_a_picture_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of its file, and the other faces are composed all the same."""
    monkeypatch.setattr("grimalkin.printing.face.images.drawings.DRAW", ["false"])
    face, problems = made(tmp_path, '<image href="art/glow.svg" width="37"/>', glow_svg=SHADOW)

    assert face is None
    assert 1 == len(problems)
    assert problems[0].startswith("tiny/art/glow.svg: it cannot be drawn")
