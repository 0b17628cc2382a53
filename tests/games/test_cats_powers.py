"""The Cats of New Orleans, power by power: all 24, each tried in a yard.

What must come of it is worked out by hand from the list of powers. Two stand on no card and are lent to Pistoleers.
"""

from __future__ import annotations

import re
from typing import Final

import pytest
from cats_yard import FACTS, POWERS, Yard, cases_of, play, steps_of, with_yard
from games_for_tests import bundled_game

from grimalkin.games.cats_of_new_orleans import vermin
from grimalkin.games.cats_of_new_orleans.figures import hero_of

LENT: Final = {"coward", "drain-life"}
"""Powers that no foe of the box has."""
CASES: Final = {
    "bokor": """
        odile c3
        pistoleer-1 c4
        mort k1
        > attack unarmed pistoleer-1 | Qh 7c
        pistoleer-1 at c4 zombie wounds 0
        > attack unarmed pistoleer-1 | 9h      # a zombie cannot be stunned
        pistoleer-1 -stunned
        --
        odile c3
        pistoleer-1 c4
        mort k1
        > attack unarmed pistoleer-1 | Qh 6c
        gone pistoleer-1
        graves marker-pistoleers
        --
        odile c3
        pistoleer-1 c4 zombie
        mort k1
        > attack unarmed pistoleer-1 | Qh      # not for zombies
        gone pistoleer-1
        --
        delphine c3
        croc c4 wounds 3
        mort k1
        > attack unarmed croc | Jh             # not for bosses
        gone croc
        gone-for-good marker-croc
        --
        odile c3
        mosquito-1 c3
        mort k1 done
        phase vermin
        > vermin mosquito-1 | 2h 7c            # one that has stung comes back, beside who stands there
        > to c4
        mosquito-1 at c4 zombie done
        --
        odile c3
        mosquito-1 c4
        mort k1
        > attack unarmed mosquito-1 | Qh 7c    # what killed it does not hurt the zombie that is called as it was
        mosquito-1 at c4 zombie wounds 0
        --
        bastien c3 skills haymaker
        mosquito-1 d3
        mort k1
        > attack unarmed mosquito-1 | 8h 2c 7c
        mosquito-1 at d3 zombie
        --
        odile c3
        pistoleer-1 g3 zombie
        phase vermin
        > vermin pistoleer-1                   # pistols are weapons: it comes nearer
        > to f3
        pistoleer-1 at f3
    """,
    "boss": """
        delphine c3
        croc c4 wounds 3
        > attack unarmed croc | Jh
        gone croc
        gone-for-good marker-croc
        graves
    """,
    "camouflage": """
        odile j2 loot skeleton-key
        door j2e open
        croc k2
        > use skeleton-key
        unknown-1 at k2
        gone croc
        > use skeleton-key
        croc at k2
    """,
    "conjoined": """
        delphine c3
        rat-king d3 wounds 5
        > attack unarmed rat-king | Jh bandit
        gone rat-king
        aspects psycho pimp corrupted assassin decayed
        gone-for-good marker-rat-king
    """,
    "cornered": """
        odile c3
        patch g4
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 2h
        says Tooth and Claw
    """,
    "counterattack": """
        odile c3
        roux-poubelle d3
        > attack unarmed roux-poubelle | 2c 9h 3c
        odile lives 8 stunned ap 1
        --
        odile c3 weapons harpoon
        roux-poubelle f3
        > attack harpoon roux-poubelle | 2c    # not within Range 1
        odile lives 9
        --
        odile c3
        roux-poubelle d3 stunned
        > attack unarmed roux-poubelle | 2c 9h 3c
        odile lives 8                          # a Stun is paid for in an activation, and this is none
        --
        odile e3 weapons blunderbuss           # of all in an area, whoever has the power strikes back
        roux-poubelle d3
        mosquito-1 d4
        > attack blunderbuss c3 | 10h 2c 9h 3c
        gone mosquito-1
        odile lives 8 stunned
    """,
    "coward": """
        odile c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1
        > to c5
        pistoleer-1 at c5
        odile lives 9
        --
        odile c3
        pistoleer-1 g3
        phase vermin
        > vermin pistoleer-1 | 2h              # out of every Range it shoots
        says attacks
    """,
    "dodge": """
        delphine c3
        george-burr d3
        > attack unarmed george-burr | Jh 9c
        george-burr wounds 0 -stunned
        > attack unarmed george-burr | Qh 8c
        george-burr wounds 1 stunned
        --
        delphine c3
        george-burr d3 stunned
        > attack unarmed george-burr | 8h      # 8 + 3; not while stunned
        george-burr wounds 1
        --
        delphine c3 weapons blunderbuss
        george-burr e1
        > attack blunderbuss e1 | 10h          # not against areas
        george-burr wounds 1 stunned
        --
        delphine c3
        george-burr d3
        > attack unarmed george-burr | 7h      # nothing lands, nothing is dodged
        george-burr wounds 0
        --
        delphine c3
        difficulty hard
        george-burr d3
        > attack unarmed george-burr | 8h      # on hard no Stun lands on a boss, and none is dodged
        george-burr wounds 0 -stunned
        --
        odile c3 weapons pepperbox
        george-burr d3
        > attack pepperbox george-burr | 10h Jh 9c     # one FLIP for an attack of two Wounds
        george-burr wounds 0 -stunned
        --
        odile c3 weapons pepperbox
        george-burr d3
        > attack pepperbox george-burr | 10h Jh 8c
        george-burr wounds 2 stunned
    """,
    "drain-life": """
        odile c3
        patch e3
        george-burr k1 done
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 7h 6h 7c
        odile lives 8
        patch lives 9
        george-burr wounds 1
        pistoleer-1 wounds -2 at c4 -quiet
        --
        odile c3
        patch e3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 7h 7c           # George Burr is away: no FLIP is for him, and nobody is stunned
        odile lives 8 -stunned
        patch lives 8 -stunned
        pistoleer-1 wounds -2
        --
        odile c3
        patch e3
        pistoleer-1 c4 wounds -8
        phase vermin
        > vermin pistoleer-1 | 7h 6c           # its card has 1 Health, 9 is the most
        odile lives 8
        pistoleer-1 wounds -8
    """,
    "flying": """
        odile d7
        sacrebleu b7
        phase vermin
        > vermin sacrebleu                     # water leaves it both its AP
        > to c7 | 2h 3h
        sacrebleu at c7
        --
        odile d7
        bayou-bitter-1 b7
        phase vermin
        > vermin bayou-bitter-1 | 2h           # another one has 1
        bayou-bitter-1 done
    """,
    "frenzy": """
        odile c3
        roux-poubelle c4
        phase vermin
        > vermin roux-poubelle | 3h 9h 2h 4h
        odile lives 7 stunned
    """,
    "glider": """
        odile e1
        mort a1
        phase vermin
        > vermin mort
        > to d1 | 2h 3h
        mort at d1
        --
        odile b8
        mort b5
        phase vermin
        > vermin mort                          # it lands in the pond, and has its other AP left
        > to b7 | 2h 3h
        mort at b7
    """,
    "large": """
        odile g4 mp 3
        rat-king e3
        cannot go f4
        can go f5
        > attack unarmed rat-king | 9h
        rat-king stunned
        --
        odile c3
        rat-king g3
        phase vermin
        > vermin rat-king | psycho             # a big square, and a small one
        > to d3
        rat-king at d3
        odile lives 9
        --
        odile c3
        rat-king h4
        phase vermin
        > vermin rat-king | psycho             # not exactly on a big square: a small one, and then it is
        cannot to f4
        > to g3
        rat-king at e3
    """,
    "leadership": """
        odile c3
        pistoleer-1 c4
        mort k1 done
        phase vermin
        > vermin pistoleer-1 | 2h 3h
        pistoleer-1 done
        --
        odile c3
        mosquito-1 c4
        viceroy g7 done
        alone
        phase vermin
        > vermin mosquito-1 | 2h 9h 5c         # one step, one sting; the card of the vermin counts in full
        says Heroes 9, vermin 5
        > heroes-first
    """,
    "mending-charm": """
        odile c3
        mort c4
        roux-poubelle k1 wounds 2 done
        sacrebleu l1 wounds 1 done
        phase vermin
        > vermin mort | 2h 3h
        sacrebleu wounds 0
        roux-poubelle wounds 2
        --
        odile c3
        mort c4
        phase vermin
        > vermin mort | 2h 3h 4h 5h
        odile lives 9
    """,
    "precision": """
        odile c3
        patch e3
        pistoleer-1 g3
        phase vermin
        > vermin pistoleer-1 | 2h
        says attacks Patch
        --
        odile c3
        pistoleer-1 g3
        pistoleer-2 e3 done
        phase vermin
        > vermin pistoleer-1                   # no clear shot: one step to where it has one, and no closer
        > to f2
        pistoleer-1 at f2
        --
        odile c5
        pistoleer-1 f5
        phase vermin
        > vermin pistoleer-1                   # a hero who stands in the hedge is no target for a shot
        odile lives 9
        pistoleer-1 empty 0
    """,
    "revolving-personality": """
        odile c3
        rat-king j5
        phase vermin
        > vermin rat-king | bandit
        says Bandit
        rat-king aspect bandit
    """,
    "shell-armor": """
        odile c3 weapons fire-axe
        viceroy d3
        > attack fire-axe viceroy | 7h 10h
        viceroy wounds 1 -stunned
    """,
    "short-lived": """
        odile c3
        mosquito-1 c3
        phase vermin
        > vermin mosquito-1 | Ah
        odile lives 8 stunned
        gone mosquito-1
    """,
    "stinkblast": """
        odile c3
        stinker-1 d3
        > attack unarmed stinker-1 | 7h
        stinkbombs d3
        stinker-1 stunned
        > attack unarmed stinker-1 | 9h
        says −3
        stinker-1 wounds 0
        --
        odile c3
        stinker-1 c4
        stinkbombs b2 d4
        alone
        phase vermin
        > vermin stinker-1 | 2h 3h 6c 7c 9h 2c # nothing is taken from a Stinker; then a FLIP for each token
        stinkbombs d4
        --
        odile c3 mp 1
        roux-poubelle e3
        stinkbombs c4
        > go d3 | 7h                           # a DRAW that is no Attack Draw is as it was
        odile at d3
    """,
    "swarming": """
        odile c3
        mosquito-1 c4
        phase vermin
        > vermin mosquito-1
        mosquito-1 at c3
        --
        odile c3 mp 2
        mosquito-1 c4
        > go c4
        odile at c4 mp 0
    """,
    "swimmer": """
        odile d7
        croc b7
        phase vermin
        > vermin croc
        > to c7 | 2h 3h 4h 5h
        croc at c7
        --
        odile d7
        croc d5
        phase vermin
        > vermin croc                          # on land it has 2
        > to d6 | 2h 3h
        croc at d6
    """,
    "terrifying": """
        odile c3 mp 1
        roux-poubelle e3
        > go d3 | 6h
        cannot to e2                           # no farther off
        > to c3
        odile at c3
        --
        odile c3 mp 1
        roux-poubelle e3
        > go d3 | 7h
        odile at d3
        --
        odile c3
        roux-poubelle e3 done
        mosquito-1 f5
        phase vermin
        > vermin mosquito-1                    # no vermin has to DRAW
        > to e4
        mosquito-1 at e4
    """,
    "thick-skinned": """
        delphine c3
        croc c4
        > attack unarmed croc | 9h
        croc -stunned
        > attack unarmed croc | Jh
        croc -stunned wounds 1
    """,
}


