"""Tables as people have them who never saw a YAML file: what is read, and what they are shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_least_games import cards, game_of, read

from grimalkin.cli import main
from grimalkin.content import load_game
from grimalkin.problems import Problems

COUNTED = "Name,Qty\nOwl,x2\nFox,3 ×\nBat,4.00\nCat,×0\n"


def test_counts_are_read_as_people_write_them(tmp_path: Path) -> None:
    game = read(game_of(tmp_path / "tiny", COUNTED))

    assert cards(game) == [("owl", "Owl", 2), ("fox", "Fox", 3), ("bat", "Bat", 4)]


def test_a_column_may_have_a_name_that_python_uses(tmp_path: Path) -> None:
    """No warning is shown for those that pydantic once had; the few that it needs, and `deck`, get another name."""
    table = "Name,Copy,JSON,Class,Deck,Model Dump\nOwl,Hoot,{},bird,Night,x\n"
    game = read(game_of(tmp_path / "tiny", table, "copy json class deck model_dump"))
    told = [(remark.message, remark.hint) for remark in game.remarks if "another meaning" in remark.message]

    assert cards(game, "copy", "json", "class") == [("owl", "Owl", 1, "Hoot", "{}", "bird")]
    assert told == [
        (
            'card.deck already has another meaning, and is not the column "Deck"',
            "to use the column, give it another name in game.yaml: `columns: {my-deck: Deck}`",
        ),
        (
            'card.model_dump already has another meaning, and is not the column "Model Dump"',
            "to use the column, give it another name in game.yaml: `columns: {my-model-dump: Model Dump}`",
        ),
    ]
    named = "  columns: {my-deck: Deck, dump: Model Dump}\n"
    game = read(game_of(tmp_path / "named", table, "", named))
    assert cards(game, "my_deck", "dump") == [("owl", "Owl", 1, "Night", "x")]


@pytest.mark.parametrize(
    ("header", "hint"),
    [
        ("効果", "to use it, give it a name in game.yaml: `columns: {text: 効果}`"),
        ("# seen", 'a template reads "# seen" as card.seen'),
        ("2nd", "to use it, give it a name in game.yaml: `columns: {text: 2nd}`"),
        ("#", 'to use it, give it a name in game.yaml: `columns: {text: "#"}`'),
    ],
)
def test_a_column_that_nobody_uses_comes_with_a_way_to_use_it(tmp_path: Path, header: str, hint: str) -> None:
    game = read(game_of(tmp_path / "tiny", f"Name,{header}\nOwl,a\n"))
    (told,) = [remark.hint for remark in game.remarks if "nothing uses" in remark.message]
    said = hint.partition("`")[2].strip("`")

    assert told == hint
    assert not said or cards(read(game_of(tmp_path / "named", f"Name,{header}\nOwl,a\n", "", f"  {said}\n")), "text")


def test_many_columns_that_nobody_uses_make_a_short_remark(tmp_path: Path) -> None:
    game = read(game_of(tmp_path / "tiny", f"Name{''.join(f',c{at}' for at in range(400))}\nOwl\n"))

    assert [len(remark.message) < 200 and "and 380 more" in remark.message for remark in game.remarks[1:2]] == [True]


def test_a_comma_too_many_does_not_make_a_row_the_header(tmp_path: Path) -> None:
    """As it would be if only the numbers of cells counted, and two cards were lost."""
    problems = Problems()
    load_game(game_of(tmp_path / "tiny", "Name,Count\nOwl,2,oops, more\nFox,1\n"), problems)

    assert [str(one).partition("tiny/")[2].partition(";")[0] for one in problems] == [
        "cards.csv:2: this row has 4 cells, but the table has 2 columns"
    ]


@pytest.mark.parametrize("word", ["Grüße", "ação", "pöytään", "créée", "soñé", "småøer"])
def test_words_of_western_europe_are_read_as_excel_saves_them(tmp_path: Path, word: str) -> None:
    """Two letters with accents side by side are common in them, and no sign of another encoding."""
    folder = game_of(tmp_path / "tiny", "Name;Text\n", "text")
    (folder / "cards.csv").write_bytes(f"Name;Text\nOwl;{word}\n".encode("windows-1252"))

    assert cards(read(folder), "text") == [("owl", "Owl", 1, word)]


def test_breaks_and_spaces_that_nobody_sees_do_no_harm(tmp_path: Path) -> None:
    """The break of a text processor, that of a page, and a space without width."""
    game = read(game_of(tmp_path / "tiny", "Name\u200b,Qty,Text\nOwl\u200b,2\ufeff,a\x0bb\u2028c\n", "text"))

    assert cards(game, "text") == [("owl", "Owl", 2, "a\nb\nc")]


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("Name,Power,Power\nOwl,1,2\n", '1: 2 columns are called "Power"; rename the one that is not the power'),
        (
            "Name,Rules Text,rules_text,RULES-TEXT\nOwl,a,b,c\n",
            '1: the headers "Rules Text", "rules_text" and "RULES-TEXT" differ only in capitals, spaces and marks; '
            "rename those that are not the rules-text",
        ),
        ("Name,Count\nOwl,-1\n", '2: count: "-1" is too small; write 0 to leave the row out'),
        (
            "Name,Count\nOwl,0\n",
            "1: every row of the table has a count of 0; give those that you want another count",
        ),
        ("Name,Count\n,3\n", "2: name: the cell is empty; write one, even if no face shows it, or delete the row"),
        (
            "Name,Stock\nOwl,12\n",
            '2: "12" is not a stock, which is the size that a card is cut to, such as poker; '
            'if the column "Stock" says something else, rename it',
        ),
        (
            "Name;Text\nOwl;one; two\nFox;a\n",
            '2: this row has 3 cells, but the table has 2 columns; put straight quotes (") around text that has a '
            "semicolon in it",
        ),
        ('Name,Text\n"Big\nOwl",a\n', '2: name: "Big\\nOwl" has a line break; write it on one line'),
        ("Name,Text\nOwl,a\x07\n", "2: text: the character U+0007 cannot be printed; delete it"),
    ],
)
def test_a_problem_says_what_to_do(tmp_path: Path, table: str, problem: str) -> None:
    problems = Problems()
    load_game(game_of(tmp_path / "tiny", table, "power rules_text text"), problems)

    assert [str(one).partition("cards.csv:")[2] for one in problems] == [problem]


def test_a_table_named_with_a_dot_is_the_one_that_is_read(tmp_path: Path) -> None:
    folder = game_of(tmp_path / "tiny", "Name\nOwl\n")
    text = (folder / "game.yaml").read_text(encoding="utf-8")
    (folder / "game.yaml").write_text(text.replace("cards.csv", "./cards.csv"), encoding="utf-8")

    assert [one.message for one in read(folder).remarks] == ['columns read: "Name" as name']


@pytest.mark.parametrize(
    ("rows", "remark"),
    [
        ("Owl,2,3\nFox,1,4\nTotal,3,7\n", 'cards.csv:4: the last card is called "Total"'),
        ("Owl,2,3\nFox,1,4\nname,,Cost\nBow,1,2\n", 'cards.csv:4: a card is called "name", like its column'),
        ("BIRDS\nOwl,2,3\nBEASTS\nFox,1,4\n", 'cards.csv:2: 2 rows have only a name, such as "BIRDS"'),
        ("Owl,2,1-2\nFox,1,03-Apr\n", 'cards.csv:3: "Power" has a date here, 03-Apr, but none in other rows'),
        ("Owl,2,5-6\nFox,1,2024-04-03\n", 'cards.csv:3: "Power" has a date here, 2024-04-03, but none in other rows'),
        ("Total,2,3\nFox,1,4\n", ""),
        ("Owl,1,\nFox,,\nBat\n", ""),
        ("Owl,2,2024-04-03\nFox,1,2024-04-04\nBat,1,\n", ""),
    ],
)
def test_what_is_perhaps_no_card_is_a_remark(tmp_path: Path, rows: str, remark: str) -> None:
    """Nothing is left out for it: a card may be called so."""
    game = read(game_of(tmp_path / "tiny", f"Name,Count,Power\n{rows}", "power"))
    told = [str(one).partition("tiny/")[2].partition(";")[0] for one in game.remarks[1:]]

    assert told == [remark] * bool(remark)
    assert len(cards(game)) == rows.count("\n")


def test_a_sound_table_is_answered_with_its_pieces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody with a table has neither an engine nor examples."""
    folder = game_of(tmp_path / "tiny", "Name,Count\nOwl,2\nFox,1\n")

    assert main(["check", str(folder)]) == 0
    assert capsys.readouterr().out == "Tiny: 3 pieces in 1 deck\n"


def test_a_title_that_the_cover_cannot_show_is_printed_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game may be in letters that its faces have a font for, and the cover has none."""
    monkeypatch.chdir(tmp_path)
    folder = game_of(tmp_path / "tiny", "Name\nOwl\n")
    text = (folder / "game.yaml").read_text(encoding="utf-8")
    (folder / "game.yaml").write_text(text.replace("title: Tiny", "title: 猫"), encoding="utf-8")

    assert main(["sheets", "./tiny", "--paper", "a4"]) == 1
    assert "or print with --no-cover" in capsys.readouterr().err
    assert main(["sheets", "./tiny", "--paper", "a4", "--no-cover"]) == 0
