"""A memory of resolved faces, for a new composer of the same game after something in its folder has changed.

A face is reused if its template renders the same text and nothing else that resolving depends on has changed: icons,
fonts, styles, the pictures on it, the names behind references in its texts, and the columns that its texts test. A
template is not even rendered again if no template and nothing that it looked up has changed, and nothing was wrong the
last time: faults are found only while rendering.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from grimalkin.content.stocks import Stock
from grimalkin.face.gallery import Art, Pictures, mark_of
from grimalkin.face.layers import Layer
from grimalkin.face.pictures import Picture
from grimalkin.problems import Problems
from grimalkin.source import data_folder

if TYPE_CHECKING:
    from grimalkin.face.compose import Composer


class Resolved(NamedTuple):
    """A face and everything from which it was resolved."""

    layers: tuple[Layer, ...]
    text: str
    stock: Stock
    row: Mapping[str, Any]
    asked: frozenset[str]
    """The names that its template looked up."""
    templates: object
    composer: Shared
    art: Mapping[str, Art | None]


class Shared(NamedTuple):
    """The data of a composer that all faces share."""

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

    def begin(self, composer: Composer) -> None:
        """Forget everything if something that all faces depend on has changed."""
        files = _marks(_shared_files(composer))
        templates = _marks(path for folder in composer.folders if folder.is_dir() for path in _below(folder))
        fallback = composer.game.info.fallback_fonts
        context = (files, composer.inks, composer.draft, composer.looks, composer.treatments, fallback)
        if context != self.context:
            self.faces.clear()
        if templates != self.templates:
            self.templates = templates
        self.context, self.pictures = context, composer.pictures
        self.is_sound = self.problems is not None and not self.problems
        self.problems = composer.problems
        self.shared = Shared(composer.shared, composer.words_of)
        self.equal.clear()

    def find_whole(self, composer: Composer, id_: str, stock: Stock) -> Resolved | None:
        """Return a face if its template need not be rendered again."""
        one = self.faces.get(id_)
        if one is None or not self.is_sound or one.templates is not self.templates or one.row != _row(composer, id_):
            return None
        if not all(self._stands(name, one.composer.names) for name in one.asked):
            return None
        if self.find(composer, id_, one.text, stock) is None:
            return None
        self.faces[id_] = one._replace(composer=self.shared)
        return one

    def _stands(self, name: str, names: Mapping[str, Any]) -> bool:
        key = id(names), name
        if key not in self.equal:
            self.equal[key] = names.get(name) == self.shared.names.get(name)
        return self.equal[key]

    def find(self, composer: Composer, id_: str, text: str, stock: Stock) -> tuple[Layer, ...] | None:
        """Return the layers of a face if they would not change."""
        one = self.faces.get(id_)
        if one is None or (one.text, one.stock) != (text, stock):
            return None
        if "{if" in text and one.row != _row(composer, id_):
            return None
        if ("[[" in text or "&#" in text) and one.composer.words != composer.words_of:
            return None
        now = composer.pictures
        same = all(name in now and _is_same(now.picture(name), art) for name, art in one.art.items())
        return one.layers if same else None

    def keep(self, composer: Composer, id_: str, text: str, stock: Stock, layers: tuple[Layer, ...]) -> None:
        """Remember a face, unless it has flaws or remarks on a drawing in its template, which are always reported."""
        if text.count("<svg") > 1 or any(layer.flaws for layer in layers):
            self.faces.pop(id_, None)
            return
        art = {name: composer.pictures.known.get(name) for layer in layers for name in layer.art}
        asked = frozenset(composer.sandbox.asked)
        row = _row(composer, id_)
        self.faces[id_] = Resolved(layers, text, stock, row, asked, self.templates, self.shared, art)


def _is_same(one: Art | None, other: Art | None) -> bool:
    """Return whether two pictures are the same: one may have been read again, with the same bytes."""
    if isinstance(one, Picture) and isinstance(other, Picture):
        return (one.path, one.digest) == (other.path, other.digest)
    return one is other


def _row(composer: Composer, id_: str) -> Mapping[str, Any]:
    return composer.rows.get(id_.rpartition("-")[0], {})


def _marks(paths: Iterable[Path]) -> object:
    return tuple((path, mark_of(path)) for path in paths)


def _below(folder: Path) -> list[Path]:
    """Return the files in a folder and in its subfolders."""
    return sorted(Path(here) / name for here, _, names in os.walk(folder) for name in names)


def _shared_files(composer: Composer) -> Iterator[Path]:
    """Return the icons and fonts that faces may use."""
    kin = [data_folder("content") / composer.kin / "icons"] if composer.kin else []
    folder = composer.game.folder
    for place in (folder / "icons", folder / "fonts", data_folder("templates") / "icons", *kin):
        if place.is_dir():
            yield from sorted(Path(one.path) for one in os.scandir(place))
