"""Triggers and statics: which abilities react when something happens, and which hold just now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grimalkin.engine.law import law
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans import space
from grimalkin.games.cats_of_new_orleans.agenda import do
from grimalkin.games.cats_of_new_orleans.kits import EMPTY, OWN_ATTACK, Ability, Kit
from grimalkin.games.cats_of_new_orleans.numbers import INTERLUDE, NOTHING
from grimalkin.games.cats_of_new_orleans.space import Figure, here
from grimalkin.games.cats_of_new_orleans.table import Hero, Table
from grimalkin.games.cats_of_new_orleans.who import Fallen, Said, fits, holds, is_card

SCENARIO: Final = ""
"""The owner of the special rules of a scenario."""
OWN: Final = frozenset(
    {
        "you-prowl",
        "you-stride",
        "you-pounce",
        "you-investigate",
        "you-reload",
        "you-leap",
        "you-attack",
        "after-attack",
        "attack-misses",
        "you-stun",
        "you-wound",
        "you-eliminate",
        "you-are-stunned",
        "you-are-attacked",
        "you-suffer",
        "you-would-suffer",
        "you-would-be-stunned",
        "you-enter-water",
        "you-draw-loot",
        "you-draw",
        "you-drew",
        "party-cheats",
        "activation-starts",
        "activation-ends",
        "its-activation-starts",
    }
)
"""Triggers to which only the figure that acts, or is affected, reacts."""


def kit_of(table: Table, hero: Hero) -> Kit:
    """Return everything that a hero has: flaw, skills, equipped weapons and Loot; a Stash counts only in a Reload."""
    kept = hero.kept
    if kept is not None and kept[0] == hero.loot and kept[1] == hero.weapons and kept[2] == hero.skills:
        kit: Kit = kept[3]
        return kit
    box = table.box
    loot = tuple(card for card in hero.loot if card not in box.weapons and card not in box.stashes)
    kit = box.kit((hero.card, *hero.skills, *hero.weapons, *loot))
    hero.kept = (hero.loot[:], hero.weapons[:], hero.skills[:], kit)
    return kit


def kits(table: Table, name: str) -> tuple[Kit, ...]:
    """Return the kits of a figure, or of the scenario."""
    if name == SCENARIO:
        return (table.plan.kit,)
    one = space.find_figure(table, name)
    if isinstance(one, Hero):
        return (kit_of(table, one),)
    return space.kits_of(table, one) if one is not None else ()


@law("NO-AMB-141")
def react(
    table: Table,
    on: str,
    subject: str,
    *,
    that: str = "",
    other: str = "",
    card: int = NOTHING,
    fallen: Fallen | None = None,
    square: int = NOTHING,
) -> None:
    """Put on top the reactions of cards, powers and special rules to what happens to a subject.

    Mandatory reactions come first, then optional ones are offered. On board there are none.
    """
    if table.phase == INTERLUDE:
        return
    found: list[Said] = []
    if on in OWN:
        for kit in kits(table, subject):
            for ability in kit.reactions.get(on, ()):
                said = Said(ability, subject, that or subject, other, fallen, square)
                if _is_meant(table, said, subject, that, card):
                    found.append(said)
    else:
        for owner, ability in waiting_for(table, on):
            said = Said(ability, owner, subject, other or that, fallen, square)
            if _is_meant(table, said, subject, that, card):
                found.append(said)
        if fallen is not None:
            for ability in table.box.foe(table.box.marker(fallen.marker).foe).kit.reactions.get(on, ()):
                if ability.trigger is not None and _names_this(ability.trigger):
                    found.append(Said(ability, fallen.name, fallen.name, other, fallen, square))
    if found:
        found = _once_each(found)
        chosen = tuple(said for said in found if said.ability.optional and said.ability.card >= 0)
        if chosen:
            do(table, "offer", chosen, on)
        for said in reversed(found):
            if said not in chosen:
                do(table, "perform", said)


def waiting_for(table: Table, on: str) -> list[tuple[str, Ability]]:
    """Return all abilities with this trigger, with their owners: heroes, vermin, the scenario."""
    found = []
    for hero in table.heroes:
        if hero.at >= 0 and (abilities := kit_of(table, hero).reactions.get(on)):
            found += [(hero.name, ability) for ability in abilities]
    if on in table.box.power_triggers:
        for vermin in table.vermin:
            if vermin.up:
                for kit in space.kits_of(table, vermin):
                    if abilities := kit.reactions.get(on):
                        found += [(vermin.name, ability) for ability in abilities]
    if abilities := table.plan.kit.reactions.get(on):
        found += [(SCENARIO, ability) for ability in abilities]
    return found


@law("NO-AMB-47")
def _once_each(found: list[Said]) -> list[Said]:
    """Keep only one of several copies of a power that is not about its owner."""
    kept: list[Said] = []
    for said in found:
        power = said.ability.card < 0 and said.ability.clause < 0
        general = power and said.ability.trigger is not None and not _names_this(said.ability.trigger)
        if not general or all(other.ability != said.ability for other in kept):
            kept.append(said)
    return kept


def _names_this(trigger: Phrase) -> bool:
    return any(one.name == "this-vermin" for one in trigger.every())


@law("NO-AMB-106")
def _is_meant(table: Table, said: Said, subject: str, that: str, card: int) -> bool:
    """Return whether the event is what the trigger is about."""
    ability = said.ability
    trigger = ability.trigger
    if trigger is None:
        return True
    if ability.weapon and ability.on in OWN_ATTACK and not (table.fights and table.fights[-1].arm.card == ability.card):
        return False
    parts = dict(trigger.parts)
    if "card" in parts and not is_card(table, _phrase(parts["card"]), card):
        return False
    if ability.on in OWN:
        figure = parts.get("figure")
        return figure is None or said.fallen is not None or _fits(table, said, _phrase(figure), that)
    if "n" in parts and "figure" not in parts:  # a space of the round track
        return bool(parts["n"] == card)
    if "figure" in parts and not _fits(table, said, _phrase(parts["figure"]), subject):
        return False
    if "objective" in parts:
        number = {"only": 0, "each": 0, "first": 1, "second": 2}[_phrase(parts["objective"]).name]
        return number in (0, card)
    return "whom" not in parts or _is_whom(table, said, _phrase(parts["whom"]), that)


def _is_whom(table: Table, said: Said, whom: Phrase, that: str) -> bool:
    if whom.name == "you":
        return that == said.me
    figure = _phrase(whom["figure"])
    if figure.name in ("it", "this-vermin"):
        return that == said.me
    return _fits(table, said, figure, that)


def _fits(table: Table, said: Said, figure: Phrase, name: str) -> bool:
    """Return whether a phrase can mean a figure, even one just eliminated."""
    if figure.name in ("it", "this-vermin"):
        return name == said.me
    if said.fallen is not None and said.fallen.name == name:
        if figure.name in ("named", "named-plainly"):
            return table.box.foe(table.box.marker(said.fallen.marker).foe).id == figure["foe"]
        return figure.name in ("a-vermin", "each-vermin", "another-vermin")
    one = space.find_figure(table, name)
    return one is not None and fits(table, said, figure, one)


def _phrase(value: object) -> Phrase:
    assert isinstance(value, Phrase)
    return value


# Statics


def counts(table: Table, ability: Ability) -> bool:
    """Return whether a card counts: an exhausted one only for refreshing itself."""
    if ability.card < 0 or not table.exhausted >> ability.card & 1:
        return True
    return any(clause.name == "refresh" for sentence in ability.body for clause in sentence.every())


def every_static(table: Table, clause: str) -> Iterator[tuple[Said, Phrase]]:
    """Yield the statics with this clause that hold just now, with their owners."""
    for owner in here(table):
        for static in kit_of(table, owner).says(clause):
            if counts(table, static.ability):
                said = Said(static.ability, owner.name, owner.name)
                if static.condition is None or holds(table, said, static.condition):
                    yield said, static.clause
    if table.lasting:
        yield from lasting(table, clause)
    for vermin in table.vermin:
        for kit in space.kits_of(table, vermin):
            for static in kit.says(clause):
                said = Said(static.ability, vermin.name, vermin.name)
                if static.condition is None or holds(table, said, static.condition):
                    yield said, static.clause


def lasting(table: Table, clause: str) -> Iterator[tuple[Said, Phrase]]:
    """Yield the lasting effects with this clause."""
    for _, owner, card, index in table.lasting:
        ability = table.box.said_by(card)[index]
        for sentence in ability.body:
            for one in sentence.every():
                if one.name == clause:
                    yield Said(ability, owner, owner), one


def statics_for(table: Table, clause: str, figure: Figure) -> list[tuple[Said, Phrase]]:
    """Return the statics with this clause on a figure's own cards and powers."""
    own: tuple[Kit, ...] = (kit_of(table, figure),) if isinstance(figure, Hero) else space.kits_of(table, figure)
    if not table.lasting and not any(clause in kit.by_clause for kit in own):
        return []
    found = []
    for kit in own:
        if kit is EMPTY:
            continue
        for static in kit.says(clause):
            if counts(table, static.ability):
                said = Said(static.ability, figure.name, figure.name)
                if static.condition is None or holds(table, said, static.condition):
                    found.append((said, static.clause))
    if table.lasting:
        found += [(said, one) for said, one in lasting(table, clause) if said.me == figure.name]
    return found


def is_of_itself(clause: Phrase) -> bool:
    """Return whether a clause is only about the owner of the card or power."""
    return _phrase(clause["who"]).name in ("you", "this-vermin")


@law("NO-GEN-5")
def is_forbidden(table: Table, side: str, deed: str) -> Ability | None:
    """Return the special rule of the scenario that forbids a side something, or None."""
    for static in table.plan.kit.says("may-not"):
        if _phrase(static.clause["side"]).name == side and _phrase(static.clause["deed"]).name == deed:
            return static.ability
    return None


def ignores(table: Table, figure: Figure, terrain: str) -> bool:
    """Return whether a figure ignores hindering terrain, water or figures when it moves."""
    for _, clause in statics_for(table, "ignore", figure):
        named = _phrase(clause["terrain"]).name
        if terrain in named:
            return True
    return False
