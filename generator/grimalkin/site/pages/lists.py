"""Build lists of laws and examples: laws in one line, grouped under headings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grimalkin.content import Game
from grimalkin.content.rules import Example, Rule, Ruling, Section
from grimalkin.site.pages.links import Map, Words, gathered, part_page
from grimalkin.site.pages.weight import lists_of, rulings_of, section_of

ENDS = (". ", "! ", "? ")
MOST_SHORT = 240
"""Most characters of a law in one line."""


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
    lists = lists_of(game)
    pinned: dict[str, list[Example]] = gathered((one.rules[0], one) for one in game.examples)
    found = [
        Jump(f"{number} {section.title}", f"{part_page('examples.md', part)}#of-{section.id}", _held(section, pinned))
        for part, sections in enumerate(lists, 1)
        for number, section in sections
    ]
    of_rulings = sum(len(pinned.get(one.id, ())) for one in game.rulings)
    last = part_page("examples.md", len(lists))
    return found + ([Jump(words["rulings"], f"{last}#of-rulings", of_rulings)] if game.rulings else [])


def _held(section: Section, pinned: dict[str, list[Example]]) -> int:
    return sum(len(pinned.get(rule.id, ())) for rule in section.rules)


def _added(jumps: Iterator[Jump]) -> list[Jump]:
    """Merge jumps with the same title into one jump, to the first place."""
    found: dict[str, Jump] = {}
    for jump in jumps:
        first = found.get(jump.title)
        found[jump.title] = first._replace(held=first.held + jump.held) if first else jump
    return list(found.values())
