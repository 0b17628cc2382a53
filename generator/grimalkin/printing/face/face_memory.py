"""A memory of resolved faces, for a new composer of the same game after something in its folder has changed.

A face is reused if its template renders the same text and nothing else that resolving depends on has changed: icons,
fonts, styles, the pictures on it, the names behind references in its texts, and the columns that its texts test. A
template is not even rendered again if no template and nothing that it looked up has changed, and there were no faults
the last time: they are found only while rendering.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from grimalkin.content.stocks import Stock
from grimalkin.printing.face.images.game_art import Art, Pictures, mark_of
from grimalkin.printing.face.images.pictures import Picture
from grimalkin.printing.face.layers import Layer
from grimalkin.printing.face.workshop import Workshop
from grimalkin.problems import Problems
from grimalkin.source import data_folder


class Resolved(NamedTuple):
    """A face and everything from which it was resolved."""

    layers: tuple[Layer, ...]
    text: str
    stock: Stock
    row: Mapping[str, Any]
    asked: frozenset[str]
    """The names that its template looked up."""
    templates: object
    shared: Shared
    art: Mapping[str, Art | None]


class Shared(NamedTuple):
    """The data of a workshop that all faces share."""

    names: Mapping[str, Any]
    """Names that templates may look up."""
    words: Mapping[str, str]
    """The name behind each id."""


class Memory:
    """A game's faces in one kind of ink, each as last resolved."""

    def __init__(self) -> None:
        self.faces: dict[str, Resolved] = {}
        self.context: object = None
        """Everything that all faces depend on."""
        self.pictures: Pictures | None = None
        self.templates: object = None
        """The files of templates, and the state of each."""
        self.problems: Problems | None = None
        self.is_sound = False
        """Whether there were no faults the last time."""
        self.shared = Shared({}, {})
        self.equal: dict[tuple[int, str], bool] = {}
        """Whether a name that templates look up still has the value that it had when a face was made."""

    def begin(self, workshop: Workshop) -> None:
        """Forget everything if something that all faces depend on has changed."""
        files = _marks(_shared_files(workshop))
        templates = _marks(path for folder in workshop.folders if folder.is_dir() for path in _below(folder))
        fallback = workshop.game.info.fallback_fonts
        context = (files, workshop.inks, workshop.draft, workshop.looks, workshop.treatments, fallback)
        if context != self.context:
            self.faces.clear()
        if templates != self.templates:
            self.templates = templates
        self.context, self.pictures = context, workshop.pictures
        self.is_sound = self.problems is not None and not self.problems
        self.problems = workshop.problems
        self.shared = Shared(workshop.shared, workshop.words_of)
        self.equal.clear()

    def find_whole(self, workshop: Workshop, id_: str, stock: Stock) -> Resolved | None:
        """Return a face if its template need not be rendered."""
        one = self.faces.get(id_)
        if one is None or not self.is_sound or one.templates is not self.templates or one.row != _row(workshop, id_):
            return None
        if not all(self._stands(name, one.shared.names) for name in one.asked):
            return None
        if self.find(workshop, id_, one.text, stock) is None:
            return None
        self.faces[id_] = one._replace(shared=self.shared)
        return one

    def _stands(self, name: str, names: Mapping[str, Any]) -> bool:
        key = id(names), name
        if key not in self.equal:
            self.equal[key] = names.get(name) == self.shared.names.get(name)
        return self.equal[key]

    def find(self, workshop: Workshop, id_: str, text: str, stock: Stock) -> tuple[Layer, ...] | None:
        """Return the layers of a face, if they would be the same again."""
        one = self.faces.get(id_)
        if one is None or (one.text, one.stock) != (text, stock):
            return None
        if "{if" in text and one.row != _row(workshop, id_):
            return None
        if ("[[" in text or "&#" in text) and one.shared.words != workshop.words_of:
            return None
        now = workshop.pictures
        same = all(name in now and _is_same(now.picture(name), art) for name, art in one.art.items())
        return one.layers if same else None

    def keep(self, workshop: Workshop, id_: str, text: str, stock: Stock, layers: tuple[Layer, ...]) -> None:
        """Remember a face, unless it has flaws or remarks on a drawing in its template, which are always reported."""
        if text.count("<svg") > 1 or any(layer.flaws for layer in layers):
            self.faces.pop(id_, None)
            return
        art = {name: workshop.pictures.known.get(name) for layer in layers for name in layer.art}
        asked = frozenset(workshop.sandbox.asked)
        row = _row(workshop, id_)
        self.faces[id_] = Resolved(layers, text, stock, row, asked, self.templates, self.shared, art)


def _is_same(one: Art | None, other: Art | None) -> bool:
    """Return whether two pictures are the same: one may have been read again, with the same bytes."""
    if isinstance(one, Picture) and isinstance(other, Picture):
        return (one.path, one.digest) == (other.path, other.digest)
    return one is other


def _row(workshop: Workshop, id_: str) -> Mapping[str, Any]:
    return workshop.rows.get(id_.rpartition("-")[0], {})


def _marks(paths: Iterable[Path]) -> object:
    return tuple((path, mark_of(path)) for path in paths)


def _below(folder: Path) -> list[Path]:
    """Return the files in a folder and in its subfolders."""
    return sorted(Path(here) / name for here, _, names in os.walk(folder) for name in names)


def _shared_files(workshop: Workshop) -> Iterator[Path]:
    """Return the icons and fonts that faces may use."""
    kin = [data_folder("content") / workshop.kin / "icons"] if workshop.kin else []
    folder = workshop.game.folder
    for place in (folder / "icons", folder / "fonts", data_folder("templates") / "icons", *kin):
        if place.is_dir():
            yield from sorted(Path(one.path) for one in os.scandir(place))
