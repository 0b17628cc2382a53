"""Try the built wheel alone: in a clean environment, in an empty folder, with no repository in sight.

Run by `make wheel` with the folder that holds the wheel. Prints what it tried; leaves with 1 when something fails.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

PLAY = """
import sys
sys.path.insert(0, {site!r})
import random, time
begun = time.perf_counter()
import grimalkin
game = grimalkin.open({name!r})
table = game.start(["Ada", "Basil", "Cleo", "Dora"][: game.seats[0]], game.module.SIMULATION, seed=1)
first = table.legal()[0]
assert table.why_not(first) is None
took = time.perf_counter() - begun
moves = 0
while table.to_act:
    table.play(random.Random(moves).choice(table.legal()))
    moves += 1
outside = sorted(n for n in sys.modules if n.partition(".")[0] in ("pydantic", "yaml", "reportlab", "jinja2", "lxml"))
assert not outside, outside
print(f"{{moves}} moves, {{table.result().winners}} won; the first answer took {{took * 1000:.0f}} ms")
"""
SAME = """
import json
import grimalkin.play.table
ready = {{path.stem: json.loads(path.read_bytes()) for path in grimalkin.play.table.READY.glob("*.json")}}
made = grimalkin.play.table.ready_facts(grimalkin.play.table.READY.parent / "content")
assert ready == json.loads(json.dumps(made)), "the facts in the wheel are not those of its content"
assert sorted(ready) == {games!r}, sorted(ready)
"""
PLAYED = "from grimalkin.games import find_game; print(find_game({name!r}) is not None)"
"""Whether a game has an engine, as a draft may not yet have."""


def main(folder: Path) -> None:
    wheel = max(folder.glob("grimalkin-*.whl"), key=lambda path: path.stat().st_mtime)
    with tempfile.TemporaryDirectory() as name:
        empty = Path(name) / "empty"
        empty.mkdir()
        home = Path(name) / "venv"
        venv.create(home)
        binaries = home / ("Scripts" if os.name == "nt" else "bin")
        clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}

        def run(*command: object, code: int = 0) -> str:
            shown = [Path(str(part)).name for part in command if "\n" not in str(part) and ";" not in str(part)]
            print("  $", *shown)
            done = subprocess.run([str(part) for part in command], cwd=empty, env=clean, capture_output=True, text=True)
            if done.returncode != code:
                sys.exit(f"{done.stdout}\n{done.stderr}\nthe wheel does not work: {' '.join(map(str, command))}")
            return done.stderr if code else done.stdout

        print(f"trying {wheel.name} alone")
        pip = (sys.executable, "-m", "pip", "--python", home, "install", "--quiet", "--no-compile")
        run(*pip, wheel.resolve())
        games = run(binaries / "grimalkin", "games").split()
        assert "were-kittens" in games, games
        run(binaries / "grimalkin", "build", "were-kittens")
        for path in (
            "sheets/were-kittens/were-kittens-a4.pdf",
            "cards/were-kittens/penny-front.png",
            "site/index.html",
        ):
            assert (empty / "output" / path).stat().st_size > 1000, path
        run(binaries / "grimalkin", "check")
        run(binaries / "grimalkin", "new", "alley")
        run(binaries / "grimalkin", "sheets", "./alley", "--paper", "both", "--ink", "low")
        run(binaries / "grimalkin", "export", "tts", "./alley")
        needy = {
            "dxf": ("sheets", "were-kittens", "--paper", "a4", "--cutter", "silhouette"),
            "pdf": ("preflight", "./alley", "--ink", "full", "--paper", "a4"),
        }
        for extra, command in needy.items():
            told = run(binaries / "grimalkin", *command, code=1)
            assert f'pip install "grimalkin[{extra}]"' in told, told
            run(*pip, f"grimalkin[{extra}] @ {wheel.resolve().as_uri()}")
            run(binaries / "grimalkin", *command)
        assert (empty / "output" / "print" / "alley" / "alley-both-low.pdf").stat().st_size > 1000
        run(binaries / "grimalkin", "new", "paw-prints", "--engine")
        for how in (["--editable"], []):  # the second takes the place of the first
            run(*pip, *how, "./paw-prints")
            assert "paw-prints  (from paw-prints 0.1)" in run(binaries / "grimalkin", "games").splitlines(), how
            run(binaries / "grimalkin", "check", "paw-prints")
            run(binaries / "grimalkin", "simulate", "paw-prints", "--games", "20", "--jobs", "2")
            run(binaries / "grimalkin", "test", "paw-prints")
        run(binaries / "grimalkin", "build", "paw-prints", "--paper", "a4", "--ink", "low")
        assert (empty / "output" / "site" / "paw-prints" / "index.html").stat().st_size > 1000
        site = run(binaries / "python", "-c", "import grimalkin; print(grimalkin.__path__[0])").strip()
        before = run(binaries / "python", "-c", f"import os; print(sorted(os.listdir({site + '/data/site'!r})))")
        assert "site_dir" not in before
        played = [game for game in games if run(binaries / "python", "-c", PLAYED.format(name=game)).strip() == "True"]
        assert "were-kittens" in played, played
        run(binaries / "python", "-c", SAME.format(games=played))
        for game in played:
            script = PLAY.format(site=str(Path(site).parent), name=game)
            print("   ", game, "on a bare Python:", run(binaries / "python", "-I", "-S", "-c", script).strip())
    print("the wheel works")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
