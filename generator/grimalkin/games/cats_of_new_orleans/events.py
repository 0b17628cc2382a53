"""What happens to figures, and what reacts to it: Stuns, Wounds, Lives and Health, elimination, revealing and hiding.

`react` finds the abilities that are set off. Vermin that a hero sees immediately turn face up, and some turn face down
again unseen. The verbs of clauses about figures are here, too.
"""

from __future__ import annotations

from typing import Final

from grimalkin.engine.law import law
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans.clauses import (
    USEFUL,
    Fallen,
    Said,
    fits,
    for_each,
    holds,
    is_card,
    is_of_itself,
    number,
    statics_for,
    verb,
)
from grimalkin.games.cats_of_new_orleans.figures import (
    Figure,
    covers,
    find_figure,
    find_vermin,
    foe_of,
    has_power,
    here,
    hero_of,
    is_boss,
    is_here,
    is_hero,
    kit_of,
    kits_of,
    seen_by_heroes,
    sight_of,
)
from grimalkin.games.cats_of_new_orleans.moves import TASKS, do, do_last, insert, task
from grimalkin.games.cats_of_new_orleans.numbers import DIFFICULTIES, HARD, INTERLUDE, MOST_LIVES, NOTHING, NOWHERE, OUT
from grimalkin.games.cats_of_new_orleans.phrases.abilities import OWN_ATTACK, Ability, a_phrase
from grimalkin.games.cats_of_new_orleans.table import Hero, Table, Vermin
from grimalkin.problems.plain import plural

SCENARIO: Final = ""
"""The owner of the special rules of a scenario."""
CANCELLED: Final = "cancelled"
DIES_OF_STUN: Final = "short-lived"
"""The power of vermin that a Stun eliminates."""
OWN: Final = frozenset(
    {"after-attack", "attack-misses", "party-cheats", "activation-starts", "activation-ends", "its-activation-starts"}
)
"""Triggers to which only the figure that acts or is affected reacts, in addition to all triggers about "you"."""


def is_own(on: str) -> bool:
    """Return whether only the figure that acts or is affected reacts to this."""
    return on.startswith("you-") or on in OWN


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
    """Put reactions on top: those of cards, powers and special rules to what happens to a subject.

    Mandatory reactions come first, then optional ones are offered. On board there are none.
    """
    if table.phase == INTERLUDE:
        return
    found: list[Said] = []
    if is_own(on):
        actor = find_figure(table, subject)
        for kit in (table.plan.kit,) if subject == SCENARIO else kits_of(table, actor) if actor is not None else ():
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
    found, box = [], table.box
    if on in box.card_triggers:
        for hero in table.heroes:
            if hero.at >= 0 and (abilities := kit_of(table, hero).reactions.get(on)):
                found += [(hero.name, ability) for ability in abilities]
    if (markers := box.power_triggers.get(on)) is not None:
        for vermin in table.vermin:
            if vermin.up and (vermin.marker in markers or vermin.aspect >= 0):
                for kit in kits_of(table, vermin):
                    if abilities := kit.reactions.get(on):
                        found += [(vermin.name, ability) for ability in abilities]
    if abilities := table.plan.kit.reactions.get(on):
        found += [(SCENARIO, ability) for ability in abilities]
    return found


@law("NO-AMB-47")
def _once_each(found: list[Said]) -> list[Said]:
    """Keep only one of several copies of a power that is not about its owner."""
    if len(found) < 2:
        return found
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
    if "card" in parts and not is_card(table, a_phrase(parts["card"]), card):
        return False
    if is_own(ability.on):
        figure = parts.get("figure")
        return figure is None or said.fallen is not None or _fits(table, said, a_phrase(figure), that)
    if "n" in parts and "figure" not in parts:  # a space of the round track
        return bool(parts["n"] == card)
    if "figure" in parts and not _fits(table, said, a_phrase(parts["figure"]), subject):
        return False
    if "objective" in parts:
        number = {"only": 0, "each": 0, "first": 1, "second": 2}[a_phrase(parts["objective"]).name]
        return number in (0, card)
    return "whom" not in parts or _is_whom(table, said, a_phrase(parts["whom"]), that)


