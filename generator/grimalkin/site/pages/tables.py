"""Describe and draw positions: in plain words for any game, and as pictures for games with a table template.

The words rely only on how records nest. Equal pictures share a file."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grimalkin.engine.shape import Listing, Record, Shape, Table
from grimalkin.printing.face import Face, standalone_svg
from grimalkin.printing.face.views import WIDTH, draws_table, table_face
from grimalkin.problems.plain import plural
from grimalkin.site.pages.differences import Box, Mark, Piece, marks, pieces_of, ringed, words_of
from grimalkin.site.pages.shown import Shown
from grimalkin.source.reuse import files_of, key_of

OPTIONS = "options"
"""Options agreed before the game: part of any position, but not on the table."""
UNKNOWN = "?"
"""Stands for a piece that a seat cannot name."""
NOTHING = "nothing"
MOST_NAMED = 16
"""The most pieces of a seat's pile that are named one by one; a larger pile is only counted."""
MOST_OF_NOBODY = 10
"""The same for a pile that belongs to no seat."""
MOST_FACES = 8
"""The most faces of pictures that are held in memory."""
_UNKNOWN = "unknown"


@dataclass(frozen=True)
class Teller:
    """Describes a position, or part of one, in sentences.

    A piece "?" is unknown. A number that is 0 for every seat is left out.

    >>> place = {"round": 2, "city": {"penny": 1, "dime": 2}, "seats": {"Ada": {"hand": {}, "cats": {"6": "penny"}}}}
    >>> Teller(["penny", "dime"]).tell(place)
    'Round: 2. City: 1 × penny, 2 × dime. Ada: cats 6 penny.'
    >>> Teller(["tom", "old-cat"], {"cats": "food"}).tell({"seats": {"Ada": {"cats": {"tom": 2, "old-cat": 0}}}})
    'Ada: tom with 2 food, old cat.'
    >>> seats = {"Ada": {"hand": ["7c"], "clubs": 0, "jokers": 0}, "Basil": {"clubs": 2, "jokers": 0}}
    >>> Teller(["7c"], names={"7c": "seven of clubs"}).tell({"seats": seats})
    'Ada: hand seven of clubs; clubs 0. Basil: clubs 2.'
    >>> Teller(["owl"]).tell({"moon": "?", "seats": {"Ada": {"hand": ["owl", "?", "?"]}}})
    'Moon: unknown. Ada: hand owl, 2 unknown.'
    >>> Teller([], zeros=True).tell({"cats": {"tom": {"food": 0, "hand": []}}})
    'Cats: tom food 0, hand nothing.'
    """

    pieces: Container[str]
    """Ids of pieces, which are counted."""
    loads: Mapping[str, str] = field(default_factory=dict)
    """Tables whose numbers do not count pieces but the things on each; such a table of a seat needs no name."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of some pieces; the others are called by their ids."""
    untold: Container[str] = ()
    """Parts of a position that are not on the table."""
    zeros: bool = False
    """Whether to mention what is absent, too."""

    def tell(self, position: Mapping[str, Any]) -> str:
        return " ".join(self.sentences(position))

    def sentences(self, position: Mapping[str, Any]) -> Iterator[str]:
        """Yield a sentence for each part of the common table, and one for each seat."""
        for key, value in position.items():
            if key == "seats" and isinstance(value, Mapping):
                if not any(value.values()):  # a game in which nothing belongs to a seat
                    continue
                idle = set() if self.zeros else _idle(list(value.values()))
                yield from (f"{seat}: {self.held(has, idle) or NOTHING}." for seat, has in value.items())
            elif key != OPTIONS and key not in self.untold and self.worth_telling(value):
                label = _plain(key)
                yield f"{label[0].upper()}{label[1:]}: {self.told(value, key, MOST_OF_NOBODY) or NOTHING}."

    def held(self, has: Any, idle: Container[str]) -> str:
        """Describe what a seat has, leaving out the keys in `idle`."""
        if not isinstance(has, Mapping):
            return self.told(has)
        told = ((area, self.told(value, area)) for area, value in has.items() if area not in idle)
        parts = ((area, words or NOTHING) for area, words in told if words or self.zeros)
        return "; ".join(words if area in self.loads else f"{_plain(area)} {words}" for area, words in parts)

    def told(self, value: Any, area: str = "", most: int = MOST_NAMED) -> str:
        if isinstance(value, Mapping):
            if area in self.loads:
                return ", ".join(self.loaded(key, load, self.loads[area]) for key, load in value.items())
            items = ((key, inner) for key, inner in value.items() if self.worth_telling(inner))
            return ", ".join(self.item(str(key), inner) for key, inner in items)
        if isinstance(value, Sequence) and not isinstance(value, str):
            known = [one for one in value if one != UNKNOWN]
            named = all(isinstance(one, str) and one in self.pieces for one in known)
            if named and len(value) > most:
                return plural(len(value), "piece")
            unknown = [f"{len(value) - len(known)} {_UNKNOWN}"] if len(known) < len(value) else []
            return ", ".join([*map(self.told, known), *unknown])
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value == UNKNOWN:
            return _UNKNOWN
        return self.called(value) if isinstance(value, str) and value in self.pieces else str(value)

    def called(self, key: str) -> str:
        return self.names.get(key) or _plain(key)

    def loaded(self, key: str, load: object, word: str) -> str:
        """Describe a piece and the number of things on it."""
        return f"{self.called(key)} with {load} {word}" if str(load) != "0" or self.zeros else self.called(key)

    def item(self, key: str, value: Any) -> str:
        if key in self.pieces and str(value).isdigit():
            return f"{value} × {self.called(key)}"
        return f"{self.called(key)} {self.told(value) or NOTHING}"

    def worth_telling(self, value: object) -> bool:
        return self.zeros or value not in (0, "", None, [])


