"""Sheets: what imposition promises, read from the finished PDF by a library that did not write it."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import get_args

import ezdxf
import pdfplumber
import pikepdf
import pypdfium2
import pytest
from games_for_tests import FILES, bundled_game, write_game
from PIL import Image, ImageChops, ImageOps, ImageStat
from shown import made_once
from soak import sampled

from grimalkin.content import Game, load_game
from grimalkin.content.cutters import load_cutters
from grimalkin.content.stocks import Paper, Stock, load_papers, load_stocks
from grimalkin.output.printout import once, print_out
from grimalkin.printing.face import Composer, Face, Inks
from grimalkin.printing.sheet.cover import cover_of
from grimalkin.printing.sheet.cutting import impose_on
from grimalkin.printing.sheet.document import _shape, sheet_pdf
from grimalkin.printing.sheet.impose import impose
from grimalkin.printing.sheet.marks import MARK_WEIGHT
from grimalkin.printing.sheet.pieces import Piece, Sheet, Slot, face_matrix, faces_by, pieces_of
from grimalkin.printing.sheet.settings import Edition, Printer, Settings
from grimalkin.problems import Place, Problems, Stop
from grimalkin.source import bundled_games, find_game_folder

pytestmark = pytest.mark.slow("draws whole documents, and reads them")

MM = 25.4 / 72
TOLERANCE = 0.01
HERE = Place("game.yaml")
STOCKS = load_stocks(None, Problems())
PAPERS = load_papers(None, Problems())
A4 = PAPERS["a4"]
EDITION = Edition("1.0", "abc123")
Box = tuple[float, float, float, float]


def printed(game: Game, what: Sequence[Piece] | None, paper: Paper, chosen: Settings) -> tuple[list[Sheet], bytes]:
    """The sheets of a game, and their PDF."""
    problems = Problems()
    composer = Composer(game, load_stocks(game.folder, problems), problems, chosen.inks)
    sheets = impose(pieces_of(game, composer.stocks) if what is None else what, paper, chosen, HERE, problems)
    data = sheet_pdf(game, sheets, paper, chosen, faces_by(game, composer), EDITION)

    assert [] == [str(problem) for problem in problems]
    return sheets, data


@lru_cache
def loaded(folder: Path) -> Game:
    game = load_game(folder, Problems())
    assert game is not None
    return game


@lru_cache
def bundled(name: str, paper: str = "a4", **chosen: object) -> tuple[Game, list[Sheet], bytes]:
    """A bundled game, its sheets and their PDF, made once a run for all tests."""
    game = bundled_game(name)
    settings = replace(Settings(), **chosen)
    kept = f"sheets-{name}-{paper}-{'-'.join(f'{key}-{value}' for key, value in sorted(chosen.items()))}"
    return (game, *made_once(kept, lambda: printed(game, None, PAPERS[paper], settings)))


def text_of(data: bytes) -> str:
    """What can be searched for in a PDF."""
    return " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in pypdfium2.PdfDocument(data))


# Every stock, on every paper, with every way of printing backs


@pytest.fixture(scope="module")
def every_stock(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A game with two pieces of each stock; the trim of every face is drawn in a colour of its own."""
    decks = "".join(
        f"""
  - id: d-{name}
    name: {name}
    kind: card
    file: {name}.csv
    count: 2
    stock: {name}
    faces: {{front: trim, back: trim}}"""
        for name in STOCKS
    )
    head = "title: All\ntagline: All\nsummary: All.\nplayers: {least: 1, most: 1}\n"
    head += "minutes: {least: 1, most: 1}\n"
    head += 'year: 2026\nprefix: AL\nrules-version: "1"\ncredits: [{role: A, name: B}]\npalette: {red: "#aa0000"}\n'
    rules = "sections: [{id: a, title: A, rules: [{id: AL-1, title: A, text: A.}]}]"
    tables = {f"{name}.csv": f"id,name,count\n{name}-piece,{name},2\n" for name in STOCKS}
    trim = """{% extends "base/face.svg.j2" %}{% block words %}
<rect x="0" y="0" width="{{ stock.width }}" height="{{ stock.height }}"
 fill="none" stroke="#123456" stroke-width="0.1"/>
{% endblock %}"""
    folder = tmp_path_factory.mktemp("games") / "every-stock"
    files = {"game.yaml": head + "decks:" + decks, "rules.yaml": rules, "faces/trim.svg.j2": trim, **tables}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return loaded(folder)


COLOUR = tuple(value / 255 for value in (0x12, 0x34, 0x56))


def trims_on(page: pdfplumber.page.Page) -> list[Box]:
    """Every trim drawn on a page: left, top, right, foot in millimetres from the upper left corner."""
    return [
        (shape["x0"] * MM, shape["top"] * MM, shape["x1"] * MM, shape["bottom"] * MM)
        for shape in [*page.rects, *page.curves]
        if shape["stroke"] and shape["stroking_color"] == pytest.approx(COLOUR, abs=0.005)
    ]


def expected_trims(slot: Slot) -> list[Box]:
    """The faces of a slot; those of a piece that folds lie between its feet, worked out from the sizes alone."""
    stock = slot.piece.stock
    if stock.fold == "none":
        return [slot.trim]
    begins = (stock.foot, stock.foot + stock.height)
    if slot.turn == 0:
        return [(slot.x, slot.y + v, slot.x + stock.width, slot.y + v + stock.height) for v in begins]
    return [(slot.x + v, slot.y, slot.x + v + stock.height, slot.y + stock.width) for v in begins]


def assert_same(expected: Sequence[Box], found: Sequence[Box]) -> None:
    """Every box has its like, within the tolerance, and there are no others."""
    left = list(found)
    for box in expected:
        like = [other for other in left if box == pytest.approx(other, abs=TOLERANCE)]

        assert like, (box, left)
        left.remove(like[0])
    assert [] == left


@sampled(("paper_name", "backs"), product(sorted(PAPERS), ["duplex", "fold", "none", "apart"]), 8)
def test_every_stock_in_the_finished_pdf(every_stock: Game, paper_name: str, backs) -> None:
    """Each trim lies where imposition says, at its true size, within 0.01 mm; backs meet fronts on the leaf."""
    paper = PAPERS[paper_name]
    problems = Problems()
    some = pieces_of(every_stock, STOCKS)
    if backs == "fold":  # what fills more than half a sheet cannot be folded, and is told
        impose(some, paper, Settings(backs=backs), HERE, problems)
        too_large = {problem.message.split('"')[1] for problem in problems}
        maps = {f"map-{part}-piece" for part in ("first", "next", "last", "plate")}
        assert too_large <= {
            "full-page-piece",
            "board-piece",
            "half-page-piece",
            "jumbo-piece",
            "book-page-piece",
            *maps,
        }
        some = [piece for piece in some if piece.id not in too_large]
    flip = "short" if paper_name == "letter" else "long"
    sheets, data = printed(every_stock, some, paper, Settings(backs=backs, flip=flip))
    found: list[list[Box]] = []
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        assert len(sheets) == len(pdf.pages)
        for sheet, page in zip(sheets, pdf.pages, strict=True):
            assert (paper.width, paper.height) == pytest.approx((page.width * MM, page.height * MM), abs=TOLERANCE)
            found.append(trims_on(page))
            assert_same([box for slot in sheet.slots for box in expected_trims(slot)], found[-1])
    sizes = Counter(
        size
        for boxes in found
        for left, top, right, foot in boxes
        for size in [tuple(sorted((round(right - left, 2), round(foot - top, 2))))]
    )
    for piece in dict.fromkeys(some):
        stock = piece.stock
        assert sizes[tuple(sorted((round(stock.width, 2), round(stock.height, 2))))] >= 2, piece.id
    if backs in ("duplex", "apart"):
        for front, back, fronts, backs_found in zip(sheets[::2], sheets[1::2], found[::2], found[1::2], strict=True):
            two_sided = [box for box in fronts if not folds_at(front, box)]
            assert front.leaf == back.leaf
            assert_same([turned(box, paper, flip) for box in two_sided], backs_found)


def folds_at(sheet: Sheet, box: Box) -> bool:
    """Whether the face at this place is one of a piece that folds: it has no back on the other side of the leaf."""
    return any(
        slot.piece.stock.fold != "none" and box == pytest.approx(face, abs=TOLERANCE)
        for slot in sheet.slots
        for face in expected_trims(slot)
    )


def turned(box: Box, paper: Paper, flip: str) -> Box:
    """Where a box lies when the leaf is turned over."""
    left, top, right, foot = box
    if flip == "long":
        return (paper.width - right, top, paper.width - left, foot)
    return (left, paper.height - foot, right, paper.height - top)


def test_faces_are_turned_as_their_slots_say() -> None:
    """The upper left corner of the trim goes to the lower left, lower right and upper right, turn by turn."""
    piece = Piece("a", "d", STOCKS["poker"], True)

    for turn, corner in ((0, (10, 20)), (90, (10, 83)), (180, (73, 108)), (270, (98, 20))):
        a, b, c, d, e, f = face_matrix(Slot(piece, "front", 10, 20, turn))
        assert corner == (e, f)
        assert 1 == a * d - b * c


