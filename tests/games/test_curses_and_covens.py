"""Curses & Covens: what its rules say, worked out by hand on cards of the test's own."""

from __future__ import annotations

import json
import re
from collections import Counter
from copy import deepcopy
from inspect import isfunction

import pytest
from soak import seeded, seeds

from grimalkin.engine.chance import Recorded, Scripted, Seeded
from grimalkin.engine.play import play_out
from grimalkin.engine.replay import play_line
from grimalkin.engine.shape import Misfits
from grimalkin.engine.words import OVER, Ambiguous, Refused, TooFar, Unreadable
from grimalkin.games import curses_and_covens as game
from grimalkin.games.curses_and_covens.box import box_of
from grimalkin.games.curses_and_covens.facts import UNSEEN, Spell
from grimalkin.games.curses_and_covens.knowledge import Deed, read_entry, write_entry
from grimalkin.testing import checks as battery

SUITS = {"love": "rose mabel viola", "crystal": "opal beryl agatha", "nature": "hazel fern ivy"}
TOWNSFOLK = ["baker", "miller", "smith", "midwife", "parson", "innkeeper", "teacher", "shepherd", "fiddler"]
TOWNSFOLK += ["laundress", "beekeeper", "cooper", "gravedigger"]
RITUALS = ["ritual-candles", "ritual-bell", "ritual-cauldron"]
SPELL_TILES = {
    "path": ("Forked Path", "crystal nature", "Wild Chase", "nature nature"),
    "cradle": ("Lullaby", "love nature", "Nightmare", "love love"),
    "mirror": ("Looking-Glass", "love crystal", "Broken Mirror", "crystal crystal"),
}
NAMES = ("Hester", "Ada", "Basil", "Cleo", "Dora", "Enid")


def made_up_pieces():
    """All pieces, as the content tells them, in an order that is not that of the engine."""
    components = {id_: {"name": f"The {id_.title()}", "count": 1, "rite": id_} for id_ in RITUALS}
    for job in TOWNSFOLK:
        components[job] = {"name": f"Mx {job.title()}", "count": 1, "occupation": job}
    components["fake"] = {"name": "The Straw Witch", "count": 1, "suit": "fake"}
    components["wild"] = {"name": "Morgan", "count": 1, "suit": "wild"}
    for suit in ("nature", "crystal", "love"):
        for name in SUITS[suit].split():
            components[f"{suit}-{name}"] = {"name": f"{name.title()} of {suit}", "count": 1, "suit": suit}
    for id_, (charm, charm_icons, curse, curse_icons) in SPELL_TILES.items():
        tile = {"name": f"The {id_.title()}", "count": 1, "charm": charm, "curse": curse}
        for side, icons in (("charm", charm_icons), ("curse", curse_icons)):
            tile |= zip((f"{side}-first", f"{side}-second"), icons.split(), strict=True)
        components[id_] = tile
    return {"components": components | {"hat": {"name": "Witch's hat", "count": 1}}}


FACTS = made_up_pieces()
BOX = box_of(FACTS)
NUMBER = BOX.numbers
CARDS = [f"{suit}-{name}" for suit, names in SUITS.items() for name in names.split()] + ["wild", "fake"]
CARDS += TOWNSFOLK + RITUALS


def seats_of(text):
    """The seats of a position, from `Hester: love-rose; ritual-bell | Ada: baker miller | Basil:`: witches and rituals
    in front of the Witch Hunter, and the hands of the towns."""
    seats = {}
    for place, seat in enumerate(text.split("|")):
        name, _, cards = seat.partition(":")
        witches, _, rituals = cards.partition(";")
        has = {"hand": cards.split()} if place else {"witches": witches.split(), "rituals": rituals.split()}
        seats[name.strip()] = has
    return seats


def record_of(text, **record):
    """A position record; the gravedigger is in the woods if no card is named."""
    rest = {key.replace("_", "-"): value for key, value in record.items()}
    return {"seats": seats_of(text), "woods": "gravedigger"} | rest


def table(text, *draws, **record):
    """A position. `draws` are what chance gives next, as `Ada baker` or `pick smith`."""
    labels = [draw.split() for draw in draws]
    script = Scripted([(label, item) for label, *items in labels for item in items])
    return game.load(FACTS, record_of(text, **record), script)


def play(state, *lines):
    """The events while lines are played, each with the name of the seat that must be the one to act."""
    events = []
    for line in lines:
        name, _, text = line.partition(": ")

        assert name == actor(state)

        play_line(game, state, text, events)
    return events


def actor(state):
    return "nobody" if state.to_act() == OVER else state.seats[state.to_act()]


def refused(state, line):
    """The rule that refuses a line of the seat to act."""
    key = state.key()
    with pytest.raises(Refused) as error:
        play_line(game, state, line)

    assert key == state.key()

    return error.value.refusal.rule


def texts(state):
    """What is legal now, as written."""
    return [game.write([move], state) for move in state.legal()]


FULL = {
    "Ada": "love-rose love-mabel crystal-opal crystal-beryl nature-hazel nature-fern miller",
    "Basil": "love-viola crystal-agatha nature-ivy midwife baker",
    "Cleo": "wild smith parson innkeeper teacher shepherd fiddler laundress beekeeper cooper ritual-cauldron",
}
"""All cards but a few in the hands of three towns, without a coven."""


def full(*out, front=""):
    """Seats with every card in hand but those that are left `out`: they are the deck. `front` is what lies in front of
    the Hunter; a ritual that does not lie there, and the fake, are Cleo's."""
    seats = {name: cards.split() for name, cards in FULL.items()}
    seats["Cleo"] += ["fake", "ritual-bell", "ritual-candles"]
    taken = {*out, *front.replace(";", " ").split()}
    hands = [f"{name}: {' '.join(card for card in cards if card not in taken)}" for name, cards in seats.items()]
    return " | ".join([f"Hester: {front}", *hands])


def no_deck(text, *out):
    """The seats of a position in which the deck has run out: the last town has every card that lies nowhere, but for
    the gravedigger in the woods and those `out`."""
    there = {"gravedigger", *out, *text.replace(";", " ").split()}
    return " ".join([text, *(card for card in CARDS if card not in there)])


def sizes(text):
    return {name: len(has.get("hand", ())) for name, has in seats_of(text).items()}


def rules(events):
    return [event.rule for event in events]


def hand(state, name):
    return " ".join(BOX.ids[card] for card in state.hands[state.seats.index(name)])


def under(state):
    return " ".join(BOX.ids[card] for card in state.under)


def front(state):
    return " ".join(BOX.ids[card] for card in (*state.witches, *state.rituals))


def phase(state):
    return state.position()["phase"]


def known(state, name):
    """What a seat knows for certain: {place: ids}."""
    seat = state.seats.index(name)
    has = state.view(seat).known
    ids = BOX.ids
    places = {other: " ".join(ids[card] for card in has.hands[number]) for number, other in enumerate(state.seats)}
    places["woods"] = "?" if has.woods == UNSEEN else ids[has.woods]
    places["under"] = " ".join("?" if card == UNSEEN else ids[card] for card in has.under)
    return places


# Set-up


@pytest.mark.parametrize(("seats", "deck"), [(3, 22), (4, 20), (5, 18), (6, 16)])
def test_one_card_is_hidden_and_every_town_is_dealt_two(seats, deck):
    """CC-SETUP-4 to CC-SETUP-6: 27 - 1 - 2 for each town are the deck."""
    state = game.start(FACTS, NAMES[:seats], {}, Seeded(1))

    assert deck == len(state.pool)
    assert [0] + [2] * (seats - 1) == [len(cards) for cards in state.hands]
    assert state.woods >= 0
    assert ("Ada", "census", 1) == (actor(state), phase(state), state.round)


def test_the_set_up_draws_the_woods_first_and_then_for_town_after_town():
    """CC-SETUP-4, CC-SETUP-5: draws are labelled with the woods and with the towns' names."""
    draws = [("woods", "baker"), ("Ada", "miller"), ("Ada", "love-rose"), ("Basil", "wild"), ("Basil", "fake")]
    log = []
    state = game.start(FACTS, NAMES[:3], {}, Scripted(draws), log)

    assert ("love-rose miller", "wild fake") == (hand(state, "Ada"), hand(state, "Basil"))
    assert BOX.numbers["baker"] == state.woods
    assert {"cradle": "charm", "mirror": "charm", "path": "charm"} == state.position()["tiles"]
    hidden = next(event for event in log if event.rule == "CC-SETUP-4")
    assert (frozenset({0}), "Hester looks at a card and hides it in the woods.") == (hidden.audience, hidden.hint)
    dealt = [event for event in log if event.rule == "CC-SETUP-5"]
    assert [{1}, {2}] == [set(event.audience) for event in dealt]


@pytest.mark.parametrize(("tiles", "there"), [("none", []), ("no-mirror", ["cradle", "path"]), ("no-path", None)])
def test_tiles_may_stay_in_the_box(tiles, there):
    """CC-AMB-31: an option leaves one tile, or all of them, in the box."""
    state = game.start(FACTS, NAMES[:3], {"tiles": tiles}, Seeded(1))

    assert (["cradle", "mirror"] if there is None else there) == list(state.position()["tiles"])
    assert {"tiles": tiles} == state.position()["options"]


@pytest.mark.parametrize("seats", [("Hester", "Ada"), (*NAMES, "Fay"), ("Hester", "Ada", "Ada")])
def test_three_to_six_play_and_each_has_a_name(seats):
    """CC-PLAYERS-2, CC-AMB-1."""
    with pytest.raises(Misfits):
        game.start(FACTS, seats, {}, Seeded(1))


# Census


def test_an_empty_town_draws_before_the_hands_are_shown():
    """CC-CENSUS-1, CC-CENSUS-2: Basil's hand goes under the deck in the Hunt, so it draws in the next Census."""
    state = table(
        "Hester: | Ada: baker | Basil: love-rose | Cleo: miller",
        *("pick love-rose", "Basil wild"),
        phase="hunt",
        picks=1,
        first="Ada",
    )
    events = play(state, "Hester: pick Basil")

    assert "wild" == hand(state, "Basil")
    assert [("CC-CENSUS-1", {2})] == [(event.rule, set(event.audience)) for event in events if event.audience]
    shown = [event.text for event in events if event.rule == "CC-CENSUS-2"]
    assert ["Ada shows Mx Baker (baker).", "Basil shows Morgan (wild).", "Cleo shows Mx Miller (miller)."] == shown
    assert (2, "census") == (state.round, phase(state))


def test_draws_in_a_census_are_skipped_when_the_deck_is_empty():
    """CC-TRAV-7: with one card in the deck the first empty town draws it, the second one none."""
    rest = [card for card in CARDS if card not in ("love-rose", "wild", "gravedigger", "love-mabel")]
    state = table(
        f"Hester: | Ada: | Basil: love-rose | Cleo: {' '.join(rest)}",
        *("pick love-rose", "Ada wild", "Basil love-mabel"),
        phase="hunt",
        picks=1,
        first="Ada",
    )
    events = play(state, "Hester: pick Basil")

    assert ("wild", "love-mabel") == (hand(state, "Ada"), hand(state, "Basil"))
    assert "CC-TRAV-7" not in rules(events)

    state = table(
        f"Hester: | Ada: | Basil: love-rose | Cleo: love-mabel {' '.join(rest)}",
        *("pick love-rose", "Ada wild"),
        phase="hunt",
        picks=1,
        first="Ada",
    )
    events = play(state, "Hester: pick Basil")

    assert ("wild", "") == (hand(state, "Ada"), hand(state, "Basil"))
    assert "CC-TRAV-7" in rules(events)
    assert "Basil shows no cards." in [event.text for event in events]


COVENS = [
    ("love-rose love-mabel love-viola", 3),
    ("crystal-opal crystal-beryl wild", 3),
    ("nature-hazel nature-fern nature-ivy wild", 4),
    ("wild love-rose crystal-opal nature-fern", 2),  # CC-AMB-13: not of two suits at once
    ("fake love-rose love-mabel", 2),  # CC-HUNT-12
    ("fake wild love-rose", 2),
    ("love-rose love-mabel crystal-opal crystal-beryl", 2),
    ("wild", 1),
    ("fake", 0),
    ("baker ritual-bell", 0),
    ("love-rose love-mabel crystal-opal crystal-beryl wild", 3),
]


@pytest.mark.parametrize(("cards", "most"), COVENS)
def test_a_coven_is_three_witches_of_one_suit_in_one_hand(cards, most):
    """CC-WIN-1, CC-CENSUS-3: the wild stands for any one suit, the fake for none. The last pick takes the shepherd, and
    the Census decides."""
    state = table(
        f"Hester: | Ada: {cards} | Basil: shepherd | Cleo: teacher",
        *("pick shepherd", "Basil cooper"),
        phase="hunt",
        picks=1,
        first="Basil",
    )
    events = play(state, "Hester: pick Basil", "Hester: pass to Cleo")

    assert most == {score.seat: score.columns for score in state.score()}["Ada"]["coven"]
    assert ("over" if most >= 3 else "census") == phase(state)
    assert (most >= 3) == ("CC-CENSUS-3" in rules(events))
    if most >= 3:
        assert ("Ada", "Basil", "Cleo") == state.result().winners
        assert ("CC-WIN-1", "CC-CENSUS-3") == state.result().rules
    else:
        assert state.result() is None


def test_witches_of_two_towns_are_no_coven():
    """CC-WIN-1: three of a suit in two hands do not count."""
    state = table("Hester: | Ada: love-rose love-mabel | Basil: love-viola | Cleo: baker")

    assert (2, 1) == (state.most_of_a_suit(1), state.most_of_a_suit(2))
    assert "census" == phase(state)


def test_the_coven_comes_before_any_spell():
    """CC-AMB-15, CC-AMB-14: love and nature are shown too, but the game is over, and nothing is cast."""
    state = table(
        "Hester: | Ada: love-rose love-mabel wild nature-fern | Basil: shepherd | Cleo: baker",
        *("pick shepherd", "Basil cooper"),
        phase="hunt",
        picks=1,
        first="Basil",
    )
    events = play(state, "Hester: pick Basil", "Hester: pass to Cleo")

    assert {"CC-AMB-13", "CC-AMB-14", "CC-AMB-15", "CC-WIN-1"} <= set(rules(events))
    assert [] == state.legal()
    assert "CC-WIN-1" == refused(state, "cast lullaby")


# Spells


CURSES_UP = {"cradle": "curse", "mirror": "curse", "path": "curse"}
CASTABLE = [
    ("love-rose nature-fern", "lullaby", ""),
    ("love-rose crystal-opal", "looking-glass", ""),
    ("crystal-opal nature-fern", "forked-path", ""),
    ("love-rose love-mabel", "", "nightmare"),
    ("crystal-opal crystal-beryl", "", "broken-mirror"),
    ("nature-ivy nature-fern", "", "wild-chase"),
    ("wild love-rose", "lullaby looking-glass", "nightmare"),  # CC-SPELL-5
    ("wild crystal-opal", "looking-glass forked-path", "broken-mirror"),
    ("wild", "", ""),  # CC-AMB-3: one witch is never two
    ("love-rose", "", ""),
    ("fake love-rose", "", ""),  # CC-SPELL-7
    ("fake wild", "", ""),
    ("love-rose crystal-opal nature-fern", "lullaby looking-glass forked-path", ""),
    ("love-rose baker ritual-bell", "", ""),
]


