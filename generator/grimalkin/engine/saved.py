"""The format of a campaign's file: its shape, which checks it and provides its JSON Schema, and its text.

The file holds answers and draws, as steps of a playthrough, and the record kept at each Safehaven. Everything else is
found by replaying them. The file names pieces, seats and chapters by ids and names, never by numbers.

It is YAML with one answer on each line, so that people can read and correct it; whatever its texts contain, it reads
back the same, also in other programs that read YAML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any
from unicodedata import is_normalized

from grimalkin.engine.campaigns import find_campaign
from grimalkin.engine.contract import Facts, GameModule
from grimalkin.engine.expected import Anything
from grimalkin.engine.shape import Listing, Misfit, Path, Record, Shape, Text, Whole, YesNo
from grimalkin.problems import Place, Stop, did_you_mean
from grimalkin.problems.plain import listed

FORMAT = 1
"""The current version of the file format. A change to the format raises it and adds to `STEPS`."""
Entry = Mapping[str, Any]
"""One event in a campaign; its first key gives its kind."""
Step = Mapping[str, Any]
"""A remark, a draw, or the answer of a seat."""

_VERSION = "Version of the rules when it was written."


def saved_shape(game: GameModule | None = None, facts: Facts | None = None) -> Record:
    """Return the shape of a campaign's file for a game; without a game, for any game."""
    campaign = find_campaign(game)
    kept: Shape = Anything("What the party keeps.")
    options: Shape = Anything("What was agreed before the first chapter.")
    if campaign is not None and facts is not None:
        kept, options = campaign.shape(facts), campaign.options(facts)
    return Record(
        {
            "format": Whole(1, FORMAT, "Of the file."),
            "game": Text("Its name."),
            "rules": Text("Version of the rules with which it was last written."),
            "seats": Listing(Text(), 1, describe="Who plays, clockwise."),
        },
        {
            "options": options,
            "seed": Text("The seed of draws that are not written down; the same answers then give the same draws."),
            "chapters": Listing(
                Entries(_kinds(kept)), 0, MOST_ENTRIES, "What happened, in order; only the last may be unfinished."
            ),
        },
    )


MOST_ENTRIES = 1_000
MOST_STEPS = 20_000
"""The limit for all records of a campaign together: twenty seconds of computing, or a hundred evenings of play."""


def _kinds(kept: Shape) -> Mapping[str, Record]:
    """Return the shapes of entries, each by its first key."""
    record = Listing(Steps(), describe="Answers and draws, as steps of a playthrough.")
    return {
        "play": Record(
            {"play": Text("The id of a chapter that is played here.")}, {"rules": Text(_VERSION), "record": record}
        ),
        "told": Record(
            {
                "told": Text("The id of a chapter that was played on paper."),
                "won": YesNo("How it ended."),
                "kept": kept,
            }
        ),
        "corrected": Record({"corrected": Text("Why the record was corrected by hand."), "kept": kept}),
        "safehaven": Record(
            {
                "safehaven": Text("The name of a place to return to."),
                "after": Text("The id of the chapter after which it was made."),
                "kept": kept,
            },
            {"rules": Text(_VERSION)},
        ),
        "restore": Record({"restore": Text("The Safehaven that the party returned to.")}),
    }


@dataclass(frozen=True)
class Entries(Shape):
    """A record of one of several kinds; each kind has its own key."""

    kinds: Mapping[str, Record]

    def _read(self, value: object, at: Path, misfits: list[Misfit]) -> Any:
        if not isinstance(value, Mapping):
            misfits.append(Misfit(at, "this must be a mapping", f"one with {listed([*self.kinds], 'or')}"))
            return {}
        kinds = [kind for kind in self.kinds if kind in value]
        if len(kinds) != 1:
            if kinds:
                told, hint = f"this is {' and '.join(kinds)} at once", "begin each with a hyphen"
            else:
                near = did_you_mean(str(next(iter(value), "")), self.kinds)
                told, hint = "nothing says what happened here", near or f"one of: {', '.join(self.kinds)}"
            misfits.append(Misfit(at, told, hint))
            return {}
        return self.kinds[kinds[0]]._read(value, at, misfits)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [kind.schema() for kind in self.kinds.values()]}


