"""A disk that is full while a file is written: the file is named, the last good output stays, the next build succeeds.

A limit on the size of files stands for the full disk: the system then refuses a write just so, in the middle of a file.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from games_for_tests import FILES, write_game
from soak import sampled

from grimalkin.cli import main
from grimalkin.output.swap import JOURNAL, NEW, STATE

pytestmark = [
    pytest.mark.slow("a process builds for each file that finds no room"),
    pytest.mark.skipif(os.name == "nt", reason="Windows has no limit on the size of files"),
]

SCRIPT = """
import builtins, io, resource, sys
from grimalkin.cli import main

name, nth, *arguments = sys.argv[1:]
real, left = io.open, int(nth)

def limited(file, mode="r", *others, **more):
    global left
    meant = str(file).endswith(name) and mode[0] in "wx"
    left -= meant
    limit = 9 if meant and not left else resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    return real(file, mode, *others, **more)

io.open = builtins.open = limited
sys.exit(main(arguments))
"""
COMMAND = ("build", "./tiny", "--paper", "a4", "--ink", "low")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made-up game, built once. Tests leave it as it is."""
    table = tmp_path_factory.mktemp("built")
    write_game(table / "tiny")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(table)
        assert 0 == main(COMMAND)
    return table


@pytest.fixture
def table(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same for a test to build anew, with a card that has changed and notes of the user's."""
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    write_game(tmp_path / "tiny", cards_csv=FILES["cards.csv"].replace("Mouse", "Shrew"))
    (tmp_path / "output" / "site" / "notes.txt").write_text("mine")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def snapshot(output: Path) -> dict[str, bytes]:
    return {str(path.relative_to(output)): path.read_bytes() for path in output.rglob("*") if path.is_file()}


def run_full(*arguments: str) -> tuple[int, str]:
    """Exit code and errors of a command in a process of its own, and the name of a file that has no room."""
    done = subprocess.run([sys.executable, "-c", SCRIPT, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@sampled(
    ("name", "nth"),
    [
        ("sheets/tiny/tiny-a4-low.pdf", 1),
        ("site/tiny/rules.html", 1),
        ("site/tiny/downloads/tiny-a4-low.pdf", 1),
        ("site/assets/site.css", 2),  # made denser after mkdocs has copied it
        ("cards/tiny/mouse-front.png", 1),
        ("-low.json", 1),
        (STATE, 1),
        (JOURNAL, 2),
        (JOURNAL, 3),  # written anew with what is kept
    ],
    3,
)
def test_a_full_disk_names_the_file(table: Path, capsys: pytest.CaptureFixture[str], name: str, nth: int) -> None:
    """Whoever writes it."""
    before = snapshot(table / "output")
    code, err = run_full(name, str(nth), *COMMAND)

    assert 1 == code
    assert err.startswith(f"output/{NEW}/") and err.endswith(f"{name}: File too large\n")
    if (name, nth) != (JOURNAL, 3):
        assert before == snapshot(table / "output")
    assert 0 == main(COMMAND)
    assert "notes.txt was not made by Grimalkin; it is now output/kept/site/notes.txt" in capsys.readouterr().out
    assert "mine" == (table / "output" / "kept" / "site" / "notes.txt").read_text()
    assert "Shrew" in (table / "output" / "site" / "tiny" / "rules.html").read_text()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("tiny-a4.pdf", ("sheets", "./tiny", "--paper", "a4")),
        ("manifest.json", ("sheets", "./tiny", "--paper", "a4")),
        ("owl-front.png", ("export", "png", "./tiny", "--dpi", "36", "--jobs", "1")),
        ("tiny.zip", ("export", "zip", "./tiny")),
        ("order.txt", ("export", "mpc", "./tiny", "--jobs", "1")),
        ("calibration-a4-long.pdf", ("calibrate",)),
        ("schemas/rules.json", ("schema", "--output", "schemas")),
        ("my-game/game.yaml", ("new", "my-game")),
    ],
)
def test_every_command_that_writes_names_the_file(table: Path, name: str, arguments: tuple[str, ...]) -> None:
    """Not the disk alone."""
    code, err = run_full(name, "1", *arguments)

    assert 1 == code
    assert f"{name}: File too large\n" in err


def test_a_profile_that_has_no_room_is_named(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The profiles that were there stay."""
    monkeypatch.setenv("GRIMALKIN_CONFIG", str(table / "settings"))
    assert 0 == main(("printer", "set", "office", "--back-x", "1"))
    before = snapshot(table / "settings")
    code, err = run_full(".new", "1", "printer", "set", "office", "--back-x", "2")

    assert (1, True) == (code, ".new: File too large\n" in err)
    assert before == snapshot(table / "settings")
