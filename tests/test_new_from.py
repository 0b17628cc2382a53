"""`grimalkin new --from`: a table becomes a game that can be printed, drawn by a layout that suits its columns."""

from __future__ import annotations

import csv
import re
import shutil
from pathlib import Path

import pytest
from PIL import Image

from grimalkin.cli import main
from grimalkin.cli.beginning import USE
from grimalkin.cli.layouts import LAYOUTS
from grimalkin.content import load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.face import Composer
from grimalkin.problems import Problems
from grimalkin.source import data_folder

TABLES = Path(__file__).parent / "tables"
FOLDER = data_folder("templates") / "faces" / "layouts"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pieces(folder: Path) -> int:
    """How many pieces a game has; all of its faces are drawn in all inks without a problem."""
    problems = Problems()
    game = load_game(folder, problems)
    assert list(map(str, problems)) == []
    assert game is not None
    for inks in ("full", "low", "mono"):
        composer = Composer(game, load_stocks(folder, problems), problems, inks)  # type: ignore[arg-type]
        deck = game.info.decks[0]
        faces = [face for row in game.components[deck.id] for face in composer.faces(deck, row)]
        assert list(map(str, problems)) == []
        assert all(faces)
    return game.info.decks[0].count


def use_of(path: Path) -> str:
    """What a template says about its columns, as one line."""
    found = USE.search(path.read_text(encoding="utf-8"))
    assert found is not None
    return " ".join(found[1].split())


HANDED = {
    "semicolon.csv": (6, '{ "stats": {"Power": "power", "Weight (kg)": "weight_kg"}, }'),
    "title-above.csv": (7, '{ "text": "rules_text", "stats": {"Power": "power"}, }'),
    "tabs.tsv": (5, '{ "text": "text", "stats": {"Speed": "speed"}, }'),
    "names-only.csv": (5, '{ "stats": {"Fee": "fee"}, }'),
    "kinds.xlsx": (7, '{ "kind": "suit", "stats": {"Chance": "chance"}, }'),
    "repeated.ods": (7, '{ "stats": {"Power": "power", "Claw": "claw"}, }'),
    "cards.json": (4, '{ "text": "keywords", "stats": {"Power": "power"}, }'),
}


@pytest.mark.parametrize("name", HANDED)
def test_the_handed_tables_become_games(name: str, here: Path) -> None:
    """The table is copied as it is, and what the layout draws of it stands at the head of its template."""
    count, use = HANDED[name]

    assert main(["new", "handed", "--from", str(TABLES / name)]) == 0
    assert (here / "handed" / name).read_bytes() == (TABLES / name).read_bytes()
    assert use_of(here / "handed" / "faces" / "card.svg.j2") == use
    assert pieces(here / "handed") == count


def test_a_cell_with_an_error_is_one_problem_and_makes_no_game(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "torches", "--from", str(TABLES / "error.xlsx")]) == 1

    problems = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("remark")]
    assert len(problems) == 1
    assert 'sheet Cards, cell C4: Power: the cell has an error: "#DIV/0!"' in problems[0]
    assert not (here / "torches").exists()


def test_a_sheet_may_be_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "pouch", "--from", str(TABLES / "kinds.xlsx"), "--sheet", "Tokens"]) == 0
    assert pieces(here / "pouch") == 16
    assert 'layout: token, because the table is called "Tokens"' in capsys.readouterr().out


@pytest.mark.parametrize("name", LAYOUTS)
def test_each_layout_comes_with_a_game_of_its_own(name: str, here: Path) -> None:
    """Its table is read as its template says: in both, each part has the name that comes first among its words."""
    assert main(["new", "own", "--layout", name]) == 0
    assert pieces(here / "own") >= 5
    own, shipped = use_of(here / "own" / "faces" / "card.svg.j2"), use_of(FOLDER / f"{name}.svg.j2")
    assert {word for word in shipped.split('"') if word[:1].isalpha()} >= {w for w in own.split('"') if w[:1].isalpha()}
    for part, words in LAYOUTS[name].parts.items():
        assert f'"{part}": "{words[0]}"' in shipped or part in ("art", "kind")


