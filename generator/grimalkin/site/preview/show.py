"""Compose the faces of a game's folder for the preview, with their boxes and problems; the last good faces outlive a
problem."""

from __future__ import annotations

import hashlib
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, NamedTuple, get_args
from urllib.parse import urlencode

from lxml import etree

from grimalkin.content import Game, load_game
from grimalkin.content.models import Drawn
from grimalkin.content.stocks import Stock
from grimalkin.content.tables.remarks import remarks_on_tables
from grimalkin.printing.draw.stocks import load_stocks
from grimalkin.printing.face import Composer, Face, Inks
from grimalkin.printing.face.face_memory import Memory
from grimalkin.printing.face.images.pictures import Placed, for_browsers
from grimalkin.printing.face.layers import Layer, flaws_of
from grimalkin.printing.face.svg.subset import LINKS, SVG
from grimalkin.printing.type.fonts import Font
from grimalkin.problems import Place, Problem, Problems, Stop, shown_path
from grimalkin.site.preview.boxes import Box, text_boxes
from grimalkin.source import name_of

INKS: tuple[Inks, ...] = get_args(Inks)


@dataclass(frozen=True)
class Shown:
    """A face as the page shows it."""

    id: str
    names: tuple[str, ...]
    """Names of all designs with this face, since backs are often shared."""
    side: str
    count: int
    """Pieces in the box."""
    stock: str
    alt: str
    fingerprint: str
    face: Face = field(repr=False, compare=False)
    boxes: tuple[Box, ...] = ()
    old: bool = False
    """Whether this is the last good version, since a new one could not be made."""

    @property
    def svg(self) -> str:
        return self.face.svg


class Look(NamedTuple):
    """The data of a face on the page, and the layers that it was made from."""

    content: tuple[Layer, ...]
    stock: Stock
    fingerprint: str
    boxes: tuple[Box, ...]
    pictures: dict[str, Placed]
    """Pictures by the addresses that images on faces use."""


Looks = dict[tuple[int, str], Look]
"""Faces by the identity of their layers, and their alt text."""


@dataclass(frozen=True)
class DeckShown:
    id: str
    name: str
    count: int
    faces: tuple[Shown, ...]


@dataclass(frozen=True)
class Show:
    """Everything the page knows, for one kind of inks."""

    title: str
    decks: tuple[DeckShown, ...] = ()
    stocks: dict[str, Stock] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Problem, ...] = ()
    """Remarks: not faults but possible surprises, such as parts of a drawing that are left out."""
    fonts: tuple[Font, ...] = ()
    """The game's fonts that its faces use."""
    pictures: Mapping[str, Placed] = field(default_factory=dict)
    """The pictures on its faces, by the addresses that images use."""

    def face(self, id_: str) -> Shown | None:
        return next((face for deck in self.decks for face in deck.faces if face.id == id_), None)

    def plain(self) -> dict[str, Any]:
        """Return the data as JSON; the pictures are fetched one by one."""
        return {
            "title": self.title,
            "stocks": {name: _stock_plain(stock) for name, stock in self.stocks.items()},
            "decks": [
                {"id": deck.id, "name": deck.name, "count": deck.count, "faces": [_face_plain(f) for f in deck.faces]}
                for deck in self.decks
            ],
            "problems": list(map(_problem_plain, self.problems)),
            "remarks": list(map(_problem_plain, self.remarks)),
        }


def _problem_plain(problem: Problem) -> dict[str, str]:
    also = str(problem.also or "")
    return {"place": str(problem.place), "message": problem.message, "hint": problem.hint, "also": also}


def _face_plain(face: Shown) -> dict[str, Any]:
    names = [one.name for one in fields(face) if one.name not in ("face", "boxes")]
    return {name: getattr(face, name) for name in names} | {"boxes": list(map(asdict, face.boxes))}


def _stock_plain(stock: Stock) -> dict[str, Any]:
    return {
        "name": stock.name,
        "width": stock.width,
        "height": stock.height,
        "bleed": stock.bleed,
        "lines": _lines(stock),
        "behind": _lines(stock.from_behind),
    }


def _lines(stock: Stock) -> dict[str, str]:
    # A corner with a radius smaller than the depth of the safe area leaves a sharp one.
    inner = stock if stock.corner >= stock.safe else stock.model_copy(update={"corner": 0.0})
    return {"cut": stock.outline(), "safe": inner.outline(-stock.safe), "bleed": stock.outline(stock.bleed)}