@pytest.mark.parametrize(("cards", "charms", "curses"), CASTABLE)
def test_a_spell_takes_two_witches_of_one_town_that_match_its_icons(cards, charms, curses):
    """CC-SPELL-1, CC-SPELL-5, CC-SPELL-7, CC-AMB-3; only the side that is up."""
    seats = f"Hester: | Ada: {cards} | Basil: miller | Cleo: smith"
    for tiles, spells in (({}, charms), (CURSES_UP, curses)):
        casts = [text.removeprefix("cast ") for text in texts(table(seats, tiles=tiles)) if text.startswith("cast")]

        assert spells.split() == casts


def test_two_towns_do_not_show_icons_together():
    """CC-SPELL-1: one town shows both."""
    state = table("Hester: | Ada: love-rose | Basil: nature-fern | Cleo: smith")

    assert "CC-SPELL-1" == refused(state, "cast lullaby")


def test_a_cast_tile_is_set_apart_and_the_witches_stay():
    """CC-SPELL-2, CC-SPELL-3: any town may show the icons, and the one with the hat announces (CC-AMB-23)."""
    state = table("Hester: | Ada: baker | Basil: love-rose nature-fern | Cleo: smith")
    events = play(state, "Ada: cast Lullaby")

    assert "love-rose nature-fern" == hand(state, "Basil")
    assert "lullaby" == state.position()["cast"]
    assert ["CC-SPELL-1", "CC-SPELL-2", "CC-SPELL-3", "CC-CHARM-1"] == rules(events)
    assert ["hat Ada", "hat Basil", "hat Cleo"] == texts(state)


def test_what_a_wild_and_a_double_icon_mean_is_told():
    """CC-SPELL-5, CC-AMB-3: love and wild cast Nightmare, whose icons are two hearts."""
    state = table("Hester: | Ada: love-rose wild | Basil: baker | Cleo: smith", tiles={"cradle": "curse"})
    events = play(state, "Ada: cast nightmare")

    assert {"CC-AMB-3", "CC-SPELL-5"} <= set(rules(events))

    state = table(
        "Hester: | Ada: love-rose wild | Basil: love-viola love-mabel | Cleo: smith", tiles={"cradle": "curse"}
    )
    events = play(state, "Ada: cast nightmare")

    assert "CC-SPELL-5" not in rules(events)


@pytest.mark.parametrize(
    ("cards", "record", "line", "rule"),
    [
        ("love-rose nature-fern crystal-opal", {"cast": "lullaby"}, "cast looking-glass", "CC-SPELL-4"),
        ("love-rose nature-fern", {"cast": "lullaby"}, "cast lullaby", "CC-AMB-16"),
        ("love-rose love-mabel nature-fern", {"cast": "lullaby"}, "cast nightmare", "CC-AMB-16"),
        ("love-rose love-mabel", {}, "cast nightmare", "CC-SPELL-6"),
        ("love-rose nature-fern", {"tiles": {"cradle": "curse"}}, "cast lullaby", "CC-SPELL-6"),
        ("love-rose baker", {}, "cast lullaby", "CC-SPELL-1"),
        ("baker miller", {}, "cast forked path", "CC-SPELL-1"),
        ("love-rose fake", {}, "cast lullaby", "CC-SPELL-7"),
        ("wild fake", {}, "cast lullaby", "CC-SPELL-7"),
        ("love-rose fake", {"tiles": {"cradle": "curse"}}, "cast nightmare", "CC-SPELL-7"),
        ("wild baker", {}, "cast lullaby", "CC-AMB-3"),
        ("love-rose baker", {"tiles": {"cradle": "curse"}}, "cast nightmare", "CC-AMB-3"),
        ("love-rose nature-fern", {"talk": ["Ada: help"]}, "cast lullaby", "CC-CENSUS-4"),
        ("love-rose nature-fern", {"options": {"tiles": "no-cradle"}}, "cast lullaby", "CC-AMB-31"),
        ("love-rose nature-fern", {}, "cast lullaby, cast lullaby", "CC-AMB-16"),
        ("love-rose nature-fern", {}, '"hide her", cast lullaby', "CC-CENSUS-4"),
    ],
)
def test_spells_that_cannot_be_cast(cards, record, line, rule):
    """Each limit of a spell refuses by its own rule."""
    state = table(f"Hester: | Ada: {cards} | Basil: innkeeper | Cleo: smith", **record)

    assert rule == refused(state, line)


def test_the_cast_tile_turns_over_after_the_hunt_and_no_other_one():
    """CC-SPELL-6, CC-AMB-16: the charm becomes a curse, and the curse a charm again."""
    for up, after, cards, spell in (
        ("charm", "curse", "crystal-opal nature-fern", "forked-path"),
        ("curse", "charm", "nature-ivy nature-fern", "wild-chase"),
    ):
        state = table(
            f"Hester: | Ada: {cards} | Basil: baker | Cleo: smith",
            *("pick baker", "Basil parson"),
            phase="hunt",
            picks=2 if up == "curse" else 1,
            first="Ada",
            cast=spell,
            tiles={"path": up, "mirror": "curse"},
        )
        events = play(state, "Hester: pick Basil", "Hester: pass to Cleo")

        assert {"cradle": "charm", "mirror": "curse", "path": after} == state.position()["tiles"]
        assert "cast" not in state.position()
        assert {"CC-SPELL-6", "CC-AMB-16", "CC-HUNT-13"} <= set(rules(events))


# Talk and hat


def test_talk_is_heard_by_all_and_binds_nobody():
    """CC-CENSUS-4, CC-CENSUS-5, CC-AMB-27: words are recorded as they were spoken, as often as one likes."""
    state = table("Hester: | Ada: love-rose nature-fern | Basil: baker | Cleo: smith", "Ada cooper")
    events = play(state, 'Ada: cast lullaby, "Basil, give me your  Baker", "no, wait"')

    assert ["Ada: Basil, give me your Baker", "Ada: no, wait"] == state.position()["talk"]
    for seat in range(4):
        assert ("Basil, give me your Baker", "no, wait") == tuple(
            words for deed, _, _, words in state.view(seat).log if deed is Deed.SAID
        )
        assert tuple(state.talk) == state.view(seat).talk
    assert {"CC-CENSUS-4", "CC-CENSUS-5", "CC-AMB-27"} <= set(rules(events))
    assert not [move for move in state.legal() if isinstance(move, str)]


def test_after_the_talk_only_the_hat_is_left():
    """CC-CENSUS-4: no spell is cast any more; and when the hat has gone the talk is over."""
    state = table(
        "Hester: | Ada: love-rose nature-fern | Basil: baker | Cleo: smith", "Ada cooper", "Basil wild", "Cleo parson"
    )

    assert "cast lullaby" == texts(state)[0]

    play(state, 'Ada: "hide her"')

    assert ["hat Ada", "hat Basil", "hat Cleo"] == texts(state)

    play(state, "Ada: hat Ada")

    assert () == state.view(1).talk
    assert "talk" not in state.position()


def test_the_hat_goes_to_any_town_and_ends_the_census():
    """CC-CENSUS-6, CC-CENSUS-7, CC-AMB-21: the same town may keep it; the Hunter never has it."""
    seats = "Hester: | Ada: love-rose | Basil: baker | Cleo: smith"
    draws = ("Ada cooper", "Basil miller", "Cleo parson")
    for name in ("Ada", "Basil", "Cleo"):
        state = table(seats, *draws, hat="Ada")
        events = play(state, f"Ada: hat {name}")

        assert (name, "travel") == (actor(state), phase(state))
        assert f"{name} {'keeps' if name == 'Ada' else 'has'} the hat, and goes first in Travel." == events[0].text
        assert ["CC-CENSUS-6", "CC-CENSUS-7"] == rules(events)[:2]
        assert "talk" not in state.position()

    assert "CC-CENSUS-6" == refused(table(seats), "hat Hester")
    with pytest.raises(TooFar, match='"hat Cleo" goes too far: the line ends before it, and then Basil is to act'):
        play_line(game, table(seats, *draws), "hat Basil, hat Cleo")


@pytest.mark.parametrize(
    ("record", "rule"),
    [
        ({"phase": "travel"}, "CC-ARR-4"),
        ({"phase": "hunt", "picks": 1, "first": "Basil", "emptying": "Basil"}, "CC-CENSUS-4"),
        ({"phase": "travel", "asked": "Basil"}, "CC-ARR-4"),
    ],
)
def test_towns_do_not_talk_at_other_times(record, rule):
    """CC-ARR-4, CC-CENSUS-4."""
    front = "wild" if "emptying" in record else ""
    state = table(f"Hester: {front} | Ada: love-rose | Basil: baker miller | Cleo: smith", **record)

    assert rule == refused(state, '"trust me"')


@pytest.mark.parametrize(
    "record",
    [
        {"phase": "arrival", "shuffle": "yes", "under": ["wild"]},
        {"phase": "arrival", "tray": ["wild", "teacher", "parson"]},
        {"phase": "hunt"},
        {"phase": "hunt", "picks": 1, "taken": {"card": "teacher", "from": "Ada"}},
    ],
)
def test_words_of_the_hunter_are_not_asked_for_and_never_forbidden(record):
    """CC-AMB-27: only towns are told to be silent."""
    front = "; ritual-bell" if "tray" in record else ""
    state = table(f"Hester: {front} | Ada: love-rose | Basil: baker miller | Cleo: smith", **record)
    refusal = state.why_not('"trust me"')

    assert "CC-AMB-27" == refusal.rule
    assert refusal.because.startswith("not asked here: ")


# Arrival


def test_an_arrival_is_dealt_from_the_left_and_seen_by_the_hunter_and_the_town():
    """CC-ARR-1, CC-ARR-3."""
    seats = "Hester: | Ada: love-rose | Basil: baker | Cleo: smith"
    state = table(seats, "Ada wild", "Basil fake", "Cleo cooper")
    events = play(state, "Ada: hat Cleo")

    assert ["love-rose wild", "fake baker", "smith cooper"] == [hand(state, name) for name in NAMES[1:4]]
    arrivals = [event for event in events if event.rule == "CC-ARR-1"]
    assert [{0, 1}, {0, 2}, {0, 3}] == [set(event.audience) for event in arrivals]
    assert "Hester draws a card, looks at it and passes it to Ada." == arrivals[0].told(2)
    assert "fake baker" == known(state, "Hester")["Basil"]
    assert "baker" == known(state, "Cleo")["Basil"]


def test_a_short_deck_serves_the_left_first():
    """CC-AMB-7, CC-TRAV-7: two cards for three towns."""
    state = table(full("smith", "parson"), "Ada smith", "Basil parson")
    events = play(state, "Ada: hat Cleo")

    assert [("Ada", True), ("Basil", True), ("Cleo", False)] == [
        (name, len(hand(state, name).split()) > sizes(full("smith", "parson"))[name]) for name in NAMES[1:4]
    ]
    assert ["CC-ARR-1", "CC-ARR-1", "CC-TRAV-7", "CC-AMB-7", "CC-TRAV-1"] == rules(events)[-5:]


def test_an_empty_deck_serves_nobody():
    """CC-TRAV-7: the game goes on without draws."""
    state = table(full())
    events = play(state, "Ada: hat Cleo")

    assert ("travel", "Cleo") == (phase(state), actor(state))
    assert "CC-TRAV-7" in rules(events)
    assert "CC-AMB-7" not in rules(events)


def test_cards_laid_under_the_deck_come_last_and_in_their_order():
    """CC-HUNT-5, CC-ARR-1: no chance is asked for them, and the first laid comes first."""
    state = table(full("smith", "parson", "wild"), "Ada smith", under=["parson", "wild"])
    play(state, "Ada: hat Ada", "Hester: leave", "Hester: leave")

    assert ("smith", "parson") == (hand(state, "Ada").split()[-1], hand(state, "Basil").split()[-1])
    assert "wild" in hand(state, "Cleo").split()


def test_with_a_ritual_in_front_the_hunter_chooses():
    """CC-ARR-2, CC-ARR-3: as many cards as towns; the last card goes by itself."""
    state = table(
        "Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith", "tray wild fake cooper", hat="Cleo"
    )
    events = play(state, "Cleo: hat Cleo")

    assert ("Hester", "arrival") == (actor(state), phase(state))
    assert ["deal wild", "deal fake", "deal cooper"] == texts(state)
    looked = next(event for event in events if event.rule == "CC-ARR-2")
    assert {0} == set(looked.audience)

    play(state, "Hester: deal cooper, deal wild")

    assert ["love-rose cooper", "wild baker", "fake smith"] == [hand(state, name) for name in NAMES[1:4]]
    assert "travel" == phase(state)


def test_fewer_cards_than_towns_are_given_by_choice():
    """CC-AMB-7, CC-AMB-28: with a ritual in front and one card, the Hunter says which towns get nothing."""
    state = table(full("smith", front="; ritual-bell"), "tray smith")
    play(state, "Ada: hat Ada")

    assert ["deal smith", "deal nothing"] == texts(state)

    events = play(state, "Hester: deal nothing, deal nothing")

    assert "smith" in hand(state, "Cleo").split()
    assert ["CC-AMB-28", "CC-AMB-28", "CC-ARR-2"] == rules(events)[:3]

    state = table(full("smith", front="; ritual-bell"), "tray smith")
    play(state, "Ada: hat Ada", "Hester: deal smith")

    assert "smith" in hand(state, "Ada").split()
    assert "travel" == phase(state)


def test_an_empty_deck_leaves_the_hunter_nothing_to_choose():
    """CC-TRAV-7."""
    state = table(full(front="; ritual-bell"))

    assert "CC-TRAV-7" in rules(play(state, "Ada: hat Ada"))
    assert "travel" == phase(state)


LULLABY_SEATS = "| Ada: love-rose nature-fern | Basil: baker | Cleo: smith"


def test_under_a_lullaby_the_hat_is_served_first_and_unseen():
    """CC-CHARM-1 beats CC-ARR-1 for the town with the hat; the others are served from the left as always."""
    state = table(f"Hester: {LULLABY_SEATS}", *("Basil fake", "Ada wild", "Cleo cooper"), cast="lullaby")
    events = play(state, "Ada: hat Basil")

    assert ["love-rose nature-fern wild", "fake baker", "smith cooper"] == [hand(state, name) for name in NAMES[1:4]]
    told = [(event.rule, set(event.audience)) for event in events if event.audience]
    assert [("CC-CHARM-1", {2}), ("CC-ARR-1", {0, 1}), ("CC-ARR-1", {0, 3})] == told
    assert ["love-rose nature-fern wild", "baker", "smith cooper"] == [
        known(state, "Hester")[name] for name in NAMES[1:4]
    ]
    assert "fake baker" == known(state, "Basil")["Basil"]


