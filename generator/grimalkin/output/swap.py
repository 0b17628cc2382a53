"""Replace output whole or not at all: build beside it, then swap folder by folder under a journal.

`os.replace` onto a folder that holds something fails, so a swap takes two renames a folder. The journal is written when
all of the new output is there; from then on a swap that was cut off is completed by the next command. Without a journal
the half-built output is thrown away, and the last good output was never touched.

The marker lists every file that was made, with its hash. What else lies in a folder that is replaced is the user's, and
moves to a folder of its own. It is looked for in what was set aside, where nobody changes it any more, and noted in the
journal before the first of it moves: so a swap that is completed later tells all of it, once.
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

from filelock import FileLock, Timeout

from grimalkin.output.disk import digest, faults, kind_of, read_json, read_small, refuse, stays_below, write_new
from grimalkin.problems import Place, Problems, Stop, shown_path

NEW, OLD, JOURNAL, LOCK = ".grimalkin-new", ".grimalkin-old", ".swap.json", ".lock"
PATIENCE = 4
"""Seconds. The processes that helped a build which was killed hold its lock until they notice, a moment later."""
MARKER = ".made-by-grimalkin"
"""Stands in every output folder and lists what was made in it. What it does not list is somebody's own."""
STATE = ".grimalkin-state.json"
"""What the last build was made from."""
RECORDS = "records"
KEPT = "kept"
"""Where files of the user's go that lay in a folder which was replaced. Nothing there is ever touched again."""

FOLDERS = re.compile(r"(sheets|cards|print|rulebooks|boxes)/[a-z0-9-]+|site|png|svg|tts|mpc|tgc|zip|uvtt")
FILES = re.compile(
    rf"{RECORDS}/[a-z0-9-]+/[a-z0-9-]+\.json|rulebooks/[a-z0-9-]+\.pdf|{re.escape(STATE)}|{re.escape(MARKER)}"
)
"""All that is ever replaced. A journal that names anything else is not ours."""
MADE = "Made by Grimalkin, which replaces these folders:"
LISTED = re.compile(r"([0-9a-f]{64})  (.+)")
"""A file in the marker, as `sha256sum --check` reads it."""
LITTER = re.compile(r"\.DS_Store|Thumbs\.db|desktop\.ini|\._.*", re.IGNORECASE)
"""What systems leave in every folder that somebody looks into."""

Made = Mapping[str, Mapping[str, str]]
"""By folder the hash of every file that was made in it, by its path from there."""
Step = Callable[[str], None]
"""Called before every change on disk; tests stop the process there."""
Tell = Callable[[str], None]
"""Takes what the user is to read when the command is done."""


@dataclass(frozen=True)
class _Kept:
    """A file or folder of the user's, where it was below the output folder, and the place below it where it goes."""

    name: str
    place: str
    why: str

    def is_sound(self) -> bool:
        """Whether it may be carried out, wherever it was read."""
        return stays_below(self.name) and bool(_below(KEPT, self.place)) and self.why in WHY


WHY = {
    "foreign": "{name} was not made by Grimalkin: it is now {place}",
    "changed": "{name} was changed since it was made: your copy is now {place}",
    "unknown": "{name} may hold files of yours: all of it is now {place}",
    "record": "{name} said something else than what is recorded now: it is now {place}",
}


@dataclass(frozen=True)
class _Journal:
    """What is to be done, and, when all folders are in their places, what is to be kept of the old ones."""

    folders: Sequence[str]
    files: Sequence[str] = ()
    kept: Sequence[_Kept] | None = None
    older: Sequence[str] = ()
    """Those of the files whose older ones are kept."""


