"""Turn a Game into designs, every row of its decks with both faces, and draw these as PNG and SVG.

Pictures are drawn in several processes, and are the same for any number of processes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from grimalkin.content import Game
from grimalkin.content.models import Component, Deck
from grimalkin.content.stocks import Stock
from grimalkin.output.disk import write_new
from grimalkin.output.workers import Later, in_parallel
from grimalkin.printing.draw.raster import Lying, Shot, develop, pixels, shoot
from grimalkin.printing.draw.shapes import outline_texts
from grimalkin.printing.draw.stocks import composer_of
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.layers import standalone_svg
from grimalkin.problems import Place, Problems
from grimalkin.source.reuse import files_of

Done = Callable[[int], None]
"""A function to call with the number of pieces of a long job done since the last call."""

CHUNK = 12
"""The number of faces that share a PDF with its fonts and forms."""
SMALL = 4 * CHUNK
"""The number of faces below which starting processes takes longer than drawing."""
MOST_PIXELS = 150_000_000
"""The maximum number of pixels in one picture; more would need gigabytes of memory, and no printer could show them."""
XLINK = "http://www.w3.org/1999/xlink"
Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Design:
    """One row of a deck, with its stock and faces."""

    row: Component
    deck: Deck
    stock: Stock
    front: Face
    back: Face | None

    @property
    def faces(self) -> tuple[Face, ...]:
        return (self.front, self.back) if self.back else (self.front,)


def designs_of(game: Game, only: Sequence[str], problems: Problems, composer: Composer | None = None) -> list[Design]:
    """Return all designs of a game, or only those of the named components, in the order of its decks."""
    composer = composer or composer_of(game, problems)
    wanted = frozenset(only)
    designs = []
    for deck in game.info.decks:
        for row in game.components[deck.id]:
            if only and row.id not in wanted:
                continue
            stock = composer.stocks[row.stock or deck.stock or ""]
            front, back = composer.faces(deck, row)
            if front:
                designs.append(Design(row, deck, stock, front, back))
    if not designs and not problems:
        place = game.own_place
        problems.add(place, "there is nothing to export", "a deck needs at least one row")
    return designs


def faces_of(designs: Iterable[Design]) -> list[Face]:
    """Return the faces of designs, fronts and backs in turn."""
    return [face for design in designs for face in design.faces]


def by_deck(designs: Iterable[Design]) -> dict[str, list[Design]]:
    """Return the designs of each deck, in order."""
    decks: dict[str, list[Design]] = {}
    for design in designs:
        decks.setdefault(design.deck.id, []).append(design)
    return decks


def look(face: Face | None) -> object:
    """Return a key that is equal for faces that look the same."""
    return face and (face.stock, tuple(layer.look for layer in face.layers))


def one_back(designs: Sequence[Design]) -> bool:
    """Return whether the backs of all designs look the same."""
    return len({look(design.back) for design in designs}) == 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """A picture of a face: its file's name, and its canvas in pixels, if different from the size of the face."""

    name: str
    face: Face
    canvas: Size | None = None
    turned: bool = False
    shift: Size = (0, 0)
    """How far it lies to the right of the middle of its canvas, and below it, in pixels."""

    @property
    def is_jpeg(self) -> bool:
        return self.name.endswith(".jpg")


Roll = Sequence[Sequence[Wanted]]
"""The pictures on a film, in groups that look the same."""


@dataclass(frozen=True, slots=True)
class Film:
    """Pictures drawn but not yet developed: a PDF, its shots, and the file names for each."""

    names: Sequence[Sequence[str]]
    pdf: bytes
    shots: Sequence[Shot]


def export_png(
    designs: Sequence[Design], folder: Path, dpi: int, bleed: bool, square: bool, jobs: int, done: Done
) -> int:
    """Write a picture of every face. Return the number of pictures."""
    wanted = [Wanted(f"{face.id}.png", face) for face in faces_of(designs)]
    for name, data in pictures(wanted, dpi, bleed, square, jobs, done):
        write_new(folder / name, data)
    return len(wanted)


