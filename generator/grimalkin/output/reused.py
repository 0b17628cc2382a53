"""What the files of a build were made from, noted in the output folder for the next build.

A note says that a result with this digest of inputs gave these files, with their hashes; what is in them stays where it
is. An output folder may have come with a download, so the notes are sealed with a secret of this user: notes from
elsewhere, damaged ones, and those of another version are discarded, and everything is made again.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grimalkin.output.disk import MOST_BYTES, faults, kind_of, read_small, replace_file, stays_below
from grimalkin.output.swap import Tell
from grimalkin.problems import Stop
from grimalkin.source.cache import Cache, cache_folder
from grimalkin.source.reuse import Files

FOLDER = ".grimalkin-reuse"
"""The folder for the notes, with a file for each game."""
MOST_MADE = 2**28
"""The maximum number of bytes in a file that is used again."""
_SEAL = 32
"""The length of a seal, in bytes."""


def read_notes(output: Path, name: str, made_with: str, tell: Tell) -> dict[str, Any]:
    """Return the notes of a game's last build; empty if there are none, or they cannot be relied on.

    `made_with` is a digest of the program.
    """
    path = output / FOLDER / name
    secret = _secret()
    if secret is None or kind_of(output / FOLDER) == "nothing" or kind_of(path) == "nothing":
        return {}
    try:
        data = b"" if faults(output, f"{FOLDER}/{name}", "file") else read_small(path) or b""
    except (OSError, Stop):
        data = b""
    seal, body = data[:_SEAL], data[_SEAL:]
    if not hmac.compare_digest(seal, _sealed(secret, name, body)):
        tell(f"{path.as_posix()} is damaged or comes from elsewhere; everything in {name} is made again")
        return {}
    found = json.loads(zlib.decompress(body))
    if found["made_with"] != made_with:
        other = "another version of Grimalkin or of an engine"
        tell(f"{path.as_posix()} comes from {other}; everything in {name} is made again")
        return {}
    return dict(found["notes"])


def write_notes(output: Path, name: str, made_with: str, notes: Mapping[str, Any]) -> None:
    """Write the notes of a game for the next build, if a secret can be kept. A failure only costs time later."""
    secret = _secret()
    body = zlib.compress(json.dumps({"made_with": made_with, "notes": notes}, sort_keys=True).encode(), 1)
    if secret is None or len(body) + _SEAL > MOST_BYTES:
        return
    try:
        if faults(output, f"{FOLDER}/{name}", "file"):
            return
        (output / FOLDER).mkdir(exist_ok=True)
        replace_file(output / FOLDER / name, _sealed(secret, name, body) + body)
    except OSError:
        pass


def read_made(output: Path, files: Files) -> dict[str, bytes] | None:
    """Return the contents of files in an output folder, by path; None if one is missing or has changed."""
    found: dict[str, bytes] = {}
    for path, hash_ in files.items():
        if not stays_below(path) or faults(output, path, "file"):
            return None
        try:
            data = read_small(output / path, MOST_MADE)
        except (OSError, Stop):
            return None
        if data is None or hashlib.sha256(data).hexdigest() != hash_:
            return None
        found[path] = data
    return found


def _sealed(secret: bytes, name: str, body: bytes) -> bytes:
    return hmac.digest(secret, name.encode() + b"\0" + body, "sha256")


def _secret() -> bytes | None:
    """Return this user's secret, made on first use; None if it cannot be kept."""
    folder = cache_folder("secret")
    if folder is None:
        return None
    cache = Cache(folder, ".secret", 1, _SEAL)
    path = cache.path("reuse")
    if cache.read(path) is None:
        cache.write(path, os.urandom(_SEAL))
    return cache.read(path)
