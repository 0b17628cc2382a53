"""`grimalkin new --engine`: a Python project that is whole, and works once it is installed, from any folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from distributions import NAME, PACKAGE, content_of, engine_of, install, on_path, skeleton

import grimalkin
from grimalkin.cli import main
from grimalkin.source import data_folder
from grimalkin.testing import CHECKS, Setting, facts_of, promises
from grimalkin.testing.checks import ONCE, fresh_processes_agree

pytestmark = [pytest.mark.slow("processes run what is installed"), pytest.mark.usefixtures("short_guide")]

POSITION = """\
full: Ada
seats:
  Ada: {hand: [poet, queen]}
  Basil: {hand: [thief, baker]}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_project_is_whole_and_has_a_name_of_its_own(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Content, engine, tests, what installs it and what to do next; nothing is left of the skeleton's own names."""
    assert main(["new", "owls-by-night", "--engine", "--title", 'Owls: "hoo"']) == 0
    folder = here / "owls-by-night"
    texts = (path for path in folder.rglob("*.*") if path.suffix != ".png")
    files = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in texts}
    content = "src/owls_by_night/content/owls-by-night"
    project = tomllib.loads(files["pyproject.toml"])["project"]
    said = capsys.readouterr().out

    assert {
        "README.md",
        "pyproject.toml",
        "src/owls_by_night/__init__.py",
        "src/owls_by_night/engine.py",
        "tests/test_engine.py",
        *(f"{content}/{name}" for name in ("game.yaml", "rules.yaml", "rulings.yaml", "terms.yaml", "cats.csv")),
        f"{content}/examples/suppers.yaml",
        f"{content}/playthroughs/the-captain-comes-last.yaml",
        f"{content}/faces/cat.svg.j2",
        f"{content}/icons/fish.svg",
        f"{content}/art/weathervane.svg",
    } <= set(files)
    assert not [name for name, text in files.items() if re.search(r"\bNG\b|New Game|new[-_]game", name + text)]
    assert ("owls-by-night", 'Owls: "hoo"') == (project["name"], project["description"])
    assert {
        "grimalkin.games": {"owls-by-night": "owls_by_night.engine"},
        "grimalkin.parts": {"owls-by-night": "owls_by_night.part"},
    } == project["entry-points"]
    assert "OBN-PLAY-2" in files["src/owls_by_night/engine.py"]
    assert 'gather("OBN", ' in files["src/owls_by_night/engine.py"]
    assert "pip install --editable ./owls-by-night pytest" in said


def test_what_is_installed_works_from_any_folder(here: Path) -> None:
    """In processes of their own, with a path such as an installation makes: every command, and the project's tests."""
    project = skeleton(here)
    places = [*install(project, here / "site"), str(Path(grimalkin.__file__).parent.parent)]
    elsewhere = here / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "table.yaml").write_text(POSITION, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(places), "PYTHONDONTWRITEBYTECODE": "1"}

    def run(*command: str, folder: Path = elsewhere, code: int = 0) -> str:
        done = subprocess.run([sys.executable, *command], cwd=folder, env=env, capture_output=True, text=True)
        assert code == done.returncode, done.stdout + done.stderr
        return done.stdout

    assert "9 of 9 rules and rulings are shown" in run("-m", "grimalkin", "check", NAME)
    assert "PP-PLAY-2" in run("-m", "grimalkin", "why", NAME, "table.yaml", "lay queen", code=1)
    assert "Win rate by seat" in run("-m", "grimalkin", "simulate", NAME, "--games", "20", "--jobs", "1")
    assert "24 pictures" in run("-m", "grimalkin", "build", NAME, "--paper", "a4", "--ink", "low")
    assert (elsewhere / "output" / "site" / NAME / "index.html").is_file()
    assert f"{len(CHECKS)} of {len(CHECKS)} promises are kept" in run("-m", "grimalkin", "test", NAME)
    assert " passed" in run("-m", "pytest", "-q", "-p", "no:cacheprovider", folder=project)


BREAKS = {
    "components_are_pieces_of_the_game",
    "positions_of_games_are_not_doubted",
    "what_is_seen_hides_what_is_hidden",
    "finished_games_are_counted",
    "bots_choose_legal_moves",
    "charts_can_be_made",
}


