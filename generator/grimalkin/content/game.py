"""What the files of a game say, as one frozen Game; and what of it an engine may know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grimalkin.content.catalogues import Catalogue
from grimalkin.content.episodes import ToldCampaign
from grimalkin.content.finished import Finished
from grimalkin.content.inquiries import Album, Change, Chart
from grimalkin.content.learning import LearnFile
from grimalkin.content.maps import Map
from grimalkin.content.models import (
    Book,
    Component,
    Drawn,
    Erratum,
    Example,
    GameFile,
    Listed,
    Playthrough,
    Rule,
    Ruling,
    Section,
    Term,
    Variant,
)
from grimalkin.content.quick import Glance
from grimalkin.content.scenarios import Entry, Scenario, plain
from grimalkin.content.search import SearchFile
from grimalkin.content.versions import Kept
from grimalkin.games import find_checks, find_game
from grimalkin.problems import Place, Problem, shown_path
from grimalkin.source import At, Source, content_fingerprint

# What only games with an engine need is imported where it is used.
if TYPE_CHECKING:
    from grimalkin.content.simulations import Recorded
    from grimalkin.engine.contract import Checks, GameModule
    from grimalkin.engine.replay import Script


@dataclass(frozen=True)
class Part:
    """What a game is printed for, when not all of it is wanted."""

    id: str
    name: str
    """What people call it."""
    counts: Mapping[str, int]
    """How many of each piece, and which pages of books, by their ids. What is missing is not wanted."""


@dataclass(frozen=True)
class Game:
    """Everything the files of a game say. Frozen; ids are unique across rules, rulings, examples and components."""

    name: str
    folder: Path
    info: GameFile
    components: Mapping[str, tuple[Component, ...]]
    """The rows of each deck, by the deck's id, in the order of the table."""
    sections: tuple[Section, ...]
    every_ruling: tuple[Ruling, ...]
    """Those that were withdrawn, too, as among the errata."""
    every_erratum: tuple[Erratum, ...]
    terms: tuple[Term, ...]
    examples: tuple[Example, ...]
    playthroughs: tuple[Playthrough, ...]
    scripts: Mapping[str, Script] = field(default_factory=dict)
    """What the engine replays, by the id of the example or playthrough. Empty without an engine."""
    places: Mapping[str, tuple[Source, At]] = field(default_factory=dict)
    """Where each id was written."""
    simulations: tuple[Recorded, ...] = ()
    changes: tuple[Change, ...] = field(default=(), kw_only=True)
    """What was changed because of them."""
    campaigns: tuple[ToldCampaign, ...] = field(default=(), kw_only=True)
    charts: tuple[Chart, ...] = ()
    albums: tuple[Album, ...] = field(default=(), kw_only=True)
    catalogues: tuple[Catalogue, ...] = field(default=(), kw_only=True)
    quick: tuple[Glance, ...] = field(default=(), kw_only=True)
    """What players look up, under a few headings."""
    learn: LearnFile | None = field(default=None, kw_only=True)
    """How a newcomer gets to know it. Its problems are at the place "learn.yaml"."""
    search: SearchFile | None = field(default=None, kw_only=True)
    """Other words for what it has."""
    kept: tuple[Kept, ...] = ()
    """Versions of it that were kept, by the names of their files."""
    variants: tuple[Variant, ...] = ()
    """As which of its variants the pieces are to be printed; usually none."""
    source: Source | None = None
    """game.yaml as it was read."""
    lists: Mapping[str, tuple[Listed, ...]] = field(default_factory=dict)
    """The rows of each list, by the list's id."""
    maps: Mapping[str, Map] = field(default_factory=dict)
    """By the names of their files."""
    scenarios: tuple[Scenario, ...] = ()
    entries: tuple[Entry, ...] = ()
    pages: Mapping[str, tuple[Component, ...]] = field(default_factory=dict)
    """The pages of each book, by the book's id, in the order of its table."""
    unused: Mapping[str, tuple[str, ...]] = field(default_factory=dict, kw_only=True)
    """Headers of columns that nothing uses, by the ids of their decks."""
    remarks: tuple[Problem, ...] = field(default=(), kw_only=True)
    """Remarks on its tables, which are not problems."""
    part: Part | None = None
    """What is to be printed of it, when it is not the whole."""
    finished: Finished | None = field(default=None, kw_only=True)
    """The pictures that are its faces, if it is a folder of pictures."""

    @property
    def marked_title(self) -> str:
        """The title, and whether this is a draft of the game."""
        return f"{self.info.title} (draft)" if self.info.draft else self.info.title

    @property
    def version(self) -> str:
        """Return the version printed on sheets; "" for a game that has no rules and names none."""
        return self.info.rules_version if self.sections or "rules_version" in self.info.model_fields_set else ""

    @property
    def printed_as(self) -> tuple[str, ...]:
        """The ids of those variants, and of the part that is to be printed."""
        return (*([self.part.id] if self.part else []), *(variant.id for variant in self.variants))

    def rows_of(self, drawn: Drawn) -> tuple[Component, ...]:
        """The rows of a deck, or the pages of a book."""
        return self.pages[drawn.id] if isinstance(drawn, Book) else self.components[drawn.id]

    def copies(self, row: Component) -> int:
        """How often a piece is to be printed."""
        return row.count if self.part is None else self.part.counts.get(row.id, 0)

    @property
    def own_place(self) -> Place:
        """Return the place that defines the game: game.yaml, or its folder of pictures."""
        return Place(shown_path(self.folder if self.finished else self.folder / "game.yaml"))

    @property
    def fingerprint(self) -> str:
        """Return a digest of six characters of everything that makes its faces and rules."""
        return self.finished.digest if self.finished else content_fingerprint(self.folder)

    def place(self, id_: str, at: At = ()) -> Place:
        source, start = self.places[id_]
        return source.place((*start, *at))

    @property
    def engine(self) -> str:
        """The name that the engine of this game has, if there is one."""
        return self.info.engine or self.name

    @cached_property
    def module(self) -> GameModule | None:
        """The engine's module for this game, if there is one."""
        return find_game(self.engine)

    @cached_property
    def checks(self) -> Checks | None:
        """What knows the pieces of this game: its engine, or the part of it that is there already."""
        return find_checks(self.engine)

    @cached_property
    def numbers(self) -> dict[str, str]:
        """The printed number of every rule and ruling, by its id: section and place in the section; place in the file.

        A ruling that was withdrawn keeps its number.
        """
        return {
            rule.id: f"{part}.{index}"
            for part, section in enumerate(self.sections, 1)
            for index, rule in enumerate(section.rules, 1)
        } | {ruling.id: f"R{number}" for number, ruling in enumerate(self.every_ruling, 1)}

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """Those that hold."""
        return tuple(ruling for ruling in self.every_ruling if not ruling.withdrawn)

    @cached_property
    def errata(self) -> tuple[Erratum, ...]:
        """Those that hold."""
        return tuple(erratum for erratum in self.every_erratum if not erratum.withdrawn)

    @cached_property
    def withdrawn(self) -> tuple[Ruling | Erratum, ...]:
        """Rulings and errata that hold no more."""
        every: tuple[Ruling | Erratum, ...] = (*self.every_ruling, *self.every_erratum)
        return tuple(one for one in every if one.withdrawn)

    @cached_property
    def rules(self) -> dict[str, Rule]:
        return {rule.id: rule for section in self.sections for rule in section.rules}

    @cached_property
    def laws(self) -> dict[str, Rule | Ruling]:
        """Rules and rulings by id: everything that can be obeyed."""
        return {**self.rules, **{ruling.id: ruling for ruling in self.rulings}}

    def forbids(self, id_: str) -> bool:
        """Whether what is refused by a rule is forbidden. An engine may name one that is not written yet."""
        law = self.laws.get(id_)
        return law is None or law.forbids

    @cached_property
    def by_id(self) -> dict[str, Component]:
        return {component.id: component for rows in self.components.values() for component in rows}

    @cached_property
    def facts_print(self) -> str:
        """A digest of the facts that can change a game."""
        from grimalkin.content.simulations import facts_print

        return facts_print(self.info, self.components)

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What the engine may know of the components and of what they name, as plain JSON."""
        return facts_of(self.info, self.components, self.lists, self.maps, self.scenarios, self.entries)


def facts_of(
    info: GameFile,
    components: Mapping[str, tuple[Component, ...]],
    lists: Mapping[str, tuple[Listed, ...]],
    maps: Mapping[str, Map],
    scenarios: Iterable[Scenario],
    entries: Iterable[Entry],
) -> dict[str, Any]:
    """All that an engine may know of a game; what a game has none of is not there."""
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
    """{"components": {id: {"name", "count", "deck", and every column of the deck}}}."""
    facts: dict[str, Any] = {}
    for deck in info.decks:
        for row in components[deck.id]:
            facts[row.id] = {"name": row.name, "count": row.count, "deck": deck.id, **_cells(row, deck.columns)}
    return {"components": facts}


def _cells(row: Component | Listed, columns: Iterable[str]) -> dict[str, Any]:
    return {column: getattr(row, column.replace("-", "_")) for column in columns}
