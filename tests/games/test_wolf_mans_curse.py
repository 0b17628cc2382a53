"""Wolf-Man's Curse: what its rules say, worked out by hand on a deck of the test's own."""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import MORE, seeds

from grimalkin.engine.chance import ChanceError, Recorded, Scripted, Seeded
from grimalkin.engine.play import play_out
from grimalkin.engine.replay import Script, play_line, replay
from grimalkin.engine.shape import Misfits
from grimalkin.engine.words import OVER, Ambiguous, Line, Refused, TooFar, Unreadable
from grimalkin.games import wolf_mans_curse as game
from grimalkin.games.wolf_mans_curse.facts import FACE_DOWN, NOTHING, box_of
from grimalkin.testing import checks as battery

SUITS = ("clubs", "spades", "hearts", "diamonds")
WORDS = ("Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
NAMES = ("Ada", "Basil", "Cleo", "Dora", "Enid", "Fay", "Gus", "Hal")


def made_up_deck():
    """A poker deck with two jokers, as the content tells it, in an order that is not that of the engine."""
    components = {}
    for number, name in ((1, "Joker of the Moon"), (2, "Joker of the Wolf")):
        components[f"joker-{number}"] = {"name": name, "count": 1, "suit": None, "rank": "joker", "points": 0}
    for suit in reversed(SUITS):
        for rank, points in (("king", 4), ("queen", 3), ("jack", 2)):
            name = f"{rank.title()} of {suit.title()}"
            card = {"name": name, "count": 1, "suit": suit, "rank": rank, "points": points}
            components[f"{rank[0]}{suit[0]}"] = card
        for value in range(10, 0, -1):
            name = f"{WORDS[value - 1]} of {suit.title()}"
            card = {"name": name, "count": 1, "suit": suit, "value": value, "points": 1}
            components[f"{'a' if value == 1 else value}{suit[0]}"] = card
    return {"components": components | {"score-sheet": {"name": "Score sheet", "count": 1}}}


FACTS = made_up_deck()
BOX = box_of(FACTS)
IDS = BOX.cards.ids
NUMBER = {id_: card for card, id_ in enumerate(IDS)}
NUMBERS = [f"{'a' if value == 1 else value}{suit[0]}" for suit in SUITS for value in range(1, 11)]
FACES = [f"{rank}{suit[0]}" for suit in SUITS for rank in "jqk"] + ["joker-1", "joker-2"]


def written(text, night=1, fill=True):
    """The seats of a position, from `Ada: 7c 2h; laid 9s; pile kc 3c; clubs 3; jokers 1 | Basil: | Cleo:`: first the
    cards in hand, filled up with cards that are named nowhere, diamonds last of all."""
    seats = {}
    for seat in text.split("|"):
        name, _, areas = seat.partition(":")
        hand, *rest = areas.split(";")
        has = seats[name.strip()] = {"hand": hand.split()}
        for key, _, value in (area.strip().partition(" ") for area in rest if area.strip()):
            has[key] = value.split() if key == "pile" else value
    if fill:
        named = set(text.replace(";", " ").split())
        free = [card for card in reversed(NUMBERS) if card not in named]
        for has in seats.values():
            while len(has["hand"]) < 6 - night - ("laid" in has):
                has["hand"].append(free.pop())
    return {"seats": seats}


def table(text, *draws, **record):
    """A position in play. `draws` are what chance gives next, as `moon js` or `Ada 7c 2h 3h 4h 5h`. On later nights Ada
    leads, if no pile says who captured; the face pile has the right number of cards, those drawn among them."""
    rest = {key.replace("_", "-"): value for key, value in record.items()}
    given = {"moon": "joker-1"} | rest | written(text, record.get("night", 1))
    if record.get("night", 1) > 1 and "pile" not in text:
        given = {"leader": "Ada"} | given
    return game.load(FACTS, {"faces": left_over(given, draws)} | given, script(*draws))


def left_over(given, draws=()):
    """A face pile for a position: as many cards as its month and night leave, those drawn and the queen of hearts among
    them, and the jokers that nobody holds."""
    seats = given["seats"].values()
    lying = [given["moon"], *(card for has in seats for card in has.get("pile", []))]
    held = sum(int(has.get("jokers", 0)) for has in seats)
    free = [card for card in FACES if card not in lying]
    jokers = [card for card in free if card.startswith("joker")]
    there = [card for draw in draws for card in draw.split() if card in free]
    there += ["qh"] * ("qh" in free) + jokers[: len(jokers) - held] + free[: -len(jokers) or None]
    left = 14 - 3 * (int(given.get("month", 1)) - 1) - int(given.get("night", 1))
    there = list(dict.fromkeys(there))[:left]
    return [card for card in FACES if card in there]


def script(*draws):
    labels = [draw.split() for draw in draws]
    return Scripted([(label, item) for label, *items in labels for item in items])


def sheet(text, **record):
    """A finished score sheet, from `Ada: clubs 3; hearts 1; lover yes | Basil: | Cleo:`."""
    seats = written(text.replace(":", ":;"), fill=False)["seats"]
    for has in seats.values():
        del has["hand"]
    return game.load(FACTS, {"phase": "over", "seats": seats} | record)


def played(state, cards):
    """The events while cards are laid one after the other."""
    events = []
    for card in cards.split():
        play_line(game, state, card, events)
    return events


def rules(events):
    return [event.rule for event in events]


def told(events, rule):
    """The sentences of one rule."""
    return [event.text for event in events if event.rule == rule]


def refusal(state, line):
    """The rule that refuses a line, and why."""
    with pytest.raises(Refused) as caught:
        play_line(game, state.clone(), line)
    return caught.value.refusal.rule, caught.value.refusal.because


def ids(cards):
    return [IDS[card] for card in cards]


def pile(state, seat):
    return state.position()["seats"][seat]["pile"]


def row(state, seat):
    """The score sheet's row of the finished months of a seat."""
    has = state.position()["seats"][seat]
    return [has[suit] for suit in SUITS]


def columns(state, seat):
    return list(next(score for score in state.score() if score.seat == seat).columns.values())


def turn(state):
    return state.seats[state.to_act()]


def random_game(seats, seed, chance=None, **options):
    """The states of a random game, each before its move, and the last."""
    state = game.start(
        FACTS, NAMES[:seats], {key.replace("_", "-"): v for key, v in options.items()}, chance or Seeded(seed)
    )
    luck = game.BOTS["random"](seed)
    while state.to_act() != OVER:
        yield state
        state.apply(luck(state.view(state.to_act()), state.legal()))
    yield state


# Set-up and months


@pytest.mark.parametrize(
    ("seats", "message"), [(2, "2 is the wrong number of seats; 3 to 8 play"), (9, "9 is the wrong number")]
)
def test_three_to_eight_play(seats, message):
    """WM-PLAYERS-1: neither fewer nor more."""
    with pytest.raises(Misfits, match=message):
        game.start(FACTS, [f"seat {number}" for number in range(seats)], {}, Seeded(1))


def test_two_seats_of_one_name_do_not_play():
    """Draws and positions tell seats by their names."""
    with pytest.raises(Misfits, match="two seats have one name"):
        game.start(FACTS, ["Ada", "Basil", "Ada"], {}, Seeded(1))


def test_an_option_that_is_not_known_is_named():
    """The one option is last-month, with two words."""
    with pytest.raises(Misfits, match='unknown key "lost-month"; did you mean "last-month"'):
        game.start(FACTS, NAMES[:3], {"lost-month": "dropped"}, Seeded(1))


def test_cards_are_numbered_by_suit_and_value_then_faces_with_jokers_last():
    """WM-SETUP-1, WM-SETUP-4: two piles, the suits as on the score sheet."""

    assert [*NUMBERS, *FACES] == list(IDS)
    assert [1, 10, 0] == [BOX.cards.values[NUMBER[card]] for card in ("ac", "10d", "kd")]


def test_five_cards_a_seat_are_dealt_clockwise_and_then_a_face_is_turned_up():
    """WM-MONTH-2, WM-NIGHT-1: each draw is labelled with who gets the card; hands hold number cards only."""
    chance = Recorded(Seeded(5))
    state = game.start(FACTS, NAMES[:4], {}, chance)
    labels = [label for label, _ in chance.draws]

    assert ["Ada"] * 5 + ["Basil"] * 5 + ["Cleo"] * 5 + ["Dora"] * 5 + ["moon"] == labels
    dealt = [{card for label, card in chance.draws if label == name} for name in NAMES[:4]]
    assert dealt == [set(ids(hand)) for hand in state.hands]
    assert 20 == len(set.union(*dealt) & set(NUMBERS))
    assert chance.draws[-1][1] in FACES
    assert chance.draws[-1][1] == state.position()["moon"]


def test_a_month_is_three_nights_and_two_cards_stay_unplayed():
    """WM-MONTH-1, WM-MONTH-3, WM-AMB-11: the two cards left of five score nothing."""
    state = table("Ada: ac 2c 3c | Basil: 10s 9s 8s | Cleo: as 2s 3s", "moon joker-2", "moon js", month=2)
    played(state, "ac 10s as")
    assert (2, 2) == (state.month, state.night)
    played(state, "2s 2c 9s")
    assert (2, 3, 3) == (state.month, state.night, len(state.hands[0]))
    state.chance = Seeded(1)
    played(state, "3s 3c 8s")

    assert (3, 1) == (state.month, state.night)
    assert [5, 5, 5] == [len(hand) for hand in state.hands]
    assert [0, 0, 0, 0] == row(state, "Ada")
    assert [3, 8, 0, 0] == row(state, "Basil")  # 3 clubs, 6 spades and the jack of spades, 2


def test_the_next_month_is_dealt_from_all_number_cards():
    """WM-SCORE-6: a card that was captured or left over in month 1 may be dealt in month 2, to any seat."""
    state = table(
        "Ada: 10c 9c 8c | Basil: as | Cleo: ah 10h",
        "Ada 2s 3s 4s 5s 6s", "Basil 10c 10h 9c ah as", "Cleo 2h 3h 4h 5h 6h", "moon jd",
        night=3, moon="jc",
    )  # fmt: skip
    events = played(state, "10c as ah")

    assert ["9c", "10c", "as", "ah", "10h"] == state.position()["seats"]["Basil"]["hand"]
    assert ["All number cards are shuffled, and month 2 begins."] == told(events, "WM-SCORE-6")
    dealt = [event for event in events if event.rule == "WM-MONTH-2"]
    assert [{0}, {1}, {2}] == [set(event.audience) for event in dealt]
    assert (
        "Ada is dealt the 2 of spades, the 3 of spades, the 4 of spades, the 5 of spades and the 6 of spades."
        == dealt[0].text
    )
    assert "Ada is dealt 5 cards." == dealt[0].hint


@pytest.mark.parametrize("seats", [3, 5, 8])
def test_no_number_card_gets_lost_in_a_month(seats):
    """Cards in hand, on the table and captured are the five a seat that were dealt, each of them once."""
    for state in random_game(seats, 3):
        if state.to_act() != OVER:
            lying = [card for cards in (*state.hands, state.laid, *state.piles) for card in cards]
            numbers = [card for card in lying if 0 <= card < 40]

            assert 5 * seats == len(numbers) == len(set(numbers))


@pytest.mark.parametrize("seats", [3, 8])
def test_no_face_card_comes_twice(seats):
    """WM-SCORE-5: what was turned up is in a pile, or gone for good, and never comes again; only the queen of hearts
    goes back, in month 1."""
    for seed in range(20):
        chance = Recorded(Seeded(seed))
        *_, last = random_game(seats, seed, chance)
        moons = [card for label, card in chance.draws if label == "moon"]
        nights = [card for card in moons if card != "qh"]

        assert len(nights) == len(set(nights))
        assert "qh" == moons[-1]
        assert 3 < len(nights) + 1 <= 14
        assert len(nights) + 1 == (last.month - 1) * 3 + last.night


# Nights

CAPTORS = """
moon    | Ada | Basil | Cleo | captor | why
joker-1 | 6s  | 10h   | 9c   | Basil  | plain: 6, 10, 9
js      | 6s  | 10h   | 9c   | Ada    | doubled: 12, 10, 9
kh      | 6s  | 5h    | 9c   | Basil  | doubled: 6, 10, 9
qd      | 10c | 6d    | 9s   | Basil  | doubled: 10, 12, 9
jc      | 5c  | 9h    | 8d   | Ada    | doubled: 10, 9, 8
joker-2 | ac  | as    | ah   | Ada    | an ace is a 1, the lowest
joker-2 | 10c | 2s    | ah   | Ada    | and not above the ten
js      | as  | 2d    | 3h   | Cleo   | a doubled ace counts 2
js      | as  | 2d    | ad   | Ada    | 2, 2, 1: spades beat diamonds
joker-1 | 7d  | 7h    | 7s   | Cleo   | spades beat hearts beat diamonds
joker-1 | 7d  | 7h    | 7c   | Cleo   | clubs beat all
joker-1 | 7d  | 7h    | 6c   | Basil  | hearts beat diamonds
joker-1 | 7s  | 7c    | 7h   | Basil  | clubs beat spades
jd      | 10c | 5d    | 9s   | Ada    | 10, 10, 9: clubs beat diamonds
jc      | 10s | 5c    | 9h   | Basil  | 10, 10, 9: clubs beat spades
kh      | 10d | 5h    | 9c   | Basil  | 10, 10, 9: hearts beat diamonds
kh      | 10s | 5h    | 9c   | Ada    | 10, 10, 9: spades beat hearts
"""


@pytest.mark.parametrize("line", CAPTORS.split("\n")[2:-1])
@pytest.mark.parametrize("night", [1, 2])
def test_the_highest_card_captures(line, night):
    """WM-NIGHT-2, WM-NIGHT-3, WM-NIGHT-7 to WM-NIGHT-9, WM-AMB-1, WM-AMB-13, on every night alike: the captor takes
    all cards, its own too, and the face."""
    moon, ada, basil, cleo, captor, _ = (cell.strip() for cell in line.split("|"))
    state = table(
        f"Ada: {ada} | Basil: {basil} | Cleo: {cleo}", "moon jd" if moon != "jd" else "moon jc", moon=moon, night=night
    )
    played(state, f"{ada} {basil} {cleo}")

    piles = {name: set(pile(state, name)) for name in NAMES[:3]}
    assert {name: {ada, basil, cleo, moon} if name == captor else set() for name in NAMES[:3]} == piles


def test_equal_values_tell_both_numbers():
    """WM-NIGHT-9, WM-AMB-13: a plain 10 and a doubled 5."""
    events = played(table("Ada: 5d | Basil: 10c | Cleo: 2h", "moon js", moon="kd"), "5d 10c 2h")

    assert ["The 5 of diamonds counts 10 tonight; the 10 of clubs counts 10 too, and clubs beat diamonds."] == told(
        events, "WM-NIGHT-9"
    )
    (ruling,) = told(events, "WM-AMB-13")
    assert ruling.startswith("The 5 of diamonds counts double and the 10 of clubs does not;")
    capture = "Basil's 10 of clubs is the highest with 10, and captures 3 number cards and the king of diamonds."
    assert [capture] == told(events, "WM-NIGHT-7")


def test_three_equal_values_are_told_one_by_one():
    """WM-NIGHT-9: the captor against the next suit first."""
    events = played(table("Ada: 7d | Basil: 7c | Cleo: 7s", "moon js"), "7d 7c 7s")

    assert [
        "The 7 of spades counts 7 tonight; the 7 of clubs counts 7 too, and clubs beat spades.",
        "The 7 of diamonds counts 7 tonight; the 7 of clubs counts 7 too, and clubs beat diamonds.",
    ] == told(events, "WM-NIGHT-9")


def test_plain_equal_values_name_no_ruling_about_doubling():
    """Two plain sevens: the suits decide, and nothing counts double. Lower equals are not told."""
    events = played(table("Ada: 7d 2c | Basil: 7s | Cleo: 3h", "moon js"), "7d 7s 3h")

    assert "WM-NIGHT-9" in rules(events)
    assert "WM-AMB-13" not in rules(events)
    events = played(table("Ada: 7d | Basil: 3s | Cleo: 3h", "moon js"), "7d 3s 3h")

    assert "WM-NIGHT-9" not in rules(events)


def test_suits_need_not_be_followed():
    """WM-NIGHT-10: after a club, Basil has a club, and every card of his may be played."""
    state = table("Ada: 9c 2c 3c 4c | Basil: 10c ah 2s 5d | Cleo: 3d", night=2)
    played(state, "9c")

    assert ["10c", "2s", "ah", "5d"] == ids(state.legal())


@pytest.mark.parametrize(("cards", "leader"), [("10c 2s 2h", "Basil"), ("2c 10s 2h", "Cleo"), ("2c 2s 10h", "Ada")])
def test_the_captors_left_hand_neighbour_leads(cards, leader):
    """WM-NIGHT-6: on the second night, clockwise from there (WM-NIGHT-5)."""
    first = dict(zip(NAMES, cards.split(), strict=False))
    state = table(" | ".join(f"{name}: {card}" for name, card in first.items()), "moon js")
    events = played(state, cards)
    order = []
    for _ in range(3):
        order.append(turn(state))
        if len(order) < 3:
            state.apply(state.legal()[0])

    start = NAMES.index(leader)
    assert [NAMES[(start + step) % 3] for step in range(3)] == order
    assert [f"{leader}, at {NAMES[start - 1 if start else 2]}'s left hand, leads."] == told(events, "WM-NIGHT-6")


def test_later_nights_go_on_from_the_last_captor():
    """WM-NIGHT-6: Cleo leads the second night, Basil captures it, so Cleo leads the third again."""
    state = table("Ada: 2c | Basil: 10s | Cleo: 3d", "moon js", night=2, leader="Cleo", moon="joker-2")
    played(state, "3d 2c 10s")

    assert ("Cleo", 3) == (turn(state), state.night)


def test_every_month_opens_face_down_from_the_first_seat():
    """WM-AMB-19: Basil captures the last night of month 1, and yet Cleo does not lead month 2."""
    state = table("Ada: 2c | Basil: 10s | Cleo: 3d", night=3)
    state.chance = Seeded(4)
    events = played(state, "2c 10s 3d")

    assert ("Ada", 2, 1) == (turn(state), state.month, state.night)
    assert "WM-NIGHT-6" not in rules(events)
    assert 1 == rules(events).count("WM-AMB-19")


def test_the_doubling_is_told_with_the_face():
    """WM-NIGHT-1 to WM-NIGHT-3; that suits double on later nights too is WM-NIGHT-8."""
    cards = "Ada: 2c | Basil: 10s | Cleo: 3d"
    suit = played(table(cards, "moon ks"), "2c 10s 3d")
    joker = played(table(cards, "moon joker-2"), "2c 10s 3d")

    assert ["The king of spades is turned up for night 2 of month 1."] == told(suit, "WM-NIGHT-1")
    assert ["Spades count double tonight."] == told(suit, "WM-NIGHT-8")
    assert "WM-NIGHT-2" not in rules(suit)
    assert ["The Joker of the Wolf is turned up for night 2 of month 1."] == told(joker, "WM-NIGHT-1")
    assert ["A joker doubles nothing."] == told(joker, "WM-NIGHT-3")
    assert "WM-NIGHT-2" not in rules(joker)


def test_a_card_played_face_up_tells_what_it_counts():
    """WM-NIGHT-5."""
    events = played(table("Ada: 2c | Basil: 10s | Cleo: 3d", night=2, moon="ks"), "2c 10s")

    assert ["Ada plays the 2 of clubs.", "Basil plays the 10 of spades, which counts 20."] == told(events, "WM-NIGHT-5")


# Secrets


def test_cards_of_the_first_night_lie_face_down():
    """WM-NIGHT-4: the others see that Ada has laid, not what; Ada sees her own card."""
    state = table("Ada: 9c | Basil: 10s | Cleo: 3d")
    events = played(state, "9c")

    assert (NUMBER["9c"], NOTHING, NOTHING) == state.view(0).laid
    assert (FACE_DOWN, NOTHING, NOTHING) == state.view(1).laid
    (event,) = events
    assert ({0}, "Ada lays a card face down.") == (set(event.audience), event.hint)
    assert "9 of clubs" in event.text


def test_all_cards_of_the_first_night_are_revealed_at_once():
    """WM-NIGHT-4: when the last seat has laid, everybody reads all cards."""
    events = played(table("Ada: 9c | Basil: 10s | Cleo: ad", "moon js"), "9c 10s ad")
    shown = [event.text for event in events if event.rule == "WM-NIGHT-4" and event.audience is None]

    assert ["All reveal their cards: Ada the 9 of clubs, Basil the 10 of spades and Cleo the ace of diamonds."] == shown


def test_later_cards_lie_open():
    """WM-NIGHT-5: on the second night the others see the card."""
    state = table("Ada: 9c | Basil: 10s | Cleo: 3d", night=2)
    (event,) = played(state, "9c")

    assert (NUMBER["9c"], NOTHING, NOTHING) == state.view(2).laid
    assert event.audience is None


def test_what_everybody_saw_is_open_and_hands_are_not():
    """WM-AMB-20: piles, sheets, jokers and the face pile are the same in all views, and hands are one's own."""
    state = table(
        "Ada: 9c; pile 2c 2s 2h kc; clubs 3; jokers 1 | Basil: 10s; hearts 2 | Cleo: 3d", month=2, night=2, moon="js",
        faces=["qs", "ks", "jh", "qh", "kh", "jd", "qd", "kd", "joker-1"],
    )  # fmt: skip
    views = [state.view(seat) for seat in range(3)]

    for view in views:
        assert ((3, 0, 0, 0), (0, 0, 2, 0), (0, 0, 0, 0)) == view.sheets
        assert (1, 0, 0) == view.jokers
        assert {"2c", "2s", "2h", "kc"} == set(ids(view.piles[0]))
        assert ["qs", "ks", "jh", "qh", "kh", "jd", "qd", "kd", "joker-1"] == ids(view.faces)
    assert [state.hands[seat] for seat in range(3)] == [list(view.hand) for view in views]
    seen = ["2c", "2s", "2h", *ids(views[1].hand)]
    assert sum(1 << NUMBER[card] for card in seen) == views[1].seen


def test_seen_counts_open_cards_and_not_hidden_ones():
    """In a first night a seat has seen its hand and its own card; in a later one every card laid."""
    first = table("Ada: 9c 2c 3c 4c 5c | Basil: 10s 2s 3s 4s 5s | Cleo: 3d")
    played(first, "9c")
    later = table("Ada: 9c 2c 3c 4c | Basil: 10s 2s 3s 4s | Cleo: 3d", night=2)
    played(later, "9c")

    def seen(state, seat):
        return {IDS[card] for card in range(54) if state.view(seat).seen >> card & 1}

    assert {"9c", "2c", "3c", "4c", "5c"} == seen(first, 0)
    assert {"10s", "2s", "3s", "4s", "5s"} == seen(first, 1)
    assert {"10s", "2s", "3s", "4s", "9c"} == seen(later, 1)


def test_imagined_hands_come_from_unseen_cards_only():
    """A seat imagines other hands and hidden cards anew, never a card that it has seen; all else stays."""
    state = table("Ada: 9c | Basil: 10s | Cleo: 3d; pile 10d 10h 9h jc", night=2)
    played(state, "9c")
    state.night = 1  # as if the card lay face down
    known = state.view(1).seen
    different = set()
    for seed in range(30):
        other = state.imagine(1, Seeded(seed))
        different.add(other.laid[0])
        drawn = [*other.hands[0], *other.hands[2], other.laid[0]]

        assert len(drawn) == len(set(drawn)) == 8
        assert not any(known >> card & 1 for card in drawn)
        assert state.hands[1] == other.hands[1]
        assert state.piles == other.piles
    assert len(different) > 5


# Refusals


def test_a_card_of_another_hand_is_refused_without_telling_whose():
    """WM-MONTH-2: nobody learns where the card is."""
    state = table("Ada: 9c | Basil: 10s | Cleo: 3d")

    assert ("WM-MONTH-2", "the 10 of spades is not among the 5 cards of Ada") == refusal(state, "10s")
    assert ("WM-MONTH-2", "the 10 of diamonds is not among the 5 cards of Ada") == refusal(state, "10d")


def test_a_card_laid_face_down_is_refused_like_any_other():
    """WM-NIGHT-4: Basil must not learn from a refusal which card Ada has laid."""
    state = table("Ada: 9c | Basil: 10s | Cleo: 3d")
    played(state, "9c")

    assert ("WM-MONTH-2", "the 9 of clubs is not among the 5 cards of Basil") == refusal(state, "9c")


def test_faces_are_not_laid():
    """WM-SETUP-1."""
    state = table("Ada: 9c | Basil: 10s | Cleo: 3d")

    assert (
        "WM-SETUP-1",
        "the king of clubs is of the face pile, and only number cards are laid",
    ) == refusal(state, "kc")
    assert "WM-SETUP-1" == refusal(state, "joker-2")[0]


def test_a_card_is_played_once_a_month():
    """WM-MONTH-3: a card in a pile, or on the table, has been played."""
    state = table("Ada: 9c | Basil: 10s | Cleo: 3d; pile 2c 2s 2h kc", night=2)
    played(state, "9c")

    gone = "the 2 of spades has been played in month 1 and lies in Cleo's pile"
    assert ("WM-MONTH-3", gone) == refusal(state, "2s")
    assert ("WM-MONTH-3", "the 9 of clubs has been played tonight, by Ada") == refusal(state, "9c")


def test_a_line_is_one_card():
    """WM-MONTH-3: a second card goes too far, even if the seat will be the next to lay."""
    state = table("Ada: 9c 8c | Basil: 10s | Cleo: 3d")
    last = table("Ada: 9c 8c; laid 2h | Basil: 4s; laid 10s | Cleo: 3d 2d", "moon js", night=2)
    with pytest.raises(TooFar, match='"8c" goes too far: the line ends before it, and then Basil is to act'):
        play_line(game, state, "9c, 8c")
    with pytest.raises(TooFar, match='"2d" goes too far: the line ends before it, and then Cleo is to act'):
        play_line(game, last, "3d, 2d")  # she leads the next night


def test_after_the_end_nothing_is_laid():
    """WM-END-1."""
    state = sheet("Ada: clubs 3 | Basil: | Cleo:")

    assert [] == state.legal()
    refused = state.why_not(NUMBER["9c"])
    assert ("WM-END-1", "the game ended with the queen of hearts, so the 9 of clubs cannot be laid") == (
        refused.rule,
        refused.because,
    )


FIRST_NIGHT = {
    "moon": "kh",
    "seats": {
        "Dora": {"hand": ["4c", "6s", "ah", "8h", "5d"]},
        "Fred": {"hand": ["2c", "9c", "3s", "7h", "10d"]},
        "Gwen": {"hand": ["ac", "5s", "8s", "2h", "7d"]},
    },
}
LAYS = {"Dora": "8h", "Fred": "2c", "Gwen": "8s"}


def replayed(order, given=FIRST_NIGHT):
    """What comes of the seats laying in this order."""
    steps = [{"draw": {"moon": "jc"}}, *({seat: LAYS[seat]} for seat in order)]
    return replay(game, FACTS, Script("lays", given, (), {}, tuple(steps), {}))


@pytest.mark.parametrize("order", [["Gwen", "Fred", "Dora"], ["Fred", "Dora", "Gwen"], ["Fred", "Gwen", "Dora"]])
def test_on_a_first_night_seats_lay_in_any_order(order):
    """WM-NIGHT-4: all lay face down, so the order has no effect."""
    right, other = replayed(["Dora", "Fred", "Gwen"]), replayed(order)

    assert (None, None) == (right.fault, other.fault)
    assert right.after == other.after
    assert {"2c", "8h", "8s", "kh"} == set(other.after["seats"]["Dora"]["pile"])
    early = replayed(order[:1]).after
    assert early == game.load(FACTS, early).position()


def test_a_seat_lays_one_card_and_later_nights_have_an_order():
    """WM-MONTH-3 and WM-NIGHT-5: nobody lays twice in a night, nor before the leader on a later one."""
    given = {**FIRST_NIGHT, "night": 2, "leader": "Gwen", "seats": deepcopy(FIRST_NIGHT["seats"])}
    for has in given["seats"].values():
        has["hand"] = has["hand"][1:]
    given["faces"] = [id_ for id_ in BOX.face_ids if id_ not in ("kh", "jd")]

    assert '"Fred: 2c" is out of turn: Dora is to act' in replayed(["Fred", "Fred"]).fault[1]
    assert '"Dora: 8h" is out of turn: Gwen is to act' in replayed(["Dora"], given).fault[1]


# Month scoring

MONTHS = """
captured           | clubs spades hearts diamonds | why
2c 3c as           | 2     1      0      0        | a number card is 1
10c js             | 1     2      0      0        | doubled or not (WM-SCORE-3, WM-AMB-18)
jc qc kc           | 9     0      0      0        | 2, 3 and 4
js qs ks ac        | 1     9      0      0        |
qh 2h              | 0     0      4      0        |
joker-1 joker-2    | 0     0      0      0        | jokers have no suit and no points
kd joker-1 2d 3h   | 0     0      1      5        |
"""


@pytest.mark.parametrize("line", MONTHS.split("\n")[2:-1])
def test_captured_cards_score_by_suit(line):
    """WM-SCORE-1 to WM-SCORE-4."""
    captured, points, _ = (cell.strip() for cell in line.split("|"))
    cards = [NUMBER[card] for card in captured.split()]

    assert list(map(int, points.split())) == game.scoring.month_points(cards, BOX.cards)


def test_a_doubled_suit_scores_single():
    """WM-SCORE-3, WM-AMB-18: two spades captured on a night of spades, and the king, make 1 + 1 + 4."""
    state = table("Ada: 10s | Basil: 9s | Cleo: 2c", moon="ks", night=3, month=2)
    state.chance = Seeded(1)
    played(state, "10s 9s 2c")

    assert [1, 6, 0, 0] == row(state, "Ada")


def test_a_month_is_added_to_the_sheet_and_jokers_are_kept():
    """WM-SCORE-5, WM-SCORE-7: by hand. Ada had 3 clubs and 1 diamond and a joker; she captures 2 clubs, 2 hearts and
    the jack, a diamond, 3 spades and the jack, and the other joker. She has captured both nights before, so Basil
    leads."""
    state = table(
        "Ada: 10c; pile 2c 3h 4d joker-2 jh 5s 4h 6h; clubs 3; diamonds 1; jokers 1 | Basil: 2s; spades 2 | Cleo: 3s",
        "Ada ac 2c 3c 4c 5c", "Basil as 2s 3s 4s 5s", "Cleo ah 2h 3h 4h 5h", "moon jd",
        month=2, night=3, moon="js",
    )  # fmt: skip
    events = played(state, "2s 3s 10c")

    assert [5, 5, 5, 2] == row(state, "Ada")  # spades 5 of 5s, 2s, 3s and the jack
    assert [0, 2, 0, 0] == row(state, "Basil")
    assert 2 == state.position()["seats"]["Ada"]["jokers"]
    assert [] == pile(state, "Ada")
    assert not {"js", "jh", "joker-1", "joker-2"} & set(state.position()["faces"])
    assert "Ada scores month 2: 2 clubs, 5 spades, 5 hearts and 1 diamond." in told(events, "WM-SCORE-1")
    assert ["Among them the jack of spades for 2 and the jack of hearts for 2."] == told(events, "WM-SCORE-2")
    assert ["The Joker of the Wolf gives no points."] == told(events, "WM-SCORE-4")
    assert "Ada now has 5 clubs, 5 spades, 5 hearts and 2 diamonds." in told(events, "WM-SCORE-7")
    assert [
        "The jack of spades and the jack of hearts are out of the game.",
        "Ada keeps the Joker of the Wolf.",
    ] == told(events, "WM-SCORE-5")
    assert ["The 2 cards that each seat has left give no points and are gathered."] == told(events, "WM-AMB-11")


def test_every_column_has_lines():
    """WM-SCORE-7 for earlier months, WM-SCORE-2 for captures, WM-SCORE-1 where there is nothing."""
    state = sheet("Ada: spades 2; hearts 1; pile 2c 3c 4c 5c 6c 7c 8c 9c 10c jc qh joker-1 | Basil: | Cleo:", night="3")
    expected = [
        Line("WM-SCORE-2", "clubs: number cards", 9, 1, 9, "clubs"),
        Line("WM-SCORE-2", "jack of clubs", 1, 2, 2, "clubs"),
        Line("WM-SCORE-7", "spades of earlier months", 2, 1, 2, "spades"),
        Line("WM-SCORE-7", "hearts of earlier months", 1, 1, 1, "hearts"),
        Line("WM-SCORE-2", "queen of hearts: the lover", 1, 3, 3, "hearts"),
        Line("WM-SCORE-1", "diamonds", 0, 1, 0, "diamonds"),
    ]
    ada, basil, _ = state.score()

    assert expected == list(ada.lines)
    assert {"clubs": 11, "spades": 2, "hearts": 4, "diamonds": 0} == ada.columns
    assert (("WM-SCORE-4", "1 joker is kept, without points."),) == ada.notes
    assert [Line("WM-SCORE-1", suit, 0, 1, 0, suit) for suit in SUITS] == list(basil.lines)


# The queen of hearts


@pytest.mark.parametrize("night", [1, 2])
def test_in_month_1_the_queen_of_hearts_is_replaced_and_goes_back(night):
    """WM-END-2, WM-AMB-12: the jack of clubs comes in her place, and she is in the face pile afterwards."""
    state = table("Ada: 9c | Basil: 10s | Cleo: 3d", "moon qh", "moon jc", night=night)
    events = played(state, "9c 10s 3d")

    assert "jc" == state.position()["moon"]
    assert "qh" in state.position()["faces"]
    assert ["The queen of hearts comes in month 1, and another card is turned up instead."] == told(events, "WM-END-2")
    assert ["Only after the jack of clubs is up, the queen of hearts is shuffled back into the face pile."] == told(
        events, "WM-AMB-12"
    )
    assert "WM-END-1" not in rules(events)


def test_the_first_card_of_all_may_be_the_queen_of_hearts():
    """WM-END-2 on night 1 of month 1, while the game starts."""
    hands = ("Ada ac 2c 3c 4c 5c", "Basil as 2s 3s 4s 5s", "Cleo ah 2h 3h 4h 5h")
    events = []
    state = game.start(FACTS, NAMES[:3], {}, script(*hands, "moon qh", "moon kd"), events)

    assert "kd" == state.position()["moon"]
    assert "qh" in state.position()["faces"]
    turned_up = ["WM-END-2", "WM-AMB-12", "WM-NIGHT-1", "WM-NIGHT-2"]
    assert ["WM-SETUP-2", *["WM-MONTH-2"] * 3, *turned_up] == rules(events)
    assert {"card": "qh", "month": 1} == next(event.facts for event in events if event.rule == "WM-END-2")


def test_each_seat_is_told_its_own_first_hand():
    """WM-MONTH-2: of the other hands it learns that they are dealt. The first card of the face pile is for all."""
    hands = ("Ada ac 2c 3c 4c 5c", "Basil as 2s 3s 4s 5s", "Cleo ah 2h 3h 4h 5h")
    events = []
    game.start(FACTS, NAMES[:3], {}, script(*hands, "moon kd"), events)

    assert [
        "All number cards are shuffled, and month 1 begins.",
        "Ada is dealt 5 cards.",
        "Basil is dealt the ace of spades, the 2 of spades, the 3 of spades, the 4 of spades and the 5 of spades.",
        "Cleo is dealt 5 cards.",
        "The king of diamonds is turned up for night 1 of month 1.",
        "Diamonds count double tonight.",
    ] == [event.told(1) for event in events]


def test_she_cannot_come_in_her_own_place():
    """WM-AMB-12: she goes back only after the replacement is up."""
    with pytest.raises(ChanceError, match='"qh" cannot be drawn for "moon"'):
        played(table("Ada: 9c | Basil: 10s | Cleo: 3d", "moon qh", "moon qh"), "9c 10s 3d")


@pytest.mark.parametrize("night", [1, 2, 3])
def test_her_night_is_played_out_and_ends_the_game(night):
    """WM-END-1, WM-AMB-14, WM-AMB-17: she doubles hearts, so Cleo's 6 beats the 10, and Cleo has her."""
    state = table("Ada: 9c | Basil: 10s | Cleo: 6h", month=2, night=night, moon="qh")
    events = played(state, "9c 10s")

    assert state.to_act() == 2
    assert state.result() is None
    events += played(state, "6h")

    assert OVER == state.to_act()
    assert "Cleo captured the last night, and so has the queen of hearts." in told(events, "WM-AMB-14")
    assert "yes" == state.position()["seats"]["Cleo"]["lover"]
    assert [1, 1, 4, 0] == columns(state, "Cleo")
    assert ["The queen of hearts gives 3 hearts, so Cleo is not innocent."] == told(events, "WM-AMB-4")
    assert ("WM-AMB-3" in rules(events)) == (night < 3)


def test_her_coming_is_told_with_what_it_means():
    """WM-END-1, WM-AMB-17: after month 1 nothing replaces her."""
    state = table("Ada: 9c | Basil: 10s | Cleo: 6h", "moon qh", month=2)
    events = played(state, "9c 10s 6h")

    assert ["The queen of hearts doubles her suit like any face card."] == told(events, "WM-AMB-17")
    assert ["The queen of hearts has come, so this night is the last."] == told(events, "WM-END-1")
    assert ["Hearts count double tonight."] == told(events, "WM-NIGHT-8")
    assert "qh" not in state.position()["faces"]


@pytest.mark.parametrize(
    ("option", "night", "expected"),
    [
        ("scored", 1, [2, 1, 4, 0]),
        ("dropped", 1, [1, 0, 0, 0]),
        ("dropped", 2, [1, 0, 0, 0]),
        ("dropped", 3, [2, 1, 4, 3]),
    ],
)
def test_the_last_month_is_scored_unless_it_is_unfinished_and_dropped(option, night, expected):
    """WM-AMB-3, WM-AMB-23: Cleo had 1 club; she captures 9c, 10s, 6h and the queen, 3, and on an earlier night a joker
    with 3 diamonds. A month that lasted three nights is finished and scored anyway. Dropped or not, she has the queen,
    and the joker of this month counts."""
    seats = "Ada: 9c | Basil: 10s | Cleo: 6h; clubs 1" + ("; pile 2d 3d 4d joker-2" if night > 1 else "")
    if night == 3:
        seats = seats.replace("10s", "10s; pile 2s 3s 4s js")  # so either of them may have captured last
        record = {"leader": "Ada"}
    else:
        record = {}
    state = table(seats, month=2, night=night, moon="qh", options={"last-month": option}, **record)
    events = played(state, "9c 10s 6h")

    assert expected == columns(state, "Cleo")
    assert ("WM-AMB-23" in rules(events)) == (option == "dropped" and night < 3)
    assert ("WM-AMB-4" in rules(events)) == (expected[2] == 4)
    cleo = state.sheets_now()[2]
    assert (True, int(night > 1)) == (cleo.lover, cleo.jokers)
    notes = [rule for rule, _ in state.score()[2].notes]
    assert ("WM-AMB-3" in notes) == (option == "dropped" and night < 3)
    assert expected == columns(game.load(FACTS, state.position()), "Cleo")


def test_a_month_under_way_counts_whatever_the_option():
    """A score asked for in play tells what has been captured, since the month may yet be finished."""
    state = table(
        "Ada: 9c; pile 2c 3c 4c kd | Basil: | Cleo:", month=2, night=2, moon="js", options={"last-month": "dropped"}
    )

    assert [3, 0, 0, 4] == columns(state, "Ada")


def test_a_dropped_month_lets_an_innocent_hold_the_queen():
    """WM-AMB-3, WM-END-11: without the points of the last night Cleo has no heart, would win as the richest innocent,
    and is released; Ada wins."""
    state = table(
        "Ada: 9c; diamonds 2 | Basil: 10s; clubs 4 | Cleo: 6h; diamonds 3; jokers 1",
        month=2, moon="qh", options={"last-month": "dropped"},
    )  # fmt: skip
    events = played(state, "9c 10s 6h")

    assert ("Ada",) == state.result().winners
    assert "WM-END-11" in rules(events)
    assert list(state.result().steps) == [(e.rule, e.text) for e in events[-len(state.result().steps) :]]


# The end


def judged(text):
    """Score sheets from rows like `4 0 2 1 j q`: clubs, spades, hearts, diamonds, a j for each joker, and a q for the
    queen of hearts."""
    sheets = []
    for name, cells in zip(NAMES, text.split("/"), strict=False):
        words = cells.split()
        numbers = [int(word) for word in words if word.isdigit()]
        sheets.append(game.scoring.Sheet(name, *numbers, words.count("j"), "q" in words))
    return sheets


ENDS = """
sheets                                    | mob | Yard | freed | wins | rules
3 0 1 2 / 1 0 2 3 / 2 0 3 1 q             | A   |      |       | B    | END-3 AMB-8 END-8 END-9 AIM-2
0 0 1 2 / 0 0 2 3 / 0 0 3 1 q             |     |      |       | B    | AMB-10 AMB-8 END-8 END-9 AIM-2
3 1 1 0 / 3 2 0 0 / 0 0 1 1 q             | B   | A    |       | C    | END-3 AMB-7 END-4 END-8 END-9 AIM-2
3 2 1 0 / 3 2 0 9 / 0 0 1 1 q             | A   |      |       | B    | END-3 AMB-7 END-5 END-6 END-9 AIM-2
3 2 1 0 / 3 2 1 9 / 0 0 1 1 q             | B   | A    |       | C    | END-3 AMB-7 END-4 END-8 END-9 AIM-2
3 2 1 9 / 3 2 1 9 / 0 0 1 1 q             | AB  |      |       | C    | END-3 AMB-7 AMB-8 END-8 END-9 AIM-2
1 1 1 1 / 1 1 1 1 / 1 1 1 1               | ABC |      |       |      | END-3 AMB-7 AMB-24 AMB-21
9 0 0 0 / 0 3 1 9 / 0 2 0 1 / 0 1 4 8 q   | A   | B    |       | C    | END-3 END-4 END-6 END-9 AIM-2
9 0 0 0 / 0 3 0 9 / 0 2 5 1 / 0 1 4 8 q   | A   |      |       | B    | END-3 END-5 END-6 END-9 AIM-2
9 9 9 9 / 0 3 0 5 / 0 3 1 9 / 0 1 4 8 q   | A   | C    |       | B    | END-3 END-4 AMB-8 END-6 END-9 AIM-2
9 9 9 9 / 0 3 0 5 / 0 3 0 6 / 0 1 4 8 q   | A   |      |       | C    | END-3 AMB-8 END-5 END-7 END-9 AIM-2
9 9 9 9 / 1 3 2 5 / 0 3 2 9 / 0 1 4 2 q   | A   | B    |       | C    | END-3 END-4 AMB-8 END-8 END-9 AIM-2
9 9 9 9 / 1 3 2 5 / 1 3 2 4 / 0 1 4 2 q   | A   | B    |       | C    | END-3 END-4 AMB-8 END-8 END-9 AIM-2
9 9 9 9 / 2 3 1 9 / 1 3 2 5 / 0 1 4 2 q   | A   | C    |       | B    | END-3 END-4 AMB-8 END-8 END-9 AIM-2
9 9 9 9 / 2 3 2 4 / 1 3 2 5 / 0 1 4 2 q   | A   | B    |       | C    | END-3 END-4 AMB-8 END-8 END-9 AIM-2
9 9 9 9 / 1 3 2 5 / 1 3 2 5 / 0 1 4 2 q   | A   | BC   |       | D    | END-3 END-4 AMB-8 END-8 END-9 AIM-2
9 9 9 9 / 1 3 2 5 / 1 3 2 5 / 1 3 2 5     | A   | BCD  |       |      | END-3 END-4 AMB-8 AMB-24 AMB-21
9 9 9 9 / 1 1 0 5 / 1 0 0 7 / 0 0 3 9 q   | A   |      |       | C    | END-3 END-5 END-7 END-9 AIM-2
9 9 9 9 / 1 0 0 5 / 2 0 0 5 / 0 0 3 9 q   | A   |      |       | B    | END-3 AMB-8 END-7 AMB-9 END-9 AIM-2
9 9 9 9 / 1 1 0 5 / 1 2 0 5 / 0 0 3 9 q   | A   |      |       | B    | END-3 END-5 END-7 AMB-9 END-9 AIM-2
9 9 9 9 / 1 1 0 5 / 1 1 0 5 / 0 0 3 9 q   | A   |      |       | BC   | END-3 AMB-8 END-5 END-7 AMB-9 END-9 AIM-2
9 9 9 9 / 1 0 2 5 / 1 0 1 5 / 0 0 3 1 q   | A   |      |       | C    | END-3 AMB-8 END-8 AMB-9 END-9 AIM-2
9 9 9 9 / 1 0 1 5 / 0 0 1 5 / 0 0 3 1 q   | A   |      |       | C    | END-3 AMB-8 END-8 AMB-9 END-9 AIM-2
9 9 9 9 / 0 9 1 5 / 2 1 1 4 / 1 2 1 4     | A   | B    |       | C    | END-3 END-4 END-8 AMB-9 AMB-24 AIM-2
9 9 9 9 / 0 0 1 5 / 0 9 9 9 q j           | A   | C    | C     | B    | END-3 END-4 END-8 END-10 AMB-5 AIM-2
9 0 3 9 q j / 0 0 2 5 / 0 0 1 4           | A   |      | A     | B    | END-3 AMB-8 END-8 END-10 AMB-5 AIM-2
9 9 9 9 / 0 0 1 5 / 0 0 3 9 q j           | A   |      | C     | B    | END-3 AMB-8 END-8 END-11 AMB-6 END-8 AIM-2
9 9 9 9 / 0 0 1 5 / 0 0 3 9 q             | A   |      |       | C    | END-3 AMB-8 END-8 END-9 AIM-2
9 9 9 9 / 0 0 1 5 / 0 0 3 9 j             | A   |      |       | C    | END-3 AMB-8 END-8 AMB-24 AIM-2
9 9 9 9 / 0 0 1 5 / 0 0 3 4 q j j         | A   |      | C     | B    | END-3 AMB-8 END-8 END-9 AIM-2
9 9 9 9 / 0 0 1 5 / 0 0 0 4 q j           | A   |      | C     | B    | END-3 AMB-8 END-6 END-11 AMB-6 END-8 AIM-2
9 9 9 9 / 0 0 0 5 / 0 0 0 7 q j / 0 0 2 9 | A   |      | C     | B    | END-3 AMB-8 END-7 END-11 AMB-6 END-6 AIM-2
9 9 9 9 / 0 0 1 5 / 0 0 1 5 q j           | A   |      | C     | B    | END-3 AMB-8 END-8 AMB-9 END-11 AMB-22 AIM-2
0 0 1 5 / 0 0 1 5 / 0 0 1 5 q j           |     |      | C     | AB   | AMB-10 AMB-8 END-8 AMB-9 END-11 AMB-22 AIM-2
9 9 9 9 / 0 9 1 5 / 0 0 1 5 q j           | A   | B    | C     |      | END-3 END-4 END-8 END-11 AMB-6
1 1 1 1 / 1 1 1 1 / 1 1 1 1 q j           | ABC |      | C     |      | END-3 AMB-7 END-10 AMB-5 AMB-21
9 9 9 9 / 0 0 2 5 / 0 0 3 5 / 0 0 3 9 q j | A   |      | D     | B    | END-3 AMB-8 END-8 END-11 AMB-6 END-8 AMB-9 AIM-2
"""


@pytest.mark.parametrize("line", ENDS.split("\n")[2:-1])
def test_the_end_goes_step_by_step(line):
    """WM-END-3 to WM-END-11 and every ruling on ties and releases; seats are named by their first letters."""
    text, *expected = (cell.strip() for cell in line.split("|"))
    sheets = judged(text)
    verdict, result = game.scoring.judge(sheets), game.scoring.resolve(sheets)
    released = (verdict.released,) if verdict.released >= 0 else ()
    seats = (verdict.lynched, verdict.hanged, released, verdict.winners)
    letters = ["".join(sheets[seat].seat[0] for seat in group) for group in seats]

    assert [*expected[:4], [f"WM-{rule}" for rule in expected[4].split()]] == [*letters, [r for r, _ in result.steps]]
    assert tuple(sheets[seat].seat for seat in verdict.winners) == result.winners
    assert tuple(dict.fromkeys(rule for rule, _ in result.steps)) == result.rules


def sentences(text):
    return [sentence for _, sentence in game.scoring.resolve(judged(text)).steps]


def test_the_steps_tell_names_and_numbers():
    """Mob with a tie, Yard, a would-be winner released, and the next best."""

    assert [
        "The mob wants whoever has the most clubs: Ada and Basil have 4 each.",
        "Basil has more spades, 2, and is lynched.",
        "Ada has the most spades, 1, and 1 heart, and is hanged.",
        "Everyone left has a heart: Cleo, Dora and Enid. Of them Dora has the most diamonds, 6.",
        "Dora has the queen of hearts and 2 jokers: Dora dies released, a moral victory, and does not win.",
        "The third and the fourth step are repeated without Dora: Cleo and Enid are left.",
        "Everyone left has a heart: Cleo and Enid. They have 5 diamonds each.",
        "Enid has fewer hearts, 1, and comes first.",
        "Enid wins, a guilty survivor with 5 diamonds.",
    ] == sentences("4 1 1 0 / 4 2 0 0 / 0 0 2 5 / 0 0 3 6 q j j / 0 0 1 5")


def test_the_steps_tell_of_victims_and_innocents():
    """A lynched player released; nobody hanged; two innocents, equal in every column, share."""

    assert [
        "Ada has the most clubs, 2, and is lynched by the mob.",
        "Basil and Cleo have the most spades, 1 each; of them only players with a heart can be hanged.",
        "None of them has a heart, so Scotland Yard hangs nobody.",
        "Basil and Cleo have no heart. They have 3 diamonds each.",
        "Basil and Cleo are equal in hearts, spades and clubs too, and come first together.",
        "Ada has the queen of hearts and 1 joker, so this death is a release, a moral victory, "
        "and Ada is out all the same.",
        "Ada was still the victim of the mob, which takes nobody else instead.",
        "Basil and Cleo share the win.",
    ] == sentences("2 0 3 9 q j / 0 1 0 3 / 0 1 0 3 / 0 0 2 9")


def test_the_steps_that_are_repeated_name_no_winner_before():
    """WM-AMB-6: Cleo would win with 9 diamonds. Of the others Dora and Enid share the win, and Basil, named with them,
    does not; where Basil alone is left, he wins."""
    repeated = "The third and the fourth step are repeated without Cleo: Basil, Dora and Enid are left."
    shared = sentences("9 9 9 9 / 0 0 1 4 / 0 0 3 9 q j / 0 0 1 5 / 0 0 1 5")

    assert repeated == shared[4]
    assert "Dora and Enid share the win." == shared[-1]
    alone = sentences("9 9 9 9 / 0 0 1 1 / 0 0 3 9 q j")
    assert "The third and the fourth step are repeated without Cleo: Basil is left." in alone


def test_two_who_are_equal_suffer_both_and_more_suffer_all():
    """WM-AMB-7, WM-AMB-8: equal in all four columns."""

    assert [
        "The mob wants whoever has the most clubs: Ada and Basil have 2 each.",
        "Ada and Basil are equal in spades, hearts and diamonds too, and are both lynched.",
        "Scotland Yard suspects whoever has the most spades: Cleo and Dora have 1 each.",
        "Cleo and Dora are equal in hearts, clubs and diamonds too, and are both hanged.",
    ] == sentences("2 0 1 1 / 2 0 1 1 / 0 1 1 1 / 0 1 1 1 / 0 0 3 0 q")[:4]
    three = sentences("2 0 1 1 / 2 0 1 1 / 2 0 1 1 / 0 1 1 1 / 0 1 1 1 / 0 1 1 1 / 0 0 3 0 q")
    assert "Ada, Basil and Cleo are equal in spades, hearts and diamonds too, and are all lynched." == three[1]
    assert "Dora, Enid and Fay are equal in hearts, clubs and diamonds too, and are all hanged." == three[3]


def test_the_steps_tell_who_does_not_share():
    """WM-AMB-22: Basil and Cleo are equal, and Cleo is released."""

    assert [
        "Ada has the most clubs, 9, and is lynched by the mob.",
        "Nobody left has a spade, so Scotland Yard hangs nobody.",
        "Everyone left has a heart: Basil and Cleo. They have 5 diamonds each.",
        "Basil and Cleo are equal in hearts, spades and clubs too, and come first together.",
        "Cleo has the queen of hearts and 1 joker: Cleo dies released, a moral victory, and does not win.",
        "The win is not shared with Cleo.",
        "Basil wins, a guilty survivor with 5 diamonds.",
    ] == sentences("9 9 9 9 / 0 0 1 5 / 0 0 1 5 q j")


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("9 0 0 9 / 0 0 0 1 / 1 0 2 9 q", "Basil survived innocent, with 1 diamond."),
        ("9 0 0 9 / 0 0 1 0 / 1 0 2 9 q", "Cleo survived guilty, with 9 diamonds."),
        ("0 0 1 5 / 0 0 1 5 / 0 0 1 4 q",
         "Ada and Basil survived guilty, with 5 diamonds each, and equal in the other columns."),
        ("1 1 1 1 / 1 1 1 1 / 1 1 1 1 q", "Nobody is left alive, so nobody wins."),
    ],
)  # fmt: skip
def test_a_result_tells_why_in_one_sentence(text, because):
    """What is printed after who wins."""

    assert because == game.scoring.resolve(judged(text)).because


