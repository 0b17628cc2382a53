"""The arguments of `--only` in, the ids of components out.

An id names a component, or a deck and so all of its rows. `COLUMN=VALUE` and `COLUMN!=VALUE` are conditions on the
tables: they select rows among the named components, or in the whole game if none is named.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from grimalkin.cli.common import add_names
from grimalkin.problems import Place, Problems, did_you_mean

if TYPE_CHECKING:
    from grimalkin.content import Game
    from grimalkin.content.models import Component, Deck

ONLY = "only these cards or decks, or rows with a value in a column: owl,spells or kind=spell or kind!=spell"
_PLACE = Place("--only")
_BUILT_IN = ("id", "name", "count", "stock")


class Condition(NamedTuple):
    """One `COLUMN=VALUE` or `COLUMN!=VALUE`, in lower case."""

    column: str
    is_equal: bool
    value: str

    @classmethod
    def read(cls, text: str) -> Condition:
        column, _, value = text.partition("=")
        is_equal = not column.endswith("!")
        return cls(_folded(column.removesuffix("!")).replace("_", "-"), is_equal, _folded(value))


Cells = Mapping[str, str]
"""The text of a row in each column, in lower case; an empty cell is ""."""


def add_only(parser: argparse._ActionsContainer) -> None:
    """Add the option `--only`."""
    add_names(parser, "--only", ONLY, "ID,COLUMN=VALUE")


def chosen(game: Game, only: Sequence[str]) -> list[str]:
    """Return the ids of the components that `--only` selects, in the order of the game; none without `--only`.

    Conditions on one column with `=` are alternatives; otherwise, all conditions must hold. Stops if a name, a
    column or a value is unknown, or if no component fits.
    """
    if not only:
        return []
    conditions = [Condition.read(one) for one in only if "=" in one]
    named = [one for one in only if "=" not in one]
    problems = Problems()
    _check_names(game, named, problems)
    cells = {row.id: _cells(row, deck) for deck in game.info.decks for row in game.components[deck.id]}
    for written, condition in zip((one for one in only if "=" in one), conditions, strict=True):
        _check(written, condition, cells.values(), problems)
    problems.stop()
    decks = {row.id: deck.id for deck in game.info.decks for row in game.components[deck.id]}
    asked = [id_ for id_ in cells if not named or id_ in named or decks[id_] in named]
    found = [id_ for id_ in asked if _fits(cells[id_], conditions)]
    if not found:
        problems.add(_PLACE, f'no card fits all of "{",".join(only)}"', "leave out one of the conditions")
    problems.stop()
    return found


def _check_names(game: Game, named: Sequence[str], problems: Problems) -> None:
    known = {*game.by_id, *(deck.id for deck in game.info.decks)}
    for one in named:
        if one not in known:
            hint = "write COLUMN=VALUE or COLUMN!=VALUE" if set(one) & set("<>") else did_you_mean(one, known)
            problems.add(_PLACE, f'there is no card or deck "{one}"', hint)


def _check(written: str, condition: Condition, rows: Iterable[Cells], problems: Problems) -> None:
    """Report a column that no deck has, or a value that no row has."""
    column, _, value = condition
    if set(column) & set("<>~"):
        problems.add(_PLACE, f'"{written}" is not a condition', "write COLUMN=VALUE or COLUMN!=VALUE")
        return
    values = {row[column]: None for row in rows if column in row}
    if not values:
        known = {name for row in rows for name in row}
        hint = did_you_mean(column, known, "the headers of the tables are the columns")
        problems.add(_PLACE, f'no deck has a column "{column}"', hint)
    elif value not in values:
        hint = did_you_mean(value, values, "look it up in the tables")
        problems.add(_PLACE, f'no card has "{value}" in the column "{column}"', hint)


def _fits(cells: Cells, conditions: Sequence[Condition]) -> bool:
    """Return whether a row fits. A column that its deck does not have counts as empty."""
    wanted: dict[str, set[str]] = {}
    for column, is_equal, value in conditions:
        if is_equal:
            wanted.setdefault(column, set()).add(value)
        elif cells.get(column) == value:
            return False
    return all(cells.get(column) in values for column, values in wanted.items())


def _cells(row: Component, deck: Deck) -> Cells:
    columns = [*_BUILT_IN, *deck.columns]
    values = {column: getattr(row, column.replace("-", "_"), None) for column in columns}
    values["stock"] = row.stock or deck.stock
    return {_folded(column).replace("_", "-"): _text(value) for column, value in values.items()}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else _folded(str(value))


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
