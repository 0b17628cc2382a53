"""Werecats: what its rules say, worked out by hand on made-up cards, so that tuning the deck breaks nothing here."""

from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import MORE, seeds

import grimalkin
from grimalkin.cli import main
from grimalkin.engine.chance import ChanceError, Scripted, Seeded
from grimalkin.engine.kinds import members
from grimalkin.engine.play import play_out
from grimalkin.engine.replay import Script, play_line, replay
from grimalkin.engine.shape import Misfits
from grimalkin.engine.words import OVER, Ambiguous, Line, Refused, Score, TooFar, Unreadable
from grimalkin.games import werecats
from grimalkin.testing import checks as battery

CARDS = """
id     | force will vigor corpulence order | jewel    | power
ash    | 1     -    5     -          20    |          |
bella  | 2     -    3     -          30    |          |
coal   | 2     -    4     -          40    |          |
dusk   | 1     -    4     -          8     |          |
maid   | 0     1    2     1          5     | ruby     |
boy    | 0     0    2     1          12    | emerald  |
cook   | 1     1    3     2          15    | ruby     |
clerk  | 1     2    3     2          33    | citrine  |
groom  | 1     0    3     2          33 red| sapphire |
nun    | 2     1    3     2          45    | amethyst |
smith  | 2     2    4     3          50    | emerald  |
guard  | 3     2    4     3          25    | sapphire |
brute  | 3     0    4     4          52    | ruby     |
giver  | 1     1    4     3          41    | citrine  | sharing
bully  | 0     2    2     1          3     | amethyst | pressure
crier  | 1     2    2     2          28    | sapphire | draw
runner | 1     1    2     1          11    | emerald  | extra
dancer | 0     2    2     1          47    | citrine  | extra
priest | 1     3    3     2          35    | amethyst | reanimate
lord   | 1     3    4     4          48    | citrine  | value
lady   | 0     3    3     2          54    | ruby     | value
"""


def made_up_cards():
    components = {}
    for row in CARDS.split("\n")[2:-1]:
        id_, numbers, jewel, power = (cell.strip() for cell in row.split("|"))
        force, will, vigor, corpulence, order = numbers.removesuffix("red").split()
        card = {"name": id_.title(), "count": 1, "force": int(force), "vigor": int(vigor), "turn-order": int(order)}
        if jewel:
            card |= {"will": int(will), "corpulence": int(corpulence), "jewel": jewel, "power": power or None}
            card["red-border"] = numbers.endswith("red")
        components[id_] = card
    return {"components": components | {"food": {"name": "Food", "count": 40}}}


FACTS = made_up_cards()
VILLAGERS = [id_ for id_, card in FACTS["components"].items() if card.get("jewel")]


def written(text):
    """The seats of a position, from `Ada: ash 2, maid 0; cook | Basil: bella 2`: werecats with food; the Graveyard."""
    seats = {}
    for seat in text.split("|"):
        name, _, areas = seat.partition(":")
        cats, _, graveyard = areas.partition(";")
        pairs = [pair.split() for pair in cats.split(",") if pair.strip()]
        seats[name.strip()] = {
            "cats": {cat: int(food) for cat, food in pairs},
            "graveyard": [card.strip() for card in graveyard.split(",") if card.strip()],
        }
    return {"seats": seats}


def table(text, *draws, **record):
    """A position: seats as above, lists as words with spaces. `draws` are what the deck gives next."""
    lists = {"city", "deck", "under", "scared"}
    rest = {key.replace("_", "-"): value.split() if key in lists else value for key, value in record.items()}
    return werecats.load(FACTS, written(text) | rest, Scripted([("city", card) for card in draws]))


def played(state, *lines):
    """The events of some lines."""
    events = []
    for line in lines:
        play_line(werecats, state, line, events)
    return events


def rules(events):
    return [event.rule for event in events]


def told(events, rule):
    """The sentences of one rule."""
    return [event.text for event in events if event.rule == rule]


def refusal(state, line):
    """The rule that refuses a line."""
    with pytest.raises(Refused) as caught:
        play_line(werecats, state.clone(), line)
    return caught.value.refusal


def legal(state):
    return [werecats.write([move], state) for move in state.legal()]


def food(state, cat):
    return next(has["cats"][cat] for has in state.position()["seats"].values() if cat in has["cats"])


def cats(state, seat="Ada"):
    """The werecats of a seat, the first to act first."""
    return list(state.position()["seats"][seat]["cats"])


def graveyard(state, seat="Ada"):
    return state.position()["seats"][seat]["graveyard"]


def city(state):
    return " ".join(state.position()["city"])


def acting(state):
    return state.position()["acting"]


def total(state, seat):
    return next(score.total for score in state.score() if score.seat == seat)


# Scoring


def test_plain_villagers_count_one_and_high_value_two():
    """The rulebook's example: eight villagers in the Graveyard, two of them of High Value, make 6 + 4 = 10."""
    expected = [
        Line("WC-SCORE-1", "villagers in the Graveyard", 6, 1, 6),
        Line("WC-PWR-4", "High Value villagers", 2, 2, 4),
    ]

    assert expected == werecats.scoring.villager_lines(6, 2)
    assert [] == werecats.scoring.villager_lines(0, 0)


def test_created_werecats_count_two_each():
    """The rulebook's example: five created werecats make 10."""

    assert [Line("WC-SCORE-2", "created werecats", 5, 2, 10)] == werecats.scoring.created_lines(5)
    assert [] == werecats.scoring.created_lines(0)


JEWELS = """
ruby emerald citrine sapphire amethyst | rule       | label            | points
1    1       3       0        0        | WC-SCORE-4 | citrine werecats | 9
1    1       1       1        1        | WC-SCORE-3 | five jewels      | 10
3    1       1       1        1        | WC-SCORE-3 | five jewels      | 10
1    1       1       4        1        | WC-SCORE-4 | sapphire werecats| 12
4    1       1       1        0        | WC-SCORE-4 | ruby werecats    | 12
0    0       0       0        1        | WC-SCORE-4 | amethyst werecats| 3
"""


@pytest.mark.parametrize("row", JEWELS.split("\n")[2:-1])
def test_jewels_score_by_the_better_choice(row):
    """Ten for five colours, or three for each werecat of one colour, whichever is more."""
    counts, rule, label, points = (cell.strip() for cell in row.split("|"))
    colours = ("ruby", "emerald", "citrine", "sapphire", "amethyst")
    jewels = dict(zip(colours, map(int, counts.split()), strict=True))
    (line,) = werecats.scoring.jewel_lines(jewels)

    assert (rule, label, int(points)) == (line.rule, line.label, line.points)


def test_no_created_werecats_show_no_jewels():
    """Neither a line nor a note is there."""

    assert [] == werecats.scoring.jewel_lines({"ruby": 0, "emerald": 0})
    assert [] == werecats.scoring.jewel_notes({"ruby": 0, "emerald": 0})


def test_a_note_tells_both_numbers_of_the_choice():
    """Five jewels against the best colour, and too few colours against ten points."""
    colours = ("ruby", "emerald", "citrine", "sapphire", "amethyst")
    three, four, few = (
        dict(zip(colours, counts, strict=True)) for counts in ((3, 1, 1, 1, 1), (4, 1, 1, 1, 1), (2, 1, 0, 0, 0))
    )

    assert [
        ("WC-AMB-17", "Five jewels would score 10 points, ruby alone 3 × 3 = 9 points, so five jewels score.")
    ] == werecats.scoring.jewel_notes(three)
    assert [
        ("WC-AMB-17", "Five jewels would score 10 points, ruby alone 4 × 3 = 12 points, so one jewel scores.")
    ] == werecats.scoring.jewel_notes(four)
    ((rule, note),) = werecats.scoring.jewel_notes(few)

    assert "WC-SCORE-4" == rule
    assert "2 of 5 jewels" in note
    assert "ruby, scores 2 × 3 = 6 points" in note


def test_a_score_adds_graveyard_werecats_and_jewels():
    """Two plain villagers and a High Value one, 4; three created werecats, 6; two of them rubies, 6: 16. The starting
    cat gives nothing."""
    state = table("Ada: ash 2, maid 0, cook 1, boy 0; clerk, lord, smith | Basil: bella 2")
    expected = [
        Line("WC-SCORE-1", "villagers in the Graveyard", 2, 1, 2),
        Line("WC-PWR-4", "High Value villagers", 1, 2, 2),
        Line("WC-SCORE-2", "created werecats", 3, 2, 6),
        Line("WC-SCORE-4", "ruby werecats", 2, 3, 6),
    ]
    ada, basil = state.score()

    assert expected == list(ada.lines)
    assert 16 == ada.total
    assert ["WC-SCORE-4"] == [rule for rule, _ in ada.notes]
    assert Score("Basil", ()) == basil


def test_a_tie_tells_each_step_that_leaves_somebody_out():
    """All have 6; Ada and Basil have more created werecats than Cleo, who has as much food as Ada."""
    result = werecats.scoring.winners(
        [Score(name, score_of(6).lines) for name in ("Ada", "Basil", "Cleo")], [1, 1, 0], [4, 1, 4]
    )

    assert ("Ada",) == result.winners
    assert (
        "Ada, Basil and Cleo have the highest total, 6; Ada and Basil have more created werecats, 1; "
        "Ada has more food left, 4."
    ) == result.because


def score_of(points):
    return Score("", (Line("WC-SCORE-1", "", points, 1, points),))


WINNERS = """
points | created | food  | winners | why
5 6    | 9 0     | 9 0   | Basil   | the highest total, 6
6 6    | 2 1     | 0 9   | Ada     | more created werecats, 2
6 6    | 2 2     | 3 4   | Basil   | more food left, 4
6 6    | 2 2     | 4 4   | both    | share the win
"""


@pytest.mark.parametrize("row", WINNERS.split("\n")[2:-1])
def test_ties_go_to_created_werecats_then_to_food(row):
    """Points first; then created werecats; then food on werecats; then all who are left win."""
    points, created, left, names, why = (cell.strip() for cell in row.split("|"))
    seats = ("Ada", "Basil")
    scores = [Score(seat, score_of(int(n)).lines) for seat, n in zip(seats, points.split(), strict=True)]
    numbers = [[int(n) for n in column.split()] for column in (created, left)]
    result = werecats.scoring.winners(scores, *numbers)

    assert (seats if names == "both" else (names,)) == result.winners
    assert why in result.because
    assert (("WC-PLAYERS-3",) if names == "Basil" and points == "5 6" else ("WC-PLAYERS-3", "WC-AMB-3")) == result.rules


def test_more_food_does_not_help_who_has_fewer_created_werecats():
    """Of three equal totals, two have two created werecats; the food of the third is not looked at."""
    scores = [Score(seat, score_of(6).lines) for seat in ("Ada", "Basil", "Cleo")]

    assert ("Basil",) == werecats.scoring.winners(scores, [1, 2, 2], [9, 4, 3]).winners


