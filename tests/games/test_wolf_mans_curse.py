"""Wolf-Man's Curse: what its rules say, worked out by hand on a deck of the test's own."""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy

import playing
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import NAMES, assert_no_doubt_arises, rules, told, turn
from soak import MORE, seeds
from stories import agree, assert_followed, flow, rows, score_of, stories

from grimalkin.engine.chance import ChanceError, Recorded, Scripted, Seeded
from grimalkin.engine.play import play_out
from grimalkin.engine.replay import Script, replay
from grimalkin.engine.shape import Misfits
from grimalkin.engine.words import OVER, Ambiguous, Unreadable
from grimalkin.games import wolf_mans_curse as game
from grimalkin.games.wolf_mans_curse.facts import FACE_DOWN, NOTHING, box_of
from grimalkin.testing import checks as battery

SUITS = ("clubs", "spades", "hearts", "diamonds")
WORDS = ("Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


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
    """The record of a finished score sheet, from `Ada: clubs 3; hearts 1; lover yes | Basil: | Cleo:`."""
    seats = written(text.replace(":", ":;"), fill=False)["seats"]
    for has in seats.values():
        del has["hand"]
    return {"phase": "over", "seats": seats} | record


def played(state, cards):
    """The events while cards are laid one after the other."""
    return playing.played(game, state, *cards.split())


def refusal(state, line):
    """The rule that refuses a line, and why."""
    found = playing.refusal(game, state, line)
    return found.rule, found.because


def misfit(record):
    """What is wrong with a position."""
    with pytest.raises(Misfits) as caught:
        game.load(FACTS, record)
    return str(caught.value)


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


def position(given):
    """The position of a story and what has happened: a table; `sheet Ada: clubs 3 | ...`, a score sheet; or `new 3`, a
    new game. Of its record, `draws` come next, and then what a `seed` gives."""
    text, _, rest = given.partition("--")
    record = {key: int(value) if key in ("month", "night") else value for key, value in flow(rest).items()}
    draws, seed, opening = record.pop("draws", []), record.pop("seed", ""), []
    if text.startswith("new "):
        state = game.start(FACTS, NAMES[: int(text[4:])], record, script(*draws), opening)
    elif text.startswith("sheet "):
        state = game.load(FACTS, sheet(text.removeprefix("sheet "), **record))
    else:
        state = table(text, *draws, **record)
    if seed:
        state.chance = Seeded(seed)
    return state, opening


def random_game(seats, seed, chance=None):
    """The states of a random game, each before its move, and the last."""
    state = game.start(FACTS, NAMES[:seats], {}, chance or Seeded(seed))
    luck = game.BOTS["random"](seed)
    while state.to_act() != OVER:
        yield state
        state.apply(luck(state.view(state.to_act()), state.legal()))
    yield state


# Set-up and months


@pytest.mark.parametrize(
    ("seats", "options", "message"),
    [
        pytest.param(NAMES[:2], {}, "2 is the wrong number of seats; 3 to 8 play", id="WM-PLAYERS-1 at least"),
        pytest.param([*NAMES, "Ian"], {}, "9 is the wrong number", id="WM-PLAYERS-1 at most"),
        pytest.param(["Ada", "Basil", "Ada"], {}, "two seats have the same name", id="two of one name"),
        pytest.param(
            NAMES[:3],
            {"lost-month": "dropped"},
            'unknown key "lost-month"; did you mean "last-month"',
            id="an option that is not known",
        ),
    ],
)
def test_a_game_that_cannot_start_says_why(seats, options, message):
    with pytest.raises(Misfits, match=message):
        game.start(FACTS, seats, options, Seeded(1))


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


# Stories

STORIES = """
WM-MONTH-3 a month is three nights, and two cards of each seat stay unplayed and score nothing (WM-AMB-11)
    Ada: ac 2c 3c | Basil: 10s 9s 8s | Cleo: as 2s 3s
        -- month: 2, draws: [moon joker-2, moon js, Ada ac 2c 3c 4c 5c,
        Basil as 2s 3s 4s 5s, Cleo ah 2h 3h 4h 5h, moon jd]
    > ac / 10s / as
    month: 2
    night: 2
    > Cleo: 2s / 2c / 9s
    month: 2
    night: 3
    seats.Ada.hand: [3c, 4c, 5c]
    > Cleo: 3s / 3c / 8s
    month: 3
    night: 1
    seats.Ada.hand: [ac, 2c, 3c, 4c, 5c]
    seats.Cleo.hand: [ah, 2h, 3h, 4h, 5h]
    row Ada: [0, 0, 0, 0]
    # 3 clubs, 6 spades and the jack of spades, 2
    row Basil: [3, 8, 0, 0]
WM-SCORE-6 the next month is dealt from all number cards, captured or left over, to any seat (WM-MONTH-2)
    Ada: 10c 9c 8c | Basil: as | Cleo: ah 10h
        -- draws: [Ada 2s 3s 4s 5s 6s, Basil 10c 10h 9c ah as, Cleo 2h 3h 4h 5h 6h, moon jd], night: 3, moon: jc
    > 10c / as / ah
    seats.Basil.hand: [9c, 10c, as, ah, 10h]
    told WM-SCORE-6: All number cards are shuffled, and month 2 begins.
    count WM-MONTH-2: 3
    reads Ada: ...
        / Ada is dealt the 2 of spades, the 3 of spades, the 4 of spades, the 5 of spades and the 6 of spades. / ...
    reads Basil: ... / Ada is dealt 5 cards. / ... / Cleo is dealt 5 cards. / ...
    reads Cleo: ... / Ada is dealt 5 cards. / Basil is dealt 5 cards. / ...
WM-AMB-13 a plain 10 and a doubled 5 are equal, and both numbers are told (WM-NIGHT-9)
    Ada: 5d | Basil: 10c | Cleo: 2h -- draws: [moon js], moon: kd
    > 5d / 10c / 2h
    told WM-NIGHT-9: The 5 of diamonds counts 10 tonight; the 10 of clubs counts 10 too, and clubs beat diamonds.
    told WM-AMB-13: The 5 of diamonds counts double and the 10 of clubs does not; ...
    told WM-NIGHT-7: Basil's 10 of clubs is the highest with 10, and captures 3 number cards and the king of diamonds.
WM-NIGHT-9 three equal values are told one by one, the captor against the next suit first
    Ada: 7d | Basil: 7c | Cleo: 7s -- draws: [moon js]
    > 7d / 7c / 7s
    count WM-NIGHT-9: 2
    told WM-NIGHT-9: The 7 of spades counts 7 tonight; the 7 of clubs counts 7 too, and clubs beat spades. / ...
    told WM-NIGHT-9: ... / The 7 of diamonds counts 7 tonight; the 7 of clubs counts 7 too, and clubs beat diamonds.
WM-NIGHT-9 of two plain sevens the suits decide
    Ada: 7d 2c | Basil: 7s | Cleo: 3h -- draws: [moon js]
    > 7d / 7s / 3h -> ... WM-NIGHT-9
WM-AMB-13 between two plain sevens nothing counts double
    Ada: 7d 2c | Basil: 7s | Cleo: 3h -- draws: [moon js]
    > 7d / 7s / 3h -> no WM-AMB-13
WM-NIGHT-9 lower equals are not told
    Ada: 7d | Basil: 3s | Cleo: 3h -- draws: [moon js]
    > 7d / 3s / 3h -> no WM-NIGHT-9
WM-NIGHT-10 suits need not be followed: Basil has a club, and every card of his may be played
    Ada: 9c 2c 3c 4c | Basil: 10c ah 2s 5d | Cleo: 3d -- night: 2
    > 9c
    legal: [10c, 2s, ah, 5d]
WM-NIGHT-6 later nights go on from the last captor: Cleo leads, Basil captures, so Cleo leads again
    Ada: 2c | Basil: 10s | Cleo: 3d -- draws: [moon js], night: 2, leader: Cleo, moon: joker-2
    > 3d / 2c / 10s
    turn: Cleo
    night: 3
WM-AMB-19 every month opens face down from the first seat, whoever captured last
    Ada: 2c | Basil: 10s | Cleo: 3d -- night: 3, seed: 4
    > 2c / 10s / 3d -> no WM-NIGHT-6
    count WM-AMB-19: 1
    turn: Ada
    month: 2
    night: 1
WM-NIGHT-8 suits double on later nights too, and that is told with the face (WM-NIGHT-1)
    Ada: 2c | Basil: 10s | Cleo: 3d -- draws: [moon ks]
    > 2c / 10s / 3d -> no WM-NIGHT-2
    told WM-NIGHT-1: The king of spades is turned up for night 2 of month 1.
    told WM-NIGHT-8: Spades count double tonight.
WM-NIGHT-3 a joker doubles nothing
    Ada: 2c | Basil: 10s | Cleo: 3d -- draws: [moon joker-2]
    > 2c / 10s / 3d -> no WM-NIGHT-2
    told WM-NIGHT-1: The Joker of the Wolf is turned up for night 2 of month 1.
    told WM-NIGHT-3: A joker doubles nothing.
WM-NIGHT-5 a card played face up tells what it counts
    Ada: 2c | Basil: 10s | Cleo: 3d -- night: 2, moon: ks
    > 2c / 10s
    told WM-NIGHT-5: Ada plays the 2 of clubs. / Basil plays the 10 of spades, which counts 20.

WM-NIGHT-4 cards of the first night lie face down: the others see that Ada has laid, not what
    Ada: 9c 2c 3c 4c 5c | Basil: 10s 2s 3s 4s 5s | Cleo: 3d
    > 9c
    laid Ada: [9c, nothing, nothing]
    laid Basil: [face down, nothing, nothing]
    reads Ada: Ada lays the 9 of clubs face down.
    reads Basil: Ada lays a card face down.
    reads Cleo: Ada lays a card face down.
    # Hands and one's own card have been seen, and hidden cards have not.
    seen Ada: [2c, 3c, 4c, 5c, 9c]
    seen Basil: [2s, 3s, 4s, 5s, 10s]
WM-NIGHT-4 all cards of the first night are revealed at once, when the last seat has laid
    Ada: 9c | Basil: 10s | Cleo: ad -- draws: [moon js]
    > 9c / 10s / ad
    reads Basil: ... / All reveal their cards: Ada the 9 of clubs, Basil the 10 of spades and Cleo the ace of diamonds.
        / ...
WM-NIGHT-5 later cards lie open and are seen by all
    Ada: 9c 2c 3c 4c | Basil: 10s 2s 3s 4s | Cleo: 3d -- night: 2
    > 9c
    laid Cleo: [9c, nothing, nothing]
    reads Cleo: Ada plays the 9 of clubs.
    seen Basil: [9c, 2s, 3s, 4s, 10s]
WM-NIGHT-4 others do not read a card of the first night
    Ada: 7c 8c | Basil: | Cleo:
    written 7c: [7c, "?", "?"]
WM-NIGHT-5 all read a card of a later night
    Ada: 7c 8c | Basil: | Cleo: -- night: 2
    written 7c: [7c, 7c, 7c]
# A second card of a line is never laid (WM-MONTH-3), so the others do not learn which it was.
WM-NIGHT-4 of a line that goes too far in the first night the others do not read the first card either
    Ada: 9c 3d | Basil: | Cleo:
    written 9c 3d: ["9c, 3d", "?, ?", "?, ?"]
    open 9c 3d: 9c, 3d
WM-NIGHT-4 nor of the seat with whose card all would be revealed
    Ada: 2c; laid 7c | Basil: ; laid 8c | Cleo: 9c 3d
    written 9c 3d: ["?, ?", "?, ?", "9c, 3d"]
WM-MONTH-3 of a line that goes too far in a later night the others read the first card
    Ada: 9c 3d | Basil: | Cleo: -- night: 2
    written 9c 3d: ["9c, 3d", "9c, ?", "9c, ?"]
WM-MONTH-3 nor is the second card read where the first ends the month
    Ada: 9c 3d | Basil: ; laid 8s | Cleo: ; laid 8h -- night: 3, leader: Basil
    written 9c 3d: ["9c, 3d", "9c, ?", "9c, ?"]

WM-MONTH-3 a line is one card
    Ada: 9c 8c | Basil: 10s | Cleo: 3d
    ! 9c, 8c -> TooFar: "8c" goes too far: the line ends before it, and then Basil is to act
WM-MONTH-3 a line is one card, even if the seat will lead the next night
    Ada: 9c 8c; laid 2h | Basil: 4s; laid 10s | Cleo: 3d 2d -- draws: [moon js], night: 2
    ! 3d, 2d -> TooFar: "2d" goes too far: the line ends before it, and then Cleo is to act
WM-END-1 after the end nothing is laid
    sheet Ada: clubs 3 | Basil: | Cleo:
    legal: []
    ! 9c -> WM-END-1: the game ended with the queen of hearts, so the 9 of clubs cannot be played
WM-NIGHT-1 lines are printed with their seats in a replay, but who is to act is known
    Ada: 2c 9c | Basil: 10s 8s | Cleo: 6h 2h; diamonds 1 -- draws: [moon qh], month: 2
    ! Ada: 2c -> Unreadable: ..."ada:" is not part of a move; write only the card, 2c...
WM-MONTH-2 a card of another hand is refused without telling whose
    Ada: 9c | Basil: 10s | Cleo: 3d
    ! 10s -> WM-MONTH-2: the 10 of spades is not among Ada's 5 cards
    ! 10d -> WM-MONTH-2: the 10 of diamonds is not among Ada's 5 cards
WM-NIGHT-4 Basil must not learn from a refusal which card Ada has laid face down
    Ada: 9c | Basil: 10s | Cleo: 3d
    > 9c
    ! 9c -> WM-MONTH-2: the 9 of clubs is not among Basil's 5 cards
WM-SETUP-1 faces are not laid
    Ada: 9c | Basil: 10s | Cleo: 3d
    ! kc -> WM-SETUP-1: the king of clubs belongs to the face pile, and you may play only number cards
    ! joker-2 -> WM-SETUP-1
WM-MONTH-3 a card in a pile, or on the table, has been played this month
    Ada: 9c | Basil: 10s | Cleo: 3d; pile 2c 2s 2h kc -- night: 2
    > 9c
    ! 2s -> WM-MONTH-3: the 2 of spades has already been played in month 1 and lies in Cleo's pile
    ! 9c -> WM-MONTH-3: Ada has already played the 9 of clubs tonight

WM-AMB-18 two spades captured on a night of spades, and the king, make 1 + 1 + 4 (WM-SCORE-3)
    Ada: 10s | Basil: 9s | Cleo: 2c -- moon: ks, night: 3, month: 2, seed: 1
    > 10s / 9s / 2c
    row Ada: [1, 6, 0, 0]
WM-SCORE-7 a month is added to the sheet: by hand, two captured nights and this one, which Basil leads
    Ada: 10c; pile 2c 3h 4d joker-2 jh 5s 4h 6h; clubs 3; diamonds 1; jokers 1 | Basil: 2s; spades 2 | Cleo: 3s
        -- month: 2, night: 3, moon: js, draws: [Ada ac 2c 3c 4c 5c, Basil as 2s 3s 4s 5s, Cleo ah 2h 3h 4h 5h, moon jd]
    > 2s / 3s / 10c
    # spades: 5s, 2s, 3s and the jack
    row Ada: [5, 5, 5, 2]
    row Basil: [0, 2, 0, 0]
    seats.Ada.jokers: 2
    seats.Ada.pile: []
    faces: [jc, qc, kc, qs, ks, qh, kh]
    told WM-SCORE-1: ... / Ada scores for month 2: 2 clubs, 5 spades, 5 hearts and 1 diamond. / ...
    told WM-SCORE-2: These include the jack of spades for 2 and the jack of hearts for 2.
    told WM-SCORE-4: The Joker of the Wolf gives no points.
    told WM-SCORE-7: ... / Ada now has 5 clubs, 5 spades, 5 hearts and 2 diamonds. / ...
    told WM-SCORE-5: The jack of spades and the jack of hearts are out of the game. / Ada keeps the Joker of the Wolf.
    told WM-AMB-11: The 2 cards left in each hand give no points and are gathered.
WM-AMB-3 a month under way counts whatever the option, since it may yet be finished
    Ada: 9c; pile 2c 3c 4c kd | Basil: | Cleo: -- month: 2, night: 2, moon: js, options: {last-month: dropped}
    columns Ada: [3, 0, 0, 4]

WM-END-2 in month 1 the queen of hearts is replaced and goes back, whatever the night (WM-AMB-12)
    Ada: 9c 2c | Basil: 10s 2s | Cleo: 3d 2d -- draws: [moon qh, moon jc, moon qh, moon kc]
    > 9c / 10s / 3d -> no WM-END-1
    moon: jc
    lies there qh: true
    told WM-END-2: The queen of hearts comes up in month 1, so another card is turned up instead.
    told WM-AMB-12: Only then, with the jack of clubs up, is the queen of hearts shuffled into the face pile again.
    > 2d / 2c / 2s -> no WM-END-1
    moon: kc
    lies there qh: true
    told WM-END-2: The queen of hearts comes up in month 1, so another card is turned up instead.
    told WM-AMB-12: Only then, with the king of clubs up, is the queen of hearts shuffled into the face pile again.
WM-END-2 the first card of all may be the queen of hearts
    new 3 -- draws: [Ada ac 2c 3c 4c 5c, Basil as 2s 3s 4s 5s, Cleo ah 2h 3h 4h 5h, moon qh, moon kd]
    moon: kd
    lies there qh: true
    fired: [WM-SETUP-2, WM-MONTH-2, WM-MONTH-2, WM-MONTH-2, WM-END-2, WM-AMB-12, WM-NIGHT-1, WM-NIGHT-2]
    facts WM-END-2: {card: qh, month: 1}
WM-MONTH-2 each seat is told its own first hand, of the others that they are dealt, and the first card of the face pile
    new 3 -- draws: [Ada ac 2c 3c 4c 5c, Basil as 2s 3s 4s 5s, Cleo ah 2h 3h 4h 5h, moon kd]
    fired: [WM-SETUP-2, WM-MONTH-2, WM-MONTH-2, WM-MONTH-2, WM-NIGHT-1, WM-NIGHT-2]
    reads Basil: All number cards are shuffled, and month 1 begins. / Ada is dealt 5 cards.
        / Basil is dealt the ace of spades, the 2 of spades, the 3 of spades, the 4 of spades and the 5 of spades.
        / Cleo is dealt 5 cards.
        / The king of diamonds is turned up for night 1 of month 1. / Diamonds count double tonight.
WM-AMB-17 the queen of hearts doubles her suit, and after month 1 nothing replaces her (WM-END-1)
    Ada: 9c | Basil: 10s | Cleo: 6h -- draws: [moon qh], month: 2
    > 9c / 10s / 6h
    told WM-AMB-17: The queen of hearts doubles her suit like any other face card.
    told WM-END-1: The queen of hearts has come, so this night is the last.
    told WM-NIGHT-8: Hearts count double tonight.
    faces: [jc, qc, kc, js, qs, ks, jh, kh, joker-2]
WM-END-1 her night is played out and ends the game: she doubles hearts, so Cleo's 6 beats the 10 (WM-AMB-17):
    for NIGHT: 1, 2, 3
    Ada: 9c | Basil: 10s | Cleo: 6h -- month: 2, night: NIGHT, moon: qh
    > 9c / 10s
    turn: Cleo
    over: false
    > 6h
    turn: nobody
    told WM-AMB-14: ... / Cleo captured on the last night and so has the queen of hearts. / ...
    told WM-AMB-4: The queen of hearts gives 3 hearts, so Cleo is not innocent.
    seats.Cleo.lover: "yes"
    columns Cleo: [1, 1, 4, 0]
WM-AMB-3 it is told that her month is unfinished:
    for NIGHT: 1, 2
    Ada: 9c | Basil: 10s | Cleo: 6h -- month: 2, night: NIGHT, moon: qh
    > 9c / 10s / 6h -> ... WM-AMB-3
WM-AMB-3 after three nights her month is finished
    Ada: 9c | Basil: 10s | Cleo: 6h -- month: 2, night: 3, moon: qh
    > 9c / 10s / 6h -> no WM-AMB-3
WM-END-11 where her month is dropped, Cleo has no heart, would win as the richest innocent, and is released (WM-AMB-3)
    Ada: 9c; diamonds 2 | Basil: 10s; clubs 4 | Cleo: 6h; diamonds 3; jokers 1
        -- month: 2, moon: qh, options: {last-month: dropped}
    > 9c / 10s / 6h -> ... WM-END-11
    winners: [Ada]
    ends with the steps: true
WM-AMB-4 hearts that were forgotten for the queen are told first, and the rest is judged as it is written
    sheet Ada: clubs 3 | Basil: | Cleo: hearts 2; lover yes
    noted Ada: []
    noted Basil: []
    noted Cleo: [WM-AMB-4]
    forgotten: ["The queen of hearts gives 3 hearts, but Cleo's sheet has 2: add them, unless the last month was
        dropped."]
WM-SCORE-2 every column has lines: of captures, of earlier months (WM-SCORE-7), and where there is nothing (WM-SCORE-1)
    sheet Ada: spades 2; hearts 1; pile 2c 3c 4c 5c 6c 7c 8c 9c 10c jc qh joker-1 | Basil: | Cleo: -- night: 3
    lines Ada: ["WM-SCORE-2 clubs: number cards 9 × 1 = 9 clubs", WM-SCORE-2 jack of clubs 1 × 2 = 2 clubs,
        WM-SCORE-7 spades of earlier months 2 × 1 = 2 spades, WM-SCORE-7 hearts of earlier months 1 × 1 = 1 hearts,
        "WM-SCORE-2 queen of hearts: the lover 1 × 3 = 3 hearts", WM-SCORE-1 diamonds 0 × 1 = 0 diamonds]
    columns Ada: [11, 2, 4, 0]
    noted Ada: [WM-SCORE-4]
    lines Basil: [WM-SCORE-1 clubs 0 × 1 = 0 clubs, WM-SCORE-1 spades 0 × 1 = 0 spades,
        WM-SCORE-1 hearts 0 × 1 = 0 hearts, WM-SCORE-1 diamonds 0 × 1 = 0 diamonds]
WM-NIGHT-6 on the second night the pile says who leads
    Ada: | Basil: ; pile 2c 3c 4c kc | Cleo: -- night: 2
    turn: Cleo
    leader: Cleo
    doubts: []
WM-NIGHT-6 on the second night nobody else than the pile says can lead
    Ada: | Basil: ; pile 2c 3c 4c kc | Cleo: -- night: 2, leader: Ada
    doubts: ["leader: Ada does not lead here; it sits to the left of last night's captor (WM-NIGHT-6): Cleo"]
WM-NIGHT-7 a score sheet without whole nights is doubted, and judged all the same
    sheet Ada: pile 2c 3c kc | Basil: | Cleo:
    doubts: ["seats.Ada.pile: it does not hold whole nights (number cards: 2, from the face pile: 1); the captor takes
        all 3 number cards of the night and 1 face card or joker (WM-NIGHT-7)"]
    over: true
WM-NIGHT-7 a joker without its 3 points is doubted, and judged all the same
    sheet Ada: clubs 2; jokers 1 | Basil: | Cleo:
    doubts: ["seats.Ada.jokers: jokers held: 1, points of finished months: 2; each was captured with 3 number cards,
        so at least 3 points (WM-NIGHT-7)"]
    over: true
WM-AMB-24 a sheet without a lover is judged without a release
    sheet Ada: clubs 3 | Basil: diamonds 6; jokers 2 | Cleo: diamonds 1
    winners: [Basil]
    decided: [WM-END-3, WM-AMB-8, WM-END-7, WM-AMB-24, WM-AIM-2]
WM-AMB-3 a pile of an unfinished month counts, with the lover and a joker beside one of an earlier month
    sheet Ada: clubs 3 | Basil: diamonds 4; jokers 1; pile 2d 3d 4d joker-2 5d 6d 7d qh | Cleo: diamonds 12; hearts 2
    turn: nobody
    now Basil: [0, 0, 3, 10, 2, true]
    winners: [Cleo]
WM-END-11 the richest is released
    sheet Ada: clubs 3 | Basil: diamonds 9; hearts 3; jokers 1; lover yes | Cleo: diamonds 6; hearts 1
    winners: [Cleo]
WM-AMB-4 no note is needed where the hearts of the queen are on the sheet
    sheet Ada: clubs 3 | Basil: | Cleo: hearts 3; lover yes
    forgotten: []
WM-AMB-4 no note is needed where the queen of hearts is in the pile
    sheet Ada: clubs 3 | Basil: | Cleo: pile 2c 3c 4c qh
    forgotten: []
WM-AMB-4 no note is needed where nobody has the queen of hearts
    sheet Ada: clubs 3 | Basil: | Cleo: hearts 2
    forgotten: []
WM-AMB-4 no note is needed where her month is not scored (WM-AMB-3)
    sheet Ada: clubs 3 | Basil: | Cleo: hearts 2; lover yes -- options: {last-month: dropped}
    forgotten: []
WM-END-3 results and scores carry what became of the seats: Ada is lynched, Basil hanged, and Cleo released
    sheet Ada: clubs 9; spades 1 | Basil: spades 9; hearts 1 | Cleo: hearts 3; diamonds 2; jokers 1; lover yes
        | Dora: clubs 3; diamonds 4
    result: {lynched: [Ada], hanged: [Basil], released: Cleo, innocent: true, diamonds: 4}
    score Ada: {jokers: 0, lover: false}
    score Basil: {jokers: 0, lover: false}
    score Cleo: {jokers: 1, lover: true}
    score Dora: {jokers: 0, lover: false}
WM-AMB-23 a joker of a month that is dropped needs no points: it counts, the cards captured with it do not
    sheet Ada: jokers 1 | Basil: | Cleo: -- options: {last-month: dropped}
    jokers: [1, 0, 0]
"""


def numbers(cards):
    return [NUMBER[card] for card in cards.split()]


def forgotten(state, _):
    """What is told of hearts that were forgotten: in notes, and as the first of the steps, before all the others."""
    notes = [text for score in state.score() for rule, text in score.notes if rule == "WM-AMB-4"]
    steps = game.scoring.resolve(state.sheets_now()).steps

    assert (*(("WM-AMB-4", text) for text in notes), *steps) == tuple(state.result().steps)
    return notes


QUESTIONS = {
    "row": row,
    "columns": columns,
    "jokers": lambda state, _: [seat.jokers for seat in state.sheets_now()],
    "now": lambda state, seat: state.sheets_now()[state.seats.index(seat)][1:],
    "forgotten": forgotten,
    "lines": lambda state, seat: [
        f"{line.rule} {line.label} {line.count} × {line.each} = {line.points} {line.column}"
        for line in score_of(state, seat).lines
    ],
    "laid": lambda state, seat: [
        {NOTHING: "nothing", FACE_DOWN: "face down"}.get(card) or IDS[card]
        for card in state.view(state.seats.index(seat)).laid
    ],
    "seen": lambda state, seat: [
        id_ for card, id_ in enumerate(IDS) if state.view(state.seats.index(seat)).seen >> card & 1
    ],
    "lies": lambda state, words: words.split()[-1] in state.position()["faces"],
    "written": lambda state, cards: [game.write(numbers(cards), state, reader) for reader in range(3)],
    "open": lambda state, cards: game.write(numbers(cards), state),
}


@pytest.mark.parametrize("story", stories(STORIES))
def test_a_story_goes_as_it_is_written(story):
    """Nights, refusals, month scoring, and the queen of hearts."""
    state, opening = position(story.given)

    assert_followed(game, state, story.steps, opening, **QUESTIONS)


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


@pytest.mark.parametrize(("moon", "ada", "basil", "cleo", "captor", "_why"), rows(CAPTORS, header=True))
@pytest.mark.parametrize("night", [1, 2])
def test_the_highest_card_captures(moon, ada, basil, cleo, captor, _why, night):
    """WM-NIGHT-2, WM-NIGHT-3, WM-NIGHT-7 to WM-NIGHT-9, WM-AMB-1, WM-AMB-13, on every night alike: the captor takes
    all cards, its own too, and the face."""
    state = table(
        f"Ada: {ada} | Basil: {basil} | Cleo: {cleo}", "moon jd" if moon != "jd" else "moon jc", moon=moon, night=night
    )
    played(state, f"{ada} {basil} {cleo}")

    piles = {name: set(pile(state, name)) for name in NAMES[:3]}
    assert {name: {ada, basil, cleo, moon} if name == captor else set() for name in NAMES[:3]} == piles


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
    assert [f"{leader}, to the left of {NAMES[start - 1 if start else 2]}, leads."] == told(events, "WM-NIGHT-6")


# Secrets


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


@pytest.mark.parametrize(("captured", "points", "_why"), rows(MONTHS, header=True))
def test_captured_cards_score_by_suit(captured, points, _why):
    """WM-SCORE-1 to WM-SCORE-4."""
    cards = [NUMBER[card] for card in captured.split()]

    assert list(map(int, points.split())) == game.scoring.month_points(cards, BOX.cards)


# The queen of hearts


def test_she_cannot_come_in_her_own_place():
    """WM-AMB-12: she goes back only after the replacement is up."""
    with pytest.raises(ChanceError, match='"qh" cannot be drawn for "moon"'):
        played(table("Ada: 9c | Basil: 10s | Cleo: 3d", "moon qh", "moon qh"), "9c 10s 3d")


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


@pytest.mark.parametrize(("text", "mob", "yard", "freed", "winners", "steps"), rows(ENDS, header=True))
def test_the_end_goes_step_by_step(text, mob, yard, freed, winners, steps):
    """WM-END-3 to WM-END-11 and every ruling on ties and releases; seats are named by their first letters."""
    sheets = judged(text)
    verdict, result = game.scoring.judge(sheets), game.scoring.resolve(sheets)
    released = (verdict.released,) if verdict.released >= 0 else ()
    seats = (verdict.lynched, verdict.hanged, released, verdict.winners)
    letters = ["".join(sheets[seat].seat[0] for seat in group) for group in seats]

    assert [mob, yard, freed, winners] == letters
    assert [f"WM-{rule}" for rule in steps.split()] == [rule for rule, _ in result.steps]
    assert tuple(sheets[seat].seat for seat in verdict.winners) == result.winners
    assert tuple(dict.fromkeys(rule for rule, _ in result.steps)) == result.rules


STEPS = """
a tie for the mob, the Yard, a would-be winner released, and the next best
    4 1 1 0 / 4 2 0 0 / 0 0 2 5 / 0 0 3 6 q j j / 0 0 1 5
    The mob wants whoever has the most clubs: Ada and Basil have 4 each.
    Basil has more spades, 2, and is lynched.
    Ada has the most spades, 1, and 1 heart, and is hanged.
    Everyone left has a heart: Cleo, Dora and Enid. Of them Dora has the most diamonds, 6.
    Dora has the queen of hearts and 2 jokers: Dora dies released, a moral victory, and does not win.
    The third and fourth steps are repeated without Dora: Cleo and Enid are left.
    Everyone left has a heart: Cleo and Enid. They have 5 diamonds each.
    Enid has fewer hearts, 1, and comes first.
    Enid wins, a guilty survivor with 5 diamonds.
a lynched player released, nobody hanged, and two innocents, equal in every column, who share
    2 0 3 9 q j / 0 1 0 3 / 0 1 0 3 / 0 0 2 9
    Ada has the most clubs, 2, and is lynched by the mob.
    Basil and Cleo have the most spades, 1 each; of these, only players with a heart can be hanged.
    None of them has a heart, so Scotland Yard hangs nobody.
    Basil and Cleo have no hearts. They have 3 diamonds each.
    Basil and Cleo are equal in hearts, spades and clubs too, and come joint first.
    Ada has the queen of hearts and 1 joker, so this death is a release, a moral victory, and Ada is out all the same.
    Ada was still the victim of the mob, which takes nobody else instead.
    Basil and Cleo share the win.
WM-AMB-6 without Cleo, who would win with 9 diamonds, Dora and Enid share the win, and Basil, named with them, does not
    9 9 9 9 / 0 0 1 4 / 0 0 3 9 q j / 0 0 1 5 / 0 0 1 5
    ...
    The third and fourth steps are repeated without Cleo: Basil, Dora and Enid are left.
    ...
    Dora and Enid share the win.
WM-AMB-6 where Basil alone is left, he wins
    9 9 9 9 / 0 0 1 1 / 0 0 3 9 q j
    ...
    The third and fourth steps are repeated without Cleo: Basil is left.
    ...
WM-AMB-7 two who are equal in all four columns suffer both (WM-AMB-8)
    2 0 1 1 / 2 0 1 1 / 0 1 1 1 / 0 1 1 1 / 0 0 3 0 q
    The mob wants whoever has the most clubs: Ada and Basil have 2 each.
    Ada and Basil are equal in spades, hearts and diamonds too, and are both lynched.
    Scotland Yard suspects whoever has the most spades: Cleo and Dora have 1 each.
    Cleo and Dora are equal in hearts, clubs and diamonds too, and are both hanged.
    ...
WM-AMB-7 more who are equal suffer all (WM-AMB-8)
    2 0 1 1 / 2 0 1 1 / 2 0 1 1 / 0 1 1 1 / 0 1 1 1 / 0 1 1 1 / 0 0 3 0 q
    ...
    Ada, Basil and Cleo are equal in spades, hearts and diamonds too, and are all lynched.
    ...
    Dora, Enid and Fay are equal in hearts, clubs and diamonds too, and are all hanged.
    ...
WM-AMB-22 Basil and Cleo are equal, and Cleo, who is released, does not share
    9 9 9 9 / 0 0 1 5 / 0 0 1 5 q j
    Ada has the most clubs, 9, and is lynched by the mob.
    None of those left has a spade, so Scotland Yard hangs nobody.
    Everyone left has a heart: Basil and Cleo. They have 5 diamonds each.
    Basil and Cleo are equal in hearts, spades and clubs too, and come joint first.
    Cleo has the queen of hearts and 1 joker: Cleo dies released, a moral victory, and does not win.
    The win is not shared with Cleo.
    Basil wins, a guilty survivor with 5 diamonds.
WM-AIM-2 the last step says that the winner is innocent
    9 0 0 9 / 0 0 0 0 / 1 0 2 9 q
    ...
    Basil wins, an innocent survivor with no diamonds.
innocents without a diamond
    9 0 0 9 / 0 0 0 0 / 1 0 0 0 q
    ...
    Basil and Cleo have no hearts. None of them has a diamond.
    ...
WM-AIM-2 who alone is left may have a heart
    9 0 0 9 / 0 4 1 0 / 1 0 3 1 q
    ...
    Only Cleo is left, with 3 hearts.
    Cleo has the queen of hearts but no joker, so nobody is released.
    Cleo wins, a guilty survivor with 1 diamond.
"""


@pytest.mark.parametrize("story", stories(STEPS))
def test_the_steps_of_the_end_are_told(story):
    """Names, numbers and ties; `...` stands for some sentences or none."""
    told = [sentence for _, sentence in game.scoring.resolve(judged(story.given)).steps]

    assert agree(" / ".join(story.steps), " / ".join(told)), told


BECAUSE = """
9 0 0 9 / 0 0 0 1 / 1 0 2 9 q | Basil survived innocent, with 1 diamond.
9 0 0 9 / 0 0 1 0 / 1 0 2 9 q | Cleo survived guilty, with 9 diamonds.
0 0 1 5 / 0 0 1 5 / 0 0 1 4 q | Ada and Basil survived guilty, with 5 diamonds each, and equal in the other columns.
1 1 1 1 / 1 1 1 1 / 1 1 1 1 q | Nobody is left alive, so nobody wins.
"""


@pytest.mark.parametrize(("text", "because"), rows(BECAUSE))
def test_a_result_tells_why_in_one_sentence(text, because):
    assert because == game.scoring.resolve(judged(text)).because


small = st.integers(0, 2)
ends = st.lists(st.tuples(small, small, small, small, small), min_size=3, max_size=6)


@pytest.mark.soak
@pytest.mark.slow("hundreds of random ends")
@settings(max_examples=400 * MORE, deadline=None)
@given(ends, st.integers(0, 6))
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

    assert [lynched, hanged, winners] == list(map(set, (verdict.lynched, verdict.hanged, verdict.winners)))
    assert released == verdict.released


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


@pytest.mark.parametrize(("card", "spellings"), rows(SPELLINGS))
def test_a_card_is_written_by_its_id_or_in_words(card, spellings):
    """Case and extra spaces do not matter. The log says 7 of clubs, the card Seven of Clubs; an ace is a 1 (WM-AMB-1).
    It is written by its id."""
    state = table("Ada: 7c | Basil: | Cleo:")

    assert [[NUMBER[card]]] * len(spellings.split(",")) == [game.read(text, state) for text in spellings.split(",")]
    assert card == game.write([NUMBER[card]], state)


NOT_READ = """
text       | kind       | message
7          | Ambiguous  | "7" could be 7c, 7s, 7h or 7d
j          | Ambiguous  | "j" could be jc, js, jh, jd, joker-1 or joker-2
seven      | Ambiguous  | "seven" could be 7c, 7s, 7h or 7d
joker      | Ambiguous  | "joker" could be joker-1 or joker-2
1          | Ambiguous  | "1" could be ac, as, ah or ad
1x         | Unreadable | "1x" is not a card in this game
7x         | Unreadable | "7x" is not a card in this game; write a card as ac, or as "Ace of Clubs"
sevn of clubs | Unreadable | did you mean "seven of clubs"?
?          | Unreadable | "?" stands for a card laid face down, and does not say which one it is
7c,        | Unreadable | a card is missing
score-sheet | Unreadable | "score-sheet" is not a card in this game
"""


@pytest.mark.parametrize(("text", "kind", "message"), rows(NOT_READ, header=True))
def test_a_text_that_is_no_card_says_why(text, kind, message):
    """Two kinds of no: not notation at all, and not enough of it."""
    with pytest.raises({"Ambiguous": Ambiguous, "Unreadable": Unreadable}[kind]) as caught:
        game.read(text, table("Ada: 7c | Basil: | Cleo:"))

    assert message in str(caught.value)


def test_every_move_is_a_number_card():
    """In the order of suits and values; faces are never laid."""

    assert NUMBERS == ids(game.every_move(FACTS))


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


def made(text):
    """A record from changes, as of `changed`, or of a score sheet, as `Ada: lover yes / Basil: / Cleo: -- moon: jc`."""
    if not text.startswith("Ada:"):
        return changed(text)
    seats, _, record = text.partition("--")
    return sheet(seats.replace("/", "|"), **flow(record))


MISFITS = """
Dora.hand= | seats.Dora.hand: 0 is the wrong number of cards; 5: 5 less 0 for the nights
Ada.hand=ac 2c 3c 4c as
    | seats.Basil.hand.0: as is in two places: Ada's hand and Basil's hand; each card exists only once
Ada.hand=ac 2c 3c 4c ac | seats.Ada.hand.4: ac is in two places: Ada's hand and Ada's hand
Ada.hand=ac 2c 3c 4c, Ada.laid=as | seats.Ada.laid: as is in two places: Basil's hand and Ada's card for tonight
Ada.hand=ac 2c 3c 4c kc | seats.Ada.hand.4: kc belongs to the face pile; Ada's hand takes only number cards (WM-SETUP-1)
Ada.hand=ac 2c 3c 4c, Ada.laid=kc
    | seats.Ada.laid: kc belongs to the face pile; Ada's card for tonight takes only number cards
Ada.hand=ac 2c 3c 4c 5x | seats.Ada.hand.4: "5x" is not known here
moon=7d | moon: 7d is a number card; the moon takes only face cards and jokers (WM-SETUP-1)
-moon | the key "moon" is missing; every night a card of the face pile is turned up (WM-NIGHT-1)
faces=qh jc qc joker-1 | faces.3: joker-1 is in two places: the moon and the face pile
faces=qh jc qc 7d | faces.3: 7d is a number card; the face pile takes only face cards and jokers
month=5, faces=kc | faces: the queen of hearts is missing; she is in the face pile until she comes (WM-END-1)
faces=jc qh | faces: 2 is the wrong number of cards; month 1 turns up 2 more in addition to the queen of hearts
month=2
    | the key "faces" is missing; 10 cards are still in the face pile (14 less 1 for each night begun, including
        this one), and
month=6 | month: night 1 of month 6 cannot be; among 14 cards, the queen of hearts comes on night 2 of month 5
night=4 | night: 4 is out of range; it is 1 to 3
leader=Basil | leader: nobody leads on the first night; all players lay face down (WM-NIGHT-4), and Ada is asked first
leader=Dora, night=2 | leader: "Dora" is not a seat here; known here: Ada, Basil, Cleo
to-act=Basil | to-act: Basil is not to act here; it is Ada
to-act=Dora | to-act: "Dora" is not a seat here; known here: Ada, Basil, Cleo
night=2, leader=Cleo, Ada.hand=ac 2c 3c, Ada.laid=4c, Basil.hand=as 2s 3s 4s, Cleo.hand=ah 2h 3h 4h
    | seats: Ada has laid and Cleo has not; they play clockwise from the leader (WM-NIGHT-5): Cleo, Ada and Basil
Ada.pile=qh | seats.Ada.pile: Ada has captured the queen of hearts; she does not stay in month 1 (WM-END-2)
Ada.lover=yes | seats.Ada.lover: "lover" means nothing in phase playing; she ends the game on the night
Ada.months=1 0 0 0 | seats.Ada.months: months written: 1; finished by now: 0
month=2, Ada.months=1 0 0 0, Ada.clubs=1 | seats.Ada.months: the totals are also written: clubs; write only one
month=3, Ada.months=1 0 0 0 | seats.Ada.months: months written: 1; finished by now: 2
month=2, Ada.months=1 0 0 | seats.Ada.months.0: 3 is the wrong number of items; 4
Ada.jokers=1 | seats.Ada.jokers: jokers held: 1, elsewhere: 2; the game has 2
month=2, Ada.jokers=2 | seats.Ada.jokers: jokers held: 2, elsewhere: 1; the game has 2
month=2, Ada.jokers=1, Cleo.jokers=1 | seats.Ada.jokers: jokers held: 2, elsewhere: 1; the game has 2
month=2, Ada.jokers=2, faces=qh joker-2 | seats.Ada.jokers: jokers held: 2, elsewhere: 2
phase=over | moon: "moon" means nothing in phase over
phase=over, -moon | seats.Ada.hand: "hand" means nothing in phase over; the score sheet and the pile count
phase=dusk | phase: "dusk" is not known here
Ada.hands=ac | unknown key "hands"; did you mean "hand"?
options=no | options: "no" is not a mapping
Ada: lover yes / Basil: lover yes / Cleo:
    | seats.Basil.lover: Ada and Basil have the queen of hearts; only one seat captured her
Ada: pile qh / Basil: lover yes / Cleo: | seats.Basil.lover: Ada and Basil have the queen of hearts
Ada: pile qh; lover no / Basil: / Cleo:
    | seats.Ada.lover: the queen of hearts lies in Ada's pile; the seat that captured her has her (WM-AMB-14)
Ada: jokers 3 / Basil: / Cleo: | seats.Ada.jokers: jokers held: 3; the game has 2
Ada: jokers 2 / Basil: pile joker-1 / Cleo: | seats.Ada.jokers: jokers held: 2, elsewhere: 1
Ada: pile 2c 3c / Basil: pile 3c / Cleo: | seats.Basil.pile.0: 3c is in two places: Ada's pile and Basil's pile
Ada: laid 2c / Basil: / Cleo: | seats.Ada.laid: "laid" means nothing in phase over
Ada: / Basil: | seats: 2 is the wrong number of seats; 3 to 8 play
Ada: / Basil: / Cleo: -- moon: jc | moon: "moon" means nothing in phase over
Ada: / Basil: / Cleo: -- leader: jc | leader: "leader" means nothing in phase over
Ada: / Basil: / Cleo: -- faces: [qh] | faces: "faces" means nothing in phase over
Ada: / Basil: / Cleo: -- to-act: jc | to-act: "to-act" means nothing in phase over
"""


@pytest.mark.parametrize(("changes", "message"), rows(MISFITS))
def test_a_position_that_cannot_be_says_why(changes, message):
    """Each misfit has its place, what is wrong, and what would be right."""
    assert message in misfit(made(changes))


DOUBTS = """
Ada.hand=ac 2c 3c 4c | seats.Ada.hand: 4 is the wrong number of cards; 5: 5 less 0 for the nights before
night=2, leader=Ada, faces=qh jc qc kc js qs ks jh kh jd qd kd
    | seats.Basil.hand: 5 is the wrong number of cards; 4: 5 less 1 for the nights before
Ada.laid=6c | seats.Ada.hand: 5 is the wrong number of cards; 4: 5 less 0 for the nights before and 1 for tonight
moon=qh | moon: the queen of hearts does not stay in month 1; another card is turned up instead (WM-END-2)
month=2, faces=qh jc qc kc js qs ks jh kh
    | faces: 9 is the wrong number of cards; 10: 14 less 1 for each night begun, including this one (WM-NIGHT-1)
month=5, night=3, leader=Ada, faces=qh jc, Ada.hand=ac 2c 3c, Basil.hand=as 2s 3s, Cleo.hand=ah 2h 3h
    | night: night 3 of month 5 cannot be; among 14 cards, the queen of hearts comes on night 2 of month 5 at the latest
month=2, faces=qh jc qc kc js qs ks jh kh joker-2, moon=jd
    | seats: jokers held: 0, elsewhere: 1; the game has 2, and one that has left the face pile stays with
        its
month=2, Ada.jokers=1, Ada.clubs=1, Ada.spades=1, faces=qh jc qc kc js qs ks jh kh jd
    | seats.Ada.jokers: jokers held: 1, points of finished months: 2; each was captured with 3 number cards, so at least
        3 points
Ada.pile=kc
    | seats.Ada.pile: it does not hold whole nights (number cards: 0, from the face pile: 1); the captor takes all 3
        number
Ada.pile=2d
    | seats.Ada.pile: it does not hold whole nights (number cards: 1, from the face pile: 0); the captor takes all 3
        number
Ada.pile=2d 3d, Basil.pile=4d kc
    | seats.Basil.pile: it does not hold whole nights (number cards: 1, from the face pile: 1)
Ada.pile=2d 3d 4d kc | seats: nights captured, by the piles: 1; nights played this month: 0
Ada.clubs=2 | seats.Ada.clubs: in month 1 no month is finished; write "month: 2" or more
Ada.jokers=1, faces=qh jc qc kc js qs ks jh kh jd qd kd | seats.Ada.jokers: in month 1 no month is finished
"""


@pytest.mark.parametrize(("changes", "message"), rows(DOUBTS))
def test_a_position_that_could_not_have_arisen_says_why_and_goes_on(changes, message):
    """Each doubt has its place, what is odd, and what would be right; the game can be played on all the same."""
    state = game.load(FACTS, made(changes), Seeded(1))

    assert message in "\n".join(map(str, game.doubts(state)))

    while state.to_act() != OVER:
        state.apply(state.legal()[0])
    assert state.result()


def test_a_score_sheet_by_itself_may_have_piles_of_three_nights():
    """It does not say which night was the last; a record that does is doubted when its piles hold more."""
    piles = "Ada: pile 2c 3c 4c kc 2s 3s 4s ks 2h 3h 4h kh | Basil: | Cleo:"

    assert [] == game.doubts(game.load(FACTS, sheet(piles)))
    assert ["nights played this month: 2"] == [
        doubt.hint for doubt in game.doubts(game.load(FACTS, sheet(piles, month=2, night=2)))
    ]


def test_positions_that_arise_in_play_are_not_doubted():
    for seed in range(20):
        options = {"last-month": "dropped"} if seed % 2 else {}
        assert_no_doubt_arises(game, game.start(FACTS, NAMES[: 3 + seed % 6], options, Seeded(seed)), seed)


def test_every_seat_has_laid_is_no_position():
    """The night's automatic steps follow at once."""
    record = changed("")
    for has, card in zip(record["seats"].values(), ("6c", "6s", "6h"), strict=True):
        has["hand"].pop()
        has["laid"] = card

    assert "every seat has laid, so this night is over" in misfit(record)


def test_defaults_are_the_first_night_and_all_faces_that_lie_nowhere():
    state = game.load(FACTS, changed(""))

    assert (1, 1, "Ada", False) == (state.month, state.night, turn(state), state.dropped)
    assert [card for card in FACES if card != "joker-1"] == state.position()["faces"]


def test_on_the_third_night_two_piles_do_not_say_who_leads():
    """WM-NIGHT-6: Ada and Cleo captured a night each, so Basil or Ada leads. If Ada captured both, Basil does."""
    record = {"moon": "joker-1", "night": 3}
    two = record | written("Ada: ; pile 2c 3c 4c kc | Basil: | Cleo: ; pile 2s 3s 4s ks", 3)
    neighbour = "it sits to the left of last night's captor (WM-NIGHT-6): Basil or Ada"

    assert f'the key "leader" is missing; {neighbour}' == misfit(two)
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


def months_of(*counts):
    """A finished sheet, by seat so many months of one diamond each."""
    seats = {name: {"months": [[0, 0, 0, 1]] * count} for name, count in zip(NAMES, counts, strict=False)}
    return {"phase": "over", "seats": seats}


def test_all_seats_have_as_many_months_and_five_at_most():
    """WM-AMB-16: 14 nights are five months, the last unfinished."""
    state = game.load(FACTS, months_of(5, 5, 5))
    assert [0, 0, 0, 5] == row(state, "Cleo")
    same = "Ada has 3, and a month without points also gets a row: [0, 0, 0, 0]"
    assert f"seats.Basil.months: months written: 2; {same}" == misfit(months_of(3, 2, 3))
    assert "seats.Ada.months: months written: 6; a game has 5 at most (WM-AMB-16)" in misfit(months_of(6, 6, 6))


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
    records = [{"faces": left_over(record)} | record for record in records]
    for seats in ("Ada: | Basil:", "Ada: lover yes | Basil:", "Ada: | Basil: lover yes"):
        records += [sheet(f"{seats} | Cleo:"), sheet(f"{seats} | Cleo: pile 2c 3c 4c qd")]
    states = [game.load(FACTS, record) for record in [*records, sheet("Ada: | Basil: | Cleo:", night=2)]]

    assert len(states) == len({state.key() for state in states})


def test_months_add_up_to_totals():
    """One row a month, columns clubs, spades, hearts, diamonds."""
    text = "month=3, Ada.months=3 0 4 2/1 2 0 0, Basil.hearts=5"
    record = changed(text)
    state = game.load(FACTS, record | {"faces": left_over(record)})

    assert [4, 2, 4, 2] == row(state, "Ada")
    assert [0, 0, 5, 0] == row(state, "Basil")


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
7c      | value 8      | 7c is also the 8 of clubs
7c      | value 0      | the value 0 is too small; the lowest number card is a 1 (WM-AMB-1)
7c      | rank jack    | it has the value 7 and the rank jack; a card has only one of them
7c      | suit         | the column "suit" is empty; only jokers have no suit
jc      | suit         | the column "suit" is empty; only jokers have no suit
7c      | suit cups    | "cups" is not a suit; did you mean "clubs"?
jc      | rank page    | "page" is not a rank; known here: jack, joker, king, queen
7c      | points       | the column "points" is empty; every card needs it, even if it is 0
7c      | count 2      | there are 2 copies of it; there is one of each card
joker-1 | suit spades  | a joker of spades; jokers have no suit, and double nothing (WM-NIGHT-3)
joker-1 | points 5     | a joker worth 5 points; jokers have no points (WM-SCORE-4)
qh      | rank king    | no card is the queen of hearts; she ends the game (WM-END-1)
kh      | rank queen   | kh and qh are both the queen of hearts; there is one (WM-END-1)
"""


@pytest.mark.parametrize(("id_", "change", "message"), rows(MISFIT_FACTS, header=True))
def test_cards_that_do_not_fit_say_why(id_, change, message):
    """Each misfit stands at a card, so that its line can be shown."""
    column, _, value = change.partition(" ")
    facts = deepcopy(FACTS)
    facts["components"][id_][column] = int(value) if value.isdigit() else value or None
    misfits = game.check_facts(facts)

    assert any(message in str(misfit) for misfit in misfits), [str(misfit) for misfit in misfits]
    assert all(misfit.at[0] == "components" and misfit.at[1] in facts["components"] for misfit in misfits)


def without(*gone):
    return {"components": {id_: card for id_, card in FACTS["components"].items() if id_ not in gone}}


FEW = [card for card in FACES if card not in ("qh", "jc", "joker-1")]


@pytest.mark.parametrize(
    ("gone", "message"),
    [
        (["ac"], "39 number cards are enough for only 7 seats"),
        (["ac", "as", "ah", "ad"], "36 number cards are enough for only 7 seats; 8 seats need 40 (WM-PLAYERS-1"),
        (NUMBERS[:25], "15 number cards are enough for only 3 seats"),
        (NUMBERS[:26], "14 number cards are too few for even 3 seats"),
        (FEW, "the face pile has 3 cards; the first month needs 3 in addition to the queen of hearts"),
        (FACES, "no card has a rank, so there is no face pile"),
        ([*NUMBERS, *FACES], "no card has a value or a rank"),
    ],
)
def test_a_deck_with_too_few_cards_is_told(gone, message):
    """WM-AMB-1: how many seats it serves; WM-AMB-16: whether the face pile lasts for the first month."""
    (found,) = game.check_facts(without(*gone))

    assert message in str(found)


def test_a_deck_without_aces_serves_seven():
    """WM-AMB-1. One face card more than too few is enough."""
    facts = without("ac", "as", "ah", "ad")
    game.start(facts, NAMES[:7], {}, Seeded(1))
    with pytest.raises(Misfits, match="36 number cards are too few; 8 seats need 40"):
        game.start(facts, NAMES, {}, Seeded(1))
    assert [] == game.check_facts(without(*FEW[:-1]))


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


@pytest.mark.parametrize(("text", "ending", "told_", "fates"), rows(ENDINGS, header=True))
def test_every_ending_has_a_word(text, ending, told_, fates):
    """Nobody, shared, innocent or guilty; and what became of each seat."""
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


POINTS = """
Ada: {clubs: 40}, Basil: {clubs: 19}, Cleo: {} | |
Ada: {clubs: 40}, Basil: {clubs: 20}, Cleo: {} | seats.Ada.clubs | all seats together have 60 clubs
Ada: {months: [[0, 0, 19, 0]]}, Basil: {months: [NONE]}, Cleo: {months: [NONE]} | |
Ada: {months: [[0, 0, 10, 0]]}, Basil: {months: [[0, 0, 10, 0]]}, Cleo: {months: [[0, 0, 10, 0]]}
    | seats.Ada.months.0 | 30 hearts in one month
Ada: {months: [ALL, ALL, ALL, ALL]}, Basil: {months: [NONE, NONE, NONE, NONE]}, Cleo: {months: [NONE, NONE, NONE, NONE]}
    | seats.Ada.diamonds | all seats together have 76 diamonds
"""


@pytest.mark.parametrize(("seats", "at", "message"), rows(POINTS))
def test_no_suit_brings_more_than_its_cards(seats, at, message):
    """Ten number cards a month, and once 2 + 3 + 4 for its faces: 19 in a month, 59 in five of them."""
    seats = flow(seats.replace("NONE", "[0, 0, 0, 0]").replace("ALL", "[0, 0, 0, 19]"))
    position = {"phase": "over", "seats": seats}
    if message:
        assert misfit(position).startswith(f"{at}: {message}")
    else:
        assert 0 < sum(sum(score.columns.values()) for score in game.load(FACTS, position).score())


def test_a_score_sheet_without_its_phase_is_answered_in_one_line():
    """Nobody holds a card, so this is no night of a game; what to write is said, and nothing else."""
    expected = 'no seat has a hand; for a finished score sheet, write "phase: over"'

    assert expected in misfit({"seats": {"Ada": {"clubs": 3}, "Basil": {"lover": "yes"}, "Cleo": {}}})


def test_in_play_only_the_finished_months_can_have_brought_points():
    """One month gives 19 clubs at most, two give 29."""
    position = table("Ada: 2c 9c | Basil: 10s 8s | Cleo: 6h 2h; diamonds 1", "moon qh", month=2).position()
    position["seats"]["Ada"]["clubs"] = 20
    expected = "seats.Ada.clubs: all seats together have 20 clubs; 1 month gives 19 at most (WM-SCORE-2)"

    assert expected == misfit(position)


def test_a_score_sheet_by_itself_has_no_nights():
    """Its record says neither month nor night; that of a game that was played says both."""
    sheet = {"phase": "over", "seats": {"Ada": {"clubs": 3}, "Basil": {}, "Cleo": {}}}

    assert not {"month", "night"} & set(game.load(FACTS, sheet).position())
    assert {"month", "night"} <= set(game.load(FACTS, {**sheet, "month": 3, "night": 2}).position())


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