def _is_whom(table: Table, said: Said, whom: Phrase, that: str) -> bool:
    if whom.name == "you":
        return that == said.me
    figure = a_phrase(whom["figure"])
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
    one = find_figure(table, name)
    return one is not None and fits(table, said, figure, one)


# Heroes


@law("NO-CHR-2", "NO-AMB-85", "NO-AMB-145")
def lose_lives(table: Table, hero: Hero, count: int, rule: str) -> None:
    """Take Lives from a hero; nothing can prevent this any more."""
    hero.lives = max(0, hero.lives - count)
    lost, left = lives_told(count), lives_told(hero.lives)
    table.tell(rule, "{hero} loses {} and has {} left.", lost, left, hero=hero, lost=count, lives=hero.lives)
    if not hero.lives and table.phase != INTERLUDE:
        take_out(table, hero)


@law("NO-AMB-40", "NO-AMB-102")
def take_out(table: Table, hero: Hero) -> None:
    """Take a hero without Lives out of the scenario, which is lost if no hero is left."""
    hero.at, hero.place = NOWHERE, OUT
    hero.ap = hero.mp = 0
    hero.leaping = NOTHING
    hero.stunned = hero.vulnerable = False
    table.tell("NO-AMB-40", "{hero} is out of the scenario.", hero=hero)
    if table.active == hero.name:
        end_last(table, hero.name, "close_activation")
    do(table, "look")
    TASKS["check_end"](table)  # immediately: nothing more is asked when no hero is left


def end_last(table: Table, name: str, word: str = "end_activation") -> None:
    """End an activation, once only, when everything under way in it is done."""
    if not any(one[0] in ("end_activation", "close_activation") and one[1] == name for one in table.todo):
        do_last(table, word, name)


@law("NO-AMB-41")
def recover(table: Table, hero: Hero, count: int, rule: str) -> None:
    """Give back Lives, up to 9."""
    gained = min(count, MOST_LIVES - hero.lives)
    hero.lives += gained
    if gained:
        table.tell(
            rule,
            "{hero} recovers {} and now has {lives}.",
            lives_told(gained),
            hero=hero,
            gained=gained,
            lives=hero.lives,
        )


def lives_told(count: int) -> str:
    """Return a number of Lives in words."""
    return "1 Life" if count == 1 else f"{count} Lives"


@task
def wound_hero(table: Table, name: str, lives: int, by: str, rule: str) -> None:
    """Begin a Wound that costs a hero this many Lives, unless somebody prevents it."""
    hero = hero_of(table, name)
    if not is_here(table, hero):
        return
    do(table, "suffer_wound", name, lives, by, rule)
    react(table, "would-suffer", name, other=by)
    react(table, "you-would-suffer", name, other=by)
    do(table, "expect_wound")


@task
def expect_wound(table: Table) -> None:
    """Note that nothing has prevented it so far."""
    table.stayed = ""


@task
def suffer_wound(table: Table, name: str, lives: int, by: str, rule: str) -> None:
    """Land the Wound, unless it was cancelled or another hero takes it, who may prevent it in turn."""
    if table.stayed == CANCELLED:
        table.stayed = ""
        return
    if table.stayed:
        who, table.stayed = table.stayed, ""
        do(table, "wound_hero", who, lives, by, rule)
        return
    hero = hero_of(table, name)
    if not is_here(table, hero):
        return
    lose_lives(table, hero, lives, rule)
    react(table, "suffers", name, other=by)
    react(table, "you-suffer", name, other=by)


@task
def stun_hero(table: Table, name: str, by: str, rule: str) -> None:
    """Begin a Stun on a hero."""
    hero = hero_of(table, name)
    if hero.at < 0 or hero.stunned or statics_for(table, "cannot-be-stunned", hero):
        return
    do(table, "land_stun", name, rule)
    react(table, "you-would-be-stunned", name, other=by)
    do(table, "expect_wound")


