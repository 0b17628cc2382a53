"""Find the back-links of a game: what cites each rule and ruling, and which examples use each component."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from grimalkin.content import Game
from grimalkin.content.models import Component, value_of
from grimalkin.content.rules import Example, Rule
from grimalkin.content.texts.references import references
from grimalkin.site.pages.kinds import Place, citing_kinds, placed
from grimalkin.site.pages.shown import Shown

KINDS = ("laws", "terms", "pieces", "columns", "errata", "refusals", "scores", "steps")
"""Kinds of things that cite a law, in the order of display; kinds of pages from parts are inserted among them."""
COUNTING = ("scoring", "tie")
"""Kinds of examples that count points."""
MOST = 5
"""The most links of one kind; any others are only counted, to keep the page light."""
LINE, LINK = 45, 50
"""Estimated bytes that a kind of back-links, and each link, add to a page."""
WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")


Cited = dict[str, dict[str, list[Place]]]
"""Places by the id of the cited law and by kind, each once."""


def citations(shown: Shown) -> Cited:
    """Return what cites each law of a game."""
    laws = shown.game.laws
    found: dict[str, dict[str, dict[Place, None]]] = {id_: {} for id_ in laws}
    for id_, kind, place in _every(shown):
        if id_ in laws and id_ != place.id:
            found[id_].setdefault(kind, {})[place] = None
    order = placed(KINDS, {kind.KIND: kind.CITES_BEFORE for kind in citing_kinds()})
    return {id_: {kind: list(kinds[kind]) for kind in order if kind in kinds} for id_, kinds in found.items()}


def weight_of(kinds: dict[str, list[Place]]) -> int:
    """Estimate the size of a law's back-links, in bytes."""
    return sum(LINE + LINK * min(MOST, len(places)) for places in kinds.values())


def examples_of(game: Game) -> dict[str, list[str]]:
    """Return the examples that use each component in their text, position, draws or moves."""
    found: dict[str, list[str]] = {}
    for example in game.examples:
        for id_ in dict.fromkeys(used(example)):
            if id_ in game.by_id:
                found.setdefault(id_, []).append(example.id)
    return found


def _every(shown: Shown) -> Iterator[tuple[str, str, Place]]:
    """Yield every citation: the cited id, the kind, and the place."""
    game = shown.game
    for law in game.laws.values():
        text = law.text + (law.note or "") if isinstance(law, Rule) else law.question + law.ruling + (law.why or "")
        yield from ((id_, "laws", Place(law.id)) for id_ in _named(text))
    for term in game.terms:
        yield from ((id_, "terms", Place(term.id)) for id_ in _named(term.text))
    for erratum in game.errata:
        yield from ((id_, "errata", Place(erratum.id)) for id_ in (*erratum.rules, *_named(erratum.why)))
    for deck in game.info.decks:
        shown_columns = [(name, column) for name, column in deck.columns.items() if column.shown]
        yield from ((column.rule, "columns", Place(deck.id)) for _, column in shown_columns if column.rule)
        texts = [name for name, column in shown_columns if column.type == "text"]
        yield from ((id_, "pieces", Place(row.id)) for row in game.components[deck.id] for id_ in _of_row(row, texts))
    for kind in citing_kinds():
        yield from ((id_, kind.KIND, place) for id_, place in kind.cites(shown))
    for example in game.examples:
        trace = shown.traces.get(example.id)
        for step in trace.steps if trace else ():
            if step.refusal:
                yield step.refusal.rule, "refusals", Place(example.id)
        for score in trace.scores if trace and example.kind in COUNTING else ():
            yield from ((line.rule, "scores", Place(example.id)) for line in score.lines)
    for play in game.playthroughs:
        trace = shown.traces.get(play.id)
        number = 0
        for step in trace.steps if trace else ():
            number += bool(step.line)
            cited = [event.rule for event in step.events] + ([step.refusal.rule] if step.refusal else [])
            yield from ((id_, "steps", Place(play.id, number)) for id_ in cited)


def _named(text: str) -> Iterator[str]:
    return (one.name for one in references(text) if one.kind == "id")


def _of_row(row: Component, columns: Iterable[str]) -> Iterator[str]:
    for name in columns:
        yield from _named(str(value_of(row, name) or ""))


def used(example: Example) -> Iterator[str]:
    """Yield the words that an example uses, ids of components among them: in its text, its position and its moves."""
    yield from _named(example.text)
    for value in (example.given, example.options, *example.steps):
        yield from _words(value)


def _words(value: Any) -> Iterator[str]:
    """Yield the words in the keys and values of a position and in lines of notation."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key != "say":
                yield from WORD.findall(str(key))
                yield from _words(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _words(inner)
    elif isinstance(value, str):
        yield from WORD.findall(value)
