"""Prepare the card search with operators: examples for a gallery's page, and a script with a game's cards.

The script that uses them is site/theme/assets/cards.js; it names columns by the same rules as this module.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from grimalkin.content.models import Deck
from grimalkin.site.pages.gallery import Gallery, Head
from grimalkin.site.pages.links import Map, Words

LONGEST_NAME = 20
SAID = ("cards-column", "cards-number", "cards-words", "cards-value", "cards-choice", "cards-near", "cards-known")
"""Keys of the messages for a query that the script cannot read."""
SHORTEST_WORD = 4
QUOTES = '"“”„'
NUMBER = re.compile(r"-?\d{1,9}")


@dataclass(frozen=True)
class Ask:
    """A sample query: its text, its meaning in words, and the rows of the gallery that it finds."""

    query: str
    told: str
    found: frozenset[int]


def cards_file(game: str) -> str:
    return f"assets/cards/{game}.js"


def cards_script(to: Map, galleries: Sequence[Gallery]) -> str:
    """Return a script with all components of a game and the values in their galleries. It is a script because a page
    opened from disk cannot load data."""
    game = to.shown.game
    columns = {one.deck.id: one for one in galleries}
    decks = [_deck(deck, columns.get(deck.id), to) for deck in game.info.decks]
    told = {"said": said_of(to.words), "decks": [deck for deck in decks if deck["cards"]]}
    return f"(window.grimalkinCards=window.grimalkinCards||{{}})[{_json(game.name)}]={_json(told)};\n"


def said_of(words: Words) -> dict[str, str]:
    return {key: words[key] for key in SAID}


def said_in_galleries(words: Words) -> str:
    """Return the messages of the gallery's script, escaped for an attribute in single quotes."""
    told = _json({**said_of(words), "gallery-elsewhere": words["gallery-elsewhere"]})
    return told.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;")


def _deck(deck: Deck, gallery: Gallery | None, to: Map) -> dict[str, object]:
    rows = to.shown.game.components[deck.id]
    cells = {row.id: values for row, _, values in gallery.rows} if gallery else {}
    return {
        "id": deck.id,
        "name": deck.name,
        "page": to.pages[rows[0].id].replace(".md", ".html") if rows else "",
        "columns": [[head.key, head.label, head.kind] for head in gallery.heads] if gallery else [],
        "cards": [
            [
                row.id,
                row.name,
                int(f"{row.id}-front" in to.shown.faces),
                [" ".join(value.split()) for value in cells.get(row.id, ())],
            ]
            for row in rows
        ],
    }


def asks(one: Gallery, words: Words) -> list[Ask]:
    """Return a sample query for each column of a deck. Each finds some rows, but not all."""
    named = zip(one.heads, names_of(one.heads), _columns(one), strict=True)
    examples = [ask for head, name, values in named if (ask := _ask(head, name, values, words))]
    return [*examples, *_others(one, examples, words)]


def names_of(heads: Sequence[Head]) -> list[str]:
    """Return the name of each column in a query: its label if that is short, plain and unique, otherwise its key."""
    known: dict[str, Head] = {}
    for part in ("label", "key"):
        for head in reversed(heads):
            known[_called(getattr(head, part))] = head
    names = []
    for head in heads:
        label = "-".join(head.label.lower().split())
        plain = re.fullmatch(r"[^\W_]++(-[^\W_]++)*+", label) and len(label) <= LONGEST_NAME
        names.append(label if plain and known[_called(label)] is head else head.key.removesuffix("_"))
    return names


def _called(name: str) -> str:
    return re.sub(r"[\W_]", "", name.lower())


def _columns(one: Gallery) -> list[list[str]]:
    return [[" ".join(cells[number].split()) for _, _, cells in one.rows] for number in range(len(one.heads))]


def _ask(head: Head, name: str, values: Sequence[str], words: Words) -> Ask | None:
    """Return a sample query for a column, or None if no value finds some rows and not others."""
    if head.kind == "number":
        numbers = {row: int(value) for row, value in enumerate(values) if NUMBER.fullmatch(value)}
        limits = sorted(set(numbers.values()))[:-1]
        if not limits:
            return None
        limit = limits[len(limits) // 2]
        found = frozenset(row for row, value in numbers.items() if value > limit)
        return Ask(f"{name}>{limit}", words["cards-more"].format(label=head.label, value=limit), found)
    if head.kind == "choice":
        told, parts = words["cards-is"], [choice for choice, _ in head.choices if choice != words["said-nothing"]]
    else:
        told, parts = words["cards-has"], [word for value in values for word in _telling(value)]
    for part in parts:
        found = _having(part, values)
        if 0 < len(found) < len(values) and not set(part) & set(QUOTES):
            return Ask(f"{name}:{_quoted(part)}", told.format(label=head.label, value=part), found)
    return None


def _telling(text: str) -> list[str]:
    """Return the words in a text, longest first."""
    found = dict.fromkeys(re.findall(r"[^\W\d_]++", text.lower()))
    return sorted((word for word in found if len(word) >= SHORTEST_WORD), key=len, reverse=True)


def _having(part: str, values: Sequence[str]) -> frozenset[int]:
    return frozenset(row for row, value in enumerate(values) if part.lower() in value.lower())


def _others(one: Gallery, examples: Sequence[Ask], words: Words) -> Iterator[Ask]:
    """Yield sample queries that work for any deck, with values from this one."""
    names = [" ".join(row.name.split()).lower() for row, _, _ in one.rows]
    pairs = ((a, b, a.found & b.found) for a, b in combinations(examples, 2))
    both = next(((a, b, found) for a, b, found in pairs if 0 < len(found) < min(len(a.found), len(b.found))), None)
    if both:
        yield Ask(f"{both[0].query} {both[1].query}", words["cards-both"], both[2])
    for name in names:
        found = _having(name, names)
        if not set(name) & set(QUOTES) and len(found) < len(names):
            if " " in name:
                yield Ask(f'"{name}"', words["cards-phrase"], found)
            yield Ask(f"-name:{_quoted(name)}", words["cards-not"], frozenset(range(len(names))) - found)
            return


def _quoted(value: str) -> str:
    return value if re.fullmatch(r"[\w.,+-]++", value) else f'"{value}"'


def _json(value: Mapping[str, object] | str) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
