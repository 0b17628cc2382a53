"""Everything that the files of a game say, as one frozen Game; and the facts that its engine may know."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grimalkin.content.maps import Map
from grimalkin.content.models import Book, Component, Drawn, GameFile, Listed, Variant
from grimalkin.content.player_aids import Glance, LearnFile
from grimalkin.content.rules import Erratum, Example, Playthrough, Rule, Ruling, SearchFile, Section, Term
from grimalkin.content.scenarios import Entry, Scenario, plain
from grimalkin.games import find_checks, find_game
from grimalkin.problems import Place, Problem, shown_path
from grimalkin.source import At, Source, content_fingerprint

# Imports that only games with an engine need are made where they are used.
if TYPE_CHECKING:
    from grimalkin.engine.contract import Checks, GameModule
    from grimalkin.engine.replay import Script


@dataclass(frozen=True)
class Part:
    """The part of a game to print, if not the complete game."""

    id: str
    name: str
    """The name that people see."""
    counts: Mapping[str, int]
    """How many of each piece and of each book page to print, by id. Missing ids are not printed."""


@dataclass(frozen=True)
class Kept:
    """A kept version, as plain data from its file."""

    version: str
    laws: Mapping[str, Mapping[str, Any]]
    """Every rule and ruling as written, by id; rules also with their printed number and the title of their section."""
    errata: Mapping[str, Mapping[str, Any]]
    components: Mapping[str, Mapping[str, Mapping[str, Any]]]
    """The cells of every component, by the deck's id and then by the component's."""
    records: Sequence[Any]
    """How the components looked in each design, as records of printed cards."""
    note: str = ""
    """What is new in it, in a few words."""


@dataclass(frozen=True)
class Finished:
    """Pictures that serve as the faces of a game."""

    art: Mapping[str, Path]
    """The pictures, already read, by the names that faces use: a `face.images.game_art.Pictures`."""
    rooms: Mapping[str, Mapping[str, Any]]
    """The data that the template `base/picture` draws, by the name in the columns `front` and `back` of a row."""
    digest: str
    """Changes whenever a face does."""


@dataclass(frozen=True, kw_only=True)
class Game:
    """Everything that the files of a game say. Ids are unique across rules, rulings, examples and components."""

    name: str
    folder: Path
    info: GameFile
    source: Source | None = None
    """The text of game.yaml."""
    places: Mapping[str, tuple[Source, At]] = field(default_factory=dict)
    """The place where each id is written; a file with only one place is listed under its name."""
    remarks: tuple[Problem, ...] = ()
    """Remarks on its tables, which are not problems."""

    components: Mapping[str, tuple[Component, ...]]
    """The rows of each deck, by the deck's id, in the order of the table."""
    pages: Mapping[str, tuple[Component, ...]] = field(default_factory=dict)
    """The pages of each book, by the book's id, in the order of its table."""
    lists: Mapping[str, tuple[Listed, ...]] = field(default_factory=dict)
    """The rows of each list, by the list's id."""
    unused: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Headers of columns that nothing uses, by the id of the deck."""
    maps: Mapping[str, Map] = field(default_factory=dict)
    """Its maps, by file name."""
    scenarios: tuple[Scenario, ...] = ()
    entries: tuple[Entry, ...] = ()

    sections: tuple[Section, ...] = ()
    every_ruling: tuple[Ruling, ...] = ()
    """All rulings, including withdrawn ones; the same goes for the errata."""
    every_erratum: tuple[Erratum, ...] = ()
    terms: tuple[Term, ...] = ()
    examples: tuple[Example, ...] = ()
    playthroughs: tuple[Playthrough, ...] = ()
    scripts: Mapping[str, Script] = field(default_factory=dict)
    """The scripts that the engine replays, by the id of the example or playthrough. Empty without an engine."""
    kept: tuple[Kept, ...] = ()
    """Its kept versions, in the order of their file names."""

    parts: Mapping[str, Any] = field(default_factory=dict)
    """What parts read in its folder, by their names."""
    quick: tuple[Glance, ...] = ()
    """The quick reference, by its headings."""
    learn: LearnFile | None = None
    """The introduction for newcomers; its place is stored under "learn.yaml"."""
    search: SearchFile | None = None
    """Additional search words."""

    variants: tuple[Variant, ...] = ()
    """The variants that the pieces are printed as; usually none."""
    part: Part | None = None
    """The part to print; None for the whole game."""
    finished: Finished | None = None
    """The pictures that serve as its faces, if it is a folder of pictures."""

    def with_part(self, name: str, found: Any) -> Game:
        """Return the game with what a part found. It shares the facts, so its engine prepares them only once."""
        game = copy.copy(self)
        object.__setattr__(game, "parts", {**self.parts, name: found})
        return game

    @property
    def marked_title(self) -> str:
        """Return the title, marked if the game is a draft."""
        return f"{self.info.title} (draft)" if self.info.draft else self.info.title

    @property
    def version(self) -> str:
        """Return the version printed on sheets; "" if the game has neither rules nor a version of its own."""
        return self.info.rules_version if self.sections or "rules_version" in self.info.model_fields_set else ""

    @property
    def printed_as(self) -> tuple[str, ...]:
        """Return the id of the part to print, if there is one, and the ids of the variants."""
        return (*([self.part.id] if self.part else []), *(variant.id for variant in self.variants))

    def rows_of(self, drawn: Drawn) -> tuple[Component, ...]:
        """Return the rows of a deck, or the pages of a book."""
        return self.pages[drawn.id] if isinstance(drawn, Book) else self.components[drawn.id]

    def copies(self, row: Component) -> int:
        """Return how many copies of a piece to print."""
        return row.count if self.part is None else self.part.counts.get(row.id, 0)

    @property
    def own_place(self) -> Place:
        """Return the place that defines the game: game.yaml, or its folder of pictures."""
        return Place(shown_path(self.folder if self.finished else self.folder / "game.yaml"))

    @property
    def fingerprint(self) -> str:
        """Return a six-character digest of everything that its faces and rules are made from."""
        return self.finished.digest if self.finished else content_fingerprint(self.folder)

    def place(self, id_: str, at: At = ()) -> Place:
        source, start = self.places[id_]
        return source.place((*start, *at))

    @property
    def engine(self) -> str:
        """Return the name of this game's engine, which need not exist."""
        return self.info.engine or self.name

    @cached_property
    def module(self) -> GameModule | None:
        """Return the engine's module for this game, or None."""
        return find_game(self.engine)

    @cached_property
    def checks(self) -> Checks | None:
        """Return the module that checks the pieces of this game: its engine, which may be unfinished."""
        return find_checks(self.engine)

    @cached_property
    def numbers(self) -> dict[str, str]:
        """Return the printed number of every rule (section, position in it) and ruling (position in the file), by id.

        A withdrawn ruling keeps its number.
        """
        return {
            rule.id: f"{part}.{index}"
            for part, section in enumerate(self.sections, 1)
            for index, rule in enumerate(section.rules, 1)
        } | {ruling.id: f"R{number}" for number, ruling in enumerate(self.every_ruling, 1)}

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """Return the rulings that apply."""
        return tuple(ruling for ruling in self.every_ruling if not ruling.withdrawn)

    @cached_property
    def errata(self) -> tuple[Erratum, ...]:
        """Return the errata that apply."""
        return tuple(erratum for erratum in self.every_erratum if not erratum.withdrawn)

    @cached_property
    def withdrawn(self) -> tuple[Ruling | Erratum, ...]:
        """Return the rulings and errata that no longer apply."""
        every: tuple[Ruling | Erratum, ...] = (*self.every_ruling, *self.every_erratum)
        return tuple(one for one in every if one.withdrawn)

    @cached_property
    def rules(self) -> dict[str, Rule]:
        return {rule.id: rule for section in self.sections for rule in section.rules}

    @cached_property
    def laws(self) -> dict[str, Rule | Ruling]:
        """Return rules and rulings by id: everything that players obey."""
        return {**self.rules, **{ruling.id: ruling for ruling in self.rulings}}

    def forbids(self, id_: str) -> bool:
        """Return whether a rule that refuses a move is a prohibition. An engine may name a rule not written yet."""
        law = self.laws.get(id_)
        return law is None or law.forbids

    @cached_property
    def by_id(self) -> dict[str, Component]:
        return {component.id: component for rows in self.components.values() for component in rows}

    @cached_property
    def facts_print(self) -> str:
        """Return a digest of the facts that can change how a game is played."""
        return facts_print(self.info, self.components)

    @cached_property
    def facts(self) -> dict[str, Any]:
        """Return what the engine may know of the components and of everything they name, as plain JSON."""
        return facts_of(self.info, self.components, self.lists, self.maps, self.scenarios, self.entries)


