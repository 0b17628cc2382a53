"""The battery notices: an honest toy game passes, and each saboteur is caught by the check that is about it alone."""

from __future__ import annotations

import pytest
from toy_game import FACTS, SABOTEURS, Toy

from grimalkin.testing import checks as battery

pytestmark = pytest.mark.slow("plays dozens of games for each promise")


def failing(game, seats=3):
    """The names of the checks that a game fails."""
    found = []
    for check in battery.CHECKS:
        try:
            check(battery.Setting(f"toy_game:{game.__name__}", FACTS, seats, seed=1))
        except Exception:  # a broken game may also raise something of its own
            found.append(check.__name__)
    return found


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("check", battery.CHECKS, ids=lambda check: check.__name__)
def test_an_honest_game_with_secrets_and_chance_passes(check, seats):
    """The toy game keeps every promise."""
    for seed in (1, 2, 3):
        check(battery.Setting("toy_game:Toy", FACTS, seats, seed))


@pytest.mark.parametrize("saboteur", SABOTEURS, ids=lambda saboteur: saboteur.__name__)
def test_a_saboteur_is_caught_by_its_check_alone(saboteur):
    """Exactly the check that is about the broken promise fails."""

    assert [saboteur.caught_by] == failing(saboteur)


def test_every_check_has_caught_somebody():
    """No check is there that has never been seen to fail."""

    assert {check.__name__ for check in battery.CHECKS} == {saboteur.caught_by for saboteur in SABOTEURS}


def test_the_toy_without_sabotage_fails_nothing():
    """What lists the failures finds none in the honest game."""
    expected = []

    assert expected == failing(Toy)
