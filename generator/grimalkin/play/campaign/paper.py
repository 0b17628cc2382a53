"""A party's record in, the texts of a form's fields out; and back, merged into the previous record.

A field's name is the path of a value in the record, as in every form. If the value is a list, a field holds some of its
items, separated by commas: a number after the path divides the list among several fields, `level-1` takes the pieces
whose column `level` is 1, and the id of a piece is a box to tick for it. Values without a field stay as they were.

Pieces are written by their names, or by their ids if two have the same name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from grimalkin.engine.campaigns import Kept
from grimalkin.engine.shape import Choice, Listing, Misfit, Path, Record, Shape, Table, Whole, YesNo
from grimalkin.engine.words import find_typed, typed
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import listed

NAME = "name"
"""The last part of the name of a field that names its row."""
YES = "yes"
"""The text of a ticked box."""
_PARTED = re.compile(r"[,;]")


class Blank(Protocol):
    """A field of a form."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def say(self) -> str: ...
    @property
    def most(self) -> int: ...


class Slot(NamedTuple):
    """A field, and the value that it stands for. A number in `at` is a row number; `part` is a part of a list or a
    word, or NAME if the field names the row."""

    blank: Blank
    at: Path
    shape: Shape
    part: str


@dataclass(frozen=True, slots=True)
class Words:
    """The names of pieces by id, and the values of a piece's columns."""

    names: Mapping[str, str]
    column: Callable[[str, str], str] = field(default=lambda id_, column: "")

    def written(self, id_: str, among: Sequence[str]) -> str:
        """Return a piece as written on paper."""
        name = self.names.get(id_, id_)
        alone = "," not in name and sum(typed(self.names.get(other, other)) == typed(name) for other in among) <= 1
        return name if alone else id_

    def read(self, text: str, among: Sequence[str]) -> str | None:
        """Return the id of a piece written on paper; None if it is none of these or could be two of them."""
        known = {typed(id_): id_ for id_ in among}
        if found := known.get(typed(text)):
            return found
        by_name: dict[str, list[str]] = {}
        for id_ in among:
            by_name.setdefault(typed(self.names.get(id_, id_)), []).append(id_)
        return find_typed(typed(text), {name: ids[0] for name, ids in by_name.items() if len(ids) == 1} | known)

    def hint(self, text: str, among: Sequence[str]) -> str:
        same = [id_ for id_ in among if typed(self.names.get(id_, "")) == typed(text)]
        if len(same) > 1:
            return f"write {listed(same, 'or')}"
        return did_you_mean(text, [self.names.get(id_, id_) for id_ in among])


def slots(shape: Shape, blanks: Iterable[Blank]) -> list[Slot]:
    """Return the fields that stand for a value of the record, in order."""
    return [slot for blank in blanks if (slot := _slot(shape, blank)) is not None]


def _slot(shape: Shape, blank: Blank) -> Slot | None:
    at: Path = ()
    parts = blank.name.split(".")
    while parts:
        if isinstance(shape, Record) and parts[0] in shape.known:
            at, shape = (*at, parts[0]), shape.known[parts[0]]
        elif isinstance(shape, Table) and parts[0].isdigit() and len(parts) > 1:
            at = (*at, int(parts[0]))
            if parts[1:] == [NAME]:
                return Slot(blank, at, shape, NAME)
            shape = shape.each
        else:
            break
        parts = parts[1:]
    if isinstance(shape, Record | Table) or len(parts) > 1 or (parts and not isinstance(shape, Listing | Choice)):
        return None
    return Slot(blank, at, shape, parts[0] if parts else "")


# Written


