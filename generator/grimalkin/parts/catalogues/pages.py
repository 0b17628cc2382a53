"""Build the pages of a catalogue: pieces with their numbers and texts, and what the engine says about them.

The content decides what is shown of a piece: which columns, which lists, which related pieces. The engine is asked what
a piece does, and what it is good for, when the page is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from grimalkin.content import Game
from grimalkin.content.models import Column, Component, Listed, value_of, written
from grimalkin.engine.cribs import Behaviour, Habit, find_behaviour
from grimalkin.engine.odds import Counting, Expected, find_expected
from grimalkin.parts.catalogues.content import (
    Catalogue,
    Level,
    Named,
    Told,
    Under,
    catalogues_of,
    ids_in,
    rows_of,
    rows_under,
)
from grimalkin.parts.scenarios.pages import scenario_page, scenario_title
from grimalkin.printing.face import Face
from grimalkin.site.pages.gallery import said
from grimalkin.site.pages.kinds import Menu, Place, Way, listing
from grimalkin.site.pages.links import Map, Reader, Words, deck_page, escaped, part_page
from grimalkin.site.pages.navigation import titled_parts
from grimalkin.site.pages.pagination import parted
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.write import Writer

KIND = "catalogues"
MENU_BEFORE = "gallery"
OVERVIEW_BEFORE = "components"
CITES_BEFORE = "errata"


def begins(shown: Shown) -> str:
    """Return the page of the first catalogue."""
    return next((catalogue_page(one.id) for one in catalogues_of(shown.game)), "")


def menu(shown: Shown, words: Words) -> Menu:
    """Return an entry for each catalogue, since each answers a question of its own."""
    entries: Menu = []
    for one in catalogues_of(shown.game):
        pages = titled_parts(words, one.title, catalogue_page(one.id), len(parts_of(shown.game, one)))
        entries += listing(one.title, pages if len(pages) > 1 else [], catalogue_page(one.id))
    return entries


def ways(shown: Shown, _words: Words) -> list[Way]:
    """Return the question of each catalogue, its page, and its answer."""
    return [(one.question, catalogue_page(one.id), one.answer) for one in catalogues_of(shown.game)]


def cites(shown: Shown) -> Iterator[tuple[str, Place]]:
    """Yield the rules that the lists of each catalogue name."""
    for catalogue in catalogues_of(shown.game):
        place = Place(catalogue.title, page=catalogue_page(catalogue.id))
        for named in catalogue.lists.values():
            rows = shown.game.lists.get(named.list, ()) if named.rule else ()
            yield from ((str(value_of(row, named.rule or "")), place) for row in rows)


def write(writer: Writer) -> None:
    """Write the pages of each catalogue. The engine is asked about its pieces at this point."""
    game = writer.game
    for one in catalogues_of(game):
        pages = titled_parts(writer.words, one.title, catalogue_page(one.id), len(parts_of(game, one)))
        cards = deck_page(one.deck, len(game.components[one.deck]))
        for part, (title, path) in enumerate(pages, 1):
            groups = Shelf(writer.map, one, part).groups()
            writer.page(path, "catalogue", title, catalogue=one, part=part, groups=groups, cards=cards)


@dataclass(frozen=True)
class HabitView:
    """Something that a piece does: its sentence, the rules behind it, and whether all pieces on the page do it."""

    text: str
    rules: tuple[tuple[str, str], ...]
    """Number and address of each rule."""
    is_common: bool


@dataclass(frozen=True)
class TableView:
    """A table: heads, and rows of cells, as Markdown."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class EntryView:
    """A piece ready for a catalogue; all text is Markdown."""

    row: Component
    face: Face | None
    subtitle: str
    cells: tuple[tuple[str, str, str | None], ...]
    """Label, value and rule of each short cell."""
    lines: TableView | None
    texts: tuple[tuple[str, str, bool], ...]
    """For each text: its lead-in, the text, and whether it is set quietly."""
    lists: tuple[tuple[str, str, str], ...]
    """For each list entry that it names: name, text and rule."""
    pieces: tuple[tuple[str, tuple[str, ...]], ...]
    """Titles, each with its links to related pieces."""
    habits: tuple[tuple[str, tuple[HabitView, ...]], ...]
    """Habits by the moment at which they matter."""
    met: tuple[str, ...] | None
    """The scenarios in which it appears; None if the page does not list them."""
    under: tuple[UnderView, ...] = ()


@dataclass(frozen=True)
class UnderView:
    """Pieces that belong to another piece, as entries or as a tree."""

    under: Under
    entries: tuple[EntryView, ...]
    levels: tuple[tuple[Level, str, tuple[EntryView, ...]], ...]
    """For a tree: each level, its text and its entries."""


