"""Positions and checked facts in, plain words out. Works for the record of any game: it knows only how records nest."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

UNTOLD = frozenset({"options"})
"""Parts of a position that are no part of what lies on the table."""
NOTHING = "nothing"


def tell(position: Mapping[str, Any], pieces: Container[str], zeros: bool = False) -> str:
    """A position, or a part of one, in sentences. `pieces` are counted; with `zeros` also what is not there.

    >>> place = {"round": 2, "city": {"penny": 1, "dime": 2}, "seats": {"Ada": {"hand": {}, "cats": {"6": "penny"}}}}
    >>> tell(place, ["penny", "dime"])
    'Round: 2. City: 1 × penny, 2 × dime. Ada: cats 6 penny.'
    """
    return _Teller(pieces, zeros).tell(position)


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a position that differ from an earlier one.

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


class _Teller:
    def __init__(self, pieces: Container[str], zeros: bool) -> None:
        self.pieces = pieces
        self.zeros = zeros

    def tell(self, position: Mapping[str, Any]) -> str:
        sentences = []
        for key, value in position.items():
            if key == "seats" and isinstance(value, Mapping):
                sentences += [f"{seat}: {self.held(has) or NOTHING}." for seat, has in value.items()]
            elif key not in UNTOLD and self.worth_telling(value):
                sentences.append(f"{_label(key)}: {self.told(value) or NOTHING}.")
        return " ".join(sentences)

    def held(self, has: Any) -> str:
        """What a seat has."""
        if not isinstance(has, Mapping):
            return self.told(has)
        told = ((_plain(area), self.told(value)) for area, value in has.items())
        return "; ".join(f"{area} {words or NOTHING}" for area, words in told if words or self.zeros)

    def told(self, value: Any) -> str:
        if isinstance(value, Mapping):
            items = ((key, inner) for key, inner in value.items() if self.worth_telling(inner))
            return ", ".join(self.item(str(key), inner) for key, inner in items)
        if isinstance(value, Sequence) and not isinstance(value, str):
            return ", ".join(map(self.told, value))
        return str(value)

    def item(self, key: str, value: Any) -> str:
        if key in self.pieces and str(value).isdigit():
            return f"{value} × {_plain(key)}"
        return f"{_plain(key)} {self.told(value)}"

    def worth_telling(self, value: object) -> bool:
        return self.zeros or value not in (0, "", None, [])


def _plain(key: object) -> str:
    return str(key).replace("-", " ")


def _label(key: object) -> str:
    plain = _plain(key)
    return plain[0].upper() + plain[1:]


def listed(words: Sequence[str], last: str = "and") -> str:
    """
    >>> listed(["Ada", "Basil", "Cleo"])
    'Ada, Basil and Cleo'
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""
