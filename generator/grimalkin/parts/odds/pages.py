"""The pages of odds: an overview of attempts, a page for each group of them, and one for each chart.

The engine of the game calculates the odds when the pages are written. It is asked once, and the results go to pages and
programs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from grimalkin.content import Game
from grimalkin.engine.odds import Attempt, Case, Expected, Odds, Target, find_odds
from grimalkin.parts.catalogues.pages import pages_of_pieces
from grimalkin.parts.odds import drawing
from grimalkin.parts.odds.charts import chart_page, charted, ready
from grimalkin.problems.plain import listed, signed
from grimalkin.site.pages.kinds import Menu, listing
from grimalkin.site.pages.links import Map, Reader, Words, escaped
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.write import Writer

KIND = "odds"
MENU_BEFORE = OVERVIEW_BEFORE = "simulations"

PAGE = "odds.md"
FILE = "odds.json"
"""Name of the file for programs, among the downloads."""
MOST_NAMED = 3
"""The maximum number of targets with identical odds that the head of a column names one by one."""

Numbers = Mapping[str, Expected]


def begins(shown: Shown) -> str:
    """Return the overview of attempts, or the page of the first chart."""
    return PAGE if groups_of(shown.game) else next((chart_page(one.id) for one in ready(shown.game)), "")


def menu(shown: Shown, words: Words) -> Menu:
    """Return the overview, the pages of groups, and those of charts."""
    groups = groups_of(shown.game)
    overview = [(words["all-odds"], PAGE)] if groups else []
    pages = [(title, group_page(title)) for title in groups]
    charts = [(one.title, chart_page(one.id)) for one in ready(shown.game)]
    return listing(words[KIND], [*overview, *pages, *charts])


def write(writer: Writer) -> None:
    """Write all pages, and a file of the odds for programs. The engine is asked now."""
    _attempts(writer)
    for chart in charted(writer.game, writer.words):
        writer.page(chart_page(chart.wish.id), "odds", chart.wish.title, one=chart)


def _attempts(writer: Writer) -> None:
    odds_of = find_odds(writer.game.module)
    if odds_of is None:
        return
    odds = odds_of(writer.game.facts)
    counted = Counted(odds, writer.words)
    groups = counted.groups()
    means = [[what for what, one in group.attempts[0].plain.items() if not one.is_share] for group in groups]
    file = f"downloads/{FILE}"
    more: dict[str, Any] = {
        "meta": {"kind": KIND},
        "odds": odds,
        "link": links_to(writer.map),
        "page": PAGE,
        "file": file,
    }
    own: dict[str, Any] = {"groups": groups, "pictured": list(counted.pictured), "means": means, "told": told_of}
    writer.page(PAGE, "odds-overview", writer.words["odds"], **more, **own)
    for group in groups:
        title = writer.words["attempts-of"].format(group=group.title)
        writer.page(group.page, "odds-group", title, **more, group=group, signs=list(map(signed, odds.modifiers)))
    writer.files[file] = counted.json()
    writer.data.append((writer.words["data-odds"], FILE))


@dataclass(frozen=True)
class AttemptView:
    """An attempt ready for its page."""

    attempt: Attempt
    plain: Numbers
    """Its odds against a target without modifiers."""
    steps: str
    """Chart of the odds by the modifier, as SVG."""
    bars: str
    """Chart of the odds by the card in hand, as SVG."""
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """For each question, the number for each modifier."""


@dataclass(frozen=True)
class TableView:
    """One number for every attempt against every target."""

    what: str
    is_share: bool
    rows: tuple[tuple[Attempt, tuple[str, ...]], ...]


@dataclass(frozen=True)
class GroupView:
    """A page of attempts, ready for its template."""

    title: str
    page: str
    attempts: tuple[AttemptView, ...]
    columns: tuple[tuple[str, tuple[Target, ...]], ...]
    """The head of each column, and the targets that share it."""
    tables: tuple[TableView, ...]
    axes: str
    """The shapes that all charts of the page share."""


def group_page(group: str) -> str:
    return f"odds/{'-'.join(re.findall(r'[a-z0-9]+', group.lower()))}.md"


def groups_of(game: Game) -> list[str]:
    """Return the titles of a game's pages of attempts; empty without odds."""
    counted = find_odds(game.module)
    if counted is None:
        return []
    return [title for title, _ in groupby(counted(game.facts).attempts, key=lambda one: one.group)]


