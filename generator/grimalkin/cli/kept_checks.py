"""Keep what `check` printed about a game in which it found no problem, until something that it depends on changes.

A report is in the user's cache folder, with digests of every file in the game's folder, and of Grimalkin with its
templates and the versions of what it draws with. Reports on drafts, on games with an engine from outside, which may
read anything, and on folders with links are not kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grimalkin.output.disk import kind_of
from grimalkin.source.cache import Cache, cache_folder

LEAST_SECONDS = 0.5
"""Processor time below which nothing is kept: making the digests would take as long as is saved."""
MOST_FILES = 2_000
"""The most files and folders in a game's folder whose report is kept."""
MOST_BYTES = 2**26
"""The most bytes in all of them."""
MOST_KEPT = 500
"""The most reports in the cache folder."""
MOST_PRINTED = 2**20
"""The most bytes of a report."""


@dataclass
class Report:
    """What `check` prints about a game: remarks to standard error, then lines to standard output."""

    remarks: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def print(self) -> None:
        for remark in self.remarks:
            print(remark, file=sys.stderr)
        for line in self.lines:
            print(line)


def files_of(folder: Path) -> str | None:
    """Return a digest of all files from which the report on a game is made; None if its report cannot be kept.

    Only replaying takes long, so a game without examples and playthroughs has none.
    """
    if _cache() is None or not any((folder / kind).is_dir() for kind in ("examples", "playthroughs")):
        return None
    from grimalkin.source import data_folder

    total = hashlib.sha256()
    try:
        # Texts of a variant may name the icons of the game that it is kin to.
        for place in (folder, *sorted(data_folder("content").glob("*/icons"))):
            for path, content in _everything(place):
                total.update(os.fsencode(f"{path}\0{len(content)}\0") + content)
    except (OSError, _Unfit):
        return None
    return total.hexdigest()


class _Unfit(Exception):
    """The report on a folder cannot be kept."""


def _everything(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of everything below a folder. Raises _Unfit at links, and beyond the limits."""
    open_, found, size = [folder], 0, 0
    while open_:
        with os.scandir(open_.pop()) as listed:
            entries = sorted(listed, key=lambda entry: os.fsencode(entry.name))
        for entry in entries:
            path, kind = Path(entry.path), kind_of(Path(entry.path))
            found, size = found + 1, size + entry.stat(follow_symlinks=False).st_size
            if found > MOST_FILES or size > MOST_BYTES or kind not in ("file", "folder"):
                raise _Unfit
            if kind == "folder":
                open_.append(path)
            yield f"{kind} {path}", path.read_bytes() if kind == "file" else b""


def find_report(folder: Path, rules: bool, files: str) -> Report | None:
    """Return the report that was kept when the game had these files, if nothing else has changed since."""
    cache = _cache()
    body = cache.read(cache.path(_name(folder, rules))) if cache else None
    try:
        match json.loads(body) if body is not None else None:
            case {"files": str(of), "made_with": str(by), "remarks": [*remarks], "lines": [*lines]}:
                if of == files and by == made_with(folder) and all(isinstance(one, str) for one in remarks + lines):
                    return Report(remarks, lines)
    except (ValueError, RecursionError):
        pass
    return None


def keep_report(folder: Path, rules: bool, files: str, report: Report) -> None:
    """Keep a report, if there is a place for it, and if nobody edited the game while it was checked."""
    cache = _cache()
    if cache and files == files_of(folder):
        kept = {"files": files, "made_with": made_with(folder), "remarks": report.remarks, "lines": report.lines}
        cache.write(cache.path(_name(folder, rules)), json.dumps(kept).encode())


def made_with(folder: Path) -> str:
    """Return a digest of the program that checks a game."""
    from grimalkin.output import unchanged

    return f"{sys.platform} {unchanged.made_with(folder)}"


def _name(folder: Path, rules: bool) -> str:
    """Return the name of a report. Remarks show paths as seen from the current folder."""
    return f"{rules}\0{Path.cwd()}\0{folder}\0{folder.resolve()}"


def _cache() -> Cache | None:
    folder = cache_folder("checks")
    return Cache(folder, ".check", MOST_KEPT, MOST_PRINTED) if folder else None
