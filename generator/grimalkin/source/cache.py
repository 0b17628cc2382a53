"""Keep results of earlier runs in the user's cache folder: compiled templates, pictures prepared for print,
packed fonts, hyphenation.

Each thing has one file, named after what it was made from. The file begins with a digest of the rest, so a damaged file
counts as missing. Files that other users can write are never read. Failing to write is not reported: the next run
computes the thing again. `GRIMALKIN_CACHE` names a folder to use instead of the one from `platformdirs`, or is `off`.
"""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grimalkin.source.files import write_over

_DIGEST = 32
"""The length of SHA-256, in bytes."""


def cache_folder(kind: str) -> Path | None:
    """Return the cache folder for this kind of thing; None if no cache is wanted, or it is unsafe or cannot be made."""
    named = os.environ.get("GRIMALKIN_CACHE")
    if named == "off":
        return None
    import platformdirs

    try:
        found = Path(named).absolute() if named else platformdirs.user_cache_path("grimalkin", appauthor=False)
        folder = found / kind
        if not folder.is_absolute():  # there is no home
            return None
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if _is_ours(folder.lstat(), stat.S_ISDIR) else None
    except OSError:
        return None


@dataclass(frozen=True)
class Cache:
    """Files of one kind in a folder, at most `most_bytes` each and `most_in_all` together, and `most_files` of them.

    Beyond these limits, all files are deleted: those still needed will soon be back.
    """

    folder: Path
    ending: str
    most_files: int
    most_bytes: int
    most_in_all: int | None = None

    def path(self, key: str) -> Path:
        return self.folder / (hashlib.sha256(os.fsencode(key)).hexdigest()[:32] + self.ending)

    def read(self, path: Path, begins: bytes = b"") -> bytes | None:
        """Return a file's content after the digest; None without a file, or if it is not ours, is damaged or begins
        differently."""
        try:
            if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe would wait for somebody to write
                return None
            with path.open("rb") as file:
                about = os.fstat(file.fileno())
                if not _is_ours(about, stat.S_ISREG) or about.st_size > self.most_bytes + _DIGEST:
                    return None
                data = file.read()
        except OSError:
            return None
        digest, body = data[:_DIGEST], data[_DIGEST:]
        if hashlib.sha256(body).digest() != digest or not body.startswith(begins):
            return None
        return body[len(begins) :]

    def write(self, path: Path, body: bytes) -> None:
        """Write a file in one step, so that another run never sees half of it."""
        if len(body) > self.most_bytes:
            return
        try:
            files = list(self.folder.glob(f"*{self.ending}*"))
            size = sum(one.stat().st_size for one in files) if self.most_in_all else 0
            if len(files) >= self.most_files or (self.most_in_all and size + len(body) > self.most_in_all):
                for old in files:
                    old.unlink(missing_ok=True)
            write_over(path, hashlib.sha256(body).digest() + body, 0o600)
        except OSError:
            pass


def _is_ours(about: os.stat_result, is_kind: Any) -> bool:
    """Return whether a file is of this kind, belongs to the current user, and cannot be written by anybody else.

    Windows reports neither owner nor mode here; a profile's folders belong only to its user.
    """
    if not is_kind(about.st_mode):
        return False
    return os.name == "nt" or (about.st_uid == os.geteuid() and not about.st_mode & 0o022)