@pytest.mark.parametrize("machine", ["silhouette", "cricut"])
def test_cut_files_register_with_the_finished_page(every_stock: Game, machine: str) -> None:
    """Every trim of the front pages lies on an outline of the DXF, within 0.01 mm, y counted from the foot."""
    problems = Problems()
    chosen = Settings(cutter=machine, cover=False)
    some = [p for p in pieces_of(every_stock, STOCKS) if p.id in ("poker-piece", "penny-piece", "hex-40-piece")]
    composer = Composer(every_stock, STOCKS, problems)
    papers = {"a4": PAPERS["a4"]}
    made = print_out(composer, faces_by(every_stock, composer), some, papers, chosen, EDITION)

    assert [] == [str(problem) for problem in problems]
    with pdfplumber.open(io.BytesIO(made.files["every-stock-a4.pdf"])) as pdf:
        fronts = [trims_on(page) for page in pdf.pages[::2]]
    for stock, trims in zip(("hex-40", "penny", "poker"), fronts, strict=True):
        text = made.files[f"every-stock-{machine}-a4-{stock}-1.dxf"].decode()
        outlines = [outline_box(entity) for entity in ezdxf.read(io.StringIO(text)).modelspace()]
        boxes = [(left, 297 - top, right, 297 - foot) for left, foot, right, top in outlines]
        assert 2 == len(trims)
        for trim in trims:
            assert any(trim == pytest.approx(box, abs=TOLERANCE) for box in boxes), (trim, boxes)


def test_the_picture_for_a_machine_that_prints_shows_the_trims_where_the_cut_file_has_them(every_stock: Game) -> None:
    """20 pixels to the millimetre: 171 × 234 mm are 3420 × 4680; the first trim begins at 39 - 19.5, 57.5 - 31.5."""
    problems = Problems()
    chosen = Settings(cutter="cricut", cover=True, backs="none")  # the picture is of the sheet, not of the cover
    some = [piece for piece in pieces_of(every_stock, STOCKS) if piece.id == "poker-piece"]
    composer = Composer(every_stock, STOCKS, problems)
    papers = {"a4": PAPERS["a4"]}
    made = print_out(composer, faces_by(every_stock, composer), some, papers, chosen, EDITION)
    picture = Image.open(io.BytesIO(made.files["every-stock-cricut-a4-poker-1-leaf-1.png"])).convert("RGB")

    assert (3420, 4680) == picture.size
    for x in (19.5, 19.5 + 63):
        line = [picture.getpixel((int(x * 20) + off, 40 * 20)) for off in range(-3, 3)]
        assert (0x12, 0x34, 0x56) in line
    assert (0x12, 0x34, 0x56) in [picture.getpixel((40 * 20, 26 * 20 + off)) for off in range(-3, 3)]


def outline_box(entity: ezdxf.entities.DXFEntity) -> Box:
    """Left, foot, right, top of an outline; of a rounded one, its corners tell as much as its arcs."""
    if entity.dxftype() == "CIRCLE":
        x, y, r = entity.dxf.center.x, entity.dxf.center.y, entity.dxf.radius
        return (x - r, y - r, x + r, y + r)
    points = [point[:2] for point in entity.get_points()]
    return (min(x for x, _ in points), min(y for _, y in points), max(x for x, _ in points), max(y for _, y in points))


@pytest.mark.parametrize(
    ("chosen", "sides"),
    [
        (Settings(), "/DuplexFlipLongEdge"),
        (Settings(flip="short"), "/DuplexFlipShortEdge"),
        (Settings(same_backs_once=True), "/Simplex"),
        (Settings(backs="fold"), "/Simplex"),
        (Settings(backs="apart"), "/Simplex"),
        (Settings(backs="none"), "/Simplex"),
    ],
)
def test_print_dialogues_offer_the_right_sides(tmp_path: Path, chosen: Settings, sides: str) -> None:
    """A viewer that knows the preference, such as Chromium, preselects what the sheet itself asks for."""
    _, data = printed(loaded(write_game(tmp_path / "tiny")), None, PAPERS["a4"], chosen)

    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert sides == str(pdf.Root.ViewerPreferences.Duplex)


# The bundled games


@pytest.mark.parametrize("name", bundled_games())
@pytest.mark.parametrize("paper_name", ["a4", "letter"])
def test_the_finished_document(name: str, paper_name: str) -> None:
    """Boxes, fonts, metadata, bookmarks, language, searchable text, and the same bytes again."""
    game, sheets, data = bundled(name, paper_name)
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
                assert min(slot.x for slot in sheet.slots) == pytest.approx(trim[0] * MM, abs=TOLERANCE)
        for obj in pdf.objects:
            if isinstance(obj, pikepdf.Dictionary) and obj.get("/Type") == "/Font":
                inner = obj.DescendantFonts[0] if obj.Subtype == "/Type0" else obj
                assert "/FontFile2" in inner.FontDescriptor, obj.get("/BaseFont")
    text = text_of(data)
    assert "this line measures 50 mm" in text
    assert "print at 100 %" in text
    assert "content abc123" in text
    if paper_name == "a4":
        assert data == printed(loaded(find_game_folder(name)), None, PAPERS["a4"], Settings())[1]


