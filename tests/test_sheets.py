"""Sheets: geometry as arithmetic, and once more from the finished PDF, read by a library that did not write it."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pdfplumber
import pikepdf
import pytest
from games_for_tests import FILES, write_game
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from grimalkin.build import compose
from grimalkin.content import Game, load_game
from grimalkin.content.stocks import Paper, Stock, load_papers
from grimalkin.face import Face
from grimalkin.problems import Place, Problems
from grimalkin.sheet import Item, Sheet, impose, sheet_pdf
from grimalkin.sheet.impose import Flip
from grimalkin.sheet.marks import MARK_WEIGHT
from grimalkin.source import bundled_games, find_game_folder

MM = 25.4 / 72
TOLERANCE = 0.01
HERE = Place("game.yaml")


def made(name: str, paper_name: str, flip: Flip) -> tuple[Game, list[Item], list[Sheet], Paper, bytes]:
    problems = Problems()
    game = load_game(find_game_folder(name), problems)
    assert game is not None
    _, items, _ = compose(game, problems)
    paper = load_papers(None, problems)[paper_name]
    sheets = impose(items, paper, flip, HERE, problems)
    assert not problems
    return game, items, sheets, paper, sheet_pdf(game, sheets, paper, flip)


Box = tuple[float, float, float, float]

EVERY = [(name, paper, flip) for name in bundled_games() for paper in ("a4", "letter") for flip in ("long", "short")]


def grounds(page: pdfplumber.page.Page, sizes: Counter[tuple[float, float]]) -> Iterator[Box]:
    """Shapes on a page that have the outer size of one of the stocks: x, y, width, height in mm from the upper left."""
    seen = set()
    for shape in [*page.rects, *page.curves]:
        box = (shape["x0"] * MM, shape["top"] * MM, shape["width"] * MM, shape["height"] * MM)
        rounded = tuple(round(value, 2) for value in box)
        near = any(abs(box[2] - w) < TOLERANCE and abs(box[3] - h) < TOLERANCE for w, h in sizes)
        if near and rounded not in seen:
            seen.add(rounded)
            yield box


def assert_same_places(expected: list[Box], found: list[Box]) -> None:
    """Every box has its like, within the tolerance."""
    left = list(found)
    for box in expected:
        like = [other for other in left if box == pytest.approx(other, abs=TOLERANCE)]

        assert like, (box, left)
        left.remove(like[0])
    assert [] == left


@pytest.mark.parametrize(("name", "paper_name", "flip"), EVERY)
def test_trims_in_the_finished_pdf(name: str, paper_name: str, flip: Flip) -> None:
    """Every piece lies where imposition says, at its true size, within 0.01 mm; backs meet fronts on the leaf."""
    _, _, sheets, paper, data = made(name, paper_name, flip)
    found: dict[tuple[int, str], list[tuple[float, float, float, float]]] = {}
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        assert len(sheets) == len(pdf.pages)
        for sheet, page in zip(sheets, pdf.pages, strict=True):
            assert paper.width == pytest.approx(float(page.width) * MM, abs=TOLERANCE)
            assert paper.height == pytest.approx(float(page.height) * MM, abs=TOLERANCE)
            stocks = [slot.face.stock for slot in sheet.slots]
            outer = Counter((stock.width + 2 * stock.bleed, stock.height + 2 * stock.bleed) for stock in stocks)
            boxes = list(grounds(page, outer))
            expected = [
                (
                    slot.x - slot.face.stock.bleed,
                    slot.y - slot.face.stock.bleed,
                    slot.face.stock.width + 2 * slot.face.stock.bleed,
                    slot.face.stock.height + 2 * slot.face.stock.bleed,
                )
                for slot in sheet.slots
            ]
            assert_same_places(expected, boxes)
            found[sheet.leaf, sheet.side] = boxes
    for (leaf, side), boxes in found.items():
        back = found[leaf, "back"]
        if side == "front" and back:
            if flip == "long":
                turned = [(paper.width - x - w, y, w, h) for x, y, w, h in boxes]
            else:
                turned = [(x, paper.height - y - h, w, h) for x, y, w, h in boxes]
            assert_same_places(turned, back)


@pytest.mark.parametrize(("name", "paper_name", "flip"), EVERY[:2])
def test_the_finished_document(name: str, paper_name: str, flip: Flip) -> None:
    """Boxes, fonts, metadata, bookmarks, language, searchable text, and the same bytes again."""
    game, _, sheets, _, data = made(name, paper_name, flip)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert game.info.title in str(pdf.docinfo["/Title"])
        assert game.info.credits[0].name in str(pdf.docinfo["/Author"])
        assert "en" == str(pdf.Root.Lang)
        assert "/None" == str(pdf.Root.ViewerPreferences.PrintScaling)
        with pdf.open_outline() as outline:
            assert sorted(deck.name for deck in game.info.decks) == sorted(item.title for item in outline.root)
        for page, sheet in zip(pdf.pages, sheets, strict=True):
            media, trim, bleed = (
                [float(value) for value in page.obj[key]] for key in ("/MediaBox", "/TrimBox", "/BleedBox")
            )

            assert media[0] <= bleed[0] <= trim[0] and trim[2] <= bleed[2] <= media[2]
            assert media[1] <= bleed[1] <= trim[1] and trim[3] <= bleed[3] <= media[3]
            if sheet.slots:
                left = min(slot.x for slot in sheet.slots)
                assert left == pytest.approx(trim[0] * MM, abs=TOLERANCE)
        for obj in pdf.objects:
            if isinstance(obj, pikepdf.Dictionary) and obj.get("/Type") == "/Font":
                assert "/FontDescriptor" in obj and "/FontFile2" in obj.FontDescriptor, obj.get("/BaseFont")
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        text = " ".join(page.extract_text() for page in pdf.pages)
    assert "this line measures 50 mm" in text
    assert "print at 100 %" in text
    assert data == made(name, paper_name, flip)[4]


def test_the_rule_measures_fifty_millimetres() -> None:
    """The line beside its words, in the finished PDF."""
    *_, data = made("were-kittens", "a4", "long")
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        lines = [line["width"] * MM for line in pdf.pages[0].lines]

    assert any(abs(width - 50) < TOLERANCE for width in lines)


def test_coins_have_the_sizes_of_the_mint() -> None:
    """Penny 19.05 mm, nickel 21.21 mm, dime 17.91 mm, quarter 24.26 mm, with 1.5 mm of bleed all round."""
    *_, data = made("were-kittens", "a4", "long")
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        widths = Counter(
            round(curve["width"] * MM, 2)
            for curve in pdf.pages[0].curves
            if curve["fill"] and abs(curve["width"] - curve["height"]) < 0.01
        )

    assert {22.05: 10, 24.21: 6, 20.91: 6, 27.26: 1} == {w: widths[w] for w in (22.05, 24.21, 20.91, 27.26)}


def test_marks_stay_off_the_pieces() -> None:
    """No mark comes nearer to any trim than its bleed, on either side; all are at least 0.15 mm wide."""
    *_, sheets, _, data = made("were-kittens", "a4", "long")
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        for page, sheet in zip(pdf.pages, sheets, strict=True):
            marks = [line for line in page.lines if abs(line["linewidth"] * MM - MARK_WEIGHT) < 0.001]
            cut_marks = [line for line in marks if line["top"] * MM > 6.25]
            if sheet.slots:
                assert len(cut_marks) >= 4 * len(sheet.decks)
            for line in cut_marks:
                assert line["linewidth"] * MM >= 0.15
                x, y = (line["x0"] + line["x1"]) / 2 * MM, (line["top"] + line["bottom"]) / 2 * MM
                for slot in sheet.slots:
                    stock = slot.face.stock
                    if stock.shape == "circle":
                        r = stock.width / 2
                        assert ((x - slot.x - r) ** 2 + (y - slot.y - r) ** 2) ** 0.5 > r + stock.bleed
                    else:
                        inside = -stock.bleed < x - slot.x < stock.width + stock.bleed
                        assert not (inside and -stock.bleed < y - slot.y < stock.height + stock.bleed)


def blank(width: float, height: float, name: str) -> Face:
    stock = Stock(name=name, shape="rectangle", width=width, height=height, bleed=3)
    return Face(name, name, name, stock, etree.Element("svg"))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(10, 90), st.floats(10, 120), st.integers(1, 30), st.booleans()), min_size=1, max_size=5
    ),
    st.sampled_from(["long", "short"]),
)
def test_imposition_keeps_its_promises(stocks: list[tuple[float, float, int, bool]], flip: Flip) -> None:
    """Nothing overlaps, nothing leaves the margins, every piece is there as often as asked, backs meet fronts."""
    paper = Paper(name="A4", width=210, height=297, margin=10)
    items: list[Item] = []
    for index, (width, height, count, two_sided) in enumerate(stocks):
        front, back = blank(width, height, f"f{index}"), blank(width, height, f"b{index}")
        items += [Item(front, back if two_sided else None, f"deck{index % 2}")] * count
    problems = Problems()
    sheets = impose(items, paper, flip, HERE, problems)

    assert not problems
    printed = Counter(slot.face.id for sheet in sheets for slot in sheet.slots)
    wanted = Counter(item.front.id for item in items) + Counter(item.back.id for item in items if item.back)
    assert wanted == printed
    assert ["front", "back"] * (len(sheets) // 2) == [sheet.side for sheet in sheets]
    for front, back in zip(sheets[::2], sheets[1::2], strict=True):
        assert front.leaf == back.leaf
        for sheet in (front, back):
            boxes = [
                (s.x - 3, s.y - 3, s.x + s.face.stock.width + 3, s.y + s.face.stock.height + 3) for s in sheet.slots
            ]
            for i, a in enumerate(boxes):
                assert a[0] > 10 - 1e-6 and a[1] > 10 - 1e-6 and a[2] < 200 + 1e-6 and a[3] < 287 + 1e-6
                for b in boxes[i + 1 :]:
                    apart = a[2] <= b[0] + 1e-6 or b[2] <= a[0] + 1e-6 or a[3] <= b[1] + 1e-6 or b[3] <= a[1] + 1e-6
                    assert apart
        if back.slots:
            assert len(front.slots) == len(back.slots)
            for f, b in zip(front.slots, back.slots, strict=True):
                assert f.face.id[1:] == b.face.id[1:]
                if flip == "long":
                    assert f.x + f.face.stock.width + b.x == pytest.approx(210) and f.y == b.y
                else:
                    assert f.y + f.face.stock.height + b.y == pytest.approx(297) and f.x == b.x


def test_a_piece_too_large_for_the_paper_is_told(tmp_path: Path) -> None:
    """With its size, the room there is, and what to do."""
    folder = write_game(tmp_path / "tiny", game_yaml=FILES["game.yaml"].replace("stock: poker", "stock: huge"))
    (folder / "stocks").mkdir()
    (folder / "stocks" / "huge.yaml").write_text("name: Huge\nshape: rectangle\nwidth: 200\nheight: 300\n")
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None
    _, items, _ = compose(game, problems)
    impose(items, load_papers(None, problems)["a4"], "long", HERE, problems)

    assert [
        'game.yaml: "mouse-front" needs 206 × 306 mm with its bleed, A4 has room for 190 × 277 mm; '
        "choose a smaller stock or a larger paper",
        'game.yaml: "owl-front" needs 206 × 306 mm with its bleed, A4 has room for 190 × 277 mm; '
        "choose a smaller stock or a larger paper",
    ] == [str(problem) for problem in problems]
