"""Short names for content: a few characters that change when it changes, easy to read off a card and to type."""

from __future__ import annotations

import hashlib
import os
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
    return in_letters(int.from_bytes(hashlib.sha256(data).digest(), "big") >> (256 - 5 * length), length)


def in_letters(number: int, length: int) -> str:
    """The lowest bits of a number in base 32, five in a character.

    >>> in_letters(33, 3)
    '011'
    """
    return "".join(ALPHABET[number >> 5 * (length - 1 - index) & 31] for index in range(length))


CONTENT = {
    "": (".yaml", ".csv"),
    "examples": (".yaml",),
    "playthroughs": (".yaml",),
    "faces": (".j2",),
    "icons": (".svg",),
    "stocks": (".yaml",),
}
"""What of a game's folder can be seen on its pieces or read in its rules: folders, and the endings of their files."""
LAYOUT = {"papers": (".yaml",), "cutters": (".yaml",), "simulations": (".json",)}
"""What else of it has a say in its sheets or its pages."""
BESIDE = "simulations.yaml"
"""Says nothing about the game itself: it counts with the layout."""


def files_digest(folders: Iterable[Path]) -> str:
    """A digest of every file below some folders, linked ones too: their names and what is in them, wherever they lie.

    Hidden files and what Python compiles do not count.
    """
    total = hashlib.sha256()
    for folder in folders:
        for path in _files_below(folder):
            data = path.read_bytes()
            total.update(f"{path.relative_to(folder).as_posix()}\0{len(data)}\0".encode() + data)
    return total.hexdigest()


def game_digest(folder: Path, layout: bool = False) -> str:
    """A digest of the files that make a game, and of its papers, cutters and simulations if `layout` is wanted.

    Only files that are read count; how their lines end does not.
    """
    total = hashlib.sha256()
    for name, endings in {**CONTENT, **(LAYOUT if layout else {})}.items():
        inside = folder / name
        paths = sorted(inside.glob("*")) if not name else _files_below(inside)
        for path in paths:
            if path.name == BESIDE and not layout:
                continue
            if path.suffix in endings and path.is_file() and not path.name.startswith("."):
                data = path.read_bytes().replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf")
                total.update(f"{name}/{path.relative_to(inside).as_posix()}\0{len(data)}\0".encode() + data)
    return total.hexdigest()


def _files_below(folder: Path) -> list[Path]:
    """Every file below a folder, sorted. Links are followed, each folder once."""
    found: list[Path] = []
    seen: set[str] = set()
    for here, folders, files in os.walk(folder, followlinks=True):
        real = os.path.realpath(here)
        folders[:] = [name for name in folders if not name.startswith((".", "__pycache__"))]
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        found += [Path(here) / name for name in files if not name.startswith(".")]
    return sorted(found)


def content_fingerprint(folder: Path) -> str:
    """Six characters for all that makes a game's faces and rules: its folder, and the templates it draws on."""
    templates = data_folder("templates")
    shared = [templates / "faces" / folder.resolve().name, templates / "faces" / "base"]
    shared += [templates / "icons", templates / "stocks"]
    return short_digest(f"{game_digest(folder)} {files_digest(shared)}".encode())
