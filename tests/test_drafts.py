"""A draft: everything is shown, and what is not proved yet is told and stops nothing."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from pathlib import Path

import pypdfium2
import pytest
from games_for_tests import write_game

from grimalkin.cli import main
from grimalkin.content import load_game, prove
from grimalkin.content.stocks import load_stocks
from grimalkin.parts.simulations.content import simulations_of
from grimalkin.printing.face import Composer
from grimalkin.problems import Problems
from grimalkin.site.pages import Shown, home, pages
from grimalkin.source import bundled_games, data_folder, find_game_folder

KITTENS = "my-kittens"
EXAMPLES = """\
examples:
  - id: WK-EX-1
    title: A wrong sum
    rules: [WK-ACT-6]
    kind: scoring
    text: Four points, or is it two?
    given: {seats: {Ada: {hand: {dime: 1}, cats: {6: penny}}, Basil: {}}}
    expect: {score: {Ada: 99}}
  - id: WK-EX-2
    title: No such move
    rules: [WK-ACT-6]
    kind: illegal
    text: Nobody flies.
    given: {seats: {Ada: {hand: {dime: 1}, cats: {6: penny}}, Basil: {}}}
    steps:
      - Ada: fly
    expect: {illegal: {fly: WK-NONE-1}, to-act: Ada}
"""
RULES = """\
sections:
  - id: play
    title: Play
    rules:
      - {id: WK-ACT-6, title: A cat, text: Make one.}
      - {id: WK-OWN-1, title: Purr, text: Purr., forbids: yes}
"""


@pytest.fixture
def kittens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The coins of Were Kittens with two rules of which the engine knows one, and two examples that do not hold."""
    folder = tmp_path / KITTENS
    folder.mkdir()
    for name in ("game.yaml", "coins.csv"):
        shutil.copyfile(data_folder("content") / "were-kittens" / name, folder / name)
    head, _, decks = (folder / "game.yaml").read_text("utf-8").partition("\ndecks:\n")
    coins = decks.partition("\n  - id: reference-cards")[0].partition("\n  - id: player-mats")[0]
    lines = [line for line in coins.splitlines() if "source:" not in line]
    coins = "\n".join(line.partition(", rule:")[0] + "}" if ", rule:" in line else line for line in lines)
    head = head.partition("\nrulebook:")[0] + "\nengine: were-kittens\npalette:" + head.partition("\npalette:")[2]
    head = "\n".join(line for line in head.splitlines() if not line.startswith(("cover:", "best-examples:")))
    (folder / "game.yaml").write_text(f"{head}\ndecks:\n{coins}\n", "utf-8")
    (folder / "rules.yaml").write_text(RULES, "utf-8")
    (folder / "examples").mkdir()
    (folder / "examples" / "all.yaml").write_text(EXAMPLES, "utf-8")
    monkeypatch.chdir(tmp_path)
    return folder


def make_draft(folder: Path) -> None:
    game = folder / "game.yaml"
    game.write_text(game.read_text("utf-8").replace("\nprefix:", "\ndraft: yes\nprefix:"), "utf-8")


OWED = [
    "WK-EX-1: Ada scores: written 99, the rules give",
    'WK-EX-2: "fly" is not a move',
    "WK-OWN-1: the engine does not carry it out",
    "WK-OWN-1: it forbids something, but the engine never refuses a move by it",
    "WK-OWN-1: no checked example shows it",
    "WK-OWN-1: no illegal example is refused by it",
    "WK-ACT-6: no checked example shows it",
    "the engine names WK-ACT-5, which is not in the rules",
]
"""One of each kind."""


def test_what_is_not_proved_stops_a_game_that_is_no_draft(kittens: Path) -> None:
    """Each thing is a problem at its place, and one more counts them and names the key."""
    problems = Problems()
    prove(kittens, problems)
    told = [str(problem) for problem in problems]
    counted = [one for one in told if "not proved yet" in one]

    assert [] == [owed for owed in OWED if not any(owed in one for one in told)]
    hint = "write `draft: yes` here while the game is unfinished, or use --draft"
    assert [f"{KITTENS}/game.yaml:2: {len(told) - 1} things not proved yet; {hint}"] == counted


