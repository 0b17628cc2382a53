"""Werecats: what its rules say, worked out by hand on made-up cards, so that tuning the deck breaks nothing here."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import partial

import playing
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import NAMES, assert_no_doubt_arises, assert_plays_bare, perft, rules, turn
from soak import MORE, seeds
from stories import agree, assert_followed, flow, rows, stories
from werecats_for_tests import LISTS, made_up_cards, written

from grimalkin.cli import main
from grimalkin.engine.chance import ChanceError, Scripted, Seeded
from grimalkin.engine.kinds import members
from grimalkin.engine.play import play_out
from grimalkin.engine.replay import Script, replay
from grimalkin.engine.shape import Misfits
from grimalkin.engine.words import OVER, Ambiguous, Line, Score, Unreadable
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


FACTS = made_up_cards(CARDS)
VILLAGERS = [id_ for id_, card in FACTS["components"].items() if card.get("jewel")]


def table(text, *draws, **record):
    """A position: seats as above, lists as words with spaces. `draws` are what the deck gives next."""
    rest = {key.replace("_", "-"): value.split() if key in LISTS else value for key, value in record.items()}
    return werecats.load(FACTS, written(text) | rest, Scripted([("city", card) for card in draws]))


played = partial(playing.played, werecats)
refusal = partial(playing.refusal, werecats)
legal = partial(playing.legal, werecats)


def position(given):
    """The position of a story, as of `table`, or a new game of so many seats, as `new 2 -- first: Ada`. Of its record,
    `draws` come next, or what a `seed` gives."""
    text, _, rest = given.partition("--")
    record = flow(rest)
    draws, seed = record.pop("draws", "").split(), record.pop("seed", "")
    if text.startswith("new "):
        return new_game(*draws, seats=int(text[4:]), **record)
    state = table(text, *draws, **record)
    if seed:
        state.chance = Seeded(seed)
    return state


def food(state, cat):
    return next(has["cats"][cat] for has in state.position()["seats"].values() if cat in has["cats"])


def cats(state, seat="Ada"):
    """The werecats of a seat, the first to act first."""
    return list(state.position()["seats"][seat]["cats"])


def graveyard(state, seat="Ada"):
    return state.position()["seats"][seat]["graveyard"]


def city(state, *_):
    return " ".join(state.position()["city"])


def total(state, seat):
    return next(score.total for score in state.score() if score.seat == seat)


# Scoring


def test_villagers_and_created_werecats_count():
    """The rulebook's examples: eight villagers in the Graveyard, two of them of High Value, make 6 + 4 = 10, and so do
    five created werecats. Of nothing there is no line."""
    villagers = [
        Line("WC-SCORE-1", "villagers in the Graveyard", 6, 1, 6),
        Line("WC-PWR-4", "High Value villagers", 2, 2, 4),
    ]

    assert villagers == werecats.scoring.card_lines(6, 2, 0)
    assert [Line("WC-SCORE-2", "created werecats", 5, 2, 10)] == werecats.scoring.card_lines(0, 0, 5)
    assert [] == werecats.scoring.card_lines(0, 0, 0)


COLOURS = ("ruby", "emerald", "citrine", "sapphire", "amethyst")
JEWELS = """
ruby emerald citrine sapphire amethyst | rule       | label            | points
1    1       3       0        0        | WC-SCORE-4 | citrine werecats | 9
1    1       1       1        1        | WC-SCORE-3 | five jewels      | 10
3    1       1       1        1        | WC-SCORE-3 | five jewels      | 10
1    1       1       4        1        | WC-SCORE-4 | sapphire werecats| 12
4    1       1       1        0        | WC-SCORE-4 | ruby werecats    | 12
0    0       0       0        1        | WC-SCORE-4 | amethyst werecats| 3
"""


@pytest.mark.parametrize(("counts", "rule", "label", "points"), rows(JEWELS, header=True))
def test_jewels_score_by_the_better_choice(counts, rule, label, points):
    """Ten for five colours, or three for each werecat of one colour, whichever is more."""
    jewels = dict(zip(COLOURS, map(int, counts.split()), strict=True))
    (line,) = werecats.scoring.jewel_score(jewels).lines

    assert (rule, label, int(points)) == (line.rule, line.label, line.points)


NOTES = """
0 0 0 0 0 |            |
3 1 1 1 1 | WC-AMB-17  | ...10 points, ruby alone would score 3 × 3 = 9 points, so five jewels score.
4 1 1 1 1 | WC-AMB-17  | ...10 points, ruby alone would score 4 × 3 = 12 points, so one jewel scores.
2 1 0 0 0 | WC-SCORE-4 | ...2 of 5 jewels...ruby, scores 2 × 3 = 6 points...
"""


@pytest.mark.parametrize(("counts", "rule", "note"), rows(NOTES))
def test_a_note_tells_both_numbers_of_the_choice(counts, rule, note):
    """Five jewels against the best colour, and too few colours against ten points; of none there is neither."""
    jewels = dict(zip(COLOURS, map(int, counts.split()), strict=True))
    lines, notes, _ = werecats.scoring.jewel_score(jewels)

    assert ([rule] if rule else []) == [each for each, _ in notes]
    assert agree(note, "".join(text for _, text in notes))
    assert bool(rule) == bool(lines)


WINNERS = """
points | created | food  | winners   | why
5 6    | 9 0     | 9 0   | Basil     | the highest total, 6
6 6    | 2 1     | 0 9   | Ada       | the most created werecats, 2
6 6    | 2 2     | 3 4   | Basil     | the most food left, 4
6 6    | 2 2     | 4 4   | Ada Basil | share the win
6 6 6  | 1 2 2   | 9 4 3 | Basil     | the most food left, 4
6 6 6  | 1 1 0   | 4 1 4 | Ada       | Ada, Basil and Cleo have the highest total, 6;
    Ada and Basil have the most created werecats, 1; Ada has the most food left, 4.
"""


@pytest.mark.parametrize(("points", "created", "left", "names", "why"), rows(WINNERS, header=True))
def test_ties_go_to_created_werecats_then_to_food(points, created, left, names, why):
    """Points first; then created werecats; then food on werecats; then all who are left win."""
    totals, *numbers = [list(map(int, column.split())) for column in (points, created, left)]
    scores = [
        Score(seat, (Line("WC-SCORE-1", "", total, 1, total),)) for seat, total in zip(NAMES, totals, strict=False)
    ]
    result = werecats.scoring.winners(scores, *numbers)

    assert tuple(names.split()) == result.winners
    assert why in result.because
    assert (("WC-PLAYERS-3", "WC-AMB-3") if totals.count(max(totals)) > 1 else ("WC-PLAYERS-3",)) == result.rules


# Set-up


def new_game(*draws, seats=2, first="Ada", facts=FACTS, **options):
    names = ["Ada", "Basil", "Cleo", "Dora"][:seats]
    return werecats.start(facts, names, options, Scripted([("first", first), *[("city", card) for card in draws]]))


SIX = ("maid", "boy", "cook", "clerk", "nun", "smith")


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


# Stories

STORIES = """
WC-SETUP-1 the drawn seat chooses first, and the others follow clockwise
    new 3 -- draws: maid boy cook clerk nun smith, first: Cleo
    > Cleo: choose dusk / Ada: choose coal
    > Basil: choose bella -> ... WC-SETUP-1
    cats Basil: [bella]
WC-AMB-19 only the first choice tells who was drawn
    new 2 -- draws: maid boy cook clerk nun smith, first: Basil
    > choose ash / choose coal
    told WC-AMB-19: Basil won the draw to choose first; the others follow clockwise.