CHOSEN = {
    "monster": "Name,Attack,Hit Points\nOwl,1,2\n",
    "hand": "Card,Mana cost,Effect\nOwl,1,Draw two.\n",
    "tarot": "Name,Upright,Reversed\nOwl,Yes.,No.\n",
    "item": "Name,Price,Weight\nHat,1,2\n",
    "event": "Event,Duration\nFog,one round\n",
    "role": "Name,Team,Goal\nOwl,Birds,Stay up.\n",
    "location": "Name,Exits\nMill,Bridge\n",
    "hex": "Name,Terrain,Number\nWood,Forest,8\n",
    "token": "Name,Qty,Value\nCoin,12,1\nPurse,4,5\n",
    "quote": "Quote,Author\nWho?,An owl\nWhat?,An owl\n",
    "flash": "Question,Answer\nWho?,An owl\n",
    "domino": "Left,Right\n6,3\n1,1\n",
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_layout_suits_the_columns(name: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is said which and why, and whatever stands in the table stands on the cards."""
    Path("deck.csv").write_text(CHOSEN[name], encoding="utf-8")

    assert main(["new", "chosen", "--from", "deck.csv"]) == 0
    out = capsys.readouterr().out
    assert f"layout: {name}, because the table has " in out
    assert "on no face" not in out
    assert pieces(here / "chosen") >= 1


def test_types_are_written_down(here: Path) -> None:
    """With a header where the name alone does not find the column, and hidden from the site what is on no face."""
    table = "Name,Kind,ATK,Deck,Weight (kg),Rare,Keywords,名前\n" + "A,Fish,1,x,0.5,yes,a,b\nB,Bell,2,y,2,no,c,d\n" * 2
    Path("deck.csv").write_text(table, encoding="utf-8")

    assert main(["new", "typed", "--from", "deck.csv", "--layout", "monster"]) == 0
    lines = [line.strip() for line in Path("typed/game.yaml").read_text(encoding="utf-8").splitlines()]
    assert lines[lines.index("columns:") + 1 :] == [
        'kind: {type: choice, choices: ["Fish", "Bell"], label: "Kind", optional: yes}',
        'atk: {type: whole, label: "ATK", optional: yes}',
        'weight-kg: {type: number, label: "Weight (kg)", optional: yes}',
        "# those that are on no face:",
        'deck-column: {type: text, label: "Deck", header: "Deck", optional: yes, shown: no}',
        'rare: {type: yes-no, label: "Rare", optional: yes, shown: no}',
        'keywords: {type: text, label: "Keywords", optional: yes, shown: no}',
        'column-8: {type: text, label: "名前", header: "名前", optional: yes, shown: no}',
    ]
    assert pieces(here / "typed") == 4


def test_pictures_beside_the_table_come_along(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All or none: of a table whose pictures are not there the column is left out, with a remark."""
    (here / "art").mkdir()
    Image.new("RGB", (30, 30), "#aa0000").save(here / "art" / "owl.png")
    Path("deck.csv").write_text("Name,Image\nOwl,owl.png\nNight owl,art/owl.png\n", encoding="utf-8")
    (here / "inside").mkdir()
    Path("inside/other.csv").write_text("Name,Image\nOwl,../art/owl.png\nMouse,\n", encoding="utf-8")

    assert main(["new", "drawn", "--from", "deck.csv"]) == 0
    assert '"art": "image"' in use_of(Path("drawn/faces/card.svg.j2"))
    assert (here / "drawn" / "art" / "owl.png").is_file()
    assert pieces(here / "drawn") == 2
    assert main(["new", "bare", "--from", "inside/other.csv"]) == 0
    assert "1 picture in the column Image cannot be used: ../art/owl.png" in capsys.readouterr().err
    assert not (here / "bare" / "art").exists()
    assert pieces(here / "bare") == 2


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--from", "none.csv"], "none.csv"),
        (["--from", "empty.csv"], "the table has no cards"),
        (["--from", "deck.csv", "--engine"], "leave out --from and --layout"),
        (["--from", "deck.csv", "--sheet", "Two"], 'there is no sheet "Two"'),
        (["--from", "deck.docx"], "cannot be read as a table"),
        (["--sheet", "Two"], "name one with --from"),
    ],
)
def test_what_cannot_be_made_is_said(
    options: list[str], told: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("deck.csv", "Name\nOwl\n"), ("empty.csv", "Name,Power\n"), ("deck.docx", "Name\n")):
        Path(name).write_text(text, encoding="utf-8")

    assert main(["new", "nothing", *options]) == 1
    assert told in capsys.readouterr().err
    assert not (here / "nothing").exists()