def test_a_draft_owes_what_would_stop_it(kittens: Path) -> None:
    """The same things, and nothing is a problem; whether game.yaml says so or the command."""
    strict = Problems()
    prove(kittens, strict)
    by_option = prove(kittens, (optional := Problems()), draft=True)
    make_draft(kittens)
    by_key = prove(kittens, (keyed := Problems()))

    assert not optional
    assert not keyed
    assert by_option is not None
    assert by_key is not None
    messages = {one.message for one in strict if "not proved yet" not in one.message}
    assert messages == {one.message for one in by_option[2].owed} == {one.message for one in by_key[2].owed}
    assert by_option[0].marked_title == by_key[0].marked_title == "Were Kittens (draft)"


def test_check_lists_what_a_draft_owes(kittens: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With exit code 0, where it is 1 without."""
    assert 1 == main(["check", f"./{KITTENS}"])
    capsys.readouterr()
    assert 0 == main(["check", f"./{KITTENS}", "--draft"])
    said = capsys.readouterr()

    assert "" == said.err
    assert "\nWere Kittens is a draft; not proved yet:\n" in said.out
    assert [] == [owed for owed in OWED if owed not in said.out]


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("rules.yaml", "text: Purr.", "text: '[[nothing]]'", "the reference [[nothing]] leads nowhere"),
        ("rules.yaml", "forbids: yes", "forbid: yes", 'unknown key "forbid"'),
        ("examples/all.yaml", "given: {seats", "given: {seat", 'unknown key "seat"'),
        ("rules.yaml", "sections:", "sections: [", "rules.yaml"),
    ],
)
def test_what_is_broken_stops_a_draft_too(kittens: Path, file: str, old: str, new: str, told: str) -> None:
    """A reference to nothing, a key that nobody knows, a position of another shape, YAML that cannot be read."""
    path = kittens / file
    make_draft(kittens)
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    problems = Problems()

    assert prove(kittens, problems) is None
    assert any(told in str(problem) for problem in problems)


def test_results_of_other_rules_are_not_shown_of_a_draft(kittens: Path) -> None:
    """A simulation that was recorded with other components is owed, and has no page; a stray file is a problem."""
    recorded = data_folder("content") / "were-kittens"
    listed = (recorded / "simulations.yaml").read_text("utf-8").replace("[[", "").replace("]]", "")
    (kittens / "simulations.yaml").write_text(listed, "utf-8")
    shutil.copytree(recorded / "simulations", kittens / "simulations")
    coins = kittens / "coins.csv"
    coins.write_text(coins.read_text("utf-8").replace("Penny", "Farthing"), "utf-8")
    make_draft(kittens)
    proved = prove(kittens, (problems := Problems()))

    assert [] == list(problems)
    assert proved is not None
    assert any("was recorded with other components" in owed.message for owed in proved[2].owed)
    assert [] == [one.simulation.id for one in simulations_of(proved[0]).recorded if one.report]
    (kittens / "simulations" / "stray.json").write_text("{}", "utf-8")
    prove(kittens, problems)
    assert ["no simulation has this name"] == [problem.message for problem in problems]


def test_pages_of_a_draft_say_so(kittens: Path) -> None:
    """All of them; what does not hold is told beside it, and what is owed with the examples."""
    make_draft(kittens)
    game, traces, proof = prove(kittens, (problems := Problems())) or pytest.fail("broken")
    shown = Shown(game, traces, proof, Composer(game, load_stocks(kittens, problems), problems), {}, {})
    made = {path: text for path, text in pages(shown).items() if isinstance(text, str) and path.endswith(".md")}
    examples, rules = made[f"{KITTENS}/examples.md"], made[f"{KITTENS}/rules-play.md"]

    assert all("\ndraft: true\n" in text for text in made.values())
    assert "## Not proved yet {#owed}" in examples
    assert "- WK-OWN-1: no checked example shows it" in examples
    assert "- Ada scores: written 99, the rules give" in rules
    assert re.search(r'class="example( card)? illegal fails"', rules)
    for page in (str(home([shown])["index.md"]), made[f"{KITTENS}/index.md"]):
        assert re.search(r"^# .*\bWere Kittens \(draft\)", page, re.MULTILINE)


@pytest.mark.slow("builds, prints and exports a draft")
def test_sheets_and_pages_of_a_draft_are_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every page of the sheets says draft, no face does, and the search tells where a result is from."""
    write_game(tmp_path / "tiny")
    monkeypatch.chdir(tmp_path)
    assert 0 == main(["build", "./tiny", "--paper", "a4", "--draft"])
    said = capsys.readouterr().out
    document = pypdfium2.PdfDocument(tmp_path / "output/sheets/tiny/tiny-a4.pdf")
    texts = [page.get_textpage().get_text_range() for page in document]

    assert "Tiny is a draft\n" in said
    assert [1] * len(texts) == [text.lower().count("draft") for text in texts]
    assert "Tiny (draft): sheets to print and cut, A4" == document.get_metadata_dict()["Title"]
    document.close()
    site = tmp_path / "output" / "site"
    first, rules = ((site / page).read_text("utf-8") for page in ("index.html", "tiny/rules-play.html"))
    assert ">Tiny (draft)</h1>" in first
    assert '<li><a href="tiny/index.html">Tiny (draft)</a>' in first
    assert 'class="draft"' in rules
    assert "<b>Tiny (draft)</b>" in rules
    assert '<p class="crumb"><a href="index.html">Tiny (draft)</a>' in rules
    head = (site / "assets" / "search-index.js").read_text("utf-8").partition("grimalkinSearch=")[2]
    assert [["tiny", "Tiny (draft)"]] == json.loads(head.rstrip(";\n"))["games"]

    assert 0 == main(["build", "./tiny", "--paper", "a4", "--draft"])
    assert "nothing has changed since the last build\nTiny is a draft: 0 things not proved" in capsys.readouterr().out
    assert 0 == main(["build", "./tiny", "--paper", "a4"])
    assert "draft" not in capsys.readouterr().out
    assert 'class="draft"' not in (site / "tiny" / "rules-play.html").read_text("utf-8")


@pytest.mark.slow("builds, prints and exports a draft")
@pytest.mark.parametrize("fault", ["", "not: [", "engine: nobody"], ids=["unproved", "unreadable", "no engine"])
def test_what_is_wrong_with_one_game_says_nothing_about_the_next(
    kittens: Path, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The examples of a game are replayed whatever was told of the game before it."""
    game = kittens / "game.yaml"
    game.write_text(game.read_text("utf-8") + fault, encoding="utf-8")

    assert main(["check", str(kittens), "were-kittens"]) == 1
    told = capsys.readouterr()
    assert re.search(r"^Were Kittens: ([1-9]\d*) of \1 examples", told.out, re.MULTILINE)
    assert not [line for line in told.err.splitlines() if "content/were-kittens" in line]
    assert main(["build", str(kittens), "were-kittens", "--output", str(kittens.parent / "output")]) == 1
    assert not [line for line in capsys.readouterr().err.splitlines() if "content/were-kittens" in line]


@pytest.mark.slow("builds, prints and exports a draft")
def test_who_prints_or_exports_a_draft_reads_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On every sheet, with the option too, and in what a print shop or another table is given."""
    folder = write_game(tmp_path / "tiny")
    monkeypatch.chdir(tmp_path)

    def page_counts() -> list[int]:
        with pypdfium2.PdfDocument(tmp_path / "output/print/tiny/tiny-a4.pdf") as document:
            return [page.get_textpage().get_text_range().lower().count("draft") for page in document]

    assert 0 == main(["sheets", "./tiny", "--paper", "a4"])
    assert {0} == set(page_counts())
    assert 0 == main(["sheets", "./tiny", "--paper", "a4", "--draft"])
    assert {1} == set(page_counts())
    make_draft(folder)
    assert 0 == main(["sheets", "./tiny", "--paper", "a4"])
    assert {1} == set(page_counts())

    exported = tmp_path / "output" / "export" / "tiny"
    for kind in ("zip", "tts", "mpc", "tgc"):
        assert 0 == main(["export", kind, "./tiny"]), capsys.readouterr().err
    with zipfile.ZipFile(next((exported / "zip").iterdir())) as archive:
        assert archive.read("README.txt").startswith(b"Tiny (draft)\n")
    assert "Tiny (draft)" == json.loads(next((exported / "tts").glob("*.json")).read_text("utf-8"))["SaveName"]
    for kind in ("mpc", "tgc"):
        assert (exported / kind / "order.txt").read_text("utf-8").startswith("Tiny (draft) at ")


@pytest.mark.slow("proves a whole game")
@pytest.mark.parametrize("name", bundled_games())
def test_a_game_that_comes_along_is_a_draft_until_it_has_simulations(name: str) -> None:
    """What is shipped is finished: all of it is proved, without the key that lets it wait. What is not says so."""
    game = load_game(find_game_folder(name), Problems())

    assert game is not None
    assert game.info.draft == (not simulations_of(game).recorded)