def export_svg(designs: Sequence[Design], folder: Path, bleed: bool, outlines: bool, done: Done) -> int:
    """Write every face as an SVG file, with its fonts inside or its text as outlines. Return the number of files."""

    def change(root: etree._Element) -> None:
        if outlines:
            outline_texts(root)
        _link_as_svg_1_1(root)

    faces = faces_of(designs)
    for face in faces:
        write_new(folder / f"{face.id}.svg", standalone_svg(face, face.alt, bleed, change))
        done(1)
    return len(faces)


def _link_as_svg_1_1(root: etree._Element) -> None:
    """Write every link as xlink:href: Inkscape 1.2 draws no icon or picture of a plain href, which is SVG 2."""
    for element in root.iterfind(".//*[@href]"):
        element.set(f"{{{XLINK}}}href", element.attrib.pop("href"))
    etree.cleanup_namespaces(root, top_nsmap={"xlink": XLINK})


def check_sizes(designs: Sequence[Design], dpi: int, bleed: bool, place: Place, problems: Problems) -> None:
    """Add a problem for every stock whose pictures would be too large."""
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
    """Yield the names and contents of the pictures one by one. Draw faces that look the same only once."""
    tasks = ((film,) for film in films(wanted, dpi, bleed, square))
    for made in in_parallel(developed, tasks, jobs if len(_alike(wanted)) >= SMALL else 1):
        for name, data in made:
            yield name, data
            done(1)


def films(wanted: Sequence[Wanted], dpi: int, bleed: bool, square: bool) -> Iterator[Film]:
    """Yield the same pictures as films, each drawn only when the caller requests it.

    Drawing to PDF takes only a tenth of the time, and processes can exchange films but not faces.
    """
    return (film_of(roll, dpi, bleed, square) for roll in rolls(wanted))


def rolls(wanted: Sequence[Wanted]) -> Iterator[Roll]:
    """Divide pictures among films. Those on one film share a PDF with its fonts and forms, so each depends on all."""
    alike = _alike(wanted)
    return (alike[start : start + CHUNK] for start in range(0, len(alike), CHUNK))


def film_of(roll: Roll, dpi: int, bleed: bool, square: bool) -> Film:
    names = [[one.name for one in same] for same in roll]
    lying = [Lying(one.canvas, one.turned, one.shift, one.is_jpeg) for one, *_ in roll]
    return Film(names, *shoot([same[0].face for same in roll], dpi, bleed, square, lying))


def _alike(wanted: Iterable[Wanted]) -> list[list[Wanted]]:
    """Group wanted pictures that look the same."""
    groups: dict[object, list[Wanted]] = {}
    for one in wanted:
        groups.setdefault((look(one.face), one.canvas, one.turned, one.shift, one.is_jpeg), []).append(one)
    return list(groups.values())


def developed(film: Film) -> list[tuple[str, bytes]]:
    """Return the names and contents of the pictures of a film."""
    made = zip(film.names, develop(film.pdf, film.shots), strict=True)
    return [(name, data) for names, data in made for name in names]


def develop_below(folder: Path, film: Film) -> dict[str, str]:
    """Write the pictures of a film into a folder. Return their hashes by name."""
    made = dict(developed(film))
    for name, data in made.items():
        write_new(folder / name, data)
    return files_of(made)


class Darkroom:
    """A developer of films: in other processes if that is worthwhile, otherwise when the caller asks for pictures.

    The pictures of a game go into a folder of its own below `folder`, as soon as they are developed: together, they may
    be larger than everything else that a build holds.
    """

    def __init__(self, pool: Executor, jobs: int, busy: bool, folder: Path) -> None:
        """Prepare the darkroom. `busy` means that processes are running anyway."""
        self.pool, self.jobs, self.busy, self.folder = pool, jobs, busy, folder
        self.films: deque[tuple[str, Future[dict[str, str]]]] = deque()

    def take(self, game: str, films: Sequence[Film]) -> None:
        beside = self.busy or (self.jobs > 1 and len(films) * CHUNK >= SMALL)
        develop = self.pool.submit if beside else Later
        self.films += [(game, develop(develop_below, self.folder / game, film)) for film in films]

    def pictures(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Wait for every film, and yield its game, and the hash of each of its pictures by name."""
        while self.films:
            game, developing = self.films.popleft()
            yield game, developing.result()
