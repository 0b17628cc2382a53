"""The swap: output is replaced whole or not at all, wherever it is cut off."""

from __future__ import annotations

from pathlib import Path

import pytest

from grimalkin.problems import Stop
from grimalkin.swap import JOURNAL, MARKER, refuse_foreign, staging, swap

FOLDERS = ["sheets/a", "sheets/b", "site"]


class Killed(BaseException):
    """Stands for the end of the process; nothing may catch it."""


def build(output: Path, text: str, kill_at: int | None = None) -> list[str]:
    """Build three folders whose files say `text`, and stop before the step `kill_at`."""
    steps: list[str] = []

    def step(name: str) -> None:
        if kill_at == len(steps):
            raise Killed
        steps.append(name)

    with staging(output) as new:
        for folder in FOLDERS:
            (new / folder).mkdir(parents=True)
            (new / folder / "file").write_text(text)
        swap(output, FOLDERS, step)
    return steps


def contents(output: Path) -> set[str]:
    return {(output / folder / "file").read_text() for folder in FOLDERS}


def hidden(output: Path) -> list[str]:
    kept = (".lock", MARKER)
    return sorted(path.name for path in output.iterdir() if path.name.startswith(".") and path.name not in kept)


STEPS = 2 + 2 * len(FOLDERS) + 2


def test_the_steps_are_all_known(tmp_path: Path) -> None:
    """The tests below cut off before every one of them."""
    build(tmp_path, "old")

    assert STEPS == len(build(tmp_path, "new"))
    assert {"new"} == contents(tmp_path)
    assert [] == hidden(tmp_path)


@pytest.mark.parametrize("kill_at", range(STEPS))
def test_a_cut_off_swap_is_completed_or_rolled_back(tmp_path: Path, kill_at: int) -> None:
    """Before the journal is there the old output stands untouched; afterwards the next command brings in the new."""
    build(tmp_path, "old")
    with pytest.raises(Killed):
        build(tmp_path, "new", kill_at)
    decided = kill_at >= 2
    if not decided:
        assert {"old"} == contents(tmp_path)

    with pytest.raises(Killed), staging(tmp_path):
        raise Killed  # the next command, which does nothing of its own

    assert {"new" if decided else "old"} == contents(tmp_path)
    assert [] == hidden(tmp_path)


def test_a_failed_build_leaves_the_last_good_output(tmp_path: Path) -> None:
    """An exception while building changes nothing."""
    build(tmp_path, "old")
    with pytest.raises(ValueError, match="broken"), staging(tmp_path) as new:
        (new / "site").mkdir()
        raise ValueError("broken")

    assert {"old"} == contents(tmp_path)
    assert [] == hidden(tmp_path)


def test_what_grimalkin_did_not_make_is_left_alone(tmp_path: Path) -> None:
    """A `site` that was there before is somebody's own: an --output of `.` must not eat a repository."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "mine.txt").write_text("mine")
    with pytest.raises(Stop, match="site: this was not made by Grimalkin; choose another --output"):
        build(tmp_path, "new")

    assert "mine" == (tmp_path / "site" / "mine.txt").read_text()
    assert [] == hidden(tmp_path)


def test_a_broken_journal_is_told(tmp_path: Path) -> None:
    """With what to do; nothing is touched."""
    build(tmp_path, "old")
    (tmp_path / JOURNAL).write_text("rubbish")
    with pytest.raises(Stop, match="this is not a journal of Grimalkin; remove the file, then build again"):
        build(tmp_path, "new")

    assert {"old"} == contents(tmp_path)


def test_two_builds_do_not_write_at_once(tmp_path: Path) -> None:
    """The second one is told so."""
    with staging(tmp_path), pytest.raises(Stop, match="another build is writing here"), staging(tmp_path):
        pass


def test_an_output_that_is_a_file_is_told(tmp_path: Path) -> None:
    """No traceback for a path that cannot be a folder."""
    (tmp_path / "file").write_text("")
    with pytest.raises(Stop, match="the output folder cannot be made"), staging(tmp_path / "file"):
        pass


def test_only_what_was_made_is_replaced(tmp_path: Path) -> None:
    """A folder of one's own stays its owner's, also after another command has made something beside it."""
    build(tmp_path, "old")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "work.txt").write_text("weeks of it")
    with pytest.raises(Stop) as stop:
        refuse_foreign(tmp_path, ["mine", *FOLDERS])

    assert ["this was not made by Grimalkin"] == [problem.message for problem in stop.value.problems]
    refuse_foreign(tmp_path, FOLDERS)


def test_a_folder_that_cannot_be_replaced_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a reader has its file open on Windows: what to do is said, and the next command completes the swap."""
    build(tmp_path, "old")
    real = Path.rename

    def locked(path: Path, target: Path) -> Path:
        if path.name == "b":
            raise PermissionError(13, "Permission denied")
        return real(path, target)

    monkeypatch.setattr(Path, "rename", locked)
    with pytest.raises(Stop) as stop:
        build(tmp_path, "new")
    monkeypatch.undo()

    assert "this cannot be replaced: Permission denied; close what has it open" in str(stop.value)
    with staging(tmp_path):
        pass
    assert {"new"} == contents(tmp_path)
