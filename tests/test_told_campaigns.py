"""Campaigns that content tells: every answer is made again, and nothing that is told of them is believed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from games_for_tests import bundled_game

from grimalkin.content import Game
from grimalkin.parts.campaign.content import campaigns_of
from grimalkin.parts.campaign.episodes import Followed, ToldCampaign
from grimalkin.parts.campaign.pages import has_campaigns
from grimalkin.parts.campaign.story import follow_told

pytestmark = pytest.mark.slow("follows whole campaigns")

CATS = "cats-of-new-orleans"


@pytest.fixture(scope="module")
def game() -> Game:
    return bundled_game(CATS)


def again(game: Game, change: Callable[[dict[str, Any]], object] = lambda told: None) -> Followed:
    """What comes of the told campaign of the cats, with a change to what is told."""
    assert game.module is not None
    record = campaigns_of(game).told[0].model_dump(exclude_defaults=True)
    record["episodes"] = [dict(episode) for episode in record["episodes"]]
    change(record)
    return follow_told(game.module, game.facts, ToldCampaign.model_validate(record))


def test_a_campaign_of_three_scenarios_loses_one_and_comes_back(game: Game) -> None:
    followed = again(game)
    came = [(one.episode.play or one.episode.safehaven or one.episode.restore, one.won) for one in followed.came]

    assert followed.ok
    assert came == [
        ("bad-times", True),
        ("streets", True),
        ("The loft over the bakery", None),
        ("after-streets", True),
        ("hijacked", False),
        ("Under the wharf", None),
        ("The loft over the bakery", None),
        ("after-streets", True),
        ("hijacked", True),
        ("after-hijacked", True),
    ]


def test_a_lost_scenario_changes_nothing_and_a_safehaven_brings_everything_back(game: Game) -> None:
    came = again(game).came
    made, lost, back = came[2], came[4], came[6]

    assert lost.kept == lost.before
    assert back.kept == made.kept
    assert back.before["log"] == [8, 14]  # they had boarded by the front
    assert back.kept["log"] == [14]


def test_what_the_party_has_at_last_is_what_the_rules_give(game: Game) -> None:
    """Worked out by hand: 5 bucks for a drink, 25 won on the coin, 5 staked and 25 won, 14 for the gun, 20 for a
    lesson; there were 18 on a card, and 2 for each at breakfast."""
    kept = again(game).came[-1].kept
    odile, patch = kept["heroes"]["odile"], kept["heroes"]["patch"]

    assert odile.get("bucks", 0) + patch.get("bucks", 0) == 18 + 2 + 2 - 5 + 25 - 5 + 25 - 14 - 20
    assert (odile["lives"], patch["lives"]) == (5 + 1 + 1, 9)
    assert "blunderbuss" in odile["weapons"]
    assert set(patch["skills"]) == {"one-for-the-road", "steady-now"}
    assert kept["events"] == ["kitten-with-chalk"]


def episode(told: dict[str, Any], number: int) -> dict[str, Any]:
    found: dict[str, Any] = told["episodes"][number]
    return found


def shortened(told: dict[str, Any]) -> None:
    record = episode(told, 1)["record"][:-1]
    while "draw" in record[-1]:
        record = record[:-1]
    episode(told, 1)["record"] = record


def other_draw(told: dict[str, Any]) -> None:
    record = [dict(step) for step in episode(told, 9)["record"]]
    index = next(index for index, step in enumerate(record) if step.get("draw") == {"coin": "heads"})
    record[index] = {"draw": {"coin": "edge"}}
    episode(told, 9)["record"] = record


def other_seat(told: dict[str, Any]) -> None:
    record = [dict(step) for step in episode(told, 9)["record"]]
    index = next(index for index, step in enumerate(record) if "Ada" in step)
    record[index] = {"Basil": record[index]["Ada"]}
    episode(told, 9)["record"] = record


def first_step(step: Any) -> Callable[[dict[str, Any]], object]:
    return lambda told: episode(told, 0).update(record=(step, *episode(told, 0)["record"][1:]))


@pytest.mark.parametrize(
    ("change", "at", "message"),
    [
        (lambda told: told.update(options={"heroes": ["odile", "odlie"]}), ("options", "heroes", 1), "odlie"),
        (lambda told: episode(told, 0).update(play="hijacked"), ("episodes", 0, "play"), "cannot be played now"),
        (lambda told: episode(told, 2).update(kept={}), None, "heroes"),
        (
            lambda told: episode(told, 2)["kept"]["heroes"]["odile"].update(lives=9),
            ("episodes", 2, "kept"),
            "the party has something else here",
        ),
        (lambda told: episode(told, 5).pop("refused"), ("episodes", 5, "safehaven"), "NO-SAFE-1 refuses it here"),
        (
            lambda told: (episode(told, 2).pop("kept"), episode(told, 2).update(refused="NO-SAFE-1")),
            ("episodes", 2, "safehaven"),
            "does not refuse it here",
        ),
        (lambda told: episode(told, 6).update(restore="The laft"), ("episodes", 6, "restore"), "no Safehaven"),
        (
            lambda told: episode(told, 0).update(rules=("NO-PWR-4",)),
            ("episodes", 0, "rules", 0),
            "nothing in this episode",
        ),
        (
            lambda told: episode(told, 4).update(rules=("NO-SCN-3",)),
            ("episodes", 4, "rules", 0),
            "nothing in this episode",
        ),
        (shortened, ("episodes", 1, "record"), "not over when its record ends"),
        (other_draw, None, "edge"),
        (other_seat, None, "out of turn"),
        (first_step({"draw": "5"}), ("episodes", 0, "record", 0), "a draw must name one label"),
        (first_step({"draw": {"poker": [{"a": "b"}]}}), ("episodes", 0, "record", 0), "a draw must name one label"),
        (
            first_step({"Ada": "to b1", "Basil": "to b2"}),
            ("episodes", 0, "record", 0),
            "a step must have exactly one key",
        ),
        (first_step({}), ("episodes", 0, "record", 0), "a step must have exactly one key"),
        (first_step({"Ada": ["to b1"]}), ("episodes", 0, "record", 0), "must be text"),
        (first_step({"check": {"won": "yes"}}), ("episodes", 0, "record", 0), "facts are not checked"),
        (lambda told: told.update(seats=("say", "Basil")), ("seats", 0), "a seat cannot be called"),
    ],
)
def test_whatever_is_told_wrong_is_found(
    game: Game, change: Callable[[dict[str, Any]], object], at: tuple[str | int, ...] | None, message: str
) -> None:
    (misfit, *_) = again(game, change).misfits

    assert message in str(misfit)
    assert at in (None, misfit.at)


def test_an_episode_is_one_thing(game: Game) -> None:
    with pytest.raises(ValueError, match="an episode must have exactly one of these keys"):
        again(game, lambda told: episode(told, 0).update(restore="The loft"))
    with pytest.raises(ValueError, match=r"only a chapter \(`play`\) has a `record`"):
        again(game, lambda told: episode(told, 6).update(kept={"heroes": {}}))


def test_games_without_campaigns_say_so() -> None:
    kittens, cats = bundled_game("were-kittens"), bundled_game(CATS)
    assert kittens.module is not None
    followed = follow_told(kittens.module, kittens.facts, campaigns_of(cats).told[0])

    assert not has_campaigns(kittens)
    assert "no campaigns" in str(followed.misfits[0])