def test_the_last_step_tells_what_the_winner_is():
    """WM-AIM-2: an innocent survivor; and who alone is left, with a heart."""

    assert "Basil wins, an innocent survivor with no diamonds." == sentences("9 0 0 9 / 0 0 0 0 / 1 0 2 9 q")[-1]
    assert "Basil and Cleo have no heart. None of them has a diamond." in sentences("9 0 0 9 / 0 0 0 0 / 1 0 0 0 q")
    assert [
        "Cleo alone is left, with 3 hearts.",
        "Cleo has the queen of hearts but no joker, so nobody is released.",
        "Cleo wins, a guilty survivor with 1 diamond.",
    ] == sentences("9 0 0 9 / 0 4 1 0 / 1 0 3 1 q")[2:]


small = st.integers(0, 2)
rows = st.lists(st.tuples(small, small, small, small, small), min_size=3, max_size=6)


@pytest.mark.soak
@pytest.mark.slow("hundreds of random ends")
@settings(max_examples=400 * MORE, deadline=None)
@given(rows, st.integers(0, 6))
def test_the_end_agrees_with_a_plainer_statement(rows, holder):
    """All comparisons of a step at once, as one comparison of tuples."""
    sheets = [game.scoring.Sheet(NAMES[seat], *row, seat == holder) for seat, row in enumerate(rows)]
    verdict = game.scoring.judge(sheets)
    mob = [(sheet.clubs, sheet.spades, sheet.hearts, sheet.diamonds) for sheet in sheets]
    lynched = {seat for seat, worst in enumerate(mob) if worst == max(mob) and worst[0]}
    yard = {
        seat: (sheet.spades, sheet.hearts, sheet.clubs, sheet.diamonds)
        for seat, sheet in enumerate(sheets)
        if seat not in lynched
    }
    hanged = {seat for seat, worst in yard.items() if worst == max(yard.values()) and worst[0] and worst[1]}
    released = holder if holder < len(sheets) and sheets[holder].jokers else -1
    best = {
        seat: (sheet.hearts > 0, -sheet.diamonds, sheet.hearts, sheet.spades, sheet.clubs)
        for seat, sheet in enumerate(sheets)
        if seat not in lynched | hanged | {released}
    }
    winners = {seat for seat, key in best.items() if key == min(best.values())}

    assert (lynched, hanged, released, winners) == (
        set(verdict.lynched),
        set(verdict.hanged),
        verdict.released,
        set(verdict.winners),
    )