def test_under_a_lullaby_the_hunter_still_chooses_for_the_others():
    """CC-CHARM-1, CC-ARR-2: with a ritual in front, a card for each of the other towns is drawn."""
    state = table(
        f"Hester: ; ritual-bell {LULLABY_SEATS}", *("Basil fake", "tray wild cooper"), cast="lullaby", under=["miller"]
    )
    play(state, "Ada: hat Basil")

    assert ("Hester", "baker") == (actor(state), hand(state, "Basil"))

    play(state, "Hester: leave")

    assert (["shuffle", "leave"], "fake baker") == (texts(state), hand(state, "Basil"))
    assert ["Basil"] == state.position()["served"]
    assert state.key() == game.load(FACTS, state.position()).key()

    play(state, "Hester: leave")

    assert ["deal wild", "deal cooper"] == texts(state)
    assert (2, 1, 3) == state.view(0).service
    deals = game.read("deal cooper", state)
    assert ["deal cooper", "deal cooper", "deal ?", "deal ?"] == [game.write(deals, state, seat) for seat in range(4)]
    assert "CC-AMB-28" == refused(state, "deal nothing")
    assert "Hester gives Ada one of 2 cards now" == state.why_not(game.read("pick Ada", state)[0]).because

    play(state, "Hester: deal cooper")

    assert ["love-rose nature-fern cooper", "wild smith"] == [hand(state, name) for name in ("Ada", "Cleo")]
    assert "travel" == phase(state)


def test_only_the_first_card_of_a_lullaby_is_unseen():
    """CC-CHARM-1: after a question too; and with a ritual in front the second one goes on the tray already."""
    state = table(
        f"Hester: {LULLABY_SEATS}", *("Ada wild", "Basil fake", "Cleo cooper"), cast="lullaby", under=["miller"]
    )
    play(state, "Ada: hat Ada", "Hester: leave", "Hester: leave", "Hester: leave")

    assert ["love-rose nature-fern", "fake baker", "smith cooper"] == known_hands(state, "Hester")

    state = table(f"Hester: ; ritual-bell {LULLABY_SEATS}", *("Basil fake", "tray wild cooper"), cast="lullaby")
    play(state, "Ada: hat Basil")

    assert ["deal wild", "deal cooper"] == texts(state)


def test_under_a_lullaby_a_short_deck_serves_the_hat_first():
    """CC-CHARM-1, CC-AMB-7: with one card only the hat's town gets one, and the Hunter has nothing to choose."""
    for front_, told in (("", "CC-AMB-7"), ("; ritual-bell", "CC-TRAV-7")):
        state = table(full("smith", front=front_), "Cleo smith", cast="lullaby")
        events = play(state, "Ada: hat Cleo")

        assert "smith" in hand(state, "Cleo").split()
        assert told in rules(events)
        assert "travel" == phase(state)


def test_a_broken_mirror_lets_the_hunter_choose_without_a_ritual():
    """CC-CURSE-2 beats CC-ARR-1."""
    state = table(
        "Hester: | Ada: crystal-opal crystal-beryl | Basil: baker | Cleo: smith",
        "tray wild fake cooper",
        cast="broken-mirror",
    )
    events = play(state, "Ada: hat Ada", "Hester: deal wild, deal fake")

    assert "fake baker" == hand(state, "Basil")
    assert "CC-CURSE-2" in rules(events)


def test_dealing_is_refused_by_its_rules():
    """CC-ARR-2, CC-AMB-28: only cards of the tray, one for each town."""
    state = table(
        "Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith",
        phase="arrival",
        tray=["wild", "fake", "cooper"],
    )

    assert "CC-ARR-2" == refused(state, "deal miller")
    assert "CC-AMB-28" == refused(state, "deal nothing")
    assert "CC-ARR-2" == refused(state, "deal wild, deal wild")
    assert "CC-ARR-2" == refused(state, "pick Ada")
    with pytest.raises(TooFar, match='"deal cooper" goes too far'):  # the last card goes by itself
        play_line(game, state, "deal wild, deal fake, deal cooper")


# Shuffling


def test_the_hunter_may_shuffle_before_each_card_of_a_blind_arrival():
    """CC-AMB-26, CC-AMB-12, CC-SETUP-7: asked while cards lie under the deck; afterwards all are alike."""
    seats = "Hester: | Ada: love-rose | Basil: baker | Cleo: smith"
    state = table(seats, "Ada wild", "Basil fake", "Cleo cooper", under=["fake", "miller"])
    play(state, "Ada: hat Ada")

    assert ["shuffle", "leave"] == texts(state)
    assert "love-rose" == hand(state, "Ada")

    events = play(state, "Hester: leave", "Hester: shuffle")

    assert ("fake baker", "") == (hand(state, "Basil"), under(state))
    assert {"CC-AMB-26", "CC-SETUP-7", "CC-AMB-12"} <= set(rules(events))
    assert "miller" in state.pool


def test_the_hunter_is_asked_once_before_a_chosen_arrival():
    """CC-AMB-26: before the cards are drawn together."""
    state = table(
        "Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith", "tray wild fake cooper", under=["miller"]
    )
    play(state, "Ada: hat Ada", "Hester: leave")

    assert ["deal wild", "deal fake", "deal cooper"] == texts(state)


def test_the_hunter_is_asked_in_a_census_before_an_empty_town_draws():
    """CC-AMB-26."""
    seats = "Hester: | Ada: | Basil: baker | Cleo: smith"
    state = table(seats, "Ada fake", under=["fake"], shuffle="yes")

    assert "Hester" == actor(state)

    play(state, "Hester: shuffle")

    assert ("fake", "Ada") == (hand(state, "Ada"), actor(state))


def test_the_hunter_is_asked_after_a_discard():
    """CC-AMB-26, CC-AMB-12: Ada's hand went under the deck."""
    state = table("Hester: | Ada: love-rose baker | Basil: miller | Cleo: smith", "pick love-rose", phase="hunt")
    play(state, "Hester: pick Ada")

    assert (["shuffle", "leave"], "baker") == (texts(state), under(state))

    play(state, "Hester: leave")

    assert ["pick Basil", "pick Cleo"] == texts(state)


def test_the_hunter_is_not_asked_when_to_shuffle_changes_nothing():
    """CC-AMB-26: nothing lies under the deck, or the deck is a single card."""
    state = table("Hester: | Ada: love-rose | Basil: baker | Cleo: smith", "Ada wild", "Basil fake", "Cleo cooper")
    play(state, "Ada: hat Ada")

    assert "travel" == phase(state)

    state = table(full("smith"), under=["smith"])
    play(state, "Ada: hat Ada")

    assert ("travel", "smith") == (phase(state), hand(state, "Ada").split()[-1])


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"phase": "travel"},
        {"phase": "hunt"},
        {"phase": "travel", "asked": "Basil"},
        {"phase": "travel", "under": ["wild"]},
        {"phase": "arrival", "tray": ["wild", "teacher", "parson"]},
        {"phase": "hunt", "picks": 1, "taken": {"card": "teacher", "from": "Ada"}},
    ],
)
def test_to_shuffle_is_not_asked_for_everywhere_and_never_forbidden(record):
    """CC-AMB-26, CC-SETUP-7: the engine takes a shuffle only when it has asked, and says that the Hunter may."""
    front = "; ritual-bell" if "tray" in record else ""
    state = table(f"Hester: {front} | Ada: love-rose | Basil: baker miller | Cleo: smith", **record)

    for line in ("shuffle", "leave"):
        refusal = state.why_not(game.read(line, state)[0])

        assert "CC-AMB-26" == refusal.rule
        assert refusal.because.startswith("not asked here: ")
        assert refusal.because.endswith("at the table the Hunter may shuffle at any time (CC-SETUP-7)")


def test_a_question_has_two_answers():
    """CC-AMB-26: anything else is refused, and a second answer goes too far."""
    state = table("Hester: | Ada: | Basil: baker | Cleo: smith", under=["fake"], shuffle="yes")

    assert "CC-AMB-26" == refused(state, "pick Basil")
    state = table("Hester: | Ada: | Basil: baker | Cleo: smith", "Ada fake", under=["fake"], shuffle="yes")
    with pytest.raises(TooFar, match='"shuffle" goes too far: the line ends before it, and then Ada is to act'):
        play_line(game, state, "shuffle, shuffle")


# Travel


def travel(text="Hester: | Ada: love-rose baker | Basil: miller wild | Cleo: smith", *draws, **record):
    return table(text, *draws, **{"phase": "travel"} | record)


def test_travel_goes_clockwise_from_the_hat_once():
    """CC-TRAV-1: each town has 1 action, then the Hunt begins with the Hunter."""
    state = travel(hat="Cleo")
    play(state, "Cleo: woods smith", "Ada: ask Basil", "Basil: hand miller", "Basil: ask Cleo")

    assert ("hunt", "Hester") == (phase(state), actor(state))
    assert ["love-rose baker miller", "wild", "gravedigger"] == [hand(state, name) for name in NAMES[1:4]]


def test_the_three_actions_in_their_order():
    """CC-TRAV-2, CC-TRAV-3, CC-TRAV-4."""
    expected = ["give love-rose to Basil", "give love-rose to Cleo", "give baker to Basil", "give baker to Cleo"]
    expected += ["ask Basil", "ask Cleo", "woods love-rose", "woods baker"]

    assert expected == texts(travel())


def test_a_gift_is_seen_by_the_two_towns_alone():
    """CC-TRAV-2, CC-TRAV-5."""
    state = travel()
    (event,) = play(state, "Ada: give baker to Basil")

    assert ("love-rose", "wild baker miller") == (hand(state, "Ada"), hand(state, "Basil"))
    assert ("CC-TRAV-2", {1, 2}, "Ada gives a card to Basil.") == (event.rule, set(event.audience), event.hint)


def test_a_town_never_gives_its_last_card():
    """CC-TRAV-6, CC-AMB-5: with 1 card it may still ask, and exchange it in the woods."""
    state = travel(acted=2)

    assert ["ask Ada", "ask Basil", "woods smith"] == texts(state)
    assert "CC-TRAV-6" == refused(state, "give smith to Ada")
    assert {"CC-TRAV-4", "CC-AMB-5"} <= set(rules(play(state, "Cleo: woods smith")))


def test_an_asked_town_hands_over_a_card_of_its_choice():
    """CC-TRAV-3, CC-AMB-22: any card, the worst too; the two towns see it."""
    state = travel()
    play(state, "Ada: ask Basil")

    assert (["hand wild", "hand miller"], "Basil") == (texts(state), actor(state))
    assert "CC-TRAV-3" == refused(state, "hand baker")
    assert "CC-TRAV-3" == refused(state, "give wild to Ada")

    event, free = play(state, "Basil: hand miller")

    assert ("love-rose baker miller", "wild", "Basil") == (hand(state, "Ada"), hand(state, "Basil"), actor(state))
    assert ("CC-TRAV-3", {1, 2}) == (event.rule, set(event.audience))
    assert ("CC-AMB-22", "Basil could choose any of its 2 cards.") == (free.rule, free.text)


def test_a_town_with_one_card_hands_over_nothing():
    """CC-AMB-4: it may be asked, and nothing moves."""
    state = travel()

    assert ["CC-TRAV-3", "CC-AMB-4"] == rules(play(state, "Ada: ask Cleo"))
    assert ("Basil", "smith") == (actor(state), hand(state, "Cleo"))


def test_the_woods_exchange_is_seen_by_its_town_alone():
    """CC-TRAV-4, CC-TRAV-5."""
    state = travel()
    (event,) = play(state, "Ada: woods baker")

    assert ("love-rose gravedigger", NUMBER["baker"]) == (hand(state, "Ada"), state.woods)
    assert {1} == set(event.audience)


def test_a_town_without_cards_can_only_ask():
    """CC-AMB-6."""
    state = travel(no_deck("Hester: | Ada: | Basil: miller wild | Cleo: smith"))

    assert ["ask Basil", "ask Cleo"] == texts(state)


def test_a_town_without_cards_is_not_asked():
    """CC-AMB-24."""
    state = travel(no_deck("Hester: | Ada: smith | Basil: | Cleo: miller"))

    assert ["ask Cleo", "woods smith"] == texts(state)
    assert "CC-AMB-24" == refused(state, "ask Basil")

    play(state, "Ada: woods smith")

    assert "CC-AMB-6" in rules(play(state, "Basil: ask Ada"))


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("give miller to Basil", "CC-TRAV-2"),
        ("give baker to Ada", "CC-TRAV-2"),
        ("give baker to Hester", "CC-TRAV-2"),
        ("ask Ada", "CC-TRAV-3"),
        ("ask Hester", "CC-TRAV-3"),
        ("woods miller", "CC-TRAV-4"),
        ("hand baker", "CC-TRAV-1"),
        ("pick Basil", "CC-TRAV-1"),
        ("hat Basil", "CC-TRAV-1"),
    ],
)
def test_what_a_town_may_not_do_in_travel(line, rule):
    """CC-TRAV-1 to CC-TRAV-4: one action, with an own card, with another town."""
    assert rule == refused(travel(), line)


def test_a_refusal_tells_nothing_about_other_hands():
    """The same words whoever has the card: miller lies with Basil, parson in the deck."""
    state = travel()
    why = [str(state.why_not(game.read(f"woods {card}", state)[0])) for card in ("miller", "parson", "gravedigger")]

    assert 1 == len(
        {
            text.replace(BOX.names[NUMBER[card]], "")
            for text, card in zip(why, ("miller", "parson", "gravedigger"), strict=True)
        }
    )


def test_on_a_forked_path_the_hat_acts_twice():
    """CC-CHARM-3 beats CC-TRAV-1: one after the other, each a line of its own."""
    state = travel(cast="forked-path")

    with pytest.raises(TooFar, match='"woods love-rose" goes too far: the line ends before it, and then Ada is to act'):
        play_line(game, state, "woods baker, woods love-rose")

    play(state, "Ada: ask Basil", "Basil: hand wild", "Ada: give wild to Cleo", "Basil: woods miller")

    assert ("Cleo", "wild smith") == (actor(state), hand(state, "Cleo"))

    play(state, "Cleo: ask Basil")

    assert "hunt" == phase(state)


def test_a_wild_chase_goes_round_twice_with_one_action_each_time():
    """CC-CURSE-3 beats CC-TRAV-1."""
    state = travel(cast="wild-chase", hat="Basil")
    events = play(state, "Basil: ask Cleo", "Cleo: ask Ada", "Ada: hand baker", "Ada: ask Cleo", "Cleo: hand smith")

    assert ("Basil", "2") == (actor(state), str(state.position()["lap"]))
    assert "CC-CURSE-3" in rules(events)

    play(state, "Basil: woods wild", "Cleo: ask Basil", "Basil: hand miller", "Ada: ask Basil")

    assert ("hunt", 3) == (phase(state), state.picks_allowed())


