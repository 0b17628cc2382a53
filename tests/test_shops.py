"""Print shops are data: every file of an order has the sizes, pages and names that the shop's file states."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
import reference
from games_for_tests import FILES, write_game, zip_of
from pdfua import faults
from PIL import Image
from shop import inking_of

from grimalkin.cli import main
from grimalkin.content import Game, load_game
from grimalkin.content.shops import Shop, load_shops
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.draw.stocks import composer_of
from grimalkin.printing.export.designs import Design, designs_of
from grimalkin.printing.export.lots import Lot, lots_of
from grimalkin.printing.export.orders import Order, check_files
from grimalkin.printing.preflight.shops import Wish, check_order
from grimalkin.problems import Problems
from grimalkin.source import data_folder

SHOPS = load_shops(None, Problems())
POINT = 25.4 / 72
DECKS = """\
  - {id: coins, name: Coins, kind: coin, file: coins.csv, count: 5, stock: penny, faces: {front: sides, back: rear}}
"""
SIDES = """\
{% extends "base/face.svg.j2" %}
{% block art %}
<rect x="-9" y="-9" width="200" height="200" fill="#00ff00"/>
<rect x="-9" y="-9" width="9" height="200" fill="#ff0000"/>
<rect x="0" y="0" width="{{ stock.width }}" height="5" fill="#0000ff"/>
{% endblock %}
"""
REAR = """\
{% extends "base/face.svg.j2" %}
{% block art %}<rect x="-9" y="-9" width="200" height="200" fill="#0000ff"/>{% endblock %}
"""
WORDS = """\
{% extends "base/face.svg.j2" %}
{% block words %}
<textbox name="name" x="2.5" y="20" width="50" height="10" size="12" align="left">{{ card.name }}</textbox>
{% endblock %}
"""
SPOT = [pikepdf.Name("/Separation")]
MINE = "name: Mine\nfiles: [pdf, png, jpg]\nbleed: 3 mm\n"


COINS = {
    "coins.csv": "id,name,count,stock\npenny,Penny,2,\nnickel,Nickel,3,nickel\n",
    "faces/sides.svg.j2": SIDES,
    "faces/rear.svg.j2": REAR,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a game of two poker cards with one back, and of a penny and two nickels."""
    return write_game(
        tmp_path_factory.mktemp("shops") / "tiny",
        game_yaml=FILES["game.yaml"].replace("{front: plain, back: plain}", "{front: sides, back: rear}") + DECKS,
        **COINS,
    )


def load(folder: Path, only: tuple[str, ...] = ()) -> tuple[Game, list[Design]]:
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None
    designs = designs_of(game, only, problems)
    assert [] == list(problems)
    return game, designs


def shop_of(text: str, folder: Path) -> Shop:
    """A shop of the designer's own."""
    (folder / "shops").mkdir(parents=True, exist_ok=True)
    (folder / "shops/mine.yaml").write_text(text, encoding="utf-8")
    problems = Problems()
    shops = load_shops(folder, problems)
    assert [] == list(problems)
    return shops["mine"]


