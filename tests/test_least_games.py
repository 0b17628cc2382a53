"""A title, a table and a face are a game: its columns are understood, and nothing more is asked for."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from grimalkin.cli import main
from grimalkin.content import Game, load_game
from grimalkin.content.tables.rows import ids_of_rows
from grimalkin.printing.draw.stocks import load_stocks
from grimalkin.printing.face import Composer, standalone_svg
from grimalkin.printing.sheet.pieces import all_faces
from grimalkin.printing.sheet.settings import Edition
from grimalkin.problems import Problems

TABLES = Path(__file__).parent / "tables"
FACE = """<svg xmlns="http://www.w3.org/2000/svg">
<text x="5" y="12" font-family="SourceSansPro" font-size="5">{{ card.name }}</text>%s
</svg>
"""


def game_of(folder: Path, table: str | Path, uses: str = "", deck: str = "") -> Path:
    """Write the least game of a table, by its path or as CSV, whose face uses some columns."""
    (folder / "faces").mkdir(parents=True)
    if isinstance(table, Path):
        shutil.copy(table, folder / table.name)
    else:
        (folder / "cards.csv").write_text(table, encoding="utf-8")
    name = table.name if isinstance(table, Path) else "cards.csv"
    (folder / "game.yaml").write_text(f"title: Tiny\ndecks:\n- file: {name}\n  face: card\n{deck}", encoding="utf-8")
    used = "".join(f"{{# card.{column} #}}" for column in uses.split())
    (folder / "faces" / "card.svg.j2").write_text(FACE % used, encoding="utf-8")
    return folder


def read(folder: Path) -> Game:
    problems = Problems()
    game = load_game(folder, problems)
    assert list(map(str, problems)) == []
    assert game is not None
    return game


def cards(game: Game, *columns: str) -> list[tuple[Any, ...]]:
    """The cards of a game: id, name, count, and these columns, as they print."""
    rows = [row for rows in game.components.values() for row in rows]
    return [(row.id, row.name, row.count, *(printed(getattr(row, column)) for column in columns)) for row in rows]


def printed(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | tuple) else str(value)


HANDED: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "semicolon.csv": (
        "power weight_kg",
        [
            ("river-otter", "River Otter", 2, "3", "7,5"),
            ("stone-marten", "Stone Marten", 1, "4", "1,25"),
            ("night-heron", "Night Heron", 3, "2", "0,8"),
        ],
    ),
    "title-above.csv": (
        "power rules_text",
        [
            ("harbour-cat", "Harbour Cat", 2, "3", "Draw a card, then hide."),
            ("rope-cat", "Rope Cat", 1, "5", "Move another cat."),
            ("gull-no-2", "Grey Gull", 3, "1", None),
            ("bell-keeper", "Bell Keeper", 1, "4", "Ring twice."),
        ],
    ),
    "tabs.tsv": (
        "speed text",
        [
            ("courier", "Courier", 2, "1,5", "Move two spaces."),
            ("night-courier", "Night Courier", 1, "2,25", "Move two spaces, then stop."),
            ("slow-courier", "Slow Courier", 1, "0,5", None),
            ("last-courier", "Last Courier", 1, "3", "Go home."),
        ],
    ),
    "names-only.csv": (
        "fee",
        [
            ("guard", "Guard", 1, "2,5"),
            ("guard-2", "Guard", 1, "3,5"),
            ("eclair", "Éclair!", 1, "1"),
            ("2nd-watch", "2nd Watch", 1, "4"),
            ("card-5", "???", 1, "0,5"),
        ],
    ),
    "kinds.xlsx": (
        "suit since rare chance",
        [
            ("eel-seller", "Eel Seller", 2, "Fish", "2024-03-05", True, "25%"),
            ("net-mender", "Net Mender", 1, "Fish", "2023-12-31", False, "50%"),
            ("old-carp", "Old Carp", 1, "Fish", "2024-02-29", True, "100%"),
            ("ringer", "Ringer", 3, "Bell", "2025-10-01", False, "7.5%"),
        ],
    ),
    "repeated.ods": (
        "power claw",
        [
            ("alley-cat", "Alley Cat", 2, "2", "2"),
            ("wharf-cat", "Wharf Cat", 1, "3", "1"),
            ("kitten", "Kitten", 1, "1", "1"),
            ("kitten-2", "Kitten", 1, "1", "1"),
            ("kitten-3", "Kitten", 1, "1", "1"),
            ("moon-cat", "Moon Cat", 1, None, "4"),
        ],
    ),
    "cards.json": (
        "power rare keywords",
        [
            ("copper-fish", "Copper Fish", 2, "3", False, ("swift", "small")),
            ("silver-fish", "Silver Fish", 1, "2.5", True, ()),
            ("gold-fish", "Gold Fish", 1, "4", True, ("slow",)),
        ],
    ),
}


@pytest.mark.parametrize("table", HANDED)
def test_a_table_as_people_send_it_is_a_deck(tmp_path: Path, table: str) -> None:
    uses, expected = HANDED[table]
    game = read(game_of(tmp_path / "tiny", TABLES / table, uses))

    assert cards(game, *uses.split()) == expected
    assert game.info.decks[0].count == sum(row[2] for row in expected)


def test_a_named_sheet_is_another_deck(tmp_path: Path) -> None:
    game = read(game_of(tmp_path / "tiny", TABLES / "kinds.xlsx", deck="  sheet: Tokens\n"))

    assert cards(game) == [("coin", "Coin", 12), ("lantern", "Lantern", 4)]


def test_an_error_in_a_column_that_is_used_is_a_problem_at_its_cell(tmp_path: Path) -> None:
    """In C4 stands #DIV/0!; the #N/A of a column that nobody uses is none."""
    problems = Problems()
    load_game(game_of(tmp_path / "used", TABLES / "error.xlsx", "power rules"), problems)
    (problem,) = map(str, problems)
    unused = read(game_of(tmp_path / "unused", TABLES / "error.xlsx", "rules"))

    assert "error.xlsx, sheet Cards, cell C4: " in problem and "#DIV/0!" in problem
    assert len(cards(unused)) == 4


