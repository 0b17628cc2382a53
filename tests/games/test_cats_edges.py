"""What a rules lawyer found: heroes who fall in the middle of something, wet areas, gliding, pieces in wrong decks."""

from __future__ import annotations

from typing import Any

import pytest
from cats_yard import Facts, Yard, play, with_yard
from games_for_tests import facts_of

from grimalkin.engine.chance import Scripted
from grimalkin.engine.kinds import members
from grimalkin.engine.shape import Misfits
from grimalkin.games import cats_of_new_orleans as cats
from grimalkin.games.cats_of_new_orleans.vermin import glides

FACTS: Any = facts_of("cats-of-new-orleans")


def position(scenario: str, heroes: dict[str, Any], vermin: dict[str, Any], **more: Any) -> dict[str, Any]:
    options = {"options": {"scenario": scenario}, "seats": {"Ada": {}}}
    return {**options, "heroes": heroes, "vermin": vermin, **more}


VERMIN_FIRST = {"phase": "vermin", "first": "vermin"}
"""The vermin turn is the first of the round."""


def test_who_falls_by_a_wound_answers_nothing() -> None:
    """NO-AMB-40: the last Life goes, and Your Turn Was Short has no say any more."""
    heroes = {"bastien": {"at": "c7", "lives": 1, "skills": ["your-turn-was-short"]}, "nera": {"at": "a10"}}
    record = position("streets", heroes, {"stinker-1": {"at": "d7"}}, **VERMIN_FIRST)
    state = cats.load(FACTS, record, Scripted([("poker", "10-of-clubs")]))
    state.apply(("vermin", "stinker-1"))

    assert ("out", 0) == (state.position()["heroes"]["bastien"]["place"], state.heroes[0].lives)
    assert [("act", "nera")] == state.legal()


@pytest.mark.parametrize(
    ("foe", "cards"),
    [("croc", ["black-joker"]), ("roux-poubelle", ["2-of-hearts", "9-of-clubs", "9-of-diamonds"])],
)
def test_who_falls_by_its_own_attack_makes_no_second_one(foe: str, cards: list[str]) -> None:
    """By a Joker, or by what strikes back: One for the Road is not offered."""
    heroes = {"patch": {"at": "c8", "lives": 1, "skills": ["one-for-the-road"]}, "nera": {"at": "a10"}}
    state = cats.load(FACTS, position("streets", heroes, {foe: {"at": "d8"}}), Scripted([("poker", c) for c in cards]))
    for move in cats.read(f"Patch: unarmed at {foe}", state):
        state.apply(move)

    assert "out" == state.position()["heroes"]["patch"]["place"]
    assert [("act", "nera")] == state.legal()


def test_an_area_hits_a_swimmer_on_its_dry_squares() -> None:
    """NO-AMB-87: c9 and d9 are dry, c10 and d10 are not."""
    heroes = {"murray": {"at": "e9", "weapons": ["blunderbuss"]}, "nera": {"at": "w5"}}
    state = cats.load(FACTS, position("hijacked", heroes, {"viceroy": {"at": "c9"}}, active="murray"))
    state.heroes[0].ap = 1

    assert ("attack", "blunderbuss", "c9") in state.legal()


