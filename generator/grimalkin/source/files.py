"""The only access to the files in a game's folder: regular files of limited size, none of them outside it.

A folder can come from anybody. Links that stay inside are followed; a link that leads out, a pipe or a device is a
problem. This is also the only way to overwrite one of our files.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

from grimalkin.problems import Place, Problems, shown_path
from grimalkin.source.game_folders import is_installed

MOST_BYTES = 8_000_000
"""The most bytes in one file."""
MOST_FILES = 10_000
"""The most files of one kind in a game's folder."""
FONT_FILES = tuple(
    ending for kind in (".otc", ".otf", ".ttc", ".ttf", ".woff", ".woff2") for ending in (kind, kind.upper())
)
"""The file extensions of fonts."""
PICTURES = {
    ".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WebP", ".tif": "TIFF", ".tiff": "TIFF", ".gif": "GIF",
}  # fmt: skip
"""The file extensions of pictures, and the format that each stands for."""
ART_FILES = tuple(ending for kind in (*PICTURES, ".svg") for ending in (kind, kind.upper()))
"""The extensions of files in the folder `art`."""
MOST_ART = 100_000_000
"""The most bytes in a file in `art`."""
MOST_FONT = 32_000_000
"""The most bytes in a font: Chinese fonts have twenty million."""


def is_inside(path: Path, folder: Path) -> bool:
    """Return whether a path stays in a folder after following every link. The path need not exist.

    Some installers install everything as links, so in folders installed with Grimalkin, links may lead anywhere.
    """
    real = os.path.abspath if is_installed(folder) else os.path.realpath
    try:
        found, within = (os.path.normcase(real(one)) for one in (path, folder))
    except ValueError:  # a zero byte, which no file name contains
        return False
    return f"{found}{os.sep}".startswith(f"{within.rstrip(os.sep)}{os.sep}")


def read_bytes(path: Path, problems: Problems, inside: Path | None = None, most: int = MOST_BYTES) -> bytes | None:
    """Return the content of a regular file, or None with a problem.

    With `inside`, a file outside that folder is also a problem, even if it is reached through `..` or links.
    """
    found = _read(path, inside, most)
    if isinstance(found, bytes):
        return found
    problems.add(Place(shown_path(path)), *found)
    return None


def _read(path: Path, inside: Path | None, most: int) -> bytes | tuple[str, str]:
    """Return the bytes of a regular file, or a message and a hint."""
    if inside is not None and not is_inside(path, inside):
        return _outside(inside)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            return "this is a folder, not a file", "name a file"
        if not stat.S_ISREG(status.st_mode):
            return "this is not a regular file", "name a file"
        if status.st_size > most:
            return f"the file has {status.st_size:,} bytes", f"at most {most:,} are read"
        with path.open("rb") as file:
            return file.read(most)
    except (FileNotFoundError, ValueError):  # ValueError: a zero byte in the name
        return "there is no such file", ""
    except OSError as error:
        return f"the file cannot be read: {error.strerror}", ""


def write_over(path: Path, data: bytes, mode: int = 0o666, flush: bool = False) -> None:
    """Write a file in one step: readers find the old or the new content, never half of it.

    With `flush`, this holds even if the power fails: the data is on the disk before the file takes its name. Raise
    OSError if the disk is full; it names the temporary file, which has been deleted by then.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.new")
    draft.touch(mode, exist_ok=False)
    try:
        draft.write_bytes(data)
        if flush:
            with draft.open("r+b") as file:
                os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        error.filename = error.filename or str(draft)
        raise
    finally:
        draft.unlink(missing_ok=True)


def files_in(folder: Path, kind: str, ending: str | tuple[str, ...], problems: Problems) -> list[Path]:
    """Return the files `kind`/*`ending` in a game's folder, sorted. Report those that lead out, and leave them out.

    `ending` may be several extensions.
    """
    found: list[Path] = []
    place = folder / kind
    if not is_inside(place, folder):
        problems.add(Place(shown_path(place)), *_outside(folder))
        return found
    try:
        with os.scandir(place) as entries:
            for entry in entries:
                if not entry.name.endswith(ending) or entry.name.startswith("."):
                    continue
                if len(found) >= MOST_FILES:
                    problems.add(Place(shown_path(place)), f"there are more than {MOST_FILES:,} files in this folder")
                    return []
                path = place / entry.name
                if not entry.name.isprintable():  # including names with bytes that are not text
                    told = "this name has characters that cannot be shown"
                    problems.add(Place(shown_path(path)), told, "name the file with letters, digits and hyphens")
                elif entry.is_symlink() and not is_inside(path, folder):
                    problems.add(Place(shown_path(path)), *_outside(folder))
                else:
                    found.append(path)
    except FileNotFoundError:
        pass
    except NotADirectoryError:
        problems.add(
            Place(shown_path(place)),
            "this is a file, but a folder is needed",
            f"make a folder {kind}, or remove the file",
        )
    except OSError as error:
        problems.add(Place(shown_path(place)), f"the folder cannot be read: {error.strerror}")
    return sorted(found)


def files_below(folder: Path, inside: Path) -> Iterator[Path]:
    """Yield every regular file below a folder, in no particular order, except hidden ones.

    Links are followed as long as they stay `inside`, each folder once.
    """
    if not is_inside(folder, inside):
        return
    seen: set[str] = set()
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        real = os.path.realpath(here)
        if real in seen or not is_inside(here, inside):
            continue
        seen.add(real)
        for entry in _entries(here):
            path = here / entry.name
            if entry.is_symlink():
                kind = "folder" if path.is_dir() else "file" if path.is_file() and is_inside(path, inside) else ""
            else:
                kind = "folder" if entry.is_dir() else "file" if entry.is_file() else ""
            if kind == "file":
                yield path
            elif kind and not entry.name.startswith("__pycache__"):
                waiting.append(path)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """Return what is in a folder, except hidden things; nothing if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return [entry for entry in entries if not entry.name.startswith(".")]
    except OSError:
        return []


def _outside(folder: Path) -> tuple[str, str]:
    return "this leads out of the game's folder", f"only files in {shown_path(folder)} are read; copy it there"