def opened(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def boxes(page: pikepdf.Page) -> dict[str, list[float]]:
    """The boxes of a page, in hundredths of a millimetre."""
    return {
        key: [round(float(v) * POINT, 2) for v in page.obj[f"/{key}"]] for key in ("MediaBox", "BleedBox", "TrimBox")
    }


def described(files: dict[str, bytes]) -> Iterator[str]:
    """Say what is in an order: sizes of pages and pictures, and the text that comes with them."""
    for name, data in files.items():
        if name.endswith(".pdf"):
            with pikepdf.open(io.BytesIO(data)) as document:
                for number, page in enumerate(document.pages, 1):
                    box = boxes(page)
                    wide, high = box["MediaBox"][2:]
                    left, foot, right, top = box["TrimBox"]
                    around = " ".join(f"{edge:.2f}" for edge in (left, high - top, wide - right, foot))
                    cut = f"{right - left:.2f} × {top - foot:.2f}"
                    yield f"{name}, page {number}: {wide} × {high} mm, cut {cut}, bleed {around}"
        elif name.endswith((".png", ".jpg")):
            picture = Image.open(io.BytesIO(data))
            dpi = round(picture.info["dpi"][0])
            yield f"{name}: {picture.width} × {picture.height} pixels, {dpi} dpi, {picture.format}"
        else:
            yield f"--- {name}\n{data.decode('utf-8-sig').replace(chr(13), '')}".rstrip()


# The shops that come with Grimalkin


@pytest.mark.parametrize("name", SHOPS)
def test_an_order_at_every_shop(name: str, folder: Path, golden: Callable[[str, str], None]) -> None:
    """Its files, with the sizes read back from them, and what it says about them."""
    shop = SHOPS[name]
    files = opened(zip_of(*load(folder), shop, files=shop.files[0], inking=inking_of(shop)))

    golden(f"shops/{name}.txt", "\n".join(described(files)) + "\n")


def test_every_shop_says_where_its_facts_are_from() -> None:
    """And when somebody looked."""
    for name, shop in SHOPS.items():
        assert shop.source, name
        assert shop.checked, name
        assert shop.web, name


def test_the_guide_shows_all_shops() -> None:
    """As they are in the files."""
    guide = (data_folder("site") / "docs/guide/exporting.md").read_text(encoding="utf-8")

    assert reference.shop_table(SHOPS) in guide


def test_the_shop_in_the_guide_is_sound(tmp_path: Path) -> None:
    """Every key that it shows, and those in the text below it."""
    guide = (data_folder("site") / "docs/guide/exporting.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL)
    more = re.findall(r"`(names: .*?\})`\.", guide)
    shop = shop_of(f"{shown}{more[0]}\n", tmp_path)

    assert ("Corner Shop", 6.35, "{game}_{deck}_{size}") == (shop.name, shop.products[1].bleed, shop.names.pages)


@pytest.mark.parametrize(
    ("name", "product", "bleed"),
    [
        ("mpc", "poker", (3.048, 3.048, 3.048, 3.048)),  # 36 pixels at 300 dpi
        ("mpc", "game", (3.044, 3.0, 3.044, 3.0)),  # (816 / 300 × 25.4 − 63) / 2; (1110 / 300 × 25.4 − 88) / 2 = 2.99
        ("tgc", "PokerDeck", (3.175, 3.175, 3.175, 3.175)),
        ("tgc", "USGameDeck", (3.75, 4.125, 3.75, 4.125)),
        ("drivethrucards", "us-poker", (3.175, 3.175, 3.175, 3.175)),
    ],
)
def test_the_bleed_of_a_product(name: str, product: str, bleed: tuple[float, ...]) -> None:
    """Pixels decide where a shop states them."""
    found = next(one for one in SHOPS[name].products if one.id == product)

    assert SHOPS[name].bleed_of(found) == pytest.approx(bleed, abs=0.011 if product == "game" else 0.001)


# Pages


@pytest.mark.parametrize(
    ("order", "copies", "expected"),
    [
        ("front-back", "list", {"cards.pdf": "mouse f 2, mouse b 2, owl f 1, owl b 1"}),
        ("back-front", "pages", {"cards.pdf": "mouse b 1, mouse f 1, mouse b 1, mouse f 1, owl b 1, owl f 1"}),
        ("fronts-then-back", "list", {"cards.pdf": "mouse f 2, owl f 1,  b 3"}),
        ("fronts-then-back", "pages", {"cards.pdf": "mouse f 1, mouse f 1, owl f 1,  b 3"}),
        ("apart", "list", {"cards_fronts.pdf": "mouse f 2, owl f 1", "cards_backs.pdf": "mouse b 2, owl b 1"}),
    ],
)
def test_the_order_of_pages(order: str, copies: str, expected: dict[str, str], folder: Path, tmp_path: Path) -> None:
    """The list says what each page is, and the pages are there, in that order."""
    shop = shop_of(f"{MINE}order: {order}\ncopies: {copies}\n", tmp_path)
    files = opened(zip_of(*load(folder, ("mouse", "owl")), shop))
    rows = list(csv.DictReader(io.StringIO(files["order.csv"].decode("utf-8-sig"))))
    told: dict[str, list[str]] = {}
    for row in rows:
        told.setdefault(row["file"], []).append(f"{row['component']} {row['side'][0]} {row['copies']}")

    assert expected == {name: ", ".join(pages) for name, pages in told.items()}
    for name, pages in expected.items():
        document = pypdfium2.PdfDocument(files[name])
        middles = [document[at].render(scale=1).to_pil().getpixel((90, 120)) for at in range(len(document))]
        colours = {"f": (0, 255, 0), "b": (0, 0, 255)}

        assert [colours[page.split()[-2]] for page in pages.split(", ")] == middles


def test_backs_that_differ_are_a_file_of_their_own(folder: Path, tmp_path: Path) -> None:
    """A last page could be the back of only one of them."""
    text = (folder / "game.yaml").read_text(encoding="utf-8").replace("back: rear", "back: words", 1)
    game = write_game(
        tmp_path / "tiny",
        game_yaml=text,
        **COINS,
        **{"faces/words.svg.j2": WORDS},
    )
    files = opened(zip_of(*load(game, ("mouse", "owl")), SHOPS["longpack"]))

    assert {"cards_fronts.pdf", "cards_backs.pdf", "order.csv", "order.txt"} == files.keys()


def test_a_card_without_a_back_keeps_its_two_pages(tmp_path: Path) -> None:
    """Where a shop counts pages in pairs; otherwise there is nothing to print."""
    info = FILES["game.yaml"].replace(", back: plain}", "}")
    game, designs = load(write_game(tmp_path / "tiny", game_yaml=info))
    paired, plain = (opened(zip_of(game, designs, *shop)) for shop in ((SHOPS["mb-print"],), ()))
    counts = [
        len(pypdfium2.PdfDocument(files[name]))
        for files, name in ((paired, "tiny_cards_63x88.pdf"), (plain, "cards.pdf"))
    ]

    assert [2 * 3, 2] == counts


def test_bleed_may_differ_on_each_side(folder: Path, tmp_path: Path) -> None:
    """Pages and pictures have it where it belongs; art ends at the cut on a side without any."""
    shop = shop_of(MINE.replace("3 mm", "{left: 2, top: 0.125 in, right: 0, bottom: 1 mm}") + "dpi: 254\n", tmp_path)
    designs = load(folder, ("mouse",))
    with pikepdf.open(io.BytesIO(opened(zip_of(*designs, shop))["cards.pdf"])) as document:
        found = boxes(document.pages[0])
    files = opened(zip_of(*designs, shop, files="png"))
    picture = Image.open(io.BytesIO(files["cards/fronts/001-mouse-x2.png"]))
    red, green, blue = (255, 0, 0), (0, 255, 0), (0, 0, 255)

    assert {"MediaBox": [0, 0, 65, 92.18], "BleedBox": [0, 0, 65, 92.18], "TrimBox": [2, 1, 65, 89]} == found
    assert (650, 922) == picture.size
    # From the top: 3.175 mm of bleed, 5 mm of blue; on the left, 2 mm of red.
    points = [(10, 500), (30, 500), (300, 15), (300, 40), (300, 90), (649, 921)]
    assert [red, green, green, blue, green, green] == [picture.getpixel(point) for point in points]


def test_art_reaches_the_edge_of_a_page_that_wants_more_bleed(folder: Path, tmp_path: Path) -> None:
    """Beyond the bleed of the stock, a larger copy of the face shows; within it, nothing changes."""
    shop = shop_of(MINE.replace("3 mm", "{left: 6, top: 6, right: 6, bottom: 0}"), tmp_path)
    page = pypdfium2.PdfDocument(opened(zip_of(*load(folder, ("mouse",)), shop))["cards.pdf"])[0]
    picture = page.render(scale=10 * POINT).to_pil()
    red, green, blue = (255, 0, 0), (0, 255, 0), (0, 0, 255)

    assert (750, 941) == picture.size
    # The edge of the cut is at 6 mm; blue begins there, and ends 5 mm below it.
    points = [(3, 500), (50, 500), (65, 500), (747, 937), (400, 55), (400, 65), (400, 105), (400, 115)]
    assert [red, red, green, green, green, blue, blue, green] == [picture.getpixel(point) for point in points]


def test_a_card_that_lies_is_turned_alike_on_pages_and_pictures(folder: Path, tmp_path: Path) -> None:
    """Counter-clockwise, in the middle of its product."""
    text = "name: Wide\nshape: rectangle\nwidth: 88\nheight: 62\n"
    game = write_game(
        tmp_path / "tiny",
        game_yaml=(folder / "game.yaml").read_text("utf-8").replace("stock: poker", "stock: wide"),
        **COINS,
        **{"stocks/wide.yaml": text},
    )
    product = "{id: a, name: A, width: 63 mm, height: 88 mm}"
    shop = shop_of(f"{MINE}dpi: 254\nproducts: [{product}]\n", game)
    designs = load(game, ("mouse",))
    files = [opened(zip_of(*designs, shop, files=kind)) for kind in ("pdf", "png")]
    page = pypdfium2.PdfDocument(files[0]["cards.pdf"])[0].render(scale=10 * POINT).to_pil()
    picture = Image.open(io.BytesIO(files[1]["cards/fronts/001-mouse-x2.png"]))
    # The upper edge of the face, 5 mm of blue, is on the left, at 3.5 mm; its left edge, in red, is below.
    points = [(60, 500), (100, 500), (350, 500), (350, 925)]
    red, green, blue = (255, 0, 0), (0, 255, 0), (0, 0, 255)

    assert ((690, 940), (691, 941)) == (picture.size, page.size)  # PDFium rounds up
    assert [blue, green, green, red] == [page.getpixel(point) for point in points]
    assert [blue, green, green, red] == [picture.getpixel(point) for point in points]


@pytest.mark.parametrize("more", ["bleed: 6 mm\nmarks: yes\n", "bleed: 3 mm\noutlines: yes\norder: back-front\n"])
def test_pages_for_a_shop_are_told_to_those_who_cannot_see_them(more: str, tmp_path: Path) -> None:
    """Each face once: marks, and the copy below a face, are only to be seen."""
    files = opened(zip_of(*load(write_game(tmp_path / "tiny")), shop_of(f"name: Mine\n{more}", tmp_path)))

    assert [] == faults(files["cards.pdf"])


def test_crop_marks_lie_outside_the_bleed(folder: Path, tmp_path: Path) -> None:
    """They point at the cut, and the page has room for them."""
    shop = shop_of(f"{MINE}marks: yes\n", tmp_path)
    data = opened(zip_of(*load(folder, ("mouse",)), shop))["cards.pdf"]
    with pikepdf.open(io.BytesIO(data)) as document:
        found = boxes(document.pages[0])
    picture = pypdfium2.PdfDocument(data)[0].render(scale=20 * POINT).to_pil().convert("L")
    inked = picture.point(lambda value: 255 if value < 200 else 0)

    assert {"MediaBox": [0, 0, 85, 110], "BleedBox": [8, 8, 77, 102], "TrimBox": [11, 11, 74, 99]} == found
    # Rows of pixels 3 mm below the upper edge: two upright marks, at 11 and 74 mm.
    row = [at / 20 for at in range(inked.width) if inked.getpixel((at, 60))]
    column = [at / 20 for at in range(inked.height) if inked.getpixel((60, at))]
    assert [11, 74] == sorted({round(at) for at in row})
    assert [11, 99] == sorted({round(at) for at in column})
    assert not [at for at in range(inked.width) if inked.getpixel((at, 140))]  # the gap before the bleed


def test_text_as_outlines_needs_no_font(tmp_path: Path) -> None:
    """It looks the same, and its words are still told to those who cannot see them."""
    designs = load(write_game(tmp_path / "tiny"), ("mouse",))
    drawn = [
        opened(zip_of(*designs, shop_of(f"{MINE}{more}", tmp_path)))["cards.pdf"] for more in ("", "outlines: yes\n")
    ]
    fonts = []
    for data in drawn:
        with pikepdf.open(io.BytesIO(data)) as document:
            objects = [one for one in document.objects if isinstance(one, pikepdf.Dictionary)]
            fonts.append(sum(one.get("/Type") == "/Font" for one in objects))
            alts = [str(one["/Alt"]) for one in objects if "/Alt" in one]
    pictures = [pypdfium2.PdfDocument(data)[0].render(scale=2).to_pil().convert("L") for data in drawn]
    apart = sum(abs(a - b) for a, b in zip(*(picture.tobytes() for picture in pictures), strict=True))

    assert fonts[0] > 0 == fonts[1]
    assert "Mouse" in alts
    assert apart / len(pictures[0].tobytes()) < 0.5  # of 255


# An own printer


def test_pictures_and_pages_for_a_printer_without_a_file(folder: Path) -> None:
    """Pictures of any kind, with the bleed or without, and fronts and backs in two files."""
    designs = load(folder, ("mouse", "penny"))
    jpegs = opened(zip_of(*designs, files="jpg"))
    bare = opened(zip_of(*designs, files="png", bleed=False))
    apart = opened(zip_of(*designs, apart=True, bleed=False))
    sizes = {name: Image.open(io.BytesIO(data)).size for name, data in {**jpegs, **bare}.items() if name[-3:] != "txt"}

    assert {"cards/fronts/001-mouse-x2", "cards/backs/all", "coins/fronts/001-penny-x2", "coins/backs/all"} == {
        name[:-4] for name in jpegs if name != "README.txt"
    }
    assert (815, 1110) == sizes["cards/backs/all.jpg"]
    assert (744, 1039) == sizes["cards/backs/all.png"]
    assert (225, 225) == sizes["coins/backs/all.png"]
    assert "JPEG" == Image.open(io.BytesIO(jpegs["cards/backs/all.jpg"])).format
    assert {"cards_fronts.pdf", "cards_backs.pdf", "coins_fronts.pdf", "coins_backs.pdf"} < apart.keys()
    with pikepdf.open(io.BytesIO(apart["cards_backs.pdf"])) as document:
        assert [0, 0, 63, 88] == boxes(document.pages[0])["TrimBox"] == boxes(document.pages[0])["MediaBox"]
    assert "cards_fronts.pdf and cards_backs.pdf: Cards, 2 pieces of 1 design" in apart["README.txt"].decode()
    assert "63 × 88 mm as cut, corners of 3 mm, no bleed" in bare["README.txt"].decode()


def test_a_zip_of_pictures_is_the_same_at_every_run(folder: Path) -> None:
    designs = load(folder)
    first, second = (zip_of(*designs, SHOPS["tgc"], files="png") for _ in range(2))

    assert first == second


# Preflight


def test_words_too_near_the_cut_and_too_little_bleed_are_told(tmp_path: Path) -> None:
    """In the terms of preflight, for the shop's numbers; nothing is said if the shop asks for less."""
    game, designs = load(write_game(tmp_path / "tiny", faces__plain_svg_j2=WORDS), ("mouse",))
    lots, _ = lots_of(SHOPS["mb-print"], game, designs, Problems())
    composer = composer_of(game, Problems())
    found = check_order(game, composer, {"mouse": Wish("MB Print", lots[0].safe(designs[0].stock), 0.175)})
    silent = check_order(game, composer, {"mouse": Wish("Mine", 2.0, 0.05)})
    told = [str(fault).partition(": ")[2] for fault in found]

    assert [] == silent
    assert 2 == len(told)
    assert re.match(r'mouse-front: "Mouse" comes within 2\.[5-9] mm of the cut; keep 4 mm: .*\[safe-area\]', told[0])
    assert told[1].startswith("warning: mouse-front: the bleed of Poker card is 3 mm, and MB Print needs 3.2 mm; ")
    assert told[1].endswith("[bleed]")


@pytest.mark.parametrize(
    ("shop", "stock", "safe", "lacking"),
    [
        ("mpc", "us-poker", 3.048, 0.048),  # 36 pixels each
        ("tgc", "poker", 3.175, 0.625),  # Euro Poker Deck: 63 × 88 in 825 × 1125 pixels, (95.25 − 88) / 2 − 3
        ("drivethrucards", "poker", 2.925, 0.625),  # 63.5 × 88.9 mm: half a millimetre wider
        ("mb-print", "poker", 4, 0),
        ("longpack", "square", 3, 0),
        ("cartamundi", "us-poker", 3, 0),
    ],
)
def test_what_a_shop_wants_of_a_stock(shop: str, stock: str, safe: float, lacking: float, folder: Path) -> None:
    """Measured from the cut of the stock, which lies in the middle of the product."""
    _, designs = load(folder, ("mouse",))
    made = Design(designs[0].row, designs[0].deck, load_stocks(None, Problems())[stock], designs[0].front, None)
    game = load(folder)[0]
    (lot,), _ = lots_of(SHOPS[shop], game, [made], Problems())

    assert (safe, lacking) == pytest.approx((lot.safe(made.stock), lot.lacking(made.stock)), abs=0.001)


def test_a_shop_takes_only_so_many(folder: Path, tmp_path: Path) -> None:
    """The message says how many there are."""
    game, designs = load(folder)
    problems = Problems()
    lots_of(shop_of(f"{MINE}most-pieces: 2\n", tmp_path), game, designs, problems)
    shop = shop_of(f"{MINE}most-pages: 3\n", tmp_path)
    check_files(Order(game, shop, lots_of(shop, game, designs, problems)[0]), problems)

    assert [
        "Mine takes 2 pieces per order; cards has 3; export it in parts with --only",
        "Mine takes 3 pages in a PDF; that of cards has 4; export it in parts with --only",
        "Mine takes 2 pieces per order; coins_nickel has 3; export it in parts with --only",
    ] == [str(problem).partition(": ")[2] for problem in problems]


# Files of shops


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("bleeds: 3 mm", 'mine.yaml:2: unknown key "bleeds"; did you mean "bleed"?'),
        ("bleed: 3 cm", 'mine.yaml:2: bleed: "3 cm" is not a length; write it as 3 mm or 0.125 in'),
        ("bleed: -3 mm", 'mine.yaml:2: bleed: "-3 mm" is not a length; write it as 3 mm or 0.125 in'),
        ("bleed: {left: 1, top: 1, right: 1}", 'mine.yaml:2: the key "bottom" is missing in "bleed"'),
        ("safe: 9999 mm", "mine.yaml:2: safe: "),
        ("files: [pdf, tif]", 'mine.yaml:2: files.1: "tif" is not known here; known here: jpg, pdf, png'),
        ("files: []", "mine.yaml:2: files: 0 written, at least 1 needed"),
        ("order: back-to-front", 'mine.yaml:2: order: "back-to-front" is not known here; '),
        ("dpi: 20", 'mine.yaml:2: dpi: "20" is too small; it must be at least 36'),
        ("ink-limit: 500", 'mine.yaml:2: ink-limit: "500" is too large; it must be at most 400'),
        ("ink-limit: 300", "mine.yaml:1: `ink-limit`, `black`, `profile` and `cut-line` need `colour: cmyk`"),
        ("black: [60, 40, 40]", "mine.yaml:2: "),
        ("colour: cmyk\ncut-line: Cut(1)", 'mine.yaml:3: cut-line: "Cut(1)" cannot be the name of a spot colour; '),
        ("colour: cmyk\nink-limit: 200\nblack: [60, 40, 40, 100]", "mine.yaml:1: `black` has 240 % of ink, more than "),
        ("files: png\noutlines: yes", "mine.yaml:1: `outlines` is about PDFs, but `files` has no `pdf`"),
        ("source: https://example.org", "mine.yaml:1: `source` needs the day when somebody looked: `checked: 2026-"),
        (
            "checked: yesterday",
            'mine.yaml:2: checked: "yesterday" is not a date; write year, month and day, as in 2026-',
        ),
        ('names: {front: "../{id}"}', 'mine.yaml:2: names.front: "../{id}" cannot be the name of a file: '),
        ('names: {front: "/{id}"}', 'mine.yaml:2: names.front: "/{id}" cannot be the name of a file: '),
        ('names: {front: "{ide}"}', 'mine.yaml:2: names.front: "{ide}" is not known here; did you mean "id"?'),
        ('names: {front: "{id"}', 'mine.yaml:2: names.front: "{id" cannot be the name of a file: a brace is alone'),
        ("names: {front: card}", "mine.yaml:2: names: `front` needs {id}, or several files would have one name"),
        ('names: {front: "{id}", back: "{ID}"}', "mine.yaml:2: names.back: "),
        ('names: {front: "a/{id}", back: "A/{id}"}', "mine.yaml:2: names: `front`, `back` and `shared` must differ"),
        ("names: {front: 'con/{id}'}", "mine.yaml:2: names.front: "),
        (
            "products: [{id: a, name: A, width: 63}]",
            'mine.yaml:2: the key "height" is missing in number 1 of "products"',
        ),
        ("products: [{id: a b, name: A, width: 9, height: 9}]", 'mine.yaml:2: products.0.id: "a b" is not well formed'),
        ("products: [{id: a, name: A, width: 0, height: 9}]", 'mine.yaml:2: products.0.width: "0" is too'),
        (
            "products: [{id: a, name: A, width: 2.5 in, height: 3.5 in, pixels: [750, 1040]}]",
            "mine.yaml:1: a: 750 × 1040 pixels at 300 dpi are less than 63.5 × 88.9 mm",
        ),
        (
            "products:\n  - {id: a, name: A, width: 9, height: 9}\n  - {id: A, name: B, width: 9, height: 9}",
            'mine.yaml:1: two products have the id "a"',
        ),
    ],
)
def test_a_fault_in_a_shop_is_told_with_its_place(line: str, told: str, tmp_path: Path) -> None:
    """Once, with what would be right."""
    (tmp_path / "shops").mkdir()
    (tmp_path / "shops/mine.yaml").write_text(f"name: Mine\n{line}\n", encoding="utf-8")
    problems = Problems()
    shops = load_shops(tmp_path, problems)
    found = [str(problem).rpartition("shops/")[2] for problem in problems]

    assert "mine" not in shops
    assert [told] == [one[: len(told)] for one in found]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "dpi: 2400\nproducts: [{id: a, name: A, width: 63, height: 88, pixels: [20000, 20000]}]",
            "Mine asks for a picture of 20000 × 20000 pixels; at most 150 million pixels can be drawn",
        ),
        ("dpi: 36\nbleed: 100 mm\nkinds: [coin]", "Mine prints coins, as far as we know, and not Poker card"),
    ],
)
def test_what_nobody_could_make_is_told(text: str, told: str, folder: Path, tmp_path: Path) -> None:
    """Before anything is drawn."""
    game, designs = load(folder, ("mouse",))
    problems = Problems()
    shop = shop_of(f"name: Mine\nfiles: png\n{text}\n", tmp_path)
    check_files(Order(game, shop, lots_of(shop, game, designs, problems)[0], files="png"), problems)

    assert [told] == [str(problem).partition(": ")[2] for problem in problems]


