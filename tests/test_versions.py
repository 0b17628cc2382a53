"""Versions of a game that were kept: what was published can be compared with what there is now."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from games_for_tests import FILES, played_games, write_game

from grimalkin.cli import main
from grimalkin.content import load_game
from grimalkin.content.versions import read_kept
from grimalkin.problems import Problems
from grimalkin.source import data_folder

RULING = "rulings:\n  - {id: TI-AMB-1, title: Sleep, question: May an owl sleep?, ruling: By day it may.}\n"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """The made-up game, of which version 1 was kept."""
    monkeypatch.chdir(tmp_path)
    folder = write_game(tmp_path / "tiny", **{"rulings.yaml": RULING})
    assert 0 == main(["keep", "./tiny"])
    assert "version 1 is kept in tiny/versions/1.json\n" == capsys.readouterr().out
    return folder


def told(folder: Path) -> list[str]:
    """What is wrong with a game."""
    problems = Problems()
    load_game(folder, problems)
    return [str(problem) for problem in problems]


def test_a_kept_version_holds_rules_rulings_and_cards(kept: Path) -> None:
    """Word by word, with the numbers they had, and how every card looked in each design."""
    data = json.loads((kept / "versions" / "1.json").read_text())

    assert "See [[TI-PLAY-1]] and the word [[=power]]." == data["laws"]["TI-PLAY-2"]["text"]
    assert ("1.2", "Play", 1) == tuple(data["laws"]["TI-PLAY-2"][key] for key in ("number", "section", "revision"))
    assert ("R1", "May an owl sleep?") == tuple(data["laws"]["TI-AMB-1"][key] for key in ("number", "question"))
    assert {"name": "Mouse", "count": 2, "power": 1, "mood": "calm"} == data["components"]["cards"]["mouse"]
    assert ["full", "low", "mono"] == [record["inks"] for record in data["records"]]
    assert all({"mouse", "owl"} == set(record["cards"]) for record in data["records"])
    assert [] == told(kept)


def test_a_kept_version_has_a_note(kept: Path) -> None:
    """In its file, in a few words, for pages that list versions."""
    (kept / "versions" / "1.json").unlink()

    assert main(["keep", str(kept), "--note", "first words"]) == 0
    assert json.loads((kept / "versions" / "1.json").read_text("utf-8"))["note"] == "first words"
    assert [("1", "first words")] == [(one.version, one.note) for one in read_kept(kept, Problems())]


def test_new_words_need_a_new_revision_and_a_new_version(kept: Path) -> None:
    """Each rule and ruling whose words are others asks for it at its line, and the game for a version of its own."""
    rules = FILES["rules.yaml"].replace("Play a [[mouse]] or", "Lay down a [[mouse]] or")
    write_game(kept, rules_yaml=rules, **{"rulings.yaml": RULING.replace("By day", "At noon")})
    first = told(kept)
    game = FILES["game.yaml"].replace('rules-version: "1"', 'rules-version: "2"')
    rules = rules.replace("title: Play a card", "title: Play a card\n        revision: 2")
    write_game(kept, rules_yaml=rules, **{"rulings.yaml": RULING.replace("By day it may.", "At noon., revision: 2")})

    assert [
        "tiny/game.yaml:8: version 1 was kept, but TI-PLAY-1 has changed since; give the rules a new version",
        "tiny/rules.yaml:5: the words of TI-PLAY-1 have changed since version 1; raise its `revision` to 2",
        "tiny/rulings.yaml:2: the words of TI-AMB-1 have changed since version 1; raise its `revision` to 2",
    ] == first
    assert 1 == len(told(kept))
    write_game(kept, rules_yaml=rules, game_yaml=game, **{"rulings.yaml": RULING})
    assert [] == told(kept)


def test_published_rulings_stay(kept: Path) -> None:
    """One that holds no more is withdrawn, and not taken out."""
    game = FILES["game.yaml"].replace('rules-version: "1"', 'rules-version: "2"')
    write_game(kept, game_yaml=game, **{"rulings.yaml": "rulings: []\n"})
    gone = told(kept)
    withdrawn = RULING.replace("it may.", "it may., withdrawn: Owls were never asked.")
    write_game(kept, **{"rulings.yaml": withdrawn})

    assert ["tiny: TI-AMB-1, which version 1 has, is gone"] == [line.partition(";")[0] for line in gone]
    assert [] == told(kept)


def test_a_kept_version_is_a_record_of_what_was_printed(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever has the cards of version 1, but no record of them, prints what differs; under another name, too."""
    rows = FILES["cards.csv"].replace("Owl,1,7", "Owl,1,8")
    kept.rename(kept.with_name("small"))
    write_game(kept.with_name("small"), cards_csv=rows)
    code = main(["sheets", "./small", "--changed-since", "1", "--paper", "a4", "--no-cover"])
    out, err = capsys.readouterr()

    assert (0, "") == (code, err)
    assert ["changed: 1 × Owl"] == [line.split(" (")[0] for line in out.splitlines() if " × " in line]


