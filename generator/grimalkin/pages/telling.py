"""Positions and checked facts in, plain words out. Works for the record of any game: it knows only how records nest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

UNTOLD = frozenset({"options"})
"""Parts of a position that are no part of what lies on the table."""


def tell(position: Mapping[str, Any], zeros: bool = False) -> str:
    """A position, or a part of one, in sentences. With `zeros` also what is not there.

    >>> tell({"round": 2, "city": {"penny": 1, "dime": 2}, "seats": {"Ada": {"hand": {}, "cats": {"6": "penny"}}}})
    'Round: 2. City: 1 × penny, 2 × dime. Ada: cats 6 penny.'
    """
    sentences = []
    for key, value in position.items():
        if key == "seats" and isinstance(value, Mapping):
            for seat, has in value.items():
                sentences.append(f"{seat}: {_held(has, zeros) or 'nothing'}.")
        elif key not in UNTOLD and (zeros or value not in (0, "", None, [])):
            sentences.append(f"{_label(key)}: {_told(value, zeros) or 'nothing'}.")
    return " ".join(sentences)


def _held(has: Any, zeros: bool) -> str:
    if not isinstance(has, Mapping):
        return _told(has, zeros)
    parts = ((_plain(area), _told(value, zeros), value) for area, value in has.items())
    return "; ".join(f"{area} {told or 'nothing'}" for area, told, value in parts if told or zeros)


def _told(value: Any, zeros: bool) -> str:
    if isinstance(value, Mapping):
        counted = all(str(number).isdigit() for number in value.values())
        items = [(_plain(key), inner) for key, inner in value.items() if zeros or inner not in (0, "", None)]
        if counted:
            return ", ".join(f"{number} × {key}" for key, number in items)
        return ", ".join(f"{key} {_told(inner, zeros)}" for key, inner in items)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_told(item, zeros) for item in value)
    return str(value)


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
