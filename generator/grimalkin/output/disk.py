"""Files that we write, new and whole, with their names in what goes wrong; and files of an output folder, read under
limits and never through a link. What a game's folder holds is read by `source.files`, where links may stay inside.

An output folder may have come with a download, so what lies in it is not trusted. What changes it while a command runs
is: that is the user.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath, PurePosixPath
from typing import Any, Literal

from grimalkin.problems import Place, Problem, Stop

MOST_BYTES = 16_000_000
"""Of a file that is read whole. The list of what was made has a hundred bytes for each file of the output."""
MOST_HASHED = 2**30
"""Bytes. No file that Grimalkin makes comes near."""
_JUNCTION = 0xA0000003
"""What Windows calls a folder that leads to another one; it is not a link to Python before 3.12."""

NOWHERE = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL)
"""What a system says of a path at which nothing is, or can be."""
MOST_LETTERS = 4096
"""Of a path. No system takes more."""
MOST_PARTS = 100
"""Of a path that was read from a file. Python makes folders one inside the other by calling itself."""

Kind = Literal["nothing", "file", "folder", "link", "other"]
_TOLD = {
    "file": "this is a file, a folder is needed",
    "folder": "this is a folder, a file is needed",
    "link": "this is a link",
    "other": "this is neither a file nor a folder",
}


def kind_of(path: Path) -> Kind:
    """What lies at a path itself, wherever it may lead."""
    try:
        about = path.lstat()
    except OSError as error:
        if error.errno in NOWHERE:
            return "nothing"
        raise
    if stat.S_ISLNK(about.st_mode) or getattr(about, "st_reparse_tag", 0) == _JUNCTION:
        return "link"
    if stat.S_ISDIR(about.st_mode):
        return "folder"
    return "file" if stat.S_ISREG(about.st_mode) else "other"


def faults(output: Path, name: str, wanted: Kind) -> list[Problem]:
    """What is in the way of a file or folder below an output folder: on the way to it are folders, and no links."""
    parts = PurePosixPath(name).parts
    for length in range(1, len(parts) + 1):
        path = output.joinpath(*parts[:length])
        kind = kind_of(path)
        if kind == "nothing":
            break
        if kind != (wanted if length == len(parts) else "folder"):
            return [Problem(Place(path.as_posix()), _TOLD[kind], "remove it, or choose another --output")]
    return []


def refuse(output: Path, name: str, wanted: Kind) -> None:
    """Stop when something is in the way of a file or folder below an output folder."""
    found = faults(output, name, wanted)
    if found:
        raise Stop(found)


def stays_below(name: str) -> bool:
    """Whether a name that was read from a file leads to a place below the folder that it is about, with no detour.

    >>> [stays_below(name) for name in ("site/index.html", "../x", "site/../../x", "/etc/x", "site//etc/x", ".", "")]
    [True, False, False, False, False, False, False]
    """
    if len(name) > MOST_LETTERS or "\0" in name:
        return False
    try:
        os.fsencode(name)
    except UnicodeEncodeError:  # JSON can hold halves of characters
        return False
    parts = name.split("/")
    return len(parts) <= MOST_PARTS and not PurePath(name).anchor and not {"", ".", ".."}.intersection(parts)


def read_small(path: Path, most: int = MOST_BYTES) -> bytes | None:
    """What a file holds, None when there is none. Stops at what is no file, and at one that is too large."""
    refuse(path.parent, path.name, "file")
    if kind_of(path) == "nothing":
        return None
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise Stop.at(Place(path.as_posix()), "this is too large", f"at most {most:,} bytes are read")
    return data


def read_json(path: Path) -> Any:
    """What a small file of JSON says; None when there is none, or when it says nothing."""
    data = read_small(path)
    try:
        return None if data is None else json.loads(data)
    except (ValueError, RecursionError):
        return None


def digest(path: Path) -> str:
    """The hash of a file; nothing when there is none, or none that can be read."""
    if kind_of(path) != "file" or path.stat().st_size > MOST_HASHED:
        return ""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def write_new(path: Path, data: bytes | str, sure: bool = False) -> None:
    """Write a file that is not there yet, and the folders above it; if it must be `sure`, onto the disk itself."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with naming(path), path.open("xb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
        if sure:
            file.flush()
            os.fsync(file.fileno())


def replace_file(path: Path, data: bytes | str) -> None:
    """Write a file completely or not at all; until then, the old one stays."""
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    write_new(beside, data, sure=True)
    beside.replace(path)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Errors while a file is written bear its name. A write knows none: that the disk is full would be all it says."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise
