"""A campaign's file: read and followed, or written anew. The file that was there before stays beside it.

Writing goes to a draft that takes the file's name once it lies on the disk whole; whoever stops it in between finds the
file as it was. The last five files before are kept as FILE.1 to FILE.5, and one of an older format for good.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import FileLock, Timeout

from grimalkin.campaign.going import Going, follow
from grimalkin.campaign.migrate import format_of, migrated
from grimalkin.campaign.writing import text_of
from grimalkin.engine.saved import FORMAT, Saved, as_saved, saved_shape
from grimalkin.engine.shape import Misfit, Misfits
from grimalkin.problems import Place, Problem, Problems, Stop, shown_path
from grimalkin.source import Source, parse_yaml
from grimalkin.source.files import read_bytes, write_over
from grimalkin.table import changed_since, misfit_problem, open_game

BEFORE = 5
"""Older files that are kept."""
MOST_WAIT = 10.0
"""Seconds that a command waits for another one, which takes one or two."""
MOST_NAMED = 12
"""Rules that a remark names."""
_VERSION = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6}){0,3}")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_DRAFT = re.compile(r"\.(.+)\.\d+-\d+\.new")
"""What `write_over` calls a file that it has not written whole."""


@dataclass(slots=True)
class Opened:
    """A file that was read. `data` is what stands in it, and `format` how it was written."""

    path: Path
    data: bytes
    source: Source
    going: Going
    format: int = FORMAT
    kept: bool = False
    """Whether what stood in it before this command is kept already."""

    def problem(self, misfit: Misfit) -> Problem:
        """What is wrong with a value, with the line of the file."""
        return misfit_problem(self.source.place(misfit.at), misfit)

    def faults(self) -> list[Problem]:
        """Why the file could not be followed to its end."""
        return [self.problem(misfit) for misfit in self.going.fault]


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """No other command reads or writes the file meanwhile. Stops when one does not end."""
    place = Place(shown_path(path))
    real = path.resolve()
    if not real.parent.is_dir():
        raise Stop.at(place, f"there is no folder {shown_path(path.parent)}", "make it, or name another")
    lock = FileLock(real.with_name(f".{real.name}.lock"), timeout=MOST_WAIT)
    try:
        lock.acquire()
    except Timeout:
        raise Stop.at(place, "another command is writing here", "try again") from None
    try:
        _clear_drafts(real)
        yield
    finally:
        lock.release()


def _clear_drafts(path: Path) -> None:
    """Delete what a command left that was killed while it wrote. The lock is ours: nobody writes now."""
    ours = {path.name, *(_before(path, count).name for count in range(1, BEFORE + 1))}
    for draft in path.parent.glob(".*.new"):
        found = _DRAFT.fullmatch(draft.name)
        if found and (found[1] in ours or found[1].startswith(f"{path.name}.format-")):
            with suppress(OSError):
                draft.unlink()


def open_file(path: Path, game_name: str = "") -> Opened:
    """The campaign that a file holds, of the game that it names, or of another copy of it. Stops with its problems."""
    problems = Problems()
    data = read_bytes(path, problems)
    source = None if data is None else parse_yaml(data, Path(shown_path(path)), problems)
    if data is None or source is None or problems:
        raise Stop(problems)
    place = source.place()
    if not isinstance(source.data, dict):
        raise Stop.at(place, "the file is no mapping", "a campaign begins with format: 1")
    number = format_of(source.data, source.place(("format",)))
    record = migrated(source.data, number)
    game = open_game(game_name or _game_of(record, source))
    read, misfits = saved_shape(game.module, game.facts).read(record)
    if misfits:
        raise Stop(misfit_problem(source.place(misfit.at), misfit) for misfit in misfits)
    saved = as_saved(read)
    written = source.place(("rules",))
    if _is_newer(saved.rules, game.version):
        told = f"this file was written under rules {saved.rules}, and {game.title} has {game.version} here"
        raise Stop.at(written, told, "a newer Grimalkin has those rules; the file stays as it is")
    changed = changed_since(game, saved.rules) if saved.rules != game.version else None
    try:
        going = follow(game, saved)
    except Misfits as error:
        raise Stop(misfit_problem(source.place(misfit.at), misfit) for misfit in error.misfits) from None
    if saved.rules != game.version:
        going.remarks.append(_other_rules(saved.rules, game.version, changed))
    going.fault = [_with_changes(misfit, saved.rules, changed or ()) for misfit in going.fault]
    return Opened(path, data, source, going, number)


def _is_newer(written: str, here: str) -> bool:
    """Whether both are versions of numbers and dots, and the first is later."""
    return all(map(_VERSION.fullmatch, (written, here))) and _numbers(written) > _numbers(here)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


def _other_rules(written: str, here: str, changed: Collection[str] | None) -> Misfit:
    """Say that a file is of other rules, and which of them have changed since, where that version was kept."""
    then = f"were {written}" if written else "had no version"
    told = f"the rules {then} when this was written, and are {here} now"
    if changed is None:
        return Misfit(
            ("rules",), told, f"nothing was kept of {written or 'that time'}, so what has changed is not known"
        )
    more = f" and {len(changed) - MOST_NAMED} more" if len(changed) > MOST_NAMED else ""
    first = ", ".join([*changed][:MOST_NAMED]) + more
    return Misfit(("rules",), told, f"changed or new since: {first}" if changed else "no rule is worded differently")


def _with_changes(misfit: Misfit, written: str, changed: Collection[str]) -> Misfit:
    """A fault, with the rules that it names and that have changed since the file was written."""
    named = [id_ for id_ in changed if re.search(rf"\b{re.escape(id_)}\b", misfit.message)]
    said = f"{', '.join(named)} changed after rules {written}"
    return replace(misfit, hint=f"{misfit.hint}; {said}" if misfit.hint else said) if named else misfit


def _game_of(record: dict[str, object], source: Source) -> str:
    """The game that a file names. It may not be a path: what a stranger's file says leads nowhere else."""
    name = record.get("game", "")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        told = f'game: "{str(name)[:40]}" is no name of a game'
        raise Stop.at(source.place(("game",)), told, "`grimalkin games` lists them; --game names a folder")
    return name


