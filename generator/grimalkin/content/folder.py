"""A game's folder in, what its files say out: models, tables and ids, with every problem told at its place."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, TypeVar

from grimalkin.content.checked import checked
from grimalkin.content.models import GameFile, TermsFile
from grimalkin.content.references import ASKED, ICONS
from grimalkin.content.values import Model
from grimalkin.problems import Place, Problem, Problems, did_you_mean
from grimalkin.problems.plain import folded
from grimalkin.source import At, Source, data_folder, files_in, is_inside, read_bytes, read_yaml
from grimalkin.source.tables import TABLE_FILES, Table, read_table_file

M = TypeVar("M", bound=Model)
Claim = tuple[str, Place]
"""An id as it was written first, and where."""

ONE_FILE = "for Windows and macOS both are one file"
WHERE = {
    "icon": ICONS,
    "map": "maps are maps/NAME.txt",
    "scenario": "scenarios are scenarios/*.yaml",
    "id": "it names a rule, a ruling, an example or a component by its id",
    "colour": "the palette of game.yaml names colours",
    "component": "ids of components stand in the tables of decks",
    "rule": "rules stand in rules.yaml",
    "stock": "the reference in the guide lists ours; one of your own is stocks/NAME.yaml",
    "term": "terms stand in terms.yaml",
}
"""Where to look for what is named."""


class Folder:
    """A game's folder while it is read: what its files named so far, and the problems with it."""

    def __init__(self, path: Path, problems: Problems) -> None:
        self.path = path
        self.problems = problems
        self.sources: dict[str, Source] = {}
        """The files that were read, by their names."""
        self.places: dict[str, tuple[Source, At]] = {}
        self.texts: list[tuple[str, Source, At, Collection[str]]] = []
        """Those with marks, where each stands, and what it may ask for."""
        self.written_ids: set[str] = set()
        """Every id in the files, even of what could not be used: a reference to it needs no problem of its own."""
        self.claimed: dict[str, Claim] = {}
        self.stocks = stems("stocks", "yaml", path)
        self.remarks: list[Problem] = []
        """Remarks: things worth mentioning that are not problems."""
        self.unused: dict[str, tuple[str, ...]] = {}
        """Headers of columns that nothing uses, by the ids of their decks."""
        self.unread: set[str] = set()
        """Kinds of references that may lead into a file that cannot be read: they need no problem either."""

    def tell(self, source: Source, at: At, message: str, hint: str = "", also: Place | None = None) -> None:
        """A problem with what stands in a file."""
        self.problems.add(source.place(at), message, hint, also)

    def must_be_there(self, what: str, name: str, known: Collection[str], source: Source, at: At) -> None:
        """What is named in a file, such as a stock, must be known."""
        if name not in known:
            self.tell(source, at, f'there is no {what} "{name}"', did_you_mean(name, known, WHERE.get(what, "")))

    def info(self) -> tuple[Source, GameFile] | None:
        """game.yaml, as it was read and what it says."""
        source = read_yaml(self.path / "game.yaml", self.problems, self.path)
        info = checked(GameFile, source.data, source, self.problems) if source else None
        if source is None or info is None:
            return None
        self.sources["game.yaml"] = source
        return source, info

    def file(self, name: str, model: type[M], required: bool = False) -> tuple[M | None, Source]:
        path = self.path / name
        nothing = Source(path, {}, {})
        if not os.path.lexists(path) and not required:
            return None, nothing
        source = read_yaml(path, self.problems, self.path)
        known = len(self.written_ids)
        read = None
        if source is not None:
            self.note_texts(source, (), source.data)
            read = checked(model, source.data, source, self.problems)
        if read is None and len(self.written_ids) == known:
            self.unread.add("term" if model is TermsFile else "id")
        self.sources[name] = source or nothing
        return read, self.sources[name]

    def each(self, file: tuple[Model | None, Source], key: str, prefix: str | None = None) -> Iterator[tuple[At, Any]]:
        """Every item of a list in a file, with the keys that lead to it.

        Its id is claimed: with a prefix, among those of rules, examples and components; without, among its list's own.
        """
        own: dict[str, Claim] = {}
        for index, item in enumerate(getattr(file[0], key) if file[0] else ()):
            if prefix is None:
                self.claim_in(own, item.id, file[1], (key, index))
            else:
                self.claim(item.id, file[1], (key, index), prefix)
            yield (key, index), item

    def listed(self, name: str, model: type[M], key: str, prefix: str | None = None) -> tuple[Any, ...]:
        """What a file lists, its ids claimed."""
        return tuple(item for _, item in self.each(self.file(name, model), key, prefix))

    def claim(self, id_: str, source: Source, at: At, prefix: str = "") -> None:
        if prefix and not id_.startswith(prefix + "-"):
            self.tell(source, (*at, "id"), f'the id "{id_}" does not begin with "{prefix}-"')
        self.claim_in(self.claimed, id_, source, at)
        self.places.setdefault(id_, (source, at))

    def claim_in(self, claimed: dict[str, Claim], id_: str, source: Source, at: At) -> None:
        """Ids of a kind are unique, and not alike either: pages, pictures and folders are named after them."""
        place = source.place((*at, "id"))
        first, first_place = claimed.setdefault(folded(id_), (id_, place))
        if first != id_:
            told = f'the id "{id_}" differs from "{first}" by large and small letters alone'
            self.problems.add(place, told, f"{ONE_FILE}; give it another id", first_place)
        elif first_place is not place:
            self.problems.add(place, f'the id "{id_}" is taken', "ids are unique", first_place)

    def table(self, name: str, sheet: str, known: Collection[str], game_source: Source, at: At) -> Table | None:
        """Read a table that game.yaml names; return None, with problems, if it cannot be read.

        `known` are names of columns that help to distinguish the header from a title above it.
        """
        table = None
        if not is_inside(self.path / name, self.path):
            read_bytes(self.path / name, self.problems, self.path)  # reports a file outside the folder
        elif os.path.lexists(self.path / name):
            table = read_table_file(self.path / name, self.problems, self.path, sheet, known)
        else:
            tables = [path.name for path in self.path.iterdir() if path.suffix.lower() in TABLE_FILES]
            self.must_be_there("file", name, tables, game_source, at)
        if table is None:
            self.unread.add("id")
        return table

    def has_table(self, name: str) -> bool:
        """Whether something may be read as a table; what leads out of the folder is told by who reads."""
        path = self.path / name
        return not is_inside(path, self.path) or os.path.lexists(path)

    def note_texts(self, source: Source, at: At, data: Any, names: Collection[str] = ASKED) -> None:
        """Keep every text that may hold marks; `names` are what it may ask for."""
        if isinstance(data, dict):
            for key, value in data.items():
                if key == "id" and isinstance(value, str):
                    self.written_ids.add(value)
                if key not in ("given", "expect", "check", "draw", "record"):
                    self.note_texts(source, (*at, key), value, names)
        elif isinstance(data, list):
            for index, value in enumerate(data):
                self.note_texts(source, (*at, index), value, names)
        elif isinstance(data, str) and ("[[" in data or ":" in data or "*" in data or "{" in data):
            self.texts.append((data, source, at, names))


def icon_names(folder: Path, kin: str = "") -> set[str]:
    """Names of the icons that a game may use: the shared ones, those of `kin`, and its own."""
    of_kin = stems("icons", "svg", data_folder("content") / kin) if kin else set()
    return stems("icons", "svg", folder) | of_kin


def stems(kind: str, ending: str, folder: Path) -> set[str]:
    """Names of the shared files of a kind, and of a game's own."""
    elsewhere = Problems()  # who reads the files tells what is wrong with them
    places = (data_folder("templates"), folder)
    return {path.stem for place in places for path in files_in(place, kind, f".{ending}", elsewhere)}