def test_the_end_counts_food_and_created_werecats_of_each_seat():
    """Both have 5 points and one created werecat; Ada has 1 + 0 food, Basil 2 + 1."""
    state = table("Ada: ash 1, cook 0 | Basil: bella 2, nun 1", phase="over")

    assert (5, 5) == (total(state, "Ada"), total(state, "Basil"))
    assert ("Basil",) == state.result().winners


# Set-up


def new_game(*draws, seats=2, first="Ada", facts=FACTS, **options):
    names = ["Ada", "Basil", "Cleo", "Dora"][:seats]
    return werecats.start(facts, names, options, Scripted([("first", first), *[("city", card) for card in draws]]))


FIVE = ("cook", "clerk", "smith", "guard", "crier")
SIX = ("maid", "boy", "cook", "clerk", "nun", "smith")


def test_the_drawn_seat_chooses_first_and_the_others_follow_clockwise():
    """Of three seats, Cleo is drawn; then come Ada and Basil."""
    state = new_game(*SIX, seats=3, first="Cleo")
    order = []
    for cat in ("dusk", "coal", "bella"):
        order.append(state.seats[state.to_act()])
        events = played(state, f"choose {cat}")

    assert ["Cleo", "Ada", "Basil"] == order
    assert ["bella"] == cats(state, "Basil")
    assert "WC-SETUP-1" in rules(events)


def test_only_the_first_choice_tells_who_was_drawn():
    """The ruling about the order makes one event in a game."""
    state = new_game(*SIX, first="Basil")
    events = played(state, "choose ash", "choose coal")

    assert ["Basil was drawn to choose first; the others follow clockwise."] == told(events, "WC-AMB-19")


def test_a_starting_cat_begins_with_two_food():
    """And the seats that have not chosen have nothing."""
    state = new_game(*SIX)
    played(state, "choose ash")

    assert {"ash": 2} == state.position()["seats"]["Ada"]["cats"]
    assert {} == state.position()["seats"]["Basil"]["cats"]


def test_a_starting_cat_is_chosen_once():
    """What is left is offered, in Turn Order."""
    state = new_game(*SIX)

    assert ["choose dusk", "choose ash", "choose bella", "choose coal"] == legal(state)
    played(state, "choose ash")

    assert ["choose dusk", "choose bella", "choose coal"] == legal(state)
    assert "Ash is taken: Ada has it" == refusal(state, "choose ash").because


def test_after_the_last_choice_six_villagers_are_turned_up_and_the_first_cat_acts():
    """Dusk has Turn Order 8, ash 20."""
    state = new_game(*SIX)
    events = played(state, "choose ash", "choose dusk")

    assert "maid boy cook clerk nun smith" == city(state)
    assert set(VILLAGERS) - set(SIX) == set(state.position()["deck"])
    assert ("Basil", "dusk", 1) == (state.seats[state.to_act()], acting(state), state.position()["round"])
    assert "WC-SETUP-4" not in rules(events)


def test_villagers_of_force_three_are_replaced_until_none_is_left_in_the_first_city():
    """The guard and the brute are turned up, the brute as a replacement; both go back into the deck."""
    state = new_game("maid", "guard", "boy", "cook", "clerk", "nun", "brute", "smith")
    events = played(state, "choose ash", "choose dusk")

    assert "maid boy cook clerk nun smith" == city(state)
    assert {"guard", "brute"} <= set(state.position()["deck"])
    assert ["The guard and the brute have Force 3 or more, too strong for the first City: back into the deck."] == told(
        events, "WC-SETUP-4"
    )


def test_a_card_put_aside_cannot_be_drawn_again_during_set_up():
    """It lies beside the deck until the City is full."""
    state = new_game("guard", "guard", *SIX)
    played(state, "choose ash")
    with pytest.raises(ChanceError, match='"guard" cannot be drawn'):
        state.apply(*werecats.read("choose dusk", state))


def test_a_deck_with_too_few_weak_villagers_fills_the_city_with_strong_ones_in_round_one():
    """Five villagers below Force 3 lie in the City; the round begins by topping up, now with any Force."""
    facts = {"components": {id_: FACTS["components"][id_] for id_ in ("ash", "dusk", *SIX[:5], "guard", "brute")}}
    state = new_game("guard", *SIX[:4], "brute", SIX[4], "brute", facts=facts)
    events = played(state, "choose ash", "choose dusk")

    assert "maid boy cook clerk nun brute" == city(state)
    assert ["guard"] == state.position()["deck"]
    assert "WC-CITY-2" in rules(events)


# Rounds and turns


def test_each_werecat_of_every_seat_acts_once_a_round_the_lowest_number_first():
    """Maid 5, dusk 8, boy 12, ash 20; then the maid again, in round 2."""
    state = table("Ada: ash 0, maid 0 | Basil: dusk 0, boy 0", "cook", "clerk", "nun", "smith", "lady", "lord")
    order = []
    for _ in range(4):
        order.append((state.seats[state.to_act()], acting(state)))
        events = played(state, "rest")

    assert [("Ada", "maid"), ("Basil", "dusk"), ("Basil", "boy"), ("Ada", "ash")] == order
    assert ("maid", 2) == (acting(state), state.position()["round"])
    assert ["WC-ROUND-4", "WC-ROUND-2", "WC-CITY-2"] == rules(events)


def test_of_equal_numbers_the_red_border_acts_first():
    """Groom and clerk have Turn Order 33, and the groom a red border."""
    state = table("Ada: bella 0, clerk 0 | Basil: coal 0, groom 0", acting="bella")
    first = played(state, "rest")

    assert ("Basil", "groom") == (state.seats[state.to_act()], acting(state))
    assert ["Basil's groom and Ada's clerk have Turn Order 33; the red border acts first, so the groom is up."] == told(
        first, "WC-ROUND-6"
    )
    then = played(state, "rest")

    assert "clerk" == acting(state)
    assert "the red border has gone first, so the clerk is up" in told(then, "WC-ROUND-6")[0]
    assert "WC-ROUND-6" not in rules(played(state, "rest"))


def test_a_round_opens_by_topping_the_city_up_to_six():
    """Two villagers stay in front, four come behind them."""
    state = table("Ada: ash 0 | Basil: bella 0", "cook", "clerk", "nun", "guard", city="maid boy", acting="bella")
    played(state, "rest")

    assert "maid boy cook clerk nun guard" == city(state)


def test_within_a_round_the_city_is_not_topped_up():
    """After a meal five villagers are left for the next werecat."""
    state = table("Ada: ash 0 | Basil: bella 0", city="maid boy cook clerk nun smith")
    played(state, "eat maid")

    assert "boy cook clerk nun smith" == city(state)


def test_a_city_of_seven_stays_so_when_the_round_opens():
    """Nothing is drawn, and nothing goes."""
    seven = "maid boy cook clerk nun smith lady"
    state = table("Ada: ash 0 | Basil: bella 0", city=seven, acting="bella")
    events = played(state, "rest")

    assert seven == city(state)
    assert ["WC-ROUND-4", "WC-ROUND-2"] == rules(events)


def test_a_short_deck_tops_up_with_what_it_has():
    """Three come, of four that are missing."""
    state = table("Ada: ash 0 | Basil: bella 0", "nun", city="maid boy", deck="nun", under="cook clerk", acting="bella")
    events = played(state, "rest")

    assert "maid boy nun cook clerk" == city(state)
    assert ["The deck is empty, so the City holds 5 of 6 cards."] == told(events, "WC-AMB-9")


def test_nobody_need_act():
    """Resting is one of the actions offered, and the last one."""
    state = table("Ada: ash 0 | Basil: bella 0", city="guard")

    assert ["dive", "scare", "rest"] == legal(state)


# Eating


def test_a_cat_eats_what_is_weaker_and_what_its_food_lifts_it_above():
    """Ash, Force 1: the maid, Force 0, for nothing; with 1 food also Force 1, with 2 Force 2, with 3 Force 3."""
    for has, expected in ((0, ["maid"]), (1, ["maid", "cook"]), (2, ["maid", "cook", "nun"])):
        state = table(f"Ada: ash {has} | Basil: bella 0", city="maid cook nun guard")

        assert [f"eat {card}" for card in expected] == [move for move in legal(state) if move.startswith("eat")]
    state = table("Ada: ash 3 | Basil: bella 0", city="guard")

    assert "eat guard" in legal(state)


def test_exactly_the_food_that_is_needed_is_spent():
    """Ash, Force 1 and 5 food, spends 2 to exceed the nun's Force 2; then it gets 2."""
    state = table("Ada: ash 4 | Basil: bella 0", city="nun maid")
    events = played(state, "eat nun")

    assert 4 - 2 + 2 == food(state, "ash")
    assert ["WC-FOOD-2", "WC-EAT-3", "WC-EAT-4"] == rules(events)
    assert ["Ada's Ash spends 2 food, 2 left: Force 1 + 2 = 3 for this action."] == told(events, "WC-FOOD-2")


def test_a_stronger_cat_spends_nothing():
    """Bella, Force 2, eats Force 1; she has no food to lose."""
    state = table("Ada: bella 0 | Basil: coal 0", city="cook maid")
    events = played(state, "eat cook")

    assert 2 == food(state, "bella")
    assert "WC-FOOD-2" not in rules(events)


def test_food_of_another_cat_does_not_help():
    """The maid, Force 0, cannot eat Force 1 though ash has 5 food."""
    state = table("Ada: ash 5, maid 0 | Basil: bella 0", city="cook boy")

    assert "WC-EAT-1" == refusal(state, "eat cook").rule


def test_the_eaten_lie_in_the_graveyard_in_order():
    """The new card is on top, at the end of the list."""
    state = table("Ada: ash 0; nun | Basil: bella 0", city="maid boy")
    played(state, "eat maid")

    assert ["nun", "maid"] == graveyard(state)
    assert "boy" == city(state)


def test_food_above_vigor_is_thrown_away():
    """Bella, Vigor 3, has 2 food and gets 2 for the cook: 1 too many."""
    state = table("Ada: bella 2 | Basil: coal 0", city="cook maid")
    events = played(state, "eat cook")

    assert 3 == food(state, "bella")
    assert ["Ada's Bella gets 1 food and holds 3."] == told(events, "WC-EAT-4")
    assert ["The Vigor of Bella is 3, so 1 food of 2 goes back to the stock."] == told(events, "WC-FOOD-3")


def test_food_that_just_fits_is_kept():
    """Bella, Vigor 3, has 1 food and gets 2."""
    state = table("Ada: bella 1 | Basil: coal 0", city="cook maid")

    assert "WC-FOOD-3" not in rules(played(state, "eat cook"))
    assert 3 == food(state, "bella")


