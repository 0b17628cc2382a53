"""Write new files completely, naming them in errors, and read files of an output folder safely.

Reading has limits and never follows a link. (`source.files` reads the folder of a game, where links may stay inside.)
An output folder may have come with a download, so its contents are not trusted. Changes made while a command runs are
trusted: they are the user's.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from pathlib import Path, PurePath, PurePosixPath
from typing import Any, Literal

from grimalkin.problems import Place, Problem, Stop

MOST_BYTES = 16_000_000
"""The maximum number of bytes in a file to read at once. The list of made files has a hundred bytes for each file."""
SMALL = 2**20
"""The size up to which a file is hashed as a whole: a buffer for a larger one takes longer to make than to fill."""
MOST_HASHED = 2**30
"""The maximum number of bytes in a file to hash. No file made by Grimalkin comes close."""
_JUNCTION = 0xA0000003
"""The tag of a junction, a Windows folder that leads to another folder; Python before 3.12 does not call it a link."""

NOWHERE = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL)
"""The errors for a path where nothing exists, or can exist."""
MOST_LETTERS = 4096
"""The maximum number of characters in a path. No system allows more."""
MOST_PARTS = 100
"""The maximum number of parts in a path read from a file. Python makes nested folders by recursion."""

Kind = Literal["nothing", "file", "folder", "link", "other"]
_TOLD = {
    "file": "this is a file, but a folder is needed",
    "folder": "this is a folder, but a file is needed",
    "link": "this is a link",
    "other": "this is neither a file nor a folder",
}


def kind_of(path: Path) -> Kind:
    """Return the kind of thing at a path itself, without following links."""
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
    """Return anything in the way of a file or folder in an output folder; its path must be folders, not links."""
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
    """Stop if anything is in the way of a file or folder in an output folder."""
    found = faults(output, name, wanted)
    if found:
        raise Stop(found)


def stays_below(name: str) -> bool:
    """Return whether a name read from a file leads directly to a place below its folder.

    >>> [stays_below(name) for name in ("site/index.html", "../x", "site/../../x", "/etc/x", "site//etc/x", ".", "")]
    [True, False, False, False, False, False, False]
    """
    if len(name) > MOST_LETTERS or "\0" in name:
        return False
    try:
        os.fsencode(name)
    except UnicodeEncodeError:  # JSON can hold lone surrogates
        return False
    parts = name.split("/")
    if len(parts) > MOST_PARTS or not {"", ".", ".."}.isdisjoint(parts):
        return False
    # Only on Windows can there still be a drive or a root; most names need no PurePath, which is slow to make.
    return not ((name[0] == "\\" or name[1:2] == ":") and PurePath(name).anchor)


def read_small(path: Path, most: int = MOST_BYTES) -> bytes | None:
    """Return a file's content, or None if there is no file. Stop if it is not a file, or too large."""
    refuse(path.parent, path.name, "file")
    if kind_of(path) == "nothing":
        return None
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise Stop.at(Place(path.as_posix()), "this file is too large", f"at most {most:,} bytes are read")
    return data


def read_json(path: Path) -> Any:
    """Return the data in a small JSON file; None if there is no file or it is not JSON."""
    data = read_small(path)
    try:
        return None if data is None else json.loads(data)
    except (ValueError, RecursionError):
        return None


def digest(path: Path) -> str:
    """Return the hash of a file; "" if there is no file, or it cannot be read."""
    if kind_of(path) != "file":
        return ""
    try:
        with path.open("rb", 0) as file:
            size = os.fstat(file.fileno()).st_size
            if size > MOST_HASHED:
                return ""
            if size > SMALL:
                return hashlib.file_digest(file, "sha256").hexdigest()
            return hashlib.sha256(file.readall()).hexdigest()
    except OSError:
        return ""


def write_new(path: Path, data: bytes | str, sure: bool = False) -> None:
    """Write a file that does not exist yet, and the folders above it; with `sure`, flush it to the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with naming(path), path.open("xb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
        if sure:
            file.flush()
            os.fsync(file.fileno())


class Written(MutableMapping[str, bytes]):
    """Files in a folder, by name. Putting one in writes it, and every lookup reads it again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, None] = {}

    def __setitem__(self, name: str, data: bytes) -> None:
        if name in self.names:
            (self.folder / name).unlink()
        write_new(self.folder / name, data)
        self.names[name] = None

    def __getitem__(self, name: str) -> bytes:
        if name not in self.names:
            raise KeyError(name)
        return (self.folder / name).read_bytes()

    def __delitem__(self, name: str) -> None:
        del self.names[name]
        (self.folder / name).unlink()

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


class Chosen(Mapping[str, bytes]):
    """Files of several mappings: by name, the mapping that has each. Every lookup asks that mapping."""

    def __init__(self, chosen: Mapping[str, Mapping[str, bytes]]) -> None:
        self.chosen = chosen

    def __getitem__(self, name: str) -> bytes:
        return self.chosen[name][name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.chosen)

    def __len__(self) -> int:
        return len(self.chosen)


def replace_file(path: Path, data: bytes | str) -> None:
    """Replace a file in one step; until then, the old one stays."""
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    write_new(beside, data, sure=True)
    beside.replace(path)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Add the file's name to errors while it is written: errors such as a full disk have none."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise
