"""The bots of Curses & Covens: choices whose reason can be worked out by hand, and games on the real cards."""

from __future__ import annotations

import pytest
from covens_for_tests import record_of, script

from grimalkin.engine.chance import Seeded
from grimalkin.engine.play import play_out
from grimalkin.engine.replay import play_line
from grimalkin.games import curses_and_covens
from grimalkin.games.curses_and_covens import bots
from grimalkin.games.curses_and_covens.facts import Stage

NAMES = ["Hester", "Ada", "Basil", "Cleo", "Dora", "Enid"]
SEEDS = range(5)


AFTER_A_WHILE = "Hester: love-mabel crystal-beryl nature-fern; ritual-candles"
"""In front of the Hunter."""
QUIET = ("Ada smith", "Basil parson", "Cleo cooper")
"""Townsfolk that arrive."""
TRAY = ("tray smith parson cooper",)
"""The same, with a ritual in front of the Hunter."""


@pytest.fixture
def facts(facts_of):
    return facts_of("curses-and-covens")


@pytest.fixture
def game(facts):
    """A game from a Census on: seats, then lines of notation, with the cards that come."""

    def game(seats, *lines, draws=QUIET):
        record = record_of(seats, options={"tiles": "none"})
        state = curses_and_covens.load(facts, record, script(*draws))
        for line in lines:
            play_line(curses_and_covens, state, line)
        return state

    return game


def choices(state):
    """What the sensible bot does in the seat to act, by several seeds."""
    seat = state.to_act()
    moves = [curses_and_covens.BOTS["sensible"](seed)(state.view(seat), state.legal()) for seed in SEEDS]
    return {curses_and_covens.write([move], state) for move in moves}


def test_the_hunter_looks_where_a_coven_may_be(game):
    """Basil gave a card to Ada, who has shown two love witches, when he had the third (CC-WIN-1). Nobody else can have
    three, and Cleo's witches, though more, are of two suits."""
    seats = (
        "Hester: | Ada: love-rose love-mabel baker miller | Basil: love-viola teacher | "
        "Cleo: crystal-opal nature-ivy nature-fern"
    )

    assert {"pick Ada"} == choices(game(seats, "hat Basil", "give love-viola to Ada", "woods cooper", "woods smith"))


@pytest.mark.parametrize("town", ["Ada", "Basil"])
def test_the_hunter_shuns_a_second_ritual(game, town):
    """One ritual lies there, and another one would lose the game (CC-WIN-2): of two hands that are alike, the Hunter
    never takes the one that has it."""
    hands = {"Ada": "love-rose crystal-opal baker", "Basil": "love-mabel crystal-beryl miller"}
    hands[town] = " ".join([*hands[town].split()[:2], "ritual-bell"])
    seats = f"Hester: ; ritual-candles | Ada: {hands['Ada']} | Basil: {hands['Basil']} | Cleo: fiddler"
    gifts = "give smith to Cleo", "give parson to Cleo", "woods fiddler"

    assert f"pick {town}" not in choices(game(seats, "hat Ada", "deal smith, deal parson", *gifts, draws=TRAY))


@pytest.mark.parametrize(("left", "expected"), [("crystal-opal nature-hazel", "shuffle"), ("baker miller", "leave")])
def test_the_hunter_shuffles_what_is_worth_it(game, left, expected):
    """Ada loses love-rose and lays the rest under the deck: two witches, more to the Hunter's liking than what is left
    of the deck, or two townsfolk, less so (CC-SETUP-7)."""
    seats = f"Hester: | Ada: love-rose {left} | Basil: beekeeper teacher | Cleo: shepherd fiddler"
    gifts = "give smith to Cleo", "give parson to Cleo", "give cooper to Basil"
    under = f"under {left.split()[0]}"

    assert {expected} == choices(game(seats, "hat Ada", *gifts, "pick Ada", under, draws=(*QUIET, "pick love-rose")))


def test_towns_bring_a_ritual_to_where_the_hunter_looks(game, monkeypatch):
    """One ritual lies there, and three witches. Basil has the second one, Ada has four witches and Cleo none: with the
    ritual in Ada's hand the towns may win at the next pick."""
    seats = "| Ada: love-rose crystal-opal nature-hazel wild | Basil: ritual-bell teacher | Cleo: shepherd fiddler"
    monkeypatch.setattr(bots, "WHIM", 0.0)
    state = game(f"{AFTER_A_WHILE} {seats}", "hat Basil", "deal smith, deal parson", draws=TRAY)

    assert {"give ritual-bell to Ada"} == choices(state)


