"""A game's folder in, a Game out, with every problem of every file told in one go."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from grimalkin.content.catalogues import Catalogue, CataloguesFile
from grimalkin.content.checked import Misfit, checked
from grimalkin.content.episodes import ToldCampaign
from grimalkin.content.learning import LearnFile
from grimalkin.content.learning import misfits as misfits_of_learning
from grimalkin.content.maps import Map, read_map
from grimalkin.content.models import (
    Album,
    AlbumsFile,
    Book,
    Change,
    Chart,
    ChartsFile,
    Component,
    Deck,
    Drawn,
    ErrataFile,
    Erratum,
    Example,
    ExamplesFile,
    GameFile,
    Listed,
    Listing,
    Model,
    Playthrough,
    Rule,
    RulesFile,
    Ruling,
    RulingsFile,
    Section,
    SimulationsFile,
    Term,
    TermsFile,
    Variant,
    listed_model,
    row_model,
)
from grimalkin.content.quick import Glance, QuickFile
from grimalkin.content.references import ASKED, ICONS, brace_faults, loose_fault, loose_marks, references
from grimalkin.content.scenarios import Entry, Scenario, StoryFile, plain
from grimalkin.content.search import SearchFile
from grimalkin.content.styles import looks_of
from grimalkin.content.versions import Kept, check_kept, read_kept
from grimalkin.games import find_checks, find_game, guarded, outside_games
from grimalkin.problems import Place, Problems, Stop, did_you_mean, shown_path
from grimalkin.problems.plain import ID, fault_of_name, folded, is_name_of_game
from grimalkin.source import (
    At,
    Source,
    bundled_games,
    data_folder,
    files_below,
    files_in,
    is_inside,
    name_of,
    read_table,
    read_text,
    read_yaml,
)

# What only games with an engine need is imported where it is used.
if TYPE_CHECKING:
    from grimalkin.content.simulations import Recorded
    from grimalkin.engine.contract import Checks, Facts, GameModule
    from grimalkin.engine.replay import Script

M = TypeVar("M", bound=Model)
Claim = tuple[str, Place]
"""An id as it was written first, and where."""

FILE_NAMES = (
    "game.yaml",
    "rules.yaml",
    "rulings.yaml",
    "errata.yaml",
    "terms.yaml",
    "simulations.yaml",
    "charts.yaml",
    "albums.yaml",
    "catalogues.yaml",
    "quick.yaml",
    "search.yaml",
    "story.yaml",
    "learn.yaml",
)
RESERVED_NAMES = ("assets", "decisions", "fonts", "guide", "pictures", "search", "sheets", "cards", "site")
"""Folders of the site; a game of that name would fall into them."""


RESERVED_VARIANTS = ("full", "low", "mono", "fronts", "backs", "form", "quick")
"""What else the names of printed files end in."""
SHARED = {"cutters": ".yaml", "icons": ".svg", "papers": ".yaml", "stocks": ".yaml"}
"""Folders of a game of which there are shared ones too, and the ending of what counts in them."""
FOLDERS = (
    *("", *SHARED, "campaigns", "examples", "faces", "fonts", "maps", "playthroughs", "scenarios", "simulations"),
    "versions",
)
"""All that is read of a game's folder."""
RULINGS_APART = "general"
ONE_FILE = "for Windows and macOS both are one file"
MOST_PIECES = 50_000
"""Of a game. They are drawn one by one."""
_WHERE = {
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
HOW = "a variant of a game of Grimalkin names it under `engine` in game.yaml"


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
    part: Part | None = None
    """What is to be printed of it, when it is not the whole."""

    @property
    def marked_title(self) -> str:
        """The title, and whether this is a draft of the game."""
        return f"{self.info.title} (draft)" if self.info.draft else self.info.title

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


def load_game(folder: Path, problems: Problems, draft: bool = False) -> Game | None:
    """Read and check a game's folder. None when game.yaml or its engine is of no use; else whatever could be read.

    With `draft` the game is one, whatever it says itself.
    """
    own = Problems()  # that something is wrong with another game says nothing about this one
    try:
        return _Loader(folder, own, draft).load()
    except Stop as stop:
        own.found.update(dict.fromkeys(stop.problems))
        return None
    finally:
        problems.found.update(own.found)


def game_file(folder: Path, problems: Problems) -> GameFile | None:
    """What game.yaml says, without a look at anything else; None with problems when it is of no use."""
    read = _Loader(folder, problems).info()
    return read[1] if read else None


def facts_in(folder: Path, problems: Problems) -> tuple[str, Facts] | None:
    """What a game's engine is called, and the facts for it, without a question to it; None without a game.yaml."""
    loader = _Loader(folder, problems)
    read = loader.info()
    if read is None:
        return None
    source, info = read
    components = {deck.id: loader.deck(deck, index, source) for index, deck in enumerate(info.decks)}
    lists = {listing.id: loader.listed_rows(listing, index, source) for index, listing in enumerate(info.lists)}
    maps = loader.maps(info)
    return info.engine or name_of(folder), facts_of(
        info, components, lists, maps, loader.scenarios(maps), loader.story()
    )


class _Loader:
    def __init__(self, folder: Path, problems: Problems, draft: bool = False) -> None:
        self.folder = folder
        self.draft = draft
        self.problems = problems
        self.places: dict[str, tuple[Source, At]] = {}
        self.texts: list[tuple[str, Source, At, Collection[str]]] = []
        """Those with marks, where each stands, and what it may ask for."""
        self.written_ids: set[str] = set()
        """Every id in the files, even of what could not be used: a reference to it needs no problem of its own."""
        self.claimed: dict[str, Claim] = {}
        self.stocks = _stems("stocks", "yaml", folder)
        self.unread: set[str] = set()
        """Kinds of references that may lead into a file that cannot be read: they need no problem either."""

    def tell(self, source: Source, at: At, message: str, hint: str = "", also: Place | None = None) -> None:
        """A problem with what stands in a file."""
        self.problems.add(source.place(at), message, hint, also)

    def must_be_there(self, what: str, name: str, known: Collection[str], source: Source, at: At) -> None:
        """What is named in a file, such as a stock, must be known."""
        if name not in known:
            self.tell(source, at, f'there is no {what} "{name}"', did_you_mean(name, known, _WHERE.get(what, "")))

    def info(self) -> tuple[Source, GameFile] | None:
        """game.yaml, as it was read and what it says."""
        source = read_yaml(self.folder / "game.yaml", self.problems, self.folder)
        info = checked(GameFile, source.data, source, self.problems) if source else None
        return (source, info) if source and info else None

    def load(self) -> Game | None:
        read = self.info()
        if read is None:
            return None
        source, info = read
        if self.draft:
            info = info.model_copy(update={"draft": True})
        with guarded(info.engine or name_of(self.folder)):
            return self.load_rest(source, info)

    def load_rest(self, source: Source, info: GameFile) -> Game:
        """What else is in the folder. The engine is asked while it is read."""
        self.check_names(info, source)
        components = {deck.id: self.deck(deck, index, source) for index, deck in enumerate(info.decks)}
        book_pages = {book.id: self.book(book, index, source) for index, book in enumerate(info.books)}
        pieces = sum(row.count for rows in components.values() for row in rows)
        if pieces > MOST_PIECES:
            self.problems.add(source.place(("decks",)), f"the game has {pieces:,} pieces", f"at most {MOST_PIECES:,}")
        rules = self.file("rules.yaml", RulesFile, required=True)
        for at, section in self.each(rules, "sections"):
            if folded(section.id) == RULINGS_APART:
                hint = "the page of rulings that belong to no section is called so"
                self.tell(rules[1], (*at, "id"), f'a section cannot be called "{section.id}"', hint)
            for index, rule in enumerate(section.rules):
                self.claim(rule.id, rules[1], (*at, "rules", index), info.prefix)
        rulings = self.listed("rulings.yaml", RulingsFile, "rulings", info.prefix)
        errata = self.listed("errata.yaml", ErrataFile, "errata", info.prefix)
        terms = self.listed("terms.yaml", TermsFile, "terms")
        examples: list[Example] = []
        for path in files_in(self.folder, "examples", ".yaml", self.problems):
            examples += self.listed(f"examples/{path.name}", ExamplesFile, "examples", info.prefix)
        playthroughs: list[Playthrough] = []
        for path in files_in(self.folder, "playthroughs", ".yaml", self.problems):
            read = self.file(f"playthroughs/{path.name}", Playthrough)
            if read[0]:
                self.claim(read[0].id, read[1], (), info.prefix)
                playthroughs.append(read[0])
        campaigns: list[ToldCampaign] = []
        for path in files_in(self.folder, "campaigns", ".yaml", self.problems):
            campaign = self.file(f"campaigns/{path.name}", ToldCampaign)
            if campaign[0]:
                self.claim(campaign[0].id, campaign[1], (), info.prefix)
                campaigns.append(campaign[0])
        simulated = self.file("simulations.yaml", SimulationsFile)
        simulations = self.simulations(simulated, info, components)
        charts = self.charts(info, simulations, components)
        lists = {listing.id: self.listed_rows(listing, index, source) for index, listing in enumerate(info.lists)}
        maps = self.maps(info)
        albums = self.file("albums.yaml", AlbumsFile)
        list(self.each(albums, "albums"))
        catalogues = self.file("catalogues.yaml", CataloguesFile)
        list(self.each(catalogues, "catalogues"))
        quick = self.file("quick.yaml", QuickFile)
        list(self.each(quick, "quick"))
        learn = self.file("learn.yaml", LearnFile)
        if learn[0] is not None:
            self.places["learn.yaml"] = learn[1], ()
        search = self.file("search.yaml", SearchFile)
        scenarios, entries = self.scenarios(maps), self.story()
        self.note_texts(source, (), source.data)
        game = Game(
            name_of(self.folder),
            self.folder,
            info,
            components,
            rules[0].sections if rules[0] else (),
            rulings,
            errata,
            terms,
            tuple(examples),
            tuple(playthroughs),
            {},
            self.places,
            simulations,
            charts,
            read_kept(self.folder, self.problems),
            source=source,
            lists=lists,
            maps=maps,
            scenarios=scenarios,
            entries=entries,
            pages=book_pages,
            albums=albums[0].albums if albums[0] else (),
            catalogues=catalogues[0].catalogues if catalogues[0] else (),
            quick=quick[0].quick if quick[0] else (),
            search=search[0],
            changes=simulated[0].changes if simulated[0] else (),
            campaigns=tuple(campaigns),
            learn=learn[0],
        )
        if info.engine and game.module is None:
            known = [*(name for name in bundled_games() if find_game(name)), *outside_games()]
            self.must_be_there("engine", info.engine, known, source, ("engine",))
        for misfit in game.checks.check_facts(game.facts) if game.checks and not self.problems else ():
            self.problems.add(self.place_of_fact(misfit.at), f"{misfit.at[-1]}: {misfit.message}", misfit.hint)
        for where, message, hint in part_misfits(game) if not self.problems else ():
            self.tell(source, where, message, hint)
        for scenario in scenarios if not self.problems else ():
            for name in scenario.pieces:
                file = self.places[f"scenarios/{scenario.id}"][0]
                self.must_be_there("component", name, [*game.by_id, *components], file, ("pieces", name))
                has = game.by_id[name].count if name in game.by_id else scenario.pieces[name]
                if not 0 <= scenario.pieces[name] <= has:
                    told = f"it needs {scenario.pieces[name]} of {name}"
                    self.tell(file, ("pieces", name), told, f"0 to {has}: the box has no more")
        numbers = [entry.number for entry in entries]
        for scenario in scenarios:
            for index, number in enumerate(scenario.entries):
                if number not in numbers:
                    file = self.places[f"scenarios/{scenario.id}"][0]
                    self.tell(file, ("entries", index), f"there is no entry {number}", "entries stand in story.yaml")
        for index, id_ in enumerate(info.cover):
            if not self.problems:
                self.must_be_there("component", id_, game.by_id, source, ("cover", index))
        for name, style in info.styles.items():
            if style.fill and not style.fill.startswith("#"):
                self.must_be_there("colour", style.fill, info.palette, source, ("styles", name, "fill"))
        for where, message, hint in check_variants(info, game.by_id, self.stocks):
            self.tell(source, where, message, hint)
        self.check_references(game, {term.id for term in game.terms})
        self.check_passages(game, source)
        check_kept(game, self.problems)
        if rules[0] is not None:  # else every rule would be told as missing
            self.check_named_rules(game, source)
        scripts = {}
        if game.module and not self.problems:
            from grimalkin.content.scripts import Shapes, read_script

            written: tuple[Example | Playthrough, ...] = (*game.examples, *game.playthroughs)
            shapes = Shapes(game.module, game.facts) if written else None
            for one in written:
                script = read_script(one, game.module, game.facts, *self.places[one.id], self.problems, shapes)
                if script:
                    scripts[one.id] = script
        if catalogues[0] is not None and not self.problems:
            from grimalkin.content.catalogued import misfits

            for index, catalogue in enumerate(catalogues[0].catalogues):
                for at, message, hint in misfits(catalogue, info, components, lists, game.module):
                    self.tell(catalogues[1], ("catalogues", index, *at), message, hint)
        if quick[0] is not None and not self.problems:
            from grimalkin.content.glances import misfits as quick_misfits

            icons = icon_names(self.folder)
            asked = (quick[0], info, components, game.laws, icons, game.checks, game.facts)
            for at, message, hint in quick_misfits(*asked):
                self.tell(quick[1], at, message, hint)
        if learn[0] is not None and not self.problems:
            plays, by_name = {one.id: one for one in playthroughs}, {one.id: one for one in examples}
            for where, message, hint in misfits_of_learning(learn[0], game.laws, game.by_id, plays, by_name):
                self.tell(learn[1], where, message, hint)
        if search[0] is not None and not self.problems:
            found = {*_ids(self.places), *(term.id for term in terms)}
            for id_ in search[0].also:
                if id_ not in found:
                    message = f'nothing here has the id "{id_}"'
                    self.tell(search[1], ("also", id_), message, did_you_mean(id_, found))
        if albums[0] is not None and not self.problems:
            from grimalkin.content.pictured import album_misfits

            for index, album in enumerate(albums[0].albums):
                for misfit in album_misfits(album, game.module, game.facts):
                    self.tell(albums[1], ("albums", index, *misfit.at), misfit.message, misfit.hint)
        if simulations and not self.problems:
            self.check_simulations(game, simulated[1])
        object.__setattr__(game, "scripts", scripts)
        return game

    def simulations(
        self,
        file: tuple[SimulationsFile | None, Source],
        info: GameFile,
        components: Mapping[str, tuple[Component, ...]],
    ) -> tuple[Recorded, ...]:
        """What simulations.yaml lists, each with what is recorded of it."""
        if file[0] is None:
            return ()
        module = find_game(info.engine or name_of(self.folder))
        if module is None:
            self.tell(file[1], (), "no engine plays this game, so nothing can be simulated", HOW)
            return ()
        from grimalkin.content.simulations import check_simulation, facts_print, find_recorded

        for at, simulation in self.each(file, "simulations"):
            check_simulation(simulation, module, file[1], at, self.problems)
        facts = facts_print(info, components)
        return tuple(find_recorded(self.folder, one, facts) for one in file[0].simulations)

    def check_simulations(self, game: Game, source: Source) -> None:
        """The engine can begin what is to be simulated, and what was changed is there."""
        from grimalkin.content.simulations import check_simulation

        for index, one in enumerate(game.simulations):
            if game.module:
                at = ("simulations", index)
                check_simulation(one.simulation, game.module, source, at, self.problems, game.facts)
        for index, change in enumerate(game.changes):
            for kind, name, known in (("rule", change.rule, game.laws), ("piece", change.piece, game.by_id)):
                if name is not None:
                    what = "component" if kind == "piece" else kind
                    self.must_be_there(what, name, known, source, ("changes", index, kind))

    def charts(
        self, info: GameFile, recorded: tuple[Recorded, ...], components: Mapping[str, tuple[Component, ...]]
    ) -> tuple[Chart, ...]:
        """What charts.yaml lists."""
        file = self.file("charts.yaml", ChartsFile)
        if file[0] is None:
            return ()
        from grimalkin.content.charts import misfits

        module = find_game(info.engine or name_of(self.folder))
        decks = {row.id: deck for deck, rows in components.items() for row in rows}
        pieces = {row.id: row for rows in components.values() for row in rows}
        for at, chart in self.each(file, "charts"):
            for where, message, hint in misfits(chart, info, module, recorded, decks, pieces):
                self.tell(file[1], (*at, *where), message, hint)
        return file[0].charts

    def place_of_fact(self, at: At) -> Place:
        """Where in the files a fact stands, by the keys that lead to it."""
        kind, *rest = at
        if kind == "components":
            source, start = self.places[str(rest[0])]
            return source.place(start)
        named = 2 if kind == "lists" else 1
        source, start = self.places["/".join(map(str, (kind, *rest[:named])))]
        return source.place((*start, *rest[named:]))

    def check_names(self, info: GameFile, source: Source) -> None:
        """The folder's own name, names that are there twice, and files that nobody would read."""
        name = name_of(self.folder)
        fault = fault_of_name(name)
        if not is_name_of_game(name):
            fault = "small letters, digits and hyphens"
        elif name in RESERVED_NAMES:
            fault = "the site has a folder of this name"
        if fault:
            self.problems.add(Place(shown_path(self.folder)), f'a game folder cannot be called "{name}"', fault)
        for key in ("decks", "books", "lists", "variants"):
            list(self.each((info, source), key))
        self.check_files()
        tables = [drawn.file for drawn in (*info.decks, *info.books)] + [listing.file for listing in info.lists]
        if info.party is not None:
            self.must_be_there("deck", info.party, [deck.id for deck in info.decks], source, ("party",))
        known = {*FILE_NAMES, *tables}
        unread = (".yaml", ".yml", ".csv") if all(map(self.has_table, tables)) else (".yaml", ".yml")
        for path in sorted(self.folder.iterdir()):
            if path.suffix in unread and path.name not in known:
                hint = did_you_mean(path.name, known)
                self.problems.add(Place(shown_path(path)), "this file is not read", hint)
        yaml = ("campaigns", "examples", "playthroughs", "scenarios")
        for folder, ending in (*((folder, ".yaml") for folder in yaml), ("maps", ".txt"), ("versions", ".json")):
            inside = is_inside(self.folder / folder, self.folder)
            for path in sorted((self.folder / folder).glob("*")) if inside else ():
                if path.suffix != ending or not path.is_file():
                    told = f"here are files that end in {ending}"
                    self.problems.add(Place(shown_path(path)), "this is not read", told)

    def deck(self, deck: Deck, index: int, game_source: Source) -> tuple[Component, ...]:
        """The rows of a deck's table; its counts must add up to the promise of game.yaml."""
        rows, source = self.drawn_rows(deck, ("decks", index), game_source)
        total = sum(row.count for row in rows)
        if source is not None and total != deck.count:
            told = f"{total} piece{' is' if total == 1 else 's are'} in the table, game.yaml promises {deck.count}"
            hint = "change the counts in the table, or the count in game.yaml"
            self.tell(source, (), told, hint, game_source.place(("decks", index, "count")))
        return rows

    def book(self, book: Book, index: int, game_source: Source) -> tuple[Component, ...]:
        """The pages of a book, one each."""
        rows, source = self.drawn_rows(book, ("books", index), game_source)
        if source is not None and not rows:
            self.tell(source, (), f"the book {book.id} has no pages", "a row of the table is a page")
        for number, row in enumerate(rows):
            if source is not None and row.count != 1:
                self.tell(source, (number, "count"), f"the page {row.id} comes {row.count} times", "a page comes once")
        return rows

    def drawn_rows(self, drawn: Drawn, at: At, game_source: Source) -> tuple[tuple[Component, ...], Source | None]:
        """The rows of a table of what has faces, and the table itself if nothing is wrong in it."""
        before = len(self.problems.found)
        source = self.table(drawn.file, game_source, (*at, "file"))
        if source is None:
            return (), None
        model = row_model(drawn)
        rows: list[Component] = []
        sound = len(self.problems.found) == before
        if drawn.stock is not None:
            self.must_be_there("stock", drawn.stock, self.stocks, game_source, (*at, "stock"))
        if not self.check_columns(model, source):
            self.written_ids.update(str(data["id"]) for data in source.data if "id" in data)
            return (), None
        for number, data in enumerate(source.data):
            if self.problems.enough:
                return (), None
            self.note_texts(source, (number,), data, (*ASKED, *drawn.columns))
            row = checked(model, {key: cell for key, cell in data.items() if cell}, source, self.problems, (number,))
            if row is None:
                sound = False
                continue
            self.claim(row.id, source, (number,))
            if row.stock is None and drawn.stock is None:
                self.tell(source, (number,), f'"{row.id}" names no stock', "give the row or its deck one")
            if row.stock is not None:
                self.must_be_there("stock", row.stock, self.stocks, source, (number,))
            rows.append(row)
        return tuple(rows), source if sound else None

    def listed_rows(self, listing: Listing, index: int, game_source: Source) -> tuple[Listed, ...]:
        """The rows of a list's table, whose ids are its own."""
        source = self.table(listing.file, game_source, ("lists", index, "file"))
        model = listed_model(listing)
        if source is None or not self.check_columns(model, source):
            return ()
        rows: list[Listed] = []
        own: dict[str, Claim] = {}
        for number, data in enumerate(source.data):
            self.note_texts(source, (number,), data, (*ASKED, *listing.columns))
            row = checked(model, {key: cell for key, cell in data.items() if cell}, source, self.problems, (number,))
            if row is not None:
                self.claim_in(own, row.id, source, (number,))
                self.places[f"lists/{listing.id}/{row.id}"] = source, (number,)
                rows.append(row)
        return tuple(rows)

    def maps(self, info: GameFile) -> dict[str, Map]:
        """What lies in maps; a file with problems is none."""
        found: dict[str, Map] = {}
        marks = info.maps.marks if info.maps else {}
        for path in files_in(self.folder, "maps", ".txt", self.problems):
            text = read_text(path, self.problems, self.folder)
            drawn, faults = read_map(text, path.stem, marks) if text is not None else (None, [])
            for line, message, hint in faults:
                self.problems.add(Place(shown_path(path), line), message, hint)
            if drawn is not None:
                found[path.stem] = drawn
                self.places[f"maps/{path.stem}"] = Source(path, {}, {}), ()
        return found

    def scenarios(self, maps: Mapping[str, Map]) -> tuple[Scenario, ...]:
        """What lies in scenarios, by their numbers. Their maps must be there, and what may follow them."""
        found: list[Scenario] = []
        own: dict[str, Claim] = {}
        for path in files_in(self.folder, "scenarios", ".yaml", self.problems):
            scenario, source = self.file(f"scenarios/{path.name}", Scenario)
            if scenario is not None:
                self.claim_in(own, scenario.id, source, ())
                self.places[f"scenarios/{scenario.id}"] = source, ()
                found.append(scenario)
        for scenario in found:
            source, _ = self.places[f"scenarios/{scenario.id}"]
            if not any(problem.place.path.endswith(f"maps/{scenario.map}.txt") for problem in self.problems):
                self.must_be_there("map", scenario.map, maps, source, ("map",))
            for index, name in enumerate(scenario.next):
                self.must_be_there("scenario", name, [one.id for one in found], source, ("next", index))
        first: dict[int, Place] = {}
        for scenario in found:
            source, _ = self.places[f"scenarios/{scenario.id}"]
            place = source.place(("number",))
            if first.setdefault(scenario.number, place) is not place:
                told = f"there is a scenario {scenario.number} already"
                self.problems.add(place, told, "numbers are unique", first[scenario.number])
        return tuple(sorted(found, key=lambda scenario: scenario.number))

    def story(self) -> tuple[Entry, ...]:
        """The entries of story.yaml."""
        file, source = self.file("story.yaml", StoryFile)
        first: dict[int, Place] = {}
        for index, entry in enumerate(file.entries if file else ()):
            at = ("entries", index)
            self.places[f"entries/{entry.number}"] = source, at
            place = source.place((*at, "number"))
            if first.setdefault(entry.number, place) is not place:
                told = f"there is an entry {entry.number} already"
                self.problems.add(place, told, "numbers are unique", first[entry.number])
        return file.entries if file else ()

    def table(self, name: str, game_source: Source, at: At) -> Source | None:
        """A table that game.yaml names there; None, with problems, when it cannot be read."""
        source = None
        if self.has_table(name):
            source = read_table(self.folder / name, self.problems, self.folder)
        else:
            tables = [path.name for path in self.folder.glob("*.csv")]
            self.must_be_there("file", name, tables, game_source, at)
        if source is None:
            self.unread.add("id")
        return source

    def has_table(self, name: str) -> bool:
        """Whether something may be read as a table; what leads out of the folder is told by who reads."""
        path = self.folder / name
        return not is_inside(path, self.folder) or os.path.lexists(path)

    def check_columns(self, model: type[Component | Listed], source: Source) -> bool:
        """The heading of a table, told once and not for every row."""
        named = list(source.data[0]) if source.data else []
        known = {field.alias or name: field.is_required() for name, field in model.model_fields.items()}
        unknown = [column for column in named if column and column not in known]
        missing = [column for column, required in known.items() if required and column not in named]
        for column in unknown:
            hint = did_you_mean(column, [one for one in known if one not in named])
            self.tell(source, (), f'there is no column "{column}" in this {_kind(model)}', hint)
        for column in missing if source.data and not unknown else ():
            self.tell(source, (), f'the column "{column}" is missing')
        return not unknown and not (missing and source.data)

    def file(self, name: str, model: type[M], required: bool = False) -> tuple[M | None, Source]:
        path = self.folder / name
        nothing = Source(path, {}, {})
        if not os.path.lexists(path) and not required:
            return None, nothing
        source = read_yaml(path, self.problems, self.folder)
        known = len(self.written_ids)
        read = None
        if source is not None:
            self.note_texts(source, (), source.data)
            read = checked(model, source.data, source, self.problems)
        if read is None and len(self.written_ids) == known:
            self.unread.add("term" if model is TermsFile else "id")
        return read, source or nothing

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

    def check_files(self) -> None:
        """The names of the files that are read: every disk can have them all, and what is named in texts has an id."""
        for kind in FOLDERS:
            ending = SHARED.get(kind)
            shared = (data_folder("templates") / kind).glob(f"*{ending}") if ending else ()
            taken = {folded(path.name): path for path in shared}
            inside = self.folder / kind
            paths = files_below(inside, self.folder) if kind else self.folder.glob("*")
            for path in sorted(paths):
                if path.name.startswith(".") or not (kind or path.suffix in (".yaml", ".csv")):
                    continue
                place = Place(shown_path(path))
                first = taken.setdefault(folded(path.name), path)
                if first.name != path.name:  # one that is shared may be replaced by the game's own
                    told = f'this is too much like "{first.name}"'
                    self.problems.add(place, told, f"{ONE_FILE}; rename it", Place(shown_path(first)))
                fault = fault_of_name(path.name)
                if fault:
                    self.problems.add(place, "not every disk can have a file of this name", fault)
                elif ending == path.suffix == ".yaml" and not ID.fullmatch(path.stem):
                    hint = f"letters, digits and single hyphens before {path.suffix}"
                    self.problems.add(place, "what this file brings is named like it, and must have an id", hint)

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

    def check_references(self, game: Game, terms: set[str]) -> None:
        icons = icon_names(self.folder)
        broken = self.written_ids if self.problems else set()
        styles = looks_of(game.info)
        for text, source, at, names in self.texts:
            if self.problems.enough:
                return
            for reference in references(text):
                if reference.kind in self.unread:
                    continue
                known = {"id": _ids(self.places), "term": terms, "icon": icons}[reference.kind]
                if reference.name not in known and (reference.kind == "icon" or reference.name not in broken):
                    written = text[reference.start : reference.end]
                    hint = did_you_mean(reference.name, known, _WHERE[reference.kind])
                    if reference.kind == "id" and reference.name in terms:
                        hint = f"a term is written [[={reference.name}]]"
                    if reference.kind == "icon":
                        hint = f"{hint} (\\{written} prints the word)".lstrip()
                    self.tell(source, at, f"the reference {written} leads nowhere", hint)
            for mark in loose_marks(text):
                self.tell(source, at, *loose_fault(mark))
            for message, hint in brace_faults(text, styles, names):
                self.tell(source, at, message, hint)

    def check_passages(self, game: Game, game_source: Source) -> None:
        """Passages named as sources stand under headings of the rulebook, if game.yaml lists them."""
        headings = game.info.rulebook
        if not headings:
            return
        laws: list[Rule | Ruling] = [*game.rules.values(), *game.every_ruling]
        others: list[Erratum | Example] = [*game.every_erratum, *game.examples]
        named: list[tuple[tuple[str, ...], Source, At]] = [
            *((deck.source, game_source, ("decks", index)) for index, deck in enumerate(game.info.decks)),
            *((one.source, *self.places[one.id]) for one in [*laws, *others]),
        ]
        for passages, source, at in named:
            for index, heading in enumerate(passages):
                if heading not in headings:
                    hint = did_you_mean(heading, headings) or "game.yaml lists them as `rulebook`"
                    self.tell(source, (*at, "source", index), f'the rulebook has no heading "{heading}"', hint)

    def check_named_rules(self, game: Game, game_source: Source) -> None:
        """Rules named by rulings, errata and examples must be there."""
        rules, laws = set(game.rules), set(game.laws)
        for ruling in game.rulings:
            self.named(ruling.id, ("rules",), ruling.rules, rules)
        for erratum in game.errata:
            self.named(erratum.id, ("rules",), erratum.rules, rules)
        errata = {erratum.id for erratum in game.errata}
        for example in game.examples:
            self.named(example.id, ("rules",), example.rules, laws)
            if example.erratum:
                self.named(example.id, ("erratum",), (example.erratum,), errata)
        for campaign in game.campaigns:
            for index, episode in enumerate(campaign.episodes):
                self.named(campaign.id, ("episodes", index, "rules"), episode.rules, laws)
                if episode.refused:
                    self.named(campaign.id, ("episodes", index, "refused"), (episode.refused,), laws)
        for deck_index, deck in enumerate(game.info.decks):
            for name, column in deck.columns.items():
                if column.rule:
                    at = ("decks", deck_index, "columns", name, "rule")
                    self.must_be_there("rule", column.rule, rules, game_source, at)
        for letter, mark in game.info.maps.marks.items() if game.info.maps else ():
            self.must_be_there("rule", mark.rule, laws, game_source, ("maps", "marks", letter, "rule"))
        for scenario in game.scenarios:
            for key, clauses in scenario.clauses().items():
                for index, clause in enumerate(clauses):
                    self.named(f"scenarios/{scenario.id}", (key, index, "rules"), clause.rules, laws)

    def named(self, id_: str, at: At, names: tuple[str, ...], known: set[str]) -> None:
        source, start = self.places[id_]
        for index, name in enumerate(names):
            self.must_be_there("rule", name, known, source, (*start, *at, index))


def _ids(places: Iterable[str]) -> set[str]:
    """Which of them are ids, and not names of files."""
    return {name for name in places if "." not in name}


def _kind(model: type[Component | Listed]) -> str:
    return "deck" if issubclass(model, Component) else "list"


def icon_names(folder: Path) -> set[str]:
    """Names of the icons that a game may use: the shared ones and its own."""
    return _stems("icons", "svg", folder)


def _stems(kind: str, ending: str, folder: Path) -> set[str]:
    """Names of the shared files of a kind, and of a game's own."""
    elsewhere = Problems()  # who reads the files tells what is wrong with them
    places = (data_folder("templates"), folder)
    return {path.stem for place in places for path in files_in(place, kind, f".{ending}", elsewhere)}


def part_misfits(game: Game) -> Iterator[Misfit]:
    """What is wrong with the parts of a game: its engine must count them. Where in game.yaml, what, the hint."""
    if game.info.parts is None or game.module is None:
        return
    from grimalkin.engine.shape import Whole

    shape = game.module.position_shape(game.facts)
    counted = [key for key, one in {**shape.required, **shape.optional}.items() if isinstance(one, Whole)]
    if game.info.parts.key not in counted:
        hint = did_you_mean(game.info.parts.key, counted)
        yield ("parts", "key"), f'a position of this game has no number "{game.info.parts.key}"', hint


def check_variants(info: GameFile, by_id: Mapping[str, Component], stocks: set[str]) -> Iterator[Misfit]:
    """What is wrong with the variants of a game: where in game.yaml, what, and what would be right.

    `stocks` are the names of all stocks that there are.
    """
    used = {stock for stock in (*(d.stock for d in info.decks), *(row.stock for row in by_id.values())) if stock}
    for index, variant in enumerate(info.variants):
        at = ("variants", index)
        if variant.id in RESERVED_VARIANTS:
            meant = "files of sheets end in this word for another reason"
            yield (*at, "id"), f'a variant cannot be called "{variant.id}"', meant
        for before, after in variant.stocks.items():
            here = (*at, "stocks", before)
            if before not in used:
                yield here, f'no piece is on the stock "{before}"', did_you_mean(before, used)
            if after not in stocks:
                yield here, f'there is no stock "{after}"', did_you_mean(after, stocks, _WHERE["stock"])
        columns = {name: column for deck in info.decks for name, column in deck.columns.items()}
        for one, other in variant.columns.items():
            for name in (one, other):
                if name not in columns:
                    hint = did_you_mean(name, columns)
                    yield (*at, "columns", one), f'no deck has the column "{name}"', hint
            if one in columns and other in columns and columns[one].type != columns[other].type:
                told = f'"{one}" is of the type {columns[one].type}, and "{other}" of the type {columns[other].type}'
                yield (*at, "columns", one), told, "a cell can stand in only for one of its own type"
        for name in variant.palette:
            if name not in info.palette:
                hint = did_you_mean(name, info.palette)
                yield (*at, "palette", name), f'the palette has no colour "{name}"', hint