# Notation


SPELLINGS = """
7c  | 7c,  7C , seven of clubs, Seven  of Clubs, 7 of clubs
2c  | 2c, 2 of clubs, two of clubs, 2♣, 2 ♧, 2c., 2♣.
ac  | ac, ace of clubs, Ace of Clubs, 1c, 1 of clubs, A♣, 1♣
2s  | 2♠, 2♤, 2♠\ufe0e, 2♠\ufe0f
7h  | 7♥, 7♡
10d | 10d, 10 of diamonds, ten of diamonds, 10♦, 10♢, 10♦.
jh  | jh, jack of hearts
joker-1 | joker-1, joker of the moon
"""


@pytest.mark.parametrize("line", SPELLINGS.split("\n")[1:-1])
def test_a_card_is_written_by_its_id_or_in_words(line):
    """Case and extra spaces do not matter. The log says 7 of clubs, the card Seven of Clubs; an ace is a 1 (WM-AMB-1).
    It is written by its id."""
    card, spellings = (cell.strip() for cell in line.split(" | "))
    state = table("Ada: 7c | Basil: | Cleo:")

    assert [[NUMBER[card]]] * len(spellings.split(",")) == [game.read(text, state) for text in spellings.split(",")]
    assert card == game.write([NUMBER[card]], state)


