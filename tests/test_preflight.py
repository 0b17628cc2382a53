"""Preflight: every check finds what it is there for, and is silent otherwise."""

from __future__ import annotations

import io
import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from fontTools.ttLib import TTFont
from games_for_tests import FILES, bundled_game, write_game
from PIL import Image
from reportlab.pdfgen.canvas import Canvas
from soak import MORE, SMALLEST

from grimalkin.cli import main
from grimalkin.content import Game, as_variant, load_game
from grimalkin.content.models import Deck
from grimalkin.content.stocks import load_papers, load_stocks
from grimalkin.printing.book.flow import Slab, flow
from grimalkin.printing.book.make import TALL
from grimalkin.printing.draw.canvas import PackedCanvas
from grimalkin.printing.draw.pdf import new_canvas
from grimalkin.printing.draw.raster import Ink, coverage, coverage_table
from grimalkin.printing.face import Composer
from grimalkin.printing.face.svg.colours import contrast_of, linear
from grimalkin.printing.preflight import CHECKS, Finding, faults
from grimalkin.printing.preflight.apart import CELLS, LEAST, Glance, check_apart, least_difference
from grimalkin.printing.preflight.contours import inside, painted
from grimalkin.printing.preflight.documents import (
    Printed,
    check_book,
    check_fonts,
    check_pieces,
    check_registration,
    check_tags,
    check_trim,
    draw_and_read,
    print_books,
    rulebook_of,
)
from grimalkin.printing.preflight.faces import (
    Specimen,
    check_alt_text,
    check_bleed,
    check_contrast,
    check_safe_area,
    check_thin_lines,
    check_type_size,
    edges,
)
from grimalkin.printing.preflight.inspection import (
    BOOK_CHECKS,
    DECK_CHECKS,
    FACE_CHECKS,
    GAME_CHECKS,
    SHEET_CHECKS,
    preflight,
    specimens,
)
from grimalkin.printing.preflight.readback import read_pdf
from grimalkin.printing.preflight.sight import WAYS, lab, most_different, seen
from grimalkin.printing.sheet.impose import impose
from grimalkin.printing.sheet.pieces import all_faces, faces_by, pieces_of
from grimalkin.printing.sheet.settings import Settings
from grimalkin.printing.type.fonts import font_paths
from grimalkin.problems import Place, Problems
from grimalkin.source import bundled_games, data_folder, find_game_folder

WHITE = '<rect x="-3" y="-3" width="69" height="94" fill="#ffffff"/>'


def game_with(folder: Path, svg: str, stock: str = "poker", back: str = "", **changes: str) -> tuple[Game, Composer]:
    """The tiny game with this drawing on the front of its cards, and another on their backs if there is one."""
    head = '<svg xmlns="http://www.w3.org/2000/svg">'
    deck = FILES["game.yaml"].replace("stock: poker", f"stock: {stock}")
    deck = deck.replace("front: plain, back: plain", "front: plain, back: back" if back else "front: plain")
    files = {"game_yaml": deck, "faces__plain_svg_j2": f"{head}\n{svg}</svg>"} | changes
    if back:
        files["faces/back.svg.j2"] = f"{head}{back}</svg>"
    problems = Problems()
    game = load_game(write_game(folder / "tiny", **files), problems)
    assert game is not None and not problems, list(problems)
    return game, Composer(game, load_stocks(game.folder, problems), problems)


def faces(folder: Path, svg: str, stock: str = "poker", back: str = "", **changes: str) -> list[Specimen]:
    game, composer = game_with(folder, svg, stock, back, **changes)
    found = specimens(game, composer, game.info.decks[0], {}, "full")
    assert not composer.problems, list(composer.problems)
    return found


def messages(check, folder: Path, svg: str, stock: str = "poker") -> list[str]:
    return [finding.message for finding in check(faces(folder, svg, stock)[0])]


def text(words: str = "Owl", size: float = 3, x: float = 20, y: float = 40, **more: str) -> str:
    attributes = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in more.items())
    return f'<text x="{x}" y="{y}" font-family="SourceSansPro" font-size="{size}"{attributes}>{words}</text>'


# Geometry


@pytest.mark.parametrize(
    ("stock", "x", "y", "expected"),
    [
        ("poker", 31.5, 44, 31.5),  # the middle: half the width
        ("poker", 0, 44, 0),
        ("poker", 3, 3, 3),  # the middle of the rounded corner
        ("poker", 0, 0, 3 - 3 * math.sqrt(2)),  # cut away with the corner
        ("poker", -2, 44, -2),
        ("circle-25", 12.5, 12.5, 12.5),
        ("circle-25", 0, 0, 12.5 - 12.5 * math.sqrt(2)),
        ("hex-40", 23.094, 20, 20),  # flat top: 20 mm from the middle to every side
        ("hex-40", 23.094, 1, 1),
        ("hex-40", 0, 20, 0),  # its left point
        ("hex-60", 30, 34.641, 30),  # pointy top
        ("hex-60", 1, 34.641, 1),
        ("hex-60", 30, 0, 0),
        ("tile-50", -1, -1, -math.sqrt(2)),
    ],
)
def test_distances_follow_the_true_outline(stock: str, x: float, y: float, expected: float) -> None:
    """Millimetres inside the cut, measured at a right angle to it; outside they are negative."""
    stocks = load_stocks(None, Problems())

    assert expected == pytest.approx(inside(stocks[stock], x, y), abs=0.002)


@pytest.mark.parametrize("stock", sorted(load_stocks(None, Problems())))
def test_rays_start_on_the_cut_and_leave_it(stock: str) -> None:
    """Whatever the shape: their start is 0 mm, and a step of 1 mm along them 1 mm outside."""
    found = load_stocks(None, Problems())[stock]
    rays = [ray for side in edges(found).values() for ray in side]
    straight = [ray for ray in rays if found.corner == 0 or min(inside_corner(found, ray[0])) > found.corner]

    assert straight
    for (x, y), (dx, dy) in straight:
        assert 0 == pytest.approx(inside(found, x, y), abs=0.003)
        assert -1 == pytest.approx(inside(found, x + dx, y + dy), abs=0.003)


