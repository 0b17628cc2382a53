"""Cache of compiled templates: compiling takes a third of the time of a small game's sheets.

Each template has one file, which is replaced when the template changes. The file records its source and its
compiler; a file that does not match is ignored.
"""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import sys
from collections.abc import Iterable
from dataclasses import astuple
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from grimalkin.printing.face.templating import allowed, sandbox, template_trees
from grimalkin.source.cache import Cache, cache_folder

MOST_FILES = 500
"""Beyond this limit all files are deleted; those that are needed are soon recreated."""
MOST_BYTES = 1_000_000
"""The limit for one file. Ours are less than a tenth of it."""
ENDING = ".compiled"
_OF_FACES = tuple(str(one.__file__) for one in (allowed, sandbox, template_trees))


def compiled_templates(compiler: Iterable[str] = _OF_FACES) -> CompiledTemplates | None:
    """Return the cache, or None if it is not wanted, or if its folder is unsafe or cannot be created.

    `compiler` lists the source files, apart from Jinja's, that affect how templates are compiled.
    """
    folder = cache_folder("templates")
    try:
        return CompiledTemplates(folder, b"".join(Path(one).read_bytes() for one in compiler)) if folder else None
    except OSError:
        return None


class CompiledTemplates(BytecodeCache):
    """Compiled templates in a folder. `compiler` is the code, apart from Jinja's, that affects compilation."""

    def __init__(self, folder: Path, compiler: bytes) -> None:
        self.cache = Cache(folder, ENDING, MOST_FILES, MOST_BYTES)
        self.compiler = b"\0".join(
            [compiler, version("jinja2").encode(), sys.version.encode(), importlib.util.MAGIC_NUMBER]
        )
        self.paths: dict[str, Path] = {}
        """The file of each template, by name."""

    def get_bucket(self, environment: Any, name: str, filename: str | None, source: str) -> Bucket:
        """Return a template's bucket, with its code if that is cached. Jinja calls this, and compiles if necessary."""
        parts = [name, filename or "", repr(environment.autoescape), source]
        digest = hashlib.sha256(self.compiler)
        for part in parts:
            digest.update(b"\0" + part.encode(errors="surrogateescape"))
        bucket = Bucket(environment, name, digest.hexdigest())
        path = self.paths[name] = self.cache.path(filename or "")
        try:
            body = self.cache.read(path, bucket.checksum.encode())
            if body is not None:
                bucket.code, made = marshal.loads(body)
                if made:
                    environment.parsed[name] = template_trees.Parsed(*made)
        except (ValueError, EOFError, TypeError):
            bucket.reset()
        return bucket

    def set_bucket(self, bucket: Bucket) -> None:
        """Keep a compiled template; if it is a face, keep its shape too."""
        shapes: dict[str, template_trees.Parsed] = getattr(bucket.environment, "parsed", {})
        made = astuple(shapes[bucket.key]) if shapes else None
        self.cache.write(self.paths[bucket.key], bucket.checksum.encode() + marshal.dumps((bucket.code, made)))