NOT_READ = """
text       | kind       | message
7          | Ambiguous  | "7" does not say enough: 7c, 7s, 7h or 7d
j          | Ambiguous  | "j" does not say enough: jc, js, jh, jd, joker-1 or joker-2
seven      | Ambiguous  | "seven" does not say enough: 7c, 7s, 7h or 7d
joker      | Ambiguous  | "joker" does not say enough: joker-1 or joker-2
1          | Ambiguous  | "1" does not say enough: ac, as, ah or ad
1x         | Unreadable | "1x" is no card of this game
7x         | Unreadable | "7x" is no card of this game; write a card as ac, or as "Ace of Clubs"
sevn of clubs | Unreadable | did you mean "seven of clubs"?
?          | Unreadable | "?" stands for a card laid face down, and does not say which one it is
7c,        | Unreadable | a card is missing
score-sheet | Unreadable | "score-sheet" is no card of this game
"""


@pytest.mark.parametrize("line", NOT_READ.split("\n")[2:-1])
def test_a_text_that_is_no_card_says_why(line):
    """Two kinds of no: not notation at all, and not enough of it."""
    text, kind, message = (cell.strip() for cell in line.split("|"))
    with pytest.raises({"Ambiguous": Ambiguous, "Unreadable": Unreadable}[kind]) as caught:
        game.read(text, table("Ada: 7c | Basil: | Cleo:"))

    assert message in str(caught.value)