def _idle(seats: Sequence[Any]) -> set[str]:
    """Return the counted things of which no seat has any."""
    counted = [
        {key: value for key, value in has.items() if str(value).isdigit()} for has in seats if isinstance(has, Mapping)
    ]
    return {key for has in counted for key in has if all(str(other.get(key, 0)) == "0" for other in counted)}


def _plain(key: object) -> str:
    return str(key).replace("-", " ")


def find_loads(shape: Shape) -> dict[str, str]:
    """Return the tables in a position's shape whose numbers count things on pieces: key, and what they count.

    >>> from grimalkin.engine.shape import Whole
    >>> find_loads(Record({"cats": Table(Whole(), load="food")}))
    {'cats': 'food'}
    """
    loads: dict[str, str] = {}
    if isinstance(shape, Record):
        for key, inner in {**shape.required, **shape.optional}.items():
            load = inner.load if isinstance(inner, Table) else ""
            loads.update({key: load} if load else find_loads(inner))
    elif isinstance(shape, Table | Listing):
        loads.update(find_loads(shape.each))
    return loads


def find_untold(shape: Record) -> set[str]:
    """Return the parts of a position that are declared not to be on the table."""
    parts = {**shape.required, **shape.optional}
    return {key for key, inner in parts.items() if isinstance(inner, Listing | Record) and not inner.told}


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a position that differ from an earlier one.

    >>> changed({"round": 1, "seats": {"Ada": {"hand": {"penny": 1}}}}, {"round": 1, "seats": {"Ada": {"hand": {}}}})
    {'seats': {'Ada': {'hand': {}}}}
    """
    parts: dict[str, Any] = {}
    for key, value in after.items():
        if key == "seats" and isinstance(value, Mapping):
            seats = {name: _differing(before.get(key, {}).get(name, {}), has) for name, has in value.items()}
            parts.update({key: {name: has for name, has in seats.items() if has}} if any(seats.values()) else {})
        elif value != before.get(key):
            parts[key] = value
    return parts


def _differing(before: Any, after: Any) -> Any:
    if not isinstance(before, Mapping) or not isinstance(after, Mapping):
        return after if after != before else None
    return {key: value for key, value in after.items() if value != before.get(key)}


@dataclass(frozen=True)
class Picture:
    """A picture of a position: its path in the game's folder, its size, and its description."""

    path: str
    width: int
    height: int
    alt: str


