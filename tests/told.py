"""Reads what a text tells its reader to type, and types it: in a folder that was empty, as it is printed."""

from __future__ import annotations

import io
import re
import shlex
import shutil
from pathlib import Path
from textwrap import dedent
from typing import NoReturn

import pytest
import reference
from PIL import Image
from test_forms import GAME, filled_in

from grimalkin.cli import _parser, main
from grimalkin.source import data_folder

TOLD = re.compile(
    r"^[^\n]*`(?P<file>[\w./-]+\.\w+)`[^\n]*:\n\n```\w*\n(?P<fenced>.*?)^```$"
    r"|^[^\n]* in (?P<named>[\w.-]+\.yaml):\n(?P<indented>(?: +[^\n]+\n)+)"
    r"|^\$ (?P<asked>grimalkin [^\n]+)\n(?P<answer>(?:(?!\$ |```)[^\n]*\n)*)"
    r"|^ *(?P<line>grimalkin [^\n]+)$"
    r"|`(?P<inline>grimalkin [^`\n]+)`",
    re.DOTALL | re.MULTILINE,
)
"""A file that a sentence names, then its text; a command and its answer; a command alone; a command among words."""
CHANGED = (
    (r" --scheduler \S+", ""),  # no machine has this address; test_cluster.py plays on a cluster
    (r"^grimalkin simulate(?!.*--renew).*", r"\g<0> --games 1"),  # thousands take a while; a record says its own number
    (r"^grimalkin simulate.*", r"\g<0> --jobs 1"),  # processes take a second each to start
    (r"^grimalkin build --draft$", r"\g<0> ./my-game"),  # without a name it is all games, which take half a minute
    (r"^grimalkin preview.*", r"\g<0> --no-open"),  # no browser; Reader ends it when it is ready, as Ctrl-C does
)
"""What is changed in a few commands before they are run, and why."""
READINGS = "1.3\n-0.6\n-0.5\n0.5\n"
"""What is read on a calibration sheet, for `grimalkin printer measure`."""
NAMES = reference.commands(_parser())


class Reader:
    """Somebody with an empty folder, who types what a text tells."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys
        (folder / "reader").mkdir()
        monkeypatch.chdir(folder / "reader")
        monkeypatch.setenv("GRIMALKIN_CONFIG", str(folder / "settings"))
        monkeypatch.setattr("grimalkin.site.preview.server.Server.run", _interrupted)

    def follow(self, text: str) -> list[str]:
        """Do what a text tells, from top to bottom. Returns what did not come out as it says."""
        faults = []
        for told in TOLD.finditer(text):
            if name := told["file"] or told["named"]:
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                Path(name).write_text(told["fenced"] or dedent(told["indented"]), encoding="utf-8")
            elif not is_name(told):
                line = told["asked"] or told["line"] or told["inline"]
                prepare(line)
                code, said = self.run(line)
                refused = (told["answer"] or "").startswith("refused")
                if code != refused or (told["asked"] and said != told["answer"]):
                    faults.append(f"{line}: exit code {code}: {said}")
        return faults

    def run(self, line: str) -> tuple[int, str]:
        """The exit code and the output of a command as it is printed, but for CHANGED."""
        for pattern, changed in CHANGED:
            line = re.sub(pattern, changed, line)
        self.monkeypatch.setattr("sys.stdin", io.StringIO(READINGS))
        self.capsys.readouterr()
        try:
            code = main(shlex.split(line, comments=True)[1:])
        except SystemExit as stop:  # argparse leaves this way
            code = int(stop.code or 0)
        said = self.capsys.readouterr()
        return code, said.out + said.err


def _interrupted(_: object) -> NoReturn:
    raise KeyboardInterrupt


def is_name(told: re.Match[str]) -> bool:
    """Whether words only name a command, and tell nobody to type it."""
    return told["inline"] in NAMES


def prepare(line: str) -> None:
    """Do what a page tells in words to do before a command."""
    if "score-sheet-form.pdf" in line:  # "Open it in any viewer, type, go on with the tab key, and save."
        assert main(["sheets", "wolf-mans-curse", "--only", "score-sheet", "--no-cover"]) == 0
        form = Path("output", "print", "wolf-mans-curse", "score-sheet-form.pdf").read_bytes()
        Path("score-sheet-form.pdf").write_bytes(filled_in(form, GAME, shown=False))
    if "deck.xlsx" in line:  # a workbook of the reader's own
        shutil.copy(Path(__file__).parent / "tables" / "kinds.xlsx", "deck.xlsx")
    if "./postcards" in line:  # "Put a photograph into `art` and call it `roof.jpg`"
        shutil.copy(data_folder("site") / "docs" / "pictures" / "art" / "roof.jpg", Path("postcards", "art"))
    if "./cards" in line:  # "Take the folder `cards`"
        for name, colour in {"Owl (1OAw4l9R)": "navy", "Mouse (1wlrM7pN)": "gold", "back": "brown"}.items():
            Image.new("RGB", (816, 1110), colour).save(Path("cards", f"{name}.png"))
    if "./pictures" in line:  # "Put them into one folder"
        Path("pictures").mkdir(exist_ok=True)
        for number, name in enumerate(("guard", "old witch", "sketch", "back")):  # with 1/8 in of bleed on each side
            image = Image.new("RGB", (825, 1125), "white")
            image.paste("black", (0, 281 * number, 825, 281 * number + 281))  # preflight can tell them apart
            image.save(Path("pictures", f"{name}.png"))
    if "./my-kittens" in line:  # "copy the folder of a game, write `engine: were-kittens`"
        own = Path("my-kittens", "simulations.yaml").read_text(encoding="utf-8")
        shutil.copytree(data_folder("content") / "were-kittens", "my-kittens", dirs_exist_ok=True)
        Path("my-kittens", "simulations.yaml").write_text(own.replace("4000", "6"), encoding="utf-8")  # games take time
        with Path("my-kittens", "game.yaml").open("a", encoding="utf-8") as file:
            file.write("engine: were-kittens\n")