def write_new(path: Path, saved: Saved) -> None:
    """Write the file of a new campaign. Stops when something of that name is there."""
    if path.exists() or path.is_symlink():
        hint = "name another file, or move this one away"
        raise Stop.at(Place(shown_path(path)), "this is there already", hint)
    write_over(path, text_of(saved).encode(), flush=True)


def write(opened: Opened, saved: Saved) -> None:
    """Write a file anew, keeping what was there. Stops when somebody else has changed it since it was read."""
    text = text_of(saved).encode()
    real = opened.path.resolve()
    if real.read_bytes() != opened.data:
        hint = "nothing was written; do this once more"
        raise Stop.at(Place(shown_path(opened.path)), "the file was changed since it was read", hint)
    if text == opened.data:
        return
    if not opened.kept:
        keep(real, opened.data, opened.format)
    write_over(real, text, flush=True)
    opened.data, opened.kept = text, True


def keep(path: Path, data: bytes, number: int) -> None:
    """Keep what a file holds beside it, as the first of five, and for good if it is of an older format."""
    older = path.with_name(f"{path.name}.format-{number}")
    if number < FORMAT and not older.exists():
        write_over(older, data, flush=True)
    for count in range(BEFORE - 1, 0, -1):
        one = _before(path, count)
        if one.is_file() and not one.is_symlink():
            one.replace(_before(path, count + 1))
    write_over(_before(path, 1), data, flush=True)


def _before(path: Path, count: int) -> Path:
    return path.with_name(f"{path.name}.{count}")