def test_every_move_is_a_number_card():
    """In the order of suits and values; faces are never laid."""

    assert NUMBERS == ids(game.every_move(FACTS))


def test_a_reader_does_not_see_a_card_laid_face_down():
    """WM-NIGHT-4: only on a first night, and only the others' cards."""
    first = table("Ada: 7c 8c | Basil: | Cleo:")
    later = table("Ada: 7c 8c | Basil: | Cleo:", night=2)
    card = [NUMBER["7c"]]

    assert ["7c", "?", "?"] == [game.write(card, first, reader) for reader in range(3)]
    assert ["7c", "7c", "7c"] == [game.write(card, later, reader) for reader in range(3)]


def test_of_a_line_that_is_refused_no_hidden_card_is_shown():
    """WM-MONTH-3: a second card of a line is never laid, so the others do not learn which it was. In the first night
    they do not learn the first either, even of the seat with whose card all would be revealed (WM-NIGHT-4)."""
    begins = table("Ada: 9c 3d | Basil: | Cleo:")
    reveals = table("Ada: 2c; laid 7c | Basil: ; laid 8c | Cleo: 9c 3d")
    later = table("Ada: 9c 3d | Basil: | Cleo:", night=2)
    month = table("Ada: 9c 3d | Basil: ; laid 8s | Cleo: ; laid 8h", night=3, leader="Basil")
    line = [NUMBER["9c"], NUMBER["3d"]]

    assert ["9c, 3d", "?, ?", "?, ?"] == [game.write(line, begins, reader) for reader in range(3)]
    assert ["?, ?", "?, ?", "9c, 3d"] == [game.write(line, reveals, reader) for reader in range(3)]
    assert ["9c, 3d", "9c, ?", "9c, ?"] == [game.write(line, later, reader) for reader in range(3)]
    assert ["9c, 3d", "9c, ?", "9c, ?"] == [game.write(line, month, reader) for reader in range(3)]
    assert "9c, 3d" == game.write(line, begins)


# Positions

HANDS = {
    "Ada": {"hand": ["ac", "2c", "3c", "4c", "5c"]},
    "Basil": {"hand": ["as", "2s", "3s", "4s", "5s"]},
    "Cleo": {"hand": ["ah", "2h", "3h", "4h", "5h"]},
}


