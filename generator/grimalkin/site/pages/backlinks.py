"""Format citations as Markdown: the back-links at the end of a rule, a ruling or a component."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from grimalkin.site.pages.cited import MOST
from grimalkin.site.pages.kinds import Place
from grimalkin.site.pages.links import Reader, deck_page, escaped, gathered

MOST_OF_PIECE: Final = 3
"""Most examples listed for a component. On a page with very many components, each lists only one."""
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