def facts_of(
    info: GameFile,
    components: Mapping[str, tuple[Component, ...]],
    lists: Mapping[str, tuple[Listed, ...]],
    maps: Mapping[str, Map],
    scenarios: Iterable[Scenario],
    entries: Iterable[Entry],
) -> dict[str, Any]:
    """Return everything that an engine may know of a game, omitting keys for features that the game lacks."""
    more: dict[str, dict[str, Any]] = {
        "lists": {
            listing.id: {row.id: {"name": row.name, **_cells(row, listing.columns)} for row in lists[listing.id]}
            for listing in info.lists
            if listing.id in lists
        },
        "maps": {id_: drawn.facts() for id_, drawn in maps.items()},
        "scenarios": {one.id: plain(one) for one in scenarios},
        "entries": {str(one.number): plain(one) for one in entries},
    }
    return component_facts(info, components) | {kind: some for kind, some in more.items() if some}


def component_facts(info: GameFile, components: Mapping[str, tuple[Component, ...]]) -> dict[str, Any]:
    """Return {"components": {id: {"name", "count", "deck", and every column of the deck}}}."""
    facts: dict[str, Any] = {}
    for deck in info.decks:
        for row in components[deck.id]:
            facts[row.id] = {"name": row.name, "count": row.count, "deck": deck.id, **_cells(row, deck.columns)}
    return {"components": facts}


def facts_print(info: GameFile, components: Mapping[str, tuple[Component, ...]]) -> str:
    """Return a digest of everything that an engine reads of the components.

    Names, texts and columns that are not shown are left out: changing them affects no game.
    """
    facts = {
        row.id: {
            "count": row.count,
            "deck": deck.id,
            "columns": {
                name: getattr(row, name.replace("-", "_"))
                for name, column in sorted(deck.columns.items())
                if column.type != "text" and column.shown
            },
        }
        for deck in info.decks
        for row in components[deck.id]
    }
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:24]


def _cells(row: Component | Listed, columns: Iterable[str]) -> dict[str, Any]:
    return {column: getattr(row, column.replace("-", "_")) for column in columns}