def filled(shape: Record, kept: Kept, blanks: Sequence[Blank], words: Words) -> tuple[dict[str, str], list[Misfit]]:
    """Return the texts of the fields that are not empty, by name, and misfits for values without room on the form."""
    values: dict[str, str] = {}
    misfits: list[Misfit] = []
    for at, group in _groups(slots(shape, blanks)).items():
        rows, value = _value(kept, at)
        if group[0].part == NAME:
            values[group[0].blank.name] = "" if rows is None else words.names.get(rows, rows)
        elif isinstance(group[0].shape, Listing):
            for name, text in _listed(group, value or [], words, at, misfits):
                values[name] = text
        elif value is not None:
            for slot in group:
                values[slot.blank.name] = _text(slot, value, words)
    for slot in slots(shape, blanks):
        text = values.get(slot.blank.name, "")
        if slot.blank.kind != "check" and len(text) > slot.blank.most:
            told = f'"{text[:30]}…" has {len(text)} characters'
            misfits.append(Misfit(slot.at, told, f"the field takes {slot.blank.most}: {slot.blank.say}"))
    return {name: text for name, text in values.items() if text}, misfits


def _groups(found: Sequence[Slot]) -> dict[Path, list[Slot]]:
    """Group fields that together stand for one value. A field that names a row is a group by itself."""
    groups: dict[Path, list[Slot]] = {}
    for slot in found:
        groups.setdefault((*slot.at, NAME) if slot.part == NAME else slot.at, []).append(slot)
    return groups


def _value(kept: Any, at: Path) -> tuple[str | None, Any]:
    """Return the name of the row that a path leads through, and the value at its end; None if either is missing."""
    row = None
    for key in at:
        if isinstance(key, int):
            names = list(kept) if isinstance(kept, Mapping) else []
            row = names[key - 1] if 0 < key <= len(names) else None
            kept = kept[row] if row is not None else None
        elif key != NAME or not isinstance(at[-2], int):
            kept = kept.get(key) if isinstance(kept, Mapping) else None
    return row, kept


def _text(slot: Slot, value: Any, words: Words) -> str:
    if slot.part:
        return YES if value == slot.part else ""
    if isinstance(value, bool):
        return YES if value else ""
    return words.written(value, _choices(slot.shape)) if isinstance(value, str) else str(value)


