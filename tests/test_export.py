"""Exports: sizes to the pixel, formats checked against their own description, the same files at every run."""

from __future__ import annotations

import csv
import io
import shutil
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Literal

import pikepdf
import pypdfium2
import pytest
from games_for_tests import FILES, write_game, zip_of
from PIL import Image
from pydantic import BaseModel, ConfigDict, Field

from grimalkin.cli import _parser, main
from grimalkin.cli.printables import chosen
from grimalkin.content import Game, load_game
from grimalkin.content.shops import INCH, load_shops
from grimalkin.content.stocks import Stock, load_stocks
from grimalkin.output.workers import in_parallel
from grimalkin.printing.draw.raster import Lying, develop, face_png, pixels, shoot
from grimalkin.printing.export.designs import Design, Wanted, check_sizes, designs_of, export_svg, faces_of, pictures
from grimalkin.printing.export.lots import LeftOut, Lot, find_product, lots_of
from grimalkin.printing.export.orders import Order, order_files
from grimalkin.printing.export.tabletop import Table, addresses, export_tts, grid
from grimalkin.problems import Place, Problems
from grimalkin.source import data_folder

TILE = """\
{% extends "base/face.svg.j2" %}
{% block art %}
<rect x="-3" y="-3" width="80" height="80" fill="#1f5a5e"/>
<rect x="0" y="0" width="{{ stock.width }}" height="{{ stock.height / 2 }}" fill="#a3432f"/>
{% endblock %}
"""
REAR = """\
{% extends "base/face.svg.j2" %}
{% block art %}<rect x="-3" y="-3" width="69" height="94" fill="#a3432f"/>{% endblock %}
"""
DECKS = """\
  - {id: tiles, name: Tiles, kind: mat, file: tiles.csv, count: 4, stock: hex-40, faces: {front: tile, back: tile}}
  - {id: squares, name: Squares, kind: card, file: squares.csv, count: 2, stock: square, faces: {front: tile}}
"""


