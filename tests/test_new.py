"""`grimalkin new`: a whole game with the name, the title and the rule ids one asked for, and nothing overwritten."""

from __future__ import annotations

import io
import re
from pathlib import Path

import drawn_roofs
import pytest
import yaml
from PIL import Image, ImageChops, ImageStat

from grimalkin.cli import main
from grimalkin.cli.designing import new_game
from grimalkin.content import load_game
from grimalkin.content.filenames import RESERVED_NAMES
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.draw.raster import face_png
from grimalkin.printing.face import Composer
from grimalkin.problems import Problems, Stop
from grimalkin.problems.plain import is_name_of_game
from grimalkin.source import bundled_games, data_folder

ROOFS = Path("art", "roofs.png")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_game_carries_its_title_and_its_own_rule_ids(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing of the skeleton's own title and prefix is left, and the next steps are told."""
    assert main(["new", "owls-by-night", "--title", 'Owls: "hoo"']) == 0
    folder = here / "owls-by-night"
    texts = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".png")
    files = {path: path.read_text("utf-8") for path in texts}
    information = yaml.safe_load(files[folder / "game.yaml"])
    said = capsys.readouterr().out

    assert (information["title"], information["prefix"]) == ('Owls: "hoo"', "OBN")
    assert not [path for path, text in files.items() if re.search(r"\bNG\b|New Game", text)]
    assert set(re.findall(r"\b[A-Z]{2,4}(?=-[A-Z]+-\d)", files[folder / "rules.yaml"])) == {"OBN"}
    assert "grimalkin preview ./owls-by-night" in said
    assert "grimalkin build ./owls-by-night" in said


def test_a_new_game_is_whole(here: Path) -> None:
    """It has a table, front and back for every deck, tokens, rules, terms, a palette, an icon, a picture of pixels and
    a drawing, without a problem."""
    main(["new", "owls"])
    problems = Problems()
    game = load_game(here / "owls", problems)

    assert list(problems) == []
    assert game is not None
    assert game.info.title == "Owls"
    assert {deck.kind for deck in game.info.decks} == {"card", "coin"}
    assert all(deck.faces.back for deck in game.info.decks)
    assert game.rules and game.terms and game.info.palette
    assert list((here / "owls" / "icons").glob("*.svg"))
    assert {".png", ".svg"} == {path.suffix for path in (here / "owls" / "art").iterdir()}
    assert (data_folder("templates") / "new-game" / ROOFS).read_bytes() == (here / "owls" / ROOFS).read_bytes()


def test_its_picture_is_what_the_script_draws(request: pytest.FixtureRequest) -> None:
    """But for a few dots at the edges of shapes, which another Pillow may draw elsewhere; and it is small."""
    path = data_folder("templates") / "new-game" / ROOFS
    if request.config.getoption("--bless"):
        path.write_bytes(drawn_roofs.roofs_png())
    kept, drawn = (Image.open(source).convert("RGBA") for source in (path, io.BytesIO(drawn_roofs.roofs_png())))
    apart = ImageStat.Stat(ImageChops.difference(kept, drawn)).mean

    assert kept.size == drawn.size
    assert max(apart) < 0.5
    assert path.stat().st_size < 30_000


def test_its_picture_is_printed_in_black_and_left_out_in_little_ink() -> None:
    """Each cat has its picture in two tones in black only, and none in little ink."""
    folder = data_folder("templates") / "new-game"
    treatments = {}
    for inks in ("full", "low", "mono"):
        problems = Problems()
        game = load_game(folder, problems)
        assert game is not None
        deck = game.info.decks[0]
        composer = Composer(game, load_stocks(folder, problems), problems, inks)  # type: ignore[arg-type]
        face, _ = composer.faces(deck, game.components[deck.id][0])
        assert face is not None
        treatments[inks] = [placed.treatment for placed in face.pictures.values()]

    assert {"full": ["as-is"], "low": [], "mono": ["threshold"]} == treatments