def changed(text):
    """HANDS in play under a joker, changed as `Ada.hand=ac 2c, night=2` says; `-moon` takes a key away. A value with
    spaces is a list of words; one in brackets is YAML."""
    record = {"seats": deepcopy(HANDS), "moon": "joker-1"}
    for change in filter(None, (part.strip() for part in text.split(","))):
        if change.startswith("-"):
            del record[change[1:]]
            continue
        key, _, value = change.partition("=")
        seat, _, area = key.rpartition(".")
        target = record["seats"].setdefault(seat, {}) if seat else record
        if area in ("hand", "pile", "faces"):
            target[area] = value.split()
        elif area == "months":
            target[area] = [row.split() for row in value.split("/")]
        else:
            target[area] = value
    return record


def in_pairs(text):
    """What is written, and below it the beginning of the message."""
    lines = [line.strip() for line in text.strip().split("\n")]
    return list(zip(lines[::2], lines[1::2], strict=True))


MISFITS = """
Dora.hand=
  seats.Dora.hand: 0 is the wrong number of cards; 5: 5 less 0 of the nights
Ada.hand=ac 2c 3c 4c as
  seats.Basil.hand.0: as lies in two places: Ada's hand and Basil's hand; each card is there once
Ada.hand=ac 2c 3c 4c ac
  seats.Ada.hand.4: ac lies in two places: Ada's hand and Ada's hand
Ada.hand=ac 2c 3c 4c, Ada.laid=as
  seats.Ada.laid: as lies in two places: Basil's hand and Ada's card of tonight
Ada.hand=ac 2c 3c 4c kc
  seats.Ada.hand.4: kc is of the face pile; Ada's hand takes number cards only (WM-SETUP-1)
Ada.hand=ac 2c 3c 4c, Ada.laid=kc
  seats.Ada.laid: kc is of the face pile; Ada's card of tonight takes number cards only
Ada.hand=ac 2c 3c 4c 5x
  seats.Ada.hand.4: "5x" is not known here
moon=7d
  moon: 7d is a number card; the moon takes face cards and jokers only (WM-SETUP-1)
-moon
  the key "moon" is missing; every night a card of the face pile is turned up (WM-NIGHT-1)
faces=qh jc qc joker-1
  faces.3: joker-1 lies in two places: the moon and the face pile
faces=qh jc qc 7d
  faces.3: 7d is a number card; the face pile takes face cards and jokers only
month=5, faces=kc
  faces: the queen of hearts is missing; she is in the face pile until she comes (WM-END-1)
faces=jc qh
  faces: 2 is the wrong number of cards; month 1 turns up 2 more besides the queen of hearts (WM-END-2)
month=2
  the key "faces" is missing; 10 cards are still in the face pile (14 less 1 for each night begun, this one too), and
month=6
  month: night 1 of month 6 cannot be; of 14 cards the queen of hearts comes on night 2 of month 5 at the latest
night=4
  night: 4 is out of range; it is 1 to 3
leader=Basil
  leader: nobody leads on the first night; all lay face down (WM-NIGHT-4), and Ada is asked first
leader=Dora, night=2
  leader: "Dora" is no seat here; known here: Ada, Basil, Cleo
to-act=Basil
  to-act: Basil is not to act here; it is Ada
to-act=Dora
  to-act: "Dora" is no seat here; known here: Ada, Basil, Cleo
night=2, leader=Cleo, Ada.hand=ac 2c 3c, Ada.laid=4c, Basil.hand=as 2s 3s 4s, Cleo.hand=ah 2h 3h 4h
  seats: Ada has laid and Cleo has not; they lay clockwise from the leader (WM-NIGHT-5): Cleo, Ada and Basil
Ada.pile=qh
  seats.Ada.pile: Ada has captured the queen of hearts; she does not stay in month 1 (WM-END-2)
Ada.lover=yes
  seats.Ada.lover: "lover" means nothing in phase playing; she ends the game on the night
Ada.months=1 0 0 0
  seats.Ada.months: months written: 1; finished by now: 0
month=2, Ada.months=1 0 0 0, Ada.clubs=1
  seats.Ada.months: the totals are written too: clubs; write one of them
month=3, Ada.months=1 0 0 0
  seats.Ada.months: months written: 1; finished by now: 2
month=2, Ada.months=1 0 0
  seats.Ada.months.0: 3 is the wrong number of items; 4
Ada.jokers=1
  seats.Ada.jokers: jokers held: 1, lying elsewhere: 2; the game has 2
month=2, Ada.jokers=2
  seats.Ada.jokers: jokers held: 2, lying elsewhere: 1; the game has 2
month=2, Ada.jokers=1, Cleo.jokers=1
  seats.Ada.jokers: jokers held: 2, lying elsewhere: 1; the game has 2
month=2, Ada.jokers=2, faces=qh joker-2
  seats.Ada.jokers: jokers held: 2, lying elsewhere: 2
phase=over
  moon: "moon" means nothing in phase over
phase=over, -moon
  seats.Ada.hand: "hand" means nothing in phase over; the score sheet and the pile count
phase=dusk
  phase: "dusk" is not known here
Ada.hands=ac
  unknown key "hands"; did you mean "hand"?
options=no
  options: "no" is not a mapping
"""


@pytest.mark.parametrize(("changes", "message"), in_pairs(MISFITS))
def test_a_position_that_cannot_be_says_why(changes, message):
    """Each misfit has its place, what is wrong, and what would be right."""
    with pytest.raises(Misfits) as caught:
        game.load(FACTS, changed(changes))

    assert message in str(caught.value)


DOUBTS = """
Ada.hand=ac 2c 3c 4c
  seats.Ada.hand: 4 is the wrong number of cards; 5: 5 less 0 of the nights before
night=2, leader=Ada, faces=qh jc qc kc js qs ks jh kh jd qd kd
  seats.Basil.hand: 5 is the wrong number of cards; 4: 5 less 1 of the nights before
Ada.laid=6c
  seats.Ada.hand: 5 is the wrong number of cards; 4: 5 less 0 of the nights before and 1 of tonight
moon=qh
  moon: the queen of hearts does not stay in month 1; another card is turned up instead (WM-END-2)
month=2, faces=qh jc qc kc js qs ks jh kh
  faces: 9 is the wrong number of cards; 10: 14 less 1 for each night begun, this one too (WM-NIGHT-1)
month=5, night=3, leader=Ada, faces=qh jc, Ada.hand=ac 2c 3c, Basil.hand=as 2s 3s, Cleo.hand=ah 2h 3h
  night: night 3 of month 5 cannot be; of 14 cards the queen of hearts comes on night 2 of month 5 at the latest
month=2, faces=qh jc qc kc js qs ks jh kh joker-2, moon=jd
  seats: jokers held: 0, lying elsewhere: 1; the game has 2, and one that is gone from the face pile stays with its
month=2, Ada.jokers=1, Ada.clubs=1, Ada.spades=1, faces=qh jc qc kc js qs ks jh kh jd
  seats.Ada.jokers: jokers held: 1, points of finished months: 2; each was captured with 3 number cards, so 3 points
Ada.pile=kc
  seats.Ada.pile: it does not hold whole nights (number cards: 0, of the face pile: 1); who captures takes all 3 number
Ada.pile=2d
  seats.Ada.pile: it does not hold whole nights (number cards: 1, of the face pile: 0); who captures takes all 3 number
Ada.pile=2d 3d, Basil.pile=4d kc
  seats.Basil.pile: it does not hold whole nights (number cards: 1, of the face pile: 1)
Ada.pile=2d 3d 4d kc
  seats: nights captured, by the piles: 1; nights played this month: 0
Ada.clubs=2
  seats.Ada.clubs: in month 1 no month is finished; write "month: 2" or more
Ada.jokers=1, faces=qh jc qc kc js qs ks jh kh jd qd kd
  seats.Ada.jokers: in month 1 no month is finished
"""


@pytest.mark.parametrize(("changes", "message"), in_pairs(DOUBTS))
def test_a_position_that_could_not_have_arisen_says_why_and_goes_on(changes, message):
    """Each doubt has its place, what is odd, and what would be right; the game can be played on all the same."""
    state = game.load(FACTS, changed(changes), Seeded(1))

    assert message in "\n".join(map(str, game.doubts(state)))

    while state.to_act() != OVER:
        state.apply(state.legal()[0])
    assert state.result()


def test_a_score_sheet_by_itself_may_have_piles_of_three_nights():
    """It does not say which night was the last; a record that does is doubted when its piles hold more."""
    piles = "Ada: pile 2c 3c 4c kc 2s 3s 4s ks 2h 3h 4h kh | Basil: | Cleo:"

    assert [] == game.doubts(sheet(piles))
    assert ["nights played this month: 2"] == [doubt.hint for doubt in game.doubts(sheet(piles, month=2, night=2))]


def test_positions_that_arise_in_play_are_not_doubted():
    """Whatever comes of play gives no doubt."""
    for seed in range(20):
        state = game.start(FACTS, NAMES[: 3 + seed % 6], {"last-month": "dropped"} if seed % 2 else {}, Seeded(seed))
        while state.to_act() != OVER:
            assert [] == game.doubts(state), state.position()
            state.apply(Seeded(f"{seed} {state.key()}").pick("move", state.legal()))
        assert [] == game.doubts(state)


SHEET_MISFITS = """
Ada: lover yes / Basil: lover yes / Cleo:
  seats.Basil.lover: Ada and Basil have the queen of hearts; one seat captured her
Ada: pile qh / Basil: lover yes / Cleo:
  seats.Basil.lover: Ada and Basil have the queen of hearts
Ada: pile qh; lover no / Basil: / Cleo:
  seats.Ada.lover: the queen of hearts lies in Ada's pile; who captured her has her (WM-AMB-14)
Ada: jokers 3 / Basil: / Cleo:
  seats.Ada.jokers: jokers held: 3; the game has 2
Ada: jokers 2 / Basil: pile joker-1 / Cleo:
  seats.Ada.jokers: jokers held: 2, lying elsewhere: 1
Ada: pile 2c 3c / Basil: pile 3c / Cleo:
  seats.Basil.pile.0: 3c lies in two places: Ada's pile and Basil's pile
Ada: laid 2c / Basil: / Cleo:
  seats.Ada.laid: "laid" means nothing in phase over
Ada: / Basil:
  seats: 2 is the wrong number of seats; 3 to 8 play
"""


@pytest.mark.parametrize(("text", "message"), in_pairs(SHEET_MISFITS))
def test_a_score_sheet_that_cannot_be_says_why(text, message):
    """Two lovers, too many jokers, and what means nothing after the end."""
    with pytest.raises(Misfits) as caught:
        sheet(text.replace("/", "|"))

    assert message in str(caught.value)


SHEET_DOUBTS = """
Ada: pile 2c 3c kc / Basil: / Cleo:
  seats.Ada.pile: it does not hold whole nights (number cards: 2, of the face pile: 1)
Ada: clubs 2; jokers 1 / Basil: / Cleo:
  seats.Ada.jokers: jokers held: 1, points of finished months: 2; each was captured with 3 number cards
"""


@pytest.mark.parametrize(("text", "message"), in_pairs(SHEET_DOUBTS))
def test_a_score_sheet_that_could_not_have_arisen_is_judged_all_the_same(text, message):
    """Whoever tries something out gets an answer, and the doubt with it."""
    state = sheet(text.replace("/", "|"))

    assert [message] == [str(doubt)[: len(message)] for doubt in game.doubts(state)]
    assert state.result()


@pytest.mark.parametrize("key", ["moon", "leader", "faces", "to-act"])
def test_a_key_of_the_game_in_play_means_nothing_after_the_end(key):
    """The message names the key and the phase."""
    with pytest.raises(Misfits, match=f'{key}: "{key}" means nothing in phase over'):
        sheet("Ada: | Basil: | Cleo:", **{key: ["qh"] if key == "faces" else "jc"})


def test_every_seat_has_laid_is_no_position():
    """The night's automatic steps follow at once."""
    record = changed("")
    for has, card in zip(record["seats"].values(), ("6c", "6s", "6h"), strict=True):
        has["hand"].pop()
        has["laid"] = card
    with pytest.raises(Misfits, match="every seat has laid, so this night is over"):
        game.load(FACTS, record)


def test_defaults_are_the_first_night_and_all_faces_that_lie_nowhere():
    """What a short record leaves out."""
    state = game.load(FACTS, changed(""))

    assert (1, 1, "Ada", False) == (state.month, state.night, turn(state), state.dropped)
    assert [card for card in FACES if card != "joker-1"] == state.position()["faces"]


