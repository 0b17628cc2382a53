"""Curses & Covens: what its rules say, worked out by hand on cards of the test's own."""

from __future__ import annotations

import json
import re
from collections import Counter
from copy import deepcopy
from functools import partial
from inspect import isfunction

import playing
import pytest
from covens_for_tests import no_deck, play, record_of, script
from playing import rules, turn
from soak import seeded, seeds
from stories import assert_followed, flow, part, rows, score_of, stories

from grimalkin.engine.chance import Recorded, Scripted, Seeded
from grimalkin.engine.play import play_out
from grimalkin.engine.replay import play_line
from grimalkin.engine.shape import Misfits
from grimalkin.engine.words import OVER, Ambiguous, Refused, Unreadable
from grimalkin.games import curses_and_covens as game
from grimalkin.games.curses_and_covens.facts import UNSEEN, Spell, box_of
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


def table(text, *draws, **record):
    return game.load(FACTS, record_of(text, **record), script(*draws))


def refused(state, line):
    """The rule that refuses a line of the seat to act."""
    key = state.key()
    with pytest.raises(Refused) as error:
        play_line(game, state, line)

    assert key == state.key()

    return error.value.refusal.rule


texts = partial(playing.legal, game)


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


def hand(state, name):
    return " ".join(BOX.ids[card] for card in state.hands[state.seats.index(name)])


def under(state, *_):
    return " ".join(BOX.ids[card] for card in state.under)


def front(state, *_):
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


def known_hands(state, name):
    has = known(state, name)
    return [has[other] for other in state.seats[1:]]


TRAVEL = "Hester: | Ada: love-rose baker | Basil: miller wild | Cleo: smith"


def travel(text=TRAVEL, *draws, **record):
    return table(text, *draws, **{"phase": "travel"} | record)


def hunt(text, *draws, **record):
    return table(text, *draws, **{"phase": "hunt"} | record)


def after_arrival(*lines, draws=()):
    """All have shown their hands, Ada has got the cooper, Basil the parson, Cleo the teacher."""
    state = table(TRAVEL, *("Ada cooper", "Basil parson", "Cleo teacher"), *draws)
    play(state, "Ada: hat Ada", *lines)
    return state


def position(given):
    """The position of a story: `arrived`, after an Arrival; `full smith / ; ritual-bell`, as of `full`; or seats, after
    `travel` or `hunt` in that phase, after `all` without a deck. Of its record, `draws` come next."""
    text, _, rest = (part.strip() for part in given.partition("--"))
    record = flow(rest)
    draws, out = record.pop("draws", []), record.pop("out", "").split()
    if text == "arrived":
        return after_arrival(draws=draws)
    kind, _, seats = text.partition(" ")
    if kind in ("travel", "hunt"):
        text, record = seats or TRAVEL, {"phase": kind, **record}
    if text.startswith("all "):
        text = no_deck(CARDS, text.removeprefix("all "), *out)
    elif text.startswith("full"):
        rest, _, front_ = text.removeprefix("full").partition("/")
        text = full(*rest.split(), front=front_)
    return table(text, *draws, **record)


# Set-up


@pytest.mark.parametrize(("seats", "deck"), [(3, 22), (4, 20), (5, 18), (6, 16)])
def test_one_card_is_hidden_and_every_town_is_dealt_two(seats, deck):
    """CC-SETUP-4 to CC-SETUP-6: 27 - 1 - 2 for each town are the deck."""
    state = game.start(FACTS, NAMES[:seats], {}, Seeded(1))

    assert deck == len(state.pool)
    assert [0] + [2] * (seats - 1) == [len(cards) for cards in state.hands]
    assert state.woods >= 0
    assert ("Ada", "census", 1) == (turn(state), phase(state), state.round)


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


# Stories

