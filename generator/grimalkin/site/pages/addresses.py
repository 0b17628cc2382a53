"""Write the addresses that never change: `r/ID.html` leads to wherever something is today, in every later edition.

Each is a page of a few lines, whose head says what a chat shows of a link: number, title, text, rulings and proof. A
piece that kept versions have, but the game no longer has, leads to a page that says so. `finder` lists all ids, for the
theme's scripts: they look up an id that is not on the page of a link.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from grimalkin.content.rules import Rule
from grimalkin.problems.plain import folded, listed, plural
from grimalkin.site.pages.kinds import brought_kinds
from grimalkin.site.pages.links import Map, gathered
from grimalkin.site.pages.scripts import script
from grimalkin.site.pages.templates import environment

ADDRESSES: Final = "r"
"""The folder of these pages in that of their game."""
FINDER: Final = "assets/ids.js"
LONGEST: Final = 600
"""The most characters of a description; chats show less."""


class Address(NamedTuple):
    """Something that has an address of its own."""

    id: str
    title: str
    text: str
    page: str
    """The page where it is now, relative to the game's folder; "" if it is gone."""
    anchor: str = ""
    """Its place on that page; "" if the page is about nothing else."""

    @property
    def to(self) -> str:
        """Return the address that it leads to, relative to its own page."""
        return f"../{self.page or 'index.html'}" + (f"#{self.anchor}" if self.anchor else "")

    @property
    def short(self) -> str:
        """Return the text, cut between two words if it is too long. Some scripts have no spaces."""
        if len(self.text) <= LONGEST:
            return self.text
        at = self.text.rfind(" ", LONGEST // 2, LONGEST)
        return self.text[: at if at > 0 else LONGEST] + " …"


def addresses(to: Map) -> list[Address]:
    """Return the address of everything with an id. Of ids that differ only in capitals, the first counts."""
    found: dict[str, Address] = {}
    kinds = brought_kinds().values()
    brought = (one for kind in kinds if hasattr(kind, "addresses") for one in kind.addresses(to.shown, to.words))
    ours = (*_laws(to), *_scripts(to), *_pieces(to), *_terms(to))
    for one in (*ours, *(Address(*parts) for parts in brought), *_gone(to)):
        found.setdefault(folded(one.id), one._replace(text=" ".join(one.text.split())))
    return list(found.values())


def address_pages(to: Map) -> dict[str, str]:
    """Return the page of every address, by its path in the game's folder."""
    template, game = environment().get_template("address.html.j2"), to.shown.game.marked_title
    return {f"{ADDRESSES}/{one.id}.html": template.render(one=one, game=game) for one in addresses(to)}


def finder(games: Mapping[str, Sequence[Address]]) -> str:
    """Return the script that lists the ids on each page of each game; a page that is about one id has = before it."""
    listed = {}
    for game, ones in games.items():
        pages = gathered((one.page, one.anchor or f"={one.id}") for one in ones if one.page)
        listed[game] = {page: " ".join(ids) for page, ids in pages.items()}
    return script("Ids", listed)


def _place(to: Map, id_: str) -> tuple[str, str]:
    return f"{to.pages[id_].removesuffix('.md')}.html", "" if id_ in to.whole else id_


def _label(to: Map, id_: str) -> str:
    label = to.label(id_)
    return label[0].upper() + label[1:]


def _laws(to: Map) -> Iterator[Address]:
    game, words = to.shown.game, to.words
    about = gathered((rule, ruling) for ruling in game.rulings for rule in ruling.rules)
    titles = {one.id: one.title for one in game.every_ruling}
    for id_, law in game.laws.items():
        told = [f"{law.text}\n{law.note or ''}" if isinstance(law, Rule) else f"{law.question} {law.ruling}"]
        told += [f"{_label(to, one.id)}: {one.ruling}" for one in about.get(id_, ())]
        traces = [to.shown.traces.get(example.id) for example in to.pinned.get(id_, ())]
        proofs = sum(trace is not None and trace.ok for trace in traces)
        proved = [words["address-proofs"].format(examples=plural(proofs, "example"))] if proofs else []
        text = " ".join((*map(to.plain, told), *proved))
        yield Address(id_, f"{_label(to, id_)}: {law.title}", text, *_place(to, id_))
    for erratum in game.errata:
        told = [f"{words['printed']}: {erratum.printed}", f"{words['reads']}: {erratum.reads}", erratum.why]
        title = listed([to.titles[rule] for rule in erratum.rules])
        yield Address(
            erratum.id, f"{_label(to, erratum.id)}: {title}", " ".join(map(to.plain, told)), *_place(to, erratum.id)
        )
    for gone in game.withdrawn:
        why = words["address-withdrawn"].format(why=to.plain(gone.withdrawn or ""))
        title = ": ".join(filter(None, (_label(to, gone.id), titles.get(gone.id))))
        yield Address(gone.id, title, why, *_place(to, gone.id))


def _scripts(to: Map) -> Iterator[Address]:
    for example in to.shown.game.examples:
        title = example.question or example.title
        yield Address(example.id, title, to.plain(example.text), *_place(to, example.id))
    for play in to.shown.game.playthroughs:
        yield Address(play.id, play.title, to.plain(play.summary), *_place(to, play.id))


def _pieces(to: Map) -> Iterator[Address]:
    game = to.shown.game
    for deck in game.info.decks:
        for row in game.components[deck.id]:
            front = to.shown.faces.get(f"{row.id}-front")
            yield Address(row.id, f"{row.name} ({deck.name})", front.alt if front else deck.name, *_place(to, row.id))


def _terms(to: Map) -> Iterator[Address]:
    for term in to.shown.game.terms:
        yield Address(term.id, term.name, to.plain(term.text), "terms.html", term.id)


def _gone(to: Map) -> Iterator[Address]:
    """Yield the pieces that only kept versions have, each with the last version that has it."""
    game, last = to.shown.game, {}
    for kept in game.kept:
        for rows in kept.components.values():
            last.update({id_: (str(row.get("name", id_)), kept.version) for id_, row in rows.items()})
    for id_, (name, version) in last.items():
        if id_ not in game.by_id:
            yield Address(id_, name, to.words["address-gone"].format(name=name, version=version), "")
