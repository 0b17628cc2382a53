"""One rule of a game broken at a time: its examples notice it, or its tests do.

`mutants/GAME.yaml` lists what is broken: the rule, a file below `grimalkin`, a text that stands in it once, and what
stands there instead. `mutants/house.yaml` does so for all else, and names the files of tests that notice it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml
from soak import sample

import grimalkin
from grimalkin.games import find_game
from grimalkin.source import data_folder

HERE = Path(__file__).parent
PACKAGE = Path(grimalkin.__file__).parent
GAMES = ("cats-of-new-orleans", "curses-and-covens", "were-kittens", "werecats", "wolf-mans-curse")
HOUSE = "house"
TRIED = 1
"""Of each game in an ordinary run; a soak tries all."""


def mutants(name: str) -> list[dict[str, Any]]:
    """The mutants of a game or of the house; none where nobody has listed any."""
    path = HERE / "mutants" / f"{name}.yaml"
    return yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else []


def planted(mutant: dict[str, Any]) -> str:
    """The text of its file with the rule broken."""
    return (PACKAGE / mutant["file"]).read_text(encoding="utf-8").replace(mutant["from"], mutant["to"])


def copy_of_package(folder: Path) -> Path:
    """A package to break, beside the content, the templates and the site that it reads."""
    copy = folder / "generator" / "grimalkin"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for beside in ("content", "templates", "site"):
        (folder / beside).symlink_to(data_folder(beside), target_is_directory=True)
    return copy


def passes(folder: Path, *command: str) -> bool:
    """Whether a command of Python with the copied package ends well."""
    env = {**os.environ, "PYTHONPATH": str(folder / "generator"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, *command], cwd=HERE.parent, env=env, capture_output=True, check=False)
    return done.returncode == 0


def pass_tests(folder: Path, files: Iterable[Path], *more: str) -> bool:
    """Whether the tests in some files pass with the copied package; with `--lf`, those that have failed with it."""
    cache = f"cache_dir={folder / 'cache'}"
    return passes(folder, "-m", "pytest", "-q", "-x", "-o", cache, *more, *map(str, files))


def is_noticed(name: str, folder: Path) -> bool:
    """Whether `grimalkin check` or the tests of the game notice the broken rule."""
    files = sorted((HERE / "games").glob(f"test_{name.partition('-')[0]}[_.]*"))
    return not (passes(folder, "-m", "grimalkin", "check", name) and pass_tests(folder, files))


@pytest.mark.parametrize("name", [*GAMES, HOUSE])
def test_every_mutant_breaks_one_text(name: str) -> None:
    """So that the list does not rot: the text is there, once; the rule is one of the engine's, the tests are there."""
    game = find_game(name)
    rotten = [
        mutant
        for mutant in mutants(name)
        if (PACKAGE / mutant["file"]).read_text(encoding="utf-8").count(mutant["from"]) != 1
        or mutant["from"] == mutant["to"]
        or not (mutant["rule"] in game.LAWS if game else all((HERE / file).is_file() for file in mutant["tests"]))
    ]

    assert [] == rotten


@pytest.mark.soak
@pytest.mark.slow("plays the examples of a game for every broken rule")
@pytest.mark.parametrize("name", GAMES)
def test_a_broken_rule_is_noticed(name: str, tmp_path: Path) -> None:
    """By `grimalkin check` or by the tests of the game; unbroken, the copy passes."""
    copy = copy_of_package(tmp_path)
    missed = []
    for mutant in sample(mutants(name), TRIED):
        (copy / mutant["file"]).write_text(planted(mutant), encoding="utf-8")
        if not is_noticed(name, tmp_path):
            missed.append(mutant)
        shutil.copyfile(PACKAGE / mutant["file"], copy / mutant["file"])

    assert [] == missed
    assert passes(tmp_path, "-m", "grimalkin", "check", name)


@pytest.mark.soak
@pytest.mark.slow("runs files of tests for every fault")
@pytest.mark.parametrize("fault", sample(mutants(HOUSE), TRIED), ids=lambda fault: fault["file"])
def test_a_fault_of_the_house_is_noticed(
    fault: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a test in one of the files that it names, as they are run every day; it passes when the copy is unbroken."""
    monkeypatch.setenv("GRIMALKIN_SOAK", "1")
    copy, files = copy_of_package(tmp_path), [HERE / file for file in fault["tests"]]
    (copy / fault["file"]).write_text(planted(fault), encoding="utf-8")

    assert not pass_tests(tmp_path, files)
    shutil.copyfile(PACKAGE / fault["file"], copy / fault["file"])
    assert pass_tests(tmp_path, files, "--lf")