WC-SETUP-1 a starting cat begins with two food, and a seat that has not chosen has nothing
    new 2 -- draws: maid boy cook clerk nun smith
    > choose ash
    seats.Ada.cats: {ash: 2}
    seats.Basil.cats: {}
WC-SETUP-1 a starting cat is chosen once, and what is left is offered in Turn Order
    new 2 -- draws: maid boy cook clerk nun smith
    legal: [choose dusk, choose ash, choose bella, choose coal]
    > choose ash
    legal: [choose dusk, choose bella, choose coal]
    ! choose ash -> WC-SETUP-1: Ash is taken: Ada has it
WC-SETUP-3 after the last choice six villagers are turned up, and the first cat acts: Dusk has Turn Order 8, Ash 20
    new 2 -- draws: maid boy cook clerk nun smith
    > choose ash / choose dusk -> no WC-SETUP-4
    city: maid boy cook clerk nun smith
    deck: [bully, runner, guard, crier, groom, priest, giver, dancer, lord, brute, lady]
    actor: Basil dusk
    round: 1
WC-SETUP-4 villagers of Force 3 are replaced in the first City, and so are their replacements
    new 2 -- draws: maid guard boy cook clerk nun brute smith
    > choose ash / choose dusk
    city: maid boy cook clerk nun smith
    deck: [bully, runner, guard, crier, groom, priest, giver, dancer, lord, brute, lady]
    told WC-SETUP-4: Shuffled back into the deck, with Force 3 or more: the guard and the brute.

WC-ROUND-4 each werecat of every seat acts once a round, the lowest number first
    Ada: ash 0, maid 0 | Basil: dusk 0, boy 0 -- draws: cook clerk nun smith lady lord
    > Ada maid: rest / Basil dusk: rest / Basil boy: rest
    > Ada ash: rest -> WC-ROUND-4 WC-ROUND-2 WC-CITY-2
    actor: Ada maid
    round: 2
WC-ROUND-6 of equal numbers the red border acts first: groom and clerk have 33, and the groom is red
    Ada: bella 0, clerk 0 | Basil: coal 0, groom 0 -- acting: bella
    > rest
    told WC-ROUND-6: Basil's groom and Ada's clerk have Turn Order 33; the red border acts first, so the groom is up.
    > Basil groom: rest
    told WC-ROUND-6: ...the red border has already acted, so the clerk is up...
    > Ada clerk: rest -> no WC-ROUND-6
WC-CITY-2 a round opens by topping the City up to six: two stay in front, four come behind them
    Ada: ash 0 | Basil: bella 0 -- draws: cook clerk nun guard, city: maid boy, acting: bella
    > rest
    city: maid boy cook clerk nun guard
WC-CITY-2 within a round the City is not topped up
    Ada: ash 0 | Basil: bella 0 -- city: maid boy cook clerk nun smith
    > eat maid
    city: boy cook clerk nun smith
WC-CITY-2 a City of seven stays so when the round opens
    Ada: ash 0 | Basil: bella 0 -- city: maid boy cook clerk nun smith lady, acting: bella
    > rest -> WC-ROUND-4 WC-ROUND-2
    city: maid boy cook clerk nun smith lady
WC-AMB-9 a short deck tops up with what it has, three of four that are missing
    Ada: ash 0 | Basil: bella 0 -- draws: nun, city: maid boy, deck: nun, under: cook clerk, acting: bella
    > rest
    city: maid boy nun cook clerk
    told WC-AMB-9: The deck is empty, so the City holds 5 of 6 cards.
WC-ROUND-4 nobody need act: resting is offered, and the last
    Ada: ash 0 | Basil: bella 0 -- city: guard
    legal: [dive, scare, rest]

WC-EAT-1 Ash, Force 1, eats what is weaker
    Ada: ash 0 | Basil: bella 0 -- city: maid cook nun guard
    legal eat: [eat maid]
WC-EAT-1 with 1 food Ash eats Force 1
    Ada: ash 1 | Basil: bella 0 -- city: maid cook nun guard
    legal eat: [eat maid, eat cook]
WC-EAT-1 with 2 food Ash eats Force 2
    Ada: ash 2 | Basil: bella 0 -- city: maid cook nun guard
    legal eat: [eat maid, eat cook, eat nun]
WC-EAT-1 with 3 food Ash eats Force 3
    Ada: ash 3 | Basil: bella 0 -- city: guard
    legal eat: [eat guard]
WC-FOOD-2 exactly the food that is needed is spent: 2 of 4 to exceed the nun's Force 2, and then Ash gets 2
    Ada: ash 4 | Basil: bella 0 -- city: nun maid
    > eat nun -> WC-FOOD-2 WC-EAT-3 WC-EAT-4
    food ash: 4
    told WC-FOOD-2: Ada's Ash spends 2 food, 2 left: Force 1 + 2 = 3 for this action.
WC-FOOD-2 a stronger cat spends nothing: Bella, Force 2, eats Force 1 without food
    Ada: bella 0 | Basil: coal 0 -- city: cook maid
    > eat cook -> no WC-FOOD-2
    food bella: 2
WC-EAT-1 food of another cat does not help: the maid, Force 0, cannot eat Force 1 though Ash has 5
    Ada: ash 5, maid 0 | Basil: bella 0 -- city: cook boy
    ! eat cook -> WC-EAT-1
WC-EAT-3 the eaten lie in the Graveyard in order, the new card on top, at the end
    Ada: ash 0; nun | Basil: bella 0 -- city: maid boy
    > eat maid
    graveyard Ada: [nun, maid]
    city: boy
WC-FOOD-3 food above Vigor is thrown away: Bella, Vigor 3, has 2 and gets 2
    Ada: bella 2 | Basil: coal 0 -- city: cook maid
    > eat cook
    food bella: 3
    told WC-EAT-4: Ada's Bella gets 1 food and holds 3.
    told WC-FOOD-3: The Vigor of Bella is 3, so 1 of 2 food goes back to the stock.
WC-FOOD-3 food that just fits is kept: Bella, Vigor 3, has 1 and gets 2
    Ada: bella 1 | Basil: coal 0 -- city: cook maid
    > eat cook -> no WC-FOOD-3
    food bella: 3
WC-CITY-3 eating the last card fills the City at once, so the next cat finds six
    Ada: ash 1 | Basil: bella 0 -- draws: boy cook clerk nun guard brute, city: maid
    > eat maid
    city: boy cook clerk nun guard brute
    told WC-CITY-3: The City's last card is gone, so the players fill it immediately. / ...
    acting: bella
    round: 1
WC-AMB-29 converting the last card fills the City at once too, by a ruling
    Ada: ash 1 | Basil: bella 0 -- draws: boy cook clerk nun guard brute, city: maid
    > convert maid
    city: boy cook clerk nun guard brute
    told WC-AMB-29: The City's last card is gone, so the players fill it immediately. / ...
    acting: bella
    round: 1
WC-AMB-9 an empty deck leaves an emptied City empty
    Ada: ash 0 | Basil: bella 0 -- city: maid, deck: ''
    > eat maid -> ... WC-AMB-9
    city: ''
    legal: [dive, scare, rest]

WC-EAT-5 a card without a power and one of High Value ask nothing, and the turn ends with the meal:
    for CARD: cook, lord
    Ada: bella 0 | Basil: coal 0 -- city: CARD maid
    > eat CARD
    acting: coal