def inside_corner(stock, point: tuple[float, float]) -> tuple[float, float]:
    """How far a point on a side is from the ends of that side."""
    x, y = point
    along, length = (y, stock.height) if x in (0, stock.width) else (x, stock.width)
    return along, length - along


def test_paint_is_measured_where_it_is_printed(tmp_path: Path) -> None:
    """Transforms, symbols, clip paths and inherited styles are resolved."""
    svg = """
    <defs><symbol id="dot" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5"/></symbol>
    <clipPath id="half"><rect x="0" y="0" width="5" height="10"/></clipPath></defs>
    <g transform="translate(10 20) scale(2)" stroke="#112233" stroke-width="0.5"><path fill="none" d="M0 0h4v3"/></g>
    <use href="#dot" x="30" y="10" width="20" height="20" fill="#445566"/>
    <g clip-path="url(#half)"><rect x="2" y="2" width="8" height="6" fill="#000000"/></g>
    """
    line, dot, clipped = painted(faces(tmp_path, svg)[0].face)

    assert (1.0, "none", "#112233") == (line.stroke_width, line.fill, line.stroke)
    assert pytest.approx((9.5, 19.5, 18.5, 26.5)) == line.bounds
    assert pytest.approx((30, 10, 50, 30), abs=0.01) == dot.bounds
    assert "#445566" == dot.fill
    assert [True, False, False] == [clipped.covers(x, 5) for x in (4, 6, 1)]


# Faces


@pytest.mark.parametrize(
    ("stock", "svg", "expected"),
    [
        ("poker", text(size=2.3), []),  # 2.3 mm are 6.52 pt
        ("poker", text(size=2.2), ['"Owl" is set in 6.2 pt']),
        ("poker", text("×2", 2.35), ['"×2" is set in 6.7 pt']),
        ("poker", text("×2", 2.5), []),  # 7.09 pt
        ("poker", text("2 owls", 2.35), []),
        ("poker", text(size=2), ['"Owl" is set in 5.7 pt']),
        ("poker", f'<g transform="scale(0.5)">{text(size=4)}</g>', ['"Owl" is set in 5.7 pt']),
        ("poker", f'<g transform="scale(3 0.5)">{text(size=4, x=5)}</g>', ['"Owl" is set in 5.7 pt']),
        ("poker", f'<g transform="rotate(90 30 40)">{text(size=2.3)}</g>', []),
        ("penny", text("I", 1.8, 9, 9), []),  # 5.1 pt on a coin
        ("penny", text("I", 1.7, 9, 9), ['"I" is set in 4.8 pt']),
        ("penny", text("1", 2.4, 9, 9), ['"1" is set in 6.8 pt']),
        ("half-page", text(size=2.4), ['"Owl" is set in 6.8 pt']),
        (
            "poker",
            '<g font-family="SourceSansPro" font-size="2"><text x="9" y="9">Owl</text><text x="9" y="19">E</text></g>',
            ['"Owl" and 1 more like it is set in 5.7 pt'],
        ),
    ],
)
def test_small_type_is_found(tmp_path: Path, stock: str, svg: str, expected: list[str]) -> None:
    """The size as printed counts, across its line; the floor is 5, 6.5 or 7 pt by the size of the piece, and 7 pt for
    figures."""
    assert expected == messages(check_type_size, tmp_path, svg, stock)


@pytest.mark.parametrize(
    ("svg", "expected"),
    [
        ('<path fill="none" stroke="#112233" stroke-width="0.1" d="M20 20H40"/>', []),
        (
            '<path fill="none" stroke="#112233" stroke-width="0.05" d="M20 20H40"/>',
            ["a shape in #112233 has a line of 0.05 mm"],
        ),
        (
            '<g transform="scale(0.25)"><path fill="none" stroke="#112233" stroke-width="0.3" d="M80 80H160"/></g>',
            ["a shape in #112233 has a line of 0.075 mm"],
        ),
        ('<rect x="20" y="20" width="20" height="0.06" fill="#112233"/>', ["a shape in #112233 has a line of 0.06 mm"]),
        ('<rect x="20" y="20" width="20" height="0" fill="#112233"/>', []),
        ('<rect x="20" y="20" width="0.3" height="0.06" fill="#112233"/>', []),  # a speck
        ('<rect x="20" y="20" width="9" height="9" fill="#112233" stroke="#112233" stroke-width="0.05"/>', []),
        (text("1", 5), []),
    ],
)
def test_lines_that_are_too_thin_are_found(tmp_path: Path, svg: str, expected: list[str]) -> None:
    """As printed, after all transforms: strokes, and filled shapes as narrow as one. What has the ink it surrounds is
    no line of its own."""
    assert expected == messages(check_thin_lines, tmp_path, svg)


def test_blanks_need_no_font(tmp_path: Path) -> None:
    """Where only the spans of a text have one, the blanks between them take no room, as in print."""
    font = 'font-family="SourceSansPro" font-size="4"'
    spans = f'<text x="5" y="8"> <tspan {font}>A</tspan> <tspan {font}>B</tspan> </text>'
    (first, second) = painted(faces(tmp_path / "a", spans)[0].face)
    (whole,) = painted(faces(tmp_path / "b", f'<text x="5" y="8" {font}>AB</text>')[0].face)

    assert ["A", "B"] == [first.words, second.words]
    assert (whole.bounds[0], whole.bounds[2]) == (first.bounds[0], pytest.approx(second.bounds[2]))


