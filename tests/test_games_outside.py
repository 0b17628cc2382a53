"""Games of other distributions: found as ours are, and when something is wrong with one, told and in nobody's way."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from distributions import NAME, PACKAGE, content_of, distribution, engine_of, forget, install, on_path, skeleton
from games_for_tests import write_game
from soak import sampled

import grimalkin
from grimalkin import games
from grimalkin.cli import main
from grimalkin.content import load_game
from grimalkin.engine import outside
from grimalkin.engine.contract import GameOf
from grimalkin.floors import brought_to
from grimalkin.games import find_game
from grimalkin.output.unchanged import Order
from grimalkin.problems import Problems, Stop
from grimalkin.source import all_games, bundled_games, find_game_folder

pytestmark = [pytest.mark.slow("runs commands with hundreds of engines"), pytest.mark.usefixtures("short_guide")]

BY = f"{NAME} 0.1"
POSITION = """\
full: Ada
seats:
  Ada: {hand: [poet, queen]}
  Basil: {hand: [thief, baker]}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A game of another distribution, installed; the current folder is another, with nothing but a position."""
    made = skeleton(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "table.yaml").write_text(POSITION, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "elsewhere")
    with on_path(monkeypatch, *install(made, tmp_path / "site")):
        yield made


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of our own games is there, as checking and building them all takes long."""
    for place in ("grimalkin.source.game_folders", "grimalkin.cli.rules"):
        monkeypatch.setattr(f"{place}.bundled_games", list, raising=False)