WC-PWR-2 shared food may be split, and the rest goes to the eater
    Ada: bella 0, maid 0, boy 1 | Basil: coal 0 -- city: giver cook, acting: bella
    > eat giver, share maid, share boy, done -> WC-EAT-3 WC-PWR-2 WC-PWR-2 WC-EAT-4
    seats.Ada.cats: {maid: 1, boy: 2, bella: 1}
    acting: coal
WC-PWR-2 sharing the last food ends the turn: all 3 go to the smith, Vigor 4
    Ada: bella 1, smith 1 | Basil: coal 0 -- city: giver cook, acting: bella
    > eat giver, share smith, share smith, share smith
    seats.Ada.cats: {bella: 1, smith: 4}
    acting: coal
WC-AMB-13 food is not shared beyond Vigor, the maid's 2; then only Bella herself is left
    Ada: bella 0, maid 0 | Basil: coal 0 -- city: giver cook, acting: bella
    > eat giver, share maid, share maid
    legal: [done]
    ! share maid -> WC-AMB-13: Ada's maid is full: it holds 2 food, and its Vigor is 2
    > done
    seats.Ada.cats: {bella: 1, maid: 2}
WC-FOOD-3 what is not shared is limited by the eater's Vigor: Bella holds 2 of 3 and gets all 3 of the meal
    Ada: bella 2, maid 2 | Basil: coal 0 -- city: giver cook, acting: bella
    > eat giver, done -> WC-EAT-3 WC-EAT-5 WC-EAT-4 WC-FOOD-3
    food bella: 3
    told WC-FOOD-3: The Vigor of Bella is 3, so 2 of 3 food goes back to the stock.
WC-PWR-3 Peer Pressure drags a villager of any Force without food
    Ada: bella 0 | Basil: coal 0 -- city: bully guard maid
    > eat bully, drag guard -> WC-EAT-3 WC-EAT-4 WC-PWR-3
    graveyard Ada: [bully, guard]
    city: maid
    food bella: 1
    acting: coal
WC-PWR-9 the power of a dragged card is ignored: the crier draws nothing
    Ada: bella 0 | Basil: coal 0 -- city: bully crier maid
    > eat bully, drag crier -> ... WC-PWR-9
    acting: coal
    city: maid
WC-AMB-33 High Value counts on a dragged card: the lord is worth 2
    Ada: bella 0 | Basil: coal 0 -- city: bully lord maid
    > eat bully, drag lord -> ... WC-AMB-33
    total Ada: 3
WC-CITY-3 Peer Pressure after the last card drags from the new City
    Ada: bella 0 | Basil: coal 0 -- draws: boy cook clerk nun guard brute, city: bully
    > eat bully
    legal: [drag boy, drag cook, drag guard, drag clerk, drag nun, drag brute, done]
    > drag brute
    city: boy cook clerk nun guard
WC-AMB-29 dragging the last card fills the City
    Ada: bella 0 | Basil: coal 0 -- draws: boy cook clerk nun guard brute, city: bully maid
    > eat bully, drag maid -> ... WC-AMB-29
    city: boy cook clerk nun guard brute
WC-PWR-5 Draw adds a villager even to a full City, in the last place
    Ada: bella 0 | Basil: coal 0 -- draws: nun, city: crier maid boy cook clerk smith lady
    > eat crier, draw
    city: maid boy cook clerk smith lady nun
    told WC-PWR-5: The nun joins the City, which holds 7.
WC-AMB-32 Draw from an empty deck is allowed and brings nothing
    Ada: bella 0 | Basil: coal 0 -- city: crier maid, deck: ''
    > eat crier, draw -> ... WC-AMB-32
    city: maid
    acting: coal
WC-PWR-6 an extra action costs one food of the starting cat: Bella pays, and the nun, who has eaten, acts again
    Ada: bella 2, nun 0 | Basil: coal 0 -- city: runner maid cook, acting: nun
    > eat runner, again -> WC-EAT-3 WC-EAT-4 WC-PWR-6
    seats.Ada.cats: {bella: 1, nun: 1}
    acting: nun
    used: "yes"
    legal: [eat maid, eat cook, convert maid, convert cook, dive, scare, rest]
WC-PWR-6 the starting cat may buy its own extra action with the food just received
    Ada: bella 0 | Basil: coal 0 -- city: runner maid cook
    > eat runner, again, eat maid
    # 0 + 1 - 1 + 1
    food bella: 1
    acting: coal
WC-PWR-6 the extra action may be any action, after which the turn is over:
    for ACTION: convert boy, dive, scare, rest
    Ada: bella 2 | Basil: coal 0 -- draws: cook clerk nun smith lady lord, city: runner boy
    > eat runner, again, ACTION
    acting: coal
WC-SCARE-3 the extra action does not allow a second Scare of the round
    Ada: bella 2 | Basil: coal 0 -- city: runner boy, scared: Ada
    ! eat runner, again, scare -> WC-SCARE-3
WC-PWR-8 a second card in a turn brings no power: Draw is asked for, and only refused or left
    Ada: bella 2 | Basil: coal 0 -- city: runner crier boy
    > eat runner, again, eat crier -> ... WC-PWR-9
    legal: [done]
    ! draw -> WC-PWR-8
    > done
    acting: coal
    city: boy
WC-PWR-9 only the first card of a turn brings an extra action
    Ada: bella 2 | Basil: coal 0 -- city: runner dancer boy
    > eat runner, again, eat dancer
    ! again -> WC-PWR-9
WC-PWR-8 a meal that cannot be shared, of the second card of the turn, goes to the eater as far as her Vigor allows
    Ada: bella 2, maid 0 | Basil: coal 0 -- city: runner giver boy, acting: bella
    > eat runner, again, eat giver
    legal: [done]
    ! share maid -> WC-PWR-8
    > done
    seats.Ada.cats: {bella: 3, maid: 0}
WC-PWR-8 a power used in one turn is free again in the next: the nun draws after Bella has acted twice
    Ada: bella 1, nun 0 | Basil: coal 0, brute 0 -- draws: lady, city: runner boy crier cook, acting: bella
    > eat runner, again, dive / rest / eat crier, draw
    city: boy cook lady
WC-PWR-7 Reanimate costs two food of the starting cat and the meal, and needs no test of Force
    Ada: bella 3, nun 0; guard | Basil: coal 0, brute 0 -- city: priest maid, acting: nun
    > eat priest, reanimate guard -> WC-EAT-3 WC-PWR-7 WC-CONV-3 WC-AMB-7
    seats.Ada.cats: {bella: 1, nun: 0, guard: 0}
    graveyard Ada: [priest]
    cats Ada: [guard, bella, nun]
WC-PWR-7 the card just eaten may rise: it counts 2, and 3 for its jewel, and not 1
    Ada: bella 2 | Basil: coal 0 -- city: priest maid
    > eat priest, reanimate priest
    graveyard Ada: []
    cats Ada: [bella, priest]
    total Ada: 5
WC-PWR-7 the meal cannot pay for Reanimate: Bella has 1, and the priest's 2 come only if nothing rises
    Ada: bella 1 | Basil: coal 0 -- city: priest maid
    > eat priest
    legal: [done]
    ! reanimate priest -> WC-PWR-7: ReAnimate costs 2 food from the starting cat; Ada's Bella has 1 food
    > done
    food bella: 3
