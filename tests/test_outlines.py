"""Stocks of any shape: their drawing is read, and sheets, cut files, pictures and checks follow its lines."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import ezdxf
import pytest
from games_for_tests import write_game, zip_of
from PIL import Image

from grimalkin.content import load_game
from grimalkin.content.outlines import Outline, area, flat
from grimalkin.content.stocks import Stock, load_papers
from grimalkin.printing.draw.raster import face_png
from grimalkin.printing.draw.stocks import composer_of, load_stocks
from grimalkin.printing.export.designs import designs_of
from grimalkin.printing.export.tabletop import export_tts
from grimalkin.printing.preflight.faces import check_safe_area
from grimalkin.printing.preflight.inspection import specimens
from grimalkin.printing.sheet.cutting import as_yaml, cut_dxf, cut_svg, impose_on, propose
from grimalkin.printing.sheet.marks import mark_code, marks_of
from grimalkin.printing.sheet.pieces import Piece, Sheet, Slot
from grimalkin.printing.sheet.settings import Settings
from grimalkin.problems import Problem, Problems, Stop
from grimalkin.site.preview import Preview
from grimalkin.site.preview.show import page_svg

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40mm" height="30mm" viewBox="0 0 40 30">'
EDGE = "M0 0H40V10H10V30H0Z"
"""An L: a bar of 40 × 10 mm on a foot that is 10 mm wide and reaches down to 30."""
HOLE = "M20 3H24V7H20Z"
ANGLE = f'<path fill="none" stroke="#f00" d="{EDGE}{HOLE}"/>\n<path fill="none" stroke="blue" d="M10 0V10"/>'
STOCK = "name: Angle\nshape: outline\noutline: angle.svg\nbleed: 2\nsafe: 1\n"
ROOM = (0, 0, 210, 297)


def read(folder: Path, drawn: str, stock: str = STOCK, svg: str = SVG) -> tuple[Stock | None, list[str], list[str]]:
    """The stock "angle" with this drawing, then problems and remarks without the path before them."""
    stocks = folder / "stocks"
    stocks.mkdir(parents=True, exist_ok=True)
    (stocks / "angle.svg").write_text(f"{svg}\n{drawn}</svg>")
    (stocks / "angle.yaml").write_text(stock)
    problems, remarks = Problems(), list[Problem]()
    found = load_stocks(folder, problems, remarks).get("angle")
    told, noted = ([re.sub(r"^.*stocks/", "", str(one)) for one in many] for many in (problems, remarks))
    return found, told, noted


@pytest.fixture
def angle(tmp_path: Path) -> Stock:
    stock, told, noted = read(tmp_path, ANGLE)

    assert stock and told == noted == []
    return stock


# What is read


def test_lines_are_cut_and_creased_by_their_colour(angle: Stock) -> None:
    """The edge runs clockwise and the hole the other way, however they were drawn."""
    assert angle.lines == Outline(
        ("M0 0L40 0L40 10L10 10L10 30L0 30L0 0Z", "M20 3L20 7L24 7L24 3L20 3Z"), ("M10 0L10 10",)
    )
    assert (angle.width, angle.height) == (40, 30)
    assert [area(contour) for path in angle.lines.cuts for contour in flat(path)] == [600, -16]


def test_every_closed_line_of_a_sprue_is_cut(tmp_path: Path) -> None:
    """Shapes of their own within a frame are pieces, not holes; what programs draw as circles and groups counts."""
    frame = '<rect x="0" y="0" width="40" height="30" rx="2" fill="none" stroke="#FF0000"/>'
    inner = '<g transform="translate(10 5)" stroke="red" fill="none"><circle r="4"/><path d="M20 0H10V10H20Z"/></g>'
    stock, told, _ = read(tmp_path, frame + inner)

    assert stock and stock.lines and told == []
    areas = [area(contour) for contour in stock.lines.contours]
    assert areas == pytest.approx([1196.6, 50.3, 100], abs=0.4)  # 4 * (4 - pi) less than 1200; 16 pi
    assert [stock.lines.holds(*at) for at in ((10, 5), (25, 10), (39, 1), (39.9, 0.1))] == [True, True, True, False]


@pytest.mark.parametrize(
    ("more", "svg", "size"),
    [
        ("width: 80\n", SVG, (80, 60)),
        ("height: 15\n", SVG, (20, 15)),
        ("width: 20\nheight: 15\n", SVG, (20, 15)),
        ("width: 80\n", SVG.replace('width="40mm" height="30mm" ', ""), (80, 60)),
        ("", SVG.replace("mm", "cm"), (400, 300)),
    ],
)
def test_a_drawing_is_as_large_as_it_says_or_as_the_stock_wants(
    tmp_path: Path, more: str, svg: str, size: tuple[float, float]
) -> None:
    stock, told, _ = read(tmp_path, ANGLE, STOCK + more, svg)

    assert stock and stock.lines and told == []
    assert (stock.width, stock.height) == size
    assert stock.lines.cuts[0].startswith(f"M0 0L{size[0]:g} 0L{size[0]:g} {size[0] / 4:g}L")


LINE = '<path fill="none" stroke="#ff0000" d="{}"/>'


@pytest.mark.parametrize(
    ("drawn", "stock", "expected"),
    [
        (
            f"<g>\n{LINE.format('M1 2H20V20')}</g>",
            STOCK,
            "angle.svg:3: a line to cut is open: it begins at 1, 2 mm and ends at 20, 20 mm; close it, so that the "
            "piece comes out",
        ),
        (LINE.format("M1 2H20Z"), STOCK, "angle.svg:2: a line to cut, at 1, 2 mm, encloses nothing; it must"),
        (
            LINE.format("M0 0H40.2V9H0Z"),
            STOCK,
            "angle.svg:2: a line reaches 0.2 mm beyond the page",
        ),
        (
            f'<path fill="none" stroke="#00ff00" d="{EDGE}"/>',
            STOCK,
            "angle.svg: no line has the colour #ff0000, which marks cuts; the drawing has #00ff00",
        ),
        (
            f'<clipPath id="c"><path d="M0 0H9V9Z"/></clipPath><g clip-path="url(#c)">{LINE.format(EDGE)}</g>',
            STOCK,
            "angle.svg:2: a cut or crease is clipped or masked; draw only",
        ),
        (
            LINE.format("M0 0H9V9Z" * 1001),
            STOCK,
            "angle.svg: more than 1,000 lines, 20,000 points or 50 m",
        ),
        (
            LINE.format("M0 0" + "L40 30L0 0.1" * 480 + "Z"),
            STOCK,
            "angle.svg: more than 200 pieces of its lines lie within 4 mm; simplify",
        ),
        (ANGLE, STOCK.replace("safe: 1", "safe: 15"), "angle.yaml: with `safe: 15`, nothing is left inside"),
        (
            ANGLE,
            STOCK + "width: 40\nheight: 40\n",
            "angle.yaml: the drawing is 40 × 30, not in proportion to 40 × 40 mm; leave out `width` or `height`",
        ),
        (
            ANGLE,
            STOCK + "width: 1\n",
            "angle.yaml: a piece of 1 × 0.75 mm cannot be cut; each side may be 3 to 2,000 mm",
        ),
        (
            ANGLE,
            STOCK.replace("angle.svg", "../angle.svg"),
            'angle.yaml:3: outline: "../angle.svg" is not the name of an SVG file',
        ),
        (ANGLE, STOCK.replace("angle.svg", "other.svg"), "other.svg: there is no such file"),
        (ANGLE, STOCK.replace("outline: angle.svg\n", ""), "angle.yaml:1: `shape: outline` and `outline: FILE.svg`"),
        (ANGLE, STOCK.replace("shape: outline\noutline: angle.svg", "shape: circle"), "angle.yaml:1: `width`"),
        (ANGLE, STOCK + 'crease-colour: "#ff0000"\n', "angle.yaml:1: cuts and creases need two different colours"),
        ('<foreignObject width="9" height="9"/>' + ANGLE, STOCK, "angle.svg:2: <foreignObject> is not drawn"),
    ],
)
def test_what_cannot_be_cut_is_reported(tmp_path: Path, drawn: str, stock: str, expected: str) -> None:
    found, told, _ = read(tmp_path, drawn, stock)

    assert found is None
    assert [one[: len(expected)] for one in told] == [expected]


def test_a_drawing_without_a_size_needs_one_in_the_stock(tmp_path: Path) -> None:
    _, told, _ = read(tmp_path, ANGLE, svg=SVG.replace('width="40mm" height="30mm" ', ""))

    assert told == [
        "angle.svg: the drawing does not say how large it is; write `width` in the stock, or "
        'width="60mm" in the drawing'
    ]


def test_other_colours_are_ignored_with_a_remark(tmp_path: Path) -> None:
    more = '\n<path fill="none" stroke="#00ff00" d="M0 0H4"/><rect width="9" height="9"/>'
    stock, _, noted = read(tmp_path, ANGLE + more)

    assert stock
    assert noted == [
        "angle.svg:4: 2 shapes of the drawing (1 in #00ff00, 1 in fill #000000) are ignored; "
        "#ff0000 is for cuts, #0000ff for creases"
    ]


def test_the_colours_can_be_chosen(tmp_path: Path) -> None:
    stock, told, _ = read(tmp_path, ANGLE, STOCK + 'cut-colour: "#0000FF"\ncrease-colour: "#FF0000"\n')

    assert stock is None
    assert told[0].startswith("angle.svg:3: a line to cut is open: it begins at 10, 0 mm and ends at 10, 10 mm")


# Where a point lies


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        (5, 20, 5),  # the middle of the foot
        (39, 5, 1),
        (22, 2, 1),  # above the hole
        (22, 5, -2),  # in its middle
        (9, 9, 2**0.5),  # towards the inner corner
        (13, 14, -3),  # beside the foot
        (60, 60, -10),  # more is not told
    ],
)
def test_how_far_a_point_lies_inside(angle: Stock, x: float, y: float, expected: float) -> None:
    assert angle.lines
    assert angle.lines.inside(x, y) == pytest.approx(expected)


def test_a_line_beside_the_cut(angle: Stock) -> None:
    """A millimetre inside the bar, the foot and around the hole; two millimetres outside of all."""
    assert angle.lines
    inner = {point for contour in flat(angle.lines.offset(-1)) for point in contour}
    outer = {point for contour in flat(angle.lines.offset(2)) for point in contour}

    assert {(1, 1), (39, 1), (39, 9), (9, 29), (1, 29), (19, 5), (22, 8)} <= inner
    assert all(angle.lines.inside(x, y) == pytest.approx(1, abs=0.03) for x, y in inner)
    assert {(-2, 10), (20, -2), (42, 5), (12, 20), (5, 32)} <= outer


# What follows the lines


def slot(stock: Stock, side: str = "front", turn: int = 0) -> Slot:
    return Slot(Piece("angle", "cards", stock, True), side, 100, 50, turn, (2, 2, 2, 2))  # type: ignore[arg-type]


def numbers(path: str) -> list[float]:
    return [float(one) for one in re.findall(r"-?[\d.]+", path)]


def test_sheets_show_cuts_as_lines_and_creases_as_dashes(angle: Stock) -> None:
    """At the place of the piece, turned with it; its back shows them from behind."""
    marks = marks_of(Sheet(1, "front", (slot(angle),)), "corners", ROOM)
    turned = marks_of(Sheet(1, "front", (slot(angle, turn=90),)), "corners", ROOM)
    back = marks_of(Sheet(1, "back", (slot(angle, "back"),)), "corners", ROOM)

    assert (marks.lines, marks.cuts) == ((), ())
    assert numbers(marks.edges[0])[:6] == [100, 50, 140, 50, 140, 60]
    assert [numbers(one) for one in marks.creases] == [[110, 50, 110, 60]]
    assert [numbers(one) for one in turned.creases] == [[100, 80, 110, 80]]  # 30 mm of the bar are above it now
    assert [numbers(one) for one in back.creases] == [[130, 50, 130, 60]]
    assert marks_of(Sheet(1, "front", (slot(angle),)), "none", ROOM).edges == ()
    code = mark_code(marks, load_papers(None, Problems())["a4"])
    assert code.index("[7.087 4.252] 0 d") < code.index("[] 0 d", code.index("[7.087"))


def test_a_machine_cuts_and_creases_in_layers(angle: Stock) -> None:
    """The first place of the sheet, as SVG and as DXF; a template knows the lines that it was made for."""
    paper = load_papers(None, Problems())["a4"]
    template = propose("silhouette", "a4", paper, "angle", angle)
    assert template and template.turned and angle.lines
    x, y = next(template.places())
    drawing = ezdxf.read(io.StringIO(cut_dxf(template, paper, angle).decode()))
    lines = {layer: list(drawing.query(f'LWPOLYLINE[layer=="{layer}"]')) for layer in ("CUT", "CREASE")}
    count = len(list(template.places()))

    svg = cut_svg(template, paper, angle)
    assert numbers(svg.split('id="crease"')[1].split(' d="')[1].split('"')[0]) == [x, y + 30, x + 10, y + 30]
    assert {layer: len(found) for layer, found in lines.items()} == {"CUT": 2 * count, "CREASE": count}
    assert [(px, py) for px, py, *_ in lines["CREASE"][0]] == [(x, 267 - y), (x + 10, 267 - y)]
    assert all(line.closed for line in lines["CUT"]) and not lines["CREASE"][0].closed
    assert f"lines: {angle.lines.digest}" in as_yaml(template)

    other = angle.with_lines(Outline(angle.lines.cuts), 40, 30)
    with pytest.raises(Stop, match=r"made for the lines .*the drawing of the stock Angle now has the lines"):
        impose_on([Piece("angle", "cards", other, False)], template, paper, Settings(backs="none"))


FACE = """\
<svg xmlns="http://www.w3.org/2000/svg"><rect x="-2" y="-2" width="44" height="34" fill="#ffffff"/>
<text x="WHERE" y="8" font-family="SourceSansPro" font-size="4">H</text></svg>"""


def game_of(folder: Path, x: float, words: str = "H") -> Path:
    """A game with an H, or other words, on the bar of its pieces, `x` mm from the left."""
    read(folder, ANGLE)
    deck = (
        "decks: [{id: cards, name: Cards, kind: card, file: cards.csv, count: 3, stock: angle, columns: {}, "
        "faces: {front: plain, back: plain}}]\n"
    )
    text = write_game(folder).joinpath("game.yaml").read_text().partition("decks:")[0] + deck
    return write_game(
        folder,
        game_yaml=text,
        cards_csv="id,name,count\nmouse,Mouse,2\nowl,Owl,1\n",
        faces__plain_svg_j2=FACE.replace("WHERE", f"{x:g}").replace(">H<", f">{words}<"),
    )


@pytest.mark.parametrize(
    ("x", "words", "expected"),
    [(13, "H", []), (17.25, "H", ["comes within 0.5 mm of"]), (13, "HHHHHH", ["runs 1.5 mm over"])],
)
def test_words_keep_off_every_cut(tmp_path: Path, x: float, words: str, expected: list[str]) -> None:
    """An H of 4 mm whose ink ends 562 thousandths of that from where it begins, next to the hole at 20 mm; a row of
    them that runs across the hole, though it begins and ends far from it."""
    problems = Problems()
    game = load_game(game_of(tmp_path, x, words), problems)
    assert game, list(problems)
    found = specimens(game, composer_of(game, problems), game.info.decks[0], {}, "full")[0]

    assert [re.sub(r'".*" | the cut', "", one.message) for one in check_safe_area(found)] == expected


def test_pictures_are_cut_to_the_outline(tmp_path: Path) -> None:
    """What lies outside and in the hole is transparent; on the back it lies the other way round."""
    problems = Problems()
    game = load_game(game_of(tmp_path, 13), problems)
    assert game, list(problems)
    design = designs_of(game, [], problems)[0]
    assert design.back
    front, back = (Image.open(io.BytesIO(face_png(face, 127))) for face in (design.front, design.back))

    def seen(image: Image.Image, x: float, y: float) -> bool:
        return image.getpixel((round(x * 5), round(y * 5)))[3] == 255  # type: ignore[index]  # 5 pixels a millimetre

    assert [seen(front, *at) for at in ((5, 25), (35, 25), (22, 5), (30, 5))] == [True, False, False, True]
    assert [seen(back, *at) for at in ((5, 25), (35, 25), (18, 5), (30, 5))] == [False, True, False, True]


def test_the_preview_shows_the_lines_of_both_sides(tmp_path: Path) -> None:
    """The crease of the front lies 10 mm from the left of 40, so the foot of the back begins at 30."""
    preview = Preview(game_of(tmp_path, 13))
    shown = preview.show("full")[1]
    stock = shown.plain()["stocks"]["angle"]
    back = next(face for face in shown.decks[0].faces if face.side == "back")

    assert stock["lines"]["cut"].startswith("M0 0L40 0L40 10L10 10")
    assert stock["behind"]["cut"].startswith("M40 0L40 30L30 30L30 10")
    assert 'd="M40 0L40 30' in page_svg(back, shown.stocks["angle"])


def test_exports_keep_the_shape(tmp_path: Path) -> None:
    """A print shop gets the lines as a file; a virtual table a token, whose picture has its shape."""
    problems = Problems()
    game = load_game(game_of(tmp_path, 13), problems)
    assert game, list(problems)
    designs = designs_of(game, [], problems)
    files = zipfile.ZipFile(io.BytesIO(zip_of(game, designs)))
    export_tts(game, designs, tmp_path / "tts", lambda name: name, 100, 4096, 1, lambda _: None)
    told = json.loads((tmp_path / "tts" / f"{game.name}.json").read_text())
    token = told["ObjectStates"][0]["ContainedObjects"][0]
    picture = Image.open(tmp_path / "tts" / token["CustomImage"]["ImageURL"])

    assert '<path stroke="#0000ff" d="M10 0L10 10"/>' in files.read("cards_lines.svg").decode()
    assert "as in cards_lines.svg, 2 mm of bleed" in files.read("README.txt").decode()
    assert token["Name"] == "Custom_Token"
    assert picture.getpixel((150, 100))[3] == 0  # type: ignore[index]  # 38 mm from the left, 25 mm down