@dataclass(frozen=True)
class GroupView:
    """Pieces grouped by one or two columns, with a table that compares them if they have comparable numbers."""

    titles: tuple[str, ...]
    anchor: str
    is_new: bool
    """Whether the first title differs from that of the previous group."""
    table: TableView | None
    entries: tuple[EntryView, ...]


def catalogue_page(catalogue: str, part: int = 1) -> str:
    return part_page(f"catalogues/{catalogue}.md", part)


MOST_LETTERS = 42_000
"""The maximum number of characters on one page, including markup; the rest continues on the next page."""
_PIECE, _CELL, _TEXT, _LINK, _HABIT = 270, 38, 22, 70, 20


def parts_of(game: Game, catalogue: Catalogue) -> list[list[Component]]:
    """Return the pieces of each page in order; pieces of one group, by the first column, stay together."""
    rows = in_groups(rows_of(catalogue, game.components), catalogue, game)
    by = catalogue.by[:1]
    units = [list(unit) for _, unit in groupby(rows, key=lambda row: [written(row, name) for name in by] or row.id)]
    weights = [sum(_weight(game, catalogue, row) for row in unit) for unit in units]
    return [[row for unit in part for row in unit] for part in parted(units, weights, MOST_LETTERS)]


def _weight(game: Game, told: Told, row: Component) -> int:
    """Estimate how many characters a piece takes on a page."""
    cells = len(told.cells) + len(told.lines.rows) * (len(told.lines.heads) + 2) if told.lines else len(told.cells)
    weight = _PIECE + _CELL * cells + sum(_TEXT + len(str(value_of(row, one.column) or "")) for one in told.texts)
    for column, named in told.lists.items():
        texts = {one.id: str(value_of(one, named.text) or "") for one in game.lists[named.list]}
        weight += sum(_LINK + len(texts[name]) for name in ids_in(row, column))
    behaviour = find_behaviour(game.module) if told.behaviour and game.module else None
    for habit in behaviour(game.facts, row.id) if behaviour else ():
        weight += _HABIT + len(habit.text) + _LINK * len(habit.rules)
    if isinstance(told, Catalogue):
        weight += _CELL * len(told.table)
        for under in told.under:
            weight += sum(_weight(game, under, one) for one in rows_under(under, row, game.components))
    return weight


def in_groups(rows: Sequence[Component], catalogue: Catalogue, game: Game) -> list[Component]:
    """Sort pieces by group, in the order of the table or of the choices."""
    columns = next(deck.columns for deck in game.info.decks if deck.id == catalogue.deck)

    def place(row: Component) -> tuple[int, ...]:
        return tuple(_rank(row, name, columns[name], rows) for name in catalogue.by)

    return sorted(rows, key=place)


