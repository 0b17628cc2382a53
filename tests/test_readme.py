"""What the README shows is what happens: its console examples are run and compared."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from grimalkin.cli import main

README = Path(__file__).parent.parent / "README.md"


def test_the_console_examples_of_the_readme(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each command gives the lines below it."""
    text = README.read_text(encoding="utf-8")
    (yaml,) = re.findall(r"```yaml\n# table\.yaml\n(.*?)```", text, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.yaml").write_text(yaml, encoding="utf-8")
    commands = re.findall(r"^\$ (grimalkin .*)\n((?:(?!\$ |```).*\n)*)", text, re.MULTILINE)

    assert len(commands) >= 3
    for command, expected in commands:
        main(shlex.split(command)[1:])

        assert expected == capsys.readouterr().out


def test_every_path_of_the_readme_is_there() -> None:
    """Links and pictures lead somewhere."""
    for link in re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8")):
        assert link.startswith("http") or (README.parent / link).exists(), link