class Counted:
    """The calculated odds of one game, for its pages and its file."""

    def __init__(self, odds: Odds, words: Words) -> None:
        self.odds = odds
        self.words = words
        self.held = [card for card in odds.cards if card.can_be_held and card.in_deck]

    def groups(self) -> list[GroupView]:
        return [
            self.group(title, list(several)) for title, several in groupby(self.odds.attempts, lambda one: one.group)
        ]

    def group(self, title: str, attempts: Sequence[Attempt]) -> GroupView:
        columns = [(self.called(targets), targets) for targets in self.odds.alike(attempts[0])]
        found = {(one.id, targets): self.at[one.id, targets[0].id] for one in attempts for _, targets in columns}

        def row(one: Attempt, what: str) -> tuple[str, ...]:
            return tuple(told_of(found[one.id, targets][what]) for _, targets in columns)

        every = next(iter(found.values()))
        tables = tuple(
            TableView(what, every[what].is_share, tuple((one, row(one, what)) for one in attempts))
            for what in every
            if all(what in numbers for numbers in found.values())
        )
        axes = drawing.shared(self.odds.modifiers, [card.id for card in self.held], self.pictured)
        return GroupView(title, group_page(title), tuple(map(self.view, attempts)), tuple(columns), tables, axes)

    def called(self, targets: Sequence[Target]) -> str:
        """Return the head of a column for some targets."""
        names = [one.name for one in targets]
        if len(names) <= MOST_NAMED:
            return listed(names)
        return self.words["attempts-others"].format(n=len(names) - 1, name=names[0])

    @cached_property
    def pictured(self) -> tuple[str, str]:
        """Return the names of the two numbers whose charts show the value of a card in hand."""
        return self.odds.line, self.odds.areas[0]

    @cached_property
    def at(self) -> Mapping[tuple[str, str], Numbers]:
        """Return the odds of each attempt against one target of each kind, without modifiers."""
        return {
            (one.id, targets[0].id): _by_name(self.odds.answer(Case(one.id, targets[0].id)).numbers)
            for one in self.odds.attempts
            for targets in self.odds.alike(one)
        }

    @cached_property
    def by_modifier(self) -> Mapping[str, list[Numbers]]:
        """Return the odds of each attempt against a target without modifiers, by added bonus."""
        return {
            one.id: [_by_name(self.odds.answer(Case(one.id, one.plain, n)).numbers) for n in self.odds.modifiers]
            for one in self.odds.attempts
        }

    @cached_property
    def with_card(self) -> Mapping[str, list[Numbers]]:
        """Return the same odds by the card in hand, without a bonus."""
        return {
            one.id: [_by_name(self.odds.answer(Case(one.id, one.plain, held=(card.id,))).held) for card in self.held]
            for one in self.odds.attempts
        }

    # Pictures

    def view(self, one: Attempt) -> AttemptView:
        odds, by_modifier, with_card = self.odds, self.by_modifier[one.id], self.with_card[one.id]
        plain = by_modifier[odds.modifiers.index(0)]
        names = [name for name in (odds.line, *odds.areas) if name in plain]
        shares = {name: [float(numbers[name].value) for numbers in by_modifier] for name in names}
        panels = [
            (float(plain[name].value), [float(numbers[name].value) for numbers in with_card]) for name in self.pictured
        ]
        rows = tuple((name, tuple(percent(numbers[name]) for numbers in by_modifier)) for name in names)
        return AttemptView(
            one,
            plain,
            drawing.steps(shares[names[0]], [shares[name] for name in names[1:]], self.steps_told(names, one.id)),
            drawing.bars(panels, self.bars_told(one.id)),
            rows,
        )

    def steps_told(self, names: Sequence[str], attempt: str) -> str:
        """Describe the first chart in words for readers who cannot see it, naming some of its steps."""
        marks = [n for n in self.odds.modifiers if not n % 4]
        parts = []
        for name in names:
            shares = (self.by_modifier[attempt][self.odds.modifiers.index(n)][name] for n in marks)
            told = ", ".join(f"{signed(n)}: {told_of(share)}" for n, share in zip(marks, shares, strict=True))
            parts.append(f"{name}, {told}.")
        return " ".join(parts)

    def bars_told(self, attempt: str) -> str:
        """Describe the second chart in words, listing cards with the same chance together."""
        parts = []
        for name in self.pictured:
            told = [told_of(numbers[name]) for numbers in self.with_card[attempt]]
            spans = []
            for share, several in groupby(zip(self.held, told, strict=True), key=lambda pair: pair[1]):
                ids = [card.id for card, _ in several]
                spans.append(f"{ids[0]}–{ids[-1]}: {share}" if len(ids) > 1 else f"{ids[0]}: {share}")
            parts.append(f"{name}, {', '.join(spans)}.")
        return " ".join(parts)

    # For programs

    def record(self) -> dict[str, Any]:
        """Return everything as `site/docs/guide/simulating.md` describes."""
        odds = self.odds
        return {
            "title": odds.title,
            "modifiers": list(odds.modifiers),
            "cards": [card.id for card in self.held],
            "targets": [{"id": one.id, "name": one.name, "left": one.left, "told": one.told} for one in odds.targets],
            "circumstances": [one._asdict() for one in odds.circumstances],
            "notes": [{"rules": list(rules), "text": text} for rules, text in odds.notes],
            "attempts": [self.attempt_record(one) for one in odds.attempts],
        }

    def attempt_record(self, one: Attempt) -> dict[str, Any]:
        return {
            "id": one.id,
            "name": one.name,
            "piece": one.piece,
            "group": one.group,
            "told": one.told,
            "plain": one.plain,
            "by-modifier": _columns(self.by_modifier[one.id]),
            "with-card": _columns(self.with_card[one.id]),
            "at": [
                {"targets": [target.id for target in targets], "numbers": _rounded(self.at[one.id, targets[0].id])}
                for targets in self.odds.alike(one)
            ],
        }

    def json(self) -> str:
        return json.dumps(self.record(), ensure_ascii=False, separators=(",", ":")) + "\n"


