"""Prepare the components of a game for pages: their faces, the texts on them, and tables of numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from grimalkin.content import Game
from grimalkin.content.models import Column, Component, Deck, value_of
from grimalkin.content.rules import Rule
from grimalkin.content.texts.references import references
from grimalkin.printing.face import Face, standalone_svg
from grimalkin.site.pages.citations import examples_of
from grimalkin.site.pages.gallery import names_in, said
from grimalkin.site.pages.laws import piece_line
from grimalkin.site.pages.links import MANY, Map, Part, Reader, escaped, gathered
from grimalkin.site.pages.shown import Shown

LONG = 40
"""The fewest characters of a text that reads better as a separate sentence than as a labelled value.

A column with one such text is shown as sentences on every piece.
"""
MOST_VALUES = 8
"""The most different numbers that are counted one by one; for more, only the range is shown."""


@dataclass(frozen=True)
class PieceView:
    """A component ready for its page."""

    row: Component
    faces: tuple[Face, ...]
    size: str
    cells: tuple[tuple[str, str, str | None], ...]
    """For each short cell: label, value as Markdown, and its rule. A "yes" has no value."""
    texts: tuple[str, ...]
    """Long texts on the piece, as Markdown."""
    named: tuple[str, ...]
    """Ids of the rules that name it."""
    used: str
    """Links to the examples that use it."""


class Pieces:
    """The components of one game."""

    def __init__(self, to: Map) -> None:
        self.map = to
        self.shown = to.shown
        self.words = to.words
        self.named = named_in(to.shown.game, "id")
        self.used = examples_of(to.shown.game)

    def views(self, deck: Deck, path: str) -> list[PieceView]:
        """Prepare the components of a deck for the page at `path`."""
        rows = self.shown.game.components[deck.id]
        sentences = _sentences(deck, rows)
        return [self.view(deck, row, path, sentences) for row in rows]

    def view(self, deck: Deck, row: Component, path: str, sentences: Collection[str]) -> PieceView:
        """Prepare a component; `sentences` are the columns shown as sentences."""
        reader = Reader(self.map, path)
        cells: list[tuple[str, str, str | None]] = []
        texts: list[str] = []
        for name, column in deck.columns.items():
            value = value_of(row, name)
            if value is None or value is False or not column.shown:
                continue
            if name in sentences:
                texts += _labelled(reader.cell(str(value), row), column.label if len(sentences) > 1 else "")
            elif value is True:
                cells.append((column.label, "", column.rule))
            elif column.type == "text":
                cells.append((column.label, reader.line(str(value), row), column.rule))
            else:
                cells.append((column.label, escaped(self.said(value, deck, name)), column.rule))
        faces, named = tuple(self.sides(row)), tuple(self.named.get(row.id, ()))
        used = piece_line(self.used.get(row.id, ()), reader, len(self.shown.game.components[deck.id]))
        return PieceView(row, faces, self.size(deck, row), tuple(cells), tuple(texts), named, used)

    def sides(self, row: Component) -> list[Face]:
        faces = (self.shown.faces.get(f"{row.id}-{side}") for side in ("front", "back"))
        return [face for face in faces if face]

    def size(self, deck: Deck, row: Component) -> str:
        stock = self.shown.composer.stocks.get(row.stock or deck.stock or "")
        if stock is None:
            return ""
        if stock.shape == "circle":
            return self.words["size-round"].format(d=f"{stock.width:g}")
        return self.words["size-flat"].format(w=f"{stock.width:g}", h=f"{stock.height:g}")

    def table(self, deck: Deck) -> dict[str, Any]:
        """Build a table of the deck's columns that name a rule: heads, and rows with a value in any of them.

        For a deck of many designs, show the values of each column with the number of pieces instead.
        """
        heads = {name: column for name, column in deck.columns.items() if column.rule and column.shown}
        designs = self.shown.game.components[deck.id]
        valued = [row for row in designs if any(value_of(row, name) is not None for name in heads)]
        if not valued:
            return {}
        if len(designs) > MANY:
            spread = [(column, self.spread(deck, name, column)) for name, column in heads.items()]
            told = [(column, values) for column, values in spread if values]
            return {"spread": told} if told else {}
        rows = [(row, self.told(row, deck, heads)) for row in valued]
        return {"spread": [], "heads": list(heads.values()), "rows": rows}

    def told(self, row: Component, deck: Deck, heads: Iterable[str]) -> list[str]:
        values = ((self.shown.plain_cell(row, name), name) for name in heads)
        return [self.said(value, deck, name) if value is not None else "–" for value, name in values]

    def spread(self, deck: Deck, name: str, column: Column) -> str:
        """Return how many pieces have each value of a column; for many different numbers, only the range; for many
        texts, nothing."""
        rows = self.shown.game.components[deck.id]
        counts: Counter[object] = Counter()
        for row in rows:
            counts[self.shown.plain_cell(row, name)] += row.count
        numbers = sorted(value for value in counts if isinstance(value, int))
        if column.type == "whole" and len(numbers) > MOST_VALUES:
            return self.words["spread-range"].format(least=numbers[0], most=numbers[-1])
        texts = tuple(value for value in counts if value is not None)
        if column.type == "text" and len(texts) > MOST_VALUES:
            return ""
        order = {"whole": numbers, "yes-no": (True, False), "choice": column.choices}.get(column.type, texts)
        held = [value for value in (*order, None) if value in counts]
        each = [self.words["spread-each"].format(value=self.said(value, deck, name), n=counts[value]) for value in held]
        return escaped(", ".join(each))

    def said(self, value: object, deck: Deck, name: str) -> str:
        """Return the value of a cell as a player reads it."""
        return said(value, deck.columns[name], self.map.terms, self.words, names_in(self.shown.game, deck, name))


def _labelled(parts: Sequence[Part], label: str) -> Iterator[str]:
    """Yield the parts of a long text as blocks of Markdown, the first with a label if there is one."""
    before = f"**{escaped(label)}:** " if label else ""
    if before and parts and parts[0].is_list:
        yield before
        before = ""
    for part in parts:
        list_ = f'<div class="told" markdown="1">\n\n{part.text}\n\n</div>'
        yield list_ if part.is_list else f"{before}{part.text}"
        before = ""


def named_in(game: Game, kind: str) -> dict[str, list[str]]:
    """Return the rules and rulings whose texts name each component ("id") or term ("term")."""
    texts = {
        id_: law.text if isinstance(law, Rule) else f"{law.question} {law.ruling}" for id_, law in game.laws.items()
    }
    found = ((one.name, id_) for id_, text in texts.items() for one in references(text) if one.kind == kind)
    return gathered(dict.fromkeys(found))


def samples(shown: Shown, deck: Deck) -> list[Component]:
    """Return four designs of a deck that differ in its first choice column, or its first four."""
    rows = [row for row in shown.game.components[deck.id] if f"{row.id}-front" in shown.faces]
    column = next((name for name, column in deck.columns.items() if column.type == "choice"), None)
    first: dict[object, Component] = {}
    for row in rows:
        first.setdefault(value_of(row, column) if column else row.id, row)
    others = [row for row in rows if row not in first.values()]
    return sorted([*first.values(), *others][:4], key=rows.index)


def _sentences(deck: Deck, rows: Sequence[Component]) -> set[str]:
    """Return the columns of a deck whose texts are sentences: columns without a rule and with at least one long
    text."""
    texts = [name for name, column in deck.columns.items() if column.type == "text" and column.rule is None]
    return {name for name in texts if any(len(str(value_of(row, name) or "")) > LONG for row in rows)}


def parted(
    deck: Deck, pieces: Sequence[PieceView], said: Callable[[object, Deck, str], str]
) -> list[tuple[str, str, list[PieceView]]]:
    """Group the pieces of a deck by its first visible choice column: anchor, title and pieces of each part."""
    for name, column in deck.columns.items():
        if column.type == "choice" and column.shown and not column.optional:
            parts = {choice: [one for one in pieces if value_of(one.row, name) == choice] for choice in column.choices}
            anchors = (f"{deck.id}-{number}" for number in range(1, len(parts) + 1))
            titled = zip(anchors, parts.items(), strict=True)
            return [(anchor, said(choice, deck, name), part) for anchor, (choice, part) in titled if part]
    return [("", "", list(pieces))]


def common(faces: Sequence[Face]) -> Face | None:
    """Return the face shared by all, or None if they differ."""
    looks = {re.sub(r"<title>[^<]*</title>", "", standalone_svg(face)) for face in faces}
    return faces[0] if len(looks) == 1 else None