def test_what_was_understood_is_shown(tmp_path: Path) -> None:
    game = read(game_of(tmp_path / "tiny", "Card Name,Qty,Strength,Note\nOwl,2,3,x\nOwl,1,4,\n", "strength"))
    told = [(remark.message, remark.hint) for remark in game.remarks]

    assert told == [
        ('columns read: "Card Name" as name, "Qty" as count, "Strength" as strength', ""),
        ('nothing uses the column "Note"', 'a template reads "Note" as card.note'),
        ('2 rows are called "Owl"; each makes a separate card', ""),
    ]


def test_game_yaml_says_which_column_is_which(tmp_path: Path) -> None:
    """A header may be anything; what a word usually means does not count then."""
    table = "Question,Title,Times\nWhy?,Because,3\n"
    deck = "  columns: {name: Question, count: Times, answer: Title}\n"
    game = read(game_of(tmp_path / "tiny", table, "answer", deck))

    assert cards(game, "answer") == [("why", "Why?", 3, "Because")]


@pytest.mark.parametrize(
    ("table", "deck", "problem"),
    [
        ("Name,Power,power\nOwl,1,2\n", "", "cards.csv:1: the headers "),
        ("Name,Qty\nOwl,1\n", "  columns: {count: Copis}\n", 'cards.csv:1: there is no column "Copis" for count'),
        ("Name,Qty\nOwl,1\n", "  columns: {count: Qty, power: Qty}\n", 'cards.csv:1: the column "Qty" is read as both'),
        ("Name,Qty\nOwl,many\n", "", 'cards.csv:2: count: "many" is not a whole number'),
        ("Name,Qty\nOwl,0\n", "", "cards.csv:1: every row of the table has a count of 0"),
        ("Name,Qty\nOwl,10001\n", "", 'cards.csv:2: count: "10001" is too large'),
    ],
)
def test_what_nobody_can_understand_is_a_problem(tmp_path: Path, table: str, deck: str, problem: str) -> None:
    problems = Problems()
    load_game(game_of(tmp_path / "tiny", table, "power", deck), problems)

    assert [one for one in map(str, problems) if problem in one], list(map(str, problems))


def test_a_template_calculates_with_a_number_and_prints_it_as_it_was_written(tmp_path: Path) -> None:
    folder = game_of(tmp_path / "tiny", "Name;Weight\nOwl;7,5\nHeron;2\n")
    (folder / "faces" / "card.svg.j2").write_text(
        FACE % '<text x="5" y="20" font-family="SourceSansPro" font-size="5">'
        "{{ card.weight }}{% if card.weight > 7 %} or {{ card.weight * 2 }}{% endif %}</text>",
        encoding="utf-8",
    )

    assert words_on(folder) == {"owl": "Owl7,5 or 15", "heron": "Heron2"}


