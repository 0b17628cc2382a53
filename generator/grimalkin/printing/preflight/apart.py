"""Check a complete deck: faces that players must tell apart look different, however the players see colours.

Two faces are compared as small, slightly blurred pictures, as seen at a glance. Only the hundredth of the face where
they differ most counts: 7 × 7 mm of a poker card, about one symbol. Its mean colour difference
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
from grimalkin.printing.preflight.faces import Specimen
from grimalkin.printing.preflight.findings import Finding
from grimalkin.printing.preflight.sight import WAYS, most_different, seen

CELLS = 10
"""The coarse picture has CELLS × CELLS cells, each as large as the fraction of the face that counts."""
SHARE = 1 / CELLS**2
LEAST = 10.0
"""The minimum CIE delta E where faces differ most. 2.3 is just noticeable side by side; 10 and more at a glance.

Measured: a 20 mm disc in equally dark red and green, 3.6; in blood and leaf, 13; an 8 mm disc and triangle in the same
red, 20; 12 pt titles, 6; 16 pt numerals, 2 to 4; 36 pt numerals, 13; the two most similar of our coins, 32.
"""
MOST_TOLD = 20
"""The maximum number of pairs reported for one deck; a deck whose cards differ only in text would fill pages."""
TOLD_EVERY = 1000
"""The number of pairs between progress reports, of which there are a few each second."""
SIZES_DIFFER = 1.15
"""Pieces can be told apart by touch if one is this many times larger, or has a different shape."""


@dataclass(frozen=True)
class Glance:
    """A face as seen at a glance, in every kind of colour vision: a small picture and a coarse one."""

    specimen: Specimen

    @cached_property
    def fine(self) -> dict[str, Image.Image]:
        return {way: seen(self.specimen.look.small, way) for way in WAYS}

    @cached_property
    def coarse(self) -> dict[str, list[tuple[float, ...]]]:
        """Coarse pictures, in which the distance between two pixels is their delta E."""
        return {way: _pixels(image.resize((CELLS, CELLS), Image.Resampling.BOX)) for way, image in self.fine.items()}


def check_apart(
    deck: Deck, specimens: Sequence[Specimen], say: Callable[[str], None] = lambda _: None
) -> Iterator[Finding]:
    """Yield pairs of faces that look alike in one kind of colour vision: two fronts, or a front and its own back.

    `say` reports the number of pairs done.
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
            message = f"more than {MOST_TOLD} pairs of the deck look alike; the others were not compared"
            remedy = "in `apart` of the deck, name the columns by which players tell cards apart"
            yield Finding("apart", names, other.specimen.row, message, remedy, one.specimen.template, deck.id)
            return
        message = f"they differ by delta E {found:.1f} {way}"
        remedy = f"at least {LEAST:g}: use another shape or another lightness"
        yield Finding("apart", names, other.specimen.row, message, remedy, one.specimen.template, deck.id)


def _must_differ(deck: Deck, one: Glance, other: Glance) -> bool:
    """Return whether two fronts must be told apart: always, or if they differ in the columns that the deck names."""
    if deck.apart is None:
        return True
    names = [column.replace("-", "_") for column in deck.apart]
    here, there = one.specimen.component, other.specimen.component
    return any(getattr(here, name) != getattr(there, name) for name in names)


def _differ_in_hand(one: Glance, other: Glance) -> bool:
    """Return whether two pieces have different shapes or clearly different sizes."""
    here, there = one.specimen.face.stock, other.specimen.face.stock
    sizes = ((here.width, there.width), (here.height, there.height))
    return here.shape != there.shape or any(max(pair) / min(pair) > SIZES_DIFFER for pair in sizes)


def least_difference(one: Glance, other: Glance) -> tuple[float, str]:
    """Return the smallest difference of two faces in delta E, with its kind of vision; above `LEAST`, approximately."""
    return min((_difference(one, other, way), way) for way in WAYS)


def _difference(one: Glance, other: Glance, way: str) -> float:
    for here, there in zip(one.coarse[way], other.coarse[way], strict=True):
        # The mean of a cell hides some of its differences and never adds any; one cell is the whole share that counts.
        if (found := math.dist(here, there)) > LEAST:
            return found
    mine, yours = one.fine[way], other.fine[way]
    return most_different(mine, yours if yours.size == mine.size else yours.resize(mine.size), SHARE)


def _pixels(image: Image.Image) -> list[tuple[float, ...]]:
    data = image.tobytes()
    return [(data[index] / 2.55, data[index + 1], data[index + 2]) for index in range(0, len(data), 3)]