def test_on_the_second_night_the_pile_says_who_leads():
    """WM-NIGHT-6: Basil captured the one night before, so Cleo leads, and nobody else can."""
    seats = written("Ada: | Basil: ; pile 2c 3c 4c kc | Cleo:", 2)
    state = game.load(FACTS, {"moon": "joker-1", "night": 2} | seats)

    assert "Cleo" == turn(state)
    assert "Cleo" == state.position()["leader"]
    (doubt,) = game.doubts(game.load(FACTS, {"moon": "joker-1", "night": 2, "leader": "Ada"} | seats))
    neighbour = "it is the left-hand neighbour of last night's captor (WM-NIGHT-6)"
    assert f"leader: Ada does not lead here; {neighbour}: Cleo" == str(doubt)


def test_on_the_third_night_two_piles_do_not_say_who_leads():
    """WM-NIGHT-6: Ada and Cleo captured a night each, so Basil or Ada leads. If Ada captured both, Basil does."""
    record = {"moon": "joker-1", "night": 3}
    two = record | written("Ada: ; pile 2c 3c 4c kc | Basil: | Cleo: ; pile 2s 3s 4s ks", 3)
    neighbour = "it is the left-hand neighbour of last night's captor (WM-NIGHT-6): Basil or Ada"
    with pytest.raises(Misfits) as caught:
        game.load(FACTS, two)

    assert f'the key "leader" is missing; {neighbour}' == str(caught.value)

    (doubt,) = game.doubts(game.load(FACTS, two | {"leader": "Cleo"}))
    assert f"leader: Cleo does not lead here; {neighbour}" == str(doubt)
    assert ["Ada", "Basil"] == [turn(game.load(FACTS, two | {"leader": name})) for name in ("Ada", "Basil")]
    both = record | written("Ada: ; pile 2c 3c 4c kc 2s 3s 4s ks | Basil: | Cleo:", 3)
    assert "Basil" == turn(game.load(FACTS, both))


def test_nights_left_out_of_the_piles_ask_for_the_leader_and_the_face_pile():
    """Anybody may have captured, and nobody can tell which cards are gone; both are told at once."""
    record = {"moon": "joker-1", "night": 2} | written("Ada: | Basil: | Cleo:", 2)
    with pytest.raises(Misfits) as caught:
        game.load(FACTS, record)

    assert ['the key "faces" is missing', 'the key "leader" is missing'] == [m.message for m in caught.value.misfits]
    faces = ["qh", "jc", "qc", "kc", "js", "qs", "ks", "jh", "kh", "jd", "qd", "joker-2"]
    assert "Cleo" == turn(game.load(FACTS, record | {"faces": faces, "leader": "Cleo"}))


def rows_of(*counts):
    """A finished sheet, by seat so many months of one diamond each."""
    seats = {name: {"months": [[0, 0, 0, 1]] * count} for name, count in zip(NAMES, counts, strict=False)}
    return {"phase": "over", "seats": seats}


def test_all_seats_have_as_many_months_and_five_at_most():
    """WM-AMB-16: 14 nights are five months, the last unfinished."""
    state = game.load(FACTS, rows_of(5, 5, 5))
    assert [0, 0, 0, 5] == row(state, "Cleo")
    with pytest.raises(Misfits) as caught:
        game.load(FACTS, rows_of(3, 2, 3))

    same = "Ada has 3, and a month of no points is a row too: [0, 0, 0, 0]"
    assert f"seats.Basil.months: months written: 2; {same}" == str(caught.value)
    with pytest.raises(Misfits) as caught:
        game.load(FACTS, rows_of(6, 6, 6))
    assert "seats.Ada.months: months written: 6; a game has 5 at most (WM-AMB-16)" in str(caught.value)


def test_who_is_to_act_follows_from_the_leader_and_who_has_laid():
    """Cleo leads the second night and has laid, so Ada is to act."""
    record = changed("night=2, Cleo.laid=5h, Basil.pile=2d 3d 4d kc")
    for has in record["seats"].values():
        has["hand"].pop()
    record["seats"]["Cleo"]["hand"].pop()

    assert "Ada" == turn(game.load(FACTS, record))


KEYS = (
    "month=3",
    "moon=jd",
    "faces=qh js qs ks jh kh jd qd joker-1 joker-2",
    "Ada.clubs=1",
    "Ada.diamonds=1",
    "Ada.jokers=1",
    "Basil.jokers=1",
    "Ada.hand=ac 2c 3c 4c 6c",
    "Ada.hand=ac 2c 3c 4c, Ada.laid=5c",
    "",
)


def test_states_that_differ_have_different_keys():
    """Each position differs from the others in one thing, on the table or on the sheet."""
    records = [changed(f"month=2, moon=jc, Ada.spades=3, Basil.spades=3, {key}") for key in KEYS]
    records.append(records[-1] | {"options": {"last-month": "dropped"}})
    states = [game.load(FACTS, {"faces": left_over(record)} | record) for record in records]
    states += [
        sheet(f"Ada: {ada} | Basil: {basil} | Cleo:") for ada in ("", "lover yes") for basil in ("", "pile 2c 3c 4c qd")
    ]
    states += [sheet("Ada: | Basil: lover yes | Cleo:"), sheet("Ada: | Basil: | Cleo:", night=2)]

    assert len(states) == len({state.key() for state in states})


def test_months_add_up_to_totals():
    """One row a month, columns clubs, spades, hearts, diamonds."""
    text = "month=3, Ada.months=3 0 4 2/1 2 0 0, Basil.hearts=5"
    record = changed(text)
    state = game.load(FACTS, record | {"faces": left_over(record)})

    assert [4, 2, 4, 2] == row(state, "Ada")
    assert [0, 0, 5, 0] == row(state, "Basil")


def test_a_joker_of_a_month_that_is_dropped_needs_no_points():
    """WM-AMB-23: the joker counts, the cards captured with it do not."""
    state = sheet("Ada: jokers 1 | Basil: | Cleo:", options={"last-month": "dropped"})

    assert 1 == state.sheets_now()[0].jokers


def test_a_finished_sheet_is_judged():
    """The lover, a joker of an earlier month and one in the pile; a pile of an unfinished month counts (WM-AMB-3)."""
    pile = "2d 3d 4d joker-2 5d 6d 7d qh"
    state = sheet(f"Ada: clubs 3 | Basil: diamonds 4; jokers 1; pile {pile} | Cleo: diamonds 12; hearts 2")
    basil = state.sheets_now()[1]

    assert OVER == state.to_act()
    assert (0, 0, 3, 10, 2, True) == basil[1:]
    assert ("Cleo",) == state.result().winners
    released = sheet("Ada: clubs 3 | Basil: diamonds 9; hearts 3; jokers 1; lover yes | Cleo: diamonds 6; hearts 1")
    assert ("Cleo",) == released.result().winners


def test_hearts_that_were_forgotten_for_the_queen_are_told():
    """WM-AMB-4: who captured her has 3 hearts at least. Her captor's notes say so, and the first of the steps; the rest
    is judged as it is written."""
    told = "The queen of hearts gives 3 hearts, and Cleo's sheet has 2: add them, unless the last month was dropped."
    state = sheet("Ada: clubs 3 | Basil: | Cleo: hearts 2; lover yes")
    steps = state.result().steps

    assert [(), (), (("WM-AMB-4", told),)] == [score.notes for score in state.score()]
    assert ("WM-AMB-4", told) == steps[0]
    assert steps[1:] == game.scoring.resolve(state.sheets_now()).steps


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Ada: clubs 3 | Basil: | Cleo: hearts 3; lover yes", {}),
        ("Ada: clubs 3 | Basil: | Cleo: pile 2c 3c 4c qh", {}),
        ("Ada: clubs 3 | Basil: | Cleo: hearts 2", {}),
        ("Ada: clubs 3 | Basil: | Cleo: hearts 2; lover yes", {"last-month": "dropped"}),
    ],
)
def test_a_sheet_that_can_be_is_judged_without_a_note(text, options):
    """Her hearts are there, on the sheet or in the pile; or nobody has her; or her month is not scored (WM-AMB-3)."""
    state = sheet(text, options=options)

    assert "WM-AMB-4" not in [rule for score in state.score() for rule, _ in score.notes]
    assert "WM-AMB-4" not in [rule for rule, _ in state.result().steps]


def test_a_sheet_without_a_lover_is_judged_without_a_release():
    """WM-AMB-24."""
    result = sheet("Ada: clubs 3 | Basil: diamonds 6; jokers 2 | Cleo: diamonds 1").result()

    assert ("Basil",) == result.winners
    assert "WM-AMB-24" in result.rules


def test_every_key_of_a_position_is_described():
    """A JSON schema is made from it, and editors show the words."""
    schema = game.position_shape(FACTS).schema()["properties"]
    seat = schema["seats"]["additionalProperties"]["properties"]
    known = schema | seat | game.OPTIONS.schema()["properties"]

    assert [] == [key for key, shape in known.items() if key != "options" and not shape.get("description")]
    assert {"hand", "laid", "pile", *SUITS, "months", "jokers", "lover"} == set(seat)


# Facts

MISFIT_FACTS = """
card    | change       | message
7c      | value 8      | 7c is the 8 of clubs too
7c      | value 0      | the value 0 is too small; the lowest number card is a 1 (WM-AMB-1)
7c      | rank jack    | it has the value 7 and the rank jack; a card has one of them
7c      | suit         | the column "suit" is empty; only jokers have no suit
jc      | suit         | the column "suit" is empty; only jokers have no suit
7c      | suit cups    | "cups" is no suit; did you mean "clubs"?
jc      | rank page    | "page" is no rank; known here: jack, joker, king, queen
7c      | points       | the column "points" is empty; every card has it, if only 0
7c      | count 2      | there are 2 of it; each card is there once
joker-1 | suit spades  | a joker of spades; a joker has no suit, and doubles nothing (WM-NIGHT-3)
joker-1 | points 5     | a joker worth 5 points; jokers have no points (WM-SCORE-4)
qh      | rank king    | no card is the queen of hearts; she ends the game (WM-END-1)
kh      | rank queen   | kh and qh are both the queen of hearts; there is one (WM-END-1)
"""


@pytest.mark.parametrize("line", MISFIT_FACTS.split("\n")[2:-1])
def test_cards_that_do_not_fit_say_why(line):
    """Each misfit stands at a card, so that its line can be shown."""
    id_, change, message = (cell.strip() for cell in line.split("|"))
    column, _, value = change.partition(" ")
    facts = deepcopy(FACTS)
    facts["components"][id_][column] = int(value) if value.isdigit() else value or None
    misfits = game.check_facts(facts)

    assert any(message in str(misfit) for misfit in misfits), [str(misfit) for misfit in misfits]
    assert all(misfit.at[0] == "components" and misfit.at[1] in facts["components"] for misfit in misfits)


def without(*gone):
    return {"components": {id_: card for id_, card in FACTS["components"].items() if id_ not in gone}}


def test_too_few_number_cards_tell_how_many_seats_they_serve():
    """WM-AMB-1: without aces 36 cards serve seven seats only; seven may play, and eight may not."""
    facts = without("ac", "as", "ah", "ad")
    (misfit,) = game.check_facts(facts)

    assert "36 number cards serve 7 seats at most; 8 seats take 40 (WM-PLAYERS-1, WM-MONTH-2)" in str(misfit)
    game.start(facts, NAMES[:7], {}, Seeded(1))
    with pytest.raises(Misfits, match="36 number cards are too few; 8 seats take 40"):
        game.start(facts, NAMES, {}, Seeded(1))
    (seven,) = game.check_facts(without("ac"))
    assert "39 number cards serve 7 seats at most" in str(seven)
    (three,) = game.check_facts(without(*NUMBERS[:25]))
    assert "15 number cards serve 3 seats at most" in str(three)
    (few,) = game.check_facts(without(*NUMBERS[:26]))
    assert "14 number cards are too few for even 3 seats" in str(few)


def test_the_face_pile_lasts_for_the_first_month():
    """WM-AMB-16: three nights without the queen of hearts take three other cards."""
    few = [card for card in FACES if card not in ("qh", "jc", "joker-1")]
    (misfit,) = game.check_facts(without(*few))

    assert "the face pile has 3 cards; the first month takes 3 besides the queen of hearts" in str(misfit)
    assert [] == game.check_facts(without(*few[:-1]))
    (none,) = game.check_facts(without(*FACES))
    assert "no card has a rank, so there is no face pile" in str(none)
    (nothing,) = game.check_facts({"components": {"mat": {"count": 1}}})
    assert "no card has a value or a rank" in str(nothing)