def test_taking_the_last_card_fills_the_city_at_once():
    """By eating or, by a ruling (WC-AMB-29), by converting; the next cat of the round finds six villagers."""
    six = ("boy", "cook", "clerk", "nun", "guard", "brute")
    for line, rule in (("eat maid", "WC-CITY-3"), ("convert maid", "WC-AMB-29")):
        state = table("Ada: ash 1 | Basil: bella 0", *six, city="maid")
        events = played(state, line)

        assert " ".join(six) == city(state)
        assert ["The City's last card is gone, so the City is filled at once."] == told(events, rule)[:1]
        assert ("bella", 1) == (acting(state), state.position()["round"])


def test_an_empty_deck_leaves_an_emptied_city_empty():
    """Only diving, scaring and resting are left."""
    state = table("Ada: ash 0 | Basil: bella 0", city="maid", deck="")
    events = played(state, "eat maid")

    assert "" == city(state)
    assert "WC-AMB-9" in rules(events)
    assert ["dive", "scare", "rest"] == legal(state)


# Food powers


def test_a_card_without_a_power_and_one_of_high_value_ask_nothing():
    """The turn ends with the meal."""
    for card in ("cook", "lord"):
        state = table("Ada: bella 0 | Basil: coal 0", city=f"{card} maid")
        played(state, f"eat {card}")

        assert "coal" == acting(state)


def test_shared_food_may_be_split_and_the_rest_goes_to_the_eater():
    """The giver brings 3: one to the maid, one to the boy, one stays with bella."""
    state = table("Ada: bella 0, maid 0, boy 1 | Basil: coal 0", city="giver cook", acting="bella")
    events = played(state, "eat giver, share maid, share boy, done")

    assert (1, 2, 1) == (food(state, "maid"), food(state, "boy"), food(state, "bella"))
    assert ["WC-EAT-3", "WC-PWR-2", "WC-PWR-2", "WC-EAT-4"] == rules(events)
    assert "coal" == acting(state)


def test_sharing_the_last_food_ends_the_turn():
    """All 3 of the giver's food go to the smith, Vigor 4; the eater gets none, and nothing more is asked."""
    state = table("Ada: bella 1, smith 1 | Basil: coal 0", city="giver cook", acting="bella")
    played(state, "eat giver, share smith, share smith, share smith")

    assert (1, 4) == (food(state, "bella"), food(state, "smith"))
    assert "coal" == acting(state)


def test_food_is_not_shared_beyond_vigor():
    """The maid, Vigor 2, takes 2; then only bella herself is left."""
    state = table("Ada: bella 0, maid 0 | Basil: coal 0", city="giver cook", acting="bella")
    played(state, "eat giver, share maid, share maid")

    assert ["done"] == legal(state)
    assert "Ada's maid is full: it holds 2 food, and its Vigor is 2" == refusal(state, "share maid").because
    played(state, "done")

    assert (1, 2) == (food(state, "bella"), food(state, "maid"))


def test_what_is_not_shared_is_limited_by_the_eaters_vigor():
    """Bella holds 2 of 3 and gets all 3 of the meal: 2 go back to the stock, for she was asked first."""
    state = table("Ada: bella 2, maid 2 | Basil: coal 0", city="giver cook", acting="bella")
    events = played(state, "eat giver, done")

    assert 3 == food(state, "bella")
    assert ["WC-EAT-3", "WC-EAT-5", "WC-EAT-4", "WC-FOOD-3"] == rules(events)
    assert ["The Vigor of Bella is 3, so 2 food of 3 goes back to the stock."] == told(events, "WC-FOOD-3")


def test_peer_pressure_drags_a_villager_of_any_force_without_food():
    """Bella eats the bully, 1 food, and drags the guard, Force 3."""
    state = table("Ada: bella 0 | Basil: coal 0", city="bully guard maid")
    events = played(state, "eat bully, drag guard")

    assert ["bully", "guard"] == graveyard(state)
    assert "maid" == city(state)
    assert 1 == food(state, "bella")
    assert ["WC-EAT-3", "WC-EAT-4", "WC-PWR-3"] == rules(events)
    assert "coal" == acting(state)


def test_the_power_of_a_dragged_card_is_ignored_but_high_value_counts():
    """The dragged crier draws nothing; the dragged lord is worth 2."""
    state = table("Ada: bella 0 | Basil: coal 0", city="bully crier maid")

    assert "WC-PWR-9" in rules(played(state, "eat bully, drag crier"))
    assert ("coal", "maid") == (acting(state), city(state))
    state = table("Ada: bella 0 | Basil: coal 0", city="bully lord maid")

    assert "WC-AMB-33" in rules(played(state, "eat bully, drag lord"))
    assert 1 + 2 == total(state, "Ada")


def test_peer_pressure_after_the_last_card_drags_from_the_new_city():
    """The City is filled before the question comes."""
    six = ("boy", "cook", "clerk", "nun", "guard", "brute")
    state = table("Ada: bella 0 | Basil: coal 0", *six, city="bully")
    played(state, "eat bully")

    assert [f"drag {card}" for card in ("boy", "cook", "guard", "clerk", "nun", "brute")] + ["done"] == legal(state)
    played(state, "drag brute")

    assert "boy cook clerk nun guard" == city(state)


def test_dragging_the_last_card_fills_the_city():
    """That card is taken like any other (WC-AMB-29)."""
    six = ("boy", "cook", "clerk", "nun", "guard", "brute")
    state = table("Ada: bella 0 | Basil: coal 0", *six, city="bully maid")
    events = played(state, "eat bully, drag maid")

    assert " ".join(six) == city(state)
    assert "WC-AMB-29" in rules(events)


def test_draw_adds_a_villager_even_to_a_full_city():
    """Six lie there after the meal, and the nun makes seven; her place is the last."""
    state = table("Ada: bella 0 | Basil: coal 0", "nun", city="crier maid boy cook clerk smith lady")
    events = played(state, "eat crier, draw")

    assert "maid boy cook clerk smith lady nun" == city(state)
    assert ["The nun joins the City, which holds 7."] == told(events, "WC-PWR-5")


def test_draw_from_an_empty_deck_is_allowed_and_brings_nothing():
    """The turn ends all the same."""
    state = table("Ada: bella 0 | Basil: coal 0", city="crier maid", deck="")
    events = played(state, "eat crier, draw")

    assert ("maid", "coal") == (city(state), acting(state))
    assert "WC-AMB-32" in rules(events)


def test_an_extra_action_costs_one_food_of_the_starting_cat():
    """Bella pays, and the nun, who has eaten, acts again."""
    state = table("Ada: bella 2, nun 0 | Basil: coal 0", city="runner maid cook", acting="nun")
    events = played(state, "eat runner, again")

    assert (1, 1) == (food(state, "bella"), food(state, "nun"))
    assert ("nun", "yes") == (acting(state), state.position()["used"])
    assert ["eat maid", "eat cook", "dive", "scare", "rest"] == [
        move for move in legal(state) if not move.startswith("convert")
    ]
    assert ["WC-EAT-3", "WC-EAT-4", "WC-PWR-6"] == rules(events)


def test_the_starting_cat_may_buy_its_own_extra_action_with_the_food_just_received():
    """Bella has none, gets 1 for the runner, and pays with it."""
    state = table("Ada: bella 0 | Basil: coal 0", city="runner maid cook")
    played(state, "eat runner, again, eat maid")

    assert 0 + 1 - 1 + 1 == food(state, "bella")
    assert "coal" == acting(state)


@pytest.mark.parametrize("second", ["convert boy", "dive", "scare", "rest"])
def test_the_extra_action_may_be_any_action(second):
    """After it the turn is over."""
    state = table("Ada: bella 2 | Basil: coal 0", *SIX[2:], "lady", "lord", city="runner boy")
    played(state, f"eat runner, again, {second}")

    assert "coal" == acting(state)


def test_the_extra_action_does_not_allow_a_second_scare():
    """One Scare a seat and round."""
    state = table("Ada: bella 2 | Basil: coal 0", city="runner boy", scared="Ada")

    assert "WC-SCARE-3" == refusal(state, "eat runner, again, scare").rule


def test_a_second_card_in_a_turn_brings_no_power():
    """After an extra action the crier's Draw is asked for, and only refused or left."""
    state = table("Ada: bella 2 | Basil: coal 0", city="runner crier boy")
    events = played(state, "eat runner, again, eat crier")

    assert ["done"] == legal(state)
    assert "WC-PWR-9" in rules(events)
    assert "WC-PWR-8" == refusal(state, "draw").rule
    played(state, "done")

    assert ("coal", "boy") == (acting(state), city(state))


def test_a_second_extra_action_is_refused():
    """Only the first card of the turn brings one."""
    state = table("Ada: bella 2 | Basil: coal 0", city="runner dancer boy")
    played(state, "eat runner, again, eat dancer")

    assert "WC-PWR-9" == refusal(state, "again").rule


def test_a_meal_that_cannot_be_shared_goes_to_the_eater():
    """The giver is the second card of the turn: its 3 food are bella's, as far as her Vigor allows."""
    state = table("Ada: bella 2, maid 0 | Basil: coal 0", city="runner giver boy", acting="bella")
    played(state, "eat runner, again, eat giver")

    assert ["done"] == legal(state)
    assert "WC-PWR-8" == refusal(state, "share maid").rule
    played(state, "done")

    assert (3, 0) == (food(state, "bella"), food(state, "maid"))


def test_a_power_used_in_one_turn_is_free_again_in_the_next():
    """The limit is for one werecat and one turn: the nun may draw after bella has acted twice."""
    state = table("Ada: bella 1, nun 0 | Basil: coal 0, brute 0", "lady", city="runner boy crier cook", acting="bella")
    played(state, "eat runner, again, dive", "rest", "eat crier, draw")

    assert "boy cook lady" == city(state)


def test_reanimate_costs_two_food_of_the_starting_cat_and_the_meal():
    """Bella pays 2 and the nun forgoes 2; the guard rises, without any test of Force."""
    state = table("Ada: bella 3, nun 0; guard | Basil: coal 0, brute 0", city="priest maid", acting="nun")
    events = played(state, "eat priest, reanimate guard")

    assert (1, 0, 0) == (food(state, "bella"), food(state, "nun"), food(state, "guard"))
    assert ["priest"] == graveyard(state)
    assert ["guard", "bella", "nun"] == cats(state)
    assert ["WC-EAT-3", "WC-PWR-7", "WC-CONV-3", "WC-AMB-7"] == rules(events)


def test_the_card_just_eaten_may_rise():
    """The Graveyard is empty again; the priest counts 2, and 3 for its jewel, and not 1."""
    state = table("Ada: bella 2 | Basil: coal 0", city="priest maid")
    played(state, "eat priest, reanimate priest")

    assert [] == graveyard(state)
    assert ["bella", "priest"] == cats(state)
    assert 2 + 3 == total(state, "Ada")