@dataclass(frozen=True)
class Steps(Shape):
    """A step: a mapping with one key. Only code that knows the seats can check whether it is valid."""

    def _read(self, value: object, at: Path, misfits: list[Misfit]) -> Any:
        if not isinstance(value, Mapping) or len(value) != 1:
            misfits.append(Misfit(at, "a step must have exactly one key", "begin each step with a hyphen"))
            return {}
        ((key, written),) = value.items()
        if key == "draw":
            if not _is_draw(written):
                hint = "write it as draw: {label: what}, or draw: {label: [what, what]}"
                misfits.append(Misfit(at, "a draw must name one label and the items drawn", hint))
        elif key == "check":
            misfits.append(Misfit(at, "facts are not checked in a campaign", "leave it out"))
        elif not isinstance(written, str) or not written.strip():
            misfits.append(Misfit(at, f'the value of "{key}" must be text, and not empty', "put quotes around it"))
        return value

    def schema(self) -> dict[str, Any]:
        item = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}
        draw = {"type": "object", "additionalProperties": item, "minProperties": 1, "maxProperties": 1}
        return {
            "type": "object",
            "properties": {"draw": draw, "say": {"type": "string"}},
            "additionalProperties": {"type": "string"},
            "minProperties": 1,
            "maxProperties": 1,
            "description": "`draw`: what chance gave; `say`: a remark; otherwise the name of a seat, and its answer.",
        }


def _is_draw(written: object) -> bool:
    if not isinstance(written, Mapping) or len(written) != 1:
        return False
    (drawn,) = written.values()
    return isinstance(drawn, str) or (
        isinstance(drawn, list) and bool(drawn) and all(isinstance(one, str) for one in drawn)
    )


@dataclass(frozen=True, slots=True)
class Saved:
    """The content of a file."""

    game: str
    rules: str
    seats: tuple[str, ...]
    options: Mapping[str, Any]
    chapters: tuple[Entry, ...] = ()
    seed: str = ""
    """The seed of all further draws; "" in a file without draws."""

    def record(self) -> dict[str, Any]:
        """Return the record to write to the file."""
        return {
            "format": FORMAT,
            "game": self.game,
            "rules": self.rules,
            "seats": list(self.seats),
            **({"options": dict(self.options)} if self.options else {}),
            **({"seed": self.seed} if self.seed else {}),
            "chapters": list(self.chapters),
        }


def as_saved(record: Mapping[str, Any]) -> Saved:
    """Return a Saved from a record read with its shape."""
    seats, chapters = tuple(record["seats"]), tuple(record.get("chapters", ()))
    return Saved(record["game"], record["rules"], seats, record.get("options", {}), chapters, record.get("seed", ""))


@dataclass(frozen=True, slots=True)
class Answer:
    """A seat's answer, with the remarks before it and its draws. Without a seat, it holds remarks and draws before the
    first answer or after the last."""

    seat: str = ""
    line: str = ""
    draws: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()

    def steps(self) -> list[Step]:
        """Return the steps as in a playthrough.

        >>> Answer("Ada", "to b1", (("poker", "5-of-clubs"), ("poker", "joker"), ("loot", "derringer"))).steps()
        [{'draw': {'poker': ['5-of-clubs', 'joker']}}, {'draw': {'loot': 'derringer'}}, {'Ada': 'to b1'}]
        """
        steps: list[Step] = [{"say": remark} for remark in self.remarks]
        steps += [{"draw": {label: items[0] if len(items) == 1 else items}} for label, items in _runs(self.draws)]
        return [*steps, {self.seat: self.line}] if self.seat else steps