@contextmanager
def staging(output: Path, folders: Sequence[str], tell: Tell) -> Iterator[Path]:
    """An empty folder to build into, while no other build may run. A swap that was cut off is finished first.

    `folders` are those that will be replaced: what stands in their way is told before the work begins.
    """
    place = Place(shown_path(output))
    try:
        output.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        told = "the output folder cannot be made: there is a file of this name, or on the way to it"
        raise Stop.at(place, told, "remove it, or choose another --output") from None
    except OSError as error:
        raise Stop.at(place, f"the output folder cannot be made: {error.strerror}") from None
    for name in (LOCK, JOURNAL, MARKER, STATE):
        refuse(output, name, "file")
    for name in (NEW, OLD, KEPT):
        refuse(output, name, "folder")
    if kind_of(output / JOURNAL) == "nothing":  # before a lock is left in a folder of somebody else's
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
            write_new(new / JOURNAL, "")  # whoever removes the folder before there is a journal removes this, too
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
    """Finish a swap that was cut off, if there is one. Until then, what lies in the output folder says nothing.

    The old folders are the last to go: a swap that was cut off there has no journal any more.
    """
    if any(kind_of(output / name) != "nothing" for name in (JOURNAL, OLD)):
        with staging(output, [], tell):
            pass


def refuse_foreign(output: Path, folders: Sequence[str]) -> None:
    """Stop when a folder to be replaced was not made by Grimalkin."""
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
    """What Grimalkin has made in an output folder."""
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
    """The path of a file from its folder; nothing when it does not lie there."""
    rest = name.removeprefix(f"{folder}/")
    return rest if rest != name and stays_below(rest) else ""


def _noted_before(output: Path) -> dict[str, str]:
    """The files that a state lists. It did so before the marker did."""
    data = read_json(output / STATE)
    try:
        lists = [data["site"], *(game["files"] for game in data["games"].values())]
        return {name: str(hash_) for files in lists for name, hash_ in files.items()}
    except (KeyError, TypeError, AttributeError):
        return {}


def is_intact(output: Path, files: Mapping[str, str]) -> bool:
    """Whether all these files are in an output folder as they were made."""
    return all(
        stays_below(name) and not faults(output, name, "file") and digest(output / name) == hash_
        for name, hash_ in files.items()
    )


def swap(
    output: Path,
    folders: Sequence[str],
    files: Sequence[str],
    tell: Tell,
    step: Step = lambda _: None,
    older: Sequence[str] = (),
) -> None:
    """Put the folders and files built below the staging folder in the place of the old ones.

    `older` are those of the files that are kept when one is there already.
    """
    assert all(map(FOLDERS.fullmatch, folders)) and all(map(FILES.fullmatch, files))
    refuse_foreign(output, folders)
    new = output / NEW
    if kind_of(new / JOURNAL) != "file":
        raise Stop.at(Place(new.as_posix()), "this was removed meanwhile", "run the command again")
    listed = {**made(output), **{folder: _hashes(new / folder) for folder in folders}}
    lines = [MADE]
    for folder in sorted(listed):
        lines += [folder, *(f"{hash_}  {folder}/{name}" for name, hash_ in sorted(listed[folder].items()))]
    write_new(new / MARKER, "\n".join(lines) + "\n")
    _write_journal(output, _Journal(folders, [*files, MARKER], older=older), step)
    _complete(output, tell, step)


def recover(output: Path, tell: Tell) -> None:
    """Complete a swap that had been decided, or throw away a build that had not."""
    if kind_of(output / JOURNAL) != "nothing":
        _complete(output, tell, lambda _: None)
        tell(f"{output.as_posix()}: a command that was cut off has been finished")
    _clean(output, tell)


def _clean(output: Path, tell: Tell) -> None:
    for left in (NEW, OLD):
        with suppress(RecursionError):  # folders in folders in folders that came with a download
            shutil.rmtree(output / left, ignore_errors=True)
    if kind_of(output / OLD) != "nothing":
        with suppress(Stop):  # the next swap tells what it is in the way of
            _leave(output, tell)


