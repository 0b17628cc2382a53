"""Build the gallery of a deck (a table of its components that a script can filter and sort) and its card search.

The heads list the available choices, so that the page can offer them and the script needs no words of its own. The
script that searches by operators is site/theme/assets/cards.js; it names columns by the same rules as this module."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from grimalkin.content import Game
from grimalkin.content.models import Column, Component, Deck
from grimalkin.content.rules import Term
from grimalkin.printing.face import Face
from grimalkin.printing.face.images.icons import Icons
from grimalkin.site.pages.links import Words, inline_icon
from grimalkin.site.pages.shown import Shown

TAKEN = ("deck", "find", "sort", "view")
"""Words that addresses use for something other than a column."""

MOST_LETTERS = 30_000
"""The most characters of galleries on one page, including an allowance for each row."""
_ROW = 180


@dataclass(frozen=True)
class Head:
    """A column: its key in addresses, its label, and its choices."""

    key: str
    label: str
    kind: Literal["choice", "number", "text"]
    rule: str | None
    choices: tuple[tuple[str, str], ...] = ()
    """Choices that occur, in the game's order, each with the icon of the same name or ""."""
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True)
class Gallery:
    """A deck's components as one table: the front of each, and the words of its cells."""

    deck: Deck
    heads: tuple[Head, ...]
    rows: tuple[tuple[Component, Face | None, tuple[str, ...]], ...]

    @property
    def size(self) -> str:
        """Return the size of its pictures in CSS, as "width/height", or "" if they differ."""
        sizes = {f"{face.stock.width:g}/{face.stock.height:g}" for _, face, _ in self.rows if face}
        return sizes.pop() if len(sizes) == 1 else ""


def galleries(shown: Shown, words: Words) -> list[Gallery]:
    """Build the galleries of a game, one for each deck with a visible column.

    Columns that are empty in every row are left out.
    """
    terms = {term.id: term for term in shown.game.terms}
    made = []
    for deck in shown.game.info.decks:
        rows = shown.game.components[deck.id]
        heads, columns = [], []
        for name, column in deck.columns.items():
            values = [shown.plain_cell(row, name) for row in rows]
            if column.shown and any(value is not None for value in values):
                names = names_in(shown.game, deck, name)
                heads.append(_head(name, column, values, terms, shown.composer.icons, words, names))
                columns.append(tuple(_lines(value, said(value, column, terms, words, names)) for value in values))
        if heads:
            fronts = [shown.faces.get(f"{row.id}-front") for row in rows]
            cells = zip(*columns, strict=True)
            made.append(Gallery(deck, tuple(heads), tuple(zip(rows, fronts, cells, strict=True))))
    return made


def gallery_page(one: Gallery, every: Sequence[Gallery]) -> str:
    """Return the page of a deck's gallery: a page for all decks, or a separate page if that would be too heavy."""
    letters = sum(_ROW + sum(map(len, cells)) for gallery in every for _, _, cells in gallery.rows)
    return f"gallery-{one.deck.id}.md" if letters > MOST_LETTERS and len(every) > 1 else "gallery.md"


def _lines(value: object, told: str) -> str:
    """Return the displayed text of a value, keeping the lines of a text."""
    lines = (" ".join(line.split()) for line in str(value).split("\n"))
    return "\n".join(filter(None, lines)) if isinstance(value, str) and "\n" in value else told


def names_in(game: Game, deck: Deck, column: str) -> dict[str, str]:
    """Return the names of pieces and maps by their ids, for a column that says what a piece belongs to."""
    if column not in deck.needs:
        return {}
    maps = {id_: drawn.name for id_, drawn in game.maps.items()}
    return maps | {id_: row.name for id_, row in game.by_id.items()}


def said(
    value: object, column: Column, terms: Mapping[str, Term], words: Words, names: Mapping[str, str] | None = None
) -> str:
    """Return the value of a cell as a player reads it: if the word is a term of the game, use the term's name.

    An id in `names` is replaced by its name.
    """
    if value is None:
        return words["said-nothing"] if column.type in ("choice", "yes-no") else "–"
    if isinstance(value, bool):
        return words["said-yes" if value else "said-no"]
    if names and column.type == "choice" and value in names:
        return names[str(value)]
    term = find_term(str(value), terms) if column.type == "choice" else None
    others = (find_term(other, terms) for other in column.choices if other != value)
    # A term for several of the choices, such as "suit" for every suit, would make them look the same.
    return term.name if term and term not in others else " ".join(str(value).split())


def find_term(word: str, terms: Mapping[str, Term]) -> Term | None:
    """Return the term with this word as its id or among its other forms, or None."""
    if word in terms:
        return terms[word]
    return next((term for term in terms.values() if word in (form.casefold() for form in term.also)), None)


def _head(
    name: str,
    column: Column,
    values: Sequence[object],
    terms: Mapping[str, Term],
    icons: Icons,
    words: Words,
    names: Mapping[str, str],
) -> Head:
    key = f"{name}_" if name in TAKEN else name
    if column.type in ("choice", "yes-no"):
        order: Sequence[object] = (True, False) if column.type == "yes-no" else column.choices
        choices = {
            said(one, column, terms, words, names): inline_icon(icons, str(one)) if str(one) in icons else ""
            for one in (*order, None)
            if one in values
        }
        return Head(key, column.label, "choice", column.rule, tuple(choices.items()))
    if column.type == "whole":
        numbers = [value for value in values if isinstance(value, int)]
        return Head(key, column.label, "number", column.rule, (), min(numbers), max(numbers))
    return Head(key, column.label, "text", column.rule)


LONGEST_NAME = 20
SHORTEST_WORD = 4
QUOTES = '"“”„'
NUMBER = re.compile(r"-?\d{1,9}")


@dataclass(frozen=True)
class Ask:
    """A sample query: its text, its meaning in words, and the rows of the gallery that it finds."""

    query: str
    told: str
    found: frozenset[int]


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
