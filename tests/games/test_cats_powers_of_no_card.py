"""Coward and Drain Life stand on no foe card of the box: here a Stinker or a Bayou Bitter has them."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from cats_yard import FACTS, play, with_yard


@cache
def facts_with(power: str) -> dict[str, Any]:
    """The yard, with vermin that have this power besides their own."""
    facts = with_yard(FACTS)
    for foe in ("stinkers", "bayou-bitters"):
        facts["components"][foe] = {**facts["components"][foe], "powers": power}
    return facts


COWARD = {
    "it leaves the Range of a fist, and does not come back with what is left": """
        phase vermin
        minou e4
        stinker-1 f4
        > vermin stinker-1
        can to f3
        can to f5
        can to g3
        can to g4
        can to g5
        cannot to e3
        cannot to d4
        > to g4
        stinker-1 at g4 ap 0
        minou lives 9
        phase vermin
        active
        """,
    "it flees before it attacks, and attacks from where it is safe": """
        phase vermin
        minou e4
        bayou-bitter-1 f4
        > vermin bayou-bitter-1
        > to f5 | 10h
        bayou-bitter-1 at f5 ap 0
        minou lives 8 stunned
        """,
    "out of all Ranges it is as brave as others": """
        phase vermin
        minou e4
        stinker-1 h4
        > vermin stinker-1
        can to g3
        can to g4
        can to g5
        > to g4
        can to f4
        """,
    "where it cannot get out, it goes as far as it can": """
        phase vermin
        minou e4 weapons squirrel-rifle
        stinker-1 f4
        > vermin stinker-1
        can to g3
        can to g4
        can to g5
        cannot to f3
        > to g4
        can to h3
        cannot to g5
        > to h5
        stinker-1 at h5 ap 0
        minou lives 9
        """,
    "with its back to the wall it attacks with what it has": """
        phase vermin
        minou j1
        patch j3
        odile h1
        murray h3
        stinker-1 j2
        mosquito-1 i1 done
        stinker-2 i2 done
        mosquito-2 i3 done
        croc k3 done
        > vermin stinker-1
        cannot to i2
        can choose minou
        can choose patch
        > choose minou | 2h
        > choose minou | 2d
        phase vermin
        stinker-1 at j2 ap 0
        """,
}
"""NO-PWR-7."""


@pytest.mark.parametrize("name", COWARD)
def test_a_coward_keeps_out_of_reach(name: str) -> None:
    play(COWARD[name], facts=facts_with("coward"))


DRAIN = {
    "a card for each hero: on 7 or more a Wound for that hero, and 1 Health for it": """
        phase vermin
        minou e4
        patch g4
        stinker-1 f4 wounds 1
        > vermin stinker-1 | 7h 6h
        minou lives 8 -stunned
        patch lives 9
        stinker-1 wounds 0 ap 0 at f4
        """,
    "it makes no attack in this activation": """
        phase vermin
        minou e4
        stinker-1 f4
        > vermin stinker-1 | 2h 3h
        minou lives 9
        stinker-1 wounds 0 at f4
        """,
    "and it attacks again in the next": """
        phase vermin
        minou e4
        patch l8 lives 5
        stinker-1 h4
        > vermin stinker-1 | 2h 3h
        > to g4
        stinker-1 at g4 ap 0 -quiet
        """,
    "its Health rises above what its card says": """
        phase vermin
        minou e4
        patch g4
        stinker-1 f4
        > vermin stinker-1 | 9h 9c
        minou lives 8
        patch lives 8
        stinker-1 wounds -2
        """,
    "but not above 9": """
        phase vermin
        minou e4
        patch g4
        stinker-1 f4 wounds -6
        > vermin stinker-1 | 9h 9c
        minou lives 8
        patch lives 8
        stinker-1 wounds -7
        """,
    "George Burr suffers, too, if he is there": """
        phase vermin
        minou e4
        patch l8
        stinker-1 f4 wounds 1
        george-burr a1 done
        > vermin stinker-1 | 2h 3h 7c
        minou lives 9
        george-burr wounds 1
        stinker-1 wounds 0
        """,
    "a stunned one has no AP for it": """
        phase vermin
        minou e4
        stinker-1 f4 stunned
        > vermin stinker-1
        stinker-1 -stunned
        minou lives 9
        """,
}
"""NO-PWR-9."""


@pytest.mark.parametrize("name", DRAIN)
def test_life_is_drained_from_all_of_them(name: str) -> None:
    play(DRAIN[name], facts=facts_with("drain-life"))