def test_the_meal_cannot_pay_for_reanimate():
    """Bella has 1 food; the priest's 2 would come only if nothing rose."""
    state = table("Ada: bella 1 | Basil: coal 0", city="priest maid")
    played(state, "eat priest")

    assert ["done"] == legal(state)
    assert (
        "this costs 2 food off the starting cat; Ada's Bella has 1 food" == refusal(state, "reanimate priest").because
    )
    played(state, "done")

    assert 3 == food(state, "bella")


def test_a_risen_werecat_acts_in_this_round_if_it_stands_further_down():
    """The nun, 45, rises while bella, 30, acts; coal, 40, is between them. The maid, 5, has been passed."""
    for card, order in (("nun", ["coal", "nun", "bella"]), ("maid", ["coal", "maid", "bella"])):
        state = table(f"Ada: bella 2; {card} | Basil: coal 0", *FIVE, city="priest lady")
        played(state, f"eat priest, reanimate {card}")
        seen = []
        for _ in range(3):
            seen.append(acting(state))
            played(state, "rest")

        assert order == seen


# Converting


def test_converting_takes_more_than_force_and_will_together():
    """The rulebook's example: Force 2 and Will 1 against Force 2 take 2 food; 1 is too little."""
    state = table("Ada: bella 2 | Basil: coal 0", city="nun maid")
    events = played(state, "convert nun")

    assert 0 == food(state, "bella")
    assert ["WC-FOOD-2", "WC-CONV-1", "WC-CONV-3", "WC-AMB-7"] == rules(events)
    state = table("Ada: bella 1 | Basil: coal 0", city="nun maid")
    found = refusal(state, "convert nun")

    assert "WC-CONV-1" == found.rule
    expected = (
        "the nun has Force 2 and Will 1, 3 in all; Ada's Bella has Force 2 and 1 food, 3 in all, and must exceed 3"
    )

    assert expected == found.because


def test_a_convert_brings_no_food_no_graveyard_card_and_no_power():
    """The giver becomes a werecat with no food on it, and nobody is asked to share."""
    state = table("Ada: bella 1 | Basil: coal 0", city="giver maid")
    played(state, "convert giver")

    assert {"bella": 0, "giver": 0} == state.position()["seats"]["Ada"]["cats"]
    assert [] == graveyard(state)
    assert ("maid", "coal") == (city(state), acting(state))


@pytest.mark.parametrize(("card", "now"), [("nun", True), ("boy", False)])
def test_a_new_werecat_acts_in_this_round_if_its_number_has_not_been_passed(card, now):
    """Bella, 30, makes the nun, 45, or the boy, 12; coal, 40, is next in either case."""
    state = table("Ada: bella 3 | Basil: coal 0", *FIVE, "brute", city=f"{card} maid")
    events = played(state, f"convert {card}", "rest")

    assert (("nun", 1) if now else ("boy", 2)) == (acting(state), state.position()["round"])
    assert ("acts in this round still" in told(events, "WC-AMB-7")[0]) is now


def test_a_new_werecat_of_the_acting_ones_number_acts_after_it():
    """The red groom makes the clerk, both 33; the clerk is up next. The clerk makes the groom: passed."""
    state = table("Ada: bella 0, groom 3 | Basil: coal 0", city="clerk maid", acting="groom")
    played(state, "convert clerk")

    assert "clerk" == acting(state)
    state = table("Ada: bella 0, clerk 3 | Basil: coal 0", city="groom maid", acting="clerk")
    played(state, "convert groom")

    assert "coal" == acting(state)


def test_a_tie_of_turn_order_says_why_one_is_passed():
    """Both are 33: the red groom acts before the clerk, whichever of them makes the other (WC-ROUND-6)."""
    state = table("Ada: bella 0, groom 3 | Basil: coal 0", city="clerk maid", acting="groom")

    assert ["Turn Order 33 is acting, red border first, so the clerk acts in this round still."] == told(
        played(state, "convert clerk"), "WC-AMB-7"
    )
    state = table("Ada: bella 0, clerk 3 | Basil: coal 0", city="groom maid", acting="clerk")

    assert ["Turn Order 33 is acting, red border first, so the groom has been passed for this round."] == told(
        played(state, "convert groom"), "WC-AMB-7"
    )


def test_a_line_ends_with_the_turn_of_its_werecat():
    """Ash and the clerk are both Ada's; the second action would be the clerk's, in a line of its own (WC-ROUND-4)."""
    state = table("Ada: ash 0, clerk 0 | Basil: coal 0", city="maid cook")

    with pytest.raises(TooFar, match='"dive" goes too far: the line ends before it, and then Ada is to act'):
        play_line(werecats, state, "dive, dive")
    assert ["ash", 0] == [acting(state), food(state, "ash")]


def test_a_converted_werecat_uses_its_own_numbers():
    """The smith, Force 2 and Vigor 4, eats Force 1 for nothing and holds 4."""
    state = table("Ada: bella 0, smith 3 | Basil: coal 0, brute 0", city="cook maid", acting="smith")
    played(state, "eat cook")

    assert 4 == food(state, "smith")


# Dumpster diving and scaring


def test_diving_brings_one_food():
    """And nothing else happens."""
    state = table("Ada: bella 1 | Basil: coal 0", city="maid")

    assert ["WC-DIVE-1"] == rules(played(state, "dive"))
    assert (2, "maid") == (food(state, "bella"), city(state))


def test_a_full_cat_dives_for_nothing():
    """Bella holds 3 of 3; the food goes back to the stock."""
    state = table("Ada: bella 3 | Basil: coal 0", city="maid")

    assert ["WC-DIVE-1", "WC-FOOD-3"] == rules(played(state, "dive"))
    assert 3 == food(state, "bella")


def test_scaring_puts_the_whole_city_under_the_deck_and_brings_six():
    """The old cards lie under the deck, the oldest uppermost, below those that were there."""
    six = ("cook", "clerk", "nun", "smith", "guard", "brute")
    state = table("Ada: bella 0 | Basil: coal 0", *six, city="maid boy", under="lady")
    events = played(state, "scare")

    assert " ".join(six) == city(state)
    assert ["lady", "maid", "boy"] == state.position()["under"]
    assert ["WC-SCARE-1", "WC-SCARE-2", "WC-SCARE-1"] == rules(events)


def test_a_city_of_seven_is_replaced_by_six():
    """A Scare brings six, whatever lay there."""
    six = ("guard", "brute", "giver", "bully", "crier", "runner")
    state = table("Ada: bella 0 | Basil: coal 0", *six, city="maid boy cook clerk nun smith lady")
    played(state, "scare")

    assert " ".join(six) == city(state)


def test_cards_under_the_deck_come_in_their_order_and_without_chance():
    """The deck has one unseen card; below it lie known ones, and below them the City that was scared."""
    state = table(
        "Ada: bella 0 | Basil: coal 0", "nun", city="maid boy", deck="nun", under="cook clerk smith lady lord"
    )
    played(state, "scare")

    assert "nun cook clerk smith lady lord" == city(state)
    assert ["maid", "boy"] == state.position()["under"]


def test_with_a_short_deck_some_of_the_scared_come_back():
    """Two new ones, then the four oldest of the five."""
    state = table("Ada: bella 0 | Basil: coal 0", city="maid boy cook clerk nun", deck="", under="lady lord")
    events = played(state, "scare")

    assert "lady lord maid boy cook clerk" == city(state)
    assert ["nun"] == state.position()["under"]
    back = "The deck held too few other cards, so these are back: the maid, the boy, the cook and the clerk."

    assert [back] == told(events, "WC-AMB-30")


def test_a_scare_brings_what_is_left():
    """Three cards in all, one of the deck and two of the City."""
    state = table("Ada: bella 0 | Basil: coal 0", city="maid boy", deck="", under="lady")
    events = played(state, "scare")

    assert "lady maid boy" == city(state)
    assert ["The deck is empty, so the City holds 3 of 6 cards."] == told(events, "WC-AMB-9")


def test_a_scare_of_nothing_changes_nothing_but_is_the_scare_of_the_round():
    """City and deck are empty; a second Scare is refused."""
    state = table("Ada: bella 0, maid 0 | Basil: coal 0", deck="")
    events = played(state, "scare")

    assert ["WC-SCARE-1", "WC-AMB-30", "WC-AMB-9"] == rules(events)
    assert ("bella", "") == (acting(state), city(state))
    assert "WC-SCARE-3" == refusal(state, "scare").rule


def test_each_seat_scares_once_a_round():
    """Ada's second werecat may not, Basil's may; in the next round Ada may again."""
    state = table("Ada: ash 0, maid 0 | Basil: bella 0, nun 0", deck="boy cook clerk smith guard brute lady lord crier")
    state.chance = Seeded(1)
    played(state, "scare")

    assert "scare" not in legal(state)
    assert "Ada has scared the City in round 1 already; once is the limit" == refusal(state, "scare").because
    played(state, "rest", "scare")

    assert "Basil has scared the City in round 1 already; once is the limit" == refusal(state, "scare").because
    played(state, "rest")

    assert "scare" in legal(state)
    assert ("maid", 2) == (acting(state), state.position()["round"])


# The end


def test_an_empty_deck_ends_the_game_when_the_round_ends():
    """Coal still acts; then it is over."""
    state = table("Ada: ash 0 | Basil: coal 0", city="maid boy", deck="")
    events = played(state, "rest")

    assert "coal" == acting(state)
    assert "WC-END-1" not in rules(events)
    events = played(state, "eat boy")

    assert OVER == state.to_act()
    assert ["WC-EAT-3", "WC-EAT-4", "WC-END-1", "WC-END-4"] == rules(events)
    assert ("Basil",) == state.result().winners


def test_a_card_under_the_deck_keeps_the_game_going():
    """The deck was empty, but a Scare put cards back before the round ended."""
    state = table("Ada: ash 0 | Basil: coal 0", city="maid boy cook clerk nun smith lady", deck="", acting="coal")
    played(state, "scare")

    assert ("ash", 2) == (acting(state), state.position()["round"])


def test_a_deck_that_the_topping_up_empties_gives_one_more_round():
    """The last four cards come out as round 2 opens; it is played to its end."""
    state = table("Ada: ash 0 | Basil: coal 0", city="maid boy", deck="", under="cook clerk nun smith", acting="coal")
    played(state, "rest")

    assert (2, "ash") == (state.position()["round"], acting(state))
    played(state, "rest")

    assert "coal" == acting(state)
    played(state, "rest")

    assert OVER == state.to_act()


SEVEN = "ash 0, maid 0, boy 0, cook 0, groom 0, smith 0, lady 0"


