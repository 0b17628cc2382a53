"""The Cats of New Orleans, card by card: the skills of five heroes, each tried in a yard.

What must come of it is worked out by hand from its sentence. How to read a case stands in `cats_yard`.
"""

from __future__ import annotations

from typing import Final

import pytest
from cats_yard import FIVE, begin, cases_of, play, skills_of

MINOU: Final = {
    "roof-paths": """
        minou c3
        > use roof-paths
        minou mp 3 ap 2
        exhausted roof-paths
        cannot use roof-paths
        --
        minou c3 stunned                       # first the Stun marker goes
        cannot use roof-paths
        > unstun
        can use roof-paths
    """,
    "off-their-shoulders": """
        minou c3
        pistoleer-1 e3
        pistoleer-2 f3
        > pounce
        > go d3
        > go e3
        pistoleer-1 vulnerable
        > go f3
        pistoleer-2 -vulnerable                # once per activation
        > go g3
        > land
        > pass
        minou vulnerable
    """,
    "soft-landing": """
        minou c3
        > pounce
        > go d3
        > land
        minou vulnerable
        > end
        minou -vulnerable
        --
        minou c7                               # water ends the Pounce and the activation
        > pounce
        > go b7
        active
        minou -vulnerable done
    """,
    "hard-to-find": """
        minou c5
        bayou-bitter-1 c4
        phase vermin                           # -2 hedge, -2 skill, +1 Featherweight; then +3 for the Stun
        > vermin bayou-bitter-1 | 10h 8h 8c 5c
        minou stunned lives 9
        --
        minou b5
        bayou-bitter-1 b4
        phase vermin
        > vermin bayou-bitter-1 | 10h 4h 4c 4d # in the open 10 + 1 wounds
        minou stunned lives 8
    """,
    "under-and-over": """
        minou b5 mp 3
        > use under-and-over
        minou mp 2
        > go c5
        minou mp 1                             # the hedge costs nothing more
        --
        minou c3 mp 4
        patch d3
        cannot go d3
        > use under-and-over
        > go d3
        minou mp 2
        cannot end                             # nobody stays on a figure's square
        cannot prowl
        > go e3
        can end
        cannot use under-and-over              # it lasts already
        --
        minou c3 mp 2
        patch d3
        > use under-and-over
        cannot go d3                           # 1 MP is left, and she could not leave it again
        --
        minou c3
        cannot use under-and-over              # no MP
    """,
    "second-wind": """
        minou c3
        > pounce
        > go d3
        > land
        > use second-wind
        minou ap 1 vulnerable
        exhausted second-wind
    """,
    "changing-places": """
        minou c3
        patch h4                               # 6 away
        > use changing-places
        minou at h4
        patch at c3
        cannot use changing-places
        --
        minou c3
        patch i4
        cannot use changing-places
        --
        minou c3
        patch d3
        odile e3
        toussaint a7 done
        > use changing-places
        > choose toussaint
        toussaint at c3
        active                                 # she stands in water now
        minou at a7 done
    """,
    "from-above": """
        minou c3
        pistoleer-1 f4
        > pounce
        > go d3
        > go e3
        > go f3
        > land
        > attack unarmed pistoleer-1 | 8h
        says +3
        gone pistoleer-1                       # 8 + 3 = 11
    """,
    "everywhere-at-once": """
        minou c3
        active none
        > act minou
        > use everywhere-at-once
        minou ap 4 mp 3
        exhausted everywhere-at-once
        --
        minou c3
        active none
        > act minou
        > pass
        minou ap 3 mp 0
        --
        minou c3 stunned
        active none
        > act minou
        can unstun
        cannot use everywhere-at-once
    """,
}
PATCH: Final = {
    "steady-now": """
        patch c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | 9h
        gone pistoleer-1
        --
        patch c3 mp 1
        pistoleer-1 d4
        > go d3
        > attack unarmed pistoleer-1 | 9h
        pistoleer-1 stunned
    """,
    "practised-paws": """
        patch c3 weapons pepperbox loot stash-1
        depleted pepperbox
        > use practised-paws
        > reload pepperbox
        patch ap 2 lacks stash-1
        loaded pepperbox
        exhausted practised-paws
        --
        patch c3 weapons pepperbox
        depleted pepperbox
        cannot use practised-paws              # it is free of AP, not of ammunition
        --
        patch c3 weapons pepperbox loot stash-1
        cannot use practised-paws
    """,
    "one-for-the-road": """
        patch c3
        pistoleer-1 c4
        pistoleer-2 d3
        > attack unarmed pistoleer-1 | 10h
        > use one-for-the-road
        > attack unarmed pistoleer-2 | Qh
        gone pistoleer-1 pistoleer-2
        patch ap 1
        can end
        --
        patch c3
        pistoleer-1 c4
        bayou-bitter-1 d3
        > attack unarmed bayou-bitter-1 | 2c
        > use one-for-the-road
        > attack unarmed bayou-bitter-1 | 8h   # 8 - 2 misses 7
        bayou-bitter-1 -stunned
        > attack unarmed bayou-bitter-1 | 3c
        cannot use one-for-the-road
    """,
    "old-campaigner": """
        patch c3
        pistoleer-1 c4
        pistoleer-2 d3
        phase vermin
        > vermin pistoleer-1 | 8h
        > use old-campaigner
        patch -stunned lives 9
        > vermin pistoleer-2 | 8d
        patch stunned
    """,
    "point-blank": """
        patch c3 weapons pepperbox
        pistoleer-1 c4
        > attack pepperbox pistoleer-1 | 8h 2c
        gone pistoleer-1
        --
        patch c3 weapons pepperbox
        pistoleer-1 e3
        > attack pepperbox pistoleer-1 | 8h 2c
        pistoleer-1 stunned
    """,
    "follow-through": """
        patch c3
        pistoleer-1 c4
        pistoleer-2 d3
        > attack unarmed pistoleer-1 | 10h
        patch mp 1 ap 1
        > attack unarmed pistoleer-2 | 10c
        patch mp 1 ap 0
    """,
    "drilled": """
        patch c3 weapons pepperbox blunderbuss loot stash-1 stash-1
        depleted pepperbox blunderbuss
        > reload pepperbox
        patch ap 2
        > reload blunderbuss
        patch ap 1 lacks stash-1
    """,
    "hold-the-line": """
        patch c3
        odile d3
        pistoleer-1 d4
        unknown-1 k1 is marker-bayou-mosquito
        > use hold-the-line
        lasting 1
        > end
        > act odile
        > end
        > vermin pistoleer-1 | 10h
        odile lives 9 -stunned                 # 7
        > vermin unknown-1 | 9h 2c
        lasting 1
        > heroes-first
        lasting 0
    """,
    "last-charge": """
        patch c3
        pistoleer-1 f3
        > use last-charge
        patch lives 8 mp 3
        > go d3
        > go e3
        > done
        > attack unarmed pistoleer-1 | 7h
        gone pistoleer-1
        patch ap 2 mp 1
        exhausted last-charge
        --
        patch c3 lives 1
        cannot use last-charge
        --
        patch c3
        pistoleer-1 d3                         # no Stride beside it, but an attack
        > use last-charge
        > attack unarmed pistoleer-1 | 7h
        gone pistoleer-1
        --
        patch c7                               # in the water nothing more is done
        pistoleer-1 a6
        > use last-charge
        > go b7
        active
        patch done lives 8
    """,
}
LUNETTE: Final = {
    "dance-of-blades": """
        lunette c3 weapons throwing-knives
        pistoleer-1 g3
        > use dance-of-blades
        lunette ap 1 mp 1
        > go d3
        > attack throwing-knives pistoleer-1 | Jh 2c
        gone pistoleer-1
        can use dance-of-blades
        --
        lunette c3 ap 0
        cannot use dance-of-blades
    """,
    "exit-left": """
        lunette c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | Qh
        lunette mp 2
    """,
    "balanced-steel": """
        lunette c3 weapons throwing-knives
        pistoleer-1 e3
        > attack throwing-knives pistoleer-1 | 10h 2c
        gone pistoleer-1
        --
        lunette c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | Jh
        pistoleer-1 stunned
    """,
    "sidestep": """
        lunette c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1
        > use sidestep
        cannot to b4                           # no farther off
        > to c2
        lunette lives 9 at c2
        pistoleer-1 done
        says out of reach
        exhausted sidestep
        --
        lunette c3
        mosquito-1 c3
        phase vermin
        > vermin mosquito-1
        > use sidestep
        > to d3
        lunette lives 9
        gone mosquito-1                  # it has stung the air
    """,
    "pas-de-deux": """
        lunette c3
        odile d3
        > use pas-de-deux
        lunette ap 1
        > go e3
        > go f3
        > done
        odile at f3 mp 0
        --
        lunette c3
        odile d3
        pistoleer-1 e3
        cannot use pas-de-deux                 # Odile could not stride
        --
        lunette c3
        odile d4
        cannot use pas-de-deux                 # not adjacent
    """,
    "encore": """
        lunette c3 skills encore fan-of-knives
        exhausted fan-of-knives
        > use encore
        ready fan-of-knives
        exhausted encore
        --
        lunette c3 skills encore fan-of-knives sidestep
        exhausted fan-of-knives sidestep
        > use encore
        > choose sidestep
        ready sidestep
        exhausted fan-of-knives encore
        --
        lunette c3 skills encore fan-of-knives
        cannot use encore
    """,
    "fan-of-knives": """
        lunette c3
        pistoleer-1 e3
        pistoleer-2 d4
        pistoleer-3 f3
        > use fan-of-knives
        pistoleer-1 vulnerable
        pistoleer-2 vulnerable
        pistoleer-3 -vulnerable
        cannot use fan-of-knives
        --
        lunette k3
        unknown-1 k2 is marker-pistoleers      # behind the wall: what is affected is revealed first
        > use fan-of-knives
        pistoleer-1 vulnerable
    """,
    "the-whole-waltz": """
        lunette c3
        pistoleer-1 c4
        pistoleer-2 g3
        > use the-whole-waltz
        > attack unarmed pistoleer-1 | Qh
        > go d4
        > go e3
        > go f3
        > attack unarmed pistoleer-2 | Qc
        gone pistoleer-1 pistoleer-2
        lunette ap 2 mp 0
        --
        lunette c3
        pistoleer-1 d3                         # moving comes after it, and Range 1 is needed
        > use the-whole-waltz
        > pass
        > done
        > pass
        exhausted the-whole-waltz
    """,
    "bravura": """
        lunette c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | 2c
        > use bravura
        lunette mp 1
        > attack unarmed pistoleer-1 | 3c
        > pass
        lunette mp 1
    """,
}
MURRAY: Final = {
    "draw-a-bead": """
        murray c3 weapons old-navy-revolver
        pistoleer-1 g3
        > attack old-navy-revolver pistoleer-1 | 8h 2c
        gone pistoleer-1
        --
        murray c3 weapons old-navy-revolver mp 1
        pistoleer-1 g3
        > go c4
        > attack old-navy-revolver pistoleer-1 | 8h 2c
        pistoleer-1 stunned
    """,
    "fan-the-hammer": """
        murray c3 weapons old-navy-revolver
        pistoleer-1 g3
        > use fan-the-hammer
        > attack old-navy-revolver pistoleer-1 | 2h 3c 10h
        gone pistoleer-1
        lasting 1
        > end
        lasting 0
    """,
    "spare-cylinder": """
        murray c3 weapons old-navy-revolver derringer
        depleted old-navy-revolver derringer
        > use spare-cylinder
        > choose derringer
        loaded derringer
        depleted old-navy-revolver
        murray ap 1
        cannot use spare-cylinder              # once per scenario
        --
        murray c3 weapons old-navy-revolver
        cannot use spare-cylinder
    """,
    "long-look": """
        murray g2
        unknown-1 k1 is marker-pistoleers
        > use long-look
        pistoleer-1 at k1
        exhausted long-look
        --
        murray b1
        unknown-1 k1 is marker-pistoleers
        cannot use long-look
    """,
    "trick-shot": """
        murray c3 weapons old-navy-revolver
        pistoleer-1 g3
        > attack old-navy-revolver pistoleer-1 | 2c
        > use trick-shot | 10h 3s
        gone pistoleer-1
        exhausted trick-shot
        discard 2c 10h 3s
        --
        murray c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | 2h
        can end
        --
        murray c3                              # the ace is replaced before anything comes of it
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | As
        > use trick-shot | Jh
        gone pistoleer-1
        hand
    """,
    "through-the-crowd": """
        murray c3 weapons old-navy-revolver
        pistoleer-1 g3
        pistoleer-2 e3
        > attack old-navy-revolver pistoleer-1
        > use through-the-crowd | 10h 2c
        gone pistoleer-1
        --
        murray c3 weapons old-navy-revolver
        pistoleer-1 g3
        pistoleer-2 e3
        > attack old-navy-revolver pistoleer-1
        > pass | 10h 2c
        pistoleer-1 stunned
    """,
    "cover-me": """
        murray c3 weapons old-navy-revolver
        odile c4
        pistoleer-1 g3
        > attack old-navy-revolver pistoleer-1 | 2c 3c
        > go b4
        odile at b4
        > attack old-navy-revolver pistoleer-1 | 4c 5c
        can end                                # once per activation
    """,
    "dead-aim": """
        murray c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1
        > use dead-aim | 7h
        gone pistoleer-1
        exhausted dead-aim
    """,
    "high-noon": """
        murray c3 weapons old-navy-revolver
        pistoleer-1 g3
        pistoleer-2 h3
        phase vermin
        > vermin pistoleer-1
        > use high-noon
        cannot attack old-navy-revolver pistoleer-2
        > attack old-navy-revolver pistoleer-1 | 10h 2c
        gone pistoleer-1
        can vermin pistoleer-2
        --
        murray c3 weapons old-navy-revolver
        pistoleer-1 g3
        phase vermin
        > vermin pistoleer-1                   # stunned, it gives all its AP for the marker
        > use high-noon
        > attack old-navy-revolver pistoleer-1 | 7h 2c
        pistoleer-1 -stunned at g3 ap 0
        murray lives 9
    """,
}
NERA: Final = {
    "bad-omen": """
        nera c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 10h
        nera stunned lives 9                   # 9
        --
        nera c3
        pistoleer-1 g3
        phase vermin
        > vermin pistoleer-1 | 10h
        nera stunned lives 8
    """,
    "read-the-cards": """
        nera c3
        bayou-bitter-1 c4
        > use read-the-cards | 5h 6h 7h
        > choose 7h
        > choose 5h
        top 7h 5h 6h
        > attack unarmed bayou-bitter-1
        top 5h 6h
        discard 7h
        exhausted read-the-cards
    """,
    "up-the-sleeve": """
        nera c3
        bayou-bitter-1 c4
        > attack unarmed bayou-bitter-1 | Ah
        > do | 4h
        nera ap 2
        hand 4h
        > attack unarmed bayou-bitter-1 | Ad
        > keep
        > pass
        nera ap 1                              # once per round
    """,
    "crossed-path": """
        nera c3
        pistoleer-1 c4
        hand 10h
        > attack unarmed pistoleer-1 | 2c
        > cheat 10h
        gone pistoleer-1
        nera mp 2
    """,
    "jinx": """
        nera a1
        odile c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1
        > use jinx | 10h 3c
        odile lives 9 -stunned
        exhausted jinx
        --
        nera k1
        odile c3
        pistoleer-1 c4
        alone
        phase vermin
        unknown-8 l2 is marker-bayou-mosquito
        > vermin pistoleer-1 | 10h             # out of her sight
        odile lives 8
        --
        nera a1                                # a jinx and a frenzy make one card
        odile c3
        roux-poubelle c4
        phase vermin
        > vermin roux-poubelle
        > use jinx | 3h 2h 4h
        odile lives 9
    """,
    "somebody-elses-luck": """
        nera a1
        odile c3
        pistoleer-1 c4
        pistoleer-2 d3
        hand 2c 3c
        phase vermin
        > vermin pistoleer-1 | 10h
        > keep
        > use somebody-elses-luck
        > discard 2c
        odile lives 9 stunned
        hand 3c
        > vermin pistoleer-2 | 10d
        > keep
        odile lives 8                          # once per round
    """,
    "evil-eye": """
        nera a1
        odile c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | Jh
        > use evil-eye
        odile lives 9 -stunned
        discard Jh
        exhausted evil-eye
        --
        nera a1                                # even what always hits needs a card
        odile c3
        mosquito-1 c3
        phase vermin
        > vermin mosquito-1 | Jh
        > use evil-eye
        odile lives 9 -stunned
        gone mosquito-1
        --
        nera a1
        odile c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 10h
        odile lives 8
    """,
    "the-house-wins": """
        nera c3
        hand 2h 3h
        > use the-house-wins | 4h 5h
        > discard 2h
        hand 3h 4h 5h
        exhausted the-house-wins
    """,
}
SKILLS: Final = {**MINOU, **PATCH, **LUNETTE, **MURRAY, **NERA}
AT_THE_START: Final = {"stacked-deck"}
"""What is tried from the set-up on."""


@pytest.mark.parametrize(("card", "text"), [pytest.param(*rest, id=name) for name, *rest in cases_of(SKILLS)])
def test_skills_do_what_they_say(card: str, text: str) -> None:
    play(text, card)


def test_nera_stacks_the_deck_after_her_own_bad_luck() -> None:
    """The Black Cat takes the first card of the hand, the Stacked Deck brings another one."""
    here = begin({"heroes": ["nera", "odile"], "skills": {"nera": ["stacked-deck"]}}, "2h")
    here.move("to f4")
    here.move("to f5")
    here.move("discard 2h | 3c 9c 2c")

    assert ["3-of-clubs"] == [here.state.box.ids[card] for card in here.state.hand]


def test_every_skill_of_theirs_is_tried() -> None:
    assert skills_of(FIVE) == set(SKILLS) | AT_THE_START
