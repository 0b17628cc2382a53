"""The Cats of New Orleans, card by card: weapons with a text, items, ammunition and events, each tried in a yard.

What must come of it is worked out by hand from its sentence. Buck cards are for the Riverboat.
"""

from __future__ import annotations

from typing import Final

import pytest
from cats_yard import PIECES, begin, cases_of, play

WEAPONS: Final = {
    "sword-cane": """
        odile c3
        bayou-bitter-1 c4
        > attack sword-cane bayou-bitter-1 | 2c
        > use sword-cane
        odile mp 1
        > attack sword-cane bayou-bitter-1 | 6c
        can end                                # it did not miss
        --
        odile c3
        bayou-bitter-1 c4
        > attack unarmed bayou-bitter-1 | 2c
        can end                                # not with this weapon
    """,
    "squirrel-rifle": """
        odile c3
        pistoleer-1 g3
        pistoleer-2 e3
        > attack squirrel-rifle pistoleer-1 | 9h
        gone pistoleer-1
    """,
    "oyster-knife": """
        delphine c3
        bayou-bitter-1 c4 wounds 1
        > attack oyster-knife bayou-bitter-1 | 7h
        gone bayou-bitter-1
        --
        delphine c3 weapons oyster-knife
        bayou-bitter-1 c4 wounds 1
        > attack unarmed bayou-bitter-1 | 9h
        bayou-bitter-1 stunned wounds 1
    """,
    "bullwhip": """
        odile c3
        bayou-bitter-1 e3
        > attack bullwhip bayou-bitter-1 | 5h
        bayou-bitter-1 stunned at d3
        --
        odile c3
        bayou-bitter-1 d3
        > attack unarmed bayou-bitter-1 | 7h
        bayou-bitter-1 stunned at d3
    """,
    "brass-knuckles": """
        odile c3
        bayou-bitter-1 d3
        > attack brass-knuckles bayou-bitter-1 | 7h 2c
        > to e3
        bayou-bitter-1 stunned at e3
    """,
    "anchor-chain": """
        odile c3
        bayou-bitter-1 d3
        > attack anchor-chain bayou-bitter-1 | 6h 2c
        > to e3
        > to f3
        bayou-bitter-1 stunned at f3
    """,
    "blunderbuss": """
        odile c3
        pistoleer-1 e1
        pistoleer-2 f2
        pistoleer-3 g1
        > attack blunderbuss e1 | 10h 9h
        gone pistoleer-1
        pistoleer-2 stunned                    # a draw for each; it is farther off, but in the same big square
        pistoleer-3 -stunned
        --
        odile c3
        patch d2
        pistoleer-1 d1
        > attack blunderbuss c1 | 10h Ah       # friend and foe; the ace may bring a card, and depletes it
        > pass
        patch stunned lives 8
        pistoleer-1 -stunned
        depleted blunderbuss
        --
        odile c3
        croc b7                                # an area that is all water is missed
        cannot attack blunderbuss a7
    """,
    "scattergun": """
        odile c3
        pistoleer-1 e1
        pistoleer-2 f2
        > attack scattergun e1 | 10h 2c 2h 3c
        gone pistoleer-1
        pistoleer-2 -stunned
    """,
    "dynamite": """
        odile c3
        pistoleer-1 e1
        > attack dynamite e1 | 8h 2h
        gone pistoleer-1
        loaded dynamite
        --
        odile c3
        pistoleer-1 e1
        > attack dynamite e1 | 8h 2c
        depleted dynamite
    """,
    "harpoon": """
        odile c3
        bayou-bitter-1 f3
        > attack harpoon bayou-bitter-1 | 8h
        bayou-bitter-1 stunned wounds 1 at d3
    """,
    "hatpin": """
        odile c3
        bayou-bitter-1 d3
        > attack hatpin bayou-bitter-1 | 6h
        > use hatpin
        odile mp 1
    """,
    "swamp-machete": """
        odile b5
        > stride
        odile mp 3
        > go c5
        > go d5
        odile mp 1
        > end
        lasting 0
        --
        odile b5
        > prowl
        cannot go c5
    """,
    "shrimp-net": """
        odile c3
        bayou-bitter-1 d3
        > attack shrimp-net bayou-bitter-1 | 3h
        bayou-bitter-1 stunned vulnerable
    """,
    "buffalo-rifle": """
        odile c3
        pistoleer-1 g3
        > attack buffalo-rifle pistoleer-1 | 5h
        gone pistoleer-1
    """,
    "grappling-hook": """
        odile c3
        bayou-bitter-1 d4
        > attack grappling-hook bayou-bitter-1 | 2c 3c
        > use grappling-hook
        cannot to d4
        > to f3
        odile at f3 ap 1
    """,
    "duelling-rapier": """
        odile c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 10h
        odile lives 9 stunned
    """,
}
ITEMS: Final = {
    "beignets": """
        odile c3 lives 6
        > use beignets
        odile lives 8 lacks beignets
        loot-gone beignets
        --
        odile c3
        cannot use beignets
    """,
    "chicory-coffee": """
        odile c3 ap 0
        > use chicory-coffee
        odile ap 1 lacks chicory-coffee
    """,
    "skeleton-key": """
        odile j2
        unknown-1 k2 is marker-pistoleers
        > use skeleton-key
        pistoleer-1 at k2
        > use skeleton-key                     # and shut again
        odile ap 2 has skeleton-key
        --
        odile i2
        cannot use skeleton-key
    """,
    "candle-stub": """
        odile e6
        > investigate e7
        > use candle-stub | tripwire
        > under | beignets
        odile has beignets
        loot-under tripwire
        exhausted candle-stub
        --
        odile e6
        > investigate e7
        > use candle-stub | beignets
        > back
        odile has beignets
    """,
    "marked-card": """
        odile c3
        > use marked-card | 4h
        hand 4h
        odile lacks marked-card
    """,
    "felt-slippers": """
        odile c3
        > prowl
        odile mp 2
        > prowl
        odile mp 3                             # once per activation
    """,
    "bar-broom": """
        odile c3
        pistoleer-1 d3
        > use bar-broom
        > to e3
        > to f3
        pistoleer-1 at f3
        odile ap 2
        exhausted bar-broom
    """,
    "smelling-salts": """
        odile c3
        patch d4 stunned
        > use smelling-salts
        patch -stunned
        odile lacks smelling-salts
        --
        odile c3 stunned
        cannot use smelling-salts
    """,
    "brass-locket": """
        odile c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | 2h
        > use brass-locket | Qh
        gone pistoleer-1
        exhausted brass-locket
        --
        odile c3
        patch d3
        pistoleer-1 d4
        active patch
        patch d3 ap 2
        > attack unarmed pistoleer-1 | 2h      # it is not hers
        can end
    """,
    "dark-lantern": """
        odile e6
        > use dark-lantern
        > investigate e7 | beignets
        odile has beignets ap 2 lacks dark-lantern
        --
        odile c3
        cannot use dark-lantern
    """,
    "cigar-tin": """
        odile c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 10c
        > use cigar-tin
        odile lives 9 stunned lacks cigar-tin
        loot-gone cigar-tin
    """,
    "pot-of-gumbo": """
        odile c3 lives 5
        patch e3 lives 5
        bastien f3 lives 5
        > use pot-of-gumbo
        odile lives 6 lacks pot-of-gumbo
        patch lives 6
        bastien lives 5
    """,
    "oilskin-waders": """
        odile b5 mp 2
        > go c5
        odile mp 1
        --
        odile c7 mp 3
        > go b7
        > go a7
        active odile
        odile mp 1
        --
        odile b7
        active none
        > act odile
        odile ap 3                             # water takes nothing from it either
    """,
    "field-glasses": """
        odile b1 weapons slingshot
        pistoleer-1 h1
        > attack slingshot pistoleer-1 | 5h    # Range 4 + 2
        pistoleer-1 stunned
        --
        odile b1 weapons slingshot
        pistoleer-1 i1
        cannot attack slingshot pistoleer-1
        --
        odile c3 weapons pepperbox
        pistoleer-1 g3
        cannot attack pepperbox pistoleer-1    # Range 3 reaches no further
    """,
    "quilted-waistcoat": """
        odile c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 10h
        odile lives 9 stunned
    """,
    "bottle-of-tafia": """
        odile c3 lives 4
        > use bottle-of-tafia
        odile lives 8 vulnerable lacks bottle-of-tafia
    """,
    "bandolier": """
        odile c3 weapons pepperbox
        depleted pepperbox
        > use bandolier
        loaded pepperbox
        exhausted bandolier
        odile ap 2
        --
        odile c3 weapons pepperbox
        cannot use bandolier
    """,
    "red-pepper": """
        odile c3
        pistoleer-1 d3
        pistoleer-2 d4
        mosquito-1 b2
        bayou-bitter-1 c2
        roux-poubelle b3
        > use red-pepper
        cannot choose roux-poubelle            # a boss
        > choose pistoleer-1
        cannot choose pistoleer-1
        > choose mosquito-1
        > choose bayou-bitter-1
        pistoleer-1 stunned
        bayou-bitter-1 stunned
        pistoleer-2 -stunned
        gone mosquito-1
        odile lacks red-pepper
        --
        odile c3
        pistoleer-1 d3
        pistoleer-2 d4
        > use red-pepper
        > choose pistoleer-1
        > done
        pistoleer-1 stunned
        pistoleer-2 -stunned
        --
        odile c3
        roux-poubelle b3
        cannot use red-pepper
    """,
    "cats-eye-marble": """
        odile c3
        bayou-bitter-1 c4
        > attack unarmed bayou-bitter-1
        > use cats-eye-marble | 9h
        bayou-bitter-1 wounds 1 stunned
        exhausted cats-eye-marble
        > attack unarmed bayou-bitter-1 | 9d
        bayou-bitter-1 wounds 1                # 9 + 3 for the Stun - 1 of her Soft Heart
    """,
    "stopped-watch": """
        odile c3
        > use stopped-watch
        initiative heroes
        odile lacks stopped-watch
        --
        odile c3
        initiative heroes
        cannot use stopped-watch
    """,
    "doctors-bag": """
        odile c3
        patch c4 lives 4
        > use doctors-bag
        patch lives 7
        odile ap 1
        exhausted doctors-bag
        --
        odile c3 ap 0
        patch c4 lives 4
        cannot use doctors-bag
    """,
    "brass-cornet": """
        odile c3
        patch c4
        bastien g3
        toussaint j1
        mosquito-1 j2
        > use brass-cornet
        > go b4
        > done
        > go h3
        > go i3
        > go i2
        patch at b4 mp 0
        bastien at i2
        toussaint at j1                        # a vermin is next to him
        can end
    """,
    "old-cognac": """
        odile c3 lives 5
        patch h3 lives 8
        > use old-cognac
        odile lives 7
        patch lives 9
    """,
    "boiler-plate": """
        odile c3
        pistoleer-1 c4
        mosquito-1 c3
        phase vermin
        alone
        > vermin mosquito-1 | 2h
        > use boiler-plate
        odile lives 9 stunned
        exhausted boiler-plate
        > vermin pistoleer-1 | 7h 9h 2c        # 7 + 3; in the End segment it is upright again
        odile lives 8
        ready boiler-plate
    """,
    "dancing-shoes": """
        odile c3
        > use dancing-shoes
        odile mp 1
        cannot use dancing-shoes
    """,
    "iron-claws": """
        delphine c3 weapons oyster-knife
        bayou-bitter-1 c4
        > attack unarmed bayou-bitter-1 | 9h
        bayou-bitter-1 wounds 1
        --
        delphine c3 weapons oyster-knife
        bayou-bitter-1 c4
        > attack oyster-knife bayou-bitter-1 | 8h
        bayou-bitter-1 wounds 0 stunned
    """,
    "leonidass-deck": """
        odile c3
        bayou-bitter-1 c4
        > use leonidass-deck | 5h 6h 7h 8h
        > choose 8h
        > choose 5h
        > choose 7h
        top 8h 5h 7h 6h
        exhausted leonidass-deck
    """,
    "powder-keg": """
        odile c3
        patch d4
        bayou-bitter-1 d3
        pistoleer-1 e3
        > use powder-keg
        gone bayou-bitter-1
        patch lives 7                          # 1 Life for each Wound without a DRAW
        odile lives 9 lacks powder-keg
        pistoleer-1 wounds 0
        --
        odile c3
        pistoleer-1 e3
        cannot use powder-keg
    """,
    "medal-of-nine-lives": """
        odile c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 9h
        odile -stunned lives 9
    """,
}
STASHES: Final = {
    stash: f"""
        odile c3 weapons pepperbox blunderbuss loot {stash} {stash}
        depleted pepperbox blunderbuss
        > reload pepperbox
        loaded pepperbox
        depleted blunderbuss                   # one Reload, one Stash, one weapon
        odile ap 1
        loot-gone {stash}
        --
        odile c3 weapons pepperbox
        cannot reload pepperbox                # it is loaded
        cannot use {stash}
    """
    for stash in ("stash-1", "stash-2", "stash-3")
}
EVENTS: Final = {
    "loose-floorboard": """
        odile e6
        > investigate e7 | loose-floorboard beignets marked-card
        odile has beignets marked-card done
        active
        loot-gone loose-floorboard
    """,
    "rat-trap": """
        odile e6
        > investigate e7 | rat-trap
        > do | beignets marked-card
        odile lives 8 has beignets marked-card
        --
        odile e6
        > investigate e7 | rat-trap
        > pass
        odile lives 9
        --
        odile e6 lives 1
        > investigate e7 | rat-trap            # the last Life pays for nothing
        can end
    """,
    "startled-pigeons": """
        odile e6
        > investigate e7 | startled-pigeons 2h
        odile mp 3 -vulnerable
        --
        odile e6
        > investigate e7 | startled-pigeons 2c
        odile mp 0 vulnerable
    """,
    "torn-playing-card": """
        odile e6
        > investigate e7 | torn-playing-card 4h
        hand 4h
    """,
    "generous-drunk": """
        odile e6 lives 5
        > investigate e7 | generous-drunk
        > first
        odile bucks 5 lives 5
        --
        odile e6 lives 5
        > investigate e7 | generous-drunk
        > second
        odile bucks 0 lives 7
    """,
    "tripwire": """
        odile e6
        > investigate e7 | tripwire beignets marked-card
        odile lives 8 has beignets marked-card
        --
        odile e6 loot cigar-tin
        > investigate e7 | tripwire
        > use cigar-tin | beignets marked-card
        odile lives 9
    """,
    "smuggler-with-a-sack": """
        odile e6 bucks 12
        > investigate e7 | smuggler-with-a-sack
        > do | beignets tripwire marked-card
        > choose marked-card
        odile bucks 2 has marked-card lacks beignets
        loot-under beignets tripwire
        --
        odile e6 bucks 9
        > investigate e7 | smuggler-with-a-sack
        can end
    """,
    "wanted-poster": """
        odile e6
        > investigate e7 | wanted-poster
        odile bucks 10 vulnerable
    """,
    "marsh-gas": """
        odile e6
        pistoleer-1 f5
        mosquito-1 e6
        pistoleer-2 g5
        > investigate e7 | marsh-gas 2h
        gone pistoleer-1
        mosquito-1 wounds 0                    # on her own square it is not around her
        pistoleer-2 wounds 0
        odile lives 9
        --
        odile e6
        pistoleer-1 f5
        > investigate e7 | marsh-gas 2c
        pistoleer-1 wounds 0
        odile lives 8
    """,
    "buried-strongbox": """
        odile e6
        > investigate e7 | buried-strongbox heads
        odile bucks 40
        --
        odile e6
        > investigate e7 | buried-strongbox tails
        odile lives 7
    """,
    "tune-from-the-levee": """
        odile e6 lives 5
        patch c3 lives 5
        > investigate e7 | tune-from-the-levee
        > go c4
        odile lives 6 mp 1
        patch lives 6 at c4
    """,
}
LOOT: Final = {**WEAPONS, **ITEMS, **STASHES, **EVENTS}


@pytest.mark.parametrize(("card", "text"), [pytest.param(*rest, id=name) for name, *rest in cases_of(LOOT)])
def test_loot_does_what_it_says(card: str, text: str) -> None:
    play(text, card)


def test_leonidass_deck_adds_a_card_at_the_start() -> None:
    here = begin({"heroes": ["odile", "patch"], "loot": {"odile": ["leonidass-deck"]}}, "2h")
    here.move("to f4")
    here.move("to f5 | 3c 9c 2c")

    here.step("hand 2h 3c")


def test_every_card_with_a_text_is_tried() -> None:
    """But for buck cards."""
    texts = {id_ for id_, piece in PIECES.items() if piece["deck"] == "loot" and piece["text"]}
    bucks = {id_ for id_ in texts if PIECES[id_]["kind"] == "bucks"}

    assert texts - bucks == set(LOOT)
