"""The printed examples of the Guide Book that count what is in the box: NO-EX-3, NO-EX-30 and NO-EX-31 of the ledger.

Those that have a position stand in examples/printed.yaml.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest
from games_for_tests import bundled_game, facts_of

from grimalkin.engine.chance import Seeded
from grimalkin.games.cats_of_new_orleans import start

FACTS: Final = facts_of("cats-of-new-orleans")
WRONG: Final = {
    "NO-ERR-1": "the mosquito that goes to somebody who is not there",
    "NO-ERR-2": "Range 3",
    "NO-ERR-3": "10 minus 2",
    "NO-ERR-4": "a skill before there are any",
    "NO-ERR-5": "the black card on hard",
    "NO-ERR-6": "3 off a 7",
    "NO-ERR-7": "3 off a 10",
    "NO-ERR-8": "Conceal",
    "NO-ERR-9": "the picture that is lost",
}
"""What is wrong with printed examples, by erratum."""


def test_the_poker_deck_has_fifty_cards_without_the_kings() -> None:
    """NO-EX-3, in every scenario: 25 red ones and 25 black ones, of which the party holds one."""
    for scenario in FACTS["scenarios"]:
        state = start(FACTS, ["Ada"], {"scenario": scenario}, Seeded(1))
        cards = [*state.deck, *state.hand, *state.discard, *state.top]
        ids = {state.box.ids[card] for card in cards}

        assert 50 == len(cards) == len(ids)
        assert {"king-of-clubs", "king-of-spades", "king-of-hearts", "king-of-diamonds"}.isdisjoint(ids)
        assert {"red": 25, "black": 25} == Counter(FACTS["components"][id_]["colour"] for id_ in ids)


def test_there_are_seventeen_foe_cards() -> None:
    """NO-EX-30: 11 foes, and 6 aspects of the Rat King."""
    foes = [piece for piece in FACTS["components"].values() if piece["deck"] == "foes"]

    assert 17 == sum(foe["count"] for foe in foes)
    assert {"foe": 11, "aspect": 6} == Counter(foe["part"] for foe in foes)
    assert {"rat-king"} == {foe["with"] for foe in foes if foe["part"] == "aspect"}


def test_each_of_nine_heroes_has_nine_skills() -> None:
    """NO-EX-31: 9 dashboards and 81 skills."""
    heroes = [id_ for id_, piece in FACTS["components"].items() if piece["deck"] == "heroes"]
    skills = Counter(piece["hero"] for piece in FACTS["components"].values() if piece["deck"] == "skills")

    assert 9 == len(heroes)
    assert dict.fromkeys(heroes, 9) == skills


def test_every_printed_example_with_a_position_is_there() -> None:
    """29 of 31; each tells what the Guide Book says, and where."""
    found = [
        example
        for example in bundled_game("cats-of-new-orleans").examples
        if example.status == "printed" and example.printed
    ]

    assert 29 <= len(found)
    assert all(example.source for example in found)


@pytest.mark.parametrize("erratum", WRONG)
def test_wrong_examples_stand_beside_their_errata(erratum: str) -> None:
    assert erratum in {example.erratum for example in bundled_game("cats-of-new-orleans").examples}, WRONG[erratum]
