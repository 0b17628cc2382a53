"""Match the headers of a table, in any spelling, with the columns of a deck."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grimalkin.content.face_templates import TEMPLATE, face_folders
from grimalkin.content.models import EVERY_COLUMN, Column, Tabled, is_reserved
from grimalkin.content.tables.remarks import doubts
from grimalkin.problems import Problem, Problems, did_you_mean
from grimalkin.problems.plain import flow, id_from, listed
from grimalkin.source import files_below, read_text
from grimalkin.source.tables import Cell, Fault, Table, as_numbers, as_yes_no

WORDS: Mapping[str, tuple[str, ...]] = {
    "name": ("card-name", "title", "card-title", "card"),
    "count": (
        *("qty", "quantity", "copies", "number-of-copies", "amount", "num-cards", "number-of-cards", "card-count"),
        *("duplication", "duplicates", "how-many"),
    ),
    "id": ("card-id",),
    "alt": ("alt-text",),
}
"""Usual words for the columns that every table has, the most reliable first."""
MOST_LISTED = 20
"""The most columns that one remark lists."""
LONGEST_SHOWN = 60
"""The most characters of a header that a remark quotes."""
MOST_COUNTED = 99
"""The largest number in a column that may hold counts."""
_ASKED = re.compile(r"\b(?:card|row)\s*(?:\.\s*(\w+)|\[\s*[\"']([\w -]+)[\"']\s*\])")
_TEXT_ASKS = re.compile(r"\{if\s+([\w-]+)")
_SHARED = re.compile(r"[\"']((?:base|layouts)/[\w/-]+\.svg\.j2)[\"']")
_WHOLE_CARD = re.compile(r"\bcard\b(?!\s*[.\[])|\bdecks\b")
_ANY_COLUMN = re.compile(r"\b(?:card|row)\s*\[\s*(?![\"'][\w -]+[\"']\s*\])")


def known_headers(drawn: Tabled) -> set[str]:
    """Return headers that the table of a deck or a list is likely to have."""
    words = (*EVERY_COLUMN, *(word for many in WORDS.values() for word in many), *drawn.columns)
    given = (*drawn.headers.values(), *(one.header for one in drawn.columns.values() if one.header))
    return {*words, *given}


@dataclass(frozen=True, slots=True)
class Understood:
    """The columns of a table, by index, matched with the columns of a deck."""

    indices: Mapping[str, int]
    """Indices by the names of the deck's columns."""
    guessed: Mapping[str, Column]
    """Columns that the deck does not declare but its templates use."""
    unused: tuple[str, ...]
    """Headers of columns that nothing uses."""
    remarks: tuple[Problem, ...]
    """Remarks on headers that were matched despite a different spelling, and on columns that nothing uses."""


def understand(drawn: Tabled, table: Table, asked: Collection[str] | None, problems: Problems) -> Understood:
    """Find the columns of a deck or a list in its table.

    `asked` are the names of the columns that its templates use; None if columns must be declared. Matching ignores
    case, spaces and marks. A missing column is a problem, and so is a column that several headers match.
    """
    finder = _Finder(drawn, table, problems)
    indices = finder.declared()
    guessed = finder.undeclared(indices, asked or ())
    indices = {**indices, **{name: index for name, (index, _) in guessed.items()}}
    _check_faults(table, indices, problems)
    unused = tuple(header for at, header in enumerate(table.columns) if header and at not in indices.values())
    remarks = tuple(finder.remarks(indices, unused, asked))
    return Understood(indices, {name: column for name, (_, column) in guessed.items()}, unused, remarks)