def test_gliding_stops_at_a_wall_inside_a_big_square() -> None:
    """NO-AMB-88: the wall and the closed door to the north of c4 are within her own big square."""
    heroes = {"patch": {"at": "b2"}, "nera": {"at": "a1"}}
    state = cats.load(FACTS, position("streets", heroes, {"sacrebleu": {"at": "c4"}}, **VERMIN_FIRST))
    board = state.box.scenario("streets").board
    beyond = {board.names[square] for square in members(glides(state, state.vermin[0]))}

    assert not beyond & {"c1", "d1", "c2", "d2", "c3", "d3"}
    assert {"a4", "e3", "e4", "c6"} <= beyond


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"options": {"scenario": ""}}, 'options.scenario: there is no scenario ""'),
        ({"top": ["marker-croc"]}, 'top.0: "marker-croc" is not known here'),
        ({"hand": ["pepperbox"]}, 'hand.0: "pepperbox" is not known here'),
        ({"graves": ["patch"]}, 'graves.0: "patch" is not known here'),
        ({"aspects-used": ["pepperbox"]}, 'aspects-used.0: "pepperbox" is not known here'),
        ({"discard": ["a1"] * 3000}, "discard: 3000 is the wrong number of items; 0 to 120"),
    ],
)
def test_pieces_lie_where_they_can(more: dict[str, Any], told: str) -> None:
    """Each deck has its own."""
    record = position("streets", {"patch": {"at": "c8"}, "nera": {"at": "a10"}}, {}) | more
    with pytest.raises(Misfits) as raised:
        cats.load(FACTS, record)

    assert str(raised.value).startswith(told)


def test_whom_a_scenario_waits_for_is_seen_among_others() -> None:
    """NO-SCN-9: the court is read when a hero sees the Rat King, whoever else is in sight."""
    heroes = {"murray": {"at": "v5"}, "patch": {"at": "v4"}}
    vermin = {"pistoleer-1": {"at": "m8"}, "rat-king": {"at": "m5"}}
    state = cats.load(FACTS, position("hijacked", heroes, vermin, active="murray"))
    state.apply(("stride",))
    state.apply(("go", "v6"))
    assert [] == state.read_entries
    state.apply(("go", "v7"))
    assert [13] == state.read_entries


@pytest.mark.parametrize(
    ("record", "at", "left"),
    [
        pytest.param({"nera": {"at": "w5"}, "vermin": {"stinker-1": {"at": "c10"}}}, "c9", [], id="in water"),
        pytest.param(
            {"nera": {"at": "w5"}, "vermin": {"stinker-1": {"at": "w6"}}}, "e9", ["murray"], id="the attacker"
        ),
        pytest.param({"nera": {"at": "c9"}, "vermin": {}}, "c9", ["nera"], id="a friend, and no vermin on the map"),
    ],
)
def test_an_area_is_attacked_whoever_stands_there(record: dict[str, Any], at: str, left: list[str]) -> None:
    """NO-AMB-45, NO-AMB-104 and NO-TERR-6: also in water, where it misses without a draw, the attacker and a friend."""
    heroes = {"murray": {"at": "e9", "weapons": ["blunderbuss"]}, "nera": record["nera"]}
    chance = Scripted([("poker", "2-of-hearts")] * len(left))
    state = cats.load(FACTS, position("hijacked", heroes, record["vermin"], active="murray"), chance)
    state.heroes[0].ap = 1
    log: list[Any] = []
    state.apply(("attack", "blunderbuss", at), log)

    assert [] == chance.left
    assert ("NO-TERR-6" in [event.rule for event in log]) is not bool(left)
    assert 0 == state.heroes[0].ap


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("g9", "nobody stands in the big square of g9"),
        ("c10", "the big square of c10 is named by its upper left square, c9"),
        ("stinker-1", "aim the Blunderbuss at a big square, named by its upper left square, not at stinker-1"),
        ("w5", "no square of the area of w5 is in sight and within Range 3"),
    ],
)
def test_a_refused_area_is_told_why(target: str, told: str) -> None:
    """NO-AMB-45 has several reasons."""
    heroes = {"murray": {"at": "e9", "weapons": ["blunderbuss"]}, "nera": {"at": "w5"}}
    state = cats.load(FACTS, position("hijacked", heroes, {"stinker-1": {"at": "c10"}}, active="murray"))
    state.heroes[0].ap = 1

    assert f"NO-AMB-45: {told}" == str(state.why_not(("attack", "blunderbuss", target)))