def _runs(draws: Sequence[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Group successive draws with the same label."""
    return [(label, [item for _, item in run]) for label, run in groupby(draws, key=itemgetter(0))]


# Files of older formats


STEPS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""The steps, by the format that each converts to the next. There is only one format so far.

A step converts a record as it was read. It never asks an engine, since an older file may have older rules: their
effects appear only when the file is followed. It never changes once files have been written in its format, and
tests/campaigns has a file in each format.
"""


def format_of(record: Mapping[str, Any], place: Place, newest: int = FORMAT) -> int:
    """Return the format of a file. Stops if the file has none or a newer one."""
    written = str(record.get("format", ""))
    if not written.isascii() or not written.isdigit() or len(written) > 9 or int(written) < 1:
        told = f'format: "{written}" is not a format of campaign files'
        raise Stop.at(place, told, f"the current one is format: {newest}")
    if int(written) > newest:
        told = f"this file has format {written}, but this Grimalkin reads formats only up to {newest}"
        raise Stop.at(place, told, "use a newer Grimalkin; the file was not changed")
    return int(written)


def migrated(
    record: dict[str, Any], number: int, steps: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = STEPS
) -> dict[str, Any]:
    """Convert a record of that format to the current format."""
    while number in steps:
        record = steps[number](record)
        number += 1
        record["format"] = str(number)
    return record


# As text


HEAD = """\
# A campaign, kept by `grimalkin campaign`, which checks changes made by hand when it reads the file.
# It keeps remarks that are written as `- say: ...` in a record, but not comments like this one.
"""
_PLAIN = re.compile(r"[^\W_][\w ./'+-]*(?<![ '])")
"""Matches texts that need no quotes anywhere in YAML."""
_OTHERWISE = re.compile(r"(?:\d[\d.exo:a-f_+-]*|y|yes|n|no|true|false|on|off|null|nan|inf)", re.IGNORECASE)
"""Matches texts that other YAML readers mistake for a number, a date, yes, no or nothing."""
_ESCAPED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def text_of(saved: Saved) -> str:
    """Return the text of the whole file."""
    return HEAD + as_yaml(saved.record())


def as_yaml(record: Mapping[str, Any]) -> str:
    """Return a record as YAML in blocks; values one level deep without mappings are on one line."""
    return "".join(f"{line}\n" for line in _mapping(record))


def _mapping(value: Mapping[str, Any]) -> Iterator[str]:
    for key, inner in value.items():
        yield from _after(f"{_scalar(key)}:", inner, "  ")


def _after(head: str, value: Any, indent: str) -> Iterator[str]:
    """Yield the lines of a value after its key."""
    if isinstance(value, Mapping) and value and not _is_draw_step(value):
        yield head
        yield from (indent + line for line in _mapping(value))
    elif isinstance(value, list | tuple) and any(isinstance(one, Mapping) for one in value):
        yield head
        yield from (indent + line for one in value for line in _item(one))
    else:
        yield f"{head} {_flow(value)}"


def _item(value: Any) -> Iterator[str]:
    """Yield the lines of an item in a block list."""
    if not isinstance(value, Mapping) or not value:
        yield f"- {_flow(value)}"
        return
    lines = [f"draw: {_flow(value['draw'])}"] if _is_draw_step(value) else [*_mapping(value)]
    yield f"- {lines[0]}"
    yield from (f"  {line}" for line in lines[1:])


def _is_draw_step(value: Mapping[str, Any]) -> bool:
    return list(value) == ["draw"]


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(_flow, value))}]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    """Return a text, a number, yes or no as YAML.

    >>> [_scalar(value) for value in ("to b1", "Patch: stride", "no", "12", 12, True, "a\\x1b", "5-of-clubs")]
    ['to b1', '"Patch: stride"', '"no"', '"12"', '12', 'yes', '"a\\\\u001b"', '5-of-clubs']
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str):
        return str(value)
    if _PLAIN.fullmatch(value) and not _OTHERWISE.fullmatch(value) and is_normalized("NFC", value):
        return value
    plain = is_normalized("NFC", value)
    return '"' + "".join(_ESCAPED.get(one) or _letter(one, plain) for one in value) + '"'


def _letter(one: str, plain: bool) -> str:
    """Return a character as written between quotes: escaped if reading would lose or change it."""
    if one.isascii() and one.isprintable():
        return one
    if plain and one.isprintable() and ord(one) < 0x10000 and one != "\ufeff":
        return one
    return f"\\u{ord(one):04x}" if ord(one) < 0x10000 else f"\\U{ord(one):08x}"