def words_on(folder: Path) -> dict[str, str]:
    """What is written on the front of each card."""
    game, problems = read(folder), Problems()
    faces = all_faces(game, Composer(game, load_stocks(folder, problems), problems, "full"))
    assert list(map(str, problems)) == []
    return {row: " ".join("".join(faces[f"{row}-front"].root.itertext()).split()) for row in game.by_id}


def test_the_id_of_a_name_does_not_depend_on_other_rows() -> None:
    """Those of a name that is there once; "Guard 2" keeps its own from the second guard."""
    names = ["Guard", "Guard 2", "Owl", "Éclair", "eclair"]
    alone = {name: ids_of_rows([""], [name], (), "deck")[0] for name in names}
    more = dict(zip([*names, "Guard"], ids_of_rows([""] * 6, [*names, "Guard"], (), "deck"), strict=True))

    assert {name: more[name] for name in ("Guard 2", "Owl", "eclair")} == {
        name: alone[name] for name in ("Guard 2", "Owl", "eclair")
    }
    assert ids_of_rows(["", ""], ["Owl", "owl"], {"owl"}, "birds") == ["birds-owl", "birds-owl-2"]


def test_a_title_a_table_and_a_face_are_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is printed and browsed; pages that would be empty are not made, and there is no book without rules."""
    monkeypatch.chdir(tmp_path)
    game_of(tmp_path / "tiny", "Name\nOwl\nHeron\n")

    assert main(["build", "./tiny"]) == 0
    made = {path.name for path in (tmp_path / "output" / "site" / "tiny").glob("*.html")}
    assert made == {"index.html", "components.html", "downloads.html"}
    assert not (tmp_path / "output" / "rulebooks").exists()
    assert main(["rulebook", "./tiny"]) == 1


def test_an_old_table_beside_the_one_in_use_is_a_remark(tmp_path: Path) -> None:
    folder = game_of(tmp_path / "tiny", "Name\nOwl\n")
    (folder / "cards.tsv").write_text("Name\nCat\n", encoding="utf-8")
    (told,) = read(folder).remarks[:1]

    assert (told.place.path, told.message) == (str(folder / "cards.tsv"), "nothing reads this table")


def test_a_slip_in_a_template_is_compared_with_the_headers_of_the_table(tmp_path: Path) -> None:
    folder = game_of(tmp_path / "tiny", "Name,Rules Text\nOwl,Fly.\n")
    (folder / "faces" / "card.svg.j2").write_text(FACE % "{{ card.ruls_text }}", encoding="utf-8")
    (problem,) = problems_of(folder)

    assert problem.endswith('there is no "ruls_text" here; did you mean "rules_text"?')


def test_columns_whose_names_a_template_puts_together_are_read(tmp_path: Path) -> None:
    folder = game_of(tmp_path / "tiny", "Name,Slot 1,Slot 2\nOwl,a,b\n")
    loop = '{% for n in (1, 2) %}<text x="{{ n * 9 }}" y="30" font-family="SourceSansPro" font-size="5">'
    (folder / "faces" / "card.svg.j2").write_text(
        FACE % (loop + '{{ card["slot_" ~ n] }}</text>{% endfor %}'), encoding="utf-8"
    )

    assert words_on(folder) == {"owl": "Owlab"}


def test_a_picture_beside_the_folder_art_is_reported_once_with_the_way_there(tmp_path: Path) -> None:
    """Tables of other tools name pictures from where the table lies, some as Windows writes paths."""
    folder = game_of(tmp_path / "tiny", "Name,Art\nOwl,pics/owl.png\nCat,pics/cat.png\n")
    (folder / "pics").mkdir()
    for name in ("owl", "cat"):
        Image.new("RGB", (8, 8)).save(folder / "pics" / f"{name}.png")
    picture = '<image href="art/{{ card.art }}" x="5" y="20" width="20" height="20"/>'
    (folder / "faces" / "card.svg.j2").write_text(FACE % picture, encoding="utf-8")
    (problem,) = problems_of(folder)
    (folder / "art").mkdir()
    (folder / "pics").rename(folder / "art" / "pics")
    (folder / "cards.csv").write_text("Name,Art\nOwl,pics\\owl.png\nCat,pics/cat.png\n", encoding="utf-8")

    assert 'the picture "pics/owl.png" is not in the folder art' in problem
    assert "move it to art/pics/owl.png" in problem and "and 1 more face" in problem
    assert problems_of(folder) == []


@pytest.mark.parametrize(
    ("header", "cells", "is_count"),
    [("Number", "123", False), ("Pieces", "223", True), ("Age", "xyz", False), ("Year", ["1999", "2001"], False)],
)
def test_a_column_that_may_be_the_count_is_remarked_on(
    tmp_path: Path, header: str, cells: str | list[str], is_count: bool
) -> None:
    rows = "".join(f"{name},{cell}\n" for name, cell in zip(("Owl", "Cat", "Mouse"), cells, strict=False))
    told = [one.message for one in read(game_of(tmp_path / "tiny", f"Name,{header}\n{rows}")).remarks]

    assert is_count == ("no column holds counts, so each row is one card" in told)


def problems_of(folder: Path) -> list[str]:
    """What is wrong with the game when its faces are composed."""
    problems = Problems()
    all_faces(read(folder), Composer(read(folder), load_stocks(folder, problems), problems, "full"))
    return [str(problem) for problem in problems]


@pytest.mark.parametrize(
    ("files", "hint"),
    [
        ({"cards.csv": "Name\nOwl\n"}, "`grimalkin new my-game --from "),
        ({"game.yml": "title: T\n"}, "rename game.yml to game.yaml"),
        ({"notes.md": ""}, "name the folder of a game"),
    ],
)
def test_a_folder_without_a_game_says_what_makes_one_of_it(
    tmp_path: Path, files: dict[str, str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    assert main(["check", str(tmp_path)]) == main(["sheets", str(tmp_path)]) == 1
    assert capsys.readouterr().err.count(hint) == 2


@pytest.mark.parametrize(
    ("deck", "problem"),
    [
        ("cards.csv", "write {file: cards.csv, face: NAME}"),
        ("{file: cards.csv}", "no template is named; write `face: NAME`"),
        ("{file: cards.csv, face: card, faces: {front: card}}", "`face` and `faces` mean the same"),
        (
            "{file: cards.csv, face: card, back: back.png}",
            'write a template that draws the picture: <image href="art/back.png"',
        ),
        ("{file: cards.csv, face: card, stock: bridge size}", 'there is no stock "bridge size"'),
    ],
)
def test_a_deck_that_is_written_wrong_is_answered_with_what_is_right(tmp_path: Path, deck: str, problem: str) -> None:
    folder = game_of(tmp_path / "tiny", "Name\nOwl\n")
    (folder / "game.yaml").write_text(f"title: T\ndecks: [{deck}]\n", encoding="utf-8")
    problems = Problems()
    game = load_game(folder, problems)
    if game and not problems:
        all_faces(game, Composer(game, load_stocks(folder, problems), problems, "full"))

    assert [one for one in map(str, problems) if problem in one], list(map(str, problems))


def test_a_template_may_be_named_as_its_file_is(tmp_path: Path) -> None:
    folder = game_of(tmp_path / "tiny", "Name\nOwl\n")
    (folder / "game.yaml").write_text("title: T\ndecks: [{file: cards.csv, face: card.svg.j2}]\n", encoding="utf-8")

    assert words_on(folder) == {"owl": "Owl"}


def test_a_version_is_printed_where_there_are_rules_or_it_is_given(tmp_path: Path) -> None:
    plain = game_of(tmp_path / "plain", "Name\nOwl\n")
    given = game_of(tmp_path / "given", "Name\nOwl\n", deck='rules-version: "0.3"\n')

    assert (read(plain).version, read(given).version) == ("", "0.3")
    assert Edition(read(plain).version, "abc123").words == ["content abc123"]


def test_a_face_that_paints_no_ground_is_shown_on_white_paper(tmp_path: Path) -> None:
    """One that paints the whole piece needs none."""
    folder = game_of(tmp_path / "tiny", "Name\nOwl\n")
    bare = shown(folder)
    face = folder / "faces" / "card.svg.j2"
    ground = '<rect x="-3" y="-3" width="69" height="94" fill="#aa0000"/><text'
    face.write_text(face.read_text(encoding="utf-8").replace("<text", ground, 1), encoding="utf-8")

    assert ('fill="#fff"' in bare, 'fill="#fff"' in shown(folder)) == (True, False)


def shown(folder: Path) -> str:
    """The SVG of the owl's front, as pages show it."""
    problems = Problems()
    faces = all_faces(read(folder), Composer(read(folder), load_stocks(folder, problems), problems, "full"))
    return standalone_svg(faces["owl-front"])
