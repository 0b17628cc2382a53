"""Interpret the names of picture files: the card, the side and the count."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

from grimalkin.problems.plain import LONGEST_ID, fault_of_name

_COUNTS: Final = (
    re.compile(r"(?P<name>.+?)[\s_.-]+[x×]\s?(?P<count>\d+)", re.I),
    re.compile(r"(?P<name>.+?)[\s_.-]*[(\[](?:[x×]\s?(?P<count>\d+)|(?P<other>\d+)\s?[x×])[)\]]", re.I),
    re.compile(r"(?P<name>.+?)[\s_.-]+(?P<count>\d+)[x×]", re.I),
    re.compile(r"(?P<count>\d+)\s?[x×][\s_.-]+(?P<name>.+)", re.I),
    re.compile(r"(?P<name>.+?)\[face,(?P<count>\d+)\]", re.I),
)
"""The ways in which people write counts. "guard (2)" is not one: that is how computers name copies of files."""
_SIDE: Final = re.compile(
    r"(?P<name>.+?)(?:[\s_.-]+(?P<side>front|back)|[\s_.-]*[(\[](?P<other>front|back)[)\]])", re.I
)
_TYPED: Final = str.maketrans("{}", "()")
"""A replacement for braces, which are markup in our texts."""


class Named(NamedTuple):
    """The meaning of a picture file's name."""

    name: str
    is_back: bool
    copies: str
    """The digits of the count; "" if the name has none."""


def named(stem: str) -> Named:
    """Return the meaning of a file's name, given without its extension.

    >>> named("guard x4"), named("4x guard").copies, named("guard-back")
    (Named(name='guard', is_back=False, copies='4'), '4', Named(name='guard', is_back=True, copies=''))
    >>> named("guard (2)"), named("plank 2x4").copies
    (Named(name='guard (2)', is_back=False, copies=''), '')
    """
    stem = unicodedata.normalize("NFC", stem).strip().translate(_TYPED)
    stem, count = _counted(stem)
    side = _SIDE.fullmatch(stem)
    is_back = side is not None and (side[2] or side[3]).lower() == "back"
    if side:
        stem, more = _counted(side["name"])
        count = count or more
    return Named(stem, is_back, count)


def _counted(stem: str) -> tuple[str, str]:
    for pattern in _COUNTS:
        if found := pattern.fullmatch(stem):
            groups = found.groupdict()
            return groups["name"], groups["count"] or groups["other"] or ""
    return stem, ""


def in_order(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts names with numbers in counting order.

    >>> sorted(["card 10", "Card 2", "card 1"], key=in_order)
    ['card 1', 'Card 2', 'card 10']
    """
    parts = re.findall(r"\d{1,18}|\D+|\d+", name.casefold())
    return tuple((0, int(part), part) if part.isdecimal() and len(part) < 19 else (1, 0, part) for part in parts)


def id_of(name: str, taken: set[str], otherwise: str = "card") -> str:
    """Make an id from any name, different from those in `taken`, and add it to them.

    >>> taken = set()
    >>> id_of("Älter Wächter!", taken), id_of("alter wachter", taken), id_of("守", taken)
    ('alter-wachter', 'alter-wachter-2', 'card')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    word = re.sub(r"[^a-z0-9]+", "-", plain)[: LONGEST_ID - 8].strip("-") or otherwise
    if fault_of_name(word):
        word = f"{word}-{otherwise}"
    made, number = word, 1
    while made in taken:
        number += 1
        made = f"{word}-{number}"
    taken.add(made)
    return made