def nothing(_: int) -> None:
    pass


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a game of 80 designs of poker cards with one back, hexagons, coins and square cards."""
    cards = [f"c{number},Card {number},{1 + (number == 0)},{number % 9 + 1},," for number in range(80)]
    info = FILES["game.yaml"].replace("count: 3", "count: 81").replace("back: plain", "back: rear")
    return write_game(
        tmp_path_factory.mktemp("large"),
        game_yaml=info + DECKS,
        cards_csv="id,name,count,power,mood,alt\n" + "\n".join(cards).replace(",1,,", ",1,,A card.", 1) + "\n",
        rules_yaml=FILES["rules.yaml"].replace("mouse", "c0").replace("owl", "c1"),
        **{
            "tiles.csv": "id,name,count,stock\nwater,Water,2,\nhill,Hill,1,hex-60\ntoken,Token,1,penny\n",
            "squares.csv": "id,name\nsq-a,A\nsq-b,B\n",
            "faces/tile.svg.j2": TILE,
            "faces/rear.svg.j2": REAR,
        },
    )


def load(folder: Path, only: tuple[str, ...] = ()) -> tuple[Game, list[Design]]:
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None
    designs = designs_of(game, chosen(game, only), problems)
    assert [] == list(problems)
    return game, designs


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


# Vector files


@pytest.mark.parametrize("outlines", [False, True])
def test_links_are_written_as_every_drawing_program_reads_them(tmp_path: Path, outlines: bool) -> None:
    """Inkscape 1.2 draws neither icons nor pictures that a plain href names; browsers know xlink:href, too."""
    red = '<image href="art/red.png" x="5" y="9" width="9" height="9"/><use href="#icon-paw" x="5" y="30" width="9"/>'
    folder = write_game(
        tmp_path / "tiny", **{"faces/plain.svg.j2": FILES["faces/plain.svg.j2"].replace("<text ", f"{red}\n<text ")}
    )
    (folder / "art").mkdir()
    Image.new("RGB", (300, 300), "#a3432f").save(folder / "art/red.png")
    (tmp_path / "out").mkdir()
    _, designs = load(folder, ("mouse",))
    export_svg(designs, tmp_path / "out", False, outlines, nothing)
    root = ET.parse(tmp_path / "out/mouse-front.svg")
    links = [
        (one.tag.split("}")[1], link[:9])
        for one in root.iter()
        if (link := one.get("{http://www.w3.org/1999/xlink}href"))
    ]

    assert [("image", "data:imag"), ("use", "#icon-paw")] == links
    assert [] == root.findall(".//*[@href]")


# Pictures


@pytest.mark.slow("draws pictures of whole games")
@pytest.mark.parametrize(
    ("only", "dpi", "bleed", "size"),
    [
        ("c0", 300, False, (744, 1039)),  # 63 / 25.4 × 300 = 744.09, 88 / 25.4 × 300 = 1039.37
        ("c0", 300, True, (815, 1110)),  # 69 mm = 814.96, 94 mm = 1110.24
        ("c0", 96, False, (238, 333)),  # 238.11, 332.60
        ("c0", 1200, False, (2976, 4157)),  # 2976.38, 4157.48
        ("water", 300, False, (546, 472)),  # 46.188 mm = 545.53, 40 mm = 472.44
        ("token", 300, False, (225, 225)),  # 19.05 mm is three quarters of an inch
        ("sq-a", 36, False, (99, 99)),  # 70 mm = 99.21
    ],
)
def test_pictures_have_the_size_of_their_stock(
    large: Path, only: str, dpi: int, bleed: bool, size: tuple[int, int]
) -> None:
    """A picture has as many pixels as its millimetres make, rounded, front and back alike."""
    _, designs = load(large, (only,))
    for face in faces_of(designs):
        assert size == opened(face_png(face, dpi, bleed)).size


def test_all_pictures_of_a_stock_have_one_size(large: Path) -> None:
    """No face is larger than another of its stock by a pixel, at a resolution that divides badly."""
    _, designs = load(large, ("cards",))
    made = pictures([Wanted(face.id, face) for face in faces_of(designs)], 97, False, False, 1, nothing)

    assert {(241, 336)} == {opened(data).size for _, data in made}  # 240.59, 336.06


@pytest.mark.parametrize("dpi", [72, 300])
def test_what_is_cut_away_is_transparent(large: Path, dpi: int) -> None:
    """Rounded corners, hexagons and circles are cut to their outline; the middle stays."""
    _, designs = load(large, ("c0", "water", "hill", "token"))
    for design in designs:
        image = opened(face_png(design.front, dpi)).convert("RGBA")
        alpha = image.getchannel("A")
        corners = [(x, y) for x in (0, image.width - 1) for y in (0, image.height - 1)]

        assert [0] * 4 == [alpha.getpixel(corner) for corner in corners]
        assert 255 == alpha.getpixel((image.width // 2, image.height // 2))
    alpha = opened(face_png(designs[1].front, 254)).convert("RGBA").getchannel("A")
    area = sum(value * count for value, count in enumerate(alpha.histogram())) / 255 / 100

    assert area == pytest.approx(40**2 * 3**0.5 / 2, rel=0.002)  # a hexagon of 40 mm from side to side, in mm²


def test_nothing_is_cut_away_when_asked(large: Path) -> None:
    """With the bleed or square, a picture has no transparency; the bleed is art."""
    _, designs = load(large, ("water",))
    square = opened(face_png(designs[0].front, 300, square=True))
    bleed = opened(face_png(designs[0].front, 300, bleed=True))

    assert ("RGB", "RGB") == (square.mode, bleed.mode)
    assert (0x1F, 0x5A, 0x5E) == bleed.getpixel((0, 0))
    assert (0xA3, 0x43, 0x2F) == square.getpixel((0, 0))


@pytest.mark.slow("draws pictures of whole games")
def test_the_number_of_processes_changes_nothing(large: Path) -> None:
    """One process and three make the same files in the same order."""
    _, designs = load(large)
    wanted = [Wanted(face.id, face) for face in faces_of(designs)]
    counts: list[int] = []
    one = list(pictures(wanted, 40, False, False, 1, counts.append))
    three = list(pictures(wanted, 40, False, False, 3, nothing))

    assert one == three
    assert [face.id for face in faces_of(designs)] != [name for name, _ in one]  # alike backs come together
    assert sorted(face.id for face in faces_of(designs)) == sorted(name for name, _ in one)
    assert len(wanted) == sum(counts)


def test_results_come_in_the_order_of_the_tasks() -> None:
    """Work is spread over processes, its results are not mixed."""
    assert [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] == list(in_parallel(abs, ((-number,) for number in range(10)), 2))


def test_a_picture_in_the_middle_of_a_canvas(large: Path) -> None:
    """A rectangle repeats its edge where it does not reach; it is cut where it is too large; it is never stretched."""
    _, designs = load(large, ("sq-a",))
    face = designs[0].front
    wide, narrow, turned = (
        opened(data)
        for data in develop(
            *shoot([face] * 3, 254, True, True, [Lying((800, 780)), Lying((700, 700)), Lying((780, 800), True)])
        )
    )
    # 76 mm at 10 pixels a millimetre: 20 and 10 pixels are added; the red half is from 3 mm to 38 mm.
    green, red = (0x1F, 0x5A, 0x5E), (0xA3, 0x43, 0x2F)

    assert [(800, 780), (700, 700), (780, 800)] == [image.size for image in (wide, narrow, turned)]
    assert [green, red] == [wide.getpixel((400, 10 + 29)), wide.getpixel((400, 10 + 31))]
    assert [red, green] == [wide.getpixel((20 + 31, 300)), wide.getpixel((20 + 29, 300))]
    assert green == wide.getpixel((0, 0)) == wide.getpixel((799, 779))
    assert [red, red] == [narrow.getpixel((0, 0)), narrow.getpixel((699, 349))]
    assert green == narrow.getpixel((350, 351))
    assert [red, green] == [turned.getpixel((10 + 379, 400)), turned.getpixel((10 + 381, 400))]


def test_pictures_too_large_are_refused(large: Path) -> None:
    """A picture that would need gigabytes is a problem that says what is possible."""
    problems = Problems()
    stock = Stock(name="Table", shape="rectangle", width=1000, height=1000)
    _, designs = load(large, ("sq-a",))
    table = Design(designs[0].row, designs[0].deck, stock, designs[0].front, None)
    check_sizes([*designs, table], 600, False, Place("game.yaml"), problems)
    expected = "game.yaml: a picture of 1000 × 1000 mm has 557 million pixels at 600 dpi; at most 311 dpi"

    assert [expected] == [str(problem) for problem in problems]  # (1000 / 25.4 × 600)² = 558.0 million


# Tabletop Simulator


class Strict(BaseModel):
    """What the documentation of saved games lists; another key would be a mistake."""

    model_config = ConfigDict(extra="forbid", strict=True)


Guid = Annotated[str, Field(pattern=r"^[0-9a-f]{6}$")]


Axes = Literal["posX", "posY", "posZ", "rotX", "rotY", "rotZ", "scaleX", "scaleY", "scaleZ"]
SavedTransform = Annotated[dict[Axes, float], Field(min_length=9)]


class SavedColour(Strict):
    r: float
    g: float
    b: float


class SavedSheet(Strict):
    FaceURL: str = Field(pattern=r"^(file:///|https?://)")
    BackURL: str = Field(pattern=r"^(file:///|https?://)")
    NumWidth: int = Field(ge=2, le=10)
    NumHeight: int = Field(ge=2, le=7)
    BackIsHidden: bool
    UniqueBack: bool
    Type: int = Field(ge=0, le=4)


class SavedTile(Strict):
    Type: int = Field(ge=0, le=3)
    Thickness: float
    Stackable: bool
    Stretch: bool


class SavedImage(Strict):
    ImageURL: str = Field(pattern=r"^(file:///|https?://)")
    ImageSecondaryURL: str
    ImageScalar: float
    WidthScale: float
    CustomTile: SavedTile | None = None


class SavedBag(Strict):
    Order: int = Field(ge=0, le=2)


class SavedBook(Strict):
    PDFUrl: str = Field(pattern=r"^(file:///|https?://)")
    PDFPassword: str
    PDFPage: int
    PDFPageOffset: int


class SavedPoint(Strict):
    Position: dict[Literal["x", "y", "z"], float]


class SavedThing(Strict):
    GUID: Guid
    Name: Literal["DeckCustom", "Card", "Custom_Tile", "Figurine_Custom", "Bag", "Notecard", "Custom_PDF"]
    Transform: SavedTransform
    Nickname: str
    Description: str
    ColorDiffuse: SavedColour
    Locked: bool
    Grid: bool
    Snap: bool
    Autoraise: bool
    Sticky: bool
    Tooltip: bool
    Hands: bool
    HideWhenFaceDown: bool
    SidewaysCard: bool | None = None
    CardID: int | None = None
    DeckIDs: list[int] | None = None
    CustomDeck: dict[str, SavedSheet] | None = None
    CustomImage: SavedImage | None = None
    ContainedObjects: list[SavedThing] | None = None
    Bag: SavedBag | None = None
    CustomPDF: SavedBook | None = None
    AttachedSnapPoints: list[SavedPoint] | None = None


class Saved(Strict):
    SaveName: str
    GameMode: str
    Date: str
    Table: str
    Sky: str
    Note: str
    Rules: str
    PlayerTurn: str
    LuaScript: str
    LuaScriptState: str
    ObjectStates: list[SavedThing]


def saved(folder: Path, out: Path, url: str | None = None, largest: int = 1024) -> Saved:
    game, designs = load(folder)
    export_tts(game, designs, out, addresses(url, out), 300, largest, 1, nothing)
    return Saved.model_validate_json((out / f"{game.name}.json").read_text(encoding="utf-8"))


def test_a_deck_of_eighty_designs_takes_two_sheets(large: Path, tmp_path: Path) -> None:
    """69 designs on the first sheet and 11 on the second; a card that is twice in the box has its number twice."""
    deck, bag, squares = saved(large, tmp_path).ObjectStates
    assert deck.DeckIDs and deck.CustomDeck and deck.ContainedObjects and bag.ContainedObjects and squares.DeckIDs

    assert [100, 100, *range(101, 169), *range(200, 211)] == deck.DeckIDs
    assert deck.DeckIDs == [card.CardID for card in deck.ContainedObjects]
    assert {"1": (10, 7), "2": (4, 3)} == {key: (s.NumWidth, s.NumHeight) for key, s in deck.CustomDeck.items()}
    assert not any(sheet.UniqueBack for sheet in deck.CustomDeck.values())
    assert ("Card 0", "A card.", "Card 79") == (
        deck.ContainedObjects[0].Nickname,
        deck.ContainedObjects[0].Description,
        deck.ContainedObjects[-1].Nickname,
    )
    assert [300, 301] == squares.DeckIDs
    # A hexagon is 1, a circle is 2. The hexagon on its point, 69.282 mm high, lies on its side, 60 mm high.
    tiles = [(tile.CustomImage, tile.Transform) for tile in bag.ContainedObjects]
    assert [1, 1, 1, 2] == [image.CustomTile.Type for image, _ in tiles if image and image.CustomTile]
    assert [180.0, 180.0, 270.0, 180.0] == [transform["rotY"] for _, transform in tiles]
    assert [0.7874, 0.7874, 1.1811, 0.375] == [transform["scaleZ"] for _, transform in tiles]


def test_cards_behave_as_the_program_saves_them(large: Path, tmp_path: Path) -> None:
    """As in the objects of argonui/SCED (70dd00c): all but one of 2,124 cards have this tint; 2,085 go into hands."""
    deck, bag, _ = saved(large, tmp_path).ObjectStates
    assert deck.ContainedObjects and bag.ContainedObjects
    card, tile = deck.ContainedObjects[0], bag.ContainedObjects[0]

    assert [0.71324, 0.71324, 1.0] == [thing.ColorDiffuse.r for thing in (deck, card, tile)]
    assert [False, True, False] == [thing.Hands for thing in (deck, card, tile)]
    assert [True, True, False] == [thing.HideWhenFaceDown for thing in (deck, card, tile)]


def test_a_card_lies_where_its_number_says(large: Path, tmp_path: Path) -> None:
    """The sheet has whole pixels for every place; the picture at a place is that of the card."""
    saved(large, tmp_path)
    sheet = opened((tmp_path / "squares_3-front.png").read_bytes()).convert("RGB")
    cards = opened((tmp_path / "cards_1-front.png").read_bytes()).convert("RGB")
    _, designs = load(large, ("c10", "c11"))
    # 1,024 pixels for ten cards of 63 mm are 41 dpi at most: 63 mm have 101.69 pixels, 88 mm have 142.05.
    at = (0, 142, 102, 284)  # place 10: the second row, the first column
    expected, other = (opened(face_png(design.front, 41, square=True)).convert("RGB") for design in designs)

    assert (1020, 994) == cards.size
    assert (1020, 1020) == sheet.size  # two of 70 mm in 1,024 pixels: 185 dpi, so 509.8 pixels each
    assert difference(expected, cards.crop(at)) < difference(other, cards.crop(at))
    assert (0xA3, 0x43, 0x2F) == cards.getpixel((1019, 993))  # the last place is the back


def difference(one: Image.Image, other: Image.Image) -> int:
    return sum(abs(a - b) for a, b in zip(one.tobytes(), other.tobytes(), strict=True))


@pytest.mark.parametrize(
    ("count", "largest", "expected"),
    [
        (70, 4096, (10, 7, 165)),  # 4096 / 630 mm = 165.1 dpi; 409 × 10 and 572 × 7 pixels
        (12, 4096, (4, 3, 300)),  # 2976 × 3117 pixels
        (2, 4096, (2, 2, 300)),
        (70, 10000, (10, 7, 300)),  # 7440 × 7273 pixels
    ],
)
def test_a_sheet_is_as_sharp_as_it_can_be(count: int, largest: int, expected: tuple[int, int, int]) -> None:
    """Columns, rows and resolution keep to the largest picture allowed."""
    poker = load_stocks(None, Problems())["poker"]
    columns, rows, dpi = grid(count, poker, 300, largest)

    assert expected == (columns, rows, dpi)
    assert count <= columns * rows
    assert max(columns * pixels(63, dpi), rows * pixels(88, dpi)) <= largest


def test_backs_of_their_own_have_a_sheet_of_their_own(tmp_path: Path) -> None:
    """Two cards with two backs: the backs lie on a sheet like the fronts."""
    plain = FILES["faces/plain.svg.j2"]
    folder = write_game(tmp_path / "tiny", **{"faces/plain.svg.j2": plain})
    (deck,) = saved(folder, tmp_path / "out").ObjectStates
    assert deck.CustomDeck

    assert [True] == [sheet.UniqueBack for sheet in deck.CustomDeck.values()]
    assert (
        opened((tmp_path / "out/cards_1-back.png").read_bytes()).size
        == opened((tmp_path / "out/cards_1-front.png").read_bytes()).size
    )


def test_decks_with_one_back_are_one_deck_on_the_table(tmp_path: Path) -> None:
    """They are shuffled together. Another back, another stock, and no back at all are decks of their own."""
    decks = "".join(
        f"  - {{id: {id_}, name: {name}, kind: card, file: {id_}.csv, count: 2, stock: {stock}, faces: {{{faces}}}}}\n"
        for id_, name, stock, faces in (
            ("dogs", "Dogs", "poker", "front: tile, back: rear"),
            ("birds", "Birds", "poker", "front: tile, back: tile"),
            ("fish", "Fish", "poker", "front: tile, back: rear"),
            ("bees", "Bees", "bridge", "front: tile, back: rear"),
            ("ants", "Ants", "poker", "front: tile"),
            ("bugs", "Bugs", "poker", "front: tile"),
        )
    )
    folder = write_game(
        tmp_path / "many",
        game_yaml=FILES["game.yaml"].replace("back: plain", "back: rear") + decks,
        **{
            f"{id_}.csv": f"id,name\n{id_}-a,A\n{id_}-b,B\n"
            for id_ in ("dogs", "birds", "fish", "bees", "ants", "bugs")
        },
        **{"faces/tile.svg.j2": TILE, "faces/rear.svg.j2": REAR},
    )
    things = saved(folder, tmp_path / "out").ObjectStates

    names = ["Cards, Dogs and Fish", "Birds", "Bees", "Ants", "Bugs"]
    assert list(zip(names, (7, 2, 2, 2, 2), strict=True)) == [(one.Nickname, len(one.DeckIDs or ())) for one in things]


@pytest.mark.slow("draws pictures of whole games")
def test_addresses_of_pictures(large: Path, tmp_path: Path) -> None:
    """Pictures are on this computer, or below the address that was given; every one named is there."""
    here, there = tmp_path / "a b", tmp_path / "c"
    for folder, url, base in ((here, None, here.as_uri()), (there, "https://example.org/x/", "https://example.org/x")):
        text = saved(large, folder, url).model_dump_json()
        named = {part.split('"')[0] for part in text.split(f'"{base}/')[1:]}

        assert named == {path.name for path in folder.glob("*.png")}


@pytest.mark.slow("draws pictures of whole games")
def test_no_two_things_share_a_guid(large: Path, tmp_path: Path) -> None:
    """Copies of a card are things of their own; the file is the same at every export."""
    text = [saved(large, tmp_path / name, "https://example.org").model_dump_json() for name in ("a", "b")]
    guids = text[0].split('"GUID":"')[1:]

    assert text[0] == text[1]
    assert 81 + 1 + 4 + 1 + 2 + 1 == len(guids) == len({guid[:6] for guid in guids})


def test_guids_that_would_be_alike_are_not(large: Path) -> None:
    """Among twenty thousand numbers of 24 bits, about twelve pairs are alike by chance."""
    table = Table(load(large, ("c0",))[0], str, 300, 4096)

    assert 20_000 == len({table.guid(number) for number in range(20_000)})


# Print services


SHOPS = load_shops(None, Problems())


@pytest.mark.parametrize(
    ("service", "id_", "size"),
    [
        ("mpc", "game", (816, 1110)),
        ("mpc", "poker", (822, 1122)),
        ("mpc", "bridge", (747, 1122)),
        ("mpc", "tarot", (897, 1497)),
        ("mpc", "domino", (597, 1122)),
        ("mpc", "business", (672, 1122)),
        ("mpc", "micro", (447, 597)),
        ("mpc", "mini", (597, 822)),
        ("mpc", "large", (1122, 1797)),
        ("tgc", "PokerDeck", (825, 1125)),
        ("tgc", "MiniDeck", (600, 825)),
        ("tgc", "BridgeDeck", (750, 1125)),
        ("tgc", "SquareDeck", (1125, 1125)),
        ("tgc", "HexDeck", (1200, 1050)),
    ],
)
def test_pictures_of_products_are_those_that_are_published(service: str, id_: str, size: tuple[int, int]) -> None:
    """The sizes that the services publish."""
    products = {product.id: product for product in SHOPS[service].products}

    assert size == products[id_].pixels


def test_products_have_room_for_bleed() -> None:
    """No picture asked for is smaller than the product, or larger by more than half an inch."""
    for product in (*SHOPS["mpc"].products, *SHOPS["tgc"].products):
        for length, size in zip((product.width, product.height), product.pixels or (0, 0), strict=True):
            assert 0.2 <= size / 300 - length / INCH <= 0.5, product.name


@pytest.mark.parametrize(
    ("name", "kind", "mpc", "tgc"),
    [
        ("poker", "card", ("game", False), ("EuroPokerDeck", False)),
        ("us-poker", "card", ("poker", False), ("PokerDeck", False)),
        ("bridge", "card", ("bridge", False), ("BridgeDeck", False)),
        ("tarot", "card", ("tarot", False), ("TarotDeck", False)),
        ("square", "card", ("square-2.75", False), ("EuroSquareDeck", False)),
        ("penny", "coin", None, ("MediumCircleChit", False)),
        ("nickel", "coin", None, None),
        ("quarter", "coin", None, ("LargeCircleChit", False)),
        ("mini", "card", None, None),
        ("half-page", "mat", None, None),
        ("standee", "coin", None, None),
        ("credit-card", "card", None, None),  # 53.98 mm are 2.02 mm less than the US Game Deck
        ("circle-30", "coin", None, ("MiniCircleTile", False)),  # 1.75 mm less
    ],
)
def test_stocks_find_their_products(
    name: str, kind: str, mpc: tuple[str, bool] | None, tgc: tuple[str, bool] | None
) -> None:
    """A stock becomes the product that is nearest, when that is near enough."""
    stock = load_stocks(None, Problems())[name]
    found = [find_product(stock, kind, SHOPS[name].products) for name in ("mpc", "tgc")]

    assert [mpc, tgc] == [one and (one[0].id, one[1]) for one in found]


def test_a_card_that_lies_is_turned() -> None:
    """A poker card on its side is ordered as a poker card."""
    stock = Stock(name="Wide", shape="rectangle", width=88, height=63, corner=3)
    found = find_product(stock, "card", SHOPS["mpc"].products)

    assert found and ("game", True) == (found[0].id, found[1])


def ordered(shop: str, game: Game, designs: list[Design], folder: Path) -> tuple[list[Lot], tuple[LeftOut, ...]]:
    """Write the pictures of an order into a folder; give its lots, and what the shop does not make."""
    problems = Problems()
    lots, left_out = lots_of(SHOPS[shop], game, designs, problems)
    assert [] == list(problems)
    for name, data in order_files(Order(game, SHOPS[shop], lots, left_out, "png"), 1, nothing):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return lots, left_out


def test_an_order_at_makeplayingcards(large: Path, tmp_path: Path) -> None:
    """Fronts are named by slot and count, pictures have the size asked for, the order counts every card."""
    game, designs = load(large, ("c0", "c1", "c2", "squares"))
    ordered("mpc", game, designs, tmp_path)

    assert 6 == len(list(tmp_path.rglob("*.png")))
    fronts = sorted(path.name for path in (tmp_path / "cards/fronts").iterdir())
    assert ["001-c0-x2.png", "003-c1-x1.png", "004-c2-x1.png"] == fronts
    assert {(816, 1110)} == {opened(path.read_bytes()).size for path in (tmp_path / "cards").glob("*/*.png")}
    assert {(897, 897)} == {opened(path.read_bytes()).size for path in (tmp_path / "squares").glob("*/*.png")}
    order = ET.parse(tmp_path / "cards/order.xml").getroot()
    assert "4" == order.findtext("details/quantity")
    assert ["0,1", "2", "3"] == [card.findtext("slots") for card in order.iterfind("fronts/card")]
    for name in [order.findtext("cardback"), *(card.findtext("id") for card in order.iterfind("fronts/card"))]:
        assert name and (tmp_path / "cards" / name).is_file()
    assert not (tmp_path / "squares/order.xml").exists()
    text = (tmp_path / "order.txt").read_text(encoding="utf-8")
    assert "cards: Custom game cards (63 × 88 mm), 4 cards, 3 fronts, one back\n" in text


def test_an_order_at_the_game_crafter(large: Path, tmp_path: Path) -> None:
    """Cards and coins have folders of their own; the text names the product and how many."""
    game, designs = load(large, ("c0", "token"))
    ordered("tgc", game, designs, tmp_path)
    sizes = {
        path.relative_to(tmp_path).as_posix(): opened(path.read_bytes()).size for path in tmp_path.glob("*/*/*.png")
    }
    assert {
        "cards/front/c0[face,2].png": (825, 1125),
        "cards/back/all[back].png": (825, 1125),
        "tiles/front/token[face,1].png": (300, 300),
        "tiles/back/all[back].png": (300, 300),
    } == sizes
    coin = opened((tmp_path / "tiles/front/token[face,1].png").read_bytes())
    assert (0x1F, 0x5A, 0x5E) == coin.getpixel((0, 0)) == coin.getpixel((299, 299))  # the colour of its upper edge
    assert "cards: Euro Poker Deck, 2 pieces, 1 front, one back\n" in (tmp_path / "order.txt").read_text("utf-8")


def test_what_a_service_does_not_make_is_left_out(large: Path, tmp_path: Path) -> None:
    """The rest is made; the order names each stock that is missing once, with its pieces and the nearest product."""
    game, designs = load(large, ("c0", "tiles"))
    lots, left_out = ordered("tgc", game, designs, tmp_path)
    order = (tmp_path / "order.txt").read_text("utf-8")

    assert ["cards", "tiles"] == [lot.name for lot in lots]
    assert ["cards", "order.txt", "tiles"] == sorted(path.name for path in tmp_path.iterdir())
    assert [("water",), ("hill",)] == [tuple(design.row.id for design in one.designs) for one in left_out]
    assert (
        "Left out:\n"
        "    2 × Water: The Game Crafter has nothing like Hexagon, flat top, 40 mm from side to side "
        "(46.188 × 40 mm); the nearest is Small Hex Tile, 50.8 × 44.45 mm\n"
        "    1 × Hill: The Game Crafter has nothing like Hexagon, pointy top, 60 mm from side to side "
        "(60 × 69.282 mm); the nearest is Medium Hex Tile, 63.5 × 55.88 mm\n"
    ) in order


def test_an_order_of_nothing_is_a_problem(large: Path) -> None:
    """It says what is nearest to each stock, and makes nothing."""
    for shop, hints in (
        ("mpc", ["", "", ""]),
        ("tgc", ["the nearest is Small Hex Tile, 50.8 × 44.45 mm", "the nearest is Medium Hex Tile, 63.5 × 55.88 mm"]),
    ):
        game, designs = load(large, ("tiles",) if shop == "mpc" else ("water", "hill"))
        problems = Problems()
        lots, _ = lots_of(SHOPS[shop], game, designs, problems)

        assert ([], hints) == (lots, [problem.hint for problem in problems])


# A print shop


def test_a_zip_for_a_print_shop(large: Path) -> None:
    """One face a page, fronts and backs in turn, boxes exact to a hundredth of a millimetre, fonts embedded."""
    game, designs = load(large)
    data = zip_of(game, designs)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {(1980, 1, 1, 0, 0, 0)} == {entry.date_time for entry in archive.infolist()}
        assert ["README.txt", "cards.pdf", "order.csv", "squares.pdf", "tiles.pdf"] == archive.namelist()
        rows = list(csv.DictReader(io.StringIO(archive.read("order.csv").decode("utf-8-sig"))))
        readme = archive.read("README.txt").decode()
        files = {name: archive.read(name) for name in archive.namelist() if name.endswith(".pdf")}
    assert "Rules version 1, 2026. Made with" in readme
    assert "Design: Nobody" in readme and "63 × 88 mm as cut, corners of 3 mm, 3 mm of bleed" in readme
    assert 160 + 2 + 6 == len(rows)
    for name, pdf in files.items():
        own = [row for row in rows if row["file"] == name]
        with pikepdf.open(io.BytesIO(pdf)) as document:
            assert f"Tiny: {own[0]['file'].removesuffix('.pdf').title()}" == str(document.docinfo["/Title"])
            assert [str(number + 1) for number in range(len(document.pages))] == [row["page"] for row in own]
            for page, row in zip(document.pages, own, strict=True):
                bleed = float(row["bleed mm"])
                width, height = float(row["trim width mm"]), float(row["trim height mm"])
                outer = [0, 0, width + 2 * bleed, height + 2 * bleed]
                for key, box in (
                    ("/MediaBox", outer),
                    ("/BleedBox", outer),
                    ("/TrimBox", [bleed, bleed, bleed + width, bleed + height]),
                ):
                    assert box == pytest.approx([float(v) / 72 * 25.4 for v in page.obj[key]], abs=0.01)
            fonts = [thing for thing in document.objects if isinstance(thing, pikepdf.Dictionary)]
            fonts = [font for font in fonts if font.get("/Type") == "/FontDescriptor"]
            assert all("/FontFile2" in font for font in fonts)
            assert fonts or name != "cards.pdf"
    first, second, *_ = rows
    assert [("c0", "front", "2"), ("c0", "back", "2")] == [
        (row["component"], row["side"], row["copies"]) for row in (first, second)
    ]


STANDS = """\
{% extends "base/face.svg.j2" %}
{% block art %}
<rect x="-2" y="-2" width="200" height="200" fill="{{ "#ff0000" if side == "front" else "#0000ff" }}"/>
<rect x="0" y="0" width="10" height="10" fill="#ffffff"/>
{% endblock %}
"""


def test_a_print_shop_gets_what_folds_as_a_strip(tmp_path: Path) -> None:
    """Laid flat on one page, the back turned, blank feet below both, and where to fold it in words and numbers.

    Beside flat pieces of its deck it has a file of its own.
    """
    decks = (
        "  - {id: things, name: Things, kind: card, file: things.csv, count: 5, faces: {front: stands, back: stands}}\n"
    )
    folder = write_game(
        tmp_path / "standing",
        game_yaml=FILES["game.yaml"] + decks,
        **{
            "things.csv": "id,name,count,stock\ncat,Cat,3,standee\nsign,Sign,1,tent\nmoon,Moon,1,square\n",
            "faces/stands.svg.j2": STANDS,
        },
    )
    with zipfile.ZipFile(io.BytesIO(zip_of(*load(folder)))) as archive:
        rows = list(csv.DictReader(io.StringIO(archive.read("order.csv").decode("utf-8-sig"))))
        readme = archive.read("README.txt").decode()
        strips = pypdfium2.PdfDocument(archive.read("things_strips.pdf"))
    places = ("file", "page", "component", "side", "copies", "trim width mm", "trim height mm", "folds mm from the top")
    assert [
        ("things.pdf", "1", "moon", "front", "1", "70", "70", ""),
        ("things.pdf", "2", "moon", "back", "1", "70", "70", ""),
        ("things_strips.pdf", "1", "cat", "strip", "3", "30", "130", "15 65 115"),
        ("things_strips.pdf", "2", "sign", "strip", "1", "80", "90", "45"),
    ] == [tuple(row[place] for place in places) for row in rows if row["component"] in ("cat", "sign", "moon")]
    assert "foot 15 mm, back 50 mm, front 50 mm, foot 15 mm" in readme
    assert "glue the halves together, but not the feet" in readme
    assert "Score it across, 15, 65 and 115 mm below its upper edge." in readme
    assert "Score it across, 45 mm below its upper edge, and fold it there" in readme

    assert 2 == len(strips)
    page = strips[0]
    boxes = [[round(value / 72 * 25.4, 2) for value in box] for box in (page.get_mediabox(), page.get_trimbox())]
    assert [[0, 0, 34, 134], [2, 2, 32, 132]] == boxes
    picture = page.render(scale=10 * 25.4 / 72).to_pil()  # ten pixels a millimetre
    white, red, blue = (255, 255, 255), (255, 0, 0), (0, 0, 255)
    for x, y, expected in (
        (15, 5, white),  # a foot
        (15, 40, blue),  # the back
        (25, 60, white),  # its upper left corner, turned to the lower right
        (5, 70, white),  # that of the front
        (25, 70, red),
        (15, 125, white),  # the other foot
    ):
        assert expected == picture.getpixel(((x + 2) * 10, (y + 2) * 10)), (x, y)


def test_a_game_of_no_year_says_none(large: Path, tmp_path: Path) -> None:
    """A rulebook that tells no year gets none from us."""
    copy = shutil.copytree(large, tmp_path / large.name)
    path = copy / "game.yaml"
    path.write_text(path.read_text("utf-8").replace("year: 2026\n", ""), "utf-8")
    data = zip_of(*load(copy))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        readme = archive.read("README.txt").decode()

    assert "Rules version 1. Made with" in readme


def test_the_zip_is_the_same_at_every_run(large: Path) -> None:
    """The same content gives the same bytes."""
    first, second = (zip_of(*load(large, ("c0", "tiles"))) for _ in range(2))

    assert first == second


# The command

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `grimalkin export` in an empty folder; gives the exit code and what was written and told."""
    monkeypatch.chdir(tmp_path)

    def export(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(["export", *arguments])
        except SystemExit as stop:
            code = int(stop.code or 0)
        told = capsys.readouterr()
        return code, told.out, told.err

    return export


@pytest.mark.slow("draws pictures of whole games")
@pytest.mark.parametrize("kind", ["png", "svg", "tts", "pcio", "zip"])
def test_every_kind_exports_a_bundled_game(run: Run, kind: str) -> None:
    """A command fills its folder, and fills it again with the same files."""

    def files() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in Path(f"output/export/were-kittens/{kind}").rglob("*.*")}

    arguments = (kind, "were-kittens", "--only", "penny,reference-cards", *(["--dpi", "72"] if kind == "png" else []))

    assert run(*arguments)[0] == 0
    before = files()
    assert run(*arguments)[0] == 0
    assert before == files()
    assert before