@task
@law("NO-STAT-1", "NO-STAT-2", "NO-VATK-8")
def land_stun(table: Table, name: str, rule: str) -> None:
    """Land the Stun, unless it was cancelled."""
    if table.stayed == CANCELLED:
        table.stayed = ""
        return
    hero = hero_of(table, name)
    hero.stunned = True
    table.tell(rule, "{hero} is stunned.", hero=name)
    react(table, "is-stunned", name)
    react(table, "you-are-stunned", name)


# Vermin


@law("NO-GEN-9", "NO-HIT-9", "NO-AMB-7", "NO-PWR-24", "NO-PWR-18", "NO-STAT-2", "NO-PWR-1")
def can_be_stunned(table: Table, vermin: Vermin) -> bool:
    """Return whether a Stun affects a vermin: not twice, not against its power, no zombie, and no boss on hard."""
    return not rule_against_stun(table, vermin)


def rule_against_stun(table: Table, one: Figure) -> str:
    """Return the rule that protects a figure from a Stun; empty if none does."""
    if one.stunned:
        return "NO-STAT-2"
    if isinstance(one, Vermin):
        if one.zombie:
            return "NO-PWR-1"
        if table.difficulty == DIFFICULTIES[HARD] and is_boss(table, one):
            return "NO-GEN-9"
    for said, clause in statics_for(table, "cannot-be-stunned", one):
        if isinstance(one, Hero) or is_of_itself(clause):
            return said.rule
    return ""


@law("NO-HIT-7", "NO-HIT-8", "NO-VERM-5")
def stun_vermin(table: Table, vermin: Vermin, by: str) -> bool:
    """Stun a vermin, or eliminate a mosquito, and return whether the Stun had an effect."""
    if not can_be_stunned(table, vermin):
        return False
    if dies_of_stun(table, vermin):
        table.tell("NO-HIT-7", "{vermin} is stunned, which eliminates it.", vermin=vermin)
        fallen = eliminate(table, vermin, by)
        react(table, "you-stun", by, that=vermin.name, fallen=fallen)
        return True
    vermin.stunned = True
    table.tell("NO-HIT-8", "{vermin} is stunned.", vermin=vermin)
    react(table, "is-stunned", vermin.name, other=by)
    react(table, "you-stun", by, that=vermin.name)
    return True


def dies_of_stun(table: Table, vermin: Vermin) -> bool:
    """Return whether a Stun eliminates a vermin: Bayou Mosquitos are short-lived."""
    return has_power(table, vermin, DIES_OF_STUN)


@law("NO-HIT-5", "NO-HIT-6", "NO-AMB-46")
def wound_vermin(table: Table, vermin: Vermin, count: int, by: str) -> None:
    """Wound a vermin, and eliminate it if it has no Health left."""
    foe = foe_of(table, vermin)
    vermin.wounds += count
    left = max(0, foe.health - vermin.wounds)
    table.tell(
        "NO-HIT-5",
        "{vermin} suffers {} and has {health} Health left.",
        plural(count, "Wound"),
        vermin=vermin,
        wounds=count,
        health=left,
    )
    fallen = eliminate(table, vermin, by) if not left else None
    react(table, "suffers", vermin.name, other=by, fallen=fallen)
    react(table, "you-wound", by, that=vermin.name, fallen=fallen)


@law("NO-ELIM-1", "NO-HIDE-6")
def eliminate(table: Table, vermin: Vermin, by: str, rule: str = "NO-HIT-6") -> Fallen:
    """Remove a vermin from the map, with its marker to the vermin discard, and return who it was.

    Powers react afterwards. Another vermin may soon get its name, so nothing meant for it may wait.
    """
    table.vermin.remove(vermin)
    table.graves = sorted([*table.graves, vermin.marker])
    table.tell(rule, "{vermin} is eliminated.", vermin=vermin)
    boss = foe_of(table, vermin).has("boss")
    fallen = Fallen(vermin.name, vermin.marker, vermin.at, boss, vermin.zombie)
    do(table, "check_end")
    if foe_of(table, vermin).has("conjoined"):
        do(table, "lose_aspect", vermin.marker)
    if by:
        react(table, "you-eliminate", by, that=vermin.name, fallen=fallen)
    react(table, "is-eliminated", vermin.name, fallen=fallen)
    return fallen


