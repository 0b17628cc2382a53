"""Lay slabs out on pages: place indivisible parts of the text below each other, and end pages only where allowed.

Lengths are millimetres. A slab is a line of text, a heading or a figure; `keep` holds it together with the next slab,
so that no heading is at the foot of a page and no line of a paragraph is alone on one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grimalkin.printing.book.pen import Pen

NEARLY = 0.01
"""The tolerance for sums of lengths."""
BELOW = 4.5
"""The least space below a figure that waited for its page."""
LEAST = 0.6
"""The least part of a page's height that is filled, unless a chapter ends on it."""
Draw = Callable[["Pen", float, float], None]
"""A function that draws with the upper left corner at x, y."""


@dataclass(frozen=True)
class Slab:
    """A part of the text that cannot be divided between pages."""

    height: float
    draw: Draw
    before: float = 0.0
    """Space above it, except at the top of a page."""
    keep: bool = False
    """Whether the next slab must be on the same page."""
    floats: bool = False
    """Whether it may wait for the top of the facing page while text goes on. If the next page is overleaf, the text to
    which it belongs moves there with it, unless that would leave too little on this page.
    """
    tight: Callable[[], Slab] | None = None
    """A function that sets the same contents in less height, used if they would otherwise push their text overleaf."""
    sized: Callable[[float], Slab] | None = None
    """A function that sets the opening of a chapter with a cut of another height."""
    apart: Callable[[], tuple[Slab, Slab]] | None = None
    """A function that sets the same contents as words, which stay, and a picture, which may wait without them."""
    calls: bool = False
    """Whether it begins the text that the next floating slabs belong to."""
    starts: bool = False
    """Whether the slab must begin a page."""
    wants: float = 0.0
    """The room that the slab needs, measured from its top; if there is less, it begins the next page."""
    anchors: tuple[str, ...] = ()
    """The anchors at this slab."""
    heads: tuple[str, str] = ("", "")
    """The section and the rule number for the running head."""
    marks: tuple[str, ...] = ()
    """The terms used in the slab, for the index."""


@dataclass(frozen=True)
class Placed:
    """A slab and its position: the distance of its top from the top of the text."""

    slab: Slab
    top: float
    index: int
    """Its index among all slabs."""
    waited: bool = False
    """Whether the slab floated here from the previous page."""


@dataclass
class Leaf:
    """A page of the book, with the slabs on it."""

    placed: list[Placed] = field(default_factory=list)
    foot: float = 0.0
    """The top of the next slab."""

    @property
    def heads(self) -> list[tuple[str, str]]:
        return [one.slab.heads for one in self.placed if any(one.slab.heads)]


def flow(slabs: Sequence[Slab], height: float, first: int = 2) -> list[Leaf]:
    """Lay slabs out on pages; the first page has the number `first`. A slab taller than a page sticks out.

    Pages with even numbers are on the left; floating slabs may move from them to the facing page.
    """
    pages = [Leaf()]
    waiting: list[tuple[Slab, int]] = []
    at = 0
    while at < len(slabs) or waiting:
        page = pages[-1]
        if waiting and not page.placed:
            for slab, index in waiting:
                _put(page, slab, index, waited=True)
            waiting = []
            continue
        group = _group(slabs, at) if at < len(slabs) else []
        if not group or (group[0].starts and page.placed) or (waiting and _is_chapter(group)):
            pages.append(Leaf())
            continue
        is_figure = len(group) == 1 and group[0].floats
        is_left = (first + len(pages) - 1) % 2 == 0
        if is_figure and is_left and _is_overleaf(slabs, at, pages):
            back = _taken_back(slabs, at, pages[-2:-1], LEAST * height)
            if back != at:
                at = back
                pages[-1] = Leaf()
                continue
        if is_figure and group[0].tight and not is_left and not _fits(group, page, height):
            tight = replace(group[0].tight(), heads=group[0].heads)
            group = [tight] if _fits([tight], page, height) else group
        if group[0].wants and group[0].tight and not _has_room(group, page, height):
            tight = replace(group[0].tight(), heads=group[0].heads)
            group = [tight, *group[1:]] if _has_room([tight, *group[1:]], page, height) else group
        if _has_room(group, page, height):
            for number, slab in enumerate(group):
                _put(page, slab, at + number)
            at += len(group)
        elif not page.placed:  # the group is taller than a page, so it must be divided after all
            _put(page, group[0], at)
            at += 1
            while at < len(slabs) and slabs[at - 1].keep and _fits(slabs[at : at + 1], page, height):
                _put(page, slabs[at], at)
                at += 1
        elif is_figure:
            back = at if is_left else _taken_back(slabs, at, pages[-2:], LEAST * height)
            words, picture = group[0].apart() if group[0].apart else (None, group[0])
            can_wait = _fits([*(slab for slab, _ in waiting), picture], Leaf(), height)
            if back == at and can_wait and (words is None or _fits([words], page, height)):
                if words is not None:
                    _put(page, replace(words, heads=group[0].heads), at)
                waiting.append((replace(picture, heads=group[0].heads), at))
                at += 1
                continue
            if back == at:
                back = _taken_back(slabs, at, pages[-1:] if is_left else pages[-2:], 0.0)
            waiting = [one for one in waiting if one[1] < back]
            at = back
            pages.append(Leaf())
        else:
            pages.append(Leaf())
    return pages


