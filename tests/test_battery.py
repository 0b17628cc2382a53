"""Every game with an engine keeps every promise of the battery, for every number of seats."""

from __future__ import annotations

import pytest
from soak import seeds

from grimalkin.games import find_game
from grimalkin.source import bundled_games
from grimalkin.testing import checks as battery

pytestmark = pytest.mark.slow("plays every game with every number of seats")

GAMES = {name: game for name in bundled_games() if (game := find_game(name))}
TABLES = [(name, seats) for name, game in GAMES.items() for seats in range(game.SEATS[0], game.SEATS[1] + 1)]


@pytest.mark.soak
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_game_keeps_every_promise(name, seats, facts_of):
    """Every promise holds in random games."""
    where = f"grimalkin.games.{name.replace('-', '_')}"
    broken = {}
    for check in battery.CHECKS:
        for seed in seeds(1)[:1] if check in battery.ONCE else seeds(1):
            try:
                check(battery.Setting(where, facts_of(name), seats, seed))
            except AssertionError as error:
                broken[check.__name__] = f"seed {seed}: {error}"

    assert broken == {}


def test_there_is_a_game_to_check():
    """At least one content folder has a module that plays it."""

    assert GAMES