STORIES = """
CC-CENSUS-1 an empty town draws before the hands are shown: Basil's went under the deck in the Hunt
    hunt Hester: | Ada: baker | Basil: love-rose | Cleo: miller
        -- draws: [pick love-rose, Basil wild], picks: 1, first: Ada
    > Hester: pick Basil
    hand Basil: wild
    hidden: [[CC-CENSUS-1, Basil]]
    told CC-CENSUS-2: Ada shows Mx Baker (baker). / Basil shows Morgan (wild). / Cleo shows Mx Miller (miller).
    round: 2
    phase: census
CC-WIN-1 witches of two towns are no coven
    Hester: | Ada: love-rose love-mabel | Basil: love-viola | Cleo: baker
    most Ada: 2
    most Basil: 1
    phase: census
CC-AMB-15 the coven comes before any spell: love and nature are shown too, but nothing is cast (CC-AMB-14)
    hunt Hester: | Ada: love-rose love-mabel wild nature-fern | Basil: shepherd | Cleo: baker
        -- draws: [pick shepherd, Basil cooper], picks: 1, first: Basil
    > Hester: pick Basil / Hester: pass to Cleo -> ... CC-AMB-13 CC-AMB-14 CC-AMB-15 CC-WIN-1
    legal: []
    ! cast lullaby -> CC-WIN-1

CC-SPELL-1 two towns do not show icons together
    Hester: | Ada: love-rose | Basil: nature-fern | Cleo: smith
    ! cast lullaby -> CC-SPELL-1
CC-SPELL-2 a cast tile is set apart and the witches stay (CC-SPELL-3), whoever shows the icons (CC-AMB-23)
    Hester: | Ada: baker | Basil: love-rose nature-fern | Cleo: smith
    > Ada: cast Lullaby -> CC-SPELL-1 CC-SPELL-2 CC-SPELL-3 CC-CHARM-1
    hand Basil: love-rose nature-fern
    cast: lullaby
    legal: [hat Ada, hat Basil, hat Cleo]
CC-SPELL-5 what a wild and a double icon (CC-AMB-3) mean is told: love and wild cast Nightmare
    Hester: | Ada: love-rose wild | Basil: baker | Cleo: smith -- tiles: {cradle: curse}
    > Ada: cast nightmare -> ... CC-AMB-3 CC-SPELL-5
CC-SPELL-5 no wild is told of where another town shows both icons
    Hester: | Ada: love-rose wild | Basil: love-viola love-mabel | Cleo: smith -- tiles: {cradle: curse}
    > Ada: cast nightmare -> no CC-SPELL-5
CC-SPELL-6 the charm that was cast becomes a curse after the Hunt, and no other tile turns over (CC-AMB-16)
    hunt Hester: | Ada: crystal-opal nature-fern | Basil: baker | Cleo: smith -- draws: [pick baker, Basil parson],
        picks: 1, first: Ada, cast: forked-path, tiles: {path: charm, mirror: curse}
    > Hester: pick Basil / Hester: pass to Cleo -> ... CC-SPELL-6 CC-AMB-16 CC-HUNT-13
    tiles: {cradle: charm, mirror: curse, path: curse}
    has cast: false
CC-SPELL-6 the curse that was cast becomes a charm again
    hunt Hester: | Ada: nature-ivy nature-fern | Basil: baker | Cleo: smith -- draws: [pick baker, Basil parson],
        picks: 2, first: Ada, cast: wild-chase, tiles: {path: curse, mirror: curse}
    > Hester: pick Basil / Hester: pass to Cleo -> ... CC-SPELL-6 CC-AMB-16 CC-HUNT-13
    tiles: {cradle: charm, mirror: curse, path: charm}
    has cast: false

CC-CENSUS-4 after the talk only the hat is left, and no spell is cast; when the hat has gone the talk is over
    Hester: | Ada: love-rose nature-fern | Basil: baker | Cleo: smith -- draws: [Ada cooper, Basil wild, Cleo parson]
    legal cast: [cast lullaby]
    > Ada: "hide her"
    legal: [hat Ada, hat Basil, hat Cleo]
    > Ada: hat Ada
    heard: []
    has talk: false
CC-CENSUS-6 the town with the hat may keep it, which ends the Census (CC-CENSUS-7, CC-AMB-21)
    Hester: | Ada: love-rose | Basil: baker | Cleo: smith -- draws: [Ada cooper, Basil miller, Cleo parson], hat: Ada
    > Ada: hat Ada -> CC-CENSUS-6 CC-CENSUS-7 CC-ARR-1 CC-ARR-1 CC-ARR-1 CC-TRAV-1
    turn: Ada
    phase: travel
    told CC-CENSUS-6: Ada keeps the hat, and goes first in Travel.
    has talk: false
CC-CENSUS-6 the hat goes to any town:
    for TOWN: Basil, Cleo
    Hester: | Ada: love-rose | Basil: baker | Cleo: smith -- draws: [Ada cooper, Basil miller, Cleo parson], hat: Ada
    > Ada: hat TOWN -> CC-CENSUS-6 CC-CENSUS-7 CC-ARR-1 CC-ARR-1 CC-ARR-1 CC-TRAV-1
    turn: TOWN
    phase: travel
    told CC-CENSUS-6: TOWN has the hat, and goes first in Travel.
    has talk: false
CC-CENSUS-6 the Hunter never has the hat, and who passes it on does not go on
    Hester: | Ada: love-rose | Basil: baker | Cleo: smith -- draws: [Ada cooper, Basil miller, Cleo parson]
    ! hat Hester -> CC-CENSUS-6
    ! hat Basil, hat Cleo -> TooFar: "hat Cleo" goes too far: the line ends before it, and then Basil is to act
CC-ARR-4 towns do not talk in Travel
    Hester: | Ada: love-rose | Basil: baker miller | Cleo: smith -- phase: travel
    ! "trust me" -> CC-ARR-4
CC-CENSUS-4 towns do not talk while they lay their hands under the deck
    Hester: wild | Ada: love-rose | Basil: baker miller | Cleo: smith
        -- phase: hunt, picks: 1, first: Basil, emptying: Basil
    ! "trust me" -> CC-CENSUS-4
CC-ARR-4 towns do not talk while they are asked for a card
    Hester: | Ada: love-rose | Basil: baker miller | Cleo: smith -- phase: travel, asked: Basil
    ! "trust me" -> CC-ARR-4
# Words of the Hunter are not asked for and never forbidden: only towns are told to be silent.
CC-AMB-27 the Hunter may talk when asked to shuffle
    Hester: | Ada: love-rose | Basil: baker miller | Cleo: smith -- phase: arrival, shuffle: yes, under: [wild]
    ! "trust me" -> CC-AMB-27: not asked here: ...
CC-AMB-27 the Hunter may talk when dealing
    Hester: ; ritual-bell | Ada: love-rose | Basil: baker miller | Cleo: smith
        -- phase: arrival, tray: [wild, teacher, parson]
    ! "trust me" -> CC-AMB-27: not asked here: ...
CC-AMB-27 the Hunter may talk when picking
    Hester: | Ada: love-rose | Basil: baker miller | Cleo: smith -- phase: hunt
    ! "trust me" -> CC-AMB-27: not asked here: ...
CC-AMB-27 the Hunter may talk when passing a card on
    Hester: | Ada: love-rose | Basil: baker miller | Cleo: smith
        -- phase: hunt, picks: 1, taken: {card: teacher, from: Ada}
    ! "trust me" -> CC-AMB-27: not asked here: ...

CC-ARR-1 an Arrival is dealt from the left, and seen by the Hunter and the town (CC-ARR-3)
    Hester: | Ada: love-rose | Basil: baker | Cleo: smith -- draws: [Ada wild, Basil fake, Cleo cooper]
    > Ada: hat Cleo
    hands: [love-rose wild, fake baker, smith cooper]
    hidden: [[CC-ARR-1, Hester, Ada], [CC-ARR-1, Hester, Basil], [CC-ARR-1, Hester, Cleo]]
    reads Basil: ... / Hester draws a card, looks at it and passes it to Ada. / ...
    known Hester: [love-rose wild, fake baker, smith cooper]
    known Cleo: [love-rose, baker, smith cooper]
CC-AMB-7 a short deck serves the left first (CC-TRAV-7): two cards for three towns
    full smith parson -- draws: [Ada smith, Basil parson]
    > Ada: hat Cleo -> CC-CENSUS-6 CC-CENSUS-7 CC-ARR-1 CC-ARR-1 CC-TRAV-7 CC-AMB-7 CC-TRAV-1
    holds smith: Ada
    holds parson: Basil
CC-TRAV-7 an empty deck serves nobody, and the game goes on without draws
    full
    > Ada: hat Cleo -> ... CC-TRAV-7
    count CC-AMB-7: 0
    phase: travel
    turn: Cleo
CC-HUNT-5 cards laid under the deck come last and in their order, without chance (CC-ARR-1)
    full smith parson wild -- draws: [Ada smith], under: [parson, wild]
    > Ada: hat Ada / Hester: leave / Hester: leave
    holds smith: Ada
    holds parson: Basil
    holds wild: Cleo
CC-ARR-2 with a ritual in front the Hunter chooses (CC-ARR-3), and the last card goes by itself
    Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith -- draws: [tray wild fake cooper], hat: Cleo
    > Cleo: hat Cleo
    turn: Hester
    phase: arrival
    legal: [deal wild, deal fake, deal cooper]
    hidden: [[CC-ARR-2, Hester]]
    > Hester: deal cooper, deal wild
    hands: [love-rose cooper, wild baker, fake smith]
    phase: travel
CC-AMB-28 with a ritual in front and one card, the Hunter says which towns get nothing (CC-AMB-7)
    full smith / ; ritual-bell -- draws: [tray smith]
    > Ada: hat Ada
    legal: [deal smith, deal nothing]
    > Hester: deal nothing, deal nothing -> CC-AMB-28 CC-AMB-28 CC-ARR-2 CC-TRAV-1
    holds smith: Cleo
CC-AMB-28 with a ritual in front and one card, the first town may get it
    full smith / ; ritual-bell -- draws: [tray smith]
    > Ada: hat Ada / Hester: deal smith
    holds smith: Ada
    phase: travel
CC-TRAV-7 an empty deck leaves the Hunter nothing to choose
    full / ; ritual-bell
    > Ada: hat Ada -> ... CC-TRAV-7
    phase: travel
CC-CHARM-1 under a Lullaby the hat is served first and unseen, the others from the left as always
    Hester: | Ada: love-rose nature-fern | Basil: baker | Cleo: smith
        -- draws: [Basil fake, Ada wild, Cleo cooper], cast: lullaby
    > Ada: hat Basil
    hands: [love-rose nature-fern wild, fake baker, smith cooper]
    hidden: [[CC-CHARM-1, Basil], [CC-ARR-1, Hester, Ada], [CC-ARR-1, Hester, Cleo]]
    known Hester: [love-rose nature-fern wild, baker, smith cooper]
    known Basil: [love-rose nature-fern, fake baker, smith]
CC-CHARM-1 only the first card of a Lullaby is unseen, after a question too
    Hester: | Ada: love-rose nature-fern | Basil: baker | Cleo: smith
        -- draws: [Ada wild, Basil fake, Cleo cooper], cast: lullaby, under: [miller]
    > Ada: hat Ada / Hester: leave / Hester: leave / Hester: leave
    known Hester: [love-rose nature-fern, fake baker, smith cooper]
CC-CHARM-1 with a ritual in front the second card of a Lullaby goes on the tray already
    Hester: ; ritual-bell | Ada: love-rose nature-fern | Basil: baker | Cleo: smith
        -- draws: [Basil fake, tray wild cooper], cast: lullaby
    > Ada: hat Basil
    legal: [deal wild, deal cooper]
CC-AMB-7 under a Lullaby a short deck serves the hat alone (CC-CHARM-1)
    full smith -- draws: [Cleo smith], cast: lullaby
    > Ada: hat Cleo -> ... CC-AMB-7
    holds smith: Cleo
    phase: travel
CC-TRAV-7 under a Lullaby a short deck leaves the Hunter nothing to choose (CC-CHARM-1)
    full smith / ; ritual-bell -- draws: [Cleo smith], cast: lullaby
    > Ada: hat Cleo -> ... CC-TRAV-7
    holds smith: Cleo
    phase: travel
CC-CURSE-2 a Broken Mirror lets the Hunter choose without a ritual
    Hester: | Ada: crystal-opal crystal-beryl | Basil: baker | Cleo: smith
        -- draws: [tray wild fake cooper], cast: broken-mirror
    > Ada: hat Ada / Hester: deal wild, deal fake -> ... CC-CURSE-2
    hand Basil: fake baker
CC-ARR-2 only cards of the tray are dealt, one for each town (CC-AMB-28), and the last goes by itself
    Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith -- phase: arrival, tray: [wild, fake, cooper]
    ! deal miller -> CC-ARR-2
    ! deal nothing -> CC-AMB-28
    ! deal wild, deal wild -> CC-ARR-2
    ! pick Ada -> CC-ARR-2
    ! deal wild, deal fake, deal cooper -> TooFar: "deal cooper" goes too far...

CC-AMB-26 the Hunter may shuffle before each card of a blind Arrival while cards lie under the deck (CC-SETUP-7)
    Hester: | Ada: love-rose | Basil: baker | Cleo: smith
        -- draws: [Ada wild, Basil fake, Cleo cooper], under: [fake, miller]
    > Ada: hat Ada
    legal: [shuffle, leave]
    hand Ada: love-rose
    > Hester: leave / Hester: shuffle -> ... CC-AMB-26 CC-SETUP-7 CC-AMB-12
    hand Basil: fake baker
    under: ''
    pool miller: true
CC-AMB-26 the Hunter is asked once before a chosen Arrival
    Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith
        -- draws: [tray wild fake cooper], under: [miller]
    > Ada: hat Ada / Hester: leave
    legal: [deal wild, deal fake, deal cooper]
CC-AMB-26 the Hunter is asked in a Census before an empty town draws
    Hester: | Ada: | Basil: baker | Cleo: smith -- draws: [Ada fake], under: [fake], shuffle: yes
    > Hester: shuffle
    hand Ada: fake
    turn: Ada
CC-AMB-26 the Hunter is asked after a discard (CC-AMB-12)
    hunt Hester: | Ada: love-rose baker | Basil: miller | Cleo: smith -- draws: [pick love-rose]
    > Hester: pick Ada
    legal: [shuffle, leave]
    under: baker
    > Hester: leave
    legal: [pick Basil, pick Cleo]
CC-AMB-26 the Hunter is not asked when nothing lies under the deck
    Hester: | Ada: love-rose | Basil: baker | Cleo: smith -- draws: [Ada wild, Basil fake, Cleo cooper]
    > Ada: hat Ada
    phase: travel
CC-AMB-26 the Hunter is not asked when the deck is a single card
    full smith -- under: [smith]
    > Ada: hat Ada
    phase: travel
    holds smith: Ada
CC-AMB-26 a question has two answers
    Hester: | Ada: | Basil: baker | Cleo: smith -- under: [fake], shuffle: yes
    ! pick Basil -> CC-AMB-26
CC-AMB-26 a second answer goes too far
    Hester: | Ada: | Basil: baker | Cleo: smith -- draws: [Ada fake], under: [fake], shuffle: yes
    ! shuffle, shuffle -> TooFar: "shuffle" goes too far: the line ends before it, and then Ada is to act
CC-AMB-26 a line answers one question, and a card is dealt before the next
    Hester: | Ada: baker smith | Basil: miller parson
        -- draws: [Ada midwife, Basil shepherd], phase: arrival, shuffle: yes, under: [wild, fake, teacher]
    ! leave, leave -> TooFar: "leave" goes too far...
    > Hester: leave / Hester: leave

CC-TRAV-1 Travel goes clockwise from the hat once, then the Hunt begins with the Hunter
    travel -- hat: Cleo
    > Cleo: woods smith / Ada: ask Basil / Basil: hand miller / Basil: ask Cleo
    phase: hunt
    turn: Hester
    hands: [love-rose baker miller, wild, gravedigger]
CC-TRAV-2 the three actions in their order: gifts, questions (CC-TRAV-3), the woods (CC-TRAV-4)
    travel
    legal: [give love-rose to Basil, give love-rose to Cleo, give baker to Basil, give baker to Cleo,
        ask Basil, ask Cleo, woods love-rose, woods baker]
CC-TRAV-2 a gift is seen by the two towns alone (CC-TRAV-5), and so are its facts
    travel
    > Ada: give baker to Basil -> CC-TRAV-2
    hand Ada: love-rose
    hand Basil: wild baker miller
    hidden: [[CC-TRAV-2, Ada, Basil]]
    reads Hester: Ada gives a card to Basil.
    reads Cleo: Ada gives a card to Basil.
    facts CC-TRAV-2: {from: Ada, to: Basil, card: baker}
CC-TRAV-6 a town never gives its last card, but may exchange it in the woods (CC-AMB-5)
    travel -- acted: 2
    legal: [ask Ada, ask Basil, woods smith]
    ! give smith to Ada -> CC-TRAV-6
    facts CC-TRAV-6: {town: Cleo, hand: 1}
    > Cleo: woods smith -> ... CC-TRAV-4 CC-AMB-5
CC-TRAV-3 an asked town hands over a card of its choice, the worst too (CC-AMB-22), and the two see it
    travel
    > Ada: ask Basil
    legal: [hand wild, hand miller]
    turn: Basil
    ! hand baker -> CC-TRAV-3
    ! give wild to Ada -> CC-TRAV-3
    > Basil: hand miller -> CC-TRAV-3 CC-AMB-22
    hand Ada: love-rose baker miller
    hand Basil: wild
    turn: Basil
    hidden: [[CC-TRAV-3, Ada, Basil]]
    told CC-AMB-22: Basil was free to choose any of its 2 cards.
CC-AMB-4 a town with one card may be asked, and hands over nothing
    travel
    > Ada: ask Cleo -> CC-TRAV-3 CC-AMB-4
    turn: Basil
    hand Cleo: smith
CC-TRAV-4 the woods exchange is seen by its town alone (CC-TRAV-5)
    travel
    > Ada: woods baker
    hand Ada: love-rose gravedigger
    woods: baker
    fired: [CC-TRAV-4]
    hidden: [[CC-TRAV-4, Ada]]
CC-AMB-6 a town without cards can only ask
    travel all Hester: | Ada: | Basil: miller wild | Cleo: smith
    legal: [ask Basil, ask Cleo]
CC-AMB-24 a town without cards is not asked
    travel all Hester: | Ada: smith | Basil: | Cleo: miller
    legal: [ask Cleo, woods smith]
    ! ask Basil -> CC-AMB-24
    > Ada: woods smith
    > Basil: ask Ada -> ... CC-AMB-6
CC-TRAV-1 in Travel a town does one of its three actions
    travel
    ! give miller to Basil -> CC-TRAV-2
    ! give baker to Ada -> CC-TRAV-2
    ! give baker to Hester -> CC-TRAV-2
    ! ask Ada -> CC-TRAV-3
    ! ask Hester -> CC-TRAV-3
    ! woods miller -> CC-TRAV-4
    ! hand baker -> CC-TRAV-1
    ! pick Basil -> CC-TRAV-1
    ! hat Basil -> CC-TRAV-1
CC-CHARM-3 on a Forked Path the hat acts twice, each action a line of its own
    travel -- cast: forked-path
    ! woods baker, woods love-rose -> TooFar: "woods love-rose" goes too far: the line ends before it, and then
        Ada is to act
    > Ada: ask Basil / Basil: hand wild / Ada: give wild to Cleo / Basil: woods miller
    turn: Cleo
    hand Cleo: wild smith
    > Cleo: ask Basil
    phase: hunt
CC-CURSE-3 a Wild Chase goes round twice, with one action each time
    travel -- cast: wild-chase, hat: Basil
    > Basil: ask Cleo / Cleo: ask Ada / Ada: hand baker / Ada: ask Cleo / Cleo: hand smith -> ... CC-CURSE-3
    turn: Basil
    lap: 2
    > Basil: woods wild / Cleo: ask Basil / Basil: hand miller / Ada: ask Basil
    phase: hunt
    picks left: 3

CC-HUNT-1 the Hunter makes two picks by chance (CC-HUNT-2), of one town twice, too (CC-HUNT-3)
    hunt Hester: | Ada: love-rose baker | Basil: miller wild | Cleo: smith fake parson
        -- draws: [pick smith, pick parson]
    legal: [pick Ada, pick Basil, pick Cleo]
    > Hester: pick Cleo, pass to Ada / Hester: pick Cleo, pass to Ada -> ... CC-HUNT-3 CC-HUNT-13
    hand Ada: love-rose baker smith parson
    hand Cleo: fake
    round: 2
CC-HUNT-4 a townsfolk card is passed to another town (CC-AMB-9)
    hunt Hester: | Ada: love-rose baker | Basil: miller | Cleo: smith -- draws: [pick baker]
    > Hester: pick Ada
    legal: [pass to Basil, pass to Cleo]
    ! pass to Ada -> CC-AMB-9
    ! pass to Hester -> CC-HUNT-4
    ! pick Basil -> CC-HUNT-4
    > Hester: pass to Cleo
    hand Ada: love-rose
    hand Cleo: baker smith
    ! pass to Cleo -> CC-HUNT-1
CC-HUNT-4 with two towns the card is passed on by itself
    hunt Hester: | Ada: love-rose baker | Basil: miller -- draws: [pick baker]
    > Hester: pick Ada -> ... CC-HUNT-4
    hand Basil: baker miller
    legal: [pick Ada, pick Basil]
CC-HUNT-5 a captured witch lies in front, and her town lays its hand under the deck in its order (CC-AMB-10)
    hunt Hester: | Ada: love-rose baker wild parson | Basil: miller | Cleo: smith -- draws: [pick love-rose]
    > Hester: pick Ada
    front: love-rose
    turn: Ada
    legal: [under wild, under baker, under parson]
    ! under love-rose -> CC-AMB-10
    ! give baker to Basil -> CC-HUNT-5
    ! under parson, under wild, under baker -> TooFar: "under baker" goes too far: the line ends before it,
        and then Hester is to act
    # The first that is laid is nearest the top; the last goes by itself.
    > Ada: under parson, under wild
    under: parson wild baker
    hidden: [[CC-AMB-10, Ada], [CC-AMB-10, Ada], [CC-AMB-10, Ada]]
CC-HUNT-15 the wild witch is captured like any other
    hunt Hester: | Ada: wild | Basil: miller | Cleo: smith -- draws: [pick wild]
    > Hester: pick Ada -> ... CC-HUNT-5 CC-HUNT-15
    front: wild
    under: ''
    turn: Hester
CC-WIN-3 the fifth witch wins at once (CC-HUNT-6, CC-AMB-17), with no hand under the deck and no second pick:
    for WITCH: wild, nature-fern
    hunt Hester: love-mabel love-viola crystal-opal crystal-beryl | Ada: WITCH baker | Basil: miller | Cleo: smith
        -- draws: [pick WITCH]
    > Hester: pick Ada -> ... CC-AMB-17 CC-HUNT-6 CC-WIN-3
    phase: over
    hand Ada: baker
    under: ''
    winners: [Hester]
    decided: [CC-WIN-3, CC-HUNT-6]
    ! pick Basil -> CC-WIN-3
CC-HUNT-6 with the fifth witch her town's hand goes nowhere, and the log does not say that it does
    hunt Hester: love-rose love-mabel crystal-opal crystal-beryl | Ada: nature-fern smith | Basil: miller
        -- draws: [pick nature-fern]
    > Hester: pick Ada
    says under the deck: false
    winners: [Hester]
CC-HUNT-11 the fake witch counts as one of the five afterwards (CC-HUNT-9)
    hunt Hester: fake love-viola crystal-opal crystal-beryl | Ada: wild baker | Basil: miller | Cleo: smith
        -- draws: [pick wild]
    > Hester: pick Ada -> ... CC-HUNT-11
    winners: [Hester]
CC-HUNT-8 for the fake witch, as the fourth, all others escape, after the town's hand and in their order (CC-AMB-25)
    hunt Hester: love-mabel love-viola crystal-opal | Ada: fake baker parson | Basil: miller | Cleo: smith
        -- draws: [pick fake]
    > Hester: pick Ada
    front: love-mabel love-viola crystal-opal fake
    turn: Ada
    loads back: true
    count CC-HUNT-10: 0
    > Ada: under parson -> ... CC-HUNT-8 CC-HUNT-9 CC-AMB-11 CC-AMB-25
    front: fake
    under: parson baker love-mabel love-viola crystal-opal
    count CC-HUNT-10: 0
    turn: Hester
    legal: [shuffle, leave]
CC-HUNT-10 the fake witch as the fifth in front stays alone too, and nobody wins
    hunt Hester: love-viola nature-ivy crystal-opal wild | Ada: fake baker parson | Basil: miller | Cleo: smith
        -- draws: [pick fake]
    > Hester: pick Ada -> ... CC-HUNT-10
    front: love-viola nature-ivy crystal-opal wild fake
    turn: Ada
    loads back: true
    > Ada: under parson -> ... CC-HUNT-8 CC-HUNT-9 CC-AMB-11 CC-AMB-25
    front: fake
    under: parson baker love-viola nature-ivy crystal-opal wild
    turn: Hester
    legal: [shuffle, leave]
CC-HUNT-8 the fake witch alone frees nobody
    hunt Hester: | Ada: fake | Basil: miller | Cleo: smith -- draws: [pick fake]
    > Hester: pick Ada -> no CC-HUNT-8
    front: fake
    under: ''
CC-AMB-26 the Hunter is asked after an escape too, though the town had no other card
    hunt Hester: wild love-rose | Ada: fake | Basil: miller | Cleo: smith -- draws: [pick fake]
    > Hester: pick Ada
    under: wild love-rose
    legal: [shuffle, leave]
CC-HUNT-7 a ritual stays in front, and the town keeps its hand (CC-HUNT-14)
    hunt Hester: | Ada: ritual-bell baker | Basil: miller | Cleo: smith -- draws: [pick ritual-bell]
    > Hester: pick Ada -> ... CC-HUNT-7 CC-HUNT-14
    front: ritual-bell
    hand Ada: baker
    legal: [pick Ada, pick Basil, pick Cleo]
CC-WIN-2 the second ritual wins for the towns at once (CC-HUNT-7, CC-AMB-17), on the first pick already
    hunt Hester: love-rose; ritual-bell | Ada: ritual-candles baker | Basil: miller | Cleo: smith
        -- draws: [pick ritual-candles]
    > Hester: pick Ada -> ... CC-AMB-17 CC-WIN-2
    winners: [Ada, Basil, Cleo]
    decided: [CC-WIN-2, CC-HUNT-7]
    ! pick Ada -> CC-WIN-2
CC-AMB-8 a town without cards is not picked, nor is the Hunter (CC-HUNT-2)
    hunt Hester: | Ada: | Basil: miller | Cleo: smith
    legal: [pick Basil, pick Cleo]
    ! pick Ada -> CC-AMB-8
    ! pick Hester -> CC-HUNT-2
    ! under miller -> CC-HUNT-1
CC-AMB-29 a pick that cannot be made is skipped (CC-AMB-8): the only card in hand is a witch
    hunt Hester: | Ada: love-rose | Basil: | Cleo: -- draws: [pick love-rose, Ada baker, Basil miller, Cleo smith]
    > Hester: pick Ada -> ... CC-AMB-8 CC-AMB-29 CC-HUNT-13
    round: 2
CC-AMB-30 before the last round is over the game goes on
    hunt Hester: | Ada: baker | Basil: miller | Cleo: smith
        -- draws: [pick baker, Ada cooper], picks: 1, first: Ada, round: 2, options: {rounds: 3}
    > Hester: pick Ada / Hester: pass to Basil
    phase: census
CC-AMB-30 nobody wins after the last round
    hunt Hester: | Ada: baker | Basil: miller | Cleo: smith
        -- draws: [pick baker, Ada cooper], picks: 1, first: Ada, round: 3, options: {rounds: 3}
    > Hester: pick Ada / Hester: pass to Basil
    phase: over
    winners: []
    decided: [CC-AMB-30]
    ! hat Ada -> CC-AMB-30
CC-CHARM-2 in a Looking-Glass the second pick falls on another town
    hunt Hester: | Ada: love-rose crystal-opal baker | Basil: miller | Cleo: smith
        -- draws: [pick baker], cast: looking-glass
    > Hester: pick Ada, pass to Cleo
    legal: [pick Basil, pick Cleo]
    ! pick Ada -> CC-CHARM-2
CC-CHARM-2 in a Looking-Glass a second pick may have to be skipped; as a town has cards, it is not for CC-AMB-8
    hunt Hester: | Ada: ritual-bell love-rose | Basil: | Cleo:
        -- draws: [pick ritual-bell, Basil baker, Cleo smith], cast: looking-glass
    > Hester: pick Ada -> no CC-AMB-8 CC-AMB-29
    reads Ada: ... / Only the first town has cards, so the second pick is skipped. / ...
    phase: census
    round: 2
CC-CURSE-1 a Nightmare has one pick and empties the town, for a townsfolk card that is passed on
    hunt Hester: | Ada: baker parson teacher | Basil: miller | Cleo: smith
        -- draws: [pick baker, Ada cooper], cast: nightmare
    > Hester: pick Ada / Hester: pass to Cleo
    hand Cleo: baker smith
    > Ada: under teacher
    hand Ada: ''
    under: teacher parson
    legal: [shuffle, leave]
    > Hester: leave / Hester: leave
    phase: census
    round: 2
CC-CURSE-1 a Nightmare empties the town for a ritual and a witch too:
    for CARD: ritual-bell, love-rose
    hunt Hester: | Ada: CARD parson teacher | Basil: miller | Cleo: smith
        -- draws: [pick CARD, Ada cooper], cast: nightmare
    > Hester: pick Ada / Ada: under teacher
    hand Ada: ''
    under: teacher parson
    legal: [shuffle, leave]
    > Hester: leave / Hester: leave
    phase: census
    round: 2
CC-CURSE-2 a Broken Mirror saves a witch, who goes under the deck after the hand, and nobody escapes:
    for WITCH: love-rose, wild, fake
    hunt Hester: love-mabel love-viola crystal-agatha nature-ivy | Ada: WITCH parson teacher | Basil: miller
        | Cleo: smith -- draws: [pick WITCH], cast: broken-mirror
    > Hester: pick Ada / Ada: under teacher
    front: love-mabel love-viola crystal-agatha nature-ivy
    under: teacher parson WITCH
CC-CURSE-2 a Broken Mirror saves a witch who is alone:
    for WITCH: love-rose, wild, fake
    hunt Hester: love-mabel love-viola crystal-agatha nature-ivy | Ada: WITCH | Basil: miller | Cleo: smith
        -- draws: [pick WITCH], cast: broken-mirror
    > Hester: pick Ada
    front: love-mabel love-viola crystal-agatha nature-ivy
    under: WITCH
CC-AMB-29 in a Nightmare a second ritual wins before the hand goes
    hunt Hester: ; ritual-bell | Ada: ritual-candles baker | Basil: miller | Cleo: smith
        -- draws: [pick ritual-candles], cast: nightmare
    > Hester: pick Ada -> ... CC-AMB-29
    hand Ada: baker
    under: ''
    decided: [CC-WIN-2, CC-HUNT-7]
CC-CURSE-2 a Broken Mirror changes nothing for rituals and townsfolk
    hunt Hester: | Ada: ritual-bell baker parson | Basil: miller | Cleo: smith
        -- draws: [pick ritual-bell, pick baker], cast: broken-mirror
    > Hester: pick Ada / Hester: pick Ada
    front: ritual-bell
    legal: [pass to Basil, pass to Cleo]
CC-CURSE-3 a Wild Chase has three picks, and all may be of one town by its own rule, not by CC-HUNT-3
    hunt Hester: | Ada: baker miller smith parson | Basil: cooper | Cleo: teacher
        -- draws: [pick baker, pick miller, pick smith], cast: wild-chase
    > Hester: pick Ada / Hester: pass to Basil / Hester: pick Ada / Hester: pass to Basil -> no CC-HUNT-3
    told CC-CURSE-3: The Hunter may pick from Ada again.
    phase: hunt
    > Hester: pick Ada / Hester: pass to Basil -> no CC-HUNT-3
    told CC-CURSE-3: The Hunter may pick from Ada again.
    phase: census
    hand Basil: baker miller smith cooper
CC-ROUND-1 the phases have their order: in a Census nothing else is done
    Hester: | Ada: baker | Basil: miller | Cleo: smith
    ! pick Ada -> CC-ROUND-1
    ! woods baker -> CC-ROUND-1
    ! shuffle -> CC-AMB-26
CC-TRAV-6 a refusal and a score tell how many cards there are
    travel Hester: | Ada: love-rose | Basil: miller wild | Cleo: smith
    ! give love-rose to Basil -> CC-TRAV-6
    facts CC-TRAV-6: {town: Ada, hand: 1}
    roles: [[hunter, 0], [town, 1], [town, 2], [town, 1]]

# Who knows what: after an Arrival, Ada has got the cooper, Basil the parson, Cleo the teacher.
CC-AMB-18 what was shown and what arrived is known: the Hunter knows every new card, a town only its own (CC-ARR-3)
    arrived
    known Hester: [love-rose baker cooper, wild miller parson, smith teacher]
    known Ada: [love-rose baker cooper, wild miller, smith]
    known Cleo: [love-rose baker, wild miller, smith teacher]
    knows woods: ['?', '?', '?', '?']
CC-TRAV-5 a gift may have been any card of the giver for those who do not see it, and the receiver loses nothing
    arrived
    > Ada: give baker to Basil
    known Hester: ['', wild miller parson, smith teacher]
    known Ada: [love-rose cooper, wild baker miller, smith]
    known Basil: [love-rose, wild baker miller parson, smith]
    known Cleo: ['', wild miller, smith teacher]
CC-TRAV-3 what is known after an answer: Basil hands the parson to Ada (CC-TRAV-5)
    arrived
    > Ada: ask Basil / Basil: hand parson
    known Hester: [love-rose baker cooper, '', smith teacher]
    known Ada: [love-rose baker parson cooper, wild miller, smith]
    known Basil: [love-rose baker parson, wild miller, smith]
    known Cleo: [love-rose baker, '', smith teacher]
CC-AMB-4 asking a town with one card moves nothing, and all know
    travel -- history: [shown Ada love-rose baker, shown Basil miller wild, shown Cleo smith]
    > Ada: ask Cleo
    known Hester: [love-rose baker, wild miller, smith]
    last deed: asked
CC-SETUP-4 of the woods the Hunter knows the first card; who swaps knows both; of a single card all know (CC-TRAV-4)
    travel -- history: [hidden gravedigger, shown Ada love-rose baker, shown Basil miller wild, shown Cleo smith],
        hat: Cleo
    knows woods: [gravedigger, '?', '?', '?']
    > Cleo: woods smith
    knows woods: [smith, smith, smith, smith]
    knows Cleo: [gravedigger, '', '', gravedigger]
    > Ada: woods baker
    knows woods: ['?', baker, '?', '?']
    knows Ada: [smith, love-rose smith, smith, smith]
CC-AMB-10 of a discard the town knows the order; a single card that lay open before is known to all (CC-AMB-18)
    hunt Hester: | Ada: love-rose baker parson | Basil: wild | Cleo: nature-ivy smith
        -- draws: [pick love-rose, pick nature-ivy],
        history: [shown Ada love-rose baker parson, shown Basil wild, shown Cleo nature-ivy smith]
    > Hester: pick Ada / Ada: under parson
    knows under: ['? ?', parson baker, '? ?', '? ?']
    > Hester: leave / Hester: pick Cleo
    knows under: ['? ? smith', parson baker smith, '? ? smith', '? ? smith']
CC-SETUP-7 nobody knows anything of a shuffled deck
    hunt Hester: | Ada: love-rose baker parson | Basil: wild | Cleo: smith -- draws: [pick love-rose]
    > Hester: pick Ada / Ada: under parson / Hester: shuffle
    knows under: ['', '', '', '']
    under: ''
CC-AMB-25 everybody has seen who escapes, but not the town's cards under the deck
    hunt Hester: love-mabel love-viola | Ada: fake baker parson | Basil: miller | Cleo: smith -- draws: [pick fake]
    > Hester: pick Ada / Ada: under parson
    knows under: ['? ? love-mabel love-viola', parson baker love-mabel love-viola, '? ? love-mabel love-viola',
        '? ? love-mabel love-viola']
CC-AMB-9 picks lie open: a townsfolk card passed on is known, the rest as uncertain as before (CC-HUNT-2)
    arrived -- draws: [pick smith]
    > Ada: give baker to Basil / Basil: woods miller / Cleo: ask Ada / Ada: hand cooper
    > Hester: pick Cleo, pass to Ada
    known Hester: [smith, '', teacher]
    known Basil: [smith, wild baker parson gravedigger, '']
CC-CENSUS-2 a Census makes every hand certain
    arrived -- draws: [pick smith, pick parson]
    > Ada: give baker to Basil / Basil: woods miller / Cleo: woods teacher
    > Hester: pick Cleo, pass to Ada / Hester: pick Basil, pass to Ada
    hands: [love-rose smith parson cooper, wild baker gravedigger, miller]
    known Hester: [love-rose smith parson cooper, wild baker gravedigger, miller]
    known Ada: [love-rose smith parson cooper, wild baker gravedigger, miller]
    known Basil: [love-rose smith parson cooper, wild baker gravedigger, miller]
    known Cleo: [love-rose smith parson cooper, wild baker gravedigger, miller]
without a history a seat knows what lies open and its own hand
    travel
    known Ada: [love-rose baker, '', '']
    known Hester: ['', '', '']

CC-SETUP-4 the set-up draws the woods first, and then for town after town (CC-SETUP-5)
    new 3 -- draws: [woods baker, Ada miller love-rose, Basil wild fake]
    hands: [love-rose miller, wild fake]
    woods: baker
    tiles: {cradle: charm, mirror: charm, path: charm}
    hidden: [[CC-SETUP-4, Hester], [CC-SETUP-5, Ada], [CC-SETUP-5, Basil]]
    reads Ada: ... / Hester looks at a card and hides it in the woods. / ...
CC-TRAV-7 with two cards in the deck two empty towns draw in the Census
    hunt all Hester: | Ada: | Basil: love-rose | Cleo:
        -- out: wild love-mabel, draws: [pick love-rose, Ada wild, Basil love-mabel], picks: 1, first: Ada
    > Hester: pick Basil -> no CC-TRAV-7
    hand Ada: wild
    hand Basil: love-mabel
CC-TRAV-7 with one card in the deck the first empty town draws it in the Census, and the second one none
    hunt all Hester: | Ada: | Basil: love-rose | Cleo: love-mabel
        -- out: wild, draws: [pick love-rose, Ada wild], picks: 1, first: Ada
    > Hester: pick Basil -> ... CC-TRAV-7
    hand Ada: wild
    hand Basil: ''
    reads Cleo: ... / Basil shows no cards. / ...
CC-CHARM-1 under a Lullaby the Hunter still chooses for the others from a card for each (CC-ARR-2)
    Hester: ; ritual-bell | Ada: love-rose nature-fern | Basil: baker | Cleo: smith
        -- draws: [Basil fake, tray wild cooper], cast: lullaby, under: [miller]
    > Ada: hat Basil
    turn: Hester
    hand Basil: baker
    > Hester: leave
    legal: [shuffle, leave]
    hand Basil: fake baker
    served: [Basil]
    loads back: true
    > Hester: leave
    legal: [deal wild, deal cooper]
    service: [2, 1, 3]
    written deal cooper: [deal cooper, deal cooper, 'deal ?', 'deal ?']
    ! deal nothing -> CC-AMB-28
    ! pick Ada -> CC-ARR-2: Hester must now give Ada one of 2 cards
    > Hester: deal cooper
    hands: [love-rose nature-fern cooper, fake baker, wild smith]
    phase: travel
CC-AMB-26 who laid a card under the deck knows who draws it, if nobody shuffles
    full parson smith
        -- under: [parson, smith], history: [laid-under Basil parson, laid-under Basil smith], hat: Cleo
    > Cleo: hat Cleo / Hester: leave
    sure Ada parson: [Hester, Ada, Basil]
CC-ARR-2 in an Arrival of choice the Hunter alone sees the tray, and each town its own card (CC-ARR-3)
    Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith -- draws: [tray wild fake cooper], hat: Cleo
    > Cleo: hat Cleo / Hester: deal cooper
    tray Hester: [wild, fake]
    tray Ada: [unseen, unseen]
    knows Ada: [love-rose cooper, love-rose cooper, love-rose, love-rose]
CC-TRAV-5 a position as a seat knows it has a question mark for each other card, and of the deck only the number
    arrived
    > Ada: give baker to Basil
    shown Cleo seats.Ada.hand: ['?', '?']
    shown Cleo seats.Basil.hand: [wild, miller, '?', '?']
    shown Cleo seats.Cleo.hand: [smith, teacher]
    shown Cleo woods: '?'
    shown Cleo under: []
    shown Cleo deck: 18
    shown Cleo history: nothing
    shown Basil seats.Ada.hand: [love-rose, '?']
    shown Hester seats.Basil.hand: [wild, miller, parson, '?']
CC-ARR-2 a position as a seat knows it hides the tray
    Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith
        -- phase: arrival, tray: [wild, fake], served: [Ada]
    shown Hester tray: [wild, fake]
    shown Basil tray: ['?', '?']
CC-AMB-10 a position as a seat knows it hides discards
    hunt Hester: | Ada: love-rose baker parson | Basil: wild | Cleo: smith -- draws: [pick love-rose]
    > Hester: pick Ada / Ada: under parson
    shown Ada under: [parson, baker]
    shown Hester under: ['?', '?']

# Who gives and who gets may read a card; of a refused line nothing has happened, so only its writer may.
CC-TRAV-5 who gives and who gets read a gift
    travel
    written give baker to Basil: ['give ? to Basil', give baker to Basil, give baker to Basil, 'give ? to Basil']
CC-TRAV-5 who exchanges reads the card that goes to the woods
    travel
    written woods baker: ['woods ?', woods baker, 'woods ?', 'woods ?']
CC-TRAV-5 who is asked and who asks read the card that is handed over
    travel -- asked: Basil
    written hand wild: ['hand ?', hand wild, hand wild, 'hand ?']
CC-TRAV-6 of the last card, which is refused, only the writer reads
    travel -- acted: 2
    written give smith to Ada: ['give ? to Ada', 'give ? to Ada', 'give ? to Ada', give smith to Ada]
CC-TRAV-1 of two actions, which are refused, only the writer reads
    travel
    written give baker to Basil, woods love-rose: ['give ? to Basil, woods ?', 'give baker to Basil, woods love-rose',
        'give ? to Basil, woods ?', 'give ? to Basil, woods ?']
CC-AMB-10 who lays a card under the deck reads it
    hunt Hester: wild | Ada: fake baker | Basil: smith -- emptying: Ada, picks: 1
    written under baker: ['under ?', under baker, 'under ?']
CC-ARR-3 each town reads the card that it gets; nobody reads a line that is too long
    Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith -- phase: arrival, tray: [wild, fake, cooper]
    written deal fake, deal wild: ['deal fake, deal wild', 'deal fake, deal ?', 'deal ?, deal wild', 'deal ?, deal ?']
    written Ada deal fake, deal wild, deal cooper: deal ?, deal ?, deal ?
    written Ada deal fake, deal fake: deal ?, deal ?
    written Basil deal nothing, deal fake: deal nothing, deal ?
CC-ARR-3 each town reads the card that it gets of fewer cards than towns
    all Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith
        -- out: wild fake, phase: arrival, tray: [wild, fake]
    written Cleo deal wild, deal nothing: deal ?, deal nothing
    written Cleo deal wild, deal nothing, deal fake: deal ?, deal nothing, deal ?
    written Basil deal nothing, deal fake: deal nothing, deal fake

a position has defaults: round 1, the Census, the hat before the first town, charms up, and the deck is the rest
    Hester: | Ada: baker | Basil: miller | Cleo: smith
    phase: census
    round: 1
    hat: Ada
    to-act: Ada
    tiles: {cradle: charm, mirror: charm, path: charm}
    decked: 23
    history: [shown Ada baker, shown Basil miller, shown Cleo smith]
# A finished position tells who has won, as the table tells, or as it is written.
CC-WIN-1 a coven
    Hester: | Ada: love-rose love-mabel wild | Basil: | Cleo: -- phase: over
    winners: [Ada, Basil, Cleo]
    turn: nobody
CC-WIN-2 two rituals
    Hester: ; ritual-bell ritual-candles | Ada: | Basil: | Cleo: -- phase: over
    winners: [Ada, Basil, Cleo]
    turn: nobody
CC-WIN-3 five captures
    Hester: love-rose love-mabel crystal-opal crystal-beryl wild | Ada: | Basil: | Cleo: -- phase: over
    winners: [Hester]
    turn: nobody
CC-AMB-30 nobody
    Hester: | Ada: baker | Basil: | Cleo: -- phase: over, round: 3, options: {rounds: 3}
    winners: []
    turn: nobody
CC-WIN-3 five captures, though there is a coven too
    Hester: love-rose love-mabel crystal-opal crystal-beryl wild | Ada: love-viola nature-fern nature-ivy nature-hazel
        | Basil: | Cleo: -- phase: over, won: captures
    winners: [Hester]
    turn: nobody
CC-WIN-1 a score has three columns: witches are the Hunter's (CC-WIN-3), rituals and covens the towns' (CC-WIN-2)
    hunt Hester: love-rose love-mabel; ritual-bell | Ada: wild love-viola | Basil: fake | Cleo: smith
    columns Hester: {witches: 2, rituals: 0, coven: 0}
    columns Ada: {witches: 0, rituals: 1, coven: 2}
    columns Basil: {witches: 0, rituals: 1, coven: 0}
    columns Cleo: {witches: 0, rituals: 1, coven: 0}
    ruled Ada: [CC-WIN-3, CC-WIN-2, CC-WIN-1]
CC-WIN-2 a tally counts spells and captured witches, and with which spells the towns have won
    hunt Hester: fake; ritual-bell | Ada: ritual-candles | Basil: wild | Cleo: smith
        -- draws: [pick wild, pick ritual-candles], round: 3, history: [cast Ada lullaby, flipped cradle,
        cast Basil nightmare, picked Ada fake, caught fake]
    > Hester: pick Basil / Hester: pick Ada
    tally: {ending: two rituals, rounds: 3, charms cast: 1, curses cast: 1, the straw witch: caught}
    lost: [[Witch Hunter, 0], [town, 1], [town, 1], [town, 0]]
    won with: {Lullaby: [1, 1], Looking-Glass: [0, 0], Forked Path: [0, 0], Nightmare: [1, 1], Broken Mirror: [0, 0],
        Wild Chase: [0, 0]}
CC-WIN-3 a tally tells of five witches caught, so a spell is not won with
    Hester: love-rose love-mabel crystal-opal crystal-beryl wild | Ada: baker | Basil: | Cleo:
        -- phase: over, history: [cast Ada wild-chase]
    ended: five witches caught, the straw witch free
    won with Wild Chase: [1, 0]
CC-WIN-1 a tally tells of a coven, so a spell is won with
    Hester: | Ada: love-rose love-viola wild | Basil: | Cleo: -- phase: over, history: [cast Ada wild-chase]
    ended: a coven, the straw witch free
    won with Wild Chase: [1, 1]
CC-AMB-30 a tally tells that nobody wins, so a spell is not won with
    Hester: fake | Ada: baker | Basil: | Cleo:
        -- phase: over, round: 2, options: {rounds: 2}, history: [cast Ada wild-chase]
    ended: nobody wins, the straw witch caught
    won with Wild Chase: [1, 0]
"""


