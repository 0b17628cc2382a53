"""Replace output completely or not at all: build beside it, then swap folder by folder under a journal.

`os.replace` cannot replace a folder that is not empty, so a swap takes two renames for each folder. The journal is
written when all the new output is there; from then on, the next command completes a swap that was interrupted. Without
a journal, the half-built output is deleted, and the last good output was never touched.

The marker lists every file that was made, with its hash. Anything else in a folder that is replaced is the user's, and
moves to its own folder. Such files are searched for in the old folders after these have been set aside, when nothing in
them changes any more. The results are noted in the journal before the first file moves, so a swap that is completed
later reports all of them, once.
"""

from __future__ import annotations

import json
import re
import shutil
from bisect import bisect
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from itertools import count, islice
from pathlib import Path, PurePosixPath

from grimalkin.output.disk import digest, faults, kind_of, read_json, read_small, refuse, stays_below, write_new
from grimalkin.problems import Place, Problems, Stop, shown_path

NEW, OLD, JOURNAL, LOCK = ".grimalkin-new", ".grimalkin-old", ".swap.json", ".lock"
PATIENCE = 4
"""Seconds to wait for the lock. If a build is killed, its processes hold the lock until they notice, a moment later."""
MARKER = ".made-by-grimalkin"
"""A file in every output folder that lists everything made there. Anything else belongs to the user."""
STATE = ".grimalkin-state.json"
"""A file that notes what the last build was made from."""
RECORDS = "records"
KEPT = "kept"
"""The folder for the user's own files from replaced folders. Nothing in it is ever touched again."""

FOLDERS = re.compile(
    r"(sheets|cards|print|rulebooks|boxes|dividers)/[a-z0-9-]+|site|guide|png|svg|tts|pcio|mpc|tgc|zip|uvtt"
)
FILES = re.compile(
    rf"{RECORDS}/[a-z0-9-]+/[a-z0-9-]+\.json|rulebooks/[a-z0-9-]+\.pdf|{re.escape(STATE)}|{re.escape(MARKER)}"
)
"""All files that are ever replaced. A journal that names anything else is not ours."""
MADE = "Made by Grimalkin, which replaces these folders:"
LISTED = re.compile(r"([0-9a-f]{64})  (.+)")
"""A file in the marker, as `sha256sum --check` reads it."""
LITTER = re.compile(r"\.DS_Store|Thumbs\.db|desktop\.ini|\._.*", re.IGNORECASE)
"""Files that operating systems leave in folders that somebody has looked into."""

Made = Mapping[str, Mapping[str, str]]
"""For each folder, the hash of every file made in it, by its relative path."""
Step = Callable[[str], None]
"""Called before every change on disk, so that tests can stop the process there."""
Tell = Callable[[str], None]
"""Called with messages for the user to read when the command is done."""


@dataclass(frozen=True)
class _Kept:
    """A file or folder of the user's: its path below the output folder, and the path there that it moves to."""

    name: str
    place: str
    why: str

    def is_sound(self) -> bool:
        """Return whether it is safe to carry this out, even if it was read from a file."""
        return stays_below(self.name) and bool(_below(KEPT, self.place)) and self.why in WHY


WHY = {
    "foreign": "{name} was not made by Grimalkin; it is now {place}",
    "changed": "{name} was changed after it was made; your copy is now {place}",
    "unknown": "{name} may hold files of yours; all of it is now {place}",
    "record": "{name} differs from what is recorded now; the old file is now {place}",
}


@dataclass(frozen=True)
class _Journal:
    """The work to do and, once all folders are in place, a list of what to keep from the old folders."""

    folders: Sequence[str]
    files: Sequence[str] = ()
    kept: Sequence[_Kept] | None = None
    older: Sequence[str] = ()
    """The files whose older versions are kept."""


@contextmanager
def staging(output: Path, folders: Sequence[str], tell: Tell) -> Iterator[Path]:
    """Yield an empty folder to build into, and keep other builds out. First finish any interrupted swap.

    `folders` are those that will be replaced: anything in their way is reported before the work begins.
    """
    from filelock import FileLock, Timeout  # a build that has nothing to do locks nothing

    place = Place(shown_path(output))
    try:
        output.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        told = "the output folder cannot be made: this path, or part of it, is a file"
        raise Stop.at(place, told, "remove it, or choose another --output") from None
    except OSError as error:
        raise Stop.at(place, f"the output folder cannot be made: {error.strerror}") from None
    for name in (LOCK, JOURNAL, MARKER, STATE):
        refuse(output, name, "file")
    for name in (NEW, OLD, KEPT):
        refuse(output, name, "folder")
    if kind_of(output / JOURNAL) == "nothing":  # before leaving a lock in somebody else's folder
        refuse_foreign(output, folders)
    try:
        lock = FileLock(output / LOCK, timeout=PATIENCE).acquire()
    except Timeout:
        raise Stop.at(place, "another build is writing here", "wait for it to end") from None
    except OSError as error:
        raise _unwritable(place, error) from None
    with lock:
        recover(output, tell)
        refuse_foreign(output, folders)
        new = output / NEW
        try:
            new.mkdir()
            write_new(new / JOURNAL, "")  # if the folder is removed before there is a journal, so is this
        except FileExistsError:
            raise Stop.at(Place(shown_path(new)), "this is in the way", "remove it") from None
        except OSError as error:
            raise _unwritable(place, error) from None
        try:
            yield new
        finally:
            if kind_of(output / JOURNAL) == "nothing":
                shutil.rmtree(new, ignore_errors=True)