def test_eight_werecats_end_the_game_when_the_round_ends():
    """The starting cat counts; the eighth is announced when it is made (WC-END-2). Seven are too few."""
    state = table(f"Ada: {SEVEN} | Basil: coal 0", city="giver brute lord", acting="lady")
    state.chance = Seeded(1)
    played(state, "rest")

    assert 2 == state.position()["round"]
    state = table(f"Ada: {SEVEN.replace('lady 0', 'lady 3')} | Basil: coal 0", city="giver brute", acting="lady")
    events = played(state, "convert giver")

    assert ["Ada now owns 8 werecats: this round is the last.", "Ada owns 8 werecats."] == told(events, "WC-END-2")
    assert ["Round 1 is complete, and the game is over."] == told(events, "WC-END-4")


def test_five_jewels_end_the_game_when_the_round_ends():
    """Four created werecats show four colours; the nun brings the fifth. Basil's coal still acts."""
    four = "ash 0, maid 0, boy 0, groom 0, clerk 5"
    state = table(f"Ada: {four.replace('clerk 5', 'clerk 3')} | Basil: coal 0", city="nun lord", acting="clerk")
    events = played(state, "convert nun")

    assert "coal" == acting(state)
    assert ["Ada now shows all 5 jewels: this round is the last."] == told(events, "WC-END-3")
    events = played(state, "rest", "rest")

    assert ["Ada's created werecats show all 5 jewels."] == told(events, "WC-END-3")
    assert OVER == state.to_act()
    assert 5 * 2 + 10 == total(state, "Ada")


def test_four_jewels_do_not_end_the_game():
    """However many werecats show them."""
    state = table("Ada: ash 0, maid 0, cook 0, boy 0, groom 0, clerk 0 | Basil: coal 0", acting="coal")
    state.chance = Seeded(1)
    played(state, "rest")

    assert 2 == state.position()["round"]


def test_jewels_of_two_seats_do_not_add_up():
    """Ada shows four colours and Basil the fifth."""
    state = table("Ada: ash 0, maid 0, boy 0, groom 0, clerk 0 | Basil: coal 0, nun 0", acting="nun")
    state.chance = Seeded(1)
    played(state, "rest")

    assert 2 == state.position()["round"]


def test_an_agreed_last_round_ends_the_game():
    """Of two rounds the second is the last."""
    state = table("Ada: ash 0 | Basil: coal 0", acting="coal", options={"rounds": 2})
    state.chance = Seeded(1)
    played(state, "rest", "rest")

    assert 2 == state.position()["round"]
    events = played(state, "rest")

    assert ["WC-ROUND-4", "WC-AMB-27", "WC-END-4"] == rules(events)
    assert OVER == state.to_act()


def test_a_tally_tells_how_the_game_ended():
    """Basil chose first; Ada has one created werecat and two cards: 2 + 3 + 2 points."""
    state = table("Ada: ash 0, maid 0; boy, cook | Basil: coal 0", first="Basil", deck="", round=7, acting="coal")
    played(state, "rest")
    tally = werecats.tally(state)

    assert {"end": "empty deck", "rounds": 7} == tally.game
    names = ("starting cat", "place in choosing", "created werecats", "villagers in the Graveyard", "points")

    assert dict(zip(names, ("ash", "2nd", 1, 2, 7), strict=True)) == tally.seats[0]
    assert dict(zip(names, ("coal", "1st", 0, 0, 0), strict=True)) == tally.seats[1]


def test_a_tally_tells_every_end_that_holds():
    """Five jewels, eight werecats, an empty deck and an agreed last round, in this order."""
    over = {"phase": "over", "options": {"rounds": 1}}
    five = "ash 0, maid 0, boy 0, groom 0, clerk 0, nun 0, cook 0, smith 0"
    many = five.replace("nun", "lady")
    both = "empty deck + last round"
    for seats, end in (
        (five, f"five jewels + eight werecats + {both}"),
        (many, f"eight werecats + {both}"),
        ("ash 0", both),
    ):
        state = table(f"Ada: {seats} | Basil: coal 0", deck="", **over)

        assert end == werecats.tally(state).game["end"]

    assert "last round" == werecats.tally(table("Ada: ash 0 | Basil: coal 0", **over)).game["end"]


# What is refused

REFUSED = """
position | line                 | rule       | because
set-up   | choose maid          | WC-SETUP-1 | the maid is a villager, not a starting cat
set-up   | dive                 | WC-SETUP-1 | Basil chooses a starting cat now, so "dive" cannot be
set-up   | choose ash           | WC-SETUP-1 | Ash is taken: Ada has it
acting   | choose dusk          | WC-SETUP-1 | starting cats are chosen in set-up, before the first round
acting   | eat boy              | WC-CITY-1  | only villagers in the City can be eaten or converted; the boy is in
acting   | eat lady             | WC-CITY-1  | the lady is in the deck
acting   | eat clerk            | WC-CITY-1  | the clerk lies in Ada's Graveyard
acting   | eat lord             | WC-CITY-1  | the lord lies in Basil's Graveyard
acting   | eat maid             | WC-CITY-1  | the maid is Ada's werecat
acting   | eat dusk             | WC-CITY-1  | Dusk is not in this game
acting   | convert brute        | WC-CITY-1  | the brute is in the deck
acting   | eat guard            | WC-EAT-1   | the guard has Force 3; Ada's Ash has Force 1 and 2 food, 3 in all
acting   | eat guard            | WC-EAT-1   | 3 in all, and must exceed 3
acting   | convert guard        | WC-CONV-1  | the guard has Force 3 and Will 2, 5 in all; Ada's Ash has Force 1
acting   | scare                | WC-SCARE-3 | Ada has scared the City in round 1 already
acting   | draw                 | WC-EAT-5   | Ada's Ash has not just eaten a card with a food power
acting   | done                 | WC-EAT-5   | Ada's Ash has not just eaten a card
pressure | dive                 | WC-ROUND-4 | Ada's Ash has taken its action, so "dive" cannot be; only "drag" or
bought   | eat cook             | WC-ROUND-4 | "again" buys another one, "done" ends the turn
extra    | eat cook             | WC-ROUND-4 | only "done" is left to say
twice    | eat cook             | WC-ROUND-4 | only "done" is left to say
sharing  | draw                 | WC-EAT-5   | the food power of the giver is Sharing, not Draw
sharing  | share bella          | WC-PWR-2   | food is shared among Ada's own werecats; Bella is Basil's werecat
sharing  | share cook           | WC-PWR-2   | the cook stands in the City
sharing  | share ash            | WC-AMB-13  | what Ada does not share stays with Ash: say "done"
sharing  | share maid           | WC-AMB-13  | Ada's maid is full: it holds 2 food, and its Vigor is 2
pressure | drag maid            | WC-PWR-3   | only villagers in the City can be dragged; the maid is Ada's werecat
pressure | drag bully           | WC-PWR-3   | the bully lies in Ada's Graveyard
extra    | again                | WC-PWR-6   | another action costs 1 food off the starting cat; Ada's Ash has 0 food
extra    | choose dusk          | WC-SETUP-1 | starting cats are chosen in set-up
twice    | draw                 | WC-PWR-8   | Ada's Ash has used a food power in this turn, and 1 a turn is the limit
again    | again                | WC-PWR-9   | only the first card of a turn brings another action, not also the dancer
poor     | reanimate priest     | WC-PWR-7   | this costs 2 food off the starting cat; Ada's Ash has 1 food
rising   | reanimate cook       | WC-PWR-7   | the card must lie in Ada's own Graveyard; the cook stands in the City
rising   | reanimate lord       | WC-PWR-7   | the lord lies in Basil's Graveyard
over     | rest                 | WC-END-4   | the game is over, so "rest" cannot be
"""
REFUSED_ROWS = [[cell.strip() for cell in row.split("|")] for row in REFUSED.split("\n")[2:-1]]


def refusing(name):
    """The position that a line of the table names."""
    if name == "set-up":
        return table("Ada: ash 2 | Basil:")
    if name == "over":
        return table("Ada: ash 0 | Basil: bella 0", phase="over")
    if name == "acting":
        return table(
            "Ada: ash 2, maid 0; clerk | Basil: bella 0; lord",
            city="guard cook",
            acting="ash",
            scared="Ada",
            under="lady",
        )
    given = {
        "sharing": ("ash 0, maid 2; giver", {"eaten": "giver"}),
        "pressure": ("ash 0, maid 2; bully", {"eaten": "bully"}),
        "extra": ("ash 0, maid 2; runner", {"eaten": "runner"}),
        "bought": ("ash 1, maid 2; runner", {"eaten": "runner"}),
        "twice": ("ash 0, maid 2; runner, crier", {"eaten": "crier", "used": "yes"}),
        "again": ("ash 2, maid 2; runner, dancer", {"eaten": "dancer", "used": "yes"}),
        "poor": ("ash 1, maid 2; priest", {"eaten": "priest"}),
        "rising": ("ash 2, maid 2; priest", {"eaten": "priest"}),
    }
    ada, record = given[name]
    return table(f"Ada: {ada} | Basil: bella 0; lord", city="cook", acting="ash", phase="meal", **record)


@pytest.mark.parametrize("row", REFUSED_ROWS, ids=lambda row: f"{row[0]}-{row[1].replace(' ', '-')}")
def test_refusals_name_the_rule_and_the_numbers(row):
    """Each illegal line is refused by the rule that the table gives, with a sentence."""
    name, line, rule, because = row
    found = refusal(refusing(name), line)

    assert rule == found.rule
    assert because in found.because


WEAK = {"seat": "Ada", "cat": "ash", "cat-force": 1, "food": 2, "strength": 3}


@pytest.mark.parametrize(
    ("name", "line", "facts"),
    [
        ("acting", "eat guard", WEAK | {"card": "guard", "force": 3, "needed": 4}),
        ("acting", "convert guard", WEAK | {"card": "guard", "force": 3, "will": 2, "resists": 5, "needed": 6}),
        ("acting", "scare", {"seat": "Ada", "round": 1, "limit": 1}),
        ("sharing", "share maid", {"seat": "Ada", "cat": "maid", "food": 2, "vigor": 2}),
        ("extra", "again", {"payer": "ash", "cost": 1, "food": 0}),
        ("poor", "reanimate priest", {"payer": "ash", "cost": 2, "food": 1}),
        ("set-up", "choose ash", {"card": "ash", "seat": "Ada"}),
    ],
)
def test_refusals_carry_their_numbers_for_programs(name, line, facts):
    """What a program would ask for needs no reading of sentences."""
    assert facts == refusal(refusing(name), line).facts