def test_no_more_processes_are_started_than_windows_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    """61, whatever is asked for; a machine may have more cores."""
    started: list[int] = []

    def pool(jobs: int, **_more: object) -> ThreadPoolExecutor:
        started.append(jobs)
        return ThreadPoolExecutor(1)

    monkeypatch.setattr("grimalkin.output.workers.ProcessPoolExecutor", pool)

    assert [7] == list(in_parallel(int, [("7",)], 256))
    assert [61] == started


@pytest.mark.slow("draws pictures of whole games")
def test_only_what_was_asked_for_is_exported(run: Run) -> None:
    """Components and decks can be named."""
    assert (0, "5 vector files made in output/export/were-kittens/svg\n", "") == run(
        "svg", "were-kittens", "--only", "penny, reference-cards,player-mat"
    )


@pytest.mark.slow("draws pictures of whole games")
@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["gif", "were-kittens"], 2, 'invalid choice: "gif"; choose from '),
        ([], 2, "the following arguments are required: KIND"),
        (["png", "were-kittens", "--dpi", "35"], 2, '"35" is not a whole number from 36 to 2400'),
        (["png", "were-kittens", "--dpi", "2401"], 2, '"2401" is not a whole number from 36 to 2400'),
        (["png", "were-kittens", "--jobs", "0"], 2, '"0" is not a whole number from 1 to 256'),
        (["png", "were-kittens", "--only", ","], 2, '"," contains no name'),
        (["png", "were-kittens", "--only", "dime,peny"], 1, '--only: there is no card or deck "peny"; did you mean'),
        (["png", "were-kittens", "--dpi", "2400"], 1, "a picture of 186 × 118 mm has 195 million pixels at 2400 dpi"),
        (
            ["mpc", "were-kittens", "--only", "penny"],
            1,
            "MakePlayingCards makes no circle such as US one-cent coin, as far as we know",
        ),
        (["png", "no-such-game"], 1, "no-such-game"),
    ],
)
def test_what_cannot_be_exported(run: Run, arguments: list[str], code: int, told: str) -> None:
    """The message says what is wrong, and no folder is made."""
    result, _, error = run(*arguments)

    assert code == result
    assert told in error
    assert not Path("output").exists()