WC-AMB-7 a risen werecat acts in this round if it stands further down: Bella 30, Coal 40, the nun 45
    Ada: bella 2; nun | Basil: coal 0 -- draws: cook clerk smith guard crier, city: priest lady
    > eat priest, reanimate nun
    > Basil coal: rest / Ada nun: rest / Ada bella: rest
WC-AMB-7 a risen werecat that has been passed waits: the maid, 5
    Ada: bella 2; maid | Basil: coal 0 -- draws: cook clerk smith guard crier, city: priest lady
    > eat priest, reanimate maid
    > Basil coal: rest / Ada maid: rest / Ada bella: rest

WC-CONV-1 converting takes more than Force and Will together: 2 food to exceed 2 + 1 with Force 2
    Ada: bella 2 | Basil: coal 0 -- city: nun maid
    > convert nun -> WC-FOOD-2 WC-CONV-1 WC-CONV-3 WC-AMB-7
    food bella: 0
WC-CONV-1 as much as Force and Will together is too little
    Ada: bella 1 | Basil: coal 0 -- city: nun maid
    ! convert nun -> WC-CONV-1: the nun has Force 2 and Will 1, 3 in all;
        Ada's Bella has Force 2 and 1 food, 3 in all, and needs more than 3
WC-CONV-3 a convert brings no food, no Graveyard card and no power
    Ada: bella 1 | Basil: coal 0 -- city: giver maid
    > convert giver
    seats.Ada.cats: {bella: 0, giver: 0}
    graveyard Ada: []
    city: maid
    acting: coal
WC-AMB-7 a new werecat acts in this round if its number has not been passed: the nun, 45
    Ada: bella 3 | Basil: coal 0 -- draws: cook clerk smith guard crier brute, city: nun maid
    > convert nun / rest
    told WC-AMB-7: ...still acts in this round...
    acting: nun
    round: 1
WC-AMB-7 a new werecat waits for the next round if its number has been passed: the boy, 12
    Ada: bella 3 | Basil: coal 0 -- draws: cook clerk smith guard crier brute, city: boy maid
    > convert boy
    told WC-AMB-7: ...has missed its turn in this round.
    > rest
    acting: boy
    round: 2
WC-ROUND-6 the red groom makes the clerk, both 33, who is up next
    Ada: bella 0, groom 3 | Basil: coal 0 -- city: clerk maid, acting: groom
    > convert clerk
    told WC-AMB-7: The werecat at Turn Order 33 is acting, red border first, so the clerk still acts in this round.
    acting: clerk
WC-ROUND-6 the clerk makes the red groom, both 33, who has been passed
    Ada: bella 0, clerk 3 | Basil: coal 0 -- city: groom maid, acting: clerk
    > convert groom
    told WC-AMB-7: ...33 is acting, red border first, so the groom has missed its turn in this round.
    acting: coal
WC-ROUND-4 a line ends with the turn of its werecat, though the next is Ada's too
    Ada: ash 0, clerk 0 | Basil: coal 0 -- city: maid cook
    ! dive, dive -> TooFar: "dive" goes too far: the line ends before it, and then Ada is to act
    acting: ash
    food ash: 0
WC-CONV-3 a converted werecat uses its own numbers: the smith, Force 2 and Vigor 4, eats Force 1 for nothing
    Ada: bella 0, smith 3 | Basil: coal 0, brute 0 -- city: cook maid, acting: smith
    > eat cook
    food smith: 4

WC-DIVE-1 diving brings one food, and nothing else happens
    Ada: bella 1 | Basil: coal 0 -- city: maid
    > dive -> WC-DIVE-1
    food bella: 2
    city: maid
WC-FOOD-3 a full cat dives for nothing
    Ada: bella 3 | Basil: coal 0 -- city: maid
    > dive -> WC-DIVE-1 WC-FOOD-3
    food bella: 3
WC-SCARE-1 scaring puts the whole City under the deck, the oldest uppermost, below what was there, and brings six
    Ada: bella 0 | Basil: coal 0 -- draws: cook clerk nun smith guard brute, city: maid boy, under: lady
    > scare -> WC-SCARE-1 WC-SCARE-2 WC-SCARE-1
    city: cook clerk nun smith guard brute
    under: [lady, maid, boy]
WC-SCARE-1 a City of seven is replaced by six
    Ada: bella 0 | Basil: coal 0 -- draws: guard brute giver bully crier runner,
        city: maid boy cook clerk nun smith lady
    > scare
    city: guard brute giver bully crier runner
WC-SCARE-1 cards under the deck come in their order and without chance, and below them the City that was scared
    Ada: bella 0 | Basil: coal 0 -- draws: nun, city: maid boy, deck: nun, under: cook clerk smith lady lord
    > scare
    city: nun cook clerk smith lady lord
    under: [maid, boy]
WC-AMB-30 with a short deck the oldest of the scared come back
    Ada: bella 0 | Basil: coal 0 -- city: maid boy cook clerk nun, deck: '', under: lady lord
    > scare
    city: lady lord maid boy cook clerk
    under: [nun]
    told WC-AMB-30: The deck had too few other cards, so these come back: the maid, the boy, the cook and the clerk.
WC-AMB-9 a Scare brings what is left: three cards in all
    Ada: bella 0 | Basil: coal 0 -- city: maid boy, deck: '', under: lady
    > scare
    city: lady maid boy
    told WC-AMB-9: The deck is empty, so the City holds 3 of 6 cards.
WC-AMB-30 a Scare of nothing changes nothing but is the Scare of the round
    Ada: bella 0, maid 0 | Basil: coal 0 -- deck: ''
    > scare -> WC-SCARE-1 WC-AMB-30 WC-AMB-9
    acting: bella
    city: ''
    ! scare -> WC-SCARE-3
WC-SCARE-3 each seat scares once a round: Ada's second werecat may not, Basil's may, and Ada may in the next
    Ada: ash 0, maid 0 | Basil: bella 0, nun 0 -- deck: boy cook clerk smith guard brute lady lord crier, seed: 1
    > scare
    legal scare: []
    ! scare -> WC-SCARE-3: Ada has already scared the City in round 1; the limit is once a round
    > rest / scare
    ! scare -> WC-SCARE-3: Basil has already scared the City in round 1; the limit is once a round
    > rest
    legal scare: [scare]
    acting: maid
    round: 2

WC-END-1 an empty deck ends the game when the round ends, after Coal has acted
    Ada: ash 0 | Basil: coal 0 -- city: maid boy, deck: ''
    > rest -> no WC-END-1
    acting: coal
    > eat boy -> WC-EAT-3 WC-EAT-4 WC-END-1 WC-END-4
    turn: nobody
    winners: [Basil]
WC-END-1 a card that a Scare has put under the deck keeps the game going
    Ada: ash 0 | Basil: coal 0 -- city: maid boy cook clerk nun smith lady, deck: '', acting: coal
    > scare
    acting: ash
    round: 2
WC-END-1 a deck that the topping up empties gives one more round, played to its end
    Ada: ash 0 | Basil: coal 0 -- city: maid boy, deck: '', under: cook clerk nun smith, acting: coal
    > rest
    round: 2
    > Ada ash: rest / Basil coal: rest
    turn: nobody
WC-END-2 seven werecats, with the starting cat, are too few for the end
    Ada: ash 0, maid 0, boy 0, cook 0, groom 0, smith 0, lady 0 | Basil: coal 0
        -- city: giver brute lord, acting: lady, seed: 1
    > rest
    round: 2