@pytest.mark.parametrize("inks", ["full", "low", "mono"])
def test_every_face_of_a_new_game_is_drawn_in_all_inks(inks: str) -> None:
    """No problem; low ink fills nothing but with white and black, and mono has no colour at all."""
    folder = data_folder("templates") / "new-game"
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None
    composer = Composer(game, load_stocks(folder, problems), problems, inks)  # type: ignore[arg-type]
    faces = [face for deck in game.info.decks for row in game.components[deck.id] for face in composer.faces(deck, row)]
    colours = {colour for face in faces if face for colour in re.findall(r'(?:fill|stroke)="(#\w+)"', face.svg)}

    assert list(problems) == []
    assert len(faces) == 22 and all(faces)
    if inks == "low":
        assert colours == {"#ffffff", "#1d1a26"}
    elif inks == "mono":
        assert colours <= {"#ffffff", "#000000"}
    else:
        assert len(colours) > 5


def test_the_back_looks_the_same_after_half_a_turn() -> None:
    """So no card tells which way up it lies. Turned, the back differs from itself by next to nothing; a front does."""
    folder = data_folder("templates") / "new-game"
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None
    deck = game.info.decks[0]
    front, back = Composer(game, load_stocks(folder, problems), problems).faces(deck, game.components[deck.id][0])
    assert front is not None and back is not None

    assert difference_when_turned(face_png(back)) < 1
    assert difference_when_turned(face_png(front)) > 20


def difference_when_turned(png: bytes) -> float:
    """How much a picture differs from itself turned upside down: the mean over all pixels, of 255."""
    picture = Image.open(io.BytesIO(png)).convert("L")
    return float(ImageStat.Stat(ImageChops.difference(picture, picture.rotate(180))).mean[0])


def test_a_new_game_is_put_where_a_path_says(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "games").mkdir()

    assert main(["new", "games/owls"]) == 0
    assert (here / "games" / "owls" / "game.yaml").is_file()
    assert "grimalkin preview games/owls" in capsys.readouterr().out


def test_nothing_that_is_there_is_touched(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder, even an empty one, and a file of that name both stop it."""
    (here / "owls").mkdir()
    (here / "mice").write_text("mine", encoding="utf-8")

    assert main(["new", "owls"]) == 1
    assert main(["new", "mice"]) == 1
    assert "owls: this exists already; name a new folder" in capsys.readouterr().err
    assert list((here / "owls").iterdir()) == []
    assert (here / "mice").read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("My Game", 'cannot be called "My Game"; small letters, digits and hyphens; "my-game" would do'),
        ("a--b", '"a-b" would do'),
        ("ünder", '"nder" would do'),
        ("x" * 61, f'"{"x" * 60}" would do'),
        (*sorted(RESERVED_NAMES)[:1], "the site has a folder with this name"),
        (*bundled_games()[:1], "comes with Grimalkin; choose another name"),
        ("nowhere/owls", "nowhere: there is no such folder; make it first"),
    ],
)
def test_a_bad_name_is_told(here: Path, capsys: pytest.CaptureFixture[str], name: str, said: str) -> None:
    assert main(["new", name]) == 1
    assert said in capsys.readouterr().err
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("name", ["owls", "2-owls", "a--b", "-a", "a-", "Owls", "a_b", "x" * 60, "x" * 61, "guide"])
def test_names_that_can_be_made_are_names_that_can_be_read(tmp_path: Path, name: str) -> None:
    """The command and the reading of a game agree about names."""
    try:
        new_game(tmp_path / name, "Owls", "OW")
    except Stop:
        new_game(tmp_path / "owls-of-old", "Owls", "OW")
        (tmp_path / "owls-of-old").rename(tmp_path / name)
        problems = Problems()
        load_game(tmp_path / name, problems)

        assert [f'cannot be called "{name}"' in problem.message for problem in problems] == [True]
        return
    problems = Problems()
    load_game(tmp_path / name, problems)

    assert list(problems) == []
    assert is_name_of_game(name)
