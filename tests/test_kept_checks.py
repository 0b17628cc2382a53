"""What `check` keeps of a game without problems: the same report, until anything changes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grimalkin import content
from grimalkin.cli import kept_checks, main
from grimalkin.cli.kept_checks import Report, files_of, find_report, keep_report
from grimalkin.output import unchanged
from grimalkin.source import data_folder

KITTENS = "were-kittens"


@pytest.fixture
def kittens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of our own, in the current folder, beside an empty cache."""
    monkeypatch.setenv("GRIMALKIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(kept_checks, "find_report", find_report)
    monkeypatch.setattr(kept_checks, "LEAST_SECONDS", 0)
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(data_folder("content") / KITTENS, tmp_path / KITTENS))


@pytest.fixture
def proofs(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders whose examples are replayed, in order."""
    proved: list[Path] = []
    prove = content.prove

    def noting(folder: Path, *more: Any) -> Any:
        proved.append(folder)
        return prove(folder, *more)

    monkeypatch.setattr(content, "prove", noting, raising=False)
    return proved


@pytest.mark.slow("replays the examples of a game")
@pytest.mark.parametrize("options", [[], ["--rules"]])
def test_a_faultless_game_is_replayed_once(
    kittens: Path, proofs: list[Path], capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    """The second report is the first, with its remarks."""
    (kittens / "notebook.yaml").write_text("nothing: here")
    assert main(["check", f"./{KITTENS}", *options]) == 0
    first = capsys.readouterr()
    assert main(["check", f"./{KITTENS}", *options]) == 0
    second = capsys.readouterr()

    assert first == second
    assert "examples and playthroughs hold" in first.out
    assert "remark: were-kittens/notebook.yaml: nothing reads this file" in first.err
    assert [Path(KITTENS)] == proofs


@pytest.mark.slow("replays the examples of a game")
def test_again_replays_anyway(kittens: Path, proofs: list[Path]) -> None:
    for more in ([], ["--again"], []):
        assert main(["check", f"./{kittens.name}", *more]) == 0

    assert 2 == len(proofs)


@pytest.mark.slow("replays the examples of a game")
def test_a_new_fault_is_found(kittens: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that is still there is reported each time, and without it the first report holds again."""
    path = kittens / "rules.yaml"
    whole = path.read_bytes()
    for text, code in ((whole, 0), (whole + b"sect: []\n", 1), (whole + b"sect: []\n", 1), (whole, 0)):
        path.write_bytes(text)
        assert main(["check", f"./{KITTENS}"]) == code
        assert ('unknown key "sect"' in capsys.readouterr().err) == bool(code)


@pytest.mark.slow("replays the examples of a game")
@pytest.mark.parametrize("kind", ["draft", "--draft", "outside", "edited", "quick", "off"])
def test_some_reports_are_not_kept(
    kittens: Path, proofs: list[Path], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Engines from outside may read anything. For a short time it is not worth it."""
    notes = kittens / "notes.txt"
    if kind == "draft":
        path = kittens / "game.yaml"
        path.write_text(path.read_text(encoding="utf-8") + "\ndraft: yes\n", encoding="utf-8")
    elif kind == "outside":
        monkeypatch.setattr("grimalkin.engine.outside.is_ours", lambda _: False)
    elif kind == "edited":
        prove = content.prove

        def edit(folder: Path, *more: Any) -> Any:
            proved = prove(folder, *more)
            notes.write_text("while it is checked")
            return proved

        monkeypatch.setattr(content, "prove", edit)
    elif kind == "quick":
        monkeypatch.setattr(kept_checks, "LEAST_SECONDS", 1000)
    elif kind == "off":
        monkeypatch.setenv("GRIMALKIN_CACHE", "off")
    for more in ([], ["--draft"] if kind == "--draft" else []):
        assert main(["check", f"./{KITTENS}", *more]) == 0
        notes.unlink(missing_ok=True)

    assert 2 == len(proofs)


# What it depends on


def rename(folder: Path) -> None:
    (folder / "terms.yaml").rename(folder / "words.yaml")


def add_empty_folder(folder: Path) -> None:
    (folder / "maps").mkdir(exist_ok=True)
    (folder / "maps" / "cellar").mkdir()


def change_a_byte(folder: Path) -> None:
    path = next((folder / "examples").iterdir())
    path.write_bytes(path.read_bytes() + b"\n")


def hide_a_file(folder: Path) -> None:
    (folder / ".hidden.yaml").write_text("")


@pytest.mark.parametrize("change", [rename, add_empty_folder, change_a_byte, hide_a_file])
def test_whatever_changes_in_the_folder_changes_the_digest(kittens: Path, change: Callable[[Path], None]) -> None:
    before = files_of(kittens)
    assert before == files_of(kittens)
    change(kittens)

    assert before is not None
    assert before != files_of(kittens) is not None


def test_a_report_is_for_its_options_program_and_folders(kittens: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Remarks name files as seen from the current folder."""
    files, report = files_of(kittens), Report(["remark: a"], ["b"])
    assert files is not None
    keep_report(kittens, False, files, report)

    assert find_report(kittens, False, files) == report
    assert find_report(kittens, True, files) is None
    assert find_report(Path(KITTENS), False, files) is None
    assert find_report(kittens, False, "other files") is None
    with monkeypatch.context() as patch:
        patch.setattr(unchanged, "made_with", lambda _: "another version")
        assert find_report(kittens, False, files) is None
    monkeypatch.chdir(kittens)
    assert find_report(kittens, False, files) is None


def test_folders_with_links_or_too_much_in_them_have_no_digest(kittens: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor have games without anything to replay."""
    (kittens / "notes.yaml").symlink_to(kittens / "terms.yaml")
    assert files_of(kittens) is None
    (kittens / "notes.yaml").unlink()
    assert files_of(kittens) is not None
    with monkeypatch.context() as patch:
        patch.setattr(kept_checks, "MOST_FILES", 3)
        assert files_of(kittens) is None
    with monkeypatch.context() as patch:
        patch.setattr(kept_checks, "MOST_BYTES", 1000)
        assert files_of(kittens) is None
    for kind in ("examples", "playthroughs"):
        shutil.rmtree(kittens / kind)
    assert files_of(kittens) is None


def test_a_damaged_report_counts_as_missing(kittens: Path) -> None:
    files = files_of(kittens)
    assert files is not None
    keep_report(kittens, False, files, Report([], ["b"]))
    (path,) = (Path(os.environ["GRIMALKIN_CACHE"]) / "checks").iterdir()
    path.write_bytes(path.read_bytes().replace(b'"b"', b'"c"'))

    assert find_report(kittens, False, files) is None


@pytest.mark.parametrize(
    "kept",
    ["[1]", '"x"', "", "[" * 5_000, '{"files": "f"}', '{"files": "f", "made_with": "", "remarks": 1, "lines": 2}'],
)
def test_a_report_of_another_shape_counts_as_missing(kittens: Path, kept: str) -> None:
    """Another version may have written it, or somebody with the same account."""
    keep_report(kittens, False, files_of(kittens) or "", Report([], ["fine"]))
    cache = kept_checks._cache()
    assert cache
    (path,) = cache.folder.glob("*.check")
    cache.write(path, kept.encode())

    assert find_report(kittens, False, "f") is None


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes in folders")
def test_a_pipe_in_the_place_of_a_report_does_not_hold_the_check(kittens: Path) -> None:
    """Opening it would wait until somebody writes into it."""
    files = files_of(kittens) or ""
    keep_report(kittens, False, files, Report([], ["fine"]))
    cache = kept_checks._cache()
    assert cache
    (path,) = cache.folder.glob("*.check")
    path.unlink()
    os.mkfifo(path)

    assert find_report(kittens, False, files) is None