# Revealing and hiding


@law("NO-HIDE-6")
def reveal(table: Table, vermin: Vermin) -> None:
    """Turn a vermin face up, and rename it."""
    was = vermin.name
    vermin.up, vermin.known = True, False
    insert(table, vermin)
    table.tell("NO-HIDE-5", "{was} is revealed as {vermin}.", vermin=vermin, was=was)
    react(table, "is-revealed", vermin.name)


@task
@law("NO-HIDE-5", "NO-AMB-74", "NO-AMB-139")
def look(table: Table) -> None:
    """Check, after every change of places, doors or figures, who is seen and who no longer is."""
    seen, foes = seen_by_heroes(table), table.box.foes
    hiding = []
    for vermin in table.vermin[:]:
        if not vermin.up:
            if seen >> vermin.at & 1:
                reveal(table, vermin)
        elif foes[vermin.marker].hides:
            hiding.append(vermin)
    for vermin in hiding:  # only now are the names of revealed vermin free again
        hide_if_unseen(table, vermin)
    watch(table, seen)


@law("NO-PWR-3")
def hide_if_unseen(table: Table, vermin: Vermin) -> None:
    """Turn a vermin with Camouflage that no hero sees face down again; everybody remembers its marker."""
    for kit in kits_of(table, vermin):
        for ability in kit.reactions.get("while", ()):
            said = Said(ability, vermin.name, vermin.name)
            assert ability.trigger is not None
            condition = ability.trigger["condition"]
            if holds(table, said, condition):  # type: ignore[arg-type]  # a phrase, as the form has it
                was = vermin.name
                vermin.up, vermin.known = False, True
                insert(table, vermin)
                table.tell(
                    ability.rule,
                    "Out of every hero's sight, {was} turns face down as {vermin}.",
                    vermin=vermin,
                    was=was,
                )
                return


def watch(table: Table, seen: int) -> None:
    """Trigger the special rules of the scenario that wait until a hero sees a certain vermin."""
    waiting = table.plan.kit.reactions.get("sees", ())
    if not any(ability.clause not in table.used_up for ability in waiting):
        return
    for vermin in table.vermin:
        if vermin.up and seen & covers(table, vermin):
            for hero in here(table):
                if sight_of(table, hero) & covers(table, vermin):
                    react(table, "sees", hero.name, that=vermin.name)
                    break


def forget_activation(table: Table) -> None:
    """End effects that lasted for any figure's activation, and limits of one use in an activation."""
    table.lasting = [one for one in table.lasting if one[0] != "activation"]
    for hero in table.heroes:
        hero.used = 0


# Verbs about figures


@for_each(Figure, "recover", "regain")
def recovers(table: Table, said: Said, clause: Phrase, one: Figure) -> None:
    if isinstance(one, Hero):
        recover(table, one, number(clause), said.rule)
    else:
        heal(table, one, number(clause), said.rule)


def heal(table: Table, vermin: Vermin, count: int, rule: str) -> None:
    """Give Health back to a vermin."""
    gained = min(count, vermin.wounds) if count else vermin.wounds
    vermin.wounds -= gained
    if gained:
        table.tell(rule, "{vermin} regains {health} Health.", vermin=vermin, health=gained)


@for_each(Vermin, "regain-up-to")
def regain_up_to(table: Table, said: Said, clause: Phrase, one: Vermin) -> None:
    """Give Health, beyond the card's maximum as wounds below zero."""
    health = foe_of(table, one).health - one.wounds
    gained = min(number(clause), max(0, int(str(clause["most"])) - health))
    one.wounds -= gained
    table.tell(said.rule, "{vermin} gains {} Health.", gained, vermin=one)


@for_each(Vermin, "regain-all")
@law("NO-PWR-15", "NO-AMB-58")
def regain_all(table: Table, said: Said, _clause: Phrase, one: Vermin) -> None:
    heal(table, one, max(0, one.wounds), said.rule)


@for_each(Hero, "lose-lives")
def loses_lives(table: Table, said: Said, clause: Phrase, one: Hero) -> None:
    lose_lives(table, one, number(clause), said.rule)