@pytest.mark.parametrize("gutter", [0, 1, 4])
def test_strips_that_fold_keep_their_art_from_their_neighbours(every_stock: Game, gutter: float) -> None:
    """Two standees side by side: each face is drawn within its trim and half the gutter, or its bleed at the edge."""
    some = [piece for piece in pieces_of(every_stock, STOCKS) if piece.id == "standee-piece"]
    (sheet, _), data = printed(every_stock, some, PAPERS["a4"], Settings(gutter=gutter, marks="none"))
    with pikepdf.open(io.BytesIO(data)) as pdf:
        operators = pdf.pages[0].Contents.read_bytes().decode("latin-1")
    clips = [tuple(map(float, found)) for found in re.findall(r"(\S+) (\S+) (\S+) (\S+) re W n", operators)]
    spans = {(round(297 - (y + h) * MM, 2), round(297 - y * MM, 2)) for _, y, _, h in clips if h > 0 and y > 10}
    inner = min(2, gutter / 2)
    first, second = sheet.slots

    expected = [(first.y - 2, first.y + 30 + inner), (second.y - inner, second.y + 32)]
    assert {(round(top, 2), round(foot, 2)) for top, foot in expected} == spans


def test_the_cover_tells_how_a_standee_and_a_tent_are_made(every_stock: Game) -> None:
    """The feet stay free of glue, and a drawn outline is cut last; a tent needs no glue."""
    steps = {}
    for id_ in ("standee-piece", "tent-piece", "poker-piece"):
        some = [piece for piece in pieces_of(every_stock, STOCKS) if piece.id == id_]
        problems = Problems()
        sheets = impose(some, PAPERS["a4"], Settings(), HERE, problems)
        composer = Composer(every_stock, STOCKS, problems)
        steps[id_] = " ".join(cover_of(every_stock, sheets, PAPERS["a4"], Settings(), composer, EDITION).cutting)
    standee, tent, poker = steps.values()

    order = ("one strip", "score", "fold", "glue", "not the feet", "dashes", "dry", "bend the feet")
    assert sorted(order, key=standee.index) == list(order)
    assert "score it from dots to dots, and fold it; do not glue it" in tent and "feet" not in tent
    assert "one strip" not in poker


def test_the_hat_says_how_it_is_made_on_what_is_cut_away() -> None:
    """On its front, and once: the words of all four steps. The dashes to cut along lie on a light line, in all inks."""
    for inks in get_args(Inks):
        game, sheets, _ = bundled("curses-and-covens", inks=inks)
        problems = Problems()
        composer = Composer(game, load_stocks(game.folder, problems), problems, inks)
        hat = next(slot.piece for sheet in sheets for slot in sheet.slots if slot.piece.id == "hat")
        front, back = faces_by(game, composer)(hat)
        assert front and back
        words = [text.text or "" for text in front.root.iter("{*}text")]

        assert [f"{number}." for number in range(1, 5)] == [text[:2] for text in words]
        assert not list(back.root.iter("{*}text"))
        for face in (front, back):
            paths = list(face.root.iter("{*}path"))
            dashes = [index for index, path in enumerate(paths) if path.get("stroke-dasharray")]
            assert 1 == len(dashes)
            under, over = paths[dashes[0] - 1], paths[dashes[0]]
            assert under.get("d") == over.get("d")
            assert float(under.attrib["stroke-width"]) > 2 * float(over.attrib["stroke-width"])
            assert under.attrib["stroke"].lower() != over.attrib["stroke"].lower()


def test_marks_are_shared_by_sheets_of_one_shape_alone() -> None:
    """A tile and a rounded card of one size lie alike, but only the card has dots for its corners."""
    sharp, round_ = (Stock(name="S", shape="rectangle", width=70, height=70, corner=corner) for corner in (0, 3))
    slots = [Slot(Piece("a", "d", stock, False), "front", 20, 20) for stock in (sharp, round_)]

    assert _shape(Sheet(1, "front", (slots[0],))) != _shape(Sheet(2, "front", (slots[1],)))


def test_the_rule_measures_fifty_millimetres() -> None:
    """The line beside its words, in the finished PDF."""
    *_, data = bundled("were-kittens")
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        lines = [(line["width"] + line["height"]) * MM for line in pdf.pages[0].lines]

    assert any(abs(length - 50) < TOLERANCE for length in lines)


def test_coins_have_the_sizes_of_the_mint() -> None:
    """Penny 19.05 mm, nickel 21.21 mm, dime 17.91 mm, quarter 24.26 mm, with 1.5 mm of bleed all round."""
    *_, data = bundled("were-kittens")
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        widths = Counter(
            round(curve["width"] * MM, 2)
            for curve in pdf.pages[0].curves
            if curve["fill"] and abs(curve["width"] - curve["height"]) < 0.01
        )

    assert {22.05: 10, 24.21: 6, 20.91: 6, 27.26: 1} == {w: widths[w] for w in (22.05, 24.21, 20.91, 27.26)}


def test_the_faces_of_a_piece_are_asked_for_once_a_page(tmp_path: Path) -> None:
    """Composing takes most of the time: nothing that comes after the pages asks again, as for the forms."""
    game = loaded(write_game(tmp_path / "tiny"))
    problems = Problems()
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    asked: Counter[str] = Counter()

    def counted(piece: Piece) -> tuple[Face | None, Face | None]:
        asked[piece.id] += 1
        return faces_by(game, composer)(piece)

    pieces = list(dict.fromkeys(pieces_of(game, composer.stocks)))
    chosen = Settings(backs="none", cover=False)
    made = print_out(composer, counted, pieces, {"a4": PAPERS["a4"]}, chosen, EDITION)

    assert not problems and ["tiny-a4.pdf"] == list(made.files)
    assert {"mouse": 1, "owl": 1} == asked


