"""Faces in, PNG out, over several processes. The pictures are the same for any number of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from grimalkin.draw.png import develop, pixels, shoot
from grimalkin.export.designs import Design, Done, faces_of, look, write
from grimalkin.face import Face
from grimalkin.face.export import standalone_svg
from grimalkin.problems import Place, Problems

CHUNK = 12
"""Faces that share a PDF, and with it its fonts and forms."""
SMALL = 4 * CHUNK
"""With fewer faces than this, starting processes takes longer than drawing."""
MOST_PROCESSES = 61
"""Python refuses to start more on Windows."""
MOST_PIXELS = 150_000_000
"""Of one picture; more needs gigabytes of memory, and no printer shows it."""

T = TypeVar("T")
Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A picture of a face: its file's name, and the canvas it lies on, in pixels, when it is not its own size."""

    name: str
    face: Face
    canvas: Size | None = None
    turned: bool = False


def export_png(
    designs: Sequence[Design], folder: Path, dpi: int, bleed: bool, square: bool, jobs: int, done: Done
) -> int:
    """A picture of every face. Returns how many."""
    wanted = [Wanted(f"{face.id}.png", face) for face in faces_of(designs)]
    for name, data in pictures(wanted, dpi, bleed, square, jobs, done):
        write(folder, name, data)
    return len(wanted)


def export_svg(designs: Sequence[Design], folder: Path, bleed: bool, done: Done) -> int:
    """Every face as an SVG file with its fonts inside. Returns how many."""
    faces = faces_of(designs)
    for face in faces:
        write(folder, f"{face.id}.svg", standalone_svg(face, face.alt, bleed))
        done(1)
    return len(faces)


def check_sizes(designs: Sequence[Design], dpi: int, bleed: bool, place: Place, problems: Problems) -> None:
    """A problem for every stock whose pictures would be too large."""
    for stock in dict.fromkeys(design.stock for design in designs):
        edge = 2 * stock.bleed if bleed else 0
        width, height = stock.width + edge, stock.height + edge
        count = pixels(width, dpi) * pixels(height, dpi)
        if count > MOST_PIXELS:
            most = int((MOST_PIXELS / (width * height)) ** 0.5 * 25.4)
            size = f"{stock.width:g} × {stock.height:g} mm"
            message = f"a picture of {size} has {count // 1_000_000} million pixels at {dpi} dpi"
            problems.add(place, message, f"at most {most} dpi")


def pictures(
    wanted: Sequence[Wanted], dpi: int, bleed: bool, square: bool, jobs: int, done: Done
) -> Iterator[tuple[str, bytes]]:
    """The names and contents of the pictures, one by one. Faces that look the same are drawn once."""
    names: dict[object, list[str]] = {}
    distinct: list[Wanted] = []
    for one in wanted:
        key = (look(one.face), one.canvas, one.turned)
        if key not in names:
            names[key] = []
            distinct.append(one)
        names[key].append(one.name)
    groups = iter(names.values())
    chunks = [distinct[start : start + CHUNK] for start in range(0, len(distinct), CHUNK)]
    # Drawing to PDF takes a tenth of the time, and its faces do not travel between processes: it stays here.
    tasks = (
        shoot([one.face for one in chunk], dpi, bleed, square, [(one.canvas, one.turned) for one in chunk])
        for chunk in chunks
    )
    for drawn in in_parallel(develop, tasks, jobs if len(distinct) >= SMALL else 1):
        for data in drawn:
            same = next(groups)
            for name in same:
                yield name, data
            done(len(same))


def in_parallel(function: Callable[..., T], tasks: Iterable[tuple[object, ...]], jobs: int) -> Iterator[T]:
    """The results of a function in the order of its tasks, of which only a few are under way or waiting at a time."""
    if jobs == 1:
        for task in tasks:
            yield function(*task)
        return
    jobs = min(jobs, MOST_PROCESSES)
    with ProcessPoolExecutor(jobs) as pool:
        waiting: deque[Future[T]] = deque()
        for task in tasks:
            waiting.append(pool.submit(function, *task))
            if len(waiting) > 2 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