class _Finder:
    def __init__(self, drawn: Tabled, table: Table, problems: Problems) -> None:
        self.drawn, self.table, self.problems = drawn, table, problems
        self.keys: dict[str, list[int]] = {}
        """Return the indices of the columns by their headers as ids."""
        for index, header in enumerate(table.columns):
            if header:
                self.keys.setdefault(id_from(header) or header, []).append(index)

    def declared(self) -> dict[str, int]:
        """Find the columns that every table has, and those that the deck declares."""
        wanted: dict[str, str | None] = {name: self.drawn.headers.get(name) for name in EVERY_COLUMN}
        wanted |= {name: column.header for name, column in self.drawn.columns.items()}
        found = {name: index for name, header in wanted.items() if (index := self.find(name, header)) is not None}
        for name, words in WORDS.items():
            if name not in found:
                word = next((word for word in words if word in self.keys and word not in self.drawn.columns), "")
                index = self.find(word, None) if word else None
                found |= {} if index is None else {name: index}
        taken: dict[int, str] = {}
        for name, index in found.items():
            if index in taken:
                told = f'the column "{self.table.columns[index]}" is read as both "{taken[index]}" and "{name}"'
                self.problems.add(self.table.place(None, index), told, "name two columns under `columns`")
            taken[index] = name
        return found

    def find(self, name: str, header: str | None) -> int | None:
        """Return the index of a column by its name, or by the header that game.yaml gives it."""
        indices = self.keys.get(id_from(header or name) or (header or name), [])
        exact = [index for index in indices if self.table.columns[index] == header]
        if len(indices) > 1 and len(exact) != 1:
            headers = [self.table.columns[index] for index in indices]
            if len(set(headers)) == 1:
                told = f'{len(headers)} columns are called "{headers[0]}"'
            else:
                shown = listed([f'"{header}"' for header in headers])
                told = f"the headers {shown} differ only in capitals, spaces and marks"
            hint = f"rename {'those that are' if len(headers) > 2 else 'the one that is'} not the {name}"
            self.problems.add(self.table.place(None, indices[-1]), told, hint)
        if indices:
            return (exact or indices)[0]
        if header is not None:
            hint = did_you_mean(header, [one for one in self.table.columns if one])
            self.problems.add(self.table.place(), f'there is no column "{header}" for {name}', hint)
        return None

    def undeclared(self, found: Mapping[str, int], asked: Collection[str]) -> dict[str, tuple[int, Column]]:
        """Return the columns that only the templates name, each with the type that its cells seem to have."""
        own: dict[str, tuple[int, Column]] = {}
        for key in self.keys:
            if key in asked and key not in found and key not in self.drawn.columns and not is_reserved(key):
                index = self.find(key, None)
                if index is not None:
                    cells = [row[index] for row in self.table.rows]
                    own[key] = index, Column(type=kind_of(cells), label=self.table.columns[index], optional=True)
        return own

    def remarks(
        self, found: Mapping[str, int], unused: Sequence[str], asked: Collection[str] | None
    ) -> Iterator[Problem]:
        yield from self.table.remarks
        columns = self.table.columns
        unlike = [f'"{columns[index]}" as {name}' for name, index in found.items() if columns[index] != name]
        if unlike:
            yield Problem(self.table.place(), f"columns read: {', '.join(unlike)}")
        if unused:
            shown = [f'"{_cut(header)}"' for header in unused[:MOST_LISTED]]
            more = [f"{len(unused) - MOST_LISTED:,} more"] * (len(unused) > MOST_LISTED)
            told = f"nothing uses the column{'s' if len(unused) > 1 else ''} {listed([*shown, *more])}"
            yield Problem(self.table.place(), told, _how_to_use(unused[0]) if asked is not None else "")
        for header in unused:
            name = id_from(header)
            if name in (asked or ()) and is_reserved(name):
                told = f'card.{name.replace("-", "_")} already has another meaning, and is not the column "{header}"'
                hint = f"to use the column, give it another name in game.yaml: {_written(f'my-{name}', header)}"
                yield Problem(self.table.place(), told, hint)
        yield from doubts(self.table, found)
        counts = next((header for header in unused if self._seems_to_count(header)), "")
        if asked is not None and "count" not in found and counts:
            hint = f'if "{_cut(counts)}" holds the counts, write {_written("count", counts)} in game.yaml'
            yield Problem(self.table.place(), "no column holds counts, so each row is one card", hint)

    def _seems_to_count(self, header: str) -> bool:
        """Return whether a column holds only small whole numbers that are not just row numbers."""
        index = self.table.columns.index(header)
        numbers = as_numbers([row[index] for row in self.table.rows if row[index] not in (None, "")])
        if not numbers or not all(type(one) is int and 0 <= one <= MOST_COUNTED for one in numbers):
            return False
        return len(numbers) < 3 or numbers != list(range(int(str(numbers[0])), int(str(numbers[0])) + len(numbers)))


