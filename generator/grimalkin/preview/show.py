"""A game's folder in, Shows out: all faces, their boxes, and the problems. The last good faces outlive a problem."""

from __future__ import annotations

import hashlib
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

from lxml import etree

from grimalkin.content import Game, load_game
from grimalkin.content.models import Drawn
from grimalkin.content.stocks import Stock
from grimalkin.draw.stocks import load_stocks
from grimalkin.face import Composer, Face, Inks
from grimalkin.face.flaws import Flaw, flaws_of
from grimalkin.face.fonts import Font
from grimalkin.face.subset import LINKS, SVG
from grimalkin.preview.boxes import Box, text_boxes
from grimalkin.problems import Place, Problem, Problems, Stop, shown_path
from grimalkin.source import name_of

INKS: tuple[Inks, ...] = get_args(Inks)


@dataclass(frozen=True)
class Shown:
    """A face as the page shows it."""

    id: str
    names: tuple[str, ...]
    """Of every design that has this face: backs are often shared."""
    side: str
    count: int
    """Pieces in the box."""
    stock: str
    alt: str
    fingerprint: str
    svg: str = field(repr=False)
    boxes: tuple[Box, ...] = ()
    flaws: tuple[Flaw, ...] = field(default=(), repr=False)
    old: bool = False
    """Whether it could not be made anew and this is the last good one."""


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
    fonts: tuple[Font, ...] = ()
    """The game's own, which are here as long as a face is shown that is set in them."""

    def face(self, id_: str) -> Shown | None:
        return next((face for deck in self.decks for face in deck.faces if face.id == id_), None)

    def plain(self) -> dict[str, Any]:
        """What JSON can hold; the pictures are asked for one by one."""
        return {
            "title": self.title,
            "stocks": {name: _stock_plain(stock) for name, stock in self.stocks.items()},
            "decks": [
                {"id": deck.id, "name": deck.name, "count": deck.count, "faces": [_face_plain(f) for f in deck.faces]}
                for deck in self.decks
            ],
            "problems": [
                {"place": str(p.place), "message": p.message, "hint": p.hint, "also": str(p.also or "")}
                for p in self.problems
            ],
        }


def _face_plain(face: Shown) -> dict[str, Any]:
    return {key: value for key, value in asdict(face).items() if key not in ("svg", "flaws")}


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
    # A corner that is less round than the safe area is deep leaves a sharp one.
    inner = stock if stock.corner >= stock.safe else stock.model_copy(update={"corner": 0.0})
    return {"cut": stock.outline(), "safe": inner.outline(-stock.safe), "bleed": stock.outline(stock.bleed)}


class Preview:
    """The last Shows of a game. `refresh` reads the folder again; `wait` tells when there is something new."""

    def __init__(
        self, folder: Path, read: Callable[[Path, Problems], Game | None] = load_game, also: tuple[str, ...] = ()
    ) -> None:
        """`read` makes a game of the folder; `also` are the endings of files that only it reads."""
        self.folder = folder
        self.read, self.also = read, also
        self.number = 0
        """Goes up with every refresh."""
        self.shows: dict[Inks, Show] = {}
        self._ended = False
        self._news = threading.Condition()
        self._work = threading.Lock()
        self._game: Game | None = None
        self._problems = Problems()
        self._stocks: dict[str, Stock] = {}
        with self._work:
            self._read()
            self._compose("full")

    @property
    def title(self) -> str:
        return self._game.marked_title if self._game else name_of(self.folder)

    def show(self, inks: Inks) -> tuple[int, Show]:
        """The number of the last refresh, and what there is to see with these inks."""
        with self._work:
            if inks not in self.shows:
                self._compose(inks)
            return self.number, self.shows[inks]

    def refresh(self) -> None:
        """Read the folder again and compose, with all inks that anybody has asked for."""
        with self._work:
            self._read()
            for inks in self.shows:
                self._compose(inks)
            self.number += 1
        with self._news:
            self._news.notify_all()

    def wait(self, seen: int, seconds: float) -> int:
        """The number of the last refresh, as soon as it is not `seen` any more, at the latest after `seconds`."""
        with self._news:
            self._news.wait_for(lambda: self._ended or self.number != seen, seconds)
            return self.number

    def end(self) -> None:
        """Nothing new will come: nobody need wait any more."""
        with self._news:
            self._ended = True
            self._news.notify_all()

    def _read(self) -> None:
        self._problems = Problems()
        with _telling(self._problems, self.folder):
            self._game = self.read(self.folder, self._problems)
            self._stocks = load_stocks(self.folder, self._problems)

    def _compose(self, inks: Inks) -> None:
        before = self.shows.get(inks, Show(self.title))
        problems = Problems(dict(self._problems.found))
        decks: tuple[DeckShown, ...] = ()
        fonts = {font.name: font for font in before.fonts}
        if self._game is not None:
            with _telling(problems, self.folder):
                composer = Composer(self._game, self._stocks, problems, inks, draft=self._game.info.draft)
                decks = tuple(_deck_shown(self._game, deck, composer) for deck in self._game.info.decks)
                decks += tuple(_deck_shown(self._game, book, composer) for book in self._game.info.books)
                fonts |= composer.fonts.made
        if problems:
            decks = keep_last_good(before.decks, decks)
        stocks = {**before.stocks, **self._stocks} if problems else self._stocks
        used = {face.stock for deck in decks for face in deck.faces}
        stocks = {name: stock for name, stock in stocks.items() if name in used}
        shown = [face.svg for deck in decks for face in deck.faces] if fonts else []
        kept = tuple(font for name, font in fonts.items() if any(name in svg for svg in shown))
        flaws = [told.problem() for told in flaws_of(face for deck in decks for face in deck.faces)]
        self.shows[inks] = Show(self.title, decks, stocks, (*problems, *flaws), kept)


