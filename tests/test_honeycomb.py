"""Hexagons in a honeycomb: how many fit, how far they are apart, and what is printed of each."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pypdfium2
import pytest
from games_for_tests import FILES, write_game

from grimalkin.content import load_game
from grimalkin.content.stocks import Stock, load_papers, load_stocks
from grimalkin.printing.face import Composer
from grimalkin.printing.sheet.document import sheet_pdf
from grimalkin.printing.sheet.impose import impose, printable
from grimalkin.printing.sheet.marks import _in_trim, marks_of
from grimalkin.printing.sheet.pieces import Piece, Point, Sheet, Slot, faces_by, pieces_of
from grimalkin.printing.sheet.settings import Edition, Settings
from grimalkin.problems import Place, Problems

PAPERS = load_papers(None, Problems())
STOCKS = load_stocks(None, Problems())
HERE = Place("game.yaml")
USUAL = Settings()


def laid(stock: Stock, count: int, paper: str, chosen: Settings = USUAL) -> list[Sheet]:
    problems = Problems()
    sheets = impose([Piece("hex", "deck", stock, True)] * count, PAPERS[paper], chosen, HERE, problems)

    assert not problems
    return sheets


def reach(points: Sequence[Point], way: Point) -> tuple[float, float]:
    along = [x * way[0] + y * way[1] for x, y in points]
    return min(along), max(along)


def apart(one: Sequence[Point], other: Sequence[Point]) -> float:
    """How far two convex shapes are apart along the sides of a hexagon; negative if they overlap."""
    gaps = []
    for sixth in range(12):
        way = (math.cos(math.pi * sixth / 6), math.sin(math.pi * sixth / 6))
        (low, high), (least, most) = reach(one, way), reach(other, way)
        gaps.append(max(least - high, low - most))
    return max(gaps)


def corners(slot: Slot) -> list[Point]:
    """The corners of a hexagon from the sizes alone, whichever way it lies."""
    x, y, w, h = slot.x, slot.y, slot.width, slot.height
    if w > h:
        ends = [(x, y + h / 2), (x + w, y + h / 2)]
        return [*ends, *((x + w * part, y + side) for part in (1 / 4, 3 / 4) for side in (0, h))]
    ends = [(x + w / 2, y), (x + w / 2, y + h)]
    return [*ends, *((x + side, y + h * part) for part in (1 / 4, 3 / 4) for side in (0, w))]


@pytest.mark.parametrize(
    ("name", "paper", "gutter", "count"),
    [
        ("hex-40", "a4", None, 30),
        ("hex-40", "letter", None, 28),
        ("hex-40", "letter", 0, 32),
        ("hex-40", "a3", None, 66),
        ("hex-60", "a4", None, 13),
        ("hex-60", "letter", "bleed", 11),
    ],
)
def test_a_honeycomb_holds_more(name: str, paper: str, gutter: float | None, count: int) -> None:
    """In rows, these sheets hold 24, 24, 27, 50, 12 and 9."""
    sheets = laid(STOCKS[name], count + 1, paper, Settings(gutter=gutter))

    assert [count, 1] == [len(sheet.slots) for sheet in sheets[::2]]
    assert all(slot.cell for slot in sheets[0].slots)
    assert not sheets[2].slots[0].cell


@pytest.mark.parametrize("gutter", [None, 0, 1.0, "bleed"])
@pytest.mark.parametrize(("name", "paper"), [("hex-40", "a4"), ("hex-40", "letter"), ("hex-60", "letter")])
def test_nested_hexagons_keep_apart(name: str, paper: str, gutter) -> None:
    """Sides of neighbours are as far apart as the gutter says, cells do not overlap, and all is within the margins."""
    stock = STOCKS[name]
    sheet = laid(stock, 40, paper, Settings(gutter=gutter))[0]
    left, top, right, foot = printable(PAPERS[paper], Settings())
    gaps = []
    for one, other in combinations(sheet.slots, 2):
        assert one.cell and other.cell
        gaps.append(apart(corners(one), corners(other)))
        assert apart(one.cell, other.cell) > -1e-6
    for slot in sheet.slots:
        assert slot.cell
        assert all(left - 1e-6 <= x <= right + 1e-6 and top - 1e-6 <= y <= foot + 1e-6 for x, y in slot.cell)
    least = {None: 2 * 0.85, "bleed": 2 * stock.bleed}.get(gutter, gutter)
    assert least - 1e-6 <= min(gaps) <= (2 * stock.bleed if gutter in (None, "bleed") else gutter) + 1e-6


@pytest.mark.parametrize("flip", ["long", "short"])
def test_nested_backs_meet_their_fronts(flip) -> None:
    """Their cells are mirror images, too; places that are left empty are empty on both sides."""
    chosen = Settings(flip=flip, skip_slots=frozenset({1, 9}))
    front, back = laid(STOCKS["hex-40"], 28, "letter", chosen)[:2]
    wide, tall = PAPERS["letter"].width, PAPERS["letter"].height

    assert 26 == len(front.slots) == len(back.slots)
    for one, other in zip(front.slots, back.slots, strict=True):
        assert one.cell and other.cell
        turned = [(wide - x, y) if flip == "long" else (x, tall - y) for x, y in one.cell]
        assert turned == [pytest.approx(point) for point in other.cell]


@pytest.mark.parametrize("style", ["corners", "crosses", "lines"])
def test_marks_of_nested_hexagons_stay_off_them(style) -> None:
    """Every hexagon has its dashed outline; no mark is on any of them."""
    sheet = laid(STOCKS["hex-40"], 30, "a4")[0]
    marks = marks_of(sheet, style, printable(PAPERS["a4"], Settings()))

    assert 30 == len(marks.cuts)
    for x1, y1, x2, y2 in marks.lines:
        points = [(x1 + (x2 - x1) * t / 9, y1 + (y2 - y1) * t / 9) for t in range(10)]
        assert not any(_in_trim(slot, points) for slot in sheet.slots)
    assert len(marks.lines) > 30


@pytest.mark.slow("draws sheets, and looks at them")
def test_a_nested_hexagon_is_drawn_only_in_its_cell(tmp_path: Path) -> None:
    """Art that fills its whole box stops halfway to the neighbours; the middle of each piece has its colour."""
    files = {
        "game.yaml": FILES["game.yaml"].replace("count: 3", "count: 30").replace("stock: poker", "stock: hex-40"),
        "cards.csv": "id,name,count,power,mood\nmouse,Mouse,15,1,calm\nowl,Owl,15,7,\n",
        "faces/plain.svg.j2": '{% extends "base/face.svg.j2" %}{% block ground %}'
        '<rect x="-20" y="-20" width="99" height="99" fill="#00aa00"/>'
        '<path d="{{ stock.outline }}" fill="#0000cc"/>{% endblock %}{% block words %}{% endblock %}',
    }
    folder = write_game(tmp_path / "tiny", **files)
    problems = Problems()
    game = load_game(folder, problems)
    assert game and not list(problems), list(problems)
    composer = Composer(game, load_stocks(folder, problems), problems, "full")
    chosen = replace(Settings(), backs="none", marks="none")
    sheets = impose(pieces_of(game, composer.stocks), PAPERS["a4"], chosen, HERE, problems)
    data = sheet_pdf(game, sheets, PAPERS["a4"], chosen, faces_by(game, composer), Edition("1", "abc123"))
    picture = pypdfium2.PdfDocument(io.BytesIO(data))[0].render(scale=10 * 25.4 / 72).to_pil().convert("RGB")
    for one in sheets[0].slots:
        middle = picture.getpixel((round(10 * (one.x + one.width / 2)), round(10 * (one.y + one.height / 2))))
        assert (0, 0, 204) == middle
    colours = picture.getcolors(picture.width * picture.height)
    found = {colour: count for count, colour in colours or ()}
    whole = 30 * 3 * math.sqrt(3) / 2 * (46.188 / 2) ** 2 * 100  # a square of ten pixels is a square millimetre
    assert found[(0, 0, 204)] == pytest.approx(whole, rel=0.01)
    bleeds = 30 * 6 * 23.1 * 1.15 * 100
    assert bleeds * 0.9 < found[(0, 170, 0)] < bleeds * 1.05