# Hunt


def hunt(text="Hester: | Ada: love-rose baker | Basil: miller wild | Cleo: smith fake", *draws, **record):
    return table(text, *draws, **{"phase": "hunt"} | record)


def test_the_hunter_makes_two_picks_by_chance():
    """CC-HUNT-1, CC-HUNT-2, CC-HUNT-3: from one town twice, too; then the next Census (CC-HUNT-13)."""
    state = hunt(
        "Hester: | Ada: love-rose baker | Basil: miller wild | Cleo: smith fake parson", "pick smith", "pick parson"
    )

    assert ["pick Ada", "pick Basil", "pick Cleo"] == texts(state)

    events = play(state, "Hester: pick Cleo, pass to Ada", "Hester: pick Cleo, pass to Ada")

    assert ("love-rose baker smith parson", "fake", 2) == (hand(state, "Ada"), hand(state, "Cleo"), state.round)
    assert {"CC-HUNT-3", "CC-HUNT-13"} <= set(rules(events))


def test_a_townsfolk_card_is_passed_to_another_town():
    """CC-HUNT-4, CC-AMB-9."""
    state = hunt("Hester: | Ada: love-rose baker | Basil: miller | Cleo: smith", "pick baker")
    play(state, "Hester: pick Ada")

    assert ["pass to Basil", "pass to Cleo"] == texts(state)
    assert "CC-AMB-9" == refused(state, "pass to Ada")
    assert "CC-HUNT-4" == refused(state, "pass to Hester")
    assert "CC-HUNT-4" == refused(state, "pick Basil")

    play(state, "Hester: pass to Cleo")

    assert ("love-rose", "baker smith") == (hand(state, "Ada"), hand(state, "Cleo"))
    assert "CC-HUNT-1" == refused(state, "pass to Cleo")


def test_with_two_towns_the_card_is_passed_on_by_itself():
    """CC-HUNT-4: there is one other town."""
    state = hunt("Hester: | Ada: love-rose baker | Basil: miller", "pick baker")
    events = play(state, "Hester: pick Ada")

    assert ("baker miller", ["pick Ada", "pick Basil"]) == (hand(state, "Basil"), texts(state))
    assert "CC-HUNT-4" in rules(events)


def test_a_captured_witch_lies_in_front_and_her_town_lays_its_hand_under_the_deck():
    """CC-HUNT-5, CC-AMB-10: in the town's order, the first laid nearest the top; the last goes by itself."""
    state = hunt("Hester: | Ada: love-rose baker wild parson | Basil: miller | Cleo: smith", "pick love-rose")
    events = play(state, "Hester: pick Ada")

    assert ("love-rose", "Ada") == (front(state), actor(state))
    assert ["under wild", "under baker", "under parson"] == texts(state)
    assert "CC-AMB-10" == refused(state, "under love-rose")
    assert "CC-HUNT-5" == refused(state, "give baker to Basil")

    with pytest.raises(TooFar, match='"under baker" goes too far: the line ends before it, and then Hester is to act'):
        play_line(game, state, "under parson, under wild, under baker")

    events += play(state, "Ada: under parson, under wild")

    assert "parson wild baker" == under(state)
    assert [{1}, {1}, {1}] == [set(event.audience) for event in events if event.rule == "CC-AMB-10"]


def test_the_wild_witch_is_captured_like_any_other():
    """CC-HUNT-15."""
    state = hunt("Hester: | Ada: wild | Basil: miller | Cleo: smith", "pick wild")

    assert {"CC-HUNT-5", "CC-HUNT-15"} <= set(rules(play(state, "Hester: pick Ada")))
    assert ("wild", "", "Hester") == (front(state), under(state), actor(state))


def test_the_fifth_witch_wins_at_once():
    """CC-WIN-3, CC-HUNT-6, CC-AMB-17: no hand goes under the deck any more, and no second pick is made."""
    four = "love-mabel love-viola crystal-opal crystal-beryl"
    for fifth in ("wild", "nature-fern"):
        state = hunt(f"Hester: {four} | Ada: {fifth} baker | Basil: miller | Cleo: smith", f"pick {fifth}")
        events = play(state, "Hester: pick Ada")

        assert ("over", "baker", "") == (phase(state), hand(state, "Ada"), under(state))
        assert ("Hester",) == state.result().winners
        assert ("CC-WIN-3", "CC-HUNT-6") == state.result().rules
        assert {"CC-AMB-17", "CC-HUNT-6", "CC-WIN-3"} <= set(rules(events))
        assert "CC-WIN-3" == refused(state, "pick Basil")


def test_the_fake_witch_counts_as_one_of_the_five_afterwards():
    """CC-HUNT-11, CC-HUNT-9."""
    front_ = "fake love-viola crystal-opal crystal-beryl"
    state = hunt(f"Hester: {front_} | Ada: wild baker | Basil: miller | Cleo: smith", "pick wild")

    assert "CC-HUNT-11" in rules(play(state, "Hester: pick Ada"))
    assert ("Hester",) == state.result().winners


@pytest.mark.parametrize("others", ["love-mabel love-viola crystal-opal", "love-viola nature-ivy crystal-opal wild"])
def test_for_the_fake_witch_all_others_escape(others):
    """CC-HUNT-8, CC-AMB-11, CC-AMB-25, CC-HUNT-10: as the fourth and as the fifth in front. First the town's hand goes
    under the deck, then the others in the order of their capture; she stays alone and nobody wins."""
    state = hunt(f"Hester: {others} | Ada: fake baker parson | Basil: miller | Cleo: smith", "pick fake")
    events = play(state, "Hester: pick Ada")

    assert (f"{others} fake", "Ada") == (front(state), actor(state))
    assert state.key() == game.load(FACTS, state.position()).key()

    events += play(state, "Ada: under parson")

    assert ("fake", f"parson baker {others}") == (front(state), under(state))
    assert {"CC-HUNT-8", "CC-HUNT-9", "CC-AMB-11", "CC-AMB-25"} <= set(rules(events))
    assert (len(others.split()) == 4) == ("CC-HUNT-10" in rules(events))
    assert ("Hester", ["shuffle", "leave"]) == (actor(state), texts(state))


def test_the_fake_witch_alone_frees_nobody():
    """CC-HUNT-8: nobody else was captured."""
    state = hunt("Hester: | Ada: fake | Basil: miller | Cleo: smith", "pick fake")
    events = play(state, "Hester: pick Ada")

    assert ("fake", "") == (front(state), under(state))
    assert "CC-HUNT-8" not in rules(events)


def test_the_hunter_is_asked_after_an_escape_too():
    """CC-AMB-26: the town had no other card, but the captives lie under the deck now."""
    state = hunt("Hester: wild love-rose | Ada: fake | Basil: miller | Cleo: smith", "pick fake")
    play(state, "Hester: pick Ada")

    assert ("wild love-rose", ["shuffle", "leave"]) == (under(state), texts(state))


def test_a_ritual_stays_in_front_and_the_town_keeps_its_hand():
    """CC-HUNT-7, CC-HUNT-14."""
    state = hunt("Hester: | Ada: ritual-bell baker | Basil: miller | Cleo: smith", "pick ritual-bell")
    events = play(state, "Hester: pick Ada")

    assert ("ritual-bell", "baker") == (front(state), hand(state, "Ada"))
    assert {"CC-HUNT-7", "CC-HUNT-14"} <= set(rules(events))
    assert ["pick Ada", "pick Basil", "pick Cleo"] == texts(state)


def test_the_second_ritual_wins_for_the_towns_at_once():
    """CC-WIN-2, CC-HUNT-7, CC-AMB-17: on the first pick already."""
    state = hunt(
        "Hester: love-rose; ritual-bell | Ada: ritual-candles baker | Basil: miller | Cleo: smith",
        "pick ritual-candles",
    )
    events = play(state, "Hester: pick Ada")

    assert ("Ada", "Basil", "Cleo") == state.result().winners
    assert ("CC-WIN-2", "CC-HUNT-7") == state.result().rules
    assert {"CC-AMB-17", "CC-WIN-2"} <= set(rules(events))
    assert "CC-WIN-2" == refused(state, "pick Ada")


def test_a_town_without_cards_is_not_picked():
    """CC-AMB-8, CC-HUNT-2: nor is the Hunter."""
    state = hunt("Hester: | Ada: | Basil: miller | Cleo: smith")

    assert ["pick Basil", "pick Cleo"] == texts(state)
    assert "CC-AMB-8" == refused(state, "pick Ada")
    assert "CC-HUNT-2" == refused(state, "pick Hester")
    assert "CC-HUNT-1" == refused(state, "under miller")


def test_picks_that_cannot_be_made_are_skipped():
    """CC-AMB-8, CC-AMB-29: the only card in hand is a witch, so the second pick finds none."""
    state = hunt(
        "Hester: | Ada: love-rose | Basil: | Cleo: ", *("pick love-rose", "Ada baker", "Basil miller", "Cleo smith")
    )
    events = play(state, "Hester: pick Ada")

    assert {"CC-AMB-8", "CC-AMB-29", "CC-HUNT-13"} <= set(rules(events))
    assert 2 == state.round


def test_nobody_wins_after_the_last_round():
    """CC-AMB-30: only when the round is over, and a win in it still counts."""
    options = {"rounds": 3}
    for round_, over in ((2, False), (3, True)):
        state = hunt(
            "Hester: | Ada: baker | Basil: miller | Cleo: smith",
            *("pick baker", "Ada cooper"),
            picks=1,
            first="Ada",
            round=round_,
            options=options,
        )
        play(state, "Hester: pick Ada", "Hester: pass to Basil")

        assert over == (phase(state) == "over")

    assert ((), ("CC-AMB-30",)) == (state.result().winners, state.result().rules)
    assert "CC-AMB-30" == refused(state, "hat Ada")


def test_in_a_looking_glass_the_second_pick_falls_on_another_town():
    """CC-CHARM-2 beats CC-HUNT-3."""
    state = hunt(
        "Hester: | Ada: love-rose crystal-opal baker | Basil: miller | Cleo: smith", "pick baker", cast="looking-glass"
    )
    play(state, "Hester: pick Ada, pass to Cleo")

    assert ["pick Basil", "pick Cleo"] == texts(state)
    assert "CC-CHARM-2" == refused(state, "pick Ada")


def test_in_a_looking_glass_a_second_pick_may_have_to_be_skipped():
    """CC-CHARM-2: no other town has cards; a town has some, so it is not CC-AMB-8."""
    state = hunt(
        "Hester: | Ada: ritual-bell love-rose | Basil: | Cleo: ",
        *("pick ritual-bell", "Basil baker", "Cleo smith"),
        cast="looking-glass",
    )
    events = play(state, "Hester: pick Ada")

    assert "No other town than the first has cards, so the second pick is skipped." in [each.text for each in events]
    assert not {"CC-AMB-8", "CC-AMB-29"} & set(rules(events))
    assert ("census", 2) == (phase(state), state.round)


def test_a_nightmare_has_one_pick_and_empties_the_town_for_any_card():
    """CC-CURSE-1 beats CC-HUNT-1, CC-HUNT-4 and CC-HUNT-14."""
    for card in ("baker", "ritual-bell", "love-rose"):
        state = hunt(
            f"Hester: | Ada: {card} parson teacher | Basil: miller | Cleo: smith", f"pick {card}", cast="nightmare"
        )
        play(state, "Hester: pick Ada")
        if card == "baker":
            play(state, "Hester: pass to Cleo")

            assert "baker smith" == hand(state, "Cleo")
        play(state, "Ada: under teacher")

        assert ("", "teacher parson") == (hand(state, "Ada"), under(state))
        assert ["shuffle", "leave"] == texts(state)

        state.chance = Seeded(1)
        play(state, "Hester: leave", "Hester: leave")

        assert ("census", 2) == (phase(state), state.round)


def test_in_a_nightmare_a_second_ritual_wins_before_the_hand_goes():
    """CC-AMB-29."""
    state = hunt(
        "Hester: ; ritual-bell | Ada: ritual-candles baker | Basil: miller | Cleo: smith",
        "pick ritual-candles",
        cast="nightmare",
    )
    events = play(state, "Hester: pick Ada")

    assert ("baker", "") == (hand(state, "Ada"), under(state))
    assert "CC-AMB-29" in rules(events)
    assert "CC-WIN-2" == state.result().rules[0]


@pytest.mark.parametrize("witch", ["love-rose", "wild", "fake"])
def test_a_broken_mirror_saves_witches(witch):
    """CC-CURSE-2 beats CC-HUNT-5 and CC-HUNT-8: she goes under the deck after the hand, and nobody escapes."""
    four = "love-mabel love-viola crystal-agatha nature-ivy"
    state = hunt(
        f"Hester: {four} | Ada: {witch} parson teacher | Basil: miller | Cleo: smith",
        f"pick {witch}",
        cast="broken-mirror",
    )
    play(state, "Hester: pick Ada", "Ada: under teacher")

    assert (four, f"teacher parson {witch}") == (front(state), under(state))

    state = hunt(f"Hester: {four} | Ada: {witch} | Basil: miller | Cleo: smith", f"pick {witch}", cast="broken-mirror")
    play(state, "Hester: pick Ada")

    assert (four, witch) == (front(state), under(state))


def test_a_broken_mirror_changes_nothing_for_rituals_and_townsfolk():
    """CC-CURSE-2: it is about witches."""
    state = hunt(
        "Hester: | Ada: ritual-bell baker parson | Basil: miller | Cleo: smith",
        *("pick ritual-bell", "pick baker"),
        cast="broken-mirror",
    )
    play(state, "Hester: pick Ada", "Hester: pick Ada")

    assert ("ritual-bell", ["pass to Basil", "pass to Cleo"]) == (front(state), texts(state))


def test_a_wild_chase_has_three_picks():
    """CC-CURSE-3 beats CC-HUNT-1, and that all of them may be of one town is in it too, not in CC-HUNT-3."""
    state = hunt(
        "Hester: | Ada: baker miller smith parson | Basil: cooper | Cleo: teacher",
        *("pick baker", "pick miller", "pick smith"),
        cast="wild-chase",
    )
    events = []
    for _ in range(3):
        assert "hunt" == phase(state)
        events += play(state, "Hester: pick Ada", "Hester: pass to Basil")

    assert ["Ada may be picked from again."] * 2 == [each.text for each in events if each.rule == "CC-CURSE-3"]
    assert "CC-HUNT-3" not in rules(events)
    assert ("census", "baker miller smith cooper") == (phase(state), hand(state, "Basil"))


