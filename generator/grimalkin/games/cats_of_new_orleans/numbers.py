"""The numbers of the rules and the words of the game: costs, limits, options, phases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from grimalkin.engine.law import By
from grimalkin.engine.shape import Choice, Listing, Record, Table, Text, Whole, YesNo

SEATS: Final[Annotated[tuple[int, int], By("NO-SET-1")]] = (1, 4)
PARTIES: Final[Annotated[tuple[int, ...], By("NO-SET-1", "NO-SET-2", "NO-AMB-73")]] = (2, 4)
"""The possible numbers of heroes."""
HERO_AP: Final[Annotated[Mapping[int, int], By("NO-HERO-4", "NO-SET-2")]] = {2: 3, 4: 2}
"""By the number of heroes."""
MOST_LIVES: Final[Annotated[int, By("NO-CHR-1", "NO-CHR-3", "NO-AMB-41")]] = 9
MOST_WEAPONS: Final[Annotated[int, By("NO-CHR-6", "NO-LOOT-7")]] = 2
MOST_HAND: Final[Annotated[int, By("NO-PCH-1", "NO-DECK-4")]] = 3
"""Cards in the party hand."""
MOST_SKILLS: Final[Annotated[Mapping[int, int], By("NO-SKILL-5", "NO-CHR-4")]] = {1: 3, 2: 2, 3: 1}
"""By level, the number of skills that a hero may bring."""
LOOT_TOKENS: Final[Annotated[int, By("NO-SET-10")]] = 2

COST: Final[Annotated[Mapping[str, int], By("NO-ACT-1", "NO-ACT-2", "NO-ACT-3", "NO-ACT-4", "NO-ACT-5")]] = {
    "prowl": 1,
    "stride": 1,
    "pounce": 2,
    "attack": 1,
    "reload": 1,
    "investigate": 2,
    "pick-up": 1,
    "drop": 1,
    "transfer": 1,
    "unstun": 1,
    "leave": 1,
}
"""The cost of each action of a hero, in AP."""
POINTS: Final[Annotated[Mapping[str, int], By("NO-ACT-1", "NO-ACT-6", "NO-ACT-7")]] = {
    "prowl": 1,
    "stride": 3,
    "pounce": 6,
}
"""The MP that each move gives."""
WATER_AP: Final[Annotated[int, By("NO-TERR-5")]] = 1
UNREVEALED_AP: Final[Annotated[int, By("NO-HIDE-3")]] = 1
STUNNED_DRM: Final[Annotated[int, By("NO-DRM-2")]] = 3
VULNERABLE_DRM: Final[Annotated[int, By("NO-DRM-3")]] = 1
HINDERED_DRM: Final[Annotated[int, By("NO-DRM-1", "NO-DRM-9", "NO-AMB-12")]] = -2
VERMIN_FLIP: Final[Annotated[int, By("NO-INIT-1", "NO-AMB-15")]] = -4
"""The number added to the vermin's card in the Initiative segment."""
MISS: Final[Annotated[int, By("NO-DRM-6", "NO-AMB-33")]] = 1
"""A result this low hits nothing."""

DIFFICULTIES: Final[Annotated[tuple[str, ...], By("NO-GEN-7", "NO-GEN-8", "NO-GEN-9")]] = ("easy", "normal", "hard")
EASY, NORMAL, HARD = range(len(DIFFICULTIES))
HEADS, TAILS = "heads", "tails"
KING: Final[Annotated[int, By("NO-DECK-7", "NO-SET-15")]] = 13

PHASES: Final = ("set-up", "initiative", "heroes", "vermin", "over", "interlude")
SET_UP, INITIATIVE, HEROES, VERMIN, ENDED, INTERLUDE = range(len(PHASES))
STEPS: Final[Annotated[tuple[str, ...], By("NO-BOAT-1")]] = ("story", "lounge", "bar", "gear", "skills")
"""The steps of an interlude in order: the text of the scenario, then the Riverboat."""
STORY, LOUNGE, BAR, GEAR, TRAINING = range(len(STEPS))
DRINK: Final[Annotated[int, By("NO-BOAT-3")]] = 5
"""The price of recovering 1 Life at the bar, after the first."""
OFFER: Final[Annotated[int, By("NO-BOAT-4")]] = 5
"""Cards on offer, not counting Events and Stashes of Ammunition."""
LESSONS: Final[Annotated[Mapping[int, int], By("NO-BOAT-8", "NO-SKILL-3")]] = {1: 20, 2: 40, 3: 65}
"""The price of a skill, by its level."""
SECOND_HAND: Final[Annotated[int, By("NO-BOAT-7")]] = 2
"""A card sells for its price divided by this, rounded down."""
SIDES: Final = ("heroes", "vermin")
PLACES: Final = ("here", "left", "out")
"""The states of a hero: in the scenario, gone through the exit, or out of the scenario."""
HERE, LEFT, OUT = range(len(PLACES))
NOWHERE: Final = -1
"""The square of a figure that is not on the map."""
NOTHING: Final = -1
OBJECTIVE, LOOT, START, LAIR = "H", "L", "G", "V"
SPAWNS: Final[Annotated[tuple[str, ...], By("NO-SPAWN-1")]] = ("S", "S1", "S2", "S3")

OPTIONS: Final = Record(
    {},
    {
        "scenario": Text("The id of the scenario (default: the first one)."),
        "difficulty": Choice(DIFFICULTIES, "Default: normal."),
        "coin": YesNo("Whether the Buck coin decides what a Wound costs, not the colour of a card (default: no)."),
        "heroes": Listing(Text("The id of a hero."), 1, 4, "Two or four, dealt around the table (default: four)."),
        "party": Whole(min(PARTIES), max(PARTIES), "How many heroes: chance draws those that `heroes` does not name."),
        "weapons": Table(Listing(Text("The id of a weapon.")), describe="By hero: the weapons equipped at the start."),
        "loot": Table(Listing(Text("The id of a Loot card.")), describe="By hero: other Loot brought along."),
        "without": Listing(Text("The id of a Loot card."), describe="Loot discarded before the deck is shuffled."),
        "skills": Table(Listing(Text("The id of a skill.")), describe="By hero: the skills brought along."),
        "trained": Table(
            Listing(Text("The id of a skill.")),
            describe="By hero: all skills; the player chooses at set-up which come along.",
        ),
        "bucks": Table(Whole(0), describe="By hero: bucks without a card."),
        "lives": Table(Whole(0, MOST_LIVES), describe="By hero: the Lives at the start (default: all)."),
        "log": Listing(Whole(1), describe="The entries in the Adventure Log."),
        "aspects-lost": Listing(Text("The id of an Aspect card."), describe="Those lost for this campaign."),
        "events": Listing(Text("The id of a Riverboat Event."), describe="Those that affect this scenario."),
        "initiative": Choice(SIDES, "The side that wins the first initiative (default: the cards decide)."),
        "interlude": YesNo("Whether to play the interlude after the scenario, not the scenario (default: no)."),
        "heard": Listing(
            Text("The id of a Riverboat Event."), describe="In an interlude: those drawn on earlier visits."
        ),
    },
)
SIMULATION: Final[Mapping[str, Any]] = {}
# Every scenario ends when the Round marker leaves its track, after 13 rounds at most. In a round each of 4 heroes makes
# one move for each MP or AP and some for cards; doors and equipment can be changed repeatedly without cost, so there is
# no strict bound. Random games take some 600 small moves, bots far fewer.
MOST_DECISIONS: Final = 20_000

REACTIONS: Final = 64
"""The most effects that may wait for each other; more would mean that cards keep setting each other off."""