def test_a_text_box_is_one_finding(tmp_path: Path) -> None:
    """Its lines are told together, with the line of the template that holds the words."""
    svg = '\n<textbox x="5" y="10" width="8" height="30" size="5" floor="5">One two three four</textbox>'
    findings = list(check_type_size(faces(tmp_path, svg)[0]))

    assert ['"One two" and 1 more like it is set in 5.0 pt'] == [one.message for one in findings]
    assert findings[0].place.path.endswith("faces/plain.svg.j2") and findings[0].place.line == 3


def test_words_from_a_table_are_told_with_their_row(tmp_path: Path) -> None:
    """The mouse stands in the second line of cards.csv."""
    finding = next(check_type_size(faces(tmp_path, text("{{ card.name }}", 2))[0]))

    assert finding.place.path.endswith("cards.csv") and finding.place.line == 2
    assert ("type-size", "mouse-front", "at least 6.5 pt on Poker card") == (
        finding.check,
        finding.face,
        finding.remedy,
    )


ROUND = '<g role="img" aria-label="moon"><circle cx="5" cy="5" r="2"/></g>'


def moon(x: float, y: float, size: float = 4, fill: str = "#000000") -> str:
    """Labelled art."""
    rect = f'<rect x="{x}" y="{y}" width="{size}" height="{size}" fill="{fill}"/>'
    return f'<g role="img" aria-label="moon">{rect}</g>'


@pytest.mark.parametrize(
    ("stock", "svg", "expected"),
    [
        ("poker", moon(3, 40), []),
        ("poker", moon(1.2, 40), ['the symbol "moon" comes within 1.2 mm of the cut']),
        ("poker", '<rect x="1.2" y="40" width="4" height="4"/>', []),  # a frame may come near
        ("poker", moon(-3, 40, 10), []),  # art that runs over the cut
        # 45 degrees towards the corner: 3 mm inside both edges would do but for the rounding.
        ("poker", moon(3, 3), []),  # the middle of the corner is 3 mm from it
        ("jumbo", moon(4.2, 4.2), []),
        # Round art in a rounded corner: its box would have a corner 2.6 mm from the cut, its ink is 3 mm away.
        ("jumbo", ROUND, ['the symbol "moon" comes within 3.0 mm of the cut']),
        ("circle-25", moon(10.5, 2), ['the symbol "moon" comes within 1.8 mm of the cut']),
        ("hex-40", moon(2, 18), ['the symbol "moon" comes within 0.7 mm of the cut']),
        ("penny", moon(9.025 - 2, 16), []),
        ("poker", text("Owl", 3, -1, 40), ['"Owl" runs 0.8 mm over the cut']),
        ("poker", text("Owl", 3, 90, 40), ['"Owl" runs 31.8 mm over the cut']),
    ],
)
def test_what_must_be_read_stays_in_the_safe_area(tmp_path: Path, stock: str, svg: str, expected: list[str]) -> None:
    """By the true outline: 10.5, 2 is 12.5 − √(2² + 10.5²) = 1.81 mm inside a circle of 25 mm.

    In thousandths of the size an O begins at 52, and the l of Owl ends at 664 + 718 + 216: −1 + 0.156, 90 + 4.794 mm.
    """
    assert expected == messages(check_safe_area, tmp_path, svg, stock)


def test_the_ink_of_letters_counts_not_their_box(tmp_path: Path) -> None:
    """An H whose stem begins 2.5 mm from the cut: its side bearing is taken from the font's own table."""
    with TTFont(font_paths()["SourceSansPro"]) as font:
        bearing = font["glyf"]["H"].xMin / font["head"].unitsPerEm
    x = 2.5 - bearing * 10

    assert ['"H" comes within 2.5 mm of the cut'] == messages(check_safe_area, tmp_path, text("H", 10, x, 44))
    assert [] == messages(check_safe_area, tmp_path, text("H", 10, x + 0.5, 44))


def band(x: float, width: float, fill: str = "#000000") -> str:
    return f'<rect x="{x}" y="30" width="{width}" height="9" fill="{fill}"/>'


@pytest.mark.parametrize(
    ("stock", "svg", "expected"),
    [
        ("poker", WHITE + band(-3, 20), []),
        ("poker", WHITE + band(-1.2, 20), ["a shape in #000000 ends 1.2 mm beyond the cut (left); the bleed is 3 mm"]),
        ("poker", WHITE + band(1, 20), []),
        ("poker", WHITE + band(0, 20), ["a shape in #000000 ends 0.0 mm beyond the cut (left); the bleed is 3 mm"]),
        ("poker", WHITE + band(-1.2, 20, "#ffffff"), []),  # nobody can see where it ends
        ("poker", WHITE + band(-1.2, 20) + band(-3, 30, "#aa0000"), []),  # covered
        ("poker", WHITE + '<path fill="none" stroke="#0000aa" stroke-width="1" d="M20 20H64"/>', []),  # a detail
        ("poker", WHITE + '<path d="M40 20H64V26H40Z"/>', []),  # another
        (
            "poker",
            WHITE + '<path d="M40 20H64V28H40Z"/>',
            ["a shape in #000000 ends 1.0 mm beyond the cut (right); the bleed is 3 mm"],
        ),
        ("poker", WHITE + '<path d="M-3 30L20 40L-3 50Z"/>', []),  # slanting sides leave the bleed where they will
        (
            "poker",
            '<rect x="-2" y="-2" width="67" height="92" fill="#22304a"/>',
            ["a shape in #22304a ends 2.0 mm beyond the cut (left, right, top, foot); the bleed is 3 mm"],
        ),
        ("circle-25", '<circle cx="12.5" cy="12.5" r="14.5" fill="#22304a"/>', []),
        (
            "circle-25",
            '<g transform="translate(12.5 12.5)"><circle cx="0" cy="0" r="13.2" fill="#22304a"/></g>',
            [
                "a shape in #22304a ends 0.7 mm beyond the cut "
                "(" + ", ".join(f"{hour} o'clock" for hour in range(1, 13)) + "); the bleed is 2 mm"
            ],
        ),
        ("hex-40", '<rect x="-5" y="-5" width="57" height="50" fill="#22304a"/>', []),
        (
            "hex-40",
            '<rect x="-5" y="-1" width="57" height="46" fill="#22304a"/>',
            ["a shape in #22304a ends 1.0 mm beyond the cut (side 1); the bleed is 2 mm"],
        ),
        ("standee", '<rect x="-2" y="0" width="34" height="50" fill="#22304a"/>', []),  # head and foot are folds
    ],
)
def test_art_reaches_the_edge_of_the_bleed(tmp_path: Path, stock: str, svg: str, expected: list[str]) -> None:
    """Or ends inside the cut."""
    assert expected == messages(check_bleed, tmp_path, svg, stock)


