"""What a rules lawyer found: heroes who fall in the middle of something, wet areas, gliding, pieces in wrong decks."""

from __future__ import annotations

from typing import Any

import pytest
from games_for_tests import facts_of

from grimalkin.engine.chance import Scripted
from grimalkin.engine.kinds import members
from grimalkin.engine.shape import Misfits
from grimalkin.games import cats_of_new_orleans as cats
from grimalkin.games.cats_of_new_orleans.vermin import glides

FACTS: Any = facts_of("cats-of-new-orleans")


def position(scenario: str, heroes: dict[str, Any], vermin: dict[str, Any], **more: Any) -> dict[str, Any]:
    options = {"options": {"scenario": scenario}, "seats": {"Ada": {}}}
    return {**options, "heroes": heroes, "vermin": vermin, **more}


VERMIN_FIRST = {"phase": "vermin", "first": "vermin"}
"""The vermin turn is the first of the round."""


def test_who_falls_by_a_wound_answers_nothing() -> None:
    """NO-AMB-40: the last Life goes, and Your Turn Was Short has no say any more."""
    heroes = {"bastien": {"at": "c7", "lives": 1, "skills": ["your-turn-was-short"]}, "nera": {"at": "a10"}}
    record = position("streets", heroes, {"stinker-1": {"at": "d7"}}, **VERMIN_FIRST)
    state = cats.load(FACTS, record, Scripted([("poker", "10-of-clubs")]))
    state.apply(("vermin", "stinker-1"))

    assert ("out", 0) == (state.position()["heroes"]["bastien"]["place"], state.heroes[0].lives)
    assert [("act", "nera")] == state.legal()


@pytest.mark.parametrize(
    ("foe", "cards"),
    [("croc", ["black-joker"]), ("roux-poubelle", ["2-of-hearts", "9-of-clubs", "9-of-diamonds"])],
)
def test_who_falls_by_its_own_attack_makes_no_second_one(foe: str, cards: list[str]) -> None:
    """By a Joker, or by what strikes back: One for the Road is not offered."""
    heroes = {"patch": {"at": "c8", "lives": 1, "skills": ["one-for-the-road"]}, "nera": {"at": "a10"}}
    state = cats.load(FACTS, position("streets", heroes, {foe: {"at": "d8"}}), Scripted([("poker", c) for c in cards]))
    for move in cats.read(f"Patch: unarmed at {foe}", state):
        state.apply(move)

    assert "out" == state.position()["heroes"]["patch"]["place"]
    assert [("act", "nera")] == state.legal()


def test_an_area_hits_a_swimmer_on_its_dry_squares() -> None:
    """NO-AMB-87: c9 and d9 are dry, c10 and d10 are not."""
    heroes = {"murray": {"at": "e9", "weapons": ["blunderbuss"]}, "nera": {"at": "w5"}}
    state = cats.load(FACTS, position("hijacked", heroes, {"viceroy": {"at": "c9"}}, active="murray"))
    state.heroes[0].ap = 1

    assert ("attack", "blunderbuss", "c9") in state.legal()


def test_gliding_stops_at_a_wall_inside_a_big_square() -> None:
    """NO-AMB-88: the wall and the closed door to the north of c4 are within her own big square."""
    heroes = {"patch": {"at": "b2"}, "nera": {"at": "a1"}}
    state = cats.load(FACTS, position("streets", heroes, {"sacrebleu": {"at": "c4"}}, **VERMIN_FIRST))
    board = state.box.scenario("streets").board
    beyond = {board.names[square] for square in members(glides(state, state.vermin[0]))}

    assert not beyond & {"c1", "d1", "c2", "d2", "c3", "d3"}
    assert {"a4", "e3", "e4", "c6"} <= beyond


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"options": {"scenario": ""}}, 'options.scenario: there is no scenario ""'),
        ({"top": ["marker-croc"]}, 'top.0: "marker-croc" is not known here'),
        ({"hand": ["pepperbox"]}, 'hand.0: "pepperbox" is not known here'),
        ({"graves": ["patch"]}, 'graves.0: "patch" is not known here'),
        ({"aspects-used": ["pepperbox"]}, 'aspects-used.0: "pepperbox" is not known here'),
        ({"discard": ["a1"] * 3000}, "discard: 3000 is the wrong number of items; 0 to 120"),
    ],
)
def test_pieces_lie_where_they_can(more: dict[str, Any], told: str) -> None:
    """Each deck has its own."""
    record = position("streets", {"patch": {"at": "c8"}, "nera": {"at": "a10"}}, {}) | more
    with pytest.raises(Misfits) as raised:
        cats.load(FACTS, record)

    assert str(raised.value).startswith(told)


def test_whom_a_scenario_waits_for_is_seen_among_others() -> None:
    """NO-SCN-9: the court is read when a hero sees the Rat King, whoever else is in sight."""
    heroes = {"murray": {"at": "v5"}, "patch": {"at": "v4"}}
    vermin = {"pistoleer-1": {"at": "m8"}, "rat-king": {"at": "m5"}}
    state = cats.load(FACTS, position("hijacked", heroes, vermin, active="murray"))
    state.apply(("stride",))
    state.apply(("go", "v6"))
    assert [] == state.read_entries
    state.apply(("go", "v7"))
    assert [13] == state.read_entries
