"""Designs with fewer inks: white paper, less ink, and every distinction still told by shape."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from statistics import median

import pikepdf
import pytest
from games_for_tests import bundled_game, write_game
from lxml import etree
from PIL import Image
from test_rulebook import colours as colours_of

from grimalkin.content import load_game
from grimalkin.content.stocks import load_papers, load_stocks
from grimalkin.output.printout import print_out
from grimalkin.printing.draw.raster import face_png
from grimalkin.printing.draw.recolour import Greys, recoloured
from grimalkin.printing.face import Composer, Face, Inks
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.face.views import ART
from grimalkin.printing.sheet.pieces import all_faces, faces_by, pieces_of
from grimalkin.printing.sheet.settings import Edition, Settings
from grimalkin.problems import Problems
from grimalkin.source import bundled_games, find_game_folder

FEWER: tuple[Inks, ...] = ("low", "mono")
OF_WORDS = {"reference-cards", "score-sheets"}
COINS = ["penny", "nickel", "dime", "quarter"]


@cache
def faces(inks: Inks) -> dict[str, Face]:
    """Every face of Were Kittens in a design, and its cover."""
    problems = Problems()
    game = load_game(find_game_folder("were-kittens"), problems)
    assert game is not None
    composer = Composer(game, load_stocks(game.folder, problems), problems, inks)
    found = all_faces(game, composer)
    cover = composer.compose("cover", "cover-front", "Were Kittens", None, ART, {})
    assert cover is not None and not problems, list(problems)
    return {**found, "cover-front": cover}


def levels(face: Face, dpi: int = 300) -> list[int]:
    """How many pixels of a face on white paper have each level of grey, 0 for black to 255."""
    picture = Image.open(io.BytesIO(face_png(face, dpi))).convert("RGBA")
    ground = Image.new("RGBA", picture.size, "#ffffff")
    ground.alpha_composite(picture)
    return ground.convert("L").histogram()


def blackness(face: Face, dpi: int = 300) -> float:
    """What share of a face is black, or nearly."""
    counts = levels(face, dpi)
    return sum(counts[:70]) / sum(counts)


def darkness(face: Face) -> float:
    """How dark a face is on white paper: 0 for none, 1 for all black."""
    counts = levels(face)
    return sum((255 - level) * count for level, count in enumerate(counts)) / sum(counts) / 255


def colours(face: Face) -> set[str]:
    return set(re.findall(r"#[0-9a-f]{6}", face.svg))


# What they save


@pytest.mark.slow("draws a game in three inks")
@pytest.mark.parametrize("name", [f"{coin}-{side}" for coin in COINS for side in ("front", "back")])
def test_coins_keep_the_black_of_their_cats(name: str) -> None:
    """With less ink grounds go and black stays, between 8 and 25 % of a coin: less ink, but black cats are black."""
    full = darkness(faces("full")[name])

    assert 0.08 < blackness(faces("low")[name]) < 0.25
    assert darkness(faces("low")[name]) < 0.8 * full
    assert darkness(faces("mono")[name]) < 0.9 * full


@pytest.mark.slow("draws a game in three inks")
def test_mats_need_much_less_ink() -> None:
    """Their night goes; stacks and cats stay black, 10 to 20 % of the mat, and in black only the roof does, too."""
    full = darkness(faces("full")["player-mat-front"])

    assert 0.1 < blackness(faces("low")["player-mat-front"]) < 0.2
    assert darkness(faces("low")["player-mat-front"]) < 0.5 * full
    assert darkness(faces("mono")["player-mat-front"]) < 0.6 * full


@pytest.mark.slow("draws a game in three inks")
@pytest.mark.parametrize("name", ["reference-card-front", "reference-card-back"])
def test_what_is_mostly_words_needs_less_ink(name: str) -> None:
    """The words themselves stay, and a black kitten at the head; bands and grounds go."""
    full = darkness(faces("full")[name])

    assert darkness(faces("low")[name]) <= 0.42 * full
    assert darkness(faces("mono")[name]) <= 0.47 * full


@pytest.mark.slow("draws a game in three inks")
def test_a_cover_keeps_its_black() -> None:
    """Its night goes with little ink, but its cats, roof and title stay."""
    full = darkness(faces("full")["cover-front"])

    assert 0.15 < blackness(faces("low")["cover-front"]) < 0.4
    assert darkness(faces("low")["cover-front"]) < 0.6 * full


@pytest.mark.slow("draws the decks of a game")
@pytest.mark.parametrize("name", bundled_games())
def test_a_deck_keeps_its_black_with_little_ink(name: str) -> None:
    """A woodcut and not a colouring book: of a usual face about 15 % is black. Cards of words alone have less."""
    game = bundled_game(name)
    composer = Composer(game, load_stocks(game.folder, Problems()), Problems(), "low")
    shares = {}
    for deck in game.info.decks:
        if deck.id not in OF_WORDS:
            rows = game.components[deck.id]
            fronts = (composer.faces(deck, row)[0] for row in rows[:: 1 + len(rows) // 12])
            shares[deck.id] = median(blackness(front, 60) for front in fronts if front)

    assert {deck: share for deck, share in shares.items() if not 0.06 <= share <= 0.23} == {}


def test_black_alone_is_black_and_white() -> None:
    """Any other colour would come out of a laser printer as dots."""
    found = {name: colours(face) - {"#000000", "#ffffff"} for name, face in faces("mono").items()}

    assert {} == {name: others for name, others in found.items() if others}


def filled_in(pdf: bytes) -> set[str]:
    """The operators that colour what fields are filled with."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        annotations = [one for page in document.pages for one in page.get("/Annots", ())]
        return {str(one.DA).split(" Tf ")[1] for one in annotations if "/DA" in one}


