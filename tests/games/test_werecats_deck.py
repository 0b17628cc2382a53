"""The fifty villagers and four starting cats that come with Grimalkin: what the rules ask of any such deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from grimalkin.games import werecats


@pytest.fixture(scope="module")
def cards(facts_of: Callable[[str], dict[str, Any]]) -> dict[str, dict[str, Any]]:
    components = facts_of("werecats")["components"]
    return {id_: card for id_, card in components.items() if card["deck"] in ("villagers", "werecats")}


@pytest.fixture(scope="module")
def villagers(cards: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [card for card in cards.values() if card["deck"] == "villagers"]


def test_each_jewel_has_ten_villagers_of_one_family(villagers: list[dict[str, Any]]) -> None:
    """Five colours of ten (WC-CARD-4), and a family each."""
    families = Counter((card["jewel"], card["family"]) for card in villagers)

    assert [10] * 5 == list(families.values())
    assert 5 == len({jewel for jewel, _ in families})


def test_every_food_power_is_there(villagers: list[dict[str, Any]]) -> None:
    """Six powers (WC-PWR-1), and villagers without one."""
    assert {None, *werecats.facts.POWERS} == {card["power"] for card in villagers}


def test_force_never_exceeds_three(villagers: list[dict[str, Any]]) -> None:
    """All four numbers occur (WC-AMB-4); the villager of the printed example, Force 2 and Will 1, is there."""
    forces = Counter(card["force"] for card in villagers)

    assert {0, 1, 2, 3} == set(forces)
    assert any((card["force"], card["will"]) == (2, 1) for card in villagers)


def test_a_turn_order_is_there_twice_at_most_and_once_in_red(cards: dict[str, dict[str, Any]]) -> None:
    """So no two cats are equal (WC-AMB-18); a starting cat has a gold border, hence no red one."""
    borders: dict[int, list[bool]] = {}
    for card in cards.values():
        borders.setdefault(card["turn-order"], []).append(bool(card.get("red-border")))

    assert all(sorted(pair) in ([False], [False, True]) for pair in borders.values())
    assert any(len(pair) == 2 for pair in borders.values())


def test_starting_cats_hold_their_first_food(cards: dict[str, dict[str, Any]]) -> None:
    """Four of them with Vigor 2 or more (WC-AMB-20), and one of Force 2, as in the printed example."""
    starting = [card for card in cards.values() if card["deck"] == "werecats"]

    assert 4 == len(starting)
    assert all(card["vigor"] >= 2 for card in starting)
    assert any(card["force"] == 2 for card in starting)


def test_names_are_told_apart(cards: dict[str, dict[str, Any]]) -> None:
    """No two cards share a name, and each id is the occupation printed on its card."""
    assert len(cards) == len({card["name"] for card in cards.values()})
    for id_, card in cards.items():
        if card["deck"] == "villagers":
            assert card["occupation"].lower() == id_