@pytest.mark.skipif("os.name == 'nt'", reason="making links needs another right on Windows")
def test_a_shop_outside_of_the_folder_is_not_read(run: Any, tmp_path: Path) -> None:
    """A link may stay inside only."""
    game = write_game(tmp_path / "tiny")
    (tmp_path / "mine.yaml").write_text(MINE)
    (game / "shops").mkdir()
    (game / "shops/mine.yaml").symlink_to(tmp_path / "mine.yaml")
    code, _, error = run("zip", str(game), "--shop", "mine")

    assert 1 == code
    assert "shops: this leads out of the game's folder" in error.replace("/mine.yaml:", ":")


def test_names_that_two_files_would_have_are_told(folder: Path, tmp_path: Path, run: Any) -> None:
    """Here the back of the deck would be called like a card."""
    cards = FILES["cards.csv"].replace("owl", "cards")
    game = write_game(
        tmp_path / "tiny",
        cards_csv=cards,
        rules_yaml=FILES["rules.yaml"].replace("owl", "cards"),
        game_yaml=FILES["game.yaml"].replace("back: plain", "back: rear"),
        **{"faces/rear.svg.j2": REAR},
    )
    shop_of('name: Mine\nfiles: png\nnames: {front: "{id}", back: "{id}-b", shared: "{deck}"}\n', game)

    code, _, error = run("zip", str(game), "--shop", "mine")
    assert 1 == code
    assert 'cards.csv:2: two files for Mine would be called "cards.png"; change its `names`' in error


