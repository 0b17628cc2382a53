"""Find the lines of a text that are items of lists, with their bullets and numbers.

As in CommonMark, a numbered list counts on from its first number, and lines indented by two spaces below an item
continue it, as does a nested list. Lists nested more deeply belong to the nested list.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from grimalkin.content.references import ITEM

BULLET = "-"
_FURTHER = 2
"""In spaces."""


class Begin(NamedTuple):
    """The beginning of a line: its indent in spaces, its bullet or number, and whether a line break precedes it."""

    indent: int = 0
    sign: str = ""
    """A bullet, a number with its full stop, or ""."""
    is_forced: bool = False
    is_empty: bool = False


def begin_of(line: str) -> Begin:
    """Return the beginning of an unparsed line."""
    item = ITEM.match(line)
    indent = len(line) - len(line.lstrip())
    return Begin(indent, item[2] if item else "", is_empty=not line.strip())


class Item(NamedTuple):
    """A line of a list: its bullet or number ("" if it continues an item), and its lists' numbers, outermost first."""

    sign: str
    lists: tuple[int, ...]


class _List(NamedTuple):
    number: int
    indent: int
    first: str


def find_items(begins: Iterable[Begin]) -> dict[int, Item]:
    """Return the lines that belong to lists, by position. A blank line does not end a list; any other line does."""
    found: dict[int, Item] = {}
    counts: list[int] = []
    """The number of items in each list so far."""
    open_: list[_List] = []
    for place, begin in enumerate(begins):
        if begin.is_empty and not begin.sign:
            continue
        further = 0 if begin.sign else _FURTHER
        while open_ and not begin.is_forced and begin.indent < open_[-1].indent + further:
            if begin.sign and len(open_) == 1:
                break
            open_.pop()
        if begin.sign:
            within = len(open_) == 1 and begin.indent >= open_[0].indent + _FURTHER
            if not open_ or within or _is_bullet(begin.sign) != _is_bullet(open_[-1].first):
                if not within:
                    del open_[-1:]
                open_.append(_List(len(counts), begin.indent, begin.sign))
                counts.append(0)
            now = open_[-1]
            sign = begin.sign if _is_bullet(now.first) else f"{int(now.first[:-1]) + counts[now.number]}."
            counts[now.number] += 1
            found[place] = Item(sign, tuple(one.number for one in open_))
        elif open_:
            found[place] = Item("", tuple(one.number for one in open_))
    return found


def _is_bullet(sign: str) -> bool:
    return sign == BULLET
