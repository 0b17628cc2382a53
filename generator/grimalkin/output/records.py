"""Records of printed components: every build leaves a record, so that later builds can print only what has changed.

A record is named after the content fingerprint that is printed on the sheets. Records are never replaced.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from grimalkin import __version__
from grimalkin.content import Game
from grimalkin.output.disk import read_json, read_small, refuse, write_new
from grimalkin.output.swap import RECORDS
from grimalkin.printing.face import Inks
from grimalkin.printing.sheet.settings import Edition
from grimalkin.problems import Place, Stop, did_you_mean, shown_path
from grimalkin.problems.plain import listed

MOST_DIGITS = 10
"""The maximum number of digits in a component's count."""


@dataclass(frozen=True)
class Record:
    """The look and number of every component at one time."""

    game: str
    edition: Edition
    inks: Inks
    cards: Mapping[str, tuple[int, str]]
    """The count and fingerprint of each component, by id."""
    variants: tuple[str, ...] = ()
    """The variants in which they were printed."""

    @property
    def name(self) -> str:
        """Return the name of its file, made from the fingerprint, because the version may contain any character."""
        return "-".join(part for part in (self.edition.fingerprint, *self.design) if part != "full")

    @property
    def design(self) -> tuple[str, ...]:
        """Return variants and inks: only records of the same design can be compared."""
        return (*self.variants, self.inks)

    def is_meant(self, wanted: str) -> bool:
        """Return whether a person may mean this record: by its fingerprint, its version, or its file name."""
        return wanted in (self.edition.fingerprint, self.edition.version, self.name)

    def part(self, ids: Collection[str]) -> Record:
        """Return a record of only some components."""
        return replace(self, cards={id_: look for id_, look in self.cards.items() if id_ in ids})

    def text(self) -> str:
        """Return the record as JSON, with one component per line."""
        head = {
            "made-by": f"Grimalkin {__version__}",
            "game": self.game,
            "rules-version": self.edition.version,
            "content": self.edition.fingerprint,
            "inks": self.inks,
            **({"variants": list(self.variants)} if self.variants else {}),
        }
        lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
        cards = [
            f"    {json.dumps(id_)}: {json.dumps({'count': count, 'look': look})}"
            for id_, (count, look) in self.cards.items()
        ]
        return "{\n" + ",\n".join(lines) + ',\n  "cards": {\n' + ",\n".join(cards) + "\n  }\n}\n"


class Changes(NamedTuple):
    """The differences from a record: how many of each component to print, and a list for people."""

    copies: Mapping[str, int]
    lines: Sequence[str]


def changes(before: Record, now: Record, names: Mapping[str, str]) -> Changes:
    """Find the pieces to print, and those to take out, to bring an earlier print up to date."""
    copies: dict[str, int] = {}
    lines: list[str] = []
    for id_, (count, look) in now.cards.items():
        old_count, old_look = before.cards.get(id_, (0, ""))
        name = names.get(id_, id_)
        if id_ not in before.cards:
            copies[id_] = count
            lines.append(f"new: {count} × {name} ({id_}, {look})")
        elif look != old_look:
            copies[id_] = count
            lines.append(f"changed: {count} × {name} ({id_}, {old_look} becomes {look})")
        elif count > old_count:
            copies[id_] = count - old_count
            lines.append(f"more: {count - old_count} × {name} ({id_}, {old_count} becomes {count})")
        if look == old_look and count < old_count:
            lines.append(f"fewer: take out {old_count - count} × {name} ({id_}, {old_count} becomes {count})")
    for id_, (old_count, look) in before.cards.items():
        if id_ not in now.cards:
            lines.append(f"gone: take out {old_count} × {id_} ({look})")
    return Changes(copies, lines)


def record_of(game: Game, edition: Edition, inks: Inks, looks: Mapping[str, str]) -> Record:
    """Return the record of a game whose components look like this, in the game's order."""
    rows = [row for rows in game.components.values() for row in rows]
    cards = {row.id: (row.count, looks[row.id]) for row in rows if row.id in looks}
    return Record(game.name, edition, inks, cards, game.printed_as)


def path_of(record: Record) -> str:
    """Return the path of a record below an output folder."""
    return f"{RECORDS}/{record.game}/{record.name}.json"