def shown(state, words):
    """What a seat is shown at a place of the position."""
    name, place = words.split()
    seen = game.seen(state, state.seats.index(name))
    return part(seen, place) if place.split(".")[0] in seen else "nothing"


def read_by(state, line):
    """A line as each seat reads it, or as the one that is named before it."""
    name, _, rest = line.partition(" ")
    if name in state.seats:
        return game.write(game.read(rest, state), state, state.seats.index(name))
    return [game.write(game.read(line, state), state, seat) for seat in range(len(state.seats))]


def won_with(state, words):
    """How many games had a spell, and were won by the towns: of the one that is named, or of all."""
    trials = game.tally(state).trials["games with the spell, and won by the towns"]
    spell = words.removeprefix("with").strip()
    return trials[spell] if spell else dict(trials)


QUESTIONS = {
    "hand": hand,
    "hands": lambda state, _: [hand(state, name) for name in state.seats[1:]],
    "holds": lambda state, card: next((name for name in state.seats if card in hand(state, name).split()), "nobody"),
    "under": under,
    "front": front,
    "pool": lambda state, card: card in state.pool,
    "most": lambda state, name: state.most_of_a_suit(state.seats.index(name)),
    "picks": lambda state, _: state.picks_allowed(),
    "has": lambda state, key: key in state.position(),
    "heard": lambda state, _: state.view(1).talk,
    "known": known_hands,
    "knows": lambda state, place: [known(state, name)[place] for name in state.seats],
    "last": lambda state, _: state.view(0).log[-1][0].word,
    "loads": lambda state, _: state.key() == game.load(FACTS, state.position()).key(),
    "service": lambda state, _: state.view(0).service,
    "sure": lambda state, words: [
        name for name in state.seats if words.split()[1] in known(state, name)[words.split()[0]].split()
    ],
    "tray": lambda state, name: [
        "unseen" if card == UNSEEN else BOX.ids[card] for card in state.view(state.seats.index(name)).tray
    ],
    "shown": shown,
    "written": read_by,
    "decked": lambda state, _: len(state.position()["deck"]),
    "columns": lambda state, name: dict(score_of(state, name).columns),
    "ruled": lambda state, name: [line.rule for line in score_of(state, name).lines],
    "tally": lambda state, _: dict(game.tally(state).game),
    "lost": lambda state, _: [[seat["role"], seat["witches lost"]] for seat in game.tally(state).seats],
    "ended": lambda state, _: "{ending}, the straw witch {the straw witch}".format_map(game.tally(state).game),
    "won": won_with,
    "roles": lambda state, _: [[score.facts["role"], score.facts["hand"]] for score in state.score()],
}


