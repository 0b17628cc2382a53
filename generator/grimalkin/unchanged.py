"""What a build was made from, and what it made: when neither has changed, nothing needs to be drawn again.

Only hashes are compared, no times of files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path

from grimalkin.sheet.settings import Settings
from grimalkin.source import data_folder, files_digest, game_digest

STATE = ".grimalkin-state.json"
DRAWN_WITH = (
    "brotli", "ezdxf", "fonttools", "jinja2", "lxml", "markdown", "mkdocs", "pillow", "pydantic", "pypdfium2",
    "reportlab",
)  # fmt: skip
"""Packages that have a say in the bytes of the output, besides those of fonts."""


@dataclass(frozen=True)
class Made:
    """What was made of one game: from which inputs, which files with which hash, how many sheets and pictures."""

    key: str
    files: Mapping[str, str]
    sheets: int
    pictures: int


@dataclass(frozen=True)
class State:
    """What an output folder holds."""

    key: str = ""
    games: Mapping[str, Made] = field(default_factory=dict)
    site: Mapping[str, str] = field(default_factory=dict)
    pages: int = 0


def build_key(folders: Sequence[Path], papers: Sequence[str], settings: Settings) -> str:
    """A hash of everything a build of these games depends on."""
    keys = [game_key(folder, papers, settings) for folder in folders]
    return _digest([*keys, files_digest([data_folder("site")])])


def game_key(folder: Path, papers: Sequence[str], settings: Settings) -> str:
    """A hash of everything the sheets and pictures of a game depend on."""
    return _digest(
        [str(folder.resolve()), game_digest(folder, layout=True), _program(), repr(tuple(papers)), repr(settings)]
    )


@cache
def _program() -> str:
    """A hash of Grimalkin itself, its templates, and the versions of what it draws with."""
    package = Path(__file__).parent
    total = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        total.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    fonts = {entry.dist.name for entry in entry_points(group="fonts_ttf") if entry.dist is not None}
    versions = []
    for name in sorted({*DRAWN_WITH, *fonts}):
        try:
            versions.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            versions.append(name)
    return _digest([total.hexdigest(), files_digest([data_folder("templates")]), *versions])


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def kept(output: Path) -> State:
    """What the last build noted in its output folder; an empty state when there is nothing to rely on."""
    try:
        data = json.loads((output / STATE).read_text(encoding="utf-8"))
        games = {name: Made(**made) for name, made in data["games"].items()}
        return State(data["key"], games, data["site"], data["pages"])
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return State()


def note(output: Path, state: State) -> None:
    """Write what an output folder holds now."""
    games = {name: vars(made) for name, made in state.games.items()}
    data = {"key": state.key, "games": games, "site": state.site, "pages": state.pages}
    draft = output / f"{STATE}.part"
    draft.write_text(json.dumps(data, indent=1), encoding="utf-8")
    draft.replace(output / STATE)


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def hashes(root: Path, folders: Sequence[str]) -> dict[str, str]:
    """The hash of every file below some folders, by its path from the root."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in folders
        for path in sorted((root / folder).rglob("*"))
        if path.is_file()
    }


def intact(output: Path, files: Mapping[str, str]) -> bool:
    """Whether all files are there as they were made."""
    try:
        return all(hashlib.sha256((output / name).read_bytes()).hexdigest() == hash_ for name, hash_ in files.items())
    except OSError:
        return False


def nothing_to_do(output: Path, folders: Sequence[Path], papers: Sequence[str], settings: Settings) -> State | None:
    """What a build would make, if it is all there already."""
    state = kept(output)
    if not state.key or state.key != build_key(folders, papers, settings):
        return None
    files = dict(state.site)
    for folder in folders:
        made = state.games.get(folder.resolve().name)
        if made is None:
            return None
        files.update(made.files)
    return state if intact(output, files) else None