@pytest.mark.parametrize(
    ("svg", "expected"),
    [
        # The grey that WCAG names as the lightest on white, and its neighbour.
        (text(fill="#767676"), []),
        (text(fill="#777777"), ['"Owl" in #777777 has a contrast of 4.4:1']),
        (text(size=6.4, fill="#949494"), []),  # 18.1 pt are large
        (text(size=6.4, fill="#959595"), ['"Owl" in #959595 has a contrast of 2.9:1']),
        (text(size=6.2, fill="#949494"), ['"Owl" in #949494 has a contrast of 3.0:1']),  # 17.6 pt are not
        (text(size=5, fill="#949494").replace("Pro", "ProBold"), []),  # 14.2 pt bold
        (text(size=5, fill="#949494"), ['"Owl" in #949494 has a contrast of 3.0:1']),
        ('<rect x="21" y="30" width="3" height="20" fill="#222222"/>' + text(fill="#000000"), True),
        ('<rect x="20.1" y="36" width="0.2" height="9" fill="#222222"/>' + text("Owl owl", 4, fill="#000000"), []),
        (text(fill="#000000") + '<rect x="10" y="30" width="40" height="20" fill="#000000"/>', True),
        # A stem of 0.83 mm on a strip that is hardly wider: what is next to it is as dark as the letter.
        (
            '<rect x="9" y="30" width="20" height="20"/><rect x="20.8" y="30" width="1.1" height="20" fill="#ffffff"/>'
            + text("I", 10),
            True,
        ),
        (moon(20, 40, 6, "#949494"), []),
        (moon(20, 40, 6, "#bbbbbb"), []),
        ('{{ icon("paw", 20, 40, 6, "#949494", "paw") }}', []),
        ('{{ icon("paw", 20, 40, 6, "#959595", "paw") }}', ['the symbol "paw" has a contrast of 2.9:1']),
        ('{{ icon("paw", 20, 40, 6, "#dddddd") }}', []),  # without a label it is an ornament
    ],
)
def test_pale_words_and_symbols_are_found(tmp_path: Path, svg: str, expected: list[str] | bool) -> None:
    """Measured against what lies under the letters and next to them, without its worst tenth."""
    found = messages(check_contrast, tmp_path, WHITE + svg)

    assert expected == (bool(found) if isinstance(expected, bool) else found)


ART = '<path fill="#22304a" d="M20 20C30 20 40 30 40 40C30 40 20 30 20 20Z"/>'


def test_art_without_words_of_its_own_is_found(tmp_path: Path) -> None:
    """A name alone does not say what is drawn; a face of words and boxes says all it has."""
    described = "id,name,count,alt,power,mood\nmouse,Mouse,2,A mouse in a hat.,1,\nowl,Owl,1,Owl,7,\n"
    two = faces(tmp_path / "a", ART, cards_csv=described)

    assert ['its art has 1 shape, but only the name "Mouse" is read aloud'] == messages(check_alt_text, tmp_path, ART)
    assert [[], ["owl-front"]] == [[one.face for one in check_alt_text(specimen)] for specimen in two]
    assert [] == messages(check_alt_text, tmp_path / "b", WHITE + text())
    assert [] == messages(check_alt_text, tmp_path / "c", WHITE + ROUND)


# Telling faces apart


def test_lab_and_simulations_are_the_published_ones() -> None:
    """sRGB red is L* 53.24, a* 80.09, b* 67.20; the tables of `seen` are within 2 of the exact values."""
    assert pytest.approx((53.24, 80.09, 67.20), abs=0.02) == lab(1, 0, 0)
    assert 21 == contrast_of((255, 255, 255), (0, 0, 0))
    assert pytest.approx(4.54, abs=0.005) == contrast_of((0x76, 0x76, 0x76), (255, 255, 255))
    for way, rows in WAYS.items():
        for colour in ((192, 57, 43), (74, 124, 47), (34, 48, 74), (247, 241, 227), (128, 128, 128)):
            light = [linear(value / 255) for value in colour]
            exact = lab(*(sum(a * b for a, b in zip(row, light, strict=True)) for row in rows))
            got = seen(Image.new("RGB", (1, 1), colour), way).getpixel((0, 0))

            assert pytest.approx(exact, abs=2) == (got[0] / 2.55, got[1] - 128, got[2] - 128), (way, colour)


def test_the_most_different_hundredth_counts() -> None:
    """Of 100 pixels one differs by 100 L*: the hundredth that counts is that pixel; of a tenth it is a tenth."""
    one, other = Image.new("RGB", (10, 10), (0, 128, 128)), Image.new("RGB", (10, 10), (0, 128, 128))
    other.putpixel((3, 3), (255, 128, 128))

    assert 0 == most_different(one, one, 0.01)
    assert pytest.approx(100) == most_different(one, other, 0.01)
    assert pytest.approx(10) == most_different(one, other, 0.1)


