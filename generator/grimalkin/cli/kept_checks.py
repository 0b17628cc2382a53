"""Keep what `check` printed about a game in which it found no problem, until something that it depends on changes.

A report is kept in the user's cache folder under a digest of every file in the game's folder, of Grimalkin with its
templates, of the versions of what it draws with, and of the folders whose names remarks show. Reports on drafts, on
games with an engine from outside, which may read anything, and on folders with links are not kept.
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


def key_of(folder: Path, rules: bool) -> str | None:
    """Return a digest of everything that the report on a game depends on; None if its report cannot be kept.

    Only replaying takes long, so a game without examples and playthroughs has no key.
    """
    if not any((folder / kind).is_dir() for kind in ("examples", "playthroughs")):
        return None
    from grimalkin.output.unchanged import made_with
    from grimalkin.source import data_folder

    total = hashlib.sha256(repr((sys.platform, rules, made_with(folder))).encode())
    try:
        total.update(os.fsencode(f"{Path.cwd()}\0{folder}\0{folder.resolve()}"))
        bundled = data_folder("content")
        for place in (folder, *sorted(bundled.glob("*/icons"))):  # texts of a relative may name the icons of its kin
            for path, content in _everything(place):
                total.update(os.fsencode(f"\0{path}\0{len(content)}\0") + content)
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


def find_report(key: str) -> Report | None:
    """Return the report that was kept under this key, if there is one."""
    cache = _cache()
    body = cache.read(cache.path(key)) if cache else None
    return Report(**json.loads(body)) if body is not None else None


def keep_report(key: str, report: Report) -> None:
    """Keep a report, if there is a place for it."""
    cache = _cache()
    if cache:
        cache.write(cache.path(key), json.dumps({"remarks": report.remarks, "lines": report.lines}).encode())


def _cache() -> Cache | None:
    folder = cache_folder("checks")
    return Cache(folder, ".check", MOST_KEPT, MOST_PRINTED) if folder else None
