"""Read the art of a game: check each picture and drawing in its folder `art` once, and report faults."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from grimalkin.printing.face.images.drawings import Drawing, Flattened, read_drawing
from grimalkin.printing.face.images.pictures import Picture, inspected, kind_of
from grimalkin.problems import Place, Problem, Problems, did_you_mean, shown_path
from grimalkin.problems.plain import listed
from grimalkin.source import files_below, files_in, is_inside, read_bytes
from grimalkin.source.files import ART_FILES, MOST_ART, PICTURES

LONGEST_PATH = 200
MOST_DRAWING = 5_000_000
"""The limit for a drawing, in bytes."""
Art = Picture | Drawing | Flattened
JUST_NOW = 100_000_000
"""In nanoseconds. Two writes closer together may give a file the same time."""


def mark_of(path: Path) -> object:
    """Return a file's state: equal until the file is written again, and never equal if it was written just now."""
    try:
        about = path.stat()
    except OSError:
        return None
    if time.time_ns() - about.st_mtime_ns < JUST_NOW:
        return object()
    return about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns


def _lies(path: Path, folder: Path) -> bool:
    """Return whether a regular file is inside a folder."""
    try:
        return is_inside(path, folder) and path.is_file()
    except (OSError, ValueError):
        return False


class Pictures(dict[str, Path]):
    """The pictures and drawings of a game, by their paths in its folder `art`."""

    def __init__(self, folder: Path | None, problems: Problems, before: Pictures | None = None) -> None:
        """Reuse pictures that were read `before` from files that have not changed."""
        self.folder = folder
        self.problems = problems
        found = files_in(folder, "art", ART_FILES, problems) if folder else []
        deeper = files_below(folder / "art", folder) if folder else ()
        found += sorted(path for path in deeper if path.suffix in ART_FILES)
        super().__init__({path.relative_to(folder / "art").as_posix(): path for path in found if folder})
        self.known: dict[str, Art | None] = {}
        self.notes: dict[Problem, None] = {}
        """Remarks on the pictures that were read."""
        self.marks: dict[str, object] = {}
        """The state of each file when it was read."""
        self.asked: set[str] = set()
        """Pictures that were looked up since a caller last cleared this."""
        if before:
            self._take_over(before)

    def _take_over(self, before: Pictures) -> None:
        """Take over pictures from files that have not been written since, with their remarks, but no faults."""
        for name in before.known.keys() & self.keys():
            if before.known[name] is not None and before.marks[name] == mark_of(self[name]):
                self.known[name], self.marks[name] = before.known[name], before.marks[name]
        paths = {shown_path(self[name]) for name in self.known}
        self.notes.update(dict.fromkeys(note for note in before.notes if note.place.path in paths))

    @classmethod
    def of(cls, folder: Path, paths: Mapping[str, Path], problems: Problems) -> Pictures:
        """Return the pictures at these paths in a folder, by the given names."""
        made = cls(None, problems)
        made.folder = folder
        made.update(paths)
        return made

    def hint(self, name: str) -> str:
        """Return a hint for a name without a picture."""
        if "://" in name:
            return "nothing is downloaded: save it in the game's folder art, and write art/NAME"
        ending = Path(name[-100:]).suffix.lower()
        unread = ending and ending not in ART_FILES
        if (
            self.folder
            and unread
            and re.fullmatch(r"[\w./ -]{1,100}", name)
            and os.path.lexists(self.folder / "art" / name)
        ):
            return f"a file that ends in {ending} is not read: save it as JPEG, PNG or SVG"
        if not self:
            return "put it in the game's folder art"
        last = name.replace("\\", "/").rpartition("/")[2]
        same = [one for one in self if Path(one).stem == name or one.rpartition("/")[2] == last]
        if same:
            return f"write {listed([f'art/{one}' for one in same], 'or')}"
        return did_you_mean(name, self, "put it in the game's folder art")

    def misplaced(self, name: str) -> str:
        """Return the path of a picture in the game's folder but outside `art`; "" if there is none."""
        path = Path(name.replace("\\", "/"))
        if (
            self.folder is None
            or len(name) > LONGEST_PATH
            or path.is_absolute()
            or path.suffix not in ART_FILES
            or path.parts[0] == "art"
        ):
            return ""
        places = (path, Path(path.name))
        return next((str(one) for one in places if _lies(self.folder / one, self.folder)), "")

    def find(self, href: str) -> Picture | None:
        """Return the picture that an SVG block in a template names, if it is one of these."""
        name = href.removeprefix("art/")
        found = self.picture(name) if name in self else None
        return found if isinstance(found, Picture) else None

    def picture(self, name: str) -> Art | None:
        """Return a picture; None if it is unusable, which is reported once."""
        self.asked.add(name)
        if name not in self.known:
            self.marks[name] = mark_of(self[name])
            self.known[name] = self._picture(self[name])
        return self.known[name]

    def _picture(self, path: Path) -> Art | None:
        assert self.folder is not None
        is_drawing = path.suffix.lower() == ".svg"
        data = read_bytes(path, self.problems, self.folder, MOST_DRAWING if is_drawing else MOST_ART)
        if data is None:
            return None
        if is_drawing and (kind := kind_of(data)) in PICTURES.values():
            hint = f"rename it to end in .{kind.lower()}"
            self.problems.add(Place(shown_path(path)), f"this is a {kind} file, but its name says SVG", hint)
            return None
        if is_drawing:
            drawing = read_drawing(data, path)
            if not isinstance(drawing, list):
                for line, message, hint in drawing.remarks:
                    self.notes[Problem(Place(shown_path(path), line), message, hint)] = None
                return drawing
            for line, message, hint in drawing:
                self.problems.add(Place(shown_path(path), line), message, hint)
            return None
        found = inspected(data, PICTURES[path.suffix.lower()])
        if isinstance(found, tuple):
            self.problems.add(Place(shown_path(path)), *found)
            return None
        if found.note:
            self.notes[Problem(Place(shown_path(path)), found.note)] = None
        digest = sha256(data).hexdigest()[:32]
        about = found.kind, found.stored, found.turn
        return Picture(path, self.folder, digest, *about, len(data), may_pass=found.may_pass)