def test_facts_of_events_are_in_their_sentences():
    """Whatever number an event carries is told in its sentence too, and every card that it names is one of the game."""
    ids = set(FACTS["components"])
    carried = set()
    for seed in range(12):
        state = werecats.start(FACTS, ["Ada", "Basil", "Cleo"], {"rounds": 8}, Seeded(seed))
        log = []
        while state.to_act() != OVER:
            state.apply(Seeded(f"{seed} {len(log)}").pick("move", state.legal()), log)
        for event in log:
            for name, fact in event.facts.items():
                carried.add(name)
                if isinstance(fact, bool):
                    continue
                if isinstance(fact, int):
                    assert str(fact) in event.text, (name, event)
                elif name == "seat":
                    assert fact in state.seats
                elif name == "power":
                    assert fact in event.text
                else:
                    assert {fact} if isinstance(fact, str) else set(fact) <= ids, (name, event)
    assert {
        "food",
        "spent",
        "gained",
        "returned",
        "needed",
        "force",
        "will",
        "vigor",
        "round",
        "cards",
        "cat",
        "card",
    } <= carried


def test_scores_and_the_result_carry_what_breaks_ties():
    """Ada and Basil have 2 points each and one created werecat; Basil has more food left."""
    state = table("Ada: ash 1, maid 0 | Basil: bella 2, boy 1", phase="over")

    jewels = {"jewels": 1, "every-jewel": 5, "every-jewel-points": 10, "one-jewel-points": 3}
    jewels |= {"best-jewel-count": 1, "best-jewel-points": 3}

    assert [
        {"created": 1, "food": 1, **jewels, "best-jewel": "ruby"},
        {"created": 1, "food": 3, **jewels, "best-jewel": "emerald"},
    ] == [score.facts for score in state.score()]
    assert {"points": 5, "created": 1, "food": 3} == state.result().facts


def test_every_refusal_has_been_seen():
    """No id in REFUSALS is without a line in the table above."""

    assert {rule for _, _, rule, _ in REFUSED_ROWS} == werecats.REFUSALS


def test_a_refused_line_changes_nothing():
    """Not even its first, legal small moves count."""
    state = table("Ada: bella 2 | Basil: coal 0", city="runner boy")
    key = state.key()
    refusal(state, "eat runner, again, eat maid")

    assert key == state.key()


# Notation


@pytest.mark.parametrize("line", ["eat maid", "EAT  Maid", " eat maid "])
def test_case_and_spaces_do_not_matter(line):
    """All are one move."""
    state = table("Ada: ash 0 | Basil: bella 0", city="maid boy")
    played(state, line)

    assert ["maid"] == graveyard(state)


UNREADABLE = """
eat madi      | "eat madi" names no card of this game: "madi"; did you mean "maid"?
ate maid      | "ate maid" is not a move of this game; did you mean "eat maid"?
scar          | "scar" is not a move of this game; did you mean "scare"?
eat maid,     | a move is missing
rest maid     | "rest maid" is not a move of this game
eat maid boy  | "eat maid boy" names no card of this game: "maid boy"
eat food      | "eat food" names no card of this game: "food"
"""


@pytest.mark.parametrize("row", UNREADABLE.split("\n")[1:-1])
def test_what_is_no_notation_says_what_is_near(row):
    """A wrong card and a wrong word are told apart."""
    line, message = (cell.strip() for cell in row.split("|"))
    with pytest.raises(Unreadable) as caught:
        werecats.read(line, table("Ada: ash 0 | Basil: bella 0", city="maid boy"))

    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("eat", '"eat" does not say enough: eat maid or eat boy'),
        ("maid", '"maid" does not say enough: eat maid or convert maid'),
        ("share", '"share" does not say enough'),
    ],
)
def test_half_a_move_is_ambiguous(line, message):
    """The legal moves that it could be are named."""
    with pytest.raises(Ambiguous) as caught:
        werecats.read(line, table("Ada: ash 4 | Basil: bella 0", city="maid boy"))

    assert message == str(caught.value)


def test_every_move_names_each_card_where_it_can_ever_be():
    """17 villagers are eaten, converted, dragged and reanimated; 21 cards may get food; 4 are chosen; 6 words."""
    moves = werecats.every_move(FACTS)

    assert 4 * 17 + 21 + 4 + 6 == len(moves)
    assert sorted(moves) == moves


# Positions


def test_what_is_not_written_has_a_default():
    """Round 1, nothing in the City, every other villager in the deck, the first werecat to act, no power used."""
    position = table("Ada: ash 0, maid 0; boy | Basil: bella 0").position()

    assert ("acting", 1, "Ada", "maid") == tuple(position[key] for key in ("phase", "round", "first", "acting"))
    assert [] == position["city"] == position["under"]
    assert set(VILLAGERS) - {"maid", "boy"} == set(position["deck"])
    assert {"used", "scared", "meal", "eaten"}.isdisjoint(position)


def test_a_written_deck_leaves_other_villagers_out_of_the_game():
    """They lie nowhere."""
    state = table("Ada: ash 0 | Basil: bella 0", city="maid", deck="boy")

    assert {"maid", "boy", "ash", "bella", "coal", "dusk"} == set(state.pieces())


def test_a_position_with_seats_without_cats_is_in_set_up():
    """Basil has chosen, so he was the first, and Cleo is next."""
    state = table("Ada: | Basil: ash 2 | Cleo:")

    assert ("choosing", "Basil", "Cleo") == tuple(state.position()[key] for key in ("phase", "first", "to-act"))


def test_a_choosing_position_without_any_cat_begins_with_the_seat_to_act():
    """Nobody has chosen; the seat to act is the first."""
    state = table("Ada: | Basil: | Cleo:", to_act="Cleo")

    assert "Cleo" == state.position()["first"]


def test_a_meal_in_the_middle_of_sharing_loads():
    """Two of the giver's three food are left, so the power is being used, and goes on."""
    state = table("Ada: bella 0, maid 1; giver | Basil: coal 0", acting="bella", eaten="giver", meal=2)

    assert "yes" == state.position()["used"]
    assert ["share maid", "done"] == legal(state)


def test_a_draw_without_a_chance_is_an_error():
    """A loaded position draws what it is told to, and else nothing."""
    state = werecats.load(FACTS, table("Ada: ash 0 | Basil: bella 0", city="maid").position())
    with pytest.raises(ChanceError, match="nothing says what comes"):
        state.apply(*werecats.read("eat maid", state))


MISFITS = """
Ada / Basil / ...             | record                     | message
ash 0                         |                            | seats: 1 is the wrong number of seats; 2 to 4 play
ash 0, maid 0 / bella 0; maid |                            | seats.Basil.graveyard.0: maid lies in two places
ash 0, maid 0 / bella 0; maid |                            | Ada's werecats and Basil's Graveyard; each card is there
ash 0 / ash 0                 |                            | seats.Basil.cats.ash: ash lies in two places
maid 0 / bella 0              |                            | seats.Ada.cats: a starting cat is missing; each seat has
ashes 0 / bella 0             |                            | unknown key "ashes"; did you mean "ash"?
ash 0; coal / bella 0         |                            | seats.Ada.graveyard.0: "coal" is not known here
                              | city: [mald]               | city.0: "mald" is not known here; did you mean "maid"?
                              | city: [maid, maid]         | city.1: maid lies in two places: the City and the City
                              | city: [maid], under: [maid]| under.0: maid lies in two places: the City and under the
                              | city: [maid], deck: [maid] | deck.0: maid lies in two places: the City and the deck
                              | city: [coal]               | city.0: "coal" is not known here
                              | acting: coal               | acting: coal is no werecat here; these are: ash and bella
                              | acting: food               | acting: "food" is not known here
                              | to-act: Basil              | to-act: Basil is not to act here; it is Ada
                              | to-act: Bazil              | to-act: "Bazil" is no seat here; did you mean "Basil"?
                              | first: Cleo                | first: "Cleo" is no seat here
                              | scared: [Basil, Dora]      | scared.1: "Dora" is no seat here
                              | phase: meal                | phase: in phase meal a card has just been eaten; name it
                              | eaten: crier, phase: acting| eaten: "eaten" means nothing in phase acting
                              | meal: 1                    | meal: "meal" means nothing in phase acting
                              | phase: over, scared: [Ada] | scared: "scared" means nothing in phase over
                              | phase: over, to-act: Ada   | to-act: "to-act" means nothing in phase over
                              | phase: over, acting: ash   | acting: "acting" means nothing in phase over
                              | phase: over, used: no      | used: "used" means nothing in phase over
                              | phase: choosing            | phase: every seat has a werecat, so nobody is choosing
                              | round: 0                   | round: 0 is out of range
                              | options: {round: 3}        | unknown key "round"; did you mean "rounds"?
maid 0 /                      |                            | seats.Ada.cats: a starting cat is missing; each seat has
ash 2 /                       | first: Basil               | they choose in this order: Basil and Ada
ash 2 /                       | to-act: Ada                | to-act: Ada is not to act here; it is Basil
ash 2 /                       | acting: ash                | acting: "acting" means nothing in phase choosing
ash 2 /                       | phase: acting              | seats.Basil.cats: a starting cat is missing
ash 2 / / coal 2 /            |                            | seats: a seat has chosen before its turn
ash 2, dusk 2 / bella 2 / coal 2 / |                       | seats: 1 seat still to choose, starting cats left: 0
ash 0; cook / bella 0         | eaten: cook                | eaten: cook has no food power to use
ash 0; lord / bella 0         | eaten: lord                | eaten: lord has no food power to use
ash 0; crier / bella 0        | eaten: crier, meal: 2      | meal: with this food power the food has been received
"""


@pytest.mark.parametrize("row", MISFITS.split("\n")[2:-1])
def test_a_position_that_cannot_be_says_why(row):
    """Each misfit has its place, what is wrong, and what would be right."""
    record, expected = row_of(row)
    with pytest.raises(Misfits) as caught:
        werecats.load(FACTS, record)

    assert expected in str(caught.value)


DOUBTS = """
Ada / Basil / ...             | record                     | message
ash 6 / bella 0               |                            | seats.Ada.cats.ash: 6 food are too many; its Vigor is 5
ash 0, coal 0 / bella 0       |                            | seats.Ada.cats: ash and coal are both starting cats; each
                              | phase: meal, eaten: crier  | eaten: crier does not lie in Ada's Graveyard
ash 1 /                       |                            | seats.Ada.cats.ash: 1 food lie on it; it begins with 2
ash 2, maid 0 /               |                            | a seat has one starting cat or none; it chooses one (WC
ash 2; maid /                 |                            | seats.Ada.graveyard: in phase choosing nobody has eaten
ash 2 /                       | city: [maid]               | city: in phase choosing all villagers are in the deck
ash 2 /                       | under: [maid]              | under: in phase choosing all villagers are in the deck
ash 0; giver / bella 0        | eaten: giver, meal: 4      | meal: 4 food are too many; the card's Corpulence is 3
ash 0; giver / bella 0        | eaten: giver, meal: 2, used: no | used: food has been shared, so the power is used
ash 0; priest / bella 0       | eaten: priest, meal: 1     | meal: 1 food are too few; the card's Corpulence is 2
                              | phase: over, round: 4, options: {rounds: 3} | round: round 4 cannot be; round 3 is
                              | city: [maid, boy, cook, clerk, groom, nun, smith, guard] | city: 8 villagers are too
"""