def test_the_made_up_and_the_real_deck_fit(facts_of):
    """The content's deck is the one of this test, whatever the words on its cards."""
    real = facts_of("wolf-mans-curse")

    assert [] == game.check_facts(FACTS)
    assert [] == list(game.check_facts(real))
    cards = box_of(real).cards
    assert (BOX.cards.ids, BOX.cards.suits, BOX.cards.values, BOX.cards.ranks, BOX.cards.points) == (
        cards.ids, cards.suits, cards.values, cards.ranks, cards.points,
    )  # fmt: skip


# Whole games


@pytest.mark.soak
@pytest.mark.slow("plays a game for every promise")
@pytest.mark.parametrize("check", battery.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(("seats", "last_month"), [(3, "dropped"), (5, "dropped"), (8, "scored")])
def test_the_promises_hold_with_the_option(check, seats, last_month):
    """The battery on the made-up deck, with and without the variant of WM-AMB-3."""
    options = {"last-month": last_month}
    for seed in seeds(1)[:1] if check in battery.ONCE else seeds(1):
        check(battery.Setting("grimalkin.games.wolf_mans_curse", FACTS, seats, seed, options))


def test_a_game_lasts_four_to_fourteen_nights():
    """WM-EX-2: the queen of hearts comes in month 2 at the earliest, and as the 14th card at the latest."""
    nights = set()
    for seed in range(300):
        state = game.start(FACTS, NAMES[:3], {}, Seeded(seed))
        decisions = len(play_out(state, [game.BOTS["random"](seed)] * 3, game.MOST_DECISIONS))
        nights.add((state.month - 1) * 3 + state.night)

        assert decisions == 3 * ((state.month - 1) * 3 + state.night)
    assert {4, 14} == {min(nights), max(nights)}


def test_the_tally_tells_the_end_the_fates_and_the_captures():
    """By hand: under a joker Basil's 10 captures 1 club, 1 spade, 1 heart and the joker; on the lover's night Cleo's 6
    counts 12 and captures 1 club, 1 spade, 1 + 3 hearts. Cleo has more hearts and is lynched, Basil hangs, Ada wins."""
    state = table("Ada: 2c 9c | Basil: 10s 8s | Cleo: 6h 2h; diamonds 1", "moon qh", month=2)
    played(state, "2c 10s 2h")
    played(state, "6h 9c 8s")
    tally = game.tally(state)

    assert {
        "who wins": "an innocent", "what the mob does": "it lynches somebody",
        "what Scotland Yard does": "it hangs somebody", "whom the lover releases": "nobody", "months": 2, "nights": 5,
    } == tally.game  # fmt: skip
    assert [
        {"clubs": 0, "spades": 0, "hearts": 0, "diamonds": 0, "jokers": 0},
        {"clubs": 1, "spades": 1, "hearts": 1, "diamonds": 0, "jokers": 1},
        {"clubs": 1, "spades": 1, "hearts": 4, "diamonds": 1, "jokers": 0},
    ] == list(tally.seats)
    assert {
        "lynched": (3, 1), "hanged": (3, 1), "released": (3, 0), "survived": (3, 0), "won": (3, 1),
    } == tally.trials["what becomes of a wolf-man"]  # fmt: skip
    plain = tally.trials["captures on a plain night"]
    doubled = tally.trials["captures on a doubled night"]
    assert {"10s": (1, 1), "2c": (1, 0), "2h": (1, 0), "9c": (1, 0), "8s": (1, 0)} == {
        card: counts for card, counts in plain.items() if counts[0]
    }
    assert {"6h": (1, 1)} == {card: counts for card, counts in doubled.items() if counts[0]}
    assert NUMBERS == list(plain) == list(doubled)


ENDINGS = """
sheets                                    | who wins              | lynched hanged released  | fates
9 9 9 9 / 0 0 0 5 / 0 0 3 9 q             | an innocent           | somebody nobody nobody   | lynched won survived
9 9 9 9 / 0 0 1 5 / 0 9 3 9 q             | a guilty one          | somebody somebody nobody | lynched won hanged
0 0 1 5 / 0 0 1 5 / 0 0 3 1 q             | several share the win | nobody nobody nobody     | won won survived
1 1 1 1 / 1 1 1 1 / 1 1 1 1 q j           | nobody                | somebody nobody somebody | lynched lynched released
"""


@pytest.mark.parametrize("line", ENDINGS.split("\n")[2:-1])
def test_every_ending_has_a_word(line):
    """Nobody, shared, innocent or guilty; and what became of each seat."""
    text, ending, told_, fates = (cell.strip() for cell in line.split("|"))
    seats = {}
    for one in judged(text):
        totals = dict(zip(SUITS, one[1:5], strict=True))
        seats[one.seat] = totals | {"jokers": one.jokers, "lover": one.lover}
    tally = game.tally(game.load(FACTS, {"phase": "over", "seats": seats}))

    what = ("what the mob does", "what Scotland Yard does", "whom the lover releases")
    assert ending == tally.game["who wins"]
    assert told_.split() == [str(tally.game[key]).split()[-1] for key in what]
    counted = {fate: count for fate, (_, count) in tally.trials["what becomes of a wolf-man"].items() if count}
    assert Counter(fates.split()) == counted


def test_an_example_is_replayed():
    """Draws, lines, refusals and the score sheet in a script."""
    given = changed("")
    steps = ({"Ada": "5c"}, {"Basil": "as"}, {"draw": {"moon": "kd"}}, {"Cleo": "2h"})
    expect = {
        "to-act": "Basil",
        "illegal": {"kc": "WM-SETUP-1", "5c": "WM-MONTH-3", "6c": "WM-MONTH-2"},
        "position": {"night": 2, "moon": "kd", "seats": {"Ada": {"pile": ["5c", "as", "2h", "joker-1"]}}},
        "fires": ["WM-NIGHT-4", "WM-NIGHT-7", "WM-NIGHT-1", "WM-NIGHT-8"],
    }
    trace = replay(game, FACTS, Script("example", given, (), {}, steps, expect))

    assert trace.ok, (trace.fault, [check for check in trace.every_check() if not check.ok])
    assert json.loads(json.dumps(trace.after)) == trace.after


@pytest.mark.parametrize(
    ("seats", "at", "message"),
    [
        ({"Ada": {"clubs": 40}, "Basil": {"clubs": 19}, "Cleo": {}}, (), ""),
        (
            {"Ada": {"clubs": 40}, "Basil": {"clubs": 20}, "Cleo": {}},
            ("seats", "Ada", "clubs"),
            "60 clubs of all seats",
        ),
        ({name: {"months": [[0, 0, 19 * (name == "Ada"), 0]]} for name in ("Ada", "Basil", "Cleo")}, (), ""),
        (
            {name: {"months": [[0, 0, 10, 0]]} for name in ("Ada", "Basil", "Cleo")},
            ("seats", "Ada", "months", 0),
            "30 hearts in one month",
        ),
        (
            {name: {"months": [[0, 0, 0, 19 * (name == "Ada")]] * 4} for name in ("Ada", "Basil", "Cleo")},
            ("seats", "Ada", "diamonds"),
            "76 diamonds of all seats",
        ),
    ],
)
def test_no_suit_brings_more_than_its_cards(seats, at, message):
    """Ten number cards a month, and once 2 + 3 + 4 for its faces: 19 in a month, 59 in five of them."""
    position = {"phase": "over", "seats": seats}
    if not message:
        assert 0 < sum(sum(score.columns.values()) for score in game.load(FACTS, position).score())
        return
    with pytest.raises(Misfits) as raised:
        game.load(FACTS, position)

    assert [(at, True)] == [(misfit.at, misfit.message.startswith(message)) for misfit in raised.value.misfits]


def test_a_score_sheet_without_its_phase_is_answered_in_one_line():
    """Nobody holds a card, so this is no night of a game; what to write is said, and nothing else."""
    with pytest.raises(Misfits) as raised:
        game.load(FACTS, {"seats": {"Ada": {"clubs": 3}, "Basil": {"lover": "yes"}, "Cleo": {}}})

    assert ['no seat has a hand; for a finished score sheet, write "phase: over"'] == [
        f"{misfit.message}; {misfit.hint}" for misfit in raised.value.misfits
    ]


def test_a_move_with_its_seat_is_answered():
    """So lines are printed in a replay, but who is to act is known."""
    state = table("Ada: 2c 9c | Basil: 10s 8s | Cleo: 6h 2h; diamonds 1", "moon qh", month=2)
    with pytest.raises(Unreadable, match='"ada:" is not part of a move; write the card alone, 2c'):
        game.read("Ada: 2c", state)


def test_in_play_only_the_finished_months_can_have_brought_points():
    """One month brings 19 clubs at most, two bring 29."""
    position = table("Ada: 2c 9c | Basil: 10s 8s | Cleo: 6h 2h; diamonds 1", "moon qh", month=2).position()
    position["seats"]["Ada"]["clubs"] = 20
    with pytest.raises(Misfits) as raised:
        game.load(FACTS, position)

    assert "seats.Ada.clubs: 20 clubs of all seats together; 1 month brings 19 at most (WM-SCORE-2)" == str(
        raised.value
    )


def test_a_score_sheet_by_itself_has_no_nights():
    """Its record says neither month nor night; that of a game that was played says both."""
    sheet = {"phase": "over", "seats": {"Ada": {"clubs": 3}, "Basil": {}, "Cleo": {}}}

    assert not {"month", "night"} & set(game.load(FACTS, sheet).position())
    assert {"month", "night"} <= set(game.load(FACTS, {**sheet, "month": 3, "night": 2}).position())


def test_results_and_scores_carry_what_became_of_the_seats():
    """Ada has most clubs and is lynched, Basil most spades and a heart and is hanged; Cleo is released."""
    state = sheet(
        "Ada: clubs 9; spades 1 | Basil: spades 9; hearts 1 | Cleo: hearts 3; diamonds 2; jokers 1; lover yes | "
        "Dora: clubs 3; diamonds 4"
    )

    assert {"lynched": ("Ada",), "hanged": ("Basil",), "released": "Cleo", "innocent": True, "diamonds": 4} == (
        state.result().facts
    )
    assert [{"jokers": 0, "lover": False}] * 2 + [{"jokers": 1, "lover": True}, {"jokers": 0, "lover": False}] == [
        score.facts for score in state.score()
    ]


def test_steps_of_the_end_carry_who_and_how_many():
    """Ada is lynched for 9 clubs, Basil hanged for 9 spades, Dora the richest; each in the facts of its own step."""
    sheets = judged("9 0 0 0 / 0 9 1 0 / 0 0 0 2 / 3 0 0 4")
    verdict = game.scoring.judge(sheets)

    assert [
        ("WM-END-3", {"lynched": ("Ada",), "clubs": 9}),
        ("WM-END-4", {"hanged": ("Basil",), "spades": 9, "hearts": 1}),
        ("WM-END-7", {"seats": ("Cleo", "Dora"), "innocent": True, "richest": ("Dora",), "diamonds": 4}),
        ("WM-AMB-24", {}),
        ("WM-AIM-2", {"winners": ("Dora",), "innocent": True, "diamonds": 4}),
    ] == [(event.rule, dict(event.facts)) for event in verdict.events]


def test_facts_of_hidden_events_are_for_those_who_may_read_them():
    """A card laid face down and a hand that is dealt are named in facts of events that others only read hints of."""
    log = []
    state = game.start(FACTS, NAMES[:3], {}, Seeded(1), log)
    state.apply(state.legal()[0], log)
    hidden = [event for event in log if event.audience is not None]

    assert ["cards", "cards", "cards", "card"] == [name for event in hidden for name in event.facts]
    assert not any(fact in event.hint for event in hidden for fact in map(str, event.facts.values()))


def test_facts_of_events_are_in_their_sentences():
    """Numbers that an event carries are told in its sentence; none is told as a word."""
    for seed in range(6):
        log = []
        state = game.start(FACTS, NAMES[:4], {}, Seeded(seed), log)
        while state.to_act() != OVER:
            state.apply(Seeded(f"{seed} {len(log)}").pick("move", state.legal()), log)
        for event in log:
            for name, fact in event.facts.items():
                if isinstance(fact, int) and not isinstance(fact, bool):
                    words = {0: "no ", 1: "ace"}.get(fact, str(fact))
                    assert str(fact) in event.text or words in event.text, (name, event)