@pytest.mark.parametrize("story", stories(STORIES))
def test_a_story_goes_as_it_is_written(story):
    """Census, spells, talk and hat, Arrival, shuffling, Travel, Hunt, and who knows what."""
    if story.given.startswith("new "):
        opening, draws = [], flow(story.given.partition("--")[2])["draws"]
        state = game.start(FACTS, NAMES[: int(story.given.split()[1])], {}, script(*draws), opening)
    else:
        state, opening = position(story.given), ()

    assert_followed(game, state, story.steps, opening, **QUESTIONS)


# Census


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
    state = table(f"Hester: | Ada: {cards} | Basil: innkeeper | Cleo: smith", **record)

    assert rule == refused(state, line)


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


# Shuffling

NOT_ASKED = """
Hester: / Ada: love-rose / Basil: baker miller / Cleo: smith
travel Hester: / Ada: love-rose / Basil: baker miller / Cleo: smith
hunt Hester: / Ada: love-rose / Basil: baker miller / Cleo: smith
travel Hester: / Ada: love-rose / Basil: baker miller / Cleo: smith -- asked: Basil
travel Hester: / Ada: love-rose / Basil: baker miller / Cleo: smith -- under: [wild]
Hester: ; ritual-bell / Ada: love-rose / Basil: baker miller / Cleo: smith
    -- phase: arrival, tray: [wild, teacher, parson]
hunt Hester: / Ada: love-rose / Basil: baker miller / Cleo: smith -- picks: 1, taken: {card: teacher, from: Ada}
"""