# Found


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["games"], f"{NAME}  (from {BY})"),
        (["check", NAME], "9 of 9 rules and rulings are shown by a checked example"),
        (["why", NAME, "table.yaml", "lay poet"], "legal: Ada may."),
        (["score", NAME, "table.yaml"], "Ada: 0 points"),
        (["replay", "PP-GAME-1"], "15 facts hold"),
        (["replay", "PP-GAME-1", "--game", NAME, "--seat", "Ada"], "Basil: lay ?"),
        (["simulate", NAME, "--games", "4", "--jobs", "1"], "4 games"),
        (["simulate", NAME, "--games", "4", "--jobs", "2"], "4 games"),
        (["sheets", NAME, "--paper", "a4"], "print at 100 %"),
        (["export", "png", NAME], "24 pictures made"),
        (["preflight", NAME, "--paper", "a4", "--ink", "full"], "no findings"),
        (["build", NAME, "--paper", "a4", "--ink", "low"], "24 pictures and"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_every_command_finds_it_by_its_name(
    project: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """From any folder, as it finds one of ours."""
    assert main(arguments) == 0
    assert said in capsys.readouterr().out


def test_the_refusal_of_a_strangers_engine_is_told_like_ours(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the rule, its title and the number."""
    assert main(["why", NAME, "table.yaml", "lay queen"]) == 1
    assert "PP-PLAY-2, A full cat is slow: Ada is full" in capsys.readouterr().out


@pytest.mark.usefixtures("alone")
def test_without_a_name_it_is_one_of_all_games(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`check` and `build` mean the games that `games` lists."""
    write_game(Path("content/tiny"))

    assert all_games(Problems()) == [NAME, "tiny"]
    assert main(["check"]) == 0
    assert "Paw Prints: 9 of 9" in (told := capsys.readouterr().out) and "Tiny: 3 pieces" in told
    assert main(["build", "--paper", "a4", "--ink", "low"]) == 0
    assert {path.name for path in Path("output/sheets").iterdir()} == {NAME, "tiny"}


def test_it_is_found_without_running_any_of_its_code(project: Path) -> None:
    """Neither the package nor the engine is imported to list it, or to find its folder."""
    assert main(["games"]) == 0
    assert content_of(project) == find_game_folder(NAME)
    assert not [name for name in sys.modules if name.partition(".")[0] == PACKAGE]


def test_a_folder_of_ones_own_is_played_by_its_engine(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A designer names it in game.yaml; a name that is nearly right is asked about."""
    shutil.copytree(content_of(project), "owls")
    own = Path("owls/game.yaml")
    own.write_text(own.read_text("utf-8") + f"engine: {NAME}\n", encoding="utf-8")

    assert main(["check", "./owls"]) == 0
    assert "9 of 9 examples and playthroughs hold" in capsys.readouterr().out
    own.write_text(own.read_text("utf-8").replace("engine: paw-prints", "engine: paw-print"), encoding="utf-8")
    assert main(["check", "./owls"]) == 1
    assert 'there is no engine "paw-print"; did you mean "paw-prints"?' in capsys.readouterr().err


def test_a_game_of_ones_own_comes_first(project: Path) -> None:
    """./content/NAME hides an installed game, as it hides one of ours."""
    write_game(Path("content") / NAME)

    assert Path("content") / NAME == find_game_folder(NAME)


def test_its_package_may_be_a_namespace(project: Path) -> None:
    """A package without `__init__.py` has no place of its own, and may have several."""
    (engine_of(project).parent / "__init__.py").unlink()

    assert content_of(project) == find_game_folder(NAME)
    assert find_game(NAME) is not None


def test_a_build_notices_that_the_engine_has_changed(project: Path) -> None:
    """What it says may be on pages. Of our own games nothing has changed then."""
    ours = find_game_folder("were-kittens")
    before = [*Order([content_of(project), ours]).keys().values()]
    engine_of(project).write_text(engine_of(project).read_text("utf-8") + "\n# changed\n", encoding="utf-8")
    after = [*Order([content_of(project), ours]).keys().values()]

    assert before[0] != after[0]
    assert before[1] == after[1]


def test_what_is_no_file_beside_its_code_is_passed_over(project: Path) -> None:
    """A folder that is called like a module, and a link to nothing."""
    (engine_of(project).parent / "folder.py").mkdir()
    (engine_of(project).parent / "nothing.py").symlink_to("nowhere")

    assert Order([content_of(project)]).keys()


def test_a_content_folder_that_cannot_be_read_is_told(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the distribution; whoever lists all games is told of it too, and checks the others."""
    is_file = Path.is_file

    def closed(path: Path) -> bool:
        if path == content_of(project) / "game.yaml":
            raise PermissionError(13, "Permission denied", str(path))
        return is_file(path)

    monkeypatch.setattr(Path, "is_file", closed)

    assert main(["check", NAME]) == 1
    assert f"{BY}: {content_of(project)} cannot be read: Permission denied" in capsys.readouterr().err


def test_a_new_game_does_not_take_its_name(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", NAME]) == 1
    assert f'a game called "{NAME}" comes with {BY}; choose another name' in capsys.readouterr().err


def test_our_own_games_need_no_look_at_what_is_installed() -> None:
    """Neither `--help` nor `check` of one of ours reads the distributions."""
    script = (
        "import sys; from grimalkin.cli import main\ntry: main(sys.argv[1:])\nexcept SystemExit: pass\n"
        "assert 'importlib.metadata' not in sys.modules or not sys.modules['grimalkin.engine.outside']"
        "._listed.cache_info().misses"
    )
    for arguments in (["--help"], ["check", "were-kittens"], ["why", "--help"]):
        subprocess.run([sys.executable, "-c", script, *arguments], check=True, capture_output=True)


@pytest.mark.parametrize("name", ["outside", "--init--", "werecats.bots"])
def test_only_games_are_games_of_ours(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What lies beside them or in them is none, and a designer may call a game so if its name can be one."""
    folder = write_game(tmp_path / name)

    assert find_game(name) is None
    assert main(["check", str(folder)]) == int(name != "outside")
    assert ("Tiny: 3 pieces" if name == "outside" else "cannot be called") in "".join(capsys.readouterr())


@pytest.mark.skipif(os.name == "nt", reason="making links needs another right on Windows")
def test_a_linked_folder_is_the_game_that_the_link_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By that name it was found, so by that name it has its engine, whatever the folder is called elsewhere."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(find_game_folder("were-kittens"), "kit")
    Path("content").mkdir()
    Path("content/were-kittens").symlink_to(tmp_path / "kit")

    assert main(["check", "were-kittens"]) == 0
    assert "prohibitions refuse a move in one" in capsys.readouterr().out


# Installed wrongly


def offers(tmp_path: Path, points: dict[str, str]) -> None:
    distribution(tmp_path / "site", "other", points)
    forget()


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ({"owls": "owls.engine"}, 'the entry point "owls = owls.engine" names the package owls, which does not exist'),
        ({"owls": "table"}, 'the entry point "owls = table" names table, which is a single file; make it a package'),
        ({"owls": f"{PACKAGE}.engine"}, 'the game "owls" has no game.yaml in'),
        ({"owls": f"{PACKAGE}.engine:Game"}, "does not name a module; write it as my_game.engine"),
        ({"Owls!": f"{PACKAGE}.engine"}, "has a name that no game can have; use small letters, digits and hyphens"),
        ({"were-kittens": f"{PACKAGE}.engine"}, "has the name of a game that comes with Grimalkin"),
        ({NAME: "owls.engine"}, f'offers the game "{NAME}", and so does'),
    ],
)
@pytest.mark.usefixtures("alone")
def test_what_is_offered_wrongly_is_told(
    project: Path, points: dict[str, str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the distribution; all other games are checked, and the exit code says that something is wrong."""
    write_game(Path("content/tiny"))
    (tmp_path / "site" / "table.py").write_text("", encoding="utf-8")
    offers(tmp_path, points)

    assert main(["check"]) == 1
    told = capsys.readouterr()
    assert "Traceback" not in told.err
    assert said in told.err and "other 0.1" in told.err
    assert "Tiny: 3 pieces" in told.out
    assert main(["check", "./content/tiny", *([] if NAME in points else [NAME])]) == 0


@pytest.mark.parametrize(
    ("command", "said"),
    [("build", "pages of a site"), ("preflight", "tiny: no findings")],
)
@pytest.mark.usefixtures("alone")
def test_what_is_offered_wrongly_keeps_nobody_from_the_rest(
    tmp_path: Path, command: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A designer builds their own game whatever is installed; what is wrong with that is told."""
    monkeypatch.chdir(tmp_path)
    write_game(Path("content/tiny"))
    distribution(tmp_path / "site", "other", {"were-kittens": "owls.engine"})
    with on_path(monkeypatch, str(tmp_path / "site")):
        assert main([command, "--paper", "a4", "--ink", "low"]) == 1
    told = capsys.readouterr()

    assert said in told.out
    assert "has the name of a game that comes with Grimalkin" in told.err and "nothing was changed" not in told.err


def test_a_game_that_two_offer_is_nobodys(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its name it is refused, with both distributions; a bundled game that somebody else offers too stays ours."""
    offers(tmp_path, {NAME: "owls.engine", "were-kittens": "owls.engine"})

    assert main(["check", NAME]) == 1
    told = capsys.readouterr().err
    assert "other 0.1" in told and BY in told and "uninstall one of the two" in told
    kittens = find_game("were-kittens")
    assert kittens is not None and "were-kittens" in bundled_games()
    assert (kittens.LAWS, find_game_folder("were-kittens").parent.name) == (kittens.LAWS, "content")


def test_what_cannot_be_read_hides_no_other(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A distribution whose entry points are no text, or no list; one that has nothing to do with us is passed over."""
    for name, text in (("mice", b"[grimalkin.games]\nmice\n"), ("rats", b"[rats]\nrats\n"), ("bats", b"\xff\xfe")):
        (distribution(tmp_path / "site", name, {}) / "entry_points.txt").write_bytes(text)
    forget()

    assert main(["check", NAME]) == 0
    assert main(["games"]) == 1
    assert outside.offered("fonts_ttf")
    told = capsys.readouterr()
    assert f"{NAME}  (from {BY})" in told.out
    assert [line for line in told.err.splitlines() if "cannot be read" in line] == told.err.splitlines() != []


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("del SEATS", "has no SEATS; it is two whole numbers, the fewest and the most seats, as in (2, 4)"),
        ("SEATS = (4, 2)", "has a SEATS of the wrong kind"),
        ("SEATS = [2, 4]", "has a SEATS of the wrong kind"),
        ("LAWS = ['PP-PLAY-1']", "has a LAWS of the wrong kind"),
        ("REFUSALS = 'PP-PLAY-1'", "has a REFUSALS of the wrong kind"),
        ("OPTIONS = {}", "has a OPTIONS of the wrong kind; it is a Record of grimalkin.engine.shape"),
        ("DRAWS = ['deal']", "has a DRAWS of the wrong kind"),
        ("SIMULATION = None", "has a SIMULATION of the wrong kind"),
        ("MOST_DECISIONS = True", "has a MOST_DECISIONS of the wrong kind"),
        ("BOTS = {}", "has a BOTS of the wrong kind"),
        ("BOTS = {'random': 1, 'sensible': 1}", "has a BOTS of the wrong kind"),
        ("del BOTS['random']", "has a BOTS of the wrong kind; it is a mapping from names to functions that make bots"),
        ("BOTS = {**BOTS, 1: BOTS['random']}", "has a BOTS of the wrong kind"),
        ("LAWS = {1: 2}", "has a LAWS of the wrong kind"),
        ("LAWS = {**LAWS, 'PP-PLAY-1': 2}", "has a LAWS of the wrong kind"),
        ("REFUSALS = REFUSALS | {1}", "has a REFUSALS of the wrong kind"),
        ("DRAWS = {1: 2}", "has a DRAWS of the wrong kind"),
        ("DRAWS = {'deal': None}", "has a DRAWS of the wrong kind"),
        ("CHARTS = {'x': 1}", "has a CHARTS of the wrong kind"),
        ("CHARTS = []", "has a CHARTS of the wrong kind"),
        ("ROLES = 'yes'", "has a ROLES of the wrong kind"),
        ("seen = 3", "has a seen of the wrong kind"),
        ("doubts = 3", "has a doubts of the wrong kind"),
        *((f"del {name}", f"has no function {name}") for name in outside.functions()),
        ("load = 3", "has no function load"),
    ],
)
def test_a_module_that_lacks_something_is_told(
    project: Path, more: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is missing, or of another kind, and what would be right."""
    engine_of(project).write_text(f"{engine_of(project).read_text('utf-8')}\n{more}\n", encoding="utf-8")

    assert main(["check", NAME]) == 1
    assert f"{engine_of(project)}: {BY}: the engine {said}" in capsys.readouterr().err


def test_a_module_may_check_the_pieces_of_a_game_that_nothing_plays_yet(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it finds wrong is told with its place."""
    checks = "\n".join(
        [
            "from grimalkin.engine.shape import Misfit",
            "PLAYS = False",
            "def check_facts(facts):",
            "    return [Misfit(('components', id_), 'too many') for id_ in facts['components']][:1]",
        ]
    )
    engine_of(project).write_text(checks, encoding="utf-8")

    assert main(["check", NAME, "--draft"]) == 1
    told = capsys.readouterr().err
    assert ": too many" in told and "has no" not in told


def test_a_module_that_checks_nothing_and_plays_nothing_is_told(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It needs `check_facts`, and nothing else."""
    engine_of(project).write_text("PLAYS = False\n", encoding="utf-8")

    assert main(["check", NAME, "--draft"]) == 1
    told = capsys.readouterr().err
    assert "the engine has no function check_facts" in told and "SEATS" not in told


def test_a_game_of_ours_that_lacks_something_is_told_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever adds one to those that come along is told what a stranger is told."""
    games._ours.cache_clear()
    with monkeypatch.context() as patch:
        patch.delattr(importlib.import_module("grimalkin.games.were_kittens"), "tally")
        for command in ("check", "games"):
            assert main([command, "were-kittens"]) == 1
            assert "were_kittens/__init__.py: the engine has no function tally" in capsys.readouterr().err
    assert find_game("were-kittens") is not None


def test_everything_a_module_lacks_is_told_at_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A module with nothing in it has all functions and tables to go."""
    engine_of(project).write_text("", encoding="utf-8")

    assert main(["check", NAME]) == 1
    assert len(outside.functions()) + len(outside.KINDS) == capsys.readouterr().err.count("the engine has no ")


def test_what_a_module_must_have_is_the_contract() -> None:
    """The tables that are looked at, and the functions, are those of the protocol."""
    members = {name for name in vars(GameOf) if not name.startswith("_")}

    assert members == {*outside.KINDS, *outside.functions()}


# Engines that fail

FAULTS = {
    "an error": "ZeroDivisionError('no cats left')",
    "an end": "SystemExit(0)",
    "a closed generator": "GeneratorExit",
    "a loop": "RecursionError('too deep')",
    "a disk": "OSError(2, 'no such mouse')",
    "none of Exception": "type('Hiss', (BaseException,), {})('go away')",
    "none that can say it": "type('Mute', (Exception,), {'__str__': lambda self: 1 / 0})()",
    "none that travels": "type('Stuck', (Exception,), {'__init__': lambda self, one, two: None})(1, 2)",
}
PLACES = {
    "import": None,
    "check_facts": "check",
    "position_shape": "check",
    "start": "check",
    "load": "check",
    "read": "check",
    "write": "check",
    "State.apply": "check",
    "State.legal": "check",
    "State.why_not": "check",
    "State.score": "check",
    "State.result": "check",
    "State.position": "check",
    "State.clone": "check",
    "State.to_act": "check",
    "State.turn_key": "check",
    "State.view": "simulate",
    "tally": "simulate",
}


ANSWERS = ("None", "3", "'x'", "[3]")


def break_engine(project: Path, where: str, raised: str) -> int:
    """Make the engine raise something at a place. Returns the line of the fault."""
    text = engine_of(project).read_text("utf-8")
    line = text.count("\n") + 3
    if where == "import":
        text += f"\n\nraise {raised}\n"
    else:
        text += f"\ndef broken(*_, **__):\n    raise {raised}\n\n{where} = broken\n"
    engine_of(project).write_text(text, encoding="utf-8")
    return line


@sampled(("where", "fault"), product(PLACES, FAULTS), 48)
def test_an_engine_that_raises_is_told(
    project: Path, where: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever it raises and wherever: the distribution, the line of its code, no traceback, exit code 1."""
    line = break_engine(project, where, FAULTS[fault])
    command = PLACES[where] or "check"

    assert main([command, NAME, *(["--games", "2", "--jobs", "1"] if command == "simulate" else [])]) == 1
    told = capsys.readouterr().err
    assert "Traceback" not in told
    assert BY in told
    assert f"engine.py:{line}: " in told or f"(engine.py, line {line})" in told


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_simulation_survives_any_engine(
    project: Path, fault: str, jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In processes of its own too, whatever may not travel from one to the other."""
    line = break_engine(project, "State.view", FAULTS[fault])

    assert main(["simulate", NAME, "--games", "4", "--jobs", jobs]) == 1
    told = capsys.readouterr().err
    assert "Traceback" not in told
    assert f"{BY}: game " in told and f"(engine.py, line {line})" in told


@pytest.mark.parametrize(
    ("where", "fault"),
    [
        ("State.score", "an error"),
        ("State.score", "none of Exception"),
        ("check_facts", "none that travels"),
        ("import", "an end"),
    ],
)
@pytest.mark.usefixtures("alone")
def test_other_games_still_work(project: Path, where: str, fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The others are checked; a build of all is refused and leaves the last good output, one of the others works."""
    write_game(Path("content/tiny"))
    some = ["--paper", "a4", "--ink", "low"]
    assert main(["build", "tiny", *some]) == 0
    assert find_game(NAME) is not None
    before = {path: path.read_bytes() for path in Path("output").rglob("*") if path.is_file()}
    break_engine(project, where, FAULTS[fault])
    sys.modules.pop(f"{PACKAGE}.engine")
    capsys.readouterr()

    assert main(["check"]) == 1
    told = capsys.readouterr()
    assert "Tiny: 3 pieces" in told.out and BY in told.err
    assert main(["build", *some]) == 1
    assert "nothing was changed" in (told := capsys.readouterr()).err and "Traceback" not in told.err
    assert before == {path: path.read_bytes() for path in Path("output").rglob("*") if path.is_file()}
    assert main(["build", "tiny", *some]) == 0


IN_PAGES = """
import sys


class Stuck(Exception):
    def __init__(self, one, two):
        pass


def shape(facts, real=position_shape):
    frame = sys._getframe()
    while frame := frame.f_back:
        if frame.f_globals["__name__"].startswith("grimalkin.site.pages"):
            raise Stuck(1, 2)
    return real(facts)


position_shape = shape
"""


@pytest.mark.usefixtures("alone")
def test_doubts_that_fail_keep_no_other_game_from_its_check(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are asked for after all else is proved."""
    write_game(Path("content/tiny"))
    line = break_engine(project, "doubts", FAULTS["an error"])

    assert main(["check"]) == 1
    told = capsys.readouterr()
    assert f"engine.py:{line}: " in told.err
    assert "Tiny" in told.out


@pytest.mark.parametrize("others", [[], ["tiny"]], ids=["alone", "beside another"])
def test_an_engine_that_fails_while_pages_are_made_is_told(
    project: Path, others: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """In a process of its own too, where its exceptions cannot travel. Nothing is built."""
    write_game(Path("content/tiny"))
    text = engine_of(project).read_text("utf-8")
    engine_of(project).write_text(text + IN_PAGES, encoding="utf-8")

    assert main(["build", NAME, *others, "--paper", "a4", "--ink", "low"]) == 1
    told = capsys.readouterr().err
    assert "Traceback" not in told
    assert f'engine.py:{text.count(chr(10)) + 14}: {BY}: the engine of "{NAME}" fails: Stuck' in told
    assert not Path("output/site").exists()


def test_a_broken_game_is_in_no_way_of_a_replay(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An id is looked for in all games; that one is broken is told when none has it."""
    break_engine(project, "load", FAULTS["an error"])

    assert main(["replay", "WK-PLAY-1"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["replay", "WK-PLAY-0"]) == 1
    told = capsys.readouterr().err
    assert BY in told and 'there is no playthrough or example with this id; did you mean "WK-PLAY-1"?' in told


def test_ctrl_c_is_no_fault_of_an_engine(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever stops a command while the engine thinks has stopped it."""
    break_engine(project, "State.score", "KeyboardInterrupt")

    assert main(["check", NAME]) == 130
    assert capsys.readouterr().err == "stopped\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import no_such_library", "cannot be imported: ModuleNotFoundError: No module named 'no_such_library'"),
        ("def f(:", "cannot be imported: SyntaxError: invalid syntax"),
        ("from paw_prints import nothing", "cannot be imported: ImportError: cannot import name 'nothing'"),
        ("import json; json.loads('[')", "fails: JSONDecodeError: Expecting value"),
    ],
)
def test_a_module_that_cannot_be_imported_is_told(
    project: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the line that it is about, also when the fault is raised in somebody else's code."""
    engine_of(project).write_text(f"# a comment\n{text}\n", encoding="utf-8")

    assert main(["check", NAME]) == 1
    assert f'engine.py:2: {BY}: the engine of "{NAME}" {said}' in capsys.readouterr().err


def test_an_engine_that_is_no_text_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Python does not say which file it was."""
    engine_of(project).write_bytes(b"a = 1\0")

    assert main(["check", NAME]) == 1
    told = capsys.readouterr().err
    assert f'{BY}: the engine of "{NAME}" cannot be imported: source code' in told
    assert f"a file in {engine_of(project).parent} is not a text file" in told


@pytest.mark.parametrize("text", [b"[grimalkin.games]\nowls\n", b"\xff\xfe = y"])
def test_entry_points_that_cannot_be_read_are_told(
    project: Path, tmp_path: Path, text: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the distribution and what would be right; other games are found all the same."""
    (distribution(tmp_path / "site", "other", {}) / "entry_points.txt").write_bytes(text)
    forget()

    assert main(["games"]) == 1
    told = capsys.readouterr()
    assert "the entry points of other 0.1 cannot be read; its entry_points.txt has lines such as" in told.err
    assert NAME in told.out


def test_a_module_that_is_not_there_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the entry point that names it, and where it was looked for."""
    engine_of(project).rename(engine_of(project).with_name("motor.py"))

    assert main(["check", NAME]) == 1
    told = capsys.readouterr().err
    assert f'{BY}: the entry point "{NAME} = {PACKAGE}.engine" names the module {PACKAGE}.engine' in told
    assert str(engine_of(project).parent) in told


@sampled(("where", "answer"), product((place for place in PLACES if PLACES[place] == "check"), ANSWERS), 20)
def test_an_answer_that_cannot_be_used_is_told(
    project: Path, where: str, answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some answers do for a while. None ends with a traceback, and what fails names the distribution."""
    text = engine_of(project).read_text("utf-8")
    engine_of(project).write_text(f"{text}\n{where} = lambda *_, **__: {answer}\n", encoding="utf-8")
    codes = [main([*command, NAME]) for command in (["check"], ["simulate", "--games", "2", "--jobs", "1"])]
    told = capsys.readouterr().err

    assert set(codes) <= {0, 1}
    assert codes == [0, 0] or told
    assert "Traceback" not in told


def test_a_fault_of_ours_is_not_put_down_to_an_engine(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What breaks while a game without a stranger's engine is read is raised as it is."""
    assert find_game(NAME) is not None
    monkeypatch.setattr("grimalkin.content.loader.CHECKS", [lambda *_: 1 / 0])

    with pytest.raises(ZeroDivisionError):
        load_game(write_game(Path("content/tiny")), Problems())
    with pytest.raises(Stop):
        find_game_folder("no-such-game")


# From Python


TOLD: Mapping[str, Callable[[grimalkin.Table], object]] = {
    "State.apply": lambda table: table.play(table.legal()[0]),
    "State.legal": lambda table: table.legal(),
    "write": lambda table: table.legal(),
    "read": lambda table: table.why_not("x"),
    "State.why_not": lambda table: table.why_not(table.legal()[0]),
    "State.to_act": lambda table: table.to_act,
    "State.score": lambda table: table.score(),
    "State.result": lambda table: table.result(),
    "State.position": lambda table: table.position(),
    "State.clone": lambda table: table.clone(),
    "seen": lambda table: table.seen(table.seats[0]),
    "doubts": lambda table: table.doubts(),
    "start": lambda table: table.game.start(table.seats, seed=1),
    "load": lambda table: table.game.table({}),
}
"""What a program asks of a table, by what of the engine then fails."""


@pytest.mark.parametrize("raised", ["SystemExit(0)", "ValueError('a mouse')", "type('Hiss', (BaseException,), {})('')"])
@pytest.mark.parametrize("where", TOLD)
def test_a_table_tells_an_engine_that_raises(project: Path, where: str, raised: str) -> None:
    """Nothing that the engine raises comes out raw, or ends the program that asks; its table can still be shown."""
    game = grimalkin.open(NAME)
    table = game.start(["Ada", "Basil"], seed=1)
    name = where.removeprefix("State.")
    home = game.module if where == name else type(table._state)
    code = compile(f"def broken(*_, **__):\n    raise {raised}\n", str(engine_of(project)), "exec")
    scope: dict[str, Any] = {}
    exec(code, scope)
    setattr(home, name, scope["broken"])
    with pytest.raises(Stop) as told:
        TOLD[where](table)

    assert BY in str(told.value)
    assert "engine.py:2: " in str(told.value)
    assert repr(table).startswith("<Table of ")


@pytest.mark.parametrize("where", ["start", "load", "State.clone", "State.to_act", "State.legal", "State.score"])
def test_a_table_tells_an_engine_that_answers_nothing(project: Path, where: str) -> None:
    """None where something is asked for is told with the distribution."""
    game = grimalkin.open(NAME)
    table = game.start(["Ada", "Basil"], seed=1)
    name = where.removeprefix("State.")
    setattr(game.module if where == name else type(table._state), name, lambda *_, **__: None)

    with pytest.raises(Stop, match=f'{BY}: the engine of "{NAME}" returned a value that cannot be used'):
        TOLD[where](table)


def test_a_table_raises_what_it_promises(project: Path) -> None:
    """What an engine raises by its contract is no fault of it, nor is what a program asks wrongly."""
    game = grimalkin.open(NAME)
    table = game.start(["Ada", "Basil"], seed=1)
    with pytest.raises(grimalkin.NotAMove):
        table.play("fly to the moon")
    with pytest.raises(grimalkin.Misfits):
        game.start(["Ada"] * 99)
    with pytest.raises(ValueError, match="has no seat"):
        table.seen("Nobody")


# Python in a folder of content


def test_python_in_a_folder_of_content_is_never_run(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever it is called, wherever it lies: of an installed game, of a designer's folder, of the current one."""
    ran = tmp_path / "ran"
    evil = f"import pathlib; pathlib.Path({str(ran)!r}).touch()\n"
    own = write_game(Path("tiny"))
    for folder in (own, content_of(project), Path()):
        for name in ("__init__", "engine", "tiny", "conftest", "setup", "sitecustomize", "usercustomize", "yaml"):
            (folder / f"{name}.py").write_text(evil, encoding="utf-8")
        for inside in ("faces", "icons", "examples", "grimalkin"):
            (folder / inside).mkdir(exist_ok=True)
        for name in ("faces/__init__.py", "icons/engine.py", "grimalkin/__init__.py"):
            (folder / name).write_text(evil, encoding="utf-8")
        (folder / "evil.pth").write_text(evil, encoding="utf-8")
        distribution(folder, "evil", {"tiny": "engine", NAME: "engine"})
    shutil.copytree("evil-0.1.dist-info", own / "tiny.egg-info")
    paths = os.pathsep.join([*sys.path[:2], str(Path(__file__).parent.parent / "generator")])
    for command in (["check", "./tiny"], ["check", NAME], ["sheets", "./tiny", "--paper", "a4"], ["games"]):
        done = subprocess.run(
            [sys.executable, "-P", "-m", "grimalkin", *command],
            env={**os.environ, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
    assert not ran.exists()


def test_a_part_from_outside_brings_a_page_and_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the skeleton has them: the page is in the menu and on the overview, and `--help` lists the command."""
    monkeypatch.chdir(tmp_path)
    with on_path(monkeypatch, *install(skeleton(tmp_path), tmp_path / "site")):
        assert main(["build", NAME, "--output", "out"]) == 0
        page = (tmp_path / "out" / "site" / NAME / "strength.html").read_text("utf-8")
        overview = (tmp_path / "out" / "site" / NAME / "index.html").read_text("utf-8")
        capsys.readouterr()
        assert main([f"deal-{NAME}", "--seed", "3"]) == 0
        dealt = capsys.readouterr().out

    assert ["0\u00a0%", "100\u00a0%"] == [re.findall(r"\d+\u00a0%", page)[at] for at in (0, -1)]
    assert "How strong is each cat?" in overview
    assert "strength.html" in overview
    assert ["Ada", "Basil"] == [line.partition(":")[0] for line in dealt.splitlines()]
    assert all(line.count(",") == 2 for line in dealt.splitlines())


def test_a_part_from_outside_that_fails_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its distribution, whatever it raises."""
    project = skeleton(tmp_path)
    (project / "src" / PACKAGE / "part" / "pages.py").write_text("1 / 0\n", encoding="utf-8")
    with on_path(monkeypatch, *install(project, tmp_path / "site")), pytest.raises(Stop) as stop:
        brought_to("pages")

    assert [f"{NAME} 0.1: its part {PACKAGE}.part.pages cannot be imported: ZeroDivisionError: division by zero"] == [
        str(problem).partition(";")[0] for problem in stop.value.problems
    ]


def test_a_part_from_outside_has_a_kind_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes no page of ours away."""
    project = skeleton(tmp_path)
    pages = project / "src" / PACKAGE / "part" / "pages.py"
    pages.write_text(re.sub("(?m)^KIND = .*", 'KIND = "odds"', pages.read_text("utf-8")), encoding="utf-8")
    with on_path(monkeypatch, *install(project, tmp_path / "site")), pytest.raises(Stop) as stop:
        brought_to("pages")

    assert [
        f'{NAME} 0.1: its part {PACKAGE}.part.pages has the kind "odds", which grimalkin.parts.odds.pages already has'
    ] == [str(problem).partition(";")[0] for problem in stop.value.problems]


def test_a_build_depends_on_the_code_of_parts_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their pages are in every game's site, so a changed part makes it anew."""
    project = skeleton(tmp_path)
    game = find_game_folder("were-kittens")  # one of ours, to which no engine from outside matters
    code = project / "src" / PACKAGE / "part" / "pages.py"
    places = install(project, tmp_path / "site")
    keys = []
    for line in ("", "", "# changed\n"):
        code.write_text(code.read_text("utf-8") + line, encoding="utf-8")
        with on_path(monkeypatch, *places):
            keys.append(Order([game]).key())

    assert keys[0] == keys[1] != keys[2]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("1 / 0\n", f"its part {PACKAGE}.part.cli cannot be imported: ZeroDivisionError: division by zero"),
        ("COMMANDS = ()\n", f"its part {PACKAGE}.part.cli has no add"),
        ('COMMANDS = ("build",)\nadd = print\n', "another part already has the command build"),
    ],
    ids=["raises", "lacks a name", "takes a name of ours"],
)
def test_commands_from_outside_that_are_of_no_use_stop_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, fault: str
) -> None:
    """The fault is printed, and all other commands are there."""
    project = skeleton(tmp_path)
    (project / "src" / PACKAGE / "part" / "cli.py").write_text(text, encoding="utf-8")
    with on_path(monkeypatch, *install(project, tmp_path / "site")):
        with pytest.raises(SystemExit) as stop:
            main(["--help"])
        assert main(["games"]) == 0
    said = capsys.readouterr()

    assert stop.value.code == 0
    assert fault in said.err
    assert "Replay every example" in said.out
    assert said.err.count("\n") == 1