@pytest.mark.parametrize("row", DOUBTS.split("\n")[2:-1])
def test_a_position_that_could_not_have_arisen_says_why_and_goes_on(row):
    """Each doubt has its place, what is odd, and what would be right; the game can be played on all the same."""
    record, expected = row_of(row)
    state = werecats.load(FACTS, record, Seeded(1))
    (doubt,) = werecats.doubts(state)

    assert expected in str(doubt)

    state.rounds = 3
    while state.to_act() != OVER:
        state.apply(state.legal()[0])
    assert state.result()


def test_a_city_with_one_more_and_werecats_made_in_this_round_are_not_doubted():
    """Seven in the City after a draw (WC-AMB-11); eight werecats, of which the first has acted (WC-AMB-7)."""
    cats = "ash 0, maid 0, boy 0, cook 0, clerk 0, groom 0, nun 0, smith 0"

    assert [] == werecats.doubts(table("Ada: ash 0 | Basil: bella 0", city="maid boy cook clerk groom nun smith"))
    assert [] == werecats.doubts(table(f"Ada: {cats} | Basil: bella 0", acting="boy"))


def test_positions_that_arise_in_play_are_not_doubted():
    """Whatever comes of play gives no doubt."""
    for seed in range(10):
        state = werecats.start(FACTS, ["Ada", "Basil", "Cleo"], {"rounds": 6}, Seeded(seed))
        while state.to_act() != OVER:
            assert [] == werecats.doubts(state), state.position()
            state.apply(Seeded(f"{seed} {state.key()}").pick("move", state.legal()))
        assert [] == werecats.doubts(state)


def row_of(row):
    """The record and the message of a row in the tables above."""
    seats, record, expected = (cell.strip() for cell in row.split("|"))
    areas = [area.strip() for area in (seats or "ash 0 / bella 0").split("/")]
    text = " | ".join(f"{name}: {area}" for name, area in zip(("Ada", "Basil", "Cleo", "Dora"), areas, strict=False))
    return written(text) | flow(record), expected


def flow(text):
    """A line of flow YAML, enough for the table above: every value stays text."""
    import yaml

    return yaml.load("{" + text + "}", yaml.BaseLoader)


def test_every_key_of_a_position_is_described():
    """A JSON schema is made from it, and editors show the words."""
    schema = werecats.position_shape(FACTS).schema()["properties"]
    seat = schema["seats"]["additionalProperties"]["properties"]

    assert [] == [key for key, shape in (schema | seat).items() if key != "options" and not shape.get("description")]


# Replay


def replayed(*steps, **expect):
    """The trace of an example: Ada's bella before a City of one."""
    given = written("Ada: bella 0 | Basil: coal 0") | {"city": ["maid"]}
    return replay(werecats, FACTS, Script("example", given, (), {}, steps, expect))


DRAWS = tuple({"draw": {"city": card}} for card in ("boy", "cook", "clerk", "nun", "smith", "lady"))


def test_an_example_with_a_position_draws_what_it_says():
    """Six draws are written before the line that needs them."""
    trace = replayed(*DRAWS, {"Ada": "eat maid"}, position={"city": ["boy", "cook", "clerk", "nun", "smith", "lady"]})

    assert trace.fault is None
    assert trace.ok


def test_an_example_that_draws_too_little_or_too_much_cannot_be_followed():
    """The place is the line that draws, or the steps as a whole."""
    less, more = replayed(*DRAWS[:5], {"Ada": "eat maid"}), replayed(*DRAWS, {"Ada": "dive"})

    assert (("steps", 5), 'a draw of "city" is not in the script') == less.fault
    assert (("steps",), "6 scripted draws were never made") == more.fault


def test_an_illegal_line_that_needs_a_draw_says_so():
    """It is compared with the rule that was expected, and does not stop the replay."""
    trace = replayed({"Ada": "dive"}, illegal={"eat maid": "WC-EAT-1"})
    (check,) = trace.checks

    assert 'a draw of "city" is not in the script' == check.computed
    assert not trace.ok


# Cards


@pytest.mark.parametrize(
    ("card", "change", "message"),
    [
        ("cook", {"count": 2}, "components.cook: there are 2 of it; each card of Werecats is there once"),
        ("ash", {"vigor": 1}, "components.ash: Vigor 1 is too little; a starting cat begins with 2 food on it"),
        (
            "boy",
            {"turn-order": 5},
            "components.boy: maid has Turn Order 5 with the same border; a number is there twice",
        ),
    ],
)
def test_cards_that_are_no_pieces_of_this_game_are_told(card, change, message):
    """A new game and a position refuse them alike."""
    facts = deepcopy(FACTS)
    facts["components"][card] |= change
    with pytest.raises(Misfits) as caught:
        werecats.start(facts, ["Ada", "Basil"], {}, Seeded(1))

    assert message in str(caught.value)
    with pytest.raises(Misfits) as caught:
        werecats.load(facts, {"seats": {"Ada": {"cats": {"ash": 0}}, "Basil": {"cats": {"bella": 0}}}})

    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("seats", "message"),
    [
        (["Ada"], "1 is the wrong number of seats; 2 to 4 play"),
        (["Ada", "Basil", "Cleo", "Dora", "Enid"], "5 is the wrong number of seats"),
        (["Ada", "Ada"], "two seats have one name"),
    ],
)
def test_a_game_has_two_to_four_seats(seats, message):
    """Each with a name of its own."""
    with pytest.raises(Misfits) as caught:
        werecats.start(FACTS, seats, {}, Seeded(1))

    assert message in str(caught.value)


def test_a_game_needs_a_starting_cat_for_each_seat():
    """Three are too few for four."""
    facts = {"components": {id_: card for id_, card in FACTS["components"].items() if id_ != "dusk"}}
    with pytest.raises(Misfits, match="3 starting cats are too few"):
        werecats.start(facts, ["Ada", "Basil", "Cleo", "Dora"], {}, Seeded(1))


def test_an_unknown_option_is_told():
    """With the known one."""
    with pytest.raises(Misfits, match='unknown key "round"; did you mean "rounds"'):
        werecats.start(FACTS, ["Ada", "Basil"], {"round": 3}, Seeded(1))


# Every promise of the battery, with a deck so small that it runs out


@pytest.mark.soak
@pytest.mark.slow("plays a game for every promise")
@pytest.mark.parametrize("check", battery.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_battery_holds_with_few_cards(seats, check):
    """17 villagers run out soon, so that short decks, empty Cities and known cards come up often."""
    for seed in seeds(1)[:1] if check in battery.ONCE else seeds(1):
        check(battery.Setting("grimalkin.games.werecats", FACTS, seats, seed))


@pytest.mark.soak
@settings(max_examples=40 * MORE, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**9), seats=st.integers(2, 4))
def test_random_games_stay_within_the_rules(seed, seats):
    """No cat ever holds less than no food or more than its Vigor; at most one turn a werecat and round; a seat has one
    starting cat; the City is empty only when the deck is."""
    turns = []
    state = None
    for before in battery.walk(battery.Setting("grimalkin.games.werecats", FACTS, seats, seed)):
        state = before.state
        position = state.position()
        if position["phase"] == "choosing":
            continue
        for seat, has in position["seats"].items():
            for cat, held in has["cats"].items():
                assert 0 <= held <= FACTS["components"][cat]["vigor"], (seat, cat)

            assert 1 == sum("jewel" not in FACTS["components"][cat] for cat in has["cats"])

        assert position["city"] or not (position["deck"] or position["under"])
        if not turns or turns[-1] != (position["round"], position["acting"]):
            turns.append((position["round"], position["acting"]))

    assert len(set(turns)) == len(turns)
    assert state.to_act() == OVER


@pytest.mark.soak
@settings(max_examples=40 * MORE, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**9))
def test_events_tell_every_food_that_moves(seed):
    """In a turn, food received, paid and shared adds up to what lies on the seat's werecats afterwards."""
    import re

    state = werecats.start(FACTS, ["Ada", "Basil"], werecats.SIMULATION, Seeded(seed))
    luck = Seeded(seed + 1)
    while state.to_act() != OVER:
        before = sum(state.food)
        log = []
        state.apply(luck.pick("move", state.legal()), log)
        change = 0
        for event in log:
            found = re.search(r"(spends|pays|receives|gets|begins with) (\d+) food", event.text)
            if found:
                change += int(found[2]) * (-1 if found[1] in ("spends", "pays") else 1)

        assert before + change == sum(state.food), [event.text for event in log]


def perft(state, depth):
    """How many sequences of so many small moves there are."""
    if depth == 0:
        return 1
    count = 0
    for move in state.legal():
        after = state.clone()
        after.apply(move)
        count += perft(after, depth - 1)
    return count


def test_small_positions_have_the_counts_worked_out_by_hand():
    """Ash, Force 1 and no food, before the boy (Force 0, Will 0) and the giver (Force 1): eat, convert, dive, scare,
    rest are 5. Then bella, Force 2: after eating or converting she has the giver alone, 1 + dive, scare, rest = 4; not
    the giver's conversion (1 + 1 = 2). After diving or resting she may also eat or convert the boy, 6; after a Scare,
    which brings both back, the same 6. 4 + 4 + 6 + 6 + 6 = 26."""
    state = table("Ada: ash 0 | Basil: bella 0", city="boy giver", deck="")

    assert [5, 26] == [perft(state, depth) for depth in (1, 2)]


# Seats, views and bots


def test_a_view_cannot_be_changed():
    """A bot cannot reach the game through what it sees."""
    view = table("Ada: ash 0 | Basil: bella 0").view(0)
    with pytest.raises(AttributeError):
        view.round = 2

    assert hash(view) == hash(table("Ada: ash 0 | Basil: bella 0").view(0))


def test_a_list_of_legal_moves_belongs_to_its_caller():
    """Changing it does not change what is legal."""
    for state in (table("Ada: ash 0 | Basil: bella 0"), table("Ada: ash 2 | Basil:")):
        state.legal().clear()

        assert state.legal()


def test_everybody_sees_graveyards_and_scared_cards():
    """They lay open once; the deck is a set for everybody."""
    state = table("Ada: ash 0; maid | Basil: bella 0", under="boy cook")
    numbers = {id_: card for card, id_ in enumerate(state.view(0).cards.ids)}
    for seat in (0, 1):
        view = state.view(seat)

        assert ((numbers["maid"],), ()) == view.graveyards
        assert (numbers["boy"], numbers["cook"]) == view.under
        assert {numbers[id_] for id_ in VILLAGERS} - {numbers[id_] for id_ in ("maid", "boy", "cook")} == set(
            members(view.deck)
        )


