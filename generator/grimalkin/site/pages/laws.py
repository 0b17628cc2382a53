"""Prepare a rule or a ruling for a page: its words, its examples, its rulings and its back-links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from grimalkin.content.rules import Erratum, Rule, Ruling
from grimalkin.site.pages.backlinks import Line, law_lines
from grimalkin.site.pages.downloads import RULEBOOK
from grimalkin.site.pages.examples import ExampleView, Viewer
from grimalkin.site.pages.links import Words, escaped
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.words import passage_words


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


def told_once(rules: Sequence[LawView]) -> Iterator[LawView]:
    """Yield the rules of a page; the text of a ruling about several of them appears only at the first."""
    told: set[str] = set()
    for view in rules:
        yield replace(view, rulings=tuple((link, "" if link in told else text) for link, text in view.rulings))
        told.update(link for link, _ in view.rulings)


def origin(status: str, passages: Sequence[str], words: Words) -> str:
    """Describe the source of a text in words."""
    if not passages:
        return words[f"from-{status}-bare"]
    return words[f"from-{status}"].format(where=escaped(passage_words(passages)))


def scoring_laws(shown: Shown) -> list[Rule | Ruling]:
    """Return the laws named in score lines and results, and all others in the same sections."""
    named = {
        id_
        for trace in shown.traces.values()
        for id_ in chain(
            (line.rule for score in trace.scores for line in score.lines),
            trace.result.rules if trace.result else (),
        )
    }
    parts = [part for part in shown.game.sections if any(rule.id in named for rule in part.rules)]
    laws: list[Rule | Ruling] = [rule for part in parts for rule in part.rules]
    return laws + [ruling for ruling in shown.game.rulings if ruling.id in named]