def test_a_table_is_renamed_where_its_name_would_not_do(here: Path) -> None:
    """A list that is called game.yaml must not take the place of the game's own file."""
    shutil.copy(TABLES / "names-only.csv", here / "名前.csv")
    Path("game.yaml").write_text("- {name: Owl, attack: 1, health: 2}\n", encoding="utf-8")

    assert main(["new", "foreign", "--from", "名前.csv"]) == 0
    assert (here / "foreign" / "cards.csv").is_file()
    assert main(["new", "listed", "--from", "game.yaml"]) == 0
    assert pieces(here / "listed") == 1
    assert (here / "listed" / "cards.yaml").is_file()


def test_whatever_stands_in_a_header_stays_text(here: Path) -> None:
    """Templates and YAML have signs of their own; a column that cannot be named at all is left out."""
    headers = ['A" %}{{ fail("x") }}', "{% raw %}", "# x: &a", "wing\u200bspan", "{x|y}", "twice", "twice", "bell\x07"]
    rows = [["Name", "Kind", *headers], ["Owl <b>", '"a": {b', *"12345678"], ["{{ 7 }}", "c}", *"12345678"]]
    with Path("odd.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([*rows, rows[1], rows[2]])

    assert main(["new", "odd", "--from", "odd.csv", "--layout", "monster"]) == 0
    assert pieces(here / "odd") == 4
    found = '"{% raw %}": "raw", "# x: &a": "x_a", "wing\u200bspan": "wing_span"'
    assert found in use_of(Path("odd/faces/card.svg.j2"))


@pytest.mark.slow("looks at every face as it is printed")
@pytest.mark.parametrize("name", LAYOUTS)
def test_preflight_finds_nothing_in_a_layout(name: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """But for the alternative texts, which only somebody who knows the cards can write."""
    assert main(["new", "own", "--layout", name]) == 0
    capsys.readouterr()
    main(["preflight", "./own"])
    said = capsys.readouterr()
    findings = [line for line in (said.out + said.err).splitlines() if re.search(r"\[[a-z-]+\]( \(also .*\))?$", line)]

    assert [line for line in findings if "[alt-text]" not in line] == []
    assert findings


def test_columns_that_cannot_be_used_are_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither two of one name nor one of nested values leaves a game that cannot be read."""
    (here / "twice.csv").write_text("Name,Qty,Power,Power\nOwl,x2,1,2\n", encoding="utf-8")
    (here / "nested.json").write_text('[{"name": "Owl", "limbs": {"legs": 3}}]', encoding="utf-8")

    assert main(["new", "twice", "--from", "twice.csv"]) == 0
    told = capsys.readouterr()
    assert '2 columns are called "Power", so none of them is used; rename all but one' in told.err
    assert "2 pieces in 1 row" in told.out
    assert main(["new", "nested", "--from", "nested.json"]) == main(["check", "./twice", "./nested"]) == 0


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("https://example.org/deck.xlsx", "https://example.org/deck.xlsx: nothing is fetched from the internet"),
        ("tables", "tables: this is a folder; name a table in it, such as tables/deck.csv"),
    ],
)
def test_what_is_no_file_here_is_answered_as_what_it_is(
    here: Path, table: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "tables").mkdir()
    (here / "tables" / "deck.csv").write_text("Name\nOwl\n", encoding="utf-8")

    assert main(["new", "my-game", "--from", table]) == 1
    assert problem in capsys.readouterr().err
    assert not (here / "my-game").exists()


def test_a_column_of_pictures_is_the_art_whatever_it_is_called(here: Path) -> None:
    """One of another tool may write paths as Windows does."""
    (here / "faces").mkdir()
    for name in ("owl", "cat"):
        Image.new("RGB", (8, 8)).save(here / "faces" / f"{name}.png")
    (here / "deck.csv").write_text("Name,Avatar\nOwl,faces/owl.png\nCat,faces\\cat.png\n", encoding="utf-8")

    assert main(["new", "my-game", "--from", "deck.csv"]) == main(["sheets", "./my-game", "--paper", "a4"]) == 0
    assert {path.name for path in (here / "my-game" / "art" / "faces").iterdir()} == {"owl.png", "cat.png"}


def test_cells_to_mend_are_named_when_the_game_is_made(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "deck.csv").write_text("Name,Qty\nOwl,two\nCat,1\n", encoding="utf-8")

    assert main(["new", "my-game", "--from", "deck.csv"]) == 0
    said = capsys.readouterr().out
    assert "to print the game, first correct 1 cell" in said
    assert 'my-game/deck.csv:2: count: "two" is not a whole number' in said