def faults(pages: Sequence[Leaf], height: float) -> int:
    """Return how often a page is too empty: one on which no chapter ends, or two in a row."""
    empty = [page.foot < LEAST * height for page in pages]
    ends = [not after.placed or after.placed[0].slab.wants > 0 for after in [*pages[1:], Leaf()]]
    return sum(is_empty and not end for is_empty, end in zip(empty, ends, strict=True)) + sum(
        both == (True, True) for both in pairwise(empty)
    )


def _fits(group: Sequence[Slab], page: Leaf, height: float) -> bool:
    return page.foot + _height(group, page) <= height + NEARLY


def _has_room(group: Sequence[Slab], page: Leaf, height: float) -> bool:
    """Return whether a group fits on a page, with the room that it needs below."""
    return _fits(group, page, height) and page.foot + group[0].wants <= height + NEARLY


def _is_chapter(group: Sequence[Slab]) -> bool:
    return any(slab.wants for slab in group)


def _unit(slabs: Sequence[Slab], at: int) -> int:
    """Return the index at which a floating slab's text begins, including the headings above it."""
    start = next((n for n in range(at, -1, -1) if slabs[n].calls), at)
    while start and slabs[start - 1].keep:
        start -= 1
    return start


def _is_overleaf(slabs: Sequence[Slab], at: int, pages: Sequence[Leaf]) -> bool:
    """Return whether a floating slab's text begins at the foot of the previous page, but could begin here."""
    start = _unit(slabs, at)
    return (
        len(pages) > 1
        and any(one.index == start for one in pages[-2].placed[1:])
        and all(one.index >= start and not one.waited for one in pages[-1].placed)
    )


def _taken_back(slabs: Sequence[Slab], at: int, pages: Sequence[Leaf], least: float) -> int:
    """Remove a floating slab's text from the foot of a page, so that both begin the next; return the index at which
    the text begins.

    Text that begins on a left page and continues on the right, below a float that waited for that page, is removed
    from both. Nothing is removed if the text fills a page, if an earlier float stands below its beginning, or if
    less than `least` would remain on a page.
    """
    start = _unit(slabs, at)
    from_ = next((pages[-n:] for n in range(1, len(pages) + 1) if _begins_on(pages[-n], start)), ())
    kept = [[one for one in page.placed if one.index < start or one.waited] for page in from_]
    if not from_ or any(
        not some
        or some != page.placed[: len(some)]
        or some[-1].index >= start
        or some[-1].top + some[-1].slab.height < least
        for some, page in zip(kept, from_, strict=True)
    ):
        return at
    for some, page in zip(kept, from_, strict=True):
        page.placed[:] = some
        page.foot = some[-1].top + some[-1].slab.height
    return start


def _begins_on(page: Leaf, start: int) -> bool:
    return any(one.index == start for one in page.placed)


def _group(slabs: Sequence[Slab], at: int) -> list[Slab]:
    """Return the slabs, from this one on, that must stay together."""
    end = at
    while end < len(slabs) - 1 and slabs[end].keep and not slabs[end + 1].starts:
        end += 1
    return list(slabs[at : end + 1])


def _height(group: Sequence[Slab], page: Leaf) -> float:
    return _gap(group[0], page) + group[0].height + sum(slab.before + slab.height for slab in group[1:])


def _gap(slab: Slab, page: Leaf) -> float:
    """Return the space above a slab. Text keeps some distance from a figure that was moved from the previous page."""
    if not page.placed:
        return 0.0
    return max(slab.before, BELOW) if page.placed[-1].waited else slab.before


def _put(page: Leaf, slab: Slab, index: int, waited: bool = False) -> None:
    gap = slab.before if waited and page.placed else _gap(slab, page)
    top = page.foot + gap
    page.placed.append(Placed(slab, top, index, waited))
    page.foot = top + slab.height


def pages_of(pages: Sequence[Leaf], first: int) -> dict[str, int]:
    """Return the page number of each anchor; the first page has the number `first`."""
    found: dict[str, int] = {}
    for number, page in enumerate(pages, first):
        for one in page.placed:
            for anchor in one.slab.anchors:
                found.setdefault(anchor, number)
    return found
