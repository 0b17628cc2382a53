"""A campaign's record in, its file as YAML out, with one answer on each line so that people can read and correct it.

Whatever its texts contain, the file reads back the same, also in other programs that read YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from unicodedata import is_normalized

from grimalkin.engine.saved import Saved

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
    if isinstance(value, Mapping) and value and not _is_draw(value):
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
    lines = [f"draw: {_flow(value['draw'])}"] if list(value) == ["draw"] else [*_mapping(value)]
    yield f"- {lines[0]}"
    yield from (f"  {line}" for line in lines[1:])


def _is_draw(value: Mapping[str, Any]) -> bool:
    return len(value) == 1 and "draw" in value


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
