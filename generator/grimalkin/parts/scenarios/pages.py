"""Build the page of a scenario: its set-up, objectives, spawns and what to read afterwards.

The engine of the game sets it up when the page is written. Without an engine, the page follows the content.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from grimalkin.content import Game, as_scenario
from grimalkin.content.maps import Map
from grimalkin.content.models import Component, value_of
from grimalkin.content.rules import Ruling
from grimalkin.content.scenarios import Clause, Entry, Scenario
from grimalkin.engine.pictures import HIDDEN, Put, SetUp, find_set_up
from grimalkin.parts.maps.pages import letters_of, map_view
from grimalkin.problems import Place
from grimalkin.problems.plain import listed
from grimalkin.site.pages.kinds import Menu, listing
from grimalkin.site.pages.laws import origin
from grimalkin.site.pages.links import Reader, Words, escaped, section_page
from grimalkin.site.pages.plan_drawing import HIDE
from grimalkin.site.pages.plans import Plan, Plans
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.write import Writer

KIND = "scenarios"
MENU_BEFORE = OVERVIEW_BEFORE = "campaign"
REPEATS = True
PAGE = "scenarios.md"

MOST_NAMED = 12
"""The maximum number of pieces of a deck that the list of prints names; more are only counted."""


@dataclass(frozen=True)
class PutView:
    """One step of the set-up, as Markdown."""

    told: str
    pieces: tuple[tuple[int, str], ...]
    squares: str
    by: str
    """Its rules."""


@dataclass(frozen=True)
class ClauseView:
    """One clause of a scenario, as Markdown."""

    title: str
    text: str
    told: str
    by: str
    """Rules to read with it."""
    rulings: str
    """Rulings about these rules."""
    is_ours: bool
    """Whether its source differs from the scenario's; the page then names it."""
    clause: Clause


@dataclass(frozen=True)
class Spawn:
    """What spawns at a space of the round track."""

    space: int
    what: str
    squares: str
    by: str


@dataclass(frozen=True)
class PrintedView:
    """The part of a deck or book that is printed for the scenario."""

    name: str
    count: int
    names: tuple[str, ...]
    """Names as Markdown, if they are few."""


@dataclass(frozen=True)
class ScenarioView:
    """A scenario ready for its page."""

    scenario: Scenario
    is_checked: bool
    """Whether the engine set it up."""
    plan: Plan | None
    columns: int
    """Columns of its map."""
    party: tuple[PutView, ...]
    puts: tuple[PutView, ...]
    spawns: tuple[Spawn, ...]
    clauses: Mapping[str, tuple[ClauseView, ...]]
    """Clauses by their keys in the file."""
    entries: tuple[Entry, ...]
    printed: tuple[PrintedView, ...]
    books: tuple[tuple[str, int], ...]
    """Books, each with the number of its pages."""


def begins(shown: Shown) -> str:
    """Return the page with all scenarios, if the game has scenarios."""
    return PAGE if shown.game.scenarios else ""


def menu(shown: Shown, words: Words) -> Menu:
    """Return the page with all scenarios, and that of each."""
    pages = [(scenario_title(one, words), scenario_page(one.id)) for one in shown.game.scenarios]
    return listing(words[KIND], [(words["all-scenarios"], PAGE), *pages])


def addresses(shown: Shown, words: Words) -> Iterator[tuple[str, str, str, str]]:
    """Return the address of each scenario. It says how the scenario begins, and never how it ends."""
    for one in shown.game.scenarios:
        yield one.id, scenario_title(one, words), one.intro, scenario_page(one.id).replace(".md", ".html")


