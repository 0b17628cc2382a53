"""The guide's page about rules of one's own: whoever does what it tells, from top to bottom, has what it tells."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributions import install, on_path
from told import TOLD, Reader

import grimalkin
from grimalkin.source import data_folder

pytestmark = [pytest.mark.slow("does all that a page tells to do"), pytest.mark.usefixtures("short_guide")]

PAGE = data_folder("site") / "docs" / "guide" / "rules-of-your-own.md"
BLOCK = re.compile(r"(?P<before>[^\n]*)\n\n```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
NAMED = re.compile(r"`([\w./-]+\.(?:yaml|py|toml))`")


def blocks() -> Iterator[tuple[str, str, str]]:
    """The blocks of the page, each with its kind and with the file that was named last before it."""
    text = PAGE.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        names = NAMED.findall(text[: found.start("kind")].rpartition("\n## ")[2])
        whole = [name for name in names if name.startswith("src/") or name == "table.yaml"]
        yield found["kind"], whole[-1] if whole else "", found["text"]


def change(path: Path, diff: str) -> None:
    """What a diff without line numbers says, which must be about one place."""
    lines = diff.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line[0] in " -")
    new = "".join(line[1:] for line in lines if line[0] in " +")
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path.name}: {old}"
    path.write_text(text.replace(old, new), encoding="utf-8")


class Author:
    """Somebody who types what the page tells, in a folder that was empty."""

    def __init__(self, reader: Reader, folder: Path) -> None:
        self.reader = reader
        self.project = Path("fish-supper").absolute()
        self.site = folder / "site"
        self.run: list[str] = []
        """What was done, by the kinds of blocks."""

    def path(self, name: str) -> Path:
        return self.project / name if name.startswith("src/") else Path(name)

    def shell(self, line: str) -> None:
        """Type a line; those that are not ours in a process of their own."""
        if line.startswith("pip install --editable ./fish-supper"):
            places = install(self.project, self.site)
            sys.path[:0] = places
            os.environ["PYTHONPATH"] = os.pathsep.join([*places, str(Path(grimalkin.__file__).parent.parent)])
        elif line.startswith("grimalkin "):
            forget()
            code, said = self.reader.run(line)
            assert code == 0, f"{line}: {said}"
        else:
            words = line.split()
            words = [sys.executable, "-m", *(words[2:] if words[0] == "python" else words)]
            done = subprocess.run(words, capture_output=True, text=True)
            assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"

    def console(self, text: str) -> None:
        """Type what stands after each dollar: the answer is what stands below it."""
        for asked, answer in re.findall(r"^\$ ([^\n]+)\n((?:(?!\$ )[^\n]*\n)*)", text, re.MULTILINE):
            forget()
            assert answer == self.reader.run(asked)[1]

    def follow(self, kind: str, name: str, text: str) -> None:
        self.run.append(kind)
        if kind == "sh":
            for line in text.splitlines():
                self.shell(line)
        elif kind == "console":
            self.console(text)
        elif kind == "diff":
            change(self.path(name), text)
        elif kind == "yaml":
            with self.path(name).open("a", encoding="utf-8") as file:
                file.write(text)
        elif kind == "python":
            subprocess.run([sys.executable, "-c", text], check=True)
        else:
            assert kind == "toml" and text in (self.project / "pyproject.toml").read_text("utf-8")


def forget() -> None:
    """Each command is a process of its own for a reader, and imports the engine as it is by then."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "fish_supper"]:
        del sys.modules[name]


def test_what_the_page_tells_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Commands run, answers are the answers, changes fit, and in the end all that is owed is proved."""
    monkeypatch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    reader = Reader(tmp_path, monkeypatch, capsys)
    author = Author(reader, tmp_path)
    with on_path(monkeypatch):
        for block in blocks():
            author.follow(*block)
        forget()
        among_words = [told["inline"] for told in TOLD.finditer(PAGE.read_text("utf-8")) if told["inline"]]
        for line in among_words:
            assert reader.run(line)[0] == 0, line

    assert len(among_words) > 3
    assert {"sh": 4, "console": 4, "diff": 8, "yaml": 3, "python": 2, "toml": 2} == {
        kind: author.run.count(kind) for kind in author.run
    }
    assert Path("output/site/fish-supper/index.html").is_file()
