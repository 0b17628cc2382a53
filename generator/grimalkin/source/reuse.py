"""What earlier results were made from, so that those made from the same things need not be made again."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Files = Mapping[str, str]
"""Files below an output folder: the SHA-256 of each, by its path."""


def key_of(*parts: Any) -> str:
    """Return a digest of plain values, the same in any process. The order of a mapping counts: templates can see it.

    >>> key_of("table", {"b": 1, "a": {3, 2}}) == key_of("table", {"b": 1, "a": {2, 3}})
    True
    >>> key_of("table", {"b": 1, "a": [2]}) == key_of("table", {"a": [2], "b": 1})
    False
    """
    return hashlib.sha256(json.dumps(parts, default=_plain).encode()).hexdigest()[:40]


def _plain(value: Any) -> Any:
    """Return a value that JSON does not know as plain data; a set is sorted."""
    if isinstance(value, set | frozenset):
        return sorted(value, key=repr)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no digest")


@dataclass
class Reuse:
    """The results of an earlier build of a game, by the digests of what they were made from.

    A result is plain data. If it names files, `read` returns their contents from the output folder; None if one of them
    is no longer as it was made. `used` are the results that are still true, for the next build.
    """

    known: Mapping[str, Any] = field(default_factory=dict)
    read: Callable[[Files], dict[str, bytes] | None] = lambda files: None
    used: dict[str, Any] = field(default_factory=dict)

    def find(self, key: str) -> Any:
        """Return what was noted about a result; None if it has to be made."""
        found = self.used.get(key, self.known.get(key))
        if found is not None:
            self.used[key] = found
        return found

    def note(self, key: str, result: Any) -> None:
        self.used[key] = result


def packed(notes: Mapping[str, Any]) -> bytes:
    """Return notes in as little room as possible, without needing much more on the way."""
    packer = zlib.compressobj(1)
    parts = [packer.compress(f"{json.dumps(note)}\n".encode()) for note in notes.items()]
    return b"".join([*parts, packer.flush()])


def unpacked(data: bytes) -> dict[str, Any]:
    """Return notes that were packed.

    >>> unpacked(packed({"page": {"html": "owl\\n"}, "film": ["a"]}))
    {'page': {'html': 'owl\\n'}, 'film': ['a']}
    """
    return dict(map(json.loads, zlib.decompress(data).splitlines())) if data else {}


def files_of(made: Mapping[str, bytes]) -> dict[str, str]:
    """Return the digests of files by their paths."""
    return {path: hashlib.sha256(data).hexdigest() for path, data in made.items()}
