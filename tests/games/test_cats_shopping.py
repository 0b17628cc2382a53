"""How a sensible party shops on the Riverboat: what it wishes for, what it reckons, and that it comes to an end."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, Final

import pytest
from cats_yard import FACTS, PIECES

from grimalkin.engine.chance import Scripted, Seeded
from grimalkin.engine.contract import Facts
from grimalkin.games import cats_of_new_orleans as cats
from grimalkin.games.cats_of_new_orleans.moves import Move
from grimalkin.games.cats_of_new_orleans.players.shopping import best_of, expected
from grimalkin.games.cats_of_new_orleans.state import State

QUIET: Final = "kitten-with-chalk"


def aboard(step: str, heroes: dict[str, Facts], *draws: tuple[str, str], **more: Any) -> State:
    record = {
        "options": {"scenario": "hijacked", "interlude": True},
        "seats": {"Ada": {}},
        "phase": "interlude",
        "step": step,
        "event": QUIET,
        "heroes": heroes,
        **more,
    }
    return cats.load(FACTS, record, Scripted(list(draws)))


def moves_of(state: State, seed: int = 1) -> list[Move]:
    """What a sensible party does until it goes on."""
    bot, made = cats.BOTS["sensible"](seed), []
    while state.to_act() >= 0 and len(made) < 100:
        legal = state.legal()
        move = bot(state.view(0), legal) if len(legal) > 1 else legal[0]
        assert move in legal
        if move == ("onward",):
            return made
        state.apply(move)
        made.append(move)
    raise AssertionError(f"it does not go on: {made[-9:]}")


def deeds(state: State) -> list[Move]:
    """What it does, without whose turn it is."""
    return [move for move in moves_of(state) if move[0] not in ("act", "end")]


def lives(state: State) -> list[int]:
    return [hero.lives for hero in state.heroes]


# The Bar


def test_the_weakest_drinks_first_and_nobody_for_the_last_two_lives() -> None:
    """20 bucks are four drinks: Patch comes from 2 up to 6. With more, both stop at 7."""
    poor = aboard("bar", {"minou": {"lives": 6, "bucks": 20}, "patch": {"lives": 2}})
    rich = aboard("bar", {"minou": {"lives": 6, "bucks": 90}, "patch": {"lives": 2}})

    assert [("heal",)] * 4 == deeds(poor)
    assert [6, 6] == lives(poor)
    assert [("heal",)] * 6 == deeds(rich)
    assert [7, 7] == lives(rich)


# The Gear


def test_the_better_weapons_are_equipped_and_what_is_left_over_is_given_or_sold() -> None:
    """The saber and the pepperbox are better than the hatpin. Murray has two, Patch one, which is too few."""
    mine = {"weapons": ["hatpin", "pepperbox"], "loot": ["cavalry-saber"]}
    full = {"weapons": ["boarding-axe", "harpoon"]}
    given = aboard("bar", {"minou": mine, "patch": {"weapons": ["harpoon"]}})
    sold = aboard("gear", {"minou": mine, "patch": full})
    moves_of(given)

    assert [("stow", "hatpin"), ("equip", "cavalry-saber"), ("sell", "hatpin")] == deeds(sold)
    names = [sorted(given.box.ids[card] for card in (*hero.weapons, *hero.loot)) for hero in given.heroes]
    assert [["cavalry-saber", "pepperbox"], ["harpoon", "hatpin"]] == names


def test_powder_is_given_to_whoever_can_fire_it_and_sold_if_nobody_can() -> None:
    saber = {"weapons": ["cavalry-saber", "boarding-axe"], "loot": ["stash-1"]}
    given = aboard("gear", {"minou": saber, "patch": {"weapons": ["pepperbox", "harpoon"]}})
    sold = aboard("gear", {"minou": saber, "patch": {"weapons": ["sword-cane", "harpoon"]}})

    assert [("transfer", "patch"), ("give", "stash-1"), ("done",)] == deeds(given)
    assert [("sell", "stash-1")] == deeds(sold)


def test_a_weapon_is_bought_by_whoever_has_none() -> None:
    """The cutlass beats a fist by much and a saber by less, so the one with a fist has it."""
    heroes = {"minou": {"weapons": ["cavalry-saber", "boarding-axe"], "bucks": 40}, "odile": {}}
    state = aboard("gear", heroes, offer=["captains-cutlass", "shrimp-net"])

    assert ("buy", "captains-cutlass") in moves_of(state)
    assert ["captains-cutlass"] == [state.box.ids[card] for card in state.heroes[1].weapons]


def test_nothing_is_bought_that_is_worth_less_than_its_price() -> None:
    """Two good weapons for each: a slingshot for 8 would stay at home."""
    good = {"weapons": ["captains-cutlass", "throwing-hatchets"], "bucks": 40}
    other = {"weapons": ["swamp-machete", "duelling-pistols"], "loot": ["stash-1"]}

    assert [] == deeds(aboard("gear", {"minou": good, "patch": other}, offer=["slingshot", "hatpin", "stash-2"]))


def test_a_little_better_is_not_worth_27_bucks() -> None:
    """The pistols are better than the saber and the knives, though not by so much."""
    mine, others = ["cavalry-saber", "boarding-axe"], ["throwing-knives", "harpoon"]
    heroes = {"minou": {"weapons": mine, "bucks": 40}, "patch": {"weapons": others}}

    assert [] == deeds(aboard("gear", heroes, offer=["duelling-pistols"]))


# What gambles are worth, over the 50 cards of a whole deck

AVERAGES: Final = {
    "loose-change": (5 - 5) / 2,
    "tip-jar": (25 * 10 - 25 * 5) / 50,
    "wage-packet": (10 - 5) / 2,
    "three-shells": (17 * 15 - 33 * 5) / 50,
    "river-chips": (8 * 30 - 42 * 5) / 50,
    "poker-pot": 25 / 50 * 25 - 10,
    "lottery-takings": 12 / 50 * 25 - 5,
    "crawfish-race": (25 * 20 - 25 * 15) / 50,
    "pursers-envelope": (25 - 15) / 2,
    "private-table": 25 / 50 * 45 - 20,
    "smugglers-gold": (40 - 25) / 2,
}
"""9 and more: 9, 10, jack and queen of four suits, and the red Joker. 7 and more: 8 others. A face: jack and queen."""


@pytest.mark.parametrize("card", AVERAGES)
def test_a_gamble_is_worth_its_average(card: str) -> None:
    state = aboard("gear", {"minou": {"bucks": 60}, "patch": {}}, offer=[card])
    view = state.view(0)

    assert AVERAGES[card] == pytest.approx(expected(view, view.heroes[0], state.box.numbers[card]))


def test_what_cannot_be_lost_is_not_counted() -> None:
    """With 3 bucks on board a race of crawfish costs 3 at most, and a pot for 10 nothing, for nobody can take it."""
    state = aboard("gear", {"minou": {"bucks": 3}, "patch": {}}, offer=["crawfish-race", "poker-pot"])
    view = state.view(0)

    assert 8.5 == expected(view, view.heroes[0], state.box.numbers["crawfish-race"])
    assert 0 > expected(view, view.heroes[0], state.box.numbers["poker-pot"])


def test_a_gamble_is_counted_over_the_cards_that_are_left() -> None:
    """All red cards but ten are gone: 10 of 35 are red."""
    red = [
        id_ for id_, piece in PIECES.items() if piece.get("colour") == "red" and piece["value"] < 13 and piece["suit"]
    ]
    state = aboard("gear", {"minou": {"bucks": 60}, "patch": {}}, offer=["tip-jar"], discard=red[:15])
    view = state.view(0)

    assert (10 * 10 - 25 * 5) / 35 == pytest.approx(expected(view, view.heroes[0], state.box.numbers["tip-jar"]))
    assert [] == deeds(state)


def test_a_good_gamble_is_taken_and_an_even_one_left() -> None:
    heroes = {"minou": {"bucks": 15}, "patch": {}}
    state = aboard("gear", heroes, ("coin", "tails"), offer=["wage-packet", "loose-change"])

    assert [("gamble", "wage-packet")] == [move for move in moves_of(state) if move[0] == "gamble"]


def test_the_best_of_so_many() -> None:
    """Of 1, 2 and 3 the better of two is 2 once and 3 twice in three times."""
    assert (2 + 3 + 3) / 3 == pytest.approx(best_of([1, 2, 3], 2))
    assert (1 + 2 + 3) / 3 == pytest.approx(best_of([1, 2, 3], 1))
    assert 3 == pytest.approx(best_of([1, 2, 3], 5))
    assert 0 == best_of([], 3)


# The Skills


def test_the_cheapest_lessons_are_for_whoever_has_learned_least() -> None:
    """45 bucks: one each. Minou has three of level 1, and the next costs her 40."""
    both = aboard("skills", {"minou": {"bucks": 45}, "patch": {}})
    full = {"skills": ["roof-paths", "soft-landing", "hard-to-find"], "bucks": 45}
    dear = aboard("skills", {"minou": full, "patch": {"skills": ["steady-now", "practised-paws", "old-campaigner"]}})
    moves_of(both)
    learned = deeds(dear)

    assert [1, 1] == [len(hero.skills) for hero in both.heroes]
    assert [2] == [PIECES[move[1]]["level"] for move in learned]


def test_more_skills_than_may_come_along_are_not_paid_for() -> None:
    state = aboard("skills", {"minou": {"bucks": 900}, "patch": {}})
    moves_of(state)

    for hero in state.heroes:
        levels = Counter(state.box.piece(card)["level"] for card in hero.skills)
        assert {1: 3, 2: 2, 3: 1} == levels


# Events


def after_event(event: str, heroes: dict[str, dict[str, Any]], *draws: tuple[str, str]) -> State:
    """The visit up to the bar, as a sensible party answers."""
    options: Facts = {"scenario": "hijacked", "interlude": True, "heroes": list(heroes)}
    for key in ("lives", "bucks", "weapons", "loot"):
        options[key] = {name: has[key] for name, has in heroes.items() if key in has}
    state = cats.start(FACTS, ["Ada"], options, Scripted([("event", event), *draws]))
    bot = cats.BOTS["sensible"](1)
    while state.todo:
        state.apply(bot(state.view(0), state.legal()))
    return state


FOUND: Final = (("loot", "beignets"), ("loot", "bar-broom"))


def test_the_ring_is_for_those_who_can_bear_it() -> None:
    state = after_event("ring-of-barrels", {"minou": {"lives": 6}, "patch": {"lives": 2}})

    assert [(6, 8), (3, 0)] == [(hero.lives, hero.bucks) for hero in state.heroes]


def test_the_surgeon_is_for_the_wounded() -> None:
    state = after_event("surgeon-on-deck-two", {"minou": {"lives": 9, "bucks": 20}, "patch": {"lives": 3}})

    assert [(9, 15), (6, 0)] == [(hero.lives, hero.bucks) for hero in state.heroes]


def test_the_hamper_is_for_a_party_that_is_hurt_and_the_chest_for_one_that_is_not() -> None:
    """Whoever carries least takes what is in the chest."""
    hurt = after_event("empty-skiff", {name: {"lives": 2} for name in ("minou", "patch", "odile", "murray")})
    whole = after_event("empty-skiff", {"minou": {"loot": ["candle-stub"]}, "patch": {}}, *FOUND)

    assert [4, 4, 4, 4] == lives(hurt)
    assert [1, 2] == [len(hero.loot) for hero in whole.heroes]


def test_the_admiral_gets_the_powder_that_is_needed_least() -> None:
    heroes = {"minou": {"weapons": ["pepperbox"], "loot": ["stash-1"]}, "patch": {"loot": ["stash-1"]}}
    state = after_event("salute-for-the-admiral", heroes)

    assert [0, 15] == [hero.bucks for hero in state.heroes]


def test_of_three_trunks_the_dearest_card_is_kept() -> None:
    draws = [("loot", "hatpin"), ("loot", "captains-cutlass"), ("loot", "bar-broom")]
    state = after_event("unclaimed-trunks", {"minou": {"bucks": 10}, "patch": {}}, *draws)

    assert state.box.numbers["captains-cutlass"] in (*state.heroes[0].weapons, *state.heroes[1].weapons)


# Whole visits


@pytest.mark.parametrize("bot", ["sensible", "sensible-by-chance", "sensible-and-cruel"])
def test_a_visit_comes_to_an_end_whatever_the_party_has(bot: str) -> None:
    """Every move is legal, and nobody who could pay for it is left with so few Lives."""
    for seed in range(12):
        luck = Random(seed)
        party = luck.choice((["minou", "patch"], ["delphine", "bastien", "murray", "odile"]))
        options = {"scenario": "hijacked", "interlude": True, "heroes": party}
        options |= {"bucks": {name: luck.randrange(70) for name in party}, "weapons": {party[0]: ["pepperbox"]}}
        options |= {"lives": {name: luck.randrange(10) for name in party}, "loot": {party[1]: ["stash-1", "tip-jar"]}}
        state = cats.start(FACTS, ("Ada", "Basil"), options, Seeded(seed))
        bots = [cats.BOTS[bot](seed * 8 + seat) for seat in range(2)]
        made = 0
        while (seat := state.to_act()) >= 0:
            move = bots[seat](state.view(seat), state.legal())
            assert move in state.legal()
            if move == ("onward",) and state.position().get("step") == "bar":
                assert min(lives(state)) >= 7 or sum(hero.bucks for hero in state.heroes) < 5
            state.apply(move)
            made += 1
            assert made < 250
        assert state.won