def _unwritable(place: Place, error: OSError) -> Stop:
    told = f"nothing can be written here: {error.strerror}"
    return Stop.at(place, told, "make the folder writable, or choose another --output")


def settle(output: Path, tell: Tell) -> None:
    """Finish a swap if one was interrupted. Until then, the output folder cannot be relied on.

    The old folders go last: a swap interrupted at that point no longer has a journal.
    """
    if any(kind_of(output / name) != "nothing" for name in (JOURNAL, OLD)):
        with staging(output, [], tell):
            pass


def refuse_foreign(output: Path, folders: Sequence[str]) -> None:
    """Stop if a folder to be replaced was not made by Grimalkin."""
    ours = made(output)
    problems = Problems()
    for folder in folders:
        found = faults(output, folder, "folder")
        problems.extend(found)
        if not found and folder not in ours and kind_of(output / folder) != "nothing":
            place = Place((output / folder).as_posix())
            problems.add(place, "this was not made by Grimalkin", "choose another --output")
    problems.stop()


def made(output: Path) -> Made:
    """Return everything that Grimalkin has made in an output folder."""
    head, *lines = (read_small(output / MARKER) or b"").decode("utf-8", "replace").split("\n")
    files: dict[str, dict[str, str]] = {}
    folder = ""
    for line in lines if head == MADE else ():
        listed = LISTED.fullmatch(line)
        if listed and folder and _below(folder, listed[2]):
            files[folder][_below(folder, listed[2])] = listed[1]
        elif FOLDERS.fullmatch(line):
            folder = line
            files[folder] = {}
    unlisted = {folder for folder, found in files.items() if not found}
    for name, hash_ in _noted_before(output).items() if unlisted else ():
        below = FOLDERS.match(name)
        if below and below[0] in unlisted and _below(below[0], name):
            files[below[0]][_below(below[0], name)] = hash_
    return files


def _below(folder: str, name: str) -> str:
    """Return a file's path relative to a folder; "" if it is not below the folder."""
    rest = name.removeprefix(f"{folder}/")
    return rest if rest != name and stays_below(rest) else ""


def _noted_before(output: Path) -> dict[str, str]:
    """Return the files listed in a state, which listed them before there was a marker."""
    data = read_json(output / STATE)
    try:
        lists = [data["site"], *(game["files"] for game in data["games"].values())]
        return {name: str(hash_) for files in lists for name, hash_ in files.items()}
    except (KeyError, TypeError, AttributeError):
        return {}


def is_intact(output: Path, files: Mapping[str, str]) -> bool:
    """Return whether all these files are in an output folder, unchanged since they were made."""
    folders = {""}
    for name, hash_ in files.items():
        if not stays_below(name):
            return False
        folder = name.rpartition("/")[0]
        if folder not in folders:
            if faults(output, folder, "folder"):
                return False
            folders.add(folder)
        if digest(output / name) != hash_:
            return False
    return True


def swap(
    output: Path,
    folders: Sequence[str],
    files: Sequence[str],
    tell: Tell,
    step: Step = lambda _: None,
    older: Sequence[str] = (),
) -> None:
    """Replace old folders and files with those built below the staging folder.

    `older` are those files whose old versions are kept.
    """
    assert all(map(FOLDERS.fullmatch, folders)) and all(map(FILES.fullmatch, files))
    refuse_foreign(output, folders)
    new = output / NEW
    if kind_of(new / JOURNAL) != "file":
        raise Stop.at(Place(new.as_posix()), "this was removed while the command ran", "run the command again")
    listed = {**made(output), **{folder: _hashes(new / folder) for folder in folders}}
    lines = [MADE]
    for folder in sorted(listed):
        lines += [folder, *(f"{hash_}  {folder}/{name}" for name, hash_ in sorted(listed[folder].items()))]
    write_new(new / MARKER, "\n".join(lines) + "\n")
    _write_journal(output, _Journal(folders, [*files, MARKER], older=older), step)
    _complete(output, tell, step)