def test_a_game_with_problems_is_not_exported(run: Run) -> None:
    """Its problems are told."""
    write_game(Path("broken"), cards_csv="id,name,count,power,mood\nmouse,Mouse,3,99,calm\n")
    result = run("png", "./broken")

    assert 1 == result[0]
    assert "cards.csv:2" in result[2]


def test_a_folder_of_somebody_else_is_left_alone(run: Run) -> None:
    """What Grimalkin did not make is not replaced."""
    Path("mine/svg").mkdir(parents=True)
    Path("mine/svg/photo.txt").write_text("mine")
    result = run("svg", "were-kittens", "--output", "mine")

    assert 1 == result[0]
    assert "this was not made by Grimalkin" in result[2]
    assert ["mine/svg", "mine/svg/photo.txt"] == sorted(str(path) for path in Path("mine").rglob("*"))


@pytest.mark.parametrize("kind", ["png", "svg", "tts", "pcio", "mpc", "tgc", "zip"])
def test_help_teaches_by_example(run: Run, kind: str) -> None:
    """The help of every kind shows how it is called."""
    result = run(kind, "--help")

    assert 0 == result[0]
    assert f"grimalkin export {kind} were-kittens" in result[1]


def test_the_guide_calls_commands_that_exist() -> None:
    """Every line of the guide that begins with the command can be understood."""
    guide = (data_folder("site") / "docs/guide/exporting.md").read_text(encoding="utf-8")
    lines = [line.split()[1:] for line in guide.split("\n") if line.startswith("grimalkin ")]

    assert 6 <= len(lines)
    for line in lines:
        assert line[1] == getattr(_parser().parse_args(line), "kind", line[1])


