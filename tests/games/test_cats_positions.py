"""Positions of The Cats of New Orleans that cannot be: the place, what is wrong, and what would be right."""

from __future__ import annotations

from typing import Any

import pytest
from games_for_tests import facts_of

from grimalkin.engine.chance import Recorded, Scripted, Seeded
from grimalkin.engine.shape import Misfits
from grimalkin.engine.words import OVER
from grimalkin.games import cats_of_new_orleans as cats

FACTS: Any = facts_of("cats-of-new-orleans")
STAND = {"patch": {"at": "b6"}, "nera": {"at": "b8"}}


def position(**more: Any) -> dict[str, Any]:
    """Two heroes and a mosquito in Rampart Street, and what is said besides."""
    street = {"options": {"scenario": "streets"}, "seats": {"Ada": {}}, "phase": "heroes"}
    return {**street, "heroes": STAND, "vermin": {"mosquito-1": {"at": "d6"}}, **more}


def heroes(**patch: Any) -> dict[str, Any]:
    """The same with Patch as told."""
    return position(heroes={"patch": patch, "nera": {"at": "b8"}})


BROKEN: list[tuple[dict[str, Any], str]] = [
    (
        {key: value for key, value in position().items() if key != "heroes"},
        'the key "heroes" is missing; it lists the heroes of the party, each with its square',
    ),
    (position(heroes={**STAND, "minou": {"at": "a8"}}), "heroes: 3 heroes are listed; two or four play (NO-AMB-73)"),
    (
        position(heroes={"patsch": {"at": "b6"}, "nera": {"at": "b8"}}),
        'heroes.patsch: there is no hero "patsch"; did you mean "patch"?',
    ),
    (heroes(at="b4"), "heroes.patch.at: patch stands on b4, which is blocked; choose another square (NO-TERR-2)"),
    (heroes(at="z9"), "heroes.patch.at: patch is not on the map"),
    (heroes(at="b30"), "heroes.patch.at: patch is not on the map"),
    (heroes(at="4b"), 'heroes.patch.at: "4b" is not a square; write it like c3'),
    (heroes(), "heroes.patch: the square and the place of patch do not match; a hero that is here needs a square"),
    (heroes(at="b6", lives=0), "heroes.patch.lives: a hero without Lives is out (NO-AMB-40); write `place: out`"),
    (
        heroes(at="b6", weapons=["pepperbox", "hatpin", "derringer"]),
        "heroes.patch.weapons: 3 weapons; 2 at most (NO-CHR-6)",
    ),
    (heroes(at="b6", weapons=["beignets"]), 'heroes.patch.weapons.0: "beignets" is not known here'),
    (heroes(at="b6", seat="Bob"), 'heroes.patch.seat: "Bob" is not a seat here'),
    (heroes(at="b6", mp=1000), "heroes.patch.mp: 1000 is out of range; it is 0 to 99"),
    (
        heroes(at="b8"),
        "heroes.nera.at: nera and patch stand on b8; only Swarming vermin share a square (NO-AMB-26)",
    ),
    (position(vermin={"mosquitoo-1": {"at": "d6"}}), 'vermin.mosquitoo-1: no vermin is called "mosquitoo-1"'),
    (
        position(vermin={f"pistoleer-{n}": {"at": f"{c}6"} for n, c in enumerate("defg", 1)}),
        "4 of marker-pistoleers are listed; the box has 3 of these vermin markers",
    ),
    (position(vermin={"unknown-1": {"at": "d6"}}), "vermin.unknown-1.is: its marker is missing"),
    (position(vermin={"mosquito-1": {}}), "vermin.mosquito-1: mosquito-1 has no square; `at` names it"),
    (position(vermin={"rat-king": {"at": "r10"}}), "vermin.rat-king.at: rat-king is not on the map"),
    (position(vermin={"croc-1": {"at": "d6"}}), 'vermin.croc-1: "croc-1" is not its name; write croc'),
    (
        position(vermin={"mosquito-1": {"at": "d6", "wounds": 1}}),
        "vermin.mosquito-1.wounds: mosquito-1 has 1 Wound; its Health is 1, and without",
    ),
    (
        position(vermin={"mosquito-1": {"at": "d6", "aspect": "psycho"}}),
        "vermin.mosquito-1.aspect: psycho is not an aspect of mosquito-1",
    ),
    (position(hand=["5-of-hearts"], discard=["5-of-hearts"]), "5-of-hearts is in 2 places"),
    (
        position(hand=["5-of-hearts", "6-of-hearts", "7-of-hearts", "8-of-hearts"]),
        "hand: 4 cards is too many; 3 at most (NO-PCH-1)",
    ),
    (position(ground={"b6": ["pepperbox", "pepperbox"]}), "2 of pepperbox are listed; the box has 1 of these Loot"),
    (position(doors={"a1e": "open"}), 'doors.a1e: there is no door "a1e" on this map'),
    (position(taken={"b1": 5}), "taken.b1: 5 tokens taken from b1; it had 2 at first"),
    (position(stinkbombs=["b6"] * 5), "stinkbombs: 5 tokens; the box has 4 (NO-AMB-93)"),
    (position(exhausted=["ace-of-hearts"]), 'exhausted.0: "ace-of-hearts" is not known here'),
    (position(space=14), "space: the track has 13 spaces"),
    (position(options={"scenario": "streetz"}), 'options.scenario: there is no scenario "streetz"'),
    (position(active="minou"), "active: minou cannot be activated now; name a hero on the map that is not done"),
    (
        position(phase="vermin", active="mosquito-1"),
        "active: mosquito-1 cannot be in the middle of its activation here",
    ),
    (position(phase="initiative"), "phase: nobody has a choice in this phase"),
    (position(phase="over"), "phase: the scenario is over, but neither won nor lost"),
    (
        position(pending={"begun": position(), "since": [["end"]]}),
        "pending.since: move 1, end, is not possible: NO-HERO-2: choose a hero to activate first",
    ),
    (position(pending={"begun": position(), "since": [["fly", "home"]]}), "pending.since: move 1, fly home, is not"),
    (position(pending={"options": {}, "since": [["poker:", "x"]]}), 'pending.since: the script draws "poker"'),
    (
        position(pending={"begun": position(), "since": [["act", "patch"]]}),
        "pending: these moves and draws do not lead to this position",
    ),
]