def write(writer: Writer) -> None:
    """Write a page with all scenarios, and a page for each with later events folded."""
    game, words = writer.game, writer.words
    maps = {id_: map_view(game, drawn, words) for id_, drawn in game.maps.items()}
    writer.main(KIND, scenarios=[(one, maps.get(one.map)) for one in game.scenarios])
    stage = Stage(game, words, writer.about)
    for one in game.scenarios:
        path = scenario_page(one.id)
        writer.page(
            path,
            "scenario",
            scenario_title(one, words),
            scenario=one,
            where=maps.get(one.map),
            view=stage.view(one, Reader(writer.map, path)),
            origin=lambda told: origin(told.status, told.source, words),
            section=next((part for part in game.sections if part.id == one.id), None),
            section_page=section_page(one.id),
            heroes=writer.heroes,
            files=writer.printables.of("scenario", str(one.number)),
            has_books=bool(writer.printables.of_kind("book")),
            nexts=[other for other in game.scenarios if other.id in one.next],
            hide=HIDE,
        )


def scenario_page(id_: str) -> str:
    return f"scenarios/{id_}.md"


def scenario_title(scenario: Scenario, words: Words) -> str:
    return words["scenario"].format(n=scenario.number, title=scenario.title)


class Stage:
    """Builds the views of a game's scenarios. `about` are the rulings about each rule."""

    def __init__(self, game: Game, words: Words, about: Mapping[str, Sequence[Ruling]]) -> None:
        self.game = game
        self.words = words
        self.about = about
        self.plans = Plans(game, words)
        self.set_up = find_set_up(game.module)

    def view(self, scenario: Scenario, reader: Reader) -> ScenarioView:
        game, drawn = self.game, self.game.maps.get(scenario.map)
        laid = self.set_up(game.facts, scenario.id) if self.set_up else None
        puts = laid.puts if laid else tuple(written_puts(game, scenario, self.words))
        numbers = laid.entries if laid else scenario.entries
        return ScenarioView(
            scenario,
            laid is not None,
            self.plan(laid) if laid else None,
            drawn.columns if drawn else 0,
            tuple(self.put(one, reader) for one in (laid.party if laid else ())),
            tuple(self.put(one, reader) for one in puts),
            tuple(self.spawns(scenario, drawn, puts, reader)) if drawn else (),
            {
                key: tuple(self.clause(one, scenario, reader) for one in some)
                for key, some in scenario.clauses().items()
            },
            tuple(one for one in game.entries if one.number in numbers),
            *self.printed(scenario, reader),
        )

    def plan(self, laid: SetUp) -> Plan | None:
        """Draw the table after the set-up, with the meaning of its symbols. Face-down figures have no name yet."""
        picture = laid.picture
        if picture is None:
            return None
        plan = self.plans.plan(picture)
        signs = {token.sign: token.called for token in picture.tokens if token.sign}
        for letter, spaces in self.game.maps[picture.map].track.items():
            signs[letter] = self.words["map-on-track"].format(spaces=listed([str(space) for space in spaces]))
        hidden = any(figure.kind == HIDDEN for figure in picture.figures)
        signs |= {"?": self.words["scenario-hidden"]} if hidden else {}
        signs |= {figure.sign: figure.called for figure in picture.figures if figure.kind != HIDDEN}
        return replace(plan, who=tuple(signs.items()))

    def put(self, put: Put, reader: Reader) -> PutView:
        pieces = tuple((count, reader.md(f"[[{id_}]]")) for id_, count in put.pieces)
        return PutView(escaped(put.told), pieces, ", ".join(put.squares), " ".join(reader.named(put.rules)))

    def clause(self, clause: Clause, scenario: Scenario, reader: Reader) -> ClauseView:
        rulings = [one.id for rule in clause.rules for one in self.about.get(rule, ())]
        return ClauseView(
            escaped(clause.title or ""),
            reader.md(clause.text),
            reader.md(clause.told or ""),
            " ".join(reader.named(clause.rules)),
            " ".join(reader.named(dict.fromkeys(rulings))),
            clause.status != scenario.status,
            clause,
        )

    def spawns(self, scenario: Scenario, drawn: Map, puts: Iterable[Put], reader: Reader) -> Iterator[Spawn]:
        """Yield what spawns at each space of the round track: at its letters, and figures set aside for it."""
        ruled = {id_: put.rules for put in puts for id_, _ in put.pieces}
        letters = {one.letter: one for one in letters_of(self.game, drawn)}
        for space in range(1, drawn.spaces + 1):
            for letter, spaces in drawn.track.items():
                if space in spaces:
                    one = letters[letter]
                    by = reader.named([one.rule] if one.rule else [])
                    yield Spawn(space, f"**{letter}** {escaped(one.meaning)}", ", ".join(one.squares), " ".join(by))
            for apart in scenario.apart:
                if apart.round == space:
                    squares = ", ".join(letters[apart.mark].squares[: apart.count] if apart.mark in letters else ())
                    what = f"**{apart.mark}** {apart.count}\xa0×\xa0{reader.md(f'[[{apart.piece}]]')}"
                    yield Spawn(space, what, squares, " ".join(reader.named(ruled.get(apart.piece, ()))))

    def printed(
        self, scenario: Scenario, reader: Reader
    ) -> tuple[tuple[PrintedView, ...], tuple[tuple[str, int], ...]]:
        """Return what is printed for the scenario: pieces of each deck, and pages of each book."""
        part = as_scenario(self.game, scenario, [], Place("--heroes")).part
        counts = part.counts if part else {}
        decks = []
        for deck in self.game.info.decks:
            rows = [row for row in self.game.components[deck.id] if counts.get(row.id)]
            names = [
                f"{counts[row.id]}\xa0×\xa0{escaped(row.name)}" if counts[row.id] > 1 else escaped(row.name)
                for row in rows
            ]
            total = sum(counts[row.id] for row in rows)
            decks.append(PrintedView(deck.name, total, tuple(names if len(rows) <= MOST_NAMED else ())))
        books = (
            (book.name, sum(counts.get(row.id, 0) for row in self.game.pages[book.id])) for book in self.game.info.books
        )
        return tuple(one for one in decks if one.count), tuple((name, count) for name, count in books if count)


