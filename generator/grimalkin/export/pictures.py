"""Faces in, PNG out, over several processes. The pictures are the same for any number of them."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, parent_process
from pathlib import Path
from typing import TypeVar

from grimalkin.draw.png import Shot, develop, pixels, shoot
from grimalkin.export.designs import Design, Done, faces_of, look
from grimalkin.face import Face
from grimalkin.face.export import standalone_svg
from grimalkin.output.disk import write_new
from grimalkin.problems import Place, Problem, Problems, Stop

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


@dataclass(frozen=True, slots=True)
class Film:
    """Pictures that are drawn and still to be developed: a PDF, its shots, and the names that each will have."""

    names: Sequence[Sequence[str]]
    pdf: bytes
    shots: Sequence[Shot]


def export_png(
    designs: Sequence[Design], folder: Path, dpi: int, bleed: bool, square: bool, jobs: int, done: Done
) -> int:
    """A picture of every face. Returns how many."""
    wanted = [Wanted(f"{face.id}.png", face) for face in faces_of(designs)]
    for name, data in pictures(wanted, dpi, bleed, square, jobs, done):
        write_new(folder / name, data)
    return len(wanted)


def export_svg(designs: Sequence[Design], folder: Path, bleed: bool, done: Done) -> int:
    """Every face as an SVG file with its fonts inside. Returns how many."""
    faces = faces_of(designs)
    for face in faces:
        write_new(folder / f"{face.id}.svg", standalone_svg(face, face.alt, bleed))
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
    tasks = ((film,) for film in films(wanted, dpi, bleed, square))
    for made in in_parallel(developed, tasks, jobs if len(_alike(wanted)) >= SMALL else 1):
        for name, data in made:
            yield name, data
            done(1)


def films(wanted: Sequence[Wanted], dpi: int, bleed: bool, square: bool) -> Iterator[Film]:
    """The same pictures as films, each drawn when it is asked for.

    Drawing to PDF takes a tenth of the time, and its faces do not travel between processes; films do.
    """
    alike = _alike(wanted)
    for start in range(0, len(alike), CHUNK):
        chunk = alike[start : start + CHUNK]
        names = [[one.name for one in same] for same in chunk]
        lying = [(same[0].canvas, same[0].turned) for same in chunk]
        yield Film(names, *shoot([same[0].face for same in chunk], dpi, bleed, square, lying))


def _alike(wanted: Iterable[Wanted]) -> list[list[Wanted]]:
    """What is wanted, with all that look the same together."""
    groups: dict[object, list[Wanted]] = {}
    for one in wanted:
        groups.setdefault((look(one.face), one.canvas, one.turned), []).append(one)
    return list(groups.values())


def developed(film: Film) -> list[tuple[str, bytes]]:
    """The names and contents of the pictures of a film."""
    made = zip(film.names, develop(film.pdf, film.shots), strict=True)
    return [(name, data) for names, data in made for name in names]


def in_parallel(function: Callable[..., T], tasks: Iterable[tuple[object, ...]], jobs: int) -> Iterator[T]:
    """The results of a function in the order of its tasks, of which only a few are under way or waiting at a time."""
    if jobs == 1:
        for task in tasks:
            yield function(*task)
        return
    with processes(jobs) as pool:
        waiting: deque[Future[T]] = deque()
        for task in tasks:
            waiting.append(pool.submit(function, *task))
            if len(waiting) > 2 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def cores() -> int:
    """How many processes can work at a time for us."""
    if hasattr(os, "sched_getaffinity"):  # less than the machine has, where somebody said so
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def processes(jobs: int) -> Iterator[Executor]:
    """At most so many processes beside this one, started when the first work is given to them.

    They end with the block, at once when it is left by an error. One that is ended from outside is a problem.
    """
    others = active_children()
    pool = ProcessPoolExecutor(min(jobs, MOST_PROCESSES), initializer=_begin)
    try:
        yield pool
    except BaseException as error:
        for process in active_children():
            if process not in others:
                process.terminate()
        if isinstance(error, BrokenExecutor):
            message = "a process that helps with the work was ended from outside, most often for want of memory"
            raise Stop([Problem(Place("grimalkin"), message, "close other programs, or do less at a time")]) from None
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Called in a new process: it ends without a word when Ctrl-C is pressed or the process that began it is gone."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as in a job in the background
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
