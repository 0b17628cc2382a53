"""How the lines of a text begin in, which of them are items of lists out: their bullets and numbers.

As in CommonMark a list that is numbered counts on from its first number, and what is indented below an item by two
blanks goes on with it, a list within a list too. Lists within those are the same list.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from grimalkin.content.references import ITEM

BULLET = "-"
_FURTHER = 2
"""Blanks."""


class Begin(NamedTuple):
    """How a line begins: after how many blanks, whether with the sign of an item, whether it was broken there."""

    indent: int = 0
    sign: str = ""
    """A bullet, a number with its point, or nothing."""
    is_forced: bool = False
    is_empty: bool = False


def begin_of(line: str) -> Begin:
    """How a line that is not read yet begins."""
    item = ITEM.match(line)
    indent = len(line) - len(line.lstrip())
    return Begin(indent, item[2] if item else "", is_empty=not line.strip())


class Item(NamedTuple):
    """A line of a list: its sign, "" where an item goes on, and the numbers of the lists it is in, outermost first."""

    sign: str
    lists: tuple[int, ...]


class _List(NamedTuple):
    number: int
    indent: int
    first: str


def find_items(begins: Iterable[Begin]) -> dict[int, Item]:
    """The lines that belong to lists, by their places. A blank line ends no list, another line does."""
    found: dict[int, Item] = {}
    counts: list[int] = []
    """How many items each list has so far."""
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