@pytest.mark.parametrize(
    ("rule", "vermin", "cards"),
    [
        ("NO-PWR-24", "croc d3", "8h"),
        ("NO-STAT-2", "stinker-1 d3 stunned", "5h"),
        ("NO-GEN-9", "george-burr d3", "8h"),
        ("NO-PWR-1", "stinker-1 d3 zombie", "8h"),
    ],
)
def test_a_stun_that_cannot_land_is_told(rule: str, vermin: str, cards: str) -> None:
    """An attack ends with a line, also if its Stun comes to nothing: a ladle stuns on 7 and wounds on 12."""
    here = Yard(["odile c3", vermin, *(["difficulty hard"] if rule == "NO-GEN-9" else [])])
    here.move(f"attack unarmed {vermin.split()[0]} | {cards}")

    assert (rule, True) == (here.log[-1].rule, here.log[-1].text.endswith("so the Stun has no effect."))


@pytest.mark.parametrize(
    "word", ["reload", "use", "choose", "transfer", "buy", "gamble", "sell", "train", "equip", "put"]
)
@pytest.mark.parametrize(
    "piece", ["patch", "one-for-the-road", "pepperbox", "beignets", "tip-jar", "stash-1", "wanted-poster"]
)
@pytest.mark.parametrize("aboard", [False, True], ids=["on a map", "on board"])
def test_a_move_that_names_a_wrong_piece_is_refused_by_a_rule(word: str, piece: str, aboard: bool) -> None:
    """It can be read, and what is wrong with it is a matter of the rules."""
    state = Yard(["odile c3", "croc k2"]).state
    if aboard:
        chance = Scripted([("event", "kitten-with-chalk")])
        state = cats.start(
            FACTS, ["Ada"], {"scenario": "hijacked", "interlude": True, "heroes": ["odile", "nera"]}, chance
        )
        state.apply(("act", "odile"))
    (move,) = cats.read(f"{word} {piece}", state)

    assert (word, piece) == move
    assert state.why_not(move) is not None


@pytest.mark.parametrize(
    ("text", "rule"),
    [("buy tip-jar", "NO-BOAT-6"), ("gamble pepperbox", "NO-BOAT-6"), ("train pepperbox", "NO-BOAT-8")],
)
def test_who_takes_one_thing_for_another_on_board_is_told_the_rule(text: str, rule: str) -> None:
    """A Buck card is a gamble, and nothing else is; a weapon is no skill."""
    record = {
        "options": {"scenario": "hijacked", "interlude": True},
        "seats": {"Ada": {}},
        "phase": "interlude",
        "step": "skills" if text.startswith("train") else "gear",
        "event": "kitten-with-chalk",
        "heroes": {"minou": {}, "patch": {}},
        "active": "minou",
        "offer": ["pepperbox", "tip-jar"],
    }
    state = cats.load(FACTS, record)
    refusal = state.why_not(*cats.read(text, state))

    assert refusal is not None and rule == refusal.rule


def test_an_attack_on_a_friend_is_refused_by_a_rule() -> None:
    """NO-ATK-2: the target is a vermin."""
    state = Yard(["odile c3 weapons old-navy-revolver", "patch e3", "croc k2"]).state
    refusal = state.why_not(*cats.read("old-navy-revolver at patch", state))

    assert "NO-ATK-2: Patch is a hero, and only vermin can be attacked" == str(refusal)


def test_what_sells_for_nothing_is_refused_with_its_price() -> None:
    """NO-BOAT-7: half of 1, rounded down."""
    components = {**FACTS["components"]}
    components["beignets"] = {**components["beignets"], "price": 1}
    record = {
        "options": {"scenario": "hijacked", "interlude": True},
        "seats": {"Ada": {}},
        "phase": "interlude",
        "step": "gear",
        "event": "kitten-with-chalk",
        "heroes": {"minou": {"loot": ["beignets"]}, "patch": {}},
        "active": "minou",
    }
    state = cats.load({**FACTS, "components": components}, record)

    assert "half the price of 1, rounded down, is nothing" in str(state.why_not(("sell", "beignets")))


# What no map or card of the box shows


def with_map(**more: Any) -> Facts:
    """The yard, and on its map what is given."""
    facts = with_yard(FACTS)
    return {**facts, "maps": {**facts["maps"], "yard": {**facts["maps"]["yard"], **more}}}