DISC = '<circle cx="31.5" cy="44" r="10" fill="{}"/>'
SQUARE = '<rect x="22.6" y="35.1" width="17.8" height="17.8" fill="{}"/>'


def suits(calm: str, cross: str) -> str:
    """The mouse is calm, the owl, whose mood is not told, is cross."""
    return WHITE + f'{{% if card.mood == "calm" %}}{calm}{{% else %}}{cross}{{% endif %}}'


def pairs(folder: Path, svg: str, back: str = "", deck: str = "") -> list[str]:
    found = faces(folder, svg, back=back)
    made = game_deck(found, folder, deck)
    return [f"{finding.face}: {finding.message}" for finding in check_apart(made, found)]


def game_deck(found: list[Specimen], folder: Path, more: str) -> Deck:
    game = load_game(folder / "tiny", Problems())
    assert game is not None and found
    return game.info.decks[0].model_copy(update={"apart": tuple(more.split()) if more != "" else None})


@pytest.mark.parametrize(
    ("svg", "expected"),
    [
        (suits(DISC.format("#c0392b"), SQUARE.format("#c0392b")), None),  # another shape
        (suits(DISC.format("#c0392b"), DISC.format("#f0b5ae")), None),  # another lightness
        (suits(DISC.format("#c0392b"), DISC.format("#4a7c2f")), "in greyscale"),  # red and green of one darkness
        (suits(DISC.format("#3355aa"), DISC.format("#7a4f00")), "in greyscale"),
        (suits(DISC.format("#c0392b"), DISC.format("#c0392b")), "delta E 0.0"),
        (suits(DISC.format("#cc2200"), DISC.format("#554400")), "(protan)"),  # red is dark without red cones
    ],
)
def test_suits_of_one_shape_and_darkness_are_found(tmp_path: Path, svg: str, expected: str | None) -> None:
    """Hue alone is not enough, shape or lightness is."""
    found = pairs(tmp_path, svg)

    assert (expected is not None) == bool(found), found
    assert expected is None or (expected in found[0] and found[0].startswith("mouse-front and owl-front: "))


def test_a_deck_says_what_must_be_told_apart(tmp_path: Path) -> None:
    """By the columns in `apart`; without it every two fronts, and always a front and its own back."""
    same = suits(DISC.format("#c0392b"), DISC.format("#c0392b"))

    assert 1 == len(pairs(tmp_path / "a", same, deck="mood"))
    assert 1 == len(pairs(tmp_path / "b", same, deck="power mood"))
    assert 2 == len(pairs(tmp_path / "c", same, deck=" ", back=WHITE + DISC.format("#c0392b")))
    assert 0 == len(pairs(tmp_path / "d", same, deck=" ", back=WHITE + SQUARE.format("#c0392b")))


def test_the_pairs_done_are_told(tmp_path: Path) -> None:
    """46 fronts make 46 · 45 / 2 = 1035 pairs, and each thousandth is told."""
    rows = "".join(f"card-{number},Card,1,1,calm\n" for number in range(46))
    yaml = FILES["game.yaml"].replace("count: 3", "count: 46").replace("stock: poker", "stock: poker\n    apart: []")
    rules = FILES["rules.yaml"].replace("Play a [[mouse]] or an [[owl]].", "Play.")
    changes = {"cards_csv": "id,name,count,power,mood\n" + rows, "game_yaml": yaml.replace(", back: plain", "")}
    game, composer = game_with(tmp_path, WHITE, rules_yaml=rules, **changes)
    said: list[str] = []
    deck = game.info.decks[0]

    assert [] == list(check_apart(deck, specimens(game, composer, deck, {}, "full"), said.append))
    assert ["pair 1000 of 1035"] == said


def test_apart_names_columns_of_the_deck(tmp_path: Path) -> None:
    """Another name is a problem."""
    problems = Problems()
    yaml = FILES["game.yaml"].replace("    stock: poker", "    stock: poker\n    apart: [suit]")
    load_game(write_game(tmp_path / "tiny", game_yaml=yaml), problems)

    assert '`apart` names the column "suit", which the deck does not have' in "".join(map(str, problems))


def test_the_coarse_look_never_accepts_what_the_fine_one_refuses(tmp_path: Path) -> None:
    """Cells are as large as the share that counts, and their mean hides differences, never adds any."""
    one, other = (Glance(one) for one in faces(tmp_path, suits(DISC.format("#c0392b"), SQUARE.format("#4a7c2f")))[:2])
    for way in WAYS:
        fine = most_different(one.fine[way], other.fine[way], 1 / CELLS**2)
        coarse = max(math.dist(a, b) for a, b in zip(one.coarse[way], other.coarse[way], strict=True))

        assert coarse <= fine + 1
    assert least_difference(one, one)[0] == 0 < LEAST


# Finished sheets


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Printed, Composer]]:
    """The tiny game on A4: two mice and an owl, with backs."""
    game, composer = game_with(tmp_path_factory.mktemp("sheets"), WHITE + text(), back=WHITE + DISC.format("#22304a"))
    paper = load_papers(None, Problems())["a4"]
    sheets = impose(pieces_of(game, composer.stocks), paper, Settings(), Place(""), composer.problems)
    yield (
        Printed(
            game,
            paper,
            "full",
            sheets,
            draw_and_read(game, paper, composer, faces_by(game, composer), Settings(), sheets),
        ),
        composer,
    )
    assert not composer.problems


def drawn_with(tiny: tuple[Printed, Composer], side: str, **change: float) -> Printed:
    """The sheets as they should be, and a PDF in which the first slot of one side was changed."""
    printed, composer = tiny
    sheets = [
        replace(sheet, slots=(replace(sheet.slots[0], **change), *sheet.slots[1:])) if sheet.side == side else sheet
        for sheet in printed.sheets
    ]
    return replace(
        printed,
        document=draw_and_read(
            printed.game, printed.paper, composer, faces_by(printed.game, composer), Settings(), sheets
        ),
    )


