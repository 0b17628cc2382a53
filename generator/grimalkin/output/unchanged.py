"""A build's inputs and results: if neither has changed, nothing needs to be drawn again.

Only hashes are compared, never file times. The hashes of made files are in the output folder's marker.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from grimalkin.engine.outside import code_print, offered
from grimalkin.floors import packages_of_others
from grimalkin.output.disk import MOST_HASHED, read_json, read_small
from grimalkin.output.swap import STATE, is_intact, made
from grimalkin.printing.sheet.settings import Settings
from grimalkin.source import data_folder, files_below, files_digest, game_digest, name_of

DRAWN_WITH = (
    "brotli", "cssselect2", "ezdxf", "fonttools", "jinja2", "lxml", "markdown", "mkdocs", "pillow", "pydantic",
    "pypdfium2", "pyphen", "reportlab", "resvg-py", "segno", "tinycss2", "uharfbuzz",
)  # fmt: skip
"""Packages that affect the bytes of the output, in addition to those of fonts."""
SHEET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\.pdf")
"""The names of our PDFs: ids, joined by hyphens."""
MOST_DIGITS = 10
"""The maximum number of digits in a count of made things."""


@dataclass(frozen=True)
class Made:
    """The results for one game: its inputs, hashes of records and book, and the numbers of sheets and pictures.

    For a draft, `draft` is the title of the game, and `unproved` counts the things not yet proved or not yet right.
    """

    key: str
    records: Mapping[str, str]
    sheets: int
    pictures: int
    draft: str = ""
    unproved: int = 0


@dataclass(frozen=True)
class State:
    """The contents of an output folder."""

    key: str = ""
    games: Mapping[str, Made] = field(default_factory=dict)
    pages: int = 0

    def text(self) -> str:
        """Return the state as JSON."""
        return json.dumps(asdict(self), indent=1)


@dataclass(frozen=True)
class Order:
    """An order for a build: which games, on which papers, and how. With `draft`, all games are drafts."""

    folders: Sequence[Path]
    papers: Sequence[str] = ("a4", "letter")
    settings: Settings = field(default_factory=Settings)
    draft: bool = False

    def key(self) -> str:
        """Return a hash of everything that a build of these games depends on."""
        return _digest([*self.keys().values(), files_digest([data_folder("site"), *packages_of_others()])])

    def keys(self) -> dict[str, str]:
        """Return, by game, a hash of everything that its sheets and pictures depend on."""
        return {name_of(folder): self._key_of(folder) for folder in self.folders}

    def _key_of(self, folder: Path) -> str:
        made_as = [made_with(folder), repr(tuple(self.papers)), repr(self.settings), *(["draft"] * self.draft)]
        return _digest([str(folder.resolve()), game_digest(folder, layout=True), *made_as])


def made_with(folder: Path) -> str:
    """Return a hash of the programs that make a game: Grimalkin and, for a game not included, engines of others."""
    strange = "" if folder.resolve().is_relative_to(data_folder("content").resolve()) else code_print()
    return _digest([_program(), strange])


@cache
def _program() -> str:
    """Return a hash of Grimalkin itself, its templates, and the versions of Python and of what it draws with."""
    package = Path(__file__).parents[1]
    total = hashlib.sha256()
    for path in sorted(path for path in files_below(package, package) if path.suffix == ".py"):
        total.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    fonts = {entry.dist.name for entry in offered("fonts_ttf") if entry.dist is not None}
    versions = [sys.version, zlib.ZLIB_RUNTIME_VERSION]
    for name in sorted({*DRAWN_WITH, *fonts}):
        try:
            found = distribution(name)
            versions.append(f"{name} {found.read_text('METADATA') or found.version}")  # to parse it takes longer
        except PackageNotFoundError:
            versions.append(name)
    return _digest([total.hexdigest(), files_digest([data_folder("templates")]), *versions])


def _digest(parts: Iterable[str]) -> str:
    # Paths may hold bytes that are not text, or not in our locale.
    return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()


def noted(output: Path) -> State:
    """Return the state that the last build noted in its output folder; empty if that is missing or damaged."""
    data = read_json(output / STATE)
    try:
        games = {name: _made_of(one) for name, one in data["games"].items()}
        return State(_text(data["key"]), games, _number(data["pages"]))
    except (ValueError, TypeError, KeyError, AttributeError):
        return State()


def _made_of(data: Any) -> Made:
    records = {name: _text(hash_) for name, hash_ in data["records"].items()}
    counts = _number(data["sheets"]), _number(data["pictures"])
    return Made(_text(data["key"]), records, *counts, _text(data["draft"]), _number(data["unproved"]))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("text is needed")
    return value


def _number(value: object) -> int:
    """Return a count if it is written as digits: neither `true` nor 1e5."""
    if type(value) is not int or not 0 <= value < 10**MOST_DIGITS:
        raise ValueError("a count is needed")
    return value


def hash_of(content: str | bytes) -> str:
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def folders_of(name: str) -> list[str]:
    """Return the folders in an output folder that hold everything that a build draws for a game."""
    return [f"sheets/{name}", f"cards/{name}"]


def intact(
    output: Path,
    folders: Sequence[str],
    records: Mapping[str, str],
    listed: Mapping[str, Mapping[str, str]] | None = None,
) -> bool:
    """Return whether everything made in these folders, and these records, are unchanged. `listed` is what was made."""
    listed = made(output) if listed is None else listed
    return is_intact(output, records) and all(
        folder in listed and is_intact(output, {f"{folder}/{name}": hash_ for name, hash_ in listed[folder].items()})
        for folder in folders
    )


def sheets_of(output: Path, name: str) -> dict[str, bytes]:
    """Return the sheets made for a game, by file name. The site shows them, so only names like ours count."""
    folder = f"sheets/{name}"
    names = filter(SHEET.fullmatch, made(output)[folder])
    found = {file: read_small(output / folder / file, MOST_HASHED) for file in names}
    return {file: data for file, data in found.items() if data is not None}


def unchanged(output: Path, keys: Mapping[str, str]) -> dict[str, Made]:
    """Return the results made for these games from the same inputs, if all are still there."""
    listed = made(output)
    games = {name: game for name, game in noted(output).games.items() if keys.get(name) == game.key}
    return {name: game for name, game in games.items() if intact(output, folders_of(name), game.records, listed)}


def nothing_to_do(output: Path, order: Order) -> State | None:
    """Return the state that a build would leave if everything is already there, otherwise None."""
    state = noted(output)
    if not state.key or state.key != order.key():
        return None
    names, listed = [name_of(folder) for folder in order.folders], made(output)
    whole = intact(output, ["site"], {}, listed) and all(
        name in state.games and intact(output, folders_of(name), state.games[name].records, listed) for name in names
    )
    return state if whole else None
