"""Pages of PDFs as pictures: examined once, drawn as vectors on printed sheets, and as pixels everywhere else.

`foreign` reads the files, in a separate process that can be stopped.
"""

from __future__ import annotations

import json
import re
import stat
import struct
import subprocess
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from grimalkin.printing.draw.canvas import PackedCanvas
from grimalkin.printing.draw.foreign import DPI, MOST_BYTES, MOST_SIDE
from grimalkin.printing.face.images.pictures import Picture
from grimalkin.problems import Place, Problem, Problems, Stop, shown_path
from grimalkin.source import is_inside, read_bytes

READ: Final = [sys.executable, "-I", "-m", "grimalkin.printing.draw.foreign"]
LONGEST: Final = 60
"""Seconds to wait for work that should take a second or two."""
AT_ONCE: Final = 48
"""Pages read at a time, to save starting a process for each."""
MOST_KEPT: Final = 96


class Sized(NamedTuple):
    """Width and height of a page as displayed, in millimetres."""

    width: float
    height: float
    bleed: float
    """Millimetres of bleed around the trim on every side."""


@dataclass(eq=False)
class Pages:
    """The pages of several PDFs in the order in which they will be drawn, read a few at a time."""

    notes: dict[Problem, None]
    """A collection that receives each remark."""
    jobs: list[tuple[Path, int, str]] = field(default_factory=list)
    """The file, the page from 0, and the digest of the file."""
    kept: dict[tuple[str, int], bytes] = field(default_factory=dict)

    def add(self, path: Path, inside: Path, page: int, digest: str, sized: Sized) -> PdfPage:
        """Return a page as a picture."""
        self.jobs.append((path, page, digest))
        sides = [side + 2 * sized.bleed for side in sized[:2]]
        scale = min(DPI / 25.4, MOST_SIDE / max(sides))
        pixels = max(1, round(sides[0] * scale)), max(1, round(sides[1] * scale))
        own = sha256(f"{digest} {page}".encode()).hexdigest()[:32]
        return PdfPage(
            path, inside, own, "PNG", pixels, 1, 0, may_pass=False, pages=self, index=len(self.jobs) - 1, sized=sized
        )

    def get(self, do: str, index: int) -> bytes:
        """Return a page as a "picture" or as "vectors". Raise Stop on failure."""
        if (do, index) not in self.kept:
            while len(self.kept) > MOST_KEPT - AT_ONCE:
                del self.kept[next(iter(self.kept))]
            wanted = self.jobs[index : index + AT_ONCE]
            for number, answer in enumerate(ask(do, wanted), index):
                self.kept[do, number] = answer
        answer = self.kept[do, index]
        if answer[:1] == b"!":
            raise Stop.at(Place(shown_path(self.jobs[index][0])), answer[1:].decode(), "run the command again")
        return answer


@dataclass(frozen=True, eq=False)
class PdfPage(Picture):
    """A page of a PDF."""

    pages: Pages = field(kw_only=True, repr=False)
    index: int = field(kw_only=True)
    sized: Sized = field(kw_only=True)

    def read(self) -> bytes:
        """Return the page as a PNG. Raise Stop if it cannot be drawn."""
        return self.pages.get("picture", self.index)[1:]

    def form(self, canvas: PackedCanvas) -> str | None:
        """Add the page to a document as vectors. Return its name there, or None if it can only be a picture."""
        answer = self.pages.get("vectors", self.index)
        why = answer[1:].decode() if answer[:1] != b"." else ""
        objects = unpacked(answer[1:]) if not why else []
        shop = canvas.condition
        if shop and shop.standard == "x1a":
            why = "PDF/X-1a has no transparency"
        elif shop and objects and (shop.space != "cmyk" or not is_separated(objects)):
            why = "its colours are not all in CMYK, grey or spot colours"
        if not why:
            return canvas.hold_foreign(f"P{self.digest[:16]}", objects)
        if why == "pikepdf":
            message = "its pages are printed as pictures at 300 dpi"
            hint = 'pip install "grimalkin[pdf]" keeps lines and letters as they are'
        else:
            message, hint = f"page {self.pages.jobs[self.index][1] + 1} is printed as a picture at 300 dpi: {why}", ""
        self.pages.notes[Problem(Place(shown_path(self.path)), message, hint)] = None
        return None


