"""What pages, the README and `--help` tell a reader to type works as it is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from told import NAMES, TOLD, Reader, is_name

from grimalkin.source import data_folder

pytestmark = [pytest.mark.slow("runs all that pages tell to type"), pytest.mark.usefixtures("short_guide")]

README = Path(__file__).parent.parent / "README.md"
TEXTS = {
    f"{path.parent.name}/{path.name}" if path != README else path.name: path.read_text(encoding="utf-8")
    for path in [README, *sorted((data_folder("site") / "docs").rglob("*.md"))]
    if path.name not in ("commands.md", "engine-commands.md", "rules-of-your-own.md")
}
"""All but the pages of commands, which are made of the texts of `--help` that are followed below, and the one that
installs a game: test_rules_of_your_own.py follows that."""
PAGES = [name for name, text in TEXTS.items() if any(not is_name(told) for told in TOLD.finditer(text))]
"""Those that tell to type something."""
HELP = [parser.epilog + "\n" for parser in NAMES.values() if parser.epilog]


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Reader:
    return Reader(tmp_path, monkeypatch, capsys)


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_tells_to_type_works(page: str, reader: Reader) -> None:
    """From top to bottom in one folder that was empty; where the page shows an answer, it is the answer."""
    assert reader.follow(TEXTS[page]) == []


def test_what_help_tells_to_type_works(reader: Reader) -> None:
    """First that of `grimalkin --help`, then that of each command, in the same folder."""
    assert reader.follow("".join(HELP)) == []


def test_commands_that_pages_name_work(reader: Reader) -> None:
    """Those are run that need nothing more than their name."""
    named = {told["inline"] for text in [*TEXTS.values(), *HELP] for told in TOLD.finditer(text) if is_name(told)}
    alone = sorted(name for name in named if not any(action.required for action in NAMES[name]._actions))

    assert {"grimalkin games", "grimalkin schema", "grimalkin printer list"} <= set(alone)
    for name in alone:
        assert reader.run(name)[0] == 0, name


def test_the_reader_finds_commands_and_files() -> None:
    """In blocks, with a dollar and an answer, among words, and in `--help`; the README and the guide are among them."""
    text = "Make `a/b.yaml`:\n\n```yaml\nc: 1\n```\n\n```sh\ngrimalkin games  # all\n```\nSee `grimalkin check`.\n"
    console = "```console\n$ grimalkin why x\nrefused\n$ grimalkin games\n```\na table, in t.yaml:\n  d: 2\n"
    found = [{key: part for key, part in told.groupdict().items() if part} for told in TOLD.finditer(text + console)]

    assert found == [
        {"file": "a/b.yaml", "fenced": "c: 1\n"},
        {"line": "grimalkin games  # all"},
        {"inline": "grimalkin check"},
        {"asked": "grimalkin why x", "answer": "refused\n"},
        {"asked": "grimalkin games"},
        {"named": "t.yaml", "indented": "  d: 2\n"},
    ]
    assert {"README.md", "your-own-game.md", "printing.md"} <= {Path(page).name for page in PAGES}


def test_every_path_of_the_readme_is_there() -> None:
    """Links and pictures lead somewhere, and what is made is in the Makefile."""
    text = README.read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z]+):", (README.parent / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        assert link.startswith("http") or (README.parent / link).exists(), link
    for target in re.findall(r"^make (\w+)|`make (\w+)", "\n".join(TEXTS.values()), re.MULTILINE):
        assert "".join(target) in targets
