"""The command line: what a person types, what comes back, and the exit code."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest
import reference
from games_for_tests import FILES, write_game
from soak import sample, sampled

import grimalkin
from grimalkin.cli import _parser, main
from grimalkin.cli.common import INKS, folders
from grimalkin.engine.shape import Misfit
from grimalkin.engine.words import Event, Refusal, Result, Score
from grimalkin.games import were_kittens
from grimalkin.printing.face import Inks
from grimalkin.problems import Problems
from grimalkin.source import bundled_games, data_folder

pytestmark = [pytest.mark.slow("runs commands on whole games"), pytest.mark.usefixtures("short_guide")]

TABLE = """\
quarter: Ada
city: {nickel: 1, penny: 3}
acting: {seat: Ada, space: 6}
seats:
  Ada: {cats: {6: penny}, eat: {dime: 1}}
  Basil: {hand: {penny: 2, dime: 2, nickel: 1}}
"""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to stand in, with one position."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.yaml").write_text(TABLE)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, output and errors of one command."""
    try:
        code = main(arguments)
    except SystemExit as stop:  # argparse leaves this way
        code = int(stop.code or 0)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def commands() -> list[str]:
    actions = [action for action in _parser()._actions if action.choices and action.dest != "help"]
    return list(actions[0].choices)


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """With one sentence each, and a first thing to try."""
    code, out, _ = run(capsys, "--help")

    assert 0 == code
    for command in commands():
        assert f"    {command}" in out
    assert "grimalkin replay WK-PLAY-1" in out


@pytest.mark.parametrize("command", commands())
def test_every_command_has_help(capsys: pytest.CaptureFixture[str], command: str) -> None:
    """`grimalkin COMMAND --help` says what the command is for."""
    code, out, _ = run(capsys, command, "--help")

    assert 0 == code
    assert out.startswith(f"usage: grimalkin {command}")


CHAIN = "pydantic reportlab mkdocs lxml yaml jinja2 fontTools PIL filelock"
RARE = "ezdxf numpy pikepdf pypdfium2 watchfiles mkdocs markdown multiprocessing concurrent.futures.process"