def write(output: Path, new: Path, records: Iterable[Record]) -> list[str]:
    """Write records into the folder being built, except those already in the output folder. Return their names.

    A different file with the same name was changed by the user or made by another Grimalkin: it must be kept.
    """
    written = []
    for record in records:
        name, data = path_of(record), record.text().encode()
        refuse(output, name, "file")
        if read_small(output / name) != data:
            write_new(new / name, data)
            written.append(name)
    return written


def find_record(output: Path, game: Game, wanted: str, inks: Inks) -> Record:
    """Return the record that a person means: a file, a content fingerprint, or a version with only one record.

    It must have the design that is printed now: the same variants of the game, and the same inks.
    """
    design = (*game.printed_as, inks)
    path = Path(wanted)
    if path.is_file():
        record = _read(path.resolve())
    else:
        refuse(output, f"{RECORDS}/{game.name}", "folder")
        folder = output / RECORDS / game.name
        files = sorted(folder.glob("*.json"))
        known = [one for file in files if (one := _readable(file)) and file.name == f"{one.name}.json"]
        # A record of what somebody printed counts before those that the game's makers kept.
        fitting = [one for one in known if one.is_meant(wanted)] or [one for one in kept(game) if one.is_meant(wanted)]
        alike = [one for one in fitting if one.design == design]
        if len(fitting) > 1 and not alike:
            names = listed([one.name for one in fitting], "or")
            hint = f"printing sheets in this design makes one; the records so far are {names}"
            printed = f'there is no record of "{wanted}" printed as {" and ".join(design)}'
            raise Stop.at(Place(shown_path(folder)), printed, hint)
        fitting = alike or fitting
        fitting = [one for index, one in enumerate(fitting) if one.cards not in [o.cards for o in fitting[:index]]]
        if not fitting:
            meant = [name for one in [*known, *kept(game)] for name in (one.edition.fingerprint, one.edition.version)]
            hint = did_you_mean(wanted, meant)
            place = Place(shown_path(folder))
            hint = hint or 'every build makes one; its name is printed on the sheets after the word "content"'
            raise Stop.at(place, f'there is no record of "{wanted}"', hint)
        if len(fitting) > 1:
            names = ", ".join(f"{one.name} ({_written(folder / f'{one.name}.json')})" for one in fitting)
            raise Stop.at(Place(wanted), f"{len(fitting)} records have this version", f"name one of them: {names}")
        record = fitting[0]
    if record.game != game.name:
        raise Stop.at(Place(wanted), f'this is a record of "{record.game}"', f'one of "{game.name}" is needed')
    if record.variants != design[:-1]:
        printed = f"as {' and '.join(record.variants)}" if record.variants else "as no variant"
        hint = f"add --variant {','.join(record.variants)}" if record.variants else "leave out --variant"
        raise Stop.at(Place(wanted), f"this was printed {printed}", hint)
    if record.inks != inks:
        raise Stop.at(Place(wanted), f"this was printed with {record.inks} inks", f"add --ink {record.inks}")
    return record


def kept(game: Game) -> list[Record]:
    """Return the game's looks in its kept versions. These belong to the game, even if its folder was renamed."""
    found = [_record(data) for one in game.kept for data in one.records]
    return [replace(record, game=game.name) for record in found if record]


def _written(file: Path) -> str:
    """Return when a record's file was written, for people: the record itself contains no time."""
    seconds = file.stat().st_mtime
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


def _readable(path: Path) -> Record | None:
    """Return a record, or None if its file is damaged: this must not hide other records."""
    try:
        return _read(path)
    except Stop:
        return None


def _read(path: Path) -> Record:
    record = _record(read_json(path))
    if record is None:
        hint = "records are the JSON files in the folder `records` of an output folder"
        raise Stop.at(Place(shown_path(path)), "this is not a record of printed cards", hint)
    return record


def _record(data: Any) -> Record | None:
    """Return a record from its JSON, or None if it is not a record."""
    try:
        texts = [data["inks"], data["rules-version"], data["content"], data["game"], *data.get("variants", [])]
        cards = {id_: (one["count"], one["look"]) for id_, one in data["cards"].items()}
        is_sound = isinstance(data.get("variants", []), list) and all(isinstance(text, str) for text in texts)
        is_sound = is_sound and all(_is_look(*look) for look in cards.values())
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    if not is_sound:
        return None
    inks, version, content, game, *variants = texts
    return Record(game, Edition(version, content), inks, cards, tuple(variants))


def _is_look(count: object, look: object) -> bool:
    return type(count) is int and 0 <= count < 10**MOST_DIGITS and isinstance(look, str)
