"""Prepare rules and rulings for pages: in full with their examples and back-links, and in lists with one line for
each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from grimalkin.content import Game
from grimalkin.content.rules import Erratum, Example, Rule, Ruling
from grimalkin.site.pages.citations import MOST
from grimalkin.site.pages.downloads import RULEBOOK
from grimalkin.site.pages.examples import ExampleView, Viewer
from grimalkin.site.pages.kinds import Place
from grimalkin.site.pages.links import Map, Reader, Words, deck_page, escaped, gathered, part_page
from grimalkin.site.pages.pagination import lists_of, rulings_of, section_of
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.templates import origin_words


@dataclass(frozen=True)
class LawView:
    """A rule or a ruling ready for its page."""

    law: Rule | Ruling
    number: str
    heading: str
    """The title of a rule, or the question that a ruling answers."""
    lead: str
    """A quiet line below the heading: the summary of a rule, or the title of a ruling."""
    text: str
    note: str
    origin: str
    examples: tuple[ExampleView, ...]
    also: tuple[str, ...]
    rulings: tuple[tuple[str, str], ...]
    """For a rule: link and text of each ruling about it; no text if the page already shows it."""
    errata: tuple[str, ...]
    cited: Sequence[Line]
    """Its back-links, by kind."""
    checked: int
    """The number of checked examples that show it."""
    book: str
    """The rulebook's file."""
    book_page: int
    """The rulebook page with this law; 0 without a rulebook."""


def law_view(
    law: Rule | Ruling,
    viewer: Viewer,
    about: Mapping[str, Sequence[Ruling]],
    errata: Mapping[str, Sequence[Erratum]],
) -> LawView:
    """Prepare a law for a page. `about` are the rulings about each law, `errata` the errata."""
    reader, to = viewer.reader, viewer.reader.to
    return LawView(
        law,
        to.numbers[law.id],
        law.title if isinstance(law, Rule) else to.question(law),
        (law.summary or "") if isinstance(law, Rule) else law.title,
        reader.md(law.text if isinstance(law, Rule) else law.ruling),
        reader.md(law.note) if isinstance(law, Rule) and law.note else "",
        origin(law.status, law.source, viewer.words),
        tuple(viewer.example(example) for example in to.pinned.get(law.id, ())),
        tuple(reader.titled(example.id) for example in to.also.get(law.id, ())),
        tuple((reader.asked(one), reader.md(one.ruling)) for one in about.get(law.id, ())),
        tuple(reader.anchor(erratum.id) for erratum in errata.get(law.id, ())),
        law_lines(to.cited.get(law.id, {}), reader),
        len(viewer.shown.proof.shown.get(law.id, ())),
        reader.path(f"downloads/{viewer.shown.game.name}{RULEBOOK}.pdf"),
        viewer.shown.book.get(law.id, 0),
    )


def with_rulings_once(rules: Sequence[LawView]) -> Iterator[LawView]:
    """Yield the rules of a page; the text of a ruling about several of them appears only at the first."""
    told: set[str] = set()
    for view in rules:
        yield replace(view, rulings=tuple((link, "" if link in told else text) for link, text in view.rulings))
        told.update(link for link, _ in view.rulings)


def origin(status: str, passages: Sequence[str], words: Words) -> str:
    """Describe the source of a text, as Markdown."""
    return escaped(origin_words(status, passages, words))


def scoring_laws(shown: Shown) -> list[Rule | Ruling]:
    """Return the sections of the rules that score lines name, and what else decides who wins, in order."""
    traces = shown.traces.values()
    scored = {line.rule for trace in traces for score in trace.scores for line in score.lines}
    named = scored.union(*(trace.result.rules for trace in traces if trace.result))
    laws: list[Rule | Ruling] = []
    for section in shown.game.sections:
        is_about = any(rule.id in scored for rule in section.rules)
        laws += [rule for rule in section.rules if is_about or rule.id in named]
    return laws + [ruling for ruling in shown.game.rulings if ruling.id in named]


ENDS = (". ", "! ", "? ")
MOST_SHORT = 240
"""The most characters of a law in one line."""


class Jump(NamedTuple):
    """A link from the head of a list to one of its groups, with the number of its entries."""

    title: str
    to: str
    held: int


class Group(NamedTuple):
    """The rulings about one section, or about none."""

    anchor: str
    number: str
    title: str
    rulings: Sequence[Ruling]


def in_short(rule: Rule, to: Map) -> str:
    """Return a rule in one line: its summary, or its first sentence; "" if that is the whole rule."""
    if rule.summary:
        return rule.summary
    lines = [" ".join(line.split()) for line in to.plain(rule.text).strip().split("\n\n")]
    first = first_sentence(lines[0])
    return first if len(lines) > 1 or first != lines[0] or rule.note else ""


