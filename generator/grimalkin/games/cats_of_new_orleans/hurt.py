"""Stuns, Wounds, Lives and Health, and the elimination of figures."""

from __future__ import annotations

from grimalkin.engine.law import law
from grimalkin.games.cats_of_new_orleans.agenda import TASKS, do, do_last, task
from grimalkin.games.cats_of_new_orleans.names import spoken
from grimalkin.games.cats_of_new_orleans.numbers import DIFFICULTIES, HARD, INTERLUDE, MOST_LIVES, NOTHING, NOWHERE, OUT
from grimalkin.games.cats_of_new_orleans.space import Figure, foe_of, has_power, hero_of, is_boss, is_here
from grimalkin.games.cats_of_new_orleans.table import Hero, Table, Vermin
from grimalkin.games.cats_of_new_orleans.triggers import is_of_itself, react, statics_for
from grimalkin.games.cats_of_new_orleans.who import Fallen
from grimalkin.problems.plain import plural

CANCELLED = "cancelled"
DIES_OF_STUN = "short-lived"
"""The power of vermin that a Stun eliminates."""

# Heroes


@law("NO-CHR-2", "NO-AMB-85", "NO-AMB-145")
def lose_lives(table: Table, hero: Hero, count: int, rule: str) -> None:
    """Take Lives from a hero; nothing can prevent this any more."""
    hero.lives = max(0, hero.lives - count)
    lost, left = lives_told(count), lives_told(hero.lives)
    told = f"{spoken(table, hero.name)} loses {lost} and has {left} left."
    table.tell(rule, told, hero=hero.name, lost=count, lives=hero.lives)
    if not hero.lives and table.phase != INTERLUDE:
        take_out(table, hero)


@law("NO-AMB-40", "NO-AMB-102")
def take_out(table: Table, hero: Hero) -> None:
    """Take a hero without Lives out of the scenario, which is lost if no hero is left."""
    hero.at, hero.place = NOWHERE, OUT
    hero.ap = hero.mp = 0
    hero.leaping = NOTHING
    hero.stunned = hero.vulnerable = False
    table.tell("NO-AMB-40", f"{spoken(table, hero.name)} is out of the scenario.", hero=hero.name)
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
        told = f"{spoken(table, hero.name)} recovers {lives_told(gained)} and now has {hero.lives}."
        table.tell(rule, told, hero=hero.name, gained=gained, lives=hero.lives)


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
    table.tell(rule, f"{spoken(table, name)} is stunned.", hero=name)
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
            return said.ability.rule
    return ""


@law("NO-HIT-7", "NO-HIT-8", "NO-VERM-5")
def stun_vermin(table: Table, vermin: Vermin, by: str) -> bool:
    """Stun a vermin, or eliminate a mosquito, and return whether the Stun had an effect."""
    if not can_be_stunned(table, vermin):
        return False
    if dies_of_stun(table, vermin):
        table.tell("NO-HIT-7", f"{spoken(table, vermin.name)} is stunned, which eliminates it.", vermin=vermin.name)
        fallen = eliminate(table, vermin, by)
        react(table, "you-stun", by, that=vermin.name, fallen=fallen)
        return True
    vermin.stunned = True
    table.tell("NO-HIT-8", f"{spoken(table, vermin.name)} is stunned.", vermin=vermin.name)
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
    told = f"{spoken(table, vermin.name)} suffers {plural(count, 'Wound')} and has {left} Health left."
    table.tell("NO-HIT-5", told, vermin=vermin.name, wounds=count, health=left)
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
    table.tell(rule, f"{spoken(table, vermin.name)} is eliminated.", vermin=vermin.name)
    boss = foe_of(table, vermin).has("boss")
    fallen = Fallen(vermin.name, vermin.marker, vermin.at, boss, vermin.zombie)
    do(table, "check_end")
    if foe_of(table, vermin).has("conjoined"):
        do(table, "lose_aspect", vermin.marker)
    if by:
        react(table, "you-eliminate", by, that=vermin.name, fallen=fallen)
    react(table, "is-eliminated", vermin.name, fallen=fallen)
    return fallen