def test_a_witch_that_may_join_her_sisters_is_thought_to_have_moved(game):
    """Basil gave one of three cards to Ada unseen. As towns think that the Hunter thinks, a witch who joins two of her
    suit is 5.5 times as likely as a townsfolk card: 5.5 of 7.5."""
    seats = "Hester: | Ada: love-rose love-mabel | Basil: love-viola teacher | Cleo: shepherd fiddler"
    state = game(seats, "hat Basil", "give teacher to Ada")
    view = state.view(3)
    mind = bots.Beliefs(view)
    mind.follow(view)
    viola = view.cards.ids.index("love-viola")

    assert pytest.approx(5.5 / 7.5) == mind.hunters.cards[1][viola]
    assert pytest.approx(2 / 7.5) == mind.hunters.cards[2][viola]


def test_the_hunter_asks_for_reasons(game):
    """Where the towns expect to be looked at, they send no witch without need: Basil gave a card to Ada, who is alone
    with witches, and it was more likely the ritual than his witch."""
    seats = "| Ada: love-rose crystal-opal nature-hazel | Basil: ritual-bell love-viola | Cleo: shepherd fiddler"
    lines = "hat Basil", "deal smith, deal parson", "give love-viola to Ada", "woods cooper", "woods smith"
    state = game(f"{AFTER_A_WHILE} {seats}", *lines, draws=TRAY)
    view = state.view(0)
    mind = bots.Beliefs(view)
    mind.follow(view)
    bell, viola = (view.cards.ids.index(card) for card in ("ritual-bell", "love-viola"))

    assert mind.own.cards[1][bell] > mind.own.cards[1][viola] > 0


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_chances_add_up_to_the_cards_that_are_there(facts, players):
    """But for a quarter of a card, in every seat, whenever it is to act, and for what everybody sees, too."""
    sizes = 0
    for seed in range(3):
        state = curses_and_covens.start(facts, NAMES[:players], curses_and_covens.SIMULATION, Seeded(seed))
        table = [curses_and_covens.BOTS["sensible"](seat) for seat in range(players)]
        minds = {}
        while (seat := state.to_act()) >= 0:
            view = state.view(seat)
            mind = minds.setdefault(seat, bots.Beliefs(view))
            mind.follow(view)
            for sees in (mind.own, mind.hunters):
                for town in range(1, players):
                    sizes += 1
                    there = sum(sees.cards[town].values()) + sees.hidden[town]

                    assert len(state.hands[town]) == sees.sizes[town]
                    assert pytest.approx(sees.sizes[town], abs=0.25) == there
            state.apply(table[seat](view, state.legal()))

    assert sizes > 300


@pytest.mark.slow("plays many games")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_thinking_beats_luck_in_both_roles(facts, players):
    """Of thirty games each, a Hunter who thinks wins more against careless towns, and towns that think win more against
    a careless Hunter."""
    won = []
    for hunter, town in (("sensible", "random"), ("random", "sensible")):
        won.append(0)
        for seed in range(30):
            state = curses_and_covens.start(facts, NAMES[:players], curses_and_covens.SIMULATION, Seeded(seed))
            table = [curses_and_covens.BOTS[town](seed + seat) for seat in range(players)]
            table[0] = curses_and_covens.BOTS[hunter](seed)
            play_out(state, table, curses_and_covens.MOST_DECISIONS)
            won[-1] += (NAMES[0] in state.result().winners) == (hunter == "sensible")

    assert min(won) > 17


def test_a_bot_can_be_asked_about_any_game(facts, monkeypatch):
    """It notices when a log is not the one it has read before, and then chooses as one that has read nothing; and it
    answers from a position without a past."""
    monkeypatch.setattr(bots, "WHIM", 0.0)
    monkeypatch.setattr(bots, "HUNTERS_WHIM", 0.0)
    bot = curses_and_covens.BOTS["sensible"](1)
    states = [curses_and_covens.start(facts, NAMES[:4], curses_and_covens.SIMULATION, Seeded(seed)) for seed in (1, 2)]
    random = curses_and_covens.BOTS["random"](1)
    asked = 0
    while all(state.to_act() >= 0 for state in states):
        for state in states:
            seat, legal = state.to_act(), state.legal()
            fresh = curses_and_covens.load(facts, state.position() | {"history": []}, Seeded(1))
            for known in (state, fresh):
                asked += 1

                choice = bot(known.view(seat), legal)

                assert choice in legal
                if known.stage is not Stage.ANNOUNCE:
                    assert choice == curses_and_covens.BOTS["sensible"](2)(known.view(seat), legal)
            state.apply(random(None, legal))

    assert asked > 100
