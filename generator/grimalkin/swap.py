"""Replace output whole or not at all: build beside it, then swap folder by folder under a journal.

`os.replace` onto a folder that holds something fails, so a swap takes two renames a folder. The journal is written when
all of the new output is there; from then on a swap that was cut off is completed by the next command. Without a journal
the half-built output is thrown away, and the last good output was never touched.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from grimalkin.problems import Place, Problem, Stop, shown_path

NEW, OLD, JOURNAL, LOCK = ".grimalkin-new", ".grimalkin-old", ".swap.json", ".lock"
PATIENCE = 4
"""Seconds. The processes that helped a build which was killed hold its lock until they notice, a moment later."""
MARKER = ".made-by-grimalkin"
"""Stands in every output folder and lists what was made in it. What it does not list is somebody's own."""

MADE = "Made by Grimalkin, which replaces these folders:"
Step = Callable[[str], None]
"""Called before every change on disk; tests stop the process there."""


@contextmanager
def staging(output: Path) -> Iterator[Path]:
    """An empty folder to build into, while no other build may run. A swap that was cut off is finished first."""
    place = Place(shown_path(output))
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Stop([Problem(place, f"the output folder cannot be made: {error.strerror}")]) from None
    try:
        with FileLock(output / LOCK, timeout=PATIENCE):
            recover(output)
            new = output / NEW
            try:
                new.mkdir()
            except FileExistsError:
                raise Stop([Problem(Place(shown_path(new)), "this is in the way", "remove it")]) from None
            try:
                yield new
            finally:
                if not (output / JOURNAL).exists():
                    shutil.rmtree(new, ignore_errors=True)
    except PermissionError as error:
        told = f"nothing can be written here: {error.strerror}"
        raise Stop([Problem(place, told, "make the folder writable, or choose another --output")]) from None
    except Timeout:
        raise Stop([Problem(place, "another build is writing here", "wait for it to end")]) from None


def refuse_foreign(output: Path, folders: Sequence[str]) -> None:
    """Stop when a folder to be replaced was not made by Grimalkin."""
    ours = _made(output)
    problems = [
        Problem(Place(shown_path(output / folder)), "this was not made by Grimalkin", "choose another --output")
        for folder in folders
        if folder not in ours and os.path.lexists(output / folder)
    ]
    problems += [
        Problem(Place(shown_path(parent)), "this is a file, a folder is needed", "choose another --output")
        for parent in sorted({(output / folder).parent for folder in folders})
        if parent.exists() and not parent.is_dir()
    ]
    if problems:
        raise Stop(problems)


def swap(output: Path, folders: Sequence[str], step: Step = lambda _: None) -> None:
    """Put the folders built below the staging folder in the place of the old ones."""
    refuse_foreign(output, folders)
    lines = [MADE, *sorted(_made(output).union(folders))]
    (output / MARKER).write_text("\n".join(lines) + "\n", encoding="utf-8")
    step("journal")
    journal = output / JOURNAL
    draft = _draft(output)
    with draft.open("w", encoding="utf-8") as file:
        json.dump(list(folders), file)
        file.flush()
        os.fsync(file.fileno())
    step("commit")
    draft.replace(journal)
    _complete(output, step)


def recover(output: Path) -> None:
    """Complete a swap that had been decided, or throw away a build that had not."""
    if (output / JOURNAL).exists():
        _complete(output, lambda _: None)
    _draft(output).unlink(missing_ok=True)
    for left in (NEW, OLD):
        shutil.rmtree(output / left, ignore_errors=True)


def _made(output: Path) -> set[str]:
    """The folders that Grimalkin has made in an output folder."""
    try:
        first, *folders = (output / MARKER).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return set()
    return set(folders) if first == MADE else set()


def _draft(output: Path) -> Path:
    """The journal while it is being written."""
    return (output / JOURNAL).with_suffix(".part")


def _journal(output: Path) -> list[str]:
    try:
        folders = json.loads((output / JOURNAL).read_text(encoding="utf-8"))
    except ValueError:
        folders = None
    if not isinstance(folders, list) or not all(isinstance(folder, str) for folder in folders):
        place = Place(shown_path(output / JOURNAL))
        raise Stop([Problem(place, "this is not a journal of Grimalkin", "remove the file, then build again")])
    return folders


def _complete(output: Path, step: Step) -> None:
    """Carry out a journal. Every line may be done already: it can be called again at any point."""
    for folder in _journal(output):
        new, target, old = output / NEW / folder, output / folder, output / OLD / folder
        if not new.exists():
            continue
        try:
            if target.exists():
                old.parent.mkdir(parents=True, exist_ok=True)
                step(f"set {folder} aside")
                target.rename(old)
            target.parent.mkdir(parents=True, exist_ok=True)
            step(f"bring {folder} in")
            new.rename(target)
        except OSError as error:
            told = f"the new output is ready, but this cannot be replaced: {error.strerror}"
            hint = "close what has it open, or make it writable, then run the command again"
            raise Stop([Problem(Place(shown_path(target)), told, hint)]) from None
    step("forget the journal")
    (output / JOURNAL).unlink()
    step("clean up")
    for left in (NEW, OLD):
        shutil.rmtree(output / left, ignore_errors=True)