def _listed(group: Sequence[Slot], items: Sequence[Any], words: Words, at: Path, misfits: list[Misfit]) -> Any:
    """Yield the names of the fields of a list, with their texts."""
    shape = group[0].shape
    assert isinstance(shape, Listing)
    among = _choices(shape.each)
    left = list(items)
    open_: list[Slot] = []
    for slot in group:
        if slot.part in among:
            yield slot.blank.name, YES if slot.part in items else ""
            left = [item for item in left if item != slot.part]
        elif slot.part and not slot.part.isdigit():
            some = [item for item in left if _is_of(str(item), slot.part, words)]
            left = [item for item in left if item not in some]
            yield slot.blank.name, ", ".join(words.written(str(item), among) for item in some)
        else:
            open_.append(slot)
    if left and not open_:
        told = listed([words.written(str(item), among) for item in left])
        misfits.append(Misfit(at, f"this form has no field for {told}"))
    for index, slot in enumerate(open_):
        count = -(-len(left) // (len(open_) - index))
        yield slot.blank.name, ", ".join(words.written(str(item), among) for item in left[:count])
        left = left[count:]


def _is_of(id_: str, part: str, words: Words) -> bool:
    """Return whether a piece belongs to a part such as `level-1`."""
    column, _, value = part.rpartition("-")
    return words.column(id_, column) == value


def _choices(shape: Shape) -> Sequence[str]:
    return shape.words if isinstance(shape, Choice) else ()


# Read


def read(
    shape: Record, kept: Kept, blanks: Sequence[Blank], texts: Mapping[str, str], words: Words
) -> tuple[dict[str, Any], list[Misfit]]:
    """Return the previous record with a form's values, and misfits at the names of their fields."""
    record: dict[str, Any] = deepcopy(dict(kept))
    misfits: list[Misfit] = []
    found = slots(shape, blanks)
    rows = _rows(record, found, texts, words, misfits)
    for at, group in _groups(found).items():
        if group[0].part == NAME:
            continue
        keys = tuple(rows.get(at[: index + 1], "") if isinstance(key, int) else key for index, key in enumerate(at))
        written = [(slot, texts.get(slot.blank.name, "").strip()) for slot in group]
        if "" in keys:
            misfits += [_wrong(slot, "it belongs to a row without a name") for slot, text in written if text]
            continue
        _put(record, keys, _read_value(written, _value_at(record, keys), words, misfits), shape)
    return record, misfits


def _rows(
    record: dict[str, Any], found: Sequence[Slot], texts: Mapping[str, str], words: Words, misfits: list[Misfit]
) -> dict[Path, str]:
    """Put the named rows into the record's tables, and return the key of each row by its path."""
    rows: dict[Path, str] = {}
    tables: dict[Path, list[tuple[Slot, str]]] = {}
    for slot in found:
        if slot.part == NAME and (text := texts.get(slot.blank.name, "").strip()):
            tables.setdefault(slot.at[:-1], []).append((slot, text))
    for at, named in tables.items():
        before = _value_at(record, at) or {}
        after: dict[str, Any] = {}
        for slot, text in named:
            key = words.read(text, [*before]) or words.read(text, [*words.names]) or text
            if key in after:
                misfits.append(_wrong(slot, f'"{text}" is listed twice'))
            rows[slot.at] = key
            after[key] = before.get(key, {})
        blank = sum(1 for slot in found if slot.part == NAME and slot.at[:-1] == at)
        after |= {key: value for key, value in list(before.items())[blank:] if key not in after}
        _value_at(record, at[:-1])[at[-1]] = after
    return rows


def _value_at(record: Any, keys: Path) -> Any:
    for key in keys:
        record = record.get(key) if isinstance(record, Mapping) else None
    return record


_GONE = object()


def _put(record: dict[str, Any], keys: Path, value: Any, shape: Shape) -> None:
    """Write a value into a record, or remove it if its key is optional."""
    inner = _value_at(record, keys[:-1])
    if not isinstance(inner, dict):
        return
    for key in keys[:-1]:
        shape = (
            shape.known[str(key)] if isinstance(shape, Record) else shape.each if isinstance(shape, Table) else shape
        )
    if value is not _GONE:
        inner[keys[-1]] = value
    elif isinstance(shape, Record) and keys[-1] in shape.optional:
        inner.pop(keys[-1], None)


def _read_value(written: Sequence[tuple[Slot, str]], before: Any, words: Words, misfits: list[Misfit]) -> Any:
    """Return the value that fields together stand for; _GONE if they are empty."""
    shape = written[0][0].shape
    if isinstance(shape, Listing):
        return _read_list(shape, written, before, words, misfits)
    if isinstance(shape, Choice) and written[0][0].part:
        ticked = [slot for slot, text in written if text]
        if len(ticked) > 1:
            misfits.append(_wrong(ticked[1], f"{ticked[0].blank.say} is also ticked"))
        return ticked[0].part if ticked else _GONE
    slot, text = written[0]
    if isinstance(shape, YesNo):
        return True if text else False if before is not None else _GONE
    return _read_one(slot, shape, text, words, misfits) if text else _GONE


def _read_list(
    shape: Listing, written: Sequence[tuple[Slot, str]], before: Any, words: Words, misfits: list[Misfit]
) -> Any:
    """Return the items of a list, in the previous order if they are the same."""
    items: list[Any] = []
    for slot, text in written:
        if slot.part in _choices(shape.each):
            items += [slot.part] if text else []
        else:
            items += [
                _read_one(slot, shape.each, one, words, misfits)
                for each in _PARTED.split(text)
                if (one := each.strip())
            ]
    same = isinstance(before, list) and sorted(map(str, before)) == sorted(map(str, items))
    return before if same else items or _GONE


def _read_one(slot: Slot, shape: Shape, text: str, words: Words, misfits: list[Misfit]) -> Any:
    if isinstance(shape, Choice):
        id_ = words.read(text, shape.words)
        if id_ is None:
            misfits.append(_wrong(slot, f'"{text}" is not known here', words.hint(text, shape.words)))
        return id_ or text
    if isinstance(shape, Whole):
        value, wrong = shape.read(text)
        misfits += [_wrong(slot, one.message, one.hint) for one in wrong]
        return value
    return text


def _wrong(slot: Slot, message: str, hint: str = "") -> Misfit:
    return Misfit((slot.blank.say,), message, hint)
