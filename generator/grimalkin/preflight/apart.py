"""Checks of a whole deck: whether faces that players must tell apart look different, however one sees colours.

Two faces are compared as small, slightly blurred pictures, which is what a glance takes in. What counts is the
hundredth of the face where they differ most: 7 × 7 mm of a poker card, about one symbol. Its mean colour difference
must reach `LEAST` in greyscale and under three simulations of colour vision.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations

from PIL import Image

from grimalkin.content.models import Deck
from grimalkin.preflight.faces import Specimen
from grimalkin.preflight.findings import Finding
from grimalkin.preflight.sight import WAYS, most_different, seen

CELLS = 10
"""The coarse picture has CELLS × CELLS cells, each as large as the share of the face that counts."""
SHARE = 1 / CELLS**2
LEAST = 10.0
"""CIE delta E between what differs most. 2.3 is just noticeable side by side; from 10 on it is seen at a glance.

Measured: one disc of 20 mm in red and green of the same darkness 3.6, in blood and leaf 13; a disc and a triangle of
8 mm in one red 20; titles of 12 pt 6; numerals of 16 pt 2 to 4, of 36 pt 13; the nearest two of our coins 32.
"""
MOST_TOLD = 20
"""Pairs of one deck; a deck whose cards differ in their text alone would fill pages."""
TOLD_EVERY = 1000
"""Pairs: so often the progress is told, a few times a second."""
SIZES_DIFFER = 1.15
"""Pieces of which one is this much larger, or of another shape, are told apart by hand."""


@dataclass(frozen=True)
class Glance:
    """A face as a glance takes it in, in every way of seeing: as a small picture, and as a coarse one."""

    specimen: Specimen

    @cached_property
    def fine(self) -> dict[str, Image.Image]:
        return {way: seen(self.specimen.look.small, way) for way in WAYS}

    @cached_property
    def coarse(self) -> dict[str, list[tuple[float, ...]]]:
        """Its distances are differences in delta E."""
        return {way: _pixels(image.resize((CELLS, CELLS), Image.Resampling.BOX)) for way, image in self.fine.items()}


def check_apart(
    deck: Deck, specimens: Sequence[Specimen], say: Callable[[str], None] = lambda _: None
) -> Iterator[Finding]:
    """Pairs of faces that look alike in one way of seeing: fronts, and each front and its own back.

    `say` is told how many pairs are done.
    """
    fronts = [Glance(specimen) for specimen in specimens if specimen.side == "front"]
    backs = {specimen.component.id: Glance(specimen) for specimen in specimens if specimen.side == "back"}
    own = [(front, backs[id_]) for front in fronts if (id_ := front.specimen.component.id) in backs]
    total = len(own) + math.comb(len(fronts), 2)
    told = 0
    for number, (one, other) in enumerate(chain(own, combinations(fronts, 2)), 1):
        if number % TOLD_EVERY == 0:
            say(f"pair {number} of {total}")
        if _differ_in_hand(one, other) or (number > len(own) and not _must_differ(deck, one, other)):
            continue
        found, way = least_difference(one, other)
        if found >= LEAST:
            continue
        told += 1
        names = f"{one.specimen.name} and {other.specimen.name}"
        if told > MOST_TOLD:
            message = f"more than {MOST_TOLD} pairs of the deck look alike, the rest was not compared"
            remedy = "name the columns that players tell apart in `apart` of the deck"
            yield Finding("apart", names, other.specimen.row, message, remedy, one.specimen.template, deck.id)
            return
        message = f"they differ by delta E {found:.1f} {way}"
        remedy = f"at least {LEAST:g}: another shape, or another lightness"
        yield Finding("apart", names, other.specimen.row, message, remedy, one.specimen.template, deck.id)


def _must_differ(deck: Deck, one: Glance, other: Glance) -> bool:
    """Whether a deck asks for two fronts to be told apart: by the columns it names, else in any case."""
    if deck.apart is None:
        return True
    names = [column.replace("-", "_") for column in deck.apart]
    here, there = one.specimen.component, other.specimen.component
    return any(getattr(here, name) != getattr(there, name) for name in names)


def _differ_in_hand(one: Glance, other: Glance) -> bool:
    """Whether two pieces are of different shape or clearly different size."""
    here, there = one.specimen.face.stock, other.specimen.face.stock
    sizes = ((here.width, there.width), (here.height, there.height))
    return here.shape != there.shape or any(max(pair) / min(pair) > SIZES_DIFFER for pair in sizes)


def least_difference(one: Glance, other: Glance) -> tuple[float, str]:
    """The smallest difference of two faces in delta E, and the way of seeing it. Beyond `LEAST` it may be cut short."""
    return min((_difference(one, other, way), way) for way in WAYS)


def _difference(one: Glance, other: Glance, way: str) -> float:
    for here, there in zip(one.coarse[way], other.coarse[way], strict=True):
        # The mean of a cell hides part of its differences, never adds any; one cell is the whole share that counts.
        if (found := math.dist(here, there)) > LEAST:
            return found
    mine, yours = one.fine[way], other.fine[way]
    return most_different(mine, yours if yours.size == mine.size else yours.resize(mine.size), SHARE)


def _pixels(image: Image.Image) -> list[tuple[float, ...]]:
    data = image.tobytes()
    return [(data[index] / 2.55, data[index + 1], data[index + 2]) for index in range(0, len(data), 3)]