def lent(power: str) -> dict[str, object]:
    """The facts of the yard, where Pistoleers have a power that no foe of the box has."""
    pieces = {**FACTS["components"]}
    pieces["pistoleers"] = {**pieces["pistoleers"], "powers": power}
    return with_yard({**FACTS, "components": pieces})


@pytest.mark.parametrize(("power", "text"), [pytest.param(*rest, id=name) for name, *rest in cases_of(CASES)])
def test_powers_do_what_they_say(power: str, text: str) -> None:
    play(text, facts=lent(power) if power in LENT else None)


def test_who_is_cornered_shoots_at_nobody() -> None:
    """Patch stands in Range of the pistols, and Odile beside their owner."""
    before, _ = steps_of(CASES["cornered"])
    state = Yard(before).state
    (rat,) = [one for one in state.vermin if one.up]

    assert [("odile", "Tooth and Claw")] == [(one.hero, one.arm.name) for one in vermin.strikes(state, rat)]
    hero_of(state, "odile").at = state.box.board("yard").numbers["a1"]
    assert ("patch", "Pistols") in [(one.hero, one.arm.name) for one in vermin.strikes(state, rat)]


def test_every_power_is_tried() -> None:
    assert set(POWERS) == set(CASES)


SAID: Final = {
    "bokor": ("7", "eliminated", "FLIP", "full Health", "zombi", "boss", "cannot be stunned", "weapon"),
    "boss": ("", "eliminated", "leave|remove", "the scenario for good"),
    "camouflage": ("", "no hero", "face down"),
    "conjoined": (
        "",
        "Each time",
        "eliminated",
        "Aspect card",
        "still has|remaining",
        "at random",
        "until (the end of the campaign|the campaign ends)",
    ),
    "cornered": ("1", "While", "adjacent to a hero", "Range 1"),
    "counterattack": ("1", "hero", "within Range 1", "attack"),
    "coward": (
        "",
        "attack .*Range|Range.* attack",
        "leaves all such Ranges|until no hero's attack reaches it",
        "as far away as (it can|possible)",
    ),
    "dodge": ("9", "attack", "FLIP", "9", "Stuns and Wounds (of|from) this attack", "stunned", "area"),
    "drain-life": (
        *("1 7 9", "activation", "1 AP", "FLIP", "hero on the map", "George Burr", "on (it|the map)", "1 Wound"),
        *("with(out a| no) Stun", "1 Health", "maximum|more Health than its card shows", "no attack|does not attack"),
    ),
    "flying": ("", "hindering terrain|Neither hindering", "water"),
    "frenzy": ("2", "2 cards", "for each", "draw", "higher"),
    "glider": (
        "1",
        "For 1 AP",
        "small square",
        "neighbouring big square|big square next to its own",
        "Hindering terrain and water do not affect it|not onto blocking terrain",
    ),
    "large": ("1 2", "fills 2 by 2 small squares", "1 AP", "small square", "exactly", "big square"),
    "leadership": ("1", "vermin", "1 AP", "Initiative"),
    "mending-charm": (
        *("1", "1 AP", "activat", "wounded", "all its Health|full Health"),
        "Viceroy.* Mort.* Sacrebleu.* Rat King.* Roux Poubelle",
    ),
    "precision": (
        "",
        "shoots",
        "hero",
        "hindering terrain",
        "counts against|penalty",
        "nearest",
        "If there is none, it moves",
    ),
    "revolving-personality": (
        "",
        "At set-up, shuffle",
        "Aspect cards",
        "each .*activat",
        "attack and .*power",
        "own",
    ),
    "shell-armor": ("2", "cannot be stunned", "Attacks?", "takes? −2"),
    "short-lived": ("", "attack", "it is eliminated"),
    "stinkblast": (
        *(
            "3 6",
            "is stunned, (put|place) a Stinkbomb token on its square",
            "surrounding",
            "except Stinkers",
            "take",
            "−3 on each",
        ),
        *("of (its|their) attacks|Attacks by", "End segment", "FLIP", "for each", "6 or l(ower|ess)"),
    ),
    "swarming": ("", "may", "a square with", "figure"),
    "swimmer": ("1", "ignores water", "activates in water", "1 (extra )?AP", "area"),
    "terrifying": (
        "1 6",
        "hero",
        "enters a square adjacent to this",
        "(must|makes a) DRAW",
        "6 or l(ower|ess)",
        "1 square away",
    ),
    "thick-skinned": ("", "cannot be stunned|Nothing can stun"),
}
"""By power, its numbers in the ledger, and the conditions that its card and its rule must both state, as patterns."""
ONLY_ON_CARD: Final = {"leadership": {"4"}}
ONLY_IN_RULE: Final = {"conjoined": {"1", "6"}, "leadership": {"2", "4"}, "precision": {"1"}}