def first_sentence(text: str) -> str:
    """Return the first sentence of a text on one line.

    >>> first_sentence("Take a coin. It is yours."), first_sentence("Take a coin"), len(first_sentence("long " * 99))
    ('Take a coin.', 'Take a coin', 240)
    """
    ends = [at + 1 for end in ENDS if (at := text.find(end)) > 0]
    first = text[: min(ends)] if ends else text
    return first if len(first) <= MOST_SHORT else first[: MOST_SHORT - 1].rstrip() + "…"


def groups(game: Game, words: Words, rulings: Sequence[Ruling]) -> list[Group]:
    """Group rulings by section, in their given order."""
    named = {section.id: (f"of-{section.id}", str(n), section.title) for n, section in enumerate(game.sections, 1)}
    found = gathered((section_of(game, one), one) for one in rulings)
    none = ("of-no-section", "", words["rulings-general"])
    return [Group(*named.get(section, none), ones) for section, ones in found.items()]


def ruling_jumps(game: Game, words: Words) -> list[Jump]:
    """Return the links to all groups of the rulings in brief, over all their pages."""
    parts = enumerate(rulings_of(game), 1)
    return _added(
        Jump(f"{one.number} {one.title}".strip(), f"{part_page('rulings.md', part)}#{one.anchor}", len(one.rulings))
        for part, rulings in parts
        for one in groups(game, words, rulings)
    )


def example_jumps(game: Game, words: Words) -> list[Jump]:
    """Return the links to the examples of every section, and to those of rulings."""
    pinned: dict[str, list[Example]] = gathered((one.rules[0], one) for one in game.examples)
    return _added(
        Jump(
            f"{one.number or ''} {one.title}".strip(),
            f"{part_page('examples.md', part)}#{one.anchor}",
            sum(len(pinned.get(law.id, ())) for law in one.laws),
        )
        for part, listed in enumerate(lists_of(game, words), 1)
        for one in listed
    )


def _added(jumps: Iterator[Jump]) -> list[Jump]:
    """Merge jumps with the same title into one jump, to the first place."""
    found: dict[str, Jump] = {}
    for jump in jumps:
        first = found.get(jump.title)
        found[jump.title] = first._replace(held=first.held + jump.held) if first else jump
    return list(found.values())


MOST_OF_PIECE: Final = 3
"""The most examples listed for a component. On a page with very many components, each lists only one."""
VERY_MANY: Final = 60


class Line(NamedTuple):
    """The back-links of one kind: label, links and number."""

    label: str
    held: int
    links: str


def law_lines(kinds: dict[str, list[Place]], reader: Reader) -> list[Line]:
    """Return what cites a law, one line per kind."""
    words = reader.to.words
    return [Line(words[f"cited-{kind}"], len(ones), _links(kind, ones, reader)) for kind, ones in kinds.items()]


def piece_line(examples: Sequence[str], reader: Reader, among: int) -> str:
    """List the examples that use a component, briefly; `among` is the number of components on the page."""
    most = MOST_OF_PIECE if among < VERY_MANY else 1
    links = ", ".join(f"[{id_}]({reader.anchor(id_)})" for id_ in examples[:most])
    return links + _more(len(examples) - most, reader)


def _links(kind: str, places: Sequence[Place], reader: Reader) -> str:
    first = places[:MOST]
    if kind == "laws":
        told = " ".join(reader.named(place.id for place in first))
    elif kind == "steps":
        plays = gathered((place.id, _step(place, reader)) for place in first)
        told = "; ".join(f"{escaped(reader.to.titles[id_])} {', '.join(steps)}" for id_, steps in plays.items())
    else:
        told = ", ".join(_link(kind, place, reader) for place in first)
    return told + _more(len(places) - MOST, reader)


def _step(place: Place, reader: Reader) -> str:
    """Link to a step of a playthrough, or to its start."""
    page = reader.path(reader.to.pages[place.id])
    return f"[{place.step}]({page}#step-{place.step})" if place.step else f"[0]({page})"


def _link(kind: str, place: Place, reader: Reader) -> str:
    to, game, id_ = reader.to, reader.to.shown.game, place.id
    if place.page:
        return f"[{escaped(place.id)}]({reader.path(place.page)})"
    if kind == "columns":
        name = next(deck.name for deck in game.info.decks if deck.id == id_)
        return f"[{escaped(name)}]({reader.path(deck_page(id_, len(game.components[id_])))})"
    if kind == "terms":
        return f"[{escaped(to.terms[id_].name)}]({reader.path('terms.md')}#{id_})"
    if kind == "errata":
        return reader.by(id_)
    name = game.by_id[id_].name if id_ in game.by_id else to.titles.get(id_, id_)
    return f"[{escaped(name)}]({reader.anchor(id_)})"


def _more(count: int, reader: Reader) -> str:
    return " " + reader.to.words["and-more"].format(n=count) if count > 0 else ""
