"""The Cats of New Orleans, card by card: the skills of the other four heroes, and the flaws of all nine.

What must come of it is worked out by hand from its sentence. How to read a case stands in `cats_yard`.
"""

from __future__ import annotations

from typing import Final

import pytest
from cats_yard import FIVE, PIECES, begin, cases_of, play, skills_of

ODILE: Final = {
    "hot-gumbo": """
        odile c3 lives 5
        patch c4 lives 5
        > use hot-gumbo
        patch lives 6
        odile lives 5
        exhausted hot-gumbo
        --
        odile c3
        patch c4
        cannot use hot-gumbo                   # nobody has lost a Life
    """,
    "a-whiff-of-onion": """
        odile c3
        patch d4 stunned
        > use a-whiff-of-onion
        patch -stunned
        odile ap 1
        --
        odile c3
        patch e3 stunned
        cannot use a-whiff-of-onion
    """,
    "waste-not": """
        odile c3
        patch c4 loot beignets
        > use waste-not
        > transfer patch
        > get beignets
        > done
        odile ap 2 has beignets
        cannot use waste-not
    """,
    "poultice": """
        odile c3
        patch c4
        pistoleer-1 d4
        phase vermin
        > vermin pistoleer-1 | 10c
        patch lives 7
        > use poultice
        patch lives 8 stunned
        exhausted poultice
    """,
    "strong-coffee": """
        odile c3
        patch e4
        > use strong-coffee
        patch ap 1
        > end
        > act patch
        patch ap 4
        --
        odile c3
        patch f4
        cannot use strong-coffee
    """,
    "apron-strings": """
        odile c3
        patch b3
        pistoleer-1 d3
        phase vermin
        > vermin pistoleer-1 | 10h
        odile lives 9 stunned
        --
        odile c3
        pistoleer-1 d3
        phase vermin
        > vermin pistoleer-1 | 10h
        odile lives 8
    """,
    "cayenne": """
        odile c3
        bayou-bitter-1 c4
        > use cayenne
        bayou-bitter-1 stunned
        exhausted cayenne
        --
        odile c3
        roux-poubelle c4
        cannot use cayenne
        --
        odile c3
        bayou-bitter-1 c4 stunned
        cannot use cayenne
    """,
    "sunday-dinner": """
        odile c3 lives 5
        patch f3 lives 5
        bastien g3 lives 5
        > use sunday-dinner
        odile lives 6
        patch lives 6
        bastien lives 5
    """,
    "not-in-my-kitchen": """
        odile c3
        patch e3
        pistoleer-1 f3
        phase vermin
        > vermin pistoleer-1 | 10c
        > use not-in-my-kitchen
        patch lives 9 stunned
        exhausted not-in-my-kitchen
        --
        odile c3                               # she is a hero within Range 3 herself
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 10c
        > use not-in-my-kitchen
        odile lives 9
        --
        odile c3
        patch g3
        pistoleer-1 h3
        phase vermin
        > vermin pistoleer-1 | 10c
        patch lives 7
    """,
}
BASTIEN: Final = {
    "shove": """
        bastien c3
        pistoleer-1 d3
        > use shove
        cannot to c4                           # no farther off
        > to e3
        > to f3
        pistoleer-1 at f3
        bastien ap 1
        --
        bastien c3
        pistoleer-1 d4
        cannot use shove
    """,
    "big-as-a-door": """
        bastien b3
        patch c3
        pistoleer-1 d3
        phase vermin
        > vermin pistoleer-1 | 10h
        patch lives 9 stunned
        --
        bastien c3
        pistoleer-1 d3
        phase vermin
        > vermin pistoleer-1 | 10h             # it does not help himself
        bastien lives 8
    """,
    "sea-legs": """
        bastien c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 8h 7c
        bastien -stunned
        --
        bastien c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 8h 6c
        bastien stunned
    """,
    "hook-and-rope": """
        bastien c3
        pistoleer-1 g3
        > use hook-and-rope
        pistoleer-1 at e3
        exhausted hook-and-rope
        --
        bastien c3
        pistoleer-1 c4
        cannot use hook-and-rope               # it cannot come any closer
    """,
    "haymaker": """
        bastien c3
        bayou-bitter-1 d3
        > attack unarmed bayou-bitter-1 | 8h 2c
        bayou-bitter-1 stunned vulnerable at d3
    """,
    "in-the-way": """
        bastien b3
        patch c3
        pistoleer-1 d3
        phase vermin
        > vermin pistoleer-1 | 10c
        > use in-the-way
        bastien lives 7
        patch lives 9 stunned
        --
        bastien b3 loot cigar-tin              # and then it is his to cancel
        patch c3
        pistoleer-1 d3
        phase vermin
        > vermin pistoleer-1 | 10c
        > use in-the-way
        > use cigar-tin
        bastien lives 9
        patch lives 9
        --
        bastien b3
        patch c3
        pistoleer-1 d3
        phase vermin
        > vermin pistoleer-1 | 10c
        > pass
        bastien lives 9
        patch lives 7
    """,
    "bear-hug": """
        bastien c3
        bayou-bitter-1 d3
        > use bear-hug
        bayou-bitter-1 stunned vulnerable
        --
        bastien c3
        croc d3                                # it cannot be stunned, but it can be held
        > use bear-hug
        croc -stunned vulnerable
    """,
    "clear-the-dock": """
        bastien c3
        pistoleer-1 d3
        pistoleer-2 d4
        mosquito-1 b2
        roux-poubelle c2
        pistoleer-3 e3
        > use clear-the-dock
        pistoleer-1 stunned
        pistoleer-2 stunned
        gone mosquito-1
        roux-poubelle -stunned
        pistoleer-3 -stunned
    """,
    "your-turn-was-short": """
        bastien c3
        pistoleer-1 c4
        pistoleer-2 d3
        phase vermin
        > vermin pistoleer-1 | 10h
        cannot attack unarmed pistoleer-2
        > attack unarmed pistoleer-1 | Jh 2c
        gone pistoleer-1
        bastien lives 8
        > vermin pistoleer-2 | 10d             # once per round
        bastien lives 7
        --
        bastien c3
        pistoleer-1 g3
        bayou-bitter-1 h8
        phase vermin
        > vermin pistoleer-1 | 10h             # too far off for his fists: nothing is used up
        bastien lives 8 stunned
    """,
}
DELPHINE: Final = {
    "light-fingers": """
        delphine e6
        > use light-fingers
        > investigate e7 | beignets
        delphine has beignets ap 2
        exhausted light-fingers
        --
        delphine c3
        cannot use light-fingers
    """,
    "finders-keepers": """
        delphine c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | Jh
        delphine bucks 2
    """,
    "back-doors": """
        delphine j2
        unknown-1 k2 is marker-pistoleers
        > use back-doors
        pistoleer-1 at k2
        delphine ap 2
        cannot use back-doors
        --
        delphine i2
        cannot use back-doors
    """,
    "an-eye-for-value": """
        delphine e6
        > investigate e7 | beignets
        delphine bucks 1
        --
        delphine e6
        > investigate e7 | loose-floorboard cigar-tin marked-card
        delphine bucks 3                       # three cards
        active
    """,
    "first-choice": """
        delphine e6
        > investigate e7
        > use first-choice | beignets cigar-tin
        > choose cigar-tin
        delphine has cigar-tin lacks beignets
        loot-under beignets
        exhausted first-choice
        --
        delphine g7
        > investigate h7                       # no Loot card is drawn for an Objective
        can end
    """,
    "grease-a-palm": """
        delphine c3 bucks 12
        > use grease-a-palm
        delphine ap 3 bucks 7
        cannot use grease-a-palm
        --
        delphine c3 bucks 4
        cannot use grease-a-palm
        --
        delphine c3 loot wage-packet           # 8 bucks on a card: 3 come back
        > use grease-a-palm
        delphine ap 3 bucks 3 lacks wage-packet
    """,
    "gone-already": """
        delphine e6
        > investigate e7
        > use gone-already | beignets
        delphine mp 3 ap 0
    """,
    "everything-has-a-price": """
        delphine c3 bucks 9
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 10c
        > use everything-has-a-price
        delphine lives 9 bucks 1
        --
        delphine c3 bucks 7
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 10c
        delphine lives 7
    """,
}
TOUSSAINT: Final = {
    "lamplight": """
        toussaint i2
        unknown-1 k2 is marker-pistoleers
        unknown-2 l1 is marker-pistoleers
        unknown-3 l2 is marker-bayou-bitters
        > use lamplight
        pistoleer-1 at k2
        pistoleer-2 at l1
        bayou-bitter-1 at l2
        --
        toussaint g2
        unknown-1 k1 is marker-pistoleers
        cannot use lamplight
    """,
    "there": """
        toussaint c3
        pistoleer-1 h3
        pistoleer-2 h4
        > use there
        > choose pistoleer-1
        pistoleer-1 vulnerable
        pistoleer-2 -vulnerable
        toussaint ap 2
        cannot use there                       # once per activation
        --
        toussaint c3
        pistoleer-1 h3 vulnerable
        cannot use there                       # it is vulnerable already
    """,
    "keep-to-the-light": """
        toussaint c3
        patch c4
        > prowl
        > go b4
        patch at b4
        toussaint mp 1
        --
        toussaint c3
        patch c4
        > prowl
        > done
        > prowl
        can end                                # once per round
    """,
    "up-the-ladder": """
        toussaint c3
        pistoleer-1 e3
        > use up-the-ladder
        cannot to e3
        cannot to f3
        > to c5
        toussaint at c5 ap 1
        --
        toussaint c7
        > use up-the-ladder
        > to a7
        active
        toussaint done
    """,
    "he-knows-every-corner": """
        toussaint c3
        patch c4
        alone
        phase vermin
        second no
        first vermin
        unknown-1 k1 is marker-bayou-mosquito
        > vermin unknown-1
        > choose patch
        patch mp 2
        > act patch
    """,
    "in-the-glare": """
        toussaint c3
        bayou-bitter-1 c4 vulnerable wounds 1
        > attack unarmed bayou-bitter-1 | 9h   # + 2 + 1 for the marker - 1 alone in the dark
        gone bayou-bitter-1
    """,
    "douse-the-lamps": """
        toussaint c3
        odile d3
        pistoleer-1 d4
        unknown-1 k1 is marker-bayou-mosquito
        > use douse-the-lamps
        > end
        > act odile
        > end
        > vermin pistoleer-1 | 9h
        odile lives 9 -stunned                 # 7
        > vermin unknown-1 | Jd 2c
        > heroes-first
        lasting 0
    """,
    "beacon": """
        toussaint c3
        patch c4
        odile f3
        lunette k1
        > use beacon
        > go c5                                # squares, and no MP: the hedge costs one
        > go d6
        > go g3
        > done
        patch at d6
        odile at g3
        can end
    """,
    "before-the-dawn": """
        toussaint c3
        alone
        phase vermin
        unknown-1 k2 is marker-bayou-mosquito
        > vermin unknown-1
        > use before-the-dawn
        exhausted before-the-dawn
        > vermin-first
    """,
}
FLAWS: Final = {
    "minou": """
        minou c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 9h
        minou lives 8 stunned                  # 9 + 1
    """,
    "patch": """
        patch c3 weapons old-navy-revolver
        pistoleer-1 g3
        > attack old-navy-revolver pistoleer-1 | 10h 2c
        pistoleer-1 stunned                    # 9
    """,
    "lunette": """
        lunette c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 10h
        lunette lives 8 vulnerable
        --
        lunette c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 8h
        lunette stunned -vulnerable
    """,
    "murray": """
        murray c3 ap 3
        pistoleer-1 f3
        > pounce
        > go d3
        > go e3
        > land                                 # the attack of the Pounce is part of it
        > attack unarmed pistoleer-1 | Jh
        gone pistoleer-1
        active
        murray done vulnerable
    """,
    "odile": """
        odile c3
        bayou-bitter-1 c4 wounds 1
        > attack unarmed bayou-bitter-1 | 7h
        bayou-bitter-1 -stunned                # 6
    """,
    "bastien": """
        bastien c7 mp 1
        > go b7
        bastien lives 8 done
        active
        --
        bastien c7 loot oilskin-waders mp 2    # who ignores water does not enter it
        > go b7
        bastien lives 9
        active bastien
    """,
    "delphine": """
        delphine c3 bucks 10
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 9h
        delphine lives 8
        --
        delphine c3 bucks 9
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 9h
        delphine lives 9 stunned
    """,
    "toussaint": """
        toussaint c3
        bayou-bitter-1 c4
        > attack unarmed bayou-bitter-1 | 8h
        bayou-bitter-1 -stunned
        --
        toussaint c3
        patch b3
        bayou-bitter-1 c4
        > attack unarmed bayou-bitter-1 | 8h
        bayou-bitter-1 stunned
    """,
}
SKILLS: Final = {**ODILE, **BASTIEN, **DELPHINE, **TOUSSAINT}
AT_THE_START: Final = {"the-big-score", "nera"}
"""What is tried from the set-up on; Nera's flaw is, with her Stacked Deck."""


@pytest.mark.parametrize(("card", "text"), [pytest.param(*rest, id=name) for name, *rest in cases_of(SKILLS)])
def test_skills_do_what_they_say(card: str, text: str) -> None:
    play(text, card)


@pytest.mark.parametrize(("hero", "text"), [pytest.param(*rest, id=name) for name, *rest in cases_of(FLAWS)])
def test_flaws_do_what_they_say(hero: str, text: str) -> None:
    play(text, hero)


def test_the_big_score_is_made_before_the_first_round() -> None:
    here = begin({"heroes": ["delphine", "odile"], "skills": {"delphine": ["the-big-score"]}}, "2h")
    here.move("to f4")
    here.move("to f5 | beignets pepperbox")
    here.move("choose pepperbox")
    here.move("equip pepperbox | 9h 2c")

    here.step("delphine has pepperbox")
    here.step("loot-under beignets")


def test_every_skill_of_theirs_and_every_flaw_is_tried() -> None:
    heroes = {id_ for id_, piece in PIECES.items() if piece["deck"] == "heroes"}

    assert skills_of(heroes - set(FIVE)) | heroes == set(SKILLS) | set(FLAWS) | AT_THE_START
