"""The odds of Wolf-Man's Curse: by hand, by looking at every case, and by drawing many."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import pytest

from grimalkin.engine.chance import Chance, Seeded, every_outcome
from grimalkin.engine.odds import Chart, Point
from grimalkin.games.wolf_mans_curse.facts import SUITS, Box, box_of
from grimalkin.games.wolf_mans_curse.odds import CHARTS
from grimalkin.games.wolf_mans_curse.scoring import captor
from grimalkin.play.simulation.report import wilson

PLAIN, OWN, OTHER, NONE = range(4)
"""The series of a panel."""


@pytest.fixture(scope="module")
def box(facts_of: Callable[[str], dict[str, Any]]) -> Box:
    return box_of(facts_of("wolf-mans-curse"))


@pytest.fixture(scope="module")
def chart(facts_of: Callable[[str], dict[str, Any]]) -> Chart:
    return CHARTS["captures"](facts_of("wolf-mans-curse"))


def share(chart: Chart, players: int, kind: int, card: str) -> float:
    """How likely a card, as in "10 clubs", is to capture."""
    value, suit = card.split()
    point = chart.panels[players - 3].series[kind].parts[suit][int(value) - 1]
    assert isinstance(point, Point)
    return point.share


BY_HAND = {
    # Nothing is doubled: the ten of clubs beats all, the ten of spades all but one, the ace of diamonds none.
    (3, NONE, "10 clubs"): Fraction(1),
    (3, NONE, "10 spades"): Fraction(38, 39) * Fraction(37, 38),
    (8, NONE, "10 spades"): Fraction(32, 39),  # it captures unless the ten of clubs is among seven of 39
    (3, NONE, "1 diamonds"): Fraction(0),
    # The five of clubs, doubled, is a 10 of clubs: only the other clubs from 6 up beat it, 34 cards do not.
    (3, OWN, "5 clubs"): Fraction(comb(34, 2), comb(39, 2)),
    (8, OWN, "5 clubs"): Fraction(comb(34, 7), comb(39, 7)),
    # The five of hearts, doubled, is a 10 of hearts: the tens of clubs and spades beat it, too.
    (4, OWN, "5 hearts"): Fraction(comb(32, 3), comb(39, 3)),
    # Whichever other suit is doubled, its 5 is a 10 as well, but of a lower suit: 6 to 10 of it beat the ten of clubs.
    (3, OTHER, "10 clubs"): Fraction(comb(34, 2), comb(39, 2)),
    # The ten of diamonds is beaten by 5 to 10 of the doubled suit, and by the two tens that are left: 8 cards.
    (3, OTHER, "10 diamonds"): Fraction(comb(31, 2), comb(39, 2)),
    # On a plain night the ten of clubs meets a joker in 2 of 11 cases, a doubled suit in 9.
    (3, PLAIN, "10 clubs"): (2 + 9 * Fraction(comb(34, 2), comb(39, 2))) / 11,
}


@pytest.mark.parametrize(("players", "kind", "card"), BY_HAND)
def test_odds_worked_out_by_hand(players: int, kind: int, card: str, chart: Chart) -> None:
    assert share(chart, players, kind, card) == pytest.approx(float(BY_HAND[players, kind, card]), abs=1e-12)


@pytest.mark.parametrize("players", range(3, 9))
def test_somebody_captures_every_night(players: int, chart: Chart) -> None:
    """Of n cards laid one captures: over all 40 cards the shares of a night add up to 40 / n.

    A night that doubles a suit has ten cards of that suit, and thirty of others. All four suits together have forty
    that are doubled, and each card three times where it is not.
    """
    nothing, own, other = (
        sum(point.share for mark in range(10) for point in chart.panels[players - 3].series[kind].at(mark))
        for kind in (NONE, OWN, OTHER)
    )

    assert nothing == pytest.approx(40 / players)
    assert own + 3 * other == pytest.approx(4 * 40 / players)


@pytest.mark.parametrize("card", ["7 hearts", "10 diamonds", "5 spades"])
def test_counting_sets_is_looking_at_every_night_of_three(card: str, chart: Chart, box: Box) -> None:
    """Every face card, every card of the second player and every one of the third: 14 × 39 × 38 nights."""
    value, suit = int(card.split()[0]), SUITS.index(card.split()[1])
    mine = next(one for one in range(40) if (box.cards.values[one], box.cards.suits[one]) == (value, suit))

    def night(chance: Chance) -> tuple[bool, bool]:
        doubled = box.cards.suits[chance.pick("moon", box.faces)]
        laid = [mine, -1, -1]
        for seat in (1, 2):
            laid[seat] = chance.pick("card", [other for other in range(40) if other not in laid])
        return doubled == suit, captor(laid, box.strengths[doubled]) == 0

    found = {(own, won): 0 for own in (False, True) for won in (False, True)}
    for weight, outcome in every_outcome(night):
        assert weight == Fraction(1, 14 * 39 * 38)
        found[outcome] += 1

    assert found[False, False] + found[False, True] == 11 * 39 * 38
    assert share(chart, 3, PLAIN, card) == pytest.approx(found[False, True] / (11 * 39 * 38), abs=1e-12)
    assert share(chart, 3, OWN, card) == pytest.approx(found[True, True] / (3 * 39 * 38), abs=1e-12)


@pytest.mark.parametrize(("kind", "card"), [(PLAIN, "10 hearts"), (OWN, "8 diamonds")])
def test_odds_agree_with_many_nights_of_eight(kind: int, card: str, chart: Chart, box: Box) -> None:
    """Of 20000 nights that a seed has drawn, the share lies in the interval, made a little wider: 95 % would miss 1 in
    20."""
    value, suit = int(card.split()[0]), SUITS.index(card.split()[1])
    mine = next(one for one in range(40) if (box.cards.values[one], box.cards.suits[one]) == (value, suit))
    chance = Seeded(f"odds {card}")
    moons = [face for face in box.faces if (box.cards.suits[face] == suit) == (kind == OWN)]
    captured = 0
    for _ in range(20_000):
        pool = [other for other in range(40) if other != mine]
        laid = [mine]
        for _ in range(7):
            laid.append(chance.pick("card", pool))
            pool.remove(laid[-1])
        captured += captor(laid, box.strengths[box.cards.suits[chance.pick("moon", moons)]]) == 0
    low, high = wilson(captured / 20_000, 20_000)
    margin = (high - low) / 2

    assert low - margin <= share(chart, 8, kind, card) <= high + margin


def test_odds_fall_with_the_players(chart: Chart) -> None:
    """Whatever card, the more are laid against it, the less it captures; a certain capture stays one."""
    for mark in range(10):
        for suit in SUITS:
            shares = [share(chart, players, PLAIN, f"{mark + 1} {suit}") for players in range(3, 9)]

            assert shares == sorted(shares, reverse=True)


def test_what_the_chart_teaches(chart: Chart) -> None:
    """Of three the eight of clubs is the first card with an even chance; of eight not even a ten has one."""
    assert share(chart, 3, PLAIN, "8 clubs") >= 0.5 > share(chart, 3, PLAIN, "8 spades")
    assert share(chart, 8, PLAIN, "10 clubs") < 0.5


def test_the_axis_has_every_value(chart: Chart) -> None:
    assert chart.marks == tuple(map(str, range(1, 11)))
    assert [panel.title for panel in chart.panels] == [f"{players} players" for players in range(3, 9)]
    assert [series.drawn for series in chart.panels[0].series] == [True, True, False, False]