class Shelf:
    """The catalogues of one game, with links relative to one of their pages."""

    def __init__(self, to: Map, catalogue: Catalogue, part: int = 1) -> None:
        self.map = to
        self.game: Game = to.shown.game
        self.catalogue = catalogue
        self.parts = parts_of(self.game, catalogue)
        self.part = part
        self.page = catalogue_page(catalogue.id, part)
        self.reader = Reader(to, self.page)
        self.decks = {deck.id: deck for deck in self.game.info.decks}
        module = self.game.module
        self.behaviour: Behaviour | None = find_behaviour(module) if module else None
        self.expected: Counting | None = find_expected(module) if module else None
        self.pages = pages_of_pieces(self.game)
        self.common: frozenset[Habit] = frozenset()

    def groups(self) -> list[GroupView]:
        """Return everything on the page, group by group."""
        each = [set(self.habits_of(self.catalogue, row)) for part in self.parts for row in part]
        self.common = frozenset(set.intersection(*each)) if len(each) > 1 else frozenset()
        by = self.catalogue.by
        before: tuple[str, ...] = ()
        found = []
        for values, members in groupby(
            self.parts[self.part - 1], key=lambda row: tuple(written(row, name) for name in by)
        ):
            group = list(members)
            titles = tuple(self.title_of(name, group[0]) for name in by)
            anchor = "-".join(value.replace(" ", "-") for value in values)
            entries = tuple(self.entry(self.catalogue, row) for row in group)
            found.append(GroupView(titles, anchor, titles[:1] != before[:1], self.compared(group), entries))
            before = titles
        return found

    def title_of(self, name: str, row: Component) -> str:
        """Return the title of a group: a number with its label, any other value alone."""
        column = self.decks[self.catalogue.deck].columns[name]
        value = self.told_value(self.catalogue, name, row)
        title = f"{column.label} {value}" if column.type == "whole" else value
        return _capital(title)

    # A piece

    def entry(self, told: Told, row: Component) -> EntryView:
        """Build the entry of a piece."""
        columns = self.decks[told.deck].columns
        expected = self.expected_of(told, row)
        return EntryView(
            row,
            self.map.shown.faces.get(f"{row.id}-front"),
            self.told_value(told, told.subtitle, row) if told.subtitle else "",
            tuple(
                (_capital(columns[name].label), self.told_value(told, name, row), columns[name].rule)
                for name in told.cells
                if value_of(row, name) is not None
            ),
            self.lines_of(told, row, expected),
            tuple(self.texts_of(told, row)),
            tuple(self.named_of(told, row)),
            tuple(self.links_of(told, row)),
            self.habits_by_moment(self.habits_of(told, row)),
            tuple(self.met_by(row)) if isinstance(told, Catalogue) and told.met else None,
            tuple(self.under_of(one, row) for one in told.under) if isinstance(told, Catalogue) else (),
        )

    def under_of(self, under: Under, row: Component) -> UnderView:
        rows = rows_under(under, row, self.game.components)
        if not under.by:
            return UnderView(under, tuple(self.entry(under, one) for one in rows), ())
        on = {level.value: [one for one in rows if written(one, under.by) == level.value] for level in under.levels}
        levels = (
            (level, self.reader.md(level.text or ""), tuple(self.entry(under, one) for one in on[level.value]))
            for level in under.levels
        )
        return UnderView(under, (), tuple(levels))

    def told_value(self, told: Told, name: str, row: Component) -> str:
        """Return a short cell as a player reads it."""
        value = value_of(row, name)
        if value is None:
            return "–"
        column = self.decks[told.deck].columns[name]
        called = told.called.get(name, {}).get(written(row, name))
        if called:
            return escaped(called)
        if column.type == "text":
            return self.reader.line(str(value), row)
        return escaped(said(value, column, self.map.terms, self.map.words)) + escaped(told.sign.get(name, ""))

    def texts_of(self, told: Told, row: Component) -> Iterator[tuple[str, str, bool]]:
        for one in told.texts:
            value = value_of(row, one.column)
            if value is not None:
                head = self.told_value(told, one.head, row) if one.head else ""
                yield head, self.reader.line(str(value), row), one.quiet

    def named_of(self, told: Told, row: Component) -> Iterator[tuple[str, str, str]]:
        """Yield the list entries that a piece names: name, text and rule."""
        for column, named in told.lists.items():
            known = {one.id: one for one in self.game.lists[named.list]}
            for name in ids_in(row, column):
                yield self.listed(known[name], named)

    def listed(self, one: Listed, named: Named) -> tuple[str, str, str]:
        rule = str(value_of(one, named.rule) or "") if named.rule else ""
        return escaped(one.name), self.reader.line(str(value_of(one, named.text) or "")), self.by(rule)

    def by(self, rule: str) -> str:
        return self.reader.by(rule) if rule in self.map.numbers else ""

    def links_of(self, told: Told, row: Component) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield links to the pieces that it names, and to those that name it."""
        for column, title in told.pieces.items():
            if ids := ids_in(row, column):
                yield escaped(title), tuple(self.link(id_) for id_ in ids)
        for one in told.named_by:
            naming = [other.id for other in self.game.components[one.deck] if row.id in ids_in(other, one.column)]
            if naming:
                yield escaped(one.title), tuple(map(self.link, naming))

    def link(self, id_: str) -> str:
        """Link to a piece in its catalogue, or among the components if no catalogue shows it."""
        name = escaped(self.game.by_id[id_].name)
        page = self.pages.get(id_) or self.map.pages[id_]
        return f"[{name}](#{id_})" if page == self.page else f"[{name}]({self.reader.path(page)}#{id_})"

    def met_by(self, row: Component) -> Iterator[str]:
        """Yield the scenarios in which it appears, with the number of its markers or cards."""
        met, words = self.catalogue.met, self.map.words
        assert met is not None
        stands = [one.id for one in self.game.components[met.deck] if row.id in ids_in(one, met.column)]
        for scenario in self.game.scenarios:
            ways = [words["catalogue-pool"].format(n=scenario.pool[id_]) for id_ in stands if scenario.pool.get(id_)]
            for one in scenario.apart:
                if one.piece in stands:
                    key = "catalogue-apart-later" if one.round else "catalogue-apart"
                    ways.append(words[key].format(n=one.count, mark=one.mark, space=one.round))
            if ways:
                title = scenario_title(scenario, words)
                way = self.reader.path(scenario_page(scenario.id))
                yield f"[{escaped(title)}]({way}): {escaped(', '.join(ways))}"

    # What the engine says

    def habits_of(self, told: Told, row: Component) -> Sequence[Habit]:
        return self.behaviour(self.game.facts, row.id) if told.behaviour and self.behaviour else ()

    def expected_of(self, told: Told, row: Component) -> Sequence[Expected]:
        return self.expected(self.game.facts, row.id) if told.expected and self.expected else ()

    def habits_by_moment(self, habits: Sequence[Habit]) -> tuple[tuple[str, tuple[HabitView, ...]], ...]:
        return tuple(
            (escaped(when), tuple(map(self.habit, several)))
            for when, several in groupby(habits, key=lambda habit: habit.when)
        )

    def habit(self, habit: Habit) -> HabitView:
        known = (rule for rule in habit.rules if rule in self.map.numbers)
        rules = tuple((self.map.numbers[rule], self.reader.href(rule)) for rule in known)
        return HabitView(escaped(habit.text), rules, habit in self.common)

    def lines_of(self, told: Told, row: Component, expected: Sequence[Expected]) -> TableView | None:
        """Build the small table of a piece, including the numbers that the engine calculated for each line."""
        if told.lines is None:
            return None
        rows = [names for names in told.lines.rows if value_of(row, names[0]) is not None]
        if not rows:
            return None
        counted = tuple(dict.fromkeys(one.what for one in expected))
        cells = (
            (
                *(self.told_value(told, name, row) for name in names),
                *_numbers(expected, counted, str(value_of(row, names[0]))),
            )
            for names in rows
        )
        return TableView((*map(escaped, told.lines.heads), *map(escaped, counted)), tuple(cells))

    def compared(self, rows: Sequence[Component]) -> TableView | None:
        """Build the comparison table of a group, from the pieces that have numbers to compare."""
        told = self.catalogue
        columns = self.decks[told.deck].columns
        needed = max(2, len(told.table) - 1)
        shown = [row for row in rows if sum(value_of(row, name) is not None for name in told.table) >= needed]
        if not told.table or len(shown) < 2:
            return None
        expected = {row.id: self.expected_of(told, row) for row in shown}
        counted = tuple(dict.fromkeys(one.what for every in expected.values() for one in every))
        labels = (self.map.words["name"], *(columns[name].label for name in told.table))
        heads = (*(escaped(_capital(label)) for label in labels), *map(escaped, counted))
        return TableView(
            heads,
            tuple(
                (
                    self.link(row.id),
                    *(self.told_value(told, name, row) for name in told.table),
                    *_numbers(expected[row.id], counted),
                )
                for row in shown
            ),
        )


def pages_of_pieces(game: Game) -> Mapping[str, str]:
    """Return the page of each piece in a catalogue; for a piece in several, the first."""
    found: dict[str, str] = {}
    for catalogue in catalogues_of(game):
        for number, part in enumerate(parts_of(game, catalogue), 1):
            page = catalogue_page(catalogue.id, number)
            for row in part:
                found.setdefault(row.id, page)
                for under in catalogue.under:
                    found.update({one.id: page for one in rows_under(under, row, game.components)})
    return found


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _numbers(expected: Sequence[Expected], counted: Sequence[str], of: str = "") -> Iterator[str]:
    """Yield the calculated numbers of one piece, in the order of the heads."""
    for what in counted:
        found = [one for one in expected if one.what == what and (not of or not one.of or one.of == of)]
        yield _number(found[0]) if found else "–"


def _number(one: Expected) -> str:
    if not one.is_share:
        return _rounded(one.value, 2)
    told = _rounded(one.value * 100, 0)
    if told in ("0", "100") and one.value not in (0, 1):  # never shown as certain unless it is
        told = _rounded(one.value * 100, 1)
    return f"{told} %"


def _rounded(value: Fraction, places: int) -> str:
    """Round a number to this many decimal places, with halves rounded up.

    >>> _rounded(Fraction(1, 8), 2), _rounded(Fraction(5, 2), 0)
    ('0.13', '3')
    """
    whole = (value * 10**places * 2 + 1) // 2
    return f"{whole // 10**places}.{whole % 10**places:0{places}d}" if places else str(whole)


def _rank(row: Component, name: str, column: Column, rows: Sequence[Component]) -> int:
    """Return a key for sorting by a column: the value if it is a number, otherwise its place among the choices."""
    value = value_of(row, name)
    if isinstance(value, int):
        return value
    order = list(column.choices) or list(dict.fromkeys(written(one, name) for one in rows))
    return order.index(written(row, name)) if written(row, name) in order else len(order)