WC-END-2 eight werecats end the game when the round ends, and the eighth is announced when it is made
    Ada: ash 0, maid 0, boy 0, cook 0, groom 0, smith 0, lady 3 | Basil: coal 0 -- city: giver brute, acting: lady
    > convert giver
    told WC-END-2: Ada now owns 8 werecats, so this round is the last. / Ada owns 8 werecats.
    told WC-END-4: Round 1 is complete, and the game is over.
WC-END-3 five jewels end the game when the round ends, after Coal has acted
    Ada: ash 0, maid 0, boy 0, groom 0, clerk 3 | Basil: coal 0 -- city: nun lord, acting: clerk
    > convert nun
    acting: coal
    told WC-END-3: Ada now has all 5 jewels, so this round is the last.
    > rest / rest
    told WC-END-3: Ada's created werecats have all 5 jewels.
    turn: nobody
    # 5 × 2, and 10
    total Ada: 20
WC-END-3 four jewels do not end the game, however many werecats show them
    Ada: ash 0, maid 0, cook 0, boy 0, groom 0, clerk 0 | Basil: coal 0 -- acting: coal, seed: 1
    > rest
    round: 2
WC-END-3 jewels of two seats do not add up
    Ada: ash 0, maid 0, boy 0, groom 0, clerk 0 | Basil: coal 0, nun 0 -- acting: nun, seed: 1
    > rest
    round: 2
WC-AMB-27 an agreed last round ends the game: of two the second
    Ada: ash 0 | Basil: coal 0 -- acting: coal, options: {rounds: 2}, seed: 1
    > rest / rest
    round: 2
    > rest -> WC-ROUND-4 WC-AMB-27 WC-END-4
    turn: nobody

WC-AMB-3 the end counts food and created werecats of each seat: 1 + 0 food against 2 + 1
    Ada: ash 1, cook 0 | Basil: bella 2, nun 1 -- phase: over
    total Ada: 5
    total Basil: 5
    winners: [Basil]
WC-AMB-3 scores and the result carry what breaks ties: as many points and created werecats, and more food left
    Ada: ash 1, maid 0 | Basil: bella 2, boy 1 -- phase: over
    score Ada: {created: 1, food: 1, jewels: 1, every-jewel: 5, every-jewel-points: 10, one-jewel-points: 3,
        best-jewel-count: 1, best-jewel-points: 3, best-jewel: ruby}
    score Basil: {created: 1, food: 3, jewels: 1, every-jewel: 5, every-jewel-points: 10, one-jewel-points: 3,
        best-jewel-count: 1, best-jewel-points: 3, best-jewel: emerald}
    result: {points: 5, created: 1, food: 3}

WC-END-1 a tally tells how the game ended: Ada has one created werecat and two cards, 2 + 3 + 2 points
    Ada: ash 0, maid 0; boy, cook | Basil: coal 0 -- first: Basil, deck: '', round: 7, acting: coal
    > rest
    tally: {end: empty deck, rounds: 7}
    tally Ada: {starting cat: ash, place in choosing: 2nd, created werecats: 1, villagers in the Graveyard: 2,
        points: 7}
    tally Basil: {starting cat: coal, place in choosing: 1st, created werecats: 0, villagers in the Graveyard: 0,
        points: 0}
WC-END-3 a tally tells every end that holds, five jewels first
    Ada: ash 0, maid 0, boy 0, groom 0, clerk 0, nun 0, cook 0, smith 0 | Basil: coal 0
        -- deck: '', phase: over, options: {rounds: 1}
    tally end: five jewels + eight werecats + empty deck + last round
WC-END-2 a tally tells of eight werecats and four jewels
    Ada: ash 0, maid 0, boy 0, groom 0, clerk 0, lady 0, cook 0, smith 0 | Basil: coal 0
        -- deck: '', phase: over, options: {rounds: 1}
    tally end: eight werecats + empty deck + last round
WC-END-1 a tally tells of an empty deck in an agreed last round
    Ada: ash 0 | Basil: coal 0 -- deck: '', phase: over, options: {rounds: 1}
    tally end: empty deck + last round
WC-AMB-27 a tally tells of an agreed last round
    Ada: ash 0 | Basil: coal 0 -- phase: over, options: {rounds: 1}
    tally end: last round

WC-SCORE-1 a score adds Graveyard, werecats and jewels, and the starting cat gives nothing
    Ada: ash 2, maid 0, cook 1, boy 0; clerk, lord, smith | Basil: bella 2
    lines Ada: [[WC-SCORE-1, villagers in the Graveyard, 2, 1, 2], [WC-PWR-4, High Value villagers, 1, 2, 2],
        [WC-SCORE-2, created werecats, 3, 2, 6], [WC-SCORE-4, ruby werecats, 2, 3, 6]]
    total Ada: 16
    noted Ada: [WC-SCORE-4]
    lines Basil: []
    noted Basil: []
a written deck leaves other villagers out of the game
    Ada: ash 0 | Basil: bella 0 -- city: maid, deck: boy
    pieces: [ash, bella, boy, coal, dusk, maid]
WC-AMB-11 seven in the City after a draw are not doubted
    Ada: ash 0 | Basil: bella 0 -- city: maid boy cook clerk groom nun smith
    doubts: []
WC-AMB-7 eight werecats, made in this round after the first has acted, are not doubted
    Ada: ash 0, maid 0, boy 0, cook 0, clerk 0, groom 0, nun 0, smith 0 | Basil: bella 0 -- acting: boy
    doubts: []
a phase that was not written but guessed is told in a doubt, where Basil has no werecat and the City lies there
    Ada: ash 2 | Basil: -- city: maid
    phase: choosing
    doubts: ["city: in phase choosing all villagers are in the deck; a seat has no werecats, so the phase is choosing"]
a position has defaults: round 1, nothing in the City, other villagers in the deck, the first werecat to act
    Ada: ash 0, maid 0; boy | Basil: bella 0
    keys: [acting, city, deck, first, phase, round, seats, to-act, under]
    phase: acting
    round: 1
    first: Ada
    acting: maid
    city: ''
    under: []
    deck: [bully, runner, cook, guard, crier, groom, clerk, priest, giver, nun, dancer, lord, smith, brute, lady]
a position with seats without cats is in set-up: Basil has chosen, so he was the first, and Cleo is next
    Ada: | Basil: ash 2 | Cleo:
    phase: choosing
    first: Basil
    to-act: Cleo
a choosing position without any cat begins with the seat to act
    Ada: | Basil: | Cleo: -- to-act: Cleo
    first: Cleo
WC-PWR-2 a meal in the middle of sharing loads: the power is being used, and goes on
    Ada: bella 0, maid 1; giver | Basil: coal 0 -- acting: bella, eaten: giver, meal: 2
    used: "yes"
    legal: [share maid, done]
WC-SETUP-3 with only the guard, Force 3, nobody stands in the first City, and round 1 then tops it up
    Ada: ash 2 | Basil: -- deck: guard, draws: guard guard
    > choose bella
    told WC-SETUP-3: The first City: nobody.
    city: guard
WC-SETUP-1 choosing is a turn of its own: the second choice of a line would be the next seat's
    Ada: | Basil: | Cleo: -- phase: choosing
    ! choose ash, choose bella -> TooFar: "choose bella" goes too far: the line ends before it, and then Basil is to act
