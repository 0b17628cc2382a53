"""Every part of the benchmarks runs, on as little as it takes: `make bench` is not run by CI."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "benchmarks"


@pytest.mark.slow("runs processes")
@pytest.mark.parametrize(
    "part",
    ["engine", "tricks", "squares", "cluster", "sheets", "cold", "pictures", "finished", "peers", "commands", "turns"],
)
def test_every_part_runs_once(part: str, tmp_path: Path) -> None:
    """On a page of cards, with the peers that are installed."""
    command = [sys.executable, str(BENCH / "run.py"), "--once", part, sys.executable]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    assert "|---" in done.stdout or "is not installed" in done.stdout


@pytest.mark.slow("runs processes")
def test_builds_of_two_versions_are_compared(tmp_path: Path) -> None:
    """Once, of this version with itself, with the smallest game."""
    command = [sys.executable, str(BENCH / "builds.py"), sys.executable, sys.executable, "--once"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    for job in ("check", "nothing changed", "new game", "one cell changed", "build of the five games"):
        assert job in done.stdout


def test_the_parts_are_all_named() -> None:
    """Those that run.py lists are those that are tried."""
    listed = (BENCH / "run.py").read_text(encoding="utf-8").partition("Words choose parts: ")[2].partition(".")[0]
    tried = test_every_part_runs_once.pytestmark[0].args[1]

    assert listed.split(", ") == tried