@pytest.mark.parametrize("given", rows(NOT_ASKED))
def test_to_shuffle_is_not_asked_for_everywhere_and_never_forbidden(given):
    """CC-AMB-26, CC-SETUP-7: the engine takes a shuffle only when it has asked, and says that the Hunter may."""
    state = position(given.replace("/", "|"))

    for line in ("shuffle", "leave"):
        refusal = state.why_not(game.read(line, state)[0])

        assert "CC-AMB-26" == refusal.rule
        assert refusal.because.startswith("not asked here: ")
        assert refusal.because.endswith("at the table the Hunter may shuffle at any time (CC-SETUP-7)")


# Travel


def test_a_refusal_tells_nothing_about_other_hands():
    """The same words whoever has the card: miller lies with Basil, parson in the deck."""
    state, words = travel(), set()
    for card in ("miller", "parson", "gravedigger"):
        words.add(str(state.why_not(game.read(f"woods {card}", state)[0])).replace(BOX.names[NUMBER[card]], ""))

    assert 1 == len(words)


# Who knows what


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


EMPTY = """
travel -- history: []
hunt Hester: wild; ritual-bell / Ada: love-rose baker / Basil: miller / Cleo: smith -- history: []
hunt Hester: / Ada: love-rose baker / Basil: miller / Cleo: smith
    -- picks: 1, taken: {card: cooper, from: Ada}, history: []
Hester: ; ritual-bell / Ada: love-rose / Basil: baker / Cleo: smith
    -- phase: arrival, tray: [wild, fake, cooper], history: []
"""


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("given", rows(EMPTY))
def test_with_an_empty_history_a_seat_still_sees_what_it_sees(given, seat):
    """Its own hand, what lies in front of the Hunter, the card shown, and the Hunter its tray."""
    state = position(given.replace("/", "|"))
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
        ("Hello", """put spoken words in double quotes of their own: '"Hello"'"""),
        ("woods dragon", '"dragon" is no card of this game; a card is written like love-rose or "Rose of love"'),
        ("giv baker to Ada", 'did you mean "give"'),
        ("give baker", "does not say who gets it"),
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
    state = table("Hester: | Ada: baker | Basil: miller | Cleo: smith")
    with pytest.raises(Unreadable) as error:
        game.read(text, state)

    assert told in str(error.value)


