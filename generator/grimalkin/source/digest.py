"""Short names for content: a few characters that change with it and are easy to read off a card and type."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from grimalkin.source.files import ART_FILES, FONT_FILES, MOST_ART, MOST_BYTES, MOST_FONT, files_below, is_inside
from grimalkin.source.game_folders import data_folder, name_of
from grimalkin.source.tables import TABLE_FILES

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: no i, l, o or u, so that nothing is misread."""


def short_digest(data: bytes, length: int = 6) -> str:
    """Return the first characters of a SHA-256 in base 32, by default 30 bits.

    >>> short_digest(b"")
    'werc8g'
    """
    return in_letters(int.from_bytes(hashlib.sha256(data).digest(), "big") >> (256 - 5 * length), length)


def in_letters(number: int, length: int) -> str:
    """Return the lowest bits of a number in base 32, five for each character.

    >>> in_letters(33, 3)
    '011'
    """
    return "".join(ALPHABET[number >> 5 * (length - 1 - index) & 31] for index in range(length))


ANY = ("",)
"""Stands for all extensions: a template may include any file beside it."""
CONTENT = {
    "": TABLE_FILES,
    "examples": (".yaml",),
    "campaigns": (".yaml",),
    "playthroughs": (".yaml",),
    "scenarios": (".yaml",),
    "maps": (".txt",),
    "faces": ANY,
    "fonts": FONT_FILES,
    "icons": (".svg",),
    "art": ART_FILES,
    "stocks": (".yaml", ".svg"),
}
"""The files that affect a game's pieces or rules: folders, and the extensions of their files."""
LAYOUT = {
    "papers": (".yaml",),
    "cutters": (".yaml",),
    "labels": (".yaml",),
    "shops": (".yaml",),
    "simulations": (".json",),
    "versions": (".json",),
}
"""The other files that affect its sheets, orders or pages."""
LONGEST = 200
"""The limit for the characters of a path in game.yaml."""
_BETWEEN = re.compile(r"""[]['",{}\n]|[:-]\s|\s\#""")
"""What stands between words in game.yaml: quotation marks, brackets, commas, keys and comments."""
BESIDE = "simulations.yaml"
"""A file that says nothing about the game itself; it counts as part of the layout."""


def files_digest(folders: Iterable[Path]) -> str:
    """Return a digest of the names and contents of all files below some folders, wherever links lead.

    Hidden files and Python's compiled files do not count.
    """
    total = hashlib.sha256()
    for folder in folders:
        for path in sorted(files_below(folder, folder)):
            _add(total, path.relative_to(folder).as_posix(), path.read_bytes())
    return total.hexdigest()


def game_digest(folder: Path, layout: bool = False, without: Container[Path] = ()) -> str:
    """Return a digest of the files that make a game, except those `without`; with `layout`, also of its papers, cutters
    and simulations.

    Only files that are read count, and their line endings do not. A file too large to be read counts by its size.
    """
    return _digest_of(folder, {**CONTENT, **(LAYOUT if layout else {})}, layout, without)


def looks_digest(folder: Path) -> str:
    """Return a digest of the files in a game's folders that its pictures are made from: templates, fonts, art."""
    return _digest_of(folder, {name: CONTENT[name] for name in ("faces", "fonts", "icons", "art", "stocks")})


def _digest_of(
    folder: Path, kinds: Mapping[str, Sequence[str]], layout: bool = False, without: Container[Path] = ()
) -> str:
    total = hashlib.sha256()
    for name, endings in kinds.items():
        inside = folder / name
        paths = files_below(inside, folder) if name else {*folder.glob("*"), *_named_tables(folder)}
        read = {*endings, *(ending.upper() for ending in endings if not name)}
        for path in sorted(path for path in paths if endings is ANY or path.suffix in read):
            if path.name.startswith(".") or (path.name == BESIDE and not layout):
                continue
            if not path.is_file() or not is_inside(path, folder) or path in without:
                continue
            size = path.stat().st_size
            most = {"fonts": MOST_FONT, "art": MOST_ART}.get(name)
            data = str(size).encode() if size > (most or MOST_BYTES) else path.read_bytes()
            if most is None:
                data = data.replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf")
            _add(total, f"{name}/{path.relative_to(inside).as_posix()}", data)
    return total.hexdigest()


def _named_tables(folder: Path) -> Iterator[Path]:
    """Yield the tables in subfolders that game.yaml names. Everything that looks like the path of one counts."""
    path = folder / "game.yaml"
    if not path.is_file() or not is_inside(path, folder) or path.stat().st_size > MOST_BYTES:
        return
    for word in set(_BETWEEN.split(path.read_text("utf-8", "replace"))):
        below = folder / word.strip()
        if "/" in word and len(word) <= LONGEST and below.suffix.lower() in TABLE_FILES:
            yield below


def _add(total: hashlib._Hash, path: str, data: bytes) -> None:
    # On some systems, file names are bytes that need not be UTF-8.
    total.update(os.fsencode(path) + f"\0{len(data)}\0".encode() + data)


def content_fingerprint(folder: Path) -> str:
    """Return six characters that stand for everything behind a game's faces and rules: its folder and the templates."""
    templates = data_folder("templates")
    shared = [templates / "faces" / name_of(folder), templates / "faces" / "base"]
    shared += [templates / "icons", templates / "stocks"]
    return short_digest(f"{game_digest(folder)} {files_digest(shared)}".encode())