class Preview:
    """The last Shows of a game. `refresh` reads the folder again; `wait` blocks until there is something new."""

    def __init__(
        self, folder: Path, read: Callable[[Path, Problems], Game | None] = load_game, also: tuple[str, ...] = ()
    ) -> None:
        """`read` loads a game from the folder; `also` are the extensions of other files that it reads."""
        self.folder = folder
        self.read, self.also = read, also
        self.number = 0
        """Number of the last refresh."""
        self.shows: dict[Inks, Show] = {}
        self._ended = False
        self._news = threading.Condition()
        self._work = threading.Lock()
        self._game: Game | None = None
        self._problems = Problems()
        self._stocks: dict[str, Stock] = {}
        self._notes: list[Problem] = []
        """Remarks on the stocks."""
        self._memories: dict[Inks, Memory] = {inks: Memory() for inks in INKS}
        self._looks: dict[Inks, Looks] = {inks: {} for inks in INKS}
        self._damaged: dict[str, tuple[Problem, ...]] = {}
        """Problems with pictures that turned out to be damaged when a page requested them."""
        with self._work:
            self._read()
            self._compose("full")

    @property
    def title(self) -> str:
        return self._game.marked_title if self._game else name_of(self.folder)

    def show(self, inks: Inks) -> tuple[int, Show]:
        """Return the number of the last refresh, and the Show for these inks."""
        with self._work:
            if inks not in self.shows:
                self._compose(inks)
            return self.number, self.shows[inks]

    def refresh(self) -> None:
        """Read the folder again and compose, in all inks requested so far."""
        with self._work:
            self._read()
            for inks in self.shows:
                self._compose(inks)
            self.number += 1
        with self._news:
            self._news.notify_all()

    def wait(self, seen: int, seconds: float) -> int:
        """Wait at most `seconds` until the last refresh is not number `seen`, and return its number."""
        with self._news:
            self._news.wait_for(lambda: self._ended or self.number != seen, seconds)
            return self.number

    def end(self) -> None:
        """End all waiting, since nothing new will come."""
        with self._news:
            self._ended = True
            self._news.notify_all()

    def _read(self) -> None:
        self._problems = Problems()
        with _telling(self._problems, self.folder):
            self._game = self.read(self.folder, self._problems)
            self._notes = []
            self._stocks = load_stocks(self.folder, self._problems, self._notes)

    def _compose(self, inks: Inks) -> None:
        before = self.shows.get(inks, Show(self.title))
        problems = Problems(dict(self._problems.found))
        decks: tuple[DeckShown, ...] = ()
        remarks: dict[Problem, None] = {}
        looks: Looks = {}
        if self._game is not None:
            with _telling(problems, self.folder):
                memory, draft = self._memories[inks], self._game.info.draft
                composer = Composer(self._game, self._stocks, problems, inks, draft=draft, memory=memory)
                shelf = _Shelf(self._game, composer, self._looks[inks], looks)
                decks = tuple(shelf.deck_shown(one) for one in (*self._game.info.decks, *self._game.info.books))
                remarks.update(dict.fromkeys((*remarks_on_tables(self._game), *self._notes, *composer.pictures.notes)))
        if problems:
            decks = keep_last_good(before.decks, decks)
            remarks = remarks or dict.fromkeys(before.remarks)
        shown = [face for deck in decks for face in deck.faces]
        old = {(id(one.face.content), one.alt) for one in shown if one.old}
        looks |= {key: look for key, look in self._looks[inks].items() if key in old}
        self._looks[inks] = looks
        stocks = {**before.stocks, **self._stocks} if problems else self._stocks
        used = {face.stock for face in shown}
        stocks = {name: stock for name, stock in stocks.items() if name in used}
        fonts = dict.fromkeys(font for one in shown for font in one.face.fonts)
        pictures = {key: placed for look in looks.values() for key, placed in look.pictures.items()}
        flaws = [told.problem() for told in flaws_of(one.face for one in shown)]
        damaged = [problem for key in pictures for problem in self._damaged.get(key, ())]
        told = (*problems, *flaws, *damaged)
        self.shows[inks] = Show(self.title, decks, stocks, told, tuple(remarks), tuple(fonts), pictures)

    def picture(self, key: str) -> tuple[str, bytes] | None:
        """Return the media type and the bytes of a picture on a face. Report pictures with damaged contents."""
        placed = next((show.pictures[key] for show in list(self.shows.values()) if key in show.pictures), None)
        if placed is None:
            return None
        try:
            return for_browsers(placed)
        except Stop as stop:
            found = tuple(stop.problems)
        with suppress(Stop):  # a file that is being saved will be read again soon
            placed.picture.read()
            self._tell_damaged(key, found)
        return None

    def _tell_damaged(self, key: str, found: tuple[Problem, ...]) -> None:
        with self._work:
            if key in self._damaged:
                return
            self._damaged[key] = found
            for inks, show in self.shows.items():
                if key in show.pictures:
                    self.shows[inks] = replace(show, problems=(*show.problems, *found))
            self.number += 1
        with self._news:
            self._news.notify_all()