@pytest.mark.parametrize("answer", ["None", "1 / 0"])
def test_what_an_engine_raises_breaks_a_promise(
    here: Path, answer: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the line; and then the next promise is looked at. Nothing sends the reader to where they are."""
    project = skeleton(here)
    with engine_of(project).open("a", encoding="utf-8") as file:
        file.write(f"\n\ndef broken(*_):\n    return {answer}\n\n")
        file.write("check_facts = doubts = seen = tally = broken\nBOTS = dict.fromkeys(BOTS, lambda _: broken)\n")
        file.write("CHARTS = {'x': broken}\n")
    line = engine_of(project).read_text("utf-8").count("\n") - 4
    with on_path(monkeypatch, *install(project, here / "site")):
        assert main(["test", NAME]) == 1
    told = capsys.readouterr()

    assert set(re.findall(r"BROKEN  (\w+)", told.out)) == BREAKS
    assert len(CHECKS) - len(BREAKS) == told.out.count("kept  ")
    assert "grimalkin test" not in told.out + told.err
    assert answer == "None" or f"ZeroDivisionError: division by zero (engine.py, line {line})" in told.out


def test_a_broken_promise_is_told(here: Path) -> None:
    """By `grimalkin test`: which one, with how many seats and which seed, and what was expected."""
    project = skeleton(here)
    places = [*install(project, here / "site"), str(Path(grimalkin.__file__).parent.parent)]
    with engine_of(project).open("a", encoding="utf-8") as file:
        file.write("\nState.legal = lambda self: self.hands[self.to_act()][::-1] if self.to_act() != OVER else []\n")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(places), "PYTHONDONTWRITEBYTECODE": "1"}

    def testing(*arguments: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "grimalkin", "test", *arguments]
        done = subprocess.run(command, env=env, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    code, said = testing(NAME)
    assert code == 1
    assert "BROKEN  legal_moves_keep_a_fixed_order" in said
    assert "2 seats, seed 1: the order of the legal moves" in said
    assert "BROKEN  legal_moves_are_not_refused" in said
    assert "Traceback" not in said
    code, said = testing("owls")
    assert code == 1
    assert said.startswith(
        "owls: there is no game with this name; known here: cats-of-new-orleans, curses-and-covens, paw-prints, "
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("2-owls", 'a Python package cannot be called "2_owls"; begin with a letter'),
        ("class", 'a Python package cannot be called "class"'),
        ("random", 'a Python package cannot be called "random"; another package has this name'),
        ("pytest", 'a Python package cannot be called "pytest"; another package has this name'),
    ],
)
def test_a_name_that_no_package_can_have_is_told(
    here: Path, name: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game without an engine may be called so."""
    assert main(["new", name, "--engine"]) == 1
    assert said in capsys.readouterr().err
    assert list(here.iterdir()) == []
    assert main(["new", name]) == 0


def test_the_skeleton_is_typed_and_tidy(here: Path) -> None:
    """Whoever begins with it begins with code that our own checks have nothing against."""
    project = skeleton(here)
    root = Path(__file__).parent.parent
    env = {**os.environ, "MYPYPATH": os.pathsep.join([str(project / "src"), str(root / "generator")])}
    for command in (
        ["mypy", "--strict", "--cache-dir", str(root / ".mypy_cache"), str(engine_of(project))],
        ["ruff", "check", "--no-cache", "--isolated", "--line-length", "120", "--select", "E,F,W,B,UP,I", "."],
        ["ruff", "format", "--no-cache", "--isolated", "--line-length", "120", "--check", "."],
    ):
        done = subprocess.run([sys.executable, "-m", *command], cwd=project, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_looks_of_both_skeletons_are_the_same_files(here: Path) -> None:
    """They are kept once."""
    content = content_of(skeleton(here))
    for name in ("faces/cat.svg.j2", "faces/portrait.svg.j2", "icons/fish.svg", "art/roofs.png"):
        assert (data_folder("templates") / "new-game" / name).read_bytes() == (content / name).read_bytes()


def test_grimalkin_testing_needs_no_test_library() -> None:
    """An author may use any, or none; nothing but the standard library is imported until content is read."""
    script = (
        "import sys, grimalkin.testing\n"
        "top = {name.partition('.')[0] for name in sys.modules} - {'grimalkin'} - sys.stdlib_module_names\n"
        "print(sorted(name for name in top if not name.startswith('_')))"
    )
    env = {"PYTHONPATH": str(Path(grimalkin.__file__).parent.parent)}
    done = subprocess.run([sys.executable, "-S", "-c", script], env=env, capture_output=True, text=True, check=True)

    assert "[]\n" == done.stdout


def test_an_engine_brings_nothing_that_it_does_not_name(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What happens to lie beside it, as all that is installed does, is not imported unless `needs` names it."""
    project = skeleton(here)
    text = engine_of(project).read_text("utf-8")
    engine_of(project).write_text(text.replace("import sys\n", "import sys\n\nimport beside\n", 1), encoding="utf-8")
    (project / "src" / "beside.py").write_text("", encoding="utf-8")
    with on_path(monkeypatch, *install(project, here / "site")):
        facts = facts_of(NAME)
        setting = Setting(f"{PACKAGE}.engine", facts, 2, 1)
        with pytest.raises(AssertionError, match=r"beside is not in the standard library; Setting\.needs may name it"):
            fresh_processes_agree(setting)
        fresh_processes_agree(replace(setting, needs=("beside",)))
        named = promises(f"{PACKAGE}.engine", facts, seeds=(1, 2), needs=["beside"])

    assert isinstance(named, list)  # pytest takes no generator
    assert {("beside",)} == {promise.setting.needs for promise in named}
    assert len(set(map(str, named))) == len(named) == 3 * (2 * len(CHECKS) - len(ONCE))