@pytest.mark.parametrize(
    ("line", "rule"), [("pick Ada", "CC-ROUND-1"), ("woods baker", "CC-ROUND-1"), ("shuffle", "CC-AMB-26")]
)
def test_in_a_census_nothing_else_is_done(line, rule):
    """CC-ROUND-1: the phases have their order."""
    assert rule == refused(table("Hester: | Ada: baker | Basil: miller | Cleo: smith"), line)


# Who knows what


def after_arrival(*lines):
    """All have shown their hands, Ada has got the cooper, Basil the parson, Cleo the teacher."""
    state = table(
        "Hester: | Ada: love-rose baker | Basil: miller wild | Cleo: smith",
        *("Ada cooper", "Basil parson", "Cleo teacher"),
    )
    play(state, "Ada: hat Ada", *lines)
    return state


def known_hands(state, name):
    has = known(state, name)
    return [has[other] for other in NAMES[1:4]]


def test_what_was_shown_and_what_arrived():
    """CC-AMB-18, CC-ARR-3: the Hunter knows every new card, a town only its own."""
    state = after_arrival()

    assert ["love-rose baker cooper", "wild miller parson", "smith teacher"] == known_hands(state, "Hester")
    assert ["love-rose baker cooper", "wild miller", "smith"] == known_hands(state, "Ada")
    assert ["love-rose baker", "wild miller", "smith teacher"] == known_hands(state, "Cleo")
    assert {"?"} == {known(state, name)["woods"] for name in NAMES[:4]}


def test_what_is_known_after_a_gift():
    """CC-TRAV-5: for those who do not see it, it may have been any card of the giver; the receiver loses nothing."""
    state = after_arrival("Ada: give baker to Basil")

    assert ["", "wild miller parson", "smith teacher"] == known_hands(state, "Hester")
    assert ["love-rose cooper", "wild baker miller", "smith"] == known_hands(state, "Ada")
    assert ["love-rose", "wild baker miller parson", "smith"] == known_hands(state, "Basil")
    assert ["", "wild miller", "smith teacher"] == known_hands(state, "Cleo")


def test_what_is_known_after_an_answer():
    """CC-TRAV-3, CC-TRAV-5: Basil hands the parson to Ada."""
    state = after_arrival("Ada: ask Basil", "Basil: hand parson")

    assert ["love-rose baker cooper", "", "smith teacher"] == known_hands(state, "Hester")
    assert ["love-rose baker parson cooper", "wild miller", "smith"] == known_hands(state, "Ada")
    assert ["love-rose baker parson", "wild miller", "smith"] == known_hands(state, "Basil")
    assert ["love-rose baker", "", "smith teacher"] == known_hands(state, "Cleo")


def test_asking_a_town_with_one_card_moves_nothing_and_all_know():
    """CC-AMB-4: nothing becomes uncertain."""
    state = travel(history=["shown Ada love-rose baker", "shown Basil miller wild", "shown Cleo smith"])
    play(state, "Ada: ask Cleo")

    assert ["love-rose baker", "wild miller", "smith"] == known_hands(state, "Hester")
    assert Deed.ASKED is state.view(0).log[-1][0]


def test_what_is_known_of_the_woods():
    """CC-SETUP-4, CC-TRAV-4: the Hunter knows the first card; who swaps knows both; of a single card all know where it
    went."""
    history = ["hidden gravedigger", "shown Ada love-rose baker", "shown Basil miller wild", "shown Cleo smith"]
    state = travel(history=history, hat="Cleo")

    assert ["gravedigger", "?", "?", "?"] == [known(state, name)["woods"] for name in NAMES[:4]]

    play(state, "Cleo: woods smith")

    assert ["smith"] * 4 == [known(state, name)["woods"] for name in NAMES[:4]]
    assert ["gravedigger", "", "", "gravedigger"] == [known(state, name)["Cleo"] for name in NAMES[:4]]

    play(state, "Ada: woods baker")

    assert ["?", "baker", "?", "?"] == [known(state, name)["woods"] for name in NAMES[:4]]
    assert ["smith", "love-rose smith", "smith", "smith"] == [known(state, name)["Ada"] for name in NAMES[:4]]


def test_what_is_known_after_a_discard():
    """CC-AMB-10, CC-AMB-18: the town knows the order; a single card that lay open before is known to all."""
    shown = ["shown Ada love-rose baker parson", "shown Basil wild", "shown Cleo nature-ivy smith"]
    state = hunt(
        "Hester: | Ada: love-rose baker parson | Basil: wild | Cleo: nature-ivy smith",
        *("pick love-rose", "pick nature-ivy"),
        history=shown,
    )
    play(state, "Hester: pick Ada", "Ada: under parson")

    assert ["? ?", "parson baker", "? ?", "? ?"] == [known(state, name)["under"] for name in NAMES[:4]]

    play(state, "Hester: leave", "Hester: pick Cleo")

    assert ["? ? smith", "parson baker smith"] == [known(state, name)["under"] for name in NAMES[:2]]


def test_nobody_knows_anything_of_a_shuffled_deck():
    """CC-SETUP-7: what lay under it may come at any time."""
    state = hunt("Hester: | Ada: love-rose baker parson | Basil: wild | Cleo: smith", "pick love-rose")
    play(state, "Hester: pick Ada", "Ada: under parson", "Hester: shuffle")

    assert [""] * 4 == [known(state, name)["under"] for name in NAMES[:4]]
    assert 0 == state.view(1).under


def test_who_laid_a_card_under_the_deck_knows_who_draws_it():
    """CC-AMB-26: the cards under the deck come in their order, if nobody shuffles."""
    history = ["laid-under Basil parson", "laid-under Basil smith"]
    state = table(full("parson", "smith"), under=["parson", "smith"], history=history, hat="Cleo")
    play(state, "Cleo: hat Cleo", "Hester: leave")
    tells = {name: "parson" in known(state, name)["Ada"].split() for name in NAMES[:4]}

    assert {"Hester": True, "Ada": True, "Basil": True, "Cleo": False} == tells


def test_everybody_has_seen_who_escapes():
    """CC-AMB-25: the captives lay open, so their order under the deck is known; the town's cards are not."""
    state = hunt(
        "Hester: love-mabel love-viola | Ada: fake baker parson | Basil: miller | Cleo: smith",
        "pick fake",
    )
    play(state, "Hester: pick Ada", "Ada: under parson")

    assert "? ? love-mabel love-viola" == known(state, "Cleo")["under"]
    assert "parson baker love-mabel love-viola" == known(state, "Ada")["under"]


def test_in_an_arrival_of_choice_the_hunter_alone_sees_the_tray():
    """CC-ARR-2, CC-ARR-3: each town sees its own card."""
    state = table(
        "Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith", "tray wild fake cooper", hat="Cleo"
    )
    play(state, "Cleo: hat Cleo", "Hester: deal cooper")

    assert (NUMBER["wild"], NUMBER["fake"]) == state.view(0).tray
    assert (UNSEEN, UNSEEN) == state.view(1).tray
    assert ["love-rose cooper", "love-rose"] == [known(state, name)["Ada"] for name in ("Ada", "Basil")]


def test_picks_lie_open():
    """CC-HUNT-2, CC-AMB-9: a townsfolk card passed on is known; the rest of the hand is as uncertain as before."""
    state = after_arrival("Ada: give baker to Basil", "Basil: woods miller", "Cleo: ask Ada", "Ada: hand cooper")
    state.chance = Scripted([("pick", "smith")])
    play(state, "Hester: pick Cleo, pass to Ada")

    assert ["smith", "", "teacher"] == known_hands(state, "Hester")
    assert ["smith", "wild baker parson gravedigger", ""] == known_hands(state, "Basil")


def test_a_census_makes_every_hand_certain():
    """CC-CENSUS-2."""
    state = after_arrival("Ada: give baker to Basil", "Basil: woods miller", "Cleo: woods teacher")
    state.chance = Scripted([("pick", "smith"), ("pick", "parson")])
    play(state, "Hester: pick Cleo, pass to Ada", "Hester: pick Basil, pass to Ada")

    for name in NAMES[:4]:
        assert [hand(state, other) for other in NAMES[1:4]] == known_hands(state, name)


def test_a_log_hides_the_cards_that_its_seat_did_not_see():
    """CC-TRAV-5: the entry is there, the card is UNSEEN; who saw it is told."""
    state = after_arrival("Ada: give baker to Basil")
    (last,) = {state.view(seat).log[-1] for seat in (1, 2)}
    (hidden,) = {state.view(seat).log[-1] for seat in (0, 3)}

    assert (Deed.GAVE, 1, 2, (NUMBER["baker"],)) == last
    assert (Deed.GAVE, 1, 2, (UNSEEN,)) == hidden


def test_a_log_grows_with_the_game_and_belongs_to_one_state():
    """A clone that goes on does not tell the original anything."""
    state = after_arrival()
    before = state.view(3)
    copy = state.clone()
    play(copy, "Ada: give baker to Basil")

    assert before == state.view(3)
    assert len(before.log) + 1 == len(copy.view(3).log)


# What a seat is shown


def test_a_position_as_a_seat_knows_it():
    """Known cards first, then a question mark for each other one; of the deck only the number."""
    state = after_arrival("Ada: give baker to Basil")
    seen = game.seen(state, 3)

    assert ["?", "?"] == seen["seats"]["Ada"]["hand"]
    assert ["wild", "miller", "?", "?"] == seen["seats"]["Basil"]["hand"]
    assert ["smith", "teacher"] == seen["seats"]["Cleo"]["hand"]
    assert ("?", [], len(state.pool)) == (seen["woods"], seen["under"], seen["deck"])
    assert "history" not in seen
    assert ["love-rose", "?"] == game.seen(state, 2)["seats"]["Ada"]["hand"]
    assert ["wild", "miller", "parson", "?"] == game.seen(state, 0)["seats"]["Basil"]["hand"]


def test_a_position_as_a_seat_knows_it_hides_tray_and_discards():
    """CC-ARR-2, CC-AMB-10."""
    tray = table(
        "Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith",
        phase="arrival",
        tray=["wild", "fake"],
        served=["Ada"],
    )

    assert [["wild", "fake"], ["?", "?"]] == [game.seen(tray, seat)["tray"] for seat in (0, 2)]

    under = hunt("Hester: | Ada: love-rose baker parson | Basil: wild | Cleo: smith", "pick love-rose")
    play(under, "Hester: pick Ada", "Ada: under parson")

    assert [["parson", "baker"], ["?", "?"]] == [game.seen(under, seat)["under"] for seat in (1, 0)]


@pytest.mark.slow("plays many games, and imagines others")
def test_what_a_seat_is_shown_does_not_depend_on_what_is_hidden_from_it():
    """In every state of random games, a world that the seat cannot tell apart is shown to it alike."""
    for state, seat, other in every_other_world():
        assert game.seen(state, seat) == game.seen(other, seat)


# Worlds that a seat cannot tell apart


def every_other_world(seats=(3, 4, 6), seeds=3):
    """Every state of some random games, with every seat and a world that it imagines."""
    for count in seats:
        for seed in range(seeds):
            setting = battery.Setting(game.__name__, FACTS, count, seed)
            for number, state in enumerate(battery.every_state(setting)):
                for seat in range(count):
                    yield state, seat, state.imagine(seat, Seeded(f"{seed} {number} {seat}"))


@pytest.mark.slow("plays many games, and imagines others")
def test_imagined_worlds_differ_in_every_kind_of_hidden_thing():
    """Hands in Arrival, Travel and Hunt, the woods, the cards under the deck, the deck, the tray, the past."""
    differ = Counter()
    for state, seat, other in every_other_world():
        for what in ("woods", "under", "pool", "tray", "history"):
            differ[what] += getattr(state, what) != getattr(other, what)
        differ[phase(state)] += state.hands != other.hands
        assert state.hands[seat] == other.hands[seat]
        assert len(set(other.position()["deck"])) == len(state.pool)

    assert [] == [what for what in ("woods", "under", "pool", "tray", "history") if differ[what] < 10]
    assert [] == [what for what in ("arrival", "travel", "hunt") if differ[what] < 10]


def test_imagined_worlds_are_possible():
    """The record of an imagined world loads, and its history fits its table, so all cards are there once."""
    for number, (_, _, other) in enumerate(every_other_world(seeds=1)):
        if number % 7 == 0:
            assert other.key() == game.load(FACTS, json.loads(json.dumps(other.position()))).key()
            assert {1} == set(other.pieces().values())


def test_known_cards_lie_where_they_are_known_to_lie():
    """In every world that a seat imagines, and in the true one."""
    for state, seat, other in every_other_world(seeds=1):
        has = state.view(seat).known
        for world in (state, other):
            assert all(set(cards) <= set(world.hands[town]) for town, cards in enumerate(has.hands))
            assert has.woods in (UNSEEN, world.woods)
            assert all(card in (UNSEEN, there) for card, there in zip(has.under, world.under, strict=True))


def test_what_might_have_been_given():
    """Cleo sees Ada give Basil a card: any of the two that Ada has shown, or the one that came, which may be any card
    that Cleo has never seen."""
    state = after_arrival("Ada: give baker to Basil")
    given = Counter()
    for seed in range(300):
        other = state.imagine(3, Seeded(seed))
        ada, basil = set(hand(other, "Ada").split()), set(hand(other, "Basil").split())

        assert {"wild", "miller"} <= basil
        assert {"love-rose", "baker"} <= ada | basil

        given[" ".join(sorted(basil & {"love-rose", "baker"}))] += 1

    assert {"", "baker", "love-rose"} == set(given)
    assert min(given.values()) > 60


def test_what_follows_from_what_is_shown_later():
    """Ada exchanged a card unseen; when she shows her hand without the baker, it must lie in the woods."""
    state = after_arrival(
        "Ada: woods baker", "Basil: ask Cleo", "Cleo: hand teacher", "Cleo: ask Ada", "Ada: hand cooper"
    )
    state.chance = Scripted([("pick", "parson"), ("pick", "miller")])
    woods = {state.imagine(2, Seeded(seed)).woods for seed in range(100)}

    assert {NUMBER["baker"], NUMBER["love-rose"]} < woods

    play(state, "Hester: pick Basil, pass to Ada", "Hester: pick Basil, pass to Ada")

    assert "census" == phase(state)
    assert {NUMBER["baker"]} == {state.imagine(2, Seeded(seed)).woods for seed in range(50)}


