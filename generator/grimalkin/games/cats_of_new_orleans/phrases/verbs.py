"""Verbs: one form for you and one for everybody else, with the same verb."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grimalkin.engine.phrases import Form, Kind, Phrase
from grimalkin.games.cats_of_new_orleans.phrases.figures import YOU

UNARMED: Final = Phrase("scope", (("scope", Phrase("unarmed")),))


def _verb(name: str, yours: str, others: str = "", offered: tuple[str, str] = ("", "")) -> Iterator[Form]:
    """Yield the forms of a verb with a subject: imperative for you, with a figure in front for others.

    `offered` are examples of the two forms, for forms without an example in our texts.
    """
    yield Form(name, yours, offered[0], {"who": YOU}, bool(offered[0]))
    if others:
        yield Form(name, f"{{who:figure}} {others}", offered[1], offered=bool(offered[1]))


CLAUSES: Final = (
    # Points, lives, markers
    *_verb("gain-ap", "gain {n:number} AP", "gains {n:number} AP"),
    *_verb("lose-ap", "lose {n:number} AP", "loses {n:number} AP", offered=("Lose 1 AP.", "Each hero loses 1 AP.")),
    *_verb("gain-mp", "gain {n:number} MP", "gains {n:number} MP"),
    *_verb("recover", "recover {n:number} <Life|Lives>", "recovers {n:number} <Life|Lives>"),
    *_verb("lose-lives", "lose {n:number} <Life|Lives>", "loses {n:number} <Life|Lives>", offered=("Lose 1 Life.", "")),
    *_verb("suffer", "suffer {n:number} Wound<|s>", "suffers {n:number} Wound<|s>"),
    Form("suffer-unstunned", "{who:figure} suffers {n:number} Wound<|s> without a Stun"),
    Form("regain", "{who:figure} regains {n:number} Health", example="That vermin regains 1 Health.", offered=True),
    Form("regain-up-to", "{who:figure} gains {n:number} Health, even above its maximum, up to {most:number}"),
    Form("returns", "{who:figure} returns as a zombie with full Health"),
    Form("leaves-scenario", "{who:figure} leaves the scenario for good"),
    Form("regain-all", "{who:figure} regains all its Health"),
    Form("stun", "stun {whom}"),
    Form("mark-vulnerable", "put a Vulnerable marker on {whom}"),
    Form("take-vulnerable", "take a Vulnerable marker"),
    Form("unstun", "remove the Stun marker from {whom}"),
    Form(
        "unmark-vulnerable",
        "remove the Vulnerable marker from {whom}",
        example="Exhaust: Remove the Vulnerable marker from a hero adjacent to you.",
        offered=True,
    ),
    Form("drop-vulnerable", "remove your Vulnerable marker"),
    Form("eliminate", "eliminate {whom}"),
    Form("is-eliminated", "{figure} is eliminated"),
    *_verb("cannot-be-stunned", "you cannot be stunned", "cannot be stunned"),
    # Moves
    *_verb("act", "{act}", "may {act}"),
    Form("push", "push {whom} {n:number} square<|s>"),
    Form("pull", "pull {whom} {n:number} square<|s> towards you"),
    Form("swap", "swap places with {whom}"),
    *_verb("moves-away", "move 1 square away", "moves 1 square away"),
    *_verb("ignore", "ignore {terrain}", "ignores {terrain}"),
    Form("shares", "{who:figure} may share a square with other figures"),
    Form("end-activation", "end your activation"),
    # Attacks
    Form("draws", "take {n:signed} on each draw", fixed={"who": YOU, "scope": Phrase("any")}),
    Form("draws", "your unarmed attack takes {n:signed} on each draw", fixed={"who": YOU, "scope": UNARMED}),
    Form("draws", "your attacks{scope:of-some} take {n:signed} on each draw", fixed={"who": YOU}),
    Form("draws", "{who:figure} takes {n:signed} on each draw{scope:of}"),
    Form("attackers-draws", "attacks against {whom} take {n:signed} on each draw"),
    *_verb("more-cards", "draw {n:number} more card<|s> for each attack{scope:of}"),
    *_verb("reach", "your attacks{scope:of} reach {n:number} square<|s> further"),
    *_verb(
        "better-of-two",
        "draw 2 cards for each draw{scope:of} and keep the higher",
        "draws 2 cards for each draw and keeps the higher",
        offered=("Draw 2 cards for each draw and keep the higher.", ""),
    ),
    *_verb(
        "worse-of-two",
        "draw 2 cards for each draw{scope:of} and keep the lower",
        "draws 2 cards for each draw and keeps the lower",
        offered=("Draw 2 cards for each draw and keep the lower.", ""),
    ),
    Form("redraw", "replace a card you have just drawn with the next one"),
    Form("no-hindering", "hindering terrain and figures do not hinder this attack"),
    Form("wound-too", "a Stun is also a Wound"),
    Form("area", "this attack is an area attack"),
    Form("cancel", "cancel {what:result-of-attack}"),
    Form("attack-back", "{who:figure} makes an attack against {whom}"),
    Form("only-attacks", "{who:figure} makes only attacks{scope:of}"),
    Form("no-weapons", "{who:figure} uses no weapon"),
    Form("areas-miss", "area attacks against {whom} miss"),
    Form("no-attack", "{who:figure} makes no attack"),
    Form("take-for", "suffer it yourself instead"),
    # Cards and things
    Form("party-card", "add {n:number} card<|s> to the party hand"),
    Form("lose-party-card", "discard {n:number} card<|s> from the party hand"),
    Form("look-poker", "look at the top {n:number} cards of the poker deck and put them back in any order"),
    *_verb("draw-loot", "draw {n:number} Loot card<|s>", "draws {n:number} Loot card<|s>"),
    Form("draw-loot-keep", "draw {n:number} Loot cards, keep 1 and put the rest under the deck"),
    Form("look-loot", "look at the top Loot card and put it back or under the deck"),
    *_verb("gain-bucks", "gain {n:number} buck<|s>", "gains {n:number} buck<|s>"),
    *_verb("lose-bucks", "lose {n:number} buck<|s>", "loses {n:number} buck<|s>"),
    Form("cheaper", "{wares} cost {n:number} buck<|s> less"),
    Form("larger-offer", "{n:number} more Loot <card is|cards are> on offer"),
    *_verb(
        "reload",
        "remove the Depleted token from one of your weapons",
        "removes the Depleted token from a weapon",
        offered=("", "Each hero removes the Depleted token from a weapon."),
    ),
    Form(
        "deplete",
        "put a Depleted token on this weapon",
        example="After you attack, put a Depleted token on this weapon.",
        offered=True,
    ),
    *_verb(
        "refresh-skill",
        "refresh another of your skills",
        "refreshes a skill",
        offered=("", "Each hero refreshes a skill."),
    ),
    Form("refresh", "refresh this card"),
    Form("discard", "discard this card", example="After you attack, discard this card.", offered=True),
    # The map and the scenario
    Form("reveal", "reveal {whom}"),
    Form("hide", "turn {whom} face down again"),
    Form("door", "open or close a door on an edge of your square"),
    Form("stinkbomb", "put a Stinkbomb token on its square"),
    Form("whole-initiative", "the vermin card counts in full, not 4 less"),
    Form("initiative-heroes", "the heroes win the next initiative"),
    Form("initiative-vermin", "the vermin win the next initiative"),
    Form("read", "read entry {n:number}"),
    Form("log", "write entry {n:number} in the Adventure Log"),
    Form("investigate", "Investigate {objective}"),
    Form("leaves-map", "{figure} leaves the map"),
    Form("may-not", "no {side} may {deed}"),
    Form("need-not", "no {side} needs to {deed}"),
    Form("spawn", "spawn {n:number} vermin on each {mark:spawn-mark}"),
    Form("remove-loot", "remove all {kind:loot-kind} from the Loot deck"),
    *_verb(
        "take-preferred",
        "take a preferred weapon from the Loot deck",
        "takes a preferred weapon from the Loot deck",
        offered=("Take a preferred weapon from the Loot deck.", ""),
    ),
    *_verb(
        "learn",
        "learn a level {n:number} skill for free",
        "learns a level {n:number} skill for free",
        offered=("Learn a level 1 skill for free.", ""),
    ),
    Form("safehaven", "the party may rent a Safehaven"),
    Form("riverboat", "the Riverboat opens"),
    Form("scenario-lost", "the scenario is lost"),
)

VERBS: Final = (
    Kind("clause", "what is done", CLAUSES),
    Kind(
        "act",
        "a move or an attack",
        [
            Form("prowl", "Prowl for free"),
            Form("stride", "Stride for free"),
            Form("move", "move up to {n:number} square<|s>"),
            Form(
                "move-ignoring",
                "move up to {n:number} square<|s>, ignoring {terrain}",
                example="Move up to 2 squares, ignoring hindering terrain.",
                offered=True,
            ),
            Form("leap", "leap to an empty square within Range {n:number}"),
            Form("attack", "make a free attack{scope:of}"),
            Form("attack-at", "make a free attack{scope:of} with {n:signed} on each draw"),
            Form("reload", "Reload for free"),
            Form("investigate", "Investigate for free"),
            Form("transfer", "Transfer for free"),
        ],
    ),
    Kind(
        "wares",
        "what is sold on the riverboat",
        [Form("loot", "Loot cards"), Form("skills", "skills")],
    ),
    Kind(
        "of",
        "of which attacks",
        [Form("any", ""), Form("scope", " {scope}")],
    ),
    Kind("of-some", "of which attacks, never all", [Form("scope", " {scope}")]),
    Kind(
        "scope",
        "which attacks",
        [
            Form(
                "with-this",
                "with this weapon",
                example="Your attacks with this weapon take +1 on each draw.",
                offered=True,
            ),
            Form(
                "unarmed",
                "with your unarmed attack",
                example="Make a free attack with your unarmed attack.",
                offered=True,
            ),
            Form("of-its-attacks", "of its attacks"),
            Form("range-1", "of Range 1"),
            Form("range-at-least", "of Range {n:number} or more"),
            Form("against", "against {which:all-which}vermin{where}{but}"),
            Form("on-figure", "against {figure}"),
        ],
    ),
    Kind(
        "result-of-attack",
        "what an attack brings",
        [
            Form("stun", "that Stun"),
            Form("wound", "that Wound"),
            Form("both", "all Stuns and Wounds of this attack"),
            Form("card", "that card"),
        ],
    ),
    Kind("deed", "what may be forbidden", [Form("attack", "attack"), Form("leave", "leave the map")]),
    Kind(
        "spawn-mark",
        "squares where vermin spawn",
        [Form("s1", "S1", example="Spawn 1 vermin on each S1.", offered=True), Form("s2", "S2")],
    ),
    Kind(
        "loot-kind",
        "kinds of Loot cards",
        [
            Form("weapons", "weapons"),
            Form("events", "events", example="Remove all events from the Loot deck.", offered=True),
        ],
    ),
)