@contextmanager
def _telling(problems: Problems, folder: Path) -> Iterator[None]:
    """Turn even our own faults into problems, so that the page survives. The console shows where they happened."""
    try:
        yield
    except Stop as stop:  # a picture that is damaged, or changes while it is read
        problems.extend(stop.problems)
    except Exception as error:
        traceback.print_exception(error, file=sys.stderr)
        said = f"this cannot be shown because of a fault in Grimalkin: {error!r}"
        problems.add(Place(shown_path(folder)), said, "please report it, with what you just changed")


class _Shelf:
    """Makes the data for the page, and updates only what has changed."""

    def __init__(self, game: Game, composer: Composer, before: Looks, now: Looks) -> None:
        self.game, self.composer, self.before, self.now = game, composer, before, now

    def deck_shown(self, deck: Drawn) -> DeckShown:
        """Return the faces of a deck, fronts and backs in the order of its table. Equal backs appear once."""
        faces: dict[str, Shown] = {}
        """Key of a face: its id, or the look of a back."""
        rows = self.game.rows_of(deck)
        for row in rows:
            stock = row.stock or deck.stock or ""
            if stock not in self.composer.stocks:
                continue  # reported as a problem with the table
            for face in filter(None, self.composer.faces(deck, row)):
                shown = self.shown(face, row.name, row.count, stock)
                key = shown.fingerprint if shown.side == "back" else shown.id
                first = faces.get(key)
                if first:
                    shown = replace(first, names=(*first.names, row.name), count=first.count + row.count)
                faces[key] = shown
        return DeckShown(deck.id, deck.name, sum(row.count for row in rows), tuple(faces.values()))

    def shown(self, face: Face, name: str, count: int, stock: str) -> Shown:
        key = id(face.content), face.alt
        look = self.now.get(key) or self.before.get(key)
        if look is None or look.content is not face.content or look.stock != face.stock:
            look = _look_of(face)
        self.now[key] = look
        side = face.id.rpartition("-")[2]
        return Shown(face.id, (name,), side, count, stock, face.alt, look.fingerprint, face, look.boxes)


def _look_of(face: Face) -> Look:
    # The fingerprint covers everything the page shows of a face; the count and the names are not worth a new picture.
    boxes = tuple(text_boxes(face))
    digest = hashlib.blake2b(
        f"{boxes}{face.stock!r}{face.stock.lines}{face.alt}".encode(errors="replace"), digest_size=6
    )
    for layer in face.layers:
        digest.update(layer.look)
    return Look(face.content, face.stock, digest.hexdigest(), boxes, face.pictures)


def keep_last_good(before: tuple[DeckShown, ...], now: tuple[DeckShown, ...]) -> tuple[DeckShown, ...]:
    """Keep all faces while there are problems: those without a new version stay in place, marked as old."""
    made = {deck.id: deck for deck in now}
    kept = [_kept(deck, made.pop(deck.id, None)) for deck in before]
    return (*kept, *made.values())


def _kept(before: DeckShown, now: DeckShown | None) -> DeckShown:
    if now is None:
        return replace(before, faces=tuple(replace(face, old=True) for face in before.faces))
    new = {face.id: face for face in now.faces}
    faces = [new.get(face.id) or replace(face, old=True) for face in before.faces]
    there = {face.id for face in before.faces}
    return replace(now, faces=(*faces, *(face for face in now.faces if face.id not in there)))


def page_svg(face: Shown, stock: Stock) -> str:
    """Return a face for a page, with unique ids, and a clip path that styles can switch between cut and bleed."""
    root = face.face.tree(_address)
    for element in root.iter():
        for attribute in ("id", "href", *LINKS):
            value = element.get(attribute)
            if value is not None:
                element.set(attribute, _own(value, attribute, face.id))
    clip = etree.Element(f"{{{SVG}}}clipPath", {"id": f"{face.id}--cut"})
    etree.SubElement(clip, f"{{{SVG}}}path", {"d": (stock.from_behind if face.side == "back" else stock).outline()})
    group = etree.Element(f"{{{SVG}}}g", {"class": "cut", "clip-path": f"url(#{face.id}--cut)"})
    group.extend(list(root))
    root.extend([clip, group])
    del root.attrib["width"], root.attrib["height"]  # the page says how large a millimetre is
    root.set("role", "img")
    root.set("aria-label", f"{face.alt}, {face.side}")
    return etree.tostring(root, encoding="unicode")


def _address(placed: Placed) -> str:
    return f"/picture?{urlencode({'key': placed.key})}"


def _own(value: str, attribute: str, face: str) -> str:
    if attribute == "id":
        return f"{face}--{value}"
    start = "#" if attribute == "href" else "url(#"
    return start + f"{face}--" + value.removeprefix(start) if value.startswith(start) else value