@pytest.mark.parametrize(("name", "paper"), [("were-kittens", "a4"), ("werecats", "letter")])
def test_marks_stay_off_the_pieces(name: str, paper: str) -> None:
    """No mark lies in a trim, on either side; all are at least 0.15 mm wide."""
    _, sheets, data = bundled(name, paper)
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        for page, sheet in zip(pdf.pages[:4], sheets, strict=False):
            marks = [line for line in page.lines if abs(line["linewidth"] * MM - MARK_WEIGHT) < 0.001]
            if sheet.slots:
                assert len(marks) >= 4 * len(sheet.decks)
            for line in marks:
                assert line["linewidth"] * MM >= 0.15
                x, y = (line["x0"] + line["x1"]) / 2 * MM, (line["top"] + line["bottom"]) / 2 * MM
                for slot in sheet.slots:
                    if slot.piece.stock.shape == "circle":
                        r = slot.width / 2
                        assert ((x - slot.x - r) ** 2 + (y - slot.y - r) ** 2) ** 0.5 > r + 0.15
                    else:
                        left, top, right, foot = slot.trim
                        assert not (left + 0.001 < x < right - 0.001 and top - 0.1 < y < foot + 0.1)
                        assert not (top + 0.001 < y < foot - 0.001 and left - 0.1 < x < right + 0.1)


KINDS = [("a4", {}), ("letter", {}), ("both", {"inks": "low"}), ("a4", {"backs": "fold"})]


@sampled(("name", "paper", "chosen"), [(name, *kind) for name, kind in product(bundled_games(), KINDS)], 10)
def test_everything_is_printed_within_the_margins(name: str, paper: str, chosen: dict[str, object]) -> None:
    """All that is not white lies 5 mm or more from the edges: bleeds, marks, words and the rule."""
    data = bundled(name, paper, **chosen)[2]
    for page in pypdfium2.PdfDocument(data):
        picture = page.render(scale=4 * MM).to_pil().convert("L")
        dark = ImageChops.invert(picture).getbbox()

        assert dark is not None
        assert 4.75 * 4 <= min(dark[:2])
        assert dark[2] <= picture.width - 4.75 * 4 and dark[3] <= picture.height - 4.75 * 4


@pytest.mark.parametrize("paper", ["a4", "letter", "both"])
def test_nine_cards_have_title_codes_and_rule_at_their_sides(paper: str) -> None:
    """On full sheets of Werecats the texts run up beside the cards, in 5 pt or more."""
    _, sheets, data = bundled("werecats", paper)
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        for sheet, page, drawn in zip(sheets[:2], pdf.pages, pypdfium2.PdfDocument(data), strict=False):
            left, right = min(slot.bleed[0] for slot in sheet.slots), max(slot.bleed[2] for slot in sheet.slots)
            words = drawn.get_textpage()
            beside = "".join(
                words.get_text_bounded(left=start / MM, right=end / MM)
                for start, end in ((0, left), (right, PAPERS[paper].width))
            )
            rules = [line for line in page.lines if abs(line["height"] * MM - 50) < TOLERANCE]

            assert 9 == len(sheet.slots)
            for told in (
                "Werecats · Villagers",
                "faces ",
                "page ",
                "content abc123",
                "this line measures 50 mm",
                "Guillotine",
            ):
                assert told in beside
            assert [True] == [line["x0"] * MM < left for line in rules]
            for char in page.chars:
                if not left < char["x0"] * MM < right:
                    assert char["width"] >= 5 - 0.01


# Ways to print


def test_back_pages_that_are_alike_are_left_out_on_request(tmp_path: Path) -> None:
    """Twenty cards with one back: three leaves, and one back page at the end, which names them."""
    rows = "id,name,count,power,mood\nmouse,Mouse,20,1,\n"
    game = loaded(write_game(tmp_path / "alike", cards_csv=rows, game_yaml=TWENTY, **{"faces/back.svg.j2": PLAIN_BACK}))
    problems = Problems()
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    sheets = impose(pieces_of(game, composer.stocks), PAPERS["a4"], Settings(), HERE, problems)
    left = once(sheets, faces_by(game, composer))

    assert ["front", "back"] * 3 == [sheet.side for sheet in sheets]
    assert [("front", ()), ("front", ()), ("front", ()), ("back", (1, 2, 3))] == [(s.side, s.leaves) for s in left]