def with_edge(edge: str) -> Facts:
    """The yard with an edge of this kind between c3 and d3, and between c2 and d2, c4 and d4."""
    rows = with_yard(FACTS)["maps"]["yard"]["upright"]
    return with_map(upright=[row[:3] + edge + row[4:] if at in (1, 2, 3) else row for at, row in enumerate(rows)])


@pytest.mark.parametrize(
    ("edge", "text"),
    [
        pytest.param(":", "odile c3 mp 1\ncroc k2\ncannot go d3", id="NO-MOVE-4, 1 MP is too few"),
        pytest.param(":", "odile c3 mp 2\ncroc k2\n> go d3\nodile at d3 mp 0", id="NO-MOVE-4, 2 MP"),
        pytest.param(" ", "odile c3 mp 2\ncroc k2\n> go d3\nodile at d3 mp 1", id="an edge without colour"),
        pytest.param("~", "odile c3 mp 2\ncroc k2\n> go d3\nodile at d3 done", id="NO-TERR-4, a hero"),
        pytest.param(
            "~", "odile a3\nstinker-1 d3\nphase vermin\n> vermin stinker-1\n> to c3\nstinker-1 ap 0", id="NO-TERR-4"
        ),
    ],
)
def test_an_edge_counts_as_its_terrain(edge: str, text: str) -> None:
    play(text, facts=with_edge(edge))


@pytest.mark.parametrize(("at", "modifiers"), [("c3", []), ("b3", [-2])])
def test_a_yellow_edge_hinders_unless_it_is_of_the_attackers_own_square(at: str, modifiers: list[int]) -> None:
    """NO-AMB-44: the edge belongs to c3, from which the attack goes freely, and is crossed from b3."""
    here = Yard([f"odile {at} weapons pepperbox", "croc e3"], facts=with_edge(":"))
    here.move("attack pepperbox croc | 2h 3h")

    assert modifiers == [event.facts["modifier"] for event in here.log if event.rule.startswith("NO-DRM")]


def test_vermin_spawn_on_the_first_space_when_the_marker_comes_back() -> None:
    """NO-SPAWN-5: the track has 8 spaces, and S1 on its first."""
    text = """
        odile c3
        patch l8 done
        stinker-1 k2
        space 8
        first vermin
        second
        > end | marker-bayou-mosquito 9h 5c
        mosquito-1 at l5
    """
    play(text, facts=with_map(track={"S1": [1]}))


@pytest.mark.parametrize(
    ("text", "stunned"),
    [
        ("odile c3 weapons pepperbox\nstinker-1 d3\n> attack pepperbox stinker-1 | Ah\n> pass | Ad\n> pass", False),
        ("odile b5 weapons pepperbox\nstinker-1 e5\n> attack pepperbox stinker-1 | 3h 3d", False),
        ("odile b5 weapons pepperbox\nstinker-1 e5\n> attack pepperbox stinker-1 | 3h 4d", True),
    ],
)
def test_a_result_of_1_misses_also_what_a_1_would_stun(text: str, stunned: bool) -> None:
    """NO-AMB-33: an ace, and a 3 through the hedge, which is 1; no attack of the box stuns on 1."""
    components = {**FACTS["components"]}
    components["pepperbox"] = {**components["pepperbox"], "stun": 1}

    assert stunned is play(text, facts=with_yard({**FACTS, "components": components})).vermin[0].stunned


def test_a_spawned_marker_is_not_stopped_by_figures() -> None:
    """NO-AMB-147: all squares around l5 are taken, and the closest empty ones are 2 steps away, past the figures."""
    text = """
        odile l5
        patch k5 done
        pistoleer-1 k4
        pistoleer-2 k6
        pistoleer-3 l4
        bayou-bitter-1 l6
        space 2
        first vermin
        second
        > end | marker-bayou-mosquito
        can to j5
        can to k3
        cannot to i5
    """
    play(text, facts=with_yard(FACTS))
