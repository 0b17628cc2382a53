"""In which forms a book comes: page by page for a screen or larger paper, or as a booklet to fold. Millimetres.

Folded, the leaves lie in each other like those of a magazine: on the outermost leaf stand the last page and the first.
Inner leaves of a thick booklet stick out at the edge; their pages are moved towards the fold by the thickness of what
lies around them, so that all margins are the same once the edge is trimmed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grimalkin.book.pen import Spot

PAGE = (148.0, 210.0)
"""A5 (ISO 216)."""
A4, LETTER = (210.0, 297.0), (215.9, 279.4)
FOLD = "print on both sides, flip on the short edge, fold in the middle"
THICKNESS = 0.1
"""Of a leaf of 80 g/m², in millimetres."""
LEAST_CREEP = 40
"""Pages up to which leaves stick out by less than anybody sees."""


@dataclass(frozen=True)
class Form:
    """A form of a book. `paper` is the size of its pages."""

    id: str
    what: str
    paper: tuple[float, float]
    folded: bool = False

    def sides(self, count: int) -> Iterator[Sequence[int | None]]:
        """Which pages stand on each page of the file, from the left; pages count from 1, None is left blank.

        >>> list(FORMS["booklet-a4"].sides(6))
        [(None, 1), (2, None), (6, 3), (4, 5)]
        """
        if not self.folded:
            yield from ((page,) for page in range(1, count + 1))
            return
        whole = -(-count // 4) * 4
        for first in range(1, whole // 2, 2):
            for left, right in ((whole + 1 - first, first), (first + 1, whole - first)):
                yield (left if left <= count else None, right if right <= count else None)

    def place(self, place: int, side: int, count: int) -> Spot:
        """Where a page lies, by its place on a page of the file and the number of that, from 0."""
        wide, high = self.paper
        room = wide / 2 if self.folded else wide
        scale = min(room / PAGE[0], high / PAGE[1])
        y = (high - PAGE[1] * scale) / 2
        if not self.folded:
            return Spot((wide - PAGE[0] * scale) / 2, y, scale)
        creep = THICKNESS * (side // 2) if count > LEAST_CREEP else 0.0
        inward = PAGE[0] * scale
        return Spot(wide / 2 - inward + creep if place == 0 else wide / 2 - creep, y, scale)


FORMS = {
    form.id: form
    for form in (
        Form("screen", "to read on a screen", PAGE),
        Form("booklet-a4", f"a booklet on A4: {FOLD}", A4[::-1], True),
        Form(
            "booklet-letter",
            f"a booklet on Letter: {FOLD}",
            LETTER[::-1],
            True,
        ),
        Form("a4", "on A4, in large type", A4),
        Form("letter", "on Letter, in large type", LETTER),
    )
}