@pytest.mark.slow("prints two games in black only")
@pytest.mark.parametrize("name", ["were-kittens", "wolf-mans-curse"])
def test_all_that_is_printed_in_black_alone_is_device_gray(name: str) -> None:
    """A printer that counts pages in colour counts none: sheets with their cover, marks and rulers, the score sheet to
    fill in, the quick reference and its sheet, and the rulebook in each form."""
    problems = Problems()
    game = bundled_game(name)
    composer = Composer(game, load_stocks(game.folder, problems), problems, "mono")
    papers = {"a4": load_papers(None, problems)["a4"]}
    faces_of = faces_by(game, composer)
    edition = Edition(game.info.rules_version, "x")
    settings = Settings(inks="mono", marks="dots")
    made = print_out(composer, faces_of, pieces_of(game, composer.stocks), papers, settings, edition).files

    assert len(made) >= 3
    assert {} == {file: found for file, data in made.items() if (found := colours_of(data)) - {(0.0,), (1.0,)}}
    assert {} == {file: found for file, data in made.items() if (found := filled_in(data)) - {"0 g"}}


def test_colours_become_grey_wherever_they_stand() -> None:
    """Before and after paths and strings, on the same line or the next, but not inside strings or longer operators."""
    path = "0.5 0.25 m 0.1 0.2 0.3 0.4 0.5 0.6 c"
    code = f"q 1 0 0 rg {path} 0 0 1 RG B\n0 1 0 rg\n(\\) 1 0 0 rg)Tj 1 1 1 RG [(a)-2(1 0 0 RG)]TJ 1 0 0 rgb"
    grey = f"q 0.299 g {path} 0.114 G B\n0.587 g\n(\\) 1 0 0 rg)Tj 1 G [(a)-2(1 0 0 RG)]TJ 1 0 0 rgb"

    assert grey == recoloured(code, Greys("#1d1a26"), [])


@pytest.mark.slow("prints a game in colour")
def test_the_inks_of_a_game_are_not_grey(tmp_path: Path) -> None:
    """What the test above looks for is there in colour."""
    game, problems = load_game(write_game(tmp_path / "tiny"), Problems()), Problems()
    assert game is not None
    composer = Composer(game, load_stocks(None, problems), problems)
    pieces, edition = pieces_of(game, composer.stocks), Edition("1", "x")
    made = print_out(composer, faces_by(game, composer), pieces, load_papers(None, problems), Settings(), edition)

    assert 3 in map(len, colours_of(next(iter(made.files.values()))))