def test_a_part_of_a_name_may_mean_several_cards():
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


# Positions


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
    assert [("miller", '"miller" also means baker')] == misspelt(baker={"occupation": "miller"})
    assert [("smith", '"mx baker" also means baker')] == misspelt(smith={"name": "Mx Baker"})
    assert [("nothing", '"nothing" also means the word for no card')] == misspelt(
        nothing={"name": "No One", "occupation": "nobody"}
    )


def test_talk_is_a_part_of_a_position():
    """Two tables at which other words were said are not the same."""
    seats = "Hester: | Ada: baker smith | Basil: miller parson"
    quiet, loud = table(seats, phase="census"), table(seats, phase="census", talk=["Ada: Nothing to see here."])

    assert quiet.history == loud.history
    assert quiet.key() != loud.key()


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


MISFITS = """
phase: hunt, picks: 1, taken: {card: cooper, from: Ada}, shuffle: yes, under: [wild]
    | shuffle | cooper is still to be passed on
Hester: wild / Ada: baker cooper / Basil: miller / Cleo: smith -- phase: hunt, picks: 1, emptying: Ada, shuffle:
        yes, under: [fake] | shuffle | is putting its hand under the deck
Hester: / Ada: baker / Basil: baker / Cleo: smith -- | seats.Basil.hand.0 | baker is in two places
Hester: / Ada: gravedigger / Basil: baker / Cleo: smith -- | woods | is in two places
under: [smith] | under.0 | is in two places
deck: [smith, love-rose, love-mabel, love-viola, crystal-opal, crystal-beryl, crystal-agatha, nature-hazel,
        nature-fern, nature-ivy, wild, fake, midwife, parson, innkeeper, teacher, shepherd, fiddler, laundress,
        beekeeper, cooper, ritual-candles, ritual-bell, ritual-cauldron] | deck.0 | is in two places
deck: [wild] | deck | cards that are nowhere
Hester: / Ada: bakr / Basil: miller / Cleo: smith -- | seats.Ada.hand.0 | is no card of this game
tiles: {moon: charm} | tiles.moon | unknown key
cast: sleep | cast | is not known here
sun: up | sun | unknown key
hat: Zed | hat | is not a seat here
hat: Hester | hat | is the Witch Hunter
Hester: / Ada: baker -- | seats | wrong number of seats
Hester: baker / Ada: / Basil: miller / Cleo: smith -- | seats.Hester.witches.0 | is not a witch
Hester: ; wild / Ada: baker / Basil: miller / Cleo: smith -- | seats.Hester.rituals.0 | is not a ritual
Hester: / Ada: love-rose nature-ivy / Basil: miller / Cleo: smith -- cast: lullaby, tiles: {cradle: curse}
    | tiles.cradle | its curse is up
Hester: / Ada: love-rose nature-ivy / Basil: miller / Cleo: smith -- cast: lullaby, options: {tiles: no-cradle}
    | cast | is on the tile "cradle"
tiles: {path: curse}, options: {tiles: none} | tiles.path | is not in play
picks: 1 | picks | means nothing in phase census
tray: [wild] | tray | means nothing in phase census
talk: ["Ada: hm"], phase: travel | talk | means nothing in phase travel
to-act: Basil | to-act | is not to act here
phase: arrival |  | nobody has a choice in this Arrival
Hester: ; ritual-bell / Ada: baker / Basil: miller / Cleo: smith -- phase: arrival, tray: [wild, fake, cooper,
        parson] | tray | wrong number of cards
Hester: ; ritual-bell / Ada: baker / Basil: miller / Cleo: smith -- phase: arrival, tray: [wild, fake], served:
        [Basil] | served | are not the first towns
Hester: ; ritual-bell / Ada: baker / Basil: miller / Cleo: smith -- phase: arrival, tray: [wild], under: [fake],
        shuffle: yes | tray | means nothing while the Hunter is asked
phase: arrival, served: [Ada, Basil, Cleo], under: [fake], shuffle: yes | served | every town is served
Hester: ; ritual-bell / Ada: love-rose nature-fern / Basil: baker / Cleo: smith -- phase: arrival, cast:
        lullaby, hat: Basil, served: [Ada], tray: [wild, fake] | served | are not the first towns
phase: travel, acted: 3 | acted | too many
Hester: / Ada: / Basil: / Cleo: -- phase: travel | seats | no town has cards
Hester: / Ada: baker wild / Basil: miller / Cleo: smith -- phase: travel, asked: Ada | asked | and it asks another town
phase: hunt, picks: 1 |  | "first" is missing
Hester: / Ada: / Basil: / Cleo: -- phase: hunt | seats | no town can be picked from
phase: over |  | "won" is missing
phase: over, won: coven | won | is not what the table shows
phase: over, won: nobody | won | a game does not end like this here
history: [gave Ada smith] | history.0 | cannot be read
history: [gave Ada Basil wild] | history.0 | cannot have happened
history: [shown Ada wild, gave Basil Ada baker] | history.0 | cannot have happened
under: [wild, fake], history: [laid-under Ada wild] | history.0 | cannot have happened
history: [swapped Ada baker gravedigger] | history.0 | cannot have happened
"""

