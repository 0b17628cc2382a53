"""Draw pictures of positions, for games with a table template. Equal pictures share a file."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from grimalkin.engine.shape import Record
from grimalkin.printing.face import Composer, Face, standalone_svg
from grimalkin.printing.face.views import WIDTH, draws_table, table_face
from grimalkin.site.pages.marks import Mark, Piece, marks, pieces_of
from grimalkin.site.pages.telling import Teller, changed, find_loads, find_untold


@dataclass(frozen=True)
class Picture:
    """A picture of a position: its path in the game's folder, its size, and its description."""

    path: str
    width: int
    height: int
    alt: str


class Tables:
    """Draws positions, each once. `files` has the pictures drawn so far."""

    def __init__(self, composer: Composer) -> None:
        self.composer = composer
        self.drawn = draws_table(composer)
        self.files: dict[str, str] = {}
        self._pictures: dict[str, Picture | None] = {}
        self._faces: dict[str, Face] = {}
        """Faces of the pictures, by path."""
        self._pieces: dict[str, list[Piece]] = {}
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
        if picture is None or since is None:
            return picture
        return replace(picture, alt=self.tell(changed(since, position), zeros=True) or picture.alt)

    def marks(self, before: Picture | None, after: Picture | None) -> list[Mark]:
        """Mark what is new in a picture, and what has gone since an earlier one."""
        if before is None or after is None or before.path == after.path:
            return []
        return marks(self._pieces_on(before), self._pieces_on(after))

    def _pieces_on(self, picture: Picture) -> list[Piece]:
        """Return the pieces on a picture. Most pictures are never compared, so this is done on demand."""
        if picture.path not in self._pieces:
            face = self._faces[picture.path]
            self._pieces[picture.path] = pieces_of(face.root, WIDTH, face.stock.height)
        return self._pieces[picture.path]

    def face(self, position: Mapping[str, Any]) -> Face | None:
        """Return the picture of a position as a face; None if this game has no table template."""
        if not self.drawn:
            return None
        return table_face(self.composer, position, self.tell(position))

    def _draw(self, position: Mapping[str, Any]) -> Picture | None:
        face = self.face(position)
        if face is None:
            return None
        svg = _lean(standalone_svg(face))
        path = f"tables/{hashlib.sha256(svg.encode()).hexdigest()[:8]}.svg"
        self.files[path] = svg
        self._faces[path] = face
        return Picture(path, WIDTH * 4, round(face.stock.height * 4), face.alt)


def _lean(svg: str) -> str:
    """Remove everything invisible from a picture: there are hundreds, with many parts in common.

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
