"""Put the parts of text in order from left to right (UAX #9).

The embedding levels come from the library `python-bidi`, an optional extra; brackets take the direction of their
contents (rule N0), which it leaves out. It is used only when a letter is written from right to left.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from importlib.util import find_spec
from itertools import groupby
from typing import NamedTuple

from grimalkin.printing.type.fonts import Fault
from grimalkin.problems import Place, Problem, Stop

ISOLATED = ("\u2067", "\u2069")
"""Characters around text that runs from right to left (RLI, PDI); browsers understand them."""
_FROM_RIGHT = frozenset(["R", "AL", "AN"])
_FIRST = "\u0590"
"""No character before this one is written from right to left."""


class Part(NamedTuple):
    """A run of letters in one direction, by their positions in the text."""

    start: int
    end: int
    from_right: bool


def has_right(text: str) -> bool:
    """Return whether a text contains letters that are written from right to left."""
    return (
        not text.isascii()
        and max(text) >= _FIRST
        and any(char >= _FIRST and unicodedata.bidirectional(char) in _FROM_RIGHT for char in text)
    )


def is_bidi(text: str) -> bool:
    """Return whether a text must be reordered before it is set because it has right-to-left letters or is isolated."""
    return has_right(text) or ISOLATED[0] in text


def right_fault(text: str) -> Fault | None:
    """Return the fault of a text that needs the library for right-to-left letters, if that is missing."""
    if not has_right(text) or find_spec("bidi"):
        return None
    char = next(char for char in text if has_right(char))
    what = f"U+{ord(char):04X} ({unicodedata.name(char, 'no name')}) is written from right to left"
    return what, 'pip install "grimalkin[rtl]" adds support for such text'


def begins_right(text: str) -> bool:
    """Return whether the first letter of a text is written from right to left (rules P2 and P3).

    >>> begins_right("1. \u05d0 a"), begins_right("a \u05d0")
    (True, False)
    """
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in ("L", "R", "AL"):
            return kind != "L"
    return False


def isolated(text: str) -> str:
    """Return text marked to run from right to left, whatever surrounds it."""
    return text.join(ISOLATED)


@lru_cache(maxsize=1024)
def parts_from_left(text: str) -> tuple[Part, ...]:
    """Return the parts of a line in order from left to right. The line itself runs from left to right, and an isolated
    part from right to left.

    Raise Stop if the library is not installed.
    """
    levels = _levels(text)
    runs: list[tuple[int, int, int]] = []
    for level, group in groupby(enumerate(levels), lambda one: one[1]):
        places = [place for place, _ in group]
        runs.append((level, places[0], places[-1] + 1))
    for least in range(max(levels, default=0), 0, -1):  # rule L2
        at = 0
        while at < len(runs):
            end = at
            while end < len(runs) and runs[end][0] >= least:
                end += 1
            runs[at:end] = reversed(runs[at:end])
            at = max(end, at + 1)
    return tuple(Part(start, end, level % 2 == 1) for level, start, end in runs)


def _levels(text: str) -> list[int]:
    before, sign, rest = text.partition(ISOLATED[0])
    if not sign:
        return _levels_of(text, 0) if has_right(text) else [0] * len(text)
    inside, sign, after = rest.partition(ISOLATED[1])
    return [*_levels(before), 0, *_levels_of(inside, 1), *([0] if sign else []), *_levels(after)]


def _levels_of(text: str, base: int) -> list[int]:
    """Return the level of each character; one without a direction, such as a joiner, takes the previous level."""
    fault = right_fault(text)
    if fault:
        raise Stop([Problem(Place(f'the text "{text.strip()[:40]}"'), *fault)])
    from bidi import algorithm

    kept = [place for place, char in enumerate(text) if unicodedata.bidirectional(char) not in _WITHOUT]
    storage = algorithm.get_empty_storage()
    storage["base_level"], storage["base_dir"] = base, "LR"[base]
    algorithm.get_embedding_levels("".join(text[place] for place in kept), storage)
    algorithm.explicit_embed_and_overrides(storage)
    algorithm.resolve_weak_types(storage)
    _resolve_brackets(storage["chars"], "LR"[base])
    algorithm.resolve_neutral_types(storage, False)
    algorithm.resolve_implicit_levels(storage, False)
    found = dict(zip(kept, (int(char["level"]) for char in storage["chars"]), strict=True))
    levels: list[int] = []
    for place in range(len(text)):
        levels.append(found.get(place, levels[-1] if levels else base))
    for place in range(len(text) - 1, -1, -1):  # trailing spaces take the line's direction (rule L1)
        if not text[place].isspace():
            break
        levels[place] = base
    return levels


_WITHOUT = frozenset(["", "BN", "B", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"])
_STRONG = {"L": "L", "R": "R", "EN": "R", "AN": "R"}
"""Numbers count as right to left."""
_BRACKETS = {"(": ")", "[": "]", "{": "}", "\u2329": "\u232a", "\u27e8": "\u27e9"}


def _resolve_brackets(chars: list[dict[str, object]], base: str) -> None:
    """Give brackets the line's direction if it occurs between them, otherwise the direction before them."""
    open_: list[tuple[str, int]] = []
    pairs: list[tuple[int, int]] = []
    for place, char in enumerate(chars):
        sign = str(char["ch"])
        if char["type"] != "ON":
            continue
        if sign in _BRACKETS:
            open_.append((_BRACKETS[sign], place))
        elif any(sign == closing for closing, _ in open_):
            while open_[-1][0] != sign:
                open_.pop()
            pairs.append((open_.pop()[1], place))
    for start, end in sorted(pairs):
        within = {_STRONG.get(str(char["type"])) for char in chars[start + 1 : end]} - {None}
        if not within:
            continue
        before = next((kind for char in chars[start::-1] if (kind := _STRONG.get(str(char["type"])))), base)
        chars[start]["type"] = chars[end]["type"] = base if base in within or before == base else before
