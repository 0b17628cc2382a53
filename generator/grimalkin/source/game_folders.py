"""Find things: the data that comes with Grimalkin, and the folder of a game that a user names."""

from __future__ import annotations

import os
import sys
from functools import cache, lru_cache
from pathlib import Path

from grimalkin.games import find_outside, outside_games
from grimalkin.problems import Place, Problems, Stop, did_you_mean

INSTALLED_IN = ("site-packages", "dist-packages")
"""The names of folders that Python installs packages into."""


@cache
def bundled() -> Path:
    """Return the folder with `content`, `templates` and `site`: an installed package's, otherwise the repository's."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "data"
    return inside if inside.is_dir() else package.parent.parent


def is_installed(folder: Path) -> bool:
    """Return whether a folder came with an installed package; in a checkout, anybody may add files."""
    return _lies_in_packages(folder.absolute(), tuple(sys.path))


@lru_cache(maxsize=1000)  # called for every file that is read
def _lies_in_packages(folder: Path, path: tuple[str, ...]) -> bool:
    if bundled().name == "data" and folder.is_relative_to(bundled()):
        return True
    return any(folder.is_relative_to(place) for place in path if Path(place).name in INSTALLED_IN)


def data_folder(kind: str) -> Path:
    """Return one of the bundled folders: "content", "templates" or "site"."""
    return bundled() / kind


def bundled_games() -> list[str]:
    """Return the names of the games that come with Grimalkin, sorted: those found in the folder."""
    return sorted(path.parent.name for path in data_folder("content").glob("*/game.yaml"))


def local_games() -> list[str]:
    """Return the names of the games in ./content, sorted."""
    return sorted(path.parent.name for path in Path("content").glob("*/game.yaml"))


def all_games(problems: Problems) -> list[str]:
    """Return the names of all known games, sorted: those in ./content, ours, and those from other packages.

    Games from other packages that have problems are left out, and their problems are added.
    """
    return sorted({*local_games(), *bundled_games(), *outside_games(problems)})


def name_of(folder: Path) -> str:
    """Return the name of a game: that of its folder. A link counts under its own name."""
    return Path(os.path.normpath(folder.absolute())).name


def hint_without_game(folder: Path) -> str:
    """Return a hint on how to make a game from the files in a folder without a game.yaml."""
    names = sorted(path.name for path in folder.iterdir())
    meant = [name for name in names if name.lower() in ("game.yml", "game.yaml", "game.yaml.txt", "game.txt")]
    tables = [folder / name for name in names if _is_table(folder / name)]
    if meant:
        return f"rename {meant[0]} to game.yaml"
    return _begin_with(tables[0]) if tables else "name the folder of a game"


def _is_table(path: Path) -> bool:
    from grimalkin.source.tables import TABLE_FILES

    return path.suffix.lower() in TABLE_FILES and path.suffix.lower() not in (".yaml", ".json", ".txt")


def _begin_with(table: Path) -> str:
    return f"`grimalkin new my-game --from {table}` turns the table into a game"


def find_game_folder(name: str) -> Path:
    """Return the folder of a game: a path if `name` has a slash, otherwise ./content/NAME or an installed game.

    Of installed games, ours come first. Raise Stop if there is none.
    """
    if "/" in name or "\\" in name or name in (".", ".."):
        folder = Path(name)
        if (folder / "game.yaml").is_file():
            return folder
        if folder.is_file():
            hint = _begin_with(folder) if _is_table(folder) else f"name the folder {folder.parent}"
            raise Stop.at(Place(name), "this is a file, but a game is a folder", hint)
        if not folder.is_dir():
            raise Stop.at(Place(name), "there is no such folder", "name the folder of a game")
        raise Stop.at(Place(name), "this folder has no game.yaml", hint_without_game(folder))
    for parent in (Path("content"), data_folder("content")):
        if (parent / name / "game.yaml").is_file():
            return parent / name
    outside = find_outside(name)
    if outside is not None:
        return outside.folder()
    if (Path(name) / "game.yaml").is_file():
        raise Stop.at(Place(name), "name a game of your own by its path", f"did you mean ./{name}?")
    hint = did_you_mean(name, all_games(Problems())) or "see `grimalkin games`"
    raise Stop.at(Place(name), "there is no game with this name", hint)