"""


def actor(state, *_):
    """Whose turn it is, and of which werecat."""
    return f"{turn(state)} {state.position().get('acting', '')}"


def tallied(state, word):
    """The tally of the game, of it how it ended, or that of a seat."""
    tally = werecats.tally(state)
    if word in state.seats:
        return dict(tally.seats[state.seats.index(word)])
    return tally.game[word] if word else dict(tally.game)


@pytest.mark.parametrize("story", stories(STORIES))
def test_a_story_goes_as_it_is_written(story):
    """Set-up, rounds, eating and food powers, converting, diving and scaring, the end, and what positions leave out."""
    questions = {"food": food, "cats": cats, "graveyard": graveyard, "city": city, "actor": actor, "tally": tallied}

    assert_followed(werecats, position(story.given), story.steps, **questions)


# What is refused

REFUSED = """
position | line                 | rule       | because
set-up   | choose maid          | WC-SETUP-1 | the maid is a villager, not a starting cat
set-up   | dive                 | WC-SETUP-1 | Basil chooses a starting cat now, so "dive" is not allowed
set-up   | choose ash           | WC-SETUP-1 | Ash is taken: Ada has it
acting   | choose dusk          | WC-SETUP-1 | players choose starting cats only during set-up, before the first round
acting   | eat boy              | WC-CITY-1  | werecats can eat or convert only villagers in the City; the boy is in
acting   | eat lady             | WC-CITY-1  | the lady is in the deck
acting   | eat clerk            | WC-CITY-1  | the clerk is in Ada's Graveyard
acting   | eat lord             | WC-CITY-1  | the lord is in Basil's Graveyard
acting   | eat maid             | WC-CITY-1  | the maid is Ada's werecat
acting   | eat dusk             | WC-CITY-1  | Dusk is not in this game
acting   | convert brute        | WC-CITY-1  | the brute is in the deck
acting   | eat guard            | WC-EAT-1   | the guard has Force 3; Ada's Ash has Force 1 and 2 food, 3 in all
acting   | eat guard            | WC-EAT-1   | 3 in all, and needs more than 3
acting   | convert guard        | WC-CONV-1  | the guard has Force 3 and Will 2, 5 in all; Ada's Ash has Force 1
acting   | scare                | WC-SCARE-3 | Ada has already scared the City in round 1
acting   | draw                 | WC-EAT-5   | Ada's Ash has not just eaten a card with a food power
acting   | done                 | WC-EAT-5   | Ada's Ash has not just eaten a card
pressure | dive                 | WC-ROUND-4 | Ada's Ash has taken its action, so "dive" is not allowed; only "drag" or
bought   | eat cook             | WC-ROUND-4 | "again" buys another action, "done" ends the turn
extra    | eat cook             | WC-ROUND-4 | only "done" is possible now
twice    | eat cook             | WC-ROUND-4 | only "done" is possible now
sharing  | draw                 | WC-EAT-5   | the food power of the giver is Sharing, not Draw
sharing  | share bella          | WC-PWR-2   | Ada can share food only with their own werecats; Bella is Basil's werecat
sharing  | share cook           | WC-PWR-2   | the cook is in the City
sharing  | share ash            | WC-AMB-13  | food that Ada does not share stays with Ash: say "done"
sharing  | share maid           | WC-AMB-13  | Ada's maid is full: it holds 2 food, and its Vigor is 2
pressure | drag maid            | WC-PWR-3   | only villagers in the City can be dragged; the maid is Ada's werecat
pressure | drag bully           | WC-PWR-3   | the bully is in Ada's Graveyard
extra    | again                | WC-PWR-6   | another action costs 1 food from the starting cat; Ada's Ash has 0 food
extra    | choose dusk          | WC-SETUP-1 | players choose starting cats only during set-up
twice    | draw                 | WC-PWR-8   | Ada's Ash has already used a food power this turn, and the limit
again    | again                | WC-PWR-9   | only the first card of a turn brings another action; the dancer
poor     | reanimate priest     | WC-PWR-7   | ReAnimate costs 2 food from the starting cat; Ada's Ash has 1 food
rising   | reanimate cook       | WC-PWR-7   | the card must be in Ada's own Graveyard; the cook is in the City
rising   | reanimate lord       | WC-PWR-7   | the lord is in Basil's Graveyard
over     | rest                 | WC-END-4   | the game is over, so "rest" is not allowed
"""

REFUSING = {
    "set-up": "Ada: ash 2 | Basil:",
    "over": "Ada: ash 0 | Basil: bella 0 -- phase: over",
    "acting": "Ada: ash 2, maid 0; clerk | Basil: bella 0; lord -- "
    "city: guard cook, acting: ash, scared: Ada, under: lady",
    "sharing": "Ada: ash 0, maid 2; giver | MEAL, eaten: giver",
    "pressure": "Ada: ash 0, maid 2; bully | MEAL, eaten: bully",
    "extra": "Ada: ash 0, maid 2; runner | MEAL, eaten: runner",
    "bought": "Ada: ash 1, maid 2; runner | MEAL, eaten: runner",
    "twice": "Ada: ash 0, maid 2; runner, crier | MEAL, eaten: crier, used: yes",
    "again": "Ada: ash 2, maid 2; runner, dancer | MEAL, eaten: dancer, used: yes",
    "poor": "Ada: ash 1, maid 2; priest | MEAL, eaten: priest",
    "rising": "Ada: ash 2, maid 2; priest | MEAL, eaten: priest",
}


def refusing(name):
    """The position that a line of the table names."""
    return position(REFUSING[name].replace("MEAL", "Basil: bella 0; lord -- city: cook, acting: ash, phase: meal"))


@pytest.mark.parametrize(("name", "line", "rule", "because"), rows(REFUSED, header=True))
def test_refusals_name_the_rule_and_the_numbers(name, line, rule, because):
    found = refusal(refusing(name), line)

    assert rule == found.rule
    assert because in found.because


def test_every_refusal_has_been_seen():
    """No id in REFUSALS is without a line in the table above."""
    assert {row.values[2] for row in rows(REFUSED, header=True)} == werecats.REFUSALS


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
    assert {"food", "spent", "gained", "returned", "needed", "force", "will"} <= carried
    assert {"vigor", "round", "cards", "cat", "card"} <= carried


def test_a_refused_line_changes_nothing():
    """Not even its first, legal small moves count."""
    state = table("Ada: bella 2 | Basil: coal 0", city="runner boy")
    key = state.key()
    refusal(state, "eat runner, again, eat maid")

    assert key == state.key()


# Notation


@pytest.mark.parametrize("line", ["eat maid", "EAT  Maid", " eat maid "])
def test_case_and_spaces_do_not_matter(line):
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


@pytest.mark.parametrize(("line", "message"), rows(UNREADABLE))
def test_what_is_no_notation_says_what_is_near(line, message):
    """A wrong card and a wrong word are told apart."""
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
    with pytest.raises(Ambiguous) as caught:
        werecats.read(line, table("Ada: ash 4 | Basil: bella 0", city="maid boy"))

    assert message == str(caught.value)


def test_every_move_names_each_card_where_it_can_ever_be():
    """17 villagers are eaten, converted, dragged and reanimated; 21 cards may get food; 4 are chosen; 6 words."""
    moves = werecats.every_move(FACTS)

    assert 4 * 17 + 21 + 4 + 6 == len(moves)
    assert sorted(moves) == moves


# Positions


def test_a_draw_without_a_chance_is_an_error():
    """A loaded position draws what it is told to, and else nothing."""
    state = werecats.load(FACTS, table("Ada: ash 0 | Basil: bella 0", city="maid").position())
    with pytest.raises(ChanceError, match="nothing determines the result"):
        state.apply(*werecats.read("eat maid", state))


MISFITS = """
Ada / Basil / ...             | record                     | message
ash 0                         |                            | seats: 1 is the wrong number of seats; 2 to 4 play
ash 0, maid 0 / bella 0; maid |                            | seats.Basil.graveyard.0: maid is in two places
ash 0, maid 0 / bella 0; maid |                            | Ada's werecats and Basil's Graveyard; each card exists
ash 0 / ash 0                 |                            | seats.Basil.cats.ash: ash is in two places
maid 0 / bella 0              |                            | seats.Ada.cats: a starting cat is missing; each seat has
ashes 0 / bella 0             |                            | unknown key "ashes"; did you mean "ash"?
ash 0; coal / bella 0         |                            | seats.Ada.graveyard.0: "coal" is not known here
ash 0 / bella 0               | city: [mald]               | city.0: "mald" is not known here; did you mean "maid"?
ash 0 / bella 0               | city: [maid, maid]         | city.1: maid is in two places: the City and the City
ash 0 / bella 0               | city: [maid], under: [maid]| under.0: maid is in two places: the City and under the
ash 0 / bella 0               | city: [maid], deck: [maid] | deck.0: maid is in two places: the City and the deck
ash 0 / bella 0               | city: [coal]               | city.0: "coal" is not known here
ash 0 / bella 0               | acting: coal               | acting: coal is not a werecat here; the werecats
ash 0 / bella 0               | acting: food               | acting: "food" is not known here
ash 0 / bella 0               | to-act: Basil              | to-act: Basil is not to act here; it is Ada
ash 0 / bella 0               | to-act: Bazil              | to-act: "Bazil" is not a seat here; did you mean "Basil"?
ash 0 / bella 0               | first: Cleo                | first: "Cleo" is not a seat here
ash 0 / bella 0               | scared: [Basil, Dora]      | scared.1: "Dora" is not a seat here
ash 0 / bella 0               | phase: meal                | phase: in phase meal a card has just been eaten; name it
ash 0 / bella 0               | eaten: crier, phase: acting| eaten: "eaten" means nothing in phase acting
ash 0 / bella 0               | meal: 1                    | meal: "meal" means nothing in phase acting
ash 0 / bella 0               | phase: over, scared: [Ada] | scared: "scared" means nothing in phase over
ash 0 / bella 0               | phase: over, to-act: Ada   | to-act: "to-act" means nothing in phase over
ash 0 / bella 0               | phase: over, acting: ash   | acting: "acting" means nothing in phase over
ash 0 / bella 0               | phase: over, used: no      | used: "used" means nothing in phase over
ash 0 / bella 0               | phase: choosing            | phase: every seat has a werecat, so nobody is choosing
ash 0 / bella 0               | round: 0                   | round: 0 is out of range
ash 0 / bella 0               | options: {round: 3}        | unknown key "round"; did you mean "rounds"?
maid 0 /                      |                            | seats.Ada.cats: a starting cat is missing; each seat has
ash 2 /                       | first: Basil               | they choose in this order: Basil and Ada
ash 2 /                       | to-act: Ada                | to-act: Ada is not to act here; it is Basil
ash 2 /                       | acting: ash                | acting: "acting" means nothing in phase choosing
ash 2 /                       | phase: acting              | seats.Basil.cats: a starting cat is missing
ash 2 / / coal 2 /            |                            | seats: a seat has chosen before its turn
ash 2, dusk 2 / bella 2 / coal 2 / |                       | seats: 1 seat still to choose, starting cats left: 0
ash 0; cook / bella 0         | eaten: cook                | eaten: cook has no food power to use
ash 0; lord / bella 0         | eaten: lord                | eaten: lord has no food power to use
ash 0; crier / bella 0        | eaten: crier, meal: 2      | meal: with this food power, the werecat has already
"""


@pytest.mark.parametrize(("seats", "record", "expected"), rows(MISFITS, header=True))
def test_a_position_that_cannot_be_says_why(seats, record, expected):
    """Each misfit has its place, what is wrong, and what would be right."""
    with pytest.raises(Misfits) as caught:
        werecats.load(FACTS, record_of(seats, record))

    assert expected in str(caught.value)


DOUBTS = """
Ada / Basil / ...             | record                     | message
ash 6 / bella 0               |                            | seats.Ada.cats.ash: 6 food is too much; its Vigor is 5
ash 0, coal 0 / bella 0       |                            | seats.Ada.cats: ash and coal are both starting cats; each
ash 0 / bella 0               | phase: meal, eaten: crier  | eaten: crier is not in Ada's Graveyard
ash 1 /                       |                            | seats.Ada.cats.ash: it has 1 food; it begins with 2
ash 2, maid 0 /               |                            | a seat has one starting cat or none; it chooses one (WC
ash 2; maid /                 |                            | seats.Ada.graveyard: in phase choosing nobody has eaten
ash 2 /                       | city: [maid]               | city: in phase choosing all villagers are in the deck
ash 2 /                       | under: [maid]              | under: in phase choosing all villagers are in the deck
ash 0; giver / bella 0        | eaten: giver, meal: 4      | meal: 4 food is too much; the card's Corpulence is 3
ash 0; giver / bella 0        | eaten: giver, meal: 2, used: no | used: food has been shared, so the power is used
ash 0; priest / bella 0       | eaten: priest, meal: 1     | meal: 1 food is too little; the card's Corpulence is 2
ash 0 / bella 0               | phase: over, round: 4, options: {rounds: 3} | round: round 4 is too late; round 3 is
ash 0 / bella 0               | city: [maid, boy, cook, clerk, groom, nun, smith, guard] | city: 8 villagers are too
"""


@pytest.mark.parametrize(("seats", "record", "expected"), rows(DOUBTS, header=True))
def test_a_position_that_could_not_have_arisen_says_why_and_goes_on(seats, record, expected):
    """Each doubt has its place, what is odd, and what would be right; the game can be played on all the same."""
    state = werecats.load(FACTS, record_of(seats, record), Seeded(1))
    (doubt,) = werecats.doubts(state)

    assert expected in str(doubt)

    state.rounds = 3
    while state.to_act() != OVER:
        state.apply(state.legal()[0])
    assert state.result()


def test_positions_that_arise_in_play_are_not_doubted():
    for seed in range(10):
        state = werecats.start(FACTS, NAMES[:3], {"rounds": 6}, Seeded(seed))
        assert_no_doubt_arises(werecats, state, seed)


def record_of(seats, record):
    """The record of a row in the tables above."""
    areas = [area.strip() for area in seats.split("/")]
    text = " | ".join(f"{name}: {area}" for name, area in zip(NAMES, areas, strict=False))
    return written(text) | flow(record)


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


MISFIT_CARDS = """
cook | count: 2      | there are 2 of it; Werecats has one of each card                   | refused
ash  | vigor: 1      | Vigor 1 is too low; a starting cat begins with 2 food on it           | refused
boy  | turn-order: 5 | maid has Turn Order 5 with the same border; a number occurs at most twice      | refused
boy  | will: null    | the column "will" is empty                                               |
ash  | force: null   | the column "force" is empty                                              |
boy  | power: flight | no food power is called "flight"                                         |
"""


@pytest.mark.parametrize(("id_", "change", "wrong", "refused"), rows(MISFIT_CARDS))
def test_cards_that_are_no_pieces_of_this_game_are_told(id_, change, wrong, refused):
    """Content is told at the card, once, before any example is looked at; a new game and a position refuse some."""
    facts = deepcopy(FACTS)
    facts["components"][id_] |= yaml.safe_load("{" + change + "}")
    (misfit,) = werecats.check_facts(facts)

    assert ("components", id_) == misfit.at
    assert wrong.startswith(misfit.message) and f"{misfit.message}; {misfit.hint}".startswith(wrong)
    position = {"seats": {"Ada": {"cats": {"ash": 0}}, "Basil": {"cats": {"bella": 0}}}}
    for attempt in (lambda: werecats.start(facts, NAMES[:2], {}, Seeded(1)), lambda: werecats.load(facts, position)):
        if refused:
            with pytest.raises(Misfits) as caught:
                attempt()
            assert f"components.{id_}: {wrong}" in str(caught.value)


def test_the_made_up_cards_are_pieces_of_this_game():
    assert [] == werecats.check_facts(FACTS)


@pytest.mark.parametrize(
    ("seats", "options", "message"),
    [
        (NAMES[:1], {}, "1 is the wrong number of seats; 2 to 4 play"),
        (NAMES[:5], {}, "5 is the wrong number of seats"),
        (["Ada", "Ada"], {}, "two seats have the same name"),
        (NAMES[:2], {"round": 3}, 'unknown key "round"; did you mean "rounds"'),
    ],
)
def test_a_game_that_cannot_start_says_why(seats, options, message):
    with pytest.raises(Misfits) as caught:
        werecats.start(FACTS, seats, options, Seeded(1))

    assert message in str(caught.value)


def test_a_game_needs_a_starting_cat_for_each_seat():
    """Three are too few for four."""
    facts = {"components": {id_: card for id_, card in FACTS["components"].items() if id_ != "dusk"}}
    with pytest.raises(Misfits, match="3 starting cats are too few"):
        werecats.start(facts, ["Ada", "Basil", "Cleo", "Dora"], {}, Seeded(1))


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
    for name, bot in werecats.BOTS.items():
        state = werecats.start(FACTS, ["Ada", "Basil"], werecats.SIMULATION, Seeded(1))
        play_out(state, [bot(1), werecats.BOTS["random"](2)], werecats.MOST_DECISIONS)

        assert state.result(), name


def test_the_bare_library_plays_a_game():
    assert_plays_bare(werecats, FACTS)


# On the command line, with the real cards

POSITION = """
seats:
  Ada: {cats: {duchess: 0, baker: 0, cook: 0}, graveyard: [miller]}
  Basil: {cats: {tom: 0}}
"""


@pytest.fixture
def answer(capsys):
    """What a command says of Werecats, with the code that it ends with."""

    def answer(command, *words, code=0):
        assert code == main([command, "werecats", *words])
        return capsys.readouterr().out

    return answer


@pytest.fixture
def position_file(tmp_path):
    path = tmp_path / "position.yaml"
    path.write_text(POSITION, encoding="utf-8")
    return str(path)


@pytest.mark.slow("runs commands on the whole game")
def test_a_score_comes_with_its_notes(position_file, answer):
    """Two rubies, of one colour: 2 × 3. The note names the rule and both numbers, in text and in JSON."""
    note = "1 of 5 jewels, too few for 10 points; the best of them, ruby, scores 2 × 3 = 6 points.  [WC-SCORE-4]"

    assert note in answer("score", position_file)
    (note,) = json.loads(answer("score", position_file, "--json"))["scores"][0]["notes"]

    assert "WC-SCORE-4" == note["rule"]
    assert "2 × 3 = 6" in note["text"]


@pytest.mark.slow("runs commands on the whole game")
def test_why_tells_what_it_drew(position_file, answer):
    """A Scare brings six cards that nobody knows; the answer names them, and is the same each time."""
    first, second = (answer("why", position_file, "scare") for _ in range(2))
    (told_line,) = [line for line in first.splitlines() if line.startswith("drawn for this answer: ")]
    record = json.loads(answer("why", position_file, "scare", "--json"))

    assert first == second
    assert 6 == told_line.count("city ")
    assert told_line.endswith(", ".join(f"{label} {card}" for label, card in record["drawn"]))


@pytest.mark.slow("runs commands on the whole game")
def test_why_tells_what_it_drew_before_a_refusal(tmp_path, answer):
    """The barmaid is the last in the City, so six cards come before the baker, a werecat, cannot be dragged."""
    position = tmp_path / "position.yaml"
    seats = "seats: {Ada: {cats: {duchess: 2, baker: 0}}, Basil: {cats: {tom: 2}}}"
    position.write_text(f"{seats}\nacting: duchess\ncity: [barmaid]\n")
    question = "why", str(position), "eat barmaid, drag baker"
    record = json.loads(answer(*question, "--json", code=1))

    assert ("WC-PWR-3", 6) == (record["rule"], len(record["drawn"]))
    assert "drawn for this answer: city " in answer(*question, code=1)


@pytest.mark.slow("runs commands on the whole game")
def test_why_tells_what_is_left_to_say(tmp_path, answer):
    """The barmaid's power is still to be used or not; after that nothing is open."""
    path = tmp_path / "position.yaml"
    path.write_text("seats: {Ada: {cats: {duchess: 2}}, Basil: {cats: {tom: 2}}}\ncity: [barmaid, heir, cook]\n")
    left = answer("why", str(path), "eat barmaid").split("The turn goes on. Possible moves: ")[1]

    assert ["done", "drag cook", "drag heir"] == sorted(left.strip().split(", "))
    assert "goes on" not in answer("why", str(path), "eat barmaid, done")


@pytest.mark.slow("runs commands on the whole game")
def test_why_says_nothing_of_draws_when_there_are_none(position_file, answer):
    assert "drawn" not in answer("why", position_file, "dive")


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
        ({"start": "ash", "cats": ["maid", "maid"]}, 'seats.Ada.cats.1: "maid" is listed twice'),
        ({"start": "maid"}, 'seats.Ada.start: "maid" is not known here'),
        ({"start": "ash", "cats": ["mad"]}, 'seats.Ada.cats.0: "mad" is not known here; did you mean "maid"?'),
    ],
)
def test_a_start_and_a_list_that_cannot_be(seat, wrong):
    with pytest.raises(Misfits) as caught:
        werecats.load(FACTS, {"seats": {"Ada": seat, "Basil": {"start": "coal"}}, "phase": "over"})

    assert wrong in str(caught.value)


def test_a_name_will_do_for_an_id():
    """The made-up cook is called Cook; here she has a proper name."""
    facts = deepcopy(FACTS)
    facts["components"]["cook"]["name"] = "Hetty Suet"
    state = werecats.load(facts, written("Ada: bella 0 | Basil: coal 0") | {"city": ["cook", "maid"]})

    assert werecats.read("eat cook", state) == werecats.read("Eat  hetty SUET", state)


@pytest.mark.slow("runs commands on the whole game")
def test_a_score_names_the_winner_and_the_rules(tmp_path, answer):
    """Ada has created cats and Basil a Graveyard of nobody; WC-PLAYERS-3 makes her win, in text and in JSON."""
    path = tmp_path / "position.yaml"
    path.write_text(
        "phase: over\nseats:\n  Ada: {start: soot, cats: [baker]}\n  Basil: {start: tom, graveyard: [cook]}\n"
    )
    said = answer("score", str(path))

    assert "Ada wins: Ada has the highest total, 5.  [WC-PLAYERS-3]" in said
    assert "WC-PLAYERS-3: Who wins" in said
    result = json.loads(answer("score", str(path), "--json"))["result"]

    assert (["Ada"], ["WC-PLAYERS-3"]) == (result["winners"], result["rules"])