@pytest.mark.parametrize(("record", "told"), BROKEN, ids=[told[:60] for _, told in BROKEN])
def test_what_cannot_be_is_told_at_its_place(record: dict[str, Any], told: str) -> None:
    """One line of all that is told says it."""
    with pytest.raises(Misfits) as raised:
        cats.load(FACTS, record)

    assert any(line.startswith(told) for line in str(raised.value).splitlines()), str(raised.value)


def test_a_record_names_what_differs_from_the_set_up() -> None:
    """The rest is in its deck, in the pool or on its square: nothing is told twice."""
    state = cats.load(FACTS, position())

    seated = {name: {"seat": "Ada", "lives": 9, **has} for name, has in STAND.items()}

    assert position(heroes=seated, round=1) == state.position()
    assert 50 == len(state.deck)
    assert 9 - 1 == len(state.pool)
    assert 4 == len(state.apart)


def test_the_order_of_figures_does_not_matter() -> None:
    """Two records that differ in it are the same position."""
    vermin = {"mosquito-1": {"at": "d6"}, "pistoleer-2": {"at": "e6"}, "unknown-1": {"at": "f1", "is": "marker-croc"}}
    turned = dict(reversed(vermin.items()))

    assert cats.load(FACTS, position(vermin=vermin)).key() == cats.load(FACTS, position(vermin=turned)).key()


def test_in_the_middle_of_an_attack_a_position_tells_how_it_came_there() -> None:
    """A card has been drawn, and may be cheated: the record plays the activation again."""
    armed = {"patch": {"at": "b6", "weapons": ["pepperbox"]}, "nera": {"at": "b8"}}
    chance = Recorded(Seeded(1))
    state = cats.load(FACTS, position(heroes=armed, hand=["queen-of-spades"]), chance)
    for move in cats.read("Patch: pepperbox at mosquito-1", state):
        state.apply(move)
    record = state.position()
    again = cats.load(FACTS, record, Scripted([]))

    assert [("keep",), ("cheat", "queen-of-spades")] == state.legal() == again.legal()
    assert state.key() == again.key()
    assert [["act", "patch"], ["attack", "pepperbox", "mosquito-1"]] == record["pending"]["since"][:2]


OUT = {"place": "out", "lives": 0}
ENDED = [
    (position(heroes={"patch": OUT, "nera": OUT}), ()),
    (position(won="yes"), ("Ada",)),
    (position(lost="The bar is closed"), ()),
]


@pytest.mark.parametrize(("record", "winners"), ENDED)
def test_a_scenario_that_is_over_does_not_go_on(record: dict[str, Any], winners: tuple[str, ...]) -> None:
    """Whatever phase is written: it is won, or lost, and with no hero left it is lost (NO-AMB-40)."""
    state = cats.load(FACTS, record)
    result, refusal = state.result(), state.why_not(("end",))

    assert result is not None and refusal is not None
    assert (OVER, [], winners, "NO-SCN-3") == (state.to_act(), state.legal(), result.winners, refusal.rule)
    assert state.key() == cats.load(FACTS, state.position()).key()


def test_a_scenario_whose_objective_is_met_is_won() -> None:
    """Both doors have been tried, and both heroes have left by a green arrow (NO-SCN-3)."""
    gone = {"place": "left", "lives": 3}
    state = cats.load(FACTS, position(heroes={"patch": gone, "nera": gone}, taken={"h1": 1, "q10": 1}))
    result = state.result()

    assert result is not None
    assert ("Ada",) == result.winners
