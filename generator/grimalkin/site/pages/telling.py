"""Describe positions and checked facts in plain words. This works for the record of any game, since it only relies on
how records nest."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grimalkin.engine.shape import Listing, Record, Shape, Table
from grimalkin.problems.plain import plural

OPTIONS = "options"
"""Options agreed before the game: part of any position, but not on the table."""
UNKNOWN = "?"
"""Stands for a piece that a seat cannot name."""
NOTHING = "nothing"
MOST_NAMED = 16
"""Most pieces of a seat's pile that are named one by one; a larger pile is only counted."""
MOST_OF_NOBODY = 10
"""The same for a pile that belongs to no seat."""
_UNKNOWN = "unknown"


@dataclass(frozen=True)
class Teller:
    """Describes a position, or part of one, in sentences.

    A piece "?" is unknown. A number that is 0 for every seat is left out.

    >>> place = {"round": 2, "city": {"penny": 1, "dime": 2}, "seats": {"Ada": {"hand": {}, "cats": {"6": "penny"}}}}
    >>> Teller(["penny", "dime"]).tell(place)
    'Round: 2. City: 1 × penny, 2 × dime. Ada: cats 6 penny.'
    >>> Teller(["tom", "old-cat"], {"cats": "food"}).tell({"seats": {"Ada": {"cats": {"tom": 2, "old-cat": 0}}}})
    'Ada: tom with 2 food, old cat.'
    >>> seats = {"Ada": {"hand": ["7c"], "clubs": 0, "jokers": 0}, "Basil": {"clubs": 2, "jokers": 0}}
    >>> Teller(["7c"], names={"7c": "seven of clubs"}).tell({"seats": seats})
    'Ada: hand seven of clubs; clubs 0. Basil: clubs 2.'
    >>> Teller(["owl"]).tell({"moon": "?", "seats": {"Ada": {"hand": ["owl", "?", "?"]}}})
    'Moon: unknown. Ada: hand owl, 2 unknown.'
    >>> Teller([], zeros=True).tell({"cats": {"tom": {"food": 0, "hand": []}}})
    'Cats: tom food 0, hand nothing.'
    """

    pieces: Container[str]
    """Ids of pieces, which are counted."""
    loads: Mapping[str, str] = field(default_factory=dict)
    """Tables whose numbers do not count pieces but the things on each; such a table of a seat needs no name."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of some pieces; the others are called by their ids."""
    untold: Container[str] = ()
    """Parts of a position that are not on the table."""
    zeros: bool = False
    """Whether to mention what is absent, too."""

    def tell(self, position: Mapping[str, Any]) -> str:
        return " ".join(self.sentences(position))

    def sentences(self, position: Mapping[str, Any]) -> Iterator[str]:
        """Yield a sentence for each part of the common table, and one for each seat."""
        for key, value in position.items():
            if key == "seats" and isinstance(value, Mapping):
                if not any(value.values()):  # a game in which nothing belongs to a seat
                    continue
                idle = set() if self.zeros else _idle(list(value.values()))
                yield from (f"{seat}: {self.held(has, idle) or NOTHING}." for seat, has in value.items())
            elif key != OPTIONS and key not in self.untold and self.worth_telling(value):
                label = _plain(key)
                yield f"{label[0].upper()}{label[1:]}: {self.told(value, key, MOST_OF_NOBODY) or NOTHING}."

    def held(self, has: Any, idle: Container[str]) -> str:
        """Describe what a seat has, leaving out the keys in `idle`."""
        if not isinstance(has, Mapping):
            return self.told(has)
        told = ((area, self.told(value, area)) for area, value in has.items() if area not in idle)
        parts = ((area, words or NOTHING) for area, words in told if words or self.zeros)
        return "; ".join(words if area in self.loads else f"{_plain(area)} {words}" for area, words in parts)

    def told(self, value: Any, area: str = "", most: int = MOST_NAMED) -> str:
        if isinstance(value, Mapping):
            if area in self.loads:
                return ", ".join(self.loaded(key, load, self.loads[area]) for key, load in value.items())
            items = ((key, inner) for key, inner in value.items() if self.worth_telling(inner))
            return ", ".join(self.item(str(key), inner) for key, inner in items)
        if isinstance(value, Sequence) and not isinstance(value, str):
            known = [one for one in value if one != UNKNOWN]
            named = all(isinstance(one, str) and one in self.pieces for one in known)
            if named and len(value) > most:
                return plural(len(value), "piece")
            unknown = [f"{len(value) - len(known)} {_UNKNOWN}"] if len(known) < len(value) else []
            return ", ".join([*map(self.told, known), *unknown])
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value == UNKNOWN:
            return _UNKNOWN
        return self.called(value) if isinstance(value, str) and value in self.pieces else str(value)

    def called(self, key: str) -> str:
        return self.names.get(key) or _plain(key)

    def loaded(self, key: str, load: object, word: str) -> str:
        """Describe a piece and the number of things on it."""
        return f"{self.called(key)} with {load} {word}" if str(load) != "0" or self.zeros else self.called(key)

    def item(self, key: str, value: Any) -> str:
        if key in self.pieces and str(value).isdigit():
            return f"{value} × {self.called(key)}"
        return f"{self.called(key)} {self.told(value) or NOTHING}"

    def worth_telling(self, value: object) -> bool:
        return self.zeros or value not in (0, "", None, [])


def _idle(seats: Sequence[Any]) -> set[str]:
    """Return the counted things of which no seat has any."""
    counted = [
        {key: value for key, value in has.items() if str(value).isdigit()} for has in seats if isinstance(has, Mapping)
    ]
    return {key for has in counted for key in has if all(str(other.get(key, 0)) == "0" for other in counted)}


def _plain(key: object) -> str:
    return str(key).replace("-", " ")


def find_loads(shape: Shape) -> dict[str, str]:
    """Return the tables in a position's shape whose numbers count things on pieces: key, and what they count.

    >>> from grimalkin.engine.shape import Whole
    >>> find_loads(Record({"cats": Table(Whole(), load="food")}))
    {'cats': 'food'}
    """
    loads: dict[str, str] = {}
    if isinstance(shape, Record):
        for key, inner in {**shape.required, **shape.optional}.items():
            load = inner.load if isinstance(inner, Table) else ""
            loads.update({key: load} if load else find_loads(inner))
    elif isinstance(shape, Table | Listing):
        loads.update(find_loads(shape.each))
    return loads


def find_untold(shape: Record) -> set[str]:
    """Return the parts of a position that are declared not to be on the table."""
    parts = {**shape.required, **shape.optional}
    return {key for key, inner in parts.items() if isinstance(inner, Listing | Record) and not inner.told}


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a position that differ from an earlier one.

    >>> changed({"round": 1, "seats": {"Ada": {"hand": {"penny": 1}}}}, {"round": 1, "seats": {"Ada": {"hand": {}}}})
    {'seats': {'Ada': {'hand': {}}}}
    """
    parts: dict[str, Any] = {}
    for key, value in after.items():
        if key == "seats" and isinstance(value, Mapping):
            seats = {name: _differing(before.get(key, {}).get(name, {}), has) for name, has in value.items()}
            parts.update({key: {name: has for name, has in seats.items() if has}} if any(seats.values()) else {})
        elif value != before.get(key):
            parts[key] = value
    return parts


def _differing(before: Any, after: Any) -> Any:
    if not isinstance(before, Mapping) or not isinstance(after, Mapping):
        return after if after != before else None
    return {key: value for key, value in after.items() if value != before.get(key)}