def test_a_printer_profile_moves_backs_alone() -> None:
    """Half a millimetre to the right and 0.3 mm up, measured in the PDF, and told on the sheet."""
    straight = bundled("were-kittens")[2]
    crooked = bundled("were-kittens", printer=Printer("office", back_x=0.5, back_y=0.3))[2]
    with pdfplumber.open(io.BytesIO(straight)) as a, pdfplumber.open(io.BytesIO(crooked)) as b:
        for index, (dx, dy) in ((0, (0, 0)), (1, (0.5, -0.3))):
            before, after = a.pages[index].curves[0], b.pages[index].curves[0]

            assert dx == pytest.approx((after["x0"] - before["x0"]) * MM, abs=TOLERANCE)
            assert dy == pytest.approx((after["top"] - before["top"]) * MM, abs=TOLERANCE)
    assert "printer office: backs +0.5 mm right, +0.3 mm up" in text_of(crooked)


def test_a_printer_profile_moves_fronts_and_what_measures_them() -> None:
    """2 mm to the right, 1 mm down and 1 % wider: pieces and the page's boxes agree, and the sheet says so."""
    profile = Printer("labels", front_x=2, front_y=-1, scale_x=101)
    straight, moved = bundled("were-kittens")[2], bundled("were-kittens", printer=profile)[2]
    with pdfplumber.open(io.BytesIO(straight)) as a, pdfplumber.open(io.BytesIO(moved)) as b:
        before, after = a.pages[0].curves[0], b.pages[0].curves[0]
        for key in ("x0", "x1"):
            expected = 105 + (before[key] * MM - 105) * 1.01 + 2
            assert expected == pytest.approx(after[key] * MM, abs=TOLERANCE)
        assert 1 == pytest.approx((after["top"] - before["top"]) * MM, abs=TOLERANCE)
    with pikepdf.open(io.BytesIO(straight)) as a, pikepdf.open(io.BytesIO(moved)) as b:
        for name in ("/TrimBox", "/BleedBox"):
            old, new = ([float(value) * MM for value in one.pages[0][name]] for one in (a, b))
            expected = [105 + (old[at] - 105) * 1.01 + 2 if at % 2 == 0 else old[at] - 1 for at in range(4)]
            assert expected == pytest.approx(new, abs=TOLERANCE)
    assert "printer labels: fronts +2 mm right, -1 mm up; both stretched to 101 % across, 100 % up" in text_of(moved)


def test_pieces_for_tight_sleeves_are_smaller_and_say_so(every_stock: Game) -> None:
    """At 95 %, every trim is drawn where imposition puts the smaller piece; the rule stays at 50 mm, and names it."""
    composer = Composer(every_stock, STOCKS, Problems(), "full")
    chosen = Settings(scale=95)
    for backs in ("duplex", "fold"):
        chosen = replace(chosen, backs=backs)
        pieces = [
            replace(piece, stock=piece.stock.scaled(0.95))
            for piece in pieces_of(every_stock, STOCKS)
            if piece.id in ("d-poker", "poker-piece", "standee-piece", "hex-40-piece", "penny-piece", "tent-piece")
        ]
        problems = Problems()
        sheets = impose(pieces, PAPERS["a4"], chosen, HERE, problems)
        data = sheet_pdf(every_stock, sheets, PAPERS["a4"], chosen, faces_by(every_stock, composer), EDITION)
        with pdfplumber.open(io.BytesIO(data)) as pdf:
            for sheet, page in zip(sheets, pdf.pages, strict=True):
                assert_same([box for slot in sheet.slots for box in expected_trims(slot)], trims_on(page))
            lines = [(line["width"] + line["height"]) * MM for line in pdf.pages[0].lines]
        assert any(abs(length - 50) < TOLERANCE for length in lines)
        assert "this line measures 50 mm; pieces at 95 % of true size" in text_of(data)
        assert "pieces at 95 % of true size · rules version" in text_of(data)


def test_all_pieces_of_a_scaled_printout_are_scaled(tmp_path: Path) -> None:
    """The file is named after its scale, and so are its title and its cover; what is not cut has its usual name."""
    game = loaded(write_game(tmp_path))
    composer = Composer(game, load_stocks(game.folder, Problems()), Problems(), "full")
    pieces = pieces_of(game, composer.stocks)
    made = print_out(composer, faces_by(game, composer), pieces, {"a4": PAPERS["a4"]}, Settings(scale=95), EDITION)

    assert [f"{game.name}-a4-scale-95.pdf"] == list(made.files)
    data = made.files[f"{game.name}-a4-scale-95.pdf"]
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert "sheets to print and cut, at 95 % of true size, A4" in str(pdf.docinfo["/Title"])
        trim = [float(value) * MM for value in pdf.pages[2].TrimBox]
    assert "The pieces on these sheets are drawn at 95 % of true size" in text_of(data)
    assert "every cut is at 95 % of true size" in text_of(data)
    sizes = (trim[2] - trim[0], trim[3] - trim[1])
    assert min(piece.stock.width for piece in pieces) * 0.95 <= sizes[0]