def links_to(to: Map) -> Callable[[Reader, str, str], str]:
    """Return a function that links to a piece, by its own or another name, preferring a page about it."""
    game, pages = to.shown.game, pages_of_pieces(to.shown.game)

    def link(read: Reader, piece: str, name: str = "") -> str:
        page = pages.get(piece) or to.pages[piece]
        return f"[{escaped(name or game.by_id[piece].name)}]({read.path(page)}#{piece})"

    return link


def _by_name(numbers: Sequence[Expected]) -> Numbers:
    return {one.what: one for one in numbers}


def _columns(rows: Sequence[Numbers]) -> dict[str, list[float]]:
    """Return the numbers of all rows by name."""
    return {what: [round(float(row[what].value), 4) for row in rows] for what in rows[0]}


def _rounded(numbers: Numbers) -> dict[str, float]:
    return {what: round(float(one.value), 4) for what, one in numbers.items()}


def told_of(one: Expected | None) -> str:
    """Format a number for readers; a missing one is a dash."""
    if one is None:
        return "–"
    return f"{percent(one)} %" if one.is_share else f"{float(one.value):.2f}"


def percent(one: Expected) -> str:
    """Format a share without its percent sign; show 0 and 100 only if they are exact.

    >>> from fractions import Fraction
    >>> [percent(Expected("Stun", Fraction(n, 1000), True)) for n in (0, 3, 126, 999, 1000)]
    ['0', '<1', '13', '>99', '100']
    """
    if one.value in (0, 1):
        return str(100 * int(one.value))
    whole = round(100 * float(one.value))
    return "<1" if whole < 1 else ">99" if whole > 99 else str(whole)