def test_the_address_of_pictures_is_one_whatever_is_given(tmp_path: Path) -> None:
    """Spaces, quotes, letters of any script and bytes that are no text are written as an address writes them."""
    address = addresses('https://example.org/für "x"\udcff/?a=1%20', tmp_path)

    assert "https://example.org/f%C3%BCr%20%22x%22%FF/?a=1%20/a%20b.png" == address("a b.png")


def test_no_name_becomes_a_formula_in_the_order_of_a_print_shop(tmp_path: Path) -> None:
    """A spreadsheet shows what would begin one; numbers stay numbers."""
    cards = FILES["cards.csv"].replace("Mouse", '"@HYPERLINK(""https://example.org"")"').replace("Owl", "Owl;-1+1")
    game, designs = load(write_game(tmp_path / "tiny", cards_csv=cards))
    with zipfile.ZipFile(io.BytesIO(zip_of(game, designs))) as archive:
        rows = list(csv.DictReader(io.StringIO(archive.read("order.csv").decode("utf-8-sig"))))

    assert ['\'@HYPERLINK("https://example.org")', "Owl;'-1+1"] == [row["name"] for row in rows[::2]]
    assert {("63", "3")} == {(row["trim width mm"], row["bleed mm"]) for row in rows}


def test_no_piece_is_called_like_a_picture_of_many(tmp_path: Path) -> None:
    """A tile whose id is that of a deck and a number keeps its own picture."""
    tiles = "  - {id: tiles, name: Tiles, kind: mat, file: tiles.csv, count: 2, stock: square, faces: {front: plain}}\n"
    face = FILES["faces/plain.svg.j2"].replace("{{ card.power }}", "x")
    folder = write_game(
        tmp_path / "tiny",
        game_yaml=FILES["game.yaml"] + tiles,
        **{"tiles.csv": "id,name\ncards-1,A\ntiles-2,B\n", "faces/plain.svg.j2": face},
    )
    game, designs = load(folder)
    out = tmp_path / "out"
    made = export_tts(game, designs, out, addresses(None, out), 36, 1024, 1, nothing)

    assert made == len(list(out.glob("*.png")))
    assert {"cards_1-front.png", "cards-1-front.png"} <= {path.name for path in out.glob("*.png")}