def unpacked(answer: bytes) -> list[tuple[str, bytes | None]]:
    """Return the objects of a page: the text of each, in which @3@ refers to another, and its stream, if it has one."""
    (length,) = struct.unpack_from(">L", answer)
    at = 4 + length
    objects: list[tuple[str, bytes | None]] = []
    for text, size in json.loads(answer[4:at]):
        objects.append((text, None if size is None else answer[at : at + size]))
        at += size or 0
    return objects


def is_separated(objects: Sequence[tuple[str, bytes | None]]) -> bool:
    """Return whether a page taken as vectors has only colours that a print shop can print as they are.

    What cannot be read for sure counts as a colour of screens.
    """
    for text, data in objects:
        if _SCREEN.search(text):
            return False
        if data is not None and ("/BBox" in text or "/PatternType" in text):
            if "/FlateDecode" not in text or "/DecodeParms" in text or "/Filter[" in text.replace(" ", ""):
                return False
            try:
                code = zlib.decompressobj().decompress(data, MOST_BYTES)
            except zlib.error:
                return False
            if _SCREEN_CODE.search(code):
                return False
    return True


_SCREEN = re.compile(r"/(?:DeviceRGB|CalRGB|CalGray|Lab|ICCBased|JPXDecode|CharProcs)\b")
_SCREEN_CODE = re.compile(rb"(?<![^\s\])>])(?:rg|RG)(?![^\s/\[(<])|/(?:RGB|DeviceRGB)\b")


def look_at(paths: Sequence[Path], folder: Path, problems: Problems) -> dict[Path, tuple[str, list[Sized]]]:
    """Return the digest and the pages of each PDF in a folder. Report unreadable files, and leave them out."""
    sound = [path for path in paths if _may_be_read(path, folder, problems)]
    found: dict[Path, tuple[str, list[Sized]]] = {}
    for path, answer in zip(sound, ask("look", [(path, 0, "") for path in sound]) if sound else (), strict=True):
        told: dict[str, Any] = json.loads(answer)
        if "fault" in told:
            problems.add(Place(shown_path(path)), *told["fault"])
        elif not told["pages"]:
            problems.add(Place(shown_path(path)), "this PDF has no pages", "save it again")
        else:
            found[path] = told["digest"], [Sized(*page) for page in told["pages"]]
    return found


def _may_be_read(path: Path, folder: Path, problems: Problems) -> bool:
    """Return whether another process may read a file in a folder; report a problem if it may not."""
    try:
        status = path.stat()
        fits = stat.S_ISREG(status.st_mode) and status.st_size <= MOST_BYTES and is_inside(path, folder)
    except OSError:
        fits = False
    return fits or read_bytes(path, problems, folder, MOST_BYTES) is not None


def ask(do: str, jobs: Sequence[tuple[Path, int, str]]) -> list[bytes]:
    """Let a process do jobs, and return its answers, but only to the first jobs if the answers are large.

    Raise Stop with the name of the file at which the process failed.
    """
    asked = {"do": do, "jobs": [(str(path.absolute()), page, digest) for path, page, digest in jobs]}
    out, is_done = b"", False
    message = f"it takes more than {LONGEST} seconds to read"
    try:
        done = subprocess.run(READ, input=json.dumps(asked).encode(), capture_output=True, timeout=LONGEST, check=False)
        out, message, is_done = done.stdout, "this PDF cannot be drawn", done.returncode == 0
    except subprocess.TimeoutExpired as late:
        out = late.stdout or b""
    answers: list[bytes] = []
    at = 0
    while at + 4 <= len(out):
        (length,) = struct.unpack_from(">L", out, at)
        if at + 4 + length > len(out):
            break
        answers.append(out[at + 4 : at + 4 + length])
        at += 4 + length
    if len(answers) < len(jobs) and not (is_done and answers):
        path, page, _ = jobs[len(answers)]
        place = Place(shown_path(path))
        where = "" if do == "look" else f" (page {page + 1})"
        raise Stop.at(place, f"{message}{where}", "save it again, or as pictures")
    return answers
