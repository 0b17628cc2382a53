"""Short names for content: a few characters that change when it changes, easy to read off a card and to type."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from grimalkin.source.where import data_folder

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: no i, l, o or u, so that nothing is misread."""


def short_digest(data: bytes, length: int = 6) -> str:
    """The first characters of a SHA-256 in base 32, 30 bits of it by default.

    >>> short_digest(b"")
    'werc8g'
    """
    number = int.from_bytes(hashlib.sha256(data).digest(), "big")
    return "".join(ALPHABET[number >> (251 - 5 * index) & 31] for index in range(length))


def files_digest(folders: Iterable[Path]) -> str:
    """A digest of every file below some folders: their names and what is in them, wherever they lie."""
    total = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                total.update(f"{path.relative_to(folder).as_posix()}\0{path.stat().st_size}\0".encode())
                total.update(path.read_bytes())
    return total.hexdigest()


def content_fingerprint(folder: Path) -> str:
    """Six characters for all that makes a game's faces and rules: its folder, and the templates it draws on."""
    name = folder.resolve().name
    templates = data_folder("templates")
    shared = [templates / "faces" / name, templates / "faces" / "base", templates / "icons", templates / "stocks"]
    return short_digest(files_digest([folder, *shared]).encode())
