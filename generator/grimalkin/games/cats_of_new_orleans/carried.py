"""Check that the engine carries out every text: a sentence may be readable without any code behind it.

Every text has a holder: a flaw, a skill, an item, a weapon, an event of the Loot deck, a power, an entry of the story,
a part of a scenario, a Riverboat Event, or a Buck card as a gamble.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from grimalkin.engine.contract import Facts
from grimalkin.engine.phrases import Form, Phrase
from grimalkin.engine.shape import Misfit
from grimalkin.games.cats_of_new_orleans.kits import ABOARD, Ability, abilities_of, is_static
from grimalkin.games.cats_of_new_orleans.numbers import NOTHING
from grimalkin.games.cats_of_new_orleans.phrases import TABLE
from grimalkin.games.cats_of_new_orleans.phrases.figures import YOU

At = tuple[str | int, ...]

HOLDERS: Final = {
    "flaw": "a flaw",
    "skill": "a skill",
    "item": "an item",
    "weapon": "a weapon",
    "event": "an event of the Loot deck",
    "power": "a power",
    "entry": "an entry",
    "set-up": "a set-up",
    "spawn": "a spawn",
    "objectives": "an objective",
    "special": "a special rule",
    "between": "the text after a scenario",
    "rumour": "a Riverboat Event",
    "gamble": "a Buck card",
}
"""The holders of texts, in words."""
KEPT: Final = frozenset({"flaw", "skill", "item", "weapon"})
"""Holders that belong to a hero."""
LOOT: Final = frozenset({"item", "weapon"})
SCENARIO: Final = frozenset({"set-up", "spawn", "special"})
NOWHERE: Final[frozenset[str]] = frozenset()
POWER: Final = frozenset({"power"})
RUMOUR: Final = frozenset({"rumour"})
BETWEEN: Final = frozenset({"between"})
AT_ONCE: Final = frozenset({"event", "entry", "between", "rumour", "gamble"})
"""Holders whose whole text takes effect immediately."""
ONLY: Final[Mapping[str, Mapping[str, frozenset[str]]]] = {
    "trigger": {
        "sees": frozenset({"special"}),
        "next-scenario-starts": RUMOUR,
        "initiative": POWER,
        "its-activation-starts": POWER,
        "you-draw-loot": KEPT,
        "party-cheats": KEPT,
        "activation-starts": KEPT,
        "activation-ends": KEPT,
        "would-land": KEPT | POWER,
    },
    "cost": {
        "exhaust": KEPT,
        "spend-ap-exhaust": KEPT,
        "lose-lives-exhaust": KEPT,
        "discard": LOOT,
        "spend-mp": KEPT | SCENARIO,
        "spend-bucks": KEPT | SCENARIO | AT_ONCE,
        "lose-lives": KEPT | SCENARIO | AT_ONCE,
        "party-card": KEPT | SCENARIO | AT_ONCE,
        "stash": KEPT | SCENARIO | AT_ONCE,
    },
    "limit": {
        "activation": KEPT,
        "round": KEPT,
        "scenario": KEPT | {"special"},
        "riverboat": NOWHERE,
    },
    "duration": {
        "round": KEPT | {"event"},
        "next-hero-turn": KEPT | {"event"},
        "scenario": KEPT | {"event"},
        "attack": KEPT,
        "visit": RUMOUR,
    },
    "state": {"exhausted": NOWHERE},
    "scope": {"with-this": frozenset({"weapon"})},
    "clause": {
        "returns": POWER,
        "leaves-scenario": POWER,
        "shares": POWER,
        "hide": POWER,
        "attack-back": POWER,
        "only-attacks": POWER,
        "no-weapons": POWER,
        "areas-miss": POWER,
        "stinkbomb": POWER,
        "whole-initiative": POWER,
        "leaves-map": POWER | {"objectives"},
        "area": frozenset({"weapon"}),
        "deplete": frozenset({"weapon"}),
        "discard": LOOT,
        "refresh": KEPT,
        "take-for": KEPT,
        "cancel": KEPT | POWER,
        "redraw": KEPT,
        "take-preferred": BETWEEN,
        "safehaven": BETWEEN,
        "riverboat": BETWEEN,
        "cheaper": RUMOUR,
        "larger-offer": RUMOUR,
        "learn": frozenset({"set-up"}),
        "remove-loot": frozenset({"set-up"}),
        "investigate": frozenset({"objectives"}),
        "need-not": frozenset({"objectives"}),
        "may-not": frozenset({"special"}),
    },
}
"""By kind and form, the only holders on which it is carried out. Forms not listed here are carried out on all."""
OBJECTIVES: Final = frozenset({"investigate", "leaves-map", "eliminate", "need-not"})
"""Clauses that an objective may have."""
DURING: Final = frozenset({"you-attack", "attacks", "attacks-whom", "you-draw", "somebody-draws", "you-are-attacked"})
"""Triggers in the middle of an attack."""
CANCELS: Final = {
    "stun": frozenset({"you-would-be-stunned"}),
    "wound": frozenset({"you-would-suffer", "would-suffer"}),
    "both": frozenset({"would-land"}),
    "card": frozenset({"you-draw", "somebody-draws"}),
}
"""By what is cancelled, the triggers at which that is possible."""
OF_ITSELF: Final = frozenset(
    {"ignore", "more-cards", "reach", "better-of-two", "worse-of-two", "only-attacks", "shares", "cannot-be-stunned"}
)
"""Clauses that affect only the owner of the text."""
ITSELF: Final = frozenset({"you", "this-vermin", "it", "zombie"})
FOR_HEROES: Final = frozenset(
    {"act", "gain-mp", "recover", "draw-loot", "gain-bucks", "lose-bucks", "lose-lives", "reload", "refresh-skill"}
)
FOR_VERMIN: Final = frozenset({"regain", "regain-up-to", "regain-all", "eliminate", "is-eliminated", "reveal", "hide"})
HEROES_ONLY: Final = frozenset(
    {"you", "a-hero", "another-hero", "each-hero", "each-other-hero", "nearest-hero", "that-hero", "hero-fewest-lives"}
)
VERMIN_ONLY: Final = frozenset(
    {"a-vermin", "another-vermin", "each-vermin", "nearest-vermin", "that-vermin", "this-vermin", "named", "zombie"}
    | {"named-plainly", "first-wounded", "up-to"}
)
YOURS: Final = re.compile(r"\byou(r|rs|rself)?\b")


def what_is_carried_out(facts: Facts, said: Mapping[At, Phrase]) -> Iterator[Misfit]:
    """Yield the sentences that no code carries out, or that are on the wrong holder."""
    for at, phrase in said.items():
        holder = holder_of(facts, at)
        if holder:
            for told in dict.fromkeys(refused(phrase, holder)):
                yield Misfit(at, f"the engine does not carry out {told}", "reword it, or put it on another card")


def holder_of(facts: Facts, at: At) -> str:
    """Return the holder of a text; empty if people carry it out."""
    if at[0] == "components":
        return _of_piece(facts["components"][at[1]], str(at[2]))
    if at[0] == "lists":
        return "power" if at[1] == "powers" else ""
    if at[0] == "scenarios":
        return str(at[2]) if at[2] in HOLDERS else ""
    return "entry"


def _of_piece(piece: Mapping[str, Any], column: str) -> str:
    if piece["deck"] == "heroes":
        return "flaw" if column == "text" else "unarmed"
    if piece["deck"] == "skills":
        return "skill"
    if piece["deck"] == "loot":
        return {"weapon": "weapon", "event": "event", "bucks": "gamble"}.get(piece["kind"], "item")
    return "rumour" if piece["deck"] == "events" else ""


def refused(phrase: Phrase, holder: str) -> Iterator[str]:
    """Yield the parts of a text that no code carries out, in words."""
    if holder == "unarmed":
        yield "a special rule of an unarmed attack"
        return
    for ability in abilities_of(phrase, NOTHING, "", ""):
        yield from _refused(ability, holder)
    for kind, form in TABLE.uses(phrase):
        if holder not in ONLY.get(kind, {}).get(form.name, {holder}):
            yield f"{quoted(form)} on {HOLDERS[holder]}"
        if holder == "power" and (YOU in form.fixed.values() or YOURS.search(re.sub(r"\{[^}]*\}", "", form.pattern))):
            yield f"{quoted(form)} on a power, which addresses nobody"


def quoted(form: Form) -> str:
    """Return a form in words, with dots for its slots."""
    words = re.sub(r"\{[^}]*\}", " … ", form.pattern)
    words = re.sub(r"<([^|>]*)\|([^>]*)>", r"\2", words)
    return f'"{" ".join(words.split())}"'


def _refused(ability: Ability, holder: str) -> Iterator[str]:
    """Yield the parts of one line of a text that no code carries out."""
    clauses = [
        clause
        for sentence in ability.body
        for _, value in sentence.parts
        if isinstance(value, tuple)
        for clause in value
    ]
    names = {clause.name for clause in clauses}
    gated = ability.trigger or ability.limits or (ability.cost and holder != "gamble")
    if holder in AT_ONCE and gated and ability.on != "next-scenario-starts":
        yield f"a trigger, a price or a limit on {HOLDERS[holder]}, which takes effect immediately"
    if holder == "rumour" and names - ABOARD and ability.on != "next-scenario-starts":
        yield f"an effect that needs a map, on {HOLDERS[holder]}"
    if holder == "objectives" and (names - OBJECTIVES or ability.trigger or ability.cost):
        yield "this as an objective"
    if holder in SCENARIO and ability.trigger is None and ability.cost is None and names - SETTLED:
        yield f"an effect without a trigger or a price, on {HOLDERS[holder]}"
    if holder in SCENARIO and ability.trigger is not None and any(map(_speaks_to_you, ability.body)):
        yield f'"you" in an effect with a trigger, on {HOLDERS[holder]}'
    if holder == "power" and ability.trigger is None and not is_static(ability):
        yield "an effect without a trigger, on a power"
    if ability.on == "while" and not is_static(ability) and names != {"hide"}:
        yield 'an action after "while"'
    if ability.on == "initiative" and names != {"whole-initiative"}:
        yield "an action in the Initiative segment"
    if ability.trigger is not None:
        yield from _refused_trigger(ability.trigger)
    for sentence in ability.body:
        yield from _refused_sentence(sentence, ability)
    for clause in clauses:
        yield from _refused_clause(clause, ability)


def _refused_trigger(trigger: Phrase) -> Iterator[str]:
    parts = dict(trigger.parts)
    figure, whom = parts.get("figure"), parts.get("whom")
    if trigger.name == "would-suffer" and isinstance(figure, Phrase) and figure.name not in HEROES_ONLY:
        yield "a Wound that a vermin would suffer, as a trigger"
    if trigger.name == "enters-adjacent" and isinstance(figure, Phrase) and figure.name not in HEROES_ONLY:
        yield "a square that a vermin enters, as a trigger"
    if isinstance(whom, Phrase) and whom.name == "up-to":
        yield '"up to" in a trigger'


def _refused_sentence(sentence: Phrase, ability: Ability) -> Iterator[str]:
    for one in sentence.every():
        parts = dict(one.parts)
        duration, whom = parts.get("duration"), parts.get("whom")
        if isinstance(duration, Phrase) and duration.name == "attack" and ability.on not in DURING:
            yield '"for this attack" without an attack'
        if one.name == "pays" and isinstance(whom, Phrase) and _who(whom).name not in HEROES_ONLY:
            yield "a price paid by vermin"


def _refused_clause(clause: Phrase, ability: Ability) -> Iterator[str]:
    parts = dict(clause.parts)
    name, what, act = clause.name, parts.get("what"), parts.get("act")
    if isinstance(act, Phrase) and act.name == "move-ignoring" and act["terrain"] != Phrase("hindering"):
        yield "a move that ignores water or figures"
    whoever = next((parts[label] for label in ("who", "whom", "figure") if isinstance(parts.get(label), Phrase)), None)
    who = _who(whoever) if isinstance(whoever, Phrase) else None
    if name == "cancel" and isinstance(what, Phrase) and ability.on not in CANCELS[what.name]:
        yield "cancelling something that is not about to happen"
    if name == "take-for" and ability.on != "would-suffer":
        yield "suffering a Wound for a hero that would not suffer one"
    if name in OF_ITSELF and who is not None and who.name not in ITSELF:
        yield "an effect for others that works only for the owner of the card"
    if name in FOR_HEROES and who is not None and who.name in VERMIN_ONLY:
        yield "an effect for vermin that only heroes can have"
    if name in FOR_VERMIN and who is not None and who.name in HEROES_ONLY:
        yield "an effect for heroes that only vermin can have"
    if name in ("attackers-draws", "areas-miss") and who is not None and who.name == "up-to":
        yield '"up to" in an effect that always holds'
    if name == "no-attack" and is_static(ability):
        yield "never attacking, as a permanent effect"


def _who(whom: Phrase) -> Phrase:
    """Return the figure that a phrase means."""
    figure = dict(whom.parts).get("figure") if whom.name == "figure" else whom
    assert isinstance(figure, Phrase)
    return figure


def _speaks_to_you(sentence: Phrase) -> bool:
    return any(one.name == "you" for one in sentence.every())


SETTLED: Final = frozenset({"may-not", "learn", "remove-loot"})
"""Clauses of a scenario that hold all the time, or belong to its set-up."""
