"""Walking through everything that chance can bring: each way once, with its exact probability."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from grimalkin.engine.chance import Chance, ChanceError, every_outcome


def test_every_way_comes_once_with_its_probability() -> None:
    """Of three cards two are drawn: six ways, each with one chance in six."""

    def two(chance: Chance) -> str:
        cards = ["a", "b", "c"]
        cards.remove(first := chance.pick("first", cards))
        return first + chance.pick("second", cards)

    sixth = Fraction(1, 6)

    assert [(sixth, way) for way in ("ab", "ac", "ba", "bc", "ca", "cb")] == list(every_outcome(two))


def test_a_draw_can_depend_on_the_one_before() -> None:
    """A coin; on heads a die with four sides as well: 1/2 for tails, 1/8 for each number."""

    def coin_and_die(chance: Chance) -> str:
        side = chance.pick("coin", ["tails", "heads"])
        return side if side == "tails" else chance.pick("die", "1234")

    expected = [(Fraction(1, 2), "tails"), *((Fraction(1, 8), number) for number in "1234")]

    assert expected == list(every_outcome(coin_and_die))


def test_without_a_draw_there_is_one_way() -> None:
    assert [(Fraction(1), "as always")] == list(every_outcome(lambda _: "as always"))


def test_the_sum_of_two_dice() -> None:
    """Seven comes in 6 of 36 ways, two in one; all together are certain."""
    found: Counter[int] = Counter()
    weights: dict[int, Fraction] = {}
    sides = range(1, 7)
    for weight, total in every_outcome(lambda chance: chance.pick("die", sides) + chance.pick("die", sides)):
        found[total] += 1
        weights[total] = weights.get(total, Fraction(0)) + weight

    assert found[7] == 6
    assert weights[7] == Fraction(1, 6)
    assert weights[2] == Fraction(1, 36)
    assert sum(weights.values()) == 1


def test_a_copy_cannot_be_walked_through() -> None:
    """Its draws would be on no way; nothing is counted rather than something wrong."""
    with pytest.raises(ChanceError, match="copy"):
        list(every_outcome(lambda chance: chance.clone().pick("coin", "ht")))
