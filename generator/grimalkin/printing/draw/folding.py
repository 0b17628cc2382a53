"""Arrange the pages of a booklet on the sides of its leaves, and mark the fold.

Folded leaves are nested like those of a magazine: the outermost has the last page and the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from grimalkin.printing.draw.canvas import PackedCanvas
from grimalkin.printing.draw.packing import MM

PER_LEAF = 4
TICK = 3.0
"""The length of the marks at both ends of the fold, in millimetres."""


class Opening(NamedTuple):
    """One side of a leaf: the numbers of its left and right pages, from 0; None for a blank page."""

    left: int | None
    right: int | None


def openings(count: int, has_back: bool = False) -> Iterator[Opening]:
    """Yield the sides of all leaves of a booklet with this many pages, front and back in turn.

    If the last page is the back of the book, it is on the outside when folded, even if pages before it are blank.

    >>> list(openings(6))[:2]
    [Opening(left=None, right=0), Opening(left=1, right=None)]
    >>> list(openings(6))[2:]
    [Opening(left=5, right=2), Opening(left=3, right=4)]
    >>> next(openings(6, has_back=True))
    Opening(left=5, right=0)
    """
    whole = -(-count // PER_LEAF) * PER_LEAF

    def there(place: int) -> int | None:
        if has_back:
            return count - 1 if place == whole - 1 else place if place < count - 1 else None
        return place if place < count else None

    for first in range(0, whole // 2, 2):
        yield Opening(there(whole - 1 - first), there(first))
        yield Opening(there(first + 1), there(whole - 2 - first))


def mark_fold(canvas: PackedCanvas, wide: float, high: float) -> None:
    """Draw marks at both ends of the fold in the middle of a page of this size, in millimetres."""
    canvas.setLineWidth(0.2 * MM)
    for y in (0.0, high - TICK):
        canvas.line(wide / 2 * MM, y * MM, wide / 2 * MM, (y + TICK) * MM)
