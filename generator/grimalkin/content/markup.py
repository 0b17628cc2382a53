"""Remarks on a game's tables: how their text was read, and other tools' markup, which is printed as written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grimalkin.content.game import Game
from grimalkin.problems import Problem

_FOREIGN = re.compile(r"\\[nrt]|</?[A-Za-z][^<>\n]{0,40}>|&(?:[A-Za-z]{2,8}|#\w{1,6});|\{[A-Za-z][\w /-]{0,20}\}")
_BOLD, _ITALIC, _BREAK = ("b", "strong"), ("i", "em"), ("br", "p")


def remarks_on_tables(game: Game) -> Iterator[Problem]:
    """Yield the remarks on tables, and the first piece of foreign markup in each printed text cell."""
    yield from game.remarks
    for deck in (*game.info.decks, *game.info.books):
        columns = ["name", *(name for name, column in deck.columns.items() if column.type == "text" and column.shown)]
        for row in (*game.components.get(deck.id, ()), *game.pages.get(deck.id, ())):
            for column in columns:
                text = getattr(row, column.replace("-", "_"), None)
                if isinstance(text, str) and (found := _FOREIGN.search(text)):
                    told = f'{column}: "{found[0]}" is printed as written'
                    yield Problem(game.place(row.id), told, _ours(found[0]))


def _ours(written: str) -> str:
    """Return a hint on how we write a piece of foreign markup."""
    word = written.strip("</>").partition(" ")[0].lower()
    if written.startswith("\\") or (written.startswith("<") and word in _BREAK):
        return "break the line in the cell itself (Alt and Enter in a spreadsheet)"
    if written.startswith("<"):
        ours = "**bold**" if word in _BOLD else "*italics*" if word in _ITALIC else ""
        return f"write {ours}" if ours else "text boxes understand **bold**, *italics* and :icons:"
    if written.startswith("&"):
        return "write the character itself"
    return f"write an icon as :{written.strip('{}').lower().replace(' ', '-')}:"
