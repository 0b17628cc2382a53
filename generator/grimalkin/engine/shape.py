"""Shapes of written records. A single declaration reads a record, checks it and provides its JSON Schema.

A record arrives as YAML or JSON values, in which numbers may still be text. `read` converts it and collects every
Misfit with the path of keys to the value that does not fit.

>>> cats = Record({"claw": Whole(1, 3)})
>>> cats.read({"claw": "3"})
({'claw': 3}, [])
>>> cats.read({"claws": "3"})[1][0].message
'unknown key "claws"'
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from grimalkin.problems import did_you_mean

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Misfit:
    """A value that does not fit: the keys that lead to it, what is wrong, what would be right."""

    at: Path
    message: str
    hint: str = ""

    def __str__(self) -> str:
        where = ".".join(str(key) for key in self.at)
        return (f"{where}: " if where else "") + self.message + (f"; {self.hint}" if self.hint else "")


class Misfits(Exception):
    """An error for a record that cannot be used, with every misfit."""

    def __init__(self, misfits: Sequence[Misfit]) -> None:
        super().__init__("\n".join(str(m) for m in misfits))
        self.misfits = tuple(misfits)

    @classmethod
    def at(cls, at: Path, message: str, hint: str = "") -> Misfits:
        """Make Misfits with one misfit."""
        return cls([Misfit(at, message, hint)])


class Shape:
    """The shape of a value."""

    def read(self, value: object, at: Path = ()) -> tuple[Any, list[Misfit]]:
        """Return the converted value and its misfits. If there are misfits, the value must not be used."""
        misfits: list[Misfit] = []
        return self._read(value, at, misfits), misfits

    def _read(self, value: object, at: Path, misfits: list[Misfit]) -> Any:
        raise NotImplementedError

    def schema(self) -> dict[str, Any]:
        """Return this shape as JSON Schema (draft 2020-12)."""
        raise NotImplementedError


@dataclass(frozen=True)
class Text(Shape):
    """Any text, on one line or more."""

    describe: str = ""

    def _read(self, value: object, at: Path, misfits: list[Misfit]) -> Any:
        if not isinstance(value, str):
            misfits.append(Misfit(at, f"{_shown(value)} is not text"))
        return value

    def schema(self) -> dict[str, Any]:
        return _described({"type": "string"}, self.describe)


@dataclass(frozen=True)
class Whole(Shape):
    """A whole number between two bounds, both included."""

    least: int = 0
    most: int | None = None
    describe: str = ""

    def _read(self, value: object, at: Path, misfits: list[Misfit]) -> Any:
        if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            misfits.append(Misfit(at, f"{_shown(value)} is not a whole number"))
        elif value < self.least or (self.most is not None and value > self.most):
            bounds = f"at least {self.least}" if self.most is None else f"{self.least} to {self.most}"
            misfits.append(Misfit(at, f"{value} is out of range", f"it is {bounds}"))
        return value

    def schema(self) -> dict[str, Any]:
        bounds = {"minimum": self.least} | ({} if self.most is None else {"maximum": self.most})
        return _described({"type": "integer"} | bounds, self.describe)


@dataclass(frozen=True)
class YesNo(Shape):
    """Yes or no."""

    describe: str = ""

    def _read(self, value: object, at: Path, misfits: list[Misfit]) -> Any:
        if isinstance(value, bool):
            return value
        if value in ("yes", "true"):
            return True
        if value in ("no", "false"):
            return False
        misfits.append(Misfit(at, f"{_shown(value)} is neither yes nor no"))
        return False

    def schema(self) -> dict[str, Any]:
        return _described({"enum": ["yes", "no", True, False]}, self.describe)


@dataclass(frozen=True)
class Choice(Shape):
    """One of a few words. With `empty`, an empty text is also allowed and means none of them."""

    words: tuple[str, ...]
    describe: str = ""
    empty: bool = field(default=False, kw_only=True)

    def _read(self, value: object, at: Path, misfits: list[Misfit]) -> Any:
        if self.empty and value == "":
            return value
        if not isinstance(value, str) or value not in self.words:
            hint = did_you_mean(value, self.words) if isinstance(value, str) else "one of: " + ", ".join(self.words)
            misfits.append(Misfit(at, f"{_shown(value)} is not known here", hint))
        return value

    def schema(self) -> dict[str, Any]:
        return _described({"enum": [*self.words, *[""] * self.empty]}, self.describe)


@dataclass(frozen=True)
class Listing(Shape):
    """A list of values of one shape. With `told=False`, pages and positions in words leave it out."""

    each: Shape
    least: int = 0
    most: int | None = None
    describe: str = ""
    told: bool = True

    def _read(self, value: object, at: Path, misfits: list[Misfit]) -> Any:
        if not isinstance(value, list):
            misfits.append(Misfit(at, f"{_shown(value)} is not a list"))
            return []
        if len(value) < self.least or (self.most is not None and len(value) > self.most):
            if self.most is None:
                right = f"at least {self.least}"
            else:
                right = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
            misfits.append(Misfit(at, f"{len(value)} is the wrong number of items", right))
        return [self.each._read(item, (*at, index), misfits) for index, item in enumerate(value)]

    def schema(self) -> dict[str, Any]:
        sizes = {"minItems": self.least} | ({} if self.most is None else {"maxItems": self.most})
        return _described({"type": "array", "items": self.each.schema()} | sizes, self.describe)


@dataclass(frozen=True)
class Table(Shape):
    """A mapping from names to values of one shape. `names=None` allows any name.

    With `listed`, a plain list of names is also allowed: each name then has that value. If the names are pieces and the
    numbers count things on each piece, `load` names these things, such as "food".
    """

    each: Shape
    names: tuple[str, ...] | None = None
    describe: str = ""
    listed: Any = None
    load: str = ""

    def _read(self, value: object, at: Path, misfits: list[Misfit]) -> Any:
        if value == "":
            return {}
        if self.listed is not None and isinstance(value, list):
            each = Choice(self.names) if self.names is not None else Text()
            names = [each._read(name, (*at, index), misfits) for index, name in enumerate(value)]
            twice = [index for index, name in enumerate(names) if name in names[:index]]
            misfits += [Misfit((*at, index), f'"{names[index]}" is listed twice') for index in twice]
            return {} if misfits else dict.fromkeys(names, self.listed)
        # An isinstance check against an abstract class takes a tenth of the time of loading a position.
        if type(value) is not dict and not isinstance(value, Mapping):
            misfits.append(Misfit(at, f"{_shown(value)} is not a mapping", "write it as key: value"))
            return {}
        table = {}
        for key, item in value.items():
            name = str(key)
            if self.names is not None and name not in self.names:
                misfits.append(Misfit((*at, key), f'unknown key "{key}"', did_you_mean(name, self.names)))
            elif "\n" in name:  # answers are printed line by line, and such a name would add lines
                misfits.append(Misfit((*at, key), "a name must be on one line"))
            else:
                table[name] = self.each._read(item, (*at, key), misfits)
        return table

    def schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "object"}
        if self.names is None:
            schema["additionalProperties"] = self.each.schema()
        else:
            schema["properties"] = {name: self.each.schema() for name in self.names}
            schema["additionalProperties"] = False
        if self.listed is not None:
            names = {"type": "string"} if self.names is None else {"enum": list(self.names)}
            schema = {"anyOf": [schema, {"type": "array", "items": names, "uniqueItems": True}]}
        return _described(schema, self.describe)


@dataclass(frozen=True)
class Record(Shape):
    """A mapping with known keys: `required` keys, and `optional` keys, which the result omits if they are not written.

    With `empty`, an empty text is also allowed and means nothing is there. With `told=False`, pages and positions in
    words leave it out.
    """

    required: Mapping[str, Shape]
    optional: Mapping[str, Shape] = field(default_factory=dict)
    describe: str = ""
    empty: bool = field(default=False, kw_only=True)
    told: bool = field(default=True, kw_only=True)

    @cached_property
    def known(self) -> Mapping[str, Shape]:
        """Return all keys with their shapes."""
        return {**self.required, **self.optional}

    def _read(self, value: object, at: Path, misfits: list[Misfit]) -> Any:
        if value == "" and (self.empty or not self.required):
            return "" if self.empty else {}
        if type(value) is not dict and not isinstance(value, Mapping):
            misfits.append(Misfit(at, f"{_shown(value)} is not a mapping", "write it as key: value"))
            return {}
        known, record = self.known, {}
        for key, item in value.items():
            if key not in known:
                misfits.append(Misfit((*at, key), f'unknown key "{key}"', did_you_mean(str(key), known)))
            else:
                record[str(key)] = known[key]._read(item, (*at, key), misfits)
        for key in self.required:
            if key not in value:
                misfits.append(Misfit(at, f'the key "{key}" is missing'))
        return record

    def schema(self) -> dict[str, Any]:
        schema = {
            "type": "object",
            "properties": {key: shape.schema() for key, shape in self.known.items()},
            "required": list(self.required),
            "additionalProperties": False,
        }
        return _described({"anyOf": [schema, {"const": ""}]} if self.empty else schema, self.describe)


def part_of(shape: Shape) -> Shape:
    """Return the shape of a part of a record: the same keys, none of them required."""
    if isinstance(shape, Record):
        parts = {key: part_of(inner) for key, inner in shape.known.items()}
        return Record({}, parts, shape.describe, empty=shape.empty)
    if isinstance(shape, Table):
        return replace(shape, each=part_of(shape.each))
    return shape


def _shown(value: object) -> str:
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, Mapping):
        return "a mapping"
    text = str(value)
    return f'"{text if len(text) <= 40 else text[:37] + "..."}"'


def _described(schema: dict[str, Any], describe: str) -> dict[str, Any]:
    return schema | {"description": describe} if describe else schema
