"""Read and replay a campaign's file, or rewrite it and keep the previous file beside it.

A new file is written as a draft, which takes the file's name once all of it is on the disk; if the command is stopped
before that, the file stays as it was. The last five files are kept as FILE.1 to FILE.5, and files of older formats are
kept for good.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import FileLock, Timeout

from grimalkin.engine.saved import FORMAT, Saved, as_saved, format_of, migrated, saved_shape, text_of
from grimalkin.engine.shape import Misfit, Misfits
from grimalkin.play.campaign.progress import Going, follow
from grimalkin.play.table import changed_since, misfit_problem, open_game
from grimalkin.problems import Place, Problem, Problems, Stop, shown_path
from grimalkin.source import Source, parse_yaml
from grimalkin.source.files import read_bytes, write_over

BEFORE = 5
"""The number of previous files to keep."""
MOST_WAIT = 10.0
"""Seconds to wait for another command, which usually takes a second or two."""
MOST_NAMED = 12
"""The most rules that a remark lists."""
_VERSION = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6}){0,3}")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_DRAFT = re.compile(r"\.(.+)\.\d+-\d+\.new")
"""The names that `write_over` gives to unfinished files."""


@dataclass(slots=True)
class Opened:
    """A campaign's file as read, with its bytes and its format."""

    path: Path
    data: bytes
    source: Source
    going: Going
    format: int = FORMAT
    kept: bool = False
    """Whether the file from before this command is already kept."""

    def problem(self, misfit: Misfit) -> Problem:
        """Return a misfit as a problem with its line in the file."""
        return misfit_problem(self.source.place(misfit.at), misfit)

    def faults(self) -> list[Problem]:
        """Return why the file could not be followed to its end."""
        return [self.problem(misfit) for misfit in self.going.fault]


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep other commands from reading or writing the file. Stops if another command is too slow."""
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
    """Delete the drafts of commands that were killed. We hold the lock, so nobody is writing now."""
    ours = {path.name, *(_before(path, count).name for count in range(1, BEFORE + 1))}
    for draft in path.parent.glob(".*.new"):
        found = _DRAFT.fullmatch(draft.name)
        if found and (found[1] in ours or found[1].startswith(f"{path.name}.format-")):
            with suppress(OSError):
                draft.unlink()


def open_file(path: Path, game_name: str = "") -> Opened:
    """Open the campaign in a file, of the game that it names or of `game_name`. Stops with its problems."""
    problems = Problems()
    data = read_bytes(path, problems)
    source = None if data is None else parse_yaml(data, Path(shown_path(path)), problems)
    if data is None or source is None or problems:
        raise Stop(problems)
    place = source.place()
    if not isinstance(source.data, dict):
        raise Stop.at(place, "the file is not a mapping", "a campaign begins with format: 1")
    number = format_of(source.data, source.place(("format",)))
    record = migrated(source.data, number)
    game = open_game(game_name or _game_of(record, source))
    read, misfits = saved_shape(game.module, game.facts).read(record)
    if misfits:
        raise Stop(misfit_problem(source.place(misfit.at), misfit) for misfit in misfits)
    saved = as_saved(read)
    written = source.place(("rules",))
    if _is_newer(saved.rules, game.version):
        told = f"this file was written under rules {saved.rules}, but {game.title} has {game.version} here"
        raise Stop.at(written, told, "use a newer Grimalkin with those rules; the file was not changed")
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
    """Return whether both are versions made of numbers and dots and the first is later."""
    return all(map(_VERSION.fullmatch, (written, here))) and _numbers(written) > _numbers(here)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


def _other_rules(written: str, here: str, changed: Collection[str] | None) -> Misfit:
    """Return a remark that a file was written with different rules; if that version was kept, list the changes."""
    then = f"were {written}" if written else "had no version"
    told = f"the rules {then} when this file was written, but are {here} now"
    if changed is None:
        return Misfit(
            ("rules",), told, f"the rules of {written or 'that time'} were not kept, so the changes are unknown"
        )
    more = f" and {len(changed) - MOST_NAMED} more" if len(changed) > MOST_NAMED else ""
    first = ", ".join([*changed][:MOST_NAMED]) + more
    return Misfit(("rules",), told, f"changed or new since: {first}" if changed else "no rule has changed its wording")


def _with_changes(misfit: Misfit, written: str, changed: Collection[str]) -> Misfit:
    """Add to a fault which of the rules it names have changed since the file was written."""
    named = [id_ for id_ in changed if re.search(rf"\b{re.escape(id_)}\b", misfit.message)]
    said = f"{', '.join(named)} changed after rules {written}"
    return replace(misfit, hint=f"{misfit.hint}; {said}" if misfit.hint else said) if named else misfit


def _game_of(record: dict[str, object], source: Source) -> str:
    """Return the game that a file names. A path is refused, so that a stranger's file cannot lead elsewhere."""
    name = record.get("game", "")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        told = f'game: "{str(name)[:40]}" is not the name of a game'
        raise Stop.at(source.place(("game",)), told, "`grimalkin games` lists games; use --game for a folder")
    return name


def write_new(path: Path, saved: Saved) -> None:
    """Write the file of a new campaign. Stops if anything of that name exists."""
    if path.exists() or path.is_symlink():
        hint = "name another file, or move this one away"
        raise Stop.at(Place(shown_path(path)), "this file already exists", hint)
    write_over(path, text_of(saved).encode(), flush=True)


def write(opened: Opened, saved: Saved) -> None:
    """Rewrite a file and keep the previous one. Stops if the file has changed since it was read."""
    text = text_of(saved).encode()
    real = opened.path.resolve()
    if real.read_bytes() != opened.data:
        hint = "nothing was written; try again"
        raise Stop.at(Place(shown_path(opened.path)), "the file has changed since it was read", hint)
    if text == opened.data:
        return
    if not opened.kept:
        keep(real, opened.data, opened.format)
    write_over(real, text, flush=True)
    opened.data, opened.kept = text, True


def keep(path: Path, data: bytes, number: int) -> None:
    """Keep a file's content beside it, as the first of five files, and for good if its format is older."""
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
