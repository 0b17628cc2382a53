"""The parties of bots: they know what the table shows, get on, fight where it helps, and choose as they are told to."""

from __future__ import annotations

from typing import Any

import pytest
from games_for_tests import facts_of

from grimalkin.engine.chance import Seeded
from grimalkin.engine.words import OVER
from grimalkin.games import cats_of_new_orleans as cats
from grimalkin.games.cats_of_new_orleans.box import box_of
from grimalkin.games.cats_of_new_orleans.players.bots import CRUEL, KIND, Sensible
from grimalkin.games.cats_of_new_orleans.players.judgement import Judged, promise
from grimalkin.games.cats_of_new_orleans.state import State

FACTS: Any = facts_of("cats-of-new-orleans")


def played(scenario: str, seed: int, party: int = 4, bot: str = "sensible", **options: Any) -> State:
    """A finished scenario."""
    seats = ["Ada", "Basil", "Cleo", "Dora"][:party]
    state = cats.start(FACTS, seats, {"scenario": scenario, "party": party, **options}, Seeded(f"bots {seed}"))
    bots = [cats.BOTS[bot](seed * 8 + seat) for seat in range(party)]
    while (seat := state.to_act()) != OVER:
        state.apply(bots[seat](state.view(seat), state.legal()))
    return state


@pytest.mark.slow("bots play whole scenarios")
@pytest.mark.parametrize("party", [2, 4])
def test_a_sensible_party_comes_out_of_the_bon_temps_nearly_always(party: int) -> None:
    won = sum(played("bad-times", seed, party).won for seed in range(20))
    assert won >= 18


def test_anybody_at_all_does_not() -> None:
    assert sum(played("bad-times", seed, bot="random").won for seed in range(10)) <= 1


def test_a_party_is_drawn_by_chance_beside_those_who_are_named() -> None:
    options = {"scenario": "bad-times", "heroes": ["odile"], "party": 4}
    parties = set()
    for seed in range(12):
        state = cats.start(FACTS, ["Ada"], options, Seeded(str(seed)))
        names = [hero.name for hero in state.heroes]
        assert names[0] == "odile" and len(set(names)) == 4
        parties.add(frozenset(names))
    assert len(parties) > 6


def test_loot_that_is_left_out_lies_in_the_discard() -> None:
    state = cats.start(FACTS, ["Ada"], {"scenario": "streets", "without": ["tripwire", "beignets"]}, Seeded("1"))
    gone = [state.box.ids[card] for card in state.loot_gone]
    assert gone == ["beignets"]  # the other is of a level that does not play
    assert state.box.numbers["beignets"] not in state.loot_deck


def test_two_tables_that_look_alike_are_played_alike() -> None:
    """Whatever lies face down: the markers are dealt anew, and the choice stays the same."""
    state = cats.start(FACTS, ["Ada", "Basil"], {"scenario": "streets", "party": 2}, Seeded("same"))
    bots = [Sensible(seat) for seat in range(2)]
    differed = 0
    for number in range(60):
        if (seat := state.to_act()) == OVER:
            break
        other = state.imagine(seat, Seeded(f"other {number}"))
        differed += other.key() != state.key()
        assert other.view(seat) == state.view(seat)
        state.apply(bots[seat](state.view(seat), state.legal()))
    assert differed > 10


def loaded(**position: Any) -> State:
    """Patch and Minou in Rampart Street, and whoever is named."""
    told = {
        "options": {"scenario": "streets"},
        "seats": {"Ada": {}},
        "heroes": {"minou": {"at": "b7", "weapons": ["slingshot"]}, "patch": {"at": "c7", "weapons": ["pepperbox"]}},
        "phase": "heroes",
    }
    return cats.load(FACTS, {**told, **position})


def first_move(state: State, **how: Any) -> tuple[str, ...]:
    return Sensible(1, **how)(state.view(state.to_act()), state.legal())


def test_who_can_shoot_a_vermin_that_holds_a_friend_acts_first_and_shoots() -> None:
    state = loaded(vermin={"pistoleer-1": {"at": "d7"}})
    assert first_move(state) == ("act", "patch")
    state.apply(("act", "patch"))
    move = first_move(state)
    assert move[0] == "attack" and move[2] == "pistoleer-1"


def test_with_nobody_in_sight_everybody_gets_on() -> None:
    state = loaded(vermin={"unknown-1": {"at": "q2", "is": "marker-pistoleers"}})
    state.apply(("act", "patch"))
    assert first_move(state) in {("stride",), ("pounce",)}


def test_a_stunned_hero_gets_up() -> None:
    state = loaded(
        heroes={"minou": {"at": "b7"}, "patch": {"at": "c7", "stunned": True}},
        vermin={"unknown-1": {"at": "q2", "is": "marker-pistoleers"}},
    )
    state.apply(("act", "patch"))
    assert first_move(state) == ("unstun",)


@pytest.mark.parametrize(("ties", "hurt"), [(KIND, "patch"), (CRUEL, "minou")])
def test_kind_players_let_the_stronger_be_attacked(ties: int, hurt: str) -> None:
    state = loaded(
        heroes={"minou": {"at": "d6", "lives": 2}, "patch": {"at": "d8", "lives": 9}},
        vermin={"bayou-bitter-1": {"at": "d7"}},
        phase="vermin",
    )
    state.apply(("vermin", "bayou-bitter-1"))
    assert sorted(state.legal()) == [("choose", "minou"), ("choose", "patch")]
    assert first_move(state, ties=ties) == ("choose", hurt)


def test_what_an_attack_promises() -> None:
    """The Pepperbox stuns from 5, wounds from 10, and draws two cards. Of the 50 in the deck, ones miss: the 4 Aces and
    the black Joker. From 5 on are 4 each of 5 to 10, Jack and Queen, and the red Joker: 33. From 10 on: 13."""
    box = box_of(FACTS)
    promised = promise(box, box.arm(box.numbers["pepperbox"]), 0)
    assert promised.stun == pytest.approx(1 - (17 / 50) ** 2)
    assert promised.wounds == pytest.approx(2 * 13 / 50)
    assert promised.kills[0] == pytest.approx(1 - (37 / 50) ** 2)
    assert promised.kills[1] == pytest.approx((13 / 50) ** 2)


def test_a_door_on_the_way_costs_what_opening_it_costs() -> None:
    """From i3 to i4 there is the closed door h3s beside a wall: out through h3, which is 1 MP, the door an AP or 3 MP,
    1 more to h4, and 1 to i4."""
    state = loaded()
    judged = Judged(state.view(0))
    numbers = state.plan.board.numbers
    assert judged.far_from(1 << numbers["i4"])[numbers["i3"]] == 6
