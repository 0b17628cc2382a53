"""One picture to share: where its cards lie, what is drawn, and which files it leaves alone."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from games_for_tests import FILES, write_game
from PIL import Image

from grimalkin.cli import main
from grimalkin.content import load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.draw.raster import Laid, laid_png
from grimalkin.printing.export.arrangements import arranged, fan, hand, table
from grimalkin.printing.export.designs import designs_of
from grimalkin.printing.face import Face
from grimalkin.problems import Problems

CARD = (60.0, 80.0)
DYED = """\
{% extends "base/face.svg.j2" %}
{% block art %}<rect x="-3" y="-3" width="69" height="94" fill="{{ "#aa0000" if card.power == 1 else "#0000aa" }}"/>
{% endblock %}
"""


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A red mouse and a blue owl, in the current folder."""
    monkeypatch.chdir(tmp_path)
    return write_game(tmp_path / "tiny", faces__plain_svg_j2=DYED)


def picture(name: str) -> Image.Image:
    return Image.open(io.BytesIO(Path(name).read_bytes()))


# Where cards lie


def test_a_hand_lies_on_a_gentle_arc() -> None:
    """Three cards 60 mm wide are 37.2 mm and 5° apart: on an arc of 74.4 mm / 10° with a radius of 426.28 mm."""
    left, middle, right = hand([CARD] * 3)

    assert (-5, 0, 5) == (left.turn, middle.turn, right.turn)
    assert (0, pytest.approx(-466.28, abs=0.01)) == (middle.x, middle.y)
    assert (pytest.approx(40.64, abs=0.01), left.y) == (right.x, right.y)  # 466.28 × sin 5°


def test_a_long_hand_is_squeezed() -> None:
    """Thirty cards reach no further than seven cards are wide, and lean no more than sixteen degrees."""
    spots = hand([CARD] * 30)

    assert 32 == spots[-1].turn - spots[0].turn
    assert spots[-1].x - spots[0].x < 7 * 60 + 25  # the middles lie 40 mm further out than the arc of the feet


def test_a_fan_turns_around_a_point_below_the_feet() -> None:
    """Two cards 80 mm high lean by 7° to either side; their middles are 9.6 + 40 mm from the point."""
    left, right = fan([CARD] * 2)

    assert (-7, 7) == (left.turn, right.turn)
    assert (pytest.approx(6.04, abs=0.01), pytest.approx(-49.23, abs=0.01)) == (right.x, right.y)


def test_a_table_has_rows_in_the_middle() -> None:
    """Eight cards make two rows of four, 66 mm and 86 mm apart; coins get a row of their own."""
    cards = table([CARD] * 8)
    mixed = table([(20.0, 20.0)] * 2 + [CARD] * 4)

    assert [-99, -33, 33, 99] * 2 == [spot.x for spot in cards]
    assert [40] * 4 + [126] * 4 == [spot.y for spot in cards]
    assert [(-13, 10), (13, 10)] == [(spot.x, spot.y) for spot in mixed[:2]]
    assert {66} == {spot.y for spot in mixed[2:]}


def test_there_is_ground_around_the_cards() -> None:
    """Two cards on a table are 126 × 80 mm, with 14 % of the height around them 148.4 × 102.4."""
    stock = load_stocks(None, Problems())["poker"].model_copy(update={"width": 60.0, "height": 80.0})
    laid, size = arranged([Face("a-front", "A", "A", stock, ()), Face("b-front", "B", "B", stock, ())], "table")

    assert pytest.approx((148.4, 102.4)) == size
    assert [pytest.approx((41.2, 51.2)), pytest.approx((107.2, 51.2))] == [(one.x, one.y) for one in laid]


# What is drawn


def test_a_turned_card_is_cut_and_clear_around(tiny: Path) -> None:
    """A red poker card, 63 × 88 mm, lying on its side in the middle of 100 × 100 mm at 4 pixels a millimetre."""
    game = load_game(tiny, problems := Problems())
    assert game is not None
    mouse = designs_of(game, ["mouse"], problems)[0].front
    image = Image.open(io.BytesIO(laid_png([Laid(mouse, 50, 50, 90)], (100, 100), (400, 400), None, shadow=False)))

    assert image.getbbox() == (24, 74, 376, 326)  # 6 to 94 mm across, 18.5 to 81.5 down, and nothing beyond
    assert (170, 0, 0, 255) == image.getpixel((200, 200))
    assert 0 == image.getchannel("A").getpixel((25, 75))  # its corners are round


def test_later_cards_lie_above_with_a_shadow_on_those_below(tiny: Path) -> None:
    """Across the middle the blue owl covers the red mouse, which is darker beside it, and is not without a shadow."""
    assert main(["show", "./tiny", "--width", "800"]) == 0
    shaded = picture("tiny-hand.png").convert("RGB")
    assert main(["show", "./tiny", "--width", "800", "--no-shadow"]) == 0
    flat = picture("tiny-hand.png").convert("RGB")
    at = 0, shaded.height // 2, 800, shaded.height // 2 + 1
    row, plain = (list(zip(*[iter(one.crop(at).tobytes())] * 3, strict=True)) for one in (shaded, flat))
    owl = row.index((0, 0, 170))

    assert (170, 0, 0) == row[owl - 60] == plain[owl - 60] == plain[owl - 3]
    assert (0, 0, 170) == row[owl + 200] == plain[owl + 200]
    assert row[owl - 3] < (150, 0, 0)