def test_without_a_history_whatever_is_not_seen_may_be_anything():
    """A position in Travel: a seat knows its own hand and nothing else."""
    state = travel()
    worlds = [state.imagine(1, Seeded(seed)) for seed in range(60)]

    assert {"love-rose baker"} == {hand(world, "Ada") for world in worlds}
    assert 25 < len({hand(world, "Basil") for world in worlds})
    assert 10 < len({world.woods for world in worlds})


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize(
    "state",
    [
        travel(history=[]),
        hunt("Hester: wild; ritual-bell | Ada: love-rose baker | Basil: miller | Cleo: smith", history=[]),
        hunt(
            "Hester: | Ada: love-rose baker | Basil: miller | Cleo: smith",
            picks=1,
            taken={"card": "cooper", "from": "Ada"},
            history=[],
        ),
        table(
            "Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith",
            phase="arrival",
            tray=["wild", "fake", "cooper"],
            history=[],
        ),
    ],
)
def test_with_an_empty_history_a_seat_still_sees_what_it_sees(state, seat):
    """Its own hand, what lies in front of the Hunter, the card shown, and the Hunter its tray."""
    for seed in range(20):
        other = state.imagine(seat, Seeded(seed))

        assert state.view(seat) == other.view(seat)
        assert {1} == set(other.pieces().values())
    assert state.view(seat).hand == state.view(seat).known.hands[seat] == tuple(state.hands[seat])


def test_states_with_one_table_and_two_histories_are_not_equal():
    """What a seat has seen is a part of the state."""
    once = travel()
    twice = travel(history=["shown Ada love-rose baker"])

    assert once.hands == twice.hands
    assert once.key() != twice.key()


def test_discards_may_lie_in_any_order():
    """CC-AMB-10: two cards that lay open went under the deck unseen."""
    shown = ["shown Ada love-rose baker parson", "shown Basil wild", "shown Cleo smith"]
    state = hunt("Hester: | Ada: love-rose baker parson | Basil: wild | Cleo: smith", "pick love-rose", history=shown)
    play(state, "Hester: pick Ada", "Ada: under parson")

    assert {"parson baker", "baker parson"} == {under(state.imagine(0, Seeded(seed))) for seed in range(40)}
    assert {"parson baker"} == {under(state.imagine(1, Seeded(seed))) for seed in range(40)}


# Faults in what is seen


def spoiled(field):
    """A view with one field that tells a card in the woods, and whether Ada has it in hand."""
    view = game.State.view

    def spoil(state, seat):
        good = view(state, seat)
        return good._replace(**{field: (getattr(good, field), state.woods, tuple(state.hands[1]))})

    return spoil


@pytest.mark.parametrize("field", game.View._fields)
def test_a_field_that_tells_a_secret_is_caught(field, monkeypatch):
    """The check of non-interference fails, whichever field of a view it is."""
    monkeypatch.setattr(game.State, "view", spoiled(field))
    with pytest.raises(AssertionError):
        battery.views_hide_what_is_hidden(battery.Setting(game.__name__, FACTS, 4, 1))


def shows(change):
    view = game.State.view
    return lambda state, seat: view(state, seat)._replace(**change(state, seat, view(state, seat)))


LEAKS = {
    "the true history": lambda state, seat, view: {"log": tuple(state.history)},
    "the tray": lambda state, seat, view: {"tray": tuple(state.tray)},
    "the woods": lambda state, seat, view: {"known": view.known._replace(woods=state.woods)},
    "all hands": lambda state, seat, view: {"known": view.known._replace(hands=tuple(map(tuple, state.hands)))},
    "the next hand": lambda state, seat, view: {"hand": tuple(state.hands[(seat + 1) % len(state.hands)])},
    "what lies under the deck": lambda state, seat, view: {"known": view.known._replace(under=tuple(state.under))},
    "what could be cast": lambda state, seat, view: {"castable": tuple(state.castable())},
    "the deck": lambda state, seat, view: {"deck": tuple(sorted(state.pool))},
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_caught(leak, monkeypatch):
    """The check of non-interference fails."""
    monkeypatch.setattr(game.State, "view", shows(LEAKS[leak]))
    with pytest.raises(AssertionError):
        for seed in range(4):
            battery.views_hide_what_is_hidden(battery.Setting(game.__name__, FACTS, 4, seed))


@pytest.mark.parametrize("deed", [deed for deed in Deed if deed.has_cards])
def test_a_history_that_shows_a_kind_of_card_to_all_is_caught(deed, monkeypatch):
    """The check of non-interference fails, if the cards are not open to all anyway."""
    view = game.State.view

    def leaky(state, seat):
        good = view(state, seat)
        log = [true if true[0] is deed else told for told, true in zip(good.log, state.history, strict=True)]
        return good._replace(log=tuple(log))

    monkeypatch.setattr(game.State, "view", leaky)
    settings = [battery.Setting(game.__name__, FACTS, 4, seed) for seed in range(3)]
    # What was dealt lies open in the first Census, before anybody acts.
    if deed.word in ("dealt", "held", "shown", "picked", "passed", "caught", "ritual", "escaped", "back-under"):
        battery.views_hide_what_is_hidden(settings[0])
    else:
        with pytest.raises(AssertionError):
            for setting in settings:
                battery.views_hide_what_is_hidden(setting)


# Notation


def test_every_small_move_reads_back():
    """What is written is read as the same move, for every move that names seats at this table."""
    state = table("Hester: | Ada: baker | Basil: miller | Cleo: smith | Dora: wild | Enid: fake")
    moves = game.every_move(FACTS)

    assert len(set(moves)) == len(moves) == 6 + 6 + 2 + 27 + 1 + 27 * 6 + 6 + 27 + 27 + 6 + 6 + 27
    for move in moves:
        assert [move] == game.read(game.write([move], state), state)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("GIVE Mx Baker  to basil", "give baker to Basil"),
        ("give Rose of Love to Cleo", "give love-rose to Cleo"),
        ("woods Rose of love (love)", "woods love-rose"),
        ("cast Looking Glass", "cast looking-glass"),
        ("cast looking-glass , hat ADA", "cast looking-glass, hat Ada"),
        ("Pass To Cleo", "pass to Cleo"),
        ("deal  nothing, deal the straw witch", "deal nothing, deal fake"),
        ('"Yes, give it to Ada",  hat Ada', '"Yes, give it to Ada", hat Ada'),
        ("under gravedigger,under wild", "under gravedigger, under wild"),
    ],
)
def test_case_spaces_and_names_do_not_matter(text, written):
    """Names of cards and spells will do for their ids."""
    state = table("Hester: | Ada: baker | Basil: miller | Cleo: smith")

    assert written == game.write(game.read(text, state), state)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "a move is missing"),
        ("hat Ada,", "a move is missing"),
        ("dance", "is not a move of this game"),
        ("Hello", """words that are said stand in double quotes of their own: '"Hello"'"""),
        ("woods dragon", '"dragon" is no card of this game; a card is written like love-rose or "Rose of love"'),
        ("giv baker to Ada", 'did you mean "give"'),
        ("give baker", "does not say to whom"),
        ("give ? to Ada", "does not say which one"),
        ("give bakr to Ada", 'did you mean "baker"'),
        ("ask Basel", 'did you mean "basil"'),
        ("ask", "a town is missing"),
        ("woods", "a card is missing"),
        ("pass Cleo", "pass to a town"),
        ("cast", "a spell is missing"),
        ("cast lulaby", 'did you mean "lullaby"'),
        ('"hello', "double quote is not closed"),
        ('"hello" there', "double quote"),
        ('""', "the words are missing"),
        ("shuffle well", "is not a move of this game"),
        ("woods rose-tree", "is no card of this game"),
        ("hat Zed", "known here: ada, basil, cleo, hester"),
    ],
)
def test_what_cannot_be_read_is_explained(text, told):
    """Unreadable lines say what would be right."""
    state = table("Hester: | Ada: baker | Basil: miller | Cleo: smith")
    with pytest.raises(Unreadable) as error:
        game.read(text, state)

    assert told in str(error.value)


def test_a_part_of_a_name_may_mean_several_cards():
    """A suit alone is ambiguous."""
    state = table("Hester: | Ada: baker | Basil: miller | Cleo: smith")
    with pytest.raises(Ambiguous, match="love-rose, love-mabel or love-viola"):
        game.read("woods love", state)
    with pytest.raises(Unreadable, match="love-rose"):
        game.read("woods rose", state)


@pytest.mark.parametrize("line", ["Basil: give smith to Ada", ' basil : "Trust me"', "Ada: ask Basil, hat Ada"])
def test_a_line_is_written_without_a_name(line):
    """Who copies a line with its seat is told so, and whose turn it is; the words that are said may have a colon."""
    text = "Hester: | Ada: baker | Basil: miller | Cleo: smith"
    with pytest.raises(Unreadable, match="leave out the name; it is Ada's turn"):
        game.read(line, table(text))
    over = table("Hester: ; ritual-bell ritual-candles | Ada: baker | Basil: miller", phase="over")
    with pytest.raises(Unreadable, match=r"leave out the name$"):
        game.read(line, over)

    assert ["Basil: give it", *game.read("hat Ada", table(text))] == game.read('"Basil: give it", hat Ada', table(text))


@pytest.mark.parametrize(
    ("state", "line", "read"),
    [
        (travel(), "give baker to Basil", {1: "give baker to Basil", 2: "give baker to Basil", 3: "give ? to Basil"}),
        (travel(), "woods baker", {0: "woods ?", 1: "woods baker", 2: "woods ?"}),
        (travel(asked="Basil"), "hand wild", {0: "hand ?", 1: "hand wild", 2: "hand wild", 3: "hand ?"}),
        (travel(acted=2), "give smith to Ada", {1: "give ? to Ada", 3: "give smith to Ada"}),  # refused: the last card
        (travel(), "give baker to Basil, woods love-rose", {2: "give ? to Basil, woods ?"}),  # refused: two actions
        (
            hunt("Hester: wild | Ada: fake baker | Basil: smith", emptying="Ada", picks=1),
            "under baker",
            {0: "under ?", 1: "under baker", 2: "under ?"},
        ),
    ],
)
def test_a_reader_gets_question_marks_for_hidden_cards(state, line, read):
    """Who gives and who gets may read a card; of a refused line nothing has happened, so only its writer may."""
    moves = game.read(line, state)

    assert read == {seat: game.write(moves, state, seat) for seat in read}


def test_a_reader_of_deals_sees_its_own_card():
    """CC-ARR-3: each town reads the card that it gets; nobody reads a line that is too long."""
    state = table(
        "Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith",
        phase="arrival",
        tray=["wild", "fake", "cooper"],
    )
    deals = game.read("deal fake, deal wild", state)

    assert ["deal fake, deal wild", "deal fake, deal ?", "deal ?, deal wild", "deal ?, deal ?"] == [
        game.write(deals, state, seat) for seat in range(4)
    ]

    too_long = game.read("deal fake, deal wild, deal cooper", state)

    assert "deal ?, deal ?, deal ?" == game.write(too_long, state, 1)
    assert "deal ?, deal ?" == game.write(game.read("deal fake, deal fake", state), state, 1)
    assert "deal nothing, deal ?" == game.write(game.read("deal nothing, deal fake", state), state, 2)

    text = no_deck("Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith", "wild", "fake")
    short = table(text, phase="arrival", tray=["wild", "fake"])

    assert "deal ?, deal nothing" == game.write(game.read("deal wild, deal nothing", short), short, 3)
    assert "deal ?, deal nothing, deal ?" == game.write(
        game.read("deal wild, deal nothing, deal fake", short), short, 3
    )
    assert "deal nothing, deal fake" == game.write(game.read("deal nothing, deal fake", short), short, 2)


# Positions


def test_a_position_has_defaults():
    """Round 1, the Census, the hat before the first town, charms up, the deck is the rest."""
    state = table("Hester: | Ada: baker | Basil: miller | Cleo: smith")
    record = state.position()

    assert ("census", 1, "Ada", "Ada") == (record["phase"], record["round"], record["hat"], record["to-act"])
    assert {"charm"} == set(record["tiles"].values())
    assert len(CARDS) - 4 == len(record["deck"])
    assert ["shown Ada baker", "shown Basil miller", "shown Cleo smith"] == record["history"]


def test_without_a_history_a_seat_knows_what_lies_open_and_its_own_hand():
    """A position in Travel shows no other hand."""
    state = travel()

    assert ["love-rose baker", "", ""] == known_hands(state, "Ada")
    assert ["", "", ""] == known_hands(state, "Hester")


HISTORIES = [
    "hidden gravedigger",
    "held Ada love-rose baker",
    "dealt Ada love-rose baker",
    "shown Basil",
    "drew deck Ada baker",
    "drew under Ada baker",
    "arrived tray Basil miller",
    "looked deck wild",
    "gave Cleo Ada baker",
    "asked Ada Cleo",
    "swapped Ada gravedigger baker",
    "picked Ada love-rose",
    "passed Cleo smith",
    "caught fake",
    "ritual ritual-bell",
    "laid-under Basil parson",
    "escaped wild fake",
    "back-under wild",
    "shuffled parson teacher",
    "cast Ada looking-glass",
    "hat Cleo",
    "said Ada trust me, all of you",
    "flipped cradle",
]


@pytest.mark.parametrize("line", HISTORIES)
def test_a_line_of_history_reads_back(line):
    """What has happened is written as text, and read as the same."""
    entry = read_entry(line, BOX, NAMES[:4])

    assert line == write_entry(entry, BOX, NAMES[:4])
    assert line.split()[0] == entry[0].word


def test_every_kind_of_entry_is_written_somewhere():
    """The list above has all kinds."""
    assert {deed.word for deed in Deed} == {line.split()[0] for line in HISTORIES}


def test_names_with_spaces_stand_in_a_history():
    """In double quotes, so that a line can be read in one way only."""
    names = ("The Hunter", "Ada", "Ada May", "May")
    seats = {
        "The Hunter": {},
        "Ada": {"hand": ["baker", "wild"]},
        "Ada May": {"hand": ["miller"]},
        "May": {"hand": ["parson"]},
    }
    history = ['gave "Ada May" Ada wild', "gave Ada May baker", 'gave May "Ada May" miller', "gave May Ada baker"]
    record = {"seats": seats, "woods": "smith", "phase": "travel", "history": history}
    state = game.load(FACTS, record)

    assert [(2, 1), (1, 3), (3, 2), (3, 1)] == [(source, target) for _, source, target, _ in state.history]
    assert tuple(names) == state.seats
    assert history == state.position()["history"]
    assert ("history", 0) in wrong_at(record | {"history": ["gave Ada May Ada wild"]})


def wrong_at(record):
    """The places of what is wrong with a record."""
    with pytest.raises(Misfits) as error:
        game.load(FACTS, record)
    return [misfit.at for misfit in error.value.misfits]


@pytest.mark.parametrize("line", ["dealt Ada baker baker", "drew Basil Ada baker", "drew under Ada baker baker"])
def test_a_line_that_could_never_have_been_written_is_no_history(line):
    """A card comes once, a draw comes from the deck, and a line ends where it is full."""
    record = record_of("Hester: | Ada: baker smith | Basil: miller", phase="travel", history=[line])

    assert ("history", 0) in wrong_at(record)


@pytest.mark.parametrize("names", [("H", "A", "A B", "B C", "C"), ("H", "deck", "under", "tray"), ("H", 'A "B"', "A")])
def test_whatever_the_seats_are_called_a_game_loads_back(names):
    """What everybody remembers too."""
    for seed in range(4):
        state = game.start(FACTS, names, {}, Seeded(seed))
        play_out_some(state, 30)
        loaded = game.load(FACTS, state.position())

        assert state.key() == loaded.key()