def written_puts(game: Game, scenario: Scenario, words: Mapping[str, str]) -> Iterator[Put]:
    """Yield the set-up according to the content, without an engine."""
    if scenario.pool:
        told = words["set-up-pool"].format(n=sum(scenario.pool.values()))
        yield Put((), told, tuple(scenario.pool.items()))
    drawn = game.maps.get(scenario.map)
    letters = {one.letter: one for one in letters_of(game, drawn)} if drawn else {}
    for one in letters.values():
        if one.squares and not one.spaces and one.letter not in {apart.mark for apart in scenario.apart}:
            yield Put((one.rule,) if one.rule else (), f"{one.letter}: {one.meaning}.", squares=one.squares)
    for apart in scenario.apart:
        told = words["set-up-later" if apart.round else "set-up-apart"].format(letter=apart.mark, space=apart.round)
        squares = letters[apart.mark].squares[: apart.count] if apart.mark in letters else ()
        yield Put((), told, ((apart.piece, apart.count),), squares)
    yield from _loot(game, scenario, words)


def _loot(game: Game, scenario: Scenario, words: Mapping[str, str]) -> Iterator[Put]:
    """Yield the decks of the scenario's levels, from every deck whose rows have levels."""
    levels = [str(level) for level in scenario.loot]
    for deck in game.info.decks:
        needs = [column for column in deck.needs if column != "id"]
        kinds = [name for name, column in deck.columns.items() if column.type == "choice"]
        rows = [row for row in game.components[deck.id] if _cells(row, needs) & {*levels}]
        kept = [row for row in rows if not _cells(row, kinds) & {*scenario.without}]
        if rows:
            told = words["set-up-loot" if len(levels) == 1 else "set-up-loots"].format(
                deck=deck.name, levels=listed(levels), n=sum(row.count for row in kept)
            )
            without = words["set-up-without"].format(kinds=listed(list(scenario.without))) if scenario.without else ""
            yield Put((), f"{told} {without}".strip())


def _cells(row: Component, columns: Iterable[str]) -> set[str]:
    return {str(value_of(row, column)) for column in columns}