def _hashes(folder: Path) -> dict[str, str]:
    """The hash of every file below a folder, by its path from there."""
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
    if isinstance(data, list):  # as they were before files had a part in it
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
        raise Stop.at(place, "this is not a journal of Grimalkin", "remove the file, then build again")
    return journal


def _complete(output: Path, tell: Tell, step: Step) -> None:
    """Carry out a journal. Every line may be done already: it can be called again at any point."""
    journal = _read_journal(output)
    try:
        _carry_out(output, journal, tell, step)
    except (Stop, OSError):
        tell(f"{output.as_posix()}: part of the new output is in its place; the next command brings in the rest")
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
            stuck = True  # it stays with all that was set aside
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
    """Give all that was set aside a name of its own, where it is in nobody's way."""
    old = output / OLD
    numbered = islice(_numbered(PurePosixPath(KEPT)), 1, None)
    place = next(one for one in numbered if kind_of(output / one) == "nothing")
    try:
        old.rename(output / place)
    except OSError as error:
        told = f"what is in it cannot be moved: {error.strerror}"
        raise Stop.at(Place(shown_path(old)), told, "close what has it open, then run the command again") from None
    tell(f"{(output / place).as_posix()} is older output, with what could not be moved or removed: it is yours now")


def _bring_in(output: Path, folder: str, step: Step) -> None:
    """Swap one folder, by two renames."""
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
        hint = "close what has it open, or make it writable, then run the command again"
        raise Stop.at(Place(shown_path(target)), told, hint) from None


def _set_aside(output: Path, file: str, step: Step) -> None:
    """Put a file with the folders that were replaced, unless that is done."""
    for name in (f"{NEW}/{file}", f"{OLD}/{file}", file):
        refuse(output, name, "file")
    old = output / OLD / file
    if kind_of(output / NEW / file) == "file" and kind_of(output / file) == "file":
        old.parent.mkdir(parents=True, exist_ok=True)
        step(f"set {file} aside")
        (output / file).replace(old)


def _to_keep(output: Path, journal: _Journal) -> list[_Kept]:
    """What is the user's of what was set aside, each with a place that is free."""
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
    """What in a folder is not as it was made, by its path from there, and why.

    A folder in which nothing is known, or nothing can be, is kept as one.
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
        except OSError:  # somebody may not look into it
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
    """Whether any of these names, which are sorted, is below a folder."""
    index = bisect(names, f"{folder}/")
    return index < len(names) and names[index].startswith(f"{folder}/")


def _free(output: Path, name: str, taken: Container[str]) -> str:
    """A place below the folder of what is kept at which nothing is. A number is added to what is taken."""
    *folders, last = PurePosixPath(name).parts
    place = PurePosixPath(KEPT)
    try:
        for folder in folders:
            place = next(one for one in _numbered(place / folder) if kind_of(output / one) in ("nothing", "folder"))
        places = map(str, _numbered(place / last))
        return next(one for one in places if kind_of(output / one) == "nothing" and one not in taken)
    except OSError:  # somebody may not look there; nothing will be moved there, either
        return f"{KEPT}/{name}"


def _numbered(place: PurePosixPath) -> Iterator[PurePosixPath]:
    yield place
    for number in count(2):
        yield place.with_name(f"{place.stem}-{number}{place.suffix}")


def _keep(output: Path, one: _Kept, step: Step) -> bool:
    """Move what is the user's to where it is kept, unless that is done. Whether it is there."""
    source, target = output / OLD / one.name, output / one.place
    refuse(output, f"{OLD}/{PurePosixPath(one.name).parent}", "folder")
    refuse(output, str(PurePosixPath(one.place).parent), "folder")
    if kind_of(source) == "nothing":
        return kind_of(target) != "nothing"
    if kind_of(target) != "nothing":  # it came while the swap was cut off
        raise Stop.at(Place(target.as_posix()), "this is in the way", "move it, then run the command again")
    step(f"keep {one.name}")
    target.parent.mkdir(parents=True, exist_ok=True)
    source.rename(target)
    return True