@contextmanager
def _telling(problems: Problems, folder: Path) -> Iterator[None]:
    """A fault of ours becomes a problem too: the page must live on. The console shows where it was."""
    try:
        yield
    except Stop as stop:  # a picture that turns out to be damaged, or changes while it is read
        problems.extend(stop.problems)
    except Exception as error:
        traceback.print_exception(error, file=sys.stderr)
        said = f"this cannot be shown, and that is a fault of Grimalkin: {error!r}"
        problems.add(Place(shown_path(folder)), said, "please report it, with what you just changed")


def _deck_shown(game: Game, deck: Drawn, composer: Composer) -> DeckShown:
    """The faces of a deck, fronts and backs in the order of its table. Backs that look the same are shown once."""
    faces: dict[str, Shown] = {}
    """By id; backs by what they look like."""
    rows = game.rows_of(deck)
    for row in rows:
        stock = row.stock or deck.stock or ""
        if stock not in composer.stocks:
            continue  # it is told as a problem of the table
        for face in composer.faces(deck, row):
            if face is None:
                continue
            shown = _shown(face, row.name, row.count, stock)
            key = shown.fingerprint if shown.side == "back" else shown.id
            first = faces.get(key)
            if first:
                shown = replace(first, names=(*first.names, row.name), count=first.count + row.count)
            faces[key] = shown
    return DeckShown(deck.id, deck.name, sum(row.count for row in rows), tuple(faces.values()))


def _shown(face: Face, name: str, count: int, stock: str) -> Shown:
    svg, boxes = face.svg, tuple(text_boxes(face))
    # Whatever the page shows of a face is in its fingerprint; the count and the names are not worth a new picture.
    fingerprint = hashlib.blake2b(f"{svg}{boxes}{face.stock!r}{face.stock.lines}".encode(), digest_size=6).hexdigest()
    return Shown(
        face.id, (name,), face.id.rpartition("-")[2], count, stock, face.alt, fingerprint, svg, boxes, face.flaws
    )


def keep_last_good(before: tuple[DeckShown, ...], now: tuple[DeckShown, ...]) -> tuple[DeckShown, ...]:
    """While there are problems nothing goes away: what was not made anew stays where it was, marked as old."""
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
    """A face to stand inside a page: its ids are its own, and a style can choose between cut and bleed."""
    root = etree.fromstring(face.svg.encode())
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


def _own(value: str, attribute: str, face: str) -> str:
    if attribute == "id":
        return f"{face}--{value}"
    start = "#" if attribute == "href" else "url(#"
    return start + f"{face}--" + value.removeprefix(start) if value.startswith(start) else value