DOUBTS = """
phase: hunt, picks: 1, first: Basil, taken: {card: cooper, from: Ada} | first | the first pick is under way
phase: hunt, picks: 2, first: Ada, cast: looking-glass, taken: {card: cooper, from: Ada}
    | taken | both picks are made from Ada
Hester: wild fake / Ada: baker / Basil: miller / Cleo: smith -- | seats.Hester.witches | came after others
Hester: / Ada: / Basil: miller / Cleo: smith -- | seats.Ada.hand | has no cards, and the deck has some
cast: lullaby | cast | nobody shows the icons
Hester: love-rose love-mabel crystal-opal crystal-beryl wild / Ada: baker / Basil: miller / Cleo: smith --
        phase: over, round: 4, options: {rounds: 3} | round | round 4 cannot be
Hester: / Ada: / Basil: miller / Cleo: smith -- shuffle: yes | shuffle | shuffling would change nothing
shuffle: yes, under: [wild] | shuffle | every town has cards
Hester: / Ada: / Basil: miller / Cleo: smith -- shuffle: yes, under: [wild], talk: ["Ada: hm"]
    | talk | means nothing while the Hunter is asked
phase: arrival, tray: [wild, fake] | tray | the Hunter does not choose in this Arrival
Hester: ; ritual-bell / Ada: baker / Basil: miller / Cleo: smith -- phase: arrival, tray: [wild], served: [Ada,
        Basil] | tray | there is no choice with
Hester: ; ritual-bell / Ada: baker / Basil: miller / Cleo: smith -- phase: arrival, served: [Ada], under:
        [fake], shuffle: yes | served | no other town is served yet
Hester: ; ritual-bell / Ada: love-rose nature-fern / Basil: baker / Cleo: smith -- phase: arrival, cast:
        lullaby, hat: Basil, tray: [wild, fake] |  | "served" is missing
Hester: ; ritual-bell / Ada: love-rose nature-fern / Basil: baker / Cleo: smith -- phase: arrival, cast:
        lullaby, hat: Basil, served: [Basil, Ada], shuffle: yes, under: [wild] | served | no other town is served yet
phase: travel, lap: 2 | lap | goes round once
phase: travel, again: yes | again | no town has a second action
phase: travel, again: yes, cast: forked-path, acted: 1 | again | no town has a second action
phase: travel, asked: Basil | asked | has 1 card, and nothing to choose
phase: hunt, picks: 3, first: Ada, shuffle: yes, under: [wild] | picks | too many
phase: hunt, picks: 2, first: Ada | picks | all 2 picks have been made
phase: hunt, first: Ada | first | no pick has been made
phase: hunt, taken: {card: cooper, from: Ada} | taken | no pick has been made
phase: hunt, picks: 1, taken: {card: wild, from: Ada} | taken.card | the Hunter does not pass on wild
Hester: / Ada: baker / Basil: miller -- phase: hunt, picks: 1, taken: {card: cooper, from: Ada}
    | taken | there is no choice with 2 towns
Hester: wild / Ada: baker / Basil: miller / Cleo: smith -- phase: hunt, picks: 1, emptying: Ada
    | emptying | has 1 card, and nothing to choose
Hester: / Ada: baker cooper / Basil: miller / Cleo: smith -- phase: hunt, picks: 1, emptying: Ada
    | emptying | no witch lies in front
Hester: wild / Ada: baker cooper / Basil: miller / Cleo: smith -- phase: hunt, picks: 1, emptying: Ada, taken:
        {card: parson, from: Ada} | taken | is putting its hand under the deck
Hester: / Ada: baker cooper / Basil: miller / Cleo: smith -- phase: hunt, picks: 1, emptying: Ada, cast:
        broken-mirror |  | "taken" is missing
Hester: / Ada: baker cooper / Basil: miller / Cleo: smith -- phase: hunt, picks: 1, emptying: Ada, cast:
        broken-mirror, taken: {card: parson, from: Ada} | taken.card | is not a witch
Hester: / Ada: baker cooper / Basil: miller / Cleo: smith -- phase: hunt, picks: 1, emptying: Ada, cast:
        broken-mirror, taken: {card: wild, from: Basil} | taken.from | is putting its hand under the deck
phase: hunt, shuffle: yes, under: [wild] | shuffle | no pick has been made
"""