def misspelt(**changes):
    """What is wrong with the pieces when some have other columns; `also` is a further card."""
    components = deepcopy(FACTS["components"])
    for id_, columns in changes.items():
        components[id_] = components.get(id_, {"count": 1}) | columns
    return [(misfit.at[1], misfit.message) for misfit in game.check_facts({"components": components})]


def test_a_text_that_means_two_cards_is_a_problem():
    """Else a line of notation would move another card than the one whose id it names."""
    assert [("miller", '"miller" means baker too')] == misspelt(baker={"occupation": "miller"})
    assert [("smith", '"mx baker" means baker too')] == misspelt(smith={"name": "Mx Baker"})
    assert [("nothing", '"nothing" means the word for no card too')] == misspelt(
        nothing={"name": "No One", "occupation": "nobody"}
    )


def test_talk_is_a_part_of_a_position():
    """Two tables at which other words were said are not the same."""
    seats = "Hester: | Ada: baker smith | Basil: miller parson"
    quiet, loud = table(seats, phase="census"), table(seats, phase="census", talk=["Ada: Nothing to see here."])

    assert quiet.history == loud.history
    assert quiet.key() != loud.key()


def test_a_line_answers_one_question():
    """In an Arrival that is dealt one by one the Hunter is asked before each card, and a card is dealt in between."""
    state = table(
        "Hester: | Ada: baker smith | Basil: miller parson",
        "Ada midwife",
        "Basil shepherd",
        phase="arrival",
        shuffle=True,
        under=["wild", "fake", "teacher"],
    )

    with pytest.raises(TooFar, match='"leave" goes too far'):
        play_line(game, state, "leave, leave")
    play(state, "Hester: leave", "Hester: leave")


def test_the_fifth_witch_ends_the_log():
    """Her town's hand goes nowhere any more (CC-HUNT-6), and the log does not say that it did."""
    front = "love-rose love-mabel crystal-opal crystal-beryl"
    state = table(f"Hester: {front} | Ada: nature-fern smith | Basil: miller", "pick nature-fern", phase="hunt")
    told = " ".join(event.text for event in play(state, "Hester: pick Ada"))

    assert "under the deck" not in told
    assert state.result().winners == ("Hester",)


def test_a_position_of_a_new_game_knows_all_that_happened():
    """The history of a game is in its record, and what everybody knows with it."""
    state = game.start(FACTS, NAMES[:4], {}, Seeded(3))
    play_out_some(state, 40)
    loaded = game.load(FACTS, json.loads(json.dumps(state.position())))

    assert [state.view(seat) for seat in range(4)] == [loaded.view(seat) for seat in range(4)]


def play_out_some(state, count):
    luck = Seeded(count)
    for _ in range(count):
        if state.to_act() != OVER:
            state.apply(luck.pick("move", state.legal()))


FOUR = "love-rose love-mabel crystal-opal crystal-beryl"
MISFITS = [
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "hunt", "picks": 1, "taken": {"card": "cooper", "from": "Ada"}, "shuffle": "yes", "under": ["wild"]},
        "shuffle",
        "cooper is to be passed on",
    ),
    (
        "Hester: wild | Ada: baker cooper | Basil: miller | Cleo: smith",
        {"phase": "hunt", "picks": 1, "emptying": "Ada", "shuffle": "yes", "under": ["fake"]},
        "shuffle",
        "is laying its hand under the deck",
    ),
    ("Hester: | Ada: baker | Basil: baker | Cleo: smith", {}, "seats.Basil.hand.0", "baker lies in two places"),
    ("Hester: | Ada: gravedigger | Basil: baker | Cleo: smith", {}, "woods", "lies in two places"),
    ("Hester: | Ada: baker | Basil: miller | Cleo: smith", {"under": ["smith"]}, "under.0", "lies in two places"),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"deck": ["smith", *(card for card in CARDS if card not in ("baker", "miller", "smith", "gravedigger"))]},
        "deck.0",
        "lies in two places",
    ),
    ("Hester: | Ada: baker | Basil: miller | Cleo: smith", {"deck": ["wild"]}, "deck", "cards that lie nowhere"),
    ("Hester: | Ada: bakr | Basil: miller | Cleo: smith", {}, "seats.Ada.hand.0", "is no card of this game"),
    ("Hester: | Ada: baker | Basil: miller | Cleo: smith", {"tiles": {"moon": "charm"}}, "tiles.moon", "unknown key"),
    ("Hester: | Ada: baker | Basil: miller | Cleo: smith", {"cast": "sleep"}, "cast", "is not known here"),
    ("Hester: | Ada: baker | Basil: miller | Cleo: smith", {"sun": "up"}, "sun", "unknown key"),
    ("Hester: | Ada: baker | Basil: miller | Cleo: smith", {"hat": "Zed"}, "hat", "is no seat here"),
    ("Hester: | Ada: baker | Basil: miller | Cleo: smith", {"hat": "Hester"}, "hat", "is the Witch Hunter"),
    ("Hester: | Ada: baker", {}, "seats", "wrong number of seats"),
    ("Hester: baker | Ada: | Basil: miller | Cleo: smith", {}, "seats.Hester.witches.0", "is no witch"),
    ("Hester: ; wild | Ada: baker | Basil: miller | Cleo: smith", {}, "seats.Hester.rituals.0", "is no ritual"),
    (
        "Hester: | Ada: love-rose nature-ivy | Basil: miller | Cleo: smith",
        {"cast": "lullaby", "tiles": {"cradle": "curse"}},
        "tiles.cradle",
        "its curse is up",
    ),
    (
        "Hester: | Ada: love-rose nature-ivy | Basil: miller | Cleo: smith",
        {"cast": "lullaby", "options": {"tiles": "no-cradle"}},
        "cast",
        'is on the tile "cradle"',
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"tiles": {"path": "curse"}, "options": {"tiles": "none"}},
        "tiles.path",
        "is not played with",
    ),
    ("Hester: | Ada: baker | Basil: miller | Cleo: smith", {"picks": 1}, "picks", "means nothing in phase census"),
    ("Hester: | Ada: baker | Basil: miller | Cleo: smith", {"tray": ["wild"]}, "tray", "means nothing in phase census"),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"talk": ["Ada: hm"], "phase": "travel"},
        "talk",
        "means nothing in phase travel",
    ),
    ("Hester: | Ada: baker | Basil: miller | Cleo: smith", {"to-act": "Basil"}, "to-act", "is not to act here"),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "arrival"},
        "",
        "nobody has anything to choose",
    ),
    (
        "Hester: ; ritual-bell | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "arrival", "tray": ["wild", "fake", "cooper", "parson"]},
        "tray",
        "wrong number of cards",
    ),
    (
        "Hester: ; ritual-bell | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "arrival", "tray": ["wild", "fake"], "served": ["Basil"]},
        "served",
        "are not the first towns",
    ),
    (
        "Hester: ; ritual-bell | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "arrival", "tray": ["wild"], "under": ["fake"], "shuffle": "yes"},
        "tray",
        "means nothing while the Hunter is asked",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "arrival", "served": ["Ada", "Basil", "Cleo"], "under": ["fake"], "shuffle": "yes"},
        "served",
        "every town is served",
    ),
    (
        f"Hester: ; ritual-bell {LULLABY_SEATS}",
        {"phase": "arrival", "cast": "lullaby", "hat": "Basil", "served": ["Ada"], "tray": ["wild", "fake"]},
        "served",
        "are not the first towns",
    ),
    ("Hester: | Ada: baker | Basil: miller | Cleo: smith", {"phase": "travel", "acted": 3}, "acted", "too many"),
    ("Hester: | Ada: | Basil: | Cleo: ", {"phase": "travel"}, "seats", "no town has cards"),
    (
        "Hester: | Ada: baker wild | Basil: miller | Cleo: smith",
        {"phase": "travel", "asked": "Ada"},
        "asked",
        "is on turn",
    ),
    ("Hester: | Ada: baker | Basil: miller | Cleo: smith", {"phase": "hunt", "picks": 1}, "", '"first" is missing'),
    ("Hester: | Ada: | Basil: | Cleo: ", {"phase": "hunt"}, "seats", "no town can be picked from"),
    ("Hester: | Ada: baker | Basil: miller | Cleo: smith", {"phase": "over"}, "", '"won" is missing'),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "over", "won": "coven"},
        "won",
        "is not what the table tells",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "over", "won": "nobody"},
        "won",
        "a game does not end so here",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"history": ["gave Ada smith"]},
        "history.0",
        "cannot be read",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"history": ["gave Ada Basil wild"]},
        "history.0",
        "cannot have happened",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"history": ["shown Ada wild", "gave Basil Ada baker"]},
        "history.0",
        "cannot have happened",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"under": ["wild", "fake"], "history": ["laid-under Ada wild"]},
        "history.0",
        "cannot have happened",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"history": ["swapped Ada baker gravedigger"]},
        "history.0",
        "cannot have happened",
    ),
]

DOUBTS = [
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "hunt", "picks": 1, "first": "Basil", "taken": {"card": "cooper", "from": "Ada"}},
        "first",
        "the first pick is under way",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {
            "phase": "hunt",
            "picks": 2,
            "first": "Ada",
            "cast": "looking-glass",
            "taken": {"card": "cooper", "from": "Ada"},
        },
        "taken",
        "both picks are made from Ada",
    ),
    ("Hester: wild fake | Ada: baker | Basil: miller | Cleo: smith", {}, "seats.Hester.witches", "came after others"),
    ("Hester: | Ada: | Basil: miller | Cleo: smith", {}, "seats.Ada.hand", "has no cards, and the deck has some"),
    ("Hester: | Ada: baker | Basil: miller | Cleo: smith", {"cast": "lullaby"}, "cast", "nobody shows the icons"),
    (
        f"Hester: {FOUR} wild | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "over", "round": 4, "options": {"rounds": 3}},
        "round",
        "round 4 cannot be",
    ),
    ("Hester: | Ada: | Basil: miller | Cleo: smith", {"shuffle": "yes"}, "shuffle", "to shuffle would change nothing"),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"shuffle": "yes", "under": ["wild"]},
        "shuffle",
        "every town has cards",
    ),
    (
        "Hester: | Ada: | Basil: miller | Cleo: smith",
        {"shuffle": "yes", "under": ["wild"], "talk": ["Ada: hm"]},
        "talk",
        "means nothing while the Hunter is asked",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "arrival", "tray": ["wild", "fake"]},
        "tray",
        "no Arrival of the Hunter's choice",
    ),
    (
        "Hester: ; ritual-bell | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "arrival", "tray": ["wild"], "served": ["Ada", "Basil"]},
        "tray",
        "nothing can be chosen",
    ),
    (
        "Hester: ; ritual-bell | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "arrival", "served": ["Ada"], "under": ["fake"], "shuffle": "yes"},
        "served",
        "nobody else is served yet",
    ),
    (
        f"Hester: ; ritual-bell {LULLABY_SEATS}",
        {"phase": "arrival", "cast": "lullaby", "hat": "Basil", "tray": ["wild", "fake"]},
        "",
        '"served" is missing',
    ),
    (
        f"Hester: ; ritual-bell {LULLABY_SEATS}",
        {
            "phase": "arrival",
            "cast": "lullaby",
            "hat": "Basil",
            "served": ["Basil", "Ada"],
            "shuffle": "yes",
            "under": ["wild"],
        },
        "served",
        "nobody else is served yet",
    ),
    ("Hester: | Ada: baker | Basil: miller | Cleo: smith", {"phase": "travel", "lap": 2}, "lap", "goes round once"),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "travel", "again": "yes"},
        "again",
        "no town has a second action",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "travel", "again": "yes", "cast": "forked-path", "acted": 1},
        "again",
        "no town has a second action",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "travel", "asked": "Basil"},
        "asked",
        "has 1 card, and nothing to choose",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "hunt", "picks": 3, "first": "Ada", "shuffle": "yes", "under": ["wild"]},
        "picks",
        "too many",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "hunt", "picks": 2, "first": "Ada"},
        "picks",
        "all 2 picks have been made",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "hunt", "first": "Ada"},
        "first",
        "no pick has been made",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "hunt", "taken": {"card": "cooper", "from": "Ada"}},
        "taken",
        "no pick has been made",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "hunt", "picks": 1, "taken": {"card": "wild", "from": "Ada"}},
        "taken.card",
        "wild is not passed on",
    ),
    (
        "Hester: | Ada: baker | Basil: miller",
        {"phase": "hunt", "picks": 1, "taken": {"card": "cooper", "from": "Ada"}},
        "taken",
        "nothing can be chosen with 2 towns",
    ),
    (
        "Hester: wild | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "hunt", "picks": 1, "emptying": "Ada"},
        "emptying",
        "has 1 card, and nothing to choose",
    ),
    (
        "Hester: | Ada: baker cooper | Basil: miller | Cleo: smith",
        {"phase": "hunt", "picks": 1, "emptying": "Ada"},
        "emptying",
        "no witch lies in front",
    ),
    (
        "Hester: wild | Ada: baker cooper | Basil: miller | Cleo: smith",
        {"phase": "hunt", "picks": 1, "emptying": "Ada", "taken": {"card": "parson", "from": "Ada"}},
        "taken",
        "is laying its hand under the deck",
    ),
    (
        "Hester: | Ada: baker cooper | Basil: miller | Cleo: smith",
        {"phase": "hunt", "picks": 1, "emptying": "Ada", "cast": "broken-mirror"},
        "",
        '"taken" is missing',
    ),
    (
        "Hester: | Ada: baker cooper | Basil: miller | Cleo: smith",
        {
            "phase": "hunt",
            "picks": 1,
            "emptying": "Ada",
            "cast": "broken-mirror",
            "taken": {"card": "parson", "from": "Ada"},
        },
        "taken.card",
        "is no witch",
    ),
    (
        "Hester: | Ada: baker cooper | Basil: miller | Cleo: smith",
        {
            "phase": "hunt",
            "picks": 1,
            "emptying": "Ada",
            "cast": "broken-mirror",
            "taken": {"card": "wild", "from": "Basil"},
        },
        "taken.from",
        "is laying its hand under the deck",
    ),
    (
        "Hester: | Ada: baker | Basil: miller | Cleo: smith",
        {"phase": "hunt", "shuffle": "yes", "under": ["wild"]},
        "shuffle",
        "no pick has been made",
    ),
]


@pytest.mark.parametrize(("text", "record", "where", "what"), MISFITS)
def test_a_position_that_cannot_be_is_refused(text, record, where, what):
    """Each misfit has its place, and says what would be right."""
    with pytest.raises(Misfits) as error:
        game.load(FACTS, record_of(text, **record))
    (misfit,) = error.value.misfits

    assert where == ".".join(map(str, misfit.at))
    assert what in misfit.message