def _cut(header: str) -> str:
    """Shorten a header to fit into a remark."""
    return header if len(header) <= LONGEST_SHOWN else f"{header[:LONGEST_SHOWN]}…"


def _how_to_use(header: str) -> str:
    """Return a hint on how a template reads a column."""
    name = id_from(header)
    if name and not name[0].isdigit() and not is_reserved(name):
        return f'a template reads "{_cut(header)}" as card.{name.replace("-", "_")}'
    return f"to use it, give it a name in game.yaml: {_written('text', header)}"


def _written(name: str, header: str) -> str:
    """Return the line of game.yaml that gives a column its name."""
    return f"`columns: {{{name}: {flow([header])[1:-1]}}}`"


def _check_faults(table: Table, indices: Mapping[str, int], problems: Problems) -> None:
    """Report unreadable cells in columns that are used."""
    for number, row in enumerate(table.rows):
        for name, index in indices.items():
            cell = row[index]
            if isinstance(cell, Fault):
                problems.add(table.place(number, index), f"{name}: {cell.message}", cell.hint)


def kind_of(cells: Sequence[Cell]) -> str:
    """Guess the type of a Column from its cells."""
    filled = [cell for cell in cells if cell not in (None, "") and not isinstance(cell, Fault)]
    if any(isinstance(cell, tuple) for cell in filled):
        return "list"
    if not filled or as_yes_no(filled) is not None:
        return "yes-no" if filled else "text"
    numbers = as_numbers(filled)
    if numbers is None:
        return "text"
    return "whole" if all(type(cell) is int for cell in numbers) else "number"


def asked_by_templates(folder: Path, kin: str, faces: Collection[str | None], header_keys: Collection[str]) -> set[str]:
    """Return those of some columns, by their names as ids, that the game's face templates use.

    The templates are the game's own, `faces`, and any shared templates that these name. If a template passes on the
    complete card, every column whose name occurs in the templates counts as used.
    """
    nowhere = Problems()  # the composer reports faults in templates
    own, of_kin, shared = face_folders(folder, kin)
    found = [
        (path, inside) for place, inside in ((own, folder), (of_kin, of_kin)) for path in files_below(place, inside)
    ]
    known = {f"{face}{TEMPLATE}" for face in faces if face}
    found += [(shared / name, shared) for name in sorted(known)]
    text = ""
    for path, inside in found:
        new = read_text(path, nowhere, inside) if path.name.endswith(TEMPLATE) and path.is_file() else None
        text += new or ""
        named = set(_SHARED.findall(new or "")) - known
        found += [(shared / name, shared) for name in sorted(named)]
        known |= named
    return _asked_in(text, header_keys)


def asked_by_texts(table: Table) -> set[str]:
    """Return the names in `{if NAME|…}` in the cells of a table."""
    texts = (cell for row in table.rows for cell in row if isinstance(cell, str) and "{if" in cell)
    return {id_from(name) for text in texts for name in _TEXT_ASKS.findall(text)}


def _asked_in(text: str, keys: Collection[str]) -> set[str]:
    if _ANY_COLUMN.search(text):  # its name is assembled while the template runs
        return set(keys)
    named = {id_from(dotted or quoted) for dotted, quoted in _ASKED.findall(text)}
    named |= {id_from(name) for name in _TEXT_ASKS.findall(text)}
    if _WHOLE_CARD.search(text):
        words = set(re.findall(r"[a-z0-9]+(?:[_-][a-z0-9]+)*", text.casefold()))
        named |= {key for key in keys if key in words or key.replace("-", "_") in words}
    return named & set(keys)