def replace_folder(output: Path, folder: str, files: Mapping[str, bytes], tell: Tell) -> None:
    """Replace a folder with these files, by name."""
    with staging(output, [folder], tell) as new:
        for name, data in files.items():
            write_new(new / folder / name, data)
        swap(output, [folder], [], tell)


def recover(output: Path, tell: Tell) -> None:
    """Complete a swap that had begun, or delete a build that had not reached that point."""
    if kind_of(output / JOURNAL) != "nothing":
        _complete(output, tell, lambda _: None)
        tell(f"{output.as_posix()}: an interrupted command has been finished")
    _clean(output, tell)


def _clean(output: Path, tell: Tell) -> None:
    for left in (NEW, OLD):
        with suppress(RecursionError):  # deeply nested folders that came with a download
            shutil.rmtree(output / left, ignore_errors=True)
    if kind_of(output / OLD) != "nothing":
        with suppress(Stop):  # the next swap reports that it is in the way
            _leave(output, tell)


def _hashes(folder: Path) -> dict[str, str]:
    """Return the hash of every file below a folder, by its relative path."""
    return {path.relative_to(folder).as_posix(): digest(path) for path in folder.rglob("*") if path.is_file()}


def _write_journal(output: Path, journal: _Journal, step: Step) -> None:
    draft = output / NEW / JOURNAL
    step("write a journal")
    draft.unlink(missing_ok=True)
    write_new(draft, json.dumps(asdict(journal)), sure=True)
    step("put the journal in its place")
    draft.replace(output / JOURNAL)


def _read_journal(output: Path) -> _Journal:
    data = read_json(output / JOURNAL)
    if isinstance(data, list):  # journals had this form before they listed files
        data = {"folders": data, "files": [], "kept": None}
    try:
        kept = None if data["kept"] is None else [_Kept(**one) for one in data["kept"]]
        journal = _Journal(data["folders"], data["files"], kept, data.get("older", ()))
        is_sound = all(map(FOLDERS.fullmatch, journal.folders)) and all(map(FILES.fullmatch, journal.files))
        is_sound = is_sound and all(one.is_sound() for one in journal.kept or ())
        is_sound = is_sound and set(journal.older) <= set(journal.files)
    except (TypeError, ValueError, KeyError):
        is_sound = False
    if not is_sound:
        place = Place((output / JOURNAL).as_posix())
        raise Stop.at(place, "this journal is not Grimalkin's", "remove the file, then build again")
    return journal


def _complete(output: Path, tell: Tell, step: Step) -> None:
    """Carry out a journal. Any step may be done already, so this can be called again at any point."""
    journal = _read_journal(output)
    try:
        _carry_out(output, journal, tell, step)
    except (Stop, OSError):
        tell(f"{output.as_posix()}: part of the new output is in place; the next command brings in the rest")
        raise
    step("clean up")
    _clean(output, tell)


def _carry_out(output: Path, journal: _Journal, tell: Tell, step: Step) -> None:
    for folder in journal.folders:
        _bring_in(output, folder, step)
    if journal.kept is None:
        for file in journal.older:
            _set_aside(output, file, step)
        journal = replace(journal, kept=_to_keep(output, journal))
        _write_journal(output, journal, step)
    moved: list[_Kept] = []
    stuck = False
    for one in journal.kept or ():
        try:
            moved += [one] if _keep(output, one, step) else []
        except OSError:
            stuck = True  # it stays where it was set aside
    for file in journal.files:
        refuse(output, f"{NEW}/{file}", "file")
        refuse(output, file, "file")
        if kind_of(output / NEW / file) == "file":
            (output / file).parent.mkdir(parents=True, exist_ok=True)
            step(f"bring {file} in")
            (output / NEW / file).replace(output / file)
    for one in moved:
        tell(WHY[one.why].format(name=(output / one.name).as_posix(), place=(output / one.place).as_posix()))
    if stuck:
        step("leave the old output to the user")
        _leave(output, tell)
    step("forget the journal")
    (output / JOURNAL).unlink()


def _leave(output: Path, tell: Tell) -> None:
    """Rename everything that was set aside, so that it is out of the way."""
    old = output / OLD
    numbered = islice(_numbered(PurePosixPath(KEPT)), 1, None)
    place = next(one for one in numbered if kind_of(output / one) == "nothing")
    try:
        old.rename(output / place)
    except OSError as error:
        told = f"its contents cannot be moved: {error.strerror}"
        raise Stop.at(
            Place(shown_path(old)), told, "close programs that have it open, then run the command again"
        ) from None
    tell(
        f"{(output / place).as_posix()} is older output, with files that could not be moved or removed; it is yours now"
    )