def test_sound_sheets_pass_every_check(tiny: tuple[Printed, Composer]) -> None:
    """Three pieces with backs: two pages with three faces each."""
    printed, _ = tiny

    assert [3, 3] == [len(page.faces) for _, _, page in printed.pages()]
    assert [] == [finding for check in SHEET_CHECKS.values() for finding in check(printed)]


def test_a_missing_piece_is_found(tiny: tuple[Printed, Composer]) -> None:
    """By counting faces in the PDF, and by comparing with the table and game.yaml."""
    printed, composer = tiny
    fewer = [replace(sheet, slots=sheet.slots[1:]) for sheet in printed.sheets]
    document = draw_and_read(printed.game, printed.paper, composer, faces_by(printed.game, composer), Settings(), fewer)

    assert [
        "2 faces are on the page, but 3 belong there",
        "2 faces are on the page, but 3 belong there",
        "1 of mouse are on the sheets, but the table has 2",
        "the sheets have 2 pieces, but the count in game.yaml is 3",
    ] == [finding.message for finding in check_pieces(replace(printed, document=document))]


def test_a_piece_off_its_place_is_found_from_a_hundredth_of_a_millimetre(tiny: tuple[Printed, Composer]) -> None:
    """A front 0.03 mm too far right: the trim is off, and its back no longer meets it."""
    x = tiny[0].sheets[0].slots[0].x
    moved = drawn_with(tiny, "front", x=x + 0.03)

    assert ["faces and marks are up to 0.030 mm away from where the cut runs"] == [
        finding.message for finding in check_trim(moved)
    ]
    assert ["the back of mouse is 0.030 mm away from its front"] == [
        finding.message for finding in check_registration(moved)
    ]
    assert [] == list(check_registration(drawn_with(tiny, "front", x=x + 0.005)))


def test_a_back_off_its_front_is_found(tiny: tuple[Printed, Composer]) -> None:
    """0.2 mm too low."""
    y = tiny[0].sheets[1].slots[0].y

    assert ["the back of mouse is 0.200 mm away from its front"] == [
        finding.message for finding in check_registration(drawn_with(tiny, "back", y=y + 0.2))
    ]


def test_a_cut_without_marks_is_found(tiny: tuple[Printed, Composer]) -> None:
    """Sheets without marks: all four edges of the two mice and the owl, on both pages."""
    printed, composer = tiny
    document = draw_and_read(
        printed.game, printed.paper, composer, faces_by(printed.game, composer), Settings(marks="none"), printed.sheets
    )

    assert ["8 edges of mouse have no mark in line with them", "4 edges of owl have no mark in line with them"] * 2 == [
        finding.message for finding in check_trim(replace(printed, document=document))
    ]


def other_pdf(tiny: tuple[Printed, Composer], draw, ours: PackedCanvas | None = None) -> Printed:
    """A PDF that somebody else made, or one of ours that is no sheet."""
    canvas = ours or Canvas(io.BytesIO())
    draw(canvas)
    canvas.showPage()
    return replace(tiny[0], sheets=[], document=read_pdf(ours.pdf() if ours else canvas.getpdfdata()))


def test_fonts_that_are_not_embedded_are_found(tiny: tuple[Printed, Composer]) -> None:
    """One of the fourteen that every reader is said to have."""
    printed = other_pdf(tiny, lambda canvas: canvas.drawString(9, 9, "Owl"))
    found = [finding.message for finding in check_fonts(printed)]

    assert ["Helvetica", "is not embedded"] == [found[0].split(" ")[0], found[0].partition(") ")[2]]


