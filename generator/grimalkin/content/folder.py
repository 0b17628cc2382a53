"""Read the files in a game's folder: models, tables and ids, with every problem at its place."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from grimalkin.content.models import GameFile
from grimalkin.content.rules import TermsFile
from grimalkin.content.texts.references import ASKED, ICONS
from grimalkin.content.validation import Misfit, checked
from grimalkin.content.values import Model
from grimalkin.problems import Place, Problem, Problems, did_you_mean
from grimalkin.problems.plain import folded
from grimalkin.source import At, Source, data_folder, files_in, is_inside, read_bytes, read_yaml
from grimalkin.source.tables import TABLE_FILES, Table, read_table_file

M = TypeVar("M", bound=Model)
Claim = tuple[str, Place]
"""An id as first written, and its place."""

ONE_FILE = "Windows and macOS treat both as one file"
WHERE = {
    "icon": ICONS,
    "example": "examples are in examples/*.yaml",
    "map": "maps are maps/NAME.txt",
    "scenario": "scenarios are scenarios/*.yaml",
    "id": "name a rule, a ruling, an example or a component by its id",
    "colour": "colours are in the palette in game.yaml",
    "component": "ids of components are in the tables of decks",
    "rule": "rules are in rules.yaml",
    "stock": "the guide's reference lists the shared stocks; put your own in stocks/NAME.yaml",
    "term": "terms are in terms.yaml",
}
"""A hint on where each kind of thing is found."""


class Folder:
    """A game's folder while it is being read: its files so far, and their problems."""

    def __init__(self, path: Path, problems: Problems) -> None:
        self.path = path
        self.problems = problems
        self.sources: dict[str, Source] = {}
        """The files read so far, by name."""
        self.places: dict[str, tuple[Source, At]] = {}
        self.texts: list[tuple[str, Source, At, Collection[str]]] = []
        """Texts with marks, each with its place and the names that its conditions may use."""
        self.written_ids: set[str] = set()
        """Every id in the files, even of things with problems: a reference to these needs no separate problem."""
        self.claimed: dict[str, Claim] = {}
        self.stocks = stems("stocks", "yaml", path)
        self.remarks: list[Problem] = []
        """Remarks: things worth mentioning that are not problems."""
        self.unused: dict[str, tuple[str, ...]] = {}
        """Headers of columns that nothing uses, by the id of the deck."""
        self.unread: set[str] = set()
        """Kinds of references that may lead into an unreadable file: these need no separate problem either."""

    def tell(self, source: Source, at: At, message: str, hint: str = "", also: Place | None = None) -> None:
        """Report a problem at a place in a file."""
        self.problems.add(source.place(at), message, hint, also)

    def tell_each(self, file: str, misfits: Iterable[Misfit], start: At = ()) -> None:
        """Report what is wrong in a file, below the keys `start`."""
        for at, message, hint in misfits:
            self.tell(self.sources[file], (*start, *at), message, hint)

    def must_be_there(self, what: str, name: str, known: Collection[str], source: Source, at: At) -> None:
        """Report a name in a file, such as that of a stock, if it is not among the known ones."""
        if name not in known:
            self.tell(source, at, f'there is no {what} "{name}"', did_you_mean(name, known, WHERE.get(what, "")))

    def info(self) -> GameFile | None:
        """Return game.yaml. Its source is then the first of the folder's sources."""
        source = read_yaml(self.path / "game.yaml", self.problems, self.path)
        if source is None:
            return None
        self.sources["game.yaml"] = source
        return checked(GameFile, source.data, source, self.problems)

    def file(self, name: str, model: type[M], required: bool = False) -> tuple[M | None, Source]:
        path = self.path / name
        nothing = Source(path, {})
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
        self.places[name] = self.sources[name], ()
        return read, self.sources[name]

    def each(self, file: tuple[Model | None, Source], key: str, prefix: str | None = None) -> Iterator[tuple[At, Any]]:
        """Yield every item of a list in a file, with the keys that lead to it, and claim its id.

        With a prefix, the id is claimed among those of rules, examples and components; otherwise only within the list.
        """
        own: dict[str, Claim] = {}
        for index, item in enumerate(getattr(file[0], key) if file[0] else ()):
            if prefix is None:
                self.claim_in(own, item.id, file[1], (key, index))
            else:
                self.claim(item.id, file[1], (key, index), prefix)
            yield (key, index), item

    def listed(self, name: str, model: type[M], key: str, prefix: str | None = None) -> tuple[Any, ...]:
        """Return the items of a list in a file, and claim their ids."""
        return tuple(item for _, item in self.each(self.file(name, model), key, prefix))

    def each_file(self, kind: str, model: type[M], prefix: str) -> tuple[M, ...]:
        """Return the models in the YAML files of a folder, and claim their ids."""
        found: list[M] = []
        one: Any
        for path in files_in(self.path, kind, ".yaml", self.problems):
            one, source = self.file(f"{kind}/{path.name}", model)
            if one is not None:
                self.claim(one.id, source, (), prefix)
                found.append(one)
        return tuple(found)

    def claim(self, id_: str, source: Source, at: At, prefix: str = "") -> None:
        if prefix and not id_.startswith(prefix + "-"):
            self.tell(source, (*at, "id"), f'the id "{id_}" does not begin with "{prefix}-"')
        self.claim_in(self.claimed, id_, source, at)
        self.places.setdefault(id_, (source, at))

    def claim_in(self, claimed: dict[str, Claim], id_: str, source: Source, at: At) -> None:
        """Claim an id; report it if it is taken, even with other capitals: files and folders are named after ids."""
        place = source.place((*at, "id"))
        first, first_place = claimed.setdefault(folded(id_), (id_, place))
        if first != id_:
            told = f'the id "{id_}" differs from "{first}" only in capital letters'
            self.problems.add(place, told, f"{ONE_FILE}; give it another id", first_place)
        elif first_place is not place:
            self.problems.add(place, f'the id "{id_}" is taken', "give it another id", first_place)

    def table(self, name: str, sheet: str, known: Collection[str], at: At) -> Table | None:
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
            self.must_be_there("file", name, tables, self.sources["game.yaml"], at)
        if table is None:
            self.unread.add("id")
        return table

    def has_table(self, name: str) -> bool:
        """Return whether a table of this name can be read. Reading reports a path that leads out of the folder."""
        path = self.path / name
        return not is_inside(path, self.path) or os.path.lexists(path)

    def note_texts(self, source: Source, at: At, data: Any, names: Collection[str] = ASKED) -> None:
        """Note every text that may hold marks; `names` are the names that its conditions may use."""
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
    """Return the names of the icons that a game may use: shared ones, those of `kin`, and its own."""
    of_kin = stems("icons", "svg", data_folder("content") / kin) if kin else set()
    return stems("icons", "svg", folder) | of_kin


def stems(kind: str, ending: str, folder: Path) -> set[str]:
    """Return the names of a kind of file: shared ones, and a game's own."""
    elsewhere = Problems()  # reading the files reports what is wrong with them
    places = (data_folder("templates"), folder)
    return {path.stem for place in places for path in files_in(place, kind, f".{ending}", elsewhere)}