class Tables:
    """Draws positions, each once. `files` has the pictures drawn so far."""

    def __init__(self, shown: Shown) -> None:
        self.shown = shown
        self.composer = composer = shown.composer
        self.drawn = draws_table(composer)
        self.files: dict[str, str | bytes | Path] = {}
        self._pictures: dict[str, Picture] = {}
        self._faces: dict[str, Face] = {}
        """Faces of the last pictures, by path: most are compared with their neighbours, or never."""
        self._pieces: dict[str, list[Piece]] = {}
        self._words: dict[str, list[Box]] = {}
        self._positions: dict[str, Mapping[str, Any]] = {}
        """The position on each picture, by path."""
        self._made: dict[str, dict[str, Any]] = {}
        """What is noted about each picture for the next build, by path."""
        self._standing = composer.standing(shown.reuse)
        game = composer.game
        by_name = [deck.id for deck in game.info.decks if deck.told_by == "name"]
        self.names = {row.id: row.name for deck in by_name for row in game.components[deck]}
        shape = game.module.position_shape(game.facts) if game.module else Record({})
        self.teller = Teller(game.by_id, find_loads(shape), self.names, find_untold(shape))

    def sentences(self, position: Mapping[str, Any]) -> list[str]:
        """Describe a position in sentences."""
        return list(self.teller.sentences(position))

    def tell(self, position: Mapping[str, Any], zeros: bool = False) -> str:
        """Describe a position of this game, or part of one, in words; with `zeros`, also what is absent."""
        return replace(self.teller, zeros=zeros).tell(position)

    def picture(self, position: Mapping[str, Any], since: Mapping[str, Any] | None = None) -> Picture | None:
        """Draw a position; None if this game has no table template, or the position is empty.

        With `since`, an earlier position, the description covers only what is new.
        """
        if not self.drawn or not position:
            return None
        key = json.dumps(position, sort_keys=True, default=str)
        if key not in self._pictures:
            self._pictures[key] = self._draw(position)
        picture = self._pictures[key]
        if since is None:
            return picture
        return replace(picture, alt=self.tell(changed(since, position), zeros=True) or picture.alt)

    def marks(self, before: Picture | None, after: Picture | None) -> list[Mark]:
        """Ring what is new in a picture, and what has gone since an earlier one."""
        if before is None or after is None or before.path == after.path:
            return []
        found = marks(self._pieces_on(before), self._pieces_on(after))
        return ringed(found, self._words[after.path])

    def _pieces_on(self, picture: Picture) -> list[Piece]:
        """Return the pieces on a picture. Most pictures are never compared, so this is done on demand."""
        if picture.path not in self._pieces:
            made = self._made[picture.path]
            if "pieces" not in made or "words" not in made:
                face = self._faces.get(picture.path) or self.face(self._positions[picture.path])
                assert face is not None
                made["pieces"] = pieces_of(face.root, WIDTH, face.stock.height)
                made["words"] = words_of(face.root)
            self._pieces[picture.path] = [Piece(look, Box(*box)) for look, box in made["pieces"]]
            self._words[picture.path] = [Box(*box) for box in made["words"]]
        return self._pieces[picture.path]

    def face(self, position: Mapping[str, Any]) -> Face | None:
        """Return the picture of a position as a face; None if this game has no table template."""
        if not self.drawn:
            return None
        return table_face(self.composer, position, self.tell(position))

    def _draw(self, position: Mapping[str, Any]) -> Picture:
        composer, alt = self.composer, self.tell(position)
        key = key_of("table", self.shown.looks, composer.inks, position, alt)
        made = self._standing.find(key)
        if made is None or not self._reread(made):
            with composer.reads.noted() as reads:
                face = table_face(composer, position, alt)
            svg = _lean(standalone_svg(face))
            path = f"tables/{hashlib.sha256(svg.encode()).hexdigest()[:8]}.svg"
            if path not in self.files:
                self.files[path] = self.shown.kept(path, svg)
            if len(self._faces) >= MOST_FACES:
                del self._faces[next(iter(self._faces))]
            self._faces[path] = face
            files = files_of({self.shown.place_of(path): svg.encode()})
            made = self._standing.note(key, reads, {"path": path, "files": files, "height": face.stock.height})
        self._made[made["path"]], self._positions[made["path"]] = made, position
        return Picture(made["path"], WIDTH * 4, round(made["height"] * 4), alt)

    def _reread(self, made: Mapping[str, Any]) -> bool:
        """Take a picture over from an earlier build, if it is still there."""
        found = self.shown.reuse.read(made["files"])
        if found:
            (data,) = found.values()
            if made["path"] not in self.files:
                self.files[made["path"]] = self.shown.kept(made["path"], data.decode())
        return bool(found)


def _lean(svg: str) -> str:
    """Remove everything invisible from a picture: there are hundreds of pictures, with many parts in common.

    >>> _lean('<svg> <clipPath id="trim"><path/></clipPath><g clip-path="url(#trim)"><use x="1.500"/></g></svg>')
    '<svg><use x="1.5"/></svg>'
    >>> _lean('<path d="M1 2L3 2L3 4L1 2ZM5 6L7 8L5 6Z"/>')
    '<path d="M1 2L3 2L3 4ZM5 6L7 8Z"/>'
    """
    svg = re.sub(r">\s+<", "><", svg)
    # Anything outside the view is invisible anyway.
    head, _, cut = svg.partition('<clipPath id="trim">')
    _, found, body = cut.partition('</clipPath><g clip-path="url(#trim)">')
    if found and body.endswith("</g></svg>"):
        svg = head + body.removesuffix("</g></svg>") + "</svg>"
    # A closed path needs no line back to its start.
    svg = re.sub(r"(M(-?[\d.]++ -?[\d.]++)[^MZ]*)L\2Z", r"\1Z", svg)
    return re.sub(r'(?<==")(-?\d+)(?:\.0+|(\.\d*?[1-9])0+)(?=")', r"\1\2", svg)