@pytest.mark.parametrize(("text", "record", "where", "what"), DOUBTS)
def test_a_position_that_could_not_have_arisen_is_doubted(text, record, where, what):
    """It loads, with one doubt: at its place, and with what would be right."""
    (doubt,) = game.doubts(table(text, **record))

    assert where == ".".join(map(str, doubt.at))
    assert what in doubt.message
    assert doubt.hint


@pytest.mark.slow("plays dozens of games")
@seeded(1)
@pytest.mark.parametrize(("text", "record"), [row[:2] for row in DOUBTS])
def test_a_doubted_position_is_gone_on_with(text, record, seed):
    """It is played, seen, imagined, told and written like any other, to the end of a game."""
    record = {"options": {"rounds": 9}} | record
    chance, luck, log = Seeded(seed), Seeded(f"moves {seed}"), []
    state = game.load(FACTS, record_of(text, **record), chance)
    for _ in range(game.MOST_DECISIONS):
        again = game.load(FACTS, json.loads(json.dumps(state.position())))

        assert state.key() == again.key()

        for seat in range(len(state.seats)):
            assert state.view(seat) == state.imagine(seat, Seeded(seed)).view(seat)
        if state.to_act() == OVER:
            break
        legal = state.legal()

        assert all(state.why_not(move) is None for move in legal)

        state.apply(luck.pick("move", legal), log)

    assert state.result() is not None


def test_nothing_is_doubted_of_what_is_played():
    """In no state of random games."""
    for seats in (3, 4, 6):
        for seed in range(8):
            for state in battery.every_state(battery.Setting(game.__name__, FACTS, seats, seed)):
                assert [] == game.doubts(state)


@pytest.mark.parametrize(
    ("card", "hint"),
    [
        ("dragon", "a card is written like love-rose"),
        ("Rose of Love", "write love-rose"),
        ("love-rosa", 'did you mean "love-rose"?'),
    ],
)
def test_a_card_of_a_position_is_written_by_its_id(card, hint):
    """Who writes its name is told the id, in a hand and in the woods."""
    record = record_of("Hester: | Ada: baker | Basil: miller | Cleo: smith", woods=card)
    record["seats"]["Ada"]["hand"].append(card)
    with pytest.raises(Misfits) as error:
        game.load(FACTS, record)
    misfits = error.value.misfits

    assert {("seats", "Ada", "hand", 1), ("woods",)} == {misfit.at for misfit in misfits}
    assert {(f'"{card}" is no card of this game', hint)} == {(misfit.message, misfit.hint) for misfit in misfits}


def test_a_card_is_always_in_the_woods():
    """CC-SETUP-4."""
    record = record_of("Hester: | Ada: baker | Basil: miller | Cleo: smith")
    del record["woods"]
    with pytest.raises(Misfits, match="is missing; a card is always hidden there"):
        game.load(FACTS, record)


def test_a_town_has_nothing_in_front_and_the_hunter_no_hand():
    """CC-PLAYERS-1: the seat named first is the Witch Hunter."""
    record = record_of("Hester: | Ada: baker | Basil: miller | Cleo: smith")
    record["seats"]["Hester"]["hand"] = ["wild"]
    record["seats"]["Ada"]["rituals"] = []
    with pytest.raises(Misfits) as error:
        game.load(FACTS, record)

    assert ["seats.Hester.hand", "seats.Ada.rituals"] == [
        ".".join(map(str, misfit.at)) for misfit in error.value.misfits
    ]


@pytest.mark.parametrize(
    ("text", "record", "winners"),
    [
        ("Hester: | Ada: love-rose love-mabel wild | Basil: | Cleo: ", {}, "Ada Basil Cleo"),
        ("Hester: ; ritual-bell ritual-candles | Ada: | Basil: | Cleo: ", {}, "Ada Basil Cleo"),
        (f"Hester: {FOUR} wild | Ada: | Basil: | Cleo: ", {}, "Hester"),
        ("Hester: | Ada: baker | Basil: | Cleo: ", {"round": 3, "options": {"rounds": 3}}, ""),
        (
            f"Hester: {FOUR} wild | Ada: love-viola nature-fern nature-ivy nature-hazel | Basil: | Cleo: ",
            {"won": "captures"},
            "Hester",
        ),
    ],
)
def test_a_finished_position_tells_who_has_won(text, record, winners):
    """As the table tells, or as it is written."""
    state = table(text, phase="over", **record)

    assert (winners.split(), OVER) == (list(state.result().winners), state.to_act())


# The whole game


@pytest.mark.slow("plays a game for every promise")
@pytest.mark.parametrize("tiles", ["none", "no-cradle", "no-mirror", "no-path"])
@pytest.mark.parametrize("check", battery.CHECKS, ids=lambda check: check.__name__)
def test_every_promise_holds_with_every_option(tiles, check):
    """The battery, with tiles left in the box and a last round."""
    if check is not battery.fresh_processes_agree:
        check(battery.Setting(game.__name__, FACTS, 4, 5, {"tiles": tiles, "rounds": 3}))


@pytest.mark.soak
@pytest.mark.slow("plays many games, and imagines others")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_every_promise_about_secrets_holds_in_more_games(seats):
    """Non-interference for every seat at every step, and worlds load back."""
    for seed in seeds(1):
        setting = battery.Setting(game.__name__, FACTS, seats, seed)
        battery.views_hide_what_is_hidden(setting)
        battery.logs_hide_what_is_hidden(setting)
        battery.notation_hides_what_is_hidden(setting)
        battery.positions_load_back(setting)


def test_random_games_see_everything():
    """Every ending but the agreed one, every spell, every kind of entry and most events happen in random games."""
    endings, spells, kinds, fired = Counter(), Counter(), set(), set()
    for seed in range(150):
        log = []
        state = game.start(FACTS, NAMES[: 3 + seed % 4], game.SIMULATION, Seeded(seed), log)
        luck = Seeded(f"moves {seed}")
        while state.to_act() != OVER:
            state.apply(luck.pick("move", state.legal()), log)
        tally = game.tally(state)
        endings[tally.game["ending"]] += 1
        for name, (cast, _) in tally.trials["games with the spell, and won by the towns"].items():
            spells[name] += cast
        kinds |= {entry[0].word for entry in state.history}
        fired |= set(rules(log))

    assert {"a coven", "two rituals", "five witches caught"} == set(endings)
    assert {name for charm, _, curse, _ in SPELL_TILES.values() for name in (charm, curse)} == {
        name for name, count in spells.items() if count
    }
    assert {deed.word for deed in Deed} - {"held", "said"} == kinds
    assert {spell.rule for spell in Spell} <= fired


# Tallies and scores


def test_a_score_has_three_columns():
    """CC-WIN-1, CC-WIN-2, CC-WIN-3: witches are the Hunter's, rituals and covens the towns'."""
    state = hunt("Hester: love-rose love-mabel; ritual-bell | Ada: wild love-viola | Basil: fake | Cleo: smith")

    assert {
        "Hester": {"witches": 2, "rituals": 0, "coven": 0},
        "Ada": {"witches": 0, "rituals": 1, "coven": 2},
        "Basil": {"witches": 0, "rituals": 1, "coven": 0},
        "Cleo": {"witches": 0, "rituals": 1, "coven": 0},
    } == {score.seat: score.columns for score in state.score()}
    assert ["CC-WIN-3", "CC-WIN-2", "CC-WIN-1"] == [line.rule for line in state.score()[1].lines]


def test_a_tally_counts_spells_and_captured_witches():
    """How it ended, what was cast, who lost witches, and which spells came with a win of the towns."""
    history = ["cast Ada lullaby", "flipped cradle", "cast Basil nightmare", "picked Ada fake", "caught fake"]
    state = hunt(
        "Hester: fake; ritual-bell | Ada: ritual-candles | Basil: wild | Cleo: smith",
        *("pick wild", "pick ritual-candles"),
        round=3,
        history=history,
    )
    play(state, "Hester: pick Basil", "Hester: pick Ada")
    tally = game.tally(state)

    assert {
        "ending": "two rituals",
        "rounds": 3,
        "charms cast": 1,
        "curses cast": 1,
        "the straw witch": "caught",
    } == tally.game
    assert [("Witch Hunter", 0), ("town", 1), ("town", 1), ("town", 0)] == [
        (seat["role"], seat["witches lost"]) for seat in tally.seats
    ]
    trials = tally.trials["games with the spell, and won by the towns"]
    assert {"Lullaby": (1, 1), "Nightmare": (1, 1), "Wild Chase": (0, 0)} == {
        name: trials[name] for name in ("Lullaby", "Nightmare", "Wild Chase")
    }
    assert 6 == len(trials)


@pytest.mark.parametrize(
    ("text", "record", "ending", "fake", "won"),
    [
        (f"Hester: {FOUR} wild | Ada: baker | Basil: | Cleo: ", {}, "five witches caught", "free", 0),
        ("Hester: | Ada: love-rose love-viola wild | Basil: | Cleo: ", {}, "a coven", "free", 1),
        (
            "Hester: fake | Ada: baker | Basil: | Cleo: ",
            {"round": 2, "options": {"rounds": 2}},
            "nobody wins",
            "caught",
            0,
        ),
    ],
)
def test_a_tally_tells_each_ending(text, record, ending, fake, won):
    """A spell counts as won with when the towns have won."""
    tally = game.tally(table(text, phase="over", history=["cast Ada wild-chase"], **record))

    assert (ending, fake) == (tally.game["ending"], tally.game["the straw witch"])
    assert (1, won) == tally.trials["games with the spell, and won by the towns"]["Wild Chase"]


def test_random_bots_play():
    """The random bot sees a view and the legal moves."""
    chance = Recorded(Seeded(1))
    state = game.start(FACTS, NAMES[:3], game.SIMULATION, chance)
    moves = play_out(state, [game.BOTS["random"](seat) for seat in range(3)], game.MOST_DECISIONS)

    assert moves
    assert OVER == state.to_act()


# Facts


def facts_with(change):
    facts = deepcopy(FACTS)
    change(facts["components"])
    return facts


WRONG_PIECES = [
    (lambda c: c["wild"].update(suit="moon"), "wild", '"moon" is no suit'),
    (lambda c: c["baker"].update(count=2), "baker", "there are 2 of it"),
    (lambda c: c["baker"].update(suit="love"), "baker", "it has the columns suit and occupation"),
    (lambda c: c.pop("love-rose"), "ritual-candles", "2 witches of love are too few"),
    (lambda c: c.pop("wild"), "ritual-candles", "there are 0 wild witches"),
    (lambda c: c["love-rose"].update(suit="wild"), "ritual-candles", "2 witches of love are too few"),
    (lambda c: c.pop("fake"), "ritual-candles", "there are 0 fake witches"),
    (lambda c: (c.pop("ritual-bell"), c.pop("ritual-cauldron")), "ritual-candles", "rituals: 1"),
    (lambda c: [c.pop(job) for job in TOWNSFOLK], "ritual-candles", "14 cards are too few"),
    (lambda c: c["cradle"].update(charm="Lulaby"), "cradle", '"Lulaby" is no charm of this game'),
    (lambda c: c["cradle"].update(curse="Lullaby"), "cradle", '"Lullaby" is no curse of this game'),
    (lambda c: c["cradle"].update({"curse-second": "moon"}), "cradle", "the second icon of the curse"),
    (lambda c: c["cradle"].update(charm="Forked Path"), "cradle", "path has Forked Path too"),
    (lambda c: c.pop("cradle"), "ritual-candles", 'the spell tile "cradle" is missing'),
    (lambda c: c.update(moon=c.pop("cradle")), "moon", '"moon" is no spell tile'),
]


def test_the_pieces_of_the_rules_fit():
    """Nine suited witches, the wild, the fake, 13 townsfolk, 3 rituals, 3 tiles."""
    assert [] == game.check_facts(FACTS)
    assert 27 == len(CARDS) == len(BOX.ids)
    assert set(CARDS) == set(BOX.ids)


@pytest.mark.parametrize(("change", "id_", "what"), WRONG_PIECES)
def test_pieces_that_do_not_fit_are_told(change, id_, what):
    """Each at the component that is wrong, or at the first one."""
    misfits = game.check_facts(facts_with(change))

    assert (("components", id_), True) == (misfits[0].at, what in misfits[0].message)


@pytest.mark.slow("plays many games, and imagines others")
def test_the_bundled_pieces_fit(facts_of):
    """The content folder has what the engine asks for."""
    assert [] == game.check_facts(facts_of("curses-and-covens"))


def test_laws_and_refusals_name_the_spells():
    """Every spell has its rule in LAWS."""
    assert 6 == len({spell.rule for spell in Spell} & set(game.LAWS))


def test_what_a_docstring_says_of_rules_its_function_carries_out():
    """Each id in the docstring of a function of this game is in LAWS with that home."""
    astray = []
    for module in (game.box, game.board, game.knowledge, game.sight, game.state):
        here = [each for each in vars(module).values() if getattr(each, "__module__", "") == module.__name__]
        parts = [part for each in here if isinstance(each, type) for part in vars(each).values()]
        for each in filter(isfunction, (*here, *parts)):
            home = f"{module.__name__}:{each.__qualname__}"
            told = re.findall(r"CC-[A-Z]+-[0-9]+", each.__doc__ or "")
            astray += [(home, id_) for id_ in told if home not in game.LAWS[id_]]

    assert [] == astray


# Facts


def test_a_capture_tells_its_numbers():
    """Who, which card, how many there are and how many it takes (CC-HUNT-5, CC-WIN-3), as facts of the event."""
    state = hunt("Hester: wild | Ada: love-rose baker smith | Basil: miller | Cleo: parson", "pick love-rose")
    caught, rest = [event for event in play(state, "Hester: pick Ada") if event.rule == "CC-HUNT-5"]

    assert {"town": "Ada", "card": "love-rose", "witches": 2, "needed": 5} == dict(caught.facts)
    assert {"town": "Ada", "hand": 2} == dict(rest.facts)


def test_facts_of_a_hidden_card_are_for_who_saw_it():
    """CC-TRAV-5: Ada and Basil have them, Cleo and the Hunter have only the hint."""
    (gift,) = play(travel(), "Ada: give baker to Basil")[:1]

    assert {"from": "Ada", "to": "Basil", "card": "baker"} == dict(gift.facts)
    assert [False, True, True, False] == [gift.is_for(seat) for seat in range(4)]


def test_a_refusal_and_a_score_tell_their_numbers():
    """CC-TRAV-6: how many cards she has; and what each seat has in hand."""
    state = travel("Hester: | Ada: love-rose | Basil: miller wild | Cleo: smith")

    assert {"town": "Ada", "hand": 1} == dict(state.why_not(*game.read("give love-rose to Basil", state)).facts)
    assert [("hunter", 0), ("town", 1), ("town", 2), ("town", 1)] == [
        (score.facts["role"], score.facts["hand"]) for score in state.score()
    ]