def test_mirrored_pieces_are_mirror_images_in_their_places() -> None:
    """Each piece, upright or turned, flat or folded, looks like itself in a mirror, at its usual place."""
    _, sheets, straight = bundled("curses-and-covens", backs="none")
    _, mirrored, data = bundled("curses-and-covens", backs="none", mirror=True)
    turns = set()
    pages = zip(sheets, mirrored, pypdfium2.PdfDocument(straight), pypdfium2.PdfDocument(data), strict=True)
    for sheet, other, page, seen in pages:
        assert [slot.trim for slot in sheet.slots] == [slot.trim for slot in other.slots]
        before, after = (one.render(scale=5 * MM).to_pil().convert("L") for one in (page, seen))
        for slot in sheet.slots:
            turns.add((slot.turn, slot.piece.stock.fold))
            box = tuple(round(5 * value) for value in slot.trim)
            flip = ImageOps.flip if slot.turn % 180 else ImageOps.mirror
            same, unlike = (
                ImageStat.Stat(ImageChops.difference(one.reduce(5), after.crop(box).reduce(5))).mean[0]
                for one in (flip(before.crop(box)), before.crop(box))
            )
            assert same < unlike / 2, slot.piece.id
    assert {(0, "none"), (90, "none")} < turns and any(fold == "standee" for _, fold in turns)
    assert "mirrored for transfers" in text_of(data)


def test_transfers_are_printed_on_one_side(tmp_path: Path) -> None:
    """Backs have a file of their own; a fold is refused, and so is a drawn outline on a machine's template."""
    game = loaded(write_game(tmp_path))
    composer = Composer(game, load_stocks(game.folder, Problems()), Problems(), "full")
    pieces = [replace(piece, two_sided=True) for piece in pieces_of(game, composer.stocks)]

    def made(chosen: Settings) -> list[str]:
        return list(print_out(composer, faces_by(game, composer), pieces, {"a4": A4}, chosen, EDITION).files)

    names = [f"{game.name}-a4-mirrored-{side}.pdf" for side in ("fronts", "backs")]
    assert names == made(Settings(mirror=True))
    with pytest.raises(Stop) as stopped:
        made(Settings(mirror=True, backs="fold"))
    told = "--mirror: such a sheet cannot be folded; choose --backs apart or none"
    assert told == str(stopped.value.problems[0])


CODE = re.compile(r"Leaf (\d+), (\w+) · faces (\w{6}) · ")


def codes(folder: Path, **changes: str) -> dict[tuple[str, str], str]:
    """What stands beside the leaf's number on each page of sixteen mice and four owls on A4, eight to a leaf."""
    files = {"cards_csv": MICE, "game_yaml": TWENTY, "faces__back_svg_j2": PLAIN_BACK} | changes
    files["faces/back.svg.j2"] = files.pop("faces__back_svg_j2")
    _, data = printed(loaded(write_game(folder, **files)), None, PAPERS["a4"], Settings(gutter="bleed"))
    found = CODE.findall(text_of(data))
    return {(leaf, side): code for leaf, side, code in found}


def test_a_code_beside_the_number_of_a_leaf_tells_which_faces_it_shows(tmp_path: Path) -> None:
    """Two leaves of mice are alike, the third has owls. A change of the owl changes that page, one of the back all."""
    before = codes(tmp_path / "a" / "tiny")
    owl = codes(tmp_path / "b" / "tiny", cards_csv=MICE.replace("7", "8"))
    back = codes(tmp_path / "c" / "tiny", faces__back_svg_j2=PLAIN_BACK.replace("20, 30", "20, 31"))

    assert before["1", "front"] == before["2", "front"] != before["3", "front"]
    assert {("3", "front")} == {page for page in before if owl[page] != before[page]}
    assert {"back"} == {side for leaf, side in before if back[leaf, side] != before[leaf, side]}
    assert 6 == len(before)


MICE = "id,name,count,power,mood\nmouse,Mouse,16,1,\nowl,Owl,4,7,\n"
BLANK = '<svg xmlns="http://www.w3.org/2000/svg"><rect x="-3" y="-3" width="300" height="300" fill="#ffffff"/></svg>'
FILLS_A4 = "name: Third\nshape: rectangle\nwidth: 70\nheight: 99\n"
BLANKS = {"faces/plain.svg.j2": BLANK, "faces/back.svg.j2": BLANK, "stocks/third.yaml": FILLS_A4}


