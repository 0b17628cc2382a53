"""The Cats of New Orleans as groups may agree to play it: foes with the Ranges that are printed, the Buck coin, and the
three difficulties. What must come of it is worked out by hand."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final

import pytest
from cats_yard import Facts, play, with_yard, yard
from games_for_tests import bundled_game

from grimalkin.content import as_variant
from grimalkin.games.cats_of_new_orleans import load
from grimalkin.games.cats_of_new_orleans.numbers import DIFFICULTIES
from grimalkin.games.cats_of_new_orleans.state import State


@cache
def printed() -> Facts:
    """The yard, with foes whose Range is the second number of their row (NO-AMB-50)."""
    game = bundled_game("cats-of-new-orleans")
    return with_yard(as_variant(game, [one for one in game.info.variants if one.id == "printed-ranges"]).facts)


# Ranges as printed


STILL: Final = {
    "croc": ("croc e3", "c3", "croc | 6h 5h 6c 5c"),
    "sacrebleu": ("sacrebleu e3", "c3", "sacrebleu | 6h 5h 6c 5c"),
    "viceroy": ("viceroy e3", "c3", "viceroy | 4h 3h 4c 3c"),
    "psycho": ("rat-king e3", "b3", "rat-king | psycho 5h 2h 4h 3h 5c 2c 5d 2d 4c 3c 5s 2s"),
    "pimp": ("rat-king e3", "b3", "rat-king | pimp 3h 2h 3c 2c 3d 2d"),
    "corrupted": ("rat-king e3", "b3", "rat-king | corrupted 4h 3h 2h 4c 3c 2c"),
}
"""Foes with a printed Range above 1: where one stands, and where a hero just within that Range; it is activated and
draws for two attacks, all of them below its Stun and Wound Values."""


@pytest.mark.parametrize("foe", STILL)
def test_with_the_printed_range_it_attacks_from_where_it_stands(foe: str) -> None:
    stands, hero, activated = STILL[foe]

    play(
        f"""
        murray {hero}
        {stands}
        phase vermin
        > vermin {activated}
        {stands.split()[0]} at e3 done
        murray lives 9 -stunned
        """,
        facts=printed(),
    )


@pytest.mark.parametrize(
    ("lines", "activated", "then"),
    [
        ("murray c3\ncroc e3", "croc", "can to d3"),
        ("murray c3\nsacrebleu e3", "sacrebleu", "can to d3"),
        ("murray c3\nviceroy e3", "viceroy", "can to d3"),
        ("murray b3\nrat-king e3", "rat-king | psycho 5h 2h 4h 3h 5c 2c", "rat-king at c3"),
        ("murray b3\nrat-king e3", "rat-king | pimp 3h 2h 3c", "rat-king at c3"),
        ("murray b3\nrat-king e3", "rat-king | corrupted 4h 3h 2h", "rat-king at c3"),
    ],
)
def test_with_range_1_it_comes_closer_first(lines: str, activated: str, then: str) -> None:
    """By our reading. The Rat King stands on a big square, goes by a whole one, and attacks from there."""
    play(f"{lines}\nphase vermin\n> vermin {activated}\n{then}\nmurray lives 9")


@pytest.mark.parametrize(
    ("lines", "activated", "then"),
    [
        ("murray c3\ncroc f3", "croc", "can to e3"),
        ("murray c3\nsacrebleu f3", "sacrebleu", "can to d3"),
        ("murray b3\nrat-king f3", "rat-king | psycho 5h 2h 4h 3h 5c 2c", "rat-king at e3"),
        ("murray b3\nrat-king f3", "rat-king | pimp 3h 2h 3c", "rat-king at e3"),
        ("murray b3\nrat-king f3", "rat-king | corrupted 4h 3h 2h", "rat-king at e3"),
    ],
)
def test_beyond_the_printed_range_it_comes_closer_too(lines: str, activated: str, then: str) -> None:
    """One square too far: Croc steps, Sacrebleu glides, and the Rat King attacks from where his one best step leads."""
    play(f"{lines}\nphase vermin\n> vermin {activated}\n{then}\nmurray lives 9", facts=printed())


@pytest.mark.parametrize("stands", ["roux-poubelle e3", "stinker-1 e3"])
def test_a_printed_range_of_1_changes_nothing(stands: str) -> None:
    """Two squares away they come closer, in either reading."""
    text = f"murray c3\n{stands}\nphase vermin\n> vermin {stands.split()[0]}\ncan to d3\nmurray lives 9"

    assert play(text).legal() == play(text, facts=printed()).legal()


def test_the_printed_range_wounds() -> None:
    """Croc bites across a square: 7 stuns, 9 wounds; then 3 more on each draw."""
    play(
        """
        murray c3
        croc e3
        phase vermin
        > vermin croc | 7h 9h 5c 6c
        croc at e3
        murray lives 6 stunned                 # 1 for a red card, then 9 with a club: 2
        """,
        facts=printed(),
    )


def test_only_foes_have_other_ranges() -> None:
    """Nothing but the Range of foes changes with the variant."""
    plain, changed_pieces = bundled_game("cats-of-new-orleans").facts["components"], printed()["components"]
    changed = {(id_, key) for id_, piece in plain.items() for key in piece if piece[key] != changed_pieces[id_][key]}

    assert {"range"} == {key for _, key in changed}
    assert {*STILL} <= {id_ for id_, _ in changed}
    assert {"roux-poubelle", "stinkers"}.isdisjoint(id_ for id_, _ in changed)


# The Buck coin


@pytest.mark.parametrize(
    ("difficulty", "card", "coin", "lives"),
    [
        ("normal", "10h", "heads", 8),
        ("normal", "10h", "tails", 7),
        ("normal", "10c", "heads", 8),
        ("normal", "10c", "tails", 7),
        ("hard", "10h", "tails", 7),
        ("hard", "10s", "heads", 8),
        ("easy", "10h", "", 8),
        ("easy", "10c", "", 8),
    ],
)
def test_the_coin_tells_what_a_wound_costs(difficulty: str, card: str, coin: str, lives: int) -> None:
    """By no colour; on easy a Wound costs 1 Life, and nobody flips (NO-AMB-6, NO-GEN-7)."""
    play(
        f"""
        murray c3
        pistoleer-1 c4
        phase vermin
        difficulty {difficulty}
        coin
        > vermin pistoleer-1 | {card} {coin}
        murray lives {lives} stunned
        """
    )


@pytest.mark.parametrize(
    ("difficulty", "card", "lives"),
    [
        ("easy", "10d", 8),
        ("easy", "10s", 8),
        ("normal", "10d", 8),
        ("normal", "10s", 7),
        ("hard", "10d", 8),
        ("hard", "10s", 7),
    ],
)
def test_without_the_coin_the_colour_tells(difficulty: str, card: str, lives: int) -> None:
    play(
        f"""
        murray c3
        pistoleer-1 c4
        phase vermin
        difficulty {difficulty}
        > vermin pistoleer-1 | {card}
        murray lives {lives} stunned
        """
    )


def test_each_wound_has_a_flip_of_its_own() -> None:
    """In the order of the cards: two Wounds of one bite, heads and tails."""
    play(
        """
        murray c3
        bayou-bitter-1 c4
        phase vermin
        coin
        > vermin bayou-bitter-1 | 9h 10c heads tails 2h 2c
        murray lives 6 stunned
        """
    )


def test_no_coin_for_the_wounds_of_vermin() -> None:
    play(
        """
        patch c3 weapons cavalry-saber
        bayou-bitter-1 c4
        coin
        > attack cavalry-saber bayou-bitter-1 | 8s
        bayou-bitter-1 wounds 1 stunned
        """
    )


def test_no_coin_for_a_wound_without_a_draw() -> None:
    """Bastien sinks: 1 Life, coin or not (NO-AMB-85)."""
    play(
        """
        bastien c7
        difficulty hard
        coin
        > prowl
        > go b7
        bastien lives 8
        """
    )


def test_the_coin_is_kept_in_the_record() -> None:
    state: State = play("murray c3\npistoleer-1 c4\ncoin\ncan end")

    assert load(yard(), state.position()).coin
    assert not load(yard(), play("murray c3\npistoleer-1 c4\ncan end").position()).coin


# The black Joker


@pytest.mark.parametrize(("difficulty", "coin"), list(product(DIFFICULTIES, ("", "coin"))))
def test_the_black_joker_costs_each_hero_one_life(difficulty: str, coin: str) -> None:
    """Drawn by a hero, drawn by a vermin, or flipped: 1 Life each, and no coin for it (NO-AMB-39)."""
    settings = f"difficulty {difficulty}\n{coin or 'round 1'}"
    then = "murray lives 8\npatch lives 8"

    play(f"murray c3\npistoleer-1 c4\n{settings}\n> attack unarmed pistoleer-1 | black-joker\n{then}")
    play(f"murray c3\npistoleer-1 c4\n{settings}\nphase vermin\n> vermin pistoleer-1 | black-joker\n{then}")
    waits = "murray c3 done\npistoleer-1 c4 stunned\nphase vermin\nalone"
    play(f"{waits}\n{settings}\n> vermin pistoleer-1 | black-joker 9h\n{then}")


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_a_joker_that_wounds_is_not_black(difficulty: str) -> None:
    """A mosquito hits with it always: 1 Life for the Wound, and 1 for the Joker (NO-AMB-84)."""
    play(
        f"""
        murray c3
        mosquito-1 c3
        phase vermin
        difficulty {difficulty}
        > vermin mosquito-1 | black-joker
        murray lives 7 stunned
        patch lives 8
        """
    )


@pytest.mark.parametrize(("side", "lives"), [("heads", 7), ("tails", 6)])
def test_a_joker_that_wounds_with_the_coin(side: str, lives: int) -> None:
    play(
        f"""
        murray c3
        mosquito-1 c3
        phase vermin
        coin
        > vermin mosquito-1 | black-joker {side}
        murray lives {lives}
        patch lives 8
        """
    )


# Bosses


@pytest.mark.parametrize(("difficulty", "stunned"), [("easy", "stunned"), ("normal", "stunned"), ("hard", "-stunned")])
def test_only_on_hard_a_boss_cannot_be_stunned(difficulty: str, stunned: str) -> None:
    """Neither by an attack nor by a card; its Wounds count, and other vermin are stunned as ever (NO-GEN-9)."""
    play(
        f"""
        patch c3 weapons cavalry-saber
        mort c4
        pistoleer-1 d3
        difficulty {difficulty}
        > attack cavalry-saber mort | 8s
        mort {stunned} wounds 1
        > attack unarmed pistoleer-1 | 8h
        pistoleer-1 stunned
        """
    )