def said_by_rule(rule: str) -> str:
    """The text of a rule as it is read, without its references."""
    text = next(
        one.text for section in bundled_game("cats-of-new-orleans").sections for one in section.rules if one.id == rule
    )
    return re.sub(r"\[\[=?(?:[^]|]*\|)?([^]|]*)\]\]", r"\1", re.sub(r" ?\(?[Ss]ee (also )?[^.)]*\]\]\)?", "", text))


@pytest.mark.parametrize("power", sorted(SAID))
def test_a_card_says_of_its_power_what_the_rule_says(power: str) -> None:
    """Cards beat the Guide Book, so a card that says something else would change the rule."""
    numbers, *conditions = SAID[power]
    card, rule = str(POWERS[power]["text"]), said_by_rule(str(POWERS[power]["rule"]))
    lacking = [(one, text) for one in conditions for text in (card, rule) if not re.search(one, text, re.I | re.S)]

    assert [] == lacking
    assert (set(numbers.split()), set(numbers.split())) == (
        set(re.findall(r"\d+", card)) - ONLY_ON_CARD.get(power, set()),
        set(re.findall(r"\d+", rule)) - ONLY_IN_RULE.get(power, set()),
    )


def test_every_card_is_compared_with_its_rule() -> None:
    assert set(POWERS) == set(SAID)
