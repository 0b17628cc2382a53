"""Templates compiled by an earlier run: compiling takes a third of the time of a small game's sheets.

One file a template, which a change of the template replaces. It says what it was compiled from and by what, and holds
a digest of itself: a file that does not fit or is damaged is as good as none. What cannot be written is not kept, and
nothing is told. Its code is run, so only files that no other user can write are read.
`GRIMALKIN_CACHE` names another folder than the one that `platformdirs` does, or is `off`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import os
import stat
import sys
from collections.abc import Iterable
from dataclasses import astuple
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from grimalkin.face import parsed, priced, sandbox
from grimalkin.source.files import write_over

MOST_FILES = 500
"""Beyond it all are let go: what is needed is soon back."""
MOST_BYTES = 1_000_000
"""Of one of them. Ours have less than a tenth."""
ENDING = ".compiled"
_OF_FACES = tuple(str(one.__file__) for one in (sandbox, priced, parsed))
_DIGEST = 32
"""The length of SHA-256, in bytes."""


def compiled_templates(compiler: Iterable[str] = _OF_FACES) -> CompiledTemplates | None:
    """What earlier runs compiled, None when it is not wanted, or when its folder is not safe or cannot be made.

    `compiler` are the files of code that have a say in how they are compiled, besides Jinja's.
    """
    named = os.environ.get("GRIMALKIN_CACHE")
    if named == "off":
        return None
    import platformdirs

    try:
        found = Path(named).absolute() if named else platformdirs.user_cache_path("grimalkin", appauthor=False)
        folder = found / "templates"
        if not folder.is_absolute():  # there is no home
            return None
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_ours(folder.lstat(), stat.S_ISDIR):
            return None
        return CompiledTemplates(folder, b"".join(Path(one).read_bytes() for one in compiler))
    except OSError:
        return None


class CompiledTemplates(BytecodeCache):
    """Templates in a folder. `compiler` is the code that has a say in how they are compiled, besides Jinja's."""

    def __init__(self, folder: Path, compiler: bytes) -> None:
        self.folder = folder
        self.compiler = b"\0".join(
            [compiler, version("jinja2").encode(), sys.version.encode(), importlib.util.MAGIC_NUMBER]
        )
        self.paths: dict[str, Path] = {}
        """Where templates are kept, by their names."""

    def get_bucket(self, environment: Any, name: str, filename: str | None, source: str) -> Bucket:
        """What is known of a template: its code, if it is kept. Jinja calls it, and sets the code if there is none."""
        parts = [name, filename or "", repr(environment.autoescape), source]
        digest = hashlib.sha256(self.compiler)
        for part in parts:
            digest.update(b"\0" + part.encode(errors="surrogateescape"))
        bucket = Bucket(environment, name, digest.hexdigest())
        path = self.paths[name] = self.path(filename)
        try:
            body = self.read(path, bucket.checksum)
            if body is not None:
                bucket.code, made = marshal.loads(body)
                if made:
                    environment.parsed[name] = parsed.Parsed(*made)
        except (OSError, ValueError, EOFError, TypeError):
            bucket.reset()
        return bucket

    def set_bucket(self, bucket: Bucket) -> None:
        """Keep a template that was compiled; that of a face, with its shape."""
        shapes: dict[str, parsed.Parsed] = getattr(bucket.environment, "parsed", {})
        made = astuple(shapes[bucket.key]) if shapes else None
        body = bucket.checksum.encode() + marshal.dumps((bucket.code, made))
        if len(body) <= MOST_BYTES:
            self.write(self.paths[bucket.key], hashlib.sha256(body).digest() + body)

    def path(self, filename: str | None) -> Path:
        return self.folder / (hashlib.sha256(os.fsencode(filename or "")).hexdigest()[:32] + ENDING)

    def read(self, path: Path, checksum: str) -> bytes | None:
        """What a file holds behind its head, None when it is not ours, damaged, or of something else."""
        with path.open("rb") as file:
            about = os.fstat(file.fileno())
            if not is_ours(about, stat.S_ISREG) or about.st_size > MOST_BYTES + _DIGEST:
                return None
            data = file.read()
        digest, body = data[:_DIGEST], data[_DIGEST:]
        if hashlib.sha256(body).digest() != digest or not body.startswith(checksum.encode()):
            return None
        return body[len(checksum) :]

    def write(self, path: Path, data: bytes) -> None:
        """Write a file in one step, so that a run beside this one never sees half of it. What fails is left."""
        try:
            files = list(self.folder.glob(f"*{ENDING}*"))
            if len(files) >= MOST_FILES:
                for old in files:
                    old.unlink(missing_ok=True)
            write_over(path, data, 0o600)
        except OSError:
            pass


def is_ours(about: os.stat_result, is_kind: Any) -> bool:
    """Whether it is of this kind, belongs to who runs this, and nobody else may write it.

    Windows has neither owner nor mode here; a profile's folders are its user's alone.
    """
    if not is_kind(about.st_mode):
        return False
    return os.name == "nt" or (about.st_uid == os.geteuid() and not about.st_mode & 0o022)