@for_each(Figure, "suffer", "suffer-unstunned", stacked=True)
@law("NO-AMB-85")
def suffers(table: Table, said: Said, clause: Phrase, one: Figure) -> None:
    """Give Wounds without a DRAW: each costs a hero 1 Life."""
    if isinstance(one, Hero):
        for _ in range(number(clause)):
            do(table, "wound_hero", one.name, 1, said.me, said.rule)
    else:
        do(table, "wounds_of_card", one.name, number(clause), said.me)


@task
def wounds_of_card(table: Table, name: str, count: int, by: str) -> None:
    """Wound a vermin through a card."""
    one = find_vermin(table, name)
    if one is not None:
        wound_vermin(table, one, count, _hero_name(table, by))


def _hero_name(table: Table, name: str) -> str:
    """Return a name if it is a hero's, otherwise an empty one."""
    return name if is_hero(table, name) else ""


@for_each(Figure, "stun", stacked=True)
def stun(table: Table, said: Said, _clause: Phrase, one: Figure) -> None:
    do(table, "stun_of_card", one.name, said.me, said.rule)


@task
def stun_of_card(table: Table, name: str, by: str, rule: str) -> None:
    """Stun a figure through a card."""
    one = find_figure(table, name)
    if isinstance(one, Hero):
        do(table, "stun_hero", name, by, rule)
    elif one is not None:
        stun_vermin(table, one, _hero_name(table, by))


@for_each(Figure, "unstun")
def unstun(table: Table, said: Said, _clause: Phrase, one: Figure) -> None:
    if one.stunned:
        one.stunned = False
        table.tell(said.rule, "{figure} loses its Stun marker.", figure=one)


@for_each(Figure, "mark-vulnerable")
@law("NO-STAT-3")
def mark_vulnerable(table: Table, said: Said, _clause: Phrase, one: Figure) -> None:
    one.vulnerable = True
    table.tell(said.rule, "{figure} is now vulnerable.", figure=one)


@verb("take-vulnerable")
def take_vulnerable(table: Table, said: Said, _clause: Phrase) -> None:
    me = hero_of(table, said.me)
    if me.on_map:
        me.vulnerable = True
        table.tell(said.rule, "{figure} is now vulnerable.", figure=me)


@verb("drop-vulnerable")
def drop_vulnerable(table: Table, said: Said, _clause: Phrase) -> None:
    unmark(table, said, hero_of(table, said.me))


@for_each(Figure, "unmark-vulnerable")
def unmark_vulnerable(table: Table, said: Said, _clause: Phrase, one: Figure) -> None:
    unmark(table, said, one)


def unmark(table: Table, said: Said, one: Figure) -> None:
    if one.vulnerable:
        one.vulnerable = False
        table.tell(said.rule, "{figure} is no longer vulnerable.", figure=one)


@for_each(Vermin, "eliminate", "is-eliminated")
@law("NO-PWR-19", "NO-VERM-8")
def eliminates(table: Table, said: Said, _clause: Phrase, one: Vermin) -> None:
    if one in table.vermin:
        eliminate(table, one, "", said.rule)


USEFUL.update(
    {
        "stun": lambda t, s, c, one: (
            (isinstance(one, Hero) and not one.stunned and not statics_for(t, "cannot-be-stunned", one))
            or (isinstance(one, Vermin) and (not one.up or can_be_stunned(t, one)))
        ),
        "unstun": lambda t, s, c, one: one is not None and one.stunned,
        "recover": lambda t, s, c, one: isinstance(one, Hero) and one.lives < 9,
        "reveal": lambda t, s, c, one: isinstance(one, Vermin) and not one.up,
        "mark-vulnerable": lambda t, s, c, one: one is not None and not one.vulnerable,
        "unmark-vulnerable": lambda t, s, c, one: one is not None and one.vulnerable,
        "drop-vulnerable": lambda t, s, c, one: hero_of(t, s.me).vulnerable,
        "regain": lambda t, s, c, one: isinstance(one, Vermin) and one.wounds > 0,
    }
)