def odd(given):
    """The record of a row in the tables above; where it says nothing of seats, each of three towns has a card."""
    seats, found, record = given.partition("--")
    if not found:
        seats, record = "Hester: / Ada: baker / Basil: miller / Cleo: smith", given
    return record_of(seats.replace("/", "|"), **flow(record))


@pytest.mark.parametrize(("given", "where", "what"), rows(MISFITS))
def test_a_position_that_cannot_be_is_refused(given, where, what):
    """Each misfit has its place, and says what would be right."""
    with pytest.raises(Misfits) as error:
        game.load(FACTS, odd(given))
    (misfit,) = error.value.misfits

    assert where == ".".join(map(str, misfit.at))
    assert what in misfit.message


@pytest.mark.parametrize(("given", "where", "what"), rows(DOUBTS))
def test_a_position_that_could_not_have_arisen_is_doubted(given, where, what):
    """It loads, with one doubt: at its place, and with what would be right."""
    (doubt,) = game.doubts(game.load(FACTS, odd(given)))

    assert where == ".".join(map(str, doubt.at))
    assert what in doubt.message
    assert doubt.hint


@pytest.mark.slow("plays dozens of games")
@seeded(1)
@pytest.mark.parametrize("given", [row.values[0] for row in rows(DOUBTS)])
def test_a_doubted_position_is_gone_on_with(given, seed):
    """It is played, seen, imagined, told and written like any other, to the end of a game."""
    record = {"options": {"rounds": 9}} | odd(given)
    chance, luck, log = Seeded(seed), Seeded(f"moves {seed}"), []
    state = game.load(FACTS, record, chance)
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
    (lambda c: c["wild"].update(suit="moon"), "wild", '"moon" is not a suit'),
    (lambda c: c["baker"].update(count=2), "baker", "there are 2 copies of it"),
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
    (lambda c: c["cradle"].update(charm="Forked Path"), "cradle", "path also has Forked Path"),
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
    assert 6 == len({spell.rule for spell in Spell} & set(game.LAWS))


def test_what_a_docstring_says_of_rules_its_function_carries_out():
    """Each id in the docstring of a function of this game is in LAWS with that home."""
    astray = []
    for module in (game.facts, game.board, game.knowledge, game.hunt, game.travel, game.state):
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
