"""Slabs in, pages out: what cannot be parted is laid below each other, and pages end where they may.

Millimetres. A slab is a line of text, a heading, a figure; `keep` holds it together with what follows, so that no
heading stands at the foot of a page and no line of a paragraph alone on one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grimalkin.book.pen import Pen

Draw = Callable[["Pen", float, float], None]
"""Draws something with its upper left corner at x, y."""


@dataclass(frozen=True)
class Slab:
    """Something that stays in one piece."""

    height: float
    draw: Draw
    before: float = 0.0
    """What is left blank above it, but at the top of a page."""
    keep: bool = False
    """Whether what follows stands on the same page."""
    floats: bool = False
    """Whether it may wait for the top of the next page, while text goes on."""
    starts: bool = False
    """Whether it begins a page."""
    wants: float = 0.0
    """How much room it wants from its top on; where there is less, it begins the next page."""
    anchors: tuple[str, ...] = ()
    """What leads here."""
    heads: tuple[str, str] = ("", "")
    """For the head of the page: the section and the number of the rule that it belongs to."""
    marks: tuple[str, ...] = ()
    """Terms that are used in it, for the index."""


@dataclass(frozen=True)
class Placed:
    """A slab where it stands: its top from the top of the text."""

    slab: Slab
    top: float


@dataclass
class Leaf:
    """A page of the book: what stands on it."""

    placed: list[Placed] = field(default_factory=list)
    foot: float = 0.0
    """Where the next slab would begin."""

    @property
    def heads(self) -> list[tuple[str, str]]:
        return [one.slab.heads for one in self.placed if any(one.slab.heads)]


def flow(slabs: Sequence[Slab], height: float) -> list[Leaf]:
    """The pages on which slabs stand. One that is higher than a page stands alone and sticks out."""
    pages = [Leaf()]
    waiting: list[Slab] = []
    at = 0
    while at < len(slabs) or waiting:
        page = pages[-1]
        if waiting and not page.placed:
            _put(page, replace(waiting.pop(0), before=0.0))
            continue
        group = _group(slabs, at) if at < len(slabs) else []
        if not group:
            pages.append(Leaf())
            continue
        if group[0].starts and page.placed:
            pages.append(Leaf())
            continue
        wanted = max(_height(group, page), group[0].wants)
        if page.foot + wanted <= height + 0.01 or not page.placed:
            for slab in group:
                _put(page, slab)
            at += len(group)
        elif len(group) == 1 and group[0].floats:
            waiting.append(group[0])
            at += 1
        else:
            pages.append(Leaf())
    return pages


def _group(slabs: Sequence[Slab], at: int) -> list[Slab]:
    """What stands together from here on."""
    end = at
    while end < len(slabs) - 1 and slabs[end].keep and not slabs[end + 1].starts:
        end += 1
    return list(slabs[at : end + 1])


def _height(group: Sequence[Slab], page: Leaf) -> float:
    first = group[0].before if page.placed else 0.0
    return first + group[0].height + sum(slab.before + slab.height for slab in group[1:])


def _put(page: Leaf, slab: Slab) -> None:
    top = page.foot + (slab.before if page.placed else 0.0)
    page.placed.append(Placed(slab, top))
    page.foot = top + slab.height


def pages_of(pages: Sequence[Leaf], first: int) -> dict[str, int]:
    """The number of the page on which each anchor stands, the first page having this number."""
    found: dict[str, int] = {}
    for number, page in enumerate(pages, first):
        for one in page.placed:
            for anchor in one.slab.anchors:
                found.setdefault(anchor, number)
    return found
