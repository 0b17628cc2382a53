"""Gouges that templates cut: where they run, how wide they are, and what is refused."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grimalkin.printing.face.templating.gouges import MOST_CUTS, chatter, gouges, rays
from grimalkin.printing.face.templating.template_faults import TemplateFault

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
at = st.floats(-200, 200)


def numbers(path: str) -> list[float]:
    return [float(number) for number in NUMBER.findall(path)]


def test_a_gouge_meets_in_points_at_both_ends() -> None:
    """Two curves, here 0.6 mm to either side of the straight way: half of that is cut in the middle of a curve."""
    assert "M0 0Q5 -0.6 10 0Q5 0.6 0 0Z" == gouges([(0, 0, 10, 0)], 0.6)


def test_a_bend_lies_to_the_left_of_the_way() -> None:
    assert "M0 0Q4.5 -1 0 -10Q5.5 -1 0 0Z".count("Q") == gouges([(0, 0, 0, -10, 0.1)], 0.5).count("Q") == 2
    assert [0, 0, -1.5, -5, 0, -10, -0.5, -5, 0, 0] == numbers(gouges([(0, 0, 0, -10, 0.1)], 0.5))


@given(st.lists(st.tuples(at, at, at, at, st.floats(-0.5, 0.5)), max_size=20), st.floats(0.1, 3))
def test_every_gouge_begins_and_ends_where_it_is_told(cuts: list[tuple[float, ...]], width: float) -> None:
    paths = gouges(cuts, width).split("Z")[:-1]

    assert len(cuts) == len(paths)
    for (x1, y1, x2, y2, _), path in zip(cuts, paths, strict=True):
        found = numbers(path)
        assert (found[0], found[1], found[4], found[5]) == pytest.approx((x1, y1, x2, y2), abs=0.006)


def test_rays_run_outwards_all_around() -> None:
    """From the inner circle, none longer than asked for, the first to the right."""
    found = [numbers(path) for path in rays(10, 20, 5, 8, 12).split("Z")[:-1]]

    assert 12 == len(found)
    assert (15, 20, 23, 20) == (found[0][0], found[0][1], found[0][4], found[0][5])
    for ray in found:
        assert 5 == pytest.approx(math.dist((10, 20), ray[:2]), abs=0.02)
        assert math.dist((10, 20), ray[4:6]) <= 13.02


def test_chatter_is_the_same_for_the_same_seed() -> None:
    assert chatter(0, 0, 60, 80, 3) == chatter(0, 0, 60, 80, 3) != chatter(0, 0, 60, 80, 4)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: gouges("M0 0"), "the cuts are not a list"),
        (lambda: gouges([(1, 2, 3)]), "a cut has four or five numbers"),
        (lambda: gouges([(1, 2, 3, "4")]), "each value of a cut must be a number"),
        (lambda: gouges([(1, 2, 3, math.inf)]), "each value of a cut must be a number"),
        (lambda: gouges([(1, 2, 3, 1e308)]), "each value of a cut must be a number"),
        (lambda: chatter(0, 0, 1, 1, 10**300), "each value must be a number"),
        (lambda: gouges([(1, 2, 3, 4)] * (MOST_CUTS + 1)), "401 cuts are too many"),
        (lambda: rays(0, 0, 1, 1, 10_000), "10000 cuts are too many"),
        (lambda: chatter(0, 0, 1, 1, 1, -5), "-5 cuts are too many"),
        (lambda: rays(0, None, 1, 1, 3), "each value must be a number"),
    ],
)
def test_what_is_no_cut_is_told(call, told: str) -> None:
    with pytest.raises(TemplateFault, match=re.escape(told)):
        call()