@pytest.mark.parametrize(
    ("paper", "stock", "chosen"),
    [
        ("a4", "poker", {}),
        ("letter", "poker", {}),
        ("both", "poker", {"marks": "crosses"}),
        ("a3", "tarot", {"marks": "lines"}),
        ("a4", "poker", {"backs": "fold"}),
        ("a4", "poker", {"gutter": 0.0}),
        ("a3", "square", {}),  # the words stand above and below
        ("letter", "poker", {"gutter": "bleed", "margin": 7.0}),
        ("letter", "poker", {"gutter": 0.0, "margin": 0.0, "flip": "short", "marks": "dots"}),
        ("a4", "board", {}),
        ("tabloid", "half-page", {}),
        ("narrow", "poker", {}),  # lines too long for it
        ("a4", "third", {"gutter": 0.0, "margin": 0.0}),  # eight turned cards take all of it
    ],
)
def test_nothing_of_ours_is_printed_on_a_card(
    tmp_path: Path, paper: str, stock: str, chosen: dict[str, object]
) -> None:
    """Blank faces stay blank within every trim, and words of 5 pt or more stand outside of every bleed. Where cards
    are all there is, words can be found and are not seen."""
    yaml = TWENTY.replace("stock: poker", f"stock: {stock}")
    game = loaded(write_game(tmp_path / "tiny", game_yaml=yaml, cards_csv=MICE, **BLANKS))
    page_size = PAPERS.get(paper) or Paper(name="Narrow", width=102, height=152, margin=3)
    assert_blank(*printed(game, None, page_size, replace(Settings(), **chosen)), stock != "third")


@pytest.mark.parametrize("machine", ["silhouette", "cricut"])
def test_nothing_of_ours_is_cut_out_by_a_machine(tmp_path: Path, machine: str) -> None:
    """The same on its templates."""
    game = loaded(write_game(tmp_path / "tiny", game_yaml=TWENTY, cards_csv=MICE, **BLANKS))
    problems, paper, chosen = Problems(), PAPERS["letter"], Settings(cutter=machine)
    composer, template = Composer(game, STOCKS, problems), load_cutters(None, problems)[f"{machine}-letter-poker-1"]
    sheets = impose_on(pieces_of(game, STOCKS), template, paper, chosen)
    faces = faces_by(game, composer)

    assert_blank(sheets, sheet_pdf(game, sheets, paper, chosen, faces, EDITION, {template.id: template}))


def assert_blank(sheets: Sequence[Sheet], data: bytes, is_room: bool = True) -> None:
    """Within trims all is white; where there is room for words, they stand off the bleeds and on the page."""
    document = pypdfium2.PdfDocument(data)
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        for sheet, page, drawn in zip(sheets, pdf.pages, document, strict=True):
            picture = drawn.render(scale=6 * MM).to_pil().convert("L")
            for slot in sheet.slots:
                left, top, right, foot = slot.window or slot.trim
                inside = picture.crop([round(at * 6) for at in (left + 0.3, top + 0.3, right - 0.3, foot - 0.3)])

                assert (255, 255) == inside.getextrema()
            for char in page.chars if is_room else ():
                assert 5 <= (char["size"] if char["upright"] else char["width"])
                assert 0 <= char["x0"] and char["x1"] <= page.width
                for slot in sheet.slots:
                    box = slot.window or slot.bleed
                    apart = char["x1"] * MM <= box[0] or char["x0"] * MM >= box[2]

                    assert apart or char["bottom"] * MM <= box[1] + 0.3 or char["top"] * MM >= box[3] - 0.3
            assert "faces" in "".join(char["text"] for char in page.chars) or not sheet.slots


def test_the_fold_and_the_backs_share_a_page() -> None:
    """Gutter-fold: fronts and backs on one page, the fold drawn from edge to edge, no page for backs."""
    _, sheets, data = bundled("were-kittens", backs="fold")
    folded = [sheet for sheet in sheets if sheet.fold]

    assert folded and {"front"} == {sheet.side for sheet in sheets}
    assert "fold on the dotted line" in text_of(data)
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        widest = max(line["width"] + line["height"] for line in pdf.pages[0].lines) * MM
    assert widest > 190


TWENTY = (
    FILES["game.yaml"].replace("count: 3", "count: 20").replace("front: plain, back: plain", "front: plain, back: back")
)
PLAIN_BACK = (
    """{% extends "base/face.svg.j2" %}{% block art %}{{ icon("paw", 20, 30, 20, palette.red) }}{% endblock %}"""
)


# Golden pages


@pytest.mark.parametrize(
    ("name", "page", "chosen"),
    [
        ("front", 0, {}),
        ("back", 1, {}),
        ("fold-low-ink-lines", 0, {"backs": "fold", "inks": "low", "marks": "lines"}),
        ("gutter-crosses", 0, {"gutter": 4, "marks": "crosses"}),
    ],
)
def test_golden_pages(name: str, page: int, chosen: dict[str, object], tmp_path: Path, golden, monkeypatch) -> None:
    """The operators of a whole page, for a person to review: faces, structure, marks and label."""
    monkeypatch.setattr("grimalkin.printing.sheet.document.__version__", "0")
    game = loaded(write_game(tmp_path / "tiny"))
    _, data = printed(game, None, PAPERS["a4"], replace(Settings(), **chosen))
    with pikepdf.open(io.BytesIO(data)) as pdf:
        operators = pdf.pages[page].Contents.read_bytes().decode("latin-1")
    # Text is glyphs by their numbers, two bytes each.
    operators = re.sub(r"[^ -~\n]|(?<=\0)\n", lambda sign: f"\\{ord(sign[0]):03o}", operators)

    golden(f"sheets/{name}.txt", operators + "\n")
