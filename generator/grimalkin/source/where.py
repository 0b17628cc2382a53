"""Where things lie: the data that comes with Grimalkin, and the folder of a game that a user names."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from grimalkin.problems import Place, Problem, Stop, did_you_mean


@cache
def bundled() -> Path:
    """The folder that holds `content`, `templates` and `site`: inside an installed package, else the repository."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "data"
    return inside if inside.is_dir() else package.parent.parent


def is_installed(folder: Path) -> bool:
    """Whether a folder came with an installed package, and not with a checkout, where anybody may put things."""
    return bundled().name == "data" and folder.absolute().is_relative_to(bundled())


def data_folder(kind: str) -> Path:
    """One of the bundled folders: "content", "templates" or "site"."""
    return bundled() / kind


def bundled_games() -> list[str]:
    """Names of the games that come with Grimalkin, sorted. The folder listing is the list."""
    return sorted(path.parent.name for path in data_folder("content").glob("*/game.yaml"))


def find_game_folder(name: str) -> Path:
    """The folder of a game: a path when `name` has a slash, else ./content/NAME, else the bundled game of that name."""
    if "/" in name or "\\" in name or name in (".", ".."):
        folder = Path(name)
        if (folder / "game.yaml").is_file():
            return folder
        if folder.is_file():
            hint = f"name the folder {folder.parent}"
            raise Stop([Problem(Place(name), "this is a file, a game is a folder", hint)])
        if not folder.is_dir():
            raise Stop([Problem(Place(name), "there is no such folder", "name the folder of a game")])
        raise Stop([Problem(Place(name), "this folder holds no game.yaml", "name the folder of a game")])
    for parent in (Path("content"), data_folder("content")):
        if (parent / name / "game.yaml").is_file():
            return parent / name
    if (Path(name) / "game.yaml").is_file():
        raise Stop([Problem(Place(name), "a game of your own is named by a path", f"did you mean ./{name}?")])
    local = [path.parent.name for path in Path("content").glob("*/game.yaml")]
    hint = did_you_mean(name, [*local, *bundled_games()]) or "see `grimalkin games`"
    raise Stop([Problem(Place(name), "there is no game of this name", hint)])