def test_missing_characters_are_found(tiny: tuple[Printed, Composer]) -> None:
    """Labels are not composed, so nobody else looks at their characters: the font has no snowman."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont("SourceSansPro", 9)
        canvas.drawString(9, 9, "snow ☃!")

    ours = other_pdf(tiny, draw, new_canvas((100, 100)))
    found = [finding.message for finding in check_fonts(ours)]

    assert '"snow �!" has characters (�) that its font lacks' in found


def test_an_untagged_pdf_is_found(tiny: tuple[Printed, Composer]) -> None:
    """A plain PDF has no language, no tags and no headings, and all it paints is loose; a form counts once."""

    def draw(canvas: Canvas) -> None:
        canvas.beginForm("art")
        canvas.rect(9, 9, 9, 9)
        canvas.rect(9, 9, 5, 5)
        canvas.endForm()
        canvas.drawString(9, 9, "Owl")
        canvas.doForm("art")

    printed = other_pdf(tiny, draw)

    assert [
        "no language is set",
        "it is not marked as tagged",
        "there is no first-level heading",
        "2 painting operators are neither in the structure nor an artifact",
    ] == [finding.message for finding in check_tags(printed)]


def test_structure_without_words_or_parents_is_found(tiny: tuple[Printed, Composer]) -> None:
    """A figure needs an alternative text, and marked content a parent."""
    printed, _ = tiny
    document = replace(printed.document, elements=[("H1", ""), ("Figure", "")], rows={})
    found = [finding.message for finding in check_tags(replace(printed, document=document))]

    assert "1 figures have no alternative text" == found[0]
    assert found[1].endswith("pieces of marked content are not in the structure tree")


# All together


@pytest.mark.slow("looks at all faces and sheets of a game")
@pytest.mark.soak
@pytest.mark.parametrize("name", bundled_games() if MORE > 1 else SMALLEST)
def test_bundled_games_are_ready_to_print(name: str) -> None:
    """No finding, in any ink, on A4 and Letter, as usual and as each variant."""
    problems = Problems()
    game = load_game(find_game_folder(name), problems)
    assert game is not None
    papers = load_papers(game.folder, problems)

    games = [game, *(as_variant(game, [variant]) for variant in game.info.variants)]

    assert [] == [str(finding) for finding in preflight(games, [papers["a4"], papers["letter"]], problems)]
    assert not problems


@pytest.mark.slow("draws a game in several designs")
def test_designs_that_look_the_same_are_told_once(tmp_path: Path) -> None:
    """A template that draws nothing else in low ink has its findings once; one that does is looked at again."""
    paper = load_papers(None, Problems())["a4"]
    game, _ = game_with(tmp_path / "a", WHITE + text(size=2))
    other, _ = game_with(tmp_path / "b", '{% if inks == "full" %}' + WHITE + "{% endif %}" + text(size=2))

    once = [(one.check, one.face) for one in preflight([game], [paper], Problems())]

    assert [("type-size", "mouse-front"), ("apart", "mouse-front and owl-front")] == once
    assert ["mouse-front", "mouse-front (low ink)"] == [
        one.face for one in preflight([other], [paper], Problems()) if one.check == "type-size"
    ]


def test_components_that_look_the_same_are_each_asked_for_words(tmp_path: Path) -> None:
    """Everything else is told for the first of them."""
    game, _ = game_with(tmp_path, ART + text(size=2))
    found = [(one.check, one.face) for one in preflight([game], [], Problems(), ["full"]) if one.check != "apart"]

    assert [("type-size", "mouse-front"), ("alt-text", "mouse-front"), ("alt-text", "owl-front")] == found


def test_faulty_templates_are_problems_and_no_findings(tmp_path: Path) -> None:
    """Nothing can be measured on a face that cannot be composed."""
    problems = Problems()
    game, _ = game_with(tmp_path, "<blink/>")

    assert [] == preflight([game], [], problems)
    assert problems


def test_every_check_is_named_described_and_in_the_guide() -> None:
    """The table, the functions and the guide have the same checks."""
    guide = (data_folder("site") / "docs" / "guide" / "preflight.md").read_text(encoding="utf-8")

    assert list(CHECKS) == [*FACE_CHECKS, *DECK_CHECKS, *GAME_CHECKS, *SHEET_CHECKS, "book"]
    for name, reason in CHECKS.items():
        assert f"`{name}`" in guide and reason in guide, name


def test_findings_of_one_element_are_one_fault() -> None:
    """Its first finding, three of the other faces by name, and how many more; all of them in the record."""
    here, there, row = Place("card.svg.j2", 3), Place("card.svg.j2", 9), Place("cards.csv", 2)
    findings = [
        Finding("contrast", "owl-front", row, "4.0:1", "4.5:1 at 8 pt", here),
        Finding("contrast", "elk-front", here, "3.0:1", "4.5:1 at 7 pt", here),
        Finding("contrast", "elk-front", there, "3.0:1", "4.5:1", there),
        Finding("type-size", "elk-front", row, "5.0 pt", "6 pt", here),
        *(Finding("contrast", f"{name}-front", here, "2.0:1", "4.5:1", here) for name in ("fox", "cat", "cow", "emu")),
    ]
    many, single, small = faults(findings)

    expected = "card.svg.j2:3: owl-front: 4.0:1; 4.5:1 at 8 pt [contrast] "
    assert expected + "(also elk-front, fox-front, cat-front and 2 more)" == str(many)
    assert "card.svg.j2:9: elk-front: 3.0:1; 4.5:1 [contrast]" == str(single)
    assert "cards.csv:2: elk-front: 5.0 pt; 6 pt [type-size]" == str(small)
    also = many.record()["also"]
    assert isinstance(also, list)
    assert ["elk-front", "fox-front", "cat-front", "cow-front", "emu-front"] == [one["face"] for one in also]
    assert {"face": "elk-front", "place": {"path": "card.svg.j2", "line": 3}} == {
        key: also[0][key] for key in ("face", "place")
    }


FAULTY = (
    WHITE
    + """{% set n = card.power %}
<rect x="-1.5" y="{{ 20 + n }}" width="14" height="7" fill="#1d1a26"/>
{{ icon("paw", 1, 10, 6 + n % 2, "#1d1a26", "a paw") }}
<textbox x="5" y="5" width="53" height="10" size="{{ 10 + n % 3 }}" fill="#bbbbbb">{{ card.name }}</textbox>
<text x="5" y="{{ 60 + n }}" font-family="SourceSansPro" font-size="{{ n / 10 }}">{{ card.id }}</text>
"""
)


def test_a_fault_of_a_template_is_told_once_for_all_its_faces(tmp_path: Path) -> None:
    """Nine cards of other words, sizes and places: one fault each of four elements."""
    rows = "".join(f"card-{number},The {name},1,{number},\n" for number, name in enumerate("abcdefghi", 1))
    changes = {
        "cards_csv": "id,name,count,power,mood\n" + rows,
        "game_yaml": FILES["game.yaml"].replace("count: 3", "count: 9").replace(", back: plain", ""),
        "rules_yaml": FILES["rules.yaml"].replace("Play a [[mouse]] or an [[owl]].", "Play."),
    }
    game, _ = game_with(tmp_path, FAULTY, **changes)
    findings = preflight([game], [], Problems(), ["full"])
    told = {(one.first.check, one.first.place.line): len(one.faces) for one in faults(findings)}

    assert {
        ("type-size", 6): 9,  # at most 0.9 mm: 2.6 pt
        ("safe-area", 4): 9,
        ("bleed", 3): 9,
        ("contrast", 5): 9,
    } == told
    assert 4 * 9 == len(findings)


@pytest.mark.slow("draws a game in several designs")
def test_each_face_is_composed_once_a_design(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty fronts and backs in three designs that differ, on two papers: the sheets show what was looked at."""
    rows = "".join(f"card-{number},{number},1,1,\n" for number in range(40))
    yaml = FILES["game.yaml"].replace("count: 3", "count: 40").replace("stock: poker", "stock: poker\n    apart: []")
    changes = {
        "cards_csv": "id,name,count,power,mood\n" + rows,
        "game_yaml": yaml,
        "rules_yaml": FILES["rules.yaml"].replace("Play a [[mouse]] or an [[owl]].", "Play."),
    }
    game, _ = game_with(tmp_path, WHITE + text("{{ card.name }} {{ inks }} {{ side }}"), **changes)
    papers = load_papers(None, Problems())
    asked: list[str] = []
    compose = Composer.compose

    def counted(composer: Composer, template: str, id_: str, *more: object, **others: object) -> object:
        asked.append(id_)
        return compose(composer, template, id_, *more, **others)

    monkeypatch.setattr(Composer, "compose", counted)
    preflight([game], [papers["a4"], papers["letter"]], Problems())

    assert {f"card-{number}-{side}": 3 for number in range(40) for side in ("front", "back")} == Counter(asked)