UNUSED = (
    "grimalkin.printing.preflight.inspection grimalkin.site.pages grimalkin.play.simulation grimalkin.engine.shape "
    "grimalkin.engine.words grimalkin.engine.replay grimalkin.content.proof grimalkin.content.cutters "
    "grimalkin.printing.sheet.cover grimalkin.parts.simulations.cli"
)
"""What sheets without a cover, of a game without an engine, have no use for."""


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["--help"], f"{RARE} {CHAIN} grimalkin.engine.contract grimalkin.content"),
        (["check", "FOLDER"], f"{RARE} reportlab lxml PIL jinja2 fontTools filelock grimalkin.printing.face"),
        (["sheets", "FOLDER", "--paper", "a4", "--no-cover"], f"{RARE} {UNUSED}"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_imports_nothing_that_it_does_not_need(tmp_path: Path, arguments: list[str], unwanted: str) -> None:
    """Half the time of a short command is imports."""
    folder = write_game(tmp_path / "tiny")
    script = (
        "import sys; from grimalkin.cli import main\n"
        f"try: main({[str(folder) if one == 'FOLDER' else one for one in arguments]!r})\n"
        "except SystemExit: pass\n"
        f"print(sorted(set({unwanted.split()!r}) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path)

    assert "[]" == done.stderr.strip()


@pytest.mark.parametrize(
    ("library", "extra", "arguments"),
    [
        ("ezdxf", "dxf", ["sheets", "were-kittens", "--paper", "a4", "--cutter", "silhouette"]),
        ("pikepdf", "pdf", ["preflight", "were-kittens"]),
        ("pikepdf", "pdf", ["score", "were-kittens", "form.pdf"]),
    ],
)
def test_what_is_not_installed_names_its_extra(
    capsys: pytest.CaptureFixture[str],
    table: Path,
    monkeypatch: pytest.MonkeyPatch,
    library: str,
    extra: str,
    arguments: list[str],
) -> None:
    """It is a problem like any other, and nothing is changed."""
    (table / "form.pdf").write_bytes(b"%PDF-1.7")
    monkeypatch.setitem(sys.modules, library, None)
    preflight = (f"printing.preflight.{name}" for name in ("inspection", "documents", "readback"))
    for name in ("parts.forms.filled", *preflight):
        monkeypatch.delitem(sys.modules, f"grimalkin.{name}", raising=False)
    code, _, err = run(capsys, *arguments)

    assert 1 == code
    assert f'this needs {library}, which is not installed; pip install "grimalkin[{extra}]"' in err
    assert not (table / "output").exists()


def test_a_game_that_is_named_twice_is_taken_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However it is named; the order is that of the command."""
    tiny, other = write_game(tmp_path / "tiny"), write_game(tmp_path / "other")
    monkeypatch.chdir(tmp_path)

    assert [Path("other"), Path("tiny")] == folders(["./other", "./tiny", str(tiny), str(other)], Problems())


def test_score_prints_lines_with_rules(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Basil's victims: 2 pennies and 2 dimes share the most (2 each), 1 nickel is second (1): 4 + 4 + 1 = 9."""
    code, out, _ = run(capsys, "score", "were-kittens", "table.yaml")

    assert 0 == code
    assert "Basil: 9 points" in out
    assert "    4  penny victims (most): 2 × 2   [WK-SCORE-3]" in out
    assert "    1  nickel victims (second): 1 × 1   [WK-SCORE-2]" in out
    assert "    2  penny cats: 1 × 2   [WK-SCORE-1]" in out


WOLVES = """\
phase: over
seats:
  Ada: {spades: 4, hearts: 2, diamonds: 7, pile: [jc, 2c, 3s, 4s]}
  Basil: {clubs: 4, spades: 8, diamonds: 5}
  Cleo: {months: [[2, 6, 1, 3], [3, 0, 2, 5]], jokers: 1, lover: yes}
"""


def test_a_finished_score_sheet_is_judged_step_by_step(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Columns that are one number each need no lines. Cleo, 2 + 3 clubs, is lynched; of those left Basil has most
    spades, but no heart, so nobody hangs, and he alone is innocent."""
    (table / "sheet.yaml").write_text(WOLVES)
    code, out, err = run(capsys, "score", "wolf-mans-curse", "sheet.yaml")
    sheet = out.splitlines()

    assert (0, "") == (code, err)
    assert sheet[:19] == [
        "Ada: clubs 3, spades 6, hearts 2, diamonds 7",
        "    1  clubs: number cards: 1 × 1   [WM-SCORE-2]",
        "    2  jack of clubs: 1 × 2   [WM-SCORE-2]",
        "    4  spades of earlier months: 4 × 1   [WM-SCORE-7]",
        "    2  spades: number cards: 2 × 1   [WM-SCORE-2]",
        "    2  hearts of earlier months: 2 × 1   [WM-SCORE-7]",
        "    7  diamonds of earlier months: 7 × 1   [WM-SCORE-7]",
        "Basil: clubs 4, spades 8, hearts 0, diamonds 5  [WM-SCORE-7, WM-SCORE-1]",
        "Cleo: clubs 5, spades 6, hearts 3, diamonds 8  [WM-SCORE-7]",
        "       1 joker is kept and gives no points.  [WM-SCORE-4]",
        "",
        "1. Cleo has the most clubs, 5, and is lynched by the mob.  [WM-END-3]",
        "2. Basil has the most spades, 8, but no heart, so Scotland Yard hangs nobody.  [WM-END-5]",
        "3. Of those left, only Basil has no hearts.  [WM-END-6]",
        "4. Cleo has the queen of hearts and 1 joker, so this death is a release, a moral victory, "
        "and Cleo is out all the same.  [WM-END-10]",
        "5. Cleo was still the victim of the mob, which takes nobody else instead.  [WM-AMB-5]",
        "6. Basil wins, an innocent survivor with 5 diamonds.  [WM-AIM-2]",
        "",
        "The end: Basil wins.",
    ]
    assert ["Places: 1 Basil; 2 Ada and Cleo", ""] == sheet[19:21]
    assert [line.split(":")[0] for line in sheet[21:]] == [
        "WM-SCORE-2", "WM-SCORE-7", "WM-SCORE-1", "WM-SCORE-4",
        "WM-END-3", "WM-END-5", "WM-END-6", "WM-END-10", "WM-AMB-5", "WM-AIM-2",
    ]  # fmt: skip


def test_a_seat_without_lines_has_no_rules(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """A game whose score sheet has no columns is told as before, nothing in brackets after the points."""
    (table / "bare.yaml").write_text("seats: {Ada: {}, Basil: {}}")
    code, out, _ = run(capsys, "score", "were-kittens", "bare.yaml")

    assert 0 == code
    assert "Ada: 0 points" in out.splitlines()


@pytest.mark.parametrize("command", ["score", "why"])
def test_help_says_that_a_form_is_read_too(capsys: pytest.CaptureFixture[str], command: str) -> None:
    _, out, _ = run(capsys, command, "--help")

    assert "a position in YAML or JSON, or a filled-in form (PDF);" in " ".join(out.split())


def test_score_as_json_and_from_standard_input(
    capsys: pytest.CaptureFixture[str], table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs get the same numbers; a position may be JSON."""
    position = json.dumps({"seats": {"Ada": {"hand": {"penny": 3, "dime": 2, "nickel": 1}}, "Basil": {}}})
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(position.encode())))
    code, out, _ = run(capsys, "score", "were-kittens", "-", "--json")
    ada = json.loads(out)["scores"][0]

    assert 0 == code
    assert ("Ada", 8) == (ada["seat"], ada["total"])
    assert {"rule": "WK-SCORE-2", "label": "penny victims (most)", "count": 3, "each": 2, "points": 6} in ada["lines"]


def test_why_names_the_rule(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """A nickel in space 4 costs 10 - 4 = 6: a penny cat has 3, and 6 after eating a dime."""
    code, out, _ = run(capsys, "why", "were-kittens", "table.yaml", "make nickel 4")

    assert 1 == code
    assert 'refused: Ada may not "make nickel 4"' in out
    assert "WK-ACT-6" in out and "3" in out and "6" in out

    code, out, _ = run(capsys, "why", "were-kittens", "table.yaml", "eat dime, make nickel 4")

    assert 0 == code
    assert out.startswith("legal: Ada may.")
    assert "[WK-ACT-6]" in out

    code, out, _ = run(capsys, "why", "were-kittens", "table.yaml", "make nickel 4", "--json")

    assert (1, "WK-ACT-6") == (code, json.loads(out)["rule"])


def test_a_position_in_which_the_game_is_over_is_told_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Three witches of one suit in a Census are a coven: `why` refuses as over, and `score` names the winners."""
    seats = "{H: {}, A: {hand: [love-rose, love-mabel, love-viola]}, B: {hand: [smith]}}"
    file = tmp_path / "coven.yaml"
    file.write_text(f"woods: cooper\nseats: {seats}\n", encoding="utf-8")
    code, out, err = run(capsys, "why", "curses-and-covens", str(file), "hat A")

    assert (1, "") == (code, err)
    assert ['refused: "hat A"', "CC-WIN-1, A coven: the game is over: the towns have won with a coven"] == (
        out.splitlines()
    )

    code, out, _ = run(capsys, "why", "curses-and-covens", str(file), "hat A", "--json")
    answer = json.loads(out)

    assert (1, "over", "CC-WIN-1", None, []) == (
        code,
        *(answer[key] for key in ("kind", "rule", "to-act", "moves")),
    )
    assert (["A", "B"], {"H": 3, "A": 1, "B": 1}) == (answer["result"]["winners"], answer["result"]["places"])
    assert "A and B win" in run(capsys, "score", "curses-and-covens", str(file))[1]


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["score", "were-kitens", "table.yaml"], 1, 'no game with this name; did you mean "were-kittens"?'),
        (["score", "./nowhere", "table.yaml"], 1, "./nowhere: there is no such folder"),
        (["score", ".", "table.yaml"], 1, "this folder has no game.yaml"),
        (["score", "were-kittens", "tabel.yaml"], 1, "tabel.yaml: there is no such file"),
        (["score", "were-kittens", "."], 1, ".: this is a folder, not a file; name a file"),
        (["score", "were-kittens", "empty.yaml"], 1, "empty.yaml: the file is empty"),
        (["score", "were-kittens", "list.yaml"], 1, "list.yaml:1: "),
        (
            ["score", "were-kittens", "typo.yaml"],
            1,
            'typo.yaml:2: seats.Ada.hnad: unknown key "hnad"; did you mean "hand"?',
        ),
        (
            ["score", "were-kittens", "words.yaml"],
            1,
            'words.yaml:2: seats.Ada.hand.penny: "three" is not a whole number',
        ),
        (["score", "were-kittens", "many.yaml"], 1, "many.yaml:"),
        (["why", "were-kittens", "table.yaml", "fly to the moon"], 1, "MOVE: "),
        (
            ["replay", "nothing.yaml"],
            1,
            "nothing.yaml: there is no such file, playthrough or example; name a file, or an id",
        ),
        (
            ["replay", "."],
            1,
            "this is a folder, and there is no playthrough or example with this id; name a file, or an id",
        ),
        (["replay", "content/two-kittens-at-midnight.yaml"], 1, 'playthrough or example; did you mean "WK-PLAY-1"?'),
        (["replay", "WK-PLAY-9"], 1, 'did you mean "WK-PLAY-'),
        (["replay", "table.yaml"], 1, "no folder above this file is a game; name it with --game"),
        (["build", "were-kittens", "--paper", "a5"], 1, '--paper: there is no paper "a5"; known here: a3, a4, '),
        (["biuld"], 2, 'invalid choice: "biuld"; did you mean "build"?'),
        (["xyzzy"], 2, 'invalid choice: "xyzzy"; choose from build, guide, schema, '),
        (
            ["campaign", "plya"],
            2,
            'grimalkin campaign: error: argument ACTION: invalid choice: "plya"; did you mean "play"?',
        ),
        (["sheets", "were-kittens", "--ink", "lwo"], 2, 'argument --ink: invalid choice: "lwo"; did you mean "low"?'),
        (["sheets", "were-kittens", "--backs", "dup"], 2, 'invalid choice: "dup"; did you mean "duplex"?'),
        (["sheets", "were-kittens", "--backs", "x"], 2, 'choice: "x"; choose from duplex, fold, none, apart'),
        (["cal"], 2, 'invalid choice: "cal"; did you mean "calibrate"?'),
        (["pre"], 2, 'invalid choice: "pre"; choose from '),
        (["build", "--outptu", "x"], 2, 'unrecognized arguments: --outptu; did you mean "--output"?'),
        (["build", "--outptu=x"], 2, 'unrecognized arguments: --outptu=x; did you mean "--output"?'),
        (["schema", "a", "b", "--chekc"], 2, 'unrecognized arguments: a b --chekc; did you mean "--check"?'),
        (["score"], 2, "the following arguments are required"),
        (["schema", "--check"], 1, "the schema is out of date; run `grimalkin schema`"),
    ],
)
def test_mistakes_are_answered(
    capsys: pytest.CaptureFixture[str], table: Path, arguments: list[str], code: int, told: str
) -> None:
    """With the place, the cause and the remedy; 1 for content, 2 for usage; never a traceback."""
    (table / "empty.yaml").write_text("")
    (table / "list.yaml").write_text("- 1\n- 2\n")
    (table / "typo.yaml").write_text("seats:\n  Ada: {hnad: {penny: 1}}\n  Basil: {}\n")
    (table / "words.yaml").write_text("seats:\n  Ada: {hand: {penny: three}}\n  Basil: {}\n")
    (table / "many.yaml").write_text("seats:\n  Ada: {hand: {penny: 11}}\n  Basil: {}\n")
    got, out, err = run(capsys, *arguments)

    assert code == got
    assert told in err
    assert "Traceback" not in err + out


def test_every_choice_is_suggested_for_its_beginning(capsys: pytest.CaptureFixture[str]) -> None:
    """Of commands, actions and options: the letters that only one choice begins with are enough."""
    seen = set()
    for name, parser in reference.commands(_parser()).items():
        for action in parser._actions:
            choices = [str(choice) for choice in action.choices or ()]
            for choice in choices:
                if choice[:3] in choices or sum(other.startswith(choice[:3]) for other in choices) > 1:
                    continue
                seen.add(choice)
                _, _, err = run(capsys, *name.split()[1:], *action.option_strings[-1:], choice[:3])

                assert err.endswith(f'invalid choice: "{choice[:3]}"; did you mean "{choice}"?\n')
    assert {"build", "measure", "duplex", "cricut"} <= seen


def test_replay_tells_the_story(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """By id, and by file; the last lines are the scores."""
    code, out, _ = run(capsys, "replay", "WK-PLAY-1")

    assert 0 == code
    assert "[WK-SCORE-5" in out
    assert "facts hold" in out
    paths = sorted((data_folder("content") / "were-kittens" / "playthroughs").glob("*.yaml"))
    outputs = [run(capsys, "replay", str(path)) for path in paths]
    assert [0] * len(paths) == [code for code, _, _ in outputs]
    assert out in [text for _, text, _ in outputs]


def test_check_reports_the_coverage(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """How many hold, how many rules they show, and which cannot be executed."""
    code, out, _ = run(capsys, "check", *bundled_games())

    assert 0 == code
    assert "rules and rulings are shown by a checked example" in out
    assert "WK-POP-2 cannot be executed: " in out


def test_check_fails_where_an_example_does_not_hold(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """The line of the fact, what was written, what the rules give, and by which rule."""
    import shutil

    shutil.copytree(data_folder("content") / "were-kittens", table / "content" / "were-kittens")
    path = table / "content" / "were-kittens" / "examples" / "end.yaml"
    text = path.read_text(encoding="utf-8")
    assert "Ada: 8" in text or "Ada: 9" in text
    broken = text.replace("Ada: 8", "Ada: 88", 1) if "Ada: 8" in text else text.replace("Ada: 9", "Ada: 99", 1)
    path.write_text(broken, encoding="utf-8")
    line = 1 + next(i for i, row in enumerate(broken.split("\n")) if "Ada: 88" in row or "Ada: 99" in row)
    code, _, err = run(capsys, "check", "were-kittens")

    assert 1 == code
    assert f"content/were-kittens/examples/end.yaml:{line}: " in err
    assert "the rules give" in err


def test_the_designs_to_choose_from_are_all_there_are() -> None:
    """Commands list them without importing what draws them."""
    assert get_args(Inks) == INKS


def test_letters_that_the_output_lacks_are_written_as_numbers(tmp_path: Path) -> None:
    """A code page has not every letter; the command ends well all the same."""
    script = "import sys; from grimalkin.cli import main; sys.exit(main(['printer', 'list']))"
    (tmp_path / "printers.toml").write_text('["Łapa"]\nangle = 1\n', encoding="utf-8")
    asked = {**os.environ, "PYTHONIOENCODING": "cp1252", "GRIMALKIN_CONFIG": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=asked, check=False)

    assert (0, b"") == (done.returncode, done.stderr)
    assert "\\u0141apa: backs move 1° counter-clockwise" == done.stdout.decode("cp1252").strip()


def test_an_interrupted_command_claims_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C may come when new output is decided already."""

    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("grimalkin.cli.machines.load_printers", interrupted)

    assert (130, "", "stopped\n") == run(capsys, "printer", "list")


def test_games_are_listed(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Those that come with Grimalkin, and those in ./content."""
    write_game(table / "content" / "tiny")
    _, out, _ = run(capsys, "games")

    assert "tiny  (in ./content)" in out.split("\n")
    assert set(bundled_games()) < {line.split(" ")[0] for line in out.split("\n")}


def test_a_designers_own_game_builds_alone(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Sheets, pictures and a site of that game; its examples are not checked, and it says so."""
    write_game(table / "somewhere" / "tiny")
    code, out, err = run(capsys, "build", "somewhere/tiny", "--paper", "a4")

    assert (0, "") == (code, err)
    sheets = table / "output" / "sheets" / "tiny"
    names = sorted(path.name for path in sheets.iterdir())
    books = [f"tiny-rulebook-{form}.pdf" for form in ("a4", "booklet-a4-low", "booklet-a4-mono", "booklet-a4")]
    assert ["manifest.json", "tiny-a4-low.pdf", "tiny-a4-mono.pdf", "tiny-a4.pdf", *books] == names
    assert (table / "output" / "rulebooks" / "tiny.pdf").is_file()
    assert {"mouse-front.png", "owl-back.png"} < {p.name for p in (table / "output" / "cards" / "tiny").iterdir()}
    assert (table / "output" / "site" / "tiny" / "rules.html").is_file()
    assert not (table / "output" / "site" / "were-kittens").exists()
    assert "open output/site/index.html" in out


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def visible(folder: Path) -> dict[str, bytes]:
    """What is replaced: not the hidden files of a build under way, nor the records, which are kept for ever."""
    return {path: data for path, data in snapshot(folder).items() if not path.startswith((".", "records"))}


def test_a_failed_build_changes_nothing(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """The last good output stays as it was; nothing is left lying about."""
    folder = write_game(table / "tiny")
    assert 0 == run(capsys, "build", "./tiny", "--paper", "a4")[0]
    before = snapshot(table / "output")
    (folder / "cards.csv").write_text(FILES["cards.csv"].replace("2,1", "2,x"))
    code, _, err = run(capsys, "build", "./tiny", "--paper", "a4")

    assert 1 == code
    assert 'tiny/cards.csv:2: power: "x" is not a whole number' in err
    assert "1 problem; nothing was changed" in err
    assert before == snapshot(table / "output")


def test_of_many_problems_the_others_are_counted(
    capsys: pytest.CaptureFixture[str], table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grimalkin.cli.MOST_TOLD", 2)
    rows = "".join(f"{name},Name,1,z,\n" for name in ("mouse", "owl", "cat", "dog", "hen"))
    write_game(table / "tiny", cards_csv=f"id,name,count,power,mood\n{rows}")
    code, _, err = run(capsys, "sheets", "./tiny")

    assert 1 == code
    assert 2 == err.count("is not a whole number")
    assert "\n… and 3 more\n" in err


def test_builds_are_byte_identical(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Two builds of the same content, in processes with different hash seeds, give the same files."""
    write_game(table / "tiny")
    outputs = []
    for seed in ("1", "2"):
        command = [sys.executable, "-m", "grimalkin", "build", "./tiny", "--output", f"out{seed}"]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True)
        outputs.append(snapshot(table / f"out{seed}"))

    assert outputs[0] == outputs[1]


@pytest.mark.soak
@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is a thing of POSIX")
def test_a_killed_build_leaves_the_last_good_output(table: Path) -> None:
    """Killed at any moment, the old output is whole; once the swap was decided, the next command brings in the new."""
    folder = write_game(table / "tiny")
    command = [sys.executable, "-m", "grimalkin", "build", "./tiny", "--paper", "a4"]
    subprocess.run(command, check=True, capture_output=True)
    old = visible(table / "output")
    (folder / "cards.csv").write_text(FILES["cards.csv"].replace("Mouse", "Shrew"))
    subprocess.run([*command, "--output", "elsewhere"], check=True, capture_output=True)
    new = visible(table / "elsewhere")
    assert old != new
    for delay in sample((0.2, 0.5, 0.8, 1.1, 1.4, 1.7), 2):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(delay)
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if not (table / "output" / ".swap.json").exists():
            assert visible(table / "output") in (old, new)
    subprocess.run(command, check=True, capture_output=True)
    left = sorted(path.name for path in (table / "output").iterdir())

    made = ["cards", "records", "rulebooks", "sheets", "site"]
    assert [".grimalkin-reuse", ".grimalkin-state.json", ".lock", ".made-by-grimalkin", *made] == left
    assert new == visible(table / "output")


def test_a_position_with_a_doubled_key_is_refused(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Two cats in one space cannot be; nor may one of them be dropped in silence."""
    (table / "twice.yaml").write_text("seats: {Ada: {cats: {6: penny, 6: dime}}, Basil: {}}\n")
    code, out, err = run(capsys, "score", "were-kittens", "twice.yaml")

    assert (1, "") == (code, out)
    assert 'twice.yaml:1: the key "6" is written twice' in err


def test_faulty_content_is_told_before_a_position_is_scored(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """The blame goes to the table that is broken, not to the position."""
    import shutil

    shutil.copytree(data_folder("content") / "were-kittens", table / "content" / "were-kittens")
    coins = table / "content" / "were-kittens" / "coins.csv"
    coins.write_text(coins.read_text().replace("penny,Penny,10", "penny,Penny,x"))
    code, out, err = run(capsys, "score", "were-kittens", "table.yaml")

    assert (1, "") == (code, out)
    assert 'content/were-kittens/coins.csv:2: count: "x" is not a whole number' in err
    assert "table.yaml" not in err


OUTSIDE = """\
id: MY-PLAY
title: My game
summary: Only the start of it.
seats: [Ada, Basil]
steps:
  - Ada: penny
  - Basil: dime
expect: {to-act: Ada, position: {seats: {Ada: {hand: {penny: 1}}}}}
"""


def test_a_playthrough_of_ones_own_is_replayed(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """A file that is not part of a game's folder names its game; a misspelt fact is a problem, not a proof."""
    (table / "mine.yaml").write_text(OUTSIDE)
    code, out, _ = run(capsys, "replay", "mine.yaml", "--game", "were-kittens")

    assert 0 == code
    assert "My game (MY-PLAY)" in out and "2 facts hold" in out

    (table / "mine.yaml").write_text(OUTSIDE.replace("{penny: 1}", "{pennny: 0}"))
    code, _, err = run(capsys, "replay", "mine.yaml", "--game", "were-kittens")

    assert 1 == code
    assert 'mine.yaml:8: expect.position.seats.Ada.hand.pennny: unknown key "pennny"; did you mean "penny"?' in err


def test_a_game_is_told_as_one_seat_saw_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Another seat's card, face down, is a question mark; remarks, checks and deals know too much."""
    code = main(["replay", "WM-PLAY-1", "--seat", "Hester"])
    lines = capsys.readouterr().out.splitlines()
    begin = lines.index("Ambrose: ?")

    assert 0 == code
    assert [
        "Ambrose: ?",
        "    Ambrose lays a card face down.  [WM-NIGHT-4]",
        "",
        "Hester may: 2c, 3c, 6s, ah, 5d",
        "Hester: 5d",
        "    Hester lays the 5 of diamonds face down.  [WM-NIGHT-4]",
        "Silas: ?",
    ] == lines[begin : begin + 7]
    assert "Ambrose: 8c" in lines  # the second night is played face up
    assert not [line for line in lines if "holds" in line and line.startswith("    ")]
    assert not [line for line in lines if line.startswith("  draw")]


def test_a_seat_is_told_only_the_remarks_to_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """And those to everybody, in a game that tells what each seat knows: in others, they are for who sees all cards."""
    own = tmp_path / "own.yaml"
    own.write_text(
        "{id: MY-1, title: A night, summary: Short., seats: [Hester, Ada, Basil], expect: {over: no}, steps: ["
        "draw: {woods: baker}, draw: {Ada: [miller, wild]}, draw: {Basil: [fake, cooper]}, "
        "say: {Basil: A moth., open: All cards., Ada: A fox.}, say: For you all.]}\n",
        "utf-8",
    )
    told = {}
    for seat in ([], ["--seat", "Ada"], ["--seat", "Hester"]):
        assert 0 == main(["replay", str(own), "--game", "curses-and-covens", *seat])
        lines = capsys.readouterr().out.splitlines()
        told[" ".join(seat)] = [one for one in lines if one.endswith(("moth.", "cards.", "fox.", "all."))]

    assert ["All cards.", "Basil: A moth.", "Ada: A fox.", "For you all."] == told[""]
    assert ["A fox.", "For you all."] == told["--seat Ada"]
    assert ["For you all."] == told["--seat Hester"]


def test_a_seat_that_does_not_play_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    """With the name that was perhaps meant."""
    assert 1 == main(["replay", "WM-PLAY-1", "--seat", "Hestr"])
    assert '--seat: "Hestr" has no seat; did you mean "Hester"?' in capsys.readouterr().err


def test_a_seat_is_told_the_first_deal(capsys: pytest.CaptureFixture[str]) -> None:
    """Its own five cards, that the others have theirs, and the first card of the face pile; before the first line."""
    assert 0 == main(["replay", "WM-PLAY-1", "--seat", "Hester"])
    lines = capsys.readouterr().out.splitlines()

    assert [
        "    All number cards are shuffled, and month 1 begins.  [WM-SETUP-2]",
        "    Ambrose is dealt 5 cards.  [WM-MONTH-2]",
        "    Hester is dealt the 2 of clubs, the 3 of clubs, the 6 of spades, the ace of hearts and the 5 of diamonds."
        "  [WM-MONTH-2]",
        "    Silas is dealt 5 cards.  [WM-MONTH-2]",
        "    The jack of diamonds is turned up for night 1 of month 1.  [WM-NIGHT-1]",
        "    Diamonds count double tonight.  [WM-NIGHT-2]",
        "Ambrose: ?",
    ] == lines[2:9]


def test_the_start_of_a_game_is_told_after_its_draws(capsys: pytest.CaptureFixture[str]) -> None:
    """Everybody's cards, for one who sees all."""
    assert 0 == main(["replay", "WM-PLAY-1"])
    lines = capsys.readouterr().out.splitlines()

    assert "  draw moon: jd" == lines[5]
    dealt = "Silas is dealt the 4 of clubs, the ace of spades, the 3 of spades, the 7 of hearts and the 10 of diamonds."
    assert f"    {dealt}  [WM-MONTH-2]" in lines[6:12]


def test_a_refused_line_shows_nobody_a_hidden_card(capsys: pytest.CaptureFixture[str]) -> None:
    """Rook tries to give its last card away (CC-TRAV-6); who sees all sees the position too."""
    assert 0 == main(["replay", "CC-EX-92", "--seat", "Silence"])
    seen = capsys.readouterr().out
    assert 0 == main(["replay", "CC-EX-92"])
    whole = capsys.readouterr().out.splitlines()

    assert "Rook: give ? to Fen\n    refused by CC-TRAV-6\n" in seen
    assert "love-" not in seen
    assert [
        "phase travel; woods cooper; hat Rook",
        "Silence: nothing",
        "Rook: hand love-mabel",
        "Fen: hand love-rose love-viola",
        "",
        "Rook: give love-mabel to Fen",
    ] == whole[2:8]


def test_a_seat_is_told_no_scores_of_hidden_cards(capsys: pytest.CaptureFixture[str]) -> None:
    """Where a game tells what each seat knows: under a Lullaby nobody but Heath sees which card came there."""
    told = {}
    for seat in ("", "Matthew", "Ash", "Heath", "Copse"):
        assert 0 == main(["replay", "CC-EX-50", *(["--seat", seat] if seat else [])])
        told[seat] = capsys.readouterr().out

    assert "\nHeath: witches 0, rituals 0, coven 1  [" in told.pop("")
    assert [] == [seat for seat, text in told.items() if "coven 1" in text or "rituals 0" in text]


def test_a_seat_is_told_who_won(capsys: pytest.CaptureFixture[str]) -> None:
    """The result of a finished game, without its scores."""
    assert 0 == main(["replay", "CC-EX-19"])
    whole = capsys.readouterr().out.splitlines()
    (won,) = [line for line in whole if " win: " in line or " wins: " in line]
    for name in [line.partition(":")[0] for line in whole if ", coven " in line]:
        assert 0 == main(["replay", "CC-EX-19", "--seat", name])
        lines = capsys.readouterr().out.splitlines()

        assert won in lines
        assert not [line for line in lines if ", coven " in line]


def test_a_position_is_told_as_one_seat_knows_it(capsys: pytest.CaptureFixture[str]) -> None:
    """The keys that are written, with question marks: the Hunter knows no hand here, a town its own."""
    assert 0 == main(["replay", "CC-EX-157", "--seat", "Gideon"])
    hunter = capsys.readouterr().out.splitlines()
    assert 0 == main(["replay", "CC-EX-157", "--seat", "Holt"])
    town = capsys.readouterr().out.splitlines()

    assert [
        "phase travel; woods ?; hat Alder",
        "Gideon: nothing",
        "Alder: hand ? ? ?",
        "Holt: hand ? ?",
        "",
        "Alder: give ? to Holt",
    ] == hunter[2:8]
    assert ["Alder: hand ? ? ?", "Holt: hand nature-fern parson"] == town[4:6]


COVENS = """\
seats: {Hester: {}, Ada: {hand: [baker, love-rose]}, Basil: {hand: [smith]}}
woods: miller
"""


def test_words_that_are_said_are_quoted_once(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Talk has quotes of its own."""
    (table / "covens.yaml").write_text(f"{COVENS}phase: travel\n")
    code, out, _ = run(capsys, "why", "curses-and-covens", "covens.yaml", '"let us talk"')

    assert 1 == code
    assert out.startswith('refused: Ada may not "let us talk"\n')


def test_what_is_only_not_asked_for_is_no_prohibition(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """The Hunter may shuffle at any time (CC-SETUP-7); a written game asks at certain moments (CC-AMB-26)."""
    (table / "covens.yaml").write_text(f"{COVENS}phase: travel\nunder: [nature-hazel, parson]\n")
    code, out, _ = run(capsys, "why", "curses-and-covens", "covens.yaml", "shuffle")

    assert 1 == code
    assert out.startswith('not taken: "shuffle"\nCC-AMB-26, When the Hunter is asked to shuffle: not asked here: ')
    assert out.endswith("at the table the Hunter may shuffle at any time (CC-SETUP-7)\n")
    assert "may not" not in out and "refused" not in out


FORKED = COVENS.replace("[smith]", "[smith, wild]") + "phase: travel\nhat: Ada\ncast: forked-path\n"
EMPTYING = """\
phase: hunt
picks: 1
first: Ada
emptying: Ada
seats: {Hester: {witches: [love-rose]}, Ada: {hand: [baker, love-mabel]}, Basil: {hand: [smith]}}
woods: miller
"""


@pytest.mark.parametrize(
    ("game", "position", "line", "told"),
    [
        (
            "curses-and-covens",
            FORKED,
            "woods baker, woods love-rose",
            """\
too far: Ada may "woods baker", but the line must end before "woods love-rose". What happens:
  Ada puts Bartholomew Bunn (baker) in the woods and takes Old Tobias Grist (miller) from there.  [CC-TRAV-4]
  Ada has the hat and gets a second action.  [CC-CHARM-3]
Then Ada is to act.
""",
        ),
        (
            "curses-and-covens",
            EMPTYING,
            "under baker, under love-mabel",
            """\
too far: Ada may "under baker", but the line must end before "under love-mabel". What happens:
  Ada puts Bartholomew Bunn (baker) under the deck.  [CC-AMB-10]
  Ada puts Mabel Truelove (love) under the deck.  [CC-AMB-10]
Then Hester is to act.
""",
        ),
        (
            "were-kittens",
            TABLE,
            "pass, take penny",
            """\
too far: Ada may "pass", but the line must end before "take penny". What happens:
  Ada's penny cat on space 6 does not act and stays heads-up.  [WK-AMB-15]
  Coins are left in the city or the supply, so the game goes on.  [WK-REF-1]
  Ada's victims on the eat area are lost and go to the supply: 1 dime.  [WK-REF-4]
  Round 2 begins.  [WK-REF-5]
Then Basil is to act.
""",
        ),
    ],
)
def test_a_line_that_goes_too_far_is_told_and_not_refused(
    capsys: pytest.CaptureFixture[str], table: Path, game: str, position: str, line: str, told: str
) -> None:
    """Which part may be, what happens then by itself, and whose turn it is; no rule is named that refuses nothing."""
    (table / "here.yaml").write_text(position)
    code, out, err = run(capsys, "why", game, "here.yaml", line)
    as_json = json.loads(run(capsys, "why", game, "here.yaml", line, "--json")[1])

    assert (1, "") == (code, err)
    assert told == out
    first, left = line.split(", ")
    assert (False, first, left) == (as_json["legal"], as_json["line"], as_json["left"])
    assert as_json["then"] == out.splitlines()[-1].removeprefix("Then ").rstrip(".")


def test_a_position_is_told_in_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """What all share, then a line for each seat: lists of lists, mappings, and points."""
    assert 0 == main(["replay", "WM-EX-67"])
    months = capsys.readouterr().out.splitlines()
    assert 0 == main(["replay", "WC-EX-30"])
    cats = capsys.readouterr().out.splitlines()

    assert "Silas: hand 7c 8s 5h 9h 10d; months 0 0 1 2, 1 0 0 4; jokers 1" in months[3:6]
    assert ["city seer beekeeper", "Ada: cats soot 3", "Basil: cats duchess 0"] == cats[2:5]


def asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, position: object, *arguments: str
) -> Any:
    """What `why` answers a program that sends a position."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(position).encode())))
    code, out, err = run(capsys, "why", arguments[0], "-", *arguments[1:], "--json")

    assert (err, code) == ("", 0 if json.loads(out)["legal"] else 1)
    return json.loads(out)


@sampled("name", bundled_games(), 2)
def test_moves_are_chained_by_the_position_that_why_gives(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A program plays by asking alone: the position after a move, and what was drawn, as at a table from Python."""
    table = grimalkin.open(name).start(["Ada", "Basil", "Cleo"], seed=3)
    position: object = table.position()
    for _ in range(6):
        move = table.legal()[-1]
        before = len(table.draws)
        events = table.play(move)
        drawn = table.draws[before:]
        answer = asked(capsys, monkeypatch, position, name, move, *(f"--draw={label}={item}" for label, item in drawn))
        position = answer["position"]

        assert [[event.rule, event.text] for event in events] == [[e["rule"], e["text"]] for e in answer["events"]]
        assert [list(draw) for draw in drawn] == answer.get("drawn", [])
        assert table.position() == grimalkin.open(name).table(position).position()


def test_why_gives_programs_the_facts_of_refusals_and_events(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, table: Path
) -> None:
    """And the scores and the result theirs, whatever they are."""
    facts = {"strength": 3, "needed": 6}
    happened = Event("WK-CLAW-5", "A cat eats.", facts={"claw": 3})
    monkeypatch.setattr(were_kittens.State, "why_not", lambda _, move: refusal)
    monkeypatch.setattr(were_kittens.State, "apply", lambda _, move, log=None: log is None or log.append(happened))
    monkeypatch.setattr(were_kittens.State, "score", lambda _: [Score("Ada", (), facts={"jokers": 2})])
    monkeypatch.setattr(were_kittens.State, "result", lambda _: Result((), (), "none", facts={"best": 0}))
    refusal: Refusal | None = Refusal("WK-ACT-6", "too little", facts)
    refused = json.loads(run(capsys, "why", "were-kittens", "table.yaml", "make nickel 4", "--json")[1])
    refusal = None
    legal = json.loads(run(capsys, "why", "were-kittens", "table.yaml", "eat dime", "--json")[1])
    scored = json.loads(run(capsys, "score", "were-kittens", "table.yaml", "--json")[1])

    assert facts == refused["facts"]
    assert [{"rule": "WK-CLAW-5", "text": "A cat eats.", "facts": {"claw": 3}}] == legal["events"]
    assert {"jokers": 2} == scored["scores"][0]["facts"]
    assert {"best": 0} == scored["result"]["facts"]


def test_an_event_that_not_all_may_read_says_for_whom(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that plays for one seat can keep from it what it may not know."""
    table = grimalkin.open("curses-and-covens").start(["Gideon", "Alder", "Holt"], seed=3)
    names = set()
    for _ in range(6):
        answer = asked(capsys, monkeypatch, table.position(), "curses-and-covens", table.legal()[0])
        names |= {name for event in answer["events"] for name in event.get("for", ())}
        table = table.game.table(answer["position"])

    assert {"Gideon", "Alder", "Holt"} >= names
    assert names


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--draw", "city=heir"], 0, "drawn for this answer: city heir\n"),
        (["--draw", "citty=heir"], 1, '--draw: Werecats has no draw called "citty"; did you mean "city"?\n'),
        (["--draw", "city=soot"], 1, '--draw: "soot" cannot be drawn for "city": it is not there\n'),
        (["--draw", "city=heir", "--draw", "city=cook"], 1, '--draw: "dive" draws nothing for "city=cook"\n'),
        (["--draw", "first=Ada"], 1, '--draw: the script draws "first", but the game draws "city"\n'),
        (["--draw", "city"], 2, 'argument --draw: "city" is not LABEL=ITEM\n'),
        (["--seed", "2"], 0, "drawn for this answer: city poacher\n"),
    ],
)
def test_why_is_told_what_is_drawn(
    capsys: pytest.CaptureFixture[str], table: Path, arguments: list[str], code: int, told: str
) -> None:
    """What came at a table is said by --draw; other luck is another seed."""
    seats = "seats: {Ada: {cats: {tom: 0}}, Basil: {cats: {soot: 0}}}"
    (table / "city.yaml").write_text(f"acting: tom\ncity: [pieman, seer, miller, baker, bishop]\n{seats}\n")
    said, out, err = run(capsys, "why", "werecats", "city.yaml", "dive", *arguments)

    assert code == said
    assert (out + err).endswith(told)


def test_luck_is_of_the_position(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The same question has the same answer, but who plays by asking has no deck that gives the same each time."""
    drawn = []
    for food in (0, 1, 2, 3, 4, 0):
        seats = {"Ada": {"cats": {"tom": 0}}, "Basil": {"cats": {"soot": food}}}
        record = {"acting": "tom", "city": ["pieman", "seer", "miller", "baker", "bishop"], "seats": seats}
        for seed in ([], ["--seed", "5"]):
            drawn.append(asked(capsys, monkeypatch, record, "werecats", "dive", *seed)["drawn"])

    assert drawn[:2] == drawn[-2:]
    assert len({str(one) for one in drawn[::2]}) > 2
    assert len({str(one) for one in drawn[1::2]}) > 2


@sampled("name", bundled_games(), 2)
def test_a_game_is_played_by_asking_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Each answer tells who is to act and what may be done, from the first one on, as a table from Python does."""
    seats = ["Ada", "Basil", "Cleo"]
    code, out, err = run(capsys, "start", name, *seats, "--seed", "3", "--json")
    answer = json.loads(out)
    table = grimalkin.open(name).start(seats, seed="3")
    same = json.loads(run(capsys, "start", name, *seats, "--seed", "3")[1])

    assert (0, "", "begun", "3") == (code, err, answer["kind"], answer["seed"])
    assert table.position() == same == answer["position"]
    assert [event.text for event in table.opening] == [event["text"] for event in answer["events"]]
    for _ in range(8):
        assert (table.to_act, table.legal()) == (answer["to-act"], answer["moves"])
        answer = asked(capsys, monkeypatch, answer["position"], name, answer["moves"][0])
        table = table.game.table(answer["position"])


def test_the_answer_after_the_last_move_has_the_result(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is to act then, and a further move is refused as over."""
    answer = json.loads(run(capsys, "start", "were-kittens", "Ada", "Basil", "--option", "rounds=1", "--json")[1])
    while answer["to-act"]:
        answer = asked(capsys, monkeypatch, answer["position"], "were-kittens", answer["moves"][0])
    over = asked(capsys, monkeypatch, answer["position"], "were-kittens", "pass")

    assert (None, []) == (answer["to-act"], answer["moves"])
    assert {"winners", "rules", "because"} <= set(answer["result"])
    assert ("over", answer["result"], answer["position"]) == (over["kind"], over["result"], over["position"])


@pytest.mark.parametrize(
    ("arguments", "kind", "told"),
    [
        (["why", "werecats", "city.yaml", "fly"], "unreadable", "MOVE"),
        (["why", "werecats", "city.yaml", "eat"], "ambiguous", "MOVE"),
        (["why", "werecats", "city.yaml", "dive", "--draw", "citty=heir"], "draw", "--draw"),
        (["why", "werecats", "city.yaml", "dive", "--draw", "city=soot"], "draw", "--draw"),
        (["why", "werecats", "city.yaml", "dive", "--draw", "city=heir", "--draw", "city=cook"], "draw", "--draw"),
        (["why", "wercats", "city.yaml", "dive"], "problem", "wercats"),
        (["why", "werecats", "cities.yaml", "dive"], "problem", "cities.yaml"),
        (["score", "were-kittens", "city.yaml"], "problem", "city.yaml"),
        (["start", "werecats", "Ada"], "problem", "SEAT"),
        (["start", "werecats", "Ada", "Basil", "--option", "runds=9"], "problem", "--option"),
        (["start", "werecats", "Ada", "Basil", "--draw", "first=Ada", "--draw", "first=Ada"], "draw", "--draw"),
    ],
)
def test_what_cannot_be_answered_has_a_kind(
    capsys: pytest.CaptureFixture[str], table: Path, arguments: list[str], kind: str, told: str
) -> None:
    """So that a program tells it from a refusal; who reads along is told as ever."""
    seats = "seats: {Ada: {cats: {tom: 0}}, Basil: {cats: {soot: 0}}}"
    (table / "city.yaml").write_text(f"acting: tom\ncity: [pieman, seer, miller, baker, bishop]\n{seats}\n")
    code, out, err = run(capsys, *arguments, "--json")
    answer = json.loads(out)

    assert (1, kind, told) == (code, answer["kind"], answer["problems"][0]["place"])
    assert answer["problems"][0]["message"] in err
    assert "" == run(capsys, *arguments)[1]


def test_an_engine_does_not_talk_into_an_answer(
    capsys: pytest.CaptureFixture[str], table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it prints is for people; a number that JSON does not know is told, and printed for nobody."""
    points = float("nan")

    def talking(_: object) -> list[Score]:
        sys.stdout.write("meow\n")
        return [Score("Ada", (), facts={"purr": points})]  # type: ignore[dict-item]

    monkeypatch.setattr(were_kittens.State, "score", talking)
    code, out, err = run(capsys, "score", "were-kittens", "table.yaml", "--json")
    answer = json.loads(out)

    assert (1, "problem") == (code, answer["kind"])
    assert "the engine returned a value that JSON cannot represent: " in answer["problems"][0]["message"]
    assert err.startswith("meow\nwere-kittens: the engine returned")
    points = 1
    code, out, err = run(capsys, "score", "were-kittens", "table.yaml", "--json")
    assert (0, "meow\n", 1) == (code, err, json.loads(out)["scores"][0]["facts"]["purr"])


def test_doubts_are_remarks_and_no_faults(
    capsys: pytest.CaptureFixture[str], table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told with their line, apart from the answer; programs find them in it."""
    doubt = Misfit(("seats", "Ada", "cats"), "nobody could have paid for it", "it costs 4")
    monkeypatch.setattr(were_kittens, "doubts", lambda _: [doubt], raising=False)
    told = "table.yaml:5: seats.Ada.cats: nobody could have paid for it; it costs 4"
    for command in (["score"], ["why", "eat dime"]):
        arguments = (command[0], "were-kittens", "table.yaml", *command[1:])
        code, out, err = run(capsys, *arguments)
        as_json = run(capsys, *arguments, "--json")

        assert (0, f"remark: {told}\n") == (code, err)
        assert "remark" not in out
        assert (0, "") == (as_json[0], as_json[2])
        assert [{"at": list(doubt.at), "message": doubt.message, "hint": doubt.hint}] == json.loads(as_json[1])[
            "doubts"
        ]


def test_check_tells_doubts_of_examples(
    capsys: pytest.CaptureFixture[str], table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the line of the position that is given, and it still holds."""
    doubt = Misfit(("seats",), "nobody plays so")
    monkeypatch.setattr(were_kittens, "doubts", lambda _: [doubt], raising=False)
    code, _, err = run(capsys, "check", "were-kittens")

    assert 0 == code
    assert re.search(r"^remark: \S+examples/[\w-]+\.yaml:\d+: seats: nobody plays so$", err, re.MULTILINE)


def test_games_tells_how_one_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    """Its seats, options, draws and bots; a game that draws nothing says so."""
    told = run(capsys, "games", "wolf-mans-curse")[1]
    none = run(capsys, "games", "were-kittens")[1]

    assert told.startswith("Wolf-Man's Curse: 3 to 8 seats\n\noptions:\n  last-month  ")
    assert "\ndraws:\n  {seat}  a number card that is dealt to this seat\n  moon    " in told
    assert "\n\nbots: random, sensible\n" in told
    assert "\ndraws: none\n" in none