def test_imagining_another_world_replaces_the_chance_alone():
    """The same table, and other cards to come; the state itself keeps its own."""
    state = table("Ada: ash 0 | Basil: bella 0", *SIX, city="maid")
    others = ("lady", "lord", "guard", "brute", "giver", "bully")
    other = state.imagine(0, Scripted([("city", card) for card in others]))
    six = ("boy", "cook", "clerk", "nun", "smith", "lady")
    state.chance = Scripted([("city", card) for card in six])

    assert other.key() == state.key()
    played(other, "eat maid")
    played(state, "eat maid")

    assert (" ".join(others), " ".join(six)) == (city(other), city(state))


def test_every_bot_plays_a_game():
    """With what it sees alone."""
    for name, bot in werecats.BOTS.items():
        state = werecats.start(FACTS, ["Ada", "Basil"], werecats.SIMULATION, Seeded(1))
        play_out(state, [bot(1), werecats.BOTS["random"](2)], werecats.MOST_DECISIONS)

        assert state.result(), name


BARE = """
import json, sys
sys.path.insert(0, {path!r})
from grimalkin.engine.chance import Seeded
from grimalkin.engine.kinds import members
from grimalkin.engine.play import play_out
from grimalkin.games import werecats as game
state = game.start(json.load(sys.stdin), ["Ada", "Basil"], game.SIMULATION, Seeded(1))
play_out(state, [game.BOTS["random"](1), game.BOTS["random"](2)], game.MOST_DECISIONS)
print(state.result().because)
"""


def test_the_bare_library_plays_a_game():
    """Python alone, isolated and without site-packages, is enough."""
    script = BARE.format(path=str(Path(grimalkin.__file__).parent.parent))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], input=json.dumps(FACTS), capture_output=True, text=True
    )

    assert "" == done.stderr
    assert "the highest total" in done.stdout


# On the command line, with the real cards

POSITION = """
seats:
  Ada: {cats: {duchess: 0, baker: 0, cook: 0}, graveyard: [miller]}
  Basil: {cats: {tom: 0}}
"""


@pytest.fixture
def position_file(tmp_path):
    path = tmp_path / "position.yaml"
    path.write_text(POSITION, encoding="utf-8")
    return str(path)


@pytest.mark.slow("runs commands on the whole game")
def test_a_score_comes_with_its_notes(position_file, capsys):
    """Two rubies, of one colour: 2 × 3. The note names the rule and both numbers, in text and in JSON."""

    assert 0 == main(["score", "werecats", position_file])
    out = capsys.readouterr().out

    assert "1 of 5 jewels, too few for 10 points; the best of them, ruby, scores 2 × 3 = 6 points.  [WC-SCORE-4]" in out
    assert 0 == main(["score", "werecats", position_file, "--json"])
    (note,) = json.loads(capsys.readouterr().out)["scores"][0]["notes"]

    assert "WC-SCORE-4" == note["rule"]
    assert "2 × 3 = 6" in note["text"]


@pytest.mark.slow("runs commands on the whole game")
def test_why_tells_what_it_drew(position_file, capsys):
    """A Scare brings six cards that nobody knows; the answer names them, and is the same each time."""
    answers = []
    for _ in range(2):
        assert 0 == main(["why", "werecats", position_file, "scare"])
        answers.append(capsys.readouterr().out)
    (told_line,) = [line for line in answers[0].splitlines() if line.startswith("drawn for this answer: ")]

    assert answers[0] == answers[1]
    assert 6 == told_line.count("city ")
    assert 0 == main(["why", "werecats", position_file, "scare", "--json"])
    record = json.loads(capsys.readouterr().out)

    assert told_line.endswith(", ".join(f"{label} {card}" for label, card in record["drawn"]))


@pytest.mark.slow("runs commands on the whole game")
def test_why_tells_what_it_drew_before_a_refusal(position_file, capsys):
    """The barmaid is the last in the City, so six cards come before the baker, a werecat, cannot be dragged."""
    path = Path(position_file)
    path.write_text("seats: {Ada: {cats: {duchess: 2, baker: 0}}, Basil: {cats: {tom: 2}}}\nacting: duchess\n")
    path.write_text(path.read_text() + "city: [barmaid]\n")

    assert 1 == main(["why", "werecats", position_file, "eat barmaid, drag baker", "--json"])
    record = json.loads(capsys.readouterr().out)

    assert ("WC-PWR-3", 6) == (record["rule"], len(record["drawn"]))
    assert 1 == main(["why", "werecats", position_file, "eat barmaid, drag baker"])
    assert "drawn for this answer: city " in capsys.readouterr().out


@pytest.mark.slow("runs commands on the whole game")
def test_why_tells_what_is_left_to_say(position_file, capsys):
    """The barmaid's power is still to be used or not; after that nothing is open."""
    path = Path(position_file)
    path.write_text("seats: {Ada: {cats: {duchess: 2}}, Basil: {cats: {tom: 2}}}\ncity: [barmaid, heir, cook]\n")

    assert 0 == main(["why", "werecats", position_file, "eat barmaid"])
    answer = capsys.readouterr().out.split("The turn goes on; Ada may say: ")[1]

    assert ["done", "drag cook", "drag heir"] == sorted(answer.strip().split(", "))
    assert 0 == main(["why", "werecats", position_file, "eat barmaid, done"])
    assert "goes on" not in capsys.readouterr().out


@pytest.mark.slow("runs commands on the whole game")
def test_why_says_nothing_of_draws_when_there_are_none(position_file, capsys):
    """Diving draws nothing."""

    assert 0 == main(["why", "werecats", position_file, "dive"])
    assert "drawn" not in capsys.readouterr().out


def test_a_start_and_a_list_of_cats_will_do():
    """Who only scores does not care for food: the starting cat by itself, the others as a list, all without food."""
    state = werecats.load(
        FACTS,
        {"seats": {"Ada": {"start": "ash", "cats": ["maid", "boy"]}, "Basil": {"start": "coal"}}, "phase": "over"},
    )

    assert {"ash": 0, "maid": 0, "boy": 0} == state.position()["seats"]["Ada"]["cats"]
    assert [7, 0] == [score.total for score in state.score()]


@pytest.mark.parametrize(
    ("seat", "wrong"),
    [
        ({"start": "ash", "cats": ["ash"]}, "seats.Ada.start: ash is among the cats too"),
        ({"start": "ash", "cats": ["maid", "maid"]}, 'seats.Ada.cats.1: "maid" is there twice'),
        ({"start": "maid"}, 'seats.Ada.start: "maid" is not known here'),
        ({"start": "ash", "cats": ["mad"]}, 'seats.Ada.cats.0: "mad" is not known here; did you mean "maid"?'),
    ],
)
def test_a_start_and_a_list_that_cannot_be(seat, wrong):
    """Each is told with its place."""
    with pytest.raises(Misfits) as caught:
        werecats.load(FACTS, {"seats": {"Ada": seat, "Basil": {"start": "coal"}}, "phase": "over"})

    assert wrong in str(caught.value)


def test_a_name_will_do_for_an_id():
    """The made-up cook is called Cook; here she has a proper name."""
    facts = deepcopy(FACTS)
    facts["components"]["cook"]["name"] = "Hetty Suet"
    state = werecats.load(facts, written("Ada: bella 0 | Basil: coal 0") | {"city": ["cook", "maid"]})

    assert werecats.read("eat cook", state) == werecats.read("Eat  hetty SUET", state)


@pytest.mark.parametrize(
    ("id_", "change", "wrong"),
    [
        ("boy", {"turn-order": 5}, "maid has Turn Order 5 with the same border"),
        ("boy", {"will": None}, 'the column "will" is empty'),
        ("ash", {"force": None}, 'the column "force" is empty'),
        ("boy", {"power": "flight"}, 'no food power is called "flight"'),
        ("ash", {"vigor": 1}, "Vigor 1 is too little"),
    ],
)
def test_cards_that_are_no_cards_of_this_game(id_, change, wrong):
    """Content is told at the card, once, before any example is looked at."""
    facts = deepcopy(FACTS)
    facts["components"][id_] |= change
    (misfit,) = werecats.check_facts(facts)

    assert ("components", id_) == misfit.at
    assert wrong == misfit.message
    assert [] == werecats.check_facts(FACTS)


def test_a_first_city_of_nobody():
    """With only the guard, Force 3, in the deck nobody may stand in the first City; round 1 then tops it up."""
    state = werecats.load(
        FACTS,
        {"seats": {"Ada": {"cats": {"ash": 2}}, "Basil": {}}, "deck": ["guard"]},
        Scripted([("city", "guard")] * 2),
    )
    events = played(state, "choose bella")

    assert ["The City is laid out: nobody."] == told(events, "WC-SETUP-3")
    assert "guard" == city(state)


def test_choosing_is_a_turn_of_its_own():
    """Three choose; the second choice of one line would be the next seat's (WC-SETUP-1)."""
    state = werecats.load(FACTS, {"seats": {"Ada": {}, "Basil": {}, "Cleo": {}}, "phase": "choosing"})

    with pytest.raises(TooFar, match='"choose bella" goes too far: the line ends before it, and then Basil is to act'):
        play_line(werecats, state, "choose ash, choose bella")


def test_a_guessed_phase_is_told():
    """Basil has no werecat, so the City cannot lie there yet; the phase was not written but guessed."""
    state = werecats.load(FACTS, {"seats": {"Ada": {"cats": {"ash": 2}}, "Basil": {}}, "city": ["maid"]})

    assert "choosing" == state.position()["phase"]
    assert [
        "city: in phase choosing all villagers are in the deck; a seat has no werecats, so the phase is choosing"
    ] == [str(doubt) for doubt in werecats.doubts(state)]


@pytest.mark.slow("runs commands on the whole game")
def test_a_score_names_the_winner_and_the_rules(position_file, capsys):
    """Ada has created cats and Basil a Graveyard of nobody; WC-PLAYERS-3 makes her win, in text and in JSON."""
    Path(position_file).write_text(
        "phase: over\nseats:\n  Ada: {start: soot, cats: [baker]}\n  Basil: {start: tom, graveyard: [cook]}\n"
    )

    assert 0 == main(["score", "werecats", position_file])
    out = capsys.readouterr().out
    assert "Ada wins: Ada has the highest total, 5.  [WC-PLAYERS-3]" in out
    assert "WC-PLAYERS-3: Who wins" in out
    assert 0 == main(["score", "werecats", position_file, "--json"])
    result = json.loads(capsys.readouterr().out)["result"]

    assert (["Ada"], ["WC-PLAYERS-3"]) == (result["winners"], result["rules"])
