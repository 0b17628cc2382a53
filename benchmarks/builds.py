"""Whole builds of two versions of Grimalkin in turns: seconds, seconds of CPU and peak memory, and the ratios.

    python benchmarks/builds.py OLD NEW [PART …] [--rounds 7] [--once]

OLD and NEW are the `bin/python` of environments, each with its version installed. The parts are:

    cold     the five games into an empty folder
    none     the same again, with nothing changed
    new      the game of `grimalkin new`, of 18 cards, into an empty folder
    cell     one cell of one card changed, in each of the games of CELLS, beside that game cold
    check    `grimalkin check`, with nothing kept from an earlier run, and with everything

The peak is that of the largest process. In a round, the two versions do the same job one after the other. `--once` does
everything once, with the smallest game, to see that it works.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
CONTENT = HERE.parent / "content"
SMALLEST = "were-kittens"
CELLS = {
    SMALLEST: ("coins.csv", "alt"),
    "werecats": ("villagers.csv", "flavour"),
    "curses-and-covens": ("townsfolk.csv", "line"),
    "cats-of-new-orleans": ("loot.csv", "line"),
}
"""The table and the column of each game in which a cell is changed."""
Run = dict[str, float]
FIGURES = {"seconds": "s", "cpu": "s of CPU", "peak": "peak MB"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", help="the Python of the version before")
    parser.add_argument("new", help="the Python of the version now")
    parser.add_argument("part", nargs="*", default=list(PARTS), help="the parts to measure (default: all)")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--once", action="store_true")
    options = parser.parse_args()
    for python in (options.old, options.new):
        if not shutil.which(python):
            parser.error(f"{python}: there is no such program; name the bin/python of an environment")
    for part in options.part:
        if part not in PARTS:
            parser.error(f"{part}: there is no such part; the parts are {', '.join(PARTS)}")
    print("| job | figure | old | new | ratio | from | to |\n|---|---|---:|---:|---:|---:|---:|", flush=True)
    for part in options.part:
        PARTS[part]([options.old, options.new], 1 if options.once else options.rounds, options.once)


def run(python: str, *arguments: str, folder: Path | None = None) -> Run:
    """Run a command of Grimalkin as a process of its own."""
    command = [sys.executable, "-I", "-S", str(HERE / "cold.py"), python, "-m", "grimalkin", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder)
    measured: Run = json.loads(done.stdout)
    assert measured["code"] == 0, arguments
    return measured


def tell(job: str, rounds: list[list[Run]]) -> None:
    """Print the medians of both sides and of their ratio, with the least and the greatest ratio."""
    for figure, unit in FIGURES.items():
        old, new = (statistics.median(one[side][figure] for one in rounds) for side in (0, 1))
        ratios = sorted(one[1][figure] / one[0][figure] for one in rounds)
        cells = f"{statistics.median(ratios):.2f} | {ratios[0]:.2f} | {ratios[-1]:.2f}"
        print(f"| {job} | {unit} | {old:.2f} | {new:.2f} | {cells} |", flush=True)


@contextmanager
def empty() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def cold(pythons: list[str], rounds: int, once: bool) -> None:
    games = [SMALLEST] if once else []
    taken = []
    for _ in range(rounds):
        with empty() as folder:
            taken.append([run(one, "build", *games, "--output", str(folder / str(at))) for at, one in sides(pythons)])
    tell("build of the five games", taken)


def none(pythons: list[str], rounds: int, once: bool) -> None:
    games = [SMALLEST] if once else []
    with empty() as folder:
        jobs = [(one, ["build", *games, "--output", str(folder / str(at))]) for at, one in sides(pythons)]
        for one, job in jobs:
            run(one, *job)
        tell("build, nothing changed", [[run(one, *job) for one, job in jobs] for _ in range(rounds)])


def new(pythons: list[str], rounds: int, once: bool) -> None:
    taken = []
    with empty() as folder:
        run(pythons[0], "new", "owls", folder=folder)
        for number in range(rounds + 1):
            outputs = [(one, folder / f"{at}-{number}") for at, one in sides(pythons)]
            taken.append([run(one, "build", "./owls", "--output", str(to), folder=folder) for one, to in outputs])
    tell("build of a new game", taken[min(1, rounds - 1) :])  # the first compiles templates


def cell(pythons: list[str], rounds: int, once: bool) -> None:
    for game, (table, column) in list(CELLS.items())[: 1 if once else None]:
        before, cold_ones = [], []
        with empty() as folder:
            shutil.copytree(CONTENT / game, folder / game)
            output = str(folder / "output")
            run(pythons[1], "build", f"./{game}", "--output", output, folder=folder)
            for number in range(rounds):
                change(folder / game / table, column, number)
                job = ["build", f"./{game}", "--output"]
                old = run(pythons[0], *job, str(folder / f"old-{number}"), folder=folder)
                fresh = run(pythons[1], *job, str(folder / f"new-{number}"), folder=folder)
                again = run(pythons[1], *job, output, folder=folder)
                before.append([old, again])
                cold_ones.append([fresh, again])
                assert same(folder / f"new-{number}", Path(output)), "the output is not that of a cold build"
        tell(f"{game}: one cell changed, beside old and cold", before)
        tell(f"{game}: one cell changed, beside new and cold", cold_ones)


def change(table: Path, column: str, seed: int) -> None:
    """Change one cell of a card drawn by lot: its last word comes first."""
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    at = rows[0].index(column)
    row = random.Random(seed).choice([row for row in rows[1:] if len(row[at].split()) > 1])
    *others, last = row[at].split()
    row[at] = " ".join([last, *others])
    with table.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def same(one: Path, other: Path) -> bool:
    """Return whether two outputs are the same, apart from hidden files and records of earlier builds."""
    files = [path for path in one.rglob("*") if path.is_file() and not path.relative_to(one).parts[0].startswith(".")]
    return bool(files) and all(
        (other / path.relative_to(one)).is_file() and (other / path.relative_to(one)).read_bytes() == path.read_bytes()
        for path in files
    )


def check(pythons: list[str], rounds: int, once: bool) -> None:
    """Check with nothing kept from an earlier run, then with everything."""
    games = [SMALLEST] if once else []
    for job, kept in (("check, nothing kept", "off"), ("check, nothing changed", "")):
        with empty() as folder:
            os.environ["GRIMALKIN_CACHE"] = kept or str(folder)
            runs = [[run(one, "check", *games) for one in pythons] for _ in range(rounds + (not once))]
        del os.environ["GRIMALKIN_CACHE"]
        tell(job, runs if once else runs[1:])


def sides(pythons: list[str]) -> list[tuple[int, str]]:
    return list(enumerate(pythons))


PARTS: dict[str, Callable[[list[str], int, bool], None]] = {
    "check": check, "none": none, "new": new, "cell": cell, "cold": cold,
}  # fmt: skip


if __name__ == "__main__":
    main()