def test_bare_paper_is_white_on_a_dark_ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With little ink a face prints no ground: its paper shows, not the ground or shadow behind it."""
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path / "tiny", faces__plain_svg_j2='{% extends "base/face.svg.j2" %}')

    assert main(["show", "./tiny", "--only", "mouse", "--ink", "low", "--ground", "#101010", "--width", "400"]) == 0
    image = picture("tiny-hand.png").convert("RGB")

    assert (255, 255, 255) == image.getpixel((image.width // 2, image.height // 2))


@pytest.mark.parametrize(("more", "corner"), [([], (128, 8, 11, 255)), (["--ground", "#102030"], (16, 32, 48, 255))])
def test_the_ground_is_an_ink_of_the_game_or_what_is_asked(
    tiny: Path, more: list[str], corner: tuple[int, ...]
) -> None:
    assert main(["show", "./tiny", "--as", "fan", "--width", "300", *more]) == 0

    assert corner == picture("tiny-fan.png").convert("RGBA").getpixel((0, 0))
    assert 300 == picture("tiny-fan.png").width


# Which file


def test_the_same_cards_give_the_same_bytes_and_replace_only_our_own(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["show", "./tiny", "--as", "table", "--output", "a.png", "--ground", "none"]
    assert main(arguments) == 0
    first = Path("a.png").read_bytes()

    assert main(arguments) == 0
    assert first == Path("a.png").read_bytes()
    assert "alt text: Tiny, pieces side by side: Mouse, Owl\n" in capsys.readouterr().out
    Image.new("RGB", (9, 9)).save("a.png")
    theirs = Path("a.png").read_bytes()
    assert main(arguments) == 1
    assert theirs == Path("a.png").read_bytes()
    (tmp_path / "b.png").symlink_to(tmp_path / "elsewhere.png")
    assert main([*arguments[:5], "b.png"]) == 1
    told = capsys.readouterr().err
    assert "a.png: this file is not a picture that `grimalkin show` made; name another file with --output" in told
    assert "b.png: this is a link" in told


def test_only_what_changed_is_shown(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheets", "./tiny", "--no-cover", "--paper", "a4"]) == 0
    assert main(["show", "./tiny", "--changed-since", "1"]) == 0
    assert "nothing looks different, so there is no picture to make" in capsys.readouterr().out
    assert not Path("tiny-hand.png").exists()
    (tiny / "cards.csv").write_text(FILES["cards.csv"].replace("Owl,1,7", "Owl,1,1"), encoding="utf-8")

    assert main(["show", "./tiny", "--changed-since", "1"]) == 0
    assert "a hand of cards: Owl\n" in capsys.readouterr().out


def test_a_folder_of_pictures_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two red cards side by side, as large as poker cards: in the middle of the left half one is red."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pics").mkdir()
    for name in ("a", "b"):
        Image.new("RGB", (744, 1039), "#aa0000").save(tmp_path / "pics" / f"{name}.png")

    assert main(["show", "./pics", "--as", "table", "--only", "a", "--output", "one.png", "--width", "400"]) == 0
    assert main(["show", "./pics", "--as", "table", "--output", "two.png", "--width", "400"]) == 0
    assert (170, 0, 0) == picture("one.png").getpixel((200, 250))
    two = picture("two.png")
    assert [(170, 0, 0)] * 2 == [two.getpixel((x, two.height // 2)) for x in (120, 280)]


@pytest.mark.parametrize(
    ("more", "code", "told"),
    [
        (["--ground", "rde"], 1, '--ground: the palette of Tiny has no "rde"; did you mean "red"?'),
        (["--ground", "#fa0"], 2, '"#fa0" is not a colour; write "#ffaa00"'),
        (["--output", "a.jpg"], 2, '"a.jpg" does not end in .png'),
        (["--output", "there/a.png"], 1, "there: there is no such folder; make it first"),
        (["--only", "power=3"], 1, '--only: no card has "3" in the column "power"; known here: 1, 7'),
        (["--width", "9000"], 2, '"9000" is not a whole number from 200 to 4000'),
    ],
)
def test_what_is_wrong_is_told(
    tiny: Path, capsys: pytest.CaptureFixture[str], more: list[str], code: int, told: str
) -> None:
    try:
        found = main(["show", "./tiny", *more])
    except SystemExit as stop:
        found = int(stop.code or 0)

    assert code == found
    assert told in capsys.readouterr().err
    assert not list(Path().glob("*.png"))


def test_a_picture_has_two_hundred_cards_at_most(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"c{number},Card {number},1,{1 + number % 9},\n" for number in range(201))
    (tiny / "cards.csv").write_text(FILES["cards.csv"].splitlines()[0] + "\n" + rows, encoding="utf-8")
    (tiny / "game.yaml").write_text(FILES["game.yaml"].replace("count: 3", "count: 201"), encoding="utf-8")
    rules = FILES["rules.yaml"].replace("[[mouse]] or an [[owl]]", "card")
    (tiny / "rules.yaml").write_text(rules, encoding="utf-8")

    assert main(["show", "./tiny", "--only", "cards"]) == 1
    assert "--only: 201 cards are too many for one picture; at most 200 fit" in capsys.readouterr().err
    assert main(["show", "./tiny", "--only", "cards", "--most", "3", "--width", "200"]) == 0
    assert "3 of 201 cards" in capsys.readouterr().out