@pytest.mark.slow("draws a game in three inks")
@pytest.mark.parametrize("inks", FEWER)
def test_the_paper_stays_white_at_the_edge(inks: Inks) -> None:
    """Nothing is printed in the bleed, so a cut that wanders shows nothing."""
    for name, face in faces(inks).items():
        picture = Image.open(io.BytesIO(face_png(face, 300, bleed=True))).convert("L")
        rim = round(face.stock.bleed / 25.4 * 300) - 2
        if rim > 0:
            assert (255, 255) == picture.crop((0, 0, picture.width, rim)).getextrema(), name
            assert (255, 255) == picture.crop((0, 0, rim, picture.height)).getextrema(), name


def test_full_faces_keep_their_ground() -> None:
    """The penny is copper to the edge of its bleed."""
    face = faces("full")["penny-front"]
    picture = Image.open(io.BytesIO(face_png(face, 300, bleed=True))).convert("RGB")

    assert (181, 98, 45) == picture.getpixel((picture.width // 2, 3))


# What they tell


@pytest.mark.parametrize("inks", ["full", *FEWER])
def test_every_coin_has_its_own_rim(inks: Inks) -> None:
    """A ring, 16 teeth, 48 reeds, 23 beads: in every design, on both sides."""

    def rim(name: str, tag: str) -> int:
        return sum("rotate" in (one.get("transform") or "") for one in faces(inks)[name].root.iter(f"{{{SVG}}}{tag}"))

    for side in ("front", "back"):
        assert (0, 0) == (rim(f"penny-{side}", "path"), rim(f"penny-{side}", "circle"))
        assert 16 == rim(f"nickel-{side}", "path")
        assert 48 == rim(f"dime-{side}", "path")
        assert 23 == rim(f"quarter-{side}", "circle")


@pytest.mark.parametrize("inks", FEWER)
@pytest.mark.parametrize("coin", COINS)
def test_night_is_told_by_lines(inks: Inks, coin: str) -> None:
    """A coin that sleeps has a sky of nine lines; one that is awake has none."""

    def sky(side: str) -> int:
        groups = [
            g for g in faces(inks)[f"{coin}-{side}"].root.iter(f"{{{SVG}}}g") if g.get("clip-path") == "url(#sky)"
        ]
        return sum(len(group) for group in groups)

    assert (0, 9) == (sky("front"), sky("back"))


@pytest.mark.parametrize("inks", ["full", *FEWER])
@pytest.mark.parametrize("coin", COINS)
def test_numbers_on_coins_can_be_read(inks: Inks, coin: str) -> None:
    """No numeral is smaller than 7 pt, 2.469 mm, and a design does not change a number."""
    for side in ("front", "back"):
        texts = list(faces(inks)[f"{coin}-{side}"].root.iter(f"{{{SVG}}}text"))

        assert all(float(text.get("font-size", "0")) >= 2.469 for text in texts)
        full = [text.text for text in faces("full")[f"{coin}-{side}"].root.iter(f"{{{SVG}}}text")]
        assert full == [text.text for text in texts]


@pytest.mark.parametrize("inks", FEWER)
def test_words_are_the_same_in_every_design(inks: Inks) -> None:
    """Mats and reference cards lose no line."""
    for name in ("player-mat-front", "reference-card-front", "reference-card-back"):
        one, other = ("".join(faces(kind)[name].root.itertext()).split() for kind in ("full", inks))
        assert one == other


@pytest.mark.parametrize(("name", "inks"), [("nickel-back", "low"), ("penny-front", "mono")])
def test_golden_faces_with_fewer_inks(name: str, inks: Inks, golden: Callable[[str, str], None]) -> None:
    """Faces as text that a person can review; `pytest --bless` renews them."""
    root = etree.fromstring(faces(inks)[name].svg)
    etree.indent(root)

    golden(f"faces/{name}-{inks}.svg", etree.tostring(root, encoding="unicode") + "\n")


def test_the_shared_template_has_a_ground_with_full_inks_only(tmp_path: Path) -> None:
    """A designer who extends it need not think of it."""
    problems = Problems()
    game = load_game(write_game(tmp_path / "tiny"), problems)
    assert game is not None
    grounds = {}
    for inks in ("full", *FEWER):
        composer = Composer(game, load_stocks(game.folder, problems), problems, inks)
        grounds[inks] = "#f7f1e3" in all_faces(game, composer)["owl-front"].svg

    assert {"full": True, "low": False, "mono": False} == grounds