# The command


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs `grimalkin export` in an empty folder; gives the exit code and what was written and told."""
    (tmp_path / "table").mkdir()
    monkeypatch.chdir(tmp_path / "table")

    def export(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(["export", *arguments])
        except SystemExit as stop:
            code = int(stop.code or 0)
        told = capsys.readouterr()
        return code, told.out, told.err

    return export


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--shop", "mbprint"], '--shop: there is no shop "mbprint"; did you mean "mb-print"?'),
        (["--shop", ""], '--shop: there is no shop ""'),
        (["--shop", "mb-print", "--files", "png"], "--files: MB Print takes no png; it takes pdf"),
        (["--shop", "mb-print", "--sides", "apart"], "--sides: MB Print has its own order of pages: front-back; leave"),
        (["--shop", "mb-print", "--no-bleed"], "--bleed: MB Print decides about the bleed; leave it out, or"),
        (
            ["--shop", "drivethrucards", "--only", "penny"],
            "coins.csv:2: DriveThruCards makes no circle such as US one-",
        ),
        (
            ["--shop", "longpack", "--only", "penny"],
            "LongPack prints cards, as far as we know, and not US one-cent coin",
        ),
    ],
)
def test_what_cannot_be_ordered(run: Any, folder: Path, arguments: list[str], told: str) -> None:
    """The message says why, and nothing is written."""
    code, _, error = run("zip", str(folder), *arguments)

    assert 1 == code
    assert told in error
    assert not Path("output").exists()


def test_a_shop_of_ones_own_comes_before_a_shared_one(run: Any, folder: Path, tmp_path: Path) -> None:
    """What was left out, what preflight says and what is not done come after the name of the file."""
    game = write_game(
        tmp_path / "tiny",
        game_yaml=(folder / "game.yaml").read_text("utf-8"),
        **COINS,
        **{"shops/mb-print.yaml": "name: Corner Shop\nkinds: [card]\nbleed: 5 mm\ncolour: cmyk\n"},
    )
    code, out, _ = run("zip", str(game), "--shop", "mb-print")
    files = opened(Path("output/export/tiny/zip/tiny-mb-print.zip").read_bytes())

    assert 0 == code
    first, *others = out.splitlines()
    assert "tiny-mb-print.zip made in output/export/tiny/zip" == first
    assert "left out: 2 × Penny: Corner Shop prints cards, as far as we know, and not US one-cent coin" == others[0]
    assert "left out: 3 × Nickel: " in others[1]
    assert "preflight for Corner Shop:" == others[2]
    assert "mouse-front: the bleed of Poker card is 3 mm, and Corner Shop needs 5 mm" in others[3]
    assert "built to the rules of PDF/X-4, not certified: Coated FOGRA39 (Grimalkin), ink at most 300 %" == others[4]
    assert {"cards.pdf", "order.csv", "order.txt"} == files.keys()
    assert "Colours are CMYK for Coated FOGRA39 (Grimalkin), with at most 300 % of ink." in files["order.txt"].decode()


@pytest.mark.slow("exports a game")
def test_options_come_before_what_a_shop_asks_for(run: Any, folder: Path, tmp_path: Path) -> None:
    """What is then not done is told."""
    asked = "name: Corner Shop\ncolour: cmyk\nink-limit: 240\npdfx: x1a\nprofile: PSO Coated v3\n"
    game = write_game(tmp_path / "tiny", **{"shops/corner.yaml": asked})
    given = {
        (): "not done: Corner Shop asks for the profile PSO Coated v3",
        ("--colour", "rgb"): "not done: Corner Shop asks for CMYK colours, at most 240 % of ink and PDF/X-1a",
        ("--colour", "gray", "--ink-limit", "280", "--pdfx", "x4"): "not done: Corner Shop asks for CMYK colours, at "
        "most 240 % of ink, PDF/X-1a and the profile PSO Coated v3",
    }
    for more, told in given.items():
        code, out, _ = run("zip", str(game), "--shop", "corner", *more)

        assert (0, told) == (code, next(line for line in out.splitlines() if line.startswith("not done")))


def test_a_shop_names_the_colour_of_the_line_to_cut_along(run: Any, folder: Path, tmp_path: Path) -> None:
    """It lies where the product is cut, and not where the stock is; without separations, there is none."""
    product = "{id: a, name: A, width: 64 mm, height: 90 mm}"
    game = write_game(
        tmp_path / "tiny",
        game_yaml=FILES["game.yaml"].replace("{front: plain, back: plain}", "{front: sides, back: rear}"),
        **{name: text for name, text in COINS.items() if name != "coins.csv"},
        **{"shops/mine.yaml": f"{MINE}colour: cmyk\ncut-line: Schnitt\nproducts: [{product}]\n"},
    )
    seen = []
    for more in ((), ("--colour", "rgb")):
        assert 0 == run("zip", str(game), "--shop", "mine", "--only", "mouse", *more)[0]
        files = opened(Path("output/export/tiny/zip/tiny-mine.zip").read_bytes())
        with pikepdf.open(io.BytesIO(files["cards.pdf"])) as document:
            spaces = [str(one[1]) for one in document.objects if isinstance(one, pikepdf.Array) and one[:1] == SPOT]
        seen.append(spaces == ["/Schnitt"])
        seen.append("The spot colour Schnitt is the line to cut along" in files["order.txt"].decode())
        if not more:
            page = pypdfium2.PdfDocument(files["cards.pdf"])[1].render(scale=20 * POINT).to_pil()
    assert [True, True, False, False] == seen
    red = [at / 20 for at in range(page.width) if page.getpixel((at, 960))[0] > 128]
    assert [3, 67] == sorted({round(at) for at in red})  # on blue: the line, in magenta


def test_pictures_have_no_inks(run: Any, folder: Path) -> None:
    """They are in RGB."""
    for option in (("--colour", "cmyk"), ("--ink-limit", "240"), ("--cut-line", "Cut")):
        code, _, told = run("zip", str(folder), "--files", "png", *option)

        assert 0 != code
        assert f"{option[0]}: pictures are in RGB, and these files are png" in told


def test_check_reads_the_shops_of_a_game(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A designer learns of a fault before the export."""
    game = write_game(tmp_path / "tiny", **{"shops/mine.yaml": "name: Mine\nbleed: a lot\n"})

    assert 1 == main(["check", str(game)])
    assert 'shops/mine.yaml:2: bleed: "a lot" is not a length' in capsys.readouterr().err


def test_help_names_every_shop(run: Any) -> None:
    """And shows how to name one."""
    words = run("zip", "--help")[1]

    assert all(re.search(rf"\b{name}\b", words) for name in SHOPS)
    assert "grimalkin export zip werecats --shop mb-print" in words


def test_a_lot_says_what_to_order(folder: Path) -> None:
    """The product, or its size where a shop prints any."""
    game, designs = load(folder, ("mouse",))
    lots: list[Lot] = []
    for shop in ("mpc", "longpack"):
        lots += lots_of(SHOPS[shop], game, designs, Problems())[0]

    assert ["Custom game cards (63 × 88 mm)", "Poker card, 63 × 88 mm"] == [lot.what for lot in lots]


def test_a_shop_that_takes_no_pdf_is_offered_none(run: Any, folder: Path) -> None:
    """Colours of a print shop need PDFs, and MakePlayingCards takes pictures."""
    code, _, told = run("zip", str(folder), "--shop", "mpc", "--colour", "cmyk")

    assert code == 1
    assert "pictures are in RGB, and these files are png" in told
    assert "--files pdf" not in told
