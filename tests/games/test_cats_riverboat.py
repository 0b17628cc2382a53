"""The Cats of New Orleans on the Riverboat: every event, every gamble, every price, worked out by hand from the cards.

A visit is written like a case in the yard. First who comes aboard, then what is done and what must be so:

minou lives 5 loot stash-1         who comes aboard, with what; minou and patch at least
> choose minou | heads             a move, and the draws that it brings
minou lives 7                      what must be so now
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any, Final

import pytest
from cats_yard import FACTS, LISTS, PIECES, Yard, begin, cases_of, label_of, steps_of, whole
from games_for_tests import rows_of
from hypothesis import given, settings
from hypothesis import strategies as st

from grimalkin.engine.chance import ChanceError, Scripted, Seeded
from grimalkin.engine.contract import Facts
from grimalkin.engine.shape import Misfits
from grimalkin.games import cats_of_new_orleans as cats
from grimalkin.games.cats_of_new_orleans.numbers import STEPS
from grimalkin.games.cats_of_new_orleans.state import State

LOOT: Final = rows_of("cats-of-new-orleans", "loot.csv")
SKILLS: Final = rows_of("cats-of-new-orleans", "skills.csv")
EVENTS: Final = [row["id"] for row in rows_of("cats-of-new-orleans", "events.csv")]
BUCK_CARDS: Final = [row["id"] for row in LOOT if row["kind"] == "bucks"]
QUIET: Final = "kitten-with-chalk"
"""An event that changes nothing on board."""


def options_of(lines: list[str]) -> Facts:
    """What the party has that comes aboard."""
    options: Facts = {"scenario": "hijacked", "interlude": True, "heroes": []}
    for line in lines:
        name, *words = line.split()
        options["heroes"].append(name)
        key = ""
        for word in words:
            if word in LISTS or word in ("lives", "bucks"):
                key = word
            elif key in LISTS:
                options.setdefault(key, {}).setdefault(name, []).append(word)
            else:
                options.setdefault(key, {})[name] = int(word)
    options["heroes"] += [name for name in ("minou", "patch") if name not in options["heroes"]]
    return options


def visit(text: str, event: str = QUIET, **more: Any) -> Yard:
    """Play a visit. Draws of the event itself stand in a line of their own, `draws heads`."""
    before, after = steps_of(text)
    draws = " ".join(word for line in before if line.startswith("draws") for word in line.split()[1:])
    lines = [line for line in before if not line.startswith("draws")]
    here = begin({**options_of(lines), **more}, f"{event} {draws}", FACTS)
    for line in after:
        step(here, line)
    return here


def step(here: Yard, line: str) -> None:
    """What a case in the yard knows, and besides: what lies on offer, and by which rule something is refused."""
    word, *words = line.split()
    if word == "refused":
        refusal = here.state.why_not(tuple(words[1:]))
        assert refusal is not None and refusal.rule == words[0], f"{line}: {refusal}"
    elif word in ("offer", "set-aside"):
        lying = here.state.offer if word == "offer" else here.state.aside
        assert sorted(words) == sorted(here.state.box.ids[card] for card in lying), line
    elif word == "step":
        assert words == [STEPS[here.state.step]], line
    else:
        here.step(line)


def aboard(step_: str, heroes: dict[str, Facts], *draws: str, **more: Any) -> Yard:
    """A position on board. The first hero has its turn."""
    here = Yard.__new__(Yard)
    here.chance = Scripted([(label_of(one), one) for one in draws])
    record = {
        "options": {"scenario": "hijacked", "interlude": True},
        "seats": {"Ada": {}},
        "phase": "interlude",
        "step": step_,
        "event": QUIET,
        "active": next(iter(heroes)),
        "heroes": heroes if len(heroes) > 1 else {**heroes, "patch": {}},
        **more,
    }
    here.state = cats.load(FACTS, record, here.chance)
    here.log = []
    return here


def hero(here: Yard, name: str) -> Any:
    return next(one for one in here.state.heroes if one.name == name)


# The Lounge: each event, and then the free drink

TOLD: Final = {
    "stellas-breakfast": """
        minou lives 5
        patch lives 8
        can act minou
        minou lives 7
        patch lives 9                          # and no more
    """,
    "paid-in-full": """
        minou bucks 2
        patch bucks 0
        can act minou
        minou bucks 7
        patch bucks 5
    """,
    "bunk-by-the-boiler": """
        minou lives 4
        patch lives 3
        can act minou
        minou lives 5
        patch lives 7
        --
        minou lives 4
        patch lives 4
        murray lives 5
        odile lives 9
        cannot choose murray
        > choose patch
        minou lives 5
        patch lives 8
        murray lives 6
    """,
    "ring-of-barrels": """
        minou lives 5 bucks 1
        patch lives 5
        can do
        can pass
        > do
        minou lives 4 bucks 9
        > pass
        step bar
        minou lives 5 bucks 9
        patch lives 6 bucks 0
        --
        minou lives 1
        patch lives 0
        can act minou                          # nobody can pay, so nobody is asked
        minou lives 2 bucks 0
        patch lives 1 bucks 0
    """,
    "sure-thing": """
        minou bucks 1
        patch bucks 2
        draws heads
        can act minou
        minou bucks 11
        patch bucks 12
        --
        minou bucks 12
        patch bucks 2
        draws tails
        can act minou
        minou bucks 4                          # 5 of its own, and 3 for Patch
        patch bucks 0
        --
        minou bucks 3
        patch bucks 2
        draws tails
        can act minou
        minou bucks 0
        patch bucks 0
    """,
    "captains-short-cut": """
        minou
        patch
        can act minou
        initiative heroes
    """,
    "cards-until-dawn": """
        minou bucks 1
        patch
        can act minou
        initiative vermin
        minou bucks 11
        patch bucks 10
    """,
    "ribbons-for-sale": """
        minou bucks 1
        patch bucks 4
        can act minou
        minou bucks 0                          # Patch adds 2, and has 2 left for his own 3
        patch bucks 0
        --
        minou bucks 5
        patch bucks 4
        can act minou
        minou bucks 2
        patch bucks 1
    """,
    "empty-skiff": """
        minou lives 5
        patch lives 8
        can first
        > second
        minou lives 7
        patch lives 9
        --
        minou lives 5
        patch lives 8
        > first
        > choose patch | beignets bar-broom
        patch has beignets bar-broom lives 9
        minou lives 6
        --
        minou weapons hatpin slingshot
        patch
        > first
        > choose minou | derringer stash-1     # no slot is free, so nothing is asked
        minou has derringer stash-1
        can act minou
    """,
    "salute-for-the-admiral": """
        minou loot stash-1 beignets
        patch bucks 3
        can do
        > do
        minou bucks 15 has beignets lacks stash-1
        patch bucks 3
        loot-gone stash-1
        --
        minou loot stash-1
        patch loot stash-1
        > pass
        minou bucks 0 has stash-1
        step bar
        --
        minou
        patch
        can act minou                          # nobody has one
        minou bucks 0
    """,
    "unclaimed-trunks": """
        minou bucks 7
        patch bucks 5
        cannot do
        > choose minou | hatpin beignets tip-jar
        minou bucks 0                          # 7 of her own, 3 of Patch
        patch bucks 2
        > choose beignets
        minou has beignets lacks hatpin
        loot-under hatpin tip-jar
        loot-gone
        --
        minou bucks 7
        patch bucks 3
        > pass
        minou bucks 7
        --
        minou bucks 7
        patch bucks 2
        can act minou                          # 9 bucks are not 10
        minou bucks 7
        --
        minou bucks 10
        patch
        > choose minou | loose-change generous-drunk slingshot
        > choose generous-drunk                # an event that is kept is carried out
        > first
        minou bucks 5
        loot-under loose-change slingshot
        loot-gone generous-drunk
    """,
    "stella-tries-something": """
        minou lives 5
        patch lives 9
        draws 2h
        can act minou
        minou lives 8
        patch lives 9
        --
        minou lives 5
        patch lives 1
        draws 9s
        can act minou
        minou lives 5
        patch lives 1                          # none, then the free drink
        --
        minou lives 4
        patch lives 6
        draws red-joker
        can act minou                          # red, and a Joker: 1, then 2, then the drink
        minou lives 8
        patch lives 9
        --
        minou lives 4
        patch lives 2
        draws black-joker
        can act minou                          # 1 and 1
        minou lives 3
        patch lives 1
    """,
    "surgeon-on-deck-two": """
        minou lives 5 bucks 6
        patch lives 6 bucks 2
        > do
        can act minou                          # 3 are left for both, so Patch is not asked
        minou lives 8 bucks 1
        patch lives 7 bucks 2
        --
        minou lives 8 bucks 4
        patch lives 6 bucks 6
        > pass
        > do
        patch lives 9 bucks 1
        minou lives 9 bucks 4
    """,
}
"""Those that are over before the bar opens. What others change comes later in the visit, or in the next scenario."""


@pytest.mark.parametrize(("event", "text"), [pytest.param(*rest, id=name) for name, *rest in cases_of(TOLD)])
def test_an_event_does_what_it_says(event: str, text: str) -> None:
    visit(text, event)


def test_crates_off_a_barge_cost_4_less_and_teachers_as_much_as_ever() -> None:
    visit(
        """
        minou bucks 39
        > onward | hatpin bar-broom loose-change tip-jar wage-packet
        > act minou
        > buy hatpin
        minou bucks 35                         # 8 less 4
        > sell hatpin
        minou bucks 39                         # and half of 8
        > buy bar-broom
        minou bucks 36
        > end
        > onward
        > act minou
        > train roof-paths
        minou bucks 16
        refused NO-SKILL-3 train soft-landing
        """,
        "fell-off-a-barge",
    )


def test_the_fencing_master_makes_skills_5_cheaper_and_loot_not() -> None:
    visit(
        """
        minou bucks 120
        > onward | hatpin bar-broom loose-change tip-jar wage-packet
        > act minou
        > buy hatpin
        minou bucks 112
        > end
        > onward
        > act minou
        > train roof-paths
        minou bucks 97
        > train second-wind
        minou bucks 62
        > train from-above
        minou bucks 2
        """,
        "fencing-master",
    )


def test_a_knock_on_the_hull_brings_two_cards_more() -> None:
    visit(
        """
        minou
        > onward | hatpin bar-broom loose-change rat-trap tip-jar wage-packet stash-2 derringer slingshot
        offer hatpin bar-broom loose-change tip-jar wage-packet stash-2 derringer slingshot
        set-aside rat-trap
        """,
        "knock-on-the-hull",
    )


# Events that speak of the next scenario

SPAWNED: Final = "marker-pistoleers marker-bayou-mosquito marker-pistoleers marker-bayou-mosquito 8c"
NEXT: Final = {
    "kitten-with-chalk": """
        > to u5
        can choose unknown-2
        cannot choose unknown-1
        > choose unknown-4
        > choose unknown-3 | 9h 6c
        pistoleer-2 at i5
        mosquito-1 at m8
        unknown-2 at d4
        can heroes-first
        --
        > to u5
        > done | 9h 6c
        unknown-4 at m8
    """,
    "something-for-the-sleeve": """
        > to u5 | Qh 9h 6c
        hand 8c Qh
    """,
    "close-to-the-bank": """
        > to u5
        > go u6
        > go u7                                # 2 MP across the corner, and 1
        patch at u5
        > go t5
        > done | 9h 6c
        minou at u7 ap 0
        patch at t5 mp 0
    """,
    "lady-in-yellow": """
        > to u5 | Ac 2c 3c 4c 5c
        > choose 4-of-clubs
        > choose ace-of-clubs
        > choose 5-of-clubs
        cannot heroes-first
        > choose 2-of-clubs
        top 5c 2c 3c                           # the two above have been flipped for the initiative
        active
    """,
}
"""What comes of it at the set-up of Riverboat Hijacked, from the second hero on."""


def set_up(**options: Any) -> Yard:
    party = {"weapons": {"minou": ["hatpin"]}, "skills": {"minou": ["roof-paths"]}}
    here = begin({"scenario": "hijacked", "heroes": ["minou", "patch"], **party, **options}, SPAWNED, FACTS)
    here.move("to v5")
    return here


class OnDeck(Yard):
    """The yard is not the map here."""

    def assert_figure(self, name: str, words: list[str]) -> None:
        board = self.state.plan.board
        at = [words.index("at") + 1] if "at" in words else []
        for index in at:
            one = next(one for one in (*self.state.heroes, *self.state.vermin) if one.name == name)
            assert words[index] == board.names[one.at], f"{name} {words}"
        super().assert_figure(name, [word for i, word in enumerate(words) if i not in at and word != "at"])


@pytest.mark.parametrize(("event", "text"), [pytest.param(*rest, id=name) for name, *rest in cases_of(NEXT)])
def test_an_event_of_the_last_visit_is_carried_out_at_the_start(event: str, text: str) -> None:
    here = set_up(events=[event])
    here.__class__ = OnDeck
    for line in [line for part in steps_of(text) for line in part]:
        step(here, line)

    assert [] == here.state.events


@pytest.mark.parametrize("event", [id_ for id_ in EVENTS if id_ not in NEXT])
def test_other_events_say_nothing_about_the_next_scenario(event: str) -> None:
    here = set_up(events=[event])
    here.move("to u5 | 9h 6c")

    assert [("heroes-first",), ("vermin-first",)] == here.state.legal()
    assert ["8-of-clubs"] == [here.state.box.ids[card] for card in here.state.hand]


def test_the_initiative_that_an_event_has_given_is_not_flipped_for() -> None:
    heroes, vermin = set_up(initiative="heroes"), set_up(initiative="vermin")
    heroes.move("to u5")
    vermin.move("to u5")

    assert [("heroes-first",), ("vermin-first",)] == heroes.state.legal()
    assert "vermin" == vermin.state.position()["phase"]


def test_every_event_is_played() -> None:
    later = {"fell-off-a-barge", "fencing-master", "knock-on-the-hull"}

    assert set(EVENTS) == {*TOLD, *NEXT, *later}
    assert 20 == len(EVENTS)


def test_an_event_comes_once_in_twenty_visits() -> None:
    """NO-AMB-144: what was heard cannot be drawn, until all have been."""
    with pytest.raises(ChanceError):
        visit("minou\ncan onward", "paid-in-full", heard=["paid-in-full"])

    visit("minou lives 6\ncan onward\nminou lives 8", "stellas-breakfast", heard=EVENTS)


# The Bar


def test_a_drink_is_free_and_every_other_costs_5() -> None:
    visit(
        """
        minou lives 6 bucks 6
        patch lives 0 bucks 5
        can act minou
        minou lives 7 bucks 6
        patch lives 1 bucks 5
        > act minou
        > heal
        minou lives 8 bucks 1
        > heal
        minou lives 9 bucks 0                  # Patch has paid 4 of it
        patch lives 1 bucks 1
        refused NO-CHR-3 heal
        > end
        > act patch
        refused NO-BOAT-3 heal
        refused NO-BOAT-1 train steady-now
        refused NO-AMB-140 unstun
        refused NO-AMB-140 onward
        refused NO-AMB-140 act minou
        """
    )


# The Gear: what lies there

STORE: Final = ("hatpin", "stash-1", "derringer", "bar-broom")


def emptied(*left: str) -> Facts:
    """All Loot but this is in the discard."""
    deck = Counter({id_: piece["count"] for id_, piece in PIECES.items() if piece.get("level") in (1, 2)})
    deck = Counter({id_: count for id_, count in deck.items() if PIECES[id_]["deck"] == "loot"})
    return {"loot-gone": sorted((deck - Counter(left)).elements())}


def test_a_loot_deck_that_runs_out_leaves_a_smaller_offer() -> None:
    here = aboard("bar", {"minou": {}}, **emptied("hatpin", "rat-trap", "stash-1", "tip-jar"))
    here.move("end")
    here.move("onward | tip-jar stash-1 rat-trap hatpin")

    step(here, "offer hatpin stash-1 tip-jar")
    step(here, "set-aside rat-trap")


def test_an_empty_loot_deck_leaves_nothing_to_buy() -> None:
    here = aboard("bar", {"minou": {}}, **emptied())
    here.move("end")
    here.move("onward")

    step(here, "offer")
    step(here, "says nothing")
    step(here, "can onward")


def test_what_an_event_has_put_under_the_deck_comes_last() -> None:
    here = aboard("bar", {"minou": {}}, **emptied("hatpin", "tip-jar"), **{"loot-under": ["tip-jar"]})
    here.move("end")
    here.move("onward | hatpin")

    step(here, "offer hatpin tip-jar")


def test_goods_are_bought_sold_and_changed() -> None:
    heroes = {"minou": {"bucks": 3, "weapons": ["pepperbox"]}, "patch": {"bucks": 9, "loot": ["wage-packet"]}}
    here = aboard("gear", heroes, offer=[*STORE, "wage-packet"])
    for line in """
        > buy derringer
        minou bucks 0 has derringer
        patch bucks 2                          # 3 of hers and 7 of his
        > sell pepperbox
        minou bucks 6 lacks pepperbox          # half of 13
        refused NO-BOAT-7 sell pepperbox
        > equip derringer
        > buy stash-1
        minou bucks 0
        patch bucks 0                          # the last 2
        > buy hatpin
        patch bucks 0 lacks wage-packet        # exactly his card of 8
        > sell stash-1
        minou bucks 4
        refused NO-BOAT-5 buy bar-broom
        refused NO-BOAT-5 buy stash-1
        > sell hatpin
        > buy bar-broom
        minou bucks 1
        offer wage-packet
        loot-gone hatpin pepperbox stash-1 wage-packet
        """.strip().split("\n"):
        step(here, line.split("#")[0].strip())


def test_a_card_that_is_sold_is_loaded_and_upright_again() -> None:
    heroes = {"minou": {"weapons": ["pepperbox"], "loot": ["bar-broom"]}}
    here = aboard("gear", heroes, depleted=["pepperbox"], exhausted=["bar-broom"])
    here.move("sell pepperbox")
    here.move("sell bar-broom")

    step(here, "loaded pepperbox")
    step(here, "ready bar-broom")


def test_a_card_without_a_price_is_not_sold() -> None:
    here = aboard("gear", {"minou": {"loot": ["tip-jar"]}})

    assert [] == [move for move in here.state.legal() if move[0] == "sell"]


@pytest.mark.parametrize("card", [row["id"] for row in LOOT if row["price"]])
def test_every_price_is_what_the_card_says_and_half_of_it(card: str) -> None:
    """A card is bought for its price, to the last buck, and sold for half of it, rounded down."""
    price = int(PIECES[card]["price"])
    short = aboard("gear", {"minou": {"bucks": price - 1}}, offer=[card])
    here = aboard("gear", {"minou": {"bucks": price}}, offer=[card])
    step(short, f"refused NO-BOAT-5 buy {card}")
    here.move(f"buy {card}")
    step(here, "minou bucks 0")
    here.move(f"sell {card}")

    step(here, f"minou bucks {price // 2}")
    step(here, f"loot-gone {card}")


# Gambles

GAMBLES: Final = (
    ("loose-change", "heads", 0, 5),
    ("loose-change", "tails", 7, 2),
    ("tip-jar", "2h", 0, 10),
    ("tip-jar", "Ad", 0, 10),
    ("tip-jar", "Qs", 7, 2),
    ("tip-jar", "black-joker", 7, 2),
    ("tip-jar", "red-joker", 7, 17),
    ("wage-packet", "heads", 0, 10),
    ("wage-packet", "tails", 6, 1),
    ("three-shells", "9c", 0, 15),
    ("three-shells", "8h", 6, 1),
    ("three-shells", "Jc", 6, 21),
    ("three-shells", "As", 6, 1),
    ("river-chips", "Jd", 0, 30),
    ("river-chips", "Qs", 0, 30),
    ("river-chips", "10h", 6, 1),
    ("river-chips", "red-joker", 6, 1),
    ("lost-pocketbook", "tails", 12, 2),
    ("poker-pot", "7c", 10, 25),
    ("poker-pot", "6h", 12, 2),
    ("lottery-takings", "2h", 5, 25),
    ("lottery-takings", "Qd", 6, 1),
    ("crawfish-race", "2s", 0, 20),
    ("crawfish-race", "2h", 17, 2),
    ("pursers-envelope", "heads", 0, 25),
    ("pursers-envelope", "tails", 16, 1),
    ("private-table", "7d", 20, 45),
    ("private-table", "6s", 21, 1),
    ("smugglers-gold", "heads", 0, 40),
    ("smugglers-gold", "tails", 26, 1),
    ("half-a-steamer", "Qh", 12, 2),
)
"""A card, what comes, the bucks before and after."""


@pytest.mark.parametrize(("card", "drawn", "before", "after"), GAMBLES)
def test_a_gamble_is_won_or_lost_as_the_card_says(card: str, drawn: str, before: int, after: int) -> None:
    here = aboard("gear", {"minou": {"bucks": before}}, offer=[card, "hatpin"])
    here.move(f"gamble {card} | {whole(drawn)}")

    step(here, f"minou bucks {after}")
    step(here, f"loot-gone {card}")
    step(here, "offer hatpin")


def test_two_gambles_are_won_in_cards() -> None:
    here = aboard("gear", {"minou": {"weapons": ["hatpin", "slingshot"]}}, offer=["lost-pocketbook", "half-a-steamer"])
    here.move("gamble lost-pocketbook | heads beignets")
    here.move("gamble half-a-steamer | 3d derringer stash-1")

    step(here, "minou bucks 30 has beignets derringer stash-1")


def test_every_buck_card_is_won_and_lost() -> None:
    assert set(BUCK_CARDS) == {card for card, *_ in GAMBLES}


def test_what_is_lost_comes_from_all_purses_and_from_nowhere_else() -> None:
    heroes = {"minou": {"bucks": 4}, "patch": {"bucks": 3}, "odile": {"loot": ["loose-change"]}, "murray": {"bucks": 9}}
    here = aboard("gear", heroes, offer=["crawfish-race", "pursers-envelope"])
    here.move("gamble crawfish-race | 2h")  # 15 are due: 4, 3, a card of 5, 3 of 9
    step(here, "minou bucks 0")
    step(here, "patch bucks 0")
    step(here, "odile bucks 0 lacks loose-change")
    step(here, "murray bucks 6")
    here.move("gamble pursers-envelope | tails")

    step(here, "murray bucks 0")


@pytest.mark.parametrize(("card", "price"), [("poker-pot", 10), ("lottery-takings", 5), ("private-table", 20)])
def test_what_a_gamble_costs_first_is_paid_or_it_cannot_be_taken(card: str, price: int) -> None:
    poor = aboard("gear", {"minou": {"bucks": price - 2}, "patch": {"bucks": 1}}, offer=[card])
    rich = aboard("gear", {"minou": {"bucks": price - 2}, "patch": {"bucks": 2}}, offer=[card])
    step(poor, f"refused NO-BOAT-6 gamble {card}")
    rich.move(f"gamble {card} | 2-of-clubs")

    step(rich, "minou bucks 0")
    step(rich, "patch bucks 0")


def test_a_joker_on_board_is_for_everybody_and_is_shuffled_back() -> None:
    here = aboard("gear", {"minou": {"bucks": 7, "lives": 1}, "patch": {"lives": 0}}, offer=["tip-jar"])
    here.move("gamble tip-jar | black-joker")

    step(here, "minou lives 0 bucks 2")  # black, and a Joker
    step(here, "patch lives 0")
    step(here, "discard")
    step(here, "can end")


# Events of the Loot deck that are found on board (NO-AMB-141)

FOUND: Final = {
    "loose-floorboard": ("beignets bar-broom", "minou has beignets bar-broom"),
    "startled-pigeons": ("2h", "minou mp 0 -vulnerable"),
    "torn-playing-card": ("", "hand"),
    "tripwire": ("beignets bar-broom", "minou lives 4 has beignets bar-broom"),
    "wanted-poster": ("", "minou bucks 10 -vulnerable"),
    "marsh-gas": ("2s", "minou lives 4"),
}
ASKED: Final = {
    "rat-trap": ("> do | beignets bar-broom", "minou lives 4 has beignets bar-broom"),
    "generous-drunk": ("> second", "minou lives 7 bucks 0"),
    "smuggler-with-a-sack": ("> pass", "minou bucks 0"),
}


@pytest.mark.parametrize("card", [*FOUND, *ASKED])
def test_an_event_found_on_board_does_what_it_can(card: str) -> None:
    heroes = {"minou": {"lives": 5, "skills": ["soft-landing"]}, "patch": {"bucks": 10}}
    here = aboard("gear", heroes, offer=["lost-pocketbook"])
    draws, claim = FOUND.get(card) or ("", "")
    here.move(f"gamble lost-pocketbook | heads {card} {' '.join(map(whole, draws.split()))}")
    if card in ASKED:
        move, claim = ASKED[card]
        here.step(move)

    step(here, claim)
    step(here, "active minou")
    step(here, "can end")


def test_every_event_of_the_decks_is_found() -> None:
    events = {id_ for id_, piece in PIECES.items() if piece.get("kind") == "event" and piece["level"] < 3}

    assert events == {*FOUND, *ASKED}


def test_no_skill_and_no_loot_is_used_on_board() -> None:
    """Neither an Eye for Value when Loot is drawn, nor the Cigar Tin when a Wound is about to land."""
    heroes = {"delphine": {"loot": ["cigar-tin"], "skills": ["an-eye-for-value"]}, "patch": {}}
    here = aboard("gear", heroes, offer=["lost-pocketbook"])
    here.move("gamble lost-pocketbook | heads tripwire stash-1 stash-1")

    step(here, "delphine lives 8 bucks 0 has cigar-tin")
    step(here, "refused NO-AMB-140 use cigar-tin")


# The Skills


@pytest.mark.parametrize(("card", "price"), [("roof-paths", 20), ("second-wind", 40), ("from-above", 65)])
def test_a_skill_costs_20_40_or_65(card: str, price: int) -> None:
    poor = aboard("skills", {"minou": {"bucks": price - 1}})
    rich = aboard("skills", {"minou": {"bucks": price}})
    step(poor, f"refused NO-SKILL-3 train {card}")
    rich.move(f"train {card}")

    step(rich, "minou bucks 0")
    step(rich, f"refused NO-BOAT-8 train {card}")
    assert [card] == [rich.state.box.ids[one] for one in hero(rich, "minou").skills]


def test_a_hero_can_learn_all_nine_and_nobody_elses() -> None:
    here = aboard("skills", {"minou": {"bucks": 4 * 20 + 3 * 40 + 2 * 65}})
    step(here, "refused NO-BOAT-8 train steady-now")
    while lessons := [move for move in here.state.legal() if move[0] == "train"]:
        here.move(" ".join(lessons[0]))

    assert (9, 0) == (len(hero(here, "minou").skills), hero(here, "minou").bucks)


LEVELS: Final = {
    level: [row["id"] for row in SKILLS if (row["hero"], row["level"]) == ("minou", str(level))] for level in (1, 2, 3)
}


def test_of_more_skills_three_two_and_one_come_along() -> None:
    """Four, three and two are there: each level is asked for until it is full."""
    options = {
        "scenario": "hijacked",
        "heroes": ["minou", "patch"],
        "trained": {"minou": [*LEVELS[1], *LEVELS[2], *LEVELS[3]]},
    }
    here = begin({**options, "weapons": {"minou": ["hatpin"]}}, SPAWNED, FACTS)
    chosen = []
    for level in (1, 1, 1, 2, 2, 3):
        wanted = LEVELS[level][-1 - sum(one in LEVELS[level] for one in chosen)]
        chosen.append(wanted)
        here.move(f"choose {wanted}")
        step(here, f"refused {'NO-SKILL-5' if len(chosen) < 6 else 'NO-SET-7'} choose {wanted}")

    assert sorted(chosen) == sorted(here.state.box.ids[card] for card in hero(here, "minou").skills)
    step(here, "can to v5")


def test_as_many_skills_as_may_come_along_need_no_question() -> None:
    mine = [*LEVELS[1][:3], *LEVELS[2][:2], *LEVELS[3][:1]]
    options = {"scenario": "hijacked", "heroes": ["minou", "patch"], "trained": {"minou": mine}}
    here = begin({**options, "weapons": {"minou": ["hatpin"]}}, SPAWNED, FACTS)

    assert len(mine) == len(hero(here, "minou").skills)
    step(here, "can to v5")


# Together


def test_things_and_bucks_change_hands_at_every_step_and_cost_nothing() -> None:
    for at in ("bar", "gear", "skills"):
        heroes = {"minou": {"bucks": 4, "weapons": ["hatpin", "slingshot"]}, "patch": {"loot": ["derringer"]}}
        here = aboard(at, heroes)
        for line in """
            > hand patch
            minou bucks 0
            patch bucks 4
            refused NO-AMB-72 hand patch
            refused NO-AMB-72 hand murray
            refused NO-AMB-72 transfer minou
            refused NO-LOOT-5 equip derringer
            > transfer patch
            > give hatpin
            > get derringer
            > done
            > equip derringer
            refused NO-LOOT-5 stow hatpin
            > stow slingshot
            minou has derringer slingshot lacks hatpin ap 0
            patch has hatpin
            can end
            """.strip().split("\n"):
            step(here, line.strip())


def test_a_line_ends_with_the_turn_of_its_hero() -> None:
    """Heroes of one seat have turns one after the other, and each of them is a line."""
    here = aboard("bar", {"minou": {"bucks": 5, "lives": 5}})
    keys = []
    for move in (
        "heal",
        "end",
        "act minou",
        "end",
        "act patch",
        "end",
        "onward | hatpin bar-broom derringer slingshot tip-jar",
    ):
        keys.append(here.state.turn_key())
        here.move(move)

    assert 1 == len(set(keys[:2]))
    assert [2, 2, 2] == [keys.count(key) for key in dict.fromkeys(keys[:6])][:3]
    assert here.state.turn_key() not in keys


def test_a_third_weapon_stays_in_the_loot_slot() -> None:
    here = aboard("bar", {"minou": {"weapons": ["hatpin", "slingshot"], "loot": ["derringer"]}})

    step(here, "refused NO-CHR-6 equip derringer")


def test_with_empty_paws_there_is_nothing_to_exchange() -> None:
    step(aboard("bar", {"minou": {}}), "refused NO-AMB-140 transfer patch")


# The way out


def test_what_nobody_has_goes_back_into_the_loot_deck() -> None:
    options = {"loot": {"minou": ["stash-1"]}, "weapons": {"minou": ["hatpin"]}, "bucks": {"patch": 10}}
    here = begin({"scenario": "hijacked", "interlude": True, "heroes": ["minou", "patch"], **options}, QUIET, FACTS)
    before, deck = here.state.pieces(), Counter(here.state.loot_deck)
    here.move("onward | derringer rat-trap loose-change stash-1 bar-broom slingshot wage-packet")
    for move in ("act minou", "sell hatpin", "buy derringer", "gamble loose-change | tails", "end", "onward", "onward"):
        here.move(move)
    state = here.state
    numbers = state.box.numbers

    assert before == state.pieces()
    assert deck + Counter([numbers["hatpin"]]) - Counter([numbers["derringer"]]) == Counter(state.loot_deck)
    assert ([], [], [], [], []) == (state.offer, state.aside, state.loot_gone, state.loot_top, state.loot_under)
    assert (True, -1) == (state.won, state.to_act())


def test_before_the_boat_is_won_there_is_no_visit() -> None:
    """NO-AMB-69: after scenario 1 nothing happens, after scenario 2 something is read."""
    first = begin({"scenario": "bad-times", "interlude": True}, "", FACTS).state
    second = begin({"scenario": "streets", "interlude": True}, "", FACTS).state

    assert (True, -1) == (first.won, first.step - 1)
    assert [("first",), ("second",)] == second.legal()
    second.apply(("first",))
    assert (True, [8]) == (second.won, second.entries)


WRONG: Final = (
    ({"step": "lounge"}, "nobody has a choice at this step"),
    ({"event": None}, 'the key "event" is missing'),
    ({"options": {"scenario": "hijacked"}}, "this is a scenario, not an interlude"),
    ({"options": {"scenario": "streets", "interlude": True}}, "the Riverboat is not open after this scenario"),
    ({"offer": ["rat-trap"]}, "rat-trap is an event"),
    ({"offer": ["hatpin", "hatpin"]}, "2 of hatpin are listed"),
    ({"active": "murray"}, '"murray" is not in the party'),
    ({"heroes": {"minou": {"at": "v5"}, "patch": {}}}, "minou is not on a map in an interlude"),
    ({"heroes": {"minou": {"place": "out", "lives": 0}, "patch": {}}}, "minou is not on a map in an interlude"),
)


@pytest.mark.parametrize(("wrong", "message"), WRONG)
def test_a_position_that_cannot_be_is_told(wrong: Facts, message: str) -> None:
    record = {
        "options": {"scenario": "hijacked", "interlude": True},
        "seats": {"Ada": {}},
        "phase": "interlude",
        "step": "gear",
        "event": QUIET,
        "heroes": {"minou": {}, "patch": {}},
        **wrong,
    }
    with pytest.raises(Misfits) as caught:
        cats.load(FACTS, {key: value for key, value in record.items() if value is not None})

    assert message in " ".join(misfit.message for misfit in caught.value.misfits)


# Any visit


def any_visit(luck: Random) -> State:
    """A party with this and that comes aboard."""
    party = luck.choice((["minou", "patch"], ["minou", "patch", "murray", "delphine"]))
    options = {
        "scenario": "hijacked",
        "interlude": True,
        "heroes": party,
        "bucks": {name: luck.randrange(60) for name in party},
        "lives": {name: luck.randrange(10) for name in party},
        "weapons": {"minou": ["pepperbox"]},
        "loot": {"minou": ["stash-1", "loose-change"], "patch": ["tip-jar"]},
        "log": luck.choice(([], [15], [14])),
        "heard": luck.sample(EVENTS, luck.randrange(21)),
    }
    return cats.start(FACTS, ("Ada", "Basil"), options, Seeded(luck.random()))


@cache
def all_moves() -> list[Any]:
    return list(cats.every_move(FACTS))


@pytest.mark.slow("plays whole visits and asks of many moves why they are refused")
@given(st.integers(0, 2**32))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_any_visit_can_be_played_written_down_and_taken_up_again(seed: int) -> None:
    """Legal moves are never refused and others always by a rule; lines are read back; positions lead to the same
    state; and nothing gets lost."""
    luck = Random(seed)
    state = any_visit(luck)
    pieces = state.pieces()
    for count in range(300):
        if state.to_act() < 0:
            break
        legal = state.legal()
        onward = [move for move in legal if move[0] == "onward"]
        move = onward[0] if onward and count > 120 else luck.choice(legal)
        assert state.why_not(move) is None
        if count % 6 == 0:
            others = [one for one in luck.sample(all_moves(), 40) if one not in legal]
            assert all((refusal := state.why_not(one)) is not None and refusal.rule for one in others)
            assert cats.load(FACTS, state.position(), Seeded(1)).key() == state.key()
        assert [move] == cats.read(cats.write([move], state), state)
        before = state.key()
        assert state.clone().key() == before
        state.apply(move)
        assert pieces == state.pieces()
        assert all(hero.bucks >= 0 and 0 <= hero.lives <= 9 for hero in state.heroes)


def test_bucks_are_handed_over_by_the_handful_or_all_at_once() -> None:
    """NO-AMB-72: freely, so any sum must be possible."""
    wish = {"scenario": "hijacked", "interlude": "yes", "heroes": ["minou", "patch"], "bucks": {"minou": 27}}
    state = cats.start(FACTS, ("Ada",), wish, Seeded(4))
    while ("act", "minou") not in state.legal():
        state.apply(state.legal()[0])
    state.apply(("act", "minou"))
    before = [hero.bucks for hero in state.heroes]
    for count in ("20", "5", "1"):
        state.apply(("hand", "patch", count))
    refusal = state.why_not(("hand", "patch", "20"))

    assert [hero.bucks - had for hero, had in zip(state.heroes, before, strict=True)] == [-26, 26]
    assert refusal is not None
    assert refusal.rule == "NO-AMB-72"
    assert cats.read(cats.write([("hand", "patch", "1")], state), state) == [("hand", "patch", "1")]