@pytest.mark.slow("draws a game in several designs")
def test_the_command_tells_findings_and_its_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """1 with findings, as text and as JSON; 0 without."""
    game_with(tmp_path, suits(text(size=2), text("An owl", 6)))
    folder = str(tmp_path / "tiny")

    assert 1 == main(["preflight", folder, "--paper", "a4"])
    shown = capsys.readouterr().out
    assert '"Owl" is set in 5.7 pt; at least 6.5 pt on Poker card [type-size]' in shown
    assert shown.endswith("tiny: 1 finding\n")
    assert 1 == main(["preflight", folder, "--paper", "a4", "--json"])
    record = json.loads(capsys.readouterr().out)["tiny"][0]
    assert {"check", "face", "place", "message", "remedy", "also", "warning"} == set(record)
    game_with(tmp_path, suits(text(size=4), text("An owl", 6)))
    assert 0 == main(["preflight", folder, "--ink", "full", "--paper", "letter"])
    assert "tiny: no findings\n" == capsys.readouterr().out
    assert 1 == main(["preflight", folder, "--paper", "a4,a44"])
    assert '--paper: there is no paper "a44"; did you mean "a4"?\n' == capsys.readouterr().err


# Ink


def inked(*fills: tuple[str, float]) -> bytes:
    """A PDF with a page for each colour, which covers that share of it."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(200, 100))
    for colour, share in fills:
        canvas.setFillColor(colour)
        canvas.rect(0, 0, 200 * share, 100, stroke=0, fill=1)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def test_ink_is_the_share_of_the_sheet_that_each_colour_covers() -> None:
    """Half a page black; a quarter cyan, of which 1 − (0.7152 + 0.0722) is ink; half a page in a grey of a half; a
    quarter blue, in which there is no black."""
    black, cyan, grey, blue = coverage(inked(("#000000", 0.5), ("#00ffff", 0.25), ("#808080", 0.5), ("#0000ff", 0.25)))

    assert pytest.approx((0.5, 0.5, 0, 0, 0, 0.5), abs=0.01) == (black.covered, black.ink, *black.colours)
    assert pytest.approx((0.25, 0.25 * 0.2126, 0.25, 0, 0, 0), abs=0.01) == (cyan.covered, cyan.ink, *cyan.colours)
    assert pytest.approx((0.5, 0.249, 0, 0, 0, 0.249), abs=0.01) == (grey.covered, grey.ink, *grey.colours)
    assert pytest.approx((0.25, 0.25, 0, 0), abs=0.01) == blue.colours
    assert [1, 2, 3, 4] == [black.page, cyan.page, grey.page, blue.page]


def test_the_table_of_inks_compares_designs() -> None:
    """Means over the pages of each."""
    full = [Ink(1, 0.5, 0.25, 0.1, 0.2, 0.3, 0.1), Ink(2, 1.0, 0.75, 0.1, 0.2, 0.3, 0.3)]

    assert [
        "design  pages  covered    ink   cyan  magenta  yellow  black",
        "full        2    75.0%  50.0%  10.0%    20.0%   30.0%  20.0%",
        "low         0     0.0%   0.0%   0.0%     0.0%    0.0%   0.0%",
    ] == coverage_table({"full": full, "low": []})


def test_what_is_higher_than_a_page_of_the_book_is_found() -> None:
    """With its page and its rule; what just fits is not."""
    high = Slab(TALL + 12, lambda *_: None, heads=("Play", "1.2"))
    fits = Slab(TALL, lambda *_: None, heads=("Play", "1.1"))
    game = bundled_game("were-kittens")
    rulebook = SimpleNamespace(game=game, book=SimpleNamespace(leaves=flow([fits, high], TALL)))
    (finding,) = check_book(rulebook)  # type: ignore[arg-type]

    assert ("book", "the rulebook, page 3") == (finding.check, finding.face)
    assert "the content is 12 mm taller than the page (rule 1.2)" == finding.message


@pytest.mark.slow("a rulebook is drawn and read back")
def test_a_rulebook_is_looked_at_like_sheets(tmp_path: Path) -> None:
    """A book for a screen, one to fold, and the card of the quick reference: all of them with fonts and tags."""
    problems = Problems()
    game = bundled_game("were-kittens")
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    faces = all_faces(game, composer)
    rulebook = rulebook_of(game, composer, faces, problems)
    assert rulebook is not None
    printed = list(print_books(rulebook, composer, faces, load_papers(None, problems)["a4"]))

    assert ["the rulebook", "the rulebook", "the quick-reference card"] == [one.what for one in printed]
    assert [] == [fault for one in printed for check in BOOK_CHECKS.values() for fault in check(one)]
    assert {"H1", "H2", "L", "Figure", "TOC"} <= {kind for kind, _ in printed[0].document.elements}
    bare = replace(printed[0], document=replace(printed[0].document, language=""))
    assert ["no language is set"] == [fault.message for fault in BOOK_CHECKS["tags"](bare)]
