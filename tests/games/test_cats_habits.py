"""What the engine of The Cats tells about foes in words, and about attacks in numbers: both worked out by hand here."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from cats_yard import FACTS
from games_for_tests import rows_of

from grimalkin.engine.cribs import find_behaviour
from grimalkin.engine.odds import find_expected
from grimalkin.games import cats_of_new_orleans
from grimalkin.games.cats_of_new_orleans.players.habits import ORDER, behaviour
from grimalkin.games.cats_of_new_orleans.players.odds import expected

Facts = dict[str, Any]
FOES = [row["id"] for row in rows_of("cats-of-new-orleans", "foes.csv")]


def told(foe: str, when: str, facts: Facts = FACTS) -> list[str]:
    """What is told of a foe at one moment."""
    return [habit.text for habit in behaviour(facts, foe) if habit.when == when]


def changed(piece: str, **cells: Any) -> Facts:
    """The facts with other cells of one piece."""
    facts: Facts = deepcopy(FACTS)
    facts["components"][piece].update(cells)
    return facts


# Foes, one by one


def test_pistoleers_shoot_from_afar_and_bite_when_cornered() -> None:
    """Tooth and Claw has Range 1. Pistols have Range 4: not at 1 square (NO-RNG-5), but at 2 to 4."""
    assert told("pistoleers", "Attack") == [
        "1 square away: Tooth and Claw, 1 draw: stuns on 8+ and wounds on 10+.",
        "2 to 4 squares away: Pistols, 1 draw: stuns on 7+ and wounds on 10+.",
        "While it is adjacent to a hero, it makes only attacks of Range 1. This rules out Pistols against any target.",
    ]


def test_pistoleers_look_for_a_clear_shot() -> None:
    """NO-PWR-16, NO-AMB-63: to the nearest square of a clear shot, and among those the one farthest from the heroes."""
    first, then, *_ = told("pistoleers", "Movement")

    assert first == (
        "If it cannot attack, it moves towards a clear shot at a hero in Range, and no closer than it must: to a "
        "square with the fewest moves left to a clear shot, and of tied squares the one with the most moves to a hero."
    )
    assert then.startswith("If there is no such square, or its weapon is depleted, it moves 1 square")
    assert told("pistoleers", "Target")[1].startswith("With Pistols, it attacks only if neither terrain")


def test_pistols_are_emptied_by_an_ace_and_reloaded_when_nothing_else_fits() -> None:
    """NO-AMB-30, NO-AMB-31."""
    assert told("pistoleers", "Depleted") == [
        "An Ace among the drawn cards depletes the Pistols.",
        "It then uses Tooth and Claw. If that does not fit and the Pistols would, it spends all AP of an activation on "
        "reloading and does nothing else.",
    ]


def test_mosquitos_sting_in_their_own_square_and_die_of_it() -> None:
    """Range 0, always; one Health, a Stun eliminates them, and they share squares and ignore terrain."""
    assert told("bayou-mosquitos", "Attack") == [
        "In its own square: Stinging Bite, 1 draw: always stuns and always wounds."
    ]
    assert told("bayou-mosquitos", "Stunned") == ["A Stun eliminates it."]
    assert "1 Wound eliminates it." in told("bayou-mosquitos", "Eliminated")
    assert "After it attacks, it is eliminated." in told("bayou-mosquitos", "Eliminated")
    assert [text for text in told("bayou-mosquitos", "Movement") if "figure" in text or "terrain" in text] == [
        "It ignores hindering terrain and water.",
        "It may share a square with other figures.",
    ]
    assert not any("water" in text for text in told("bayou-mosquitos", "Its turn"))


def test_bitters_spit_from_afar_and_bite_beside_a_hero() -> None:
    assert told("bayou-bitters", "Attack") == [
        "1 square away: Fangs, 2 draws: stuns on 6+ and wounds on 9+.",
        "2 to 4 squares away: Spit Venom, 1 draw: stuns on 7+ and wounds on 10+.",
        "While it is adjacent to a hero, it makes only attacks of Range 1. This rules out Spit Venom against any "
        "target.",
    ]
    assert told("bayou-bitters", "Depleted") == []
    assert "It has 2 AP." in told("bayou-bitters", "Its turn")


def test_stinkers_take_the_saber_and_keep_teeth_as_zombies() -> None:
    """Both attacks have Range 1, and the saber the lower Wound Value, 8 and 9 (NO-VATK-6); a saber is a weapon."""
    assert told("stinkers", "Attack") == [
        "1 square away: Saber, 1 draw: stuns on 5+ and wounds on 8+. Tooth and Claw would also reach: the lowest Wound "
        "Value decides."
    ]
    assert told("stinkers", "Eliminated")[2] == (
        "While Mort is on the map: FLIP. On 7+, it returns as a zombie with full Health. As a zombie, it has only "
        "Tooth and Claw."
    )


def test_a_stunned_stinker_leaves_a_bomb_behind() -> None:
    assert told("stinkers", "Stunned")[1:] == [
        "When it is stunned, put a Stinkbomb token on its square.",
        "Each figure surrounding a Stinkbomb token except Stinkers takes −3 on each draw of its attacks.",
        "In the End segment, FLIP for each Stinkbomb token. On 6 or lower, it leaves the map.",
    ]


def test_the_rat_king_is_large_and_has_no_attack_but_those_of_his_aspects() -> None:
    assert told("rat-king", "Attack") == []
    assert "Count every distance from the nearest of its squares." in told("rat-king", "Its turn")
    assert any(text.startswith("At set-up, shuffle the Aspect cards") for text in told("rat-king", "Its turn"))
    assert "When it is eliminated, it leaves the scenario for good." in told("rat-king", "Eliminated")


def test_of_an_aspect_only_what_is_different_is_told() -> None:
    """The rifle has Range 8 and a dead zone; Precision goes with it. The Bandit has pistols, and no Precision."""
    assert told("assassin", "Attack") == [
        "1 square away: no attack fits, so it moves.",
        "2 to 8 squares away: Scoped Rifle, 1 draw: stuns on 9+ and wounds on 6+.",
    ]
    assert "no closer than it must" in told("assassin", "Movement")[0]
    assert told("bandit", "Movement") == []
    assert told("bandit", "Its turn") == []


def test_who_cannot_be_stunned_is_told_so_and_nothing_else() -> None:
    assert told("croc", "Stunned") == told("viceroy", "Stunned") == ["It cannot be stunned."]


# All of them


@pytest.mark.parametrize("foe", FOES)
def test_every_power_of_a_foe_is_told_with_its_rule(foe: str) -> None:
    powers = [name.strip() for name in FACTS["components"][foe]["powers"].split(",")]
    rules = {rule for habit in behaviour(FACTS, foe) for rule in habit.rules}

    assert {FACTS["lists"]["powers"][power]["rule"] for power in powers} <= rules


@pytest.mark.parametrize("foe", FOES)
def test_moments_come_in_the_order_of_play(foe: str) -> None:
    moments = [habit.when for habit in behaviour(FACTS, foe)]

    assert moments == sorted(moments, key=ORDER.index)


def test_who_is_no_foe_has_no_habits() -> None:
    assert behaviour(FACTS, "minou") == behaviour(FACTS, "nobody") == ()


def test_another_number_is_told_at_once() -> None:
    """With Range 3 pistols have no dead zone, and the attack with the lower Wound Value is made up close."""
    facts = changed("pistoleers", powers="precision", **{"range-2": 3, "wound-2": 9})

    assert told("pistoleers", "Attack", facts) == [
        "1 square away: Pistols, 1 draw: stuns on 7+ and wounds on 9+. Tooth and Claw would also reach: the lowest "
        "Wound Value decides.",
        "2 to 3 squares away: Pistols, 1 draw: stuns on 7+ and wounds on 9+.",
    ]
    assert told("pistoleers", "Movement", facts)[0].startswith("If it cannot attack, it moves 1 square")


def test_of_equal_wound_values_the_stun_value_is_told_to_decide() -> None:
    facts = changed("stinkers", wound=8)

    assert told("stinkers", "Attack", facts)[0].endswith("also reach: the lowest Stun Value decides.")


def test_another_power_is_told_at_once() -> None:
    facts = changed("stinkers", powers="thick-skinned, flying, short-lived")

    assert told("stinkers", "Stunned", facts) == ["It cannot be stunned."]
    assert "It ignores hindering terrain and water." in told("stinkers", "Movement", facts)
    assert "After it attacks, it is eliminated." in told("stinkers", "Eliminated", facts)


# Numbers


def average(piece: str, what: str, of: str = "") -> Fraction:
    (found,) = [one.value for one in expected(FACTS, piece) if one.what == what and (not of or one.of == of)]
    return found


def test_one_draw_is_counted_from_fifty_cards() -> None:
    """Boarding Axe: 9+ stuns, 7+ wounds. 9 to Queen are 16 cards, 7 to Queen 24, and the red Joker counts 13."""
    assert average("boarding-axe", "Stuns") == Fraction(17, 50)
    assert average("boarding-axe", "Wounds") == Fraction(25, 50)


def test_what_always_hits_hits_with_an_ace() -> None:
    assert average("bayou-mosquitos", "Wounds") == average("bayou-mosquitos", "Stuns") == 1


VALUES = [value for value in range(1, 13) for _ in range(4)]
"""48 cards without Kings; the Jokers, 1 and 13, are apart."""


def test_a_joker_goes_back_before_the_second_draw() -> None:
    """Pepperbox: 2 draws, 5+ stuns, 10+ wounds. After a Joker there are 50 cards again, else 49."""
    deck = [(value, False) for value in VALUES] + [(1, True), (13, True)]
    wounds, no_stun = Fraction(0), Fraction(0)
    for at, (value, is_joker) in enumerate(deck):
        rest = deck if is_joker else deck[:at] + deck[at + 1 :]
        for second, _ in rest:
            chance = Fraction(1, 50 * len(rest))
            wounds += chance * ((value >= 10) + (second >= 10))
            no_stun += chance * (value < 5 and second < 5)

    assert average("pepperbox", "Wounds") == wounds
    assert average("pepperbox", "Stuns") == 1 - no_stun


def test_with_frenzy_the_higher_of_two_counts() -> None:
    """Razorblade of Roux Poubelle: one draw of two cards, 5+ wounds."""
    deck = [*VALUES, 1, 13]
    pairs = list(permutations(range(50), 2))
    hits = sum(max(deck[one], deck[other]) >= 5 for one, other in pairs)

    assert average("roux-poubelle", "Wounds") == Fraction(hits, len(pairs))


def test_a_stun_that_is_a_wound_too_counts_as_one() -> None:
    """Buffalo Rifle: "A Stun is also a Wound." """
    rifle = next(id_ for id_, piece in FACTS["components"].items() if piece["name"] == "Buffalo Rifle")
    piece = FACTS["components"][rifle]
    least = min(piece["stun"], piece["wound"])

    assert piece["draws"] == 1
    assert average(rifle, "Wounds") == Fraction(sum(value >= least for value in VALUES) + 1, 50)


def test_what_attacks_with_nothing_has_no_numbers() -> None:
    assert expected(FACTS, "beignets") == expected(FACTS, "rat-king") == expected(FACTS, "nobody") == ()


def test_the_module_offers_both() -> None:
    assert find_behaviour(cats_of_new_orleans) is behaviour
    assert find_expected(cats_of_new_orleans) is expected