def _bring_in(output: Path, folder: str, step: Step) -> None:
    """Swap one folder with two renames."""
    for name in (f"{NEW}/{folder}", f"{OLD}/{folder}", folder):
        refuse(output, name, "folder")
    new, target, old = output / NEW / folder, output / folder, output / OLD / folder
    if kind_of(new) == "nothing":
        return
    try:
        if kind_of(target) != "nothing":
            old.parent.mkdir(parents=True, exist_ok=True)
            step(f"set {folder} aside")
            target.rename(old)
        target.parent.mkdir(parents=True, exist_ok=True)
        step(f"bring {folder} in")
        new.rename(target)
    except OSError as error:
        told = f"the new output is ready, but this cannot be replaced: {error.strerror}"
        hint = "close programs that have it open, or make it writable, then run the command again"
        raise Stop.at(Place(shown_path(target)), told, hint) from None


def _set_aside(output: Path, file: str, step: Step) -> None:
    """Move a file to the replaced folders, unless that is already done."""
    for name in (f"{NEW}/{file}", f"{OLD}/{file}", file):
        refuse(output, name, "file")
    old = output / OLD / file
    if kind_of(output / NEW / file) == "file" and kind_of(output / file) == "file":
        old.parent.mkdir(parents=True, exist_ok=True)
        step(f"set {file} aside")
        (output / file).replace(old)


def _to_keep(output: Path, journal: _Journal) -> list[_Kept]:
    """Return the user's own files among those set aside, each with a free path."""
    known = made(output)
    kept: dict[str, _Kept] = {}
    for file in journal.older:
        if kind_of(output / OLD / file) != "nothing":
            place = _free(output, file, kept)
            kept[place] = _Kept(file, place, "record" if file.startswith(f"{RECORDS}/") else "changed")
    for folder in journal.folders:
        for name, why in _foreign(output / OLD / folder, known.get(folder, {})):
            whole = f"{folder}/{name}" if name else folder
            place = _free(output, whole, kept)
            kept[place] = _Kept(whole, place, why)
    return list(kept.values())


def _foreign(folder: Path, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the path of everything in a folder that is not ours or has changed, with the reason.

    A folder about which nothing is or can be known is kept as a unit.
    """
    if kind_of(folder) == "nothing" or _is_empty(folder):
        return
    if not known:
        yield "", "unknown"
        return
    names = sorted(known)
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            kinds = {path: kind_of(path) for path in sorted(here.iterdir())}
        except OSError:  # no permission to look into it
            yield here.relative_to(folder).as_posix() if here != folder else "", "unknown"
            continue
        for path, kind in kinds.items():
            name = path.relative_to(folder).as_posix()
            if kind == "folder" and _is_any_below(name, names):
                waiting.append(path)
            elif name in known:
                if digest(path) != known[name]:
                    yield name, "changed"
            elif not _is_empty(path) if kind == "folder" else not (kind == "file" and LITTER.fullmatch(path.name)):
                yield name, "foreign"


def _is_empty(folder: Path) -> bool:
    try:
        return not any(folder.iterdir())
    except OSError:
        return False


def _is_any_below(folder: str, names: Sequence[str]) -> bool:
    """Return whether any of these sorted names is below a folder."""
    index = bisect(names, f"{folder}/")
    return index < len(names) and names[index].startswith(f"{folder}/")


def _free(output: Path, name: str, taken: Container[str]) -> str:
    """Return a free path in the folder for kept files, adding a number if the name is taken."""
    *folders, last = PurePosixPath(name).parts
    place = PurePosixPath(KEPT)
    try:
        for folder in folders:
            place = next(one for one in _numbered(place / folder) if kind_of(output / one) in ("nothing", "folder"))
        places = map(str, _numbered(place / last))
        return next(one for one in places if kind_of(output / one) == "nothing" and one not in taken)
    except OSError:  # no permission to look there; nothing will be moved there either
        return f"{KEPT}/{name}"


def _numbered(place: PurePosixPath) -> Iterator[PurePosixPath]:
    yield place
    for number in count(2):
        yield place.with_name(f"{place.stem}-{number}{place.suffix}")


def _keep(output: Path, one: _Kept, step: Step) -> bool:
    """Move one of the user's files to where it is kept, unless that is already done. Return whether it is there."""
    source, target = output / OLD / one.name, output / one.place
    refuse(output, f"{OLD}/{PurePosixPath(one.name).parent}", "folder")
    refuse(output, str(PurePosixPath(one.place).parent), "folder")
    if kind_of(source) == "nothing":
        return kind_of(target) != "nothing"
    if kind_of(target) != "nothing":  # it appeared after the swap was interrupted
        raise Stop.at(Place(target.as_posix()), "this is in the way", "move it, then run the command again")
    step(f"keep {one.name}")
    target.parent.mkdir(parents=True, exist_ok=True)
    source.rename(target)
    return True