def test_what_somebody_printed_counts_before_what_was_kept(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Their sheets of version 1 came after a change that the version does not show."""
    write_game(kept, cards_csv=FILES["cards.csv"].replace("Owl,1,7", "Owl,1,8"))
    main(["sheets", "./tiny", "--paper", "a4", "--no-cover"])
    capsys.readouterr()

    assert 0 == main(["sheets", "./tiny", "--changed-since", "1", "--paper", "a4", "--no-cover"])
    assert "nothing needs to be printed again\n" == capsys.readouterr().out


def test_what_was_kept_is_never_written_over(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Once more it is the same; of another game by the same version the file stays as it was."""
    path = kept / "versions" / "1.json"
    before = path.read_bytes()

    assert 0 == main(["keep", "./tiny"])
    assert "version 1 is already kept, and nothing has changed since\n" == capsys.readouterr().out
    write_game(kept, cards_csv=FILES["cards.csv"].replace("Owl,1,7", "Owl,1,8"))
    assert 1 == main(["keep", "./tiny"])
    assert "tiny/versions/1.json: version 1 is already kept, and differs" in capsys.readouterr().err
    assert before == path.read_bytes()


@pytest.mark.parametrize("version", ["1/2", "../1", ".1", "1 beta", "1..2", "con", "9" * 41])
def test_a_version_to_keep_has_a_name_for_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], version: str
) -> None:
    monkeypatch.chdir(tmp_path)
    game = FILES["game.yaml"].replace('rules-version: "1"', f'rules-version: "{version}"')
    folder = write_game(tmp_path / "tiny", game_yaml=game)

    assert 1 == main(["keep", "./tiny"])
    assert f'a version to keep cannot be called "{version}"; letters and digits' in capsys.readouterr().err
    assert not (folder / "versions").exists()


NOT_KEPT = ["tiny/versions/1.json: this is not a kept version"]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"rules-version": "2"}', "[" * 9999, "1" * 9999, "null", '{"rules-version": "1", "laws": 7}'],
)
def test_a_file_that_keeps_no_version_is_told(kept: Path, text: str) -> None:
    (kept / "versions" / "1.json").write_text(text)

    assert ["tiny/versions/1.json: this is not a kept version"] == [one.partition(";")[0] for one in told(kept)]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rules-version", "7"),
        ("laws", {"TI-PLAY-1": 5}),
        ("laws", {"TI-PLAY-1": {"revision": "x"}}),
        ("laws", {"TI-PLAY-1": {}}),
        ("errata", None),
        ("components", {"cards": []}),
        ("components", {"cards": {"owl": "x"}}),
        ("records", 5),
    ],
)
def test_a_version_in_disorder_is_told(kept: Path, key: str, value: object) -> None:
    path = kept / "versions" / "1.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))

    assert ["tiny/versions/1.json: this is not a kept version"] == [one.partition(";")[0] for one in told(kept)]


def test_records_in_a_kept_version_that_are_none_bring_nothing(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = kept / "versions" / "1.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "records": [7, {"inks": "full"}, "x"]}))

    assert [] == told(kept)
    assert 1 == main(["sheets", "./tiny", "--changed-since", "1"])
    assert 'there is no record of "1"' in capsys.readouterr().err


@pytest.mark.slow("reads every version of a game")
@pytest.mark.parametrize("name", played_games())
def test_every_game_has_kept_a_version(name: str) -> None:
    """All its rules and rulings, and its cards in every design; the first has no rule that was reworded."""
    paths = sorted((data_folder("content") / name / "versions").glob("*.json"))
    problems = Problems()
    game = load_game(data_folder("content") / name, problems)

    if game is not None and game.info.draft:
        pytest.skip("a draft keeps no version yet")
    assert paths, f"content/{name}/versions keeps nothing: `grimalkin keep {name}` keeps the first version"
    assert game is not None and not problems
    versions = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    assert any({law["revision"] for law in data["laws"].values()} == {1} for data in versions)
    assert any(3 + len(game.info.variants) == len(data["records"]) for data in versions)
    for data in versions:
        assert {row for deck in data["components"].values() for row in deck} == set(data["records"][0]["cards"])


def test_what_is_not_read_among_the_versions_is_told(kept: Path) -> None:
    (kept / "versions" / "1.0.yaml").write_text("rules-version: 1.0\n")

    assert ["tiny/versions/1.0.yaml: nothing reads this; this folder is for files that end in .json"] == told(kept)
