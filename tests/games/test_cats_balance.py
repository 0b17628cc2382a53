"""The recorded simulations of the cats: what a good evening asks of them."""

from __future__ import annotations

import json
from functools import cache

import pytest

from grimalkin.play.simulation import Report
from grimalkin.source import find_game_folder

FOUGHT = ("streets", "hijacked")
PARTIES = ("two", "four")


@cache
def report(name: str) -> Report:
    path = find_game_folder("cats-of-new-orleans") / "simulations" / f"{name}.json"
    return Report.from_record(json.loads(path.read_text("utf-8")))


def rates(name: str) -> dict[str, float]:
    """How often parties win, by difficulty."""
    wins = next(one for one in report(name).differences() if one.title == "Win rate")
    return {wins.first: wins.base, **{row.label: wins.base + row.rate for row in wins.rows}}


@pytest.mark.parametrize("party", PARTIES)
def test_the_first_scenario_is_won_nearly_always(party: str) -> None:
    assert min(rates(f"bad-times-{party}").values()) > 0.95


@pytest.mark.parametrize("scenario", FOUGHT)
@pytest.mark.parametrize("party", PARTIES)
def test_the_others_are_won_and_lost_on_every_difficulty(scenario: str, party: str) -> None:
    found = rates(f"{scenario}-{party}")
    assert 0.35 <= found["hard"] <= found["normal"] <= found["easy"] <= 0.85


@pytest.mark.parametrize("scenario", FOUGHT)
@pytest.mark.parametrize("party", PARTIES)
def test_no_hero_is_left_at_home_or_always_taken(scenario: str, party: str) -> None:
    """The win rate of parties with a hero, by that of all parties on the same deals."""
    found = report(f"{scenario}-{party}")
    every = next(row.rate for group in found.groups() if group.title == "Win rate by seat" for row in group.rows)
    by_hero = next(group for group in found.groups() if group.title == "Win rate by hero")
    assert len(by_hero.rows) == 9
    assert all(0.6 <= row.rate / every <= 1.6 for row in by_hero.rows)


@pytest.mark.parametrize("scenario", FOUGHT)
def test_choices_among_what_is_equal_decide_no_scenario(scenario: str) -> None:
    won = {}
    for name in ("four", "by-chance", "cruel"):
        ends = report(f"{scenario}-{name}").ends()
        won[name] = next(row.rate for group in ends for row in group.rows if row.label == "won")
    assert max(won.values()) - min(won.values()) < 0.1
